//! The record's contract, rule by rule: what each line does, what is refused, and what comes out.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]

mod support;

#[path = "contract/laws.rs"]
mod laws;
