//! What is agreed before play and holds for the whole match.
//!
//! Source: record, "Terms". What only one game needs is that game's (`rules::Agreed`).

use std::sync::Arc;

use crate::clock::{Millis, Setting, TimeControl};
use crate::rules::{Agreed, ByColor, BySeat, Color, Kind, Seat, harmless};

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
        kind: &'static dyn Kind,
        players: BySeat<String>,
        white: Seat,
        terms: Terms,
        agreed: Arc<dyn Agreed>,
    ) -> Self {
        Self { game: kind.name(), players, white, terms, agreed }
    }

    /// The match sheet: the terms in plain words, a line each.
    pub fn sheet(&self) -> Vec<String> {
        let terms = &self.terms;
        let mut lines = vec![
            format!("{}: {} (A) against {} (B)", self.game, self.players.a, self.players.b),
            format!("White in the first game: {}", self.players[self.white]),
        ];
        lines.extend(self.agreed.sheet());
        lines.push(match &terms.time {
            TimeTerm::Both(TimeControl::Untimed) => "time: none".to_owned(),
            TimeTerm::Both(control) => format!("time: {control} each"),
            TimeTerm::Seats(seats) => format!("time: A {}, B {}", seats.a, seats.b),
            TimeTerm::Colors(colors) => format!("time: White {}, Black {}", colors.white, colors.black),
        });
        lines.push(match terms.press {
            PressMode::Clock => "a turn ends when its player presses".to_owned(),
            PressMode::Auto => format!("a turn ends when the board stood still for {} ms", terms.settle.0),
        });
        if let Some(time) = terms.bet_time {
            lines.push(format!("time for a bet: {time}"));
        }
        if let Some(games) = terms.games {
            lines.push(format!("games: {games}"));
        }
        lines.push(match terms.voice {
            Voice::Casual => "players are told everything at once".to_owned(),
            Voice::Event => "event: claims, forgotten presses and false pieces go to the arbiter".to_owned(),
        });
        lines.extend(self.inventory_advice());
        lines.iter().map(|line| harmless(line)).collect()
    }

    /// What the set of pieces at hand means for these terms (ruling 7): proposals, never settings.
    pub fn inventory_advice(&self) -> Vec<String> {
        let Some(sets) = &self.terms.sets else { return Vec::new() };
        Color::ALL.into_iter().flat_map(|color| self.agreed.inventory_advice(color, &sets[color])).collect()
    }
}
