//! Chooses the squares that light up on a board. If the position is wrong, these are the squares of wrong and missing
//! pieces. If the position is right, these are the squares on which the revealed card's piece may be placed, the last
//! move, and a king in check.

use tabiya_boards::lights::{Glow, Lights};
use tabiya_engine::rules::Game;
use tabiya_engine::sense::Watch;
use tabiya_types::Square;

/// Returns the lamps that should be lit now, in the board's own orientation. With `guides`, people are being guided to
/// the expected position, so the wrong squares are lit instead of the squares of the game.
pub(super) fn lights(watch: &Watch, guides: bool) -> Lights {
    // While people are asked which reading of the board is right: the squares of these readings.
    let asked = watch.squares_in_question();
    let lights =
        match watch.trouble().filter(|_| guides) {
            Some(trouble) => Lights::of(trouble.squares.iter().map(|(square, seen, _)| {
                (*square, if seen.is_some() { Glow::Wrong } else { Glow::Missing })
            })),
            None => of_game(watch.table().game()),
        };
    let lights =
        if asked.is_empty() { lights } else { Lights::of(asked.into_iter().map(|at| (at, Glow::May))) };
    if watch.turned() { lights.turned() } else { lights }
}

fn of_game(game: &dyn Game) -> Lights {
    let chess = game.chess();
    let check = chess.and_then(tabiya_engine::rules::ChessPhase::check);
    let glow = |glow: Glow| move |square: Square| (square, glow);
    let last = chess.map(tabiya_engine::rules::ChessPhase::last_move).unwrap_or_default();
    let last = last.into_iter().filter(|square| check != Some(*square)).map(glow(Glow::Last));
    let open = game.placement().map(tabiya_engine::rules::Placement::open_squares).unwrap_or_default();
    let open = open.into_iter().map(glow(Glow::May));
    Lights::of(open.chain(last).chain(check.map(glow(Glow::Check))))
}
