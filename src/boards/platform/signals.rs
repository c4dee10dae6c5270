//! The operating system's signals that ask the program to end.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC, CtrlClose, CtrlShutdown, ctrl_c, ctrl_close, ctrl_shutdown};

/// The handlers of the signals that ask the program to end. They are installed at the start, so a signal that arrives
/// while the program is busy is not lost.
pub struct StopSignals {
    #[cfg(unix)]
    interrupt: Signal,
    #[cfg(unix)]
    terminate: Signal,
    /// The signal that the terminal was closed; `None` if the program was started to outlive its terminal (`nohup`).
    #[cfg(unix)]
    hang_up: Option<Signal>,
    #[cfg(windows)]
    interrupt: CtrlC,
    /// The console was closed.
    #[cfg(windows)]
    closed: CtrlClose,
    /// The computer is switched off.
    #[cfg(windows)]
    shutdown: CtrlShutdown,
}

impl StopSignals {
    /// Installs the handlers. `Err` if the system has no room for them. Needs a runtime of tokio.
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        let outlives = hang_up_is_ignored();
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: if outlives { None } else { Some(signal(SignalKind::hangup())?) },
        })
    }

    /// Installs the handlers. `Err` if the system has no room for them. Needs a runtime of tokio.
    #[cfg(windows)]
    pub fn listen() -> io::Result<Self> {
        Ok(Self { interrupt: ctrl_c()?, closed: ctrl_close()?, shutdown: ctrl_shutdown()? })
    }

    /// Waits until one of the signals arrives.
    #[cfg(unix)]
    pub async fn received(&mut self) {
        let hang_up = async {
            match &mut self.hang_up {
                Some(hang_up) => hang_up.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = hang_up => {}
        }
    }

    /// Waits until one of the signals arrives.
    #[cfg(windows)]
    pub async fn received(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.closed.recv() => {}
            _ = self.shutdown.recv() => {}
        }
    }
}

/// Whether the program was started to outlive its terminal, as with `nohup`. Only Linux provides this information; on
/// other systems the result is `false`.
#[cfg(unix)]
fn hang_up_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).is_some_and(|set| set & 1 != 0)
}
