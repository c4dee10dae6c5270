//! Simulated boards: physical events and a host's bytes go in, the board's bytes come out.
//!
//! [`Simulated`] contains everything of a simple board except its protocol: squares that are scanned, a plug that can
//! be pulled, a link that loses and duplicates messages. A maker's [`Firmware`] adds the protocol. The caller gives the
//! time of each event, and all randomness comes from a seed.

mod clock;
mod plug;

pub use clock::{ClockConfig, ClockModel};
pub(crate) use plug::{Plug, Plugged};
use tabiya_types::{Board, Color, Instant, Millis, Piece, Square, Squares};

use crate::event::ClockButton;
use crate::human::{Coils, Dice, PerMille, Physical, Profile};
use crate::link::Carrier;
use crate::notes::Notes;

/// A board that is simulated down to its bytes.
pub trait SimBoard: Send {
    /// Takes in a physical event at the board.
    fn happen(&mut self, what: Physical, at: Instant);
    /// Takes in bytes that the host has written.
    fn on_host_bytes(&mut self, bytes: &[u8], now: Instant);
    /// Does everything that is due by `now`, in order of time.
    fn on_time(&mut self, now: Instant);
    /// When to call [`on_time`](Self::on_time) next; `None` if nothing is due.
    fn deadline(&self) -> Option<Instant>;
    /// Removes and returns the messages that the host may read now, oldest first.
    fn take_messages(&mut self) -> Vec<Vec<u8>>;
    /// The pieces that really stand on the board, White below.
    fn board(&self) -> Board;
    /// Whether the board's plug is in.
    fn plugged(&self) -> bool;
    /// Pulls the plug until [`plug`](Self::plug) puts it back.
    fn unplug(&mut self, now: Instant);
    /// Puts the plug back.
    fn plug(&mut self, now: Instant);
    /// Whether a host has started the board. A started board reports its squares.
    fn is_started(&self) -> bool;
    /// The lit squares, White below.
    fn lit(&self) -> Squares {
        Squares::NONE
    }
    /// Carries out a manual action on the clock. Boards without a clock ignore it.
    fn clock(&mut self, _: ClockAction, _: Instant) {}
    /// The text on the clock or on another display; `None` if the board has no display.
    fn display_text(&self) -> Option<String> {
        None
    }
    /// Whether the device has squares for pieces.
    fn has_squares(&self) -> bool {
        true
    }
    /// Whether the device tells the presses of a clock.
    fn has_lever(&self) -> bool {
        false
    }
    /// Sets the battery's charge in percent. Boards without a battery ignore it.
    fn set_battery(&mut self, _: u8) {}
    /// Lays `card` on the first reader as the only card; `None` removes all cards. Boards without a reader ignore it.
    fn lay_card(&mut self, _: Option<SimCard>, _now: Instant) {}
    /// The notes that the board's driver needs at the beginning. With a real board, an earlier connection or the
    /// board's owner would have left them.
    fn notes(&self) -> Notes {
        Notes::NONE
    }
    /// The number that distinguishes this board from other boards on the same port, as people write it. `None` if no
    /// other board shares the port.
    fn unit(&self) -> Option<String> {
        None
    }
}

/// A manual action on the clock of a simulated board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockAction {
    /// Set the left and the right time.
    Set(Millis, Millis),
    /// Start (`true`) or pause (`false`) the clock.
    Run(bool),
    /// Connect (`true`) or disconnect (`false`) the clock.
    Connect(bool),
    /// Press a button of the clock.
    Button(ClockButton),
}

/// A physical card with a chip, as a card reader sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimCard {
    /// The number (UID) of the chip: 4, 7 or 10 bytes.
    pub uid: Vec<u8>,
    /// The NDEF message on the chip, at most 888 bytes; empty if no message is written on it.
    pub ndef: Vec<u8>,
}

/// The initial state of a simulated board.
#[derive(Clone, Debug, Default)]
pub struct SimSetup {
    /// The pieces on the board, White below.
    pub board: Board,
    /// Whether the board is turned by 180 degrees, so that Black sits at the side that the board itself takes for
    /// White's.
    pub turned: bool,
    /// Whether the clock stands the other way round than usual: White on its right, or on its left beside a turned board.
    pub clock_turned: bool,
    /// The seed of all random decisions.
    pub seed: u64,
    /// The faults of the board's link.
    pub faults: LineFaults,
    /// How the board's link carries bytes.
    pub carrier: Carrier,
    /// The clock that is connected; `None` connects the default clock. Boards without a clock ignore it.
    pub clock: Option<ClockConfig>,
    /// Whether to simulate a box: a device with a card reader and no squares. A maker without boxes simulates a board
    /// instead; [`SimBoard::has_squares`] then returns `true`.
    pub without_squares: bool,
    /// The board's serial number; `None` is the simulator's usual one. Boards that report no number ignore it.
    pub number: Option<u16>,
}

impl SimSetup {
    /// Whether White sits on the clock's right. The clock is turned with the board.
    pub(crate) fn white_right(&self) -> bool {
        self.turned != self.clock_turned
    }
}

/// The faults of the link between a board and its host.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineFaults {
    /// The probability that a message is lost.
    pub lost: PerMille,
    /// The probability that a message is sent twice.
    pub doubled: PerMille,
    /// The largest number of bytes that the link carries at once. Longer messages are split into parts, as over a
    /// Bluetooth LE link with a small MTU. With `None`, messages are not split.
    pub split: Option<usize>,
    /// The planned faults of the plug, in order of time: when the plug comes out by itself, and how long it stays out.
    pub unplug_at: Vec<(Instant, Millis)>,
}

impl LineFaults {
    /// The link faults of a profile.
    pub fn of(profile: &Profile) -> Self {
        Self { lost: profile.drop, doubled: profile.duplicate, ..Self::default() }
    }

    /// Splits a message into the parts in which the host receives it, one after another.
    pub(crate) fn pieces(&self, message: &[u8]) -> Vec<Vec<u8>> {
        match self.split {
            Some(most) => message.chunks(most.max(1)).map(<[u8]>::to_vec).collect(),
            None => vec![message.to_vec()],
        }
    }
}

/// The behaviour of the program inside a board. Messages that the board sends are appended to `say`.
pub trait Firmware: Send {
    /// Handles the bytes of one write of the host.
    fn obey(&mut self, bytes: &[u8], squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>);
    /// Handles a change of `square` that a scan has found: `what` is the piece that stands there now, `None` if the
    /// square is empty. `squares` is the board after the change.
    fn notice(
        &mut self,
        square: Square,
        what: Option<Piece>,
        squares: &Board,
        now: Instant,
        say: &mut Vec<Vec<u8>>,
    );
    /// Handles a press of the clock's lever. `_by` is the colour of the side that pressed, in the board's own
    /// orientation: if the board is turned, it is the other player's colour. Boards without a lever ignore the press.
    fn press(&mut self, _by: Color, _squares: &Board, _now: Instant, _say: &mut Vec<Vec<u8>>) {}
    /// Lays the card on the first reader as the only card; `None` removes all cards. Boards without a reader ignore it.
    fn lay_card(&mut self, _: Option<SimCard>, _squares: &Board, _now: Instant, _say: &mut Vec<Vec<u8>>) {}
    /// Sends the unsolicited messages that are due by `now`.
    fn on_time(&mut self, _squares: &Board, _now: Instant, _say: &mut Vec<Vec<u8>>) {}
    /// When the next unsolicited message is due.
    fn deadline(&self) -> Option<Instant> {
        None
    }
    /// Puts the program into its state after switching on. It then knows nothing of what a host sent before.
    fn wake(&mut self, now: Instant);
    /// Whether a host has started the board. A started board reports its squares.
    fn tells(&self) -> bool;
    /// The lit squares, in the board's own orientation.
    fn lit(&self) -> Squares {
        Squares::NONE
    }
    /// The text on the board's display; `None` if the board has no display.
    fn display(&self) -> Option<String> {
        None
    }
    /// Whether the device has squares for pieces.
    fn has_squares(&self) -> bool {
        true
    }
    /// Whether the device tells the presses of a clock.
    fn has_lever(&self) -> bool {
        false
    }
    /// The notes that the board's driver needs.
    fn notes(&self) -> Notes {
        Notes::NONE
    }
}

/// A simulated board that runs this firmware.
pub struct Simulated<F> {
    firmware: F,
    coils: Coils,
    dice: Dice,
    faults: LineFaults,
    turned: bool,
    /// Whether White sits on the right of the lever.
    white_right: bool,
    plug: Plug,
    out: Vec<Vec<u8>>,
}

impl<F: Firmware> Simulated<F> {
    /// A board that was just switched on.
    pub fn new(firmware: F, setup: &SimSetup) -> Self {
        let mut dice = Dice::new(setup.seed);
        let board = if setup.turned { setup.board.rotated() } else { setup.board };
        let coils = Coils::new(board, Coils::SCAN, &mut dice);
        let mut simulated = Self {
            firmware,
            coils,
            dice,
            faults: setup.faults.clone(),
            turned: setup.turned,
            white_right: setup.white_right(),
            plug: Plug::new(&setup.faults.unplug_at),
            out: Vec::new(),
        };
        simulated.firmware.wake(Instant::ZERO);
        simulated
    }

    /// Converts a square to the board's own orientation.
    fn own(&self, square: Square) -> Square {
        if self.turned { square.rotated() } else { square }
    }

    fn send(&mut self, messages: Vec<Vec<u8>>) {
        for message in messages {
            if self.dice.chance(self.faults.lost) {
                continue;
            }
            let copies = if self.dice.chance(self.faults.doubled) { 2 } else { 1 };
            for _ in 0..copies {
                self.out.extend(self.faults.pieces(&message));
            }
        }
    }
}

impl<F: Firmware> Plugged for Simulated<F> {
    fn socket(&self) -> &Plug {
        &self.plug
    }

    fn socket_mut(&mut self) -> &mut Plug {
        &mut self.plug
    }

    fn work_due(&self) -> Option<Instant> {
        [self.coils.next().map(|(at, _)| at), self.firmware.deadline()].into_iter().flatten().min()
    }

    fn work(&mut self, due: Instant) {
        let mut say = Vec::new();
        if let Some((at, square)) = self.coils.next().filter(|(at, _)| *at <= due)
            && let Some(what) = self.coils.look(at, square)
        {
            self.firmware.notice(square, what, self.coils.seen(), at, &mut say);
        }
        if self.firmware.deadline().is_some_and(|at| at <= due) {
            self.firmware.on_time(self.coils.seen(), due, &mut say);
        }
        self.send(say);
    }

    fn lose_power(&mut self) {
        self.out.clear();
    }

    fn start_up(&mut self, now: Instant) {
        self.coils.wake(now);
        self.firmware.wake(now);
    }
}

impl<F: Firmware> SimBoard for Simulated<F> {
    fn happen(&mut self, what: Physical, at: Instant) {
        self.on_time(at);
        match what {
            Physical::Set(square, what) => self.coils.set(at, self.own(square), what),
            Physical::Flicker(square, times) => self.coils.flicker(at, self.own(square), times),
            Physical::Blind(out) => self.coils.blind(at + out),
            Physical::Unplug(out) => self.pull(Some(at + out)),
            Physical::Press(by) if self.plug.is_in() => {
                let mut say = Vec::new();
                let by = if self.white_right { by.other() } else { by };
                self.firmware.press(by, self.coils.seen(), at, &mut say);
                self.send(say);
            }
            Physical::Press(_) => {}
        }
    }

    fn on_host_bytes(&mut self, bytes: &[u8], now: Instant) {
        self.on_time(now);
        if self.plug.is_in() {
            let mut say = Vec::new();
            self.firmware.obey(bytes, self.coils.seen(), now, &mut say);
            self.send(say);
        }
    }

    fn on_time(&mut self, now: Instant) {
        self.run_until(now);
    }

    fn deadline(&self) -> Option<Instant> {
        self.due()
    }

    fn take_messages(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.out)
    }

    fn board(&self) -> Board {
        if self.turned { self.coils.actual().rotated() } else { *self.coils.actual() }
    }

    fn plugged(&self) -> bool {
        self.plug.is_in()
    }

    fn unplug(&mut self, now: Instant) {
        self.on_time(now);
        self.pull(None);
    }

    fn plug(&mut self, now: Instant) {
        self.put(now);
    }

    fn is_started(&self) -> bool {
        self.firmware.tells()
    }

    fn lit(&self) -> Squares {
        if self.turned { self.firmware.lit().rotated() } else { self.firmware.lit() }
    }

    fn lay_card(&mut self, card: Option<SimCard>, now: Instant) {
        self.on_time(now);
        if self.plug.is_in() {
            let mut say = Vec::new();
            self.firmware.lay_card(card, self.coils.seen(), now, &mut say);
            self.send(say);
        }
    }

    fn display_text(&self) -> Option<String> {
        self.firmware.display()
    }

    fn has_squares(&self) -> bool {
        self.firmware.has_squares()
    }

    fn has_lever(&self) -> bool {
        self.firmware.has_lever()
    }

    fn notes(&self) -> Notes {
        self.firmware.notes()
    }
}
