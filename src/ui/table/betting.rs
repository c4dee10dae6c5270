//! The controls for betting: fold, check or call, and a raise by slider, preset or typed amount. Each has a key; a fold
//! and a bet of the whole stack are armed first.

use egui::{Key, Rect, Response, Slider, TextEdit, TextStyle, Ui, UiBuilder};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Action, Bet, BetDue, Chips, RaiseAmount, RaiseRange};
use tabiya_types::Color;

use super::sizes::{GAP, TALL};
use super::state::TableState;
use crate::cx::Cx;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{cut_top, split};
use crate::widgets::{because, button, label, name, select_all_on_entry};

/// The amount of a raise while it is being chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RaiseDraft {
    /// The bet that was due, and the number of inputs in the record, when the choice of the amount began. When either
    /// of the two changes, the amount starts at the minimum again.
    due: Option<(BetDue, usize)>,
    to: u32,
    /// The amount as typed.
    typed: String,
    /// Whether Enter has ended the field, so that the raise follows.
    entered: bool,
}

impl RaiseDraft {
    /// Keeps the amount with the bet that is due. An amount that Enter has ended is raised now.
    fn follow(&mut self, cx: &mut Cx<'_>, due: BetDue, acts: usize) {
        if self.due != Some((due, acts)) {
            (self.due, self.entered) = (Some((due, acts)), false);
            self.set(due.raise.map_or(0, |range| range.least.0));
        }
        if std::mem::take(&mut self.entered) {
            cx.press(Command::Raise);
        }
    }

    fn set(&mut self, to: u32) {
        self.to = to;
        self.typed = to.to_string();
    }

    /// Takes what was typed into the field of the amount. Enter there means the raise, as its key does.
    fn take(&mut self, ui: &Ui, field: &Response) {
        select_all_on_entry(ui, field, self.typed.chars().count());
        if field.changed() {
            self.to = self.typed.trim().parse().unwrap_or(0);
        }
        if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            self.entered = true;
            ui.ctx().request_repaint();
        }
    }
}

/// Draws the controls for betting, and enters the chosen bet.
pub(super) fn betting_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    body: &mut Rect,
) {
    let Some(due) = view.bet else { return };
    state.raise.follow(cx, due, view.acts);
    // The keys of amounts come first: who types an amount and then raises means this amount, however fast he types.
    for (command, _, amount) in presets(due) {
        if cx.takes(command) {
            state.raise.set(amount);
        }
    }
    let gap = cx.sizes.px(GAP).min(body.height() * 0.04);
    let narrow = body.width() < cx.sizes.px(400.0);
    // All controls have their place even in a low window.
    let rows = if narrow { 4.0 } else { 3.0 };
    let tall = cx.sizes.px(TALL).min((body.height() - rows * gap) / (rows + 0.2));
    let actions = cut_top(body, tall, gap);
    // With too few chips for the least raise, a player can still bet the whole stack.
    let all_in = due.raise.is_none() && view.accepts(&Action::Bet { by: due.by, bet: Bet::AllIn });
    let third = due.raise.is_some() && !narrow;
    let places = if third || all_in {
        split(actions, &[1.0, 1.1, 1.5], gap)
    } else {
        split(actions, &[1.0, 1.1], gap)
    };
    let mut places = places.into_iter();
    if let Some(place) = places.next() {
        fold_ui(ui, cx, state, due, place);
    }
    if let Some(place) = places.next() {
        stay_ui(ui, cx, state, due, place);
    }
    if let Some(place) = places.next() {
        if all_in {
            all_in_ui(ui, cx, state, due, place);
        } else {
            raise_button_ui(ui, cx, view, due, state, place);
        }
    }
    if due.raise.is_some() {
        if narrow {
            let place = cut_top(body, tall.min(cx.sizes.px(46.0)), gap);
            raise_button_ui(ui, cx, view, due, state, place);
        }
        amount_ui(ui, cx, due, state, body);
    }
}

fn fold_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut TableState, due: BetDue, place: Rect) {
    let armed = state.armed.left(cx, Command::Fold);
    let again = state.armed.is_armed(cx, Command::Fold);
    let text = cx.t(if again { "fold-again" } else { "fold" });
    let face = ButtonFace::new(Kind::Grave, &text).key(cx.key(Command::Fold)).armed(armed);
    let button = button_at(ui, cx, place, "fold", &face);
    arm(cx, state, due, Command::Fold, (&button, Bet::Fold));
}

fn stay_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &TableState, due: BetDue, place: Rect) {
    let (text, stay) = if due.call == Chips::ZERO {
        (cx.t("check"), Bet::Check)
    } else {
        (cx.words.with("call", &[("count", due.call.0.into())]), Bet::Call)
    };
    // While something grave is armed, gold rests.
    let kind = if state.armed.any() { Kind::Plain } else { Kind::Gold };
    let face = ButtonFace::new(kind, &text).key(cx.key(Command::Call)).strong();
    if button_at(ui, cx, place, "stay", &face).clicked() || cx.takes(Command::Call) {
        cx.enter(Action::Bet { by: due.by, bet: stay });
    }
}

fn all_in_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut TableState, due: BetDue, place: Rect) {
    let text = cx.t("all-in");
    let armed = state.armed.left(cx, Command::AllIn);
    let face = ButtonFace::new(Kind::Grave, &text).key(cx.key(Command::AllIn)).armed(armed);
    let button = button_at(ui, cx, place, "all-in", &face);
    arm(cx, state, due, Command::AllIn, (&button, Bet::AllIn));
}

/// Asks about a bet if its button is used, or enters it if it was asked about or held.
fn arm(cx: &mut Cx<'_>, state: &mut TableState, due: BetDue, what: Command, (button, bet): (&Response, Bet)) {
    if let Some(used) = state.armed.used(cx, what, button) {
        state.armed.act(cx, what, used, Wish::DoIfSure(Action::Bet { by: due.by, bet }.into()));
    }
}

fn raise_button_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    due: BetDue,
    state: &mut TableState,
    place: Rect,
) {
    let Some(range) = due.raise else { return };
    // The first bet of a street raises nothing. A raise says what it adds to the own bet, too.
    let first = due.put.white == Chips::ZERO && due.put.black == Chips::ZERO;
    let text = cx.words.with(if first { "bet-of" } else { "raise-to" }, &[("count", state.raise.to.into())]);
    let adds = state.raise.to.saturating_sub(due.put[due.by].0);
    let adds = if first { String::new() } else { cx.words.with("raise-adds", &[("count", adds.into())]) };
    let fits = (range.least.0..=range.most.0).contains(&state.raise.to);
    let armed = state.armed.left(cx, Command::Raise);
    let face = ButtonFace::new(Kind::Plain, &text).key(cx.key(Command::Raise)).armed(armed).strong();
    let said = format!("{text} {adds}").trim_end().to_owned();
    // In a narrow button it has no room.
    let below = if place.width() >= cx.sizes.px(150.0) { adds.as_str() } else { "" };
    let face = face.under(below).said(said).off(outside(cx, range, state.raise.to));
    let button = button_at(ui, cx, place, "raise", &face);
    let whole = view.stakes.stacks[due.by].0 + due.put[due.by].0;
    // A game whose highest stake is agreed may know no all-in.
    let all_in = view.accepts(&Action::Bet { by: due.by, bet: Bet::AllIn });
    // The desk asks only if this is the whole stack. Another raise must not stay armed: the next question would be taken
    // for its own.
    if all_in && state.raise.to == whole {
        arm(cx, state, due, Command::Raise, (&button, Bet::AllIn));
    } else if button.clicked() || (cx.takes(Command::Raise) && fits) {
        cx.enter(Action::Bet { by: due.by, bet: Bet::Raise(Chips(state.raise.to)) });
    }
}

fn less_off(cx: &Cx<'_>, raise: &RaiseDraft, least: u32) -> Option<String> {
    cx.why_off(&[(raise.to > least, "off-least")])
}

fn more_off(cx: &Cx<'_>, raise: &RaiseDraft, most: u32) -> Option<String> {
    cx.why_off(&[(raise.to < most, "off-most")])
}

/// Why an amount is no raise: the least and the most.
fn outside(cx: &Cx<'_>, range: RaiseRange, to: u32) -> Option<String> {
    let (least, most) = (range.least.0, range.most.0);
    let facts = [("least", least.into()), ("most", most.into())];
    (!(least..=most).contains(&to)).then(|| cx.words.with("off-amount", &facts))
}

/// Draws a raise of the stake where nobody has to bet, in one row: the amount by steps or typed, the most, and the raise.
pub(super) fn stake_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    (by, range): (Color, RaiseRange),
    state: &mut TableState,
) {
    let put = view.stakes.contributed;
    let due = BetDue { by, call: Chips::ZERO, put, raise: Some(range), pot_raise: None };
    state.raise.follow(cx, due, view.acts);
    let (least, most) = (range.least.0, range.most.0);
    let slider_name = cx.t("raise-slider");
    let said = |id: &str| cx.words.with(id, &[("what", slider_name.clone().into())]);
    let steps = [
        ("−", said("one-less"), less_off(cx, &state.raise, least)),
        ("+", said("one-more"), more_off(cx, &state.raise, most)),
    ];
    for (sign, text, off) in steps {
        let response = button(ui, sign, off.is_none());
        name(&response, egui::Role::Button, off.is_none(), &text);
        let response = because(response, off.as_ref());
        if response.clicked() {
            let to = if sign == "+" { state.raise.to + 1 } else { state.raise.to.saturating_sub(1) };
            state.raise.set(to.clamp(least, most));
        }
    }
    let edit = TextEdit::singleline(&mut state.raise.typed).desired_width(cx.sizes.px(40.0));
    let response = ui.add(edit);
    name(&response, egui::Role::TextInput, true, &cx.t("amount"));
    state.raise.take(ui, &response);
    let highest = format!("{most} {}", cx.t("amount-highest"));
    let off = cx.why_off(&[(state.raise.to != most, "off-most")]);
    if because(button(ui, &highest, off.is_none()), off.as_ref()).clicked() || cx.takes(Command::AllIn) {
        state.raise.set(most);
    }
    let off = outside(cx, range, state.raise.to);
    let fits = off.is_none();
    let text = cx.words.with("raise-by-one", &[("to", state.raise.to.into())]);
    if because(button(ui, &text, fits), off.as_ref()).clicked() || (cx.takes(Command::Raise) && fits) {
        cx.enter(Action::Bet { by, bet: Bet::Raise(Chips(state.raise.to)) });
    }
}

/// Draws the amount of the raise: steps, a slider, a field, and the presets.
fn amount_ui(ui: &mut Ui, cx: &mut Cx<'_>, due: BetDue, state: &mut TableState, body: &mut Rect) {
    let Some(range) = due.raise else { return };
    let (least, most) = (range.least.0, range.most.0);
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let gap = px(GAP).min(body.height() * 0.08);
    let half = ((body.height() - gap) / 2.0).min(px(40.0)).max(0.0);
    let mut row = cut_top(body, half, gap);
    let field = Rect::from_min_max(egui::pos2(row.right() - px(80.0), row.top()), row.max);
    row.max.x = field.left() - gap;
    let minus = Rect::from_min_size(row.min, egui::vec2(px(38.0), half));
    let plus = Rect::from_min_max(egui::pos2(row.right() - px(38.0), row.top()), row.max);
    let (less, more) = (less_off(cx, &state.raise, least), more_off(cx, &state.raise, most));
    let slider_name = cx.t("raise-slider");
    let said = |id: &str| cx.words.with(id, &[("what", slider_name.clone().into())]);
    let face = ButtonFace::new(Kind::Plain, "").icon(Icon::Minus).said(said("one-less")).off(less);
    if button_at(ui, cx, minus, "less", &face).clicked() {
        state.raise.set(state.raise.to.saturating_sub(1).clamp(least, most));
    }
    let face = ButtonFace::new(Kind::Plain, "").icon(Icon::Plus).said(said("one-more")).off(more);
    if button_at(ui, cx, plus, "more", &face).clicked() {
        state.raise.set((state.raise.to + 1).clamp(least, most));
    }
    let middle = Rect::from_min_max(
        egui::pos2(minus.right() + gap, row.top()),
        egui::pos2(plus.left() - gap, row.bottom()),
    );
    slider_ui(ui, cx, (least, most), &mut state.raise, (middle, half));
    ui.scope_builder(UiBuilder::new().max_rect(field), |ui| {
        let named = ui.interact(field, ui.scope_id().with("amount"), egui::Sense::hover());
        crate::widgets::name(&named, egui::Role::Label, true, &cx.t("amount"));
        keep_low(ui, half);
        let edit = TextEdit::singleline(&mut state.raise.typed)
            .margin(egui::vec2(px(4.0), half * 0.1))
            .align(egui::Align2::CENTER_CENTER);
        let response = ui.add_sized(field.size(), edit).labelled_by(named.id);
        state.raise.take(ui, &response);
    });
    let row = cut_top(body, half, gap);
    presets_ui(ui, cx, presets(due), &mut state.raise, (row, gap));
    label(
        ui,
        row.translate(egui::vec2(0.0, 4.0)),
        "range",
        &cx.words.with("raise-range", &[("least", least.into()), ("most", most.into())]),
    );
}

/// Draws the slider for amounts from `least` to `most`.
fn slider_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (least, most): (u32, u32),
    raise: &mut RaiseDraft,
    (place, height): (Rect, f32),
) {
    let slider_name = cx.t("raise-slider");
    ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        keep_low(ui, height);
        ui.spacing_mut().slider_width = place.width();
        let visuals = ui.visuals_mut();
        visuals.slider_trailing_fill = true;
        visuals.widgets.inactive.bg_fill = cx.theme.edge;
        visuals.widgets.hovered.bg_fill = cx.theme.edge;
        visuals.selection.bg_fill = cx.theme.ivory;
        let mut to = raise.to.clamp(least, most);
        let slider =
            Slider::new(&mut to, least..=most).show_value(false).logarithmic(most > 50 * least.max(1));
        let response = ui.add_sized(place.size(), slider);
        response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(to), &slider_name));
        if response.changed() {
            raise.set(to);
        }
        response
            .on_hover_text(cx.words.with("raise-range", &[("least", least.into()), ("most", most.into())]));
    });
}

/// Draws a button for each usual amount.
fn presets_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    presets: Vec<(Command, &'static str, u32)>,
    raise: &mut RaiseDraft,
    (row, gap): (Rect, f32),
) {
    let shares: Vec<f32> = presets.iter().map(|_| 1.0).collect();
    for (place, (command, word, amount)) in split(row, &shares, gap).into_iter().zip(presets) {
        let (number, word) = (amount.to_string(), cx.t(word));
        let chosen = raise.to == amount;
        let mut face = ButtonFace::new(Kind::Choice(chosen), &number).under(&word);
        face.said = Some(format!("{number} {word}"));
        face.key = cx.key(command);
        if button_at(ui, cx, place, ("amount", command.word()), &face).clicked() {
            raise.set(amount);
        }
    }
}

/// In a row that is lower than its letters want, controls are no higher than the row.
fn keep_low(ui: &mut Ui, height: f32) {
    let spacing = ui.spacing_mut();
    spacing.interact_size.y = spacing.interact_size.y.min(height);
    let body = ui.style_mut().text_styles.entry(TextStyle::Body);
    body.and_modify(|letters| letters.size = letters.size.min(height * 0.55));
}

/// The amounts that have a key: the least raise, half of the pot, the pot, and the whole stack. A key only sets the
/// amount; it bets nothing.
fn presets(due: BetDue) -> Vec<(Command, &'static str, u32)> {
    let named = |(amount, to): (RaiseAmount, Chips)| match amount {
        RaiseAmount::Least => (Command::Least, "amount-least", to.0),
        RaiseAmount::HalfPot => (Command::HalfPot, "amount-half-pot", to.0),
        RaiseAmount::Pot => (Command::Pot, "amount-pot", to.0),
        RaiseAmount::Most => (Command::AllIn, "amount-most", to.0),
        RaiseAmount::Highest => (Command::AllIn, "amount-highest", to.0),
    };
    due.raise_amounts().into_iter().map(named).collect()
}
