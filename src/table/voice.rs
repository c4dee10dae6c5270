//! The prompts of the table and their audience.
//!
//! The table decides who may read a sentence; a screen does not. All sentences use public information only.

use tabiya_types::{Color, Fact, Sentence, say};

use super::agreement::Voice;
use super::input::Input;
use super::state::match_over;
use super::value::Table;
use crate::rules::{Actor, Articles, Decision, Outcome, Phase, Reason, Turn, Verb};

/// The people who may read a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// The players. What they may read, everybody at the table may read.
    Players,
    /// Only the arbiter.
    Arbiter,
}

impl Audience {
    /// Whether players may read it: what only the arbiter may know stays with him until the match is over.
    pub fn open_to_players(self, match_over: bool) -> bool {
        match_over || self == Self::Players
    }
}

/// A sentence with its audience.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prompt {
    /// The people who may read the sentence.
    pub to: Audience,
    /// The sentence.
    pub text: Sentence,
    /// What the arbiter looks after; `None` if it only says what comes next.
    pub matter: Option<Matter>,
}

/// A matter for the arbiter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matter {
    /// A draw can be claimed: a third occurrence of the position, or fifty moves.
    Claimable,
    /// This side's flag has fallen. It counts from when the arbiter sees it, or a player claims it.
    Flag(Color),
}

impl Matter {
    /// The articles of the Laws of Chess that rule on it.
    pub fn articles(self) -> Articles {
        match self {
            Self::Claimable => Articles::DrawClaimed,
            Self::Flag(_) => Articles::Flag,
        }
    }
}

impl Prompt {
    fn to_players(text: Sentence) -> Self {
        Self { to: Audience::Players, text, matter: None }
    }
}

impl Table {
    /// One sentence for everybody at the table about what has to be done next.
    pub fn prompt(&self) -> Sentence {
        if self.match_over() {
            return match_result(self);
        }
        if self.clock().paused() {
            return say!("paused-prompt", "paused: go on with `resume`");
        }
        if let Some(outcome) = self.game().outcome() {
            return game_result(self, outcome);
        }
        let waits = matches!(self.turn(), Turn::Timed { .. }) && self.clock().turn().is_none();
        let prompt = self.game().prompt();
        match self.to_act() {
            Actor::Player(color) if waits && self.clock().timed(color) => {
                let other = color.other();
                let press = say!("press-to-start", "{other}: press to start the clock", other);
                say!("start-the-clock", "{prompt} ({press})", prompt, press)
            }
            Actor::Player(_) | Actor::Dealer | Actor::Nobody => prompt,
        }
    }

    /// The audience for facts that the players must notice without help according to FIDE's Laws of Chess: possible
    /// claims, fallen flags, wrong pieces, and a board that fits no legal action. With the terms of an event, only the
    /// arbiter reads such facts.
    pub fn audience_of_faults(&self) -> Audience {
        match self.terms().voice {
            Voice::Casual => Audience::Players,
            Voice::Event => Audience::Arbiter,
        }
    }

    /// The audience for the sentence that announces this input. At an event only the arbiter may read that a
    /// correction was entered, because the sentence would reveal the mistake.
    pub fn audience_of(&self, input: &Input) -> Audience {
        match input {
            Input::Game(action) if action.is_correction() => self.audience_of_faults(),
            Input::Game(_) | Input::Common(_) => Audience::Players,
        }
    }

    /// All sentences that the table shows now, each with its audience.
    pub fn prompts(&self) -> Vec<Prompt> {
        let mut prompts = vec![Prompt::to_players(self.prompt())];
        // At events the players must notice without help that a draw can be claimed (FIDE 9.2, 9.3). So only the
        // arbiter is informed.
        let claims = self.audience_of_faults();
        let legal = self.legal();
        if legal.iter().any(|legal| legal.verb() == Some(Verb::ClaimDraw)) {
            let text = say!("draw-claimable", "a draw can be claimed");
            prompts.push(Prompt { to: claims, text, matter: Some(Matter::Claimable) });
        }
        if let Some(side) = self.clock().flag().filter(|_| self.game().outcome().is_none()) {
            prompts.push(Prompt { to: claims, text: flag_fallen(side), matter: Some(Matter::Flag(side)) });
        }
        for color in Color::ALL {
            let pieces = self.game().cards().map(|cards| cards.possible_pieces(color)).unwrap_or_default();
            if !pieces.is_empty() {
                let pieces = Fact::either(pieces);
                let text = say!("can-still-show", "{color} can still place a {pieces}", color, pieces);
                prompts.push(Prompt::to_players(text));
            }
        }
        prompts
    }
}

/// The sentence that this side's flag has fallen, whether or not the flag decides the game.
pub fn flag_fallen(side: Color) -> Sentence {
    say!("flag-fallen", "{side}'s flag has fallen", side)
}

/// The result of the game that has just ended, and what comes next.
fn game_result(table: &Table, outcome: Outcome) -> Sentence {
    let reason = outcome.reason.sentence();
    let next = if table.game().presses_alone() {
        say!("next-clock", "set both clocks anew with `next`")
    } else if table.game().counts() {
        say!("next-game", "begin the next game with `next`")
    } else if outcome.reason == Reason::Cancelled {
        say!("next-again", "begin again with the same colours, with `next`")
    } else {
        say!("deal-again", "deal again with the same colours")
    };
    match outcome.decision() {
        Decision::Won(winner) if outcome.reason.is_draw() => {
            let name = table.name_of(winner).to_owned();
            say!("game-drawn-won", "drawn by {reason}: {name} wins, as agreed; {next}", reason, name, next)
        }
        Decision::Won(winner) => {
            let name = table.name_of(winner).to_owned();
            say!("game-won", "{name} wins by {reason}; {next}", name, reason, next)
        }
        Decision::Drawn => say!("game-drawn", "drawn by {reason}; {next}", reason, next),
        Decision::Points(half_points) => {
            let points = table.points_by_name(half_points);
            say!("game-points", "{points}, by {reason}; {next}", points, reason, next)
        }
        Decision::NoResult => say!("game-void", "no result: {reason}; {next}", reason, next),
    }
}

/// The result of the match.
pub(super) fn match_result(table: &Table) -> Sentence {
    let stacks = table.stacks();
    let players = &table.agreement().players;
    if table.phase() == Phase::MatchOver {
        say!(
            "match-over-stacks",
            "the match is over: {a} has {stack_a} chips, {b} has {stack_b}",
            a = players.a.clone(),
            stack_a = stacks.a,
            b = players.b.clone(),
            stack_b = stacks.b
        )
    } else if table.game().presses_alone() {
        match_over()
    } else {
        say!("match-over-points", "the match is over: {standing}", standing = table.standing_in_words())
    }
}
