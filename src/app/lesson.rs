//! A first match of Choker for two people, step by step, with a simulated board.
//!
//! The lesson plays through a real session: what a step types is read as at any table, and what it does on the board is
//! observed, understood and recorded. Each stage of the game is explained once.

use tabiya_boards::BoardEvent;
use tabiya_engine::record::Header;
use tabiya_engine::rules::{Action, GAMES, Place, PlayAction, Uci};
use tabiya_engine::table::Input;
use tabiya_types::{Board, Card, Color, Fact, Instant, Millis, Observation, Piece, Sentence, Square, say};

use crate::session::Session;
use crate::words::{self, TypedOrder};

/// The terms of the lesson: a short match on an untimed table.
const HEADER: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":100,"B":100},"small_blind":1,"games":1,"time":"600"}}"#;
/// The time between two acts, so that the board rests between them.
const PACE: Millis = Millis(1_000);

/// One act of a step.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// Somebody types this line.
    Says(&'static str),
    /// A piece is put on the board.
    Puts(Card, &'static str),
    /// A piece is moved on the board.
    Moves(&'static str),
    /// The player whose turn it is presses the clock.
    Presses,
}

/// One step: a prompt, and what happens when it is answered.
struct Step {
    /// What is explained before the step, when a stage begins.
    explained: Option<fn() -> Sentence>,
    acts: &'static [Act],
}

const fn step(acts: &'static [Act]) -> Step {
    Step { explained: None, acts }
}

const fn stage(explained: fn() -> Sentence, acts: &'static [Act]) -> Step {
    Step { explained: Some(explained), acts }
}

use Act::{Moves, Presses, Puts, Says};
use Card::{Bishop, Knight, Queen, Rook};

const STEPS: [Step; 24] = [
    stage(
        || {
            say!(
                "learn-deal",
                "Choker is chess with pieces that you are dealt. 44 cards show queens, rooks, bishops, knights and pawns; nobody shows his hand before he places it. White pays a small blind, Black a big one. Black deals two cards each"
            )
        },
        &[Says("deal")],
    ),
    stage(
        || {
            say!(
                "learn-bet",
                "now you bet chips on your hand, as in poker: check, call, raise or fold. `raise 6` means 6 in all on this street"
            )
        },
        &[Says("raise 6")],
    ),
    step(&[Says("call")]),
    stage(
        || {
            say!(
                "learn-streets",
                "there are three streets: two cards, two cards, one card. Who folds loses the pot at once"
            )
        },
        &[Says("deal")],
    ),
    step(&[Says("check")]),
    step(&[Says("check")]),
    step(&[Says("deal")]),
    step(&[Says("raise 4")]),
    step(&[Says("call")]),
    stage(
        || {
            say!(
                "learn-place",
                "now the hands come onto the board. In turn, White first, each shows one card and places its piece: pawns on the ranks 2 to 4, others on the ranks 1 and 2; Black likewise from his side. A press ends the turn, and it is final"
            )
        },
        &[Says("Q"), Puts(Queen, "d1"), Presses],
    ),
    step(&[Says("R"), Puts(Rook, "a8"), Presses]),
    step(&[Says("N"), Puts(Knight, "g1"), Presses]),
    step(&[Says("N"), Puts(Knight, "b8"), Presses]),
    step(&[Says("B"), Puts(Bishop, "f1"), Presses]),
    step(&[Says("N"), Puts(Knight, "g8"), Presses]),
    step(&[Says("R"), Puts(Rook, "h1"), Presses]),
    step(&[Says("R"), Puts(Rook, "h8"), Presses]),
    stage(
        || {
            say!(
                "learn-change",
                "some hands change a piece. White has one of each kind: that is Palace, and the pawn becomes a queen. The player says so aloud"
            )
        },
        &[Says("P"), Says("Q d2 palace"), Puts(Queen, "d2"), Presses],
    ),
    step(&[Says("P"), Puts(Card::Pawn, "f7"), Presses]),
    stage(
        || {
            say!(
                "learn-chess",
                "all ten pieces stand: from here on it is chess, with the same clocks, and White moves first. Mate takes the pot"
            )
        },
        &[Moves("e2e4"), Presses],
    ),
    step(&[Moves("e7e5"), Presses]),
    stage(
        || say!("learn-undo", "a slip is taken back with `undo`; everything is in the record"),
        &[Moves("g1f3"), Presses],
    ),
    step(&[Says("undo")]),
    stage(
        || say!("learn-mate", "White sees that the queen on d8 is protected by the other one"),
        &[Moves("d2d8")],
    ),
];

/// A lesson in progress.
#[derive(Debug)]
pub struct Lesson {
    session: Session,
    /// The next step.
    step: usize,
    at: Instant,
    board: Board,
}

impl Lesson {
    /// The lesson after this many steps.
    ///
    /// # Panics
    /// Never: the header is a constant, and a test plays the lesson.
    pub fn after(steps: usize) -> Self {
        let header = Header::parse(HEADER, GAMES).expect("the header of the lesson is a header");
        let session = Session::new(header, None, None);
        let board = session.table().physical();
        let mut lesson = Self { session, step: 0, at: Instant::ZERO, board };
        lesson.observe(Observation::Whole(board));
        while lesson.step < steps && !lesson.over() {
            lesson.go_on();
        }
        lesson
    }

    /// How many steps are done.
    pub fn steps(&self) -> usize {
        self.step
    }

    /// Whether the lesson is over.
    pub fn over(&self) -> bool {
        self.step >= STEPS.len()
    }

    /// The session of the lesson's table.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// What people read before the next step: an explanation if a stage begins, and what happens next.
    pub fn prompt(&self) -> Vec<Sentence> {
        let Some(step) = STEPS.get(self.step) else {
            return vec![say!(
                "learn-over",
                "that was a match of Choker. `tabiya play` begins one with your own cards"
            )];
        };
        let what = Fact::all(self.told(step));
        let (number, count) = (self.step + 1, STEPS.len());
        let ask = say!("learn-step", "({number} of {count}) {what}: press Enter", number, count, what);
        step.explained.map(|explained| explained()).into_iter().chain([ask]).collect()
    }

    /// The acts of a step in words.
    fn told(&self, step: &Step) -> Vec<Sentence> {
        let table = self.session.table();
        let (mut told, mut announced) = (Vec::new(), false);
        for act in step.acts {
            let Some(by) = table.mover() else {
                told.extend(self.typed(act).iter().filter_map(|input| match input {
                    Input::Game(action) => Some(action.describe()),
                    Input::Common(_) => None,
                }));
                continue;
            };
            match act {
                Says(line) => match self.typed(act).first() {
                    Some(Input::Game(action)) => {
                        announced |= announces(action);
                        told.push(action.describe());
                    }
                    _ => told.push(say!("learn-types", "somebody types `{line}`", line = (*line).to_owned())),
                },
                Puts(card, at) => {
                    let place = Place::new(by, *card, square(at));
                    told.extend((!announced).then(|| Action::Place(place).describe()));
                }
                Moves(uci) => {
                    let uci = Uci::parse(uci).expect("the moves of the lesson are moves");
                    told.push(PlayAction::Move { by, uci, stands: None }.describe());
                }
                Presses => told.push(say!("learn-presses", "{by} presses the clock", by)),
            }
        }
        told
    }

    fn typed(&self, act: &Act) -> Vec<Input> {
        let Says(line) = act else { return Vec::new() };
        match words::read(line, self.session.table(), None, None, self.at) {
            Ok(TypedOrder::Do(inputs)) => inputs,
            Ok(_) | Err(_) => Vec::new(),
        }
    }

    /// Does the next step. Returns what the table says about it.
    pub fn go_on(&mut self) -> Vec<Sentence> {
        let Some(step) = STEPS.get(self.step) else { return Vec::new() };
        for act in step.acts {
            self.act(*act);
        }
        self.step += 1;
        self.session.take_said().into_iter().map(|said| said.text).collect()
    }

    fn act(&mut self, act: Act) {
        self.at = self.at + PACE;
        self.session.pass(self.at);
        let by = self.session.table().mover().unwrap_or(Color::White);
        match act {
            Says(_) => {
                for input in self.typed(&act) {
                    let entered = self.session.enter(&input, self.at);
                    debug_assert!(entered.is_ok(), "the lesson is legal: {entered:?}");
                }
                if matches!(act, Says("undo")) {
                    self.board = self.session.table().physical();
                    self.observe(Observation::Whole(self.board));
                }
            }
            Puts(card, at) => self.put(square(at), Some(Piece { color: by, role: card.role() })),
            Moves(uci) => {
                let uci = Uci::parse(uci).expect("the moves of the lesson are moves");
                let piece = self.board[uci.from];
                self.put(uci.from, None);
                self.put(uci.to, piece);
                self.at = self.at + PACE;
                self.session.pass(self.at);
            }
            Presses => self.observe(Observation::Press(by)),
        }
    }

    fn put(&mut self, at: Square, piece: Option<Piece>) {
        self.board[at] = piece;
        self.observe(Observation::Square(at, piece));
    }

    fn observe(&mut self, observation: Observation) {
        self.session.board(&BoardEvent::Observed(observation), self.at);
    }
}

fn square(text: &str) -> Square {
    text.parse().expect("the squares of the lesson are squares")
}

/// Whether this action is a placement with an announcement.
fn announces(action: &Action) -> bool {
    matches!(action, Action::Place(Place { says: Some(_), .. }))
}

#[cfg(test)]
mod tests {
    use tabiya_engine::rules::{Outcome, Reason};
    use tabiya_text::{Language, Words};

    use super::*;

    #[test]
    fn the_lesson_is_a_whole_match_in_few_prompts() {
        let mut lesson = Lesson::after(0);
        while !lesson.over() {
            lesson.go_on();
            assert!(
                lesson.session.guidance().is_none(),
                "step {}: {:?}",
                lesson.step,
                lesson.session.guidance()
            );
        }
        let table = lesson.session.table();
        assert_eq!(table.game().outcome(), Some(Outcome::won(Color::White, Reason::Checkmate)));
        assert!(table.match_over());
        assert_eq!((table.stacks().a.0, table.stacks().b.0), (110, 90));
    }

    #[test]
    fn every_stage_is_walked_in_three_languages_left_and_resumed_at_each() {
        for language in Language::ALL {
            let words = Words::of(language);
            let mut through = Lesson::after(0);
            for step in 0..STEPS.len() {
                let resumed = Lesson::after(step);
                let read =
                    |lesson: &Lesson| lesson.prompt().iter().map(|line| words.said(line)).collect::<Vec<_>>();
                assert_eq!(read(&resumed), read(&through), "step {step}");
                assert!(read(&through).iter().all(|line| !line.is_empty()));
                let board = |lesson: &Lesson| lesson.session.table().board();
                assert_eq!(board(&resumed), board(&through), "step {step}");
                through.go_on();
            }
        }
    }
}
