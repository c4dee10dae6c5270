//! The cards of Chess Joker at the table: what lies before each player and what it could do, the scores, the draw, and
//! the use of a card, chosen step by step or said for a card that is not written.
//!
//! Everything here enters the same lines as the terminal's words `card`, `play`, `confirm`, `reject` and `check`.

mod choosing;
mod declaring;
mod drawing;
pub(super) mod tiles;
pub(super) mod turn;
pub(crate) mod words;

use egui::{RichText, Ui};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::chess_joker::{ClaimedCheck, JokerAction, JokerSight, PlayCard};
use tabiya_types::{Board, Square};

use self::declaring::Declaring;
use self::words::{actions, enter, sight, use_words};
use super::acts::is_open;
use super::state::TableState;
use crate::board::{CardMark, StepMeaning, Touch};
use crate::cx::Cx;
use crate::widgets::{button, main_button};

/// Whether this game is played, so that [`cards_ui`] has something to draw.
pub(super) fn is_played(view: &TableView) -> bool {
    sight(view).is_some()
}

/// Draws what may be done with the cards now, both cards, and the piles.
pub(super) fn cards_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let Some(sight) = sight(view) else { return };
    state.turn.follow(view.acts);
    // What is to be done now stands first: in a small window the rest is scrolled to.
    if view.outcome.is_none() {
        tiles::notes_ui(ui, cx, view, sight);
        answers_ui(ui, cx, view, sight);
        drawing::draw_ui(ui, cx, view, &mut state.turn.draw);
        if state.turn.choice.is_none() && state.turn.declaring.is_none() {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().interact_size.y = 38.0;
                begin_ui(ui, cx, view, sight, state);
                claims_ui(ui, cx, view);
                tiles::other_uses_ui(ui, cx, view, sight, &mut state.turn);
            });
        }
        if let Some(by) = choosing::owner(view) {
            let chosen = &mut state.board.chosen;
            let turn = &mut state.turn;
            choosing::choose_ui(ui, cx, (view, sight), by, (&mut turn.choice, chosen, &mut turn.pointed));
        }
        if let Some(by) = declaring::owner(view) {
            declaring::declare_ui(ui, cx, view, (sight, by), &mut state.turn.declaring);
        }
    }
    if !state.cards_at_seats {
        tiles::tiles_ui(ui, cx, view, sight);
    }
    tiles::piles_ui(ui, cx, view);
}

/// Draws the button that begins the choice of a use, or the words about an unwritten card.
fn begin_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, sight: &JokerSight, state: &mut TableState) {
    let (written, unwritten) = (choosing::owner(view), declaring::owner(view));
    let Some(by) = written.or(unwritten) else { return };
    let Some(card) = &sight.cards[by] else { return };
    let id = if written.is_some() { "play-card" } else { "declare-card" };
    if button(ui, &cx.words.with(id, &[("code", card.word().into())]), true).clicked() {
        state.board.chosen = None;
        match written {
            Some(_) => state.turn.choice = choosing::begun(view, sight, by),
            None => state.turn.declaring = Some(Declaring::new(by)),
        }
    }
}

/// Draws the yes and the no to what waits for them.
fn answers_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, sight: &JokerSight) {
    let answers: Vec<JokerAction> =
        actions(view).filter(|action| matches!(action, JokerAction::Answer { .. })).cloned().collect();
    if answers.is_empty() {
        return;
    }
    if let Some(PlayCard { steps, mask, .. }) = &sight.declared {
        ui.label(RichText::new(use_words(cx, *mask, steps)).font(cx.bold(15.0)));
    }
    ui.horizontal_wrapped(|ui| {
        for answer in answers {
            let JokerAction::Answer { by: Some(by), yes } = answer else { continue };
            let color = [("name", cx.who(by).into())];
            let clicked = if yes {
                let text = cx.words.with("card-confirm", &color);
                main_button(ui, cx.theme, &text, true).clicked()
            } else {
                button(ui, &cx.words.with("card-reject", &color), true).clicked()
            };
            if clicked {
                enter(cx, answer);
            }
        }
    });
}

/// Draws the claims of a check or a mate by a card that is not written. The player whose card it is makes them; the
/// other one may by the input line.
fn claims_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let claims: Vec<ClaimedCheck> = actions(view)
        .filter_map(|action| match action {
            JokerAction::Check(check) => Some(*check),
            _ => None,
        })
        .filter(|check| check.by.is_some() && check.by != view.mover())
        .collect();
    let Some(by) = claims.first().and_then(|check| check.by) else { return };
    ui.menu_button(cx.words.with("claims-of", &[("name", cx.who(by).into())]), |ui| {
        for check in claims {
            let text = cx.t(if check.is_mate() { "claim-card-mate" } else { "claim-card-check" });
            if ui.button(text).clicked() {
                enter(cx, JokerAction::Check(check));
                ui.close();
            }
        }
    });
}

// ---- on the board ----

/// The board to draw while a use is being chosen or said; `None` for the table's own.
pub(super) fn board(view: &TableView, state: &TableState) -> Option<Board> {
    sight(view)?;
    match (&state.turn.choice, &state.turn.declaring) {
        (Some(choice), _) => Some(choice.board()),
        (None, Some(declaring)) => Some(declaring.board(&view.board)),
        (None, None) => None,
    }
}

/// The squares to mark while a use is being chosen; `None` if none is.
pub(super) fn lights(view: &TableView, state: &TableState) -> Option<Vec<Square>> {
    sight(view)?;
    Some(state.turn.choice.as_ref()?.lights(state.board.chosen))
}

/// What the cards do or could do, for the board.
pub(super) fn marks(view: &TableView, state: &mut TableState) -> Vec<CardMark> {
    let Some(sight) = sight(view) else { return Vec::new() };
    state.turn.follow(view.acts);
    let threat = sight.check.iter().filter_map(|check| check.card.as_ref());
    let threat: Vec<CardMark> =
        threat.flat_map(|(_, steps)| CardMark::all(steps.iter().copied(), StepMeaning::Threat)).collect();
    let turn = &mut state.turn;
    if let Some(choice) = &turn.choice {
        let pointed = CardMark::all(turn.pointed, StepMeaning::Pointed);
        return choice.marks(state.board.chosen).into_iter().chain(pointed).collect();
    }
    if let Some(declaring) = &turn.declaring {
        return declaring.marks();
    }
    if let Some(play) = &sight.declared {
        return CardMark::all(play.steps.iter().copied(), StepMeaning::Chosen);
    }
    if view.outcome.is_some() {
        return threat;
    }
    let looked_at = turn.looked_at.or(view.mover().filter(|_| !is_open(view)));
    let Some(by) = looked_at else { return threat };
    if turn.could.as_ref().is_none_or(|known| known.by != by) {
        turn.could = Some(choosing::could(sight, by));
    }
    let could = turn.could.iter().flat_map(|could| could.marks.iter().copied());
    could.chain(threat).collect()
}

/// Takes a click or drag on the board while a use is being chosen or said. Returns whether it was meant for that.
pub(super) fn touched(view: &TableView, state: &mut TableState, touch: Touch) -> bool {
    if sight(view).is_none() {
        return false;
    }
    let chosen = &mut state.board.chosen;
    match (&mut state.turn.choice, &mut state.turn.declaring) {
        (Some(choice), _) => choice.touched(touch, chosen),
        (None, Some(declaring)) => declaring.touched(&view.board, touch, chosen),
        (None, None) => return false,
    }
    true
}
