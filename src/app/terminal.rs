//! The terminal as a front of a table: plain lines, or a screen that is drawn again and again.

mod lines;
mod plain;
mod screen;

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tabiya_boards::typed;
use tabiya_types::Timeline as _;

pub use self::lines::{lines, words};
use self::plain::Plain;
use self::screen::Screen;
use super::desk::{Desk, Inbox, Loop, Parting};
use super::time::RealTime;

/// How many lines or keys may wait. Whoever pipes a long text in waits, and the text needs no memory.
const WAITING: usize = 4096;

/// What people do at a terminal.
#[derive(Debug)]
pub enum Typing {
    /// A whole line was typed.
    Line(String),
    /// A key was pressed, or the window's size has changed.
    Key(ratatui::crossterm::event::Event),
}

/// Runs a table in this terminal until its people leave. `plain`: lines instead of a screen, even in a terminal.
pub fn run(table: Loop<Typing>, desk: Desk, plain: bool) -> io::Result<Option<Parting>> {
    let on_screen = !plain && io::stdout().is_terminal() && io::stdin().is_terminal();
    let (room, taken) = sync_channel(WAITING);
    let (inbox, timeline) = (table.inbox(), table.timeline());
    if on_screen {
        let screen = Screen::open(taken)?;
        std::thread::spawn(move || read_keys(&inbox, &timeline, &room));
        table.run(desk, screen)
    } else {
        std::thread::spawn(move || read_lines(&inbox, &timeline, &room));
        table.run(desk, Plain::new(taken))
    }
}

/// Room for what people do: taken when it is put in, and given back when the front has understood it.
type Room = SyncSender<()>;
/// Where room is given back.
type Taken = Receiver<()>;

fn read_lines(inbox: &Inbox<Typing>, timeline: &RealTime, room: &Room) {
    for line in typed::lines(io::stdin().lock()) {
        let at = timeline.now();
        if room.send(()).is_err() || !inbox.send(at, Typing::Line(line)) {
            return;
        }
    }
    inbox.input_ended();
}

fn read_keys(inbox: &Inbox<Typing>, timeline: &RealTime, room: &Room) {
    while let Ok(event) = ratatui::crossterm::event::read() {
        let at = timeline.now();
        if room.send(()).is_err() || !inbox.send(at, Typing::Key(event)) {
            return;
        }
    }
    inbox.input_ended();
}
