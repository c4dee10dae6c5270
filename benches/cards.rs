//! Measures the time from laying a card on a reader until the revealed card is in the record. One series uses a virtual
//! reader of the system's real card service, the other the card reader of a box.
//!
//! The time starts just before the virtual card connects, or before the box's frame is written. A real reader adds the
//! interval in which it polls its field (a quarter or half a second at most) and the time on the cable.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark measures real time and prints its results"
)]

#[cfg(target_os = "linux")]
#[path = "../tests/support/child.rs"]
mod child;
#[cfg(target_os = "linux")]
#[path = "../tests/support/pcscd.rs"]
mod pcscd;
mod support;
#[cfg(target_os = "linux")]
#[path = "../tests/support/virtual_reader.rs"]
mod virtual_reader;
#[path = "../tests/support/wait.rs"]
mod wait;

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("this benchmark needs virtual card readers, which exist on Linux only");
}

#[cfg(target_os = "linux")]
fn main() {
    if std::process::Command::new("/usr/sbin/pcscd").arg("--version").output().is_err() {
        println!("the card service pcscd is not installed: apt-get install pcscd");
        return;
    }
    linux::run();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::path::Path;
    use std::process::Command;
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread::{self, JoinHandle};
    use std::time::{Duration, Instant as RealInstant};

    use firmware_protocol::{
        AntennaTag, Can, Frame, FrameDecoder, FrameLink, Hello, LONGEST_FRAME, MESSAGES, Message, encode,
    };
    use tabiya_app::Session;
    use tabiya_app::time::RealTime;
    use tabiya_cards::deck::{Deck, DeckCard, Face};
    use tabiya_cards::{CardEvent, spawn};
    use tabiya_engine::record::{Body, Header, Line};
    use tabiya_engine::rules::GAMES;
    use tabiya_store::keeper::JournalKeeper;
    use tabiya_store::keys::Keyring;
    use tabiya_types::{Card, Instant, Pack, Timeline as _};

    use super::child::{Table, name, printed};
    use super::pcscd::{Pcscd, SOCKET, socket};
    use super::support::{Sample, folder_on_disk, head, rounds, row};
    use super::virtual_reader::{id, lay, uid, written};

    const FOLDER: &str = "TABIYA_BENCH_CARDS";
    const PATIENCE: Duration = Duration::from_secs(20);

    /// Runs this benchmark again in a child process, since the PC/SC library reads the service's address from the
    /// environment only once per process.
    pub(super) fn run() {
        if let Some(folder) = std::env::var_os(FOLDER) {
            return measure(folder.as_ref());
        }
        let folder = tempfile::Builder::new().prefix("tabiya-").tempdir_in("/tmp").expect("a folder");
        let done = Command::new(std::env::current_exe().expect("this bench"))
            .args(std::env::args().skip(1))
            .env(FOLDER, folder.path())
            .env(SOCKET, socket(folder.path()))
            .env("TABIYA_DATA", folder.path().join("data"))
            .status();
        assert!(done.expect("it runs").success());
    }

    fn measure(folder: &Path) {
        let disk = folder_on_disk();
        let file = folder.join("club.json");
        std::fs::write(&file, deck().file()).expect("a file");
        printed(&["deck", "import", name(&file)], 0);
        events(folder);
        in_one_process(folder, disk.path());
        through_the_program(folder, disk.path());
        from_a_box(disk.path());
    }

    /// Measures two delays: from laying a card down until its tap arrives as an event, and from lifting the card
    /// until its lift arrives.
    fn events(folder: &Path) {
        let _service = Pcscd::start(folder, &["R"]);
        let (told, events) = channel();
        let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
        let _handle = spawn(timeline, Box::new(move |_, event| drop(told.send((RealInstant::now(), event)))));
        wait(&events, |event| matches!(event, CardEvent::Ready));
        let (mut taps, mut lifts) = (Sample::default(), Sample::default());
        for nth in 0..rounds(1_000) {
            let card = written(u8::try_from(nth % 250).unwrap_or_default());
            let laid = RealInstant::now();
            let card = lay(folder, "R", card);
            taps.add(wait(&events, |event| matches!(event, CardEvent::Tapped(_))) - laid);
            // The card service needs this pause each time a card was laid down or lifted. Real hands are slower than
            // the pause.
            std::thread::sleep(Duration::from_millis(2));
            let lifted = RealInstant::now();
            card.lift();
            lifts.add(wait(&events, |event| matches!(event, CardEvent::Lifted(_))) - lifted);
            std::thread::sleep(Duration::from_millis(2));
        }
        head("cards: from the tap to the event");
        row("laid down, UID twice and record read", &taps, "");
        row("lifted", &lifts, "");
    }

    /// Makes a deck of written cards in the order of their faces; the first card is a queen.
    fn deck() -> Deck {
        let faces = Card::ALL.into_iter().flat_map(|card| (1..=card.in_deck()).map(move |copy| (card, copy)));
        let card = |(nth, (card, copy)): (u8, (Card, u8))| DeckCard {
            uid: uid(nth),
            id: Some(id(nth)),
            face: Face::new(Pack::Choker, card, copy).expect("a face"),
        };
        Deck::new(Pack::Choker, id(200), "Club", "2026-11-22", (1..=44).zip(faces).map(card).collect())
            .expect("a deck")
    }

    const HEADER: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":200,"B":200},"small_blind":1,"time":"36000"}}"#;
    /// The actions before the first card is turned over. Each is given twice: as fields of a line of the record, and
    /// as the words that people type.
    const BETTING: [(&str, &str); 9] = [
        (r#""do":"deal""#, "deal"),
        (r#""do":"bet","by":"white","action":"call""#, "call"),
        (r#""do":"bet","by":"black","action":"check""#, "check"),
        (r#""do":"deal""#, "deal"),
        (r#""do":"bet","by":"black","action":"check""#, "check"),
        (r#""do":"bet","by":"white","action":"check""#, "check"),
        (r#""do":"deal""#, "deal"),
        (r#""do":"bet","by":"white","action":"check""#, "check"),
        (r#""do":"bet","by":"black","action":"check""#, "check"),
    ];

    fn enter(session: &mut Session, fields: &str, at: Instant) {
        let text = format!(r#"{{"t":0,{fields}}}"#);
        let Body::Acted(input) = Line::parse(&text, session.replay().header()).expect("a line").body else {
            panic!("{fields} acts on nothing")
        };
        session.enter(&input, at).expect("accepted");
        session.take_said();
    }

    /// Measures two parts of the time after a tap: the part that the reader needs, and the part that the table needs.
    /// This table uses a session and a journal in the same way as a live table. Each reveal is undone before the next
    /// tap.
    fn in_one_process(folder: &Path, disk: &Path) {
        let _service = Pcscd::start(folder, &["R"]);
        let record = disk.join("taps.tabiya");
        let mut header = Header::parse(HEADER, GAMES).expect("a header");
        let keeping = JournalKeeper::open(&record, &Keyring::usual())
            .and_then(|journal| JournalKeeper::begin(journal, &mut header, Keyring::usual()));
        let mut session = Session::new(header, Some(Box::new(keeping.expect("a record"))), None);
        session.use_deck(deck());
        let timeline = RealTime::starting_at(Instant::ZERO);
        let (told, events) = channel();
        let sink = Box::new(move |at, event| drop(told.send((RealInstant::now(), (at, event)))));
        let _handle = spawn(Arc::new(timeline.clone()), sink);
        let (_, came) = until(&events, |(_, event)| matches!(event, CardEvent::Ready));
        session.cards(&came.1, came.0);
        for (line, _) in BETTING {
            enter(&mut session, line, timeline.now());
        }
        let (mut whole, mut reader, mut table) = (Sample::default(), Sample::default(), Sample::default());
        for _ in 0..rounds(1_000) {
            let before = session.lines().len();
            let laid = RealInstant::now();
            let card = lay(folder, "R", written(1));
            let (known, (at, event)) = until(&events, |(_, event)| matches!(event, CardEvent::Tapped(_)));
            session.cards(&event, at);
            session.take_said();
            let durable = RealInstant::now();
            assert_eq!(session.lines().len(), before + 1, "{:?}", session.lines().last());
            whole.add(durable - laid);
            reader.add(known - laid);
            table.add(durable - known);
            card.lift();
            until(&events, |(_, event)| matches!(event, CardEvent::Lifted(_)));
            enter(&mut session, r#""do":"undo""#, timeline.now());
            thread::sleep(Duration::from_millis(2));
        }
        session.close().expect("the record");
        head("from the tap to the revealed card, durable in the record");
        row("the whole", &whole, "");
        row("of it the reader's part", &reader, "service, UID twice, record");
        row("of it the table's part", &table, "event to durable line");
    }

    /// Waits for the first event of the wanted kind; returns the event and the time when it arrived.
    fn until<T>(events: &Receiver<(RealInstant, T)>, wanted: impl Fn(&T) -> bool) -> (RealInstant, T) {
        loop {
            let (at, event) = events.recv_timeout(PATIENCE).expect("an event");
            if wanted(&event) {
                return (at, event);
            }
        }
    }

    /// Starts the real program at a table, and plays until the first card is to be turned over.
    fn placing(record: &Path, more: &[&str], ready: &str) -> Table {
        let terms = ["play", "--plain", "--time", "36000", "--deck", "Club", "--record", name(record)];
        let mut table = Table::start(&[&terms[..], more].concat());
        table.hear(ready);
        for (_, word) in BETTING {
            table.enter_and_hear(word, "> ");
        }
        table
    }

    fn through_the_program(folder: &Path, disk: &Path) {
        let _service = Pcscd::start(folder, &["R"]);
        let mut table = placing(&disk.join("program.tabiya"), &[], "cards are read from now on");
        let mut taps = Sample::default();
        for _ in 0..rounds(500) {
            let laid = RealInstant::now();
            let card = lay(folder, "R", written(1));
            table.hear("turns a queen over");
            taps.add(laid.elapsed());
            card.lift();
            table.enter_and_hear("undo", "taken back");
        }
        assert_eq!(table.quit().0.code(), Some(0));
        head("the same through the program, to its sentence");
        row("laid down, written to the record, shown", &taps, "");
    }

    /// Measures a box on a TCP connection: the time from the box's frame about a tag to the sentence that the program
    /// prints.
    fn from_a_box(disk: &Path) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("diy:tcp:{}", listener.local_addr().expect("its name"));
        let (orders, told) = channel();
        let serving = device(listener, told);
        let mut table =
            placing(&disk.join("box.tabiya"), &["--box", &address], "the box beside the board is connected");
        let order = |there| {
            let (wrote, written) = channel();
            orders.send((there, wrote)).expect("the box works");
            written.recv().expect("it says when")
        };
        // A box first reports what already lies on its reader: here nothing.
        order(false);
        let mut taps = Sample::default();
        for _ in 0..rounds(500) {
            let written = order(true);
            table.hear("turns a queen over");
            taps.add(written.elapsed());
            order(false);
            table.enter_and_hear("undo", "taken back");
        }
        drop(orders);
        assert_eq!(table.quit().0.code(), Some(0));
        serving.join().expect("the box");
        head("from a box's frame through the program, to its sentence");
        row("tag reported, written to the record, shown", &taps, "");
    }

    /// An order to the simulated box: whether a card lies on the box's reader from now on. Over the channel the box
    /// answers at which moment it wrote the frame about this change.
    type Laid = (bool, Sender<RealInstant>);

    /// Runs a simulated box without squares. It carries out orders until their sender is dropped.
    fn device(listener: TcpListener, orders: Receiver<Laid>) -> JoinHandle<()> {
        thread::spawn(move || {
            let (mut host, _) = listener.accept().expect("the program connects");
            host.set_nodelay(true).expect("a socket");
            host.set_read_timeout(Some(Duration::from_millis(1))).expect("a socket");
            let (mut link, mut decoder) = (FrameLink::<8>::new(), FrameDecoder::new());
            let mut bytes = [0; 256];
            let mut said = RealInstant::now();
            loop {
                let count = host.read(&mut bytes).unwrap_or_default();
                for byte in bytes.iter().take(count) {
                    let mut heard = decoder.push(*byte);
                    while let Some(one) = heard {
                        if let Ok(frame) = one {
                            let (what, ack) = link.hear(&frame);
                            if what == (firmware_protocol::Received::Hello { asks: true }) {
                                say(&mut host, link.hello(&hello()).as_ref());
                            }
                            say(&mut host, ack.as_ref());
                        }
                        heard = decoder.more();
                    }
                }
                // Waits until the program has acknowledged all frames.
                if !link.waiting().is_empty() {
                    continue;
                }
                match orders.try_recv() {
                    Ok((there, wrote)) => {
                        let ndef = [&PREFIX[..], &id(1).0].concat();
                        let length = u16::try_from(ndef.len()).ok();
                        let uid = uid(1);
                        let tag = if there {
                            AntennaTag::There { uid: uid.bytes(), ndef: length }
                        } else {
                            AntennaTag::Gone
                        };
                        let now = RealInstant::now();
                        say(&mut host, link.send(&Message::Tag { antenna: 0, tag }).ok().as_ref());
                        if there {
                            let part = Message::Ndef { antenna: 0, offset: 0, bytes: &ndef };
                            say(&mut host, link.send(&part).ok().as_ref());
                        }
                        wrote.send(now).expect("it waits");
                        said = RealInstant::now();
                    }
                    Err(std::sync::mpsc::TryRecvError::Empty) => {}
                    Err(std::sync::mpsc::TryRecvError::Disconnected) => return,
                }
                if said.elapsed() > Duration::from_secs(1) {
                    said = RealInstant::now();
                    say(&mut host, link.heartbeat().as_ref());
                }
            }
        })
    }

    /// The bytes before a card's id: the head of Tabiya's external NDEF record, and version 1.
    const PREFIX: [u8; 23] = *b"\xD4\x13\x11tabiya.example:card\x01";

    fn hello() -> Hello<'static> {
        Hello { messages: MESSAGES, asks: false, takes: 64, can: Can::TAGS, name: "bench" }
    }

    fn say(line: &mut TcpStream, frame: Option<&Frame>) {
        let Some(frame) = frame else { return };
        let mut bytes = [0; LONGEST_FRAME];
        let length = encode(frame, &mut bytes).expect("it fits");
        line.write_all(&bytes[..length]).expect("the program listens");
    }

    /// Waits for the first event of the wanted kind; returns the time when it arrived.
    fn wait(events: &Receiver<(RealInstant, CardEvent)>, wanted: impl Fn(&CardEvent) -> bool) -> RealInstant {
        loop {
            let (at, event) = events.recv_timeout(PATIENCE).expect("an event");
            if wanted(&event) {
                return at;
            }
        }
    }
}
