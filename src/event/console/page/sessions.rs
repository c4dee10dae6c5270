//! Who uses a telephone: the codes that the chief gives, and the sessions that they begin. A value: time and chance come in.
//!
//! Source: `docs/hall.md`, §6 ("Telephones": eight digits, five minutes, five tries, once; a session ends after 12 h or at the
//! console; it may at most what `sector` may).

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use tabiya_engine::record::chain::hex;
use tabiya_types::Sentence;

use crate::console::ordering::WantedOrder;
use crate::lists::StaffRole;
use crate::orders::allows;
use crate::pages::forms::Forms;

/// How long a code holds, in ms.
pub(crate) const CODE_TIME: u64 = 5 * 60 * 1_000;
/// How many wrong tries a code survives, less one.
const TRIES: u8 = 5;
/// How long a session lasts, in ms.
const SESSION_TIME: u64 = 12 * 60 * 60 * 1_000;
/// How long a question waits for its answer, in ms.
const QUESTION_TIME: u64 = 60 * 1_000;
/// How many codes hold at once, and how many sessions: more take the places of the oldest.
const MOST_CODES: usize = 16;
const MOST_SESSIONS: usize = 64;
/// The last table of an event.
const LAST_TABLE: u16 = 9_999;
/// All tables: the first and the last.
pub(crate) const ALL_TABLES: (u16, u16) = (1, LAST_TABLE);
/// How many codes of eight digits there are.
const CODES: u64 = 100_000_000;

/// What an arbiter may do with his telephone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhoneRights {
    /// All that `sector` may, at these tables: the first and the last.
    Tables(u16, u16),
    /// Rule on results.
    Results,
}

impl PhoneRights {
    /// All tables.
    pub const ALL: Self = Self::Tables(ALL_TABLES.0, ALL_TABLES.1);

    /// Reads `results`, `17` or `1-20`; `None` for anything else.
    pub fn from_words(words: &str) -> Option<Self> {
        if words.eq_ignore_ascii_case(StaffRole::Results.word()) {
            return Some(Self::Results);
        }
        let (first, last) = words.split_once('-').unwrap_or((words, words));
        let number = |text: &str| text.parse::<u16>().ok().filter(|table| (1..=LAST_TABLE).contains(table));
        let (first, last) = (number(first)?, number(last)?);
        (first <= last).then_some(Self::Tables(first, last))
    }

    /// Whether this table is shown with what can be done there.
    pub fn has_table(self, table: u16) -> bool {
        match self {
            Self::Tables(first, last) => (first..=last).contains(&table),
            Self::Results => true,
        }
    }

    /// Whether alerts of this table, or of the console itself, may be looked after.
    pub fn may_take(self, table: Option<u16>) -> bool {
        match (self, table) {
            (Self::Tables(first, last), Some(table)) => (first..=last).contains(&table),
            // What the console notices of itself concerns all tables.
            (Self::Tables(..), None) => self == Self::ALL,
            (Self::Results, _) => false,
        }
    }

    /// Whether this line may be ordered at this table.
    pub fn may_order(self, table: u16, line: &Map<String, Value>) -> bool {
        let role = match self {
            Self::Tables(..) => StaffRole::Sector,
            Self::Results => StaffRole::Results,
        };
        allows(role, self.has_table(table), line)
    }
}

impl fmt::Display for PhoneRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tables(first, last) if first == last => write!(f, "{first}"),
            Self::Tables(first, last) => write!(f, "{first}-{last}"),
            Self::Results => f.write_str(StaffRole::Results.word()),
        }
    }
}

/// A code that the chief has given.
#[derive(Clone, PartialEq, Eq, Debug)]
struct GivenCode {
    digits: String,
    name: String,
    rights: PhoneRights,
    until: u64,
    tries: u8,
}

/// An order that waits for a yes on a telephone.
#[derive(Clone, PartialEq, Debug)]
pub struct PhoneQuestion {
    /// Its table.
    pub table: u16,
    /// What would be ordered.
    pub wanted: WantedOrder,
    /// What is asked.
    pub text: Sentence,
    /// Until when, in ms of the console's own time.
    until: u64,
    /// How many pages there were before it: older ones did not ask it.
    after: u64,
}

/// An arbiter's telephone that is signed in.
#[derive(Clone, PartialEq, Debug)]
pub struct PhoneSession {
    /// The arbiter, as the chief has named him.
    pub name: String,
    /// What he may do.
    pub rights: PhoneRights,
    /// When the session ends by itself, in ms of the console's own time.
    pub until: u64,
    /// What the next page says once, and whether something went wrong.
    pub notice: Option<(Sentence, bool)>,
    /// Whether the chief has ended it.
    ended: bool,
    question: Option<PhoneQuestion>,
    forms: Forms,
}

impl PhoneSession {
    /// The number of a new page.
    pub(crate) fn new_form(&mut self) -> u64 {
        self.forms.next()
    }

    /// Takes a form that is sent; `false` if it is not new.
    pub(crate) fn take_form(&mut self, number: u64) -> bool {
        self.forms.take(number)
    }

    /// Asks before this is ordered.
    pub fn ask(&mut self, table: u16, wanted: WantedOrder, text: Sentence, now: u64) {
        let (until, after) = (now + QUESTION_TIME, self.forms.newest());
        self.question = Some(PhoneQuestion { table, wanted, text, until, after });
    }

    /// The question that waits.
    pub fn question(&self, now: u64) -> Option<&PhoneQuestion> {
        self.question.as_ref().filter(|question| now < question.until)
    }

    /// Takes the question that waits, if this form is of a page that asked it: an answer to an older question is none to this one.
    pub fn answer(&mut self, form: u64, now: u64) -> Option<PhoneQuestion> {
        self.question.take_if(|question| form > question.after).filter(|question| now < question.until)
    }
}

/// What comes of typed digits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SignIn {
    /// They are a code: this arbiter is signed in.
    In(String, PhoneRights),
    /// They are none. So many tries are left, 0 if no code holds any more.
    Wrong(u8),
}

/// Why there is no session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoSession {
    /// Nobody has signed in so.
    Unknown,
    /// Its 12 hours are over.
    Over,
    /// The chief has ended it.
    Ended,
}

/// The codes and the sessions of a console.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Phones {
    codes: Vec<GivenCode>,
    /// By the hash of what the telephone's cookie has: comparing hashes tells nothing by the time that it takes.
    sessions: BTreeMap<String, PhoneSession>,
}

impl Phones {
    /// Gives a code to an arbiter. `chance` is 64 random bits: what 10⁸ does not divide of them tilts no code by more than 10⁻¹¹.
    pub fn give(&mut self, name: &str, rights: PhoneRights, chance: u64, now: u64) -> String {
        let digits = format!("{:08}", chance % CODES);
        // A second code for one arbiter replaces the first, which nobody waits for any more.
        self.codes.retain(|code| now < code.until && code.name != name && code.digits != digits);
        if self.codes.len() >= MOST_CODES {
            self.codes.remove(0);
        }
        let (name, until) = (name.to_owned(), now + CODE_TIME);
        self.codes.push(GivenCode { digits: digits.clone(), name, rights, until, tries: TRIES });
        digits
    }

    /// Somebody types digits. `cookie` is new chance for his session. A wrong try counts against every code that holds.
    pub fn sign_in(&mut self, digits: &str, cookie: &str, now: u64) -> SignIn {
        self.codes.retain(|code| now < code.until);
        let Some(nth) = self.codes.iter().position(|code| code.digits == digits) else {
            for code in &mut self.codes {
                code.tries -= 1;
            }
            self.codes.retain(|code| code.tries > 0);
            return SignIn::Wrong(self.codes.iter().map(|code| code.tries).max().unwrap_or(0));
        };
        let GivenCode { name, rights, .. } = self.codes.remove(nth);
        self.sessions.retain(|_, session| now < session.until);
        if self.sessions.len() >= MOST_SESSIONS {
            let oldest = self.sessions.iter().min_by_key(|(_, session)| session.until);
            if let Some(oldest) = oldest.map(|(hash, _)| hash.clone()) {
                self.sessions.remove(&oldest);
            }
        }
        let session = PhoneSession {
            name: name.clone(),
            rights,
            until: now + SESSION_TIME,
            notice: None,
            ended: false,
            question: None,
            forms: Forms::default(),
        };
        self.sessions.insert(hash(cookie), session);
        SignIn::In(name, rights)
    }

    /// The session of a telephone that shows this cookie.
    pub fn session(&mut self, cookie: &str, now: u64) -> Result<&mut PhoneSession, NoSession> {
        match self.sessions.get_mut(&hash(cookie)) {
            None => Err(NoSession::Unknown),
            Some(session) if session.ended => Err(NoSession::Ended),
            Some(session) if now >= session.until => Err(NoSession::Over),
            Some(session) => Ok(session),
        }
    }

    /// The telephone signs out.
    pub fn sign_out(&mut self, cookie: &str) {
        self.sessions.remove(&hash(cookie));
    }

    /// The chief ends the sessions of this arbiter, and takes back his code. Returns how many there were.
    pub fn end(&mut self, name: &str, now: u64) -> usize {
        let open = self.codes.len();
        self.codes.retain(|code| !same(&code.name, name));
        let mut ended = open - self.codes.len();
        for session in self.sessions.values_mut().filter(|session| same(&session.name, name)) {
            ended += usize::from(!session.ended && now < session.until);
            session.ended = true;
            session.question = None;
        }
        ended
    }

    /// Who is signed in.
    pub fn signed_in(&self, now: u64) -> Vec<(String, PhoneRights)> {
        let open = self.sessions.values().filter(|session| !session.ended && now < session.until);
        open.map(|session| (session.name.clone(), session.rights)).collect()
    }
}

fn same(name: &str, other: &str) -> bool {
    name.to_lowercase() == other.to_lowercase()
}

fn hash(cookie: &str) -> String {
    hex(&Sha256::digest(cookie))
}

#[cfg(test)]
mod tests;
