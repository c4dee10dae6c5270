//! The session's message bus, on Linux: the services of the desktop that is in use. Other systems have none, so there
//! nothing is asked for.
//!
//! The computer is kept awake through `org.freedesktop.ScreenSaver`, which most desktops offer, or else through the
//! desktop portal. Both forget a request when the connection ends.

#[cfg(target_os = "linux")]
pub(super) use self::linux::SessionBus;
#[cfg(not(target_os = "linux"))]
pub(super) use self::none::SessionBus;

/// Makes a command run in a process group of its own, which Ctrl-C in this program's terminal does not reach.
pub(super) fn own_group(command: &mut std::process::Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::{BTreeMap, HashMap};
    use std::sync::mpsc::Sender;
    use std::time::Duration;

    use zbus::blocking::connection::Builder;
    use zbus::blocking::{Connection, Proxy};
    use zbus::zvariant::{DynamicType, OwnedObjectPath, Value};

    use super::super::{DesktopReport, DesktopRequest};

    /// How long a service may take to answer.
    const PATIENCE: Duration = Duration::from_secs(5);

    /// A service: its name, the path of its object, and the interface. The names of objects are in the specifications
    /// of freedesktop.org ("Idle Inhibition Service", "XDG Desktop Portal").
    type Service = (&'static str, &'static str, &'static str);
    const SCREEN: Service =
        ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver");
    const NOTIFICATIONS: Service =
        ("org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications");
    const PORTAL: &str = "org.freedesktop.portal.Desktop";
    const PORTAL_OBJECT: &str = "/org/freedesktop/portal/desktop";
    const INHIBIT: Service = (PORTAL, PORTAL_OBJECT, "org.freedesktop.portal.Inhibit");
    const SETTINGS: &str = "org.freedesktop.portal.Settings";
    const APPEARANCE: &str = "org.freedesktop.appearance";
    const SCHEME: &str = "color-scheme";
    const MOTION: &str = "reduced-motion";
    /// What the portal is to prevent: sleeping (4) and idleness (8).
    const SLEEP_AND_IDLE: u32 = 4 | 8;

    /// What keeps the computer awake.
    enum Awake {
        /// A request to the screen saver, with the number that takes it back.
        Screen(u32),
        /// A request to the portal. Closing this object takes it back.
        Portal(OwnedObjectPath),
    }

    /// The connection to the session's bus.
    pub(in super::super) struct SessionBus {
        connection: Connection,
        awake: Option<Awake>,
        /// The notifications that are shown: the window's number of each, and the service's.
        alerts: BTreeMap<u64, u32>,
    }

    impl SessionBus {
        /// Connects. `None` if the session has no bus.
        pub(in super::super) fn open(reports: &Sender<DesktopReport>) -> Option<Self> {
            let connection = Builder::session().ok()?.method_timeout(PATIENCE).build().ok()?;
            let portal = has_portal(&connection);
            let _ = reports.send(DesktopReport::Chooser(portal));
            if portal {
                let (connection, reports) = (connection.clone(), reports.clone());
                let watch = move || follow_look(&connection, &reports);
                // Without this thread the look is as the settings say.
                let _ = std::thread::Builder::new().name("look".to_owned()).spawn(watch);
            }
            Some(Self { connection, awake: None, alerts: BTreeMap::new() })
        }

        /// Carries out a request. A service that does not answer is not missed.
        pub(in super::super) fn carry_out(&mut self, request: DesktopRequest) {
            match request {
                DesktopRequest::Awake(Some(why)) if self.awake.is_none() => {
                    self.awake = self.stay_awake(&why);
                }
                DesktopRequest::Awake(Some(_)) => {}
                DesktopRequest::Awake(None) => self.may_sleep(),
                DesktopRequest::Alert(number, text) => {
                    let shown = self.notify(&text);
                    self.alerts.extend(shown.map(|shown| (number, shown)));
                }
                DesktopRequest::Withdraw(number) => {
                    if let Some(shown) = self.alerts.remove(&number) {
                        self.withdraw(shown);
                    }
                }
                // Dialogs have threads of their own.
                DesktopRequest::Choose(..) => {}
            }
        }

        fn stay_awake(&self, why: &str) -> Option<Awake> {
            let screen = self.call(SCREEN, "Inhibit", &("Tabiya", why)).ok();
            let screen = screen.and_then(|reply| reply.body().deserialize().ok());
            if let Some(number) = screen {
                return Some(Awake::Screen(number));
            }
            let options = HashMap::from([("reason", Value::from(why))]);
            let portal = self.call(INHIBIT, "Inhibit", &("", SLEEP_AND_IDLE, options)).ok()?;
            portal.body().deserialize().ok().map(Awake::Portal)
        }

        /// Takes away what would stay when the connection ends: notifications do.
        pub(in super::super) fn end(&mut self) {
            for shown in std::mem::take(&mut self.alerts).into_values() {
                self.withdraw(shown);
            }
        }

        /// Shows a notification until it is taken away, and returns the service's number. The text is the summary, in
        /// which no service looks for markup.
        fn notify(&self, text: &str) -> Option<u32> {
            let hints = HashMap::from([("desktop-entry", Value::from("org.tabiya.Tabiya"))]);
            let (actions, never): (Vec<&str>, i32) = (Vec::new(), 0);
            let body = ("Tabiya", 0_u32, "org.tabiya.Tabiya", text, "", actions, hints, never);
            let reply = self.call(NOTIFICATIONS, "Notify", &body).ok()?;
            reply.body().deserialize().ok()
        }

        fn withdraw(&self, shown: u32) {
            // The service may have closed it already, or may have ended.
            let _ = self.call(NOTIFICATIONS, "CloseNotification", &shown);
        }

        fn may_sleep(&mut self) {
            // If the service has ended meanwhile, it has forgotten the request.
            let _ = match self.awake.take() {
                None => return,
                Some(Awake::Screen(number)) => self.call(SCREEN, "UnInhibit", &number),
                Some(Awake::Portal(object)) => {
                    let request = Some("org.freedesktop.portal.Request");
                    self.connection.call_method(Some(PORTAL), object, request, "Close", &())
                }
            };
        }

        fn call<B: serde::Serialize + DynamicType>(
            &self,
            (name, object, interface): Service,
            method: &str,
            body: &B,
        ) -> zbus::Result<zbus::Message> {
            self.connection.call_method(Some(name), object, Some(interface), method, body)
        }
    }

    /// Reports the desktop's look and whether it asks for reduced motion, and each change of them. Returns when the bus has gone.
    fn follow_look(connection: &Connection, reports: &Sender<DesktopReport>) {
        let Ok(proxy) = Proxy::new(connection, PORTAL, PORTAL_OBJECT, SETTINGS) else { return };
        let Ok(changes) = proxy.receive_signal("SettingChanged") else { return };
        for name in [SCHEME, MOTION] {
            // A portal that does not know a setting answers with an error.
            if let Ok(reply) = proxy.call_method("Read", &(APPEARANCE, name))
                && let Ok(value) = reply.body().deserialize::<Value<'_>>()
                && let Some(report) = told(name, &value)
                && reports.send(report).is_err()
            {
                return;
            }
        }
        for change in changes {
            let body = change.body();
            let Ok((group, name, value)) = body.deserialize::<(String, String, Value<'_>)>() else {
                continue;
            };
            let report = told(&name, &value).filter(|_| group == APPEARANCE);
            if report.is_some_and(|report| reports.send(report).is_err()) {
                return;
            }
        }
    }

    /// What a setting of the desktop's appearance means; `None` for one that the window does not follow. The look is 1 for
    /// dark, 2 for light, 0 for no preference; motion is 1 for reduced.
    fn told(name: &str, value: &Value<'_>) -> Option<DesktopReport> {
        let number = number(value);
        match name {
            SCHEME => Some(DesktopReport::Dark(match number {
                Some(1) => Some(true),
                Some(2) => Some(false),
                _ => None,
            })),
            MOTION => Some(DesktopReport::Still(number == Some(1))),
            _ => None,
        }
    }

    /// The number of a setting. Older portals wrap it twice.
    fn number(value: &Value<'_>) -> Option<u32> {
        match value {
            Value::Value(inner) => number(inner),
            Value::U32(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether the desktop portal runs, or would be started when it is called.
    fn has_portal(connection: &Connection) -> bool {
        let bus = Some("org.freedesktop.DBus");
        ["ListNames", "ListActivatableNames"].iter().any(|list| {
            let names = connection.call_method(bus, "/org/freedesktop/DBus", bus, *list, &()).ok();
            let names = names.and_then(|reply| reply.body().deserialize::<Vec<String>>().ok());
            names.is_some_and(|names| names.iter().any(|name| name == PORTAL))
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod none {
    use std::sync::mpsc::Sender;

    use super::super::{DesktopReport, DesktopRequest};

    /// A system without a session bus.
    pub(in super::super) struct SessionBus;

    impl SessionBus {
        pub(in super::super) fn open(reports: &Sender<DesktopReport>) -> Option<Self> {
            // Every desktop of these systems has a dialog for files.
            let _ = reports.send(DesktopReport::Chooser(true));
            None
        }

        pub(in super::super) fn carry_out(&mut self, _: DesktopRequest) {}

        pub(in super::super) fn end(&mut self) {}
    }
}
