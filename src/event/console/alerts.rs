//! What an arbiter has to look after in a whole hall: the tables' own alerts and the console's, the most urgent first. Values; time
//! comes in.
//!
//! Source: `docs/hall.md`, §4 (ranks, kinds and order).

use tabiya_types::{Color, Sentence, ToldSentence, marked};

use crate::wire::AlertNote;

/// What the console itself has noticed of a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ConsoleAlertKind {
    /// Two records of a match go on from one place.
    Fork,
    /// The table has lost lines that the copy has.
    Shorter,
    /// A line does not follow from the one before.
    Chain,
    /// A signed head does not fit the copy.
    Head,
    /// A computer that is not this table's spoke as it.
    Stranger,
    /// Two programs speak as one table.
    Twice,
    /// The console's own disk fails.
    Disk,
    /// A table sends more than is kept.
    Flood,
    /// Two lists with one number.
    Lists,
    /// A newer program wrote a line that this one cannot fold.
    Version,
    /// Nothing is heard of a table.
    Silent,
    /// A match has not begun, while most others have.
    NotStarted,
}

impl ConsoleAlertKind {
    /// The word of the kind.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fork => "fork",
            Self::Shorter => "shorter",
            Self::Chain => "chain",
            Self::Head => "head",
            Self::Stranger => "stranger",
            Self::Twice => "twice",
            Self::Disk => "disk",
            Self::Flood => "flood",
            Self::Lists => "lists",
            Self::Version => "version",
            Self::Silent => "silent",
            Self::NotStarted => "not-started",
        }
    }

    /// Whether it is a state that lasts, and not something that happens again: who looks after it goes on looking after it.
    fn lasts(self) -> bool {
        matches!(self, Self::Silent | Self::Version | Self::NotStarted)
    }

    /// How urgent it is, from 1 (now) to 4 (a note).
    pub fn rank(self) -> u8 {
        match self {
            Self::Version => 2,
            Self::Silent => 3,
            Self::NotStarted => 4,
            Self::Fork
            | Self::Shorter
            | Self::Chain
            | Self::Head
            | Self::Stranger
            | Self::Twice
            | Self::Disk
            | Self::Flood
            | Self::Lists => 1,
        }
    }
}

/// An open alert of the console's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConsoleAlert {
    /// What it is about.
    pub kind: ConsoleAlertKind,
    /// The table; `None` for the console itself.
    pub table: Option<u16>,
    /// Since when, in ms of the console's own time.
    pub since: u64,
    /// What has happened.
    pub says: Sentence,
    /// Who looks after it.
    pub taken: Option<String>,
}

/// The console's own open alerts: at most one of each kind for each table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConsoleAlerts {
    open: Vec<ConsoleAlert>,
}

impl ConsoleAlerts {
    /// The open alerts.
    pub fn open(&self) -> &[ConsoleAlert] {
        &self.open
    }

    /// Something has happened. Returns whether that is news.
    pub fn raise(&mut self, kind: ConsoleAlertKind, table: Option<u16>, says: Sentence, now: u64) -> bool {
        if let Some(alert) = self.find(kind, table).filter(|alert| alert.taken.is_none() || kind.lasts()) {
            alert.says = says;
            return false;
        }
        // What happens again while somebody looks after it is told again.
        self.close(kind, table);
        self.open.push(ConsoleAlert { kind, table, since: now, says, taken: None });
        true
    }

    /// It is over, or was looked after. Returns whether it was open.
    pub fn close(&mut self, kind: ConsoleAlertKind, table: Option<u16>) -> bool {
        let before = self.open.len();
        self.open.retain(|alert| (alert.kind, alert.table) != (kind, table));
        self.open.len() < before
    }

    /// Somebody looks after this alert. Returns whether it is open.
    pub fn take(&mut self, kind: ConsoleAlertKind, table: Option<u16>, by: Option<String>) -> bool {
        self.find(kind, table).map(|alert| alert.taken = by).is_some()
    }

    fn find(&mut self, kind: ConsoleAlertKind, table: Option<u16>) -> Option<&mut ConsoleAlert> {
        self.open.iter_mut().find(|alert| (alert.kind, alert.table) == (kind, table))
    }
}

/// An alert in the queue of a console, wherever it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueuedAlert {
    /// The table; `None` for the console itself.
    pub table: Option<u16>,
    /// How urgent: 1 now, 2 soon, 3 look, 4 a note.
    pub rank: u8,
    /// The kind as a word.
    pub kind: String,
    /// The side that it is about.
    pub by: Option<Color>,
    /// What has happened. The sentence of a table may be unknown here.
    pub says: ToldSentence,
    /// What the Laws propose, as the table says it.
    pub proposes: Option<ToldSentence>,
    /// For how long, in ms.
    pub age: u64,
    /// The least time of a side to move at the table, in ms; greatest without a clock that runs.
    pub time: u64,
    /// How often.
    pub count: u64,
    /// Who looks after it.
    pub taken: Option<String>,
    /// The table's own id for it; `None` for one of the console's.
    pub id: Option<String>,
}

impl QueuedAlert {
    /// A table's alert; `up` is the table's own time now, `time` the time of the side to move.
    pub fn of_table(table: u16, note: &AlertNote, up: u64, time: Option<u64>) -> Self {
        Self {
            table: Some(table),
            rank: note.rank,
            kind: note.kind.clone(),
            by: note.by,
            says: note.says.0.clone().with_names(&|text| marked(&text)),
            proposes: note.proposes.as_ref().map(|sent| sent.0.clone().with_names(&|text| marked(&text))),
            age: up.saturating_sub(note.since),
            time: time.unwrap_or(u64::MAX),
            count: note.count,
            taken: note.taken.as_deref().map(marked),
            id: Some(note.id.clone()),
        }
    }

    /// One of the console's own.
    pub fn of_console(alert: &ConsoleAlert, now: u64) -> Self {
        Self {
            table: alert.table,
            rank: alert.kind.rank(),
            kind: alert.kind.word().to_owned(),
            by: None,
            says: ToldSentence::from(&alert.says),
            proposes: None,
            age: now.saturating_sub(alert.since),
            time: u64::MAX,
            count: 1,
            taken: alert.taken.clone(),
            id: None,
        }
    }
}

/// Puts alerts in the order in which they are looked after: by rank, then by the least time of the side to move, then by age.
pub fn sort(alerts: &mut [QueuedAlert]) {
    alerts.sort_by_key(|alert| (alert.rank, alert.time, std::cmp::Reverse(alert.age), alert.table));
}

#[cfg(test)]
mod tests {
    use tabiya_engine::rules::Reason;

    use super::*;

    #[test]
    fn what_cannot_wait_comes_first_then_the_shorter_time_then_the_older() {
        let alert = |rank, time, age, table| QueuedAlert {
            table: Some(table),
            rank,
            kind: "flag".to_owned(),
            by: None,
            says: ToldSentence::default(),
            proposes: None,
            age,
            time,
            count: 1,
            taken: None,
            id: None,
        };
        let mut queue = vec![
            alert(2, 1, 9, 1),
            alert(1, 500, 1, 2),
            alert(1, 500, 7, 3),
            alert(1, 20, 1, 4),
            alert(1, u64::MAX, 99, 5),
        ];
        sort(&mut queue);
        let tables: Vec<_> = queue.iter().filter_map(|alert| alert.table).collect();
        assert_eq!(tables, [4, 3, 2, 5, 1]);
    }

    #[test]
    fn an_alert_of_one_kind_is_open_once_and_told_once() {
        let mut alerts = ConsoleAlerts::default();
        let [first, second] = [Reason::Stalemate, Reason::Timeout].map(Reason::ending_sentence);
        assert!(alerts.raise(ConsoleAlertKind::Silent, Some(17), first.clone(), 5));
        assert!(!alerts.raise(ConsoleAlertKind::Silent, Some(17), second.clone(), 6));
        assert!(alerts.raise(ConsoleAlertKind::Silent, Some(18), first, 7));
        assert_eq!((alerts.open()[0].since, alerts.open()[0].says.clone()), (5, second));
        assert!(alerts.take(ConsoleAlertKind::Silent, Some(17), Some("Rossi".to_owned())));
        assert!(
            alerts.close(ConsoleAlertKind::Silent, Some(17))
                && !alerts.close(ConsoleAlertKind::Silent, Some(17))
        );
        assert_eq!(alerts.open().len(), 1);
    }
}
