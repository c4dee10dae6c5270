//! What a keypad does, and what of it belongs to whose keypad: a player's keypad acts for its own seat alone, and the clock of both
//! presses and stops it.

use tabiya_engine::record::{Body, Line};
use tabiya_engine::rules::{Action, Bet, BetDue, Chips, PlayAction, Reveal};
use tabiya_engine::table::{Author, Common, Input, Voice};
use tabiya_types::{Card, Color, Millis, Sentence};

use super::KeypadOf;
use crate::session::Session;

/// How many lines are looked at, at most, for the last press.
const LOOKED_AT: usize = 512;

/// Which state of the match a page shows: what is sent from an older one is not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TurnMark {
    /// How many inputs the record has.
    pub acts: usize,
    /// The place of the last press of the clock, from 1; 0 before the first.
    pub press: usize,
}

/// A key of a keypad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeypadKey {
    /// Fold the hand.
    Fold,
    /// Check, or call.
    Call,
    /// Raise to this total on this street.
    Raise(u32),
    /// Bet the whole stack.
    AllIn,
    /// Say that this card was turned over.
    Reveal(Card),
    /// Press the clock of this side.
    Press(Color),
    /// Stop the clocks.
    Stop,
    /// Stop the clocks and call the arbiter.
    CallArbiter,
    /// Let the clocks run again.
    GoOn,
    /// Offer a draw.
    OfferDraw,
    /// Accept the opponent's offer.
    AcceptDraw,
    /// Decline it.
    DeclineDraw,
    /// Confirm the result.
    Sign,
}

/// What a telephone does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeypadAct {
    /// Somebody types a code.
    Code {
        /// What he has typed.
        digits: String,
        /// The address in the network from which it came.
        from: String,
    },
    /// It asks to be this keypad.
    Ask {
        /// Its number.
        ticket: u64,
        /// What it wants to be.
        of: KeypadOf,
        /// What its user calls it.
        name: String,
    },
    /// It goes.
    Leave(u64),
    /// It uses a key.
    Press {
        /// Its number.
        ticket: u64,
        /// The key.
        key: KeypadKey,
        /// What its page showed.
        shown: TurnMark,
    },
    /// It says a line in the words of the table.
    Say {
        /// Its number.
        ticket: u64,
        /// The line, in the words and letters of the grammar.
        line: String,
    },
    /// It answers yes to what it was asked before its last key or line.
    Yes(u64),
}

/// What became of it.
#[derive(Clone, PartialEq, Debug)]
pub enum KeypadAnswer {
    /// The code was right. The telephone has this number.
    Ticket(u64),
    /// The code was wrong, and so many tries are left.
    WrongCode(u8),
    /// Nobody may type a code for so long.
    Waits(Millis),
    /// It is done.
    Done,
    /// It has come, and waits until the board has shown what was done before it.
    Sent,
    /// It is asked once more, because it cannot be taken lightly.
    Asks(Sentence),
    /// It was not done; the sentence says why.
    Refused(Sentence),
    /// It was not done, and why is for the arbiter alone.
    RefusedQuietly,
    /// It was not done: the table has gone on.
    Late,
    /// The telephone is no keypad, or not any more.
    NoKeypad,
}

/// What the match shows now.
pub(crate) fn moment(session: &Session) -> TurnMark {
    let lines = session.lines();
    let is_press = |line: &Line| matches!(line.body, Body::Acted(Input::Common(Common::Press(_))));
    let oldest = lines.len().saturating_sub(LOOKED_AT);
    let press = lines[oldest..].iter().rposition(is_press).map_or(0, |nth| oldest + nth + 1);
    TurnMark { acts: session.past().acts(), press }
}

impl KeypadKey {
    /// Whether what a page showed is still so, as far as this key needs it: what was put in between does not matter to a press, and
    /// whoever stops the clocks or calls somebody means any moment.
    pub(crate) fn holds(self, shown: TurnMark, now: TurnMark) -> bool {
        match self {
            Self::Press(_) => shown.press == now.press,
            Self::Stop | Self::CallArbiter | Self::GoOn => true,
            Self::Fold
            | Self::Call
            | Self::Raise(_)
            | Self::AllIn
            | Self::Reveal(_)
            | Self::OfferDraw
            | Self::AcceptDraw
            | Self::DeclineDraw
            | Self::Sign => shown == now,
        }
    }
}

/// What this key of this keypad enters; `None` if it enters nothing now.
pub(crate) fn input_of(key: KeypadKey, of: KeypadOf, session: &Session) -> Option<Input> {
    let table = session.table();
    let own = match of {
        KeypadOf::Player(seat) => Color::ALL.into_iter().find(|color| table.seat_of(*color) == seat),
        KeypadOf::Clock => None,
    };
    // Whoever stops the clock of both stops it for whose time runs.
    let stops = own.or(table.clock().turn()).or_else(|| table.mover());
    let author = stops.map_or(Author::Arbiter, Author::Player);
    Some(match key {
        KeypadKey::Press(side) => session.press_of(Some(side))?,
        KeypadKey::Stop | KeypadKey::CallArbiter => Common::Pause(author).into(),
        KeypadKey::GoOn => Common::Resume(author).into(),
        KeypadKey::Fold => Action::Bet { by: own?, bet: Bet::Fold }.into(),
        KeypadKey::Call => Action::Bet { by: own?, bet: stay(bet_due(session, own?)?) }.into(),
        KeypadKey::Raise(to) => Action::Bet { by: own?, bet: raise(session, own?, to)? }.into(),
        KeypadKey::AllIn => Action::Bet { by: own?, bet: Bet::AllIn }.into(),
        KeypadKey::Reveal(card) => {
            Action::Reveal(Reveal { by: own?, card, read: Some(false), copy: None }).into()
        }
        KeypadKey::OfferDraw => PlayAction::OfferDraw(own?).into(),
        KeypadKey::AcceptDraw => PlayAction::AcceptDraw(own?).into(),
        KeypadKey::DeclineDraw => PlayAction::DeclineDraw(own?).into(),
        KeypadKey::Sign => Common::Signs(own?).into(),
    })
}

/// The bet that this player has to make.
fn bet_due(session: &Session, own: Color) -> Option<BetDue> {
    session.table().game().betting()?.due().filter(|due| due.by == own)
}

fn stay(due: BetDue) -> Bet {
    if due.call == Chips::ZERO { Bet::Check } else { Bet::Call }
}

/// A raise to this total. The whole stack is a bet of its own in a game that has it.
fn raise(session: &Session, own: Color, to: u32) -> Option<Bet> {
    let due = bet_due(session, own)?;
    let whole = session.table().game().stakes().stacks[own] + due.put[own];
    let all_in = Action::Bet { by: own, bet: Bet::AllIn };
    let may = session.table().legal().iter().any(|legal| legal.action() == Some(&all_in));
    Some(if may && Chips(to) == whole { Bet::AllIn } else { Bet::Raise(Chips(to)) })
}

/// Whether this keypad may enter this input at this table: what its own player does, and nothing else.
pub(crate) fn belongs_to(input: &Input, of: KeypadOf, session: &Session) -> bool {
    let table = session.table();
    let casual = table.terms().voice == Voice::Casual;
    let is_own = |color: Color| match of {
        KeypadOf::Player(seat) => table.seat_of(color) == seat,
        KeypadOf::Clock => true,
    };
    match input {
        Input::Common(Common::Press(by)) => is_own(*by),
        Input::Common(Common::Pause(Author::Player(by))) => is_own(*by),
        // At an event the arbiter lets the clocks run again.
        Input::Common(Common::Resume(Author::Player(by))) => casual && is_own(*by),
        _ if of == KeypadOf::Clock => false,
        Input::Common(Common::ClaimFlag(Author::Player(by))) => is_own(*by),
        Input::Common(Common::Stands { by, .. } | Common::Signs(by)) => is_own(*by),
        Input::Common(_) => false,
        Input::Game(action) => action.by().is_some_and(is_own),
    }
}
