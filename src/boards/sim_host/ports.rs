//! Where programs find a simulated board: a pseudo-terminal, a symbolic link to it, a TCP port.
//!
//! This module carries bytes and knows no board. Nothing in it blocks; `sim_host.rs` waits.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::ttyname;

use super::SimError;

/// The largest number of bytes from the board that are kept while no program reads them. If more bytes are waiting, all
/// of them are discarded. A real serial port would keep none.
const KEPT: usize = 16 * 1024;

/// A pseudo-terminal in raw mode.
struct Pty {
    master: OwnedFd,
    /// The end of the pseudo-terminal that programs open. It is kept open here, too, so that the pseudo-terminal does
    /// not hang up when a program closes this end.
    _slave: OwnedFd,
    name: PathBuf,
    unsent: Vec<u8>,
}

impl Pty {
    fn open() -> Result<Self, Errno> {
        let pair = openpty(None, None)?;
        let mut settings = tcgetattr(&pair.slave)?;
        cfmakeraw(&mut settings);
        tcsetattr(&pair.slave, SetArg::TCSANOW, &settings)?;
        let flags = OFlag::from_bits_retain(fcntl(&pair.master, FcntlArg::F_GETFL)?);
        fcntl(&pair.master, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        let name = ttyname(&pair.slave)?;
        Ok(Self { master: pair.master, _slave: pair.slave, name, unsent: Vec::new() })
    }
}

/// A program that is connected to the TCP port.
struct Caller {
    stream: TcpStream,
    unsent: Vec<u8>,
}

/// The ports of one simulated board.
pub(super) struct Ports {
    link: Option<PathBuf>,
    with_pty: bool,
    pty: Option<Pty>,
    listener: Option<TcpListener>,
    caller: Option<Caller>,
    plugged: bool,
}

impl Ports {
    /// Opens the ports. A TCP port is opened if `tcp` is given. A pseudo-terminal is opened if `link` is given or `tcp`
    /// is not.
    pub(super) fn open(link: Option<&Path>, tcp: Option<&str>) -> Result<Self, SimError> {
        let mut ports = Self {
            link: link.map(Path::to_owned),
            with_pty: link.is_some() || tcp.is_none(),
            pty: None,
            listener: tcp.map(listen).transpose()?,
            caller: None,
            plugged: false,
        };
        ports.plug()?;
        Ok(ports)
    }

    /// The path of the pseudo-terminal.
    pub(super) fn pty_name(&self) -> Option<&Path> {
        self.pty.as_ref().map(|pty| pty.name.as_path())
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
            let pty = Pty::open().map_err(|errno| SimError::Pty { source: errno.into() })?;
            if let Some(link) = &self.link {
                place_link(link, &pty.name)?;
            }
            self.pty = Some(pty);
        }
        self.plugged = true;
        Ok(())
    }

    fn unplug(&mut self) {
        if let (Some(link), Some(pty)) = (&self.link, self.pty.take()) {
            remove_link(link, &pty.name);
        }
        self.caller = None;
        self.plugged = false;
    }

    /// The file descriptors to poll for input. If a descriptor's flag is set, bytes wait to be written to it, so it
    /// must be polled for output, too.
    pub(super) fn waits(&self) -> Vec<(BorrowedFd<'_>, bool)> {
        let pty = self.pty.as_ref().map(|pty| (pty.master.as_fd(), !pty.unsent.is_empty()));
        let listener = self.listener.as_ref().map(|listener| (listener.as_fd(), false));
        let caller = self.caller.as_ref().map(|caller| (caller.stream.as_fd(), !caller.unsent.is_empty()));
        [pty, listener, caller].into_iter().flatten().collect()
    }

    /// Reads everything that has arrived.
    pub(super) fn read(&mut self) -> Vec<u8> {
        self.accept();
        let mut bytes = Vec::new();
        let mut buffer = [0; 512];
        if let Some(pty) = &self.pty {
            while let Ok(got @ 1..) = nix::unistd::read(&pty.master, &mut buffer) {
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
        while let Some(Ok((stream, _))) = self.listener.as_ref().map(TcpListener::accept) {
            // One program at a time may connect, as at a serial port. The connection of a second program is closed.
            let ready = stream.set_nonblocking(true).and_then(|()| stream.set_nodelay(true));
            if ready.is_ok() && self.caller.is_none() && self.plugged {
                self.caller = Some(Caller { stream, unsent: Vec::new() });
            }
        }
    }

    /// Sends the bytes that are still unsent, then `bytes`.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        if let Some(pty) = &mut self.pty {
            pty.unsent.extend(bytes);
            while !pty.unsent.is_empty() {
                let Ok(sent @ 1..) = nix::unistd::write(&pty.master, &pty.unsent) else { break };
                pty.unsent.drain(..sent);
            }
            forget(&mut pty.unsent);
        }
        if let Some(caller) = &mut self.caller {
            caller.unsent.extend(bytes);
            while !caller.unsent.is_empty() {
                let Ok(sent @ 1..) = caller.stream.write(&caller.unsent) else { break };
                caller.unsent.drain(..sent);
            }
            forget(&mut caller.unsent);
        }
    }
}

impl Drop for Ports {
    fn drop(&mut self) {
        self.unplug();
    }
}

fn forget(unsent: &mut Vec<u8>) {
    if unsent.len() > KEPT {
        unsent.clear();
    }
}

fn listen(address: &str) -> Result<TcpListener, SimError> {
    let failed = |source| SimError::Listen { address: address.to_owned(), source };
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}

/// Makes the symbolic link `link` point to `target` in one step. A program that opens `link` at that moment finds the
/// old pseudo-terminal or the new one, never a missing file.
fn place_link(link: &Path, target: &Path) -> Result<(), SimError> {
    let failed = |source| SimError::Link { path: link.to_owned(), source };
    if fs::symlink_metadata(link).is_ok_and(|found| !found.file_type().is_symlink()) {
        return Err(SimError::LinkTaken { path: link.to_owned() });
    }
    let mut beside = link.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    let beside = PathBuf::from(beside);
    match fs::remove_file(&beside) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    std::os::unix::fs::symlink(target, &beside).map_err(failed)?;
    fs::rename(&beside, link).map_err(failed)
}

/// Removes the symbolic link if it still points to `target`.
fn remove_link(link: &Path, target: &Path) {
    if fs::read_link(link).is_ok_and(|found| found == target) {
        // An error means that the link or its folder is already gone.
        let _ = fs::remove_file(link);
    }
}
