//! Simulated firmware of a Millennium board. The board scans its squares; its setting 02 decides when it sends
//! positions.

use tabiya_types::{Board, Instant, Millis, Piece, Square, Squares};

use super::codec::{LEDS, MillenniumCommand, MillenniumCommandDecoder, MillenniumMessage, corners};
use crate::sim::Firmware;

/// The duration of a scan: 20 times 2.048 ms.
const SCAN: Millis = Millis(41);
/// How long after a reset the board ignores commands.
const RESET: Millis = Millis(3_000);
/// The number of the setting that decides when positions are sent.
const REPORTS: usize = 0x02;
/// The number of the setting for the interval of timed positions, in units of 4.096 ms.
const PERIOD: usize = 0x03;

/// The simulated firmware and its state.
#[derive(Debug)]
pub(crate) struct MillenniumFirmware {
    commands: MillenniumCommandDecoder,
    /// The settings, which survive a power cut.
    settings: [u8; 7],
    leds: [u8; LEDS],
    habits: Habits,
    reported: Board,
    next: Option<Instant>,
    /// The time until which the board ignores commands.
    deaf_until: Instant,
    greeted: bool,
}

/// The properties that differ from board to board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "any of these comes with any other")]
pub(crate) struct Habits {
    /// Whether the board omits the parity bits of its characters.
    pub plain: bool,
    /// Whether the board writes checksums with small letters.
    pub small: bool,
    /// Whether the board loses the first command after it is switched on.
    pub drowsy: bool,
    /// Whether the board sends a position before it acknowledges a command for the LEDs.
    pub eager: bool,
    /// Whether the board detects only occupancy.
    pub feels: bool,
}

impl MillenniumFirmware {
    /// Creates a board that identifies its pieces. The seed decides its other properties.
    pub(crate) fn new(seed: u64) -> Self {
        let has = |bit: u32| seed >> bit & 1 == 1;
        Self::with(Habits { plain: has(0), small: has(1), drowsy: has(2), eager: has(3), feels: false })
    }

    /// Creates a board with these properties.
    pub(crate) fn with(habits: Habits) -> Self {
        Self {
            commands: MillenniumCommandDecoder::default(),
            // An eONE starts with 0x22 in its last setting: it applies the rules of chess and shows errors.
            settings: [0, 20, 0, 0, 8, 0, if habits.feels { 0x22 } else { 0 }],
            leds: [0; LEDS],
            habits,
            reported: Board::EMPTY,
            next: None,
            deaf_until: Instant::ZERO,
            greeted: false,
        }
    }

    fn setting(&self, number: usize) -> u8 {
        self.settings.get(number).copied().unwrap_or(0)
    }

    /// Returns the time at which the board sends its next position. `None` if the board sends no position until
    /// something changes.
    fn due(&self, now: Instant, changed: bool) -> Option<Instant> {
        match self.setting(REPORTS) {
            0 => Some(now + SCAN),
            2 => Some(now + Millis(u64::from(self.setting(PERIOD)).max(10) * 4_096 / 1_000)),
            mode @ 3..=7 if changed => Some(now + Millis(SCAN.0 * u64::from(mode - 2))),
            _ => None,
        }
    }

    fn say(&self, message: &MillenniumMessage) -> Vec<u8> {
        let mut bytes = message.to_bytes();
        if self.habits.plain {
            for byte in &mut bytes {
                *byte &= 0x7F;
            }
        }
        if self.habits.small
            && !matches!(message, MillenniumMessage::Model(_))
            && let [.., high, low] = bytes.as_mut_slice()
        {
            for digit in [high, low] {
                let plain = *digit & 0x7F;
                *digit = if plain.is_ascii_uppercase() { plain.to_ascii_lowercase() } else { *digit };
            }
        }
        bytes
    }

    fn position(&mut self, squares: &Board) -> Vec<u8> {
        self.reported = *squares;
        self.say(&MillenniumMessage::Position(*squares))
    }

    fn answer(&mut self, command: MillenniumCommand, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        match command {
            MillenniumCommand::Version => {
                say.push(self.say(&MillenniumMessage::Version(if self.habits.feels {
                    0x0205
                } else {
                    0x0103
                })));
            }
            MillenniumCommand::Position => say.push(self.position(squares)),
            MillenniumCommand::Believed => say.push(self.say(&MillenniumMessage::Guessed(*squares))),
            MillenniumCommand::Light(_, leds) => {
                self.leds = *leds;
                if self.habits.eager {
                    say.push(self.position(squares));
                }
                say.push(self.say(&MillenniumMessage::Lit));
            }
            MillenniumCommand::Dark => {
                self.leds = [0; LEDS];
                say.push(self.say(&MillenniumMessage::Dark));
            }
            MillenniumCommand::Write(number, value) => {
                if let Some(setting) = self.settings.get_mut(usize::from(number)) {
                    *setting = value;
                    self.next = self.due(now, false);
                    say.push(self.say(&MillenniumMessage::Written(number, value)));
                }
            }
            MillenniumCommand::Read(number) => {
                let value = self.setting(usize::from(number));
                say.push(self.say(&MillenniumMessage::Setting(number, value)));
            }
            MillenniumCommand::Reset => {
                self.leds = [0; LEDS];
                self.deaf_until = now + RESET;
            }
            MillenniumCommand::Model if self.habits.feels => {
                say.push(self.say(&MillenniumMessage::Model("e-one 1".to_owned())));
            }
            MillenniumCommand::Model => {}
        }
    }
}

impl Firmware for MillenniumFirmware {
    fn obey(&mut self, bytes: &[u8], squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        if now < self.deaf_until {
            return;
        }
        let first = !std::mem::replace(&mut self.greeted, true);
        for command in self.commands.push(bytes) {
            if !(first && self.habits.drowsy) {
                self.answer(command, squares, now, say);
            }
        }
    }

    fn notice(&mut self, _: Square, _: Option<Piece>, squares: &Board, now: Instant, _: &mut Vec<Vec<u8>>) {
        if matches!(self.setting(REPORTS), 3..=7) {
            let changed = *squares != self.reported;
            self.next = self.due(now, changed);
        }
    }

    fn on_time(&mut self, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        if self.next.is_some_and(|next| next <= now) {
            self.next = self.due(now, false);
            if self.greeted && now >= self.deaf_until {
                say.push(self.position(squares));
            }
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.next
    }

    fn wake(&mut self, now: Instant) {
        *self = Self { settings: self.settings, ..Self::with(self.habits) };
        self.next = self.due(now, false);
    }

    fn tells(&self) -> bool {
        self.greeted
    }

    fn lit(&self) -> Squares {
        let shines = |led: usize| self.leds.get(led).is_some_and(|slots| *slots != 0);
        Square::all().filter(|square| corners(*square).into_iter().all(shines)).collect()
    }
}
