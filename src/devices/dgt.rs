//! DGT boards and the clocks behind them, over a serial line, Bluetooth's serial profile or TCP.

pub mod codec;
pub mod driver;
pub mod laws;
pub mod sim;
pub mod sim_host;
