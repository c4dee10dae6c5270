//! The console's port: TLS, HTTP within bounds, joining, lists, and the upgrade to a table's link.
//!
//! Source: `docs/hall.md`, §1 (TLS), §2 (joining), §3 (the link), §9 (bounds).

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rustls::ServerConfig;
use serde_json::{Value, json};
use tabiya_engine::record::json as read_json;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::head::{HeadCame, PatientHead};
use super::link;
use super::serve::Shared;
use crate::boot::chance;
use crate::joining::StepAnswer;
use crate::socket::{HallSocket, PROTOCOL};
use crate::tls::peer_key;
use crate::wire::DEEPEST;

/// How long a handshake, and a request, may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// The longest body of a request, in bytes.
pub(super) const LONGEST_BODY: usize = 16 << 10;
/// The longest head of a request, in bytes.
pub(super) const LONGEST_HEAD: usize = 8 << 10;
/// The most connections in all, of one key, and from one address without a certificate.
const MOST: usize = 1_100;
const MOST_OF_KEY: usize = 4;
const MOST_STRANGERS: usize = 16;
/// The most handshakes at once with one address: a hall of tables may come back all together.
const MOST_SHAKING: usize = 512;
/// The pause after the system has refused a connection.
const BREATH: Duration = Duration::from_millis(50);

/// Who is connected.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Who {
    /// A computer with a certificate: its key, 64 hexadecimal digits.
    Key(String),
    /// Somebody without one, at this address.
    Stranger(IpAddr),
    /// Somebody at this address whose handshake is not done.
    Shaking(IpAddr),
}

/// The connections that are open, by who they are of.
#[derive(Debug, Default)]
pub(super) struct Connections(Mutex<BTreeMap<Who, usize>>);

/// An open connection; when it is dropped, there is one less.
pub(super) struct CountedLink<'a>(&'a Connections, Who);

impl Connections {
    /// Counts one more; `None` if there are too many.
    pub(super) fn enter(&self, who: Who) -> Option<CountedLink<'_>> {
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

/// Takes connections until the runtime ends.
pub(super) async fn serve(shared: Arc<Shared>, listener: TcpListener, config: Arc<ServerConfig>) {
    let (acceptor, connections) = (TlsAcceptor::from(config), Arc::new(Connections::default()));
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // No descriptors are left, or the connection is gone already.
            sleep(BREATH).await;
            continue;
        };
        let (shared, acceptor, connections) =
            (Arc::clone(&shared), acceptor.clone(), Arc::clone(&connections));
        tokio::spawn(async move { talk(shared, acceptor, &connections, (stream, from.ip())).await });
    }
}

async fn talk(
    shared: Arc<Shared>,
    acceptor: TlsAcceptor,
    connections: &Connections,
    (stream, from): (TcpStream, IpAddr),
) {
    let from = from.to_canonical();
    let Some(shaking) = connections.enter(Who::Shaking(from)) else { return };
    let _ = stream.set_nodelay(true);
    let Ok(Ok(stream)) = timeout(PATIENCE, acceptor.accept(stream)).await else { return };
    let key = peer_key(stream.get_ref().1.peer_certificates()).map(|key| key.to_string());
    drop(shaking);
    let who = key.clone().map_or(Who::Stranger(from), Who::Key);
    let Some(_counted) = connections.enter(who) else { return };
    let (way, upgrades) = tokio::sync::oneshot::channel::<hyper::upgrade::OnUpgrade>();
    let peer = Arc::new(Peer { from, key, way: Mutex::new(Some(way)) });
    let answering = Arc::clone(&peer);
    let shared_here = Arc::clone(&shared);
    let came = HeadCame::default();
    let stream = PatientHead::new(stream, PATIENCE, came.clone());
    let service = service_fn(move |request| {
        came.note();
        let (shared, peer) = (Arc::clone(&shared_here), Arc::clone(&answering));
        async move { Ok::<_, Infallible>(answer(&shared, &peer, request).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    if connection.await.is_err() {
        return;
    }
    // If nobody has asked for an upgrade, the connection is over.
    drop(peer.way.lock().unwrap_or_else(PoisonError::into_inner).take());
    let Ok(upgrade) = upgrades.await else { return };
    let (Ok(stream), Some(key)) = (upgrade.await, peer.key.clone()) else { return };
    link::run(shared, HallSocket::accepted(TokioIo::new(stream)).await, key).await;
}

/// Who asks.
struct Peer {
    from: IpAddr,
    key: Option<String>,
    /// Takes the upgrade of this connection to a table's link.
    way: Mutex<Option<tokio::sync::oneshot::Sender<hyper::upgrade::OnUpgrade>>>,
}

fn only(status: StatusCode) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::default());
    *answer.status_mut() = status;
    // One request for each connection; an upgrade says otherwise.
    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer
}

fn with_body(status: u16, body: &Value) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::new(Bytes::from(body.to_string())));
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

async fn answer(shared: &Arc<Shared>, peer: &Peer, request: Request<Incoming>) -> Response<Full<Bytes>> {
    // No page of a browser talks to this port.
    if request.headers().contains_key(header::ORIGIN) {
        return only(StatusCode::FORBIDDEN);
    }
    let path = request.uri().path().to_owned();
    if path == crate::join::PATH {
        if request.method() != Method::POST {
            return only(StatusCode::METHOD_NOT_ALLOWED);
        }
        return join(shared, peer.from, request).await;
    }
    let Some(key) = &peer.key else { return only(StatusCode::FORBIDDEN) };
    if !matches!(path.as_str(), "/v1/lists" | "/v1/table") {
        return only(StatusCode::NOT_FOUND);
    }
    if request.method() != Method::GET {
        return only(StatusCode::METHOD_NOT_ALLOWED);
    }
    if path == "/v1/lists" { lists(shared, key, &request) } else { upgrade(shared, (peer, key), request) }
}

async fn join(shared: &Arc<Shared>, from: IpAddr, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let body = match timeout(PATIENCE, Limited::new(request.into_body(), LONGEST_BODY).collect()).await {
        Err(_) => return only(StatusCode::REQUEST_TIMEOUT),
        Ok(Err(_)) => return only(StatusCode::PAYLOAD_TOO_LARGE),
        Ok(Ok(body)) => body.to_bytes(),
    };
    let read = std::str::from_utf8(&body).ok().and_then(|text| read_json::parse_within(text, DEEPEST).ok());
    let Some(body) = read else { return only(StatusCode::BAD_REQUEST) };
    let shared = Arc::clone(shared);
    // Who is admitted is written into the event's folder, and the links of the other tables do not wait for that.
    let stepped = tokio::task::spawn_blocking(move || joined(&shared, &body, from)).await;
    let Ok(StepAnswer { status, body }) = stepped else { return only(StatusCode::SERVICE_UNAVAILABLE) };
    match body {
        Some(body) => with_body(status, &body),
        None => only(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST)),
    }
}

/// What a step of a joining comes to. Waits for the disk.
fn joined(shared: &Shared, body: &Value, from: IpAddr) -> StepAnswer {
    if body.get("step").and_then(Value::as_u64) == Some(0) {
        return token(shared, body);
    }
    let unable = StepAnswer { status: StatusCode::SERVICE_UNAVAILABLE.as_u16(), body: None };
    let (Ok(name), Ok(nonce)) = (chance(), chance()) else { return unable };
    let (certificate, is_authority) = {
        let event = shared.event();
        (event.certificate_text(), event.authority.is_some())
    };
    if !is_authority {
        return unable;
    }
    step(shared, body, from, (name, nonce), &certificate)
}

fn step(
    shared: &Shared,
    body: &Value,
    from: IpAddr,
    chance: ([u8; 16], [u8; 32]),
    certificate: &str,
) -> StepAnswer {
    let now = shared.now();
    let mut joinings = shared.joinings.lock().unwrap_or_else(PoisonError::into_inner);
    let before = joinings.waiting(now);
    let answer = joinings.step(body, (from, now), chance, certificate, |computer| shared.admit(computer));
    let new = joinings
        .waiting(now)
        .into_iter()
        .find(|new| before.iter().all(|known| known.name != new.name || known.from != new.from));
    drop(joinings);
    if let Some(new) = new {
        shared
            .hall()
            .tell(super::hall::ConsoleNews::Joins(tabiya_types::harmless(&new.name), new.from.to_string()));
    }
    answer
}

fn token(shared: &Shared, body: &Value) -> StepAnswer {
    let text = |name: &str| {
        body.get(name)
            .and_then(Value::as_str)
            .filter(|text| tabiya_engine::record::chain::unhex(text).is_some_and(|bytes| bytes.len() == 32))
    };
    match (text("token"), text("key")) {
        (Some(token), Some(key)) => shared.take_token(token, key),
        _ => StepAnswer { status: 400, body: None },
    }
}

fn lists(shared: &Shared, key: &str, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let hall = shared.hall();
    if hall.staff.console(key).is_none() {
        return only(StatusCode::FORBIDDEN);
    }
    let tag = format!("\"{}-{}\"", hall.staff.n, hall.roster.n);
    let known =
        request.headers().get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut answer = if known {
        only(StatusCode::NOT_MODIFIED)
    } else {
        with_body(200, &json!({"staff": hall.staff.signed(), "roster": hall.roster.signed()}))
    };
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.headers_mut().insert(header::ETAG, tag);
    }
    answer
}

/// Whether a list of words in a header has this one.
fn has_word(request: &Request<Incoming>, name: &header::HeaderName, word: &str) -> bool {
    let lists = request.headers().get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|known| known.trim().eq_ignore_ascii_case(word))
}

fn upgrade(
    shared: &Shared,
    (peer, key): (&Peer, &str),
    mut request: Request<Incoming>,
) -> Response<Full<Bytes>> {
    let in_event = {
        let hall = shared.hall();
        hall.roster.has_key(key) || hall.staff.console(key).is_some()
    };
    if !in_event {
        return only(StatusCode::FORBIDDEN);
    }
    let wants = has_word(&request, &header::UPGRADE, "websocket")
        && has_word(&request, &header::CONNECTION, "upgrade");
    let version = request.headers().get(header::SEC_WEBSOCKET_VERSION).is_some_and(|version| version == "13");
    if !wants || !version || !has_word(&request, &header::SEC_WEBSOCKET_PROTOCOL, PROTOCOL) {
        let mut answer = only(StatusCode::UPGRADE_REQUIRED);
        let headers = answer.headers_mut();
        headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(PROTOCOL));
        return answer;
    }
    let Some(accept) =
        request.headers().get(header::SEC_WEBSOCKET_KEY).map(|key| derive_accept_key(key.as_bytes()))
    else {
        return only(StatusCode::BAD_REQUEST);
    };
    let Ok(accept) = HeaderValue::from_str(&accept) else { return only(StatusCode::BAD_REQUEST) };
    let way = peer.way.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(way) = way else { return only(StatusCode::BAD_REQUEST) };
    let _ = way.send(hyper::upgrade::on(&mut request));
    let mut answer = only(StatusCode::SWITCHING_PROTOCOLS);
    let headers = answer.headers_mut();
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
    headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(PROTOCOL));
    answer
}
