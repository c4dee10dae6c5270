//! What shines on a board that has lamps: what is wrong and the way back, else where the open card may go, the last
//! move, a king in check.

use super::session::Session;
use tabiya_boards::lights::{Glow, Lights};
use tabiya_types::Square;

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
    let chess = game.chess();
    let check = chess.and_then(|chess| chess.check());
    let glow = |glow: Glow| move |square: Square| (square, glow);
    let last = chess.map(|chess| chess.last_move()).unwrap_or_default();
    let last = last.into_iter().filter(|square| check != Some(*square)).map(glow(Glow::Last));
    let open = game.placement().map(|placement| placement.open_squares()).unwrap_or_default();
    let open = open.into_iter().map(glow(Glow::May));
    Lights::of(open.chain(last).chain(check.map(glow(Glow::Check))))
}
