//! Card readers at a table: which are there, and whose each is, as far as the cards laid on them have told.

use std::collections::{BTreeMap, BTreeSet};

use tabiya_boards::TagNews;
use tabiya_cards::deck::Deck;
use tabiya_cards::{ReaderName, TagContent, Uid, ndef};
use tabiya_types::{Instant, Millis, Seat};

/// For so long after it was connected a board or a box tells what lay on its readers before: of each first that.
const TELLS_WHAT_LIES: Millis = Millis(500);

/// The deck in play and the readers it is read with.
#[derive(Debug)]
pub(super) struct Readers {
    pub(super) deck: Deck,
    /// The readers that are there, and whose each is, as far as taps have told.
    there: BTreeMap<ReaderName, Option<Seat>>,
    /// The one that cards are dealt over, if it is no player's.
    dealer: Option<ReaderName>,
    /// What lay last on each reader behind a board or in a box, if anything did: those tell everything anew with each
    /// connection.
    behind: BTreeMap<Behind, Option<Uid>>,
    /// When the board and the box were connected last.
    connected: BTreeMap<ReaderOwner, Instant>,
    /// Of which of those readers anything was told since.
    heard: BTreeSet<Behind>,
}

/// A reader that is no PC/SC reader, by its number in the device that it belongs to.
pub(super) type Behind = (ReaderOwner, u8);

/// What such a reader belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ReaderOwner {
    /// The board.
    Board,
    /// The box beside it.
    Box,
}

/// What came of a tag that was told.
pub(super) enum TagReport {
    /// A card was laid down.
    Laid(Uid, TagContent),
    /// One lies there that was there before.
    Lies,
    /// Nothing that counts for a card.
    Nothing,
}

impl Readers {
    pub(super) fn new(deck: Deck) -> Self {
        Self {
            deck,
            there: BTreeMap::new(),
            dealer: None,
            behind: BTreeMap::new(),
            connected: BTreeMap::new(),
            heard: BTreeSet::new(),
        }
    }

    pub(super) fn has(&self, reader: &ReaderName) -> bool {
        self.there.contains_key(reader)
    }

    pub(super) fn none_there(&self) -> bool {
        self.there.is_empty()
    }

    pub(super) fn came(&mut self, reader: &ReaderName) {
        self.there.insert(reader.clone(), None);
    }

    pub(super) fn gone(&mut self, reader: &ReaderName) {
        self.there.remove(reader);
        self.dealer.take_if(|dealer| dealer == reader);
    }

    /// A board or a box was connected: it tells first what lies on its readers.
    pub(super) fn connected(&mut self, place: ReaderOwner, at: Instant) {
        self.connected.insert(place, at);
        self.heard.retain(|(of, _)| *of != place);
        self.behind.retain(|(of, _), _| *of != place);
    }

    /// What lies on a reader behind a board or in a box.
    pub(super) fn tag(&mut self, reader: Behind, news: &TagNews, at: Instant) -> TagReport {
        let first = self.heard.insert(reader);
        match news {
            TagNews::Here { uid, ndef } => {
                let Ok(uid) = Uid::new(uid) else { return TagReport::Nothing };
                if self.behind.insert(reader, Some(uid)) == Some(Some(uid)) {
                    return TagReport::Nothing;
                }
                let connected = self.connected.get(&reader.0);
                let at_first = connected.is_some_and(|connected| at.since(*connected) < TELLS_WHAT_LIES);
                if first && at_first {
                    return TagReport::Lies;
                }
                TagReport::Laid(uid, ndef.as_deref().map_or(TagContent::Closed, ndef::content_of_message))
            }
            TagNews::Gone { .. } | TagNews::Empty => {
                self.behind.insert(reader, None);
                TagReport::Nothing
            }
            TagNews::Several | TagNews::NoReader => TagReport::Nothing,
        }
    }

    /// The readers that are not the dealer's.
    fn players(&self) -> impl Iterator<Item = (&ReaderName, Option<Seat>)> {
        let others = self.there.iter().filter(|(name, _)| self.dealer.as_ref() != Some(*name));
        others.map(|(name, owner)| (name, *owner))
    }

    /// Whose this reader is, as far as is known.
    pub(super) fn owner(&self, reader: &ReaderName) -> Owner {
        let taken = |seat: Seat| self.players().any(|(_, owner)| owner == Some(seat));
        match self.there.get(reader).copied().flatten() {
            _ if self.dealer.as_ref() == Some(reader) => Owner::Dealer,
            _ if self.players().count() < 2 => Owner::Both,
            Some(seat) => Owner::Seat(seat),
            None if Seat::ALL.into_iter().all(taken) => Owner::Both,
            None => Owner::Nobody,
        }
    }

    /// The same once a player has laid a card of the deck on it in his turn: one that is nobody's becomes his by that,
    /// and the other of two his opponent's. Where one of two may be the dealer's, nothing is learned.
    pub(super) fn owner_in_turn(&mut self, reader: &ReaderName, turn: Option<Seat>, deals: bool) -> Owner {
        let may_be_dealers = deals && self.dealer.is_none() && self.there.len() < 3;
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

    /// From now on this reader is that player's, and of two the other one his opponent's; or it is nobody's yet. One that
    /// is given is the dealer's no more.
    pub(super) fn give(&mut self, reader: &ReaderName, to: Option<Seat>) {
        self.dealer.take_if(|dealer| dealer == reader);
        for (name, owner) in &mut self.there {
            if name == reader {
                *owner = to;
            } else if to.is_some() && *owner == to {
                *owner = None;
            }
        }
        let dealer = self.dealer.as_ref();
        let mut others = self.there.iter_mut().filter(|(name, _)| *name != reader && Some(*name) != dealer);
        if let (Some((_, owner)), None, Some(seat)) = (others.next(), others.next(), to) {
            *owner = Some(seat.other());
        }
    }

    /// Whether cards are dealt over another reader than this one.
    pub(super) fn dealer_is_another(&self, reader: &ReaderName) -> bool {
        self.dealer.as_ref().is_some_and(|dealer| dealer != reader)
    }

    /// Where the first two cards of a deal were laid tells what the readers are. Whether it told anything.
    pub(super) fn two_were_dealt(&mut self, first: (&ReaderName, Seat), second: (&ReaderName, Seat)) -> bool {
        let known = |reader: &ReaderName| self.there.get(reader).copied().flatten().is_some();
        if self.there.len() < 2 || self.dealer.is_some() || known(first.0) || known(second.0) {
            return false;
        }
        if first.0 == second.0 {
            self.dealer = Some(first.0.clone());
        } else {
            for (reader, seat) in [first, second] {
                self.there.insert(reader.clone(), Some(seat));
            }
        }
        true
    }

    /// Nobody knows any more whose the readers are.
    pub(super) fn forget_owners(&mut self) {
        self.dealer = None;
        self.there.values_mut().for_each(|owner| *owner = None);
    }
}

/// Whose a card reader is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// Nobody's until a player lays a card on it in his turn.
    Nobody,
    /// That player's alone.
    Seat(Seat),
    /// Both lay their cards on it.
    Both,
    /// Cards are dealt over it.
    Dealer,
}
