//! Laws of the watch that hold for any input: it never panics, the lines that it writes replay, and time always
//! advances.

use proptest::prelude::*;
use tabiya_engine::record::{Body, Header, Line, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Evidence, Probe};
use tabiya_types::{Board, Color, Instant, Millis, Observation, Piece, Role, Square};

/// A random input.
#[derive(Clone, Debug)]
enum Event {
    Square(u8, Option<(bool, u8)>),
    /// The board reports the position after a legal action, which the number selects. With `true` it reports the whole
    /// position at once, with `false` square by square.
    Legal(usize, bool),
    /// The board reports the position that the table expects.
    PutRight,
    Press(bool),
    Typed(usize),
    /// One of the lines that the watch would accept. The number selects the line.
    LegalLine(usize),
    Turned,
    Wait,
}

const TYPED: [&str; 16] = [
    r#""do":"undo""#,
    r#""do":"redo""#,
    r#""do":"pause","by":"white""#,
    r#""do":"resume","by":"white""#,
    r#""do":"move","by":"white","uci":"e2e4""#,
    r#""do":"move","by":"black","uci":"e7e5""#,
    r#""do":"resign","by":"black""#,
    r#""do":"tick""#,
    r#""do":"next""#,
    r#""do":"reveal","by":"white","card":"N""#,
    r#""do":"reveal","by":"black","card":"R""#,
    r#""do":"place","by":"white","piece":"N","at":"b1""#,
    r#""do":"stands","by":"white","piece":"Q","as":"R""#,
    r#""do":"rule","by":"arbiter","reason":"so","set":{"fen":"4k3/P7/8/8/8/8/8/4K3 w - - 0 1"}"#,
    r#""do":"offer-draw","by":"white""#,
    r#""do":"fouled","by":"arbiter","reason":"so""#,
];

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        2 => (0..64_u8, proptest::option::of((any::<bool>(), 0..6_u8))).prop_map(|(s, p)| Event::Square(s, p)),
        5 => (any::<usize>(), any::<bool>()).prop_map(|(nth, whole)| Event::Legal(nth, whole)),
        2 => Just(Event::PutRight),
        4 => any::<bool>().prop_map(Event::Press),
        1 => (0..TYPED.len()).prop_map(Event::Typed),
        2 => any::<usize>().prop_map(Event::LegalLine),
        1 => Just(Event::Turned),
        2 => Just(Event::Wait),
    ]
}

/// A watch, and the replay of the lines that it has written.
struct Run {
    header: Header,
    watch: Watch,
    replay: Replay,
    /// A second replay. It does not apply the lines itself; after each line it takes over the watch's table.
    followed: Replay,
    now: Instant,
    number: u32,
}

impl Run {
    fn new(header: &str) -> Self {
        let header = Header::parse(header, GAMES).expect("a header");
        let watch = Watch::new(header.agreement.clone());
        let replay = Replay::new(header.clone());
        Self { followed: replay.clone(), replay, header, watch, now: Instant::ZERO, number: 1 }
    }

    fn keep(&mut self) {
        for entry in self.watch.take_lines() {
            self.number += 1;
            let (effects, after) = (entry.effects.clone(), entry.after.clone());
            let line = Line::from(entry);
            self.followed.follow(self.number, &line, (&effects, after), &mut ());
            let again =
                self.replay.take(self.number, &line).unwrap_or_else(|stop| panic!("{line}: {stop:?}"));
            assert_eq!(effects, again, "{line}");
        }
        assert_eq!(self.followed.report(), self.replay.report());
        assert_eq!(self.replay.table().board(), self.watch.table().board());
        assert_eq!(self.replay.table().turn(), self.watch.table().turn());
        for side in Color::ALL {
            let (live, again) =
                (self.watch.table().reading(side, self.now), self.replay.table().reading(side, self.now));
            assert_eq!(live, again, "{side}'s clock");
        }
    }

    fn enter(&mut self, fields: &str) {
        let text = format!("{{\"t\":{},{fields}}}", self.now.millis());
        // A line of another game cannot be parsed. It is skipped, because it would not test the watch.
        let Ok(line) = Line::parse(&text, &self.header) else { return };
        match &line.body {
            // The watch may refuse the input.
            Body::Acted(input) => drop(self.watch.enter(input, self.now)),
            Body::Evidence(Evidence::Sees(board)) => self.watch.sees(board, self.now),
            Body::Evidence(Evidence::Button(_)) => {}
        }
    }

    fn show(&mut self, board: &Board, whole: bool) {
        if whole {
            return self.watch.observe(&Observation::Whole(*board), self.now);
        }
        let seen = self.watch.seen().unwrap_or(Board::EMPTY);
        for square in seen.differences(board).collect::<Vec<_>>() {
            self.watch.observe(&Observation::Square(square, board[square]), self.now);
        }
    }

    fn does(&mut self, event: &Event) {
        match event {
            Event::Square(square, piece) => {
                let square = Square::from_index(usize::from(*square)).expect("below 64");
                let piece = piece.map(|(white, role)| Piece {
                    color: if white { Color::White } else { Color::Black },
                    role: Role::ALL[usize::from(role)],
                });
                self.watch.observe(&Observation::Square(square, piece), self.now);
            }
            Event::Legal(nth, whole) => {
                let probe: Probe = self.watch.table().probe();
                let candidates = probe.candidates();
                if let Some(chosen) = nth.checked_rem(candidates.len()).and_then(|nth| candidates.get(nth)) {
                    self.show(&chosen.after.clone(), *whole);
                }
            }
            Event::PutRight => self.show(&self.watch.table().physical(), true),
            Event::Press(white) => {
                let side = if *white { Color::White } else { Color::Black };
                self.watch.observe(&Observation::Press(side), self.now);
            }
            Event::Typed(nth) => self.enter(TYPED[*nth]),
            Event::LegalLine(nth) => {
                let legal = self.watch.table().legal();
                if let Some(line) = nth.checked_rem(legal.len()).and_then(|nth| legal.get(nth)) {
                    let text = tabiya_engine::record::actions::legal_line(line).to_string();
                    self.enter(text.trim_start_matches('{').trim_end_matches('}'));
                }
            }
            Event::Turned => {
                let board = self.watch.seen().unwrap_or(Board::EMPTY).rotated();
                self.watch.observe(&Observation::Whole(board), self.now);
            }
            Event::Wait => {}
        }
        self.keep();
    }

    /// Lets `span` ms pass, and stops at each deadline on the way. Panics after 200 deadlines: so many mean that time
    /// no longer advances.
    fn wait(&mut self, span: u64) {
        let until = self.now + Millis(span);
        let mut rounds = 0;
        while let Some(due) = self.watch.deadline().filter(|due| *due <= until) {
            self.now = self.now.max(due);
            self.watch.time(self.now);
            self.keep();
            rounds += 1;
            assert!(rounds < 200, "the deadline {due:?} does not pass");
        }
        self.now = until;
        self.watch.time(until);
        self.keep();
    }
}

fn header(choker: bool, event: bool, auto: bool) -> String {
    let (game, own) =
        if choker { ("choker", r#""stacks":{"A":100,"B":100},"small_blind":1,"#) } else { ("chess", "") };
    let (voice, press) = (if event { "event" } else { "casual" }, if auto { "auto" } else { "clock" });
    format!(
        r#"{{"tabiya":1,"game":"{game}","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{{own}"time":"20+1","voice":"{voice}","press":"{press}"}}}}"#
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn whatever_comes_in_what_is_written_replays_and_time_gets_on(
        (choker, voice, auto) in any::<(bool, bool, bool)>(),
        events in proptest::collection::vec((event(), prop_oneof![Just(0), 1..300_u64, 300..3_000_u64]), 1..60),
    ) {
        let mut run = Run::new(&header(choker, voice, auto));
        if choker {
            for line in ["deal", "bet white call", "bet black check", "deal", "bet black check", "bet white check",
                "deal", "bet white check", "bet black check"] {
                let words: Vec<&str> = line.split(' ').collect();
                run.enter(&match words.as_slice() {
                    [verb, by, action] => format!(r#""do":"{verb}","by":"{by}","action":"{action}""#),
                    _ => r#""do":"deal""#.to_owned(),
                });
            }
        }
        run.does(&Event::PutRight);
        run.does(&Event::Press(false));
        for (event, span) in &events {
            run.wait(*span);
            run.does(event);
        }
        run.watch.finish(run.now);
        run.now = run.now + Millis(350);
        run.keep();
    }
}
