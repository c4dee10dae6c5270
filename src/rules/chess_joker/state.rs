//! One game of Chess Joker: whose turn it is, what the cards, points and the deck do, and how it ends.
//!
//! Check, moves and uses are asked of `plays.rs`. Source: `docs/record-chess-joker.md`, "How lines act" (K1 to K17);
//! `docs/rules-chess-joker.md`.

mod acting;
mod points;
mod refusal;
mod sheet;
mod sight;
mod telling;

use std::collections::BTreeSet;
use std::sync::Arc;

use tabiya_types::{Board, ByColor, Color, Role, Seat, Sentence, say};

use self::sheet::JokerSheet;
pub use self::sight::{JokerCheck, JokerSight};
use super::card::{Code, JokerCard};
use super::effect::{CardEffect, Effort, FoundUse, Masquerade};
use super::habits;
use super::lines::{JokerAction, PlayCard};
use super::men::Men;
use super::picture::steps_between;
use super::plays::{Plays, declared};
use super::position::{Danger, JokerPosition};
use super::ruled::{Ruled, RuledCard};
use super::terms::JokerTerms;
use crate::rules::action::{Action, OwnAction};
use crate::rules::capability::{Cards, Goal, Heap, HeapPlace, PlayList, Score, SheetEntry};
use crate::rules::change::Change;
use crate::rules::datum::Group;
use crate::rules::game::Game;
use crate::rules::habit::{Habit, SimulatedTurn};
use crate::rules::kind::Start;
use crate::rules::offer::Offer;
use crate::rules::outcome::{Outcome, OwnReason, Reason};
use crate::rules::play_action::PlayAction;
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

/// The cards that a player has scored.
#[derive(Clone, Debug, Default)]
struct Pile {
    /// The codes of those that lie face-up, in order.
    up: Vec<String>,
    down: u32,
}

/// What waits for a yes.
#[derive(Clone, Debug)]
enum Waiting {
    /// What a player did with an unwritten card, and the position after it.
    Use(PlayCard, JokerPosition),
    /// A player says that the one to act is in check, or mated.
    Claim { by: Color, mate: bool },
}

/// One game of Chess Joker.
#[derive(Clone, Debug)]
pub struct JokerState {
    terms: Arc<JokerTerms>,
    start: Start,
    position: JokerPosition,
    /// Whose turn it is.
    turn: Color,
    stage: Stage,
    /// Who has completed his turn and not pressed the clock.
    unpressed: Option<Color>,
    /// Whether any turn of this game was completed.
    completed: bool,
    cards: ByColor<Option<JokerCard>>,
    /// The codes that were told in this game.
    told: Arc<BTreeSet<Code>>,
    points: ByColor<u32>,
    piles: ByColor<Arc<Pile>>,
    deck: u32,
    waits: Option<Waiting>,
    /// Whether a check of the player to act was claimed and agreed in this turn.
    claimed: bool,
    offers: ByColor<bool>,
    /// How the points came about, in words, the oldest first.
    happened: Arc<Vec<Sentence>>,
    sheet: JokerSheet,
    outcome: Option<Outcome>,
    /// Whether the ruling that is being made sets a position, a card or the turn.
    ruled: bool,
}

impl JokerState {
    pub(super) fn new(terms: Arc<JokerTerms>, start: Start) -> Self {
        let mut game = Self {
            sheet: JokerSheet::new(&terms.position, terms.turn),
            position: terms.position,
            turn: terms.turn,
            deck: terms.deck,
            terms,
            start,
            stage: Stage::Play,
            unpressed: None,
            completed: false,
            cards: ByColor::default(),
            told: Arc::default(),
            points: ByColor::default(),
            piles: ByColor::default(),
            waits: None,
            claimed: false,
            offers: ByColor::default(),
            happened: Arc::default(),
            outcome: None,
            ruled: false,
        };
        game.turn_begins();
        game
    }

    // ---- questions ----

    fn effect(&self, of: Color) -> Option<&CardEffect> {
        self.cards[of].as_ref()?.effect.as_deref()
    }

    /// Whether the card of a player is written, or he has none.
    fn is_written(&self, of: Color) -> bool {
        self.cards[of].as_ref().is_none_or(|card| card.effect.is_some())
    }

    fn plays<'a>(&'a self, effort: &'a Effort) -> Plays<'a> {
        let by = self.turn;
        Plays { position: &self.position, by, own: self.effect(by), danger: self.danger(by, effort) }
    }

    fn danger<'a>(&'a self, color: Color, effort: &'a Effort) -> Danger<'a> {
        Danger { enemy: self.effect(color.other()), effort }
    }

    fn can_play(&self) -> bool {
        self.plays(&Effort::new()).any()
    }

    fn in_check(&self, color: Color) -> bool {
        self.position.in_check(color, self.danger(color, &Effort::new()))
    }

    /// Whether the player to act is known to be in check: by what is written, or by a claim that was agreed.
    fn known_in_check(&self) -> bool {
        self.claimed || self.in_check(self.turn)
    }

    /// Who has to say yes or no.
    fn answers(&self) -> Option<Color> {
        match &self.waits {
            Some(Waiting::Use(play, _)) => Some(play.by.other()),
            Some(Waiting::Claim { by, .. }) => Some(by.other()),
            None => None,
        }
    }

    // ---- how a turn goes on (K8, K11, K12) ----

    /// After a play: a card is drawn, but not in White's very first turn.
    fn played(&mut self, by: Color) {
        self.offers[by.other()] = false;
        self.claimed = false;
        if by == Color::White && !self.completed {
            self.check_for_check();
        } else if self.deck == 0 {
            self.outcome = Some(Outcome::drawn(Reason::Own(DECK_OUT)));
        } else {
            self.stage = Stage::Draw;
        }
    }

    /// The turn is complete: a check scores or mates, and the turn passes.
    fn check_for_check(&mut self) {
        let by = self.turn;
        self.completed = true;
        self.turn = by.other();
        self.sheet.number += u32::from(by == Color::Black);
        self.stage = Stage::Play;
        self.unpressed = Some(by);
        if self.in_check(self.turn) {
            if self.is_written(self.turn) && !self.can_play() {
                self.outcome = Some(Outcome::won(by, Reason::Checkmate));
                return;
            }
            self.score_for_check();
        }
        self.turn_begins();
    }

    /// Last Stand; then mate and stalemate.
    fn turn_begins(&mut self) {
        let opponent = self.turn.other();
        if self.position.men.of_color(self.turn).count_ones() <= FEW_PIECES && self.deck > 0 {
            self.score_last_stand(opponent);
            if self.points[opponent] >= ENOUGH {
                self.outcome = Some(Outcome::won(opponent, Reason::Own(ELO)));
                return;
            }
        }
        self.look_for_mate();
    }

    /// Without a legal play the game is lost in check, and drawn otherwise, as far as the cards are written.
    fn look_for_mate(&mut self) {
        if self.can_play() {
            return;
        }
        let (written, enemy_written) = (self.is_written(self.turn), self.is_written(self.turn.other()));
        if self.known_in_check() {
            if written {
                self.outcome = Some(Outcome::won(self.turn.other(), Reason::Checkmate));
            }
        } else if written && enemy_written {
            self.outcome = Some(Outcome::drawn(Reason::Stalemate));
        }
    }

    // ---- what a board shows ----

    /// The uses of the written card that leave this board, one for each state in which they leave the game.
    fn uses_for(&self, seen: &Men) -> Vec<PlayCard> {
        let by = self.turn;
        let play = |FoundUse { steps, mask, .. }| PlayCard { by, steps, mask, card: None, elo: None };
        // A search that had to end early may have missed a use, so it has found nothing.
        self.plays(&Effort::new()).leading_to(seen).into_iter().flatten().map(play).collect()
    }

    /// What a card without a written effect may have done, if its points are known.
    fn declaration_for(&self, seen: &Men) -> Option<PlayCard> {
        let by = self.turn;
        let card = self.cards[by].as_ref()?;
        if card.effect.is_some() || card.elo.is_none() {
            return None;
        }
        let steps = steps_between(&self.position.men, seen);
        declared(&self.position, by, self.danger(by, &Effort::new()), &steps).ok()?;
        Some(PlayCard { by, steps, mask: Masquerade::NONE, card: None, elo: None })
    }

    // ---- rulings (K13) ----

    fn rule_own(&mut self, ruled: &Ruled) -> Result<(), Violation> {
        if let Some(score) = ruled.score {
            for seat in Seat::ALL {
                let color = self.start.color_of(seat);
                self.points[color] = score[seat].unwrap_or(self.points[color]);
            }
        }
        self.deck = ruled.deck.unwrap_or(self.deck);
        if let Some(cards) = &ruled.cards {
            self.rule_cards(cards)?;
        }
        Ok(())
    }

    fn rule_cards(&mut self, cards: &ByColor<RuledCard>) -> Result<(), Violation> {
        let told = Arc::make_mut(&mut self.told);
        for (color, _) in cards.iter().filter(|(_, card)| card.is_some()) {
            if let Some(code) = self.cards[color].take().and_then(|card| card.code) {
                told.remove(&code);
            }
        }
        for (color, card) in cards.iter() {
            let Some(Some(card)) = card else { continue };
            if let Some(code) = card.code
                && !told.insert(code)
            {
                return Err(refusal::told_already(code));
            }
            self.cards[color] = Some(card.clone());
        }
        if self.stage == Stage::Confirm {
            self.stage = Stage::Play;
        }
        self.nothing_waits();
        Ok(())
    }

    fn nothing_waits(&mut self) {
        (self.waits, self.claimed, self.ruled) = (None, false, true);
    }

    fn rule_position(&mut self, fen: &str) {
        let (position, turn) = JokerPosition::from_fen(fen).expect("read as one with the line");
        self.turn_is(turn);
        self.sheet.goes_on_from(&position, turn, self.sheet.number);
        self.position = position;
        (self.stage, self.unpressed) = (Stage::Play, None);
        self.offers = ByColor::default();
        self.nothing_waits();
    }

    /// A ruling gives the turn to a player: what White plays after Black's turn has the next number.
    fn turn_is(&mut self, color: Color) {
        self.sheet.number += u32::from(self.turn == Color::Black && color == Color::White);
        self.turn = color;
    }

    fn rule_turn(&mut self, color: Color) -> Result<(), Violation> {
        self.ruled = true;
        if self.position.men.king_threatened(color.other()) {
            return Err(refusal::king_could_be_taken(color));
        }
        if self.turn == color && self.stage == Stage::Play && self.unpressed.is_none() {
            return Ok(());
        }
        if self.turn != color {
            self.position.passed = 0;
            self.turn_is(color);
        }
        self.sheet.goes_on_from(&self.position, color, self.sheet.number);
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
            (None, None) => Turn::Timed { by: self.turn, acted: false, counts: true },
        }
    }

    fn missing_part(&self) -> Option<Violation> {
        let missing = match self.stage {
            Stage::Play => false,
            Stage::Draw => true,
            Stage::Confirm => matches!(self.waits, Some(Waiting::Use(..))),
        };
        (missing && self.outcome.is_none()).then(|| refusal::turn_not_complete(self.turn, self.prompt()))
    }

    fn early_press_waits(&self) -> bool {
        self.outcome.is_none() && self.stage == Stage::Draw
    }

    fn to_act(&self) -> Actor {
        match (self.outcome, self.answers()) {
            (Some(_), _) => Actor::Nobody,
            (None, Some(by)) => Actor::Player(by),
            (None, None) => Actor::Player(self.turn),
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
        if self.stage == Stage::Draw && self.deck == 0 {
            self.outcome = Some(Outcome::drawn(Reason::Own(DECK_OUT)));
        } else if ruled && self.stage == Stage::Play {
            self.look_for_mate();
        }
    }

    fn board(&self) -> Board {
        match &self.waits {
            Some(Waiting::Use(_, after)) => after.men.board(),
            Some(Waiting::Claim { .. }) | None => self.position.men.board(),
        }
    }

    fn candidates(&self) -> Vec<Candidate> {
        if self.outcome.is_some() || self.stage != Stage::Play {
            return Vec::new();
        }
        let by = self.turn;
        let candidate = |(uci, after): (_, JokerPosition)| {
            let action = Action::Play(PlayAction::Move { by, uci, stands: None });
            Candidate { action, after: after.men.board() }
        };
        self.plays(&Effort::new()).moves().into_iter().map(candidate).collect()
    }

    fn candidates_for(&self, seen: &Board) -> Vec<Candidate> {
        if self.outcome.is_some() || self.stage != Stage::Play || *seen == self.position.men.board() {
            return Vec::new();
        }
        // Of several uses that leave the game in different states, the players choose one.
        let Ok([play]) = <[PlayCard; 1]>::try_from(self.uses_for(&Men::of(seen))) else { return Vec::new() };
        let action = Action::Own(OwnAction::new(JokerAction::Play(play)));
        vec![Candidate { action, after: *seen }]
    }

    fn proposals_for(&self, seen: &Board) -> Vec<Action> {
        let declares = self.outcome.is_none() && self.stage == Stage::Play && self.unpressed.is_none();
        let (men, seen) = (&self.position.men, Men::of(seen));
        if !declares || *men == seen {
            return Vec::new();
        }
        let plays = self.uses_for(&seen);
        let plays = if plays.is_empty() { self.declaration_for(&seen).into_iter().collect() } else { plays };
        plays.into_iter().map(JokerAction::Play).map(OwnAction::new).map(Action::Own).collect()
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
        self.noted_action(action)
    }

    fn own_words(&self, action: &OwnAction) -> Option<Sentence> {
        self.told_with_the_deck(action)
    }

    fn happened(&self) -> &[Sentence] {
        &self.happened
    }

    fn score(&self) -> Option<Score> {
        Some(Score { points: self.points, wins: Some(Goal::Total(ENOUGH)) })
    }

    fn cards(&self) -> Option<&dyn Cards> {
        Some(self)
    }
}

impl Cards for JokerState {
    fn heaps(&self) -> Vec<Heap> {
        let before = |color: Color| {
            let up = self.cards[color].iter().map(JokerCard::word).collect();
            Heap { place: HeapPlace::Before(color), up, down: 0 }
        };
        let won = |color: Color| {
            let Pile { up, down } = &*self.piles[color];
            Heap { place: HeapPlace::Won(color), up: up.clone(), down: *down }
        };
        let stock = Heap { place: HeapPlace::Stock, up: Vec::new(), down: self.deck };
        Color::ALL.map(before).into_iter().chain(Color::ALL.map(won)).chain([stock]).collect()
    }
}

/// The letter of a kind of piece with its colour's player, for refusals.
fn has_piece(men: &Men, color: Color, role: Role) -> bool {
    men.of_color(color) & men.of_role(role) != 0
}
