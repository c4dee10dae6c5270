//! Removes from a capture what tells one board, card or person from another, so that people can give it away: serial
//! numbers, numbers of cards and of the chips in pieces, keys of developers, addresses, free texts.
//!
//! What the board reports about its squares and its clock stays, byte for byte, and so do the times. Each maker hides its
//! own ([`MakerEntry::hide`](crate::maker::MakerEntry)), in messages of the same length.

use std::collections::BTreeMap;

use crate::capture::Capture;
use crate::chunk::{Channel, Chunk};
use crate::maker::Maker;
use crate::makers::USUAL;

impl Capture {
    /// The capture without what identifies a board, a card or a person.
    #[must_use]
    pub fn without_numbers(mut self) -> Self {
        let maker = self.header.as_ref().and_then(|header| Maker::from_prefix(&header.capture));
        // The description of a device may contain its port, its address and its number.
        self.header.iter_mut().for_each(|header| header.device = None);
        let mut links: BTreeMap<Option<Channel>, Vec<usize>> = BTreeMap::new();
        for (nth, chunk) in self.chunks.iter().enumerate() {
            links.entry(chunk.channel.clone()).or_default().push(nth);
        }
        for (number, (name, places)) in (1..).zip(links) {
            let mut own: Vec<Chunk> =
                places.iter().filter_map(|nth| self.chunks.get(*nth).cloned()).collect();
            (maker.unwrap_or(USUAL).entry().hide)(&mut own);
            for (nth, mut chunk) in places.into_iter().zip(own) {
                // The name of a channel is free text, too.
                chunk.channel = name.is_some().then_some(Channel::Number(number));
                if let Some(place) = self.chunks.get_mut(nth) {
                    *place = chunk;
                }
            }
        }
        self
    }

    /// The bytes of the last `millis` of the capture.
    #[must_use]
    pub fn last(mut self, millis: tabiya_types::Millis) -> Self {
        if let Some(end) = self.chunks.last().map(|chunk| chunk.at) {
            self.chunks.retain(|chunk| end.since(chunk.at) <= millis);
        }
        self
    }
}

#[cfg(test)]
mod tests;
