//! What no count can say: the values of the model that are set by hand. docs/tracker.md gives the reason for each, and what
//! a change of it does.
//!
//! Where a value has two numbers, the second is for boards that only feel their pieces.

use tabiya_types::Millis;

// ---- the table ----

/// Upper bounds of the buckets in ms, for how long a square showed something else (run), and for how late it showed the right
/// piece after the end of the turn. An open last bucket follows.
pub(super) const RUN_LIMITS: [u64; 4] = [130, 420, 1_000, 2_600];
pub(super) const LATE_LIMITS: [u64; 8] = [0, 130, 260, 420, 1_000, 2_600, 4_300, 6_600];
/// Added to each count, so that what was never observed is unlikely, but not impossible.
pub(super) const UNSEEN: f64 = 0.3;
/// Cap on the cost of one entry: too few hands were counted to call anything rarer than one in 30,000.
pub(super) const MOST_FOR_ENTRY: i32 = 45;
/// Entries that cost at least so many decibans are odd. Only odd entries get a discount for the company of others.
pub(super) const ODD: i32 = 10;
/// Changes within this time come together: a board reports them in one pass over its squares.
pub(super) const TOGETHER: Millis = Millis(60);
/// How a board that only feels has observed a capture: both pieces were in the hand at once, one after the other, or no
/// square was felt empty. The table stores these three in its first buckets for lateness; they are no durations.
pub(super) const FELT_TOGETHER: Millis = Millis(LATE_LIMITS[0]);
pub(super) const FELT_APART: Millis = Millis(LATE_LIMITS[1]);
pub(super) const NOT_FELT: Millis = Millis(LATE_LIMITS[2]);
/// What it costs that a press ended nothing, or that a typed line came while nobody was on turn. Neither was ever counted, so
/// it costs as much as any single entry can.
pub(super) const UNCOUNTED: i32 = MOST_FOR_ENTRY;

/// What it costs that a press ended an action that no rule allows, and that its pieces were then put back: it was never counted
/// either, because the counted games have no such actions.
pub(super) const PUT_BACK: i32 = MOST_FOR_ENTRY;

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
/// Where so many events wait that this is too much work, at least so many nodes of each level are expanded.
pub(super) const LEAST_WIDTH: usize = 4;
/// How many nodes of all levels are expanded, unless [`LEAST_WIDTH`] for each level is more.
pub(super) const MOST_NODES: usize = 1_000;
/// The most readings that are returned.
pub(super) const MOST_READINGS: usize = 8;
/// How many positions are kept.
pub(super) const KEPT_POSITIONS: usize = 2_048;
/// That a press was forgotten costs so many times as much if the next press is by the player whose turn it was: then this
/// press is likelier the late end of that turn.
pub(super) const FORGOTTEN_BEFORE_OWN_PRESS: i32 = 2;
/// The most presses in a row that may be forgotten.
pub(super) const MOST_FORGOTTEN: u8 = 2;
/// Where an action whose press was forgotten is assumed to have stood, at most so many squares were wrong.
pub(super) const NEARLY: u32 = 2;
/// An action that stands on the board at the end of the observation shows at most so many wrong squares: one update may be
/// lost.
pub(super) const STANDS_NEARLY: u32 = 1;

// ---- believe, wait, ask ----

/// A reading is believed if every different one costs at least so many decibans more. A board that only feels its pieces
/// often cannot tell two captures apart.
pub(super) const MARGIN: [i32; 2] = [10, 13];
/// The same where readings differ only in what was done long ago, and where nothing more will come.
pub(super) const NARROW_MARGIN: i32 = 3;
/// Readings that agree on so many last boards need only the narrow margin.
pub(super) const SETTLED: usize = 3;
/// What all readings say alike is in doubt only as one of so many last actions.
pub(super) const RECENT_ACTIONS: usize = 3;
/// The margin grows with the doubt about a reading, by so much at most.
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

/// After so many turns in a row without a press, nobody presses: that is said instead of each forgotten press.
pub(super) const NOBODY_PRESSES: u32 = 3;
/// How many written actions may be read anew.
pub(super) const KEPT_ACTIONS: usize = 3;
/// At an event, the arbiter is asked about a change that comes later than so many settling times.
pub(super) const ARBITER_AFTER: u64 = 2;
/// A game that has ended is read anew within so many settling times. Later changes are the players' analysis.
pub(super) const REOPEN: u64 = 8;
/// How many earlier positions are recognised when they are set up again.
pub(super) const EARLIER: usize = 10;

// ---- bounds ----

/// When the input ends, the board is looked at so often: first for what the presses end, and then, as no press waits any more,
/// for what stands on the board.
pub(super) const LAST_LOOKS: usize = 2;
/// So many deadlines at most are performed in one call. Each round removes one, and a day has fewer; more can only mean that
/// one never passes. A table at play must go on even then, and the next call tries again.
pub(super) const MOST_DEADLINES: usize = 10_000;
