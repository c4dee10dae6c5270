//! What the lines of a game do: each is checked first and changes the game after.
//!
//! Source: `docs/record-chess-joker.md`, "How lines act" (K2 to K10, K14).

use std::sync::Arc;

use tabiya_types::Color;

use super::super::card::Code;
use super::super::effect::Effort;
use super::super::lines::{ClaimedCheck, DrawCard, JokerAction, PlayCard};
use super::super::plays::declared;
use super::super::position::JokerPosition;
use super::{ELO, ENOUGH, JokerState, Stage, Waiting, has_piece, refusal};
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::play_action::PlayAction;
use crate::rules::uci::Uci;
use crate::rules::violation::{Violation, begin_next, game_over};

impl JokerState {
    pub(super) fn running(&self) -> Result<(), Violation> {
        match self.outcome {
            None => Ok(()),
            Some(_) => Err(Violation::new("game-over", game_over(), begin_next())),
        }
    }

    /// Refuses a play that is not this player's to make now.
    fn may_play(&self, by: Color) -> Result<(), Violation> {
        match self.stage {
            Stage::Confirm => Err(refusal::something_waits(self.what_to_do())),
            Stage::Draw => Err(refusal::card_first(self.turn, self.what_to_do())),
            Stage::Play if self.unpressed == Some(by) => Err(refusal::moved_already(by)),
            Stage::Play if self.turn != by || self.unpressed.is_some() => {
                Err(refusal::not_your_turn(self.turn))
            }
            Stage::Play => Ok(()),
        }
    }

    // ---- moves, offers ----

    pub(super) fn play(&mut self, action: &PlayAction) -> Result<(), Violation> {
        match action {
            PlayAction::Move { by, uci, stands } => self.standard_move(*by, *uci, stands.is_some()),
            PlayAction::Resign(by) => {
                self.outcome = Some(Outcome::won(by.other(), Reason::Resignation));
                Ok(())
            }
            PlayAction::OfferDraw(by) => {
                self.offers[*by] = true;
                Ok(())
            }
            PlayAction::AcceptDraw(by) => {
                self.offered_to(*by)?;
                self.outcome = Some(Outcome::drawn(Reason::Agreement));
                Ok(())
            }
            PlayAction::DeclineDraw(by) => {
                self.offered_to(*by)?;
                self.offers[by.other()] = false;
                Ok(())
            }
            PlayAction::ClaimDraw { .. } => Err(refusal::nothing_to_claim()),
        }
    }

    fn offered_to(&self, by: Color) -> Result<(), Violation> {
        if self.offers[by.other()] { Ok(()) } else { Err(refusal::no_offer(by.other())) }
    }

    fn standard_move(&mut self, by: Color, uci: Uci, stands_in: bool) -> Result<(), Violation> {
        self.may_play(by)?;
        let after = self.plays(&Effort::new()).moved(uci).ok_or_else(|| refusal::illegal_move(by, uci))?;
        if stands_in && uci.promotion.is_none() {
            return Err(refusal::nothing_stands_in(uci));
        }
        self.sheet.moved(uci, self.position.san(by, uci, &after));
        self.position = after;
        self.cards[by] = None;
        self.played(by);
        Ok(())
    }

    // ---- cards ----

    pub(super) fn act(&mut self, action: &JokerAction) -> Result<(), Violation> {
        match action {
            JokerAction::Draw(draw) => self.draw(draw),
            JokerAction::Play(play) => self.play_card(play),
            JokerAction::Answer { by, yes } => self.answer(*by, *yes),
            JokerAction::Check(check) => self.claim(*check),
        }
    }

    fn draw(&mut self, DrawCard { by, card, .. }: &DrawCard) -> Result<(), Violation> {
        match self.stage {
            Stage::Draw if self.turn == *by => {}
            Stage::Draw => return Err(refusal::not_your_turn(self.turn)),
            Stage::Confirm => return Err(refusal::something_waits(self.what_to_do())),
            Stage::Play => return Err(refusal::no_draw_now(*by, self.what_to_do())),
        }
        if self.terms.simple && card.star == Some(true) {
            return Err(refusal::starred(card));
        }
        if let Some(code) = card.code {
            self.tell(code)?;
        }
        self.deck -= 1;
        self.cards[*by] = Some(card.clone());
        self.check_for_check();
        Ok(())
    }

    /// Notes a code that was told; refused if it was told before.
    fn tell(&mut self, code: Code) -> Result<(), Violation> {
        if self.told.contains(&code) {
            return Err(refusal::told_already(code));
        }
        Arc::make_mut(&mut self.told).insert(code);
        Ok(())
    }

    fn play_card(&mut self, play: &PlayCard) -> Result<(), Violation> {
        self.may_play(play.by)?;
        self.check_card(play)?;
        self.check_mask(play)?;
        let written = self.effect(play.by).is_some();
        if written {
            let after = self.plays(&Effort::new()).used(play.mask, &play.steps);
            let after = after.ok_or_else(|| refusal::not_the_card(play))?;
            return self.used(play, after);
        }
        let effort = Effort::new();
        let after = declared(&self.position, play.by, self.danger(play.by, &effort), &play.steps)
            .map_err(|impossible| refusal::cannot_be_done(play.by, impossible))?;
        if self.terms.other_confirms {
            self.waits = Some(Waiting::Use(play.clone(), after));
            self.stage = Stage::Confirm;
            return Ok(());
        }
        self.used(play, after)
    }

    /// Refuses a play with no card, another card, or points where they do not belong.
    fn check_card(&self, play: &PlayCard) -> Result<(), Violation> {
        let Some(card) = &self.cards[play.by] else {
            return Err(refusal::no_card(play.by, self.what_to_do()));
        };
        match (play.card, card.code) {
            (Some(code), Some(known)) if code != known => return Err(refusal::another_card(play.by, known)),
            (Some(code), None) if self.told.contains(&code) => return Err(refusal::told_already(code)),
            _ => {}
        }
        let needed = play.mask.is_none() && card.elo.is_none();
        match (needed, play.elo) {
            (true, None) => Err(refusal::points_missing()),
            (false, Some(_)) => Err(refusal::points_not_needed()),
            (true, Some(_)) | (false, None) => Ok(()),
        }
    }

    /// Refuses a masquerade for a piece that the player has, or that the card does not print bold.
    fn check_mask(&self, play: &PlayCard) -> Result<(), Violation> {
        for (role, _) in play.mask.replaced() {
            if has_piece(&self.position.men, play.by, role) {
                return Err(refusal::has_that_piece(play.by, role));
            }
            if self.effect(play.by).is_some_and(|effect| !effect.is_bold(role)) {
                return Err(refusal::not_bold(role));
            }
        }
        Ok(())
    }

    /// A use of a card acts (K7).
    fn used(&mut self, play: &PlayCard, after: JokerPosition) -> Result<(), Violation> {
        let by = play.by;
        if let Some(code) = play.card
            && self.cards[by].as_ref().is_some_and(|card| card.code.is_none())
        {
            self.tell(code)?;
        }
        let mut card = self.cards[by].take().expect("a card was played");
        card.code = card.code.or(play.card);
        self.position = after;
        self.score_card(by, &card, play);
        self.sheet.used(by, &play.listed(&card.word()), &self.position);
        (self.waits, self.stage) = (None, Stage::Play);
        if self.points[by] >= ENOUGH {
            self.outcome = Some(Outcome::won(by, Reason::Own(ELO)));
        } else {
            self.played(by);
        }
        Ok(())
    }

    // ---- what waits for a yes ----

    fn answer(&mut self, by: Option<Color>, yes: bool) -> Result<(), Violation> {
        let Some(answers) = self.answers() else { return Err(refusal::nothing_waits(self.what_to_do())) };
        if by.is_some_and(|by| by != answers) {
            return Err(refusal::not_your_answer(answers));
        }
        let waits = self.waits.take();
        self.stage = Stage::Play;
        match waits {
            Some(Waiting::Use(play, after)) if yes => self.used(&play, after)?,
            Some(Waiting::Claim { mate, .. }) if yes => self.claim_acts(mate),
            Some(_) | None => {}
        }
        Ok(())
    }

    /// Whether a check, or a mate, may be claimed now (K10).
    pub(super) fn claimable(&self, mate: bool) -> bool {
        let (own_unwritten, enemy_unwritten) =
            (!self.is_written(self.turn), !self.is_written(self.turn.other()));
        self.stage == Stage::Play
            && if mate {
                enemy_unwritten || own_unwritten && self.known_in_check()
            } else {
                enemy_unwritten && !self.known_in_check()
            }
    }

    fn claim(&mut self, check: ClaimedCheck) -> Result<(), Violation> {
        if self.stage == Stage::Confirm {
            return Err(refusal::something_waits(self.what_to_do()));
        }
        if !self.claimable(check.is_mate()) {
            return Err(refusal::not_to_claim(check.is_mate(), self.what_to_do()));
        }
        match check.by.filter(|_| self.terms.other_confirms) {
            Some(by) => {
                self.waits = Some(Waiting::Claim { by, mate: check.is_mate() });
                self.stage = Stage::Confirm;
            }
            None => self.claim_acts(check.is_mate()),
        }
        Ok(())
    }

    fn claim_acts(&mut self, mate: bool) {
        if !mate {
            self.claimed = true;
            self.score_for_check();
        }
        if mate || self.is_written(self.turn) && !self.can_play() {
            self.outcome = Some(Outcome::won(self.turn.other(), Reason::Checkmate));
        }
    }
}
