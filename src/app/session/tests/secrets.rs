//! What only arbiters may know stays with them: no order of a desk or a telephone tells the players its reason, an illegal move or a
//! penalty, in no language, and nothing that waits for the arbiter is asked of the players.

use tabiya_text::{Language, Words};

use super::*;
use crate::hall::{OtherRuling, ReasonedOrder, take_back};
use crate::seating::ORDER;
use crate::words::{TypedOrder, read};

/// A reason that nobody says by chance.
const SECRET: &str = "zq4711";
/// What tells of an illegal move or of its penalty, in each language.
const TELLING: [&str; 7] = ["illegal", "penalty", "regelwidrig", "Strafe", "ilegal", "sanción", SECRET];

/// Every order that has a key or a button at the desk or on a telephone, with the secret as its reason.
fn orders() -> Vec<String> {
    let mut orders: Vec<String> = ["pause", "resume", "claim flag"].map(str::to_owned).to_vec();
    for ruling in ["clock white +60", "clock black -60", "winner white", "winner black", "draw"] {
        orders.push(format!("rule {ruling} {SECRET}"));
    }
    for count in [0, 1] {
        orders.push(format!("rule illegal black {count} {SECRET}"));
    }
    orders.extend(take_back(SECRET));
    for other in OtherRuling::ALL {
        let value = if other == OtherRuling::Control { "5+3" } else { "rule clock white 90 zq4711" };
        orders.push(other.order(value, SECRET).expect("it is whole"));
    }
    orders
}

fn at_event(game: &str, terms: &str) -> Session {
    let header = format!(
        r#"{{"tabiya":1,"game":"{game}","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"voice":"event","press":"auto","time":"300+5"{terms}}}}}"#
    );
    Session::new(Header::parse(&header, GAMES).expect("a header"), None, None)
}

/// A game of chess in which Black has made an illegal move, and one of Choker in which is betted.
fn tables() -> [Session; 2] {
    let mut chess = at_event("chess", "");
    enter(&mut chess, r#""do":"move","by":"white","uci":"e2e4""#, 1_000).expect("it is legal");
    enter(&mut chess, r#""do":"move","by":"black","uci":"e8e6""#, 2_000).expect_err("it is illegal");
    let mut choker = at_event("choker", r#","stacks":{"A":200,"B":200},"small_blind":1"#);
    enter(&mut choker, r#""do":"deal""#, 1_000).expect("it is dealt");
    [chess, choker]
}

/// What the players hear and read now, in all languages.
fn for_players(session: &mut Session) -> Vec<String> {
    let said = session.take_said();
    let heard = said.into_iter().filter(|said| said.to == Audience::Players).map(|said| said.text);
    let asked = session.table().prompts();
    let asked = asked.into_iter().filter(|prompt| prompt.to == Audience::Players).map(|prompt| prompt.text);
    let sentences: Vec<_> = heard.chain(asked).collect();
    let in_words = |language| {
        let words = Words::of(language);
        sentences.iter().map(|said| words.sentence(said)).collect::<Vec<_>>()
    };
    Language::ALL.into_iter().flat_map(in_words).collect()
}

/// What an order enters: its line says that it came from a console.
fn ordered(input: impl Into<Input>) -> Entry {
    Entry::with_own(input, Group::new().with(ORDER, "signed"))
}

#[test]
fn no_order_tells_players_what_only_arbiters_may_know() {
    let (mut given, mut heard) = (0, 0);
    for order in orders() {
        for mut session in tables() {
            let mut told = for_players(&mut session);
            let now = at(5_000);
            match read(&order, session.table(), None, None, now) {
                Ok(TypedOrder::Do(inputs)) => {
                    let enters = |input: &Input| session.enter_at_once(&ordered(input.clone()), now).is_ok();
                    given += inputs.iter().map(enters).filter(|entered| *entered).count();
                }
                Ok(TypedOrder::IllegalMoves(by, count, reason)) => {
                    let entry = ordered(Ruling::because(reason));
                    session.correct_illegal_at_once(&entry, (by, count), now).expect("it is durable");
                    given += 1;
                }
                // An order that this game does not know is not given.
                Ok(_) | Err(_) => {}
            }
            told.extend(for_players(&mut session));
            heard += told.len();
            for sentence in &told {
                let telling =
                    TELLING.iter().find(|word| sentence.to_lowercase().contains(&word.to_lowercase()));
                assert_eq!(telling, None, "`{order}`: {sentence}");
            }
        }
    }
    assert!(given > 20 && heard > 100, "{given} orders, {heard} sentences");
}

#[test]
fn every_usual_reason_and_every_ruling_has_words_in_three_languages() {
    let others = OtherRuling::ALL.into_iter().map(ReasonedOrder::Other);
    let all = [ReasonedOrder::Time, ReasonedOrder::Result, ReasonedOrder::TakeBack].into_iter().chain(others);
    let ids: Vec<&str> = all.flat_map(ReasonedOrder::usual).copied().collect();
    let labels = OtherRuling::ALL.into_iter().flat_map(|other| [Some(other.label()), other.asks()]).flatten();
    for id in ids.into_iter().chain(labels) {
        let said = Language::ALL.map(|language| Words::of(language).t(id));
        let [one, other, third] = &said;
        assert!(one != other && other != third && one != third, "{id}: {said:?}");
    }
}
