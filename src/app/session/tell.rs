//! Announcements about recorded lines, about boards, and about a sleep of the computer.

use std::borrow::Cow;

use tabiya_boards::{BoardInfo, Declaration};
use tabiya_engine::record::Body;
use tabiya_engine::rules::Action;
use tabiya_engine::table::{Audience, Common, Effect, Input, Table, joined, log_of};
use tabiya_types::{Instant, Millis, Sentence, say};

use crate::sleep::Absence;

use super::ledger::PendingLines;
use super::speech::Speech;
use crate::seating::ORDER;

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

/// What a correction has to be carried out on, besides the screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apparatus {
    /// Whether a board is connected.
    pub(super) board: bool,
    /// Whether a physical clock is pressed.
    pub(super) levers: bool,
}

/// Announces what newly recorded lines did. `before` is the table before the first of them.
pub(super) fn tell_lines(lines: &PendingLines, before: &Table, beside: Apparatus, speech: &mut Speech) {
    let mut table = before;
    let (mut entries, mut set_back, mut pressed) = (Vec::new(), false, false);
    for (line, effects, after) in lines.iter() {
        if let Body::Acted(input) = &line.body {
            let input = if line.extension(ORDER).is_some() {
                Cow::Owned(without_reason(input))
            } else {
                Cow::Borrowed(input)
            };
            entries.extend(log_of(table, &input, line.moment(), effects, after));
            let stood = || table.physical() != after.physical();
            set_back |=
                beside.board && effects.contains(&Effect::SetBack) && after.game().has_board() && stood();
            pressed |= effects.iter().any(takes_a_press_back);
        }
        table = after;
    }
    // A press that joins no action is shown by the clocks anyway.
    for entry in joined(entries).into_iter().filter(|entry| !entry.is_press()) {
        let clock = Millis(entry.at.millis()).to_string();
        let at = |told: Sentence| say!("told-at", "{clock}  {told}", clock = clock.clone(), told);
        speech.say_beside_moves(entry.to, at(entry.aloud), at(entry.beside));
    }
    if lines.ends_game() {
        speech.result();
    }
    if set_back {
        speech.say(if pressed && beside.levers {
            say!("set-back-and-push", "set the board back to the position shown, and push the clock back")
        } else {
            say!("set-back", "set the board back to the position shown")
        });
    }
}

/// What an arbiter of an event has ordered, as the players are told of it: that he acted, and what, but not why.
fn without_reason(input: &Input) -> Input {
    let mut input = input.clone();
    match &mut input {
        Input::Common(Common::Rule(ruling)) => ruling.reason.clear(),
        Input::Common(Common::Undo { reason, .. }) => *reason = None,
        Input::Common(Common::EndMatch { reason, .. }) | Input::Game(Action::Fouled { reason, .. }) => {
            reason.clear();
        }
        Input::Common(_) | Input::Game(_) => {}
    }
    input
}

/// Whether an effect takes back a press, so that the lever of a physical clock is still down.
fn takes_a_press_back(effect: &Effect) -> bool {
    let is_press = |input: &Input| matches!(input, Input::Common(Common::Press(_)));
    matches!(effect, Effect::TakenBack(taken) if taken.iter().any(is_press))
}

/// Announces that the program did nothing for `span`. The arbiter is also informed whose clock was running. `before` is
/// the table before that was noticed.
pub(super) fn tell_absence(
    absence: Absence,
    before: &Table,
    span: Millis,
    now: Instant,
    speech: &mut Speech,
) {
    let long = span.to_string();
    speech.say(match absence {
        Absence::Slept => say!(
            "slept",
            "the computer slept for {slept}; the clocks did not run meanwhile and are paused: go on with `resume`",
            slept = long.clone()
        ),
        Absence::Stopped => say!(
            "stopped",
            "Tabiya was stopped for {long}; the clocks did not run meanwhile and are paused: go on with `resume`",
            long = long.clone()
        ),
    });
    if let Some(by) = before.clock().turn() {
        let charged = before.reading(by, now + span).unwrap_or(Millis::ZERO).to_string();
        let charge = match absence {
            Absence::Slept => {
                say!(
                    "slept-charge",
                    "{by}'s clock was running when the computer fell asleep: to charge {slept} of sleep to that clock, set it to {charged}",
                    by,
                    slept = long,
                    charged
                )
            }
            Absence::Stopped => {
                say!(
                    "stopped-charge",
                    "{by}'s clock was running when Tabiya was stopped: to charge {long} to that clock, set it to {charged}",
                    by,
                    long,
                    charged
                )
            }
        };
        speech.say_to(Audience::Arbiter, charge);
    }
}
