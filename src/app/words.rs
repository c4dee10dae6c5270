//! What people type at a table: one grammar, in one place.
//!
//! Each kind of word has a file. A typed line becomes inputs in one step; if it can mean two things, it becomes a
//! question with numbered answers. docs/players-guide.md has the table of all words. A word of the wrong form gives the
//! same sentence as in a record file.

mod board;
mod chips;
mod hands;
mod help;
mod joker;
mod laid;
mod language;
mod local;
mod near;
mod play;
mod rulings;
mod spelled;
mod typed;
mod who;

use tabiya_engine::clock::ClockSide;
use tabiya_engine::record::card_file::CardFile;
use tabiya_engine::rules::{Action, DealtCards, Group, Turn, Verb, presets};
use tabiya_engine::table::{Author, Common, Ruling, Table, UndoWhat, Voice};
use tabiya_store::codes::proposed_code;
use tabiya_types::{Color, Instant, Sentence, say};

pub use self::help::help;
pub use self::laid::thrown;
pub use self::language::{in_record, quoted, typed_wish};
pub use self::near::{completions, not_understood};
pub use self::rulings::{chips_are_right, clock_reading, question_about_chips};
pub use self::typed::{ClockSideOrder, KeypadOrder, TypedOrder};
use self::typed::{Meant, Typed, one};
use self::who::WordOwner;
use super::session::turns_over;

/// Parses a line that was typed at `now`. `asked`: how many numbered answers the open question has; `None` if none is open.
/// `cards`: the players' file of cards, if they use one. The error is a sentence that says what could be typed instead.
pub fn read(
    text: &str,
    table: &Table,
    asked: Option<usize>,
    cards: Option<&CardFile>,
    now: Instant,
) -> Result<TypedOrder, Sentence> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let typed = Typed { lower: &lower, words: &words, table, now };
    if lower.is_empty() {
        // Enter is a press, but a second Enter by accident is none: nobody presses before he has acted.
        let idle =
            matches!(table.turn(), Turn::Timed { by, acted: false, .. } if table.clock().turn() == Some(by));
        let by = presser(table).filter(|_| !idle || table.game().presses_alone());
        return Ok(by.map_or(TypedOrder::Nothing, |by| one(Common::Press(by))));
    }
    if let [number] = lower.as_slice()
        && let Ok(number) = number.parse::<usize>()
        && (1..=asked.unwrap_or(0)).contains(&number)
    {
        return Ok(TypedOrder::Choose(number));
    }
    let readers = [
        plain_words,
        chips::read,
        laid::read,
        common,
        play::read,
        hands::read,
        rulings::read,
        rulings::count,
        board::read,
    ];
    let card_letters = turns_over(table).is_some() || laid::expects_a_card(table);
    if lower == ["n"] && (asked.is_some() || !card_letters) {
        return Ok(TypedOrder::No);
    }
    if let Some(order) = joker::read(&typed, cards)? {
        return Ok(order);
    }
    let found = readers.iter().find_map(|read| read(&typed).transpose());
    found.unwrap_or_else(|| Err(near::not_understood(text, table)))
}

/// Parses the words that ask for something to be shown, and the answers.
fn plain_words(typed: &Typed<'_>) -> Meant {
    Ok(Some(match typed.lower {
        ["help" | "?"] => TypedOrder::Help,
        ["quit" | "exit" | "leave"] => TypedOrder::Quit,
        ["show" | "board"] => TypedOrder::Show,
        ["legal"] => TypedOrder::Legal,
        ["sheet" | "terms"] => TypedOrder::Sheet,
        ["results" | "score"] => TypedOrder::Results,
        ["read"] => TypedOrder::ReadBoard,
        ["report"] => TypedOrder::Report,
        ["unread"] => TypedOrder::Unread,
        ["misdeal"] => TypedOrder::Misdeal,
        ["open", ..] => {
            let game = typed.words.get(1).and_then(|word| word.parse().ok());
            TypedOrder::Open(game, typed.reason(if game.is_some() { 2 } else { 1 })?)
        }
        ["clock-side"] => TypedOrder::ClockSide(ClockSideOrder::Exchange),
        ["clock-side", "guess"] => TypedOrder::ClockSide(ClockSideOrder::Guess),
        ["clock-side", word] => {
            let side = ClockSide::from_word(word).ok_or_else(|| {
                say!(
                    "clock-side-form",
                    "where is White's lever, seen from the front of the clock? `clock-side left`, `clock-side right`, `clock-side guess`, or `clock-side` alone to exchange the sides"
                )
            })?;
            TypedOrder::ClockSide(ClockSideOrder::Is(side))
        }
        ["keypads", ..] => TypedOrder::Keypads(keypads(typed)?),
        ["vouch", ..] => TypedOrder::Vouch(typed.reason(1)?),
        ["yes" | "y"] => TypedOrder::Yes,
        ["no"] => TypedOrder::No,
        _ => return Ok(None),
    }))
}

/// Parses `keypads`, `keypads code`, `keypads remove white`, `keypads on REASON`, `keypads off REASON`.
fn keypads(typed: &Typed<'_>) -> Result<KeypadOrder, Sentence> {
    let form = || {
        say!(
            "keypads-form",
            "`keypads` shows where they are, `keypads code` makes another code, `keypads remove white` (`black`, `clock`) removes one; at an event `keypads on REASON` admits them"
        )
    };
    Ok(match typed.lower {
        ["keypads"] => KeypadOrder::Show,
        ["keypads", "code"] => KeypadOrder::Renew,
        ["keypads", "remove", "clock"] => KeypadOrder::Remove(None),
        ["keypads", "remove", color] => KeypadOrder::Remove(Some(Color::from_word(color).ok_or_else(form)?)),
        ["keypads", word @ ("on" | "off"), ..] => KeypadOrder::Admit(*word == "on", typed.reason(2)?),
        _ => return Err(form()),
    })
}

/// Parses the words for dealing, the clock, the order of the games, and taking back.
fn common(typed: &Typed<'_>) -> Meant {
    let table = typed.table;
    let event = table.terms().voice == Voice::Event;
    let order = match typed.lower {
        ["deal"] => {
            typed.has(Verb::Deal)?;
            one(Action::Deal(DealtCards::default()))
        }
        ["undo", ..] => undo(typed, event)?,
        ["redo"] => one(Common::Redo { by: None }),
        ["tick"] => one(Common::Tick),
        ["next", changes @ ..] => next(typed, changes)?,
        ["pause", ..] if event => {
            let need = say!("pause-needs-reason", "at events a pause needs a reason: `pause REASON`");
            paused_because(table, typed.reason(1).map_err(|_| need)?, Author::Arbiter)
        }
        ["adjourn", ..] => {
            typed.has(Verb::Move)?;
            TypedOrder::Adjourn(typed.words.get(1..).unwrap_or_default().join(" "))
        }
        ["sealed"] => TypedOrder::Seal,
        ["sealed", ..] => {
            let text = typed.words.get(1..).unwrap_or_default().join(" ");
            let moves = board::moves_meant(&text, table);
            TypedOrder::OpenEnvelope(text, moves)
        }
        ["end", ..] => {
            let by = Author::Arbiter;
            one(Common::EndMatch { by, reason: typed.reason(1)? })
        }
        _ => return owned(typed),
    };
    Ok(Some(order))
}

/// A pause with its reason: first a ruling records the reason, then the clocks stop. A pause by the arbiter in the window is recorded
/// in the same way. If they stand already, only the reason follows.
fn paused_because(table: &Table, reason: String, by: Author) -> TypedOrder {
    let pause = (!table.clock().paused()).then(|| Common::Pause(by).into());
    TypedOrder::Do(std::iter::once(Ruling::because(reason).into()).chain(pause).collect())
}

/// The order in words of these that end with a player's code.
fn with_code(verb: &str, owner: &WordOwner, rest: &[&str]) -> Option<TypedOrder> {
    let WordOwner::Is(by) = *owner else { return None };
    match (verb, rest) {
        ("consent", [code]) => Some(TypedOrder::ConsentWith(by, (*code).to_owned())),
        ("code", [code]) => Some(TypedOrder::ChooseCode(by, (*code).to_owned())),
        ("code", [code, "lock"]) => Some(TypedOrder::LockWithCode(by, (*code).to_owned())),
        _ => None,
    }
}

/// Parses the words of the clock and of the result that are somebody's: `press`, `pause`, `resume`, `consent`, `sign`.
fn owned(typed: &Typed<'_>) -> Meant {
    let table = typed.table;
    let Some((verb, owner, rest)) =
        typed.verb_and_owner(&["press", "pause", "resume", "consent", "code", "sign"])
    else {
        return Ok(None);
    };
    if let Some(order) = with_code(verb, &owner, rest) {
        return Ok(Some(order));
    }
    if verb == "code" {
        return Err(say!(
            "code-form",
            "a code is one word of at least six characters after the colour; nobody guesses one such as `code white {code}`; with `lock` after it, the cards open for nobody without the code",
            code = proposed_code()
        ));
    }
    if !rest.is_empty() && verb != "pause" {
        return Ok(None);
    }
    let colors = match owner {
        WordOwner::Is(color) => vec![color],
        WordOwner::Either(question) => {
            let enter = |by| match verb {
                "press" => Common::Press(by),
                "pause" => Common::Pause(Author::Player(by)),
                "resume" => Common::Resume(Author::Player(by)),
                "sign" => Common::Signs(by),
                _ => Common::Consent(by),
            };
            return Ok(Some(question.ask(|by| vec![enter(by).into()])));
        }
        WordOwner::Unnamed => Vec::new(),
    };
    let author = |default: Option<Color>| match (table.terms().voice, colors.first().copied().or(default)) {
        (Voice::Casual, Some(by)) => Author::Player(by),
        _ => Author::Arbiter,
    };
    Ok(Some(match verb {
        "press" => {
            let nothing = || say!("nothing-to-press", "no clock is running, so there is nothing to press");
            one(Common::Press(colors.first().copied().or_else(|| presser(table)).ok_or_else(nothing)?))
        }
        "pause" if rest.is_empty() => one(Common::Pause(author(table.mover()))),
        "pause" => paused_because(table, rest.join(" "), author(table.mover())),
        "resume" => one(Common::Resume(author(table.mover()))),
        "sign" => {
            let who = say!("sign-who", "who confirms the result? for example `sign white`");
            one(Common::Signs(colors.first().copied().ok_or(who)?))
        }
        _ => {
            let who = say!("consent-who", "who agrees? for example `consent white`");
            one(Common::Consent(colors.first().copied().ok_or(who)?))
        }
    }))
}

/// Parses `next`, `next becket`, `next becket off`, `next deal NAME`.
fn next(typed: &Typed<'_>, changes: &[&str]) -> Result<TypedOrder, Sentence> {
    let mut terms = Group::new();
    let mut rest = changes;
    while let [term, more @ ..] = rest {
        let game = typed.table.agreement().game;
        if !presets::kind(game).is_some_and(|kind| kind.terms_for_next().contains(term)) {
            let (term, game) = ((*term).to_owned(), game.to_owned());
            return Err(say!("no-next-term", "`next {term}` is not possible in {game}", term, game));
        }
        if *term == "deal" {
            // The rest of the line is the deal. Cards are written with large and small letters.
            let deal = typed.words.get(typed.words.len() - more.len()..).unwrap_or_default();
            terms.extend(hands::deal(deal)?);
            break;
        }
        let (value, more) = match more {
            ["off", more @ ..] => (false, more),
            ["on", more @ ..] => (true, more),
            more => (true, more),
        };
        terms = terms.with(term, value);
        rest = more;
    }
    Ok(one(Common::Next(terms)))
}

/// Parses `undo`, `undo 3`, `undo REASON`, `undo 3 REASON`, `undo ruling REASON`.
fn undo(typed: &Typed<'_>, event: bool) -> Result<TypedOrder, Sentence> {
    let ruling = typed.lower.get(1) == Some(&"ruling");
    let count = typed.words.get(1).and_then(|word| word.parse::<usize>().ok());
    if typed.words.get(1).is_some_and(|word| word.starts_with('-'))
        || count.is_some_and(|count| !(1..=100).contains(&count))
    {
        return Err(say!("undo-how-many", "undo how many? give a number from 1 to 100"));
    }
    let reason =
        typed.words.get(if ruling || count.is_some() { 2 } else { 1 }..).unwrap_or_default().join(" ");
    if event && reason.is_empty() {
        let word = if ruling { "undo ruling" } else { "undo" };
        let word = word.to_owned();
        return Err(say!("undo-needs-reason", "at events an undo needs a reason: `{word} REASON`", word));
    }
    let what = if ruling { UndoWhat::Ruling } else { UndoWhat::Game };
    let by = (ruling || !reason.is_empty()).then_some(Author::Arbiter);
    let undo = Common::Undo { what, by, reason: Some(reason).filter(|reason| !reason.is_empty()) };
    Ok(TypedOrder::Do(vec![undo.into(); count.unwrap_or(1)]))
}

/// The player whose press of the clock would have an effect.
fn presser(table: &Table) -> Option<Color> {
    match table.turn() {
        Turn::Timed { by, .. } if table.clock().turn().is_none() => Some(by.other()),
        Turn::Timed { by, .. } => Some(by),
        Turn::Untimed => None,
    }
}
