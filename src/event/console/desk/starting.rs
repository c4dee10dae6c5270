//! A round begins: the matches of all boards that are ready are ordered at their tables.

use tabiya_app::hall::{BoardStage, RoundBoard};
use tabiya_engine::rules::Group;
use tabiya_types::{Color, Sentence, say};

use super::ConsoleDesk;
use super::boards::{BOARD_TAG, KnownBook, ROUND_TAG};
use crate::console::beginning::{MatchToBegin, header_to_begin};
use crate::console::ordering::WantedOrder;
use crate::rounds::book::act::Plan;
use crate::rounds::levels::Level;

impl ConsoleDesk {
    /// Orders the matches of all boards that are ready, with this time control. `Err` says why not one was.
    pub(super) fn start_round(&mut self, known: &KnownBook, time: &str) -> Result<(), Sentence> {
        let view = known.view(&self.console.hall());
        let ready: Vec<RoundBoard> =
            view.boards.into_iter().filter(|board| board.stage == BoardStage::Waits(None)).collect();
        if ready.is_empty() {
            return Err(say!(
                "round-none-ready",
                "no table of this round is ready; see what stands beside each"
            ));
        }
        let event = self.console.hall().name.clone();
        let (date, _) = self.console.shared.date();
        for board in ready {
            let Some(table) = board.table else { continue };
            let tags = [
                ("Event", event.clone()),
                (ROUND_TAG, view.round.to_string()),
                (BOARD_TAG, board.board.to_string()),
            ];
            let (white, black) = (&board.players[Color::White].name, &board.players[Color::Black].name);
            let of = MatchToBegin { game: &view.game, time, white, black, tags: &tags };
            let plan = known.book.plan();
            let header = header_to_begin(of, &date, |terms| of_plan(terms, plan))
                .map_err(|why| say!("round-fault", "{why}", why))?;
            let words = format!("begin {} {time} {white} {black}", view.game);
            let order = WantedOrder { lines: vec![header], words, question: None, ago: Some(0), bound: None };
            self.give(table, order);
        }
        Ok(())
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
