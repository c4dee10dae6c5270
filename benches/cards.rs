//! From a card on the reader to the event at the sink, through the system's real card service and a virtual reader.
//!
//! The clock starts just before the card connects to the reader's line; a real reader adds its own look at the field
//! (a quarter or half a second at most) and the USB cable.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a bench measures real time and says what it measured"
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

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("virtual card readers are for Linux");
}

#[cfg(target_os = "linux")]
fn main() {
    if std::process::Command::new("/usr/sbin/pcscd").arg("--version").output().is_err() {
        println!("no pcscd here: apt-get install pcscd");
        return;
    }
    linux::run();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::process::Command;
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::{Duration, Instant as RealInstant};

    use tabiya::app::time::RealTime;
    use tabiya::clock::Instant;
    use tabiya::devices::cards::{CardEvent, spawn};

    use super::pcscd::{Pcscd, SOCKET, socket};
    use super::support::{Sample, head, rounds, row};
    use super::virtual_reader::{lay, written};

    const FOLDER: &str = "TABIYA_BENCH_CARDS";
    const PATIENCE: Duration = Duration::from_secs(20);

    /// The library reads where the service is once in a process: so it runs again, and knows.
    pub(super) fn run() {
        if let Some(folder) = std::env::var_os(FOLDER) {
            return measure(folder.as_ref());
        }
        let folder = tempfile::Builder::new().prefix("tabiya-").tempdir_in("/tmp").expect("a folder");
        let done = Command::new(std::env::current_exe().expect("this bench"))
            .args(std::env::args().skip(1))
            .env(FOLDER, folder.path())
            .env(SOCKET, socket(folder.path()))
            .status();
        assert!(done.expect("it runs").success());
    }

    fn measure(folder: &std::path::Path) {
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
            // The service settles after each card; hands are slower still.
            std::thread::sleep(Duration::from_millis(2));
            let lifted = RealInstant::now();
            card.lift();
            lifts.add(wait(&events, |event| matches!(event, CardEvent::Lifted(_))) - lifted);
            std::thread::sleep(Duration::from_millis(2));
        }
        head("cards: from the hand to the event at the sink");
        row("laid down, UID twice and record read", &taps, "");
        row("lifted", &lifts, "");
    }

    /// When such an event came.
    fn wait(events: &Receiver<(RealInstant, CardEvent)>, wanted: impl Fn(&CardEvent) -> bool) -> RealInstant {
        loop {
            let (at, event) = events.recv_timeout(PATIENCE).expect("an event");
            if wanted(&event) {
                return at;
            }
        }
    }
}
