//! What a journal tells others of how far a match has come: the signed heads beside the file, and the note in the store of keys.
#![warn(clippy::indexing_slicing)]

use std::sync::Arc;

use rusqlite::params;
use tabiya_engine::record::chain::Head;
use tabiya_engine::record::proof::HeadSignature;

use super::form::signed;
use super::reader::{head, whole};
use super::vault::KeyStore;
use super::{Followed, Journal, JournalError, MatchId};
use crate::heads::{self, Point, Signer};
use crate::notes::{MatchName, RecordProgress};

impl Journal {
    /// How far a match has come, and its last moment; `None` if there is no such match.
    pub(super) fn point(&self, id: MatchId) -> Result<Option<(Point, u64)>, JournalError> {
        let Some(tip) = self.tips.get(&id) else { return Ok(None) };
        let (uid, begins, moment) = self.reader.run(|conn| {
            conn.prepare_cached(
                r#"SELECT m.uid, m.hash, coalesce(o.t, 0) FROM "match" m
                       LEFT JOIN moment o ON o."match" = m.id WHERE m.id = ?1"#,
            )?
            .query_row([id.0], |row| Ok((row.get(0)?, head(row, 1)?, whole(row, 2)?)))
        })?;
        Ok(Some((Point { uid, begins, seq: tip.entries, head: tip.head }, moment)))
    }

    /// Signs a match's head and its saved moment, if there is a key. With `at_pace` only if a minute of the match has
    /// passed since the last signature. A failure stops nothing: the next signature covers these lines too.
    pub(super) fn sign_head(
        &mut self,
        id: MatchId,
        at_pace: bool,
    ) -> Result<Option<HeadSignature>, JournalError> {
        if self.signer.is_none() || self.doubted.contains(&id) {
            return Ok(None);
        }
        let Some((point, t)) = self.point(id)? else { return Ok(None) };
        let signer = self.signer.as_mut().filter(|signer| !at_pace || signer.is_due(&point, t));
        let done = signer.map(|signer| signer.sign(&self.reader.path, &point, t)).transpose();
        let done = done.map_err(|error| JournalError::NotSigned {
            file: heads::file_of(&self.reader.path),
            source: Arc::new(error),
        })?;
        if done.is_some() {
            self.signed_until.insert(id, t);
        }
        Ok(done)
    }

    /// Signs a match's head if the last signature could not be kept.
    pub(super) fn sign_again(&mut self, id: MatchId) -> Result<(), JournalError> {
        let failed = self.signer.as_ref().is_some_and(Signer::has_failed);
        if failed { self.sign_head(id, false).map(|_| ()) } else { Ok(()) }
    }

    /// Tells the store of keys how far a match has come: its last line, and the moment `t`. With `durable` the note is on the
    /// disk afterwards. A note that cannot be kept stops nothing: the next one covers these lines too.
    pub(super) fn note_head(&mut self, id: MatchId, t: u64, durable: bool) {
        self.note_progress(id, t, None, durable);
    }

    /// The same, with the hash after lines that are just going to be written.
    pub(super) fn note_progress(&mut self, id: MatchId, t: u64, next: Option<Head>, durable: bool) {
        let Some(keys) = self.keys.as_deref().filter(|_| !self.doubted.contains(&id)) else { return };
        let Some(tip) = self.tips.get(&id) else { return };
        let followed = match self.followed.remove(&id) {
            Some(known) => known,
            None => self.follows(id, keys),
        };
        let followed = followed.and_then(|known| {
            let progress = RecordProgress { head: tip.head, seq: tip.entries, t: t.max(known.t), next };
            let goes_on = known
                .noted
                .is_some_and(|before| keys.go_on(&known.of, before, progress, durable).unwrap_or(false));
            // Somebody may carry this match on in another file: this one is a copy of it from then on.
            if !goes_on && self.is_own(id, &known.of, keys) == Some(false) {
                return None;
            }
            let noted = goes_on || keys.note(&known.of, &self.reader.path, progress, false).is_ok();
            Some(Followed { noted: noted.then_some(tip.head), t: progress.t, ..known })
        });
        self.followed.insert(id, followed);
    }

    /// The match as the store of keys follows it; `None` if this is not the match's own record.
    pub(super) fn follows(&self, id: MatchId, keys: &dyn KeyStore) -> Option<Followed> {
        let (Point { begins, uid, .. }, t) = self.point(id).ok().flatten()?;
        let of = MatchName { begins, uid };
        (self.is_own(id, &of, keys) != Some(false)).then_some(Followed { of, noted: None, t })
    }

    /// Whether this is the match's own record, as far as the store of keys knows: it continues what was noted. `None` if the
    /// note cannot be read now.
    pub(super) fn is_own(&self, id: MatchId, of: &MatchName, keys: &dyn KeyStore) -> Option<bool> {
        let Some(seen) = keys.seen(of).ok()? else { return Some(true) };
        let there = self.reader.head_after(id, seen.progress.seq).ok()?;
        Some(there == Some(seen.progress.head))
    }

    /// Notes that this file is the match's own record from now on, whatever was noted before. `carried_on` as for
    /// [`KeyStore::note`].
    pub(super) fn note_here(&mut self, id: MatchId, carried_on: bool) {
        let Some(keys) = self.keys.as_deref().filter(|_| !self.doubted.contains(&id)) else { return };
        let Ok(Some((Point { uid, begins, seq, head }, t))) = self.point(id) else { return };
        let of = MatchName { begins, uid };
        let t = self.tips.get(&id).map_or(t, |tip| tip.t.max(t));
        let written =
            keys.note(&of, &self.reader.path, RecordProgress { head, seq, t, next: None }, carried_on);
        self.followed.insert(id, Some(Followed { of, noted: written.is_ok().then_some(head), t }));
    }

    /// Carries a match on: this file is its own record from now on. If its earlier lines are in doubt, nothing of it is signed
    /// or noted until [`Store::vouch`].
    /// `stopped` is the moment at which it goes on, in ms since it began: a later one that was saved is not believed.
    pub fn take_on(&mut self, id: MatchId, stopped: u64, in_doubt: bool) {
        // What cannot be put back now is told again when the match is carried on the next time.
        let put_back = r#"UPDATE moment SET t = ?2 WHERE "match" = ?1 AND t > ?2"#;
        let _ = self.reader.run(|conn| conn.execute(put_back, params![id.0, signed(stopped)]));
        self.place.note_log();
        if in_doubt {
            self.doubted.insert(id);
        } else {
            self.note_here(id, true);
        }
        self.touched.insert(id);
    }
}
