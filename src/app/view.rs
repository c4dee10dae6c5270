//! The table as text: board, clocks, stacks, pot and what comes next.

use tabiya_engine::clock::Clock;
use tabiya_engine::table::{Audience, Table};
use tabiya_types::{Color, Instant, Millis, Seat, Square, harmless};

use super::session::Session;

/// What a terminal shows of a table, a line each. `now` is the moment that the clocks are read at.
pub fn lines(session: &Session, now: Instant) -> Vec<String> {
    let mut words = words(session, now);
    if session.table().game().plays_on_after_flag() {
        // A clock alone has no board.
        return words;
    }
    let rest = words.split_off(1);
    words.extend(board(session));
    words.push(String::new());
    words.extend(rest);
    words
}

/// All but the board: what is played, clocks, chips, what comes next, what is asked.
pub fn words(session: &Session, now: Instant) -> Vec<String> {
    let now = session.moment_shown(now);
    let table = session.table();
    let mut lines = vec![heading(table), clocks(session, now)];
    lines.extend(chips(table));
    lines.extend(table.prompts().into_iter().map(|prompt| addressed(prompt.to, &prompt.text.to_string())));
    // What is wrong with the board can betray a false move or piece, and so can what it may mean.
    let faults = table.audience_of_faults();
    if let Some(trouble) = session.watch().trouble().filter(|_| waits_for_board(session)) {
        lines.push(addressed(faults, &format!("board: {trouble}")));
    }
    if let Some(question) = session.question() {
        lines.push(addressed(faults, &format!("? {question}")));
    }
    lines.iter().map(|line| harmless(line)).collect()
}

/// A line as it is shown where players and arbiter look at one screen: whose it is stands before it.
pub fn addressed(to: Audience, text: &str) -> String {
    match to {
        Audience::Players => text.to_owned(),
        Audience::Arbiter => format!("arbiter: {text}"),
    }
}

/// Whether the board has to be put right before anything else: at the start, after an undo or a
/// reconnection, or while a press waits.
fn waits_for_board(session: &Session) -> bool {
    let table = session.table();
    session.watch().press_waits() || table.clock().paused() || table.clock().turn().is_none()
}

fn heading(table: &Table) -> String {
    let game = table.past_games().len() + 1;
    format!(
        "{} · game {game} · {} · White {} · Black {}",
        table.agreement().game,
        table.phase().word(),
        table.name_of(Color::White),
        table.name_of(Color::Black)
    )
}

/// Eight ranks with coordinates; where the real board differs, what it shows stands beside it.
pub fn board(session: &Session) -> Vec<String> {
    let expected = session.table().physical();
    let seen = session.watch().seen();
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

/// Below this a clock shows tenths, if nobody has chosen another limit.
pub const TENTHS: Millis = Millis(10_000);

/// A reading as clocks show it: rounded up to the second, and to tenths below ten seconds.
pub fn reading(left: Option<Millis>) -> String {
    reading_with_tenths(left, TENTHS)
}

/// A side's reading as a terminal shows it: what is counted up has no end that tenths would matter for.
pub fn reading_of(clock: &Clock, color: Color, now: Instant) -> String {
    let tenths = if clock.counts_up(color, now) { Millis::ZERO } else { TENTHS };
    reading_with_tenths(clock.reading(color, now), tenths)
}

/// The same with tenths below another limit; never hundredths, and never zero while time is left.
pub fn reading_with_tenths(left: Option<Millis>, below: Millis) -> String {
    match left {
        None => "-:--".to_owned(),
        Some(left) if left < below => {
            // Never 0.0 while time is left.
            let tenths = left.0.div_ceil(100);
            format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
        }
        Some(left) => left.to_string(),
    }
}

fn clocks(session: &Session, now: Instant) -> String {
    let clock = session.watch().clock_shown(now);
    let side = |color: Color| {
        let running = if clock.turn() == Some(color) && !clock.paused() { ">" } else { " " };
        let flag = if clock.has_fallen(color) { " flag" } else { "" };
        format!("{running}{color} {}{flag}", reading_of(&clock, color, now))
    };
    let paused = if clock.paused() { "   paused" } else { "" };
    format!("{}   {}{paused}", side(Color::White), side(Color::Black))
}

fn chips(table: &Table) -> Option<String> {
    let stakes = table.game().stakes();
    let stacks = table.stacks();
    if stacks.a.0 == 0 && stacks.b.0 == 0 && stakes.pot().0 == 0 {
        return None;
    }
    let players = &table.agreement().players;
    Some(format!(
        "pot {}   {} {}   {} {}",
        stakes.pot(),
        players[Seat::A],
        stacks.a,
        players[Seat::B],
        stacks.b
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_never_shows_zero_while_time_is_left_and_never_hundredths() {
        let cases = [
            (0, 10, "0:00.0"),
            (1, 10, "0:00.1"),
            (100, 10, "0:00.1"),
            (9_900, 10, "0:09.9"),
            (9_999, 10, "0:10.0"),
            (10_000, 10, "0:10"),
            (10_001, 10, "0:11"),
            (59_001, 10, "1:00"),
            (59_900, 60, "0:59.9"),
            (59_999, 60, "1:00.0"),
            (1, 0, "0:01"),
            (0, 0, "0:00"),
            (3_600_000, 10, "1:00:00"),
        ];
        for (left, below, shown) in cases {
            let below = Millis::from_secs(below);
            assert_eq!(reading_with_tenths(Some(Millis(left)), below), shown, "{left}");
        }
        assert_eq!(reading(None), "-:--");
    }
}
