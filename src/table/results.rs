//! The results of a match: one computation, for the terminal, the window, the evening's table and every export.

use tabiya_types::{BySeat, Color, Seat, Sentence, say};

use super::Table;
use crate::rules::{Chips, Game, Goal, Reason};

/// The result of one game of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Who had White.
    pub white: Seat,
    /// Why the game ended; `None` while the game is running.
    pub reason: Option<Reason>,
    /// Who won; `None` for a draw.
    pub winner: Option<Seat>,
    /// Whether the game's result counts.
    pub counts: bool,
    /// The chips that each player has after the game. While the game is running, chips in the pot count for the player
    /// who put them in.
    pub stacks: BySeat<Chips>,
    /// The points of each player, in a game that can be won by them alone.
    pub points: Option<BySeat<u32>>,
    /// The number of moves, or of other plays, that both players made.
    pub moves: usize,
}

/// The results of a match so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchResults {
    /// The games, in order; the last one may be running.
    pub games: Vec<GameResult>,
    /// The chips that each player has now. Chips in the pot of a running game count for the player who put them in. If
    /// the match was ended in the middle of a game, the stacks stand.
    pub stacks: BySeat<Chips>,
    /// The points of each player in half points: two for a game won, one for a game drawn. Fouled deals do not count.
    pub half_points: BySeat<u32>,
}

impl Table {
    /// The results of the match so far.
    pub fn results(&self) -> MatchResults {
        let past = self.past_games().iter().map(|past| (past.white, &*past.game));
        let games: Vec<GameResult> =
            past.chain([(self.white(), self.game())]).map(|(white, game)| result_of(white, game)).collect();
        let mut half_points = BySeat::default();
        for game in games.iter().filter(|game| game.reason.is_some() && game.counts) {
            match game.winner {
                Some(seat) => half_points[seat] += 2,
                None => Seat::ALL.into_iter().for_each(|seat| half_points[seat] += 1),
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
        let results = self.results();
        let players = &self.agreement().players;
        let mut lines: Vec<Sentence> = results
            .games
            .iter()
            .zip(1_usize..)
            .map(|(game, number)| {
                let (white, black) = (players[game.white].clone(), players[game.white.other()].clone());
                let result = match (game.reason, game.winner) {
                    (None, _) => say!("result-running", "in progress"),
                    (Some(reason), Some(seat)) => {
                        let (name, reason) = (players[seat].clone(), reason.ending_sentence());
                        say!("result-won", "{name} wins {reason}", name, reason)
                    }
                    (Some(reason), None) if game.counts => {
                        say!("result-drawn", "drawn ({reason})", reason = reason.ending_sentence())
                    }
                    (Some(reason), None) => {
                        say!("result-void", "no result ({reason})", reason = reason.ending_sentence())
                    }
                };
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
            .collect();
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

    /// How the match stands: chips if it is played for chips, points otherwise.
    pub(super) fn standing_in_words(&self) -> Sentence {
        let results = self.results();
        let BySeat { a, b } = self.agreement().players.clone();
        if self.game().betting().is_some() {
            let BySeat { a: stack_a, b: stack_b } = results.stacks;
            say!("standing-chips", "{a} {stack_a} chips, {b} {stack_b} chips", a, stack_a, b, stack_b)
        } else {
            let points = |seat: Seat| points_in_words(results.half_points[seat]);
            say!(
                "standing-points",
                "{a} {points_a}, {b} {points_b}",
                a,
                points_a = points(Seat::A),
                b,
                points_b = points(Seat::B)
            )
        }
    }
}

fn result_of(white: Seat, game: &dyn Game) -> GameResult {
    let seat = |color: Color| Seat::playing(color, white);
    let stakes = game.stakes();
    let has = |of: Seat| {
        let color = of.color(white);
        let put_in = if game.outcome().is_none() { stakes.contributed[color] } else { Chips::ZERO };
        stakes.stacks[color] + put_in
    };
    GameResult {
        white,
        reason: game.outcome().map(|outcome| outcome.reason),
        winner: game.outcome().and_then(|outcome| outcome.winner).map(seat),
        counts: game.counts(),
        stacks: BySeat { a: has(Seat::A), b: has(Seat::B) },
        points: points_of(white, game),
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

/// Points as people write them: `1½`.
fn points_in_words(half_points: u32) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}
