//! Simulated firmware of a self-built board, or of a box without squares and lights. Both have a lever, a display, a
//! card reader and a battery. The firmware behaves like the C firmware in `firmware-protocol/firmware/`.

use std::collections::VecDeque;

use firmware_protocol::{
    AntennaTag, Can, Frame, FrameDecoder, FrameLink, Hello, LampReason, Lamps, LeverSide, MESSAGES, Message,
    PieceRole as PieceKind, RESEND_MILLIS, Refresh, SquareContent,
};
use tabiya_types::{Board, Color, Instant, Millis, Piece, Role, Square, Squares};

use super::protocol::bytes_of;
use crate::brand::Sees;
use crate::sim::{Firmware, SimCard, SimSetup};

/// The largest number of unacknowledged messages.
const ROOM: usize = 4;
/// The time between two heartbeats. It is also the time between two hellos, while the host does not answer them.
const HEARTBEAT: Millis = Millis(1_000);
/// If the host sends no frame for this time, it counts as gone.
const ALONE: Millis = Millis(3_000);
/// The time after which an incomplete frame is dropped.
const PAUSE: Millis = Millis(200);
/// The largest part of a card's content in one frame, in bytes.
const PART: usize = 60;
/// The largest number of waiting messages: all 64 squares, and a few presses and parts of a card.
const LONGEST_DUE: usize = 100;
/// The charge of the battery in percent.
const BATTERY: u8 = 80;

/// The simulated firmware and its state.
#[derive(Debug)]
pub(crate) struct DiyFirmware {
    /// What the squares can detect.
    sees: Sees,
    decoder: FrameDecoder,
    link: FrameLink<ROOM>,
    /// Whether the host has sent a hello.
    met: bool,
    /// The messages that wait because too many sent messages are unacknowledged.
    due: VecDeque<Due>,
    lamps: Lamps,
    /// The text on the display.
    text: String,
    /// The card on the reader; `None` if the reader is empty.
    card: Option<SimCard>,
    last_byte: Instant,
    last_heard: Instant,
    last_said: Instant,
    /// The time at which unacknowledged frames were last sent.
    sent: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Due {
    Board,
    Square(Square, Option<Piece>),
    /// A press of the lever. The number is `None` if the press was not sent yet. If it was sent before the firmware's
    /// latest hello, the number is the sequence number of that frame. The host may still acknowledge that frame until
    /// the host's own hello arrives.
    Press(LeverSide, Option<u8>),
    Battery,
    Card,
    /// The part of the card's content that begins at this offset.
    Written(usize),
}

impl DiyFirmware {
    /// Creates a box if `setup` asks for a device without squares. Otherwise creates a board; the seed decides
    /// whether it identifies pieces or detects occupancy.
    pub(crate) fn of(setup: &SimSetup) -> Self {
        Self::with(match setup {
            SimSetup { without_squares: true, .. } => Sees::Nothing,
            SimSetup { seed, .. } if seed.is_multiple_of(2) => Sees::Occupancy,
            SimSetup { .. } => Sees::Pieces,
        })
    }

    /// Creates a board with these abilities.
    pub(crate) fn with(sees: Sees) -> Self {
        Self {
            sees,
            decoder: FrameDecoder::new(),
            link: FrameLink::new(),
            met: false,
            due: VecDeque::new(),
            lamps: Lamps::default(),
            text: String::new(),
            card: None,
            last_byte: Instant::ZERO,
            last_heard: Instant::ZERO,
            last_said: Instant::ZERO,
            sent: Instant::ZERO,
        }
    }

    fn content(&self, piece: Option<Piece>) -> SquareContent {
        match content(piece) {
            SquareContent::Empty => SquareContent::Empty,
            known if self.sees == Sees::Pieces => known,
            _ => SquareContent::Something,
        }
    }

    fn hello(&mut self, asks: bool, now: Instant, say: &mut Vec<Vec<u8>>) {
        let squares = match self.sees {
            Sees::Pieces => Can::SEES_PIECES.and(Can::LAMPS),
            Sees::Occupancy => Can::FEELS_SQUARES.and(Can::LAMPS),
            Sees::Nothing => Can::default(),
        };
        let can = squares.and(Can::LEVER).and(Can::BATTERY).and(Can::TAGS).and(Can::DISPLAY);
        let hello = Hello { messages: MESSAGES, asks, takes: 64, can, name: "simulated" };
        self.keep_presses();
        let hello = self.link.hello(&hello);
        self.say(hello.as_ref(), now, say);
        self.met &= !asks;
    }

    /// Queues unacknowledged presses again, because a hello discards all unacknowledged frames. Presses that were
    /// never sent follow after these presses.
    fn keep_presses(&mut self) {
        let press = |frame: &Frame| match Message::read(frame) {
            Some(Message::Press(side)) => Some(Due::Press(side, Some(frame.sequence()))),
            _ => None,
        };
        for due in self.link.waiting().iter().filter_map(press).rev().collect::<Vec<_>>() {
            self.due.push_front(due);
        }
    }

    /// Drops the queued presses whose sequence number is at most `taken`. The host had already accepted these presses,
    /// but its acknowledgement arrived only after the firmware's hello.
    fn forget_taken(&mut self, taken: u8) {
        // Sequence numbers wrap around. But far fewer than half of them are in use at the same time, so the difference
        // of two numbers shows which one is older.
        let known = |number: u8| taken.wrapping_sub(number) < 128;
        self.due.retain(|due| !matches!(due, Due::Press(_, Some(number)) if known(*number)));
    }

    /// Queues the complete state for sending. Presses that wait are kept and get new sequence numbers.
    fn show_everything(&mut self) {
        let press = |due| match due {
            Due::Press(side, _) => Some(Due::Press(side, None)),
            Due::Board | Due::Square(..) | Due::Battery | Due::Card | Due::Written(_) => None,
        };
        let presses: Vec<Due> = self.due.drain(..).filter_map(press).collect();
        self.due.extend([Due::Board, Due::Battery]);
        self.due.extend(presses);
        self.tell_card();
    }

    fn say(&mut self, frame: Option<&Frame>, now: Instant, say: &mut Vec<Vec<u8>>) {
        if let Some(frame) = frame {
            self.last_said = now;
            say.push(bytes_of(frame));
        }
    }

    /// Sends waiting messages until too many messages are unacknowledged.
    fn pump(&mut self, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        while self.met && self.link.waiting().len() < ROOM {
            let Some(due) = self.due.pop_front() else { return };
            let message = match due {
                Due::Board | Due::Square(..) if self.sees == Sees::Nothing => continue,
                Due::Board => {
                    let mut all = [SquareContent::Empty; 64];
                    for (place, square) in all.iter_mut().zip(Square::all()) {
                        *place = self.content(squares[square]);
                    }
                    Message::Board(all)
                }
                Due::Square(square, piece) => {
                    let number = u8::try_from(square.index()).unwrap_or_default();
                    Message::Square { square: number, content: self.content(piece) }
                }
                Due::Press(side, _) => Message::Press(side),
                Due::Battery => {
                    Message::Battery { percent: Some(BATTERY), charging: false, low: BATTERY < 20 }
                }
                Due::Card => Message::Tag { antenna: 0, tag: tag(self.card.as_ref()) },
                Due::Written(from) => {
                    let bytes = self.card.iter().flat_map(|card| card.ndef.chunks(PART)).nth(from / PART);
                    let offset = u16::try_from(from).unwrap_or(u16::MAX);
                    Message::Ndef { antenna: 0, offset, bytes: bytes.unwrap_or_default() }
                }
            };
            let frame = self.link.send(&message).ok();
            self.sent = now;
            self.say(frame.as_ref(), now, say);
        }
    }

    /// Queues the message that shows whether a card is on the reader, and the content of this card.
    fn tell_card(&mut self) {
        self.due.retain(|due| !matches!(due, Due::Card | Due::Written(_)));
        self.due.push_back(Due::Card);
        let length = self.card.as_ref().map_or(0, |card| card.ndef.len());
        self.due.extend((0..length).step_by(PART).map(Due::Written));
    }

    fn take(&mut self, frame: &Frame, now: Instant, say: &mut Vec<Vec<u8>>) {
        use firmware_protocol::Received;
        self.last_heard = now;
        let (heard, ack) = self.link.hear(frame);
        self.say(ack.as_ref(), now, say);
        if let Some(Message::Ack(taken)) = Message::read(frame) {
            self.forget_taken(taken);
        }
        match heard {
            Received::Take => self.obey_one(Message::read(frame)),
            Received::Hello { asks } => {
                if asks {
                    self.hello(false, now, say);
                }
                self.met = true;
                (self.lamps, self.text) = (Lamps::default(), String::new());
                self.show_everything();
            }
            Received::Lost => self.hello(true, now, say),
            Received::Nothing => {}
        }
    }

    fn obey_one(&mut self, message: Option<Message>) {
        match message {
            Some(Message::Lamps(lamps)) => self.lamps = lamps,
            Some(Message::Display { line: 0, text }) => text.clone_into(&mut self.text),
            Some(Message::Refresh(what)) => {
                if what.has(Refresh::BOARD) {
                    self.due.push_back(Due::Board);
                }
                if what.has(Refresh::TAGS) {
                    self.tell_card();
                }
                if what.has(Refresh::BATTERY) {
                    self.due.push_back(Due::Battery);
                }
            }
            _ => {}
        }
    }

    fn says_next(&self) -> Instant {
        let again = (!self.link.waiting().is_empty()).then(|| self.sent + Millis(RESEND_MILLIS.into()));
        let alone = self.met.then(|| self.last_heard + ALONE);
        let beat = self.last_said + HEARTBEAT;
        [again, alone].into_iter().flatten().fold(beat, Instant::min)
    }
}

fn tag(card: Option<&SimCard>) -> AntennaTag<'_> {
    card.map_or(AntennaTag::Gone, |card| AntennaTag::There {
        uid: &card.uid,
        ndef: u16::try_from(card.ndef.len()).ok(),
    })
}

/// Returns the content of a square in the types of the protocol.
fn content(piece: Option<Piece>) -> SquareContent {
    let Some(piece) = piece else { return SquareContent::Empty };
    let role = match piece.role {
        Role::Pawn => PieceKind::Pawn,
        Role::Knight => PieceKind::Knight,
        Role::Bishop => PieceKind::Bishop,
        Role::Rook => PieceKind::Rook,
        Role::Queen => PieceKind::Queen,
        Role::King => PieceKind::King,
    };
    match piece.color {
        Color::White => SquareContent::White(role),
        Color::Black => SquareContent::Black(role),
    }
}

impl Firmware for DiyFirmware {
    fn obey(&mut self, bytes: &[u8], squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        if now.since(self.last_byte) > PAUSE {
            self.decoder.abandon();
        }
        self.last_byte = now;
        for byte in bytes {
            let mut decoded = self.decoder.push(*byte);
            while let Some(one) = decoded {
                if let Ok(frame) = one {
                    self.take(&frame, now, say);
                }
                decoded = self.decoder.more();
            }
        }
        self.pump(squares, now, say);
    }

    fn notice(
        &mut self,
        square: Square,
        what: Option<Piece>,
        squares: &Board,
        now: Instant,
        say: &mut Vec<Vec<u8>>,
    ) {
        if self.met {
            self.due.push_back(Due::Square(square, what));
        }
        self.pump(squares, now, say);
    }

    fn press(&mut self, by: Color, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        if self.due.len() < LONGEST_DUE && now < self.last_heard + ALONE {
            let side = if by == Color::White { LeverSide::Left } else { LeverSide::Right };
            self.due.push_back(Due::Press(side, None));
        }
        self.pump(squares, now, say);
    }

    fn lay_card(&mut self, card: Option<SimCard>, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        self.card = card;
        self.tell_card();
        self.pump(squares, now, say);
    }

    fn on_time(&mut self, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        if self.met && now >= self.last_heard + ALONE {
            (self.lamps, self.text) = (Lamps::default(), String::new());
            self.hello(true, now, say);
            // Drop waiting messages, because no host receives them, and a host that connects later must not receive
            // old ones.
            self.due.clear();
        } else if !self.link.waiting().is_empty() && now >= self.sent + Millis(RESEND_MILLIS.into()) {
            self.sent = now;
            if self.link.resend() {
                say.extend(self.link.waiting().iter().map(bytes_of));
            } else {
                self.hello(true, now, say);
            }
        } else if now >= self.last_said + HEARTBEAT {
            self.last_said = now;
            if self.met {
                self.say(self.link.heartbeat().as_ref(), now, say);
            } else {
                self.hello(true, now, say);
            }
        }
        self.pump(squares, now, say);
    }

    fn deadline(&self) -> Option<Instant> {
        Some(self.says_next())
    }

    fn wake(&mut self, now: Instant) {
        let fresh = Self { card: self.card.take(), ..Self::with(self.sees) };
        *self = Self { last_byte: now, last_heard: now, last_said: now, sent: now, ..fresh };
    }

    fn tells(&self) -> bool {
        self.met
    }

    fn display(&self) -> Option<String> {
        (!self.text.is_empty()).then(|| format!("display: {}", self.text))
    }

    fn has_squares(&self) -> bool {
        self.sees != Sees::Nothing
    }

    fn has_lever(&self) -> bool {
        true
    }

    fn lit(&self) -> Squares {
        Square::all()
            .zip(0..)
            .filter(|(_, number)| self.lamps.at(*number) != LampReason::Dark)
            .map(|(square, _)| square)
            .collect()
    }
}
