//! What the desk of a window or terminal needs from the system: the date, random numbers, and the folders of this
//! user's files.
#![expect(
    clippy::disallowed_methods,
    reason = "this module reads the date for headers, tosses the coin and draws random numbers for cards"
)]

use std::sync::Once;
use std::time::SystemTime;

use chrono::{DateTime, Datelike as _, Local};
use tabiya_app::desk::{Environment, RandomSource};
use tabiya_store::folders;
pub(super) use tabiya_store::folders::SETTINGS;
use tabiya_store::settings::Settings;
use tabiya_types::{Seat, harmless};

/// The features with which the program was built.
pub(super) const FEATURES: &[&str] = match (cfg!(feature = "window"), cfg!(feature = "pcsc")) {
    (true, true) => &["window", "pcsc"],
    (true, false) => &["window"],
    (false, true) => &["pcsc"],
    (false, false) => &[],
};

/// Returns the date, random numbers and folders for a desk. If the system names no folder for data or settings, the
/// path is empty, and the caller should not write files there.
pub(super) fn surroundings() -> Environment {
    Environment {
        date: Box::new(date),
        coin: Box::new(toss),
        chance: random_source(),
        evenings: folders::data().unwrap_or_default(),
        settings: folders::config().unwrap_or_default().join(SETTINGS),
        documents: folders::documents(),
        home: directories::UserDirs::new().map(|dirs| dirs.home_dir().to_owned()),
        locale: locale(),
        features: FEATURES,
    }
}

/// Reads this user's settings, and changes nothing. If the file is missing or unreadable, returns the default settings.
/// Prints once what is wrong with the file.
pub(super) fn settings() -> Settings {
    let Ok(folder) = folders::config() else { return Settings::default() };
    let (settings, trouble) = Settings::read(&folder.join(SETTINGS));
    tell_settings(trouble);
    settings
}

/// Prints what is wrong with the settings, if nothing was printed about them yet: a command reads them several times.
pub(super) fn tell_settings(trouble: Option<String>) {
    static TOLD: Once = Once::new();
    if let Some(trouble) = trouble {
        TOLD.call_once(|| super::output::complain(&harmless(&trouble)));
    }
}

/// Returns the present date and time as in a record's header (RFC 3339, the local time with its offset).
pub(super) fn date() -> Result<String, String> {
    local_date(SystemTime::now()).map(|now| now.to_rfc3339_opts(chrono::SecondsFormat::Secs, false))
}

/// The local date of a moment. `Err` if the computer's clock is so wrong that the moment has no usual date.
fn local_date(moment: SystemTime) -> Result<DateTime<Local>, String> {
    let since = moment.duration_since(SystemTime::UNIX_EPOCH).ok();
    let utc = since
        .and_then(|since| DateTime::from_timestamp(since.as_secs().try_into().ok()?, since.subsec_nanos()));
    utc.filter(|utc| utc.year() < 9999).map(|utc| utc.with_timezone(&Local)).ok_or_else(|| {
        "the computer's date is before 1970 or after 9998; set its clock, then try again".to_owned()
    })
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_date_before_1970_or_in_9999_is_a_sentence() {
        let epoch = SystemTime::UNIX_EPOCH;
        let year_9999 = Duration::from_secs(253_400_000_000);
        for moment in [epoch - Duration::from_secs(1), epoch + year_9999, epoch + 9 * year_9999] {
            let told = local_date(moment).expect_err("no usual date");
            assert!(told.contains("set its clock"), "{told}");
        }
        assert_eq!(local_date(epoch + Duration::from_hours(24 * 365)).map(|date| date.year()), Ok(1971));
    }
}
