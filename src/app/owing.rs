//! Who owes whom at the end of an evening.

use std::collections::BTreeMap;

use tabiya_types::{Sentence, say};

use tabiya_store::evening::PlayerScore;

/// What one chip is worth: an amount of money in hundredths, at least one.
#[derive(Debug, Clone, Copy)]
pub struct ChipWorth(u64);

impl ChipWorth {
    /// Parses an amount with at most two decimals: `1`, `0.10`, `0,5`. `None` if it is none, or zero.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(part) || part.len() > 2 {
            return None;
        }
        let hundredths: u64 = format!("{part:0<2}").parse().ok()?;
        Some(Self(whole.parse::<u64>().ok()?.checked_mul(100)?.checked_add(hundredths)?))
            .filter(|worth| worth.0 > 0)
    }

    /// The worth of this many chips, with two decimals.
    pub fn of(self, chips: u64) -> String {
        let all = self.0.saturating_mul(chips);
        format!("{}.{:02}", all / 100, all % 100)
    }
}

/// One payment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Payment {
    /// Who pays.
    pub from: String,
    /// Who is paid.
    pub to: String,
    /// How many chips' worth.
    pub chips: u64,
}

impl Payment {
    /// The payment as a sentence; `amount` is what its chips are worth, if that was agreed.
    pub fn sentence(&self, amount: Option<String>) -> Sentence {
        let Self { from, to, chips } = self.clone();
        match amount {
            None => say!("evening-owes", "{from} owes {to} {chips} in chips", from, to, chips),
            Some(amount) => {
                say!(
                    "evening-owes-amount",
                    "{from} owes {to} {chips} in chips, {amount}",
                    from,
                    to,
                    chips,
                    amount
                )
            }
        }
    }
}

/// The payments that settle an evening with these scores.
pub fn debts(scores: &BTreeMap<&str, PlayerScore>) -> Vec<Payment> {
    payments(&scores.iter().map(|(name, score)| (*name, score.chips)).collect())
}

/// The payments that settle these balances (chips won; negative if lost), with few payments: the largest loser pays the
/// largest winner first. A sum that is not zero, because chips came to the table or left it, stays with the last one.
fn payments(balances: &BTreeMap<&str, i64>) -> Vec<Payment> {
    let side = |sign: i64| {
        let mut side: Vec<(&str, u64)> = balances
            .iter()
            .filter(|(_, chips)| chips.signum() == sign)
            .map(|(name, chips)| (*name, chips.unsigned_abs()))
            .collect();
        side.sort_by_key(|(name, chips)| (std::cmp::Reverse(*chips), *name));
        side
    };
    let (mut losers, mut winners) = (side(-1), side(1));
    let mut payments = Vec::new();
    while let (Some((from, owes)), Some((to, gets))) = (losers.first_mut(), winners.first_mut()) {
        let chips = (*owes).min(*gets);
        payments.push(Payment { from: (*from).to_owned(), to: (*to).to_owned(), chips });
        (*owes, *gets) = (*owes - chips, *gets - chips);
        losers.retain(|(_, owes)| *owes > 0);
        winners.retain(|(_, gets)| *gets > 0);
    }
    payments
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn the_payments_settle_every_balance(amounts in proptest::collection::vec(-500_i64..500, 1..7)) {
            let names: Vec<String> = (0..=amounts.len()).map(|nth| format!("player {nth}")).collect();
            let sum: i64 = amounts.iter().sum();
            let all = amounts.iter().copied().chain([-sum]);
            let balances: BTreeMap<&str, i64> = names.iter().map(String::as_str).zip(all).collect();
            let payments = payments(&balances);
            for (name, balance) in &balances {
                let paid: i64 = payments.iter().map(|payment| {
                    let chips = i64::try_from(payment.chips).expect("small");
                    i64::from(payment.to == *name) * chips - i64::from(payment.from == *name) * chips
                }).sum();
                proptest::prop_assert_eq!(paid, *balance);
            }
            proptest::prop_assert!(payments.len() < balances.len());
        }
    }
}
