//! The match sheet: the terms, and what became of each game, for both players and the arbiter to sign (Laws of Chess, 8.7).
//!
//! The terms are those in force, so they include what `next` and rulings have changed; a game that was played on other terms
//! says which. The lines before and after identify the record.
#![warn(clippy::indexing_slicing)]

use tabiya_types::{Color, Fact, Seat, Sentence, say};

use super::infringements::IllegalMove;
use super::proof::Proof;
use super::replay::Replay;
use crate::rules::Placement;
use crate::table::{PlayedGame, Ruling, describe_ruling};

/// Returns the lines of the match sheet. `proof` is the record's head with its signature, as far as they are known.
pub fn lines<'a>(replay: &Replay, proof: impl Into<Proof<'a>>) -> Vec<Sentence> {
    let (header, Proof { head, signed, from, told }) = (replay.header(), proof.into());
    let mut lines = Vec::new();
    lines.extend(header.id.clone().map(|id| say!("sheet-match", "match: {id}", id)));
    lines.extend(header.start.clone().map(|start| say!("sheet-begun", "begun: {start}", start)));
    let terms = replay.table().agreement().sheet();
    let games = games(replay, &terms);
    lines.extend(terms);
    lines.extend(games);
    lines.extend(head.map(|head| say!("sheet-head", "head of the record: {head}", head = head.to_owned())));
    if let Some(signed) = signed {
        let (key, at, signature) = (signed.key.clone(), signed.at.clone(), signed.signature.clone());
        lines.push(say!("sheet-signed", "signed on {at} by the table with the key {key}", at, key));
        lines.push(say!("sheet-signature", "signature: {signature}", signature));
        lines.extend(from.map(|from| {
            say!(
                "sheet-signed-from",
                "the signature counts from line {from} on: an arbiter's ruling there says why",
                from
            )
        }));
    }
    if header.is_unsigned() {
        lines.push(say!("sheet-unsigned", "not signed: the table had no key when the match began"));
    }
    lines.extend(told.iter().cloned());
    lines.into_iter().map(Sentence::harmless).collect()
}

/// What became of each game, how the match stands, and the places for the names; nothing before the first game has begun.
fn games(replay: &Replay, terms: &[Sentence]) -> Vec<Sentence> {
    let table = replay.table();
    if !table.begun() && table.past_games().is_empty() && table.game().outcome().is_none() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for ((nth, played), result) in table.played_games().iter().enumerate().zip(table.games_in_words()) {
        lines.push(result);
        lines.extend(facts(replay, nth, played, terms));
        lines.extend(illegal_moves(replay, nth, played));
        lines.extend(confirmed(played));
    }
    lines.push(table.standing_in_words());
    let players = &table.agreement().players;
    lines.extend(
        Seat::ALL.map(|seat| say!("sheet-sign", "{name}: ______________", name = players[seat].clone())),
    );
    lines.push(say!("sheet-sign-arbiter", "arbiter: ______________"));
    lines
}

/// The terms of a game that are others now, its chips, clocks, false pieces and rulings.
fn facts(replay: &Replay, nth: usize, played: &PlayedGame<'_>, terms: &[Sentence]) -> Vec<Sentence> {
    let players = &played.agreement.players;
    let other = played.agreement.sheet().into_iter().filter(|term| !terms.contains(term));
    let mut lines: Vec<Sentence> =
        other.map(|term| say!("sheet-game-term", "played on other terms: {term}", term)).collect();
    let names = Seat::ALL.map(|seat| players[seat].clone());
    if let Some(betting) = played.game.betting() {
        lines.extend(betting.in_force().map(|terms| say!("sheet-in-force", "in this game: {terms}", terms)));
        let stakes = played.game.stakes();
        let [a, b] = names.clone();
        let of = |seat: Seat| {
            let color = seat.color(played.white);
            (stakes.stacks[color], stakes.contributed[color])
        };
        let ((stack_a, put_a), (stack_b, put_b)) = (of(Seat::A), of(Seat::B));
        lines.push(say!(
            "sheet-chips",
            "chips: {a} {stack_a}, {b} {stack_b}; put in: {put_a} and {put_b}",
            a,
            stack_a,
            b,
            stack_b,
            put_a,
            put_b
        ));
    }
    let reading = |color| played.clock.reading(color, replay.last_t()).map(|left| left.to_string());
    if let (Some(white), Some(black)) = (reading(Color::White), reading(Color::Black)) {
        lines.push(say!("sheet-clocks", "clocks: White {white}, Black {black}", white, black));
    }
    let incidents = played.game.placement().map(Placement::incidents).unwrap_or_default();
    lines.extend(incidents.into_iter().map(|(_, by)| say!("sheet-false-piece", "false piece of {by}", by)));
    let given: Vec<&Ruling> =
        replay.illegal_moves().of_game(nth).filter_map(|illegal| illegal.ruling.as_ref()).collect();
    lines.extend(
        played
            .rulings
            .iter()
            .filter(|ruling| !given.contains(ruling))
            .map(|ruling| say!("sheet-ruling", "{ruling}", ruling = describe_ruling(ruling, players))),
    );
    lines
}

/// The illegal moves of a game, each with what the arbiter gave for it.
fn illegal_moves(replay: &Replay, nth: usize, played: &PlayedGame<'_>) -> Vec<Sentence> {
    let players = &played.agreement.players;
    let told = |illegal: &IllegalMove| {
        let (by, number) = (illegal.by, illegal.number);
        let ruling = illegal.ruling.as_ref().filter(|ruling| played.rulings.contains(ruling));
        match ruling {
            Some(ruling) => say!(
                "sheet-illegal-ruled",
                "illegal move number {number} of {by}: {ruling}",
                number,
                by,
                ruling = describe_ruling(ruling, players)
            ),
            None => say!("sheet-illegal", "illegal move number {number} of {by}", number, by),
        }
    };
    replay.illegal_moves().of_game(nth).map(told).collect()
}

/// Who confirmed the result of a game; `None` if nobody did.
pub fn confirmed(played: &PlayedGame<'_>) -> Option<Sentence> {
    let names: Vec<String> = Seat::ALL
        .into_iter()
        .filter(|seat| played.signed[*seat])
        .map(|seat| played.agreement.players[seat].clone())
        .collect();
    (!names.is_empty()).then(|| say!("sheet-confirmed", "confirmed by {names}", names = Fact::list(names)))
}
