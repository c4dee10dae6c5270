//! What a console does with the lines of one match of one table: it keeps copies of them, several if two records go on from one
//! place, and follows one.
//!
//! This file decides; who keeps the copies does what it says, and then notes it here.
//!
//! Source: `docs/hall.md`, §5, "What the console does with a line".

use serde_json::Value;
use tabiya_engine::record::chain::Head;
use tabiya_engine::record::replica::{Arrival, Reached, Replica};

/// The most copies of one match.
pub const MOST_COPIES: usize = 16;

/// The number of a copy of a match, in the order in which the copies began.
pub type CopyNumber = usize;

/// The copies of one match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchCopies {
    copies: Vec<Vec<Head>>,
    followed: CopyNumber,
}

/// What is done with a line that came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coming {
    /// It is kept in this copy.
    Keep(CopyNumber),
    /// It is passed over: the copy has it.
    Known,
    /// The line stands in another copy, which is followed from now on.
    Follow(CopyNumber),
    /// Two records go on from this place: a further copy begins with the lines before it, gets this line, and is followed.
    Fork {
        /// The copy whose lines before the place are its lines, too.
        of: CopyNumber,
        /// How many lines both have: the place of the line that came.
        shared: u64,
    },
    /// It follows from nothing: the link ends, and nothing of it is kept.
    Broken,
    /// There are as many copies of this match as are kept.
    TooMany,
}

impl MatchCopies {
    /// The copies that were kept before, each as the hashes of its lines from the header on, and the number of the followed one.
    pub fn kept(copies: Vec<Vec<Head>>, followed: CopyNumber) -> Self {
        let followed = followed.min(copies.len().saturating_sub(1));
        Self { copies, followed }
    }

    /// The number of the copy that is followed.
    pub fn followed(&self) -> CopyNumber {
        self.followed
    }

    /// How far the followed copy has come; `None` before its first line.
    pub fn reached(&self) -> Option<Reached> {
        self.copies.get(self.followed).and_then(|copy| end(copy))
    }

    /// The number that the next further copy gets.
    pub fn next_number(&self) -> CopyNumber {
        self.copies.len()
    }

    /// How far each copy has come, by its number.
    pub fn ends(&self) -> impl Iterator<Item = (CopyNumber, Reached)> {
        self.copies.iter().enumerate().filter_map(|(number, copy)| Some((number, end(copy)?)))
    }

    /// Forgets the lines of a copy from this place on: they could not be kept.
    pub fn cut(&mut self, number: CopyNumber, from: u64) {
        if let Some(copy) = self.copies.get_mut(number) {
            copy.truncate(usize::try_from(from).unwrap_or(usize::MAX));
        }
    }

    /// The hash of the followed copy at this place.
    pub fn head_at(&self, seq: u64) -> Option<Head> {
        self.copies.get(self.followed).and_then(|copy| at(copy, seq))
    }

    /// Follows the copy with which a table's `hello` fits: the one that has the table's last line, or else the longest that
    /// ends before it, of those that begin with this header. Returns how far it has come; `None` if none fits, so that the
    /// table sends all.
    pub fn meet(&mut self, begins: Head, last: Reached) -> Option<Reached> {
        let of_match = |copy: &Vec<Head>| copy.first() == Some(&begins);
        let numbered = || self.copies.iter().enumerate().filter(|(_, copy)| of_match(copy));
        let same = numbered().find(|(_, copy)| at(copy, last.seq) == Some(last.head));
        let shorter = || {
            numbered()
                .filter(|(_, copy)| end(copy).is_some_and(|end| end.seq < last.seq))
                .max_by_key(|(_, copy)| copy.len())
        };
        let (number, copy) = same.or_else(shorter)?;
        let reached = end(copy);
        self.followed = number;
        reached
    }

    /// Whether a table whose last line this is has lost lines that the followed copy has.
    pub fn is_shorter(&self, last: Reached) -> bool {
        self.reached().is_some_and(|end| last.seq < end.seq) && self.head_at(last.seq) == Some(last.head)
    }

    /// What is done with a line that came: its place, the line, and the hash that the table gives it.
    pub fn receive(&self, seq: u64, line: &Value, hash: Head) -> Coming {
        let Some(copy) = self.copies.get(self.followed) else {
            return match Replica::default().receive(seq, line, hash, |_| None) {
                Arrival::Next => Coming::Keep(0),
                Arrival::Known | Arrival::Fork | Arrival::Broken => Coming::Broken,
            };
        };
        let arrival = Replica::new(end(copy)).receive(seq, line, hash, |seq| at(copy, seq));
        match arrival {
            Arrival::Next => Coming::Keep(self.followed),
            Arrival::Known => Coming::Known,
            // What follows from nothing here may stand in another copy, which parted earlier.
            Arrival::Broken | Arrival::Fork => {
                let other = self.copies.iter().position(|other| at(other, seq) == Some(hash));
                match other {
                    Some(other) => Coming::Follow(other),
                    None if arrival == Arrival::Broken => Coming::Broken,
                    None if self.copies.len() >= MOST_COPIES => Coming::TooMany,
                    None => Coming::Fork { of: self.followed, shared: seq },
                }
            }
        }
    }

    /// Notes that a line with this hash was kept, as [`Self::receive`] said.
    pub fn note(&mut self, coming: Coming, hash: Head) {
        match coming {
            Coming::Keep(number) => {
                if self.copies.len() <= number {
                    self.copies.resize(number + 1, Vec::new());
                }
                if let Some(copy) = self.copies.get_mut(number) {
                    copy.push(hash);
                }
            }
            Coming::Follow(number) => self.followed = number,
            Coming::Fork { of, shared } => {
                let shared = usize::try_from(shared).unwrap_or(usize::MAX);
                let mut copy: Vec<Head> = self
                    .copies
                    .get(of)
                    .map_or_else(Vec::new, |copy| copy.iter().take(shared).copied().collect());
                copy.push(hash);
                self.followed = self.copies.len();
                self.copies.push(copy);
            }
            Coming::Known | Coming::Broken | Coming::TooMany => {}
        }
    }
}

fn at(copy: &[Head], seq: u64) -> Option<Head> {
    copy.get(usize::try_from(seq).ok()?).copied()
}

fn end(copy: &[Head]) -> Option<Reached> {
    copy.last().map(|head| Reached { seq: copy.len() as u64 - 1, head: *head })
}

#[cfg(test)]
mod tests;
