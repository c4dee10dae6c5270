//! Random terms, deals and lines of PokerDrez.

use serde_json::{Value, json};
use tabiya_engine::record::Replay;
use tabiya_engine::table::LegalInput;
use tabiya_types::Color;

use super::Chance;

/// The letters of the cards in the order of the results.
pub const LETTERS: [&str; 7] = ["J", "Q", "R", "B", "N", "P", "X"];

/// Adds random terms of PokerDrez.
pub fn terms(chance: &mut Chance, terms: &mut Value) {
    if chance.one_in(3) {
        terms["decks"] = (1 + chance.below(2)).into();
    }
    if chance.one_in(2) {
        let least = 1 + chance.below(6);
        terms["bets"] = json!({"least": least, "most": least + chance.below(30)});
        terms["stacks"] = json!({"A": 1 + chance.below(60), "B": 1 + chance.below(60)});
    }
    if chance.one_in(3) {
        terms["stuck"] = (*chance.pick(&["redraw", "draw"])).into();
    }
    if chance.one_in(3) {
        terms["bet_ms"] = 4000.into();
    }
    if chance.one_in(6) {
        terms["draw_wins"] = (*chance.pick(&["white", "black"])).into();
    }
}

/// A random first deal; sometimes a reader knows some own cards.
fn deal(chance: &mut Chance) -> Value {
    let mut cards = json!({});
    let row: Vec<&str> = (0..5).map(|_| *chance.pick(&LETTERS[..6])).collect();
    cards["common"] = row.into();
    if chance.one_in(3) {
        cards["common"][0] = "X".into();
    }
    for color in ["white", "black"] {
        if chance.one_in(3) {
            cards[color] = vec!["?", *chance.pick(&LETTERS)].into();
        }
    }
    json!({"do": "deal", "cards": cards})
}

/// A random line made from one of the legal inputs.
///
/// # Panics
/// If no two cards can be shown although the table says so.
pub fn concrete(chance: &mut Chance, replay: &Replay, legal: &LegalInput) -> Value {
    match legal.word() {
        "deal" => deal(chance),
        "show" => {
            let by = legal.by().expect("a player").word();
            let all = pairs().map(|cards| json!({"do": "show", "by": by, "cards": cards}));
            let shown: Vec<Value> = all.filter(|line| accepts(replay, line)).collect();
            assert!(!shown.is_empty(), "`show` is legal with no cards");
            chance.pick(&shown).clone()
        }
        "roll" => json!({"do": "roll", "by": legal.by().map(Color::word), "pips": 1 + chance.below(6)}),
        _ => super::concrete(chance, legal),
    }
}

/// All pairs of cards.
pub fn pairs() -> impl Iterator<Item = [&'static str; 2]> {
    LETTERS.into_iter().flat_map(|one| LETTERS.into_iter().map(move |other| [one, other]))
}

/// Whether the table would accept this line now.
pub fn accepts(replay: &Replay, line: &Value) -> bool {
    let mut line = line.clone();
    line["t"] = replay.last_t().millis().into();
    replay.clone().feed(9999, &line.to_string()).is_ok()
}

/// A line that the rules will often refuse.
pub fn nonsense(chance: &mut Chance) -> Value {
    let by = *chance.pick(&["white", "black"]);
    let card = *chance.pick(&LETTERS);
    match chance.below(9) {
        0 => json!({"do": "reveal", "by": by, "card": card, "from": chance.pick(&["own", "common"])}),
        1 => json!({"do": "return", "by": by, "card": card}),
        2 => json!({"do": "roll", "by": by, "pips": 1 + chance.below(6)}),
        3 => json!({"do": "swap", "by": by, "from": "own", "with": chance.pick(&["stock", "opponent"])}),
        4 => json!({"do": "show", "by": by, "cards": [card, *chance.pick(&LETTERS)]}),
        5 => json!({"do": "bet", "by": by, "action": chance.pick(&["check", "call", "all-in"])}),
        6 => json!({"do": "remove", "by": by, "at": chance.pick(&["a2", "b7", "e7", "e4"])}),
        7 => {
            let cards: Vec<&str> = (0..chance.below(3)).map(|_| "?").collect();
            json!({"do": "deal", "cards": {by: cards}})
        }
        _ => deal(chance),
    }
}

/// A ruling about the cards or the position.
pub fn ruling(chance: &mut Chance) -> Value {
    let set = match chance.below(4) {
        0 => {
            let row: Vec<&str> = (0..5).map(|_| *chance.pick(&LETTERS)).collect();
            json!({"common": row})
        }
        1 => json!({"stock": chance.below(50)}),
        2 => json!({"die": chance.pick(&["white", "black"])}),
        _ => json!({"fen": chance.pick(&[
            "4k3/4p3/8/8/8/8/4P3/R3K2R w KQ - 3 12",
            "7k/1P6/8/8/8/8/6p1/K7 w - - 0 40",
            "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 9",
        ])}),
    };
    json!({"do": "rule", "by": "arbiter", "reason": "?", "set": set})
}

/// Every line that players could enter with cards, die and pawns, and one deal.
pub fn all_lines(squares: &[String]) -> Vec<Value> {
    let mut lines = vec![json!({"do": "deal", "cards": {"common": ["J", "Q", "R", "X", "P"]}})];
    for by in ["white", "black"] {
        lines.push(json!({"do": "remove", "by": by}));
        lines.extend(squares.iter().map(|at| json!({"do": "remove", "by": by, "at": at})));
        lines.extend((1..=6).map(|pips| json!({"do": "roll", "by": by, "pips": pips})));
        lines.extend(pairs().map(|cards| json!({"do": "show", "by": by, "cards": cards})));
        for with in ["stock", "opponent"] {
            lines.push(json!({"do": "swap", "by": by, "from": "own", "with": with}));
        }
        for card in LETTERS {
            lines.push(json!({"do": "return", "by": by, "card": card}));
            for from in ["own", "common"] {
                lines.push(json!({"do": "reveal", "by": by, "card": card, "from": from}));
            }
            for (from, with) in [("own", "common"), ("common", "stock"), ("common", "opponent")] {
                lines.push(json!({"do": "swap", "by": by, "from": from, "with": with, "card": card}));
            }
        }
    }
    lines
}
