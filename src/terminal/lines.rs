//! The table as text: board, clocks, stacks, pot and prompts.

use tabiya_app::alerts::AlertKind;
use tabiya_app::snapshot::{PokerView, Snapshot, TableView};
use tabiya_app::view::{addressed, event_in_words, reading_of};
use tabiya_engine::rules::{Goal, Heap, HeapPlace};
use tabiya_text::Words;
use tabiya_types::{Color, Instant, Role, Seat, Sentence, Square, harmless, one_letter, say};

use super::alerts;

/// The table as lines of text. `at` is the moment of the match at which the clocks are read.
pub fn lines(snapshot: &Snapshot, words: &Words, at: Instant) -> Vec<String> {
    let Some(view) = &snapshot.table else { return Vec::new() };
    let mut facts = facts(snapshot, words, at);
    if view.clock_alone {
        // A game that consists only of a clock has no board.
        return facts;
    }
    let rest = facts.split_off(1);
    let cards = cards(view);
    facts.extend(board(view).into_iter().zip(cards).map(|(row, cards)| format!("{row}{cards}")));
    facts.push(String::new());
    facts.extend(rest);
    facts
}

/// The lines without the board: what is played, clocks, chips, prompts, question.
pub fn facts(snapshot: &Snapshot, words: &Words, at: Instant) -> Vec<String> {
    let Some(view) = &snapshot.table else { return Vec::new() };
    let mut lines = standing(snapshot, view, words, at);
    lines.extend(prompts(snapshot, view, words, |_| false));
    lines.iter().map(|line| harmless(line)).collect()
}

/// The same lines for a screen that is redrawn: the open alerts stand in one place, and nothing that they say stands elsewhere.
pub(super) fn live_facts(snapshot: &Snapshot, words: &Words, at: Instant) -> Vec<String> {
    let Some(view) = &snapshot.table else { return Vec::new() };
    let open = |kind| snapshot.alert(kind).is_some();
    let mut lines = standing(snapshot, view, words, at);
    lines.extend(alerts::lines(snapshot, words, |_| true));
    lines.extend(prompts(snapshot, view, words, open));
    lines.iter().map(|line| harmless(line)).collect()
}

/// What is played, and what stands on the clocks, in chips, cards and points.
fn standing(snapshot: &Snapshot, view: &TableView, words: &Words, at: Instant) -> Vec<String> {
    let at = snapshot.time.stopped_at.unwrap_or(at);
    let mut lines = vec![heading(view, words), clocks(view, words, at)];
    lines.extend(chips(view, words));
    lines.extend(view.poker.as_ref().map(|poker| words.said(&hands(poker))));
    lines.extend(heaps(view, words));
    lines.extend(points_and_cards(view, words));
    lines.extend(view.bet_clock.map(|clock| words.said(&clock.sentence(at))));
    // Who of an event is told.
    lines.extend(snapshot.devices.record.event.as_ref().map(|state| words.said(&event_in_words(state))));
    lines
}

/// What people are told, and asked. `listed`: the kinds of alerts that stand elsewhere on the screen.
fn prompts(
    snapshot: &Snapshot,
    view: &TableView,
    words: &Words,
    listed: impl Fn(AlertKind) -> bool,
) -> Vec<String> {
    let told = view.prompts.iter().filter(|prompt| !AlertKind::of_prompt(prompt).is_some_and(&listed));
    let mut lines: Vec<String> =
        told.map(|prompt| addressed(prompt.to, &words.said(&prompt.text), words)).collect();
    // A fault on the board, or a question about the board, can reveal a wrong move. At events only the
    // arbiter sees both.
    if let Some(trouble) = view.waits_for_board.as_ref().filter(|_| !listed(AlertKind::Piece)) {
        lines.push(addressed(view.faults_to, &words.said(&board_shows(trouble.clone())), words));
    }
    if let Some(asked) = snapshot.question.as_ref().filter(|_| !listed(AlertKind::Question)) {
        lines.push(addressed(asked.to, &format!("? {}", words.said(&asked.text)), words));
    }
    lines
}

/// What is wrong on the board, as the board's own line.
pub(super) fn board_shows(trouble: Sentence) -> Sentence {
    say!("board-shows", "board: {trouble}", trouble)
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

/// The cards under the squares, to be shown beside the rows of [`board`]; empty texts if no cards lie there.
fn cards(view: &TableView) -> [String; 9] {
    let mut rows: [String; 9] = Default::default();
    if view.under.is_empty() {
        return rows;
    }
    for (row, rank) in rows.iter_mut().zip((0..8).rev()) {
        row.push_str("   ");
        for square in (0..8).filter_map(|file| Square::from_coords(file, rank)) {
            let card = view.under.iter().find(|(at, _)| *at == square).map_or("--", |(_, card)| card);
            row.push(' ');
            row.push_str(card);
        }
    }
    rows
}

/// The cards beside the board and the die: the row, both hands as everybody knows them, and what was laid.
fn heaps(view: &TableView, words: &Words) -> Vec<String> {
    let of = |place: HeapPlace| view.heaps.iter().find(|heap| heap.place == place);
    let (Some(row), Some(stock)) = (of(HeapPlace::Middle), of(HeapPlace::Stock)) else { return Vec::new() };
    if row.up.is_empty() {
        return Vec::new();
    }
    let text = |heap: Option<&Heap>| {
        let up = heap.into_iter().flat_map(|heap| heap.up.iter().map(|face| letter_of(face, words)));
        let down = (0..heap.map_or(0, |heap| heap.down)).map(|_| "?".to_owned());
        up.chain(down).collect::<Vec<_>>().join(" ")
    };
    let hand = |color| text(of(HeapPlace::Hand(color)));
    let mut lines = vec![
        say!("cards-open", "row: {row}   stock: {stock}", row = text(Some(row)), stock = stock.down),
        say!(
            "cards-hands",
            "hands: White {white}, Black {black}",
            white = hand(Color::White),
            black = hand(Color::Black)
        ),
    ];
    lines.extend(view.die.map(|die| match die.thrown {
        Some(pips) => say!("die-thrown", "die: {pips}", pips),
        None => say!("die-with", "die: {by}", by = die.owner),
    }));
    let laid = Color::ALL.into_iter().find_map(|color| of(HeapPlace::Before(color)));
    lines.extend(laid.map(|laid| say!("card-lies-open", "laid: {card}", card = text(Some(laid)))));
    if view.outcome.is_some() {
        lines.extend(
            of(HeapPlace::Used).map(|used| say!("cards-used", "used: {cards}", cards = text(Some(used)))),
        );
    }
    lines.iter().map(|line| words.said(line)).collect()
}

/// In a game that points win: the points, the deck, the card before each player, and the cards that each has scored.
fn points_and_cards(view: &TableView, words: &Words) -> Vec<String> {
    let Some((points, Goal::Total(enough))) = view.score.and_then(|score| Some((score.points, score.wins?)))
    else {
        return Vec::new();
    };
    let of = |place: HeapPlace| view.heaps.iter().find(|heap| heap.place == place);
    let deck = of(HeapPlace::Stock).map_or(0, |stock| stock.down);
    let none = || say!("no-cards-there", "none");
    let before = |color| view.sight.as_ref().and_then(|sight| sight.card_before(color)).unwrap_or_else(none);
    let scored = |color| {
        let Some(Heap { up, down, .. }) = of(HeapPlace::Won(color)) else { return none() };
        match (up.join(" "), *down) {
            (up, 0) if up.is_empty() => none(),
            (up, 0) => say!("cards-face-up", "{up}", up),
            (up, down) if up.is_empty() => say!("cards-face-down", "{down} face down", down),
            (up, down) => say!("cards-up-and-down", "{up} and {down} face down", up, down),
        }
    };
    let lines = [
        say!(
            "points-line",
            "points: White {white}, Black {black} of {enough}   deck: {deck}",
            white = points.white,
            black = points.black,
            enough,
            deck
        ),
        say!(
            "cards-before",
            "cards: White {white}, Black {black}",
            white = before(Color::White),
            black = before(Color::Black)
        ),
        say!(
            "cards-won",
            "scored: White {white}, Black {black}",
            white = scored(Color::White),
            black = scored(Color::Black)
        ),
    ];
    lines.iter().map(|line| words.said(line)).collect()
}

/// The letter of a card in the language of the screen, if it is that of a piece.
fn letter_of(face: &str, words: &Words) -> String {
    let role = one_letter(face).and_then(Role::from_letter);
    role.map_or_else(|| face.to_owned(), |role| words.letter(role))
}

/// The poker hands as they stand, and how many each player has won.
fn hands(poker: &PokerView) -> Sentence {
    let (white, black) = (poker.now.hands.white.sentence(), poker.now.hands.black.sentence());
    let (white_won, black_won) = (poker.points.white, poker.points.black);
    say!(
        "hands-now",
        "hands now: White {white}, Black {black}; won: White {white_won}, Black {black_won}",
        white,
        black,
        white_won,
        black_won
    )
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

#[cfg(test)]
mod tests {
    use tabiya_app::Session;
    use tabiya_app::snapshot::Asked;
    use tabiya_engine::record::{Body, Header, Line};
    use tabiya_engine::rules::GAMES;
    use tabiya_engine::table::{Audience, flag_fallen};
    use tabiya_text::Language;

    use super::*;

    fn english() -> Words {
        Words::of(Language::English)
    }

    /// A session of chess with these names and terms.
    fn chess(name: &str, terms: &str) -> Session {
        let header = format!(
            r#"{{"tabiya":1,"game":"chess","players":{{"A":"Ann{name}","B":"Bo{name}"}},"white":"A","id":"{name}","start":"2026-10-03T19:30:00+02:00","terms":{terms}}}"#
        );
        Session::new(Header::parse(&header, GAMES).expect("a header"), None, None)
    }

    fn enter(session: &mut Session, text: &str, millis: u64) {
        let line = Line::parse(&format!(r#"{{"t":0,{text}}}"#), session.replay().header()).expect("a line");
        let Body::Acted(input) = line.body else { panic!("{text} acts on nothing") };
        session.enter(&input, Instant::from_millis(millis)).expect("it is accepted");
    }

    #[test]
    fn at_an_event_what_the_board_shows_and_asks_is_marked_for_the_arbiter() {
        for (to, mark) in [(Audience::Arbiter, "arbiter: "), (Audience::Players, "")] {
            let session = chess("", "{}");
            let mut snapshot = Snapshot::of_session(&session, Instant::ZERO);
            let mut view = TableView::of_session(&session, Instant::ZERO);
            let text = || flag_fallen(Color::White);
            (view.faults_to, view.waits_for_board) = (to, Some(text()));
            snapshot.table = Some(view.into());
            snapshot.question = Some(Asked { to, text: text(), answers: None, squares: Vec::new() });
            let shown = facts(&snapshot, &english(), Instant::ZERO);
            for wanted in [format!("{mark}board: {}", text()), format!("{mark}? {}", text())] {
                assert!(shown.contains(&wanted), "{shown:?}");
            }
        }
    }

    #[test]
    fn names_and_reasons_cannot_steer_the_terminal() {
        let evil = "\\u001b[2J\\r\\nWhite wins\\u009b\\u202e";
        let mut session = chess(evil, "{}");
        let rule = format!(r#""do":"rule","by":"arbiter","reason":"so{evil}","set":{{"winner":"A"}}"#);
        enter(&mut session, &rule, 1_000);
        enter(&mut session, &format!(r#""do":"end-match","by":"arbiter","reason":"late{evil}""#), 2_000);
        let at = Instant::from_millis(3_000);
        let mut shown: Vec<String> =
            session.take_said().into_iter().map(|said| said.text.to_string()).collect();
        shown.extend(lines(&Snapshot::of_session(&session, at), &english(), at));
        shown.extend(session.table().agreement().sheet().iter().map(ToString::to_string));
        shown.extend(
            tabiya_engine::record::sheet::lines(session.replay(), None).iter().map(ToString::to_string),
        );
        assert!(shown.iter().any(|line| line.contains("Ann") && line.contains("White wins")), "{shown:?}");
        let steers = |letter: char| letter.is_control() || letter == '\u{202e}';
        assert!(!shown.iter().any(|line| line.contains(steers)), "{shown:?}");
        assert!(!shown.iter().any(|line| line.starts_with("White wins")), "{shown:?}");
        // The record keeps the names as people wrote them, with control characters.
        let written = session.replay().header().line();
        assert!(Header::parse(&written, GAMES).expect("a header").agreement.players.a.contains('\u{1b}'));
    }
}
