//! Tests of presses of a physical clock: whose they are, wherever the clock stands, and that none is lost.

use tabiya_boards::{BoardEvent, ClockTimes, Side};
use tabiya_engine::record::Header;
use tabiya_engine::rules::GAMES;
use tabiya_engine::table::{Author, Common, Input};
use tabiya_types::{Board, Color, Millis, Observation};

use super::super::Session;
use super::{at, carried_on, moved, whole};
use tabiya_engine::clock::ClockSide;

/// A session of chess with five minutes for each player and these additional terms.
pub(super) fn chess(terms: &str) -> Session {
    let header = format!(
        r#"{{"tabiya":1,"game":"chess","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"time":"300"{terms}}}}}"#
    );
    Session::new(Header::parse(&header, GAMES).expect("a header"), None, None)
}

pub(super) const EVENT: &str = r#","voice":"event""#;

/// The press of a side of the clock, as drivers report it.
fn press(side: Side) -> BoardEvent {
    BoardEvent::Observed(Observation::Press(side.color()))
}

fn lever(up: Side) -> BoardEvent {
    let shown = Millis::from_secs(300);
    BoardEvent::ClockTimes(ClockTimes {
        left: shown,
        right: shown,
        running: None,
        to_move: Some(up),
        fallen: None,
        battery_low: false,
    })
}

/// Lets these things happen, each at its moment, with the time between them.
fn happen(session: &mut Session, events: &[(u64, BoardEvent)]) {
    for (millis, event) in events {
        session.pass(at(*millis));
        session.board(event, at(*millis));
    }
    let last = events.last().map_or(0, |(millis, _)| *millis);
    session.pass(at(last + 3_000));
}

fn told(session: &mut Session) -> String {
    session.take_said().into_iter().map(|said| said.text.to_string()).collect::<Vec<_>>().join("\n")
}

/// The moves of the record that count.
fn moves(session: &Session) -> Vec<String> {
    let inputs = session.table().counted_inputs();
    inputs
        .filter_map(|(_, input)| match input {
            Input::Game(action) => Some(action.describe().to_string()),
            Input::Common(_) => None,
        })
        .collect()
}

/// How much time each side has used at this moment.
pub(super) fn used(session: &Session, millis: u64) -> [u64; 2] {
    [Color::White, Color::Black].map(|color| {
        let left = session.watch().clock_shown(at(millis)).reading(color, at(millis)).expect("a clock");
        300_000 - left.0
    })
}

fn start() -> Board {
    chess("").table().physical()
}

/// The boards after 1. e4, 1... e5, 2. Nf3 and 2... Nc6.
fn played() -> [BoardEvent; 4] {
    let e4 = moved(start(), "e2", "e4");
    let e5 = moved(e4, "e7", "e5");
    let nf3 = moved(e5, "g1", "f3");
    [whole(e4), whole(e5), whole(nf3), whole(moved(nf3, "b8", "c6"))]
}

#[test]
fn whoever_presses_at_the_start_is_black() {
    for terms in ["", EVENT] {
        let mut session = chess(terms);
        let [e4, e5, nf3, nc6] = played();
        let events = [
            (0, whole(start())),
            (1_000, press(Side::Left)),
            (4_000, e4),
            (5_000, press(Side::Right)),
            (8_000, e5),
            (9_000, press(Side::Left)),
            (10_000, nf3),
            (10_500, press(Side::Right)),
            (12_000, nc6),
            (12_500, press(Side::Left)),
        ];
        happen(&mut session, &events);
        let said = told(&mut session);
        assert_eq!(said.matches("White's lever is on the right of the clock").count(), 1, "{said}");
        assert!(!said.contains("illegal") && !said.contains("forgot"), "{said}");
        assert_eq!((moves(&session).len(), used(&session, 12_500)), (4, [5_500, 6_000]), "{said}");
        let marked: Vec<String> = session
            .lines()
            .iter()
            .map(ToString::to_string)
            .filter(|line| line.contains("x-clock-side"))
            .collect();
        assert!(
            matches!(marked.as_slice(), [line] if line.contains(r#""x-clock-side":"right""#)),
            "{marked:?}"
        );
        // It is still known after a restart.
        assert_eq!(carried_on(&session, 16_000).clock_side(), ClockSide::WhiteRight);
    }
}

#[test]
fn a_clock_that_stands_as_usual_is_not_spoken_of() {
    let mut session = chess(EVENT);
    let [e4, e5, ..] = played();
    let events = [
        (0, whole(start())),
        (1_000, press(Side::Right)),
        (4_000, e4),
        (5_000, press(Side::Left)),
        (8_000, e5),
        (9_000, press(Side::Right)),
    ];
    happen(&mut session, &events);
    let said = told(&mut session);
    assert!(!said.contains("lever") && !said.contains("illegal"), "{said}");
    assert_eq!(used(&session, 9_000), [4_000, 4_000]);
    assert!(!session.lines().iter().any(|line| line.to_string().contains("x-clock-side")));
}

#[test]
fn a_board_that_is_late_shows_whose_the_first_press_was() {
    let mut session = chess(EVENT);
    let [e4, e5, ..] = played();
    let events = [
        (0, whole(start())),
        (1_000, press(Side::Left)),
        (1_200, e4),
        (4_000, e5),
        (4_500, press(Side::Right)),
    ];
    happen(&mut session, &events);
    assert_eq!((session.clock_side(), moves(&session).len()), (ClockSide::WhiteLeft, 2));
    assert_eq!(used(&session, 4_500)[1], 3_500);
}

#[test]
fn two_presses_that_contradict_the_board_are_put_right() {
    for terms in ["", EVENT] {
        let mut session = chess(terms);
        let [e4, e5, nf3, _] = played();
        // Nobody starts the clock. White, at its right, moves and presses.
        let events = [
            (0, whole(start())),
            (1_000, e4),
            (2_000, press(Side::Right)),
            (5_000, e5),
            (6_000, press(Side::Left)),
            (9_000, nf3),
            (9_500, press(Side::Right)),
        ];
        happen(&mut session, &events);
        let said = told(&mut session);
        assert_eq!(said.matches("White's lever is on the right").count(), 1, "{said}");
        assert!(!said.contains("illegal") && !said.contains("forgot"), "{said}");
        // White's time runs from the moment at which the clock's side was certain.
        assert_eq!((moves(&session).len(), used(&session, 9_500)), (3, [3_200, 4_000]), "{said}");
        // The record says the same when it is read again.
        assert_eq!(used(&carried_on(&session, 12_500), 12_500), used(&session, 12_500));
    }
}

#[test]
fn in_mid_game_one_press_that_contradicts_the_board_is_enough_while_nothing_is_known() {
    for terms in ["", EVENT] {
        let mut session = chess(terms);
        let [e4, e5, ..] = played();
        session.board(&whole(start()), at(0));
        session.enter(Input::Common(Common::Press(Color::Black)), at(500)).expect("it starts the clock");
        let events = [(3_000, e4), (4_000, press(Side::Right)), (7_000, e5), (8_000, press(Side::Left))];
        happen(&mut session, &events);
        let said = told(&mut session);
        assert!(said.contains("White's lever is on the right") && !said.contains("illegal"), "{said}");
        assert_eq!(used(&session, 8_000), [3_500, 4_000], "{said}");
    }
}

#[test]
fn what_people_say_is_not_guessed_and_can_be_put_right_later() {
    let mut session = chess(EVENT);
    let [e4, e5, nf3, _] = played();
    session.tell_clock_side(Some(ClockSide::WhiteLeft), at(0));
    let events = [
        (0, whole(start())),
        (1_000, e4),
        (2_000, press(Side::Right)),
        (5_000, e5),
        (6_000, press(Side::Left)),
    ];
    happen(&mut session, &events);
    let said = told(&mut session);
    assert_eq!(session.clock_side(), ClockSide::WhiteLeft);
    assert!(said.contains("`clock-side` exchanges its sides") && !said.contains("illegal"), "{said}");
    session.exchange_clock_sides(at(9_500));
    let events = [(10_000, nf3), (10_500, press(Side::Right))];
    happen(&mut session, &events);
    let said = told(&mut session);
    assert_eq!((session.clock_side(), moves(&session).len()), (ClockSide::WhiteRight, 3), "{said}");
    assert_eq!(session.table().mover(), Some(Color::Black));
}

#[test]
fn a_clock_is_turned_with_its_board_and_may_stand_the_other_way_round_beside_it() {
    for (sides, seat) in [
        ([Side::Left, Side::Right], ClockSide::WhiteRight),
        ([Side::Right, Side::Left], ClockSide::WhiteLeft),
    ] {
        let mut session = chess(EVENT);
        let [black, white] = sides;
        let e4 = moved(start(), "e2", "e4").rotated();
        let events =
            [(0, whole(start().rotated())), (1_000, press(black)), (4_000, whole(e4)), (5_000, press(white))];
        happen(&mut session, &events);
        assert_eq!((session.clock_side(), used(&session, 5_000)), (seat, [4_000, 0]));
        assert_eq!(told(&mut session).contains("lever"), seat == ClockSide::WhiteLeft);
    }
}

fn lost() -> BoardEvent {
    BoardEvent::Lost(tabiya_boards::link::LinkError::Missing { port: "a port".to_owned() })
}

#[test]
fn a_press_while_the_link_was_away_ends_the_turn_when_it_is_back() {
    for terms in ["", EVENT] {
        let mut session = chess(terms);
        let [e4, e5, nf3, _] = played();
        let events = [
            (0, whole(start())),
            (500, lever(Side::Right)),
            (1_000, press(Side::Right)),
            (4_000, e4),
            (5_000, press(Side::Left)),
            (5_000, lever(Side::Right)),
            (6_000, lost()),
            (10_000, e5),
            (10_000, BoardEvent::Back),
            (10_200, lever(Side::Left)),
            (13_000, nf3),
            (14_000, press(Side::Left)),
        ];
        happen(&mut session, &events);
        let said = told(&mut session);
        assert!(said.contains("Black pressed the clock while its link was away"), "{said}");
        assert!(!said.contains("forgot") && !said.contains("illegal"), "{said}");
        assert_eq!((moves(&session).len(), used(&session, 14_000)), (3, [7_800, 5_200]), "{said}");
    }
}

#[test]
fn a_lever_that_was_moved_in_a_gap_although_nothing_was_played_is_told() {
    let mut session = chess(EVENT);
    let [e4, ..] = played();
    let events = [
        (0, whole(start())),
        (500, lever(Side::Right)),
        (1_000, press(Side::Right)),
        (4_000, e4.clone()),
        (5_000, press(Side::Left)),
        (6_000, lost()),
        (10_000, e4),
        (10_000, BoardEvent::Back),
        (10_200, lever(Side::Left)),
    ];
    happen(&mut session, &events);
    let said = told(&mut session);
    assert!(said.contains("the board shows no move") && !said.contains("illegal"), "{said}");
    assert_eq!(session.table().mover(), Some(Color::Black));
}

#[test]
fn a_press_before_a_match_is_carried_on_ends_the_turn_when_the_clocks_go_on() {
    let mut session = chess("");
    let [e4, e5, ..] = played();
    let events = [(0, whole(start())), (1_000, press(Side::Right)), (4_000, e4), (5_000, press(Side::Left))];
    happen(&mut session, &events);
    let mut session = carried_on(&session, 9_000);
    happen(&mut session, &[(10_000, e5), (10_100, lever(Side::Left))]);
    session.enter(Input::Common(Common::Resume(Author::Arbiter)), at(14_000)).expect("it is paused");
    session.pass(at(15_000));
    assert_eq!(
        (session.table().mover(), moves(&session).len()),
        (Some(Color::White), 2),
        "{}",
        told(&mut session)
    );
}

/// The lines of a session's record that are presses which waited.
fn buttons(session: &Session) -> usize {
    session.lines().iter().filter(|line| line.to_string().contains(r#""do":"button""#)).count()
}

#[test]
fn a_press_that_waits_while_the_match_is_carried_on_is_no_second_press() {
    for terms in ["", EVENT] {
        let mut session = chess(terms);
        let [e4, ..] = played();
        let BoardEvent::Observed(Observation::Whole(after)) = &e4 else { panic!("a board") };
        // The black pawn takes the white one from the front, which is illegal.
        let wrong = whole(moved(*after, "e7", "e4"));
        let events = [
            (0, whole(start())),
            (1_000, press(Side::Right)),
            (4_000, e4),
            (5_000, press(Side::Left)),
            (8_000, wrong.clone()),
            (9_000, press(Side::Right)),
        ];
        happen(&mut session, &events);
        assert_eq!(buttons(&session), 1);
        for again in 1..=2 {
            let now = 20_000 * again;
            session = carried_on(&session, now);
            happen(&mut session, &[(now + 100, wrong.clone()), (now + 200, lever(Side::Left))]);
            let resume = Input::Common(Common::Resume(Author::Arbiter));
            session.enter(resume, at(now + 5_000)).expect("it is paused");
            session.pass(at(now + 9_000));
            let said = told(&mut session);
            assert!(!said.contains("link was away") && !said.contains("pressed again"), "{said}");
            assert!(!said.contains("illegal move number 2"), "{said}");
            assert_eq!(buttons(&session), 1, "{said}");
        }
    }
}

#[test]
fn one_illegal_press_counts_once_however_often_the_match_is_carried_on() {
    let mut session = chess(EVENT);
    let [e4, ..] = played();
    let BoardEvent::Observed(Observation::Whole(after)) = &e4 else { panic!("a board") };
    let wrong = moved(*after, "e7", "e4");
    let events = [
        (0, whole(start())),
        (1_000, press(Side::Right)),
        (4_000, e4),
        (5_000, press(Side::Left)),
        (8_000, whole(wrong)),
        (9_000, press(Side::Right)),
    ];
    happen(&mut session, &events);
    assert!(told(&mut session).contains("Black's illegal move number 1"));
    for again in 1..=3 {
        let now = 20_000 * again;
        session.leave(at(now)).expect("the pause is written");
        session = carried_on(&session, now);
        happen(&mut session, &[(now + 100, whole(wrong)), (now + 200, lever(Side::Left))]);
        session.enter(Input::Common(Common::Resume(Author::Arbiter)), at(now + 5_000)).expect("it is paused");
        // A second press of the same move, as it was written before it was known how the lever stood.
        session.board(&press(Side::Right), at(now + 6_000));
        session.pass(at(now + 9_000));
        let said = told(&mut session);
        assert!(!said.contains("number 2"), "{said}");
    }
    let marks = session.lines().iter().filter(|line| line.to_string().contains("x-illegal")).count();
    assert_eq!(marks, 1);
}

#[test]
fn an_illegal_press_after_a_typed_illegal_move_counts_after_a_restart_too() {
    let mut session = chess(EVENT);
    let [e4, ..] = played();
    let BoardEvent::Observed(Observation::Whole(after)) = &e4 else { panic!("a board") };
    let wrong = moved(*after, "e7", "e4");
    let events = [(0, whole(start())), (1_000, press(Side::Right)), (4_000, e4), (5_000, press(Side::Left))];
    happen(&mut session, &events);
    let typed = super::enter(&mut session, r#""do":"move","by":"black","uci":"e8e6""#, 8_500);
    typed.expect_err("it is illegal");
    session = carried_on(&session, 9_000);
    session.enter(Input::Common(Common::Resume(Author::Arbiter)), at(10_000)).expect("it is paused");
    let events = [(10_100, lever(Side::Right)), (11_000, whole(wrong)), (12_000, press(Side::Right))];
    happen(&mut session, &events);
    let said = told(&mut session);
    assert!(said.contains("Black's illegal move number 2"), "{said}");
}

#[test]
fn a_clock_that_people_start_with_its_button_runs_for_white() {
    let mut session = chess("");
    let times = |running: Option<Side>| {
        let BoardEvent::ClockTimes(times) = lever(Side::Right) else { panic!("times") };
        BoardEvent::ClockTimes(ClockTimes { running, ..times })
    };
    happen(&mut session, &[(0, whole(start())), (500, times(None)), (1_000, times(Some(Side::Right)))]);
    assert_eq!(session.clock_side(), ClockSide::WhiteRight);
}
