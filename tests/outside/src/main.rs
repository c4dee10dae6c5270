//! A program outside of this workspace that prints what a board shows.

use tabiya_boards::address::LiveAddress;
use tabiya_boards::types::Observation;
use tabiya_boards::{BoardEvent, watch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address: LiveAddress = std::env::args().nth(1).unwrap_or_default().parse()?;
    for (_, event) in watch(&address)? {
        match event {
            BoardEvent::Identified(info) => println!("{} {}", info.maker.name, info.number().unwrap_or("?")),
            BoardEvent::Observed(Observation::Whole(board)) => println!("{board}"),
            BoardEvent::Observed(Observation::Square(square, Some(piece))) => println!("{piece} on {square}"),
            BoardEvent::Observed(Observation::Square(square, None)) => println!("nothing on {square}"),
            BoardEvent::Observed(Observation::Press(by)) => println!("{by} has pressed"),
            BoardEvent::Lost(error) => println!("lost: {error}"),
            BoardEvent::Back => println!("back"),
            _ => {}
        }
    }
    Ok(())
}
