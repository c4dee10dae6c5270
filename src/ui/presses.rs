//! Finds the presses of the two-sided clock. A key presses for the player whose half of the keyboard it lies in; a
//! mouse button or a finger presses for the player whose half of the screen it touches. The events of a frame are read
//! in order, so that simultaneous presses are neither lost nor swapped.

use egui::{Event, Key, PointerButton, Pos2, TouchPhase};

use super::focus::Focus;
use super::keys::{Command, KeyBindings, KeyName};

/// The keys of the left half of a keyboard. They press for the player at the far half of the screen.
const LEFT: [Key; 15] = [
    Key::Q,
    Key::W,
    Key::E,
    Key::R,
    Key::T,
    Key::A,
    Key::S,
    Key::D,
    Key::F,
    Key::G,
    Key::Z,
    Key::X,
    Key::C,
    Key::V,
    Key::Backtick,
];

/// The keys of the right half of a keyboard. They press for the player at the near half of the screen. All digits,
/// signs and Enter are in this list, because a number pad sends the same keys as the row of digits, and the whole
/// number pad must belong to one player.
const RIGHT: [Key; 34] = [
    Key::Num0,
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
    Key::Plus,
    Key::Minus,
    Key::Equals,
    Key::Slash,
    Key::Period,
    Key::Comma,
    Key::Enter,
    Key::Backspace,
    Key::Y,
    Key::U,
    Key::I,
    Key::O,
    Key::P,
    Key::H,
    Key::J,
    Key::K,
    Key::L,
    Key::B,
    Key::N,
    Key::M,
    Key::OpenBracket,
    Key::CloseBracket,
    Key::Semicolon,
    Key::Quote,
];

/// The touch of the first finger is also reported by egui as a press of the pointer. Both count as one press if they
/// are closer together than this distance, in points.
const SAME_PLACE: f32 = 1.0;

/// The player for whom the clock is pressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Presser {
    /// The player on the far side of the screen.
    Far,
    /// The player in front of the screen.
    Near,
    /// The player whose clock is running.
    Running,
}

/// The keys that are held down, by their position on the keyboard. egui identifies keys by their signs, which change
/// with Shift: a `;` that is released as `:` would seem to be held down for ever.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct HeldKeys(Vec<Key>);

impl HeldKeys {
    /// Marks each key press of a frame as a repeat if the key is held down already.
    pub(super) fn mark(&mut self, events: &mut [Event]) {
        for event in events {
            match event {
                Event::Key { key, physical_key, pressed, repeat, .. } => {
                    let position = physical_key.unwrap_or(*key);
                    let held = self.0.contains(&position);
                    match (*pressed, held) {
                        (true, false) => self.0.push(position),
                        (false, true) => self.0.retain(|key| *key != position),
                        (true, true) | (false, false) => {}
                    }
                    *repeat = *pressed && held;
                }
                // Keys that are released while another window has the focus are not reported.
                Event::WindowFocused(false) => self.0.clear(),
                _ => {}
            }
        }
    }
}

/// All presses in a frame, in order. `half_at` returns the player whose half of the screen is at a position.
pub(super) fn presses(
    events: &[Event],
    focus: Focus,
    keys: &KeyBindings,
    half_at: impl Fn(Pos2) -> Option<Presser>,
) -> Vec<Presser> {
    let mut found = Vec::new();
    // egui reports the touch of the first finger also as a press of the pointer, which must not count a
    // second time.
    let mut finger: Option<Pos2> = None;
    for event in events {
        match event {
            Event::Key { key, physical_key, pressed: true, repeat: false, modifiers } => {
                let named = KeyName::of(*modifiers, *key);
                found.extend(of_key(named, physical_key.unwrap_or(*key), focus, keys));
            }
            Event::Touch { phase: TouchPhase::Start, pos, .. } => {
                finger = Some(*pos);
                found.extend(half_at(*pos));
            }
            Event::PointerButton { pos, button: PointerButton::Primary, pressed: true, .. } => {
                let same = finger.take().is_some_and(|finger| finger.distance(*pos) < SAME_PLACE);
                found.extend(half_at(*pos).filter(|_| !same));
            }
            _ => {}
        }
    }
    found
}

/// The player for whom a key presses, if any; `position` is the key at the same position on a US keyboard.
fn of_key(named: KeyName, position: Key, focus: Focus, keys: &KeyBindings) -> Option<Presser> {
    let key = named.0.logical_key;
    match focus {
        Focus::Field => return None,
        Focus::Control if key == Key::Enter => return None,
        Focus::Control | Focus::Nothing => {}
    }
    if keys.of(Command::Press) == Some(named) && !named.presses_a_half() {
        Some(Presser::Running)
    } else if LEFT.contains(&position) {
        Some(Presser::Far)
    } else if RIGHT.contains(&position) {
        Some(Presser::Near)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use egui::{Modifiers, TouchDeviceId, TouchId, pos2};
    use tabiya_text::{Language, Words};

    use super::*;

    fn key(key: Key, modifiers: Modifiers) -> Event {
        Event::Key { key, physical_key: Some(key), pressed: true, repeat: false, modifiers }
    }

    fn finger(id: u64, pos: Pos2) -> Event {
        let phase = TouchPhase::Start;
        Event::Touch { device_id: TouchDeviceId(0), id: TouchId(id), phase, pos, force: None }
    }

    fn pointer(pos: Pos2) -> Event {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        Event::PointerButton { pos, button, pressed: true, modifiers }
    }

    /// The presses in these events, with the far half above y = 100.
    fn told(events: &[Event], focus: Focus) -> Vec<Presser> {
        let keys = KeyBindings::new(&BTreeMap::new(), &Words::of(Language::English));
        presses(events, focus, &keys, |pos| Some(if pos.y < 100.0 { Presser::Far } else { Presser::Near }))
    }

    #[test]
    fn two_fingers_at_once_are_two_presses_and_the_first_is_counted_once() {
        let (far, near) = (pos2(50.0, 50.0), pos2(50.0, 150.0));
        let at_once = [finger(1, far), Event::PointerMoved(far), pointer(far), finger(2, near)];
        assert_eq!(told(&at_once, Focus::Nothing), [Presser::Far, Presser::Near]);
        let mouse_after = [finger(2, near), pointer(far)];
        assert_eq!(told(&mouse_after, Focus::Nothing), [Presser::Near, Presser::Far]);
    }

    #[test]
    fn what_one_player_holds_down_does_not_stop_the_others_keys() {
        for held in [Modifiers::SHIFT, Modifiers::CTRL, Modifiers::COMMAND, Modifiers::ALT] {
            let pressed = [key(Key::A, held), key(Key::L, held)];
            assert_eq!(told(&pressed, Focus::Nothing), [Presser::Far, Presser::Near], "{held:?}");
        }
    }

    #[test]
    fn a_field_has_all_keys_and_a_button_only_enter() {
        let pressed = [Key::A, Key::Enter, Key::Space, Key::L].map(|of| key(of, Modifiers::NONE));
        assert_eq!(told(&pressed, Focus::Field), []);
        assert_eq!(told(&pressed, Focus::Control), [Presser::Far, Presser::Running, Presser::Near]);
        let all = [Presser::Far, Presser::Near, Presser::Running, Presser::Near];
        assert_eq!(told(&pressed, Focus::Nothing), all);
    }

    #[test]
    fn a_number_pad_is_wholly_one_players() {
        let pad = [
            Key::Num0,
            Key::Num1,
            Key::Num2,
            Key::Num3,
            Key::Num4,
            Key::Num5,
            Key::Num6,
            Key::Num7,
            Key::Num8,
            Key::Num9,
            Key::Plus,
            Key::Minus,
            Key::Slash,
            Key::Period,
            Key::Comma,
            Key::Enter,
        ];
        for of in pad {
            assert_eq!(told(&[key(of, Modifiers::NONE)], Focus::Nothing), [Presser::Near], "{of:?}");
        }
    }

    #[test]
    fn a_key_that_comes_up_under_another_name_is_not_held_down() {
        let event = |key: Key, pressed| Event::Key {
            key,
            physical_key: Some(Key::Semicolon),
            pressed,
            repeat: pressed,
            modifiers: Modifiers::NONE,
        };
        let mut held = HeldKeys::default();
        let mut marked = |key: Key, pressed| {
            let mut events = [event(key, pressed)];
            held.mark(&mut events);
            told(&events, Focus::Nothing).len()
        };
        assert_eq!(marked(Key::Semicolon, true), 1);
        assert_eq!(marked(Key::Semicolon, true), 0, "held down");
        // The other player holds Shift now, so the same key is released as `:`.
        assert_eq!(marked(Key::Colon, false), 0);
        assert_eq!(marked(Key::Semicolon, true), 1);
    }

    #[test]
    fn no_key_lies_in_both_halves() {
        for left in LEFT {
            assert!(!RIGHT.contains(&left), "{left:?}");
        }
    }
}
