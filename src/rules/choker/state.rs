//! The state of one game of Choker: deal, bet, place, chess, result.
//!
//! Each stage of the game is one variant of [`Stage`], and each kind of line in the record is one arm of
//! `apply`.

use std::sync::Arc;

use tabiya_types::{Board, ByColor, Card, Color, Fact, Piece, Sentence, Square, say};

use super::placing::Placing;
use super::terms::{Blinds, ChokerTerms};
use crate::rules::action::{Action, Correct, DealtCards, PieceAnnouncement, Place, Reveal};
use crate::rules::bet::Bet;
use crate::rules::betting::{BetDue, Street, StreetEnd, Structure, not_your_bet};
use crate::rules::capability::{Betting, Cards, ChessPhase, Placement, ShownCard, ShownHand, Stages};
use crate::rules::cards::Hand;
use crate::rules::change::Change;
use crate::rules::chips::Chips;
use crate::rules::game::Game;
use crate::rules::kind::Start;
use crate::rules::offer::Offer;
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::play::Play;
use crate::rules::play_action::PlayAction;
use crate::rules::stakes::Stakes;
use crate::rules::turn::{Actor, Candidate, Context, Done, Phase, Turn};
use crate::rules::violation::{Violation, begin_next, game_over, no_such_change, not_of_this_game};

/// A stage of the game. Data that only one stage needs is in the variant of that stage.
#[derive(Clone, Debug)]
enum Stage {
    /// The game waits for the cards of this street, 1 to 3.
    Deal(u8),
    /// The players bet on this street, 1 to 3.
    Bet(u8, Street),
    /// The players turn cards over and place pieces.
    Place,
    /// The players play chess.
    Chess(Play),
}

/// One game of Choker.
#[derive(Clone, Debug)]
pub struct ChokerState {
    terms: Arc<ChokerTerms>,
    start: Start,
    big_blind: Chips,
    stakes: Stakes,
    stage: Stage,
    /// The placements, kept through the chess phase for corrections and for the result.
    placing: Placing,
    /// Whether a player has bet in this game.
    bet_made: bool,
    incidents: Vec<(u32, Color)>,
    outcome: Option<Outcome>,
}

/// The names of the stages in their printed order.
const STAGES: [&str; 8] = ["deal-2", "bet", "deal-2", "bet", "deal-1", "bet", "placement", "chess"];

/// For each card of a street, the player who gets it. The cards are in the order in which they are dealt (printed rules
/// 2, 4 and 5 in `docs/rules.md`).
fn deal_order(street: u8) -> &'static [Color] {
    use Color::{Black, White};
    match street {
        1 => &[White, Black, White, Black],
        2 => &[Black, White, Black, White],
        _ => &[White, Black],
    }
}

/// How many cards each player gets on a street.
fn cards_on(street: u8) -> usize {
    deal_order(street).len() / 2
}

/// The player who bets first on a street (printed rules 2, 4 and 5 in `docs/rules.md`).
fn first_bettor(street: u8) -> Color {
    if street == 2 { Color::Black } else { Color::White }
}

impl ChokerState {
    pub(super) fn new(terms: Arc<ChokerTerms>, start: Start) -> Self {
        Self {
            big_blind: Chips::ZERO,
            stakes: Stakes { stacks: start.stacks, ..Stakes::default() },
            stage: Stage::Deal(1),
            placing: Placing::new(terms.hands),
            bet_made: false,
            incidents: Vec::new(),
            outcome: None,
            terms,
            start,
        }
    }

    fn wrong_phase(&self, what: Sentence) -> Violation {
        let (now, next) = match self.outcome {
            Some(_) => (game_over(), begin_next()),
            None => (self.at_stage(), self.prompt()),
        };
        Violation::new("wrong-stage", say!("wrong-stage", "{what} cannot be now: {now}", what, now), next)
    }

    fn at_stage(&self) -> Sentence {
        let stage = match &self.stage {
            Stage::Deal(_) => say!("stage-deal", "deal"),
            Stage::Bet(..) => say!("stage-bet", "bet"),
            Stage::Place => say!("stage-place", "place"),
            Stage::Chess(_) => say!("stage-chess", "chess"),
        };
        say!("at-stage", "the game is at its {stage} stage", stage)
    }

    fn reveal(&mut self, reveal: Reveal) -> Result<Done, Violation> {
        self.need_placing(say!("a-card", "a card"))?;
        self.placing.reveal(reveal.by, reveal.card)?;
        Ok(Done::default())
    }

    fn place(&mut self, Place { by, piece, at, says, .. }: Place) -> Result<Done, Violation> {
        self.need_placing(say!("a-placement", "a placement"))?;
        let remark = self.placing.place(by, piece, at, says)?;
        Ok(Done { notes: remark.into_iter().collect(), incident: None })
    }

    fn play(&mut self, play: &PlayAction) -> Result<Done, Violation> {
        match (&mut self.stage, self.outcome) {
            (Stage::Chess(chess), None) => {
                if let Some(outcome) = chess.apply(play)? {
                    self.end(outcome);
                }
                Ok(Done::default())
            }
            _ => Err(self.wrong_phase(match play {
                PlayAction::ClaimDraw { .. } => say!("a-draw-claim", "a claim of a draw"),
                PlayAction::OfferDraw(_) => say!("a-draw-offer", "an offer of a draw"),
                PlayAction::AcceptDraw(_) | PlayAction::DeclineDraw(_) => {
                    say!("a-draw-answer", "an answer to an offer of a draw")
                }
                PlayAction::Move { .. } | PlayAction::Resign(_) => say!("a-chess-move", "a chess move"),
            })),
        }
    }

    fn deal(&mut self, cards: &DealtCards, seconds: u64) -> Result<Done, Violation> {
        let (Stage::Deal(street), None) = (&self.stage, self.outcome) else {
            return Err(self.wrong_phase(say!("a-deal", "a deal")));
        };
        let street = *street;
        for (color, dealt) in cards.iter() {
            let count = dealt.as_ref().map_or(cards_on(street), Vec::len);
            if count != cards_on(street) {
                let what = say!(
                    "wrong-count",
                    "{color} got {count} cards on street {street}; the right number is {wanted}",
                    color,
                    count,
                    street,
                    wanted = cards_on(street)
                );
                let next = say!("wrong-count-next", "deal again, or declare the deal fouled (`fouled`)");
                return Err(Violation::new("wrong-count", what, next));
            }
        }
        let betting = if street == 1 {
            let blinds = self.terms.blinds_of(self.start.games_before, seconds);
            self.big_blind = blinds.black;
            Street::with_blinds(self.structure(), &mut self.stakes, blinds.white, blinds.black)
        } else {
            Street::later(self.structure(), &self.stakes, self.big_blind, first_bettor(street))
        };
        match betting {
            Some(betting) => self.stage = Stage::Bet(street, betting),
            None => self.end_street(street),
        }
        Ok(Done::default())
    }

    /// The betting structure of this game: fixed bets rise with the blinds.
    fn structure(&self) -> Structure {
        match self.terms.structure {
            Structure::Limit { bet, raises } => {
                let level = self.big_blind.0 / self.terms.small_blind.times(2).0.max(1);
                Structure::Limit { bet: bet.times(level), raises }
            }
            other => other,
        }
    }

    fn bet(&mut self, by: Color, bet: Bet) -> Result<Done, Violation> {
        let (Stage::Bet(street, betting), None) = (&mut self.stage, self.outcome) else {
            return Err(self.wrong_phase(say!("a-bet", "a bet")));
        };
        let street = *street;
        let end = betting.bet(&mut self.stakes, by, bet)?;
        self.bet_made = true;
        match end {
            StreetEnd::GoesOn => {}
            StreetEnd::Equal => self.end_street(street),
            StreetEnd::Folded(by) => self.end(Outcome::won(by.other(), Reason::Fold)),
        }
        Ok(Done::default())
    }

    fn end_street(&mut self, street: u8) {
        self.stakes.return_uncalled();
        self.stage = if street == 3 { Stage::Place } else { Stage::Deal(street + 1) };
    }

    fn need_placing(&self, what: Sentence) -> Result<(), Violation> {
        match (&self.stage, self.outcome) {
            (Stage::Place, None) => Ok(()),
            _ => Err(self.wrong_phase(what)),
        }
    }

    fn correct(&mut self, correct: &Correct, line: u32) -> Result<Done, Violation> {
        let Correct { by, at, piece, on, .. } = *correct;
        match (&self.stage, self.outcome) {
            (Stage::Place, None) => {}
            (Stage::Chess(chess), None) if !chess.white_has_moved() => {}
            (Stage::Chess(_), None) => {
                let what = say!(
                    "too-late-to-correct",
                    "White has made a chess move, so the placement can no longer be corrected"
                );
                let next = say!("too-late-to-correct-next", "play on, or call the arbiter");
                return Err(Violation::new("too-late-to-correct", what, next));
            }
            _ => return Err(self.wrong_phase(say!("a-correction", "a correction"))),
        }
        let mut placing = self.placing.clone();
        let offender = placing.correct(by, at, piece, on)?;
        let chess = match &self.stage {
            Stage::Chess(chess) => {
                let right = Piece { color: offender, role: piece.role() };
                Some(chess.corrected(self.chess_from(&placing)?, at, on.unwrap_or(at), right)?)
            }
            Stage::Deal(_) | Stage::Bet(..) | Stage::Place => None,
        };
        let ended = chess.as_ref().and_then(Play::ended);
        self.placing = placing;
        if let Some(chess) = chess {
            self.stage = Stage::Chess(chess);
        }
        let before = self.incidents.iter().any(|(_, by)| *by == offender);
        self.incidents.push((line, offender));
        if before {
            self.end(Outcome::won(offender.other(), Reason::FalseDeclaration));
            return Ok(Done::default());
        }
        if let Some(outcome) = ended {
            self.end(outcome);
        }
        Ok(Done { notes: Vec::new(), incident: Some(offender) })
    }

    fn chess_from(&self, placing: &Placing) -> Result<Play, Violation> {
        Play::from_board(&placing.settled_board(), self.terms.castling, self.start.claims).map_err(|error| {
            Violation::new("bad-position", error.what(), say!("bad-placement-next", "call the arbiter"))
        })
    }

    fn fouled(&mut self, by: Option<Color>) -> Result<Done, Violation> {
        let may = match &self.stage {
            _ if self.outcome.is_some() => false,
            Stage::Deal(1) => false,
            Stage::Deal(_) | Stage::Bet(..) | Stage::Place => true,
            Stage::Chess(_) => by.is_none(),
        };
        if !may {
            return Err(self.wrong_phase(say!("a-fouled-deck", "declaring the deck fouled")));
        }
        self.end(Outcome::drawn(Reason::FouledDeck));
        Ok(Done::default())
    }

    fn resign(&mut self, by: Color) -> Result<Done, Violation> {
        let early = || self.wrong_phase(say!("a-resignation", "a resignation"));
        let folds = match &self.stage {
            _ if self.outcome.is_some() => return Err(early()),
            Stage::Deal(_) | Stage::Bet(..) if !self.bet_made => return Err(early()),
            Stage::Deal(_) => true,
            Stage::Bet(_, betting) if betting.actor() == by => true,
            Stage::Bet(_, betting) => return Err(not_your_bet(betting.actor())),
            Stage::Place | Stage::Chess(_) => false,
        };
        let reason = if folds { Reason::Fold } else { Reason::Resignation };
        self.end(Outcome::won(by.other(), reason));
        Ok(Done::default())
    }
}

impl Game for ChokerState {
    fn boxed(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn apply(&mut self, action: &Action, context: Context) -> Result<Done, Violation> {
        match action {
            Action::Deal(cards) => self.deal(cards, context.seconds),
            Action::Bet { by, bet } => self.bet(*by, *bet),
            Action::Reveal(reveal) => self.reveal(*reveal),
            Action::Place(place) => self.place(*place),
            Action::Correct(correct) => self.correct(correct, context.line),
            Action::Fouled { by, .. } => self.fouled(*by),
            Action::Play(PlayAction::Resign(by)) => self.resign(*by),
            Action::Play(play) => self.play(play),
            Action::Own(own) => {
                let verb = own.word().to_owned();
                Err(not_of_this_game(say!("not-of-choker", "`{verb}` is not an action of Choker", verb)))
            }
        }
    }

    fn end_turn(&mut self) {
        match &mut self.stage {
            Stage::Place => {
                self.placing.end_turn();
                if self.placing.complete() {
                    let chess = self.chess_from(&self.placing);
                    let chess = chess.expect("zones keep every placement a position without check");
                    let ended = chess.ended();
                    self.stage = Stage::Chess(chess);
                    if let Some(outcome) = ended {
                        self.end(outcome);
                    }
                }
            }
            Stage::Chess(chess) => chess.end_turn(),
            Stage::Deal(_) | Stage::Bet(..) => {}
        }
    }

    fn turn(&self) -> Turn {
        match (&self.stage, self.outcome) {
            (Stage::Place, None) => {
                Turn::Timed { by: self.placing.turn(), acted: self.placing.acted(), counts: false }
            }
            (Stage::Chess(chess), None) => chess.turn(),
            _ => Turn::Untimed,
        }
    }

    fn to_act(&self) -> Actor {
        match (&self.stage, self.outcome) {
            (_, Some(_)) => Actor::Nobody,
            (Stage::Deal(_), None) => Actor::Dealer,
            (Stage::Bet(_, betting), None) => Actor::Player(betting.actor()),
            (Stage::Place, None) => Actor::Player(self.placing.turn()),
            (Stage::Chess(chess), None) => chess.to_act(),
        }
    }

    fn phase(&self) -> Phase {
        match (&self.stage, self.outcome) {
            (_, Some(_)) => Phase::Over,
            (Stage::Deal(_), None) => Phase::Deal,
            (Stage::Bet(..), None) => Phase::Bet,
            (Stage::Place, None) => Phase::Place,
            (Stage::Chess(_), None) => Phase::Chess,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn end(&mut self, outcome: Outcome) {
        self.stakes.award(outcome.winner);
        self.outcome = Some(outcome);
    }

    fn flag_outcome(&self, fallen: Color) -> Outcome {
        match &self.stage {
            Stage::Chess(chess) => chess.flag_outcome(fallen),
            Stage::Deal(_) | Stage::Bet(..) | Stage::Place => Outcome::won(fallen.other(), Reason::Timeout),
        }
    }

    fn change(&mut self, change: &Change) -> Result<(), Violation> {
        match (change, &mut self.stage) {
            (Change::Stakes(stakes), stage) => {
                if let Stage::Bet(_, betting) = stage {
                    betting.correct_put(&self.stakes, stakes);
                }
                self.stakes = *stakes;
            }
            (Change::Own(_), _) => return Err(no_such_change()),
            (_, _) if self.outcome.is_some() => {
                return Err(self.wrong_phase(say!("a-change-of-the-position", "a change of the position")));
            }
            (Change::Position(fen), Stage::Chess(chess)) => chess.set_position(fen)?,
            (Change::Position(_), _) => {
                return Err(self.wrong_phase(say!("a-position", "a ruling about the position")));
            }
            (Change::ToAct(color), Stage::Chess(chess)) => chess.set_to_move(*color)?,
            (Change::ToAct(color), Stage::Place) => self.placing.set_turn(*color)?,
            (Change::ToAct(color), Stage::Bet(_, betting)) => betting.set_actor(*color),
            (Change::ToAct(_), Stage::Deal(_)) => {
                return Err(self.wrong_phase(say!("a-turn", "a ruling about the turn")));
            }
        }
        Ok(())
    }

    fn after_ruling(&mut self) {
        let Stage::Chess(chess) = &self.stage else { return };
        if let (None, Some(outcome)) = (self.outcome, chess.ended()) {
            self.end(outcome);
        }
    }

    fn board(&self) -> Board {
        match &self.stage {
            Stage::Chess(chess) => chess.board(),
            Stage::Deal(_) | Stage::Bet(..) | Stage::Place => self.placing.board(),
        }
    }

    fn candidates(&self) -> Vec<Candidate> {
        match (&self.stage, self.outcome) {
            (Stage::Place, None) => {
                let (by, board) = (self.placing.turn(), self.placing.settled_board());
                let mut candidates = Vec::new();
                for (piece, squares) in self.placing.options() {
                    for at in squares {
                        let action = Action::Place(Place::new(by, piece, at));
                        let mut after = board;
                        after[at] = Some(Piece { color: by, role: piece.role() });
                        candidates.push(Candidate { action, after });
                    }
                }
                candidates
            }
            (Stage::Chess(chess), None) => chess.candidates(),
            _ => Vec::new(),
        }
    }

    fn offers(&self) -> Vec<Offer> {
        let resign = |color| Offer::Do(Action::Play(PlayAction::Resign(color)));
        match (&self.stage, self.outcome) {
            (_, Some(_)) => Vec::new(),
            (Stage::Deal(_), None) => {
                let mut offers = vec![Offer::Do(Action::Deal(DealtCards::default()))];
                if self.bet_made {
                    offers.extend(Color::ALL.map(resign));
                }
                offers
            }
            (Stage::Bet(_, betting), None) => {
                let mut offers = betting.offers(&self.stakes);
                offers.extend(self.bet_made.then(|| resign(betting.actor())));
                offers
            }
            (Stage::Place, None) => {
                let mut offers = self.placing.offers();
                offers.extend(Color::ALL.map(resign));
                offers
            }
            (Stage::Chess(chess), None) => chess.offers(),
        }
    }

    fn prompt(&self) -> Sentence {
        match (&self.stage, self.outcome) {
            (_, Some(_)) => game_over(),
            (Stage::Deal(street), None) => {
                let dealer: Fact = if self.terms.arbiter_deals {
                    say!("the-dealer", "Dealer").into()
                } else {
                    Color::Black.into()
                };
                let first = first_bettor(*street);
                match cards_on(*street) {
                    1 => {
                        say!("deal-one-card", "{dealer}: deal one card each, first to {first}", dealer, first)
                    }
                    _ => say!(
                        "deal-two-cards",
                        "{dealer}: deal two cards each, first to {first}",
                        dealer,
                        first
                    ),
                }
            }
            (Stage::Bet(_, betting), None) => {
                let (by, offers) = (betting.actor(), betting.in_words(&self.stakes));
                say!("make-a-bet", "{by}: {offers}", by, offers)
            }
            (Stage::Place, None) => self.placing.prompt(),
            (Stage::Chess(chess), None) => chess.prompt(),
        }
    }

    fn stages(&self) -> Option<Stages> {
        let now = match &self.stage {
            Stage::Deal(street) => 2 * usize::from(street - 1),
            Stage::Bet(street, _) => 2 * usize::from(street - 1) + 1,
            Stage::Place => 6,
            Stage::Chess(_) => 7,
        };
        Some(Stages { names: &STAGES, now })
    }

    fn betting(&self) -> Option<&dyn Betting> {
        Some(self)
    }

    fn cards(&self) -> Option<&dyn Cards> {
        Some(self)
    }

    fn placement(&self) -> Option<&dyn Placement> {
        Some(self)
    }

    fn chess(&self) -> Option<&dyn ChessPhase> {
        match &self.stage {
            Stage::Chess(chess) => Some(chess),
            Stage::Deal(_) | Stage::Bet(..) | Stage::Place => None,
        }
    }
}

impl Betting for ChokerState {
    fn stakes(&self) -> Stakes {
        self.stakes
    }

    fn due(&self) -> Option<BetDue> {
        match (&self.stage, self.outcome) {
            (Stage::Bet(_, betting), None) => Some(betting.due(&self.stakes)),
            _ => None,
        }
    }

    fn bettor_on_time(&self) -> Option<Color> {
        match (&self.stage, self.outcome) {
            (Stage::Bet(_, betting), None) => Some(betting.actor()),
            _ => None,
        }
    }

    fn blinds(&self, seconds: u64) -> ByColor<Chips> {
        if self.big_blind == Chips::ZERO {
            return self.terms.blinds_of(self.start.games_before, seconds);
        }
        ByColor { white: Chips(self.big_blind.0 / 2), black: self.big_blind }
    }

    fn in_force(&self) -> Option<Sentence> {
        let rises = self.terms.blinds != Blinds::Fixed && self.big_blind > Chips::ZERO;
        let ByColor { white: small, black: big } = self.blinds(0);
        rises.then(|| match self.structure() {
            Structure::Limit { bet, .. } => {
                say!("in-force-limit", "blinds {small} and {big}, bets and raises of {bet}", small, big, bet)
            }
            Structure::NoLimit | Structure::PotLimit => {
                say!("in-force", "blinds {small} and {big}", small, big)
            }
        })
    }

    fn default_action(&self) -> Option<Action> {
        let Stage::Bet(_, betting) = &self.stage else { return None };
        let free = betting.call(&self.stakes) == Chips::ZERO;
        Some(Action::Bet { by: betting.actor(), bet: if free { Bet::Check } else { Bet::Fold } })
    }
}

impl Cards for ChokerState {
    fn deal_order(&self) -> &'static [Color] {
        match (&self.stage, self.outcome) {
            (_, Some(Outcome { reason: Reason::FouledDeck, .. })) => deal_order(1),
            (Stage::Deal(street), None) => deal_order(*street),
            _ => &[],
        }
    }

    fn shown(&self, of: Color) -> Vec<ShownCard> {
        self.placing.shown_cards(of)
    }

    fn possible_pieces(&self, of: Color) -> Vec<Card> {
        match (&self.stage, self.outcome) {
            (Stage::Place, None) => self.placing.next_pieces(of),
            _ => Vec::new(),
        }
    }

    fn hand(&self, of: Color) -> Option<ShownHand> {
        let hand = Hand::new(self.placing.cards(of).cards()).ok()?;
        let rules = self.terms.hands;
        let pieces = hand.pieces(rules).to_string();
        Some(ShownHand { cards: hand.to_string(), name: hand.name(rules), pieces })
    }
}

impl Placement for ChokerState {
    fn open_squares(&self) -> Vec<Square> {
        match (&self.stage, self.outcome) {
            (Stage::Place, None) if !self.placing.acted() => {
                let mut squares: Vec<Square> =
                    self.placing.options().into_iter().flat_map(|(_, squares)| squares).collect();
                squares.sort_unstable();
                squares.dedup();
                squares
            }
            _ => Vec::new(),
        }
    }

    fn open_places(&self) -> Vec<(Card, Sentence)> {
        match (&self.stage, self.outcome) {
            (Stage::Place, None) if !self.placing.acted() => self.placing.places_in_words(),
            _ => Vec::new(),
        }
    }

    fn announcement(&self, place: &Place) -> Option<PieceAnnouncement> {
        self.placing.announcement(place.by, place.piece)
    }

    fn announced(&self) -> Option<(Color, Card, PieceAnnouncement)> {
        matches!((&self.stage, self.outcome), (Stage::Place, None))
            .then(|| self.placing.announced())
            .flatten()
    }

    fn incidents(&self) -> Vec<(u32, Color)> {
        self.incidents.clone()
    }
}
