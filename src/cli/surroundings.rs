//! What a desk needs of the world that is neither time nor rule: dates, chance, and where this user's files lie.
#![expect(
    clippy::disallowed_methods,
    reason = "this room reads the date for headers, tosses the coin and draws chance for cards"
)]

use tabiya_app::desk::Surroundings;
use tabiya_app::store::folders;
use tabiya_types::Seat;

/// The settings' file in the folder for them.
pub(super) const SETTINGS: &str = "settings.json";

/// Dates, chance and the places of this user's files. Where the system has none, nothing is to be kept there.
pub(super) fn surroundings() -> Surroundings {
    Surroundings {
        date: Box::new(|| chrono::Local::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, false)),
        coin: Box::new(toss),
        chance: Box::new(|bytes| {
            getrandom::fill(bytes)
                .map_err(|error| format!("there are no random numbers: {error}; restart the computer"))
        }),
        evenings: folders::data().unwrap_or_default(),
        settings: folders::config().unwrap_or_default().join(SETTINGS),
        home: directories::UserDirs::new().map(|dirs| dirs.home_dir().to_owned()),
        locale: locale(),
    }
}

/// The language of messages, as POSIX has it: the first of these that says something.
pub(super) fn locale() -> String {
    let set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.is_empty());
    let first = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find(set);
    first.and_then(|name| std::env::var(name).ok()).unwrap_or_default()
}

/// The coin for colours.
pub(super) fn toss() -> Result<Seat, String> {
    let mut coin = [0_u8];
    getrandom::fill(&mut coin).map_err(|error| format!("no coin to toss: {error}; name A or B"))?;
    Ok(if coin[0].is_multiple_of(2) { Seat::A } else { Seat::B })
}
