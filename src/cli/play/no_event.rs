//! A program without events: no table joins one.
#![expect(
    clippy::unnecessary_wraps,
    clippy::needless_pass_by_value,
    reason = "who calls these does not know whether the program has events"
)]

use std::path::PathBuf;

use tabiya_app::desk::Loop;
use tabiya_app::seating::EventPlace;

use super::PlayArguments;
use crate::cli::output::ExitFailure;

/// There is no seat in an event, and nobody is told.
#[derive(Debug)]
pub(super) enum NoSeat {}

pub(super) use self::NoSeat as Joined;
pub(super) use self::NoSeat as Told;

pub(super) fn join(_: &PlayArguments) -> Result<Option<Joined>, ExitFailure> {
    Ok(None)
}

pub(super) fn usual_record(joined: &Joined) -> Result<PathBuf, ExitFailure> {
    match *joined {}
}

pub(super) fn sit<I>(joined: Joined, _: &mut Loop<I>) -> Result<(EventPlace, Told), ExitFailure> {
    match joined {}
}
