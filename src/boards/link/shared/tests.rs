//! Tests of shared ports, over a fake port whose answers the test sends.
#![expect(clippy::indexing_slicing, reason = "a test may fail so")]

use std::cell::Cell;
use std::sync::mpsc::{self, Receiver, Sender};

use super::*;
use crate::makers::dgtbus::MAKER as BUS;
use crate::makers::dgtbus::codec::{Answer, AnswerContent, BusQuestion};
use crate::waiting::{self, PATIENCE as LONG};

/// A fake port. The test holds its other end.
struct Port {
    written: Sender<Vec<u8>>,
    said: Receiver<Vec<u8>>,
}

impl Link for Port {
    fn read(&mut self, patience: Duration) -> Result<Vec<u8>, LinkError> {
        match self.said.recv_timeout(patience) {
            Ok(bytes) => Ok(bytes),
            Err(mpsc::RecvTimeoutError::Timeout) => Ok(Vec::new()),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                Err(LinkError::Vanished { port: "a test's".to_owned(), source: None })
            }
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.written
            .send(bytes.to_vec())
            .map_err(|_| LinkError::Vanished { port: "a test's".to_owned(), source: None })
    }
}

/// The test's end of a fake port.
struct End {
    written: Receiver<Vec<u8>>,
    say: Sender<Vec<u8>>,
}

fn port() -> (Box<dyn Link>, End) {
    let (writes, written) = mpsc::channel();
    let (say, said) = mpsc::channel();
    (Box::new(Port { written: writes, said }), End { written, say })
}

/// How long a command in these tests waits for its answer.
const PATIENCE: Duration = Duration::from_millis(300);

/// In these tests, commands and answers have one byte each; the command `!` has no answer.
const SHARING: Sharing = Sharing {
    hold: |bytes| if bytes == b"!" { PortHold::Span(Duration::ZERO) } else { PortHold::Answer(PATIENCE) },
    answered: |_, heard| !heard.is_empty(),
    same: |one, other| one.trim_start_matches('0') == other.trim_start_matches('0'),
};

/// Creates a link on which each command that expects an answer waits for it longer than any test runs.
fn patient(name: &str, unit: &str, open: impl FnOnce() -> Box<dyn Link>) -> Box<dyn Link> {
    let turn = |bytes: &[u8]| match (SHARING.hold)(bytes) {
        PortHold::Answer(_) => PortHold::Answer(LONG * 10),
        span @ PortHold::Span(_) => span,
    };
    join(name, Some(unit), Sharing { hold: turn, ..SHARING }, || Ok(open())).expect("a line")
}

/// Returns a `give_up` function that returns false `most` times and then true.
fn looks(most: usize) -> impl Fn() -> bool {
    let seen = Cell::new(0);
    move || seen.replace(seen.get() + 1) >= most
}

fn table(name: &str, unit: &str, open: impl FnOnce() -> Box<dyn Link>) -> Box<dyn Link> {
    join(name, Some(unit), SHARING, || Ok(open())).expect("a line")
}

fn no_port() -> Box<dyn Link> {
    panic!("the line is open already")
}

impl End {
    fn hear(&self) -> Vec<u8> {
        self.written.recv_timeout(LONG).expect("a question")
    }

    fn say(&self, bytes: &[u8]) {
        self.say.send(bytes.to_vec()).expect("an open line");
    }
}

/// Writes on a new thread, as tables do. The thread returns the link when the bytes are written.
fn write(mut link: Box<dyn Link>, bytes: &'static [u8]) -> JoinHandle<Box<dyn Link>> {
    thread::spawn(move || {
        link.write_all(bytes).expect("an open line");
        link
    })
}

#[test]
fn every_table_hears_everything() {
    let (link, end) = port();
    let mut one = table("all", "1", || link);
    let mut other = table("all", "2", no_port);
    end.say(b"xy");
    assert_eq!(one.read(LONG).expect("bytes"), b"xy");
    assert_eq!(other.read(LONG).expect("bytes"), b"xy");
}

#[test]
fn a_question_waits_until_the_one_before_is_answered() {
    let (link, end) = port();
    let mut one = patient("turns", "1", || link);
    let mut other = patient("turns", "2", no_port);
    one.write_all(b"a").expect("an open line");
    assert_eq!(end.hear(), b"a");
    assert!(!other.write_unless(b"b", &looks(5)).expect("an open line"), "the line is not free");
    let waits = write(other, b"c");
    end.say(b"A");
    assert_eq!(end.hear(), b"c", "and what was given up never goes out");
    waits.join().expect("a table");
}

#[test]
fn a_question_that_nobody_answers_frees_the_line() {
    let (link, end) = port();
    let mut one = table("silence", "1", || link);
    let mut other = table("silence", "2", no_port);
    one.write_all(b"a").expect("an open line");
    other.write_all(b"b").expect("an open line");
    assert_eq!((end.hear(), end.hear()), (b"a".to_vec(), b"b".to_vec()));
}

#[test]
fn what_has_no_answer_holds_nobody_up() {
    let (link, end) = port();
    let mut one = patient("nobody", "1", || link);
    let mut other = patient("nobody", "2", no_port);
    one.write_all(b"!").expect("an open line");
    assert!(other.write_unless(b"b", &looks(1_000)).expect("an open line"), "the line is free");
    assert_eq!((end.hear(), end.hear()), (b"!".to_vec(), b"b".to_vec()));
}

/// The number of turns during which all three tables have a write waiting.
const TOGETHER: usize = 54;

#[test]
fn whoever_asks_again_and_again_lets_the_others_in_between() {
    let (link, end) = port();
    let tables: Vec<_> = [(b"1", "1"), (b"2", "2"), (b"3", "3")]
        .into_iter()
        .scan(Some(link), |link, (word, unit)| {
            Some((word, patient("fair", unit, || link.take().expect("once"))))
        })
        .collect();
    let asking: Vec<_> = tables
        .into_iter()
        .map(|(word, mut link)| {
            thread::spawn(move || {
                for _ in 0..20 {
                    link.write_all(word).expect("an open line");
                }
                // Returns the link, so that it exists until all tables are done. Until then the port stays open.
                link
            })
        })
        .collect();
    let shared = line("fair");
    let mut order: Vec<u8> = Vec::new();
    for nth in 0..60 {
        let asked = end.hear();
        order.extend(&asked);
        // Waits until every table has a write waiting. The first table is always one write ahead of the others.
        if nth < TOGETHER {
            shared.until(|state| state.writes.len() == 3);
        }
        end.say(&asked);
    }
    for table in asking {
        table.join().expect("a table");
    }
    // Between two turns of a table, each other table has a turn. The first turns do not count, because not every table
    // had a write waiting yet.
    order.truncate(TOGETHER);
    let unfair = order
        .windows(3)
        .skip(3)
        .filter(|three| three[0] == three[1] || three[1] == three[2] || three[0] == three[2]);
    assert_eq!(unfair.count(), 0, "{order:?}");
}

#[test]
fn a_line_that_breaks_breaks_for_all_and_is_opened_anew() {
    let (link, end) = port();
    let mut one = table("broken", "1", || link);
    let mut other = table("broken", "2", no_port);
    drop(end);
    assert!(one.read(LONG).is_err() && other.read(LONG).is_err());
    assert!(matches!(one.write_all(b"a"), Err(LinkError::Vanished { .. })));
    // The first table opens the port again while the other table still holds the failed port.
    let (link, end) = port();
    drop(one);
    let mut one = table("broken", "1", || link);
    let mut again = {
        drop(other);
        table("broken", "2", no_port)
    };
    end.say(b"x");
    assert_eq!(one.read(LONG).expect("bytes"), b"x");
    assert_eq!(again.read(LONG).expect("bytes"), b"x");
}

#[test]
fn the_last_table_closes_the_port() {
    let (link, end) = port();
    let one = table("last", "1", || link);
    let other = table("last", "2", no_port);
    drop(one);
    end.say(b"x");
    drop(other);
    assert!(end.say.send(b"x".to_vec()).is_err(), "the port is closed when the last table has gone");
    let (link, end) = port();
    let mut one = table("last", "1", || link);
    end.say(b"y");
    assert_eq!(one.read(LONG).expect("bytes"), b"y");
}

#[test]
fn a_board_is_one_tables_alone() {
    let (link, _end) = port();
    let one = table("taken", "1025", || link);
    let refused = |unit: Option<&str>| match join("taken", unit, SHARING, || Ok(no_port())) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{unit:?} is taken"),
    };
    assert_eq!(
        refused(Some("01025")),
        "board 01025 on taken is in use at another table; stop the board at that table, or choose another board"
    );
    // A table that names no board needs the whole port.
    assert!(refused(None).starts_with("taken is in use at another table"));
    drop(one);
    let (link, _end) = port();
    let _only = join("taken", None, SHARING, || Ok(link)).expect("a line");
    assert!(refused(Some("1025")).starts_with("taken is in use at another table"));
}

#[test]
fn a_table_that_does_not_read_is_forgotten_and_not_waited_for() {
    let (link, end) = port();
    let mut one = table("asleep", "1", || link);
    let mut asleep = table("asleep", "2", no_port);
    for _ in 0..KEPT / 512 + 8 {
        end.say(&[0; 512]);
        let mut got = 0;
        while got < 512 {
            got += one.read(LONG).expect("bytes").len();
        }
    }
    // A table that reads late receives only the newest bytes.
    let kept = asleep.read(Duration::ZERO).expect("bytes").len();
    assert!((1..=KEPT).contains(&kept), "{kept} bytes");
}

/// The open shared port `name`.
fn line(name: &str) -> Arc<Shared> {
    let slot = Arc::clone(&lock(&LINES)[name]);
    match &*lock(&slot.place) {
        Place::Open(line) => Arc::clone(&line.shared),
        Place::Closed | Place::Opening => panic!("{name} is not open"),
    }
}

impl Shared {
    /// Waits until `done` accepts the state; panics after `LONG`.
    fn until(&self, done: impl Fn(&State) -> bool) {
        waiting::until(|| done(&lock(&self.state)));
    }
}

#[test]
fn what_came_before_a_write_is_known_from_what_came_after() {
    let (link, end) = port();
    let mut one = table("before", "1", || link);
    let mut other = table("before", "2", no_port);
    other.write_all(b"b").expect("an open line");
    assert_eq!(end.hear(), b"b");
    let asks = write(one, b"a");
    end.say(b"B");
    assert_eq!(end.hear(), b"a");
    end.say(b"A");
    one = asks.join().expect("a table");
    line("before").until(|state| state.members.values().all(|member| member.unread.len() == 2));
    assert_eq!(one.received_before_write(), b"B");
    assert_eq!(one.received_before_write(), b"");
    assert_eq!(one.read(LONG).expect("bytes"), b"A");
}

#[test]
fn who_leaves_does_not_wait_for_another_that_opens_the_line() {
    let (link, end) = port();
    let one = table("opening", "1", || link);
    let other = table("opening", "2", no_port);
    drop(end);
    line("opening").until(|state| state.broken.is_some());
    drop(one);
    // The first table opens the port again; the test delays the opening.
    let (opens, opening) = mpsc::channel::<()>();
    let (goes_on, waits) = mpsc::channel::<Box<dyn Link>>();
    let back = thread::spawn(move || {
        table("opening", "1", || {
            opens.send(()).expect("a test");
            waits.recv_timeout(LONG).expect("a port")
        })
    });
    opening.recv_timeout(LONG).expect("a port that is opened");
    let (left, leaves) = mpsc::channel();
    let leaving = thread::spawn(move || {
        drop(other);
        left.send(()).expect("a test");
    });
    leaves.recv_timeout(LONG / 2).expect("it has left while the port is opened");
    leaving.join().expect("a table");
    let (link, end) = port();
    goes_on.send(link).expect("a table that waits");
    let mut back = back.join().expect("a table");
    end.say(b"x");
    assert_eq!(back.read(LONG).expect("bytes"), b"x");
}

#[test]
fn a_port_that_cannot_be_opened_is_tried_by_the_next() {
    let missing = || Err(LinkError::Missing { port: "a test's".to_owned() });
    assert!(join("missing", Some("1"), SHARING, missing).is_err());
    let (link, _end) = port();
    join("missing", Some("1"), SHARING, || Ok(link)).expect("a line");
}

#[test]
fn a_late_answer_of_another_board_frees_nobodys_line() {
    let sharing = BUS.entry().transports.shared.expect("a bus is shared");
    let asked = |ask: BusQuestion| ask.to_bytes(1025);
    let says = |address, said| Answer { address, content: said }.to_bytes();
    let answered = |ask: BusQuestion, heard: &[u8]| (sharing.answered)(&asked(ask), heard);
    assert!(answered(BusQuestion::Changes, &says(1025, AnswerContent::Changes(Vec::new()))));
    assert!(
        !answered(BusQuestion::Changes, &says(1026, AnswerContent::Changes(Vec::new()))),
        "a neighbour's"
    );
    assert!(!answered(BusQuestion::Changes, &says(1025, AnswerContent::Ping)), "of another question");
    let both =
        [says(1026, AnswerContent::Changes(Vec::new())), says(1025, AnswerContent::Changes(Vec::new()))]
            .concat();
    assert!(answered(BusQuestion::Repeat, &both));
    let mut broken = says(1025, AnswerContent::Ping);
    *broken.last_mut().expect("a sum") ^= 1;
    assert!(answered(BusQuestion::Changes, &broken), "nothing more will come of it");
}

/// A port on which bytes arrive late. A read that waits returns nothing until something was written. A read that does
/// not wait, or that follows a write, returns the late bytes.
struct Lying {
    late: Vec<u8>,
    wrote: bool,
}

impl Link for Lying {
    fn read(&mut self, patience: Duration) -> Result<Vec<u8>, LinkError> {
        if self.wrote || patience.is_zero() {
            return Ok(std::mem::take(&mut self.late));
        }
        thread::park_timeout(patience);
        Ok(Vec::new())
    }

    fn write_all(&mut self, _: &[u8]) -> Result<(), LinkError> {
        self.wrote = true;
        Ok(())
    }
}

#[test]
fn what_was_heard_before_a_write_does_not_answer_it() {
    let mut one = patient("late", "1", || Box::new(Lying { late: b"L".to_vec(), wrote: false }));
    let mut other = patient("late", "2", no_port);
    one.write_all(b"a").expect("an open line");
    assert!(!other.write_unless(b"b", &looks(5)).expect("an open line"), "the answer is still waited for");
    assert_eq!(one.received_before_write(), b"L");
}

#[test]
fn a_board_is_the_same_however_its_number_is_written_and_a_table_with_the_whole_line_is_named_so() {
    let sharing = BUS.entry().transports.shared.expect("a bus is shared");
    let (link, _end) = port();
    let join = |name: &str, unit, link: Option<Box<dyn Link>>| {
        join(name, unit, sharing, || Ok(link.expect("the line is open already")))
    };
    let _one = join("number", Some("+5"), Some(link)).expect("a line");
    for unit in ["5", "005", "+5"] {
        assert!(matches!(join("number", Some(unit), None), Err(LinkError::Taken { .. })), "{unit}");
    }
    let _other = join("number", Some("6"), None).expect("another board");
    let (link, _end) = port();
    let _whole = join("whole", None, Some(link)).expect("a line");
    match join("whole", Some("5"), None) {
        Err(LinkError::Taken { board }) => assert_eq!(board, "whole"),
        _ => panic!("the whole line is another table's"),
    }
}

#[test]
fn a_shared_line_carries_bytes_as_its_port_does() {
    struct Late(Box<dyn Link>);
    impl Link for Late {
        fn carrier(&self) -> Carrier {
            Carrier::LateStream
        }
        fn read(&mut self, patience: Duration) -> Result<Vec<u8>, LinkError> {
            self.0.read(patience)
        }
        fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
            self.0.write_all(bytes)
        }
    }
    let (link, _end) = port();
    assert_eq!(table("carrier", "1", || Box::new(Late(link))).carrier(), Carrier::LateStream);
}
