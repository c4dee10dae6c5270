//! Simulates how people move pieces: slides, touches, knocked neighbours, forgotten presses. Also simulates a board
//! that scans its squares one after another.
//!
//! There are two steps. [`HumanHands`] turns an action (the boards before and after) into physical events; [`Sensor`]
//! turns physical events into observations. Both are pure and seeded: the same seed gives the same events on every
//! machine. Neither knows the rules of a game or a board's protocol. Simulated boards with a protocol (such as
//! `dgt/sim.rs`) do not use [`Sensor`]: they take the physical events and scan their squares themselves.
//!
//! With every profile except *hostile*, a press of the clock means three things: the action is complete on the board,
//! the board reports the action within about 300 ms, and after that no error remains. With *hostile*, a hand may
//! correct a piece after the press, and updates may be lost for seconds, until a report of the whole board (a dump)
//! repairs them.
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

/// Carries out `tasks`. Returns the observations of a board that reports square by square, and the presses of the
/// clock, in order of time. The first observation is a dump (the whole board), because every driver requests one at the
/// beginning.
pub fn perform(tasks: &[Task], profile: &Profile, seed: u64) -> Vec<(Instant, Observation)> {
    watch(tasks, profile, ReportMode::Squares, seed)
}

/// Carries out `tasks`. Returns the presses of the clock, and after each change a report of the whole board, as in the
/// `sees` lines of a record.
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
