//! Parses the words that people type at a table.
//!
//! `raise 8`, `P`, `R a1 promoted`, `e2e4`, `Nf3`, `press`, `undo`: each line becomes an [`Input`] in one step. A word
//! of the wrong form gives the same error sentence as in a record file.

use tabiya_engine::clock::{MOST_MOVES, MOST_PERIODS};
use tabiya_engine::rules::{
    Action, Actor, Bet, Chips, Correct, DealtCards, Group, Offer, PieceAnnouncement, Place, Play, PlayAction,
    Reveal, Turn, Uci, Verb,
};
use tabiya_engine::table::{Author, Common, Input, LegalInput, Ruling, Table, UndoWhat, Voice};
use tabiya_text::{Language, Words};
use tabiya_types::{Card, Color, Instant, LAST_MOMENT, Role, Seat, Sentence, Square, one_letter};

use super::session::{Session, turns_over};
use crate::desk::plain;
use crate::presets;

/// What a typed line asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum TypedOrder {
    /// Inputs for the table, in order.
    Do(Vec<Input>),
    /// Show the board with clocks, chips and prompts.
    Show,
    /// Show the inputs that would be accepted now.
    Legal,
    /// Show the match sheet.
    Sheet,
    /// Ask the board for its complete position.
    ReadBoard,
    /// Show the list of words.
    Help,
    /// End the program; the match can be carried on later.
    Quit,
    /// Answer the question with the offered reading of this number.
    Choose(usize),
    /// Answer "no" to the question that waits for an answer.
    No,
    /// Note that the card reader could not read one of the cards that were dealt.
    Unread,
    /// Forget the cards that the card reader has read for the present street, because the street is dealt again.
    Misdeal,
    /// Open the sealed cards of a game for the arbiter. The fields are the game's number from 1 (`None`: the last game
    /// that has sealed cards), and the reason.
    Open(Option<u64>, String),
    /// Do nothing: the line is empty, and there is no clock to press.
    Nothing,
}

/// The list of words that `help` shows, one line each.
pub fn help() -> Vec<Sentence> {
    HELP.lines().map(|line| plain(line.to_owned())).collect()
}

const HELP: &str = "\
deal                       the cards of the street are dealt
fold, check, call          betting; also: raise 8 (to a total of 8), all-in
P  (or: reveal P)          a card was turned over: Q R B N P
R a1 promoted              its piece was placed: piece, square, what was said (as Q: a queen stands in)
e2e4, Nf3, O-O, e7e8q      a chess move
press [white|black]        the clock's button; Enter on an empty line is a press too
draw, accept, decline      draw offers and their answers; also: claim, claim e2e4, claim flag
resign [white|black]       give up
pause [REASON], resume     stop the clocks and go on; at events with a reason
undo [n] [REASON], redo    take back the last action (or n), restore; at events with a reason
undo ruling [REASON]       take back the last ruling
yes, no, 1, 2              answer a question
next [becket]              the next game
stands Q as R              my next queen will be represented by a rook
correct a1 R [on b1]       a wrong piece becomes the right one
fouled REASON              the deck or the deal is wrong
misdeal, unread            cards dealt over a reader: deal the street again; note a card that could not be read
consent white, open [game] REASON  sealed cards: this player agrees to show them; the arbiter opens them for himself
rule clock white 90 REASON (+60: a minute more), rule winner A REASON, rule draw REASON, rule fen FEN, rule to-act white REASON, rule moves white 12 REASON, rule periods white 3 REASON
end REASON                 end the match early
show, legal, sheet, read   the table, what is accepted now, the terms, read the board again
help, quit";

/// Parses a line that was typed at `now`. The error is a sentence that says what could be typed instead.
pub fn read(text: &str, session: &Session, now: Instant) -> Result<TypedOrder, String> {
    let table = session.table();
    let words: Vec<&str> = text.split_whitespace().collect();
    // At events a pause and an undo need a reason.
    let event = table.terms().voice == Voice::Event;
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    match lower.as_slice() {
        [] => Ok(presser(table).map_or(TypedOrder::Nothing, |by| one(Common::Press(by)))),
        ["help" | "?"] => Ok(TypedOrder::Help),
        ["quit" | "exit"] => Ok(TypedOrder::Quit),
        ["show" | "board"] => Ok(TypedOrder::Show),
        ["legal"] => Ok(TypedOrder::Legal),
        ["sheet"] => Ok(TypedOrder::Sheet),
        ["read"] => Ok(TypedOrder::ReadBoard),
        ["unread"] => Ok(TypedOrder::Unread),
        ["misdeal"] => Ok(TypedOrder::Misdeal),
        ["open", ..] => {
            let game = words.get(1).and_then(|word| word.parse().ok());
            Ok(TypedOrder::Open(game, rest_of(&words, if game.is_some() { 2 } else { 1 })?))
        }
        ["yes" | "y"] if session.choices() == 1 => Ok(TypedOrder::Choose(1)),
        ["yes" | "y"] => match session.yes() {
            inputs if inputs.is_empty() => {
                Err("there is no open question that `yes` could answer".to_owned())
            }
            inputs => Ok(TypedOrder::Do(inputs)),
        },
        ["no" | "n"] if session.question().is_some() || turns_over(table).is_none() => Ok(TypedOrder::No),
        ["undo", ..] => undo(&words, event),
        ["pause"] if event => Err("at events a pause needs a reason: `pause REASON`".to_owned()),
        ["pause", _, ..] => {
            // First record a ruling with the reason, then the pause. A pause by the arbiter in the window is recorded
            // in the same way.
            let ruling = Ruling::because(rest_of(&words, 1)?);
            Ok(TypedOrder::Do(vec![ruling.into(), Common::Pause(Author::Arbiter).into()]))
        }
        [number] if number.parse().is_ok_and(|number: usize| (1..=session.choices()).contains(&number)) => {
            Ok(TypedOrder::Choose(number.parse().unwrap_or_default()))
        }
        lower => {
            let readers = [betting, common, on_the_board];
            let typed = Typed { lower, words: &words, table, now };
            let found = readers.iter().find_map(|read| read(&typed).transpose());
            found.unwrap_or_else(|| Err(unknown(text, table))).map(one)
        }
    }
}

/// A typed line: its words in lower case and as typed, the table, and the moment.
#[derive(Clone, Copy)]
struct Typed<'a> {
    lower: &'a [&'a str],
    words: &'a [&'a str],
    table: &'a Table,
    now: Instant,
}

/// The result of one parser: `Ok(None)` if the line does not begin with a word that this parser knows.
type Meant = Result<Option<Input>, String>;

fn one(input: impl Into<Input>) -> TypedOrder {
    TypedOrder::Do(vec![input.into()])
}

/// Parses `undo`, `undo 3`, `undo REASON`, `undo 3 REASON`, `undo ruling REASON`.
fn undo(words: &[&str], event: bool) -> Result<TypedOrder, String> {
    let ruling = words.get(1).is_some_and(|word| word.eq_ignore_ascii_case("ruling"));
    let count = words.get(1).and_then(|word| word.parse::<usize>().ok());
    if count.is_some_and(|count| !(1..=100).contains(&count)) {
        return Err("undo how many? give a number from 1 to 100".to_owned());
    }
    let reason = words.get(if ruling || count.is_some() { 2 } else { 1 }..).unwrap_or_default().join(" ");
    if event && reason.is_empty() {
        let word = if ruling { "undo ruling" } else { "undo" };
        return Err(format!("at events an undo needs a reason: `{word} REASON`"));
    }
    let what = if ruling { UndoWhat::Ruling } else { UndoWhat::Game };
    let by = (ruling || !reason.is_empty()).then_some(Author::Arbiter);
    let undo = Common::Undo { what, by, reason: Some(reason).filter(|reason| !reason.is_empty()) };
    Ok(TypedOrder::Do(vec![undo.into(); count.unwrap_or(1)]))
}

/// Parses the words for dealing and betting.
fn betting(typed: &Typed<'_>) -> Meant {
    let bet = |bet| -> Meant {
        let by = actor(typed.table)?;
        typed.has(Verb::Bet)?;
        Ok(Some(Action::Bet { by, bet }.into()))
    };
    match typed.lower {
        ["deal"] => {
            typed.has(Verb::Deal)?;
            Ok(Some(Action::Deal(DealtCards::default()).into()))
        }
        ["fold"] => bet(Bet::Fold),
        ["check"] => bet(Bet::Check),
        ["call"] => bet(Bet::Call),
        ["all-in" | "allin"] | ["all", "in"] => bet(Bet::AllIn),
        ["raise" | "bet" | "reraise", amount] | ["raise" | "bet", "to", amount] => {
            let to: u64 = amount.parse().map_err(|_| format!("`{amount}` is not a number of chips"))?;
            bet(Bet::Raise(Chips(u32::try_from(to).unwrap_or(u32::MAX))))
        }
        ["raise" | "bet"] => Err("raise to how much? for example `raise 8`".to_owned()),
        _ => Ok(None),
    }
}

/// Parses the words for clocks, results, restored actions and rulings. Passes all other lines on to [`offers`].
fn common(typed: &Typed<'_>) -> Meant {
    let Typed { words, table, .. } = *typed;
    let by = Author::Arbiter;
    let common: Common = match typed.lower {
        ["press"] => {
            Common::Press(presser(table).ok_or("no clock is running, so there is nothing to press")?)
        }
        ["press", color] if let Some(by) = Color::from_word(color) => Common::Press(by),
        ["consent", color] if let Some(by) = Color::from_word(color) => Common::Consent(by),
        ["claim", "flag"] => Common::ClaimFlag(by),
        ["pause"] => Common::Pause(by),
        ["resume"] => Common::Resume(by),
        ["redo"] => Common::Redo { by: None },
        ["next"] => Common::Next(Group::new()),
        ["tick"] => Common::Tick,
        ["next", "becket"] => typed.next_with("becket")?,
        ["end", ..] => Common::EndMatch { by, reason: rest_of(words, 1)? },
        ["rule", rest @ ..] => return ruling(rest, typed).map(|ruling| Some(ruling.into())),
        ["fouled", ..] => {
            let reason = rest_of(words, 1)?;
            typed.has(Verb::Fouled)?;
            return Ok(Some(Action::Fouled { by: None, reason }.into()));
        }
        _ => return offers(typed),
    };
    Ok(Some(common.into()))
}

/// Parses draw offers, answers to draw offers, claims and resignations.
fn offers(typed: &Typed<'_>) -> Meant {
    let table = typed.table;
    let play = match typed.lower {
        ["resign", color] if let Some(by) = Color::from_word(color) => PlayAction::Resign(by),
        ["resign"] => PlayAction::Resign(actor(table)?),
        ["draw"] => PlayAction::OfferDraw(offerer(table)?),
        ["accept"] => PlayAction::AcceptDraw(answerer(table)?),
        ["decline"] => PlayAction::DeclineDraw(answerer(table)?),
        ["claim"] => PlayAction::ClaimDraw { by: actor(table)?, uci: None },
        ["claim", text] => {
            let by = actor(table)?;
            typed.has(Verb::ClaimDraw)?;
            let uci = Uci::parse(text).ok_or_else(|| must("uci", MOVE, text))?;
            PlayAction::ClaimDraw { by, uci: Some(uci) }
        }
        _ => return Ok(None),
    };
    typed.has(play.verb())?;
    Ok(Some(play.into()))
}

/// Parses what is done on the board: cards turned over, pieces placed or corrected, moves.
fn on_the_board(typed: &Typed<'_>) -> Meant {
    let Typed { lower, words, table, .. } = *typed;
    Ok(Some(match lower {
        ["stands", piece, "as", shown] => {
            let by = actor(table)?;
            Common::Stands { by, piece: card("piece", piece)?, shown_by: role("as", shown)? }.into()
        }
        ["correct", at, piece, rest @ ..] => {
            let on = match rest {
                [] => None,
                ["on", square] => Some(*square),
                _ => return Err("for example `correct a1 R`, or `correct a1 P on b2`".to_owned()),
            };
            typed.has(Verb::Correct)?;
            let (at, piece) = (square("at", at)?, card("piece", piece)?);
            let on = on.map(|on| square("on", on)).transpose()?;
            Action::Correct(Correct { by: None, at, piece, on, reason: None }).into()
        }
        ["reveal" | "card", card] => reveal(card, typed)?,
        [card] if is_face(card) && turns_over(table).is_some() => reveal(card, typed)?,
        ["place", rest @ ..] => place(rest, typed)?,
        [piece, at, ..] if one_letter(piece).is_some() && at.len() == 2 => place(lower, typed)?,
        [uci] | ["move", uci] => chess_move(words[words.len() - 1], uci, None, typed)?,
        ["move", uci, "as", stands] => chess_move(words[1], uci, Some(stands), typed)?,
        _ => return Ok(None),
    }))
}

impl Typed<'_> {
    /// Returns an error if the game at the table does not have this verb.
    fn has(&self, verb: Verb) -> Result<(), String> {
        let game = self.table.agreement().game;
        let known = presets::kind(game).is_some_and(|kind| kind.verbs().contains(&verb));
        if known { Ok(()) } else { Err(format!("`{word}` is not possible in {game}", word = verb.word())) }
    }

    /// The input that begins the next game and switches the term `term` on for that game. `Err` if this term cannot
    /// change between games.
    fn next_with(&self, term: &str) -> Result<Common, String> {
        let game = self.table.agreement().game;
        let known = presets::kind(game).is_some_and(|kind| kind.terms_for_next().contains(&term));
        if known {
            Ok(Common::Next(Group::new().with(term, true)))
        } else {
            Err(format!("`next {term}` is not possible in {game}"))
        }
    }
}

fn unknown(text: &str, table: &Table) -> String {
    format!("`{text}` is not understood; {prompt}. `help` lists the words", prompt = table.prompt())
}

/// How error messages describe a move that a user can type.
const MOVE: &str = "a move such as `e2e4` or `e7e8q`";

/// The error sentence for a word that has the wrong form.
fn must(name: &str, wanted: &str, word: &str) -> String {
    format!("`{name}` of the input must be {wanted}, not `{word}`")
}

fn card(name: &str, word: &str) -> Result<Card, String> {
    let found = one_letter(word).and_then(|letter| Card::from_letter(letter.to_ascii_uppercase()));
    found.ok_or_else(|| must(name, "one of Q R B N P", &word.to_uppercase()))
}

fn role(name: &str, word: &str) -> Result<Role, String> {
    let found = one_letter(word).and_then(|letter| Role::from_letter(letter.to_ascii_uppercase()));
    found.ok_or_else(|| must(name, "one of Q R B N P K", &word.to_uppercase()))
}

fn square(name: &str, word: &str) -> Result<Square, String> {
    word.parse().map_err(|_| must(name, "a square a1 to h8", word))
}

fn rest_of(words: &[&str], from: usize) -> Result<String, String> {
    let rest = words.get(from..).unwrap_or_default().join(" ");
    if rest.is_empty() {
        Err(format!("`{typed}` needs a reason after it", typed = words.join(" ")))
    } else {
        Ok(rest)
    }
}

fn is_face(word: &str) -> bool {
    one_letter(word).is_some_and(|letter| Card::from_letter(letter.to_ascii_uppercase()).is_some())
}

/// The player who has to act. If no player has to act, `Err` is the table's prompt.
fn actor(table: &Table) -> Result<Color, String> {
    match table.to_act() {
        Actor::Player(color) => Ok(color),
        Actor::Dealer | Actor::Nobody => Err(table.prompt().to_string()),
    }
}

/// The player whose press of the clock would have an effect.
fn presser(table: &Table) -> Option<Color> {
    match table.turn() {
        Turn::Timed { by, .. } if table.clock().turn().is_none() => Some(by.other()),
        Turn::Timed { by, .. } => Some(by),
        Turn::Untimed => None,
    }
}

/// The player who would offer a draw: the player whose turn it is on the clock.
fn offerer(table: &Table) -> Result<Color, String> {
    match table.turn() {
        Turn::Timed { by, .. } => Ok(by),
        Turn::Untimed => Err(table.prompt().to_string()),
    }
}

fn answerer(table: &Table) -> Result<Color, String> {
    by_of(table, Verb::DeclineDraw).ok_or_else(|| "there is no draw offer to answer".to_owned())
}

/// The player who may make the first of the legal inputs with this verb.
fn by_of(table: &Table, verb: Verb) -> Option<Color> {
    table.legal().iter().find(|legal| legal.verb() == Some(verb)).and_then(LegalInput::by)
}

fn reveal(word: &str, typed: &Typed<'_>) -> Result<Input, String> {
    let by = match turns_over(typed.table) {
        Some(by) => by,
        None => actor(typed.table)?,
    };
    typed.has(Verb::Reveal)?;
    Ok(Action::Reveal(Reveal { by, card: card("card", word)?, read: Some(false), copy: None }).into())
}

/// Parses a placement such as `R a1 promoted as Q`: the piece, its square, the announcement, and the stand-in.
fn place(words: &[&str], typed: &Typed<'_>) -> Result<Input, String> {
    let [piece, at, rest @ ..] = words else {
        return Err("place which piece where? for example `R a1` or `R a1 promoted`".to_owned());
    };
    let by = actor(typed.table)?;
    typed.has(Verb::Place)?;
    let mut place = Place::new(by, card("piece", piece)?, square("at", at)?);
    let mut rest = rest;
    loop {
        match rest {
            [] => return Ok(Action::Place(place).into()),
            ["as", stands, more @ ..] => {
                place.stands = Some(role("stands", stands)?);
                rest = more;
            }
            [says, more @ ..] => {
                let wanted = "`promoted`, `demoted`, `palace` or `empress`";
                place.says =
                    Some(PieceAnnouncement::from_word(says).ok_or_else(|| must("says", wanted, says))?);
                rest = more;
            }
        }
    }
}

/// Parses a move in SAN or in UCI.
fn chess_move(written: &str, lower: &str, stands: Option<&str>, typed: &Typed<'_>) -> Result<Input, String> {
    let table = typed.table;
    let by = actor(table).map_err(|_| unknown(written, table))?;
    let san = table.game().chess().and_then(|chess| chess.read_san(written));
    let uci = san.or_else(|| Uci::parse(lower)).ok_or_else(|| unknown(written, table))?;
    typed.has(Verb::Move)?;
    let stands = stands.map(|stands| role("stands", stands)).transpose()?;
    Ok(PlayAction::Move { by, uci, stands }.into())
}

fn ruling(rest: &[&str], typed: &Typed<'_>) -> Result<Ruling, String> {
    const WANTED: &str = "rule what? `rule clock white 90 REASON` (or +60, -60), `rule winner A REASON`, \
                          `rule draw REASON`, `rule fen FEN`, `rule to-act white REASON`";
    let Typed { words, table, now, .. } = *typed;
    let mut ruled = Ruling::default();
    let reason_from = match rest {
        ["clock", color, seconds, _, ..] if let Some(side) = Color::from_word(color) => {
            let left = new_reading(seconds, table.reading(side, now).map_or(0, |left| left.0))?;
            ruled.clock_ms[side] = Some(bounded(color, "clock_ms", left, LAST_MOMENT)?);
            4
        }
        [what @ ("periods" | "moves"), color, count, _, ..] if let Some(side) = Color::from_word(color) => {
            let count: u32 = count.parse().map_err(|_| format!("`{count}` is not a number"))?;
            let (counts, most) = match *what {
                "periods" => (&mut ruled.periods, MOST_PERIODS),
                _ => (&mut ruled.moves, MOST_MOVES),
            };
            bounded(color, what, count.into(), most)?;
            counts[side] = Some(count);
            4
        }
        ["winner", seat, _, ..] => {
            let wanted = || "`winner` of `set` must be `A`, `B` or null".to_owned();
            let seat = seat.to_uppercase();
            ruled.winner =
                Some(Some(Seat::ALL.into_iter().find(|known| known.word() == seat).ok_or_else(wanted)?));
            3
        }
        ["draw", _, ..] => {
            ruled.winner = Some(None);
            2
        }
        ["to-act", color, _, ..] => {
            let wanted = || format!("`to_act` of `set` must be `white` or `black`, not `{color}`");
            ruled.to_act = Some(Color::from_word(color).ok_or_else(wanted)?);
            3
        }
        ["fen", _, ..] => {
            let fen = words.get(2..).unwrap_or_default().join(" ");
            if Play::from_fen(&fen, true, false).is_err() {
                return Err(format!("`fen` of `set` must be a FEN, not `{fen}`"));
            }
            return Ok(Ruling { fen: Some(fen), ..Ruling::because("position set") });
        }
        _ => return Err(WANTED.to_owned()),
    };
    Ok(Ruling { reason: rest_of(words, reason_from)?, ..ruled })
}

/// Checks that a number is within the range that a record allows.
fn bounded(side: &str, what: &str, number: u64, most: u64) -> Result<u64, String> {
    if number <= most {
        Ok(number)
    } else {
        Err(format!("`{side}` of {what} must be a whole number from 0 to {most}"))
    }
}

/// Parses seconds: `90` sets a clock, `+60` and `-60` change the reading `left`. Returns the new reading in ms.
fn new_reading(seconds: &str, left: u64) -> Result<u64, String> {
    let millis = |digits: &str| {
        let seconds: Result<u64, _> = digits.parse();
        seconds
            .ok()
            .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
            .map(|seconds| seconds.saturating_mul(1000))
            .ok_or_else(|| format!("`{digits}` is not a number of seconds"))
    };
    match (seconds.strip_prefix('+'), seconds.strip_prefix('-')) {
        (Some(more), _) => Ok(left.saturating_add(millis(more)?)),
        (None, Some(less)) => Ok(left.saturating_sub(millis(less)?)),
        (None, None) => millis(seconds),
    }
}

/// Translates the piece letters in a typed line from the user's language to the record's: Spanish `Cf3` becomes `Nf3`.
pub fn in_record(line: &str, language: &Words) -> String {
    if language.language == Language::English {
        return line.to_owned();
    }
    let mut words = line.split(' ').peekable();
    let first = words.peek().copied().unwrap_or_default();
    // A single letter means a piece if the line begins with a single letter or with one of these words.
    // Otherwise it may mean a seat.
    let letters_are_pieces = first.chars().count() == 1
        || ["reveal", "stands", "correct"].contains(&first.to_lowercase().as_str());
    let typed = words.map(|word| {
        let single = word.chars().count() == 1;
        let is_move = !single && word.bytes().any(|byte| byte.is_ascii_digit());
        if is_move || (single && letters_are_pieces) {
            with_letters_of_the_record(word, single, language)
        } else {
            word.to_owned()
        }
    });
    typed.collect::<Vec<_>>().join(" ")
}

/// Translates the piece letters of a move or of a card to the letters of the record. In moves pawns have no letter.
fn with_letters_of_the_record(word: &str, card: bool, language: &Words) -> String {
    let role = |letter: char| {
        let own = Role::ALL.into_iter().find(|role| language.letter(*role) == letter.to_string());
        own.filter(|role| card || *role != Role::Pawn)
    };
    word.chars()
        .map(|letter| role(letter).map_or(letter, |role| role.letter().to_ascii_uppercase()))
        .collect()
}

/// The completions of `begun`: the words that can be typed now and begin with it. `paused`: whether the clocks are
/// paused.
pub fn completions(begun: &str, legal: &[LegalInput], paused: bool) -> Vec<String> {
    let mut words: Vec<String> = legal.iter().flat_map(typed_as).collect();
    let stop = if paused { "resume" } else { "pause" };
    words.extend(["undo", "redo", stop, "show", "legal", "help", "quit"].map(str::to_owned));
    let begun = begun.to_lowercase();
    words.retain(|word| word.to_lowercase().starts_with(&begun));
    words.sort();
    words.dedup();
    words
}

/// The texts that a user can type for this legal input, such as one text for each square on which a piece may be
/// placed.
fn typed_as(legal: &LegalInput) -> Vec<String> {
    match legal {
        LegalInput::Game(Offer::Raise { least, .. }) => vec![format!("raise {least}")],
        LegalInput::Game(Offer::Place { piece, at, .. }) => {
            at.iter().map(|at| format!("{} {at}", piece.letter())).collect()
        }
        LegalInput::Game(Offer::Do(action)) => vec![match action {
            Action::Bet { bet, .. } => bet.word().to_owned(),
            Action::Reveal(reveal) => reveal.card.letter().to_string(),
            Action::Play(PlayAction::Move { uci, .. }) => uci.to_string(),
            Action::Play(PlayAction::OfferDraw(_)) => "draw".to_owned(),
            Action::Play(PlayAction::AcceptDraw(_)) => "accept".to_owned(),
            Action::Play(PlayAction::DeclineDraw(_)) => "decline".to_owned(),
            Action::Play(PlayAction::ClaimDraw { .. }) => "claim".to_owned(),
            Action::Deal(_)
            | Action::Place(_)
            | Action::Correct(_)
            | Action::Fouled { .. }
            | Action::Play(PlayAction::Resign(_))
            | Action::Own(_) => action.word().to_owned(),
        }],
        LegalInput::ClaimFlag(_) => vec!["claim flag".to_owned()],
        LegalInput::Game(Offer::Own(_)) | LegalInput::Press(_) | LegalInput::Next => {
            vec![legal.word().to_owned()]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_a_language_are_read_where_a_piece_can_stand() {
        let spanish = Words::of(Language::Spanish);
        let read = |line: &str| in_record(line, &spanish);
        assert_eq!(read("Cf3"), "Nf3");
        assert_eq!(read("T a1"), "R a1");
        assert_eq!(read("reveal D"), "reveal Q");
        assert_eq!(read("rule winner A won"), "rule winner A won", "a seat is no piece");
        assert_eq!(in_record("Cf3", &Words::of(Language::English)), "Cf3");
    }
}
