//! The results of a match: one computation, for the terminal, the window, the evening's table and every export.

use tabiya_types::{ByColor, BySeat, Color, Seat, Sentence, say};

use super::input::RuledResult;
use super::value::Table;
use crate::rules::{Chips, Decision, Game, Goal, Outcome};

/// The result of one game of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Who had White.
    pub white: Seat,
    /// How the game ended; `None` while the game is running.
    pub outcome: Option<Outcome>,
    /// The chips that each player has after the game. While the game is running, chips in the pot count for the player
    /// who put them in.
    pub stacks: BySeat<Chips>,
    /// The points of each player, in a game that can be won by them alone.
    pub points: Option<BySeat<u32>>,
    /// The chips that each player bought during the game; negative if he took some away.
    pub bought: BySeat<i64>,
    /// The number of moves, or of other plays, that both players made.
    pub moves: usize,
}

impl GameResult {
    /// How the game was decided; `None` while the game is running.
    pub fn decision(&self) -> Option<Decision> {
        self.outcome.map(Outcome::decision)
    }

    /// Who won; `None` if nobody did.
    pub fn winner(&self) -> Option<Seat> {
        Some(Seat::playing(self.outcome?.winner?, self.white))
    }

    /// The half points of each player: two for a win, one for a draw, none while the game is running.
    pub fn half_points(&self) -> BySeat<u8> {
        let half_points = self.outcome.map(Outcome::half_points).unwrap_or_default();
        BySeat::new(|seat| half_points[seat.color(self.white)])
    }
}

/// The results of a match so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchResults {
    /// The games, in order; the last one may be running.
    pub games: Vec<GameResult>,
    /// The chips that each player has now. Chips in the pot of a running game count for the player who put them in. If
    /// the match was ended in the middle of a game, the stacks stand.
    pub stacks: BySeat<Chips>,
    /// The points of each player in half points: two for a game won, one for a game drawn. Fouled deals and cancelled
    /// games do not count.
    pub half_points: BySeat<u32>,
}

impl MatchResults {
    /// The chips that each player has brought to the match so far, where he began with `first`: what he bought is no winning.
    /// The chips that both have won or lost are together zero.
    pub fn brought(&self, first: BySeat<Chips>) -> BySeat<i64> {
        BySeat::new(|seat| {
            i64::from(first[seat].0) + self.games.iter().map(|game| game.bought[seat]).sum::<i64>()
        })
    }
}

impl Table {
    /// The results of the match so far.
    pub fn results(&self) -> MatchResults {
        let past = self.past_games().iter().map(|past| (past.white, &*past.game, past.bought));
        let games: Vec<GameResult> = past
            .chain([(self.white(), self.game(), self.bought())])
            .map(|(white, game, bought)| result_of(white, game, bought))
            .collect();
        let mut half_points = BySeat::default();
        for game in &games {
            for seat in Seat::ALL {
                half_points[seat] += u32::from(game.half_points()[seat]);
            }
        }
        let stacks = match games.last() {
            Some(last) if !self.match_over() => last.stacks,
            _ => self.stacks(),
        };
        MatchResults { games, stacks, half_points }
    }

    /// The results as lines for people: each game, then the match.
    pub fn results_in_words(&self) -> Vec<Sentence> {
        let mut lines = self.games_in_words();
        lines.push(self.standing_in_words());
        let pot = self.game().stakes().pot();
        if self.game_runs() && pot.0 > 0 {
            lines.push(say!(
                "result-pot",
                "the pot of {pot} is not won yet: its chips are counted for the player who put them in",
                pot
            ));
        }
        lines
    }

    /// The result of each game as a line for people; of the game in progress, that it is.
    pub fn games_in_words(&self) -> Vec<Sentence> {
        let players = &self.agreement().players;
        self.results()
            .games
            .iter()
            .zip(1_usize..)
            .map(|(game, number)| {
                let (white, black) = (players[game.white].clone(), players[game.white.other()].clone());
                let result = self.result_in_words(game);
                let result = match game.points {
                    None => result,
                    Some(points) => {
                        let (first, second) = (points[game.white], points[game.white.other()]);
                        say!("result-points", "{result} ({first} to {second} points)", result, first, second)
                    }
                };
                say!(
                    "result-line",
                    "game {number}: White {white}, Black {black}: {result}",
                    number,
                    white,
                    black,
                    result
                )
            })
            .collect()
    }

    /// How one game ended, in a few words.
    fn result_in_words(&self, game: &GameResult) -> Sentence {
        let players = &self.agreement().players;
        let Some(outcome) = game.outcome else {
            return if self.match_over() {
                say!("result-none", "ended without a result")
            } else {
                say!("result-running", "in progress")
            };
        };
        let reason = outcome.reason.ending_sentence();
        let name = |color: Color| players[Seat::playing(color, game.white)].clone();
        match outcome.decision() {
            Decision::Won(by) if outcome.reason.is_draw() => {
                say!("result-drawn-won", "drawn ({reason}); {name} wins, as agreed", reason, name = name(by))
            }
            Decision::Won(by) => say!("result-won", "{name} wins {reason}", name = name(by), reason),
            Decision::Drawn => say!("result-drawn", "drawn ({reason})", reason),
            Decision::Points(_) => {
                let points = points_by_name(players, game.half_points());
                say!("result-ruled-points", "{points} ({reason})", points, reason)
            }
            Decision::NoResult => say!("result-void", "no result ({reason})", reason),
        }
    }

    /// The half points of the game in progress, with the players' names.
    pub(super) fn points_by_name(&self, half_points: ByColor<u8>) -> Sentence {
        let half_points = BySeat::new(|seat: Seat| half_points[seat.color(self.white())]);
        points_by_name(&self.agreement().players, half_points)
    }

    /// How the match stands: chips if it is played for chips, points otherwise.
    pub fn standing_in_words(&self) -> Sentence {
        let results = self.results();
        let BySeat { a, b } = self.agreement().players.clone();
        if self.game().betting().is_some() {
            let BySeat { a: stack_a, b: stack_b } = results.stacks;
            say!("standing-chips", "{a} {stack_a} chips, {b} {stack_b} chips", a, stack_a, b, stack_b)
        } else {
            points_by_name(&self.agreement().players, results.half_points)
        }
    }
}

fn result_of(white: Seat, game: &dyn Game, bought: BySeat<i64>) -> GameResult {
    let stakes = game.stakes();
    let has = |of: Seat| {
        let color = of.color(white);
        let put_in = if game.outcome().is_none() { stakes.contributed[color] } else { Chips::ZERO };
        stakes.stacks[color] + put_in
    };
    GameResult {
        white,
        outcome: game.outcome(),
        stacks: BySeat { a: has(Seat::A), b: has(Seat::B) },
        points: points_of(white, game),
        bought,
        moves: match (game.chess(), game.play_list()) {
            (Some(chess), _) => chess.moves().len(),
            (None, listed) => listed.map_or(0, |listed| listed.plays.len()),
        },
    }
}

/// The points of a game that can be won by them alone.
fn points_of(white: Seat, game: &dyn Game) -> Option<BySeat<u32>> {
    let score = game.score().filter(|score| matches!(score.wins, Some(Goal::Total(_))))?;
    let of = |seat: Seat| score.points[seat.color(white)];
    Some(BySeat { a: of(Seat::A), b: of(Seat::B) })
}

impl RuledResult {
    /// What a ruling makes of the game.
    pub fn in_words(self, players: &BySeat<String>) -> Sentence {
        match self {
            Self::Winner(Some(seat)) => say!("ruled-winner", "{name} wins", name = players[seat].clone()),
            Self::Winner(None) => say!("ruled-draw", "nobody wins"),
            Self::Points(half_points) => points_by_name(players, half_points),
            Self::Forfeit(Some(seat)) => {
                say!("ruled-forfeit", "{name} did not play and loses", name = players[seat].clone())
            }
            Self::Forfeit(None) => say!("ruled-forfeit-both", "neither player played, and both lose"),
            Self::Void => say!("ruled-void", "the game counts nothing"),
            Self::GoesOn => say!("ruled-on", "the game goes on as before its end"),
        }
    }
}

/// The half points of both players, with their names: `Ann 1½, Bo ½`.
pub(super) fn points_by_name(players: &BySeat<String>, half_points: BySeat<impl Into<u32>>) -> Sentence {
    let BySeat { a: points_a, b: points_b } = half_points;
    let (points_a, points_b) = (points_in_words(points_a.into()), points_in_words(points_b.into()));
    let BySeat { a, b } = players.clone();
    say!("standing-points", "{a} {points_a}, {b} {points_b}", a, points_a, b, points_b)
}

/// Half points as people write points: `1½`.
pub fn points_in_words(half_points: u32) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}
