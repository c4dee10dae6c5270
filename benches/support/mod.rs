//! Shared by the benchmarks: samples, a table of their percentiles, and the folders in which to measure.
#![allow(dead_code, reason = "each benchmark uses a part of this module")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

/// Whether `cargo bench` started this program. If something else started it, a few repetitions suffice to show that the
/// benchmark works.
pub(crate) fn thorough() -> bool {
    std::env::args().any(|word| word == "--bench")
}

/// The number of repetitions: `times` under `cargo bench`, else at most 3.
pub(crate) fn rounds(times: usize) -> usize {
    if thorough() { times } else { times.min(3) }
}

/// Makes a folder on the disk to measure: in `TABIYA_BENCH_FOLDER`, or by default in the build folder.
pub(crate) fn folder_on_disk() -> TempDir {
    let disk = std::env::var_os("TABIYA_BENCH_FOLDER")
        .map_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")), PathBuf::from);
    tempfile::tempdir_in(disk).expect("a folder that can be written")
}

/// Makes a folder in memory, where a sync costs nothing; `None` if the system has no `/dev/shm`.
pub(crate) fn folder_in_memory() -> Option<TempDir> {
    tempfile::tempdir_in("/dev/shm").ok()
}

/// The measured durations, one per repetition.
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

    /// A percentile in thousandths: the shortest measured duration that at least `per_mille` of 1,000 repetitions do
    /// not exceed.
    fn per_mille(&self, per_mille: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * per_mille).div_ceil(1000).saturating_sub(1);
        sorted.get(place).copied().unwrap_or_default()
    }
}

/// Prints the heading of a table of [`row`]s.
pub(crate) fn head(title: &str) {
    println!("\n{title}");
    println!(
        "{:<44} {:>7} {:>9} {:>9} {:>9} {:>9}",
        "in microseconds", "times", "p50", "p99", "p99.9", "worst"
    );
}

/// Prints the percentiles of one sample in microseconds, followed by `remark`.
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
