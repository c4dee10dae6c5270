//! The card readers of a match: which readers are connected, and who owns each reader. Owners are learned from the
//! cards that are laid on the readers.

use std::collections::{BTreeMap, BTreeSet};

use tabiya_boards::TagChange;
use tabiya_cards::deck::Deck;
use tabiya_cards::{ReaderName, TagContent, Uid, ndef};
use tabiya_types::{Instant, Millis, Seat};

use crate::view::Owner;

/// The time after a board or box is connected in which its readers may report the cards that were already there. So a
/// reader's first report within this time does not count as a new card.
const FIRST_REPORTS: Millis = Millis(500);

/// The deck in use, and the readers that read its cards.
#[derive(Debug)]
pub(super) struct Readers {
    pub(super) deck: Deck,
    /// The connected PC/SC readers, each with its owner, if one is known.
    present: BTreeMap<ReaderName, Option<Seat>>,
    /// The dealer's reader, on which dealt cards are read, if one is known.
    dealer: Option<ReaderName>,
    /// For each reader that is built into the board or the box, the last tag on it; `None` if the reader was empty. The
    /// tags are stored because the board and the box report them again after each connection.
    behind: BTreeMap<BuiltInReader, Option<Uid>>,
    /// The times at which the board and the box were last connected.
    connected: BTreeMap<ReaderDevice, Instant>,
    /// The built-in readers that have reported something since their device was last connected.
    heard: BTreeSet<BuiltInReader>,
}

/// A reader built into the board or the box: the device, and the reader's number in it.
pub(super) type BuiltInReader = (ReaderDevice, u8);

/// The device that a built-in reader belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ReaderDevice {
    /// The board.
    Board,
    /// The card-reader box beside the board.
    Box,
}

/// The meaning of a report about a tag.
pub(super) enum TagReport {
    /// A card was laid down.
    Laid(Uid, TagContent),
    /// A card is on the reader, but it was there before the device was connected.
    Lies,
    /// The report does not count as a card.
    Nothing,
}

impl Readers {
    pub(super) fn new(deck: Deck) -> Self {
        Self {
            deck,
            present: BTreeMap::new(),
            dealer: None,
            behind: BTreeMap::new(),
            connected: BTreeMap::new(),
            heard: BTreeSet::new(),
        }
    }

    pub(super) fn has(&self, reader: &ReaderName) -> bool {
        self.present.contains_key(reader)
    }

    pub(super) fn none_there(&self) -> bool {
        self.present.is_empty()
    }

    pub(super) fn came(&mut self, reader: &ReaderName) {
        self.present.insert(reader.clone(), None);
    }

    pub(super) fn gone(&mut self, reader: &ReaderName) {
        self.present.remove(reader);
        self.dealer.take_if(|dealer| dealer == reader);
    }

    /// Notes that a board or a box was connected. The device will first report the cards that are on its readers.
    pub(super) fn connected(&mut self, place: ReaderDevice, at: Instant) {
        self.connected.insert(place, at);
        self.heard.retain(|(of, _)| *of != place);
        self.behind.retain(|(of, _), _| *of != place);
    }

    /// Handles a change of the tag on a built-in reader, and returns what the change means.
    pub(super) fn tag(&mut self, reader: BuiltInReader, news: &TagChange, at: Instant) -> TagReport {
        let first = self.heard.insert(reader);
        match news {
            TagChange::Here { uid, ndef } => {
                let Ok(uid) = Uid::new(uid) else { return TagReport::Nothing };
                if self.behind.insert(reader, Some(uid)) == Some(Some(uid)) {
                    return TagReport::Nothing;
                }
                let connected = self.connected.get(&reader.0);
                let at_first = connected.is_some_and(|connected| at.since(*connected) < FIRST_REPORTS);
                if first && at_first {
                    return TagReport::Lies;
                }
                TagReport::Laid(uid, ndef.as_deref().map_or(TagContent::Closed, ndef::content_of_message))
            }
            TagChange::Gone { .. } | TagChange::Empty => {
                self.behind.insert(reader, None);
                TagReport::Nothing
            }
            TagChange::Several | TagChange::NoReader => TagReport::Nothing,
        }
    }

    /// The readers that do not belong to the dealer.
    fn players(&self) -> impl Iterator<Item = (&ReaderName, Option<Seat>)> {
        let others = self.present.iter().filter(|(name, _)| self.dealer.as_ref() != Some(*name));
        others.map(|(name, owner)| (name, *owner))
    }

    /// The owner of this reader, according to what is known so far.
    pub(super) fn owner(&self, reader: &ReaderName) -> Owner {
        let taken = |seat: Seat| self.players().any(|(_, owner)| owner == Some(seat));
        match self.present.get(reader).copied().flatten() {
            _ if self.dealer.as_ref() == Some(reader) => Owner::Dealer,
            _ if self.players().count() < 2 => Owner::Both,
            Some(seat) => Owner::Seat(seat),
            None if Seat::ALL.into_iter().all(taken) => Owner::Both,
            None => Owner::Nobody,
        }
    }

    /// Returns the owner of this reader, after a card was laid on it in the turn of seat `turn`. If the reader belonged
    /// to nobody, it now belongs to the player of this seat. If the players have two readers, the other reader then
    /// belongs to the opponent.
    ///
    /// `deals` means that cards are also read while they are dealt. As long as the dealer's reader is unknown, this
    /// reader may then be the dealer's. So no owner is learned if at most two readers are connected.
    pub(super) fn owner_in_turn(&mut self, reader: &ReaderName, turn: Option<Seat>, deals: bool) -> Owner {
        let may_be_dealers = deals && self.dealer.is_none() && self.present.len() < 3;
        if let (Owner::Nobody, Some(seat), false) = (self.owner(reader), turn, may_be_dealers)
            && !self.players().any(|(_, owner)| owner == Some(seat))
        {
            self.give(reader, Some(seat));
        }
        match self.owner(reader) {
            Owner::Nobody if may_be_dealers => Owner::Both,
            owner => owner,
        }
    }

    /// Assigns this reader to a player; `None` assigns it to nobody. If the players have two readers, the other reader
    /// becomes the opponent's. An assigned reader is no longer the dealer's.
    pub(super) fn give(&mut self, reader: &ReaderName, to: Option<Seat>) {
        self.dealer.take_if(|dealer| dealer == reader);
        for (name, owner) in &mut self.present {
            if name == reader {
                *owner = to;
            } else if to.is_some() && *owner == to {
                *owner = None;
            }
        }
        let dealer = self.dealer.as_ref();
        let mut others = self.present.iter_mut().filter(|(name, _)| *name != reader && Some(*name) != dealer);
        if let (Some((_, owner)), None, Some(seat)) = (others.next(), others.next(), to) {
            *owner = Some(seat.other());
        }
    }

    /// Whether the dealer's reader is known, and is a different reader from this one.
    pub(super) fn dealer_is_another(&self, reader: &ReaderName) -> bool {
        self.dealer.as_ref().is_some_and(|dealer| dealer != reader)
    }

    /// Learns the owners of the readers from the first two cards of a deal. `first` contains the reader on which the
    /// first card was laid, and the seat that got this card. `second` contains the same for the second card. Returns
    /// whether anything was learned.
    pub(super) fn learn_from_first_cards(
        &mut self,
        first: (&ReaderName, Seat),
        second: (&ReaderName, Seat),
    ) -> bool {
        let known = |reader: &ReaderName| self.present.get(reader).copied().flatten().is_some();
        if self.present.len() < 2 || self.dealer.is_some() || known(first.0) || known(second.0) {
            return false;
        }
        if first.0 == second.0 {
            self.dealer = Some(first.0.clone());
        } else {
            for (reader, seat) in [first, second] {
                self.present.insert(reader.clone(), Some(seat));
            }
        }
        true
    }

    /// Forgets the owners of all readers.
    pub(super) fn forget_owners(&mut self) {
        self.dealer = None;
        self.present.values_mut().for_each(|owner| *owner = None);
    }
}
