//! The rulings that no alert proposes and that have no key of their own, and the reasons that are usual for each order: the desk and
//! the telephone offer the same.

/// A ruling that an arbiter chooses from a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherRuling {
    /// Another time control from now on.
    Control,
    /// The game goes on as before its end.
    GoesOn,
    /// The game counts nothing and is begun again.
    Void,
    /// The match ends here.
    MatchEnds,
    /// The deal is void.
    Deal,
    /// Whatever the table's own words say.
    Typed,
}

impl OtherRuling {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 6] =
        [Self::Control, Self::GoesOn, Self::Void, Self::MatchEnds, Self::Deal, Self::Typed];

    /// Its word in a form.
    pub fn word(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::GoesOn => "goes-on",
            Self::Void => "void",
            Self::MatchEnds => "match-ends",
            Self::Deal => "deal",
            Self::Typed => "typed",
        }
    }

    /// The ruling with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ruling| ruling.word() == word)
    }

    /// The id of its words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Control => "hall-other-control",
            Self::GoesOn => "hall-other-goes-on",
            Self::Void => "hall-other-void",
            Self::MatchEnds => "hall-other-match-ends",
            Self::Deal => "hall-other-deal",
            Self::Typed => "hall-other-typed",
        }
    }

    /// The id of what else has to be said: a time control, or the words. `None` if the reason is enough.
    pub fn asks(self) -> Option<&'static str> {
        match self {
            Self::Control => Some("hall-other-which-control"),
            Self::Typed => Some("hall-other-which-words"),
            Self::GoesOn | Self::Void | Self::MatchEnds | Self::Deal => None,
        }
    }

    /// Whether it needs a reason of its own: typed words have theirs.
    pub fn needs_reason(self) -> bool {
        self != Self::Typed
    }

    /// The words that order it; `None` if something is missing.
    pub fn order(self, value: &str, reason: &str) -> Option<String> {
        let (value, reason) = (value.trim(), reason.trim());
        if (self.asks().is_some() && value.is_empty()) || (self.needs_reason() && reason.is_empty()) {
            return None;
        }
        Some(match self {
            Self::Control => format!("rule time {value} {reason}"),
            Self::GoesOn => format!("rule on {reason}"),
            Self::Void => format!("rule void {reason}"),
            Self::MatchEnds => format!("end {reason}"),
            Self::Deal => format!("fouled {reason}"),
            Self::Typed => value.to_owned(),
        })
    }
}

/// An order for which a reason is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReasonedOrder {
    /// A correction of a clock.
    Time,
    /// A result.
    Result,
    /// The last action is taken back.
    TakeBack,
    /// One of the others.
    Other(OtherRuling),
}

impl ReasonedOrder {
    /// The ids of the usual reasons, the most usual first.
    pub fn usual(self) -> &'static [&'static str] {
        match self {
            Self::Time => &["hall-why-clock", "hall-why-disturbed", "hall-why-late"],
            Self::Result => &["hall-why-left", "hall-why-telephone", "hall-why-button"],
            Self::TakeBack => &["hall-why-misread", "hall-why-button"],
            Self::Other(OtherRuling::Control) => &["hall-why-control"],
            Self::Other(OtherRuling::GoesOn) => &["hall-why-button", "hall-why-too-early"],
            Self::Other(OtherRuling::Void) => &["hall-why-start"],
            Self::Other(OtherRuling::MatchEnds) => &["hall-why-left", "hall-why-evening"],
            Self::Other(OtherRuling::Deal) => &["hall-why-card", "hall-why-dealt"],
            Self::Other(OtherRuling::Typed) => &[],
        }
    }
}

/// The words that take back the last action for this reason; `None` without one.
pub fn take_back(reason: &str) -> Option<String> {
    let reason = reason.trim();
    (!reason.is_empty()).then(|| format!("undo {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruling_without_its_reason_or_its_value_orders_nothing() {
        assert_eq!(OtherRuling::Control.order("5+3", "wrong").as_deref(), Some("rule time 5+3 wrong"));
        assert_eq!(OtherRuling::Control.order(" ", "wrong"), None);
        assert_eq!(OtherRuling::Deal.order("", " "), None);
        assert_eq!(OtherRuling::Typed.order("rule fen 8/8", "").as_deref(), Some("rule fen 8/8"));
        assert_eq!(take_back("  "), None);
        for ruling in OtherRuling::ALL {
            assert_eq!(OtherRuling::from_word(ruling.word()), Some(ruling));
        }
    }
}
