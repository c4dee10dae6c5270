//! The last minutes of a board's bytes, which a table keeps in memory for a report of a fault.

use std::collections::VecDeque;

use tabiya_types::{Instant, Millis};

use crate::capture::{Capture, CaptureHeader};
use crate::chunk::{Chunk, Direction};
use crate::maker::Maker;

/// How long bytes are kept. A fault is noticed within minutes, and a report should be small enough to send.
pub const RECENT_TIME: Millis = Millis(300_000);
/// The largest memory that the kept bytes may use, with all that stands beside them.
const MOST_MEMORY: usize = 1 << 18;

/// The last minutes of the bytes of one board.
#[derive(Debug, Default)]
pub struct RecentBytes {
    maker: Option<Maker>,
    chunks: VecDeque<Chunk>,
    memory: usize,
}

impl RecentBytes {
    /// Forgets everything, and begins with a board of this maker.
    pub fn begin(&mut self, maker: Maker) {
        *self = Self { maker: Some(maker), ..Self::default() };
    }

    /// Adds bytes that went over the link at `at`. What is too old or too much by then goes, the oldest first.
    pub fn add(&mut self, at: Instant, direction: Direction, bytes: &[u8]) {
        // A stop of the program sets its time back a little, but the times of a capture never decrease.
        let at = self.chunks.back().map_or(at, |last| last.at.max(at));
        let chunk = Chunk { at, direction, channel: None, bytes: bytes.to_vec() };
        self.memory += memory(&chunk);
        self.chunks.push_back(chunk);
        while let Some(oldest) = self.chunks.front()
            && (self.memory > MOST_MEMORY || at.since(oldest.at) > RECENT_TIME)
        {
            self.memory = self.memory.saturating_sub(memory(oldest));
            self.chunks.pop_front();
        }
    }

    /// The kept bytes as a capture; `None` if no board has sent any.
    pub fn capture(&self) -> Option<Capture> {
        let maker = self.maker.filter(|_| !self.chunks.is_empty())?;
        let header = CaptureHeader { capture: maker.prefix().to_owned(), device: None };
        Some(Capture { header: Some(header), chunks: self.chunks.iter().cloned().collect() })
    }
}

fn memory(chunk: &Chunk) -> usize {
    size_of::<Chunk>() + chunk.bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::makers::USUAL;

    fn times(recent: &RecentBytes) -> Vec<u64> {
        recent
            .capture()
            .map_or(Vec::new(), |capture| capture.chunks.iter().map(|chunk| chunk.at.millis()).collect())
    }

    #[test]
    fn bytes_of_the_last_five_minutes_stay_and_older_ones_go() {
        let mut recent = RecentBytes::default();
        recent.begin(USUAL);
        assert!(recent.capture().is_none());
        for at in [0, 1_000, 300_000, 301_000] {
            recent.add(Instant::from_millis(at), Direction::FromDevice, &[1]);
        }
        assert_eq!(times(&recent), [1_000, 300_000, 301_000]);
    }

    #[test]
    fn a_flood_from_a_board_takes_no_more_memory_than_allowed() {
        let mut recent = RecentBytes::default();
        recent.begin(USUAL);
        for at in 0..3_000 {
            recent.add(Instant::from_millis(at), Direction::FromDevice, &[0; 500]);
        }
        let kept = times(&recent);
        assert!(recent.memory <= MOST_MEMORY && kept.len() > 400, "{} chunks", kept.len());
        assert_eq!(kept.last(), Some(&2_999));
    }

    #[test]
    fn another_board_begins_anew() {
        let mut recent = RecentBytes::default();
        recent.begin(USUAL);
        recent.add(Instant::ZERO, Direction::ToDevice, &[1]);
        recent.begin(USUAL);
        assert_eq!((times(&recent), recent.memory), (Vec::new(), 0));
    }
}
