//! One game of Chess Joker: whose turn it is, what the cards, points and the deck do, and how it ends.
//!
//! The parts of a game are values of their own: what decides which plays are legal (`ground.rs`), the cards and points
//! (`cards.rs`), the offers of a draw (`draws.rs`), the score sheet (`sheet.rs`). Source: `docs/record-chess-joker.md`, "How lines act" (K1 to K17);
//! `docs/rules-chess-joker.md`.

mod acting;
mod cards;
mod draws;
mod ground;
mod refusal;
mod sheet;
mod sight;
mod telling;

use std::sync::Arc;

use tabiya_types::{Board, Color, Sentence, say};

use self::cards::JokerCards;
use self::draws::DrawOffers;
use self::ground::JokerGround;
use self::sheet::JokerSheet;
pub use self::sight::{JokerCheck, JokerSight};
use super::habits;
use super::lines::{JokerAction, PlayCard};
use super::position::JokerPosition;
use super::ruled::Ruled;
use super::terms::JokerTerms;
use crate::rules::action::{Action, OwnAction};
use crate::rules::capability::{Cards, Goal, PlayList, Score, SheetEntry};
use crate::rules::change::Change;
use crate::rules::datum::Group;
use crate::rules::game::Game;
use crate::rules::habit::{Habit, SimulatedTurn};
use crate::rules::kind::Start;
use crate::rules::offer::Offer;
use crate::rules::outcome::{Outcome, OwnReason, Reason};
use crate::rules::sight::OwnSight;
use crate::rules::turn::{Actor, Candidate, Context, Done, Phase, Turn};
use crate::rules::violation::{Violation, no_chips, no_such_change, not_of_this_game};

/// The reason of a game that a player wins by his points.
pub const ELO: OwnReason = OwnReason {
    word: "elo",
    sentence: || say!("reason-elo", "Elo points"),
    ending: || say!("ended-elo", "on Elo points"),
};
/// The reason of a game that is drawn because no card is left to draw.
pub const DECK_OUT: OwnReason = OwnReason {
    word: "deck-out",
    sentence: || say!("reason-deck-out", "an empty deck"),
    ending: || say!("ended-deck-out", "by an empty deck"),
};

/// The points that win (rule J8).
pub const ENOUGH: u32 = 800;
/// What a face-down card is worth (rule J10).
const FACE_DOWN: u32 = 25;
/// With how many pieces or fewer a player makes his last stand (rule J4).
const FEW_PIECES: u32 = 3;

/// What the player whose turn it is has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Play,
    /// Something waits for a yes or a no.
    Confirm,
    Draw,
}

/// What waits for a yes.
#[derive(Clone, Debug)]
enum Waiting {
    /// What a player did with an unwritten card, and the position after it.
    Use(PlayCard, JokerPosition),
    /// A player says that the one to act is in check, or mated.
    Claim { by: Color, mate: bool },
}

impl Waiting {
    /// Who says yes or no.
    fn answers(&self) -> Color {
        match self {
            Self::Use(play, _) => play.by.other(),
            Self::Claim { by, .. } => by.other(),
        }
    }

    /// The question.
    fn prompt(&self) -> Sentence {
        let other = self.answers();
        match self {
            Self::Claim { by, mate: false } => {
                say!("answer-check", "{other}: is it check, as {by} says?", other, by = *by)
            }
            Self::Claim { by, mate: true } => {
                say!("answer-mate", "{other}: is it mate, as {by} says?", other, by = *by)
            }
            Self::Use(play, _) => {
                say!("answer-play", "{other}: does the card of {by} say so?", other, by = play.by)
            }
        }
    }
}

/// One game of Chess Joker.
#[derive(Clone, Debug)]
pub struct JokerState {
    terms: Arc<JokerTerms>,
    start: Start,
    ground: JokerGround,
    stage: Stage,
    /// Who has completed his turn and not pressed the clock.
    unpressed: Option<Color>,
    /// Whether any turn of this game was completed.
    completed: bool,
    waits: Option<Waiting>,
    draws: DrawOffers,
    sheet: JokerSheet,
    outcome: Option<Outcome>,
    /// Whether the ruling that is being made sets a position, a card or the turn.
    ruled: bool,
}

impl JokerState {
    pub(super) fn new(terms: Arc<JokerTerms>, start: Start) -> Self {
        let mut game = Self {
            sheet: JokerSheet::new(&terms.position, terms.turn),
            ground: JokerGround {
                position: terms.position,
                turn: terms.turn,
                cards: JokerCards::new(terms.deck),
                claimed: false,
            },
            terms,
            start,
            stage: Stage::Play,
            unpressed: None,
            completed: false,
            waits: None,
            draws: DrawOffers::default(),
            outcome: None,
            ruled: false,
        };
        game.turn_begins();
        game
    }

    // ---- questions ----

    /// Who has to say yes or no.
    fn answers(&self) -> Option<Color> {
        self.waits.as_ref().map(Waiting::answers)
    }

    // ---- how a turn goes on (K8, K11, K12) ----

    /// After a play: a card is drawn, but not in White's very first turn.
    fn played(&mut self, by: Color) {
        self.draws.pass(by);
        self.ground.claimed = false;
        if by == Color::White && !self.completed {
            self.check_for_check();
        } else if self.ground.cards.deck == 0 {
            self.outcome = Some(Outcome::drawn(Reason::Own(DECK_OUT)));
        } else {
            self.stage = Stage::Draw;
        }
    }

    /// The turn is complete: a check scores or mates, and the turn passes.
    fn check_for_check(&mut self) {
        let by = self.ground.turn;
        self.completed = true;
        self.ground.turn = by.other();
        self.sheet.number += u32::from(by == Color::Black);
        self.stage = Stage::Play;
        self.unpressed = Some(by);
        if self.ground.in_check(self.ground.turn) {
            if self.ground.cards.is_written(self.ground.turn) && !self.ground.can_play() {
                self.outcome = Some(Outcome::won(by, Reason::Checkmate));
                return;
            }
            self.ground.cards.score_for_check(self.ground.turn);
        }
        self.turn_begins();
    }

    /// Last Stand; then mate and stalemate.
    fn turn_begins(&mut self) {
        let opponent = self.ground.turn.other();
        if self.ground.has_few(self.ground.turn) && self.ground.cards.deck > 0 {
            self.ground.cards.score_last_stand(opponent);
            if self.ground.cards.has_enough(opponent) {
                self.outcome = Some(Outcome::won(opponent, Reason::Own(ELO)));
                return;
            }
        }
        self.outcome = self.ground.ended();
    }

    // ---- rulings (K13) ----

    fn rule_own(&mut self, ruled: &Ruled) -> Result<(), Violation> {
        self.ground.cards.rule(ruled, self.start)?;
        if ruled.cards.is_some() {
            if self.stage == Stage::Confirm {
                self.stage = Stage::Play;
            }
            self.nothing_waits();
        }
        Ok(())
    }

    fn nothing_waits(&mut self) {
        (self.waits, self.ground.claimed, self.ruled) = (None, false, true);
    }

    fn rule_position(&mut self, fen: &str) {
        let (position, turn) = JokerPosition::from_fen(fen).expect("read as one with the line");
        self.turn_is(turn);
        self.sheet.goes_on_from(&position, turn, self.sheet.number);
        self.ground.position = position;
        (self.stage, self.unpressed) = (Stage::Play, None);
        self.draws = DrawOffers::default();
        self.nothing_waits();
    }

    /// A ruling gives the turn to a player: what White plays after Black's turn has the next number.
    fn turn_is(&mut self, color: Color) {
        self.sheet.number += u32::from(self.ground.turn == Color::Black && color == Color::White);
        self.ground.turn = color;
    }

    fn rule_turn(&mut self, color: Color) -> Result<(), Violation> {
        self.ruled = true;
        if self.ground.position.men.king_threatened(color.other()) {
            return Err(refusal::king_could_be_taken(color));
        }
        if self.ground.turn == color && self.stage == Stage::Play && self.unpressed.is_none() {
            return Ok(());
        }
        if self.ground.turn != color {
            self.ground.position.passed = 0;
            self.turn_is(color);
        }
        self.sheet.goes_on_from(&self.ground.position, color, self.sheet.number);
        (self.stage, self.unpressed) = (Stage::Play, None);
        self.nothing_waits();
        Ok(())
    }
}

impl Game for JokerState {
    fn boxed(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn apply(&mut self, action: &Action, _: Context) -> Result<Done, Violation> {
        self.running()?;
        match action {
            Action::Play(play) => self.play(play)?,
            Action::Own(own) if own.of::<JokerAction>().is_some() => {
                self.act(own.of().expect("the line above"))?;
            }
            other => {
                let verb = other.word().to_owned();
                return Err(not_of_this_game(say!(
                    "not-of-chess-joker",
                    "`{verb}` is not an action of Chess Joker",
                    verb
                )));
            }
        }
        Ok(Done::default())
    }

    fn end_turn(&mut self) {
        self.unpressed = None;
    }

    fn turn(&self) -> Turn {
        match (self.outcome, self.unpressed) {
            (Some(_), _) => Turn::Untimed,
            (None, Some(by)) => Turn::Timed { by, acted: true, counts: true },
            (None, None) => Turn::Timed { by: self.ground.turn, acted: false, counts: true },
        }
    }

    fn missing_part(&self) -> Option<Violation> {
        let missing = match self.stage {
            Stage::Play => false,
            Stage::Draw => true,
            Stage::Confirm => matches!(self.waits, Some(Waiting::Use(..))),
        };
        (missing && self.outcome.is_none())
            .then(|| refusal::turn_not_complete(self.ground.turn, self.prompt()))
    }

    fn early_press_waits(&self) -> bool {
        self.outcome.is_none() && self.stage == Stage::Draw
    }

    fn to_act(&self) -> Actor {
        match (self.outcome, self.answers()) {
            (Some(_), _) => Actor::Nobody,
            (None, Some(by)) => Actor::Player(by),
            (None, None) => Actor::Player(self.ground.turn),
        }
    }

    fn phase(&self) -> Phase {
        match (self.outcome, self.stage) {
            (Some(_), _) => Phase::Over,
            (None, Stage::Play) => Phase::Own("play"),
            (None, Stage::Confirm) => Phase::Own("confirm"),
            (None, Stage::Draw) => Phase::Own("draw"),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.ruled = false;
    }

    fn flag_outcome(&self, fallen: Color) -> Outcome {
        // Points alone can win, so there is always enough material.
        Outcome::won(fallen.other(), Reason::Timeout)
    }

    fn change(&mut self, change: &Change) -> Result<(), Violation> {
        self.running()?;
        match change {
            Change::Position(fen) => {
                self.rule_position(fen);
                Ok(())
            }
            Change::ToAct(color) => self.rule_turn(*color),
            Change::Stakes(_) => Err(no_chips(say!("no-chips-in-chess-joker", "Chess Joker has no chips"))),
            Change::Own(own) => {
                own.of::<Ruled>().map_or_else(|| Err(no_such_change()), |ruled| self.rule_own(ruled))
            }
        }
    }

    fn refuses_chips(&self) -> bool {
        true
    }

    fn after_ruling(&mut self) {
        let ruled = std::mem::take(&mut self.ruled);
        if self.outcome.is_some() {
            return;
        }
        if self.stage == Stage::Draw && self.ground.cards.deck == 0 {
            self.outcome = Some(Outcome::drawn(Reason::Own(DECK_OUT)));
        } else if ruled && self.stage == Stage::Play {
            self.outcome = self.ground.ended();
        }
    }

    fn board(&self) -> Board {
        match &self.waits {
            Some(Waiting::Use(_, after)) => after.men.board(),
            Some(Waiting::Claim { .. }) | None => self.ground.position.men.board(),
        }
    }

    fn candidates(&self) -> Vec<Candidate> {
        if self.outcome.is_some() || self.stage != Stage::Play {
            return Vec::new();
        }
        self.ground.candidates()
    }

    fn candidates_for(&self, seen: &Board) -> Vec<Candidate> {
        if self.outcome.is_some() || self.stage != Stage::Play || *seen == self.ground.position.men.board() {
            return Vec::new();
        }
        self.ground.candidate_for(seen).into_iter().collect()
    }

    fn proposals_for(&self, seen: &Board) -> Vec<Action> {
        let declares = self.outcome.is_none() && self.stage == Stage::Play && self.unpressed.is_none();
        if declares { self.ground.proposals_for(seen) } else { Vec::new() }
    }

    fn offers(&self) -> Vec<Offer> {
        self.what_may_be_done()
    }

    fn habit(&self, occasion: &mut SimulatedTurn<'_>) -> Option<Habit> {
        habits::habit(occasion)
    }

    fn prompt(&self) -> Sentence {
        self.what_to_do()
    }

    fn own_report(&self) -> Group {
        self.told_in_full()
    }

    fn own_sight(&self) -> Option<OwnSight> {
        Some(OwnSight::new(self.shown_beside()))
    }

    fn play_list(&self) -> Option<PlayList<'_>> {
        let JokerSheet { noted, legs, .. } = &self.sheet;
        Some(PlayList { first: self.terms.turn, plays: noted, legs })
    }

    fn sheet_entry(&self, action: &Action) -> Option<SheetEntry> {
        let played = self.ground.noted(action)?;
        Some(SheetEntry { number: self.sheet.number, by: action.by()?, played })
    }

    fn own_words(&self, action: &OwnAction) -> Option<Sentence> {
        self.ground.cards.told_with_the_deck(action)
    }

    fn happened(&self) -> &[Sentence] {
        &self.ground.cards.happened
    }

    fn score(&self) -> Option<Score> {
        Some(Score { points: self.ground.cards.points, wins: Some(Goal::Total(ENOUGH)) })
    }

    fn cards(&self) -> Option<&dyn Cards> {
        Some(&self.ground.cards)
    }
}
