//! The program `tabiya`: runs the command line (`cli.rs`) and returns its exit status.

mod cli;

use std::alloc::System;
use std::process::ExitCode;

use zeroizing_alloc::ZeroAlloc;

/// Memory is overwritten when it is freed, so that keys, and faces of cards that were dealt, stay nowhere behind.
#[global_allocator]
static MEMORY: ZeroAlloc<System> = ZeroAlloc(System);

fn main() -> ExitCode {
    keep_private();
    cli::main()
}

/// Files of this program are readable by their owner alone, and its memory, which may hold sealed cards, by no other
/// program of the same user and in no core dump. Where a system forbids neither, they stay as the system has them.
fn keep_private() {
    #[cfg(unix)]
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o077));
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_dumpable(false);
}
