//! The operating system's signals that ask the program to end.

/// The handlers of the signals that ask the program to end. They are installed at the start, so a signal that arrives
/// while the table is busy is not lost.
pub(super) struct StopSignals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    /// The signal that the terminal was closed; `None` if the program was started to outlive its terminal (`nohup`).
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

    /// Waits until one of the signals arrives that ask the program to end.
    pub(super) async fn received(&mut self) {
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

/// Whether the program was started to outlive its terminal, as with `nohup`. Only Linux provides this information; on
/// other systems the result is `false`.
#[cfg(unix)]
fn hang_up_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).is_some_and(|set| set & 1 != 0)
}
