//! Choker's own lines: `deal bet reveal place correct fouled`, and those of the chess phase.
//!
//! Source: record, "Lines".

use std::fmt;

use serde_json::{Map, Value};

use crate::rules::betting::Bet;
use crate::rules::chips::Chips;
use crate::rules::game::ActionData;
use crate::rules::play::PlayAction;
use crate::rules::text::{Fields, FormError};
use tabiya_types::{ByColor, Card, Color, Role, Sentence, Square, one_letter, say};

/// A card as dealt: `None` where nobody knows it. It is a secret until it is turned over, so that no log
/// and no failing assertion shows it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Dealt(Option<Card>);

impl fmt::Debug for Dealt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("?")
    }
}

/// The word that goes with a changed piece (rule 10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Says {
    /// The piece is worth more than the face.
    Promoted,
    /// The piece is worth less than the face.
    Demoted,
    /// One of each.
    Palace,
    /// Three of a kind and a pair.
    Empress,
}

impl Says {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Promoted, Self::Demoted, Self::Palace, Self::Empress];

    /// The record's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Promoted => "promoted",
            Self::Demoted => "demoted",
            Self::Palace => "palace",
            Self::Empress => "empress",
        }
    }

    /// The same as it is said at the table.
    pub fn sentence(self) -> Sentence {
        match self {
            Self::Promoted => say!("says-promoted", "promoted"),
            Self::Demoted => say!("says-demoted", "demoted"),
            Self::Palace => say!("says-palace", "palace"),
            Self::Empress => say!("says-empress", "empress"),
        }
    }

    /// The meaning of a record's word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|says| says.word() == word)
    }
}

/// Everything that players do in a game of Choker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChokerAction {
    /// The street's cards lie on the table.
    Deal {
        /// What a reader or a dealer knows of them, in the order dealt.
        cards: ByColor<Option<Vec<Dealt>>>,
    },
    /// A bet.
    Bet {
        /// Whose.
        by: Color,
        /// What.
        bet: Bet,
    },
    /// A card turned over in placement.
    Reveal {
        /// Whose.
        by: Color,
        /// Its face.
        card: Card,
        /// Whether a reader read it, where that is known.
        read: Option<bool>,
        /// Which of the deck's equal cards, if a reader knows.
        copy: Option<u64>,
    },
    /// A piece put on the board.
    Place {
        /// Whose.
        by: Color,
        /// What the card is played as.
        piece: Card,
        /// Where.
        at: Square,
        /// The announced change.
        says: Option<Says>,
        /// The physical piece standing in.
        stands: Option<Role>,
    },
    /// A false piece becomes the right one.
    Correct {
        /// A player; `None` is the arbiter.
        by: Option<Color>,
        /// Where the false piece was placed.
        at: Square,
        /// The right piece.
        piece: Card,
        /// Where it goes, if not there.
        on: Option<Square>,
        /// Why.
        reason: Option<String>,
    },
    /// A fouled deck or deal.
    Fouled {
        /// A player; `None` is the arbiter.
        by: Option<Color>,
        /// Why.
        reason: String,
    },
    /// An action of the chess phase.
    Play(PlayAction),
}

impl ChokerAction {
    pub(super) fn read(verb: &str, fields: &mut Fields) -> Result<Option<Self>, FormError> {
        Ok(Some(match verb {
            "deal" => Self::Deal { cards: dealt(fields)? },
            "bet" => bet(fields)?,
            "reveal" => Self::Reveal {
                by: fields.by_player()?,
                card: fields.piece("card")?,
                read: fields.parsed("how", "`read` or `typed`", |word| match word {
                    "read" => Some(true),
                    "typed" => Some(false),
                    _ => None,
                })?,
                copy: fields.number("copy", 99)?,
            },
            "place" => Self::Place {
                by: fields.by_player()?,
                piece: fields.piece("piece")?,
                at: fields.square("at")?,
                says: fields.parsed(
                    "says",
                    "`promoted`, `demoted`, `palace` or `empress`",
                    Says::from_word,
                )?,
                stands: fields.stand_in()?,
            },
            "correct" => Self::Correct {
                by: fields.by_anyone()?,
                at: fields.square("at")?,
                piece: fields.piece("piece")?,
                on: fields.parsed("on", "a square a1 to h8", |text| text.parse().ok())?,
                reason: fields.text("reason")?,
            },
            "fouled" => Self::Fouled {
                by: fields.by_anyone()?,
                reason: fields.text("reason")?.ok_or_else(|| fields.missing("reason"))?,
            },
            _ => return Ok(PlayAction::read(verb, fields)?.map(Self::Play)),
        }))
    }
}

fn bet(fields: &mut Fields) -> Result<ChokerAction, FormError> {
    let by = fields.by_player()?;
    let word = fields.text("action")?.ok_or_else(|| fields.missing("action"))?;
    // More than anybody can have is a matter of the rules, not of form.
    let to = fields.number("to", u64::MAX)?.map(|to| Chips(u32::try_from(to).unwrap_or(u32::MAX)));
    let bet = match (word.as_str(), to) {
        ("raise", Some(to)) => Bet::Raise(to),
        ("raise", None) => {
            return Err(FormError::new("a raise lacks the field `to`: the total on this street"));
        }
        ("fold", None) => Bet::Fold,
        ("check", None) => Bet::Check,
        ("call", None) => Bet::Call,
        ("all-in", None) => Bet::AllIn,
        ("fold" | "check" | "call" | "all-in", Some(_)) => {
            return Err(FormError(format!("`to` goes with `raise` only, not with `{word}`")));
        }
        _ => return Err(fields.wrong("action", "`fold`, `check`, `call`, `raise` or `all-in`")),
    };
    Ok(ChokerAction::Bet { by, bet })
}

fn dealt(fields: &mut Fields) -> Result<ByColor<Option<Vec<Dealt>>>, FormError> {
    let Some(cards) = fields.take("cards") else { return Ok(ByColor::default()) };
    let mut cards = Fields::of_value("`cards`", cards)?;
    let mut dealt = ByColor::default();
    for color in Color::ALL {
        dealt[color] = match cards.take(color.word()) {
            None => None,
            Some(Value::Array(list)) => Some(
                list.iter()
                    .map(|card| card.as_str().and_then(one_letter).and_then(dealt_card))
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(|| cards.wrong(color.word(), "a list of Q R B N P or ?"))?,
            ),
            Some(_) => return Err(cards.wrong(color.word(), "a list of Q R B N P or ?")),
        };
    }
    cards.finish()?;
    Ok(dealt)
}

fn dealt_card(letter: char) -> Option<Dealt> {
    if letter == '?' { Some(Dealt(None)) } else { Card::from_letter(letter).map(|card| Dealt(Some(card))) }
}

fn letter(card: Card) -> Value {
    card.letter().to_string().into()
}

impl ActionData for ChokerAction {
    fn verb(&self) -> &'static str {
        match self {
            Self::Deal { .. } => "deal",
            Self::Bet { .. } => "bet",
            Self::Reveal { .. } => "reveal",
            Self::Place { .. } => "place",
            Self::Correct { .. } => "correct",
            Self::Fouled { .. } => "fouled",
            Self::Play(play) => play.verb(),
        }
    }

    fn by(&self) -> Option<Color> {
        match self {
            Self::Deal { .. } => None,
            Self::Bet { by, .. } | Self::Reveal { by, .. } | Self::Place { by, .. } => Some(*by),
            Self::Correct { by, .. } | Self::Fouled { by, .. } => *by,
            Self::Play(play) => play.by(),
        }
    }

    fn fields(&self, fields: &mut Map<String, Value>) {
        let mut put = |name: &str, value: Value| {
            fields.insert(name.to_owned(), value);
        };
        match self {
            Self::Deal { cards } => {
                let known: Map<String, Value> = cards
                    .iter()
                    .filter_map(|(color, dealt)| {
                        let face = |card: &Dealt| card.0.map_or_else(|| "?".into(), letter);
                        let list = dealt.as_ref()?.iter().map(face).collect();
                        Some((color.word().to_owned(), Value::Array(list)))
                    })
                    .collect();
                if !known.is_empty() {
                    put("cards", known.into());
                }
            }
            Self::Bet { bet, .. } => {
                put("action", bet.word().into());
                if let Bet::Raise(to) = bet {
                    put("to", to.0.into());
                }
            }
            Self::Reveal { card, read, copy, .. } => {
                put("card", letter(*card));
                if let Some(read) = read {
                    put("how", if *read { "read" } else { "typed" }.into());
                }
                if let Some(copy) = copy {
                    put("copy", (*copy).into());
                }
            }
            Self::Place { piece, at, says, stands, .. } => {
                put("piece", letter(*piece));
                put("at", at.to_string().into());
                if let Some(says) = says {
                    put("says", says.word().into());
                }
                if let Some(role) = stands {
                    put("stands", role.letter().to_string().into());
                }
            }
            Self::Correct { by, at, piece, on, reason } => {
                if by.is_none() {
                    put("by", "arbiter".into());
                }
                put("at", at.to_string().into());
                put("piece", letter(*piece));
                if let Some(on) = on {
                    put("on", on.to_string().into());
                }
                if let Some(reason) = reason {
                    put("reason", reason.clone().into());
                }
            }
            Self::Fouled { by, reason } => {
                if by.is_none() {
                    put("by", "arbiter".into());
                }
                put("reason", reason.clone().into());
            }
            Self::Play(play) => play.fields(fields),
        }
    }

    fn takes_turn(&self) -> bool {
        match self {
            Self::Reveal { .. } | Self::Place { .. } => true,
            Self::Deal { .. } | Self::Bet { .. } | Self::Correct { .. } | Self::Fouled { .. } => false,
            Self::Play(play) => play.takes_turn(),
        }
    }

    fn waits_while_paused(&self) -> bool {
        match self {
            Self::Deal { .. } | Self::Bet { .. } | Self::Reveal { .. } | Self::Place { .. } => true,
            Self::Correct { .. } | Self::Fouled { .. } => false,
            Self::Play(play) => play.waits_while_paused(),
        }
    }

    fn stand_in(&self) -> Option<Role> {
        match self {
            Self::Place { stands, .. } => *stands,
            Self::Play(play) => play.stand_in(),
            Self::Deal { .. }
            | Self::Bet { .. }
            | Self::Reveal { .. }
            | Self::Correct { .. }
            | Self::Fouled { .. } => None,
        }
    }

    fn mends_a_fault(&self) -> bool {
        matches!(self, Self::Correct { .. })
    }

    fn tell(&self) -> Sentence {
        match *self {
            Self::Deal { .. } => say!("tell-deal", "the cards are dealt"),
            Self::Bet { by, bet } => tell_bet(by, bet),
            Self::Reveal { by, card, .. } => say!("tell-reveal", "{by} turns a {card} over", by, card),
            Self::Place { by, piece, at, says: None, .. } => {
                say!("tell-place", "{by} places a {piece} on {at}", by, piece, at)
            }
            Self::Place { by, piece, at, says: Some(says), .. } => {
                let says = says.sentence();
                say!("tell-place-says", "{by} places a {piece} on {at}, {says}", by, piece, at, says)
            }
            Self::Correct { at, piece, on, ref reason, .. } => {
                let on = on.unwrap_or(at);
                match reason.clone() {
                    Some(reason) => say!(
                        "tell-correct-because",
                        "the piece on {at} becomes a {piece} on {on}: {reason}",
                        at,
                        piece,
                        on,
                        reason
                    ),
                    None => {
                        say!("tell-correct", "the piece on {at} becomes a {piece} on {on}", at, piece, on)
                    }
                }
            }
            Self::Fouled { ref reason, .. } => {
                say!("tell-fouled", "the deal is fouled: {reason}", reason = reason.clone())
            }
            Self::Play(ref play) => play.tell(),
        }
    }
}

fn tell_bet(by: Color, bet: Bet) -> Sentence {
    match bet {
        Bet::Fold => say!("tell-fold", "{by} folds", by),
        Bet::Check => say!("tell-check", "{by} checks", by),
        Bet::Call => say!("tell-call", "{by} calls", by),
        Bet::Raise(to) => say!("tell-raise", "{by} raises to {to}", by, to),
        Bet::AllIn => say!("tell-all-in", "{by} is all-in", by),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dealt_card_is_printed_by_no_debug() {
        let text = r#"{"cards":{"white":["Q","R"],"black":["N","?"]}}"#;
        let Ok(Value::Object(map)) = text.parse() else { panic!("an object") };
        let read = ChokerAction::read("deal", &mut Fields::new("`deal`", map)).expect("it is one");
        let deal = read.expect("a word of this game");
        let shown = format!("{deal:?} {deal:#?}");
        assert!(shown.contains('?') && !shown.contains(['Q', 'R', 'N']), "{shown}");
        for name in ["Queen", "Rook", "Knight"] {
            assert!(!shown.contains(name), "{shown}");
        }
        // Its fields still have them, for the record.
        let mut fields = Map::new();
        deal.fields(&mut fields);
        assert_eq!(Value::from(fields).to_string(), text);
    }
}
