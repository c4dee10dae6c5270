//! What people are told about the record's files: that it went on in another file, that its copy cannot be written, that it is not
//! signed; and at a table of an event, which consoles get it. Each is told once, when it begins, and once more when it is over.

use std::collections::BTreeSet;
use std::path::Path;

use tabiya_engine::table::Audience;
use tabiya_types::{Instant, Millis, harmless, say};

use super::ledger::Ledger;
use super::speech::Speech;
use crate::view::event_in_words;
use tabiya_store::follow::{CopyState, EventState};

/// How often a copy of the record that lags behind is looked at.
const COPY_CHECK: Millis = Millis(1_000);
/// The shortest time between two sentences about an event's consoles: a link that comes and goes is no news each time.
const EVENT_PAUSE: Millis = Millis(5_000);
/// The most reasons for which no console is told that people hear before one is told again: a table that dials several addresses
/// in turn may have another reason each time.
const MOST_TROUBLES: usize = 4;

/// What people were told about the record's files.
#[derive(Debug, Default)]
pub(super) struct RecordNews {
    /// Whether people were told that the copy of the record cannot be written.
    copy_fails: bool,
    /// Whether it was announced that the record is not signed.
    unsigned: bool,
    /// The name of the file in which the record was kept before it had to go on in another one, until the record says so.
    moved_from: Option<String>,
    /// When the copy of the record was last looked at.
    copy_checked: Instant,
    /// What people know of the event's consoles.
    event: ConsolesKnown,
}

/// What people know of the consoles that an event's table tells.
#[derive(Debug, Default)]
struct ConsolesKnown {
    /// The consoles that were told when this was last looked at; `None` before the first look: a screen begins with them.
    consoles: Option<Vec<String>>,
    /// The reasons that people have heard since a console was told last.
    troubles: BTreeSet<String>,
    /// When the last sentence about it was said.
    said: Option<Instant>,
}

impl ConsolesKnown {
    /// Whether this is something that people have not heard.
    fn is_news(&self, state: &EventState) -> bool {
        let trouble = || state.trouble.as_ref().filter(|_| self.troubles.len() < MOST_TROUBLES);
        self.consoles.as_ref() != Some(&state.consoles)
            || trouble().is_some_and(|trouble| !self.troubles.contains(trouble))
    }

    /// When the news may be told.
    fn due(&self) -> Instant {
        self.said.map_or(Instant::ZERO, |said| said + EVENT_PAUSE)
    }

    /// Takes this as known to people. Returns whether it has to be said: the first look is none.
    fn learn(&mut self, state: &EventState, now: Instant) -> bool {
        let first = self.consoles.replace(state.consoles.clone()).is_none();
        match &state.trouble {
            Some(trouble) => drop(self.troubles.insert(trouble.clone())),
            None => self.troubles.clear(),
        }
        if !first {
            self.said = Some(now);
        }
        !first
    }
}

impl RecordNews {
    /// Notes that the record, which was kept in this file, goes on in another one.
    pub(super) fn moved(&mut self, from: &Path) {
        self.moved_from = from.file_name().map(|name| harmless(&name.to_string_lossy()));
    }

    /// Takes the name of the old file, for the line of the record that names it; `None` if no line has to.
    pub(super) fn take_old_file(&mut self) -> Option<String> {
        self.moved_from.take()
    }

    /// The line that was to name this old file could not be written: it still has to be.
    pub(super) fn owes_old_file(&mut self, old: String) {
        self.moved_from = Some(old);
    }

    /// When a copy of the record that lags behind is looked at next; `None` if none lags.
    pub(super) fn copy_due(&self, ledger: &Ledger) -> Option<Instant> {
        let lags = |copy: &CopyState| copy.behind > 0 || copy.trouble.is_some() || self.copy_fails;
        ledger.copy().filter(lags).map(|_| self.copy_checked + COPY_CHECK)
    }

    /// Announces that the copy of the record cannot be written, and that it can be written again.
    pub(super) fn tell_copy(&mut self, ledger: &Ledger, speech: &mut Speech, now: Instant) {
        let Some(CopyState { folder, trouble, .. }) = ledger.copy() else { return };
        self.copy_checked = now;
        if trouble.is_some() != self.copy_fails {
            self.copy_fails = trouble.is_some();
            let folder = tabiya_types::shown(&folder);
            speech.say(match trouble {
                Some(error) => say!(
                    "copy-fails",
                    "the copy of the record in {folder} cannot be written: {error}; the match goes on, and Tabiya tries again",
                    folder,
                    error
                ),
                None => say!("copy-again", "the copy of the record in {folder} is written again", folder),
            });
        }
    }

    /// When there is something to tell about an event's consoles; `None` if people know it, and outside an event.
    pub(super) fn event_due(&self, ledger: &Ledger) -> Option<Instant> {
        ledger.event().filter(|state| self.event.is_news(state)).map(|_| self.event.due())
    }

    /// Announces which consoles of an event are told from now on, or why none is.
    pub(super) fn tell_event(&mut self, ledger: &Ledger, speech: &mut Speech, now: Instant) {
        let news = ledger.event().filter(|state| self.event.is_news(state) && self.event.due() <= now);
        let Some(state) = news else { return };
        if self.event.learn(&state, now) {
            // How many lines are behind changes all the time: the screen has it.
            speech.say(event_in_words(&EventState { behind: 0, ..state }));
        }
    }

    /// Announces that the record's heads cannot be signed, and that they can be signed again.
    pub(super) fn tell_signing(&mut self, ledger: &Ledger, speech: &mut Speech) {
        let told = self.unsigned;
        self.follow_signing(ledger);
        match ledger.unsigned() {
            Some(error) if !told => speech.alert(
                Audience::Players,
                say!(
                    "signing-fails",
                    "the record is written but not signed: {error}; the match goes on",
                    error = error.to_owned()
                ),
            ),
            None if told => speech.say(say!("signing-again", "the record is signed again")),
            Some(_) | None => {}
        }
    }

    /// Takes whether the record is signed now as told: somebody tells it otherwise.
    pub(super) fn follow_signing(&mut self, ledger: &Ledger) {
        self.unsigned = ledger.unsigned().is_some();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(consoles: &[&str], trouble: Option<&str>) -> EventState {
        EventState {
            consoles: consoles.iter().map(|name| (*name).to_owned()).collect(),
            trouble: trouble.map(str::to_owned),
            ..EventState::default()
        }
    }

    /// The states that are said of these, one each six seconds.
    fn said(states: &[EventState]) -> Vec<bool> {
        let mut known = ConsolesKnown::default();
        let times = (0..).map(|nth| Instant::from_millis(6_000 * nth));
        states.iter().zip(times).map(|(state, now)| known.is_news(state) && known.learn(state, now)).collect()
    }

    #[test]
    fn players_hear_that_a_console_refuses_their_table_is_reached_and_is_lost() {
        let refused = || told(&[], Some("revoked (4401)"));
        let states = [
            told(&[], Some("not reached yet")),
            refused(),
            refused(),
            told(&["desk-1"], None),
            told(&["desk-1"], None),
            refused(),
        ];
        assert_eq!(said(&states), [false, true, false, true, false, true]);
    }

    #[test]
    fn a_table_that_dials_two_dead_addresses_in_turn_tells_each_once() {
        let states: Vec<EventState> =
            (0..9).map(|nth| told(&[], Some(["a is dead", "b is dead"][nth % 2]))).collect();
        assert_eq!(said(&states), [false, true, false, false, false, false, false, false, false]);
        let states: Vec<EventState> = (0..9).map(|nth| told(&[], Some(&format!("reason {nth}")))).collect();
        assert_eq!(said(&states).into_iter().filter(|said| *said).count(), MOST_TROUBLES - 1);
    }

    #[test]
    fn a_link_that_comes_and_goes_is_told_once_in_five_seconds() {
        let mut known = ConsolesKnown::default();
        known.learn(&told(&[], Some("not reached yet")), Instant::ZERO);
        assert!(known.learn(&told(&["desk-1"], None), Instant::from_millis(100)));
        let gone = told(&[], Some("cut"));
        assert!(known.is_news(&gone));
        assert_eq!(known.due(), Instant::from_millis(5_100));
    }
}
