//! What no count can say: the values of the model that are set by hand. docs/tracker.md gives the reason for each, and what
//! a change of it does.
//!
//! Where a value has two numbers, the second is for boards that only feel their pieces.

use tabiya_types::Millis;

// ---- the table ----

/// Up to how many ms a bucket reaches: how long a square showed something else, and how late it showed the right
/// piece after the end of the turn. A last bucket holds all that is more.
pub(super) const RUN_LIMITS: [u64; 4] = [130, 420, 1_000, 2_600];
pub(super) const LATE_LIMITS: [u64; 8] = [0, 130, 260, 420, 1_000, 2_600, 4_300, 6_600];
/// Added to each count, so that what was never counted is not impossible.
pub(super) const UNSEEN: f64 = 0.3;
/// No entry costs more decibans, because no hands are known so well.
pub(super) const MOST_FOR_ENTRY: i32 = 45;
/// Entries that cost at least so many decibans are odd. Only odd entries keep company.
pub(super) const ODD: i32 = 10;
/// Changes within this time come together: a board reports them in one pass over its squares.
pub(super) const TOGETHER: Millis = Millis(60);

// ---- what the board shows ----

/// The pieces of a turn may still be on their way for so long after its press, and those of the reply for so long before
/// it. A square that shows the right piece only later had lost its update.
pub(super) const ON_THE_WAY: Millis = Millis(420);
/// The time of one pass over the squares. A board that only feels has felt a capture in the hand if both squares were
/// empty at times that are no further apart.
pub(super) const PASS: Millis = Millis(260);
/// A square flickers if one piece appears and disappears at least so often within [`FLICKER_SPAN`]. A piece that
/// slides over a square and back changes the square only four times.
pub(super) const FLICKERS: usize = 8;
pub(super) const FLICKER_SPAN: Millis = Millis(10_000);
/// Of a board that reports without end, so many changes are looked at.
pub(super) const RECENT: usize = 512;

// ---- the search ----

/// How many decibans more than the best node of its level a node may cost, beyond the margin.
pub(super) const BEAM: i32 = 40;
/// How many nodes of a level are expanded: a placement of which nothing was shown may have been on any square of its zone.
pub(super) const WIDTH: usize = 24;
/// How many nodes of all levels are expanded.
pub(super) const MOST_NODES: usize = 400;
/// The most readings that are returned.
pub(super) const MOST_READINGS: usize = 8;
/// How many positions are kept.
pub(super) const KEPT_POSITIONS: usize = 2_048;
/// The most presses in a row that may be forgotten.
pub(super) const MOST_FORGOTTEN: u8 = 2;
/// What may have been forgotten shows at most so many wrong squares where it is believed to have stood.
pub(super) const NEARLY: u32 = 2;

// ---- believe, wait, ask ----

/// A reading is believed if every different one costs at least so many decibans more. A board that only feels its pieces
/// often cannot tell two captures apart.
pub(super) const MARGIN: [i32; 2] = [10, 13];
/// The same where readings differ only in what was done long ago, and where nothing more will come.
pub(super) const NARROW_MARGIN: i32 = 3;
/// For so many boards, readings that agree on them and differ before them need only the narrow margin.
pub(super) const SETTLED: usize = 3;
/// The margin grows by the doubt about a reading, by so much at most.
pub(super) const MOST_FOR_DOUBT: i32 = 34;
/// So many decibans of doubt count as one where nothing else can explain what the board shows now.
pub(super) const DOUBTS: i32 = 3;
/// A reading whose new actions cost more than this each, for what the board does not show, explains nothing.
pub(super) const STRANGE: i32 = 90;
/// How long the board rests before people are asked which of several readings is right. A board that only feels its
/// pieces often tells more a little later.
pub(super) const ASK_AFTER: [Millis; 2] = [Millis(540), Millis(800)];
/// After the last bucket of the table, time tells nothing more: people are asked about a press that waits, after the first
/// of these times. If nothing fits, a piece is probably in the air, and they are asked after the second.
pub(super) const STUCK: [Millis; 2] = [Millis(7_000), Millis(14_000)];
/// On a board that only feels, without presses: a piece that is gone for so long is not in the air any more.
pub(super) const MISSING: Millis = Millis(3_000);

// ---- take back ----

/// How many written actions may be read anew.
pub(super) const KEPT_ACTIONS: usize = 3;
/// At an event, the arbiter is asked about a change that comes later than so many settling times.
pub(super) const ARBITER_AFTER: u64 = 2;
/// A game that has ended is read anew within so many settling times. Later changes are the players' analysis.
pub(super) const REOPEN: u64 = 8;
/// How many earlier positions are recognised when they are set up again.
pub(super) const EARLIER: usize = 10;
