//! A driver for the system's card service (pcscd) whose readers are Unix sockets. A client that connects to a socket
//! is a card on that reader.
//!
//! A reader's `DEVICENAME` is `/dev/null:PATH`, because the service insists that the part before the colon exists. A
//! message is two bytes of length, then the body: `00` power off, `01` power on, `02` reset (these three have no
//! answer), `04` asks for the answer to reset, and a longer body is an APDU. The client lifts the card by closing its
//! connection.
//!
//! This is the only code with `unsafe`: C calls these functions, with the types of 64-bit Linux.
//! Source: pcsc-lite's `ifdhandler.h`. Not implemented: escape commands, secure PIN entry, more than one slot.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_long, c_uchar, c_ulong};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The return codes of the functions.
const DONE: c_long = 0;
const UNKNOWN_TAG: c_long = 600;
const NOT_SUPPORTED: c_long = 606;
const NO_COMMUNICATION: c_long = 612;
const CARD_PRESENT: c_long = 615;
const CARD_ABSENT: c_long = 616;

/// The capabilities that the service asks for.
const TAG_ATR: c_ulong = 0x0303;
const TAG_SIMULTANEOUS_ACCESS: c_ulong = 0x0FAF;
const TAG_THREAD_SAFE: c_ulong = 0x0FAD;
const TAG_SLOTS: c_ulong = 0x0FAE;
const TAG_SLOT_THREAD_SAFE: c_ulong = 0x0FAC;
const TAG_WAIT_FOR_CHANGE: c_ulong = 0x0FB3;

/// How long a card may take for an answer. A real reader has such a limit too.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest wait for a change, in ms. It is short so that the service can stop its threads.
const LONGEST_WAIT: c_int = 500;

/// One reader.
struct Slot {
    /// The socket on which cards connect.
    listener: UnixListener,
    /// The connected card.
    card: Option<Arc<UnixStream>>,
    /// Whether the service knows that the reader is empty. It knows this if the reader was already empty when the
    /// service's last wait for a change began.
    known_empty: bool,
}

static SLOTS: Mutex<BTreeMap<c_ulong, Arc<Mutex<Slot>>>> = Mutex::new(BTreeMap::new());

/// Locks a mutex even if a thread has panicked while it held the lock. The data are still valid then.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn slot(lun: c_ulong) -> Option<Arc<Mutex<Slot>>> {
    locked(&SLOTS).get(&lun).cloned()
}

impl Slot {
    /// The card that is connected now, if any. Only [`wait_for_change`] accepts another card.
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

    fn send(&mut self, body: &[u8]) -> io::Result<()> {
        let mut card = self.card().ok_or(io::ErrorKind::NotConnected)?;
        let len = u16::try_from(body.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        card.write_all(&[&len.to_be_bytes(), body].concat())
    }

    fn ask(&mut self, body: &[u8]) -> io::Result<Vec<u8>> {
        let answer = self.send(body).and_then(|()| {
            let mut card = self.card.as_deref().ok_or(io::ErrorKind::NotConnected)?;
            let mut len = [0; 2];
            card.read_exact(&mut len)?;
            let mut answer = vec![0; usize::from(u16::from_be_bytes(len))];
            card.read_exact(&mut answer)?;
            Ok(answer)
        });
        if answer.is_err() {
            // Drop the card after an error. Otherwise a late answer to this message would be mistaken for the answer to
            // the next message.
            self.card = None;
        }
        answer
    }
}

/// Whether the poll event `what` occurs on the descriptor within `millis` ms.
fn happens(descriptor: RawFd, what: i16, millis: c_int) -> bool {
    let mut poll = libc::pollfd { fd: descriptor, events: what, revents: 0 };
    // SAFETY: `poll` is one structure, as the count 1 says, and it lives until the call returns.
    unsafe { libc::poll(&raw mut poll, 1, millis) > 0 }
}

/// Waits until a card connects or leaves. The service calls this function instead of polling every 400 ms. The function
/// returns [`DONE`] after a timeout too, because otherwise the service would sleep for another 400 ms.
///
/// Several threads of the service query the reader, but only the thread that waits here reports changes to the
/// service's clients. The next card may connect only after this thread has seen the reader empty once. A real reader
/// always notices this gap between two cards, because no hand is fast enough to hide it.
extern "C" fn wait_for_change(lun: c_ulong, millis: c_int) -> c_long {
    let Some(slot) = slot(lun) else { return DONE };
    let millis = millis.clamp(1, LONGEST_WAIT);
    let (card, listener) = {
        let mut slot = locked(&slot);
        let card = slot.card.clone();
        let was_known = std::mem::replace(&mut slot.known_empty, card.is_none());
        if card.is_none() && !was_known {
            return DONE;
        }
        (card, slot.listener.as_raw_fd())
    };
    match card {
        Some(card) => drop(happens(card.as_raw_fd(), libc::POLLRDHUP, millis)),
        None if happens(listener, libc::POLLIN, millis) => locked(&slot).accept(),
        None => {}
    }
    DONE
}

/// Copies an answer into the service's buffer.
///
/// # Safety
/// `len` points to the size of the buffer `to`.
unsafe fn answer(from: &[u8], to: *mut c_uchar, len: *mut c_ulong) -> c_long {
    // SAFETY: promised by the caller; the size is checked first.
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

/// Adds a reader.
///
/// # Safety
/// `name` is a C string, as the service gives it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn IFDHCreateChannelByName(lun: c_ulong, name: *const c_char) -> c_long {
    // SAFETY: promised by the caller.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let Some((_, path)) = name.split_once(':') else { return NO_COMMUNICATION };
    // An earlier service may have left its socket there.
    let _ = std::fs::remove_file(path);
    let Ok(listener) = UnixListener::bind(path) else { return NO_COMMUNICATION };
    locked(&SLOTS).insert(lun, Arc::new(Mutex::new(Slot { listener, card: None, known_empty: false })));
    DONE
}

/// Refuses to add a reader that the service identifies by a number instead of a name.
#[unsafe(no_mangle)]
pub extern "C" fn IFDHCreateChannel(_lun: c_ulong, _channel: c_ulong) -> c_long {
    NO_COMMUNICATION
}

/// Removes a reader.
#[unsafe(no_mangle)]
pub extern "C" fn IFDHCloseChannel(lun: c_ulong) -> c_long {
    locked(&SLOTS).remove(&lun);
    DONE
}

/// Returns a capability of this driver, or the card's answer to reset.
///
/// # Safety
/// `len` points to the size of the buffer `value`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn IFDHGetCapabilities(
    lun: c_ulong,
    tag: c_ulong,
    len: *mut c_ulong,
    value: *mut c_uchar,
) -> c_long {
    let said = match tag {
        TAG_ATR => match slot(lun).map(|slot| locked(&slot).ask(&[4])) {
            Some(Ok(atr)) => atr,
            _ => return NO_COMMUNICATION,
        },
        TAG_SLOTS => vec![1],
        TAG_SIMULTANEOUS_ACCESS => vec![16],
        // Each reader has its own lock, so a reader that hangs does not delay the others.
        TAG_THREAD_SAFE | TAG_SLOT_THREAD_SAFE => vec![1],
        TAG_WAIT_FOR_CHANGE => (wait_for_change as *const () as usize).to_ne_bytes().to_vec(),
        _ => return UNKNOWN_TAG,
    };
    // SAFETY: promised by the caller.
    unsafe { answer(&said, value, len) }
}

/// Refuses: no capability can be set.
#[unsafe(no_mangle)]
pub extern "C" fn IFDHSetCapabilities(
    _lun: c_ulong,
    _tag: c_ulong,
    _len: c_ulong,
    _value: *mut c_uchar,
) -> c_long {
    NOT_SUPPORTED
}

/// Accepts any protocol.
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

/// Switches the card on or off, or resets it.
///
/// # Safety
/// `atr` points to a buffer of 33 bytes, into which the answer to reset is written. `len` points to the number into
/// which the length of this answer is written.
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
    let mut slot = locked(&slot);
    if body == 0 {
        // An error means that the card is gone already.
        let _ = slot.send(&[0]);
        // SAFETY: promised by the caller.
        unsafe { *len = 0 };
        return DONE;
    }
    match slot.send(&[body]).and_then(|()| slot.ask(&[4])) {
        // SAFETY: promised by the caller; the service's buffer holds the longest answer.
        Ok(said) => unsafe {
            *len = LONGEST_ATR;
            answer(&said, atr, len)
        },
        Err(_) => NO_COMMUNICATION,
    }
}

/// The protocol of an exchange.
#[repr(C)]
pub struct Header {
    protocol: c_ulong,
    length: c_ulong,
}

/// Sends an APDU to the card and returns its answer.
///
/// # Safety
/// The pointers are those of the service: `sent` has `sent_len` bytes, `len` is the size of the buffer `received`.
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
    match slot(lun).map(|slot| locked(&slot).ask(apdu)) {
        // SAFETY: promised by the caller.
        Some(Ok(said)) if !said.is_empty() => unsafe { answer(&said, received, len) },
        _ => {
            // SAFETY: promised by the caller.
            unsafe { *len = 0 };
            NO_COMMUNICATION
        }
    }
}

/// Refuses: these readers have no control commands.
///
/// # Safety
/// `returned` points to the number into which the length of the answer is written; here this length is always 0.
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

/// Whether a card is on the reader.
#[unsafe(no_mangle)]
pub extern "C" fn IFDHICCPresence(lun: c_ulong) -> c_long {
    match slot(lun).map(|slot| locked(&slot).card().is_some()) {
        Some(true) => CARD_PRESENT,
        _ => CARD_ABSENT,
    }
}
