//! Guides people to the expected position, square by square. This happens before a game, after an undo, after a crash
//! and after a reconnection.

use tabiya_engine::rules::Action;
use tabiya_engine::table::{Common, Input};
use tabiya_types::{Board, Instant, Millis, Observation, Sentence, say};

use super::sight::BoardSight;

/// The time for which the position must stay unchanged before guidance is announced. People set up several pieces in a
/// row.
const UNCHANGED_FOR: Millis = Millis(800);

/// The time for which a position must be wrong before guidance starts by itself, in games without clock presses.
const WRONG_FOR: Millis = Millis(5_000);

/// The state of the guidance.
#[derive(Clone, Debug, Default)]
pub(super) struct Setup {
    /// The position that was seen last, and the time since which it is unchanged.
    picture: Option<(Board, Instant)>,
    /// Whether people are being guided.
    guiding: bool,
    /// The guidance that was announced last.
    announced: Option<Sentence>,
    /// The position that was on the board before the program was restarted, with White at the bottom. `None` as soon as
    /// the board has been seen again.
    left: Option<Board>,
    /// Whether the board was wrong before the game began, and how many presses came since that was announced.
    since_start: bool,
    presses: u32,
    /// The guidance in the last warning that people got when their input would have started or resumed play.
    insisted: Option<Sentence>,
}

impl Setup {
    /// Starts guiding people, until the position is right.
    pub(super) fn guide(&mut self) {
        (self.guiding, self.announced, self.presses) = (true, None, 0);
    }

    /// A new game begins: it has another start.
    pub(super) fn next_game(&mut self) {
        self.since_start = false;
    }

    /// Stores the position that was on the board before the restart, with White at the bottom.
    pub(super) fn left(&mut self, board: Option<Board>) {
        self.left = board;
    }

    /// Whether the board has to be read rotated by 180 degrees. After a restart, the orientation is chosen in which
    /// the position is closer to the position before the restart.
    pub(super) fn needs_turning(&mut self, observation: &Observation) -> bool {
        let Observation::Whole(board) = observation else { return false };
        self.left.take().is_some_and(|left| board.rotated().distance(&left) < board.distance(&left))
    }

    /// Notes the position that the board shows.
    pub(super) fn note_position(&mut self, seen: Option<Board>, at: Instant) {
        let Some(seen) = seen else { return };
        if self.picture.is_none_or(|(before, _)| before != seen) {
            self.picture = Some((seen, at));
        }
    }

    /// The time at which guidance may be announced next; `None` if no guidance is needed.
    pub(super) fn due(&self, sight: BoardSight<'_>) -> Option<Instant> {
        let (_, since) = self.picture.filter(|_| !sight.gone)?;
        if !self.guiding {
            return sight.has_misplaced_piece().then_some(since + WRONG_FOR);
        }
        let due = since + UNCHANGED_FOR;
        // While the game goes on from a wrong position, it is spoken about at the end of a turn.
        let goes_on = self.presses > 0 && sight.table().time_runs() && sight.guidance().is_some();
        (!goes_on
            && !sight.watch.press_waits()
            && (self.announced.is_none() || sight.guidance() != self.announced))
            .then_some(due)
    }

    /// Returns the guidance that is due. This is a sentence about what is wrong with the board, once for each
    /// position, and finally a sentence that the board is right.
    pub(super) fn tell(&mut self, now: Instant, sight: BoardSight<'_>) -> Option<Sentence> {
        if sight.watch.press_waits() || self.due(sight).is_none_or(|due| now < due) {
            return None;
        }
        if !self.guiding {
            self.guide();
        }
        if let Some(wrong) = sight.guidance() {
            self.since_start |= self.announced.is_none() && sight.table().clock().turn().is_none();
            self.announced = Some(wrong.clone());
            return Some(say!("set-up", "set the board up: {wrong}", wrong));
        }
        let announced =
            self.announced.is_some().then(|| say!("stands-right", "the board is set up correctly"));
        *self = Self { picture: self.picture, left: self.left, ..Self::default() };
        announced
    }

    /// The clock was started or a turn has ended. If the game goes on although what was announced is still wrong, this is said
    /// at the 1st, 2nd, 4th, 8th such press and so on: the arbiter has to decide, but not at every move.
    pub(super) fn pressed(&mut self, sight: BoardSight<'_>) -> Option<Sentence> {
        self.announced.as_ref()?;
        let Some(wrong) = sight.guidance() else {
            // It was put right in the meantime. What differs later is something else.
            (self.announced, self.presses, self.since_start) = (None, 0, false);
            return None;
        };
        self.presses += 1;
        self.presses.is_power_of_two().then(|| {
            if self.since_start {
                say!(
                    "wrong-from-start",
                    "the game began from a wrong position, and goes on: {wrong}; the arbiter decides (Laws 7.2.1, rapid and blitz A.5.1)",
                    wrong
                )
            } else {
                say!("wrong-goes-on", "the game goes on, but the board is wrong: {wrong}", wrong)
            }
        })
    }

    /// Returns a warning if one of these inputs starts or resumes play while the board is set up wrongly. A warning is
    /// given only once: if people enter the input again, it is accepted.
    pub(super) fn warning_before_play(
        &mut self,
        inputs: &[Input],
        sight: BoardSight<'_>,
    ) -> Option<Sentence> {
        let begins = |input: &Input| match input {
            Input::Common(Common::Resume(_)) => true,
            Input::Common(Common::Press(_)) => sight.table().clock().turn().is_none(),
            Input::Game(Action::Deal(_)) => !sight.table().begun(),
            Input::Game(Action::Own(own)) => own.begins_deal(),
            Input::Game(_) | Input::Common(_) => false,
        };
        if !inputs.iter().any(begins) {
            return None;
        }
        let wrong = sight.guidance()?;
        if self.insisted.as_ref() == Some(&wrong) {
            return None;
        }
        self.insisted = Some(wrong.clone());
        Some(say!(
            "not-yet",
            "the board is not ready: {wrong}; to go on anyway, enter the same input again",
            wrong
        ))
    }
}
