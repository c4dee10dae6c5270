//! What the lines of a game do: each is checked first and changes the game after.
//!
//! Source: `docs/record-chess-joker.md`, "How lines act" (K2 to K10, K14).

use tabiya_types::Color;

use super::super::effect::Effort;
use super::super::lines::{ClaimedCheck, DrawCard, JokerAction, PlayCard};
use super::super::position::JokerPosition;
use super::{ELO, JokerState, Stage, Waiting, refusal};
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
            Stage::Draw => Err(refusal::card_first(self.ground.turn, self.what_to_do())),
            Stage::Play if self.unpressed == Some(by) => Err(refusal::moved_already(by)),
            Stage::Play if self.ground.turn != by || self.unpressed.is_some() => {
                Err(refusal::not_your_turn(self.ground.turn))
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
                self.draws.offer(*by);
                Ok(())
            }
            PlayAction::AcceptDraw(by) => {
                self.draws.offered_to(*by)?;
                self.outcome = Some(Outcome::drawn(Reason::Agreement));
                Ok(())
            }
            PlayAction::DeclineDraw(by) => {
                self.draws.offered_to(*by)?;
                self.draws.pass(*by);
                Ok(())
            }
            PlayAction::ClaimDraw { .. } => Err(refusal::nothing_to_claim()),
        }
    }

    fn standard_move(&mut self, by: Color, uci: Uci, stands_in: bool) -> Result<(), Violation> {
        self.may_play(by)?;
        let after =
            self.ground.plays(&Effort::new()).moved(uci).ok_or_else(|| refusal::illegal_move(by, uci))?;
        if stands_in && uci.promotion.is_none() {
            return Err(refusal::nothing_stands_in(uci));
        }
        self.sheet.moved(uci, self.ground.position.san(by, uci, &after));
        self.ground.position = after;
        self.ground.cards.before[by] = None;
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
            Stage::Draw if self.ground.turn == *by => {}
            Stage::Draw => return Err(refusal::not_your_turn(self.ground.turn)),
            Stage::Confirm => return Err(refusal::something_waits(self.what_to_do())),
            Stage::Play => return Err(refusal::no_draw_now(*by, self.what_to_do())),
        }
        if self.terms.simple && card.star == Some(true) {
            return Err(refusal::starred(card));
        }
        self.ground.cards.draw(*by, card)?;
        self.check_for_check();
        Ok(())
    }

    fn play_card(&mut self, play: &PlayCard) -> Result<(), Violation> {
        self.may_play(play.by)?;
        if self.ground.cards.before[play.by].is_none() {
            return Err(refusal::no_card(play.by, self.what_to_do()));
        }
        self.ground.cards.check(play)?;
        let after = self.ground.after_card(play)?;
        if self.ground.cards.effect(play.by).is_some() {
            return self.used(play, after);
        }
        if self.terms.other_confirms {
            self.waits = Some(Waiting::Use(play.clone(), after));
            self.stage = Stage::Confirm;
            return Ok(());
        }
        self.used(play, after)
    }

    /// A use of a card acts (K7).
    fn used(&mut self, play: &PlayCard, after: JokerPosition) -> Result<(), Violation> {
        let by = play.by;
        if let Some(code) = play.card
            && self.ground.cards.before[by].as_ref().is_some_and(|card| card.code.is_none())
        {
            self.ground.cards.tell(code)?;
        }
        let mut card = self.ground.cards.before[by].take().expect("a card was played");
        card.code = card.code.or(play.card);
        self.ground.position = after;
        self.ground.cards.score_card(by, &card, play);
        self.sheet.used(by, &play.listed(&card.word()), &self.ground.position);
        (self.waits, self.stage) = (None, Stage::Play);
        if self.ground.cards.has_enough(by) {
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
        self.stage == Stage::Play && self.ground.claimable(mate)
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
            self.ground.claimed = true;
            self.ground.cards.score_for_check(self.ground.turn);
        }
        if mate || self.ground.cards.is_written(self.ground.turn) && !self.ground.can_play() {
            self.outcome = Some(Outcome::won(self.ground.turn.other(), Reason::Checkmate));
        }
    }
}
