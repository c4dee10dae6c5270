//! What a screen draws: a table as plain values, made once for each change and then only read.
//!
//! Everything here follows from the table and the session; a screen that has one of these needs no
//! table and decides nothing.

use std::sync::Arc;

use tabiya_engine::clock::Clock;
use tabiya_engine::record::Header;
use tabiya_engine::record::secrets::GameCards;
use tabiya_engine::rules::{
    Action, Actor, BetDue, Chips, Outcome, Phase, PlayAction, Says, ShownCard, Stages, Stakes, Turn, Verb,
};
use tabiya_engine::sense::Question;
use tabiya_engine::table::{Agreement, Audience, Legal, Prompt, Table, Voice};
use tabiya_types::{
    Board, ByColor, BySeat, Card, Color, Instant, Seat, Sentence, Square, Squares, harmless as harmless_text,
};

use super::cards_view::CardsView;
use super::past::NarratedLine;
use super::session::{Announcement, Session};
use crate::store::evening::EveningView;
use crate::store::settings::Settings;

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
    pub moments: Arc<Vec<NarratedLine>>,
    /// What was said, oldest first.
    pub said: Arc<Vec<Announcement>>,
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

/// One game's chips, clocks, board and what can be done next.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact that a screen shows")]
pub struct TableView {
    /// What was agreed.
    pub agreement: Arc<Agreement>,
    /// Which game of the match, from 1.
    pub number: usize,
    /// The stage of the game, or of the match.
    pub phase: Phase,
    /// The stages of the game and which one it is at, where it has any.
    pub stages: Option<Stages>,
    /// Who sits behind each colour.
    pub seats: ByColor<Seat>,
    /// Their names.
    pub names: ByColor<String>,
    /// The board as the table counts it.
    pub board: Board,
    /// The board as the pieces physically stand.
    pub physical: Board,
    /// What the board showed last, White below; it may be gone by now.
    pub seen: Option<Board>,
    /// What has to be put right on the board before anything else: at the start, after an undo or a reconnection, or
    /// while a press waits.
    pub waits_for_board: Option<Sentence>,
    /// Squares where a piece stands for another.
    pub stand_ins: Vec<Square>,
    /// From where to where the last move went.
    pub last_move: Vec<Square>,
    /// The king in check.
    pub check: Option<Square>,
    /// Who hears of what is wrong.
    pub faults_to: Audience,
    /// The chips; nothing but zeros in games without.
    pub stakes: Stakes,
    /// What each person has behind.
    pub stacks: BySeat<Chips>,
    /// The bet that is due.
    pub bet: Option<BetDue>,
    /// Who has to act.
    pub to_act: Actor,
    /// Whose turn it is on the clock.
    pub turn: Turn,
    /// What would be accepted now.
    pub legal: Vec<Legal>,
    /// What is said to whom.
    pub prompts: Vec<Prompt>,
    /// The cards that everybody has seen.
    pub cards: ByColor<Vec<ShownCard>>,
    /// The pieces that can still come.
    pub to_come: ByColor<Vec<Card>>,
    /// The word that was to be said with the last placement, if it changed.
    pub announced: Option<(Color, Card, Says)>,
    /// The moves in SAN.
    pub moves: Vec<String>,
    /// Who made the first of them, and its number.
    pub first_mover: Color,
    /// The number of the first move.
    pub first_number: u32,
    /// The whole FEN, once there is one.
    pub fen: Option<String>,
    /// How the game ended.
    pub outcome: Option<Outcome>,
    /// Whether it counts.
    pub counts: bool,
    /// Whether the match is over.
    pub match_over: bool,
    /// Who has agreed that sealed cards may be shown: where the match is over and there are any.
    pub consents: Option<ByColor<bool>>,
    /// Whether anything happened yet in this game.
    pub begun: bool,
    /// The clock.
    pub clock: Clock,
    /// Whether this game is the clock alone.
    pub clock_alone: bool,
    /// Whether it is played on a board.
    pub has_board: bool,
    /// Whose press ends the turn that only the board can tell of.
    pub board_press: Option<Color>,
    /// How many lines the record has.
    pub lines: usize,
    /// How many lines of it acted: what people did, not what a board showed.
    pub acts: usize,
    /// The match sheet.
    pub sheet: Vec<Sentence>,
    /// The hash of the newest line, where there is a record.
    pub head: Option<String>,
}

/// An earlier moment of the match.
#[derive(Clone, Debug)]
pub struct PastView {
    /// How many lines of the record led to it.
    pub line: usize,
    /// When it was.
    pub at: Instant,
    /// The table then.
    pub table: TableView,
}

impl PastView {
    /// The table as it stood then.
    pub(crate) fn of(table: &Table, header: &Header, (line, at): (usize, Instant)) -> Self {
        Self { line, at, table: TableView { lines: line, ..TableView::of(table, header) } }
    }
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

    /// A table as it stands.
    pub fn of(table: &Table, header: &Header) -> Self {
        let game = table.game();
        let (chess, cards, placement) = (game.chess(), game.cards(), game.placement());
        let score = chess.map(tabiya_engine::rules::ChessPhase::score);
        let moves: Vec<String> = score
            .iter()
            .flat_map(|score| score.legs.iter())
            .flat_map(|leg| leg.san.iter().cloned())
            .collect();
        let board = table.board();
        let start = score.as_ref().map(|score| score.start_fen.as_str()).unwrap_or_default();
        let first_mover = if start.split(' ').nth(1) == Some("b") { Color::Black } else { Color::White };
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
            waits_for_board: None,
            stand_ins: table.stand_ins(),
            last_move: chess.map(tabiya_engine::rules::ChessPhase::last_move).unwrap_or_default(),
            check: chess.and_then(tabiya_engine::rules::ChessPhase::check),
            faults_to: table.audience_of_faults(),
            stakes: game.stakes(),
            stacks: table.stacks(),
            bet: game.betting().and_then(tabiya_engine::rules::Betting::due),
            to_act: table.to_act(),
            turn: table.turn(),
            legal: table.legal(),
            prompts: table.prompts().into_iter().map(harmless).collect(),
            cards: ByColor::new(|color| cards.map(|cards| cards.shown(color)).unwrap_or_default()),
            to_come: ByColor::new(|color| cards.map(|cards| cards.still_to_come(color)).unwrap_or_default()),
            announced: placement.and_then(tabiya_engine::rules::Placement::announced),
            moves,
            first_mover,
            first_number,
            fen: chess.map(tabiya_engine::rules::ChessPhase::fen),
            outcome: game.outcome(),
            counts: game.counts(),
            match_over: table.match_over(),
            consents: consents(table),
            begun: table.begun(),
            clock: table.clock().clone(),
            clock_alone: game.plays_on_after_flag(),
            has_board: game.has_board(),
            board_press: None,
            lines: 0,
            acts: 0,
            sheet: header.agreement.sheet(),
            head: None,
        }
    }

    /// Whether chips are played for.
    pub fn has_chips(&self) -> bool {
        let stakes = &self.stakes;
        Color::ALL.iter().any(|color| stakes.stacks[*color].0 + stakes.contributed[*color].0 > 0)
    }

    /// What would be accepted of that kind.
    pub fn legal_of(&self, verb: Verb) -> impl Iterator<Item = &Legal> {
        self.legal.iter().filter(move |legal| legal.verb() == Some(verb))
    }

    /// Whether anything of that kind would be accepted.
    pub fn may(&self, verb: Verb) -> bool {
        self.legal_of(verb).next().is_some()
    }

    /// Whose the first offer of that kind is.
    pub fn by(&self, verb: Verb) -> Option<Color> {
        self.legal_of(verb).next().and_then(Legal::by)
    }

    /// Whether just this would be accepted.
    pub fn would_take(&self, action: &Action) -> bool {
        self.legal.iter().any(|legal| legal.action() == Some(action))
    }

    /// Who could claim a draw as it stands.
    pub fn claims_draw(&self) -> Option<Color> {
        self.legal.iter().find_map(|legal| match legal.action()? {
            Action::Play(PlayAction::ClaimDraw { by, uci: None }) => Some(*by),
            _ => None,
        })
    }

    /// Whether the next game can begin.
    pub fn may_go_on(&self) -> bool {
        self.legal.contains(&Legal::Next)
    }

    /// Whose press would do something: who moved, or who starts the other's clock.
    pub fn presser(&self) -> Option<Color> {
        let press = self.legal.iter().find(|legal| matches!(legal, Legal::Press(_)));
        press.and_then(Legal::by).or(self.board_press)
    }

    /// Whether players are kept from what the Laws keep from them.
    pub fn is_event(&self) -> bool {
        self.agreement.terms.voice == Voice::Event
    }

    /// Whose turn runs on the clock, or would if it ran.
    pub fn mover(&self) -> Option<Color> {
        match self.turn {
            Turn::Timed { by, .. } => Some(by),
            Turn::Untimed => None,
        }
    }

    /// What goes to the players: the first prompt, as one plain line.
    pub fn prompt(&self) -> Option<&Sentence> {
        self.prompts.iter().find(|prompt| prompt.to == Audience::Players).map(|prompt| &prompt.text)
    }
}

/// What is wrong with the board while play waits for it.
fn waits_for_board(session: &Session) -> Option<Sentence> {
    let (watch, clock) = (session.watch(), session.table().clock());
    let waits = watch.press_waits() || clock.paused() || clock.turn().is_none();
    watch.trouble().filter(|_| waits).map(|trouble| trouble.sentence().harmless())
}

/// How many letters of a name are shown.
const NAME: usize = 28;

/// A name with an end in sight; the record keeps all of it.
fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}

/// Names and reasons in a prompt stay text, whatever is in them.
fn harmless(prompt: Prompt) -> Prompt {
    Prompt { text: prompt.text.harmless(), ..prompt }
}

/// Who has agreed to show sealed cards, once that matters.
fn consents(table: &Table) -> Option<ByColor<bool>> {
    let sealed = || GameCards::of_games(table).iter().any(GameCards::any_known);
    let agreed = |color: Color| table.consented(table.seat_of(color));
    let asked = table.match_over() && sealed();
    asked.then(|| ByColor { white: agreed(Color::White), black: agreed(Color::Black) })
}
