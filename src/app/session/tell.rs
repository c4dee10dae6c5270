//! Inputs and boards as people read them.

use crate::devices::BoardInfo;
use crate::record::{Body, Header, Line};
use crate::rules::Color;
use crate::table::{Common, Input};

/// `DGT board 23946, version 3.10`.
pub(super) fn board_name(info: &BoardInfo) -> String {
    let mut name = format!("{} board", info.maker.entry().name);
    if let Some(serial) = &info.serial {
        name = format!("{name} {serial}");
    }
    if let Some(version) = &info.version {
        name = format!("{name}, version {version}");
    }
    name
}

/// The game's own inputs of these words by a player.
pub(super) fn words_of(verbs: &[&str], by: Color, header: &Header) -> Vec<Input> {
    verbs
        .iter()
        .filter_map(|verb| {
            let text = format!("{{\"t\":0,\"do\":\"{verb}\",\"by\":\"{}\"}}", by.word());
            match Line::parse(&text, header).ok()?.body {
                Body::Acted(input) => Some(input),
                Body::Evidence(_) => None,
            }
        })
        .collect()
}

/// An input as people read it; presses and ticks are seen on the clock.
pub(in crate::app) fn tell_input(input: &Input) -> Option<String> {
    Some(match input {
        Input::Game(action) => action.tell(),
        Input::Common(common) => match common {
            Common::Press(_) | Common::Tick | Common::ClockReads(_) => return None,
            Common::Pause(by) => format!("paused by {}", by.word()),
            Common::Resume(by) => format!("resumed by {}", by.word()),
            Common::Rule(ruling) => format!("the arbiter rules: {}", ruling.reason),
            Common::Undo { .. } => "taken back".to_owned(),
            Common::Redo { .. } => "restored".to_owned(),
            Common::Next(_) => "next game: colours swap".to_owned(),
            Common::EndMatch { reason, .. } => format!("the match ends: {reason}"),
            Common::ClaimFlag(by) => format!("flag claimed by {}", by.word()),
            Common::Stands { by, piece, shown_by } => format!("{by}'s next {piece} is shown by a {shown_by}"),
            Common::Consent(by) => format!("{by} agrees that the cards may be shown"),
        },
    })
}
