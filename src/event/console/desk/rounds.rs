//! The rounds at the desk: the book is read, rounds are paired and acts are written on a thread of its own, so that the desk waits
//! neither for the disk nor for a pairing engine.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tabiya_app::hall::{BoardScore, RoundWish};
use tabiya_types::{ByColor, Sentence, say};

use super::boards::KnownBook;
use crate::console::rounds::engine::pair;
use crate::console::rounds::{ActedBy, RoundsFault};
use crate::console::shared::Shared;
use crate::rounds::book::act::{BoardResult, EventSystem, Plan, RoundAct};
use crate::rounds::csv::read;
use crate::rounds::standings::code::TieBreak;
use crate::rounds::trf::player::NewPlayer;

/// How often the book is looked at although nobody wants anything: a command may have written.
const LOOK: Duration = Duration::from_millis(400);
/// The tie-breaks of an event that is planned at the desk.
const USUAL: &str = "BH/C1,BH,SB,DE";

/// What the thread knows.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownRounds {
    /// `None` if the event has no plan.
    pub(super) book: Option<Arc<KnownBook>>,
    /// Why the last wish was not carried out.
    pub(super) fault: Option<Sentence>,
}

/// What is to be done.
#[derive(Debug)]
enum RoundTask {
    /// What the arbiter wants.
    Wish(RoundWish),
    /// A result that both players have confirmed at their table: the round, the board, the table, the match.
    Confirmed(usize, usize, BoardScore, (u16, String)),
}

/// Keeps the rounds of an event.
#[derive(Debug)]
pub(super) struct RoundKeeper {
    /// `None` if the system provides no thread: then there are no rounds at the desk.
    ask: Option<Sender<RoundTask>>,
    known: Arc<Mutex<KnownRounds>>,
}

impl RoundKeeper {
    /// Reads the rounds of this console's event; `arbiter` acts.
    pub(super) fn start(shared: Arc<Shared>, arbiter: &str) -> Self {
        let (ask, tasks) = channel();
        let known = Arc::new(Mutex::new(KnownRounds::default()));
        let work = Work { shared, arbiter: arbiter.to_owned(), known: Arc::clone(&known), version: None };
        let thread = std::thread::Builder::new().name("rounds".to_owned()).spawn(move || work.run(&tasks));
        Self { ask: thread.is_ok().then_some(ask), known }
    }

    /// What is known now.
    pub(super) fn known(&self) -> KnownRounds {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Carries a wish out, in its turn.
    pub(super) fn wish(&self, wish: RoundWish) {
        self.send(RoundTask::Wish(wish));
    }

    /// Keeps a result that both players have confirmed in this match of this table.
    pub(super) fn confirmed(&self, (round, board): (usize, usize), score: BoardScore, of: (u16, String)) {
        self.send(RoundTask::Confirmed(round, board, score, of));
    }

    /// Says why something about the rounds was not done.
    pub(super) fn fault(&self, says: Option<Sentence>) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).fault = says;
    }

    fn send(&self, task: RoundTask) {
        if let Some(ask) = &self.ask {
            // A thread that has ended has left what it knew.
            let _ = ask.send(task);
        }
    }
}

/// What the thread works with.
struct Work {
    shared: Arc<Shared>,
    arbiter: String,
    known: Arc<Mutex<KnownRounds>>,
    /// The version of the rounds that was read last.
    version: Option<u64>,
}

impl Work {
    fn run(mut self, tasks: &Receiver<RoundTask>) {
        self.look();
        loop {
            match tasks.recv_timeout(LOOK) {
                Ok(task) => {
                    let done = self.carry_out(task);
                    self.know(|known| known.fault = done.err().map(|fault| in_words(&fault)));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.look();
        }
    }

    fn know(&self, change: impl FnOnce(&mut KnownRounds)) {
        change(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Reads the book anew, if it has changed.
    fn look(&mut self) {
        let (version, folder) = {
            let event = self.shared.event();
            (event.rounds_version(), event.of_folder())
        };
        if self.version == Some(version) {
            return;
        }
        self.version = Some(version);
        match folder.rounds() {
            Ok(book) => {
                let known = Arc::new(KnownBook::of(book));
                self.know(|before| before.book = Some(known));
            }
            Err(RoundsFault::NoPlan) => self.know(|before| before.book = None),
            Err(fault) => self.know(|before| before.fault = Some(in_words(&fault))),
        }
    }

    fn carry_out(&self, task: RoundTask) -> Result<(), RoundsFault> {
        match task {
            RoundTask::Confirmed(round, board, score, (table, uid)) => {
                let Some(act) = result(round, board, score.word, score.chips) else { return Ok(()) };
                // One match gives one result, however often it is seen.
                let id = format!("table-{table}-{round}-{board}-{uid}");
                self.act(&act, (&format!("table {table}"), "", &id))
            }
            RoundTask::Wish(wish) => self.wish(wish),
        }
    }

    fn wish(&self, wish: RoundWish) -> Result<(), RoundsFault> {
        match wish {
            RoundWish::Plan(system, rounds, game) => self.plan(&system, rounds, game),
            RoundWish::Players(text) => self.players(&text),
            RoundWish::Pair => {
                let Some(known) = self.book() else { return Err(RoundsFault::NoPlan) };
                let paired = pair(&known.book, None, None)
                    .map_err(|fault| RoundsFault::Answered(fault.to_string()))?;
                let round = known.book.paired() + 1;
                self.own_act(&RoundAct::Pair { round, pairs: paired.pairs, bye: paired.bye }, "")
            }
            RoundWish::Result(board, word, chips, why) => {
                let round = self.book().map_or(0, |known| known.book.paired());
                match result(round, board, &word, chips) {
                    Some(act) => self.own_act(&act, &why),
                    None => Ok(()),
                }
            }
            RoundWish::Withdraw(player, why) => {
                let from = self.book().map_or(1, |known| known.book.paired() + 1);
                self.own_act(&RoundAct::Withdraw { player, from }, &why)
            }
            // Orders to tables are the desk's own.
            RoundWish::Start(_) => Ok(()),
        }
    }

    fn book(&self) -> Option<Arc<KnownBook>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).book.clone()
    }

    fn own_act(&self, act: &RoundAct, why: &str) -> Result<(), RoundsFault> {
        let (_, unix_ms) = self.shared.date();
        let id = format!("desk-{unix_ms:x}-{}", self.shared.now());
        self.act(act, (&self.arbiter, why, &id))
    }

    fn act(&self, act: &RoundAct, (who, why, id): (&str, &str, &str)) -> Result<(), RoundsFault> {
        let (date, unix_ms) = self.shared.date();
        self.shared.event().act(act, ActedBy { who, why, id }, (unix_ms, &date))
    }

    fn plan(&self, system: &str, rounds: usize, game: String) -> Result<(), RoundsFault> {
        let (Some(system), Ok(tiebreaks)) = (EventSystem::read(system), TieBreak::list(USUAL)) else {
            return Ok(());
        };
        let plan = Plan { system, rounds, game, stack: None, tiebreaks, levels: Vec::new(), money: None };
        let (date, unix_ms) = self.shared.date();
        let by = ActedBy { who: &self.arbiter, why: "", id: "" };
        self.shared.event().plan(&plan, by, (unix_ms, &date))
    }

    /// Enters the players of a list that was typed or pasted.
    fn players(&self, text: &str) -> Result<(), RoundsFault> {
        let Some(known) = self.book() else { return Err(RoundsFault::NoPlan) };
        let has_head = text.trim_start().to_lowercase().starts_with("no;")
            || text.lines().next().is_some_and(|line| {
                let line = line.to_lowercase();
                line.contains("name") && line.contains(';')
            });
        let with_head = if has_head { text.to_owned() } else { format!("name;rating\n{text}") };
        let list = read(with_head.as_bytes()).map_err(|fault| RoundsFault::Answered(fault.to_string()))?;
        let mut number = known.book.players().iter().map(|player| player.number).max().unwrap_or(0);
        let from = known.book.paired() + 1;
        for listed in list.players {
            number += 1;
            let player =
                NewPlayer { number, name: listed.name, rating: listed.rating, federation: listed.federation };
            let id = format!("desk-add-{number}-{}", self.shared.now());
            self.act(&RoundAct::Add { player, from }, (&self.arbiter, "", &id))?;
        }
        Ok(())
    }
}

fn result(round: usize, board: usize, word: &str, chips: Option<ByColor<u32>>) -> Option<RoundAct> {
    let result = BoardResult::read(word)?;
    let chips = chips.map(|chips| (chips.white, chips.black));
    Some(RoundAct::Result { round, board, result, chips })
}

fn in_words(fault: &RoundsFault) -> Sentence {
    say!("round-fault", "{why}", why = fault.to_string())
}
