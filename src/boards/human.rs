//! Simulates how people move pieces: slides, touches, knocked neighbours, forgotten presses. Also simulates a board
//! that scans its squares one after another.
//!
//! There are two steps. [`HumanHands`] turns an action (the boards before and after) into physical events; [`Sensor`]
//! turns physical events into observations. Both are pure and seeded: the same seed gives the same events on every
//! machine. Neither knows the rules of a game or a board's protocol: simulated boards (`dgt/sim.rs`) take the physical
//! events and do their own scanning.
//!
//! With every profile except *hostile*, a press of the clock means three things: the action is complete on the board,
//! its reports follow within about 300 ms, and no error remains. With *hostile*, a hand may correct a piece after the
//! press, and updates may be lost for seconds, until a report of the whole board (a dump) repairs them.
//!
//! `docs/simulator.md` lists the behaviours, their figures and the sources of the figures.

mod coils;
mod dice;
mod hand;
mod profile;
mod sensor;

pub use coils::Coils;
pub use dice::{Dice, PerMille, Span};
pub use hand::{HumanHands, Performance, Physical, Task};
pub use profile::Profile;
pub use sensor::{ReportMode, Sensor};
use tabiya_types::{Instant, Observation};

/// Carries out `tasks` one after another. Returns the physical events, in order of time.
///
/// A task begins at its start or when the previous one is done, whichever is later.
pub fn perform_true(tasks: &[Task], profile: &Profile, seed: u64) -> Vec<(Instant, Physical)> {
    let mut hand = HumanHands::new(profile, seed);
    tasks.iter().flat_map(|task| hand.perform(task).events).collect()
}

/// Carries out `tasks`. Returns what a board reports, square by square, and the presses, in order of time. The first
/// observation is the dump that every driver requests at the beginning.
pub fn perform(tasks: &[Task], profile: &Profile, seed: u64) -> Vec<(Instant, Observation)> {
    watch(tasks, profile, ReportMode::Squares, seed)
}

/// Carries out `tasks`. Returns the presses, and the whole board after each change, as in a record's `sees` lines.
pub fn perform_boards(tasks: &[Task], profile: &Profile, seed: u64) -> Vec<(Instant, Observation)> {
    watch(tasks, profile, ReportMode::Boards, seed)
}

fn watch(tasks: &[Task], profile: &Profile, tells: ReportMode, seed: u64) -> Vec<(Instant, Observation)> {
    let Some(first) = tasks.first() else { return Vec::new() };
    let mut reports = vec![(first.start, Observation::Whole(first.before))];
    // The sensor has its own random numbers, so that the scanning of the board does not affect what the hands do.
    let mut sensor = Sensor::new(profile, tells, first.before, seed ^ 0x5eed_b0a2_d000_0000);
    for (at, what) in perform_true(tasks, profile, seed) {
        reports.extend(sensor.feed(at, what));
    }
    reports.extend(sensor.finish());
    reports
}

#[cfg(test)]
mod tests;
