//! The rounds of a running console: the book is read, rounds are paired and acts are written on a thread of its own, so that neither
//! the links nor the desk wait for the disk or for a pairing engine. What both players of a board have confirmed at their table counts
//! by itself.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tabiya_app::hall::RoundWish;
use tabiya_engine::rules::presets;
use tabiya_types::{ByColor, Sentence, say};

use super::boards::KnownBook;
use super::engine::pair;
use super::starting::StartingRound;
use super::{ActedBy, RoundsFault};
use crate::console::shared::Shared;
use crate::rounds::book::act::{BoardResult, EventSystem, Plan, RoundAct};
use crate::rounds::csv::read;
use crate::rounds::standings::code::TieBreak;
use crate::rounds::trf::player::NewPlayer;

/// How often the book is looked at although nobody wants anything: a command may have written.
const LOOK: Duration = Duration::from_millis(400);
/// The tie-breaks of an event that is planned at the desk.
const USUAL: &str = "BH/C1,BH,SB,DE";

/// What is known of the rounds.
#[derive(Clone, Debug, Default)]
pub struct KnownRounds {
    /// The book; `None` if the event has no plan.
    pub book: Option<Arc<KnownBook>>,
    /// Why the last wish was not carried out.
    pub fault: Option<Sentence>,
}

/// Keeps the rounds of an event. It ends with its console.
#[derive(Debug)]
pub(in crate::console) struct RoundKeeper {
    /// Who wants what; `None` if the system provides no thread: then there are no rounds at this console.
    ask: Option<Sender<(RoundWish, String)>>,
    known: Arc<Mutex<KnownRounds>>,
    thread: Option<JoinHandle<()>>,
}

impl RoundKeeper {
    /// Reads the rounds of this console's event.
    pub(in crate::console) fn start(shared: Arc<Shared>) -> Self {
        let (ask, wishes) = channel();
        let known = Arc::new(Mutex::new(KnownRounds::default()));
        let work = Work {
            shared,
            known: Arc::clone(&known),
            version: None,
            confirmed: BTreeSet::new(),
            starting: None,
        };
        let thread = std::thread::Builder::new().name("rounds".to_owned()).spawn(move || work.run(&wishes));
        Self { ask: thread.is_ok().then_some(ask), known, thread: thread.ok() }
    }

    /// What is known now.
    pub(in crate::console) fn known(&self) -> KnownRounds {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Carries a wish of this arbiter out, in its turn.
    pub(in crate::console) fn wish(&self, wish: RoundWish, arbiter: &str) {
        if let Some(ask) = &self.ask {
            // A thread that has ended has left what it knew.
            let _ = ask.send((wish, arbiter.to_owned()));
        }
    }
}

impl Drop for RoundKeeper {
    fn drop(&mut self) {
        drop(self.ask.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What the thread works with.
struct Work {
    shared: Arc<Shared>,
    known: Arc<Mutex<KnownRounds>>,
    /// The version of the rounds that was read last.
    version: Option<u64>,
    /// The results of tables that were taken over: round, board and match.
    confirmed: BTreeSet<(usize, usize, String)>,
    /// The round that begins just now.
    starting: Option<StartingRound>,
}

impl Work {
    fn run(mut self, wishes: &Receiver<(RoundWish, String)>) {
        self.look();
        loop {
            match wishes.recv_timeout(LOOK) {
                Ok((wish, arbiter)) => {
                    let done = self.wish(wish, &arbiter);
                    self.know(|known| known.fault = done.err().map(|fault| in_words(&fault)));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.look();
            self.take_over();
            self.go_on_starting();
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

    /// Takes over what both players of a board have confirmed at their table. One match gives one result, however often it is seen.
    fn take_over(&mut self) {
        let Some(known) = self.book() else { return };
        let confirmed = known.confirmed(&self.shared.hall());
        for ((round, board), score, (table, uid)) in confirmed {
            if !self.confirmed.insert((round, board, uid.clone())) {
                continue;
            }
            let Some(act) = result(round, board, score.word, score.chips) else { continue };
            let id = format!("table-{table}-{round}-{board}-{uid}");
            let done = self.act(&act, (&format!("table {table}"), "", &id));
            if let Err(fault) = done {
                self.know(|known| known.fault = Some(in_words(&fault)));
            }
        }
    }

    /// Orders what of the round that begins can be ordered now.
    fn go_on_starting(&mut self) {
        let Some((mut starting, known)) = self.starting.take().zip(self.book()) else { return };
        match starting.go_on(&known, &self.shared) {
            Ok(true) => {}
            Ok(false) => self.starting = Some(starting),
            Err(fault) => self.know(|known| known.fault = Some(fault)),
        }
    }

    fn start(&mut self, terms: (&str, u32), arbiter: &str) -> Result<(), RoundsFault> {
        let Some(known) = self.book() else { return Err(RoundsFault::NoPlan) };
        let starting = StartingRound::begin(&known, terms, arbiter, &self.shared);
        self.starting = Some(starting.map_err(|why| RoundsFault::Answered(why.to_string()))?);
        Ok(())
    }

    fn wish(&mut self, wish: RoundWish, arbiter: &str) -> Result<(), RoundsFault> {
        match wish {
            RoundWish::Plan(system, rounds, game) => self.plan((&system, rounds, game), arbiter),
            RoundWish::Players(text) => self.players(&text, arbiter),
            RoundWish::Pair => {
                let Some(known) = self.book() else { return Err(RoundsFault::NoPlan) };
                let paired = pair(&known.book, None, None)
                    .map_err(|fault| RoundsFault::Answered(fault.to_string()))?;
                let round = known.book.paired() + 1;
                self.own_act(&RoundAct::Pair { round, pairs: paired.pairs, bye: paired.bye }, (arbiter, ""))
            }
            RoundWish::Result(board, word, chips, why) => {
                let round = self.book().map_or(0, |known| known.book.paired());
                match result(round, board, &word, chips) {
                    Some(act) => self.own_act(&act, (arbiter, &why)),
                    None => Ok(()),
                }
            }
            RoundWish::Start(time, default_s) => self.start((&time, default_s), arbiter),
        }
    }

    fn book(&self) -> Option<Arc<KnownBook>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).book.clone()
    }

    fn own_act(&self, act: &RoundAct, (arbiter, why): (&str, &str)) -> Result<(), RoundsFault> {
        let (_, unix_ms) = self.shared.date();
        let id = format!("desk-{unix_ms:x}-{}", self.shared.now());
        self.act(act, (arbiter, why, &id))
    }

    fn act(&self, act: &RoundAct, (who, why, id): (&str, &str, &str)) -> Result<(), RoundsFault> {
        let (date, unix_ms) = self.shared.date();
        self.shared.event().act(act, ActedBy { who, why, id }, (unix_ms, &date))
    }

    fn plan(&self, (system, rounds, game): (&str, usize, String), arbiter: &str) -> Result<(), RoundsFault> {
        let (Some(system), Ok(tiebreaks)) = (EventSystem::read(system), TieBreak::list(USUAL)) else {
            return Ok(());
        };
        let stack = usual_stack(&game);
        let plan = Plan { system, rounds, game, stack, tiebreaks, levels: Vec::new(), money: None };
        let (date, unix_ms) = self.shared.date();
        let by = ActedBy { who: arbiter, why: "", id: "" };
        self.shared.event().plan(&plan, by, (unix_ms, &date))
    }

    /// Enters the players of a list that was typed or pasted.
    fn players(&self, text: &str, arbiter: &str) -> Result<(), RoundsFault> {
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
        let entered = list.players.into_iter().map(|listed| {
            number += 1;
            let player =
                NewPlayer { number, name: listed.name, rating: listed.rating, federation: listed.federation };
            RoundAct::Add { player, from }
        });
        let entered: Vec<RoundAct> = entered.collect();
        let (date, unix_ms) = self.shared.date();
        let id = format!("desk-add-{unix_ms:x}-{}", self.shared.now());
        self.shared.event().acts(&entered, ActedBy { who: arbiter, why: "", id: &id }, (unix_ms, &date))
    }
}

fn result(round: usize, board: usize, word: &str, chips: Option<ByColor<u32>>) -> Option<RoundAct> {
    let result = BoardResult::read(word)?;
    let chips = chips.map(|chips| (chips.white, chips.black));
    Some(RoundAct::Result { round, board, result, chips })
}

/// The chips with which a player usually begins a match of this game; `None` in a game without chips.
fn usual_stack(game: &str) -> Option<u32> {
    let terms = presets::terms(None, game)?;
    let stacks = terms.get("stacks")?.as_group()?;
    stacks.get("A")?.as_number().and_then(|chips| u32::try_from(chips).ok())
}

fn in_words(fault: &RoundsFault) -> Sentence {
    as_said(fault.to_string())
}

/// What was said by who is asked for it.
pub(super) fn as_said(why: String) -> Sentence {
    say!("round-fault", "{why}", why)
}
