//! What a game says about itself: what may be done now, what to do, and its part of the results.
//!
//! Source: `docs/record-chess-joker.md`, "Results".

use tabiya_types::{ByColor, Color, Sentence, say};

use super::super::card::JokerCard;
use super::super::lines::{ClaimedCheck, JokerAction, JokerOffer, PlayCard};
use super::super::step::CardStep;
use super::{JokerState, Stage};
use crate::rules::action::{Action, OwnAction};
use crate::rules::datum::Group;
use crate::rules::offer::{Offer, OwnOffer};
use crate::rules::violation::{game_over, press_the_clock};

impl PlayCard {
    /// The play as the list of moves writes it, with the code of the card.
    pub(super) fn listed(&self, code: &str) -> String {
        let steps: Vec<String> = self.steps.iter().map(CardStep::to_string).collect();
        let mask = if self.mask.is_none() { String::new() } else { format!("({})", self.mask) };
        format!("{code}{mask}:{}", steps.join(","))
    }
}

impl JokerState {
    // ---- what may be done ----

    pub(super) fn what_may_be_done(&self) -> Vec<Offer> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let mut offers = match self.stage {
            // Before the press only what does not count as the press is listed here.
            Stage::Play if self.unpressed.is_some() => Vec::new(),
            Stage::Play => self.ground.plays_offered(),
            Stage::Draw => vec![Offer::Own(OwnOffer::new(JokerOffer::Draw(self.ground.turn)))],
            Stage::Confirm => self.answers().map(answers).unwrap_or_default(),
        };
        offers.extend(self.claims());
        offers.extend(self.draws.legal());
        offers
    }

    fn claims(&self) -> impl Iterator<Item = Offer> + '_ {
        let kinds = [None, Some(true)].into_iter().filter(|mate| self.claimable(mate.is_some()));
        kinds.flat_map(|mate| {
            let check = move |by| JokerAction::Check(ClaimedCheck { by: Some(by), mate });
            Color::ALL.map(|by| Offer::Do(Action::Own(OwnAction::new(check(by)))))
        })
    }

    // ---- what to do ----

    pub(super) fn what_to_do(&self) -> Sentence {
        let by = self.ground.turn;
        if self.outcome.is_some() {
            return game_over();
        }
        let prompt = match (&self.waits, self.stage) {
            (Some(waiting), _) => waiting.prompt(),
            (None, Stage::Draw) => say!("draw-a-card", "{by}: draw a card", by),
            (None, Stage::Play | Stage::Confirm) if self.unpressed.is_some() => {
                return press_the_clock(by.other());
            }
            (None, Stage::Play | Stage::Confirm) => self.ground.what_to_play(),
        };
        self.draws.beside(prompt, by)
    }

    // ---- results ----

    pub(super) fn told_in_full(&self) -> Group {
        let seats = |color: Color| self.start.seat_of(color).word().to_owned();
        let piles = self.ground.cards.piles_told(&seats);
        let ByColor { white, black } =
            ByColor::new(|color| self.ground.cards.before[color].as_ref().map(JokerCard::word));
        let in_check = matches!(self.stage, Stage::Play | Stage::Confirm)
            && self.outcome.is_none()
            && self.ground.known_in_check();
        Group::new()
            .with("start_fen", self.terms.position.fen(self.terms.turn, 1))
            .with("moves", self.sheet.listed.to_vec())
            .with("board", crate::rules::game::Game::board(self).to_string())
            .with("castling", self.ground.position.castling())
            .with("en_passant", self.ground.position.passed_over())
            .with("deck", self.ground.cards.deck)
            .with("piles", piles)
            .with("cards", Group::new().with("white", white).with("black", black))
            .with("check", in_check.then(|| self.ground.turn.word()))
    }
}

/// The yes and the no of a player.
fn answers(by: Color) -> Vec<Offer> {
    let answer = |yes| Offer::Do(Action::Own(OwnAction::new(JokerAction::Answer { by: Some(by), yes })));
    vec![answer(true), answer(false)]
}
