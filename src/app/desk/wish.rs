//! What people ask of a desk: a front end turns clicks, keys and typed lines into these requests.

use std::path::PathBuf;

use tabiya_boards::address::LiveAddress;
pub use tabiya_cards::print::Paper;
use tabiya_engine::clock::ClockSide;
use tabiya_engine::record::card_file::OwnedCard;
use tabiya_engine::table::Input;
use tabiya_text::Language;
use tabiya_types::{BySeat, Card, CardFace, Color, Pack, Seat};

use super::boards::SimulatedMove;
use super::draft::NewMatch;
use super::export::Format;
use super::keypads::KeypadWish;
use crate::session::Infringement;
use tabiya_store::settings::Settings;

/// A request from people to the desk.
#[derive(Clone, PartialEq, Debug)]
pub enum Wish {
    /// Begin a match.
    Begin(Box<NewMatch>),
    /// Show a short game that plays itself. Nothing of it is kept, and anybody may take over.
    Demonstrate,
    /// Toss a coin to decide who plays White.
    Toss,
    /// Draw a random deal of Poker Chess.
    Shuffle,
    /// Draw a start position of Chess960.
    DrawPosition,
    /// Throw the die for this player.
    Throw(Color),
    /// Whether this player wants to see what each move does to the poker hands. They are shown if both want it.
    Learn(Seat, bool),
    /// Carry on an unfinished match.
    CarryOn {
        /// The file that contains the match's record.
        path: PathBuf,
        /// The number of the match in the record's file.
        id: i64,
        /// The name of the deck of cards with NFC chips that is used from now on, if any.
        deck: Option<String>,
        /// The PGN file of the match, if one is kept. The file is rewritten within a second after each move.
        pgn: Option<PathBuf>,
    },
    /// Carry on the match in this file by the next request for it, although it went on in another file: people have agreed
    /// already.
    TakeOld(PathBuf),
    /// Show everything in this language until another one is chosen in the settings.
    Speak(Language),
    /// White's lever is on this side of the clock, in every match of this run, whatever the settings say.
    ClockSide(ClockSide),
    /// Copy every record of this run into this folder as it is written, whatever the settings say.
    Copy(PathBuf),
    /// Leave the match. Its record is kept, so that the match can be carried on later.
    Leave,
    /// End the program. Asks first if a game is running, like [`Wish::Leave`].
    Close,
    /// Enter these inputs in order, and stop at the first one that is refused.
    Do(Vec<Input>),
    /// Enter this input after asking once, even if it would not be asked about otherwise.
    DoIfSure(Input),
    /// Ask before this many of the last actions of the game are taken back. The question says which ones. With fewer
    /// actions, all of them are meant.
    TakeBack(usize),
    /// List the last actions of the game in the snapshots (`true`), or no longer (`false`).
    ListActions(bool),
    /// Decide as the Laws propose for this infringement, in the way with this number from 0. Does nothing if that is decided by
    /// now, even if something else is proposed.
    Decide {
        /// Whose infringement it is.
        by: Color,
        /// What he did.
        of: Infringement,
        /// Which of the proposed rulings.
        choice: usize,
    },
    /// Let this infringement be, without a ruling. An illegal move then does not count.
    DropProposal {
        /// Whose infringement it is.
        by: Color,
        /// What he did.
        of: Infringement,
    },
    /// Correct a false piece (a piece that the player's card did not allow) by a ruling of the arbiter. The squares
    /// are given as typed text.
    Correct {
        /// The square on which the false piece was placed.
        at: String,
        /// The piece that should have been placed.
        piece: Card,
        /// The square for the right piece; empty if the right piece goes on the square `at`.
        on: String,
        /// The reason that is written to the record.
        reason: String,
    },
    /// Hold each seat's chips, as the players have counted them, against the stacks. A difference is asked about.
    Count(BySeat<u32>),
    /// Press the clock for this side, or with `None` for the side that may press now. A press without effect is
    /// ignored, so screens need not know whether an earlier press was accepted.
    Press(Option<Color>),
    /// Add time to one side's clock by a ruling of the arbiter. The clock's new time is computed when the ruling is
    /// entered, because no screen knows the current time on the clock to the millisecond.
    Gain {
        /// The side whose clock gets more time.
        by: Color,
        /// The time that is added, in ms; negative for time that is taken away. At least a second is left.
        gain: i64,
        /// The reason that is written to the record.
        reason: String,
    },
    /// Enter a typed line.
    Typed(String),
    /// Enter a line that was typed in the words or letters of another language.
    TypedIn {
        /// The line as people typed it, which refusals quote.
        typed: String,
        /// The same line in the words of the grammar.
        meant: String,
    },
    /// Answer yes to the open question.
    Yes,
    /// Answer no to the open question.
    No,
    /// Drop the open question, because the time for its answer is over.
    Lapse,
    /// Answer the open question by choosing the explanation with this number, counted from 1.
    Explanation(usize),
    /// Show the state of the match after this many lines of its record; `None` returns to the present.
    LookBack(Option<usize>),
    /// View a match from a file. This is possible while another match is being played.
    LookAt {
        /// The file that contains the match's record.
        path: PathBuf,
        /// The number of the match in the record's file.
        id: i64,
    },
    /// View the last match of this record file, a journal or JSON Lines.
    OpenRecord(PathBuf),
    /// Stop viewing a match from a file, and show the match being played again.
    StopViewing,
    /// Write a report of a fault to this file.
    Report(PathBuf),
    /// Export the match on the screen: in this format, to this file.
    Export(Format, PathBuf),
    /// Replace this file by the next request that writes to it: people have agreed already.
    Replace(PathBuf),
    /// Write the evening's results to a CSV file.
    Results(PathBuf),
    /// Write this text to a file.
    SaveText(String, PathBuf),
    /// Print this text on the system's printer.
    Print(String),
    /// Print the match sheet of the match on the screen.
    PrintMatch,
    /// Show the folder that contains this file, in the system's file manager.
    OpenFolder(PathBuf),
    /// Use this card file of Chess Joker from now on; with `None` none.
    UseCards(Option<PathBuf>),
    /// Write a card of Chess Joker into the user's card file, in the place of the one with the same code.
    KeepCard(Box<OwnedCard>),
    /// Change settings. The first value contains the settings that the screen showed, the second one the settings
    /// after the user's changes.
    Change(Box<Settings>, Box<Settings>),
    /// A request about the board.
    Board(BoardWish),
    /// A request about the players' keypads.
    Keypads(KeypadWish),
    /// A request about card readers and decks.
    Cards(CardWish),
}

impl Wish {
    /// Whether somebody plays with this wish: whoever does so at a game that plays itself takes over.
    pub(super) fn is_play(&self) -> bool {
        matches!(
            self,
            Self::Do(_)
                | Self::DoIfSure(_)
                | Self::TakeBack(_)
                | Self::Correct { .. }
                | Self::Count(_)
                | Self::Press(_)
                | Self::Gain { .. }
                | Self::Decide { .. }
                | Self::Typed(_)
                | Self::TypedIn { .. }
        )
    }
}

/// A request about the board.
#[derive(Clone, PartialEq, Debug)]
pub enum BoardWish {
    /// Connect to the board at this address.
    Connect(String),
    /// Disconnect the board.
    Disconnect,
    /// Connect to the card-reader box at this address. The box's card readings, clock presses and buttons are used.
    Beside(LiveAddress),
    /// Read the board's complete position.
    Read,
    /// The clock beside the board stands the other way round than the table thinks.
    TurnClock,
    /// Search for boards.
    Discover,
    /// Act on the simulated board: move a piece, press its clock, or disconnect it.
    Move(SimulatedMove),
    /// Show the board's raw bytes (`true`), or stop showing them (`false`).
    Watch(bool),
    /// Save the board's raw bytes in this file from now on; `None` stops saving.
    Capture(Option<PathBuf>),
    /// Start to count how often each square changes (`true`), or stop counting (`false`).
    Test(bool),
}

/// A request about card readers and decks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CardWish {
    /// Read the list of decks again.
    Look,
    /// Start to list the connected readers (`true`), even if no match needs them yet, or stop listing them (`false`).
    Listen(bool),
    /// Use this deck in the match being played; `None` stops using a deck.
    Play(Option<String>),
    /// From now on, read each card at the moment when it is dealt. The record seals these cards.
    ReadDeals,
    /// Assign the reader with this name to a player; `None` assigns it to nobody.
    Give(String, Option<Seat>),
    /// Make a new deck, or continue a deck that was begun.
    Enrol {
        /// The name of the new deck.
        name: String,
        /// Which cards it has. A deck that was begun stays what it is.
        pack: Pack,
        /// Whether Tabiya only notes the numbers (UIDs) of the cards' chips. Otherwise it also writes data to each
        /// chip.
        adopt: bool,
        /// Whether Tabiya names the face of the next card, in a random order. Otherwise people name the face of each
        /// card.
        asked: bool,
    },
    /// Record this face for the card that was just laid down.
    Face(CardFace),
    /// Remove the card that was added last to the new deck.
    Undo,
    /// Try again to save the new deck after a failure.
    Keep,
    /// Audit this deck: find out which cards are missing or wrong.
    Audit(String),
    /// Replace a damaged card by a new one.
    Replace {
        /// The name of the deck.
        name: String,
        /// The damaged card's face.
        card: CardFace,
        /// The damaged card's number among the deck's cards with the same face, if known.
        copy: Option<u8>,
    },
    /// End the audit, because all available cards were laid down.
    Finish,
    /// Stop making, auditing or repairing a deck.
    Stop,
    /// Delete this deck permanently.
    Remove(String),
    /// Write this deck to a new file.
    Export(String, PathBuf),
    /// Import a deck from a file.
    Import(PathBuf),
    /// Write the cards of this kind of deck to a PDF, to be printed on this paper and cut out.
    Print(Pack, Paper),
}
