//! Properties that simulated hands and boards must have, tested with many tasks (actions to carry out) and many random
//! seeds.

#![allow(clippy::indexing_slicing, reason = "a test that indexes wrongly should fail")]

use proptest::prelude::*;
use tabiya_types::{Board, Color, Millis, Square};

use super::*;

fn board(fen: &str) -> Board {
    fen.parse().expect("a board")
}

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

/// The boards before and after an action, and the side that acts; several examples of each kind of action.
const ACTIONS: [(&str, &str, Color); 12] = [
    // Quiet moves: a pawn's double step, a knight, a rook along its rank.
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
        Color::White,
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R",
        Color::White,
    ),
    ("4k3/8/8/8/8/8/4PP2/R3K3", "4k3/8/8/8/8/8/4PP2/3RK3", Color::White),
    // Captures: by a pawn, by a rook along a file.
    ("4k3/8/8/3p4/4P3/8/8/4K3", "4k3/8/8/3P4/8/8/8/4K3", Color::White),
    ("3rk3/8/8/8/8/8/3PP3/3RK3", "4k3/8/8/8/8/8/3rP3/3RK3", Color::Black),
    // Castling on the king's side and on the queen's side.
    ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R4RK1", Color::White),
    ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R", "2kr3r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R", Color::Black),
    // En passant.
    ("4k3/8/8/3pP3/8/8/8/4K3", "4k3/8/3P4/8/8/8/8/4K3", Color::White),
    // Promotion, and promotion with a capture.
    ("4k3/P7/8/8/8/8/8/4K3", "Q3k3/8/8/8/8/8/8/4K3", Color::White),
    ("1n2k3/P7/8/8/8/8/8/4K3", "1Q2k3/8/8/8/8/8/8/4K3", Color::White),
    // Placement.
    ("4k3/4p3/8/8/8/8/4P3/4K3", "4k3/4p3/8/8/8/8/4P3/R3K3", Color::White),
    // A change that is no single chess move: three pieces exchange their squares, and one piece is removed.
    ("4k3/8/8/8/8/2N5/1BR5/4K2Q", "4k3/8/8/8/8/2B5/1RN5/4K3", Color::White),
];

fn tasks(count: usize, press: bool) -> Vec<Task> {
    let mut start = Instant::from_millis(1_000);
    let mut tasks = Vec::new();
    for (before, after, by) in ACTIONS.into_iter().cycle().take(count) {
        tasks.push(Task { press, ..Task::new(board(before), board(after), by, start) });
        start = start + Millis(30_000);
    }
    tasks
}

/// Returns `count` tasks. Each of them carries out the same action: the action with the index `action` in `ACTIONS`.
fn again(action: usize, count: usize) -> Vec<Task> {
    let (before, after, by) = ACTIONS[action];
    let start = |n: usize| Instant::from_millis(1_000 + 30_000 * n as u64);
    (0..count).map(|n| Task::new(board(before), board(after), by, start(n))).collect()
}

/// Formats events as text: `+e4P` for a piece that is placed, `-e2` for a piece that is lifted.
fn told(events: &[(Instant, Physical)]) -> String {
    let words = events.iter().map(|(_, what)| match what {
        Physical::Set(square, None) => format!("-{square}"),
        Physical::Set(square, Some(piece)) => format!("+{square}{}", piece.letter()),
        Physical::Press(side) => format!("press {}", side.word()),
        Physical::Flicker(square, times) => format!("flicker {square} {times}"),
        Physical::Unplug(out) => format!("unplug {}", out.0),
        Physical::Blind(out) => format!("blind {}", out.0),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn clean(action: usize) -> String {
    told(&perform_true(&again(action, 1), &Profile::CLEAN, 1))
}

#[test]
fn clean_hands_lift_and_put_and_press() {
    assert_eq!(clean(0), "-e2 +e4P press white");
    assert_eq!(clean(2), "-a1 +d1R press white");
    assert_eq!(clean(4), "-d2 -d8 +d2r press black");
    assert_eq!(clean(5), "-e1 +g1K -h1 +f1R press white");
    assert_eq!(clean(7), "-e5 +d6P -d5 press white");
    assert_eq!(clean(8), "-a7 +a8Q press white");
    assert_eq!(clean(9), "-b8 -a7 +b8Q press white");
    assert_eq!(clean(10), "+a1R press white");
}

#[test]
fn a_table_without_a_clock_hears_no_press() {
    for profile in Profile::ALL {
        let events = perform_true(&tasks(120, false), &profile, 3);
        assert!(events.iter().all(|(_, what)| !matches!(what, Physical::Press(_))), "{}", profile.name);
    }
}

#[test]
fn one_seed_is_one_evening() {
    for profile in Profile::ALL {
        let tasks = tasks(60, true);
        assert_eq!(perform(&tasks, &profile, 7), perform(&tasks, &profile, 7));
        if profile != Profile::CLEAN {
            assert_ne!(perform_true(&tasks, &profile, 7), perform_true(&tasks, &profile, 8));
        }
    }
}

/// How a board reported one capture: which of the two pieces' squares it reported as empty first, or that it never
/// reported the captured piece's square as empty.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Capture {
    NeverEmpty,
    VictimFirst,
    AttackerFirst,
}

#[test]
fn casual_captures_are_reported_in_the_recorded_proportions() {
    // The recordings contain 35 captures. In 25 of them the board never reports the captured piece's square as empty.
    // In 7 of them the captured piece leaves first, in 3 the capturing piece leaves first. The test simulates 1000
    // captures. In half of them a rook captures along a file.
    let mut counts = [0_u32; 3];
    for seed in 0..1_000_u64 {
        let (action, from, to) = if seed % 2 == 0 { (3, "e4", "d5") } else { (4, "d8", "d2") };
        let told = perform(&again(action, 1), &Profile::CASUAL, seed);
        let empty = |name: &str| {
            told.iter().position(|(_, o)| *o == Observation::Square(square(name), None)).unwrap_or(usize::MAX)
        };
        let capture = match (empty(from), empty(to)) {
            (_, usize::MAX) => Capture::NeverEmpty,
            (from, to) if to < from => Capture::VictimFirst,
            _ => Capture::AttackerFirst,
        };
        counts[capture as usize] += 1;
    }
    let [never, victim, attacker] = counts;
    assert!((650..780).contains(&never), "never empty {never} of 1000; recorded 714");
    assert!((140..260).contains(&victim), "victim first {victim} of 1000; recorded 200");
    assert!((40..140).contains(&attacker), "attacker first {attacker} of 1000; recorded 86");
}

#[test]
fn casual_quiet_moves_are_reported_in_the_recorded_proportions() {
    // Of 156 recorded quiet moves, 146 are reported as lift then place, 2 as place then lift, and 8 have extra events.
    let (mut put_first, mut extra) = (0_u32, 0_u32);
    for seed in 0..3_000_u64 {
        let (action, from) = match seed % 3 {
            0 => (0, "e2"),
            1 => (1, "g1"),
            _ => (2, "a1"),
        };
        let told = perform(&again(action, 1), &Profile::CASUAL, seed);
        let squares: Vec<_> = told
            .iter()
            .filter_map(|(_, o)| match o {
                Observation::Square(square, what) => Some((*square, *what)),
                Observation::Whole(_) | Observation::Occupied(_) | Observation::Press(_) => None,
            })
            .collect();
        extra += u32::from(squares.len() > 2);
        put_first += u32::from(squares.len() == 2 && squares[0].0 != square(from));
    }
    assert!((15..90).contains(&put_first), "put first {put_first} of 3000; recorded 38");
    assert!((75..270).contains(&extra), "extra events {extra} of 3000; recorded 154");
}

#[test]
fn only_a_hostile_hand_touches_the_board_after_its_press() {
    for profile in Profile::ALL {
        let mut hand = HumanHands::new(&profile, 11);
        let mut late = 0;
        for task in tasks(600, true) {
            let done = hand.perform(&task);
            late += u32::from(done.pressed.is_some_and(|pressed| done.ends > pressed));
        }
        assert_eq!(late > 0, profile == Profile::HOSTILE, "{}: {late} late touches", profile.name);
    }
}

#[test]
fn a_press_is_never_forgotten_twice_in_a_row() {
    let forgetful = Profile { forget: PerMille::ALWAYS, ..Profile::CASUAL };
    let mut hand = HumanHands::new(&forgetful, 1);
    let pressed: Vec<bool> =
        tasks(20, true).iter().map(|task| hand.perform(task).pressed.is_some()).collect();
    assert!(pressed.windows(2).all(|two| two != [false, false]));
    assert!(pressed.contains(&false));
}

#[test]
fn a_mistaken_press_is_pressed_back_before_the_move() {
    let nervous = Profile { mistaken_press: PerMille::ALWAYS, ..Profile::CLEAN };
    let events = perform_true(&again(0, 2), &nervous, 1);
    assert_eq!(told(&events), "-e2 +e4P press white press white press black -e2 +e4P press white");
}

#[test]
fn a_corrected_move_is_first_pressed_wrong() {
    let hasty = Profile { correct: PerMille::ALWAYS, ..Profile::CLEAN };
    assert_eq!(told(&perform_true(&again(0, 1), &hasty, 1)), "-e2 +e3P press white -e3 +e4P");
    let slip = board("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR");
    let task = Task { slip: Some(slip), ..again(0, 1)[0] };
    let events = perform_true(&[task], &hasty, 1);
    assert_eq!(told(&events), "-d2 +d4P press white -d4 +d2P -e2 +e4P");
}

/// The board that results from all observations up to and including the time `moment`.
fn reported(told: &[(Instant, Observation)], moment: Instant) -> Board {
    let mut board = Board::EMPTY;
    for (_, observation) in told.iter().take_while(|(at, _)| *at <= moment) {
        match observation {
            Observation::Whole(whole) => board = *whole,
            Observation::Square(square, what) => board[*square] = *what,
            Observation::Occupied(_) | Observation::Press(_) => {}
        }
    }
    board
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_timeline_runs_forward_and_ends_right(
        seed in any::<u64>(),
        which in 0..Profile::ALL.len(),
        press in any::<bool>(),
        thinking in 0_u64..8_000,
    ) {
        let profile = Profile::ALL[which];
        let mut hand = HumanHands::new(&profile, seed);
        let mut last = Instant::ZERO;
        for task in tasks(24, press) {
            let done = hand.perform(&Task { thinking: Millis(thinking), ..task });
            let mut board = task.before;
            for (at, what) in &done.events {
                prop_assert!(*at >= last, "{at:?} after {last:?}");
                last = *at;
                what.apply(&mut board);
            }
            prop_assert_eq!(board, task.after);
            prop_assert!(done.ends >= last);
        }
    }

    #[test]
    fn every_board_is_reported_right_in_the_end(seed in any::<u64>(), which in 0..Profile::ALL.len()) {
        let profile = Profile::ALL[which];
        for task in tasks(12, true) {
            for told in [perform(&[task], &profile, seed), perform_boards(&[task], &profile, seed)] {
                prop_assert!(told.is_sorted_by_key(|(at, _)| *at));
                prop_assert_eq!(reported(&told, Instant::from_millis(u64::MAX)), task.after);
            }
        }
    }

    #[test]
    fn all_but_hostile_boards_are_reported_right_soon_after_the_press(
        seed in any::<u64>(),
        which in 0..Profile::ALL.len() - 1,
    ) {
        let profile = Profile::ALL[which];
        for task in tasks(12, true) {
            let told = perform(&[task], &profile, seed);
            let last = |(at, o): &(Instant, Observation)| (*o == Observation::Press(task.by)).then_some(*at);
            if let Some(pressed) = told.iter().rev().find_map(last) {
                prop_assert_eq!(reported(&told, pressed + Millis(400)), task.after);
            }
        }
    }
}
