//! A private message bus, on which tests simulate the services of a system or of a desktop.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A private message bus. Dropping it ends the daemon.
pub(crate) struct PrivateBus {
    child: Child,
    pub(crate) address: String,
    _dir: tempfile::TempDir,
}

/// The argument `extra` of `start` is inserted into the default policy of the bus, for example
/// `<deny send_destination="org.bluez"/>`.
impl PrivateBus {
    pub(crate) fn start(extra: &str) -> PrivateBus {
        let dir = tempfile::tempdir().unwrap();
        let conf = dir.path().join("bus.conf");
        // The configuration needs no bus type "system", because libdbus looks only at the address of the bus.
        // EXTERNAL authentication accepts any user id, and the policy below allows everything.
        std::fs::write(
            &conf,
            format!(
                "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN\" \
                 \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n\
                 <busconfig><listen>unix:path={}/bus</listen><auth>EXTERNAL</auth>\
                 <policy context=\"default\"><allow user=\"*\"/><allow own=\"*\"/>\
                 <allow send_type=\"method_call\"/><allow send_type=\"signal\"/>\
                 <allow send_requested_reply=\"true\" send_type=\"method_return\"/>\
                 <allow send_requested_reply=\"true\" send_type=\"error\"/>\
                 <allow receive_type=\"method_call\"/><allow receive_type=\"method_return\"/>\
                 <allow receive_type=\"error\"/><allow receive_type=\"signal\"/>{extra}</policy>\
                 </busconfig>",
                dir.path().display()
            ),
        )
        .unwrap();
        let mut child = Command::new("dbus-daemon")
            .arg(format!("--config-file={}", conf.display()))
            .args(["--nofork", "--nopidfile", "--print-address=1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null()) // as root it complains about its fd limit; harmless
            .spawn()
            .expect("dbus-daemon must be installed");
        let mut address = String::new();
        // The daemon prints its address once its socket listens, so the test need not sleep or poll.
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        PrivateBus { child, address: address.trim().to_string(), _dir: dir }
    }
}

impl Drop for PrivateBus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
