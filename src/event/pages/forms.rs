//! The numbers of pages: of a page's forms one can be sent, once, so that a double tap does something once. A value.

use std::collections::BTreeSet;

use tabiya_types::{Sentence, say};

/// How many pages back a form may still be sent.
const OLDEST: u64 = 512;

/// The pages that a telephone was shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Forms {
    newest: u64,
    sent: BTreeSet<u64>,
}

impl Forms {
    /// The number of a new page.
    pub(crate) fn next(&mut self) -> u64 {
        self.newest += 1;
        let oldest = self.newest.saturating_sub(OLDEST);
        self.sent.retain(|sent| *sent > oldest);
        self.newest
    }

    /// The number of the newest page.
    pub(crate) fn newest(&self) -> u64 {
        self.newest
    }

    /// Takes a form that is sent. `false` if one of its page was sent before, or if it is too old to know.
    pub(crate) fn take(&mut self, number: u64) -> bool {
        let oldest = self.newest.saturating_sub(OLDEST);
        (oldest + 1..=self.newest).contains(&number) && self.sent.insert(number)
    }
}

/// What is said about a form that is not new.
pub(crate) fn old_page() -> Sentence {
    say!("phone-old-page", "this page was sent before, or it is old; look at the newest")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_sent_once_and_an_old_one_not_at_all() {
        let mut forms = Forms::default();
        let first = forms.next();
        assert!(forms.take(first) && !forms.take(first));
        assert!(!forms.take(0) && !forms.take(first + 1), "no such page was shown");
        let second = forms.next();
        for _ in 0..OLDEST {
            forms.next();
        }
        assert!(!forms.take(second), "it is too old");
    }
}
