//! A match's results as JSON: what `replay --json` prints.
//!
//! Source: record, "Results and errors". Public information only.

use serde_json::{Map, Value, json};

use crate::clock::Clock;
use crate::rules::{Actor, Chips, Game, Legal};
use crate::table::Table;
use tabiya_types::{Color, Instant, Seat};

/// Something to report about a line: a refused one, or a remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The line in the file, from 1.
    pub line: u32,
    /// The rule's name.
    pub rule: &'static str,
    /// The sentence.
    pub message: String,
}

impl Remark {
    fn to_value(&self) -> Value {
        json!({"line": self.line, "rule": self.rule, "message": self.message})
    }
}

/// The whole report, readings as at `now`.
pub fn report(table: &Table, now: Instant, violations: &[Remark], notes: &[Remark]) -> Value {
    let mut report = Map::new();
    let clock = table.clock();
    let alone = table.game().plays_on_after_flag();
    if !alone {
        let mut games: Vec<Value> = table
            .past_games()
            .iter()
            .map(|past| game_report(&*past.game, past.white, &past.clock, now))
            .collect();
        games.push(game_report(table.game(), table.white(), clock, now));
        report.insert("games".into(), games.into());
    }
    report.insert("stacks".into(), by_seat(|seat| table.stacks()[seat]));
    report.insert("phase".into(), table.phase().into());
    report.insert("to_act".into(), to_act(table.to_act()));
    report.insert("clock_ms".into(), clock_ms(clock, now));
    report.insert("flag".into(), clock.flag().map_or(Value::Null, |side| side.word().into()));
    report.insert(
        "moves".into(),
        json!({"white": clock.moves(Color::White), "black": clock.moves(Color::Black)}),
    );
    report.insert("periods".into(), periods(clock, now));
    report.insert("legal".into(), table.legal().iter().map(legal_line).collect());
    report.insert("violations".into(), violations.iter().map(Remark::to_value).collect());
    report.insert("notes".into(), notes.iter().map(Remark::to_value).collect());
    Value::Object(report)
}

fn game_report(game: &dyn Game, white: Seat, clock: &Clock, now: Instant) -> Value {
    let seat_of = |color| if color == Color::White { white } else { white.other() };
    let color_of = |seat| if seat == white { Color::White } else { Color::Black };
    let mut report = Map::new();
    report.insert("white".into(), white.word().into());
    let outcome = game.outcome().map(|outcome| {
        let winner = outcome.winner.map(|color| seat_of(color).word());
        json!({"winner": winner, "reason": outcome.reason.word()})
    });
    report.insert("outcome".into(), outcome.into());
    let stakes = game.stakes();
    report.insert("contributed".into(), by_seat(|seat| stakes.contributed[color_of(seat)]));
    report.insert("awarded".into(), by_seat(|seat| stakes.awarded[color_of(seat)]));
    game.report(&mut report);
    report.insert("clock_ms".into(), clock_ms(clock, now));
    // The contract names incidents last.
    if let Some(incidents) = report.shift_remove("incidents") {
        report.insert("incidents".into(), incidents);
    }
    Value::Object(report)
}

fn by_seat(chips: impl Fn(Seat) -> Chips) -> Value {
    json!({"A": chips(Seat::A).0, "B": chips(Seat::B).0})
}

fn to_act(actor: Actor) -> Value {
    match actor {
        Actor::Player(color) => color.word().into(),
        Actor::Dealer => "dealer".into(),
        Actor::Nobody => Value::Null,
    }
}

fn clock_ms(clock: &Clock, now: Instant) -> Value {
    let reading = |side| clock.reading(side, now).map(|left| left.0);
    match (reading(Color::White), reading(Color::Black)) {
        (None, None) => Value::Null,
        (white, black) => json!({"white": white, "black": black}),
    }
}

/// The periods of byo-yomi that are left, for the colours that have them.
fn periods(clock: &Clock, now: Instant) -> Value {
    let left = |side: Color| Some((side.word().to_owned(), clock.standing(side, now)?.periods?.into()));
    Value::Object(Color::ALL.into_iter().filter_map(left).collect())
}

/// A legal line as the record writes it, without `t`.
pub fn legal_line(legal: &Legal) -> Value {
    let mut map = Map::new();
    map.insert("do".into(), legal.verb.into());
    if let Some(by) = legal.by {
        map.insert("by".into(), by.word().into());
    }
    map.extend(legal.fields.clone());
    Value::Object(map)
}
