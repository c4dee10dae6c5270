//! What a screen draws: a table as plain values, made once for each change and then only read.
//!
//! Everything here follows from the table and the session; a screen that has one of these needs no
//! table and decides nothing.

use std::sync::Arc;

use super::cards_view::CardsView;
use super::past::ToldLine;
use super::session::{Said, Session};
pub use super::table_view::{PastView, TableView};
use crate::store::evening::EveningView;
use crate::store::settings::Settings;
use tabiya_engine::sense::Question;
use tabiya_engine::table::Audience;
use tabiya_types::{Board, Instant, Seat, Sentence, Square, Squares};

/// All that the screens show at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The table that is played at, if one is.
    pub table: Option<Arc<TableView>>,
    /// The same at an earlier moment, while somebody looks back.
    pub past: Option<Arc<PastView>>,
    /// Which moment of the match it is at which moment of the program's own time.
    pub time: MatchTime,
    /// Whether that is another match than the one that is played: one of the evening.
    pub on_shelf: bool,
    /// The record as people read it.
    pub moments: Arc<Vec<ToldLine>>,
    /// What was said, oldest first.
    pub said: Arc<Vec<Said>>,
    /// The last input that was refused, until something is accepted.
    pub refused: Option<Arc<Refused>>,
    /// What is asked of the people at the table.
    pub question: Option<Asked>,
    /// What has to be put right on the board, and who may know.
    pub trouble: Option<Sentence>,
    /// Who got White when the coin was tossed.
    pub coin: Option<Coin>,
    /// The board that is connected, or is looked for.
    pub board: BoardView,
    /// Card readers and decks of cards with chips.
    pub cards: Arc<CardsView>,
    /// The matches of this evening, and those that can be carried on.
    pub evening: Arc<EveningView>,
    /// What was found when boards were looked for.
    pub found: Arc<Vec<FoundBoard>>,
    /// What people have set, as it is on disk.
    pub settings: Arc<Settings>,
    /// A file that was written, or why it could not be: the newest last.
    pub notices: Arc<Vec<Notice>>,
    /// The program was asked to end.
    pub closing: bool,
}

impl Snapshot {
    /// What a running table alone shows, at this moment of its match.
    pub fn of_session(session: &Session, at: Instant) -> Self {
        let shown = session.moment_shown(at);
        Self {
            table: Some(Arc::new(TableView::of_session(session, at))),
            time: MatchTime { base: at, at, stands: (shown != at).then_some(shown) },
            question: Asked::of_session(session),
            ..Self::default()
        }
    }
}

/// The match's time in the program's own time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchTime {
    /// A moment of the program.
    pub base: Instant,
    /// The moment of the match that it was.
    pub at: Instant,
    /// Where the clocks stand although time goes on: the record cannot be written.
    pub stands: Option<Instant>,
}

impl MatchTime {
    /// The moment of the match at this moment of the program.
    pub fn of(self, now: Instant) -> Instant {
        self.stands.unwrap_or(self.at + now.since(self.base))
    }
}

/// What the coin said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coin {
    /// Who got White.
    pub seat: Seat,
    /// Which toss it was, from 1: two can say the same.
    pub toss: u32,
}

/// A refused input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// Who may see it.
    pub to: Audience,
    /// What was wrong, and what to do.
    pub text: Sentence,
    /// The squares involved.
    pub squares: Vec<Square>,
}

/// A question, with the ways to answer it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Who may see it.
    pub to: Audience,
    /// The question.
    pub text: Sentence,
    /// How many ways there are to choose from; `None` where it is yes or no.
    pub ways: Option<usize>,
}

impl Asked {
    /// What is asked at a running table, if anything is.
    pub fn of_session(session: &Session) -> Option<Self> {
        let question = session.question()?;
        let ways = match question {
            Question::Which(ways) if ways.len() != 1 => Some(ways.len()),
            _ => None,
        };
        let to = session.table().audience_of_faults();
        Some(Self { to, text: question.sentence().harmless(), ways })
    }
}

/// Something that was done on the side: a file written, or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// When, in the program's own time.
    pub at: Instant,
    /// Whether it failed.
    pub failed: bool,
    /// What.
    pub text: Sentence,
}

/// A simulated board, as it really is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimulatedView {
    /// What stands on it.
    pub board: Board,
    /// The squares whose lamps shine.
    pub lit: Squares,
}

/// The board's connection.
#[derive(Clone, Debug, Default)]
pub struct BoardView {
    /// How it stands.
    pub link: LinkState,
    /// Where it is, as people write it.
    pub address: Option<String>,
    /// What it says of itself: name, version, serial number.
    pub facts: Vec<(BoardFact, String)>,
    /// The battery's charge in percent, and whether it is being charged.
    pub battery: Option<(u8, bool)>,
    /// What it shows, White below.
    pub seen: Option<Board>,
    /// The simulated board behind it, if it is ours.
    pub simulated: Option<SimulatedView>,
    /// How often each square has changed since the test began.
    pub changes: Option<Arc<[u32; 64]>>,
    /// The newest raw bytes, oldest first, while somebody watches.
    pub bytes: Option<Arc<Vec<RawLine>>>,
    /// Where the bytes are saved, while they are.
    pub capture: Option<String>,
}

/// A fact that a board tells of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardFact {
    /// The maker's name.
    Maker,
    /// Of the firmware.
    Version,
    /// The serial number.
    Serial,
    /// A clock behind it.
    Clock,
}

/// How a board's connection stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum LinkState {
    /// No board is wanted.
    #[default]
    None,
    /// It is looked for.
    Connecting,
    /// It answers.
    Connected,
    /// It was lost, and is looked for again: why.
    Lost(String),
}

/// A line of the raw monitor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawLine {
    /// When, in the program's own time.
    pub at: Instant,
    /// Whether the board said it.
    pub from_board: bool,
    /// The bytes in hexadecimal.
    pub hex: String,
}

/// A port behind which a board may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundBoard {
    /// The address to connect to.
    pub address: String,
    /// How it is described.
    pub text: String,
}

impl TableView {
    /// A running table at `now`.
    pub fn of_session(session: &Session, now: Instant) -> Self {
        let mut view = Self::of(session.table(), session.replay().header());
        view.clock = session.watch().clock_shown(now);
        view.lines = session.lines().len();
        view.head = session.head();
        view.board_press = session.board_press();
        view.seen = session.watch().seen();
        view.waits_for_board = waits_for_board(session);
        view
    }
}

/// What is wrong with the board while play waits for it.
fn waits_for_board(session: &Session) -> Option<Sentence> {
    let (watch, clock) = (session.watch(), session.table().clock());
    let waits = watch.press_waits() || clock.paused() || clock.turn().is_none();
    watch.trouble().filter(|_| waits).map(|trouble| trouble.sentence().harmless())
}
