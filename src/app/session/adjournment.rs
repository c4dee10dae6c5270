//! An adjourned game: how far its adjournment has come, and what it does not allow (`sealing.rs` adjourns and resumes it).
//!
//! Source: Laws of Chess 2023, Guidelines I: the player to move seals on his own time (I.1), a draw is agreed or somebody resigns
//! in the meantime (I.6), the envelope is opened when the player who must reply is present (I.7).
//!
//! The record has no line for it: a ruling in additional fields says who is to seal and who has sealed, and a pause stops the
//! clocks. How far an adjournment has come follows from the inputs that count.

use tabiya_engine::record::{Body, Line};
use tabiya_engine::rules::{Action, PlayAction};
use tabiya_engine::table::{Common, Input, RuledResult, Table, resumed};
use tabiya_types::{Color, Sentence, say};

/// The field of a ruling that says who is to seal a move.
pub(super) const SEALS: &str = "x-adjourned";
/// The field of a ruling that says who has sealed a move.
pub(super) const SEALED: &str = "x-sealed-move";

/// How far the adjournment of a game has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Adjournment {
    /// This player seals a move, while his clock runs.
    Sealing {
        by: Color,
        /// When and where the game is resumed, as people said it; empty if nobody did.
        resumes: String,
    },
    /// This player's move is in the envelope.
    Sealed(Color),
}

impl Adjournment {
    /// The adjournment of the game at this table, which `lines` have led to; `None` if it is not adjourned. It follows from the
    /// inputs that count: what is taken back never was, and a result, a move or a deal ends it.
    pub(super) fn of(table: &Table, lines: &[Line]) -> Option<Self> {
        if table.game().outcome().is_some() {
            return None;
        }
        // Mostly the newest input says it, so this costs nothing in a long match.
        for (number, input) in table.newest_inputs() {
            match input {
                Input::Common(Common::Rule(ruling)) => {
                    let stage = Self::ruled(number, &ruling.reason, lines);
                    if stage.is_some() || ruling.result == Some(RuledResult::Void) {
                        return stage;
                    }
                }
                Input::Common(Common::Next(_) | Common::EndMatch { .. }) => return None,
                Input::Game(action) if begins_or_moves(action) => return None,
                Input::Common(_) | Input::Game(_) => {}
            }
        }
        None
    }

    /// What the ruling in the record's line with this number, from 1, makes of an adjournment; `None` if it is about another thing.
    fn ruled(number: u32, reason: &str, lines: &[Line]) -> Option<Self> {
        // The header is line 1.
        let line = lines.get(usize::try_from(number).ok()?.checked_sub(2)?)?;
        let named = |field: &str| Color::from_word(line.extension(field)?.as_text()?);
        let seals = |by| Self::Sealing { by, resumes: resumed(reason).to_owned() };
        named(SEALS).map(seals).or_else(|| named(SEALED).map(Self::Sealed))
    }

    /// Who seals a move now; `None` if nobody does.
    pub(super) fn sealing(&self) -> Option<Color> {
        match self {
            Self::Sealing { by, .. } => Some(*by),
            Self::Sealed(_) => None,
        }
    }

    /// Why this input is refused: a move is sealed and not made, and play is not resumed before the envelope is opened.
    pub(super) fn refusal(&self, input: &Input, table: &Table) -> Option<Sentence> {
        match (self, input) {
            (Self::Sealing { by, .. }, Input::Game(action)) if action.takes_turn() => Some(say!(
                "seals-not-moves",
                "{by} is to seal his move, so it is not made on the board: he writes it down and stops the clock, with `sealed` or a press (guideline I.1)",
                by = *by
            )),
            (Self::Sealed(by), Input::Common(Common::Resume(_))) => {
                let name = table.name_of(by.other()).to_owned();
                Some(say!(
                    "envelope-first",
                    "the game is adjourned: set up the position before the sealed move; when {name} is present, open the envelope (guideline I.7) and enter the move with `sealed MOVE`, for example `sealed Nf3`: it is made on the board, and {name}'s clock is started (I.9); if he comes late, the time since the agreed moment is charged to him: `rule clock {color} -60 late` takes a minute of it",
                    name,
                    color = by.other().word().to_owned()
                ))
            }
            (Self::Sealing { .. } | Self::Sealed(_), _) => None,
        }
    }
}

/// Whether an action makes a move or begins a deal.
fn begins_or_moves(action: &Action) -> bool {
    match action {
        Action::Deal(_) => true,
        Action::Own(own) => own.takes_turn() || own.begins_deal(),
        Action::Bet { .. }
        | Action::Reveal(_)
        | Action::Place(_)
        | Action::Correct(_)
        | Action::Fouled { .. }
        | Action::Play(_) => action.takes_turn(),
    }
}

/// What the arbiter is told when this line is a move by this player, who was to seal one.
pub(super) fn moved_instead(by: Color, line: &Line) -> Option<Sentence> {
    let Body::Acted(Input::Game(action @ Action::Play(PlayAction::Move { by: mover, .. }))) = &line.body
    else {
        return None;
    };
    (*mover == by).then(|| shown_not_sealed(action.describe()))
}

/// What the arbiter is told of a move that is shown on the board, although it was to be sealed.
pub(super) fn shown_not_sealed(made: Sentence) -> Sentence {
    say!(
        "moved-not-sealed",
        "{made} on the board, but was to seal a move: he must seal this very move (guideline I.1); take it back, with `undo` if it was entered",
        made
    )
}
