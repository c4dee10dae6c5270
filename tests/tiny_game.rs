//! A third game that lives in this file only, to keep the seam honest: *Hunt*. A die is rolled, that
//! many pawns of the opponent may be taken off the board one by one, a card is drawn in mid-game,
//! and who has no pawns left has lost. It is listed, parsed, replayed, undone and reported without a
//! word about it anywhere else.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]

use std::sync::Arc;

use serde_json::json;
use tabiya_engine::record::{Line, Replay, Stop};
use tabiya_engine::rules::{
    Action, ActionData, Actor, Agreed, Candidate, Change, Context, Done, Fields, FormError, Game, Games,
    Group, Kind, Offer, OfferData, Outcome, OwnAction, OwnOffer, Phase, Reason, Start, Turn, Verb, Violation,
};
use tabiya_types::{Board, Card, Color, Piece, Role, Sentence, Square, say};

static ONLY_HUNT: Games = &[&Hunt];

#[derive(Debug)]
struct Hunt;

#[derive(Debug, Clone)]
struct HuntTerms {
    pawns: u8,
}

#[derive(Debug, Clone, PartialEq)]
enum HuntAction {
    Roll { by: Color, number: u64 },
    Draw { by: Color, card: Card },
    Take { by: Color, at: Square },
}

#[derive(Debug, Clone)]
struct Hunting {
    board: Board,
    turn: Color,
    /// How many may still be taken; `None` before the roll.
    left: Option<u64>,
    drawn: Vec<Card>,
    outcome: Option<Outcome>,
}

impl Kind for Hunt {
    fn name(&self) -> &'static str {
        "hunt"
    }
    fn terms(&self) -> &'static [&'static str] {
        &["pawns"]
    }
    fn required_terms(&self) -> &'static [&'static str] {
        &["pawns"]
    }
    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        let pawns = terms.number("pawns", 8)?.unwrap_or(8);
        Ok(Arc::new(HuntTerms { pawns: u8::try_from(pawns).unwrap() }))
    }
    fn verbs(&self) -> &'static [Verb] {
        &[]
    }
    fn read_own(&self, word: &str, fields: &mut Fields) -> Result<Option<OwnAction>, FormError> {
        let action = match word {
            "roll" => {
                let by = fields.by_player()?;
                let number = fields.number("number", 6)?.filter(|number| *number > 0);
                HuntAction::Roll { by, number: number.ok_or_else(|| fields.wrong("number", "1 to 6"))? }
            }
            "draw" => HuntAction::Draw { by: fields.by_player()?, card: fields.piece("card")? },
            "take" => HuntAction::Take { by: fields.by_player()?, at: fields.square("at")? },
            _ => return Ok(None),
        };
        Ok(Some(OwnAction::new(action)))
    }
}

impl Agreed for HuntTerms {
    fn changed(&self, _: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(self.clone()))
    }
    fn begin(&self, _: Start) -> Box<dyn Game> {
        let mut board = Board::EMPTY;
        for file in 0..self.pawns {
            for (color, rank) in [(Color::White, 1), (Color::Black, 6)] {
                board[Square::from_coords(file, rank).unwrap()] = Some(Piece { color, role: Role::Pawn });
            }
        }
        Box::new(Hunting { board, turn: Color::White, left: None, drawn: Vec::new(), outcome: None })
    }
    fn sheet(&self) -> Vec<Sentence> {
        vec![say!("hunt-sheet", "{pawns} pawns each", pawns = self.pawns)]
    }
}

impl ActionData for HuntAction {
    fn word(&self) -> &'static str {
        match self {
            Self::Roll { .. } => "roll",
            Self::Draw { .. } => "draw",
            Self::Take { .. } => "take",
        }
    }
    fn by(&self) -> Option<Color> {
        match self {
            Self::Roll { by, .. } | Self::Draw { by, .. } | Self::Take { by, .. } => Some(*by),
        }
    }
    fn fields(&self) -> Group {
        match self {
            Self::Roll { number, .. } => Group::new().with("number", *number),
            Self::Draw { card, .. } => Group::new().with("card", card.letter()),
            Self::Take { at, .. } => Group::new().with("at", at.to_string()),
        }
    }
    fn changes_board(&self) -> bool {
        matches!(self, Self::Take { .. })
    }
    fn takes_turn(&self) -> bool {
        true
    }
    fn waits_while_paused(&self) -> bool {
        true
    }
    fn tell(&self) -> Sentence {
        say!("hunt-tell", "{action}", action = format!("{self:?}"))
    }
}

/// The pawns of which one may be taken.
#[derive(Debug, PartialEq)]
struct Prey {
    by: Color,
    at: Vec<Square>,
}

impl OfferData for Prey {
    fn word(&self) -> &'static str {
        "take"
    }
    fn by(&self) -> Option<Color> {
        Some(self.by)
    }
    fn fields(&self) -> Group {
        let at: Vec<String> = self.at.iter().map(ToString::to_string).collect();
        Group::new().with("at", at)
    }
    fn takes_turn(&self) -> bool {
        true
    }
    fn waits_while_paused(&self) -> bool {
        true
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
}

impl Game for Hunting {
    fn boxed(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }
    fn apply(&mut self, action: &Action, _: Context) -> Result<Done, Violation> {
        let Action::Own(own) = action else { unreachable!("Hunt shares no action") };
        let action = own.of::<HuntAction>().expect("Hunt reads its own lines");
        if self.outcome.is_some() || action.by() != Some(self.turn) {
            return self.no("not-your-turn", say!("hunt-turn", "it is not your turn"));
        }
        match action {
            HuntAction::Roll { .. } if self.left.is_some() => {
                return self.no("rolled", say!("hunt-rolled", "the die lies there"));
            }
            HuntAction::Roll { number, .. } => self.left = Some(*number),
            HuntAction::Draw { card, .. } => self.drawn.push(*card),
            HuntAction::Take { at, .. } => match self.left {
                Some(left) if left > 0 && self.prey().any(|prey| prey == *at) => {
                    self.board[*at] = None;
                    self.left = Some(left - 1);
                    if self.prey().next().is_none() {
                        self.outcome = Some(Outcome::won(self.turn, Reason::Checkmate));
                    }
                }
                _ => {
                    let what = say!("hunt-no-prey", "nothing is to be taken from {at}", at = *at);
                    return self.no("no-prey", what);
                }
            },
        }
        Ok(Done::default())
    }
    fn end_turn(&mut self) {
        (self.turn, self.left) = (self.turn.other(), None);
    }
    fn turn(&self) -> Turn {
        match self.outcome {
            Some(_) => Turn::Untimed,
            None => Turn::Timed { by: self.turn, acted: self.left.is_some(), counts: true },
        }
    }
    fn to_act(&self) -> Actor {
        if self.outcome.is_some() { Actor::Nobody } else { Actor::Player(self.turn) }
    }
    fn phase(&self) -> Phase {
        if self.outcome.is_some() { Phase::Over } else { Phase::Own("hunt") }
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
            Change::ToAct(color) => {
                self.turn = *color;
                Ok(())
            }
            Change::Position(_) | Change::Stakes(_) | Change::Own(_) => {
                self.no("not-of-this-game", say!("hunt-none", "Hunt has none of these"))
            }
        }
    }
    fn board(&self) -> Board {
        self.board
    }
    fn candidates(&self) -> Vec<Candidate> {
        let take = |at| {
            let mut after = self.board;
            after[at] = None;
            Candidate { action: Action::Own(OwnAction::new(HuntAction::Take { by: self.turn, at })), after }
        };
        self.prey().filter(|_| self.left.is_some_and(|left| left > 0)).map(take).collect()
    }
    fn offers(&self) -> Vec<Offer> {
        let by = self.turn;
        let own = |action| Offer::Do(Action::Own(OwnAction::new(action)));
        match (self.outcome, self.left) {
            (Some(_), _) => Vec::new(),
            (None, None) => (1..=6).map(|number| own(HuntAction::Roll { by, number })).collect(),
            (None, Some(_)) => vec![Offer::Own(OwnOffer::new(Prey { by, at: self.prey().collect() }))],
        }
    }
    fn prompt(&self) -> Sentence {
        say!("hunt-prompt", "{by}: roll and take", by = self.turn)
    }
    fn own_report(&self) -> Group {
        let drawn: Vec<char> = self.drawn.iter().map(|card| card.letter()).collect();
        Group::new().with("drawn", drawn)
    }
}

const HEADER: &str = r#"{"tabiya":1,"game":"hunt","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"pawns":2,"time":"60"}}"#;

fn fold(lines: &[&str]) -> Replay {
    let mut replay = Replay::begin(HEADER, ONLY_HUNT).unwrap();
    for (number, line) in (2..).zip(lines) {
        replay.feed(number, line).unwrap_or_else(|stop| panic!("{line}: {stop}"));
    }
    replay
}

const LINES: [&str; 8] = [
    r#"{"t":0,"do":"press","by":"black"}"#,
    r#"{"t":1000,"do":"roll","by":"white","number":1}"#,
    r#"{"t":2000,"do":"take","by":"white","at":"a7"}"#,
    r#"{"t":3000,"do":"draw","by":"white","card":"Q"}"#,
    r#"{"t":4000,"do":"press","by":"white"}"#,
    r#"{"t":5000,"do":"roll","by":"black","number":2}"#,
    r#"{"t":6000,"do":"take","by":"black","at":"a2"}"#,
    r#"{"t":7000,"do":"take","by":"black","at":"b2"}"#,
];

#[test]
fn a_record_of_a_new_game_is_replayed() {
    let report = fold(&LINES).report();
    assert_eq!(report["games"][0]["outcome"], json!({"winner": "B", "reason": "checkmate"}));
    assert_eq!(report["games"][0]["drawn"], json!(["Q"]));
    assert_eq!(report["clock_ms"], json!({"white": 56_000, "black": 57_000}));
    assert_eq!(report["legal"], json!([{"do": "next"}]));
}

#[test]
fn its_lines_read_back_as_they_were_written() {
    let replay = fold(&[]);
    for line in LINES {
        assert_eq!(Line::parse(line, replay.header()).unwrap().to_string(), line);
    }
}

#[test]
fn its_whole_turn_is_undone_at_once_and_redone() {
    let mut replay = fold(&LINES[..5]);
    replay.feed(7, r#"{"t":4000,"do":"undo"}"#).unwrap();
    assert_eq!(replay.table().board().to_string(), "8/pp6/8/8/8/8/PP6/8");
    assert_eq!(replay.report()["games"][0]["drawn"], json!([]));
    replay.feed(8, r#"{"t":4000,"do":"redo"}"#).unwrap();
    assert_eq!(replay.table().board().to_string(), "8/1p6/8/8/8/8/PP6/8");
}

#[test]
fn its_own_rules_refuse_and_name_themselves() {
    let mut replay = fold(&LINES[..1]);
    match replay.feed(3, r#"{"t":1000,"do":"take","by":"white","at":"a7"}"#) {
        Err(Stop::Refused(violation)) => assert_eq!(violation.rule, "no-prey"),
        other => panic!("{other:?}"),
    }
    let unusable = |line: &str| matches!(fold(&[]).feed(2, line), Err(Stop::Unusable(_)));
    assert!(unusable(r#"{"t":0,"do":"roll","by":"white","number":7}"#));
    assert!(unusable(r#"{"t":0,"do":"deal"}"#));
    assert!(unusable(r#"{"t":0,"do":"move","by":"white","uci":"e2e4"}"#));
}

#[test]
fn its_candidates_are_boards_for_the_tracker() {
    let replay = fold(&LINES[..2]);
    let after: Vec<String> =
        replay.table().probe().candidates().iter().map(|candidate| candidate.after.to_string()).collect();
    assert_eq!(after, ["8/1p6/8/8/8/8/PP6/8", "8/p7/8/8/8/8/PP6/8"]);
}

#[test]
fn the_clock_knows_nothing_of_it_and_works() {
    // The opponent's next line counts as the press; the flag falls by itself.
    let replay = fold(&[LINES[0], LINES[1], r#"{"t":9000,"do":"roll","by":"black","number":1}"#]);
    assert_eq!(replay.report()["clock_ms"], json!({"white": 51_000, "black": 60_000}));
    let flagged = fold(&[LINES[0], r#"{"t":60000,"do":"tick"}"#]);
    assert_eq!(flagged.report()["games"][0]["outcome"]["reason"], "timeout");
}
