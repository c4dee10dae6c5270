//! Opens an address once, identifies the board there, and closes it again.

use std::sync::atomic::AtomicBool;

use tabiya_types::{Sentence, Timeline};

use crate::address::LiveAddress;
use crate::event::{BoardEvent, BoardInfo};
use crate::link::LinkError;
use crate::notes::Notes;
use crate::open::opener;
use crate::supervisor::ConnectionLife;
use crate::supervisor::leave::{last_write, patience, pause};

/// A board that answered a probe.
#[derive(Clone, Debug)]
pub struct Probed {
    /// What the board reports about itself.
    pub info: BoardInfo,
    /// What people have to do before the board reports its position; `None` if it already does.
    pub wants: Option<Sentence>,
}

/// Opens the port of `address`, identifies the board there and closes the port. Waits up to about 4 s per port, 20 s
/// over Bluetooth's serial profile, and 5 to 18 s on a bus with several boards.
pub fn probe(address: &LiveAddress, notes: Notes, timeline: &dyn Timeline) -> Result<Probed, LinkError> {
    let mut opener = opener(address);
    let mut session = ConnectionLife::new(address, notes, timeline.now());
    loop {
        let (port, mut link) = opener.open(session.wanted(), &AtomicBool::new(false))?;
        session.opened(port, link.carrier(), opener.others_left(), timeline.now());
        while session.keeps_port() {
            let now = timeline.now();
            let bytes = link.read(patience(&session, now)).map_err(before_an_answer)?;
            let now = timeline.now();
            session.on_bytes(&bytes, now);
            session.on_time(now);
            let wants = session.wants();
            let info = if session.ready() || wants.is_some() { session.info().cloned() } else { None };
            if info.is_some() {
                let wait = session.stop(now);
                pause(&mut *link, wait, timeline);
                while let Some(bytes) = session.next_write()
                    && last_write(&mut *link, &bytes, timeline)
                {}
            }
            while let Some(bytes) = session.next_write() {
                link.write_all(&bytes).map_err(before_an_answer)?;
                let now = timeline.now();
                session.on_bytes(&link.received_before_write(), now);
                session.wrote(now);
            }
            if let Some(info) = info {
                return Ok(Probed { info, wants });
            }
        }
        while let Some(event) = session.next_event() {
            if let BoardEvent::Lost(error) = event {
                return Err(error);
            }
        }
    }
}

/// Converts a lost link to [`LinkError::BrokeOff`], because a board that has not answered yet cannot be reconnected.
fn before_an_answer(error: LinkError) -> LinkError {
    match error {
        LinkError::Vanished { port, source } => LinkError::BrokeOff { port, source },
        error => error,
    }
}
