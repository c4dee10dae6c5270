//! What PokerDrez says to whoever reads its cards: which card may be laid now, the line for it, and where lines brought
//! cards.
//!
//! Source: `docs/record-pokerdrez.md`, "How lines act", 2, 4 to 7, 9, 10 and 12.

use tabiya_types::{ByColor, CardFace, Color};

use super::cards::DrezCards;
use super::letter::DrezCard;
use super::lines::{DrezAction, SwapWith};
use super::offers::{DrezOffer, DrezRuled};
use super::pool::{HAND, ROW};
use crate::rules::action::{Action, Dealt, OwnAction};
use crate::rules::capability::{CardPlace, CardSource, CardSpot, CardTravel, CardsDue, HiddenFaces, Laying};
use crate::rules::change::OwnChange;
use crate::rules::offer::Offer;

/// The players who get the hidden cards of a deal: the dealer begins with his opponent.
const HIDDEN: [Color; 4] = [Color::White, Color::Black, Color::White, Color::Black];

fn line(action: DrezAction) -> Action {
    Action::Own(OwnAction::new(action))
}

impl Laying for DrezCards {
    fn hidden_order(&self) -> &'static [Color] {
        &HIDDEN
    }

    fn open_count(&self) -> usize {
        ROW
    }

    fn hand_size(&self) -> usize {
        HAND
    }

    fn untold(&self) -> ByColor<u32> {
        self.untold
    }

    fn due(&self, offers: &[Offer]) -> CardsDue {
        let mut due = CardsDue::default();
        for offer in offers {
            match offer {
                Offer::Do(Action::Own(own)) => match own.of::<DrezAction>() {
                    Some(DrezAction::Reveal { by, card, from, .. }) => {
                        due.by = Some(*by);
                        due.lays.push(((*card).into(), *from));
                    }
                    Some(DrezAction::Return { by, card, .. }) => {
                        due.by = Some(*by);
                        due.returns.push((*card).into());
                    }
                    Some(_) | None => {}
                },
                Offer::Own(own) => match own.of::<DrezOffer>() {
                    Some(DrezOffer::Deal) => due.deal = true,
                    Some(DrezOffer::Show { by }) => (due.by, due.shows) = (Some(*by), true),
                    Some(_) | None => {}
                },
                Offer::Do(_) | Offer::Raise { .. } | Offer::Place { .. } => {}
            }
        }
        due
    }

    fn deal(&self, open: &[CardFace], hidden: &ByColor<HiddenFaces>) -> Action {
        let common = Some(open.iter().copied().map(DrezCard::from).collect());
        let told = |face: &Option<CardFace>| Dealt(face.map(DrezCard::from));
        let own = ByColor::new(|color| hidden[color].as_ref().map(|faces| faces.iter().map(told).collect()));
        line(DrezAction::Deal { common, own })
    }

    fn tell(&self, by: Color, card: CardFace) -> Action {
        let own = ByColor::new(|color| (color == by).then(|| vec![Dealt(Some(card.into()))]));
        line(DrezAction::Deal { common: None, own })
    }

    fn lay(&self, by: Color, card: CardFace, from: CardPlace, source: CardSource) -> Action {
        line(DrezAction::Reveal { by, card: card.into(), from, source })
    }

    fn put_back(&self, by: Color, card: CardFace, source: CardSource) -> Action {
        line(DrezAction::Return { by, card: card.into(), source })
    }

    fn show(&self, by: Color, cards: &[CardFace]) -> Option<Action> {
        let [one, other] = *cards else { return None };
        Some(line(DrezAction::Show { by, cards: [one.into(), other.into()] }))
    }

    fn shows_with(&self, by: Color, card: CardFace) -> Vec<Action> {
        let show = |other| line(DrezAction::Show { by, cards: [card.into(), other] });
        DrezCard::ALL.into_iter().map(show).collect()
    }

    fn open_deal(&self, action: &OwnAction) -> Option<Vec<CardFace>> {
        match action.of::<DrezAction>()? {
            DrezAction::Deal { common: Some(row), own } if own.iter().all(|(_, cards)| cards.is_none()) => {
                Some(row.iter().copied().map(CardFace::from).collect())
            }
            _ => None,
        }
    }

    fn travels(&self, action: &OwnAction) -> Vec<CardTravel> {
        action.of::<DrezAction>().map(travels).unwrap_or_default()
    }

    fn sets_row(&self, ruled: &OwnChange) -> bool {
        ruled.of::<DrezRuled>().is_some_and(|ruled| ruled.common.is_some())
    }
}

/// The cards that an action moved. A card that was taken blindly makes a whole place unknown.
fn travels(action: &DrezAction) -> Vec<CardTravel> {
    let went = |card: DrezCard, copy, from, to| CardTravel::Went { card: card.into(), copy, from, to };
    let unseen =
        |from, card: Option<DrezCard>| CardTravel::LeftUnseen { from, card: card.map(CardFace::from) };
    let neutral = |from| unseen(from, Some(DrezCard::Neutral));
    match action {
        DrezAction::Reveal { by, card, from, source } => {
            let from = match from {
                CardPlace::Own => CardSpot::Hand(*by),
                CardPlace::Common => CardSpot::Row,
            };
            vec![went(*card, source.copy, from, CardSpot::Used)]
        }
        DrezAction::Return { by, card, source } => {
            vec![went(*card, source.copy, CardSpot::Hand(*by), CardSpot::Row)]
        }
        // A hidden card changes hands.
        DrezAction::Swap { from: CardPlace::Own, with: SwapWith::Opponent, .. } => {
            Color::ALL.map(|color| unseen(CardSpot::Hand(color), None)).to_vec()
        }
        DrezAction::Swap { by, from: CardPlace::Common, with: SwapWith::Opponent, .. } => {
            vec![unseen(CardSpot::Hand(by.other()), None), neutral(CardSpot::Row)]
        }
        DrezAction::Swap { from: CardPlace::Common, .. } => vec![neutral(CardSpot::Row)],
        // A neutral card of the hand leaves it; which one, nobody has seen.
        DrezAction::Swap { by, from: CardPlace::Own, with, card } => {
            let taken =
                card.filter(|_| *with == SwapWith::Common).map(|card| unseen(CardSpot::Row, Some(card)));
            std::iter::once(neutral(CardSpot::Hand(*by))).chain(taken).collect()
        }
        DrezAction::Remove { .. }
        | DrezAction::Deal { .. }
        | DrezAction::Roll { .. }
        | DrezAction::Show { .. } => Vec::new(),
    }
}
