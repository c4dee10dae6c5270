//! `tabiya sim`: simulated boards.

use std::path::PathBuf;

use super::Failure;
use crate::devices::dgt::sim_host::{self, SimOptions};
use crate::rules::Board;

/// Arguments of `tabiya sim`.
#[derive(Debug, clap::Args)]
pub(super) struct SimArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// A DGT board with its clock, on a pseudo-terminal or a TCP port, moved by commands on standard
    /// input: lift, put, slide, move, press, flicker, unplug … (`help` lists them).
    Dgt {
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
        /// The cable is on White's right.
        #[arg(long)]
        turned: bool,
    },
}

pub(super) fn run(arguments: SimArguments) -> Result<(), Failure> {
    let Command::Dgt { link, tcp, profile, seed, script, board, turned } = arguments.command;
    let mut options = SimOptions {
        link,
        tcp,
        profile: super::play::profile(&profile)?,
        seed,
        script,
        ..SimOptions::default()
    };
    if let Some(board) = board {
        options.config.board = board.parse::<Board>().map_err(Failure::unusable)?;
    }
    options.config.turned = turned;
    sim_host::run(&options).map_err(Failure::unusable)
}
