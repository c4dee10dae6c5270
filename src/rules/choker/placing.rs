//! The placement phase of Choker: the players turn cards over in turn and place the pieces in their zones.
//!
//! Source: `docs/rules.md`, printed rules 9–15 and rulings 8 and 9; `docs/record.md`, "How lines act", rules 6–8 and
//! 12. This module knows neither chips nor the clock.

use tabiya_types::{Board, ByColor, Card, Color, Counts, Fact, Piece, Role, Sentence, Square, say};

use crate::rules::action::{Action, PieceAnnouncement, Reveal};
use crate::rules::capability::ShownCard;
use crate::rules::cards::{HandName, HandRules};
use crate::rules::hidden::Shown;
use crate::rules::offer::Offer;
use crate::rules::violation::{Violation, press_the_clock};

/// How many cards each player places.
const HAND: usize = 5;

/// The zone in which a piece may be placed (printed rules 14a and 14b in `docs/rules.md`): the ranks `first..=last`,
/// where rank 1 is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone {
    first: u8,
    last: u8,
}

impl Zone {
    /// The zone for a player's piece. The zone depends on the piece that is placed, not on its card.
    pub fn of(by: Color, piece: Card) -> Self {
        let (first, last) = match (by, piece) {
            (Color::White, Card::Pawn) => (1, 3),
            (Color::Black, Card::Pawn) => (4, 6),
            (Color::White, _) => (0, 1),
            (Color::Black, _) => (6, 7),
        };
        Self { first, last }
    }

    /// Whether the zone contains this square.
    pub fn has(self, square: Square) -> bool {
        (self.first..=self.last).contains(&square.rank())
    }
}

impl From<Zone> for Fact {
    fn from(zone: Zone) -> Self {
        say!("ranks", "ranks {first} to {last}", first = zone.first + 1, last = zone.last + 1).into()
    }
}

/// The reason why a card, a piece or a square is refused in the placement phase.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.what())]
pub enum PlaceError {
    /// The player acted out of turn. The colour is that of the player who has to place a piece.
    NotYourTurn(Color),
    /// The player has already turned a card over.
    CardOpen {
        /// The player who acted.
        by: Color,
        /// The face of the open card.
        card: Card,
    },
    /// This player has placed all five pieces.
    AllPlaced(Color),
    /// This player has not turned a card over yet.
    NoCard(Color),
    /// More cards of a face would be shown than the deck has.
    TooMany {
        /// The face of the card that was turned over.
        card: Card,
        /// How many cards of this face would be shown.
        count: u8,
    },
    /// No possible hand contains the card together with the cards placed before.
    CardUnexplained {
        /// The player who acted.
        by: Color,
        /// The face of the card.
        card: Card,
    },
    /// The card cannot be played as this piece.
    WrongPiece {
        /// The face of the card.
        card: Card,
        /// The refused piece.
        piece: Card,
        /// The pieces that the card can be played as.
        can: Vec<Card>,
    },
    /// The square is outside the ranks on which the piece may be placed.
    OutsideZone {
        /// The player who acted.
        by: Color,
        /// The piece to be placed.
        piece: Card,
        /// The refused square.
        at: Square,
        /// The ranks on which the piece may be placed.
        zone: Zone,
    },
    /// The square is occupied.
    Occupied {
        /// The refused square.
        at: Square,
        /// The piece on that square.
        taken: Piece,
    },
    /// Both bishops of a player would be on squares of one colour (printed rule 15 in `docs/rules.md`).
    BishopsAlike {
        /// The refused square.
        at: Square,
        /// The square of the player's first bishop.
        first: Square,
    },
    /// No piece was placed on this square in this game.
    NothingPlaced(Square),
    /// This player tried to correct a piece that he placed himself. Only the opponent and the arbiter may correct it.
    OwnPiece(Color),
    /// The piece to be corrected is already the right one.
    NothingFalse {
        /// The square of the piece.
        at: Square,
        /// The piece, which is already the right one.
        piece: Card,
    },
}

impl PlaceError {
    fn rule(&self) -> &'static str {
        match self {
            Self::NotYourTurn(_) => "not-your-placement",
            Self::CardOpen { .. } => "card-open",
            Self::AllPlaced(_) => "all-placed",
            Self::NoCard(_) => "no-card",
            Self::TooMany { .. } => "fouled-deck",
            Self::CardUnexplained { .. } => "card-unexplained",
            Self::WrongPiece { .. } => "wrong-piece",
            Self::OutsideZone { .. } => "outside-zone",
            Self::Occupied { .. } => "occupied",
            Self::BishopsAlike { .. } => "bishops-alike",
            Self::NothingPlaced(_) => "nothing-placed",
            Self::OwnPiece(_) => "own-piece",
            Self::NothingFalse { .. } => "nothing-false",
        }
    }

    fn what(&self) -> Sentence {
        match *self {
            Self::NotYourTurn(by) => say!("not-your-placement", "it is {by}'s turn to place", by),
            Self::CardOpen { by, card } => {
                say!("card-open", "{by} has turned the {card} over already", by, card)
            }
            Self::AllPlaced(by) => say!("all-placed", "{by} has already placed all five pieces", by),
            Self::NoCard(by) => say!("no-card", "{by} has not turned a card over yet", by),
            Self::TooMany { card, count } => {
                say!(
                    "fouled-deck",
                    "with this card, {count} {card}s would be shown, but the deck has only {deck}",
                    card,
                    count,
                    deck = card.in_deck()
                )
            }
            Self::CardUnexplained { by, card } => {
                say!(
                    "card-unexplained",
                    "no possible hand contains this {card} and the cards that {by} placed before",
                    card,
                    by
                )
            }
            Self::WrongPiece { card, piece, .. } => {
                say!("wrong-piece", "this {card} cannot be placed as a {piece}", card, piece)
            }
            Self::OutsideZone { by, piece, at, zone } => {
                say!("outside-zone", "{by} must place a {piece} on {zone}, not on {at}", by, piece, zone, at)
            }
            Self::Occupied { at, taken } => say!("occupied", "{at} is occupied by the {taken}", at, taken),
            Self::BishopsAlike { at, first } => {
                say!(
                    "bishops-alike",
                    "a player's bishops must stand on squares of different colours; {at} has the same colour \
                     as {first}",
                    at,
                    first
                )
            }
            Self::NothingPlaced(at) => {
                say!("nothing-placed", "no piece was placed on {at} in this game", at)
            }
            Self::OwnPiece(by) => say!("own-piece", "{by} cannot correct {by}'s own piece", by),
            Self::NothingFalse { at, piece } => {
                say!("nothing-false", "the piece on {at} is a {piece} already", at, piece)
            }
        }
    }

    fn next(&self) -> Sentence {
        match self {
            Self::NotYourTurn(by) => say!("not-your-placement-next", "wait for {by}", by = *by),
            Self::CardOpen { .. } => {
                say!("card-open-next", "place the piece of this card, or undo and turn another card over")
            }
            Self::AllPlaced(by) => {
                say!("all-placed-next", "let {other} place the remaining pieces", other = by.other())
            }
            Self::NoCard(_) => say!("no-card-next", "turn a card over first"),
            Self::TooMany { .. } => {
                say!("fouled-deck-next", "check the card, or declare the deck fouled (`fouled`)")
            }
            Self::CardUnexplained { .. } => {
                say!("card-unexplained-next", "check the card, or have the false piece corrected (`correct`)")
            }
            Self::WrongPiece { can, .. } if can.is_empty() => {
                say!("wrong-piece-no-other-next", "leave the piece as it is: its card allows no other piece")
            }
            Self::WrongPiece { piece: Card::Rook, can, .. } if can.contains(&Card::Queen) => {
                let pieces = Fact::either(can.iter().copied());
                say!(
                    "wrong-rook-next",
                    "place the card as a {pieces}; if the rook stands for a queen, say so first: `stands Q as R`",
                    pieces
                )
            }
            Self::WrongPiece { can, .. } => {
                let pieces = Fact::either(can.iter().copied());
                say!("wrong-piece-next", "place the card as a {pieces}", pieces)
            }
            Self::OutsideZone { zone, .. } => {
                say!("outside-zone-next", "choose a free square on {zone}", zone = *zone)
            }
            Self::Occupied { .. } => say!("occupied-next", "choose a free square"),
            Self::BishopsAlike { first, .. } if first.is_light() => {
                say!("bishops-alike-dark-next", "choose a dark square")
            }
            Self::BishopsAlike { .. } => say!("bishops-alike-light-next", "choose a light square"),
            Self::NothingPlaced(_) => {
                say!("nothing-placed-next", "name a square on which a piece was placed in this game")
            }
            Self::OwnPiece(by) => {
                say!("own-piece-next", "let {other} or the arbiter correct the piece", other = by.other())
            }
            Self::NothingFalse { .. } => say!("nothing-false-next", "name the right piece"),
        }
    }

    /// The squares that the violation concerns, so that a board can light them.
    fn squares(&self) -> Vec<Square> {
        match *self {
            Self::OutsideZone { at, .. }
            | Self::Occupied { at, .. }
            | Self::NothingPlaced(at)
            | Self::NothingFalse { at, .. } => vec![at],
            Self::BishopsAlike { at, first } => vec![at, first],
            Self::NotYourTurn(_)
            | Self::CardOpen { .. }
            | Self::AllPlaced(_)
            | Self::NoCard(_)
            | Self::TooMany { .. }
            | Self::CardUnexplained { .. }
            | Self::WrongPiece { .. }
            | Self::OwnPiece(_) => Vec::new(),
        }
    }

    fn explain(&self) -> Violation {
        Violation::new(self.rule(), self.what(), self.next()).at(self.squares())
    }
}

/// A piece on the board that was placed from a card.
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

/// The kings and the pawns in front of them, which are on the board before the deal (ruling 2 in `docs/rules.md`).
/// The first two numbers of each entry are the file and the rank, counted from 0.
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

/// The state of the placement phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Placing {
    rules: HandRules,
    /// The finished placements, in their order.
    placed: Vec<Placed>,
    shown: ByColor<Shown>,
    turn: Color,
    /// The open card of the player whose turn it is.
    open: Option<Card>,
    /// The piece that was placed from the open card; `None` before it is placed. The placement becomes final with the
    /// press.
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

    /// The board before the first placement: the kings and the pawns in front of them (ruling 2 in `docs/rules.md`).
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

    /// Whether all ten pieces are placed and the last placement is final.
    pub(super) fn complete(&self) -> bool {
        self.placed.len() == 2 * HAND
    }

    /// Gives the turn to a player after a ruling and drops an unfinished placement. `Err` if this player has
    /// placed everything already.
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

    /// The faces of all cards that this player has turned over.
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

    /// The cards that this player has turned over, in their order.
    pub(super) fn shown_cards(&self, of: Color) -> Vec<ShownCard> {
        let shown =
            |placed: &Placed| ShownCard { card: placed.card, piece: Some(placed.piece), at: Some(placed.at) };
        let mut cards: Vec<ShownCard> =
            self.placed.iter().chain(&self.pending).filter(|placed| placed.by == of).map(shown).collect();
        let open = self.open.filter(|_| of == self.turn && self.pending.is_none());
        cards.extend(open.map(|card| ShownCard { card, piece: None, at: None }));
        cards
    }

    /// The announcement that is required when the open card is placed as `piece`; `None` if none is (printed rule 10
    /// in `docs/rules.md`).
    pub(super) fn announcement(&self, by: Color, piece: Card) -> Option<PieceAnnouncement> {
        let card = self.open.filter(|card| by == self.turn && *card != piece)?;
        Some(self.word(by, card, piece))
    }

    /// For a placement that is not final yet, and whose piece differs from its card: the player, the piece and the
    /// required announcement.
    pub(super) fn announced(&self) -> Option<(Color, Card, PieceAnnouncement)> {
        let Placed { by, card, piece, .. } = self.pending.filter(|placed| placed.card != placed.piece)?;
        Some((by, piece, self.word(by, card, piece)))
    }

    /// The announcement for a card that becomes another piece.
    fn word(&self, by: Color, card: Card, piece: Card) -> PieceAnnouncement {
        let other = self.cards(by.other());
        let admits = |name: &HandName| self.shown[by].admits_name(*name, card, piece, other, self.rules);
        // The announcement "palace" reveals the whole hand. It is required only if Palace is the only hand in which
        // the card can become this piece.
        let palace = HandName::ALL.iter().filter(|name| admits(name)).eq([&HandName::Palace]);
        if palace { PieceAnnouncement::Palace } else { Self::change(card, piece) }
    }

    /// Places the open card as `piece` on a square. Returns a remark if the announcement is missing or wrong.
    pub(super) fn place(
        &mut self,
        by: Color,
        piece: Card,
        at: Square,
        says: Option<PieceAnnouncement>,
    ) -> Result<Option<Sentence>, Violation> {
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

    /// Checks that the square is in the piece's zone and free, and that the player's bishops are on different
    /// colours. `others` are the pieces that were placed before.
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

    fn change(card: Card, piece: Card) -> PieceAnnouncement {
        if worth(piece) > worth(card) { PieceAnnouncement::Promoted } else { PieceAnnouncement::Demoted }
    }

    /// A remark about a missing or wrong announcement, which is never a violation (`docs/record.md`, "How lines act",
    /// rule 8).
    fn remark(
        &self,
        by: Color,
        card: Card,
        piece: Card,
        says: Option<PieceAnnouncement>,
    ) -> Option<Sentence> {
        let other = self.cards(by.other());
        let named = |name| self.shown[by].admits_name(name, card, piece, other, self.rules);
        let right = Self::change(card, piece);
        match says {
            None if card == piece => None,
            None => Some(say!(
                "nothing-was-said",
                "{by}'s {card} stands as a {piece}, but nothing was said: \"{right}\"",
                by,
                card,
                piece,
                right = right.sentence()
            )),
            Some(says) => {
                let fits = match says {
                    PieceAnnouncement::Promoted => card != piece && right == PieceAnnouncement::Promoted,
                    PieceAnnouncement::Demoted => card != piece && right == PieceAnnouncement::Demoted,
                    PieceAnnouncement::Palace => card != piece && named(HandName::Palace),
                    PieceAnnouncement::Empress => worth(piece) >= worth(card) && named(HandName::Empress),
                };
                let says = says.sentence();
                (!fits).then(|| {
                    say!(
                        "wrong-word-said",
                        "{by} said \"{says}\", but a {card} was placed as a {piece}",
                        by,
                        says,
                        card,
                        piece
                    )
                })
            }
        }
    }

    /// Makes the placement final when the player presses; does nothing if no piece has been placed.
    pub(super) fn end_turn(&mut self) {
        if let Some(placed) = self.pending.take() {
            self.shown[placed.by] = self.shown[placed.by].with(placed.card, placed.piece);
            self.placed.push(placed);
            self.open = None;
            // The turn passes to the opponent only if the opponent still has pieces to place. If a ruling changed the
            // turn, one player can have placed all five pieces before the other.
            if !self.all_placed(self.turn.other()) {
                self.turn = self.turn.other();
            }
        }
    }

    /// Replaces a wrong piece by the right one; returns the player whose piece was wrong.
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

    /// The final placements of a player, except the one on the square `left_out`.
    fn shown_without(&self, of: Color, left_out: Option<Square>) -> Shown {
        self.placed
            .iter()
            .filter(|placed| placed.by == of && Some(placed.at) != left_out)
            .fold(Shown::default(), |shown, placed| shown.with(placed.card, placed.piece))
    }

    /// The cards that the player to act can turn over next, judged by public information.
    pub(super) fn next_cards(&self) -> Vec<Card> {
        if self.open.is_some() {
            return Vec::new();
        }
        self.shown[self.turn].next_cards(self.cards(self.turn.other()), self.rules)
    }

    /// The pieces that a player can still place, judged by public information.
    pub(super) fn next_pieces(&self, of: Color) -> Vec<Card> {
        self.shown[of].next_pieces(self.cards(of.other()), self.rules)
    }

    /// The cards that may be turned over, and the squares on which the open card may be placed.
    pub(super) fn offers(&self) -> Vec<Offer> {
        let by = self.turn;
        let reveal = |card| Offer::Do(Action::Reveal(Reveal { by, card, read: None, copy: None }));
        let mut offers: Vec<Offer> = self.next_cards().into_iter().map(reveal).collect();
        let places = self.options().into_iter().filter(|(_, at)| !at.is_empty());
        offers.extend(places.map(|(piece, at)| Offer::Place { by, piece, at }));
        offers
    }

    /// The pieces that the open card can be played as, each with the squares it may be placed on.
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

    /// The board with the final placements only.
    pub(super) fn settled_board(&self) -> Board {
        Self::board_of(self.placed.iter())
    }

    /// The pieces that the open card may be placed as, each with its ranks.
    pub(super) fn places_in_words(&self) -> Vec<(Card, Sentence)> {
        let by = self.turn;
        let in_words = |piece| say!("piece-on-ranks", "{piece} on {zone}", piece, zone = Zone::of(by, piece));
        self.options().into_iter().map(|(piece, _)| (piece, in_words(piece))).collect()
    }

    pub(super) fn prompt(&self) -> Sentence {
        let by = self.turn;
        match (self.open, self.pending) {
            (_, Some(_)) => press_the_clock(by),
            (None, None) => say!("turn-a-card-over", "{by}: turn a card over and place it", by),
            (Some(card), None) => {
                let can = self.places_in_words().into_iter().map(|(_, place)| place);
                say!(
                    "place-the-card",
                    "{by}: place the {card} as {pieces}",
                    by,
                    card,
                    pieces = Fact::alternatives(can)
                )
            }
        }
    }
}

/// The value of a piece, to tell promotions from demotions. A queen is worth more than a rook, a rook more than a
/// bishop or knight, and these more than a pawn.
fn worth(card: Card) -> u8 {
    match card.role() {
        Role::Queen => 4,
        Role::Rook => 3,
        Role::Bishop | Role::Knight => 2,
        Role::Pawn | Role::King => 1,
    }
}
