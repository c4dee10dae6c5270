//! The system's real card service (pcscd), one for each test, with virtual readers (`tests/ifd/`).
//!
//! The service inherits its socket, as it would from systemd. Clients find the socket through the environment variable
//! `PCSCLITE_CSOCK_NAME`. The library reads this variable once per process, so each test runs again in a process of its
//! own ([`alone`]).
#![allow(dead_code, reason = "each test file uses what it needs")]

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use super::child::{signal, test_name};

/// The environment variable with the path of the service's socket.
pub(crate) const SOCKET: &str = "PCSCLITE_CSOCK_NAME";
/// The environment variable with the folder of a test that runs in its own process.
const FOLDER: &str = "TABIYA_TEST_FOLDER";
/// The driver of Debian's virtual reader.
const VPCD: &str = "/usr/lib/pcsc/drivers/serial/libifdvpcd.so";

/// Runs a test again in a process of its own, with a folder of its own.
pub(crate) fn alone<F: FnOnce(&Path)>(test: F) {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return test(Path::new(&folder));
    }
    let name = test_name::<F>();
    // The folder's path is short, because the path of a socket has at most 107 bytes.
    let folder = tempfile::Builder::new().prefix("tabiya-").tempdir_in("/tmp").expect("a folder");
    let done = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder.path())
        .env(SOCKET, socket(folder.path()))
        .env("TABIYA_DATA", folder.path().join("data"))
        .output()
        .expect("the test runs again");
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

/// The driver in `tests/ifd/`, which is built when it is first needed.
pub(crate) fn driver() -> &'static Path {
    static DRIVER: OnceLock<PathBuf> = OnceLock::new();
    DRIVER.get_or_init(|| {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ifd");
        let built = Command::new(env!("CARGO"))
            .args(["build", "--release", "--locked", "--quiet"])
            .current_dir(&home)
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("RUSTC_WORKSPACE_WRAPPER")
            .status();
        assert!(built.is_ok_and(|status| status.success()), "the driver in tests/ifd cannot be built");
        home.join("target/release/libtabiya_ifd.so")
    })
}

/// The socket on which a virtual reader waits for cards.
pub(crate) fn line_of(folder: &Path, reader: &str) -> PathBuf {
    folder.join(reader)
}

/// The running service. Dropping it kills the service.
pub(crate) struct Pcscd {
    child: Child,
    folder: PathBuf,
}

impl Pcscd {
    /// Starts the service with virtual readers of these names. The service appends numbers to the names: the first
    /// reader becomes `White 00 00`, the second one `Black 01 00`.
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

    /// Starts the service with Debian's virtual readers `Vpcd 00 00` and `Vpcd 00 01`, on `port` and the port after it.
    pub(crate) fn start_vpcd(folder: &Path, port: u16) -> Self {
        let entry = format!(
            "FRIENDLYNAME \"Vpcd\"\nDEVICENAME /dev/null:{port}\nLIBPATH {VPCD}\nCHANNELID {port}\n\n"
        );
        Self::start_with(folder, &entry)
    }

    /// Starts the service with the list of readers `list`, in the form of its configuration files.
    pub(crate) fn start_with(folder: &Path, list: &str) -> Self {
        let lists = folder.join("reader.conf.d");
        fs::create_dir_all(&lists).expect("a folder");
        fs::write(lists.join("readers"), list).expect("a list of readers");
        let _ = fs::remove_file(socket(folder));
        let listener = UnixListener::bind(socket(folder)).expect("a socket");
        let log =
            fs::File::options().create(true).append(true).open(folder.join("pcscd.log")).expect("a log");
        // `LISTEN_PID` must be the service's process id. So the shell sets it to its own id, and then becomes pcscd
        // with the same id.
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

    /// Kills the service, as a crash would.
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
