//! Tests of a match with a physical clock: the commands to the clock, and the inputs that follow from its reports.

use tabiya_boards::brand::{Abilities, Sees};
use tabiya_boards::driver::BoardCommand;
use tabiya_boards::makers::diy::MAKER;
use tabiya_boards::{
    BoardEvent, BoardInfo, ClockButton, ClockInfo, ClockKind, ClockRefusal, ClockSetting, ClockTask,
    ClockTimes, Side,
};
use tabiya_engine::record::{Body, Header, Line};
use tabiya_engine::rules::GAMES;
use tabiya_types::{Color, Instant, Millis};

use super::super::Session;

/// A session of chess with five minutes for each player and these additional terms.
fn chess(terms: &str) -> Session {
    let header = format!(
        r#"{{"tabiya":1,"game":"chess","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"time":"300"{terms}}}}}"#
    );
    Session::new(Header::parse(&header, GAMES).expect("a header"), None, None)
}

fn at(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

fn enter(session: &mut Session, fields: &str, millis: u64) {
    let line = Line::parse(&format!(r#"{{"t":0,{fields}}}"#), session.replay().header()).expect("a line");
    let Body::Acted(input) = line.body else { panic!("{fields} acts on nothing") };
    session.enter(&input, at(millis)).expect("accepted");
}

fn told(session: &mut Session) -> String {
    session.take_said().into_iter().map(|said| said.text.to_string()).collect::<Vec<_>>().join("\n")
}

/// The record's lines that contain the times of a physical clock.
fn reads(session: &Session) -> Vec<String> {
    session.lines().iter().map(ToString::to_string).filter(|line| line.contains("clock-reads")).collect()
}

fn found(kind: ClockKind) -> BoardEvent {
    BoardEvent::ClockFound(ClockInfo { kind, version: Some((2, 0)) })
}

fn times(left: u64, right: u64, running: Option<Side>, fallen: Option<Side>) -> BoardEvent {
    BoardEvent::ClockTimes(ClockTimes {
        left: Millis::from_secs(left),
        right: Millis::from_secs(right),
        running,
        to_move: running,
        fallen,
        battery_low: false,
    })
}

fn set_to(left: u64, right: u64, running: Option<Side>) -> BoardCommand {
    BoardCommand::SetClock(ClockSetting { left: Millis(left), right: Millis(right), running })
}

#[test]
fn the_physical_clock_is_set_when_it_would_show_something_else_and_only_then() {
    let mut session = chess("");
    session.board(&found(ClockKind::Dgt3000), at(0));
    let full = 300_000;
    assert_eq!(session.board_orders(at(0)), [set_to(full, full, None)]);
    enter(&mut session, r#""do":"press","by":"black""#, 1_000);
    assert_eq!(session.board_orders(at(1_000)), [set_to(full, full, Some(Side::Left))]);
    for now in [2_000, 5_000, 20_000] {
        assert_eq!(session.board_orders(at(now)), [], "it runs by itself");
    }
    enter(
        &mut session,
        r#""do":"rule","by":"arbiter","reason":"r","set":{"clock_ms":{"black":360000}}"#,
        21_000,
    );
    assert_eq!(session.board_orders(at(21_000)), [set_to(full - 20_000, 360_000, Some(Side::Left))]);
    enter(&mut session, r#""do":"pause","by":"arbiter""#, 22_000);
    assert_eq!(session.board_orders(at(22_000)), [set_to(full - 21_000, 360_000, None)]);
    // Somebody presses the start/stop button of the clock, which resumes the game.
    session.board(&BoardEvent::ClockButton(ClockButton::Run), at(30_000));
    assert_eq!(session.board_orders(at(30_000)), [set_to(full - 21_000, 360_000, Some(Side::Left))]);
}

#[test]
fn a_clock_that_cannot_be_set_is_told_once_and_left_alone() {
    let mut session = chess("");
    session.board(&found(ClockKind::Dgt3000), at(0));
    assert_eq!(session.board_orders(at(0)).len(), 1);
    told(&mut session);
    let refused = BoardEvent::ClockRefused { task: ClockTask::SetAndRun, why: ClockRefusal::WrongMode };
    session.board(&refused, at(500));
    assert!(told(&mut session).contains("25 on a DGT 3000"));
    enter(&mut session, r#""do":"press","by":"black""#, 1_000);
    assert_eq!(session.board_orders(at(1_000)), []);
    // After a reconnection the clock may be another one, so it is set again.
    session.board(&BoardEvent::ClockGone, at(2_000));
    session.board(&found(ClockKind::Xl), at(3_000));
    assert_eq!(session.board_orders(at(3_000)).len(), 1);
}

#[test]
fn the_clocks_display_tells_the_pot_whose_placement_it_is_a_changed_piece_and_the_result() {
    let header = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":100,"B":100},"small_blind":1,"time":"120"}}"#;
    let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
    session.board(&found(ClockKind::Dgt3000), at(0));
    let shown = |session: &mut Session, now: u64| -> Vec<BoardCommand> {
        session
            .board_orders(at(now))
            .into_iter()
            .filter(|order| !matches!(order, BoardCommand::SetClock(_)))
            .collect()
    };
    let show = |text: &str| vec![BoardCommand::Show(text.to_owned())];
    assert_eq!(shown(&mut session, 0), []);
    let deal = |session: &mut Session| enter(session, r#""do":"deal""#, 100);
    let bet = |session: &mut Session, by: &str, action: &str| {
        enter(session, &format!(r#""do":"bet","by":"{by}","action":"{action}""#), 100);
    };
    deal(&mut session);
    assert_eq!(shown(&mut session, 100), show("POT    3"));
    bet(&mut session, "white", "call");
    bet(&mut session, "black", "check");
    assert_eq!(shown(&mut session, 100), show("POT    4"));
    deal(&mut session);
    bet(&mut session, "black", "check");
    bet(&mut session, "white", "check");
    deal(&mut session);
    bet(&mut session, "white", "check");
    bet(&mut session, "black", "check");
    assert_eq!(shown(&mut session, 200), show("PLACE W"));
    enter(&mut session, r#""do":"press","by":"black""#, 1_000);
    assert_eq!(shown(&mut session, 1_000), [BoardCommand::EndDisplay]);
    enter(&mut session, r#""do":"reveal","by":"white","card":"P""#, 2_000);
    enter(&mut session, r#""do":"place","by":"white","piece":"Q","at":"d1","says":"promoted""#, 3_000);
    assert_eq!(shown(&mut session, 3_000), show("PROMOTED"));
    assert_eq!(session.deadline(), Some(at(6_000)));
    session.time(at(6_000));
    assert_eq!(shown(&mut session, 6_000), [BoardCommand::EndDisplay]);
    enter(&mut session, r#""do":"resign","by":"white""#, 7_000);
    assert_eq!(shown(&mut session, 7_000), show("0-1"));
}

#[test]
fn the_clocks_display_counts_the_time_for_a_bet_down() {
    let header = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":100,"B":100},"small_blind":1,"time":"120","bet_ms":20000}}"#;
    let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
    session.board(&found(ClockKind::Dgt3000), at(0));
    session.board_orders(at(0));
    let show = |text: &str| [BoardCommand::Show(text.to_owned())];
    enter(&mut session, r#""do":"deal""#, 1_000);
    assert_eq!(session.board_orders(at(1_000)), show("BET W 20"));
    assert_eq!(session.deadline(), Some(at(2_000)), "the moment at which the displayed second changes");
    assert_eq!(session.board_orders(at(1_999)), [], "the same second");
    session.time(at(2_000));
    assert_eq!(session.board_orders(at(2_000)), show("BET W 19"));
    enter(&mut session, r#""do":"pause","by":"arbiter""#, 2_500);
    assert_eq!(session.board_orders(at(9_000)), [], "it stands during a pause");
    enter(&mut session, r#""do":"resume","by":"arbiter""#, 10_000);
    session.time(at(20_500));
    assert_eq!(session.board_orders(at(20_500)), show("BET W  8"));
    enter(&mut session, r#""do":"bet","by":"white","action":"call""#, 21_000);
    assert_eq!(session.board_orders(at(21_000)), show("BET B 20"));
    // Six characters on a DGT XL.
    session.board(&found(ClockKind::Xl), at(31_500));
    assert!(session.board_orders(at(31_500)).contains(&BoardCommand::Show("B   10".to_owned())));
}

#[test]
fn a_display_without_a_clock_shows_the_pot_the_times_and_the_result() {
    let header = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":100,"B":100},"small_blind":1,"time":"120"}}"#;
    let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
    let show = |text: &str| vec![BoardCommand::Show(text.to_owned())];
    // A box that reports no display gets no command.
    let mut info = BoardInfo::new(MAKER.brand());
    info.abilities = Abilities { sees: Sees::Nothing, display: false, ..info.abilities };
    session.beside(&BoardEvent::Identified(info.clone()), at(0));
    assert_eq!(session.box_orders(at(0)), []);
    info.abilities.display = true;
    session.beside(&BoardEvent::Identified(info), at(0));
    assert_eq!(session.box_orders(at(0)), show("2:00 2:00"));
    enter(&mut session, r#""do":"deal""#, 100);
    assert_eq!(session.box_orders(at(100)), show("POT    3"));
    for (by, action) in [("white", "call"), ("black", "check")] {
        enter(&mut session, &format!(r#""do":"bet","by":"{by}","action":"{action}""#), 100);
    }
    for first in ["black", "white"] {
        enter(&mut session, r#""do":"deal""#, 100);
        let other = if first == "black" { "white" } else { "black" };
        for by in [first, other] {
            enter(&mut session, &format!(r#""do":"bet","by":"{by}","action":"check""#), 100);
        }
    }
    assert_eq!(session.box_orders(at(200)), show("PLACE W"));
    enter(&mut session, r#""do":"press","by":"black""#, 1_000);
    assert_eq!(session.box_orders(at(1_000)), show("2:00 2:00"));
    assert_eq!(session.box_orders(at(1_900)), [], "the same second");
    // The next deadline is the moment at which the displayed second changes.
    assert_eq!(session.deadline(), Some(at(2_000)));
    session.time(at(2_000));
    assert_eq!(session.box_orders(at(2_000)), show("1:59 2:00"));
    // The board has no display, so it gets no text.
    assert_eq!(
        session.board_orders(at(2_000)).iter().filter(|order| matches!(order, BoardCommand::Show(_))).count(),
        0
    );
    enter(&mut session, r#""do":"resign","by":"white""#, 7_000);
    assert_eq!(session.box_orders(at(7_000)), show("0-1"));
}

/// A session of chess with this time control. A box with a display of eight digits shows the times.
fn times_shown(time: &str) -> Session {
    let header = format!(
        r#"{{"tabiya":1,"game":"chess","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"time":"{time}"}}}}"#
    );
    let mut session = Session::new(Header::parse(&header, GAMES).expect("a header"), None, None);
    let info = BoardInfo {
        abilities: Abilities { display: true, ..MAKER.abilities() },
        ..BoardInfo::new(MAKER.brand())
    };
    session.beside(&BoardEvent::Identified(info), at(0));
    session
}

#[test]
fn both_times_fit_eight_digits_whatever_was_agreed() {
    let shown = [
        ("59", "0:59 0:59"),
        ("599", "9:59 9:59"),
        ("600", "10:0010:00"),
        ("3599", "59:5959:59"),
        ("3600", "1:00 1:00"),
        ("5400", "1:30 1:30"),
        ("5459", "1:30 1:30"),
        ("36000", "10:0010:00"),
        ("9999999", "99:5999:59"),
    ];
    for (time, text) in shown {
        assert_eq!(times_shown(time).box_orders(at(0)), [BoardCommand::Show(text.to_owned())], "{time}");
        assert!(text.replace(':', "").len() <= 8, "{text}");
    }
    let mut session = times_shown("600");
    enter(&mut session, r#""do":"press","by":"black""#, 1_000);
    assert_eq!(session.box_orders(at(1_000)), [BoardCommand::Show("10:0010:00".to_owned())]);
    session.time(at(2_000));
    assert_eq!(session.box_orders(at(2_000)), [BoardCommand::Show("9:59 10:00".to_owned())]);
}

#[test]
fn where_the_physical_clock_counts_its_times_are_in_the_record() {
    let mut session = chess(r#","clock":"device""#);
    session.board(&found(ClockKind::Dgt3000), at(0));
    enter(&mut session, r#""do":"press","by":"black""#, 1_000);
    assert_eq!(session.board_orders(at(1_000)), [], "it is the master");
    session.board(&times(300, 300, None, None), at(1_500));
    assert!(reads(&session).is_empty(), "a clock that has never run is only lying there");
    session.board(&times(299, 300, Some(Side::Left), None), at(2_000));
    session.board(&times(298, 300, Some(Side::Left), None), at(3_000));
    assert_eq!(reads(&session).len(), 1, "once for the turn; then what the table knows anyway");
    // Somebody changed the times on the clock itself.
    session.board(&times(120, 100, Some(Side::Left), None), at(4_000));
    assert_eq!(session.table().reading(Color::White, at(5_000)), Some(Millis(119_000)));
    session.board(&times(118, 100, None, None), at(6_000));
    assert!(session.table().clock().paused(), "it was stopped");
    session.board(&times(118, 100, Some(Side::Left), None), at(60_000));
    assert!(!session.table().clock().paused());
    session.board(&times(0, 100, None, Some(Side::Left)), at(170_000));
    assert_eq!(session.table().clock().flag(), Some(Color::White));
    let reads = reads(&session);
    assert!(reads[1].contains(r#""white":120000,"black":100000"#), "{reads:?}");
}
