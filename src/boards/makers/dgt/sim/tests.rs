//! Tests of the simulated board, one rule at a time, with the driver's decoder.

use super::*;
use crate::human::PerMille;
use crate::makers::dgt::codec::{ClockCommand, DgtDecoder, SetAndRun, SideSetting, SideTime};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn at(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

fn config() -> SimConfig {
    SimConfig { board: START.parse().expect("a board"), ..SimConfig::default() }
}

/// A simulated board with the current time.
struct Bench {
    sim: Sim,
    now: Instant,
}

impl Bench {
    fn new(config: SimConfig) -> Self {
        Self { sim: Sim::new(config), now: at(0) }
    }

    /// Sends these bytes and returns the immediate answers.
    fn say(&mut self, bytes: &[u8]) -> Vec<DgtMessage> {
        self.sim.on_host_bytes(bytes, self.now);
        self.heard()
    }

    /// Lets time pass and returns the messages that arrived meanwhile.
    fn pass(&mut self, millis: u64) -> Vec<DgtMessage> {
        self.now = self.now + Millis(millis);
        self.sim.on_time(self.now);
        self.heard()
    }

    fn heard(&mut self) -> Vec<DgtMessage> {
        let mut decoder = DgtDecoder::new();
        let bytes = self.sim.take_output();
        bytes.into_iter().filter_map(|byte| decoder.push(byte)).map(|heard| heard.expect("whole")).collect()
    }

    fn lift(&mut self, name: &str) {
        self.sim.set(square(name), None, self.now);
    }
}

#[test]
fn each_query_has_its_answer() {
    let answers: [(u8, &[u8]); 9] = [
        (0x41, &[0x8D, 0x00, 0x0A, 0x00, 0x05, 0x00, 0x00, 0x05, 0x00, 0x08]),
        (0x45, b"\x91\x00\x0801025"),
        (0x46, &[0x90, 0x00, 0x05, 0x08, 0x01]),
        (0x48, &[0x96, 0x00, 0x05, 0x01, 0x00]),
        (0x4C, &[0xA0, 0x00, 0x0C, 84, 0x7F, 0x7F, 0, 0, 0, 0, 0, 2]),
        (0x4D, &[0x93, 0x00, 0x05, 0x03, 0x0A]),
        (0x55, b"\xA2\x00\x0D3000001025"),
        (0x40, &[]),
        (0x4A, &[]),
    ];
    for (query, answer) in answers {
        let mut sim = Sim::new(config());
        sim.on_host_bytes(&[query], at(5));
        assert_eq!(sim.take_output(), answer, "answer to {query:02x}");
    }
}

#[test]
fn a_dump_shows_the_start_position_in_wire_order() {
    let mut sim = Sim::new(config());
    sim.on_host_bytes(&[0x42], at(5));
    let dump = sim.take_output();
    assert!(dump.starts_with(&[0x86, 0x00, 0x43, 0x08, 0x09, 0x0A, 0x0C, 0x0B, 0x0A, 0x09, 0x08]));
    assert_eq!(dump.len(), 67);
    let mut sim = Sim::new(SimConfig { turned: true, ..config() });
    sim.on_host_bytes(&[0x42], at(5));
    assert!(
        sim.take_output().starts_with(&[0x86, 0x00, 0x43, 0x02, 0x03, 0x04, 0x05, 0x06, 0x04, 0x03, 0x02])
    );
}

#[test]
fn the_board_announces_itself_with_our_own_text() {
    let mut bench = Bench::new(config());
    let heard = bench.say(&[0x47]);
    assert!(
        matches!(heard.as_slice(), [DgtMessage::Trademark(text)] if text.starts_with("Tabiya simulator"))
    );
}

#[test]
fn queries_are_answered_in_the_order_of_their_arrival() {
    let mut bench = Bench::new(config());
    let heard = bench.say(&[0x4D, 0x45, 0x42]);
    assert!(matches!(heard.as_slice(), [DgtMessage::Version(_), DgtMessage::Serial(_), DgtMessage::Dump(_)]));
}

#[test]
fn older_boards_stay_silent_when_asked_for_what_they_lack() {
    let old = SimConfig { long_serial: None, hardware: None, battery: None, ..config() };
    assert_eq!(Bench::new(old).say(&[0x55, 0x48, 0x4C]), []);
}

#[test]
fn arguments_are_no_commands() {
    let mut bench = Bench::new(config());
    assert_eq!(bench.say(&[0x60, 0x04, 0x42, 0x42, 0x42, 0x00]), []);
    assert_eq!(bench.say(&[0x42]).len(), 1);
}

#[test]
fn changes_are_told_in_the_update_modes_alone() {
    for (mode, told) in [(0x40, 0), (0x44, 1), (0x43, 1), (0x4B, 1), (0x4A, 0)] {
        let mut bench = Bench::new(config());
        bench.say(&[mode]);
        bench.lift("e2");
        let heard = bench.pass(260);
        let fields = heard.iter().filter(|message| matches!(message, DgtMessage::Field { .. })).count();
        assert_eq!(fields, told, "mode {mode:02x}");
    }
}

#[test]
fn a_dump_tells_what_was_scanned_even_in_idle() {
    let mut bench = Bench::new(config());
    bench.say(&[0x40]);
    bench.lift("e2");
    bench.pass(260);
    let heard = bench.say(&[0x42]);
    assert!(matches!(heard.as_slice(), [DgtMessage::Dump(board)] if board[square("e2")].is_none()));
}

#[test]
fn update_nice_tells_the_clock_only_when_it_changed() {
    let mut bench = Bench::new(config());
    bench.say(&[0x4B]);
    let clocks = |heard: Vec<DgtMessage>| {
        heard.into_iter().filter(|message| matches!(message, DgtMessage::Clock(_))).count()
    };
    assert_eq!(clocks(bench.pass(5_000)), 1, "a clock that stands is told once");
    bench.sim.press(Color::White, bench.now);
    assert_eq!(clocks(bench.pass(5_000)), 1, "a lever that turned is told once");
    bench.sim.button(ClockButton::Run, bench.now);
    assert_eq!(clocks(bench.pass(10_000)), 11, "a clock that runs is told each second, and as it starts");
}

#[test]
fn update_tells_the_clock_at_least_once_a_second() {
    let mut bench = Bench::new(config());
    bench.say(&[0x43]);
    let heard = bench.pass(10_000);
    assert!((9..=11).contains(&heard.len()), "{} messages in ten seconds", heard.len());
}

#[test]
fn a_board_without_a_clock_says_so() {
    let mut bench = Bench::new(SimConfig { clock: None, ..config() });
    assert_eq!(bench.say(&[0x41]), [DgtMessage::Clock(ClockFrame::ABSENT)]);
    assert_eq!(bench.say(&[0x4B, 0x2B, 0x03, 0x03, 0x09, 0x00]), []);
    let heard = bench.pass(3_000);
    assert!(heard.iter().all(|message| !matches!(message, DgtMessage::Ack(_))));
}

#[test]
fn white_has_the_left_side_unless_told_otherwise() {
    for (white_right, right_up) in [(false, true), (true, false)] {
        let mut bench = Bench::new(SimConfig { white_right, ..config() });
        bench.sim.press(Color::White, at(0));
        let heard = bench.say(&[0x41]);
        assert!(
            matches!(heard.as_slice(), [DgtMessage::Clock(frame)] if frame.status.right_up() == right_up)
        );
    }
}

fn acks(heard: Vec<DgtMessage>) -> Vec<[u8; 4]> {
    heard
        .into_iter()
        .filter_map(|message| match message {
            DgtMessage::Ack(ack) => Some(ack),
            _ => None,
        })
        .collect()
}

fn set_and_run() -> Vec<u8> {
    let side = SideSetting::from_secs(90);
    let settings = SetAndRun { left: side, right: side, flags: SetAndRun::LEFT_RUNS };
    DgtCommand::Clock(ClockCommand::SetAndRun(settings)).to_bytes()
}

#[test]
fn clock_commands_are_acked_within_a_second_and_a_half() {
    let mut bench = Bench::new(config());
    bench.say(&[0x4B]);
    bench.say(&[0x2B, 0x03, 0x03, 0x09, 0x00]);
    assert_eq!(acks(bench.pass(1_500)), [[0x10, 0x09, 0x20, 0x00]]);
    bench.say(&DgtCommand::Clock(ClockCommand::text_3000("e2-e4", 3)).to_bytes());
    assert_eq!(acks(bench.pass(1_500)), [[0x10, 0x0C, 0, 0]]);
    assert_eq!(bench.sim.clock().and_then(SimClock::text), Some("e2-e4   "));
    bench.say(&[0x2B, 0x03, 0x03, 0x03, 0x00]);
    assert_eq!(acks(bench.pass(1_500)), [[0x10, 0x03, 0, 0]]);
    assert_eq!(bench.sim.clock().and_then(SimClock::text), None);
}

#[test]
fn acks_are_sent_in_the_modes_that_tell_the_clock_alone() {
    let mut bench = Bench::new(config());
    bench.say(&[0x44]);
    bench.say(&set_and_run());
    assert_eq!(acks(bench.pass(3_000)), [] as [[u8; 4]; 0]);
    let heard = bench.say(&[0x41]);
    assert!(matches!(heard.as_slice(), [DgtMessage::Clock(frame)] if frame.right == SideTime::from_secs(90)));
}

#[test]
fn set_and_run_works_in_the_run_in_mode_alone() {
    let mut bench = Bench::new(config());
    bench.say(&[0x4B]);
    bench.say(&set_and_run());
    assert_eq!(acks(bench.pass(1_500)), [[0x10, 0x0A, 0, 0]]);
    let clock = ClockConfig { mode: 1, ..ClockConfig::default() };
    let mut bench = Bench::new(SimConfig { clock: Some(clock), ..config() });
    bench.say(&[0x4B]);
    bench.say(&set_and_run());
    assert_eq!(acks(bench.pass(1_500)), [[0x40, 0x0A, 0, 0]]);
}

#[test]
fn a_second_clock_command_before_the_ack_is_lost() {
    let mut bench = Bench::new(config());
    bench.say(&[0x4B]);
    bench.say(&[0x2B, 0x03, 0x03, 0x09, 0x00]);
    bench.say(&[0x2B, 0x03, 0x03, 0x03, 0x00]);
    assert_eq!(acks(bench.pass(5_000)), [[0x10, 0x09, 0x20, 0x00]]);
}

#[test]
fn buttons_are_told_unasked() {
    let mut bench = Bench::new(config());
    bench.say(&[0x4B]);
    bench.sim.button(ClockButton::Back, at(0));
    assert_eq!(acks(bench.heard()), [[0x10, 0x88, 0x05, 0x31]]);
}

#[test]
fn a_snatched_piece_can_be_told_put_before_lifted() {
    let (mut lift_first, mut put_first) = (0, 0);
    for seed in 0..60 {
        let mut bench = Bench::new(SimConfig { seed, ..config() });
        bench.say(&[0x44]);
        let pawn = bench.sim.board()[square("e2")];
        bench.lift("e2");
        bench.pass(20);
        bench.sim.set(square("e4"), pawn, bench.now);
        let mut heard = bench.heard();
        heard.extend(bench.pass(300));
        let first_is_put = matches!(heard.first(), Some(DgtMessage::Field { piece: Some(_), .. }));
        *if first_is_put { &mut put_first } else { &mut lift_first } += 1;
    }
    assert!(lift_first > 0 && put_first > 0, "lift first {lift_first}, put first {put_first}");
}

#[test]
fn a_quick_capture_never_shows_its_square_empty() {
    let mut never = 0;
    for seed in 0..60 {
        let mut bench = Bench::new(SimConfig { seed, ..config() });
        bench.say(&[0x44]);
        let rook = bench.sim.board()[square("a1")];
        bench.lift("a1");
        bench.lift("a7");
        let mut heard = bench.pass(20);
        bench.sim.set(square("a7"), rook, bench.now);
        heard.extend(bench.pass(300));
        never += usize::from(heard.len() == 2);
    }
    assert!(never > 40, "{never} of 60");
}

#[test]
fn a_bus_command_silences_the_board_until_a_single_one_comes() {
    let mut bench = Bench::new(config());
    bench.say(&[0x4B]);
    assert_eq!(bench.say(&[0x87, 0x00, 0x00, 0x07]), []);
    assert_eq!(bench.sim.mode(), Mode::Bus);
    bench.lift("e2");
    assert_eq!(bench.pass(2_000), []);
    assert_eq!(bench.say(&[0x4D]).len(), 1);
    assert_eq!(bench.sim.mode(), Mode::Idle);
}

#[test]
fn a_busy_board_keeps_ten_bytes_of_commands() {
    let mut bench = Bench::new(SimConfig { baud: Some(9_600), ..config() });
    bench.say(&[0x49]);
    bench.say(&[0x4D; 30]);
    let heard = bench.pass(9_000);
    assert_eq!(heard.len(), 11, "the log and ten versions");
}

#[test]
fn a_dump_takes_its_time_on_the_line() {
    let mut bench = Bench::new(SimConfig { baud: Some(9_600), ..config() });
    assert_eq!(bench.say(&[0x42]), []);
    assert_eq!(bench.pass(60), []);
    assert_eq!(bench.pass(15).len(), 1);
}

#[test]
fn a_plug_that_comes_back_finds_the_board_on_the_bus() {
    let mut bench = Bench::new(config());
    bench.say(&[0x44]);
    bench.sim.unplug(Some(Millis(500)), bench.now);
    bench.lift("e2");
    assert_eq!(bench.say(&[0x42]), []);
    assert_eq!(bench.pass(600), []);
    assert!(bench.sim.plugged());
    assert_eq!(bench.sim.mode(), Mode::Bus);
    let heard = bench.say(&[0x42]);
    assert!(matches!(heard.as_slice(), [DgtMessage::Dump(board)] if board[square("e2")].is_none()));
}

#[test]
fn faults_are_told_by_their_seed_alone() {
    let faults = DgtFaults { seed: 4, drop_byte: PerMille(300), noise: PerMille(300), ..DgtFaults::NONE };
    let run = || {
        let mut sim = Sim::new(SimConfig { faults: faults.clone(), ..config() });
        (0..50).for_each(|n| sim.on_host_bytes(&[0x42], at(n)));
        sim.take_output()
    };
    assert_eq!(run(), run());
    assert_ne!(run().len(), 50 * 67);
}

#[test]
fn a_deaf_board_answers_again_later() {
    let faults = DgtFaults { stop_answering: Some((at(100), at(200))), ..DgtFaults::NONE };
    let mut bench = Bench::new(SimConfig { faults, ..config() });
    assert_eq!(bench.say(&[0x4D]).len(), 1);
    bench.pass(150);
    assert_eq!(bench.say(&[0x4D]), []);
    bench.pass(100);
    assert_eq!(bench.say(&[0x4D]).len(), 1);
}

#[test]
fn acks_go_wrong_as_told() {
    let version = [0x2B, 0x03, 0x03, 0x09, 0x00];
    let ask = |faults: DgtFaults| {
        let mut bench = Bench::new(SimConfig { faults, ..config() });
        bench.say(&[0x4B]);
        bench.say(&version);
        bench
            .pass(1_500)
            .into_iter()
            .filter(|m| matches!(m, DgtMessage::Ack(_) | DgtMessage::ClockBlank))
            .collect()
    };
    let ack = DgtMessage::Ack([0x10, 0x09, 0x20, 0x00]);
    let always = PerMille::ALWAYS;
    let none: Vec<DgtMessage> = ask(DgtFaults { lost_ack: always, ..DgtFaults::NONE });
    assert_eq!(none, []);
    let zeros: Vec<DgtMessage> = ask(DgtFaults { zero_frame_before_ack: always, ..DgtFaults::NONE });
    assert_eq!(zeros, [DgtMessage::ClockBlank, ack.clone()]);
    let twice: Vec<DgtMessage> = ask(DgtFaults { ack_twice: always, ..DgtFaults::NONE });
    assert_eq!(twice, [ack.clone(), ack]);
    let strange: Vec<DgtMessage> = ask(DgtFaults { strange_ack: always, ..DgtFaults::NONE });
    assert_eq!(strange, [DgtMessage::Ack([0x20, 0, 0, 0])]);
}
