//! Copies of a match's lines that somebody else keeps: which lines a copy lacks ([`Feed`]), and whether a line that comes
//! is the copy's next one ([`Replica`]). The same two values serve the second copy on another disk and the copies on an
//! event's consoles.
//!
//! Only hashes decide. A place on a chain is counted from 0, the header; equal hashes mean that all lines before are
//! equal, too. Source: `docs/record-chain.md`, "The chain".

use serde_json::Value;

use super::chain::Head;

/// How far a copy of a match has come: the place of its last line, where the header is 0, and the hash there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The place.
    pub seq: u64,
    /// The hash of the chain after the line at this place.
    pub head: Head,
}

/// Which of a record's lines are still to be sent to a copy. Lines are sent in the order of their places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Feed {
    next: u64,
}

impl Feed {
    /// Where sending begins to a copy that has come so far; `None` if there is no copy yet. `last` is the place of the
    /// record's last line, and `head_at` tells the hash at a place of the record, which is at most `last`.
    ///
    /// A copy whose last line stands in the record gets what follows. One that goes beyond the record's end gets what is
    /// written from now on. Any other gets all, from the header on.
    pub fn begin<E>(
        have: Option<Reached>,
        last: u64,
        head_at: impl FnOnce(u64) -> Result<Option<Head>, E>,
    ) -> Result<Self, E> {
        let next = match have {
            None => 0,
            Some(have) if have.seq > last => last + 1,
            Some(have) if head_at(have.seq)? == Some(have.head) => have.seq + 1,
            Some(_) => 0,
        };
        Ok(Self { next })
    }

    /// The place of the next line to send.
    pub fn next(self) -> u64 {
        self.next
    }

    /// Notes that so many lines were sent.
    pub fn sent(&mut self, lines: u64) {
        self.next += lines;
    }

    /// How many lines are not sent yet, if `last` is the place of the record's last line.
    pub fn behind(self, last: u64) -> u64 {
        (last + 1).saturating_sub(self.next)
    }
}

/// What a line that comes is to a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// The next line: its hash follows from the copy's last line. It is to be kept.
    Next,
    /// A line that the copy has.
    Known,
    /// Another line at a place that the copy has, whose hash follows from the copy's own line before: two records go on from
    /// there. The copy stays as it is; the other record needs a copy of its own, with the lines before this place.
    Fork,
    /// Nothing that follows: a gap, or a hash that is not the line's.
    Broken,
}

/// A copy of one match, as far as its end: which line comes next, and what its hash must follow from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Replica {
    end: Option<Reached>,
}

impl Replica {
    /// A copy that has come so far; `None` for one without a line.
    pub fn new(end: Option<Reached>) -> Self {
        Self { end }
    }

    /// How far the copy has come; `None` before the header.
    pub fn end(self) -> Option<Reached> {
        self.end
    }

    /// The place of the line that comes next: 0 is the header.
    pub fn next(self) -> u64 {
        self.end.map_or(0, |end| end.seq + 1)
    }

    /// What the line at the place `seq` is to this copy, if it is said to have this hash. `known` tells the copy's own hash at
    /// a place before its end.
    pub fn receive(self, seq: u64, line: &Value, hash: Head, known: impl Fn(u64) -> Option<Head>) -> Arrival {
        let known = |seq| match self.end {
            Some(end) if end.seq == seq => Some(end.head),
            Some(end) if end.seq > seq => known(seq),
            _ => None,
        };
        if seq > self.next() {
            return Arrival::Broken;
        }
        if known(seq) == Some(hash) {
            return Arrival::Known;
        }
        let before = seq.checked_sub(1).map(&known);
        let follows = match before {
            None => Head::of_header(line) == hash,
            Some(before) => before.is_some_and(|before| before.then(line) == hash),
        };
        match follows {
            false => Arrival::Broken,
            true if seq == self.next() => Arrival::Next,
            true => Arrival::Fork,
        }
    }

    /// Notes that the next line was kept, which has this hash.
    pub fn kept(&mut self, hash: Head) {
        self.end = Some(Reached { seq: self.next(), head: hash });
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// A record of so many lines after its header, with their hashes; `branch` makes its lines others than those of another
    /// branch.
    fn record(lines: u64, branch: u64) -> Vec<(Value, Head)> {
        extended(Vec::new(), lines + 1, branch)
    }

    fn extended(mut record: Vec<(Value, Head)>, until: u64, branch: u64) -> Vec<(Value, Head)> {
        for seq in record.len() as u64..until {
            let line = json!({ "t": seq, "branch": branch });
            let head = match record.last() {
                None => Head::of_header(&line),
                Some((_, before)) => before.then(&line),
            };
            record.push((line, head));
        }
        record
    }

    fn head_at(record: &[(Value, Head)], seq: u64) -> Option<Head> {
        record.get(usize::try_from(seq).ok()?).map(|(_, head)| *head)
    }

    fn reached(record: &[(Value, Head)]) -> Option<Reached> {
        record.last().map(|(_, head)| Reached { seq: record.len() as u64 - 1, head: *head })
    }

    fn feed(have: Option<Reached>, record: &[(Value, Head)]) -> Feed {
        let last = record.len() as u64 - 1;
        let begun = Feed::begin(have, last, |seq| Ok::<_, Infallible>(head_at(record, seq)));
        begun.unwrap_or_else(|error| match error {})
    }

    /// Sends a copy what it lacks, and says what became of each line.
    fn send(copy: &mut Vec<(Value, Head)>, record: &[(Value, Head)]) -> Vec<Arrival> {
        let feed = feed(reached(copy), record);
        let from = usize::try_from(feed.next()).expect("few lines");
        let mut arrivals = Vec::new();
        for (seq, (line, hash)) in (feed.next()..).zip(record.iter().skip(from)) {
            let replica = Replica::new(reached(copy));
            let arrival = replica.receive(seq, line, *hash, |seq| head_at(copy, seq));
            if arrival == Arrival::Next {
                copy.push((line.clone(), *hash));
            }
            arrivals.push(arrival);
        }
        arrivals
    }

    proptest! {
        #[test]
        fn a_copy_that_was_cut_anywhere_becomes_equal_and_gets_no_line_twice(lines in 0_u64..40, cut in 0_usize..41) {
            let record = record(lines, 0);
            let mut copy = record.iter().take(cut).cloned().collect::<Vec<_>>();
            let lacked = record.len() - copy.len();
            let arrivals = send(&mut copy, &record);
            prop_assert_eq!(arrivals, vec![Arrival::Next; lacked]);
            prop_assert_eq!(copy, record);
        }

        #[test]
        fn a_copy_beyond_the_end_waits_and_keeps_what_it_has(lines in 0_u64..20, more in 1_u64..20) {
            let record = record(lines, 0);
            let mut copy = extended(record.clone(), lines + 1 + more, 0);
            let before = copy.clone();
            prop_assert_eq!(feed(reached(&copy), &record).behind(lines), 0);
            prop_assert_eq!(send(&mut copy, &record), Vec::new());
            prop_assert_eq!(copy, before);
        }

        #[test]
        fn two_records_that_part_are_told_apart_at_the_first_other_line(
            shared in 1_u64..20, ours in 1_u64..20, theirs in 1_u64..20,
        ) {
            let common = record(shared - 1, 0);
            let other = extended(common.clone(), shared + theirs, 1);
            let mut copy = extended(common, shared + ours, 0);
            let before = copy.clone();
            // Only where the other one is longer does its table know nothing of this end.
            let arrivals = send(&mut copy, &other);
            prop_assert_eq!(&copy, &before, "nothing is overwritten");
            if let Some(first) = arrivals.iter().find(|arrival| **arrival != Arrival::Known) {
                prop_assert_eq!(*first, Arrival::Fork);
            }
        }

        #[test]
        fn a_line_that_was_changed_or_left_out_is_never_kept(lines in 1_u64..20, at in 0_usize..20, gap in any::<bool>()) {
            let record = record(lines, 0);
            let at = at % record.len();
            let copy = &record[..at];
            let replica = Replica::new(reached(copy));
            let (seq, line, hash) = if gap {
                let Some((line, hash)) = record.get(at + 1) else { return Ok(()) };
                (at as u64 + 1, line.clone(), *hash)
            } else {
                (at as u64, json!({ "t": 1, "changed": true }), record[at].1)
            };
            let arrival = replica.receive(seq, &line, hash, |seq| head_at(copy, seq));
            prop_assert_eq!(arrival, Arrival::Broken);
        }
    }

    #[test]
    fn a_copy_of_another_header_gets_all_from_the_header_on() {
        let (ours, theirs) = (record(3, 0), record(3, 1));
        assert_eq!(feed(reached(&theirs), &ours).next(), 0);
        let arrival =
            Replica::new(reached(&theirs)).receive(0, &ours[0].0, ours[0].1, |seq| head_at(&theirs, seq));
        assert_eq!(arrival, Arrival::Fork);
    }
}
