//! Laws of the tracker: what it understands does not depend on how a board reports, and what is settled stays.

use tabiya_boards::human::{Profile, ReportMode};
use tabiya_engine::record::{Header, Line};
use tabiya_engine::rules::GAMES;
use tabiya_engine::sense::Watch;
use tabiya_engine::sense::counting::{HandCounter, LabelledGame, LabelledTurn};
use tabiya_types::{Board, Color, Instant, Millis, Observation, Piece};

use crate::labelled::{Simulated, simulated};

/// How many games each law is tried with.
const GAMES_TRIED: u64 = 2;
/// The time of a pass in which a board reports all its squares once.
const PASS: u64 = 100;
/// How many settled actions may be read anew.
const MAY_CHANGE: usize = 3;

fn game(profile: &Profile, seed: u64) -> LabelledGame {
    simulated(&Simulated { profile, choker: false, auto: false, mode: ReportMode::Boards, seed })
}

/// The watch of a game of chess whose board is to report.
fn watch() -> Watch {
    let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{}}"#;
    let mut watch = Watch::new(Header::parse(header, GAMES).unwrap().agreement);
    watch.expect_board();
    watch
}

/// The lines that a table writes when a board reports this.
fn written(reports: &[(Instant, Observation)]) -> Vec<String> {
    let mut watch = watch();
    for (at, report) in reports {
        watch.observe(report, *at);
    }
    let unexplained = watch.finish(reports.last().unwrap().0 + Millis(10_000));
    assert!(unexplained.is_empty(), "{unexplained:?}");
    watch.take_lines().into_iter().map(|line| Line::from(line).to_string()).collect()
}

/// The moves of these lines, without those that were undone.
fn moves(lines: &[String]) -> Vec<String> {
    let mut moves = Vec::new();
    for line in lines {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        match line["do"].as_str() {
            Some("move") => moves.push(line["uci"].as_str().unwrap().to_owned()),
            Some("undo") => drop(moves.pop()),
            _ => {}
        }
    }
    moves
}

/// The same reports, square by square.
fn by_squares(reports: &[(Instant, Observation)]) -> Vec<(Instant, Observation)> {
    let mut shown: Option<Board> = None;
    let mut squares = Vec::new();
    for (at, report) in reports {
        match (report, shown) {
            (Observation::Whole(board), Some(before)) => {
                let changed = before.differences(board);
                squares.extend(changed.map(|square| (*at, Observation::Square(square, board[square]))));
                shown = Some(*board);
            }
            (Observation::Whole(board), None) => {
                squares.push((*at, *report));
                shown = Some(*board);
            }
            _ => squares.push((*at, *report)),
        }
    }
    squares
}

/// The same reports as a board makes that reports all squares once in a pass.
fn by_passes(reports: &[(Instant, Observation)]) -> Vec<(Instant, Observation)> {
    let mut passes: Vec<(Instant, Observation)> = Vec::new();
    let mut pending: Option<(Instant, Observation)> = None;
    for (at, report) in reports {
        if let Some(ready) = pending.filter(|(due, _)| due < at) {
            passes.push(ready);
            pending = None;
        }
        if let Observation::Whole(_) = report {
            pending = Some((Instant::from_millis(at.millis().div_ceil(PASS) * PASS), *report));
        } else {
            passes.push((*at, *report));
        }
    }
    passes.extend(pending);
    passes
}

#[test]
fn the_same_pictures_give_the_same_actions_however_they_are_reported() {
    for profile in [Profile::CLEAN, Profile::CASUAL, Profile::CLUMSY, Profile::BEGINNER, Profile::BLITZ] {
        for seed in 1..=GAMES_TRIED {
            let reports = game(&profile, seed).reports;
            let whole = moves(&written(&reports));
            assert!(whole.len() > 20, "{} {seed}: {} moves", profile.name, whole.len());
            assert_eq!(moves(&written(&by_squares(&reports))), whole, "{} {seed}, by squares", profile.name);
            assert_eq!(moves(&written(&by_passes(&reports))), whole, "{} {seed}, by passes", profile.name);
        }
    }
}

#[test]
fn an_action_that_is_corrected_after_its_press_is_understood_although_the_answer_comes_at_once() {
    let mut watch = watch();
    watch.explain();
    let start: Board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap();
    let square = |name: &str, letter: Option<char>| {
        Observation::Square(name.parse().unwrap(), letter.and_then(Piece::from_letter))
    };
    let shown = [
        (0, Observation::Whole(start)),
        (1_000, square("e2", None)),
        (1_300, square("e4", Some('P'))),
        (1_500, Observation::Press(Color::White)),
        (2_500, square("e4", None)),
        (2_900, square("e3", Some('P'))),
        (3_000, square("e7", None)),
        (3_300, square("e5", Some('p'))),
        (3_600, Observation::Press(Color::Black)),
    ];
    for (at, report) in shown {
        watch.observe(&report, Instant::from_millis(at));
    }
    let unexplained = watch.finish(Instant::from_millis(14_000));
    assert!(unexplained.is_empty(), "{unexplained:?}");
    let lines: Vec<String> =
        watch.take_lines().into_iter().map(|line| Line::from(line).to_string()).collect();
    assert_eq!(moves(&lines), ["e2e3", "e7e5"]);
    let said: Vec<String> = watch.take_explanations().iter().map(|why| why.readings[0].to_string()).collect();
    let corrected = "White plays e2e3: it was corrected after the end of the turn and Black plays e7e5";
    assert!(said.iter().any(|reading| reading.starts_with(corrected)), "{said:?}");
}

#[test]
fn what_is_settled_for_more_than_three_actions_never_changes() {
    let mut undone = 0;
    for seed in 1..=GAMES_TRIED * 3 {
        let mut count = 0_usize;
        let mut most = 0;
        for line in written(&game(&Profile::HOSTILE, seed).reports) {
            if line.contains(r#""do":"move""#) {
                count += 1;
                most = most.max(count);
            } else if line.contains(r#""do":"undo""#) {
                count -= 1;
                undone += 1;
                assert!(count + MAY_CHANGE >= most, "seed {seed}: {count} of {most} actions are left");
            }
            if !line.contains(r#""do":"undo""#) && line.contains(r#""do":"press""#) {
                most = count.max(most);
            }
        }
    }
    assert!(undone > 0, "no game had an action to change");
}

#[test]
fn a_stream_without_anything_odd_is_believed_at_once() {
    for seed in 1..=GAMES_TRIED {
        let game = game(&Profile::CLEAN, seed);
        let lines = written(&game.reports);
        assert_eq!(moves(&lines).len(), game.turns.len());
        let late: Vec<&String> = lines.iter().filter(|line| line.contains("when")).collect();
        let ends = lines.iter().filter(|line| line.contains(r#""do":"press""#)).count() < game.turns.len();
        assert!(late.len() <= usize::from(ends), "{late:?}");
    }
}

#[test]
fn evidence_that_changes_nothing_changes_nothing() {
    for profile in [Profile::CASUAL, Profile::CLUMSY, Profile::BULLET] {
        for seed in 1..=GAMES_TRIED {
            let reports = game(&profile, seed).reports;
            let again = |report: &(Instant, Observation)| match report.1 {
                Observation::Whole(_) => vec![*report, *report],
                _ => vec![*report],
            };
            let twice: Vec<_> = reports.iter().flat_map(again).collect();
            assert_eq!(moves(&written(&twice)), moves(&written(&reports)), "{} {seed}", profile.name);
        }
    }
}

#[test]
fn two_runs_are_equal_to_the_byte() {
    for profile in Profile::ALL {
        let reports = game(&profile, 5).reports;
        assert_eq!(written(&reports), written(&reports), "{}", profile.name);
    }
}

/// A pawn is slid, the reply arrives late, a piece is straightened, and a press is forgotten. What is counted of this and
/// what its reading pays are the same.
#[test]
fn what_is_counted_and_what_is_priced_agree() {
    let mut board: Board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap();
    let mut reports = vec![(Instant::ZERO, Observation::Whole(board))];
    let changes: [(u64, &str, &str); 16] = [
        (50, "press", "black"),
        (1_000, "e2", ""),
        (1_100, "e3", "P"),
        (1_190, "e3", ""),
        (1_200, "e4", "P"),
        (1_800, "press", "white"),
        (3_000, "e7", ""),
        (3_400, "press", "black"),
        (3_520, "e5", "p"),
        (5_000, "b1", ""),
        (5_600, "b1", "N"),
        (6_000, "g1", ""),
        (6_500, "f3", "N"),
        (7_500, "b8", ""),
        (8_000, "c6", "n"),
        (8_200, "press", "black"),
    ];
    for (at, what, piece) in changes {
        let at = Instant::from_millis(at);
        match (what, piece) {
            ("press", "white") => reports.push((at, Observation::Press(Color::White))),
            ("press", _) => reports.push((at, Observation::Press(Color::Black))),
            (square, piece) => {
                let square = square.parse().unwrap();
                let piece = piece.chars().next().map(|letter| Piece::from_letter(letter).unwrap());
                board[square] = piece;
                reports.push((at, Observation::Square(square, piece)));
            }
        }
    }
    let mut watch = watch();
    watch.explain();
    let (mut turns, mut choices, mut before) = (Vec::new(), 0, watch.table().clone());
    let mut paid = 0;
    for (at, report) in &reports {
        watch.observe(report, *at);
        let cost = |sentence: String| -> i32 {
            let (_, cost) = sentence.rsplit_once('(').unwrap();
            cost.split(' ').next().unwrap().parse().unwrap()
        };
        paid += watch.take_explanations().iter().map(|why| cost(why.readings[0].to_string())).sum::<i32>();
        for line in watch.take_lines() {
            if line.after.physical() != before.physical() {
                choices += decibans(before.probe().candidates().len());
                turns.push((before.physical(), line.after.physical(), before.mover().unwrap()));
            }
            before = line.after;
        }
    }
    let times = [(50, Some(1_800)), (1_800, Some(3_400)), (3_400, None), (6_500, Some(8_200))];
    let turns = turns.into_iter().zip(times).map(|((before, after, by), (begins, pressed))| LabelledTurn {
        before,
        after,
        by,
        begins: Instant::from_millis(begins),
        pressed: pressed.map(Instant::from_millis),
        possible: Vec::new(),
    });
    let game = LabelledGame { reports, turns: turns.collect(), auto: false };
    assert_eq!(game.turns.len(), 4);
    let mut counter = HandCounter::new(false, include_str!("../../src/sense/counts.txt"));
    counter.count(&game);
    assert_eq!(counter.cost() + choices, paid);
}

/// What it costs to choose one of so many actions.
fn decibans(among: usize) -> i32 {
    let among: f64 = u32::try_from(among).unwrap().into();
    format!("{:.0}", 10.0 * among.log10()).parse().unwrap()
}
