//! Looking back: the table as it was after any line of the record. The fold makes it free.

use std::sync::Arc;

use super::Desk;
use crate::app::session::{Session, tell_input};
use crate::app::snapshot::{PastView, TableView};
use crate::clock::{Instant, Millis};
use crate::record::{Body, Line, Replay};
use crate::rules::{ByColor, BySeat, Chips, Color, Sentence};
use crate::table::Audience;

impl Desk {
    /// Shows the table after so many lines; nothing for now again.
    pub(super) fn look_back(&mut self, line: Option<usize>) {
        self.past = line.and_then(|line| self.past_at(line)).map(Arc::new);
    }

    fn past_at(&self, line: usize) -> Option<PastView> {
        let session = &self.sitting.as_ref()?.session;
        let lines = session.lines().get(..line)?;
        let mut replay = Replay::new(session.replay().header().clone());
        for (line, number) in lines.iter().zip(2..) {
            replay.take(number, line).ok()?;
        }
        let at = lines.last().map_or(Instant::ZERO, Line::moment);
        let mut table = TableView::of(replay.table(), replay.header());
        table.lines = line;
        Some(PastView { line, at, table })
    }
}

/// One line of the record as people read it, and how the table stood after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
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
    /// Whether it ended a turn: whose.
    pub ended_turn: Option<Color>,
    /// What each side has left.
    pub left: ByColor<Option<Millis>>,
    /// What each person has, with what lies in the pot counted for nobody.
    pub stacks: BySeat<Chips>,
}

/// The record as people read it, followed line by line.
#[derive(Debug)]
pub(super) struct Timeline {
    replay: Replay,
    moments: Arc<Vec<Moment>>,
}

impl Timeline {
    pub(super) fn new(session: &Session) -> Self {
        Self { replay: Replay::new(session.replay().header().clone()), moments: Arc::default() }
    }

    pub(super) fn moments(&self) -> Arc<Vec<Moment>> {
        self.moments.clone()
    }

    /// Takes what has been written since.
    pub(super) fn follow(&mut self, lines: &[Line]) {
        let known = self.moments.len();
        if lines.len() <= known {
            return;
        }
        let moments = Arc::make_mut(&mut self.moments);
        for (line, number) in lines.iter().zip(1..).skip(known) {
            let by = self.replay.table().clock().turn();
            // What the session accepted is accepted again.
            let _ = self.replay.take(u32::try_from(number + 1).unwrap_or(u32::MAX), line);
            let table = self.replay.table();
            let to = match &line.body {
                Body::Acted(input) => table.audience_of(input),
                Body::Evidence(_) => Audience::Arbiter,
            };
            let text = match &line.body {
                Body::Acted(input) => tell_input(input).map(Sentence::harmless),
                Body::Evidence(_) => None,
            };
            moments.push(Moment {
                line: number,
                at: line.moment(),
                text,
                to,
                game: table.past_games().len() + 1,
                ended_turn: by.filter(|by| table.clock().turn() == Some(by.other())),
                left: ByColor::new(|color| table.reading(color, line.moment())),
                stacks: table.stacks(),
            });
        }
    }
}
