//! The program `tabiya`: runs the command line (`cli.rs`) and returns its exit status.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
