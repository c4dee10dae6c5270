//! The command line: parses the arguments, runs the command, prints errors, and returns the exit status.
//!
//! Status 0: success. Status 1: the rules refused something. Status 2: unusable input, bad arguments, or a file or port
//! that cannot be used. Only this module, `app` and `ui` print or show text to people.

mod asking;
mod cards;
mod clock;
mod deck;
#[cfg(feature = "window")]
mod desktop;
mod devices;
mod evening;
#[cfg(feature = "event")]
mod event;
mod export;
mod files;
mod hand;
mod hands;
mod infer;
#[cfg(feature = "event")]
mod joining;
mod joker;
mod key;
mod language;
mod learn;
mod manual;
mod output;
mod play;
mod progress;
#[cfg(feature = "event")]
mod qr;
mod replay;
mod report;
mod salvage;
#[cfg(feature = "event")]
mod season;
mod sim;
mod surroundings;
mod times;
mod verify;
#[cfg(feature = "window")]
mod window;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use tabiya_types::harmless_lines;

use self::output::{ExitFailure, print};

/// A companion for a real chess board, a real deck of cards and real chips.
#[derive(Debug, Parser)]
#[command(name = "tabiya", version, about, arg_required_else_help = !cfg!(feature = "window"), args_conflicts_with_subcommands = true, max_term_width = 100)]
#[cfg_attr(feature = "window", command(after_help = "Without a command the window opens."))]
struct Arguments {
    /// Show every part of the window in every state.
    #[cfg(all(debug_assertions, feature = "window"))]
    #[arg(long, hide = true)]
    gallery: bool,
    /// The window fills the screen, without a bar, for a projector or a clock. Only Ctrl+Shift+Q ends it.
    #[cfg(feature = "window")]
    #[arg(long)]
    kiosk: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show which pieces a hand of five cards becomes.
    ///
    /// Example: tabiya hand QQRRR
    Hand(hand::HandArguments),
    /// Replay a record and print its story and its results.
    ///
    /// Example: tabiya replay evening.tabiya --json
    Replay(replay::ReplayArguments),
    /// Infer the moves from a record that contains only what the board showed.
    ///
    /// Example: tabiya infer seen.jsonl --json --out played.jsonl
    Infer(infer::InferArguments),
    /// Write a match as JSON Lines, PGN or match sheet.
    ///
    /// Example: tabiya export evening.tabiya --format pgn
    Export(export::ExportArguments),
    /// Show the cards that were dealt, if they may be seen.
    ///
    /// Examples: tabiya hands evening.tabiya
    ///           tabiya hands evening.tabiya --reason "a card of Black's is disputed"
    Hands(hands::HandsArguments),
    /// Check that a record is complete and unchanged.
    ///
    /// Example: tabiya verify evening.tabiya --head 3f2a91c04b7d66e1
    Verify(verify::VerifyArguments),
    /// Print the public key with which this computer's table signs its records.
    ///
    /// Example: tabiya key > club.key
    Key,
    /// Save the readable part of a damaged record to a new one.
    ///
    /// Example: tabiya salvage evening.tabiya --out saved.tabiya
    Salvage(salvage::SalvageArguments),
    /// Show the results of an evening, and who owes whom.
    ///
    /// Example: tabiya evening evening.tabiya --chip 0.10
    Evening(evening::EveningArguments),
    /// Show a club's season: standings, who has played whom, and ratings over the records of its evenings.
    ///
    /// Example: tabiya season evenings --method glicko2
    #[cfg(feature = "event")]
    Season(season::SeasonArguments),
    /// Tell how many chips of each value each player gets.
    ///
    /// Example: tabiya chips 100 100x1=white 50x5=red 20x25=green
    Chips(evening::ChipsArguments),
    /// Write one file about a fault, to give away: without names, codes, hidden cards and numbers. Nothing is sent.
    ///
    /// Example: tabiya report --record evening.tabiya --capture board.capture
    Report(report::ReportArguments),
    /// Find boards, identify them, watch their bytes.
    ///
    /// Example: tabiya devices monitor dgt:/dev/ttyACM0 --save board.capture
    Devices(devices::DevicesArguments),
    /// Find card readers, and show the cards on them.
    ///
    /// Example: tabiya cards watch
    Cards(cards::CardsArguments),
    /// Make, check and repair decks of NFC cards.
    ///
    /// Examples: tabiya deck enrol Club
    ///           tabiya deck audit Club
    Deck(deck::DeckArguments),
    /// Check files of cards of Chess Joker.
    ///
    /// Example: tabiya joker check ours.toml
    Joker(joker::JokerArguments),
    /// Simulate a board: the bytes of a real one, over the same kind of connection.
    ///
    /// Example: tabiya sim dgt --link /tmp/board
    Sim(sim::SimArguments),
    /// Run a table: board, clocks, pot, prompts; in a window, or with --headless in the terminal.
    ///
    /// Examples: tabiya play --board auto --preset club --players Ann,Bo
    ///           tabiya play --headless --board auto --record evening.tabiya
    ///           tabiya play --headless --board sim --seed 7
    Play(Box<play::PlayArguments>),
    /// Run an event: a console for many tables, which join with `tabiya play --event`.
    ///
    /// Example: tabiya event
    #[cfg(feature = "event")]
    Event(Box<event::EventArguments>),
    /// Learn Choker: walk through a first match, step by step.
    Learn(learn::LearnArguments),
    /// Run a chess clock alone, in a window or with --headless in the terminal.
    ///
    /// Examples: tabiya clock 5+3
    ///           tabiya clock "90 plus 30"
    ///           tabiya clock --white 5 --black 3+2 --headless
    Clock(Box<clock::ClockArguments>),
    /// Add Tabiya to the desktop's menu, or remove it.
    ///
    /// Example: tabiya desktop install
    #[cfg(feature = "window")]
    Desktop(desktop::DesktopArguments),
    /// Print the completion script of a shell, to be saved in the shell's folder for completions.
    ///
    /// Example: tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder, for packagers.
    #[command(hide = true)]
    Manual(manual::ManualArguments),
}

/// Runs the program and returns its exit status.
pub(crate) fn main() -> ExitCode {
    let arguments = Arguments::parse();
    #[cfg(all(debug_assertions, feature = "window"))]
    if arguments.gallery {
        return ended(window::gallery());
    }
    let done = match arguments.command {
        Some(command) => run(command),
        #[cfg(feature = "window")]
        None => window::open(None, Vec::new(), arguments.kiosk, None),
        #[cfg(not(feature = "window"))]
        None => without_command(),
    };
    ended(done)
}

/// The exit status; a failure is printed.
fn ended(done: Result<(), ExitFailure>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&harmless_lines(&failure.sentence));
            ExitCode::from(failure.status)
        }
    }
}

#[cfg(not(feature = "window"))]
fn without_command() -> Result<(), ExitFailure> {
    Err(ExitFailure::unusable("this build has no window; name a command, for example `tabiya play`"))
}

fn run(command: Command) -> Result<(), ExitFailure> {
    match command {
        Command::Hand(arguments) => hand::run(&arguments),
        Command::Joker(arguments) => joker::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Infer(arguments) => infer::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Hands(arguments) => hands::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Key => key::run(),
        Command::Salvage(arguments) => salvage::run(&arguments),
        Command::Evening(arguments) => evening::run(&arguments),
        #[cfg(feature = "event")]
        Command::Season(arguments) => season::run(&arguments),
        Command::Chips(arguments) => evening::chips(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Devices(arguments) => devices::run(arguments),
        Command::Cards(arguments) => cards::run(&arguments),
        Command::Deck(arguments) => deck::run(arguments),
        Command::Sim(arguments) => sim::run(arguments),
        #[cfg(feature = "event")]
        Command::Event(arguments) => event::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Learn(arguments) => learn::run(&arguments),
        Command::Clock(arguments) => clock::run(*arguments),
        #[cfg(feature = "window")]
        Command::Desktop(arguments) => desktop::run(arguments),
        Command::Manual(arguments) => manual::run(&arguments),
        Command::Completions { shell } => {
            let mut command = Arguments::command();
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command, "tabiya", &mut script);
            print(String::from_utf8_lossy(&script).trim_end())
        }
    }
}
