//! The table as text: board, clocks, stacks, pot and prompts.

use tabiya_types::{Color, Instant, Seat, Square, harmless};

use crate::snapshot::{Snapshot, TableView};
use crate::view::{addressed, reading_of};

/// The table as lines of text. `at` is the moment of the match at which the clocks are read.
pub fn lines(snapshot: &Snapshot, at: Instant) -> Vec<String> {
    let Some(view) = &snapshot.table else { return Vec::new() };
    let mut words = words(snapshot, at);
    if view.clock_alone {
        // A game that consists only of a clock has no board.
        return words;
    }
    let rest = words.split_off(1);
    words.extend(board(view));
    words.push(String::new());
    words.extend(rest);
    words
}

/// The lines without the board: what is played, clocks, chips, prompts, question.
pub fn words(snapshot: &Snapshot, at: Instant) -> Vec<String> {
    let Some(view) = &snapshot.table else { return Vec::new() };
    let at = snapshot.time.stopped_at.unwrap_or(at);
    let mut lines = vec![heading(view), clocks(view, at)];
    lines.extend(chips(view));
    lines.extend(view.prompts.iter().map(|prompt| addressed(prompt.to, &prompt.text.to_string())));
    // A fault on the board, or a question about the board, can reveal a wrong move. At events only the
    // arbiter sees both.
    if let Some(trouble) = &view.waits_for_board {
        lines.push(addressed(view.faults_to, &format!("board: {trouble}")));
    }
    if let Some(asked) = &snapshot.question {
        lines.push(addressed(asked.to, &format!("? {}", asked.text)));
    }
    lines.iter().map(|line| harmless(line)).collect()
}

fn heading(view: &TableView) -> String {
    let name = |color: Color| &view.agreement.players[view.seats[color]];
    format!(
        "{game} · game {number} · {phase} · White {white} · Black {black}",
        game = view.agreement.game,
        number = view.number,
        phase = view.phase.word(),
        white = name(Color::White),
        black = name(Color::Black)
    )
}

/// The expected board: eight ranks with coordinates. `!` marks each square on which the real board shows something
/// else.
pub(super) fn board(view: &TableView) -> Vec<String> {
    let (expected, seen) = (view.physical, view.seen);
    let differs = |square: Square| seen.is_some_and(|seen| seen[square] != expected[square]);
    let mut lines = Vec::new();
    for rank in (0..8).rev() {
        let mut line = format!("{} ", rank + 1);
        for file in 0..8 {
            let Some(square) = Square::from_coords(file, rank) else { continue };
            let letter = expected[square].map_or('.', tabiya_types::Piece::letter);
            line.push(if differs(square) { '!' } else { ' ' });
            line.push(letter);
        }
        lines.push(line);
    }
    lines.push("   a b c d e f g h".to_owned());
    lines
}

fn clocks(view: &TableView, at: Instant) -> String {
    let clock = &view.clock;
    let side = |color: Color| {
        let running = if clock.turn() == Some(color) && !clock.paused() { ">" } else { " " };
        let flag = if clock.has_fallen(color) { " flag" } else { "" };
        let reading = reading_of(clock, color, at);
        format!("{running}{color} {reading}{flag}")
    };
    let paused = if clock.paused() { "   paused" } else { "" };
    format!("{}   {}{paused}", side(Color::White), side(Color::Black))
}

fn chips(view: &TableView) -> Option<String> {
    let (stakes, stacks) = (&view.stakes, &view.stacks);
    if stacks.a.0 == 0 && stacks.b.0 == 0 && stakes.pot().0 == 0 {
        return None;
    }
    let players = &view.agreement.players;
    Some(format!(
        "pot {}   {} {}   {} {}",
        stakes.pot(),
        players[Seat::A],
        stacks.a,
        players[Seat::B],
        stacks.b
    ))
}
