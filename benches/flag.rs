//! Measures how late the program notices a fallen flag, and how late the screens show it.
//!
//! A desk runs on its own thread with real time, as it does for the window. Each flag falls 40 ms after the clock is
//! set. The benchmark measures two delays: until the program notices the flag, and until the fall of the flag is saved
//! in the record and shown. The clock's reading and the time in the record are exact in any case. Goals for noticing: 1
//! ms on an idle machine, 20 ms with every core busy.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant as RealInstant};

use support::{Sample, head, rounds, row};
use tabiya_app::desk::{Desk, Environment, NewMatch, Running, Wish, start};
use tabiya_app::time::RealTime;
use tabiya_engine::rules::Group;
use tabiya_engine::table::{Common, Ruling};
use tabiya_types::{BySeat, Color, Instant, Millis, Seat, Timeline as _};

/// The time on the clock when a measurement begins.
const LEFT: Millis = Millis(40);

fn main() {
    let idle = (noticed(rounds(150)), flags(rounds(150)));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let busy = Arc::new(AtomicBool::new(true));
    let load: Vec<_> = (0..2 * cores)
        .map(|_| {
            let busy = busy.clone();
            std::thread::spawn(move || while busy.load(Ordering::Relaxed) {})
        })
        .collect();
    let loaded = (noticed(rounds(150)), flags(rounds(150)));
    busy.store(false, Ordering::Relaxed);
    for thread in load {
        drop(thread.join());
    }
    for (title, (noticed, seen), goal) in [
        ("a flag on an idle machine", idle, "goal 1000"),
        ("a flag with two busy threads on each core", loaded, "goal 20000"),
    ] {
        head(title);
        row("until the loop notices it", &noticed, goal);
        row("until it is durable and the screens have it", &seen, "");
    }
}

/// Measures how late a loop notices that a deadline has passed. The loop waits for the deadline in the same way as the
/// live table and the desk do.
fn noticed(times: usize) -> Sample {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let once = || {
        let timeline = RealTime::starting_at(Instant::ZERO);
        let begun = RealInstant::now();
        let due = Instant::ZERO + LEFT;
        runtime.block_on(async {
            while timeline.now() < due {
                if !timeline.nap_until(due) {
                    tokio::time::sleep(timeline.roughly_until(due)).await;
                }
            }
        });
        begun.elapsed().saturating_sub(Duration::from_millis(LEFT.0))
    };
    (0..times).map(|_| once()).collect()
}

/// Measures `times` times how late the desk saves and shows the fall of a flag. Each time there is a new match, which
/// is a clock without a game.
fn flags(times: usize) -> Sample {
    let folder = support::folder_on_disk();
    let around = Environment {
        date: Box::new(|| Ok("2026-10-03T19:30:00+02:00".to_owned())),
        coin: Box::new(|| Ok(Seat::A)),
        chance: Box::new(|_| Err("no chance is needed here".to_owned())),
        evenings: folder.path().to_owned(),
        settings: folder.path().join("settings.json"),
        documents: None,
        home: None,
        locale: String::new(),
        features: &[],
    };
    let (news, heard) = std::sync::mpsc::channel();
    let mut desk = start(Desk::new(around, None), None, move || {
        // After the last measurement the receiver has been dropped, so sending fails. This error is ignored.
        let _ = news.send(());
    })
    .expect("a thread for the desk");
    let zero = zero(&desk);
    let sample = (0..times).map(|_| one_flag(&desk, zero, &heard)).collect();
    desk.end();
    sample
}

/// Returns the exact real time at which the desk's time was 0. The desk's time has only whole milliseconds, so this
/// function waits until the next millisecond begins.
fn zero(desk: &Running) -> RealInstant {
    let before = desk.now();
    loop {
        let (now, real) = (desk.now(), RealInstant::now());
        if now != before {
            return real.checked_sub(Duration::from_millis(now.millis())).expect("not long after the start");
        }
    }
}

fn one_flag(desk: &Running, zero: RealInstant, heard: &Receiver<()>) -> Duration {
    let terms = Group::new().with("time", "60");
    let players = BySeat { a: "A".to_owned(), b: "B".to_owned() };
    let new = NewMatch::usual("clock", players, Seat::A, terms);
    desk.wish(Wish::Begin(Box::new(new)));
    let mut ruling = Ruling::because("a benchmark");
    ruling.clock_ms.white = Some(LEFT.0);
    desk.wish(Wish::Do(vec![Common::Press(Color::Black).into()]));
    desk.wish(Wish::Do(vec![ruling.into()]));
    loop {
        heard.recv_timeout(Duration::from_secs(10)).expect("news from the desk");
        let now = RealInstant::now();
        let snapshot = desk.snapshot();
        let Some(view) = &snapshot.table else { continue };
        // The second line is the ruling that sets the clock. The flag falls 40 ms after this line.
        if view.clock.flag() == Some(Color::White)
            && let Some(ruled) = snapshot.moments.get(1)
        {
            let due = snapshot.time.base + ruled.at.since(snapshot.time.at) + LEFT;
            return now.saturating_duration_since(zero + Duration::from_millis(due.millis()));
        }
    }
}
