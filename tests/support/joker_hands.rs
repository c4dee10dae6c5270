//! What the players of a random game of Chess Joker say after a move: the card that is drawn.

use tabiya_boards::human::Dice;
use tabiya_engine::record::card_file::{CardFile, CardFileForm};
use tabiya_engine::rules::chess_joker::{DrawCard, JokerAction, JokerCard};
use tabiya_engine::rules::{Action, OwnAction};
use tabiya_engine::table::Probe;
use tabiya_types::Color;

use super::deal::pick;

/// The six cards that the rulebook prints.
const PRINTED: &str = include_str!("../../fixtures/chess-joker/cards/printed.toml");

/// The card that a player draws, if he has to draw one: a printed one as long as some are left, then cards that nobody
/// has told.
pub(crate) fn behind(truth: &Probe, by: Color, dice: &mut Dice) -> Vec<Action> {
    let draw = |card| Action::Own(OwnAction::new(JokerAction::Draw(DrawCard { by, card, read: None })));
    let printed = CardFile::read(CardFileForm::Toml, PRINTED).expect("a card file").cards;
    let cards = printed.into_iter().map(|owned| owned.card.in_its_words());
    let choices: Vec<Action> = cards.map(draw).filter(|draw| truth.after(draw).is_some()).collect();
    let draw = match choices.len() {
        0 => draw(JokerCard::default()),
        count => choices[pick(dice, count)].clone(),
    };
    if truth.after(&draw).is_some() { vec![draw] } else { Vec::new() }
}
