//! What a board tells the app, whoever made it.

use tabiya_types::{Color, Millis, Observation, Sentence};

use crate::brand::{Abilities, Brand, Sees};
use crate::link::LinkError;

/// News from one board.
#[derive(Clone, Debug)]
pub enum BoardEvent {
    /// What the board or the clock's lever shows. `Press` is by the side whose lever went down,
    /// with White's side on the clock's left; the tracker swaps when the board stands turned.
    Observed(Observation),
    /// What board this is. Told when the start is complete and again when more becomes known.
    Identified(BoardInfo),
    /// The result, shown with a piece that is no chess piece.
    Declared(Declaration),
    /// The board's battery.
    Battery {
        /// How full, 0..=100.
        percent: u8,
        /// Whether it is being charged.
        charging: bool,
        /// Whether it asks to be charged.
        low: bool,
    },
    /// The clock's displays changed.
    ClockTimes(ClockTimes),
    /// A clock is connected, and what it can do.
    ClockFound(ClockInfo),
    /// The clock was pulled out or switched itself off.
    ClockGone,
    /// A button of the clock.
    ClockButton(ClockButton),
    /// The clock did not do what it was told.
    ClockRefused {
        /// What was asked.
        task: ClockTask,
        /// Why it did not happen.
        why: ClockRefusal,
    },
    /// What lies on one of its readers of cards has changed; told anew for each connection.
    Tag {
        /// Which reader, from 0 on.
        antenna: u8,
        /// What lies there now.
        tag: TagNews,
    },
    /// The link broke or could not be made; it is tried again. Told once per cause.
    Lost(LinkError),
    /// The link stands again and the whole board was read.
    Back,
    /// Bytes that made no sense. The whole board is asked for, so nothing stays wrong.
    Damage {
        /// What was wrong, as a sentence.
        what: String,
    },
    /// The board needs something that only people can do; said once.
    Wants(Sentence),
    /// To be known whenever this board is connected again.
    Remember {
        /// Under which name.
        name: &'static str,
        /// What.
        value: String,
    },
    /// A message that this program does not know.
    Unknown {
        /// The message's first byte.
        id: u8,
        /// Bytes of its body.
        len: u16,
    },
}

impl BoardEvent {
    /// Whether this tells all that the device has to show: the whole board, or of what has no squares its hello.
    pub fn shows_all(&self) -> bool {
        matches!(
            self,
            Self::Observed(Observation::Whole(_) | Observation::Occupied(_))
                | Self::Identified(BoardInfo { abilities: Abilities { sees: Sees::Nothing, .. }, .. })
        )
    }
}

/// What lies on a reader of cards behind a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TagNews {
    /// One tag, and no other before this one is gone.
    Here {
        /// Its number: 4, 7 or 10 bytes, as it sends them.
        uid: Vec<u8>,
        /// The NDEF message on it, without the tag's own TLV around it; empty if nothing is written there, `None` if it
        /// could not be read. At most 1,024 bytes.
        ndef: Option<Vec<u8>>,
    },
    /// The tag that lay there is gone.
    Gone {
        /// Its number.
        uid: Vec<u8>,
    },
    /// Several at once: none of them was read.
    Several,
    /// None lies there: told of an antenna first of all, and when several that lay there are gone.
    Empty,
    /// The reader does not answer.
    NoReader,
}

/// A side of the physical clock, seen from its front.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// White's, as long as the board is not turned.
    Left,
    /// Black's, as long as the board is not turned.
    Right,
}

impl Side {
    /// The colour that sits there when White sits below with the cable on the left.
    pub fn color(self) -> Color {
        match self {
            Self::Left => Color::White,
            Self::Right => Color::Black,
        }
    }
}

/// Who ended the game, shown with a signal piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// Nobody won.
    Draw,
    /// This side won.
    Wins(Color),
}

/// What a board says of itself. What it did not answer is `None`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardInfo {
    /// Whose protocol it speaks.
    pub maker: Brand,
    /// What this one can do.
    pub abilities: Abilities,
    /// The firmware, as `3.10`.
    pub version: Option<String>,
    /// The hardware, as `1.0`.
    pub hardware: Option<String>,
    /// The serial number as text; zeros may lead.
    pub serial: Option<String>,
    /// The long serial number of newer boards.
    pub long_serial: Option<String>,
    /// The maker's own text, several lines.
    pub text: Option<String>,
}

impl BoardInfo {
    /// Nothing known but the maker.
    pub fn new(maker: Brand) -> Self {
        let abilities = maker.abilities;
        Self { maker, abilities, version: None, hardware: None, serial: None, long_serial: None, text: None }
    }

    /// The number that tells this board from another of its kind, the long one first.
    pub fn number(&self) -> Option<&str> {
        self.long_serial.as_deref().or(self.serial.as_deref())
    }
}

/// A physical clock's displays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockTimes {
    /// The left display, in whole seconds.
    pub left: Millis,
    /// The right display, in whole seconds.
    pub right: Millis,
    /// Which side counts, if one does.
    pub running: Option<Side>,
    /// Which side is up, so that it is to move, whether the clock counts or not.
    pub to_move: Side,
    /// The side whose flag has fallen, if one has.
    pub fallen: Option<Side>,
    /// Whether the clock asks for batteries.
    pub battery_low: bool,
}

/// How a physical clock is to stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockSetting {
    /// The left side's time, up to 9:59:59; begun seconds count as whole ones.
    pub left: Millis,
    /// The right side's time, likewise.
    pub right: Millis,
    /// Which side counts, if one does.
    pub running: Option<Side>,
}

/// What a clock can do for us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockKind {
    /// DGT XL: six characters of seven segments.
    Xl,
    /// DGT 3000: eight characters.
    Dgt3000,
    /// It only tells its times, or answers nothing that we know.
    TimesOnly,
}

/// A clock behind a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockInfo {
    /// What it can do.
    pub kind: ClockKind,
    /// Its version, main and sub, if it told.
    pub version: Option<(u8, u8)>,
}

/// A button of a clock. There is no event for letting go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockButton {
    /// Leftmost.
    Back,
    /// Minus.
    Minus,
    /// Starts and stops.
    Run,
    /// Plus.
    Plus,
    /// Rightmost.
    Ok,
}

/// What a clock was asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockTask {
    /// Show a text or icons.
    Show,
    /// Beep.
    Beep,
    /// Show the times again.
    EndDisplay,
    /// Set the times and run.
    SetAndRun,
    /// Say which clock it is, or which button was pressed.
    Query,
}

/// Why a clock did not obey.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockRefusal {
    /// None is connected; what was asked is forgotten.
    NoClock,
    /// It is not in its mode for computers: 23 on a DGT XL, 25 on a DGT 3000. Only its owner can
    /// set that, by hand.
    WrongMode,
    /// It did not answer for six seconds.
    NoAnswer,
    /// It has no display that we can write to.
    CannotShow,
}
