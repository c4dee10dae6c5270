//! Tests of the rules that the repository sets for itself: which parts of the code (rooms) may use which, what the
//! documents and the sentences must be like, and how the crates look to other programs.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "real programs and devices are waited for in real time")]

mod arduino;
mod book;
#[path = "../support/card_pages.rs"]
mod card_pages;
mod changelog;
#[path = "../support/child.rs"]
mod child;
mod documents;
mod games;
mod habits;
mod outside;
mod publishing;
mod rooms;
mod rust_files;
mod table_cards;
#[path = "../support/wait.rs"]
mod wait;
mod words;
