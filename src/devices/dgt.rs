//! DGT boards and the clocks behind them, over a serial line, Bluetooth's serial profile or TCP.

pub mod codec;
pub mod driver;
pub mod laws;
pub mod sim;
// Pseudo-terminals are Unix's.
#[cfg(unix)]
pub mod sim_host;
