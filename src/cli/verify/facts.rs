//! What `tabiya verify` says of a match in a journal besides its chain and its signatures: from which line on signatures count,
//! whether it was begun without a key, in which file it goes on, and who opened its sealed cards.

use tabiya_app::carrying;
use tabiya_app::store::evening;
use tabiya_app::store::journal::{JournalError, JournalReader, MatchInfo};
use tabiya_app::store::keys::Keyring;
use tabiya_app::store::trust;
use tabiya_engine::record::proof::{SIGNED_FROM, signed_from};
use tabiya_engine::record::secrets::{OPENS, opening_told};
use tabiya_engine::record::{Header, Line};
use tabiya_engine::rules::GAMES;

use super::super::files;

/// Each fact as a sentence.
pub(super) fn remarks(
    reader: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<Vec<String>, JournalError> {
    let mut told = Vec::new();
    let Ok(header) = Header::parse(&info.header, GAMES) else { return Ok(told) };
    if header.is_unsigned() {
        told.push(
            "the match was begun without the key of its table, so it is not signed from its beginning"
                .to_owned(),
        );
    }
    let mut places = reader.places_of(info.id, SIGNED_FROM)?;
    places.extend(reader.places_of(info.id, OPENS)?);
    places.sort_unstable();
    let mut rulings: Vec<(u64, Line)> = Vec::new();
    for seq in places {
        let entry = reader.entries_after(info.id, seq.saturating_sub(1), 1)?.pop();
        rulings.extend(entry.and_then(|entry| Some((seq, Line::parse(&entry.line, &header).ok()?))));
    }
    // A ruling that names another line than its own is not the table's.
    let own = |(seq, line): &&(u64, Line)| signed_from([line].into_iter()) == Some(seq + 1);
    let all = rulings.iter().filter(own).map(|(_, line)| line);
    told.extend(
        signed_from(all)
            .map(|from| format!("signatures count from line {from} on: an arbiter's ruling there says why")),
    );
    let number = |seq: u64| u32::try_from(seq + 1).unwrap_or(u32::MAX);
    told.extend(
        rulings
            .iter()
            .filter_map(|(seq, line)| opening_told(number(*seq), line))
            .map(|said| said.to_string()),
    );
    let other = carrying::goes_on(reader, info, keys)?;
    told.extend(other.map(|other| format!("the match goes on in {}", files::shown(&other))));
    told.extend(trust::openings_damaged(keys, &info.name()).map(|said| said.to_string()));
    Ok(told)
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
