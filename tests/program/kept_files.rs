//! Files of released versions stay readable: this version opens every file that a released version wrote
//! (`fixtures/VERSION/`), with the same results. The tests use only the built program, as people do.
//!
//! Those folders contain the files, and in `*.said.txt` the commands to run on them with the expected results, in lines
//! like `STATUS ARGUMENTS > FILE`. Texts must be the same byte for byte. In JSON each value must be the same, but a
//! later version may add members.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The commands that must be tested on every record.
const ASKED: [&str; 6] =
    ["replay", "verify", "export --format jsonl", "export --format pgn", "export --format sheet", "hands"];

/// The folders of released versions: those whose names are numbers.
fn versions() -> Vec<PathBuf> {
    let all = listed(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    let number = |path: &PathBuf| name(path).starts_with(|first: char| first.is_ascii_digit());
    let versions: Vec<PathBuf> = all.into_iter().filter(number).collect();
    assert!(!versions.is_empty(), "no version has left files in fixtures");
    versions
}

/// The files in a folder, sorted by name. Panics if it is empty, because then the tests would test nothing.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A copy of a version's files in a temporary folder, which the program may change.
struct Copy {
    folder: tempfile::TempDir,
}

impl Copy {
    fn of(version: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(version, folder.path());
        Self { folder }
    }

    fn path(&self, inside: &str) -> PathBuf {
        self.folder.path().join(inside)
    }

    /// Runs the program in the folder `inside` of the copy, with these arguments and the copy's home folder.
    fn run(&self, inside: &str, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(words)
            // The kept settings choose German; what the released version said was English.
            .args(
                ["export", "replay"]
                    .contains(&words[0])
                    .then_some(["--language", "en"])
                    .into_iter()
                    .flatten(),
            )
            .current_dir(self.path(inside))
            .env("HOME", self.path("home"))
            .env("TABIYA_DATA", self.path("home/data"))
            .env("TABIYA_CONFIG", self.path("home/config"))
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Runs the program, asserts exit status 0, and returns its standard output.
    fn printed(&self, inside: &str, words: &[&str]) -> String {
        let done = self.run(inside, words);
        assert_eq!(done.status.code(), Some(0), "{words:?}: {}", text(&done.stderr));
        text(&done.stdout)
    }
}

fn copy(from: &Path, to: &Path) {
    for path in listed(from) {
        let to = to.join(name(&path));
        if path.is_dir() {
            fs::create_dir(&to).unwrap();
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A command from a `*.said.txt`, and its result with the released version.
struct Question {
    status: i32,
    words: Vec<String>,
    /// The file with the expected output. Without a file, no output is expected.
    printed: Option<PathBuf>,
}

impl Question {
    fn read(line: &str, folder: &Path) -> Self {
        let (asked, printed) =
            line.split_once(" > ").map_or((line, None), |(asked, file)| (asked, Some(file)));
        let (status, words) = asked.split_once(' ').unwrap_or_else(|| panic!("{line}: it has no arguments"));
        Self {
            status: status.parse().unwrap_or_else(|_| panic!("{line}: it must begin with a status")),
            words: words.split(' ').map(str::to_owned).collect(),
            printed: printed.map(|file| folder.join(file)),
        }
    }

    fn words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }

    /// Runs the command again in a copy. `Err` describes what differs from the released version.
    fn ask(&self, copy: &Copy, inside: &str) -> Result<(), String> {
        let done = copy.run(inside, &self.words());
        let (out, err) = (text(&done.stdout), text(&done.stderr));
        if err.contains(CUT) {
            // The released version saved what a cut file still has, but called it whole (status 0).
            assert_eq!((self.status, done.status.code()), (0, Some(1)), "{err}");
        } else if done.status.code() != Some(self.status) {
            return Err(format!(
                "it ended with {:?}; the released version ended with {}: {err}",
                done.status.code(),
                self.status
            ));
        }
        let Some(file) = &self.printed else { return same("", &out) };
        let then = read(file);
        let told = if file.extension().is_some_and(|ending| ending == "json") {
            // Since 0.2.0 a refused answer is told apart from a refused offer.
            same_json(&then, &out.replace("an answer to an offer of a draw", "an offer of a draw"))
        } else if self.words().first() == Some(&"replay") {
            // Since 0.2.0 the story of the match and an empty line come first.
            same_summary(&then, out.split_once("\n\n").map_or("", |(_, results)| results))
        } else if self.words().first() == Some(&"verify") {
            // Since 0.2.0 the other matches of the file have their lines first, and cards that could not be checked one.
            let newer = |line: &&str| !line.contains(": match ") && !line.contains("were not checked");
            let known: Vec<&str> = out.split('\n').filter(newer).collect();
            same(&then, &known.join("\n"))
        } else if self.words().contains(&"pgn") {
            same(&as_opened(&reworded(&then)), &as_opened(&out))
        } else if self.words().contains(&"sheet") {
            same(&then, &without_results(&out))
        } else {
            same(&then, &out)
        };
        told.map_err(|told| format!("{}: {told}", name(file)))
    }
}

/// All `*.said.txt` of a version: the folder's name, the file, and its commands.
fn said(version: &Path) -> Vec<(String, PathBuf, Vec<Question>)> {
    let mut all = Vec::new();
    for folder in listed(version).into_iter().filter(|path| path.is_dir()) {
        for file in listed(&folder).into_iter().filter(|path| name(path).ends_with(".said.txt")) {
            let questions: Vec<_> = read(&file).lines().map(|line| Question::read(line, &folder)).collect();
            assert!(!questions.is_empty(), "{} has no commands", file.display());
            all.push((name(&folder), file, questions));
        }
    }
    assert!(!all.is_empty(), "{}: no file has commands", version.display());
    all
}

/// What salvage says since 0.2.0 of a file that was cut.
const CUT: &str = "the file was cut: ";

/// Pairs of sentences: the wording in version 0.1.0, and the better wording since then. All other text must be the same
/// byte for byte, and so must the facts in these sentences.
const REWORDED: &[(&str, &str)] = &[
    // A sheet names its game as people do.
    ("\nchess: ", "\nChess: "),
    ("\nchoker: ", "\nChoker: "),
    ("\nclock: ", "\nClock only: "),
    // An array of Chess960 is told as it is set up, with its number.
    (
        "from the position bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1 (Chess960)",
        "set up: B Q N B R K R N (Chess960, position 289)",
    ),
    // `FEN` and `SetUp` say it already, and some readers refuse a game with this variant.
    ("[Variant \"From Position\"]\n", ""),
    ("a draw cannot be now: the game is", "an offer of a draw cannot be now: the game is"),
    (". the piece on", ". The piece on"),
    (" lines after the header hang together;", " lines after the header verified;"),
    (
        "compare this head with the match sheet's or the PGN's: a record cut short at its end shows only there",
        "compare this head with the one on the match sheet or in the PGN: only this shows whether lines are missing at the end",
    ),
    (
        "the lines carry no hashes of their own: only the head can tell a changed record",
        "the lines contain no hashes: only the head shows whether the record was changed",
    ),
    ("; Black: deal two cards each", "; Black: deal two cards each, first to White"),
    ("nothing is missing before the last of them", "no line is missing before the last saved one"),
    ("`tabiya deck enrol` with its name goes on there", "`tabiya deck enrol` with this name continues it"),
    (
        "which card has which face stays in the deck's file",
        "the faces of the cards are only in the deck's file",
    ),
];

/// A PGN in which an opening bet, which was called a raise before 0.2.0, is one word, and in which lines are broken only where a
/// tag or an empty line ends.
fn as_opened(pgn: &str) -> String {
    let tags = |line: &&str| line.is_empty() || line.starts_with('[');
    let moves: Vec<&str> = pgn.lines().filter(|line| !tags(line)).collect();
    let words = moves.join(" ").replace(" raises to ", " bets ");
    pgn.lines().filter(tags).map(|line| format!("{line}\n")).chain([words]).collect()
}

/// A match sheet without what became of the games, which stands there since 0.2.0: from the first game's line to the place for
/// the arbiter's name.
fn without_results(sheet: &str) -> String {
    let mut inside = false;
    let terms = sheet.split_inclusive('\n').filter(|line| {
        inside |= line.starts_with("game 1: ");
        let is_result = inside;
        inside &= !line.starts_with("arbiter: ");
        !is_result
    });
    terms.collect()
}

/// What stands in the line about a ruling that opened sealed cards.
const OPENED: &str = "were opened for the arbiter, by the ruling on line";

/// Compares two texts. `Err` shows the first line that differs.
fn same(then: &str, now: &str) -> Result<(), String> {
    let then = reworded(then);
    // Since 0.2.0 sheet and `verify` say by which ruling sealed cards were opened.
    let now: String = now.split_inclusive('\n').filter(|line| !line.contains(OPENED)).collect();
    let now = now.as_str();
    if then == now {
        return Ok(());
    }
    let (mut then, mut now) = (then.split('\n'), now.split('\n'));
    for number in 1.. {
        match (then.next(), now.next()) {
            (before, after) if before != after => {
                return Err(format!("line {number} differs\n  then: {before:?}\n  now:  {after:?}"));
            }
            (None, None) => break,
            _ => {}
        }
    }
    Ok(())
}

/// Compares the summaries of two replays. Each game has its line, with the same player as White and the same winner; the
/// words of the results and the line with the standing are newer. All else is the same.
fn same_summary(then: &str, now: &str) -> Result<(), String> {
    let games = |text: &str| -> Vec<String> {
        text.lines().take_while(|line| line.starts_with("game ")).map(str::to_owned).collect()
    };
    let (games_then, games_now) = (games(then), games(now));
    if games_then.len() != games_now.len() {
        return Err(format!("{} games, then {}", games_now.len(), games_then.len()));
    }
    for (then, now) in games_then.iter().zip(&games_now) {
        let (white, result) = then.split_once(", ").unwrap_or((then, ""));
        let winner = result.split_once(" wins ").map(|(winner, _)| format!(": {winner} wins "));
        let same = match winner {
            Some(winner) => now.contains(&winner),
            None => {
                !now.contains(" wins ") && result.starts_with("in progress") == now.ends_with("in progress")
            }
        };
        if !same || !now.starts_with(white) {
            return Err(format!("a result differs\n  then: {then:?}\n  now:  {now:?}"));
        }
    }
    let standing = now.lines().nth(games_now.len()).unwrap_or_default();
    if !standing.contains(", ") {
        return Err(format!("{standing:?} is no standing"));
    }
    // Since 0.2.0 a line says whose the chips in an open pot are.
    let now: String = now.split_inclusive('\n').filter(|line| !line.contains("is not won yet")).collect();
    let now = now.as_str();
    let rest = |text: &str, skipped: usize| text.lines().skip(skipped).collect::<Vec<_>>().join("\n");
    same(&rest(then, games_then.len()), &rest(now, games_now.len() + 1))
}

fn reworded(then: &str) -> String {
    let text = REWORDED.iter().fold(format!("\n{then}"), |text, (old, new)| text.replace(old, new));
    text.strip_prefix('\n').map(str::to_owned).unwrap_or(text)
}

fn same_json(then: &str, now: &str) -> Result<(), String> {
    let then = serde_json::from_str(&reworded(then))
        .map_err(|error| format!("the kept file is not JSON: {error}"))?;
    let now = serde_json::from_str(now).map_err(|error| format!("the output is no JSON: {error}"))?;
    holds(&then, &now, "")
}

/// Checks that `now` has all values of `then`, at this place of a report. Objects in `now` may have more members.
fn holds(then: &Value, now: &Value, place: &str) -> Result<(), String> {
    match (then, now) {
        (Value::Object(then), Value::Object(now)) => then.iter().try_for_each(|(member, value)| {
            let place = format!("{place}/{member}");
            now.get(member)
                .ok_or_else(|| format!("{place} is no longer there: {value}"))
                .and_then(|now| holds(value, now, &place))
        }),
        (Value::Array(then), Value::Array(now)) if then.len() == now.len() => (0..)
            .zip(then.iter().zip(now))
            .try_for_each(|(nth, (then, now))| holds(then, now, &format!("{place}/{nth}"))),
        _ if then == now => Ok(()),
        _ => Err(format!("{place} differs\n  then: {then}\n  now:  {now}")),
    }
}

/// The records of a version, as folder and name: all record files that are not expected outputs.
fn records(version: &Path) -> Vec<(String, String)> {
    let answers: BTreeSet<PathBuf> = said(version)
        .into_iter()
        .flat_map(|(_, _, questions)| questions.into_iter().filter_map(|question| question.printed))
        .collect();
    let inside = |folder: &str| {
        let files = listed(&version.join(folder)).into_iter().filter(|path| !answers.contains(path));
        let record =
            |path: &PathBuf| path.extension().is_some_and(|ending| ending == "tabiya" || ending == "jsonl");
        files.filter(record).map(|path| (folder.to_owned(), name(&path))).collect::<Vec<_>>()
    };
    let all = [inside("records"), inside("lines")];
    assert!(all.iter().all(|some| !some.is_empty()), "{}: no records", version.display());
    all.concat()
}

/// The undamaged journals, in which a match can be played: those that `verify` accepts.
fn whole_journals(version: &Path) -> Vec<String> {
    let whole = |record: &String| {
        said(version).iter().flat_map(|(_, _, questions)| questions).any(|question| {
            question.status == 0 && question.words.starts_with(&["verify".to_owned(), record.clone()])
        })
    };
    let journals: Vec<String> = records(version)
        .into_iter()
        .filter(|(folder, _)| folder == "records")
        .map(|(_, file)| file)
        .collect();
    let whole: Vec<String> = journals.into_iter().filter(whole).collect();
    assert!(!whole.is_empty(), "{}: all journals are damaged", version.display());
    whole
}

fn no_trouble(trouble: &[String]) {
    assert!(trouble.is_empty(), "{} problems with kept files:\n{}", trouble.len(), trouble.join("\n"));
}

#[test]
fn every_kept_file_is_opened_and_says_what_it_said_then() {
    let mut trouble = Vec::new();
    for version in versions() {
        for (folder, file, questions) in said(&version) {
            let copy = Copy::of(&version);
            for question in questions {
                if let Err(told) = question.ask(&copy, &folder) {
                    let words = question.words.join(" ");
                    trouble.push(format!("{}: `tabiya {words}`: {told}", file.display()));
                }
            }
        }
    }
    no_trouble(&trouble);
}

#[test]
fn everything_is_asked_of_every_record_and_every_answer_is_compared() {
    let mut trouble = Vec::new();
    for version in versions() {
        let all = said(&version);
        let asked = |folder: &str, record: &str, wanted: &str| {
            let named = |question: &&Question| {
                let words = format!(" {} ", question.words.join(" "));
                let mut wanted = wanted.splitn(2, ' ');
                words.starts_with(&format!(" {} {record} ", wanted.next().unwrap()))
                    && words.contains(wanted.next().unwrap_or_default())
            };
            all.iter()
                .filter(|(inside, _, _)| inside == folder)
                .flat_map(|(_, _, some)| some)
                .any(|one| named(&one))
        };
        for (folder, record) in records(&version) {
            for wanted in ASKED.into_iter().filter(|wanted| !asked(&folder, &record, wanted)) {
                trouble.push(format!("{}/{folder}/{record}: `{wanted}` is not tested", version.display()));
            }
        }
        let answers: BTreeSet<&PathBuf> =
            all.iter().flat_map(|(_, _, some)| some).filter_map(|one| one.printed.as_ref()).collect();
        for folder in ["records", "lines", "home"] {
            let text = |path: &&PathBuf| {
                let name = name(path);
                let answer = [".txt", ".json", ".pgn"].iter().any(|ending| name.ends_with(ending));
                answer && !name.ends_with(".said.txt")
            };
            let files = listed(&version.join(folder));
            let unused = files.iter().filter(text).filter(|path| !answers.contains(path));
            trouble.extend(unused.map(|path| format!("{}: no command refers to it", path.display())));
        }
    }
    no_trouble(&trouble);
}

#[test]
fn the_table_of_each_version_names_all_its_records() {
    for version in versions() {
        let table = read(&version.join("README.md"));
        for (folder, record) in records(&version) {
            let cell = format!("| `{folder}/{record}` |");
            assert!(table.contains(&cell), "{}/README.md lacks {cell}", version.display());
        }
    }
}

#[test]
fn a_new_match_in_a_kept_journal_leaves_the_others_as_they_were() {
    let mut trouble = Vec::new();
    for version in versions() {
        let all = said(&version);
        for record in whole_journals(&version) {
            let copy = Copy::of(&version);
            copy.printed("records", &["play", "--plain", "--new", "--game", "chess", "--record", &record]);
            let newest = copy.printed("records", &["export", &record]);
            assert!(newest.starts_with(r#"{"tabiya":"#) && newest.contains(r#""game":"chess""#), "{newest}");
            let named = |question: &&Question| {
                question.words.contains(&record) && question.words.iter().any(|word| word == "--match")
            };
            let questions: Vec<_> = all.iter().flat_map(|(_, _, some)| some).filter(named).collect();
            assert!(!questions.is_empty(), "{record}: no command names a match by its number");
            for question in questions {
                if let Err(told) = question.ask(&copy, "records") {
                    trouble.push(format!("{record} with one more match: {:?}: {told}", question.words));
                }
            }
        }
    }
    no_trouble(&trouble);
}

#[test]
fn an_unfinished_match_of_a_kept_journal_is_carried_on() {
    let mut carried_on = 0;
    for version in versions() {
        for record in whole_journals(&version) {
            let copy = Copy::of(&version);
            let before = copy.printed("records", &["export", &record]);
            let report = copy.printed("records", &["replay", &record, "--json"]);
            let report: Value = serde_json::from_str(&report).unwrap();
            if ["over", "match-over"].iter().any(|phase| report["phase"] == *phase) {
                continue;
            }
            let command = if before.contains(r#""game":"clock""#) { "clock" } else { "play" };
            copy.printed("records", &[command, "--plain", "--carry-on", "--record", &record]);
            let after = copy.printed("records", &["export", &record]);
            assert!(
                after.starts_with(&before),
                "{record}: what was written before it was carried on has changed"
            );
            copy.printed("records", &["verify", &record]);
            carried_on += 1;
        }
    }
    assert!(carried_on > 0, "no kept match is unfinished");
}

#[test]
fn sealed_cards_are_opened_by_the_kept_keys_and_by_nothing_else() {
    let mut opened = 0;
    for version in versions() {
        for (folder, file, questions) in said(&version) {
            let copy = Copy::of(&version);
            fs::remove_dir_all(copy.path("home/data/keys")).unwrap();
            for question in questions.iter().filter(|one| one.words[0] == "hands" && one.status == 0) {
                let closed = copy.run(&folder, &question.words());
                let told = format!("{}: {}", file.display(), text(&closed.stderr));
                // A record in text form has no encrypted faces, so it needs no key.
                assert_eq!(closed.status.code(), Some(if folder == "lines" { 0 } else { 2 }), "{told}");
                opened += usize::from(folder != "lines");
            }
        }
    }
    assert!(opened > 0, "no kept record has sealed cards that may be seen");
}

#[test]
fn every_kept_deck_is_taken_along_as_it_is() {
    for version in versions() {
        let decks = listed(&version.join("home/data/decks"));
        let whole: Vec<_> =
            decks.iter().filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
        assert!(!whole.is_empty(), "{}: no decks", version.display());
        for path in whole {
            let (copy, deck) = (Copy::of(&version), json(path));
            let called = deck["name"].as_str().unwrap();
            copy.printed("home", &["deck", "export", called, "taken.json"]);
            let taken = json(&copy.path("home/taken.json"));
            assert_eq!(holds(&deck, &taken, ""), Ok(()), "{}", path.display());
            // After an import on another computer, `deck show` prints the same.
            let shown = copy.printed("home", &["deck", "show", called]);
            fs::remove_dir_all(copy.path("home/data/decks")).unwrap();
            copy.printed("home", &["deck", "import", "taken.json"]);
            assert_eq!(copy.printed("home", &["deck", "show", called]), shown, "{}", path.display());
        }
    }
}

/// The terms of the match that `tabiya clock` begins.
fn clock_terms(copy: &Copy, control: &[&str]) -> Value {
    let words = [&["clock", "--plain", "--new", "--record", "clock.tabiya"][..], control].concat();
    copy.printed("home", &words);
    let exported = copy.printed("home", &["export", "clock.tabiya"]);
    let header: Value = serde_json::from_str(exported.lines().next().unwrap()).unwrap();
    header["terms"].clone()
}

#[test]
fn kept_settings_are_used_and_stay_as_they_are() {
    for version in versions() {
        let (copy, file) = (Copy::of(&version), version.join("home/config/settings.json"));
        let settings = json(&file);
        let last = &settings["last_of"]["clock"];
        assert!(last.is_object(), "{}: it has no last clock", file.display());
        assert_eq!(holds(last, &clock_terms(&copy, &[]), ""), Ok(()), "{}: the last clock", file.display());
        // Now the program has written all settings again, with the terms of this clock. If none is missing in its file,
        // the program had read all of them.
        let after = json(&copy.path("home/config/settings.json"));
        assert_eq!(holds(&settings, &after, ""), Ok(()), "{}", file.display());
        let presets = settings["presets"].as_array().unwrap().iter();
        let clocks: Vec<_> = presets.filter(|preset| preset["game"] == "clock").collect();
        assert!(!clocks.is_empty(), "{}: it has no named clocks", file.display());
        for preset in clocks {
            let terms = clock_terms(&copy, &[preset["name"].as_str().unwrap()]);
            assert_eq!(holds(&preset["terms"], &terms, ""), Ok(()), "{}: {preset}", file.display());
        }
    }
}

#[test]
fn what_was_kept_of_boards_stays_beside_what_is_noted_later() {
    for version in versions() {
        let (copy, file) = (Copy::of(&version), version.join("home/config/boards.json"));
        let kept = json(&file);
        assert!(kept.as_object().is_some_and(|makers| !makers.is_empty()), "{}", file.display());
        for maker in kept.as_object().unwrap().keys() {
            // The value that is noted is already in the file. So the program reads the file and writes it again with
            // the same notes.
            let (name, value) = kept[maker].as_object().unwrap().iter().next().unwrap();
            copy.printed("home", &["devices", "note", maker, name, value.as_str().unwrap()]);
            let after = json(&copy.path("home/config/boards.json"));
            assert_eq!(holds(&kept, &after, ""), Ok(()), "{}", file.display());
        }
    }
}

#[test]
fn a_difference_is_found_and_named() {
    assert_eq!(same("a\nb\n", "a\nb\n"), Ok(()));
    for now in ["a\nb", "a\nc\n", "a\n", "a\nb\n\n", ""] {
        assert!(same("a\nb\n", now).unwrap_err().contains("differs"), "{now:?}");
    }
    let then = r#"{"games":[{"moves":["e2e4"]}],"flag":null}"#;
    assert_eq!(same_json(then, r#"{"more":1,"flag":null,"games":[{"x":2,"moves":["e2e4"]}]}"#), Ok(()));
    for (now, place) in [
        (r#"{"games":[{"moves":["e2e4","e7e5"]}],"flag":null}"#, "/games/0/moves differs"),
        (r#"{"games":[{"moves":["e2e3"]}],"flag":null}"#, "/games/0/moves/0 differs"),
        (r#"{"games":[{"moves":["e2e4"]}]}"#, "/flag is no longer there"),
        (r#"{"games":[],"flag":null}"#, "/games differs"),
        ("", "no JSON"),
    ] {
        assert!(same_json(then, now).unwrap_err().contains(place), "{now}");
    }
}
