//! The record's contract, rule by rule: what each line does, what is refused, and what comes out.
#![allow(unreachable_pub, reason = "the harness is shared by several test programs")]

mod betting;
mod chess;
mod clock;
mod draw_wins;
mod form;
mod hands;
mod laws;
mod long;
mod placing;
mod ruled_results;
mod rulings;
mod take_back;
mod told;
mod undo;
