//! What lasts: the journal that keeps records.

pub mod journal;
