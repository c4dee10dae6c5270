//! What differs between operating systems: the socket in an event's folder over which commands hand acts to the running console.

use std::io;
use std::path::Path;
#[cfg(unix)]
use std::time::Duration;

/// The socket's name in the folder.
#[cfg(unix)]
const SOCKET: &str = "console.sock";
/// How long a command waits for the console's answer: a commit on a slow disk takes less.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection of a command.
#[cfg(unix)]
pub(super) type CommandStream = tokio::net::UnixStream;
/// A connection of a command; there are none on this system.
#[cfg(not(unix))]
pub(super) type CommandStream = tokio::io::DuplexStream;

/// Where a console takes acts.
#[derive(Debug)]
pub(super) struct CommandSocket {
    #[cfg(unix)]
    listener: tokio::net::UnixListener,
    #[cfg(unix)]
    path: std::path::PathBuf,
}

#[cfg(unix)]
impl CommandSocket {
    /// Opens the socket in this folder. The event's journal is locked by now, so a socket that is there is left from another start.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        use std::os::unix::fs::PermissionsExt as _;
        let path = folder.join(SOCKET);
        let _ = std::fs::remove_file(&path);
        let listener = tokio::net::UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        Ok(Self { listener, path })
    }

    /// The next command.
    pub(super) async fn accept(&self) -> io::Result<CommandStream> {
        self.listener.accept().await.map(|(stream, _)| stream)
    }
}

#[cfg(unix)]
impl Drop for CommandSocket {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(not(unix))]
impl CommandSocket {
    /// There is no such socket on this system: commands are refused while a console runs.
    pub(super) fn open(_: &Path) -> io::Result<Self> {
        Ok(Self {})
    }

    /// Nobody comes.
    pub(super) async fn accept(&self) -> io::Result<CommandStream> {
        std::future::pending().await
    }
}

/// Hands a line to the console that has this folder open, and returns its answer; `None` if no console runs.
#[cfg(unix)]
pub(super) fn ask(folder: &Path, line: &str) -> io::Result<Option<String>> {
    use std::io::{BufRead as _, BufReader, Write as _};
    let mut stream = match std::os::unix::net::UnixStream::connect(folder.join(SOCKET)) {
        Ok(stream) => stream,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(format!("{line}\n").as_bytes())?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer)?;
    Ok(Some(answer))
}

/// `None`: there is no such socket on this system.
#[cfg(not(unix))]
pub(super) fn ask(_: &Path, _: &str) -> io::Result<Option<String>> {
    Ok(None)
}
