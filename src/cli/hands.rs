//! `tabiya hands`: shows the cards that were dealt, to people who may see them.
//!
//! Everybody may see the cards once the match is over and both seats have consented. The arbiter may see them at any
//! time, but only for himself, and by a ruling that is recorded (`docs/record.md`, "Secrets").

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tabiya_engine::record::chain::SEALS;
use tabiya_engine::record::secrets::{GameCards, OPENS, may_be_open, opened_by_ruling};
use tabiya_engine::record::{Line, Replay};
use tabiya_store::evening;
use tabiya_store::journal::{FileKind, Journal, JournalError};
use tabiya_store::keeper::{JournalKeeper, Keeper as _};
use tabiya_store::keys::Keyring;
use tabiya_store::notes::RecordProgress;
use tabiya_store::trust;
use tabiya_types::{ByColor, Color, Seat};

use super::files::{self, Lines, choose};
use super::output::{ExitFailure, print, print_line, unusable};
use super::surroundings::surroundings;

/// Arguments of `tabiya hands`.
#[derive(Debug, clap::Args)]
pub(super) struct HandsArguments {
    /// The record.
    file: PathBuf,
    /// Which match of a journal; by default the last one.
    #[arg(long = "match", value_name = "ID")]
    id: Option<String>,
    /// Which game of the match, counted from 1; by default all games that may be seen.
    #[arg(long, value_name = "NUMBER")]
    game: Option<u64>,
    /// Open the sealed cards of the game (by default the last one) for the arbiter's own view. A ruling with this
    /// reason is added to the record.
    #[arg(long, value_name = "REASON")]
    reason: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &HandsArguments) -> Result<(), ExitFailure> {
    let (path, id) = (&arguments.file, arguments.id.as_deref());
    let read = Read::of(path, id)?;
    let read = match &arguments.reason {
        Some(reason) => {
            read.rule(path, id, reason, arguments.game)?;
            Read::of(path, id)?
        }
        None => read,
    };
    let name = tabiya_types::shown(path);
    read.check(arguments.game)?;
    let shown: Vec<Shown> = (1..)
        .zip(&read.games)
        .filter(|(number, _)| arguments.game.is_none_or(|wanted| wanted == *number))
        .filter_map(|(number, cards)| read.shown(number, cards))
        .collect();
    if shown.is_empty() {
        return Err(match &read.lines.closed {
            Some(error) if read.may_any(arguments.game) => ExitFailure::unusable(format!("{name}: {error}")),
            _ if !read.any_sealed() => ExitFailure::unusable(format!(
                "{name}: no dealt cards are known; they are recorded only if cards are dealt over a reader"
            )),
            _ => ExitFailure::refused(format!(
                "{name}: the cards are sealed; they are shown once the match is over and both players have agreed ({}); a ruling shows them to the arbiter before that: `tabiya hands {name} --reason REASON`, or `open REASON` at a running table",
                read.missing_consent() + &read.opened_before()
            )),
        });
    }
    if shown.iter().any(|shown| read.was_sealed(shown.number)) {
        let why = arguments.reason.as_deref().unwrap_or(read.why());
        note_opening(path, id, why)?;
    }
    if let Some(error) = &read.lines.closed {
        files::remark(&format!("{name}: {error}; sealed cards are shown as `?`"));
    }
    if arguments.json {
        let games: Vec<Value> = shown.iter().map(Shown::to_json).collect();
        return print(&json!({"games": games}).to_string());
    }
    let players = &read.replay.table().agreement().players;
    let lines: Vec<String> = shown
        .iter()
        .map(|Shown { number, white, hands }| {
            let (one, other) = (&players[*white], &players[white.other()]);
            format!(
                "game {number}: White ({one}) {}; Black ({other}) {}",
                spaced(&hands.white),
                spaced(&hands.black)
            )
        })
        .collect();
    print_line(&lines.join("\n"))
}

/// Notes in the store of keys that cards of this record are going to be shown.
fn note_opening(path: &Path, id: Option<&str>, why: &str) -> Result<(), ExitFailure> {
    let reader = Journal::open_read(path).map_err(unusable)?;
    let info = choose(path, reader.matches().map_err(unusable)?, id)?;
    let of = info.name();
    let progress = RecordProgress { head: info.head, seq: info.entries, t: info.last_t, next: None };
    let at = (surroundings().date)().map_err(ExitFailure::unusable)?;
    Keyring::usual().note_opening(&of, progress, &at, why).map_err(unusable)
}

/// Those dealt cards of one game that people may see.
struct Shown {
    number: u64,
    white: Seat,
    hands: ByColor<String>,
}

impl Shown {
    fn to_json(&self) -> Value {
        json!({"game": self.number, "white": self.white.word(), "dealt": {"white": self.hands.white, "black": self.hands.black}})
    }
}

fn spaced(hand: &str) -> String {
    let letters: Vec<String> = hand.chars().map(String::from).collect();
    if letters.is_empty() { "not known".to_owned() } else { letters.join(" ") }
}

/// A match that was read, with its sealed cards decrypted if this user has the key.
struct Read {
    lines: Lines,
    values: Vec<(u32, Value)>,
    replay: Replay,
    games: Vec<GameCards>,
    /// The games whose cards were opened by rulings. The key is the number of the game; the value is the line number
    /// of the last ruling that opened this game.
    opened: BTreeMap<u64, u32>,
}

impl Read {
    fn of(path: &Path, id: Option<&str>) -> Result<Self, ExitFailure> {
        let lines = Lines::read(path, id)?;
        let replay = files::replay(&lines, true)?.replay;
        let values = lines.values().collect::<Result<Vec<_>, _>>()?;
        let games = GameCards::of_games(replay.table());
        Ok(Self { opened: opened_by_ruling(&values), games, values, replay, lines })
    }

    fn check(&self, game: Option<u64>) -> Result<(), ExitFailure> {
        let count = self.games.len() as u64;
        match game {
            Some(game) if !(1..=count).contains(&game) => Err(ExitFailure::unusable(format!(
                "{}: this match has no game {game}; it has {count}",
                self.lines.name
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the dealt cards of a game that people may see; `None` if people may see none of its cards.
    fn shown(&self, number: u64, cards: &GameCards) -> Option<Shown> {
        let cards = match self.opened.get(&number) {
            _ if may_be_open(self.replay.table()) => cards.clone(),
            Some(ruling) => cards.clone().until(*ruling),
            None => return None,
        };
        let table = self.replay.table();
        let whites = table.past_games().iter().map(|past| past.white).chain([table.white()]);
        let white = usize::try_from(number - 1).ok().and_then(|nth| whites.clone().nth(nth))?;
        let hand = |color: Color| cards.dealt(color).concat();
        let hands = ByColor { white: hand(Color::White), black: hand(Color::Black) };
        cards.any_known().then_some(Shown { number, white, hands })
    }

    /// Whether cards of this game were sealed in a journal.
    fn was_sealed(&self, number: u64) -> bool {
        let nth = usize::try_from(number - 1).unwrap_or(usize::MAX);
        self.lines.head.is_some() && self.games.get(nth).is_some_and(GameCards::any_known)
    }

    /// Why cards may be seen without a new ruling.
    fn why(&self) -> &'static str {
        if may_be_open(self.replay.table()) {
            "both players have agreed"
        } else {
            "an earlier ruling opened them"
        }
    }

    fn may_any(&self, game: Option<u64>) -> bool {
        let ruled = || self.opened.keys().any(|opened| game.is_none_or(|game| game == *opened));
        may_be_open(self.replay.table()) || ruled()
    }

    /// Whether the record has any dealt cards, decrypted or still sealed.
    fn any_sealed(&self) -> bool {
        self.games.iter().any(GameCards::any_known)
            || self.values.iter().any(|(_, line)| line.get(SEALS).is_some())
    }

    /// Says that all cards could be seen once, although they may not be seen now; empty if they could not.
    fn opened_before(&self) -> String {
        let opened = self
            .replay
            .opened()
            .map(|line| format!("; they could be seen from line {line} on, which was taken back"));
        opened.unwrap_or_default()
    }

    fn missing_consent(&self) -> String {
        let table = self.replay.table();
        let players = &table.agreement().players;
        let missing: Vec<&str> = Seat::ALL
            .into_iter()
            .filter(|seat| !table.consented(*seat))
            .map(|seat| players[seat].as_str())
            .collect();
        match missing.as_slice() {
            [] => "both have agreed, but the match is not over".to_owned(),
            missing => {
                format!(
                    "not yet agreed: {}; each player agrees at the table (`play --carry-on` opens it again), with `consent white` and `consent black`",
                    missing.join(" and ")
                )
            }
        }
    }

    /// The last game whose dealt cards are known, or this one. `Err` if none is known.
    fn last_known(&self, game: Option<u64>, name: &str) -> Result<u64, ExitFailure> {
        let known = (1..)
            .zip(&self.games)
            .filter(|(number, cards)| game.is_none_or(|wanted| wanted == *number) && cards.any_known());
        let Some((game, _)) = known.last() else {
            return Err(match &self.lines.closed {
                Some(error) => ExitFailure::unusable(format!("{name}: {error}")),
                None => ExitFailure::unusable(format!(
                    "{name}: no dealt cards are known, so there is nothing to open"
                )),
            });
        };
        Ok(game)
    }

    /// Adds the arbiter's ruling to the journal. `Err` if a running table is using the journal.
    fn rule(
        &self,
        path: &Path,
        id: Option<&str>,
        reason: &str,
        game: Option<u64>,
    ) -> Result<(), ExitFailure> {
        let name = tabiya_types::shown(path);
        if reason.trim().is_empty() {
            return Err(ExitFailure::unusable("a ruling needs a reason: `--reason \"what it is about\"`"));
        }
        if files::check(path)? == FileKind::Lines {
            return Err(ExitFailure::unusable(format!(
                "{name}: a ruling cannot be added to a record in JSON Lines; leave `--reason` out, or name the journal from which these lines were exported"
            )));
        }
        self.check(game)?;
        let game = self.last_known(game, &name)?;
        if may_be_open(self.replay.table()) {
            return Ok(());
        }
        let journal = JournalKeeper::open(path, &Keyring::usual()).map_err(|error| match error {
            JournalError::Busy { .. } => {
                ExitFailure::unusable(format!("{error}; at a running table, enter `open {game} REASON`"))
            }
            error => unusable(error),
        })?;
        let info = choose(path, journal.matches().map_err(unusable)?, id)?;
        // A ruling belongs into the match's own record. Where no card would open, none is written.
        evening::may_open(journal.reader(), &info, &Keyring::usual())
            .map_err(unusable)?
            .map_err(|why| ExitFailure::unusable(format!("{name}: {why}")))?;
        let resumed = trust::resume_point(journal.reader(), &info, &Keyring::usual()).map_err(unusable)?;
        // Keys of older versions open cards without a signature, and of their records nothing may be signed.
        let is_bound = Keyring::usual().is_bound(info.begins);
        if let Some(doubt) = resumed.doubt.as_ref().filter(|_| is_bound) {
            return Err(ExitFailure::refused(format!(
                "{name}: the record {doubt}; the arbiter vouches for it at the table first: carry the match on, and type `vouch` and a reason"
            )));
        }
        let t = resumed.stopped.max(self.replay.last_t()).millis();
        let line = json!({"t": t, "do": "rule", "by": "arbiter", "reason": reason, "set": {}, OPENS: game});
        let mut line = Line::parse(&line.to_string(), self.replay.header()).map_err(ExitFailure::unusable)?;
        let mut keeping = Box::new(JournalKeeper::carry_on(
            journal,
            &info,
            Keyring::usual(),
            (resumed.stopped, resumed.doubt.is_some()),
        ));
        keeping.append(std::slice::from_mut(&mut line)).map_err(unusable)?;
        keeping.close().map_err(unusable)
    }
}
