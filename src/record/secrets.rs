//! Decides which cards of a record may be shown. An export has `?` in place of every other card, and the chain of
//! hashes stays valid.
//!
//! Source: `docs/record.md`, "Secrets". A card that was never turned over stays hidden until the match is over and
//! both players have sent `consent`. Undone inputs do not count: a card that was entered by mistake and taken back
//! was not turned over.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tabiya_types::{ByColor, Color, Seat, Sentence, harmless_json, say};

use super::actions::faces;
use super::chain::{self, HIDDEN, Head, ShownCards};
use super::replay::Replay;
use super::text::{Body, Line};
use crate::rules::{Action, Datum, Faces};
use crate::table::{Common, Input, Table};

/// The lines of a match in a form that everybody may see, as JSON Lines. They are added one by one, so that a long match need
/// not be in memory as values.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Whether all cards may be shown.
    open: bool,
    /// For each line with cards, those that were turned over.
    shown: BTreeMap<u32, ShownCards>,
    /// The hash after the last line; `None` before the header.
    head: Option<Head>,
    text: String,
}

impl Exported {
    /// Exports a replayed match. `lines` are the lines after the header; the header comes from `replay`.
    pub fn of(replay: &Replay, lines: &[Line]) -> Self {
        let mut exported = Self::begin(replay);
        exported.add(1, replay.header().written.clone());
        for (number, line) in (2..).zip(lines) {
            exported.add(number, line.to_value());
        }
        exported
    }

    /// Begins the export of a replayed match.
    pub fn begin(replay: &Replay) -> Self {
        let table = replay.table();
        let shown = GameCards::of_games(table).iter().flat_map(GameCards::shown).collect();
        Self { open: may_be_open(table), shown, head: None, text: String::new() }
    }

    /// Hides the cards that were never turned over, even if the players have agreed that all may be shown.
    #[must_use]
    pub fn with_hidden_cards(self) -> Self {
        Self { open: false, ..self }
    }

    /// Adds the next line, with its number in the record, the header first: replaces hidden cards by `?` and adds the hash.
    /// Characters that steer a terminal are written as escapes.
    pub fn add(&mut self, number: u32, line: Value) {
        let line = match self.head {
            None => {
                self.head = Some(Head::of_header(&line));
                line
            }
            Some(before) => {
                let public = if self.open {
                    chain::without_box(line)
                } else {
                    chain::redact(&line, self.shown.get(&number).unwrap_or(&ShownCards::default()))
                };
                let next = before.then(&public);
                self.head = Some(next);
                chain::with_hash(public, next)
            }
        };
        self.text.push_str(&harmless_json(&line.to_string()));
        self.text.push('\n');
    }

    /// The export as text.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// Whether all cards may be shown: the match is over, and both players have sent `consent`.
pub fn may_be_open(table: &Table) -> bool {
    table.match_over() && Seat::ALL.into_iter().all(|seat| table.consented(seat))
}

/// The field with which an arbiter's ruling opens the sealed cards of a game, so that the arbiter can see them. The
/// value of the field is the number of the game in the match, from 1.
pub const OPENS: &str = "x-opens";

/// The numbers of the games whose sealed cards the arbiter opened, each with the line number of the last ruling that
/// opened the game. A ruling opens only cards that were dealt before it.
pub fn opened_by_ruling(lines: &[(u32, Value)]) -> BTreeMap<u64, u32> {
    let rulings = lines.iter().filter(|(_, line)| line.get("do").is_some_and(|verb| verb == "rule"));
    rulings.filter_map(|(number, line)| Some((line.get(OPENS)?.as_u64()?, *number))).collect()
}

/// Says of each ruling among these lines that it opened sealed cards. The first line is line 2 of its record.
pub fn openings_told<'a>(lines: impl Iterator<Item = &'a Line>) -> Vec<Sentence> {
    (2..).zip(lines).filter_map(|(number, line)| opening_told(number, line)).collect()
}

/// Says that this line, with this number in its record, opened sealed cards, if it did.
pub fn opening_told(number: u32, line: &Line) -> Option<Sentence> {
    let Some(Datum::Number(game)) = line.extension(OPENS) else { return None };
    let Body::Acted(Input::Common(Common::Rule(ruling))) = &line.body else { return None };
    let reason = ruling.reason.clone();
    Some(say!(
        "sheet-opened",
        "the sealed cards of game {game} were opened for the arbiter, by the ruling on line {number}: {reason}",
        game,
        number,
        reason
    ))
}

/// The dealt and the turned-over cards of one game. Use this type only for output to people who may see hidden
/// cards. `Debug` prints no faces.
#[derive(Clone, Default)]
pub struct GameCards {
    deals: Vec<(u32, Faces)>,
    shown: ByColor<Vec<(u32, String)>>,
    /// How many hidden cards each player got on which lines, in a game in which cards are drawn.
    drawn: ByColor<Vec<(u32, u32)>>,
    /// The cards that came into a hand in sight of everybody.
    gained: ByColor<Vec<(u32, String)>>,
}

impl std::fmt::Debug for GameCards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GameCards").field("deals", &self.deals.len()).finish_non_exhaustive()
    }
}

impl GameCards {
    /// The cards of each game of a table, the oldest game first.
    pub fn of_games(table: &Table) -> Vec<Self> {
        table.actions_by_game().iter().map(|actions| Self::of(actions)).collect()
    }

    /// The cards of the game in progress, or of the last game.
    pub fn of_last(table: &Table) -> Self {
        table.actions_by_game().last().map(|actions| Self::of(actions)).unwrap_or_default()
    }

    fn of(actions: &[(u32, &Action)]) -> Self {
        let mut game = Self::default();
        for (line, action) in actions {
            match action {
                Action::Deal(cards) => game.deals.push((*line, faces(cards))),
                Action::Reveal(reveal) => {
                    game.shown[reveal.by].push((*line, reveal.card.letter().to_string()));
                }
                Action::Bet { .. }
                | Action::Place(_)
                | Action::Correct(_)
                | Action::Fouled { .. }
                | Action::Play(_) => {}
                Action::Own(own) => {
                    game.deals.extend(own.deals().map(|faces| (*line, faces)));
                    for (by, count) in own.draws().iter().filter(|(_, count)| **count > 0) {
                        game.drawn[by].push((*line, *count));
                    }
                    for (by, face) in own.shows() {
                        game.shown[by].push((*line, face));
                    }
                    for (by, face) in own.gains() {
                        game.gained[by].push((*line, face));
                    }
                }
            }
        }
        game
    }

    /// Removes the cards that were dealt after the line with number `last`.
    #[must_use]
    pub fn until(mut self, last: u32) -> Self {
        self.deals.retain(|(line, _)| *line <= last);
        self
    }

    /// A player's cards in the order in which they were dealt, with `?` for an unknown face. The list is empty if no
    /// deal mentions this player's cards.
    pub fn dealt(&self, color: Color) -> Vec<&str> {
        let known = self.deals.iter().filter_map(|(_, faces)| faces[color].as_ref());
        known.flatten().map(String::as_str).collect()
    }

    /// Whether the face of any dealt card is known.
    pub fn any_known(&self) -> bool {
        Color::ALL.into_iter().any(|color| self.dealt(color).iter().any(|face| *face != HIDDEN))
    }

    /// The lines on which a player turned over a card that cannot be one of the cards dealt to that player. A dealt
    /// card whose face is unknown can have any face.
    pub fn contradictions(&self) -> Vec<(u32, Color)> {
        let mut wrong = Vec::new();
        for color in Color::ALL {
            let shown = self.turned_over(color);
            if !self.drawn[color].is_empty() {
                wrong.extend(self.contradictions_of_draws(color).into_iter().map(|line| (line, color)));
                continue;
            }
            if self.deals.iter().any(|(_, faces)| faces[color].is_none()) {
                continue;
            }
            let mut left = self.dealt(color);
            for (line, face) in &shown {
                let card = left.iter().position(|dealt| dealt == face);
                match card.or_else(|| left.iter().position(|dealt| *dealt == HIDDEN)) {
                    Some(nth) => drop(left.remove(nth)),
                    None => wrong.push((*line, color)),
                }
            }
        }
        wrong.sort_unstable_by_key(|(line, _)| *line);
        wrong
    }

    /// The same for one player of a game in which cards are drawn: the lines.
    fn contradictions_of_draws(&self, color: Color) -> Vec<u32> {
        let known = |line: u32| {
            let told = self.deals.iter().filter(move |(dealt, _)| *dealt == line);
            told.filter_map(|(_, faces)| faces[color].as_ref()).flatten().filter(|face| *face != HIDDEN)
        };
        let mut lines: BTreeSet<u32> = self.drawn[color].iter().map(|(line, _)| *line).collect();
        lines.extend(self.deals.iter().map(|(line, _)| *line));
        let shown = self.turned_over(color);
        lines.extend(shown.iter().map(|(line, _)| *line));
        let (mut held, mut unknown, mut wrong) = (Vec::<&str>::new(), 0_usize, Vec::new());
        for line in lines {
            for (_, face) in shown.iter().filter(|(shown, _)| *shown == line) {
                match held.iter().position(|known| known == face) {
                    Some(nth) => drop(held.swap_remove(nth)),
                    None if unknown > 0 => unknown -= 1,
                    None => wrong.push(line),
                }
            }
            let drawn = self.drawn[color].iter().filter(|(drawn, _)| *drawn == line);
            unknown += drawn.map(|(_, count)| usize::try_from(*count).unwrap_or(0)).sum::<usize>();
            unknown = unknown.saturating_sub(known(line).count());
            held.extend(known(line).map(String::as_str));
        }
        wrong
    }

    /// The hidden cards that a player turned over, each with its line. A card that everybody has seen come into his hand is
    /// none of them.
    fn turned_over(&self, color: Color) -> Vec<(u32, &str)> {
        let mut known: Vec<&(u32, String)> = self.gained[color].iter().collect();
        let mut hidden = |(line, face): &(u32, String)| {
            let seen = known.iter().position(|(gained, card)| gained < line && card == face);
            seen.map(|nth| known.remove(nth)).is_none()
        };
        self.shown[color]
            .iter()
            .filter(|card| hidden(card))
            .map(|(line, face)| (*line, face.as_str()))
            .collect()
    }

    /// For each `deal` line, the indices of its cards that were turned over later. If a player has several cards with
    /// the same face and turned over only some of them, those dealt first are taken as the turned-over ones.
    fn shown(&self) -> Vec<(u32, ShownCards)> {
        let mut left = ByColor::new(|color| self.turned_over(color));
        let mut found = |dealt: Option<&Vec<String>>, told: u32, color: Color| -> BTreeSet<usize> {
            let mut places = BTreeSet::new();
            for (place, card) in dealt.into_iter().flatten().enumerate() {
                if let Some(nth) = left[color].iter().position(|(line, face)| *line > told && face == card) {
                    left[color].swap_remove(nth);
                    places.insert(place);
                }
            }
            places
        };
        let places = self.deals.iter().map(|(line, faces)| {
            let white = found(faces.white.as_ref(), *line, Color::White);
            (*line, ShownCards { white, black: found(faces.black.as_ref(), *line, Color::Black) })
        });
        places.collect()
    }
}

/// The numbers (from 1) of the games whose dealt cards are known or sealed. Sealed cards count even if this computer
/// cannot open them.
pub fn sealed_games(table: &Table, lines: &[Line]) -> Vec<u64> {
    let sealed = |line: u32| {
        let index = usize::try_from(line).ok().and_then(|line| line.checked_sub(2));
        let line = index.and_then(|index| lines.get(index));
        line.is_some_and(Line::is_sealed)
    };
    let cards = GameCards::of_games(table);
    let games = (1..).zip(table.actions_by_game()).zip(cards);
    games
        .filter(|((_, actions), cards)| cards.any_known() || actions.iter().any(|(line, _)| sealed(*line)))
        .map(|((number, _), _)| number)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::GAMES;

    const HEADER: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":9,"B":9},"small_blind":1}}"#;

    /// Exports a game in which White was dealt R R Q Q P. `after` are the lines after the betting.
    fn exported(after: &[&str]) -> String {
        let mut lines: Vec<String> = vec![
            HEADER.to_owned(),
            r#"{"t":0,"do":"deal","cards":{"white":["R","R"]}}"#.to_owned(),
            r#"{"t":0,"do":"bet","by":"white","action":"all-in"}"#.to_owned(),
            r#"{"t":0,"do":"bet","by":"black","action":"call"}"#.to_owned(),
            r#"{"t":0,"do":"deal","cards":{"white":["Q","Q"]}}"#.to_owned(),
            r#"{"t":0,"do":"deal","cards":{"white":["P"]}}"#.to_owned(),
        ];
        lines.extend(after.iter().map(|line| (*line).to_owned()));
        let mut replay = Replay::begin(HEADER, GAMES).expect("a header");
        for (line, number) in lines.iter().zip(1..).skip(1) {
            replay.feed(number, line).unwrap_or_else(|stop| panic!("line {number}: {stop}"));
        }
        let mut exported = Exported::begin(&replay);
        for (line, number) in lines.iter().zip(1..) {
            exported.add(number, line.parse().expect("JSON"));
        }
        exported.into_text()
    }

    #[test]
    fn a_card_that_was_never_shown_leaves_the_house_as_a_question_mark() {
        let text = exported(&[]);
        assert!(text.contains(r#""cards":{"white":["?","?"]}"#), "{text}");
        assert!(!text.contains('Q'), "{text}");
    }

    #[test]
    fn a_reveal_that_was_taken_back_shows_one_card_and_not_two() {
        let reveal = r#"{"t":1,"do":"reveal","by":"white","card":"R","id":"a"}"#;
        let again = r#"{"t":1,"do":"reveal","by":"white","card":"R"}"#;
        let text = exported(&[reveal, reveal, r#"{"t":1,"do":"undo"}"#, again]);
        assert!(text.contains(r#""cards":{"white":["R","?"]}"#), "{text}");
    }

    #[test]
    fn cards_lie_open_once_the_match_is_over_and_both_agree() {
        let end = r#"{"t":1,"do":"resign","by":"white"}"#;
        let (one, other) =
            (r#"{"t":2,"do":"consent","by":"white"}"#, r#"{"t":3,"do":"consent","by":"black"}"#);
        assert!(exported(&[end, one]).contains(r#"["?","?"]"#));
        let text = exported(&[end, one, other]);
        assert!(text.contains(r#"["R","R"]"#) && text.contains(r#"["Q","Q"]"#), "{text}");
    }

    fn cards(after: &[&str]) -> GameCards {
        let mut replay = Replay::begin(HEADER, GAMES).expect("a header");
        let dealt = [
            r#"{"t":0,"do":"deal","cards":{"white":["R","R"],"black":["?","B"]}}"#,
            r#"{"t":0,"do":"bet","by":"white","action":"all-in"}"#,
            r#"{"t":0,"do":"bet","by":"black","action":"call"}"#,
            r#"{"t":0,"do":"deal","cards":{"white":["Q","Q"],"black":["B","N"]}}"#,
            r#"{"t":0,"do":"deal","cards":{"white":["P"],"black":["N"]}}"#,
        ];
        for (line, number) in dealt.iter().chain(after).zip(2..) {
            replay.feed(number, line).unwrap_or_else(|stop| panic!("line {number}: {stop}"));
        }
        GameCards::of_last(replay.table())
    }

    #[test]
    fn a_card_that_was_not_dealt_contradicts_the_deal_unless_one_dealt_card_is_unknown() {
        let placed = [
            r#"{"t":1,"do":"reveal","by":"white","card":"R"}"#,
            r#"{"t":1,"do":"place","by":"white","piece":"R","at":"a1"}"#,
            r#"{"t":1,"do":"press","by":"white"}"#,
            r#"{"t":2,"do":"reveal","by":"black","card":"P"}"#,
            r#"{"t":2,"do":"place","by":"black","piece":"P","at":"a7"}"#,
            r#"{"t":2,"do":"press","by":"black"}"#,
        ];
        assert_eq!(cards(&placed).contradictions(), []);
        let white = r#"{"t":3,"do":"reveal","by":"white","card":"N"}"#;
        assert_eq!(cards(&[&placed[..], &[white]].concat()).contradictions(), [(13, Color::White)]);
        let white = r#"{"t":3,"do":"reveal","by":"white","card":"R"}"#;
        assert_eq!(cards(&[&placed[..], &[white]].concat()).contradictions(), []);
        assert!(!format!("{:?}", cards(&placed)).contains('R'));
    }

    /// Exports these lines of PokerDrez.
    fn exported_drez(lines: &[&str]) -> String {
        let header = r#"{"tabiya":1,"game":"pokerdrez","players":{"A":"Ann","B":"Bo"},"white":"A"}"#;
        let mut replay = Replay::begin(header, GAMES).expect("a header");
        for (line, number) in lines.iter().zip(2..) {
            replay.feed(number, line).unwrap_or_else(|stop| panic!("line {number}: {stop}"));
        }
        let mut exported = Exported::begin(&replay);
        for (line, number) in std::iter::once(&header).chain(lines).zip(1..) {
            exported.add(number, line.parse().expect("JSON"));
        }
        exported.into_text()
    }

    #[test]
    fn a_card_that_everybody_saw_come_into_a_hand_opens_no_hidden_one() {
        let text = exported_drez(&[
            r#"{"t":0,"do":"deal","cards":{"common":["Q","P","P","P","P"],"white":["X","P"],"black":["R","N"]}}"#,
            r#"{"t":1,"do":"swap","by":"white","from":"own","with":"common","card":"P"}"#,
            r#"{"t":2,"do":"reveal","by":"white","card":"P","from":"own"}"#,
            r#"{"t":3,"do":"move","by":"white","uci":"e2e4"}"#,
        ]);
        assert!(text.contains(r#""white":["X","?"]"#) && text.contains(r#""black":["?","?"]"#), "{text}");
    }

    #[test]
    fn a_card_that_is_told_after_its_face_was_shown_stays_hidden() {
        let text = exported_drez(&[
            r#"{"t":0,"do":"deal","cards":{"common":["Q","N","N","N","N"],"white":["?","?"]}}"#,
            r#"{"t":1,"do":"reveal","by":"white","card":"P","from":"own"}"#,
            r#"{"t":2,"do":"move","by":"white","uci":"e2e4"}"#,
            r#"{"t":3,"do":"deal","cards":{"white":["P"]}}"#,
        ]);
        assert!(!text.contains(r#"["P"]"#), "{text}");
    }
}
