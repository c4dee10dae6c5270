//! Events: what boards report, in the same form for every maker.

use tabiya_types::{Color, Millis, Observation, Sentence};

use crate::brand::{Abilities, Brand, Sees};
use crate::link::LinkError;

/// An event from one board.
#[derive(Clone, Debug)]
pub enum BoardEvent {
    /// What the sensors of the board or the lever of the clock detected. `Press` names the colour of the side whose
    /// lever went down; the left side of the clock counts as White's. Which colour really sits there depends on where
    /// the clock stands, which no board knows; the program that uses the event must.
    Observed(Observation),
    /// The board's information about itself. Sent when the handshake is complete, and again when more becomes known.
    Identified(BoardInfo),
    /// The game's result, signalled with a special piece on the board.
    Declared(Declaration),
    /// The state of the board's battery.
    Battery {
        /// The charge in percent, 0..=100.
        percent: u8,
        /// Whether the battery is being charged.
        charging: bool,
        /// Whether the board reports that the battery is low.
        low: bool,
    },
    /// The times on the clock's displays changed.
    ClockTimes(ClockTimes),
    /// A clock is connected, with its kind and version.
    ClockFound(ClockInfo),
    /// The clock was pulled out or switched itself off.
    ClockGone,
    /// A button of the clock was pressed.
    ClockButton(ClockButton),
    /// The clock did not carry out a command.
    ClockRefused {
        /// The command that the clock did not carry out.
        task: ClockTask,
        /// Why the clock did not carry out the command.
        why: ClockRefusal,
    },
    /// The card on one of the device's card readers changed. After each new connection, the current card is sent again.
    Tag {
        /// The number of the reader, from 0.
        antenna: u8,
        /// What has changed on the reader.
        tag: TagChange,
    },
    /// The link broke or could not be opened, and the supervisor tries again. Sent once per cause.
    Lost(LinkError),
    /// The link works again after a `Lost`, and the driver has read the position of the whole board.
    Back,
    /// Invalid bytes arrived from the board. The driver then reads the position of the whole board again, so that no
    /// wrong position is kept.
    Damage {
        /// What was wrong, as a sentence.
        what: String,
    },
    /// Something that the board needs and that only people can do, as a sentence for them. Sent once per connection.
    Wants(Sentence),
    /// A note, such as a calibration, that the program must save for later connections to this board.
    Remember {
        /// The name of the note.
        name: &'static str,
        /// The value of the note.
        value: String,
    },
    /// A message of a kind that this program does not know.
    Unknown {
        /// The message's first byte.
        id: u8,
        /// The length of the message's body in bytes.
        len: u16,
    },
}

impl BoardEvent {
    /// Whether a device counts as ready after this event. A board is ready when it has reported its whole position. A
    /// device without squares is ready when it has identified itself.
    pub fn completes_reading(&self) -> bool {
        matches!(
            self,
            Self::Observed(Observation::Whole(_) | Observation::Occupied(_))
                | Self::Identified(BoardInfo { abilities: Abilities { sees: Sees::Nothing, .. }, .. })
        )
    }
}

/// A change on a card reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TagChange {
    /// One tag lies on the reader. No other tag is reported until this one is gone.
    Here {
        /// The tag's number (UID): 4, 7 or 10 bytes, in the order in which the tag sends them.
        uid: Vec<u8>,
        /// The NDEF message on the tag, without the TLV structure around it, at most 1,024 bytes. Empty if no message
        /// is written on the tag, `None` if the message could not be read.
        ndef: Option<Vec<u8>>,
    },
    /// The tag that lay on the reader is gone.
    Gone {
        /// The tag's number (UID).
        uid: Vec<u8>,
    },
    /// Several tags lie on the reader at once, so no tag was read.
    Several,
    /// No tag lies on the reader. Sent for each reader at the start, and when the last of several tags is gone.
    Empty,
    /// The reader does not answer.
    NoReader,
}

/// A side of the physical clock, seen from its front.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The left side, where White sits unless the board is set up the other way round.
    Left,
    /// The right side, where Black sits unless the board is set up the other way round.
    Right,
}

impl Side {
    /// Returns the other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// The colour that sits on this side of the clock, unless the board is set up the other way round.
    pub fn color(self) -> Color {
        match self {
            Self::Left => Color::White,
            Self::Right => Color::Black,
        }
    }
}

/// The game's result, signalled with a special piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// The game is drawn.
    Draw,
    /// The side of this colour won.
    Wins(Color),
}

/// What a board reports about itself. A field is `None` if the board did not report its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardInfo {
    /// The brand of the board.
    pub maker: Brand,
    /// What this board can do.
    pub abilities: Abilities,
    /// The firmware version, such as `3.10`.
    pub version: Option<String>,
    /// The hardware version, such as `1.0`.
    pub hardware: Option<String>,
    /// The serial number as text; it may have leading zeros.
    pub serial: Option<String>,
    /// The long serial number of newer boards.
    pub long_serial: Option<String>,
    /// A text from the maker, of several lines.
    pub text: Option<String>,
}

impl BoardInfo {
    /// The information about a board of which only the brand is known.
    pub fn new(maker: Brand) -> Self {
        let abilities = maker.abilities;
        Self { maker, abilities, version: None, hardware: None, serial: None, long_serial: None, text: None }
    }

    /// The serial number that identifies the board: the long one, otherwise the short one.
    pub fn number(&self) -> Option<&str> {
        self.long_serial.as_deref().or(self.serial.as_deref())
    }

    /// Whether this is one of the board's numbers; zeros in front do not count.
    pub fn has_number(&self, number: &str) -> bool {
        let bare = |number: &str| number.trim().trim_start_matches('0').to_owned();
        let own = [&self.serial, &self.long_serial];
        own.into_iter().flatten().any(|own| bare(own) == bare(number))
    }
}

/// What a physical clock's displays show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockTimes {
    /// The time on the left display, in whole seconds.
    pub left: Millis,
    /// The time on the right display, in whole seconds.
    pub right: Millis,
    /// The side whose time runs; `None` if no time runs.
    pub running: Option<Side>,
    /// The side that is to move, that is, the side whose half of the lever is up. It is also known while the clock is
    /// stopped; `None` if the clock does not report its lever and has not run yet.
    pub to_move: Option<Side>,
    /// The side whose flag has fallen; `None` if no flag has fallen.
    pub fallen: Option<Side>,
    /// Whether the clock reports that its batteries are low.
    pub battery_low: bool,
}

/// The times to set on a physical clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockSetting {
    /// The left side's time, at most 9:59:59, rounded up to whole seconds.
    pub left: Millis,
    /// The right side's time, at most 9:59:59, rounded up to whole seconds.
    pub right: Millis,
    /// The side whose time runs; `None` if no time runs.
    pub running: Option<Side>,
}

/// The kind of a clock, which determines what the clock can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockKind {
    /// DGT XL: a display of six seven-segment characters.
    Xl,
    /// DGT 3000: a display of eight characters.
    Dgt3000,
    /// A clock that only reports its times, or whose kind is unknown.
    TimesOnly,
}

/// A clock that is connected to a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockInfo {
    /// The kind of clock.
    pub kind: ClockKind,
    /// The clock's version, main and sub number, if the clock reported it.
    pub version: Option<(u8, u8)>,
}

/// A button of a clock. Only the press is an event, not the release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockButton {
    /// The leftmost button.
    Back,
    /// The minus button.
    Minus,
    /// The button that starts and stops the clock.
    Run,
    /// The plus button.
    Plus,
    /// The rightmost button.
    Ok,
}

/// A command to a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockTask {
    /// Show a text or icons.
    Show,
    /// Beep.
    Beep,
    /// Stop showing the text or the icons, and show the times again.
    EndDisplay,
    /// Set the times and start the clock.
    SetAndRun,
    /// Report which clock is connected, or which button was pressed.
    Query,
}

/// Why a clock did not carry out a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockRefusal {
    /// No clock is connected; the command is dropped.
    NoClock,
    /// The clock is not in the mode in which it obeys a computer: 23 on a DGT XL, 25 on a DGT 3000. Only people can set
    /// that mode, on the clock itself.
    WrongMode,
    /// The clock did not answer for six seconds.
    NoAnswer,
    /// The clock has no display for texts.
    CannotShow,
}
