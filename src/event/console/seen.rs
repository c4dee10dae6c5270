//! A hall as the desk of a console shows it: rows of all tables and the queue of alerts, each with what can be decided about it. Made
//! from what the console knows; time comes in.
//!
//! Source: `docs/hall.md`, §4.

use std::collections::{BTreeMap, BTreeSet};

use tabiya_app::hall::{
    AlertKey, AlertOf, HallAlert, HallRow, RowClock, RowLink, RowMatch, as_told, called, console_title,
    rulings, title,
};
use tabiya_app::view::{DeviceLink, DevicePresence};
use tabiya_engine::table::Table;
use tabiya_types::{ByColor, Color, harmless};

use super::alerts::QueuedAlert;
use super::hall::{Hall, MatchSeen, TableSeen};
use crate::wire::{ClockNote, DeviceNote};

impl QueuedAlert {
    /// What it is of, as long as it is open.
    pub fn key(&self) -> AlertKey {
        AlertKey { table: self.table, id: self.id.clone().unwrap_or_else(|| self.kind.clone()) }
    }
}

impl TableSeen {
    /// The table as its match folds to: the match on it, or the last that was there.
    fn table(&self) -> Option<&Table> {
        let (_, of_match) = self.on().or_else(|| self.newest())?;
        of_match.replay().map(tabiya_engine::record::Replay::table)
    }

    fn row(&self, number: u16) -> HallRow {
        let known = self.on().or_else(|| self.newest()).map(|(_, of)| of);
        let state = self.state.as_ref().filter(|_| self.is_here());
        let link = match (self.is_here(), self.boot.is_empty()) {
            (true, _) => RowLink::Here,
            (false, true) => RowLink::Never,
            (false, false) => RowLink::Gone,
        };
        HallRow {
            table: number,
            link,
            heard: self.heard,
            playing: self.table().map(RowMatch::of),
            newer: known.is_some_and(|known: &MatchSeen| known.newer),
            clock: self.state.as_ref().and_then(|(state, came)| {
                let (_, _, clock) = state.on.as_ref()?;
                clock.as_ref().map(|clock| row_clock(clock, *came, self.is_here()))
            }),
            board: state.map(|(state, _)| presence(&state.board)),
            reader: state.and_then(|(state, _)| state.reader.as_ref().map(presence)),
            mine: false,
            illegal: known.map(MatchSeen::illegal).unwrap_or_default(),
            rank: None,
            taken: None,
        }
    }
}

/// The clock of a row. That of a table without a link stands as it was told last.
fn row_clock(clock: &ClockNote, told: u64, here: bool) -> RowClock {
    let runs = Color::ALL.into_iter().find(|color| here && clock.runs == Some(color.word()));
    RowClock { left: ByColor { white: clock.white, black: clock.black }, runs, told }
}

fn presence(note: &DeviceNote) -> DevicePresence {
    let link = match note.link {
        "here" => DeviceLink::Here,
        "lost" => DeviceLink::Lost,
        _ => DeviceLink::None,
    };
    DevicePresence { link, battery: note.battery }
}

impl Hall {
    /// All tables of the event, by their numbers, each with the rank of its most urgent alert in this queue.
    pub fn rows(&self, queue: &[QueuedAlert]) -> Vec<HallRow> {
        let mut worst: BTreeMap<u16, &QueuedAlert> = BTreeMap::new();
        for alert in queue {
            if let Some(table) = alert.table {
                worst.entry(table).or_insert(alert);
            }
        }
        let numbers: BTreeSet<u16> = self.roster.tables.keys().chain(self.tables.keys()).copied().collect();
        let of_table = |number: u16| {
            let seen = self.tables.get(&number);
            let row = seen.map_or_else(|| HallRow::unknown(number), |table| table.row(number));
            let alert = worst.get(&number);
            let taken = alert.and_then(|alert| alert.taken.as_deref()).map(harmless);
            HallRow { rank: alert.map(|alert| alert.rank), taken, ..row }
        };
        numbers.into_iter().map(of_table).collect()
    }

    /// An alert as the desk shows it.
    pub fn alert_shown(&self, alert: &QueuedAlert) -> HallAlert {
        let table = alert.table.and_then(|number| self.tables.get(&number)).and_then(TableSeen::table);
        let name = table.zip(alert.by).map(|(table, by)| called(table, by));
        let own = alert.id.is_none();
        let title =
            if own { console_title(&alert.kind) } else { title(&alert.kind, name.as_deref(), alert.count) };
        let of = AlertOf {
            kind: &alert.kind,
            says: &alert.says,
            by: alert.by,
            count: alert.count,
            taken: alert.taken.is_some(),
            own,
            table,
        };
        HallAlert {
            key: alert.key(),
            rank: alert.rank,
            title,
            says: of.in_words(),
            proposes: alert.proposes.clone().map(as_told),
            age: alert.age,
            count: alert.count,
            taken: alert.taken.clone(),
            rulings: rulings(of),
        }
    }
}
