//! The options of `tabiya play` that say a game's terms. They follow from the declarations of the terms
//! (`rules/term.rs`), so a game that declares a term has its option.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use tabiya_app::piece_sets;
use tabiya_engine::rules::{Datum, GAMES, Group, TermKind, TermOption, TermSpec, YesNo};
use tabiya_store::card_files;
use tabiya_text::Words;
use tabiya_types::ByColor;

use super::{deals, sets};
use crate::cli::ExitFailure;

/// The terms that were said with options of their own, in the order of the help.
#[derive(Debug, Clone, Default)]
pub(super) struct TermArguments(Vec<TermArgument>);

/// A term that was said with its option.
#[derive(Debug, Clone)]
struct TermArgument {
    term: &'static TermSpec,
    option: TermOption,
    value: TermValue,
}

/// What was said, as the command line reads it.
#[derive(Debug, Clone)]
enum TermValue {
    /// An option without a value: the opposite of what is usual.
    Switched(bool),
    Number(u64),
    Text(String),
    File(PathBuf),
    /// The number of a start position, or none, so that one is drawn.
    Start960(Option<u16>),
}

/// All options of terms in the order of the help. A term that several games have is there once.
fn options() -> Vec<(&'static TermSpec, TermOption)> {
    let mut all: Vec<(&TermSpec, TermOption)> = Vec::new();
    for game in GAMES {
        let own = game.terms().iter().filter_map(|term| Some((term, term.option?)));
        let mut own: Vec<_> =
            own.filter(|(_, option)| all.iter().all(|(_, known)| known != option)).collect();
        // What uses a rule stands before what leaves one out.
        own.sort_by_key(|(term, _)| matches!(term.kind, TermKind::YesNo(YesNo { usual: true, .. })));
        all.extend(own);
    }
    all
}

/// The argument of this option.
fn argument(term: &TermSpec, TermOption { long, value, about }: TermOption) -> Arg {
    let argument = Arg::new(long).long(long).help(about);
    match term.kind {
        TermKind::YesNo(_) => argument.action(ArgAction::SetTrue),
        TermKind::Number(_) | TermKind::OneNumber(_) | TermKind::Chips => {
            argument.value_name(value).value_parser(value_parser!(u64))
        }
        TermKind::CardFile => argument.value_name(value).value_parser(value_parser!(PathBuf)),
        TermKind::Start960 => {
            let positions = value_parser!(u16).range(0..=959);
            argument.value_name(value).num_args(0..=1).value_parser(positions)
        }
        TermKind::OneWord(_)
        | TermKind::Stacks
        | TermKind::Stakes
        | TermKind::Limit
        | TermKind::Blinds
        | TermKind::Sets
        | TermKind::Position
        | TermKind::Deal => argument.value_name(value),
    }
}

/// What was said with this option; `None` if it was not given.
fn value(matches: &ArgMatches, term: &TermSpec, long: &str) -> Option<TermValue> {
    Some(match term.kind {
        TermKind::YesNo(YesNo { usual, .. }) => {
            matches.get_flag(long).then_some(TermValue::Switched(!usual))?
        }
        TermKind::Number(_) | TermKind::OneNumber(_) | TermKind::Chips => {
            TermValue::Number(*matches.get_one(long)?)
        }
        TermKind::CardFile => TermValue::File(matches.get_one::<PathBuf>(long)?.clone()),
        TermKind::Start960 => {
            let number = || TermValue::Start960(matches.get_one(long).copied());
            matches.contains_id(long).then(number)?
        }
        TermKind::OneWord(_)
        | TermKind::Stacks
        | TermKind::Stakes
        | TermKind::Limit
        | TermKind::Blinds
        | TermKind::Sets
        | TermKind::Position
        | TermKind::Deal => TermValue::Text(matches.get_one::<String>(long)?.clone()),
    })
}

impl clap::FromArgMatches for TermArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = options().into_iter().filter_map(|(term, option)| {
            Some(TermArgument { term, option, value: value(matches, term, option.long)? })
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for TermArguments {
    fn augment_args(command: Command) -> Command {
        command.args(options().into_iter().map(|(term, option)| argument(term, option)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl TermArguments {
    /// The options that were given, without hyphens, each with the name of its term. That of the card file is not among
    /// them: it is for a match that is carried on, too.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let terms = self.0.iter().filter(|said| !matches!(said.term.kind, TermKind::CardFile));
        terms.map(|said| (said.option.long, said.term.name))
    }

    fn first<'a, T>(&'a self, what: impl FnMut(&'a TermArgument) -> Option<T>) -> Option<T> {
        self.0.iter().find_map(what)
    }

    /// The deal as it was said.
    pub(super) fn deal(&self) -> Option<&str> {
        self.first(|said| match (&said.term.kind, &said.value) {
            (TermKind::Deal, TermValue::Text(deal)) => Some(deal.as_str()),
            _ => None,
        })
    }

    /// The chess pieces at hand as they were said.
    pub(super) fn set(&self) -> Option<&str> {
        self.first(|said| match (&said.term.kind, &said.value) {
            (TermKind::Sets, TermValue::Text(set)) => Some(set.as_str()),
            _ => None,
        })
    }

    /// The card file.
    pub(super) fn cards(&self) -> Option<&Path> {
        self.first(|said| match &said.value {
            TermValue::File(path) => Some(path.as_path()),
            _ => None,
        })
    }

    /// The number of a start position of Chess960, or `Some(None)` for one that is drawn; `None` if Chess960 was not said.
    #[expect(clippy::option_option, reason = "the option can stand alone or have a number")]
    pub(super) fn chess960(&self) -> Option<Option<u16>> {
        self.first(|said| match said.value {
            TermValue::Start960(number) => Some(number),
            _ => None,
        })
    }

    /// Sets what was said in these terms, in the form of the record. Whether it is in its range is checked when the header
    /// is made. `Err` if it has not the form of its option.
    pub(super) fn put(&self, terms: &mut Group, words: &Words) -> Result<(), ExitFailure> {
        for TermArgument { term, value, .. } in &self.0 {
            let said = match value {
                TermValue::Switched(on) => (*on).into(),
                TermValue::Number(number) => (*number).into(),
                TermValue::File(path) => {
                    let (_, cards) =
                        card_files::read(path).map_err(|what| ExitFailure::unusable(words.said(&what)))?;
                    cards.into()
                }
                TermValue::Start960(_) => true.into(),
                TermValue::Text(text) => match term.kind {
                    TermKind::Stacks => stacks(text)?,
                    TermKind::Stakes => stakes(text)?,
                    TermKind::Limit => structure(text)?,
                    TermKind::Sets if text == sets::COUNTED => continue,
                    TermKind::Sets => pieces(text, words)?,
                    TermKind::Deal => deals::term(text)?,
                    TermKind::OneWord(_)
                    | TermKind::Position
                    | TermKind::Blinds
                    | TermKind::YesNo(_)
                    | TermKind::Number(_)
                    | TermKind::OneNumber(_)
                    | TermKind::Chips
                    | TermKind::Start960
                    | TermKind::CardFile => text.as_str().into(),
                },
            };
            terms.set(term.name, said);
        }
        Ok(())
    }
}

fn pieces(text: &str, words: &Words) -> Result<Datum, ExitFailure> {
    let wrong = |why| ExitFailure::unusable(format!("`--set {text}`: {why}"));
    let letters = piece_sets::parse(text, words).map_err(wrong)?;
    Ok(piece_sets::term(ByColor::new(|_| letters.clone())))
}

/// The least and the highest stake of a game: `5-20`.
fn stakes(text: &str) -> Result<Datum, ExitFailure> {
    let pair = text.split_once('-').and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    let (least, most): (u64, u64) =
        pair.ok_or_else(|| ExitFailure::unusable(format!("`--bets {text}`: give two numbers such as 5-20")))?;
    Ok(Group::new().with("least", least).with("most", most).into())
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
