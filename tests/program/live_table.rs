//! A live table in real time: the program as a child process, a simulated board on a real pseudo-terminal or TCP
//! port, typed lines and moved pieces.
#![cfg(unix)]

use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::child::{Table, name, printed};
use serde_json::Value;
use tabiya_boards::human::{Profile, Span};
use tabiya_boards::sim::ClockConfig;
use tabiya_boards::sim_host::{Script, SimHost, SimOptions};
use tabiya_types::Millis;

/// Simulated hands that make no mistakes and move pieces fast.
const QUICK: Profile =
    Profile { carry: Span::new(60, 120), press_after: Span::new(250, 300), ..Profile::CLEAN };

/// A simulated board on a pseudo-terminal with the path `link`. Without `link`, the board is at a TCP port.
fn board(link: Option<&Path>, setup: &str) -> SimHost {
    board_with(link, setup, ClockConfig::default(), |_| {})
}

/// A board like that of [`board`], but with this clock. `say` receives what the simulator prints.
fn board_with(
    link: Option<&Path>,
    setup: &str,
    clock: ClockConfig,
    say: impl FnMut(&str) + Send + 'static,
) -> SimHost {
    let mut options = SimOptions {
        link: link.map(Path::to_owned),
        tcp: link.is_none().then(|| "127.0.0.1:0".to_owned()),
        profile: QUICK,
        stdin: false,
        ..SimOptions::default()
    };
    options.setup.clock = Some(clock);
    let host = SimHost::start(&options, say).unwrap();
    order(&host, setup);
    host.settle().unwrap();
    host
}

/// Lets the simulator carry out a line of a script.
fn order(host: &SimHost, line: &str) {
    host.order(Script::parse(line).unwrap().unwrap());
}

fn report(record: &Path) -> Value {
    serde_json::from_str(&printed(&["replay", name(record), "--json"], 0)).unwrap()
}

fn moves(report: &Value) -> Vec<&str> {
    report["games"][0]["moves"].as_array().unwrap().iter().map(|uci| uci.as_str().unwrap()).collect()
}

#[test]
fn chess_on_a_board_is_recorded_and_goes_on_after_the_plug_was_out() {
    let folder = tempfile::tempdir().unwrap();
    let (link, record) = (folder.path().join("board"), folder.path().join("game.tabiya"));
    let host = board(Some(&link), "setup start");
    let address = format!("dgt:{}", name(&link));
    let mut table = Table::start(&[
        "play",
        "--headless",
        "--plain",
        "--game",
        "chess",
        "--time",
        "300",
        "--board",
        &address,
        "--record",
        name(&record),
    ]);
    table.hear("connected: DGT board");
    for (move_by, told) in [
        ("move e2e4 white presses", "White plays e2e4"),
        ("move e7e5 black presses", "Black plays e7e5"),
        ("move g1f3 white presses", "White plays g1f3"),
    ] {
        order(&host, move_by);
        table.hear(told);
    }
    // The board is unplugged. Black moves meanwhile, and presses when the board is back.
    order(&host, "unplug 700");
    table.hear("the board is gone");
    order(&host, "move b8c6");
    table.hear("the board is back");
    table.heard_by_now("a clock is connected", 2);
    order(&host, "press black");
    table.hear("Black plays b8c6");
    // The board is unplugged again. White's press is lost meanwhile, and the table infers it from Black's press.
    order(&host, "unplug 700");
    table.hear("the board is gone");
    order(&host, "move f1b5 white presses");
    table.hear("the board is back");
    table.heard_by_now("a clock is connected", 3);
    order(&host, "move g8f6 black presses");
    table.hear("White plays f1b5");
    table.hear("Black plays g8f6");
    table.enter_and_hear("Black fidgets", "is not understood");
    table.enter("resign black");
    table.enter_and_hear("yes", "A wins by resignation");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    let report = report(&record);
    assert_eq!(moves(&report), ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6"]);
    assert_eq!(report["games"][0]["outcome"]["reason"], "resignation");
    assert_eq!(report["violations"], Value::Array(Vec::new()), "{heard:?}");
}

/// The arguments for a table of Choker with this board.
fn choker<'a>(address: &'a str, record: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let usual =
        ["play", "--headless", "--plain", "--time", "120 s", "--board", address, "--record", name(record)];
    [&usual, more].concat()
}

#[test]
fn a_set_is_counted_on_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.tabiya");
    // Black's rook and a pawn of White are lost.
    let host = board(None, "setup start");
    for lost in ["lift h8", "lift h2"] {
        order(&host, lost);
    }
    host.settle().unwrap();
    let address = format!("dgt:tcp:{}", host.address().unwrap());
    let mut table = Table::start(&choker(&address, &record, &["--set", "board"]));
    table.hear("White's set: K1 Q1 R2 B2 N2 P7");
    table.hear("Black's set: K1 Q1 R1 B2 N2 P8");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    let header = printed(&["export", name(&record), "--format", "jsonl"], 0);
    let header: Value = serde_json::from_str(header.lines().next().unwrap()).unwrap();
    assert_eq!(header["terms"]["sets"]["white"], "KQRRBBNNPPPPPPP");
    assert_eq!(header["terms"]["sets"]["black"], "KQRBBNNPPPPPPPP");
}

#[test]
fn at_a_terminal_the_set_is_asked_for_and_counted_on_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.tabiya");
    let host = board(None, "setup start");
    let address = format!("dgt:tcp:{}", host.address().unwrap());
    let mut table = Table::at_a_terminal(&choker(&address, &record, &["--language", "de", "--no-empress"]));
    // What cannot be used is asked again. In German a D is a queen.
    table.enter("Pferd");
    table.hear(
        "`Pferd` ist kein Figurensatz; die Figuren eines Spielers angeben, zum Beispiel D1 T2 L2 S2 B8",
    );
    table.enter("board");
    table.hear("Figurensatz von Schwarz: K1 D1 T2 L2 S2 B8");
    table.hear("TTBBB bräuchte einen dritten Turm; Becket kann vereinbart werden");
    table.enter("ja");
    table.hear("Becket für dieses Match vereinbaren?");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    let header = printed(&["export", name(&record), "--format", "jsonl"], 0);
    let header: Value = serde_json::from_str(header.lines().next().unwrap()).unwrap();
    assert_eq!(header["terms"]["sets"]["black"], "KQRRBBNNPPPPPPPP");
    assert_eq!(header["terms"]["becket"], true);
}

#[test]
fn a_set_cannot_be_counted_without_a_board() {
    let done = crate::child::tabiya(&["play", "--headless", "--plain", "--set", "board"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(crate::child::text(&done.stderr).contains("no connected board knows its pieces"));
}

#[test]
fn a_board_behind_a_tcp_port_is_a_board() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.tabiya");
    let host = board(None, "setup start");
    let address = format!("dgt:tcp:{}", host.address().unwrap());
    let mut table = Table::start(&[
        "play",
        "--headless",
        "--plain",
        "--game",
        "chess",
        "--time",
        "300+2",
        "--press",
        "auto",
        "--board",
        &address,
        "--record",
        name(&record),
    ]);
    table.hear("connected: DGT board");
    order(&host, "move d2d4");
    table.hear("White plays d2d4");
    order(&host, "move d7d5");
    table.hear("Black plays d7d5");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    let report = report(&record);
    assert_eq!(moves(&report), ["d2d4", "d7d5"]);
    let clocks = &report["clock_ms"];
    assert!(clocks["white"].as_u64().unwrap() > 290_000, "{clocks}");
}

/// Both players hold a queen, a rook, a bishop and two pawns. All pieces are placed as dealt. With a knight in place of
/// one pawn, the rule Palace would turn the other pawn into a queen.
#[test]
fn a_game_of_choker_with_typed_cards_and_pieces_on_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let (link, record) = (folder.path().join("board"), folder.path().join("game.tabiya"));
    let host = board(Some(&link), "setup choker");
    let address = format!("dgt:{}", name(&link));
    let mut table = Table::start(&[
        "play",
        "--headless",
        "--plain",
        "--time",
        "120s",
        "--games",
        "1",
        "--players",
        "Ann,Bo",
        "--board",
        &address,
        "--record",
        name(&record),
    ]);
    table.hear("connected: DGT board");
    // Wait until the clock is found: before that, a movement of the lever does not count as a press.
    table.hear("a clock is connected");
    table.enter_and_hear("deal", "the cards are dealt");
    table.enter_and_hear("raise 6", "White raises to 6");
    table.enter_and_hear("call", "Black calls");
    for _ in 0..2 {
        table.enter_and_hear("deal", "the cards are dealt");
        let order = if table.heard.iter().filter(|line| line.contains("are dealt")).count() == 2 {
            ["Black checks", "White checks"]
        } else {
            ["White checks", "Black checks"]
        };
        for told in order {
            table.enter_and_hear("check", told);
        }
    }
    let cards = [
        ("Q", "put d1 Q", "put d8 q"),
        ("R", "put a1 R", "put h8 r"),
        ("B", "put c1 B", "put c8 b"),
        ("P", "put d2 P", "put d7 p"),
        ("P", "put c3 P", "put f6 p"),
    ];
    for (card, white, black) in cards {
        for (side, put) in [("white", white), ("black", black)] {
            table.enter_and_hear(card, "over");
            order(&host, put);
            order(&host, &format!("press {side}"));
            table.hear("places a");
        }
    }
    order(&host, "move c3c4 white presses");
    table.hear("White plays c3c4");
    order(&host, "move f6f5 black presses");
    table.hear("Black plays f6f5");
    table.enter("resign");
    table.enter_and_hear("yes", "the match is over: Ann has 194 chips, Bo has 206");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    let report = report(&record);
    assert_eq!(moves(&report), ["c3c4", "f6f5"]);
    assert_eq!(report["games"][0]["hands"]["white"]["pieces"], "QRBPP");
    assert_eq!(report["games"][0]["start_fen"], "2bqk2r/3pp3/5p2/8/8/2P5/3PP3/R1BQK3 w Qk - 0 1");
}

#[test]
fn a_board_that_is_set_up_wrongly_is_put_right_square_by_square() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("board");
    let host = board(Some(&link), "setup start");
    order(&host, "lift d1");
    order(&host, "put a4 Q");
    host.settle().unwrap();
    let address = format!("dgt:{}", name(&link));
    let mut table = Table::start(&[
        "play",
        "--headless",
        "--plain",
        "--game",
        "chess",
        "--time",
        "60s",
        "--board",
        &address,
    ]);
    let told = table.hear("set the board up");
    assert!(
        told.contains("take the white queen off a4") && told.contains("put the white queen on d1"),
        "{told}"
    );
    let held = table.enter_and_hear("press black", "the board is not ready");
    assert!(held.contains("a4"), "{held}");
    order(&host, "lift a4");
    let told = table.hear("set the board up");
    assert!(told.contains("put the white queen on d1") && !told.contains("a4"), "{told}");
    order(&host, "put d1 Q");
    table.hear("the board is set up correctly");
    table.enter_and_hear("press black", "> White");
    order(&host, &format!("wait {}", Millis(50).0));
    order(&host, "move e2e4 white presses");
    table.hear("White plays e2e4");
    assert_eq!(table.quit().0.code(), Some(0));
}

/// A simulated board replays a record, and a table watches the board.
#[test]
fn a_record_is_played_again_on_the_simulated_board() {
    let folder = tempfile::tempdir().unwrap();
    let (link, record) = (folder.path().join("board"), folder.path().join("again.tabiya"));
    let played = folder.path().join("played.jsonl");
    let uci = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5"];
    let mut lines =
        vec![r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A"}"#.to_owned()];
    for (nth, uci) in uci.iter().enumerate() {
        let (t, by) = (1000 * (nth + 1), if nth % 2 == 0 { "white" } else { "black" });
        lines.push(format!(r#"{{"t":{t},"do":"move","by":"{by}","uci":"{uci}"}}"#));
        lines.push(format!(r#"{{"t":{t},"do":"press","by":"{by}"}}"#));
    }
    std::fs::write(&played, lines.join("\n")).unwrap();
    let mut host = Table::start(&[
        "sim",
        "dgt",
        "--link",
        name(&link),
        "--profile",
        "clean",
        "--record",
        name(&played),
        "--fast",
    ]);
    host.hear("the board is at");
    let address = format!("dgt:{}", name(&link));
    let mut table = Table::start(&[
        "play",
        "--headless",
        "--plain",
        "--game",
        "chess",
        "--time",
        "300",
        "--board",
        &address,
        "--record",
        name(&record),
    ]);
    for uci in uci {
        table.hear(&format!("plays {uci}"));
    }
    assert_eq!(table.quit().0.code(), Some(0));
    assert_eq!(host.quit().0.code(), Some(0));
    assert_eq!(moves(&report(&record)), uci);
}

/// At an event the players see no more than the Laws allow.
#[test]
fn at_an_event_the_arbiter_is_told_of_illegal_moves_and_their_penalty() {
    let mut table = Table::start(&[
        "play",
        "--headless",
        "--plain",
        "--game",
        "chess",
        "--time",
        "300",
        "--voice",
        "event",
        "--players",
        "Ann,Bo",
    ]);
    table.enter_and_hear("e2e4", "White plays e2e4");
    table.enter_and_hear("press white", "> Black");
    let first = table.enter_and_hear("e8e6", "illegal move number 1");
    assert!(
        first.starts_with("arbiter: Black's") && first.contains("`rule clock white +60 illegal move`"),
        "{first}"
    );
    let why = table.hear("e8");
    assert!(why.starts_with("arbiter: "), "{why}");
    table.enter_and_hear("rule clock white +60 illegal move", "the arbiter rules: illegal move");
    table.enter_and_hear("show", "White 6:0");
    let second = table.enter_and_hear("a8a4", "illegal move number 2");
    assert!(second.contains("`rule winner A second illegal move`"), "{second}");
    table.enter_and_hear("rule winner A second illegal move", "Ann wins by ruling");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
}

#[test]
fn a_proposed_ruling_has_its_reason_in_the_language_of_the_arbiter() {
    for (language, line, ruled) in [
        ("de", "rule clock white +60 regelwidriger Zug", "der Schiedsrichter entscheidet: regelwidriger Zug"),
        ("es", "rule clock white +60 jugada ilegal", "el árbitro decide: jugada ilegal"),
    ] {
        let event = ["play", "--headless", "--plain", "--game", "chess", "--time", "300", "--voice", "event"];
        let mut table = Table::start(&[&event[..], &["--language", language]].concat());
        table.enter_and_hear("e2e4", "e2e4");
        table.enter("press white");
        table.enter_and_hear("e8e6", &format!("`{line}`"));
        table.enter_and_hear(line, ruled);
        assert_eq!(table.quit().0.code(), Some(0));
    }
}

#[test]
fn the_clock_behind_the_board_is_set_runs_and_tells_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("board");
    let said = Arc::new(Mutex::new(String::new()));
    let heard = said.clone();
    let say = move |text: &str| heard.lock().unwrap().push_str(text);
    let host = board_with(Some(&link), "setup start", ClockConfig::default(), say);
    // Waits until the simulated clock shows this.
    let shows = |wanted: &str| {
        crate::wait::wait_until(|| {
            said.lock().unwrap().clear();
            order(&host, "show");
            host.settle().unwrap();
            let now = said.lock().unwrap().clone();
            if now.contains(wanted) { Ok(()) } else { Err(format!("`{wanted}` in\n{now}")) }
        });
    };
    let address = format!("dgt:{}", name(&link));
    let mut table = Table::start(&[
        "play",
        "--headless",
        "--plain",
        "--game",
        "chess",
        "--time",
        "900",
        "--board",
        &address,
    ]);
    table.hear("a clock is connected");
    shows("clock: 15:00  15:00");
    table.enter("press black");
    shows("clock: >14:");
    table.enter_and_hear("rule clock black 600 a late start", "a late start");
    shows("  10:00");
    table.enter("pause");
    shows("clock: 14:");
    table.enter("resume");
    table.enter("resign white");
    table.enter("yes");
    shows("shows \"0-1\"");
    assert!(table.quit().0.success());
}

#[test]
fn a_clock_that_counts_by_itself_is_the_master_live_and_in_its_capture() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let link = file("board");
    let (time, bonus) = (Millis::from_secs(100), Millis::from_secs(2));
    let by_itself = ClockConfig { mode: 1, time, bonus, ..ClockConfig::default() };
    let host = board_with(Some(&link), "setup start", by_itself, |_| {});
    let address = format!("dgt:{}", name(&link));
    let (live, capture, played) = (file("live.tabiya"), file("board.capture"), file("played.tabiya"));
    // The terms say 180 s, but the physical clock is set to 100 s, and its times count.
    let terms = ["play", "--headless", "--plain", "--game", "chess", "--time", "180+2"];
    let mut arguments = terms.to_vec();
    arguments.extend(["--clock", "device", "--board", &address]);
    arguments.extend(["--record", name(&live), "--capture", name(&capture)]);
    let mut table = Table::start(&arguments);
    table.hear("a clock is connected");
    order(&host, "clock run");
    order(&host, "move e2e4 white presses");
    table.hear("White plays e2e4");
    order(&host, "move e7e5 black presses");
    table.hear("Black plays e7e5");
    assert!(table.quit().0.success());
    drop(host);

    let source = format!("capture:{}", name(&capture));
    let mut arguments = terms.to_vec();
    arguments.extend(["--board", &source, "--record", name(&played)]);
    printed(&arguments, 0);
    for record in [&live, &played] {
        let report = report(record);
        assert_eq!(moves(&report), ["e2e4", "e7e5"]);
        for side in ["white", "black"] {
            let left = report["clock_ms"][side].as_u64().unwrap();
            assert!((85_000..=104_000).contains(&left), "{side}: {left} in {}", record.display());
        }
        let text = printed(&["export", name(record), "--format", "jsonl"], 0);
        assert!(text.contains("\"clock\":\"device\"") && text.contains("\"do\":\"clock-reads\""), "{text}");
    }
}
