//! From sensor snapshots to actions.

mod observation;

pub use observation::Observation;
