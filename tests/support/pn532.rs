//! A simulated PN532 (an NFC chip) on its serial line (HSU), with cards and injected faults. It knows only the
//! commands that a card reader needs. It takes bytes and returns bytes; it does no IO and reads no clock.
//!
//! Source: notes on NXP's UM0701-02, chapters 6 and 7.

use std::collections::VecDeque;

/// The byte that wakes the chip: the host sends it before its first command after power-up.
const WAKES: u8 = 0x55;
const ACK: [u8; 6] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00];
/// Asks the chip to repeat its last answer.
const NACK: [u8; 4] = [0x00, 0xFF, 0xFF, 0x00];
/// The chip's answer to a command that it does not know.
const ERROR: [u8; 8] = [0x00, 0x00, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0x00];

/// A card with an NTAG in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Card {
    pub(crate) uid: Vec<u8>,
    /// Pages of four bytes, from page 0 on.
    memory: Vec<u8>,
}

impl Card {
    /// An NTAG213 (144 bytes for data) that contains the NDEF message `ndef`, which may be empty.
    pub(crate) fn new(uid: &[u8], ndef: &[u8]) -> Self {
        let mut memory = vec![0; 12];
        memory.extend([0xE1, 0x10, 0x12, 0x00]);
        // As on a chip from the factory, a lock control TLV precedes the message.
        memory.extend([0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, u8::try_from(ndef.len()).expect("short")]);
        memory.extend(ndef);
        memory.push(0xFE);
        memory.resize(45 * 4, 0);
        Self { uid: uid.to_vec(), memory }
    }

    /// Reads 16 bytes from `page` on. After the last page it continues with the first.
    fn read(&self, page: u8) -> Vec<u8> {
        let from = usize::from(page) * 4;
        self.memory.iter().cycle().skip(from % self.memory.len()).take(16).copied().collect()
    }
}

/// The faults that are still to be injected. The value of each field is how often its fault will occur.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Faults {
    /// Commands that are neither acked nor answered.
    pub(crate) no_ack: u32,
    /// Answers whose checksum is wrong.
    pub(crate) wrong_dcs: u32,
    /// Answers that break off in the middle.
    pub(crate) halved: u32,
    /// Answers before which the chip sends junk bytes and zeros.
    pub(crate) junk: u32,
    /// Reads that fail because the card was lifted after it had been found.
    pub(crate) gone_at_read: u32,
}

/// The chip and what lies on its antenna.
#[derive(Debug, Default)]
pub(crate) struct Pn532 {
    pub(crate) cards: Vec<Card>,
    pub(crate) faults: Faults,
    /// Whether the chip's cable is unplugged, or the chip has no power.
    pub(crate) dead: bool,
    /// The codes of the host's commands, in order.
    pub(crate) asked: Vec<u8>,
    awake: bool,
    /// Whether the host has set the chip's mode. Before that, the chip answers only the command that sets the mode.
    set: bool,
    held: VecDeque<u8>,
    answer: Vec<u8>,
}

/// Wraps `data`, which begins with D5, in a frame.
fn frame(data: &[u8]) -> Vec<u8> {
    let length = u8::try_from(data.len()).expect("a normal frame");
    let sum = data.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
    [&[0x00, 0x00, 0xFF, length, length.wrapping_neg()], data, &[sum.wrapping_neg(), 0x00]].concat()
}

fn one_less(count: &mut u32) -> bool {
    let is = *count > 0;
    *count = count.saturating_sub(1);
    is
}

impl Pn532 {
    /// Resets the chip, as switching its power off and on does.
    pub(crate) fn restart(&mut self) {
        (self.awake, self.set) = (false, false);
        self.held.clear();
    }

    /// Takes bytes from the host and returns the chip's answer.
    pub(crate) fn hear(&mut self, bytes: &[u8]) -> Vec<u8> {
        if self.dead {
            self.restart();
            return Vec::new();
        }
        let mut said = Vec::new();
        for byte in bytes {
            self.awake |= *byte == WAKES;
            self.held.push_back(*byte);
            while let Some(front) = self.front() {
                said.extend(self.act(&front));
            }
        }
        said
    }

    /// Removes the host's next complete frame from the buffer and returns its data, which is D4 and the command. The
    /// data of a NACK is empty. For a frame with a wrong checksum, returns D4 alone.
    fn front(&mut self) -> Option<Vec<u8>> {
        let held = self.held.make_contiguous();
        let mut used = 0;
        let mut found = None;
        while let Some(rest) = held.get(used..).filter(|rest| !rest.is_empty()) {
            let known = rest.get(..4).map(|start| (start == NACK, start == &ACK[1..5]));
            match (rest, known) {
                (_, Some((true, _))) => (used, found) = (used + 4, Some(Vec::new())),
                // With an ACK the host cancels the running command. No command is running here, so the ACK has no
                // effect.
                (_, Some((_, true))) => {
                    used += 4;
                    continue;
                }
                ([0x00, 0xFF, length, check, body @ ..], _) if length.wrapping_add(*check) == 0 => {
                    let Some(body) = body.get(..=usize::from(*length)) else { break };
                    let whole = body.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)) == 0;
                    let data = body[..usize::from(*length)].to_vec();
                    (used, found) = (used + 4 + body.len(), Some(if whole { data } else { vec![0xD4] }));
                }
                ([0x00] | [0x00, 0xFF] | [0x00, 0xFF, _], _) => break,
                _ => {
                    used += 1;
                    continue;
                }
            }
            break;
        }
        self.held.drain(..used);
        found
    }

    fn act(&mut self, data: &[u8]) -> Vec<u8> {
        if !self.awake {
            return Vec::new();
        }
        let [0xD4, command @ ..] = data else { return self.answer.clone() };
        let Some(&code) = command.first() else { return ERROR.to_vec() };
        if !self.set && code != 0x14 {
            return Vec::new();
        }
        if one_less(&mut self.faults.no_ack) {
            return Vec::new();
        }
        self.asked.push(code);
        let Some(answer) = self.answer_to(command) else { return [&ACK[..], &ERROR].concat() };
        self.answer = frame(&[&[0xD5, code + 1], &answer[..]].concat());
        [ACK.to_vec(), self.spoilt()].concat()
    }

    /// The bytes of the answer as the host receives them, damaged by the faults that are due now.
    fn spoilt(&mut self) -> Vec<u8> {
        let mut answer = self.answer.clone();
        if one_less(&mut self.faults.wrong_dcs) {
            let check = answer.len() - 2;
            answer[check] ^= 0x40;
        }
        if one_less(&mut self.faults.halved) {
            answer.truncate(answer.len() / 2);
        }
        if one_less(&mut self.faults.junk) {
            answer.splice(..0, [0xA5, 0x00, 0xFF, 0x37, 0x00, 0xFF, 0x02, 0x00, 0x00, 0x00, 0x00]);
        }
        answer
    }

    fn answer_to(&mut self, command: &[u8]) -> Option<Vec<u8>> {
        Some(match command {
            [0x14, 0x01, ..] => {
                self.set = true;
                Vec::new()
            }
            [0x02] => vec![0x32, 0x01, 0x06, 0x07],
            [0x32, 0x05, _, _, _] => Vec::new(),
            [0x4A, most, 0x00] => self.list(usize::from(*most).min(2)),
            [0x40, number, 0x30, page] => match self.cards.get(usize::from(number - 1)) {
                Some(card) if !one_less(&mut self.faults.gone_at_read) => {
                    [&[0x00], &card.read(*page)[..]].concat()
                }
                _ => vec![0x01],
            },
            _ => return None,
        })
    }

    fn list(&self, most: usize) -> Vec<u8> {
        let found: Vec<&Card> = self.cards.iter().take(most).collect();
        let mut answer = vec![u8::try_from(found.len()).expect("at most two")];
        for (card, number) in found.into_iter().zip(1..) {
            let length = u8::try_from(card.uid.len()).expect("at most ten");
            answer.extend([number, 0x00, 0x44, 0x00, length]);
            answer.extend(&card.uid);
        }
        answer
    }
}

/// Parses hexadecimal bytes, as the chip's manual writes them.
fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hexadecimal")).collect()
}

/// Sends known commands, and compares each answer with the expected bytes.
#[test]
fn the_chip_answers_as_its_manual_says() {
    let uid = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0x80, 0x01];
    let mut chip = Pn532 { cards: vec![Card::new(&uid, b"x")], ..Pn532::default() };
    let look = "00 00 FF 04 FC D4 4A 02 00 E0 00";
    assert!(chip.hear(&hex(look)).is_empty(), "the chip is asleep");
    let dialogue = [
        ("55 55 00 00 00 00 FF 05 FB D4 14 01 14 00 03 00", "00 00 FF 02 FE D5 15 16 00"),
        ("00 00 FF 02 FE D4 02 2A 00", "00 00 FF 06 FA D5 03 32 01 06 07 E8 00"),
        ("00 00 FF 06 FA D4 32 05 FF 01 01 F4 00", "00 00 FF 02 FE D5 33 F8 00"),
        (look, "00 00 FF 0F F1 D5 4B 01 01 00 44 00 07 04 A1 B2 C3 D4 80 01 24 00"),
    ];
    for (asked, answer) in dialogue {
        assert_eq!(chip.hear(&hex(asked)), [&ACK[..], &hex(answer)].concat(), "{asked}");
    }
    chip.cards[0].uid.truncate(7);
    chip.cards.push(Card::new(&[0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0x80, 0x02], b""));
    let two = "00 00 FF 1B E5 D5 4B 02 01 00 44 00 07 04 A1 B2 C3 D4 80 01 02 00 44 00 07 04 A1 B2 C3 D4 80 02 66 00";
    assert_eq!(chip.hear(&hex(look)), [&ACK[..], &hex(two)].concat());
    // A NACK makes the chip repeat its answer.
    assert_eq!(chip.hear(&hex("00 00 FF FF 00 00")), hex(two));
    chip.cards.clear();
    let gone = "00 00 FF 03 FD D5 41 01 E9 00";
    let read = chip.hear(&hex("00 00 FF 05 FB D4 40 01 30 04 B7 00"));
    assert_eq!(read, [&ACK[..], &hex(gone)].concat());
}
