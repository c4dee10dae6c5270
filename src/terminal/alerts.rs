//! The open alerts in one place, the most urgent first, each with what the Laws propose and the keys that decide it.
//!
//! The list is the one that the window's drawer reads (`tabiya_app::alerts`).

use tabiya_app::alerts::{Alert, AlertKind};
use tabiya_app::desk::Wish;
use tabiya_app::session::{Proposal, ProposedRuling};
use tabiya_app::snapshot::Snapshot;
use tabiya_app::view::addressed;
use tabiya_engine::rules::Phase;
use tabiya_text::Words;
use tabiya_types::harmless;

use super::lines::board_shows;

/// The function key that decides as is proposed first; the next ones are for the other choices. Many terminals keep F1 for
/// themselves.
const FIRST_CHOICE: u8 = 2;
/// The function key that lets it be. No proposal has so many choices that their keys reach it.
const NO_RULING: u8 = 9;

/// The open alerts of these kinds as lines of text. A proposed ruling stands below its alert, with the line that does the same when
/// it is typed. The most urgent one has the keys, too.
pub(super) fn lines(snapshot: &Snapshot, words: &Words, shown: impl Fn(AlertKind) -> bool) -> Vec<String> {
    let in_chess = snapshot.table.as_ref().is_some_and(|view| view.phase == Phase::Chess);
    let mut lines = Vec::new();
    let first = snapshot.alerts.iter().find(|alert| alert.cause.proposal.is_some()).map(|alert| alert.number);
    for alert in snapshot.alerts.iter().filter(|alert| shown(alert.cause.kind)) {
        lines.push(addressed(alert.cause.to, &text(alert, in_chess, words), words));
        let keys = first == Some(alert.number);
        lines.extend(alert.cause.proposal.iter().flat_map(|proposal| choices(proposal, keys, words)));
    }
    lines.iter().map(|line| harmless(line)).collect()
}

/// Whether this function key decides what is proposed.
pub(super) fn decides(key: u8) -> bool {
    (FIRST_CHOICE..=NO_RULING).contains(&key)
}

/// Whether something is proposed.
pub(super) fn is_open(snapshot: &Snapshot) -> bool {
    snapshot.alerts.iter().any(|alert| alert.cause.proposal.is_some())
}

/// What the function key with this number decides of what is proposed most urgently; `None` if nothing is proposed, or nothing that
/// has this key.
pub(super) fn decision(snapshot: &Snapshot, key: u8) -> Option<Wish> {
    let proposal = snapshot.alerts.iter().find_map(|alert| alert.cause.proposal.as_ref())?;
    if key == NO_RULING {
        return Some(Wish::DropProposal { by: proposal.by, of: proposal.of });
    }
    let choice = usize::from(key.checked_sub(FIRST_CHOICE)?);
    proposal.choices.get(choice)?;
    Some(Wish::Decide { by: proposal.by, of: proposal.of, choice })
}

/// One alert: what has happened, the articles that rule on it, and who looks after it.
fn text(alert: &Alert, in_chess: bool, words: &Words) -> String {
    let cause = &alert.cause;
    let says = match cause.kind {
        AlertKind::Question => format!("? {}", words.said(&cause.says)),
        AlertKind::Piece => words.said(&board_shows(cause.says.clone())),
        AlertKind::Illegal
        | AlertKind::Flag
        | AlertKind::Record
        | AlertKind::Claim
        | AlertKind::Default
        | AlertKind::Refused
        | AlertKind::Claimable
        | AlertKind::Call
        | AlertKind::Board
        | AlertKind::Reader
        | AlertKind::Deal
        | AlertKind::Clock
        | AlertKind::Unsigned
        | AlertKind::Battery => format!("! {}", words.said(&cause.says)),
    };
    // What is proposed names its own articles.
    let articles = cause.articles.clone().filter(|_| in_chess && cause.proposal.is_none());
    let articles = articles.map(|articles| words.with("of-the-laws", &[("articles", articles.into())]));
    let articles = articles.map_or_else(String::new, |articles| format!(" ({articles})"));
    let taken = alert.taken.as_ref().map_or_else(String::new, |by| format!(" · {by}"));
    format!("{says}{articles}{taken}")
}

/// What the arbiter can decide, with the `keys` that do it if this is what they decide now.
fn choices(proposal: &Proposal, keys: bool, words: &Words) -> Vec<String> {
    let of_key = |key: u8| if keys { format!("F{key}: ") } else { "    ".to_owned() };
    let choice = |(key, choice): (u8, &ProposedRuling)| {
        let typed = words.with("typed-as", &[("line", words.said(&choice.line()).into())]);
        format!("{}{} ({}) · {typed}", of_key(key), words.said(&choice.told), choice.articles)
    };
    let mut lines: Vec<String> = (FIRST_CHOICE..NO_RULING).zip(&proposal.choices).map(choice).collect();
    if keys {
        lines.push(format!("{}{}", of_key(NO_RULING), words.t("no-ruling")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tabiya_app::Session;
    use tabiya_app::alerts::Cause;
    use tabiya_app::session::Infringement;
    use tabiya_engine::record::{Body, Header, Line};
    use tabiya_engine::rules::GAMES;
    use tabiya_engine::table::{Audience, flag_fallen};
    use tabiya_text::Language;
    use tabiya_types::{Color, Instant};

    use super::*;
    use crate::lines::live_facts;

    /// An event at which White has made an illegal move, with its alert, and with a refusal.
    fn illegal() -> Snapshot {
        let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"300","voice":"event"}}"#;
        let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
        let line = r#"{"t":0,"do":"move","by":"white","uci":"e2e5"}"#;
        let line = Line::parse(line, session.replay().header()).expect("a line");
        let Body::Acted(input) = line.body else { panic!("a move acts") };
        session.enter(&input, Instant::ZERO).expect_err("it is illegal");
        let proposal = session.proposals().next().cloned().expect("the Laws propose something");
        let says = flag_fallen(Color::White);
        let cause = Cause::new(AlertKind::Illegal, Audience::Arbiter, Some(Color::White), says.clone());
        let cause = Cause { proposal: Some(proposal), ..cause.under(Some("7.5.5")) };
        let alert = |number, cause| Alert { number, since: Instant::ZERO, cause, taken: None };
        let refused = Cause::new(AlertKind::Refused, Audience::Arbiter, None, says).under(Some("4.1"));
        let taken = Alert { taken: Some("Rossi".to_owned()), ..alert(2, refused) };
        let alerts = Arc::new(vec![alert(1, cause), taken]);
        Snapshot { alerts, ..Snapshot::of_session(&session, Instant::ZERO) }
    }

    #[test]
    fn an_alert_names_its_articles_the_ruling_its_key_and_the_line_to_type() {
        let (words, says) = (Words::of(Language::English), flag_fallen(Color::White));
        assert_eq!(
            lines(&illegal(), &words, |_| true),
            [
                format!("arbiter: ! {says}").as_str(),
                "F2: Bo gains 1 min, and White moves again (7.5.5, A.3, B.3) · Typed: rule clock black +60 illegal move",
                "F9: No ruling",
                &format!("arbiter: ! {says} (Laws of Chess, 4.1) · Rossi"),
            ]
        );
        let shown = live_facts(&illegal(), &words, Instant::ZERO);
        assert_eq!(shown.iter().filter(|line| line.contains(&says.to_string())).count(), 2, "{shown:?}");
    }

    #[test]
    fn the_keys_decide_the_most_urgent_proposal_and_the_others_say_what_is_typed() {
        let mut snapshot = illegal();
        let [first, ..] = snapshot.alerts.as_slice() else { panic!("an alert") };
        let proposal = first.cause.proposal.clone().expect("it is proposed");
        let proposal = Proposal { by: Color::Black, of: Infringement::WrongClaim, ..proposal };
        let claim = Cause { kind: AlertKind::Claim, proposal: Some(proposal), ..first.cause.clone() };
        let claim = Alert { number: 3, cause: claim, ..first.clone() };
        snapshot.alerts = Arc::new(vec![first.clone(), claim]);
        let shown = lines(&snapshot, &Words::of(Language::English), |_| true);
        assert_eq!(shown.iter().filter(|line| line.starts_with('F')).count(), 2, "{shown:?}");
        assert_eq!(shown.iter().filter(|line| line.contains("Typed: rule clock")).count(), 2, "{shown:?}");
        let Some(Wish::Decide { by, of, .. }) = decision(&snapshot, 2) else { panic!("it decides") };
        assert_eq!((by, of), (Color::White, Infringement::IllegalMove(1)));
    }

    #[test]
    fn a_function_key_decides_as_the_button_of_the_drawer_does() {
        let snapshot = illegal();
        let decide = Wish::Decide { by: Color::White, of: Infringement::IllegalMove(1), choice: 0 };
        assert!(decision(&snapshot, 2) == Some(decide));
        let drop = Wish::DropProposal { by: Color::White, of: Infringement::IllegalMove(1) };
        assert!(decision(&snapshot, 9) == Some(drop));
        for key in [0, 1, 3, 8, 10, 12] {
            assert!(decision(&snapshot, key).is_none(), "F{key}");
        }
        assert!(decision(&Snapshot::default(), 9).is_none(), "nothing is proposed");
    }
}
