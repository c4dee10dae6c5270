//! Converts the actions of the games between values and the fields of a record's line, and writes the legal
//! actions.
//!
//! Source: `docs/record.md`, "What a line may be" and "Results and errors". Actions that only one game has are
//! converted by that game.

use serde_json::{Map, Value, json};
use tabiya_types::{ByColor, Card, Color, one_letter};

use super::json;
use crate::rules::{
    Action, Bet, Chips, Correct, Dealt, DealtCards, Faces, Fields, FormError, GameKind, Offer, OwnAction,
    PieceAnnouncement, Place, PlayAction, Reveal, Uci, Verb,
};
use crate::table::LegalInput;

/// Reads the action that a record names with `word`; `None` if this kind of game has no such action.
pub(super) fn read(
    kind: &dyn GameKind,
    word: &str,
    fields: &mut Fields,
) -> Result<Option<Action>, FormError> {
    match Verb::from_word(word).filter(|verb| kind.verbs().contains(verb)) {
        Some(verb) => shared(verb, fields).map(Some),
        None => Ok(kind.read_own(word, fields)?.map(Action::Own)),
    }
}

fn shared(verb: Verb, fields: &mut Fields) -> Result<Action, FormError> {
    const WANTED: &str = "a move such as `e2e4` or `e7e8q`";
    Ok(match verb {
        Verb::Deal => Action::Deal(dealt(fields)?),
        Verb::Bet => bet(fields)?,
        Verb::Reveal => Action::Reveal(reveal(fields)?),
        Verb::Place => Action::Place(place(fields)?),
        Verb::Correct => Action::Correct(correct(fields)?),
        Verb::Fouled => Action::Fouled {
            by: fields.by_anyone()?,
            reason: fields.text("reason")?.ok_or_else(|| fields.missing("reason"))?,
        },
        Verb::Move => Action::Play(PlayAction::Move {
            by: fields.by_player()?,
            uci: fields.need("uci", WANTED, Uci::parse)?,
            stands: fields.stand_in()?,
        }),
        Verb::Resign => Action::Play(PlayAction::Resign(fields.by_player()?)),
        Verb::OfferDraw => Action::Play(PlayAction::OfferDraw(fields.by_player()?)),
        Verb::AcceptDraw => Action::Play(PlayAction::AcceptDraw(fields.by_player()?)),
        Verb::DeclineDraw => Action::Play(PlayAction::DeclineDraw(fields.by_player()?)),
        Verb::ClaimDraw => Action::Play(PlayAction::ClaimDraw {
            by: fields.by_player()?,
            uci: fields.parsed("uci", WANTED, Uci::parse)?,
        }),
    })
}

fn bet(fields: &mut Fields) -> Result<Action, FormError> {
    let by = fields.by_player()?;
    let word = fields.text("action")?.ok_or_else(|| fields.missing("action"))?;
    // A bet may state more chips than any possible stack has. That is no error in the form of the line; the rules
    // refuse the bet later.
    let to = fields.number("to", u64::MAX)?.map(|to| Chips(u32::try_from(to).unwrap_or(u32::MAX)));
    let bet = match (word.as_str(), to) {
        ("raise", Some(to)) => Bet::Raise(to),
        ("raise", None) => {
            return Err(FormError::new("a raise needs the field `to`: the player's total on this street"));
        }
        ("fold", None) => Bet::Fold,
        ("check", None) => Bet::Check,
        ("call", None) => Bet::Call,
        ("all-in", None) => Bet::AllIn,
        ("fold" | "check" | "call" | "all-in", Some(_)) => {
            return Err(FormError(format!("the field `to` belongs to `raise`, not to `{word}`")));
        }
        _ => return Err(fields.wrong("action", "`fold`, `check`, `call`, `raise` or `all-in`")),
    };
    Ok(Action::Bet { by, bet })
}

fn reveal(fields: &mut Fields) -> Result<Reveal, FormError> {
    Ok(Reveal {
        by: fields.by_player()?,
        card: fields.piece("card")?,
        read: fields.parsed("how", "`read` or `typed`", |word| match word {
            "read" => Some(true),
            "typed" => Some(false),
            _ => None,
        })?,
        copy: fields.number("copy", 99)?,
    })
}

fn place(fields: &mut Fields) -> Result<Place, FormError> {
    Ok(Place {
        by: fields.by_player()?,
        piece: fields.piece("piece")?,
        at: fields.square("at")?,
        says: fields.parsed(
            "says",
            "`promoted`, `demoted`, `palace` or `empress`",
            PieceAnnouncement::from_word,
        )?,
        stands: fields.stand_in()?,
    })
}

fn correct(fields: &mut Fields) -> Result<Correct, FormError> {
    Ok(Correct {
        by: fields.by_anyone()?,
        at: fields.square("at")?,
        piece: fields.piece("piece")?,
        on: fields.parsed("on", "a square a1 to h8", |text| text.parse().ok())?,
        reason: fields.text("reason")?,
    })
}

fn dealt(fields: &mut Fields) -> Result<DealtCards, FormError> {
    let Some(cards) = fields.take("cards") else { return Ok(DealtCards::default()) };
    let mut cards = Fields::of_value("`cards`", cards)?;
    let mut dealt = DealtCards::default();
    for color in Color::ALL {
        let read = |text: &str| one_letter(text).and_then(dealt_card);
        dealt[color] = cards.list(color.word(), "a list of Q R B N P or ?", read)?;
    }
    cards.finish()?;
    Ok(dealt)
}

fn dealt_card(letter: char) -> Option<Dealt> {
    if letter == '?' { Some(Dealt(None)) } else { Card::from_letter(letter).map(|card| Dealt(Some(card))) }
}

// ---- writing ----

/// Writes `do`, `by` and the fields of an action into `line`.
pub(super) fn write(action: &Action, line: &mut Map<String, Value>) {
    line.insert("do".into(), action.word().into());
    if let Some(by) = action.by() {
        line.insert("by".into(), by.word().into());
    }
    let mut put = |name: &str, value: Value| {
        line.insert(name.to_owned(), value);
    };
    match action {
        Action::Deal(cards) => {
            let known = written_cards(cards);
            if !known.is_empty() {
                put("cards", known.into());
            }
        }
        Action::Bet { bet, .. } => {
            put("action", bet.word().into());
            if let Bet::Raise(to) = bet {
                put("to", to.0.into());
            }
        }
        Action::Reveal(reveal) => {
            put("card", letter(reveal.card.letter()));
            put_some(&mut put, "how", reveal.read.map(|read| if read { "read" } else { "typed" }));
            put_some(&mut put, "copy", reveal.copy);
        }
        Action::Place(place) => {
            put("piece", letter(place.piece.letter()));
            put("at", place.at.to_string().into());
            put_some(&mut put, "says", place.says.map(PieceAnnouncement::word));
            put_some(&mut put, "stands", place.stands.map(|role| letter(role.letter())));
        }
        Action::Correct(correct) => write_correct(correct, &mut put),
        Action::Fouled { by, reason } => {
            put_some(&mut put, "by", by.is_none().then_some("arbiter"));
            put("reason", reason.clone().into());
        }
        Action::Play(play) => write_play(play, &mut put),
        Action::Own(own) => write_own(own, &mut put),
    }
}

fn put_some(put: &mut impl FnMut(&str, Value), name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        put(name, value.into());
    }
}

fn letter(letter: char) -> Value {
    letter.to_string().into()
}

fn written_cards(cards: &DealtCards) -> Map<String, Value> {
    let face = |card: &Dealt| card.0.map_or_else(|| "?".into(), |card| letter(card.letter()));
    let lists = cards.iter().filter_map(|(color, dealt)| {
        let list = dealt.as_ref()?.iter().map(face).collect();
        Some((color.word().to_owned(), Value::Array(list)))
    });
    lists.collect()
}

fn write_correct(correct: &Correct, put: &mut impl FnMut(&str, Value)) {
    put_some(put, "by", correct.by.is_none().then_some("arbiter"));
    put("at", correct.at.to_string().into());
    put("piece", letter(correct.piece.letter()));
    put_some(put, "on", correct.on.map(|on| on.to_string()));
    put_some(put, "reason", correct.reason.clone());
}

fn write_play(play: &PlayAction, put: &mut impl FnMut(&str, Value)) {
    match play {
        PlayAction::Move { uci, stands, .. } => {
            put("uci", uci.to_string().into());
            put_some(put, "stands", stands.map(|role| letter(role.letter())));
        }
        PlayAction::ClaimDraw { uci, .. } => put_some(put, "uci", uci.map(|uci| uci.to_string())),
        PlayAction::Resign(_)
        | PlayAction::OfferDraw(_)
        | PlayAction::AcceptDraw(_)
        | PlayAction::DeclineDraw(_) => {}
    }
}

fn write_own(own: &OwnAction, put: &mut impl FnMut(&str, Value)) {
    for (name, value) in own.fields() {
        put(&name, json::value_of(value));
    }
}

/// Writes an input that is legal now as a line of a record, but without `t`. All legal raises are one line, with the
/// smallest and the greatest number of chips in the field `"to":[least,most]`. All legal placements of a piece are one
/// line, with the squares in the field `"at":[squares]`.
pub fn legal_line(legal: &LegalInput) -> Value {
    let mut line = Map::new();
    if let Some(action) = legal.action() {
        write(action, &mut line);
        return line.into();
    }
    line.insert("do".into(), legal.word().into());
    if let Some(by) = legal.by() {
        line.insert("by".into(), by.word().into());
    }
    match legal {
        LegalInput::Game(Offer::Raise { least, most, .. }) => {
            line.insert("action".into(), "raise".into());
            line.insert("to".into(), json!([least.0, most.0]));
        }
        LegalInput::Game(Offer::Place { piece, at, .. }) => {
            line.insert("piece".into(), letter(piece.letter()));
            line.insert("at".into(), at.iter().map(ToString::to_string).collect());
        }
        LegalInput::Game(Offer::Own(own)) => {
            line.extend(own.fields().into_iter().map(|(name, value)| (name, json::value_of(value))));
        }
        LegalInput::Game(Offer::Do(_))
        | LegalInput::Press(_)
        | LegalInput::ClaimFlag(_)
        | LegalInput::Next => {}
    }
    line.into()
}

/// The letters of the dealt cards by colour, with `?` for an unknown card; `None` for a colour that the deal
/// does not mention.
pub(super) fn faces(cards: &DealtCards) -> Faces {
    let face = |card: &Dealt| card.0.map_or_else(|| "?".to_owned(), |card| card.letter().to_string());
    ByColor::new(|color| cards[color].as_ref().map(|dealt| dealt.iter().map(face).collect()))
}
