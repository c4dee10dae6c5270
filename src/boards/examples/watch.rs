//! Reads any board by its address and prints what it shows: `cargo run --example watch -- dgt:/dev/ttyACM0`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is a program for a terminal")]

use tabiya_boards::address::LiveAddress;
use tabiya_boards::{BoardEvent, watch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address: LiveAddress = std::env::args().nth(1).unwrap_or_default().parse()?;
    for (at, event) in watch(&address)? {
        match event {
            BoardEvent::Observed(seen) => println!("{:>8} ms  {seen:?}", at.millis()),
            BoardEvent::Lost(error) => eprintln!("{error}"),
            _ => {}
        }
    }
    Ok(())
}
