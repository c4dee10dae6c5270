//! The results of a match as JSON, as `replay --json` prints them.
//!
//! The results contain only public information. Source: `docs/record.md`, "Results and errors".

use serde_json::{Map, Value, json};
use tabiya_types::{BySeat, Color, Instant, Seat};

use super::actions::legal_line;
use super::json::object_of;
use super::text::points_value;
use crate::clock::Clock;
use crate::rules::{Actor, ChessPhase, Decision, Game, Placement};
use crate::table::Table;

/// A violation or a note about a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The number of the line in the file, from 1.
    pub line: u32,
    /// The name of the broken rule or of the kind of note, such as `board-differs`.
    pub rule: &'static str,
    /// The message for people.
    pub message: String,
}

impl Remark {
    fn to_value(&self) -> Value {
        json!({"line": self.line, "rule": self.rule, "message": self.message})
    }
}

/// Builds the whole report. All clock readings are those at `now`.
pub fn report(table: &Table, now: Instant, violations: &[Remark], notes: &[Remark]) -> Value {
    let mut report = Map::new();
    let clock = table.clock();
    let alone = table.game().continues_after_flag();
    if !alone {
        let mut games: Vec<Value> = table
            .past_games()
            .iter()
            .map(|past| signed(game_report(&*past.game, past.white, &past.clock, now), past.signed))
            .collect();
        let confirmed = BySeat::new(|seat| table.signed(seat));
        games.push(signed(game_report(table.game(), table.white(), clock, now), confirmed));
        report.insert("games".into(), games.into());
    }
    report.insert("stacks".into(), by_seat(|seat| table.stacks()[seat].0));
    report.insert("phase".into(), table.phase().word().into());
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
    let mut report = Map::new();
    report.insert("white".into(), white.word().into());
    let outcome = game.outcome().map(|outcome| {
        let winner = outcome.winner.map(|color| Seat::playing(color, white).word());
        match outcome.decision() {
            Decision::Points(points) => {
                let points = points_value(BySeat::new(|seat: Seat| points[seat.color(white)]));
                json!({"winner": winner, "points": points, "reason": outcome.reason.word()})
            }
            Decision::Won(_) | Decision::Drawn | Decision::NoResult => {
                json!({"winner": winner, "reason": outcome.reason.word()})
            }
        }
    });
    report.insert("outcome".into(), outcome.into());
    let stakes = game.stakes();
    report.insert("contributed".into(), by_seat(|seat| stakes.contributed[seat.color(white)].0));
    report.insert("awarded".into(), by_seat(|seat| stakes.awarded[seat.color(white)].0));
    // The report of a game with a board always has the keys `hands` and `incidents`. Without cards the value of `hands`
    // is empty; without a placement phase the value of `incidents` is empty.
    if game.has_board() {
        report.insert("hands".into(), hands(game).into());
        let chess = game.chess();
        report.insert("start_fen".into(), chess.map(ChessPhase::start_fen).into());
        report.insert("moves".into(), chess.map(ChessPhase::moves).unwrap_or_default().into());
    }
    if let Some(score) = game.score() {
        report.insert("score".into(), by_seat(|seat| score.points[seat.color(white)]));
    }
    report.extend(object_of(game.own_report()));
    report.insert("clock_ms".into(), clock_ms(clock, now));
    if game.has_board() {
        let incidents = game.placement().map(Placement::incidents).unwrap_or_default();
        let incidents = incidents.into_iter().map(|(line, by)| json!({"line": line, "by": by.word()}));
        report.insert("incidents".into(), incidents.collect());
    }
    Value::Object(report)
}

/// Adds to a game's report which seats confirmed its result; nothing if none did.
fn signed(mut report: Value, by: BySeat<bool>) -> Value {
    let seats: Vec<&str> = Seat::ALL.into_iter().filter(|seat| by[*seat]).map(Seat::word).collect();
    if !seats.is_empty() {
        report["signed"] = seats.into();
    }
    report
}

/// The poker hands that everybody may know; the key is the colour.
fn hands(game: &dyn Game) -> Map<String, Value> {
    let seen = |color: Color| {
        let hand = game.cards()?.hand(color)?;
        let hand = json!({"cards": hand.cards, "name": hand.name.word(), "pieces": hand.pieces});
        Some((color.word().to_owned(), hand))
    };
    Color::ALL.into_iter().filter_map(seen).collect()
}

fn by_seat(number: impl Fn(Seat) -> u32) -> Value {
    json!({"A": number(Seat::A), "B": number(Seat::B)})
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

/// The number of byo-yomi periods that each colour has left. A colour without byo-yomi is left out.
fn periods(clock: &Clock, now: Instant) -> Value {
    let left = |side: Color| Some((side.word().to_owned(), clock.standing(side, now)?.periods?.into()));
    Value::Object(Color::ALL.into_iter().filter_map(left).collect())
}
