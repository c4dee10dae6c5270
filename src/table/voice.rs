//! What is said, and to whom: three voices (design, "Three voices").
//!
//! The audience is decided here, not on a screen. Everything follows from public information.

use super::{Input, Table, Voice};
use crate::rules::{Actor, Color, Turn};

/// Who may hear something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// The players, and so everybody at the table.
    Players,
    /// The arbiter alone.
    Arbiter,
}

/// One thing to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prompt {
    /// Who may hear it.
    pub to: Audience,
    /// One sentence, without a full stop.
    pub text: String,
}

impl Table {
    /// What comes next, for everybody at the table, in one sentence.
    pub fn prompt(&self) -> String {
        if self.match_over() {
            return self.match_result();
        }
        if self.clock().paused() {
            return "paused: go on with `resume`".to_owned();
        }
        if let Some(outcome) = self.game().outcome() {
            let next =
                if self.game().counts() { "next game: `next`" } else { "deal again with the same colours" };
            return match outcome.winner {
                Some(winner) => {
                    format!("{} wins by {}; {next}", self.name_of(winner), plain(outcome.reason.word()))
                }
                None if self.game().counts() => format!("drawn by {}; {next}", plain(outcome.reason.word())),
                None => format!("no result: {}; {next}", plain(outcome.reason.word())),
            };
        }
        let waits = matches!(self.turn(), Turn::Timed { .. }) && self.clock().turn().is_none();
        match self.to_act() {
            Actor::Player(color) if waits && self.clock().timed(color) => {
                format!("{} ({} starts the clock by a press)", self.game().prompt(), color.other())
            }
            Actor::Player(_) | Actor::Dealer | Actor::Nobody => self.game().prompt(),
        }
    }

    /// Who hears what the Laws keep from players: claims, late flags, what is false or fits nothing.
    pub fn audience_of_faults(&self) -> Audience {
        match self.terms().voice {
            Voice::Casual => Audience::Players,
            Voice::Event => Audience::Arbiter,
        }
    }

    /// Who hears that this was entered: what puts a fault right would tell players of the fault.
    pub fn audience_of(&self, input: &Input) -> Audience {
        match input {
            Input::Game(action) if action.mends_a_fault() => self.audience_of_faults(),
            Input::Game(_) | Input::Common(_) => Audience::Players,
        }
    }

    fn match_result(&self) -> String {
        let stacks = self.stacks();
        let players = &self.agreement().players;
        if self.phase() == "match-over" {
            format!("the match is over: {} {}, {} {}", players.a, stacks.a, players.b, stacks.b)
        } else {
            "the match is over".to_owned()
        }
    }

    /// All that is to be said now, each with its audience.
    pub fn prompts(&self) -> Vec<Prompt> {
        let mut prompts = vec![Prompt { to: Audience::Players, text: self.prompt() }];
        // At events claims are the players' own business (FIDE 9.2, 9.3): the arbiter alone is told.
        let claims = self.audience_of_faults();
        let legal = self.legal();
        if legal.iter().any(|legal| legal.verb == "claim-draw") {
            prompts.push(Prompt { to: claims, text: "a draw can be claimed".to_owned() });
        }
        if let Some(side) = self.clock().flag().filter(|_| self.game().outcome().is_none()) {
            prompts.push(Prompt { to: claims, text: format!("{side}'s flag has fallen") });
        }
        for color in Color::ALL {
            if let Some(pieces) = self.game().still_to_come(color) {
                prompts.push(Prompt {
                    to: Audience::Players,
                    text: format!("{color} can still show a {pieces}"),
                });
            }
        }
        prompts
    }
}

/// `seventy-five-moves` as people read it.
fn plain(word: &str) -> String {
    word.replace('-', " ")
}
