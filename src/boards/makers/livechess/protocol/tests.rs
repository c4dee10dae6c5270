//! Tests with the recording of a real session (MIT, andrescavallin/lichess-dgt-boards), and tests of cases that are
//! not in this recording.
#![allow(clippy::indexing_slicing, reason = "a test that looks for what is not there fails")]

use super::*;

/// The calls and answers in the recording of 27 April 2020, one on each line.
const RECORDED: &str = include_str!("../../../../../fixtures/livechess/session-2020-04-27.jsonl");

fn hear(protocol: &mut LiveChess, text: &str) -> Vec<Report> {
    let mut heard = Vec::new();
    protocol.hear(text.as_bytes(), &mut heard);
    heard
}

fn boards(heard: &[Report]) -> Vec<String> {
    heard
        .iter()
        .filter_map(|heard| match heard {
            Report::Board(board) => Some(board.to_string()),
            _ => None,
        })
        .collect()
}

fn answers(heard: &[Report]) -> Vec<Value> {
    heard
        .iter()
        .filter_map(|heard| match heard {
            Report::Answer(bytes) => serde_json::from_slice(bytes).ok(),
            _ => None,
        })
        .collect()
}

#[test]
fn the_recorded_session_is_followed_word_for_word() {
    let (calls, said): (Vec<&str>, Vec<&str>) =
        RECORDED.lines().partition(|line| line.contains("\"call\":\""));
    let calls: Vec<Value> = calls.iter().map(|call| serde_json::from_str(call).expect("JSON")).collect();
    let mut protocol = LiveChess::new(None);
    let greeting: Vec<Value> =
        protocol.greeting().iter().map(|bytes| serde_json::from_slice(bytes).expect("JSON")).collect();
    assert_eq!(greeting, calls[..1]);
    let heard: Vec<Report> = said.iter().flat_map(|line| hear(&mut protocol, line)).collect();
    assert_eq!(answers(&heard), calls[1..], "it subscribes as the recorded page did");
    let mut shown = boards(&heard);
    shown.dedup();
    assert_eq!(
        shown,
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR",
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPP1PPP/RNBQKBNR",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKB1R",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R",
            "r1bqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R",
        ]
    );
    assert!(
        heard.iter().any(|heard| matches!(heard, Report::Event(BoardEvent::Battery { percent: 84, .. })))
    );
}

/// Returns a list of boards with these serial numbers and states.
fn list(boards: &[(&str, &str)]) -> String {
    let board = |(serial, state): &(&str, &str)| json!({"serialnr": serial, "state": state, "board": null});
    let boards: Vec<Value> = boards.iter().map(board).collect();
    json!({"response": "call", "id": 1, "param": boards, "time": 0}).to_string()
}

fn wanted(heard: &[Report]) -> Vec<String> {
    heard
        .iter()
        .filter_map(|heard| match heard {
            Report::Event(BoardEvent::Wants(what)) => Some(what.to_string()),
            _ => None,
        })
        .collect()
}

#[test]
fn of_several_boards_the_named_one_is_taken_and_without_a_name_none() {
    let both = list(&[("1025", "ACTIVE"), ("23946", "ACTIVE")]);
    let mut unnamed = LiveChess::new(None);
    let heard = hear(&mut unnamed, &both);
    assert!(wanted(&heard)[0].contains("1025, 23946"), "{heard:?}");
    assert_eq!((answers(&heard).len(), wanted(&hear(&mut unnamed, &both)).len()), (0, 0), "it is said once");
    let mut named = LiveChess::new(Some("23946"));
    assert_eq!(answers(&hear(&mut named, &both))[0]["param"]["param"]["serialnr"], "23946");
    assert_eq!(answers(&hear(&mut named, &both)).len(), 0, "it is subscribed to once");
}

#[test]
fn a_board_that_is_not_there_is_wanted_and_waited_for() {
    let mut protocol = LiveChess::new(None);
    let heard = hear(&mut protocol, &list(&[("1025", "NOTRESPONDING")]));
    assert_eq!((wanted(&heard).len(), answers(&heard).len()), (1, 0));
    assert_eq!(answers(&hear(&mut protocol, &list(&[("1025", "ACTIVE")]))).len(), 1);
}

#[test]
fn a_clock_is_told_with_the_side_that_runs() {
    let mut protocol = LiveChess::new(None);
    let clock = json!({"white": 5676, "black": 7190, "run": true, "time": 0});
    let event = json!({"response": "feed", "id": 1, "param": {"serialnr": "1", "clock": clock}, "time": 0});
    let heard = hear(&mut protocol, &event.to_string());
    let times = heard.iter().find_map(|heard| match heard {
        Report::Event(BoardEvent::ClockTimes(times)) => Some(*times),
        _ => None,
    });
    let times = times.expect("a clock");
    assert_eq!(
        (times.left, times.right, times.running),
        (Millis(5_676_000), Millis(7_190_000), Some(Side::Left))
    );
}

/// What an event with this clock reports: presses by the colour of their usual side, and the times.
fn clock(
    protocol: &mut LiveChess,
    white: i64,
    black: i64,
    run: Option<bool>,
    read: u64,
) -> (Vec<String>, ClockTimes) {
    let clock = json!({"white": white, "black": black, "run": run, "time": read});
    let param = json!({"serialnr": "1", "clock": clock});
    let event = json!({"response": "feed", "id": 1, "param": param, "time": 100_000});
    let heard = hear(protocol, &event.to_string());
    let pressed = heard.iter().filter_map(|heard| match heard {
        Report::Event(BoardEvent::Observed(Observation::Press(by))) => Some(by.to_string()),
        _ => None,
    });
    let times = heard.iter().find_map(|heard| match heard {
        Report::Event(BoardEvent::ClockTimes(times)) => Some(*times),
        _ => None,
    });
    (pressed.collect(), times.expect("a clock"))
}

#[test]
fn another_side_that_runs_is_a_press_of_the_one_that_ran() {
    let mut protocol = LiveChess::new(None);
    let pressed = [
        // Stopped, started by Black, White's press, Black's press, stopped and started again, White's press.
        (None, 99_000),
        (Some(true), 99_100),
        (Some(false), 99_200),
        (Some(false), 99_250),
        (Some(true), 99_300),
        (None, 99_400),
        (Some(true), 99_500),
        (Some(false), 99_600),
    ]
    .map(|(run, read)| clock(&mut protocol, 300, 300, run, read).0.concat());
    assert_eq!(pressed, ["", "Black", "White", "", "Black", "", "", "White"]);
    let mut later = LiveChess::new(None);
    assert!(clock(&mut later, 300, 300, Some(true), 99_000).0.is_empty(), "it may have run for long");
    assert_eq!(clock(&mut later, 300, 300, Some(false), 99_100).0, ["White"]);
}

#[test]
fn times_count_from_the_moment_when_livechess_read_them_and_zero_is_a_flag() {
    let mut protocol = LiveChess::new(None);
    assert_eq!(clock(&mut protocol, 0, 0, None, 100_000).1.fallen, None, "nobody has set it yet");
    let mut protocol = LiveChess::new(None);
    let (_, late) = clock(&mut protocol, 300, 200, Some(false), 97_000);
    assert_eq!((late.left, late.right, late.to_move), (Millis(300_000), Millis(197_000), Some(Side::Right)));
    let (_, last) = clock(&mut protocol, 300, 2, Some(false), 97_000);
    assert_eq!((last.right, last.fallen), (Millis(1_000), None), "the flag has not fallen yet");
    let (_, fallen) = clock(&mut protocol, 300, -3, Some(false), 99_000);
    assert_eq!((fallen.right, fallen.fallen), (Millis::ZERO, Some(Side::Right)));
    let (_, both) = clock(&mut protocol, 0, -3, Some(false), 99_500);
    assert_eq!(both.fallen, Some(Side::Left), "the one that runs on fell last");
}

#[test]
fn what_is_no_message_is_damage_and_no_more() {
    let mut protocol = LiveChess::new(None);
    for text in
        ["", "{", "[]", "1", r#"{"response":7}"#, r#"{"response":"feed","id":1,"param":{"board":"9"}}"#]
    {
        let heard = hear(&mut protocol, text);
        assert!(matches!(heard.as_slice(), [Report::Damage(_)]), "{text}: {heard:?}");
    }
}
