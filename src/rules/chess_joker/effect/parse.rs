//! From words to an effect. Whatever the grammar does not have is an error that points at a word.
//!
//! Source: `docs/effects-chess-joker.md`, "Grammar".

use tabiya_types::{Sentence, Square, say};

use super::EffectError;
use super::tree::{
    Ask, Capturing, Count, EffectStep, Kinds, PieceChoice, PieceHead, Relation, StepDeed, StepTail, Thing,
    Trait, Way, What, Whose,
};
use super::words::{NAMES, Word, file_pawn};

/// The most ways of an effect, and the most that a way may weigh: a mate has to be found in time.
const MOST_WAYS: usize = 4;
const MOST_WEIGHT: u32 = 7;

type Parsed<T> = Result<T, EffectError>;

/// Reads the ways of an effect from its words. `end` is the length of the text.
pub(super) fn ways(words: &[Word], end: usize) -> Parsed<Vec<Way>> {
    let mut parser = Parser { words, end, next: 0, first_step: true, another_alone: false };
    let mut ways = vec![parser.way()?];
    while parser.takes("or") {
        if ways.len() == MOST_WAYS {
            return parser.fail_before(say!(
                "effect-most-ways",
                "an effect has at most {most} ways",
                most = MOST_WAYS
            ));
        }
        ways.push(parser.way()?);
    }
    if parser.peek().is_empty() {
        Ok(ways)
    } else {
        parser.fail(say!("effect-no-fit", "this does not fit here"))
    }
}

/// Of what a condition is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Piece,
    /// A goal; `has_its`: of a piece that stood somewhere before.
    Place {
        has_its: bool,
    },
}

fn of_pieces() -> Sentence {
    say!("effect-of-pieces", "this is said of pieces, not of squares")
}

struct Parser<'a> {
    words: &'a [Word],
    end: usize,
    next: usize,
    /// Whether the step is the first of its way, where `it` means nothing.
    first_step: bool,
    /// Whether `another` may stand alone in this step.
    another_alone: bool,
}

impl Parser<'_> {
    // ---- words ----

    /// The word `ahead` words further on; empty after the last.
    fn ahead(&self, ahead: usize) -> &str {
        self.words.get(self.next + ahead).map_or("", |word| word.text.as_str())
    }

    fn peek(&self) -> &str {
        self.ahead(0)
    }

    fn takes(&mut self, word: &str) -> bool {
        let takes = self.peek() == word;
        self.next += usize::from(takes);
        takes
    }

    fn need(&mut self, word: &str) -> Parsed<()> {
        if self.takes(word) {
            Ok(())
        } else {
            self.fail(say!("effect-word-follows", "`{word}` has to follow here", word = word.to_owned()))
        }
    }

    /// The error at the next word.
    fn fail<T>(&self, what: Sentence) -> Parsed<T> {
        Err(self.error(self.next, what))
    }

    /// The error at the word that was taken last.
    fn fail_before<T>(&self, what: Sentence) -> Parsed<T> {
        Err(self.error(self.next.saturating_sub(1), what))
    }

    fn error(&self, nth: usize, what: Sentence) -> EffectError {
        if let Some(Word { text, at }) = self.words.get(nth) {
            let what = say!("effect-at-word", "`{word}`: {what}", word = text.clone(), what);
            EffectError { what, at: at.clone() }
        } else {
            let what = say!("effect-ends-early", "the effect ends too early: {what}", what);
            EffectError { what, at: self.end..self.end }
        }
    }

    // ---- ways and steps ----

    fn way(&mut self) -> Parsed<Way> {
        let from = self.next;
        let mut steps: Vec<EffectStep> = Vec::new();
        loop {
            self.first_step = steps.is_empty();
            let at = self.next;
            let step = self.step()?;
            let twice = matches!(step.deed, StepDeed::Move { twice: true, .. });
            let goes = steps
                .last()
                .is_some_and(|step| matches!(step.deed, StepDeed::Warp(_) | StepDeed::Move { .. }));
            if step.tail.same_way && !twice && !goes {
                return Err(
                    self.error(at, say!("effect-no-way-before", "no step before this one shows the way"))
                );
            }
            steps.push(step);
            if !self.takes("then") {
                break;
            }
        }
        let weight: u32 = steps.iter().map(EffectStep::weight).sum();
        if weight > MOST_WEIGHT {
            let what = say!(
                "effect-weighs",
                "this way weighs {weight}, and at most {most} are allowed",
                weight,
                most = MOST_WEIGHT
            );
            return Err(self.error(from, what));
        }
        Ok(Way { steps })
    }

    fn step(&mut self) -> Parsed<EffectStep> {
        let word = self.peek().to_owned();
        self.next += 1;
        match word.as_str() {
            "warp" => {
                let deed = StepDeed::Warp(self.taken_piece()?);
                Ok(EffectStep { deed, tail: self.tail(Subject::Place { has_its: true }, true)? })
            }
            "move" => {
                let piece = self.taken_piece()?;
                let like = if self.takes("like") { Some(self.kind_of_names()?) } else { None };
                let twice = self.takes("twice");
                let deed = StepDeed::Move { piece, like, twice };
                Ok(EffectStep { deed, tail: self.tail(Subject::Place { has_its: true }, true)? })
            }
            "add" => {
                let enemy = self.takes("enemy");
                let (from, kind) = (self.next, self.kind()?);
                if kind.file.is_some() {
                    return Err(self.error(from, say!("effect-new-no-file", "a new piece has no file")));
                }
                self.another_alone = self.next == from + 1 && kind != Kinds::PIECE;
                Ok(EffectStep {
                    deed: StepDeed::Add { enemy, kind },
                    tail: self.tail(Subject::Place { has_its: false }, false)?,
                })
            }
            "promote" => {
                let piece = self.taken_piece()?;
                let to = if self.takes("to") { Some(self.kind_of_names()?) } else { None };
                Ok(EffectStep { deed: StepDeed::Promote { piece, to }, tail: StepTail::default() })
            }
            _ => {
                self.next -= 1;
                self.fail(say!("effect-step-begins", "a step begins with `warp`, `move`, `add` or `promote`"))
            }
        }
    }

    /// The piece that a step takes.
    fn taken_piece(&mut self) -> Parsed<PieceChoice> {
        let at = self.next;
        self.another_alone = self.peek() != "it";
        let piece = self.piece()?;
        if piece.head == PieceHead::Another {
            return Err(self.error(
                at,
                say!("effect-name-after-another", "the name of a piece has to follow `another` here"),
            ));
        }
        Ok(piece)
    }

    fn tail(&mut self, goal: Subject, may_say_same_way: bool) -> Parsed<StepTail> {
        let mut tail = StepTail::default();
        if self.peek() == "to" && self.ahead(1) != "threaten" {
            self.next += 1;
            tail.place = self.place(goal)?;
        }
        loop {
            let twice = match self.peek() {
                "to" if self.ahead(1) == "threaten" => {
                    self.next += 2;
                    tail.threaten.replace(self.piece()?).is_some()
                }
                "without" => {
                    self.next += 1;
                    self.need("capturing")?;
                    std::mem::replace(&mut tail.capture, Capturing::Never) != Capturing::Free
                }
                "capturing" => {
                    self.next += 1;
                    let capture = self.captured()?;
                    std::mem::replace(&mut tail.capture, capture) != Capturing::Free
                }
                "same" if may_say_same_way => {
                    self.next += 1;
                    self.need("way")?;
                    std::mem::replace(&mut tail.same_way, true)
                }
                _ => return Ok(tail),
            };
            if twice {
                return self
                    .fail_before(say!("effect-said-already", "this was said in the same step already"));
            }
        }
    }

    fn captured(&mut self) -> Parsed<Capturing> {
        if !self.begins_a_piece() {
            return Ok(Capturing::Any);
        }
        if ["it", "another", "any"].contains(&self.peek()) {
            return self.fail(say!("effect-captures-enemy", "only enemy pieces are captured"));
        }
        let mut piece = self.piece()?;
        if let PieceHead::Named { owner, .. } = &mut piece.head {
            *owner = Whose::Enemy;
        }
        Ok(Capturing::Of(piece))
    }

    fn place(&mut self, goal: Subject) -> Parsed<Vec<Ask>> {
        let mut asks = vec![self.ask(goal)?];
        while self.begins_an_ask(0, goal) {
            asks.push(self.ask(goal)?);
        }
        Ok(asks)
    }

    // ---- pieces ----

    fn begins_a_piece(&self) -> bool {
        let word = self.peek();
        let not = usize::from(word == "not");
        ["it", "another", "enemy", "any", "piece"].contains(&word)
            || name(word).is_some()
            || file_pawn(word).is_some()
            || self.begins_a_trait(not)
    }

    fn piece(&mut self) -> Parsed<PieceChoice> {
        let head = self.head(true)?;
        let (head, mut asks) = head;
        while head != PieceHead::It && self.begins_an_ask(0, Subject::Piece) {
            asks.push(self.ask(Subject::Piece)?);
        }
        Ok(PieceChoice { head, asks })
    }

    /// A piece up to its name, and the attributes before the name.
    fn head(&mut self, may_be_it: bool) -> Parsed<(PieceHead, Vec<Ask>)> {
        if may_be_it && self.takes("it") {
            if self.first_step {
                return self
                    .fail_before(say!("effect-no-piece-before", "no step came before that took a piece"));
            }
            return Ok((PieceHead::It, Vec::new()));
        }
        let another = self.takes("another");
        if another && !self.named_piece_follows() {
            if !self.another_alone {
                return self
                    .fail_before(say!("effect-name-follows", "the name of a piece has to follow here"));
            }
            return Ok((PieceHead::Another, Vec::new()));
        }
        let owner = match self.peek() {
            "enemy" => Whose::Enemy,
            "any" => Whose::Any,
            _ => Whose::You,
        };
        self.next += usize::from(owner != Whose::You);
        let mut asks = Vec::new();
        while self.begins_a_trait(usize::from(self.peek() == "not")) {
            let not = self.takes("not");
            asks.push(Ask { not, what: What::Trait(self.attribute()?) });
        }
        Ok((PieceHead::Named { another, owner, kind: self.kind()? }, asks))
    }

    /// Whether what follows `another` leads to the name of a piece: attributes right after it do.
    fn named_piece_follows(&self) -> bool {
        let word = self.peek();
        ["enemy", "any", "piece"].contains(&word)
            || name(word).is_some()
            || file_pawn(word).is_some()
            || self.begins_a_trait(usize::from(word == "not"))
    }

    fn kind(&mut self) -> Parsed<Kinds> {
        if let Some((file, bold)) = file_pawn(self.peek()) {
            self.next += 1;
            let (plain, bold) = if bold { (0, 1) } else { (1, 0) };
            return Ok(Kinds { plain, bold, file: Some(file) });
        }
        if self.takes("piece") {
            if self.peek() == "/" {
                return self.fail(say!("effect-piece-alone", "`piece` stands alone"));
            }
            return Ok(Kinds::PIECE);
        }
        self.names()
    }

    /// Names of pieces alone: neither `piece` nor a pawn of a file.
    fn kind_of_names(&mut self) -> Parsed<Kinds> {
        if self.peek() == "piece" || file_pawn(self.peek()).is_some() {
            return self.fail(say!("effect-names-only", "only the names of pieces fit here"));
        }
        self.names()
    }

    fn names(&mut self) -> Parsed<Kinds> {
        let mut kind = Kinds::default();
        loop {
            let Some((bits, bold)) = name(self.peek()) else {
                return self.fail(say!("effect-name-here", "the name of a piece has to stand here"));
            };
            self.next += 1;
            *if bold { &mut kind.bold } else { &mut kind.plain } |= bits;
            if !self.takes("/") {
                return Ok(kind);
            }
        }
    }

    // ---- conditions ----

    fn begins_a_trait(&self, ahead: usize) -> bool {
        match self.ahead(ahead) {
            "threatened" => self.ahead(ahead + 1) != "by",
            "light" | "dark" | "center" | "edge" | "kingside" | "queenside" | "doubled" | "pinned"
            | "immobile" | "rank" | "file" => true,
            _ => false,
        }
    }

    fn begins_an_ask(&self, ahead: usize, of: Subject) -> bool {
        let word = self.ahead(ahead);
        match word {
            "not" if ahead == 0 => self.begins_an_ask(1, of),
            "by" | "beside" | "behind" | "in" | "threatening" | "threatened" => true,
            _ if of != Subject::Piece && (word == "empty" || word.parse::<Square>().is_ok()) => true,
            _ => self.begins_a_trait(ahead),
        }
    }

    fn ask(&mut self, of: Subject) -> Parsed<Ask> {
        let not = self.takes("not");
        Ok(Ask { not, what: self.asked(of)? })
    }

    fn asked(&mut self, of: Subject) -> Parsed<What> {
        if self.begins_a_trait(0) {
            let at = self.next;
            let found = self.attribute()?;
            if of != Subject::Piece && found.of_pieces_alone() {
                return Err(self.error(at, of_pieces()));
            }
            return Ok(What::Trait(found));
        }
        if of != Subject::Piece {
            if self.takes("empty") {
                return Ok(What::Empty);
            }
            if let Ok(square) = self.peek().parse() {
                self.next += 1;
                return Ok(What::At(square));
            }
        }
        if self.peek() == "in" && self.ahead(1) == "its" {
            return self.in_its(of);
        }
        let at = self.next;
        let relation = self.relation()?;
        if relation == Relation::Threatening && of != Subject::Piece {
            return Err(self.error(at, of_pieces()));
        }
        let thing = self.thing()?;
        if thing.of.is_none() && matches!(relation, Relation::ThreatenedBy | Relation::Threatening) {
            return self
                .fail_before(say!("effect-pieces-threaten", "only pieces threaten and are threatened"));
        }
        Ok(What::Relation(relation, thing))
    }

    fn in_its(&mut self, of: Subject) -> Parsed<What> {
        if of != (Subject::Place { has_its: true }) {
            return self.fail(say!("effect-of-goals", "this is said of the goal of a warp or a move alone"));
        }
        self.next += 2;
        match self.peek() {
            "file" => {
                self.next += 1;
                Ok(What::InItsFile)
            }
            "rank" => {
                self.next += 1;
                Ok(What::InItsRank)
            }
            _ => self.fail(say!("effect-file-or-rank", "`file` or `rank` has to follow here")),
        }
    }

    fn attribute(&mut self) -> Parsed<Trait> {
        let word = self.peek().to_owned();
        self.next += 1;
        Ok(match word.as_str() {
            "light" => Trait::Light,
            "dark" => Trait::Dark,
            "center" => Trait::Center,
            "edge" => Trait::Edge,
            "kingside" => Trait::Kingside,
            "queenside" => Trait::Queenside,
            "doubled" => Trait::Doubled,
            "pinned" => Trait::Pinned,
            "immobile" => Trait::Immobile,
            "threatened" => Trait::Threatened,
            "rank" => match self.peek().as_bytes() {
                [digit @ b'1'..=b'8'] => {
                    let number = digit - b'0';
                    self.next += 1;
                    Trait::Rank(number)
                }
                _ => return self.fail(say!("effect-rank-follows", "a rank from 1 to 8 has to follow here")),
            },
            "file" => match self.peek().as_bytes() {
                [letter @ b'a'..=b'h'] => {
                    let number = letter - b'a';
                    self.next += 1;
                    Trait::File(number)
                }
                _ => return self.fail(say!("effect-file-follows", "a file from a to h has to follow here")),
            },
            _ => return self.fail_before(say!("effect-no-attribute", "this is no attribute")),
        })
    }

    fn relation(&mut self) -> Parsed<Relation> {
        let (relation, words) = match (self.peek(), self.ahead(1), self.ahead(2)) {
            ("by", _, _) => (Relation::By, 1),
            ("beside", _, _) => (Relation::Beside, 1),
            ("behind", _, _) => (Relation::Behind, 1),
            ("threatening", _, _) => (Relation::Threatening, 1),
            ("threatened", "by", _) => (Relation::ThreatenedBy, 2),
            ("in", "front", "of") => (Relation::InFrontOf, 3),
            ("in", "rank", "of") => (Relation::InRankOf, 3),
            ("in", "file", "of") => (Relation::InFileOf, 3),
            ("in", _, _) => {
                return self.fail(say!(
                    "effect-in-what",
                    "`in front of`, `in rank of`, `in file of`, `in its file` or `in its rank`"
                ));
            }
            _ => return self.fail(say!("effect-condition-here", "a condition has to stand here")),
        };
        self.next += words;
        Ok(relation)
    }

    fn thing(&mut self) -> Parsed<Thing> {
        let count = match self.peek().as_bytes() {
            b"no" => Some(Count::None),
            [digit @ b'1'..=b'8'] => Some(Count::AtLeast(digit - b'0')),
            _ => None,
        };
        self.next += usize::from(count.is_some());
        let count = count.unwrap_or(Count::AtLeast(1));
        if self.takes("empty") {
            return Ok(Thing { count, of: None });
        }
        let piece = if self.takes("(") {
            let piece = self.piece()?;
            self.need(")")?;
            piece
        } else {
            let (head, asks) = self.head(true)?;
            PieceChoice { head, asks }
        };
        Ok(Thing { count, of: Some(Box::new(piece)) })
    }
}

/// The kind that a word names, as bits, and whether it is bold.
fn name(word: &str) -> Option<(u8, bool)> {
    let plain = word.strip_prefix('*');
    let nth = NAMES.iter().position(|name| *name == plain.unwrap_or(word))?;
    Some((1 << nth, plain.is_some()))
}
