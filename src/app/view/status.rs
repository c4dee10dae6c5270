//! The two small values by which an arbiter watches many tables: what stands on a table's clock, and how its devices and its record
//! are. They are made from values alone, and have no text of their own: who sends them writes them as the contract of a hall says
//! (its message `state`), under the names that they have here. Which match it is, the number of the message and the alerts come
//! from who sends them.

use tabiya_engine::clock::Clock;
use tabiya_engine::table::{BetClock, Table};
use tabiya_types::{ByColor, Color, Fact, Instant, Millis, Sentence, say};

use super::board::{BoardView, LinkState};
use super::cards::CardsView;
use tabiya_store::follow::{CopyState, EventState};

/// A table at a moment, as an arbiter of many tables needs it. Phase, plies, periods, chips, cards and results are not here: they
/// follow from the lines of its record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableStatus {
    /// The moment, in ms since the header of the record.
    pub t: Instant,
    /// What the clock shows; `None` without a clock.
    pub clock: Option<ClockShown>,
}

/// What a clock shows at a moment, whatever its method: the time of the period in byo-yomi, the time used if it counts up, and no
/// delay taken off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockShown {
    /// Each side's reading in ms, at least 0; `None` for a side that has no time control while the other has one.
    pub left: ByColor<Option<Millis>>,
    /// Which time runs; `None` while none does.
    pub runs: Option<ClockRuns>,
}

/// Which of the times at a table runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockRuns {
    /// The clock of this side.
    Side(Color),
    /// The time for a bet, while both sides of the clock stand.
    Bet,
}

impl ClockRuns {
    /// The word for it, as other programs read it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Side(color) => color.word(),
            Self::Bet => "bet",
        }
    }
}

impl TableStatus {
    /// The table at this moment of its match, which is not before the moment of its newest line.
    pub fn of(table: &Table, at: Instant) -> Self {
        Self::of_clock(table.clock(), table.bet_clock(), at)
    }

    /// The same of a clock that is shown in the place of the table's own, and of the time for a bet.
    pub(crate) fn of_clock(clock: &Clock, bet: Option<BetClock>, at: Instant) -> Self {
        let left = ByColor::new(|side| clock.reading(side, at));
        let side = clock.turn().filter(|side| !clock.held() && left[*side].is_some()).map(ClockRuns::Side);
        let runs = bet.map(|_| ClockRuns::Bet).or(side).filter(|_| !clock.paused());
        let timed = bet.is_some() || Color::ALL.into_iter().any(|side| left[side].is_some());
        Self { t: at, clock: timed.then_some(ClockShown { left, runs }) }
    }
}

/// A table's devices and its record, as an arbiter of many tables needs them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeviceStatus {
    /// The board.
    pub board: DevicePresence,
    /// The card readers; `None` at a table without one.
    pub reader: Option<DevicePresence>,
    /// The record.
    pub record: RecordStatus,
}

/// A battery with less than so many percent is nearly empty.
pub const LOW_BATTERY: u8 = 15;

/// Whether a device is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DevicePresence {
    /// Its link.
    pub link: DeviceLink,
    /// The charge of its battery in percent, 0 to 100; `None` if it does not tell.
    pub battery: Option<u8>,
}

/// The state of a device's link.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DeviceLink {
    /// It answers.
    Here,
    /// It was there or was asked for, and does not answer.
    Lost,
    /// Nobody has asked for one.
    #[default]
    None,
}

impl DeviceLink {
    /// The word for it, as other programs read it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Here => "here",
            Self::Lost => "lost",
            Self::None => "none",
        }
    }
}

/// How the record of a match is kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordStatus {
    /// Whether lines cannot be made durable now.
    pub failing: bool,
    /// How far its copy in another folder has come; `None` if there is none.
    pub copy: Option<CopyState>,
    /// How far the consoles of its event have come; `None` outside an event.
    pub event: Option<EventState>,
    /// Why its heads are not signed; `None` if they are, and in a match that keeps no record.
    pub unsigned: Option<String>,
}

impl RecordStatus {
    /// The word for it, as other programs read it.
    pub const fn word(&self) -> &'static str {
        if self.failing { "failing" } else { "ok" }
    }
}

/// Who of an event is told of this table, and how far he has come.
pub fn event_in_words(state: &EventState) -> Sentence {
    let (event, table) = (state.event.clone(), u64::from(state.table));
    let place = say!("event-place", "event {event}, table {table}", event, table);
    if state.consoles.is_empty() {
        let why = state.trouble.clone().unwrap_or_default();
        return say!("event-alone", "{place}: no console is told ({why}); play goes on", place, why);
    }
    let consoles = Fact::list(state.consoles.iter().map(|name| Fact::Name(name.clone())));
    match state.behind {
        0 => say!("event-told", "{place}: {consoles} is told", place, consoles),
        lines => {
            say!("event-behind", "{place}: {consoles} is told, {lines} lines behind", place, consoles, lines)
        }
    }
}

impl DeviceStatus {
    /// The devices as the screens show them, and the record.
    pub fn of(board: &BoardView, cards: &CardsView, record: RecordStatus) -> Self {
        let link = match &board.link {
            LinkState::None => DeviceLink::None,
            LinkState::Connected => DeviceLink::Here,
            LinkState::Connecting | LinkState::Lost(_) => DeviceLink::Lost,
        };
        let battery = board.battery.map(|(percent, _)| percent.min(100));
        Self { board: DevicePresence { link, battery }, reader: reader(cards), record }
    }
}

/// The card readers as one device: each must read cards. A table that has a deck needs one.
fn reader(cards: &CardsView) -> Option<DevicePresence> {
    let well = cards.trouble.is_none() && cards.readers.iter().all(|reader| reader.trouble.is_none());
    let link = match (cards.readers.is_empty(), cards.in_play.is_some()) {
        (true, false) => return None,
        (true, true) => DeviceLink::Lost,
        (false, _) if well => DeviceLink::Here,
        (false, _) => DeviceLink::Lost,
    };
    Some(DevicePresence { link, battery: None })
}

#[cfg(test)]
mod tests {
    use tabiya_engine::record::Replay;
    use tabiya_engine::rules::GAMES;

    use super::super::cards::ReaderView;
    use super::*;

    fn at(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    /// The table after these lines of a record.
    fn table(game: &str, terms: &str, lines: &[&str]) -> Table {
        let header = format!(
            r#"{{"tabiya":1,"game":"{game}","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{terms}}}"#
        );
        let mut replay = Replay::begin(&header, GAMES).expect("a header");
        for (number, line) in (2..).zip(lines) {
            replay.feed(number, line).expect("it is accepted");
        }
        replay.table().clone()
    }

    /// What the clock shows: White's and Black's ms, and what runs.
    fn shown(table: &Table, millis: u64) -> Option<(u64, u64, Option<&'static str>)> {
        let clock = TableStatus::of(table, at(millis)).clock?;
        let left = |side| clock.left[side].map_or(0, |left: Millis| left.0);
        Some((left(Color::White), left(Color::Black), clock.runs.map(ClockRuns::word)))
    }

    const BEGUN: &str = r#"{"t":0,"do":"press","by":"black"}"#;
    const E4: &str = r#"{"t":5000,"do":"move","by":"white","uci":"e2e4"}"#;
    const PRESS: &str = r#"{"t":5000,"do":"press","by":"white"}"#;
    const PAUSE: &str = r#"{"t":6000,"do":"pause","by":"arbiter"}"#;

    #[test]
    fn a_clock_tells_both_sides_and_which_one_runs() {
        let chess = |lines: &[&str]| table("chess", r#"{"time":"300+5"}"#, lines);
        assert_eq!(shown(&chess(&[]), 1_000), Some((305_000, 305_000, None)));
        assert_eq!(shown(&chess(&[BEGUN]), 1_000), Some((304_000, 305_000, Some("white"))));
        let moved = chess(&[BEGUN, E4, PRESS]);
        assert_eq!(shown(&moved, 5_100), Some((305_000, 304_900, Some("black"))));
        let paused = chess(&[BEGUN, E4, PRESS, PAUSE]);
        assert_eq!(shown(&paused, 60_000), Some((305_000, 304_000, None)));
        assert_eq!(TableStatus::of(&paused, at(60_000)).t, at(60_000));
    }

    #[test]
    fn without_a_clock_there_are_no_times() {
        assert_eq!(TableStatus::of(&table("chess", "{}", &[]), at(7)), TableStatus { t: at(7), clock: None });
    }

    #[test]
    fn while_the_time_for_a_bet_runs_both_sides_stand() {
        let terms = r#"{"stacks":{"A":100,"B":100},"small_blind":1,"time":"120","bet_ms":30000}"#;
        let dealt = table("choker", terms, &[r#"{"t":0,"do":"deal"}"#]);
        assert_eq!(shown(&dealt, 1_000), Some((120_000, 120_000, Some("bet"))));
    }

    #[test]
    fn a_board_that_was_asked_for_is_here_or_lost_and_tells_its_charge() {
        let words = |link: LinkState| {
            let board = BoardView { link, battery: Some((84, false)), ..BoardView::default() };
            let status = DeviceStatus::of(&board, &CardsView::default(), RecordStatus::default());
            (status.board.link.word(), status.board.battery, status.reader, status.record.word())
        };
        let told = |word| (word, Some(84), None, "ok");
        assert_eq!(words(LinkState::None), told("none"));
        assert_eq!(words(LinkState::Connected), told("here"));
        assert_eq!(words(LinkState::Connecting), told("lost"));
        assert_eq!(words(LinkState::Lost("no cable".to_owned())), told("lost"));
    }

    #[test]
    fn readers_are_here_if_each_of_them_reads_cards() {
        let reader = |trouble: Option<&str>| ReaderView {
            name: "R".to_owned(),
            owner: None,
            trouble: trouble.map(str::to_owned),
        };
        let link = |readers: Vec<ReaderView>, deck: Option<&str>| {
            let cards = CardsView { readers, in_play: deck.map(str::to_owned), ..CardsView::default() };
            super::reader(&cards).map(|reader| reader.link)
        };
        assert_eq!(link(Vec::new(), None), None);
        assert_eq!(link(Vec::new(), Some("Club")), Some(DeviceLink::Lost));
        assert_eq!(link(vec![reader(None), reader(None)], Some("Club")), Some(DeviceLink::Here));
        assert_eq!(link(vec![reader(None), reader(Some("silent"))], Some("Club")), Some(DeviceLink::Lost));
    }

    #[test]
    fn a_record_that_cannot_be_written_is_failing() {
        let record = RecordStatus { failing: true, ..RecordStatus::default() };
        let status = DeviceStatus::of(&BoardView::default(), &CardsView::default(), record);
        assert_eq!((status.record.word(), status.board.link), ("failing", DeviceLink::None));
    }
}
