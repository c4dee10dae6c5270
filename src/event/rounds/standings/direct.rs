//! Direct encounter: players who are equal are ordered by the games among themselves.
//!
//! Source: C.07 art. 6.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::games::rounds;
use crate::rounds::crosstable::{Crosstable, System};
use crate::rounds::points::Points;

/// One player's games within the group.
struct Encounters {
    player: usize,
    /// The points against the others, each opponent once: who met twice has the average.
    score: Points,
    /// The same if all games that were not played were won.
    most: Points,
    met_all: bool,
}

/// A group of equal players in the order of their games among themselves. Who stays equal stays in one group.
pub(super) fn tiers(table: &Crosstable, group: &[usize], as_played: bool) -> Vec<Vec<usize>> {
    if group.len() < 2 {
        return vec![group.to_vec()];
    }
    let mut all: Vec<Encounters> =
        group.iter().map(|player| encounters(table, *player, group, as_played)).collect();
    let split = if all.iter().all(|one| one.met_all) {
        // 6.1: all met, so the points order them.
        all.sort_by_key(|one| Reverse(one.score));
        let equal = all.chunk_by(|one, other| one.score == other.score);
        equal.map(|part| part.iter().map(|one| one.player).collect::<Vec<_>>()).collect()
    } else {
        certain(all)
    };
    if split.len() == 1 {
        return split;
    }
    split.iter().flat_map(|part| tiers(table, part, as_played)).collect()
}

/// 6.2: not all met. Who is ahead whatever the missing games would have given is ahead; and so on, until nobody is.
fn certain(mut all: Vec<Encounters>) -> Vec<Vec<usize>> {
    all.sort_by_key(|one| (Reverse(one.score), Reverse(one.most)));
    let mut ahead = Vec::new();
    let mut rest = all.as_slice();
    while let Some((first, others)) = rest.split_first() {
        if !others.iter().all(|other| first.score > other.most) {
            break;
        }
        ahead.push(vec![first.player]);
        rest = others;
    }
    if !rest.is_empty() {
        ahead.push(rest.iter().map(|one| one.player).collect());
    }
    ahead
}

fn encounters(table: &Crosstable, player: usize, group: &[usize], as_played: bool) -> Encounters {
    let mut met: BTreeMap<usize, (Points, usize)> = BTreeMap::new();
    let robin = table.system == System::RoundRobin;
    if let Some(entrant) = table.players.get(player) {
        for (_, round) in rounds(table, entrant) {
            let opponent = if robin || as_played { round.opponent } else { round.met() };
            if let Some(opponent) = opponent.filter(|opponent| group.contains(opponent)) {
                let (points, games) = met.entry(opponent).or_default();
                *points += table.scoring.of(round.result);
                *games += 1;
            }
        }
    }
    let score: Points = met.values().filter_map(|(points, games)| points.average(*games)).sum();
    let missing = (group.len() - 1).saturating_sub(met.len());
    Encounters {
        player,
        score,
        most: score + table.scoring.win.times(missing),
        met_all: robin || missing == 0,
    }
}
