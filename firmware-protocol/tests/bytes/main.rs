//! Tests of frames, messages and links, byte for byte, in Rust and in C.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test may stop at the first surprise")]

#[cfg(unix)]
mod c;
mod damage;
mod frames;
mod link;
mod support;
mod vectors;
