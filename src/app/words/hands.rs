//! Words of a game whose pieces form poker hands: `choose a1 e1`, `black choose a8 e8`.

use tabiya_engine::rules::{Action, Fields, Group, presets};
use tabiya_types::{Color, Sentence, say};

use super::typed::{Meant, Typed, actor, one};

/// Parses the pieces that a player names for his hand, by their squares.
pub(super) fn read(typed: &Typed<'_>) -> Meant {
    let Some((verb, owner, squares)) = typed.verb_and_owner(&["choose"]) else { return Ok(None) };
    let squares: Vec<String> = squares.iter().map(|word| word.trim_matches(',').to_lowercase()).collect();
    let squares: Vec<&str> = squares.iter().flat_map(|word| word.split(',')).collect();
    let choose = |by: Color| -> Result<Action, Sentence> {
        let game = typed.table.agreement().game;
        let fields = Group::new().with("by", by.word()).with("squares", squares.clone());
        let mut fields = Fields::new("`choose`", fields);
        let own = presets::kind(game).map(|kind| kind.read_own(verb, &mut fields));
        match own {
            Some(Ok(Some(own))) => Ok(Action::Own(own)),
            Some(Err(_)) => {
                Err(say!("choose-what", "choose which pieces? for example `choose a8 d8 e8 h8 d7`"))
            }
            Some(Ok(None)) | None => {
                let (word, game) = (verb.to_owned(), game.to_owned());
                Err(say!("no-such-word", "`{word}` is no word of {game}", word, game))
            }
        }
    };
    let by = owner.or(|| actor(typed.table))?;
    match by {
        Ok(by) => Ok(Some(one(choose(by)?))),
        Err(question) => {
            let (white, black) = (choose(Color::White)?, choose(Color::Black)?);
            Ok(Some(
                question
                    .ask(|by| vec![if by == Color::White { white.clone() } else { black.clone() }.into()]),
            ))
        }
    }
}

/// The value of the term `deal` in `next deal royal-flush`, or `next deal` and a list of cards.
pub(super) fn deal(words: &[&str]) -> Result<Group, Sentence> {
    match words {
        [] => Err(say!("next-deal-what", "which deal? for example `next deal royal-flush`")),
        [name] => Ok(Group::new().with("deal", *name)),
        cards => Ok(Group::new().with("deal", cards.to_vec())),
    }
}
