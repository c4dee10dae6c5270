//! The crosstable: who met whom in which round, and how it ended. Files are read into it, and standings are made from it.
//!
//! Source: TRF26 (results of a round), C.07 art. 16.2 (kinds of unplayed rounds).

use tabiya_types::Color;

use super::points::Points;

/// How a player's round ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum RoundResult {
    /// Won at the board.
    Won,
    /// Drawn at the board.
    Drawn,
    /// Lost at the board.
    Lost,
    /// The opponent did not play.
    WonByForfeit,
    /// The player did not play against his opponent.
    LostByForfeit,
    /// No opponent was left: the pairing-allocated bye.
    PairingBye,
    /// A bye with a whole point.
    FullBye,
    /// A bye with half a point, asked for.
    HalfBye,
    /// A bye without a point: asked for, absent, withdrawn, or not yet there.
    ZeroBye,
    /// Paired, and without a result yet.
    Open,
}

/// One player's round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerRound {
    /// The opponent's place in [`Crosstable::players`], if the player was paired.
    pub opponent: Option<usize>,
    /// The player's colour, if he was paired.
    pub color: Option<Color>,
    /// How it ended.
    pub result: RoundResult,
    /// Whether the game counts for ratings.
    pub rated: bool,
}

impl PlayerRound {
    /// A round in which the player was not there.
    pub const ABSENT: Self = Self { opponent: None, color: None, result: RoundResult::ZeroBye, rated: false };

    /// The opponent of a game that was played at the board.
    pub fn met(&self) -> Option<usize> {
        let at_board = matches!(self.result, RoundResult::Won | RoundResult::Drawn | RoundResult::Lost);
        self.opponent.filter(|_| at_board)
    }

    /// Whether the player left the round unplayed of his own will (C.07 art. 16.2): a bye that he asked for, an absence, or a game
    /// that he lost by forfeit.
    pub fn is_voluntarily_unplayed(&self) -> bool {
        matches!(self.result, RoundResult::HalfBye | RoundResult::ZeroBye | RoundResult::LostByForfeit)
    }
}

/// What each result is worth. The usual score is 1, ½, 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scoring {
    /// A win.
    pub win: Points,
    /// A draw, and a bye with half a point.
    pub draw: Points,
    /// A game lost at the board.
    pub loss: Points,
    /// An absence, and a game lost by forfeit.
    pub absent: Points,
    /// The pairing-allocated bye.
    pub pairing_bye: Points,
}

impl Default for Scoring {
    fn default() -> Self {
        Self {
            win: Points::ONE,
            draw: Points::HALF,
            loss: Points::ZERO,
            absent: Points::ZERO,
            pairing_bye: Points::ONE,
        }
    }
}

impl Scoring {
    /// The points for this result.
    pub fn of(&self, result: RoundResult) -> Points {
        match result {
            RoundResult::Won | RoundResult::WonByForfeit | RoundResult::FullBye => self.win,
            RoundResult::Drawn | RoundResult::HalfBye => self.draw,
            RoundResult::Lost => self.loss,
            RoundResult::Open => Points::ZERO,
            RoundResult::LostByForfeit | RoundResult::ZeroBye => self.absent,
            RoundResult::PairingBye => self.pairing_bye,
        }
    }
}

/// One player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// The number in the list of players, from 1 on; pairings and files name the player by it.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The rating; `None` without one.
    pub rating: Option<u32>,
    /// Points that no round gave, such as those of a ruling.
    pub adjustment: Points,
    /// The rounds, from the first on.
    pub rounds: Vec<PlayerRound>,
}

impl Entrant {
    /// The player's round with this number, from 1 on. A round that is not there was not played.
    pub fn round(&self, number: usize) -> PlayerRound {
        number.checked_sub(1).and_then(|nth| self.rounds.get(nth)).copied().unwrap_or(PlayerRound::ABSENT)
    }
}

/// By which system players meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum System {
    /// The pairs of a round follow from the results so far.
    #[default]
    Swiss,
    /// Everybody meets everybody.
    RoundRobin,
}

impl System {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Swiss => "swiss",
            Self::RoundRobin => "round-robin",
        }
    }

    /// Reads its word.
    pub fn read(word: &str) -> Option<Self> {
        [Self::Swiss, Self::RoundRobin].into_iter().find(|system| system.word() == word)
    }
}

/// The players, their rounds, and what results are worth.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Crosstable {
    /// The players, in the order of their numbers.
    pub players: Vec<Entrant>,
    /// How many rounds have been paired.
    pub rounds: usize,
    /// How many rounds are planned; at least [`Self::rounds`].
    pub planned: usize,
    /// What results are worth.
    pub scoring: Scoring,
    /// The system.
    pub system: System,
}

impl Crosstable {
    /// The table after this round. What came later is not there yet.
    #[must_use]
    pub fn after(&self, round: usize) -> Self {
        let rounds = round.min(self.rounds);
        let mut table = self.clone();
        table.rounds = rounds;
        for player in &mut table.players {
            player.rounds.truncate(rounds);
        }
        table
    }

    /// The points of this player after all rounds of the table.
    pub fn points(&self, player: &Entrant) -> Points {
        let rounds: Points =
            (1..=self.rounds).map(|number| self.scoring.of(player.round(number).result)).sum();
        rounds + player.adjustment
    }

    /// What contradicts itself: pairs that only one of the two has, and results that do not fit each other. Each is a sentence that
    /// names round and players.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for number in 1..=self.rounds {
            for (place, player) in self.players.iter().enumerate() {
                if let Some(fault) = self.fault(number, place, player) {
                    faults.push(fault);
                }
            }
        }
        faults
    }

    /// What is wrong with this player's round. A pair is looked at once, from its lower number, unless only one of the two has it.
    fn fault(&self, number: usize, place: usize, player: &Entrant) -> Option<String> {
        let own = player.round(number);
        let opponent = own.opponent?;
        let other = self.players.get(opponent)?;
        let (me, them) = (player.number, other.number);
        if opponent == place {
            return Some(format!("round {number}: {me} meets {me}"));
        }
        let theirs = other.round(number);
        let Some(back) = theirs.opponent else {
            return Some(format!("round {number}: {me} meets {them}, who meets nobody"));
        };
        if back != place {
            let third = self.players.get(back).map_or(0, |player| player.number);
            return Some(format!("round {number}: {me} meets {them}, who meets {third}"));
        }
        if place > opponent {
            return None;
        }
        if own.color.is_some() && own.color == theirs.color {
            let color = own.color.map_or("", Color::word);
            return Some(format!("round {number}: {me} and {them} both have {color}"));
        }
        let fits = match own.result {
            RoundResult::Won => theirs.result == RoundResult::Lost,
            RoundResult::Lost => matches!(theirs.result, RoundResult::Won | RoundResult::Lost),
            RoundResult::Drawn => theirs.result == RoundResult::Drawn,
            RoundResult::WonByForfeit => theirs.result == RoundResult::LostByForfeit,
            RoundResult::LostByForfeit => {
                matches!(theirs.result, RoundResult::WonByForfeit | RoundResult::LostByForfeit)
            }
            RoundResult::Open => theirs.result == RoundResult::Open,
            RoundResult::PairingBye | RoundResult::FullBye | RoundResult::HalfBye | RoundResult::ZeroBye => {
                false
            }
        };
        (!fits).then(|| format!("round {number}: the results of {me} and {them} do not fit each other"))
    }
}
