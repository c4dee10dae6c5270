//! A stand-in for the system's Bluetooth service on a private message bus.
//!
//! One task answers raw calls from a plain table of objects, so every reply and signal leaves in the order of the
//! code. Any of them can be held back, lost or turned into an error. The behaviour was observed with BlueZ 5.66
//! (notes on testing Bluetooth LE, section 3).
#![allow(dead_code, reason = "each test file uses what it needs")]
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]
#![allow(clippy::too_many_lines, reason = "one table of calls reads best in one piece")]
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::process::Command;
use std::sync::{Arc, Mutex};

use futures_util::StreamExt as _;
use tokio::sync::{Notify, watch};
use zbus::message::{Message, Type};
use zbus::zvariant::{ObjectPath, Value};
use zbus::{Connection, MessageStream};

use super::bus::PrivateBus;
use super::child::test_name;

/// Runs `body` in a child process of the test. The Bluetooth library reads the address of the system bus once, and
/// keeps that address until its process ends, so each private bus needs a new process. `policy` is added to the
/// policy of the private bus.
pub(crate) fn on_private_bus<F: Future<Output = ()>, B: FnOnce(StandIn) -> F>(policy: &str, body: B) {
    if let Ok(address) = std::env::var("TABIYA_TEST_BUS") {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        return runtime.block_on(async { body(StandIn::start(&address).await).await });
    }
    let bus = PrivateBus::start(policy);
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test_name::<B>(), "--nocapture", "--test-threads=1"])
        .env("TABIYA_TEST_BUS", &bus.address)
        .env("DBUS_SYSTEM_BUS_ADDRESS", &bus.address)
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&child.stdout);
    // With a misspelt test name the child runs no test and succeeds.
    let ran = child.status.success() && out.contains("1 passed");
    assert!(ran, "{out}\n{}", String::from_utf8_lossy(&child.stderr));
}

pub(crate) const ADAPTER: &str = "org.bluez.Adapter1";
pub(crate) const DEVICE: &str = "org.bluez.Device1";
pub(crate) const SERVICE: &str = "org.bluez.GattService1";
pub(crate) const CHAR: &str = "org.bluez.GattCharacteristic1";
pub(crate) const DESC: &str = "org.bluez.GattDescriptor1";
const UNKNOWN: &str = "org.freedesktop.DBus.Error.UnknownObject";
pub(crate) const HCI: &str = "/org/bluez/hci0";

pub(crate) type Props = BTreeMap<String, Value<'static>>;
pub(crate) type Ifaces = BTreeMap<String, Props>;

pub(crate) fn props(list: &[(&str, Value<'static>)]) -> Props {
    list.iter().map(|(k, v)| (k.to_string(), v.clone())).collect()
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) path: String,
    pub(crate) member: String,
    /// The bytes written by a `WriteValue` call; empty for a `Set` call.
    pub(crate) data: Vec<u8>,
    /// For a `WriteValue` call, the option "type" ("command" or "request"). For a `Set` or `Get` call, the name of
    /// the property.
    pub(crate) kind: String,
}

/// How the simulated BlueZ handles the next call of a method, if not normally (for example with an error or a
/// delay).
pub(crate) enum Reaction {
    /// Error reply (name, text); nothing else happens.
    Fail(&'static str, &'static str),
    /// No reply, ever.
    Hang,
    /// Replies with success but does nothing, as if the device had lost a write.
    Swallow,
    /// Handles the call normally, but only once the test calls `notify_one`.
    After(Arc<Notify>),
    /// Sends this notification (path, value) first, then treats the call as usual.
    ValueFirst(String, Vec<u8>),
}

#[derive(Clone)]
pub(crate) struct CharSpec {
    pub(crate) id: &'static str,
    pub(crate) uuid: &'static str,
    pub(crate) flags: &'static [&'static str],
    pub(crate) mtu: Option<u16>,
}

#[derive(Clone)]
pub(crate) struct BoardSpec {
    pub(crate) address: &'static str,
    pub(crate) name: Option<&'static str>,
    /// UUIDs in the advertisement.
    pub(crate) advertised: Vec<&'static str>,
    pub(crate) service: &'static str,
    pub(crate) chars: Vec<CharSpec>,
    /// Whether the services and `ServicesResolved` appear by themselves after `Connect`.
    pub(crate) resolve: bool,
}

impl BoardSpec {
    pub(crate) fn path(&self) -> String {
        format!("{HCI}/dev_{}", self.address.replace(':', "_"))
    }
    pub(crate) fn char_path(&self, id: &str) -> String {
        format!("{}/service000a/{id}", self.path())
    }
}

type Responder = Box<dyn FnMut(&Call) -> Vec<(String, Vec<u8>)> + Send>;

#[derive(Default)]
struct State {
    objects: BTreeMap<String, Ifaces>,
    boards: Vec<BoardSpec>,
    reactions: HashMap<String, VecDeque<Reaction>>,
    log: Vec<Call>,
    responder: Option<Responder>,
    /// Connect calls without a reply, by device.
    connecting: BTreeMap<String, Message>,
    /// Characteristics with a write request that has no reply yet.
    writing: BTreeSet<String>,
}

#[derive(Clone)]
pub(crate) struct StandIn {
    conn: Connection,
    st: Arc<Mutex<State>>,
    seen: Arc<watch::Sender<usize>>,
}

impl StandIn {
    /// Starts the stand-in. It owns the name `org.bluez` when this returns.
    pub(crate) async fn start(address: &str) -> StandIn {
        let conn = zbus::connection::Builder::address(address).unwrap().build().await.unwrap();
        let st = State::default();
        let fake = StandIn {
            conn: conn.clone(),
            st: Arc::new(Mutex::new(st)),
            seen: Arc::new(watch::Sender::new(0)),
        };
        let mut stream = MessageStream::from(&conn); // before the name: no call can be missed
        conn.request_name("org.bluez").await.unwrap();
        let me = fake.clone();
        tokio::spawn(async move {
            while let Some(Ok(msg)) = stream.next().await {
                if msg.message_type() == Type::MethodCall {
                    me.receive(msg).await;
                }
            }
        });
        fake
    }

    // ---- what a test does --------------------------------------------------------------

    pub(crate) async fn add_adapter(&self, powered: bool) {
        self.add(
            HCI,
            ADAPTER,
            props(&[
                ("Address", "00:11:22:33:44:55".into()),
                ("AddressType", "public".into()),
                ("Name", "stand-in".into()),
                ("Alias", "stand-in".into()),
                ("Class", 0u32.into()),
                ("Powered", powered.into()),
                ("Discovering", false.into()),
                ("Modalias", "usb:v1D6Bp0246d0542".into()),
            ]),
        )
        .await;
    }

    /// Puts a board in range: it appears at the next `StartDiscovery`, or at once during a scan.
    pub(crate) async fn add_board(&self, b: BoardSpec) {
        self.st.lock().unwrap().boards.push(b.clone());
        if self.prop_bool(HCI, ADAPTER, "Discovering") {
            self.advertise(&b).await;
        }
    }

    /// Adds the object of a device (signal `InterfacesAdded`). If the object exists already, only changes its signal
    /// strength (RSSI).
    pub(crate) async fn advertise(&self, b: &BoardSpec) {
        if self.st.lock().unwrap().objects.contains_key(&b.path()) {
            return self.change(&b.path(), DEVICE, &[("RSSI", (-61i16).into())], &[]).await;
        }
        let uuids: Vec<String> = b.advertised.iter().map(std::string::ToString::to_string).collect();
        let mut p = props(&[
            ("Address", b.address.into()),
            ("AddressType", "random".into()),
            ("Alias", b.name.map(String::from).unwrap_or(b.address.replace(':', "-")).into()),
            ("Paired", false.into()),
            ("Bonded", false.into()),
            ("Trusted", false.into()),
            ("Blocked", false.into()),
            ("LegacyPairing", false.into()),
            ("RSSI", (-60i16).into()),
            ("Connected", false.into()),
            ("UUIDs", uuids.into()),
            ("Adapter", ObjectPath::try_from(HCI).unwrap().into()),
            ("ServicesResolved", false.into()),
        ]);
        if let Some(n) = b.name {
            p.insert("Name".into(), n.into());
        }
        self.add(&b.path(), DEVICE, p).await;
    }

    pub(crate) async fn notify(&self, char_path: &str, value: &[u8]) {
        self.change(char_path, CHAR, &[("Value", value.to_vec().into())], &[]).await;
    }

    /// Sends a board's notification, if a client is connected and has subscribed.
    pub(crate) async fn notify_if_on(&self, char_path: &str, value: &[u8]) {
        let device = char_path.split("/service").next().unwrap();
        if self.prop_bool(device, DEVICE, "Connected") && self.prop_bool(char_path, CHAR, "Notifying") {
            self.notify(char_path, value).await;
        }
    }

    /// Makes a board answer calls without advertising itself.
    pub(crate) fn know(&self, b: &BoardSpec) {
        self.st.lock().unwrap().boards.push(b.clone());
    }

    /// Publishes the services of a board, then `ServicesResolved`.
    pub(crate) async fn resolve(&self, b: &BoardSpec) {
        let dev = b.path();
        let svc = format!("{dev}/service000a");
        if self.st.lock().unwrap().objects.contains_key(&svc) {
            // BlueZ knows the services already, so it reports only the property `ServicesResolved`.
            return self.change(&dev, DEVICE, &[("ServicesResolved", true.into())], &[]).await;
        }
        let op = |p: &str| Value::from(ObjectPath::try_from(p.to_string()).unwrap());
        self.add(
            &svc,
            SERVICE,
            props(&[("UUID", b.service.into()), ("Device", op(&dev)), ("Primary", true.into())]),
        )
        .await;
        for c in &b.chars {
            let path = format!("{svc}/{}", c.id);
            let flags: Vec<String> = c.flags.iter().map(std::string::ToString::to_string).collect();
            let mut p = props(&[
                ("UUID", c.uuid.into()),
                ("Service", op(&svc)),
                ("Value", Vec::<u8>::new().into()),
                ("Flags", flags.into()),
            ]);
            if let Some(m) = c.mtu {
                p.insert("MTU".into(), m.into());
            }
            if c.flags.contains(&"notify") {
                p.insert("Notifying".into(), false.into());
            }
            self.add(&path, CHAR, p).await;
            if c.flags.contains(&"notify") {
                let uuid = "00002902-0000-1000-8000-00805f9b34fb";
                self.add(
                    &format!("{path}/desc0010"),
                    DESC,
                    props(&[("UUID", uuid.into()), ("Characteristic", op(&path))]),
                )
                .await;
            }
        }
        let gap = ["00001800-0000-1000-8000-00805f9b34fb", "00001801-0000-1000-8000-00805f9b34fb"];
        let uuids: Vec<String> =
            gap.iter().chain([&b.service]).map(std::string::ToString::to_string).collect();
        let both = [("UUIDs", uuids.into()), ("ServicesResolved", true.into())];
        self.change(&dev, DEVICE, &both, &[]).await;
    }

    /// Switches Bluetooth off: ends the links first, then switches the adapter off.
    pub(crate) async fn power_off(&self) {
        let boards = self.st.lock().unwrap().boards.clone();
        for b in boards.iter().filter(|b| self.prop_bool(&b.path(), DEVICE, "Connected")) {
            self.drop_link(b).await;
        }
        let off = [("Powered", false.into()), ("Discovering", false.into())];
        self.change(HCI, ADAPTER, &off, &[]).await;
    }

    /// Removes the adapter with all objects.
    pub(crate) async fn unplug(&self) {
        self.power_off().await;
        let paths: Vec<String> = self.st.lock().unwrap().objects.keys().rev().cloned().collect();
        for p in paths {
            self.remove(&p).await;
        }
    }

    /// Ends the link with one signal for the two properties `ServicesResolved` and `Connected`. The GATT objects,
    /// their UUIDs and even `Notifying` stay (observed with BlueZ 5.66).
    pub(crate) async fn drop_link(&self, b: &BoardSpec) {
        let gone = [("ServicesResolved", false.into()), ("Connected", false.into())];
        self.change(&b.path(), DEVICE, &gone, &[]).await;
    }

    /// Removes the device object, children first. BlueZ does this to a temporary device 30 s after it last saw it.
    pub(crate) async fn forget(&self, b: &BoardSpec) {
        let dev = b.path();
        let paths: Vec<String> = {
            let st = self.st.lock().unwrap();
            st.objects.keys().filter(|k| k.starts_with(&dev)).rev().cloned().collect()
        };
        for p in paths {
            self.remove(&p).await;
        }
    }

    /// Sets the reaction to the next call of `member`.
    pub(crate) fn next(&self, member: &str, r: Reaction) {
        self.st.lock().unwrap().reactions.entry(member.into()).or_default().push_back(r);
    }

    /// Sets the board's answer to writes: `f` is called after the reply to `WriteValue` and returns notifications.
    pub(crate) fn respond(&self, f: impl FnMut(&Call) -> Vec<(String, Vec<u8>)> + Send + 'static) {
        self.st.lock().unwrap().responder = Some(Box::new(f));
    }

    /// Waits until `member` was called `n` times, and returns these calls.
    pub(crate) async fn calls(&self, member: &str, n: usize) -> Vec<Call> {
        let mut rx = self.seen.subscribe();
        loop {
            rx.borrow_and_update();
            let found: Vec<Call> = {
                let st = self.st.lock().unwrap();
                st.log.iter().filter(|c| c.member == member).cloned().collect()
            };
            if found.len() >= n {
                return found;
            }
            rx.changed().await.unwrap();
        }
    }

    pub(crate) fn log(&self) -> Vec<Call> {
        self.st.lock().unwrap().log.clone()
    }

    /// Ends the service: releases its name.
    pub(crate) async fn vanish(&self) {
        self.conn.release_name("org.bluez").await.unwrap();
    }

    // ---- objects and signals -----------------------------------------------------------

    fn prop_bool(&self, path: &str, iface: &str, prop: &str) -> bool {
        let st = self.st.lock().unwrap();
        st.objects
            .get(path)
            .and_then(|i| i.get(iface))
            .and_then(|p| p.get(prop))
            .is_some_and(|v| v == &Value::from(true))
    }

    async fn signal<B: serde::Serialize + zbus::zvariant::DynamicType>(
        &self,
        path: &str,
        iface: &str,
        member: &str,
        body: &B,
    ) {
        let m = Message::signal(path, iface, member).unwrap().build(body).unwrap();
        self.conn.send(&m).await.unwrap();
    }

    pub(crate) async fn add(&self, path: &str, iface: &str, p: Props) {
        {
            let mut st = self.st.lock().unwrap();
            st.objects.entry(path.into()).or_default().insert(iface.into(), p.clone());
        }
        let ifs: Ifaces = [(iface.to_string(), p)].into();
        let op = ObjectPath::try_from(path.to_string()).unwrap();
        self.signal("/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded", &(op, ifs)).await;
    }

    pub(crate) async fn remove(&self, path: &str) {
        let gone = self.st.lock().unwrap().objects.remove(path);
        let names: Vec<String> = gone.map(|i| i.keys().cloned().collect()).unwrap_or_default();
        let op = ObjectPath::try_from(path.to_string()).unwrap();
        self.signal("/", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved", &(op, names)).await;
    }

    pub(crate) async fn change(
        &self,
        path: &str,
        iface: &str,
        changed: &[(&str, Value<'static>)],
        gone: &[&str],
    ) {
        let changed = props(changed);
        {
            let mut st = self.st.lock().unwrap();
            let Some(p) = st.objects.get_mut(path).and_then(|i| i.get_mut(iface)) else {
                return;
            };
            p.extend(changed.clone());
            for name in gone {
                p.remove(*name);
            }
        }
        let gone: Vec<String> = gone.iter().map(std::string::ToString::to_string).collect();
        let body = (iface.to_string(), changed, gone);
        self.signal(path, "org.freedesktop.DBus.Properties", "PropertiesChanged", &body).await;
    }

    // ---- calls ---------------------------------------------------------------------------

    async fn ok<B: serde::Serialize + zbus::zvariant::DynamicType>(&self, call: &Message, body: &B) {
        let m = Message::method_return(&call.header()).unwrap().build(body).unwrap();
        self.conn.send(&m).await.unwrap();
    }

    async fn err(&self, call: &Message, name: &str, text: &str) {
        let m = Message::error(&call.header(), name).unwrap().build(&(text,)).unwrap();
        self.conn.send(&m).await.unwrap();
    }

    async fn receive(&self, msg: Message) {
        let hdr = msg.header();
        let member = hdr.member().map(std::string::ToString::to_string).unwrap_or_default();
        let path = hdr.path().map(std::string::ToString::to_string).unwrap_or_default();
        let (mut data, mut kind) = (vec![], String::new());
        match member.as_str() {
            "WriteValue" => {
                let body = msg.body();
                let (d, o): (Vec<u8>, HashMap<String, Value>) = body.deserialize().unwrap();
                data = d;
                if let Some(Value::Str(s)) = o.get("type") {
                    kind = s.to_string();
                }
            }
            "Get" | "Set" => {
                let body = msg.body();
                if let Ok((_, p, _)) = body.deserialize::<(String, String, Value)>() {
                    kind = p;
                } else if let Ok((_, p)) = body.deserialize::<(String, String)>() {
                    kind = p;
                }
            }
            _ => {}
        }
        let call = Call { path, member, data, kind };
        let reaction = {
            let mut st = self.st.lock().unwrap();
            st.log.push(call.clone());
            st.reactions.get_mut(&call.member).and_then(std::collections::VecDeque::pop_front)
        };
        self.seen.send_modify(|n| *n += 1);
        match reaction {
            Some(Reaction::Fail(n, t)) => self.err(&msg, n, t).await,
            Some(Reaction::Hang) if call.member == "Connect" => {
                self.st.lock().unwrap().connecting.insert(call.path, msg.clone());
            }
            Some(Reaction::Hang) => {}
            Some(Reaction::Swallow) => self.ok(&msg, &()).await,
            Some(Reaction::After(gate)) => {
                let me = self.clone();
                if call.kind == "request" {
                    me.st.lock().unwrap().writing.insert(call.path.clone());
                }
                tokio::spawn(async move {
                    gate.notified().await;
                    me.st.lock().unwrap().writing.remove(&call.path);
                    me.treat(&msg, call).await;
                });
            }
            Some(Reaction::ValueFirst(p, v)) => {
                self.notify(&p, &v).await;
                self.treat(&msg, call).await;
            }
            None => self.treat(&msg, call).await,
        }
    }

    async fn treat(&self, msg: &Message, call: Call) {
        let path = call.path.as_str();
        let not_ready = ("org.bluez.Error.NotReady", "Resource Not Ready");
        match call.member.as_str() {
            "GetManagedObjects" => {
                let tree: BTreeMap<ObjectPath<'static>, Ifaces> = {
                    let st = self.st.lock().unwrap();
                    st.objects
                        .iter()
                        .map(|(k, v)| (ObjectPath::try_from(k.clone()).unwrap(), v.clone()))
                        .collect()
                };
                self.ok(msg, &tree).await;
            }
            "Introspect" => {
                let prefix = format!("{}/", path.trim_end_matches('/'));
                let xml = {
                    let st = self.st.lock().unwrap();
                    let kids: BTreeSet<&str> = st
                        .objects
                        .keys()
                        .filter_map(|k| k.strip_prefix(&prefix))
                        .filter_map(|r| r.split('/').next())
                        .collect();
                    let kids: Vec<String> = kids.iter().map(|k| format!("<node name=\"{k}\"/>")).collect();
                    let kids = kids.concat();
                    format!("<node>{kids}</node>")
                };
                self.ok(msg, &(xml,)).await;
            }
            "Get" | "GetAll" => {
                let body = msg.body();
                let iface = match body.deserialize::<(String,)>() {
                    Ok((i,)) => i,
                    Err(_) => body.deserialize::<(String, String)>().unwrap().0,
                };
                let p = self.st.lock().unwrap().objects.get(path).map(|i| i.get(&iface).cloned());
                match p {
                    None => {
                        let t = format!("Method \"{}\" doesn't exist", call.member);
                        self.err(msg, UNKNOWN, &t).await;
                    }
                    Some(None) => {
                        let t = format!("No such interface '{iface}'");
                        self.err(msg, "org.freedesktop.DBus.Error.InvalidArgs", &t).await;
                    }
                    Some(Some(p)) if call.member == "GetAll" => self.ok(msg, &p).await,
                    Some(Some(p)) => {
                        if let Some(v) = p.get(&call.kind) {
                            self.ok(msg, &(v.clone(),)).await;
                        } else {
                            let t = format!("No such property '{}'", call.kind);
                            self.err(msg, "org.freedesktop.DBus.Error.InvalidArgs", &t).await;
                        }
                    }
                }
            }
            "Set" => {
                let body = msg.body();
                let (iface, prop, v): (String, String, Value) = body.deserialize().unwrap();
                let v = v.try_to_owned().unwrap().into();
                self.ok(msg, &()).await;
                let same = {
                    let st = self.st.lock().unwrap();
                    let p = st.objects.get(path).and_then(|i| i.get(&iface));
                    p.and_then(|p| p.get(&prop)) == Some(&v)
                };
                if !same {
                    self.change(path, &iface, &[(&prop, v)], &[]).await;
                }
            }
            "SetDiscoveryFilter" => self.ok(msg, &()).await,
            "StartDiscovery" => {
                if !self.prop_bool(path, ADAPTER, "Powered") {
                    return self.err(msg, not_ready.0, not_ready.1).await;
                }
                self.ok(msg, &()).await;
                self.change(path, ADAPTER, &[("Discovering", true.into())], &[]).await;
                let boards = self.st.lock().unwrap().boards.clone();
                for b in &boards {
                    self.advertise(b).await;
                }
            }
            "StopDiscovery" => {
                if !self.prop_bool(path, ADAPTER, "Discovering") {
                    return self.err(msg, "org.bluez.Error.Failed", "No discovery started").await;
                }
                self.ok(msg, &()).await;
                self.change(path, ADAPTER, &[("Discovering", false.into())], &[]).await;
                let boards = self.st.lock().unwrap().boards.clone();
                for b in &boards {
                    self.change(&b.path(), DEVICE, &[], &["RSSI"]).await;
                }
            }
            "Connect" => {
                let board = {
                    let st = self.st.lock().unwrap();
                    let known = st.objects.contains_key(path);
                    st.boards.iter().find(|b| known && b.path() == path).cloned()
                };
                let Some(b) = board else {
                    let t = "Method \"Connect\" with signature \"\" on interface \
                             \"org.bluez.Device1\" doesn't exist\n";
                    return self.err(msg, UNKNOWN, t).await;
                };
                if !self.prop_bool(HCI, ADAPTER, "Powered") {
                    let t = "Input/output error"; // 5.66; later versions may say NotReady
                    return self.err(msg, "org.bluez.Error.Failed", t).await;
                }
                if self.prop_bool(path, DEVICE, "Connected") {
                    return self.ok(msg, &()).await;
                }
                if self.st.lock().unwrap().connecting.contains_key(path) {
                    let t = "Operation already in progress";
                    return self.err(msg, "org.bluez.Error.Failed", t).await;
                }
                self.change(path, DEVICE, &[("Connected", true.into())], &[]).await;
                self.ok(msg, &()).await;
                if b.resolve {
                    self.resolve(&b).await;
                }
            }
            "Disconnect" => {
                let b = self.st.lock().unwrap().boards.iter().find(|b| b.path() == path).cloned();
                let Some(b) = b else {
                    return self.err(msg, UNKNOWN, "no such device").await;
                };
                let pending = self.st.lock().unwrap().connecting.remove(path);
                if let Some(call) = pending {
                    self.err(&call, "org.bluez.Error.Failed", "br-connection-canceled").await;
                    return self.ok(msg, &()).await;
                }
                if !self.prop_bool(path, DEVICE, "Connected") {
                    return self.ok(msg, &()).await; // 5.66 does not complain
                }
                let p = b.path();
                self.change(&p, DEVICE, &[("ServicesResolved", false.into())], &[]).await;
                self.ok(msg, &()).await;
                self.change(&p, DEVICE, &[("Connected", false.into())], &[]).await;
            }
            "StartNotify" | "StopNotify" | "WriteValue" | "ReadValue" => self.gatt(msg, call).await,
            "Ping" => self.ok(msg, &()).await,
            m => {
                let t = format!("Method \"{m}\" doesn't exist");
                self.err(msg, "org.freedesktop.DBus.Error.UnknownMethod", &t).await;
            }
        }
    }

    async fn gatt(&self, msg: &Message, call: Call) {
        let path = call.path.as_str();
        let flags: Option<Vec<String>> = {
            let st = self.st.lock().unwrap();
            st.objects.get(path).and_then(|i| i.get(CHAR)).map(|p| match p.get("Flags") {
                Some(v) => v.clone().try_into().unwrap_or_default(),
                None => vec![],
            })
        };
        let Some(flags) = flags else {
            let t = format!("Method \"{}\" doesn't exist\n", call.member);
            return self.err(msg, UNKNOWN, &t).await;
        };
        let has = |f: &str| flags.iter().any(|x| x == f);
        let dev = path.split("/service").next().unwrap();
        if !self.prop_bool(dev, DEVICE, "Connected") {
            if call.member == "StartNotify" {
                // Without a connection, `StartNotify` succeeds but sends no signal. The subscription is kept for the
                // next connection.
                if let Some(p) = self.st.lock().unwrap().objects.get_mut(path) {
                    let p = p.entry(CHAR.into()).or_default();
                    p.insert("Notifying".into(), true.into());
                }
                return self.ok(msg, &()).await;
            }
            return self.err(msg, "org.bluez.Error.Failed", "Not connected").await;
        }
        let unsupported = ("org.bluez.Error.NotSupported", "Operation is not supported");
        match call.member.as_str() {
            "StartNotify" if self.prop_bool(path, CHAR, "Notifying") => self.ok(msg, &()).await,
            "StartNotify" if has("notify") || has("indicate") => {
                self.change(path, CHAR, &[("Notifying", true.into())], &[]).await;
                self.ok(msg, &()).await;
            }
            "StopNotify" if !self.prop_bool(path, CHAR, "Notifying") => {
                self.err(msg, "org.bluez.Error.Failed", "No notify session started").await;
            }
            "StopNotify" => {
                self.change(path, CHAR, &[("Notifying", false.into())], &[]).await;
                self.ok(msg, &()).await;
            }
            "WriteValue" if self.st.lock().unwrap().writing.contains(path) => {
                self.err(msg, "org.bluez.Error.InProgress", "In Progress").await;
            }
            "WriteValue"
                if (call.kind == "request" && has("write"))
                    || (call.kind == "command" && has("write-without-response")) =>
            {
                self.ok(msg, &()).await;
                let mut responder = self.st.lock().unwrap().responder.take();
                let out = responder.as_mut().map(|f| f(&call)).unwrap_or_default();
                if responder.is_some() {
                    self.st.lock().unwrap().responder = responder;
                }
                for (p, v) in out {
                    if v.is_empty() {
                        // An empty value stands for "the link drops here".
                        let b = self.st.lock().unwrap().boards.iter().find(|b| b.path() == dev).cloned();
                        if let Some(b) = b {
                            self.drop_link(&b).await;
                        }
                        break;
                    }
                    if self.prop_bool(&p, CHAR, "Notifying") {
                        self.notify(&p, &v).await;
                    }
                }
            }
            "ReadValue" if has("read") => self.ok(msg, &(vec![1u8],)).await,
            _ => self.err(msg, unsupported.0, unsupported.1).await,
        }
    }
}
