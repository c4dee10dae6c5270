//! The system's real card service (pcscd), one for each test, with readers of our own (`tests/ifd/`).
//!
//! Its socket is handed to it as systemd would; clients find it by `PCSCLITE_CSOCK_NAME`, which the library reads once
//! in a process: so each test runs again in a process of its own ([`alone`]).
#![allow(dead_code, reason = "each test file uses what it needs")]

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use super::child::signal;

/// Where the library looks for the service.
pub(crate) const SOCKET: &str = "PCSCLITE_CSOCK_NAME";
/// Where a test that runs alone has its files.
const FOLDER: &str = "TABIYA_TEST_FOLDER";
/// Debian's own virtual reader.
const VPCD: &str = "/usr/lib/pcsc/drivers/serial/libifdvpcd.so";

/// Runs a test in a process of its own, with a folder of its own. `name` is the test's full name.
pub(crate) fn alone(name: &str, test: impl FnOnce(&Path)) {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return test(Path::new(&folder));
    }
    // Short: the path of a socket has 107 bytes.
    let folder = tempfile::Builder::new().prefix("tabiya-").tempdir_in("/tmp").expect("a folder");
    let done = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder.path())
        .env(SOCKET, socket(folder.path()))
        .env("TABIYA_DATA", folder.path().join("data"))
        .output()
        .expect("it runs again");
    let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(said.contains("1 passed") || said.contains("1 failed"), "no test is called {name}: {said}");
    let log = fs::read_to_string(folder.path().join("pcscd.log")).unwrap_or_default();
    let end: Vec<&str> = log.lines().rev().take(30).collect();
    assert!(
        done.status.success(),
        "{said}\nthe end of the service's log, last line first:\n{}",
        end.join("\n")
    );
}

/// The service's socket in a folder.
pub(crate) fn socket(folder: &Path) -> PathBuf {
    folder.join("pcscd.comm")
}

/// The driver of our own, built when it is first needed.
pub(crate) fn driver() -> &'static Path {
    static DRIVER: OnceLock<PathBuf> = OnceLock::new();
    DRIVER.get_or_init(|| {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ifd");
        let built = Command::new(env!("CARGO"))
            .args(["build", "--release", "--locked", "--quiet"])
            .current_dir(&home)
            .env_remove("CARGO_TARGET_DIR")
            .status();
        assert!(built.is_ok_and(|status| status.success()), "the driver in tests/ifd cannot be built");
        home.join("target/release/libtabiya_ifd.so")
    })
}

/// Where a reader of our own waits for cards.
pub(crate) fn line_of(folder: &Path, reader: &str) -> PathBuf {
    folder.join(reader)
}

/// The running service. It ends with this.
pub(crate) struct Pcscd {
    child: Child,
    folder: PathBuf,
}

impl Pcscd {
    /// With readers of our own of these names; each is called `NAME 00 00` by the service.
    pub(crate) fn start(folder: &Path, readers: &[&str]) -> Self {
        let entry = |reader: &&str| {
            let line = line_of(folder, reader);
            let driver = driver().display();
            format!(
                "FRIENDLYNAME \"{reader}\"\nDEVICENAME /dev/null:{}\nLIBPATH {driver}\nCHANNELID 1\n\n",
                line.display()
            )
        };
        Self::start_with(folder, &readers.iter().map(entry).collect::<String>())
    }

    /// With Debian's virtual readers `Vpcd 00 00` and `Vpcd 00 01`, at this port and the next.
    pub(crate) fn start_vpcd(folder: &Path, port: u16) -> Self {
        let entry = format!(
            "FRIENDLYNAME \"Vpcd\"\nDEVICENAME /dev/null:{port}\nLIBPATH {VPCD}\nCHANNELID {port}\n\n"
        );
        Self::start_with(folder, &entry)
    }

    /// With any list of readers.
    pub(crate) fn start_with(folder: &Path, list: &str) -> Self {
        let lists = folder.join("reader.conf.d");
        fs::create_dir_all(&lists).expect("a folder");
        fs::write(lists.join("readers"), list).expect("a list of readers");
        let _ = fs::remove_file(socket(folder));
        let listener = UnixListener::bind(socket(folder)).expect("a socket");
        let log =
            fs::File::options().create(true).append(true).open(folder.join("pcscd.log")).expect("a log");
        // The shell knows its own number and becomes the service.
        let child = Command::new("/bin/sh")
            .args(["-c", "exec 3<&0 0</dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec pcscd -f -d -c \"$0\""])
            .arg(&lists)
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .stdin(Stdio::from(OwnedFd::from(listener)))
            .stdout(log.try_clone().expect("the same log"))
            .stderr(log)
            .spawn()
            .expect("pcscd starts");
        Self { child, folder: folder.to_owned() }
    }

    /// As a crash would end it: nothing is left to answer.
    pub(crate) fn kill(self) {
        drop(self);
    }
}

impl Drop for Pcscd {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            signal("KILL", self.child.id());
        }
        let _ = self.child.wait();
        let _ = fs::remove_file(socket(&self.folder));
    }
}
