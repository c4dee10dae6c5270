//! What the prompt at the head of the table's middle says.

/// What the prompt says.
pub(super) struct Said {
    pub(super) title: String,
    /// A second, weaker line.
    pub(super) under: String,
    /// A refusal or fault, which takes the second line's place.
    pub(super) wrong: Option<String>,
    /// Whether it asks something.
    pub(super) asks: bool,
    /// What is told by ear besides.
    pub(super) heard: Option<String>,
}

impl Said {
    /// What is said of a result.
    pub(super) fn result(title: String, under: String) -> Self {
        Self { title, under, wrong: None, asks: false, heard: None }
    }
}
