//! Setting the board right, square by square: before a game, after an undo, a crash or a reconnection.

use super::Session;
use tabiya_engine::rules::Action;
use tabiya_engine::table::{Common, Input, PressMode};
use tabiya_types::{Board, Instant, Millis, Observation, Sentence, say};

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
    /// What was wrong when people were asked to wait.
    insisted: Option<Sentence>,
}

impl Setup {
    /// From now on people are told what is wrong, until it is right.
    pub(super) fn guide(&mut self) {
        (self.guiding, self.told) = (true, None);
    }
}

impl Session {
    /// After a start from a record: the board stands the way round that is closest to how it was left.
    pub(super) fn turn_as_left(&mut self, observation: &Observation) {
        if let Observation::Whole(board) = observation
            && let Some(left) = self.left.take()
            && board.turned().distance(&left) < board.distance(&left)
        {
            self.watch.turn_board();
        }
    }

    /// The board was looked at.
    pub(super) fn look(&mut self, at: Instant) {
        let Some(seen) = self.watch.seen() else { return };
        if self.setup.picture.is_none_or(|(before, _)| before != seen) {
            self.setup.picture = Some((seen, at));
        }
    }

    /// When there may be something to say about the board.
    pub(super) fn setup_due(&self) -> Option<Instant> {
        let (_, since) = self.setup.picture?;
        if !self.setup.guiding {
            return self.stands_wrong().then_some(since + LONG_WRONG);
        }
        let due = since + CALM;
        (!self.watch.press_waits() && (self.setup.told.is_none() || self.guidance() != self.setup.told))
            .then_some(due)
    }

    /// Says what is wrong with the board, once a picture, and when it is right.
    pub(super) fn guide_setup(&mut self, now: Instant) {
        if self.watch.press_waits() || self.setup_due().is_none_or(|due| now < due) {
            return;
        }
        if !self.setup.guiding {
            self.setup.guide();
        }
        if let Some(wrong) = self.guidance() {
            self.setup.told = Some(wrong.clone());
            self.say(say!("set-up", "set the board up: {wrong}", wrong));
            return;
        }
        if self.setup.told.is_some() {
            self.say(say!("stands-right", "the board stands right"));
        }
        self.setup = Setup { picture: self.setup.picture, ..Setup::default() };
    }

    /// Whether these typed inputs should wait until the board stands right: what begins or goes on with
    /// play, as a sentence that says so. It is said once; entered again, it is taken all the same.
    pub fn hold(&mut self, inputs: &[Input]) -> Option<Sentence> {
        let begins = |input: &Input| match input {
            Input::Common(Common::Resume(_)) => true,
            Input::Common(Common::Press(_)) => self.table().clock().turn().is_none(),
            Input::Game(Action::Deal(_)) => !self.table().begun(),
            Input::Game(_) => false,
            Input::Common(_) => false,
        };
        if !inputs.iter().any(begins) {
            return None;
        }
        let wrong = self.guidance()?;
        if self.setup.insisted.as_ref() == Some(&wrong) {
            return None;
        }
        self.setup.insisted = Some(wrong.clone());
        Some(say!("not-yet", "not yet: {wrong}; or enter it once more to go on all the same", wrong))
    }

    /// Whether, where no press tells that somebody believes he has moved, something stands on the board that should
    /// not stand there. A piece that is missing may be in a hand.
    fn stands_wrong(&self) -> bool {
        let surplus = || {
            let trouble = self.watch.trouble();
            trouble.is_some_and(|trouble| trouble.squares.iter().any(|(_, seen, _)| seen.is_some()))
        };
        self.table().terms().press == PressMode::Auto && surplus() && self.guidance().is_some()
    }

    /// What has to be put right on the board; nothing if it stands as expected, is not seen, or shows
    /// what could be played next.
    pub fn guidance(&self) -> Option<Sentence> {
        if !self.table().game().has_board() {
            return None;
        }
        let trouble = self.watch.trouble().filter(|_| !self.board_gone)?;
        let seen = self.watch.seen()?;
        let playing = self.table().mover().is_some();
        let could = playing && self.table().probe().candidates().iter().any(|next| next.after == seen);
        (!could && !self.watch.press_waits() && !self.table().match_over()).then(|| trouble.sentence())
    }
}
