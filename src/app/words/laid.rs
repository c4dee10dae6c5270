//! Words of a game whose moves use up cards: `lay P`, `row N`, `return Q`, `roll 4`, `swap own stock`, `show P N`.
//!
//! The words become lines of the record with the fields that the game itself reads. A game without such lines does not
//! know the words.

use tabiya_engine::rules::{Action, Datum, Fields, FormError, GameKind, Group, OwnChange, presets};
use tabiya_engine::table::{Audience, LegalInput, QuestionBefore, Table};
use tabiya_types::{Color, Role, Sentence, Square, one_letter, say};

use super::help::knows;
use super::typed::{Meant, Typed, TypedOrder, actor, must, one};

/// The letters of the cards.
const LETTERS: &str = "JQRBNPX";
/// The words that begin a line here, or come after its owner.
const VERBS: [&str; 13] = [
    "lay", "own", "hand", "row", "common", "return", "roll", "throw", "swap", "show", "remove", "keep",
    "reveal",
];

/// The kind of the game at the table, if cards are laid in it.
fn kind(table: &Table) -> Option<&'static dyn GameKind> {
    presets::kind(table.agreement().game).filter(|kind| knows(*kind, "reveal"))
}

/// Whether a card is expected now, so that a single letter means one.
pub(super) fn expects_a_card(table: &Table) -> bool {
    kind(table).is_some()
        && table.legal().iter().any(|legal| lays(legal).is_some() || legal.word() == "return")
}

/// The place from which a legal input lays a card, as the record has it, and the card.
fn lays(legal: &LegalInput) -> Option<(String, String)> {
    let Some(Action::Own(own)) = legal.action().filter(|action| action.word() == "reveal") else {
        return None;
    };
    let text = |name: &str| own.fields().get(name).and_then(Datum::as_text).map(str::to_owned);
    Some((text("from")?, text("card")?))
}

/// Parses the words for cards, die and pawns.
pub(super) fn read(typed: &Typed<'_>) -> Meant {
    let Some(kind) = kind(typed.table) else { return Ok(None) };
    if let ["deal", cards @ ..] = typed.lower {
        return deal(kind, cards).map(Some);
    }
    if let [letter] = typed.lower
        && expects_a_card(typed.table)
        && let Some(card) = card_of(letter)
    {
        let owed = typed.table.legal().iter().any(|legal| legal.word() == "return");
        let by = actor(typed.table)?;
        return if owed {
            line(kind, "return", by, returned(&card)).map(|action| Some(one(action)))
        } else {
            lay(kind, typed, by, &card).map(Some)
        };
    }
    let Some((verb, owner, rest)) = typed.verb_and_owner(&VERBS) else { return Ok(None) };
    let rest: Vec<String> = rest.iter().map(|word| word.trim_matches(',').to_lowercase()).collect();
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let order = |by: Color| order(kind, typed, verb, by, &rest);
    match owner.or(|| actor(typed.table))? {
        Ok(by) => order(by).map(Some),
        Err(question) => {
            let inputs = |by: Color| match order(by) {
                Ok(TypedOrder::Do(inputs)) => Ok(inputs),
                Ok(_) => Err(say!("say-the-color", "say white or black instead of the name")),
                Err(error) => Err(error),
            };
            let (white, black) = (inputs(Color::White)?, inputs(Color::Black)?);
            Ok(Some(question.ask(|by| if by == Color::White { white.clone() } else { black.clone() })))
        }
    }
}

/// The throw of a die by this player, if the game at the table has one.
pub fn thrown(table: &Table, by: Color, pips: u8) -> Option<Action> {
    line(kind(table)?, "roll", by, Group::new().with("pips", pips)).ok()
}

fn order(
    kind: &dyn GameKind,
    typed: &Typed<'_>,
    verb: &str,
    by: Color,
    rest: &[&str],
) -> Result<TypedOrder, Sentence> {
    let (word, fields) = match (verb, rest) {
        ("lay" | "reveal", [card]) => return lay(kind, typed, by, &card_word(card)?),
        ("lay" | "reveal", [place, card]) if place_of(place).is_some() => {
            ("reveal", laid(place_of(place).unwrap_or("own"), &card_word(card)?))
        }
        ("own" | "hand", [card]) => ("reveal", laid("own", &card_word(card)?)),
        ("row" | "common", [card]) => ("reveal", laid("common", &card_word(card)?)),
        ("return", [card]) => ("return", returned(&card_word(card)?)),
        ("roll" | "throw", [pips]) => match pips.parse::<u8>() {
            Ok(pips @ 1..=6) => ("roll", Group::new().with("pips", pips)),
            _ => return Err(must(say!("form-pips", "a number from 1 to 6"), pips)),
        },
        ("swap", [from, with]) => ("swap", swapped(from, with, None)?),
        ("swap", [from, with, card]) => ("swap", swapped(from, with, Some(card_word(card)?))?),
        ("show", cards) => ("show", Group::new().with("cards", letters(cards)?)),
        ("remove", [at]) => {
            let at: Square = at.parse().map_err(|_| must(say!("form-pawn", "a square of a pawn"), at))?;
            ("remove", Group::new().with("at", at.to_string()))
        }
        ("keep" | "remove", []) => ("remove", Group::new()),
        _ => return Err(what_form()),
    };
    line(kind, word, by, fields).map(one)
}

/// Lays a card from where it can lie. If it can come from the hand and from the row, asks.
fn lay(kind: &dyn GameKind, typed: &Typed<'_>, by: Color, card: &str) -> Result<TypedOrder, Sentence> {
    let legal = typed.table.legal();
    let mut places = legal.iter().filter(|legal| legal.by() == Some(by)).filter_map(lays);
    let mut from: Vec<String> = Vec::new();
    for (place, _) in places.by_ref().filter(|(_, laid)| laid == card) {
        from.push(place);
    }
    let action = |place: &str| line(kind, "reveal", by, laid(place, card));
    match from.as_slice() {
        [one_place] => action(one_place).map(one),
        [] => action("own").map(one),
        _ => Ok(TypedOrder::Ask(QuestionBefore {
            to: Audience::Players,
            text: say!("ask-card-place", "where does {card} come from?", card = card.to_owned()),
            answers: vec![
                (say!("card-of-hand", "from the hand"), vec![action("own")?.into()]),
                (say!("card-of-row", "from the row"), vec![action("common")?.into()]),
            ],
        })),
    }
}

/// Parses `deal P P N X R`: the open cards of the first deal.
fn deal(kind: &dyn GameKind, cards: &[&str]) -> Result<TypedOrder, Sentence> {
    if cards.is_empty() {
        return Err(say!("deal-which-row", "which five cards lie open? for example `deal P P N X R`"));
    }
    let row = Group::new().with("common", letters(cards)?);
    let mut fields = Fields::new("`deal`", Group::new().with("cards", row));
    read_own(kind, "deal", &mut fields).map(one)
}

/// The change of a ruling about cards, and the words after it; `None` if these words are no such ruling.
pub(super) fn ruling<'a, 'b>(
    table: &Table,
    words: &'a [&'b str],
) -> Result<Option<(OwnChange, &'a [&'b str])>, Sentence> {
    let Some(kind) = presets::kind(table.agreement().game) else { return Ok(None) };
    let (set, left) = match words {
        ["row", one, two, three, four, five, left @ ..] => {
            (Group::new().with("common", letters(&[one, two, three, four, five])?), left)
        }
        ["stock", count, left @ ..] if count.parse::<u32>().is_ok() => {
            (Group::new().with("stock", count.parse::<u32>().unwrap_or_default()), left)
        }
        ["die", who @ ..] => {
            let (side, left) = super::rulings::color_of(who, table)?;
            (Group::new().with("die", side.word()), left)
        }
        _ => return Ok(None),
    };
    let mut fields = Fields::new("`set`", set);
    match kind.read_ruling(&mut fields) {
        Ok(Some(change)) => Ok(Some((change, left))),
        Ok(None) => Ok(None),
        Err(FormError(error)) => Err(say!("own-ruling-form", "{error}", error)),
    }
}

fn line(kind: &dyn GameKind, word: &str, by: Color, fields: Group) -> Result<Action, Sentence> {
    let mut whole = Group::new().with("by", by.word());
    whole.extend(fields);
    read_own(kind, word, &mut Fields::new("the line", whole))
}

fn read_own(kind: &dyn GameKind, word: &str, fields: &mut Fields) -> Result<Action, Sentence> {
    match kind.read_own(word, fields) {
        Ok(Some(own)) => Ok(Action::Own(own)),
        Ok(None) | Err(_) => Err(what_form()),
    }
}

fn laid(from: &str, card: &str) -> Group {
    Group::new().with("card", card).with("from", from).with("how", "typed")
}

fn returned(card: &str) -> Group {
    Group::new().with("card", card).with("how", "typed")
}

fn swapped(from: &str, with: &str, card: Option<String>) -> Result<Group, Sentence> {
    let place = |word: &str| place_of(word).ok_or_else(what_form);
    let with = match with {
        "stock" => "stock",
        "opponent" | "other" => "opponent",
        word => place(word).map(|_| "common")?,
    };
    let fields = Group::new().with("from", place(from)?).with("with", with);
    Ok(match card {
        Some(card) => fields.with("card", card),
        None => fields,
    })
}

fn place_of(word: &str) -> Option<&'static str> {
    match word {
        "own" | "hand" => Some("own"),
        "row" | "common" | "open" => Some("common"),
        _ => None,
    }
}

/// The letter of a card by its letter or its name.
fn card_of(word: &str) -> Option<String> {
    let by_name = match word {
        "joker" => Some('J'),
        "neutral" | "treason" => Some('X'),
        _ => Role::ALL.into_iter().find(|role| role.word() == word).map(Role::letter),
    };
    let letter = by_name.or_else(|| one_letter(word)).map(|letter| letter.to_ascii_uppercase())?;
    LETTERS.contains(letter).then(|| letter.to_string())
}

fn card_word(word: &str) -> Result<String, Sentence> {
    card_of(word).ok_or_else(|| must(say!("form-drez-card", "one of J Q R B N P X"), word))
}

/// The letters of several cards: `P N X`, or `pnx` in one word.
fn letters(words: &[&str]) -> Result<Vec<String>, Sentence> {
    let single = |word: &&str| -> Result<Vec<String>, Sentence> {
        match card_of(word) {
            Some(card) => Ok(vec![card]),
            None => word.chars().map(|letter| card_word(&letter.to_string())).collect(),
        }
    };
    Ok(words.iter().map(single).collect::<Result<Vec<_>, _>>()?.concat())
}

fn what_form() -> Sentence {
    say!(
        "laid-what",
        "for example `lay P`, `row N`, `return Q`, `roll 4`, `swap own stock`, `swap row stock Q`, `show P N`, `remove a2`, `keep`"
    )
}
