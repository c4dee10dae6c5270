//! The colours, fonts and sizes that all screens share.
//!
//! In each look, text and background have more contrast than WCAG 2.2 asks for (5 to 1, and 7.5 to 1 for the clocks). A
//! test checks this.

use std::sync::Arc;
use std::time::Duration;

use egui::style::{KineticScrollStyle, ScrollAnimation, ScrollStyle, WidgetVisuals};
use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, Stroke, TextStyle,
    Ui, Vec2, Visuals, vec2,
};
use tabiya_store::settings::{Appearance, BoardColors};
use tabiya_types::Millis;

/// The colours of one look. Gold is now (whose turn, what next), ivory is the choice, coral is trouble, blue is the
/// keyboard or "put it here", felt is the pot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// Which look has these colours: dark, light or high contrast.
    pub look: Appearance,
    /// The background of the window.
    pub ground: Color32,
    /// The background of a group.
    pub panel: Color32,
    /// The background of buttons.
    pub raised: Color32,
    /// The background of what is under the pointer, and of what is chosen.
    pub hover: Color32,
    /// The background of plates, and of pressed buttons.
    pub well: Color32,
    /// The background of text fields.
    pub input: Color32,
    /// The colour of lines that only decorate.
    pub line: Color32,
    /// The colour of lines that bound something which can be used.
    pub edge: Color32,
    /// The colour of text.
    pub text: Color32,
    /// The colour of less important text.
    pub muted: Color32,
    /// The edge and the dot of what is chosen.
    pub ivory: Color32,
    /// The fill of the main button and of the plate whose player is to act.
    pub gold: Color32,
    /// The colour of text on gold.
    pub on_gold: Color32,
    /// Gold as the colour of text.
    pub gold_ink: Color32,
    /// The edge of gold fills and of the seat whose player is to act.
    pub gold_edge: Color32,
    /// The colour of errors and warnings as text, and of the edges of grave buttons.
    pub bad: Color32,
    /// The fill of the last seconds and of armed buttons.
    pub bad_fill: Color32,
    /// The colour of text on that fill.
    pub on_bad: Color32,
    /// The background of a reason.
    pub bad_wash: Color32,
    /// The colour of success messages.
    pub good: Color32,
    /// The colour of the ring that marks the keyboard focus.
    pub focus: Color32,
    /// The fill of the pot.
    pub felt: Color32,
    /// The edge of the pot.
    pub felt_line: Color32,
    /// The colour of text on felt.
    pub on_felt: Color32,
}

/// Marks on the squares of a board: where a piece belongs, where it must not stand, and the line around both.
pub const PUT_HERE: Color32 = rgb(0x000F_5FC2);
/// The colour of what stands wrong.
pub const STANDS_WRONG: Color32 = rgb(0x00C4_231A);
/// The paper of cards and dice, in every look, and White's own colour.
pub const PAPER: Color32 = rgb(0x00FA_F8F2);
/// The edge of paper.
pub const PAPER_EDGE: Color32 = Color32::from_gray(90);
/// What is printed on paper.
pub const PRINT: Color32 = Color32::from_gray(20);
/// The same where it matters less.
pub const PRINT_WEAK: Color32 = Color32::from_gray(120);
/// The red suits.
pub const PRINT_RED: Color32 = rgb(0x00B0_1010);
/// The joker's letter and star.
pub const PRINT_JOKER: Color32 = rgb(0x006A_4C93);
/// Black's own colour.
pub const BLACK_SIDE: Color32 = Color32::from_gray(6);
/// Dark lines, dots and corners on the squares of a board, and pills over it.
pub const MARK: Color32 = Color32::from_gray(20);
/// The squares of the last move.
pub const LAST_MOVE: Color32 = rgb(0x00BE_B014);
/// The square that is chosen.
pub const CHOSEN: Color32 = rgb(0x001E_783C);
/// The ground of a ghost.
pub const GHOST_GROUND: Color32 = rgb(0x00BE_D1E4);
/// Words on a dark pill.
pub const ON_PILL: Color32 = rgb(0x00F2_F0EA);

/// The light line around marks on the board.
pub const KEYLINE: Color32 = rgb(0x00FB_F8EF);

/// The sizes of the window are multiples of this length, in points.
pub const GRID: f32 = 4.0;
/// The radii of corners: of panels, of buttons, of plates.
pub const PANEL_RADIUS: u8 = 12;
/// The radius of a button's corners.
pub const BUTTON_RADIUS: u8 = 8;
/// The radius of a plate's corners.
pub const PLATE_RADIUS: u8 = 10;

/// How long gold takes to pass from what was to be done to what is.
pub const GOLD_PASSES: Millis = Millis(120);
/// How long a card takes to turn over.
pub const CARD_TURNS: Millis = Millis(200);
/// How long chips travel between a seat and the pot.
pub const CHIPS_TRAVEL: Millis = Millis(240);
/// How long the arbiter's drawer takes to open or to close.
pub const DRAWER_SLIDES: Millis = Millis(140);
/// How long a piece that is missing on the board breathes: three times.
pub const GHOSTS_BREATHE: Millis = Millis(BREATHS * 900);
/// How often it breathes.
pub const BREATHS: u64 = 3;
/// How long a notice is shown, and one of something that failed: its words are longer.
pub const NOTICE: Millis = Millis(6_000);
/// See [`NOTICE`].
pub const FAILURE: Millis = Millis(24_000);
/// How long the pointer must have rested over the table's controls before something takes their place by itself.
pub const POINTER_RESTS: Millis = Millis(600);
/// How long one frame lasts while something moves, and while only ghosts breathe: they are slow.
pub const MOTION_FRAME: Duration = Duration::from_millis(16);
/// See [`MOTION_FRAME`].
pub const BREATH_FRAME: Duration = Duration::from_millis(50);

const fn rgb(hex: u32) -> Color32 {
    let [_, red, green, blue] = hex.to_be_bytes();
    Color32::from_rgb(red, green, blue)
}

/// The size of body text in a window of this size, in points; all other sizes follow from it.
pub fn rem(window: Vec2, text_percent: u16) -> f32 {
    let scale = (window.x / 1280.0).min(window.y / 800.0).max(0.1).powf(0.7).clamp(0.875, 3.2);
    // Whole half points: otherwise every step of a window that is resized would load other fonts.
    (32.0 * scale * f32::from(text_percent) / 100.0).round() / 2.0
}

/// The sizes of words.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sizes {
    /// The size of body text.
    pub rem: f32,
}

impl Sizes {
    /// The size of remarks; never under 12 points.
    pub fn small(self) -> f32 {
        (0.84 * self.rem).max(12.0)
    }

    /// The size of the words on large buttons.
    pub fn lead(self) -> f32 {
        1.125 * self.rem
    }

    /// The size of names.
    pub fn name(self) -> f32 {
        1.375 * self.rem
    }

    /// The size of the line that says what comes next.
    pub fn title(self) -> f32 {
        1.75 * self.rem
    }

    /// The size of figures such as the pot, and of a result.
    pub fn figure(self) -> f32 {
        3.2 * self.rem
    }

    /// A length of the drawings, which were made for a rem of 16 points.
    pub fn px(self, points: f32) -> f32 {
        points * self.rem / 16.0
    }
}

impl Theme {
    /// The colours of a look.
    pub fn of(look: Appearance) -> Self {
        match look {
            Appearance::System | Appearance::Dark => Self::dark(),
            Appearance::Light => Self::light(),
            Appearance::Contrast => Self::high_contrast(),
        }
    }

    fn dark() -> Self {
        Self {
            look: Appearance::Dark,
            ground: rgb(0x0012_161C),
            panel: rgb(0x001A_2028),
            raised: rgb(0x0025_2E39),
            hover: rgb(0x0030_3B48),
            well: rgb(0x000C_1015),
            input: rgb(0x000C_1015),
            line: rgb(0x002C_3642),
            edge: rgb(0x006F_7D8F),
            text: rgb(0x00F2_F0EA),
            muted: rgb(0x00AA_B4C0),
            ivory: rgb(0x00F6_EFDC),
            gold: rgb(0x00F0_B849),
            on_gold: rgb(0x001A_1405),
            gold_ink: rgb(0x00F0_B849),
            gold_edge: rgb(0x00F0_B849),
            bad: rgb(0x00FF_8A80),
            bad_fill: rgb(0x00FF_7A6C),
            on_bad: rgb(0x0024_0503),
            bad_wash: rgb(0x0037_201F),
            good: rgb(0x005F_D39B),
            focus: rgb(0x0078_C2FF),
            felt: rgb(0x0014_332B),
            felt_line: rgb(0x003F_7A66),
            on_felt: rgb(0x00F2_F0EA),
        }
    }

    fn light() -> Self {
        Self {
            look: Appearance::Light,
            ground: rgb(0x00E9_E4DA),
            panel: rgb(0x00FB_FAF6),
            raised: rgb(0x00EC_E6DA),
            hover: rgb(0x00DF_D7C7),
            well: rgb(0x00E2_DBCD),
            input: rgb(0x00FF_FFFF),
            line: rgb(0x00D3_CBBB),
            edge: rgb(0x007C_7365),
            text: rgb(0x001A_1D22),
            muted: rgb(0x0052_5861),
            ivory: rgb(0x001F_242B),
            gold: rgb(0x00F0_B849),
            on_gold: rgb(0x001A_1405),
            gold_ink: rgb(0x007E_4D00),
            gold_edge: rgb(0x008A_5600),
            bad: rgb(0x00AD_1F16),
            bad_fill: rgb(0x00A6_1B12),
            on_bad: rgb(0x00FF_FFFF),
            bad_wash: rgb(0x00FB_E3DF),
            good: rgb(0x0016_6340),
            focus: rgb(0x0009_58A8),
            felt: rgb(0x001D_5143),
            felt_line: rgb(0x008F_C2B0),
            on_felt: rgb(0x00FB_FAF6),
        }
    }

    fn high_contrast() -> Self {
        let (black, white) = (rgb(0x0000_0000), rgb(0x00FF_FFFF));
        Self {
            look: Appearance::Contrast,
            ground: black,
            panel: black,
            raised: black,
            hover: rgb(0x0026_2626),
            well: black,
            input: black,
            line: white,
            edge: white,
            text: white,
            muted: rgb(0x00F0_F0F0),
            ivory: white,
            gold: rgb(0x00FF_E100),
            on_gold: black,
            gold_ink: rgb(0x00FF_E100),
            gold_edge: rgb(0x00FF_E100),
            bad: rgb(0x00FF_9E9E),
            bad_fill: rgb(0x00FF_9E9E),
            on_bad: black,
            bad_wash: black,
            good: rgb(0x0000_FF88),
            focus: rgb(0x0000_E5FF),
            felt: black,
            felt_line: white,
            on_felt: white,
        }
    }

    /// Sets egui's colours and sizes for this size of body text, from this frame on. `still`: whether nothing may move.
    pub fn apply(&self, ui: &mut Ui, sizes: Sizes, still: bool) {
        let mut visuals = self.visuals();
        visuals.text_cursor.blink = !still;
        let rem = sizes.rem;
        ui.ctx().all_styles_mut(|style| {
            style.visuals = visuals.clone();
            style.text_styles = [
                (TextStyle::Small, FontId::new(sizes.small(), FontFamily::Proportional)),
                (TextStyle::Body, FontId::new(rem, FontFamily::Proportional)),
                (TextStyle::Button, FontId::new(rem, FontFamily::Proportional)),
                (TextStyle::Heading, FontId::new(sizes.name(), bold())),
                (TextStyle::Monospace, FontId::new(0.9 * rem, FontFamily::Monospace)),
            ]
            .into();
            style.spacing.item_spacing = vec2(2.0 * GRID, sizes.px(1.5 * GRID));
            style.spacing.button_padding = vec2(sizes.px(3.0 * GRID), sizes.px(1.5 * GRID));
            style.spacing.interact_size.y = sizes.px(32.0);
            style.spacing.slider_width = sizes.px(160.0);
            // Solid scroll bars are always visible, so they show that there is more to see.
            let usual = ScrollStyle::solid();
            // Nothing springs back: a list that grows or shrinks is at its place at once.
            let kinetic = KineticScrollStyle { rubber_band: false, ..usual.kinetic };
            style.spacing.scroll = ScrollStyle { bar_width: 8.0, kinetic, ..usual };
            style.spacing.window_margin = Margin::same(16);
            style.animation_time = 0.0;
            style.scroll_animation = if still { ScrollAnimation::none() } else { ScrollAnimation::default() };
        });
        // The frame began with the style of the one before.
        ui.reset_style();
    }

    fn visuals(&self) -> Visuals {
        let mut visuals = if self.look == Appearance::Light { Visuals::light() } else { Visuals::dark() };
        let round = CornerRadius::same(BUTTON_RADIUS);
        let widget = |fill: Color32, line: Color32, text: Color32| WidgetVisuals {
            bg_fill: fill,
            weak_bg_fill: fill,
            bg_stroke: Stroke::new(1.0, line),
            corner_radius: round,
            fg_stroke: Stroke::new(1.0, text),
            expansion: 0.0,
        };
        visuals.panel_fill = self.ground;
        visuals.window_fill = self.panel;
        visuals.window_stroke = Stroke::new(1.0, self.line);
        visuals.window_corner_radius = CornerRadius::same(PANEL_RADIUS);
        visuals.menu_corner_radius = CornerRadius::same(PANEL_RADIUS);
        visuals.extreme_bg_color = self.input;
        visuals.faint_bg_color = self.raised;
        visuals.override_text_color = None;
        visuals.weak_text_color = Some(self.muted);
        visuals.hyperlink_color = self.focus;
        visuals.warn_fg_color = self.gold_ink;
        visuals.error_fg_color = self.bad;
        // What is chosen has an ivory edge; gold is kept for what is to be done now.
        visuals.selection.bg_fill = self.hover;
        visuals.selection.stroke = Stroke::new(2.0, self.ivory);
        visuals.widgets.noninteractive = widget(self.panel, self.line, self.text);
        visuals.widgets.inactive = widget(self.raised, self.edge, self.text);
        visuals.widgets.hovered = WidgetVisuals {
            bg_stroke: Stroke::new(1.5, self.edge),
            ..widget(self.hover, self.edge, self.text)
        };
        // egui draws a control that has the keyboard focus like a pressed control. Both get a ring.
        visuals.widgets.active = WidgetVisuals {
            bg_stroke: Stroke::new(3.0, self.focus),
            ..widget(self.well, self.focus, self.text)
        };
        visuals.widgets.open = widget(self.hover, self.ivory, self.text);
        visuals
    }

    /// A colour on the way from one to another; `share` is the way that is done, 0 to 1.
    pub fn between(from: Color32, to: Color32, share: f32) -> Color32 {
        if share >= 1.0 { to } else { from.lerp_to_gamma(to, share) }
    }

    /// The edge of a seat, of which `share` is lit by the lamp, 0 to 1.
    pub fn lamp_edge(&self, share: f32) -> Stroke {
        Stroke::new(1.0 + share, Self::between(self.line, self.gold_edge, share))
    }

    /// The colour of a darkened square.
    pub fn dimmed(square: Color32) -> Color32 {
        let mix = |bright: u8, dark: u32| {
            u8::try_from((u32::from(bright) * 43 + dark * 57) / 100).unwrap_or(u8::MAX)
        };
        Color32::from_rgb(mix(square.r(), 18), mix(square.g(), 22), mix(square.b(), 28))
    }

    /// The colours of light and dark squares.
    pub fn squares(&self, colors: BoardColors) -> [Color32; 2] {
        if self.look == Appearance::Contrast {
            return [rgb(0x00FF_FFFF), rgb(0x007A_7A7A)];
        }
        match colors {
            BoardColors::Brown => [rgb(0x00E9_DBC1), rgb(0x00A8_8261)],
            BoardColors::Green => [rgb(0x00EB_ECD0), rgb(0x0073_9552)],
            BoardColors::Blue => [rgb(0x00DE_E3E6), rgb(0x007F_9DB9)],
            BoardColors::Grey => [rgb(0x00DC_DCDC), rgb(0x008C_8C8C)],
        }
    }
}

/// The bold font family, for headings, names and clocks.
pub fn bold() -> FontFamily {
    FontFamily::Name("bold".into())
}

/// The bold font at this size.
pub fn bold_font(size: f32) -> FontId {
    FontId::new(size, bold())
}

/// Loads the fonts into egui: B612, made for cockpits, with digits of equal width. Names have letters that it lacks, such as
/// č and ł; those are from DejaVu Sans, in both weights.
pub fn load_fonts(ctx: &Context) {
    let mut fonts = FontDefinitions::default();
    let mut add = |name: &str, bytes: &'static [u8]| {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    };
    add("B612", include_bytes!("assets/B612-Regular.otf"));
    add("B612 Bold", include_bytes!("assets/B612-Bold.otf"));
    add("Names", include_bytes!("assets/DejaVuSans-Names-Regular.ttf"));
    add("Names Bold", include_bytes!("assets/DejaVuSans-Names-Bold.ttf"));
    let fallback = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let with = |own: [&str; 2]| own.map(str::to_owned).into_iter().chain(fallback.iter().cloned()).collect();
    fonts.families.insert(FontFamily::Proportional, with(["B612", "Names"]));
    fonts.families.insert(bold(), with(["B612 Bold", "Names Bold"]));
    ctx.set_fonts(fonts);
}

/// The contrast ratio of two colours as WCAG 2.2 defines it, from 1 to 21.
pub fn contrast(a: Color32, b: Color32) -> f32 {
    let channel = |value: u8| {
        let value = f32::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let luminance = |c: Color32| 0.2126 * channel(c.r()) + 0.7152 * channel(c.g()) + 0.0722 * channel(c.b());
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_can_be_read_in_every_look() {
        for look in Appearance::ALL {
            let theme = Theme::of(look);
            for ground in [theme.ground, theme.panel, theme.raised, theme.hover, theme.well, theme.input] {
                for (what, words) in [
                    ("text", theme.text),
                    ("muted", theme.muted),
                    ("bad", theme.bad),
                    ("good", theme.good),
                    ("gold", theme.gold_ink),
                ] {
                    let ratio = contrast(words, ground);
                    // 5, rounded.
                    assert!(ratio >= 4.9, "{look:?}: {what} on {ground:?} has {ratio:.2}");
                }
                assert!(contrast(theme.text, ground) >= 7.5, "{look:?}: clocks on {ground:?}");
                assert!(contrast(theme.focus, ground) >= 3.0, "{look:?}: the focus ring on {ground:?}");
                for edge in [theme.edge, theme.gold_edge, theme.ivory] {
                    // What is under the pointer is seen by its fill, too. The others are 3.3, rounded.
                    let least = if ground == theme.hover { 2.7 } else { 3.25 };
                    assert!(contrast(edge, ground) >= least, "{look:?}: {edge:?} on {ground:?}");
                }
            }
            assert!(contrast(theme.on_gold, theme.gold) >= 7.5, "{look:?}: on gold");
            assert!(contrast(theme.on_bad, theme.bad_fill) >= 7.5, "{look:?}: on coral");
            assert!(contrast(theme.bad, theme.bad_wash) >= 5.0, "{look:?}: a reason");
            assert!(contrast(theme.on_felt, theme.felt) >= 7.5, "{look:?}: the pot");
        }
    }

    #[test]
    fn every_letter_of_a_name_has_a_bold_form() {
        let ctx = Context::default();
        load_fonts(&ctx);
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let width = |letter: char, font: FontId| {
                ui.painter().layout_no_wrap(letter.to_string(), font, Color32::WHITE).size().x
            };
            // The letters of B612 are as wide in bold, so this tells only of letters that it lacks.
            for letter in "čřłőęąďťňůğŁЖд".chars() {
                let (plain, bold) =
                    (width(letter, FontId::proportional(64.0)), width(letter, bold_font(64.0)));
                assert!(bold > plain, "{letter}: {bold} in bold, {plain} in plain letters");
            }
        });
        output.textures_delta.clear();
    }

    #[test]
    fn sizes_follow_the_window_and_the_words() {
        let of = |width: f32, height: f32, percent: u16| format!("{}", rem(vec2(width, height), percent));
        assert_eq!([of(800.0, 600.0, 100), of(1280.0, 800.0, 100)], ["14", "16"]);
        assert_eq!([of(1920.0, 1080.0, 100), of(1280.0, 800.0, 200)], ["19.5", "32"]);
        assert_eq!(of(3840.0, 2160.0, 100), "32");
        assert_eq!(of(7680.0, 4320.0, 100), "51", "even a projector's words have bounds");
        assert!(Sizes { rem: 8.0 }.small() >= 12.0);
    }

    #[test]
    fn contrast_is_as_wcag_reckons_it() {
        assert!((contrast(Color32::WHITE, Color32::BLACK) - 21.0).abs() < 0.01);
        // This grey is known to have just enough contrast on white.
        assert!((contrast(rgb(0x0076_7676), Color32::WHITE) - 4.54).abs() < 0.01);
    }

    /// How a colour is seen by people without one kind of cones (Machado, Oliveira and Fernandes 2009, severity 1), in
    /// CIELAB.
    fn seen(color: Color32, matrix: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let of = [linear(color.r()), linear(color.g()), linear(color.b())];
        let times =
            |row: [f64; 3]| row.iter().zip(of).map(|(part, value)| part * value).sum::<f64>().clamp(0.0, 1.0);
        let [red, green, blue] = matrix.map(times);
        let tristimulus = [
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
        ];
        let root = |share: f64| if share > 0.008_856 { share.cbrt() } else { 7.787 * share + 16.0 / 116.0 };
        let [left, middle, right] = tristimulus.map(root);
        [116.0 * middle - 16.0, 500.0 * (left - middle), 200.0 * (middle - right)]
    }

    #[test]
    fn marks_differ_for_people_who_see_colours_otherwise() {
        let eyes = [
            ("protanopia", [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]),
            (
                "deuteranopia",
                [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
            ),
            ("tritanopia", [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]),
        ];
        for look in Appearance::ALL {
            let theme = Theme::of(look);
            for (what, one, other) in [
                ("put here and stands wrong", PUT_HERE, STANDS_WRONG),
                ("now and trouble", theme.gold, theme.bad_fill),
                ("well and wrong", theme.good, theme.bad),
                ("now and the keyboard", theme.gold, theme.focus),
                ("chosen and the keyboard", theme.ivory, theme.focus),
            ] {
                for (name, matrix) in eyes {
                    let (one, other) = (seen(one, matrix), seen(other, matrix));
                    let apart = one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                    // Two colours are told apart at a glance from about 10 on.
                    assert!(apart >= 10.0, "{look:?}: {what} with {name}: {apart:.1}");
                }
            }
        }
    }
}
