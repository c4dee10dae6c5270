//! Commands to one card, during a transaction that keeps other programs away.

use std::ffi::CStr;

use pcsc::{Card, Context, Protocols, ShareMode};

use super::super::apdu::{self, LONGEST_ANSWER, ReaderCommand};
use super::super::event::WriteError;
use super::super::ndef::{CardId, Record, Scan, TagContent, scan};
use super::super::tag::{Capability, FIRST_PAGE, LOCK, LOCK_PAGE, PAGES_A_READ, Uid};
use super::reports::ReaderReports;

/// Why an attempt to read, write or lock a card failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CardFailure {
    /// There is no card on the reader.
    NoCard,
    /// The card, the reader or the service did not answer.
    Lost,
    /// The answer did not end in `90 00`, or the card is not locked after the lock command.
    Refused,
    /// The card is not the expected one, or was swapped during the attempt.
    Swapped,
    /// Another program has exclusive access to the card.
    InUse,
    /// The card cannot be written. The value is the reason.
    Unfit(WriteError),
}

pub(super) fn connect(context: &Context, reader: &CStr) -> Result<Card, CardFailure> {
    context.connect(reader, ShareMode::Shared, Protocols::ANY).map_err(card_failure)
}

pub(super) fn card_failure(error: pcsc::Error) -> CardFailure {
    match error {
        pcsc::Error::NoSmartcard | pcsc::Error::RemovedCard => CardFailure::NoCard,
        pcsc::Error::SharingViolation => CardFailure::InUse,
        _ => CardFailure::Lost,
    }
}

/// A card during a transaction.
pub(super) struct CardConnection<'a> {
    pub(super) card: &'a Card,
    pub(super) reports: &'a ReaderReports,
}

impl CardConnection<'_> {
    /// Sends one command and parses its answer; `Err(CardFailure::Refused)` if `parse` returns `None`.
    pub(super) fn ask<T>(
        &mut self,
        command: ReaderCommand,
        parse: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T, CardFailure> {
        self.reports.command_sent();
        let mut room = [0; LONGEST_ANSWER];
        let answer = self.card.transmit(&command.to_bytes(), &mut room).map_err(card_failure)?;
        match answer {
            // The card was lifted during the command.
            [] => Err(CardFailure::Lost),
            answer => parse(answer).ok_or(CardFailure::Refused),
        }
    }

    pub(super) fn uid(&mut self) -> Result<Uid, CardFailure> {
        self.ask(ReaderCommand::Uid, apdu::uid)
    }

    /// Reads the card's content. Reads no more pages than are needed to know it.
    fn content(&mut self) -> Result<TagContent, CardFailure> {
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

/// Reads the UID, the content, and the UID again, so that a quick swap cannot combine one card's UID with another
/// card's content. `last` means that this is the last attempt. If the card then refuses to be read, the returned
/// content is [`TagContent::Closed`].
pub(super) fn read_card(card: &mut CardConnection<'_>, last: bool) -> Result<(Uid, TagContent), CardFailure> {
    let uid = card.uid()?;
    let content = match card.content() {
        Err(CardFailure::Refused) if last => TagContent::Closed,
        content => content?,
    };
    if card.uid()? == uid { Ok((uid, content)) } else { Err(CardFailure::Swapped) }
}

/// Writes the pages of the record in the order of [`Record::writes`], and verifies them by reading.
pub(super) fn write_card(
    card: &mut CardConnection<'_>,
    uid: Uid,
    record: &Record,
) -> Result<Record, CardFailure> {
    if card.uid()? != uid {
        return Err(CardFailure::Swapped);
    }
    let first_pages = card.ask(ReaderCommand::Read(0), apdu::pages)?;
    let capability = Capability::parse(apdu::capability(first_pages));
    let capability = capability.ok_or(CardFailure::Unfit(WriteError::NotPrepared))?;
    if !capability.writable {
        return Err(CardFailure::Unfit(WriteError::Locked));
    }
    if usize::from(capability.size) < record.area().len() {
        return Err(CardFailure::Unfit(WriteError::TooSmall));
    }
    for (page, bytes) in record.writes() {
        card.ask(ReaderCommand::Write(page, bytes), |answer| apdu::done(answer).map(|_| ()))?;
    }
    let written = card.content()?;
    if card.uid()? != uid {
        return Err(CardFailure::Swapped);
    }
    if written == TagContent::Ours(*record) { Ok(*record) } else { Err(CardFailure::Lost) }
}

/// Locks the pages of the record on the card, provided that the record has this id, and checks that the pages are
/// locked.
pub(super) fn lock_card(card: &mut CardConnection<'_>, uid: Uid, id: CardId) -> Result<Record, CardFailure> {
    if card.uid()? != uid {
        return Err(CardFailure::Swapped);
    }
    let record = match card.content()? {
        TagContent::Ours(record) if record.id == id => record,
        _ => return Err(CardFailure::Swapped),
    };
    if !apdu::is_locked(card.ask(ReaderCommand::Read(0), apdu::pages)?) {
        card.ask(ReaderCommand::Write(LOCK_PAGE, LOCK), |answer| apdu::done(answer).map(|_| ()))?;
    }
    let locked = apdu::is_locked(card.ask(ReaderCommand::Read(0), apdu::pages)?);
    if card.uid()? != uid {
        return Err(CardFailure::Swapped);
    }
    // Some tags accept the command without locking anything.
    if locked { Ok(record) } else { Err(CardFailure::Refused) }
}
