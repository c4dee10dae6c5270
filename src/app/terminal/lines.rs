//! The table as text: board, clocks, stacks, pot and prompts.

use tabiya_text::Words;
use tabiya_types::{Color, Instant, Seat, Square, harmless, say};

use crate::snapshot::{Snapshot, TableView};
use crate::view::{addressed, reading_of};

/// The table as lines of text. `at` is the moment of the match at which the clocks are read.
pub fn lines(snapshot: &Snapshot, words: &Words, at: Instant) -> Vec<String> {
    let Some(view) = &snapshot.table else { return Vec::new() };
    let mut facts = facts(snapshot, words, at);
    if view.clock_alone {
        // A game that consists only of a clock has no board.
        return facts;
    }
    let rest = facts.split_off(1);
    facts.extend(board(view));
    facts.push(String::new());
    facts.extend(rest);
    facts
}

/// The lines without the board: what is played, clocks, chips, prompts, question.
pub fn facts(snapshot: &Snapshot, words: &Words, at: Instant) -> Vec<String> {
    let Some(view) = &snapshot.table else { return Vec::new() };
    let at = snapshot.time.stopped_at.unwrap_or(at);
    let mut lines = vec![heading(view, words), clocks(view, words, at)];
    lines.extend(chips(view, words));
    lines.extend(view.bet_clock.map(|clock| words.said(&clock.sentence(at))));
    lines.extend(view.prompts.iter().map(|prompt| addressed(prompt.to, &words.said(&prompt.text), words)));
    // A fault on the board, or a question about the board, can reveal a wrong move. At events only the
    // arbiter sees both.
    if let Some(trouble) = &view.waits_for_board {
        lines.push(addressed(
            view.faults_to,
            &words.said(&say!("board-shows", "board: {trouble}", trouble = trouble.clone())),
            words,
        ));
    }
    if let Some(asked) = &snapshot.question {
        lines.push(addressed(asked.to, &format!("? {}", words.said(&asked.text)), words));
    }
    lines.iter().map(|line| harmless(line)).collect()
}

fn heading(view: &TableView, words: &Words) -> String {
    let name = |color: Color| view.agreement.players[view.seats[color]].clone();
    let said = say!(
        "heading",
        "{game} · game {number} · {phase} · White {white} · Black {black}",
        game = view.agreement.game.to_owned(),
        number = view.number,
        phase = words.word("phase", view.phase.word()),
        white = name(Color::White),
        black = name(Color::Black)
    );
    words.said(&said)
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

fn clocks(view: &TableView, words: &Words, at: Instant) -> String {
    let clock = &view.clock;
    let side = |color: Color| {
        let running = if clock.turn() == Some(color) && !clock.paused() { ">" } else { " " };
        let flag = if clock.has_fallen(color) {
            format!(" {}", words.said(&say!("clock-flag", "flag")))
        } else {
            String::new()
        };
        format!("{running}{} {}{flag}", words.color(color), reading_of(clock, color, at))
    };
    let paused = if clock.paused() {
        format!("   {}", words.said(&say!("clock-paused", "paused")))
    } else {
        String::new()
    };
    format!("{}   {}{paused}", side(Color::White), side(Color::Black))
}

fn chips(view: &TableView, words: &Words) -> Option<String> {
    let (stakes, stacks) = (&view.stakes, &view.stacks);
    if stacks.a.0 == 0 && stacks.b.0 == 0 && stakes.pot().0 == 0 {
        return None;
    }
    let players = &view.agreement.players;
    Some(words.said(&say!(
        "chips-line",
        "pot {pot}   {a} {stack_a}   {b} {stack_b}",
        pot = stakes.pot(),
        a = players[Seat::A].clone(),
        stack_a = stacks.a,
        b = players[Seat::B].clone(),
        stack_b = stacks.b
    )))
}
