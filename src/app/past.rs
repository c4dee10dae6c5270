//! What has been: the record line by line as people read it, and the table after any of its lines.
//!
//! It observes the one table that folds the record, a live one as well as one that is only read.

use std::sync::Arc;

use tabiya_engine::record::{Body, Checkpoints, Line, Observer};
use tabiya_engine::rules::Chips;
use tabiya_engine::table::{Audience, Common, Effect, Input, Table};
use tabiya_types::{ByColor, BySeat, Color, Instant, Millis, Sentence};

use crate::telling::tell_input;

/// One line of the record as people read it, and how the table stood after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NarratedLine {
    /// How many lines led to it.
    pub line: usize,
    /// When it happened.
    pub at: Instant,
    /// What happened; nothing for what only a machine reads.
    pub text: Option<Sentence>,
    /// Who may hear of it at once.
    pub to: Audience,
    /// Which game of the match it belongs to, from 1.
    pub game: usize,
    /// If it ended a turn: whose, and how much of the clock the turn took.
    pub spent: Option<(Color, Millis)>,
    /// What each person has, with what lies in the pot counted for nobody.
    pub stacks: BySeat<Chips>,
    /// Whether that game runs, so that the pot belongs to nobody yet.
    pub runs: bool,
}

/// A record so far, for those who look back.
#[derive(Debug)]
pub(crate) struct Past {
    checkpoints: Checkpoints,
    lines: Arc<Vec<NarratedLine>>,
    acts: usize,
    /// What each side had left when its turn began.
    began: ByColor<Option<Millis>>,
    /// Whose turn it was on the clock before the line that comes, and what was left.
    turn: Option<(Color, Option<Millis>)>,
}

impl Past {
    /// Of a record before its first line.
    pub(crate) fn new(start: &Table) -> Self {
        Self {
            checkpoints: Checkpoints::new(start),
            lines: Arc::default(),
            acts: 0,
            began: ByColor::default(),
            turn: None,
        }
    }

    /// How many lines acted.
    pub(crate) fn acts(&self) -> usize {
        self.acts
    }

    /// The lines as people read them.
    pub(crate) fn told(&self) -> Arc<Vec<NarratedLine>> {
        self.lines.clone()
    }

    /// The table after so many of the record's lines, and when that was.
    pub(crate) fn after(&self, lines: &[Line], line: usize) -> Option<(Table, Instant)> {
        let at = lines.get(..line)?.last().map_or(Instant::ZERO, Line::moment);
        Some((self.checkpoints.table_after(lines, line)?, at))
    }

    fn tell(&mut self, line: &Line, table: &Table) {
        let at = line.moment();
        let (to, text) = match &line.body {
            Body::Acted(input) => (table.audience_of(input), tell_input(input).map(Sentence::harmless)),
            Body::Evidence(_) => (Audience::Arbiter, None),
        };
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
        let told = NarratedLine {
            line: self.lines.len() + 1,
            at,
            text,
            to,
            game: table.past_games().len() + 1,
            spent,
            stacks: table.stacks(),
            runs: table.game().outcome().is_none(),
        };
        Arc::make_mut(&mut self.lines).push(told);
    }
}

impl Observer for Past {
    fn before(&mut self, _: u32, line: &Line, table: &Table) {
        self.turn = table.clock().turn().map(|by| (by, table.reading(by, line.moment())));
    }

    fn after(&mut self, number: u32, line: &Line, effects: &[Effect], table: &Table) {
        self.tell(line, table);
        self.checkpoints.after(number, line, effects, table);
    }

    fn passed_over(&mut self, number: u32, line: &Line, table: &Table) {
        self.before(number, line, table);
        self.tell(line, table);
        self.checkpoints.passed_over(number, line, table);
    }
}
