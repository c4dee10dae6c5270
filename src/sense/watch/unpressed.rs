//! Turns that ended without a press: each forgotten press is said, and if nobody presses at all, that is said instead, once.

use tabiya_types::{Color, Sentence, say};

use super::super::by_hand::NOBODY_PRESSES;
use super::super::reading::End;

/// What a watch says of something that it understood against the odds.
#[derive(Clone, PartialEq, Debug)]
pub struct WatchRemark {
    /// The remark.
    pub says: Sentence,
    /// Whether it says that somebody did not press.
    pub unpressed: bool,
}

/// A remark on anything but presses.
impl From<Sentence> for WatchRemark {
    fn from(says: Sentence) -> Self {
        Self { says, unpressed: false }
    }
}

/// How many turns in a row have ended without a press.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct UnpressedTurns(u32);

impl UnpressedTurns {
    /// Somebody has pressed.
    pub(super) fn pressed(&mut self) {
        self.0 = 0;
    }

    /// Follows how a turn by this player ended, and whether the other player's press ended his answer to it. Returns what is
    /// to be said.
    pub(super) fn follow(&mut self, by: Color, end: End, other_pressed: bool) -> Option<Sentence> {
        match end {
            End::Press | End::Line => {
                self.pressed();
                return None;
            }
            End::Forgotten | End::Rest => self.0 += 1,
        }
        if self.0 == NOBODY_PRESSES {
            return Some(say!(
                "remark-nobody-presses",
                "nobody presses the clock: until somebody does, a player's time runs until the reply (Laws 6.2.1)"
            ));
        }
        let other = by.other();
        match end {
            _ if self.0 > NOBODY_PRESSES => None,
            End::Forgotten if other_pressed => Some(say!(
                "remark-forgotten",
                "{by} forgot to press the clock: the turn counts as ended when {other} pressed",
                by,
                other
            )),
            End::Forgotten => Some(say!(
                "remark-forgotten-reply",
                "{by} forgot to press the clock: the turn counts as ended with {other}'s reply",
                by,
                other
            )),
            _ => None,
        }
    }
}
