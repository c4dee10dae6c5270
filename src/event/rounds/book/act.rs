//! Acts of an event's rounds, as they stand in its journal: `do` is the act's word, and each act has its facts beside it.
//!
//! Source: `docs/rounds.md`, "The event's own journal".

use serde_json::{Map, Value, json};

use crate::rounds::crosstable::RoundResult;
use crate::rounds::levels::{self, Level};
use crate::rounds::prizes::PrizeRules;
use crate::rounds::standings::code::TieBreak;
use crate::rounds::trf::player::NewPlayer;

/// By which system an event pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EventSystem {
    /// Swiss.
    #[default]
    Swiss,
    /// Everybody meets everybody.
    RoundRobin,
    /// Who loses is out.
    KnockOut,
}

impl EventSystem {
    /// All systems.
    pub const ALL: [Self; 3] = [Self::Swiss, Self::RoundRobin, Self::KnockOut];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Swiss => "swiss",
            Self::RoundRobin => "round-robin",
            Self::KnockOut => "knock-out",
        }
    }

    /// Reads its word.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|system| system.word() == word)
    }
}

/// How an event is planned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The system.
    pub system: EventSystem,
    /// How many rounds.
    pub rounds: usize,
    /// The game, by its word.
    pub game: String,
    /// The chips with which a player begins a match, in an event that counts them.
    pub stack: Option<u32>,
    /// The tie-breaks.
    pub tiebreaks: Vec<TieBreak>,
    /// The levels of the blinds.
    pub levels: Vec<Level>,
    /// What is paid, and to whom.
    pub money: Option<Money>,
}

/// What was paid in, and how it is paid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Money {
    /// How much was paid in.
    pub paid: u64,
    /// How it is paid out.
    pub rules: PrizeRules,
}

impl Plan {
    /// Its word in the journal.
    pub const WORD: &str = "plan";

    /// Its facts.
    pub fn facts(&self) -> Map<String, Value> {
        let codes: Vec<String> = self.tiebreaks.iter().map(ToString::to_string).collect();
        facts(json!({
            "system": self.system.word(), "rounds": self.rounds, "game": self.game, "stack": self.stack,
            "tiebreaks": codes.join(","),
            "levels": (!self.levels.is_empty()).then(|| levels::text(&self.levels)),
            "money": self.money.as_ref().map(|money| json!({
                "paid": money.paid, "fee": money.rules.fee, "shares": money.rules.shares, "unit": money.rules.unit,
            })),
        }))
    }

    /// Reads them.
    pub fn read(line: &Value) -> Option<Self> {
        let text = |name: &str| line.get(name).and_then(Value::as_str);
        Some(Self {
            system: EventSystem::read(text("system")?)?,
            rounds: number(line, "rounds")?,
            game: text("game")?.to_owned(),
            stack: number(line, "stack"),
            tiebreaks: TieBreak::list(text("tiebreaks")?).ok()?,
            levels: text("levels").map_or(Some(Vec::new()), levels::read)?,
            money: line
                .get("money")
                .map(|money| {
                    let shares =
                        money.get("shares")?.as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?;
                    let rules =
                        PrizeRules { fee: number(money, "fee")?, shares, unit: number(money, "unit")? };
                    Some(Money { paid: number(money, "paid")?, rules })
                })
                .unwrap_or_default(),
        })
    }
}

/// The result of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardResult {
    /// White won.
    White,
    /// Drawn.
    Draw,
    /// Black won.
    Black,
    /// Black did not come.
    WhiteByForfeit,
    /// White did not come.
    BlackByForfeit,
    /// Nobody came.
    BothForfeit,
    /// White won, and the game does not count for ratings.
    WhiteUnrated,
    /// The same, drawn.
    DrawUnrated,
    /// The same, Black won.
    BlackUnrated,
}

impl BoardResult {
    const WORDS: [(&'static str, Self); 9] = [
        ("1-0", Self::White),
        ("1/2", Self::Draw),
        ("0-1", Self::Black),
        ("+--", Self::WhiteByForfeit),
        ("--+", Self::BlackByForfeit),
        ("---", Self::BothForfeit),
        ("w", Self::WhiteUnrated),
        ("d", Self::DrawUnrated),
        ("l", Self::BlackUnrated),
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        Self::WORDS.into_iter().find(|(_, result)| *result == self).map_or("", |(word, _)| word)
    }

    /// Reads its word; a draw may be written as `1/2-1/2`, too.
    pub fn read(word: &str) -> Option<Self> {
        let word = if word == "1/2-1/2" { "1/2" } else { word };
        Self::WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, result)| result)
    }

    /// White's and Black's result, and whether the game counts for ratings.
    pub fn results(self) -> (RoundResult, RoundResult, bool) {
        use RoundResult::{Drawn, Lost, LostByForfeit, Won, WonByForfeit};
        match self {
            Self::White => (Won, Lost, true),
            Self::Draw => (Drawn, Drawn, true),
            Self::Black => (Lost, Won, true),
            Self::WhiteByForfeit => (WonByForfeit, LostByForfeit, false),
            Self::BlackByForfeit => (LostByForfeit, WonByForfeit, false),
            Self::BothForfeit => (LostByForfeit, LostByForfeit, false),
            Self::WhiteUnrated => (Won, Lost, false),
            Self::DrawUnrated => (Drawn, Drawn, false),
            Self::BlackUnrated => (Lost, Won, false),
        }
    }
}

/// A bye, by the letter of the tournament report file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bye {
    /// Of the pairing.
    Pairing,
    /// With half a point.
    Half,
    /// With a whole point.
    Full,
    /// Without a point.
    Zero,
}

impl Bye {
    const LETTERS: [(&'static str, Self); 4] =
        [("U", Self::Pairing), ("H", Self::Half), ("F", Self::Full), ("Z", Self::Zero)];

    /// Its letter.
    pub fn letter(self) -> &'static str {
        Self::LETTERS.into_iter().find(|(_, bye)| *bye == self).map_or("", |(letter, _)| letter)
    }

    /// Reads its letter.
    pub fn read(letter: &str) -> Option<Self> {
        Self::LETTERS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(letter)).map(|(_, bye)| bye)
    }

    /// The result of the round.
    pub fn result(self) -> RoundResult {
        match self {
            Self::Pairing => RoundResult::PairingBye,
            Self::Half => RoundResult::HalfBye,
            Self::Full => RoundResult::FullBye,
            Self::Zero => RoundResult::ZeroBye,
        }
    }
}

/// What changes a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RoundAct {
    /// A player enters, from a round on.
    Add {
        /// The player.
        player: NewPlayer,
        /// The first round.
        from: usize,
    },
    /// A round is paired.
    Pair {
        /// The round.
        round: usize,
        /// White's and Black's numbers, in the order of the boards.
        pairs: Vec<(u32, u32)>,
        /// Who has no opponent.
        bye: Option<u32>,
    },
    /// The pairs of the next round are open for changes by hand: nothing is published until the round is paired.
    ByHand {
        /// The round.
        round: usize,
        /// White's and Black's numbers, in the order of the boards.
        pairs: Vec<(u32, u32)>,
        /// Who has no opponent.
        bye: Option<u32>,
    },
    /// A board has a result.
    Result {
        /// The round.
        round: usize,
        /// The board.
        board: usize,
        /// The result.
        result: BoardResult,
        /// White's and Black's chips.
        chips: Option<(u32, u32)>,
    },
    /// A player has a bye.
    Bye {
        /// The player.
        player: u32,
        /// The round.
        round: usize,
        /// Which.
        bye: Bye,
    },
    /// A player leaves.
    Withdraw {
        /// The player.
        player: u32,
        /// The first round without him.
        from: usize,
    },
    /// A player takes the place of another one at a board of the last round.
    Replace {
        /// The board.
        board: usize,
        /// Who leaves.
        old: u32,
        /// Who comes.
        new: u32,
    },
    /// A board of the last round is played at another table.
    Move {
        /// The board.
        board: usize,
        /// The table.
        table: u16,
    },
}

impl RoundAct {
    /// Its word in the journal.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Add { .. } => "player",
            Self::Pair { .. } => "pair",
            Self::ByHand { .. } => "by-hand",
            Self::Result { .. } => "result",
            Self::Bye { .. } => "bye",
            Self::Withdraw { .. } => "withdraw",
            Self::Replace { .. } => "replace",
            Self::Move { .. } => "move",
        }
    }

    /// Its facts.
    pub fn facts(&self) -> Map<String, Value> {
        facts(match self {
            Self::Add { player, from } => json!({
                "number": player.number, "name": player.name, "rating": player.rating,
                "fed": player.federation, "from": from,
            }),
            Self::Pair { round, pairs, bye } | Self::ByHand { round, pairs, bye } => {
                json!({"round": round, "pairs": pairs, "bye": bye})
            }
            Self::Result { round, board, result, chips } => {
                json!({"round": round, "board": board, "result": result.word(), "chips": chips})
            }
            Self::Bye { player, round, bye } => {
                json!({"player": player, "round": round, "bye": bye.letter()})
            }
            Self::Withdraw { player, from } => json!({"player": player, "from": from}),
            Self::Replace { board, old, new } => json!({"board": board, "old": old, "new": new}),
            Self::Move { board, table } => json!({"board": board, "table": table}),
        })
    }

    /// Reads an act from its line; `None` if it is another act of the event, or is damaged.
    pub fn read(line: &Value) -> Option<Self> {
        let text = |name: &str| line.get(name).and_then(Value::as_str);
        Some(match text("do")? {
            "player" => Self::Add {
                player: NewPlayer {
                    number: number(line, "number")?,
                    name: text("name")?.to_owned(),
                    rating: number(line, "rating"),
                    federation: text("fed").unwrap_or_default().to_owned(),
                },
                from: number(line, "from")?,
            },
            word @ ("pair" | "by-hand") => {
                let round = number(line, "round")?;
                let pairs = line.get("pairs")?.as_array()?.iter().map(pair).collect::<Option<_>>()?;
                let bye = number(line, "bye");
                if word == "pair" {
                    Self::Pair { round, pairs, bye }
                } else {
                    Self::ByHand { round, pairs, bye }
                }
            }
            "result" => Self::Result {
                round: number(line, "round")?,
                board: number(line, "board")?,
                result: BoardResult::read(text("result")?)?,
                chips: line.get("chips").and_then(pair),
            },
            "bye" => Self::Bye {
                player: number(line, "player")?,
                round: number(line, "round")?,
                bye: Bye::read(text("bye")?)?,
            },
            "withdraw" => Self::Withdraw { player: number(line, "player")?, from: number(line, "from")? },
            "replace" => Self::Replace {
                board: number(line, "board")?,
                old: number(line, "old")?,
                new: number(line, "new")?,
            },
            "move" => Self::Move { board: number(line, "board")?, table: number(line, "table")? },
            _ => return None,
        })
    }
}

fn facts(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else { return Map::new() };
    members.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

fn number<N: TryFrom<u64>>(line: &Value, name: &str) -> Option<N> {
    line.get(name).and_then(Value::as_u64).and_then(|number| N::try_from(number).ok())
}

fn pair(value: &Value) -> Option<(u32, u32)> {
    let [one, other] = value.as_array()?.as_slice() else { return None };
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    Some((number(one)?, number(other)?))
}
