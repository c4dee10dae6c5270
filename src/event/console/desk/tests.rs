//! The desk of a console with two simulated tables, over real links.
#![allow(clippy::disallowed_methods, reason = "what travels over a real port is waited for in real time")]

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Instant as RealInstant;

use tabiya_store::keys::Keyring;

use super::super::{ConsoleSettings, EventDates, EventFolder, OpenEvent, start};
use super::*;
use crate::simulate::{HallPlan, begin, prepare};

fn date() -> (String, u64) {
    ("2026-11-29T12:00:00Z".to_owned(), 1_800_000_000_000)
}

/// Looks at the desk until this holds.
fn until(
    desk: &mut ConsoleDesk,
    news: &mut UnboundedReceiver<ConsoleNews>,
    holds: impl Fn(&HallView) -> bool,
) -> HallView {
    let began = RealInstant::now();
    loop {
        while let Ok(news) = news.try_recv() {
            desk.hear(&news);
        }
        let view = desk.view();
        if holds(&view) {
            return view;
        }
        assert!(began.elapsed() < Duration::from_mins(1), "{view:#?}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

#[test]
fn all_tables_are_seen_one_is_chosen_and_all_are_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let (today, unix_ms) = date();
    let now = EventDates { date: &today, unix_ms };
    let event_folder =
        EventFolder::find(Some(&folder.path().join("event")), folder.path(), "").expect("named");
    let keys = Keyring::in_folder(&folder.path().join("keys"));
    let mut event =
        OpenEvent::make(&event_folder, ("Club open", "desk-1"), &keys, &now).expect("a new event");
    let plan = HallPlan { tables: 2, seed: 1, speed: 1, drill: None };
    let files = prepare(&mut event, &plan, "").expect("prepared tables");
    let bind = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
    let settings = ConsoleSettings { bind, announces: false, phones: None, date };
    let (console, mut news) = start(event, &settings).expect("it runs");
    let listens = console.listens;
    let mut desk = ConsoleDesk::new(console, "Rossi");
    let seen = desk.view();
    assert!(seen.rows.iter().all(|row| row.link == RowLink::Never), "nothing is heard yet: {:?}", seen.rows);
    let hall = begin(&plan, &files, (listens, &folder.path().join("tables"))).expect("they run");
    let runs = |row: &HallRow| row.link == RowLink::Here && row.runs() && row.clock.is_some();
    until(&mut desk, &mut news, |view| view.rows.len() == 2 && view.rows.iter().all(runs));
    desk.wish(HallWish::Choose(Some(2)));
    let view = until(&mut desk, &mut news, |view| {
        view.chosen.as_ref().is_some_and(|chosen| chosen.view.is_some() && !chosen.story.is_empty())
    });
    assert_eq!(view.chosen.map(|chosen| chosen.table), Some(2));
    desk.wish(HallWish::Order(1, "nonsense".to_owned()));
    assert!(desk.view().told.last().is_some_and(|told| told.failed), "what is not understood is told");
    desk.wish(HallWish::Order(1, "rule illegal white 0 the move was legal".to_owned()));
    let done =
        |view: &HallView| view.told.iter().any(|told| told.says.to_string().contains("was legal` is done"));
    until(&mut desk, &mut news, done);
    desk.wish(HallWish::StopAll);
    let asked = desk.view().question.expect("it is asked");
    assert_eq!(asked.table, None);
    desk.wish(HallWish::Answer(asked.number, false));
    assert_eq!(desk.view().question, None);
    desk.wish(HallWish::StopAll);
    let newer = desk.view().question.expect("it is asked again");
    desk.wish(HallWish::Answer(asked.number, true));
    assert_eq!(
        desk.view().question,
        Some(newer.clone()),
        "a late yes to the older question is none to this one"
    );
    desk.wish(HallWish::Answer(newer.number, true));
    until(&mut desk, &mut news, |view| view.rows.iter().all(HallRow::is_stopped));
    desk.wish(HallWish::Order(2, "rule winner A late".to_owned()));
    let asked = desk.view().question.expect("what decides is asked");
    assert_eq!(asked.table, Some(2));
    desk.wish(HallWish::Answer(asked.number, true));
    let view = until(&mut desk, &mut news, |view| view.row(2).is_some_and(|row| !row.runs()));
    let result = view.row(2).and_then(|row| row.playing.as_ref()?.result);
    assert!(result.is_some_and(|result| result.winner.is_some()), "{result:?}");
    drop(hall);
}
