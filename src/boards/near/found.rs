//! A board that was found near.

use crate::address::LiveAddress;

/// A board that answers, or that advertises itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Near {
    /// How to connect to it.
    pub address: LiveAddress,
    /// What it calls itself, or what is known of it.
    pub name: String,
}

/// A line for a list: what to write for it, and what it is.
impl std::fmt::Display for Near {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {}", self.address, self.name)
    }
}
