//! What `tabiya verify` says of a match besides its chain and its signatures: from which line on signatures count, whether it
//! was begun without a key, in which file it goes on, who confirmed its results, and who opened its sealed cards.

use tabiya_app::seating;
use tabiya_engine::record::proof::{SIGNED_FROM, signed_from};
use tabiya_engine::record::secrets::{OPENS, opening_told};
use tabiya_engine::record::{Header, Line, Replay, sheet};
use tabiya_engine::rules::GAMES;
use tabiya_store::evening;
use tabiya_store::heads::Heads;
use tabiya_store::journal::{JournalError, JournalReader, MatchInfo};
use tabiya_store::keys::Keyring;
use tabiya_store::trust;

use super::super::files;

/// What is told of a match in a journal: each fact as a sentence.
pub(super) fn remarks(
    reader: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<Vec<String>, JournalError> {
    let Ok(header) = Header::parse(&info.header, GAMES) else { return Ok(Vec::new()) };
    let mut places = reader.places_of(info.id, SIGNED_FROM)?;
    places.extend(reader.places_of(info.id, OPENS)?);
    places.sort_unstable();
    let mut rulings: Vec<(u32, Line)> = Vec::new();
    for seq in places {
        let entry = reader.entries_after(info.id, seq.saturating_sub(1), 1)?.pop();
        let number = u32::try_from(seq + 1).unwrap_or(u32::MAX);
        rulings.extend(entry.and_then(|entry| Some((number, Line::parse(&entry.line, &header).ok()?))));
    }
    let mut told = of_rulings(&header, &rulings);
    let other = seating::goes_on(reader, info, keys)?;
    told.extend(other.map(|other| format!("the match goes on in {}", files::shown(&other))));
    if !reader.places_of(info.id, "signs")?.is_empty() {
        told.extend(evening::fold(reader, info).iter().flat_map(confirmations));
    }
    told.extend(trust::openings_damaged(keys, &info.name()).map(|said| said.to_string()));
    Ok(told)
}

/// Who confirmed the result of each game of a match, where somebody did.
pub(super) fn confirmations(replay: &Replay) -> Vec<String> {
    let games = replay.table().played_games();
    let confirmed = |(number, played)| Some(format!("game {number}: {}", sheet::confirmed(played)?));
    (1_usize..).zip(&games).filter_map(confirmed).collect()
}

/// What the header and the rulings of a match say of its signatures and its sealed cards. Each ruling comes with its number.
pub(super) fn of_rulings(header: &Header, rulings: &[(u32, Line)]) -> Vec<String> {
    let mut told = Vec::new();
    if header.is_unsigned() {
        told.push(
            "the match was begun without the key of its table, so it is not signed from its beginning"
                .to_owned(),
        );
    }
    // A ruling that names another line than its own is not the table's.
    let own = |(number, line): &&(u32, Line)| signed_from([line].into_iter()) == Some(u64::from(*number));
    let all = rulings.iter().filter(own).map(|(_, line)| line);
    told.extend(
        signed_from(all)
            .map(|from| format!("signatures count from line {from} on: an arbiter's ruling there says why")),
    );
    let openings = rulings.iter().filter_map(|(number, line)| opening_told(*number, line));
    told.extend(openings.map(|said| said.to_string()));
    told
}

/// Says of a match that nothing beside it signs, why it should be signed; `None` if it may be an older program's. `earlier` are
/// the matches before it in its file: a program that signs does not cease to.
pub(super) fn unsigned<'a>(
    info: &MatchInfo,
    keys: &Keyring,
    beside: &Heads,
    earlier: impl Iterator<Item = &'a MatchInfo>,
) -> Option<&'static str> {
    let header = Header::parse(&info.header, GAMES).ok()?;
    if header.is_unsigned() || info.entries == 0 {
        return None;
    }
    if keys.noted(&info.name()).is_some() {
        Some(
            "this computer's table has written it, but no signed head of it is here: they were removed, or could not be written",
        )
    } else if beside.sign_one_of(earlier.map(|info| info.uid.as_str())) {
        Some(
            "an earlier match of this file is signed, and this one is not: its signed heads were removed, or its table had no key",
        )
    } else {
        None
    }
}

/// What the keys of this computer know against the record: cards were shown by a line that it does not have, or it is not as
/// far as, or not, what this table wrote into this file.
pub(super) fn accusation(
    reader: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<Option<String>, JournalError> {
    let missing = evening::missing_openings(reader, info, keys)?;
    let mut said: Vec<String> = missing.iter().map(ToString::to_string).collect();
    said.extend(trust::noted_doubt(reader, info, keys)?.map(|doubt| format!("the record {doubt}")));
    Ok((!said.is_empty()).then(|| said.join("; ")))
}
