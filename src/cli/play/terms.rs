//! The terms of a match, from the arguments of `tabiya play`.

use tabiya_engine::record::{Header, json};
use tabiya_engine::rules::presets;
use tabiya_engine::rules::{Datum, GAMES, Group};
use tabiya_types::{BySeat, Seat};

use super::{PlayArguments, deals};
use crate::cli::output::ExitFailure;
use crate::cli::surroundings::{date, toss};
use crate::cli::times;

/// Makes the record's header from the arguments and these terms.
pub(super) fn header(arguments: &PlayArguments, terms: &Group) -> Result<Header, ExitFailure> {
    let players = players(arguments)?;
    let white = white(arguments)?;
    let start = arguments.start.clone().map_or_else(date, Ok).map_err(ExitFailure::unusable)?;
    let header = Header::compose(arguments.game(), &players, white, terms, Some(&start), None);
    Header::from_value(header, GAMES).map_err(ExitFailure::unusable)
}

/// Parses the names of the two players.
pub(super) fn players(arguments: &PlayArguments) -> Result<BySeat<String>, ExitFailure> {
    let given = arguments.players.as_deref().unwrap_or("A,B");
    let names: Vec<&str> = given.split(',').map(str::trim).collect();
    match names.as_slice() {
        [a, b] if !a.is_empty() && a.to_lowercase() == b.to_lowercase() => {
            let what = format!(
                "`--players {given}`: both have the same name; give each player his own, as in `--players Ann,Bo`"
            );
            Err(ExitFailure::unusable(what))
        }
        [a, b] if !a.is_empty() && !b.is_empty() => Ok(BySeat { a: (*a).to_owned(), b: (*b).to_owned() }),
        _ => {
            let what = format!("`--players {given}`: give two names, as in `--players Ann,Bo`");
            Err(ExitFailure::unusable(what))
        }
    }
}

/// Parses who has White first; for `coin`, tosses one.
pub(super) fn white(arguments: &PlayArguments) -> Result<Seat, ExitFailure> {
    match arguments.white.as_deref().unwrap_or("A") {
        "A" | "a" => Ok(Seat::A),
        "B" | "b" => Ok(Seat::B),
        "coin" => toss().map_err(ExitFailure::unusable),
        other => Err(ExitFailure::unusable(format!("`--white {other}`: write A, B or coin"))),
    }
}

/// Collects the terms in the form of the record, in this order: the preset, the single options, `--terms`, and `given`
/// (terms that the program itself sets). Later terms override earlier terms.
pub(super) fn terms(arguments: &PlayArguments) -> Result<Group, ExitFailure> {
    let words = arguments.language.words();
    let mut terms = preset(arguments.preset.as_deref(), arguments.game())?;
    if let Some(time) = &arguments.time {
        terms.set("time", times::of_match(time, &words)?.to_string());
    }
    arguments.own_terms.put(&mut terms, &words)?;
    let mut put = |name: &str, value: Option<Datum>| {
        if let Some(value) = value {
            terms.set(name, value);
        }
    };
    put("games", arguments.games.map(Datum::from));
    put("draw_wins", arguments.draw_wins.clone().map(Datum::from));
    put("press", arguments.press.clone().map(Datum::from));
    put("voice", arguments.voice.clone().map(Datum::from));
    put("clock", arguments.clock.clone().map(Datum::from));
    terms.extend(arguments.terms.as_deref().map(as_json).transpose()?.unwrap_or_default());
    terms.extend(arguments.given.clone().unwrap_or_default());
    deals::set_up_960(&mut terms, arguments.own_terms.chess960().flatten(), arguments.chance_seed())?;
    Ok(terms)
}

/// The terms that are written as a JSON object.
fn as_json(text: &str) -> Result<Group, ExitFailure> {
    match json::parse(text) {
        Ok(serde_json::Value::Object(more)) => Ok(json::group_of(more)),
        Ok(_) => Err(ExitFailure::unusable("--terms must be a JSON object in braces")),
        Err(error) => Err(ExitFailure::unusable(format!("--terms is not JSON: {error}"))),
    }
}

/// Returns the terms of the preset with this name; without a name, the game's required terms with their usual values.
fn preset(name: Option<&str>, game: &str) -> Result<Group, ExitFailure> {
    // An unknown game is reported later, when the header is made.
    let name = name.filter(|_| presets::kind(game).is_some());
    presets::terms(name, game).ok_or_else(|| {
        let other = name.unwrap_or_default();
        let known: Vec<&str> = presets::names(game).collect();
        ExitFailure::unusable(format!(
            "`{other}` is not a preset of this game; its presets are {}",
            known.join(", ")
        ))
    })
}
