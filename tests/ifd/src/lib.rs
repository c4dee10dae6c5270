//! A driver for the system's card service (pcscd) whose readers are Unix sockets: whoever connects is a card.
//!
//! A reader's `DEVICENAME` is `/dev/null:PATH`; the service insists that the part before the colon exists. Messages are
//! two bytes of length, then the body: `00` power off, `01` power on, `02` reset (none is answered), `04` asks for the
//! answer to reset, anything longer is an APDU. Hanging up is lifting the card.
//!
//! This is the one place with `unsafe`: the functions are called from C, with the types of 64-bit Linux.
//! Source: pcsc-lite's `ifdhandler.h`. Not there: escape commands, secure PIN entry, more than one slot.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_long, c_uchar, c_ulong};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What the functions answer.
const DONE: c_long = 0;
const UNKNOWN_TAG: c_long = 600;
const NOT_SUPPORTED: c_long = 606;
const NO_COMMUNICATION: c_long = 612;
const CARD_PRESENT: c_long = 615;
const CARD_ABSENT: c_long = 616;

/// What the service asks of a driver's abilities.
const TAG_ATR: c_ulong = 0x0303;
const TAG_SIMULTANEOUS_ACCESS: c_ulong = 0x0FAF;
const TAG_THREAD_SAFE: c_ulong = 0x0FAD;
const TAG_SLOTS: c_ulong = 0x0FAE;
const TAG_SLOT_THREAD_SAFE: c_ulong = 0x0FAC;
const TAG_WAIT_FOR_CHANGE: c_ulong = 0x0FB3;

/// How long a card may take for an answer. A real reader has such a limit too.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest wait for a change: the service wants to stop its threads some time.
const LONGEST_WAIT: c_int = 500;

/// One reader.
struct Slot {
    /// Where cards come.
    listener: UnixListener,
    /// The card that lies there.
    card: Option<Arc<UnixStream>>,
    /// Whether the place was empty when the service last waited for a change: it has looked since, and knows it.
    known_empty: bool,
}

static SLOTS: Mutex<BTreeMap<c_ulong, Arc<Mutex<Slot>>>> = Mutex::new(BTreeMap::new());

/// A thread of the service that was stopped within leaves the table as whole as it was.
fn whole<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn slot(lun: c_ulong) -> Option<Arc<Mutex<Slot>>> {
    whole(&SLOTS).get(&lun).cloned()
}

impl Slot {
    /// The card that lies there now: one that hung up is gone. Another one comes in [`wait_for_change`] alone.
    fn card(&mut self) -> Option<&UnixStream> {
        if self.card.as_ref().is_some_and(|card| happens(card.as_raw_fd(), libc::POLLRDHUP, 0)) {
            self.card = None;
        }
        self.card.as_deref()
    }

    fn accept(&mut self) {
        self.card = self.listener.accept().ok().map(|(card, _)| Arc::new(card));
        if let Some(card) = &self.card {
            let _ = card.set_read_timeout(Some(PATIENCE));
        }
    }

    fn tell(&mut self, body: &[u8]) -> io::Result<()> {
        let mut card = self.card().ok_or(io::ErrorKind::NotConnected)?;
        let len = u16::try_from(body.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        card.write_all(&[&len.to_be_bytes(), body].concat())
    }

    fn ask(&mut self, body: &[u8]) -> io::Result<Vec<u8>> {
        let answer = self.tell(body).and_then(|()| {
            let mut card = self.card.as_deref().ok_or(io::ErrorKind::NotConnected)?;
            let mut len = [0; 2];
            card.read_exact(&mut len)?;
            let mut answer = vec![0; usize::from(u16::from_be_bytes(len))];
            card.read_exact(&mut answer)?;
            Ok(answer)
        });
        if answer.is_err() {
            // An answer that comes late would be taken for that to the next question.
            self.card = None;
        }
        answer
    }
}

/// Whether something happens to this descriptor within so many milliseconds.
fn happens(descriptor: RawFd, what: i16, millis: c_int) -> bool {
    let mut poll = libc::pollfd { fd: descriptor, events: what, revents: 0 };
    // SAFETY: one structure, which lives for the call.
    unsafe { libc::poll(&raw mut poll, 1, millis) > 0 }
}

/// The service waits here for cards that come and go, instead of asking every 400 ms. After a time-out too the answer
/// is "done": else the service would sleep its 400 ms on top.
///
/// The thread that waits here is the one that tells of changes. It must have looked at the empty place before the next
/// card may come, as no hand is so quick that a reader would not see it: other threads look, too, and tell nobody.
extern "C" fn wait_for_change(lun: c_ulong, millis: c_int) -> c_long {
    let Some(slot) = slot(lun) else { return DONE };
    let millis = millis.clamp(1, LONGEST_WAIT);
    let (card, listener) = {
        let mut slot = whole(&slot);
        let card = slot.card.clone();
        let was_known = std::mem::replace(&mut slot.known_empty, card.is_none());
        if card.is_none() && !was_known {
            return DONE;
        }
        (card, slot.listener.as_raw_fd())
    };
    match card {
        Some(card) => drop(happens(card.as_raw_fd(), libc::POLLRDHUP, millis)),
        None if happens(listener, libc::POLLIN, millis) => whole(&slot).accept(),
        None => {}
    }
    DONE
}

/// Writes an answer where the service wants it.
///
/// # Safety
/// `len` points to the room that `to` has.
unsafe fn answer(from: &[u8], to: *mut c_uchar, len: *mut c_ulong) -> c_long {
    // SAFETY: promised by the caller; the room is looked at first.
    unsafe {
        let room = usize::try_from(*len).unwrap_or(0);
        *len = 0;
        if room < from.len() {
            return NO_COMMUNICATION;
        }
        std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len());
        *len = from.len() as c_ulong;
    }
    DONE
}

/// A reader comes.
///
/// # Safety
/// `name` is a C string, as the service gives it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn IFDHCreateChannelByName(lun: c_ulong, name: *const c_char) -> c_long {
    // SAFETY: promised by the caller.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let Some((_, path)) = name.split_once(':') else { return NO_COMMUNICATION };
    // The service before this one has left its socket.
    let _ = std::fs::remove_file(path);
    let Ok(listener) = UnixListener::bind(path) else { return NO_COMMUNICATION };
    whole(&SLOTS).insert(lun, Arc::new(Mutex::new(Slot { listener, card: None, known_empty: false })));
    DONE
}

/// Readers of a number instead of a name are not ours.
#[unsafe(no_mangle)]
pub extern "C" fn IFDHCreateChannel(_lun: c_ulong, _channel: c_ulong) -> c_long {
    NO_COMMUNICATION
}

/// A reader goes.
#[unsafe(no_mangle)]
pub extern "C" fn IFDHCloseChannel(lun: c_ulong) -> c_long {
    whole(&SLOTS).remove(&lun);
    DONE
}

/// What this driver can do, and what the card answered to its reset.
///
/// # Safety
/// `len` points to the room that `value` has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn IFDHGetCapabilities(
    lun: c_ulong,
    tag: c_ulong,
    len: *mut c_ulong,
    value: *mut c_uchar,
) -> c_long {
    let said = match tag {
        TAG_ATR => match slot(lun).map(|slot| whole(&slot).ask(&[4])) {
            Some(Ok(atr)) => atr,
            _ => return NO_COMMUNICATION,
        },
        TAG_SLOTS => vec![1],
        TAG_SIMULTANEOUS_ACCESS => vec![16],
        // Each reader has a lock of its own: one that hangs holds no other up.
        TAG_THREAD_SAFE | TAG_SLOT_THREAD_SAFE => vec![1],
        TAG_WAIT_FOR_CHANGE => (wait_for_change as *const () as usize).to_ne_bytes().to_vec(),
        _ => return UNKNOWN_TAG,
    };
    // SAFETY: promised by the caller.
    unsafe { answer(&said, value, len) }
}

/// Nothing can be set.
#[unsafe(no_mangle)]
pub extern "C" fn IFDHSetCapabilities(
    _lun: c_ulong,
    _tag: c_ulong,
    _len: c_ulong,
    _value: *mut c_uchar,
) -> c_long {
    NOT_SUPPORTED
}

/// Any protocol will do.
#[unsafe(no_mangle)]
pub extern "C" fn IFDHSetProtocolParameters(
    _lun: c_ulong,
    _protocol: c_ulong,
    _flags: c_uchar,
    _pts1: c_uchar,
    _pts2: c_uchar,
    _pts3: c_uchar,
) -> c_long {
    DONE
}

/// The card is powered up, down or reset.
///
/// # Safety
/// `len` points to a place for the length of the answer to reset, `atr` to 33 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn IFDHPowerICC(
    lun: c_ulong,
    action: c_ulong,
    atr: *mut c_uchar,
    len: *mut c_ulong,
) -> c_long {
    const LONGEST_ATR: c_ulong = 33;
    let Some(slot) = slot(lun) else { return NO_COMMUNICATION };
    let body = match action {
        500 => 1,
        501 => 0,
        _ => 2,
    };
    let mut slot = whole(&slot);
    if body == 0 {
        // A card that is gone needs no power.
        let _ = slot.tell(&[0]);
        // SAFETY: promised by the caller.
        unsafe { *len = 0 };
        return DONE;
    }
    match slot.tell(&[body]).and_then(|()| slot.ask(&[4])) {
        // SAFETY: promised by the caller; the service has room for the longest.
        Ok(said) => unsafe {
            *len = LONGEST_ATR;
            answer(&said, atr, len)
        },
        Err(_) => NO_COMMUNICATION,
    }
}

/// Before each exchange: which protocol.
#[repr(C)]
pub struct Header {
    protocol: c_ulong,
    length: c_ulong,
}

/// An APDU and its answer.
///
/// # Safety
/// The pointers are those of the service: `sent` has `sent_len` bytes, `len` says the room at `received`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn IFDHTransmitToICC(
    lun: c_ulong,
    _send: Header,
    sent: *const c_uchar,
    sent_len: c_ulong,
    received: *mut c_uchar,
    len: *mut c_ulong,
    receive: *mut Header,
) -> c_long {
    // SAFETY: promised by the caller.
    let apdu = unsafe {
        if !receive.is_null() {
            (*receive).protocol = 1;
        }
        std::slice::from_raw_parts(sent, usize::try_from(sent_len).unwrap_or(0))
    };
    match slot(lun).map(|slot| whole(&slot).ask(apdu)) {
        // SAFETY: promised by the caller.
        Some(Ok(said)) if !said.is_empty() => unsafe { answer(&said, received, len) },
        _ => {
            // SAFETY: promised by the caller.
            unsafe { *len = 0 };
            NO_COMMUNICATION
        }
    }
}

/// No reader of ours has commands of its own.
///
/// # Safety
/// `returned` points to a place for a length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn IFDHControl(
    _lun: c_ulong,
    _code: c_ulong,
    _sent: *const c_uchar,
    _sent_len: c_ulong,
    _received: *mut c_uchar,
    _room: c_ulong,
    returned: *mut c_ulong,
) -> c_long {
    // SAFETY: promised by the caller.
    unsafe { *returned = 0 };
    NOT_SUPPORTED
}

/// Whether a card lies there.
#[unsafe(no_mangle)]
pub extern "C" fn IFDHICCPresence(lun: c_ulong) -> c_long {
    match slot(lun).map(|slot| whole(&slot).card().is_some()) {
        Some(true) => CARD_PRESENT,
        _ => CARD_ABSENT,
    }
}
