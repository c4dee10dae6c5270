//! The write-ahead log beside a journal, as SQLite reads it: the pages of the transactions that were committed.
//!
//! SQLite takes a log up to its first frame whose salts or checksum do not fit. Such a frame is what a power cut leaves of a
//! transaction that was not synced, hence never acknowledged. A frame that does not fit before a later transaction is
//! something else: that transaction was begun after the frame was synced, so the log was damaged. So was a frame that fits
//! but for one bit, because a power cut leaves whole sectors. A frame with other salts is what an older log left in this
//! place; where the older log's transactions ended says nothing about this one's. So a synced frame that was replaced by an
//! older one as a whole is noticed only if two transactions follow it.
//!
//! Beside a table that writes, the last transaction of the log may not be synced yet. No query returns it before the log's index
//! (the file `-shm`) says that it counts.
//!
//! Source: sqlite.org, `fileformat2.html`, section 4.1 and 4.2 (log, checksums); `walformat.html`, section 2.1 (index).
#![warn(clippy::indexing_slicing)]

use std::collections::BTreeMap;

const HEAD: usize = 32;
/// The length of the index's head, which stands there twice.
const INDEX_HEAD: usize = 48;
const FRAME_HEAD: usize = 24;

/// The two running sums of a log.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Sum(u32, u32);

impl Sum {
    /// The sums after these bytes, whose length is a multiple of eight.
    fn then(self, bytes: &[u8], order: Order) -> Self {
        bytes.chunks_exact(8).fold(self, |Self(one, two), pair| {
            let (first, second) = pair.split_at(4);
            let one = one.wrapping_add(order.word(first)).wrapping_add(two);
            Self(one, two.wrapping_add(order.word(second)).wrapping_add(one))
        })
    }

    /// The sums as the log states them.
    fn stated(bytes: Option<&[u8]>) -> Self {
        let (one, two) = bytes.and_then(|bytes| bytes.split_at_checked(4)).unwrap_or_default();
        Self(Order::Big.word(one), Order::Big.word(two))
    }
}

/// The order of the bytes in the words that are summed up.
#[derive(Clone, Copy)]
enum Order {
    Big,
    Little,
}

impl Order {
    fn word(self, bytes: &[u8]) -> u32 {
        let bytes = bytes.try_into().unwrap_or_default();
        match self {
            Self::Big => u32::from_be_bytes(bytes),
            Self::Little => u32::from_le_bytes(bytes),
        }
    }
}

/// A page in the log, with what the log says about it.
#[derive(Clone, Copy)]
struct Frame<'a> {
    head: &'a [u8],
    page: &'a [u8],
}

impl<'a> Frame<'a> {
    fn number(&self) -> usize {
        usize::try_from(Order::Big.word(self.head.get(..4).unwrap_or_default())).unwrap_or(0)
    }

    /// Whether it is the last one of a transaction.
    fn commits(&self) -> bool {
        self.head.get(4..8).is_some_and(|pages| pages != [0; 4])
    }

    fn salts(&self) -> &'a [u8] {
        self.head.get(8..16).unwrap_or_default()
    }

    fn stated(&self) -> Sum {
        Sum::stated(self.head.get(16..))
    }

    fn sum_after(&self, before: Sum, order: Order) -> Sum {
        before.then(self.head.get(..8).unwrap_or_default(), order).then(self.page, order)
    }
}

/// What SQLite takes from a log.
#[derive(Default)]
pub(super) struct Committed<'a> {
    /// The pages of committed transactions, each in its last version.
    pub(super) pages: BTreeMap<usize, &'a [u8]>,
    /// Whether transactions that were synced are behind a damaged place, so that SQLite does not read them.
    pub(super) is_damaged: bool,
}

/// How many frames of this log count as its index says; `None` if the index is of another log, or is just being written.
pub(super) fn published(index: &[u8], log: &[u8]) -> Option<usize> {
    let (head, rest) = index.split_at_checked(INDEX_HEAD)?;
    let is_whole = rest.get(..INDEX_HEAD) == Some(head) && head.get(12) == Some(&1);
    let is_of_log = head.get(32..40) == log.get(16..24);
    let frames = u32::from_ne_bytes(head.get(16..20)?.try_into().ok()?);
    usize::try_from(frames).ok().filter(|_| is_whole && is_of_log)
}

/// Reads a log whose pages have this size. Pages are taken from its first `published` frames, damage is looked for in all of
/// them.
pub(super) fn committed(log: &[u8], size: usize, published: usize) -> Committed<'_> {
    let Some((head, rest)) = log.split_at_checked(HEAD) else { return Committed::default() };
    let frames = rest.chunks_exact(FRAME_HEAD + size).filter_map(|frame| frame.split_at_checked(FRAME_HEAD));
    let frames: Vec<Frame<'_>> = frames.map(|(head, page)| Frame { head, page }).collect();
    let begins = Sum::stated(head.get(24..));
    let before = std::iter::once(begins).chain(frames.iter().map(Frame::stated));
    let order = if head.get(3).is_some_and(|last| last % 2 == 1) { Order::Big } else { Order::Little };
    if Sum::default().then(head.get(..24).unwrap_or_default(), order) != begins {
        // The head is synced before the first frame is written.
        let follows = |(frame, before): (&Frame<'_>, Sum)| {
            [Order::Big, Order::Little].iter().any(|order| frame.sum_after(before, *order) == frame.stated())
        };
        let is_damaged = frames.iter().zip(before).any(follows);
        return Committed { is_damaged, ..Committed::default() };
    }
    let salts = head.get(16..24).unwrap_or_default();
    let fits = |frame: &Frame<'_>, before: Sum| {
        frame.salts() == salts && frame.sum_after(before, order) == frame.stated()
    };
    let ends = |frame: &Frame<'_>| frame.salts() == salts && frame.commits();
    let mut all = Committed::default();
    let mut open = Vec::new();
    // The first frame that does not fit, and whether a transaction has ended since.
    let mut bad = None;
    for ((frame, before), nth) in frames.iter().zip(before).zip(1_usize..) {
        match (bad, fits(frame, before)) {
            (None, true) => {
                open.push((frame.number(), frame.page));
                if frame.commits() {
                    let pages = open.drain(..);
                    all.pages.extend(pages.filter(|_| nth <= published));
                }
            }
            (None, false) => {
                all.is_damaged = has_one_changed_bit(frame, before, salts, order);
                bad = Some(ends(frame));
            }
            (Some(ended), true) if ended => all.is_damaged = true,
            (Some(ended), _) => bad = Some(ended || ends(frame)),
        }
    }
    all
}

/// Whether a frame that does not fit would fit if one of its bits was another.
fn has_one_changed_bit(frame: &Frame<'_>, before: Sum, salts: &[u8], order: Order) -> bool {
    let other_bits: u32 =
        frame.salts().iter().zip(salts).map(|(there, wanted)| (there ^ wanted).count_ones()).sum();
    let (sum, stated) = (frame.sum_after(before, order), frame.stated());
    if other_bits > 0 {
        return other_bits == 1 && sum == stated;
    }
    let (one, two) = (stated.0.wrapping_sub(sum.0), stated.1.wrapping_sub(sum.1));
    if (stated.0 ^ sum.0).count_ones() + (stated.1 ^ sum.1).count_ones() == 1 {
        return true;
    }
    // What adding one to the first or to the second word of a pair adds to the sums, from the last pair to the first.
    let (mut first, mut second) = (Sum(1, 1), Sum(0, 1));
    let on = |Sum(one, two): Sum| Sum(one.wrapping_add(two), one.wrapping_add(two.wrapping_mul(2)));
    for _ in 0..=frame.page.len() / 8 {
        for Sum(by_one, by_two) in [first, second] {
            let fits = |factor: u32| by_one.wrapping_mul(factor) == one && by_two.wrapping_mul(factor) == two;
            if (0..u32::BITS).any(|bit| fits(1 << bit) || fits((1_u32 << bit).wrapping_neg())) {
                return true;
            }
        }
        (first, second) = (on(first), on(second));
    }
    false
}
