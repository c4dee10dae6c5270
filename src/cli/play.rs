//! `tabiya play`: a live table in a window or in the terminal, the replay of a capture, or a simulated evening.

mod alone;
mod deals;
#[cfg_attr(not(feature = "event"), path = "play/no_event.rs")]
mod event;
#[cfg_attr(not(feature = "event"), path = "play/no_keypads.rs")]
mod keypads;
mod options;
mod sets;
mod tables;
mod terms;
#[cfg(feature = "window")]
mod window;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::{Args as _, FromArgMatches as _};
use tabiya_app::Session;
use tabiya_app::board_notes::BoardNotes;
use tabiya_app::desk::{Desk, Format, Loop, LoopError, SingleTable, TableEnd, check_deck, turns_cards_over};
use tabiya_app::seating::{self, Keeping, Seated};
use tabiya_boards::address::{BoardAddress, BoardPort, LiveAddress};
use tabiya_boards::capture::{Capture, CaptureHeader, CaptureWriter};
use tabiya_boards::human::Profile;
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::CATALOG;
use tabiya_boards::{BoardEvent, near};
use tabiya_cards::deck::Deck;
use tabiya_engine::clock::ClockSide;
use tabiya_engine::record::Replay;
use tabiya_engine::rules::{Group, presets};
use tabiya_engine::table::Agreement;
use tabiya_store::card_files;
use tabiya_store::copy::is_folder_of;
use tabiya_store::decks::Decks;
use tabiya_store::journal::{Journal, JournalReader, MatchInfo};
use tabiya_store::keeper::JournalKeeper;
use tabiya_store::keys::Keyring;
use tabiya_store::{evening, trust};
use tabiya_terminal::Typing;
use tabiya_types::{Board, BySeat, Instant, Millis, Seat, Sentence, harmless};

use self::alone::{from_capture, simulated};
use self::event::{Joined, Told};
use self::options::TermArguments;
use self::terms::{header, terms};
#[cfg(feature = "window")]
pub(super) use self::window::several_asked;
use super::asking::confirmed;
use super::files;
use super::language::LanguageArgument;
use super::output::{ExitFailure, print_line, unusable};
use super::surroundings::surroundings;

/// Arguments of `tabiya play`.
#[expect(clippy::struct_excessive_bools, reason = "each is one option of the command line")]
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PlayArguments {
    /// In the terminal, without a window. The simulator and captures always run there.
    #[arg(long)]
    pub(super) headless: bool,
    /// Plain lines in the terminal, without a window or a live screen.
    #[arg(long)]
    pub(super) plain: bool,
    /// The window fills the screen, without a bar, for a projector or a clock. Only Ctrl+Shift+Q ends it.
    #[cfg(feature = "window")]
    #[arg(long, conflicts_with_all = ["headless", "plain"])]
    pub(super) kiosk: bool,
    /// The game: choker, chess, poker-chess, pokerdrez, chess-joker, or clock for a clock alone. Choker if not said.
    #[arg(long)]
    game: Option<String>,
    /// Terms by name: club (100 big blinds, fixed), tour (10 big blinds, rising, 180 s), blitz (120 s),
    /// slow (15 minutes and 10 s a move).
    #[arg(long)]
    preset: Option<String>,
    /// Time for each side, as `tabiya clock` reads it: 5+3 (minutes and seconds), "90 min + 30 s", G/60;d5, 300 or
    /// 40/5400+30:1800+30 (seconds), or - for none. A bare number up to 180 is asked about; write 5min or 5s.
    #[arg(long)]
    time: Option<String>,
    /// The terms that only some games have, each with an option of its own.
    #[command(flatten)]
    own_terms: TermArguments,
    /// The number of games; by default the match lasts until a stack is empty.
    #[arg(long)]
    games: Option<u64>,
    /// The colour that wins a drawn game ("armageddon"): white or black.
    #[arg(long, value_name = "COLOUR")]
    draw_wins: Option<String>,
    /// clock: players press the clock; auto: a turn ends once the board has settled.
    #[arg(long)]
    press: Option<String>,
    /// casual, or event (the arbiter decides on claims and violations).
    #[arg(long)]
    voice: Option<String>,
    /// Which clock counts: tabiya, or device for the physical clock that is connected to the board.
    #[arg(long)]
    clock: Option<String>,
    /// On which side of the clock White's lever is, seen from the front of the clock: left or right. Without it the table
    /// guesses it from the presses.
    #[arg(long, value_name = "SIDE", value_parser = clock_side)]
    clock_side: Option<ClockSide>,
    /// More terms as a JSON object, in the form of the record: {"settle_ms":500}. They override the other options.
    #[arg(long)]
    terms: Option<String>,
    #[command(flatten)]
    pub(super) language: LanguageArgument,
    /// The two people, seat A and seat B: Ann,Bo. A,B if not said.
    #[arg(long)]
    pub(super) players: Option<String>,
    /// Who has White first: A, B, or coin. A if not said.
    #[arg(long)]
    white: Option<String>,
    /// The board: dgt:/dev/ttyACM0, dgt:tcp:HOST:PORT, auto, sim (the built-in simulator plays a
    /// match by itself, in simulated time), or capture:FILE.
    #[arg(long)]
    board: Option<BoardAddress>,
    /// A box beside the board, with a card reader, a lever or a display: diy:PORT. If it has squares, they are ignored.
    #[arg(long = "box", value_name = "ADDRESS")]
    beside: Option<BoardAddress>,
    /// Keep the record in this file; it is created if it does not exist.
    #[arg(long)]
    pub(super) record: Option<PathBuf>,
    /// Copy the record's lines into this folder, too, as they are written: on another disk, a USB stick or the network. If
    /// the folder is gone, the match goes on, and the copy catches up later.
    #[arg(long, value_name = "FOLDER", requires = "record")]
    pub(super) copy: Option<PathBuf>,
    /// Continue the unfinished match in the file of --record.
    #[arg(long, requires = "record", conflicts_with = "new")]
    pub(super) carry_on: bool,
    /// Begin a new match, even if the file of --record has an unfinished one.
    #[arg(long)]
    pub(super) new: bool,
    /// Nobody types, as on a computer without a keyboard: continue the unfinished match in the file of --record, or else
    /// begin a new one; go on after an interruption as soon as a piece is touched.
    #[arg(long, requires_all = ["record", "headless"], conflicts_with_all = ["new", "carry_on"])]
    pub(super) unattended: bool,
    /// Keep a PGN of the match in this file, which is rewritten within a second after each move.
    #[arg(long)]
    pgn: Option<PathBuf>,
    /// The deck of NFC cards in use (`tabiya deck list` shows the names). Laying a card on a reader turns it over.
    #[arg(long, value_name = "NAME")]
    deck: Option<String>,
    /// Also read the cards while they are dealt over a reader. The hands are sealed in the record; no screen shows
    /// them.
    #[arg(long, requires = "deck")]
    read_deals: bool,
    /// Play at a table of an event, whose arbiters see it: at this address, or in the local network. The first time the arbiter admits
    /// the table with the six digits that it shows.
    #[cfg(feature = "event")]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "")]
    pub(super) event: Option<String>,
    /// Join the event with this prepared file, without digits.
    #[cfg(feature = "event")]
    #[arg(long, value_name = "FILE", requires = "event")]
    pub(super) table_file: Option<PathBuf>,
    /// Let players use telephones as their own keys: a page over HTTPS, which a telephone opens with the code that the table shows.
    #[arg(long)]
    keypads: bool,
    /// The port of the keypads' page; 44066 if not said.
    #[arg(long, value_name = "PORT", requires = "keypads")]
    keypad_port: Option<u16>,
    /// Save the board's raw bytes in this file.
    #[arg(long)]
    capture: Option<PathBuf>,
    /// How the simulated players move pieces: clean, casual, clumsy, beginner, blitz, bullet, hostile.
    /// Casual if not said.
    #[arg(long)]
    profile: Option<String>,
    /// The simulator's random seed, 1 if not said. The same seed gives the same evening, and the same position of --chess960.
    #[arg(long)]
    seed: Option<u64>,
    /// The simulated players agree to a draw after this number of placements and moves in a game.
    #[arg(long, value_name = "NUMBER")]
    plies: Option<usize>,
    /// When the match begins, in the form of the record's header (2026-10-03T19:30:00+02:00); by default now.
    #[arg(long, value_name = "DATE-TIME")]
    start: Option<String>,
    /// Several tables in this program, one for each `[[table]]` of this file, each with its own board and record. The fields
    /// of a table are the options of this command.
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// Terms set by the program itself. They override all options.
    #[arg(skip)]
    given: Option<Group>,
    /// The number of this table among several in this program.
    #[arg(skip)]
    number: Option<usize>,
}

impl PlayArguments {
    /// The game's name.
    fn game(&self) -> &str {
        self.game.as_deref().unwrap_or(USUAL_GAME)
    }

    /// The options that were given and say on which terms a new match is played: each with the term that a game must have for
    /// it, if not all games have it.
    fn given_terms(&self) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
        let before = [("preset", self.preset.is_some()), ("time", self.time.is_some())];
        let after = [
            ("games", self.games.is_some()),
            ("draw-wins", self.draw_wins.is_some()),
            ("press", self.press.is_some()),
            ("voice", self.voice.is_some()),
            ("clock", self.clock.is_some()),
            ("terms", self.terms.is_some()),
            ("players", self.players.is_some()),
            ("white", self.white.is_some()),
            ("start", self.start.is_some()),
        ];
        let of_all = |(option, is_given): (&'static str, bool)| is_given.then_some((option, None));
        let own = self.own_terms.given().map(|(option, term)| (option, Some(term)));
        before.into_iter().filter_map(of_all).chain(own).chain(after.into_iter().filter_map(of_all))
    }

    /// The seed from which a start position is drawn: the named one, or that of a simulated evening. Otherwise `None`.
    fn chance_seed(&self) -> Option<u64> {
        let simulated = matches!(self.board, Some(BoardAddress::Sim(_)));
        self.seed.or(simulated.then_some(USUAL_SEED))
    }

    /// The first option of `given_terms` for which this holds of the term that a game must have, with its hyphens.
    fn given_term(&self, holds: impl Fn(Option<&str>) -> bool) -> Option<String> {
        let found = self.given_terms().find(|(_, term)| holds(*term));
        found.map(|(option, _)| format!("--{option}"))
    }

    /// Prints text of this table; among several, its number stands in front of each line.
    fn print(&self, text: &str) -> Result<(), ExitFailure> {
        print_line(&tabiya_terminal::numbered(self.number, text))
    }

    /// Whether an unfinished match in the record is carried on without a question: who starts several tables, or nobody, is not
    /// asked for each.
    fn carries(&self) -> bool {
        self.carry_on || self.unattended || self.number.is_some() && !self.new
    }

    /// The failure that a file of cards cannot be used, in the user's language.
    fn unusable_cards(&self, what: &Sentence) -> ExitFailure {
        ExitFailure::unusable(self.language.words().said(what))
    }

    /// Makes the arguments for a clock alone, without a board, with these terms.
    pub(super) fn clock_alone(terms: Group) -> Self {
        Self { given: Some(terms), ..Self::of(&["play", "--game", tabiya_engine::rules::clock_alone()]) }
    }

    /// The arguments without any option.
    #[cfg(feature = "window")]
    fn usual() -> Self {
        Self::of(&["play"])
    }

    fn of(words: &[&str]) -> Self {
        let matches = Self::augment_args(clap::Command::new("play")).get_matches_from(words);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// The state of the record's file before the match.
enum RecordFile {
    /// The file does not exist yet, or no record is kept.
    New,
    /// The file exists, and a new match begins in it.
    Old(Journal),
    /// The file exists, and its last match is continued.
    Unfinished(Journal, Box<MatchInfo>),
}

pub(super) fn run(arguments: &PlayArguments) -> Result<(), ExitFailure> {
    if arguments.own_terms.deal() == Some("list") {
        return deals::list();
    }
    if let Some(file) = &arguments.tables {
        return tables::run(arguments, file);
    }
    check(arguments)?;
    let joined = event::join(arguments)?;
    let seated;
    let arguments = match &joined {
        Some(joined) if arguments.record.is_none() => {
            // Only what is in a record reaches the arbiter.
            seated = PlayArguments { record: Some(event::usual_record(joined)?), ..arguments.clone() };
            &seated
        }
        _ => arguments,
    };
    #[cfg(feature = "window")]
    if window::wanted(arguments) {
        return window::open(arguments, joined);
    }
    if let Some(ready) = made_ready(arguments, joined)? {
        ready.play(arguments)?;
    }
    Ok(())
}

/// Refuses what cannot be done, before a board is looked for and a match begins.
fn check(arguments: &PlayArguments) -> Result<(), ExitFailure> {
    let played = match &arguments.board {
        Some(BoardAddress::Capture(path)) => Some(path.as_path()),
        _ => None,
    };
    let record = arguments.record.as_deref();
    let used: Vec<&Path> = record.into_iter().chain(played).collect();
    if let Some(path) = &arguments.capture {
        files::may_write(path, &used)?;
    }
    if let Some(path) = &arguments.pgn {
        let used: Vec<&Path> = used.into_iter().chain(arguments.capture.as_deref()).collect();
        files::may_write(path, &used)?;
        check_pgn(path)?;
    }
    check_copy(arguments)?;
    check_terms(arguments)?;
    check_cards(arguments)?;
    check_simulated(arguments)?;
    check_keypads(arguments)?;
    record.into_iter().chain(arguments.pgn.as_deref()).try_for_each(check_folder)?;
    Ok(())
}

/// Opens the record and the board, and begins or carries on the match. `None` if it was played already, by simulated players or
/// from a capture.
fn made_ready(arguments: &PlayArguments, joined: Option<Joined>) -> Result<Option<ReadyTable>, ExitFailure> {
    if arguments.capture.is_some() && matches!(arguments.board, None | Some(BoardAddress::Capture(_))) {
        return Err(ExitFailure::unusable(
            "--capture: there is no board whose bytes could be saved; name one with --board, or leave --capture out",
        ));
    }
    if arguments.read_deals && arguments.record.is_none() {
        return Err(ExitFailure::unusable(
            "--read-deals: cards that are dealt over a reader are kept only in a record; name a record with `--record FILE`",
        ));
    }
    match open_record(arguments)? {
        RecordFile::Unfinished(journal, info) => carry_on(arguments, joined, journal, &info).map(Some),
        RecordFile::Old(journal) => begin(arguments, joined, Some(journal)),
        RecordFile::New => begin(arguments, joined, None),
    }
}

fn begin(
    arguments: &PlayArguments,
    joined: Option<Joined>,
    journal: Option<Journal>,
) -> Result<Option<ReadyTable>, ExitFailure> {
    let mut terms = terms(arguments)?;
    let profile = profile(arguments.profile.as_deref().unwrap_or(USUAL_PROFILE))?;
    // A header is made first, so that faults in the terms are reported before the program looks for a board.
    deck_for(arguments, &header(arguments, &terms)?.agreement)?;
    let mut source = source(arguments)?;
    sets::agree(arguments, &mut terms, || source.seen())?;
    let mut agreed = header(arguments, &terms)?;
    if matches!(source, Source::Sim(..)) && !Replay::new(agreed.clone()).table().game().has_board() {
        return Err(ExitFailure::unusable(
            "--board sim: a clock alone has nothing that could be played on a board; leave --board out, or choose another game",
        ));
    }
    if let Source::Capture(capture) = &source
        && has_clock_times(capture)
    {
        // If the capture contains times of a physical clock, these times count.
        if !terms.has("clock") {
            terms.set("clock", "device");
        }
        agreed = header(arguments, &terms)?;
    }
    let open = |path: &PathBuf| JournalKeeper::open(path, &Keyring::usual());
    let journal = journal.map(Ok).or_else(|| arguments.record.as_ref().map(open)).transpose();
    let (with, hears) = match &mut source {
        Source::Table(table) => kept_with(arguments, joined, table)?,
        Source::Sim(..) | Source::Capture(_) if joined.is_some() => {
            return Err(ExitFailure::unusable(
                "--event: simulated players and captures play in a time of their own; play at a table, or try `tabiya event --help`",
            ));
        }
        Source::Sim(..) | Source::Capture(_) => (keeping(arguments)?, None),
    };
    let Seated { mut session, at, told } =
        seating::begin(journal.map_err(unusable)?, agreed, with.clone()).map_err(unusable)?;
    if let Some(told) = told {
        files::remark(&told);
    }
    seat_clock(arguments, &mut session, at);
    leave_unattended(arguments, &mut session);
    let words = arguments.language.words();
    print_sheet(arguments, session.table().agreement(), &words)?;
    match source {
        Source::Capture(capture) => end(from_capture(session, &capture, &words)?, arguments)?,
        Source::Sim(maker, capture) => {
            end(simulated(arguments, maker, session, &profile, capture)?, arguments)?;
        }
        Source::Table(table) => {
            #[cfg(feature = "window")]
            if arguments.game() == tabiya_engine::rules::clock_alone() {
                super::window::remember_terms(arguments.game(), &terms);
            }
            return Ok(Some(ReadyTable { table: *table, session, at: Instant::ZERO, with, told: hears }));
        }
    }
    Ok(None)
}

/// Whether a capture has times of a physical clock.
fn has_clock_times(capture: &Capture) -> bool {
    let is_time =
        |event: &BoardEvent| matches!(event, BoardEvent::ClockTimes(times) if times.running.is_some());
    capture.play().any(|(_, event)| is_time(&event))
}

/// Prints the match sheet.
fn print_sheet(
    arguments: &PlayArguments,
    agreement: &Agreement,
    words: &tabiya_text::Words,
) -> Result<(), ExitFailure> {
    let sheet: Vec<String> = agreement.sheet().iter().map(|line| words.said(line)).collect();
    arguments.print(&sheet.join("\n"))
}

fn carry_on(
    arguments: &PlayArguments,
    joined: Option<Joined>,
    journal: Journal,
    info: &MatchInfo,
) -> Result<ReadyTable, ExitFailure> {
    if matches!(arguments.board, Some(BoardAddress::Capture(_) | BoardAddress::Sim(_))) {
        let what =
            "a match can be continued with a real board or by typing, not with a capture or the simulator";
        return Err(ExitFailure::unusable(what));
    }
    let Source::Table(mut table) = source(arguments)? else {
        return Err(ExitFailure::unusable("a match can be continued with a real board or by typing"));
    };
    let (with, told) = kept_with(arguments, joined, &mut table)?;
    let carried = seating::carry_on(journal, info.id.number(), with.clone());
    let Seated { mut session, at: saved, .. } = carried.map_err(ExitFailure::unusable)?;
    seat_clock(arguments, &mut session, saved);
    leave_unattended(arguments, &mut session);
    if arguments.number.is_some() {
        let BySeat { a, b } = &session.table().agreement().players;
        arguments.print(&format!("the match of {} and {} goes on", harmless(a), harmless(b)))?;
    }
    Ok(ReadyTable { table: *table, session, at: saved, with, told })
}

/// Parses the side of the clock on which White's lever is.
fn clock_side(word: &str) -> Result<ClockSide, String> {
    ClockSide::from_word(word).ok_or_else(|| "write left or right".to_owned())
}

/// Tells the session where the clock stands, if the arguments say it.
fn seat_clock(arguments: &PlayArguments, session: &mut Session, at: Instant) {
    if arguments.clock_side.is_some() {
        session.tell_clock_side(arguments.clock_side, at);
    }
}

/// Tells the session that nobody types at its table, if the arguments say it.
fn leave_unattended(arguments: &PlayArguments, session: &mut Session) {
    if arguments.unattended {
        session.leave_unattended();
    }
}

/// The opened source of observations and time: a capture, the simulator, or a real table.
enum Source {
    Capture(Capture),
    Sim(Maker, Option<FileCapture>),
    Table(Box<Loop<Typing>>),
}

impl Source {
    /// The pieces that the connected board shows now; `None` without a board, and if the board does not know its pieces.
    fn seen(&mut self) -> Option<Board> {
        match self {
            Self::Table(table) => table.seen(),
            Self::Capture(_) | Self::Sim(..) => None,
        }
    }
}

pub(super) type FileCapture = CaptureWriter<std::fs::File>;

/// Opens the board before the match begins, so that a missing board is reported before a record is begun.
fn source(arguments: &PlayArguments) -> Result<Source, ExitFailure> {
    let mut table = Loop::new().map_err(cannot_run)?;
    if arguments.number.is_some() {
        table.among_others();
    }
    let beside = box_address(arguments)?;
    if let Some(address) = beside {
        table.reach_box(address).map_err(unusable)?;
    }
    match &arguments.board {
        Some(BoardAddress::Capture(path)) => Ok(Source::Capture(Capture::read(path).map_err(unusable)?)),
        Some(BoardAddress::Sim(maker)) => {
            Ok(Source::Sim(*maker, capture(arguments, *maker, Some("Tabiya simulator"))?))
        }
        None => Ok(Source::Table(Box::new(table))),
        Some(BoardAddress::Live(_) | BoardAddress::Only) => {
            let address = &if let Some(BoardAddress::Live(address)) = &arguments.board {
                address.clone()
            } else {
                let (taken, notes) = (beside.map(|at| &at.place), |maker| BoardNotes::usual().of(maker));
                near::find_only_board(taken, &notes, &table.timeline()).map_err(unusable)?
            };
            let capture = capture(arguments, address.maker, Some(&address.to_string()))?;
            if arguments.number.is_some() {
                // A board that is not there keeps no other table waiting: it may still be plugged in.
                table.await_board(address, capture).map_err(cannot_run)?;
            } else {
                table.reach_board(address, capture).map_err(unusable)?;
            }
            Ok(Source::Table(Box::new(table)))
        }
    }
}

fn cannot_run(error: std::io::Error) -> ExitFailure {
    unusable(LoopError::System(error))
}

/// Returns the address of the box (a device with a card reader beside the board); `None` without `--box`.
fn box_address(arguments: &PlayArguments) -> Result<Option<&LiveAddress>, ExitFailure> {
    match (&arguments.beside, &arguments.board) {
        (None, _) => Ok(None),
        (Some(_), Some(BoardAddress::Sim(_) | BoardAddress::Capture(_))) => {
            let what = "--box needs a real board; it cannot be used with the simulator or a capture";
            Err(ExitFailure::unusable(what))
        }
        (Some(BoardAddress::Live(address)), _) if !address.maker.transports().boxes => {
            let makers = CATALOG.iter().filter(|maker| maker.transports().boxes);
            let words: Vec<&str> = makers.map(|maker| maker.prefix()).collect();
            let (name, words) = (address.maker.name(), words.join(" or "));
            let what = format!(
                "`--box {address}`: a {name} board cannot be a box; write {words}:PORT for a box, and name a board with --board"
            );
            Err(ExitFailure::unusable(what))
        }
        (Some(BoardAddress::Live(address)), Some(BoardAddress::Only))
            if matches!(address.place, BoardPort::Auto | BoardPort::Ble(None)) =>
        {
            let what = format!(
                "`--box {address}` with `--board auto`: the board and the box cannot be told apart; name the port of one of them, for example --box diy:/dev/ttyACM0"
            );
            Err(ExitFailure::unusable(what))
        }
        (Some(BoardAddress::Live(address)), _) => Ok(Some(address)),
        (Some(other), _) => Err(ExitFailure::unusable(format!(
            "`--box {other}`: name its port, for example diy:/dev/ttyACM0"
        ))),
    }
}

/// Checks that the PGN of the match can be kept in this file: it is new, empty, or an earlier PGN of this program.
fn check_pgn(path: &Path) -> Result<(), ExitFailure> {
    let name = tabiya_types::shown(path);
    // Writing to a pipe would wait for a reader, and the table would wait with it.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let what = format!("--pgn {name}: a PGN cannot be kept here: choose an ordinary file");
        return Err(ExitFailure::unusable(what));
    }
    if files::is_somebodys(path, Format::Pgn) {
        let what = format!("--pgn {name}: this file exists and is no PGN of Tabiya's; choose another file");
        return Err(ExitFailure::unusable(what));
    }
    Ok(())
}

/// Refuses a file in a folder that does not exist.
fn check_folder(path: &Path) -> Result<(), ExitFailure> {
    if std::path::absolute(path).is_ok_and(|path| path.parent().is_none_or(Path::is_dir)) {
        return Ok(());
    }
    let path = tabiya_types::shown(path);
    Err(ExitFailure::unusable(format!("{path}: the folder of this file does not exist; check the name")))
}

/// Refuses a second copy that would be no second one, or could not be written.
fn check_copy(arguments: &PlayArguments) -> Result<(), ExitFailure> {
    let Some(folder) = arguments.copy.as_deref() else { return Ok(()) };
    let name = tabiya_types::shown(folder);
    if folder.is_file() {
        return Err(ExitFailure::unusable(format!("--copy {name}: this is a file; name a folder")));
    }
    if arguments.record.as_deref().is_some_and(|record| is_folder_of(folder, record)) {
        let what = format!("--copy {name}: the record is in this folder already; name another folder");
        return Err(ExitFailure::unusable(what));
    }
    Ok(())
}

/// What is played if nothing else is said.
const USUAL_GAME: &str = "choker";
/// How simulated players move pieces if nothing else is said.
const USUAL_PROFILE: &str = "casual";
/// The simulator's seed if nothing else is said.
const USUAL_SEED: u64 = 1;

/// Refuses terms that would be ignored: those of another game, and those of a new match where one is carried on.
fn check_terms(arguments: &PlayArguments) -> Result<(), ExitFailure> {
    if arguments.carry_on
        && let Some(option) = arguments.given_term(|_| true)
    {
        return Err(has_own_terms(&option));
    }
    // An unknown game is reported later, when the header is made.
    let Some(kind) = presets::kind(arguments.game()) else { return Ok(()) };
    match arguments.given_term(|term| term.is_some_and(|term| !kind.has_term(term))) {
        Some(option) => Err(ExitFailure::unusable(format!(
            "{option}: {} has no such term; leave it out, or choose another game with --game",
            kind.name()
        ))),
        None => Ok(()),
    }
}

/// The failure that an option of a new match was given where a match is carried on.
pub(super) fn has_own_terms(option: &str) -> ExitFailure {
    ExitFailure::unusable(format!(
        "{option}: a match that is carried on has its own terms; leave {option} out, or begin a new match with --new"
    ))
}

/// Refuses what concerns simulated players alone where nobody is simulated: what is asked for is done or refused.
fn check_simulated(arguments: &PlayArguments) -> Result<(), ExitFailure> {
    arguments.profile.as_deref().map(profile).transpose()?;
    if matches!(arguments.board, Some(BoardAddress::Sim(_))) {
        return Ok(());
    }
    let given = [
        ("--profile", arguments.profile.is_some()),
        // A position of Chess960 is drawn from it for people, too.
        ("--seed", arguments.seed.is_some() && arguments.own_terms.chess960() != Some(None)),
        ("--plies", arguments.plies.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(ExitFailure::unusable(format!(
            "{option} is for simulated players; add `--board sim`, or leave it out"
        ))),
        None => Ok(()),
    }
}

/// Refuses telephones as keys where nobody plays.
fn check_keypads(arguments: &PlayArguments) -> Result<(), ExitFailure> {
    match arguments.board {
        Some(BoardAddress::Sim(_) | BoardAddress::Capture(_)) if arguments.keypads => {
            Err(ExitFailure::unusable(
                "--keypads: simulated players and captures need no keys; leave --keypads out, or play at a table",
            ))
        }
        _ => Ok(()),
    }
}

/// Checks the options for cards, before files and boards are opened and a match begins.
fn check_cards(arguments: &PlayArguments) -> Result<(), ExitFailure> {
    let Some(name) = &arguments.deck else { return Ok(()) };
    deck(name)?;
    if !turns_cards_over(arguments.game()) {
        let what = format!("--deck: {} is played without cards; leave --deck out", arguments.game());
        return Err(ExitFailure::unusable(what));
    }
    if matches!(arguments.board, Some(BoardAddress::Capture(_) | BoardAddress::Sim(_))) {
        return Err(ExitFailure::unusable(
            "--deck: a capture file and the simulator bring their own cards; leave --deck out, or name a real board",
        ));
    }
    if arguments.read_deals { Keyring::usual().prepare().map_err(unusable) } else { Ok(()) }
}

/// What the match is kept and played with.
fn keeping(arguments: &PlayArguments) -> Result<Keeping, ExitFailure> {
    let cards = arguments.own_terms.cards().map(card_files::read).transpose();
    let cards = cards.map_err(|what| arguments.unusable_cards(&what))?.map(|(file, _)| file);
    Ok(Keeping {
        keys: Keyring::usual(),
        copy: arguments.copy.clone(),
        event: None,
        pgn: arguments.pgn.clone(),
        cards,
    })
}

/// What the match is kept and played with at this table, and what tells the consoles of its event as long as it lives.
fn kept_with(
    arguments: &PlayArguments,
    joined: Option<Joined>,
    table: &mut Loop<Typing>,
) -> Result<(Keeping, Option<Told>), ExitFailure> {
    let mut with = keeping(arguments)?;
    let Some(joined) = joined else { return Ok((with, None)) };
    let (place, told) = event::sit(joined, table)?;
    with.event = Some(place);
    Ok((with, Some(told)))
}

/// Finds the deck for a match with these terms, if one is named.
fn deck_for(arguments: &PlayArguments, agreement: &Agreement) -> Result<Option<Deck>, ExitFailure> {
    let deck = arguments.deck.as_deref().map(deck).transpose()?;
    match deck.as_ref().map(|deck| check_deck(deck, agreement)) {
        Some(Err(what)) => Err(ExitFailure::unusable(format!("--deck: {what}"))),
        Some(Ok(())) | None => Ok(deck),
    }
}

/// Finds the deck of this name.
fn deck(name: &str) -> Result<Deck, ExitFailure> {
    Decks::usual().and_then(|decks| decks.find(name)).map_err(unusable)
}

/// Opens the file for the board's raw bytes; `None` without `--capture`.
fn capture(
    arguments: &PlayArguments,
    maker: Maker,
    device: Option<&str>,
) -> Result<Option<FileCapture>, ExitFailure> {
    let Some(path) = &arguments.capture else { return Ok(None) };
    let header = CaptureHeader { capture: maker.prefix().to_owned(), device: device.map(str::to_owned) };
    capture_file(path, &header).map(Some)
}

/// Opens the record's file, and decides whether to continue its unfinished match.
fn open_record(arguments: &PlayArguments) -> Result<RecordFile, ExitFailure> {
    let Some(path) = arguments.record.as_deref().filter(|path| path.exists()) else {
        return match (&arguments.record, arguments.carry_on) {
            (Some(path), true) => Err(ExitFailure::unusable(format!(
                "{}: this file does not exist, so there is no match to carry on",
                tabiya_types::shown(path)
            ))),
            _ => Ok(RecordFile::New),
        };
    };
    if path.is_dir() {
        let what = format!("{}: this is a folder; name a record file in it", tabiya_types::shown(path));
        return Err(ExitFailure::unusable(what));
    }
    let journal = JournalKeeper::open(path, &Keyring::usual()).map_err(unusable)?;
    let carries = arguments.carries();
    let last = last_open(&journal, carries)?;
    if !carries {
        tell_losses(path, journal.reader(), last.as_ref())?;
    }
    if arguments.new {
        tell_open(path, &journal)?;
    }
    if arguments.carry_on && last.is_none() {
        let name = tabiya_types::shown(path);
        return Err(ExitFailure::unusable(format!("{name}: there is no match in it; leave --carry-on out")));
    }
    let (Some(info), false) = (last, arguments.new) else { return Ok(RecordFile::Old(journal)) };
    if let Some(other) = seating::goes_on(journal.reader(), &info, &Keyring::usual()).map_err(unusable)? {
        let wanted = asked_about_old(arguments, path, &other)?;
        return Ok(if wanted {
            RecordFile::Unfinished(journal, Box::new(info))
        } else {
            RecordFile::Old(journal)
        });
    }
    let replay = evening::fold(journal.reader(), &info).map_err(|sentence| {
        let name = tabiya_types::shown(path);
        let next = "`--new` begins another match in this file and leaves this one as it is";
        ExitFailure::unusable(format!("{name}: the last match cannot be read: {sentence}; {next}"))
    })?;
    if arguments.carry_on {
        must_be_game(arguments, &replay)?;
    }
    if carries && has_nothing_left(&journal, &info, &replay)? {
        return nothing_left(arguments, path, journal);
    }
    if carries {
        must_be_game(arguments, &replay)?;
    }
    // If nothing was done in the match yet, a new match begins without a question.
    let wanted = carries || evening::is_unfinished(&replay) && asked(arguments, path, &info, &replay)?;
    if !wanted {
        tell_open(path, &journal)?;
    }
    Ok(if wanted { RecordFile::Unfinished(journal, Box::new(info)) } else { RecordFile::Old(journal) })
}

/// What becomes of a file in which no match can be carried on: its last one is signed at the latest now. Without people a new
/// one begins in it.
fn nothing_left(arguments: &PlayArguments, path: &Path, journal: Journal) -> Result<RecordFile, ExitFailure> {
    let journal = JournalKeeper::sign_last(journal, &Keyring::usual()).map_err(unusable)?;
    if !arguments.carry_on {
        return Ok(RecordFile::Old(journal));
    }
    journal.close().map_err(unusable)?;
    let name = tabiya_types::shown(path);
    Err(ExitFailure::unusable(format!("{name}: the last match is over; leave --carry-on out")))
}

/// The last match of the file; to carry one on, the last in which something is left to do, if there is one.
fn last_open(journal: &Journal, carry_on: bool) -> Result<Option<MatchInfo>, ExitFailure> {
    let mut matches = journal.matches().map_err(unusable)?;
    let Some(last) = matches.pop() else { return Ok(None) };
    if carry_on
        && let Ok(replay) = evening::fold(journal.reader(), &last)
        && has_nothing_left(journal, &last, &replay)?
    {
        let open = matches.into_iter().rev().find(|info| {
            evening::fold(journal.reader(), info).is_ok_and(|replay| evening::is_unfinished(&replay))
        });
        return Ok(open.or(Some(last)));
    }
    Ok(Some(last))
}

/// Tells which match of the file stays open beside the new one: `--carry-on` goes on with it, once the new one is over.
fn tell_open(path: &Path, journal: &Journal) -> Result<(), ExitFailure> {
    let name = tabiya_types::shown(path);
    for info in journal.matches().map_err(unusable)? {
        let Ok(replay) = evening::fold(journal.reader(), &info) else { continue };
        if evening::is_unfinished(&replay) {
            let open = evening::open_in_words(replay.table()).to_string();
            print_line(&format!("{name}: {}; `--carry-on` goes on with it", harmless(&open)))?;
        }
    }
    Ok(())
}

/// `Err` if `--game` names another game than that of the match to carry on.
fn must_be_game(arguments: &PlayArguments, replay: &Replay) -> Result<(), ExitFailure> {
    let kind = replay.header().kind.name();
    match arguments.game.as_deref().filter(|game| *game != kind) {
        Some(game) => Err(ExitFailure::unusable(format!(
            "--game {game}: the match to carry on is {kind}; leave --game out"
        ))),
        None => Ok(()),
    }
}

/// Whether a match is over and nothing is left to do in it. An end in doubt is for the arbiter, who vouches for it or takes it
/// back; any other one is signed at the latest now.
fn has_nothing_left(journal: &Journal, info: &MatchInfo, replay: &Replay) -> Result<bool, ExitFailure> {
    if !evening::is_over(replay) || may_still_agree(replay, info) {
        return Ok(false);
    }
    let found = trust::resume_point(journal.reader(), info, &Keyring::usual()).map_err(unusable)?;
    Ok(found.doubt.is_none())
}

/// Whether sealed cards of a match that is over are still to be opened by the players, who agree at the table.
fn may_still_agree(replay: &Replay, info: &MatchInfo) -> bool {
    let keys = Keyring::usual();
    let agreed = [Seat::A, Seat::B].into_iter().all(|seat| replay.table().consented(seat));
    keys.is_locked(info.begins) || !agreed && keys.file(info.begins).is_ok_and(|file| file.exists())
}

/// Tells what the record lacks: a match that its signed heads name, or lines of the last one that this computer's table wrote.
/// Where a match is carried on, the arbiter is told.
fn tell_losses(path: &Path, record: &JournalReader, last: Option<&MatchInfo>) -> Result<(), ExitFailure> {
    let doubt = last.map(|info| trust::noted_doubt(record, info, &Keyring::usual()));
    let doubt = doubt.transpose().map_err(unusable)?.flatten().map(|doubt| format!("the record {doubt}"));
    let removed = trust::match_removed(record).map(|said| said.to_string());
    for said in removed.into_iter().chain(doubt) {
        print_line(&format!("{}: {}", tabiya_types::shown(path), harmless(&said)))?;
    }
    Ok(())
}

/// Asks whether to continue the unfinished match. If standard input is not a terminal, reports instead that a new match
/// begins.
fn asked(
    arguments: &PlayArguments,
    path: &Path,
    info: &MatchInfo,
    replay: &Replay,
) -> Result<bool, ExitFailure> {
    let name = tabiya_types::shown(path);
    if !std::io::stdin().is_terminal() {
        print_line(&format!(
            "{name} has an unfinished match; a new one begins (`--carry-on` continues the unfinished one)"
        ))?;
        return Ok(false);
    }
    let BySeat { a, b } = replay.table().agreement().players.clone();
    let (a, b) = (harmless(&a), harmless(&b));
    let minutes = Millis(evening::last_moment(info).millis());
    let ignored = arguments.given_term(|_| true);
    let ignored = ignored.map_or(String::new(), |option| format!(" on its own terms, without {option}"));
    let question = format!(
        "{name} has an unfinished match of {a} and {b}, stopped at {minutes}. Carry on{ignored}? [Y/n]"
    );
    confirmed(&question, true)
}

/// Asks whether to continue a match in this file although it went on in another one. If standard input is not a terminal, a
/// match is not continued there: that is refused if it was asked for.
fn asked_about_old(arguments: &PlayArguments, path: &Path, other: &Path) -> Result<bool, ExitFailure> {
    let (name, other) = (files::shown(path), files::shown(other));
    let question = format!("the match in {name} goes on in {other}. Carry on {name} all the same? [y/N]");
    if std::io::stdin().is_terminal() && confirmed(&question, false)? {
        return Ok(true);
    }
    if arguments.carry_on {
        return Err(ExitFailure::unusable(format!(
            "{name}: this match goes on in {other}; carry that one on, or answer `y` in a terminal to take this one all the same"
        )));
    }
    print_line(&format!("the match in {name} goes on in {other}; a new one begins here"))?;
    Ok(false)
}

/// A table at which people can sit down.
struct ReadyTable {
    table: Loop<Typing>,
    session: Session,
    /// The moment of the match at which play begins or continues.
    at: Instant,
    with: Keeping,
    /// What tells the consoles of the table's event as long as it lives.
    told: Option<Told>,
}

impl ReadyTable {
    /// The loop and the desk of the table, and what has to live as long as they run.
    fn seated(self, arguments: &PlayArguments) -> Result<(Loop<Typing>, Desk, Option<Told>), ExitFailure> {
        let Self { table, session, at, with, told } = self;
        let deck = deck_for(arguments, session.table().agreement())?;
        let (record, read_deals) = (arguments.record.clone(), arguments.read_deals);
        // At a table of an event the arbiter may begin the next match.
        let next = Some(with).filter(|with| with.event.is_some());
        let seated = SingleTable { session, at, record, deck, read_deals, next };
        Ok((table, Desk::for_table(surroundings(), seated), told))
    }

    /// Runs the match in the terminal. At the end prints the prompt and the record's head.
    fn play(self, arguments: &PlayArguments) -> Result<(), ExitFailure> {
        let (mut table, mut desk, _told) = self.seated(arguments)?;
        let words = arguments.language.words();
        let served = keypads::open(arguments, &mut table, &mut desk)?;
        served.as_ref().map_or(Ok(()), keypads::tell)?;
        match tabiya_terminal::run(table, desk, arguments.plain, words).map_err(cannot_run)? {
            Some(parting) => tell_parting(&parting, arguments),
            None => Ok(()),
        }
    }
}

/// Opens a capture file, to append the board's raw bytes to it.
pub(super) fn capture_file(path: &Path, header: &CaptureHeader) -> Result<FileCapture, ExitFailure> {
    tabiya_app::captures::capture_file(path, header).map_err(ExitFailure::unusable)
}

/// Closes the session, and prints the last prompt and the record's head.
fn end(session: Session, arguments: &PlayArguments) -> Result<(), ExitFailure> {
    tell_parting(&TableEnd::of(session), arguments)
}

fn tell_parting(parting: &TableEnd, arguments: &PlayArguments) -> Result<(), ExitFailure> {
    arguments.print(&harmless(&arguments.language.words().said(&parting.prompt)))?;
    if let (Some(path), Some(head)) = (&arguments.record, &parting.head) {
        let path = tabiya_types::shown(parting.moved.as_ref().unwrap_or(path));
        arguments.print(&format!("record: {path}, {} lines after the header, head {head}", parting.lines))?;
    }
    parting.closed.clone().map_err(unusable)
}

pub(super) fn profile(name: &str) -> Result<Profile, ExitFailure> {
    Profile::from_name(name).ok_or_else(|| {
        let known = Profile::ALL.map(|profile| profile.name);
        let (last, others) = known.split_last().expect("there are profiles");
        let others = others.join(", ");
        ExitFailure::unusable(format!("`{name}` is not a profile; choose {others} or {last}"))
    })
}
