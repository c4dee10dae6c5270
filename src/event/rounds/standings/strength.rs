//! Tie-breaks from the opponents' scores: Buchholz and its kin, Sonneborn-Berger.
//!
//! Source: C.07 art. 8, 9.1, 14 (cuts), 15 (round robins) and 16 (unplayed rounds).

use super::Edition;
use super::code::{TieBreak, TieBreakKind};
use super::games::rounds;
use crate::rounds::crosstable::{Crosstable, Entrant, PlayerRound, RoundResult, System};
use crate::rounds::points::Points;

/// What one round gives.
#[derive(Clone, Copy)]
struct Contribution {
    /// The score of the opponent, or of the one who stands for him.
    strength: Points,
    /// What counts: the score, or for Sonneborn-Berger its product with the own result.
    value: Points,
    /// Whether the player left this round unplayed of his own will.
    voluntary: bool,
}

/// The opponents' scores as one tie-break sees them.
struct Scores<'a> {
    table: &'a Crosstable,
    code: &'a TieBreak,
    edition: Edition,
    /// Each player's score as it counts for his opponents (art. 16.3).
    adjusted: Vec<Points>,
    /// Each player's score as it counts for the opponent that stands for his own unplayed rounds (art. 16.4).
    own: Vec<Points>,
}

/// The column of a tie-break of this kind. There is no Buchholz in a round robin.
pub(super) fn column(
    table: &Crosstable,
    code: &TieBreak,
    edition: Edition,
    points: &[Points],
) -> Vec<Option<Points>> {
    if table.system == System::RoundRobin && code.kind != TieBreakKind::Sb {
        return vec![None; table.players.len()];
    }
    let fore = code.kind == TieBreakKind::Fb && table.rounds == table.planned;
    let own = table.players.iter().zip(points);
    let scores = Scores {
        table,
        code,
        edition,
        adjusted: table.players.iter().map(|player| adjusted(table, player, fore)).collect(),
        own: own
            .map(|(player, points)| if fore { fore_points(table, player, *points) } else { *points })
            .collect(),
    };
    let sums: Vec<Points> =
        (0..).zip(&table.players).map(|(place, player)| scores.sum(place, player, fore)).collect();
    if code.kind == TieBreakKind::Aob { averages(table, &sums) } else { sums.into_iter().map(Some).collect() }
}

/// A player's score as it counts for his opponents: byes that he asked for after his last round count as draws (art. 16.3.2). For the
/// fore Buchholz, the last round's game is a draw.
fn adjusted(table: &Crosstable, player: &Entrant, fore: bool) -> Points {
    let last_paired = player.round(table.rounds).opponent.is_some();
    let present = |round: &PlayerRound| !round.is_voluntarily_unplayed();
    let last_present = if fore && last_paired {
        table.rounds
    } else {
        rounds(table, player).rfind(|(_, round)| present(round)).map_or(0, |(number, _)| number)
    };
    let absent = if table.system == System::RoundRobin { Points::ZERO } else { table.scoring.draw };
    let of = |(number, round): (usize, PlayerRound)| {
        if fore && number == table.rounds && round.opponent.is_some() {
            table.scoring.draw
        } else if number <= last_present || round.opponent.is_some() {
            table.scoring.of(round.result)
        } else {
            absent
        }
    };
    rounds(table, player).map(of).sum()
}

/// A player's points if his last round's game were drawn.
fn fore_points(table: &Crosstable, player: &Entrant, points: Points) -> Points {
    let last = player.round(table.rounds);
    if last.opponent.is_none() {
        return points;
    }
    points - table.scoring.of(last.result) + table.scoring.draw
}

impl Scores<'_> {
    /// The sum of what the player's rounds give, after the cuts.
    fn sum(&self, place: usize, player: &Entrant, fore: bool) -> Points {
        let mut all: Vec<Contribution> = rounds(self.table, player)
            .filter_map(|(number, round)| self.of(place, number, round, fore))
            .collect();
        let low = self.code.cut_low.min(self.table.rounds);
        let high = self.code.cut_high.min(self.table.rounds - low);
        for _ in 0..low {
            cut_least(&mut all);
        }
        for _ in 0..high {
            cut_greatest(&mut all);
        }
        all.into_iter().map(|contribution| contribution.value).sum()
    }

    /// What a round gives; `None` if it gives nothing yet, or in a round robin if nobody was met.
    fn of(&self, place: usize, number: usize, round: PlayerRound, fore: bool) -> Option<Contribution> {
        if round.result == RoundResult::Open {
            return None;
        }
        let score = |all: &[Points], place: usize| all.get(place).copied().unwrap_or_default();
        let robin = self.table.system == System::RoundRobin;
        // The last round of a fore Buchholz is a draw, so a forfeit there is a game, too.
        let as_played = self.code.as_played || robin || (fore && number == self.table.rounds);
        let met = if as_played { round.opponent } else { round.met() };
        let (strength, voluntary) = match (met, round.opponent) {
            (Some(opponent), _) => (score(&self.adjusted, opponent), false),
            (None, _) if robin => return None,
            (None, scheduled) => {
                (self.dummy(score(&self.own, place), scheduled), round.is_voluntarily_unplayed())
            }
        };
        let value = match self.code.kind {
            TieBreakKind::Sb => strength * self.table.scoring.of(round.result),
            _ => strength,
        };
        Some(Contribution { strength, value, voluntary })
    }

    /// The score of who stands for the opponent of an unplayed round: the player's own. Since 2026 it is at most that of the
    /// opponent who was scheduled (16.4.1), or that of a draw in each planned round (16.4.2).
    fn dummy(&self, own: Points, scheduled: Option<usize>) -> Points {
        let most = match scheduled {
            Some(opponent) => self.adjusted.get(opponent).copied().unwrap_or_default(),
            None => self.table.scoring.draw.times(self.table.planned),
        };
        match self.edition {
            Edition::E2024 => own,
            Edition::E2026 => own.min(most),
        }
    }
}

/// Cuts the least significant value: that of the weakest opponent. A round that the player left unplayed of his own will goes first,
/// unless it would cut less (art. 16.5).
fn cut_least(all: &mut Vec<Contribution>) {
    let weakest = (0..).zip(all.iter()).min_by_key(|(_, part)| (part.strength, part.value));
    let voluntary = (0..).zip(all.iter()).filter(|(_, part)| part.voluntary);
    let voluntary = voluntary.min_by_key(|(_, part)| (part.value, part.strength));
    let cut = match (weakest, voluntary) {
        (Some((_, weakest)), Some((place, voluntary))) if weakest.value <= voluntary.value => Some(place),
        (weakest, _) => weakest.map(|(place, _)| place),
    };
    if let Some(place) = cut {
        all.remove(place);
    }
}

/// Cuts the value of the strongest opponent.
fn cut_greatest(all: &mut Vec<Contribution>) {
    let strongest = (0..).zip(all.iter()).max_by_key(|(_, part)| (part.strength, part.value));
    if let Some(place) = strongest.map(|(place, _)| place) {
        all.remove(place);
    }
}

/// The average of the values of those whom each player met at the board, in hundredths.
pub(super) fn averages(table: &Crosstable, values: &[Points]) -> Vec<Option<Points>> {
    let of = |player| {
        let met: Vec<Points> = rounds(table, player)
            .filter_map(|(_, round)| round.met().and_then(|opponent| values.get(opponent)).copied())
            .collect();
        met.iter().copied().sum::<Points>().average(met.len())
    };
    table.players.iter().map(of).collect()
}
