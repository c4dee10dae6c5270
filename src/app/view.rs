//! Views: what people see of a table, as plain values, and as text (clock readings, and lines marked with the people they are
//! meant for).
//!
//! They are made from a table, the header of its record and what devices report, and know no session: a program that only follows
//! a record shows the same.

mod board;
mod cards;
mod matches;
mod status;
mod table;

use tabiya_engine::clock::Clock;
use tabiya_engine::table::Audience;
use tabiya_text::Words;
use tabiya_types::{Color, Instant, Millis, say};

pub use self::board::{
    BoardFact, BoardSearch, BoardView, FoundBoard, FoundLink, LinkState, RawLine, SimulatedView,
};
pub use self::cards::{CardsView, DeckAudit, DeckView, Owner, ReaderView, WorkStep, WorkView};
pub use self::matches::{PastView, RecordView};
pub use self::status::{
    ClockRuns, ClockShown, DeviceLink, DevicePresence, DeviceStatus, LOW_BATTERY, RecordStatus, TableStatus,
    event_in_words,
};
pub(crate) use self::table::shortened;
pub use self::table::{PokerView, SeenAction, TableView};

/// Returns the text of a line for a screen that players and arbiter share. If the line is meant for the arbiter, the
/// text begins with `arbiter:` in the language of `words`.
pub fn addressed(to: Audience, text: &str, words: &Words) -> String {
    match to {
        Audience::Players => text.to_owned(),
        Audience::Arbiter => words.said(&say!("to-arbiter", "arbiter: {text}", text = text.to_owned())),
    }
}

/// The default limit below which a clock shows tenths of a second.
pub const TENTHS: Millis = Millis(10_000);

/// Formats a clock reading, rounded up to the second, or to the tenth below ten seconds. Without a reading the text is
/// `-:--`.
pub fn reading(left: Option<Millis>) -> String {
    reading_with_tenths(left, TENTHS)
}

/// Formats a side's clock reading for the terminal; a clock that counts up shows no tenths.
pub fn reading_of(clock: &Clock, color: Color, now: Instant) -> String {
    let tenths = if clock.counts_up(color, now) { Millis::ZERO } else { TENTHS };
    reading_with_tenths(clock.reading(color, now), tenths)
}

/// Formats a clock reading, with tenths if it is below `below`. The text never contains hundredths, and is never zero
/// while time is left.
pub fn reading_with_tenths(left: Option<Millis>, below: Millis) -> String {
    match left {
        None => "-:--".to_owned(),
        Some(left) if left < below => {
            // Rounds up, so that the text is never 0.0 while time is left.
            let tenths = left.0.div_ceil(100);
            format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
        }
        Some(left) => left.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_never_shows_zero_while_time_is_left_and_never_hundredths() {
        let cases = [
            (0, 10, "0:00.0"),
            (1, 10, "0:00.1"),
            (100, 10, "0:00.1"),
            (9_900, 10, "0:09.9"),
            (9_999, 10, "0:10.0"),
            (10_000, 10, "0:10"),
            (10_001, 10, "0:11"),
            (59_001, 10, "1:00"),
            (59_900, 60, "0:59.9"),
            (59_999, 60, "1:00.0"),
            (1, 0, "0:01"),
            (0, 0, "0:00"),
            (3_600_000, 10, "1:00:00"),
        ];
        for (left, below, shown) in cases {
            let below = Millis::from_secs(below);
            assert_eq!(reading_with_tenths(Some(Millis(left)), below), shown, "{left}");
        }
        assert_eq!(reading(None), "-:--");
    }
}
