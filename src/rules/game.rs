//! The trait of a game that is being played.
//!
//! A new game is one module that implements [`GameKind`](super::GameKind), [`Agreed`](super::Agreed) and [`Game`], and
//! one entry in `rules/catalog.rs`. The table, the record and the screens never check which game is played.

use std::fmt;

use tabiya_types::{Board, Color, Fact, Sentence};

use super::action::{Action, OwnAction};
use super::capability::{
    Betting, Cards, ChessPhase, Laying, Placement, PlayList, PokerHands, Score, SheetEntry, Stages,
};
use super::change::Change;
use super::datum::Group;
use super::habit::{Habit, SimulatedTurn};
use super::offer::Offer;
use super::outcome::{Decision, Outcome};
use super::play_action::PlayAction;
use super::sight::OwnSight;
use super::stakes::Stakes;
use super::turn::{Actor, Candidate, Context, Done, Phase, Turn};
use super::violation::Violation;

/// One game from its first action to its result. Features that only some games have are capabilities.
pub trait Game: fmt::Debug + Send + Sync {
    /// A copy of the game, for looking ahead and for checkpoints.
    fn boxed(&self) -> Box<dyn Game>;
    /// Applies an action. On `Err` the game is unchanged.
    fn apply(&mut self, action: &Action, context: Context) -> Result<Done, Violation>;
    /// Ends the turn of a player who has acted.
    fn end_turn(&mut self);
    /// The player whose clock runs, and whether a press would end the turn.
    fn turn(&self) -> Turn;
    /// Why a press cannot end this turn yet, if its player has done a part of it and the rest is missing. A press then
    /// counts as no illegal move.
    fn missing_part(&self) -> Option<Violation> {
        None
    }
    /// Whether a press that comes before the missing part of its turn waits for it, and then ends the turn.
    fn early_press_waits(&self) -> bool {
        false
    }
    /// Who has to act next.
    fn to_act(&self) -> Actor;
    /// The present stage of the game.
    fn phase(&self) -> Phase;
    /// The outcome; `None` while the game is running.
    fn outcome(&self) -> Option<Outcome>;
    /// Ends the game with this outcome, or replaces the outcome of an ended game; the chips are awarded accordingly.
    fn end(&mut self, outcome: Outcome);
    /// The outcome if this player's flag falls.
    fn flag_outcome(&self, fallen: Color) -> Outcome;
    /// Whether the game goes on after one flag has fallen, and ends only when neither clock runs. This is true for a
    /// match with only a clock.
    fn continues_after_flag(&self) -> bool {
        false
    }
    /// Whether nothing is done but pressing the clock, so that a press is an action of the game.
    fn presses_alone(&self) -> bool {
        false
    }
    /// Whether the game is played on a board. Without a board, Tabiya never shows how the pieces should stand.
    fn has_board(&self) -> bool {
        true
    }
    /// Applies one change of an arbiter's ruling.
    fn change(&mut self, change: &Change) -> Result<(), Violation>;
    /// Whether the game refuses every ruling about chips, even one that only says that chips were added.
    fn refuses_chips(&self) -> bool {
        false
    }
    /// Called once after all changes of a ruling that names no winner. The game then ends if what was set ends it.
    fn after_ruling(&mut self) {}
    /// The board as it should be now, including an unfinished turn.
    fn board(&self) -> Board;
    /// The legal actions that change the board, for the player who has to act.
    fn candidates(&self) -> Vec<Candidate>;
    /// The legal actions that lead to exactly the board `seen` and that [`Game::candidates`] does not list. Only a game
    /// with too many legal actions to list has any; it derives them from `seen`.
    fn candidates_for(&self, _seen: &Board) -> Vec<Candidate> {
        Vec::new()
    }
    /// Actions that may explain the board `seen`, which no action of [`Game::candidates`] and [`Game::candidates_for`]
    /// explains: what only the players can say or choose. They are never believed, but offered to them to accept or to
    /// put right.
    fn proposals_for(&self, _seen: &Board) -> Vec<Action> {
        Vec::new()
    }
    /// All actions that the game would accept now.
    fn offers(&self) -> Vec<Offer>;
    /// What a simulated player does now besides moving, placing and betting; `None` if nothing.
    fn habit(&self, _occasion: &mut SimulatedTurn<'_>) -> Option<Habit> {
        None
    }
    /// What the players have to do next, in one sentence.
    fn prompt(&self) -> Sentence;
    /// The members of the game's results (a JSON object) that only this kind of game has, under the names that the
    /// record uses. If a member has the same name as one that every game reports, its value replaces the usual value.
    fn own_report(&self) -> Group {
        Group::new()
    }
    /// The stages of the game; `None` if it has only one.
    fn stages(&self) -> Option<Stages> {
        None
    }
    /// What only this kind of game shows beside the board; `None` in a game that shows nothing of its own.
    fn own_sight(&self) -> Option<OwnSight> {
        None
    }
    /// The plays so far, in a game whose plays are not all chess moves; `None` in other games.
    fn play_list(&self) -> Option<PlayList<'_>> {
        None
    }
    /// An action that is legal now as the score sheet will have it; `None` for an action that no score sheet has.
    fn sheet_entry(&self, action: &Action) -> Option<SheetEntry> {
        let Action::Play(PlayAction::Move { by, uci, .. }) = action else { return None };
        let (number, san) = self.chess()?.in_san(*uci)?;
        Some(SheetEntry { number, by: *by, played: Fact::San(san) })
    }
    /// An action of this kind of game that is legal now, in words that need the state of the game; `None` if its own
    /// words are enough.
    fn own_words(&self, _action: &OwnAction) -> Option<Sentence> {
        None
    }
    /// What the rules did by themselves in this game, in words, the oldest first: points that a player scored.
    fn happened(&self) -> &[Sentence] {
        &[]
    }
    /// What is to be set up before the first move, in words; `None` once it was made, and where that is usual.
    fn set_up(&self) -> Option<Sentence> {
        None
    }
    /// The points of the game; `None` if no points are counted.
    fn score(&self) -> Option<Score> {
        None
    }
    /// The betting capability; `None` if the game has no chips.
    fn betting(&self) -> Option<&dyn Betting> {
        None
    }
    /// The cards capability; `None` if the game has no cards.
    fn cards(&self) -> Option<&dyn Cards> {
        None
    }
    /// The laying capability; `None` in a game whose moves use up no cards.
    fn laying(&self) -> Option<&dyn Laying> {
        None
    }
    /// The placement capability, in every stage of a game with a placement phase; otherwise `None`.
    fn placement(&self) -> Option<&dyn Placement> {
        None
    }
    /// The chess capability; `None` before the chess phase and in a game without chess.
    fn chess(&self) -> Option<&dyn ChessPhase> {
        None
    }
    /// The poker hands capability; `None` in a game whose pieces form no hands.
    fn poker_hands(&self) -> Option<&dyn PokerHands> {
        None
    }
}

impl dyn Game + '_ {
    /// Whether this game counts for the match; a fouled deal and a cancelled game do not count.
    pub fn counts(&self) -> bool {
        self.outcome().is_none_or(|outcome| outcome.decision() != Decision::NoResult)
    }

    /// The chips of the players; zero in a game without chips.
    pub fn stakes(&self) -> Stakes {
        self.betting().map(Betting::stakes).unwrap_or_default()
    }

    /// The player who has to bet within the agreed time `bet_ms`; `None` if no bet is due.
    pub fn bettor_on_time(&self) -> Option<Color> {
        self.betting()?.bettor_on_time()
    }
}

impl Clone for Box<dyn Game> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}
