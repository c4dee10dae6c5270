//! Converts lines of a record between JSON and values.
//!
//! Source: `docs/record.md`, "What a line may be". The words in a record's text are defined only in this file and in
//! the games, so renaming a Rust type elsewhere does not change the text. Parsing is strict: an unknown field or word
//! makes the line unusable.
#![warn(clippy::indexing_slicing)]

use serde_json::{Map, Value, json};
use tabiya_types::{Board, ByColor, BySeat, Color, Instant, LAST_MOMENT, Role, Seat, one_letter};

use super::chain::SEALS;
use super::header::{Header, take_own_fields, time_term};
use super::{actions, json};
use crate::clock::{MOST_MOVES, MOST_PERIODS};
use crate::rules::{Datum, Fields, FormError, GameKind, Group, MOST_CHIPS};
pub use crate::table::Body;
use crate::table::{Author, Common, Evidence, Input, Note, RuledResult, Ruling, TimeTerm, UndoWhat};

/// One line of a record after its header.
#[derive(Clone, PartialEq)]
pub struct Line {
    /// The time at which the line was written.
    pub t: Instant,
    /// The time at which the input happened, if the line was written later; otherwise `None`.
    pub when: Option<Instant>,
    /// The line's id. A line with the id of an earlier line is ignored.
    pub id: Option<String>,
    /// The input or the evidence that the line reports.
    pub body: Body,
    /// The extension fields, whose names begin with `x-`. They are kept but have no effect on the match.
    pub(super) own: OwnFields,
}

/// The extension fields of a line. Nearly all lines have none, and a long match has very many lines: so a line without them
/// has no room for them.
#[derive(Clone, PartialEq, Default)]
pub(super) struct OwnFields(Option<Box<Map<String, Value>>>);

impl OwnFields {
    fn of(fields: Map<String, Value>) -> Self {
        Self(Some(fields).filter(|fields| !fields.is_empty()).map(Box::new))
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.0.as_ref()?.get(name)
    }

    fn insert(&mut self, name: &str, value: Value) {
        self.0.get_or_insert_default().insert(name.to_owned(), value);
    }

    fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().flat_map(|fields| fields.iter())
    }
}

/// Prints the names of the extension fields, but not their values. A value may be the salt of a sealed card, and the
/// salt would reveal the card.
impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let own: Vec<&String> = self.own.iter().map(|(name, _)| name).collect();
        f.debug_struct("Line")
            .field("t", &self.t)
            .field("when", &self.when)
            .field("id", &self.id)
            .field("body", &self.body)
            .field("own", &own)
            .finish()
    }
}

impl Line {
    /// A line without an id and without extension fields. A `when` that equals `t` is left out.
    pub fn new(t: Instant, when: Option<Instant>, body: Body) -> Self {
        Self { t, when: when.filter(|when| *when != t), id: None, body, own: OwnFields::default() }
    }

    /// The same line with this note: its id and its extension fields.
    #[must_use]
    pub fn noted(mut self, Note { id, own }: Note) -> Self {
        self.id = id;
        self.add_extensions(own);
        self
    }

    /// What the line says, and its note: its id and its extension fields.
    pub fn into_noted(self) -> (Body, Note) {
        let own = self.own.0.map(|fields| json::group_of(*fields)).unwrap_or_default();
        (self.body, Note { id: self.id, own })
    }

    /// Sets these extension fields.
    pub fn add_extensions(&mut self, fields: Group) {
        fields.into_iter().for_each(|(name, value)| self.set_extension(&name, value));
    }

    /// The value of the extension field `name`, which begins with `x-`; `None` if the line does not have this
    /// field.
    pub fn extension(&self, name: &str) -> Option<Datum> {
        self.own.get(name).cloned().map(json::datum_of)
    }

    /// Sets the extension field `name`, which must begin with `x-`. Other names are reserved for the fields of
    /// the record.
    pub fn set_extension(&mut self, name: &str, value: impl Into<Datum>) {
        debug_assert!(
            name.starts_with("x-"),
            "the name of an extension field begins with `x-`, not `{name}`"
        );
        self.own.insert(name, json::value_of(value.into()));
    }

    /// Replaces the extension fields of this line by those in `line`. `line` is this line as JSON, where the extension
    /// fields may have changed.
    pub fn take_own(&mut self, mut line: Value) {
        self.own = OwnFields::of(take_own_fields(&mut line));
    }

    /// Whether the line is a deal with sealed cards.
    pub fn is_sealed(&self) -> bool {
        self.own.get(SEALS).is_some()
    }

    /// The moment at which the line takes effect: its `when` if it has one, otherwise its `t`.
    pub fn moment(&self) -> Instant {
        self.when.unwrap_or(self.t)
    }

    /// Parses a line of the match with this header. `Err` means that the form of the line is wrong.
    pub fn parse(text: &str, header: &Header) -> Result<Self, FormError> {
        let mut value = json::parse(text).map_err(|error| FormError(format!("not JSON: {error}")))?;
        let own = OwnFields::of(take_own_fields(&mut value));
        let mut fields = Fields::of_value("the line", json::datum_of(value))?;
        let t = fields.number("t", LAST_MOMENT)?.ok_or_else(|| fields.missing("t"))?;
        let t = Instant::from_millis(t);
        let id = fields.text("id")?;
        let verb = fields.text("do")?.ok_or_else(|| fields.missing("do"))?;
        let body = body(&verb, &mut fields, header)?;
        let when = if may_say_when(&body) {
            fields.number("when", LAST_MOMENT)?.map(Instant::from_millis)
        } else {
            None
        };
        fields.finish().map_err(|error| FormError(format!("`{verb}`: {error}")))?;
        if when.is_some_and(|when| when > t) {
            return Err(FormError::new(
                "`when` is later than `t`, but a line is written after what it reports",
            ));
        }
        Ok(Self { t, when, id, body, own })
    }

    /// The line as JSON, with its fields in the usual order.
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        map.insert("t".into(), self.t.millis().into());
        match &self.body {
            Body::Acted(Input::Game(action)) => actions::write(action, &mut map),
            Body::Acted(Input::Common(common)) => write_common(common, &mut map),
            Body::Evidence(Evidence::Sees(board)) => {
                map.insert("do".into(), "sees".into());
                map.insert("board".into(), board.to_string().into());
            }
            Body::Evidence(Evidence::Button(by)) => {
                map.insert("do".into(), "button".into());
                map.insert("by".into(), by.word().into());
            }
        }
        if let Some(when) = self.when {
            map.insert("when".into(), when.millis().into());
        }
        if let Some(id) = &self.id {
            map.insert("id".into(), id.clone().into());
        }
        map.extend(self.own.iter().map(|(name, value)| (name.clone(), value.clone())));
        Value::Object(map)
    }
}

/// Writes the line as JSON, as in a file.
impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_value().fmt(f)
    }
}

fn may_say_when(body: &Body) -> bool {
    match body {
        Body::Acted(Input::Game(action)) => action.takes_turn(),
        Body::Acted(Input::Common(common)) => matches!(common, Common::Press(_)),
        Body::Evidence(_) => false,
    }
}

fn body(verb: &str, fields: &mut Fields, header: &Header) -> Result<Body, FormError> {
    let common = match verb {
        "sees" => {
            let board =
                fields.need("board", "the placement field of a FEN", |text| text.parse::<Board>().ok())?;
            return Ok(Body::Evidence(Evidence::Sees(Box::new(board))));
        }
        "button" => return Ok(Body::Evidence(Evidence::Button(fields.by_player()?))),
        "press" => Common::Press(fields.by_player()?),
        "pause" => Common::Pause(anyone(fields)?),
        "resume" => Common::Resume(anyone(fields)?),
        "rule" => Common::Rule(Box::new(ruling(fields, header.kind)?)),
        "undo" => undo(fields)?,
        "redo" => Common::Redo { by: anyone_if_said(fields)? },
        "tick" => Common::Tick,
        "next" => Common::Next(next(fields, header)?),
        "end-match" => Common::EndMatch {
            by: anyone(fields)?,
            reason: fields.text("reason")?.ok_or_else(|| fields.missing("reason"))?,
        },
        "claim-flag" => Common::ClaimFlag(anyone(fields)?),
        "stands" => Common::Stands {
            by: fields.by_player()?,
            piece: fields.piece("piece")?,
            shown_by: fields
                .need("as", "one of Q R B N P K", |text| one_letter(text).and_then(Role::from_letter))?,
        },
        "clock-reads" => {
            let mut side = |name| fields.number(name, LAST_MOMENT)?.ok_or_else(|| fields.missing(name));
            Common::ClockReads(ByColor { white: side("white")?, black: side("black")? })
        }
        "consent" => Common::Consent(fields.by_player()?),
        "signs" => Common::Signs(fields.by_player()?),
        _ => {
            return match actions::read(header.kind, verb, fields)? {
                Some(action) => Ok(Body::Acted(Input::Game(action))),
                None => Err(FormError(format!("the game `{}` has no input `{verb}`", header.kind.name()))),
            };
        }
    };
    Ok(Body::Acted(Input::Common(common)))
}

fn undo(fields: &mut Fields) -> Result<Common, FormError> {
    let what = fields.parsed("what", "`game` or `ruling`", |word| match word {
        "game" => Some(UndoWhat::Game),
        "ruling" => Some(UndoWhat::Ruling),
        _ => None,
    })?;
    let (what, by) = (what.unwrap_or_default(), anyone_if_said(fields)?);
    if what == UndoWhat::Ruling && by != Some(Author::Arbiter) {
        return Err(FormError::new("only `arbiter` may take a ruling back"));
    }
    Ok(Common::Undo { what, by, reason: fields.text("reason")? })
}

fn anyone(fields: &mut Fields) -> Result<Author, FormError> {
    Ok(fields.by_anyone()?.map_or(Author::Arbiter, Author::Player))
}

fn anyone_if_said(fields: &mut Fields) -> Result<Option<Author>, FormError> {
    if fields.names().any(|name| name == "by") { anyone(fields).map(Some) } else { Ok(None) }
}

/// Reads the terms that a `next` line changes, and checks their form.
fn next(fields: &mut Fields, header: &Header) -> Result<Group, FormError> {
    let changes: Group = header
        .kind
        .terms_for_next()
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), fields.take(name)?)))
        .collect();
    header.agreement.agreed.changed(&mut Fields::new("`next`", changes.clone()))?;
    Ok(changes)
}

fn ruling(fields: &mut Fields, kind: &dyn GameKind) -> Result<Ruling, FormError> {
    if anyone(fields)? != Author::Arbiter {
        return Err(FormError::new("only `arbiter` may send a ruling"));
    }
    let reason = fields.text("reason")?.ok_or_else(|| fields.missing("reason"))?;
    let set = fields.take("set").ok_or_else(|| fields.missing("set"))?;
    let mut set = Fields::of_value("`set`", set)?;
    let ruling = Ruling {
        reason,
        clock_ms: by_color(&mut set, "clock_ms", LAST_MOMENT)?,
        periods: counts(&mut set, "periods", MOST_PERIODS)?,
        moves: counts(&mut set, "moves", MOST_MOVES)?,
        stacks: by_seat(&mut set, "stacks")?,
        contributed: by_seat(&mut set, "contributed")?,
        chips_added: set.parsed("chips", "`added`", |word| (word == "added").then_some(()))?.is_some(),
        fen: set.parsed("fen", "a FEN", |fen| kind.reads_position(fen).then(|| fen.to_owned()))?,
        to_act: set.parsed("to_act", "`white` or `black`", Color::from_word)?,
        own: kind.read_ruling(&mut set)?,
        time: time_term(&mut set)?,
        result: ruled_result(&mut set)?,
    };
    set.finish()?;
    Ok(ruling)
}

/// Reads what a ruling makes of the game: at most one of `winner`, `points`, `forfeit` and `game`.
fn ruled_result(set: &mut Fields) -> Result<Option<RuledResult>, FormError> {
    let winner = match set.take("winner") {
        None => None,
        Some(Datum::Nothing) => Some(RuledResult::Winner(None)),
        Some(value) => {
            let by = value.as_text().and_then(Seat::from_word);
            Some(RuledResult::Winner(Some(by.ok_or_else(|| set.wrong("winner", "`A`, `B` or null"))?)))
        }
    };
    let forfeit = set.parsed("forfeit", "`A`, `B` or `both`", |word| match word {
        "both" => Some(RuledResult::Forfeit(None)),
        word => Seat::from_word(word).map(|seat| RuledResult::Forfeit(Some(seat))),
    })?;
    let game = set.parsed("game", "`void` or `on`", |word| match word {
        "void" => Some(RuledResult::Void),
        "on" => Some(RuledResult::GoesOn),
        _ => None,
    })?;
    let mut said = [winner, ruled_points(set)?, forfeit, game].into_iter().flatten();
    let result = said.next();
    match said.next() {
        None => Ok(result),
        Some(_) => Err(FormError::new("`set` may have only one of `winner`, `points`, `forfeit` and `game`")),
    }
}

/// Reads points that are no win, loss or draw: 0, 0.5 or 1 for each seat.
fn ruled_points(set: &mut Fields) -> Result<Option<RuledResult>, FormError> {
    let Some(value) = set.take("points") else { return Ok(None) };
    let mut seats = Fields::of_value("`points`", value)?;
    let mut of = |seat: &str| match seats.take(seat) {
        Some(Datum::Number(0) | Datum::Other(0.0)) => Ok(0),
        Some(Datum::Other(0.5)) => Ok(1),
        Some(Datum::Number(1) | Datum::Other(1.0)) => Ok(2),
        Some(_) => Err(seats.wrong(seat, "0, 0.5 or 1")),
        None => Err(seats.missing(seat)),
    };
    let points = BySeat { a: of("A")?, b: of("B")? };
    seats.finish()?;
    match RuledResult::of_half_points(points) {
        Some(result) => Ok(Some(result)),
        None => Err(FormError::new("`points` must be no win, loss or draw; `winner` says these")),
    }
}

fn by_color(set: &mut Fields, name: &'static str, most: u64) -> Result<ByColor<Option<u64>>, FormError> {
    let Some(value) = set.take(name) else { return Ok(ByColor::default()) };
    let mut sides = Fields::of_value(name, value)?;
    let pair = ByColor { white: sides.number("white", most)?, black: sides.number("black", most)? };
    sides.finish()?;
    Ok(pair)
}

fn counts(set: &mut Fields, name: &'static str, most: u64) -> Result<ByColor<Option<u32>>, FormError> {
    let pair = by_color(set, name, most)?;
    let count = |number: Option<u64>| number.and_then(|number| u32::try_from(number).ok());
    Ok(ByColor { white: count(pair.white), black: count(pair.black) })
}

fn by_seat(set: &mut Fields, name: &'static str) -> Result<BySeat<Option<u32>>, FormError> {
    let Some(value) = set.take(name) else { return Ok(BySeat::default()) };
    let mut seats = Fields::of_value(name, value)?;
    let mut chips = |seat: &str| {
        let number = seats.number(seat, MOST_CHIPS.into())?;
        Ok::<_, FormError>(number.map(|chips| u32::try_from(chips).unwrap_or(MOST_CHIPS)))
    };
    let pair = BySeat { a: chips("A")?, b: chips("B")? };
    seats.finish()?;
    Ok(pair)
}

fn write_common(common: &Common, map: &mut Map<String, Value>) {
    let (verb, by) = match common {
        Common::Press(by) => ("press", Some(Author::Player(*by))),
        Common::Pause(by) => ("pause", Some(*by)),
        Common::Resume(by) => ("resume", Some(*by)),
        Common::Rule(_) => ("rule", Some(Author::Arbiter)),
        Common::Undo { by, .. } => ("undo", *by),
        Common::Redo { by } => ("redo", *by),
        Common::Tick => ("tick", None),
        Common::Next(_) => ("next", None),
        Common::EndMatch { by, .. } => ("end-match", Some(*by)),
        Common::ClaimFlag(by) => ("claim-flag", Some(*by)),
        Common::Stands { by, .. } => ("stands", Some(Author::Player(*by))),
        Common::ClockReads(_) => ("clock-reads", None),
        Common::Consent(by) => ("consent", Some(Author::Player(*by))),
        Common::Signs(by) => ("signs", Some(Author::Player(*by))),
    };
    map.insert("do".into(), verb.into());
    if let Some(by) = by {
        map.insert("by".into(), by.word().into());
    }
    match common {
        Common::Rule(ruling) => {
            map.insert("reason".into(), ruling.reason.clone().into());
            map.insert("set".into(), ruled(ruling).into());
        }
        Common::Undo { what, reason, .. } => {
            if let Some(reason) = reason {
                map.insert("reason".into(), reason.clone().into());
            }
            match what {
                UndoWhat::LastLine => {}
                UndoWhat::Game => drop(map.insert("what".into(), "game".into())),
                UndoWhat::Ruling => drop(map.insert("what".into(), "ruling".into())),
            }
        }
        Common::EndMatch { reason, .. } => {
            map.insert("reason".into(), reason.clone().into());
        }
        Common::Next(changes) => map.extend(json::object_of(changes.clone())),
        Common::Stands { piece, shown_by, .. } => {
            map.insert("piece".into(), piece.letter().to_string().into());
            map.insert("as".into(), shown_by.letter().to_string().into());
        }
        Common::ClockReads(reads) => {
            for (color, millis) in reads.iter() {
                map.insert(color.word().into(), (*millis).into());
            }
        }
        Common::Press(_)
        | Common::Pause(_)
        | Common::Resume(_)
        | Common::Redo { .. }
        | Common::Tick
        | Common::ClaimFlag(_)
        | Common::Consent(_)
        | Common::Signs(_) => {}
    }
}

fn ruled(ruling: &Ruling) -> Map<String, Value> {
    let mut set = Map::new();
    let colors = |number: &dyn Fn(Color) -> Option<u64>| {
        let known =
            Color::ALL.into_iter().filter_map(|color| Some((color.word().to_owned(), number(color)?.into())));
        known.collect::<Map<String, Value>>()
    };
    let seats = |pair: &BySeat<Option<u32>>| {
        let known =
            Seat::ALL.into_iter().filter_map(|seat| Some((seat.word().to_owned(), pair[seat]?.into())));
        known.collect::<Map<String, Value>>()
    };
    let pairs = [
        ("clock_ms", colors(&|color| ruling.clock_ms[color])),
        ("periods", colors(&|color| ruling.periods[color].map(u64::from))),
        ("moves", colors(&|color| ruling.moves[color].map(u64::from))),
        ("stacks", seats(&ruling.stacks)),
        ("contributed", seats(&ruling.contributed)),
    ];
    for (name, pair) in pairs {
        if !pair.is_empty() {
            set.insert(name.into(), pair.into());
        }
    }
    if ruling.chips_added {
        set.insert("chips".into(), "added".into());
    }
    if let Some(fen) = &ruling.fen {
        set.insert("fen".into(), fen.clone().into());
    }
    if let Some(color) = ruling.to_act {
        set.insert("to_act".into(), color.word().into());
    }
    if let Some(own) = &ruling.own {
        set.extend(json::object_of(own.fields()));
    }
    if let Some(time) = &ruling.time {
        set.insert("time".into(), time_value(time));
    }
    if let Some(result) = ruling.result {
        let (name, value) = match result {
            RuledResult::Winner(winner) => ("winner", winner.map_or(Value::Null, |seat| seat.word().into())),
            RuledResult::Points(half_points) => ("points", points_value(half_points)),
            RuledResult::Forfeit(absent) => ("forfeit", absent.map_or("both", Seat::word).into()),
            RuledResult::Void => ("game", "void".into()),
            RuledResult::GoesOn => ("game", "on".into()),
        };
        set.insert(name.into(), value);
    }
    set
}

/// Half points as the record writes them: `{"A":0,"B":0.5}`.
pub(super) fn points_value(half_points: BySeat<u8>) -> Value {
    let of = |seat: Seat| match half_points[seat] {
        half if half % 2 == 0 => Value::from(half / 2),
        half => Value::from(f64::from(half) / 2.0),
    };
    json!({"A": of(Seat::A), "B": of(Seat::B)})
}

/// Time controls as the field `time` has them.
fn time_value(time: &TimeTerm) -> Value {
    match time {
        TimeTerm::Both(control) => control.to_string().into(),
        TimeTerm::Seats(BySeat { a, b }) => json!({"A": a.to_string(), "B": b.to_string()}),
        TimeTerm::Colors(ByColor { white, black }) => {
            json!({"white": white.to_string(), "black": black.to_string()})
        }
    }
}
