//! A board that is reached over TCP: a small computer forwards the board's bytes.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use super::error::LinkError;
use super::line::{Link, READ_SIZE};

/// The timeout of connecting to one address.
const CONNECT_PATIENCE: Duration = Duration::from_secs(3);
/// The timeout of a write. After it the connection counts as dead.
const WRITE_PATIENCE: Duration = Duration::from_secs(3);
/// The shortest read timeout. The operating system does not accept zero.
const SHORTEST_PATIENCE: Duration = Duration::from_millis(1);

/// Connects to `host`, a name or an IP address. Tries each address to which a name resolves. Also returns `host:port`
/// for messages.
pub(super) fn connect(host: &str, port: u16) -> Result<(TcpStream, String), LinkError> {
    let address = if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
    let hosts = (host, port).to_socket_addrs();
    let hosts = hosts.map_err(|_| LinkError::UnknownHost { address: address.clone() })?;
    let mut last = None;
    for candidate in hosts {
        match TcpStream::connect_timeout(&candidate, CONNECT_PATIENCE) {
            Ok(stream) => return Ok((stream, address)),
            Err(error) => last = Some(error),
        }
    }
    Err(match last {
        None => LinkError::UnknownHost { address },
        Some(error) if error.kind() == ErrorKind::ConnectionRefused => LinkError::Refused { address },
        Some(error) => LinkError::Unreachable { address, source: Some(Arc::new(error)) },
    })
}

/// An open TCP connection to a board.
pub struct TcpLink {
    stream: TcpStream,
    address: String,
}

impl TcpLink {
    /// Connects to `host`, a name or an IP address. Tries each address to which a name resolves.
    pub fn open(host: &str, port: u16) -> Result<Self, LinkError> {
        let (stream, address) = connect(host, port)?;
        Self::over(stream, address)
    }

    fn over(stream: TcpStream, address: String) -> Result<Self, LinkError> {
        let ready = stream.set_nodelay(true).and_then(|()| stream.set_write_timeout(Some(WRITE_PATIENCE)));
        let link = Self { stream, address };
        ready.map_err(|error| link.vanished(error))?;
        Ok(link)
    }

    fn vanished(&self, error: io::Error) -> LinkError {
        LinkError::Vanished { port: self.address.clone(), source: Some(Arc::new(error)) }
    }
}

impl Link for TcpLink {
    fn read(&mut self, patience: Duration) -> Result<Vec<u8>, LinkError> {
        let mut buffer = vec![0; READ_SIZE];
        let timeout = self.stream.set_read_timeout(Some(patience.max(SHORTEST_PATIENCE)));
        match timeout.and_then(|()| self.stream.read(&mut buffer)) {
            Ok(0) => Err(LinkError::Vanished { port: self.address.clone(), source: None }),
            Ok(count) => {
                buffer.truncate(count);
                Ok(buffer)
            }
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::TimedOut | ErrorKind::WouldBlock | ErrorKind::Interrupted
                ) =>
            {
                Ok(Vec::new())
            }
            Err(error) => Err(self.vanished(error)),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.stream.write_all(bytes).map_err(|error| self.vanished(error))
    }
}
