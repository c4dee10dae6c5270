use tabiya_types::Instant;

use super::*;
use crate::driver::{BoardCommand, Connection, Driver};
use crate::human::{PerMille, Physical};
use crate::link::Carrier;
use crate::makers::diy::MAKER;
use crate::makers::diy::sim::DiyFirmware;
use crate::makers::meeting::TestBench;
use crate::notes::Notes;
use crate::sim::{LineFaults, SimCard, SimSetup, Simulated};
use crate::steady::Steady;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn meet(sees: Sees, faults: LineFaults, carrier: Carrier) -> TestBench {
    let board = START.parse().expect("a board");
    let setup = SimSetup { board, seed: 1, faults, ..SimSetup::default() };
    let sim = Box::new(Simulated::new(DiyFirmware::with(sees), &setup));
    let mut meeting = TestBench::of(MAKER, sim, &Notes::NONE, carrier);
    meeting.pass(Millis(6_000));
    meeting
}

#[test]
fn a_board_tells_what_it_is_over_any_line() {
    for carrier in [Carrier::Messages, Carrier::Stream] {
        for sees in [Sees::Pieces, Sees::Occupancy] {
            let mut meeting = meet(sees, LineFaults { split: Some(3), ..LineFaults::default() }, carrier);
            assert_eq!(meeting.driver.info().abilities.sees, sees);
            assert_eq!(meeting.driver.info().text.as_deref(), Some("simulated"));
            meeting.set("e2", None);
            match meeting.last_observation() {
                Some(Observation::Whole(board)) => {
                    assert!(sees == Sees::Pieces && board.occupied().len() == 31);
                }
                Some(Observation::Occupied(squares)) => {
                    assert!(sees == Sees::Occupancy && squares.len() == 31);
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn presses_reach_the_table_in_order_over_a_line_that_loses_a_third() {
    let faults = LineFaults { lost: PerMille(300), doubled: PerMille(100), ..LineFaults::default() };
    let mut meeting = meet(Sees::Pieces, faults, Carrier::Stream);
    meeting.pass(Millis(10_000));
    meeting.events.clear();
    for nth in 0..20 {
        let by = if nth % 3 == 0 { Color::White } else { Color::Black };
        meeting.sim.happen(Physical::Press(by), meeting.now);
        meeting.pass(Millis(3_000));
    }
    let press = |event: &BoardEvent| match event {
        BoardEvent::Observed(Observation::Press(by)) => Some(*by),
        _ => None,
    };
    let presses: Vec<Color> = meeting.events.iter().filter_map(press).collect();
    let wanted = (0..20).map(|nth| if nth % 3 == 0 { Color::White } else { Color::Black });
    assert_eq!(presses, wanted.collect::<Vec<_>>());
}

#[test]
fn a_card_on_the_simulated_reader_is_told_with_what_is_written_on_it() {
    let mut meeting =
        meet(Sees::Occupancy, LineFaults { lost: PerMille(100), ..LineFaults::default() }, Carrier::Stream);
    let ndef: Vec<u8> = (0..=200).collect();
    let card = SimCard { uid: UID.to_vec(), ndef: ndef.clone() };
    meeting.sim.lay_card(Some(card.clone()), meeting.now);
    meeting.pass(Millis(5_000));
    meeting.sim.lay_card(None, meeting.now);
    meeting.pass(Millis(5_000));
    // A card that is removed before it was read completely is not reported as present.
    meeting.sim.lay_card(Some(card), meeting.now);
    meeting.sim.lay_card(None, meeting.now);
    meeting.pass(Millis(5_000));
    let tag = |event: BoardEvent| match event {
        BoardEvent::Tag { antenna: 0, tag } => Some(tag),
        _ => None,
    };
    let told: Vec<TagChange> = meeting.events.into_iter().filter_map(tag).collect();
    let here = TagChange::Here { uid: UID.to_vec(), ndef: Some(ndef) };
    assert_eq!(told, [TagChange::Empty, here, TagChange::Gone { uid: UID.to_vec() }]);
}

/// A scripted device with a driver.
struct Desk {
    driver: Steady<Diy>,
    link: FrameLink<16>,
    decoder: FrameDecoder,
    now: Instant,
    /// The messages that the host sent.
    orders: Vec<Frame>,
}

impl Desk {
    fn new(can: Can) -> Self {
        let connection = Connection {
            brand: MAKER.brand(),
            carrier: Carrier::Stream,
            unit: None,
            notes: &Notes::NONE,
            passive: false,
        };
        let driver = Steady::new(Diy::new(false), &connection, Instant::ZERO);
        let now = Instant::ZERO;
        let mut desk =
            Self { driver, link: FrameLink::new(), decoder: FrameDecoder::new(), now, orders: Vec::new() };
        let hello = Hello { messages: 1, asks: true, takes: 32, can, name: "reader" };
        let hello = desk.link.hello(&hello).expect("a short name");
        desk.pass();
        desk.driver.on_bytes(&bytes_of(&hello), desk.now);
        desk.pass();
        desk
    }

    /// Lets half a second pass, in which the device receives the host's frames.
    fn pass(&mut self) {
        for _ in 0..50 {
            self.now = self.now + Millis(10);
            self.driver.on_time(self.now);
            while let Some(bytes) = self.driver.next_write() {
                for byte in bytes {
                    if let Some(Ok(frame)) = self.decoder.push(byte) {
                        let (heard, _) = self.link.hear(&frame);
                        if heard == firmware_protocol::Received::Take {
                            self.orders.push(frame);
                            let ack = Message::Ack(frame.sequence()).frame(0).expect("a byte fits");
                            self.driver.on_bytes(&bytes_of(&ack), self.now);
                        }
                    }
                }
            }
        }
    }

    fn tell(&mut self, message: &Message) -> Vec<BoardEvent> {
        let frame = self.link.send(message).expect("there is room");
        self.driver.on_bytes(&bytes_of(&frame), self.now);
        self.pass();
        std::iter::from_fn(|| self.driver.next_event()).collect()
    }

    fn tags(&mut self, message: &Message) -> Vec<TagChange> {
        let tag = |event: BoardEvent| match event {
            BoardEvent::Tag { antenna: 3, tag } => Some(tag),
            _ => None,
        };
        self.tell(message).into_iter().filter_map(tag).collect()
    }
}

const UID: [u8; 7] = [4, 0xA1, 0xB2, 0xC3, 0xD4, 0x80, 1];

fn lies(tag: AntennaTag<'_>) -> Message<'_> {
    Message::Tag { antenna: 3, tag }
}

fn part(offset: u16, bytes: &[u8]) -> Message<'_> {
    Message::Ndef { antenna: 3, offset, bytes }
}

#[test]
fn a_reader_without_squares_is_ready_and_tells_its_tags() {
    let mut desk = Desk::new(Can::TAGS);
    assert!(desk.driver.ready());
    let there = lies(AntennaTag::There { uid: &UID, ndef: Some(5) });
    let here = TagChange::Here { uid: UID.to_vec(), ndef: Some(b"hello".to_vec()) };
    let gone = TagChange::Gone { uid: UID.to_vec() };
    assert_eq!(desk.tags(&there), []);
    assert_eq!(desk.tags(&part(0, b"hel")), []);
    assert_eq!(desk.tags(&part(3, b"lo")), [here]);
    // After a hello the device reports again that the same tag is on its reader. The driver does not report this tag
    // again.
    assert_eq!(desk.tags(&there), []);
    assert_eq!(desk.tags(&part(0, b"hello")), []);
    // Another tag follows directly, and its content cannot be read.
    let other = AntennaTag::There { uid: &UID[..4], ndef: None };
    let short = UID[..4].to_vec();
    assert_eq!(desk.tags(&lies(other)), [gone, TagChange::Here { uid: short.clone(), ndef: None }]);
    assert_eq!(desk.tags(&lies(AntennaTag::Gone)), [TagChange::Gone { uid: short }]);
    assert_eq!(desk.tags(&lies(AntennaTag::Gone)), []);
    assert_eq!(desk.tags(&lies(AntennaTag::Several)), [TagChange::Several]);
    assert_eq!(desk.tags(&lies(AntennaTag::Gone)), [TagChange::Empty]);
    assert_eq!(desk.tags(&lies(AntennaTag::NoReader)), [TagChange::NoReader]);
    // First a part of the content arrives with a wrong offset. Then the tag is removed before it was read completely.
    assert_eq!(desk.tags(&there), []);
    assert_eq!(desk.tags(&part(1, b"ello")), []);
    assert_eq!(desk.tags(&lies(AntennaTag::Gone)), [TagChange::Empty]);
}

#[test]
fn a_box_tells_that_it_has_no_squares() {
    let mut meeting = meet(Sees::Nothing, LineFaults::default(), Carrier::Stream);
    assert!(meeting.driver.ready());
    let abilities = meeting.driver.info().abilities;
    assert_eq!(
        (abilities.sees, abilities.display, abilities.lights),
        (Sees::Nothing, true, LampLayout::None)
    );
    assert!(meeting.last_observation().is_none(), "{:?}", meeting.events);
    meeting.driver.order(&BoardCommand::Show("POT   12".to_owned()), meeting.now);
    meeting.pass(Millis(500));
    assert_eq!(meeting.sim.display_text().as_deref(), Some("display: POT   12"));
}

#[test]
fn presses_that_wait_at_a_new_hello_are_told_after_it() {
    let mut meeting = meet(Sees::Nothing, LineFaults::default(), Carrier::Stream);
    let presses = |meeting: &TestBench| {
        let press = |event: &BoardEvent| matches!(event, BoardEvent::Observed(Observation::Press(_)));
        meeting.events.iter().filter(|event| press(event)).count()
    };
    // The levers are pressed six times. Four presses are sent, but their acknowledgement never arrives. The other two
    // are sent only when others are acknowledged. Then another host sends a hello.
    for nth in 0..6 {
        let by = if nth % 2 == 0 { Color::White } else { Color::Black };
        meeting.sim.happen(Physical::Press(by), meeting.now);
    }
    drop(meeting.sim.take_messages());
    meeting.now = meeting.now + Millis(100);
    let connection = Connection {
        brand: MAKER.brand(),
        carrier: Carrier::Stream,
        unit: None,
        notes: &Notes::NONE,
        passive: false,
    };
    meeting.driver = (MAKER.entry().driver)(&connection, meeting.now);
    assert_eq!(presses(&meeting), 0);
    meeting.pass(Millis(3_000));
    assert_eq!(presses(&meeting), 6);
}

#[test]
fn presses_whose_acks_were_lost_are_not_taken_twice() {
    let mut meeting = meet(Sees::Nothing, LineFaults::default(), Carrier::Stream);
    let presses = |meeting: &TestBench| -> Vec<Color> {
        let press = |event: &BoardEvent| match event {
            BoardEvent::Observed(Observation::Press(by)) => Some(*by),
            _ => None,
        };
        meeting.events.iter().filter_map(press).collect()
    };
    let both = [Color::White, Color::Black];
    for by in both {
        meeting.sim.happen(Physical::Press(by), meeting.now);
    }
    // The device receives nothing. After five repetitions it sends a hello.
    for _ in 0..170 {
        meeting.now = meeting.now + Millis(10);
        meeting.sim.on_time(meeting.now);
        for heard in meeting.sim.take_messages() {
            meeting.driver.on_bytes(&heard, meeting.now);
        }
        meeting.driver.on_time(meeting.now);
        while meeting.driver.next_write().is_some() {
            meeting.driver.wrote(meeting.now);
        }
        meeting.events.extend(std::iter::from_fn(|| meeting.driver.next_event()));
    }
    assert_eq!(presses(&meeting), both);
    meeting.pass(Millis(2_000));
    assert_eq!(presses(&meeting), both);
    meeting.sim.happen(Physical::Press(Color::White), meeting.now);
    meeting.pass(Millis(500));
    assert_eq!(presses(&meeting), [Color::White, Color::Black, Color::White]);
}

#[test]
fn what_was_taken_is_acked_once_more_before_a_hello() {
    let mut device = FrameLink::<4>::new();
    let hello = |asks| Hello { messages: 1, asks, takes: 64, can: Can::LEVER, name: "device" };
    let said = |all: Vec<Vec<u8>>| -> Vec<String> {
        let mut decoder = FrameDecoder::new();
        let frames = all.concat().into_iter().filter_map(|byte| decoder.push(byte)?.ok()).collect::<Vec<_>>();
        let name = |frame: &Frame| match Message::read(frame) {
            Some(Message::Ack(number)) => format!("ack {number}"),
            Some(Message::Hello(hello)) => format!("hello {}", hello.asks),
            other => format!("{other:?}"),
        };
        frames.iter().map(name).collect()
    };
    let hears = |diy: &mut Diy, frame: &Frame| {
        let mut heard = Vec::new();
        diy.hear(&bytes_of(frame), &mut heard);
        let answer = |heard| if let Report::Answer(bytes) = heard { Some(bytes) } else { None };
        said(heard.into_iter().filter_map(answer).collect())
    };
    let mut diy = Diy::new(false);
    assert_eq!(said(diy.greeting()), ["hello true"]);
    hears(&mut diy, &device.hello(&hello(false)).expect("short"));
    let press = device.send(&Message::Press(Lever::Left)).expect("room");
    assert_eq!(hears(&mut diy, &press), ["ack 1"]);
    let beat = Message::Heartbeat.frame(7).expect("fits");
    assert_eq!(hears(&mut diy, &beat), ["ack 1", "hello true"], "frames were lost for good");
    assert_eq!(said(diy.greeting()), ["ack 1", "hello true"], "as long as nobody answers");
    // The device restarts, perhaps with new sequence numbers.
    let anew = device.hello(&hello(true)).expect("short");
    for _ in ["it asks", "the answer was lost, and it asks again"] {
        assert_eq!(hears(&mut diy, &anew), ["ack 1", "hello false"]);
    }
    assert_eq!(said(diy.greeting()), ["hello true"]);
}

#[test]
fn buttons_and_battery_are_told() {
    let mut desk = Desk::new(Can::BUTTONS.and(Can::BATTERY));
    while desk.driver.next_event().is_some() {}
    let told = desk.tell(&Message::Button { number: 2, down: true });
    assert!(matches!(told[..], [BoardEvent::ClockButton(ClockButton::Run)]), "{told:?}");
    assert!(desk.tell(&Message::Button { number: 2, down: false }).is_empty());
    let told = desk.tell(&Message::Button { number: 9, down: true });
    assert!(matches!(told[..], [BoardEvent::Unknown { id: 0x13, len: 2 }]), "{told:?}");
    let told = desk.tell(&Message::Battery { percent: Some(15), charging: false, low: true });
    assert!(
        matches!(told[..], [BoardEvent::Battery { percent: 15, charging: false, low: true }]),
        "{told:?}"
    );
}

#[test]
fn orders_reach_the_device_cut_to_what_it_takes() {
    let mut desk = Desk::new(Can::LAMPS.and(Can::DISPLAY).and(Can::BEEP).and(Can::BATTERY));
    let e4 = "e4".parse().expect("a square");
    desk.orders.clear();
    desk.driver.order(&BoardCommand::Light(Lights::of([(e4, Glow::Wrong)])), desk.now);
    desk.driver.order(&BoardCommand::Show("für die Ümlaute ist hier kein Platz mehr".to_owned()), desk.now);
    desk.driver.order(&BoardCommand::Beep(Millis(500)), desk.now);
    desk.driver.order(&BoardCommand::AskBattery, desk.now);
    desk.pass();
    let mut lamps = Pattern::default();
    lamps.set(28, Lamp::Wrong);
    let wanted = [
        Message::Lamps(lamps),
        Message::Display { line: 0, text: "für die Ümlaute ist hier kei" },
        Message::Beep(500),
        Message::Refresh(Refresh::BATTERY),
    ];
    let orders: Vec<_> = desk.orders.iter().filter_map(Message::read).collect();
    assert_eq!(orders, wanted);
}

#[test]
fn what_is_only_listened_to_is_understood_without_a_hello() {
    let mut diy = Diy::new(true);
    let mut heard = Vec::new();
    let frame = Message::Press(Lever::Right).frame(9).expect("a byte fits");
    diy.hear(&[bytes_of(&frame), bytes_of(&frame)].concat(), &mut heard);
    let press = |heard: &&Report| matches!(heard, Report::Event(BoardEvent::Observed(Observation::Press(_))));
    assert_eq!(heard.iter().filter(press).count(), 1, "the second is the same, sent again");
    assert!(!heard.iter().any(|heard| matches!(heard, Report::Answer(_))));
}
