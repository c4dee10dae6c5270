//! The articles of FIDE's Laws of Chess (2023) that an alert to the arbiter is about.

use tabiya_types::{Fact, Sentence};

/// The sentences that name a fact which the Laws rule on, and the articles.
const ARTICLES: [(&str, &str); 14] = [
    // A claim of a third occurrence, and of fifty moves.
    ("draw-claimable", "9.2, 9.3"),
    ("not-your-claim", "9.2, 9.3"),
    ("claim-fails", "9.5.3"),
    // Who agrees on a draw, and when.
    ("no-offer", "9.1.2"),
    ("too-early-to-agree", "5.2.3"),
    // A flag counts from when the arbiter sees it, or a player claims it.
    ("flag-fallen", "6.8"),
    ("no-flag-to-claim", "6.8"),
    ("illegal-move", "7.5.1"),
    ("illegal-takes-king", "1.4.1, 7.5.1"),
    ("illegal-stays-in-check", "3.9.2, 7.5.1"),
    ("illegal-exposes-king", "3.9.2, 7.5.1"),
    // A pawn on the last rank, and a piece of the wrong colour in its place.
    ("pawn-left", "7.5.2"),
    ("promoted-to-nothing", "3.7.3, 7.5.1"),
    // A press without a move.
    ("press-too-early", "7.5.3"),
];

/// The article on pieces that were displaced, which their player puts back on his own time.
pub const DISPLACED: &str = "7.4.1";

/// The articles that this alert, or a sentence inside it, is about; `None` if the Laws have none for it.
pub fn articles(alert: &Sentence) -> Option<&'static str> {
    let own = ARTICLES.iter().find(|(id, _)| *id == alert.id()).map(|(_, articles)| *articles);
    own.or_else(|| alert.facts().iter().find_map(|(_, fact)| articles_in(fact)))
}

fn articles_in(fact: &Fact) -> Option<&'static str> {
    match fact {
        Fact::Sentence(inner) => articles(inner),
        Fact::List(facts) => facts.iter().find_map(articles_in),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tabiya_engine::rules::Reason;
    use tabiya_engine::table::flag_fallen;
    use tabiya_types::Color;

    use super::*;
    use crate::store::card_files::wrong;

    #[test]
    fn an_alert_has_its_articles_also_inside_another_sentence() {
        assert_eq!(articles(&flag_fallen(Color::White)), Some("6.8"));
        let inside = wrong("a".as_ref(), flag_fallen(Color::Black));
        assert_eq!(articles(&inside), Some("6.8"));
        assert_eq!(articles(&Reason::Stalemate.ending_sentence()), None);
    }
}
