//! Stand-ins for the services of a desktop on a private message bus: the screen saver, the notifications and the desktop
//! portal. They count what is asked of them, and forget what a client asked for when it leaves the bus, as the real ones
//! do (specifications of freedesktop.org: "Idle Inhibition Service", "Desktop Notifications", "XDG Desktop Portal").
#![allow(dead_code, reason = "each test uses what it needs")]

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use zbus::blocking::{Connection, MessageIterator, connection::Builder};
use zbus::message::{Message, Type};
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Value};

use crate::bus::PrivateBus;
use crate::wait::wait_until;

/// The names that the stand-ins can have on the bus.
pub(crate) const SCREEN: &str = "org.freedesktop.ScreenSaver";
pub(crate) const NOTIFICATIONS: &str = "org.freedesktop.Notifications";
pub(crate) const PORTAL: &str = "org.freedesktop.portal.Desktop";

/// What the stand-ins hold, and what they were asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// The methods that were called, in order.
    pub(crate) calls: Vec<String>,
    /// The requests to stay awake that stand, each with the connection that made it.
    pub(crate) awake: BTreeMap<u32, String>,
    /// The same at the portal, by the object of each request.
    pub(crate) portal_awake: BTreeMap<String, String>,
    /// The notifications that are shown, by number.
    pub(crate) shown: BTreeMap<u32, String>,
    /// The file choosers that are open, by the object of each request.
    pub(crate) choosers: BTreeMap<String, String>,
    /// The name that the last chooser suggested.
    pub(crate) suggested: Option<String>,
    numbers: u32,
}

/// A private bus with stand-ins.
pub(crate) struct Services {
    bus: PrivateBus,
    connection: Connection,
    asked: Arc<Mutex<Asked>>,
    /// What the portal says of the look: 1 is dark, 2 is light.
    pub(crate) look: Arc<Mutex<u32>>,
    /// What it says of motion: 1 is reduced.
    pub(crate) motion: Arc<Mutex<u32>>,
}

impl Services {
    /// Starts a bus with stand-ins for these names.
    pub(crate) fn start(names: &[&'static str]) -> Self {
        let bus = PrivateBus::start("");
        let connection = Builder::address(bus.address.as_str()).unwrap().build().unwrap();
        let rule = "type='signal',member='NameOwnerChanged'";
        let call = |method: &str, body: &str| {
            let dbus = Some("org.freedesktop.DBus");
            connection.call_method(dbus, "/org/freedesktop/DBus", dbus, method, &body).unwrap();
        };
        call("AddMatch", rule);
        let messages = MessageIterator::from(&connection);
        for name in names {
            connection.request_name(*name).unwrap();
        }
        let (look, motion) = <(Arc<Mutex<u32>>, Arc<Mutex<u32>>)>::default();
        let asked = Arc::<Mutex<Asked>>::default();
        let stand_in = StandIns {
            connection: connection.clone(),
            asked: asked.clone(),
            look: look.clone(),
            motion: motion.clone(),
        };
        std::thread::spawn(move || {
            for message in messages.map_while(Result::ok) {
                stand_in.take(&message);
            }
        });
        Self { bus, connection, asked, look, motion }
    }

    pub(crate) fn address(&self) -> String {
        self.bus.address.clone()
    }

    /// What was asked until now.
    pub(crate) fn asked(&self) -> Asked {
        self.asked.lock().unwrap().clone()
    }

    /// How often a method was called.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.asked().calls.iter().filter(|call| *call == method).count()
    }

    /// Waits until what was asked fulfils a condition.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, holds: impl Fn(&Asked) -> bool) {
        wait_until(|| {
            let asked = self.asked();
            if holds(&asked) { Ok(()) } else { Err(format!("{what}: {asked:?}")) }
        });
    }

    /// Somebody chooses this file in the file chooser that is open.
    pub(crate) fn choose(&self, path: &str) {
        let (object, client) = self.asked.lock().unwrap().choosers.pop_first().unwrap();
        let uris = Value::from(vec![format!("file://{path}")]);
        let results = HashMap::from([("uris", uris)]);
        let (to, interface) = (Some(client.as_str()), "org.freedesktop.portal.Request");
        self.connection.emit_signal(to, object, interface, "Response", &(0_u32, results)).unwrap();
    }

    /// The desktop's look changes.
    pub(crate) fn change_look(&self, look: u32) {
        *self.look.lock().unwrap() = look;
        self.change("color-scheme", look);
    }

    /// What the desktop says of motion changes.
    pub(crate) fn change_motion(&self, motion: u32) {
        *self.motion.lock().unwrap() = motion;
        self.change("reduced-motion", motion);
    }

    fn change(&self, setting: &str, value: u32) {
        let object = "/org/freedesktop/portal/desktop";
        let body = ("org.freedesktop.appearance", setting, Value::from(value));
        let none = None::<&str>;
        self.connection
            .emit_signal(none, object, "org.freedesktop.portal.Settings", "SettingChanged", &body)
            .unwrap();
    }
}

struct StandIns {
    connection: Connection,
    asked: Arc<Mutex<Asked>>,
    look: Arc<Mutex<u32>>,
    motion: Arc<Mutex<u32>>,
}

impl StandIns {
    fn take(&self, message: &Message) {
        let header = message.header();
        let member = header.member().map(ToString::to_string).unwrap_or_default();
        if member == "NameOwnerChanged" {
            let (name, _, new): (String, String, String) = message.body().deserialize().unwrap();
            if new.is_empty() {
                self.forget(&name);
            }
        }
        let sender = header.sender().map(ToString::to_string).unwrap_or_default();
        let interface = header.interface().map(ToString::to_string).unwrap_or_default();
        let ours = interface.starts_with("org.freedesktop.") && !interface.contains(".DBus");
        if message.message_type() == Type::MethodCall && ours {
            self.asked.lock().unwrap().calls.push(member.clone());
            self.answer(message, &interface, &member, sender);
        }
    }

    /// Forgets what a client asked for that has left the bus.
    fn forget(&self, client: &str) {
        let mut asked = self.asked.lock().unwrap();
        asked.awake.retain(|_, of| of != client);
        asked.portal_awake.retain(|_, of| of != client);
        asked.choosers.retain(|_, of| of != client);
    }

    fn answer(&self, call: &Message, interface: &str, member: &str, sender: String) {
        let mut asked = self.asked.lock().unwrap();
        asked.numbers += 1;
        let number = asked.numbers;
        let header = call.header();
        let object = header.path().map(ToString::to_string).unwrap_or_default();
        let short = interface.rsplit('.').next().unwrap_or_default();
        match (short, member) {
            ("ScreenSaver", "Inhibit") => {
                asked.awake.insert(number, sender);
                self.connection.reply(&header, &number).unwrap();
            }
            ("ScreenSaver", "UnInhibit") => {
                let number: u32 = call.body().deserialize().unwrap();
                assert!(asked.awake.remove(&number).is_some(), "nothing was asked for with {number}");
                self.connection.reply(&header, &()).unwrap();
            }
            ("Inhibit", "Inhibit") => {
                let request = format!("/org/freedesktop/portal/desktop/request/r{number}");
                asked.portal_awake.insert(request.clone(), sender);
                let request = OwnedObjectPath::try_from(request).unwrap();
                self.connection.reply(&header, &request).unwrap();
            }
            ("Request", "Close") => {
                asked.portal_awake.remove(&object);
                asked.choosers.remove(&object);
                self.connection.reply(&header, &()).unwrap();
            }
            ("Notifications", "Notify") => {
                let text: Notified = call.body().deserialize().unwrap();
                asked.shown.insert(number, text.3);
                self.connection.reply(&header, &number).unwrap();
            }
            ("Notifications", "CloseNotification") => {
                let number: u32 = call.body().deserialize().unwrap();
                asked.shown.remove(&number);
                self.connection.reply(&header, &()).unwrap();
            }
            ("Settings", "ReadOne" | "Read") => {
                let (_, name): (String, String) = call.body().deserialize().unwrap();
                let of = if name == "reduced-motion" { &self.motion } else { &self.look };
                let value = Value::from(*of.lock().unwrap());
                self.connection.reply(&header, &value).unwrap();
            }
            ("FileChooser", _) => {
                drop(asked);
                self.choose(call, &sender);
            }
            _ => {
                let error = "org.freedesktop.DBus.Error.UnknownMethod";
                self.connection.reply_error(&header, error, &member).unwrap();
            }
        }
    }

    /// Opens a file chooser, which stays open until somebody chooses.
    fn choose(&self, call: &Message, sender: &str) {
        let (_, _, options): (String, String, HashMap<String, OwnedValue>) =
            call.body().deserialize().unwrap();
        let word = |name: &str| options.get(name).and_then(|value| String::try_from(value.clone()).ok());
        let token = word("handle_token").unwrap();
        let client = sender.trim_start_matches(':').replace('.', "_");
        let request = format!("/org/freedesktop/portal/desktop/request/{client}/{token}");
        {
            let mut asked = self.asked.lock().unwrap();
            asked.choosers.insert(request.clone(), sender.to_owned());
            asked.suggested = word("current_name");
        }
        let object = ObjectPath::try_from(request.as_str()).unwrap();
        self.connection.reply(&call.header(), &object).unwrap();
    }
}

/// The arguments of `Notify`: program, number to replace, icon, summary, body, actions, hints, time.
type Notified = (String, u32, String, String, String, Vec<String>, HashMap<String, OwnedValue>, i32);
