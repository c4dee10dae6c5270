//! The table: a state machine over the rules of a game and the clock. It makes all decisions and never waits.
//!
//! A table is a fold over a record: [`Table::apply`] takes one input with its moment, changes the state and
//! returns effects. It does no IO, reads no time and draws no random numbers.
//!
//! A table is cheap to copy, because all copies share the history (`history.rs`). Undo returns to an earlier point of
//! that history and computes the state from the nearest stored state, so it applies only a few inputs again and not
//! the whole match. Redo restores the history that the undo replaced (`docs/record.md`, "Taking back").

mod adjourned;
mod agreement;
mod course;
mod effect;
mod entry;
mod finish;
mod given;
mod grave;
mod guide;
mod history;
mod input;
mod leaving;
mod log;
mod pace;
mod past;
mod probe;
mod results;
mod ruling;
mod standing;
mod state;
mod step;
mod takeback;
mod value;
mod voice;

pub(crate) use adjourned::told as told_adjournment;
pub use adjourned::{resumed, sealed_reason};
pub use agreement::{Agreement, ClockSource, PressMode, Terms, TimeTerm, Voice};
pub use effect::Effect;
pub use entry::{Entry, Note};
pub use finish::FinishClaim;
pub use grave::{
    LastAction, QuestionBefore, last_actions, question_about, question_before, question_before_undo,
    undos_that_count,
};
pub use guide::{Correction, Question, Trouble};
pub use input::{Author, Body, Common, Evidence, Input, LegalInput, RuledResult, Ruling, Stamp, UndoWhat};
pub use log::{LogLine, describe_ruling, joined, log_of, opening};
pub use pace::control_in_words;
pub use past::{PastGame, PastGames, PlayedGame};
pub use probe::Probe;
pub use results::{GameResult, MatchResults, points_in_words};
pub use standing::BoardPair;
pub use state::BetClock;
pub use value::Table;
pub use voice::{Audience, Matter, Prompt, flag_fallen};
