//! The gallery: every part of the kit in every state, for people who change a part. `tabiya --gallery` opens it in debug
//! builds; `tests/snapshots/gallery-*.png` are its pictures.

use std::sync::Arc;

use egui::{Align2, CentralPanel, FontId, Frame, Rect, Ui, Vec2, pos2, vec2};
use tabiya_app::lesson::Lesson;
use tabiya_app::snapshot::{Snapshot, TableView};
use tabiya_store::settings::Appearance;
use tabiya_text::{Language, Words};
use tabiya_types::{Board, Card, Color, Instant, Square};

use super::art::{self, Art};
use super::board::{BoardLook, BoardState, Dim, board_ui};
use super::cx::Cx;
use super::fixes::{fixes, follow};
use super::keys::KeyBindings;
use super::kit::button::{Burns, ButtonFace, Kind, Touched, draw};
use super::kit::card::{self, CardSide};
use super::kit::icon::Icon;
use super::kit::panel::{self, Mood};
use super::kit::plate::{self, Plate, State};
use super::kit::spark::spark_line;
use super::kit::{score, write};
use super::motion::Motion;
use super::start::tiles::tile;
use super::theme::{Sizes, Theme, bold_font, load_fonts, rem};
use super::widgets::field;

/// After so many steps of the lesson its score sheet has moves.
const MOVES: usize = 22;

/// What the gallery needs between frames.
#[derive(Debug)]
pub struct Gallery {
    snapshot: Snapshot,
    words: Words,
    keys: KeyBindings,
    art: Art,
    motion: Motion,
    applied: Option<Sizes>,
    /// What stands in the field.
    typed: String,
    /// A table with moves.
    learned: Option<Arc<TableView>>,
}

impl Gallery {
    /// The gallery in this look.
    pub fn new(look: Appearance) -> Self {
        let words = Words::of(Language::English);
        let keys = KeyBindings::new(&std::collections::BTreeMap::new(), &words);
        let mut snapshot = Snapshot::default();
        std::sync::Arc::make_mut(&mut snapshot.settings).look = look;
        let lesson = Lesson::after(MOVES);
        let learned = Snapshot::of_session(lesson.session(), lesson.session().last_t()).table;
        let (art, motion, typed) = (Art::default(), Motion::default(), "Wolfgang".to_owned());
        Self { snapshot, words, keys, art, motion, applied: None, typed, learned }
    }

    /// Draws the gallery into the whole window.
    pub fn ui(&mut self, ui: &mut Ui) {
        let theme = Theme::of(self.snapshot.settings.look);
        self.apply(ui, &theme);
        self.motion.begin(true);
        let parts = (&self.words, &self.art, &self.keys, &self.motion);
        let cx = Cx::new(ui.ctx(), parts, &theme, &self.snapshot, Instant::ZERO);
        let ground = Frame::new().fill(theme.ground).inner_margin(egui::Margin::same(16));
        CentralPanel::default().frame(ground).show(ui, |ui| {
            let area = ui.available_rect_before_wrap();
            ui.advance_cursor_after_rect(area);
            let left = area.with_max_x(area.left() + area.width() * 0.30);
            let below = colors(ui, &cx, left);
            fields(ui, &cx, left.with_min_y(below), &mut self.typed);
            let middle = Rect::from_x_y_ranges(
                area.left() + area.width() * 0.33..=area.left() + area.width() * 0.64,
                area.y_range(),
            );
            words(ui, &cx, middle);
            buttons(ui, &cx, area.with_min_x(area.left() + area.width() * 0.67));
            moves(ui, &cx, middle, self.learned.as_deref());
            boards(ui, &cx, area.with_min_y(area.top() + area.height() * 0.66));
        });
    }

    fn apply(&mut self, ui: &mut Ui, theme: &Theme) {
        let sizes = Sizes { rem: rem(ui.ctx().content_rect().size(), 100) };
        if self.applied != Some(sizes) {
            if self.applied.is_none() {
                load_fonts(ui.ctx());
            }
            theme.apply(ui, sizes, true);
            self.applied = Some(sizes);
        }
    }
}

/// Writes a caption, and returns where what it names begins.
fn caption(ui: &Ui, cx: &Cx<'_>, at: egui::Pos2, text: &str) -> f32 {
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    write(ui.painter(), at, Align2::LEFT_TOP, text, font, 600.0).bottom() + 6.0
}

/// Draws the colours. Returns where they end.
fn colors(ui: &Ui, cx: &Cx<'_>, area: Rect) -> f32 {
    let theme = cx.theme;
    let mut y = caption(ui, cx, area.min, "Gold is now, ivory the choice, coral trouble");
    let height = cx.sizes.px(21.0);
    for (name, fill, ink) in [
        ("Gold: whose turn, what next", theme.gold, theme.on_gold),
        ("Coral: last seconds, armed", theme.bad_fill, theme.on_bad),
        ("Felt: the pot", theme.felt, theme.on_felt),
        ("Ground", theme.ground, theme.text),
        ("Panel", theme.panel, theme.text),
        ("Raised", theme.raised, theme.text),
        ("Chosen, under the pointer", theme.hover, theme.text),
        ("Well", theme.well, theme.text),
        ("Reason", theme.bad_wash, theme.bad),
        ("Muted", theme.panel, theme.muted),
        ("Gold as ink", theme.panel, theme.gold_ink),
        ("Well done", theme.panel, theme.good),
        ("Keyboard", theme.panel, theme.focus),
    ] {
        let row = Rect::from_min_size(pos2(area.left(), y), vec2(area.width(), height));
        ui.painter().rect(row, 8.0, fill, egui::Stroke::new(1.0, theme.line), egui::StrokeKind::Inside);
        let at = row.left_center() + vec2(12.0, 0.0);
        write(
            ui.painter(),
            at,
            Align2::LEFT_CENTER,
            name,
            (bold_font(cx.sizes.small()), ink),
            row.width() * 0.7,
        );
        let contrast = format!("{:.1}:1", super::theme::contrast(ink, fill));
        let at = row.right_center() - vec2(12.0, 0.0);
        write(
            ui.painter(),
            at,
            Align2::RIGHT_CENTER,
            &contrast,
            (FontId::proportional(cx.sizes.small()), ink),
            90.0,
        );
        y += height + 4.0;
    }
    y
}

/// Draws a field, a card of alerts, a line over the games, and a tile.
fn fields(ui: &mut Ui, cx: &Cx<'_>, area: Rect, typed: &mut String) {
    let sizes = cx.sizes;
    let top = caption(ui, cx, area.min + vec2(0.0, 4.0), "Field, card of alerts, chips over the games, tile");
    let row = Rect::from_min_size(pos2(area.left(), top), vec2(area.width(), sizes.px(112.0)));
    let [left, right] = super::kit::split(row, &[1.0, 1.0], 8.0)[..] else { return };
    ui.scope_builder(egui::UiBuilder::new().max_rect(left), |ui| {
        field(ui, "Name", typed, left.width() * 0.55);
        panel::card(cx.theme.bad_wash, cx.theme.bad).show(ui, |ui| {
            ui.set_width(left.width() - 24.0);
            ui.label(egui::RichText::new("Bo's flag has fallen").color(cx.theme.bad));
        });
    });
    let plot = right.with_max_y(right.top() + sizes.px(36.0)).shrink(4.0);
    spark_line(ui.painter(), cx, plot, &[0.5, 0.46, 0.55, 0.6, 0.52], false);
    spark_line(ui.painter(), cx, plot, &[0.5, 0.54, 0.45, 0.4, 0.48], true);
    tile(ui, cx, right.with_min_y(plot.bottom() + 8.0), "choker", (true, true));
}

/// Draws the score sheet.
fn moves(ui: &mut Ui, cx: &Cx<'_>, area: Rect, table: Option<&TableView>) {
    let Some(view) = table else { return };
    let place = Rect::from_min_size(
        pos2(area.left() + area.width() * 0.66, area.top() + cx.sizes.px(20.0)),
        vec2(area.width() * 0.4, cx.sizes.px(92.0)),
    );
    score::sheet_ui(ui, cx, place, (view, &[]), true);
}

fn words(ui: &Ui, cx: &Cx<'_>, area: Rect) {
    let (theme, sizes) = (cx.theme, cx.sizes);
    let mut y = caption(ui, cx, area.min, "Sizes follow the window and the setting for words");
    for (name, font) in [
        ("208", bold_font(sizes.figure())),
        ("Title: press the clock", bold_font(sizes.title())),
        ("Name: Wolfgang", bold_font(sizes.name())),
        ("Lead, on large buttons", bold_font(sizes.lead())),
        ("Body. Bo has bet 8.", FontId::proportional(sizes.rem)),
        ("Small, never under 12 points", FontId::proportional(sizes.small())),
    ] {
        let at = pos2(area.left(), y);
        y = write(ui.painter(), at, Align2::LEFT_TOP, name, (font, theme.text), area.width()).bottom() + 2.0;
    }
    y = caption(ui, cx, pos2(area.left(), y + 6.0), "Icons");
    let side = sizes.px(22.0);
    for (nth, icon) in Icon::ALL.into_iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "two rows of icons")]
        let (column, row) = ((nth % 16) as f32, (nth / 16) as f32);
        let at = pos2(area.left(), y) + vec2(column * 1.12, row * 1.35) * side;
        icon.draw(ui.painter(), Rect::from_min_size(at, Vec2::splat(side)), theme.text);
    }
    y = caption(ui, cx, pos2(area.left(), y + side * 2.9), "Cards, chips, pills");
    let at = |nth: f32| {
        Rect::from_min_size(pos2(area.left() + nth * sizes.px(50.0), y), vec2(sizes.px(43.0), sizes.px(60.0)))
    };
    let cards = [
        (0.0, CardSide::Piece(Card::Queen, Color::White)),
        (1.0, CardSide::Piece(Card::Knight, Color::Black)),
        (2.0, CardSide::Back),
        (3.0, CardSide::Empty),
    ];
    for (nth, side) in cards {
        card::draw(ui.painter(), cx, at(nth), &side);
    }
    art::chips(ui.painter(), pos2(at(4.0).left(), y), sizes.px(26.0), 667, area.width() * 0.4);
    let right = pos2(at(4.0).left() + sizes.px(96.0), y + sizes.px(46.0));
    panel::pill(ui.painter(), cx, right, Icon::Board, "DGT 84 %", Mood::Well);
    panel::pill(ui.painter(), cx, right + vec2(sizes.px(104.0), 0.0), Icon::Board, "differs", Mood::Wrong);
    y += sizes.px(70.0);
    let reason = Rect::from_min_size(pos2(area.left(), y), vec2(area.width(), sizes.px(40.0)));
    let told = panel::lay_out_reason(ui.painter(), cx, reason.width(), "A rook stands on ranks 1 to 2");
    panel::reason(ui.painter(), cx, reason, told);
}

fn buttons(ui: &Ui, cx: &Cx<'_>, area: Rect) {
    let sizes = cx.sizes;
    let mut y = caption(ui, cx, area.min, "Buttons: rest, pointer, keyboard, pressed, off");
    let (pointer, pressed) =
        (Touched { pointer: true, pressed: false }, Touched { pointer: true, pressed: true });
    let row_height = sizes.px(44.0);
    for (kind, text) in [
        (Kind::Gold, "Call 8"),
        (Kind::Plain, "Copy"),
        (Kind::Grave, "Fold"),
        (Kind::GraveAsks, "Resign …"),
        (Kind::Choice(true), "5+3"),
        (Kind::Choice(false), "10+5"),
    ] {
        let row = Rect::from_min_size(pos2(area.left(), y), vec2(area.width(), row_height));
        let places = super::kit::split(row, &[1.0; 5], 8.0);
        for (place, touched) in places.iter().zip([Touched::default(), pointer, Touched::default(), pressed])
        {
            draw(ui.painter(), cx, *place, &ButtonFace::new(kind, text), touched);
        }
        places.get(2).into_iter().for_each(|place| panel::ring(ui.painter(), cx.theme, *place));
        if let Some(place) = places.last() {
            draw(ui.painter(), cx, *place, &ButtonFace::new(kind, text).enabled(false), Touched::default());
        }
        y += row_height + 6.0;
    }
    let row = Rect::from_min_size(pos2(area.left(), y), vec2(area.width(), row_height));
    if let [armed, key, icon] = super::kit::split(row, &[1.0, 1.0, 0.6], 8.0)[..] {
        draw(
            ui.painter(),
            cx,
            armed,
            &ButtonFace::new(Kind::Grave, "Fold: again").armed(Some(Burns::Line(0.6))),
            Touched::default(),
        );
        draw(
            ui.painter(),
            cx,
            key,
            &ButtonFace::new(Kind::Plain, "Raise to 36").key("R".to_owned()),
            Touched::default(),
        );
        draw(ui.painter(), cx, icon, &ButtonFace::new(Kind::Plain, "").icon(Icon::Undo), Touched::default());
    }
    plates(ui, cx, area, y + row_height + 8.0);
}

fn plates(ui: &Ui, cx: &Cx<'_>, area: Rect, top: f32) {
    let y = caption(ui, cx, pos2(area.left(), top), "Plates: the large figure is what counts now");
    let row = Rect::from_min_size(pos2(area.left(), y), vec2(area.width(), cx.sizes.px(64.0)));
    let plates = [
        ("4:12", State::Stands),
        ("4:07", State::Runs),
        ("4:07", State::Stopped),
        ("8.4", State::Last),
        ("0:00", State::Fallen),
    ];
    for (place, (text, state)) in super::kit::split(row, &[1.0; 5], 6.0).into_iter().zip(plates) {
        let shown = Plate { text: text.to_owned(), state, share: Some(0.6), ..Plate::default() };
        plate::draw(ui.painter(), cx, place, &shown);
    }
}

fn boards(ui: &mut Ui, cx: &Cx<'_>, area: Rect) {
    let parse = |text: &str| text.parse::<Board>().unwrap_or_default();
    let squares =
        |names: &[&str]| names.iter().filter_map(|name| name.parse::<Square>().ok()).collect::<Vec<_>>();
    let start = parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    let slipped = parse("rnbqkbnr/ppp1pppp/8/8/8/7N/PPPPPPPP/RNBQKB1R");
    let (moved, lit, wrong) =
        (squares(&["e2", "e4"]), squares(&["a2", "b2", "c2", "a3", "b3", "c3"]), squares(&["a5"]));
    let mut to_do = Vec::new();
    follow(&mut to_do, &fixes(&slipped, &start));
    let plain = BoardLook::plain(&start, Color::White);
    let looks = [
        ("last move, check", BoardLook { last: &moved, check: "e8".parse().ok(), ..plain.clone() }),
        ("played, not pressed", BoardLook { last: &moved, open: true, ..plain.clone() }),
        ("may go here", BoardLook { lights: &lit, dim: Dim::Unlit, wrong: &wrong, ..plain.clone() }),
        ("from here to there, put here", BoardLook { board: &slipped, fixes: &to_do, ..plain.clone() }),
        ("nothing counts here now", BoardLook { dim: Dim::All, ..plain.clone() }),
    ];
    for (place, (name, look)) in super::kit::split(area, &[1.0; 5], 12.0).into_iter().zip(looks) {
        let top = caption(ui, cx, place.min, name);
        let side = place.width().min(place.bottom() - top);
        let inner = Rect::from_min_size(pos2(place.left(), top), Vec2::splat(side));
        ui.scope_builder(egui::UiBuilder::new().max_rect(inner), |ui| {
            board_ui(ui, cx, side, &look, &mut BoardState::default());
        });
    }
}
