//! An evening: the file that its matches are kept in, what became of them, and what can be carried on.
//!
//! Reads files; it is called by whoever owns the running table, never by a screen.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tabiya_engine::record::{Header, Line, Replay};
use tabiya_engine::rules::{GAMES, Game, Reason};
use tabiya_types::{BySeat, Color, Instant, Seat, harmless};

use super::keys::Keyring;
use crate::store::journal::vault::KeyError;
use crate::store::journal::{Journal, JournalError, JournalReader, MatchId, MatchInfo};

/// How many of the newest files are looked at for a match to carry on.
const NEWEST: usize = 12;
/// The ending of a record's file.
const ENDING: &str = "tabiya";

/// What the screens show of the record's files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EveningView {
    /// This evening's file.
    pub path: PathBuf,
    /// Its matches, oldest first.
    pub matches: Vec<MatchView>,
    /// Matches that can be carried on, the newest first.
    pub unfinished: Vec<Unfinished>,
    /// Files that could not be read, as sentences.
    pub trouble: Vec<String>,
}

/// One match of an evening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchView {
    /// Its number in the file.
    pub id: i64,
    /// The game's name in the record.
    pub game: String,
    /// The two people.
    pub players: BySeat<String>,
    /// When it began, if that is known.
    pub begun: Option<String>,
    /// Its games, in order.
    pub games: Vec<GameView>,
    /// What each brought.
    pub brought: BySeat<u32>,
    /// What each has at the end.
    pub stacks: BySeat<u32>,
    /// Whether nothing more can be played in it.
    pub over: bool,
}

/// One game of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameView {
    /// Who had White.
    pub white: Seat,
    /// Why it ended; nothing while it runs.
    pub reason: Option<Reason>,
    /// Who won; nobody on a draw.
    pub winner: Option<Seat>,
    /// Whether it counts.
    pub counts: bool,
    /// What each has after it.
    pub stacks: BySeat<u32>,
    /// Chess moves made by both.
    pub moves: usize,
}

/// A match that was left before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfinished {
    /// Its file.
    pub path: PathBuf,
    /// Its number there.
    pub id: i64,
    /// The game's name in the record.
    pub game: String,
    /// The two people.
    pub players: BySeat<String>,
    /// When it began, if that is known.
    pub begun: Option<String>,
    /// Which game of it runs, from 1.
    pub number: usize,
    /// The moment of the match at which it stopped.
    pub stopped: Instant,
}

/// A player's results over an evening.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerScore {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Chips won, or lost where it is negative.
    pub chips: i64,
}

impl EveningView {
    /// Every player's results, by name.
    pub fn scores(&self) -> BTreeMap<&str, PlayerScore> {
        let mut scores: BTreeMap<&str, PlayerScore> = BTreeMap::new();
        for played in &self.matches {
            for game in played.games.iter().filter(|game| game.reason.is_some() && game.counts) {
                for seat in Seat::ALL {
                    let score = scores.entry(&played.players[seat]).or_default();
                    match game.winner {
                        None => score.drawn += 1,
                        Some(winner) if winner == seat => score.won += 1,
                        Some(_) => score.lost += 1,
                    }
                }
            }
            for seat in Seat::ALL {
                let net = i64::from(played.stacks[seat]) - i64::from(played.brought[seat]);
                scores.entry(&played.players[seat]).or_default().chips += net;
            }
        }
        scores
    }

    /// The games as a table for other programs: one row a game, with a heading.
    ///
    /// # Panics
    /// If there is no memory left.
    pub fn csv(&self) -> String {
        let mut table = csv::Writer::from_writer(Vec::new());
        let heading = [
            "match", "begun", "kind", "game", "white", "black", "winner", "reason", "moves", "chips A",
            "chips B",
        ];
        let mut rows = vec![heading.map(str::to_owned)];
        for played in &self.matches {
            for (game, number) in played.games.iter().zip(1..) {
                let name = |seat: Seat| played.players[seat].clone();
                rows.push([
                    played.id.to_string(),
                    played.begun.clone().unwrap_or_default(),
                    played.game.clone(),
                    number.to_string(),
                    name(game.white),
                    name(game.white.other()),
                    game.winner.map(name).unwrap_or_default(),
                    game.reason.map_or("in progress", Reason::word).to_owned(),
                    game.moves.to_string(),
                    game.stacks.a.to_string(),
                    game.stacks.b.to_string(),
                ]);
            }
        }
        for row in rows {
            table.write_record(row.map(|cell| inert(&cell))).expect("memory takes all rows");
        }
        let bytes = table.into_inner().expect("memory takes all rows");
        String::from_utf8(bytes).expect("made of texts")
    }
}

/// A cell that a spreadsheet takes for text, whatever somebody called himself: what begins like a
/// formula gets an apostrophe before it.
fn inert(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<i64>().is_err();
    if formula { format!("'{cell}") } else { cell.to_owned() }
}

/// Reads what the screens show: this evening's file, and what can be carried on.
pub fn look(folder: &Path, this: &Path) -> EveningView {
    let mut view = EveningView { path: this.to_owned(), ..EveningView::default() };
    let mut paths = newest(folder);
    // An evening's file can be kept anywhere.
    if !paths.iter().any(|path| path == this) && this.exists() {
        paths.push(this.to_owned());
    }
    for path in paths {
        match read(&path) {
            Ok(found) => {
                for (played, unfinished) in found {
                    view.unfinished.extend(unfinished);
                    if path == this {
                        view.matches.push(played);
                    }
                }
            }
            Err(sentence) => view.trouble.push(harmless(&format!("{}: {sentence}", path.display()))),
        }
    }
    sort(&mut view);
    view
}

/// Reads one file again: a game in it has ended.
pub fn read_again(view: &mut EveningView, path: &Path) {
    view.unfinished.retain(|left| left.path != path);
    let this = view.path == path;
    if let Ok(found) = read(path) {
        view.unfinished.extend(found.iter().filter_map(|(_, unfinished)| unfinished.clone()));
        if this {
            view.matches = found.into_iter().map(|(played, _)| played).collect();
        }
    }
    sort(view);
}

fn sort(view: &mut EveningView) {
    view.unfinished.sort_by(|a, b| (&b.begun, b.id).cmp(&(&a.begun, a.id)));
}

/// The newest record files of a folder, those that were written last first.
fn newest(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<(Option<SystemTime>, PathBuf)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.metadata().and_then(|found| found.modified()).ok(), entry.path()))
        })
        .filter(|(_, path)| path.extension().is_some_and(|ending| ending == ENDING))
        .collect();
    paths.sort();
    paths.into_iter().rev().map(|(_, path)| path).take(NEWEST).collect()
}

/// All matches of one file that can be read.
fn read(path: &Path) -> Result<Vec<(MatchView, Option<Unfinished>)>, String> {
    let plain = |error: JournalError| error.to_string();
    let journal = Journal::open_read(path).map_err(plain)?;
    let matches = journal.matches().map_err(plain)?;
    let read = matches.iter().filter_map(|info| {
        // One match that cannot be read hides no other; `tabiya verify` tells what is wrong with it.
        let replay = fold(&journal, info).ok()?;
        let view = match_view(info, &replay);
        let unfinished = is_unfinished(&replay).then(|| Unfinished {
            path: path.to_owned(),
            id: info.id.number(),
            game: view.game.clone(),
            players: view.players.clone(),
            begun: view.begun.clone(),
            number: view.games.len(),
            stopped: stopped(info),
        });
        Some((view, unfinished))
    });
    Ok(read.collect())
}

/// A match of a file, folded whole. The error is a sentence that names the line.
pub fn fold(journal: &JournalReader, info: &MatchInfo) -> Result<Replay, String> {
    let header = Header::parse(&info.header, GAMES).map_err(|error| error.to_string())?;
    let mut replay = Replay::new(header);
    let lines = journal.lines(info.id).map_err(|error| error.to_string())?;
    for ((_, text), number) in lines.iter().zip(2..) {
        replay.feed(number, text).map_err(|stop| format!("line {number}: {stop}"))?;
    }
    Ok(replay)
}

/// The last moment that is known of a match.
pub fn stopped(info: &MatchInfo) -> Instant {
    Instant::from_millis(info.moment.unwrap_or(0).max(info.last_t))
}

/// Whether a match can be gone on with: it has begun and is not over.
pub fn is_unfinished(replay: &Replay) -> bool {
    replay.table().begun() && !is_over(replay)
}

/// Whether nothing is left to be played of a match.
pub fn is_over(replay: &Replay) -> bool {
    let table = replay.table();
    // Where nothing is won or lost but the game, the first result ends what people sat down for.
    let one_game = table.agreement().agreed.stacks().iter().all(|chips| chips.0 == 0);
    table.match_over() || (one_game && table.game().outcome().is_some())
}

/// What a side has; chips in a pot that is still played for count for whoever put them in.
fn chips(game: &dyn Game, color: Color) -> u32 {
    let stakes = game.stakes();
    let put_in = if game.outcome().is_none() { stakes.contributed[color].0 } else { 0 };
    stakes.stacks[color].0.saturating_add(put_in)
}

fn match_view(info: &MatchInfo, replay: &Replay) -> MatchView {
    let table = replay.table();
    let agreement = table.agreement();
    let past = table.past_games().iter().map(|past| (past.white, &*past.game));
    let games = past.chain([(table.white(), table.game())]).map(|(white, game)| {
        let seat = |color: Color| Seat::playing(color, white);
        let has = |of: Seat| chips(game, of.color(white));
        GameView {
            white,
            reason: game.outcome().map(|outcome| outcome.reason),
            winner: game.outcome().and_then(|outcome| outcome.winner).map(seat),
            counts: game.counts(),
            stacks: BySeat { a: has(Seat::A), b: has(Seat::B) },
            moves: game.chess().map_or(0, |chess| chess.moves().len()),
        }
    });
    let now = |seat: Seat| chips(table.game(), seat.color(table.white()));
    let [a, b] = agreement.agreed.stacks();
    MatchView {
        id: info.id.number(),
        game: agreement.game.to_owned(),
        players: BySeat { a: harmless(&agreement.players.a), b: harmless(&agreement.players.b) },
        begun: info.begun.as_deref().map(harmless),
        games: games.collect(),
        stacks: BySeat { a: now(Seat::A), b: now(Seat::B) },
        brought: BySeat { a: a.0, b: b.0 },
        over: is_over(replay),
    }
}

/// A match as it stands in a file.
pub struct Kept {
    /// Its header.
    pub header: Header,
    /// Its lines, sealed cards open where the match's key is here.
    pub lines: Vec<Line>,
    /// Why sealed cards are closed all the same; play goes on without them.
    pub closed: Option<KeyError>,
}

/// A match of a file, to be looked at, and the hash of its last line.
pub fn read_match(path: &Path, id: i64, keys: &Keyring) -> Result<(Kept, String), String> {
    let journal = Journal::open_read(path).map_err(|error| error.to_string())?;
    let (info, kept) = open(&journal, id, keys)?;
    Ok((kept, info.head.to_string()))
}

/// A match of a file, ready to be carried on, and where it stopped.
pub fn open(journal: &JournalReader, id: i64, keys: &Keyring) -> Result<(MatchInfo, Kept), String> {
    let matches = journal.matches().map_err(|error| error.to_string())?;
    let wanted = MatchId::new(id);
    let info = matches
        .into_iter()
        .find(|info| Some(info.id) == wanted)
        .ok_or_else(|| format!("there is no match {id} in it"))?;
    let kept = kept(journal, &info, keys)?;
    Ok((info, kept))
}

/// That match as it is carried on.
pub fn kept(journal: &JournalReader, info: &MatchInfo, keys: &Keyring) -> Result<Kept, String> {
    let header = Header::parse(&info.header, GAMES).map_err(|error| error.to_string())?;
    let (texts, closed) = opened(journal, info, keys).map_err(|error| error.to_string())?;
    let lines: Result<Vec<Line>, _> = texts.iter().map(|text| Line::parse(text, &header)).collect();
    Ok(Kept { lines: lines.map_err(|error| error.to_string())?, header, closed })
}

/// The lines after a match's header, sealed cards open where the match's key is here, and why some are closed.
pub fn opened(
    journal: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<(Vec<String>, Option<KeyError>), JournalError> {
    let lines = journal.lines(info.id)?.into_iter().map(|(_, text)| text).collect();
    Ok(keys.open(info.begins, lines))
}
