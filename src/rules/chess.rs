//! Chess under FIDE's rules, from any start position, including Chess960.

use std::sync::Arc;

use tabiya_types::{Board, Color, Fact, Sentence, say};

use super::action::Action;
use super::capability::ChessPhase;
use super::change::Change;
use super::chess960;
use super::datum::Group;
use super::fields::{Fields, FormError};
use super::game::Game;
use super::kind::{Agreed, GameKind, Preset, Start};
use super::offer::Offer;
use super::outcome::Outcome;
use super::play::Play;
use super::sheet_line::SheetLine;
use super::term::{TermKind, TermSpec};
use super::turn::{Actor, Candidate, Context, Done, Phase, Turn};
use super::verb::Verb;
use super::violation::{Violation, begin_next, game_over, no_chips, no_such_change, not_of_this_game};

/// The start position that is used if the terms contain no FEN.
const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The term `fen`, which Chess Joker has, too.
pub(super) const FEN: TermSpec =
    TermSpec::new("fen", TermKind::Position).option("fen", "FEN", "Play chess from this position, a FEN");
const TERMS: &[TermSpec] = &[
    FEN,
    TermSpec::new("chess960", TermKind::Start960).option(
        "chess960",
        "NUMBER",
        "Play Chess960, from the position with this number (0 to 959; 518 is the usual array). Without a number, and \
         without --fen, the position is drawn; with --seed always the same one",
    ),
];

/// The game kind `chess`.
#[derive(Debug)]
pub struct Chess;

impl GameKind for Chess {
    fn name(&self) -> &'static str {
        "chess"
    }

    fn title(&self) -> Sentence {
        say!("game-name-chess", "Chess")
    }

    fn terms(&self) -> &'static [TermSpec] {
        TERMS
    }

    fn required_terms(&self) -> &'static [&'static str] {
        &[]
    }

    fn presets(&self) -> &'static [Preset] {
        &[
            Preset { name: "blitz", terms: || Group::new().with("time", "120") },
            Preset { name: "slow", terms: || Group::new().with("time", "900+10") },
        ]
    }

    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        let fen = terms.text(FEN.name)?.unwrap_or_else(|| USUAL.to_owned());
        let chess960 = terms.flag("chess960")?.unwrap_or(false);
        let start = Play::from_fen(&fen, chess960, false)
            .map_err(|error| FormError(format!("the term `fen` is not usable: {error}")))?;
        let number = numbered(&start).filter(|_| chess960);
        Ok(Arc::new(ChessTerms { fen: start.start_fen().to_owned(), chess960, number }))
    }

    fn verbs(&self) -> &'static [Verb] {
        &Verb::CHESS
    }

    fn reads_position(&self, fen: &str) -> bool {
        Play::from_fen(fen, true, false).is_ok()
    }
}

/// The terms of a chess match: a start position that has been checked.
#[derive(Debug, Clone)]
struct ChessTerms {
    fen: String,
    chess960: bool,
    /// The number of the start position, if it is one of Chess960.
    number: Option<u16>,
}

/// The number of the position in which a game begins, if it is one of the 960 of Chess960.
fn numbered(start: &Play) -> Option<u16> {
    let first_rank: Vec<_> = start.board().pieces().filter(|(square, _)| square.rank() == 0).collect();
    let pieces = first_rank.iter().map(|(_, piece)| piece.role).collect::<Vec<_>>();
    let number = chess960::number_of(pieces.as_slice().try_into().ok()?)?;
    let usual = Play::from_fen(&chess960::start_fen(number)?, true, false).ok()?;
    (usual.start_fen() == start.start_fen()).then_some(number)
}

/// What is set up in this position, in the letters of the reader's language.
fn set_up(number: u16) -> Option<Sentence> {
    let pieces = Fact::San(chess960::letters(number)?);
    Some(say!(
        "set-up-960",
        "set up: {pieces} (Chess960, position {number})",
        pieces,
        number = u64::from(number)
    ))
}

impl Agreed for ChessTerms {
    fn changed(&self, _: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(self.clone()))
    }

    fn begin(&self, start: Start) -> Box<dyn Game> {
        let play = Play::from_fen(&self.fen, self.chess960, start.claims).expect("checked when agreed");
        let outcome = play.ended();
        Box::new(ChessGame { play, outcome, number: self.number })
    }

    fn sheet(&self) -> Vec<SheetLine> {
        let fen = self.fen.clone();
        if let Some(set_up) = self.number.and_then(set_up) {
            return vec![set_up.into()];
        }
        let position = match (fen == USUAL, self.chess960) {
            (true, _) => say!("sheet-usual-position", "from the usual position"),
            (false, false) => say!("sheet-position", "from the position {fen}", fen),
            (false, true) => say!("sheet-position-960", "from the position {fen} (Chess960)", fen),
        };
        vec![position.into()]
    }
}

/// One game of chess.
#[derive(Clone, Debug)]
struct ChessGame {
    play: Play,
    outcome: Option<Outcome>,
    /// The number of the start position, if it is one of Chess960.
    number: Option<u16>,
}

impl ChessGame {
    fn running(&self) -> Result<(), Violation> {
        match self.outcome {
            None => Ok(()),
            Some(_) => Err(Violation::new("game-over", game_over(), begin_next())),
        }
    }
}

impl Game for ChessGame {
    fn boxed(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn apply(&mut self, action: &Action, _: Context) -> Result<Done, Violation> {
        self.running()?;
        let Action::Play(play) = action else {
            let verb = action.word().to_owned();
            return Err(not_of_this_game(say!("not-of-chess", "`{verb}` is not an action of chess", verb)));
        };
        self.outcome = self.play.apply(play)?;
        Ok(Done::default())
    }

    fn end_turn(&mut self) {
        self.play.end_turn();
    }

    fn turn(&self) -> Turn {
        if self.outcome.is_some() { Turn::Untimed } else { self.play.turn() }
    }

    fn to_act(&self) -> Actor {
        if self.outcome.is_some() { Actor::Nobody } else { self.play.to_act() }
    }

    fn phase(&self) -> Phase {
        if self.outcome.is_some() { Phase::Over } else { Phase::Chess }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    fn flag_outcome(&self, fallen: Color) -> Outcome {
        self.play.flag_outcome(fallen)
    }

    fn change(&mut self, change: &Change) -> Result<(), Violation> {
        self.running()?;
        match change {
            Change::Position(fen) => {
                self.play.set_position(fen)?;
                self.number = None;
                Ok(())
            }
            Change::ToAct(color) => self.play.set_to_move(*color),
            Change::Stakes(_) => Err(no_chips(say!("no-chips", "chess has no chips"))),
            Change::Own(_) => Err(no_such_change()),
        }
    }

    fn after_ruling(&mut self) {
        self.outcome = self.outcome.or_else(|| self.play.ended());
    }

    fn board(&self) -> Board {
        self.play.board()
    }

    fn candidates(&self) -> Vec<Candidate> {
        if self.outcome.is_some() { Vec::new() } else { self.play.candidates() }
    }

    fn offers(&self) -> Vec<Offer> {
        if self.outcome.is_some() { Vec::new() } else { self.play.offers() }
    }

    fn set_up(&self) -> Option<Sentence> {
        self.number.filter(|_| self.play.move_count() == 0).and_then(set_up)
    }

    fn prompt(&self) -> Sentence {
        if self.outcome.is_some() {
            return game_over();
        }
        match self.set_up() {
            Some(set_up) => say!("first-set-up", "{set_up}; {then}", set_up, then = self.play.prompt()),
            None => self.play.prompt(),
        }
    }

    fn chess(&self) -> Option<&dyn ChessPhase> {
        Some(&self.play)
    }
}
