//! The PGN of random matches, read back by pgn-reader.

use std::io;
use std::ops::ControlFlow;

use crate::matches::{Match, scores};
use crate::support::random::{Style, session};
use pgn_reader::shakmaty::fen::Fen;
use pgn_reader::shakmaty::uci::UciMove;
use pgn_reader::shakmaty::{CastlingMode, Chess, EnPassantMode, Position, PositionError};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use tabiya_engine::record::{Replay, pgn};
use tabiya_engine::rules::GAMES;
use tabiya_engine::table::PressMode;

/// The number of matches, and the steps of each match.
const MATCHES: u64 = 48;
const STEPS: usize = 200;

/// One game as pgn-reader finds it.
#[derive(Debug, Default, Clone)]
struct Found {
    tags: Vec<(String, String)>,
    moves: Vec<String>,
    comments: usize,
    end: String,
}

impl Found {
    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    fn mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.tag("Variant") == Some("Chess960"))
    }

    fn start(&self) -> Chess {
        match self.tag("FEN") {
            None => Chess::default(),
            Some(fen) => fen
                .parse::<Fen>()
                .unwrap()
                .into_position(self.mode())
                // A game of Choker may begin with more pieces than the rules of chess allow.
                .or_else(PositionError::ignore_too_much_material)
                .unwrap_or_else(|error| panic!("{fen}: {error}")),
        }
    }
}

struct Finder;

impl Visitor for Finder {
    type Tags = Found;
    type Movetext = (Found, Chess);
    type Output = Found;

    fn begin_tags(&mut self) -> ControlFlow<Found, Found> {
        ControlFlow::Continue(Found::default())
    }

    fn tag(&mut self, found: &mut Found, name: &[u8], value: RawTag<'_>) -> ControlFlow<Found> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        found.tags.push((name, value.decode_utf8().unwrap().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, found: Found) -> ControlFlow<Found, (Found, Chess)> {
        let start = found.start();
        ControlFlow::Continue((found, start))
    }

    fn san(&mut self, (found, position): &mut (Found, Chess), san: SanPlus) -> ControlFlow<Found> {
        let m = san.san.to_move(position).unwrap_or_else(|error| panic!("{san}: {error}"));
        found.moves.push(UciMove::from_move(m, found.mode()).to_string());
        assert_eq!(SanPlus::from_move(position.clone(), m), san, "shortest form, with check sign");
        position.play_unchecked(m);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (found, _): &mut (Found, Chess), _: RawComment<'_>) -> ControlFlow<Found> {
        found.comments += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (mut found, position): (Found, Chess)) -> Found {
        found.end = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        found
    }
}

fn read(text: &str) -> Vec<Found> {
    let mut reader = Reader::new(io::Cursor::new(text.as_bytes()));
    std::iter::from_fn(|| reader.read_game(&mut Finder).unwrap()).collect()
}

#[test]
fn every_match_reads_back_move_by_move_to_the_same_position() {
    let (mut games, mut moves, mut after_cards) = (0, 0, 0);
    for seed in 0..MATCHES {
        let game = Match::played(seed, STEPS);
        let text = pgn::text(&game.replay, None);
        let mut found = read(&text).into_iter();
        for score in scores(game.replay.table()) {
            games += 1;
            let Some(score) = score else {
                let bare = found.next().unwrap();
                assert!(bare.moves.is_empty() && bare.tag("FEN").is_some(), "seed {seed}");
                continue;
            };
            let parts: Vec<Found> = found.by_ref().take(score.legs.len()).collect();
            let played: Vec<String> = parts.iter().flat_map(|part| part.moves.clone()).collect();
            assert_eq!(played, score.moves, "seed {seed}");
            for (part, leg) in parts.iter().zip(&score.legs) {
                let start = Fen::from_position(&part.start(), EnPassantMode::Legal).to_string();
                assert_eq!(start, leg.start_fen, "seed {seed}");
            }
            moves += played.len();
            after_cards += usize::from(parts.iter().any(|part| part.tag("TabiyaGame") == Some("choker")));
        }
        assert!(found.next().is_none(), "seed {seed}");
        let last = read(&text).pop().unwrap();
        let board = game.replay.table().board().to_string();
        if game.replay.table().begun() {
            assert_eq!(last.end.split(' ').next(), Some(board.as_str()), "seed {seed}");
        }
    }
    assert!(games > 50 && moves > 1000, "too little was played: {games} games, {moves} moves");
    assert!(after_cards > 5, "too few games of Choker reached chess: {after_cards}");
}

#[test]
fn every_move_of_chess_joker_is_a_move_of_chess_in_the_pgn() {
    let (mut moves, mut parts) = (0, 0);
    for seed in 0..40 {
        let (_, replay) = session(seed, STEPS, "chess-joker", Style::ALL);
        for text in pgn::games(&replay, None) {
            let fen = text.lines().find_map(|line| line.strip_prefix("[FEN \"")?.strip_suffix("\"]"));
            // A card may leave what no game of chess has, such as a pawn on its first rank.
            let fen: Option<Fen> = fen.map(|fen| fen.parse().unwrap());
            if fen.is_some_and(|fen| fen.into_position::<Chess>(CastlingMode::Standard).is_err()) {
                continue;
            }
            moves += read_plainly(&text);
            parts += 1;
        }
    }
    assert!(moves > 400 && parts > 100, "too little was played: {moves} moves in {parts} parts");
}

/// Plays the moves of one text. Returns their number.
fn read_plainly(text: &str) -> usize {
    struct Moves;
    impl Visitor for Moves {
        type Tags = Chess;
        type Movetext = (Chess, usize);
        type Output = usize;
        fn begin_tags(&mut self) -> ControlFlow<usize, Chess> {
            ControlFlow::Continue(Chess::default())
        }
        fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<usize> {
            if name == b"FEN" {
                let fen: Fen = value.decode_utf8().unwrap().parse().unwrap();
                *start = fen.into_position(CastlingMode::Standard).unwrap();
            }
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, start: Chess) -> ControlFlow<usize, (Chess, usize)> {
            ControlFlow::Continue((start, 0))
        }
        fn san(&mut self, (position, count): &mut (Chess, usize), san: SanPlus) -> ControlFlow<usize> {
            let m = san.san.to_move(position).unwrap_or_else(|error| panic!("{san}: {error}"));
            assert_eq!(SanPlus::from_move(position.clone(), m).san, san.san, "shortest form");
            position.play_unchecked(m);
            assert_eq!(position.is_check(), san.suffix.is_some(), "{san}");
            *count += 1;
            ControlFlow::Continue(())
        }
        fn end_game(&mut self, (_, count): (Chess, usize)) -> usize {
            count
        }
    }
    Reader::new(io::Cursor::new(text.as_bytes())).read_game(&mut Moves).unwrap().unwrap()
}

/// The content of the first fenced block of this kind in a document.
fn fenced<'a>(document: &'a str, kind: &str) -> &'a str {
    let (_, rest) = document.split_once(&format!("```{kind}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn the_example_of_the_document_is_what_is_written() {
    let document = include_str!("../../docs/exports.md");
    let mut lines = fenced(document, "jsonl").lines();
    let mut replay = Replay::begin(lines.next().unwrap(), GAMES).unwrap();
    for (line, number) in lines.zip(2..) {
        replay.feed(number, line).unwrap();
    }
    assert_eq!(pgn::text(&replay, Some("5f0c11")), fenced(document, "pgn"));
}

#[test]
fn every_tag_is_in_the_document() {
    let document = include_str!("../../docs/exports.md");
    for seed in 0..16 {
        for game in read(&pgn::text(&Match::played(seed, STEPS).replay, Some("5f0c11"))) {
            for (tag, _) in game.tags.iter().filter(|(tag, _)| !tag.ends_with("Elo")) {
                assert!(document.contains(&format!("`{tag}`")), "{tag}");
            }
        }
    }
}

#[test]
fn every_line_is_short_and_every_comment_ends() {
    for seed in 0..MATCHES {
        let text = pgn::text(&Match::played(seed, STEPS).replay, None);
        for line in text.lines().filter(|line| !line.starts_with('[')) {
            assert!(line.chars().count() < 80, "seed {seed}: {line}");
            assert!(!line.starts_with(['%', ';']), "seed {seed}: {line}");
        }
        assert_eq!(text.matches('{').count(), text.matches('}').count(), "seed {seed}");
    }
}

#[test]
fn undo_takes_the_story_back_and_redo_restores_it() {
    for seed in 0..MATCHES / 2 {
        let mut game = Match::new(seed);
        let by_itself = game.replay.table().terms().press == PressMode::Auto;
        for _ in 0..STEPS {
            game.step();
            let Some(line) = game.next_line() else { continue };
            // These lines end a turn. They are skipped, because an undo of such a line takes back the whole turn.
            let verb = line["do"].as_str().unwrap();
            if verb == "press" || (by_itself && matches!(verb, "place" | "move")) {
                continue;
            }
            let before = pgn::text(&game.replay, None);
            if !game.feed(&line) {
                continue;
            }
            let after = pgn::text(&game.replay, None);
            assert!(game.feed(&serde_json::json!({"do":"undo"})));
            assert!(pgn::text(&game.replay, None) == before, "seed {seed}: undo of {line}");
            assert!(game.feed(&serde_json::json!({"do":"redo"})));
            assert!(pgn::text(&game.replay, None) == after, "seed {seed}: redo of {line}");
        }
    }
}
