//! The choice of a poker hand: the picked pieces, and the button that names them.

use egui::{Rect, Ui};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Action, FormedHand, PieceSets};
use tabiya_types::Square;

use super::state::TableState;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};

/// Draws the button that names the picked pieces as the player's hand, if a hand is to be named.
pub(super) fn choose_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, row: Rect) {
    let Some(choices) = view.poker.as_ref().and_then(|poker| poker.choices.as_ref()) else { return };
    let (Some(sets), Some(by)) = (choices.piece_sets(), choices.by()) else { return };
    let squares: Vec<Square> = sets.all.iter().chain(state.hand.iter().copied()).collect();
    let enough = sets
        .some
        .iter()
        .all(|(count, of)| state.hand.iter().filter(|square| of.has(**square)).count() == *count);
    let text = cx.words.with("choose-hand", &[("color", cx.who(by).into())]);
    let face = ButtonFace::new(Kind::Gold, &text).off(cx.why_off(&[(enough, "off-hand")]));
    if button_at(ui, cx, row, "choose-hand", &face).clicked()
        && enough
        && let Some(chosen) = choices.with_pieces(squares)
    {
        cx.enter(Action::Own(chosen));
        state.hand.clear();
    }
}

/// How many pieces are still to be picked; `None` if nobody picks a hand now.
pub(super) fn missing(view: &TableView, state: &TableState) -> Option<usize> {
    let sets = view.poker.as_ref()?.choices.as_ref()?.piece_sets()?;
    let picked = |(count, of): &(usize, tabiya_types::Squares)| {
        count.saturating_sub(state.hand.iter().filter(|square| of.has(**square)).count())
    };
    Some(sets.some.iter().map(picked).sum())
}

/// The squares of the hand that is being picked; `None` if nobody picks a hand now.
pub(super) fn picked(view: &TableView, state: &TableState) -> Option<Vec<Square>> {
    let sets = view.poker.as_ref()?.choices.as_ref()?.piece_sets()?;
    Some(sets.all.iter().chain(state.hand.iter().copied()).collect())
}

/// Adds a piece to the hand that is being picked, or takes it out again. If the hand already has enough pieces of this
/// group, the one picked first goes.
pub(super) fn pick(sets: &PieceSets, state: &mut TableState, square: Square) {
    if let Some(nth) = state.hand.iter().position(|picked| *picked == square) {
        state.hand.remove(nth);
        return;
    }
    let Some((count, of)) = sets.some.iter().find(|(_, of)| of.has(square)) else { return };
    if state.hand.iter().filter(|picked| of.has(**picked)).count() >= *count
        && let Some(first) = state.hand.iter().position(|picked| of.has(*picked))
    {
        state.hand.remove(first);
    }
    state.hand.push(square);
}

/// What a hand is, with the ranks that make it, such as *pair of kings*. Hands whose ranks do not say more are only named.
pub(super) fn name_of(cx: &Cx<'_>, hand: &FormedHand) -> String {
    let mut ranks: Vec<char> = hand.cards.chars().collect();
    // The ranks that count most stand first, each as often as the hand has it.
    ranks.dedup();
    let id = match hand.name {
        "pair" => "named-pair",
        "two-pair" => "named-two-pair",
        "three-of-a-kind" => "named-three",
        "full-house" => "named-full-house",
        "four-of-a-kind" => "named-four",
        _ => return cx.say(&hand.kind),
    };
    let rank =
        |nth: usize| ranks.get(nth).map(|rank| cx.words.word("ranks", &rank.to_string())).unwrap_or_default();
    cx.words.with(id, &[("first", rank(0).into()), ("second", rank(1).into())])
}
