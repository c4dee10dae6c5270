//! DGT boards on a bus.
pub mod codec;
pub mod laws;
