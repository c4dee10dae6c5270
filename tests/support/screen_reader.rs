//! A screen reader: it finds what stands in a program's window by role and name, and uses it, over the system's real
//! accessibility bus (AT-SPI 2). It has no pointer and no keys.
#![allow(dead_code, reason = "each test uses what it needs")]

use std::process::{Child, Command, Stdio};

use zbus::blocking::{Connection, connection::Builder};
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};

use crate::wait::wait_for;

/// Debian installs it here (at-spi2-core).
const LAUNCHER: &str = "/usr/libexec/at-spi-bus-launcher";

/// The roles of AT-SPI 2 that are used (`atspi-constants.h`).
pub(crate) const LABEL: u32 = 29;
pub(crate) const BUTTON: u32 = 43;
/// A button of several that are chosen from, which says whether it is the chosen one.
const TOGGLE_BUTTON: u32 = 62;

/// Something in a window: the program on the bus, and its object.
type Node = (String, OwnedObjectPath);

pub(crate) struct ScreenReader {
    launcher: Child,
    bus: Connection,
    _room: tempfile::TempDir,
}

impl ScreenReader {
    /// Starts the accessibility bus of the session with this message bus, and says that a screen reader is in use.
    pub(crate) fn start(session: &str) -> Self {
        let room = tempfile::tempdir().unwrap();
        let launcher = Command::new(LAUNCHER)
            .arg("--launch-immediately")
            .env("DBUS_SESSION_BUS_ADDRESS", session)
            // It keeps what is switched on in memory, where no desktop keeps it on disk.
            .env("GSETTINGS_BACKEND", "memory")
            .env_remove("DISPLAY")
            // The bus has its socket there: two buses of one user would take it from each other.
            .env("XDG_RUNTIME_DIR", room.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the accessibility bus starts (Debian: at-spi2-core)");
        let connection = Builder::address(session).unwrap().build().unwrap();
        let (name, object) = (Some("org.a11y.Bus"), "/org/a11y/bus");
        let address: String = wait_for("the accessibility bus", || {
            let reply = connection.call_method(name, object, name, "GetAddress", &()).ok()?;
            reply.body().deserialize().ok()
        });
        for property in ["IsEnabled", "ScreenReaderEnabled"] {
            let body = ("org.a11y.Status", property, Value::from(true));
            let properties = Some("org.freedesktop.DBus.Properties");
            // While the service starts, it answers with errors.
            wait_for("a screen reader in use", || {
                connection.call_method(name, object, properties, "Set", &body).ok().map(drop)
            });
        }
        Self { launcher, _room: room, bus: Builder::address(address.as_str()).unwrap().build().unwrap() }
    }

    fn ask<T>(&self, (program, object): &Node, method: &str) -> Option<T>
    where
        T: serde::de::DeserializeOwned + zbus::zvariant::Type,
    {
        let accessible = Some("org.a11y.atspi.Accessible");
        let reply = self.bus.call_method(Some(program.as_str()), object, accessible, method, &()).ok()?;
        reply.body().deserialize().ok()
    }

    fn name_of(&self, (program, object): &Node) -> Option<String> {
        let properties = Some("org.freedesktop.DBus.Properties");
        let body = ("org.a11y.atspi.Accessible", "Name");
        let reply = self.bus.call_method(Some(program.as_str()), object, properties, "Get", &body).ok()?;
        reply.body().deserialize::<OwnedValue>().ok()?.try_into().ok()
    }

    /// The first thing with one of these roles whose name begins so.
    fn find(&self, roles: &[u32], name: &str) -> Option<Node> {
        let root = OwnedObjectPath::try_from("/org/a11y/atspi/accessible/root").unwrap();
        let mut left = vec![("org.a11y.atspi.Registry".to_owned(), root)];
        while let Some(node) = left.pop() {
            let fits = self.name_of(&node).is_some_and(|known| known.starts_with(name));
            if fits && self.ask::<u32>(&node, "GetRole").is_some_and(|role| roles.contains(&role)) {
                return Some(node);
            }
            left.extend(self.ask::<Vec<Node>>(&node, "GetChildren").unwrap_or_default().into_iter().rev());
        }
        None
    }

    /// Waits until something with this role has a name that begins so.
    pub(crate) fn hear(&self, role: u32, name: &str) {
        wait_for(name, || self.find(&[role], name).map(drop));
    }

    /// Waits for the button whose name begins so, and uses it.
    pub(crate) fn press(&self, name: &str) {
        wait_for(name, || {
            let (program, object) = self.find(&[BUTTON, TOGGLE_BUTTON], name)?;
            let action = Some("org.a11y.atspi.Action");
            let reply =
                self.bus.call_method(Some(program.as_str()), &object, action, "DoAction", &0_i32).ok()?;
            reply.body().deserialize::<bool>().ok()?.then_some(())
        });
    }
}

impl Drop for ScreenReader {
    fn drop(&mut self) {
        // It ends its bus itself, if it is asked to end.
        let _ = Command::new("kill").arg(self.launcher.id().to_string()).status();
        let _ = self.launcher.wait();
    }
}
