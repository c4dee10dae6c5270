//! What can be decided about an alert of a table of which only the record and the alert are known: the ruling that the Laws propose
//! first, as the words that order it.
//!
//! Not known from afar: that a pawn of an illegal move becomes a queen, and which move a wrong claim binds to. The table's own
//! screen says both.

use tabiya_engine::table::Table;
use tabiya_types::{Color, Sentence, ToldSentence, say};

use super::row::called;
use crate::session::{ArbiterDecision, Infringement, ProposedRuling};

/// What the rulings about an alert are made from.
#[derive(Clone, Copy, Debug)]
pub struct AlertOf<'a> {
    /// The kind of the alert.
    pub kind: &'a str,
    /// What has happened.
    pub says: &'a ToldSentence,
    /// The side that it is about.
    pub by: Option<Color>,
    /// How often.
    pub count: u64,
    /// Whether somebody looks after it.
    pub taken: bool,
    /// Whether it is one of the console's own.
    pub own: bool,
    /// The table, if its match is understood here.
    pub table: Option<&'a Table>,
}

impl AlertOf<'_> {
    fn infringement(&self) -> Option<Infringement> {
        let count = u32::try_from(self.count).unwrap_or(u32::MAX);
        Infringement::of_alert(&self.says.id, count, (self.by?, self.table?))
    }

    /// What has happened. What is not known here is said in the words in which it was told.
    pub fn in_words(&self) -> Sentence {
        let known = self.infringement().zip(self.by).zip(self.table);
        let known = known.map(|((of, by), table)| of.in_words(by, table));
        known.unwrap_or_else(|| as_told(self.says.clone())).harmless()
    }
}

/// What was told elsewhere, as a sentence here.
pub fn as_told(told: ToldSentence) -> Sentence {
    say!("hall-says", "{told}", told)
}

/// What a ruling does when it is chosen.
#[derive(Clone, PartialEq, Debug)]
pub enum HallAct {
    /// Order this at the table. The line gives its reason in the language of who orders.
    Order(Sentence),
    /// Look after it.
    Take,
    /// Close it, as what the console itself has noticed.
    Close,
}

/// Something that can be decided about an alert.
#[derive(Clone, PartialEq, Debug)]
pub struct HallRuling {
    /// The words on its button, with the player's name.
    pub label: Sentence,
    /// The articles of the Laws, if they propose it.
    pub articles: Option<String>,
    /// What it does.
    pub does: HallAct,
    /// Whether it is asked once more before it is ordered.
    pub asks: bool,
}

impl HallRuling {
    fn of(label: Sentence, does: HallAct) -> Self {
        Self { label, articles: None, does, asks: false }
    }

    fn proposed(ruling: &ProposedRuling, table: &Table) -> Self {
        let (label, asks) = label_of(&ruling.decision, table);
        let does = HallAct::Order(ruling.line());
        Self { label: label.harmless(), articles: Some(ruling.articles.clone()), does, asks }
    }
}

/// The words on the button of a decision, and whether it is asked once more.
fn label_of(decision: &ArbiterDecision, table: &Table) -> (Sentence, bool) {
    let named = |color: Color| called(table, color);
    let seated = |seat| Color::ALL.into_iter().find(|color| table.seat_of(*color) == seat).map(named);
    match decision {
        ArbiterDecision::Gain(by, minutes, _) | ArbiterDecision::Increment(_, by, minutes, _) => {
            (say!("hall-gain", "{name} +{minutes} min", name = named(*by), minutes = *minutes), false)
        }
        ArbiterDecision::Win(seat, _) => {
            (say!("hall-wins", "{name} wins …", name = seated(*seat).unwrap_or_default()), true)
        }
        ArbiterDecision::Draw(_) => (say!("hall-draw", "Draw …"), true),
        ArbiterDecision::Forfeit(seat, _) => {
            (say!("hall-forfeits", "{name} forfeits …", name = seated(*seat).unwrap_or_default()), true)
        }
        ArbiterDecision::AcceptDraw(_) => (say!("hall-accept", "Draw accepted …"), true),
        ArbiterDecision::Resume => (go_on(), false),
    }
}

fn go_on() -> Sentence {
    say!("hall-go-on", "Go on")
}

/// What can be decided about an alert, the proposed ruling first. There is always one: somebody comes.
pub fn rulings(alert: AlertOf<'_>) -> Vec<HallRuling> {
    let take = || HallRuling::of(say!("hall-come", "I come"), HallAct::Take);
    if alert.own {
        let close = HallRuling::of(say!("hall-close", "Close it"), HallAct::Close);
        return if alert.taken { vec![close] } else { vec![take(), close] };
    }
    let mut found = laws(alert);
    found.extend(without_penalty(alert));
    if !alert.taken {
        found.push(take());
    }
    if let Some(table) = alert.table {
        let stopped = table.clock().paused();
        let (label, line) = if stopped {
            (go_on(), ArbiterDecision::Resume.line())
        } else {
            (say!("hall-stop", "Stop clocks"), say!("hall-line-pause", "pause"))
        };
        found.push(HallRuling::of(label, HallAct::Order(line)));
    }
    if found.is_empty() {
        found.push(take());
    }
    found
}

/// What else can be decided about an illegal move: it was none, or it counts without a penalty.
fn without_penalty(alert: AlertOf<'_>) -> Vec<HallRuling> {
    let Some((Infringement::IllegalMove(count), by)) = alert.infringement().zip(alert.by) else {
        return Vec::new();
    };
    let color = || by.word().to_owned();
    let legal = say!(
        "hall-line-legal",
        "rule illegal {color} {count} the move was legal",
        color = color(),
        count = count.saturating_sub(1)
    );
    let free =
        say!("hall-line-no-penalty", "rule illegal {color} {count} no penalty", color = color(), count);
    vec![
        HallRuling::of(say!("hall-legal", "Legal"), HallAct::Order(legal)),
        HallRuling::of(say!("hall-no-penalty", "No penalty"), HallAct::Order(free)),
    ]
}

/// What the Laws propose, if they do.
fn laws(alert: AlertOf<'_>) -> Vec<HallRuling> {
    let (Some(table), Some(by)) = (alert.table, alert.by) else { return Vec::new() };
    let proposed = alert.infringement().and_then(|of| of.proposed(by, table));
    if proposed.is_none() && alert.kind == "flag" && table.game().outcome().is_none() {
        let label = say!("hall-flag", "Flag counts …");
        let does = HallAct::Order(say!("hall-line-flag", "claim flag"));
        return vec![HallRuling { asks: true, ..HallRuling::of(label, does) }];
    }
    proposed.iter().map(|ruling| HallRuling::proposed(ruling, table)).collect()
}
