//! One link of a console to one table: the only task that is spawned for the table.
//!
//! Source: `docs/hall.md`, §3 to §5.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, interval, sleep_until, timeout};

use super::shared::Shared;
use crate::socket::{EndCode, HallSocket, LinkEnd, SILENCE};
use crate::wire::{FromConsole, FromTable, TableHello, WireFault};

/// How long a table may take to say `hello`.
const HELLO: Duration = Duration::from_secs(5);
/// The console's heartbeat.
const HERE: Duration = Duration::from_secs(2);

/// What a link is told by the console.
#[derive(Debug)]
pub(super) enum ToLink {
    /// Lines of a match are durable up to here.
    Kept { uid: String, seq: u64 },
    /// Say this.
    Say(Box<FromConsole>),
    /// End so.
    End(LinkEnd),
}

/// Talks to the computer with this key until the link ends.
pub(super) async fn run<S: AsyncRead + AsyncWrite + Unpin>(
    shared: Arc<Shared>,
    mut socket: HallSocket<S>,
    key: String,
) {
    let (send, told) = unbounded_channel();
    let end = match hello(&mut socket).await {
        Err(end) => end,
        Ok(hello) => {
            let number = hello.table;
            let met = shared.hall().meet(hello, (&key, send.clone()), shared.now());
            match met {
                Err(end) => end,
                Ok((welcome, link)) => {
                    let mut open = OpenLink { shared: &shared, socket: &mut socket, number, link, key, told };
                    let end = match open.talk(FromConsole::Welcome(welcome)).await {
                        Ok(never) => match never {},
                        Err(end) => end,
                    };
                    shared.hall().left(number, link, &end, shared.now());
                    end
                }
            }
        }
    };
    socket.end(&end).await;
}

async fn hello<S: AsyncRead + AsyncWrite + Unpin>(socket: &mut HallSocket<S>) -> Result<TableHello, LinkEnd> {
    let first = async {
        loop {
            match FromTable::read(&socket.hear().await?).map_err(|fault| wrong(&fault))? {
                None => {}
                Some(FromTable::Hello(hello)) => return Ok(hello),
                Some(_) => return Err(LinkEnd::new(EndCode::Wrong, "the first message is no `hello`")),
            }
        }
    };
    timeout(HELLO, first).await.map_err(|_| LinkEnd::new(EndCode::Silent, "no `hello` came within 5 s"))?
}

fn wrong(fault: &WireFault) -> LinkEnd {
    LinkEnd::new(EndCode::Wrong, fault.to_string())
}

struct OpenLink<'a, S> {
    shared: &'a Shared,
    socket: &'a mut HallSocket<S>,
    number: u16,
    link: u64,
    key: String,
    told: UnboundedReceiver<ToLink>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> OpenLink<'_, S> {
    async fn talk(&mut self, welcome: FromConsole) -> Result<std::convert::Infallible, LinkEnd> {
        self.socket.say(welcome.to_text()).await?;
        let mut here = interval(HERE);
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                biased;
                // Ends and orders come before what the table says, so that a table that talks all the time is told, too.
                Some(told) = self.told.recv() => self.tell(told).await?,
                message = self.socket.hear() => {
                    let message = message?;
                    heard = Instant::now();
                    self.take(&message)?;
                }
                _ = here.tick() => self.socket.say(FromConsole::Here.to_text()).await?,
                () = sleep_until(heard + SILENCE) => {
                    return Err(LinkEnd::new(EndCode::Silent, "the table was silent for 6 s"));
                }
            }
        }
    }

    /// Says what is to be said. Of several places up to which lines are durable, only the newest of each match is told.
    async fn tell(&mut self, first: ToLink) -> Result<(), LinkEnd> {
        let mut kept: BTreeMap<String, u64> = BTreeMap::new();
        let mut next = Some(first);
        while let Some(told) = next {
            match told {
                ToLink::Kept { uid, seq } => drop(kept.insert(uid, seq)),
                ToLink::Say(message) => self.socket.say(message.to_text()).await?,
                ToLink::End(end) => return Err(end),
            }
            next = self.told.try_recv().ok();
        }
        for (uid, seq) in kept {
            self.socket.say(FromConsole::Kept { uid, seq }.to_text()).await?;
        }
        Ok(())
    }

    fn take(&mut self, text: &str) -> Result<(), LinkEnd> {
        let now = self.shared.now();
        let message = FromTable::read(text);
        let mut hall = self.shared.hall();
        if !hall.is_present(self.number, self.link, now) {
            return Err(LinkEnd::new(EndCode::Replaced, "a later link of this table has taken its place"));
        }
        match message.map_err(|fault| wrong(&fault))? {
            None | Some(FromTable::Hello(_)) => Ok(()),
            Some(FromTable::Line(line)) => hall.line(self.number, line, text.len() as u64, now),
            Some(FromTable::State(state)) => {
                hall.state(self.number, *state, now);
                Ok(())
            }
            Some(FromTable::Head(line)) => hall.head(self.number, line, &self.key, now),
            Some(FromTable::Did { order, seq, .. }) => {
                hall.did(self.number, &order, seq, now);
                Ok(())
            }
            Some(FromTable::Refused(refused)) => {
                hall.refused(self.number, &refused, now);
                Ok(())
            }
        }
    }
}
