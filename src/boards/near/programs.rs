//! Boards that a program on this computer offers.

use super::found::NearbyBoard;
use crate::address::{BoardPort, LiveAddress};
use crate::link::WebLink;
use crate::maker::Maker;
use crate::makers::CATALOG;

/// Returns the programs on this computer that offer boards and accept connections on their usual port.
pub fn search_programs() -> Vec<NearbyBoard> {
    let listens = |maker: Maker| {
        let web = maker.transports().web?;
        let link = WebLink::open("localhost", web.port, web.path, maker.name()).ok()?;
        drop(link);
        let name = format!("{} is running on this computer and offers its boards", maker.name());
        Some(NearbyBoard { address: LiveAddress::at(maker, BoardPort::Auto), name, rssi_dbm: None })
    };
    CATALOG.iter().copied().filter_map(listens).collect()
}
