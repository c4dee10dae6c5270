//! A front without a screen: a desk that runs on its own thread in a temporary folder. Tests send it wishes and wait
//! for its snapshots.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "several test files share this room, and each uses what it needs"
)]

use std::sync::Arc;

use tabiya_app::desk::{self, Desk, Environment, NewMatch, Running, Wish};
use tabiya_app::snapshot::Snapshot;
use tabiya_types::{BySeat, Seat};
use tempfile::TempDir;

use crate::wait::wait_until;

/// The desk and its folder.
pub struct Headless {
    desk: Running,
    folder: TempDir,
}

impl Headless {
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let surroundings = Environment {
            date: Box::new(|| Ok("2026-10-03T19:30:00+02:00".to_owned())),
            coin: Box::new(|| Ok(Seat::A)),
            chance: Box::new(|_| Err("no random numbers are needed here".to_owned())),
            evenings: folder.path().join("evenings"),
            settings: folder.path().join("settings.json"),
            documents: None,
            home: None,
            locale: "en".to_owned(),
            features: &[],
        };
        let desk = desk::start(Desk::new(surroundings, None), None, || {}).unwrap();
        Self { desk, folder }
    }

    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub fn wish(&self, wish: Wish) {
        self.desk.wish(wish);
    }

    pub fn typed(&self, line: &str) {
        self.wish(Wish::Typed(line.to_owned()));
    }

    /// Waits for a snapshot for which `there` is true. If no such snapshot comes, the error message contains `what`.
    pub fn until(&self, what: &str, there: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        wait_until(|| {
            let snapshot = self.desk.snapshot();
            if there(&snapshot) {
                return Ok(snapshot);
            }
            let table = snapshot.table.as_ref().map(|table| (&table.last_move, table.phase));
            Err(format!("{what}: {:?} {table:?} {:?}", snapshot.board, snapshot.announcements))
        })
    }

    /// Ends the desk, after everything has been written, and returns its folder.
    pub fn end(mut self) -> TempDir {
        self.desk.end();
        self.folder
    }
}

/// A match of chess with five minutes for each.
pub fn chess(press: &str) -> NewMatch {
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    let terms = [("press".to_owned(), press.into()), ("time".to_owned(), "300".into())].into_iter().collect();
    NewMatch::usual("chess", players, Seat::A, terms)
}
