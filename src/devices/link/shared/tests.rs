//! The shared line over a pretended port, whose answers the tests give.
#![expect(clippy::indexing_slicing, reason = "a test may fail so")]

use std::sync::mpsc::{self, Receiver, Sender};

use super::*;

/// A port whose other end is in the test's hands.
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

/// The test's end of a port.
struct End {
    written: Receiver<Vec<u8>>,
    say: Sender<Vec<u8>>,
}

fn port() -> (Box<dyn Link>, End) {
    let (writes, written) = mpsc::channel();
    let (say, said) = mpsc::channel();
    (Box::new(Port { written: writes, said }), End { written, say })
}

/// Long enough for a busy machine.
const LONG: Duration = Duration::from_secs(20);
/// How long a question of these tests waits for its answer.
const PATIENCE: Duration = Duration::from_millis(300);

/// A question is one byte, its answer too; `!` is answered by nobody.
const SHARING: Sharing = Sharing {
    turn: |bytes| if bytes == b"!" { Turn::Span(Duration::ZERO) } else { Turn::Answer(PATIENCE) },
    answered: |heard| !heard.is_empty(),
};

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

/// Writes on a thread of its own, as tables do; tells when it is done.
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
    let mut one = table("turns", "1", || link);
    let other = table("turns", "2", no_port);
    one.write_all(b"a").expect("an open line");
    assert_eq!(end.hear(), b"a");
    let waits = write(other, b"b");
    assert!(end.written.recv_timeout(PATIENCE / 4).is_err(), "the line is not free");
    end.say(b"A");
    assert_eq!(end.hear(), b"b");
    waits.join().expect("a table");
}

#[test]
fn a_question_that_nobody_answers_frees_the_line() {
    let (link, end) = port();
    let mut one = table("silence", "1", || link);
    let mut other = table("silence", "2", no_port);
    one.write_all(b"a").expect("an open line");
    let began = Instant::now();
    other.write_all(b"b").expect("an open line");
    assert!(began.elapsed() >= PATIENCE / 10 * 9);
    assert_eq!((end.hear(), end.hear()), (b"a".to_vec(), b"b".to_vec()));
    // What has no answer holds nobody up.
    end.say(b"B");
    one.write_all(b"!").expect("an open line");
    let began = Instant::now();
    other.write_all(b"c").expect("an open line");
    assert!(began.elapsed() < PATIENCE);
}

#[test]
fn whoever_asks_again_and_again_lets_the_others_in_between() {
    let (link, end) = port();
    let tables: Vec<_> = [(b"1", "1"), (b"2", "2"), (b"3", "3")]
        .into_iter()
        .scan(Some(link), |link, (word, unit)| {
            Some((word, table("fair", unit, || link.take().expect("once"))))
        })
        .collect();
    let asking: Vec<_> = tables
        .into_iter()
        .map(|(word, mut link)| {
            thread::spawn(move || {
                for _ in 0..20 {
                    link.write_all(word).expect("an open line");
                }
                // Until everybody is done, so that the line stays.
                link
            })
        })
        .collect();
    let mut order: Vec<u8> = Vec::new();
    for _ in 0..60 {
        let asked = end.hear();
        order.extend(&asked);
        // Long enough for everybody to ask again.
        thread::sleep(Duration::from_millis(10));
        end.say(&asked);
    }
    for table in asking {
        table.join().expect("a table");
    }
    // Between two questions of one table no other asks more than twice, but for the first and the last ones.
    let gaps = order.windows(3).skip(3).take(50).filter(|three| three[0] == three[1] || three[1] == three[2]);
    assert_eq!(gaps.count(), 0, "{order:?}");
}

#[test]
fn a_line_that_breaks_breaks_for_all_and_is_opened_anew() {
    let (link, end) = port();
    let mut one = table("broken", "1", || link);
    let mut other = table("broken", "2", no_port);
    drop(end);
    assert!(one.read(LONG).is_err() && other.read(LONG).is_err());
    assert!(matches!(one.write_all(b"a"), Err(LinkError::Vanished { .. })));
    // One table comes back while the other still has what broke.
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
        "board 01025 on taken is in use at another table; stop it there, or name another board"
    );
    // Whoever names none wants the only board of the line.
    assert!(refused(None).starts_with("taken is in use at another table"));
    drop(one);
    let (link, _end) = port();
    let _only = join("taken", None, SHARING, || Ok(link)).expect("a line");
    assert!(refused(Some("1025")).contains("in use at another table"));
}

#[test]
fn a_table_that_does_not_read_is_forgotten_and_not_waited_for() {
    let (link, end) = port();
    let mut one = table("asleep", "1", || link);
    let _asleep = table("asleep", "2", no_port);
    for _ in 0..KEPT / 512 + 8 {
        end.say(&[0; 512]);
        let mut got = 0;
        while got < 512 {
            got += one.read(LONG).expect("bytes").len();
        }
    }
}
