//! What shines on a board that has lamps: what is wrong and the way back, else where the open card may go, the last
//! move, a king in check.

use super::session::Session;
use crate::devices::lights::{Glow, Lights};

/// What should shine now, as the board counts its squares.
pub(super) fn lights(session: &Session) -> Lights {
    let lights =
        match session.watch().trouble().filter(|_| session.guidance().is_some()) {
            Some(trouble) => Lights::of(trouble.squares.iter().map(|(square, seen, _)| {
                (*square, if seen.is_some() { Glow::Wrong } else { Glow::Missing })
            })),
            None => of_game(session),
        };
    if session.watch().turned() { lights.turned() } else { lights }
}

fn of_game(session: &Session) -> Lights {
    let game = session.table().game();
    let check = game.check();
    let places = session.table().phase() == "place" && game.outcome().is_none();
    let usual = if places { Glow::May } else { Glow::Last };
    Lights::of(
        game.lights()
            .into_iter()
            .map(|square| (square, if check == Some(square) { Glow::Check } else { usual })),
    )
}
