//! The command `tabiya`: parses, calls, prints the error.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
