//! A WebSocket to a program that offers boards. Each message is one JSON text.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use tungstenite::{Error, Message, WebSocket};

use super::error::LinkError;
use super::line::{Carrier, Link};
use super::tcp::connect;

/// The timeout of the handshake and of each write.
const WRITE_PATIENCE: Duration = Duration::from_secs(3);
/// The shortest read timeout. The operating system does not accept zero.
const SHORTEST_PATIENCE: Duration = Duration::from_millis(1);

/// An open WebSocket.
pub struct WebLink {
    socket: WebSocket<TcpStream>,
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
        // If the handshake fails, a program listens on the port but does not use WebSocket.
        let (socket, _) = tungstenite::client(format!("ws://{address}{path}"), stream)
            .map_err(|_| LinkError::NoAnswer { port: address.clone(), maker })?;
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
        let timeout = self.socket.get_ref().set_read_timeout(Some(patience.max(SHORTEST_PATIENCE)));
        timeout.map_err(|error| self.vanished(error.into()))?;
        match self.socket.read() {
            Ok(Message::Text(text)) => Ok(text.as_bytes().to_vec()),
            Ok(Message::Binary(bytes)) => Ok(bytes.to_vec()),
            // The remaining messages are pings, pongs and close frames, which the library answers.
            Ok(_) => Ok(Vec::new()),
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
