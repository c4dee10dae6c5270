//! What an alert is about, in a few words: a kind that is not known here is shown as its word.

use tabiya_types::{Sentence, say};

/// The title of a table's alert of this kind. `name` is the player whom it is about, if it is about one.
pub fn title(kind: &str, name: Option<&str>, count: u64) -> Sentence {
    let name = name.unwrap_or("?").to_owned();
    let said = match kind {
        "illegal" if count > 1 => say!("title-illegal-again", "{name}: illegal move {count}", name, count),
        "illegal" => say!("title-illegal", "{name}: illegal move", name),
        "flag" => say!("title-flag", "{name}'s flag has fallen", name),
        "call" if name == "?" => say!("title-call", "You are called"),
        "call" => say!("title-call-by", "{name} calls you", name),
        "claim" if name == "?" => say!("title-claim", "A claim"),
        "claim" => say!("title-claim-by", "{name} claims", name),
        "default" => say!("title-default", "{name} has not come", name),
        "record" => say!("title-record", "The record is not written"),
        "unsealed" => say!("title-unsealed", "Open cards in the record"),
        "question" => say!("title-question", "A question waits"),
        "piece" => say!("title-piece", "The board differs"),
        "deal" => say!("title-deal", "The deal is wrong"),
        "refused" => say!("title-refused", "An entry was refused"),
        "board" => say!("title-board", "Board is silent"),
        "reader" => say!("title-reader", "Card reader is silent"),
        "clock" => say!("title-clock", "Clock is silent"),
        "battery" => say!("title-battery", "Battery is low"),
        "claimable" => say!("title-claimable", "A draw can be claimed"),
        "unsigned" => say!("title-unsigned", "Result not confirmed"),
        _ => other(kind),
    };
    said.harmless()
}

/// The title of what the console itself has noticed.
pub fn console_title(kind: &str) -> Sentence {
    match kind {
        "fork" => say!("title-fork", "Two records of one match"),
        "shorter" => say!("title-shorter", "The table has lost lines"),
        "chain" => say!("title-chain", "Lines do not follow"),
        "head" => say!("title-head", "A signature does not fit"),
        "stranger" => say!("title-stranger", "A strange computer"),
        "twice" => say!("title-twice", "Two programs, one table"),
        "disk" => say!("title-disk", "This console's disk fails"),
        "flood" => say!("title-flood", "Too many lines"),
        "lists" => say!("title-lists", "Two lists, one number"),
        "version" => say!("title-version", "A newer program"),
        "silent" => say!("title-silent", "Table is silent"),
        "not-started" => say!("title-not-started", "Not begun yet"),
        _ => other(kind),
    }
}

fn other(kind: &str) -> Sentence {
    say!("title-other", "{kind}", kind = kind.to_owned()).harmless()
}
