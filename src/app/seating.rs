//! Sitting down to a match: it is begun, or carried on from its record. Command line, window and an event's orders do it in
//! this one way.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_engine::record::Header;
use tabiya_engine::record::card_file::CardFile;
use tabiya_store::evening;
use tabiya_store::follow::Follower;
use tabiya_store::journal::{Journal, JournalError, JournalReader, MatchInfo};
use tabiya_store::keeper::{JournalKeeper, Keeper};
use tabiya_store::keys::Keyring;
use tabiya_store::pgn_file::PgnFile;
use tabiya_store::trust;
use tabiya_types::Instant;

use crate::own_cards::has_cards;
use crate::session::Session;

/// The member of a header that names the event of its match.
pub const EVENT: &str = "x-event";
/// The member of a header that has the number of the table at which its match is played.
pub const TABLE: &str = "x-table";

/// The member of a line and of a header that keeps the order of an event which it came from.
pub const ORDER: &str = "x-order";

/// Makes a follower of the record in this file.
pub type FollowRecord = dyn Fn(&Path) -> Box<dyn Follower> + Send + Sync;

/// A table's place in an event: its matches say so in their headers, and the event's consoles follow their records.
#[derive(Clone)]
pub struct EventPlace {
    /// The event, 16 hexadecimal digits.
    pub event: String,
    /// The table's number, from 1.
    pub table: u16,
    /// Who follows a record of this table.
    pub follow: Arc<FollowRecord>,
}

impl fmt::Debug for EventPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventPlace")
            .field("event", &self.event)
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

/// What a match is kept and played with.
#[derive(Clone, Debug)]
pub struct Keeping {
    /// The keys with which the record is signed and its cards are sealed.
    pub keys: Keyring,
    /// The folder into which the record is copied as it is written, if one is named.
    pub copy: Option<PathBuf>,
    /// The table's place in an event, if it belongs to one.
    pub event: Option<EventPlace>,
    /// The file of the match's PGN, if one is kept.
    pub pgn: Option<PathBuf>,
    /// The file of the cards that the players own. A game without such cards ignores it.
    pub cards: Option<CardFile>,
}

/// A match to which people sit down.
#[derive(Debug)]
pub struct Seated {
    /// Its session.
    pub session: Session,
    /// The moment of the match at which play goes on: zero for one that was begun.
    pub at: Instant,
    /// What people are told of the record's file, if anything.
    pub told: Option<String>,
}

/// Begins a match with this header in an open journal; without one, no record is kept.
pub fn begin(journal: Option<Journal>, mut header: Header, with: Keeping) -> Result<Seated, JournalError> {
    let told = journal.as_ref().and_then(|journal| trust::match_removed(journal.reader()));
    let keeper = match journal {
        None => None,
        Some(journal) => {
            let path = journal.path().to_owned();
            if let Some(place) = &with.event {
                header.set_extension(EVENT, place.event.as_str());
                header.set_extension(TABLE, u64::from(place.table));
            }
            let keeper = JournalKeeper::begin(journal, &mut header, with.keys.clone())?;
            Some(Box::new(followed(keeper, &path, &with)) as Box<dyn Keeper>)
        }
    };
    let mut session = Session::new(header, keeper, with.pgn.map(PgnFile::keeper));
    lay_cards(&mut session, with.cards);
    Ok(Seated { session, at: Instant::ZERO, told: told.map(|told| told.to_string()) })
}

/// Carries on the match of this number: asks signatures and notes whether its record is the one that the table wrote. The
/// error is a sentence.
pub fn carry_on(journal: Journal, id: i64, with: Keeping) -> Result<Seated, String> {
    let plain = |error: JournalError| error.to_string();
    let (info, kept) = evening::open(journal.reader(), id, &with.keys)?;
    let mut resumed = trust::resume_point(journal.reader(), &info, &with.keys).map_err(plain)?;
    resumed.remarks.extend(trust::match_removed(journal.reader()));
    let path = journal.path().to_owned();
    let at = resumed.stopped;
    let keeper = JournalKeeper::carry_on(journal, &info, with.keys.clone(), (at, resumed.doubt.is_some()));
    let keeper = Box::new(followed(keeper, &path, &with));
    let pgn = with.pgn.map(PgnFile::keeper);
    let mut session = Session::carry_on(kept.header, kept.lines, at, Some(keeper), pgn)
        .map_err(|fault| format!("the match cannot be carried on: {fault}"))?;
    session.tell_doubts(kept.closed.as_ref(), resumed.doubt.as_ref(), resumed.opened, resumed.remarks);
    lay_cards(&mut session, with.cards);
    Ok(Seated { session, at, told: None })
}

/// The keeper of a match that was laid down and is on the table again. The error is a sentence.
pub(crate) fn kept_again(journal: Journal, uid: &str, with: &Keeping) -> Result<Box<dyn Keeper>, String> {
    let plain = |error: JournalError| error.to_string();
    let path = journal.path().to_owned();
    let info = journal.matches().map_err(plain)?.into_iter().find(|info| info.uid == uid);
    let info =
        info.ok_or_else(|| format!("{}: the match is not there any more", tabiya_types::shown(&path)))?;
    let resumed = trust::resume_point(journal.reader(), &info, &with.keys).map_err(plain)?;
    let point = (resumed.stopped, resumed.doubt.is_some());
    let keeper = JournalKeeper::carry_on(journal, &info, with.keys.clone(), point);
    Ok(Box::new(followed(keeper, &path, with)))
}

/// The keeper of the record in this file, with those who follow it.
fn followed(keeper: JournalKeeper, path: &Path, with: &Keeping) -> JournalKeeper {
    let keeper = keeper.with_copy(path, with.copy.as_deref());
    match &with.event {
        Some(place) => keeper.followed((place.follow)(path)),
        None => keeper,
    }
}

/// Lets a match know the cards of the players' file, if its game can use them.
fn lay_cards(session: &mut Session, cards: Option<CardFile>) {
    if let Some(cards) = cards.filter(|_| has_cards(session.table().agreement().game)) {
        session.use_card_file(cards);
    }
}

/// The file in which this match goes on, if it does: its record had to go on under another name, or it was carried on in a
/// copy. Whoever carries on the older file is asked first.
pub fn goes_on(
    journal: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<Option<PathBuf>, JournalError> {
    let of = info.name();
    trust::goes_on(journal, info, keys.noted(&of).as_ref())
}
