//! The waits between attempts to connect to a board. This module reads no clock and uses no random numbers: small
//! variations of the waits are derived from the board's address.
//!
//! The figures for Bluetooth LE are those of the notes on testing Bluetooth LE, section 5.3, with one difference: no
//! scan runs between two attempts, because it would disturb the connections of other boards. Each attempt begins with
//! its own scan. A scan that does not see the board does not make the next wait longer, so a board that was switched
//! off is found as soon as it returns. Only a board that is seen but refuses the connection has to wait up to half a
//! minute.

use tabiya_types::Millis;

use crate::address::{BoardPort, LiveAddress};
use crate::link::LinkError;

/// The waits over a cable after the first failure, the second, and so on. The first waits are short, because a cable
/// that was pulled by accident is back within a second. The later waits are longer, because a board that was switched
/// off stays away longer.
const CABLE: [Millis; 6] = [Millis(250), Millis(500), Millis(1000), Millis(2000), Millis(4000), Millis(5000)];
/// The waits over Bluetooth LE after the first failure, the second, and so on, from the notes on testing Bluetooth LE,
/// section 5.3.
const AIR: [Millis; 7] =
    [Millis(500), Millis(1000), Millis(2000), Millis(4000), Millis(8000), Millis(15_000), Millis(30_000)];
/// A Bluetooth LE connection that lasted this long sets the number of failures back to zero.
const STAYED: Millis = Millis(60_000);
/// The wait before the next attempt if Bluetooth is switched off.
const SWITCHED_OFF: Millis = Millis(1000);
/// The wait before the next attempt if the computer offers no Bluetooth.
const NOT_THERE: Millis = Millis(5000);

/// The number of failed attempts for one board, from which the next wait follows.
pub(super) struct Backoff {
    air: bool,
    failures: usize,
    seed: u64,
}

impl Backoff {
    /// Creates the state before the first failure.
    pub(super) fn new(address: &LiveAddress) -> Self {
        let entry = address.maker.entry();
        let air = match address.place {
            BoardPort::Ble(_) => true,
            BoardPort::Auto => entry.transports.serial.is_none() && entry.transports.web.is_none(),
            BoardPort::Serial(_) | BoardPort::Tcp { .. } | BoardPort::Web { .. } => false,
        };
        // The seed only has to differ from board to board (FNV-1a hash of the address).
        let seed = address.to_string().bytes().fold(0xcbf2_9ce4_8422_2325_u64, |seed, byte| {
            (seed ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        Self { air, failures: 0, seed }
    }

    /// Returns the wait before the next attempt after `error`. `linked` is how long the board was connected before the
    /// error; `None` if the board was not connected.
    pub(super) fn after(&mut self, error: &LinkError, linked: Option<Millis>) -> Millis {
        let enough = if self.air { STAYED } else { Millis(0) };
        if linked.is_some_and(|linked| linked >= enough) {
            self.failures = 0;
        }
        match error {
            // No attempt to reach the board was made, so the error does not count as a failure.
            LinkError::BluetoothOff => return SWITCHED_OFF,
            LinkError::NoAdapter
            | LinkError::NoBluetooth
            | LinkError::NoBluetoothService
            | LinkError::BluetoothRefused => return NOT_THERE,
            // The scan did not see the board. The scan itself took long enough, so the shortest wait follows. The
            // number of failures starts again from zero, for the time when a scan sees the board again.
            LinkError::NotSeen { .. } => {
                self.failures = 0;
                return AIR[0];
            }
            _ => {}
        }
        let waits: &[Millis] = if self.air { &AIR } else { &CABLE };
        let wait = waits.get(self.failures).or(waits.last()).copied().unwrap_or_default();
        self.failures += 1;
        if self.air { self.spread(wait) } else { wait }
    }

    /// Varies a wait by up to a fifth, so that boards that were lost together do not all reconnect at the same time.
    fn spread(&mut self, wait: Millis) -> Millis {
        // One step of Knuth's MMIX generator. Its upper bits are more random than its lower bits.
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let percent = 80 + (self.seed >> 33) % 41;
        Millis(wait.0 * percent / 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::makers::{chessnut, dgt};

    fn out_of_reach() -> LinkError {
        LinkError::OutOfReach { name: "Chessnut".to_owned() }
    }

    fn air() -> Backoff {
        Backoff::new(&LiveAddress::at(chessnut::MAKER, BoardPort::Ble(None)))
    }

    #[test]
    fn over_the_air_each_wait_is_longer_and_none_is_exact() {
        let mut backoff = air();
        for wait in [500, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000] {
            let real = backoff.after(&out_of_reach(), Some(Millis(59_999))).0;
            assert!((wait * 4 / 5..=wait * 6 / 5).contains(&real), "{real} for {wait}");
        }
    }

    #[test]
    fn a_board_that_stayed_a_minute_or_was_not_seen_begins_anew() {
        let mut backoff = air();
        for _ in 0..5 {
            backoff.after(&out_of_reach(), None);
        }
        assert!(backoff.after(&out_of_reach(), Some(Millis(60_000))) <= Millis(600));
        for _ in 0..5 {
            backoff.after(&out_of_reach(), None);
        }
        assert_eq!(backoff.after(&LinkError::NotSeen { name: String::new() }, None), Millis(500));
        assert!(backoff.after(&out_of_reach(), None) <= Millis(600));
    }

    #[test]
    fn while_bluetooth_is_off_nothing_counts() {
        let mut backoff = air();
        for _ in 0..20 {
            assert_eq!(backoff.after(&LinkError::BluetoothOff, None), Millis(1000));
            assert_eq!(backoff.after(&LinkError::NoAdapter, None), Millis(5000));
        }
        assert!(backoff.after(&out_of_reach(), None) <= Millis(600));
    }

    #[test]
    fn boards_that_are_lost_together_come_back_apart() {
        let which = |name: &str| BoardPort::Ble(Some(name.to_owned()));
        let wait =
            |name| Backoff::new(&LiveAddress::at(chessnut::MAKER, which(name))).after(&out_of_reach(), None);
        let waits: std::collections::BTreeSet<u64> =
            ["a", "b", "c", "d", "e"].map(wait).map(|wait| wait.0).into();
        assert!(waits.len() > 2, "{waits:?}");
    }

    #[test]
    fn a_cable_that_told_its_board_once_begins_anew() {
        let mut backoff = Backoff::new(&LiveAddress::serial(dgt::MAKER, "port"));
        let gone = LinkError::Silent { port: "port".to_owned() };
        for wait in [250, 500, 1000, 2000, 4000, 5000, 5000] {
            assert_eq!(backoff.after(&gone, None), Millis(wait));
        }
        assert_eq!(backoff.after(&gone, Some(Millis(0))), Millis(250));
    }
}
