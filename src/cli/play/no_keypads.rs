//! A program without events serves no pages, so no telephone is a keypad: whoever asks for it is told.

use tabiya_app::desk::{Desk, Loop};

use super::PlayArguments;
use crate::cli::output::ExitFailure;

/// Nothing is served.
#[derive(Debug)]
pub(super) enum NoPages {}

pub(super) use self::NoPages as Served;

pub(super) fn open<I>(
    arguments: &PlayArguments,
    _: &mut Loop<I>,
    _: &mut Desk,
) -> Result<Option<Served>, ExitFailure> {
    if arguments.keypads {
        return Err(ExitFailure::unusable(
            "--keypads: this program was built without the pages for telephones (feature `event`); leave --keypads out, or use a program that has them",
        ));
    }
    Ok(None)
}

pub(super) fn tell(served: &Served) -> Result<(), ExitFailure> {
    match *served {}
}
