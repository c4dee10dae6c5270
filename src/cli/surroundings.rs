//! What the desk of a window or terminal needs from the system: the date, random numbers, and the folders of this
//! user's files.
#![expect(
    clippy::disallowed_methods,
    reason = "this module reads the date for headers, tosses the coin and draws random numbers for cards"
)]

use tabiya_app::desk::{Environment, RandomSource};
use tabiya_app::store::folders;
use tabiya_types::Seat;

/// The name of the settings file in the user's configuration folder.
pub(super) const SETTINGS: &str = "settings.json";

/// Returns the date, random numbers and folders for a desk. If the system names no folder for data or settings, the
/// path is empty, and the caller should not write files there.
pub(super) fn surroundings() -> Environment {
    Environment {
        date: Box::new(|| chrono::Local::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, false)),
        coin: Box::new(toss),
        chance: random_source(),
        evenings: folders::data().unwrap_or_default(),
        settings: folders::config().unwrap_or_default().join(SETTINGS),
        home: directories::UserDirs::new().map(|dirs| dirs.home_dir().to_owned()),
        locale: locale(),
    }
}

/// Returns the system's source of random numbers.
pub(super) fn random_source() -> RandomSource {
    Box::new(|bytes| {
        getrandom::fill(bytes)
            .map_err(|error| format!("the system provides no random numbers: {error}; restart the computer"))
    })
}

/// Returns the locale for messages as POSIX defines it: the first of three variables that is not empty, else an empty
/// string.
pub(super) fn locale() -> String {
    let set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.is_empty());
    let first = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find(set);
    first.and_then(|name| std::env::var(name).ok()).unwrap_or_default()
}

/// Tosses a coin for who has White first; `Err` if the system provides no random numbers.
pub(super) fn toss() -> Result<Seat, String> {
    let mut coin = [0_u8];
    getrandom::fill(&mut coin)
        .map_err(|error| format!("the coin cannot be tossed: {error}; name A or B instead of the coin"))?;
    Ok(if coin[0].is_multiple_of(2) { Seat::A } else { Seat::B })
}
