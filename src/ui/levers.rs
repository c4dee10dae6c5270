//! A USB keypad or one button as the lever of a clock: a key of any keyboard device presses for White, for Black, or for whoever's clock
//! runs, on every page of the window. The system tells no program from which keyboard a key comes, so the key is the lever's alone.

use std::collections::BTreeMap;

use egui::{Context, Event};
use tabiya_types::Color;

use super::focus::Focus;
use super::keys::{Command, CommandScope, KeyBindings, KeyName, is_function_key};

/// For whom a lever presses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lever {
    /// White.
    White,
    /// Black.
    Black,
    /// Whoever's clock runs.
    Running,
}

impl Lever {
    pub(super) const ALL: [Self; 3] = [Self::White, Self::Black, Self::Running];

    /// Its word in the settings, and in the id of its text.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Running => "running",
        }
    }

    /// The side that it presses; `None` for the one that runs.
    pub(super) fn side(self) -> Option<Color> {
        match self {
            Self::White => Some(Color::White),
            Self::Black => Some(Color::Black),
            Self::Running => None,
        }
    }

    /// Its key, by the settings.
    pub(super) fn key(self, levers: &BTreeMap<String, String>) -> Option<KeyName> {
        KeyName::parse(levers.get(self.word())?)
    }
}

/// Why a key is no lever's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TakenKey {
    /// It is this command's, wherever people are.
    Command(Command),
    /// It is another lever's.
    Lever(Lever),
}

/// Whether this key can become the key of this lever.
pub(super) fn check(
    lever: Lever,
    key: KeyName,
    levers: &BTreeMap<String, String>,
    keys: &KeyBindings,
) -> Result<(), TakenKey> {
    let other = Lever::ALL.into_iter().find(|other| *other != lever && other.key(levers) == Some(key));
    if let Some(other) = other {
        return Err(TakenKey::Lever(other));
    }
    // What presses the clock anyhow may be a lever, too.
    let taken = |(command, name): &(Command, KeyName)| {
        *name == key && command.scope() == CommandScope::Always && *command != Command::Press
    };
    match keys.iter().find(taken) {
        Some((command, _)) => Err(TakenKey::Command(command)),
        None => Ok(()),
    }
}

/// The presses of levers in this frame, in order. Their key events are removed, with what they would type, so that a lever does nothing
/// else. A key that is held presses once. While people type, only function keys are levers.
pub(super) fn pressed(ctx: &Context, levers: &BTreeMap<String, String>, focus: Focus) -> Vec<Lever> {
    let known: Vec<(Lever, KeyName)> =
        Lever::ALL.into_iter().filter_map(|lever| Some((lever, lever.key(levers)?))).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    ctx.input_mut(|input| {
        let mut types = false;
        input.events.retain(|event| match event {
            Event::Key { key, pressed: true, repeat, modifiers, .. } => {
                let named = KeyName::of(*modifiers, *key);
                let lever = known.iter().find(|(_, name)| *name == named).map(|(lever, _)| *lever);
                let lever = lever.filter(|_| focus != Focus::Field || is_function_key(*key));
                found.extend(lever.filter(|_| !repeat));
                types = lever.is_some();
                lever.is_none()
            }
            // What a key types comes after it, before the next key.
            Event::Text(_) if types => {
                types = false;
                false
            }
            _ => true,
        });
    });
    found
}

#[cfg(test)]
mod tests {
    use egui::{Key, Modifiers, RawInput};
    use tabiya_text::{Language, Words};

    use super::*;

    fn levers() -> BTreeMap<String, String> {
        [("white", "F13"), ("black", "L"), ("running", "Enter")]
            .map(|(lever, key)| (lever.to_owned(), key.to_owned()))
            .into()
    }

    fn key(key: Key, repeat: bool) -> Event {
        Event::Key { key, physical_key: Some(key), pressed: true, repeat, modifiers: Modifiers::NONE }
    }

    /// The levers in a frame with these events, and what is left of the events.
    fn told(events: Vec<Event>, focus: Focus) -> (Vec<Lever>, Vec<Event>) {
        let (ctx, mut found) = (Context::default(), Vec::new());
        let mut left = Vec::new();
        let mut frame = ctx.run_ui(RawInput { events, ..RawInput::default() }, |ui| {
            found.extend(pressed(ui.ctx(), &levers(), focus));
            left = ui.input(|input| input.events.clone());
        });
        // Nobody draws this frame.
        frame.textures_delta.clear();
        (found, left)
    }

    #[test]
    fn a_lever_presses_once_and_does_nothing_else() {
        let events = vec![
            key(Key::L, false),
            Event::Text("l".to_owned()),
            key(Key::L, true),
            Event::Text("l".to_owned()),
            key(Key::F13, false),
            key(Key::K, false),
            Event::Text("k".to_owned()),
        ];
        let (found, left) = told(events, Focus::Nothing);
        assert_eq!(found, [Lever::Black, Lever::White]);
        assert_eq!(left, [key(Key::K, false), Event::Text("k".to_owned())]);
    }

    #[test]
    fn while_people_type_letters_are_letters() {
        let events = vec![key(Key::L, false), Event::Text("l".to_owned()), key(Key::F13, false)];
        let (found, left) = told(events, Focus::Field);
        assert_eq!((found, left.len()), (vec![Lever::White], 2));
    }

    #[test]
    fn a_lever_takes_no_key_of_a_command_or_of_another_lever() {
        let keys = KeyBindings::new(&BTreeMap::new(), &Words::of(Language::English));
        let of = |text: &str| KeyName::parse(text).expect("a key");
        let checked = |key: &str| check(Lever::White, of(key), &levers(), &keys);
        assert_eq!(checked("F14"), Ok(()));
        assert_eq!(checked("Space"), Ok(()));
        assert_eq!(checked("L"), Err(TakenKey::Lever(Lever::Black)));
        assert_eq!(checked("F4"), Err(TakenKey::Command(Command::Arbiter)));
        assert_eq!(checked("F13"), Ok(()), "it is its own already");
    }
}
