//! Descriptions of the faults that the simulator injects between a board and its host.

use tabiya_types::{Instant, Millis};

#[cfg(test)]
use crate::human::Profile;
use crate::human::{Dice, PerMille};
use crate::makers::dgt::codec::DgtMessage;

/// Faults of the line and of the clock. Each probability applies to each message separately.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct DgtFaults {
    /// The seed of the random numbers.
    pub seed: u64,
    /// Probability that one byte of a message is lost.
    pub drop_byte: PerMille,
    /// Probability that a message arrives twice.
    pub duplicate: PerMille,
    /// Probability that one to four bytes below 128 precede a message.
    pub noise: PerMille,
    /// Probability that a message ends too early.
    pub cut_frame: PerMille,
    /// The period in which the board sends nothing. It begins at the first time and ends just before the second time.
    pub stop_answering: Option<(Instant, Instant)>,
    /// The times at which the board is unplugged, in order. Each has the length of time for which the board stays
    /// unplugged.
    pub unplug_at: Vec<(Instant, Millis)>,
    /// Probability that the clock obeys but its acknowledgement is lost.
    pub lost_ack: PerMille,
    /// Probability that a message of zeros precedes the acknowledgement, as from Bluetooth boards.
    pub zero_frame_before_ack: PerMille,
    /// Probability that the acknowledgement arrives twice.
    pub ack_twice: PerMille,
    /// Probability that the acknowledgement is `20 00 00 00`, as users have observed. Sending the command again
    /// helps.
    pub strange_ack: PerMille,
    /// Probability that a time contains a digit above 9.
    pub bad_time: PerMille,
}

impl DgtFaults {
    /// No faults.
    pub(crate) const NONE: Self = Self {
        seed: 0,
        drop_byte: PerMille::NEVER,
        duplicate: PerMille::NEVER,
        noise: PerMille::NEVER,
        cut_frame: PerMille::NEVER,
        stop_answering: None,
        unplug_at: Vec::new(),
        lost_ack: PerMille::NEVER,
        zero_frame_before_ack: PerMille::NEVER,
        ack_twice: PerMille::NEVER,
        strange_ack: PerMille::NEVER,
        bad_time: PerMille::NEVER,
    };

    /// Creates the faults of the line that belong to a profile of simulated players. Where the profile would lose an
    /// update, the line loses one byte of the message.
    #[cfg(test)]
    pub(crate) fn of(profile: &Profile, seed: u64) -> Self {
        Self { seed, drop_byte: profile.drop, duplicate: profile.duplicate, ..Self::NONE }
    }
}

/// The state of the faulty line.
pub(super) struct FaultyLine {
    faults: DgtFaults,
    dice: Dice,
}

impl FaultyLine {
    pub(super) fn new(faults: DgtFaults) -> Self {
        Self { dice: Dice::new(faults.seed), faults }
    }

    /// Returns the messages that arrive instead of this acknowledgement.
    pub(super) fn acks(&mut self, ack: [u8; 4]) -> Vec<DgtMessage> {
        let mut messages = Vec::new();
        if self.dice.chance(self.faults.lost_ack) {
            return messages;
        }
        if self.dice.chance(self.faults.zero_frame_before_ack) {
            messages.push(DgtMessage::ClockBlank);
        }
        let strange = self.dice.chance(self.faults.strange_ack);
        messages.push(DgtMessage::Ack(if strange { [0x20, 0, 0, 0] } else { ack }));
        if self.dice.chance(self.faults.ack_twice) {
            messages.push(DgtMessage::Ack(ack));
        }
        messages
    }

    /// Returns the bytes that arrive instead of this message, one entry for each frame.
    pub(super) fn damaged(&mut self, message: &DgtMessage, now: Instant) -> Vec<Vec<u8>> {
        if self.faults.stop_answering.is_some_and(|(from, to)| from <= now && now < to) {
            return Vec::new();
        }
        let mut bytes = message.to_bytes();
        if matches!(message, DgtMessage::Clock(_)) && self.dice.chance(self.faults.bad_time) {
            // Make the seconds of the first time in the message invalid.
            if let Some(byte) = bytes.get_mut(5) {
                *byte = 0x5F;
            }
        }
        let twice = self.dice.chance(self.faults.duplicate);
        let mut frames = vec![bytes.clone()];
        if twice {
            frames.push(bytes);
        }
        for frame in &mut frames {
            self.damage(frame);
        }
        frames
    }

    fn damage(&mut self, frame: &mut Vec<u8>) {
        let len = u64::try_from(frame.len()).unwrap_or(0);
        if self.dice.chance(self.faults.cut_frame) {
            frame.truncate(usize::try_from(1 + self.dice.below(len.saturating_sub(1))).unwrap_or(1));
        } else if self.dice.chance(self.faults.drop_byte) {
            let lost = usize::try_from(self.dice.below(len)).unwrap_or(0);
            if lost < frame.len() {
                frame.remove(lost);
            }
        }
        if self.dice.chance(self.faults.noise) {
            let count = 1 + self.dice.below(4);
            let noise: Vec<u8> =
                (0..count).map(|_| u8::try_from(self.dice.below(0x80)).unwrap_or(0)).collect();
            frame.splice(0..0, noise);
        }
    }
}
