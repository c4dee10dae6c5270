//! The rounds of an event as the fronts of a console show them: the boards of the round with their results, who is not paired, and the
//! standings; and what people want of them.
//!
//! Source: `docs/rounds.md`, `docs/event.md`, "Rounds at the desk".

use std::sync::Arc;

use tabiya_types::{ByColor, Color};

/// The rounds of an event.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RoundsView {
    /// The system: `swiss`, `round-robin` or `knock-out`.
    pub system: &'static str,
    /// The word of the game.
    pub game: String,
    /// Whether results are chips.
    pub chips: bool,
    /// How many rounds are planned.
    pub planned: usize,
    /// How many players there are.
    pub players: usize,
    /// The round that was paired last; 0 before the first.
    pub round: usize,
    /// Its boards, by their numbers.
    pub boards: Vec<RoundBoard>,
    /// Who has no board in it.
    pub unpaired: Arc<Vec<Unpaired>>,
    /// The standings, as far as results are known.
    pub standings: Arc<Vec<PlaceRow>>,
    /// The codes of the tie-breaks that have a value, in their order.
    pub tiebreaks: Vec<String>,
    /// The edition of the regulations for tie-breaks, by its year.
    pub edition: &'static str,
}

/// A board of the round.
#[derive(Clone, PartialEq, Debug)]
pub struct RoundBoard {
    /// Its number, from 1.
    pub board: usize,
    /// The table at which it is played, if the number is one of a table.
    pub table: Option<u16>,
    /// The players.
    pub players: ByColor<Contender>,
    /// How far it is.
    pub stage: BoardStage,
}

/// A player at a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contender {
    /// The number in the list of players.
    pub number: u32,
    /// The name, safe to show.
    pub name: String,
    /// The points before the round, as they are written: `3½`.
    pub points: String,
}

/// How far a board is.
#[derive(Clone, PartialEq, Debug)]
pub enum BoardStage {
    /// Its match has not begun. The reason why it cannot be started from here, if it cannot.
    Waits(Option<NotReady>),
    /// Its match is played.
    Plays,
    /// Its match is over at the table, and who has confirmed the result there.
    Ended(BoardScore, ByColor<bool>),
    /// Its result counts.
    Counts(BoardScore),
}

/// Why a match cannot be started at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotReady {
    /// There is no such table.
    NoTable,
    /// The table has no link.
    NotHere,
    /// Another match is played there.
    Busy,
}

/// The score of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardScore {
    /// The word of the result, as in tournament report files: `1-0`, `1/2`, `+--`.
    pub word: &'static str,
    /// Chips at the end, in an event that counts them.
    pub chips: Option<ByColor<u32>>,
    /// Who has won; `None` if nobody has.
    pub winner: Option<Color>,
}

/// A player without a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unpaired {
    /// The name, safe to show.
    pub name: String,
    /// Why: `U` the pairing's bye, `H` half a point, `F` a point, `Z` none.
    pub bye: char,
}

/// A place in the standings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceRow {
    /// The rank; equal players have the same.
    pub rank: usize,
    /// Whether another player has the same rank.
    pub shared: bool,
    /// By how many places the player has gone up since the last round; negative: down. `None` before there is one.
    pub moved: Option<i32>,
    /// The number in the list of players.
    pub number: u32,
    /// The name, safe to show.
    pub name: String,
    /// The rating.
    pub rating: Option<u32>,
    /// The points, as they are written.
    pub points: String,
    /// The values of the tie-breaks; empty where one has none.
    pub values: Vec<String>,
    /// Each round so far: what it was, and what it gave.
    pub course: Vec<RoundPlayed>,
}

/// What a player did in a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundPlayed {
    /// The opponent's number, with whom the player was paired.
    pub opponent: Option<u32>,
    /// The player's colour.
    pub color: Option<Color>,
    /// The sign of the result: `1 0 ½ + – *` and empty without one.
    pub sign: &'static str,
}

/// What people want of the rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RoundWish {
    /// Plan the rounds: the system's word, how many, and the game's word.
    Plan(String, usize, String),
    /// Enter players, one in each line; a rating may stand behind a semicolon.
    Players(String),
    /// Pair the next round.
    Pair,
    /// Start the matches of all boards that are ready, with this time control and this default time in seconds: who comes later
    /// loses, if the arbiter rules so (Laws of Chess, 6.7.1).
    Start(String, u32),
    /// This result counts at this board: the result's word, chips, why.
    Result(usize, String, Option<ByColor<u32>>, String),
}

/// The longest default time, in minutes.
const LONGEST_DEFAULT: u32 = 999;

/// A default time of so many minutes, in seconds; `None` if it is too long.
pub fn default_seconds(minutes: u32) -> Option<u32> {
    (minutes <= LONGEST_DEFAULT).then_some(minutes * 60)
}

impl RoundsView {
    /// How many boards have no result that counts.
    pub fn missing(&self) -> usize {
        self.boards.iter().filter(|board| !matches!(board.stage, BoardStage::Counts(_))).count()
    }

    /// How many boards can be started now.
    pub fn ready(&self) -> usize {
        self.boards.iter().filter(|board| board.stage == BoardStage::Waits(None)).count()
    }

    /// The board with this number.
    pub fn board(&self, number: usize) -> Option<&RoundBoard> {
        self.boards.iter().find(|board| board.board == number)
    }
}

impl BoardStage {
    /// The result, whether it counts already or not.
    pub fn score(&self) -> Option<&BoardScore> {
        match self {
            Self::Ended(score, _) | Self::Counts(score) => Some(score),
            Self::Waits(_) | Self::Plays => None,
        }
    }
}

impl Unpaired {
    /// The id of the words for why.
    pub fn why(&self) -> &'static str {
        match self.bye {
            'U' => "round-bye-pairing",
            'H' => "round-bye-half",
            'F' => "round-bye-full",
            _ => "round-bye-zero",
        }
    }
}

impl BoardScore {
    /// The score in figures: `1 : 0`.
    pub fn shown(&self) -> String {
        format!("{} : {}", self.of(Color::White), self.of(Color::Black))
    }

    /// What stands at each player: chips, or `1`, `½`, `0`, `+`, `–`.
    pub fn of(&self, color: Color) -> String {
        if let Some(chips) = self.chips {
            return chips[color].to_string();
        }
        let (white, black) = match self.word {
            "1-0" | "w" => ("1", "0"),
            "0-1" | "l" => ("0", "1"),
            "+--" => ("+", "–"),
            "--+" => ("–", "+"),
            "---" => ("–", "–"),
            _ => ("½", "½"),
        };
        if color == Color::White { white.to_owned() } else { black.to_owned() }
    }
}
