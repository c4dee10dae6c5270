//! What every port that speaks HTTP has: bounds of time and size, and who is connected.
//!
//! Source: `docs/hall.md`, §9.

pub(crate) mod head;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::{Request, StatusCode};
use tokio::time::timeout;

/// How long a handshake, and a request, may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// The longest body of a request, in bytes.
const LONGEST_BODY: usize = 16 << 10;
/// The longest head of a request, in bytes.
pub(crate) const LONGEST_HEAD: usize = 8 << 10;
/// The most connections in all, of one key, and from one address without a certificate.
const MOST: usize = 1_100;
const MOST_OF_KEY: usize = 4;
const MOST_STRANGERS: usize = 16;
/// The most handshakes at once with one address: a hall of tables may come back all together.
const MOST_SHAKING: usize = 512;
/// The pause after the system has refused a connection.
pub(crate) const BREATH: Duration = Duration::from_millis(50);

/// Who is connected.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Who {
    /// A computer with a certificate: its key, 64 hexadecimal digits.
    Key(String),
    /// Somebody without one, at this address.
    Stranger(IpAddr),
    /// Somebody at this address whose handshake is not done.
    Shaking(IpAddr),
}

/// The connections that are open, by who they are of.
#[derive(Debug, Default)]
pub(crate) struct Connections(Mutex<BTreeMap<Who, usize>>);

/// An open connection; when it is dropped, there is one less.
pub(crate) struct CountedLink<'a>(&'a Connections, Who);

impl Connections {
    /// Counts one more; `None` if there are too many.
    pub(crate) fn enter(&self, who: Who) -> Option<CountedLink<'_>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let most = match &who {
            Who::Key(_) => MOST_OF_KEY,
            Who::Stranger(_) => MOST_STRANGERS,
            Who::Shaking(_) => MOST_SHAKING,
        };
        if open.values().sum::<usize>() >= MOST || open.get(&who).is_some_and(|count| *count >= most) {
            return None;
        }
        *open.entry(who.clone()).or_default() += 1;
        drop(open);
        Some(CountedLink(self, who))
    }
}

impl Drop for CountedLink<'_> {
    fn drop(&mut self) {
        let mut open = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.1);
            }
        }
    }
}

/// The body of a request, if it is short enough and comes in time; else the status that says why not. A body that is announced as
/// too long is not awaited.
pub(crate) async fn body_of(request: Request<Incoming>) -> Result<Bytes, StatusCode> {
    if request.body().size_hint().lower() > LONGEST_BODY as u64 {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    match timeout(PATIENCE, Limited::new(request.into_body(), LONGEST_BODY).collect()).await {
        Err(_) => Err(StatusCode::REQUEST_TIMEOUT),
        Ok(Err(_)) => Err(StatusCode::PAYLOAD_TOO_LARGE),
        Ok(Ok(body)) => Ok(body.to_bytes()),
    }
}
