//! What the repository promises of itself: rooms, documents, sentences, and the crates as other programs see them.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "real programs and devices are waited for in real time")]

#[path = "../support/child.rs"]
mod child;
mod documents;
mod habits;
mod outside;
mod rooms;
#[path = "../support/wait.rs"]
mod wait;
mod words;
