//! Waits for events from the card readers and the keyboard, for the commands at which people lay
//! cards down.

use std::collections::VecDeque;
use std::io::BufRead as _;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tabiya_app::time::RealTime;
use tabiya_cards::{self as cards, CardEvent, CardTap, Options, Uid};
use tabiya_types::Instant;

use crate::cli::output::{ExitFailure, print_line, unusable};

/// An input while cards are laid down: a typed line, or an event from the readers.
enum Heard {
    Line(String),
    /// Standard input has ended.
    End,
    Card(CardEvent),
}

/// The size of the input queue. People are too slow to fill it.
const LONGEST_QUEUE: usize = 256;

/// The readers and the keyboard.
pub(super) struct Bench {
    heard: Receiver<Heard>,
    pub(super) readers: cards::CardReaders,
    /// The number of connected readers.
    count: usize,
    /// Whether all readers have been reported once.
    ready: bool,
    /// The cards that already lay on a reader before all readers were ready.
    early: VecDeque<BenchEvent>,
}

/// An action of a person, or its result.
pub(super) enum BenchEvent {
    Tap(CardTap),
    Written(CardTap),
    Locked(Uid),
    NotWritten(String),
    Typed(String),
    /// Standard input has ended.
    Left,
}

impl Bench {
    /// Opens all readers and waits until they are ready. `Err` if they cannot be used.
    pub(super) fn open(quiet: bool) -> Result<Self, ExitFailure> {
        let (sender, heard) = sync_channel(LONGEST_QUEUE);
        let card_sender = sender.clone();
        let sink: cards::CardSink = Box::new(move |_, event| drop(card_sender.send(Heard::Card(event))));
        let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
        let readers = cards::spawn_with(timeline, sink, Options { quiet, ..Options::default() });
        let mut bench = Self { heard, readers, count: 0, ready: false, early: VecDeque::new() };
        while !bench.ready {
            let Ok(Heard::Card(event)) = bench.heard.recv() else { continue };
            let done = bench.card(event)?;
            bench.early.extend(done);
        }
        std::thread::spawn(move || read_lines(&sender));
        Ok(bench)
    }

    /// Waits for the next action of a person. Prints what happens to the readers in the meantime.
    pub(super) fn next(&mut self) -> Result<BenchEvent, ExitFailure> {
        if let Some(done) = self.early.pop_front() {
            return Ok(done);
        }
        loop {
            match self.heard.recv() {
                Err(_) | Ok(Heard::End) => return Ok(BenchEvent::Left),
                Ok(Heard::Line(line)) if line.trim().is_empty() => {}
                Ok(Heard::Line(line)) => return Ok(BenchEvent::Typed(line.trim().to_owned())),
                Ok(Heard::Card(event)) => {
                    if let Some(done) = self.card(event)? {
                        return Ok(done);
                    }
                }
            }
        }
    }

    fn card(&mut self, event: CardEvent) -> Result<Option<BenchEvent>, ExitFailure> {
        match event {
            CardEvent::Tapped(tap) | CardEvent::Present(tap) => return Ok(Some(BenchEvent::Tap(tap))),
            CardEvent::Written(tap) => return Ok(Some(BenchEvent::Written(tap))),
            CardEvent::Locked(tap) => return Ok(Some(BenchEvent::Locked(tap.uid))),
            CardEvent::NotWritten { why, .. } => return Ok(Some(BenchEvent::NotWritten(why.to_string()))),
            CardEvent::Unreadable { why, .. } => print_line(&why.to_string())?,
            CardEvent::Lifted(_) => {}
            CardEvent::Connected(reader) => {
                self.count += 1;
                print_line(&format!("card reader: {reader}"))?;
            }
            CardEvent::Disconnected(reader) => {
                self.count -= 1;
                print_line(&format!("the card reader {reader} was disconnected; plug it in again"))?;
            }
            CardEvent::Ready => {
                if self.count == 0 {
                    print_line("no card reader is connected: plug one in, Tabiya will notice it")?;
                }
                self.ready = true;
            }
            // At the start people have not done anything yet, so ending with an error loses nothing.
            CardEvent::Problem(error) if !self.ready => return Err(unusable(error)),
            CardEvent::Problem(error) => print_line(&error.to_string())?,
            CardEvent::ProblemOver(_) => print_line("cards can be read again")?,
        }
        Ok(None)
    }
}

fn read_lines(sender: &SyncSender<Heard>) {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if sender.send(Heard::Line(line)).is_err() {
            return;
        }
    }
    drop(sender.send(Heard::End));
}
