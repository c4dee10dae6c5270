//! What is agreed before play and holds for the whole match.
//!
//! Source: record, "Terms". What only one game needs is that game's (`rules::Agreed`).

use std::sync::Arc;

use tabiya_types::{ByColor, BySeat, Color, Millis, Seat, Sentence, say};

use super::pace::control_in_words;
use crate::clock::{Setting, TimeControl};
use crate::rules::{Agreed, GameKind};

/// Who decides that a turn is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PressMode {
    /// A player presses.
    Clock,
    /// An action that stands still presses.
    Auto,
}

/// How much players are told (design: three voices).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// Everything, at once.
    Casual,
    /// Clocks, board and pot; the rest goes to the arbiter.
    Event,
}

/// Whose time counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockSource {
    /// Tabiya's own.
    Tabiya,
    /// A physical clock that reports its times.
    Device,
}

/// The time controls as agreed: the same for both, by person, or by colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TimeTerm {
    /// The same for both.
    Both(TimeControl),
    /// A handicap that follows the person.
    Seats(BySeat<TimeControl>),
    /// A handicap that follows the colour.
    Colors(ByColor<TimeControl>),
}

impl TimeTerm {
    fn sentence(&self) -> Sentence {
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

    /// The controls that are in it, each once.
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

    /// What they give, a line each.
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
    /// How much time.
    pub time: TimeTerm,
    /// FIDE's way of adding increments.
    pub first_increment: bool,
    /// Whose time counts.
    pub clock: ClockSource,
    /// Who ends a turn.
    pub press: PressMode,
    /// How long a position must stand still before it counts by itself.
    pub settle: Millis,
    /// Who is told what.
    pub voice: Voice,
    /// Whether the first flag stops both sides.
    pub freeze: bool,
    /// What the opponent gains by an incident.
    pub penalty: Millis,
    /// Time for a bet.
    pub bet_time: Option<Millis>,
    /// How many games; `None` until a stack is empty.
    pub games: Option<u32>,
    /// The physical pieces at hand, as letters K Q R B N P.
    pub sets: Option<ByColor<String>>,
    /// The preset's name, for the reader only.
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
            games: None,
            sets: None,
            preset: None,
        }
    }
}

impl Terms {
    /// The clock's setting for a game in which `white` has White.
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

/// A match as agreed: the game, the people and the terms.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// The game's name in the record.
    pub game: &'static str,
    /// The two people.
    pub players: BySeat<String>,
    /// Who has White in the first game.
    pub white: Seat,
    /// The terms that every game has.
    pub terms: Terms,
    /// The game's own terms.
    pub agreed: Arc<dyn Agreed>,
}

impl Agreement {
    /// A match of this kind of game with these terms.
    pub fn new(
        kind: &'static dyn GameKind,
        players: BySeat<String>,
        white: Seat,
        terms: Terms,
        agreed: Arc<dyn Agreed>,
    ) -> Self {
        Self { game: kind.name(), players, white, terms, agreed }
    }

    /// The match sheet: the terms in plain words, a line each, safe to show.
    pub fn sheet(&self) -> Vec<Sentence> {
        let terms = &self.terms;
        let BySeat { a, b } = self.players.clone();
        let white = self.players[self.white].clone();
        let game = self.game.to_owned();
        let mut lines = vec![
            say!("sheet-players", "{game}: {a} (A) against {b} (B)", game, a, b),
            say!("sheet-white", "White in the first game: {white}", white),
        ];
        lines.extend(self.agreed.sheet());
        lines.push(terms.time.sentence());
        lines.extend(terms.time.in_words());
        if !terms.first_increment && terms.time.has_increment() {
            lines.push(say!("sheet-no-first-increment", "nothing is added before the first move"));
        }
        if terms.clock == ClockSource::Device && terms.time.has_clock() {
            lines.push(say!("sheet-device-clock", "the times of the clock behind the board count"));
        }
        if !terms.freeze && terms.time.has_clock() {
            lines.push(say!("sheet-run-on", "a fallen flag does not stop the other side's clock"));
        }
        lines.push(match terms.press {
            PressMode::Clock => say!("sheet-press", "a turn ends when its player presses"),
            PressMode::Auto => {
                let settle = terms.settle.0;
                say!("sheet-no-press", "a turn ends when the board stood still for {settle} ms", settle)
            }
        });
        if let Some(time) = terms.bet_time {
            lines.push(say!("sheet-bet-time", "time for a bet: {time}", time = time.to_string()));
        }
        if let Some(games) = terms.games {
            lines.push(say!("sheet-games", "games: {games}", games));
        }
        lines.push(match terms.voice {
            Voice::Casual => say!("sheet-casual", "players are told everything at once"),
            Voice::Event => {
                say!("sheet-event", "event: claims, forgotten presses and false pieces go to the arbiter")
            }
        });
        lines.extend(self.inventory_advice());
        lines.into_iter().map(Sentence::harmless).collect()
    }

    /// What the set of pieces at hand means for these terms (ruling 7): proposals, never settings.
    pub fn inventory_advice(&self) -> Vec<Sentence> {
        let Some(sets) = &self.terms.sets else { return Vec::new() };
        Color::ALL.into_iter().flat_map(|color| self.agreed.inventory_advice(color, &sets[color])).collect()
    }
}
