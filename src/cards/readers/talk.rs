//! Questions to one card, held for as long as they take.

use std::ffi::CStr;

use pcsc::{Card, Context, Protocols, ShareMode};

use super::super::apdu::{self, LONGEST_ANSWER, ReaderCommand};
use super::super::event::WriteError;
use super::super::ndef::{CardId, Record, Scan, TagContent, scan};
use super::super::tag::{Capability, FIRST_PAGE, LOCK, LOCK_PAGE, PAGES_A_READ, Uid};
use super::voice::ReaderReports;

/// Why an attempt came to nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stumble {
    /// There is no card.
    NoCard,
    /// The card, the reader or the service did not answer.
    Lost,
    /// The answer was not `90 00`.
    Refused,
    /// Another card answered in the end than in the beginning.
    Swapped,
    /// Another program has the card for itself.
    InUse,
    /// The card is not what can be written.
    Unfit(WriteError),
}

pub(super) fn connect(context: &Context, reader: &CStr) -> Result<Card, Stumble> {
    context.connect(reader, ShareMode::Shared, Protocols::ANY).map_err(stumble)
}

pub(super) fn stumble(error: pcsc::Error) -> Stumble {
    match error {
        pcsc::Error::NoSmartcard | pcsc::Error::RemovedCard => Stumble::NoCard,
        pcsc::Error::SharingViolation => Stumble::InUse,
        _ => Stumble::Lost,
    }
}

/// A card that is held for as long as it is read.
pub(super) struct CardConnection<'a> {
    pub(super) card: &'a Card,
    pub(super) voice: &'a ReaderReports,
}

impl CardConnection<'_> {
    /// One question; what `understood` makes of the answer.
    pub(super) fn ask<T>(
        &mut self,
        command: ReaderCommand,
        understood: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T, Stumble> {
        self.voice.asks();
        let mut room = [0; LONGEST_ANSWER];
        let answer = self.card.transmit(&command.to_bytes(), &mut room).map_err(stumble)?;
        match answer {
            // A card that went while it was asked.
            [] => Err(Stumble::Lost),
            answer => understood(answer).ok_or(Stumble::Refused),
        }
    }

    pub(super) fn uid(&mut self) -> Result<Uid, Stumble> {
        self.ask(ReaderCommand::Uid, apdu::uid)
    }

    /// What is written on it, read no further than needed.
    fn content(&mut self) -> Result<TagContent, Stumble> {
        let mut area = Vec::new();
        let mut page = FIRST_PAGE;
        loop {
            match scan(&area) {
                Scan::Is(content) => return Ok(content),
                Scan::More => area.extend(self.ask(ReaderCommand::Read(page), apdu::pages)?),
            }
            page = page.saturating_add(PAGES_A_READ);
        }
    }
}

/// UID, content, and the UID again: a card that is laid quickly in another's place must not get its content. A card
/// that does not let itself be read even at the last attempt still has its UID.
pub(super) fn read_card(card: &mut CardConnection<'_>, last: bool) -> Result<(Uid, TagContent), Stumble> {
    let uid = card.uid()?;
    let content = match card.content() {
        Err(Stumble::Refused) if last => TagContent::Closed,
        content => content?,
    };
    if card.uid()? == uid { Ok((uid, content)) } else { Err(Stumble::Swapped) }
}

/// Writes the pages in their order, and reads them again.
pub(super) fn write_card(
    card: &mut CardConnection<'_>,
    uid: Uid,
    record: &Record,
) -> Result<Record, Stumble> {
    if card.uid()? != uid {
        return Err(Stumble::Swapped);
    }
    let first_pages = card.ask(ReaderCommand::Read(0), apdu::pages)?;
    let capability = Capability::parse(apdu::capability(first_pages));
    let capability = capability.ok_or(Stumble::Unfit(WriteError::NotPrepared))?;
    if !capability.writable {
        return Err(Stumble::Unfit(WriteError::Locked));
    }
    if usize::from(capability.size) < record.area().len() {
        return Err(Stumble::Unfit(WriteError::TooSmall));
    }
    for (page, bytes) in record.writes() {
        card.ask(ReaderCommand::Write(page, bytes), |answer| apdu::done(answer).map(|_| ()))?;
    }
    let written = card.content()?;
    if card.uid()? != uid {
        return Err(Stumble::Swapped);
    }
    if written == TagContent::Ours(*record) { Ok(*record) } else { Err(Stumble::Lost) }
}

/// Locks the pages with a record of this id, and looks whether they are.
pub(super) fn lock_card(card: &mut CardConnection<'_>, uid: Uid, id: CardId) -> Result<Record, Stumble> {
    if card.uid()? != uid {
        return Err(Stumble::Swapped);
    }
    let record = match card.content()? {
        TagContent::Ours(record) if record.id == id => record,
        _ => return Err(Stumble::Swapped),
    };
    if !apdu::is_locked(card.ask(ReaderCommand::Read(0), apdu::pages)?) {
        card.ask(ReaderCommand::Write(LOCK_PAGE, LOCK), |answer| apdu::done(answer).map(|_| ()))?;
    }
    let locked = apdu::is_locked(card.ask(ReaderCommand::Read(0), apdu::pages)?);
    if card.uid()? != uid {
        return Err(Stumble::Swapped);
    }
    // A tag that takes the command and does nothing cannot be locked so.
    if locked { Ok(record) } else { Err(Stumble::Refused) }
}
