//! One game of PokerDrez: pawns off, the deal, then chess with cards until the stock is empty.
//!
//! `turn.rs` has the lines of a turn, `offered.rs` what is legal and what the results say. The parts of a game are values of
//! their own: its pawns (`pawns.rs`), its cards and its die (`cards.rs`), its stakes (`stake.rs`).
//!
//! Source: `docs/rules-pokerdrez.md`; `docs/record-pokerdrez.md`, "How lines act", 1, 2, 11, 12, 14 and 17.

use std::sync::Arc;

use tabiya_types::{Board, ByColor, Color, Sentence, Square, Stack};

use super::cards::{DrezCards, MovedWith};
use super::habits;
use super::letter::DrezCard;
use super::lines::{DrezAction, DrezOwn};
use super::offers::DrezRuled;
use super::pawns::DrezPawns;
use super::refusals::DrezError;
use super::stake::DrezStake;
use super::terms::PokerDrezTerms;
use crate::rules::action::Action;
use crate::rules::capability::{Betting, Cards, ChessPhase, Laying, Stages};
use crate::rules::change::Change;
use crate::rules::datum::Group;
use crate::rules::game::Game;
use crate::rules::habit::{Habit, SimulatedTurn};
use crate::rules::kind::Start;
use crate::rules::offer::Offer;
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::play::Play;
use crate::rules::play_action::PlayAction;
use crate::rules::turn::{Actor, Candidate, Context, Done, Phase, Turn};
use crate::rules::violation::{Violation, begin_next, game_over, no_chips, no_such_change, not_of_this_game};

/// The stage in which the players may take a pawn off.
pub(super) const PAWNS: Phase = Phase::Own("pawns");

/// One game of PokerDrez.
#[derive(Clone, Debug)]
pub struct PokerDrezState {
    pub(super) terms: Arc<PokerDrezTerms>,
    pub(super) start: Start,
    pub(super) pawns: DrezPawns,
    /// The chess; `None` before the deal.
    pub(super) play: Option<Play>,
    pub(super) cards: DrezCards,
    /// What each move was made with.
    pub(super) moved_with: Stack<MovedWith>,
    pub(super) stake: DrezStake,
    pub(super) outcome: Option<Outcome>,
}

impl PokerDrezState {
    pub(super) fn new(terms: Arc<PokerDrezTerms>, start: Start) -> Self {
        Self {
            pawns: DrezPawns::default(),
            play: None,
            cards: DrezCards::undealt(terms.decks),
            moved_with: Stack::EMPTY,
            stake: DrezStake::new(terms.bets, start.stacks),
            outcome: None,
            terms,
            start,
        }
    }

    /// The violation for this reason, with what the players have to do instead.
    pub(super) fn no(&self, error: &DrezError) -> Violation {
        error.explain(self.prompt())
    }

    fn running(&self) -> Result<(), Violation> {
        match self.outcome {
            None => Ok(()),
            Some(_) => Err(Violation::new("game-over", game_over(), begin_next())),
        }
    }

    /// The chess, once the cards are dealt.
    pub(super) fn dealt(&self) -> Result<&Play, Violation> {
        self.play.as_ref().ok_or_else(|| self.no(&DrezError::NotDealt))
    }

    /// Whether moves need cards: from the deal until the stock is empty.
    pub(super) fn cards_count(&self) -> bool {
        self.play.is_some() && self.cards.count()
    }

    /// The player who has to answer a raise.
    pub(super) fn answerer(&self) -> Option<Color> {
        self.stake.answerer()
    }

    /// Refuses what has to wait for the answer to a raise.
    pub(super) fn nothing_waits(&self) -> Result<(), Violation> {
        self.answerer().map_or(Ok(()), |by| Err(self.no(&DrezError::RaiseWaits(by))))
    }

    /// The player who has to lay a card into the row.
    pub(super) fn owing(&self) -> Option<Color> {
        let owes = self.cards.turn.owes && self.outcome.is_none();
        self.play.as_ref().filter(|_| owes).map(|play| play.to_move().other())
    }

    // ---- before the chess ----

    fn remove(&mut self, by: Color, at: Option<Square>) -> Result<(), Violation> {
        if self.play.is_some() {
            return Err(self.no(&DrezError::Dealt));
        }
        let done = self.pawns.remove(by, at);
        done.map_err(|error| self.no(&error))
    }

    fn deal(&mut self, common: Option<&[DrezCard]>, own: &ByColor<DrezOwn>) -> Result<(), Violation> {
        if self.play.is_some() {
            let done = self.cards.tell_drawn(common, own);
            return done.map_err(|error| self.no(&error.into()));
        }
        let done = self.cards.deal_row(common, own);
        done.map_err(|error| self.no(&error.into()))?;
        let play = Play::from_board(&self.pawns.board(), true, self.start.claims);
        self.play = Some(play.expect("chess can be played without one pawn each"));
        self.stake.put_in_least();
        Ok(())
    }

    fn fouled(&mut self, by: Option<Color>) -> Result<(), Violation> {
        self.dealt()?;
        if by.is_some() && !self.cards_count() {
            return Err(self.no(&DrezError::TooLateFouled));
        }
        self.end(Outcome::drawn(Reason::FouledDeck));
        Ok(())
    }

    fn own(&mut self, action: &DrezAction) -> Result<(), Violation> {
        match action {
            DrezAction::Remove { by, at } => self.remove(*by, *at),
            DrezAction::Deal { common, own } => self.deal(common.as_deref(), own),
            DrezAction::Reveal { by, card, from, .. } => {
                self.use_cards(*by, |cards, play| cards.reveal(play, *by, (*card, *from)))
            }
            DrezAction::Return { by, card, .. } => self.put_back(*by, *card),
            DrezAction::Roll { by, pips } => self.use_cards(*by, |cards, _| cards.roll(*by, *pips)),
            DrezAction::Swap { by, from, with, card } => {
                self.use_cards(*by, |cards, _| cards.swap(*by, *from, *with, *card))
            }
            DrezAction::Show { by, cards } => self.show(*by, *cards),
        }
    }

    fn chess_action(&mut self, action: &PlayAction) -> Result<(), Violation> {
        self.dealt()?;
        if let (PlayAction::Resign(by), Some(answerer)) = (action, self.answerer())
            && *by == answerer
        {
            self.end(Outcome::won(by.other(), Reason::Fold));
            return Ok(());
        }
        self.nothing_waits()?;
        match action {
            PlayAction::Move { by, uci, .. } => self.moved(*by, *uci, action),
            PlayAction::ClaimDraw { by, uci } => self.claim(*by, *uci, action),
            PlayAction::Resign(_)
            | PlayAction::OfferDraw(_)
            | PlayAction::AcceptDraw(_)
            | PlayAction::DeclineDraw(_) => {
                let ended = self.play.as_mut().map(|play| play.apply(action)).transpose()?.flatten();
                if let Some(outcome) = ended {
                    self.end(outcome);
                }
                Ok(())
            }
        }
    }

    // ---- rulings ----

    /// Refuses a ruling about the position or the cards while a turn is half done.
    fn may_be_ruled(&self) -> Result<(), Violation> {
        self.running()?;
        self.dealt()?;
        self.nothing_waits()?;
        if !self.cards.at_rest() {
            return Err(self.no(&DrezError::TurnUnfinished));
        }
        Ok(())
    }

    fn ruled(&mut self, ruled: &DrezRuled) -> Result<(), Violation> {
        if !self.cards_count() {
            return Err(self.no(&DrezError::CardsAside));
        }
        let done = self.cards.rule(ruled);
        done.map_err(|error| self.no(&error))
    }

    fn rule_chess(
        &mut self,
        change: impl FnOnce(&mut Play) -> Result<(), Violation>,
    ) -> Result<(), Violation> {
        let Some(play) = &mut self.play else { return Ok(()) };
        let mover = play.to_move();
        change(play)?;
        if play.to_move() != mover {
            self.cards.end_turn();
        }
        Ok(())
    }
}

impl Game for PokerDrezState {
    fn boxed(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn apply(&mut self, action: &Action, _: Context) -> Result<Done, Violation> {
        self.running()?;
        match action {
            Action::Own(own) if own.of::<DrezAction>().is_some() => {
                self.own(own.of().expect("the line above"))?;
            }
            Action::Bet { by, bet } => self.bet(*by, *bet)?,
            Action::Fouled { by, .. } => self.fouled(*by)?,
            Action::Play(play) => self.chess_action(play)?,
            other => {
                let verb = other.word().to_owned();
                return Err(not_of_this_game(tabiya_types::say!(
                    "not-of-pokerdrez",
                    "`{verb}` is not an action of PokerDrez",
                    verb
                )));
            }
        }
        Ok(Done::default())
    }

    fn end_turn(&mut self) {
        self.cards.end_turn();
        if let Some(play) = &mut self.play {
            play.end_turn();
        }
    }

    fn turn(&self) -> Turn {
        match &self.play {
            Some(play) if self.outcome.is_none() && self.answerer().is_none() => match play.turn() {
                Turn::Timed { by, acted, counts } => {
                    Turn::Timed { by, acted: acted && !self.cards.turn.owes, counts }
                }
                Turn::Untimed => Turn::Untimed,
            },
            Some(_) | None => Turn::Untimed,
        }
    }

    fn missing_part(&self) -> Option<Violation> {
        self.owing().map(|by| self.no(&DrezError::Owes(by)))
    }

    fn to_act(&self) -> Actor {
        match (&self.play, self.outcome) {
            (_, Some(_)) => Actor::Nobody,
            (None, None) => self.pawns.chooser().map_or(Actor::Dealer, Actor::Player),
            (Some(play), None) => {
                Actor::Player(self.answerer().or(self.owing()).unwrap_or_else(|| play.to_move()))
            }
        }
    }

    fn phase(&self) -> Phase {
        match (&self.play, self.outcome) {
            (_, Some(_)) => Phase::Over,
            (None, None) if self.pawns.chooser().is_some() => PAWNS,
            (None, None) => Phase::Deal,
            (Some(_), None) if self.answerer().is_some() => Phase::Bet,
            (Some(_), None) => Phase::Chess,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn end(&mut self, outcome: Outcome) {
        self.stake.award(outcome);
        self.outcome = Some(outcome);
    }

    fn flag_outcome(&self, fallen: Color) -> Outcome {
        match &self.play {
            Some(play) => play.flag_outcome(fallen),
            None => Outcome::won(fallen.other(), Reason::Timeout),
        }
    }

    fn change(&mut self, change: &Change) -> Result<(), Violation> {
        if let Change::Stakes(stakes) = change {
            return self.stake.rule(*stakes).map_err(|error| no_chips(error.what()));
        }
        self.may_be_ruled()?;
        match change {
            Change::Position(fen) => self.rule_chess(|play| play.set_position(fen)),
            Change::ToAct(color) => self.rule_chess(|play| play.set_to_move(*color)),
            Change::Own(own) => match own.of::<DrezRuled>() {
                Some(ruled) => self.ruled(ruled),
                None => Err(no_such_change()),
            },
            Change::Stakes(_) => Ok(()),
        }
    }

    fn after_ruling(&mut self) {
        let ended = self.play.as_ref().and_then(Play::ended);
        if let (None, Some(outcome)) = (self.outcome, ended) {
            self.end(outcome);
        }
    }

    fn board(&self) -> Board {
        self.play.as_ref().map_or_else(|| self.pawns.board(), Play::board)
    }

    fn candidates(&self) -> Vec<Candidate> {
        self.what_moves()
    }

    fn offers(&self) -> Vec<Offer> {
        self.what_is_offered()
    }

    fn habit(&self, occasion: &mut SimulatedTurn<'_>) -> Option<Habit> {
        habits::habit(occasion)
    }

    fn prompt(&self) -> Sentence {
        self.what_to_do()
    }

    fn own_report(&self) -> Group {
        self.report()
    }

    fn stages(&self) -> Option<Stages> {
        let now = match (&self.play, self.pawns.chooser()) {
            (Some(_), _) => 2,
            (None, None) => 1,
            (None, Some(_)) => 0,
        };
        Some(Stages { names: &["pawns", "deal", "chess"], now })
    }

    fn betting(&self) -> Option<&dyn Betting> {
        self.stake.has_chips().then_some(&self.stake as &dyn Betting)
    }

    fn cards(&self) -> Option<&dyn Cards> {
        Some(self)
    }

    fn laying(&self) -> Option<&dyn Laying> {
        Some(&self.cards)
    }

    fn chess(&self) -> Option<&dyn ChessPhase> {
        self.play.as_ref().map(|play| play as &dyn ChessPhase)
    }
}
