//! The agreement of a match: what the players agree on before play.
//!
//! Source: `docs/record.md`, "Terms". The terms that only one kind of game has are in `rules::Agreed`.

use std::sync::Arc;

use tabiya_types::{ByColor, BySeat, Color, Millis, Seat, Sentence, say};

use super::pace::control_in_words;
use crate::clock::{Setting, TimeControl};
use crate::rules::{Agreed, Decision, Game, GameKind, Outcome, SheetLine, SheetTopic};

/// How a turn ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PressMode {
    /// A turn ends when its player presses the clock.
    Clock,
    /// A turn ends without a press, when the board has shown the player's action for the settling time without a
    /// change.
    Auto,
}

/// How much Tabiya shows to the players, as the term `voice` says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// The players see everything immediately.
    Casual,
    /// The players see clocks, board and pot; only the arbiter sees everything else.
    Event,
}

/// The clock whose times count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockSource {
    /// Tabiya's own clock counts.
    Tabiya,
    /// The times of a physical clock count. The clock reports them to Tabiya.
    Device,
}

/// The agreed time controls: one for both players, one for each seat, or one for each colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TimeTerm {
    /// Both players have the same time control.
    Both(TimeControl),
    /// Each seat has its own time control: a handicap that stays with the person.
    Seats(BySeat<TimeControl>),
    /// Each colour has its own time control: a handicap that stays with the colour.
    Colors(ByColor<TimeControl>),
}

impl TimeTerm {
    /// The time controls as the match sheet says them.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::Both(TimeControl::Untimed) => say!("sheet-time-none", "time: none"),
            Self::Both(control) => {
                say!("sheet-time-each", "time: {control} each", control = control.to_string())
            }
            Self::Seats(BySeat { a, b }) => {
                say!("sheet-time-seats", "time: A {a}, B {b}", a = a.to_string(), b = b.to_string())
            }
            Self::Colors(ByColor { white, black }) => {
                say!(
                    "sheet-time-colors",
                    "time: White {white}, Black {black}",
                    white = white.to_string(),
                    black = black.to_string()
                )
            }
        }
    }

    /// The time controls that occur in this term, without duplicates.
    fn controls(&self) -> Vec<&TimeControl> {
        let (first, second) = match self {
            Self::Both(control) => (control, control),
            Self::Seats(BySeat { a, b }) => (a, b),
            Self::Colors(ByColor { white, black }) => (white, black),
        };
        if first == second { vec![first] } else { vec![first, second] }
    }

    fn has_clock(&self) -> bool {
        self.controls().iter().any(|control| **control != TimeControl::Untimed)
    }

    fn has_increment(&self) -> bool {
        self.controls().into_iter().any(TimeControl::has_increment)
    }

    /// The time controls in plain words, one line each.
    fn in_words(&self) -> Vec<Sentence> {
        let timed = self.controls().into_iter().filter(|control| **control != TimeControl::Untimed);
        timed
            .map(|control| {
                let words = control_in_words(control);
                say!("sheet-time-is", "{control} is {words}", control = control.to_string(), words)
            })
            .collect()
    }
}

/// The terms that every game has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The time controls of the players.
    pub time: TimeTerm,
    /// Whether increments are added as in FIDE's rules: the first increment is added before the first move.
    pub first_increment: bool,
    /// The clock whose times count.
    pub clock: ClockSource,
    /// How a turn ends.
    pub press: PressMode,
    /// How long the board must stay unchanged until an action counts without a press.
    pub settle: Millis,
    /// How much Tabiya shows to the players.
    pub voice: Voice,
    /// Whether the clocks of both sides stop when the first flag falls.
    pub freeze: bool,
    /// The time that the opponent gains after an incident, such as a wrongly placed piece.
    pub penalty: Millis,
    /// The time for one bet; `None` without a limit.
    pub bet_time: Option<Millis>,
    /// The default time, from the beginning of the match: who has not come by then loses, if the arbiter rules so (Laws of
    /// Chess, 6.7). `None` if nobody is told.
    pub default_time: Option<Millis>,
    /// The number of games in the match; `None` if the match lasts until one stack is empty.
    pub games: Option<u32>,
    /// The colour that wins a drawn game (an "armageddon" game); `None` if a draw is a draw.
    pub draw_wins: Option<Color>,
    /// The physical pieces of each colour, as letters K Q R B N P; `None` if that was not stated.
    pub sets: Option<ByColor<String>>,
    /// The name of the preset, for information only.
    pub preset: Option<String>,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            time: TimeTerm::Both(TimeControl::Untimed),
            first_increment: true,
            clock: ClockSource::Tabiya,
            press: PressMode::Clock,
            settle: Millis(350),
            voice: Voice::Casual,
            freeze: true,
            penalty: Millis(60_000),
            bet_time: None,
            default_time: None,
            games: None,
            draw_wins: None,
            sets: None,
            preset: None,
        }
    }
}

impl Terms {
    /// The setting of the clock for a game in which the seat `white` has White.
    pub fn setting(&self, white: Seat) -> Setting {
        let controls = match &self.time {
            TimeTerm::Both(control) => ByColor { white: control.clone(), black: control.clone() },
            TimeTerm::Seats(seats) => {
                ByColor { white: seats[white].clone(), black: seats[white.other()].clone() }
            }
            TimeTerm::Colors(colors) => colors.clone(),
        };
        Setting { controls, first_increment: self.first_increment, freeze: self.freeze }
    }
}

/// The agreement of a match: the game, the players and the terms.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// The name of the game in the record.
    pub game: &'static str,
    /// Its name as people write it.
    pub title: Sentence,
    /// The names of the two players.
    pub players: BySeat<String>,
    /// The seat that has White in the first game.
    pub white: Seat,
    /// The terms that every game has.
    pub terms: Terms,
    /// The terms that only this kind of game has.
    pub agreed: Arc<dyn Agreed>,
}

impl Agreement {
    /// An agreement on this kind of game with these players and terms.
    pub fn new(
        kind: &'static dyn GameKind,
        players: BySeat<String>,
        white: Seat,
        terms: Terms,
        agreed: Arc<dyn Agreed>,
    ) -> Self {
        Self { game: kind.name(), title: kind.title(), players, white, terms, agreed }
    }

    /// Gives a game that ended drawn to the colour that wins draws, if the players agreed on that. A fouled deal is no
    /// draw.
    pub(super) fn award_draw(&self, game: &mut dyn Game) {
        if let (Some(outcome), Some(winner)) = (game.outcome(), self.terms.draw_wins)
            && outcome.decision() == Decision::Drawn
        {
            game.end(Outcome::won(winner, outcome.reason));
        }
    }

    /// The match sheet: the terms in plain words, one line each, safe to show.
    pub fn sheet(&self) -> Vec<Sentence> {
        self.sheet_lines().into_iter().map(|line| line.says).collect()
    }

    /// The match sheet, each line with what it is about.
    pub fn sheet_lines(&self) -> Vec<SheetLine> {
        let terms = &self.terms;
        let BySeat { a, b } = self.players.clone();
        let white = self.players[self.white].clone();
        let game = self.title.clone();
        let players = [
            say!("sheet-players", "{game}: {a} (A) against {b} (B)", game, a, b),
            say!("sheet-white", "White in the first game: {white}", white),
        ];
        let mut lines = Vec::from(players.map(|says| SheetLine::new(SheetTopic::Players, says)));
        lines.extend(self.agreed.sheet());
        lines.extend(self.time_lines());
        let mut add = |topic, says| lines.push(SheetLine::new(topic, says));
        let turn = match terms.press {
            PressMode::Clock => say!("sheet-press", "a turn ends when its player presses"),
            PressMode::Auto => {
                let settle = terms.settle.0;
                say!("sheet-no-press", "a turn ends when the board stood still for {settle} ms", settle)
            }
        };
        add(SheetTopic::Turn, turn);
        if let Some(time) = terms.bet_time {
            add(SheetTopic::Time, say!("sheet-bet-time", "time for a bet: {time}", time = time.to_string()));
        }
        if let Some(time) = terms.default_time {
            let time = say!("sheet-default-time", "default time: {time}", time = time.to_string());
            add(SheetTopic::Rules, time);
        }
        if let Some(games) = terms.games {
            add(SheetTopic::Stakes, say!("sheet-games", "games: {games}", games));
        }
        if let Some(winner) = terms.draw_wins {
            add(SheetTopic::Stakes, say!("sheet-draw-wins", "a drawn game is won by {winner}", winner));
        }
        let voice = match terms.voice {
            Voice::Casual => say!("sheet-casual", "players are told everything at once"),
            Voice::Event => {
                say!("sheet-event", "event: claims, forgotten presses and false pieces go to the arbiter")
            }
        };
        add(SheetTopic::Voice, voice);
        lines.extend(self.inventory_advice().into_iter().map(SheetLine::from));
        lines.into_iter().map(|line| SheetLine { says: line.says.harmless(), ..line }).collect()
    }

    /// The lines about the time controls and the clocks.
    fn time_lines(&self) -> Vec<SheetLine> {
        let terms = &self.terms;
        let shared = matches!(&terms.time, TimeTerm::Both(control) if *control != TimeControl::Untimed);
        let topic = if shared { SheetTopic::SharedTime } else { SheetTopic::Time };
        let mut lines = vec![SheetLine::new(topic, terms.time.sentence())];
        let meaning = terms.time.in_words().into_iter();
        lines.extend(meaning.map(|says| SheetLine::new(SheetTopic::TimeMeaning, says)));
        let mut add = |says| lines.push(SheetLine::new(SheetTopic::Time, says));
        if !terms.first_increment && terms.time.has_increment() {
            add(say!("sheet-no-first-increment", "nothing is added before the first move"));
        }
        if terms.clock == ClockSource::Device && terms.time.has_clock() {
            add(say!("sheet-device-clock", "the times of the physical clock count"));
        }
        if !terms.freeze && terms.time.has_clock() {
            add(say!("sheet-run-on", "a fallen flag does not stop the other side's clock"));
        }
        lines
    }

    /// Advice about the sets of pieces under these terms (ruling 7 in `docs/rules.md`). The advice changes no term.
    pub fn inventory_advice(&self) -> Vec<Sentence> {
        let Some(sets) = &self.terms.sets else { return Vec::new() };
        Color::ALL.into_iter().flat_map(|color| self.agreed.inventory_advice(color, &sets[color])).collect()
    }
}
