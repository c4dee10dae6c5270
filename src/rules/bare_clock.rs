//! The game kind `clock`: no game at all, only two players and a chess clock.
//!
//! Source: `docs/clock.md`, "Time controls": Black's first press starts White's clock. Every press by the side whose
//! clock runs ends a turn.

use std::sync::Arc;

use tabiya_types::{Board, Color, Sentence, say};

use super::action::Action;
use super::change::Change;
use super::datum::Group;
use super::fields::{Fields, FormError};
use super::game::Game;
use super::kind::{Agreed, GameKind, Preset, Start};
use super::offer::Offer;
use super::outcome::{Outcome, Reason};
use super::play::Play;
use super::sheet_line::SheetLine;
use super::term::TermSpec;
use super::turn::{Actor, Candidate, Context, Done, Phase, Turn};
use super::verb::Verb;
use super::violation::Violation;

/// The game kind `clock`.
#[derive(Debug)]
pub(super) struct BareClock;

impl GameKind for BareClock {
    fn name(&self) -> &'static str {
        "clock"
    }

    fn title(&self) -> Sentence {
        say!("game-name-clock", "Clock only")
    }

    fn terms(&self) -> &'static [TermSpec] {
        &[]
    }

    fn required_terms(&self) -> &'static [&'static str] {
        &[]
    }

    fn presets(&self) -> &'static [Preset] {
        &[Preset { name: "slow", terms: || Group::new().with("time", "900+10") }]
    }

    fn is_clock_only(&self) -> bool {
        true
    }

    fn agree(&self, _: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(NoTerms))
    }

    fn verbs(&self) -> &'static [Verb] {
        &[]
    }

    fn reads_position(&self, fen: &str) -> bool {
        Play::from_fen(fen, true, false).is_ok()
    }
}

#[derive(Debug)]
struct NoTerms;

impl Agreed for NoTerms {
    fn changed(&self, _: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(Self))
    }

    fn begin(&self, _: Start) -> Box<dyn Game> {
        Box::new(Timing { to_move: Color::White, outcome: None })
    }

    fn sheet(&self) -> Vec<SheetLine> {
        vec![say!("sheet-clock-alone", "a clock without a game").into()]
    }
}

/// The state of a match with only a clock: whose clock runs, and how it ended.
#[derive(Clone, Debug)]
struct Timing {
    to_move: Color,
    outcome: Option<Outcome>,
}

impl Game for Timing {
    fn boxed(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn apply(&mut self, action: &Action, _: Context) -> Result<Done, Violation> {
        let verb = action.word().to_owned();
        let what = say!("not-for-a-clock", "`{verb}` is not possible on a clock without a game", verb);
        Err(Violation::new("not-of-this-game", what, say!("not-for-a-clock-next", "press, pause or resume")))
    }

    fn end_turn(&mut self) {
        self.to_move = self.to_move.other();
    }

    fn turn(&self) -> Turn {
        match self.outcome {
            Some(_) => Turn::Untimed,
            // There is no board, so the program sees no moves. Every press counts as a move instead.
            None => Turn::Timed { by: self.to_move, acted: true, counts: true },
        }
    }

    fn to_act(&self) -> Actor {
        if self.outcome.is_some() { Actor::Nobody } else { Actor::Player(self.to_move) }
    }

    fn phase(&self) -> Phase {
        if self.outcome.is_some() { Phase::Over } else { Phase::Clock }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    fn flag_outcome(&self, fallen: Color) -> Outcome {
        Outcome::won(fallen.other(), Reason::Timeout)
    }

    fn continues_after_flag(&self) -> bool {
        true
    }
    fn presses_alone(&self) -> bool {
        true
    }

    fn has_board(&self) -> bool {
        false
    }

    fn change(&mut self, change: &Change) -> Result<(), Violation> {
        match change {
            Change::ToAct(color) => {
                self.to_move = *color;
                Ok(())
            }
            Change::Position(_) | Change::Stakes(_) | Change::Own(_) => {
                let what = say!("clock-alone", "a clock without a game has no board and no chips");
                Err(Violation::new(
                    "not-of-this-game",
                    what,
                    say!("clock-alone-next", "change the clocks only"),
                ))
            }
        }
    }

    fn board(&self) -> Board {
        Board::EMPTY
    }

    fn candidates(&self) -> Vec<Candidate> {
        Vec::new()
    }

    fn offers(&self) -> Vec<Offer> {
        Vec::new()
    }

    fn prompt(&self) -> Sentence {
        match self.outcome {
            Some(_) => say!("time-is-up", "time is up"),
            None => say!("clock-of", "{by}'s clock", by = self.to_move),
        }
    }
}
