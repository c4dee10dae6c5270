//! A WebSocket to a program that offers boards. Each message is one JSON text.

#![expect(clippy::disallowed_methods, reason = "a handshake has a deadline in real time")]

use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket, client::client_with_config};

use super::error::LinkError;
use super::line::{Carrier, Link};
use super::tcp::connect;

/// The timeout of the handshake and of each write.
const WRITE_PATIENCE: Duration = Duration::from_secs(3);
/// The shortest read timeout. The operating system does not accept zero.
const SHORTEST_PATIENCE: Duration = Duration::from_millis(1);

/// The longest message that is read, in bytes. A position of a board has some hundred.
const LONGEST_MESSAGE: usize = 1 << 20;
/// The time for the whole handshake, however slowly its bytes come.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// A stream that can be read until a deadline.
struct Hurried {
    stream: TcpStream,
    until: Option<Instant>,
}

impl io::Read for Hurried {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return Err(ErrorKind::ConnectionAborted.into());
        }
        io::Read::read(&mut self.stream, bytes)
    }
}

impl io::Write for Hurried {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::Write::write(&mut self.stream, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::Write::flush(&mut self.stream)
    }
}

/// The bounds of what is read.
fn bounds() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(Some(LONGEST_MESSAGE)).max_frame_size(Some(LONGEST_MESSAGE))
}

/// The content of a message from a board.
fn content(message: &Message) -> Vec<u8> {
    match message {
        Message::Text(text) => text.as_bytes().to_vec(),
        Message::Binary(bytes) => bytes.to_vec(),
        // Pings, pongs and close frames, which the library answers.
        _ => Vec::new(),
    }
}

/// The contents of all messages in these bytes from a server, up to the first fault; the bytes may also answer the
/// handshake. No message is longer than the bound, and together they are no longer than the bytes.
pub(crate) fn messages_law(bytes: &[u8]) -> Vec<Vec<u8>> {
    let heard = || Playback { bytes };
    drop(client_with_config("ws://localhost/", heard(), Some(bounds())));
    let mut socket = WebSocket::from_raw_socket(heard(), Role::Client, Some(bounds()));
    let messages: Vec<Vec<u8>> =
        std::iter::from_fn(|| socket.read().ok().map(|message| content(&message))).collect();
    assert!(messages.iter().all(|message| message.len() <= LONGEST_MESSAGE), "a message is too long");
    let all: usize = messages.iter().map(Vec::len).sum();
    assert!(all <= bytes.len(), "{all} bytes were made of {}", bytes.len());
    messages
}

/// A server that sends these bytes and takes everything.
struct Playback<'a> {
    bytes: &'a [u8],
}

impl io::Read for Playback<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        io::Read::read(&mut self.bytes, into)
    }
}

impl io::Write for Playback<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An open WebSocket.
pub struct WebLink {
    socket: WebSocket<Hurried>,
    address: String,
}

impl WebLink {
    /// Connects to `path` on `host`, where a program with the boards of `maker` should be listening.
    pub fn open(host: &str, port: u16, path: &str, maker: &'static str) -> Result<Self, LinkError> {
        let (stream, address) = connect(host, port)?;
        let ready = stream
            .set_nodelay(true)
            .and_then(|()| stream.set_write_timeout(Some(WRITE_PATIENCE)))
            .and_then(|()| stream.set_read_timeout(Some(WRITE_PATIENCE)));
        ready.map_err(|error| LinkError::Unreachable {
            address: address.clone(),
            source: Some(Arc::new(error)),
        })?;
        let stream = Hurried { stream, until: Some(Instant::now() + HANDSHAKE) };
        // If the handshake fails, a program listens on the port but does not use WebSocket.
        let (mut socket, _) = client_with_config(format!("ws://{address}{path}"), stream, Some(bounds()))
            .map_err(|_| LinkError::NoAnswer { port: address.clone(), maker })?;
        socket.get_mut().until = None;
        Ok(Self { socket, address })
    }

    fn vanished(&self, error: Error) -> LinkError {
        let source = match error {
            Error::Io(error) => Some(Arc::new(error)),
            _ => None,
        };
        LinkError::Vanished { port: self.address.clone(), source }
    }
}

impl Link for WebLink {
    fn carrier(&self) -> Carrier {
        Carrier::Messages
    }

    fn read(&mut self, patience: Duration) -> Result<Vec<u8>, LinkError> {
        let timeout = self.socket.get_ref().stream.set_read_timeout(Some(patience.max(SHORTEST_PATIENCE)));
        timeout.map_err(|error| self.vanished(error.into()))?;
        match self.socket.read() {
            Ok(message) => Ok(content(&message)),
            Err(Error::Io(error))
                if matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) =>
            {
                Ok(Vec::new())
            }
            Err(error) => Err(self.vanished(error)),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.socket.send(Message::text(text)).map_err(|error| self.vanished(error))
    }
}
