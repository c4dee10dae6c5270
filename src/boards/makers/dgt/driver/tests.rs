//! Tests of the driver in simulated time, with scripted answers of a board.
#![expect(clippy::indexing_slicing, reason = "a test may fail so")]

use proptest::prelude::*;
use tabiya_types::{Color, Piece, Role, Square};

use super::*;
use crate::event::{ClockButton, ClockInfo, ClockKind, ClockRefusal, ClockTask, ClockTimes};
use crate::makers::dgt::codec::{
    Battery, ClockCommand, ClockFrame, ClockStatus, DgtCommandDecoder, SideTime,
};
use crate::makers::dgt::{MAKER, laws};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A driver under test, the simulated time, and everything that the driver has written and reported.
struct Bench {
    driver: DgtDriver,
    now: Instant,
    /// The commands that were written, each with its time in ms.
    written: Vec<(u64, DgtCommand)>,
    events: Vec<BoardEvent>,
    /// Whether the board answers requests and keep-alives.
    alive: bool,
}

impl Bench {
    fn new() -> Self {
        let now = Instant::from_millis(5000);
        let driver = DgtDriver::new(MAKER.brand(), Carrier::Stream, now);
        let mut bench = Self { driver, now, written: Vec::new(), events: Vec::new(), alive: true };
        bench.drain();
        bench
    }

    /// Creates a driver that has completed its start-up with a board without a clock.
    fn started() -> Self {
        let mut bench = Self::new();
        bench.run(1500);
        assert!(bench.driver.ready());
        bench.forget();
        bench
    }

    /// Creates a driver that has completed its start-up with a board and a clock. The left side of the clock's lever is
    /// up.
    fn with_clock() -> Self {
        let mut bench = Self::started();
        bench.say(&clock(300, 300, false, false));
        bench.run(200);
        bench
    }

    fn forget(&mut self) {
        self.written.clear();
        self.events.clear();
    }

    fn say(&mut self, message: &DgtMessage) {
        self.driver.on_bytes(&message.to_bytes(), self.now);
        self.drain();
    }

    /// Lets `millis` ms pass. The driver is called exactly at its deadlines.
    fn run(&mut self, millis: u64) {
        let end = self.now + Millis(millis);
        while let Some(due) = self.driver.deadline().filter(|due| *due <= end) {
            self.now = self.now.max(due);
            self.driver.on_time(self.now);
            self.drain();
        }
        self.now = end;
        self.driver.on_time(self.now);
        self.drain();
    }

    fn drain(&mut self) {
        let mut decoder = DgtCommandDecoder::new();
        while let Some(bytes) = self.driver.next_write() {
            for command in bytes.iter().filter_map(|byte| decoder.push(*byte)) {
                self.written.push((self.now.millis() - 5000, command.clone()));
                if let Some(answer) = answer(&command).filter(|_| self.alive) {
                    self.driver.on_bytes(&answer.to_bytes(), self.now);
                }
            }
        }
        while let Some(event) = self.driver.next_event() {
            self.events.push(event);
        }
    }

    fn count(&self, command: &DgtCommand) -> usize {
        self.written.iter().filter(|(_, written)| written == command).count()
    }

    /// Returns the commands that the board got since the last call, without keep-alives.
    fn told_board(&mut self) -> Vec<DgtCommand> {
        let written = std::mem::take(&mut self.written);
        written
            .into_iter()
            .map(|(_, command)| command)
            .filter(|command| *command != DgtCommand::Serial)
            .collect()
    }

    fn events(&mut self) -> Vec<String> {
        std::mem::take(&mut self.events).iter().map(|event| format!("{event:?}")).collect()
    }
}

/// The answers of a board without a long serial number and without a clock.
fn answer(command: &DgtCommand) -> Option<DgtMessage> {
    Some(match command {
        DgtCommand::Version => DgtMessage::Version(Version { main: 3, sub: 10 }),
        DgtCommand::Serial => DgtMessage::Serial("00137".to_owned()),
        DgtCommand::SendBoard => DgtMessage::Dump(START.parse().expect("a board")),
        DgtCommand::SendClock => DgtMessage::Clock(ClockFrame::ABSENT),
        _ => return None,
    })
}

fn clock(left: u32, right: u32, right_up: bool, runs: bool) -> DgtMessage {
    let (left, right) = (SideTime::from_secs(left), SideTime::from_secs(right));
    DgtMessage::Clock(ClockFrame { left, right, status: ClockStatus::new(runs, right_up) })
}

fn lift(square: &str) -> DgtMessage {
    DgtMessage::Field { square: square.parse().expect("a square"), piece: None }
}

#[test]
fn the_start_asks_in_order_with_pauses_and_takes_the_board_as_its_base() {
    let mut bench = Bench::new();
    bench.run(900);
    assert_eq!(
        bench.written,
        [
            (0, DgtCommand::Reset),
            (100, DgtCommand::Version),
            (200, DgtCommand::Serial),
            (300, DgtCommand::LongSerial),
            (400, DgtCommand::Trademark),
            (500, DgtCommand::HardwareVersion),
            (600, DgtCommand::UpdateNice),
            (700, DgtCommand::SendBoard),
            (800, DgtCommand::SendClock),
        ]
    );
    let events = bench.events();
    let [identified, whole] = events.as_slice() else { panic!("{events:?}") };
    assert!(identified.contains("version: Some(\"3.10\")") && identified.contains("Some(\"00137\")"));
    assert_eq!(whole, &format!("Observed(Whole({START}))"));
}

#[test]
fn what_arrives_before_the_reset_has_worked_is_dropped() {
    let mut bench = Bench::new();
    bench.say(&DgtMessage::Dump(Board::EMPTY));
    bench.driver.on_bytes(&[0x86, 0x00, 0x43, 0x01], bench.now);
    bench.run(1500);
    assert!(bench.driver.ready());
    assert!(!bench.events().iter().any(|event| event.contains("8/8/8") && event.contains("Damage")));
}

#[test]
fn the_version_is_asked_for_three_times_and_then_it_is_no_board() {
    let mut bench = Bench::new();
    bench.alive = false;
    bench.run(3099);
    assert_eq!(bench.driver.failure(), None);
    bench.run(1);
    assert_eq!(bench.driver.failure(), Some(DriverFailure::NotABoard));
    assert_eq!(bench.count(&DgtCommand::Version), 3);
    assert_eq!(bench.driver.deadline(), None);
}

#[test]
fn a_first_question_that_got_lost_is_asked_again() {
    let mut bench = Bench::new();
    bench.alive = false;
    bench.run(1000);
    bench.alive = true;
    bench.run(2000);
    assert!(bench.driver.ready());
}

#[test]
fn a_silent_board_is_dead_within_three_seconds() {
    let mut bench = Bench::started();
    bench.alive = false;
    bench.run(1800);
    assert_eq!(bench.driver.failure(), None);
    assert!(bench.count(&DgtCommand::Serial) >= 2);
    bench.run(1000);
    assert_eq!(bench.driver.failure(), Some(DriverFailure::Silent));
}

#[test]
fn after_a_long_pause_the_whole_board_is_read() {
    let mut bench = Bench::started();
    bench.alive = false;
    bench.run(1600);
    bench.alive = true;
    bench.run(1200);
    assert_eq!(bench.driver.failure(), None);
    assert!(bench.told_board().contains(&DgtCommand::SendBoard));
}

#[test]
fn the_whole_board_is_read_once_when_changes_rest() {
    let mut bench = Bench::started();
    bench.say(&lift("e2"));
    bench.run(200);
    bench.say(&lift("d2"));
    bench.run(240);
    assert_eq!(bench.told_board(), []);
    bench.run(110);
    assert_eq!(bench.told_board(), [DgtCommand::SendBoard]);
    bench.run(10_000);
    assert_eq!(bench.told_board(), []);
    assert_eq!(
        bench.events(),
        [
            "Observed(Square(e2, None))".to_owned(),
            "Observed(Square(d2, None))".to_owned(),
            format!("Observed(Whole({START}))")
        ]
    );
}

#[test]
fn damage_asks_for_the_whole_board_even_while_changes_go_on() {
    let mut bench = Bench::started();
    bench.driver.on_bytes(&[0x00, 0x05, 0x34, 0x00], bench.now);
    for _ in 0..4 {
        bench.run(100);
        bench.say(&lift("e2"));
    }
    assert!(bench.told_board().contains(&DgtCommand::SendBoard));
    assert!(bench.events()[0].contains("bytes outside any message"));
}

#[test]
fn a_board_that_was_asked_for_and_did_not_come_is_asked_for_again() {
    let mut bench = Bench::started();
    bench.alive = false;
    bench.driver.ask_dump(bench.now);
    bench.run(1000);
    bench.say(&DgtMessage::Serial("00137".to_owned()));
    bench.run(1200);
    assert_eq!(bench.told_board(), [DgtCommand::SendBoard, DgtCommand::SendBoard]);
}

#[test]
fn half_a_message_is_dropped_when_its_rest_does_not_come() {
    let mut bench = Bench::started();
    // The board must not answer keep-alives. An answer would arrive before the timeout of the incomplete message and
    // would end that message.
    bench.alive = false;
    bench.driver.on_bytes(&[0x8E, 0x00, 0x05], bench.now);
    bench.run(1100);
    assert!(bench.events()[0].contains("stopped in the middle"));
}

#[test]
fn commands_keep_their_distance() {
    let mut bench = Bench::started();
    for _ in 0..5 {
        bench.driver.ask_battery(bench.now);
        bench.drain();
    }
    bench.run(600);
    let times: Vec<u64> = bench.written.iter().map(|(at, _)| *at).collect();
    assert!(times.is_sorted_by(|a, b| a + SPACING.0 <= *b), "{times:?}");
}

#[test]
fn a_board_over_bluetooths_serial_profile_is_waited_for() {
    let mut driver = DgtDriver::new(MAKER.brand(), Carrier::LateStream, Instant::ZERO);
    let mut asked = 0;
    loop {
        while let Some(bytes) = driver.next_write() {
            asked += usize::from(bytes == DgtCommand::Version.to_bytes());
        }
        // The driver makes no more than eight requests. A board that connects late receives all of them at once, and
        // its buffer has no room for more.
        if asked == 8 {
            break;
        }
        driver.on_time(driver.deadline().expect("it goes on"));
    }
    let waited = driver.deadline().expect("the last answer is waited for");
    assert!(waited >= Instant::from_millis(LATE_CONNECT_TIMEOUT.0), "{waited:?}");
    driver.on_bytes(&DgtMessage::Version(Version { main: 3, sub: 10 }).to_bytes(), waited);
    assert!(driver.failure().is_none() && driver.next_write().is_some());
}

#[test]
fn stopping_leaves_the_board_silent() {
    let mut bench = Bench::started();
    bench.driver.ask_dump(bench.now);
    bench.driver.ask_battery(bench.now);
    bench.drain();
    bench.forget();
    assert_eq!(bench.driver.stop(bench.now), Millis(0));
    bench.run(10_000);
    assert_eq!(bench.told_board(), [DgtCommand::Reset]);
    assert_eq!(bench.driver.failure(), None);
}

#[test]
fn a_battery_is_told_in_percent() {
    let mut bench = Bench::started();
    bench.say(&DgtMessage::Battery(Battery { percent: 84, status: 0x06, ..Battery::default() }));
    assert_eq!(bench.events(), ["Battery { percent: 84, charging: false, low: true }"]);
}

#[test]
fn a_signal_piece_declares_the_result_once() {
    let mut bench = Bench::started();
    let square = Square::from_index(28).expect("e4");
    let signal = DgtMessage::Signal { square, signal: Signal::WhiteWins };
    bench.say(&signal);
    bench.say(&signal);
    let events = bench.events();
    let declared = events.iter().filter(|event| *event == "Declared(Wins(White))").count();
    assert_eq!(declared, 1, "{events:?}");
}

#[test]
fn the_side_whose_lever_goes_down_has_pressed() {
    let mut bench = Bench::with_clock();
    bench.events.clear();
    let mut presses = |message: &DgtMessage| {
        bench.say(message);
        let press = |event: &BoardEvent| match event {
            BoardEvent::Observed(Observation::Press(color)) => Some(*color),
            _ => None,
        };
        std::mem::take(&mut bench.events).iter().find_map(press)
    };
    // At first the left side of the lever is up. In these examples from the protocol notes, the left player then
    // presses the clock and gets bonus time.
    assert_eq!(presses(&clock(179, 179, false, true)), None);
    assert_eq!(presses(&clock(181, 179, true, true)), Some(Color::White));
    assert_eq!(presses(&clock(181, 178, true, true)), None);
    assert_eq!(presses(&clock(181, 178, true, false)), None);
    assert_eq!(presses(&clock(181, 178, false, true)), Some(Color::Black));
}

#[test]
fn the_first_sight_of_a_lever_is_no_press_nor_is_one_after_the_clock_was_away() {
    let mut bench = Bench::started();
    bench.say(&clock(300, 300, true, false));
    bench.say(&DgtMessage::Clock(ClockFrame::ABSENT));
    bench.say(&clock(300, 300, false, false));
    let events = bench.events();
    assert!(!events.iter().any(|event| event.contains("Press")), "{events:?}");
    assert!(events.contains(&"ClockGone".to_owned()));
}

#[test]
fn the_times_name_who_runs_and_whose_flag_fell() {
    let mut bench = Bench::with_clock();
    bench.events.clear();
    let mut right = SideTime::from_secs(0);
    right.blocked = true;
    bench.say(&DgtMessage::Clock(ClockFrame {
        left: SideTime::from_secs(16),
        right,
        status: ClockStatus::new(false, true),
    }));
    let BoardEvent::ClockTimes(times) = &bench.events[1] else { panic!("{:?}", bench.events) };
    let expected = ClockTimes {
        left: Millis::from_secs(16),
        right: Millis::ZERO,
        running: None,
        to_move: Some(Side::Right),
        fallen: Some(Side::Right),
        battery_low: false,
    };
    assert_eq!(*times, expected);
}

fn clock_commands(bench: &mut Bench) -> Vec<ClockCommand> {
    let told = bench.told_board().into_iter();
    told.filter_map(|command| if let DgtCommand::Clock(command) = command { Some(command) } else { None })
        .collect()
}

/// Creates a driver with a clock that has reported its version and has no pending command.
fn with_known_clock(version: u8) -> Bench {
    let mut bench = Bench::with_clock();
    assert_eq!(clock_commands(&mut bench), [ClockCommand::Version]);
    bench.say(&DgtMessage::Ack([0x10, 0x09, version, 0]));
    bench
}

#[test]
fn a_clock_is_asked_what_it_is_and_shows_texts_as_it_can() {
    let mut bench = with_known_clock(0x20);
    let found = ClockInfo { kind: ClockKind::Dgt3000, version: Some((2, 0)) };
    assert!(bench.events().contains(&format!("ClockFound({found:?})")));
    bench.driver.show("e2-e4", bench.now);
    bench.run(200);
    assert_eq!(clock_commands(&mut bench), [ClockCommand::text_3000("e2-e4", 0)]);

    let mut bench = with_known_clock(0x1E);
    bench.driver.show("e2e4", bench.now);
    bench.run(200);
    let xl = crate::makers::dgt::codec::XlText::new("e2e4", false);
    assert_eq!(clock_commands(&mut bench), [ClockCommand::Xl(xl)]);
}

#[test]
fn without_a_clock_a_setting_is_refused_and_not_kept() {
    let mut bench = Bench::started();
    bench.driver.set_clock(ClockSetting { left: Millis(0), right: Millis(0), running: None }, bench.now);
    bench.say(&clock(300, 300, false, false));
    bench.run(200);
    assert_eq!(clock_commands(&mut bench), [ClockCommand::Version]);
    let refused = BoardEvent::ClockRefused { task: ClockTask::SetAndRun, why: ClockRefusal::NoClock };
    assert_eq!(bench.events()[0], format!("{refused:?}"));
}

#[test]
fn a_text_waits_for_the_clock_and_the_newest_wins() {
    let mut bench = Bench::started();
    bench.driver.show("old", bench.now);
    bench.driver.show("new", bench.now);
    bench.say(&clock(300, 300, false, false));
    bench.run(200);
    bench.say(&DgtMessage::Ack([0x10, 0x09, 0x20, 0]));
    bench.run(200);
    assert_eq!(clock_commands(&mut bench), [ClockCommand::Version, ClockCommand::text_3000("new", 0)]);
}

#[test]
fn one_clock_command_at_a_time_and_old_acks_do_not_count() {
    let mut bench = with_known_clock(0x20);
    bench.driver.show("hello", bench.now);
    bench.driver.beep(Millis(1000), bench.now);
    bench.run(300);
    assert_eq!(clock_commands(&mut bench), [ClockCommand::text_3000("hello", 0)]);
    // The clock repeats its answer to the version request.
    bench.say(&DgtMessage::Ack([0x10, 0x09, 0x20, 0]));
    bench.say(&DgtMessage::ClockBlank);
    bench.run(300);
    assert_eq!(clock_commands(&mut bench), []);
    bench.say(&DgtMessage::Ack([0x10, 0x0C, 0, 0]));
    bench.run(300);
    assert_eq!(clock_commands(&mut bench), [ClockCommand::Beep(16)]);
}

#[test]
fn a_clock_command_is_sent_again_and_given_up_after_six_seconds() {
    let mut bench = with_known_clock(0x20);
    bench.driver.beep(Millis(64), bench.now);
    bench.run(5900);
    assert_eq!(clock_commands(&mut bench).len(), 3);
    assert!(!bench.events().iter().any(|event| event.contains("Refused")));
    bench.run(200);
    let refused = BoardEvent::ClockRefused { task: ClockTask::Beep, why: ClockRefusal::NoAnswer };
    assert_eq!(bench.events(), [format!("{refused:?}")]);
    assert_eq!(clock_commands(&mut bench), []);
}

#[test]
fn an_odd_ack_sends_the_command_again_at_once() {
    let mut bench = with_known_clock(0x20);
    bench.driver.beep(Millis(64), bench.now);
    bench.run(500);
    assert_eq!(clock_commands(&mut bench).len(), 1);
    bench.say(&DgtMessage::Ack([0x20, 0, 0, 0]));
    bench.run(200);
    assert_eq!(clock_commands(&mut bench), [ClockCommand::Beep(1)]);
}

#[test]
fn a_clock_that_never_tells_what_it_is_only_tells_its_times() {
    let mut bench = Bench::with_clock();
    bench.run(6500);
    let found = ClockInfo { kind: ClockKind::TimesOnly, version: None };
    assert!(bench.events().contains(&format!("ClockFound({found:?})")));
    bench.driver.show("hello", bench.now);
    let refused = BoardEvent::ClockRefused { task: ClockTask::Show, why: ClockRefusal::CannotShow };
    bench.run(10);
    assert_eq!(bench.events(), [format!("{refused:?}")]);
}

#[test]
fn while_the_clock_is_being_set_its_old_times_are_not_told() {
    let mut bench = with_known_clock(0x20);
    let setting = ClockSetting { left: Millis(59_500), right: Millis(30_000), running: Some(Side::Left) };
    bench.driver.set_clock(setting, bench.now);
    bench.run(300);
    let (left, right) = (SideSetting::from_secs(60), SideSetting::from_secs(30));
    let expected = ClockCommand::SetAndRun(SetAndRun { left, right, flags: SetAndRun::LEFT_RUNS });
    assert_eq!(clock_commands(&mut bench), [expected]);
    bench.events.clear();
    bench.say(&clock(299, 300, false, true));
    assert_eq!(bench.events(), [] as [String; 0]);
    bench.say(&DgtMessage::Ack([0x10, 0x0A, 0, 0]));
    bench.say(&clock(60, 30, false, true));
    assert!(bench.events()[0].starts_with("ClockTimes"));
}

#[test]
fn a_clock_in_the_wrong_mode_refuses_to_be_set() {
    let mut bench = with_known_clock(0x20);
    bench.events.clear();
    bench.driver.set_clock(ClockSetting { left: Millis(0), right: Millis(0), running: None }, bench.now);
    bench.run(300);
    bench.say(&DgtMessage::Ack([0x40, 0x0A, 0, 0]));
    let refused = BoardEvent::ClockRefused { task: ClockTask::SetAndRun, why: ClockRefusal::WrongMode };
    assert_eq!(bench.events(), [format!("{refused:?}")]);
}

#[test]
fn a_time_that_leaps_by_more_than_an_hour_must_be_told_twice() {
    let mut bench = with_known_clock(0x20);
    bench.events.clear();
    bench.say(&clock(7200, 7200, false, false));
    assert_eq!(bench.events(), [] as [String; 0]);
    bench.say(&clock(299, 300, false, false));
    assert_eq!(bench.events().len(), 1);
    bench.say(&clock(7200, 7200, false, false));
    bench.say(&clock(7200, 7199, false, true));
    assert_eq!(bench.events().len(), 1);
}

#[test]
fn a_button_counts_once_however_often_its_message_is_repeated() {
    let mut bench = with_known_clock(0x20);
    bench.events.clear();
    let back = DgtMessage::Ack([0x10, 0x88, 0x05, 0x31]);
    bench.say(&back);
    bench.say(&back);
    assert_eq!(bench.events(), [format!("{:?}", BoardEvent::ClockButton(ClockButton::Back))]);
    bench.say(&clock(300, 300, false, false));
    bench.say(&back);
    assert_eq!(bench.events().len(), 2);
}

#[test]
fn a_driver_that_only_listens_counts_from_the_first_byte_and_writes_nothing() {
    let mut driver = DgtDriver::passive(MAKER.brand());
    let knight = Some(Piece { color: Color::White, role: Role::Knight });
    let field = DgtMessage::Field { square: "f3".parse().expect("a square"), piece: knight };
    driver.on_bytes(&clock(10, 10, false, true).to_bytes(), Instant::from_millis(10));
    driver.on_bytes(&field.to_bytes(), Instant::from_millis(20));
    driver.on_bytes(&clock(10, 10, true, true).to_bytes(), Instant::from_millis(30));
    let events: Vec<BoardEvent> = std::iter::from_fn(|| driver.next_event()).collect();
    assert!(matches!(
        events.as_slice(),
        [
            BoardEvent::ClockTimes(_),
            BoardEvent::Observed(Observation::Square(_, Some(_))),
            BoardEvent::Observed(Observation::Press(Color::White)),
            BoardEvent::ClockTimes(_),
        ]
    ));
    assert_eq!(driver.next_write(), None);
    assert_eq!(driver.deadline(), None);
}

proptest! {
    #[test]
    fn whatever_a_board_says_the_driver_keeps_its_bounds(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        laws::driver_law(&bytes);
    }
}
