//! Opens the link of one board, over the board's own port or over a port that several boards share.

use crate::link::{Link, LinkError, join};
use crate::maker::Maker;

/// Opens a link for one board of this maker. If boards of the maker can share a port, the link uses the shared port
/// `name`.
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
