//! Offers of a draw.

use tabiya_types::{ByColor, Color, Sentence, say};

use super::refusal;
use crate::rules::action::Action;
use crate::rules::offer::Offer;
use crate::rules::play_action::PlayAction;
use crate::rules::violation::Violation;

/// Whose offer of a draw stands. It stands until the opponent answers it or plays.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DrawOffers(ByColor<bool>);

impl DrawOffers {
    /// This player offers a draw.
    pub(super) fn offer(&mut self, by: Color) {
        self.0[by] = true;
    }

    /// The opponent's offer to this player no longer stands.
    pub(super) fn pass(&mut self, by: Color) {
        self.0[by.other()] = false;
    }

    /// Refuses an answer to an offer that does not stand.
    pub(super) fn offered_to(self, by: Color) -> Result<(), Violation> {
        if self.0[by.other()] { Ok(()) } else { Err(refusal::no_offer(by.other())) }
    }

    /// What each player may do: resign, answer an offer, and make one.
    pub(super) fn legal(self) -> Vec<Offer> {
        let mut offers = Vec::new();
        for color in Color::ALL {
            let mut offer = |play| offers.push(Offer::Do(Action::Play(play)));
            offer(PlayAction::Resign(color));
            if self.0[color.other()] {
                offer(PlayAction::AcceptDraw(color));
                offer(PlayAction::DeclineDraw(color));
            }
            offer(PlayAction::OfferDraw(color));
        }
        offers
    }

    /// What this player has to do, with the offer that stands.
    pub(super) fn beside(self, prompt: Sentence, by: Color) -> Sentence {
        if self.0[by.other()] {
            say!("with-draw-offer-here", "{prompt} ({other} offers a draw)", prompt, other = by.other())
        } else {
            prompt
        }
    }
}
