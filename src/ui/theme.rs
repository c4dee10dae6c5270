//! The colours, fonts and sizes that all screens share.
//!
//! In each look, text and background have the contrast that WCAG 2.2 asks for (4.5 to 1, and 7 to 1 for the clocks). A
//! test checks this.

use std::sync::Arc;

use egui::style::{ScrollStyle, WidgetVisuals};
use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, Stroke, TextStyle,
    Visuals, vec2,
};
use tabiya_app::store::settings::{Appearance, BoardColors};

/// The colours of one look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// Which look has these colours: dark, light or high contrast.
    pub look: Appearance,
    /// The background of the window.
    pub background: Color32,
    /// The background of a panel.
    pub panel: Color32,
    /// The background of controls.
    pub raised: Color32,
    /// The colour of lines and borders.
    pub line: Color32,
    /// The colour of text.
    pub text: Color32,
    /// The colour of less important text.
    pub muted: Color32,
    /// The accent colour, for everything that is switched on or running, and for the main button.
    pub accent: Color32,
    /// The colour of text on the accent colour.
    pub on_accent: Color32,
    /// The colour of success messages.
    pub good: Color32,
    /// The colour of errors and warnings.
    pub bad: Color32,
    /// The colour of text on the colour of errors.
    pub on_bad: Color32,
    /// The colour of the ring that marks the keyboard focus.
    pub focus: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    let [_, red, green, blue] = hex.to_be_bytes();
    Color32::from_rgb(red, green, blue)
}

impl Theme {
    /// The colours of a look.
    pub fn of(look: Appearance) -> Self {
        match look {
            Appearance::Dark => Self {
                look,
                background: rgb(0x0012_161C),
                panel: rgb(0x001B_2129),
                raised: rgb(0x002A_323D),
                line: rgb(0x0041_4B59),
                text: rgb(0x00EE_F1F5),
                muted: rgb(0x00AE_B8C5),
                accent: rgb(0x00F0_B849),
                on_accent: rgb(0x001A_1405),
                good: rgb(0x005F_D39B),
                bad: rgb(0x00FF_8A80),
                on_bad: rgb(0x0024_0503),
                focus: rgb(0x0078_C2FF),
            },
            Appearance::Light => Self {
                look,
                background: rgb(0x00EC_E8E0),
                panel: rgb(0x00FB_FAF7),
                raised: rgb(0x00E4_DED2),
                line: rgb(0x00B3_AA99),
                text: rgb(0x001A_1D22),
                muted: rgb(0x004C_535D),
                accent: rgb(0x0088_5300),
                on_accent: rgb(0x00FF_FFFF),
                good: rgb(0x0016_6340),
                bad: rgb(0x00AD_1F16),
                on_bad: rgb(0x00FF_FFFF),
                focus: rgb(0x0009_58A8),
            },
            Appearance::Contrast => Self {
                look,
                background: rgb(0x0000_0000),
                panel: rgb(0x0000_0000),
                raised: rgb(0x001F_1F1F),
                line: rgb(0x00FF_FFFF),
                text: rgb(0x00FF_FFFF),
                muted: rgb(0x00F0_F0F0),
                accent: rgb(0x00FF_E100),
                on_accent: rgb(0x0000_0000),
                good: rgb(0x0000_FF88),
                bad: rgb(0x00FF_9E9E),
                on_bad: rgb(0x0000_0000),
                focus: rgb(0x0000_E5FF),
            },
        }
    }

    /// Sets egui's colours and sizes; `text_percent` scales the text.
    pub fn apply(&self, ctx: &Context, text_percent: u16) {
        let visuals = self.visuals();
        let scale = f32::from(text_percent) / 100.0;
        ctx.all_styles_mut(|style| {
            style.visuals = visuals.clone();
            style.text_styles = [
                (TextStyle::Small, FontId::new(12.0 * scale, FontFamily::Proportional)),
                (TextStyle::Body, FontId::new(14.5 * scale, FontFamily::Proportional)),
                (TextStyle::Button, FontId::new(14.5 * scale, FontFamily::Proportional)),
                (TextStyle::Heading, FontId::new(21.0 * scale, bold())),
                (TextStyle::Monospace, FontId::new(13.0 * scale, FontFamily::Monospace)),
            ]
            .into();
            style.spacing.item_spacing = vec2(8.0, 6.0);
            style.spacing.button_padding = vec2(12.0, 6.0);
            style.spacing.interact_size.y = 30.0;
            style.spacing.slider_width = 160.0;
            // Solid scroll bars are always visible, so they show that there is more to see.
            style.spacing.scroll = ScrollStyle { bar_width: 8.0, ..ScrollStyle::solid() };
            style.spacing.window_margin = Margin::same(14);
            style.animation_time = 0.0;
        });
    }

    fn visuals(&self) -> Visuals {
        let mut visuals = if self.look == Appearance::Light { Visuals::light() } else { Visuals::dark() };
        let round = CornerRadius::same(6);
        let widget = |fill: Color32, line: Color32, text: Color32| WidgetVisuals {
            bg_fill: fill,
            weak_bg_fill: fill,
            bg_stroke: Stroke::new(1.0, line),
            corner_radius: round,
            fg_stroke: Stroke::new(1.0, text),
            expansion: 0.0,
        };
        visuals.panel_fill = self.background;
        visuals.window_fill = self.panel;
        visuals.window_stroke = Stroke::new(1.0, self.line);
        visuals.extreme_bg_color = self.background;
        visuals.faint_bg_color = self.raised;
        visuals.override_text_color = None;
        visuals.weak_text_color = Some(self.muted);
        visuals.hyperlink_color = self.focus;
        visuals.warn_fg_color = self.accent;
        visuals.error_fg_color = self.bad;
        visuals.selection.bg_fill = self.accent;
        visuals.selection.stroke = Stroke::new(1.0, self.on_accent);
        visuals.widgets.noninteractive = widget(self.panel, self.line, self.text);
        visuals.widgets.inactive = widget(self.raised, self.line, self.text);
        visuals.widgets.hovered = WidgetVisuals {
            bg_stroke: Stroke::new(1.5, self.accent),
            ..widget(self.raised, self.accent, self.text)
        };
        // egui draws a control that has the keyboard focus like a pressed control. Both get a ring.
        visuals.widgets.active = WidgetVisuals {
            bg_stroke: Stroke::new(3.0, self.focus),
            ..widget(self.raised, self.focus, self.text)
        };
        visuals.widgets.open = widget(self.raised, self.accent, self.text);
        visuals
    }

    /// The colours of light and dark squares.
    pub fn squares(&self, colors: BoardColors) -> [Color32; 2] {
        if self.look == Appearance::Contrast {
            return [rgb(0x00FF_FFFF), rgb(0x006B_6B6B)];
        }
        match colors {
            BoardColors::Brown => [rgb(0x00F0_D9B5), rgb(0x00B5_8863)],
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

/// Loads the fonts into egui: B612, made for cockpits, with digits of equal width.
pub fn load_fonts(ctx: &Context) {
    let mut fonts = FontDefinitions::default();
    let mut add = |name: &str, bytes: &'static [u8]| {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    };
    add("B612", include_bytes!("assets/B612-Regular.otf"));
    add("B612 Bold", include_bytes!("assets/B612-Bold.otf"));
    let fallback = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let with = |first: &str| std::iter::once(first.to_owned()).chain(fallback.iter().cloned()).collect();
    fonts.families.insert(FontFamily::Proportional, with("B612"));
    fonts.families.insert(bold(), with("B612 Bold"));
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
            for ground in [theme.background, theme.panel, theme.raised] {
                for (what, words) in
                    [("text", theme.text), ("muted", theme.muted), ("bad", theme.bad), ("good", theme.good)]
                {
                    let ratio = contrast(words, ground);
                    assert!(ratio >= 4.5, "{look:?}: {what} on {ground:?} has {ratio:.2}");
                }
                assert!(contrast(theme.text, ground) >= 7.0, "{look:?}: clocks on {ground:?}");
                assert!(contrast(theme.accent, ground) >= 3.0, "{look:?}: the accent on {ground:?}");
                assert!(contrast(theme.focus, ground) >= 3.0, "{look:?}: the focus ring on {ground:?}");
            }
            assert!(contrast(theme.on_accent, theme.accent) >= 4.5, "{look:?}: on the accent");
            assert!(contrast(theme.on_bad, theme.bad) >= 4.5, "{look:?}: on what is wrong");
        }
    }

    #[test]
    fn contrast_is_as_wcag_reckons_it() {
        assert!((contrast(Color32::WHITE, Color32::BLACK) - 21.0).abs() < 0.01);
        // This grey is known to have just enough contrast on white.
        assert!((contrast(rgb(0x0076_7676), Color32::WHITE) - 4.54).abs() < 0.01);
    }
}
