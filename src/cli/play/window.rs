//! `tabiya play` in a window: turns the arguments into wishes that the desk carries out when the window opens.
//!
//! As in the terminal, faults in the arguments are reported first, before the window opens.

use std::path::PathBuf;

use tabiya_app::desk::{BoardWish, CardWish, Desk, Loop, NewMatch, Position, Preparation, Wish};
use tabiya_boards::address::BoardAddress;
use tabiya_window::{SeveralAsk, SeveralOpening, TableOpening};

use super::event::{self, Joined};
use super::terms::{players, terms, white};
use super::{PlayArguments, RecordFile, box_address, deck_for, keypads, open_record};
use crate::cli::output::ExitFailure;
use crate::cli::surroundings::surroundings;
use crate::cli::window;

/// Whether these arguments ask for a window. Simulated evenings and captures run in the terminal.
pub(super) fn wanted(arguments: &PlayArguments) -> bool {
    let by_itself = matches!(arguments.board, Some(BoardAddress::Sim(_) | BoardAddress::Capture(_)));
    !arguments.headless && !arguments.plain && !by_itself
}

/// Opens the window, begins or continues the match there, and connects the board.
pub(super) fn open(arguments: &PlayArguments, joined: Option<Joined>) -> Result<(), ExitFailure> {
    let (record, wishes) = wishes(arguments)?;
    window::open(record, wishes, arguments.kiosk, preparation(arguments.clone(), joined))
}

/// What is done before the table runs: it sits down at its event, and lets telephones in. `None` if neither is asked for.
fn preparation(arguments: PlayArguments, joined: Option<Joined>) -> Option<Preparation> {
    if joined.is_none() && !arguments.keypads {
        return None;
    }
    Some(Box::new(move |table, desk| {
        let told = joined.map(|joined| sit(joined, table, desk)).transpose()?;
        let served = keypads::open(&arguments, table, desk).map_err(|failure| failure.sentence)?;
        Ok(Box::new((told, served)))
    }))
}

/// Opens one window for several tables: what `open` does, for each of them.
pub(super) fn open_several(title: &str, tables: &[PlayArguments]) -> Result<(), ExitFailure> {
    window::open_several(several(title, tables)?)
}

/// What the window needs for these tables.
fn several(title: &str, tables: &[PlayArguments]) -> Result<SeveralOpening, ExitFailure> {
    let tables: Result<Vec<TableOpening>, ExitFailure> = tables.iter().map(table_opening).collect();
    Ok(SeveralOpening { title: title.to_owned(), tables: tables?, desktop: crate::cli::desktop::command() })
}

/// Makes ready the several tables that people ask for in a window that is open already. `Err` is a sentence for them.
pub(in crate::cli) fn several_asked(ask: &SeveralAsk) -> Result<SeveralOpening, String> {
    match ask {
        SeveralAsk::File(path) => {
            let (title, tables) = super::tables::asked(path).map_err(|failure| failure.sentence)?;
            several(&title, &tables).map_err(|failure| failure.sentence)
        }
        SeveralAsk::Boards(boards) => {
            let date = (surroundings().date)()?;
            let day = date.get(..10).unwrap_or(&date).to_owned();
            let tables = boards.iter().enumerate().map(|(nth, board)| {
                let surroundings = surroundings();
                let record = surroundings.evenings.join(format!("{day} table {}.tabiya", nth + 1));
                let wishes = vec![Wish::Board(BoardWish::Connect(board.clone()))];
                let prepare: Preparation = Box::new(|table, _| {
                    table.among_others();
                    Ok(Box::new(()))
                });
                TableOpening { surroundings, record: Some(record), wishes, prepare }
            });
            let tables = tables.collect();
            Ok(SeveralOpening { title: day, tables, desktop: None })
        }
    }
}

fn table_opening(arguments: &PlayArguments) -> Result<TableOpening, ExitFailure> {
    let told = |failure| super::tables::of_table(arguments, failure);
    let joined = event::join(arguments).map_err(told)?;
    let (record, wishes) = wishes(arguments).map_err(told)?;
    let prepares = preparation(arguments.clone(), joined);
    let prepare: Preparation = Box::new(move |table, desk| {
        table.among_others();
        prepares.map_or_else(|| Ok(Box::new(()) as Box<dyn Send>), |prepare| prepare(table, desk))
    });
    Ok(TableOpening { surroundings: surroundings(), record, wishes, prepare })
}

/// Lets a desk sit down at its table of an event.
fn sit(joined: Joined, table: &mut Loop<Wish>, desk: &mut Desk) -> Result<Box<dyn Send>, String> {
    let (place, told) = event::sit(joined, table).map_err(|failure| failure.sentence)?;
    desk.join_event(place);
    Ok(Box::new(told))
}

/// What these arguments ask of the window: the evening's record, and the desk's first wishes.
fn wishes(arguments: &PlayArguments) -> Result<(Option<PathBuf>, Vec<Wish>), ExitFailure> {
    let beside = box_address(arguments)?.cloned();
    let new = new_match(arguments)?;
    let record =
        arguments.record.as_deref().map(std::path::absolute).transpose().map_err(ExitFailure::unusable)?;
    // `open_record` locks the journal. The lock ends with this statement, before the window opens the journal.
    let unfinished = match open_record(arguments)? {
        RecordFile::Unfinished(_, info) => Some(info.id.number()),
        RecordFile::New | RecordFile::Old(_) => None,
    };
    let mut wishes = vec![match (unfinished, &record) {
        (Some(id), Some(path)) => Wish::CarryOn { path: path.clone(), id, deck: new.deck, pgn: new.pgn },
        _ => Wish::Begin(Box::new(new)),
    }];
    // `open_record` has asked already.
    wishes.splice(0..0, record.clone().filter(|_| unfinished.is_some()).map(Wish::TakeOld));
    if let Some(folder) = &arguments.copy {
        let folder = std::path::absolute(folder).map_err(ExitFailure::unusable)?;
        wishes.insert(0, Wish::Copy(folder));
    }
    wishes.splice(0..0, arguments.language.asked().map(Wish::Speak));
    wishes.splice(0..0, arguments.clock_side.map(Wish::ClockSide));
    if let Some(cards) = arguments.own_terms.cards() {
        let cards = std::path::absolute(cards).map_err(ExitFailure::unusable)?;
        wishes.insert(0, Wish::UseCards(Some(cards)));
    }
    if arguments.read_deals {
        wishes.push(Wish::Cards(CardWish::ReadDeals));
    }
    if let Some(beside) = beside {
        wishes.push(Wish::Board(BoardWish::Beside(beside)));
    }
    if let Some(board @ (BoardAddress::Live(_) | BoardAddress::Only)) = &arguments.board {
        wishes.push(Wish::Board(BoardWish::Connect(board.to_string())));
    }
    // The header of a capture names the board's maker. Therefore bytes are saved only from the moment at which the
    // board is known.
    if let Some(path) = &arguments.capture {
        let path = std::path::absolute(path).map_err(ExitFailure::unusable)?;
        wishes.push(Wish::Board(BoardWish::Capture(Some(path))));
    }
    Ok((record, wishes))
}

/// Makes the match from the arguments. `Err` has the same reasons as for a match in the terminal.
fn new_match(arguments: &PlayArguments) -> Result<NewMatch, ExitFailure> {
    let new = NewMatch {
        game: arguments.game().to_owned(),
        players: players(arguments)?,
        white: white(arguments)?,
        position: Position::Usual,
        terms: terms(arguments)?,
        deck: arguments.deck.clone(),
        start: arguments.start.clone(),
        pgn: arguments.pgn.as_deref().map(std::path::absolute).transpose().map_err(ExitFailure::unusable)?,
    };
    let header = new.header(new.start.as_deref()).map_err(ExitFailure::unusable)?;
    // A missing, damaged or wrong deck is reported before the window opens.
    deck_for(arguments, &header.agreement)?;
    Ok(new)
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, FromArgMatches as _};
    use tabiya_engine::rules::{GAMES, TermKind};

    use super::*;

    /// For each option but those of plain terms a value, and what else must be said so that the option can stand there. What only people in the terminal
    /// or simulated players can use opens no window, or is refused.
    const OPTIONS: [(&str, &str, &str); 33] = [
        ("game", "chess", ""),
        ("preset", "tour", ""),
        ("time", "300+5", ""),
        ("stacks", "50", ""),
        ("blind", "2", ""),
        ("structure", "pot-limit", ""),
        ("set", "Q1R2B2N2P8", ""),
        ("fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "--game chess"),
        ("chess960", "", "--game chess"),
        ("deal", "rande-schande", "--game poker-chess"),
        ("bets", "5-20", "--game pokerdrez --stacks 100"),
        ("cards", "cards.toml", "--game chess-joker"),
        ("games", "3", ""),
        ("draw-wins", "black", "--game chess"),
        ("press", "auto", ""),
        ("voice", "event", ""),
        ("clock", "device", ""),
        ("clock-side", "right", ""),
        ("terms", r#"{"settle_ms":500}"#, ""),
        ("language", "de", ""),
        ("players", "Ann,Bo", ""),
        ("white", "B", ""),
        ("board", "dgt:/dev/null", ""),
        ("box", "diy:/dev/null", ""),
        ("record", "evening.tabiya", ""),
        ("copy", "copies", "--record evening.tabiya"),
        ("carry-on", "", "--record evening.tabiya"),
        ("new", "", ""),
        ("pgn", "evening.pgn", ""),
        ("deck", "Club", ""),
        ("capture", "bytes.jsonl", ""),
        ("start", "2026-10-03T19:30:00+02:00", ""),
        ("kiosk", "", ""),
    ];
    /// Options that ask for no window, or are refused without simulated players by `run` (`check_simulated`), or are carried out
    /// before the window opens.
    const ELSEWHERE: [&str; 11] = [
        "headless",
        "plain",
        "profile",
        "seed",
        "plies",
        "unattended",
        "event",
        "table-file",
        "tables",
        "keypads",
        "keypad-port",
    ];
    /// A new match begins whenever nothing else is asked for, so this says nothing without an unfinished one.
    const USUAL: [&str; 1] = ["new"];
    /// Without the deck that it needs it is refused, as the deck is; `tests/cards` deals with one.
    const NEEDS_A_DECK: [&str; 1] = ["read-deals"];

    fn arguments(words: &[&str]) -> PlayArguments {
        let command = PlayArguments::augment_args(clap::Command::new("play"));
        let all = ["play"].iter().chain(words);
        let matches = command.try_get_matches_from(all).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        PlayArguments::from_arg_matches(&matches).expect("they fit")
    }

    fn asked(words: &[&str]) -> String {
        let arguments = arguments(words);
        match wishes(&arguments) {
            Ok((record, wishes)) => format!("{record:?} {wishes:?} {}", arguments.kiosk),
            Err(refused) => format!("refused: {refused:?}"),
        }
    }

    /// A value that is not the usual one for the option of a game's plain term, and its game.
    fn plain_term(option: &str) -> Option<(String, String)> {
        let all = GAMES.iter().flat_map(|game| game.terms().iter().map(|term| (term, game.name())));
        let (term, game) = all
            .filter(|(term, _)| term.kind.is_plain())
            .find(|(term, _)| term.option.is_some_and(|known| known.long == option))?;
        let value = match term.kind {
            TermKind::Number(number) => number.most.to_string(),
            kind => kind.choices().last().map_or_else(String::new, |value| {
                value
                    .as_text()
                    .map_or_else(|| value.as_number().unwrap_or_default().to_string(), str::to_owned)
            }),
        };
        Some((value, format!("--game {game}")))
    }

    #[test]
    fn no_option_of_play_is_ignored_in_the_window() {
        let command = PlayArguments::augment_args(clap::Command::new("play"));
        for argument in command.get_arguments() {
            let name = argument.get_long().expect("each option has a long name");
            if ELSEWHERE.contains(&name) || NEEDS_A_DECK.contains(&name) {
                continue;
            }
            let row = OPTIONS.iter().find(|(option, ..)| *option == name);
            let row = row.map(|(_, value, besides)| ((*value).to_owned(), (*besides).to_owned()));
            let row = row.or_else(|| plain_term(name));
            let (value, besides) = row.unwrap_or_else(|| panic!("--{name} has no row here"));
            let besides: Vec<&str> = besides.split_whitespace().collect();
            let option = format!("--{name}");
            let with =
                [&besides[..], &[option.as_str(), value.as_str()][..if value.is_empty() { 1 } else { 2 }]]
                    .concat();
            assert!(asked(&with) != asked(&besides) || USUAL.contains(&name), "--{name} changes nothing");
        }
        let numbered = asked(&["--game", "chess", "--chess960", "734"]);
        assert!(numbered.contains("rknqnbbr/pppppppp/8/8/8/8/PPPPPPPP/RKNQNBBR w KQkq - 0 1"), "{numbered}");
        for option in [["--profile", "clumsy"], ["--seed", "2"], ["--plies", "4"]] {
            assert!(super::super::check_simulated(&arguments(&option)).is_err(), "{option:?}");
        }
        assert!(!wanted(&arguments(&["--headless"])) && !wanted(&arguments(&["--plain"])));
    }
}
