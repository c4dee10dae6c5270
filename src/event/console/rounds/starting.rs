//! A round begins: the matches of all boards that are ready are ordered at their tables.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use tabiya_app::hall::{BoardStage, RoundBoard, RoundWish};
use tabiya_engine::rules::Group;
use tabiya_types::{Color, Sentence, say};

use super::boards::{BOARD_TAG, KnownBook, ROUND_TAG, is_free};
use super::keeper::{KnownRounds, as_said};
use crate::console::beginning::{MatchToBegin, header_to_begin};
use crate::console::ordering::{OrderFault, WantedOrder};
use crate::console::serve::Console;
use crate::console::shared::Shared;
use crate::rounds::book::act::Plan;
use crate::rounds::levels::Level;

/// A round that begins.
#[derive(Debug)]
pub(super) struct StartingRound {
    round: usize,
    time: String,
    /// The default time in seconds; it is sent with each match, also if it is zero.
    default_s: u32,
    arbiter: String,
    /// Until when tables are waited for, in ms of the console's own time.
    until: u64,
    /// The tables whose match, in which nothing was played, was ended.
    ended: BTreeSet<u16>,
    /// The boards whose match was ordered.
    ordered: BTreeSet<usize>,
}

/// How long a table may take to end a match in which nothing was played, in ms.
const PATIENCE: u64 = 10_000;

impl StartingRound {
    /// Begins the round of this view. `Err` if no board is ready, or no match can begin so.
    pub(super) fn begin(
        known: &KnownBook,
        (time, default_s): (&str, u32),
        arbiter: &str,
        shared: &Shared,
    ) -> Result<Self, Sentence> {
        let view = known.view(&shared.hall());
        let Some(first) = view.boards.iter().find(|board| board.stage == BoardStage::Waits(None)) else {
            return Err(say!(
                "round-none-ready",
                "no table of this round is ready; see what stands beside each"
            ));
        };
        let started = Self {
            round: view.round,
            time: time.to_owned(),
            default_s,
            arbiter: arbiter.to_owned(),
            until: shared.now() + PATIENCE,
            ended: BTreeSet::new(),
            ordered: BTreeSet::new(),
        };
        started.header(first, known, shared).map(|_| started)
    }

    /// Orders what can be ordered now: the match of each board whose table is free; a match in which nothing was played is ended
    /// before. Returns whether that was all.
    pub(super) fn go_on(&mut self, known: &KnownBook, shared: &Shared) -> Result<bool, Sentence> {
        let view = known.view(&shared.hall());
        let waits = |board: &&RoundBoard| board.stage == BoardStage::Waits(None);
        let open: Vec<&RoundBoard> = view.boards.iter().filter(waits).collect();
        if view.round != self.round || open.is_empty() || shared.now() > self.until {
            return Ok(true);
        }
        for board in &open {
            let Some(table) = board.table.filter(|_| !self.ordered.contains(&board.board)) else { continue };
            let is_free = shared.hall().tables.get(&table).is_some_and(is_free);
            if is_free {
                let header = self.header(board, known, shared)?;
                self.ordered.insert(board.board);
                let names = Color::ALL.map(|color| board.players[color].name.as_str()).join(" ");
                let words = format!("begin {} {} {names}", view.game, self.time);
                let order =
                    WantedOrder { lines: vec![header], words, question: None, ago: Some(0), bound: None };
                shared.give(table, order, (&self.arbiter, false)).map_err(|fault| fault.in_words())?;
            } else if self.ended.insert(table) {
                let now = shared.now();
                let order = shared.hall().wanted(table, "end the round begins", now);
                let order = order.map_err(|fault| fault.in_words())?;
                shared.give(table, order, (&self.arbiter, false)).map_err(|fault| fault.in_words())?;
            }
        }
        Ok(open.iter().all(|board| self.ordered.contains(&board.board)))
    }

    fn header(
        &self,
        board: &RoundBoard,
        known: &KnownBook,
        shared: &Shared,
    ) -> Result<Map<String, Value>, Sentence> {
        let (date, _) = shared.date();
        let tags = [
            ("Event", shared.hall().name.clone()),
            (ROUND_TAG, self.round.to_string()),
            (BOARD_TAG, board.board.to_string()),
        ];
        let plan = known.book.plan();
        let (white, black) = (&board.players[Color::White].name, &board.players[Color::Black].name);
        let of = MatchToBegin { game: &plan.game, time: &self.time, white, black, tags: &tags };
        let set = |terms: &mut Group| {
            of_plan(terms, plan);
            terms.set("default_s", self.default_s);
        };
        header_to_begin(of, &date, set).map_err(as_said)
    }
}

impl Console {
    /// What is known of the event's rounds.
    pub fn rounds(&self) -> KnownRounds {
        self.keeper().known()
    }

    /// Carries out what this arbiter wants of the rounds, in its turn. What cannot be done is said in [`Console::rounds`].
    pub fn round(&self, wish: RoundWish, arbiter: &str) {
        self.keeper().wish(wish, arbiter);
    }

    /// Gives an order, and notes it in the event's journal.
    pub fn give(&self, table: u16, wanted: WantedOrder, arbiter: &str) -> Result<(), OrderFault> {
        self.shared.give(table, wanted, (arbiter, false))
    }
}

/// The terms that the event's plan sets: one game in chess, the stacks and the first blind in a game with chips. Levels of one length
/// run at the table by themselves; others are told from the desk.
fn of_plan(terms: &mut Group, plan: &Plan) {
    let Some(stack) = plan.stack else {
        terms.set("games", 1_u32);
        return;
    };
    let mut stacks = Group::default();
    stacks.set("A", stack);
    stacks.set("B", stack);
    terms.set("stacks", stacks);
    let mut lengths = Vec::new();
    let mut small_blinds = Vec::new();
    for level in &plan.levels {
        let Level::Blinds { seconds, small, .. } = level else { continue };
        lengths.push(*seconds);
        small_blinds.push(*small);
    }
    let Some(first) = small_blinds.first().copied() else { return };
    terms.set("small_blind", first);
    let breaks = lengths.len() != plan.levels.len();
    let (last, equal) = (lengths.len().saturating_sub(1), lengths.first().copied());
    let even = lengths.iter().take(last).all(|length| Some(*length) == equal);
    if let Some(seconds) =
        equal.filter(|_| last > 0 && even && !breaks && small_blinds.iter().all(|small| small % first == 0))
    {
        let mut blinds = Group::default();
        blinds.set("every", seconds);
        blinds.set("levels", small_blinds.iter().map(|small| small / first).collect::<Vec<_>>());
        terms.set("blinds", blinds);
    }
}
