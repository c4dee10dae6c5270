//! `tabiya sim`: simulated boards.

use std::path::PathBuf;

use tabiya_boards::human::Task;
use tabiya_boards::maker::Maker;
use tabiya_boards::sim_host::{self, SimOptions};
use tabiya_engine::record::{Body, Line, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_engine::table::{Common, Input};
use tabiya_types::{Board, Color, Instant, Millis};

use super::files::Lines;
use super::{ExitFailure, unusable};

/// How long a hand takes for an action, about: it begins so long before the record says it was done.
const CARRY: Millis = Millis(1_000);
/// With `--fast`, from one action's end to the next one's first touch.
const BREATH: Millis = Millis(400);

/// Arguments of `tabiya sim`.
#[derive(Debug, clap::Args)]
pub(super) struct SimArguments {
    /// Whose board: dgt (with its clock), chessnut, … `tabiya devices list` names all.
    #[arg(value_name = "BOARD", value_parser = maker)]
    maker: Maker,
    /// Make this symbolic link to the pseudo-terminal.
    #[arg(long, value_name = "PATH")]
    link: Option<PathBuf>,
    /// Listen at HOST:PORT as well or instead.
    #[arg(long, value_name = "HOST:PORT")]
    tcp: Option<String>,
    /// How pieces are moved: clean, casual, clumsy, hostile.
    #[arg(long, default_value = "casual")]
    profile: String,
    /// Chance: the same seed, the same hands.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Commands to begin with, one a line.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// What stands on it at first, the placement field of a FEN; without it the usual position.
    #[arg(long, value_name = "FEN")]
    board: Option<String>,
    /// The board lies the other way round.
    #[arg(long)]
    turned: bool,
    /// A box without squares: a reader of cards, a lever and a display alone.
    #[arg(long = "box", conflicts_with_all = ["board", "turned", "record"])]
    without_squares: bool,
    /// Play this record's placements and moves on the board, once a program listens.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Which match of a journal; without it the last one.
    #[arg(long = "match", value_name = "ID", requires = "record")]
    id: Option<String>,
    /// As fast as hands go, instead of at the record's own times.
    #[arg(long, requires = "record")]
    fast: bool,
}

/// The maker of a word.
fn maker(word: &str) -> Result<Maker, String> {
    Maker::from_prefix(word)
        .ok_or_else(|| format!("no such board is known; write one of {}", Maker::prefixes()))
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
    if let Some(path) = arguments.record {
        let (set_up, tasks) = tasks(&Lines::read(&path, arguments.id.as_deref())?, arguments.fast)?;
        (options.setup.board, options.tasks) = (set_up, tasks);
    }
    sim_host::run(&options).map_err(unusable)
}

/// What hands do on the board in a record, and what stands on it before that. Moves that were taken
/// back are played, and put right.
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
        // A refused line moves no piece.
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
