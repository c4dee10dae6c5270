//! The page's port: TLS, HTTP within bounds, and what must hold before anything is answered: the page's own `Host`, and for changes
//! its own `Origin`.
//!
//! Source: `docs/hall.md`, §6 and §9 (5 s for handshake, request and body; 8 KiB, 16 KiB; errors without a body).

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use super::answer::{PageAnswer, PageBody};
use super::request::{PageAsk, after_of, fields, is_own_host, is_own_origin, language_of, session_of};
use super::{PageDoor, PagePlace};
use crate::ports::head::{HeadCame, PatientHead};
use crate::ports::{BREATH, Connections, LONGEST_HEAD, PATIENCE, Who, body_of};

/// The longest path.
const LONGEST_PATH: usize = 200;
/// How long a page waits for a change at most. A telephone whose table is silent for twice as long says so.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// What every answer says: nothing but what comes from here is run, shown or sent to, no other page frames this one, and no address
/// of it is told elsewhere.
const ALWAYS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // `no-referrer` would make browsers send `Origin: null` with our own forms (Fetch, 3.2).
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Who answers at a port of pages.
pub(crate) trait PageSite: Send + Sync + 'static {
    /// Where the pages are; `None` if there are none.
    fn place(&self) -> Option<&PagePlace>;
    /// The name of the sessions' cookie.
    fn cookie(&self) -> &'static str;
    /// Answers. May wait for the disk.
    fn answer(&self, ask: &PageAsk) -> PageAnswer;
    /// Waits until there is another change than the one that a page knows. Here no page waits.
    fn await_change(&self, _known: u64) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}

/// Takes connections until the runtime ends; without a page it only waits.
pub(crate) async fn serve<S: PageSite>(site: Arc<S>, door: Option<PageDoor>) {
    let Some(PageDoor { listener, config }) = door else { return std::future::pending().await };
    let (acceptor, connections) = (TlsAcceptor::from(config), Arc::new(Connections::default()));
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            sleep(BREATH).await;
            continue;
        };
        let (site, acceptor, connections) = (Arc::clone(&site), acceptor.clone(), Arc::clone(&connections));
        tokio::spawn(async move { talk(site, acceptor, &connections, (stream, from.ip())).await });
    }
}

async fn talk<S: PageSite>(
    site: Arc<S>,
    acceptor: TlsAcceptor,
    connections: &Connections,
    (stream, from): (TcpStream, IpAddr),
) {
    let from = from.to_canonical();
    let Some(_counted) = connections.enter(Who::Stranger(from)) else { return };
    let _ = stream.set_nodelay(true);
    let Ok(Ok(stream)) = timeout(PATIENCE, acceptor.accept(stream)).await else { return };
    let came = HeadCame::default();
    let stream = PatientHead::new(stream, PATIENCE, came.clone());
    let service = service_fn(move |request| {
        came.note();
        let site = Arc::clone(&site);
        async move { Ok::<_, Infallible>(respond(site, request, from).await) }
    });
    // A telephone asks again and again, so the connection stays; who is silent for longer dials anew.
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

/// An answer without a body. What was refused ends the connection.
fn only(status: StatusCode) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::default());
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer
}

async fn respond<S: PageSite>(
    site: Arc<S>,
    request: Request<Incoming>,
    from: IpAddr,
) -> Response<Full<Bytes>> {
    let asked = match read(site.place(), (request, from), site.cookie()).await {
        Ok(asked) => asked,
        Err(status) => return only(status),
    };
    if let Some(known) = asked.after {
        let _ = timeout(LONGEST_WAIT, site.await_change(known)).await;
    }
    // Acts are written to the disk before they are told, and nobody else waits for that.
    match tokio::task::spawn_blocking(move || site.answer(&asked)).await {
        Ok(answered) => response(answered),
        Err(_) => only(StatusCode::SERVICE_UNAVAILABLE),
    }
}

fn text<'a>(request: &'a Request<Incoming>, name: &HeaderName) -> Option<&'a str> {
    let mut all = request.headers().get_all(name).into_iter();
    // What stands twice could be read in two ways.
    match (all.next(), all.next()) {
        (Some(one), None) => one.to_str().ok(),
        _ => None,
    }
}

/// What is asked, if it may be; else the status that says why not.
async fn read(
    place: Option<&PagePlace>,
    (request, from): (Request<Incoming>, IpAddr),
    cookie: &str,
) -> Result<PageAsk, StatusCode> {
    let place = place.ok_or(StatusCode::NOT_FOUND)?;
    let host = text(&request, &header::HOST).ok_or(StatusCode::BAD_REQUEST)?.to_owned();
    if !is_own_host(&host, place.listens.port(), |name| place.is_named(name)) {
        return Err(StatusCode::FORBIDDEN);
    }
    let posts = match *request.method() {
        Method::GET | Method::HEAD => false,
        Method::POST => true,
        _ => return Err(StatusCode::METHOD_NOT_ALLOWED),
    };
    if posts && !is_own_origin(text(&request, &header::ORIGIN), &host) {
        return Err(StatusCode::FORBIDDEN);
    }
    let path = request.uri().path();
    if path.len() > LONGEST_PATH {
        return Err(StatusCode::NOT_FOUND);
    }
    let mut asked = PageAsk {
        posts,
        path: path.to_owned(),
        cookie: text(&request, &header::COOKIE).and_then(|cookies| session_of(cookie, cookies)),
        language: language_of(text(&request, &header::ACCEPT_LANGUAGE).unwrap_or_default()),
        after: request.uri().query().and_then(after_of),
        from: from.to_string(),
        form: Vec::new(),
    };
    if posts {
        asked.form = fields(&body_of(request).await?).ok_or(StatusCode::BAD_REQUEST)?;
    }
    Ok(asked)
}

/// The answer as HTTP has it.
fn response(answered: PageAnswer) -> Response<Full<Bytes>> {
    let (status, kind, body) = match &answered.body {
        PageBody::Page(html) => (StatusCode::OK, "text/html; charset=utf-8", Bytes::from(html.clone())),
        PageBody::Fixed(kind, text) => (StatusCode::OK, *kind, Bytes::from_static(text.as_bytes())),
        PageBody::Picture(svg) => (StatusCode::OK, "image/svg+xml", Bytes::from(svg.clone())),
        PageBody::Go(_) => (StatusCode::SEE_OTHER, "text/plain", Bytes::new()),
        PageBody::Same => (StatusCode::NO_CONTENT, "text/plain", Bytes::new()),
        PageBody::Refused(status) => {
            return only(StatusCode::from_u16(*status).unwrap_or(StatusCode::BAD_REQUEST));
        }
    };
    let lasts = matches!(answered.body, PageBody::Fixed(..) | PageBody::Picture(_));
    let mut answer = Response::new(Full::new(body));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let cache = if lasts { "max-age=3600" } else { "no-store" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    if let PageBody::Go(to) = &answered.body
        && let Ok(to) = HeaderValue::from_str(to)
    {
        headers.insert(header::LOCATION, to);
    }
    if let Some(cookie) = answered.cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    answer
}
