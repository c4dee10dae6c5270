//! Dialling a console: TCP, TLS, one request of HTTP, or the link's WebSocket.
//!
//! Source: `docs/hall.md`, §1 (TLS), §2 (requests), §3 (the link).

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::{Method, Request, header};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use serde_json::Value;
use tabiya_engine::record::json;
use tabiya_store::signing::PublicKey;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::client_async_with_config;
use tokio_tungstenite::tungstenite::Error as WebSocketError;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

use crate::fragments::{Counted, FragmentCount};
use crate::socket::{HallSocket, PROTOCOL, bounds};
use crate::tls::peer_key;
use crate::wire::DEEPEST;

/// The port of a console.
pub const PORT: u16 = 44064;
/// How long a handshake, a request and an answer may take, each.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest body that is read, in bytes.
const LONGEST_BODY: usize = 64 << 10;

/// Why a console could not be reached, or did not answer as it should.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DialFault {
    /// Nobody answers at this address.
    #[error("{address}: nobody answers ({why}); see whether the console runs and whether its port is open")]
    Nobody {
        /// The address.
        address: String,
        /// What the system says.
        why: String,
    },
    /// The other side is not a console of this event.
    #[error("{address}: this is no console of the event ({why}); check the address with the arbiter")]
    Stranger {
        /// The address.
        address: String,
        /// What is wrong.
        why: String,
    },
    /// The console refuses.
    #[error(
        "{address}: the console refuses this computer ({status}); ask the arbiter whether it is in the event's list"
    )]
    Refused {
        /// The address.
        address: String,
        /// The status of HTTP.
        status: u16,
    },
    /// The console speaks another version.
    #[error(
        "{address}: the console does not speak {PROTOCOL}; the older of the two programs needs an update"
    )]
    Version {
        /// The address.
        address: String,
    },
}

/// An address with the usual port, if it names none.
pub fn with_port(address: &str) -> String {
    let has_port = match address.rsplit_once(':') {
        Some((host, port)) => port.parse::<u16>().is_ok() && (!host.contains(':') || host.ends_with(']')),
        None => false,
    };
    if has_port {
        return address.to_owned();
    }
    if address.contains(':') && !address.starts_with('[') {
        return format!("[{address}]:{PORT}");
    }
    format!("{address}:{PORT}")
}

/// Whether this can be the address of a computer: a name or a number, with or without a port. Whether anybody answers there is not
/// asked.
pub fn is_address(text: &str) -> bool {
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, rest)) if host.parse::<Ipv6Addr>().is_ok() => {
            (None, rest.strip_prefix(':').or(Some(rest).filter(|rest| rest.is_empty())))
        }
        Some(_) => return false,
        None if text.parse::<Ipv6Addr>().is_ok() => return true,
        None => match text.rsplit_once(':') {
            Some((host, port)) => (Some(host), Some(port)),
            None => (Some(text), Some("")),
        },
    };
    let is_port = match port {
        Some("") => !text.ends_with(':'),
        Some(port) => port.parse::<u16>().is_ok_and(|port| port > 0),
        None => false,
    };
    is_port && host.is_none_or(is_host)
}

/// Whether this is the name of a computer, or an address of four numbers.
fn is_host(host: &str) -> bool {
    let is_label = |label: &str| {
        let signs = label.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'-' || sign == b'_');
        (1..=63).contains(&label.len()) && signs && !label.starts_with('-') && !label.ends_with('-')
    };
    let labels: Vec<&str> = host.trim_end_matches('.').split('.').collect();
    // What ends with a number is an address (WHATWG URL, "ends in a number").
    let is_number = labels.last().is_some_and(|last| last.bytes().all(|sign| sign.is_ascii_digit()));
    host.len() <= 253
        && if is_number {
            host.parse::<Ipv4Addr>().is_ok()
        } else {
            labels.iter().all(|label| is_label(label))
        }
}

/// A secured connection to whoever answers there, with the key that it has proved.
pub async fn connect(
    address: &str,
    config: Arc<ClientConfig>,
    name: &str,
) -> Result<(TlsStream<TcpStream>, Option<PublicKey>), DialFault> {
    let nobody = |why: String| DialFault::Nobody { address: address.to_owned(), why };
    let stranger = |why: String| DialFault::Stranger { address: address.to_owned(), why };
    let name = ServerName::try_from(name.to_owned()).map_err(|error| stranger(error.to_string()))?;
    let dialled = timeout(PATIENCE, TcpStream::connect(with_port(address))).await;
    let stream = dialled
        .map_err(|_| nobody("no answer within 5 s".to_owned()))?
        .map_err(|error| nobody(error.to_string()))?;
    // Messages are small and must not wait for each other.
    let _ = stream.set_nodelay(true);
    let shaken = timeout(PATIENCE, TlsConnector::from(config).connect(name, stream)).await;
    let stream = shaken
        .map_err(|_| nobody("no handshake within 5 s".to_owned()))?
        .map_err(|error| stranger(error.to_string()))?;
    let key = peer_key(stream.get_ref().1.peer_certificates());
    Ok((stream, key))
}

/// Asks something over a connection, which is used for this alone. Returns the status and the body, `Null` for an empty one.
pub async fn ask(
    address: &str,
    stream: TlsStream<TcpStream>,
    asked: (Method, &str, Option<&Value>),
) -> Result<(u16, Value), DialFault> {
    ask_within(address, stream, asked, LONGEST_BODY).await
}

/// The same with an answer of at most so many bytes.
pub async fn ask_within(
    address: &str,
    stream: TlsStream<TcpStream>,
    (method, path, body): (Method, &str, Option<&Value>),
    longest: usize,
) -> Result<(u16, Value), DialFault> {
    let nobody = |why: String| DialFault::Nobody { address: address.to_owned(), why };
    let asked = async {
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|error| error.to_string())?;
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "console")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(body)))
            .map_err(|error| error.to_string())?;
        let answer = async {
            let answer = sender.send_request(request).await.map_err(|error| error.to_string())?;
            let status = answer.status().as_u16();
            let body = Limited::new(answer.into_body(), longest).collect().await;
            let body = body.map_err(|error| error.to_string())?.to_bytes();
            Ok::<_, String>((status, body))
        };
        tokio::pin!(connection, answer);
        tokio::select! {
            answer = &mut answer => answer,
            ended = &mut connection => match ended {
                Ok(()) => answer.await,
                Err(error) => Err(error.to_string()),
            },
        }
    };
    let answered = timeout(PATIENCE, asked).await;
    let (status, body) = answered.map_err(|_| nobody("no answer within 5 s".to_owned()))?.map_err(nobody)?;
    if body.is_empty() {
        return Ok((status, Value::Null));
    }
    let text = std::str::from_utf8(&body).map_err(|error| nobody(error.to_string()))?;
    let value = json::parse_within(text, DEEPEST).map_err(|error| nobody(error.to_string()))?;
    Ok((status, value))
}

/// Opens a table's link over a connection.
pub async fn open_link(
    address: &str,
    stream: TlsStream<TcpStream>,
    host: &str,
) -> Result<HallSocket<TlsStream<TcpStream>>, DialFault> {
    let nobody = |why: String| DialFault::Nobody { address: address.to_owned(), why };
    let mut request =
        format!("wss://{host}/v1/table").into_client_request().map_err(|error| nobody(error.to_string()))?;
    request.headers_mut().insert(header::SEC_WEBSOCKET_PROTOCOL, header::HeaderValue::from_static(PROTOCOL));
    // What comes behind the answer may be read with it.
    let stream = Counted::new(stream, FragmentCount::of_answer());
    let opened = timeout(PATIENCE, client_async_with_config(request, stream, Some(bounds()))).await;
    match opened {
        Err(_) => Err(nobody("no answer within 5 s".to_owned())),
        Ok(Ok((socket, _))) => Ok(HallSocket::opened(socket)),
        Ok(Err(WebSocketError::Http(answer))) => match answer.status().as_u16() {
            426 => Err(DialFault::Version { address: address.to_owned() }),
            status => Err(DialFault::Refused { address: address.to_owned(), status }),
        },
        Ok(Err(error)) => Err(nobody(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_address, with_port};

    #[test]
    fn what_people_write_as_an_address_is_one_or_is_refused() {
        for address in [
            "192.168.1.5",
            "192.168.1.5:44064",
            "desk",
            "desk-1.local",
            "desk:1",
            "fe80::1",
            "[fe80::1]",
            "[fe80::1]:7",
        ] {
            assert!(is_address(address), "{address}");
        }
        for nonsense in [
            "",
            " ",
            ":",
            ":44064",
            "desk:",
            "desk:0",
            "desk:99999",
            "desk:x",
            "192.168.1",
            "192.168.1.256",
            "http://desk",
            "desk/1",
            "two words",
            "[fe80::1",
            "[desk]",
            "[fe80::1]x",
            "-desk",
            "a..b",
            "1:2:3",
        ] {
            assert!(!is_address(nonsense), "{nonsense}");
        }
    }

    #[test]
    fn an_address_without_a_port_gets_the_usual_one() {
        for (given, meant) in [
            ("192.168.1.5", "192.168.1.5:44064"),
            ("192.168.1.5:9", "192.168.1.5:9"),
            ("desk", "desk:44064"),
            ("desk:1", "desk:1"),
            ("fe80::1", "[fe80::1]:44064"),
            ("[fe80::1]", "[fe80::1]:44064"),
            ("[fe80::1]:7", "[fe80::1]:7"),
        ] {
            assert_eq!(with_port(given), meant);
        }
    }
}
