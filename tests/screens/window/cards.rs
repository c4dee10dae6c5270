//! A deck of cards with chips at the window: the real program, the real card service, a virtual reader.

use std::time::Duration;

use serde_json::json;
use tabiya_store::decks::Decks;

use super::program::Place;
use crate::club_game::deck;
use crate::pcscd::{Pcscd, alone};
use crate::virtual_reader::{id, lay, uid, written};
use crate::wait::{found_within, wait_for};

/// Waits at most two seconds until the record has `count` actions. Returns whether it then has them.
fn recorded(place: &Place, count: usize) -> bool {
    found_within(Duration::from_secs(2), || (place.done().len() == count).then_some(())).is_some()
}

#[test]
fn a_card_that_is_tapped_beside_the_window_is_in_its_record() {
    alone(|folder| {
        let service = Pcscd::start(folder, &["R"]);
        let place = Place::new();
        Decks::beside_records(&place.folder.path().join("data")).add(&deck(uid)).unwrap();
        let window = place.open(&["play", "--players", "Ann,Bo", "--preset", "club", "--deck", "Club"]);
        window.look("the board", super::display::Picture::board);
        for (nth, key) in (1..).zip(["d", "c", "c", "d", "c", "c", "d", "c", "c"]) {
            window.key(key);
            window.done(nth);
        }
        // A card that already lies on the reader when the program finds the reader does not count as tapped. So lay the
        // card down again.
        wait_for("a card that is turned over", || {
            let card = lay(folder, "R", written(2));
            let turned = recorded(&place, 10).then_some(());
            card.lift();
            turned
        });
        let reveal = json!({"do": "reveal", "by": "white", "card": "Q", "how": "read", "copy": 2});
        assert_eq!(window.done(10), reveal);
        window.square("d1");
        window.done(11);
        window.key("space");
        window.done(12);
        // Keys still work without the card service.
        service.kill();
        window.key("p");
        window.done(13);
        window.keep("table-deck");
        assert_eq!(window.close().code(), Some(0));
        let lines = format!("{:?}", place.lines());
        assert!(!lines.contains(&uid(2).to_string()) && !lines.contains(&id(2).to_string()));
        place.verify();
    });
}
