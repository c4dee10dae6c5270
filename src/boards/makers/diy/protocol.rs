//! When a self-built board is told what, and what its frames mean.

use std::collections::BTreeMap;

use firmware_protocol::{
    AntennaTag, Can, Frame, FrameDamage, FrameDecoder, FrameLink, Hello, LONGEST_FRAME, LampReason as Lamp,
    Lamps as Pattern, LeverSide as Lever, MESSAGES, Message, PieceRole as Kind, RESEND_MILLIS, Refresh,
    SquareContent, encode,
};
use tabiya_types::{Board, Color, Millis, Observation, Piece, Role, Square, Squares};

use crate::brand::{Abilities, LampLayout, Sees};
use crate::event::{BoardEvent, BoardInfo, ClockButton, Side, TagNews};
use crate::lights::{Glow, Lights};
use crate::steady::{MakerTiming, Protocol, Report};

/// What is sent and may wait for its ack at once.
const ROOM: usize = 16;
/// Antennas of one device; those from this number on are left out.
const ANTENNAS: u8 = 16;
/// The longest NDEF message that is taken, in bytes: no tag that cards are made of holds more than 888.
const LONGEST_NDEF: usize = 1_024;
/// A side that has nothing to say gives a sign of life this often.
const HEARTBEAT: Millis = Millis(1_000);

/// One connection.
#[derive(Debug)]
pub(super) struct Diy {
    decoder: FrameDecoder,
    link: FrameLink<ROOM>,
    /// The ack of what was taken last since the other side's hello. It is said again before a hello of ours, after which the
    /// other side tells anew what nobody acked.
    acked: Option<Frame>,
    /// It was said in answer to a hello; if that answer was lost the same hello comes again.
    answered: bool,
    /// It only listens, and takes every frame as it comes.
    passive: bool,
    /// The number of the last counted frame that was overheard.
    overheard: Option<u8>,
    can: Can,
    /// The longest payload that it takes, in bytes.
    takes: u8,
    /// What stands on its squares, a1 first, once it has told.
    squares: Option<[SquareContent; 64]>,
    antennas: BTreeMap<u8, Antenna>,
    /// What the display shows, to be shown again after a hello.
    text: Option<String>,
}

/// What lies on one antenna.
#[derive(Debug, Default)]
struct Antenna {
    /// What was told of it last.
    told: Option<TagNews>,
    /// A tag whose NDEF message is not whole yet.
    reading: Option<Reading>,
}

/// A tag while its NDEF message comes in.
#[derive(Debug)]
struct Reading {
    uid: Vec<u8>,
    ndef: Vec<u8>,
    length: usize,
}

impl Antenna {
    /// Tells what lies there now; what was told before is not told again.
    fn show(&mut self, antenna: u8, tag: TagNews, heard: &mut Vec<Report>) {
        self.reading = None;
        if self.told.as_ref() == Some(&tag) {
            return;
        }
        let news = |tag: &TagNews| Report::Event(BoardEvent::Tag { antenna, tag: tag.clone() });
        // One is gone before another comes.
        if let Some(TagNews::Here { uid, .. }) = &self.told {
            heard.push(news(&TagNews::Gone { uid: uid.clone() }));
        }
        // That one is gone was said; that none lies there is said at first, and after several.
        let gone = tag == TagNews::Empty && matches!(self.told, Some(TagNews::Here { .. } | TagNews::Empty));
        if !gone {
            heard.push(news(&tag));
        }
        self.told = Some(tag);
    }

    fn lies(&mut self, antenna: u8, tag: AntennaTag, heard: &mut Vec<Report>) {
        let length = match tag {
            AntennaTag::There { ndef, .. } => ndef.map(usize::from).filter(|length| *length <= LONGEST_NDEF),
            AntennaTag::Gone | AntennaTag::Several | AntennaTag::NoReader => None,
        };
        match (tag, length) {
            (AntennaTag::Gone, _) => self.show(antenna, TagNews::Empty, heard),
            (AntennaTag::Several, _) => self.show(antenna, TagNews::Several, heard),
            (AntennaTag::NoReader, _) => self.show(antenna, TagNews::NoReader, heard),
            (AntennaTag::There { uid, .. }, Some(length @ 1..)) => {
                self.reading = Some(Reading { uid: uid.to_vec(), ndef: Vec::new(), length });
            }
            (AntennaTag::There { uid, .. }, length) => {
                self.show(
                    antenna,
                    TagNews::Here { uid: uid.to_vec(), ndef: length.map(|_| Vec::new()) },
                    heard,
                );
            }
        }
    }

    /// More of what is written on the tag that lies there.
    fn read(&mut self, antenna: u8, offset: u16, bytes: &[u8], heard: &mut Vec<Report>) {
        let Some(reading) = &mut self.reading else { return };
        let follows = usize::from(offset) == reading.ndef.len();
        if !follows || reading.ndef.len() + bytes.len() > reading.length {
            heard
                .push(Report::Damage(format!("{} bytes of a tag from {offset} on fit nowhere", bytes.len())));
            return;
        }
        reading.ndef.extend_from_slice(bytes);
        if reading.ndef.len() == reading.length
            && let Some(Reading { uid, ndef, .. }) = self.reading.take()
        {
            self.show(antenna, TagNews::Here { uid, ndef: Some(ndef) }, heard);
        }
    }
}

/// A frame's bytes.
pub(super) fn bytes_of(frame: &Frame) -> Vec<u8> {
    let mut wire = [0; LONGEST_FRAME];
    let length = encode(frame, &mut wire).unwrap_or_default();
    wire.get(..length).unwrap_or_default().to_vec()
}

/// The piece of a content, if it is known.
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

/// All squares as they are told: pieces if each is known.
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

/// The text, cut to what has room.
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
    /// Nothing is known yet. Who only listens takes every frame as it comes.
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

    /// A counted message; nothing if too much waits already, for then the other side has gone.
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
            // After a hello its numbers may have begun anew.
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
                heard.push(Report::Damage("frames were lost for good; all is asked for again".to_owned()));
                heard.extend(self.hello(true).into_iter().map(Report::Answer));
            }
        }
        heard.extend(ack.iter().map(|ack| Report::Answer(bytes_of(ack))));
    }

    fn understand(&mut self, frame: &Frame, heard: &mut Vec<Report>) {
        let Some(message) = Message::read(frame) else {
            heard.push(Report::Damage(format!("a frame of kind {:02x} says nothing", frame.kind().byte())));
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
                // How full one is that only asks to be charged is not known: empty is what it says.
                if let Some(percent) = percent.or(low.then_some(0)) {
                    heard.push(Report::Event(BoardEvent::Battery { percent, charging, low }));
                }
            }
            Message::Other { .. } | Message::Tag { .. } => heard.push(Report::Event(unknown(frame))),
            Message::Heartbeat
            | Message::Ack(_)
            | Message::Button { down: false, .. }
            // These go the other way.
            | Message::Lamps(_)
            | Message::Display { .. }
            | Message::Beep(_)
            | Message::Refresh(_) => {}
        }
    }

    /// Who it is. It has put its lamps out and will tell all that it has.
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
    fn pace(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(100),
            // A small device has room for little more than one frame: 73 bytes are 6.4 ms long.
            between: Millis(10),
            // Opening its port starts an Arduino anew: up to two seconds pass before it listens.
            answer: Millis(1_200),
            tries: 5,
            still: Millis(2_500),
            dead: Millis(6_000),
            lights: Millis(50),
            half: Millis(200),
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

    /// A device that hears nothing for three seconds knows that it is alone.
    fn farewell(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        for byte in bytes {
            let mut told = self.decoder.push(*byte);
            while let Some(one) = told {
                match one {
                    Ok(frame) => self.take(&frame, heard),
                    Err(damage) => heard.push(Report::Damage(sentence(damage))),
                }
                told = self.decoder.more();
            }
        }
    }

    fn give_up_half(&mut self) {
        self.decoder.abandon();
    }

    fn patience(&self) -> Option<Millis> {
        let waits = !self.link.waiting().is_empty();
        Some(if waits { Millis(RESEND_MILLIS.into()) } else { HEARTBEAT })
    }

    fn waited(&mut self, heard: &mut Vec<Report>) {
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

/// Damage, for whoever looks for the fault.
fn sentence(damage: FrameDamage) -> String {
    match damage {
        FrameDamage::Noise => "bytes outside any frame".to_owned(),
        FrameDamage::Version(version) => format!("a frame of version {version}"),
        FrameDamage::Length(length) => format!("a frame of {length} bytes, which is too long"),
        FrameDamage::Checksum => "a frame whose checksum is wrong".to_owned(),
    }
}

#[cfg(test)]
mod tests;
