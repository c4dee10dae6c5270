//! What the desk of a console remembers between frames: which alert is selected and since when, which table is chosen, how the tables
//! are shown. What is kept over a closed window is a value of its own.

use serde::{Deserialize, Serialize};
use tabiya_app::hall::{AlertKey, HallAct, HallAlert, HallRow, HallRuling, HallView, HallWish, RoundWish};
use tabiya_text::Words;
use tabiya_types::Color;

use super::sheets::Sheet;

/// How long something has to stand still before a key or a click acts on it, in ms.
pub(super) const STEADY: u64 = 700;
/// How long what somebody has selected himself has to be selected before a key acts on it, in ms: nobody reads faster, and who knows
/// the alerts presses `A` and `Enter` without a pause.
const READ: u64 = 250;

/// Which tables are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Filter {
    #[default]
    All,
    Alerts,
    Bets,
    Placing,
    Chess,
    Stopped,
    Done,
    /// Those that have no match.
    Empty,
    /// Those of who sits here.
    Mine,
}

impl Filter {
    pub(super) const ALL: [Self; 9] = [
        Self::All,
        Self::Alerts,
        Self::Mine,
        Self::Bets,
        Self::Placing,
        Self::Chess,
        Self::Stopped,
        Self::Done,
        Self::Empty,
    ];

    /// The id of its word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::All => "hall-all",
            Self::Alerts => "hall-alerts",
            Self::Bets => "hall-bets",
            Self::Placing => "hall-placing",
            Self::Chess => "hall-chess",
            Self::Stopped => "hall-stopped",
            Self::Done => "hall-done",
            Self::Empty => "hall-no-match",
            Self::Mine => "hall-mine",
        }
    }

    /// Whether this table is shown.
    pub(super) fn takes(self, row: &HallRow) -> bool {
        use tabiya_engine::rules::Phase;
        let phase = row.playing.as_ref().filter(|playing| !playing.is_done()).map(|playing| playing.phase);
        match self {
            Self::All => true,
            Self::Alerts => row.rank.is_some(),
            Self::Bets => matches!(phase, Some(Phase::Bet | Phase::Deal)),
            Self::Placing => phase == Some(Phase::Place),
            Self::Chess => phase == Some(Phase::Chess),
            Self::Stopped => row.is_stopped(),
            Self::Done => row.playing.is_some() && !row.runs(),
            Self::Empty => row.playing.is_none() && !row.newer,
            Self::Mine => row.mine,
        }
    }
}

/// By what the rows are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sort {
    Table,
    White,
    Black,
    /// The least time first, of the games that run.
    #[default]
    Time,
    Pot,
    /// Who was heard least lately first.
    Heard,
}

/// The pages of the desk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum DeskPage {
    /// Alerts and tables.
    #[default]
    Desk,
    /// The pairs of the round.
    Round,
    /// The standings.
    Standings,
}

/// How the standings are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PlacesAs {
    /// Places with their tie-breaks.
    #[default]
    List,
    /// Who met whom.
    Crosstable,
}

/// How the tables are shown, if people have chosen it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Look {
    Tiles,
    Rows,
}

/// What is kept over a closed window.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct KeptDesk {
    pub(super) filter: Filter,
    pub(super) sort: Sort,
    pub(super) backwards: bool,
    pub(super) look: Option<Look>,
    pub(super) search: String,
    pub(super) chosen: Option<u16>,
    /// Whether the bell is silent.
    pub(super) mute: bool,
    pub(super) page: DeskPage,
    /// Whether only boards without a result are shown.
    pub(super) missing: bool,
    /// How the standings are shown.
    pub(super) table: PlacesAs,
    /// The time control with which a round was started last.
    pub(super) time: String,
    /// The default time with which it was started, in minutes, as it was typed.
    pub(super) default_minutes: String,
}

/// What the desk remembers.
#[derive(Debug, Default)]
pub(super) struct DeskState {
    pub(super) kept: KeptDesk,
    /// The alert that is selected, and from when on a key may rule on it. It never moves by itself.
    selected: Option<(AlertKey, u64)>,
    /// What could be decided about it when that was looked at last.
    rulings: Vec<HallRuling>,
    /// The alerts in the order in which they were drawn last, each since when at its place.
    places: Vec<(AlertKey, u64)>,
    /// The number of a table that is being typed.
    pub(super) number: Option<String>,
    /// What covers the desk.
    pub(super) sheet: Option<Sheet>,
    /// What covers the desk after that.
    pub(super) sheet_next: Option<Sheet>,
    /// The chosen board of the round.
    pub(super) board: Option<usize>,
    /// The chosen player of the standings, by number.
    pub(super) player: Option<u32>,
    /// Whether the chosen table's own screen is open.
    pub(super) open: bool,
    /// In a small window: whether the tables are shown in place of the alerts.
    pub(super) tables_shown: bool,
    /// Whether the field for searching gets the focus.
    pub(super) to_search: bool,
    pub(super) wishes: Vec<HallWish>,
}

impl DeskState {
    /// Follows the queue: an alert that is closed is selected no more, and no other takes its place.
    pub(super) fn follow(&mut self, view: &HallView) {
        let gone = self.selected.as_ref().is_some_and(|(key, _)| view.alert(key).is_none());
        if gone {
            self.selected = None;
        }
        // What a key does has changed, because somebody has taken the alert or its table has gone on: it is read anew.
        let rulings = self.selected(view).map(|alert| alert.rulings.clone()).unwrap_or_default();
        if rulings != self.rulings {
            self.rulings = rulings;
            self.read_anew(view.now);
        }
        let before = std::mem::take(&mut self.places);
        let since = |nth: usize, key: &AlertKey| {
            before.get(nth).filter(|(known, _)| known == key).map_or(view.now, |(_, since)| *since)
        };
        self.places = view
            .queue
            .iter()
            .enumerate()
            .map(|(nth, alert)| (alert.key.clone(), since(nth, &alert.key)))
            .collect();
    }

    /// The selected alert.
    pub(super) fn selected<'a>(&self, view: &'a HallView) -> Option<&'a HallAlert> {
        view.alert(&self.selected.as_ref()?.0)
    }

    pub(super) fn is_selected(&self, key: &AlertKey) -> bool {
        self.selected.as_ref().is_some_and(|(known, _)| known == key)
    }

    /// Whether a key may rule on the selected alert: it has been selected long enough to be read.
    pub(super) fn is_steady(&self, now: u64) -> bool {
        self.selected.as_ref().is_some_and(|(_, from)| now >= *from)
    }

    /// A key rules on the selected alert only once it has been read from now on.
    fn read_anew(&mut self, now: u64) {
        if let Some((_, from)) = &mut self.selected {
            *from = now + STEADY;
        }
    }

    /// Whether a click may rule on this alert: it has stood at its place long enough to be meant.
    pub(super) fn stands(&self, key: &AlertKey, now: u64) -> bool {
        self.places.iter().any(|(known, since)| known == key && now.saturating_sub(*since) >= STEADY)
    }

    /// Selects an alert, and with it its table.
    pub(super) fn select(&mut self, alert: &HallAlert, now: u64) {
        if !self.is_selected(&alert.key) {
            self.selected = Some((alert.key.clone(), now + READ));
            self.rulings.clone_from(&alert.rulings);
        }
        if let Some(table) = alert.key.table {
            self.choose(Some(table));
        }
    }

    /// Selects the next alert that nobody looks after, or the next one if all are taken.
    pub(super) fn select_next(&mut self, view: &HallView) {
        let at =
            self.selected.as_ref().and_then(|(key, _)| view.queue.iter().position(|alert| alert.key == *key));
        let after = at.map_or(0, |at| at + 1);
        let turned = || view.queue.iter().cycle().skip(after).take(view.queue.len());
        let next = turned().find(|alert| alert.taken.is_none()).or_else(|| turned().next());
        if let Some(alert) = next {
            self.select(alert, view.now);
        }
    }

    /// Selects the alert so many places on.
    pub(super) fn select_by(&mut self, view: &HallView, step: isize) {
        let at =
            self.selected.as_ref().and_then(|(key, _)| view.queue.iter().position(|alert| alert.key == *key));
        let to = at.map_or(0, |at| at.saturating_add_signed(step)).min(view.queue.len().saturating_sub(1));
        if let Some(alert) = view.queue.get(to) {
            self.select(alert, view.now);
        }
    }

    /// Shows the tables of who sits here alone, or all again.
    pub(super) fn turn_mine(&mut self) {
        self.kept.filter = if self.kept.filter == Filter::Mine { Filter::All } else { Filter::Mine };
        (self.tables_shown, self.open) = (true, false);
    }

    /// Selects nothing.
    pub(super) fn let_go(&mut self) {
        self.selected = None;
    }

    /// Chooses a table. An alert of another table is selected no more: its ruling would name another table than the one that is seen.
    pub(super) fn choose(&mut self, table: Option<u16>) {
        if self.selected.as_ref().is_some_and(|(key, _)| key.table != table) {
            self.selected = None;
        }
        if self.kept.chosen != table {
            self.kept.chosen = table;
            self.wishes.push(HallWish::Choose(table));
        }
    }

    /// Wants something of the rounds.
    pub(super) fn round(&mut self, wish: RoundWish) {
        self.wishes.push(HallWish::Round(wish));
    }

    /// Orders this at a table, in its own words.
    pub(super) fn order(&mut self, table: u16, words: impl Into<String>) {
        self.wishes.push(HallWish::Order(table, words.into()));
    }

    /// Does what a ruling about this alert does.
    /// Until its table has answered, the alert stays; a second press in that time would be a second ruling.
    pub(super) fn rule(&mut self, alert: &HallAlert, ruling: &HallRuling, (words, now): (&Words, u64)) {
        self.read_anew(now);
        match (&ruling.does, alert.key.table) {
            (HallAct::Take, _) => self.wishes.push(HallWish::Take(alert.key.clone())),
            (HallAct::Close, _) => self.wishes.push(HallWish::Close(alert.key.clone())),
            (HallAct::Order(line), Some(table)) => self.order(table, words.said(line)),
            (HallAct::Order(_), None) => {}
        }
    }

    /// The rows that are shown, sorted.
    pub(super) fn shown<'a>(&self, view: &'a HallView, rows: bool) -> Vec<&'a HallRow> {
        let wanted = self.kept.search.trim().to_lowercase();
        let fits = |row: &&HallRow| self.kept.filter.takes(row) && is_found(row, &wanted);
        let mut found: Vec<&HallRow> = view.rows.iter().filter(fits).collect();
        if rows {
            self.sort(&mut found, view.now);
        }
        found
    }

    fn sort(&self, rows: &mut [&HallRow], now: u64) {
        let name = |row: &HallRow, color: Color| {
            row.playing.as_ref().map(|playing| playing.names[color].to_lowercase())
        };
        match self.kept.sort {
            Sort::Table => {}
            Sort::White => rows.sort_by_cached_key(|row| (row.playing.is_none(), name(row, Color::White))),
            Sort::Black => rows.sort_by_cached_key(|row| (row.playing.is_none(), name(row, Color::Black))),
            Sort::Time => rows.sort_by_key(|row| {
                let clock = row.clock.filter(|_| row.runs());
                clock.map_or(u64::MAX, |clock| clock.least(now))
            }),
            Sort::Heard => rows.sort_by_key(|row| std::cmp::Reverse(row.silent(now).unwrap_or(u64::MAX))),
            Sort::Pot => rows.sort_by_key(|row| {
                let pot = row.playing.as_ref().and_then(|playing| playing.chips).map_or(0, |(pot, _)| pot);
                std::cmp::Reverse(pot)
            }),
        }
        if self.kept.backwards {
            rows.reverse();
        }
    }
}

/// Whether a table's number begins so, or a player's name contains it.
fn is_found(row: &HallRow, wanted: &str) -> bool {
    wanted.is_empty()
        || row.table.to_string().starts_with(wanted)
        || row.playing.as_ref().is_some_and(|playing| {
            Color::ALL.iter().any(|color| playing.names[*color].to_lowercase().contains(wanted))
        })
}
