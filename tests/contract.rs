//! The record's contract, rule by rule: what each line does, what is refused, and what comes out.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]
#![allow(unreachable_pub, reason = "the harness is shared by several test programs")]

mod support;

#[path = "contract/betting.rs"]
mod betting;
#[path = "contract/chess.rs"]
mod chess;
#[path = "contract/clock.rs"]
mod clock;
#[path = "contract/form.rs"]
mod form;
#[path = "contract/hands.rs"]
mod hands;
#[path = "contract/laws.rs"]
mod laws;
#[path = "contract/long.rs"]
mod long;
#[path = "contract/placing.rs"]
mod placing;
#[path = "contract/rulings.rs"]
mod rulings;
#[path = "contract/undo.rs"]
mod undo;
