//! What an examination of this computer found.

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Whether it is as it should be.
    pub good: bool,
    /// What was found, and what to do if it is not good.
    pub text: String,
}

impl Finding {
    /// It is as it should be.
    pub fn good(text: impl Into<String>) -> Self {
        Self { good: true, text: text.into() }
    }

    /// It is not; the text says what to do.
    pub fn bad(text: impl Into<String>) -> Self {
        Self { good: false, text: text.into() }
    }
}

/// `ok` or `!!` and what was found.
impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {}", if self.good { "ok" } else { "!!" }, self.text)
    }
}
