//! An evening: the matches in a journal file, their results, and which matches can be carried on.
//!
//! This module reads files, so only the owner of the running table calls it, never a screen.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tabiya_engine::record::chain::Head;
use tabiya_engine::record::proof::HeadSignature;
use tabiya_engine::record::secrets::{may_be_open, openings_told};
use tabiya_engine::record::{Header, Line, Replay};
use tabiya_engine::rules::{Decision, FormError, GAMES};
use tabiya_engine::table::{GameResult, Table};
use tabiya_types::{BySeat, Instant, Seat, Sentence, harmless, say};

use super::heads::Heads;
use super::keys::{Keyring, SealedRecord, has_boxes, may_be_sealed};
use super::trust::openings_missing;
use crate::journal::vault::KeyError;
use crate::journal::{Journal, JournalError, JournalReader, MatchId, MatchInfo};

/// How many of the newest files are searched for matches to carry on.
const NEWEST: usize = 12;
/// For how many lines of a match room is made before they are read; a damaged file may name any number.
const MOST_RESERVED: usize = 1 << 18;
/// For how many lines more, so that a match that goes on does not at once need room for twice its lines.
const EVENING: usize = 1 << 13;
/// The extension of a journal file.
const ENDING: &str = "tabiya";

/// What the screens show of the journal files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EveningView {
    /// This evening's file.
    pub path: PathBuf,
    /// The evening's matches, oldest first.
    pub matches: Vec<MatchView>,
    /// Matches that can be carried on, the newest first.
    pub unfinished: Vec<Unfinished>,
    /// The matches of the newest files, the newest first.
    pub recent: Vec<KeptMatch>,
    /// One sentence for each file that could not be read.
    pub trouble: Vec<String>,
}

/// One match of an evening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchView {
    /// The match's number in the file.
    pub id: i64,
    /// The game's name in the record.
    pub game: String,
    /// The players' names.
    pub players: BySeat<String>,
    /// When the match began, if that is known.
    pub begun: Option<String>,
    /// The games, in order.
    pub games: Vec<GameResult>,
    /// The chips that each player brought, those that he bought during the match included.
    pub brought: BySeat<i64>,
    /// The chips that each player has at the end.
    pub stacks: BySeat<u32>,
    /// Whether the match is over: nothing is left to play.
    pub over: bool,
    /// That the match is still open, and what becomes of its pot; `None` if it is over or nothing was done in it.
    pub open: Option<Sentence>,
}

/// A match in one of the newest files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptMatch {
    /// The match's file.
    pub path: PathBuf,
    /// The match's number in the file.
    pub id: i64,
    /// The game's name in the record.
    pub game: String,
    /// The players' names.
    pub players: BySeat<String>,
    /// When the match began, if that is known.
    pub begun: Option<String>,
    /// How many games it has; the last one may be running.
    pub games: usize,
    /// Whether the match is over: nothing is left to play.
    pub over: bool,
}

impl KeptMatch {
    fn of(path: &Path, played: &MatchView) -> Self {
        Self {
            path: path.to_owned(),
            id: played.id,
            game: played.game.clone(),
            players: played.players.clone(),
            begun: played.begun.clone(),
            games: played.games.len(),
            over: played.over,
        }
    }
}

/// A match that was stopped before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfinished {
    /// The match's file.
    pub path: PathBuf,
    /// The match's number in the file.
    pub id: i64,
    /// The game's name in the record.
    pub game: String,
    /// The players' names.
    pub players: BySeat<String>,
    /// When the match began, if that is known.
    pub begun: Option<String>,
    /// The number of the game in progress, from 1.
    pub number: usize,
    /// The moment at which the match was stopped, in the match's time.
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
    /// Half points: two for a win, one for a draw, and what the arbiter ruled.
    pub half_points: u32,
    /// Chips won; negative if lost.
    pub chips: i64,
}

impl EveningView {
    /// Each player's results, by name.
    pub fn scores(&self) -> BTreeMap<&str, PlayerScore> {
        let mut scores: BTreeMap<&str, PlayerScore> = BTreeMap::new();
        // One person's name may be written with other capital letters another time.
        let mut spelled: BTreeMap<String, &str> = BTreeMap::new();
        for name in self.matches.iter().flat_map(|played| [&played.players.a, &played.players.b]) {
            spelled.entry(name.to_lowercase()).or_insert(name);
        }
        let spelled = |name: &str| spelled[&name.to_lowercase()];
        for played in &self.matches {
            for game in &played.games {
                let Some(decision) = game.decision().filter(|decision| *decision != Decision::NoResult)
                else {
                    continue;
                };
                for seat in Seat::ALL {
                    let score = scores.entry(spelled(&played.players[seat])).or_default();
                    score.half_points += u32::from(game.half_points()[seat]);
                    match decision {
                        Decision::Drawn => score.drawn += 1,
                        Decision::Won(winner) if winner == seat.color(game.white) => score.won += 1,
                        Decision::Won(_) => score.lost += 1,
                        Decision::Points(_) | Decision::NoResult => {}
                    }
                }
            }
            for seat in Seat::ALL {
                let net = i64::from(played.stacks[seat]) - played.brought[seat];
                scores.entry(spelled(&played.players[seat])).or_default().chips += net;
            }
        }
        scores
    }

    /// Notes once that a file cannot be read.
    fn tell_trouble(&mut self, path: &Path, sentence: &str) {
        let told = harmless(&format!("{}: {sentence}", tabiya_types::shown(path)));
        if !self.trouble.contains(&told) {
            self.trouble.push(told);
        }
    }

    /// All games as CSV for other programs: a heading, then one row per game.
    ///
    /// # Panics
    /// If there is no memory left.
    pub fn csv(&self) -> String {
        let heading = [
            "match", "begun", "kind", "game", "white", "black", "winner", "reason", "moves", "chips A",
            "chips B", "points A", "points B",
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
                    game.winner().map(name).unwrap_or_default(),
                    game.outcome.map_or("in progress", |outcome| outcome.reason.word()).to_owned(),
                    game.moves.to_string(),
                    game.stacks.a.to_string(),
                    game.stacks.b.to_string(),
                    points(game, Seat::A),
                    points(game, Seat::B),
                ]);
            }
        }
        csv_text(rows.into_iter().map(|row| row.map(|cell| inert(&cell))))
    }
}

/// The points of a player as a decimal number; empty while the game is running, and for a game that counts nothing.
fn points(game: &GameResult, seat: Seat) -> String {
    match game.decision() {
        None | Some(Decision::NoResult) => String::new(),
        Some(Decision::Won(_) | Decision::Drawn | Decision::Points(_)) => {
            (f64::from(game.half_points()[seat]) / 2.0).to_string()
        }
    }
}

/// Rows as CSV text.
///
/// # Panics
/// If there is no memory left.
pub fn csv_text<const COLUMNS: usize>(rows: impl IntoIterator<Item = [String; COLUMNS]>) -> String {
    let mut table = csv::Writer::from_writer(Vec::new());
    for row in rows {
        table.write_record(row).expect("memory takes all rows");
    }
    let bytes = table.into_inner().expect("memory takes all rows");
    String::from_utf8(bytes).expect("made of texts")
}

/// Makes a CSV cell safe for spreadsheets: puts an apostrophe before a text that begins like a formula.
pub fn inert(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<i64>().is_err();
    if formula { format!("'{cell}") } else { cell.to_owned() }
}

/// Reads what the screens show: the matches in this evening's file, and the matches in `folder` that can be carried on.
pub fn read_evening(folder: &Path, this: &Path) -> EveningView {
    let mut view = EveningView { path: this.to_owned(), ..EveningView::default() };
    let mut paths = newest(folder);
    // This evening's file may be in another folder than `folder`.
    if !paths.iter().any(|path| path == this) && this.exists() {
        paths.push(this.to_owned());
    }
    for path in paths {
        match read(&path) {
            Ok(found) => {
                for (played, unfinished) in found {
                    view.unfinished.extend(unfinished);
                    view.recent.push(KeptMatch::of(&path, &played));
                    if path == this {
                        view.matches.push(played);
                    }
                }
            }
            Err(sentence) => view.tell_trouble(&path, &sentence),
        }
    }
    sort(&mut view);
    view
}

/// Reads one file again, after a game in it has ended.
pub fn update_from_file(view: &mut EveningView, path: &Path) {
    view.unfinished.retain(|left| left.path != path);
    view.recent.retain(|kept| kept.path != path);
    let this = view.path == path;
    match read(path) {
        Ok(found) => {
            view.unfinished.extend(found.iter().filter_map(|(_, unfinished)| unfinished.clone()));
            view.recent.extend(found.iter().map(|(played, _)| KeptMatch::of(path, played)));
            if this {
                view.matches = found.into_iter().map(|(played, _)| played).collect();
            }
        }
        Err(sentence) => view.tell_trouble(path, &sentence),
    }
    sort(view);
}

fn sort(view: &mut EveningView) {
    view.unfinished.sort_by(|a, b| (&b.begun, b.id).cmp(&(&a.begun, a.id)));
    view.recent.sort_by(|a, b| (&b.begun, b.id).cmp(&(&a.begun, a.id)));
}

/// The journal files of a folder that were written last, in the order from newest to oldest.
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

/// The matches of one file. The error is a sentence.
fn read(path: &Path) -> Result<Vec<(MatchView, Option<Unfinished>)>, String> {
    let plain = |error: JournalError| error.to_string();
    let journal = Journal::open_read(path).map_err(plain)?;
    let matches = journal.matches().map_err(plain)?;
    let read = matches.iter().filter_map(|info| {
        // A match that cannot be read is left out; `tabiya verify` reports what is wrong with it.
        let replay = fold(&journal, info).ok()?;
        let view = match_view(info, &replay);
        let unfinished = is_unfinished(&replay).then(|| Unfinished {
            path: path.to_owned(),
            id: info.id.number(),
            game: view.game.clone(),
            players: view.players.clone(),
            begun: view.begun.clone(),
            number: view.games.len(),
            stopped: last_moment(info),
        });
        Some((view, unfinished))
    });
    Ok(read.collect())
}

/// Replays all lines of a match. The error is a sentence that names the line.
pub fn fold(journal: &JournalReader, info: &MatchInfo) -> Result<Replay, String> {
    let header = Header::parse(&info.header, GAMES).map_err(|error| error.to_string())?;
    let mut replay = Replay::new(header);
    let mut number = 1;
    let fed = journal.each_entry(info.id, |entry| {
        number += 1;
        replay.feed(number, &entry.line).map_err(|stop| format!("line {number}: {stop}"))
    });
    fed.map_err(|error| error.to_string())??;
    Ok(replay)
}

/// The last known moment of a match: the moment of its last line, or a later moment that was saved separately.
pub fn last_moment(info: &MatchInfo) -> Instant {
    Instant::from_millis(info.moment.unwrap_or(0).max(info.last_t))
}

/// Whether a match can be carried on: something was done in it, and it is not over. A match over several games has begun
/// even while its present game has not.
pub fn is_unfinished(replay: &Replay) -> bool {
    let table = replay.table();
    let between_games = !table.past_games().is_empty() && !is_one_game(table);
    (table.begun() || table.count() > 0 || between_games) && !is_over(replay)
}

/// Whether a match is over: nothing is left to play.
pub fn is_over(replay: &Replay) -> bool {
    let table = replay.table();
    table.match_over() || (is_one_game(table) && table.game().outcome().is_some() && table.game().counts())
}

/// Without chips the match is one game, so its first result ends it.
fn is_one_game(table: &Table) -> bool {
    table.agreement().agreed.stacks().iter().all(|chips| chips.0 == 0)
}

fn match_view(info: &MatchInfo, replay: &Replay) -> MatchView {
    let table = replay.table();
    let agreement = table.agreement();
    let results = table.results();
    let [a, b] = agreement.agreed.stacks();
    MatchView {
        id: info.id.number(),
        game: agreement.game.to_owned(),
        players: BySeat { a: harmless(&agreement.players.a), b: harmless(&agreement.players.b) },
        begun: info.begun.as_deref().map(harmless),
        stacks: BySeat { a: results.stacks.a.0, b: results.stacks.b.0 },
        brought: results.brought(BySeat { a, b }),
        games: results.games,
        over: is_over(replay),
        open: is_unfinished(replay).then(|| open_in_words(table)),
    }
}

/// That a match is open: who plays, and that its pot is not won yet.
pub fn open_in_words(table: &Table) -> Sentence {
    let BySeat { a, b } = table.agreement().players.clone();
    let number = table.past_games().len() + 1;
    let game = say!("game-open", "game {number} of {a} and {b} is open", number, a, b);
    match table.game().stakes().pot() {
        pot if table.game().outcome().is_none() && pot.0 > 0 => say!(
            "game-open-pot",
            "{game}: the pot of {pot} is not won yet, and its chips are counted for the player who put them in",
            game,
            pot
        ),
        _ => game,
    }
}

/// A match that was read from a file.
pub struct StoredMatch {
    /// The match's header.
    pub header: Header,
    /// The match's lines; sealed cards are open if the match's key is on this computer.
    pub lines: Vec<Line>,
    /// Why some sealed cards could not be opened. The match can be carried on without these cards.
    pub closed: Option<KeyError>,
}

/// A match that was read from a file, so that people can look at it.
pub struct ReadMatch {
    /// The match.
    pub kept: StoredMatch,
    /// The hash of its last line, 64 hexadecimal digits.
    pub head: String,
    /// The newest signature of that line.
    pub signed: Option<HeadSignature>,
    /// What its sheet tells besides: who opened sealed cards, and when.
    pub told: Vec<Sentence>,
}

/// Reads a match from a file, so that people can look at it. The error is a sentence.
pub fn read_match(path: &Path, id: i64, keys: &Keyring) -> Result<ReadMatch, String> {
    let journal = Journal::open_read(path).map_err(|error| error.to_string())?;
    let (info, kept) = open(&journal, id, keys)?;
    let signed = signature(path, &journal, &info);
    let mut told = openings_told(kept.lines.iter());
    told.extend(missing_openings(&journal, &info, keys).map_err(|error| error.to_string())?);
    Ok(ReadMatch { kept, head: info.head.to_string(), signed, told })
}

/// What the store of keys knows of openings of this match's sealed cards that its record does not have.
pub fn missing_openings(
    journal: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<Vec<Sentence>, JournalError> {
    let of = info.name();
    if keys.openings_of(&of).is_empty() {
        return Ok(Vec::new());
    }
    Ok(openings_missing(keys, journal.path(), &of, &journal.compared(info)?))
}

/// The newest signature of a match's last line beside its record; `None` if there is none, or if it cannot be read.
pub fn signature(path: &Path, journal: &JournalReader, info: &MatchInfo) -> Option<HeadSignature> {
    Heads::beside(path).ok()?.newest(&journal.compared(info).ok()?)
}

/// Reads a match from an open journal, so that people can carry it on. The error is a sentence.
pub fn open(journal: &JournalReader, id: i64, keys: &Keyring) -> Result<(MatchInfo, StoredMatch), String> {
    let matches = journal.matches().map_err(|error| error.to_string())?;
    let wanted = MatchId::new(id);
    let info = matches
        .into_iter()
        .find(|info| Some(info.id) == wanted)
        .ok_or_else(|| format!("the file has no match {id}"))?;
    let kept = read_stored(journal, &info, keys)?;
    Ok((info, kept))
}

/// Reads and parses the header and the lines of a match. The error is a sentence.
pub fn read_stored(journal: &JournalReader, info: &MatchInfo, keys: &Keyring) -> Result<StoredMatch, String> {
    let header = Header::parse(&info.header, GAMES).map_err(|error| error.to_string())?;
    if let Some(lines) = unsealed_lines(journal, info, &header).map_err(|error| error.to_string())? {
        return Ok(StoredMatch { header, lines: lines.map_err(|error| error.to_string())?, closed: None });
    }
    let (texts, closed) = opened_lines(journal, info, keys).map_err(|error| error.to_string())?;
    let lines: Result<Vec<Line>, _> = texts.iter().map(|text| Line::parse(text, &header)).collect();
    Ok(StoredMatch { header, lines: lines.map_err(|error| error.to_string())?, closed })
}

/// The lines of a match that seals no card, each parsed as it comes from the file, so that its texts are never all in memory.
/// `None` as soon as one line may be sealed: whether cards may be opened is decided over all lines together.
fn unsealed_lines(
    journal: &JournalReader,
    info: &MatchInfo,
    header: &Header,
) -> Result<Option<Result<Vec<Line>, FormError>>, JournalError> {
    let room = usize::try_from(info.entries).unwrap_or(0).min(MOST_RESERVED) + EVENING;
    let mut lines = Ok(Vec::with_capacity(room));
    // Each line is read even after one that cannot be parsed: damage further down, or a seal, is told first.
    let read = journal.each_entry(info.id, |entry| {
        if may_be_sealed(&entry.line) {
            return Err(());
        }
        if let Ok(parsed) = &mut lines {
            match Line::parse(&entry.line, header) {
                Ok(line) => parsed.push(line),
                Err(error) => lines = Err(error),
            }
        }
        Ok(())
    })?;
    Ok(read.is_ok().then_some(lines))
}

/// The lines after a match's header, with sealed cards opened if the match's key is on this computer. If some cards
/// stay closed, also returns the reason.
pub fn opened_lines(
    journal: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<(Vec<String>, Option<KeyError>), JournalError> {
    let (heads, lines) = heads_and_lines(journal, info)?;
    let of = info.name();
    let signed = if has_boxes(&lines) { signed_until(journal, info, keys)? } else { None };
    let record = SealedRecord { path: journal.path(), of: &of, heads: &heads, signed };
    Ok(keys.open(record, lines, |lines| opened_unsigned(info, lines, signed)))
}

/// Checks the boxes of a match without showing anything. Returns the first reason why one does not open.
pub fn check_boxes(
    journal: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<Option<KeyError>, JournalError> {
    let (heads, lines) = heads_and_lines(journal, info)?;
    let of = info.name();
    let record = SealedRecord { path: journal.path(), of: &of, heads: &heads, signed: None };
    Ok(keys.check_boxes(record, lines))
}

/// The number of the first line that this computer's table has not signed, if lines from there on are what opens all cards of the
/// match: its end by whatever line, or what restores a consent.
fn opened_unsigned(info: &MatchInfo, lines: &[String], signed: Option<u64>) -> Option<u64> {
    let signed = signed.and_then(|seq| usize::try_from(seq).ok()).unwrap_or(0);
    if signed >= lines.len() || !has_boxes(lines) {
        return None;
    }
    let mut replay = Replay::new(Header::parse(&info.header, GAMES).ok()?);
    let mut was_open = false;
    for (nth, (line, number)) in lines.iter().zip(2..).enumerate() {
        if nth == signed {
            was_open = may_be_open(replay.table());
        }
        // A line that is refused opens nothing.
        let _ = replay.feed(number, line);
    }
    (!was_open && may_be_open(replay.table())).then_some((signed + 2) as u64)
}

/// The hashes of a match, that of its header first, and its lines.
fn heads_and_lines(
    journal: &JournalReader,
    info: &MatchInfo,
) -> Result<(Vec<Head>, Vec<String>), JournalError> {
    let (mut heads, mut lines) = (vec![info.begins], Vec::new());
    let Ok(()) = journal.each_entry::<Infallible>(info.id, |entry| {
        heads.push(entry.head);
        lines.push(entry.line);
        Ok(())
    })?;
    Ok((heads, lines))
}

/// Whether sealed cards of this match may be opened in this file with these keys. The inner `Err` says what is missing.
pub fn may_open(
    journal: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<Result<(), KeyError>, JournalError> {
    let (heads, lines) = heads_and_lines(journal, info)?;
    let of = info.name();
    let signed = signed_until(journal, info, keys)?;
    Ok(keys.may_open(SealedRecord { path: journal.path(), of: &of, heads: &heads, signed }, &lines))
}

/// Up to how many lines after the header this computer's table has signed a match as it is; `None` if it has not.
pub fn signed_until(
    journal: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<Option<u64>, JournalError> {
    let Some(key) = keys.own_key() else { return Ok(None) };
    let Ok(heads) = Heads::beside(journal.path()) else { return Ok(None) };
    Ok(heads.signed_until(&journal.compared(info)?, key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{NewEntry, Store as _};

    /// The only match of a journal with this header and this line, read without the keys with which it was written.
    fn read_without_keys(header: &str, line: &str) -> StoredMatch {
        let folder = tempfile::tempdir().expect("a folder");
        let keys = |name: &str| Keyring::in_folder(&folder.path().join(name));
        let journal = Journal::create(&folder.path().join("a.tabiya")).expect("made");
        let mut journal = journal.with_keys(keys("keys"));
        let id = journal.begin_match(header).expect("begun");
        journal.append(id, &[NewEntry { t: 0, line: line.to_owned() }]).expect("written");
        let info = journal.matches().expect("read").remove(0);
        read_stored(journal.reader(), &info, &keys("none")).expect("read")
    }

    #[test]
    fn a_match_with_a_box_is_read_as_a_whole_and_says_why_the_box_stays_closed() {
        let header = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":9,"B":9},"small_blind":1}}"#;
        let read = read_without_keys(header, r#"{"t":0,"do":"deal","cards":{"white":["R","R"]}}"#);
        assert!(matches!(read.closed, Some(KeyError::Missing { .. })), "{:?}", read.closed);
        assert!(read.lines[0].is_sealed());
    }

    #[test]
    fn a_match_without_cards_is_read_line_by_line() {
        let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A"}"#;
        let read = read_without_keys(header, r#"{"t":0,"do":"press","by":"black"}"#);
        assert!(read.closed.is_none());
        let texts: Vec<String> = read.lines.iter().map(ToString::to_string).collect();
        assert_eq!(texts, [r#"{"t":0,"do":"press","by":"black"}"#]);
    }
}
