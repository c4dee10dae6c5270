//! A line for one board: its own, or one that its neighbours use too.

use crate::link::{Link, LinkError, join};
use crate::maker::Maker;

/// A line of this maker's boards for one of them: its own, or one that its neighbours use too.
pub(super) fn line(
    maker: Maker,
    unit: Option<&str>,
    name: &str,
    open: impl FnOnce() -> Result<Box<dyn Link>, LinkError>,
) -> Result<Box<dyn Link>, LinkError> {
    match maker.transports().shared {
        None => open(),
        Some(sharing) => join(name, unit, sharing, open),
    }
}
