//! Boards from their own side, as simulators: what hands do and a host's bytes go in, the board's bytes come out.
//!
//! [`Simulated`] is all of a simple board but its words: squares that are looked at one after another, a plug
//! that can be pulled, a line that loses and doubles messages. A maker's [`Firmware`] says the words. Moments come
//! in as arguments, chance comes from a seed.

mod clock;
mod plug;

pub use clock::{ClockConfig, ClockModel};
pub(crate) use plug::Plug;
use tabiya_types::{Board, Color, Instant, Millis, Piece, Square, Squares};

use crate::event::ClockButton;
use crate::human::{Coils, Dice, PerMille, Physical, Profile};
use crate::link::Carrier;
use crate::notes::Notes;

/// A board that is simulated down to its bytes.
pub trait SimBoard: Send {
    /// Something really happens at the board.
    fn happen(&mut self, what: Physical, at: Instant);
    /// A host has written.
    fn on_host_bytes(&mut self, bytes: &[u8], now: Instant);
    /// Does all that is due by `now`, in its order.
    fn on_time(&mut self, now: Instant);
    /// When time alone will do something.
    fn deadline(&self) -> Option<Instant>;
    /// What the host may read, message by message.
    fn take_messages(&mut self) -> Vec<Vec<u8>>;
    /// What really stands on it, White below.
    fn board(&self) -> Board;
    /// Whether the plug is in.
    fn plugged(&self) -> bool;
    /// Pulls the plug until it is put back.
    fn unplug(&mut self, now: Instant);
    /// Puts the plug back.
    fn plug(&mut self, now: Instant);
    /// Whether a host has begun with it, so that it tells its squares.
    fn tells(&self) -> bool;
    /// The squares that shine, White below.
    fn lit(&self) -> Squares {
        Squares::NONE
    }
    /// Something is done to the clock behind it; boards without one let it be.
    fn clock(&mut self, _: ClockDeed, _: Instant) {}
    /// What the clock or another display shows, if there is one.
    fn clock_told(&self) -> Option<String> {
        None
    }
    /// Whether pieces can stand on it.
    fn has_squares(&self) -> bool {
        true
    }
    /// Its battery is charged so far, in percent; boards without one let it be.
    fn set_battery(&mut self, _: u8) {}
    /// This card and no other lies on its first reader, or none; boards without one let it be.
    fn lay_card(&mut self, _: Option<SimCard>, _now: Instant) {}
    /// What its driver has to know beforehand, as if an earlier connection or its owner had left it.
    fn notes(&self) -> Notes {
        Notes::NONE
    }
    /// Which one it is of several behind its port, as its number is written; nothing if it is the only one.
    fn unit(&self) -> Option<String> {
        None
    }
}

/// Something done by hand to the clock behind a simulated board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockDeed {
    /// The left and the right time are set.
    Set(Millis, Millis),
    /// It is started, or paused.
    Run(bool),
    /// It is connected, or taken away.
    Connect(bool),
    /// One of its buttons is pressed.
    Button(ClockButton),
}

/// A card with a chip in it, as a reader sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimCard {
    /// Its number: 4, 7 or 10 bytes.
    pub uid: Vec<u8>,
    /// The NDEF message on it, at most 888 bytes; empty if nothing is written there.
    pub ndef: Vec<u8>,
}

/// What a simulated board begins with.
#[derive(Clone, Debug, Default)]
pub struct SimSetup {
    /// What stands on it, White below.
    pub board: Board,
    /// It lies the other way round.
    pub turned: bool,
    /// Decides everything that chance decides.
    pub seed: u64,
    /// What goes wrong on the line.
    pub faults: LineFaults,
    /// How its bytes are carried.
    pub carrier: Carrier,
    /// What clock stands behind it, if another than the usual one; boards without one let it be.
    pub clock: Option<ClockConfig>,
    /// It is a box without squares; of makers who have none it is a board all the same
    /// ([`SimBoard::has_squares`]).
    pub without_squares: bool,
}

/// What goes wrong between a board and its host.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineFaults {
    /// A message is lost.
    pub lost: PerMille,
    /// A message comes twice.
    pub doubled: PerMille,
    /// Messages are split into pieces of at most so many bytes, as over a small BLE link.
    pub split: Option<usize>,
    /// The plug is out from then on for so long; earlier moments first.
    pub unplug_at: Vec<(Instant, Millis)>,
}

impl LineFaults {
    /// What a profile says of the line.
    pub fn of(profile: &Profile) -> Self {
        Self { lost: profile.drop, doubled: profile.duplicate, ..Self::default() }
    }

    /// What the line carries as one message, in the pieces in which it arrives.
    pub(crate) fn pieces(&self, message: &[u8]) -> Vec<Vec<u8>> {
        match self.split {
            Some(most) => message.chunks(most.max(1)).map(<[u8]>::to_vec).collect(),
            None => vec![message.to_vec()],
        }
    }
}

/// What a board's own program says and does.
pub trait Firmware: Send {
    /// The host wrote these bytes, in one write.
    fn obey(&mut self, bytes: &[u8], squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>);
    /// The board has noticed what now stands on a square; `squares` has it already.
    fn notice(
        &mut self,
        square: Square,
        what: Option<Piece>,
        squares: &Board,
        now: Instant,
        say: &mut Vec<Vec<u8>>,
    );
    /// This colour's side of the lever went down, as the board counts sides; boards without one let it be.
    fn press(&mut self, _by: Color, _squares: &Board, _now: Instant, _say: &mut Vec<Vec<u8>>) {}
    /// This card and no other lies on its first reader, or none; boards without one let it be.
    fn lay_card(&mut self, _: Option<SimCard>, _squares: &Board, _now: Instant, _say: &mut Vec<Vec<u8>>) {}
    /// Says what is due by `now` without being asked.
    fn on_time(&mut self, _squares: &Board, _now: Instant, _say: &mut Vec<Vec<u8>>) {}
    /// When it will say something without being asked.
    fn deadline(&self) -> Option<Instant> {
        None
    }
    /// It is switched on: what a host has told before is forgotten.
    fn wake(&mut self, now: Instant);
    /// Whether a host has begun with it.
    fn tells(&self) -> bool;
    /// The squares that shine, as the board counts them.
    fn lit(&self) -> Squares {
        Squares::NONE
    }
    /// What its display shows, as people read it, if it has one.
    fn display(&self) -> Option<String> {
        None
    }
    /// Whether pieces can stand on it.
    fn has_squares(&self) -> bool {
        true
    }
    /// What its driver has to know beforehand.
    fn notes(&self) -> Notes {
        Notes::NONE
    }
}

/// A simulated board with this program in it.
pub struct Simulated<F> {
    firmware: F,
    coils: Coils,
    dice: Dice,
    faults: LineFaults,
    turned: bool,
    plug: Plug,
    out: Vec<Vec<u8>>,
}

impl<F: Firmware> Simulated<F> {
    /// A board that was just switched on.
    pub fn new(firmware: F, setup: &SimSetup) -> Self {
        let mut dice = Dice::new(setup.seed);
        let board = if setup.turned { setup.board.turned() } else { setup.board };
        let coils = Coils::new(board, &mut dice);
        let mut simulated = Self {
            firmware,
            coils,
            dice,
            faults: setup.faults.clone(),
            turned: setup.turned,
            plug: Plug::new(&setup.faults.unplug_at),
            out: Vec::new(),
        };
        simulated.firmware.wake(Instant::ZERO);
        simulated
    }

    /// The square as the board counts it.
    fn own(&self, square: Square) -> Square {
        if self.turned { square.turned() } else { square }
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

    fn step(&mut self, due: Instant) {
        if !self.plug.is_in() {
            self.plug(due);
            return;
        }
        if let Some(back) = self.plug.fails(due) {
            self.pull(Some(back));
            return;
        }
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

    fn pull(&mut self, back: Option<Instant>) {
        self.plug.pull(back);
        self.out.clear();
    }
}

impl<F: Firmware> SimBoard for Simulated<F> {
    fn happen(&mut self, what: Physical, at: Instant) {
        self.on_time(at);
        match what {
            Physical::Set(square, what) => self.coils.set(at, self.own(square), what),
            Physical::Flicker(square, times) => self.coils.flicker(at, self.own(square), times),
            Physical::Unplug(out) => self.pull(Some(at + out)),
            Physical::Press(by) if self.plug.is_in() => {
                let mut say = Vec::new();
                let by = if self.turned { by.other() } else { by };
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
        while let Some(due) = self.deadline().filter(|due| *due <= now) {
            self.step(due);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        if !self.plug.is_in() {
            return self.plug.deadline();
        }
        let look = self.coils.next().map(|(at, _)| at);
        [self.plug.deadline(), look, self.firmware.deadline()].into_iter().flatten().min()
    }

    fn take_messages(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.out)
    }

    fn board(&self) -> Board {
        if self.turned { self.coils.actual().turned() } else { *self.coils.actual() }
    }

    fn plugged(&self) -> bool {
        self.plug.is_in()
    }

    fn unplug(&mut self, now: Instant) {
        self.on_time(now);
        self.pull(None);
    }

    fn plug(&mut self, now: Instant) {
        if self.plug.put() {
            self.coils.wake(now);
            self.firmware.wake(now);
        }
    }

    fn tells(&self) -> bool {
        self.firmware.tells()
    }

    fn lit(&self) -> Squares {
        if self.turned { self.firmware.lit().turned() } else { self.firmware.lit() }
    }

    fn lay_card(&mut self, card: Option<SimCard>, now: Instant) {
        self.on_time(now);
        if self.plug.is_in() {
            let mut say = Vec::new();
            self.firmware.lay_card(card, self.coils.seen(), now, &mut say);
            self.send(say);
        }
    }

    fn clock_told(&self) -> Option<String> {
        self.firmware.display()
    }

    fn has_squares(&self) -> bool {
        self.firmware.has_squares()
    }

    fn notes(&self) -> Notes {
        self.firmware.notes()
    }
}
