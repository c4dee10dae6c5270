//! The system's ways to ask a program to end.

/// Listened to from the first moment on: one that comes while the table is at work is not lost.
pub(super) struct StopSignals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    /// The terminal was closed; nothing to listen to if whoever started the program wants it to outlive that.
    #[cfg(unix)]
    hang_up: Option<tokio::signal::unix::Signal>,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
}

impl StopSignals {
    #[cfg(unix)]
    pub(super) fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let outlives = hang_up_is_ignored();
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: if outlives { None } else { Some(signal(SignalKind::hangup())?) },
        })
    }

    #[cfg(windows)]
    pub(super) fn listen() -> std::io::Result<Self> {
        Ok(Self { interrupt: tokio::signal::windows::ctrl_c()? })
    }

    /// Returns once one of them has come.
    pub(super) async fn asked(&mut self) {
        #[cfg(unix)]
        {
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
        #[cfg(windows)]
        self.interrupt.recv().await;
    }
}

/// Whether the program was started so that it outlives its terminal, as `nohup` does. Elsewhere than on Linux nobody
/// can tell without more rights over the process than this program takes.
#[cfg(unix)]
fn hang_up_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).is_some_and(|set| set & 1 != 0)
}
