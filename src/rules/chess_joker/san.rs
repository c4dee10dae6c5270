//! Standard moves in SAN: `Nf3`, `exd5`, `e8=Q+`, `O-O`.
//!
//! A mark `+` stands for a check by pieces alone: what a card threatens, SAN does not say. Squares are told apart as chess
//! does it, without the cards, so that programs that know only chess read the same move. Source: Portable Game Notation
//! Specification (1994), 8.2.3.

use tabiya_types::{Color, Piece, Role};

use super::effect::Effort;
use super::position::{Danger, JokerPosition};
use crate::rules::uci::Uci;

impl JokerPosition {
    /// A move that is legal here for this player in SAN; `after` is the position after it.
    pub(super) fn san(&self, by: Color, uci: Uci, after: &Self) -> String {
        let check = if after.men.king_threatened(by.other()) { "+" } else { "" };
        let Some(Piece { role, .. }) = self.men.at(uci.from.index()) else { return uci.to_string() };
        if role == Role::King && uci.from.file().abs_diff(uci.to.file()) == 2 {
            let castles = if uci.to.file() > uci.from.file() { "O-O" } else { "O-O-O" };
            return format!("{castles}{check}");
        }
        let en_passant = role == Role::Pawn && uci.from.file() != uci.to.file();
        let takes = if en_passant || self.men.at(uci.to.index()).is_some() { "x" } else { "" };
        let piece = match role {
            Role::Pawn if takes.is_empty() => String::new(),
            Role::Pawn => file_of(uci),
            _ => format!("{}{}", role.letter(), self.apart(by, uci, role)),
        };
        let promotion = uci.promotion.map(|role| format!("={}", role.letter())).unwrap_or_default();
        format!("{piece}{takes}{}{promotion}{check}", uci.to)
    }

    /// The part of the square from which a piece goes that tells it apart from others of its kind.
    fn apart(&self, by: Color, uci: Uci, role: Role) -> String {
        let mut others = Vec::new();
        let danger = Danger { enemy: None, effort: &Effort::new() };
        self.any_move(by, danger, None, &mut |other, _| {
            let alike = self.men.at(other.from.index()).is_some_and(|piece| piece.role == role);
            if alike && other.to == uci.to && other.from != uci.from {
                others.push(other.from);
            }
            false
        });
        let (file, rank) = (uci.from.file(), uci.from.rank());
        if others.is_empty() {
            String::new()
        } else if others.iter().all(|other| other.file() != file) {
            file_of(uci)
        } else if others.iter().all(|other| other.rank() != rank) {
            uci.from.to_string().split_off(1)
        } else {
            uci.from.to_string()
        }
    }
}

/// The letter of the file from which a piece goes.
fn file_of(uci: Uci) -> String {
    uci.from.to_string().chars().take(1).collect()
}
