//! The keypads at a desk's table: a telephone's keys become the table's own input from that player's seat, and the table is asked
//! before a telephone is a keypad.
//!
//! Source: `docs/keypads.md`.

use std::sync::Arc;

use tabiya_engine::rules::Group;
use tabiya_engine::table::{Audience, Entry, Input, Voice, question_before};
use tabiya_types::{Instant, Seat, Sentence, say};

use super::sitting::Sitting;
use super::talk::Talk;
use super::{Desk, RandomSource};
use crate::keypads::{
    CodeTyped, KeypadAct, KeypadAnswer, KeypadDoor, KeypadEnd, KeypadKey, KeypadOf, KeypadReport,
    KeypadVisitor, Keypads, KeypadsView, TurnMark, belongs_to, input_of, keypad_in_words, moment,
};
use crate::session::Session;
use crate::snapshot::{Asked, Notice, Refused};
use crate::words::{self, TypedOrder};

/// The member of a line that a keypad has entered: what its user calls it.
const KEYPAD: &str = "x-keypad";

/// The keypads, and what they were asked before something grave.
#[derive(Debug, Default)]
pub(super) struct DeskKeypads {
    pub(super) known: Keypads,
    /// What waits for a telephone's yes: its number, and the inputs. Dropped when the match has gone on.
    grave: Option<(u64, Vec<Input>, TurnMark)>,
}

/// What people at the table want of the keypads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeypadWish {
    /// Remove this one.
    Remove(KeypadOf),
    /// Say where they are, with the code.
    Show,
    /// Another code.
    Renew,
}

/// Whether keypads may be used at this match: at an event only if the arbiter admits them (Laws of Chess, 11.3.2.1).
fn are_admitted(session: Option<&Session>) -> bool {
    session.is_none_or(|session| session.table().terms().voice == Voice::Casual || session.admits_keypads())
}

fn name_of(session: &Session, seat: Seat) -> String {
    session.table().agreement().players[seat].clone()
}

/// The answer to a keypad that wants what is not its player's.
fn not_yours() -> KeypadAnswer {
    KeypadAnswer::Refused(say!(
        "keypad-not-yours",
        "a keypad does what its own player does, and nothing else"
    ))
}

/// 64 random bits.
fn chance(source: &RandomSource) -> Result<u64, String> {
    let mut bytes = [0; 8];
    source(&mut bytes)?;
    Ok(u64::from_be_bytes(bytes))
}

impl Desk {
    /// Telephones reach this table at this door from now on. `Err` if there is no chance for a code.
    pub fn open_keypads(&mut self, door: KeypadDoor, now: Instant) -> Result<(), String> {
        let chance = chance(&self.house.environment.chance)?;
        self.keypads.known.open(door, chance);
        self.version += 1;
        let lines = self.keypads_in_words(now);
        if let Some(text) = lines.first().cloned() {
            self.table.talk.push_notice(Notice { at: now, failed: false, text, file: None, carry_on: None });
        }
        self.table.talk.answer(lines);
        Ok(())
    }

    /// Whether keypads may be used at the match on the table, or would be at the next one.
    fn admits_keypads(&self) -> bool {
        are_admitted(self.table.session())
    }

    /// The question about a telephone that asks to be a keypad, if nothing else is asked.
    pub(super) fn asks_about_keypad(&self) -> Option<Asked> {
        let sitting = self.table.sitting.as_ref()?;
        let session = &sitting.session;
        let text = self.keypads.known.question(|seat| name_of(session, seat))?;
        let asks = sitting.asked().is_none() && self.admits_keypads();
        asks.then(|| Asked {
            to: session.table().audience_of_faults(),
            text: text.harmless(),
            answers: None,
            squares: Vec::new(),
        })
    }

    /// Answers that question, if it is the open one. Returns whether it was.
    pub(super) fn answer_about_keypad(&mut self, yes: bool, now: Instant) -> bool {
        if self.asks_about_keypad().is_none() {
            return false;
        }
        let Some((visitor, of)) = self.keypads.known.answer(yes) else { return false };
        let what = self.keypad_words(of);
        let device = visitor.name;
        let text = if yes {
            say!("keypad-let-in", "“{device}” is {what} now", device, what)
        } else {
            say!("keypad-turned-away", "“{device}” is no keypad", device)
        };
        self.table.talk.answer(vec![text.clone()]);
        self.table.talk.push_notice(Notice { at: now, failed: false, text, file: None, carry_on: None });
        true
    }

    fn keypad_words(&self, of: KeypadOf) -> Sentence {
        let named =
            |seat: Seat| self.table.session().map_or_else(String::new, |session| name_of(session, seat));
        keypad_in_words(of, named)
    }

    /// Carries out what people at the table want of the keypads.
    pub(super) fn keypad_wish(&mut self, wish: KeypadWish, now: Instant) {
        match wish {
            KeypadWish::Remove(of) => self.remove_keypad(of, now),
            KeypadWish::Renew => self.renew_code(now),
            KeypadWish::Show => {
                let lines = self.keypads_in_words(now);
                self.table.talk.answer(lines);
            }
        }
    }

    fn remove_keypad(&mut self, of: KeypadOf, now: Instant) {
        let what = self.keypad_words(of);
        let text = match self.keypads.known.remove(of) {
            Some(KeypadVisitor { name: device, .. }) => {
                say!("keypad-removed", "“{device}” is not {what} any more", device, what)
            }
            None => say!("keypad-none", "no telephone is {what}", what),
        };
        self.table.talk.answer(vec![text.clone()]);
        self.table.talk.push_notice(Notice { at: now, failed: false, text, file: None, carry_on: None });
    }

    fn renew_code(&mut self, now: Instant) {
        match chance(&self.house.environment.chance) {
            Ok(chance) => self.keypads.known.renew(chance),
            Err(sentence) => self.table.talk.notice(now, Err(sentence)),
        }
    }

    /// Where the keypads are, with the code and who is one.
    fn keypads_in_words(&self, now: Instant) -> Vec<Sentence> {
        let view = self.keypads_view(now);
        let Some(door) = view.door else {
            return vec![say!(
                "keypads-off",
                "no telephone can be a keypad at this table; start it with `tabiya play --keypads`"
            )];
        };
        let addresses = door.addresses.join(", ");
        let mut lines = vec![match (view.waits_for_arbiter, view.code) {
            (true, _) => say!(
                "keypads-not-admitted",
                "keypads are off at this event until the arbiter admits them: `keypads on REASON` (Laws 11.3.2.1)"
            ),
            (false, Some(code)) => say!(
                "keypads-at",
                "a telephone becomes a player's keypad at {addresses} with the code {code}",
                addresses,
                code
            ),
            (false, None) => say!(
                "keypads-wait",
                "too many wrong codes were typed at {addresses}; another code comes in half a minute",
                addresses
            ),
        }];
        lines.push(say!(
            "keypads-words",
            "six words of its certificate: {words}",
            words = door.words.join(" ")
        ));
        for (of, visitor) in view.pads {
            let what = self.keypad_words(of);
            let (device, from) = (visitor.name, visitor.from);
            lines.push(say!("keypads-one", "“{device}” at {from} is {what}", device, from, what));
        }
        lines
    }

    /// The keypads as the screens show them.
    pub(super) fn keypads_view(&self, now: Instant) -> KeypadsView {
        KeypadsView::of(&self.keypads.known, self.admits_keypads(), now)
    }

    /// What who serves the keypads' pages knows of the table now.
    pub fn keypad_report(&self, now: Instant) -> KeypadReport {
        let sitting = self.table.sitting.as_ref();
        KeypadReport {
            version: self.version(),
            table: sitting.map(|sitting| Arc::new(sitting.view(now))),
            time: sitting.map(|sitting| sitting.time_shown(now)).unwrap_or_default(),
            mark: sitting.map(|sitting| moment(&sitting.session)).unwrap_or_default(),
            number: self.house.event.as_ref().map(|place| place.table),
            waits_for_arbiter: !self.admits_keypads(),
            visitors: self.keypads.known.visitors().to_vec(),
        }
    }

    /// Ends the keypads of a match that is on the table no more, and those that the arbiter does not admit any more.
    pub(super) fn follow_keypads(&mut self) {
        if !self.admits_keypads() && self.keypads.known.end(KeypadEnd::NotAdmitted) {
            self.version += 1;
        }
    }

    /// Ends all keypads, because another match is on the table.
    pub(super) fn forget_keypads(&mut self) {
        self.keypads.known.end(KeypadEnd::OtherMatch);
        self.keypads.grave = None;
    }

    // ---- what telephones do ----

    /// Does what a telephone sends, and says what became of it.
    pub fn keypad(&mut self, act: KeypadAct, now: Instant) -> KeypadAnswer {
        self.version += 1;
        self.follow_keypads();
        match act {
            KeypadAct::Code { digits, from } => self.code_typed(&digits, &from, now),
            KeypadAct::Ask { ticket, of, name } => {
                let may = self.table.sitting.is_some() && self.admits_keypads();
                if may && self.keypads.known.ask(ticket, of, &name) {
                    self.announce_question(now);
                    KeypadAnswer::Done
                } else {
                    KeypadAnswer::NoKeypad
                }
            }
            KeypadAct::Leave(ticket) => {
                self.keypads.known.leave(ticket);
                KeypadAnswer::Done
            }
            KeypadAct::Press { ticket, key, shown } => {
                let inputs = |of: KeypadOf, session: &Session| {
                    if !key.holds(shown, moment(session)) {
                        return Err(KeypadAnswer::Late);
                    }
                    let input = input_of(key, of, session).ok_or(KeypadAnswer::Late)?;
                    Ok(vec![input])
                };
                let called = key == KeypadKey::CallArbiter;
                let answer = self.entered(ticket, inputs, now);
                if called && answer == KeypadAnswer::Done {
                    self.tell_call(ticket, now);
                }
                answer
            }
            KeypadAct::Say { ticket, line } => {
                let at = self.table.sitting.as_ref().map(|sitting| sitting.time.of(now)).unwrap_or_default();
                self.entered(ticket, |_, session| said(&line, session, at), now)
            }
            KeypadAct::Yes(ticket) => self.sure(ticket, now),
        }
    }

    fn code_typed(&mut self, digits: &str, from: &str, now: Instant) -> KeypadAnswer {
        if !self.admits_keypads() {
            return KeypadAnswer::NoKeypad;
        }
        let typed = self.keypads.known.typed(digits, from, now);
        if self.keypads.known.needs_code() {
            self.renew_code(now);
            let text = say!(
                "keypad-wrong-codes",
                "wrong codes for a keypad came from {from}; another code comes in half a minute",
                from = tabiya_types::harmless(from)
            );
            self.table.talk.fail(now, text);
        }
        match typed {
            CodeTyped::Right(ticket) => KeypadAnswer::Ticket(ticket),
            CodeTyped::Wrong(left) => KeypadAnswer::WrongCode(left),
            CodeTyped::Waits(left) => KeypadAnswer::Waits(left),
        }
    }

    /// Tells fronts that print lines what is asked about a telephone.
    fn announce_question(&mut self, now: Instant) {
        let Some(Asked { text: asked, .. }) = self.asks_about_keypad() else { return };
        let line = say!("keypad-ask-yes-or-no", "{asked} (`yes` or `no`)", asked = asked.clone());
        self.table.talk.print(super::News::Answer(vec![line]));
        self.table.talk.push_notice(Notice {
            at: now,
            failed: true,
            text: asked,
            file: None,
            carry_on: None,
        });
    }

    /// Tells the table who calls the arbiter.
    fn tell_call(&mut self, ticket: u64, now: Instant) {
        let Some(of) = self.keypads.known.visitor(ticket).and_then(KeypadVisitor::is) else { return };
        let what = self.keypad_words(of);
        self.table.talk.fail(now, say!("keypad-calls", "{what} calls the arbiter; the clocks stand", what));
    }

    /// The sitting, with whose keypad this telephone is and what it writes to each line; `None` if it is none.
    fn keypad_at(&mut self, ticket: u64) -> Option<(KeypadOf, Group, &mut Sitting, &mut Talk)> {
        let visitor = self.keypads.known.visitor(ticket)?;
        let of = visitor.is()?;
        let own = Group::new().with(KEYPAD, visitor.name.clone());
        let sitting = self.table.sitting.as_mut()?;
        Some((of, own, sitting, &mut self.table.talk))
    }

    /// Enters what this telephone wants, or asks it once more.
    fn entered(
        &mut self,
        ticket: u64,
        inputs: impl FnOnce(KeypadOf, &Session) -> Result<Vec<Input>, KeypadAnswer>,
        now: Instant,
    ) -> KeypadAnswer {
        let Some((of, own, sitting, talk)) = self.keypad_at(ticket) else { return KeypadAnswer::NoKeypad };
        let inputs = match inputs(of, &sitting.session) {
            Ok(inputs) => inputs,
            Err(answer) => return answer,
        };
        if !inputs.iter().all(|input| belongs_to(input, of, &sitting.session)) {
            return not_yours();
        }
        if let Some(question) = question_before(sitting.session.table(), &inputs) {
            let mark = moment(&sitting.session);
            let [_] = question.answers.as_slice() else {
                return KeypadAnswer::Refused(say!(
                    "keypad-at-table",
                    "this has several answers; say it at the table"
                ));
            };
            self.keypads.grave = Some((ticket, inputs, mark));
            return KeypadAnswer::Asks(question.text.harmless());
        }
        let answer = sitting.enter_by_keypad(inputs, &own, now, talk);
        self.after_keypad(now);
        answer
    }

    /// The telephone says yes to what it was asked.
    fn sure(&mut self, ticket: u64, now: Instant) -> KeypadAnswer {
        let Some((of, inputs, mark)) = self.keypads.grave.take() else { return KeypadAnswer::Late };
        if of != ticket {
            self.keypads.grave = Some((of, inputs, mark));
            return KeypadAnswer::Late;
        }
        let Some((_, own, sitting, talk)) = self.keypad_at(ticket) else { return KeypadAnswer::NoKeypad };
        if moment(&sitting.session) != mark {
            return KeypadAnswer::Late;
        }
        let answer = sitting.enter_by_keypad(inputs, &own, now, talk);
        self.after_keypad(now);
        answer
    }

    fn after_keypad(&mut self, now: Instant) {
        self.table.follow_readers();
        self.table.hear(now);
        self.table.watch_board(now);
    }
}

/// What a line in the words of the table enters.
fn said(line: &str, session: &Session, at: Instant) -> Result<Vec<Input>, KeypadAnswer> {
    match words::read(line, session.table(), None, session.card_file(), at) {
        Ok(TypedOrder::Do(inputs)) => Ok(inputs),
        Ok(TypedOrder::Ask(_)) => Err(KeypadAnswer::Refused(say!(
            "keypad-say-exactly",
            "this can mean several things; say it more exactly"
        ))),
        Ok(_) => Err(not_yours()),
        Err(sentence) => Err(KeypadAnswer::Refused(sentence.harmless())),
    }
}

impl Sitting {
    /// Enters what a keypad's player does, as if it had been typed at the table. Each line says which keypad it was.
    fn enter_by_keypad(
        &mut self,
        inputs: Vec<Input>,
        own: &Group,
        now: Instant,
        talk: &mut Talk,
    ) -> KeypadAnswer {
        let inputs: Vec<Input> = inputs.into_iter().map(|input| self.said_too(input)).collect();
        let refuse = |to: Audience, text: Sentence, talk: &mut Talk| {
            if to == Audience::Players {
                return KeypadAnswer::Refused(text.harmless());
            }
            talk.refuse(Refused::new(to, text));
            KeypadAnswer::RefusedQuietly
        };
        if let Some(wait) = self.session.warning_before_play(&inputs) {
            return refuse(self.session.table().audience_of_faults(), wait, talk);
        }
        talk.accept();
        let at = self.time.of(now);
        let mut answer = KeypadAnswer::Done;
        for input in inputs {
            match self.session.enter(Entry::with_own(input, own.clone()), at) {
                Ok(entered) if entered.own.is_some() => {}
                Ok(_) => answer = KeypadAnswer::Sent,
                Err(fault) => {
                    self.hear(now, talk);
                    return refuse(self.session.audience_of(&fault), fault.sentence(), talk);
                }
            }
        }
        self.hear(now, talk);
        answer
    }
}
