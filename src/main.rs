//! The program `tabiya`: runs the command line (`cli.rs`) and returns its exit status.

mod cli;
mod platform;

use std::alloc::System;
use std::process::ExitCode;

use zeroizing_alloc::ZeroAlloc;

/// Memory is overwritten when it is freed, so that keys, and faces of cards that were dealt, stay nowhere behind.
#[global_allocator]
static MEMORY: ZeroAlloc<System> = ZeroAlloc(System);

fn main() -> ExitCode {
    platform::keep_private();
    cli::main()
}
