//! The story of a match: the events that exports need but that the final state of the table does not contain, such
//! as bets, placements, clock readings after each move, and rulings.
//!
//! The story leaves out undone inputs: it stores its length after each input, and an undo shortens it to the
//! earlier length. It contains only public events. Cards that were turned over are in the story, but not dealt
//! cards or the reasons that people typed.
//!
//! Source: `docs/record.md`, "What a line may be"; `docs/exports.md`.
#![warn(clippy::indexing_slicing)]

use tabiya_types::{ByColor, Color, Instant, Millis, Sentence};

use crate::rules::{
    Action, Bet, Betting, Chips, Outcome, Phase, Place, PlayAction, PokerHands, Reason, Stakes, TurnHands,
};
use crate::table::{Common, Effect, Input, RuledResult, Ruling, Stamp, Table, told_adjournment};

/// One event of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// The next game of the match began.
    Next,
    /// The first input of a game came at this moment.
    Begun(Instant),
    /// The cards of a street were dealt.
    Dealt {
        /// The stacks before this game's blinds and bets.
        stacks: ByColor<Chips>,
        /// The blinds that were posted.
        posts: ByColor<Chips>,
        /// The pot after the blinds.
        pot: Chips,
        /// Whether there is betting on this street.
        betting: bool,
    },
    /// A bet in words, and the pot after it.
    Bet { words: String, pot: Chips },
    /// A card was turned over.
    Revealed { by: Color, card: String },
    /// A piece was placed. Until the press, a later placement replaces this one.
    Placed(Place),
    /// The arbiter set a position or gave the turn to a player. A press after this event never belongs to a move
    /// before this event.
    Ruled,
    /// A card changed the board. A press after this event never belongs to a move before this event.
    Used,
    /// A chess move.
    Moved(Color),
    /// The clock reading of this side when its turn ended.
    Clock { by: Color, left: Millis },
    /// Any other event, as a sentence without a full stop.
    Remark(String),
}

/// The length of the story after an input was accepted.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// How many inputs were in effect at that time: accepted and not undone. An event that time alone caused belongs
    /// to the input before that event.
    inputs: usize,
    /// How many events the story had by then.
    events: usize,
}

/// The part of the story that an undo removed, kept for a redo.
#[derive(Clone, Debug)]
struct Undone {
    events: Vec<Event>,
    marks: Vec<Mark>,
    /// How many events the story still had after the undo.
    kept_events: usize,
    /// How many marks the story still had after the undo. A [`Mark`] stores the story's length after one input.
    kept_marks: usize,
}

/// The facts about the table before an input that are needed to see what the input changed.
#[derive(Clone, Copy, Debug)]
struct StateBefore {
    contributed: ByColor<Chips>,
    clock_turn: Option<Color>,
    games: usize,
    begun: bool,
    over: bool,
    /// How many turns of the game have had poker hands.
    hands: usize,
    /// How many things the rules have done by themselves in the game.
    happened: usize,
}

impl StateBefore {
    fn of(table: &Table) -> Self {
        Self {
            contributed: table.game().stakes().contributed,
            clock_turn: table.clock().turn(),
            games: table.past_games().len(),
            begun: table.begun(),
            over: table.game().outcome().is_some(),
            hands: table.game().poker_hands().map_or(0, PokerHands::count),
            happened: table.game().happened().len(),
        }
    }
}

/// The events of a match. Call [`pass`](Self::pass) before each input, and [`note`](Self::note) after each input
/// that was accepted.
#[derive(Clone, Debug)]
pub struct Story {
    events: Vec<Event>,
    /// The length of the story before the table's first input, then its length after each input.
    marks: Vec<Mark>,
    undone: Vec<Undone>,
    was: StateBefore,
}

impl Story {
    /// The story of a table before its first input.
    pub fn new(table: &Table) -> Self {
        let happened = table.game().happened().iter();
        let events: Vec<Event> = happened.map(|told| Event::Remark(told.to_string())).collect();
        let first = Mark { inputs: table.count(), events: events.len() };
        Self { events, marks: vec![first], undone: Vec::new(), was: StateBefore::of(table) }
    }

    /// Adds the events that time alone causes up to `at`: fallen flags, and bets whose time ran out. `table` is the
    /// table before an input at the moment `at`.
    pub fn pass(&mut self, table: &Table, at: Instant) {
        if table.deadline().is_none_or(|due| due > at) {
            return;
        }
        let mut then = table.clone();
        while let Some(due) = then.deadline().filter(|due| *due <= at) {
            let (decides, before) = (then.game().bettor_on_time(), time_dependent(&then));
            if then.apply(&Input::Common(Common::Tick), Stamp::new(due, 0)).is_err() {
                break;
            }
            if time_dependent(&then) != before {
                if let Some(by) = decides {
                    let folds = then.game().outcome().is_some_and(|end| end.reason == Reason::Fold);
                    let verb = if folds { "folds" } else { "checks" };
                    self.bet(by, format!("{by} {verb} (out of time)"), &then);
                }
                self.note_end(&then, due);
                self.mark(&then);
                self.was = StateBefore::of(&then);
            } else if then.deadline() == Some(due) {
                break;
            }
        }
    }

    /// Adds the events of an accepted input. `table` is the table after it.
    pub fn note(&mut self, input: &Input, at: Instant, effects: &[Effect], table: &Table) {
        let ended = effects.iter().filter_map(|effect| match effect {
            Effect::TurnEnded(by) => Some(*by),
            Effect::Note(_)
            | Effect::Incident(_)
            | Effect::FlagFell(_)
            | Effect::GameOver(_)
            | Effect::MatchOver
            | Effect::SetBack
            | Effect::TakenBack(_)
            | Effect::ActedAgain(_) => None,
        });
        match input {
            Input::Common(Common::Tick) => return,
            Input::Common(Common::Undo { .. }) => {
                self.note_undo(effects, table);
                self.was = StateBefore::of(table);
                return;
            }
            Input::Common(Common::Redo { .. }) => {
                self.redo();
                self.was = StateBefore::of(table);
                return;
            }
            // A press by the side whose clock is stopped is accepted but has no effect, so it is no event.
            Input::Common(Common::Press(_))
                if ended.clone().next().is_none() && self.was.clock_turn == table.clock().turn() =>
            {
                return;
            }
            Input::Common(_) | Input::Game(_) => {}
        }
        if table.past_games().len() > self.was.games {
            self.note_next();
        }
        if table.begun() && !self.was.begun {
            self.events.push(Event::Begun(at));
        }
        match input {
            Input::Common(common) => self.note_common(common),
            Input::Game(action) => self.note_action(action, table),
        }
        for happened in table.game().happened().iter().skip(self.was.happened) {
            self.remark(&happened.to_string());
        }
        self.note_hands(table);
        // If a player forgot to press, the opponent's reveal or move ends that player's turn. Then there is no effect
        // for the end of the turn; it is seen from the clock, which has passed to the opponent.
        let handed_over = self.was.clock_turn.filter(|by| table.clock().turn() == Some(by.other()));
        for by in ended.chain(handed_over) {
            self.note_clock(by, at, table);
        }
        self.note_end(table, at);
        self.undone.clear();
        self.mark(table);
        self.was = StateBefore::of(table);
    }

    /// Adds that something was taken back, and what acted again after it.
    fn note_undo(&mut self, effects: &[Effect], table: &Table) {
        let again = effects
            .iter()
            .filter_map(|effect| if let Effect::ActedAgain(input) = effect { Some(input) } else { None });
        let again: Vec<&Input> = again.collect();
        self.undo(table.count() - again.len());
        for input in &again {
            if let Input::Common(common) = input {
                self.note_common(common);
            }
        }
        if !again.is_empty() {
            self.mark(table);
        }
    }

    /// Adds that another game has begun.
    fn note_next(&mut self) {
        self.events.push(Event::Next);
        self.was = StateBefore {
            contributed: ByColor::default(),
            begun: false,
            over: false,
            hands: 0,
            happened: 0,
            ..self.was
        };
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
            Common::Signs(by) => self.remark(&format!("{by} confirms the result")),
        }
    }

    fn note_ruling(&mut self, ruling: &Ruling) {
        // Who is to seal a move is told once he has.
        let sealed = !ruling.reason.starts_with("adjourned");
        if let Some(told) = told_adjournment(&ruling.reason).filter(|_| sealed) {
            self.remark(&told.to_string());
        }
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
        if let Some(time) = &ruling.time {
            self.remark(&format!("The arbiter sets the time control: {}", time.sentence()));
        }
        if ruling.result == Some(RuledResult::GoesOn) {
            self.remark("The arbiter lets the game go on");
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
                    posts: ByColor::new(|color| {
                        stakes.contributed[color].saturating_sub(self.was.contributed[color])
                    }),
                    pot: both(&stakes),
                    betting: table.game().bettor_on_time().is_some(),
                });
            }
            Action::Bet { by, bet } => {
                let paid = table.game().stakes().contributed[*by].saturating_sub(self.was.contributed[*by]);
                let words = match bet {
                    Bet::Fold => format!("{by} folds"),
                    Bet::Check | Bet::Call if paid == Chips::ZERO => format!("{by} checks"),
                    Bet::Check | Bet::Call => format!("{by} calls {paid}"),
                    Bet::AllIn => format!("{by} is all-in with {paid}"),
                    Bet::Raise(to) if opens(*by, table) => format!("{by} bets {to}"),
                    Bet::Raise(_) => action.describe().to_string(),
                };
                self.bet(*by, words, table);
            }
            Action::Reveal(reveal) => {
                let card = reveal.card.letter().to_string();
                self.events.push(Event::Revealed { by: reveal.by, card });
            }
            Action::Place(place) => self.events.push(Event::Placed(*place)),
            Action::Play(PlayAction::Move { by, .. }) => self.events.push(Event::Moved(*by)),
            Action::Fouled { .. } => self.remark("The deal is fouled"),
            // No sentence is needed here, because the sentence about the game's result mentions the agreed draw.
            Action::Play(PlayAction::AcceptDraw(_)) => {}
            Action::Correct(_) | Action::Play(_) | Action::Own(_) => {
                if matches!(action, Action::Own(own) if own.changes_board()) {
                    self.events.push(Event::Used);
                }
                self.remark(&action.describe().to_string());
            }
        }
    }

    /// Adds the poker hands that were just decided, and who won them.
    fn note_hands(&mut self, table: &Table) {
        let game = table.game();
        let Some(hands) = game.poker_hands().filter(|hands| hands.count() > self.was.hands) else { return };
        let Some(TurnHands { turn, hands: formed, winner }) = hands.last() else { return };
        let formed = formed.map(|hand| hand.sentence().to_string());
        let points = game.score().map(|score| score.points).unwrap_or_default();
        let won = match winner {
            Some(by) => format!("{by} wins it, White {}, Black {}", points.white, points.black),
            None => "nobody wins it".to_owned(),
        };
        self.remark(&format!("Hand {turn}: White {}, Black {}; {won}", formed.white, formed.black));
    }

    /// Adds a bet, which `words` describes. If the opponent gets chips back that this player did not match, `words` is
    /// extended by that fact.
    fn bet(&mut self, by: Color, mut words: String, table: &Table) {
        let contributed = table.game().stakes().contributed;
        let back = self.was.contributed[by.other()].saturating_sub(contributed[by.other()]);
        if back > Chips::ZERO {
            let goes = if back == Chips(1) { "goes" } else { "go" };
            words = format!("{words}, {back} {goes} back to {}", by.other());
        }
        self.events.push(Event::Bet { words, pot: both(&table.game().stakes()) });
    }

    fn note_clock(&mut self, by: Color, at: Instant, table: &Table) {
        self.events.extend(table.reading(by, at).map(|left| Event::Clock { by, left }));
    }

    /// Adds the clock readings at the end of a game, because there may be no press after the last move.
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

    /// Removes the events of the inputs after the first ones, which the table has just undone.
    fn undo(&mut self, inputs: usize) {
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

    /// The events of each game, the current game last.
    pub(super) fn games(&self) -> impl Iterator<Item = &[Event]> {
        self.events.split(|event| *event == Event::Next)
    }
}

fn both(stakes: &Stakes) -> Chips {
    stakes.contributed.white + stakes.contributed.black
}

/// The parts of a game's state that time alone can change: the phase, the result, the chips and the prompt.
fn time_dependent(table: &Table) -> (Phase, Option<Outcome>, Stakes, Sentence) {
    let game = table.game();
    (table.phase(), game.outcome(), game.stakes(), game.prompt())
}
/// Whether the raise that this player has just made was the first bet of its street.
fn opens(by: Color, after: &Table) -> bool {
    let due = after.game().betting().and_then(Betting::due);
    due.is_some_and(|due| due.put[by.other()] == Chips::ZERO)
}
