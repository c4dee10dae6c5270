//! Kills of the whole program at random moments, while people type and while a simulated board plays: every move that was
//! told is in the record, and the record is whole.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::child::{Table, name, printed};
use crate::faults::moves;
use crate::tries::{report, seed, tries};
use crate::wait::let_pass;

const SEED: u64 = 0x91_a7;
/// The number of kills of each kind, unless `TABIYA_PLAY_KILLS` says another one.
const KILLS: u64 = 10;
const MOVES: [&str; 12] = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5"];

/// The number of moves in the record, which must be whole.
fn kept_moves(record: &Path) -> usize {
    printed(&["verify", name(record)], 0);
    moves(record)
}

#[test]
fn a_typed_move_that_was_told_survives_a_kill() {
    let (kills, seed) = (tries("TABIYA_PLAY_KILLS", KILLS), seed(SEED));
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut told = 0;
    for _ in 0..kills {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("e.tabiya");
        let mut table =
            Table::start(&["play", "--headless", "--plain", "--game", "chess", "--record", name(&record)]);
        let played = usize::try_from(1 + chance.next_u64() % (MOVES.len() as u64 - 1)).unwrap();
        for text in &MOVES[..played] {
            table.enter_and_hear(text, " plays ");
        }
        // The next move is entered, and the kill comes somewhere on its way into the record.
        table.enter(MOVES[played]);
        let_pass(Duration::from_micros(chance.next_u64() % 4_000));
        table.kill();
        let kept = kept_moves(&record);
        assert!(
            kept == played || kept == played + 1,
            "{played} moves were told, {kept} are kept (seed {seed:#x})"
        );
        told += played;
    }
    report(&format!("kills while moves are typed (seed {seed:#x}) | {kills} | {told} told moves, 0 lost"));
    assert!(told > 0, "no move was told");
}

#[test]
fn a_move_of_a_simulated_board_that_was_told_survives_a_kill() {
    let (kills, seed) = (tries("TABIYA_PLAY_KILLS", KILLS), seed(SEED));
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut all = 0;
    for nth in 0..kills {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("e.tabiya");
        let number = (seed + nth).to_string();
        let mut play = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args([
                "play",
                "--headless",
                "--board",
                "sim",
                "--game",
                "chess",
                "--games",
                "1",
                "--time",
                "300+5",
            ])
            .args(["--seed", &number, "--record", name(&record)])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut pipe = play.stdout.take().unwrap();
        let reader = std::thread::spawn(move || {
            let mut heard = Vec::new();
            pipe.read_to_end(&mut heard).map(|_| heard)
        });
        let_pass(Duration::from_millis(100 + chance.next_u64() % 900));
        play.kill().unwrap();
        play.wait().unwrap();
        let heard = String::from_utf8(reader.join().unwrap().unwrap()).unwrap();
        // A line that the kill has cut off was not told.
        let whole = || heard.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let told = whole().filter(|line| line.contains(" plays ")).count();
        // A move that was understood wrongly is taken back, and told so.
        let told = told.saturating_sub(whole().filter(|line| line.contains(" taken back: ")).count());
        if told > 0 {
            let kept = kept_moves(&record);
            assert!(kept >= told, "{told} moves were told, {kept} are kept (seed {seed:#x}, game {number})");
        }
        all += told;
    }
    report(&format!(
        "kills while a simulated board plays (seed {seed:#x}) | {kills} | {all} told moves, 0 lost"
    ));
    assert!(all > 0, "no move was told");
}
