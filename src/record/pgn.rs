//! A match as PGN: every game that was begun, with its betting and placement in a comment.
//!
//! This file turns a replayed record into text, without files or devices, and fast enough to run after each
//! move. `docs/exports.md` explains each tag and comment. The chess rules supply the moves in SAN.
//!
//! Source: Portable Game Notation Specification and Implementation Guide (1994), 8.1, 8.2, 9; the
//! `%clk` command of its 2001 supplement. Checked by: `tests/engine/pgn.rs` (pgn-reader) and
//! `tests/engine/pgn_python.rs` (python-chess).
#![warn(clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::fmt::Display;

use chrono::{DateTime, FixedOffset, TimeDelta};
use tabiya_types::{Board, BySeat, Color, Instant, Millis, Seat, harmless};

use super::header::Header;
use super::proof::Proof;
use super::replay::Replay;
use super::story::{Event, Story};
use crate::rules::{
    ChessLeg, ChessPhase, Chips, Decision, Game, Goal, HeapPlace, Outcome, Place, PokerHands, Reason, Stakes,
};
use crate::table::{Table, points_in_words};

/// The start position of ordinary chess, which needs no `FEN` tag.
const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// The length limit for lines of moves and comments, in characters. Each line is shorter than this.
const COLUMNS: usize = 80;
/// The longest word in a comment, in characters. Longer words are split.
const LONGEST_WORD: usize = 60;
/// The seven tags that every game has, in their order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
/// Tags whose values always come from the match itself. If the header gives a value for such a tag, that value is
/// ignored.
const DECIDED: [&str; 15] = [
    "White",
    "Black",
    "Result",
    "SetUp",
    "FEN",
    "Variant",
    "TimeControl",
    "WhiteTimeControl",
    "BlackTimeControl",
    "Termination",
    "TabiyaDeal",
    "TabiyaGame",
    "TabiyaMatch",
    "TabiyaHead",
    "TabiyaTime",
];

/// Returns the whole match as one PGN text. `proof` is the record's head with its signature, as far as they are known.
pub fn text<'a>(replay: &Replay, proof: impl Into<Proof<'a>>) -> String {
    games(replay, proof).join("\n")
}

/// Returns the PGN texts of all games, the oldest game first. Usually there is one text for each game. If the
/// arbiter set another position during a game, that game has several texts. A game with an empty board has no
/// text.
pub fn games<'a>(replay: &Replay, proof: impl Into<Proof<'a>>) -> Vec<String> {
    write(replay.header(), replay.table(), replay.story(), proof.into())
}

/// Returns the PGN text of a game of which only the result is known: the tags, and the result in the place of the moves.
pub fn without_moves(tags: &BTreeMap<String, String>, result: &str) -> String {
    format!("{}\n{result}\n", print_tags(tags))
}

/// Returns the PGN texts of a match from its parts: header, table and story. [`games`] explains the result.
pub fn write(header: &Header, table: &Table, story: &Story, proof: Proof<'_>) -> Vec<String> {
    let past = table.past_games().iter().map(|past| (past.white, &*past.game));
    let mut pages: Vec<Page> = past
        .chain([(table.white(), table.game())])
        .zip(story.games())
        .zip(1..)
        .map(|(((white, game), events), number)| Page {
            number,
            white,
            game,
            story: GameStory::of(events),
            abandoned: table.match_over(),
        })
        .collect();
    if !table.begun() && pages.len() > 1 {
        pages.pop();
    }
    pages.retain(|page| page.game.board() != Board::EMPTY);
    let sheet = Sheet { header, proof, several: pages.len() > 1 };
    pages.iter().flat_map(|page| sheet.page(page)).collect()
}

/// One game of the match.
struct Page<'a> {
    /// The number of the game in the match, from 1.
    number: usize,
    white: Seat,
    game: &'a dyn Game,
    story: GameStory,
    /// Whether the match is over. In that case, a game without a result counts as abandoned, because it will never get
    /// a result.
    abandoned: bool,
}

impl Page<'_> {
    fn seat(&self, color: Color) -> Seat {
        Seat::playing(color, self.white)
    }

    fn termination(&self) -> &'static str {
        match self.game.outcome().map(|outcome| outcome.reason) {
            None if self.abandoned => "abandoned",
            None => "unterminated",
            Some(reason) => reason.termination(),
        }
    }

    fn result(&self) -> &'static str {
        match self.game.outcome().map(Outcome::decision) {
            None | Some(Decision::Points(_) | Decision::NoResult) => "*",
            Some(Decision::Won(Color::White)) => "1-0",
            Some(Decision::Won(Color::Black)) => "0-1",
            Some(Decision::Drawn) => "1/2-1/2",
        }
    }

    /// Sentences about the game's result and about the chips. The list is empty while the game is in progress.
    fn ending(&self, players: &BySeat<String>) -> Vec<String> {
        let Some(outcome) = self.game.outcome() else { return Vec::new() };
        let stakes = self.game.stakes();
        let chips = stakes != Stakes::default();
        let by = match outcome.reason {
            Reason::Forfeit => "forfeit".to_owned(),
            reason => reason.word().replace('-', " "),
        };
        let pot = stakes.awarded.white + stakes.awarded.black;
        let mut sentences = Vec::new();
        if let Some(reason) = self.game.poker_hands().and_then(PokerHands::ended_by) {
            let points = self.game.score().map(|score| score.points).unwrap_or_default();
            let by = reason.word().replace('-', " ");
            sentences
                .push(format!("The chess ends by {by}, White {}, Black {}.", points.white, points.black));
        }
        sentences.push(match outcome.decision() {
            Decision::Won(winner) if outcome.reason.is_draw() && chips => {
                format!("Drawn by {by}: {winner} wins, as agreed, and takes the pot of {pot}.")
            }
            Decision::Won(winner) if outcome.reason.is_draw() => {
                format!("Drawn by {by}: {winner} wins, as agreed.")
            }
            Decision::Won(winner) if chips => format!("{winner} wins by {by} and takes the pot of {pot}."),
            Decision::Won(winner) => format!("{winner} wins by {by}."),
            Decision::NoResult if chips => "No result, all bets go back.".to_owned(),
            Decision::NoResult => "No result.".to_owned(),
            Decision::Points(half_points) => {
                let points = |color| points_in_words(half_points[color].into());
                let names = self.by_name(players, points);
                format!("Points by {by}: {names}.")
            }
            Decision::Drawn => match stakes.taker() {
                Some(taker) => format!("Drawn by {by}, {taker} takes the pot of {pot}."),
                None if chips => format!("Drawn by {by}, each takes back {}.", stakes.awarded.white),
                None => format!("Drawn by {by}."),
            },
        });
        if chips {
            sentences.push(format!("Stacks: {}.", self.by_name(players, |color| stakes.stacks[color])));
        }
        sentences.extend(self.points(players));
        sentences
    }

    /// The points and the cards left in the deck, in a game that points win.
    fn points(&self, players: &BySeat<String>) -> Option<String> {
        let score = self.game.score().filter(|score| matches!(score.wins, Some(Goal::Total(_))))?;
        let stock = self.game.cards()?.heaps().into_iter().find(|heap| heap.place == HeapPlace::Stock)?;
        let points = self.by_name(players, |color| score.points[color]);
        Some(format!("Points: {points}. Deck: {}.", stock.down))
    }

    fn by_name<T: Display>(&self, players: &BySeat<String>, count: impl Fn(Color) -> T) -> String {
        let one = |color| format!("{} {}", players[self.seat(color)], count(color));
        format!("{}, {}", one(Color::White), one(Color::Black))
    }
}

/// The facts that the PGN texts of all games of a match share.
struct Sheet<'a> {
    header: &'a Header,
    /// The record's head, and its signature, if known.
    proof: Proof<'a>,
    /// Whether the match has more than one game.
    several: bool,
}

/// The part of a game that becomes one PGN text. A new part begins when the arbiter sets another position. A
/// game that has not reached the chess phase is a single part without moves.
struct Part<'a> {
    fen: &'a str,
    chess960: bool,
    san: &'a [String],
    /// How many moves of the game were made before this part.
    from: usize,
    /// Whether this part contains the beginning of the game.
    first: bool,
    /// Whether this part contains the end of the game.
    last: bool,
}

impl Sheet<'_> {
    fn page(&self, page: &Page) -> Vec<String> {
        let players = &self.header.agreement.players;
        let score = page.game.chess().map(ChessPhase::score);
        let listed = page.game.play_list();
        let (chess960, legs) = match (score, listed) {
            (Some(score), _) => (score.chess960, score.legs),
            (None, Some(listed)) => (false, listed.legs.to_vec()),
            (None, None) => {
                // The game has not reached the chess phase, so its position is the board with the pieces placed so
                // far.
                let start_fen = format!("{} w - - 0 1", page.game.board());
                (false, vec![ChessLeg { start_fen, san: Vec::new() }])
            }
        };
        let mut from = 0;
        let mut texts = Vec::new();
        for (nth, leg) in legs.iter().enumerate() {
            let (first, last) = (nth == 0, nth + 1 == legs.len());
            let part = Part { fen: &leg.start_fen, chess960, san: &leg.san, from, first, last };
            let mut text = self.tags(page, &part);
            text.push('\n');
            text.push_str(&wrap(&part.movetext(page, players)));
            texts.push(text);
            from += leg.san.len();
        }
        texts
    }

    fn tags(&self, page: &Page, part: &Part) -> String {
        let mut tags: BTreeMap<String, String> = BTreeMap::new();
        let mut put = |name: &str, value: &str| {
            tags.insert(name.to_owned(), value.to_owned());
        };
        for (name, value) in self.moments(page) {
            put(name, &value);
        }
        for (name, value) in &self.header.tags {
            if is_tag_name(name) && !DECIDED.contains(&name.as_str()) {
                put(&self.for_colors(name, page), value);
            }
        }
        let given = self.header.tags.iter().find(|(name, _)| name == "Round").map(|(_, round)| round);
        match given {
            Some(round) if self.several => put("Round", &format!("{round}.{}", page.number)),
            None if self.several => put("Round", &page.number.to_string()),
            Some(_) | None => {}
        }
        let agreement = &self.header.agreement;
        put("White", &agreement.players[page.white]);
        put("Black", &agreement.players[page.white.other()]);
        put("Result", if part.last { page.result() } else { "*" });
        put("Termination", if part.last { page.termination() } else { "unterminated" });
        if part.chess960 {
            put("Variant", "Chess960");
        } else if part.fen == USUAL && page.game.cards().is_some() {
            // The moves are those of chess. A name that readers do not know would make them refuse the game.
            put("Variant", "Standard");
        }
        if let Some(hands) = page.game.poker_hands() {
            put("TabiyaDeal", &hands.deal());
        }
        if part.chess960 || part.fen != USUAL {
            put("SetUp", "1");
            put("FEN", part.fen);
        }
        for (name, value) in self.times(page) {
            put(name, &value);
        }
        put("TabiyaGame", agreement.game);
        if let Some(id) = &self.header.id {
            put("TabiyaMatch", id);
        }
        if let Some(head) = self.proof.head {
            put("TabiyaHead", head);
        }
        if let Some(signed) = self.proof.signed {
            put("TabiyaKey", &signed.key);
            put("TabiyaSigned", &signed.at);
            put("TabiyaSignature", &signed.signature);
            if let Some(from) = self.proof.from {
                put("TabiyaSignedFrom", &from.to_string());
            }
        }
        print_tags(&tags)
    }

    /// The name that a tag of the header gets in this game. In the header, tags such as `WhiteElo` name the players by
    /// their colours in the first game. In a game with swapped colours `WhiteElo` becomes `BlackElo`, so that the tag
    /// stays with the same person.
    fn for_colors(&self, name: &str, page: &Page) -> String {
        if page.white == self.header.agreement.white {
            return name.to_owned();
        }
        match (name.strip_prefix("White"), name.strip_prefix("Black")) {
            (Some(rest), _) => format!("Black{rest}"),
            (_, Some(rest)) => format!("White{rest}"),
            (None, None) => name.to_owned(),
        }
    }

    /// The tags for the date and time at which the game began. The list is empty if the header has no `start`.
    fn moments(&self, page: &Page) -> Vec<(&'static str, String)> {
        let start = self.header.start.as_deref().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
        let Some(begun) = start.and_then(|start| later(start, page.story.begun)) else { return Vec::new() };
        let utc = begun.to_utc();
        vec![
            ("Date", begun.format("%Y.%m.%d").to_string()),
            ("UTCDate", utc.format("%Y.%m.%d").to_string()),
            ("UTCTime", utc.format("%H:%M:%S").to_string()),
        ]
    }

    /// The tags for the time controls.
    fn times(&self, page: &Page) -> Vec<(&'static str, String)> {
        let controls = self.header.agreement.terms.setting(page.white).controls;
        let (white, black) = (controls.white.to_string(), controls.black.to_string());
        if white == black {
            return if in_pgn(&white) {
                vec![("TimeControl", white)]
            } else {
                vec![("TimeControl", "?".to_owned()), ("TabiyaTime", white)]
            };
        }
        let mut times = vec![("TimeControl", "?".to_owned())];
        for (name, time) in [("WhiteTimeControl", &white), ("BlackTimeControl", &black)] {
            times.push((name, if in_pgn(time) { time.clone() } else { "?".to_owned() }));
        }
        times.push(("TabiyaTime", format!("{white} {black}")));
        times
    }
}

impl Part<'_> {
    fn movetext(&self, page: &Page, players: &BySeat<String>) -> Vec<String> {
        let mut words = Vec::new();
        // Plays that are no moves of chess begin a new part too.
        let has_cards = page.game.play_list().is_some();
        let mut said = if self.first {
            page.story.intro(|chips| page.by_name(players, chips))
        } else if has_cards {
            vec!["The game goes on.".to_owned()]
        } else {
            vec!["The arbiter set this position.".to_owned()]
        };
        let mut clock = None;
        let mut number_due = true;
        let (mut white, mut number) = to_move(self.fen);
        for (made, san) in (self.from + 1..).zip(self.san) {
            number_due |= comment(&mut words, clock, &said);
            words.push(match (white, number_due) {
                (true, _) => format!("{number}. {san}"),
                (false, true) => format!("{number}... {san}"),
                (false, false) => san.clone(),
            });
            (clock, said) = (page.story.clock(made), page.story.after(made));
            number += u32::from(!white);
            (white, number_due) = (!white, false);
        }
        if self.last {
            said.extend(page.ending(players));
        } else if has_cards {
            said.push("The next PGN game continues from this position.".to_owned());
        } else {
            said.push("The next PGN game continues from the position that the arbiter set.".to_owned());
        }
        comment(&mut words, clock, &said);
        words.push(if self.last { page.result() } else { "*" }.to_owned());
        words
    }
}

/// The events of one game, sorted by the place in the PGN text at which they are written.
#[derive(Default)]
struct GameStory {
    begun: Option<Instant>,
    /// The stacks before the first deal.
    stacks: Option<tabiya_types::ByColor<Chips>>,
    /// The sentences before the first move.
    before: Vec<String>,
    /// For each move, the side that made it. Also the reading of that side's clock at the end of the turn; `None` if
    /// the reading is unknown.
    moves: Vec<(Color, Option<Millis>)>,
    /// How many moves had been made at the arbiter's last ruling. A clock reading that was taken after the ruling is
    /// not written beside any of these moves.
    settled: usize,
    /// The sentences after the first move, each with the number of moves that were made before it.
    after: Vec<(usize, String)>,
    /// How many streets were dealt.
    streets: usize,
    /// The bets of the current street in words, and the pot.
    street: Option<(Vec<String>, Chips)>,
    /// The placements in words, one for each card.
    placed: Vec<String>,
    /// The player who turned a card over in the current turn, and the letter of that card.
    open: Option<(Color, String)>,
    /// The sentence about the placement of the turned-over card. It is final only when the turn ends: a later placement
    /// in the same turn replaces it.
    standing: Option<String>,
}

impl GameStory {
    fn of(events: &[Event]) -> Self {
        let mut story = Self::default();
        for event in events {
            story.add(event);
        }
        story.close();
        story
    }

    fn add(&mut self, event: &Event) {
        match event {
            Event::Next => {}
            Event::Begun(at) => self.begun = Some(*at),
            Event::Dealt { stacks, posts, pot, betting } => {
                self.close();
                self.streets += 1;
                self.stacks.get_or_insert(*stacks);
                let post =
                    |color| (posts[color] > Chips::ZERO).then(|| format!("{color} posts {}", posts[color]));
                let mut parts: Vec<String> = Color::ALL.into_iter().filter_map(post).collect();
                if !betting {
                    parts.push("no betting".to_owned());
                }
                self.street = Some((parts, *pot));
            }
            Event::Bet { words, pot } => {
                let (parts, chips) = self.street.get_or_insert_default();
                parts.push(words.clone());
                *chips = *pot;
            }
            Event::Revealed { by, card } => {
                self.close_street();
                self.close_card();
                self.open = Some((*by, card.clone()));
            }
            Event::Placed(Place { by, piece, at, says, stands: _ }) => {
                let piece = piece.letter().to_string();
                let card = self.open.as_ref().map_or(&piece, |(_, card)| card);
                let change = if *card == piece { piece } else { format!("{card}→{piece}") };
                let says = says.map(|says| format!(" {}", says.word())).unwrap_or_default();
                self.standing = Some(format!("{by} {change} {at}{says}"));
            }
            Event::Used => self.settled = self.moves.len(),
            Event::Ruled => {
                self.standing = None;
                self.settled = self.moves.len();
            }
            Event::Moved(by) => {
                self.close();
                self.moves.push((*by, None));
            }
            Event::Clock { by, left } => {
                let open = self.moves.get_mut(self.settled..).unwrap_or_default();
                if let Some((_, clock @ None)) = open.iter_mut().rev().find(|(mover, _)| mover == by) {
                    *clock = Some(*left);
                }
            }
            Event::Remark(sentence) => {
                self.close();
                let mut letters = sentence.chars();
                let first = letters.next().into_iter().flat_map(char::to_uppercase);
                self.tell(format!("{}.", first.chain(letters).collect::<String>()));
            }
        }
    }

    /// Adds a sentence after the moves so far.
    fn tell(&mut self, sentence: String) {
        match self.moves.len() {
            0 => self.before.push(sentence),
            made => self.after.push((made, sentence)),
        }
    }

    /// Completes the sentences about the current street, the turned-over card and the placement.
    fn close(&mut self) {
        self.close_street();
        self.close_card();
        if !self.placed.is_empty() {
            self.before.push(format!("Placement: {}.", self.placed.join(", ")));
            self.placed.clear();
        }
    }

    fn close_street(&mut self) {
        if let Some((parts, pot)) = self.street.take() {
            if self.streets == 0 {
                // The bets of a game without streets stand among its moves.
                self.tell(format!("{}.", parts.join(", ")));
                self.tell(format!("Pot {pot}."));
                return;
            }
            let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
            self.before.push(format!("Deal {}{parts}.", self.streets));
            self.before.push(format!("Pot {pot}."));
        }
    }

    fn close_card(&mut self) {
        let open = self.open.take().map(|(by, card)| format!("{by} {card} not placed"));
        self.placed.extend(self.standing.take().or(open));
    }

    fn intro(&self, by_name: impl Fn(&dyn Fn(Color) -> Chips) -> String) -> Vec<String> {
        let stacks = self.stacks.map(|stacks| format!("Stacks: {}.", by_name(&|color| stacks[color])));
        stacks.into_iter().chain(self.before.iter().cloned()).collect()
    }

    fn clock(&self, made: usize) -> Option<Millis> {
        self.moves.get(made.checked_sub(1)?)?.1
    }

    fn after(&self, made: usize) -> Vec<String> {
        self.after.iter().filter(|(moves, _)| *moves == made).map(|(_, sentence)| sentence.clone()).collect()
    }
}

/// The date and time at which a game began, in the time zone of `start`; `None` if the date is out of range.
fn later(start: DateTime<FixedOffset>, at: Option<Instant>) -> Option<DateTime<FixedOffset>> {
    let millis = i64::try_from(at.unwrap_or(Instant::ZERO).millis()).ok()?;
    start.checked_add_signed(TimeDelta::try_milliseconds(millis)?)
}

/// Whether White is to move in a FEN, and the FEN's move number.
fn to_move(fen: &str) -> (bool, u32) {
    let mut fields = fen.split(' ').skip(1);
    let white = fields.next() != Some("b");
    let number = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
    (white, number)
}

/// Whether PGN has a notation for a time control (section 9.6.1 of the PGN standard). PGN can express any
/// number of stages with a number of moves each, followed by sudden death, an increment or an hourglass.
fn in_pgn(control: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let timed = |text: &str| match text.split_once('+') {
        Some((base, increment)) => number(base) && number(increment),
        None => number(text),
    };
    let counted =
        |stage: &str| stage.split_once('/').is_some_and(|(moves, time)| number(moves) && timed(time));
    let mut stages = control.split(':').rev();
    let last = stages.next().unwrap_or_default();
    let ends = control == "-" || timed(last) || counted(last) || last.strip_prefix('*').is_some_and(number);
    ends && stages.all(counted)
}

/// Whether PGN allows this name for a tag: letters, digits and `_`, the first one a letter.
fn is_tag_name(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The tags as text: first the seven tags that the PGN standard requires, in the standard's order, then all others in
/// alphabetical order.
fn print_tags(tags: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    let mut put = |name: &str, value: &str| {
        text.extend(["[", name, " \"", &tag_value(value), "\"]\n"]);
    };
    for name in ROSTER {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        put(
            name,
            tags.get(name).map(String::as_str).filter(|value| !value.trim().is_empty()).unwrap_or(unknown),
        );
    }
    for (name, value) in tags {
        if !ROSTER.contains(&name.as_str()) {
            put(name, value);
        }
    }
    text
}

/// The value of a tag with quotes and backslashes escaped. Control characters become spaces.
fn tag_value(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for letter in harmless(value).chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            _ => text.push(letter),
        }
    }
    text
}

/// Adds a comment with a clock reading and sentences to `words`. Returns `false` if there is neither a reading
/// nor a sentence.
fn comment(words: &mut Vec<String>, clock: Option<Millis>, sentences: &[String]) -> bool {
    let clock = clock.map(|left| format!("[%clk {}]", clk(left)));
    let said: Vec<String> =
        clock.into_iter().chain(sentences.iter().flat_map(|text| plain_words(text))).collect();
    let Some(last) = said.len().checked_sub(1) else { return false };
    for (nth, word) in said.into_iter().enumerate() {
        words.push(match (nth == 0, nth == last) {
            (true, true) => format!("{{ {word} }}"),
            (true, false) => format!("{{ {word}"),
            (false, true) => format!("{word} }}"),
            (false, false) => word,
        });
    }
    true
}

/// Splits a text into words that are safe inside a comment. Braces and brackets become parentheses, because a
/// brace would end the comment and a bracket would begin a command. `%` and `;` at the start of a word are
/// dropped, because PGN readers skip lines that begin with these characters.
fn plain_words(text: &str) -> Vec<String> {
    let safe: String = harmless(text)
        .chars()
        .map(|letter| match letter {
            '{' | '[' => '(',
            '}' | ']' => ')',
            _ => letter,
        })
        .collect();
    safe.split_whitespace()
        .flat_map(|word| {
            let letters: Vec<char> = word.chars().collect();
            letters.chunks(LONGEST_WORD).map(|part| part.iter().collect::<String>()).collect::<Vec<_>>()
        })
        .map(|word| word.trim_start_matches(['%', ';']).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

/// A time as `h:mm:ss`. A fraction of a second is rounded up, as on all displays of the clock.
fn clk(left: Millis) -> String {
    let secs = left.0.div_ceil(1000);
    format!("{}:{:02}:{:02}", secs / 3600, secs / 60 % 60, secs % 60)
}

/// Joins the words to lines that are shorter than [`COLUMNS`]. Each line ends with a line feed.
fn wrap(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length >= COLUMNS {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
