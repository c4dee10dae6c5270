//! One game of Poker Chess: chess, and after each move of Black's a hand for both players.
//!
//! Source: `docs/rules-poker-chess.md`, rules 9 to 28; `docs/record-poker-chess.md`, "How lines act".

use std::cmp::Ordering;
use std::sync::Arc;

use tabiya_types::{Board, ByColor, Color, Fact, Role, Sentence, Square, Squares, Stack, say};

use super::choose::{Choices, Choose};
use super::habits;
use super::sets::{LaidHand, laid};
use super::terms::PokerChessTerms;
use crate::rules::action::Action;
use crate::rules::capability::{
    Cards, ChessPhase, FormedHand, Goal, Heap, HeapPlace, PieceSets, PokerHands, Score, TurnHands,
};
use crate::rules::change::Change;
use crate::rules::datum::{Datum, Group};
use crate::rules::game::Game;
use crate::rules::habit::{Habit, SimulatedTurn};
use crate::rules::kind::Start;
use crate::rules::offer::{Offer, OwnOffer};
use crate::rules::outcome::{Outcome, OwnReason, Reason};
use crate::rules::play::Play;
use crate::rules::play_action::PlayAction;
use crate::rules::turn::{Actor, Candidate, Context, Done, Phase, Turn};
use crate::rules::uci::Uci;
use crate::rules::violation::{Violation, begin_next, game_over, no_chips, no_such_change, not_of_this_game};

/// The reason of a game that the higher score decides after the chess has ended.
pub const HANDS: OwnReason = OwnReason {
    word: "hands",
    sentence: || say!("reason-hands", "the count of hands"),
    ending: || say!("ended-hands", "on the count of hands"),
};
/// The reason of a game that a player wins by being far enough ahead.
pub const WIPEOUT: OwnReason = OwnReason {
    word: "wipeout",
    sentence: || say!("reason-wipeout", "wipeout"),
    ending: || say!("ended-wipeout", "by a wipeout"),
};

/// The stage in which the players name the pieces of their hands.
const HAND_PHASE: Phase = Phase::Own("hand");

/// One game of Poker Chess.
#[derive(Clone, Debug)]
pub struct PokerChessState {
    terms: Arc<PokerChessTerms>,
    start: Start,
    play: Play,
    /// How many moves Black has made. Each one ends a turn.
    turns: u32,
    /// The hands that have been decided, the newest on top.
    decided: Stack<DecidedHands>,
    /// The hands won and the bonus of a mate, by colour.
    score: ByColor<u32>,
    /// Who has to name the pieces of his hand.
    choosing: Option<Choosing>,
    /// How the chess ended.
    ended_by: Option<Reason>,
    outcome: Option<Outcome>,
}

/// Who has to name the pieces of his hand after a move of Black's: first Black, then White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choosing {
    Black,
    /// Black has chosen this hand.
    White(LaidHand),
}

/// The hands of one turn, and who has won it.
#[derive(Clone, Copy, Debug)]
struct DecidedHands {
    turn: u32,
    hands: ByColor<LaidHand>,
}

impl DecidedHands {
    fn winner(&self) -> Option<Color> {
        match self.hands.white.hand.cmp(&self.hands.black.hand) {
            Ordering::Greater => Some(Color::White),
            Ordering::Equal => None,
            Ordering::Less => Some(Color::Black),
        }
    }

    fn told(&self) -> TurnHands {
        let formed = |LaidHand { hand, squares }: LaidHand| FormedHand {
            cards: hand.letters(),
            name: hand.kind().word(),
            kind: hand.kind().sentence(),
            squares: squares.iter().collect(),
        };
        TurnHands { turn: self.turn, hands: self.hands.map(formed), winner: self.winner() }
    }
}

impl Choosing {
    fn by(self) -> Color {
        match self {
            Self::Black => Color::Black,
            Self::White(_) => Color::White,
        }
    }
}

impl PokerChessState {
    pub(super) fn new(terms: Arc<PokerChessTerms>, start: Start) -> Self {
        Self {
            terms,
            start,
            play: Play::usual(start.claims),
            turns: 0,
            decided: Stack::EMPTY,
            score: ByColor::default(),
            choosing: None,
            ended_by: None,
            outcome: None,
        }
    }

    fn running(&self) -> Result<(), Violation> {
        match self.outcome {
            None => Ok(()),
            Some(_) => Err(Violation::new("game-over", game_over(), begin_next())),
        }
    }

    /// Refuses what has to wait until both players have chosen.
    fn chosen(&self) -> Result<(), Violation> {
        let Some(choosing) = self.choosing else { return Ok(()) };
        let by = choosing.by();
        let what = say!("choose-first", "this has to wait until {by} has named the pieces of the hand", by);
        Err(Violation::new("choose-first", what, self.what_to_choose(by)))
    }

    fn sets(&self, of: Color) -> PieceSets {
        PieceSets::of(|role: Role| self.play.squares_of(of, role))
    }

    fn best(&self, of: Color) -> LaidHand {
        self.sets(of).best(&self.terms.deal)
    }

    /// Which pieces a player may choose, as a sentence.
    fn what_to_choose(&self, by: Color) -> Sentence {
        let sets = self.sets(by);
        let list = |squares: Squares| Fact::list(squares.iter());
        let mut parts: Vec<Fact> = Vec::new();
        if !sets.all.is_empty() {
            parts.push(list(sets.all));
        }
        for (count, of) in &sets.some {
            let (count, squares) = (*count, list(*of));
            parts.push(say!("choose-some", "{count} of {squares}", count, squares).into());
        }
        say!("make-a-hand", "{by}: name the pieces of the hand ({pieces})", by, pieces = Fact::all(parts))
    }

    /// A move was made, after which the chess has ended or goes on.
    fn after_move(&mut self, by: Color, ended: Option<Outcome>) {
        if by == Color::Black {
            self.turns = self.turns.saturating_add(1);
        }
        let mate = ended.filter(|ended| ended.reason == Reason::Checkmate);
        if by == Color::Black && mate.is_none() {
            if self.terms.player_chooses && ended.is_none() {
                self.choosing = Some(Choosing::Black);
            } else {
                self.decide(ByColor::new(|color| self.best(color)));
            }
        }
        if let Some(ended) = ended.filter(|_| self.outcome.is_none()) {
            self.chess_ended(ended);
        }
    }

    /// Decides the hands of a turn. The lead may then be a wipeout.
    fn decide(&mut self, hands: ByColor<LaidHand>) {
        let decided = DecidedHands { turn: self.turns, hands };
        self.decided.push(decided);
        let Some(winner) = decided.winner() else { return };
        self.score[winner] = self.score[winner].saturating_add(1);
        let lead = self.score[winner].saturating_sub(self.score[winner.other()]);
        if lead >= self.terms.wipeout {
            self.outcome = Some(Outcome::won(winner, Reason::Own(WIPEOUT)));
        }
    }

    /// The chess has ended in this way; the higher score wins.
    fn chess_ended(&mut self, ended: Outcome) {
        self.ended_by = Some(ended.reason);
        if let Some(mating) = ended.winner {
            self.score[mating] = self.score[mating].saturating_add(self.terms.mate_bonus);
        }
        let winner = match self.score.white.cmp(&self.score.black) {
            Ordering::Greater => Some(Color::White),
            Ordering::Equal => None,
            Ordering::Less => Some(Color::Black),
        };
        self.outcome = Some(Outcome { winner, reason: Reason::Own(HANDS) });
    }

    fn play(&mut self, action: &PlayAction) -> Result<(), Violation> {
        if let PlayAction::Resign(by) = action {
            // As at a flag: the opponent may win by hands whatever his material.
            self.outcome = Some(Outcome::won(by.other(), Reason::Resignation));
            return Ok(());
        }
        self.chosen()?;
        let ended = self.play.apply(action)?;
        match (action, ended) {
            (PlayAction::Move { by, .. }, _) => self.after_move(*by, ended),
            (PlayAction::ClaimDraw { .. }, Some(ended)) => self.chess_ended(ended),
            (_, ended) => self.outcome = ended,
        }
        Ok(())
    }

    fn choose(&mut self, choose: &Choose) -> Result<(), Violation> {
        let Some(choosing) = self.chooser().filter(|choosing| choosing.by() == choose.by) else {
            return Err(self.not_to_choose(choose.by));
        };
        let squares: Squares = choose.squares.iter().copied().collect();
        if !self.sets(choose.by).has(squares) {
            let what = say!("no-such-hand", "these pieces form no hand of {by}", by = choose.by);
            let violation = Violation::new("no-such-hand", what, self.what_to_choose(choose.by));
            return Err(violation.at(choose.squares.iter().copied()));
        }
        let chosen = laid(&self.terms.deal, squares);
        match choosing {
            Choosing::Black => self.choosing = Some(Choosing::White(chosen)),
            Choosing::White(black) => {
                self.choosing = None;
                self.decide(ByColor { white: chosen, black });
            }
        }
        Ok(())
    }

    fn not_to_choose(&self, by: Color) -> Violation {
        let what = if self.terms.player_chooses {
            say!("not-to-choose", "{by} has no hand to choose now", by)
        } else {
            say!("nobody-chooses", "in this match each player has the best hand that his pieces allow")
        };
        Violation::new("not-to-choose", what, self.prompt())
    }

    /// Who may choose now: White chooses in his own turn, which begins when Black's has ended.
    fn chooser(&self) -> Option<Choosing> {
        let unpressed = matches!(self.play.turn(), Turn::Timed { acted: true, .. });
        self.choosing.filter(|choosing| *choosing == Choosing::Black || !unpressed)
    }

    fn hand_report(&self, TurnHands { hands, winner, .. }: &TurnHands) -> Group {
        let formed = |hand: &FormedHand| {
            let squares: Vec<String> = hand.squares.iter().map(Square::to_string).collect();
            Group::new().with("cards", hand.cards.clone()).with("name", hand.name).with("squares", squares)
        };
        let winner = winner.map(|color| self.start.seat_of(color).word());
        Group::new()
            .with("white", formed(&hands.white))
            .with("black", formed(&hands.black))
            .with("winner", winner)
    }
}

impl Game for PokerChessState {
    fn boxed(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn apply(&mut self, action: &Action, _: Context) -> Result<Done, Violation> {
        self.running()?;
        match action {
            Action::Play(play) => self.play(play)?,
            Action::Own(own) if own.of::<Choose>().is_some() => {
                self.choose(own.of().expect("the line above"))?;
            }
            other => {
                let verb = other.word().to_owned();
                return Err(not_of_this_game(say!(
                    "not-of-poker-chess",
                    "`{verb}` is not an action of Poker Chess",
                    verb
                )));
            }
        }
        Ok(Done::default())
    }

    fn end_turn(&mut self) {
        self.play.end_turn();
    }

    fn turn(&self) -> Turn {
        match (self.outcome, self.choosing) {
            (Some(_), _) => Turn::Untimed,
            // Black's turn ends only after he has chosen.
            (None, Some(Choosing::Black)) => Turn::Timed { by: Color::Black, acted: false, counts: true },
            (None, _) => self.play.turn(),
        }
    }

    fn missing_part(&self) -> Option<Violation> {
        let black = self.choosing == Some(Choosing::Black);
        self.chosen().err().filter(|_| black && self.outcome.is_none())
    }

    fn to_act(&self) -> Actor {
        match (self.outcome, self.choosing) {
            (Some(_), _) => Actor::Nobody,
            (None, Some(choosing)) => Actor::Player(choosing.by()),
            (None, None) => self.play.to_act(),
        }
    }

    fn phase(&self) -> Phase {
        match (self.outcome, self.choosing) {
            (Some(_), _) => Phase::Over,
            (None, Some(_)) => HAND_PHASE,
            (None, None) => Phase::Chess,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    fn flag_outcome(&self, fallen: Color) -> Outcome {
        // A player who cannot mate can still win hands.
        Outcome::won(fallen.other(), Reason::Timeout)
    }

    fn change(&mut self, change: &Change) -> Result<(), Violation> {
        self.running()?;
        match change {
            Change::Position(fen) => {
                self.chosen()?;
                self.play.set_position(fen)?;
            }
            Change::ToAct(color) => {
                self.chosen()?;
                self.play.set_to_move(*color)?;
            }
            Change::Stakes(_) => {
                return Err(no_chips(say!("no-chips-in-poker-chess", "Poker Chess has no chips")));
            }
            Change::Own(_) => return Err(no_such_change()),
        }
        Ok(())
    }

    fn after_ruling(&mut self) {
        if let (None, Some(ended)) = (self.outcome, self.play.ended()) {
            self.chess_ended(ended);
        }
    }

    fn board(&self) -> Board {
        self.play.board()
    }

    fn candidates(&self) -> Vec<Candidate> {
        match (self.outcome, self.choosing) {
            (None, None) => self.play.candidates(),
            _ => Vec::new(),
        }
    }

    fn offers(&self) -> Vec<Offer> {
        match (self.outcome, self.choosing) {
            (Some(_), _) => Vec::new(),
            (None, None) => self.play.offers(),
            (None, Some(_)) => {
                let resign = |color| Offer::Do(Action::Play(PlayAction::Resign(color)));
                let choices = |by| Offer::Own(OwnOffer::new(Choices { by, sets: self.sets(by) }));
                let chooser = self.chooser().map(Choosing::by);
                Color::ALL.map(resign).into_iter().chain(chooser.map(choices)).collect()
            }
        }
    }

    fn habit(&self, occasion: &mut SimulatedTurn<'_>) -> Option<Habit> {
        habits::habit(occasion)
    }

    fn prompt(&self) -> Sentence {
        match (self.outcome, self.choosing) {
            (Some(_), _) => game_over(),
            (None, Some(choosing)) if self.chooser().is_some() => self.what_to_choose(choosing.by()),
            (None, _) => self.play.prompt(),
        }
    }

    fn own_report(&self) -> Group {
        let hands = self.decided.oldest_first().map(DecidedHands::told);
        let hands: Group =
            hands.map(|told| (told.turn.to_string(), self.hand_report(&told).into())).collect();
        Group::new()
            .with("hands", hands)
            .with("ended_by", self.ended_by.map(Reason::word))
            .with("deal", self.terms.deal.written().clone())
    }

    fn score(&self) -> Option<Score> {
        Some(Score { points: self.score, wins: Some(Goal::Lead(self.terms.wipeout)) })
    }

    fn cards(&self) -> Option<&dyn Cards> {
        Some(self)
    }

    fn chess(&self) -> Option<&dyn ChessPhase> {
        Some(&self.play)
    }

    fn poker_hands(&self) -> Option<&dyn PokerHands> {
        Some(self)
    }
}

impl Cards for PokerChessState {
    fn heaps(&self) -> Vec<Heap> {
        let under = |at: Square| {
            let card = self.terms.deal.card(at)?;
            Some(Heap { place: HeapPlace::Under(at), up: vec![card.to_string()], down: 0 })
        };
        Square::all().filter_map(under).collect()
    }
}

impl PokerHands for PokerChessState {
    fn now(&self) -> TurnHands {
        let hands = ByColor::new(|color| self.best(color));
        DecidedHands { turn: self.turns.saturating_add(1), hands }.told()
    }

    fn decided(&self) -> Vec<TurnHands> {
        self.decided.oldest_first().map(DecidedHands::told).collect()
    }

    fn count(&self) -> usize {
        self.decided.len()
    }

    fn deal(&self) -> String {
        let deal = &self.terms.deal;
        let listed = || {
            let cards = deal.written().as_list().unwrap_or_default().iter();
            cards.filter_map(Datum::as_text).collect::<Vec<_>>().join(" ")
        };
        deal.name().map_or_else(listed, str::to_owned)
    }

    fn last(&self) -> Option<TurnHands> {
        self.decided.top().map(DecidedHands::told)
    }

    fn ended_by(&self) -> Option<Reason> {
        self.ended_by
    }

    fn after_moves(&self) -> Vec<(Uci, TurnHands)> {
        let after = |candidate: Candidate| match &candidate.action {
            Action::Play(action @ PlayAction::Move { uci, .. }) => {
                let mut next = self.clone();
                next.play.apply(action).ok()?;
                Some((*uci, next.now()))
            }
            _ => None,
        };
        self.candidates().into_iter().filter_map(after).collect()
    }
}
