//! The fixtures give the same results as when they were made: the records replay to the stored reports, and the chains
//! of hashes are intact. The boards' data alone (as evidence in the record, or as raw bytes) leads to the same games.

use std::fs;

use crate::support::fixtures::{Fixture, all, table};
use serde_json::{Map, Value};
use tabiya_app::Session;
use tabiya_boards::capture::{Capture, Direction};
use tabiya_boards::makers::dgt::codec::DgtDecoder;
use tabiya_engine::record::{Body, Header, Infer, Line, Replay, chain};
use tabiya_engine::rules::{Action, GAMES};
use tabiya_engine::table::{Evidence, Input};
use tabiya_types::Instant;

/// Sessions in which Tabiya misunderstood the board and people typed corrections. So the evidence alone does not give
/// the same game. In one session a press was forgotten; the other session is played without presses. The simulated
/// hands (profile `hostile`) paused in the middle of a move, for so long that the unfinished position counted as
/// settled.
const TYPED: [&str; 2] = ["choker-hostile", "choker-auto-hostile"];

fn replay(fixture: &Fixture) -> Replay {
    let (header, lines) = fixture.lines();
    let mut replay = Replay::begin(header, GAMES).expect("a fixture's header can be read");
    for (number, line) in lines {
        replay.feed(number, line).unwrap_or_else(|stop| panic!("{}:{number}: {stop}", fixture.name));
    }
    replay
}

#[test]
fn every_record_replays_to_its_stored_report() {
    for fixture in all("sessions").iter().chain(&all("records")) {
        let report = replay(fixture).report();
        let stored = fs::read_to_string(fixture.beside(".report.json"))
            .unwrap_or_else(|error| panic!("{}: {error}; fixtures/make.sh writes it", fixture.name));
        let stored: Value = serde_json::from_str(&stored).expect("a report is JSON");
        assert_eq!(report, stored, "{}", fixture.name);
    }
}

#[test]
fn every_session_stands_in_the_table_with_its_capture() {
    let names = |under| all(under).into_iter().map(|fixture| fixture.name).collect::<Vec<_>>();
    let mut listed: Vec<String> = table().into_iter().map(|(name, _)| name).collect();
    listed.sort();
    assert_eq!(names("sessions"), listed);
    assert_eq!(names("dgt"), listed);
}

#[test]
fn every_exported_chain_holds() {
    for fixture in all("sessions") {
        let lines = fixture.text.lines().zip(1..).map(|(line, number)| (number, line));
        let verified =
            chain::verify(lines, None).unwrap_or_else(|broken| panic!("{}: {broken}", fixture.name));
        assert_eq!(verified.marked, verified.entries, "{}: every line has its hash", fixture.name);
    }
}

#[test]
fn captures_of_calm_hands_hold_no_damage() {
    let calm = |arguments: &str| {
        ["clean", "casual"].iter().any(|name| arguments.contains(&format!("--profile {name} ")))
    };
    for (name, arguments) in table() {
        let capture = capture(&name);
        let mut decoder = DgtDecoder::new();
        let heard = capture.chunks.iter().filter(|chunk| chunk.direction == Direction::FromDevice);
        let damage: Vec<_> =
            heard.flat_map(|chunk| &chunk.bytes).filter_map(|byte| decoder.push(*byte)?.err()).collect();
        assert!(damage.is_empty() || !calm(&arguments), "{name}: {damage:?}");
    }
}

#[test]
fn evidence_alone_tells_the_same_games() {
    for fixture in all("sessions") {
        if TYPED.contains(&fixture.name.as_str()) {
            continue;
        }
        let (header, _) = fixture.lines();
        let mut infer = Infer::new(Header::parse(header, GAMES).expect("a header"));
        for (line, number) in evidence(&fixture).iter().zip(2..) {
            let told = infer.feed(number, line);
            assert!(told.is_ok(), "{}: {line}: {told:?}", fixture.name);
        }
        let inferred = infer.finish();
        same_games(&fixture, &replay(&fixture).report(), &inferred.replay.report());
    }
}

#[test]
fn the_board_s_bytes_tell_the_same_games() {
    for fixture in all("sessions") {
        if TYPED.contains(&fixture.name.as_str()) {
            continue;
        }
        let (header, _) = fixture.lines();
        let header = Header::parse(header, GAMES).expect("a header");
        let mut session = Session::new(header.clone(), None, None);
        let mut typed = typed(&fixture, &header).into_iter().peekable();
        let capture = capture(&fixture.name);
        for (at, event) in capture.play() {
            while let Some(line) = typed.next_if(|line| line.t < at) {
                enter(&fixture, &mut session, &line);
            }
            run_until(&mut session, at);
            session.board(&event, at);
        }
        for line in typed {
            enter(&fixture, &mut session, &line);
        }
        session.finish(session.last_t());
        same_games(&fixture, &replay(&fixture).report(), &session.replay().report());
    }
}

fn enter(fixture: &Fixture, session: &mut Session, line: &Line) {
    let Body::Acted(input) = &line.body else { return };
    run_until(session, line.t);
    session.enter(input, line.t).unwrap_or_else(|fault| panic!("{}: {line}: {fault}", fixture.name));
}

fn run_until(session: &mut Session, until: Instant) {
    while let Some(due) = session.deadline().filter(|due| *due <= until) {
        session.time(due);
    }
}

fn capture(name: &str) -> Capture {
    Capture::read(&crate::support::fixtures::folder().join(format!("dgt/{name}.jsonl"))).expect("a capture")
}

/// Compares the start positions, moves, results and chips of every game.
fn same_games(fixture: &Fixture, played: &Value, understood: &Value) {
    let games = |report: &Value| -> Vec<Map<String, Value>> {
        let games = report.get("games").and_then(Value::as_array).cloned().unwrap_or_default();
        let kept = ["white", "outcome", "contributed", "awarded", "hands", "start_fen", "moves"];
        games
            .iter()
            .filter_map(Value::as_object)
            .map(|game| {
                kept.iter().filter_map(|name| Some(((*name).to_owned(), game.get(*name)?.clone()))).collect()
            })
            .collect()
    };
    assert_eq!(games(played), games(understood), "{}", fixture.name);
}

/// Whether this line is an action that the board shows.
fn is_seen(line: &Line) -> bool {
    match &line.body {
        Body::Acted(Input::Game(Action::Own(own))) => own.changes_board(),
        Body::Acted(_) => matches!(verb(line).as_str(), "place" | "move"),
        Body::Evidence(_) => false,
    }
}

/// The lines of a record that a person typed, with their moments.
fn typed(fixture: &Fixture, header: &Header) -> Vec<Line> {
    let (_, lines) = fixture.lines();
    lines
        .map(|(_, text)| Line::parse(text, header).expect("a line"))
        .filter(|line| match &line.body {
            Body::Acted(_) => !is_seen(line) && !matches!(verb(line).as_str(), "press" | "undo" | "tick"),
            Body::Evidence(_) => false,
        })
        .collect()
}

fn verb(line: &Line) -> String {
    line.to_value().get("do").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A record without the inferred lines: what the board showed, who pressed the clock and when, and what people typed.
/// If the table understood a press only later, the press has the moment at which the button was pressed.
fn evidence(fixture: &Fixture) -> Vec<String> {
    let (header, lines) = fixture.lines();
    let header = Header::parse(header, GAMES).expect("a header");
    let lines: Vec<Line> = lines.map(|(_, text)| Line::parse(text, &header).expect("a line")).collect();
    let mut kept: Vec<Line> = Vec::new();
    for line in &lines {
        match (&line.body, verb(line).as_str()) {
            (_, "undo") => {}
            _ if is_seen(line) => {}
            // This press was first written as a `button` line, while it waited for its action. The `button` line is
            // kept, and from it the table infers the press again.
            (_, "press") if lines.iter().any(|other| waited_as(other, line)) => {}
            (Body::Evidence(Evidence::Button(_) | Evidence::Sees(_)), _) => kept.push(line.clone()),
            (Body::Acted(_), _) => {
                let mut line = line.clone();
                (line.t, line.when) = (line.moment(), None);
                kept.push(line);
            }
        }
    }
    kept.sort_by_key(|line| line.t);
    kept.iter().map(ToString::to_string).collect()
}

fn waited_as(other: &Line, press: &Line) -> bool {
    let by = |line: &Line| line.to_value().get("by").cloned();
    matches!(other.body, Body::Evidence(Evidence::Button(_)))
        && other.t == press.moment()
        && by(other) == by(press)
}
