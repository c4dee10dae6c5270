//! Where the window stands: as it was left, never off the screen, and filling it in a kiosk.

use tabiya_store::settings::{Settings, WindowPlace};

use super::program::{Place, signal};
use crate::wait::{found_within, wait_for, wait_until};

/// The size of the private display.
const SCREEN: [i32; 4] = [0, 0, 1400, 1000];

#[test]
fn the_window_comes_back_where_it_was_left() {
    let place = Place::new();
    let window = place.open(&[]);
    window.place_at([150, 90], [1000, 700]);
    let left = window.geometry();
    assert_eq!(left[2..], [1000, 700]);
    // It is remembered while the program runs, so that a kill forgets nothing.
    wait_for("the size in the settings", || {
        window.settings().window.filter(|kept| (kept.size[0] - 1000.0).abs() < 2.0)
    });
    window.kill();
    // Twice, because a window that moves by the width of its frame would move at each start.
    for _ in 0..2 {
        let window = place.open(&[]);
        wait_for("the place", || (window.geometry() == left).then_some(()));
        assert_eq!(window.close().code(), Some(0));
    }
}

#[test]
fn a_window_that_stood_on_another_screen_is_seen_on_this_one() {
    let place = Place::new();
    let path = place.folder.path().join("config/settings.json");
    let lost = WindowPlace { at: Some([5000.0, 3000.0]), size: [900.0, 600.0], maximised: false };
    Settings { window: Some(lost), ..Settings::load(&path).0 }.save(&path).unwrap();
    let window = place.open(&[]);
    wait_until(|| {
        let [x, y, width, height] = window.geometry();
        let seen = x >= 0 && y >= 0 && x + width <= SCREEN[2] && y + height <= SCREEN[3];
        if seen { Ok(()) } else { Err(format!("{x} {y} {width} {height}")) }
    });
    assert_eq!(window.close().code(), Some(0));
}

#[test]
fn a_kiosk_fills_the_screen_and_only_its_own_key_ends_it() {
    let place = Place::new();
    let mut window =
        place.open(&["play", "--kiosk", "--game", "chess", "--time", "300", "--players", "Ann,Bo"]);
    wait_for("a full screen", || (window.geometry() == SCREEN).then_some(()));
    // The first frames are drawn before the window fills the screen.
    window.look("a large board", |picture| picture.board().filter(|board| board.width > 850));
    window.keep("kiosk");
    window.begin_typing();
    window.line("e2e4");
    window.done(1);
    window.key("Escape");
    for key in ["alt+F4", "F11", "F1", "Escape", "ctrl+o"] {
        window.key(key);
    }
    let ended = found_within(std::time::Duration::from_secs(2), || (!window.runs()).then_some(()));
    assert!(ended.is_none(), "nothing ends a kiosk by accident");
    assert_eq!(window.geometry(), SCREEN);
    window.keep("kiosk-line");
    assert_eq!(window.settings().window, None, "an ordinary window has no place yet");
    // A game runs, so the program asks.
    window.key("ctrl+shift+q");
    wait_for("the program's end", || {
        window.key("y");
        (!window.runs()).then_some(())
    });
    assert_eq!(window.end().code(), Some(0));
    place.verify();
    let mut window = place.open(&["--kiosk"]);
    wait_for("a full screen", || (window.geometry() == SCREEN).then_some(()));
    signal("TERM", window.process());
    assert_eq!(window.end().code(), Some(0));
}
