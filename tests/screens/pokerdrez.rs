//! PokerDrez in the window: its terms, pawns off, the deal, cards that are laid and put back, the die, and the result.

use tabiya_engine::rules::HeapPlace;
use tabiya_types::Color;

use crate::harness::Screens;

const WINDOW: [f32; 2] = [1280.0, 800.0];

/// A match after the deal: the row is pawn, knight, bishop, rook and a neutral card.
fn dealt(rules: &[&str]) -> Screens {
    let mut screens = Screens::open(WINDOW);
    screens.click("PokerDrez");
    for rule in rules {
        screens.rule(rule);
    }
    screens.click("Begin the match");
    screens.click("Keep all pawns");
    screens.click("Keep all pawns");
    for card in ["pawn", "knight", "bishop", "rook", "neutral card"] {
        screens.click(card);
    }
    screens.click("Deal these five");
    screens
}

fn row(screens: &Screens) -> String {
    let heaps = screens.table().heaps;
    heaps
        .into_iter()
        .find(|heap| heap.place == HeapPlace::Middle)
        .map(|heap| heap.up.concat())
        .unwrap_or_default()
}

#[test]
fn pawns_are_taken_off_by_a_click_and_the_open_cards_are_picked() {
    let mut screens = Screens::open(WINDOW);
    screens.click("PokerDrez");
    screens.click("Begin the match");
    screens.click("c7 black pawn");
    screens.click("Keep all pawns");
    for card in ["joker", "queen", "pawn", "pawn", "neutral card"] {
        screens.click(card);
    }
    screens.click("Deal these five");
    assert_eq!(row(&screens), "JQPPX");
    assert!(screens.shows("c7"), "{:?}", screens.labels());
    for thing in
        ["Stock: 47", "Ann holds 2 hidden cards", "Bo holds 2 hidden cards", "Bo’s die: still to be thrown"]
    {
        assert!(screens.shows(thing), "{thing}: {:?}", screens.labels());
    }
}

#[test]
fn cards_are_laid_and_put_back_and_the_die_is_thrown() {
    let mut screens = dealt(&[]);
    screens.click("pawn of the row");
    assert!(screens.shows("Ann laid: pawn"), "{:?}", screens.labels());
    screens.line("e2e4");
    screens.click("queen into the row");
    assert_eq!(row(&screens), "QRBNX");
    screens.line("press white");
    screens.click("Thrown: 2");
    assert!(screens.shows("Stock: 46") && screens.shows("Bo’s die: shows 2"), "{:?}", screens.labels());
    screens.line("Nf6");
    screens.line("press black");
    assert_eq!(screens.table().moves, ["e4", "Nf6"]);
    // Used cards are not shown before the result.
    assert!(!screens.shows("used: pawn"));
    screens.line("white resigns");
    screens.line("yes");
    assert!(screens.shows("used: pawn"), "{:?}", screens.labels());
}

#[test]
fn the_screen_throws_the_die() {
    let mut screens = dealt(&[]);
    screens.line("own P");
    screens.line("e4");
    screens.line("press white");
    screens.click("Throw the die here");
    let thrown = screens.table().die.and_then(|die| die.thrown).unwrap();
    assert!((1..=6).contains(&thrown));
}

#[test]
fn a_game_for_chips_is_raised_and_answered() {
    let mut screens = dealt(&["Play for chips"]);
    screens.click("Raise the stake to 6");
    let bet = screens.table().bet.unwrap();
    assert_eq!((bet.call.0, bet.raise.map(|range| range.most.0)), (1, Some(20)));
    screens.line("call");
    assert_eq!(screens.table().stakes.pot().0, 12);
}

/// Deals the row pawn, knight, bishop, rook and a neutral card; both keep their pawns.
fn deal(screens: &mut Screens) {
    screens.click("Keep all pawns");
    screens.click("Keep all pawns");
    for card in ["pawn", "knight", "bishop", "rook", "neutral card"] {
        screens.click(card);
    }
    screens.click("Deal these five");
}

#[test]
fn an_evening_with_stakes_is_played_by_buttons_alone() {
    let mut screens = dealt(&["Play for chips"]);
    let stacks = |screens: &Screens| {
        let stakes = screens.table().stakes;
        [stakes.stacks.white.0, stakes.stacks.black.0, stakes.pot().0]
    };
    assert_eq!(stacks(&screens), [95, 95, 10]);
    // White raises to 8, a point at a time; Black answers with the highest stake, and White calls.
    screens.click("One Raise more");
    screens.click("One Raise more");
    screens.click("Raise the stake to 8");
    assert_eq!(screens.table().bet.map(|due| due.call.0), Some(3));
    assert!(!screens.shows("all-in"), "{:?}", screens.labels());
    screens.click("20 highest");
    screens.click("Raise to 20 15 more");
    screens.click("Call 12");
    assert_eq!(stacks(&screens), [80, 80, 40]);
    assert!(!screens.shows("Raise the stake"), "the highest stake is reached");
    screens.click("pawn of the row");
    screens.click("e2 white pawn");
    screens.click("e4");
    screens.click("queen into the row");
    screens.click("Ann: press the clock");
    screens.click("pawn of the hand");
    screens.click("e7 black pawn");
    screens.click("e5");
    screens.click("Bo: press the clock");
    screens.click("Resign …");
    screens.click("Ann resigns");
    screens.click("Ann resigns");
    assert_eq!(screens.table().outcome.and_then(|outcome| outcome.winner), Some(Color::Black));
    screens.click("Next game");
    // The colours change: who had Black has White now.
    deal(&mut screens);
    assert_eq!(stacks(&screens), [115, 75, 10]);
    screens.fill("Amount", "12");
    screens.click("Raise the stake to 12");
    screens.click("Fold");
    screens.click("Fold: again");
    assert_eq!(screens.table().outcome.map(|outcome| outcome.reason.word()), Some("fold"));
    screens.click("Next game");
    deal(&mut screens);
    assert_eq!(stacks(&screens), [70, 120, 10], "{:?}", screens.labels());
}

#[test]
fn the_card_that_comes_for_a_neutral_one_is_clicked() {
    let mut screens = dealt(&[]);
    screens.click("Exchange a neutral card …");
    screens.click("Neutral card of the row for a card of the stock");
    assert!(screens.shows("Which card came?"), "{:?}", screens.labels());
    screens.click("Back");
    assert!(!screens.shows("Which card came?"), "{:?}", screens.labels());
    screens.click("Exchange a neutral card …");
    screens.click("Neutral card of the row for a card of the stock");
    screens.click("Neutral card of the row for queen (stock)");
    assert_eq!(row(&screens), "QRBNP");
    assert!(!screens.shows("Which card came?") && screens.shows("Stock: 46"), "{:?}", screens.labels());
}
