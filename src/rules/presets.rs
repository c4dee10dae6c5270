//! Presets: terms that each game offers under a name, for the command line and the window.

use super::{GAMES, GameKind, Group, Preset};

/// The game with this name.
pub fn kind(game: &str) -> Option<&'static dyn GameKind> {
    GAMES.iter().copied().find(|kind| kind.name() == game)
}

/// The names of a game's presets, as in the term `preset` of a record; the first one is the default.
pub fn names(game: &str) -> impl Iterator<Item = &'static str> + use<> {
    presets(game).iter().map(|preset| preset.name)
}

/// The terms of the game's preset `name`; `None` if the game has no preset with this name. Without a `name`, the result
/// has only the terms that the game requires, with the values of the default preset.
pub fn terms(name: Option<&str>, game: &str) -> Option<Group> {
    let Some(name) = name else {
        let required = kind(game).map_or(&[][..], |kind| kind.required_terms());
        let terms = presets(game).first().map(|preset| (preset.terms)()).unwrap_or_default();
        return Some(terms.into_iter().filter(|(name, _)| required.contains(&name.as_str())).collect());
    };
    let preset = presets(game).iter().find(|preset| preset.name == name)?;
    Some((preset.terms)().with("preset", name))
}

fn presets(game: &str) -> &'static [Preset] {
    kind(game).map_or(&[], |kind| kind.presets())
}
