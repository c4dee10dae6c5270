//! One game of PokerDrez: pawns off, the deal, then chess with cards until the stock is empty.
//!
//! `turn.rs` has the lines of a turn, `stake.rs` the bets, `offered.rs` what is legal and what the results say.
//!
//! Source: `docs/rules-pokerdrez.md`; `docs/record-pokerdrez.md`, "How lines act", 1, 2, 11, 12, 14 and 17.

use std::sync::Arc;

use tabiya_types::{Board, ByColor, Color, Piece, Role, Sentence, Square, Stack};

use super::habits;
use super::letter::{DrezCard, DrezCounts};
use super::lines::{DrezAction, DrezOwn};
use super::offers::DrezRuled;
use super::pool::{CardPool, HAND, ROW};
use super::refusals::DrezError;
use super::terms::PokerDrezTerms;
use crate::rules::action::Action;
use crate::rules::capability::{Betting, CardPlace, Cards, ChessPhase, Laying, Stages};
use crate::rules::change::Change;
use crate::rules::datum::Group;
use crate::rules::game::Game;
use crate::rules::habit::{Habit, SimulatedTurn};
use crate::rules::kind::Start;
use crate::rules::offer::Offer;
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::play::Play;
use crate::rules::play_action::PlayAction;
use crate::rules::stakes::Stakes;
use crate::rules::turn::{Actor, Candidate, Context, Done, Phase, Turn};
use crate::rules::violation::{Violation, begin_next, game_over, no_such_change, not_of_this_game};

/// The stage in which the players may take a pawn off.
pub(super) const PAWNS: Phase = Phase::Own("pawns");

/// One game of PokerDrez.
#[derive(Clone, Debug)]
pub struct PokerDrezState {
    pub(super) terms: Arc<PokerDrezTerms>,
    pub(super) start: Start,
    pub(super) pawns: ByColor<PawnChoice>,
    /// The chess; `None` before the deal.
    pub(super) play: Option<Play>,
    pub(super) pool: CardPool,
    /// Who has the die.
    pub(super) die: Color,
    pub(super) turn: DrezTurn,
    /// How many cards each player has drawn from the stock whose faces no line has told yet.
    pub(super) untold: ByColor<u32>,
    /// What each move was made with.
    pub(super) moved_with: Stack<MovedWith>,
    pub(super) stakes: Stakes,
    /// Who raised last.
    pub(super) raised: Option<Color>,
    /// Whether that raise waits for an answer.
    pub(super) waits: bool,
    pub(super) outcome: Option<Outcome>,
}

/// Whether a player takes one of his pawns off before the deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum PawnChoice {
    /// The player has not said yet.
    #[default]
    Open,
    /// The player keeps all pawns.
    Keeps,
    /// The player has taken the pawn on this square off.
    Removes(Square),
}

impl PawnChoice {
    pub(super) fn square(self) -> Option<Square> {
        match self {
            Self::Removes(at) => Some(at),
            Self::Open | Self::Keeps => None,
        }
    }
}

/// What has been done in the present turn, until it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct DrezTurn {
    /// The card that was laid, and from where.
    pub(super) laid: Option<(DrezCard, CardPlace)>,
    /// The card that the throw of this turn counts as, and its number.
    pub(super) rolled: Option<(DrezCard, u8)>,
    /// How often the player has shown his cards.
    pub(super) shows: u32,
    /// Whether the player has to lay a card into the row.
    pub(super) owes: bool,
}

/// What a move was made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MovedWith {
    Card(DrezCard, CardPlace),
    Die(u8),
    /// The stock was empty: plain chess.
    Nothing,
}

impl PokerDrezState {
    pub(super) fn new(terms: Arc<PokerDrezTerms>, start: Start) -> Self {
        Self {
            pool: CardPool::undealt(terms.decks),
            stakes: Stakes { stacks: start.stacks, ..Stakes::default() },
            terms,
            start,
            pawns: ByColor::default(),
            play: None,
            die: Color::Black,
            turn: DrezTurn::default(),
            untold: ByColor::default(),
            moved_with: Stack::EMPTY,
            raised: None,
            waits: false,
            outcome: None,
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
        self.play.is_some() && self.pool.stock > 0
    }

    /// The player who has to answer a raise.
    pub(super) fn answerer(&self) -> Option<Color> {
        self.raised.filter(|_| self.waits && self.outcome.is_none()).map(Color::other)
    }

    /// Refuses what has to wait for the answer to a raise.
    pub(super) fn nothing_waits(&self) -> Result<(), Violation> {
        self.answerer().map_or(Ok(()), |by| Err(self.no(&DrezError::RaiseWaits(by))))
    }

    /// The player who has to lay a card into the row.
    pub(super) fn owing(&self) -> Option<Color> {
        let owes = self.turn.owes && self.outcome.is_none();
        self.play.as_ref().filter(|_| owes).map(|play| play.to_move().other())
    }

    // ---- before the chess ----

    /// Who chooses a pawn next; `None` if both have chosen.
    pub(super) fn chooser(&self) -> Option<Color> {
        [Color::Black, Color::White].into_iter().find(|color| self.pawns[*color] == PawnChoice::Open)
    }

    fn remove(&mut self, by: Color, at: Option<Square>) -> Result<(), Violation> {
        if self.play.is_some() {
            return Err(self.no(&DrezError::Dealt));
        }
        if self.pawns[by] != PawnChoice::Open {
            return Err(self.no(&DrezError::ChosenAlready(by)));
        }
        if self.chooser() != Some(by) {
            return Err(self.no(&DrezError::BlackFirst));
        }
        if let Some(at) = at {
            if self.board()[at] != Some(Piece { color: by, role: Role::Pawn }) {
                return Err(self.no(&DrezError::NoOwnPawn { by, at }));
            }
            if !self.removable(by).contains(&at) {
                return Err(self.no(&DrezError::SameFile(at)));
            }
        }
        self.pawns[by] = at.map_or(PawnChoice::Keeps, PawnChoice::Removes);
        Ok(())
    }

    /// The pawns that a player may take off, from a1 to h8.
    pub(super) fn removable(&self, by: Color) -> Vec<Square> {
        let taken = self.pawns[by.other()].square().filter(|_| by == Color::White);
        let board = self.board();
        let own = |at: &Square| board[*at] == Some(Piece { color: by, role: Role::Pawn });
        Square::all().filter(own).filter(|at| taken.is_none_or(|taken| taken.file() != at.file())).collect()
    }

    /// The start position without the pawns that were taken off.
    fn pawns_off(&self) -> Board {
        let mut board = Play::usual(false).board();
        for at in Color::ALL.into_iter().filter_map(|color| self.pawns[color].square()) {
            board[at] = None;
        }
        board
    }

    fn deal(&mut self, common: Option<&[DrezCard]>, own: &ByColor<DrezOwn>) -> Result<(), Violation> {
        if self.play.is_some() {
            return self.tell_drawn(common, own);
        }
        let row = common.unwrap_or_default();
        if row.len() != ROW {
            return Err(self.no(&DrezError::NeedsRow { count: row.len() }));
        }
        for (of, cards) in own.iter() {
            if let Some(count) = cards.as_ref().map(Vec::len).filter(|count| *count != HAND) {
                return Err(self.no(&DrezError::WrongHand { of, count }));
            }
        }
        let row: DrezCounts = row.iter().copied().collect();
        let most = self.pool.limit(DrezCard::Neutral);
        if row.of(DrezCard::Neutral) > most {
            return Err(self.no(&DrezError::TooManyNeutral { most }));
        }
        let play = Play::from_board(&self.pawns_off(), true, self.start.claims);
        self.play = Some(play.expect("chess can be played without one pawn each"));
        self.pool.deal(row);
        self.put_in_least();
        Ok(())
    }

    /// A later deal: a reader tells faces of cards that were drawn.
    fn tell_drawn(&mut self, common: Option<&[DrezCard]>, own: &ByColor<DrezOwn>) -> Result<(), Violation> {
        if common.is_some() {
            return Err(self.no(&DrezError::RowLies));
        }
        if own.iter().all(|(_, cards)| cards.is_none()) {
            return Err(self.no(&DrezError::NothingTold));
        }
        let told = ByColor::new(|color| own[color].as_ref().map_or(0, Vec::len));
        let mut untold = self.untold;
        for (of, count) in told.iter() {
            let most = untold[of];
            let Some(left) = u32::try_from(*count).ok().and_then(|count| most.checked_sub(count)) else {
                return Err(self.no(&DrezError::TooManyTold { of, most }));
            };
            untold[of] = left;
        }
        self.untold = untold;
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
            DrezAction::Reveal { by, card, from, .. } => self.reveal(*by, *card, *from),
            DrezAction::Return { by, card, .. } => self.put_back(*by, *card),
            DrezAction::Roll { by, pips } => self.roll(*by, *pips),
            DrezAction::Swap { by, from, with, card } => self.swap(*by, *from, *with, *card),
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
        let DrezTurn { laid, rolled, owes, .. } = self.turn;
        if laid.is_some() || rolled.is_some() || owes {
            return Err(self.no(&DrezError::TurnUnfinished));
        }
        Ok(())
    }

    fn ruled(&mut self, ruled: &DrezRuled) -> Result<(), Violation> {
        if !self.cards_count() {
            return Err(self.no(&DrezError::CardsAside));
        }
        let mut pool = self.pool;
        if let Some(common) = &ruled.common {
            pool.row = common.iter().copied().collect();
        }
        if let Some(card) = DrezCard::ALL.into_iter().find(|card| pool.seen(*card) > pool.limit(*card)) {
            return Err(self.no(&DrezError::TooOften(card)));
        }
        pool.stock = ruled.stock.unwrap_or(pool.stock);
        if pool.stock > pool.full_stock() {
            return Err(self.no(&DrezError::StockTooLarge { most: pool.full_stock() }));
        }
        self.pool = pool;
        self.die = ruled.die.unwrap_or(self.die);
        self.lay_aside();
        Ok(())
    }

    fn rule_chess(
        &mut self,
        change: impl FnOnce(&mut Play) -> Result<(), Violation>,
    ) -> Result<(), Violation> {
        let Some(play) = &mut self.play else { return Ok(()) };
        let mover = play.to_move();
        change(play)?;
        if play.to_move() != mover {
            self.turn = DrezTurn::default();
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
        self.turn = DrezTurn::default();
        if let Some(play) = &mut self.play {
            play.end_turn();
        }
    }

    fn turn(&self) -> Turn {
        match &self.play {
            Some(play) if self.outcome.is_none() && !self.waits => match play.turn() {
                Turn::Timed { by, acted, counts } => {
                    Turn::Timed { by, acted: acted && !self.turn.owes, counts }
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
            (None, None) => self.chooser().map_or(Actor::Dealer, Actor::Player),
            (Some(play), None) => {
                Actor::Player(self.answerer().or(self.owing()).unwrap_or_else(|| play.to_move()))
            }
        }
    }

    fn phase(&self) -> Phase {
        match (&self.play, self.outcome) {
            (_, Some(_)) => Phase::Over,
            (None, None) if self.chooser().is_some() => PAWNS,
            (None, None) => Phase::Deal,
            (Some(_), None) if self.waits => Phase::Bet,
            (Some(_), None) => Phase::Chess,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn end(&mut self, outcome: Outcome) {
        self.award(outcome);
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
            return self.rule_stakes(*stakes);
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
        self.play.as_ref().map_or_else(|| self.pawns_off(), Play::board)
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
        let now = match (&self.play, self.chooser()) {
            (Some(_), _) => 2,
            (None, None) => 1,
            (None, Some(_)) => 0,
        };
        Some(Stages { names: &["pawns", "deal", "chess"], now })
    }

    fn betting(&self) -> Option<&dyn Betting> {
        self.terms.bets.map(|_| self as &dyn Betting)
    }

    fn cards(&self) -> Option<&dyn Cards> {
        Some(self)
    }

    fn laying(&self) -> Option<&dyn Laying> {
        Some(self)
    }

    fn chess(&self) -> Option<&dyn ChessPhase> {
        self.play.as_ref().map(|play| play as &dyn ChessPhase)
    }
}
