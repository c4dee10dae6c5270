//! *Hunt*, a game that exists only in this file. It proves that the seam between table and game is complete: the game
//! is listed, parsed, replayed, inferred from a board, undone, ruled on and reported, and no other file mentions it.
//!
//! Each player is dealt two hidden cards, with faces that no other game has. The player on turn rolls a die and may
//! take up to that many of the opponent's pawns off the board in one action. Before that the player may show a hidden
//! card and draw an open one. A pawn is worth one point, a shown card one to three. A player wins with the agreed
//! number of points, or by leaving the opponent without a pawn.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tabiya_engine::record::secrets::{Exported, GameCards};
use tabiya_engine::record::{Header, Infer, Line, Replay, Stop, pgn, sheet};
use tabiya_engine::rules::{
    Action, ActionData, Actor, Agreed, Candidate, Cards, Change, ChangeData, Context, Datum, Dealt, Done,
    Faces, Fields, FormError, Game, GameKind, Games, Goal, Group, Heap, HeapPlace, Offer, OfferData, Outcome,
    OwnAction, OwnChange, OwnOffer, OwnReason, Phase, Reason, Score, SheetLine, Stages, Start, TermReader,
    TermSpec, Turn, UsualNumber, Verb, Violation, WholeNumber,
};
use tabiya_types::{Board, ByColor, BySeat, Color, Piece, Role, Seat, Sentence, Square, one_letter, say};

static ONLY_HUNT: Games = &[&Hunt];

/// The number of cards that each player is dealt.
const HAND: usize = 2;
/// How many cards of the deck have the same beast as their face.
const OF_EACH: usize = 4;

const POINTS: OwnReason = OwnReason {
    word: "points",
    sentence: || say!("hunt-points", "points"),
    ending: || say!("hunt-ended-points", "on points"),
};
const HUNTED_DOWN: OwnReason = OwnReason {
    word: "hunted-down",
    sentence: || say!("hunt-hunted-down", "hunted down"),
    ending: || say!("hunt-ended-hunted-down", "by hunting everything down"),
};

#[derive(Debug)]
struct Hunt;

#[derive(Debug, Clone, Copy)]
struct HuntTerms {
    pawns: u8,
    limit: u32,
}

const PAWNS: TermSpec<WholeNumber> =
    TermSpec::new("pawns", WholeNumber { least: 0, most: 8, usual: UsualNumber::Is(8), line: None });
const LIMIT: TermSpec<WholeNumber> =
    TermSpec::new("limit", WholeNumber { least: 0, most: 1000, usual: UsualNumber::Is(1000), line: None });

/// The face of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beast {
    Hare,
    Fox,
    Bear,
}

#[derive(Debug, Clone, PartialEq)]
enum HuntAction {
    Deal(ByColor<Option<Vec<Dealt<Beast>>>>),
    Roll { by: Color, number: u64 },
    Draw { by: Color, card: Beast },
    Show { by: Color, card: Beast },
    Take { by: Color, at: Vec<Square> },
}

/// An offer that stands for several actions.
#[derive(Debug, PartialEq)]
enum HuntOffer {
    Draw { by: Color, cards: Vec<Beast> },
    Show { by: Color, cards: Vec<Beast> },
    Take { by: Color, at: Vec<Square>, most: u64 },
}

/// A ruling that sets points.
#[derive(Debug, PartialEq)]
struct Points(BySeat<Option<u32>>);

#[derive(Debug, Clone)]
struct Hunting {
    start: Start,
    limit: u32,
    board: Board,
    turn: Color,
    dealt: bool,
    /// How many pawns may be taken; `None` before the roll.
    rolled: Option<u64>,
    taken: bool,
    hidden: ByColor<usize>,
    drawn: ByColor<Vec<Beast>>,
    shown: Vec<Beast>,
    points: ByColor<u32>,
    outcome: Option<Outcome>,
}

impl Beast {
    const ALL: [Self; 3] = [Self::Hare, Self::Fox, Self::Bear];

    fn letter(self) -> char {
        match self {
            Self::Hare => 'H',
            Self::Fox => 'F',
            Self::Bear => 'B',
        }
    }
    fn from_text(text: &str) -> Option<Self> {
        let letter = one_letter(text)?;
        Self::ALL.into_iter().find(|beast| beast.letter() == letter)
    }
    fn worth(self) -> u32 {
        match self {
            Self::Hare => 1,
            Self::Fox => 2,
            Self::Bear => 3,
        }
    }
}

fn letters(cards: &[Beast]) -> Vec<char> {
    cards.iter().map(|card| card.letter()).collect()
}

fn squares(at: &[Square]) -> Vec<String> {
    at.iter().map(ToString::to_string).collect()
}

fn dealt(fields: &mut Fields) -> Result<HuntAction, FormError> {
    let Some(cards) = fields.take("cards") else { return Ok(HuntAction::Deal(ByColor::default())) };
    let mut cards = Fields::of_value("`cards`", cards)?;
    let mut hand = |color: Color| {
        let read =
            |text: &str| (text == "?").then_some(Dealt(None)).or(Beast::from_text(text).map(Some).map(Dealt));
        cards.list(color.word(), "a list of H F B or ?", read)
    };
    let hands = ByColor { white: hand(Color::White)?, black: hand(Color::Black)? };
    cards.finish()?;
    Ok(HuntAction::Deal(hands))
}

impl GameKind for Hunt {
    fn name(&self) -> &'static str {
        "hunt"
    }
    fn terms(&self) -> &'static [TermSpec] {
        const { &[PAWNS.spec(), LIMIT.spec()] }
    }
    fn required_terms(&self) -> &'static [&'static str] {
        &["pawns"]
    }
    fn terms_for_next(&self) -> &'static [&'static str] {
        &["limit"]
    }
    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        let pawns = TermReader::new(terms).number(&PAWNS)?;
        HuntTerms { pawns: u8::try_from(pawns).unwrap(), limit: 1000 }.changed(terms)
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Resign]
    }
    fn read_own(&self, word: &str, fields: &mut Fields) -> Result<Option<OwnAction>, FormError> {
        let card = |fields: &mut Fields| fields.need("card", "one of H F B", Beast::from_text);
        let action = match word {
            "deal" => dealt(fields)?,
            "roll" => {
                let by = fields.by_player()?;
                let number = fields.number("number", 6)?.filter(|number| *number > 0);
                HuntAction::Roll { by, number: number.ok_or_else(|| fields.wrong("number", "1 to 6"))? }
            }
            "draw" => HuntAction::Draw { by: fields.by_player()?, card: card(fields)? },
            "show" => HuntAction::Show { by: fields.by_player()?, card: card(fields)? },
            "take" => {
                let by = fields.by_player()?;
                let at = fields.list("at", "a list of squares", |text| text.parse().ok())?;
                HuntAction::Take { by, at: at.ok_or_else(|| fields.missing("at"))? }
            }
            _ => return Ok(None),
        };
        Ok(Some(OwnAction::new(action)))
    }
    fn read_ruling(&self, set: &mut Fields) -> Result<Option<OwnChange>, FormError> {
        let Some(points) = set.take("score") else { return Ok(None) };
        let mut seats = Fields::of_value("`score`", points)?;
        let mut of =
            |seat: Seat| Ok(seats.number(seat.word(), 99)?.map(|number| u32::try_from(number).unwrap()));
        let points = Points(BySeat { a: of(Seat::A)?, b: of(Seat::B)? });
        seats.finish()?;
        Ok(Some(OwnChange::new(points)))
    }
    fn reads_position(&self, fen: &str) -> bool {
        only_pawns(fen).is_some()
    }
}

/// Parses a board that has only pawns, which is not a position of chess. `None` for anything else.
fn only_pawns(fen: &str) -> Option<Board> {
    let board: Board = fen.parse().ok()?;
    board.pieces().all(|(_, piece)| piece.role == Role::Pawn).then_some(board)
}

impl Agreed for HuntTerms {
    fn changed(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        let limit = terms.number("limit", 1000)?.map_or(self.limit, |limit| u32::try_from(limit).unwrap());
        Ok(Arc::new(Self { limit, ..*self }))
    }
    fn begin(&self, start: Start) -> Box<dyn Game> {
        let mut board = Board::EMPTY;
        for file in 0..self.pawns {
            for (color, rank) in [(Color::White, 1), (Color::Black, 6)] {
                board[Square::from_coords(file, rank).unwrap()] = Some(Piece { color, role: Role::Pawn });
            }
        }
        Box::new(Hunting {
            start,
            limit: self.limit,
            board,
            turn: Color::White,
            dealt: false,
            rolled: None,
            taken: false,
            hidden: ByColor::default(),
            drawn: ByColor::default(),
            shown: Vec::new(),
            points: ByColor::default(),
            outcome: None,
        })
    }
    fn sheet(&self) -> Vec<SheetLine> {
        vec![say!("hunt-sheet", "{pawns} pawns each", pawns = self.pawns).into()]
    }
}

impl ActionData for HuntAction {
    fn word(&self) -> &'static str {
        match self {
            Self::Deal(_) => "deal",
            Self::Roll { .. } => "roll",
            Self::Draw { .. } => "draw",
            Self::Show { .. } => "show",
            Self::Take { .. } => "take",
        }
    }
    fn by(&self) -> Option<Color> {
        match self {
            Self::Deal(_) => None,
            Self::Roll { by, .. } | Self::Draw { by, .. } | Self::Show { by, .. } | Self::Take { by, .. } => {
                Some(*by)
            }
        }
    }
    fn fields(&self) -> Group {
        match self {
            Self::Deal(_) => {
                let faces = self.deals().unwrap_or_default();
                let told = faces.iter().filter_map(|(color, faces)| {
                    Some((color.word().to_owned(), Datum::from(faces.clone()?)))
                });
                let told: Group = told.collect();
                if told.is_empty() { Group::new() } else { Group::new().with("cards", told) }
            }
            Self::Roll { number, .. } => Group::new().with("number", *number),
            Self::Draw { card, .. } | Self::Show { card, .. } => Group::new().with("card", card.letter()),
            Self::Take { at, .. } => Group::new().with("at", squares(at)),
        }
    }
    fn changes_board(&self) -> bool {
        matches!(self, Self::Take { .. })
    }
    fn takes_turn(&self) -> bool {
        !matches!(self, Self::Deal(_))
    }
    fn waits_while_paused(&self) -> bool {
        true
    }
    fn deals(&self) -> Option<Faces> {
        let Self::Deal(hands) = self else { return None };
        let face = |card: &Dealt<Beast>| card.0.map_or('?', Beast::letter).to_string();
        Some(ByColor::new(|color| hands[color].as_ref().map(|hand| hand.iter().map(face).collect())))
    }
    fn shows(&self) -> Vec<(Color, String)> {
        match self {
            Self::Show { by, card } => vec![(*by, card.letter().to_string())],
            Self::Deal(_) | Self::Roll { .. } | Self::Draw { .. } | Self::Take { .. } => Vec::new(),
        }
    }
    fn describe(&self) -> Sentence {
        say!("hunt-tell", "{action}", action = format!("{self:?}"))
    }
}

impl OfferData for HuntOffer {
    fn word(&self) -> &'static str {
        match self {
            Self::Draw { .. } => "draw",
            Self::Show { .. } => "show",
            Self::Take { .. } => "take",
        }
    }
    fn by(&self) -> Option<Color> {
        match self {
            Self::Draw { by, .. } | Self::Show { by, .. } | Self::Take { by, .. } => Some(*by),
        }
    }
    fn fields(&self) -> Group {
        match self {
            Self::Draw { cards, .. } | Self::Show { cards, .. } => Group::new().with("card", letters(cards)),
            Self::Take { at, most, .. } => Group::new().with("at", squares(at)).with("most", *most),
        }
    }
    fn takes_turn(&self) -> bool {
        true
    }
    fn waits_while_paused(&self) -> bool {
        true
    }
}

impl ChangeData for Points {
    fn fields(&self) -> Group {
        let set =
            Seat::ALL.into_iter().filter_map(|seat| Some((seat.word().to_owned(), self.0[seat]?.into())));
        Group::new().with("score", set.collect::<Group>())
    }
}

impl Hunting {
    fn no<T>(&self, rule: &'static str, what: Sentence) -> Result<T, Violation> {
        Err(Violation::new(rule, what, self.prompt()))
    }
    fn prey(&self) -> impl Iterator<Item = Square> {
        let piece = Piece { color: self.turn.other(), role: Role::Pawn };
        self.board.pieces().filter(move |(_, stands)| *stands == piece).map(|(at, _)| at)
    }
    /// The faces that at least one unseen card has.
    fn unseen(&self) -> Vec<Beast> {
        let open = || self.shown.iter().chain(&self.drawn.white).chain(&self.drawn.black);
        let left = |beast: &Beast| open().filter(|seen| *seen == beast).count() < OF_EACH;
        Beast::ALL.into_iter().filter(left).collect()
    }
    fn stock(&self) -> usize {
        let dealt = if self.dealt { 2 * HAND } else { 0 };
        OF_EACH * Beast::ALL.len() - dealt - self.drawn.white.len() - self.drawn.black.len()
    }
    /// How many pawns may be taken now.
    fn may_take(&self) -> u64 {
        if self.taken || self.outcome.is_some() { 0 } else { self.rolled.unwrap_or(0) }
    }
    fn after_taking(&self, at: &[Square]) -> Candidate {
        let mut after = self.board;
        for square in at {
            after[*square] = None;
        }
        let take = HuntAction::Take { by: self.turn, at: at.to_vec() };
        Candidate { action: Action::Own(OwnAction::new(take)), after }
    }
    fn see_who_has_won(&mut self) {
        let rich = Color::ALL.into_iter().find(|color| self.points[*color] >= self.limit);
        match rich {
            Some(color) => self.outcome = Some(Outcome::won(color, Reason::Own(POINTS))),
            None if self.prey().next().is_none() => {
                self.outcome = Some(Outcome::won(self.turn, Reason::Own(HUNTED_DOWN)));
            }
            None => {}
        }
    }
    fn deal(&mut self, hands: &ByColor<Option<Vec<Dealt<Beast>>>>) -> Result<(), Violation> {
        let wrong = hands.iter().any(|(_, hand)| hand.as_ref().is_some_and(|hand| hand.len() != HAND));
        if self.dealt || wrong {
            return self.no("wrong-deal", say!("hunt-wrong-deal", "each player gets two cards, once"));
        }
        // A card reader may have reported the faces of the dealt cards. This game needs no such faces, so it does not
        // store them.
        (self.dealt, self.hidden) = (true, ByColor { white: HAND, black: HAND });
        Ok(())
    }
    fn take(&mut self, at: &[Square]) -> Result<(), Violation> {
        let prey: Vec<Square> = self.prey().collect();
        let twice = at.iter().enumerate().any(|(nth, square)| at[..nth].contains(square));
        let fits = !twice && !at.is_empty() && at.len() as u64 <= self.may_take();
        if !fits || !at.iter().all(|square| prey.contains(square)) {
            return self.no("no-prey", say!("hunt-no-prey", "these pawns cannot be taken"));
        }
        self.board = self.after_taking(at).after;
        self.points[self.turn] += u32::try_from(at.len()).unwrap();
        self.taken = true;
        Ok(())
    }
}

impl Game for Hunting {
    fn boxed(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }
    fn apply(&mut self, action: &Action, _: Context) -> Result<Done, Violation> {
        if self.outcome.is_some() {
            return self.no("game-over", say!("hunt-over", "the hunt is over"));
        }
        let Action::Own(own) = action else {
            self.outcome = action.by().map(|by| Outcome::won(by.other(), Reason::Resignation));
            return Ok(Done::default());
        };
        let action = own.of::<HuntAction>().expect("Hunt reads its own lines");
        if let HuntAction::Deal(hands) = action {
            return self.deal(hands).map(|()| Done::default());
        }
        if !self.dealt || action.by() != Some(self.turn) || self.taken {
            return self.no("not-your-turn", say!("hunt-turn", "it is not your turn"));
        }
        match action {
            HuntAction::Deal(_) => {}
            HuntAction::Roll { .. } if self.rolled.is_some() => {
                return self.no("rolled", say!("hunt-rolled", "the die has been rolled already"));
            }
            HuntAction::Roll { number, .. } => self.rolled = Some(*number),
            HuntAction::Draw { card, .. } if self.stock() > 0 && self.unseen().contains(card) => {
                self.drawn[self.turn].push(*card);
            }
            HuntAction::Show { card, .. } if self.hidden[self.turn] > 0 && self.unseen().contains(card) => {
                self.hidden[self.turn] -= 1;
                self.shown.push(*card);
                self.points[self.turn] += card.worth();
            }
            HuntAction::Draw { .. } | HuntAction::Show { .. } => {
                return self.no("no-such-card", say!("hunt-no-card", "there is no such card any more"));
            }
            HuntAction::Take { at, .. } => self.take(at)?,
        }
        self.see_who_has_won();
        Ok(Done::default())
    }
    fn end_turn(&mut self) {
        (self.turn, self.rolled, self.taken) = (self.turn.other(), None, false);
    }
    fn turn(&self) -> Turn {
        match self.outcome {
            None if self.dealt => Turn::Timed { by: self.turn, acted: self.taken, counts: true },
            Some(_) | None => Turn::Untimed,
        }
    }
    fn to_act(&self) -> Actor {
        match self.outcome {
            Some(_) => Actor::Nobody,
            None if self.dealt => Actor::Player(self.turn),
            None => Actor::Dealer,
        }
    }
    fn phase(&self) -> Phase {
        match self.outcome {
            Some(_) => Phase::Over,
            None if self.dealt => Phase::Own("hunt"),
            None => Phase::Deal,
        }
    }
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
    fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }
    fn flag_outcome(&self, fallen: Color) -> Outcome {
        Outcome::won(fallen.other(), Reason::Timeout)
    }
    fn change(&mut self, change: &Change) -> Result<(), Violation> {
        match change {
            Change::ToAct(color) => self.turn = *color,
            Change::Position(fen) => self.board = only_pawns(fen).expect("Hunt has read it"),
            Change::Own(own) => {
                let Points(points) = own.of().expect("Hunt reads its own rulings");
                for seat in Seat::ALL {
                    let color = self.start.color_of(seat);
                    self.points[color] = points[seat].unwrap_or(self.points[color]);
                }
            }
            Change::Stakes(_) => return self.no("no-chips", say!("hunt-none", "Hunt has no chips")),
        }
        Ok(())
    }
    fn after_ruling(&mut self) {
        self.see_who_has_won();
    }
    fn board(&self) -> Board {
        self.board
    }
    /// Lists the actions that take one pawn. Those that take several pawns are too many to list.
    fn candidates(&self) -> Vec<Candidate> {
        let one = self.prey().filter(|_| self.may_take() > 0);
        one.map(|at| self.after_taking(&[at])).collect()
    }
    fn candidates_for(&self, seen: &Board) -> Vec<Candidate> {
        let gone: Vec<Square> = self.prey().filter(|at| seen[*at].is_none()).collect();
        let fits = !gone.is_empty() && gone.len() as u64 <= self.may_take();
        fits.then(|| self.after_taking(&gone)).into_iter().collect()
    }
    fn offers(&self) -> Vec<Offer> {
        let by = self.turn;
        let own = |action| Offer::Do(Action::Own(OwnAction::new(action)));
        match (self.outcome, self.dealt, self.taken) {
            (Some(_), _, _) => return Vec::new(),
            (None, false, _) => return vec![own(HuntAction::Deal(ByColor::default()))],
            (None, true, true) => return Vec::new(),
            (None, true, false) => {}
        }
        let mut offers: Vec<Offer> = match self.rolled {
            None => (1..=6).map(|number| own(HuntAction::Roll { by, number })).collect(),
            Some(most) => {
                vec![Offer::Own(OwnOffer::new(HuntOffer::Take { by, at: self.prey().collect(), most }))]
            }
        };
        let cards = self.unseen();
        if self.stock() > 0 {
            offers.push(Offer::Own(OwnOffer::new(HuntOffer::Draw { by, cards: cards.clone() })));
        }
        if self.hidden[by] > 0 {
            offers.push(Offer::Own(OwnOffer::new(HuntOffer::Show { by, cards })));
        }
        offers
    }
    fn prompt(&self) -> Sentence {
        say!("hunt-prompt", "{by}: roll and take", by = self.turn)
    }
    fn own_report(&self) -> Group {
        let by_seat = |of: &dyn Fn(Color) -> Datum| {
            let pair = Seat::ALL.map(|seat| (seat.word().to_owned(), of(self.start.color_of(seat))));
            pair.into_iter().collect::<Group>()
        };
        Group::new()
            .with("drawn", by_seat(&|color| letters(&self.drawn[color]).into()))
            .with("hidden", by_seat(&|color| Datum::Number(self.hidden[color] as u64)))
            .with("shown", letters(&self.shown))
            .with("die", self.rolled)
    }
    fn stages(&self) -> Option<Stages> {
        Some(Stages { names: &["deal", "hunt"], now: usize::from(self.dealt) })
    }
    fn score(&self) -> Option<Score> {
        Some(Score { points: self.points, wins: Some(Goal::Total(self.limit)) })
    }
    fn cards(&self) -> Option<&dyn Cards> {
        Some(self)
    }
}

impl Cards for Hunting {
    fn heaps(&self) -> Vec<Heap> {
        let up = |cards: &[Beast]| letters(cards).iter().map(ToString::to_string).collect();
        let down = |count: usize| u32::try_from(count).unwrap();
        let mut heaps = vec![
            Heap { place: HeapPlace::Stock, up: Vec::new(), down: down(self.stock()) },
            Heap { place: HeapPlace::Used, up: up(&self.shown), down: 0 },
        ];
        for color in Color::ALL {
            heaps.push(Heap {
                place: HeapPlace::Hand(color),
                up: Vec::new(),
                down: down(self.hidden[color]),
            });
            heaps.push(Heap { place: HeapPlace::Before(color), up: up(&self.drawn[color]), down: 0 });
        }
        heaps
    }
}

fn header(terms: &str) -> String {
    format!(
        r#"{{"tabiya":1,"game":"hunt","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"pawns":3,{terms}"time":"60"}}}}"#
    )
}

fn fold_with(terms: &str, lines: &[&str]) -> Replay {
    let mut replay = Replay::begin(&header(terms), ONLY_HUNT).unwrap();
    for (number, line) in (2..).zip(lines) {
        replay.feed(number, line).unwrap_or_else(|stop| panic!("{line}: {stop}"));
    }
    replay
}

fn fold(lines: &[&str]) -> Replay {
    fold_with("", lines)
}

fn refused(before: &[&str], line: &str) -> &'static str {
    match fold(before).feed(99, line) {
        Err(Stop::Refused(violation)) => violation.rule,
        other => panic!("{line}: {other:?}"),
    }
}

const LINES: [&str; 11] = [
    r#"{"t":0,"do":"deal","cards":{"white":["H","?"],"black":["B","F"]}}"#,
    r#"{"t":0,"do":"press","by":"black"}"#,
    r#"{"t":1000,"do":"roll","by":"white","number":2}"#,
    r#"{"t":2000,"do":"draw","by":"white","card":"F"}"#,
    r#"{"t":3000,"do":"show","by":"white","card":"H"}"#,
    r#"{"t":4000,"do":"take","by":"white","at":["a7","b7"]}"#,
    r#"{"t":4000,"do":"press","by":"white"}"#,
    r#"{"t":5000,"do":"show","by":"black","card":"B"}"#,
    r#"{"t":5000,"do":"roll","by":"black","number":6}"#,
    r#"{"t":6000,"do":"take","by":"black","at":["a2"]}"#,
    r#"{"t":7000,"do":"press","by":"black"}"#,
];
/// The number of lines up to White's first roll.
const ROLLED: usize = 3;

const ONE_LEFT: &str = r#"{"t":8000,"do":"roll","by":"white","number":1}"#;
const LAST_TAKEN: &str = r#"{"t":9000,"do":"take","by":"white","at":["c7"]}"#;

#[test]
fn a_record_of_a_new_game_is_replayed() {
    let report = fold(&[&LINES[..], &[ONE_LEFT, LAST_TAKEN]].concat()).report();
    let game = &report["games"][0];
    assert_eq!(game["outcome"], json!({"winner": "A", "reason": "hunted-down"}));
    assert_eq!(game["score"], json!({"A": 4, "B": 4}));
    assert_eq!(game["drawn"], json!({"A": ["F"], "B": []}));
    assert_eq!(game["hidden"], json!({"A": 1, "B": 1}));
    assert_eq!(game["shown"], json!(["H", "B"]));
    assert_eq!(game["die"], 1);
    assert_eq!(report["clock_ms"], json!({"white": 54_000, "black": 57_000}));
    assert_eq!(report["legal"], json!([{"do": "next"}]));
    assert_eq!(fold(&LINES[..2]).report()["games"][0]["die"], Value::Null);
}

#[test]
fn its_lines_read_back_as_they_were_written() {
    let replay = fold(&[]);
    let rest = [
        r#"{"t":0,"do":"deal"}"#,
        r#"{"t":0,"do":"deal","cards":{"black":["?","?"]}}"#,
        r#"{"t":0,"do":"rule","by":"arbiter","reason":"x","set":{"to_act":"black","score":{"A":3}}}"#,
        r#"{"t":0,"do":"next","limit":7}"#,
    ];
    for line in LINES.into_iter().chain(rest) {
        assert_eq!(Line::parse(line, replay.header()).unwrap().to_string(), line);
    }
}

#[test]
fn its_whole_turn_is_undone_at_once_and_redone() {
    let mut replay = fold(&LINES[..7]);
    let taken = replay.report()["games"][0].clone();
    replay.feed(9, r#"{"t":4000,"do":"undo"}"#).unwrap();
    assert_eq!(replay.table().board().to_string(), "8/ppp5/8/8/8/8/PPP5/8");
    let undone = &replay.report()["games"][0];
    assert_eq!(undone["score"], json!({"A": 0, "B": 0}));
    assert_eq!(undone["hidden"], json!({"A": 2, "B": 2}));
    assert_eq!((&undone["drawn"]["A"], &undone["die"]), (&json!([]), &Value::Null));
    replay.feed(10, r#"{"t":4000,"do":"redo"}"#).unwrap();
    assert_eq!(replay.table().board().to_string(), "8/2p5/8/8/8/8/PPP5/8");
    assert_eq!(replay.report()["games"][0]["score"], taken["score"]);
}

#[test]
fn its_own_rules_refuse_and_name_themselves() {
    let take = r#"{"t":1000,"do":"take","by":"white","at":["a7"]}"#;
    assert_eq!(refused(&LINES[..1], take), "no-prey");
    assert_eq!(refused(&[], take), "not-your-turn");
    assert_eq!(refused(&LINES[..ROLLED], &LINES[0].replace(":0,", ":1000,")), "wrong-deal");
    assert_eq!(refused(&LINES[..ROLLED], r#"{"t":1000,"do":"roll","by":"white","number":1}"#), "rolled");
    assert_eq!(
        refused(&LINES[..ROLLED], r#"{"t":1000,"do":"take","by":"white","at":["a7","a7"]}"#),
        "no-prey"
    );
    let hare = r#"{"t":1000,"do":"show","by":"white","card":"H"}"#;
    let both = [&LINES[..ROLLED], &[hare, hare]].concat();
    assert_eq!(refused(&both, hare), "no-such-card");
    let unusable = |line: &str| matches!(fold(&[]).feed(2, line), Err(Stop::Unusable(_)));
    for line in [
        r#"{"t":0,"do":"roll","by":"white","number":7}"#,
        r#"{"t":0,"do":"show","by":"white","card":"Q"}"#,
        r#"{"t":0,"do":"take","by":"white","at":"a7"}"#,
        r#"{"t":0,"do":"deal","cards":{"white":["Q"]}}"#,
        r#"{"t":0,"do":"deal","cards":{"green":["H"]}}"#,
        r#"{"t":0,"do":"move","by":"white","uci":"e2e4"}"#,
        r#"{"t":0,"do":"rule","by":"arbiter","reason":"x","set":{"score":{"A":100}}}"#,
        r#"{"t":0,"do":"rule","by":"arbiter","reason":"x","set":{"fen":"8/8/8/8/8/8/8/K7"}}"#,
    ] {
        assert!(unusable(line), "{line}");
    }
}

#[test]
fn its_candidates_are_boards_for_the_tracker() {
    let probe = fold(&LINES[..ROLLED]).table().probe();
    let after = |candidates: Vec<Candidate>| -> Vec<String> {
        candidates.iter().map(|candidate| candidate.after.to_string()).collect()
    };
    let one = ["8/1pp5/8/8/8/8/PPP5/8", "8/p1p5/8/8/8/8/PPP5/8", "8/pp6/8/8/8/8/PPP5/8"];
    assert_eq!(after(probe.candidates()), one);
    let two = "8/2p5/8/8/8/8/PPP5/8";
    assert_eq!(after(probe.candidates_for(&two.parse().unwrap())), [two]);
    let three = "8/8/8/8/8/8/PPP5/8".parse().unwrap();
    assert_eq!(after(probe.candidates_for(&three)), [""; 0], "the die shows two");
}

#[test]
fn what_no_list_has_is_understood_from_the_board() {
    let mut infer = Infer::new(Header::parse(&header(""), ONLY_HUNT).unwrap());
    let sees = |t: u32, board: &str| format!(r#"{{"t":{t},"do":"sees","board":"{board}"}}"#);
    let lines = [
        sees(0, "8/ppp5/8/8/8/8/PPP5/8"),
        LINES[0].to_owned(),
        LINES[1].to_owned(),
        LINES[2].to_owned(),
        sees(2000, "8/1pp5/8/8/8/8/PPP5/8"),
        sees(2400, "8/2p5/8/8/8/8/PPP5/8"),
        LINES[6].to_owned(),
        r#"{"t":5000,"do":"tick"}"#.to_owned(),
    ];
    for (number, line) in (2..).zip(&lines) {
        infer.feed(number, line).unwrap_or_else(|stop| panic!("{line}: {stop}"));
    }
    let inferred = infer.finish();
    assert!(inferred.understood);
    let written: Vec<String> = inferred.lines.iter().map(ToString::to_string).collect();
    assert!(
        written.iter().any(|line| line.contains(r#""do":"take","by":"white","at":["a7","b7"]"#)),
        "{written:?}"
    );
    assert_eq!(inferred.replay.report()["games"][0]["score"], json!({"A": 2, "B": 0}));
}

#[test]
fn the_clock_knows_nothing_of_it_and_works() {
    // If a player forgets the press, the opponent's next line counts as that press. A flag falls without a claim.
    let roll = r#"{"t":9000,"do":"roll","by":"black","number":1}"#;
    let replay = fold(&[&LINES[..6], &[roll]].concat());
    assert_eq!(replay.report()["clock_ms"], json!({"white": 51_000, "black": 60_000}));
    assert_eq!(refused(&LINES[..ROLLED], r#"{"t":2000,"do":"press","by":"white"}"#), "press-too-early");
    let flagged = fold(&[LINES[0], LINES[1], r#"{"t":60000,"do":"tick"}"#]);
    assert_eq!(flagged.report()["games"][0]["outcome"]["reason"], "timeout");
}

#[test]
fn the_score_ends_the_game_at_the_limit_that_was_agreed() {
    let replay = fold_with(r#""limit":3,"#, &LINES[..6]);
    assert_eq!(replay.report()["games"][0]["outcome"], json!({"winner": "A", "reason": "points"}));
    assert_eq!(replay.table().prompt().to_string(), "Ann wins by points; begin the next game with `next`");
    let score = replay.table().game().score();
    assert_eq!(score, Some(Score { points: ByColor { white: 3, black: 0 }, wins: Some(Goal::Total(3)) }));
    assert!(pgn::text(&replay, None).contains(r#"[Termination "normal"]"#));
    // In the next game, more points are needed to win, and the players have exchanged colours.
    let mut replay = replay;
    for (number, line) in (20..).zip([r#"{"t":9000,"do":"next","limit":9}"#, r#"{"t":9000,"do":"deal"}"#]) {
        replay.feed(number, line).unwrap();
    }
    assert_eq!(replay.table().game().score().unwrap().wins, Some(Goal::Total(9)));
    replay.feed(22, r#"{"t":9000,"do":"roll","by":"white","number":1}"#).unwrap();
    replay.feed(23, r#"{"t":9000,"do":"take","by":"white","at":["a7"]}"#).unwrap();
    assert_eq!(replay.report()["games"][1]["score"], json!({"A": 0, "B": 1}), "B has White now");
}

#[test]
fn an_arbiter_sets_what_only_this_game_has_and_what_follows_counts_together() {
    let rule =
        |set: &str| format!(r#"{{"t":4000,"do":"rule","by":"arbiter","reason":"a slip","set":{{{set}}}}}"#);
    let replay = fold(&[&LINES[..6], &[rule(r#""score":{"B":5}"#).as_str()]].concat());
    assert_eq!(replay.report()["games"][0]["score"], json!({"A": 3, "B": 5}));
    // The ruling leaves only a white pawn. White would have no pawn to take, so the ruling gives the turn to Black, who
    // can take this pawn.
    let fen = r#""fen":"8/8/8/8/8/8/P7/8""#;
    let replay = fold(&[&LINES[..6], &[rule(&format!(r#"{fen},"to_act":"black""#)).as_str()]].concat());
    assert_eq!(replay.table().game().outcome(), None);
    assert_eq!(replay.table().board().to_string(), "8/8/8/8/8/8/P7/8");
    let outcome = |set: &str| fold(&[&LINES[..6], &[rule(set).as_str()]].concat()).table().game().outcome();
    assert_eq!(outcome(fen), Some(Outcome::won(Color::White, Reason::Own(HUNTED_DOWN))));
    let winner = format!(r#"{fen},"winner":null"#);
    assert_eq!(outcome(&winner), Some(Outcome::drawn(Reason::RuledDraw)));
    assert_eq!(
        refused(&LINES, &rule(r#""stacks":{"A":1},"chips":"added""#).replace("4000", "7000")),
        "no-chips"
    );
}

/// All that anybody can see of a record, as text.
fn seen(lines: &[&str]) -> Vec<String> {
    let replay = fold(lines);
    let table = replay.table();
    let header = header("");
    let values = std::iter::once(&*header).chain(lines.iter().copied());
    let mut exported = Exported::begin(&replay);
    (1..).zip(values).for_each(|(number, line)| exported.add(number, line.parse().unwrap()));
    let parsed: Vec<Line> = lines.iter().map(|line| Line::parse(line, replay.header()).unwrap()).collect();
    vec![
        replay.report().to_string(),
        format!("{:?}", table.prompts()),
        format!("{:?}", table.legal()),
        format!("{:?} {:?}", table.game().stages(), table.game().cards().unwrap().heaps()),
        format!("{replay:?}"),
        format!("{parsed:?}"),
        exported.into_text(),
        pgn::text(&replay, None),
        sheet::lines(&replay, None).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        format!("{:?}", table.counted_inputs().map(|(_, input)| input).collect::<Vec<_>>()),
    ]
}

#[test]
fn hidden_faces_never_appear() {
    let other = LINES[0].replace(r#"["H","?"]"#, r#"["H","B"]"#).replace(r#"["B","F"]"#, r#"["B","H"]"#);
    let third = LINES[0].replace(r#"["H","?"]"#, r#"["H","F"]"#).replace(r#"["B","F"]"#, r#"["B","B"]"#);
    let lines = [&LINES[..], &[ONE_LEFT, LAST_TAKEN]].concat();
    for length in 1..=lines.len() {
        for deal in [&other, &third] {
            let differently: Vec<&str> =
                std::iter::once(deal.as_str()).chain(lines[1..length].iter().copied()).collect();
            assert_eq!(seen(&lines[..length]), seen(&differently));
        }
    }
    let exported = &seen(&lines)[6];
    assert!(
        exported.contains(r#""cards":{"white":["H","?"],"black":["B","?"]}"#),
        "shown cards are exported: {exported}"
    );
    assert_eq!(format!("{:?}", Dealt(Some(Beast::Fox))), "?");
}

#[test]
fn a_shown_card_that_was_not_dealt_contradicts_the_deal() {
    let cards = |deal: &str| {
        let lines: Vec<&str> = std::iter::once(deal).chain(LINES[1..].iter().copied()).collect();
        GameCards::of_last(fold(&lines).table()).contradictions()
    };
    assert_eq!(cards(LINES[0]), []);
    assert_eq!(cards(&LINES[0].replace(r#"["B","F"]"#, r#"["F","F"]"#)), [(9, Color::Black)]);
}

#[test]
fn its_stages_heaps_and_offers_are_there_for_a_screen() {
    let game = fold(&LINES[..5]);
    let game = game.table().game();
    assert_eq!(game.stages().map(|stages| stages.names[stages.now]), Some("hunt"));
    let heaps = game.cards().unwrap().heaps();
    let heap = |lies| {
        heaps.iter().find(|heap| heap.place == lies).map(|heap| (heap.up.concat(), heap.down)).unwrap()
    };
    assert_eq!(heap(HeapPlace::Hand(Color::White)), (String::new(), 1));
    assert_eq!(heap(HeapPlace::Before(Color::White)), ("F".to_owned(), 0));
    assert_eq!(heap(HeapPlace::Stock), (String::new(), 7));
    assert_eq!(heap(HeapPlace::Used), ("H".to_owned(), 0));
    assert!(
        game.cards().unwrap().deal_order().is_empty() && game.betting().is_none() && game.chess().is_none()
    );
    let legal = fold(&LINES[..5]).report()["legal"].clone();
    let wanted = json!([
        {"do": "take", "by": "white", "at": ["a7", "b7", "c7"], "most": 2},
        {"do": "draw", "by": "white", "card": ["H", "F", "B"]},
        {"do": "show", "by": "white", "card": ["H", "F", "B"]},
    ]);
    assert_eq!(legal, wanted);
    assert_eq!(fold(&[]).report()["legal"], json!([{"do": "deal"}]));
}

#[test]
fn its_own_values_are_equal_where_their_type_and_content_are() {
    let take = |square: &str| {
        OwnAction::new(HuntAction::Take { by: Color::White, at: vec![square.parse().unwrap()] })
    };
    assert_eq!(take("a7"), take("a7"));
    assert_ne!(take("a7"), take("b7"));
    let offer = |most| OwnOffer::new(HuntOffer::Take { by: Color::White, at: Vec::new(), most });
    assert_eq!(offer(1), offer(1));
    assert_ne!(offer(1), offer(2));
    let show = HuntOffer::Show { by: Color::White, cards: Vec::new() };
    assert_ne!(OwnOffer::new(show), offer(1));
    let points = |a| OwnChange::new(Points(BySeat { a: Some(a), b: None }));
    assert_eq!(points(1), points(1));
    assert_ne!(points(1), points(2));
    assert_ne!(POINTS, HUNTED_DOWN);
    assert_eq!((POINTS, format!("{POINTS:?}")), (POINTS, "points".to_owned()));
}

#[test]
fn no_source_names_it() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut looked_at = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(!text.contains("Hunt") && !text.contains("\"hunt"), "{}", path.display());
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 100, "{looked_at}");
}
