//! Events at random: what is conserved, what is total, and what a file loses. `PROPTEST_CASES=10000` tries more events than usual.

use proptest::prelude::*;

use super::book::RoundBook;
use super::book::act::{BoardResult, Bye, EventSystem, Plan, RoundAct};
use super::points::Points;
use super::standings::code::TieBreak;
use super::standings::{Edition, standings};
use super::trf::TrfFile;
use super::trf::player::NewPlayer;

/// The results of boards, in which a number chooses.
const RESULTS: [BoardResult; 6] = [
    BoardResult::White,
    BoardResult::Draw,
    BoardResult::Black,
    BoardResult::WhiteByForfeit,
    BoardResult::BothForfeit,
    BoardResult::DrawUnrated,
];

fn plan(rounds: usize) -> Plan {
    let tiebreaks = TieBreak::list("BH/C1,BH,FB,SB,SB/C1,PS,DE").expect("codes");
    Plan {
        system: EventSystem::Swiss,
        rounds,
        game: "chess".to_owned(),
        stack: None,
        tiebreaks,
        levels: Vec::new(),
        money: None,
    }
}

fn player(number: u32) -> NewPlayer {
    let rating = Some(2000 - 7 * number);
    NewPlayer { number, name: format!("Player {number}"), rating, federation: "GER".to_owned() }
}

/// One round: in which order players sit down, how their boards end, and how many of the last ones asked for a bye.
type RandomRound = (Vec<u32>, Vec<usize>, usize);

fn events() -> impl Strategy<Value = (u32, Vec<RandomRound>)> {
    (2..=14_u32).prop_flat_map(|players| {
        let order = Just((1..=players).collect::<Vec<_>>()).prop_shuffle();
        let round = (order, prop::collection::vec(0..RESULTS.len(), 7), 0..3_usize);
        (Just(players), prop::collection::vec(round, 1..=9))
    })
}

/// Plays an event. Returns the book, and how many points it gave.
fn played(players: u32, rounds: &[RandomRound]) -> (RoundBook, Points) {
    let mut book = RoundBook::new(plan(rounds.len()), "Random", "2026-05-01");
    let mut act = |act: RoundAct| book.apply(&act).expect("an act");
    let mut given = Points::ZERO;
    for number in 1..=players {
        act(RoundAct::Add { player: player(number), from: 1 });
    }
    for (round, (order, results, byes)) in (1..).zip(rounds) {
        let (away, present) = order.split_at((*byes).min(order.len() - 1));
        for number in away {
            act(RoundAct::Bye { player: *number, round, bye: Bye::Half });
            given += Points::HALF;
        }
        let pairs: Vec<(u32, u32)> =
            present.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))).collect();
        let bye = present.chunks_exact(2).remainder().first().copied();
        if bye.is_some() {
            given += Points::ONE;
        }
        act(RoundAct::Pair { round, pairs: pairs.clone(), bye });
        for (board, (_, result)) in (1..).zip(pairs.iter().zip(results)) {
            let result = RESULTS.get(*result).copied().expect("a result");
            if result != BoardResult::BothForfeit {
                given += Points::ONE;
            }
            act(RoundAct::Result { round, board, result, chips: None });
        }
    }
    (book, given)
}

proptest! {
    #[test]
    fn points_are_conserved_and_ranks_are_total((players, rounds) in events()) {
        let (book, given) = played(players, &rounds);
        let table = book.crosstable();
        prop_assert_eq!(table.faults(), Vec::<String>::new());
        for edition in [Edition::E2024, Edition::E2026] {
            let mut codes = book.plan().tiebreaks.clone();
            let order = standings(&table, &codes, edition);
            prop_assert_eq!(order.iter().map(|standing| standing.points).sum::<Points>(), given);
            let mut before = None;
            for (nth, standing) in (1..).zip(&order) {
                prop_assert!(standing.rank == nth || before.is_some_and(|(rank, points)| (rank, points) == (standing.rank, standing.points)));
                prop_assert!(before.is_none_or(|(_, points)| points >= standing.points));
                before = Some((standing.rank, standing.points));
            }
            codes.push("TPN".parse().expect("a code"));
            let ranks: Vec<usize> = standings(&table, &codes, edition).iter().map(|standing| standing.rank).collect();
            prop_assert_eq!(ranks, (1..=order.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_file_that_is_written_and_read_again_is_the_same((players, rounds) in events()) {
        let (book, _) = played(players, &rounds);
        let bytes = book.file().expect("a file").to_bytes().expect("bytes");
        let read = TrfFile::read(&bytes).expect("a file");
        prop_assert_eq!(&read.to_bytes().expect("bytes"), &bytes);
        prop_assert_eq!(read.crosstable().players, book.crosstable().players);
        let again = RoundBook::new(plan(rounds.len()), "Random", "2026-05-01").import(read).expect("an event");
        prop_assert_eq!(again.paired(), book.paired());
    }

    #[test]
    fn acts_are_read_as_they_were_written((players, rounds) in events(), board in 1..9_usize) {
        let acts = [
            RoundAct::Add { player: player(players), from: rounds.len() },
            RoundAct::Pair { round: 1, pairs: vec![(1, 2), (4, 3)], bye: (players > 4).then_some(5) },
            RoundAct::Result { round: 1, board, result: RESULTS[board % RESULTS.len()], chips: (board > 3).then_some((130, 70)) },
            RoundAct::Bye { player: players, round: 2, bye: Bye::Zero },
            RoundAct::Withdraw { player: 1, from: 3 },
            RoundAct::Replace { board, old: 1, new: 2 },
            RoundAct::Move { board, table: 17 },
        ];
        for act in acts {
            let mut line = act.facts();
            line.insert("do".to_owned(), act.word().into());
            prop_assert_eq!(RoundAct::read(&serde_json::Value::Object(line)), Some(act));
        }
    }
}

/// Only what belongs to the result changes in the file: the columns of both players' points, rank and round.
#[test]
fn a_result_changes_the_columns_of_its_two_players_alone() {
    let rounds = vec![(vec![1, 2, 3, 4], vec![0, 1], 0)];
    let (book, _) = played(4, &rounds);
    let bytes = book.file().expect("a file").to_bytes().expect("bytes");
    let file = TrfFile::read(&bytes).expect("a file");
    let book = RoundBook::new(plan(1), "Random", "2026-05-01").import(file).expect("an event");
    let before = String::from_utf8(bytes).expect("text");
    let result = RoundAct::Result { round: 1, board: 2, result: BoardResult::Black, chips: None };
    let mut changed = book.clone();
    changed.apply(&result).expect("a result");
    let after = changed.file().expect("a file").to_bytes().expect("bytes");
    let after = String::from_utf8(after).expect("text");
    for (line, (old, new)) in (1..).zip(before.lines().zip(after.lines())) {
        let changed: Vec<usize> = (1..)
            .zip(old.chars().zip(new.chars()))
            .filter(|(_, (old, new))| old != new)
            .map(|(column, _)| column)
            .collect();
        let of_pair = old.contains("Player 3") || old.contains("Player 4");
        assert!(changed.is_empty() || of_pair, "line {line}: {changed:?}");
        assert!(
            changed.iter().all(|column| (81..=89).contains(column) || (92..=101).contains(column)),
            "{changed:?}"
        );
    }
    assert_ne!(before, after);
}

#[test]
fn what_a_pair_lacks_is_named() {
    let file = "001    1      A                                 2000                             1.0    1     2 w 1\n\
                001    2      B                                 1900                             0.0    2     3 b 0\n\
                001    3      C                                 1800                             0.0    3  0000 - Z\n";
    let file = TrfFile::read(file.as_bytes()).expect("a file");
    let faults = ["round 1: 1 meets 2, who meets 3", "round 1: 2 meets 3, who meets nobody"];
    assert_eq!(file.faults(), faults);
}

#[test]
fn an_act_that_cannot_be_is_refused_and_changes_nothing() {
    let (book, _) = played(4, &[(vec![1, 2, 3, 4], vec![0, 1], 0)]);
    let refused = |act: RoundAct| {
        let mut tried = book.clone();
        let fault = tried.apply(&act).expect_err("a refusal").to_string();
        assert_eq!(tried, book);
        fault
    };
    assert_eq!(
        refused(RoundAct::Pair { round: 2, pairs: vec![(1, 3)], bye: None }),
        "all 1 rounds have been paired; raise the number of rounds first"
    );
    assert_eq!(
        refused(RoundAct::Result { round: 1, board: 3, result: BoardResult::Draw, chips: None }),
        "round 1 has no board 3; `tabiya event pair` shows the boards"
    );
    assert_eq!(
        refused(RoundAct::Bye { player: 1, round: 1, bye: Bye::Half }),
        "player 1 is paired in round 1; enter a result, or pair the round anew"
    );
    assert_eq!(
        refused(RoundAct::Bye { player: 9, round: 1, bye: Bye::Half }),
        "there is no player 9; `tabiya event standings` lists the players"
    );
}

/// Some programs begin the rounds a column beside the standard: they are read there, and written there.
#[test]
fn rounds_that_stand_a_column_beside_their_place_are_read_there() {
    let (book, _) = played(12, &[((1..=12).collect(), vec![0, 1, 2, 0, 1, 2], 0)]);
    let bytes = book.file().expect("a file").to_bytes().expect("bytes");
    let text = String::from_utf8(bytes).expect("text");
    let shift = |line: &str| match line.strip_prefix("001") {
        Some(_) => format!("{} {}\n", &line[..91], &line[91..]),
        None => format!("{line}\n"),
    };
    let shifted: String = text.lines().map(shift).collect();
    let mut read = TrfFile::read(shifted.as_bytes()).expect("a file");
    assert_eq!(read.crosstable().players, book.crosstable().players);
    let columns = *read.players()[0].rounds.first().expect("a round");
    read.set_round(1, 1, columns).expect("a round");
    assert_eq!(read.to_bytes().expect("bytes"), shifted.as_bytes());
}

/// Chips are conserved, and who is up in a match has two match points.
#[test]
fn chips_decide_a_cup() {
    let cup = Plan { stack: Some(100), ..plan(2) };
    let mut book = RoundBook::new(cup, "Cup", "2026-05-01");
    let mut act = |act: RoundAct| book.apply(&act).expect("an act");
    for number in 1..=4 {
        act(RoundAct::Add { player: player(number), from: 1 });
    }
    act(RoundAct::Pair { round: 1, pairs: vec![(1, 2), (3, 4)], bye: None });
    act(RoundAct::Result { round: 1, board: 1, result: BoardResult::White, chips: Some((130, 70)) });
    act(RoundAct::Result { round: 1, board: 2, result: BoardResult::Black, chips: Some((0, 200)) });
    act(RoundAct::Pair { round: 2, pairs: vec![(1, 4), (2, 3)], bye: None });
    act(RoundAct::Result { round: 2, board: 1, result: BoardResult::Draw, chips: Some((100, 100)) });
    act(RoundAct::Result { round: 2, board: 2, result: BoardResult::WhiteByForfeit, chips: None });
    let order = super::chips::standings(&book);
    let rows: Vec<(usize, u32, i64, i64)> =
        order.iter().map(|one| (one.rank, one.number, one.points, one.chips)).collect();
    assert_eq!(rows, [(1, 4, 3, 100), (2, 1, 3, 30), (3, 2, 2, 70), (4, 3, 0, -200)]);
    assert_eq!(order.iter().map(|one| one.chips).sum::<i64>(), 0);
    let wrong = RoundAct::Result { round: 1, board: 1, result: BoardResult::White, chips: Some((130, 60)) };
    assert_eq!(
        book.apply(&wrong).expect_err("a refusal").to_string(),
        "130 and 60 chips do not add up to 200"
    );
}
