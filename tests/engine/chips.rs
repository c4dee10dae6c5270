//! Chips are conserved at every moment of random evenings: with raises, folds, fouled decks, rulings, takebacks, and
//! matches that are left. The results and the story tell the same chips.

use serde_json::{Value, json};
use tabiya_engine::rules::Chips;
use tabiya_engine::table::Table;
use tabiya_types::Seat;

use crate::matches::{Chance, Match};

/// All chips on the table, counted the simple way: stack by stack, and the pot.
fn on_the_table(table: &Table) -> u64 {
    let stakes = table.game().stakes();
    let pot = stakes.contributed.white.0 + stakes.contributed.black.0;
    let taken = stakes.awarded.white.0 + stakes.awarded.black.0;
    u64::from(stakes.stacks.white.0) + u64::from(stakes.stacks.black.0) + u64::from(pot - taken)
}

/// A ruling or a declaration that concerns chips.
fn about_chips(chance: &mut Chance, table: &Table) -> Value {
    let moved = |more: u32| {
        let stacks = table.stacks();
        let less = stacks.a.0.min(more);
        json!({"stacks": {"A": stacks.a.0 - less, "B": stacks.b.0 + less}})
    };
    match chance.below(5) {
        0 => json!({"do": "fouled", "by": "arbiter", "reason": "a torn card"}),
        1 => json!({"do": "rule", "by": "arbiter", "reason": "a slip", "set": moved(3)}),
        2 => {
            let winner = if chance.below(2) == 0 { "A" } else { "B" };
            json!({"do": "rule", "by": "arbiter", "reason": "left", "set": {"winner": winner}})
        }
        3 => json!({"do": "rule", "by": "arbiter", "reason": "left", "set": {"winner": null}}),
        _ => json!({"do": "undo", "what": "game"}),
    }
}

#[test]
fn no_chip_is_made_or_lost_in_random_evenings() {
    let (mut ended, mut compared) = (0, 0);
    for seed in 0..300 {
        let mut random = Match::new(seed);
        if random.replay.table().game().betting().is_none() {
            continue;
        }
        let brought = on_the_table(random.replay.table());
        for step in 0..220 {
            if step % 11 == 10 {
                let line = about_chips(&mut Chance::new(seed * 1000 + step), random.replay.table());
                random.feed(&line);
            } else {
                random.step();
            }
            let table = random.replay.table();
            assert_eq!(on_the_table(table), brought, "seed {seed}, step {step}");
            let results = table.results();
            if !table.match_over() {
                assert_eq!(
                    u64::from(results.stacks.a.0) + u64::from(results.stacks.b.0),
                    brought,
                    "seed {seed}"
                );
            }
            if table.game().outcome().is_some() {
                assert_eq!(results.stacks, table.stacks(), "seed {seed}: one match has one result");
                compared += 1;
            }
            for game in results.games.iter().filter(|game| game.outcome.is_some() && game.winner().is_none())
            {
                // Nobody wins: both keep what they had, so nobody has more than all chips.
                assert!(
                    Seat::ALL
                        .into_iter()
                        .all(|seat| game.stacks[seat] <= Chips(u32::try_from(brought).unwrap()))
                );
            }
        }
        ended += usize::from(random.replay.table().past_games().len() > 1);
    }
    assert!(compared > 100, "only {compared} times a game was over");
    assert!(ended > 30, "only {ended} evenings had several games");
}
