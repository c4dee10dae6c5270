//! What covers the desk: a question before an order, a correction of a clock, a result with its reason, another ruling, a table that
//! joins, the keys.

use egui::{FontId, Frame, Id, Margin, Modal, RichText, Stroke, Ui, vec2};
use tabiya_app::hall::{HallQuestion, HallView, HallWish, HallYes, OtherRuling, ReasonedOrder, take_back};
use tabiya_types::Color;

use self::round::{BoardResultForm, PlanForm, StartForm};
use super::state::DeskState;
use crate::cx::Cx;
use crate::theme::{PANEL_RADIUS, bold_font};
use crate::widgets::{button, choice, heading, hint, main_button};

mod joining;
mod other;
mod phone;
mod round;

/// The length of a correction of a clock, in seconds.
const MINUTE: u32 = 60;

/// How a game ends by a ruling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RuledEnd {
    Won(Color),
    Drawn,
}

impl RuledEnd {
    /// Its words in a ruling.
    fn words(self) -> String {
        match self {
            Self::Won(color) => format!("winner {}", color.word()),
            Self::Drawn => "draw".to_owned(),
        }
    }
}

/// What covers the desk.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Sheet {
    /// A correction of a clock: whether time is added, whose, and why.
    Time { table: u16, more: bool, side: Option<Color>, reason: String },
    /// A result, once it is chosen, and why.
    Result { table: u16, ends: Option<RuledEnd>, reason: String },
    /// The last action is taken back, and why.
    TakeBack { table: u16, reason: String },
    /// Another ruling, once it is chosen, what else it needs, and why.
    Other { table: u16, ruling: Option<OtherRuling>, value: String, reason: String },
    /// A code for a telephone: for whom, and at which tables.
    Phone { name: String, tables: String },
    /// A table that joins: its digits and its number.
    Joining { digits: String, table: String },
    /// The plan of the rounds.
    Plan(PlanForm),
    /// Players, one in each line.
    Players(String),
    /// The next round is paired.
    Pair,
    /// The round begins.
    Start(StartForm),
    /// The result of a board.
    BoardResult(BoardResultForm),
    /// The keys.
    Keys,
}

impl Sheet {
    pub(super) fn time(table: u16, more: bool) -> Self {
        Self::Time { table, more, side: None, reason: String::new() }
    }

    pub(super) fn result(table: u16, ends: Option<RuledEnd>) -> Self {
        Self::Result { table, ends, reason: String::new() }
    }

    pub(super) fn take_back(table: u16) -> Self {
        Self::TakeBack { table, reason: String::new() }
    }

    pub(super) fn other(table: u16) -> Self {
        Self::Other { table, ruling: None, value: String::new(), reason: String::new() }
    }

    pub(super) fn phone() -> Self {
        Self::Phone { name: String::new(), tables: String::new() }
    }

    pub(super) fn joining() -> Self {
        Self::Joining { digits: String::new(), table: String::new() }
    }

    /// Chooses a side by its key; `None` is a draw.
    pub(super) fn side(&mut self, chosen: Option<Color>) {
        match self {
            Self::Time { side, .. } => *side = chosen.or(*side),
            Self::Result { ends, .. } => *ends = Some(chosen.map_or(RuledEnd::Drawn, RuledEnd::Won)),
            Self::BoardResult(form) => form.choose(chosen),
            Self::TakeBack { .. }
            | Self::Other { .. }
            | Self::Phone { .. }
            | Self::Joining { .. }
            | Self::Plan(_)
            | Self::Players(_)
            | Self::Pair
            | Self::Start(_)
            | Self::Keys => {}
        }
    }

    /// Chooses the ruling at this place of the list, from 0.
    pub(super) fn ruling(&mut self, nth: usize) {
        if let (Self::Other { ruling, .. }, Some(chosen)) = (self, OtherRuling::ALL.get(nth)) {
            *ruling = Some(*chosen);
        }
    }
}

/// Draws what covers the desk, if something does. A question comes before everything else.
pub(super) fn sheet_ui(ui: &Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState) {
    if let Some(question) = &view.question {
        modal(ui, cx, 460.0, |ui| question_ui(ui, cx, question, state));
        return;
    }
    let Some(mut sheet) = state.sheet.take() else { return };
    let width = if matches!(sheet, Sheet::Joining { .. }) { 720.0 } else { 480.0 };
    let mut stays = true;
    modal(ui, cx, width, |ui| {
        stays = match &mut sheet {
            Sheet::Time { .. } => time_ui(ui, cx, view, state, &mut sheet),
            Sheet::Result { .. } => result_ui(ui, cx, view, state, &mut sheet),
            Sheet::TakeBack { .. } => take_back_ui(ui, cx, state, &mut sheet),
            Sheet::Other { .. } => other::other_ui(ui, cx, state, &mut sheet),
            Sheet::Phone { name, tables } => phone::phone_ui(ui, cx, view, state, (name, tables)),
            Sheet::Joining { digits, table } => joining::joining_ui(ui, cx, view, state, (digits, table)),
            Sheet::Plan(form) => round::plan_ui(ui, cx, state, form),
            Sheet::Players(text) => round::players_ui(ui, cx, state, text),
            Sheet::Pair => round::pair_ui(ui, cx, view, state),
            Sheet::Start(form) => round::start_ui(ui, cx, view, state, form),
            Sheet::BoardResult(form) => round::board_result_ui(ui, cx, view, state, form),
            Sheet::Keys => keys_ui(ui, cx),
        };
    });
    state.sheet = if stays { Some(sheet) } else { state.sheet_next.take() };
}

fn modal(ui: &Ui, cx: &Cx<'_>, width: f32, draw: impl FnOnce(&mut Ui)) {
    let theme = cx.theme;
    let frame = Frame::new()
        .fill(theme.panel)
        .stroke(Stroke::new(1.0, theme.edge))
        .corner_radius(PANEL_RADIUS)
        .inner_margin(Margin::same(20));
    let width = cx.sizes.px(width).min(cx.ctx.content_rect().width() - 60.0);
    Modal::new(Id::unique("hall-sheet")).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.y = cx.sizes.px(8.0);
        draw(ui);
    });
}

fn question_ui(ui: &mut Ui, cx: &Cx<'_>, question: &HallQuestion, state: &mut DeskState) {
    let place =
        question.table.map(|table| cx.words.with("hall-table", &[("table", u32::from(table).into())]));
    heading(ui, &place.unwrap_or_else(|| cx.t("hall-all-tables")));
    ui.label(crate::widgets::capital(&cx.words.sentence(&question.text)));
    ui.horizontal(|ui| {
        // Neither has the focus: a yes must be read.
        let yes = match question.yes {
            HallYes::Order => cx.t("hall-order-it"),
            HallYes::StopAll => cx.t("hall-stop-them"),
            HallYes::Replace => cx.t("hall-replace-it"),
        };
        if button(ui, &format!("{yes}  [Y]"), true).clicked() {
            state.wishes.push(HallWish::Answer(question.number, true));
        }
        if button(ui, &format!("{}  [N]", cx.t("hall-not")), true).clicked() {
            state.wishes.push(HallWish::Answer(question.number, false));
        }
    });
}

/// The name of the player of this colour, with the colour.
fn player(cx: &Cx<'_>, view: &HallView, table: u16, color: Color) -> String {
    let word = cx.words.color(color);
    view.player(table, color).map_or(word.clone(), |name| format!("{name} ({word})"))
}

/// Draws a field for a reason with the usual ones below it, and the button that orders. The field has the focus once everything else
/// is chosen; `missing` is the id of what is not. Returns whether it is ordered.
fn reason_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    of: ReasonedOrder,
    reason: &mut String,
    missing: Option<&str>,
) -> bool {
    let ready = missing.is_none();
    let field = crate::widgets::field_below(ui, &cx.t("hall-reason"), reason, ui.available_width() - 20.0);
    if ready && reason.is_empty() && !ui.ctx().text_edit_focused() {
        field.request_focus();
    }
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    usual_ui(ui, cx, of, reason);
    let whole = ready && !reason.trim().is_empty();
    if !whole {
        hint(ui, &cx.t(missing.unwrap_or("hall-reason-missing")));
    }
    main_button(ui, cx.theme, &cx.t("hall-order"), whole).clicked() || (entered && whole)
}

/// What is missing as long as no side is chosen.
fn without_side(chosen: bool) -> Option<&'static str> {
    (!chosen).then_some("hall-side-missing")
}

/// Draws the usual reasons: a click writes one into the field.
fn usual_ui(ui: &mut Ui, cx: &Cx<'_>, of: ReasonedOrder, reason: &mut String) {
    ui.horizontal_wrapped(|ui| {
        for text in of.usual().iter().map(|id| cx.t(id)) {
            if button(ui, &text, true).clicked() {
                *reason = text;
            }
        }
    });
}

fn time_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, sheet: &mut Sheet) -> bool {
    let Sheet::Time { table, more, side, reason } = sheet else { return false };
    let id = if *more { "hall-minute-more" } else { "hall-minute-less" };
    heading(ui, &cx.words.with(id, &[("table", u32::from(*table).into())]));
    let options = Color::ALL.map(|color| {
        let key = if color == Color::White { "W" } else { "B" };
        (Some(color), format!("{}  [{key}]", player(cx, view, *table, color)))
    });
    choice(ui, side, &options);
    if reason_ui(ui, cx, ReasonedOrder::Time, reason, without_side(side.is_some()))
        && let Some(side) = side
    {
        let sign = if *more { '+' } else { '-' };
        state.order(*table, format!("rule clock {} {sign}{MINUTE} {}", side.word(), reason.trim()));
        return false;
    }
    true
}

fn result_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, sheet: &mut Sheet) -> bool {
    let Sheet::Result { table, ends, reason } = sheet else { return false };
    heading(ui, &cx.words.with("hall-result-of", &[("table", u32::from(*table).into())]));
    let wins = |color: Color, key: &str| {
        let name = player(cx, view, *table, color);
        (Some(RuledEnd::Won(color)), format!("{}  [{key}]", cx.words.with("wins", &[("name", name.into())])))
    };
    let draw = (Some(RuledEnd::Drawn), format!("{}  [D]", crate::widgets::capital(&cx.t("drawn"))));
    choice(ui, ends, &[wins(Color::White, "W"), wins(Color::Black, "B"), draw]);
    if reason_ui(ui, cx, ReasonedOrder::Result, reason, without_side(ends.is_some()))
        && let Some(ends) = ends
    {
        state.order(*table, format!("rule {} {}", ends.words(), reason.trim()));
        return false;
    }
    true
}

fn take_back_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut DeskState, sheet: &mut Sheet) -> bool {
    let Sheet::TakeBack { table, reason } = sheet else { return false };
    heading(ui, &cx.words.with("hall-take-back-at", &[("table", u32::from(*table).into())]));
    if reason_ui(ui, cx, ReasonedOrder::TakeBack, reason, None)
        && let Some(words) = take_back(reason)
    {
        state.order(*table, words);
        return false;
    }
    true
}

/// The keys, each with the id of what it does.
const KEYS: [(&str, &str); 20] = [
    ("F2 F3 F4", "hall-key-pages"),
    ("Enter N M", "hall-key-round"),
    ("A", "hall-key-next"),
    ("Enter", "hall-key-enter"),
    ("2 3 4", "hall-key-others"),
    ("T", "hall-key-take"),
    ("N", "hall-key-number"),
    ("/", "hall-key-search"),
    ("Ctrl+P", "hall-key-stop"),
    ("+ −", "hall-key-minute"),
    ("W B D", "hall-key-result"),
    ("U", "hall-key-undo"),
    ("R", "hall-key-other"),
    ("O", "hall-key-open"),
    ("Y", "hall-key-mine"),
    ("J", "hall-key-join"),
    ("F", "hall-key-phone"),
    ("F11", "command-full-screen"),
    ("Esc", "hall-key-escape"),
    ("?", "hall-key-keys"),
];

fn keys_ui(ui: &mut Ui, cx: &Cx<'_>) -> bool {
    heading(ui, &cx.t("hall-key-keys"));
    egui::Grid::new("hall-keys").num_columns(2).spacing(vec2(cx.sizes.px(24.0), 6.0)).show(ui, |ui| {
        for (key, id) in KEYS {
            let key = key.replace("Enter", &cx.t("key-enter")).replace("Ctrl", &cx.t("key-ctrl"));
            ui.label(RichText::new(key).font(bold_font(cx.sizes.rem)));
            ui.label(RichText::new(cx.t(id)).font(FontId::proportional(cx.sizes.rem)));
            ui.end_row();
        }
    });
    !button(ui, &cx.t("hall-back"), true).clicked()
}
