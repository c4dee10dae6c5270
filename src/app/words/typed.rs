//! A typed line while it is read, and what it asks for: what all readers of words share.

use tabiya_engine::clock::ClockSide;
use tabiya_engine::rules::{Actor, Uci, Verb, presets};
use tabiya_engine::table::{FinishClaim, Input, LegalInput, QuestionBefore, Table};
use tabiya_types::{Color, Instant, Sentence, say};

/// What a typed line asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum TypedOrder {
    /// Inputs for the table, in order.
    Do(Vec<Input>),
    /// The line can mean several things: ask which.
    Ask(QuestionBefore),
    /// Answer with these sentences.
    Say(Vec<Sentence>),
    /// Show the board with clocks, chips and prompts.
    Show,
    /// Show the inputs that would be accepted now.
    Legal,
    /// Show the match sheet.
    Sheet,
    /// Show the results of the match so far.
    Results,
    /// Ask the board for its complete position.
    ReadBoard,
    /// Write a report of a fault.
    Report,
    /// Show the list of words.
    Help,
    /// End the program; the match can be carried on later.
    Quit,
    /// Answer the open question with `yes`.
    Yes,
    /// Answer the question with the offered reading of this number.
    Choose(usize),
    /// Answer "no" to the question that waits for an answer.
    No,
    /// Note that the card reader could not read one of the cards that were dealt.
    Unread,
    /// Forget the cards that the card reader has read for the present street, because the street is dealt again.
    Misdeal,
    /// Open the sealed cards of a game for the arbiter. The fields are the game's number from 1 (`None`: the last game
    /// that has sealed cards), and the reason.
    Open(Option<u64>, String),
    /// Say on which side of the clock White's lever is.
    ClockSide(ClockSideOrder),
    /// Something about the players' keypads.
    Keypads(KeypadOrder),
    /// The arbiter vouches for a record whose earlier lines are in doubt. The field is the reason.
    Vouch(String),
    /// The arbiter corrects the number of a side's illegal moves. The last field is the reason.
    IllegalMoves(Color, u32, String),
    /// Adjourn the game: the player to move seals. The field says when and where play is resumed; it may be empty.
    Adjourn(String),
    /// A player with less than two minutes claims what a guideline allows in a game without increments.
    ClaimFinish(Color, FinishClaim),
    /// The player to move has sealed his move.
    Seal,
    /// Open the envelope. The fields are the sealed move as it was typed, and the moves that it can mean.
    OpenEnvelope(String, Vec<Uci>),
    /// The player of this colour chooses this code, to agree later that sealed cards are shown.
    ChooseCode(Color, String),
    /// The player of this colour chooses this code, and locks the key to the sealed cards with it.
    LockWithCode(Color, String),
    /// The player of this colour agrees that sealed cards are shown, and shows with this code that it is him.
    ConsentWith(Color, String),
    /// Do nothing: the line is empty, and there is no turn that a press could end.
    Nothing,
}

impl TypedOrder {
    /// Whether an open question stays open: the line answers it, or only looks at something.
    pub fn keeps_the_question(&self) -> bool {
        match self {
            Self::Yes
            | Self::No
            | Self::Choose(_)
            | Self::Quit
            | Self::Say(_)
            | Self::Show
            | Self::Legal
            | Self::Sheet
            | Self::Results
            | Self::ReadBoard
            | Self::Report
            | Self::Keypads(KeypadOrder::Show | KeypadOrder::Renew)
            | Self::Help
            | Self::Nothing => true,
            Self::Do(_)
            | Self::Ask(_)
            | Self::Unread
            | Self::Misdeal
            | Self::Open(..)
            | Self::ClockSide(_)
            | Self::Keypads(KeypadOrder::Remove(_) | KeypadOrder::Admit(..))
            | Self::Vouch(_)
            | Self::IllegalMoves(..)
            | Self::Adjourn(_)
            | Self::ClaimFinish(..)
            | Self::Seal
            | Self::OpenEnvelope(..)
            | Self::ChooseCode(..)
            | Self::LockWithCode(..)
            | Self::ConsentWith(..) => false,
        }
    }
}

/// What people say about the players' keypads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeypadOrder {
    /// Where they are, the code, and who is one.
    Show,
    /// Another code.
    Renew,
    /// Remove the keypad of this colour's player; `None` for the clock of both.
    Remove(Option<Color>),
    /// The arbiter of an event admits keypads, or does not any more, for this reason.
    Admit(bool, String),
}

/// What people say about where the clock stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockSideOrder {
    /// White's lever is on this side of the clock.
    Is(ClockSide),
    /// The clock stands the other way round than the table thinks.
    Exchange,
    /// The table guesses.
    Guess,
}

/// A typed line: its words in lower case and as typed, the table, and the moment.
#[derive(Clone, Copy)]
pub(super) struct Typed<'a> {
    pub(super) lower: &'a [&'a str],
    pub(super) words: &'a [&'a str],
    pub(super) table: &'a Table,
    pub(super) now: Instant,
}

/// The result of one parser: `Ok(None)` if the line does not begin with a word that this parser knows.
pub(super) type Meant = Result<Option<TypedOrder>, Sentence>;

/// One input.
pub(super) fn one(input: impl Into<Input>) -> TypedOrder {
    TypedOrder::Do(vec![input.into()])
}

impl Typed<'_> {
    /// Returns an error if the game at the table does not have this verb.
    pub(super) fn has(&self, verb: Verb) -> Result<(), Sentence> {
        let game = self.table.agreement().game;
        let known = presets::kind(game).is_some_and(|kind| kind.verbs().contains(&verb));
        // The word is quoted as people type it, and not as the record has it.
        let word = match verb {
            Verb::OfferDraw => "draw",
            Verb::AcceptDraw => "accept",
            Verb::DeclineDraw => "decline",
            Verb::ClaimDraw => "claim",
            verb => verb.word(),
        };
        let (word, game) = (word.to_owned(), game.to_owned());
        if known {
            Ok(())
        } else {
            Err(say!("not-in-this-game", "`{word}` is not possible in {game}", word, game))
        }
    }

    /// The words from this one on, as a reason. The error says that a reason is missing.
    pub(super) fn reason(&self, from: usize) -> Result<String, Sentence> {
        let rest = self.words.get(from..).unwrap_or_default().join(" ");
        if rest.is_empty() {
            let typed = self.words.join(" ");
            Err(say!("needs-reason", "`{typed}` needs a reason after it", typed))
        } else {
            Ok(rest)
        }
    }
}

/// The sentence for a word that has the wrong form.
pub(super) fn must(wanted: Sentence, word: &str) -> Sentence {
    say!("wrong-form", "`{word}` cannot be used here: say {wanted}", word = word.to_owned(), wanted)
}

/// The player who has to act. If no player has to act, `Err` is the table's prompt.
pub(super) fn actor(table: &Table) -> Result<Color, Sentence> {
    match table.to_act() {
        Actor::Player(color) => Ok(color),
        Actor::Dealer | Actor::Nobody => Err(table.prompt()),
    }
}

/// The player who may make the first of the legal inputs with this verb.
pub(super) fn by_of(table: &Table, verb: Verb) -> Option<Color> {
    table.legal().iter().find(|legal| legal.verb() == Some(verb)).and_then(LegalInput::by)
}
