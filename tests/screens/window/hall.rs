//! The desk of an event's console in its real window, with two simulated tables, through the screen reader's interface alone.

use super::program::Place;
use crate::bus::PrivateBus;
use crate::screen_reader::{LABEL, ScreenReader};

#[test]
fn the_tables_of_a_hall_are_stopped_by_a_screen_reader_alone() {
    let session = PrivateBus::start("");
    let reader = ScreenReader::start(&session.address);
    let place = Place { bus: Some(session.address.clone()), ..Place::new() };
    let window = place.open(&["event", "simulate", "2"]);
    // Both tables play, and nobody needs the arbiter.
    reader.hear(LABEL, "2 run, 0 stopped");
    reader.press("Table 2, ");
    reader.press("Stop table 2");
    reader.hear(LABEL, "1 runs, 1 stopped");
    reader.press("Table 2 goes on");
    reader.hear(LABEL, "2 run, 0 stopped");
    // All of them at once are asked about.
    reader.press("Stop all");
    reader.hear(LABEL, "Stop the clocks of all");
    reader.press("Stop all tables");
    reader.hear(LABEL, "0 run, 2 stopped");
    window.kill();
}
