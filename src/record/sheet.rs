//! The match sheet: the terms that both players read and sign.
//!
//! The terms are those in force, so they include what `next` has changed. The lines before and after the terms identify
//! the record.
#![warn(clippy::indexing_slicing)]

use tabiya_types::{Sentence, say};

use super::proof::Proof;
use super::replay::Replay;

/// Returns the lines of the match sheet. `proof` is the record's head with its signature, as far as they are known.
pub fn lines<'a>(replay: &Replay, proof: impl Into<Proof<'a>>) -> Vec<Sentence> {
    let (header, Proof { head, signed, from, told }) = (replay.header(), proof.into());
    let mut lines = Vec::new();
    lines.extend(header.id.clone().map(|id| say!("sheet-match", "match: {id}", id)));
    lines.extend(header.start.clone().map(|start| say!("sheet-begun", "begun: {start}", start)));
    lines.extend(replay.table().agreement().sheet());
    lines.extend(head.map(|head| say!("sheet-head", "head of the record: {head}", head = head.to_owned())));
    if let Some(signed) = signed {
        let (key, at, signature) = (signed.key.clone(), signed.at.clone(), signed.signature.clone());
        lines.push(say!("sheet-signed", "signed on {at} by the table with the key {key}", at, key));
        lines.push(say!("sheet-signature", "signature: {signature}", signature));
        lines.extend(from.map(|from| {
            say!(
                "sheet-signed-from",
                "the signature counts from line {from} on: an arbiter's ruling there says why",
                from
            )
        }));
    }
    if header.is_unsigned() {
        lines.push(say!("sheet-unsigned", "not signed: the table had no key when the match began"));
    }
    lines.extend(told.iter().cloned());
    lines.into_iter().map(Sentence::harmless).collect()
}
