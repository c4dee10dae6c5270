//! Pseudo-terminals, which only Unix has. On other systems simulated boards have a TCP port instead.

#[cfg(not(unix))]
pub(crate) use self::none::{Pty, place_link};
#[cfg(unix)]
pub(crate) use self::unix::{Pty, place_link};

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::io;
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::path::{Path, PathBuf};

    use mio::unix::SourceFd;
    use mio::{Interest, Registry, Token};
    use nix::errno::Errno;
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    use nix::pty::openpty;
    use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
    use nix::unistd::ttyname;

    /// A pseudo-terminal in raw mode. Reading and writing never block.
    pub(crate) struct Pty {
        master: OwnedFd,
        /// The end of the pseudo-terminal that programs open. It is kept open here, too, so that the pseudo-terminal does
        /// not hang up when a program closes this end.
        _slave: OwnedFd,
        name: PathBuf,
    }

    impl Pty {
        /// Whether this system has pseudo-terminals.
        pub(crate) const EXISTS: bool = true;

        pub(crate) fn open() -> io::Result<Self> {
            let pair = openpty(None, None)?;
            let mut settings = tcgetattr(&pair.slave)?;
            cfmakeraw(&mut settings);
            tcsetattr(&pair.slave, SetArg::TCSANOW, &settings)?;
            let flags = OFlag::from_bits_retain(fcntl(&pair.master, FcntlArg::F_GETFL)?);
            fcntl(&pair.master, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
            let name = ttyname(&pair.slave)?;
            Ok(Self { master: pair.master, _slave: pair.slave, name })
        }

        /// The path at which programs find it.
        pub(crate) fn name(&self) -> &Path {
            &self.name
        }

        /// Makes `registry` wake when bytes come, or when there is room for bytes again.
        pub(crate) fn register(&self, registry: &Registry, token: Token) -> io::Result<()> {
            let interest = Interest::READABLE | Interest::WRITABLE;
            registry.register(&mut SourceFd(&self.master.as_raw_fd()), token, interest)
        }

        /// Reads what is there. Returns the number of bytes; `WouldBlock` if there are none.
        pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
            nix::unistd::read(&self.master, buffer).map_err(Errno::into)
        }

        /// Writes as many bytes as there is room for, and returns their number.
        pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
            nix::unistd::write(&self.master, bytes).map_err(Errno::into)
        }
    }

    /// Makes the symbolic link `link` point to `target` in one step. A program that opens `link` at that moment finds the
    /// old pseudo-terminal or the new one, never a missing file.
    pub(crate) fn place_link(link: &Path, target: &Path) -> io::Result<()> {
        let mut beside = link.as_os_str().to_owned();
        beside.push(format!(".{}", std::process::id()));
        let beside = PathBuf::from(beside);
        match fs::remove_file(&beside) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        std::os::unix::fs::symlink(target, &beside)?;
        fs::rename(&beside, link)
    }
}

#[cfg(not(unix))]
mod none {
    use std::io;
    use std::path::Path;

    use mio::{Registry, Token};

    /// A pseudo-terminal on a system that has none: it can never be opened.
    pub(crate) enum Pty {}

    impl Pty {
        /// Whether this system has pseudo-terminals.
        pub(crate) const EXISTS: bool = false;

        pub(crate) fn open() -> io::Result<Self> {
            Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no pseudo-terminals; use --tcp"))
        }

        pub(crate) fn name(&self) -> &Path {
            match *self {}
        }

        pub(crate) fn register(&self, _: &Registry, _: Token) -> io::Result<()> {
            match *self {}
        }

        pub(crate) fn read(&self, _: &mut [u8]) -> io::Result<usize> {
            match *self {}
        }

        pub(crate) fn write(&self, _: &[u8]) -> io::Result<usize> {
            match *self {}
        }
    }

    /// Never called, because no pseudo-terminal exists to which a link could lead.
    pub(crate) fn place_link(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
