//! The pages between which people choose.

/// The pages that the window can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Page {
    /// The table, or the start screen if there is no match.
    #[default]
    Table,
    /// The match line by line, and the evening's results.
    Record,
    /// Boards and card readers.
    Devices,
    /// Decks of cards with chips.
    Decks,
    /// Rules and hands.
    Learn,
    /// Settings.
    Settings,
}

impl Page {
    pub(super) const ALL: [(Self, &'static str); 6] = [
        (Self::Table, "page-table"),
        (Self::Record, "page-record"),
        (Self::Devices, "page-devices"),
        (Self::Decks, "page-decks"),
        (Self::Learn, "page-learn"),
        (Self::Settings, "page-settings"),
    ];
}
