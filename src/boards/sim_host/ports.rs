//! Where programs find a simulated board: a pseudo-terminal, a symbolic link to it, a TCP port.
//!
//! This module carries bytes and knows no board. Nothing in it blocks; `sim_host.rs` waits.

use std::fs;
use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Registry, Token, Waker};

use super::SimError;
use crate::platform::{Pty, place_link};

/// What can wake a waiting board. Whatever it is, everything is read and written that can be.
const BELL: Token = Token(0);
const PTY: Token = Token(1);
const LISTENER: Token = Token(2);
const CALLER: Token = Token(3);

/// Where a board listens on a system that has no pseudo-terminals, if nobody names an address: at a free port of this
/// computer.
const NO_PTY: &str = "127.0.0.1:0";

/// The largest number of bytes from the board that are kept while no program reads them. If more bytes are waiting, all
/// of them are discarded. A real serial port would keep none.
const KEPT: usize = 16 * 1024;

/// A pseudo-terminal, and what is still to be sent to it.
struct Line {
    pty: Pty,
    unsent: Vec<u8>,
}

/// A program that is connected to the TCP port.
struct Caller {
    stream: TcpStream,
    unsent: Vec<u8>,
}

/// The ports of one simulated board.
pub(super) struct Ports {
    poll: Poll,
    link: Option<PathBuf>,
    with_pty: bool,
    line: Option<Line>,
    listener: Option<TcpListener>,
    caller: Option<Caller>,
    plugged: bool,
}

impl Ports {
    /// Opens the ports. A TCP port is opened if `tcp` is given. A pseudo-terminal is opened if `link` is given or `tcp`
    /// is not; a system without pseudo-terminals opens a TCP port instead.
    pub(super) fn open(link: Option<&Path>, tcp: Option<&str>) -> Result<Self, SimError> {
        let poll = Poll::new()?;
        let with_pty = link.is_some() || (tcp.is_none() && Pty::EXISTS);
        let tcp = tcp.or((!with_pty).then_some(NO_PTY));
        let listener = tcp.map(|tcp| listen(tcp, poll.registry())).transpose()?;
        let link = link.map(Path::to_owned);
        let mut ports = Self { poll, link, with_pty, line: None, listener, caller: None, plugged: false };
        ports.plug()?;
        Ok(ports)
    }

    /// Something with which another thread ends [`Ports::wait`].
    pub(super) fn bell(&self) -> io::Result<Arc<Waker>> {
        Waker::new(self.poll.registry(), BELL).map(Arc::new)
    }

    /// The path of the pseudo-terminal.
    pub(super) fn pty_name(&self) -> Option<&Path> {
        self.line.as_ref().map(|line| line.pty.name())
    }

    /// The TCP port's address.
    pub(super) fn address(&self) -> Option<SocketAddr> {
        self.listener.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Opens the pseudo-terminal when the plug goes in. Closes it and the TCP connection when the plug comes out.
    pub(super) fn set_plugged(&mut self, plugged: bool) -> Result<(), SimError> {
        match (self.plugged, plugged) {
            (false, true) => self.plug(),
            (true, false) => {
                self.unplug();
                Ok(())
            }
            (true, true) | (false, false) => Ok(()),
        }
    }

    fn plug(&mut self) -> Result<(), SimError> {
        if self.with_pty {
            let pty = Pty::open().map_err(|source| SimError::Pty { source })?;
            if let Some(link) = &self.link {
                let taken = fs::symlink_metadata(link).is_ok_and(|found| !found.file_type().is_symlink());
                if taken {
                    return Err(SimError::LinkTaken { path: link.clone() });
                }
                place_link(link, pty.name())
                    .map_err(|source| SimError::Link { path: link.clone(), source })?;
            }
            pty.register(self.poll.registry(), PTY)?;
            self.line = Some(Line { pty, unsent: Vec::new() });
        }
        self.plugged = true;
        Ok(())
    }

    fn unplug(&mut self) {
        if let (Some(link), Some(line)) = (&self.link, self.line.take()) {
            remove_link(link, line.pty.name());
        }
        self.caller = None;
        self.plugged = false;
    }

    /// Waits until the bell rings, a port has bytes or room for bytes, or `timeout` is over; `None` waits for ever.
    pub(super) fn wait(&mut self, timeout: Option<Duration>) -> io::Result<()> {
        // What woke is not looked at: after each wait everything is read and written that can be.
        match self.poll.poll(&mut Events::with_capacity(8), timeout) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Reads everything that has arrived.
    pub(super) fn read(&mut self) -> Vec<u8> {
        self.accept();
        let mut bytes = Vec::new();
        let mut buffer = [0; 512];
        if let Some(line) = &self.line {
            while let Ok(got @ 1..) = line.pty.read(&mut buffer) {
                bytes.extend(buffer.iter().take(got));
            }
        }
        while let Some(caller) = &mut self.caller {
            match caller.stream.read(&mut buffer) {
                Ok(got @ 1..) => bytes.extend(buffer.iter().take(got)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => self.caller = None,
            }
        }
        bytes
    }

    fn accept(&mut self) {
        while let Some(Ok((mut stream, _))) = self.listener.as_ref().map(TcpListener::accept) {
            // One program at a time may connect, as at a serial port. The connection of a second program is closed.
            if self.caller.is_some() || !self.plugged {
                continue;
            }
            let interest = Interest::READABLE | Interest::WRITABLE;
            let ready = stream
                .set_nodelay(true)
                .and_then(|()| self.poll.registry().register(&mut stream, CALLER, interest));
            if ready.is_ok() {
                self.caller = Some(Caller { stream, unsent: Vec::new() });
            }
        }
    }

    /// Sends the bytes that are still unsent, then `bytes`.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        if let Some(Line { pty, unsent }) = &mut self.line {
            send(unsent, bytes, |bytes| pty.write(bytes));
        }
        if let Some(Caller { stream, unsent }) = &mut self.caller {
            send(unsent, bytes, |bytes| stream.write(bytes));
        }
    }
}

impl Drop for Ports {
    fn drop(&mut self) {
        self.unplug();
    }
}

/// Adds `bytes` to what is unsent, and sends as much of it as there is room for.
fn send(unsent: &mut Vec<u8>, bytes: &[u8], mut write: impl FnMut(&[u8]) -> io::Result<usize>) {
    unsent.extend(bytes);
    while !unsent.is_empty() {
        let Ok(sent @ 1..) = write(unsent) else { break };
        unsent.drain(..sent);
    }
    if unsent.len() > KEPT {
        unsent.clear();
    }
}

fn listen(address: &str, registry: &Registry) -> Result<TcpListener, SimError> {
    let bound = std::net::TcpListener::bind(address).and_then(|listener| {
        listener.set_nonblocking(true)?;
        let mut listener = TcpListener::from_std(listener);
        registry.register(&mut listener, LISTENER, Interest::READABLE)?;
        Ok(listener)
    });
    bound.map_err(|source| SimError::Listen { address: address.to_owned(), source })
}

/// Removes the symbolic link if it still points to `target`.
fn remove_link(link: &Path, target: &Path) {
    if fs::read_link(link).is_ok_and(|found| found == target) {
        // An error means that the link or its folder is already gone.
        let _ = fs::remove_file(link);
    }
}
