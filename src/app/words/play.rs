//! Words for draws, claims, resignations, and for a wrong deal: whose they are is said before or after the word.

use tabiya_engine::rules::{Action, PlayAction, Turn, Verb};
use tabiya_engine::table::{Author, Common, FinishClaim, Table, Voice};
use tabiya_types::{Color, Sentence, say};

use super::board::{moves_meant, nobody_goes};
use super::typed::{Meant, Typed, TypedOrder, actor, by_of, one};
use super::who::WordOwner;

const VERBS: [&str; 6] = ["resign", "draw", "accept", "decline", "claim", "fouled"];

/// Parses a draw offer, an answer to one, a claim, a resignation, or `fouled`.
pub(super) fn read(typed: &Typed<'_>) -> Meant {
    // `white offers a draw` is `white draw`: the words between the owner and the draw say nothing more. After another verb
    // they may be its reason.
    let other = typed.verb_and_owner(&VERBS).filter(|(verb, ..)| *verb != "draw");
    let offer = typed.lower.iter().position(|word| matches!(*word, "offer" | "offers"));
    let draw = typed.lower.iter().position(|word| word.starts_with("draw"));
    let shorter: Vec<&str> = match (offer, draw) {
        (Some(offer), Some(draw)) if offer < draw => {
            typed.lower[..offer].iter().chain(&typed.lower[draw..]).copied().collect()
        }
        _ => Vec::new(),
    };
    let shorter = match shorter.as_slice() {
        [] => *typed,
        words => Typed { lower: words, words, ..*typed },
    };
    let Some((verb, owner, rest)) = other.or_else(|| shorter.verb_and_owner(&VERBS)) else {
        return Ok(None);
    };
    match (verb, rest) {
        ("claim", ["flag", who @ ..]) => return Ok(Some(flag(typed, owner, who))),
        ("claim", rest) => return claim(typed, owner, rest),
        ("fouled", rest) => return fouled(typed, owner, rest).map(Some),
        (_, ["draw"] | []) => {}
        _ => return Ok(None),
    }
    let table = typed.table;
    let usual = || match verb {
        "resign" => actor(table),
        "draw" => match table.turn() {
            Turn::Timed { by, .. } => Ok(by),
            Turn::Untimed => Err(table.prompt()),
        },
        _ => by_of(table, Verb::DeclineDraw)
            .ok_or_else(|| say!("no-offer-to-answer", "there is no draw offer to answer")),
    };
    let action = |by: Color| match verb {
        "resign" => PlayAction::Resign(by),
        "draw" => PlayAction::OfferDraw(by),
        "accept" => PlayAction::AcceptDraw(by),
        _ => PlayAction::DeclineDraw(by),
    };
    typed.has(action(Color::White).verb())?;
    Ok(Some(match owner.or(usual)? {
        Ok(by) => one(action(by)),
        Err(question) => question.ask(|by| vec![action(by).into()]),
    }))
}

/// Parses `claim flag`, `claim flag white`, `white claims flag`.
fn flag(typed: &Typed<'_>, owner: WordOwner, who: &[&str]) -> TypedOrder {
    let named = super::who::player(who, typed.table);
    let owner = if named == WordOwner::Unnamed { owner } else { named };
    match owner {
        WordOwner::Is(by) => one(Common::ClaimFlag(Author::Player(by))),
        WordOwner::Unnamed => one(Common::ClaimFlag(Author::Arbiter)),
        WordOwner::Either(question) => question.ask(|by| vec![Common::ClaimFlag(Author::Player(by)).into()]),
    }
}

/// Parses `claim`, `claim draw`, `claim Nb8`, `black claims`, `claim normal means`, `claim no effort`, `claim increment`.
fn claim(typed: &Typed<'_>, owner: WordOwner, rest: &[&str]) -> Meant {
    typed.has(Verb::ClaimDraw)?;
    let by = match owner.or(|| actor(typed.table))? {
        Ok(by) => by,
        Err(question) => {
            return Ok(Some(question.ask(|by| vec![PlayAction::ClaimDraw { by, uci: None }.into()])));
        }
    };
    match rest {
        ["normal", "means"] => return Ok(Some(TypedOrder::ClaimFinish(by, FinishClaim::NormalMeans))),
        ["no", "effort"] => return Ok(Some(TypedOrder::ClaimFinish(by, FinishClaim::NoEffort))),
        ["increment"] => return Ok(Some(TypedOrder::ClaimFinish(by, FinishClaim::Increment))),
        _ => {}
    }
    let claimed = |uci| one(PlayAction::ClaimDraw { by, uci });
    let text = rest.join(" ");
    if ["", "draw"].contains(&text.to_lowercase().as_str()) {
        return Ok(Some(claimed(None)));
    }
    match moves_meant(&text, typed.table).as_slice() {
        [] => {
            if let Some(told) = nobody_goes(&text, typed.table) {
                return Err(told);
            }
            Err(say!("claim-what", "`claim {text}`: name the intended move, for example `claim Nb8`", text))
        }
        [uci, ..] => Ok(Some(claimed(Some(*uci)))),
    }
}

/// Parses `fouled REASON`, `fouled Bo REASON`. At a casual table it is a player's word, Black's if nobody is named: he
/// deals. At events it is the arbiter's.
fn fouled(typed: &Typed<'_>, owner: WordOwner, rest: &[&str]) -> Result<TypedOrder, Sentence> {
    typed.has(Verb::Fouled)?;
    let reason = rest.join(" ");
    if reason.is_empty() {
        return typed.reason(typed.words.len()).map(|_| TypedOrder::Nothing);
    }
    let by = match (typed.table.terms().voice, owner) {
        (Voice::Event, _) => None,
        (Voice::Casual, WordOwner::Is(by)) => Some(by),
        (Voice::Casual, WordOwner::Unnamed) => Some(dealer(typed.table)),
        (Voice::Casual, WordOwner::Either(question)) => {
            return Ok(
                question.ask(|by| vec![Action::Fouled { by: Some(by), reason: reason.clone() }.into()])
            );
        }
    };
    Ok(one(Action::Fouled { by, reason }))
}

fn dealer(table: &Table) -> Color {
    table.mover().unwrap_or(Color::Black)
}
