//! Inputs and boards as people read them.

use super::speech::Speech;
use tabiya_boards::{BoardInfo, Declaration};
use tabiya_engine::record::{Body, Line};
use tabiya_engine::table::{Audience, Common, Effect, Input, Ruling, Table, flag_fallen};
use tabiya_types::{Color, Fact, Instant, Millis, Seat, Sentence, say};

/// `DGT board 23946, version 3.10`.
pub(super) fn board_name(info: &BoardInfo) -> String {
    let mut name = format!("{} board", info.maker.name);
    if let Some(serial) = &info.serial {
        name = format!("{name} {serial}");
    }
    if let Some(version) = &info.version {
        name = format!("{name}, version {version}");
    }
    name
}

/// An input as people read it; presses and ticks are seen on the clock.
pub(crate) fn tell_input(input: &Input) -> Option<Sentence> {
    Some(match input {
        Input::Game(action) => action.tell(),
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
            Common::Undo { reason: Some(reason), .. } => {
                say!("tell-undo-because", "taken back: {reason}", reason = reason.clone())
            }
            Common::Undo { reason: None, .. } => say!("tell-undo", "taken back"),
            Common::Redo { .. } => say!("tell-redo", "restored"),
            Common::Next(_) => say!("tell-next", "next game: colours swap"),
            Common::EndMatch { reason, .. } => {
                say!("tell-end-match", "the match ends: {reason}", reason = reason.clone())
            }
            Common::ClaimFlag(by) => say!("tell-claim-flag", "flag claimed by {by}", by = by.sentence()),
            Common::Stands { by, piece, shown_by } => {
                let (by, piece, shown_by) = (*by, *piece, *shown_by);
                say!("tell-stands", "{by}'s next {piece} is shown by a {shown_by}", by, piece, shown_by)
            }
            Common::Consent(by) => {
                say!("tell-consent", "{by} agrees that the cards may be shown", by = *by)
            }
        },
    })
}

/// What a ruling sets, a sentence each.
fn ruled(ruling: &Ruling) -> Vec<Sentence> {
    let mut what = Vec::new();
    for by in Color::ALL {
        if let Some(left) = ruling.clock_ms[by] {
            what.push(say!("ruled-clock", "{by}'s clock {left}", by, left = Millis(left).to_string()));
        }
        if let Some(periods) = ruling.periods[by] {
            what.push(say!("ruled-periods", "periods of {by}: {periods}", by, periods));
        }
        if let Some(moves) = ruling.moves[by] {
            what.push(say!("ruled-moves", "moves of {by}: {moves}", by, moves));
        }
    }
    for seat in Seat::ALL {
        if let Some(chips) = ruling.stacks[seat] {
            what.push(say!("ruled-stack", "{seat} has {chips}", seat, chips));
        }
        if let Some(chips) = ruling.contributed[seat] {
            what.push(say!("ruled-pot", "{seat} has put in {chips}", seat, chips));
        }
    }
    if let Some(fen) = &ruling.fen {
        what.push(say!("ruled-position", "position {fen}", fen = fen.clone()));
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

/// A result piece on the board: it asks for a result, and decides nothing.
pub(super) fn tell_declaration(declaration: Declaration) -> Sentence {
    let result = match declaration {
        Declaration::Draw => say!("result-piece-draw", "Draw"),
        Declaration::Wins(color) => say!("result-piece-wins", "Wins({color})", color),
    };
    say!("result-piece", "the board shows a result piece ({result}): enter the result if it is meant", result)
}

/// Says what a line did, and what followed from it.
pub(super) fn tell_line(line: &Line, effects: &[Effect], table: &Table, speech: &mut Speech) {
    let clock = Millis(line.moment().millis()).to_string();
    if let Body::Acted(input) = &line.body
        && let Some(told) = tell_input(input)
    {
        speech.say_to(table.audience_of(input), say!("told-at", "{clock}  {told}", clock, told));
    }
    for effect in effects {
        match effect {
            Effect::Note(note) => speech.claim(table, say!("told-note", "note: {note}", note = note.clone())),
            Effect::Incident(color) => {
                let (by, other) = (*color, color.other());
                let told = say!("false-piece", "a false piece by {by}: {other} gains time", by, other);
                speech.claim(table, told);
            }
            Effect::FlagFell(color) => speech.claim(table, flag_fallen(*color)),
            Effect::SetBack if table.game().has_board() => {
                speech.say(say!("set-back", "set the board back to the position shown"));
            }
            Effect::SetBack | Effect::GameOver(_) | Effect::MatchOver | Effect::TurnEnded(_) => {}
        }
    }
    if effects.iter().any(|effect| matches!(effect, Effect::GameOver(_))) {
        speech.say(table.prompt());
    }
}

/// Says that the computer slept for so long until `now`, and what the clocks were `before` it was noticed.
pub(super) fn tell_sleep(before: &Table, span: Millis, now: Instant, speech: &mut Speech) {
    let slept = span.to_string();
    speech.say(say!(
        "slept",
        "the computer slept for {slept}; the clocks stand as before it and are paused: go on with `resume`",
        slept = slept.clone()
    ));
    if let Some(by) = before.clock().turn() {
        let charged = before.reading(by, now + span).unwrap_or(Millis::ZERO).to_string();
        speech.say_to(
            Audience::Arbiter,
            say!("slept-charge", "{by}'s clock ran when the computer fell asleep: if the {slept} shall count, set it to {charged}", by, slept, charged),
        );
    }
}
