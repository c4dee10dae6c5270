//! The history of a match: the record line by line as people read it, and the table after any of its lines.
//!
//! The history is built line by line while a table applies the record: in a running match, when a file is read, and wherever
//! lines arrive without a match of their own.

use std::sync::Arc;

use tabiya_types::{ByColor, BySeat, Color, Instant, Millis};

use super::checkpoints::Checkpoints;
use super::observer::Observer;
use super::text::{Body, Line};
use crate::rules::{Action, ChessPhase, Chips, Phase, PlayAction, PlayList, Stages};
use crate::table::{Common, Effect, Input, LogLine, Ruling, Table, log_of};

/// A chess move as a score sheet has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetMove {
    /// The number of the move.
    pub number: u32,
    /// Who made the move.
    pub by: Color,
    /// The move in SAN.
    pub san: String,
}

/// One line of the record as people read it, and the state of the table after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NarratedLine {
    /// The line's number, from 1; the header is not counted.
    pub line: usize,
    /// The moment of the match at which the line was recorded.
    pub at: Instant,
    /// What happened; empty for lines that people need not read (presses, ticks, evidence).
    pub told: Vec<LogLine>,
    /// Whether people see what the line did: on the board, in the cards, the chips or the result. A pause is told, but
    /// nothing on the screen changes with it.
    pub seen: bool,
    /// The number of the game that the line belongs to, from 1.
    pub game: usize,
    /// If the line ended a turn: whose turn, and how much clock time the turn used.
    pub spent: Option<(Color, Millis)>,
    /// Each player's chips; chips in the pot belong to neither player.
    pub stacks: BySeat<Chips>,
    /// Whether the game is still running, so that the pot has no owner yet.
    pub running: bool,
    /// The chips in the pot.
    pub pot: Chips,
    /// The stage of the game.
    pub phase: Phase,
    /// How many rounds of bets have begun in this game; zero in a game whose stages are no such rounds.
    pub streets: usize,
    /// How many chess moves the game has.
    pub plies: usize,
    /// The chess moves that this line added; empty for most lines.
    pub moves: Vec<SheetMove>,
    /// What the clocks showed, by the record.
    pub clocks: ByColor<Option<Millis>>,
    /// What a physical clock showed, if this line notes it.
    pub device: Option<ByColor<Millis>>,
}

/// The lines of a record as people read them. Each is shared: a screen may still have the list to which the next line is
/// added, and then only the list is copied.
pub type NarratedLines = Arc<Vec<Arc<NarratedLine>>>;

/// The history of the record so far, for looking back.
#[derive(Debug)]
pub struct Past {
    checkpoints: Checkpoints,
    lines: NarratedLines,
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
    pub fn new(start: &Table) -> Self {
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
    pub fn match_over(&self) -> bool {
        self.over
    }

    /// How many lines are inputs, not counting ticks.
    pub fn acts(&self) -> usize {
        self.acts
    }

    /// All lines so far, as people read them.
    pub fn narrated(&self) -> NarratedLines {
        self.lines.clone()
    }

    /// The table after the first `line` lines of the record, and the moment of the last of these lines. `None` if the
    /// record has fewer lines.
    pub fn after(&self, lines: &[Line], line: usize) -> Option<(Table, Instant)> {
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
        // A list that has grown has room for four entries; most lines tell nothing, or one thing.
        told.shrink_to_fit();
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
        let game = table.past_games().len() + 1;
        let plies = match (table.game().chess(), table.game().play_list()) {
            (Some(chess), _) => chess.move_count(),
            (None, listed) => listed.map_or(0, |listed| listed.plays.len()),
        };
        // A new game begins without moves, even if the one before had some.
        let before = self.lines.last().filter(|last| last.game == game).map_or(0, |last| last.plies);
        let device = match &line.body {
            Body::Acted(Input::Common(Common::ClockReads(reads))) => {
                Some(ByColor::new(|color| Millis(reads[color])))
            }
            Body::Acted(_) | Body::Evidence(_) => None,
        };
        let narrated = NarratedLine {
            line: self.lines.len() + 1,
            at,
            seen: !told.is_empty() && (acts_in_sight(&line.body) || self.table.phase() != table.phase()),
            told,
            game,
            spent,
            stacks: table.stacks(),
            running: table.game().outcome().is_none(),
            pot: table.game().stakes().pot(),
            phase: table.phase(),
            streets: table.game().stages().map_or(0, streets),
            plies,
            moves: if plies > before { self.added(line, before, table) } else { Vec::new() },
            clocks: ByColor::new(|color| table.reading(color, at)),
            device,
        };
        self.over = table.match_over();
        Arc::make_mut(&mut self.lines).push(Arc::new(narrated));
    }
}

impl Past {
    /// The clock reading with which the present turn began, for the side whose turn it is.
    pub fn turn_began(&self, side: Color) -> Option<Millis> {
        self.began[side]
    }

    /// The moves that a line added to the `before` moves that the game had.
    fn added(&self, line: &Line, before: usize, table: &Table) -> Vec<SheetMove> {
        if let Some(listed) = table.game().play_list() {
            return plays(listed, before);
        }
        // Nearly always one move was played, and its notation needs only the position before it.
        let played = match &line.body {
            Body::Acted(Input::Game(Action::Play(PlayAction::Move { by, uci, .. }))) => Some((*by, *uci)),
            Body::Acted(_) | Body::Evidence(_) => None,
        };
        let was = self.table.game().chess();
        let one = played.zip(was).and_then(|((by, uci), was)| {
            let (number, san) = was.in_san(uci)?;
            Some(SheetMove { number, by, san })
        });
        match one {
            Some(one) => vec![one],
            None => table.game().chess().map_or_else(Vec::new, |chess| sheet(chess, before)),
        }
    }
}

/// How many of the stages so far are rounds of bets.
fn streets(Stages { names, now }: Stages) -> usize {
    names.iter().take(now + 1).filter(|name| **name == "bet").count()
}

/// Whether an input changes more than the clocks' running and what was agreed.
fn acts_in_sight(body: &Body) -> bool {
    let Body::Acted(Input::Common(common)) = body else { return matches!(body, Body::Acted(_)) };
    match common {
        Common::Undo { .. } | Common::Redo { .. } | Common::Next(_) | Common::EndMatch { .. } => true,
        Common::Rule(ruling) => **ruling != Ruling::because(ruling.reason.as_str()),
        Common::Press(_)
        | Common::Tick
        | Common::Pause(_)
        | Common::Resume(_)
        | Common::ClaimFlag(_)
        | Common::ClockReads(_)
        | Common::Stands { .. }
        | Common::Consent(_)
        | Common::Signs(_) => false,
    }
}

/// The plays of a list after the first `from` of them.
fn plays(listed: PlayList<'_>, from: usize) -> Vec<SheetMove> {
    let turns = std::iter::successors(Some((1, listed.first)), |(number, by)| {
        Some((number + u32::from(*by == Color::Black), by.other()))
    });
    let played = listed.plays.iter().zip(turns).skip(from);
    played.map(|(play, (number, by))| SheetMove { number, by, san: play.clone() }).collect()
}

/// The moves of a score sheet after the first `from` of them.
fn sheet(chess: &dyn ChessPhase, from: usize) -> Vec<SheetMove> {
    let mut moves = Vec::new();
    for leg in chess.score().legs {
        let mut fields = leg.start_fen.split(' ').skip(1);
        let mut by = if fields.next() == Some("b") { Color::Black } else { Color::White };
        let mut number = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
        for san in leg.san {
            moves.push(SheetMove { number, by, san });
            number += u32::from(by == Color::Black);
            by = by.other();
        }
    }
    moves.split_off(from.min(moves.len()))
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
