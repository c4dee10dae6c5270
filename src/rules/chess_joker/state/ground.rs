//! What decides which plays are legal: the position, whose turn it is, the cards before the players, and a check on which
//! they have agreed.
//!
//! Source: `docs/record-chess-joker.md`, "The game as a value" and "How lines act" (K5, K6, K10).

use tabiya_types::{Board, Color, Fact, Role, Sentence, Square, say};

use super::super::card::JokerCard;
use super::super::choice::CardUses;
use super::super::effect::{Effort, FoundUse, Masquerade};
use super::super::lines::{JokerAction, JokerOffer, PlayCard};
use super::super::lines_of_board::each;
use super::super::men::Men;
use super::super::picture::steps_between;
use super::super::plays::{Impossible, Plays, declared};
use super::super::position::{Danger, JokerPosition};
use super::super::step::CardStep;
use super::cards::JokerCards;
use super::sight::JokerCheck;
use super::{FEW_PIECES, refusal};
use crate::rules::action::{Action, OwnAction};
use crate::rules::offer::{Offer, OwnOffer};
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::play_action::PlayAction;
use crate::rules::turn::Candidate;
use crate::rules::violation::Violation;

/// What decides which plays are legal.
#[derive(Clone, Debug)]
pub(super) struct JokerGround {
    pub(super) position: JokerPosition,
    /// Whose turn it is.
    pub(super) turn: Color,
    pub(super) cards: JokerCards,
    /// Whether a check of the player to act was claimed and agreed in this turn.
    pub(super) claimed: bool,
}

impl JokerGround {
    pub(super) fn plays<'a>(&'a self, effort: &'a Effort) -> Plays<'a> {
        let by = self.turn;
        Plays { position: &self.position, by, own: self.cards.effect(by), danger: self.danger(by, effort) }
    }

    pub(super) fn danger<'a>(&'a self, color: Color, effort: &'a Effort) -> Danger<'a> {
        Danger { enemy: self.cards.effect(color.other()), effort }
    }

    pub(super) fn can_play(&self) -> bool {
        self.plays(&Effort::new()).any()
    }

    pub(super) fn in_check(&self, color: Color) -> bool {
        self.position.in_check(color, self.danger(color, &Effort::new()))
    }

    /// Whether the player to act is known to be in check: by what is written, or by a claim that was agreed.
    pub(super) fn known_in_check(&self) -> bool {
        self.claimed || self.in_check(self.turn)
    }

    /// The uses of the written card that leave this board, one for each state in which they leave the game.
    fn uses_for(&self, seen: &Men) -> Vec<PlayCard> {
        let by = self.turn;
        let play = |FoundUse { steps, mask, .. }| PlayCard { by, steps, mask, card: None, elo: None };
        // A search that had to end early may have missed a use, so it has found nothing.
        self.plays(&Effort::new()).leading_to(seen).into_iter().flatten().map(play).collect()
    }

    /// What a card without a written effect may have done, if its points are known.
    fn declaration_for(&self, seen: &Men) -> Option<PlayCard> {
        let by = self.turn;
        let card = self.cards.before[by].as_ref()?;
        if card.effect.is_some() || card.elo.is_none() {
            return None;
        }
        let steps = steps_between(&self.position.men, seen);
        self.declared(by, &steps).ok()?;
        Some(PlayCard { by, steps, mask: Masquerade::NONE, card: None, elo: None })
    }

    /// Refuses a masquerade for a piece that the player has, or that the card does not print bold.
    fn check_mask(&self, play: &PlayCard) -> Result<(), Violation> {
        for (role, _) in play.mask.replaced() {
            if has_piece(&self.position.men, play.by, role) {
                return Err(refusal::has_that_piece(play.by, role));
            }
            if self.cards.effect(play.by).is_some_and(|effect| !effect.is_bold(role)) {
                return Err(refusal::not_bold(role));
            }
        }
        Ok(())
    }

    /// The moves and the uses of the card that are legal.
    pub(super) fn plays_offered(&self) -> Vec<Offer> {
        let effort = Effort::new();
        let (by, plays) = (self.turn, self.plays(&effort));
        let moves = plays.moves().into_iter();
        let mut offers: Vec<Offer> = moves
            .map(|(uci, _)| Offer::Do(Action::Play(PlayAction::Move { by, uci, stands: None })))
            .collect();
        let uses = plays.sample_uses().into_iter().map(|(mask, uses)| JokerOffer::Uses { by, mask, uses });
        let unwritten = (!self.cards.is_written(by)).then_some(JokerOffer::Unwritten(by));
        offers.extend(uses.chain(unwritten).map(|offer| Offer::Own(OwnOffer::new(offer))));
        offers
    }

    /// What the player to act has to do: a move, or his card.
    pub(super) fn what_to_play(&self) -> Sentence {
        let by = self.turn;
        let code = self.cards.before[by].as_ref().map(JokerCard::word);
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

    /// How the player to act is in check. Once the game is `over`, an agreed check alone is none.
    pub(super) fn check_shown(&self, over: bool, effort: &Effort) -> Option<JokerCheck> {
        let of = self.turn;
        if over && !self.in_check(of) {
            return None;
        }
        let men = &self.position.men;
        let king = each(men.king(of)).next()?;
        let pieces = each(men.threatening(king)).filter_map(Square::from_index).collect();
        let card =
            self.cards.effect(of.other()).and_then(|effect| self.position.capture_of(of, effect, effort));
        let check = JokerCheck { of, king: Square::from_index(king)?, pieces, card, claimed: self.claimed };
        (!check.pieces.is_empty() || check.card.is_some() || check.claimed).then_some(check)
    }

    /// The position after these steps of a player whose card is not written. `Err` says what is impossible.
    fn declared(&self, by: Color, steps: &[CardStep]) -> Result<JokerPosition, Impossible> {
        let effort = Effort::new();
        declared(&self.position, by, self.danger(by, &effort), steps)
    }

    /// How the game ends for the player to act if he has no legal play: lost in check, and drawn otherwise, as far as the
    /// cards are written.
    pub(super) fn ended(&self) -> Option<Outcome> {
        if self.can_play() {
            return None;
        }
        let written = self.cards.is_written(self.turn);
        let enemy_written = self.cards.is_written(self.turn.other());
        if self.known_in_check() {
            written.then(|| Outcome::won(self.turn.other(), Reason::Checkmate))
        } else {
            (written && enemy_written).then(|| Outcome::drawn(Reason::Stalemate))
        }
    }

    /// The position after a player uses his card so.
    pub(super) fn after_card(&self, play: &PlayCard) -> Result<JokerPosition, Violation> {
        self.check_mask(play)?;
        if self.cards.effect(play.by).is_some() {
            let after = self.plays(&Effort::new()).used(play.mask, &play.steps);
            return after.ok_or_else(|| refusal::not_the_card(play));
        }
        let after = self.declared(play.by, &play.steps);
        after.map_err(|impossible| refusal::cannot_be_done(play.by, impossible))
    }

    /// The standard moves, each with the board after it.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let by = self.turn;
        let candidate = |(uci, after): (_, JokerPosition)| {
            let action = Action::Play(PlayAction::Move { by, uci, stands: None });
            Candidate { action, after: after.men.board() }
        };
        self.plays(&Effort::new()).moves().into_iter().map(candidate).collect()
    }

    /// The use of the written card that leaves this board. Of several uses that leave the game in different states, the
    /// players choose one.
    pub(super) fn candidate_for(&self, seen: &Board) -> Option<Candidate> {
        let [play] = <[PlayCard; 1]>::try_from(self.uses_for(&Men::of(seen))).ok()?;
        let action = Action::Own(OwnAction::new(JokerAction::Play(play)));
        Some(Candidate { action, after: *seen })
    }

    /// What the player to act may have done with his card to leave this board.
    pub(super) fn proposals_for(&self, seen: &Board) -> Vec<Action> {
        let (men, seen) = (&self.position.men, Men::of(seen));
        if *men == seen {
            return Vec::new();
        }
        let plays = self.uses_for(&seen);
        let plays = if plays.is_empty() { self.declaration_for(&seen).into_iter().collect() } else { plays };
        plays.into_iter().map(JokerAction::Play).map(OwnAction::new).map(Action::Own).collect()
    }

    /// Whether a check, or a mate, may be claimed (K10).
    pub(super) fn claimable(&self, mate: bool) -> bool {
        let (own_unwritten, enemy_unwritten) =
            (!self.cards.is_written(self.turn), !self.cards.is_written(self.turn.other()));
        if mate {
            enemy_unwritten || own_unwritten && self.known_in_check()
        } else {
            enemy_unwritten && !self.known_in_check()
        }
    }

    /// What the written card of a player could do if it were his turn.
    pub(super) fn uses_of(&self, by: Color) -> Option<CardUses> {
        let effect = |of: Color| self.cards.before[of].as_ref()?.effect.clone();
        Some(CardUses { position: self.position, by, own: effect(by)?, enemy: effect(by.other()) })
    }

    /// Whether a player has so few pieces that he makes his last stand (rule J4).
    pub(super) fn has_few(&self, of: Color) -> bool {
        self.position.men.of_color(of).count_ones() <= FEW_PIECES
    }

    /// A move or a card as a score sheet has it; `None` for any other action.
    pub(super) fn noted(&self, action: &Action) -> Option<Fact> {
        match action {
            Action::Play(PlayAction::Move { by, uci, .. }) => {
                let after = self.plays(&Effort::new()).moved(*uci)?;
                Some(Fact::San(self.position.san(*by, *uci, &after)))
            }
            Action::Own(own) if matches!(own.of(), Some(JokerAction::Play(_))) => Some(own.describe().into()),
            _ => None,
        }
    }
}

/// The letter of a kind of piece with its colour's player, for refusals.
fn has_piece(men: &Men, color: Color, role: Role) -> bool {
    men.of_color(color) & men.of_role(role) != 0
}
