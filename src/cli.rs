//! The command line: arguments in, exit status out.
//!
//! 0: all went well. 1: the rules refused something. 2: unusable input, bad arguments, or a file or
//! port that cannot be used. Words reach people here and in `app` and `ui` only.
#![expect(clippy::print_stderr, reason = "this room speaks to people")]

mod cards;
mod clock;
mod deck;
#[cfg(feature = "window")]
mod desktop;
mod devices;
mod export;
mod files;
mod hand;
mod hands;
mod infer;
mod play;
mod progress;
mod replay;
mod salvage;
#[cfg(unix)]
mod sim;
mod surroundings;
mod verify;
#[cfg(feature = "window")]
mod window;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use tabiya_types::{Seat, harmless, harmless_lines};

/// A companion for a real chess board, a real deck of cards and real chips.
#[derive(Debug, Parser)]
#[command(name = "tabiya", version, about, arg_required_else_help = !cfg!(feature = "window"), max_term_width = 100)]
#[cfg_attr(feature = "window", command(after_help = "Without a command the window opens."))]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what a hand of five cards becomes.
    ///
    /// Example: tabiya hand QQRRR
    Hand(hand::HandArguments),
    /// Fold a record again and print its results.
    ///
    /// Example: tabiya replay evening.tabiya --json
    Replay(replay::ReplayArguments),
    /// Understand a record that has only what the board showed.
    ///
    /// Example: tabiya infer seen.jsonl --json --out played.jsonl
    Infer(infer::InferArguments),
    /// Write a match as JSON Lines, PGN or match sheet.
    ///
    /// Example: tabiya export evening.tabiya --format pgn
    Export(export::ExportArguments),
    /// Show the cards that were dealt, to whoever may see them.
    ///
    /// Examples: tabiya hands evening.tabiya
    ///           tabiya hands evening.tabiya --reason "a card of Black's is disputed"
    Hands(hands::HandsArguments),
    /// Check that a record is whole and unchanged.
    ///
    /// Example: tabiya verify evening.tabiya --head 3f2a91c04b7d66e1
    Verify(verify::VerifyArguments),
    /// Save what can be read of a damaged record into a new one.
    ///
    /// Example: tabiya salvage evening.tabiya --out saved.tabiya
    Salvage(salvage::SalvageArguments),
    /// Find boards, ask them who they are, watch their bytes.
    ///
    /// Example: tabiya devices monitor dgt:/dev/ttyACM0 --save board.capture
    Devices(devices::DevicesArguments),
    /// Find card readers, and what lies on them.
    ///
    /// Example: tabiya cards watch
    Cards(cards::CardsArguments),
    /// Make, check and mend decks of cards with chips.
    ///
    /// Examples: tabiya deck enrol Club
    ///           tabiya deck audit Club
    Deck(deck::DeckArguments),
    /// Be a board: the same bytes over the same kind of channel.
    ///
    /// Example: tabiya sim dgt --link /tmp/board
    #[cfg(unix)]
    Sim(sim::SimArguments),
    /// Run a table: board, clocks, pot, prompts; in a window, or with --headless in the terminal.
    ///
    /// Examples: tabiya play --board auto --preset club --players Ann,Bo
    ///           tabiya play --headless --board auto --record evening.tabiya
    ///           tabiya play --headless --board sim --seed 7
    Play(Box<play::PlayArguments>),
    /// Run a chess clock alone, in a window or with --headless in the terminal.
    ///
    /// Examples: tabiya clock 5+3
    ///           tabiya clock "90 plus 30"
    ///           tabiya clock --white 5 --black 3+2 --headless
    Clock(Box<clock::ClockArguments>),
    /// Put Tabiya into the desktop's menu, or take it out.
    ///
    /// Example: tabiya desktop install
    #[cfg(feature = "window")]
    Desktop(desktop::DesktopArguments),
    /// Print the completions of a shell, to be saved where it looks for them.
    ///
    /// Example: tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// A sentence for the person at the terminal, and the status to leave with.
#[derive(Debug)]
pub(crate) struct ExitFailure {
    status: u8,
    sentence: String,
}

impl ExitFailure {
    /// The rules refused something.
    fn refused(sentence: impl Into<String>) -> Self {
        Self { status: 1, sentence: sentence.into() }
    }

    /// The input cannot be used.
    fn unusable(sentence: impl std::fmt::Display) -> Self {
        Self { status: 2, sentence: sentence.to_string() }
    }
}

/// A failure with all its causes: where the sentence alone does not say why, the cause does.
fn unusable(error: impl std::error::Error) -> ExitFailure {
    let mut sentence = error.to_string();
    let mut cause = error.source();
    while let Some(why) = cause {
        let why_text = why.to_string();
        if !sentence.contains(&why_text) {
            sentence = format!("{sentence}: {why_text}");
        }
        cause = why.source();
    }
    ExitFailure { status: 2, sentence }
}

/// Runs the program.
pub(crate) fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.command {
        Some(command) => run(command),
        None => without_command(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{}", harmless_lines(&failure.sentence));
            ExitCode::from(failure.status)
        }
    }
}

#[cfg(feature = "window")]
fn without_command() -> Result<(), ExitFailure> {
    window::open(None, Vec::new())
}

#[cfg(not(feature = "window"))]
fn without_command() -> Result<(), ExitFailure> {
    Err(ExitFailure::unusable("this build has no window; name a command, for example `tabiya play`"))
}

fn run(command: Command) -> Result<(), ExitFailure> {
    match command {
        Command::Hand(arguments) => hand::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Infer(arguments) => infer::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Hands(arguments) => hands::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Salvage(arguments) => salvage::run(&arguments),
        Command::Devices(arguments) => devices::run(arguments),
        Command::Cards(arguments) => cards::run(&arguments),
        Command::Deck(arguments) => deck::run(arguments),
        #[cfg(unix)]
        Command::Sim(arguments) => sim::run(arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Clock(arguments) => clock::run(*arguments),
        #[cfg(feature = "window")]
        Command::Desktop(arguments) => desktop::run(arguments),
        Command::Completions { shell } => {
            let mut command = Arguments::command();
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command, "tabiya", &mut script);
            print(String::from_utf8_lossy(&script).trim_end())
        }
    }
}

/// How a match stands, in a few lines.
fn summary(replay: &tabiya_engine::record::Replay) -> String {
    let table = replay.table();
    let mut lines = Vec::new();
    let games = table
        .past_games()
        .iter()
        .map(|past| (past.white, &*past.game))
        .chain([(table.white(), table.game())]);
    for ((white, game), number) in games.zip(1..) {
        let players = &table.agreement().players;
        let result = match game.outcome() {
            None => "in progress".to_owned(),
            Some(outcome) => match outcome.winner {
                Some(color) => {
                    let seat = Seat::playing(color, white);
                    format!("{} wins by {}", players[seat], outcome.reason.word())
                }
                None => format!("nobody wins: {}", outcome.reason.word()),
            },
        };
        lines.push(format!("game {number}: White {}, {result}", players[white]));
    }
    lines.push(table.prompt().to_string());
    for (kind, remarks) in [("refused", replay.violations()), ("note", replay.notes())] {
        lines
            .extend(remarks.iter().map(|remark| format!("{kind}, line {}: {}", remark.line, remark.message)));
    }
    // Names, reasons and notes are free text.
    lines.iter().map(|line| harmless(line)).collect::<Vec<_>>().join("\n")
}

/// Prints sentences: whatever names, reasons or a board's own words are in them, they stay text.
fn tell(text: &str) -> Result<(), ExitFailure> {
    print(&harmless_lines(text))
}

/// Prints a text as it is; a reader that went away (`| head`) is no failure.
fn print(text: &str) -> Result<(), ExitFailure> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    let written =
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(ExitFailure::unusable(format!("the results cannot be written: {error}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
