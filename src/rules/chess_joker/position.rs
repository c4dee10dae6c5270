//! A position: the men, what castling and en passant need to know, check, and the standard moves.
//!
//! Source: `docs/record-chess-joker.md`, "The game as a value"; `docs/rules-chess-joker.md`, rules 11 to 27.

use std::fmt;

use tabiya_types::{Board, Color, Piece, Role, Square};

use super::effect::{CardEffect, Effort, KingCapture, Masquerade, UseRun, Uses, beside_of, en_passant};
use super::lines_of_board::{bit, each, square};
use super::men::Men;
use crate::rules::uci::Uci;

/// The start position that is used if the terms name none.
pub(super) const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The four castlings: the letter of a FEN, the king's square and the rook's corner.
const CASTLINGS: [(char, Color, usize, usize); 4] = [
    ('K', Color::White, 4, 7),
    ('Q', Color::White, 4, 0),
    ('k', Color::Black, 60, 63),
    ('q', Color::Black, 60, 56),
];

/// What threatens a king beside the pieces on the board.
#[derive(Clone, Copy)]
pub(super) struct Danger<'a> {
    /// The written effect of the enemy's card.
    pub(super) enemy: Option<&'a CardEffect>,
    /// How much may still be tried to find out what it does.
    pub(super) effort: &'a Effort,
}

/// A position with the memory that its rules need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct JokerPosition {
    pub(super) men: Men,
    /// The kings' squares and corners that have not changed since the start.
    pub(super) unmoved: u64,
    /// The pawns that went two squares in the last turn.
    pub(super) passed: u64,
}

impl JokerPosition {
    /// Reads a FEN: the position, and whose turn it is. `None` if it is none that this game can play.
    pub(super) fn from_fen(fen: &str) -> Option<(Self, Color)> {
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let [placement, side, castling, passed, numbers @ ..] = fields.as_slice() else { return None };
        let whole = |text: &&str| text.bytes().all(|digit| digit.is_ascii_digit());
        if numbers.len() > 2 || !numbers.iter().all(whole) {
            return None;
        }
        let men = Men::of(&placement.parse::<Board>().ok()?);
        let turn = match *side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return None,
        };
        let one_king_each = Color::ALL.into_iter().all(|color| men.king(color).is_power_of_two());
        if !one_king_each || men.pawns_at_the_end() != 0 || men.king_threatened(turn.other()) {
            return None;
        }
        let (unmoved, passed) = (unmoved(&men, castling)?, passed_pawn(&men, passed, turn)?);
        Some((Self { men, unmoved, passed }, turn))
    }

    /// The position as a FEN before the move with this number, with castling and en passant as far as they count.
    pub(super) fn fen(&self, turn: Color, number: u32) -> String {
        let side = if turn == Color::White { 'w' } else { 'b' };
        let passed = self.passed_over().into_iter().next().unwrap_or_else(|| "-".to_owned());
        format!("{} {side} {} {passed} 0 {number}", self.men.board(), self.castling())
    }

    /// The castlings whose squares have not changed, as a FEN writes them.
    pub(super) fn castling(&self) -> String {
        let rights =
            CASTLINGS.iter().filter(|(_, _, king, rook)| self.is_unmoved(*king) && self.is_unmoved(*rook));
        let letters: String = rights.map(|(letter, ..)| *letter).collect();
        if letters.is_empty() { "-".to_owned() } else { letters }
    }

    fn is_unmoved(&self, square: usize) -> bool {
        self.unmoved & bit(square) != 0
    }

    /// The squares that pawns passed over in the last turn, in the order of their names.
    pub(super) fn passed_over(&self) -> Vec<String> {
        let of = |color| self.passed & self.men.of_color(color);
        let over = of(Color::White) >> 8 | of(Color::Black) << 8;
        let mut names: Vec<String> =
            each(over).filter_map(Square::from_index).map(|square| square.to_string()).collect();
        names.sort();
        names
    }

    /// The beginning of a use of a card.
    pub(super) fn run(&self) -> UseRun {
        UseRun::new(self.men, self.unmoved, self.passed)
    }

    /// The position that a use leaves.
    pub(super) fn after(run: &UseRun) -> Self {
        Self { men: run.men, unmoved: run.unmoved, passed: run.opened }
    }

    // ---- check ----

    /// Whether a colour is in check, by pieces or by the written effect of the enemy's card (rule J11).
    pub(super) fn in_check(&self, color: Color, danger: Danger<'_>) -> bool {
        self.men.king_threatened(color)
            || danger.enemy.is_some_and(|effect| self.captured_by(color, effect, danger.effort))
    }

    /// Whether a use of the enemy's card captures the king of this colour (rule J11a).
    fn captured_by(&self, color: Color, effect: &CardEffect, effort: &Effort) -> bool {
        let (you, run) = (color.other(), self.run());
        let works = |(mask, steps): &KingCapture| {
            mask.replaces_only(effect.maskable(&self.men, you))
                && Uses::new(effect, you, *mask, effort).along(steps).steps_to_the_king(&run).is_some()
        };
        effort.knows(works)
            || self.capture_of(color, effect, effort).is_some_and(|found| {
                effort.keep(found);
                true
            })
    }

    /// A use of the enemy's card that captures the king of this colour, with its masquerade.
    pub(super) fn capture_of(
        &self,
        color: Color,
        effect: &CardEffect,
        effort: &Effort,
    ) -> Option<KingCapture> {
        let (you, run) = (color.other(), self.run());
        let mut found = None;
        let mut captures = |mask| {
            found = Uses::new(effect, you, mask, effort).steps_to_the_king(&run).map(|steps| (mask, steps));
            found.is_some()
        };
        if effect.may_capture() && !captures(Masquerade::NONE) {
            Masquerade::any(effect.maskable(&self.men, you), &mut captures);
        }
        found
    }

    // ---- standard moves ----

    /// The position after a standard move; `None` if it is not legal.
    pub(super) fn moved(&self, by: Color, wanted: Uci, danger: Danger<'_>) -> Option<Self> {
        let mut found = None;
        self.any_move(by, danger, Some(wanted), &mut |_, after| {
            found = Some(*after);
            true
        });
        found
    }

    /// Looks at the standard moves of a colour after which it is not in check, each with the position after it, until
    /// `stop` is true; with `wanted` at this one alone. Returns whether it was.
    pub(super) fn any_move(
        &self,
        by: Color,
        danger: Danger<'_>,
        wanted: Option<Uci>,
        stop: &mut dyn FnMut(Uci, &Self) -> bool,
    ) -> bool {
        let prey = self.men.of_color(by.other()) & !self.men.of_role(Role::King);
        let mut is_it = |uci: Uci, after: Self| {
            wanted.is_none_or(|wanted| wanted == uci) && !after.in_check(by, danger) && stop(uci, &after)
        };
        for from in each(self.men.of_color(by)) {
            let Some(Piece { role, .. }) = self.men.at(from) else { continue };
            for to in each(self.men.goings(from, role, by, prey)) {
                if self.gone(from, to, role).any(|(promotion, after)| is_it(uci(from, to, promotion), after))
                {
                    return true;
                }
            }
            if role == Role::Pawn {
                for to in each(en_passant(&self.men, self.passed, from, by)) {
                    let mut run = self.run();
                    run.go(from, to);
                    run.take_off(beside_of(from, to));
                    if is_it(uci(from, to, None), Self::after(&run)) {
                        return true;
                    }
                }
            }
        }
        CASTLINGS.iter().any(|castling| {
            let castled = self.castled(by, *castling, danger);
            castled.is_some_and(|(to, after)| is_it(uci(castling.2, to, None), after))
        })
    }

    /// The positions after a going: one for each promotion of a pawn that reaches its end.
    fn gone(&self, from: usize, to: usize, role: Role) -> impl Iterator<Item = (Option<Role>, Self)> + use<> {
        const OFFICERS: [Option<Role>; 4] =
            [Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen)];
        let mut run = self.run();
        run.go(from, to);
        if role == Role::Pawn && from.abs_diff(to) == 16 {
            run.opened = bit(to);
        }
        let promotes = run.men.pawns_at_the_end() & bit(to) != 0;
        let into: &[Option<Role>] = if promotes { &OFFICERS } else { &[None] };
        into.iter().map(move |promotion| {
            let mut run = run;
            if let Some(role) = promotion {
                run.turn_into(to, *role);
            }
            (*promotion, Self::after(&run))
        })
    }

    /// The king's goal and the position after a castling (rule J25); `None` if it is not allowed.
    fn castled(
        &self,
        by: Color,
        (_, color, king, rook): (char, Color, usize, usize),
        danger: Danger<'_>,
    ) -> Option<(usize, Self)> {
        if color != by || !self.is_unmoved(king) || !self.is_unmoved(rook) {
            return None;
        }
        let (low, high) = (king.min(rook), king.max(rook));
        let between = (low + 1..high).fold(0, |all, square| all | bit(square));
        if self.men.occupied() & between != 0 || self.in_check(by, danger) {
            return None;
        }
        let (over, to) = if rook > king { (king + 1, king + 2) } else { (king - 1, king - 2) };
        let mut passing = self.run();
        passing.go(king, over);
        let passing = Self { passed: self.passed, ..Self::after(&passing) };
        if passing.in_check(by, danger) {
            return None;
        }
        let mut run = self.run();
        run.go(king, to);
        run.go(rook, over);
        Some((to, Self::after(&run)))
    }
}

fn uci(from: usize, to: usize, promotion: Option<Role>) -> Uci {
    Uci { from: square(from), to: square(to), promotion }
}

/// The unmoved squares that a castling field tells; a right without its king and rook is passed over. `None` if it is
/// no such field.
fn unmoved(men: &Men, field: &str) -> Option<u64> {
    if field == "-" {
        return Some(0);
    }
    let mut unmoved = 0;
    for (nth, letter) in field.char_indices() {
        let (_, color, king, rook) = *CASTLINGS.iter().find(|(known, ..)| *known == letter)?;
        if field[..nth].contains(letter) {
            return None;
        }
        let stands = |square, role| men.at(square) == Some(Piece { color, role });
        if stands(king, Role::King) && stands(rook, Role::Rook) {
            unmoved |= bit(king) | bit(rook);
        }
    }
    (!field.is_empty()).then_some(unmoved)
}

/// The pawn that an en passant field tells; one that cannot be is passed over. `None` if it is no such field.
fn passed_pawn(men: &Men, field: &str, turn: Color) -> Option<u64> {
    if field == "-" {
        return Some(0);
    }
    let over: Square = field.parse().ok().filter(|square: &Square| matches!(square.rank(), 2 | 5))?;
    let (rank, pawn, back) = match turn {
        Color::White => (5, over.offset(0, -1)?, over.offset(0, 1)?),
        Color::Black => (2, over.offset(0, 1)?, over.offset(0, -1)?),
    };
    let enemy = Piece { color: turn.other(), role: Role::Pawn };
    let counts = over.rank() == rank
        && men.at(over.index()).is_none()
        && men.at(pawn.index()) == Some(enemy)
        && men.at(back.index()).is_none();
    Some(if counts { bit(pawn.index()) } else { 0 })
}

impl fmt::Display for JokerPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.men.board().fmt(f)
    }
}
