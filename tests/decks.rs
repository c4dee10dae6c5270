//! `tabiya cards` and `tabiya deck` as people use them: the real program, the real card service, virtual readers.
#![cfg(all(target_os = "linux", feature = "pcsc"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

#[path = "support/child.rs"]
mod child;
#[path = "support/pcscd.rs"]
mod pcscd;
#[path = "support/virtual_reader.rs"]
mod virtual_reader;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use child::{Table, name, tabiya, text};
use pcscd::{Pcscd, alone};
use tabiya::devices::cards::sim::{Faults, Tag};
use virtual_reader::{blank, lay, lay_faulty, written};

/// The letters of a deck, shuffled by hand.
const LETTERS: &str = "PRBNQPPRBNPPRBNPQPRBNPPRBNPPRBNPQPRBNPQRBNPP";

/// Runs the program to its end: status, what it printed, its sentence.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let done = tabiya(arguments);
    (done.status.code().unwrap(), text(&done.stdout), text(&done.stderr).trim_end().to_owned())
}

/// Enrols a deck by hand; its cards as they are then.
fn enrol(folder: &Path, arguments: &[&str]) -> Vec<Tag> {
    let mut tool = Table::start(&[&["deck", "enrol"], arguments].concat());
    tool.hear("card reader: R 00 00");
    tool.hear("0 of 44: lay down the next card");
    let mut cards = Vec::new();
    for (nth, letter) in (1..=44_u8).zip(LETTERS.chars()) {
        let card = lay(folder, "R", blank(nth));
        tool.hear("which card is it?");
        tool.enter(&letter.to_string());
        if nth < 44 {
            tool.hear(&format!("{nth} of 44: lay down"));
        }
        cards.push(card.lift());
    }
    tool.hear("lay all cards down once more");
    for (nth, card) in (1..=44).zip(cards.iter().rev()) {
        let card = lay(folder, "R", card.clone());
        tool.hear(&format!("{nth} of 44"));
        card.lift();
    }
    tool.hear("is whole");
    let (status, lines, errors) = tool.end();
    assert_eq!(status.code(), Some(0), "{errors}");
    assert!(!lines.iter().any(|line| line.contains("queen")), "{lines:?}");
    cards
}

#[test]
fn a_deck_is_written_checked_audited_mended_and_taken_along() {
    alone("a_deck_is_written_checked_audited_mended_and_taken_along", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let cards = enrol(folder, &["Club"]);
        // What is written on a card is no face, and its file is its owner's.
        assert_eq!(cards[0].page(4), Some([0x03, 0x27, 0xD4, 0x13]));
        let file = fs::read_dir(folder.join("data/decks")).unwrap().next().unwrap().unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(
            run(&["deck", "list"]).1.trim_end().split(", made").next(),
            Some("Club: 44 written cards")
        );
        assert!(!run(&["deck", "show", "Club"]).1.contains("queen"));
        let (status, _, said) = run(&["deck", "enrol", "Club"]);
        assert_eq!((status, &*said), (2, "a deck is called `Club` already; choose another name"));

        // One is missing, one belongs to nobody, one was copied.
        let mut tool = Table::start(&["deck", "audit", "Club"]);
        tool.hear("card reader");
        for card in cards.iter().skip(1).rev() {
            let card = lay(folder, "R", card.clone());
            tool.hear("of 44");
            card.lift();
        }
        let mut copy = blank(99);
        (4..=14).for_each(|page| copy.set(page, cards[0].page(page).unwrap()));
        for (card, wanted) in [(blank(98), "not a card of this deck"), (copy, "a copy of a card")] {
            let card = lay(folder, "R", card);
            tool.hear(wanted);
            card.lift();
        }
        let (status, _, errors) = tool.quit();
        assert_eq!(status.code(), Some(1));
        assert!(errors.starts_with("missing: P1; find them"), "{errors}");

        // The second rook is bent: the others of its face tell which one it is.
        let rooks = || LETTERS.chars().zip(&cards).filter(|(letter, _)| *letter == 'R').map(|(_, card)| card);
        let mut tool = Table::start(&["deck", "replace", "Club", "R"]);
        tool.hear("the other 7 cards");
        for (nth, rook) in rooks().enumerate().filter(|(nth, _)| *nth != 1) {
            let card = lay(folder, "R", rook.clone());
            tool.hear(if nth == 7 { "lay down the new card" } else { "of 7" });
            card.lift();
        }
        let card = lay(folder, "R", blank(60));
        tool.hear("the new card is in the deck");
        let new = card.lift();
        assert_eq!(tool.end().0.code(), Some(0));
        let mut tool = Table::start(&["deck", "audit", "Club"]);
        tool.hear("card reader");
        let bent = lay(folder, "R", rooks().nth(1).unwrap().clone());
        tool.hear("not a card of this deck");
        bent.lift();
        let card = lay(folder, "R", new);
        tool.hear("1 of 44");
        card.lift();
        drop(tool);

        // To another computer and back.
        let taken = folder.join("club.json");
        assert_eq!(run(&["deck", "export", "Club", name(&taken)]).0, 0);
        assert_eq!(fs::metadata(&taken).unwrap().permissions().mode() & 0o777, 0o600);
        let (status, _, said) = run(&["deck", "export", "Club", name(&taken)]);
        assert!(status == 2 && said.ends_with("is there already; name another file"), "{said}");
        let (status, _, said) = run(&["deck", "import", name(&taken)]);
        assert!(status == 2 && said.contains("is there already, called `Club`"), "{said}");
        fs::remove_file(fs::read_dir(folder.join("data/decks")).unwrap().next().unwrap().unwrap().path())
            .unwrap();
        assert_eq!(run(&["deck", "import", name(&taken)]).1.trim_end(), "Club: taken over, 44 written cards");
    });
}

#[test]
fn slips_are_refused_taken_back_and_tried_again() {
    alone("slips_are_refused_taken_back_and_tried_again", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let mut tool = Table::start(&["deck", "enrol", "Club"]);
        tool.hear("0 of 44: lay down the next card");
        tool.enter_and_hear("Q", "not asked for now");
        tool.enter_and_hear("undo", "nothing to take back");
        tool.enter_and_hear("K", "type one letter");
        // A telephone, a card lifted too soon and laid down again, a card twice.
        let phone = Tag::new(
            tabiya::devices::cards::sim::Kind::Ntag213,
            tabiya::devices::cards::Uid::new(&[8, 1, 2, 3]).unwrap(),
        );
        let card = lay(folder, "R", phone);
        tool.hear("a telephone");
        card.lift();
        let torn =
            lay_faulty(folder, "R", blank(1), Faults { vanish_at_write: Some(3), ..Faults::default() });
        tool.hear("lifted before it was written");
        let card = lay(folder, "R", torn.lift());
        tool.hear("which card is it?");
        tool.enter_and_hear("q", "1 of 44");
        let card = lay(folder, "R", card.lift());
        tool.hear("in the deck already");
        card.lift();
        let mut locked = blank(2);
        locked.write(2, [0, 0, 0xF8, 0xFF]).unwrap();
        let card = lay(folder, "R", locked);
        tool.hear("locked or protected");
        card.lift();
        let card = lay(folder, "R", blank(3));
        tool.hear("which card is it?");
        tool.enter_and_hear("undo", "1 of 44: lay down");
        tool.enter_and_hear("undo", "0 of 44: lay down");
        card.lift();
        let (status, _, errors) = tool.quit();
        assert_eq!(status.code(), Some(2));
        assert!(errors.starts_with("0 of 44 cards: the deck is not whole and was not kept"), "{errors}");
        assert_eq!(
            run(&["deck", "list"]).1.trim_end(),
            "there is no deck yet: `tabiya deck enrol NAME` makes one"
        );
    });
}

#[test]
fn adopted_cards_are_asked_for_by_face_and_stay_as_they_are() {
    alone("adopted_cards_are_asked_for_by_face_and_stay_as_they_are", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let mut tool = Table::start(&["deck", "enrol", "Tickets", "--adopt", "--asked"]);
        for nth in 1..=44_u8 {
            tool.hear(&format!("{} of 44: lay down a ", nth - 1));
            lay_and_lift(folder, &mut tool, nth, if nth < 44 { "" } else { "once more" });
        }
        for nth in 1..=44_u8 {
            let card = lay(folder, "R", blank(nth));
            tool.hear(&format!("{nth} of 44"));
            card.lift();
        }
        tool.hear("is whole");
        assert_eq!(tool.end().0.code(), Some(0));
        assert!(run(&["deck", "list"]).1.starts_with("Tickets: 44 adopted cards"));
    });
}

/// Lays a blank card down until the tool has taken it.
fn lay_and_lift(folder: &Path, tool: &mut Table, nth: u8, wanted: &str) {
    let card = lay(folder, "R", blank(nth));
    let so_far = tool.heard.len();
    if wanted.is_empty() {
        tool.heard_by_now(&format!("{nth} of 44: lay down a "), 1);
    } else {
        tool.hear(wanted);
    }
    assert!(tool.heard.len() > so_far);
    assert_eq!(card.lift().page(4), Some([0x03, 0x00, 0xFE, 0x00]));
}

#[test]
fn readers_and_what_lies_on_them_are_listed_and_watched() {
    alone("readers_and_what_lies_on_them_are_listed_and_watched", |folder| {
        let (status, _, said) = run(&["cards"]);
        assert!(status == 2 && said.starts_with("the system's card service is not running"), "{said}");
        let (status, _, said) = run(&["deck", "enrol", "Club"]);
        assert!(status == 2 && said.starts_with("the system's card service is not running"), "{said}");
        let service = Pcscd::start(folder, &["White", "Black"]);
        let card = lay(folder, "White", written(1));
        let (status, out, said) = run(&["cards", "list"]);
        assert_eq!((status, &*said), (0, ""));
        let id = "01".repeat(16);
        for line in
            ["Black 01 00", "White 00 00", &format!("White 00 00: a card, id {id}, chip 04A1B2C3D48001")]
        {
            assert!(out.lines().any(|printed| printed == line), "{out}");
        }
        let mut watch = Table::start(&["cards", "watch", "--seconds", "3"]);
        watch.hear("lay cards down");
        card.lift();
        watch.hear("White 00 00: lifted");
        let card = lay(folder, "Black", blank(2));
        watch.hear("Black 01 00: a blank card, chip 04A1B2C3D48002");
        assert_eq!(watch.end().0.code(), Some(0));
        card.lift();
        service.kill();
        let _service = Pcscd::start(folder, &[]);
        let (status, out, _) = run(&["cards"]);
        assert_eq!((status, out.trim_end()), (0, "no card reader is there: plug one in"));
    });
}

#[test]
fn bad_input_is_one_sentence() {
    alone("bad_input_is_one_sentence", |folder| {
        let file = folder.join("wrong.json");
        fs::write(&file, "{}").unwrap();
        for (arguments, wanted) in [
            (&["deck", "audit", "Club"][..], "no deck is called `Club`"),
            (&["deck", "show", ""], "no deck is called ``"),
            (&["deck", "enrol", " "], "a deck's name has 1 to 60 letters"),
            (&["deck", "replace", "Club", "R"], "no deck is called `Club`"),
            (&["deck", "import", name(&file)], "this is no deck's file: line 1 has something else"),
            (&["deck", "import", name(folder)], "cannot be read"),
            (&["deck", "import", "/nowhere"], "cannot be read"),
            (&["deck", "export", "Club", name(&file)], "no deck is called `Club`"),
            (&["deck"], "Usage"),
            (&["cards", "frob"], "'frob'"),
        ] {
            let (status, out, said) = run(arguments);
            assert!(status == 2 && out.is_empty() && said.contains(wanted), "{arguments:?}: {status} {said}");
        }
        fs::create_dir_all(folder.join("data/decks")).unwrap();
        fs::write(folder.join("data/decks/half.json"), "{\"deck\":").unwrap();
        let (status, _, said) = run(&["deck", "list"]);
        assert!(status == 2 && said.contains("half.json: this is no deck's file"), "{said}");
    });
}
