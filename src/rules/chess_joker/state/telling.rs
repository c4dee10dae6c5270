//! What a game says about itself: what may be done now, what to do, and its part of the results.
//!
//! Source: `docs/record-chess-joker.md`, "Results".

use tabiya_types::{ByColor, Color, Sentence, say};

use super::super::card::JokerCard;
use super::super::effect::Effort;
use super::super::lines::{ClaimedCheck, JokerAction, JokerOffer, PlayCard};
use super::super::step::CardStep;
use super::{JokerState, Pile, Stage, Waiting};
use crate::rules::action::{Action, OwnAction};
use crate::rules::datum::{Datum, Group};
use crate::rules::offer::{Offer, OwnOffer};
use crate::rules::play_action::PlayAction;
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
            Stage::Play => self.plays_offered(),
            Stage::Draw => vec![Offer::Own(OwnOffer::new(JokerOffer::Draw(self.turn)))],
            Stage::Confirm => self.answers().map(answers).unwrap_or_default(),
        };
        offers.extend(self.claims());
        for color in Color::ALL {
            let mut offer = |play| offers.push(Offer::Do(Action::Play(play)));
            offer(PlayAction::Resign(color));
            if self.offers[color.other()] {
                offer(PlayAction::AcceptDraw(color));
                offer(PlayAction::DeclineDraw(color));
            }
            offer(PlayAction::OfferDraw(color));
        }
        offers
    }

    fn plays_offered(&self) -> Vec<Offer> {
        let effort = Effort::new();
        let (by, plays) = (self.turn, self.plays(&effort));
        let moves = plays.moves().into_iter();
        let mut offers: Vec<Offer> = moves
            .map(|(uci, _)| Offer::Do(Action::Play(PlayAction::Move { by, uci, stands: None })))
            .collect();
        let uses = plays.sample_uses().into_iter().map(|(mask, uses)| JokerOffer::Uses { by, mask, uses });
        let unwritten = (!self.is_written(by)).then_some(JokerOffer::Unwritten(by));
        offers.extend(uses.chain(unwritten).map(|offer| Offer::Own(OwnOffer::new(offer))));
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
        let by = self.turn;
        if self.outcome.is_some() {
            return game_over();
        }
        let prompt = match (self.stage, &self.waits) {
            (Stage::Confirm, Some(Waiting::Claim { by, mate: false })) => {
                say!("answer-check", "{other}: is it check, as {by} says?", other = by.other(), by = *by)
            }
            (Stage::Confirm, Some(Waiting::Claim { by, mate: true })) => {
                say!("answer-mate", "{other}: is it mate, as {by} says?", other = by.other(), by = *by)
            }
            (Stage::Confirm, _) => {
                say!("answer-play", "{other}: does the card of {by} say so?", other = by.other(), by)
            }
            (Stage::Draw, _) => say!("draw-a-card", "{by}: draw a card", by),
            (Stage::Play, _) if self.unpressed.is_some() => {
                return press_the_clock(by.other());
            }
            (Stage::Play, _) => self.what_to_play(),
        };
        if self.offers[by.other()] {
            say!("with-draw-offer-here", "{prompt} ({other} offers a draw)", prompt, other = by.other())
        } else {
            prompt
        }
    }

    fn what_to_play(&self) -> Sentence {
        let by = self.turn;
        let code = self.cards[by].as_ref().map(JokerCard::word);
        match (code, self.known_in_check()) {
            (None, false) => say!("play-a-move", "{by}: make a move", by),
            (None, true) => say!("play-a-move-in-check", "{by}: make a move that ends the check", by),
            (Some(code), false) => {
                say!("play-or-card", "{by}: make a move, or play the card {code}", by, code)
            }
            (Some(code), true) => {
                say!("play-or-card-in-check", "{by}: end the check by a move or by the card {code}", by, code)
            }
        }
    }

    // ---- results ----

    pub(super) fn told_in_full(&self) -> Group {
        let seats = |color: Color| self.start.seat_of(color).word().to_owned();
        let pile = |color: Color| {
            let Pile { up, down } = &*self.piles[color];
            (seats(color), Group::new().with("up", up.clone()).with("down", *down).into())
        };
        let mut piles: Vec<(String, Datum)> = Color::ALL.map(pile).into_iter().collect();
        piles.sort_by(|(one, _), (other, _)| one.cmp(other));
        let ByColor { white, black } = ByColor::new(|color| self.cards[color].as_ref().map(JokerCard::word));
        let in_check = matches!(self.stage, Stage::Play | Stage::Confirm)
            && self.outcome.is_none()
            && self.known_in_check();
        Group::new()
            .with("start_fen", self.terms.position.fen(self.terms.turn, 1))
            .with("moves", self.sheet.listed.to_vec())
            .with("board", crate::rules::game::Game::board(self).to_string())
            .with("castling", self.position.castling())
            .with("en_passant", self.position.passed_over())
            .with("deck", self.deck)
            .with("piles", piles.into_iter().collect::<Group>())
            .with("cards", Group::new().with("white", white).with("black", black))
            .with("check", in_check.then(|| self.turn.word()))
    }
}

/// The yes and the no of a player.
fn answers(by: Color) -> Vec<Offer> {
    let answer = |yes| Offer::Do(Action::Own(OwnAction::new(JokerAction::Answer { by: Some(by), yes })));
    vec![answer(true), answer(false)]
}
