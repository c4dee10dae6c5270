//! Floods: the simulator of every maker sends reports without end, over a real channel. The table still takes what people
//! type, no move appears that nobody made, and the program's memory stays bounded.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tabiya_boards::maker::Maker;
use tabiya_boards::makers::CATALOG;
use tabiya_boards::sim_host::{ScriptCommand, SimHost, SimOptions};
use tabiya_types::Board;

use crate::child::{Table, name, printed};
use crate::faults::moves;
use crate::tries::{report, tries};
use crate::wait::let_pass;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
/// So many pieces are lifted and put back before the board is waited for.
const TOGETHER: usize = 512;
/// How long each flood lasts in seconds, unless `TABIYA_FLOOD_SECONDS` says another time.
const SECONDS: u64 = 2;
/// By so much the program's memory may grow in a flood, in KiB. The seconds before it are the measure.
const GROWTH: u64 = 32 << 10;

/// The most memory that a process has had, in KiB.
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Floods a table with the reports of this maker's board. Returns how many reports of squares the board was made to send,
/// and by how many KiB the program grew.
fn flood(maker: Maker, folder: &Path) -> (u64, u64) {
    let (link, record) = (folder.join(maker.prefix()), folder.join(format!("{}.tabiya", maker.prefix())));
    let options = SimOptions { maker, link: Some(link.clone()), stdin: false, ..SimOptions::default() };
    let host = SimHost::start(&options, |_| {}).unwrap();
    let unit = host.unit().map_or(String::new(), |unit| format!("#{unit}"));
    let address = format!("{}:{}{unit}", maker.prefix(), name(&link));
    let play = ["play", "--headless", "--plain", "--game", "chess", "--time", "300", "--board", &address];
    let mut table = Table::start(&[&play[..], &["--record", name(&record)]].concat());
    // A board that shows its squares only to programs with a key floods with what it does show.
    table.hear_one_of(&["connected: ", "developer key"]);
    table.enter_and_hear("e4", "White plays e2e4");
    let before = peak(table.process());
    let (going, sent) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicU64::new(0)));
    let thread = {
        let (going, sent) = (Arc::clone(&going), Arc::clone(&sent));
        let start: Vec<_> = START.parse::<Board>().unwrap().pieces().collect();
        std::thread::spawn(move || {
            while going.load(Ordering::Relaxed) {
                for (square, piece) in start.iter().copied().cycle().take(TOGETHER) {
                    host.order(ScriptCommand::Lift(square));
                    host.order(ScriptCommand::Put(square, piece));
                    sent.fetch_add(2, Ordering::Relaxed);
                }
                // The board answers once it has done all that.
                host.settle();
            }
        })
    };
    let span = Duration::from_secs(tries("TABIYA_FLOOD_SECONDS", SECONDS));
    let_pass(span / 2);
    table.enter("");
    table.enter_and_hear("e5", "Black plays e7e5");
    let_pass(span / 2);
    going.store(false, Ordering::Relaxed);
    let grown = peak(table.process()).saturating_sub(before);
    let (status, heard, errors) = table.quit();
    thread.join().unwrap();
    assert_eq!(status.code(), Some(0), "{maker:?}: {heard:?}\n{errors}");
    assert_eq!(moves(&record), 2, "{maker:?}: only what was typed was played");
    printed(&["verify", name(&record)], 0);
    (sent.load(Ordering::Relaxed), grown)
}

#[test]
fn a_flood_from_any_makers_board_stops_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let makers = CATALOG.iter().copied().filter(|maker| maker.transports().web.is_none());
    let mut floods = Vec::new();
    for maker in makers {
        let (sent, grown) = flood(maker, folder.path());
        assert!(grown < GROWTH, "{maker:?}: the program grew by {grown} KiB in a flood of {sent} reports");
        assert!(sent > 1_000, "{maker:?}: {sent} reports are no flood");
        floods.push((sent, grown));
    }
    let (sent, most) =
        (floods.iter().map(|flood| flood.0).sum::<u64>(), floods.iter().map(|flood| flood.1).max());
    report(&format!(
        "floods from the simulators of all makers | {} | {sent} changes of squares, 0 moves that nobody made, at most {} KiB more memory",
        floods.len(),
        most.unwrap_or(0)
    ));
}
