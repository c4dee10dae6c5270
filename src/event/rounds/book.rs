//! The book of an event's rounds: a fold over acts. Players, pairs, results and byes are written into a tournament report file; what
//! such a file has no place for (boards, chips) stands beside it.
//!
//! Source: `docs/rounds.md`.

pub mod act;

use std::collections::{BTreeMap, BTreeSet};

use tabiya_types::Color;

use self::act::{BoardResult, Bye, Plan, RoundAct};
use super::crosstable::{Crosstable, RoundResult, System};
use super::standings::{Edition, standings};
use super::trf::player::{MOST_ROUNDS, NewPlayer, PlayerLine, RoundColumns};
use super::trf::{TrfFault, TrfFile};

/// A board of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairedBoard {
    /// White's number.
    pub white: u32,
    /// Black's number.
    pub black: u32,
    /// White's and Black's chips at the end, in an event that counts them.
    pub chips: Option<(u32, u32)>,
    /// Whether nobody came.
    pub forfeits_both: bool,
}

/// The pairs of a round that may still change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairDraft {
    /// White's and Black's numbers, in the order of the boards.
    pub pairs: Vec<(u32, u32)>,
    /// Who has no opponent.
    pub bye: Option<u32>,
}

/// Why an act is refused. Nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookFault {
    /// The file cannot take it.
    #[error(transparent)]
    File(#[from] TrfFault),
    /// There is no such player.
    #[error("there is no player {0}; `tabiya event standings` lists the players")]
    Nobody(u32),
    /// There is no such round or board.
    #[error("round {round} has no board {board}; `tabiya event pair` shows the boards")]
    NoBoard {
        /// The round.
        round: usize,
        /// The board.
        board: usize,
    },
    /// The round is not the next one.
    #[error("round {asked} cannot be paired: the next one is round {next}")]
    NotNext {
        /// Which was asked for.
        asked: usize,
        /// Which is next.
        next: usize,
    },
    /// All rounds have been paired.
    #[error("all {0} rounds have been paired; raise the number of rounds first")]
    AllPaired(usize),
    /// Results are missing.
    #[error("round {round} has no result on board {board}; enter it first")]
    Missing {
        /// The round.
        round: usize,
        /// The first board without a result.
        board: usize,
    },
    /// A player is paired twice, or with himself.
    #[error("player {0} would be paired twice in this round")]
    PairedTwice(u32),
    /// A player has been paired in this round already.
    #[error("player {player} is paired in round {round}; enter a result, or pair the round anew")]
    AlreadyPaired {
        /// The player.
        player: u32,
        /// The round.
        round: usize,
    },
    /// The chips do not add up.
    #[error("{white} and {black} chips do not add up to {sum}")]
    Chips {
        /// White's.
        white: u32,
        /// Black's.
        black: u32,
        /// What they should add up to.
        sum: u64,
    },
    /// The round is none of the event's.
    #[error("round {round} is none of this event; it has rounds 1 to {rounds}")]
    NoRound {
        /// The round that was given.
        round: usize,
        /// How many rounds are planned.
        rounds: usize,
    },
    /// A file was read although rounds have been played.
    #[error(
        "this event has players already; a file is read into a new event, so that nothing played is overwritten"
    )]
    HasPlayers,
    /// The file contradicts itself.
    #[error("{0}; correct the file first")]
    Contradicts(String),
}

/// The book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundBook {
    plan: Plan,
    file: TrfFile,
    rounds: Vec<Vec<PairedBoard>>,
    /// The table of each board that has another number.
    tables: BTreeMap<usize, u16>,
    /// The pairs of the next round that are open for changes by hand.
    draft: Option<PairDraft>,
    /// The players whose points and rank in the file are no longer what they were.
    touched: BTreeSet<u32>,
}

impl RoundBook {
    /// The book of an event that was planned so; `name` and `begins` (`YYYY-MM-DD`) are the event's.
    pub fn new(plan: Plan, name: &str, begins: &str) -> Self {
        let file = TrfFile::begin(name, begins, plan.rounds);
        Self {
            plan,
            file,
            rounds: Vec::new(),
            tables: BTreeMap::new(),
            draft: None,
            touched: BTreeSet::new(),
        }
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The event's name, as its file says.
    pub fn name(&self) -> String {
        self.file.header().name.clone()
    }

    /// The event's first day (`YYYY-MM-DD`), as its file says.
    pub fn begins(&self) -> Option<String> {
        self.file.header().begins.clone()
    }

    /// The players, in the order of the file.
    pub fn players(&self) -> &[PlayerLine] {
        self.file.players()
    }

    /// The tournament as a file, with points and rank of those whose results have changed.
    pub fn file(&self) -> Result<TrfFile, BookFault> {
        let mut file = self.file.clone();
        if self.touched.is_empty() {
            return Ok(file);
        }
        let table = self.crosstable();
        let order = standings(&table, &self.plan.tiebreaks, Edition::on(file.header().begins.as_deref()));
        for standing in order {
            let Some(player) = table.players.get(standing.player) else { continue };
            if self.touched.contains(&player.number) {
                let rank = u32::try_from(standing.rank).unwrap_or(u32::MAX);
                file.set_standing(player.number, standing.points, rank)?;
            }
        }
        Ok(file)
    }

    /// The boards of a round, from 1 on.
    pub fn boards(&self, round: usize) -> &[PairedBoard] {
        round.checked_sub(1).and_then(|nth| self.rounds.get(nth)).map(Vec::as_slice).unwrap_or_default()
    }

    /// How many rounds have been paired.
    pub fn paired(&self) -> usize {
        self.rounds.len()
    }

    /// How a player's round ended; `None` before.
    pub fn result_of(&self, number: u32, round: usize) -> Option<RoundResult> {
        self.columns(number, round).result
    }

    /// Which table a board is played at: the one with its number, unless it was moved.
    pub fn table(&self, board: usize) -> Option<u16> {
        self.tables.get(&board).copied().or_else(|| u16::try_from(board).ok())
    }

    /// The crosstable, by the plan's system.
    pub fn crosstable(&self) -> Crosstable {
        let mut table = self.file.crosstable();
        table.planned = self.plan.rounds.max(table.rounds);
        table.system = match self.plan.system {
            act::EventSystem::RoundRobin => System::RoundRobin,
            act::EventSystem::Swiss | act::EventSystem::KnockOut => System::Swiss,
        };
        table
    }

    /// Carries an act out. On `Err` nothing was changed.
    pub fn apply(&mut self, act: &RoundAct) -> Result<(), BookFault> {
        match act {
            RoundAct::Add { player, from } => self.add(player, *from),
            RoundAct::Pair { round, pairs, bye } => self.pair(*round, pairs, *bye),
            RoundAct::Result { round, board, result, chips } => {
                self.result((*round, *board), *result, *chips)
            }
            RoundAct::ByHand { round, pairs, bye } => {
                self.check_pairs(*round, pairs, *bye)?;
                self.draft = Some(PairDraft { pairs: pairs.clone(), bye: *bye });
                Ok(())
            }
            RoundAct::Bye { player, round, bye } => self.bye(*player, *round, *bye),
            RoundAct::Withdraw { player, from } => self.withdraw(*player, *from),
            RoundAct::Replace { board, old, new } => self.replace(*board, *old, *new),
            RoundAct::Move { board, table } => {
                self.board(self.paired(), *board)?;
                self.tables.insert(*board, *table);
                Ok(())
            }
        }
    }

    /// The book with the tournament of this file. Its boards are numbered by the order of their players in the file.
    pub fn import(&self, file: TrfFile) -> Result<Self, BookFault> {
        if !self.file.players().is_empty() {
            return Err(BookFault::HasPlayers);
        }
        if let Some(fault) = file.faults().into_iter().next() {
            return Err(BookFault::Contradicts(fault));
        }
        let table = file.crosstable();
        if table.planned > MOST_ROUNDS {
            let planned = table.planned;
            let fault = format!("the file plans {planned} rounds, and an event has at most {MOST_ROUNDS}");
            return Err(BookFault::Contradicts(fault));
        }
        let boards = |round: usize| -> Vec<PairedBoard> {
            let pairs = (0..).zip(&table.players).filter_map(|(place, player)| {
                let own = player.round(round);
                let other = own.opponent.filter(|other| *other > place)?;
                let other = table.players.get(other)?.number;
                let (white, black) = match own.color {
                    Some(Color::Black) => (other, player.number),
                    _ => (player.number, other),
                };
                Some(PairedBoard { white, black, chips: None, forfeits_both: false })
            });
            pairs.collect()
        };
        let rounds = (1..=table.rounds).map(boards).collect();
        let mut plan = self.plan.clone();
        plan.rounds = plan.rounds.max(table.planned);
        Ok(Self { plan, file, rounds, tables: BTreeMap::new(), draft: None, touched: BTreeSet::new() })
    }

    fn known(&self, number: u32) -> Result<(), BookFault> {
        let is_known = self.file.players().iter().any(|player| player.number == number);
        if is_known { Ok(()) } else { Err(BookFault::Nobody(number)) }
    }

    fn board(&self, round: usize, board: usize) -> Result<PairedBoard, BookFault> {
        let boards = self.boards(round);
        board
            .checked_sub(1)
            .and_then(|nth| boards.get(nth))
            .copied()
            .ok_or(BookFault::NoBoard { round, board })
    }

    fn columns(&self, number: u32, round: usize) -> RoundColumns {
        let player = self.file.players().iter().find(|player| player.number == number);
        let columns = player.and_then(|player| player.rounds.get(round.checked_sub(1)?));
        columns.copied().unwrap_or_default()
    }

    /// Checks that an act is about one of the planned rounds: a file has columns for every round up to the one that is written.
    fn planned(&self, round: usize) -> Result<(), BookFault> {
        let rounds = self.plan.rounds;
        if (1..=rounds).contains(&round) { Ok(()) } else { Err(BookFault::NoRound { round, rounds }) }
    }

    /// Who comes after the last round has been paired is in the list, and plays none.
    fn add(&mut self, player: &NewPlayer, from: usize) -> Result<(), BookFault> {
        if from > 1 {
            self.planned(from - 1)?;
        }
        self.file.add(player)?;
        for round in 1..from {
            self.absent(player.number, round, RoundResult::ZeroBye)?;
        }
        Ok(())
    }

    fn absent(&mut self, player: u32, round: usize, result: RoundResult) -> Result<(), BookFault> {
        let columns = RoundColumns { opponent: None, color: None, result: Some(result), rated: false };
        Ok(self.file.set_round(player, round, columns)?)
    }

    /// The pairs that are open for changes by hand.
    pub fn draft(&self) -> Option<&PairDraft> {
        self.draft.as_ref()
    }

    /// What arbiters avoid in a pairing: a pair that has met, a third game in a row with the same colour, a second bye. Each is a
    /// sentence.
    pub fn warnings(&self, pairs: &[(u32, u32)], bye: Option<u32>) -> Vec<String> {
        let last = self.paired();
        let mut warnings = Vec::new();
        for (white, black) in pairs {
            let met = (1..=last).find(|round| self.columns(*white, *round).opponent == Some(*black));
            warnings.extend(met.map(|round| format!("{white} and {black} have met in round {round}")));
            for (player, color) in [(*white, Color::White), (*black, Color::Black)] {
                let had = (1..=last).rev().filter_map(|round| self.columns(player, round).color).take(2);
                if had.filter(|had| *had == color).count() == 2 {
                    warnings
                        .push(format!("{player} would have {} for the third time in a row", color.word()));
                }
            }
        }
        let had_bye = |player: u32| {
            (1..=last).find(|round| self.columns(player, *round).result == Some(RoundResult::PairingBye))
        };
        if let Some((player, round)) = bye.and_then(|player| Some((player, had_bye(player)?))) {
            warnings.push(format!("{player} has had the bye of the pairing in round {round}"));
        }
        warnings
    }

    /// Checks the pairs of a round. Returns the players that are paired.
    fn check_pairs(
        &self,
        round: usize,
        pairs: &[(u32, u32)],
        bye: Option<u32>,
    ) -> Result<BTreeSet<u32>, BookFault> {
        let next = self.paired() + 1;
        if next > self.plan.rounds {
            return Err(BookFault::AllPaired(self.plan.rounds));
        }
        if round != next {
            return Err(BookFault::NotNext { asked: round, next });
        }
        if let Some(board) = self.missing(self.paired()) {
            return Err(BookFault::Missing { round: self.paired(), board });
        }
        let mut seen = BTreeSet::new();
        for number in pairs.iter().flat_map(|(white, black)| [*white, *black]).chain(bye) {
            self.known(number)?;
            if !seen.insert(number) {
                return Err(BookFault::PairedTwice(number));
            }
        }
        Ok(seen)
    }

    fn pair(&mut self, round: usize, pairs: &[(u32, u32)], bye: Option<u32>) -> Result<(), BookFault> {
        let seen = self.check_pairs(round, pairs, bye)?;
        for (white, black) in pairs {
            for (own, other, color) in [(*white, *black, Color::White), (*black, *white, Color::Black)] {
                let columns =
                    RoundColumns { opponent: Some(other), color: Some(color), result: None, rated: true };
                self.file.set_round(own, round, columns)?;
            }
        }
        if let Some(player) = bye {
            self.absent(player, round, RoundResult::PairingBye)?;
        }
        let absent: Vec<u32> = self
            .file
            .players()
            .iter()
            .map(|player| player.number)
            .filter(|number| !seen.contains(number))
            .collect();
        for player in absent {
            if self.columns(player, round).result.is_none() {
                self.absent(player, round, RoundResult::ZeroBye)?;
            }
        }
        let boards = pairs.iter().map(|(white, black)| PairedBoard {
            white: *white,
            black: *black,
            chips: None,
            forfeits_both: false,
        });
        self.rounds.push(boards.collect());
        self.tables.clear();
        self.draft = None;
        self.touched.extend(bye);
        Ok(())
    }

    /// The first board of a round without a result.
    pub fn missing(&self, round: usize) -> Option<usize> {
        let open = |board: &PairedBoard| self.columns(board.white, round).result.is_none();
        self.boards(round).iter().position(open).map(|nth| nth + 1)
    }

    fn result(
        &mut self,
        (round, number): (usize, usize),
        result: BoardResult,
        chips: Option<(u32, u32)>,
    ) -> Result<(), BookFault> {
        let board = self.board(round, number)?;
        if let (Some((white, black)), Some(stack)) = (chips, self.plan.stack) {
            let (sum, stack) = (u64::from(white) + u64::from(black), u64::from(stack));
            if sum < 2 * stack || !sum.is_multiple_of(stack) {
                return Err(BookFault::Chips { white, black, sum: 2 * stack });
            }
        }
        let (white, black, rated) = result.results();
        for (own, result) in [(board.white, white), (board.black, black)] {
            let columns = RoundColumns { result: Some(result), rated, ..self.columns(own, round) };
            self.file.set_round(own, round, columns)?;
        }
        let place = round.checked_sub(1).and_then(|nth| self.rounds.get_mut(nth));
        if let Some(kept) = place.and_then(|boards| boards.get_mut(number.checked_sub(1)?)) {
            kept.chips = chips;
            kept.forfeits_both = result == BoardResult::BothForfeit;
        }
        self.touched.extend([board.white, board.black]);
        Ok(())
    }

    fn bye(&mut self, player: u32, round: usize, bye: Bye) -> Result<(), BookFault> {
        self.known(player)?;
        self.planned(round)?;
        if self.columns(player, round).opponent.is_some() {
            return Err(BookFault::AlreadyPaired { player, round });
        }
        self.absent(player, round, bye.result())?;
        self.touched.insert(player);
        Ok(())
    }

    fn withdraw(&mut self, player: u32, from: usize) -> Result<(), BookFault> {
        self.known(player)?;
        self.planned(from)?;
        let rounds = from..=self.plan.rounds;
        if let Some(round) = rounds.clone().find(|round| self.columns(player, *round).opponent.is_some()) {
            return Err(BookFault::AlreadyPaired { player, round });
        }
        for round in rounds {
            self.absent(player, round, RoundResult::ZeroBye)?;
        }
        Ok(())
    }

    /// At this board of the last round, a player takes the place of another one, who is absent.
    fn replace(&mut self, number: usize, old: u32, new: u32) -> Result<(), BookFault> {
        let round = self.paired();
        let board = self.board(round, number)?;
        self.known(new)?;
        if ![board.white, board.black].contains(&old) {
            return Err(BookFault::Nobody(old));
        }
        if self.columns(new, round).opponent.is_some() {
            return Err(BookFault::AlreadyPaired { player: new, round });
        }
        let swap = |one: u32| if one == old { new } else { one };
        let now = PairedBoard {
            white: swap(board.white),
            black: swap(board.black),
            chips: None,
            forfeits_both: false,
        };
        self.absent(old, round, RoundResult::ZeroBye)?;
        for (own, other, color) in
            [(now.white, now.black, Color::White), (now.black, now.white, Color::Black)]
        {
            let columns =
                RoundColumns { opponent: Some(other), color: Some(color), result: None, rated: true };
            self.file.set_round(own, round, columns)?;
        }
        let place = round.checked_sub(1).and_then(|nth| self.rounds.get_mut(nth));
        if let Some(kept) = place.and_then(|boards| boards.get_mut(number.checked_sub(1)?)) {
            *kept = now;
        }
        Ok(())
    }
}
