//! The command `tabiya`: parses, calls, prints the error.

use std::process::ExitCode;

fn main() -> ExitCode {
    tabiya::cli::main()
}
