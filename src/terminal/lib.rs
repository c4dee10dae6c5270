//! A table in the terminal: people type, and the program prints plain lines or redraws a full screen.
//!
//! A front of the table, as the window is one: it draws snapshots and returns wishes, and decides nothing. The libraries of
//! terminals stand in this crate alone.

mod alerts;
mod lines;
mod plain;
mod screen;
mod secret;
mod several;

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tabiya_app::desk::{Desk, Inbox, Loop, TableEnd};
use tabiya_app::time::RealTime;
use tabiya_boards::typed;
use tabiya_text::Words;
use tabiya_types::Timeline as _;

pub use self::lines::{facts, lines};
use self::plain::Plain;
use self::screen::Screen;
pub use self::secret::secret;
pub use self::several::{NumberedTable, numbered, run_several};

/// How many typed lines or keys may be queued. When the queue is full the reading thread blocks, so a long piped text
/// does not fill the memory.
const WAITING: usize = 4096;

/// An input from the terminal.
#[derive(Debug)]
pub enum Typing {
    /// A whole line was typed.
    Line(String),
    /// A key was pressed, or the size of the terminal has changed.
    Key(ratatui::crossterm::event::Event),
}

/// Runs a table in this terminal until its users leave. `plain`: plain lines instead of the full screen.
/// `words`: the language of the sentences.
pub fn run(table: Loop<Typing>, desk: Desk, plain: bool, words: Words) -> io::Result<Option<TableEnd>> {
    let on_screen = !plain && io::stdout().is_terminal() && io::stdin().is_terminal();
    let (room, taken) = sync_channel(WAITING);
    let (inbox, timeline) = (table.inbox(), table.timeline());
    if on_screen {
        let screen = Screen::open(taken, words)?;
        std::thread::spawn(move || read_keys(&inbox, &timeline, &room));
        table.run(desk, screen)
    } else {
        std::thread::spawn(move || read_lines(&inbox, &timeline, &room));
        table.run(desk, Plain::new(taken, words))
    }
}

/// Bounds the input queue: the reading thread sends a token before each input and blocks while the queue is full.
type QueueTokens = SyncSender<()>;
/// The tokens of the queued inputs. One token is taken out for each input that was handled.
type QueueTokensTaken = Receiver<()>;

fn read_lines(inbox: &Inbox<Typing>, timeline: &RealTime, room: &QueueTokens) {
    for line in typed::lines(io::stdin().lock()) {
        let at = timeline.now();
        if room.send(()).is_err() || !inbox.send(at, Typing::Line(line)) {
            return;
        }
    }
    inbox.input_ended();
}

fn read_keys(inbox: &Inbox<Typing>, timeline: &RealTime, room: &QueueTokens) {
    while let Ok(event) = ratatui::crossterm::event::read() {
        let at = timeline.now();
        if room.send(()).is_err() || !inbox.send(at, Typing::Key(event)) {
            return;
        }
    }
    inbox.input_ended();
}
