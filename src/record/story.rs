//! What happened in a match, in order, as far as the table's state alone does not tell it: bets,
//! placements, readings after each move, rulings. Exports are written from it.
//!
//! What was undone is not in it: the story knows how long it was after each input that counts, and goes back as
//! far as the table did. Only what everybody saw is kept: cards turned over, never cards dealt, and no reason that
//! somebody typed.
//!
//! Source: record, "Lines"; `docs/exports.md`.
#![warn(clippy::indexing_slicing)]

use tabiya_types::{ByColor, Color, Instant, Millis, Sentence};

use crate::rules::{Action, Bet, Chips, Outcome, Phase, PlayAction, Reason, Stakes};
use crate::table::{Common, Effect, Input, Ruling, Stamp, Table};

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// Another game began, with the colours and stacks of the table.
    Next,
    /// The first thing was done in a game.
    Begun(Instant),
    /// A street's cards lie on the table.
    Dealt {
        /// What each had before.
        stacks: ByColor<Chips>,
        /// Blinds.
        posts: ByColor<Chips>,
        /// What then lay in the pot.
        pot: Chips,
        /// Whether somebody can bet.
        betting: bool,
    },
    /// A bet, in words, and what then lay in the pot.
    Bet { words: String, pot: Chips },
    /// A card was turned over.
    Revealed { by: Color, card: String },
    /// A piece was put on the board. Before the press the last one counts.
    Placed { by: Color, piece: String, at: String, says: Option<String> },
    /// The arbiter changed whose turn it is: what was not pressed never will be.
    Ruled,
    /// A chess move.
    Moved(Color),
    /// What this side had left when its turn ended.
    Clock { by: Color, left: Millis },
    /// Anything else worth telling, in one sentence without a full stop.
    Remark(String),
}

/// How long the story was after something happened.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// How many inputs counted then. What time alone brought about belongs to the input before it.
    inputs: usize,
    /// How many events there were.
    events: usize,
}

/// What an undo took away, for a redo.
#[derive(Clone, Debug)]
struct Undone {
    events: Vec<Event>,
    marks: Vec<Mark>,
    kept_events: usize,
    kept_marks: usize,
}

/// The few facts about the table before an input that tell what the input changed.
#[derive(Clone, Copy, Debug)]
struct Was {
    contributed: ByColor<Chips>,
    clock_turn: Option<Color>,
    games: usize,
    begun: bool,
    over: bool,
}

impl Was {
    fn of(table: &Table) -> Self {
        Self {
            contributed: table.game().stakes().contributed,
            clock_turn: table.clock().turn(),
            games: table.past_games().len(),
            begun: table.begun(),
            over: table.game().outcome().is_some(),
        }
    }
}

/// What happened in a match. It is told every input that a table accepted.
#[derive(Clone, Debug)]
pub struct Story {
    events: Vec<Event>,
    /// At least one: the table before its first input.
    marks: Vec<Mark>,
    undone: Vec<Undone>,
    was: Was,
}

impl Story {
    /// The story of a table before its first input.
    pub fn new(table: &Table) -> Self {
        let first = Mark { inputs: table.count(), events: 0 };
        Self { events: Vec::new(), marks: vec![first], undone: Vec::new(), was: Was::of(table) }
    }

    /// Notes what time alone brings about up to `at`: flags, and bets that ran out. To be called
    /// with the table as it stands before an input at that moment.
    pub fn pass(&mut self, table: &Table, at: Instant) {
        if table.deadline().is_none_or(|due| due > at) {
            return;
        }
        let mut then = table.clone();
        while let Some(due) = then.deadline().filter(|due| *due <= at) {
            let (decides, before) = (then.game().decides(), stood(&then));
            if then.apply(&Input::Common(Common::Tick), Stamp::new(due, 0)).is_err() {
                break;
            }
            if stood(&then) != before {
                if let Some(by) = decides {
                    let folds = then.game().outcome().is_some_and(|end| end.reason == Reason::Fold);
                    let verb = if folds { "folds" } else { "checks" };
                    self.bet(by, format!("{by} {verb} (out of time)"), &then);
                }
                self.note_end(&then, due);
                self.mark(&then);
                self.was = Was::of(&then);
            } else if then.deadline() == Some(due) {
                break;
            }
        }
    }

    /// Notes an input that was accepted, with the table after it.
    pub fn note(&mut self, input: &Input, at: Instant, effects: &[Effect], table: &Table) {
        let ended = effects.iter().filter_map(|effect| match effect {
            Effect::TurnEnded(by) => Some(*by),
            Effect::Note(_)
            | Effect::Incident(_)
            | Effect::FlagFell(_)
            | Effect::GameOver(_)
            | Effect::MatchOver
            | Effect::SetBack => None,
        });
        match input {
            Input::Common(Common::Tick) => return,
            Input::Common(Common::Undo { .. }) => {
                self.undo(table);
                self.was = Was::of(table);
                return;
            }
            Input::Common(Common::Redo { .. }) => {
                self.redo();
                self.was = Was::of(table);
                return;
            }
            // A press by the side whose clock stands is accepted and does nothing.
            Input::Common(Common::Press(_))
                if ended.clone().next().is_none() && self.was.clock_turn == table.clock().turn() =>
            {
                return;
            }
            Input::Common(_) | Input::Game(_) => {}
        }
        if table.past_games().len() > self.was.games {
            self.events.push(Event::Next);
            self.was = Was { contributed: ByColor::default(), begun: false, over: false, ..self.was };
        }
        if table.begun() && !self.was.begun {
            self.events.push(Event::Begun(at));
        }
        match input {
            Input::Common(common) => self.note_common(common),
            Input::Game(action) => self.note_action(action, table),
        }
        // The opponent's reveal or move also ends the turn before.
        let handed_over = self.was.clock_turn.filter(|by| table.clock().turn() == Some(by.other()));
        for by in ended.chain(handed_over) {
            self.note_clock(by, at, table);
        }
        self.note_end(table, at);
        self.undone.clear();
        self.mark(table);
        self.was = Was::of(table);
    }

    fn note_common(&mut self, common: &Common) {
        match common {
            Common::Rule(ruling) => self.note_ruling(ruling),
            Common::EndMatch { .. } => self.remark("The match was ended early"),
            Common::ClaimFlag(by) => self.remark(&format!("The flag is claimed by {}", by.word())),
            Common::Press(_)
            | Common::Pause(_)
            | Common::Resume(_)
            | Common::Undo { .. }
            | Common::Redo { .. }
            | Common::Tick
            | Common::Next(_)
            | Common::Stands { .. }
            | Common::ClockReads(_)
            | Common::Consent(_) => {}
        }
    }

    fn note_ruling(&mut self, ruling: &Ruling) {
        let clocks: Vec<String> = Color::ALL
            .into_iter()
            .filter_map(|color| ruling.clock_ms[color].map(|left| format!("{color} {}", Millis(left))))
            .collect();
        if !clocks.is_empty() {
            self.remark(&format!("The arbiter sets the clock: {}", clocks.join(", ")));
        }
        let seats = [ruling.stacks.a, ruling.stacks.b, ruling.contributed.a, ruling.contributed.b];
        if seats.iter().any(Option::is_some) {
            self.remark("The arbiter changes the chips");
        }
        if ruling.fen.is_some() || ruling.to_act.is_some() {
            self.events.push(Event::Ruled);
        }
        if ruling.fen.is_some() {
            self.remark("The arbiter sets another position");
        }
        if let Some(color) = ruling.to_act {
            self.remark(&format!("The arbiter gives the turn to {color}"));
        }
    }

    fn note_action(&mut self, action: &Action, table: &Table) {
        match action {
            Action::Deal(_) => {
                let stakes = table.game().stakes();
                self.events.push(Event::Dealt {
                    stacks: ByColor::new(|color| stakes.stacks[color] + stakes.contributed[color]),
                    posts: ByColor::new(|color| stakes.contributed[color].less(self.was.contributed[color])),
                    pot: both(&stakes),
                    betting: table.game().decides().is_some(),
                });
            }
            Action::Bet { by, bet } => {
                let paid = table.game().stakes().contributed[*by].less(self.was.contributed[*by]);
                let words = match bet {
                    Bet::Fold => format!("{by} folds"),
                    Bet::Check | Bet::Call if paid == Chips::ZERO => format!("{by} checks"),
                    Bet::Check | Bet::Call => format!("{by} calls {paid}"),
                    Bet::AllIn => format!("{by} is all-in with {paid}"),
                    Bet::Raise(_) => action.tell().to_string(),
                };
                self.bet(*by, words, table);
            }
            Action::Reveal(reveal) => {
                let card = reveal.card.letter().to_string();
                self.events.push(Event::Revealed { by: reveal.by, card });
            }
            Action::Place(place) => self.events.push(Event::Placed {
                by: place.by,
                piece: place.piece.letter().to_string(),
                at: place.at.to_string(),
                says: place.says.map(|says| says.word().to_owned()),
            }),
            Action::Play(PlayAction::Move { by, .. }) => self.events.push(Event::Moved(*by)),
            Action::Fouled { .. } => self.remark("The deal is fouled"),
            // The result says it.
            Action::Play(PlayAction::AcceptDraw(_)) => {}
            Action::Correct(_) | Action::Play(_) | Action::Own(_) => self.remark(&action.tell().to_string()),
        }
    }

    /// A bet, with what went back because nobody matched it.
    fn bet(&mut self, by: Color, mut words: String, table: &Table) {
        let contributed = table.game().stakes().contributed;
        let back = self.was.contributed[by.other()].less(contributed[by.other()]);
        if back > Chips::ZERO {
            let goes = if back == Chips(1) { "goes" } else { "go" };
            words = format!("{words}, {back} {goes} back to {}", by.other());
        }
        self.events.push(Event::Bet { words, pot: both(&table.game().stakes()) });
    }

    fn note_clock(&mut self, by: Color, at: Instant, table: &Table) {
        self.events.extend(table.reading(by, at).map(|left| Event::Clock { by, left }));
    }

    /// A move that ended the game, or after which it ended, is never pressed.
    fn note_end(&mut self, table: &Table, at: Instant) {
        if table.game().outcome().is_some() && !self.was.over {
            for by in Color::ALL {
                self.note_clock(by, at, table);
            }
        }
    }

    fn remark(&mut self, sentence: &str) {
        self.events.push(Event::Remark(sentence.to_owned()));
    }

    fn mark(&mut self, table: &Table) {
        self.marks.push(Mark { inputs: table.count(), events: self.events.len() });
    }

    /// Goes back to where the table is again.
    fn undo(&mut self, table: &Table) {
        let inputs = table.count();
        let later = self.marks.iter().rev().take_while(|mark| mark.inputs > inputs).count();
        let kept = self.marks.len() - later;
        let marks = self.marks.split_off(kept);
        let kept_events = self.marks.last().map_or(0, |mark| mark.events);
        let events = self.events.split_off(kept_events);
        self.undone.push(Undone { events, marks, kept_events, kept_marks: kept });
    }

    fn redo(&mut self) {
        if let Some(undone) = self.undone.pop() {
            self.events.truncate(undone.kept_events);
            self.marks.truncate(undone.kept_marks);
            self.events.extend(undone.events);
            self.marks.extend(undone.marks);
        }
    }

    /// What happened in each game, the present one last; there is one more than the table's past.
    pub(super) fn games(&self) -> impl Iterator<Item = &[Event]> {
        self.events.split(|event| *event == Event::Next)
    }
}

fn both(stakes: &Stakes) -> Chips {
    stakes.contributed.white + stakes.contributed.black
}

/// What time alone can change of a game: who has to do what, the chips, the result.
fn stood(table: &Table) -> (Phase, Option<Outcome>, Stakes, Sentence) {
    let game = table.game();
    (table.phase(), game.outcome(), game.stakes(), game.prompt())
}
