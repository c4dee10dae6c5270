//! Inputs as people read them, in the log of a running table and in its record.

use tabiya_engine::table::{Common, Input, Ruling};
use tabiya_types::{Color, Fact, Millis, Seat, Sentence, say};

/// The sentence that describes an input; `None` for presses, ticks and clock readings, which the clocks show anyway.
pub(crate) fn describe_input(input: &Input) -> Option<Sentence> {
    Some(match input {
        Input::Game(action) => action.describe(),
        Input::Common(common) => match common {
            Common::Press(_) | Common::Tick | Common::ClockReads(_) => return None,
            Common::Pause(by) => say!("tell-pause", "paused by {by}", by = by.sentence()),
            Common::Resume(by) => say!("tell-resume", "resumed by {by}", by = by.sentence()),
            Common::Rule(ruling) => {
                let (what, reason) = (ruled(ruling), ruling.reason.clone());
                if what.is_empty() {
                    say!("tell-rule", "the arbiter rules: {reason}", reason)
                } else {
                    let what = Fact::list(what);
                    say!("tell-rule-what", "the arbiter rules: {reason} ({what})", reason, what)
                }
            }
            Common::Undo { reason, .. } => describe_undo(reason.as_deref(), &[]),
            Common::Redo { .. } => say!("tell-redo", "restored"),
            Common::Next(_) => say!("tell-next", "next game: colours swap"),
            Common::EndMatch { reason, .. } => {
                say!("tell-end-match", "the match ends: {reason}", reason = reason.clone())
            }
            Common::ClaimFlag(by) => say!("tell-claim-flag", "flag claimed by {by}", by = by.sentence()),
            Common::Stands { by, piece, shown_by } => {
                let (by, piece, shown_by) = (*by, *piece, *shown_by);
                say!("tell-stands", "{by}'s next {piece} is represented by a {shown_by}", by, piece, shown_by)
            }
            Common::Consent(by) => {
                say!("tell-consent", "{by} agrees that the cards may be shown", by = *by)
            }
        },
    })
}

/// The sentence for an undo that has taken back these inputs.
pub(crate) fn describe_undo(reason: Option<&str>, taken: &[Input]) -> Sentence {
    let what: Vec<Sentence> = taken.iter().filter_map(describe_input).collect();
    match (what.is_empty(), reason) {
        (true, None) => say!("tell-undo", "taken back"),
        (true, Some(reason)) => say!("tell-undo-because", "taken back: {reason}", reason = reason.to_owned()),
        (false, None) => say!("tell-undo-what", "taken back: {what}", what = Fact::all(what)),
        (false, Some(reason)) => {
            let (what, reason) = (Fact::all(what), reason.to_owned());
            say!("tell-undo-what-because", "taken back: {what} ({reason})", what, reason)
        }
    }
}

/// One sentence for each value that a ruling sets, such as a clock reading, a stack or the position.
fn ruled(ruling: &Ruling) -> Vec<Sentence> {
    let mut what = Vec::new();
    for by in Color::ALL {
        if let Some(left) = ruling.clock_ms[by] {
            what.push(say!("ruled-clock", "{by}'s clock: {left}", by, left = Millis(left).to_string()));
        }
        if let Some(periods) = ruling.periods[by] {
            what.push(say!("ruled-periods", "{by}'s periods left: {periods}", by, periods));
        }
        if let Some(moves) = ruling.moves[by] {
            what.push(say!("ruled-moves", "{by}'s moves made: {moves}", by, moves));
        }
    }
    for seat in Seat::ALL {
        if let Some(chips) = ruling.stacks[seat] {
            what.push(say!("ruled-stack", "{seat} has a stack of {chips}", seat, chips));
        }
        if let Some(chips) = ruling.contributed[seat] {
            what.push(say!("ruled-pot", "{seat} has put {chips} into the pot", seat, chips));
        }
    }
    if let Some(fen) = &ruling.fen {
        what.push(say!("ruled-position", "the position is {fen}", fen = fen.clone()));
    }
    if let Some(by) = ruling.to_act {
        what.push(say!("ruled-turn", "{by} is to act", by));
    }
    match ruling.winner {
        Some(Some(seat)) => what.push(say!("ruled-winner", "{seat} wins", seat)),
        Some(None) => what.push(say!("ruled-draw", "nobody wins")),
        None => {}
    }
    what
}
