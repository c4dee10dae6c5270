//! Announcements about recorded lines, about boards, and about a sleep of the computer.

use tabiya_boards::{BoardInfo, Declaration};
use tabiya_engine::record::{Body, Line};
use tabiya_engine::table::{Audience, Common, Effect, Input, Table, flag_fallen};
use tabiya_types::{Instant, Millis, Sentence, say};

use super::speech::Speech;
use crate::telling::{describe_input, describe_undo};

/// Returns the name of a board for messages, such as `DGT board 23946, version 3.10`.
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

/// Returns the announcement that a result piece (a special piece that stands for a win or a draw) was put on the board.
/// The piece does not end the game: people have to enter the result.
pub(super) fn tell_declaration(declaration: Declaration) -> Sentence {
    let result = match declaration {
        Declaration::Draw => say!("result-piece-draw", "draw"),
        Declaration::Wins(color) => say!("result-piece-wins", "{color} wins", color),
    };
    say!(
        "result-piece",
        "the board shows a result piece ({result}): enter this result if it is correct",
        result
    )
}

/// Announces what a recorded line did, and what effects it had.
pub(super) fn tell_line(line: &Line, effects: &[Effect], table: &Table, speech: &mut Speech) {
    let clock = Millis(line.moment().millis()).to_string();
    if let Body::Acted(input) = &line.body
        && let Some(told) = describe_input(input)
    {
        let taken = effects.iter().find_map(|effect| match (input, effect) {
            (Input::Common(Common::Undo { reason, .. }), Effect::TakenBack(taken)) => {
                Some(describe_undo(reason.as_deref(), taken))
            }
            _ => None,
        });
        let told = taken.unwrap_or(told);
        speech.say_to(table.audience_of(input), say!("told-at", "{clock}  {told}", clock, told));
    }
    for effect in effects {
        match effect {
            Effect::Note(note) => {
                speech.say_restricted(table, say!("told-note", "note: {note}", note = note.clone()));
            }
            Effect::Incident(color) => {
                let (by, other) = (*color, color.other());
                let told = say!("false-piece", "{by} placed a false piece: {other} gains time", by, other);
                speech.say_restricted(table, told);
            }
            Effect::FlagFell(color) => speech.say_restricted(table, flag_fallen(*color)),
            Effect::SetBack if table.game().has_board() => {
                speech.say(say!("set-back", "set the board back to the position shown"));
            }
            Effect::SetBack
            | Effect::TakenBack(_)
            | Effect::ActedAgain(_)
            | Effect::GameOver(_)
            | Effect::MatchOver
            | Effect::TurnEnded(_) => {}
        }
    }
    if effects.iter().any(|effect| matches!(effect, Effect::GameOver(_))) {
        speech.say(table.prompt());
    }
}

/// Announces that the computer slept for `span`. The arbiter is also informed whose clock was running. `before` is the
/// table before the sleep was noticed.
pub(super) fn tell_sleep(before: &Table, span: Millis, now: Instant, speech: &mut Speech) {
    let slept = span.to_string();
    speech.say(say!(
        "slept",
        "the computer slept for {slept}; the clocks did not run meanwhile and are paused: go on with `resume`",
        slept = slept.clone()
    ));
    if let Some(by) = before.clock().turn() {
        let charged = before.reading(by, now + span).unwrap_or(Millis::ZERO).to_string();
        speech.say_to(
            Audience::Arbiter,
            say!("slept-charge", "{by}'s clock was running when the computer fell asleep: to charge {slept} of sleep to that clock, set it to {charged}", by, slept, charged),
        );
    }
}
