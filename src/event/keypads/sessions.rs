//! Which browser is which telephone at the table, what its pages say for a while, and what it was asked. A value.
//!
//! A session begins with the right code, and lasts as long as the table knows its telephone.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};
use tabiya_app::keypads::TurnMark;
use tabiya_engine::record::chain::hex;
use tabiya_types::{Instant, Sentence};

use crate::pages::forms::Forms;

/// The most sessions: more take the places of the oldest.
const MOST: usize = 64;

/// What a telephone was asked before something grave.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum PadQuestion {
    /// Whether its player folds, as the match stood.
    Fold(TurnMark),
    /// What the table asks.
    Table(Sentence),
}

/// A browser that has typed the code.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PadSession {
    /// The number of its telephone at the table.
    pub(super) ticket: u64,
    /// What its pages say for a while: since when, and whether something went wrong.
    pub(super) notice: Option<(Sentence, bool, Instant)>,
    /// What it was asked.
    pub(super) question: Option<PadQuestion>,
    pub(super) forms: Forms,
}

/// All of them, by the hash of their cookies: a search tells nothing by the time that it takes.
#[derive(Clone, Debug, Default)]
pub(super) struct PadSessions(BTreeMap<String, PadSession>);

impl PadSessions {
    /// A browser with this new cookie is the telephone with this number.
    pub(super) fn begin(&mut self, cookie: &str, ticket: u64) {
        if self.0.len() >= MOST {
            let oldest = self.0.iter().min_by_key(|(_, session)| session.ticket);
            if let Some(oldest) = oldest.map(|(hash, _)| hash.clone()) {
                self.0.remove(&oldest);
            }
        }
        let session = PadSession { ticket, notice: None, question: None, forms: Forms::default() };
        self.0.insert(hash(cookie), session);
    }

    /// The session of a browser that shows this cookie.
    pub(super) fn get(&mut self, cookie: &str) -> Option<&mut PadSession> {
        self.0.get_mut(&hash(cookie))
    }

    /// Ends it.
    pub(super) fn end(&mut self, cookie: &str) {
        self.0.remove(&hash(cookie));
    }
}

fn hash(cookie: &str) -> String {
    hex(&Sha256::digest(cookie))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_of_nobody_is_no_session_and_the_oldest_goes() {
        let mut sessions = PadSessions::default();
        for ticket in 0..=MOST as u64 {
            sessions.begin(&format!("cookie {ticket}"), ticket);
        }
        assert!(sessions.get("cookie 0").is_none() && sessions.get("another").is_none());
        assert_eq!(sessions.get("cookie 1").map(|session| session.ticket), Some(1));
        sessions.end("cookie 1");
        assert!(sessions.get("cookie 1").is_none());
    }
}
