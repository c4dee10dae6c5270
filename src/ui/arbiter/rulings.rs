//! What the arbiter may rule on, a page each: what is taken back, the clocks, the chips, the cards, the position and the
//! result.

use egui::{Align2, Button, ComboBox, DragValue, Grid, Margin, Response, RichText, Role, TextEdit, Ui, vec2};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_app::words::clock_reading;
use tabiya_engine::rules::Action;
use tabiya_engine::table::{Author, Common, RuledResult, Ruling, UndoWhat};
use tabiya_types::{ByColor, BySeat, Card, Color, Millis, Seat};

use super::{ArbiterState, ChipsDraft};
use crate::cx::Cx;
use crate::table::questions::clocks_after;
use crate::widgets::{because, button, choice, field_below, grave_button, hint, name};

/// Draws the button of a ruling. It is off until these conditions hold, and says beside it why.
fn ruling_button(ui: &mut Ui, cx: &Cx<'_>, text: &str, conditions: &[(bool, &str)]) -> Response {
    set_button(ui, cx, (text, text), conditions)
}

/// The same for a button whose place says what it does: it has a short word, and its whole name for screen readers.
fn set_button(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (word, whole): (&str, &str),
    conditions: &[(bool, &str)],
) -> Response {
    let off = cx.why_off(conditions);
    let response = because(button(ui, word, off.is_none()), off.as_ref());
    name(&response, Role::Button, off.is_none(), whole);
    if let Some(why) = &off {
        ui.label(RichText::new(why).small().color(cx.theme.muted));
    }
    response
}

/// Draws the last actions of the game, the newest first. A click on one chooses it and all that came after it; the button
/// takes back what is chosen.
pub(super) fn undo_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    let actions = cx.snapshot.last_actions.clone().unwrap_or_default();
    state.undos = state.undos.clamp(1, actions.len().max(1));
    if actions.is_empty() {
        hint(ui, &cx.t("nothing-to-take-back"));
    }
    ui.horizontal_wrapped(|ui| {
        let by = Some(Author::Arbiter);
        let count = state.undos;
        let text = cx.words.with("take-back-count", &[("count", count.into())]);
        let off = cx.why_off(&[(!actions.is_empty(), "nothing-to-take-back")]);
        if because(grave_button(ui, cx.theme, &text, off.is_none()), off.as_ref()).clicked() {
            let undo = Common::Undo { what: UndoWhat::Game, by, reason: state.take_typed_reason(view) };
            cx.wish(Wish::Do(vec![undo.into(); count]));
            state.undos = 1;
        }
        if ruling_button(ui, cx, &cx.t("undo-ruling"), &[]).clicked() {
            let undo = Common::Undo { what: UndoWhat::Ruling, by, reason: state.take_typed_reason(view) };
            cx.enter(undo);
        }
        if button(ui, &cx.t("redo-inputs"), true).clicked() {
            cx.enter(Common::Redo { by });
        }
    });
    if let Some(text) = clocks_after(cx, view, state.undos) {
        hint(ui, &text);
    }
    for (nth, action) in actions.iter().enumerate() {
        let chosen = nth < state.undos;
        let text = cx.say_all(&action.words);
        let row = Button::selectable(chosen, text).min_size(vec2(ui.available_width(), cx.sizes.px(26.0)));
        if ui.add(row).clicked() {
            (state.undos, state.picked) = (nth + 1, true);
            // The board, which shows what goes back, has been drawn.
            cx.ctx.request_repaint();
        }
    }
}

pub(super) fn clocks_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    if !Color::ALL.iter().any(|color| view.clock.timed(*color)) {
        return;
    }
    let set = cx.t("set-word");
    Grid::new("clocks").num_columns(3).spacing(vec2(cx.sizes.px(10.0), cx.sizes.px(8.0))).show(ui, |ui| {
        for color in Color::ALL {
            let Some(left) = view.clock.reading(color, cx.at) else { continue };
            let facts = [
                ("name", cx.who(color).into()),
                ("left", cx.reading(Some(left), view.clock.counts_up(color, cx.at)).into()),
            ];
            let label = ui.label(cx.words.with("clock-now", &facts));
            let edit = TextEdit::singleline(&mut state.time[color]);
            let edit = edit.margin(Margin::symmetric(8, 6)).hint_text("1:30").align(Align2::LEFT_CENTER);
            ui.add_sized([cx.sizes.px(84.0), cx.sizes.px(34.0)], edit).labelled_by(label.id);
            let wanted = clock_reading(&state.time[color]);
            let whole = cx.words.with("set-clock", &[("color", cx.who(color).into())]);
            ui.horizontal(|ui| {
                let off = [(wanted.is_some(), "off-time")];
                if set_button(ui, cx, (&set, &whole), &off).clicked()
                    && let Some(wanted) = wanted
                {
                    set_clock(cx, view, state, (color, wanted), &whole);
                }
            });
            ui.end_row();
        }
    });
    ui.add_space(cx.sizes.px(6.0));
    for color in Color::ALL.into_iter().filter(|color| view.clock.timed(*color)) {
        ui.horizontal(|ui| counts_ui(ui, cx, view, state, color));
    }
}

/// Draws the fields for one side's counters: the moves made and, with byo-yomi, the periods left.
pub(super) fn counts_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut ArbiterState,
    color: Color,
) {
    let periods = view.clock.standing(color, cx.at).and_then(|standing| standing.periods);
    let mut set = Ruling::default();
    ui.label(cx.who(color));
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
    let off = [(set != Ruling::default(), "off-counters")];
    if set_button(ui, cx, (&cx.t("set-word"), &text), &off).clicked() {
        state.rule(cx, view, set, &text);
    }
}

pub(super) fn set_clock(
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut ArbiterState,
    (color, left): (Color, Millis),
    act: &str,
) {
    let mut set = Ruling::default();
    set.clock_ms[color] = Some(left.0);
    state.rule(cx, view, set, act);
}

pub(super) fn chips_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    ui.vertical(|ui| {
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
        Grid::new("chips").num_columns(4).spacing(vec2(cx.sizes.px(10.0), cx.sizes.px(8.0))).show(ui, |ui| {
            for seat in Seat::ALL {
                let facts = [("name", view.agreement.players[seat].clone().into())];
                let label = ui.label(cx.words.with("stack-of", &facts));
                ui.add(DragValue::new(&mut draft.stacks[seat])).labelled_by(label.id);
                let label = ui.label(cx.words.with("put-in-by", &facts));
                ui.add(DragValue::new(&mut draft.put_in[seat])).labelled_by(label.id);
                ui.end_row();
            }
        });
        let changed = draft != now;
        let act = cx.t("move-chips");
        ui.horizontal_wrapped(|ui| {
            if ruling_button(ui, cx, &act, &[(changed, "off-chips")]).clicked() {
                let pair = |of: BySeat<u32>| BySeat { a: Some(of.a), b: Some(of.b) };
                let (stacks, contributed) = (pair(draft.stacks), pair(draft.put_in));
                let set = Ruling { stacks, contributed, chips_added: draft.added, ..Ruling::default() };
                state.rule(cx, view, set, &act);
                draft = now;
            }
        });
        ui.checkbox(&mut draft.added, cx.t("chips-added"));
        state.chips = Some((draft, view.acts)).filter(|(draft, _)| *draft != now);
        // What the players count needs no reason: they settle a difference between them.
        if button(ui, &cx.t("count-chips"), true).clicked() {
            cx.wish(Wish::Count(draft.stacks));
        }
    });
}

/// Draws the rulings on cards: take back a card that was read wrongly, correct a wrong piece, or declare the deal
/// fouled.
pub(super) fn cards_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    if view.stages.is_none() {
        return;
    }
    ui.vertical(|ui| {
        let open =
            view.mover().is_some_and(|by| view.cards[by].last().is_some_and(|card| card.piece.is_none()));
        if ruling_button(ui, cx, &cx.t("wrong-card"), &[(open, "off-no-card")]).clicked() {
            let reason = Some(state.take_reason(view, &cx.t("wrong-card")));
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
        let named = !state.false_at.trim().is_empty();
        let act = cx.t("correct");
        if ruling_button(ui, cx, &act, &[(named, "off-square")]).clicked() {
            cx.wish(Wish::Correct {
                at: state.false_at.clone(),
                piece: state.right_piece,
                on: state.right_on.clone(),
                reason: state.take_reason(view, &act),
            });
            state.false_at.clear();
            state.right_on.clear();
        }
        let foul = cx.t("fouled");
        if grave_button(ui, cx.theme, &foul, true).clicked() {
            cx.enter(Action::Fouled { by: None, reason: state.take_reason(view, &foul) });
        }
    });
}

pub(super) fn position_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    ui.vertical(|ui| {
        if view.fen.is_some() {
            field_below(ui, &cx.t("fen"), &mut state.fen, ui.available_width() - 20.0);
            let seen = cx.snapshot.board.seen.filter(|seen| *seen != view.board);
            if let (Some(seen), Some(fen)) = (seen, &view.fen)
                && button(ui, &cx.t("as-the-board-stands"), true).clicked()
            {
                // Whose turn it is and who may castle cannot be seen; that stays for the arbiter to read over.
                let rest = fen.split_once(' ').map_or("", |(_, rest)| rest);
                state.fen = format!("{seen} {rest}");
            }
            let written = !state.fen.trim().is_empty();
            let act = cx.t("set-position");
            if ruling_button(ui, cx, &act, &[(written, "off-fen")]).clicked() {
                let fen = Some(state.fen.trim().to_owned());
                state.rule(cx, view, Ruling { fen, ..Ruling::default() }, &act);
            }
        }
        ui.horizontal_wrapped(|ui| {
            ui.label(cx.t("to-move"));
            for color in Color::ALL {
                let text = cx.words.with("gives-turn", &[("color", cx.who(color).into())]);
                if ruling_button(ui, cx, &text, &[]).clicked() {
                    state.rule(cx, view, Ruling { to_act: Some(color), ..Ruling::default() }, &text);
                }
            }
        });
        let mut event = view.is_event();
        let options = [(false, cx.t("voice-casual")), (true, cx.t("voice-event"))];
        ui.add_enabled_ui(false, |ui| choice(ui, &mut event, &options));
        hint(ui, &cx.t("voice-fixed"));
    });
}

/// The half points of a result that is no win, loss or draw, seat A's first: all that the Laws allow, because both scores
/// together never exceed a point (10.2). Where a competition has other rules, they are typed: `rule points A 1 B 1/2 REASON`.
const POINTS: [(u8, u8); 3] = [(0, 0), (1, 0), (0, 1)];

/// Draws the rulings on the result. At a casual table each is asked about once.
pub(super) fn results_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    ui.vertical(|ui| {
        let named = |seat: Seat| {
            let name = view.agreement.players[seat].clone();
            (cx.words.with("wins", &[("name", name.into())]), RuledResult::Winner(Some(seat)))
        };
        let mut results: Vec<(String, RuledResult)> = Seat::ALL.into_iter().map(named).collect();
        results.push((cx.t("drawn"), RuledResult::Winner(None)));
        let half_points = POINTS.map(|(a, b)| RuledResult::Points(BySeat { a, b }));
        let absent = [Some(Seat::A), Some(Seat::B), None].map(RuledResult::Forfeit);
        let goes_on = view.outcome.map(|_| RuledResult::GoesOn);
        let others = half_points.into_iter().chain(absent).chain([RuledResult::Void]).chain(goes_on);
        let players = &view.agreement.players;
        results.extend(others.map(|result| (cx.say(&result.in_words(players)), result)));
        ui.horizontal_wrapped(|ui| {
            for (text, result) in results {
                if grave_button(ui, cx.theme, &text, true).clicked() {
                    let reason = state.take_reason(view, &text);
                    cx.enter(Ruling::on_result(&*reason, result));
                }
            }
            let end = cx.t("end-match");
            if !view.match_over && grave_button(ui, cx.theme, &end, true).clicked() {
                let reason = state.take_reason(view, &end);
                cx.enter(Common::EndMatch { by: Author::Arbiter, reason });
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_that_are_offered_are_all_that_the_laws_allow_besides_wins_and_draws() {
        let allowed = |(a, b): &(u8, u8)| {
            a + b <= 2
                && RuledResult::of_half_points(BySeat { a: *a, b: *b })
                    .is_some_and(|result| matches!(result, RuledResult::Points(_)))
        };
        let pairs = (0..=2).flat_map(|a| (0..=2).map(move |b| (a, b)));
        let mut wanted: Vec<(u8, u8)> = pairs.filter(allowed).collect();
        let mut offered = POINTS.to_vec();
        wanted.sort_unstable();
        offered.sort_unstable();
        assert_eq!(offered, wanted);
    }
}
