//! The tokens of prepared tables: each serves one computer. The folder has their hashes alone.
//!
//! Source: `docs/hall.md`, §2, "Prepared hall".

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tabiya_engine::record::chain::hex;

/// A token that was given out.
#[derive(Clone, PartialEq, Eq, Debug)]
struct GivenToken {
    table: u16,
    /// The key that has used it, 64 hexadecimal digits.
    key: Option<String>,
}

/// The tokens of an event, by their hashes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tokens(BTreeMap<String, GivenToken>);

/// What a token is good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenUse {
    /// This table; the computer has it from now on.
    Table(u16),
    /// Another computer has used it.
    Used,
    /// Nobody has given it out.
    Unknown,
}

impl Tokens {
    /// Reads what was kept; `None` if it is damaged.
    pub(super) fn read(value: &Value) -> Option<Self> {
        if value.get("tabiya-tokens")?.as_u64() != Some(1) {
            return None;
        }
        let mut tokens = BTreeMap::new();
        for (hash, given) in value.get("tokens")?.as_object()? {
            let table = given.get("table")?.as_u64()?.try_into().ok()?;
            let key = given.get("key").and_then(Value::as_str).map(str::to_owned);
            tokens.insert(hash.clone(), GivenToken { table, key });
        }
        Some(Self(tokens))
    }

    /// As it is kept.
    pub(super) fn value(&self) -> Value {
        let one = |given: &GivenToken| json!({"table": given.table, "key": given.key});
        let tokens: serde_json::Map<String, Value> =
            self.0.iter().map(|(hash, given)| (hash.clone(), one(given))).collect();
        json!({"tabiya-tokens": 1, "tokens": tokens})
    }

    /// Gives out a token for this table. Tokens that nobody has used for it count no more.
    pub(super) fn give(&mut self, token: &str, table: u16) {
        self.0.retain(|_, given| given.table != table || given.key.is_some());
        self.0.insert(hash(token), GivenToken { table, key: None });
    }

    /// The table has another computer now, or none: tokens that others have used for it count no more.
    pub(super) fn forget(&mut self, table: u16, key: Option<&str>) {
        self.0.retain(|_, given| given.table != table || given.key.is_none() || given.key.as_deref() == key);
    }

    /// A computer with this key uses a token. The same computer may use it again.
    pub(super) fn spend(&mut self, token: &str, key: &str) -> TokenUse {
        let Some(given) = self.0.get_mut(&hash(token)) else { return TokenUse::Unknown };
        match &given.key {
            Some(used) if used != key => TokenUse::Used,
            _ => {
                given.key = Some(key.to_owned());
                TokenUse::Table(given.table)
            }
        }
    }
}

fn hash(token: &str) -> String {
    hex(&Sha256::digest(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_serves_one_computer_and_that_one_again() {
        let mut tokens = Tokens::default();
        tokens.give("secret", 17);
        assert_eq!(tokens.spend("other", "a"), TokenUse::Unknown);
        assert_eq!(tokens.spend("secret", "a"), TokenUse::Table(17));
        assert_eq!(tokens.spend("secret", "b"), TokenUse::Used);
        let kept = tokens.value();
        assert!(!kept.to_string().contains("secret"));
        let mut again = Tokens::read(&kept).expect("as it was kept");
        assert_eq!(again, tokens);
        assert_eq!(again.spend("secret", "a"), TokenUse::Table(17));
        again.forget(17, None);
        assert_eq!(again.spend("secret", "a"), TokenUse::Unknown, "it was revoked");
        again.give("new", 17);
        assert_eq!(again.spend("new", "b"), TokenUse::Table(17), "the computer is replaced");
    }
}
