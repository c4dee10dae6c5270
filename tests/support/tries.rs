//! How often a test tries what chance decides, and what it says about it. `tests/run faults` asks for more tries than the
//! ordinary tests, and collects what they say.
#![allow(clippy::print_stdout, reason = "`cargo test -- --nocapture` shows what was tried")]

/// The number of tries that this environment variable says, or the usual number.
pub(crate) fn tries(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The seed with which random tests begin, so that several runs try different things.
pub(crate) fn seed(usual: u64) -> u64 {
    tries("TABIYA_SEED", usual)
}

/// Says what was tried: one row of the table of faults.
pub(crate) fn report(what: &str) {
    println!("| {what} |");
}
