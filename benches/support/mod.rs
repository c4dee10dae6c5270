//! What the benches share: percentiles with a table to print them in, and where they measure.
#![allow(dead_code, reason = "each bench uses what it needs")]
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

/// Whether this is `cargo bench`. Anybody else only wants to see that the bench runs.
pub(crate) fn thorough() -> bool {
    std::env::args().any(|word| word == "--bench")
}

/// How often something is done: `times` in a real run.
pub(crate) fn rounds(times: usize) -> usize {
    if thorough() { times } else { times.min(3) }
}

/// A folder on the disk that is measured: where the build lies, or `TABIYA_BENCH_FOLDER`.
pub(crate) fn folder_on_disk() -> TempDir {
    let disk = std::env::var_os("TABIYA_BENCH_FOLDER")
        .map_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")), PathBuf::from);
    tempfile::tempdir_in(disk).expect("a folder that can be written")
}

/// A folder in memory, where a sync is nothing, if the system has one.
pub(crate) fn folder_in_memory() -> Option<TempDir> {
    tempfile::tempdir_in("/dev/shm").ok()
}

/// What was measured, one duration for each time.
#[derive(Clone, Default)]
pub(crate) struct Sample(Vec<Duration>);

impl FromIterator<Duration> for Sample {
    fn from_iter<T: IntoIterator<Item = Duration>>(durations: T) -> Self {
        Self(Vec::from_iter(durations))
    }
}

impl Sample {
    pub(crate) fn add(&mut self, took: Duration) {
        self.0.push(took);
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The duration that so many in a thousand do not exceed.
    fn per_mille(&self, per_mille: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * per_mille).div_ceil(1000).saturating_sub(1);
        sorted.get(place).copied().unwrap_or_default()
    }
}

/// Prints the head of a table of [`row`]s.
pub(crate) fn head(title: &str) {
    println!("\n{title}");
    println!(
        "{:<44} {:>7} {:>9} {:>9} {:>9} {:>9}",
        "in microseconds", "times", "p50", "p99", "p99.9", "worst"
    );
}

/// Prints one sample; `remark` says more about it.
pub(crate) fn row(name: &str, sample: &Sample, remark: impl Display) {
    let of = |per_mille| format!("{:.2}", sample.per_mille(per_mille).as_secs_f64() * 1e6);
    let line = format!(
        "{name:<44} {:>7} {:>9} {:>9} {:>9} {:>9}  {remark}",
        sample.len(),
        of(500),
        of(990),
        of(999),
        of(1000)
    );
    println!("{}", line.trim_end());
}
