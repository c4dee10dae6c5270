//! The lines of a turn: the die, exchanges, shown cards, the card that is laid, the move, and the card put back.
//!
//! Each line is checked completely before it changes anything.
//!
//! Source: `docs/rules-pokerdrez.md`, rules 6 to 23; `docs/record-pokerdrez.md`, "How lines act", 3 to 11.

use tabiya_types::{Color, Role};

use super::letter::DrezCard;
use super::lines::SwapWith;
use super::pool::{HAND, HAND_CARDS, OwnCards};
use super::refusals::DrezError;
use super::state::{DrezTurn, MovedWith, PokerDrezState};
use crate::rules::capability::CardPlace;
use crate::rules::game::Game;
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::play::Play;
use crate::rules::play_action::PlayAction;
use crate::rules::turn::Turn;
use crate::rules::uci::Uci;
use crate::rules::violation::Violation;

impl PokerDrezState {
    /// Whether the side that moved last has not ended its turn yet.
    pub(super) fn unpressed(&self) -> bool {
        self.play.as_ref().is_some_and(|play| matches!(play.turn(), Turn::Timed { acted: true, .. }))
    }

    /// The card that decides what the side to move may move: the one that was laid, otherwise the throw of this turn.
    pub(super) fn waker(&self) -> Option<DrezCard> {
        let DrezTurn { laid, rolled, .. } = self.turn;
        let card = laid.map(|(card, _)| card).or(rolled.map(|(card, _)| card));
        card.filter(|_| !self.unpressed())
    }

    /// Whether this card lets its user move a piece of this kind.
    pub(super) fn wakes(play: &Play, card: DrezCard, kind: Role) -> bool {
        let by = play.to_move();
        card.wakes(kind, |role| !play.squares_of(by, role).is_empty())
    }

    /// Whether some legal move is made by a piece that this card wakes.
    pub(super) fn moves_something(play: &Play, kinds: &[Role], card: DrezCard) -> bool {
        kinds.iter().any(|kind| Self::wakes(play, card, *kind))
    }

    /// Refuses what only a player may do whose turn it is, who has not moved yet, and only while cards count.
    fn may_use_cards(&self, by: Color) -> Result<&Play, Violation> {
        let play = self.dealt()?;
        self.nothing_waits()?;
        if let Some(owing) = self.owing() {
            return Err(self.no(&DrezError::Owes(owing)));
        }
        play.may_move(by)?;
        if !self.cards_count() {
            return Err(self.no(&DrezError::CardsAside));
        }
        Ok(play)
    }

    /// The same for what has to come before a card is laid.
    fn may_prepare(&self, by: Color) -> Result<&Play, Violation> {
        let play = self.may_use_cards(by)?;
        match self.turn.laid {
            Some((card, _)) => Err(self.no(&DrezError::CardLies(card))),
            None => Ok(play),
        }
    }

    /// Once the stock is empty, cards and die are laid aside at once.
    pub(super) fn lay_aside(&mut self) {
        if self.pool.stock == 0 {
            self.turn = DrezTurn::default();
        }
    }

    pub(super) fn reveal(&mut self, by: Color, card: DrezCard, from: CardPlace) -> Result<(), Violation> {
        let play = self.may_prepare(by)?;
        match from {
            CardPlace::Common if !self.pool.row.has(card) => {
                return Err(self.no(&DrezError::NotInRow(card)));
            }
            CardPlace::Own if !self.pool.possible(by, card) => {
                return Err(self.no(&DrezError::NotInHand { of: by, card }));
            }
            CardPlace::Common | CardPlace::Own => {}
        }
        if !Self::moves_something(play, &play.moving_kinds(), card) {
            return Err(self.no(&DrezError::MovesNothing(card)));
        }
        match from {
            CardPlace::Common => drop(self.pool.row.take(card)),
            CardPlace::Own => self.pool.take_own(by, card),
        }
        self.pool.used.add(card);
        self.turn.laid = Some((card, from));
        Ok(())
    }

    pub(super) fn roll(&mut self, by: Color, pips: u8) -> Result<(), Violation> {
        self.may_prepare(by)?;
        if self.die != by {
            return Err(self.no(&DrezError::NoDie(by)));
        }
        self.turn.rolled = DrezCard::of_pips(pips).map(|card| (card, pips));
        self.die = by.other();
        Ok(())
    }

    pub(super) fn show(&mut self, by: Color, cards: [DrezCard; HAND]) -> Result<(), Violation> {
        let play = self.may_prepare(by)?;
        if self.die == by {
            return Err(self.no(&DrezError::DieFirst(by)));
        }
        if !self.pool.possible_pair(by, cards) {
            let card = cards.into_iter().find(|card| !self.pool.possible(by, *card)).unwrap_or(cards[1]);
            return Err(self.no(&DrezError::NotInHand { of: by, card }));
        }
        let rolled = self.turn.rolled.map(|(card, _)| card);
        let kinds = play.moving_kinds();
        let helps = |card: &DrezCard| Self::moves_something(play, &kinds, *card);
        if let Some(card) = cards.into_iter().chain(self.pool.row.cards()).chain(rolled).find(helps) {
            return Err(self.no(&DrezError::RowMoves(card)));
        }
        let ended = match play.check() {
            Some(_) => Some(Outcome::won(by.other(), Reason::Checkmate)),
            None if self.terms.stuck_draws && self.turn.shows > 0 => Some(Outcome::drawn(Reason::Stalemate)),
            None => None,
        };
        for card in cards {
            self.pool.take_own(by, card);
        }
        if let Some(outcome) = ended {
            for card in cards {
                self.pool.own[by].known.add(card);
            }
            self.end(outcome);
            return Ok(());
        }
        for card in cards {
            self.pool.used.add(card);
        }
        self.untold[by] += self.pool.draw(by, HAND_CARDS);
        self.turn.shows += 1;
        self.lay_aside();
        Ok(())
    }

    /// Whether `show` would be accepted with some cards.
    pub(super) fn can_show(&self, by: Color) -> bool {
        let (Ok(play), true) = (self.may_prepare(by), self.die != by) else { return false };
        let kinds = play.moving_kinds();
        let helps = |card: DrezCard| Self::moves_something(play, &kinds, card);
        if self.pool.row.cards().chain(self.turn.rolled.map(|(card, _)| card)).any(helps) {
            return false;
        }
        let idle: Vec<DrezCard> = DrezCard::ALL.into_iter().filter(|card| !helps(*card)).collect();
        idle.iter().any(|one| idle.iter().any(|other| self.pool.possible_pair(by, [*one, *other])))
    }

    // ---- exchanges ----

    pub(super) fn swap(
        &mut self,
        by: Color,
        from: CardPlace,
        with: SwapWith,
        card: Option<DrezCard>,
    ) -> Result<(), Violation> {
        self.may_prepare(by)?;
        if !self.has_neutral(by, from) {
            return Err(self.no(&DrezError::NoNeutral));
        }
        if let Some(card) = card
            && let Err(error) = self.can_come(by, from, with, card)
        {
            return Err(self.no(&error));
        }
        self.exchange(by, from, with, card);
        self.lay_aside();
        Ok(())
    }

    /// Exchanges a neutral card. `card` is the other card where everybody sees it.
    fn exchange(&mut self, by: Color, from: CardPlace, with: SwapWith, card: Option<DrezCard>) {
        let other = by.other();
        match from {
            CardPlace::Own => self.pool.take_own(by, DrezCard::Neutral),
            CardPlace::Common => drop(self.pool.row.take(DrezCard::Neutral)),
        }
        match (with, card) {
            (SwapWith::Stock, Some(card)) => {
                self.pool.used.add(DrezCard::Neutral);
                self.pool.stock -= 1;
                self.pool.row.add(card);
            }
            (SwapWith::Stock, None) => {
                self.pool.used.add(DrezCard::Neutral);
                self.untold[by] += self.pool.draw(by, 1);
            }
            (SwapWith::Common, card) => {
                if let Some(card) = card {
                    self.pool.row.take(card);
                    self.pool.own[by].known.add(card);
                }
                self.pool.row.add(DrezCard::Neutral);
            }
            (SwapWith::Opponent, Some(card)) => {
                self.pool.take_own(other, card);
                self.pool.row.add(card);
                self.pool.own[other].known.add(DrezCard::Neutral);
            }
            (SwapWith::Opponent, None) => {
                // One of the other's two is taken blindly, so nobody knows any more which one stays.
                let held = self.pool.own[other].known.total() + self.pool.own[other].unknown;
                self.pool.own[other] = OwnCards { unknown: held.saturating_sub(1), ..OwnCards::default() };
                self.pool.own[other].known.add(DrezCard::Neutral);
                self.pool.own[by].unknown += 1;
            }
        }
    }

    /// Whether a neutral card lies, or can lie, at this place.
    pub(super) fn has_neutral(&self, by: Color, from: CardPlace) -> bool {
        match from {
            CardPlace::Own => self.pool.possible(by, DrezCard::Neutral),
            CardPlace::Common => self.pool.row.has(DrezCard::Neutral),
        }
    }

    /// Whether this card can come for a neutral one where everybody sees it.
    pub(super) fn can_come(
        &self,
        by: Color,
        from: CardPlace,
        with: SwapWith,
        card: DrezCard,
    ) -> Result<(), DrezError> {
        let other = by.other();
        match (from, with) {
            (_, SwapWith::Common) if card == DrezCard::Neutral => Err(DrezError::NeutralForNeutral),
            (_, SwapWith::Common) if !self.pool.row.has(card) => Err(DrezError::NotInRow(card)),
            (CardPlace::Common, SwapWith::Stock) if !self.pool.can_appear(card) => {
                Err(DrezError::NotInStock(card))
            }
            (CardPlace::Common, SwapWith::Opponent) if !self.pool.possible(other, card) => {
                Err(DrezError::NotInHand { of: other, card })
            }
            _ => Ok(()),
        }
    }

    // ---- the move ----

    pub(super) fn moved(&mut self, by: Color, uci: Uci, action: &PlayAction) -> Result<(), Violation> {
        let play = self.dealt()?;
        if let Some(owing) = self.owing() {
            return Err(self.no(&DrezError::Owes(owing)));
        }
        play.may_move(by)?;
        let mut next = play.clone();
        let ended = next.apply(action)?;
        let with = self.use_for(play, by, uci)?;
        self.play = Some(next);
        self.moved_with.push(with);
        if let Some(outcome) = ended {
            self.end(outcome);
            return Ok(());
        }
        if let MovedWith::Card(_, from) = with {
            self.untold[by] += self.pool.draw(by, 1);
            self.turn.owes = from == CardPlace::Common;
            self.lay_aside();
        }
        Ok(())
    }

    /// What a legal move is made with; refused if neither the card that lies nor the throw allows it.
    fn use_for(&self, play: &Play, by: Color, uci: Uci) -> Result<MovedWith, Violation> {
        if !self.cards_count() {
            return Ok(MovedWith::Nothing);
        }
        let DrezTurn { laid, rolled, .. } = self.turn;
        let (card, with) = match (laid, rolled) {
            (Some((card, from)), _) => (card, MovedWith::Card(card, from)),
            (None, Some((card, pips))) => (card, MovedWith::Die(pips)),
            (None, None) => return Err(self.no(&DrezError::NoCard(by))),
        };
        let woken = play.kind_moved(uci).is_some_and(|kind| Self::wakes(play, card, kind));
        if woken { Ok(with) } else { Err(self.no(&DrezError::NotWoken { uci: uci.to_string(), card })) }
    }

    pub(super) fn put_back(&mut self, by: Color, card: DrezCard) -> Result<(), Violation> {
        self.dealt()?;
        self.nothing_waits()?;
        if self.owing() != Some(by) {
            return Err(self.no(&DrezError::NothingOwed));
        }
        if !self.pool.possible(by, card) {
            return Err(self.no(&DrezError::NotInHand { of: by, card }));
        }
        self.pool.take_own(by, card);
        self.pool.row.add(card);
        self.turn.owes = false;
        Ok(())
    }

    pub(super) fn claim(
        &mut self,
        by: Color,
        uci: Option<Uci>,
        action: &PlayAction,
    ) -> Result<(), Violation> {
        let play = self.dealt()?;
        let ended = play.clone().apply(action)?;
        if let Some(uci) = uci
            && self.cards_count()
        {
            // The other's turn counts as ended, and with it what was laid or thrown in it.
            if self.unpressed() {
                return Err(self.no(&DrezError::NoCard(by)));
            }
            self.use_for(play, by, uci)?;
        }
        if let Some(outcome) = ended {
            self.end(outcome);
        }
        Ok(())
    }
}
