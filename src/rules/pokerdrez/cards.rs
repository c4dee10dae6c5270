//! The cards and the die of one game, and what lines do to them. Nobody knows more here than everybody at the table.
//!
//! Each method checks completely before it changes anything. Once the stock is empty, cards and die are laid aside: nothing
//! of a turn is left then.
//!
//! Source: `docs/rules-pokerdrez.md`, rules 2, 5 to 20 and 23; `docs/record-pokerdrez.md`, "How lines act", 2 to 10 and 14.

use tabiya_types::{ByColor, Color, Role};

use super::letter::{DrezCard, DrezCounts};
use super::lines::{DrezOwn, SwapWith};
use super::offers::DrezRuled;
use super::pool::{CardPool, HAND, HAND_CARDS, OwnCards, ROW};
use super::refusals::{DealError, DrezError};
use crate::rules::capability::CardPlace;
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::play::Play;
use crate::rules::turn::Turn;
use crate::rules::uci::Uci;

/// The cards and the die of one game.
#[derive(Clone, Debug)]
pub(super) struct DrezCards {
    pub(super) pool: CardPool,
    /// Who has the die.
    pub(super) die: Color,
    pub(super) turn: DrezTurn,
    /// How many cards each player has drawn from the stock whose faces no line has told yet.
    pub(super) untold: ByColor<u32>,
}

/// What has been done with cards in the present turn, until it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct DrezTurn {
    /// The card that was laid, and from where.
    pub(super) laid: Option<(DrezCard, CardPlace)>,
    /// The card that the throw of this turn counts as, and its number.
    pub(super) rolled: Option<(DrezCard, u8)>,
    /// How often the player has shown his cards.
    shows: u32,
    /// Whether the player has to lay a card into the row.
    pub(super) owes: bool,
}

/// What a move was made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MovedWith {
    Card(DrezCard, CardPlace),
    Die(u8),
    /// The stock was empty: plain chess.
    Nothing,
}

/// Whether the side that moved last has not ended its turn yet.
pub(super) fn unpressed(play: &Play) -> bool {
    matches!(play.turn(), Turn::Timed { acted: true, .. })
}

/// Whether this card lets its user move a piece of this kind.
pub(super) fn wakes(play: &Play, card: DrezCard, kind: Role) -> bool {
    let by = play.to_move();
    card.wakes(kind, |role| !play.squares_of(by, role).is_empty())
}

/// Whether some legal move is made by a piece that this card wakes.
pub(super) fn moves_something(play: &Play, kinds: &[Role], card: DrezCard) -> bool {
    kinds.iter().any(|kind| wakes(play, card, *kind))
}

impl DrezCards {
    /// The cards before the deal.
    pub(super) fn undealt(decks: u32) -> Self {
        Self {
            pool: CardPool::undealt(decks),
            die: Color::Black,
            turn: DrezTurn::default(),
            untold: ByColor::default(),
        }
    }

    /// Whether moves need cards once they are dealt: until the stock is empty.
    pub(super) fn count(&self) -> bool {
        self.pool.stock > 0
    }

    /// Whether nothing was laid or thrown in this turn, and no card is owed.
    pub(super) fn at_rest(&self) -> bool {
        let DrezTurn { laid, rolled, owes, .. } = self.turn;
        laid.is_none() && rolled.is_none() && !owes
    }

    /// Nothing has been done yet in the next turn.
    pub(super) fn end_turn(&mut self) {
        self.turn = DrezTurn::default();
    }

    /// The card that decides what the side to move may move: the one that was laid, otherwise the throw of this turn.
    fn waker(&self, play: &Play) -> Option<DrezCard> {
        let DrezTurn { laid, rolled, .. } = self.turn;
        let card = laid.map(|(card, _)| card).or(rolled.map(|(card, _)| card));
        card.filter(|_| !unpressed(play))
    }

    /// Whether the card that lies, or the throw, allows this move.
    pub(super) fn allows(&self, play: &Play, uci: Uci) -> bool {
        self.waker(play).zip(play.kind_moved(uci)).is_some_and(|(card, kind)| wakes(play, card, kind))
    }

    /// Refuses what has to come before a card is laid.
    fn nothing_lies(&self) -> Result<(), DrezError> {
        self.turn.laid.map_or(Ok(()), |(card, _)| Err(DrezError::CardLies(card)))
    }

    /// Once the stock is empty, cards and die are laid aside at once.
    fn lay_aside(&mut self) {
        if self.pool.stock == 0 {
            self.end_turn();
        }
    }

    // ---- the deal ----

    /// The first deal, with these open cards.
    pub(super) fn deal_row(
        &mut self,
        common: Option<&[DrezCard]>,
        own: &ByColor<DrezOwn>,
    ) -> Result<(), DealError> {
        let row = common.unwrap_or_default();
        if row.len() != ROW {
            return Err(DealError::NeedsRow { count: row.len() });
        }
        for (of, cards) in own.iter() {
            if let Some(count) = cards.as_ref().map(Vec::len).filter(|count| *count != HAND) {
                return Err(DealError::WrongHand { of, count });
            }
        }
        let row: DrezCounts = row.iter().copied().collect();
        let most = self.pool.limit(DrezCard::Neutral);
        if row.of(DrezCard::Neutral) > most {
            return Err(DealError::TooManyNeutral { most });
        }
        self.pool.deal(row);
        Ok(())
    }

    /// A later deal: a reader tells faces of cards that were drawn.
    pub(super) fn tell_drawn(
        &mut self,
        common: Option<&[DrezCard]>,
        own: &ByColor<DrezOwn>,
    ) -> Result<(), DealError> {
        if common.is_some() {
            return Err(DealError::RowLies);
        }
        if own.iter().all(|(_, cards)| cards.is_none()) {
            return Err(DealError::NothingTold);
        }
        let told = ByColor::new(|color| own[color].as_ref().map_or(0, Vec::len));
        let mut untold = self.untold;
        for (of, count) in told.iter() {
            let most = untold[of];
            let Some(left) = u32::try_from(*count).ok().and_then(|count| most.checked_sub(count)) else {
                return Err(DealError::TooManyTold { of, most });
            };
            untold[of] = left;
        }
        self.untold = untold;
        Ok(())
    }

    // ---- before the move ----

    pub(super) fn reveal(
        &mut self,
        play: &Play,
        by: Color,
        (card, from): (DrezCard, CardPlace),
    ) -> Result<(), DrezError> {
        self.nothing_lies()?;
        match from {
            CardPlace::Common if !self.pool.row.has(card) => return Err(DrezError::NotInRow(card)),
            CardPlace::Own if !self.pool.possible(by, card) => {
                return Err(DrezError::NotInHand { of: by, card });
            }
            CardPlace::Common | CardPlace::Own => {}
        }
        if !moves_something(play, &play.moving_kinds(), card) {
            return Err(DrezError::MovesNothing(card));
        }
        match from {
            CardPlace::Common => drop(self.pool.row.take(card)),
            CardPlace::Own => self.pool.take_own(by, card),
        }
        self.pool.used.add(card);
        self.turn.laid = Some((card, from));
        Ok(())
    }

    pub(super) fn roll(&mut self, by: Color, pips: u8) -> Result<(), DrezError> {
        self.nothing_lies()?;
        if self.die != by {
            return Err(DrezError::NoDie(by));
        }
        self.turn.rolled = DrezCard::of_pips(pips).map(|card| (card, pips));
        self.die = by.other();
        Ok(())
    }

    /// A player shows both cards, because none moves anything. Returns the end of the game, if this ends it: in check, or,
    /// if `stuck_draws`, once new cards have not helped.
    pub(super) fn show_hand(
        &mut self,
        play: &Play,
        by: Color,
        (cards, stuck_draws): ([DrezCard; HAND], bool),
    ) -> Result<Option<Outcome>, DrezError> {
        self.nothing_lies()?;
        if self.die == by {
            return Err(DrezError::DieFirst(by));
        }
        if !self.pool.possible_pair(by, cards) {
            let card = cards.into_iter().find(|card| !self.pool.possible(by, *card)).unwrap_or(cards[1]);
            return Err(DrezError::NotInHand { of: by, card });
        }
        let rolled = self.turn.rolled.map(|(card, _)| card);
        let kinds = play.moving_kinds();
        let helps = |card: &DrezCard| moves_something(play, &kinds, *card);
        if let Some(card) = cards.into_iter().chain(self.pool.row.cards()).chain(rolled).find(helps) {
            return Err(DrezError::RowMoves(card));
        }
        let ended = match play.check() {
            Some(_) => Some(Outcome::won(by.other(), Reason::Checkmate)),
            None if stuck_draws && self.turn.shows > 0 => Some(Outcome::drawn(Reason::Stalemate)),
            None => None,
        };
        for card in cards {
            self.pool.take_own(by, card);
        }
        if ended.is_some() {
            for card in cards {
                self.pool.own[by].known.add(card);
            }
            return Ok(ended);
        }
        for card in cards {
            self.pool.used.add(card);
        }
        self.untold[by] += self.pool.draw(by, HAND_CARDS);
        self.turn.shows += 1;
        self.lay_aside();
        Ok(None)
    }

    /// Whether `show` would be accepted with some cards from the player whose turn it is.
    pub(super) fn can_show(&self, play: &Play, by: Color) -> bool {
        if self.turn.laid.is_some() || self.die == by {
            return false;
        }
        let kinds = play.moving_kinds();
        let helps = |card: DrezCard| moves_something(play, &kinds, card);
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
    ) -> Result<(), DrezError> {
        self.nothing_lies()?;
        if !self.has_neutral(by, from) {
            return Err(DrezError::NoNeutral);
        }
        if let Some(card) = card {
            self.can_come(by, from, with, card)?;
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

    // ---- the move, and after it ----

    /// What a legal move is made with; refused if neither the card that lies nor the throw allows it.
    pub(super) fn use_for(&self, play: &Play, by: Color, uci: Uci) -> Result<MovedWith, DrezError> {
        if !self.count() {
            return Ok(MovedWith::Nothing);
        }
        let DrezTurn { laid, rolled, .. } = self.turn;
        let (card, with) = match (laid, rolled) {
            (Some((card, from)), _) => (card, MovedWith::Card(card, from)),
            (None, Some((card, pips))) => (card, MovedWith::Die(pips)),
            (None, None) => return Err(DrezError::NoCard(by)),
        };
        let woken = play.kind_moved(uci).is_some_and(|kind| wakes(play, card, kind));
        if woken { Ok(with) } else { Err(DrezError::NotWoken { uci: uci.to_string(), card }) }
    }

    /// After a move with a card the player draws one, and owes the row one if the card lay open.
    pub(super) fn moved(&mut self, by: Color, with: MovedWith) {
        if let MovedWith::Card(_, from) = with {
            self.untold[by] += self.pool.draw(by, 1);
            self.turn.owes = from == CardPlace::Common;
            self.lay_aside();
        }
    }

    /// The owed card is laid into the row.
    pub(super) fn lay_owed(&mut self, by: Color, card: DrezCard) -> Result<(), DrezError> {
        if !self.pool.possible(by, card) {
            return Err(DrezError::NotInHand { of: by, card });
        }
        self.pool.take_own(by, card);
        self.pool.row.add(card);
        self.turn.owes = false;
        Ok(())
    }

    // ---- rulings ----

    pub(super) fn rule(&mut self, ruled: &DrezRuled) -> Result<(), DrezError> {
        let mut pool = self.pool;
        if let Some(common) = &ruled.common {
            pool.row = common.iter().copied().collect();
        }
        if let Some(card) = DrezCard::ALL.into_iter().find(|card| pool.seen(*card) > pool.limit(*card)) {
            return Err(DrezError::TooOften(card));
        }
        pool.stock = ruled.stock.unwrap_or(pool.stock);
        if pool.stock > pool.full_stock() {
            return Err(DrezError::StockTooLarge { most: pool.full_stock() });
        }
        self.pool = pool;
        self.die = ruled.die.unwrap_or(self.die);
        self.lay_aside();
        Ok(())
    }
}
