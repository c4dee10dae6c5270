//! Plain words typed at a table, and what they mean.
//!
//! `raise 8`, `P`, `R a1 promoted`, `e2e4`, `Nf3`, `press`, `undo`: each becomes a line of the record, so
//! that there is one reader of fields and one set of sentences.

use serde_json::{Map, Value, json};

use super::session::Session;
use tabiya_engine::record::{Body, Header, Line};
use tabiya_engine::rules::{Actor, Turn};
use tabiya_engine::table::{Input, Table, Voice};
use tabiya_types::{Card, Color, Instant, one_letter};

/// What a typed line asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum Order {
    /// Inputs for the table, in their order.
    Do(Vec<Input>),
    /// Show the board and all that goes with it.
    Show,
    /// Show what would be accepted now.
    Legal,
    /// Show the match sheet.
    Sheet,
    /// Ask the board for its whole position.
    ReadBoard,
    /// Explain the words.
    Help,
    /// End the program; the record stays to be carried on.
    Quit,
    /// The open question is answered by no.
    No,
    /// A card was dealt that no reader knows.
    Unread,
    /// The cards of this street that were read count for nothing.
    Misdeal,
    /// The arbiter opens the sealed cards of a game, counted from 1, or of the last one that has any, with this reason.
    Open(Option<u64>, String),
    /// Nothing was typed.
    Nothing,
}

/// The words, as `help` shows them.
pub const HELP: &str = "\
deal                       the street's cards lie on the table
fold, check, call          betting; also: raise 8 (to a total of 8), all-in
P  (or: reveal P)          a card was turned over: Q R B N P
R a1 promoted              its piece was placed: piece, square, what was said (as Q: a queen stands in)
e2e4, Nf3, O-O, e7e8q      a chess move
press [white|black]        the clock's button; Enter on an empty line is a press too
draw, accept, decline      draw offers; claim, claim e2e4, claim flag
resign [white|black]       give up
pause [REASON], resume     stop the clocks and go on; at events with a reason
undo [n] [REASON], redo    take back, restore; at events with a reason
yes, no, 1, 2              answer a question
next [becket]              the next game
stands Q as R              my next queen will be shown by a rook
correct a1 R [on b1]       a false piece becomes the right one
fouled REASON              the deck or the deal is wrong
misdeal, unread            cards dealt over a reader: begin the street anew; a card that it cannot read
consent white, open [game] REASON  sealed cards: this player agrees to show them; the arbiter opens them for himself
rule clock white 90 REASON (+60: a minute more), rule winner A REASON, rule draw REASON, rule fen FEN, rule to-act white REASON, rule moves white 12 REASON, rule periods white 3 REASON
end REASON                 the players stop early
show, legal, sheet, read   the table, what is accepted now, the terms, read the board again
help, quit";

/// Reads a line that was typed at `now`. The error is a sentence that says what could be typed instead.
pub fn read(text: &str, session: &Session, now: Instant) -> Result<Order, String> {
    let table = session.table();
    let words: Vec<&str> = text.split_whitespace().collect();
    let header = session.replay().header();
    // Where there is an arbiter nothing is stopped or taken back without a reason.
    let event = table.terms().voice == Voice::Event;
    let line = |fields: Value| read_line(fields, header).map(|input| Order::Do(vec![input]));
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    match lower.as_slice() {
        [] => match presser(table) {
            Some(by) => line(press(by)),
            None => Ok(Order::Nothing),
        },
        ["help" | "?"] => Ok(Order::Help),
        ["quit" | "exit"] => Ok(Order::Quit),
        ["show" | "board"] => Ok(Order::Show),
        ["legal"] => Ok(Order::Legal),
        ["sheet"] => Ok(Order::Sheet),
        ["read"] => Ok(Order::ReadBoard),
        ["unread"] => Ok(Order::Unread),
        ["misdeal"] => Ok(Order::Misdeal),
        ["open", ..] => {
            let game = words.get(1).and_then(|word| word.parse().ok());
            Ok(Order::Open(game, rest_of(&words, if game.is_some() { 2 } else { 1 })?))
        }
        ["yes" | "y"] => match session.yes() {
            inputs if inputs.is_empty() => Err("nothing was asked that `yes` could answer".to_owned()),
            inputs => Ok(Order::Do(inputs)),
        },
        ["no" | "n"] if session.question().is_some() || turns_over(table).is_none() => Ok(Order::No),
        ["undo", ..] => undo(&words, event)
            .and_then(|(fields, count)| Ok(Order::Do(vec![read_line(fields, header)?; count]))),
        ["pause"] if event => Err("at events a pause has a reason: `pause REASON`".to_owned()),
        ["pause", _, ..] => {
            // The reason stands before it, as the arbiter's drawer in the window writes it.
            let reason = rest_of(&words, 1)?;
            let ruling = json!({"do": "rule", "by": "arbiter", "reason": reason, "set": {}});
            let pause = json!({"do": "pause", "by": "arbiter"});
            Ok(Order::Do(vec![read_line(ruling, header)?, read_line(pause, header)?]))
        }
        [number] if number.parse::<usize>().is_ok() => {
            match session.way(number.parse().unwrap_or_default()) {
                inputs if inputs.is_empty() => Err(unknown(text, table)),
                inputs => Ok(Order::Do(inputs)),
            }
        }
        lower => {
            let fields = match betting(lower, table)? {
                Some(fields) => Some(fields),
                None => common(lower, &words, table, now)?,
            };
            let fields = match fields {
                Some(fields) => Some(fields),
                None => on_the_board(lower, &words, table)?,
            };
            line(fields.ok_or_else(|| unknown(text, table))?)
        }
    }
}

/// `undo`, `undo 3`, `undo REASON`, `undo 3 REASON`: its line, and how often.
fn undo(words: &[&str], event: bool) -> Result<(Value, usize), String> {
    let count = words.get(1).and_then(|word| word.parse::<usize>().ok());
    if count.is_some_and(|count| !(1..=100).contains(&count)) {
        return Err("undo how many? 1 to 100".to_owned());
    }
    let reason = words.get(if count.is_some() { 2 } else { 1 }..).unwrap_or_default().join(" ");
    let count = count.unwrap_or(1);
    match (reason.is_empty(), event) {
        (true, true) => Err("at events what is taken back has a reason: `undo REASON`".to_owned()),
        (true, false) => Ok((json!({"do": "undo"}), count)),
        (false, _) => Ok((json!({"do": "undo", "by": "arbiter", "reason": reason}), count)),
    }
}

/// The words of dealing and betting.
fn betting(lower: &[&str], table: &Table) -> Result<Option<Value>, String> {
    Ok(Some(match lower {
        ["deal"] => json!({"do": "deal"}),
        ["fold" | "check" | "call" | "all-in" | "allin"] | ["all", "in"] => {
            let word = if lower[0].starts_with("all") { "all-in" } else { lower[0] };
            json!({"do": "bet", "by": actor(table)?.word(), "action": word})
        }
        ["raise" | "bet" | "reraise", amount] | ["raise" | "bet", "to", amount] => {
            let to: u64 = amount.parse().map_err(|_| format!("`{amount}` is no number of chips"))?;
            json!({"do": "bet", "by": actor(table)?.word(), "action": "raise", "to": to})
        }
        ["raise" | "bet"] => return Err("raise to how much? for example `raise 8`".to_owned()),
        _ => return Ok(None),
    }))
}

/// Clocks, draws, results, what is taken back, and what the arbiter says.
fn common(lower: &[&str], words: &[&str], table: &Table, now: Instant) -> Result<Option<Value>, String> {
    Ok(Some(match lower {
        ["press"] => press(presser(table).ok_or("no clock runs now, so that there is nothing to press")?),
        ["press" | "resign" | "consent", color] if Color::from_word(color).is_some() => {
            json!({"do": lower[0], "by": color})
        }
        ["resign"] => json!({"do": "resign", "by": actor(table)?.word()}),
        ["draw"] => json!({"do": "offer-draw", "by": offerer(table)?.word()}),
        ["accept" | "decline"] => {
            json!({"do": format!("{}-draw", lower[0]), "by": answerer(table)?.word()})
        }
        ["claim", "flag"] => json!({"do": "claim-flag", "by": "arbiter"}),
        ["claim"] => json!({"do": "claim-draw", "by": actor(table)?.word()}),
        ["claim", uci] => json!({"do": "claim-draw", "by": actor(table)?.word(), "uci": uci}),
        ["pause" | "resume"] => json!({"do": lower[0], "by": "arbiter"}),
        ["redo" | "next" | "tick"] => json!({"do": lower[0]}),
        ["next", "becket"] => json!({"do": "next", "becket": true}),
        ["fouled", ..] => json!({"do": "fouled", "by": "arbiter", "reason": rest_of(words, 1)?}),
        ["end", ..] => json!({"do": "end-match", "by": "arbiter", "reason": rest_of(words, 1)?}),
        ["rule", rest @ ..] => ruling(rest, words, table, now)?,
        _ => return Ok(None),
    }))
}

/// What is done on the board: cards turned over, pieces placed and put right, moves.
fn on_the_board(lower: &[&str], words: &[&str], table: &Table) -> Result<Option<Value>, String> {
    Ok(Some(match lower {
        ["stands", piece, "as", shown] => json!({
            "do": "stands", "by": actor(table)?.word(), "piece": piece.to_uppercase(), "as": shown.to_uppercase()
        }),
        ["correct", at, piece, rest @ ..] => {
            let mut fields =
                json!({"do": "correct", "by": "arbiter", "at": at, "piece": piece.to_uppercase()});
            match rest {
                [] => {}
                ["on", square] => fields["on"] = json!(square),
                _ => return Err("for example `correct a1 R`, or `correct a1 P on b2`".to_owned()),
            }
            fields
        }
        ["reveal" | "card", card] => reveal(card, table)?,
        [card]
            if one_letter(card).is_some()
                && Card::from_letter(upper(card)).is_some()
                && turns_over(table).is_some() =>
        {
            reveal(card, table)?
        }
        ["place", rest @ ..] => place(rest, table)?,
        [piece, at, ..] if one_letter(piece).is_some() && at.len() == 2 => place(lower, table)?,
        [uci] | ["move", uci] => chess_move(words[words.len() - 1], uci, table)?,
        ["move", uci, "as", stands] => {
            let mut fields = chess_move(words[1], uci, table)?;
            fields["stands"] = json!(stands.to_uppercase());
            fields
        }
        _ => return Ok(None),
    }))
}

fn press(by: Color) -> Value {
    json!({"do": "press", "by": by.word()})
}

fn unknown(text: &str, table: &Table) -> String {
    format!("`{text}` is not understood; {}. `help` lists the words", table.prompt())
}

/// A line's fields as the record reads them.
pub(super) fn read_line(fields: Value, header: &Header) -> Result<Input, String> {
    let mut map = Map::new();
    map.insert("t".to_owned(), json!(0));
    if let Value::Object(fields) = fields {
        map.extend(fields);
    }
    match Line::parse(&Value::Object(map).to_string(), header) {
        Ok(Line { body: Body::Acted(input), .. }) => Ok(input),
        Ok(_) => Err("that is evidence, which only a board gives".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn rest_of(words: &[&str], from: usize) -> Result<String, String> {
    let rest = words.get(from..).unwrap_or_default().join(" ");
    if rest.is_empty() { Err(format!("`{}` needs a reason behind it", words.join(" "))) } else { Ok(rest) }
}

fn upper(word: &str) -> char {
    one_letter(word).unwrap_or(' ').to_ascii_uppercase()
}

/// Who has to act.
fn actor(table: &Table) -> Result<Color, String> {
    match table.to_act() {
        Actor::Player(color) => Ok(color),
        Actor::Dealer | Actor::Nobody => Err(table.prompt().to_string()),
    }
}

/// Whose press would do something.
fn presser(table: &Table) -> Option<Color> {
    match table.turn() {
        Turn::Timed { by, .. } if table.clock().turn().is_none() => Some(by.other()),
        Turn::Timed { by, .. } => Some(by),
        Turn::Untimed => None,
    }
}

/// A draw is offered by who has just moved, or is to move.
fn offerer(table: &Table) -> Result<Color, String> {
    match table.turn() {
        Turn::Timed { by, .. } => Ok(by),
        Turn::Untimed => Err(table.prompt().to_string()),
    }
}

fn answerer(table: &Table) -> Result<Color, String> {
    let answer =
        table.legal().into_iter().find(|legal| legal.verb == "decline-draw").and_then(|legal| legal.by);
    answer.ok_or_else(|| "there is no draw offer to answer".to_owned())
}

/// Who is to turn a card over now.
pub(super) fn turns_over(table: &Table) -> Option<Color> {
    table.legal().into_iter().find(|legal| legal.verb == "reveal").and_then(|legal| legal.by)
}

fn reveal(card: &str, table: &Table) -> Result<Value, String> {
    let by = match turns_over(table) {
        Some(by) => by,
        None => actor(table)?,
    };
    Ok(json!({"do": "reveal", "by": by.word(), "card": card.to_uppercase(), "how": "typed"}))
}

/// `R a1 promoted as Q`.
fn place(words: &[&str], table: &Table) -> Result<Value, String> {
    let [piece, at, rest @ ..] = words else {
        return Err("place which piece where? for example `R a1` or `R a1 promoted`".to_owned());
    };
    let mut fields =
        json!({"do": "place", "by": actor(table)?.word(), "piece": piece.to_uppercase(), "at": at});
    let mut rest = rest;
    loop {
        match rest {
            [] => return Ok(fields),
            ["as", stands, more @ ..] => {
                fields["stands"] = json!(stands.to_uppercase());
                rest = more;
            }
            [says, more @ ..] => {
                fields["says"] = json!(says);
                rest = more;
            }
        }
    }
}

/// UCI as it stands, or SAN as chess players write it.
fn chess_move(written: &str, lower: &str, table: &Table) -> Result<Value, String> {
    let by = actor(table).map_err(|_| unknown(written, table))?;
    let uci = table.game().read_san(written).unwrap_or_else(|| lower.to_owned());
    let plausible = tabiya_engine::rules::Uci::parse(&uci).is_some();
    if !plausible {
        return Err(unknown(written, table));
    }
    Ok(json!({"do": "move", "by": by.word(), "uci": uci}))
}

fn ruling(rest: &[&str], words: &[&str], table: &Table, now: Instant) -> Result<Value, String> {
    const WANTED: &str = "rule what? `rule clock white 90 REASON` (or +60, -60), `rule winner A REASON`, \
                          `rule draw REASON`, `rule fen FEN`, `rule to-act white REASON`";
    let set = match rest {
        ["clock", color, seconds, _, ..] if Color::from_word(color).is_some() => {
            let side = Color::from_word(color).unwrap_or(Color::White);
            let left = new_reading(seconds, table.reading(side, now).map_or(0, |left| left.0))?;
            let mut sides = Map::new();
            sides.insert((*color).to_owned(), json!(left));
            (json!({"clock_ms": sides}), 4)
        }
        [what @ ("periods" | "moves"), color, count, _, ..] if Color::from_word(color).is_some() => {
            let count: u32 = count.parse().map_err(|_| format!("`{count}` is no number"))?;
            let mut sides = Map::new();
            sides.insert((*color).to_owned(), json!(count));
            (json!({(*what): sides}), 4)
        }
        ["winner", seat, _, ..] => (json!({"winner": seat.to_uppercase()}), 3),
        ["draw", _, ..] => (json!({"winner": null}), 2),
        ["to-act", color, _, ..] => (json!({"to_act": color}), 3),
        ["fen", _, ..] => {
            let fen = words.get(2..).unwrap_or_default().join(" ");
            return Ok(json!({"do": "rule", "by": "arbiter", "reason": "position set", "set": {"fen": fen}}));
        }
        _ => return Err(WANTED.to_owned()),
    };
    let (set, from) = set;
    Ok(json!({"do": "rule", "by": "arbiter", "reason": rest_of(words, from)?, "set": set}))
}

/// `90` sets a clock, `+60` and `-60` change what is left; in ms.
fn new_reading(seconds: &str, left: u64) -> Result<u64, String> {
    let millis = |digits: &str| {
        let seconds: Result<u64, _> = digits.parse();
        seconds
            .ok()
            .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
            .map(|seconds| seconds.saturating_mul(1000))
            .ok_or_else(|| format!("`{digits}` is no number of seconds"))
    };
    match (seconds.strip_prefix('+'), seconds.strip_prefix('-')) {
        (Some(more), _) => Ok(left.saturating_add(millis(more)?)),
        (None, Some(less)) => Ok(left.saturating_sub(millis(less)?)),
        (None, None) => millis(seconds),
    }
}

/// What can be typed now and begins like this, for completion.
pub fn completions(begun: &str, session: &Session) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for legal in session.table().legal() {
        let field = |name: &str| legal.fields.get(name).and_then(Value::as_str).map(str::to_owned);
        match legal.verb {
            "bet" => {
                let action = field("action").unwrap_or_default();
                match legal.fields.get("to").and_then(|range| range.get(0)) {
                    Some(least) => words.push(format!("raise {least}")),
                    None => words.push(action),
                }
            }
            "reveal" => words.extend(field("card")),
            "place" => {
                let piece = field("piece").unwrap_or_default();
                let squares = legal.fields.get("at").and_then(Value::as_array).cloned().unwrap_or_default();
                words.extend(squares.iter().filter_map(Value::as_str).map(|at| format!("{piece} {at}")));
            }
            "move" => words.extend(field("uci")),
            "offer-draw" => words.push("draw".to_owned()),
            "accept-draw" => words.push("accept".to_owned()),
            "decline-draw" => words.push("decline".to_owned()),
            "claim-draw" => words.push("claim".to_owned()),
            "claim-flag" => words.push("claim flag".to_owned()),
            verb => words.push(verb.to_owned()),
        }
    }
    let stop = if session.table().clock().paused() { "resume" } else { "pause" };
    words.extend(["undo", "redo", stop, "show", "legal", "help", "quit"].map(str::to_owned));
    let begun = begun.to_lowercase();
    words.retain(|word| word.to_lowercase().starts_with(&begun));
    words.sort();
    words.dedup();
    words
}
