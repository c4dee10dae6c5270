//! The main job, as the README shows it: a whole match of Choker on the built-in simulator, with a record, a PGN file
//! and a capture file (the board's raw bytes). Afterwards the record is replayed, exported and verified.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use crate::child::{name, printed, tabiya, text};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// Plays a whole match with its files in `folder`, and returns what the program printed.
fn play(folder: &Path) -> String {
    play_with(folder, &[])
}

fn play_with(folder: &Path, more: &[&str]) -> String {
    let (record, pgn, capture) =
        (folder.join("evening.tabiya"), folder.join("evening.pgn"), folder.join("evening.capture"));
    let arguments = ["play", "--headless", "--board", "sim", "--seed", "7", "--preset", "tour"];
    let arguments = [&arguments[..], &["--players", "Ann,Bo", "--record", name(&record)]].concat();
    let arguments = [&arguments[..], &["--pgn", name(&pgn), "--capture", name(&capture)], more].concat();
    printed(&arguments, 0)
}

fn head(out: &str) -> String {
    let line = out.lines().find(|line| line.starts_with("record: ")).unwrap();
    line.rsplit(' ').next().unwrap().to_owned()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&printed(&["replay", name(path), "--json"], 0)).unwrap()
}

#[test]
fn a_match_on_the_simulator_leaves_a_record_that_says_the_same_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("evening.tabiya");
    let out = play(folder.path());
    assert!(out.contains("connected: DGT board"), "{out}");
    assert!(out.contains("the match is over: Ann"), "{out}");
    let head = head(&out);

    // The journal and its export give the same result.
    let report = json(&record);
    assert_eq!(report["phase"], "match-over");
    assert_eq!(report["violations"], Value::Array(Vec::new()));
    let stacks = report["stacks"].as_object().unwrap();
    assert_eq!(stacks.values().filter_map(Value::as_u64).sum::<u64>(), 40, "chips are conserved");
    let export = folder.path().join("evening.jsonl");
    printed(&["export", name(&record), "--out", name(&export)], 0);
    assert_eq!(json(&export), report);

    // `verify` accepts the head hash of this record, in full or shortened, and refuses the head hash of another
    // record.
    let said = printed(&["verify", name(&record), "--head", &head], 0);
    assert!(said.contains(&head), "{said}");
    printed(&["verify", name(&export), "--head", &head[..16]], 0);
    printed(&["verify", name(&record), "--head", &"0".repeat(16)], 1);
    let whole = fs::read_to_string(&export).unwrap();
    let shortened = whole.lines().count() - 1;
    let shortened: Vec<&str> = whole.lines().take(shortened).collect();
    fs::write(&export, shortened.join("\n")).unwrap();
    let refused = tabiya(&["verify", name(&export), "--head", &head]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stdout));
    fs::write(&export, whole.replacen("\"by\":\"white\"", "\"by\":\"black\"", 1)).unwrap();
    printed(&["verify", name(&export)], 1);

    // A chess library reads all games of the PGN, and the PGN contains the record's head.
    let pgn = fs::read(folder.path().join("evening.pgn")).unwrap();
    assert!(text(&pgn).contains(&head), "the PGN must contain the head");
    let games: Vec<Game> =
        Reader::new(&pgn[..]).read_games(&mut Mainline).map(|game| game.unwrap().unwrap()).collect();
    let told = report["games"].as_array().unwrap();
    assert_eq!(games.len(), told.len());
    for (game, told) in games.iter().zip(told) {
        assert_eq!(game.moves, told["moves"].as_array().unwrap().len());
    }
    assert_eq!(printed(&["export", name(&record), "--format", "pgn"], 0).trim_end(), text(&pgn).trim_end());
}

#[test]
fn the_capture_of_a_match_shows_the_same_positions_again() {
    let folder = tempfile::tempdir().unwrap();
    play_with(folder.path(), &["--games", "1"]);
    let capture = folder.path().join("evening.capture");
    // No chess explains what this board shows, so every press waits. A minute of that is enough.
    let begin: Vec<String> =
        fs::read_to_string(&capture).unwrap().lines().take(300).map(str::to_owned).collect();
    fs::write(&capture, begin.join("\n") + "\n").unwrap();
    let capture = format!("capture:{}", name(&capture));
    // A capture file contains the bytes of the board, but no cards. So it can be played only as chess, although the
    // match was a match of Choker.
    let arguments = ["play", "--headless", "--game", "chess", "--time", "300"];
    let fen = ["--fen", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"];
    let out = printed(&[&arguments[..], &fen[..], &["--board", &capture]].concat(), 0);
    assert!(out.contains("connected: DGT board"), "{out}");
    assert!(out.contains("the board shows no action for this press; take the"), "{out}");
}

#[test]
fn the_same_seed_gives_the_same_evening() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let told = folders.each_ref().map(|folder| {
        play_with(folder.path(), &["--games", "2"]);
        let capture = fs::read(folder.path().join("evening.capture")).unwrap();
        (json(&folder.path().join("evening.tabiya")), capture)
    });
    assert!(told[0] == told[1], "two evenings of one seed differ");
}

/// The number of moves in one game of a PGN. The chess library has made each of these moves on a board.
struct Game {
    moves: usize,
}

struct Mainline;

impl Visitor for Mainline {
    type Tags = Chess;
    type Movetext = (Chess, usize);
    type Output = Result<Game, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, tag: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if tag == b"FEN" {
            let fen: Result<Fen, _> = value.decode_utf8_lossy().parse();
            let position = fen.map_err(|error| error.to_string()).and_then(|fen| {
                let position: Result<Chess, _> = fen.into_position(CastlingMode::Chess960);
                position.map_err(|error| error.to_string())
            });
            match position {
                Ok(position) => *start = position,
                Err(error) => return ControlFlow::Break(Err(error)),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((start, 0))
    }

    fn san(&mut self, game: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(&game.0) {
            Ok(made) => {
                game.0.play_unchecked(made);
                game.1 += 1;
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(format!("{san}: {error}"))),
        }
    }

    fn end_game(&mut self, (_, moves): Self::Movetext) -> Self::Output {
        Ok(Game { moves })
    }
}
