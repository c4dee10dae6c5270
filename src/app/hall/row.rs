//! A table of a hall in one row: who plays, how it stands, what its clock shows. Made from the fold of its record, and from what the
//! table says of its clock and its devices.

use tabiya_engine::rules::{Actor, Chips, Outcome, Phase, Stages};
use tabiya_engine::table::Table;
use tabiya_types::{ByColor, Color, marked};

use crate::view::{DevicePresence, shortened};

/// Whether a table has a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowLink {
    /// It has one.
    Here,
    /// It had one.
    Gone,
    /// It was never heard of.
    Never,
}

/// A table in one row.
#[derive(Clone, PartialEq, Debug)]
pub struct HallRow {
    /// Its number.
    pub table: u16,
    /// Whether it has a link.
    pub link: RowLink,
    /// When something was heard of it last, in ms of the console's own time.
    pub heard: u64,
    /// The match: the one on the table, or the last that was there; `None` without one that is understood here.
    pub playing: Option<RowMatch>,
    /// Whether a newer program plays a match there, which is not understood here.
    pub newer: bool,
    /// What its clock shows.
    pub clock: Option<RowClock>,
    /// The board; `None` until the table has told.
    pub board: Option<DevicePresence>,
    /// The card reader; `None` at a table without one.
    pub reader: Option<DevicePresence>,
    /// Whether it is one of the tables of who sits here: in his part of the hall, or with an alert that he looks after.
    pub mine: bool,
    /// How many illegal moves each player has made in the present game.
    pub illegal: ByColor<u32>,
    /// The rank of its most urgent alert.
    pub rank: Option<u8>,
    /// Who looks after that one.
    pub taken: Option<String>,
}

/// A match in a row.
#[derive(Clone, PartialEq, Debug)]
pub struct RowMatch {
    /// The word of the game.
    pub game: &'static str,
    /// The number of the game in the match, from 1.
    pub number: usize,
    /// The stage of the game.
    pub phase: Phase,
    /// The number of the round of bets, from 1; 0 before the first.
    pub street: u32,
    /// The number of the move that is to be made, from 1; 0 in a game without moves.
    pub turn: u32,
    /// The players' names, safe to show.
    pub names: ByColor<String>,
    /// Who has to act.
    pub to_act: Option<Color>,
    /// The chips in the pot, and each player's stack; `None` in a game without chips.
    pub chips: Option<(u32, ByColor<u32>)>,
    /// Whether the clocks are stopped.
    pub stopped: bool,
    /// The result of the game, or of the one before it.
    pub result: Option<Outcome>,
    /// Whether the match is over.
    pub over: bool,
    /// Whether anything was played.
    pub begun: bool,
}

/// What a clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowClock {
    /// Each side's reading in ms when it was told.
    pub left: ByColor<u64>,
    /// Whose time runs; `None` while none does.
    pub runs: Option<Color>,
    /// When it was told, in ms of the console's own time.
    pub told: u64,
}

impl RowClock {
    /// What a side has left at this moment of the console's own time.
    pub fn left(&self, side: Color, now: u64) -> u64 {
        let passed = if self.runs == Some(side) { now.saturating_sub(self.told) } else { 0 };
        self.left[side].saturating_sub(passed)
    }

    /// The lesser of both readings.
    pub fn least(&self, now: u64) -> u64 {
        self.left(Color::White, now).min(self.left(Color::Black, now))
    }
}

impl HallRow {
    /// A table that was never heard of.
    pub fn unknown(table: u16) -> Self {
        Self {
            table,
            link: RowLink::Never,
            heard: 0,
            playing: None,
            newer: false,
            clock: None,
            board: None,
            reader: None,
            mine: false,
            illegal: ByColor::default(),
            rank: None,
            taken: None,
        }
    }

    /// For how long nothing was heard of it, in ms, at this moment of the console's own time; `None` if nothing ever was.
    pub fn silent(&self, now: u64) -> Option<u64> {
        (self.link != RowLink::Never).then(|| now.saturating_sub(self.heard))
    }

    /// Whether a game runs there: it has a match that is not over, and no result stands on its table.
    pub fn runs(&self) -> bool {
        self.playing.as_ref().is_some_and(|playing| !playing.is_done())
    }

    /// Whether its clocks are stopped while a game runs.
    pub fn is_stopped(&self) -> bool {
        self.playing.as_ref().is_some_and(|playing| playing.stopped && !playing.is_done())
    }
}

impl RowMatch {
    /// How a table stands.
    pub fn of(table: &Table) -> Self {
        let game = table.game();
        let now = game.outcome();
        let before = || table.past_games().iter().next_back().and_then(|past| past.game.outcome());
        let stakes = game.stakes();
        let chips = ByColor::new(|color| table.stacks()[table.seat_of(color)].0);
        let has_chips = stakes.pot() != Chips::ZERO || chips.white + chips.black > 0;
        Self {
            game: table.agreement().game,
            number: table.past_games().len() + 1,
            phase: table.phase(),
            street: game.stages().map_or(0, street),
            turn: game.chess().map_or(0, |chess| turn_of(&chess.fen())),
            names: ByColor::new(|color| shortened(&marked(table.name_of(color)))),
            to_act: match table.to_act() {
                Actor::Player(color) => Some(color),
                Actor::Dealer | Actor::Nobody => None,
            },
            chips: has_chips.then_some((stakes.pot().0, chips)),
            stopped: table.clock().paused(),
            result: now.or_else(before),
            over: table.match_over(),
            begun: table.begun(),
        }
    }

    /// Whether nothing is played any more: the match is over, or the game is and the next one has not begun.
    pub fn is_done(&self) -> bool {
        self.over || matches!(self.phase, Phase::Over | Phase::MatchOver)
    }
}

/// What a player is called where there is little room: by the last part of his name, unless both have the same.
pub fn called(table: &Table, color: Color) -> String {
    let last = |color: Color| {
        let name = marked(table.name_of(color));
        name.rsplit(' ').next().filter(|last| last.chars().count() > 2).map(str::to_owned).unwrap_or(name)
    };
    let (name, other) = (last(color), last(color.other()));
    if name == other { marked(table.name_of(color)) } else { name }
}

/// The number of the round of bets that has begun last.
fn street(Stages { names, now }: Stages) -> u32 {
    let bets = names.iter().take(now + 1).filter(|name| **name == "bet").count();
    u32::try_from(bets).unwrap_or(0)
}

/// The number of the move that is to be made, from a position in FEN.
fn turn_of(fen: &str) -> u32 {
    fen.split(' ').nth(5).and_then(|number| number.parse().ok()).unwrap_or(1)
}
