//! Poker Chess in the window: its terms, the cards under the squares, the hands, and picking one's own.

use crate::harness::Screens;

const WINDOW: [f32; 2] = [1280.0, 800.0];

#[test]
fn a_deal_is_named_or_drawn_in_the_form() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Poker Chess");
    screens.click("More rules");
    screens.click("Named deals");
    screens.click("royal-flush");
    let field = "Cards under the board: a deal by name, or a list";
    assert_eq!(screens.value(field), "royal-flush");
    screens.click("Random deal");
    let drawn = screens.value(field);
    assert_eq!(drawn.split(' ').count(), 26, "{drawn}");
    screens.click("Begin the match");
    let under = screens.table().under;
    assert_eq!(under.first().map(|(_, card)| card.as_str()), drawn.split(' ').next());
}

#[test]
fn the_cards_the_hands_and_the_score_are_seen() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Poker Chess");
    screens.click("Begin the match");
    assert!(
        screens.shows("e1 white king, 10♥") && screens.shows("a8 black rook, A♣"),
        "{:?}",
        screens.labels()
    );
    for uci in ["e2e4", "e7e5", "d1e2", "a7a6"] {
        screens.line(uci);
    }
    let lead = "Hands: White 1, Black 0: Ann leads by 1; 5 ahead wins at once";
    assert!(screens.shows(lead), "{:?}", screens.labels());
    assert!(
        screens.shows("Ann has won one hand") && screens.shows("Bo has won 0 hands"),
        "{:?}",
        screens.labels()
    );
    // Both hands lie at the seats, the cards that count most first.
    for card in ["Ann’s hand: A♦", "Ann’s hand: K♥", "Bo’s hand: 10♣"] {
        assert!(screens.shows(card), "{card}: {:?}", screens.labels());
    }
    assert!(
        screens.is_written("Two pairs, aces and tens"),
        "the seats name the ranks: {:?}",
        screens.labels()
    );
    screens.line("press");
    screens.key(egui::Key::Escape);
    screens.click("Hands");
    assert!(screens.shows("2. AAKKT (two pair) against AATTK (two pair): Ann"), "{:?}", screens.labels());
}

#[test]
fn a_hand_is_picked_by_clicking_its_pieces() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Poker Chess");
    screens.rule("Players name their hands");
    screens.click("Begin the match");
    for uci in ["a2a3", "a7a6"] {
        screens.line(uci);
    }
    // The rooks, the queen and the king belong to every hand; a pawn is missing. The last one that is clicked counts.
    screens.click("Bo: name this hand");
    assert!(screens.table().poker.is_some_and(|poker| poker.decided.is_empty()));
    screens.click("b7 black pawn");
    screens.click("d7 black pawn");
    screens.click("Bo: name this hand");
    screens.click("e2 white pawn");
    screens.click("Ann: name this hand");
    let poker = screens.table().poker.unwrap();
    assert_eq!(poker.decided.last().map(|turn| turn.hands.black.cards.clone()), Some("AATTK".to_owned()));
    assert!(poker.choices.is_none());
}

#[test]
fn what_each_move_does_is_shown_when_both_agree_and_never_at_an_event() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Poker Chess");
    screens.click("Begin the match");
    let moves = |screens: &Screens| screens.table().poker.map(|poker| poker.moves).unwrap_or_default();
    let names = screens.table().names;
    let agree = |screens: &mut Screens, name: &str| {
        screens.click(&format!("{name} agrees"));
    };
    screens.click("show what moves do to hands …");
    agree(&mut screens, &names.white);
    assert!(moves(&screens).is_empty(), "one alone does not decide");
    agree(&mut screens, &names.black);
    let shown = moves(&screens);
    assert_eq!(shown.len(), 20);
    let now = screens.table().poker.map(|poker| poker.now).unwrap();
    assert!(shown.iter().any(|(_, after)| after.hands.white != now.hands.white), "{shown:?}");
    assert!(screens.shows("Nf3: "), "{:?}", screens.labels());
    for line in ["e4", "press white", "e5", "press black"] {
        screens.line(line);
    }
    screens.key(egui::Key::Escape);
    screens.click("show what moves do to hands …");
    agree(&mut screens, &names.black);
    assert!(moves(&screens).is_empty());
    screens.key(egui::Key::Escape);
    for line in ["d4", "press white", "d5", "press black"] {
        screens.line(line);
    }
    screens.key(egui::Key::Escape);
    screens.click("Hands");
    assert!(screens.shows("lead after each hand: 0, "), "{:?}", screens.labels());
    let mut screens = Screens::open(WINDOW);
    screens.click("Poker Chess");
    screens.rule("event: only the arbiter sees claims and faults");
    screens.click("Begin the match");
    assert_eq!(screens.table().poker.map(|poker| poker.learners), Some(None));
}
