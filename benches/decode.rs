//! Measures how long it takes to decode a board's bytes: first with framing and parsing alone, then with the complete
//! driver.
//!
//! The bytes come from all captures in `fixtures/dgt`, in the pieces in which they arrived. A serial board sends at
//! most 960 bytes per second, so decoding is never the bottleneck.

use std::fs;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tabiya_app::robots::{MatchSimulation, SimulatedMatch};
use tabiya_app::session::Session;
use tabiya_boards::capture::{Capture, CaptureHeader, CaptureWriter, Chunk, Direction};
use tabiya_boards::driver::Driver as _;
use tabiya_boards::human::Profile;
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::CATALOG;
use tabiya_boards::makers::dgt::MAKER;
use tabiya_boards::makers::dgt::codec::DgtDecoder;
use tabiya_boards::makers::dgt::driver::DgtDriver;
use tabiya_engine::record;
use tabiya_engine::rules::GAMES;

/// Returns the bytes that boards sent, one list for each capture file.
fn captures() -> Vec<Vec<Chunk>> {
    let mut files: Vec<_> = fs::read_dir("fixtures/dgt")
        .expect("the captures")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .collect();
    files.sort();
    let from_board = |chunk: &Chunk| chunk.direction == Direction::FromDevice;
    files
        .iter()
        .map(|path| Capture::read(path).expect("a capture").chunks.into_iter().filter(from_board).collect())
        .collect()
}

fn decode(criterion: &mut Criterion) {
    let captures = captures();
    let bytes: Vec<u8> = captures.iter().flatten().flat_map(|chunk| chunk.bytes.clone()).collect();
    let mut group = criterion.benchmark_group("decode");
    group.throughput(Throughput::Bytes(bytes.len().try_into().expect("a length")));

    group.bench_function("messages", |bencher| {
        bencher.iter(|| {
            let mut decoder = DgtDecoder::new();
            black_box(bytes.iter().filter_map(|byte| decoder.push(*byte)).flatten().count())
        });
    });
    group.bench_function("observations, as they arrived", |bencher| {
        bencher.iter(|| {
            for capture in &captures {
                let mut driver = DgtDriver::passive(MAKER.brand());
                for chunk in capture {
                    driver.on_bytes(&chunk.bytes, chunk.at);
                    while let Some(event) = driver.next_event() {
                        black_box(event);
                    }
                }
            }
        });
    });
    group.finish();
}

/// Returns the bytes that a maker's simulated board sends in a short game of chess.
fn evening(maker: Maker) -> Capture {
    const CHESS: &str =
        r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"games":1}}"#;
    let file = tempfile::NamedTempFile::new().expect("a file");
    let head = CaptureHeader { capture: maker.prefix().to_owned(), device: None };
    let writer = CaptureWriter::append(file.path(), &head).expect("a capture");
    let session = Session::new(record::Header::parse(CHESS, GAMES).expect("a header"), None, None);
    let (profile, unplug_at) = (Profile::CASUAL, Vec::new());
    let setup = SimulatedMatch { maker, unplug_at, profile, seed: 1, plies: Some(20) };
    let evening = MatchSimulation::new(session, &setup, Some(writer)).expect("a simulator");
    evening.run(&mut |_| {}).expect("what players do is legal");
    let mut capture = Capture::read(file.path()).expect("a capture");
    capture.chunks.retain(|chunk| chunk.direction == Direction::FromDevice);
    capture
}

/// Passes the bytes of every maker's simulated board through its driver, in the pieces in which they arrived.
fn makers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("observations of each board");
    for &maker in CATALOG {
        let capture = evening(maker);
        let bytes: usize = capture.chunks.iter().map(|chunk| chunk.bytes.len()).sum();
        group.throughput(Throughput::Bytes(bytes.try_into().expect("a length")));
        group.bench_function(maker.prefix(), |bencher| {
            bencher.iter(|| black_box(capture.play().count()));
        });
    }
    group.finish();
}

criterion_group!(benches, decode, makers);
criterion_main!(benches);
