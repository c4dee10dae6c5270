//! What a board's bytes cost: framing and meaning, and the whole driver.
//!
//! The bytes are those of all captures in `fixtures/dgt`, cut into the pieces in which they arrived. A
//! serial board sends at most 960 bytes a second, so this is room to spare, not a bottleneck.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::fs;
use std::hint::black_box;
use tabiya::devices::boards::dgt::codec::Decoder;
use tabiya::devices::boards::dgt::driver::DgtDriver;
use tabiya::devices::capture::{Capture, Chunk, Direction};
use tabiya::devices::driver::Driver as _;

/// What boards sent in all captures, one list for each.
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
            let mut decoder = Decoder::new();
            black_box(bytes.iter().filter_map(|byte| decoder.push(*byte)).flatten().count())
        });
    });
    group.bench_function("observations, as they arrived", |bencher| {
        bencher.iter(|| {
            for capture in &captures {
                let mut driver = DgtDriver::passive();
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

criterion_group!(benches, decode);
criterion_main!(benches);
