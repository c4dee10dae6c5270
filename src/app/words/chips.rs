//! Words for bets. `raise 8` and `re-raise 20` are *to* that total on the street, `raise by 4`, `4 more` and `+4` are *by* that
//! much more than the highest bet, and `pot` is a raise by the pot after the call.

use tabiya_engine::rules::{Action, Bet, BetDue, Betting, Chips, MOST_CHIPS, Verb};
use tabiya_types::{Color, Sentence, say};

use super::typed::{Meant, Typed, actor, one};
use super::who::WordOwner;
use super::who::player;

/// How much a bet puts in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Amount {
    Is(Bet),
    /// A raise by this much more than the highest bet of the street.
    By(u32),
    /// A raise by the pot after the call, divided by this.
    PartOfPot(u32),
    /// A call that names its cost.
    Call(u32),
}

/// Parses a bet, with or without its owner: `call`, `white calls`, `raise Bo 8`.
pub(super) fn read(typed: &Typed<'_>) -> Meant {
    let lower = match typed.lower {
        // `raise 8 chips`
        [bet @ .., "chip" | "chips"] if matches!(bet, [.., amount] if is_number(amount.trim_start_matches('+'))) => {
            bet
        }
        bet => bet,
    };
    let mut found = amount(lower)?.map(|amount| (amount, WordOwner::Unnamed));
    for end in 1..lower.len() {
        if found.is_some() {
            break;
        }
        let (first, rest) = lower.split_at(end);
        let owner = player(first, typed.table);
        if owner != WordOwner::Unnamed {
            let base: Vec<&str> = rest.iter().enumerate().map(|(nth, word)| base(word, nth)).collect();
            found = amount(&base)?.map(|amount| (amount, owner));
        }
        if found.is_none() {
            let owner = player(rest, typed.table);
            if owner != WordOwner::Unnamed {
                found = amount(first)?.map(|amount| (amount, owner));
            }
        }
    }
    let Some((amount, owner)) = found else { return Ok(None) };
    typed.has(Verb::Bet)?;
    let due = typed.table.game().betting().and_then(Betting::due);
    let bet = due.map_or_else(|| Ok(plain(amount, typed)), |due| in_chips(amount, due, typed))?;
    match owner.or(|| actor(typed.table))? {
        Ok(by) => Ok(Some(one(Action::Bet { by, bet }))),
        Err(question) => {
            let enter = |by: Color| vec![Action::Bet { by, bet }.into()];
            Ok(Some(question.ask(enter)))
        }
    }
}

/// A verb without the ending that it has after a name: `Ann raises`.
fn base(word: &str, nth: usize) -> &str {
    match word {
        _ if nth > 0 => word,
        "folds" | "checks" | "calls" | "raises" | "bets" | "re-raises" | "reraises" => {
            word.trim_end_matches('s')
        }
        word => word,
    }
}

fn amount(words: &[&str]) -> Result<Option<Amount>, Sentence> {
    Ok(Some(match words {
        ["fold"] => Amount::Is(Bet::Fold),
        ["check"] => Amount::Is(Bet::Check),
        ["call"] => Amount::Is(Bet::Call),
        ["call", chips] => Amount::Call(number(chips)?),
        ["all-in" | "allin" | "shove"] | ["all", "in"] | ["is" | "goes" | "go", "all-in"] => {
            Amount::Is(Bet::AllIn)
        }
        ["pot"] | ["raise" | "bet", "pot"] => Amount::PartOfPot(1),
        ["half", "pot"] | ["raise" | "bet", "half", "pot"] => Amount::PartOfPot(2),
        ["bet"] => return Err(say!("bet-how-much", "bet how much? for example `bet 8`")),
        ["raise" | "reraise" | "re-raise"] => {
            return Err(say!("raise-how-much", "raise to how much? for example `raise 8`"));
        }
        ["raise" | "bet" | "reraise" | "re-raise", "by", chips] => Amount::By(number(chips)?),
        ["raise" | "bet" | "reraise" | "re-raise", chips] if chips.starts_with('+') => {
            Amount::By(number(&chips[1..])?)
        }
        ["raise" | "bet" | "reraise" | "re-raise", chips]
        | ["raise" | "bet" | "reraise" | "re-raise", "to", chips] => {
            Amount::Is(Bet::Raise(Chips(number(chips)?)))
        }
        ["raise" | "bet" | "reraise" | "re-raise", chips, "more" | "mehr" | "más" | "mas"]
        | [chips, "more" | "mehr" | "más" | "mas"]
            if is_number(chips) =>
        {
            Amount::By(number(chips)?)
        }
        [chips] if chips.len() > 1 && chips.strip_prefix('+').is_some_and(is_number) => {
            Amount::By(number(&chips[1..])?)
        }
        _ => return Ok(None),
    }))
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(text: &str) -> Result<u32, Sentence> {
    let chips = text.parse::<u32>().ok().filter(|chips| is_number(text) && *chips <= MOST_CHIPS);
    chips.ok_or_else(|| say!("not-chips", "`{text}` is not a number of chips", text = text.to_owned()))
}

/// The bet when nobody has to bet. A game in which players may raise on their own accepts a raise; otherwise the table
/// refuses the bet and says why.
fn plain(amount: Amount, typed: &Typed<'_>) -> Bet {
    let put = typed.table.game().stakes().contributed;
    match amount {
        Amount::Is(bet) => bet,
        Amount::By(chips) => Bet::Raise(put.white.max(put.black) + Chips(chips)),
        Amount::PartOfPot(_) => Bet::Raise(Chips(1)),
        Amount::Call(_) => Bet::Call,
    }
}

fn in_chips(amount: Amount, due: BetDue, typed: &Typed<'_>) -> Result<Bet, Sentence> {
    let highest = due.put.white.max(due.put.black);
    Ok(match amount {
        Amount::Is(bet) => bet,
        Amount::By(chips) => Bet::Raise(highest + Chips(chips)),
        Amount::PartOfPot(part) => {
            let pot = typed.table.game().stakes().pot() + due.call;
            Bet::Raise(highest + Chips(pot.0 / part))
        }
        Amount::Call(chips) if Chips(chips) == due.call => Bet::Call,
        Amount::Call(_) => {
            return Err(say!("call-costs", "a call costs {call}: type `call`, or a raise", call = due.call));
        }
    })
}
