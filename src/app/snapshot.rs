//! Snapshots: everything that a screen shows, as plain values. A snapshot is made once for each change and then only
//! read.
//!
//! Everything in a snapshot is computed from the table and the session. So a screen needs no access to the table and
//! makes no decisions.

use std::path::PathBuf;
use std::sync::Arc;

use tabiya_engine::record::NarratedLines;
use tabiya_engine::rules::{Articles, Heap, HeapPlace};
use tabiya_engine::table::{Audience, LastAction, Question};
use tabiya_types::{Board, ByColor, Instant, Seat, Sentence, Square, harmless as harmless_text};

use super::own_cards::OwnCardFile;
use super::session::{Announcement, Session};
use crate::alerts::{Alert, AlertKind};
use crate::keypads::KeypadsView;
pub use crate::view::{
    BoardFact, BoardSearch, BoardView, CardsView, DeviceStatus, FoundBoard, FoundLink, LinkState, PastView,
    PokerView, RawLine, RecordView, SeenAction, SimulatedView, TableView,
};
use tabiya_store::evening::EveningView;
use tabiya_store::settings::Settings;

/// Everything that the screens show at one moment.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that is so or not")]
pub struct Snapshot {
    /// The table of the match that is being played, if there is one.
    pub table: Option<Arc<TableView>>,
    /// The table at an earlier moment that a user looks at; `None` while no user looks back.
    pub past: Option<Arc<PastView>>,
    /// Converts the program's own time to the time of the match.
    pub time: MatchTime,
    /// Whether `past` and `moments` show another match of the evening and not the match that is being played.
    pub shows_other_match: bool,
    /// The record as people read it, line by line.
    pub moments: NarratedLines,
    /// Whether the match of `moments` is over, so that its players may read what only the arbiter was told.
    pub moments_over: bool,
    /// The match of `moments`: who plays, since when, and the results of its games.
    pub record: Option<Arc<RecordView>>,
    /// The announcements, oldest first.
    pub announcements: Arc<Vec<Announcement>>,
    /// What people have to look after, the most urgent first.
    pub alerts: Arc<Vec<Alert>>,
    /// The last answer of several lines to a typed line; it is gone when another line is typed.
    pub answer: Option<Arc<LongAnswer>>,
    /// The last refused input. It is removed when another input is accepted.
    pub refused: Option<Arc<Refused>>,
    /// The open question to the people at the table.
    pub question: Option<Asked>,
    /// The board, if for some time no action has explained how it differs from the expected position.
    pub differs: Option<Board>,
    /// The last actions of the game, the newest first, which may be taken back; `None` unless [`Wish::ListActions`] asked
    /// for them.
    ///
    /// [`Wish::ListActions`]: crate::desk::Wish::ListActions
    pub last_actions: Option<Arc<Vec<LastAction>>>,
    /// The last coin toss, which decides who has White.
    pub coin: Option<Coin>,
    /// The last random deal that was drawn.
    pub shuffled: Option<Shuffled>,
    /// The last start position of Chess960 that was drawn.
    pub drawn: Option<DrawnPosition>,
    /// The board that is connected or being looked for.
    pub board: BoardView,
    /// Card readers and decks of cards with chips.
    pub cards: Arc<CardsView>,
    /// The players' keypads.
    pub keypads: Arc<KeypadsView>,
    /// The user's card file of Chess Joker.
    pub own_cards: Arc<OwnCardFile>,
    /// The matches of this evening, and the unfinished matches that can be carried on.
    pub evening: Arc<EveningView>,
    /// The boards found by the last search.
    pub found: Arc<Vec<FoundBoard>>,
    /// Whether boards are being searched for, or when a search ended.
    pub search: BoardSearch,
    /// The board, the card readers and the record, as an arbiter of many tables needs them.
    pub devices: DeviceStatus,
    /// The settings, as saved on disk.
    pub settings: Arc<Settings>,
    /// The notices, for example that a file was written or could not be written; the newest last.
    pub notices: Arc<Vec<Notice>>,
    /// Whether the match on the table is a game that plays itself.
    pub demonstration: bool,
    /// The folder for exported files whose names contain no folder.
    pub exports: PathBuf,
    /// The user's home folder, if there is one; screens write `~` for it.
    pub home: Option<PathBuf>,
    /// Whether the program was asked to end.
    pub closing: bool,
}

impl Snapshot {
    /// The snapshot of a session at this moment of its match. Everything outside the session (board, files, settings)
    /// has its default.
    pub fn of_session(session: &Session, at: Instant) -> Self {
        let shown = session.moment_shown(at);
        Self {
            table: Some(Arc::new(TableView::of_session(session, at))),
            time: MatchTime { base: at, at, stopped_at: (shown != at).then_some(shown) },
            question: Asked::of_session(session),
            devices: DeviceStatus { record: session.record_status(), ..DeviceStatus::default() },
            ..Self::default()
        }
    }

    /// The most urgent open alert of this kind, if there is one.
    pub fn alert(&self, kind: AlertKind) -> Option<&Alert> {
        self.alerts.iter().find(|alert| alert.cause.kind == kind)
    }
}
/// How the time of the match relates to the program's own time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchTime {
    /// A moment of the program's own time.
    pub base: Instant,
    /// The moment of the match that corresponds to `base`.
    pub at: Instant,
    /// The moment of the match at which the clocks stopped because the record cannot be written; `None` while the
    /// record can be written.
    pub stopped_at: Option<Instant>,
}

impl MatchTime {
    /// Converts a moment of the program's own time to the moment of the match.
    pub fn of(self, now: Instant) -> Instant {
        self.stopped_at.unwrap_or(self.at + now.since(self.base))
    }
}

/// The result of a coin toss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coin {
    /// The seat that has White after this toss.
    pub seat: Seat,
    /// The number of the toss, from 1; it distinguishes two tosses with the same result.
    pub toss: u32,
}

/// A start position of Chess960 that was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawnPosition {
    /// The number of the position, from 0 to 959.
    pub number: u16,
    /// The number of the draw, from 1.
    pub draw: u32,
}

/// A random deal that was drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shuffled {
    /// The 26 red cards in the order of the term `deal`.
    pub cards: Vec<String>,
    /// The number of the draw, from 1.
    pub draw: u32,
}

/// An answer of several lines to a typed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LongAnswer {
    /// The number of the answer, from 1.
    pub number: u64,
    /// Its lines.
    pub lines: Vec<Sentence>,
}

/// A refused input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// Who may see the refusal.
    pub to: Audience,
    /// What was wrong with the input, and what to do.
    pub text: Sentence,
    /// The squares that the refusal is about.
    pub squares: Vec<Square>,
    /// The articles of the Laws of Chess that rule on it; `None` if the Laws have none for it.
    pub articles: Option<Articles>,
}

/// A question to the people at the table, with its possible answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Who may see the question.
    pub to: Audience,
    /// The question's text.
    pub text: Sentence,
    /// The numbered answers, the likeliest first; `None` for a yes-or-no question.
    pub answers: Option<Vec<Sentence>>,
    /// The squares that the question is about.
    pub squares: Vec<Square>,
}

impl Refused {
    /// A refusal that is about no square, and that no article rules on.
    pub(crate) fn new(to: Audience, text: Sentence) -> Self {
        Self { to, text: text.harmless(), squares: Vec::new(), articles: None }
    }
}

impl Asked {
    /// The open question of a session, if there is one.
    pub fn of_session(session: &Session) -> Option<Self> {
        let question = session.question()?;
        let offered = || question.offered().into_iter().map(Sentence::harmless).collect();
        let answers = matches!(question, Question::Which(_)).then(offered);
        let squares = session.watch().squares_in_question();
        let to = session.table().audience_of_faults();
        Some(Self { to, text: question.sentence().harmless(), answers, squares })
    }
}

/// The result of a background task, such as writing a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// When the task ended, in the program's own time.
    pub at: Instant,
    /// Whether the task failed.
    pub failed: bool,
    /// What was done, or why it failed.
    pub text: Sentence,
    /// The file that was written, if any.
    pub file: Option<PathBuf>,
    /// The unfinished match of which it tells, if any: the file, and its number there. People can carry it on.
    pub carry_on: Option<(PathBuf, i64)>,
}

impl TableView {
    /// The view of a session's table at `now`.
    pub fn of_session(session: &Session, now: Instant) -> Self {
        Self::of(session.table(), session.replay().header()).in_session(session, now)
    }

    /// This view of a session's table with what only the session knows at `now`.
    pub(crate) fn in_session(self, session: &Session, now: Instant) -> Self {
        let mut view = self;
        view.clock = session.watch().clock_shown(now);
        view.lines = session.lines().len();
        view.head = session.head();
        view.board_press = session.board_press();
        view.turn_began = view.clock.turn().and_then(|turn| session.past().turn_began(turn));
        view.seen = session.watch().seen();
        view.seen_action = session.seen_action();
        view.waits_for_board = waits_for_board(session);
        // After a result a press waits for nothing that people could do.
        let waiting = session.watch().waiting_press().filter(|_| session.table().mover().is_some());
        view.waiting_press = waiting.map(|(by, at)| (by, session.table().reading(by, at)));
        view.awaited = session.watch().awaited();
        view.card_texts = card_texts(session, &view.heaps);
        view
    }
}

/// What is printed on the card that lies before each player, as far as the players' file has it.
fn card_texts(session: &Session, heaps: &[Heap]) -> ByColor<Option<String>> {
    ByColor::new(|color| {
        let heap = heaps.iter().find(|heap| heap.place == HeapPlace::Before(color))?;
        let owned = session.card_file()?.card(heap.up.first()?.parse().ok()?)?;
        owned.text.as_deref().map(harmless_text)
    })
}

/// What is wrong with the board, if play waits until it is put right.
fn waits_for_board(session: &Session) -> Option<Sentence> {
    let (watch, clock) = (session.watch(), session.table().clock());
    let waits = watch.press_waits() || clock.paused() || clock.turn().is_none();
    watch.trouble().filter(|_| waits).map(|trouble| trouble.sentence().harmless())
}
