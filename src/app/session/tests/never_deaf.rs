//! No state in which presses stop counting: a press that its player repeats takes the place of the first, time until the board
//! is right is his, and whatever happened before, a legal action that is shown and pressed is written.

use proptest::prelude::*;
use tabiya_boards::BoardEvent;
use tabiya_engine::rules::Candidate;
use tabiya_engine::table::{Common, Input, Question};
use tabiya_types::{Color, Instant, Observation, Role, Square};

use super::super::Session;
use super::levers::{EVENT, chess, used};
use super::{at, enter, moved, placing, put, told, whole};

const CASUAL: &str = "";

/// A session of chess in which White's clock runs since half a second.
fn running(terms: &str) -> Session {
    let mut session = chess(terms);
    session.board(&whole(session.table().physical()), at(0));
    session.enter(Input::Common(Common::Press(Color::Black)), at(500)).expect("it starts the clock");
    session
}

/// Somebody presses the one button for the player who may press, as the space bar does.
fn button(session: &mut Session, now: Instant) {
    session.pass(now);
    if let Some(press) = session.press_of(None) {
        let _ = session.enter(&press, now);
    }
}

#[test]
fn who_presses_again_after_an_illegal_move_has_pressed_once_and_pays_until_the_board_is_right() {
    for (presses, apart) in [(1, 0), (2, 500), (3, 500), (2, 100), (3, 100)] {
        let mut session = running(CASUAL);
        let start = session.table().physical();
        session.board(&whole(moved(start, "e2", "e5")), at(2_000));
        for nth in 0..presses {
            button(&mut session, at(3_000 + nth * apart));
        }
        session.pass(at(8_000));
        let said = told(&mut session);
        assert!(presses == 1 || apart == 100 || said.contains("has pressed again"), "{said}");
        assert_eq!(said.matches("is no legal move").count(), 1, "{said}");
        assert_eq!(used(&session, 8_000), [7_500, 0], "White's clock runs on, and that is shown");
        session.board(&whole(moved(start, "e2", "e4")), at(9_000));
        session.pass(at(12_000));
        assert_eq!(session.table().physical(), moved(start, "e2", "e4"), "{}", told(&mut session));
        assert_eq!(used(&session, 12_000), [8_500, 3_000], "{presses} presses");
    }
}

#[test]
fn at_an_event_a_press_that_is_repeated_is_no_second_illegal_move() {
    let mut session = running(EVENT);
    let start = session.table().physical();
    session.board(&whole(moved(start, "e2", "e5")), at(2_000));
    for nth in 0..3 {
        button(&mut session, at(3_000 + nth * 500));
    }
    session.pass(at(8_000));
    let said = told(&mut session);
    assert!(said.contains("White's illegal move number 1") && !said.contains("number 2"), "{said}");
    // Another illegal move is one.
    session.board(&whole(moved(start, "d2", "d5")), at(9_000));
    button(&mut session, at(9_500));
    session.pass(at(12_000));
    let said = told(&mut session);
    assert!(said.contains("White's illegal move number 2"), "{said}");
}

/// A pawn out of its zone, the space bar twice, the pawn put right, the space bar.
#[test]
fn a_pawn_out_of_its_zone_is_put_right_although_its_player_pressed_twice() {
    for presses in 1..4 {
        let mut session = placing();
        enter(&mut session, r#""do":"reveal","by":"white","card":"P""#, 1_000).expect("a card");
        put(&mut session, Role::Pawn, "d5", 1_200);
        for nth in 0..presses {
            button(&mut session, at(3_000 + nth * 500));
        }
        session.pass(at(8_000));
        let square: Square = "d5".parse().expect("a square");
        session.board(&BoardEvent::Observed(Observation::Square(square, None)), at(8_500));
        put(&mut session, Role::Pawn, "d3", 9_000);
        button(&mut session, at(10_500));
        session.pass(at(13_000));
        let said = told(&mut session);
        assert_eq!(session.table().mover(), Some(Color::Black), "{said}");
        assert_eq!(session.table().physical(), session.watch().seen().expect("a board"), "{said}");
        let [_, black] = used(&session, 13_000);
        assert!(black <= 4_000, "Black pays {black} ms for White's error: {said}");
    }
}

#[test]
fn a_press_that_waits_is_taken_back_and_said() {
    let mut session = running(CASUAL);
    let start = session.table().physical();
    session.board(&whole(moved(start, "e2", "e5")), at(2_000));
    button(&mut session, at(3_000));
    session.pass(at(5_000));
    told(&mut session);
    enter(&mut session, r#""do":"undo""#, 5_500).expect("the press is taken back");
    let said = told(&mut session);
    assert!(said.contains("White's press is taken back"), "{said}");
    assert!(session.watch().waiting_press().is_none());
    assert_eq!(used(&session, 6_000), [5_500, 0]);
}

/// What people may do at the table.
#[derive(Clone, Debug)]
enum Deed {
    /// A piece is moved to any square.
    Moves(usize, usize),
    /// An action that the rules allow, by its number.
    Acts(usize),
    /// All pieces are put where the table expects them.
    Restores,
    /// A piece is taken off.
    Lifts(usize),
    Button,
    Press(Color),
    Undo,
    Answers(usize),
    No,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => (0..64_usize, 0..64_usize).prop_map(|(from, to)| Deed::Moves(from, to)),
        3 => (0..40_usize).prop_map(Deed::Acts),
        3 => Just(Deed::Restores),
        1 => (0..64_usize).prop_map(Deed::Lifts),
        5 => Just(Deed::Button),
        1 => prop_oneof![Just(Color::White), Just(Color::Black)].prop_map(Deed::Press),
        1 => Just(Deed::Undo),
        1 => (1..4_usize).prop_map(Deed::Answers),
        1 => Just(Deed::No),
    ]
}

fn square(nth: usize) -> Square {
    Square::from_index(nth % 64).expect("a square")
}

/// An action that the rules allow now.
fn allowed(session: &Session, nth: usize) -> Option<Candidate> {
    let all = session.table().probe().candidates();
    let last = all.len().checked_sub(1)?;
    all.into_iter().nth(nth.min(last))
}

fn does(session: &mut Session, deed: &Deed, now: Instant) {
    let shown = session.watch().seen().expect("a board");
    let board = match *deed {
        Deed::Moves(from, to) => {
            let mut board = shown;
            (board[square(to)], board[square(from)]) = (board[square(from)], None);
            Some(board)
        }
        Deed::Acts(nth) => allowed(session, nth).map(|next| next.after),
        Deed::Restores => Some(session.table().physical()),
        Deed::Lifts(from) => {
            let mut board = shown;
            board[square(from)] = None;
            Some(board)
        }
        _ => None,
    };
    match *deed {
        Deed::Button => button(session, now),
        Deed::Press(by) => session.board(&BoardEvent::Observed(Observation::Press(by)), now),
        Deed::Undo => drop(session.enter(Input::Common(Common::TAKE_BACK), now)),
        Deed::Answers(number) => drop(session.choose(number, now)),
        Deed::No => drop(session.no()),
        _ => {}
    }
    if let Some(board) = board {
        session.board(&whole(board), now);
    }
}

/// After all this, the board is put right, and an action is shown and pressed. Returns why it was not written.
fn is_deaf(session: &mut Session, deeds: &[(Deed, u64)], last: usize) -> Option<String> {
    let mut now = 1_000;
    let mut does_after = |session: &mut Session, wait: u64, deed: &Deed| {
        now += wait;
        session.pass(at(now));
        does(session, deed, at(now));
        now
    };
    for (deed, wait) in deeds {
        does_after(session, *wait, deed);
    }
    does_after(session, 3_000, &Deed::Restores);
    let then = does_after(session, 3_000, &Deed::No);
    if session.table().match_over() || session.table().mover().is_none() || session.table().clock().paused() {
        return None;
    }
    let wanted = allowed(session, last)?;
    session.board(&whole(wanted.after), at(then + 1_000));
    button(session, at(then + 2_500));
    session.pass(at(then + 18_000));
    // After much of this the table may ask, but then the answer is among those that it offers.
    if let Some(Question::Which(offered)) = session.question() {
        let right = offered.iter().position(|actions| actions.last() == Some(&wanted.action));
        let _ = right.map(|nth| session.choose(nth + 1, at(then + 18_000)));
    }
    let written = session.table().physical() == wanted.after;
    let waits: Vec<_> = session.watch().waiting_presses().collect();
    let said = told(session);
    (!written).then(|| format!("{waits:?}, {:?}: {said}", session.question()))
}

fn deeds() -> impl Strategy<Value = Vec<(Deed, u64)>> {
    proptest::collection::vec((deed(), 100..6_000_u64), 0..12)
}

proptest! {
    #[test]
    fn whatever_happened_before_a_move_that_is_shown_and_pressed_is_written(
        event in any::<bool>(),
        deeds in deeds(),
        last in 0..40_usize,
    ) {
        let mut session = running(if event { EVENT } else { CASUAL });
        prop_assert_eq!(is_deaf(&mut session, &deeds, last), None);
    }

    #[test]
    fn whatever_happened_before_a_placement_that_is_shown_and_pressed_is_written(
        deeds in deeds(),
        last in 0..40_usize,
    ) {
        let mut session = placing();
        enter(&mut session, r#""do":"reveal","by":"white","card":"P""#, 900).expect("a card");
        // Taking back takes the card along, and without it nothing may be placed.
        let deeds: Vec<_> = deeds.into_iter().filter(|(deed, _)| !matches!(deed, Deed::Undo)).collect();
        prop_assert_eq!(is_deaf(&mut session, &deeds, last), None);
    }
}
