//! How people really move pieces: slides, touches, knocked neighbours, forgotten presses, and a
//! board that sees all that square by square.
//!
//! Two steps. [`HumanHands`] turns an action (two boards) into what physically happens; [`Sensor`] turns
//! that into what a driver hears. Both are pure and seeded: the same seed gives the same evening
//! on every machine. Neither knows a rule of any game, and neither knows bytes: simulated boards
//! (`dgt/sim.rs`) take the physical events and do their own scanning.
//!
//! With every profile but *hostile* the board truly shows the finished action at its press, the
//! reports follow within about 300 ms, and nothing stays wrong. *Hostile* may correct a piece after
//! the press and may lose updates for seconds; a dump then cures it.
//!
//! `docs/simulator.md` has the table of behaviours, their figures and where those come from.

mod coils;
mod dice;
mod hand;
mod profile;
mod sensor;

pub use coils::Coils;
pub use dice::{Dice, PerMille, Span};
pub use hand::{HumanHands, Performance, Physical, Task};
pub use profile::Profile;
pub use sensor::{Sensor, Tells};
use tabiya_types::{Instant, Observation};

/// Carries out `tasks` one after the other: what truly happens, in order of time.
///
/// A task begins when it says, or when the one before is done, whichever is later.
pub fn perform_true(tasks: &[Task], profile: &Profile, seed: u64) -> Vec<(Instant, Physical)> {
    let mut hand = HumanHands::new(profile, seed);
    tasks.iter().flat_map(|task| hand.perform(task).events).collect()
}

/// Carries out `tasks`, and tells what a board reports of it, square by square, presses among
/// them, in order of time. It opens with the dump that every driver asks for first.
pub fn perform(tasks: &[Task], profile: &Profile, seed: u64) -> Vec<(Instant, Observation)> {
    watch(tasks, profile, Tells::Squares, seed)
}

/// As [`perform`], but with the whole board after each change: what a record's `sees` lines hold.
pub fn perform_boards(tasks: &[Task], profile: &Profile, seed: u64) -> Vec<(Instant, Observation)> {
    watch(tasks, profile, Tells::Boards, seed)
}

fn watch(tasks: &[Task], profile: &Profile, tells: Tells, seed: u64) -> Vec<(Instant, Observation)> {
    let Some(first) = tasks.first() else { return Vec::new() };
    let mut told = vec![(first.start, Observation::Whole(first.before))];
    // The board's stream of chance is another than the hand's: with the same hand, a board that
    // scans otherwise must not change what the hand does.
    let mut sensor = Sensor::new(profile, tells, first.before, seed ^ 0x5eed_b0a2_d000_0000);
    for (at, what) in perform_true(tasks, profile, seed) {
        told.extend(sensor.feed(at, what));
    }
    told.extend(sensor.finish());
    told
}

#[cfg(test)]
mod tests;
