//! Several tables in one terminal: each prints its lines with its number in front, and a typed line goes to the table whose number
//! stands in front of it.
//!
//! Each table has its own loop on its own thread, as if it were alone. One thread reads what is typed.

use std::io;
use std::sync::mpsc::sync_channel;

use tabiya_app::desk::{Desk, Inbox, Loop, TableEnd};
use tabiya_app::time::RealTime;
use tabiya_boards::typed;
use tabiya_text::{Language, Words};
use tabiya_types::{Timeline as _, harmless, say};

use super::plain::{self, Plain};
use super::{QueueTokens, Typing, WAITING};

/// The word for all tables, in place of a number.
const ALL: &str = "all";
/// The word that shows a table.
const SHOW: &str = "show";

/// A table among several.
pub struct NumberedTable {
    /// Its number, from 1.
    pub number: usize,
    /// Its loop, not yet started.
    pub table: Loop<Typing>,
    /// Its desk.
    pub desk: Desk,
    /// The language of its sentences.
    pub words: Words,
}

/// Puts the number of a table in front of each line of a text; without a number the text stays as it is.
pub fn numbered(number: Option<usize>, text: &str) -> String {
    match number {
        Some(number) => text.lines().map(|line| format!("{number}  {line}")).collect::<Vec<_>>().join("\n"),
        None => text.to_owned(),
    }
}

/// Runs these tables in this terminal, as plain lines, until their users have left them all. Returns how each ended, in their
/// order.
pub fn run_several(tables: Vec<NumberedTable>) -> io::Result<Vec<io::Result<Option<TableEnd>>>> {
    let (mut seats, mut places) = (Vec::new(), Vec::new());
    let language = tables.first().map_or(Language::English, |table| table.words.language);
    let words = Words::of(language);
    for NumberedTable { number, table, desk, words } in tables {
        let (room, taken) = sync_channel(WAITING);
        seats.push(TypingSeat { number, inbox: table.inbox(), timeline: table.timeline(), room });
        places.push((number, table, desk, Plain::new(taken, words).of_table(number)));
    }
    let threads: io::Result<Vec<_>> = places
        .into_iter()
        .map(|(number, table, desk, front)| {
            let named = std::thread::Builder::new().name(format!("table {number}"));
            named.spawn(move || table.run(desk, front))
        })
        .collect();
    std::thread::spawn(move || read_lines(&seats, &words));
    let broken =
        |_| Err(io::Error::other("the table has ended by a fault of the program; its record is whole"));
    Ok(threads?.into_iter().map(|thread| thread.join().unwrap_or_else(broken)).collect())
}

/// Where what is typed for a table goes.
struct TypingSeat {
    number: usize,
    inbox: Inbox<Typing>,
    timeline: RealTime,
    room: QueueTokens,
}

impl TypingSeat {
    fn send(&self, line: &str) {
        let at = self.timeline.now();
        // A table that has ended takes nothing more; the others do.
        let _ = self.room.send(()).is_ok() && self.inbox.send(at, Typing::Line(line.to_owned()));
    }
}

fn read_lines(seats: &[TypingSeat], words: &Words) {
    let mut chosen = seats.first();
    for line in typed::lines(io::stdin().lock()) {
        let (to, line) = addressed(&line);
        match to {
            Addressed::All => {
                for seat in seats {
                    seat.send(line);
                }
            }
            Addressed::Chosen => {
                if let Some(seat) = chosen {
                    seat.send(line);
                }
            }
            Addressed::Table(number) => match seats.iter().find(|seat| seat.number == number) {
                Some(seat) => {
                    chosen = Some(seat);
                    // A number alone shows the table that it chooses.
                    seat.send(if line.is_empty() { SHOW } else { line });
                }
                None => no_such_table(number, seats.len(), words),
            },
        }
    }
    for seat in seats {
        seat.inbox.input_ended();
    }
}

fn no_such_table(number: usize, count: usize, words: &Words) {
    let told = say!(
        "several-no-such-table",
        "there is no table {number} here; the tables are 1 to {count}",
        number,
        count
    );
    // Whoever has closed the output does not read it.
    let _ = plain::line(&harmless(&words.said(&told)));
}

/// For whom a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Addressed {
    /// The table that was named last.
    Chosen,
    Table(usize),
    All,
}

/// Splits a line such as `3: e2e4`, `3:` or `all: pause`.
fn addressed(line: &str) -> (Addressed, &str) {
    let Some((to, rest)) = line.split_once(':') else { return (Addressed::Chosen, line) };
    match (to.trim(), to.trim().parse()) {
        (ALL, _) => (Addressed::All, rest.trim()),
        (_, Ok(number)) => (Addressed::Table(number), rest.trim()),
        _ => (Addressed::Chosen, line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_to_the_table_whose_number_stands_in_front() {
        assert_eq!(addressed("3: e2e4"), (Addressed::Table(3), "e2e4"));
        assert_eq!(addressed(" 12 :"), (Addressed::Table(12), ""));
        assert_eq!(addressed("all: pause arbiter"), (Addressed::All, "pause arbiter"));
        assert_eq!(addressed("e2e4"), (Addressed::Chosen, "e2e4"));
        assert_eq!(addressed("note: 3 people watch"), (Addressed::Chosen, "note: 3 people watch"));
    }

    #[test]
    fn every_line_of_a_text_has_the_number() {
        assert_eq!(numbered(Some(2), "one\ntwo"), "2  one\n2  two");
        assert_eq!(numbered(None, "one\ntwo"), "one\ntwo");
    }
}
