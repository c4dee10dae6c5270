//! The arbiter's drawer: alerts for the arbiter alone, and all rulings; each ruling needs a reason.

use egui::{CollapsingHeader, ComboBox, DragValue, RichText, ScrollArea, TextEdit, Ui};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_app::words::clock_reading;
use tabiya_engine::rules::{Action, PlayAction};
use tabiya_engine::table::{Audience, Author, Common, Input, LegalInput, Ruling, UndoWhat};
use tabiya_types::{ByColor, BySeat, Card, Color, Millis, Seat};

use super::cx::Cx;
use super::keys::Command;
use super::table::middle::answers_ui;
use super::table::pause_now;
use super::widgets::{button, choice, field_below, grave_button, heading, hint, panel};

/// How many of the newest alerts are shown.
const ALERTS: usize = 30;

/// What the drawer remembers between frames.
#[derive(Clone, Debug)]
pub(super) struct ArbiterState {
    reason: String,
    time: ByColor<String>,
    /// For each side, two numbers that a ruling is to set: the moves made, and the byo-yomi periods left. `None` for a
    /// number that does not change.
    counters: ByColor<[Option<u32>; 2]>,
    /// The changed chips, and the number of inputs in the record when the user began to change them.
    chips: Option<(ChipsDraft, usize)>,
    undos: u32,
    false_at: String,
    right_piece: Card,
    right_on: String,
    fen: String,
    /// How many inputs the record had when the user last sent a ruling. Once the record has more inputs, the text
    /// fields are emptied.
    given: Option<usize>,
}

impl Default for ArbiterState {
    fn default() -> Self {
        Self {
            reason: String::new(),
            time: ByColor::default(),
            counters: ByColor::default(),
            chips: None,
            undos: 1,
            false_at: String::new(),
            right_piece: Card::Queen,
            right_on: String::new(),
            fen: String::new(),
            given: None,
        }
    }
}

/// The chips as a ruling would set them: each seat's stack, and each seat's chips in the pot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ChipsDraft {
    stacks: BySeat<u32>,
    put_in: BySeat<u32>,
    /// Whether the sum of all chips may change.
    added: bool,
}

/// Draws the drawer.
pub(super) fn arbiter_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    state.follow(view);
    ScrollArea::vertical().id_salt("arbiter").auto_shrink(false).show(ui, |ui| {
        heading(ui, &cx.t("arbiter"));
        alerts_ui(ui, cx, view);
        reason_ui(ui, cx, state);
        let text = cx.t(if view.clock.paused() { "resume" } else { "pause" }) + &cx.hint(Command::Pause);
        // At events a pause needs a reason, as all rulings do. In a casual match the reason may be missing. A
        // given reason is recorded in a ruling before the pause.
        let can = state.has_reason() || view.clock.paused() || !view.is_event();
        if button(ui, &text, can).clicked() {
            if state.has_reason() {
                state.rule(cx, view, Ruling::default());
            }
            pause_now(cx, view);
        }
        undo_ui(ui, cx, view, state);
        clocks_ui(ui, cx, view, state);
        if view.has_chips() {
            chips_ui(ui, cx, view, state);
        }
        cards_ui(ui, cx, view, state);
        position_ui(ui, cx, view, state);
        results_ui(ui, cx, view, state);
    });
}

/// Draws the alerts for the arbiter alone, the newest first, and the questions to the arbiter.
fn alerts_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    panel(cx.theme).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(cx.t("alerts")).font(cx.bold(14.5)));
        let mine = |to: Audience| to == Audience::Arbiter;
        for prompt in view.prompts.iter().filter(|prompt| mine(prompt.to)) {
            ui.label(RichText::new(cx.say(&prompt.text)).color(cx.theme.accent));
        }
        if let Some(refused) = cx.snapshot.refused.as_ref().filter(|refused| mine(refused.to)) {
            ui.label(RichText::new(cx.say(&refused.text)).color(cx.theme.bad));
        }
        if let Some(trouble) = cx.snapshot.trouble.as_ref().filter(|_| view.is_event()) {
            ui.label(RichText::new(cx.say(trouble)).color(cx.theme.bad));
        }
        if let Some(asked) = cx.snapshot.question.clone().filter(|asked| mine(asked.to)) {
            ui.label(cx.say(&asked.text));
            ui.horizontal_wrapped(|ui| answers_ui(ui, cx, asked.answers.as_deref()));
        }
        claims_ui(ui, cx, view);
        let said = cx.snapshot.announcements.clone();
        ScrollArea::vertical().id_salt("alerts").max_height(110.0).auto_shrink([false, true]).show(
            ui,
            |ui| {
                let mut none = true;
                for said in said.iter().rev().filter(|said| mine(said.to)).take(ALERTS) {
                    none = false;
                    ui.label(cx.say(&said.text));
                }
                if none {
                    hint(ui, &cx.t("no-alerts"));
                }
            },
        );
    });
}

/// Draws the buttons for claims at events. Under the Laws of Chess only a player may make a claim; the arbiter enters
/// it here.
fn claims_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    if !view.is_event() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        if let Some(color) = view.draw_claimant() {
            let text = cx.words.with("claim-draw", &[("color", cx.words.color(color).into())]);
            if button(ui, &text, true).clicked() {
                cx.enter(PlayAction::ClaimDraw { by: color, uci: None });
            }
        }
        for color in
            Color::ALL.into_iter().filter(|color| view.legal.contains(&LegalInput::ClaimFlag(*color)))
        {
            let text = cx.words.with("claim-flag", &[("color", cx.words.color(color).into())]);
            if button(ui, &text, true).clicked() {
                cx.enter(Common::ClaimFlag(Author::Player(color)));
            }
        }
    });
}

fn reason_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut ArbiterState) {
    field_below(ui, &cx.t("reason"), &mut state.reason, ui.available_width() - 20.0);
    hint(ui, &cx.t("reason-first"));
}

impl ArbiterState {
    fn has_reason(&self) -> bool {
        !self.reason.trim().is_empty()
    }

    /// Returns the typed reason, for a ruling that is sent now. The text field keeps the reason until the ruling is in
    /// the record.
    fn take_reason(&mut self, view: &TableView) -> String {
        self.given = Some(view.acts);
        self.reason.trim().to_owned()
    }

    fn rule(&mut self, cx: &mut Cx<'_>, view: &TableView, set: Ruling) {
        cx.enter(Ruling { reason: self.take_reason(view), ..set });
    }

    /// Empties the text fields once the ruling is in the record. If the ruling is refused, the fields keep their text,
    /// so that it can be corrected.
    fn follow(&mut self, view: &TableView) {
        if self.given.is_some_and(|acts| view.acts > acts) {
            self.given = None;
            self.reason.clear();
            self.fen.clear();
            self.time = ByColor::default();
            self.counters = ByColor::default();
        }
    }
}

fn undo_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    ui.horizontal_wrapped(|ui| {
        let label = ui.label(cx.t("how-many"));
        ui.add(DragValue::new(&mut state.undos).range(1..=500)).labelled_by(label.id);
        let count = usize::try_from(state.undos).unwrap_or(1);
        let by = Some(Author::Arbiter);
        if button(ui, &cx.t("undo-inputs"), state.has_reason()).clicked() {
            let undo = Common::Undo { what: UndoWhat::Game, by, reason: Some(state.take_reason(view)) };
            cx.wish(Wish::Do(vec![undo.into(); count]));
        }
        if button(ui, &cx.t("undo-ruling"), state.has_reason()).clicked() {
            let undo = Common::Undo { what: UndoWhat::Ruling, by, reason: Some(state.take_reason(view)) };
            cx.enter(undo);
        }
        if button(ui, &cx.t("redo-inputs"), true).clicked() {
            cx.wish(Wish::Do(vec![Common::Redo { by }.into(); count]));
        }
    });
}

fn clocks_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    if !Color::ALL.iter().any(|color| view.clock.timed(*color)) {
        return;
    }
    CollapsingHeader::new(cx.t("rule-clocks")).default_open(true).show(ui, |ui| {
        for color in Color::ALL {
            let Some(left) = view.clock.reading(color, cx.at) else { continue };
            ui.horizontal_wrapped(|ui| {
                let facts = [
                    ("color", cx.words.color(color).into()),
                    ("left", cx.reading(Some(left), view.clock.counts_up(color, cx.at)).into()),
                ];
                let label = ui.label(cx.words.with("clock-now", &facts));
                let edit = TextEdit::singleline(&mut state.time[color]).desired_width(84.0).hint_text("1:30");
                ui.add(edit).labelled_by(label.id);
                let wanted = clock_reading(&state.time[color]);
                let set = cx.words.with("set-clock", &[("color", cx.words.color(color).into())]);
                if button(ui, &set, wanted.is_some() && state.has_reason()).clicked()
                    && let Some(wanted) = wanted
                {
                    set_clock(cx, view, state, color, wanted);
                }
                counts_ui(ui, cx, view, state, color);
                for minutes in [1_u64, 2] {
                    let facts = [("color", cx.words.color(color).into()), ("minutes", minutes.into())];
                    let text = cx.words.with("gains", &facts);
                    if button(ui, &text, state.has_reason()).clicked() {
                        let reason = state.take_reason(view);
                        cx.wish(Wish::Gain { by: color, gain: Millis(minutes * 60_000), reason });
                    }
                }
            });
        }
    });
}

/// Draws the fields for one side's counters: the moves made and, with byo-yomi, the periods left.
fn counts_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState, color: Color) {
    let periods = view.clock.standing(color, cx.at).and_then(|standing| standing.periods);
    let mut set = Ruling::default();
    let counters = [
        ("counter-moves", Some(view.clock.moves(color)), &mut set.moves[color]),
        ("counter-periods", periods, &mut set.periods[color]),
    ];
    for ((label, now, ruled), draft) in counters.into_iter().zip(&mut state.counters[color]) {
        let Some(now) = now else { continue };
        let label = ui.label(cx.t(label));
        let mut wanted = draft.unwrap_or(now);
        ui.add(DragValue::new(&mut wanted).range(0..=999)).labelled_by(label.id);
        *draft = Some(wanted).filter(|wanted| *wanted != now);
        *ruled = *draft;
    }
    // The button is always shown, so that no control moves under the pointer when a counter is changed.
    let text = cx.words.with("set-counters", &[("color", cx.words.color(color).into())]);
    if button(ui, &text, set != Ruling::default() && state.has_reason()).clicked() {
        state.rule(cx, view, set);
    }
}

fn set_clock(cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState, color: Color, left: Millis) {
    let mut set = Ruling::default();
    set.clock_ms[color] = Some(left.0);
    state.rule(cx, view, set);
}

fn chips_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    CollapsingHeader::new(cx.t("rule-chips")).show(ui, |ui| {
        let color = |seat: Seat| if view.seats.white == seat { Color::White } else { Color::Black };
        let by_seat = |of: ByColor<tabiya_engine::rules::Chips>| BySeat {
            a: of[color(Seat::A)].0,
            b: of[color(Seat::B)].0,
        };
        let now = ChipsDraft {
            stacks: by_seat(view.stakes.stacks),
            put_in: by_seat(view.stakes.contributed),
            added: false,
        };
        let kept = state.chips.filter(|(_, lines)| *lines == view.acts);
        let mut draft = kept.map_or(now, |(draft, _)| draft);
        for seat in Seat::ALL {
            ui.horizontal_wrapped(|ui| {
                let facts = [("name", view.agreement.players[seat].clone().into())];
                let label = ui.label(cx.words.with("stack-of", &facts));
                ui.add(DragValue::new(&mut draft.stacks[seat])).labelled_by(label.id);
                let label = ui.label(cx.words.with("put-in-by", &facts));
                ui.add(DragValue::new(&mut draft.put_in[seat])).labelled_by(label.id);
            });
        }
        ui.checkbox(&mut draft.added, cx.t("chips-added"));
        state.chips = Some((draft, view.acts)).filter(|(draft, _)| *draft != now);
        let changed = state.chips.is_some();
        // What the players count needs no reason: they settle a difference between them.
        if button(ui, &cx.t("count-chips"), true).clicked() {
            let BySeat { a, b } = draft.stacks;
            cx.wish(Wish::Typed(format!("count A {a} B {b}")));
        }
        if button(ui, &cx.t("move-chips"), changed && state.has_reason()).clicked() {
            let pair = |of: BySeat<u32>| BySeat { a: Some(of.a), b: Some(of.b) };
            state.chips = None;
            let (stacks, contributed) = (pair(draft.stacks), pair(draft.put_in));
            state.rule(
                cx,
                view,
                Ruling { stacks, contributed, chips_added: draft.added, ..Ruling::default() },
            );
        }
    });
}

/// Draws the rulings on cards: take back a card that was read wrongly, correct a wrong piece, or declare the deal
/// fouled.
fn cards_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    if view.stages.is_none() {
        return;
    }
    CollapsingHeader::new(cx.t("rule-cards")).show(ui, |ui| {
        let open =
            view.mover().is_some_and(|by| view.cards[by].last().is_some_and(|card| card.piece.is_none()));
        if button(ui, &cx.t("wrong-card"), open && state.has_reason()).clicked() {
            let reason = Some(state.take_reason(view));
            cx.enter(Common::Undo { what: UndoWhat::Game, by: Some(Author::Arbiter), reason });
        }
        ui.horizontal_wrapped(|ui| {
            field_below(ui, &cx.t("false-at"), &mut state.false_at, 48.0);
            ui.vertical(|ui| {
                ui.add_space(16.0);
                ComboBox::from_label(cx.t("right-piece"))
                    .selected_text(cx.words.card(state.right_piece))
                    .show_ui(ui, |ui| {
                        for card in Card::ALL {
                            ui.selectable_value(&mut state.right_piece, card, cx.words.card(card));
                        }
                    });
            });
            field_below(ui, &cx.t("right-on"), &mut state.right_on, 48.0);
        });
        let can = state.has_reason() && !state.false_at.trim().is_empty();
        if button(ui, &cx.t("correct"), can).clicked() {
            cx.wish(Wish::Correct {
                at: state.false_at.clone(),
                piece: state.right_piece,
                on: state.right_on.clone(),
                reason: state.take_reason(view),
            });
            state.false_at.clear();
            state.right_on.clear();
        }
        let foul = cx.t("fouled");
        if grave_button(ui, cx.theme, &foul, state.has_reason()).clicked() {
            cx.enter(Action::Fouled { by: None, reason: state.take_reason(view) });
        }
    });
}

fn position_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    CollapsingHeader::new(cx.t("rule-position")).show(ui, |ui| {
        if view.fen.is_some() {
            field_below(ui, &cx.t("fen"), &mut state.fen, ui.available_width() - 20.0);
            if button(ui, &cx.t("set-position"), state.has_reason() && !state.fen.trim().is_empty()).clicked()
            {
                let fen = Some(state.fen.trim().to_owned());
                state.rule(cx, view, Ruling { fen, ..Ruling::default() });
            }
        }
        ui.horizontal_wrapped(|ui| {
            ui.label(cx.t("to-move"));
            for color in Color::ALL {
                let text = cx.words.with("gives-turn", &[("color", cx.words.color(color).into())]);
                if button(ui, &text, state.has_reason()).clicked() {
                    state.rule(cx, view, Ruling { to_act: Some(color), ..Ruling::default() });
                }
            }
        });
        let mut event = view.is_event();
        let options = [(false, cx.t("voice-casual")), (true, cx.t("voice-event"))];
        ui.add_enabled_ui(false, |ui| choice(ui, &mut event, &options));
        hint(ui, &cx.t("voice-fixed"));
    });
}

/// Draws the rulings on the result. At a casual table each is asked about once.
fn results_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    CollapsingHeader::new(cx.t("rule-result")).default_open(true).show(ui, |ui| {
        let reason = state.reason.trim().to_owned();
        let ruling = |winner| Input::from(Ruling { winner: Some(winner), ..Ruling::because(&*reason) });
        let mut results: Vec<(String, Input)> = Seat::ALL
            .into_iter()
            .map(|seat| {
                let name = view.agreement.players[seat].clone();
                (cx.words.with("wins", &[("name", name.into())]), ruling(Some(seat)))
            })
            .collect();
        results.push((cx.t("drawn"), ruling(None)));
        if !view.match_over {
            let end = Common::EndMatch { by: Author::Arbiter, reason: reason.clone() };
            results.push((cx.t("end-match"), end.into()));
        }
        ui.horizontal_wrapped(|ui| {
            for (text, input) in results {
                if grave_button(ui, cx.theme, &text, state.has_reason()).clicked() {
                    state.given = Some(view.acts);
                    cx.enter(input);
                }
            }
        });
    });
}
