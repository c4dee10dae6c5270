//! Telephones as keypads and keys as levers, as the window shows them: who asks is named, a yes lets in, one click removes; a bound key
//! presses the clock on every page and does nothing else.

use egui::{Event, Key, Modifiers};
use tabiya_app::desk::{NewMatch, Wish};
use tabiya_app::keypads::{KeypadAct, KeypadAnswer, KeypadDoor, KeypadOf};
use tabiya_engine::rules::Group;
use tabiya_types::{BySeat, Color, Seat};
use tabiya_window::Page;

use crate::clock::{moves, plain};
use crate::harness::Screens;
use crate::pages::turn_to;

/// A match of chess, before its first move.
fn chess() -> Screens {
    let mut screens = Screens::open([1280.0, 800.0]);
    let terms = Group::new().with("time", "300");
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    screens.wish(Wish::Begin(Box::new(NewMatch::usual("chess", players, Seat::A, terms))));
    screens
}

fn telephone(screens: &mut Screens, act: KeypadAct) -> KeypadAnswer {
    let state = screens.harness.state_mut();
    let answer = state.desk.keypad(act, state.now);
    screens.harness.run();
    answer
}

#[test]
fn a_telephone_that_asks_is_named_let_in_by_a_yes_and_removed_by_a_click() {
    let mut screens = chess();
    turn_to(&mut screens, Page::Devices);
    assert!(
        screens.shows(
            "Players can use telephones as their own keys: start the table with tabiya play --keypads."
        )
    );
    let door = KeypadDoor {
        addresses: vec!["https://192.168.1.5:44066".to_owned()],
        words: ["tell", "come", "night", "motor", "shock", "crouch"].map(str::to_owned).into(),
    };
    let state = screens.harness.state_mut();
    state.desk.open_keypads(door, state.now).unwrap();
    screens.harness.run();
    assert!(
        screens.shows("https://192.168.1.5:44066")
            && screens.shows("Square with the address https://192.168.1.5:44066")
    );
    assert!(screens.shows("The telephone must show these words: tell come night motor shock crouch"));
    let code = screens.labels().into_iter().find_map(|label| label.strip_prefix("Code ").map(str::to_owned));
    let code = code.expect("the code");
    let typed = KeypadAct::Code { digits: code, from: "192.168.1.7".to_owned() };
    let KeypadAnswer::Ticket(ticket) = telephone(&mut screens, typed) else { panic!("it is the code") };
    let of = KeypadOf::Player(Seat::B);
    telephone(&mut screens, KeypadAct::Ask { ticket, of, name: "Pixel".to_owned() });
    turn_to(&mut screens, Page::Table);
    let asked = "“Pixel” at 192.168.1.7, asks to be the keypad of Bo: shall it?";
    assert!(screens.labels().iter().any(|label| label.contains(asked)), "{:?}", screens.labels());
    screens.key(Key::Y);
    let pads = |screens: &mut Screens| {
        let state = screens.harness.state();
        state.desk.snapshot(state.now).keypads.pads.len()
    };
    assert_eq!(pads(&mut screens), 1);
    turn_to(&mut screens, Page::Devices);
    screens.click("Remove: The keypad of Bo");
    assert_eq!(pads(&mut screens), 0);
    assert_eq!(telephone(&mut screens, KeypadAct::Yes(ticket)), KeypadAnswer::Late);
}

#[test]
fn one_button_is_a_lever_on_every_page_and_nothing_else() {
    let mut screens = chess();
    turn_to(&mut screens, Page::Devices);
    screens.click("Choose: Black’s lever");
    assert!(screens.shows("Black’s lever: press its button now"));
    screens.frame(plain(&[Key::F13]));
    assert_eq!(screens.settings().levers.get("black").map(String::as_str), Some("F13"));
    screens.click("Choose: A lever for whoever’s clock runs");
    screens.frame(plain(&[Key::L]));
    // Black's lever starts White's clock, from this page too.
    screens.frame(plain(&[Key::F13]));
    assert_eq!(screens.table().clock.turn(), Some(Color::White));
    screens.frame(plain(&[Key::F13]));
    assert_eq!(screens.table().clock.turn(), Some(Color::White), "his clock does not run");
    turn_to(&mut screens, Page::Table);
    screens.wish(Wish::Typed("e2e4".to_owned()));
    screens.frame(plain(&[Key::L]));
    assert_eq!((screens.table().clock.turn(), moves(&screens)), (Some(Color::Black), (1, 0)));
    // A key that is held presses once.
    screens.wish(Wish::Typed("e7e5".to_owned()));
    let held = |repeat| Event::Key {
        key: Key::F13,
        physical_key: Some(Key::F13),
        pressed: true,
        repeat,
        modifiers: Modifiers::NONE,
    };
    screens.frame(vec![held(false), held(true), held(true)]);
    assert_eq!((screens.table().clock.turn(), moves(&screens)), (Some(Color::White), (1, 1)));
    // Taken away, it is an ordinary key again.
    turn_to(&mut screens, Page::Devices);
    screens.click("Take away: A lever for whoever’s clock runs");
    assert_eq!(screens.settings().levers.get("running"), None);
}

#[test]
fn a_key_that_a_command_needs_everywhere_becomes_no_lever() {
    let mut screens = chess();
    turn_to(&mut screens, Page::Devices);
    screens.click("Choose: White’s lever");
    screens.frame(plain(&[Key::F4]));
    assert!(screens.settings().levers.is_empty());
    assert!(screens.labels().iter().any(|label| label.contains("F4")), "{:?}", screens.labels());
    screens.click("Choose: White’s lever");
    screens.frame(plain(&[Key::Escape]));
    assert!(screens.shows("White’s lever: none"));
}
