//! The makers: a folder each, with the bytes of its boards, what they mean and a simulator that speaks them.
//! `catalog.rs` has the list.

pub mod certabo;
pub mod chessnut;
pub mod cpp;
pub mod dgt;
pub mod dgtbus;
pub mod diy;
pub mod ichessone;
pub mod livechess;
#[cfg(test)]
mod meeting;
pub mod millennium;
mod nus;
pub mod pegasus;
pub mod squareoff;
mod stream;
