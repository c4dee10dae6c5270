//! Drives a self-built device: which frames it gets and when, and what its frames mean.

use std::collections::BTreeMap;

use firmware_protocol::{
    AntennaTag, Can, Frame, FrameDamage, FrameDecoder, FrameLink, Hello, LONGEST_FRAME, LampReason as Lamp,
    Lamps as Pattern, LeverSide as Lever, MESSAGES, Message, PieceRole as Kind, RESEND_MILLIS, Refresh,
    SquareContent, encode,
};
use tabiya_types::{Board, Color, Millis, Observation, Piece, Role, Square, Squares};

use crate::brand::{Abilities, LampLayout, Sees};
use crate::event::{BoardEvent, BoardInfo, ClockButton, Side, TagChange};
use crate::lights::{Glow, Lights};
use crate::steady::{MakerTiming, Protocol, Report};

/// The largest number of unacknowledged messages.
const ROOM: usize = 16;
/// The number of antennas that are supported on one device. Further antennas are ignored.
const ANTENNAS: u8 = 16;
/// The longest NDEF message (the data on a card's chip) that is accepted, in bytes. The chips in cards hold at most
/// 888 bytes.
const LONGEST_NDEF: usize = 1_024;
/// If one side has sent nothing for this time, it sends a heartbeat.
const HEARTBEAT: Millis = Millis(1_000);

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Diy {
    decoder: FrameDecoder,
    link: FrameLink<ROOM>,
    /// The last acknowledgement that we sent since the device's hello. When our own hello arrives, the device repeats
    /// all messages for which it knows no acknowledgement. So we send this acknowledgement again before our hello.
    acked: Option<Frame>,
    /// Whether the latest frame of the device was a hello that we answered. If our answer was lost, the device sends
    /// the same hello again.
    answered: bool,
    /// Whether this connection only listens and accepts every frame.
    passive: bool,
    /// The sequence number of the last numbered frame, if this connection only listens. A frame with the same number
    /// is a repetition.
    overheard: Option<u8>,
    can: Can,
    /// The longest payload that the device accepts, in bytes.
    takes: u8,
    /// The content of the squares, a1 first, once the device has reported it.
    squares: Option<[SquareContent; 64]>,
    antennas: BTreeMap<u8, Antenna>,
    /// The text on the display, which is sent again after a hello.
    text: Option<String>,
}

/// The state of one antenna.
#[derive(Debug, Default)]
struct Antenna {
    /// The last event that was reported for this antenna.
    reported: Option<TagChange>,
    /// The tag whose NDEF message is being received.
    reading: Option<Reading>,
}

/// A tag, and the part of its NDEF message that was received.
#[derive(Debug)]
struct Reading {
    uid: Vec<u8>,
    ndef: Vec<u8>,
    length: usize,
}

impl Antenna {
    /// Reports which tag is on the antenna, unless this was reported already.
    fn show(&mut self, antenna: u8, tag: TagChange, heard: &mut Vec<Report>) {
        self.reading = None;
        if self.reported.as_ref() == Some(&tag) {
            return;
        }
        let news = |tag: &TagChange| Report::Event(BoardEvent::Tag { antenna, tag: tag.clone() });
        // Report that the previous tag is gone before reporting the next tag.
        if let Some(TagChange::Here { uid, .. }) = &self.reported {
            heard.push(news(&TagChange::Gone { uid: uid.clone() }));
        }
        // After a single tag, `Gone` already shows that the antenna is empty. So `Empty` is reported only at the
        // start and after several tags.
        let gone = tag == TagChange::Empty
            && matches!(self.reported, Some(TagChange::Here { .. } | TagChange::Empty));
        if !gone {
            heard.push(news(&tag));
        }
        self.reported = Some(tag);
    }

    fn lies(&mut self, antenna: u8, tag: AntennaTag, heard: &mut Vec<Report>) {
        let length = match tag {
            AntennaTag::There { ndef, .. } => ndef.map(usize::from).filter(|length| *length <= LONGEST_NDEF),
            AntennaTag::Gone | AntennaTag::Several | AntennaTag::NoReader => None,
        };
        match (tag, length) {
            (AntennaTag::Gone, _) => self.show(antenna, TagChange::Empty, heard),
            (AntennaTag::Several, _) => self.show(antenna, TagChange::Several, heard),
            (AntennaTag::NoReader, _) => self.show(antenna, TagChange::NoReader, heard),
            (AntennaTag::There { uid, .. }, Some(length @ 1..)) => {
                self.reading = Some(Reading { uid: uid.to_vec(), ndef: Vec::new(), length });
            }
            (AntennaTag::There { uid, .. }, length) => {
                self.show(
                    antenna,
                    TagChange::Here { uid: uid.to_vec(), ndef: length.map(|_| Vec::new()) },
                    heard,
                );
            }
        }
    }

    /// Handles a part of the NDEF message of the tag on this antenna.
    fn read(&mut self, antenna: u8, offset: u16, bytes: &[u8], heard: &mut Vec<Report>) {
        let Some(reading) = &mut self.reading else { return };
        let follows = usize::from(offset) == reading.ndef.len();
        if !follows || reading.ndef.len() + bytes.len() > reading.length {
            heard.push(Report::Damage(format!(
                "a part of a card's data ({} bytes) does not fit at offset {offset}",
                bytes.len()
            )));
            return;
        }
        reading.ndef.extend_from_slice(bytes);
        if reading.ndef.len() == reading.length
            && let Some(Reading { uid, ndef, .. }) = self.reading.take()
        {
            self.show(antenna, TagChange::Here { uid, ndef: Some(ndef) }, heard);
        }
    }
}

/// Returns the bytes of a frame.
pub(super) fn bytes_of(frame: &Frame) -> Vec<u8> {
    let mut wire = [0; LONGEST_FRAME];
    let length = encode(frame, &mut wire).unwrap_or_default();
    wire.get(..length).unwrap_or_default().to_vec()
}

/// Returns the piece on a square; `None` if the square is empty or the piece is unknown.
fn piece(content: SquareContent) -> Option<Piece> {
    let (color, role) = match content {
        SquareContent::White(role) => (Color::White, role),
        SquareContent::Black(role) => (Color::Black, role),
        SquareContent::Empty | SquareContent::Something => return None,
    };
    let role = match role {
        Kind::Pawn => Role::Pawn,
        Kind::Knight => Role::Knight,
        Kind::Bishop => Role::Bishop,
        Kind::Rook => Role::Rook,
        Kind::Queen => Role::Queen,
        Kind::King => Role::King,
    };
    Some(Piece { color, role })
}

/// Returns a report of all squares: as pieces if the device identifies every piece, otherwise as occupied squares.
fn observed(squares: &[SquareContent; 64], can: Can) -> Report {
    let mut board = Board::EMPTY;
    for (square, content) in Square::all().zip(squares) {
        board[square] = piece(*content);
    }
    let occupied = Square::all()
        .zip(squares)
        .filter(|(_, content)| **content != SquareContent::Empty)
        .map(|(square, _)| square);
    let known = can.has(Can::SEES_PIECES) && !squares.contains(&SquareContent::Something);
    if known { Report::Board(board) } else { Report::Occupied(occupied.collect::<Squares>()) }
}

/// Returns the beginning of `text`, at most `most` bytes long.
fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

fn button(number: u8) -> Option<ClockButton> {
    let buttons =
        [ClockButton::Back, ClockButton::Minus, ClockButton::Run, ClockButton::Plus, ClockButton::Ok];
    buttons.get(usize::from(number)).copied()
}

fn lamp(glow: Glow) -> Lamp {
    match glow {
        Glow::May => Lamp::May,
        Glow::Wrong => Lamp::Wrong,
        Glow::Missing => Lamp::Missing,
        Glow::Last => Lamp::Last,
        Glow::Check => Lamp::Check,
    }
}

fn pattern(lights: &Lights) -> Pattern {
    let mut pattern = Pattern::default();
    for (square, number) in Square::all().zip(0..) {
        pattern.set(number, lights.at(square).map_or(Lamp::Dark, lamp));
    }
    pattern
}

impl Diy {
    /// Creates a connection. If `passive` is set, the connection only listens and accepts every frame.
    pub(super) fn new(passive: bool) -> Self {
        Self {
            decoder: FrameDecoder::new(),
            link: FrameLink::new(),
            acked: None,
            answered: false,
            passive,
            overheard: None,
            can: Can(0),
            takes: firmware_protocol::SMALLEST_PAYLOAD,
            squares: None,
            antennas: BTreeMap::new(),
            text: None,
        }
    }

    fn hello(&mut self, asks: bool) -> Vec<Vec<u8>> {
        if asks && self.answered {
            self.acked = None;
        }
        let hello = Hello { messages: MESSAGES, asks, takes: 64, can: Can(0), name: "Tabiya" };
        self.acked.iter().chain(&self.link.hello(&hello)).map(bytes_of).collect()
    }

    /// Encodes a numbered message for sending. The result is empty if too many messages are unacknowledged, because
    /// then the device no longer answers.
    fn tell(&mut self, message: &Message) -> Vec<Vec<u8>> {
        self.link.send(message).iter().map(bytes_of).collect()
    }

    fn take(&mut self, frame: &Frame, heard: &mut Vec<Report>) {
        use firmware_protocol::Received as Turn;
        heard.push(Report::Nothing);
        let counted = frame.kind().counted();
        if self.passive {
            let number = counted.then_some(frame.sequence());
            if number.is_none() || number != self.overheard {
                self.understand(frame, heard);
            }
            self.overheard = number.or(self.overheard);
            return;
        }
        let (turn, ack) = self.link.hear(frame);
        if !matches!(turn, Turn::Hello { .. }) {
            // After the device's hello, forget older acknowledgements, because the device may have restarted its
            // numbering.
            self.acked = ack.or(self.acked.filter(|_| !self.answered));
            self.answered = false;
        }
        match turn {
            Turn::Take => self.understand(frame, heard),
            Turn::Hello { asks } => {
                if asks {
                    heard.extend(self.hello(false).into_iter().map(Report::Answer));
                    self.answered = true;
                } else {
                    self.acked = None;
                }
                self.understand(frame, heard);
                if let Some(text) = self.text.clone() {
                    heard.extend(self.display(&text).into_iter().map(Report::Answer));
                }
            }
            Turn::Nothing => {}
            Turn::Lost => {
                heard.push(Report::Damage("frames were lost; Tabiya requests all data again".to_owned()));
                heard.extend(self.hello(true).into_iter().map(Report::Answer));
            }
        }
        heard.extend(ack.iter().map(|ack| Report::Answer(bytes_of(ack))));
    }

    fn understand(&mut self, frame: &Frame, heard: &mut Vec<Report>) {
        let Some(message) = Message::read(frame) else {
            heard.push(Report::Damage(format!(
                "the content of a frame of kind {:02x} is not valid",
                frame.kind().byte()
            )));
            return;
        };
        match message {
            Message::Hello(hello) => self.learn(&hello, heard),
            Message::Square { square, content } => {
                if let Some(place) = self.squares.as_mut().and_then(|all| all.get_mut(usize::from(square))) {
                    *place = content;
                }
                heard.extend(self.squares.as_ref().map(|squares| observed(squares, self.can)));
            }
            Message::Board(squares) => {
                self.squares = Some(squares);
                heard.push(observed(&squares, self.can));
            }
            Message::Press(side) => {
                let side = match side {
                    Lever::Left => Side::Left,
                    Lever::Right => Side::Right,
                };
                heard.push(Report::Event(BoardEvent::Observed(Observation::Press(side.color()))));
            }
            Message::Button { number, down: true } => heard.push(Report::Event(
                button(number).map_or_else(|| unknown(frame), BoardEvent::ClockButton),
            )),
            Message::Tag { antenna, tag } if antenna < ANTENNAS => {
                self.antennas.entry(antenna).or_default().lies(antenna, tag, heard);
            }
            Message::Ndef { antenna, offset, bytes } => {
                if let Some(place) = self.antennas.get_mut(&antenna) {
                    place.read(antenna, offset, bytes, heard);
                }
            }
            Message::Battery { percent, charging, low } => {
                // A device may report only that its battery is low. Then the charge counts as 0 %.
                if let Some(percent) = percent.or(low.then_some(0)) {
                    heard.push(Report::Event(BoardEvent::Battery { percent, charging, low }));
                }
            }
            Message::Other { .. } | Message::Tag { .. } => heard.push(Report::Event(unknown(frame))),
            Message::Heartbeat
            | Message::Ack(_)
            | Message::Button { down: false, .. }
            // Only the host sends these messages.
            | Message::Lamps(_)
            | Message::Display { .. }
            | Message::Beep(_)
            | Message::Refresh(_) => {}
        }
    }

    /// Handles the device's hello. The device has switched off its lights and will report all its state.
    fn learn(&mut self, hello: &Hello, heard: &mut Vec<Report>) {
        self.can = hello.can;
        self.takes = hello.takes;
        let has = |can| hello.can.has(can);
        let sees = match (has(Can::SEES_PIECES), has(Can::FEELS_SQUARES)) {
            (true, _) => Sees::Pieces,
            (false, true) => Sees::Occupancy,
            (false, false) => Sees::Nothing,
        };
        heard.push(Report::Abilities(Abilities {
            sees,
            lights: if has(Can::LAMPS) { LampLayout::Squares } else { LampLayout::None },
            clock: has(Can::LEVER),
            battery: has(Can::BATTERY),
            display: has(Can::DISPLAY),
        }));
        let name: fn(&mut BoardInfo, String) = |info, name| info.text = Some(name);
        heard.push(Report::Info(name, hello.name.to_owned()));
        heard.push(Report::Darkened);
        if sees == Sees::Nothing {
            heard.push(Report::NoSquares);
        }
    }

    fn display(&mut self, text: &str) -> Vec<Vec<u8>> {
        if !self.can.has(Can::DISPLAY) {
            return Vec::new();
        }
        let text = cut(text, usize::from(self.takes.min(64)) - 2);
        self.tell(&Message::Display { line: 0, text })
    }
}

fn unknown(frame: &Frame) -> BoardEvent {
    let len = u16::try_from(frame.payload().len()).unwrap_or(u16::MAX);
    BoardEvent::Unknown { id: frame.kind().byte(), len }
}

impl Protocol for Diy {
    fn timing(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(100),
            // A small device can buffer little more than one frame. The longest frame has 73 bytes and takes 6.4 ms on
            // the line.
            between: Millis(10),
            // An Arduino restarts when its port is opened. It may take two seconds until it listens.
            answer: Millis(1_200),
            tries: 5,
            poll_after: Millis(2_500),
            dead_after: Millis(6_000),
            lights: Millis(50),
            partial_timeout: Millis(200),
        }
    }

    fn greeting(&mut self) -> Vec<Vec<u8>> {
        self.hello(true)
    }

    fn ask(&mut self) -> Vec<Vec<u8>> {
        self.tell(&Message::Refresh(Refresh(Refresh::BOARD.0 | Refresh::TAGS.0)))
    }

    fn ask_battery(&mut self) -> Vec<Vec<u8>> {
        if self.can.has(Can::BATTERY) { self.tell(&Message::Refresh(Refresh::BATTERY)) } else { Vec::new() }
    }

    fn light(&mut self, lights: &Lights) -> Vec<Vec<u8>> {
        if self.can.has(Can::LAMPS) { self.tell(&Message::Lamps(pattern(lights))) } else { Vec::new() }
    }

    fn beep(&mut self, length: Millis) -> Vec<Vec<u8>> {
        let millis = u16::try_from(length.0).unwrap_or(u16::MAX);
        if self.can.has(Can::BEEP) { self.tell(&Message::Beep(millis)) } else { Vec::new() }
    }

    fn show(&mut self, text: Option<&str>) -> Vec<Vec<u8>> {
        self.text = text.map(str::to_owned);
        self.display(text.unwrap_or_default())
    }

    /// Sends nothing: a device that receives nothing for three seconds knows that the host is gone.
    fn farewell(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        for byte in bytes {
            let mut decoded = self.decoder.push(*byte);
            while let Some(one) = decoded {
                match one {
                    Ok(frame) => self.take(&frame, heard),
                    Err(damage) => heard.push(Report::Damage(sentence(damage))),
                }
                decoded = self.decoder.more();
            }
        }
    }

    fn discard_partial(&mut self) {
        self.decoder.abandon();
    }

    fn answer_timeout(&self) -> Option<Millis> {
        let waits = !self.link.waiting().is_empty();
        Some(if waits { Millis(RESEND_MILLIS.into()) } else { HEARTBEAT })
    }

    fn answer_timed_out(&mut self, heard: &mut Vec<Report>) {
        let again = if self.link.waiting().is_empty() {
            self.link.heartbeat().iter().map(bytes_of).collect()
        } else if self.link.resend() {
            self.link.waiting().iter().map(bytes_of).collect()
        } else {
            self.hello(true)
        };
        heard.extend(again.into_iter().map(Report::Answer));
    }
}

/// Describes damaged bytes for people who search for the fault.
fn sentence(damage: FrameDamage) -> String {
    match damage {
        FrameDamage::Noise => "bytes outside any frame".to_owned(),
        FrameDamage::Version(version) => format!("a frame has the unknown protocol version {version}"),
        FrameDamage::Length(length) => format!("a frame is too long: {length} bytes"),
        FrameDamage::Checksum => "a frame has a wrong checksum".to_owned(),
    }
}

#[cfg(test)]
mod tests;
