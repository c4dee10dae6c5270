//! What the players of a random game of PokerDrez say around a move: cards, die, and the card that is put back.

use tabiya_boards::human::Dice;
use tabiya_engine::rules::pokerdrez::{DrezAction, DrezCard};
use tabiya_engine::rules::{Action, CardPlace, CardSource, OwnAction};
use tabiya_engine::table::Probe;
use tabiya_types::{ByColor, Color};

use super::deal::pick;
use super::hands::action_text;

fn line(action: DrezAction) -> Action {
    Action::Own(OwnAction::new(action))
}

/// The line of a random deal.
pub(crate) fn deal(dice: &mut Dice) -> String {
    let row = (0..5).map(|_| DrezCard::ALL[pick(dice, 6)]).collect();
    action_text(&line(DrezAction::Deal { common: Some(row), own: ByColor::default() }))
}

/// The actions among these that are legal now.
fn legal(truth: &Probe, all: impl IntoIterator<Item = DrezAction>) -> Vec<Action> {
    all.into_iter().map(line).filter(|action| truth.after(action).is_some()).collect()
}

/// What a player says before his move: a throw now and then, and the card that is laid. If nothing moves anything, he
/// shows two cards, again and again until one does or the game is over. Empty when no card is needed.
pub(crate) fn before(truth: &Probe, by: Color, dice: &mut Dice) -> Vec<Action> {
    let (mut truth, mut said) = (truth.clone(), Vec::new());
    let mut say = |truth: &mut Probe, action: Action| {
        *truth = truth.after(&action).expect("a legal action");
        said.push(action);
    };
    let throws = legal(&truth, (1..=6).map(|pips| DrezAction::Roll { by, pips }));
    if truth.candidates().is_empty() && !throws.is_empty() && dice.below(4) == 0 {
        say(&mut truth, throws[pick(dice, throws.len())].clone());
    }
    while truth.outcome().is_none() && truth.candidates().is_empty() {
        let source = CardSource::default();
        let reveal = |(from, card)| DrezAction::Reveal { by, card, from, source };
        let cards = CardPlace::ALL.into_iter().flat_map(|from| DrezCard::ALL.map(|card| (from, card)));
        let mut choices = legal(&truth, cards.map(reveal));
        if choices.is_empty() {
            // Who has the die throws it before he shows cards.
            choices = legal(&truth, (1..=6).map(|pips| DrezAction::Roll { by, pips }));
        }
        if choices.is_empty() {
            let pairs = DrezCard::ALL.into_iter().flat_map(|one| DrezCard::ALL.map(|other| [one, other]));
            choices = legal(&truth, pairs.map(|cards| DrezAction::Show { by, cards }));
        }
        say(&mut truth, choices[pick(dice, choices.len())].clone());
    }
    said
}

/// What a player says after his move: the card that he puts back, if he owes one.
pub(crate) fn behind(truth: &Probe, by: Color, dice: &mut Dice) -> Vec<Action> {
    let source = CardSource::default();
    let choices = legal(truth, DrezCard::ALL.map(|card| DrezAction::Return { by, card, source }));
    if choices.is_empty() { choices } else { vec![choices[pick(dice, choices.len())].clone()] }
}
