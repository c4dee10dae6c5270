//! Standings: players in the order of their points and tie-breaks.
//!
//! Source: FIDE Handbook C.07, editions of 1 August 2024 and 1 March 2026.

pub mod code;
mod direct;
mod games;
mod performance;
mod strength;

use self::code::{TieBreak, TieBreakKind};
use super::crosstable::Crosstable;
use super::points::Points;

/// Which edition of C.07 counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Edition {
    /// In force from 1 August 2024 on.
    E2024,
    /// In force from 1 March 2026 on: the opponent that stands for an unplayed round has a greatest score (art. 16.4).
    #[default]
    E2026,
}

impl Edition {
    /// The first day of the edition of 2026.
    const SINCE_2026: &str = "2026-03-01";

    /// The edition for an event that began on this day (`YYYY-MM-DD`); the newest one if the day is unknown.
    pub fn on(begins: Option<&str>) -> Self {
        match begins {
            Some(day) if day < Self::SINCE_2026 => Self::E2024,
            _ => Self::E2026,
        }
    }

    /// Its year.
    pub fn word(self) -> &'static str {
        match self {
            Self::E2024 => "2024",
            Self::E2026 => "2026",
        }
    }

    /// Reads its year.
    pub fn read(word: &str) -> Option<Self> {
        [Self::E2024, Self::E2026].into_iter().find(|edition| edition.word() == word)
    }
}

/// One player's standing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The rank, from 1 on. Equal players have the same.
    pub rank: usize,
    /// The player's place in [`Crosstable::players`].
    pub player: usize,
    /// The points.
    pub points: Points,
    /// The value of each tie-break, in the order of the list; `None` where it has none.
    pub values: Vec<Option<Points>>,
}

/// What a tie-break gives each player.
pub(super) enum Column {
    /// A value each; the greater one is better.
    More(Vec<Option<Points>>),
    /// A value each; the smaller one is better.
    Less(Vec<Option<Points>>),
    /// The direct encounter: it orders those who are equal so far, and has no value.
    Encounter,
}

/// The players of this table in the order of the list of tie-breaks. Points come first unless the list has them (`PTS`).
pub fn standings(table: &Crosstable, order: &[TieBreak], edition: Edition) -> Vec<Standing> {
    let points = games::points(table);
    let mut tiers: Vec<Vec<usize>> = vec![(0..table.players.len()).collect()];
    let mut values: Vec<Vec<Option<Points>>> = vec![Vec::new(); table.players.len()];
    if !order.iter().any(|code| code.kind == TieBreakKind::Pts) {
        tiers = split_all(&tiers, &Column::More(points.iter().copied().map(Some).collect()), table, false);
    }
    for code in order {
        let column = column(table, code, edition, &points);
        tiers = split_all(&tiers, &column, table, code.as_played);
        let column = match column {
            Column::More(column) | Column::Less(column) => column,
            Column::Encounter => vec![None; table.players.len()],
        };
        for (values, value) in values.iter_mut().zip(column) {
            values.push(value);
        }
    }
    let mut all = Vec::new();
    for tier in tiers {
        let rank = all.len() + 1;
        for player in tier {
            let values = values.get_mut(player).map(std::mem::take).unwrap_or_default();
            let points = points.get(player).copied().unwrap_or_default();
            all.push(Standing { rank, player, points, values });
        }
    }
    all
}

fn column(table: &Crosstable, code: &TieBreak, edition: Edition, points: &[Points]) -> Column {
    let whole = |counts: Vec<usize>| -> Vec<Option<Points>> {
        counts.into_iter().map(|count| Some(Points::ONE.times(count))).collect()
    };
    let some = |all: Vec<Points>| -> Vec<Option<Points>> { all.into_iter().map(Some).collect() };
    match code.kind {
        TieBreakKind::Pts => Column::More(some(points.to_vec())),
        TieBreakKind::Win => Column::More(whole(games::wins(table))),
        TieBreakKind::Won => Column::More(whole(games::won(table))),
        TieBreakKind::Bpg => Column::More(whole(games::black(table))),
        TieBreakKind::Bwg => Column::More(whole(games::black_won(table))),
        TieBreakKind::Rep => Column::More(whole(games::elected(table))),
        TieBreakKind::Std => Column::More(some(games::standard(table))),
        TieBreakKind::Ps => Column::More(some(games::progressive(table, code.cut_low))),
        TieBreakKind::Ks => Column::More(some(games::koya(table, code.limit, points))),
        TieBreakKind::Tpn => {
            let number = |number: u32| Some(Points::whole(i64::from(number)));
            Column::Less(table.players.iter().map(|player| number(player.number)).collect())
        }
        TieBreakKind::Bh | TieBreakKind::Fb | TieBreakKind::Aob | TieBreakKind::Sb => {
            Column::More(strength::column(table, code, edition, points))
        }
        TieBreakKind::Rtng
        | TieBreakKind::Aro
        | TieBreakKind::Tpr
        | TieBreakKind::Ptp
        | TieBreakKind::Apro
        | TieBreakKind::Appo => Column::More(performance::column(table, code)),
        TieBreakKind::De => Column::Encounter,
    }
}

/// Splits each group of equal players by this column.
fn split_all(tiers: &[Vec<usize>], column: &Column, table: &Crosstable, as_played: bool) -> Vec<Vec<usize>> {
    let split = |tier: &Vec<usize>| match column {
        Column::More(values) => by_value(tier, values, true),
        Column::Less(values) => by_value(tier, values, false),
        Column::Encounter => direct::tiers(table, tier, as_played),
    };
    tiers.iter().flat_map(split).collect()
}

/// Splits a group by a value. Who has none comes last.
fn by_value(tier: &[usize], values: &[Option<Points>], more: bool) -> Vec<Vec<usize>> {
    let value = |player: &usize| values.get(*player).copied().flatten();
    let mut sorted = tier.to_vec();
    sorted.sort_by(|one, other| match (value(one), value(other)) {
        (Some(one), Some(other)) if more => other.cmp(&one),
        (Some(one), Some(other)) => one.cmp(&other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    });
    sorted.chunk_by(|one, other| value(one) == value(other)).map(<[usize]>::to_vec).collect()
}
