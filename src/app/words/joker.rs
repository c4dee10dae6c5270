//! Words of a game in which a card is drawn and used each turn: `card VY`, `play c8f5`, `confirm`, `reject`, `check`.

use tabiya_engine::record::card_file::CardFile;
use tabiya_engine::rules::chess_joker::{CardEffect, Code, EffectError, JokerCard};
use tabiya_engine::rules::{Action, Fields, Group, presets};
use tabiya_engine::table::Voice;
use tabiya_types::{Color, Sentence, say};

use super::typed::{Meant, Typed, actor, one};
use super::who::WordOwner;

/// Parses a card that was drawn, a use of a card, an answer to it, or a claim of check.
pub(super) fn read(typed: &Typed<'_>, cards: Option<&CardFile>) -> Meant {
    if !is_played(typed) {
        return Ok(None);
    }
    let claim_of_mate = typed.lower == ["mate"] || typed.lower == ["check", "mate"];
    let Some((verb, owner, rest)) =
        typed.verb_and_owner(&["card", "play", "confirm", "reject", "check", "mate"])
    else {
        return Ok(None);
    };
    let fields = match verb {
        "card" => drawn(rest, cards)?,
        "play" => played(rest)?,
        _ if !rest.is_empty() && !claim_of_mate => return Ok(None),
        "check" if claim_of_mate => Group::new().with("mate", true),
        "mate" => Group::new().with("mate", true),
        _ => Group::new(),
    };
    let word = match verb {
        "card" => "draw",
        "mate" => "check",
        verb => verb,
    };
    let arbiter = typed.table.terms().voice == Voice::Event && !matches!(verb, "card" | "play");
    let action = |by: Option<Color>| own(typed, word, fields.clone(), by);
    match owner {
        WordOwner::Is(by) => Ok(Some(one(action(Some(by))?))),
        WordOwner::Unnamed if arbiter => Ok(Some(one(action(None)?))),
        WordOwner::Unnamed => {
            let acts = actor(typed.table)?;
            // A check is said by the player whose card gives it.
            Ok(Some(one(action(Some(if word == "check" { acts.other() } else { acts }))?)))
        }
        WordOwner::Either(question) => {
            let (white, black) = (action(Some(Color::White))?, action(Some(Color::Black))?);
            Ok(Some(
                question
                    .ask(|by| vec![if by == Color::White { white.clone() } else { black.clone() }.into()]),
            ))
        }
    }
}

/// Whether the game at the table has these words.
fn is_played(typed: &Typed<'_>) -> bool {
    own(typed, "confirm", Group::new(), Some(Color::White)).is_ok()
}

/// The game's own action with these fields, as in a record.
fn own(typed: &Typed<'_>, word: &str, fields: Group, by: Option<Color>) -> Result<Action, Sentence> {
    let game = typed.table.agreement().game;
    let fields = fields.with("by", by.map_or("arbiter", Color::word));
    let mut fields = Fields::new("the line", fields);
    match presets::kind(game).map(|kind| kind.read_own(word, &mut fields)) {
        Some(Ok(Some(own))) => Ok(Action::Own(own)),
        Some(Err(error)) => {
            Err(say!("card-wrong", "this cannot be used: {error}", error = error.to_string()))
        }
        Some(Ok(None)) | None => {
            let (word, game) = (word.to_owned(), game.to_owned());
            Err(say!("no-such-word-here", "`{word}` is no word of {game}", word, game))
        }
    }
}

/// Parses `?`, `VY`, `VY 25`, `VY* 25 warp *knight to beside enemy pawn`; a star after the code says that the card has
/// one. What is not typed comes from the card file, if the players use one.
fn drawn(words: &[&str], cards: Option<&CardFile>) -> Result<Group, Sentence> {
    let form = || say!("card-how", "which card? for example `card VY 25`, or `card ?`");
    let [code, rest @ ..] = words else { return Err(form()) };
    if *code == "?" && rest.is_empty() {
        return Ok(Group::new().with("card", "?"));
    }
    let star = code.ends_with('*');
    let code: Code = code.trim_end_matches('*').to_uppercase().parse().map_err(|()| form())?;
    let known = cards.and_then(|file| file.card(code)).map(|owned| &owned.card);
    let typed = JokerCard { code: Some(code), star: star.then_some(true), ..JokerCard::default() };
    let mut card = if rest.is_empty() { known.cloned().unwrap_or(typed) } else { typed };
    if let [elo, effect @ ..] = rest {
        card.elo = Some(elo.parse().map_err(|_| form())?);
        if !effect.is_empty() {
            let effect: CardEffect = effect.join(" ").parse().map_err(wrong_effect)?;
            card.effect = Some(std::sync::Arc::new(effect));
        }
    }
    Ok(card.recorded().with("how", "typed"))
}

fn wrong_effect(error: EffectError) -> Sentence {
    say!("effect-wrong", "the effect cannot be read: {error}", error = error.what)
}

/// Parses `c8f5 d6=B as N=P card VY elo 25`.
fn played(words: &[&str]) -> Result<Group, Sentence> {
    let form =
        || say!("play-how", "which steps? for example `play c8f5`, `play e5d6 d6=B` or `play e4d7 as N=P`");
    let is_key = |word: &&str| ["as", "card", "elo"].contains(&word.to_lowercase().as_str());
    let end = words.iter().position(is_key).unwrap_or(words.len());
    let (steps, keys) = words.split_at(end);
    let steps: Vec<&str> =
        steps.iter().flat_map(|word| word.split(',')).filter(|word| !word.is_empty()).collect();
    let mut fields = Group::new().with("steps", steps);
    for pair in keys.chunks(2) {
        let [key, value] = pair else { return Err(form()) };
        match key.to_lowercase().as_str() {
            "as" => {
                let mut mask = Group::new();
                for replaced in value.split(',') {
                    let (role, by) = replaced.split_once('=').ok_or_else(form)?;
                    mask.set(&role.to_uppercase(), by.to_uppercase());
                }
                fields.set("as", mask);
            }
            "card" => fields.set("card", value.to_uppercase()),
            _ => fields.set("elo", value.parse::<u64>().map_err(|_| form())?),
        }
    }
    Ok(fields)
}
