//! The placement phase: cards turned over in turn, pieces put in their zones.
//!
//! Source: printed rules 9–15; rulings 8 and 9 in `docs/rules.md`; record, "How lines act" 6–8, 12.
//! Knows no chips and no clock.

use std::fmt;

use super::action::Says;
use crate::rules::board::{Board, ByColor, Color, Piece, Role, Square};
use crate::rules::cards::{Card, Counts, HandName, HandRules};
use crate::rules::game::{ShownCard, Violation};
use crate::rules::hidden::Shown;

/// How many cards each player places.
const HAND: usize = 5;

/// Where a piece may be placed (rules 14a, 14b): ranks `first..=last`, White's first rank being 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone {
    first: u8,
    last: u8,
}

impl Zone {
    /// The zone of a player's piece. It follows the piece, not the card.
    pub fn of(by: Color, piece: Card) -> Self {
        let (first, last) = match (by, piece) {
            (Color::White, Card::Pawn) => (1, 3),
            (Color::Black, Card::Pawn) => (4, 6),
            (Color::White, _) => (0, 1),
            (Color::Black, _) => (6, 7),
        };
        Self { first, last }
    }

    /// Whether the zone has this square.
    pub fn has(self, square: Square) -> bool {
        (self.first..=self.last).contains(&square.rank())
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ranks {} to {}", self.first + 1, self.last + 1)
    }
}

/// Why a card, a piece or a square cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// The other player's turn.
    #[error("it is {0}'s turn to place")]
    NotYourTurn(Color),
    /// A card lies open already.
    #[error("{by} has turned the {card} over already")]
    CardOpen {
        /// Who.
        by: Color,
        /// Which.
        card: Card,
    },
    /// Nothing is left to place.
    #[error("all five pieces of {0} stand already")]
    AllPlaced(Color),
    /// No card lies open.
    #[error("{0} has not turned a card over yet")]
    NoCard(Color),
    /// More of a face than the deck holds.
    #[error("this would be {card} number {count}, and the deck holds {}", card.in_deck())]
    TooMany {
        /// The face.
        card: Card,
        /// How many would have been shown.
        count: u8,
    },
    /// No hand explains the card.
    #[error("no hand has this {card} beside what {by} placed before")]
    CardUnexplained {
        /// Who.
        by: Color,
        /// The face.
        card: Card,
    },
    /// The card cannot be this piece.
    #[error("this {card} cannot be a {piece}")]
    WrongPiece {
        /// The face.
        card: Card,
        /// The piece.
        piece: Card,
        /// What it can be.
        can: Vec<Card>,
    },
    /// The wrong ranks.
    #[error("a {piece} of {by} stands on {zone}, not on {at}")]
    OutsideZone {
        /// Who.
        by: Color,
        /// The piece.
        piece: Card,
        /// The square.
        at: Square,
        /// The right ranks.
        zone: Zone,
    },
    /// Something stands there.
    #[error("{at} is taken by the {taken}")]
    Occupied {
        /// The square.
        at: Square,
        /// What stands there.
        taken: Piece,
    },
    /// Both bishops on one colour (rule 15).
    #[error("the second bishop stands on the other colour than the one on {first}; {at} is the same")]
    BishopsAlike {
        /// The square.
        at: Square,
        /// The first bishop's.
        first: Square,
    },
    /// No piece was placed there.
    #[error("no piece was placed on {0} in this game")]
    NothingPlaced(Square),
    /// Only the opponent and the arbiter correct.
    #[error("{0} cannot correct an own piece")]
    OwnPiece(Color),
    /// The piece is that already.
    #[error("the piece on {at} is a {piece} already")]
    NothingFalse {
        /// The square.
        at: Square,
        /// The piece.
        piece: Card,
    },
}

impl PlaceError {
    fn explain(&self) -> Violation {
        let (rule, next, squares): (_, String, Vec<Square>) = match self {
            Self::NotYourTurn(color) => ("not-your-placement", format!("wait for {color}"), vec![]),
            Self::CardOpen { .. } => {
                ("card-open", "place its piece, or undo to turn another one".into(), vec![])
            }
            Self::AllPlaced(color) => ("all-placed", format!("let {} place the rest", color.other()), vec![]),
            Self::NoCard(_) => ("no-card", "turn a card over first".into(), vec![]),
            Self::TooMany { .. } => {
                ("fouled-deck", "look again, or declare the deck fouled (`fouled`)".into(), vec![])
            }
            Self::CardUnexplained { .. } => (
                "card-unexplained",
                "look again, or have the false piece put right (`correct`)".into(),
                vec![],
            ),
            Self::WrongPiece { can, .. } if can.is_empty() => {
                ("wrong-piece", "leave the piece as it is: its card can be no other".into(), vec![])
            }
            Self::WrongPiece { can, .. } => ("wrong-piece", format!("place it as a {}", either(can)), vec![]),
            Self::OutsideZone { zone, at, .. } => {
                ("outside-zone", format!("put it on a free square of {zone}"), vec![*at])
            }
            Self::Occupied { at, .. } => ("occupied", "choose a free square".into(), vec![*at]),
            Self::BishopsAlike { at, first } => {
                let color = if first.is_light() { "dark" } else { "light" };
                ("bishops-alike", format!("choose a {color} square"), vec![*at, *first])
            }
            Self::NothingPlaced(at) => {
                ("nothing-placed", "name a square that a card was placed on".into(), vec![*at])
            }
            Self::OwnPiece(color) => {
                ("own-piece", format!("let {} or the arbiter do it", color.other()), vec![])
            }
            Self::NothingFalse { at, .. } => ("nothing-false", "name the right piece".into(), vec![*at]),
        };
        Violation::new(rule, self.to_string(), next).at(squares)
    }
}

/// `queen, rook or pawn`.
pub(super) fn either(cards: &[Card]) -> String {
    match cards {
        [] => "piece that no hand has".to_owned(),
        [only] => only.to_string(),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(ToString::to_string).collect();
            format!("{} or {last}", first.join(", "))
        }
    }
}

/// A piece on the board that came from a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placed {
    pub(super) by: Color,
    pub(super) card: Card,
    pub(super) piece: Card,
    pub(super) at: Square,
}

impl Placed {
    fn standing(self) -> Piece {
        Piece { color: self.by, role: self.piece.role() }
    }
}

/// Kings and the pawns before them stand before the deal (ruling 2): files e, counted from 0.
const BEFORE_THE_DEAL: [(u8, u8, Color, Role); 4] = [
    (4, 0, Color::White, Role::King),
    (4, 1, Color::White, Role::Pawn),
    (4, 6, Color::Black, Role::Pawn),
    (4, 7, Color::Black, Role::King),
];

fn standing_before_the_deal(at: Square) -> Option<Piece> {
    let there = BEFORE_THE_DEAL.iter().find(|(file, rank, ..)| (*file, *rank) == (at.file(), at.rank()));
    there.map(|(_, _, color, role)| Piece { color: *color, role: *role })
}

/// The placement phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Placing {
    rules: HandRules,
    /// Finished placements, in order.
    placed: Vec<Placed>,
    shown: ByColor<Shown>,
    turn: Color,
    /// The card lying open before the player whose turn it is.
    open: Option<Card>,
    /// Where its piece stands, until the press.
    pending: Option<Placed>,
}

impl Placing {
    pub(super) fn new(rules: HandRules) -> Self {
        Self {
            rules,
            placed: Vec::with_capacity(2 * HAND),
            shown: ByColor::default(),
            turn: Color::White,
            open: None,
            pending: None,
        }
    }

    /// Kings and the pawns before them (ruling 2).
    pub(super) fn empty_board() -> Board {
        let mut board = Board::EMPTY;
        for square in Square::all() {
            board[square] = standing_before_the_deal(square);
        }
        board
    }

    pub(super) fn board(&self) -> Board {
        Self::board_of(self.placed.iter().chain(&self.pending))
    }

    fn board_of<'a>(placed: impl Iterator<Item = &'a Placed>) -> Board {
        let mut board = Self::empty_board();
        for piece in placed {
            board[piece.at] = Some(piece.standing());
        }
        board
    }

    pub(super) fn turn(&self) -> Color {
        self.turn
    }

    pub(super) fn acted(&self) -> bool {
        self.pending.is_some()
    }

    /// Whether all ten stand and the last was pressed.
    pub(super) fn complete(&self) -> bool {
        self.placed.len() == 2 * HAND
    }

    /// The arbiter gives the turn to a player who has something left to place; what was begun is
    /// dropped.
    pub(super) fn set_turn(&mut self, turn: Color) -> Result<(), Violation> {
        if self.all_placed(turn) {
            return Err(PlaceError::AllPlaced(turn).explain());
        }
        (self.turn, self.open, self.pending) = (turn, None, None);
        Ok(())
    }

    fn all_placed(&self, by: Color) -> bool {
        self.placed.iter().filter(|placed| placed.by == by).count() == HAND
    }

    /// The cards this player has turned over.
    pub(super) fn cards(&self, of: Color) -> Counts {
        let shown = self.shown[of].cards();
        match self.open {
            Some(card) if of == self.turn => shown.with(card),
            Some(_) | None => shown,
        }
    }

    pub(super) fn reveal(&mut self, by: Color, card: Card) -> Result<(), Violation> {
        self.check_reveal(by, card).map_err(|error| error.explain())?;
        self.open = Some(card);
        Ok(())
    }

    fn check_reveal(&self, by: Color, card: Card) -> Result<(), PlaceError> {
        if by != self.turn {
            return Err(PlaceError::NotYourTurn(self.turn));
        }
        if let Some(card) = self.open {
            return Err(PlaceError::CardOpen { by, card });
        }
        let other = self.cards(by.other());
        let count = self.shown[by].cards().of(card) + 1 + other.of(card);
        if count > card.in_deck() {
            return Err(PlaceError::TooMany { card, count });
        }
        if !self.shown[by].admits_card(card, other, self.rules) {
            return Err(PlaceError::CardUnexplained { by, card });
        }
        Ok(())
    }

    /// The cards this player has turned over, in their order.
    pub(super) fn shown_cards(&self, of: Color) -> Vec<ShownCard> {
        let shown = |placed: &Placed| ShownCard {
            card: placed.card,
            piece: Some(placed.piece),
            at: Some(placed.at),
        };
        let mut cards: Vec<ShownCard> =
            self.placed.iter().chain(&self.pending).filter(|placed| placed.by == of).map(shown).collect();
        let open = self.open.filter(|_| of == self.turn && self.pending.is_none());
        cards.extend(open.map(|card| ShownCard { card, piece: None, at: None }));
        cards
    }

    /// What has to be said when the open card's piece is placed (rule 10).
    pub(super) fn announcement(&self, by: Color, piece: Card) -> Option<&'static str> {
        let card = self.open.filter(|card| by == self.turn && *card != piece)?;
        let other = self.cards(by.other());
        let admits = |name: &HandName| self.shown[by].admits_name(*name, card, piece, other, self.rules);
        // "Palace" tells the whole hand: it is the word only where no other hand explains the piece.
        let palace = HandName::ALL.iter().filter(|name| admits(name)).eq([&HandName::Palace]);
        Some(if palace { Says::Palace } else { Self::change(card, piece) }.word())
    }

    /// Puts the open card's piece on a square. Returns a remark about the announcement, if any.
    pub(super) fn place(
        &mut self,
        by: Color,
        piece: Card,
        at: Square,
        says: Option<Says>,
    ) -> Result<Option<String>, Violation> {
        let card = self.check_place(by, piece, at).map_err(|error| error.explain())?;
        self.pending = Some(Placed { by, card, piece, at });
        Ok(self.remark(by, card, piece, says))
    }

    fn check_place(&self, by: Color, piece: Card, at: Square) -> Result<Card, PlaceError> {
        if by != self.turn {
            return Err(PlaceError::NotYourTurn(self.turn));
        }
        let Some(card) = self.open else { return Err(PlaceError::NoCard(by)) };
        let other = self.cards(by.other());
        if !self.shown[by].admits(card, piece, other, self.rules) {
            let can = self.shown[by].pieces_of(card, other, self.rules);
            return Err(PlaceError::WrongPiece { card, piece, can });
        }
        Self::check_square(by, piece, at, self.placed.iter())?;
        Ok(card)
    }

    /// Zone, free square and the bishops' colours, against the other pieces placed.
    fn check_square<'a>(
        by: Color,
        piece: Card,
        at: Square,
        others: impl Iterator<Item = &'a Placed> + Clone,
    ) -> Result<(), PlaceError> {
        let zone = Zone::of(by, piece);
        if !zone.has(at) {
            return Err(PlaceError::OutsideZone { by, piece, at, zone });
        }
        let placed = others.clone().find(|other| other.at == at).map(|other| other.standing());
        if let Some(taken) = placed.or_else(|| standing_before_the_deal(at)) {
            return Err(PlaceError::Occupied { at, taken });
        }
        if piece == Card::Bishop {
            let mut bishops = others.filter(|other| other.by == by && other.piece == Card::Bishop);
            if let Some(first) = bishops.find(|other| other.at.is_light() == at.is_light()) {
                return Err(PlaceError::BishopsAlike { at, first: first.at });
            }
        }
        Ok(())
    }

    fn change(card: Card, piece: Card) -> Says {
        if worth(piece) > worth(card) { Says::Promoted } else { Says::Demoted }
    }

    /// A missing or wrong word; no more than a remark (ruling 8).
    fn remark(&self, by: Color, card: Card, piece: Card, says: Option<Says>) -> Option<String> {
        let other = self.cards(by.other());
        let named = |name| self.shown[by].admits_name(name, card, piece, other, self.rules);
        let right = Self::change(card, piece);
        match says {
            None if card == piece => None,
            None => {
                Some(format!("{by}'s {card} stands as a {piece}, but nothing was said: \"{}\"", right.word()))
            }
            Some(says) => {
                let fits = match says {
                    Says::Promoted => card != piece && right == Says::Promoted,
                    Says::Demoted => card != piece && right == Says::Demoted,
                    Says::Palace => card != piece && named(HandName::Palace),
                    Says::Empress => worth(piece) >= worth(card) && named(HandName::Empress),
                };
                (!fits).then(|| format!("{by} said \"{}\" of a {card} that stands as a {piece}", says.word()))
            }
        }
    }

    /// The press: the placement is final. Does nothing before a piece was placed.
    pub(super) fn end_turn(&mut self) {
        if let Some(placed) = self.pending.take() {
            self.shown[placed.by] = self.shown[placed.by].with(placed.card, placed.piece);
            self.placed.push(placed);
            self.open = None;
            // A ruling on the turn can leave one player with all five placed and the other not.
            if !self.all_placed(self.turn.other()) {
                self.turn = self.turn.other();
            }
        }
    }

    /// Makes a false piece right; returns whose it was.
    pub(super) fn correct(
        &mut self,
        by: Option<Color>,
        at: Square,
        piece: Card,
        on: Option<Square>,
    ) -> Result<Color, Violation> {
        let right = self.check_correct(by, at, piece, on).map_err(|error| error.explain())?;
        match self.placed.iter_mut().find(|placed| placed.at == at) {
            Some(placed) => *placed = right,
            None => self.pending = Some(right),
        }
        self.shown[right.by] = self.shown_without(right.by, None);
        Ok(right.by)
    }

    fn check_correct(
        &self,
        by: Option<Color>,
        at: Square,
        piece: Card,
        on: Option<Square>,
    ) -> Result<Placed, PlaceError> {
        let all = || self.placed.iter().chain(&self.pending);
        let Some(false_one) = all().find(|placed| placed.at == at) else {
            return Err(PlaceError::NothingPlaced(at));
        };
        let Placed { by: owner, card, .. } = *false_one;
        if by == Some(owner) {
            return Err(PlaceError::OwnPiece(owner));
        }
        if false_one.piece == piece {
            return Err(PlaceError::NothingFalse { at, piece });
        }
        let pending = self.pending.as_ref().is_some_and(|placed| placed.at == at);
        let open = self.open.filter(|_| owner == self.turn && !pending);
        let (rest, other) = (self.shown_without(owner, Some(at)), self.cards(owner.other()));
        if !rest.admits_beside(card, piece, open, other, self.rules) {
            let fits =
                |p: &Card| *p != false_one.piece && rest.admits_beside(card, *p, open, other, self.rules);
            let can = Card::ALL.into_iter().filter(fits).collect();
            return Err(PlaceError::WrongPiece { card, piece, can });
        }
        let target = on.unwrap_or(at);
        Self::check_square(owner, piece, target, all().filter(|placed| placed.at != at))?;
        Ok(Placed { by: owner, card, piece, at: target })
    }

    /// What a player has finally shown, one square left out.
    fn shown_without(&self, of: Color, left_out: Option<Square>) -> Shown {
        self.placed
            .iter()
            .filter(|placed| placed.by == of && Some(placed.at) != left_out)
            .fold(Shown::default(), |shown, placed| shown.with(placed.card, placed.piece))
    }

    /// The cards that the player to act may turn over next, as far as everybody can tell.
    pub(super) fn next_cards(&self) -> Vec<Card> {
        if self.open.is_some() {
            return Vec::new();
        }
        self.shown[self.turn].next_cards(self.cards(self.turn.other()), self.rules)
    }

    /// The pieces that a player's cards can still become.
    pub(super) fn next_pieces(&self, of: Color) -> Vec<Card> {
        self.shown[of].next_pieces(self.cards(of.other()), self.rules)
    }

    /// For each piece that the open card can be, the squares it may go to.
    pub(super) fn options(&self) -> Vec<(Card, Vec<Square>)> {
        let Some(card) = self.open else { return Vec::new() };
        let by = self.turn;
        let pieces = self.shown[by].pieces_of(card, self.cards(by.other()), self.rules);
        let squares = |piece| {
            Square::all()
                .filter(|at| Self::check_square(by, piece, *at, self.placed.iter()).is_ok())
                .collect()
        };
        pieces.into_iter().map(|piece| (piece, squares(piece))).collect()
    }

    /// The board with only finished placements.
    pub(super) fn settled_board(&self) -> Board {
        Self::board_of(self.placed.iter())
    }

    pub(super) fn prompt(&self) -> String {
        let by = self.turn;
        match (self.open, self.pending) {
            (_, Some(_)) => format!("{by}: press the clock"),
            (None, None) => format!("{by}: turn a card over and place it"),
            (Some(card), None) => {
                let can: Vec<Card> = self.options().into_iter().map(|(piece, _)| piece).collect();
                let zones: Vec<String> =
                    can.iter().map(|piece| format!("{piece} on {}", Zone::of(by, *piece))).collect();
                format!("{by}: place the {card} as {}", zones.join(", or "))
            }
        }
    }
}

/// What counts as a promotion: Q over R over B and N over P.
fn worth(card: Card) -> u8 {
    match card.role() {
        Role::Queen => 4,
        Role::Rook => 3,
        Role::Bishop | Role::Knight => 2,
        Role::Pawn | Role::King => 1,
    }
}
