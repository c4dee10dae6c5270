//! `tabiya evening`: the results of an evening and who owes whom. `tabiya chips`: starting stacks from the chips at hand.

use std::path::PathBuf;

use tabiya_app::chip_set::{ChipKind, share};
use tabiya_app::owing::{ChipWorth, debts};
use tabiya_store::evening::{EveningView, csv_text, inert, update_from_file};
use tabiya_text::Words;
use tabiya_types::say;

use super::files;
use super::language::LanguageArgument;
use super::output::{ExitFailure, print, print_line};

/// Arguments of `tabiya evening`.
#[derive(Debug, clap::Args)]
pub(super) struct EveningArguments {
    /// The evening's file: a journal with its matches. Chips that a player brings to a later match are bought anew.
    file: PathBuf,
    /// What one chip is worth, for example 0.10.
    #[arg(long, value_name = "AMOUNT")]
    chip: Option<String>,
    /// Print a table (CSV): each player's games and chips, then each payment, then each match that is still open.
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    language: LanguageArgument,
}

pub(super) fn run(arguments: &EveningArguments) -> Result<(), ExitFailure> {
    files::check(&arguments.file)?;
    let worth = arguments
        .chip
        .as_deref()
        .map(|text| {
            let wrong = || ExitFailure::unusable(format!("`--chip {text}`: write an amount such as 0.10"));
            ChipWorth::parse(text).ok_or_else(wrong)
        })
        .transpose()?;
    let mut view = EveningView { path: arguments.file.clone(), ..EveningView::default() };
    update_from_file(&mut view, &arguments.file);
    if let Some(trouble) = view.trouble.first() {
        return Err(ExitFailure::unusable(trouble));
    }
    let scores = view.scores();
    let payments = debts(&scores);
    if arguments.csv {
        return print(csv(&view, worth).trim_end_matches('\n'));
    }
    let words = arguments.language.words();
    for (name, score) in &scores {
        let (name, chips) = ((*name).to_owned(), format!("{:+}", score.chips));
        print_line(&words.said(&say!(
            "evening-player",
            "{name}: games won {won}, drawn {drawn}, lost {lost}; chips {chips}",
            name,
            won = score.won,
            drawn = score.drawn,
            lost = score.lost,
            chips
        )))?;
    }
    for open in view.matches.iter().filter_map(|played| played.open.as_ref()) {
        print_line(&words.said(&say!(
            "evening-open",
            "{open}; `tabiya play --carry-on` goes on with it",
            open = open.clone()
        )))?;
    }
    for payment in payments {
        let amount = worth.map(|worth| worth.of(payment.chips));
        print_line(&words.said(&payment.sentence(amount)))?;
    }
    Ok(())
}

/// The results as a table: each player, then each payment, then each match that is still open.
fn csv(view: &EveningView, worth: Option<ChipWorth>) -> String {
    let money = |chips: u64| worth.map(|worth| worth.of(chips)).unwrap_or_default();
    let scores = view.scores();
    let heading = ["player", "won", "drawn", "lost", "chips", "amount", "pays"];
    let mut rows = vec![heading.map(str::to_owned)];
    for (name, score) in &scores {
        let amount = money(score.chips.unsigned_abs());
        let sign = if score.chips < 0 && !amount.is_empty() { "-" } else { "" };
        let counts = [score.won, score.drawn, score.lost].map(|count| count.to_string());
        let [won, drawn, lost] = counts;
        let (chips, amount) = (score.chips.to_string(), format!("{sign}{amount}"));
        rows.push([inert(name), won, drawn, lost, chips, amount, String::new()]);
    }
    for payment in &debts(&scores) {
        let (chips, amount) = (payment.chips.to_string(), money(payment.chips));
        let [won, drawn, lost] = [const { String::new() }; 3];
        rows.push([inert(&payment.from), won, drawn, lost, chips, amount, inert(&payment.to)]);
    }
    for open in view.matches.iter().filter_map(|played| played.open.as_ref()) {
        let [won, drawn, lost, chips, amount, pays] = [const { String::new() }; 6];
        rows.push([inert(&open.to_string()), won, drawn, lost, chips, amount, pays]);
    }
    csv_text(rows)
}

/// Arguments of `tabiya chips`.
#[derive(Debug, clap::Args)]
pub(super) struct ChipsArguments {
    /// The starting stack of each player.
    stack: u32,
    /// The chips at hand, for both players together: the number, the value, and what they are called, as in
    /// 100x1=white 50x5=red 50x25=green.
    #[arg(required = true, value_name = "CHIPS")]
    chips: Vec<String>,
    /// White's small blind.
    #[arg(long, default_value_t = 1)]
    blind: u32,
    #[command(flatten)]
    language: LanguageArgument,
}

pub(super) fn chips(arguments: &ChipsArguments) -> Result<(), ExitFailure> {
    let kinds = arguments.chips.iter().map(|text| kind(text)).collect::<Result<Vec<_>, _>>()?;
    let words: Words = arguments.language.words();
    let counts = share(arguments.stack, arguments.blind, &kinds)
        .map_err(|why| ExitFailure::refused(why.to_string()))?;
    for (count, kind) in counts.into_iter().zip(kinds).filter(|(count, _)| *count > 0) {
        let (name, value) = (kind.name, kind.value);
        print_line(&words.said(&say!(
            "chips-each",
            "each player: {count} of {name} (worth {value} each)",
            count,
            name,
            value
        )))?;
    }
    Ok(())
}

fn kind(text: &str) -> Result<ChipKind, ExitFailure> {
    let wrong =
        || ExitFailure::unusable(format!("`{text}`: write the number and the value, as in 100x1=white"));
    let (chips, name) = text.split_once('=').unwrap_or((text, ""));
    let (count, value) = chips.split_once(['x', '×']).ok_or_else(wrong)?;
    let number = |text: &str| {
        text.parse::<u32>().ok().filter(|number| (1..=1_000_000).contains(number)).ok_or_else(wrong)
    };
    let value = number(value)?;
    let name = if name.is_empty() { value.to_string() } else { name.to_owned() };
    Ok(ChipKind { name, value, count: number(count)? })
}
