//! Words for what is done on the board: cards turned over, pieces placed or corrected, moves in every spelling.

use tabiya_engine::rules::{Action, Correct, Phase, PieceAnnouncement, Place, PlayAction, Reveal, Uci, Verb};
use tabiya_engine::table::{Audience, Common, Input, QuestionBefore, Stamp, Table, Voice};
use tabiya_types::{Card, Role, Sentence, Square, one_letter, say};

use super::near::not_understood;
use super::typed::{Meant, Typed, TypedOrder, actor, must, one};
use crate::session::turns_over;

/// Parses what is done on the board.
pub(super) fn read(typed: &Typed<'_>) -> Meant {
    let Typed { lower, words, table, .. } = *typed;
    let placing = table.phase() == Phase::Place;
    Ok(Some(match lower {
        ["stands", piece, "as", shown] => {
            one(Common::Stands { by: actor(table)?, piece: card(piece)?, shown_by: stand_in(shown)? })
        }
        ["correct", at, piece, rest @ ..] => correct(typed, (at, piece), rest)?,
        ["reveal" | "card", card] => reveal(card, typed)?,
        [card] if face(card).is_some() && turns_over(table).is_some() => reveal(card, typed)?,
        ["place", rest @ ..] => place(rest, typed)?,
        [piece, at, ..] if placing && face(piece).is_some() && at.parse::<Square>().is_ok() => {
            place(lower, typed)?
        }
        [together, rest @ ..] if placing && split_placement(together).is_some() => {
            let (piece, at) = split_placement(together).expect("just split");
            let words: Vec<&str> = [piece, at].into_iter().chain(rest.iter().copied()).collect();
            place(&words, typed)?
        }
        [piece, at, ..] if face(piece).is_some() && at.len() == 2 && table.game().chess().is_none() => {
            place(lower, typed)?
        }
        _ => return chess_move(words, typed),
    }))
}

/// Splits `Qd1` into piece and square.
fn split_placement(word: &str) -> Option<(&str, &str)> {
    let (piece, at) = word.split_at_checked(1)?;
    let at = at.strip_prefix('@').unwrap_or(at);
    (face(piece).is_some() && at.parse::<Square>().is_ok()).then_some((piece, at))
}

/// A piece by its letter or its name.
fn role_of(word: &str) -> Option<Role> {
    let by_name = Role::ALL.into_iter().find(|role| role.word() == word);
    by_name.or_else(|| one_letter(word).and_then(|letter| Role::from_letter(letter.to_ascii_uppercase())))
}

fn face(word: &str) -> Option<Card> {
    role_of(word).and_then(|role| Card::from_letter(role.letter().to_ascii_uppercase()))
}

fn card(word: &str) -> Result<Card, Sentence> {
    face(word).ok_or_else(|| must(say!("form-card", "one of Q R B N P"), word))
}

fn role(word: &str) -> Result<Role, Sentence> {
    role_of(word).ok_or_else(|| must(say!("form-piece", "one of K Q R B N P"), word))
}

/// The piece that stands for another one. A king is none: each player has one, and he is on the board.
fn stand_in(word: &str) -> Result<Role, Sentence> {
    match role(word)? {
        Role::King => Err(say!(
            "stands-king",
            "`{word}`: a king stands for no other piece; take a piece that is not on the board",
            word = word.to_owned()
        )),
        role => Ok(role),
    }
}

fn square(word: &str) -> Result<Square, Sentence> {
    word.parse().map_err(|_| must(say!("form-square", "a square from a1 to h8"), word))
}

fn reveal(word: &str, typed: &Typed<'_>) -> Result<TypedOrder, Sentence> {
    let by = match turns_over(typed.table) {
        Some(by) => by,
        None => actor(typed.table)?,
    };
    typed.has(Verb::Reveal)?;
    Ok(one(Action::Reveal(Reveal { by, card: card(word)?, read: Some(false), copy: None })))
}

/// Parses `correct a1 R`, `correct a1 P on b2`, with a reason after it. At a casual table it is the opponent's word, at
/// events the arbiter's.
fn correct(typed: &Typed<'_>, (at, piece): (&str, &str), rest: &[&str]) -> Result<TypedOrder, Sentence> {
    typed.has(Verb::Correct)?;
    let (at, piece) = (square(at)?, card(piece)?);
    let (on, from) = match rest {
        ["on", on, ..] => (Some(square(on)?), 5),
        ["on"] => return Err(say!("correct-how", "for example `correct a1 R`, or `correct a1 P on b2`")),
        _ => (None, 3),
    };
    let reason = typed.words.get(from..).unwrap_or_default().join(" ");
    let casual = typed.table.terms().voice == Voice::Casual;
    let by = typed.table.board()[at].filter(|_| casual).map(|piece| piece.color.other());
    let reason = Some(reason).filter(|reason| !reason.is_empty());
    Ok(one(Action::Correct(Correct { by, at, piece, on, reason })))
}

/// Parses a placement such as `R a1 promoted as Q`: the piece, its square, the announcement, and the stand-in.
fn place(words: &[&str], typed: &Typed<'_>) -> Result<TypedOrder, Sentence> {
    let [piece, at, rest @ ..] = words else {
        return Err(say!("place-where", "place which piece where? for example `R a1` or `R a1 promoted`"));
    };
    let by = actor(typed.table)?;
    typed.has(Verb::Place)?;
    let mut place = Place::new(by, card(piece)?, square(at)?);
    let mut rest = rest;
    loop {
        match rest {
            [] => return with_its_card(place, typed),
            ["as", stands, more @ ..] => {
                place.stands = Some(stand_in(stands)?);
                rest = more;
            }
            [says, more @ ..] => {
                let wanted = || say!("form-says", "`promoted`, `demoted`, `palace` or `empress`");
                let word = says.trim_matches(['!', ',', '.']);
                place.says = Some(PieceAnnouncement::from_word(word).ok_or_else(|| must(wanted(), says))?);
                rest = more;
            }
        }
    }
}

/// A placement without a word before any card was turned over is both: `Q d1` turns the queen over and places her. If she
/// may not stand there, nothing is entered, and the card stays hidden. A piece with a word, such as `promoted`, has another
/// card, which is told first.
fn with_its_card(place: Place, typed: &Typed<'_>) -> Result<TypedOrder, Sentence> {
    let Typed { table, now, .. } = *typed;
    if place.says.is_some() || turns_over(table) != Some(place.by) {
        return Ok(one(Action::Place(place)));
    }
    let reveal = Reveal { by: place.by, card: place.piece, read: Some(false), copy: None };
    let [reveal, place]: [Input; 2] = [Action::Reveal(reveal).into(), Action::Place(place).into()];
    let mut turned = table.clone();
    if turned.apply(&reveal, Stamp::new(now, 0)).is_ok()
        && let Some(violation) = turned.refusal(&place, now)
    {
        return Err(violation.sentence());
    }
    Ok(TypedOrder::Do(vec![reveal, place]))
}

/// Parses a move: SAN or UCI, in every spelling that people write, with a stand-in after `as`.
fn chess_move(words: &[&str], typed: &Typed<'_>) -> Meant {
    let table = typed.table;
    let words =
        if words.first().is_some_and(|word| word.eq_ignore_ascii_case("move")) { &words[1..] } else { words };
    let (words, stands) = match words {
        [moved @ .., as_word, piece] if as_word.eq_ignore_ascii_case("as") => {
            (moved, Some(stand_in(&piece.to_lowercase())?))
        }
        words => (words, None),
    };
    let text = words.join(" ");
    let meant = moves_meant(&text, table);
    if meant.is_empty() {
        return match nobody_goes(&text, table) {
            Some(told) if words.len() == 1 => Err(told),
            _ => Ok(None),
        };
    }
    let by = actor(table).map_err(|_| not_understood(&text, table))?;
    typed.has(Verb::Move)?;
    let action = |uci| PlayAction::Move { by, uci, stands };
    if let [uci] = meant.as_slice() {
        return Ok(Some(one(action(*uci))));
    }
    let in_san = |uci: Uci| table.game().chess().and_then(|chess| chess.in_san(uci)).map(|(_, san)| san);
    let answers = meant.iter().map(|uci| {
        let san = in_san(*uci).unwrap_or_else(|| uci.to_string());
        (
            say!("ask-move", "{san} ({uci})", san = tabiya_types::Fact::San(san), uci = uci.to_string()),
            vec![action(*uci).into()],
        )
    });
    let question = say!("ask-which-move", "which move is `{text}`?", text);
    Ok(Some(TypedOrder::Ask(QuestionBefore {
        to: Audience::Players,
        text: question,
        answers: answers.collect(),
    })))
}

/// The moves that a text can mean: several if it is ambiguous, none if it is no move. If no legal move fits, the illegal
/// move that it means.
pub(super) fn moves_meant(text: &str, table: &Table) -> Vec<Uci> {
    let mut text = bare(text);
    // A piece may be named in words: `knight f3` is `Nf3`.
    if let Some((name, rest)) = text.split_once(' ')
        && let Some(role) = Role::ALL.into_iter().find(|role| role.word() == name.to_lowercase())
    {
        let letter =
            if role == Role::Pawn { String::new() } else { role.letter().to_ascii_uppercase().to_string() };
        text = letter + rest;
    }
    if text.is_empty() {
        return Vec::new();
    }
    // Squares alone, in any spelling: `e2e4`, `e2-e4`, `e2 e4`, `e2xd3`, `e7-e8=Q`; with the piece before: `Ng1-f3`.
    let squares: String =
        text.chars().filter(|letter| !matches!(letter, '-' | 'x' | ':' | ' ' | '=' | '(' | ')')).collect();
    let plain = squares.to_lowercase();
    // Two squares with a space between them are one move only if a piece of the mover stands on the first.
    let own = |uci: &Uci| {
        !text.contains(' ') || table.board()[uci.from].is_some_and(|piece| Some(piece.color) == table.mover())
    };
    if let Some(uci) = Uci::parse(&plain).filter(own) {
        return vec![uci];
    }
    // With the piece before: only if that piece stands there.
    let named = squares.chars().next().filter(char::is_ascii_uppercase).and_then(Role::from_letter);
    if let (Some(role), Some(uci)) = (named, plain.get(1..).and_then(Uci::parse))
        && table.board()[uci.from].is_some_and(|piece| piece.role == role)
    {
        return vec![uci];
    }
    let Some(chess) = table.game().chess() else { return super::spelled::moves(&san_spelling(&text), table) };
    let mut spellings = vec![san_spelling(&text)];
    let first = text.chars().next().unwrap_or_default();
    if "nbrqk".contains(first) {
        let (head, tail) = text.split_at(1);
        spellings.push(san_spelling(&format!("{}{tail}", head.to_uppercase())));
    }
    let read: Vec<Vec<Uci>> = spellings.iter().map(|text| chess.read_san(text)).collect();
    let legal = |uci: &Uci| {
        chess.in_san(*uci).is_some() || chess.in_san(Uci { promotion: Some(Role::Queen), ..*uci }).is_some()
    };
    let mut moves: Vec<Uci> = Vec::new();
    for uci in read.iter().flatten().filter(|uci| legal(uci)) {
        if !moves.contains(uci) {
            moves.push(*uci);
        }
    }
    if moves.is_empty() { read.into_iter().flatten().next().into_iter().collect() } else { moves }
}

/// For a move in SAN that no piece of the player can make: that no such piece can go there.
pub(super) fn nobody_goes(text: &str, table: &Table) -> Option<Sentence> {
    let by = table.mover().filter(|_| table.phase() == Phase::Chess)?;
    let (role, at) = super::spelled::piece_and_square(&san_spelling(&bare(text)))?;
    Some(say!("no-such-move", "no {role} of {by} can go to {at}", role, by, at))
}

/// A move without its number before it and its marks after it: `1. d4!` is `d4`.
fn bare(text: &str) -> String {
    let text = text.trim();
    let number = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = number.trim_start_matches(['.', '…', ' ']);
    // Only digits with dots after them are a number; `0-0` is castling.
    let numbered = number.len() < text.len() && number.starts_with(['.', '…']);
    let text = if numbered { rest } else { text };
    let text = text.trim_end_matches(['!', '?', '+', '#', '†', ' ']);
    let text = text.strip_suffix("e.p.").or_else(|| text.strip_suffix("ep")).unwrap_or(text);
    text.trim().to_owned()
}

/// The text as SAN has it: castling with the letter O, a capture with `x`, a promotion with `=`.
fn san_spelling(text: &str) -> String {
    let castles = text.to_uppercase().replace('0', "O").replace(['–', '—'], "-");
    match castles.as_str() {
        "O-O" | "OO" => return "O-O".to_owned(),
        "O-O-O" | "OOO" => return "O-O-O".to_owned(),
        _ => {}
    }
    let text: String = text
        .replace([':', '×'], "x")
        .chars()
        .filter(|letter| !matches!(letter, '-' | ' ' | '(' | ')'))
        .collect();
    match text.char_indices().next_back() {
        Some((at, letter)) if "QRBNqrbn".contains(letter) && text[..at].ends_with(['1', '8']) => {
            format!("{}={}", &text[..at], letter.to_ascii_uppercase())
        }
        Some((at, letter)) if text[..at].ends_with('=') => {
            format!("{}{}", &text[..at], letter.to_ascii_uppercase())
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_marks_around_a_move_are_dropped() {
        for (typed, wanted) in
            [("1. d4", "d4"), ("12...Nf6!?", "Nf6"), ("d4!", "d4"), ("0-0", "0-0"), ("exd6 e.p.", "exd6")]
        {
            assert_eq!(bare(typed), wanted);
        }
        for (typed, wanted) in
            [("0-0", "O-O"), ("o-o-o", "O-O-O"), ("e8q", "e8=Q"), ("N-f3", "Nf3"), ("e8=q", "e8=Q")]
        {
            assert_eq!(san_spelling(typed), wanted);
        }
    }
}
