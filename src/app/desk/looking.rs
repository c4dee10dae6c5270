//! Looking back: the table as it was after any line of the record. The fold makes it free.

use std::path::Path;
use std::sync::Arc;

use super::Desk;
use crate::session::tell_input;
use crate::snapshot::{PastView, TableView};
use crate::store::evening::{Kept, read_match};
use tabiya_engine::record::{Body, Header, Line, Replay};
use tabiya_engine::rules::Chips;
use tabiya_engine::table::{Audience, Common, Input};
use tabiya_types::{ByColor, BySeat, Color, Instant, Millis, Sentence};

/// A match that is only looked at.
#[derive(Debug)]
pub(super) struct Shelf {
    pub(super) replay: Replay,
    pub(super) lines: Vec<Line>,
    pub(super) told: Told,
    /// The hash of its last line.
    pub(super) head: String,
}

impl Desk {
    /// Shows the table after so many lines; nothing for now again, or for the end of a match that is only
    /// looked at.
    pub(super) fn look_back(&mut self, line: Option<usize>) {
        let past = match (&self.shelf, &self.sitting) {
            (Some(taken), _) => past(taken.replay.header(), &taken.lines, line.unwrap_or(taken.lines.len())),
            (None, Some(sitting)) => {
                let session = &sitting.session;
                line.and_then(|line| past(session.replay().header(), session.lines(), line))
            }
            (None, None) => None,
        };
        self.past = past.map(Arc::new);
    }

    /// Takes a match of a file off the shelf.
    pub(super) fn look_at(&mut self, path: &Path, id: i64) -> Result<(), String> {
        let (Kept { header, lines, closed: _ }, head) = read_match(path, id, &self.keys())?;
        let mut replay = Replay::new(header);
        let mut told = Told::new(replay.header().clone());
        for (line, number) in lines.iter().zip(2..) {
            replay.take(number, line).map_err(|stop| format!("line {number}: {stop}"))?;
        }
        told.follow(&lines);
        self.shelf = Some(Shelf { replay, lines, told, head });
        self.look_back(None);
        Ok(())
    }
}

/// The table after so many lines.
fn past(header: &Header, lines: &[Line], line: usize) -> Option<PastView> {
    let lines = lines.get(..line)?;
    let mut replay = Replay::new(header.clone());
    for (line, number) in lines.iter().zip(2..) {
        replay.take(number, line).ok()?;
    }
    let at = lines.last().map_or(Instant::ZERO, Line::moment);
    let mut table = TableView::of(replay.table(), replay.header());
    table.lines = line;
    Some(PastView { line, at, table })
}

/// One line of the record as people read it, and how the table stood after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToldLine {
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

/// The record as people read it, followed line by line.
#[derive(Debug)]
pub(super) struct Told {
    replay: Replay,
    lines: Arc<Vec<ToldLine>>,
    acts: usize,
    /// What each side had left when its turn began.
    began: ByColor<Option<Millis>>,
}

impl Told {
    pub(super) fn new(header: Header) -> Self {
        let replay = Replay::new(header);
        Self { replay, lines: Arc::default(), acts: 0, began: ByColor::default() }
    }

    /// How many lines acted.
    pub(super) fn acts(&self) -> usize {
        self.acts
    }

    pub(super) fn lines(&self) -> Arc<Vec<ToldLine>> {
        self.lines.clone()
    }

    /// Takes what has been written since.
    pub(super) fn follow(&mut self, lines: &[Line]) {
        for (line, number) in lines.iter().zip(1..).skip(self.lines.len()) {
            let told = self.tell(line, number);
            Arc::make_mut(&mut self.lines).push(told);
        }
    }

    fn tell(&mut self, line: &Line, number: usize) -> ToldLine {
        let at = line.moment();
        let before = self.replay.table();
        let by = before.clock().turn();
        let left = by.and_then(|by| before.reading(by, at));
        // What the session accepted is accepted again.
        let _ = self.replay.take(u32::try_from(number + 1).unwrap_or(u32::MAX), line);
        let table = self.replay.table();
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
        let ended = by.filter(|by| plays && table.clock().turn() != Some(*by));
        let spent = ended.and_then(|by| Some((by, self.began[by]?.saturating_sub(left?))));
        if let Some(turn) = table.clock().turn().filter(|turn| by != Some(*turn)) {
            self.began[turn] = table.reading(turn, at);
        }
        ToldLine {
            line: number,
            at,
            text,
            to,
            game: table.past_games().len() + 1,
            spent,
            stacks: table.stacks(),
            runs: table.game().outcome().is_none(),
        }
    }
}
