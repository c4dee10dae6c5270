//! Setting the board right, square by square: before a game, after an undo, a crash or a reconnection.

use tabiya_engine::rules::Action;
use tabiya_engine::table::{Common, Input};
use tabiya_types::{Board, Instant, Millis, Observation, Sentence, say};

use super::sight::BoardSight;

/// How long the picture must stand still before it is spoken about: hands set up several pieces in a row.
const CALM: Millis = Millis(800);

/// What stands wrong for so long is spoken about without a press, in games that have none.
const LONG_WRONG: Millis = Millis(5_000);

/// How far the setting up has come.
#[derive(Clone, Debug, Default)]
pub(super) struct Setup {
    /// The picture seen last, and since when.
    picture: Option<(Board, Instant)>,
    /// Whether people are being guided.
    guiding: bool,
    /// What was told last.
    told: Option<Sentence>,
    /// How the board was left when the table stopped, White below, until it is seen again.
    left: Option<Board>,
    /// What was wrong when people were asked to wait.
    insisted: Option<Sentence>,
}

impl Setup {
    /// From now on people are told what is wrong, until it is right.
    pub(super) fn guide(&mut self) {
        (self.guiding, self.told) = (true, None);
    }

    /// After a start from a record: so the board was left, White below.
    pub(super) fn left(&mut self, board: Option<Board>) {
        self.left = board;
    }

    /// Whether the board is to be turned: after a start from a record it stands the way round that is closest to how it
    /// was left.
    pub(super) fn turns(&mut self, observation: &Observation) -> bool {
        let Observation::Whole(board) = observation else { return false };
        self.left.take().is_some_and(|left| board.turned().distance(&left) < board.distance(&left))
    }

    /// The board was looked at.
    pub(super) fn look(&mut self, seen: Option<Board>, at: Instant) {
        let Some(seen) = seen else { return };
        if self.picture.is_none_or(|(before, _)| before != seen) {
            self.picture = Some((seen, at));
        }
    }

    /// When there may be something to say about the board.
    pub(super) fn due(&self, sight: BoardSight<'_>) -> Option<Instant> {
        let (_, since) = self.picture?;
        if !self.guiding {
            return sight.stands_wrong().then_some(since + LONG_WRONG);
        }
        let due = since + CALM;
        (!sight.watch.press_waits() && (self.told.is_none() || sight.guidance() != self.told)).then_some(due)
    }

    /// What is wrong with the board, once a picture, and that it is right.
    pub(super) fn tell(&mut self, now: Instant, sight: BoardSight<'_>) -> Option<Sentence> {
        if sight.watch.press_waits() || self.due(sight).is_none_or(|due| now < due) {
            return None;
        }
        if !self.guiding {
            self.guide();
        }
        if let Some(wrong) = sight.guidance() {
            self.told = Some(wrong.clone());
            return Some(say!("set-up", "set the board up: {wrong}", wrong));
        }
        let told = self.told.is_some().then(|| say!("stands-right", "the board stands right"));
        *self = Self { picture: self.picture, left: self.left, ..Self::default() };
        told
    }

    /// Whether these typed inputs should wait until the board stands right: what begins or goes on with
    /// play, as a sentence that says so. It is said once; entered again, it is taken all the same.
    pub(super) fn hold(&mut self, inputs: &[Input], sight: BoardSight<'_>) -> Option<Sentence> {
        let begins = |input: &Input| match input {
            Input::Common(Common::Resume(_)) => true,
            Input::Common(Common::Press(_)) => sight.table().clock().turn().is_none(),
            Input::Game(Action::Deal(_)) => !sight.table().begun(),
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
        Some(say!("not-yet", "not yet: {wrong}; or enter it once more to go on all the same", wrong))
    }
}
