//! Snapshots: everything that a screen shows, as plain values. A snapshot is made once for each change and then only
//! read.
//!
//! Everything in a snapshot is computed from the table and the session. So a screen needs no access to the table and
//! makes no decisions.

use std::path::PathBuf;
use std::sync::Arc;

use tabiya_engine::clock::Clock;
use tabiya_engine::record::Header;
use tabiya_engine::record::secrets::GameCards;
use tabiya_engine::rules::{
    Action, Actor, Articles, BetDue, Cards, Chips, DieOnTable, Game, Goal, Heap, HeapPlace, Offer, Outcome,
    OwnOffer, OwnSight, Phase, PieceAnnouncement, PlayAction, Score, ShownCard, Stages, Stakes, Turn,
    TurnHands, Verb,
};
use tabiya_engine::table::{
    Agreement, Audience, BetClock, LastAction, LegalInput, MatchResults, Prompt, Question, Table, Voice,
};
use tabiya_types::{
    Board, ByColor, BySeat, Card, Color, Instant, Millis, Seat, Sentence, Square, Squares,
    harmless as harmless_text,
};

use super::cards_view::CardsView;
use super::own_cards::OwnCardFile;
use super::past::NarratedLines;
use super::session::{Announcement, Session};
use crate::alerts::{Alert, AlertKind};
use tabiya_store::copy::CopyState;
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
    /// The user's card file of Chess Joker.
    pub own_cards: Arc<OwnCardFile>,
    /// The matches of this evening, and the unfinished matches that can be carried on.
    pub evening: Arc<EveningView>,
    /// The boards found by the last search.
    pub found: Arc<Vec<FoundBoard>>,
    /// Whether boards are being searched for, or when a search ended.
    pub search: BoardSearch,
    /// How far the copy of the record in another folder has come; `None` if there is none.
    pub copy: Option<CopyState>,
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
            copy: session.copy(),
            ..Self::default()
        }
    }

    /// The most urgent open alert of this kind, if there is one.
    pub fn alert(&self, kind: AlertKind) -> Option<&Alert> {
        self.alerts.iter().find(|alert| alert.cause.kind == kind)
    }
}

/// A match as its record names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordView {
    /// The game's name in the record.
    pub game: String,
    /// The players' names, safe to show.
    pub players: BySeat<String>,
    /// When the match began, if that is known.
    pub begun: Option<String>,
    /// The chips that each player brought; zero in games without chips.
    pub brought: BySeat<u32>,
    /// The results of its games; the last one may be running.
    pub results: MatchResults,
}

impl RecordView {
    /// The view of a match with this header and this table.
    pub(crate) fn of(header: &Header, table: &Table) -> Self {
        let agreement = table.agreement();
        let name = |seat: Seat| shortened(&harmless_text(&agreement.players[seat]));
        let [a, b] = agreement.agreed.stacks();
        Self {
            game: agreement.game.to_owned(),
            players: BySeat { a: name(Seat::A), b: name(Seat::B) },
            begun: header.start.as_deref().map(harmless_text),
            brought: BySeat { a: a.0, b: b.0 },
            results: table.results(),
        }
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

/// An action that a board shows, although it is not entered yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenAction {
    /// The action in words.
    pub text: Sentence,
    /// The squares that it changes.
    pub squares: Vec<Square>,
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

/// The poker hands of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct PokerView {
    /// The hands that would count if the turn ended now.
    pub now: TurnHands,
    /// The hands that have been decided, the oldest first.
    pub decided: Vec<TurnHands>,
    /// The score.
    pub points: ByColor<u32>,
    /// The lead that wins at once, if there is one.
    pub lead: Option<u32>,
    /// What a player may choose for his hand now, if anything.
    pub choices: Option<OwnOffer>,
    /// Which players want to see what each move does to the hands; `None` if that is shown to nobody, as at an event.
    pub learners: Option<BySeat<bool>>,
    /// The legal moves in SAN, each with the hands after it. Empty unless both players want to see them.
    pub moves: Arc<Vec<(String, TurnHands)>>,
}

impl PokerView {
    fn of(game: &dyn Game, legal: &[LegalInput]) -> Option<Self> {
        let hands = game.poker_hands()?;
        let score = game.score();
        let choices = legal.iter().find_map(|legal| match legal {
            LegalInput::Game(Offer::Own(own)) => own.piece_sets().map(|_| own.clone()),
            _ => None,
        });
        let lead = score.and_then(|score| match score.wins {
            Some(Goal::Lead(lead)) => Some(lead),
            Some(Goal::Total(_)) | None => None,
        });
        let points = score.map(|score| score.points).unwrap_or_default();
        let (now, decided) = (hands.now(), hands.decided());
        Some(Self { now, decided, points, lead, choices, learners: None, moves: Arc::default() })
    }
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
}

/// The pieces and LEDs of a simulated board, as a person would see them on a real board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimulatedView {
    /// The pieces on the simulated board.
    pub board: Board,
    /// The squares whose LEDs are lit.
    pub lit: Squares,
    /// Whether the board tells the presses of a clock.
    pub lever: bool,
}

/// A board's connection, and what the board reports.
#[derive(Clone, Debug, Default)]
pub struct BoardView {
    /// The state of the connection.
    pub link: LinkState,
    /// What people can do if the board is lost, or was not found.
    pub trouble: Option<Sentence>,
    /// Whether this board has answered since people asked for it.
    pub answered: bool,
    /// The board's address in the form that users type.
    pub address: Option<String>,
    /// What the board reports about itself: name, version, serial number.
    pub facts: Vec<(BoardFact, String)>,
    /// The battery's charge in percent, and whether it is being charged.
    pub battery: Option<(u8, bool)>,
    /// The pieces that the board reports. If the board is turned around, the position is already rotated, so that
    /// White's side is rank 1.
    pub seen: Option<Board>,
    /// The state of the simulated board, if this program simulates the board.
    pub simulated: Option<SimulatedView>,
    /// How often each square has changed since the sensor test began; `None` while no sensor test is running.
    pub changes: Option<Arc<[u32; 64]>>,
    /// The newest raw bytes, oldest first; `None` while the raw monitor is off.
    pub bytes: Option<Arc<Vec<RawLine>>>,
    /// The file that the bytes are being saved in, if any.
    pub capture: Option<String>,
}

/// The kinds of facts that a board reports about itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardFact {
    /// The maker's name.
    Maker,
    /// The version of the firmware.
    Version,
    /// The serial number.
    Serial,
    /// The clock connected to the board.
    Clock,
}

/// The state of a board's connection.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum LinkState {
    /// No board is connected, and no board is being looked for.
    #[default]
    None,
    /// The board is being looked for.
    Connecting,
    /// The board answers.
    Connected,
    /// The connection was lost for this reason; the board is being looked for again.
    Lost(String),
}

/// A line of the raw monitor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawLine {
    /// When the bytes were sent or received, in the program's own time.
    pub at: Instant,
    /// Whether the bytes came from the board.
    pub from_board: bool,
    /// The bytes in hexadecimal.
    pub hex: String,
}

/// A board that was found, or a port to which a board may be connected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundBoard {
    /// The address to connect to.
    pub address: String,
    /// The board's own name, or its maker's.
    pub name: String,
    /// How it is connected.
    pub link: FoundLink,
    /// Whether it is surely a board; otherwise it is a device that may be one.
    pub sure: bool,
}

/// How a board that was found is connected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundLink {
    /// By a cable.
    Cable,
    /// Over Bluetooth, with the strength of its signal in dBm if that is known.
    Bluetooth(Option<i16>),
    /// By another program.
    Program,
}

/// A search for boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BoardSearch {
    /// Nobody has searched yet.
    #[default]
    Never,
    /// The search goes on.
    Running,
    /// The search ended at this moment of the program's own time.
    Ended(Instant),
}

/// The current game at a table: chips, clocks, board, and what can be done next.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact that a screen shows")]
pub struct TableView {
    /// What the players agreed: the game, their names, the terms.
    pub agreement: Arc<Agreement>,
    /// The number of the game in the match, from 1.
    pub number: usize,
    /// The stage of the game, or of the match.
    pub phase: Phase,
    /// The stages of the game and the current one, if the game has stages.
    pub stages: Option<Stages>,
    /// Which seat plays each colour.
    pub seats: ByColor<Seat>,
    /// The players' names by colour, safe to show and shortened.
    pub names: ByColor<String>,
    /// The logical board: the position in which each stand-in is replaced by the piece that it represents.
    pub board: Board,
    /// The physical board: the pieces that should stand on the real board. A stand-in appears as the piece that it
    /// really is.
    pub physical: Board,
    /// The pieces that the board reported last, even if it has been disconnected since. If the board is turned around,
    /// the position is already rotated, so that White's side is rank 1.
    pub seen: Option<Board>,
    /// The next action that the board shows already, although it is not entered yet.
    pub seen_action: Option<SeenAction>,
    /// What people have to correct on the board before play goes on; `None` if nothing has to be corrected. Also `None`
    /// while a player's clock runs, unless a clock press waits for the correction.
    pub waits_for_board: Option<Sentence>,
    /// The press that waits until the board explains it: whose, and the reading from which it will count.
    pub waiting_press: Option<(Color, Option<Millis>)>,
    /// The squares of the stand-ins. A stand-in is a piece that represents another piece.
    pub stand_ins: Vec<Square>,
    /// The squares of the last move.
    pub last_move: Vec<Square>,
    /// The square of the king in check.
    pub check: Option<Square>,
    /// Who may see faults on the board: the players, or the arbiter alone.
    pub faults_to: Audience,
    /// The chips in play; all zero in games without chips.
    pub stakes: Stakes,
    /// Each player's stack.
    pub stacks: BySeat<Chips>,
    /// The bet that is due, with its limits; `None` if no bet is due.
    pub bet: Option<BetDue>,
    /// The clock for the bet that is due, if bets have a time limit.
    pub bet_clock: Option<BetClock>,
    /// Who has to act next.
    pub to_act: Actor,
    /// Whose turn it is on the clock.
    pub turn: Turn,
    /// All inputs that would be accepted now.
    pub legal: Vec<LegalInput>,
    /// The prompts, each with its audience.
    pub prompts: Vec<Prompt>,
    /// The cards that lie under squares of the board.
    pub under: Vec<(Square, String)>,
    /// The heaps of cards beside the board, in the order in which the game lists them.
    pub heaps: Vec<Heap>,
    /// What could be said, such as a card that is laid, so that the piece that was moved on the board has moved legally.
    pub awaited: Vec<Action>,
    /// The die, in a game that is played with one.
    pub die: Option<DieOnTable>,
    /// What only this kind of game shows beside the board, in a game that has such things.
    pub sight: Option<OwnSight>,
    /// What is printed on the card before each player, if the card file has it.
    pub card_texts: ByColor<Option<String>>,
    /// The points, in a game that counts points.
    pub score: Option<Score>,
    /// The poker hands, in a game whose pieces form hands.
    pub poker: Option<PokerView>,
    /// The cards that have been turned over.
    pub cards: ByColor<Vec<ShownCard>>,
    /// The pieces that each player can still place, computed from the revealed cards alone.
    pub to_come: ByColor<Vec<Card>>,
    /// The player, the piece of the last placement, and the word that the player has to say. `None` if the piece is the
    /// one on the card, or if the placement is final.
    pub announced: Option<(Color, Card, PieceAnnouncement)>,
    /// The chess moves in SAN, or the plays as a game without chess lists them.
    pub moves: Vec<String>,
    /// The side that made the first move in `moves`.
    pub first_mover: Color,
    /// The number of the first move in `moves`.
    pub first_number: u32,
    /// The complete FEN, once chess has begun.
    pub fen: Option<String>,
    /// How the game ended; `None` while it is running.
    pub outcome: Option<Outcome>,
    /// Each player's score over the games that count, in halves of points.
    pub half_points: BySeat<u32>,
    /// Whether the match is over.
    pub match_over: bool,
    /// Who owes whom as the match stands; `None` without chips.
    pub owed: Option<Sentence>,
    /// Who has agreed that the sealed cards may be shown; `None` unless the match is over and has sealed cards.
    pub consents: Option<ByColor<bool>>,
    /// Who can confirm the result of the game that has just ended, and has not yet.
    pub may_sign: ByColor<bool>,
    /// Whether anything has happened in this game yet.
    pub begun: bool,
    /// Whether something was done at the table, and the game is not over.
    pub in_use: bool,
    /// The clock, with the readings of both sides.
    pub clock: Clock,
    /// The reading with which the present turn began, if the clock times it.
    pub turn_began: Option<Millis>,
    /// Whether the game consists only of a clock.
    pub clock_alone: bool,
    /// Whether the game is played on a board.
    pub has_board: bool,
    /// The player whose press would end the running turn; `None` unless a connected board can show what was played.
    pub board_press: Option<Color>,
    /// How many lines the record has.
    pub lines: usize,
    /// How many inputs the record contains, not counting ticks.
    pub acts: usize,
    /// The match sheet.
    pub sheet: Vec<Sentence>,
    /// The hash of the newest line, if the match is recorded.
    pub head: Option<String>,
}

/// The table at an earlier moment of the match.
#[derive(Clone, Debug)]
pub struct PastView {
    /// How many lines of the record the shown table includes.
    pub line: usize,
    /// The moment of the match that is shown.
    pub at: Instant,
    /// The table at that moment.
    pub table: TableView,
}

impl PastView {
    /// The view of a table after `line` lines of the record, at the moment `at`.
    pub(crate) fn of(table: &Table, header: &Header, (line, at): (usize, Instant)) -> Self {
        Self { line, at, table: TableView { lines: line, ..TableView::of(table, header) } }
    }
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
        let waiting = session.watch().waiting_press();
        view.waiting_press = waiting.map(|(by, at)| (by, session.table().reading(by, at)));
        view.awaited = session.watch().awaited();
        view.card_texts = card_texts(session, &view.heaps);
        view
    }

    /// The view of a table without a session. Values that only a session knows are empty.
    pub fn of(table: &Table, header: &Header) -> Self {
        let game = table.game();
        let (chess, cards, placement) = (game.chess(), game.cards(), game.placement());
        let score = chess.map(tabiya_engine::rules::ChessPhase::score);
        let moves: Vec<String> = score
            .iter()
            .flat_map(|score| score.legs.iter())
            .flat_map(|leg| leg.san.iter().cloned())
            .collect();
        let (board, legal, sight) = (table.board(), table.legal(), game.own_sight());
        let listed = game.play_list();
        let moves = listed.map_or(moves, |listed| listed.plays.to_vec());
        let start = score.as_ref().map(|score| score.start_fen.as_str()).unwrap_or_default();
        let black = start.split(' ').nth(1) == Some("b");
        let first_mover = if black { Color::Black } else { Color::White };
        let first_mover = listed.map_or(first_mover, |listed| listed.first);
        let first_number = start.split(' ').nth(5).and_then(|number| number.parse().ok()).unwrap_or(1);
        Self {
            agreement: Arc::new(table.agreement().clone()),
            number: table.past_games().len() + 1,
            phase: table.phase(),
            stages: game.stages(),
            seats: ByColor::new(|color| table.seat_of(color)),
            names: ByColor::new(|color| shortened(&harmless_text(table.name_of(color)))),
            board,
            physical: table.physical(),
            seen: None,
            seen_action: None,
            waits_for_board: None,
            waiting_press: None,
            stand_ins: table.stand_ins(),
            last_move: match (chess, &sight) {
                (Some(chess), _) => chess.last_move(),
                (None, Some(sight)) => sight.last_squares(),
                (None, None) => Vec::new(),
            },
            check: chess
                .and_then(tabiya_engine::rules::ChessPhase::check)
                .or_else(|| sight.as_ref().and_then(|sight| sight.check())),
            faults_to: table.audience_of_faults(),
            stakes: game.stakes(),
            stacks: table.stacks(),
            bet: game.betting().and_then(tabiya_engine::rules::Betting::due),
            bet_clock: table.bet_clock(),
            to_act: table.to_act(),
            turn: table.turn(),
            prompts: table.prompts().into_iter().map(harmless).collect(),
            under: cards.map(under).unwrap_or_default(),
            awaited: Vec::new(),
            heaps: cards.map(beside).unwrap_or_default(),
            die: cards.and_then(Cards::die),
            sight,
            card_texts: ByColor::default(),
            score: game.score(),
            poker: PokerView::of(game, &legal),
            legal,
            cards: ByColor::new(|color| cards.map(|cards| cards.shown(color)).unwrap_or_default()),
            to_come: ByColor::new(|color| {
                cards.map(|cards| cards.possible_pieces(color)).unwrap_or_default()
            }),
            announced: placement.and_then(tabiya_engine::rules::Placement::announced),
            moves,
            first_mover,
            first_number,
            fen: chess.map(tabiya_engine::rules::ChessPhase::fen),
            outcome: game.outcome(),
            half_points: table.results().half_points,
            owed: table.owed().map(Sentence::harmless),
            match_over: table.match_over(),
            consents: consents(table),
            may_sign: ByColor::new(|color| table.may_sign(color)),
            begun: table.begun(),
            in_use: table.is_in_use(),
            clock: table.clock().clone(),
            turn_began: None,
            clock_alone: game.continues_after_flag(),
            has_board: game.has_board(),
            board_press: None,
            lines: 0,
            acts: 0,
            sheet: header.agreement.sheet(),
            head: None,
        }
    }

    /// Whether the game has chips.
    pub fn has_chips(&self) -> bool {
        let stakes = &self.stakes;
        Color::ALL.iter().any(|color| stakes.stacks[*color].0 + stakes.contributed[*color].0 > 0)
    }

    /// The inputs with this verb that would be accepted.
    pub fn legal_of(&self, verb: Verb) -> impl Iterator<Item = &LegalInput> {
        self.legal.iter().filter(move |legal| legal.verb() == Some(verb))
    }

    /// Whether any input with this verb would be accepted.
    pub fn may(&self, verb: Verb) -> bool {
        self.legal_of(verb).next().is_some()
    }

    /// The player who may make an input with this verb. If several such inputs would be accepted, this is the player of
    /// the first.
    pub fn by(&self, verb: Verb) -> Option<Color> {
        self.legal_of(verb).next().and_then(LegalInput::by)
    }

    /// Whether exactly this action would be accepted.
    pub fn accepts(&self, action: &Action) -> bool {
        self.legal.iter().any(|legal| legal.action() == Some(action))
    }

    /// Who could claim a draw in the present position.
    pub fn draw_claimant(&self) -> Option<Color> {
        self.legal.iter().find_map(|legal| match legal.action()? {
            Action::Play(PlayAction::ClaimDraw { by, uci: None }) => Some(*by),
            _ => None,
        })
    }

    /// Whether the next game can begin.
    pub fn can_start_next(&self) -> bool {
        self.legal.contains(&LegalInput::Next)
    }

    /// The player whose press of the clock would have an effect. Either this player has moved, or the press would
    /// start the opponent's clock.
    pub fn presser(&self) -> Option<Color> {
        let press = self.legal.iter().find(|legal| matches!(legal, LegalInput::Press(_)));
        self.board_press.or(press.and_then(LegalInput::by))
    }

    /// Whether the match is an event, at which claims and faults are shown to the arbiter alone.
    pub fn is_event(&self) -> bool {
        self.agreement.terms.voice == Voice::Event
    }

    /// Whose turn it is on the clock, whether or not the clock is running.
    pub fn mover(&self) -> Option<Color> {
        match self.turn {
            Turn::Timed { by, .. } => Some(by),
            Turn::Untimed => None,
        }
    }

    /// The first prompt for the players.
    pub fn prompt(&self) -> Option<&Sentence> {
        self.prompts.iter().find(|prompt| prompt.to == Audience::Players).map(|prompt| &prompt.text)
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

/// The cards that lie under squares.
fn under(cards: &dyn Cards) -> Vec<(Square, String)> {
    let lies = |heap: Heap| match heap.place {
        HeapPlace::Under(at) => Some((at, heap.up.concat())),
        _ => None,
    };
    cards.heaps().into_iter().filter_map(lies).collect()
}

/// The heaps that do not lie under squares.
fn beside(cards: &dyn Cards) -> Vec<Heap> {
    cards.heaps().into_iter().filter(|heap| !matches!(heap.place, HeapPlace::Under(_))).collect()
}

/// What is wrong with the board, if play waits until it is put right.
fn waits_for_board(session: &Session) -> Option<Sentence> {
    let (watch, clock) = (session.watch(), session.table().clock());
    let waits = watch.press_waits() || clock.paused() || clock.turn().is_none();
    watch.trouble().filter(|_| waits).map(|trouble| trouble.sentence().harmless())
}

/// The greatest length of a name on the screens, in characters.
const NAME: usize = 28;

/// Shortens a long name for the screens; the record keeps the whole name.
fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}

/// Makes the free text in a prompt (names, reasons) safe to show.
fn harmless(prompt: Prompt) -> Prompt {
    Prompt { text: prompt.text.harmless(), ..prompt }
}

/// Who has agreed to show the sealed cards; `None` unless the match is over and has sealed cards.
fn consents(table: &Table) -> Option<ByColor<bool>> {
    let sealed = || GameCards::of_games(table).iter().any(GameCards::any_known);
    let agreed = |color: Color| table.consented(table.seat_of(color));
    let asked = table.match_over() && sealed();
    asked.then(|| ByColor { white: agreed(Color::White), black: agreed(Color::Black) })
}
