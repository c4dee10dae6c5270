//! A fake store for tests, with fault injection: its n-th call fails, or the power fails in the middle of a call, and
//! everything that was not synced is lost.

use std::sync::{Arc, Mutex, PoisonError};

use tabiya_engine::record::chain::Head;
use tabiya_engine::record::json;

use super::{Batch, JournalEntry, JournalError, MatchId, Refusal, Store};

/// The faults to inject. Each value is the number of the writing call at which the fault occurs, counted from 1.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StoreFaults {
    /// The disk is full at this call, and has room again at the next call.
    pub(crate) full_at: Option<usize>,
    /// The power fails when half of this call's bytes are written.
    pub(crate) dies_at: Option<usize>,
}

/// The content of a disk, which survives a power cut.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    synced: Vec<Kept>,
    /// The content including the writes that are not synced yet. A power cut loses these writes.
    written: Vec<Kept>,
    /// How many commits were made.
    pub(crate) commits: usize,
}

#[derive(Clone, Debug)]
struct Kept {
    head: Head,
    lines: Vec<JournalEntry>,
}

/// The fake store that this module describes.
#[derive(Debug, Default)]
pub(crate) struct FakeStore {
    disk: Arc<Mutex<Disk>>,
    faults: StoreFaults,
    calls: usize,
    dead: bool,
}

impl FakeStore {
    pub(crate) fn new(faults: StoreFaults) -> Self {
        Self { faults, ..Self::default() }
    }

    /// The disk, which a test can inspect or use to start a new store.
    pub(crate) fn disk(&self) -> Arc<Mutex<Disk>> {
        Arc::clone(&self.disk)
    }

    /// The store as a new process finds it after a power cut: with the synced content only.
    pub(crate) fn after_power_cut(disk: &Arc<Mutex<Disk>>) -> Self {
        let mut left = disk.lock().unwrap_or_else(PoisonError::into_inner).clone();
        left.written = left.synced.clone();
        Self { disk: Arc::new(Mutex::new(left)), ..Self::default() }
    }

    /// Writes, and syncs if no fault happens in between.
    fn write(&mut self, change: impl FnOnce(&mut Vec<Kept>)) -> Result<(), JournalError> {
        let path = "pretender".into();
        self.calls += 1;
        if self.dead {
            return Err(JournalError::Closed);
        }
        if self.faults.full_at == Some(self.calls) {
            return Err(JournalError::Full { path });
        }
        let mut disk = self.disk.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut disk.written);
        if self.faults.dies_at == Some(self.calls) {
            if let Some(torn) = disk.written.last_mut() {
                torn.lines.pop();
            }
            self.dead = true;
            return Err(JournalError::Closed);
        }
        disk.synced = disk.written.clone();
        disk.commits += 1;
        Ok(())
    }

    fn kept(&self, id: MatchId) -> Result<Kept, JournalError> {
        if self.dead {
            return Err(JournalError::Closed);
        }
        let nth = usize::try_from(id.number() - 1).unwrap_or(usize::MAX);
        let disk = self.disk.lock().unwrap_or_else(PoisonError::into_inner);
        disk.written.get(nth).cloned().ok_or_else(|| JournalError::NoMatch { path: "pretender".into(), id })
    }
}

fn added(kept: &mut Kept, batch: &Batch) -> Result<Head, JournalError> {
    let stand = kept.lines.len() as u64;
    if let Some(wanted) = batch.after.filter(|wanted| *wanted != stand) {
        return Err(JournalError::refused(0, Refusal::OtherPlace { wanted, stand }));
    }
    for (nth, new) in batch.entries.iter().enumerate() {
        let line = json::parse(&new.line).map_err(|why| JournalError::refused(nth + 1, why))?;
        let last = kept.lines.last().map_or(0, |last| last.t);
        if new.t < last {
            return Err(JournalError::refused(nth + 1, Refusal::TimeGoesBack { t: new.t, last }));
        }
        kept.head = kept.head.then(&line);
        let seq = kept.lines.len() as u64 + 1;
        kept.lines.push(JournalEntry { seq, t: new.t, line: new.line.clone(), head: kept.head });
    }
    Ok(kept.head)
}

impl Store for FakeStore {
    fn begin_match(&mut self, header: &str) -> Result<MatchId, JournalError> {
        let line = json::parse(header).map_err(|why| JournalError::refused(0, why))?;
        let mut number = 0;
        self.write(|matches| {
            matches.push(Kept { head: Head::of_header(&line), lines: Vec::new() });
            number = matches.len();
        })?;
        i64::try_from(number).ok().and_then(MatchId::new).ok_or(JournalError::Closed)
    }

    fn sign(
        &mut self,
        _: MatchId,
    ) -> Result<Option<tabiya_engine::record::proof::HeadSignature>, JournalError> {
        Ok(None)
    }

    fn vouch(&mut self, _: MatchId) -> Result<(), JournalError> {
        Ok(())
    }

    fn append_all(&mut self, batches: &[Batch]) -> Vec<Result<Head, JournalError>> {
        let mut answers = Vec::new();
        let mut matches = std::collections::BTreeMap::new();
        for batch in batches {
            let now = matches.get(&batch.id).cloned().map_or_else(|| self.kept(batch.id), Ok);
            answers.push(now.and_then(|mut kept| {
                let head = added(&mut kept, batch)?;
                matches.insert(batch.id, kept);
                Ok(head)
            }));
        }
        let wrote = self.write(|disk| {
            for (id, kept) in matches {
                if let Some(there) = usize::try_from(id.number() - 1).ok().and_then(|nth| disk.get_mut(nth)) {
                    *there = kept;
                }
            }
        });
        if let Err(error) = wrote {
            answers
                .iter_mut()
                .filter(|answer| answer.is_ok())
                .for_each(|answer| *answer = Err(error.clone()));
        }
        answers
    }

    fn moment(&mut self, id: MatchId, _t: u64) -> Result<(), JournalError> {
        self.kept(id)?;
        self.write(|_| {})
    }

    fn read(&self, id: MatchId) -> Result<Vec<JournalEntry>, JournalError> {
        self.kept(id).map(|kept| kept.lines)
    }
}
