//! `tabiya clock`: a chess clock alone, in a window or in the terminal. It accepts time controls as people say them.

use std::path::PathBuf;

use tabiya_engine::clock::{GameSpeed, NAMED, TimeControl, parse_spoken, to_spoken};
use tabiya_engine::rules::{Datum, Group};
use tabiya_engine::table::control_in_words;
use tabiya_types::Color;

use super::language::LanguageArgument;
use super::output::{ExitFailure, print_line};
use super::play::{self, PlayArguments};
use super::times;

/// The time control to use if the user names none and has not used one before.
const USUAL: &str = "5+3";

/// Arguments of `tabiya clock`.
#[expect(clippy::struct_excessive_bools, reason = "each is one option of the command line")]
#[derive(Debug, clap::Args)]
pub(super) struct ClockArguments {
    /// The time for each side as people say it: 5+3, 15, "90 s", "90 plus 30", 1:30:00, a name (blitz; --list
    /// shows the names), or in seconds, as in a record: 40/5400+30:1800+30, 600:5x30, 300d5. A bare number up
    /// to 180 means minutes, a larger one seconds; increments are in seconds. By default the control that was
    /// used last, or else 5+3.
    control: Option<String>,
    /// White's time, if it differs from Black's.
    #[arg(long, value_name = "CONTROL")]
    white: Option<String>,
    /// Black's time, if it differs from White's.
    #[arg(long, value_name = "CONTROL")]
    black: Option<String>,
    /// List the time controls that have names, and exit.
    #[arg(long)]
    list: bool,
    /// Do not add the first increment before the first move.
    #[arg(long)]
    no_first_increment: bool,
    /// Let the other side's clock run on after a flag has fallen.
    #[arg(long)]
    run_on: bool,
    /// In the terminal, without a window. Letters on the left half of the keyboard press for White; letters on
    /// the right half, digits, signs and Enter press for Black.
    #[arg(long)]
    headless: bool,
    /// Plain lines in the terminal, without a window or a live screen.
    #[arg(long)]
    plain: bool,
    /// The window fills the screen, without a bar. Only Ctrl+Shift+Q ends it.
    #[cfg(feature = "window")]
    #[arg(long, conflicts_with_all = ["headless", "plain"])]
    kiosk: bool,
    #[command(flatten)]
    language: LanguageArgument,
    /// The two people, White first: Ann,Bo. A,B if not said.
    #[arg(long)]
    players: Option<String>,
    /// casual, or event (a fallen flag counts only if a player claims it or the arbiter rules it).
    #[arg(long)]
    voice: Option<String>,
    /// Keep the record of presses in this file; it is created if it does not exist.
    #[arg(long)]
    record: Option<PathBuf>,
    /// Continue the unfinished match in the file of --record.
    #[arg(long, requires = "record", conflicts_with = "new")]
    carry_on: bool,
    /// Begin a new match, even if the file of --record has an unfinished one.
    #[arg(long)]
    new: bool,
}

pub(super) fn run(arguments: ClockArguments) -> Result<(), ExitFailure> {
    if arguments.list {
        return list();
    }
    let given = [
        ("the time", arguments.control.is_some()),
        ("--white", arguments.white.is_some()),
        ("--black", arguments.black.is_some()),
        ("--no-first-increment", arguments.no_first_increment),
        ("--run-on", arguments.run_on),
        ("--voice", arguments.voice.is_some()),
        ("--players", arguments.players.is_some()),
    ];
    if arguments.carry_on
        && let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given)
    {
        return Err(play::has_own_terms(option));
    }
    let mut terms = terms(&arguments)?;
    if arguments.no_first_increment {
        terms.set("first_increment", false);
    }
    if arguments.run_on {
        terms.set("freeze", false);
    }
    if let Some(voice) = &arguments.voice {
        terms.set("voice", voice.as_str());
    }
    let mut play = PlayArguments::clock_alone(terms);
    (play.headless, play.plain) = (arguments.headless, arguments.plain);
    (play.players, play.record) = (arguments.players, arguments.record);
    #[cfg(feature = "window")]
    {
        play.kiosk = arguments.kiosk;
    }
    play.language = arguments.language;
    (play.carry_on, play.new) = (arguments.carry_on, arguments.new);
    play::run(&play)
}

/// Returns the terms of the match: the time, and the terms that were saved together with it.
fn terms(arguments: &ClockArguments) -> Result<Group, ExitFailure> {
    let ClockArguments { control, white, black, .. } = arguments;
    let words = arguments.language.words();
    let read = |text: &str| times::of_clock(text, &words);
    let mut terms = match control {
        None if white.is_some() && black.is_some() => Group::new(),
        None => kept(None).unwrap_or_else(|| time(&parse_spoken(USUAL).unwrap_or_default())),
        Some(text) => kept(Some(text)).map_or_else(|| read(text).map(|control| time(&control)), Ok)?,
    };
    if white.is_some() || black.is_some() {
        let whole = terms.get("time").cloned();
        let side = |color: Color, own: &Option<String>| match (own, &whole) {
            (Some(own), _) => read(own).map(|control| control.to_string()),
            (None, Some(Datum::Text(both))) => Ok(both.clone()),
            (None, whole) => {
                let sides = whole.as_ref().and_then(Datum::as_group);
                let own = sides.and_then(|sides| sides.get(color.word())).and_then(Datum::as_text);
                let missing = || {
                    ExitFailure::unusable(format!("name {color}'s time as well, or one time for both sides"))
                };
                own.map(str::to_owned).ok_or_else(missing)
            }
        };
        // The times now differ from those of the preset, so the preset's name is removed from the terms.
        terms.take("preset");
        let sides =
            Group::new().with("white", side(Color::White, white)?).with("black", side(Color::Black, black)?);
        terms.set("time", sides);
    }
    Ok(terms)
}

fn time(control: &TimeControl) -> Group {
    Group::new().with("time", control.to_string())
}

/// Lists the time controls that have names, including those that this user has saved.
fn list() -> Result<(), ExitFailure> {
    let mut lines = Vec::new();
    for named in NAMED {
        let control: TimeControl = named.text.parse().map_err(ExitFailure::unusable)?;
        let pace = GameSpeed::of(&control).map_or("", GameSpeed::word);
        let words = control_in_words(&control);
        lines.push(format!("{:<28} {:<30} {pace:<9} {words}", named.name, to_spoken(&control)));
    }
    lines.extend(own_names().into_iter().map(|name| format!("{name:<28} saved by you")));
    print_line(&lines.join("\n"))
}

/// Returns the terms that this user has saved under this name; without a name, the terms that were used last.
#[cfg(feature = "window")]
fn kept(name: Option<&str>) -> Option<Group> {
    super::surroundings::settings().clock(name)
}

#[cfg(not(feature = "window"))]
fn kept(_: Option<&str>) -> Option<Group> {
    None
}

#[cfg(feature = "window")]
fn own_names() -> Vec<String> {
    super::surroundings::settings().clock_names()
}

#[cfg(not(feature = "window"))]
fn own_names() -> Vec<String> {
    Vec::new()
}
