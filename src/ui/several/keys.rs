//! The keys of the tiles: a number or an arrow chooses a table, Enter opens it.

use egui::{Context, Event, Key};

use crate::focus::Focus;

/// A key that was pressed over the tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TileKey {
    /// A table, from 0.
    Number(usize),
    /// So many tables on, or back.
    Step(isize),
    Enter,
    Escape,
}

/// Takes these keys out of the events, so that they have no other effect. `columns`: how many tiles stand beside each other.
pub(super) fn take(ctx: &Context, columns: usize) -> Vec<TileKey> {
    let on_control = Focus::of(ctx) == Focus::Control;
    let down = isize::try_from(columns).unwrap_or(1);
    let mut found = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Key { key, pressed: true, repeat: false, modifiers, .. } = event else { return true };
            if modifiers.command || modifiers.alt {
                return true;
            }
            let taken = match key {
                Key::Escape => Some(TileKey::Escape),
                // A control that has the focus takes Enter and the arrows.
                Key::Enter if !on_control => Some(TileKey::Enter),
                Key::ArrowRight if !on_control => Some(TileKey::Step(1)),
                Key::ArrowLeft if !on_control => Some(TileKey::Step(-1)),
                Key::ArrowDown if !on_control => Some(TileKey::Step(down)),
                Key::ArrowUp if !on_control => Some(TileKey::Step(-down)),
                key => number(*key).map(TileKey::Number),
            };
            found.extend(taken);
            taken.is_none()
        });
    });
    found
}

fn number(key: Key) -> Option<usize> {
    let keys = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8];
    keys.iter().position(|number| *number == key)
}
