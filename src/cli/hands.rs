//! `tabiya hands`: the cards that were dealt, for whoever may see them.
//!
//! Source: record, "Secrets": everybody once the match is over and both seats have consented; the arbiter at any
//! time, by a ruling that is recorded, for his own view.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::files::{self, Lines, Opened};
use super::play::choose;
use super::{Failure, print, tell, unusable};
use crate::app::evening;
use crate::app::journal::{Keeper as _, Keeping};
use crate::record::chain::BOX;
use crate::record::journal::{JournalError, Kind};
use crate::record::secrets::{GameCards, OPENS, may_be_open, opened_by_ruling};
use crate::record::{Line, Replay};
use crate::rules::{Color, Seat};

/// Arguments of `tabiya hands`.
#[derive(Debug, clap::Args)]
pub(super) struct HandsArguments {
    /// The record.
    file: PathBuf,
    /// Which match of a journal; without it the last one.
    #[arg(long = "match", value_name = "ID")]
    id: Option<String>,
    /// Which game of the match, counted from 1; without it all that may be seen.
    #[arg(long, value_name = "NUMBER")]
    game: Option<u64>,
    /// The arbiter opens the game's sealed cards (the last game's, unless one is named) for his own view: a ruling
    /// with this reason is added to the record.
    #[arg(long, value_name = "REASON")]
    reason: Option<String>,
    /// As one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &HandsArguments) -> Result<(), Failure> {
    let (path, id) = (&arguments.file, arguments.id.as_deref());
    if let Some(reason) = &arguments.reason {
        rule(path, id, reason, arguments.game)?;
    }
    let name = path.display();
    let lines = Lines::read(path, id)?;
    let Opened { values, closed } = lines.opened()?;
    let opened = opened_by_ruling(values.iter().map(|(_, line)| line));
    let replay = replayed(&lines, values)?;
    let table = replay.table();
    let games = GameCards::of_games(table);
    let count = games.len() as u64;
    if let Some(game) = arguments.game.filter(|game| !(1..=count).contains(game)) {
        let what = format!("{name}: there is no game {game} in this match, which has {count}");
        return Err(Failure::unusable(what));
    }
    if let Some(error) = closed {
        return Err(Failure::unusable(format!("{name}: {error}")));
    }
    if !games.iter().any(GameCards::any_known) {
        return Err(Failure::unusable(format!(
            "{name}: no dealt card is known; players' cards stand here only where a reader knew them"
        )));
    }
    let all = may_be_open(table);
    let may = |game: u64| all || opened.contains(&game);
    let wanted: BTreeSet<u64> = match arguments.game {
        Some(game) => BTreeSet::from([game]),
        None => (1..=count).filter(|game| may(*game)).collect(),
    };
    if wanted.is_empty() || !wanted.iter().all(|game| may(*game)) {
        return Err(Failure::refused(format!(
            "{name}: the cards are sealed: they are shown once the match is over and both players have agreed (`consent white`, `consent black` at the table), and to the arbiter by a ruling: `tabiya hands {name} --reason REASON`, or `open REASON` at a table that runs"
        )));
    }
    let seats = whites(&replay);
    let shown = games.iter().zip(1..).zip(seats).filter(|((_, number), _)| wanted.contains(number));
    if arguments.json {
        let list = shown.map(|((cards, number), white)| {
            let hands = Color::ALL.map(|color| (color.word().to_owned(), cards.dealt(color).concat().into()));
            let hands: serde_json::Map<String, Value> = hands.into_iter().collect();
            json!({"game": number, "white": white.word(), "dealt": hands})
        });
        return print(&json!({"games": list.collect::<Vec<_>>()}).to_string());
    }
    let players = &table.agreement().players;
    let told = shown.map(|((cards, number), white)| {
        let hand = |color: Color| match cards.dealt(color) {
            dealt if dealt.is_empty() => "not known".to_owned(),
            dealt => dealt.join(" "),
        };
        let (one, other) = (&players[white], &players[white.other()]);
        let (white, black) = (hand(Color::White), hand(Color::Black));
        format!("game {number}: White ({one}) {white}; Black ({other}) {black}")
    });
    tell(&told.collect::<Vec<_>>().join("\n"))
}

/// The match, folded with its cards open.
fn replayed(lines: &Lines, values: Vec<(u32, Value)>) -> Result<Replay, Failure> {
    let mut values = values.into_iter().map(|(number, line)| (number, line.to_string()));
    let (number, header) =
        values.next().ok_or_else(|| lines.unusable(1, "there is no header: the file is empty"))?;
    let mut replay =
        Replay::begin(&header, crate::rules::GAMES).map_err(|error| lines.unusable(number, error))?;
    for (number, line) in values {
        replay.feed(number, &line).map_err(|stop| lines.unusable(number, stop))?;
    }
    Ok(replay)
}

/// Who had White in each game.
fn whites(replay: &Replay) -> Vec<Seat> {
    let table = replay.table();
    table.past_games().iter().map(|past| past.white).chain([table.white()]).collect()
}

/// Adds the arbiter's ruling to a record that no table is writing.
fn rule(path: &Path, id: Option<&str>, reason: &str, game: Option<u64>) -> Result<(), Failure> {
    let name = path.display();
    if files::check(path)? == Kind::Lines {
        let what = format!(
            "{name}: nothing is added to a record in text form; leave `--reason` out, or name the journal that it came from"
        );
        return Err(Failure::unusable(what));
    }
    let journal = Keeping::open(path).map_err(|error| match error {
        JournalError::Busy { .. } => {
            Failure::unusable(format!("{error}; at a table that runs enter `open REASON`"))
        }
        error => unusable(error),
    })?;
    let matches = journal.matches().map_err(unusable)?;
    let info = choose(matches, id).map_err(|what| Failure::unusable(format!("{name}: {what}")))?;
    let lines = journal.lines(info.id).map_err(unusable)?;
    if !lines.iter().any(|(_, line)| line.contains(BOX)) {
        return Err(Failure::unusable(format!(
            "{name}: no card of this match is sealed, so that there is nothing to open"
        )));
    }
    let replay = evening::fold(journal.reader(), &info)
        .map_err(|sentence| Failure::unusable(format!("{name}: {sentence}")))?;
    let games = replay.table().actions_by_game().len() as u64;
    let game = game.unwrap_or(games);
    if !(1..=games).contains(&game) {
        let what = format!("{name}: there is no game {game} in this match, which has {games}");
        return Err(Failure::unusable(what));
    }
    let t = evening::stopped(&info).max(replay.last_t()).millis();
    let line = json!({"t": t, "do": "rule", "by": "arbiter", "reason": reason, "set": {}, OPENS: game});
    let mut line = Line::parse(&line.to_string(), replay.header()).map_err(Failure::unusable)?;
    let mut keeping = Box::new(Keeping::carry_on(journal, &info));
    keeping.append(std::slice::from_mut(&mut line)).map_err(unusable)?;
    keeping.close().map_err(unusable)
}
