//! The players' keypads: a telephone or tablet in the local network that is the keys of one player at this table, or the clock of both.
//!
//! Who types the four digits that stand on the table's screen may ask; the table names him and must agree. Each player has one
//! keypad, and so has the clock. A value: time and chance come in, and nothing here knows of browsers (`tabiya-event` serves the pages).
//!
//! Source: `docs/keypads.md`.

mod acts;
mod shown;

use tabiya_types::{Instant, Millis, Seat, Sentence, harmless, say};

pub use self::acts::{KeypadAct, KeypadAnswer, KeypadKey, TurnMark};
pub(crate) use self::acts::{belongs_to, input_of, moment};
pub use self::shown::{KeypadDoor, KeypadReport, KeypadsView, square_of};

/// How many wrong codes end a code.
const TRIES: u8 = 5;
/// How long nobody may type a code after that.
const PAUSE: Millis = Millis(30_000);
/// How many telephones are known at once: more take the places of those that have no keypad and came first.
const MOST: usize = 12;
/// The longest name of a device, in characters.
const LONGEST_NAME: usize = 24;
/// How many codes there are.
const CODES: u64 = 10_000;

/// Whose keys a keypad is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeypadOf {
    /// A player's, for the whole match.
    Player(Seat),
    /// The clock of both players.
    Clock,
}

impl KeypadOf {
    /// The word for it, as a form has it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Player(Seat::A) => "A",
            Self::Player(Seat::B) => "B",
            Self::Clock => "clock",
        }
    }

    /// Reads that word; `None` for any other.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Player(Seat::A), Self::Player(Seat::B), Self::Clock].into_iter().find(|of| of.word() == word)
    }
}

/// Why a keypad has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeypadEnd {
    /// The table said no.
    Refused,
    /// It was removed at the table.
    Removed,
    /// Another telephone has taken its place.
    Replaced,
    /// Another match is on the table.
    OtherMatch,
    /// The arbiter does not admit keypads.
    NotAdmitted,
}

/// How far a telephone has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VisitorStage {
    /// It has typed the code.
    Typed,
    /// It asks to be this keypad; the table has not answered.
    Asks(KeypadOf),
    /// It is this keypad.
    Is(KeypadOf),
    /// It is none any more.
    Ended(KeypadEnd),
}

/// A telephone that has typed the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeypadVisitor {
    /// Its number at this table, from 1.
    pub ticket: u64,
    /// What its user calls it; empty before he asks.
    pub name: String,
    /// The address in the network from which it came.
    pub from: String,
    /// How far it has come.
    pub stage: VisitorStage,
}

impl KeypadVisitor {
    /// Whose keypad it is; `None` if it is none.
    pub fn is(&self) -> Option<KeypadOf> {
        match self.stage {
            VisitorStage::Is(of) => Some(of),
            VisitorStage::Typed | VisitorStage::Asks(_) | VisitorStage::Ended(_) => None,
        }
    }
}

/// What became of a typed code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeTyped {
    /// It is right. The telephone has this number.
    Right(u64),
    /// It is wrong, and so many tries are left.
    Wrong(u8),
    /// Nobody may type a code for so long.
    Waits(Millis),
}

/// The keypads of a table.
#[derive(Clone, Debug, Default)]
pub struct Keypads {
    door: Option<KeypadDoor>,
    code: String,
    tries: u8,
    /// Until when nobody may type a code.
    barred: Option<Instant>,
    visitors: Vec<KeypadVisitor>,
    last: u64,
}

impl Keypads {
    /// Telephones reach the table at this door from now on. `chance` are 64 random bits for the code.
    pub fn open(&mut self, door: KeypadDoor, chance: u64) {
        self.door = Some(door);
        self.renew(chance);
    }

    /// The door is closed, and all keypads end.
    pub fn close(&mut self) {
        *self = Self { last: self.last, ..Self::default() };
    }

    /// Where telephones reach the table; `None` while they cannot.
    pub fn door(&self) -> Option<&KeypadDoor> {
        self.door.as_ref()
    }

    /// Another code. What 10,000 does not divide of the 64 bits tilts no code by more than 10⁻¹⁵.
    pub fn renew(&mut self, chance: u64) {
        self.code = format!("{:04}", chance % CODES);
        self.tries = TRIES;
    }

    /// The code that stands on the table's screen; `None` while none can be typed.
    pub fn code(&self, now: Instant) -> Option<&str> {
        let waits = self.barred.is_some_and(|until| now < until);
        (self.door.is_some() && !waits).then_some(self.code.as_str())
    }

    /// Somebody at this address types a code. If it was the last wrong one, another code is needed ([`Self::needs_code`]).
    pub fn typed(&mut self, digits: &str, from: &str, now: Instant) -> CodeTyped {
        if let Some(until) = self.barred.filter(|until| now < *until) {
            return CodeTyped::Waits(until.since(now));
        }
        if digits != self.code {
            self.tries = self.tries.saturating_sub(1);
            if self.tries == 0 {
                self.barred = Some(now + PAUSE);
                return CodeTyped::Waits(PAUSE);
            }
            return CodeTyped::Wrong(self.tries);
        }
        self.tries = TRIES;
        self.make_room();
        self.last += 1;
        let visitor = KeypadVisitor {
            ticket: self.last,
            name: String::new(),
            from: harmless(from),
            stage: VisitorStage::Typed,
        };
        self.visitors.push(visitor);
        CodeTyped::Right(self.last)
    }

    /// Whether so many wrong codes came that the code has to be another one.
    pub fn needs_code(&self) -> bool {
        self.tries == 0 && self.door.is_some()
    }

    fn make_room(&mut self) {
        if self.visitors.len() < MOST {
            return;
        }
        let rank = |visitor: &KeypadVisitor| match visitor.stage {
            VisitorStage::Ended(_) => 0,
            VisitorStage::Typed => 1,
            VisitorStage::Asks(_) => 2,
            VisitorStage::Is(_) => 3,
        };
        let least = self.visitors.iter().enumerate().min_by_key(|(nth, one)| (rank(one), *nth));
        if let Some(nth) = least.map(|(nth, _)| nth) {
            self.visitors.remove(nth);
        }
    }

    /// The telephone with this number.
    pub fn visitor(&self, ticket: u64) -> Option<&KeypadVisitor> {
        self.visitors.iter().find(|visitor| visitor.ticket == ticket)
    }

    /// When codes can be typed again; `None` if they can be.
    pub fn barred_until(&self) -> Option<Instant> {
        self.barred
    }

    /// Lets codes be typed again if the time for that has come. Returns whether it has.
    pub fn pass(&mut self, now: Instant) -> bool {
        self.barred.take_if(|until| *until <= now).is_some()
    }

    /// All telephones that are known, in the order in which they came.
    pub fn visitors(&self) -> &[KeypadVisitor] {
        &self.visitors
    }

    /// The telephone that is this keypad.
    pub fn pad(&self, of: KeypadOf) -> Option<&KeypadVisitor> {
        self.visitors.iter().find(|visitor| visitor.is() == Some(of))
    }

    /// A telephone asks to be this keypad, under this name. Returns whether it may ask: it has typed the code.
    pub fn ask(&mut self, ticket: u64, of: KeypadOf, name: &str) -> bool {
        let asks = |visitor: &&mut KeypadVisitor| {
            visitor.ticket == ticket && matches!(visitor.stage, VisitorStage::Typed | VisitorStage::Asks(_))
        };
        let Some(visitor) = self.visitors.iter_mut().find(asks) else { return false };
        visitor.name = harmless(name).trim().chars().take(LONGEST_NAME).collect();
        visitor.stage = VisitorStage::Asks(of);
        true
    }

    /// A telephone goes, by itself.
    pub fn leave(&mut self, ticket: u64) {
        self.visitors.retain(|visitor| visitor.ticket != ticket);
    }

    /// The telephone about which the table is asked now, with what it wants to be.
    pub fn asked(&self) -> Option<(&KeypadVisitor, KeypadOf)> {
        self.visitors.iter().find_map(|visitor| match visitor.stage {
            VisitorStage::Asks(of) => Some((visitor, of)),
            VisitorStage::Typed | VisitorStage::Is(_) | VisitorStage::Ended(_) => None,
        })
    }

    /// What the table is asked about it. `name_of` is a seat's player.
    pub fn question(&self, name_of: impl Fn(Seat) -> String) -> Option<Sentence> {
        let (visitor, of) = self.asked()?;
        let (device, from) = (visitor.name.clone(), visitor.from.clone());
        let before = self.pad(of).map(|pad| pad.name.clone());
        Some(match (of, before) {
            (KeypadOf::Player(seat), None) => {
                let name = name_of(seat);
                say!(
                    "keypad-asks",
                    "a telephone, “{device}” at {from}, asks to be the keypad of {name}: shall it?",
                    device,
                    from,
                    name
                )
            }
            (KeypadOf::Player(seat), Some(before)) => {
                let name = name_of(seat);
                say!(
                    "keypad-asks-instead",
                    "a telephone, “{device}” at {from}, asks to be the keypad of {name} in the place of “{before}”: shall it?",
                    device,
                    from,
                    name,
                    before
                )
            }
            (KeypadOf::Clock, None) => say!(
                "keypad-asks-clock",
                "a telephone, “{device}” at {from}, asks to be the clock of both players: shall it?",
                device,
                from
            ),
            (KeypadOf::Clock, Some(before)) => say!(
                "keypad-asks-clock-instead",
                "a telephone, “{device}” at {from}, asks to be the clock of both players in the place of “{before}”: shall it?",
                device,
                from,
                before
            ),
        })
    }

    /// The table's answer to that. Returns the telephone that was let in, or not; `None` if nobody asks any more.
    pub fn answer(&mut self, yes: bool) -> Option<(KeypadVisitor, KeypadOf)> {
        let (ticket, of) = self.asked().map(|(visitor, of)| (visitor.ticket, of))?;
        if yes {
            self.end_all(KeypadEnd::Replaced, |visitor| visitor.is() == Some(of));
        }
        let visitor = self.visitors.iter_mut().find(|visitor| visitor.ticket == ticket)?;
        visitor.stage = if yes { VisitorStage::Is(of) } else { VisitorStage::Ended(KeypadEnd::Refused) };
        Some((visitor.clone(), of))
    }

    /// Removes this keypad. Returns the telephone that it was.
    pub fn remove(&mut self, of: KeypadOf) -> Option<KeypadVisitor> {
        let removed = self.pad(of).cloned()?;
        self.end_all(KeypadEnd::Removed, |visitor| visitor.is() == Some(of));
        Some(removed)
    }

    /// Ends all keypads, and all who ask for one. Returns whether there was any.
    pub fn end(&mut self, why: KeypadEnd) -> bool {
        self.end_all(why, |visitor| !matches!(visitor.stage, VisitorStage::Ended(_)))
    }

    fn end_all(&mut self, why: KeypadEnd, which: impl Fn(&KeypadVisitor) -> bool) -> bool {
        let mut any = false;
        for visitor in self.visitors.iter_mut().filter(|visitor| which(visitor)) {
            visitor.stage = VisitorStage::Ended(why);
            any = true;
        }
        any
    }
}

/// What a keypad is, in words.
pub fn keypad_in_words(of: KeypadOf, name_of: impl Fn(Seat) -> String) -> Sentence {
    match of {
        KeypadOf::Player(seat) => say!("keypad-of", "the keypad of {name}", name = name_of(seat)),
        KeypadOf::Clock => say!("keypad-of-both", "the clock of both"),
    }
}

#[cfg(test)]
mod tests;
