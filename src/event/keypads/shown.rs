//! What a keypad's page shows, as plain values: chips and amounts, clocks, and what is due. Never a card and never a board.
//!
//! Source: `docs/keypads.md`; the design's section "Player's keypad".

use tabiya_app::keypads::{KeypadOf, KeypadReport};
use tabiya_app::view::{TableView, reading_with_tenths};
use tabiya_engine::rules::{Action, Actor, Bet, BetDue, Chips, Offer, PlayAction, RaiseAmount};
use tabiya_engine::table::{LegalInput, Voice};
use tabiya_text::Words;
use tabiya_types::{Card, Color, Instant, Millis};

use super::visit::card_word;

/// An hour, in ms.
const HOUR: u64 = 60 * 60 * 1_000;

/// One half of the clock.
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact that the page shows")]
pub(super) struct HalfShown {
    pub(super) side: &'static str,
    pub(super) name: String,
    /// The time left as it is read, and in ms; empty without a clock.
    pub(super) reads: String,
    pub(super) left: u64,
    /// Whether it is read in hours.
    pub(super) long: bool,
    pub(super) runs: bool,
    /// Whether a press of it would have an effect, and this keypad may press it.
    pub(super) presses: bool,
    /// Whether a press has come, and waits until the board explains it.
    pub(super) sent: bool,
    /// What stands below the time.
    pub(super) says: String,
    pub(super) moves: String,
}

/// The pot and the chips.
pub(super) struct ChipsShown {
    pub(super) pot: u32,
    pub(super) own: u32,
    /// What the other player has.
    pub(super) other: String,
    /// What he has bet in this street, while this player answers it; else what comes next.
    pub(super) says: String,
}

/// The bet that this player has to make.
pub(super) struct BetShown {
    pub(super) call: String,
    /// What a call leaves.
    pub(super) under: String,
    pub(super) raise: Option<RaiseShown>,
    /// The whole stack, where it is the only raise.
    pub(super) all_in: bool,
}

/// The amounts of a raise.
pub(super) struct RaiseShown {
    pub(super) least: u32,
    pub(super) most: u32,
    /// The words for a raise before its amount: a first bet is none.
    pub(super) verb: String,
    /// Amounts with their names.
    pub(super) presets: Vec<(u32, String)>,
}

/// What is due, the most urgent first.
pub(super) enum DueShown {
    Bet(BetShown),
    /// The cards that may be turned over: what they send, and their names.
    Reveal(Vec<(String, String)>),
    /// The opponent has offered a draw.
    Offer,
    Sign,
    Press(&'static str),
    Nothing,
}

/// A keypad's page.
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact that the page shows")]
pub(super) struct PadShown {
    /// Whose it is; the game for the clock of both.
    pub(super) name: String,
    /// The colour of whose it is: `white` or `black`; empty for the clock of both.
    pub(super) side: &'static str,
    pub(super) table: String,
    pub(super) chips: Option<ChipsShown>,
    pub(super) halves: Vec<HalfShown>,
    pub(super) due: DueShown,
    /// What the table says comes next.
    pub(super) prompt: String,
    /// Whether this player has to bet, while both clocks stand.
    pub(super) is_bet: bool,
    pub(super) paused: bool,
    pub(super) may_stop: bool,
    pub(super) may_go_on: bool,
    pub(super) may_call: bool,
    pub(super) may_offer: bool,
    pub(super) event: bool,
    pub(super) has_clock: bool,
    pub(super) is_clock: bool,
}

/// The page of this keypad; `None` without a match.
pub(super) fn shown(report: &KeypadReport, of: KeypadOf, words: &Words, now: Instant) -> Option<PadShown> {
    let view = report.table.as_deref()?;
    let at = report.time.of(now);
    let own = match of {
        KeypadOf::Player(seat) => Color::ALL.into_iter().find(|color| view.seats[*color] == seat),
        KeypadOf::Clock => None,
    };
    let event = view.agreement.terms.voice == Voice::Event;
    let paused = view.clock.paused();
    let over = view.match_over;
    let has_clock = view.status(at).clock.is_some();
    let prompt = view.prompt().map(|prompt| words.sentence(prompt)).unwrap_or_default();
    let first = own.unwrap_or(Color::White);
    let halves = [first, first.other()].map(|color| half((view, words, at), color, own, event));
    Some(PadShown {
        name: own.map_or_else(|| words.word("game", view.agreement.game), |own| view.names[own].clone()),
        side: own.map_or("", Color::word),
        table: report.number.map_or_else(String::new, |table| {
            words.with("hall-table", &[("table", u32::from(table).into())])
        }),
        chips: own.filter(|_| view.has_chips()).map(|own| chips(view, words, own, &prompt)),
        due: own.map_or(DueShown::Nothing, |own| due(view, words, own)),
        prompt,
        is_bet: own.is_some_and(|own| view.bet.is_some_and(|due| due.by == own)),
        paused,
        may_stop: !event && !paused && !over && view.begun,
        may_go_on: !event && paused && !over,
        may_call: !paused && !over && view.begun,
        may_offer: own.is_some_and(|own| view.accepts(&Action::Play(PlayAction::OfferDraw(own)))),
        event,
        has_clock,
        is_clock: of == KeypadOf::Clock,
        halves: halves.into(),
    })
}

fn half(
    (view, words, at): (&TableView, &Words, Instant),
    color: Color,
    own: Option<Color>,
    event: bool,
) -> HalfShown {
    let left = view.clock.reading(color, at);
    let runs = view.clock.turn() == Some(color) && !view.clock.paused() && !view.clock.held();
    let may = own.is_none_or(|own| own == color);
    let sent = may && view.waiting_press.as_ref().is_some_and(|(by, _)| *by == color);
    let presses = may && !sent && !view.clock.paused() && view.presser() == Some(color);
    let says = match (sent, presses, view.clock.paused()) {
        (true, ..) => words.t("pad-sent"),
        (_, true, _) => words.t("pad-press-here"),
        (_, _, true) => words.t("pad-stands"),
        _ if runs => words.t("pad-runs"),
        _ => words.t("pad-waits-turn"),
    };
    // At an event nobody tells players how many moves were made.
    let moves = if event || view.moves.is_empty() {
        String::new()
    } else {
        words.with("pad-moves", &[("count", moves_of(view, color).into())])
    };
    HalfShown {
        side: color.word(),
        name: view.names[color].clone(),
        reads: left.map_or_else(String::new, |left| reading_with_tenths(Some(left), Millis::ZERO)),
        left: left.unwrap_or(Millis::ZERO).0,
        long: left.is_some_and(|left| left.0 >= HOUR),
        runs,
        presses,
        sent,
        says,
        moves,
    }
}

fn moves_of(view: &TableView, color: Color) -> usize {
    let first = view.moves.len().div_ceil(2);
    if view.first_mover == color { first } else { view.moves.len() - first }
}

fn chips(view: &TableView, words: &Words, own: Color, prompt: &str) -> ChipsShown {
    let stakes = &view.stakes;
    let other = own.other();
    let has = words.with(
        "pad-other-has",
        &[("name", view.names[other].clone().into()), ("count", stakes.stacks[other].0.into())],
    );
    let bets = view.bet.filter(|due| due.by == own).map_or(0, |due| due.put[other].0);
    let facts = [("name", view.names[other].clone().into()), ("count", bets.into())];
    let says = if bets > 0 { words.with("pad-other-bets", &facts) } else { prompt.to_owned() };
    ChipsShown {
        says,
        pot: stakes.contributed.white.0 + stakes.contributed.black.0,
        own: stakes.stacks[own].0,
        other: has,
    }
}

fn due(view: &TableView, words: &Words, own: Color) -> DueShown {
    if let Some(due) = view.bet.filter(|due| due.by == own && !view.clock.paused()) {
        return DueShown::Bet(bet(view, words, due));
    }
    if view.accepts(&Action::Play(PlayAction::AcceptDraw(own))) {
        return DueShown::Offer;
    }
    let cards = reveals(view, own);
    if !cards.is_empty() && !view.clock.paused() {
        let named = |card: Card| (card_word(card), super::views::capital(&words.role(card.role())));
        return DueShown::Reveal(cards.into_iter().map(named).collect());
    }
    if view.may_sign[own] {
        return DueShown::Sign;
    }
    if view.presser() == Some(own) && !view.clock.paused() {
        return DueShown::Press(own.word());
    }
    DueShown::Nothing
}

/// The cards that this player may say that he turns over: what everybody at the table may know.
fn reveals(view: &TableView, own: Color) -> Vec<Card> {
    let mut cards = Vec::new();
    for legal in &view.legal {
        let LegalInput::Game(Offer::Do(Action::Reveal(reveal))) = legal else { continue };
        if reveal.by == own && !cards.contains(&reveal.card) {
            cards.push(reveal.card);
        }
    }
    cards
}

fn bet(view: &TableView, words: &Words, due: BetDue) -> BetShown {
    let stack = view.stakes.stacks[due.by];
    let free = due.call == Chips::ZERO;
    let call = if free { words.t("check") } else { words.with("call", &[("count", due.call.0.into())]) };
    let remain = stack.0.saturating_sub(due.call.0);
    let under = if free { String::new() } else { words.with("pad-remain", &[("count", remain.into())]) };
    let all_in = due.raise.is_none() && view.accepts(&Action::Bet { by: due.by, bet: Bet::AllIn });
    let raise = due.raise.map(|range| {
        let first = due.put.white == Chips::ZERO && due.put.black == Chips::ZERO;
        let named = |(amount, to): (RaiseAmount, Chips)| (to.0, words.t(amount_word(amount)));
        let presets = due.raise_amounts().into_iter().map(named).collect();
        let (least, most) = (range.least.0, range.most.0);
        let verb = words.t(if first { "pad-bet" } else { "pad-raise-to" });
        RaiseShown { least, most, verb, presets }
    });
    BetShown { call, under, raise, all_in }
}

/// The word for an amount of a raise.
fn amount_word(amount: RaiseAmount) -> &'static str {
    match amount {
        RaiseAmount::Least => "amount-least",
        RaiseAmount::HalfPot => "amount-half-pot",
        RaiseAmount::Pot => "amount-pot",
        RaiseAmount::Most => "amount-most",
        RaiseAmount::Highest => "amount-highest",
    }
}

/// Who is to act, if it is somebody else.
pub(super) fn other_acts(view: &TableView, own: Option<Color>) -> Option<String> {
    match view.to_act {
        Actor::Player(color) if Some(color) != own => Some(view.names[color].clone()),
        Actor::Player(_) | Actor::Dealer | Actor::Nobody => None,
    }
}
