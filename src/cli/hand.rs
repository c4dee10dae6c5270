//! `tabiya hand`: shows which pieces five cards become.

use serde_json::json;
use tabiya_engine::rules::{Hand, HandName, HandRules};

use super::output::{ExitFailure, print};

/// Arguments of `tabiya hand`.
#[derive(Debug, clap::Args)]
pub(super) struct HandArguments {
    /// The five cards, as letters of Q R B N P in any order.
    cards: String,
    /// Use the optional rule Becket: RRPPP becomes R R B P P.
    #[arg(long)]
    becket: bool,
    /// Do not use the rule Empress: three of a kind and a pair then make no queen.
    #[arg(long)]
    no_empress: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &HandArguments) -> Result<(), ExitFailure> {
    let hand = Hand::parse(&arguments.cards).map_err(ExitFailure::unusable)?;
    let rules = HandRules { empress: !arguments.no_empress, becket: arguments.becket };
    let (name, pairs) = (hand.name(rules), hand.pairs(rules));
    if arguments.json {
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(card, piece)| json!([card.letter().to_string(), piece.letter().to_string()]))
            .collect();
        let report = json!({
            "cards": hand.to_string(),
            "name": name.word(),
            "pieces": hand.pieces(rules).to_string(),
            "pairs": pairs,
        });
        return print(&report.to_string());
    }
    let mut lines = vec![format!("{hand} is played as {}", hand.pieces(rules))];
    lines.push(match name {
        HandName::Palace => "Palace (rule 8d): one of each makes the pawn a second queen".to_owned(),
        HandName::Empress => {
            "Empress (rule 8e): three of a kind and a pair make the third of the three a queen".to_owned()
        }
        HandName::Becket => {
            "Becket (rule 8c): two rooks and three pawns make the third pawn a bishop".to_owned()
        }
        HandName::Plain if pairs.iter().all(|(card, piece)| card == piece) => "nothing changes".to_owned(),
        HandName::Plain => "rules 8a and 8b: pieces beyond the allowed number change".to_owned(),
    });
    for (card, piece) in pairs {
        lines.push(if card == piece {
            format!("  {card} stays a {piece}")
        } else {
            format!("  {card} becomes a {piece}")
        });
    }
    print(&lines.join("\n"))
}
