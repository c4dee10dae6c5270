//! One input at its moment: who takes it.

use super::input::{Common, Input, Stamp};
use super::ruling::rule;
use super::state::{AppliedInput, MatchState};
use crate::rules::Violation;

/// Applies one input at its moment. The table itself handles `undo`, `redo` and `tick`. On `Err` nothing has changed.
pub(super) fn step(state: &mut MatchState, input: &Input, stamp: Stamp) -> Result<AppliedInput, Violation> {
    let applied = take(state, input, stamp)?;
    // If the input set a clock to zero, or started a clock without time left, the flag falls at this moment.
    state.advance(stamp.at);
    Ok(applied)
}

fn take(state: &mut MatchState, input: &Input, stamp: Stamp) -> Result<AppliedInput, Violation> {
    match input {
        Input::Game(action) => state.act(action, stamp),
        Input::Common(common) => match common {
            Common::Press(by) => state.press(*by, stamp.at),
            Common::Pause(_) => state.pause(stamp.at),
            Common::Resume(_) => state.resume(stamp.at),
            Common::Rule(ruling) => rule(state, ruling, stamp.at),
            Common::Next(changes) => state.next(changes, stamp.at),
            Common::EndMatch { .. } => state.end_match(stamp.at),
            Common::ClaimFlag(by) => state.claim_flag(*by, stamp.at),
            Common::Stands { by, piece, shown_by } => {
                state.in_play()?;
                state.standing.declare(*by, piece.role(), *shown_by);
                Ok(AppliedInput::acted())
            }
            Common::ClockReads(reads) => state.clock_reads(*reads, stamp.at),
            Common::Consent(by) => {
                let seat = state.seat_of(*by);
                state.consents[seat] = true;
                Ok(AppliedInput::acted())
            }
            Common::Signs(by) => state.sign(*by),
            Common::Undo { .. } | Common::Redo { .. } | Common::Tick => Ok(AppliedInput::default()),
        },
    }
}
