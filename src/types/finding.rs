//! A result of a check of this computer, as `tabiya devices doctor` prints it.

/// The result of one check of this computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Whether the check passed.
    pub good: bool,
    /// What the check found; if it failed, also what to do.
    pub text: String,
}

impl Finding {
    /// Creates the finding of a check that passed.
    pub fn good(text: impl Into<String>) -> Self {
        Self { good: true, text: text.into() }
    }

    /// Creates the finding of a check that failed; the text says what to do.
    pub fn bad(text: impl Into<String>) -> Self {
        Self { good: false, text: text.into() }
    }
}

/// Writes `ok` or `!!` and the text of the finding.
impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {}", if self.good { "ok" } else { "!!" }, self.text)
    }
}
