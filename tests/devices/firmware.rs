//! The reference firmware, built for its ATmega2560 and run in an emulator: the driver reports what happens at the
//! board, and the board's lamps follow the driver. UART0 is the host's line, UART1 is connected to a simulated PN532,
//! UART2 replaces the pins.
//!
//! Needs `avr-gcc`, `make` and `qemu-system-avr`; `tests/run` installs them. Only one emulator runs at a time,
//! because each keeps a core busy.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant as RealInstant};

use crate::child::{Table, name, printed};
use crate::club_game::{BETTING, PLACED, deck, number};
use crate::pn532::{Card, Faults, Pn532};
use crate::wait::{PATIENCE, let_pass, wait_until};
use firmware_protocol::{LONGEST_FRAME, Message, encode};
use serde_json::{Value, json};
use tabiya_boards::driver::{BoardCommand, Connection, Driver};
use tabiya_boards::human::{Dice, PerMille};
use tabiya_boards::lights::{Glow, Lights};
use tabiya_boards::link::Carrier;
use tabiya_boards::makers::diy::MAKER;
use tabiya_boards::notes::Notes;
use tabiya_boards::{BoardEvent, ClockButton, TagChange};
use tabiya_cards::Uid;
use tabiya_types::{Board, Color, Instant, Millis, Observation, Piece, Square, Squares};

/// The content of a card: the record type “tabiya.example:card”, version 1, and an id.
const NDEF: [u8; 39] =
    *b"\xD4\x13\x11tabiya.example:card\x01\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xAA\xBB\xCC\xDD\xEE\xFF";
const UID: [u8; 7] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0x80, 0x01];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Builds the firmware for the emulator, where a serial line (UART2) replaces the pins. Returns the path of the
/// firmware.
fn built() -> PathBuf {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("firmware");
    std::fs::create_dir_all(&out).expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("firmware-protocol/firmware");
    // The firmware for real boards must build, too, although it does not run here.
    let make = Command::new("make")
        .arg("-C")
        .arg(source)
        .arg(format!("OUT={}", name(&out)))
        .args([out.join("tabiya.hex"), out.join("emulated.elf")])
        .stdout(Stdio::null())
        .status();
    assert!(make.expect("make and avr-gcc are there: tests/run installs them").success());
    out.join("emulated.elf")
}

/// `tests/support/arduino/Arduino.h` stands for the IDE's own header, which the IDE includes before each sketch.
#[test]
fn the_sketch_of_a_lever_compiles_for_an_arduino() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    let built = Command::new("avr-g++")
        .args(["-mmcu=atmega2560", "-x", "c++", "-std=gnu++11", "-Wall", "-Wextra", "-Werror", "-Os"])
        .arg("-include")
        .arg(root.join("tests/support/arduino/Arduino.h"))
        .arg("-I")
        .arg(root.join("firmware-protocol/src"))
        .arg("-c")
        .arg(root.join("firmware-protocol/examples/Lever/Lever.ino"))
        .arg("-o")
        .arg(folder.path().join("lever.o"))
        .status();
    assert!(built.expect("avr-g++ comes with avr-gcc").success());
}

#[test]
fn the_protocol_in_c_is_c99_where_an_int_has_16_bits() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("firmware-protocol/src/tabiya.c");
    let folder = tempfile::tempdir().expect("a folder");
    let built = Command::new("avr-gcc")
        .args([
            "-mmcu=atmega2560",
            "-std=c99",
            "-pedantic-errors",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Os",
            "-c",
        ])
        .arg(source)
        .arg("-o")
        .arg(folder.path().join("tabiya.o"))
        .status();
    assert!(built.expect("avr-gcc is there: tests/run installs it").success());
}

/// The emulator that runs the firmware, with its pins and its card reader.
struct Mega {
    qemu: Child,
    folder: tempfile::TempDir,
    /// The path of the pseudo-terminal through which the host reaches the firmware; `None` if the host uses a socket.
    port: Option<String>,
    pins: UnixStream,
    reader: Arc<Mutex<Pn532>>,
    ended: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
    shown: Arc<Mutex<Shown>>,
    _turn: MutexGuard<'static, ()>,
}

impl Mega {
    /// Starts the emulator. UART0 is a pseudo-terminal if `pty` is set, otherwise a socket.
    fn start(pty: bool) -> Self {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("a folder");
        let socket = |name: &str| format!("unix:{name},server=on,wait=off");
        let mut qemu = Command::new("qemu-system-avr")
            .args(["-machine", "mega2560", "-display", "none", "-monitor", "none", "-bios"])
            .arg(built())
            .args(["-serial", &if pty { "pty".to_owned() } else { socket("host") }])
            .args(["-serial", &socket("reader"), "-serial", &socket("pins")])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the emulator is there: tests/run installs it");
        let port = pty.then(|| {
            let lines = BufReader::new(qemu.stdout.take().expect("piped")).lines();
            let named = |line: String| {
                line.split_whitespace().find(|word| word.starts_with("/dev/")).map(str::to_owned)
            };
            lines.map_while(Result::ok).find_map(named).expect("the emulator prints its port")
        });
        let reader = Arc::new(Mutex::new(Pn532::default()));
        let ended = Arc::new(AtomicBool::new(false));
        let line = connect(&folder.path().join("reader"));
        let pins = connect(&folder.path().join("pins"));
        let shown =
            Arc::new(Mutex::new(Shown { lit: Squares::NONE, digits: [0; 8], sounds: 0, sounding: false }));
        let lamps = pins.try_clone().expect("the same line");
        let chip = Arc::clone(&reader);
        let hears = move |bytes: &[u8]| chip.lock().expect("no thread has panicked").hear(bytes);
        let threads =
            vec![serve(line, Arc::clone(&ended), hears), serve(lamps, Arc::clone(&ended), watch(&shown))];
        Self { qemu, folder, port, pins, reader, ended, threads, shown, _turn: turn }
    }

    /// Sets the squares that are occupied from now on.
    fn set(&mut self, board: &str) {
        let board: Board = board.parse().expect("a board");
        let squares = board.occupied().bits().to_le_bytes();
        self.pins.write_all(&[&[b'S'][..], &squares].concat()).expect("the pins are connected");
    }

    /// Sets the keys that are down from now on, one bit each.
    fn keys(&mut self, down: u8) {
        self.pins.write_all(&[b'K', down]).expect("the pins are connected");
    }

    fn reader(&self) -> MutexGuard<'_, Pn532> {
        self.reader.lock().expect("no thread has panicked")
    }

    /// Sets the charge of the battery from now on, in percent.
    fn battery(&mut self, percent: u8) {
        self.pins.write_all(&[b'B', percent]).expect("the pins are connected");
    }

    /// The squares whose lamps are lit.
    fn lit(&self) -> Squares {
        self.shown().lit
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().expect("no thread has panicked")
    }
}

impl Drop for Mega {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn connect(path: &Path) -> UnixStream {
    wait_until(|| UnixStream::connect(path).map_err(|error| format!("{}: {error}", path.display())))
}

/// Reads from a serial line and writes the answers of `hears`, until the emulator ends. The emulator would block if
/// nobody read the line.
fn serve(
    mut line: UnixStream,
    ended: Arc<AtomicBool>,
    mut hears: impl FnMut(&[u8]) -> Vec<u8> + Send + 'static,
) -> JoinHandle<()> {
    line.set_read_timeout(Some(Duration::from_millis(50))).expect("a socket");
    std::thread::spawn(move || {
        let mut bytes = [0; 256];
        while !ended.load(Ordering::Relaxed) {
            match line.read(&mut bytes) {
                Ok(0) => return,
                Ok(count) => {
                    let said = hears(&bytes[..count]);
                    if line.write_all(&said).is_err() {
                        return;
                    }
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => return,
            }
        }
    })
}

/// What people at the board see and hear.
struct Shown {
    lit: Squares,
    /// The display's segments, the left digit first.
    digits: [u8; 8],
    /// How often the beeper has begun to sound.
    sounds: usize,
    sounding: bool,
}

/// Reads what the pins report, and never answers.
fn watch(shown: &Arc<Mutex<Shown>>) -> impl FnMut(&[u8]) -> Vec<u8> + Send + 'static {
    let (shown, mut told) = (Arc::clone(shown), Vec::new());
    move |bytes| {
        told.extend(bytes);
        let mut shown = shown.lock().expect("no thread has panicked");
        loop {
            let Some((kind, rest)) = told.split_first() else { return Vec::new() };
            let used = match (kind, rest.first_chunk::<8>(), rest.first()) {
                (b'L', Some(ranks), _) => {
                    shown.lit = Squares::from_bits(u64::from_le_bytes(*ranks));
                    9
                }
                (b'D', Some(digits), _) => {
                    shown.digits = *digits;
                    9
                }
                (b'P', _, Some(on @ 0..=1)) => {
                    shown.sounding = *on == 1;
                    shown.sounds += usize::from(*on);
                    2
                }
                (b'L' | b'D', None, _) | (b'P', _, None) => return Vec::new(),
                _ => panic!("unexpected bytes from the pins: {told:02x?}"),
            };
            told.drain(..used);
        }
    }
}

/// The driver on the host's line, in real time.
struct Host {
    line: UnixStream,
    driver: Box<dyn Driver>,
    began: RealInstant,
    /// How many of a thousand bytes on the line are lost, doubled or changed.
    spoilt: PerMille,
    /// When the firmware last sent something, and the number of empty reads since then.
    silent: (RealInstant, u32),
    /// Whether the host's bytes are withheld from the firmware. A hello from the firmware sets this to `false`.
    mute: bool,
    dice: Dice,
    /// The driver's events that no test has asked for yet.
    events: Vec<BoardEvent>,
}

impl Host {
    fn connect(mega: &Mega) -> Self {
        let line = connect(&mega.folder.path().join("host"));
        line.set_read_timeout(Some(Duration::from_millis(2))).expect("a socket");
        let connection = Connection {
            brand: MAKER.brand(),
            carrier: Carrier::Stream,
            unit: None,
            notes: &Notes::NONE,
            passive: false,
        };
        let driver = (MAKER.entry().driver)(&connection, Instant::ZERO);
        let (spoilt, dice) = (PerMille(0), Dice::new(5));
        Self {
            line,
            driver,
            began: RealInstant::now(),
            spoilt,
            silent: (RealInstant::now(), 0),
            mute: false,
            dice,
            events: Vec::new(),
        }
    }

    /// Returns the bytes as they come out of a bad line: some are lost, doubled or changed.
    fn carried(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut carried = Vec::new();
        for &byte in bytes {
            if !self.dice.chance(self.spoilt) {
                carried.push(byte);
                continue;
            }
            match self.dice.below(3) {
                0 => {}
                1 => carried.extend([byte, byte]),
                _ => carried.push(byte ^ (1 << self.dice.below(8))),
            }
        }
        carried
    }

    fn now(&self) -> Instant {
        Instant::ZERO + Millis(u64::try_from(self.began.elapsed().as_millis()).expect("short"))
    }

    fn turn(&mut self) {
        let mut bytes = [0; 256];
        if let Ok(count) = self.line.read(&mut bytes) {
            let heard = self.carried(&bytes[..count]);
            self.driver.on_bytes(&heard, self.now());
            self.silent = (RealInstant::now(), 0);
            let hello = |bytes: &[u8]| matches!(bytes, [0xA5, 1, _, _, 0x01]);
            self.mute &= !bytes[..count].windows(5).any(hello);
        } else {
            self.silent.1 += 1;
        }
        self.driver.on_time(self.now());
        while let Some(bytes) = self.driver.next_write() {
            let said = self.carried(&bytes);
            if !self.mute {
                self.line.write_all(&said).expect("the emulator runs");
            }
        }
        self.events.extend(std::iter::from_fn(|| self.driver.next_event()));
        assert_eq!(self.driver.failure(), None);
    }

    /// Runs the driver until `so` is true.
    fn until(&mut self, what: &str, mut so: impl FnMut(&mut Self) -> bool) {
        let until = RealInstant::now() + PATIENCE;
        while !so(self) {
            assert!(RealInstant::now() < until, "still waiting for {what}; events: {:?}", self.events);
            self.turn();
        }
    }

    /// Runs until an event for which `pick` returns `Some`, and asserts that the value is `wanted`.
    fn hears<T: PartialEq + std::fmt::Debug>(&mut self, wanted: &T, pick: impl Fn(&BoardEvent) -> Option<T>) {
        self.until(&format!("{wanted:?}"), |host| host.events.iter().any(|event| pick(event).is_some()));
        let at = self.events.iter().position(|event| pick(event).is_some()).expect("just seen");
        let event = self.events.remove(at);
        assert_eq!(pick(&event).as_ref(), Some(wanted));
    }

    /// Runs the driver until the firmware has received all acks. If an ack were missing, the firmware would send that
    /// message again after 300 ms.
    fn acks_all(&mut self) {
        // The silence must be long, and the test must have read many times in it without receiving bytes. A long
        // silence alone could also mean that the operating system did not run this test.
        let silence =
            |(since, reads): (RealInstant, u32)| since.elapsed() > Duration::from_millis(400) && reads > 40;
        self.until("silence", |host| silence(host.silent));
    }

    fn occupied(&mut self, board: &str) {
        let wanted = board.parse::<Board>().expect("a board").occupied();
        self.until(board, |host| {
            let seen = |event: &BoardEvent| matches!(event, BoardEvent::Observed(Observation::Occupied(squares)) if *squares == wanted);
            host.events.iter().any(seen)
        });
    }

    fn tag(&mut self, wanted: &TagChange) {
        self.hears(wanted, |event| match event {
            BoardEvent::Tag { antenna: 0, tag } => Some(tag.clone()),
            _ => None,
        });
    }
}

fn here(uid: &[u8], ndef: &[u8]) -> TagChange {
    TagChange::Here { uid: uid.to_vec(), ndef: Some(ndef.to_vec()) }
}

fn gone(uid: &[u8]) -> TagChange {
    TagChange::Gone { uid: uid.to_vec() }
}

fn press(event: &BoardEvent) -> Option<Color> {
    match event {
        BoardEvent::Observed(Observation::Press(by)) => Some(*by),
        _ => None,
    }
}

#[test]
fn squares_keys_and_lamps_work_in_the_emulator() {
    let mut mega = Mega::start(false);
    mega.set(START);
    let mut host = Host::connect(&mega);
    host.until("hello", |host| host.driver.ready());
    assert_eq!(host.driver.info().text.as_deref(), Some("Tabiya Mega"));
    host.occupied(START);
    mega.set("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    host.occupied("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    for (down, by) in [(1, Color::White), (2, Color::Black), (3, Color::White)] {
        mega.keys(down);
        host.hears(&by, press);
    }
    mega.keys(0);
    mega.keys(4);
    let button = |event: &BoardEvent| match event {
        BoardEvent::ClockButton(button) => Some(*button),
        _ => None,
    };
    host.hears(&ClockButton::Run, button);
    let lit = |names: &str| names.split(' ').map(|name| name.parse().expect("a square")).collect::<Vec<_>>();
    for names in ["e2 e4", "a1 h8 d5"] {
        let squares = lit(names);
        let lights = Lights::of(squares.iter().map(|square| (*square, Glow::Last)));
        let now = host.now();
        host.driver.order(&BoardCommand::Light(lights), now);
        let wanted: Squares = squares.into_iter().collect();
        host.until(names, |_| mega.lit() == wanted);
    }
    // The host disconnects without notice: the lamps go out, and the next host receives the whole state.
    drop(host);
    wait_until(|| if mega.lit().is_empty() { Ok(()) } else { Err("lamps are lit".to_owned()) });
    let mut host = Host::connect(&mega);
    host.occupied("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
}

#[test]
fn display_beeper_and_battery_work_in_the_emulator() {
    let mut mega = Mega::start(false);
    let mut host = Host::connect(&mega);
    host.until("hello", |host| host.driver.ready());
    let abilities = host.driver.info().abilities;
    assert!(abilities.display && abilities.battery);
    let battery = |event: &BoardEvent| match event {
        BoardEvent::Battery { percent, low, .. } => Some((*percent, *low)),
        _ => None,
    };
    host.hears(&(80, false), battery);
    mega.battery(10);
    // The firmware reads its pins before it reads the host's request, so its answer has the new charge.
    let asks = host.now();
    host.driver.order(&BoardCommand::AskBattery, asks);
    host.hears(&(10, true), battery);
    let shows = [
        ("POT   12", [0x67, 0x7E, 0x0F, 0, 0, 0, 0x30, 0x6D]),
        // A colon becomes the dot of the digit before it, and text that is too long is cut off.
        ("10:00 9:590", [0x30, 0xFE, 0x7E, 0x7E, 0, 0xFB, 0x5B, 0x7B]),
        ("10:0010:00", [0x30, 0xFE, 0x7E, 0x7E, 0x30, 0xFE, 0x7E, 0x7E]),
        ("\u{fc}-1", [0, 0x01, 0x30, 0, 0, 0, 0, 0]),
    ];
    for (text, digits) in shows {
        let now = host.now();
        host.driver.order(&BoardCommand::Show(text.to_owned()), now);
        host.until(text, |_| mega.shown().digits == digits);
    }
    assert_eq!(mega.shown().sounds, 0);
    let now = host.now();
    host.driver.order(&BoardCommand::Beep(Millis(200)), now);
    host.until("a beep", |_| mega.shown().sounds == 1 && !mega.shown().sounding);
    // The host disconnects without notice: its text disappears, too.
    drop(host);
    wait_until(|| if mega.shown().digits == [0; 8] { Ok(()) } else { Err("a text".to_owned()) });
}

/// The sequence numbers of the presses in these bytes. If the firmware sends a press again, the press keeps its
/// sequence number.
fn presses(said: &[u8]) -> BTreeSet<u8> {
    let number = |bytes: &[u8]| match bytes {
        [0xA5, 1, 1, number, 0x12] => Some(*number),
        _ => None,
    };
    said.windows(5).filter_map(number).collect()
}

#[test]
fn presses_that_wait_at_a_new_hello_are_not_lost() {
    let mut mega = Mega::start(false);
    let mut host = Host::connect(&mega);
    host.until("hello", |host| host.driver.ready());
    host.acks_all();
    // The firmware sends both presses, and the host acks neither. Until the next hello the host sends frames of an
    // unknown kind, only so that the firmware regards the link as alive.
    mega.keys(3);
    let sign = Message::Other { kind: 0x04, payload: &[] }.frame(0).expect("it fits");
    let (mut said, mut signed) = (Vec::new(), None::<RealInstant>);
    let until = RealInstant::now() + PATIENCE;
    while presses(&said).len() < 2 {
        let mut bytes = [0; 256];
        if let Ok(count) = host.line.read(&mut bytes) {
            said.extend(&bytes[..count]);
        }
        if signed.is_none_or(|last| last.elapsed() > Duration::from_millis(200)) {
            let mut bytes = [0; LONGEST_FRAME];
            let length = encode(&sign, &mut bytes).expect("it is short");
            host.line.write_all(&bytes[..length]).expect("the emulator runs");
            signed = Some(RealInstant::now());
        }
        assert!(RealInstant::now() < until, "no presses: {said:02x?}");
    }
    drop(host);
    let mut host = Host::connect(&mega);
    host.hears(&Color::White, press);
    host.hears(&Color::Black, press);
}

#[test]
fn presses_whose_acks_were_lost_are_not_taken_twice() {
    let mut mega = Mega::start(false);
    let mut host = Host::connect(&mega);
    host.until("hello", |host| host.driver.ready());
    host.acks_all();
    host.mute = true;
    for (down, by) in [(1, Color::White), (2, Color::Black)] {
        mega.keys(down);
        host.hears(&by, press);
    }
    // No ack arrives, so the firmware sends each press again five times. After 1.8 s it sends a hello, which the host
    // answers. If no press were waiting for an ack, the firmware would send this hello only after 3 s without a frame
    // from the host. Up to 1 s of these 3 s may already have passed, because the host may have sent its last
    // heartbeat 1 s ago.
    host.until("a hello", |host| !host.mute);
    host.acks_all();
    assert!(!host.events.iter().any(|event| press(event).is_some()), "{:?}", host.events);
    mega.keys(3);
    host.hears(&Color::White, press);
    assert!(!host.events.iter().any(|event| press(event).is_some()), "{:?}", host.events);
}

#[test]
fn no_press_is_lost_or_doubled_over_a_bad_line() {
    let mut mega = Mega::start(false);
    mega.set(START);
    let mut host = Host::connect(&mega);
    host.until("hello", |host| host.driver.ready());
    // If 20 of 1,000 bytes are damaged, so is about every fourth frame with a press or an ack.
    host.spoilt = PerMille(20);
    let mut damaged = 0;
    for nth in 0..40 {
        let (down, by) = if nth % 2 == 0 { (1, Color::White) } else { (2, Color::Black) };
        mega.keys(down);
        host.hears(&by, press);
        damaged += host.events.iter().filter(|event| matches!(event, BoardEvent::Damage { .. })).count();
        host.events.clear();
    }
    assert!(damaged > 0, "no frame was damaged");
    host.spoilt = PerMille(0);
    mega.keys(0);
    mega.set("8/8/8/8/8/8/8/4K3");
    host.occupied("8/8/8/8/8/8/8/4K3");
    assert!(!host.events.iter().any(|event| press(event).is_some()), "{:?}", host.events);
}

#[test]
fn cards_are_read_whatever_the_reader_does() {
    let mega = Mega::start(false);
    let card = Card::new(&UID, &NDEF);
    let other = Card::new(&[0xDE, 0xAD, 0xBE, 0xEF], b"");
    let mut host = Host::connect(&mega);
    host.until("hello", |host| host.driver.ready());
    host.tag(&TagChange::Empty);
    mega.reader().cards = vec![card.clone()];
    host.tag(&here(&UID, &NDEF));
    mega.reader().cards.clear();
    host.tag(&gone(&UID));
    mega.reader().cards = vec![other.clone()];
    host.tag(&here(&other.uid, b""));
    mega.reader().cards = vec![card.clone()];
    host.tag(&gone(&other.uid));
    host.tag(&here(&UID, &NDEF));
    mega.reader().cards.push(other.clone());
    host.tag(&gone(&UID));
    host.tag(&TagChange::Several);
    mega.reader().cards.clear();
    host.tag(&TagChange::Empty);
    // Each fault alone, then all together.
    let each = [
        Faults { no_ack: 2, ..Faults::default() },
        Faults { wrong_dcs: 2, ..Faults::default() },
        Faults { halved: 2, ..Faults::default() },
        Faults { junk: 9, ..Faults::default() },
        Faults { gone_at_read: 2, ..Faults::default() },
        Faults { no_ack: 1, wrong_dcs: 1, halved: 1, junk: 3, gone_at_read: 1 },
    ];
    for faults in each {
        {
            let mut reader = mega.reader();
            reader.faults = faults;
            reader.cards = vec![card.clone()];
        }
        host.tag(&here(&UID, &NDEF));
        mega.reader().cards.clear();
        host.tag(&gone(&UID));
    }
    // The longest message that the firmware reads, and a card that cannot be read.
    let long: Vec<u8> = (0..130).collect();
    mega.reader().cards = vec![Card::new(&UID, &long)];
    host.tag(&here(&UID, &long));
    mega.reader().cards.clear();
    host.tag(&gone(&UID));
    {
        let mut reader = mega.reader();
        reader.faults.gone_at_read = 1_000;
        reader.cards = vec![card.clone()];
    }
    host.tag(&TagChange::Here { uid: UID.to_vec(), ndef: None });
    // The reader is unplugged, and plugged in again with the card still on it.
    mega.reader().dead = true;
    host.tag(&gone(&UID));
    host.tag(&TagChange::NoReader);
    {
        let mut reader = mega.reader();
        reader.faults = Faults::default();
        reader.dead = false;
    }
    host.tag(&here(&UID, &NDEF));
}

#[test]
fn a_game_begins_on_the_board_in_the_emulator() {
    let mut mega = Mega::start(true);
    let port = format!("diy:{}", mega.port.clone().expect("a pseudo-terminal"));
    mega.set(START);
    let mut table = Table::start(&["play", "--game", "chess", "--plain", "--board", &port]);
    table.hear("connected: Tabiya DIY");
    mega.set("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR");
    let_pass(Duration::from_millis(300));
    mega.set("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    let_pass(Duration::from_millis(700));
    mega.keys(1);
    table.hear("White plays e2e4");
    assert_eq!(table.quit().0.code(), Some(0));
}

/// The UID of the nth card of [`deck`].
fn uid(nth: u8) -> [u8; 7] {
    [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0x80, nth]
}

/// The card of [`deck`] with this face, with its chip as it is written.
fn card(letter: char, copy: u8) -> Card {
    let nth = number(letter, copy);
    Card::new(&uid(nth), &[&NDEF[..23], &[nth; 16]].concat())
}

#[test]
fn a_placement_phase_is_played_through_the_firmware() {
    let mut mega = Mega::start(true);
    let port = format!("diy:{}", mega.port.clone().expect("a pseudo-terminal"));
    let (file, record) = (mega.folder.path().join("club.json"), mega.folder.path().join("game.tabiya"));
    std::fs::write(&file, deck(|nth| Uid::new(&uid(nth)).expect("seven bytes")).file()).expect("a file");
    printed(&["deck", "import", name(&file)], 0);
    let mut stands: Board = "4k3/4p3/8/8/8/8/4P3/4K3".parse().expect("a board");
    mega.set(&stands.to_string());
    let terms = ["play", "--plain", "--time", "600", "--games", "1", "--deck", "Club"];
    let mut table = Table::start(&[&terms[..], &["--board", &port, "--record", name(&record)][..]].concat());
    table.hear("connected: Tabiya DIY");
    for (typed, told) in BETTING {
        table.enter_and_hear(typed, told);
    }
    for (nth, (letter, white, black)) in PLACED.into_iter().enumerate() {
        // The second pawn of a hand is another card than the first.
        let copy = if nth == 4 { 3 } else { 1 };
        let (small, last) = (letter.to_ascii_lowercase(), nth == 4);
        let turns = [
            (Color::White, letter, copy, white, "Black: turn a card over"),
            (
                Color::Black,
                small,
                copy + 1,
                black,
                if last { "White: make a move" } else { "White: turn a card over" },
            ),
        ];
        for (by, piece, copy, at, next) in turns {
            mega.reader().cards = vec![card(letter, copy)];
            table.hear(&format!("{by} turns a "));
            let square: Square = at.parse().expect("a square");
            stands[square] = Piece::from_letter(piece);
            mega.set(&stands.to_string());
            // A card with a queen can only become a queen. For every other card, the piece and its square are typed,
            // because this board senses only occupancy and cannot report which piece the player has chosen.
            if letter != 'Q' {
                table.enter_and_hear(&format!("{letter} {at}"), &format!(" on {at}"));
            }
            mega.keys(if by == Color::White { 1 } else { 2 });
            until_prompt(&mut table, next);
        }
    }
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    let report: Value =
        serde_json::from_str(&printed(&["replay", name(&record), "--json"], 0)).expect("a report");
    let game = &report["games"][0];
    assert_eq!(game["start_fen"], "2bqk2r/3pp3/5p2/8/8/2P5/3PP3/R1BQK3 w Qk - 0 1");
    assert_eq!(report["violations"], json!([]));
    let lines = printed(&["export", name(&record)], 0);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let reveals: Vec<Value> = lines
        .iter()
        .filter(|line| line["do"] == "reveal")
        .map(|line| json!([line["by"], line["card"], line["how"], line["copy"]]))
        .collect();
    let wanted: Vec<Value> = [('Q', 1), ('R', 1), ('B', 1), ('P', 1), ('P', 3)]
        .into_iter()
        .flat_map(|(card, copy)| [("white", card, copy), ("black", card, copy + 1)])
        .map(|(by, card, copy)| json!([by, card, "read", copy]))
        .collect();
    assert_eq!(reveals, wanted);
    assert_eq!(lines.iter().filter(|line| line["do"] == "press").count(), 10);
}

/// Types `show` until the prompt contains `wanted`.
fn until_prompt(table: &mut Table, wanted: &str) {
    wait_until(|| {
        table.enter("show");
        let prompt = table.hear(": ");
        if prompt.contains(wanted) { Ok(()) } else { Err(prompt) }
    });
}
