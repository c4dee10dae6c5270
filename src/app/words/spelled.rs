//! Moves in SAN at a game whose moves are not those of chess: they are read by what is legal now.

use tabiya_engine::rules::{Action, PlayAction, Uci};
use tabiya_engine::table::Table;
use tabiya_types::{Role, Square};

/// The legal moves that a text in SAN can mean, without its marks: `Nf3`, `Nbd2`, `exd5`, `e8=Q`, `O-O`.
pub(super) fn moves(text: &str, table: &Table) -> Vec<Uci> {
    let legal = table.game().candidates().into_iter().filter_map(|candidate| match candidate.action {
        Action::Play(PlayAction::Move { uci, .. }) => Some(uci),
        _ => None,
    });
    let board = table.board();
    let role = |uci: &Uci| board[uci.from].map(|piece| piece.role);
    let castles = text.to_uppercase().replace('0', "O");
    if castles == "O-O" || castles == "O-O-O" {
        let file = if castles == "O-O" { 6 } else { 2 };
        let is_castling =
            |uci: &Uci| role(uci) == Some(Role::King) && uci.from.file() == 4 && uci.to.file() == file;
        return legal.filter(is_castling).collect();
    }
    let Some(wanted) = Spelled::read(text) else { return Vec::new() };
    legal.filter(|uci| role(uci) == Some(wanted.role) && wanted.fits(*uci)).collect()
}

/// The piece of a move in SAN, and the square to which it goes; the letter of the piece may be small.
pub(super) fn piece_and_square(text: &str) -> Option<(Role, Square)> {
    let small = text.starts_with(['n', 'q', 'r', 'k']) && text.len() > 2;
    let text = if small { text[..1].to_uppercase() + &text[1..] } else { text.to_owned() };
    Spelled::read(&text).map(|spelled| (spelled.role, spelled.to))
}

/// A move in SAN.
struct Spelled {
    role: Role,
    file: Option<char>,
    rank: Option<char>,
    to: Square,
    promotion: Option<Role>,
}

impl Spelled {
    fn read(text: &str) -> Option<Self> {
        let mut letters: Vec<char> = text.chars().filter(|letter| !"x+#=:-".contains(*letter)).collect();
        let officer = |letter: &char| Role::from_letter(*letter).filter(|role| *role != Role::Pawn);
        let promotion = if letters.len() > 2 { letters.last().and_then(officer) } else { None };
        letters.truncate(letters.len() - usize::from(promotion.is_some()));
        let role = letters.first().and_then(officer);
        letters.drain(..usize::from(role.is_some()));
        let to = letters.split_off(letters.len().checked_sub(2)?);
        let to: Square = to.into_iter().collect::<String>().parse().ok()?;
        let mut spelled = Self { role: role.unwrap_or(Role::Pawn), file: None, rank: None, to, promotion };
        for letter in letters {
            let part = if letter.is_ascii_digit() { &mut spelled.rank } else { &mut spelled.file };
            if part.replace(letter).is_some() {
                return None;
            }
        }
        Some(spelled)
    }

    fn fits(&self, uci: Uci) -> bool {
        let from = uci.from.to_string();
        let stands = |part: Option<char>| part.is_none_or(|letter| from.contains(letter));
        let promotes = uci.promotion == self.promotion || self.promotion.is_none();
        uci.to == self.to && stands(self.file) && stands(self.rank) && promotes
    }
}
