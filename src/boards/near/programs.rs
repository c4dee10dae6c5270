//! Boards that a program on this computer offers.

use super::found::Near;
use crate::address::{BoardPort, LiveAddress};
use crate::link::WebLink;
use crate::maker::Maker;
use crate::makers::CATALOG;

/// The programs on this computer that offer boards, by their ports.
pub fn in_programs() -> Vec<Near> {
    let listens = |maker: Maker| {
        let web = maker.transports().web?;
        let link = WebLink::open("localhost", web.port, web.path, maker.name()).ok()?;
        drop(link);
        let name = format!("{} runs here, with the boards that it has", maker.name());
        Some(Near { address: LiveAddress::at(maker, BoardPort::Auto), name })
    };
    CATALOG.iter().copied().filter_map(listens).collect()
}
