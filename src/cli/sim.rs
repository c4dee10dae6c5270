//! `tabiya sim`: runs a simulated board behind a pseudo-terminal or a TCP port.

use std::path::PathBuf;

use tabiya_boards::human::Task;
use tabiya_boards::maker::Maker;
use tabiya_boards::sim_host::{self, SimOptions};
use tabiya_engine::record::{Body, Line, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_engine::table::{Common, Input};
use tabiya_types::{Board, Color, Instant, Millis};

use super::files::Lines;
use super::output::{ExitFailure, unusable};

/// Roughly how long a hand takes for an action. The movement begins this long before the recorded time of the action.
const CARRY: Millis = Millis(1_000);
/// With `--fast`, the pause between two actions: from the end of one action until a hand touches the first piece of the
/// next action.
const BREATH: Millis = Millis(400);

/// Arguments of `tabiya sim`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is one option of the command line")]
pub(super) struct SimArguments {
    /// The kind of board: dgt (with its clock), chessnut, … `tabiya devices list` names all.
    #[arg(value_name = "BOARD", value_parser = maker)]
    maker: Maker,
    /// Create this symbolic link to the pseudo-terminal.
    #[arg(long, value_name = "PATH")]
    link: Option<PathBuf>,
    /// Also listen at HOST:PORT. Without --link there is no pseudo-terminal; the board is only at HOST:PORT.
    #[arg(long, value_name = "HOST:PORT")]
    tcp: Option<String>,
    /// How the hands move pieces: clean, casual, clumsy, beginner, blitz, bullet, hostile.
    #[arg(long, default_value = "casual")]
    profile: String,
    /// The random seed. The same seed gives the same movements.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// A file of commands to run at the start, one per line.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// The position at the start, as the placement field of a FEN; by default the usual start position.
    #[arg(long, value_name = "FEN")]
    board: Option<String>,
    /// Turn the board by 180 degrees, so that White's pieces stand on Black's side.
    #[arg(long)]
    turned: bool,
    /// Put the clock on the other side of the board: White sits on its right, or on its left beside a turned board.
    #[arg(long)]
    clock_turned: bool,
    /// The board's serial number, by which one of several boards finds its table; makers whose boards report none ignore it.
    #[arg(long, value_name = "NUMBER")]
    number: Option<u16>,
    /// Simulate a box without squares: only a card reader, a lever and a display.
    #[arg(long = "box", conflicts_with_all = ["board", "turned", "record"])]
    without_squares: bool,
    /// Play this record's placements and moves on the board, once a program has connected.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Which match of a journal; by default the last one.
    #[arg(long = "match", value_name = "ID", requires = "record")]
    id: Option<String>,
    /// Play as fast as hands can move, instead of at the recorded times.
    #[arg(long, requires = "record")]
    fast: bool,
}

/// Parses the word for a kind of board.
fn maker(word: &str) -> Result<Maker, String> {
    Maker::from_prefix(word).ok_or_else(|| format!("unknown board; write one of {}", Maker::prefixes()))
}

pub(super) fn run(arguments: SimArguments) -> Result<(), ExitFailure> {
    let SimArguments { maker, link, tcp, profile, seed, script, board, turned, .. } = arguments;
    let mut options = SimOptions {
        maker,
        link,
        tcp,
        profile: super::play::profile(&profile)?,
        seed,
        script,
        ..SimOptions::default()
    };
    if let Some(board) = board {
        options.setup.board = board.parse::<Board>().map_err(ExitFailure::unusable)?;
    }
    (options.setup.turned, options.setup.without_squares) = (turned, arguments.without_squares);
    options.setup.clock_turned = arguments.clock_turned;
    options.setup.number = arguments.number;
    if let Some(path) = arguments.record {
        let (set_up, tasks) = tasks(&Lines::read(&path, arguments.id.as_deref())?, arguments.fast)?;
        (options.setup.board, options.tasks) = (set_up, tasks);
    }
    sim_host::run(&options).map_err(unusable)
}

/// Returns the position before the record's first action, and the movements of hands that play the record. A move that
/// was taken back is played and then taken back on the board, too.
fn tasks(lines: &Lines, fast: bool) -> Result<(Board, Vec<Task>), ExitFailure> {
    let mut replay: Option<Replay> = None;
    let mut tasks: Vec<Task> = Vec::new();
    let mut free = Instant::ZERO;
    for (number, text) in lines.numbered() {
        let text = text?;
        let Some(replay) = &mut replay else {
            if !text.trim().is_empty() {
                replay = Some(Replay::begin(text, GAMES).map_err(|error| lines.unusable(number, error))?);
            }
            continue;
        };
        if text.trim().is_empty() {
            continue;
        }
        let line = Line::parse(text, replay.header()).map_err(|error| lines.unusable(number, error))?;
        let (before, mover) = (replay.table().physical(), replay.table().mover());
        // If the rules refuse the line, no piece moves on the board, so the error is ignored.
        let _ = replay.take(number, &line);
        let after = replay.table().physical();
        let pressed = matches!(line.body, Body::Acted(Input::Common(Common::Press(_))));
        match tasks.last_mut() {
            Some(last) if pressed && mover == Some(last.by) => last.press = true,
            _ => {}
        }
        if after != before {
            let moment = line.moment();
            let (start, thinking) = if fast {
                (Instant::ZERO, BREATH)
            } else {
                (free, Millis(moment.since(free).0.saturating_sub(CARRY.0)))
            };
            let by = mover.unwrap_or(Color::White);
            tasks.push(Task { press: false, thinking, ..Task::new(before, after, by, start) });
            free = moment;
        }
    }
    let first = tasks.first().map(|task| task.before);
    match (first, replay) {
        (Some(board), _) => Ok((board, tasks)),
        (None, Some(_)) => Err(lines.unusable(1, "this record has no placement and no move to play")),
        (None, None) => Err(lines.unusable(1, "there is no header: the file is empty")),
    }
}
