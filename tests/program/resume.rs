//! A table whose program is killed during a game, and which is then continued by a new process. Nothing that was
//! printed is lost. The clocks continue from the last saved moment. A press that waited for its explanation waits for
//! it again.
#![cfg(unix)]

use std::path::Path;
use std::time::Duration;

use crate::child::{Table, name, printed};
use crate::wait::{let_pass, wait_until};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;
use tabiya_boards::human::Profile;
use tabiya_boards::sim::ClockConfig;
use tabiya_boards::sim_host::{Script, SimHost, SimOptions};

/// How often a table with typed moves is killed.
const KILLS: u64 = 25;

fn report(record: &Path) -> Value {
    // A killed table leaves a write-ahead log beside the record, which is read together with it.
    serde_json::from_str(&printed(&["replay", name(record), "--json"], 0)).unwrap()
}

fn moves(report: &Value) -> Vec<String> {
    let moves = report["games"][0]["moves"].as_array().unwrap();
    moves.iter().map(|uci| uci.as_str().unwrap().to_owned()).collect()
}

fn play<'a>(record: &'a str, more: &[&'a str]) -> Table {
    let arguments = ["play", "--headless", "--plain", "--game", "chess", "--record", record];
    let time = if more.contains(&"--carry-on") { &[][..] } else { &["--time", "600"] };
    Table::start(&[&arguments[..], time, more].concat())
}

/// Moves of pawns, and then of knights out and back, so that the game does not end by itself.
fn typed() -> impl Iterator<Item = &'static str> {
    ["a2a3", "h7h6", "a3a4", "h6h5", "b2b3", "g7g6", "b3b4", "g6g5", "c2c3", "f7f6", "c3c4", "f6f5"]
        .into_iter()
        .chain(["b1c3", "g8f6", "c3b1", "f6g8", "g1h3", "b8a6", "h3g1", "a6b8"].into_iter().cycle())
}

#[test]
fn whatever_was_printed_is_there_after_a_kill_at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(0x0c4a_54ed);
    let mut interrupted = 0;
    for kill in 0..KILLS {
        let record = folder.path().join(format!("{kill}.tabiya"));
        let mut table = play(name(&record), &["--press", "auto"]);
        table.hear("make a move");
        for uci in typed().take(16) {
            table.enter(uci);
        }
        // Wait for a random number of moves, then for a random time.
        for _ in 0..chance.next_u32() % 12 {
            table.hear(" plays ");
        }
        let_pass(Duration::from_micros(u64::from(chance.next_u32() % 3_000)));
        let heard = table.kill();
        let printed: Vec<&str> = heard
            .iter()
            .filter(|line| line.contains(" plays "))
            .filter_map(|line| line.split(" plays ").nth(1)?.split(' ').next())
            .collect();

        let before = report(&record);
        let kept = moves(&before);
        assert!(kept.len() >= printed.len(), "kill {kill}: {printed:?} was printed, {kept:?} was kept");
        assert_eq!(kept[..printed.len()], printed[..], "kill {kill}");
        if kept.is_empty() {
            continue;
        }
        interrupted += 1;
        let mut table = play(name(&record), &["--carry-on"]);
        table.hear("carried on after an interruption");
        let next = typed().nth(kept.len()).unwrap();
        table.enter_and_hear(next, "paused");
        table.enter_and_hear("resume", "resumed");
        table.enter_and_hear(next, " plays ");
        let (status, heard, errors) = table.quit();
        assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
        assert_eq!(moves(&report(&record)).len(), kept.len() + 1);
        printed_head_verifies(&record, &heard);
    }
    assert!(interrupted > KILLS / 2, "only {interrupted} games had begun when they were killed");
}

fn printed_head_verifies(record: &Path, heard: &[String]) {
    let line = heard.iter().find(|line| line.starts_with("record: ")).unwrap();
    printed(&["verify", name(record), "--head", line.rsplit(' ').next().unwrap()], 0);
}

#[test]
fn clocks_stand_at_the_last_saved_moment_and_are_paused() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.tabiya");
    let mut table = play(name(&record), &[]);
    table.hear("make a move");
    table.enter_and_hear("e2e4", "plays");
    let began = std::time::Instant::now();
    table.enter_and_hear("press white", "> Black");
    // Wait until Black's clock shows 9:57: Black has then used more than two seconds. The program saves the clocks
    // each second.
    wait_until(|| {
        let shown = table.enter_and_hear("show", ">Black ");
        if shown.contains("Black 9:57") { Ok(()) } else { Err(shown) }
    });
    table.kill();
    let ran = u64::try_from(began.elapsed().as_millis()).unwrap();

    let mut table = play(name(&record), &["--carry-on"]);
    table.hear("carried on after an interruption");
    let (_, _, _) = table.quit();
    let report = report(&record);
    // White pressed at once, perhaps within the millisecond of his move.
    let white = report["clock_ms"]["white"].as_u64().unwrap();
    assert!((599_000..=600_000).contains(&white), "{white} ms");
    let used = 600_000 - report["clock_ms"]["black"].as_u64().unwrap();
    assert!((1_000..=ran).contains(&used), "{used} ms used, but the clock ran for {ran} ms at most");
    // The clocks have been paused since the restart, so neither player has lost any time since then.
    let mut table = play(name(&record), &["--carry-on"]);
    table.enter_and_hear("show", "Black 9:5");
    table.enter_and_hear("resume", "resumed");
    table.enter_and_hear("e7e5", "Black plays");
    assert_eq!(table.quit().0.code(), Some(0));
}

fn board(link: &Path) -> SimHost {
    let mut options = SimOptions {
        link: Some(link.to_owned()),
        profile: Profile::CLEAN,
        stdin: false,
        ..SimOptions::default()
    };
    options.setup.clock = Some(ClockConfig::default());
    SimHost::start(&options, |_| {}).unwrap()
}

fn order(host: &SimHost, line: &str) {
    host.order(Script::parse(line).unwrap().unwrap());
}

#[test]
fn a_table_with_a_board_goes_on_with_what_the_board_shows() {
    let folder = tempfile::tempdir().unwrap();
    let (link, record) = (folder.path().join("board"), folder.path().join("game.tabiya"));
    let host = board(&link);
    let address = format!("dgt:{}", name(&link));
    let mut table = play(name(&record), &["--board", &address]);
    table.hear("connected");
    order(&host, "move e2e4 white presses");
    table.hear("White plays e2e4");
    table.heard_by_now("a clock is connected", 1);
    // Black presses before his piece is on its square, so the press waits.
    for line in ["lift e7", "wait 400", "press black"] {
        order(&host, line);
    }
    table.hear("no legal action explains the position on the board");
    table.kill();
    let lines = printed(&["export", name(&record)], 0);
    assert!(lines.lines().last().unwrap().contains("button"), "{lines}");

    let mut table = play(name(&record), &["--board", &address, "--carry-on"]);
    table.hear("carried on after an interruption");
    table.enter_and_hear("resume", "resumed");
    order(&host, "put e5 p");
    table.hear("Black plays e7e5");
    order(&host, "move g1f3 white presses");
    table.hear("White plays g1f3");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    let report = report(&record);
    assert_eq!(moves(&report), ["e2e4", "e7e5", "g1f3"]);
    // The turn ended at the press, before the crash. So Black has used no time after the press.
    let lines = printed(&["export", name(&record)], 0);
    let moved = lines.lines().find(|line| line.contains("\"uci\":\"e7e5\"")).unwrap();
    assert!(moved.contains("\"when\""), "{moved}");
}

#[test]
fn what_was_put_right_while_nothing_ran_is_understood_after_resume() {
    let folder = tempfile::tempdir().unwrap();
    let (link, record) = (folder.path().join("board"), folder.path().join("game.tabiya"));
    let host = board(&link);
    let address = format!("dgt:{}", name(&link));
    let mut table = play(name(&record), &["--board", &address]);
    table.hear("connected");
    order(&host, "move e2e4 white presses");
    table.hear("White plays e2e4");
    table.heard_by_now("a clock is connected", 1);
    for line in ["lift e7", "wait 400", "press black"] {
        order(&host, line);
    }
    table.hear("no legal action explains the position on the board");
    table.kill();
    // The pawn is put down while no program runs and the game is paused.
    order(&host, "put e5 p");
    host.settle().unwrap();
    let mut table = play(name(&record), &["--board", &address, "--carry-on"]);
    table.hear("carried on after an interruption");
    table.enter_and_hear("resume", "resumed");
    table.hear("Black plays e7e5");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    assert_eq!(moves(&report(&record)), ["e2e4", "e7e5"]);
}

#[test]
fn a_match_that_stopped_before_its_first_act_is_carried_on_and_is_not_over() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.tabiya");
    let begin = ["play", "--plain", "--record", name(&record)];
    let mut table = Table::start(&begin);
    table.hear("deal");
    table.kill();
    let mut table = Table::start(&[&begin[..], &["--carry-on"]].concat());
    table.hear("carried on where it stopped");
    table.enter_and_hear("deal", "the cards are dealt");
    assert_eq!(table.quit().0.code(), Some(0));
    assert_eq!(printed(&["export", name(&record)], 0).lines().count(), 2);
}
