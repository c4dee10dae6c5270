//! Why PokerDrez refuses a line: what is wrong, and what to do instead.
//!
//! Source: `docs/rules-pokerdrez.md`; `docs/record-pokerdrez.md`, "How lines act".

use tabiya_types::{Color, Sentence, Square, say};

use super::letter::DrezCard;
use crate::rules::chips::Chips;
use crate::rules::violation::Violation;

/// The reason why a line of PokerDrez is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DrezError {
    /// A deal is not one.
    Deal(DealError),
    /// A bet, or a ruling about chips, is not possible.
    Stake(StakeError),
    /// The cards have not been dealt yet.
    NotDealt,
    /// The cards have been dealt, so no pawn can be taken off any more.
    Dealt,
    /// Black takes his pawn off first.
    BlackFirst,
    /// This player has already taken a pawn off, or kept all.
    ChosenAlready(Color),
    /// No pawn of this player stands there before the deal.
    NoOwnPawn { by: Color, at: Square },
    /// White may not take the pawn off that stands on the file of Black's.
    SameFile(Square),
    /// A raise waits for this player's answer.
    RaiseWaits(Color),
    /// This player has to lay a card into the row first.
    Owes(Color),
    /// The stock is empty, so cards and die are laid aside.
    CardsAside,
    /// A card lies already.
    CardLies(DrezCard),
    /// There is no such card in the row.
    NotInRow(DrezCard),
    /// The player cannot have this card.
    NotInHand { of: Color, card: DrezCard },
    /// The card moves nothing.
    MovesNothing(DrezCard),
    /// No card lies, and no throw counts.
    NoCard(Color),
    /// The card that lies does not let this piece move.
    NotWoken { uci: String, card: DrezCard },
    /// No card has to be laid into the row.
    NothingOwed,
    /// The other player has the die.
    NoDie(Color),
    /// There is no neutral card at the place.
    NoNeutral,
    /// A neutral card is not taken for a neutral one.
    NeutralForNeutral,
    /// All such cards have been seen, so none comes from the stock.
    NotInStock(DrezCard),
    /// The die must be thrown first.
    DieFirst(Color),
    /// A card of the row, or the throw, moves something.
    RowMoves(DrezCard),
    /// The deal can no longer be declared fouled by a player.
    TooLateFouled,
    /// A ruling about cards has to wait until the turn is over.
    TurnUnfinished,
    /// A ruling names a card more often than there are.
    TooOften(DrezCard),
    /// A ruling makes the stock larger than after the deal.
    StockTooLarge { most: u32 },
}

impl DrezError {
    fn rule(&self) -> &'static str {
        match self {
            Self::Deal(error) => error.rule(),
            Self::Stake(error) => error.rule(),
            Self::NotDealt => "no-deal-yet",
            Self::Dealt => "pawns-too-late",
            Self::BlackFirst => "black-first",
            Self::ChosenAlready(_) => "chosen-already",
            Self::NoOwnPawn { .. } => "no-own-pawn",
            Self::SameFile(_) => "same-file",
            Self::RaiseWaits(_) => "raise-waits",
            Self::Owes(_) => "card-owed",
            Self::CardsAside => "cards-aside",
            Self::CardLies(_) => "card-laid-already",
            Self::NotInRow(_) => "not-in-row",
            Self::NotInHand { .. } => "not-in-hand",
            Self::MovesNothing(_) => "moves-nothing",
            Self::NoCard(_) => "no-card-laid",
            Self::NotWoken { .. } => "not-woken",
            Self::NothingOwed => "nothing-owed",
            Self::NoDie(_) => "no-die",
            Self::NoNeutral => "no-neutral",
            Self::NeutralForNeutral => "neutral-for-neutral",
            Self::NotInStock(_) => "not-in-stock",
            Self::DieFirst(_) => "die-first",
            Self::RowMoves(_) => "row-moves",
            Self::TooLateFouled => "too-late-fouled",
            Self::TurnUnfinished => "turn-unfinished",
            Self::TooOften(_) => "card-too-often",
            Self::StockTooLarge { .. } => "stock-too-large",
        }
    }

    fn what(&self) -> Sentence {
        match self {
            Self::Deal(error) => error.what(),
            Self::Stake(error) => error.what(),
            Self::NotDealt => say!("no-deal-yet", "the cards are not dealt yet"),
            Self::Dealt => say!("pawns-too-late", "pawns are taken off before the deal only"),
            Self::BlackFirst => say!("black-first", "Black takes a pawn off first, or keeps all"),
            Self::ChosenAlready(by) => say!("chosen-already", "{by} has already chosen", by = *by),
            Self::NoOwnPawn { by, at } => {
                say!("no-own-pawn", "no pawn of {by} stands on {at}", by = *by, at = *at)
            }
            Self::SameFile(at) => say!("same-file", "Black's pawn was taken off the file of {at}", at = *at),
            Self::RaiseWaits(by) => say!("raise-waits", "a raise waits for the answer of {by}", by = *by),
            Self::Owes(by) => say!("card-owed", "{by} has to lay a card into the row first", by = *by),
            Self::CardsAside => say!("cards-aside", "the stock is empty, so cards and die are laid aside"),
            Self::CardLies(card) => {
                say!("card-laid-already", "a {card} lies already for this turn", card = *card)
            }
            Self::NotInRow(card) => say!("not-in-row", "there is no {card} in the row", card = *card),
            Self::NotInHand { of, card } => {
                say!("not-in-hand", "{of} cannot have a {card} in hand", of = *of, card = *card)
            }
            Self::MovesNothing(card) => say!("moves-nothing", "a {card} can move nothing now", card = *card),
            Self::NoCard(by) => say!("no-card-laid", "{by} has laid no card for this move", by = *by),
            Self::NotWoken { uci, card } => {
                say!("not-woken", "a {card} does not allow {uci}", card = *card, uci = uci.clone())
            }
            Self::NothingOwed => say!("nothing-owed", "no card has to be laid into the row"),
            Self::NoDie(by) => say!("no-die", "{by} does not have the die", by = *by),
            Self::NoNeutral => say!("no-neutral", "no neutral card can lie there"),
            Self::NeutralForNeutral => {
                say!("neutral-for-neutral", "a neutral card is not exchanged for a neutral card of the row")
            }
            Self::NotInStock(card) => {
                say!("not-in-stock", "every {card} has been seen, so none comes from the stock", card = *card)
            }
            Self::DieFirst(by) => say!("die-first", "{by} has the die and throws it first", by = *by),
            Self::RowMoves(card) => say!("row-moves", "a {card} can move something", card = *card),
            Self::TooLateFouled => {
                say!("too-late-fouled", "players can declare the deal fouled only until the stock is empty")
            }
            Self::TurnUnfinished => {
                say!("turn-unfinished", "a card or a throw stands in a turn that is not over")
            }
            Self::TooOften(card) => {
                say!("card-too-often", "a {card} would be seen more often than there are", card = *card)
            }
            Self::StockTooLarge { most } => {
                say!("stock-too-large", "the stock has at most {most} cards", most = *most)
            }
        }
    }

    /// The violation; `next` says what to do instead.
    pub(super) fn explain(&self, next: Sentence) -> Violation {
        let violation = Violation::new(self.rule(), self.what(), next);
        let violation = match self {
            Self::NoOwnPawn { at, .. } | Self::SameFile(at) => violation.at([*at]),
            _ => violation,
        };
        if matches!(self, Self::NotWoken { .. }) { violation.as_illegal_move() } else { violation }
    }
}

/// Why a deal is refused: the first one, or one that tells drawn cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DealError {
    /// The first deal names five open cards.
    NeedsRow { count: usize },
    /// The first deal names two own cards for each player, or none.
    WrongHand { of: Color, count: usize },
    /// More neutral cards lie open than a fair deal has.
    TooManyNeutral { most: u32 },
    /// The open cards lie already.
    RowLies,
    /// A later deal tells at least one list of drawn cards.
    NothingTold,
    /// A later deal tells more cards than this player has drawn.
    TooManyTold { of: Color, most: u32 },
}

impl DealError {
    fn rule(self) -> &'static str {
        match self {
            Self::NeedsRow { .. } => "row-of-five",
            Self::WrongHand { .. } => "hand-of-two",
            Self::TooManyNeutral { .. } => "too-many-neutral",
            Self::RowLies => "row-lies",
            Self::NothingTold => "nothing-told",
            Self::TooManyTold { .. } => "too-many-told",
        }
    }

    fn what(self) -> Sentence {
        match self {
            Self::NeedsRow { count } => {
                say!("row-of-five", "the first deal names five open cards, not {count}", count)
            }
            Self::WrongHand { of, count } => {
                say!("hand-of-two", "{of} gets two cards at the deal, not {count}", of, count)
            }
            Self::TooManyNeutral { most } => {
                say!("too-many-neutral", "the decks have only {most} neutral cards", most)
            }
            Self::RowLies => say!("row-lies", "the open cards lie already"),
            Self::NothingTold => say!("nothing-told", "this deal tells no card of a player"),
            Self::TooManyTold { of, most } => say!(
                "too-many-told",
                "{of} has drawn {most} cards whose faces no reader has told yet, and no more",
                of,
                most
            ),
        }
    }
}

impl From<DealError> for DrezError {
    fn from(error: DealError) -> Self {
        Self::Deal(error)
    }
}

/// Why a bet, or a ruling about chips, is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StakeError {
    /// There are no chips in this match.
    NoBets,
    /// Nothing waits for an answer.
    NothingToAnswer,
    /// This bet does not exist in PokerDrez.
    NoSuchBet,
    /// A raise must be above the stake and within what both can pay.
    OutOfRange { least: Chips, most: Chips },
    /// No raise is possible.
    NoRaise,
}

impl StakeError {
    fn rule(self) -> &'static str {
        match self {
            Self::NoBets => "no-bets",
            Self::NothingToAnswer => "nothing-to-answer",
            Self::NoSuchBet => "no-such-bet",
            Self::OutOfRange { .. } => "raise-out-of-range",
            Self::NoRaise => "no-raise",
        }
    }

    pub(super) fn what(self) -> Sentence {
        match self {
            Self::NoBets => say!("no-bets", "this match is played without chips"),
            Self::NothingToAnswer => say!("nothing-to-answer", "no raise waits for an answer"),
            Self::NoSuchBet => say!("no-such-bet", "PokerDrez knows only raise, call and fold"),
            Self::OutOfRange { least, most } => {
                say!("raise-out-of-range", "a raise here is to {least} to {most}", least, most)
            }
            Self::NoRaise => say!("no-raise", "the stake cannot be raised any more"),
        }
    }
}

impl From<StakeError> for DrezError {
    fn from(error: StakeError) -> Self {
        Self::Stake(error)
    }
}
