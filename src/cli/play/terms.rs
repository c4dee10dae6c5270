//! The terms of a match, from the arguments of `tabiya play`.

use tabiya_app::piece_sets;
use tabiya_engine::record::{Header, json};
use tabiya_engine::rules::{Datum, GAMES, Group, presets};
use tabiya_store::card_files;
use tabiya_types::{ByColor, BySeat, Seat};

use super::{PlayArguments, deals, sets};
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
    let mut put = |name: &str, value: Option<Datum>| {
        if let Some(value) = value {
            terms.set(name, value);
        }
    };
    let time = arguments.time.as_deref().map(|text| times::of_match(text, &words)).transpose()?;
    put("time", time.map(|control| control.to_string().into()));
    put("stacks", arguments.stacks.as_deref().map(stacks).transpose()?);
    put("small_blind", arguments.blind.map(Datum::from));
    put("structure", arguments.structure.as_deref().map(structure).transpose()?);
    let written = arguments.set.as_deref().filter(|set| *set != sets::COUNTED);
    let sets = written.map(|set| {
        let wrong = |why| ExitFailure::unusable(format!("`--set {set}`: {why}"));
        piece_sets::parse(set, &words).map_err(wrong)
    });
    put("sets", sets.transpose()?.map(|letters| piece_sets::term(ByColor::new(|_| letters.clone()))));
    put("becket", arguments.becket.then_some(Datum::Flag(true)));
    put("empress", arguments.no_empress.then_some(Datum::Flag(false)));
    put("castling", arguments.no_castling.then_some(Datum::Flag(false)));
    put("fen", arguments.fen.clone().map(Datum::from));
    put("chess960", arguments.chess960.is_some().then_some(Datum::Flag(true)));
    put("deal", arguments.deal.as_deref().map(deals::term).transpose()?);
    put("wipeout", arguments.wipeout.map(Datum::from));
    put("mate_bonus", arguments.mate_bonus.map(Datum::from));
    put("choice", arguments.choice.clone().map(Datum::from));
    put("decks", arguments.decks.map(Datum::from));
    put("bets", arguments.bets.as_deref().map(bets).transpose()?);
    put("stuck", arguments.stuck.clone().map(Datum::from));
    let cards = arguments.cards.as_deref().map(card_files::read).transpose();
    let cards = cards.map_err(|what| arguments.unusable_cards(&what))?;
    put("cards", cards.map(|(_, term)| term.into()));
    put("simple", arguments.simple.then_some(Datum::Flag(true)));
    put("confirm", arguments.confirm.clone().map(Datum::from));
    put("games", arguments.games.map(Datum::from));
    put("draw_wins", arguments.draw_wins.clone().map(Datum::from));
    put("press", arguments.press.clone().map(Datum::from));
    put("voice", arguments.voice.clone().map(Datum::from));
    put("clock", arguments.clock.clone().map(Datum::from));
    terms.extend(arguments.terms.as_deref().map(as_json).transpose()?.unwrap_or_default());
    terms.extend(arguments.given.clone().unwrap_or_default());
    deals::set_up_960(&mut terms, arguments.chess960.flatten(), arguments.chance_seed())?;
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

/// The least and the highest stake of a game: `5-20`.
fn bets(text: &str) -> Result<Datum, ExitFailure> {
    let pair = text.split_once('-').and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    let (least, most): (u64, u64) =
        pair.ok_or_else(|| ExitFailure::unusable(format!("`--bets {text}`: give two numbers such as 5-20")))?;
    Ok(Group::new().with("least", least).with("most", most).into())
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

fn stacks(text: &str) -> Result<Datum, ExitFailure> {
    let wrong = || ExitFailure::unusable(format!("`--stacks {text}`: write 100 for both, or 100,80"));
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
    let (a, b) = text.split_once(',').unwrap_or((text, text));
    Ok(Group::new().with("A", number(a)?).with("B", number(b)?).into())
}

fn structure(text: &str) -> Result<Datum, ExitFailure> {
    match text.split(':').collect::<Vec<_>>().as_slice() {
        [word] => Ok((*word).into()),
        ["limit", bet, raises] => match (bet.parse::<u64>(), raises.parse::<u64>()) {
            (Ok(bet), Ok(raises)) => {
                let limit = Group::new().with("bet", bet).with("raises", raises);
                Ok(Group::new().with("limit", limit).into())
            }
            _ => Err(ExitFailure::unusable(format!("`--structure {text}`: write for example limit:2:3"))),
        },
        _ => Err(ExitFailure::unusable(format!(
            "`--structure {text}`: write no-limit, pot-limit or limit:BET:RAISES"
        ))),
    }
}
