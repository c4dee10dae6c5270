//! The chess phase that several games share: moves, draws, draw offers and claims.
//!
//! The crate shakmaty implements the rules of chess, and only this file uses it. Source: `docs/rules.md`, printed
//! rules 17–21 and ruling 12; FIDE Laws 5 and 9; `docs/record.md`, "How lines act", rules 11 and 13.

use std::sync::Arc;

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist128;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, Setup};
use tabiya_types::{Board, ByColor, Color, Piece, Role, Sentence, Square, Squares, say};

use super::action::Action;
use super::capability::{ChessLeg, ChessPhase, ChessScore};
use super::locked::{is_blocked_without_pieces, is_locked};
use super::offer::Offer;
use super::outcome::{Outcome, Reason};
use super::play_action::PlayAction;
use super::turn::{Actor, Candidate, Turn};
use super::uci::Uci;
use super::violation::Articles;
use super::violation::{Violation, press_the_clock};

/// What is wrong with a move that the rules of chess do not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveFault {
    /// It captures a king (Laws of Chess, 1.4.1).
    TakesKing,
    /// The king was in check and still is (3.9.2).
    StaysInCheck,
    /// It exposes the own king to check (3.9.2).
    ExposesKing,
    /// The piece does not move so.
    Other,
}

/// The reason why an action of the chess phase is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.what())]
pub enum PlayError {
    /// The side moved out of turn. The colour is that of the side to move.
    NotYourMove(Color),
    /// This side has already moved; its turn ends with a press or with the opponent's move.
    MovedAlready(Color),
    /// The move is against the rules of chess.
    Illegal {
        /// The side that tried to move.
        by: Color,
        /// The move in UCI notation.
        uci: String,
        /// What is wrong with it, if the Laws name that.
        fault: MoveFault,
    },
    /// A pawn reaches the last rank, but the move does not name the promotion piece.
    NoPromotion {
        /// The move in UCI notation.
        uci: String,
    },
    /// The move names a stand-in (a physical piece that is used in place of the promoted piece), but promotes no pawn.
    NothingStandsIn {
        /// The move in UCI notation.
        uci: String,
    },
    /// There is no open draw offer by this colour.
    NoOffer(Color),
    /// A draw was agreed before both sides had made a move.
    TooEarly,
    /// The player claimed a draw out of turn. The colour is that of the side to move, which may claim.
    NotYourClaim(Color),
    /// The claim of a draw is wrong.
    ClaimFails {
        /// How often the position has occurred.
        times: usize,
        /// How many full moves were made without a capture or a pawn move.
        moves: u32,
    },
    /// A placed piece cannot be corrected, because the arbiter has since set another position.
    SetSince {
        /// The square on which the wrong piece was placed.
        at: Square,
        /// The square on which the right piece should be placed.
        on: Square,
    },
    /// The position is not playable; the text gives the reason.
    BadPosition(String),
}

impl PlayError {
    fn rule(&self) -> &'static str {
        match self {
            Self::NotYourMove(_) => "not-your-move",
            Self::MovedAlready(_) => "moved-already",
            Self::Illegal { .. } => "illegal-move",
            Self::NoPromotion { .. } => "no-promotion",
            Self::NothingStandsIn { .. } => "no-stand-in",
            Self::NoOffer(_) => "no-offer",
            Self::TooEarly => "too-early-to-agree",
            Self::NotYourClaim(_) => "not-your-claim",
            Self::ClaimFails { .. } => "claim-fails",
            Self::SetSince { .. } => "position-ruled",
            Self::BadPosition(_) => "bad-position",
        }
    }

    /// The sentence for people about what was wrong with the action and why.
    pub(super) fn what(&self) -> Sentence {
        match self {
            Self::NotYourMove(by) => say!("not-your-move", "it is {by}'s move", by = *by),
            Self::MovedAlready(by) => say!("moved-already", "{by} has moved already", by = *by),
            Self::Illegal { by, uci, fault } => illegal(*by, uci.clone(), *fault),
            Self::NoPromotion { uci } => {
                say!(
                    "no-promotion",
                    "{uci} promotes a pawn but does not name the new piece",
                    uci = uci.clone()
                )
            }
            Self::NothingStandsIn { uci } => {
                say!(
                    "no-stand-in",
                    "a stand-in is named, but {uci} does not promote a pawn",
                    uci = uci.clone()
                )
            }
            Self::NoOffer(by) => say!("no-offer", "no draw offer by {by} is open", by = *by),
            Self::TooEarly => {
                say!("too-early-to-agree", "a draw cannot be agreed before each player has made a move")
            }
            Self::NotYourClaim(by) => {
                say!("not-your-claim", "only the side to move, {by}, can claim a draw", by = *by)
            }
            Self::ClaimFails { times, moves } => {
                say!(
                    "claim-fails",
                    "the claim is wrong: occurrences of the position: {times}; moves without a capture or a \
                     pawn move: {moves}",
                    times = *times,
                    moves = *moves
                )
            }
            Self::SetSince { at, on } => {
                say!(
                    "position-ruled",
                    "the arbiter has since set another position, where the false piece on {at} cannot be \
                     replaced by the right piece on {on}",
                    at = *at,
                    on = *on
                )
            }
            Self::BadPosition(why) => {
                say!("bad-position", "this position cannot be played: {why}", why = why.clone())
            }
        }
    }

    fn next(&self) -> Sentence {
        match self {
            Self::NotYourMove(by) => say!("not-your-move-next", "put it back and wait for {by}", by = *by),
            Self::MovedAlready(by) => {
                say!("moved-already-next", "press the clock, let {other} reply, or undo", other = by.other())
            }
            Self::Illegal { .. } => say!("illegal-move-next", "put it back and play another move"),
            Self::NoPromotion { uci } => {
                say!(
                    "no-promotion-next",
                    "add the letter of the new piece, for example {uci}q",
                    uci = uci.clone()
                )
            }
            Self::NothingStandsIn { .. } => say!("no-stand-in-next", "name no stand-in"),
            Self::NoOffer(_) => say!("no-offer-next", "play on, or offer a draw"),
            Self::TooEarly => say!("too-early-to-agree-next", "wait until each player has made a move"),
            Self::NotYourClaim(by) => say!("not-your-claim-next", "wait until {by} has moved", by = *by),
            Self::ClaimFails { .. } => say!("claim-fails-next", "play on"),
            Self::SetSince { .. } => {
                say!("position-ruled-next", "let the arbiter set the right position by a ruling")
            }
            Self::BadPosition(_) => say!("bad-position-next", "give another FEN"),
        }
    }

    /// The articles of the Laws that rule on it: who agrees on a draw, and when; claims; illegal moves.
    fn articles(&self) -> Option<Articles> {
        match self {
            Self::NoOffer(_) => Some(Articles::DrawOffered),
            Self::TooEarly => Some(Articles::DrawAgreed),
            Self::NotYourClaim(_) => Some(Articles::DrawClaimed),
            Self::ClaimFails { .. } => Some(Articles::WrongClaim),
            Self::Illegal { fault, .. } => Some(match fault {
                MoveFault::TakesKing => Articles::KingTaken,
                MoveFault::StaysInCheck | MoveFault::ExposesKing => Articles::KingExposed,
                MoveFault::Other => Articles::IllegalMove,
            }),
            Self::NotYourMove(_)
            | Self::MovedAlready(_)
            | Self::NoPromotion { .. }
            | Self::NothingStandsIn { .. }
            | Self::SetSince { .. }
            | Self::BadPosition(_) => None,
        }
    }

    fn explain(&self) -> Violation {
        let violation = Violation::new(self.rule(), self.what(), self.next()).under(self.articles());
        if matches!(self, Self::Illegal { .. }) { violation.as_illegal_move() } else { violation }
    }
}

/// Says that a move is against the rules of chess, and why.
fn illegal(by: Color, uci: String, fault: MoveFault) -> Sentence {
    match fault {
        MoveFault::TakesKing => say!(
            "illegal-takes-king",
            "{uci} is no legal move for {by} here: a king is never captured (Laws 1.4.1)",
            uci,
            by
        ),
        MoveFault::StaysInCheck => say!(
            "illegal-stays-in-check",
            "{uci} is no legal move for {by} here: {by} is in check and has to end it (Laws 3.9.2)",
            uci,
            by
        ),
        MoveFault::ExposesKing => say!(
            "illegal-exposes-king",
            "{uci} is no legal move for {by} here: {by}'s own king would be in check (Laws 3.9.2)",
            uci,
            by
        ),
        MoveFault::Other => say!("illegal-move", "{uci} is no legal move for {by} here", uci, by),
    }
}

/// A sequence of moves from one start position. A new sequence begins when an arbiter sets another position.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Leg {
    start_fen: String,
    /// How many moves had already been made in the game when this sequence began.
    from: usize,
}

/// The chess phase of a game: the position, the moves that led to it, and the open draw offers.
#[derive(Clone, Debug)]
pub struct Play {
    position: Chess,
    mode: CastlingMode,
    start_fen: Arc<str>,
    /// The moves so far, in memory that copies of this value share.
    moves: Arc<Vec<UciMove>>,
    /// The sequences of moves from one start position. The first sequence always exists, even before the first move.
    legs: Arc<Vec<Leg>>,
    moved: ByColor<u32>,
    /// Hashes of all positions since the last capture or pawn move, in order. The hash of the present position comes
    /// last.
    seen: Vec<u128>,
    /// Whether each side has an open draw offer.
    offers: ByColor<bool>,
    /// The side that has moved and not yet pressed the clock.
    unpressed: Option<Color>,
    /// Whether a player must claim the draw when a position occurs for the third time. Otherwise the third repetition
    /// ends the game by itself.
    claims: bool,
    /// Whether an arbiter has set the position or the side to move.
    ruled: bool,
}

impl Play {
    /// Starts from the usual position of chess.
    pub fn usual(claims: bool) -> Self {
        Self::from_position(Chess::default(), CastlingMode::Standard, claims)
    }

    /// Starts from a FEN; missing fields get their usual values, and unusual material is accepted.
    pub fn from_fen(fen: &str, chess960: bool, claims: bool) -> Result<Self, PlayError> {
        let mode = CastlingMode::from_chess960(chess960);
        let fen: Fen = fen.parse().map_err(|error| PlayError::BadPosition(format!("{error}")))?;
        Self::from_setup(fen.into_setup(), mode, claims)
    }

    /// Starts from the board at the end of a placement, with White to move. If `castling` is agreed, a king and a
    /// rook on their home squares may castle (ruling 10 in `docs/rules.md`).
    pub fn from_board(board: &Board, castling: bool, claims: bool) -> Result<Self, PlayError> {
        let setup = setup_of(board, castling);
        Self::from_setup(setup, CastlingMode::Standard, claims)
    }

    fn from_setup(setup: Setup, mode: CastlingMode, claims: bool) -> Result<Self, PlayError> {
        let position = Chess::from_setup(setup, mode)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .map_err(|error| PlayError::BadPosition(error.to_string()))?;
        Ok(Self::from_position(position, mode, claims))
    }

    fn from_position(position: Chess, mode: CastlingMode, claims: bool) -> Self {
        let start_fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let seen = vec![hash(&position)];
        Self {
            position,
            mode,
            legs: Arc::new(vec![Leg { start_fen: start_fen.clone(), from: 0 }]),
            start_fen: start_fen.into(),
            moves: Arc::default(),
            moved: ByColor::default(),
            seen,
            offers: ByColor::default(),
            unpressed: None,
            claims,
            ruled: false,
        }
    }

    /// The start position as a complete FEN.
    pub fn start_fen(&self) -> &str {
        &self.start_fen
    }

    /// The square of the king of the side to move, if that king is in check.
    pub fn check(&self) -> Option<Square> {
        let king = self.position.board().king_of(self.position.turn());
        king.filter(|_| self.position.is_check()).map(from_square)
    }

    /// The present position as a complete FEN.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.position, EnPassantMode::Legal).to_string()
    }

    /// Whether White has made a move in the chess phase.
    pub fn white_has_moved(&self) -> bool {
        self.moved.white > 0
    }

    /// The pieces on the board.
    pub fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for (square, piece) in self.position.board() {
            board[from_square(square)] = Some(from_piece(piece));
        }
        board
    }

    /// The squares on which this side has a piece of this kind.
    pub fn squares_of(&self, color: Color, role: Role) -> Squares {
        let board = self.position.board();
        Squares::from_bits((board.by_color(to_color(color)) & board.by_role(to_role(role))).0)
    }

    /// The side to move.
    pub fn to_move(&self) -> Color {
        from_color(self.position.turn())
    }

    /// Whose turn it is on the clock. A side that has moved keeps the turn until it presses the clock.
    pub fn turn(&self) -> Turn {
        match self.unpressed {
            Some(by) => Turn::Timed { by, acted: true, counts: true },
            None => Turn::Timed { by: self.to_move(), acted: false, counts: true },
        }
    }

    /// Ends the turn of the side that has moved.
    pub fn end_turn(&mut self) {
        self.unpressed = None;
    }

    /// The side to move, as the player whom the table waits for.
    pub fn to_act(&self) -> Actor {
        Actor::Player(self.to_move())
    }

    /// Sets the position that a ruling requires. Repetitions of earlier positions no longer count.
    pub fn set_position(&mut self, fen: &str) -> Result<(), Violation> {
        let chess960 = self.mode.is_chess960();
        let new = Self::from_fen(fen, chess960, self.claims).map_err(|error| error.explain())?;
        (self.position, self.seen) = (new.position, new.seen);
        (self.offers, self.unpressed) = (ByColor::default(), None);
        self.ruled = true;
        self.begin_leg();
        Ok(())
    }

    /// Returns the chess phase after the correction of a wrongly placed piece. Usually this is `fresh`, the phase that
    /// begins from the correct placement. But if an arbiter has set the position or the side to move since the
    /// placement, the present position is kept, and only the wrong piece in it is replaced.
    pub fn corrected(&self, fresh: Self, at: Square, on: Square, right: Piece) -> Result<Self, Violation> {
        if !self.ruled {
            return Ok(fresh);
        }
        let board = self.board();
        let there = board[at].is_some_and(|piece| piece.color == right.color && piece.role != Role::King);
        if !there || (on != at && board[on].is_some()) {
            return Err(PlayError::SetSince { at, on }.explain());
        }
        let mut setup = self.position.to_setup(EnPassantMode::Legal);
        setup.board.discard_piece_at(to_square(at));
        setup.board.set_piece_at(to_square(on), to_piece(right));
        let new = Self::from_setup(setup, self.mode, self.claims).map_err(|error| error.explain())?;
        let mut play = self.clone();
        (play.position, play.seen, play.start_fen) = (new.position, new.seen, fresh.start_fen);
        play.begin_leg();
        Ok(play)
    }

    /// Begins a new sequence of moves on the score sheet at the present position.
    fn begin_leg(&mut self) {
        let from = self.moves.len();
        let leg = Leg { start_fen: self.fen(), from };
        let legs = Arc::make_mut(&mut self.legs);
        legs.retain(|leg| leg.from < from);
        legs.push(leg);
    }

    /// Makes this the side to move, as a ruling requires.
    pub fn set_to_move(&mut self, color: Color) -> Result<(), Violation> {
        if self.to_move() != color {
            let turned = self.position.clone().swap_turn();
            self.position = turned.map_err(|error| PlayError::BadPosition(error.to_string()).explain())?;
            self.seen = vec![hash(&self.position)];
            self.ruled = true;
            self.begin_leg();
        }
        self.unpressed = None;
        Ok(())
    }

    /// The outcome if the position ends the game without a claim; otherwise `None`. If there are several reasons, the
    /// first in the record's order counts.
    pub fn ended(&self) -> Option<Outcome> {
        if self.position.legal_moves().is_empty() {
            return Some(if self.position.is_check() {
                Outcome::won(self.to_move().other(), Reason::Checkmate)
            } else {
                Outcome::drawn(Reason::Stalemate)
            });
        }
        if self.position.is_insufficient_material() {
            return Some(Outcome::drawn(Reason::InsufficientMaterial));
        }
        let times = self.times();
        if times >= 5 {
            Some(Outcome::drawn(Reason::FivefoldRepetition))
        } else if times >= 3 && !self.claims {
            Some(Outcome::drawn(Reason::Repetition))
        } else if self.position.halfmoves() >= 150 {
            Some(Outcome::drawn(Reason::SeventyFiveMoves))
        } else {
            None
        }
    }

    /// The outcome if this side's flag falls: a draw if the opponent cannot mate (Laws of Chess, 6.9).
    pub fn flag_outcome(&self, fallen: Color) -> Outcome {
        if self.can_mate(fallen.other()) {
            Outcome::won(fallen.other(), Reason::Timeout)
        } else {
            Outcome::drawn(Reason::TimeoutVsInsufficientMaterial)
        }
    }

    /// The outcome if this side resigns: a draw if the opponent cannot mate (Laws of Chess, 5.1.2).
    fn resigned(&self, by: Color) -> Outcome {
        if self.can_mate(by.other()) {
            Outcome::won(by.other(), Reason::Resignation)
        } else {
            Outcome::drawn(Reason::ResignationVsInsufficientMaterial)
        }
    }

    /// Whether a series of legal moves may lead to a mate by this side, as far as material and walls of pawns tell.
    fn can_mate(&self, by: Color) -> bool {
        let only_kings_move = || self.position.legal_moves().iter().all(|m| m.role() == shakmaty::Role::King);
        let locked = || is_locked(&self.board()) && only_kings_move();
        !self.position.has_insufficient_material(to_color(by)) && !locked()
    }

    /// Whether it is doubtful that this side can mate by any series of legal moves (Laws of Chess, 5.2.2 and 6.9).
    fn is_doubtful(&self, winner: Color) -> bool {
        let captures =
            |position: &Chess| position.legal_moves().iter().any(|m| m.is_capture() || m.is_promotion());
        // Who is in check has to answer it, so that the other side's turn is no position.
        let quiet = !captures(&self.position)
            && self.position.clone().swap_turn().is_ok_and(|swapped| !captures(&swapped));
        quiet && self.can_mate(winner) && is_blocked_without_pieces(&self.board(), winner)
    }

    /// Applies an action; returns the outcome if the action ended the game. On `Err` nothing has changed.
    pub fn apply(&mut self, action: &PlayAction) -> Result<Option<Outcome>, Violation> {
        self.try_apply(action).map_err(|error| error.explain())
    }

    fn try_apply(&mut self, action: &PlayAction) -> Result<Option<Outcome>, PlayError> {
        match action {
            PlayAction::Move { by, uci, stands } => self.play(*by, *uci, *stands),
            PlayAction::Resign(by) => Ok(Some(self.resigned(*by))),
            PlayAction::OfferDraw(by) => {
                self.offers[*by] = true;
                Ok(None)
            }
            PlayAction::AcceptDraw(by) => {
                self.offered_to(*by)?;
                if self.moved.white == 0 || self.moved.black == 0 {
                    return Err(PlayError::TooEarly);
                }
                Ok(Some(Outcome::drawn(Reason::Agreement)))
            }
            PlayAction::DeclineDraw(by) => {
                self.offered_to(*by)?;
                self.offers[by.other()] = false;
                Ok(None)
            }
            PlayAction::ClaimDraw { by, uci } => self.claim(*by, *uci).map(Some),
        }
    }

    fn offered_to(&self, by: Color) -> Result<(), PlayError> {
        if self.offers[by.other()] { Ok(()) } else { Err(PlayError::NoOffer(by.other())) }
    }

    fn play(&mut self, by: Color, uci: Uci, stands: Option<Role>) -> Result<Option<Outcome>, PlayError> {
        let m = self.find(by, uci)?;
        if stands.is_some() && !m.is_promotion() {
            return Err(PlayError::NothingStandsIn { uci: uci.to_string() });
        }
        self.position.play_unchecked(m);
        Arc::make_mut(&mut self.moves).push(UciMove::from_move(m, self.mode));
        self.moved[by] += 1;
        // A draw offer ends when the opponent moves.
        self.offers[by.other()] = false;
        if self.position.halfmoves() == 0 {
            self.seen.clear();
        }
        self.seen.push(hash(&self.position));
        self.unpressed = Some(by);
        Ok(self.ended())
    }

    /// Refuses whatever only a side may do that has to move now.
    pub fn may_move(&self, by: Color) -> Result<(), Violation> {
        self.has_the_move(by).map_err(|error| error.explain())
    }

    fn has_the_move(&self, by: Color) -> Result<(), PlayError> {
        if self.unpressed == Some(by) {
            return Err(PlayError::MovedAlready(by));
        }
        if by != self.to_move() || self.unpressed.is_some() {
            return Err(PlayError::NotYourMove(self.to_move()));
        }
        Ok(())
    }

    /// Finds the legal move of the side to move that this UCI notation means.
    fn find(&self, by: Color, uci: Uci) -> Result<shakmaty::Move, PlayError> {
        self.has_the_move(by)?;
        let illegal = || PlayError::Illegal { by, uci: uci.to_string(), fault: self.fault_of(uci) };
        match to_uci(uci).to_move(&self.position) {
            // The notation `e1h1` for castling is valid only in Chess960.
            Ok(m) if !self.mode.is_chess960() && uci_of(m, self.mode) != uci => Err(illegal()),
            Ok(m) => Ok(m),
            Err(_) => {
                let queen = Uci { promotion: Some(Role::Queen), ..uci };
                let promotes = uci.promotion.is_none() && to_uci(queen).to_move(&self.position).is_ok();
                Err(if promotes { PlayError::NoPromotion { uci: uci.to_string() } } else { illegal() })
            }
        }
    }

    /// What is wrong with a move that is not legal.
    fn fault_of(&self, uci: Uci) -> MoveFault {
        let (UciMove::Normal { from, to, .. }, mut board) = (to_uci(uci), self.position.board().clone())
        else {
            return MoveFault::Other;
        };
        let Some(piece) = board.remove_piece_at(from).filter(|piece| piece.color == self.position.turn())
        else {
            return MoveFault::Other;
        };
        if board.king_of(piece.color.other()) == Some(to) {
            return MoveFault::TakesKing;
        }
        board.set_piece_at(to, piece);
        let attacked = |king| board.attacks_to(king, piece.color.other(), board.occupied()).any();
        if !board.king_of(piece.color).is_some_and(attacked) {
            MoveFault::Other
        } else if self.position.checkers().any() {
            MoveFault::StaysInCheck
        } else {
            MoveFault::ExposesKing
        }
    }

    fn claim(&self, by: Color, uci: Option<Uci>) -> Result<Outcome, PlayError> {
        if by != self.to_move() {
            return Err(PlayError::NotYourClaim(self.to_move()));
        }
        let mut then = self.clone();
        then.end_turn();
        if let Some(uci) = uci {
            then.play(by, uci, None)?;
        }
        let (times, halfmoves) = (then.times(), then.position.halfmoves());
        if times >= 3 {
            Ok(Outcome::drawn(Reason::Repetition))
        } else if halfmoves >= 100 {
            Ok(Outcome::drawn(Reason::FiftyMoves))
        } else {
            Err(PlayError::ClaimFails { times, moves: halfmoves / 2 })
        }
    }

    /// How often the present position has occurred, including now.
    fn times(&self) -> usize {
        self.seen.last().map_or(0, |now| self.seen.iter().filter(|hash| *hash == now).count())
    }

    /// The moves with which the side to move could claim a draw.
    fn claimable_moves(&self) -> Vec<Uci> {
        // A move can produce a position for the third time only if at least eight positions came before it.
        if self.position.halfmoves() < 99 && self.seen.len() < 8 {
            return Vec::new();
        }
        let claims = |m: &shakmaty::Move| {
            let mut then = self.position.clone();
            then.play_unchecked(*m);
            let now = hash(&then);
            let times = self.seen.iter().filter(|hash| **hash == now).count() + 1;
            then.halfmoves() >= 100 || (then.halfmoves() > 0 && times >= 3)
        };
        let moves = self.position.legal_moves().into_iter().filter(claims);
        moves.map(|m| uci_of(m, self.mode)).collect()
    }

    /// The kinds of piece that have a legal move now, without repetitions. Castling counts as a move of the rook.
    pub fn moving_kinds(&self) -> Vec<Role> {
        let mut kinds: Vec<Role> = Vec::new();
        for m in self.position.legal_moves() {
            let kind = if m.is_castle() { Role::Rook } else { from_role(m.role()) };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// The kind of piece that a legal move moves; castling counts as a move of the rook. `None` if the move is not
    /// legal.
    pub fn kind_moved(&self, uci: Uci) -> Option<Role> {
        let m = to_uci(uci).to_move(&self.position).ok()?;
        Some(if m.is_castle() { Role::Rook } else { from_role(m.role()) })
    }

    /// The legal moves of the side to move, each with the board after it.
    pub fn candidates(&self) -> Vec<Candidate> {
        let by = self.to_move();
        let board = self.board();
        self.position
            .legal_moves()
            .into_iter()
            .map(|m| {
                let uci = uci_of(m, self.mode);
                let action = Action::Play(PlayAction::Move { by, uci, stands: None });
                Candidate { action, after: after(board, by, m) }
            })
            .collect()
    }

    /// All actions that would be accepted now.
    pub fn offers(&self) -> Vec<Offer> {
        let by = self.to_move();
        let mut actions = Vec::new();
        if self.unpressed.is_none() {
            let moves = self.position.legal_moves().into_iter();
            let uci = moves.map(|m| uci_of(m, self.mode));
            actions.extend(uci.map(|uci| PlayAction::Move { by, uci, stands: None }));
        }
        if self.claimable() {
            actions.push(PlayAction::ClaimDraw { by, uci: None });
        }
        let claims = self.claimable_moves().into_iter().map(Some);
        actions.extend(claims.map(|uci| PlayAction::ClaimDraw { by, uci }));
        for color in Color::ALL {
            actions.push(PlayAction::Resign(color));
            if self.offers[color.other()] {
                if self.moved.white > 0 && self.moved.black > 0 {
                    actions.push(PlayAction::AcceptDraw(color));
                }
                actions.push(PlayAction::DeclineDraw(color));
            }
            actions.push(PlayAction::OfferDraw(color));
        }
        actions.into_iter().map(|action| Offer::Do(Action::Play(action))).collect()
    }

    /// What the player has to do next, in one sentence.
    pub fn prompt(&self) -> Sentence {
        let by = self.to_move();
        if let Some(mover) = self.unpressed {
            return press_the_clock(mover);
        }
        let prompt = if self.position.is_check() {
            say!("make-a-move-in-check", "{by}: make a move that ends the check", by)
        } else {
            say!("make-a-move", "{by}: make a move", by)
        };
        self.beside_offer(prompt)
    }

    /// This prompt for the side to move, with the opponent's draw offer if one is open.
    pub fn beside_offer(&self, prompt: Sentence) -> Sentence {
        let other = self.to_move().other();
        if self.offers[other] {
            say!("with-draw-offer", "{prompt} ({other} offers a draw)", prompt, other)
        } else {
            prompt
        }
    }

    /// The moves so far in SAN, one list for each start position.
    fn san(&self) -> Vec<ChessLeg> {
        let ends = self.legs.iter().skip(1).map(|leg| leg.from).chain([self.moves.len()]);
        self.legs
            .iter()
            .zip(ends)
            .map(|(leg, end)| ChessLeg { start_fen: leg.start_fen.clone(), san: self.san_of(leg, end) })
            .collect()
    }

    /// The moves of the sequence `leg` in SAN. `end` is the index, in all moves of the game, of the first move after
    /// the sequence.
    fn san_of(&self, leg: &Leg, end: usize) -> Vec<String> {
        let again = Self::from_fen(&leg.start_fen, self.mode.is_chess960(), self.claims);
        let mut position = again.expect("a leg begins from a position that was played on").position;
        let mut san = Vec::new();
        for uci in self.moves.get(leg.from..end).unwrap_or_default() {
            let m = uci.to_move(&position).expect("what was played is legal");
            san.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
        }
        san
    }
}

impl Play {
    /// The illegal move that somebody attempts who says this.
    fn attempt(&self, san: San) -> Option<Uci> {
        let own = self.position.our(match san {
            San::Normal { role, .. } => role,
            _ => shakmaty::Role::King,
        });
        let (from, to, promotion) = match san {
            San::Normal { file, rank, to, promotion, .. } => {
                let named = |from: &shakmaty::Square| {
                    file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
                };
                // A pawn attempts to move on its own file.
                let pawn = matches!(san, San::Normal { role: shakmaty::Role::Pawn, file: None, .. });
                let from = own.into_iter().filter(named).find(|from| !pawn || from.file() == to.file())?;
                (from, to, promotion)
            }
            San::Castle(side) => {
                let king = own.into_iter().next()?;
                (king, side.king_to(self.position.turn()), None)
            }
            San::Null | San::Put { .. } => return None,
        };
        let uci = Uci { from: from_square(from), to: from_square(to), promotion: promotion.map(from_role) };
        (from != to).then_some(uci)
    }
}

/// Whether a move fits this SAN, whatever it promotes to.
fn fits(san: San, m: shakmaty::Move) -> bool {
    match san {
        San::Normal { role, file, rank, to, .. } => {
            let from = m.from();
            !m.is_castle()
                && m.role() == role
                && m.to() == to
                && file.is_none_or(|file| from.is_some_and(|from| from.file() == file))
                && rank.is_none_or(|rank| from.is_some_and(|from| from.rank() == rank))
        }
        San::Castle(side) => m.castling_side() == Some(side),
        San::Null | San::Put { .. } => false,
    }
}

impl ChessPhase for Play {
    fn claimable(&self) -> bool {
        self.times() >= 3 || self.position.halfmoves() >= 100
    }

    fn check(&self) -> Option<Square> {
        self.check()
    }

    fn fen(&self) -> String {
        self.fen()
    }

    fn read_san(&self, text: &str) -> Vec<Uci> {
        let Ok(SanPlus { san, .. }) = text.parse() else { return Vec::new() };
        let mut fitting: Vec<Uci> = Vec::new();
        for m in self.position.legal_moves() {
            let mut uci = uci_of(m, self.mode);
            match san {
                San::Normal { promotion: None, .. } => uci.promotion = None,
                San::Normal { promotion: Some(role), .. } if m.promotion() != Some(role) => continue,
                _ => {}
            }
            if fits(san, m) && !fitting.contains(&uci) {
                fitting.push(uci);
            }
        }
        if fitting.is_empty() { self.attempt(san).into_iter().collect() } else { fitting }
    }

    fn in_san(&self, uci: Uci) -> Option<(u32, String)> {
        let m = to_uci(uci).to_move(&self.position).ok()?;
        let san = SanPlus::from_move(self.position.clone(), m).to_string();
        Some((self.position.fullmoves().get(), san))
    }

    fn last_move(&self) -> Vec<Square> {
        match self.moves.last() {
            Some(UciMove::Normal { from, to, .. }) => vec![from_square(*from), from_square(*to)],
            _ => Vec::new(),
        }
    }

    fn start_fen(&self) -> &str {
        &self.start_fen
    }

    fn moves(&self) -> Vec<String> {
        self.moves.iter().map(ToString::to_string).collect()
    }

    fn move_count(&self) -> usize {
        self.moves.len()
    }

    fn may_be_dead(&self, winner: Color) -> bool {
        self.is_doubtful(winner)
    }

    fn score(&self) -> ChessScore {
        ChessScore {
            start_fen: self.start_fen.to_string(),
            chess960: self.mode.is_chess960(),
            moves: self.moves(),
            legs: self.san(),
        }
    }
}

/// The board after a move; up to four squares change.
fn after(mut board: Board, by: Color, m: shakmaty::Move) -> Board {
    let own = |role| Some(Piece { color: by, role });
    match m {
        shakmaty::Move::Normal { role, from, to, promotion, .. } => {
            board[from_square(from)] = None;
            board[from_square(to)] = own(from_role(promotion.unwrap_or(role)));
        }
        shakmaty::Move::EnPassant { from, to } => {
            board[from_square(from)] = None;
            board[from_square(to)] = own(Role::Pawn);
            board[from_square(shakmaty::Square::from_coords(to.file(), from.rank()))] = None;
        }
        shakmaty::Move::Castle { king, rook } => {
            let side = shakmaty::CastlingSide::from_king_side(king < rook);
            board[from_square(king)] = None;
            board[from_square(rook)] = None;
            let color = to_color(by);
            board[from_square(side.king_to(color))] = own(Role::King);
            board[from_square(side.rook_to(color))] = own(Role::Rook);
        }
        shakmaty::Move::Put { .. } => unreachable!("chess has no drops"),
    }
    board
}

/// A start position with this board and White to move. With `castling`, a king and a rook on their home squares
/// may castle.
fn setup_of(board: &Board, castling: bool) -> Setup {
    let mut setup = Setup::empty();
    for (square, piece) in board.pieces() {
        setup.board.set_piece_at(to_square(square), to_piece(piece));
    }
    if castling {
        use shakmaty::Square::{A1, A8, E1, E8, H1, H8};
        for (color, king, rooks) in
            [(shakmaty::Color::White, E1, [A1, H1]), (shakmaty::Color::Black, E8, [A8, H8])]
        {
            let at = |square, role: shakmaty::Role| setup.board.piece_at(square) == Some(role.of(color));
            if at(king, shakmaty::Role::King) {
                let home: Vec<_> = rooks.into_iter().filter(|rook| at(*rook, shakmaty::Role::Rook)).collect();
                setup.castling_rights.extend(home);
            }
        }
    }
    setup
}

/// The complete FEN of a board that a person set up, with this side to move. A king and a rook on their home squares
/// may castle.
pub fn fen_of(board: &Board, to_move: Color) -> String {
    let setup = Setup { turn: to_color(to_move), ..setup_of(board, true) };
    Fen::try_from(setup).map_or_else(|_| board.to_string(), |fen| fen.to_string())
}

fn hash(position: &Chess) -> u128 {
    // If positions differ only in the en passant square, they count as repetitions of each other. They do not count if
    // an en passant capture is legal in one of them.
    let Zobrist128(hash) = position.zobrist_hash(EnPassantMode::Legal);
    hash
}

fn to_color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

fn from_color(color: shakmaty::Color) -> Color {
    color.fold_wb(Color::White, Color::Black)
}

/// The UCI notation of a legal move.
fn uci_of(m: shakmaty::Move, mode: CastlingMode) -> Uci {
    match UciMove::from_move(m, mode) {
        UciMove::Normal { from, to, promotion } => {
            Uci { from: from_square(from), to: from_square(to), promotion: promotion.map(from_role) }
        }
        UciMove::Put { .. } | UciMove::Null => unreachable!("chess has no drops and no null moves"),
    }
}

/// The UCI notation as the type that shakmaty uses.
fn to_uci(uci: Uci) -> UciMove {
    UciMove::Normal {
        from: to_square(uci.from),
        to: to_square(uci.to),
        promotion: uci.promotion.map(to_role),
    }
}

fn to_role(role: Role) -> shakmaty::Role {
    match role {
        Role::Pawn => shakmaty::Role::Pawn,
        Role::Knight => shakmaty::Role::Knight,
        Role::Bishop => shakmaty::Role::Bishop,
        Role::Rook => shakmaty::Role::Rook,
        Role::Queen => shakmaty::Role::Queen,
        Role::King => shakmaty::Role::King,
    }
}

fn from_role(role: shakmaty::Role) -> Role {
    match role {
        shakmaty::Role::Pawn => Role::Pawn,
        shakmaty::Role::Knight => Role::Knight,
        shakmaty::Role::Bishop => Role::Bishop,
        shakmaty::Role::Rook => Role::Rook,
        shakmaty::Role::Queen => Role::Queen,
        shakmaty::Role::King => Role::King,
    }
}

fn to_piece(piece: Piece) -> shakmaty::Piece {
    to_role(piece.role).of(to_color(piece.color))
}

fn from_piece(piece: shakmaty::Piece) -> Piece {
    Piece { color: from_color(piece.color), role: from_role(piece.role) }
}

fn to_square(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(u32::try_from(square.index()).expect("below 64"))
}

fn from_square(square: shakmaty::Square) -> Square {
    Square::from_index(square.to_usize()).expect("below 64")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    #[test]
    fn a_correction_keeps_the_position_that_was_ruled() {
        let play = |fen: &str| Play::from_fen(fen, false, false).expect("a position");
        let placed = play("4k3/4p3/8/8/8/8/4P3/R3K2R w KQ - 0 1");
        let fresh = play("4k3/4p3/8/8/8/8/4P3/R3K2Q w Q - 0 1");
        let right = Piece { color: Color::White, role: Role::Queen };
        let corrected = |play: &Play, at: &str, on: &str| {
            play.corrected(fresh.clone(), square(at), square(on), right).map(|play| play.fen())
        };
        assert_eq!(corrected(&placed, "h1", "h1"), Ok(fresh.fen()));

        // The arbiter has removed a pawn and given Black the move.
        let mut ruled = placed.clone();
        ruled.set_position("4k3/8/8/8/8/8/4P3/R3K2R b KQ - 0 1").expect("a position");
        assert_eq!(corrected(&ruled, "h1", "h1").as_deref(), Ok("4k3/8/8/8/8/8/4P3/R3K2Q b Q - 0 1"));
        assert_eq!(corrected(&ruled, "h1", "g1").as_deref(), Ok("4k3/8/8/8/8/8/4P3/R3K1Q1 b Q - 0 1"));
        for (at, on) in [("h2", "h2"), ("h1", "a1"), ("e1", "e1")] {
            let refused = corrected(&ruled, at, on).expect_err("it cannot be put there");
            assert_eq!(refused.rule, "position-ruled");
        }
        let mut given = placed.clone();
        given.set_to_move(Color::Black).expect("nobody is in check");
        assert_eq!(corrected(&given, "h1", "h1").as_deref(), Ok("4k3/4p3/8/8/8/8/4P3/R3K2Q b Q - 0 1"));
    }
}
