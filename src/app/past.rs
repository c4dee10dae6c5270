//! The history of a match: the record line by line as people read it, and the table after any of its lines.
//!
//! The history is built line by line while a table applies the record, both in a running match and when a file is read.

use std::sync::Arc;

use tabiya_engine::record::{Body, Checkpoints, Line, Observer};
use tabiya_engine::rules::Chips;
use tabiya_engine::table::{Common, Effect, Input, LogLine, Table, log_of};
use tabiya_types::{ByColor, BySeat, Color, Instant, Millis};

/// One line of the record as people read it, and the state of the table after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NarratedLine {
    /// The line's number, from 1; the header is not counted.
    pub line: usize,
    /// The moment of the match at which the line was recorded.
    pub at: Instant,
    /// What happened; empty for lines that people need not read (presses, ticks, evidence).
    pub told: Vec<LogLine>,
    /// The number of the game that the line belongs to, from 1.
    pub game: usize,
    /// If the line ended a turn: whose turn, and how much clock time the turn used.
    pub spent: Option<(Color, Millis)>,
    /// Each player's chips; chips in the pot belong to neither player.
    pub stacks: BySeat<Chips>,
    /// Whether the game is still running, so that the pot has no owner yet.
    pub running: bool,
}

/// The history of the record so far, for looking back.
#[derive(Debug)]
pub(crate) struct Past {
    checkpoints: Checkpoints,
    lines: Arc<Vec<NarratedLine>>,
    acts: usize,
    /// Each side's clock reading at the beginning of that side's latest turn.
    began: ByColor<Option<Millis>>,
    /// The side whose turn the clock was timing just before the current line, and that side's clock reading at that
    /// moment.
    turn: Option<(Color, Option<Millis>)>,
    /// The table before the current line.
    table: Table,
    /// Whether the match is over.
    over: bool,
}

impl Past {
    /// The history of a record that has no lines yet.
    pub(crate) fn new(start: &Table) -> Self {
        Self {
            checkpoints: Checkpoints::new(start),
            lines: Arc::default(),
            acts: 0,
            began: ByColor::default(),
            turn: None,
            table: start.clone(),
            over: start.match_over(),
        }
    }

    /// Whether the record so far ends its match.
    pub(crate) fn match_over(&self) -> bool {
        self.over
    }

    /// How many lines are inputs, not counting ticks.
    pub(crate) fn acts(&self) -> usize {
        self.acts
    }

    /// All lines so far, as people read them.
    pub(crate) fn narrated(&self) -> Arc<Vec<NarratedLine>> {
        self.lines.clone()
    }

    /// The table after the first `line` lines of the record, and the moment of the last of these lines. `None` if the
    /// record has fewer lines.
    pub(crate) fn after(&self, lines: &[Line], line: usize) -> Option<(Table, Instant)> {
        let at = lines.get(..line)?.last().map_or(Instant::ZERO, Line::moment);
        Some((self.checkpoints.table_after(lines, line)?, at))
    }

    fn tell(&mut self, line: &Line, effects: &[Effect], table: &Table) {
        let at = line.moment();
        let mut told = match &line.body {
            Body::Acted(input) => log_of(&self.table, input, at, effects, table),
            Body::Evidence(_) => Vec::new(),
        };
        told.retain(|entry| !entry.is_press());
        let plays = match &line.body {
            Body::Acted(Input::Game(_)) => true,
            Body::Acted(Input::Common(common)) => matches!(common, Common::Press(_)),
            Body::Evidence(_) => false,
        };
        let time_alone = matches!(line.body, Body::Acted(Input::Common(Common::Tick)));
        self.acts += usize::from(matches!(line.body, Body::Acted(_)) && !time_alone);
        let by = self.turn.map(|(by, _)| by);
        let ended = self.turn.filter(|(by, _)| plays && table.clock().turn() != Some(*by));
        let spent = ended.and_then(|(by, left)| Some((by, self.began[by]?.saturating_sub(left?))));
        if let Some(turn) = table.clock().turn().filter(|turn| by != Some(*turn)) {
            self.began[turn] = table.reading(turn, at);
        }
        let narrated = NarratedLine {
            line: self.lines.len() + 1,
            at,
            told,
            game: table.past_games().len() + 1,
            spent,
            stacks: table.stacks(),
            running: table.game().outcome().is_none(),
        };
        self.over = table.match_over();
        Arc::make_mut(&mut self.lines).push(narrated);
    }
}

impl Observer for Past {
    fn before(&mut self, _: u32, line: &Line, table: &Table) {
        self.table = table.clone();
        self.turn = table.clock().turn().map(|by| (by, table.reading(by, line.moment())));
    }

    fn after(&mut self, number: u32, line: &Line, effects: &[Effect], table: &Table) {
        self.tell(line, effects, table);
        self.checkpoints.after(number, line, effects, table);
    }

    fn passed_over(&mut self, number: u32, line: &Line, table: &Table) {
        self.before(number, line, table);
        self.tell(line, &[], table);
        self.checkpoints.passed_over(number, line, table);
    }
}
