//! A second implementation of effects, moves and check: slow, without sets of squares and without short cuts. It reads
//! only effects that are right.
//!
//! Source: `docs/effects-chess-joker.md`, `docs/record-chess-joker.md`. The laws compare it with the engine.

#![expect(
    clippy::struct_excessive_bools,
    clippy::option_option,
    reason = "a step has as many sides as the grammar says"
)]

use std::collections::BTreeMap;

/// File and rank, 0 to 7.
type At = (i8, i8);
/// Whether it is White's, and its letter.
type Man = (bool, char);

#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Field(BTreeMap<At, Man>);

#[derive(Clone)]
struct Piece {
    it: bool,
    another: bool,
    alone: bool,
    owner: char,
    kinds: Vec<(char, bool)>,
    file: Option<i8>,
    asks: Vec<Ask>,
}

#[derive(Clone)]
struct Ask {
    not: bool,
    word: String,
    number: i8,
    at: At,
    /// `no` is 0; without a number 1. No piece: empty squares.
    thing: Option<(i8, Option<Piece>)>,
}

#[derive(Clone, Default)]
struct Step {
    verb: String,
    piece: Option<Piece>,
    kinds: Option<Vec<(char, bool)>>,
    twice: bool,
    enemy: bool,
    place: Vec<Ask>,
    threaten: Option<Piece>,
    without: bool,
    capturing: Option<Option<Piece>>,
    same_way: bool,
}

pub(super) struct Effect {
    ways: Vec<Vec<Step>>,
    bold: Vec<char>,
}

// ---- reading ----

struct Reader {
    words: Vec<String>,
    next: usize,
}

const KINDS: [(&str, char); 6] =
    [("pawn", 'P'), ("knight", 'N'), ("bishop", 'B'), ("rook", 'R'), ("queen", 'Q'), ("king", 'K')];
const ATTRIBUTES: [&str; 12] = [
    "light",
    "dark",
    "center",
    "edge",
    "kingside",
    "queenside",
    "doubled",
    "pinned",
    "immobile",
    "threatened",
    "rank",
    "file",
];

impl Reader {
    fn peek(&self, ahead: usize) -> &str {
        self.words.get(self.next + ahead).map_or("", String::as_str)
    }

    fn take(&mut self) -> String {
        self.next += 1;
        self.words[self.next - 1].clone()
    }

    fn takes(&mut self, word: &str) -> bool {
        let takes = self.peek(0) == word;
        self.next += usize::from(takes);
        takes
    }

    fn attribute_at(&self, ahead: usize) -> bool {
        let ahead = ahead + usize::from(self.peek(ahead) == "not");
        ATTRIBUTES.contains(&self.peek(ahead))
            && !(self.peek(ahead) == "threatened" && self.peek(ahead + 1) == "by")
    }

    fn ask_at(&self, place: bool) -> bool {
        let word = self.peek(usize::from(self.peek(0) == "not"));
        let square = word.len() == 2 && word.as_bytes()[1].is_ascii_digit();
        self.attribute_at(0)
            || ["by", "beside", "behind", "in", "threatened", "threatening"].contains(&word)
            || place && (word == "empty" || square)
    }

    fn kinds(&mut self) -> (Vec<(char, bool)>, Option<i8>) {
        if self.takes("piece") {
            return ("PNBRQK".chars().map(|kind| (kind, false)).collect(), None);
        }
        let mut kinds = Vec::new();
        loop {
            let word = self.take();
            if let Some((file, name)) = word.split_once('-') {
                return (
                    vec![('P', name.starts_with('*'))],
                    Some(i8::try_from(file.as_bytes()[0] - b'a').unwrap()),
                );
            }
            let name = word.trim_start_matches('*');
            let (_, kind) = KINDS.iter().find(|(known, _)| *known == name).unwrap();
            kinds.push((*kind, word.starts_with('*')));
            if !self.takes("/") {
                return (kinds, None);
            }
        }
    }

    fn attribute(&mut self) -> Ask {
        let not = self.takes("not");
        let word = self.take();
        let number = match word.as_str() {
            "rank" => i8::try_from(self.take().as_bytes()[0] - b'1').unwrap(),
            "file" => i8::try_from(self.take().as_bytes()[0] - b'a').unwrap(),
            _ => 0,
        };
        Ask { not, word, number, at: (0, 0), thing: None }
    }

    fn ask(&mut self) -> Ask {
        if self.attribute_at(0) {
            return self.attribute();
        }
        let not = self.takes("not");
        let mut word = self.take();
        let mut ask = Ask { not, word: word.clone(), number: 0, at: (0, 0), thing: None };
        if word == "empty" {
            return ask;
        }
        if let [file, rank @ b'1'..=b'8'] = word.as_bytes() {
            ask.at = (i8::try_from(file - b'a').unwrap(), i8::try_from(rank - b'1').unwrap());
            "at".clone_into(&mut ask.word);
            return ask;
        }
        if word == "in" && self.takes("its") {
            ask.word = format!("its {}", self.take());
            return ask;
        }
        if word == "in" {
            word = self.take();
            self.take();
        }
        if word == "threatened" {
            self.take();
        }
        ask.word.clone_from(&word);
        ask.word = match word.as_str() {
            "threatened" => "threatened by".to_owned(),
            "rank" | "file" => format!("in {word} of"),
            _ => word,
        };
        ask.thing = Some(self.thing());
        ask
    }

    fn thing(&mut self) -> (i8, Option<Piece>) {
        let mut count = 1;
        if self.takes("no") {
            count = 0;
        } else if let [digit @ b'1'..=b'8'] = self.peek(0).as_bytes() {
            count = i8::try_from(digit - b'0').unwrap();
            self.next += 1;
        }
        if self.takes("empty") {
            return (count, None);
        }
        if self.takes("(") {
            let piece = self.piece(true);
            self.take();
            return (count, Some(piece));
        }
        (count, Some(self.piece(false)))
    }

    fn piece(&mut self, whole: bool) -> Piece {
        let mut piece = Piece {
            it: false,
            another: false,
            alone: false,
            owner: 'y',
            kinds: Vec::new(),
            file: None,
            asks: Vec::new(),
        };
        if self.takes("it") {
            piece.it = true;
            return piece;
        }
        piece.another = self.takes("another");
        let word = self.peek(0).trim_start_matches('*');
        let named = ["enemy", "any", "piece"].contains(&word)
            || KINDS.iter().any(|(name, _)| *name == word)
            || word.contains('-')
            || self.attribute_at(0);
        if piece.another && !named {
            piece.alone = true;
        } else {
            if self.takes("enemy") {
                piece.owner = 'e';
            } else if self.takes("any") {
                piece.owner = 'a';
            }
            while self.attribute_at(0) {
                piece.asks.push(self.attribute());
            }
            (piece.kinds, piece.file) = self.kinds();
        }
        while whole && self.ask_at(false) {
            piece.asks.push(self.ask());
        }
        piece
    }

    fn step(&mut self) -> Step {
        let mut step = Step { verb: self.take(), ..Step::default() };
        if step.verb == "add" {
            step.enemy = self.takes("enemy");
            step.kinds = Some(self.kinds().0);
        } else {
            step.piece = Some(self.piece(true));
            if self.takes("like") || step.verb == "promote" && self.takes("to") {
                step.kinds = Some(self.kinds().0);
            }
            step.twice = self.takes("twice");
        }
        if self.peek(0) == "to" && self.peek(1) != "threaten" {
            self.next += 1;
            while self.ask_at(true) {
                step.place.push(self.ask());
            }
        }
        loop {
            if self.takes("to") {
                self.take();
                step.threaten = Some(self.piece(true));
            } else if self.takes("without") {
                self.take();
                step.without = true;
            } else if self.takes("same") {
                self.take();
                step.same_way = true;
            } else if self.takes("capturing") {
                let ends = ["", "then", "or", "to", "same"].contains(&self.peek(0));
                let piece = if ends { None } else { Some(self.piece(true)) };
                step.capturing = Some(piece.map(|piece| Piece { owner: 'e', ..piece }));
            } else {
                return step;
            }
        }
    }
}

impl Effect {
    pub(super) fn read(text: &str) -> Self {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('/', " / ");
        let words: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
        let bold = words.iter().filter_map(|word| word.split_once('*')).map(|(_, name)| name.to_owned());
        let bold = bold.map(|name| KINDS.iter().find(|(known, _)| *known == name).unwrap().1).collect();
        let mut reader = Reader { words, next: 0 };
        let mut ways = vec![vec![reader.step()]];
        loop {
            if reader.takes("then") {
                let step = reader.step();
                ways.last_mut().unwrap().push(step);
            } else if reader.takes("or") {
                ways.push(vec![reader.step()]);
            } else {
                assert_eq!(reader.next, reader.words.len(), "{text}");
                return Self { ways, bold };
            }
        }
    }

    /// Every masquerade that a player has now, the one without a replacement first.
    pub(super) fn masks(&self, field: &Field, you: bool) -> Vec<BTreeMap<char, char>> {
        let mut masks = vec![BTreeMap::new()];
        let mut bold = self.bold.clone();
        bold.sort_unstable();
        bold.dedup();
        for kind in bold {
            if field.0.values().any(|man| *man == (you, kind)) {
                continue;
            }
            for by in "PNBRQK".chars().filter(|by| *by != kind) {
                let more: Vec<_> = masks.iter().filter(|mask| !mask.contains_key(&kind)).cloned().collect();
                masks.extend(more.into_iter().map(|mut mask| {
                    mask.insert(kind, by);
                    mask
                }));
            }
        }
        masks
    }
}

// ---- the board ----

impl Field {
    pub(super) fn of(placement: &str) -> Self {
        let mut field = Self::default();
        for (row, rank) in placement.split('/').zip((0..8).rev()) {
            let mut file = 0;
            for letter in row.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += i8::try_from(empty).unwrap();
                } else {
                    field.0.insert((file, rank), (letter.is_uppercase(), letter.to_ascii_uppercase()));
                    file += 1;
                }
            }
        }
        field
    }

    fn all() -> impl Iterator<Item = At> {
        (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank)))
    }

    fn king(&self, white: bool) -> Option<At> {
        self.0.iter().find(|(_, man)| **man == (white, 'K')).map(|(at, _)| *at)
    }

    /// Whether a man of this kind strikes from one square to another.
    fn strikes(&self, (white, kind): Man, from: At, to: At) -> bool {
        let (files, ranks) = (to.0 - from.0, to.1 - from.1);
        let far = files.abs().max(ranks.abs());
        if far == 0 {
            return false;
        }
        let free = || {
            (1..far).all(|step| {
                !self.0.contains_key(&(from.0 + files.signum() * step, from.1 + ranks.signum() * step))
            })
        };
        let straight = files == 0 || ranks == 0;
        let diagonal = files.abs() == ranks.abs();
        match kind {
            'P' => files.abs() == 1 && ranks == if white { 1 } else { -1 },
            'N' => files.abs() * ranks.abs() == 2,
            'K' => far == 1,
            'B' => diagonal && free(),
            'R' => straight && free(),
            _ => (straight || diagonal) && free(),
        }
    }

    fn threatens(&self, from: At, to: At) -> bool {
        let Some(man) = self.0.get(&from) else { return false };
        self.0.get(&to).is_none_or(|other| other.0 != man.0) && self.strikes(*man, from, to)
    }

    fn threatened_by(&self, to: At, white: bool) -> bool {
        self.0.iter().any(|(from, man)| man.0 == white && self.threatens(*from, to))
    }

    fn king_threatened(&self, white: bool) -> bool {
        self.king(white).is_some_and(|king| self.threatened_by(king, !white))
    }

    fn goes(&self, from: At, man: Man, kind: char, to: At) -> bool {
        let target = self.0.get(&to);
        if target.is_some_and(|other| other.0 == man.0) {
            return false;
        }
        if kind != 'P' {
            return self.strikes((man.0, kind), from, to);
        }
        let forward = if man.0 { 1 } else { -1 };
        let from_home = if man.0 { from.1 } else { 7 - from.1 };
        if to.0 != from.0 {
            return target.is_some() && self.strikes((man.0, 'P'), from, to);
        }
        let free = |steps: i8| !self.0.contains_key(&(from.0, from.1 + forward * steps));
        to.1 == from.1 + forward && free(1)
            || to.1 == from.1 + 2 * forward && from_home < 2 && free(1) && free(2)
    }

    fn pinned(&self, at: At) -> bool {
        let Some(man) = self.0.get(&at) else { return false };
        let Some(king) = self.king(man.0).filter(|_| man.1 != 'K') else { return false };
        let mut without = self.clone();
        without.0.remove(&at);
        let enemies = self.0.iter().filter(|(_, other)| other.0 != man.0);
        enemies.into_iter().any(|(from, _)| without.threatens(*from, king) && !self.threatens(*from, king))
    }

    fn immobile(&self, at: At) -> bool {
        let Some(man) = self.0.get(&at).copied() else { return false };
        if self.king(man.0).is_none() {
            return true;
        }
        !Self::all().any(|to| {
            let king = self.0.get(&to).is_some_and(|other| other.1 == 'K');
            let mut then = self.clone();
            then.0.remove(&at);
            then.0.insert(to, man);
            !king && self.goes(at, man, man.1, to) && !then.king_threatened(man.0)
        })
    }
}

// ---- meaning ----

#[derive(Clone)]
struct Asked<'a> {
    field: &'a Field,
    you: bool,
    mask: &'a BTreeMap<char, char>,
    used: Vec<At>,
    it: Option<At>,
    named: Vec<(char, bool)>,
    named_file: Option<i8>,
    from: At,
}

impl Asked<'_> {
    fn kind_fits(&self, kinds: &[(char, bool)], kind: char) -> bool {
        kinds.iter().any(|(named, bold)| {
            kind == if *bold { self.mask.get(named).copied().unwrap_or(*named) } else { *named }
        })
    }

    fn piece(&self, piece: &Piece, at: At) -> bool {
        let Some(man) = self.field.0.get(&at) else { return false };
        let asked = || piece.asks.iter().all(|ask| self.ask(ask, at, None));
        if piece.it {
            return self.it == Some(at);
        }
        if piece.another && self.used.contains(&at) {
            return false;
        }
        if piece.alone {
            let file = self.named_file.is_none_or(|file| file == at.0);
            return man.0 == self.you && file && self.kind_fits(&self.named, man.1) && asked();
        }
        let owner = match piece.owner {
            'y' => man.0 == self.you,
            'e' => man.0 != self.you,
            _ => true,
        };
        owner && piece.file.is_none_or(|file| file == at.0) && self.kind_fits(&piece.kinds, man.1) && asked()
    }

    /// `before`: the board before the goal was cleared, if a goal is asked.
    fn ask(&self, ask: &Ask, at: At, before: Option<&Field>) -> bool {
        let rank = if self.you { at.1 } else { 7 - at.1 };
        let man = self.field.0.get(&at);
        let fits = match ask.word.as_str() {
            "empty" => !before.unwrap_or(self.field).0.contains_key(&at),
            "at" => ask.at == at,
            "light" => (at.0 + at.1) % 2 == 1,
            "dark" => (at.0 + at.1) % 2 == 0,
            "center" => (3..5).contains(&at.0) && (3..5).contains(&at.1),
            "edge" => at.0 == 0 || at.0 == 7 || at.1 == 0 || at.1 == 7,
            "kingside" => at.0 > 3,
            "queenside" => at.0 < 4,
            "rank" => rank == ask.number,
            "file" => at.0 == ask.number,
            "its file" => at.0 == self.from.0,
            "its rank" => at.1 == self.from.1,
            "doubled" => man.is_some_and(|man| {
                man.1 == 'P'
                    && self
                        .field
                        .0
                        .iter()
                        .any(|(other, there)| *other != at && other.0 == at.0 && there == man)
            }),
            "pinned" => self.field.pinned(at),
            "immobile" => self.field.immobile(at),
            "threatened" => man.is_some_and(|man| self.field.threatened_by(at, !man.0)),
            relation => return ask.not != self.related(relation, ask.thing.as_ref().unwrap(), at),
        };
        ask.not != fits
    }

    fn related(&self, relation: &str, (count, thing): &(i8, Option<Piece>), at: At) -> bool {
        let further = |one: At, other: At| if self.you { one.1 > other.1 } else { one.1 < other.1 };
        let number = Field::all()
            .filter(|to| *to != at)
            .filter(|to| {
                let (files, ranks) = ((to.0 - at.0).abs(), (to.1 - at.1).abs());
                match relation {
                    "by" => files.max(ranks) == 1,
                    "beside" => ranks == 0 && files == 1,
                    "front" => files == 0 && further(at, *to),
                    "behind" => files == 0 && further(*to, at),
                    "in rank of" => ranks == 0,
                    "in file of" => files == 0,
                    "threatened by" => self.field.threatens(*to, at),
                    "threatening" => self.field.threatens(at, *to),
                    other => panic!("{other}"),
                }
            })
            .filter(|to| match thing {
                None => !self.field.0.contains_key(to),
                Some(piece) => self.piece(piece, *to),
            })
            .count();
        let number = i8::try_from(number).unwrap();
        if *count == 0 { number == 0 } else { number >= *count }
    }
}

// ---- uses ----

/// A board with what castling and en passant remember.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Game {
    pub(super) field: Field,
    pub(super) unmoved: Vec<At>,
    /// Pawns that may be taken en passant.
    pub(super) passed: Vec<At>,
}

#[derive(Clone)]
struct Use {
    game: Game,
    opened: Vec<At>,
    used: Vec<At>,
    it: Option<At>,
    way: Option<At>,
    trail: Vec<String>,
}

fn name(at: At) -> String {
    format!("{}{}", char::from(b'a' + u8::try_from(at.0).unwrap()), at.1 + 1)
}

impl Use {
    fn clear(&mut self, at: At) {
        self.game.field.0.remove(&at);
        for list in [&mut self.game.unmoved, &mut self.game.passed, &mut self.opened, &mut self.used] {
            list.retain(|known| *known != at);
        }
        self.it = self.it.filter(|it| *it != at);
    }

    fn put(&mut self, at: At, man: Man) {
        self.clear(at);
        self.game.field.0.insert(at, man);
    }

    fn new_rook(&mut self, at: At, man: Man) {
        let corner = man.1 == 'R' && (at.0 == 0 || at.0 == 7) && at.1 == if man.0 { 0 } else { 7 };
        if corner {
            self.game.unmoved.push(at);
        }
    }

    fn go(&mut self, from: At, to: At) {
        let man = self.game.field.0[&from];
        let (used, it) = (self.used.contains(&from), self.it == Some(from));
        self.clear(from);
        self.put(to, man);
        if used {
            self.used.push(to);
        }
        if it {
            self.it = Some(to);
        }
        self.trail.push(format!("{}{}", name(from), name(to)));
    }
}

/// All uses of an effect, or with `hunt` those in which the enemy king is captured.
struct Walk<'a> {
    you: bool,
    mask: &'a BTreeMap<char, char>,
    hunt: bool,
    found: Vec<Use>,
}

impl Walk<'_> {
    fn asked<'b>(
        &'b self,
        now: &Use,
        field: &'b Field,
        step: &Step,
        taken: Option<At>,
        from: At,
    ) -> Asked<'b> {
        let (named, named_file) = match (&step.piece, &step.kinds) {
            (Some(piece), _) => (piece.kinds.clone(), piece.file),
            (None, kinds) => (kinds.clone().unwrap_or_default(), None),
        };
        let used = now.used.iter().copied().chain(taken).collect();
        let it = now.it.filter(|it| field.0.contains_key(it));
        Asked { field, you: self.you, mask: self.mask, used, it, named, named_file, from }
    }

    fn steps(&mut self, steps: &[Step], now: &Use) {
        let Some((step, left)) = steps.split_first() else { return self.end(now) };
        if step.verb == "add" {
            let kinds: Vec<char> = "PNBRQ".chars().collect();
            let asked = self.asked(now, &now.game.field, step, None, (0, 0));
            let wanted = step.kinds.clone().unwrap();
            let kinds: Vec<char> = kinds.into_iter().filter(|kind| asked.kind_fits(&wanted, *kind)).collect();
            for kind in kinds {
                for to in Field::all() {
                    let man = (self.you != step.enemy, kind);
                    if self.lands(step, now, man, None, (0, 0), to, None) {
                        let mut then = now.clone();
                        then.put(to, man);
                        then.new_rook(to, man);
                        let letter = if man.0 { kind } else { kind.to_ascii_lowercase() };
                        then.trail.push(format!("+{letter}{}", name(to)));
                        then.way = None;
                        self.done(step, left, then, to);
                    }
                }
            }
            return;
        }
        let piece = step.piece.clone().unwrap();
        let asked = self.asked(now, &now.game.field, step, None, (0, 0));
        let taken: Vec<At> = Field::all().filter(|at| asked.piece(&piece, *at)).collect();
        for from in taken {
            match step.verb.as_str() {
                "promote" => self.promote(step, left, now, from),
                "warp" => {
                    let man = now.game.field.0[&from];
                    for to in Field::all() {
                        if to != from && self.lands(step, now, man, Some(from), from, to, None) {
                            let mut then = now.clone();
                            then.go(from, to);
                            self.went(step, left, now, then, from, to);
                        }
                    }
                }
                _ if step.twice => {
                    let free = Step { verb: "move".to_owned(), without: step.without, ..Step::default() };
                    for (between, then) in self.goings(step, &free, now, from, from) {
                        let mut then = then;
                        then.way = Some((between.0 - from.0, between.1 - from.1));
                        for (to, last) in self.goings(step, step, &then, between, from) {
                            self.went(step, left, &then, last, between, to);
                        }
                    }
                }
                _ => {
                    for (to, then) in self.goings(step, step, now, from, from) {
                        self.went(step, left, now, then, from, to);
                    }
                }
            }
        }
    }

    fn promote(&mut self, step: &Step, left: &[Step], now: &Use, at: At) {
        let man = now.game.field.0[&at];
        let asked = self.asked(now, &now.game.field, step, None, at);
        let kinds: Vec<char> = match &step.kinds {
            None => "NBRQ".chars().collect(),
            Some(kinds) => "PNBRQ".chars().filter(|kind| asked.kind_fits(kinds, *kind)).collect(),
        };
        for kind in kinds.into_iter().filter(|_| man.1 != 'K') {
            let mut then = now.clone();
            let it = then.it;
            then.put(at, (man.0, kind));
            then.it = it;
            then.new_rook(at, (man.0, kind));
            then.trail.push(format!("{}={kind}", name(at)));
            then.way = None;
            self.done(step, left, then, at);
        }
    }

    /// The goings of the piece on `from`; `asks` says what is asked of them, `step` how it goes.
    fn goings(&self, step: &Step, asks: &Step, now: &Use, from: At, stood: At) -> Vec<(At, Use)> {
        let man = now.game.field.0[&from];
        let asked = self.asked(now, &now.game.field, step, None, from);
        let kinds: Vec<char> = match &step.kinds {
            None => vec![man.1],
            Some(kinds) => "PNBRQK".chars().filter(|kind| asked.kind_fits(kinds, *kind)).collect(),
        };
        let mut goings = Vec::new();
        for to in Field::all() {
            let goes = kinds.iter().any(|kind| now.game.field.goes(from, man, *kind, to));
            if goes && self.lands(asks, now, man, Some(from), stood, to, None) {
                let mut then = now.clone();
                then.go(from, to);
                if step.kinds.is_none() && man == (self.you, 'P') && (to.1 - from.1).abs() == 2 {
                    then.opened.push(to);
                }
                goings.push((to, then));
            }
            let beside = (to.0, from.1);
            let passes = step.kinds.is_none()
                && man == (self.you, 'P')
                && now.game.passed.contains(&beside)
                && now.game.field.0.get(&beside).is_some_and(|other| other.0 != self.you)
                && now.game.field.strikes(man, from, to)
                && !now.game.field.0.contains_key(&to);
            if passes && self.lands(asks, now, man, Some(from), stood, to, Some(beside)) {
                let mut then = now.clone();
                then.go(from, to);
                then.clear(beside);
                goings.push((to, then));
            }
        }
        goings
    }

    /// Whether a piece may land on a square, by what the step asks.
    #[allow(clippy::too_many_arguments, reason = "a landing has so many sides")]
    fn lands(
        &self,
        step: &Step,
        now: &Use,
        man: Man,
        from: Option<At>,
        stood: At,
        to: At,
        passed: Option<At>,
    ) -> bool {
        let field = &now.game.field;
        let target = field.0.get(&to).copied();
        if let Some(target) = target {
            let king = target.1 == 'K' && !self.hunt;
            if target.0 == man.0 || man.0 != self.you || king {
                return false;
            }
        }
        let captured = passed.or(target.map(|_| to));
        if step.without && captured.is_some() {
            return false;
        }
        if let Some(wanted) = &step.capturing {
            let Some(captured) = captured else { return false };
            let asked = self.asked(now, field, step, from, stood);
            if wanted.as_ref().is_some_and(|piece| !asked.piece(piece, captured)) {
                return false;
            }
        }
        let mut as_it_is = field.clone();
        from.map(|from| as_it_is.0.remove(&from));
        let mut cleared = as_it_is.clone();
        cleared.0.remove(&to);
        let asked = self.asked(now, &cleared, step, from, stood);
        step.place.iter().all(|ask| asked.ask(ask, to, Some(&as_it_is)))
    }

    fn went(&mut self, step: &Step, left: &[Step], before: &Use, mut then: Use, from: At, to: At) {
        let way = (to.0 - from.0, to.1 - from.1);
        if step.same_way && before.way != Some(way) {
            return;
        }
        then.way = Some(way);
        self.done(step, left, then, to);
    }

    fn done(&mut self, step: &Step, left: &[Step], mut then: Use, at: At) {
        if let Some(piece) = &step.threaten {
            let field = &then.game.field;
            let asked = self.asked(&then, field, step, Some(at), at);
            if !Field::all().any(|to| field.threatens(at, to) && asked.piece(piece, to)) {
                return;
            }
        }
        then.used.push(at);
        then.it = Some(at);
        self.steps(left, &then);
    }

    fn end(&mut self, now: &Use) {
        if self.hunt {
            if now.game.field.king(!self.you).is_none() {
                self.found.push(now.clone());
            }
            return;
        }
        let pawn = Field::all().find(|at| match now.game.field.0.get(at) {
            Some((white, 'P')) => at.1 == if *white { 7 } else { 0 },
            _ => false,
        });
        let Some(at) = pawn else { return self.found.push(now.clone()) };
        for kind in "NBRQ".chars() {
            let mut then = now.clone();
            then.put(at, (now.game.field.0[&at].0, kind));
            then.trail.push(format!("{}={kind}", name(at)));
            self.end(&then);
        }
    }
}

impl Game {
    fn uses(&self, effect: &Effect, you: bool, mask: &BTreeMap<char, char>, hunt: bool) -> Vec<Use> {
        let mut walk = Walk { you, mask, hunt, found: Vec::new() };
        let now =
            Use { game: self.clone(), opened: vec![], used: vec![], it: None, way: None, trail: vec![] };
        for way in &effect.ways {
            walk.steps(way, &now);
        }
        walk.found
    }

    pub(super) fn in_check(&self, white: bool, enemy: Option<&Effect>) -> bool {
        self.field.king_threatened(white)
            || enemy.is_some_and(|effect| {
                let masks = effect.masks(&self.field, !white);
                masks.iter().any(|mask| !self.uses(effect, !white, mask, true).is_empty())
            })
    }

    fn after(now: Use) -> Self {
        Self { passed: now.opened, ..now.game }
    }

    /// The first steps of uses after which the player is not in check, for one masquerade.
    pub(super) fn first_steps(
        &self,
        effect: &Effect,
        white: bool,
        enemy: Option<&Effect>,
        mask: &BTreeMap<char, char>,
    ) -> Vec<String> {
        let mut first = std::collections::BTreeSet::new();
        for found in self.uses(effect, white, mask, false) {
            let step = found.trail[0].clone();
            if !first.contains(&step) && !Self::after(found).in_check(white, enemy) {
                first.insert(step);
            }
        }
        first.into_iter().collect()
    }

    /// The legal standard moves, sorted.
    pub(super) fn moves(&self, white: bool, enemy: Option<&Effect>) -> Vec<String> {
        let any = Effect::read("move piece");
        let mut moves = Vec::new();
        for found in self.uses(&any, white, &BTreeMap::new(), false) {
            let promotes = found.trail.get(1).map(|step| step[3..].to_ascii_lowercase()).unwrap_or_default();
            let text = format!("{}{promotes}", found.trail[0]);
            if !Self::after(found).in_check(white, enemy) {
                moves.push(text);
            }
        }
        let rank = if white { 0 } else { 7 };
        let king = (4, rank);
        for corner in [(0, rank), (7, rank)] {
            let way = if corner.0 == 0 { -1 } else { 1 };
            let between: Vec<At> = Field::all()
                .filter(|at| at.1 == rank && at.0 > corner.0.min(4) && at.0 < corner.0.max(4))
                .collect();
            if !self.unmoved.contains(&king)
                || !self.unmoved.contains(&corner)
                || between.iter().any(|at| self.field.0.contains_key(at))
            {
                continue;
            }
            let with_king_on = |file: i8| {
                let mut then = self.clone();
                let man = then.field.0.remove(&king).unwrap();
                then.field.0.insert((file, rank), man);
                then
            };
            let mut after = with_king_on(4 + 2 * way);
            let rook = after.field.0.remove(&corner).unwrap();
            after.field.0.insert((4 + way, rank), rook);
            after.passed.clear();
            let safe = !self.in_check(white, enemy)
                && !with_king_on(4 + way).in_check(white, enemy)
                && !after.in_check(white, enemy);
            if safe {
                moves.push(format!("{}{}", name(king), name((4 + 2 * way, rank))));
            }
        }
        moves.sort_unstable();
        moves
    }
}

/// A square by its name.
pub(super) fn square(name: &str) -> At {
    let [file, rank] = name.as_bytes() else { panic!("{name}") };
    (i8::try_from(file - b'a').unwrap(), i8::try_from(rank - b'1').unwrap())
}
