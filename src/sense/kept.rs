//! The positions that searches have reached, kept for the next search.
//!
//! Nothing here has to be told what changes elsewhere: equal keys mean equal positions. A key contains everything since the
//! root that a position depends on: the boards after the actions, the typed lines, what was said after moves, and what is
//! still to be said. (Of actions that lead to one board, a position follows the one that the game derives from it.)

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::sync::Arc;

use super::by_hand::KEPT_POSITIONS;
use super::history::{Grid, squares};
use super::position::ReachedPosition;
use crate::rules::Action;

/// The key of a position, relative to a root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct PositionKey(u64);

/// What a part of a key is, so that a line that was said and one that is still to be said are different parts.
const BOARD: u64 = 0x9e37_79b9_7f4a_7c15;
const SAID: u64 = 0xbf58_476d_1ce4_e5b9;
const UNSAID: u64 = 0x94d0_49bb_1331_11eb;

impl PositionKey {
    fn mix(self, part: u64) -> Self {
        let key = (self.0 ^ part).wrapping_mul(0xff51_afd7_ed55_8ccd);
        Self(key ^ key >> 32)
    }

    /// The key after an action that leaves these pieces.
    pub(super) fn after(self, pieces: &Grid) -> Self {
        let of = |square: usize| u64::from(pieces[square]) << 6 | square as u64;
        squares(u64::MAX).fold(self.mix(BOARD), |key, square| key.mix(of(square)))
    }

    /// The key after a line that was said or typed.
    pub(super) fn said(self, line: &Action) -> Self {
        self.mix(SAID).line(line)
    }

    /// The key where these lines are still to be said.
    pub(super) fn waiting(self, unsaid: &[Action]) -> Self {
        unsaid.iter().fold(self, |key, line| key.mix(UNSAID).line(line))
    }

    /// Games have actions of their own, and no common hash of them. What they show to a debugger tells all of them apart.
    fn line(self, line: &Action) -> Self {
        let mut key = self;
        write!(key, "{line:?}").expect("the writer below never fails");
        key
    }
}

impl Write for PositionKey {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        *self = text.bytes().fold(*self, |key, byte| key.mix(byte.into()));
        Ok(())
    }
}

/// The positions that were reached from one root, by their keys.
#[derive(Clone, Debug, Default)]
pub(super) struct ReachedPositions(BTreeMap<PositionKey, Arc<ReachedPosition>>);

impl ReachedPositions {
    pub(super) fn get(&self, key: PositionKey) -> Option<Arc<ReachedPosition>> {
        self.0.get(&key).cloned()
    }

    /// Keeps a position. If there are too many, the earlier ones are made again where they are needed.
    pub(super) fn keep(&mut self, key: PositionKey, position: ReachedPosition) -> Arc<ReachedPosition> {
        if self.0.len() >= KEPT_POSITIONS {
            self.0.clear();
        }
        let position = Arc::new(position);
        self.0.insert(key, position.clone());
        position
    }
}
