//! Runs the functions of the fuzz targets as ordinary tests: their laws hold for every fixture and for every file with
//! which the fuzzer starts. Each file is tried unchanged, cut off, and with flipped bits.
//!
//! `TABIYA_CORPUS` sets how many damaged versions of each file are tried. A failure names the file and the seed.
#![expect(clippy::print_stdout, reason = "a failing test prints its input")]

use std::fs;
use std::path::Path;

use crate::support::fixtures::all;
use tabiya_boards::capture::{Capture, Direction};
use tabiya_boards::human::Dice;
use tabiya_boards::laws::capture_law;
use tabiya_boards::makers::dgt::laws::{command_law, decoder_law, driver_law};
use tabiya_engine::record::laws::{json_law, record_law, watch_law};

use crate::tries::tries;

/// The number of damaged versions of each file in the normal run.
const USUAL: u64 = 6;

fn wanted() -> u64 {
    tries("TABIYA_CORPUS", USUAL)
}

/// The input on which a law is being checked. If the check panics, dropping this value prints which input broke the
/// law.
struct Witness<'a> {
    name: &'a str,
    seed: u64,
}

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("the input was {} with seed {} (seed 0 is the unchanged file)", self.name, self.seed);
        }
    }
}

/// Checks a law on the bytes and on `count` damaged versions of them.
fn hold(law: fn(&[u8]), name: &str, bytes: &[u8], count: u64) {
    for seed in 0..=count {
        let witness = Witness { name, seed };
        law(&damaged(bytes, seed));
        drop(witness);
    }
}

/// Returns a damaged version of the bytes. Seed 0 changes nothing. Every other seed flips up to three bits, and an odd
/// seed also cuts the bytes off at a random place.
fn damaged(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut dice = Dice::new(seed);
    let mut bytes = bytes.to_vec();
    if seed == 0 || bytes.is_empty() {
        return bytes;
    }
    let len = u64::try_from(bytes.len()).expect("a file's length");
    if seed % 2 == 1 {
        let at = usize::try_from(dice.below(len)).expect("inside the file");
        if seed % 4 == 1 { bytes.truncate(at) } else { drop(bytes.drain(..at)) }
    }
    for _ in 0..dice.below(4) {
        let place = dice.below(len);
        let flip = u8::try_from(1 << dice.below(8)).expect("one bit");
        if let Some(byte) = usize::try_from(place).ok().and_then(|place| bytes.get_mut(place)) {
            *byte ^= flip;
        }
    }
    bytes
}

/// All bytes of a capture in one direction.
fn bytes_of(capture: &Capture, direction: Direction) -> Vec<u8> {
    capture
        .chunks
        .iter()
        .filter(|chunk| chunk.direction == direction)
        .flat_map(|chunk| chunk.bytes.clone())
        .collect()
}

#[test]
fn bytes_from_boards_keep_their_laws() {
    for fixture in all("dgt") {
        let capture = Capture::parse(fixture.text.as_bytes(), &fixture.name).expect("a capture");
        let heard = bytes_of(&capture, Direction::FromDevice);
        hold(decoder_law, &fixture.name, &heard, 10 * wanted());
        hold(driver_law, &fixture.name, &heard, wanted());
        hold(firmware_protocol::laws::frame_law, &fixture.name, &heard, wanted());
        let said = bytes_of(&capture, Direction::ToDevice);
        hold(command_law, &fixture.name, &said, 10 * wanted());
    }
}

#[test]
fn captures_keep_their_law() {
    for fixture in all("dgt") {
        hold(capture_law, &fixture.name, fixture.text.as_bytes(), wanted());
        // Most flipped bits make the rest of a capture unusable. So here the capture is cut between two lines, after
        // which it is usable.
        let lines: Vec<&str> = fixture.text.split_inclusive('\n').collect();
        for nth in 0..wanted() {
            let cut = usize::try_from(nth).expect("small") * lines.len()
                / usize::try_from(wanted()).expect("small");
            let (before, after) = lines.split_at(cut);
            capture_law(before.concat().as_bytes());
            capture_law(after.concat().as_bytes());
        }
    }
}

#[test]
fn records_keep_their_law() {
    for fixture in all("records") {
        hold(record_law, &fixture.name, fixture.text.as_bytes(), 4 * wanted());
        hold(
            json_law,
            &fixture.name,
            fixture.text.lines().last().unwrap_or_default().as_bytes(),
            10 * wanted(),
        );
    }
    for fixture in all("sessions") {
        hold(record_law, &fixture.name, fixture.text.as_bytes(), wanted().div_ceil(3));
    }
}

#[test]
fn boards_that_report_anything_keep_the_law_of_the_watch() {
    for seed in 1..=wanted().div_ceil(3) {
        let mut dice = Dice::new(seed);
        let bytes: Vec<u8> = (0..600).map(|_| u8::try_from(dice.below(256)).expect("a byte")).collect();
        watch_law(&bytes);
    }
}

#[test]
fn seeds_of_the_fuzzer_keep_every_law() {
    type Law = fn(&[u8]);
    let laws: [(&str, Law); 9] = [
        ("dgt_decoder", decoder_law),
        ("dgt_driver", driver_law),
        ("dgt_commands", command_law),
        ("firmware_frame", firmware_protocol::laws::frame_law),
        ("firmware_link", firmware_protocol::laws::link_law),
        ("capture", capture_law),
        ("record", record_law),
        ("watch", watch_law),
        ("json", json_law),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    for target in fs::read_dir(folder).expect("the seeds are there") {
        let target = target.expect("a folder");
        for file in fs::read_dir(target.path()).expect("a target's seeds") {
            let path = file.expect("a seed").path();
            let bytes = fs::read(&path).expect("a seed can be read");
            // What the fuzzer has found is tried by its own law alone, and as it is: the fuzzer has varied it already.
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("found-")) {
                let own =
                    laws.iter().filter(|(law_name, _)| *law_name == target.file_name().to_string_lossy());
                own.for_each(|(_, law)| law(&bytes));
                continue;
            }
            for (law_name, law) in laws {
                hold(law, &format!("{law_name} on {}", path.display()), &bytes, wanted());
            }
        }
    }
}
