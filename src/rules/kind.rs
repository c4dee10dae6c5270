//! A kind of game before it is played: its name, its terms, how its lines in a record are read, and how a game begins.

use std::fmt;
use std::sync::Arc;

use tabiya_types::{ByColor, Color, Pack, Seat, Sentence, say};

use super::action::OwnAction;
use super::capability::SquareDeals;
use super::change::OwnChange;
use super::chips::Chips;
use super::datum::Group;
use super::fields::{Fields, FormError};
use super::game::Game;
use super::sheet_line::SheetLine;
use super::term::TermSpec;
use super::verb::Verb;

/// A list of game kinds; a record's header selects one by its name.
pub type Games = &'static [&'static dyn GameKind];

/// A kind of game: its terms, and how its lines in a record are read.
pub trait GameKind: Sync {
    /// The name of the game in a record's header.
    fn name(&self) -> &'static str;
    /// The name of the game as people write it.
    fn title(&self) -> Sentence {
        say!("game-name", "{name}", name = self.name().to_owned())
    }
    /// The terms that this game has beside those of every game, in the order in which the command line names them.
    fn terms(&self) -> &'static [TermSpec];
    /// Whether this game has a term with this name beside those of every game.
    fn has_term(&self, name: &str) -> bool {
        self.terms().iter().any(|term| term.name == name)
    }
    /// The names of this game's terms that a header must contain.
    fn required_terms(&self) -> &'static [&'static str];
    /// The names of this game's terms that a `next` line may change. In a record, a `next` line begins the next game.
    fn terms_for_next(&self) -> &'static [&'static str] {
        &[]
    }
    /// The named sets of terms, the default set first.
    fn presets(&self) -> &'static [Preset] {
        &[]
    }
    /// Whether the game consists only of a clock, without actions of its own.
    fn is_clock_only(&self) -> bool {
        false
    }
    /// The kinds of deck that the game can be played with if the cards contain NFC chips; empty in a game in which no
    /// cards are turned over or used.
    fn packs(&self) -> &'static [Pack] {
        &[]
    }
    /// The deals of cards under squares that the term `deal` can name; `None` in a game without such cards.
    fn square_deals(&self) -> Option<&'static dyn SquareDeals> {
        None
    }
    /// Reads this game's own terms from the terms of a header.
    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError>;
    /// The shared kinds of action that this game supports.
    fn verbs(&self) -> &'static [Verb];
    /// Reads an action that only this kind of game has; `None` if the game has no action with this word.
    fn read_own(&self, _word: &str, _fields: &mut Fields) -> Result<Option<OwnAction>, FormError> {
        Ok(None)
    }
    /// Reads those fields of a ruling that only this kind of game has; `None` if the ruling sets none of them. The
    /// caller reads the fields that every game has.
    fn read_ruling(&self, _set: &mut Fields) -> Result<Option<OwnChange>, FormError> {
        Ok(None)
    }
    /// Whether the FEN of a ruling is well formed and playable by the rules of this game.
    fn reads_position(&self, fen: &str) -> bool;
}

/// A named set of terms, such as `blitz`.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name of the preset, as the record's term `preset` contains it.
    pub name: &'static str,
    /// Returns the terms of the preset in the record's form.
    pub terms: fn() -> Group,
}

/// The facts that a game needs when it begins.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The seat that has White.
    pub white: Seat,
    /// The chips of each player before the blinds; zero in a game without chips.
    pub stacks: ByColor<Chips>,
    /// The number of earlier games that count for the match.
    pub games_before: u32,
    /// Whether players must claim a third repetition and a fallen flag. True if the term `voice` has the value `event`.
    pub claims: bool,
}

impl Start {
    /// The seat that plays this colour.
    pub fn seat_of(self, color: Color) -> Seat {
        Seat::playing(color, self.white)
    }

    /// The colour that this seat plays.
    pub fn color_of(self, seat: Seat) -> Color {
        seat.color(self.white)
    }
}

/// These terms with the changes that a `next` line contains. In a record, a `next` line begins the next game.
pub trait Agreed: fmt::Debug + Send + Sync {
    /// These terms with the changes that the line `next` contains. That line begins the next game.
    fn changed(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError>;
    /// The chips that each seat starts with, A first.
    fn stacks(&self) -> [Chips; 2] {
        [Chips::ZERO; 2]
    }
    /// Which deck the games need if their cards have NFC chips; `None` in a game without such cards.
    fn pack(&self) -> Option<Pack> {
        None
    }
    /// Begins a new game with these terms.
    fn begin(&self, start: Start) -> Box<dyn Game>;
    /// The terms in plain words for the match sheet, one line each.
    fn sheet(&self) -> Vec<SheetLine>;
    /// Advice for a player whose set of physical pieces may be too small for a game with these terms. The text lists
    /// the set (letters K Q R B N P). The advice changes no term.
    fn inventory_advice(&self, _: Color, _: &str) -> Vec<Sentence> {
        Vec::new()
    }
}
