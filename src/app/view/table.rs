//! The table as the screens show it, made from the table and the header of its record alone: a program that follows a record
//! without playing it shows the same.
//!
//! What only a running match knows (what its board shows, which press waits, the hash of the newest line) is empty here; the
//! snapshot fills it in.

use std::sync::Arc;

use tabiya_engine::clock::Clock;
use tabiya_engine::record::Header;
use tabiya_engine::record::secrets::GameCards;
use tabiya_engine::rules::{
    Action, Actor, BetDue, Betting, Cards, ChessPhase, Chips, DieOnTable, Game, Goal, Heap, HeapPlace, Offer,
    Outcome, OwnOffer, OwnSight, Phase, PieceAnnouncement, Placement, PlayAction, Score, ShownCard, Stages,
    Stakes, Turn, TurnHands, Verb,
};
use tabiya_engine::table::{Agreement, Audience, BetClock, LegalInput, Prompt, Table, Voice};
use tabiya_types::{
    Board, ByColor, BySeat, Card, Color, Instant, Millis, Seat, Sentence, Square, harmless as harmless_text,
};

use super::status::TableStatus;

/// An action that a board shows, although it is not entered yet.
#[derive(Clone, PartialEq, Debug)]
pub struct SeenAction {
    /// The action in words.
    pub text: Sentence,
    /// The squares that it changes.
    pub squares: Vec<Square>,
}

/// The poker hands of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct PokerView {
    /// The hands that would count if the turn ended now.
    pub now: TurnHands,
    /// The hands that have been decided, the oldest first.
    pub decided: Vec<TurnHands>,
    /// The score.
    pub points: ByColor<u32>,
    /// The lead that wins at once, if there is one.
    pub lead: Option<u32>,
    /// What a player may choose for his hand now, if anything.
    pub choices: Option<OwnOffer>,
    /// Which players want to see what each move does to the hands; `None` if that is shown to nobody, as at an event.
    pub learners: Option<BySeat<bool>>,
    /// The legal moves in SAN, each with the hands after it. Empty unless both players want to see them.
    pub moves: Arc<Vec<(String, TurnHands)>>,
}

impl PokerView {
    fn of(game: &dyn Game, legal: &[LegalInput]) -> Option<Self> {
        let hands = game.poker_hands()?;
        let score = game.score();
        let choices = legal.iter().find_map(|legal| match legal {
            LegalInput::Game(Offer::Own(own)) => own.piece_sets().map(|_| own.clone()),
            _ => None,
        });
        let lead = score.and_then(|score| match score.wins {
            Some(Goal::Lead(lead)) => Some(lead),
            Some(Goal::Total(_)) | None => None,
        });
        let points = score.map(|score| score.points).unwrap_or_default();
        let (now, decided) = (hands.now(), hands.decided());
        Some(Self { now, decided, points, lead, choices, learners: None, moves: Arc::default() })
    }
}

/// The current game at a table: chips, clocks, board, and what can be done next.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact that a screen shows")]
pub struct TableView {
    /// What the players agreed: the game, their names, the terms.
    pub agreement: Arc<Agreement>,
    /// The number of the game in the match, from 1.
    pub number: usize,
    /// The stage of the game, or of the match.
    pub phase: Phase,
    /// The stages of the game and the current one, if the game has stages.
    pub stages: Option<Stages>,
    /// Which seat plays each colour.
    pub seats: ByColor<Seat>,
    /// The players' names by colour, safe to show and shortened.
    pub names: ByColor<String>,
    /// The logical board: the position in which each stand-in is replaced by the piece that it represents.
    pub board: Board,
    /// The physical board: the pieces that should stand on the real board. A stand-in appears as the piece that it
    /// really is.
    pub physical: Board,
    /// The pieces that the board reported last, even if it has been disconnected since. If the board is turned around,
    /// the position is already rotated, so that White's side is rank 1.
    pub seen: Option<Board>,
    /// The next action that the board shows already, although it is not entered yet.
    pub seen_action: Option<SeenAction>,
    /// What people have to correct on the board before play goes on; `None` if nothing has to be corrected. Also `None`
    /// while a player's clock runs, unless a clock press waits for the correction.
    pub waits_for_board: Option<Sentence>,
    /// The press that waits until the board explains it: whose, and the reading from which it will count.
    pub waiting_press: Option<(Color, Option<Millis>)>,
    /// The squares of the stand-ins. A stand-in is a piece that represents another piece.
    pub stand_ins: Vec<Square>,
    /// The squares of the last move.
    pub last_move: Vec<Square>,
    /// The square of the king in check.
    pub check: Option<Square>,
    /// Who may see faults on the board: the players, or the arbiter alone.
    pub faults_to: Audience,
    /// The chips in play; all zero in games without chips.
    pub stakes: Stakes,
    /// Each player's stack.
    pub stacks: BySeat<Chips>,
    /// The bet that is due, with its limits; `None` if no bet is due.
    pub bet: Option<BetDue>,
    /// The clock for the bet that is due, if bets have a time limit.
    pub bet_clock: Option<BetClock>,
    /// Who has to act next.
    pub to_act: Actor,
    /// Whose turn it is on the clock.
    pub turn: Turn,
    /// All inputs that would be accepted now.
    pub legal: Vec<LegalInput>,
    /// The prompts, each with its audience.
    pub prompts: Vec<Prompt>,
    /// The cards that lie under squares of the board.
    pub under: Vec<(Square, String)>,
    /// The heaps of cards beside the board, in the order in which the game lists them.
    pub heaps: Vec<Heap>,
    /// What could be said, such as a card that is laid, so that the piece that was moved on the board has moved legally.
    pub awaited: Vec<Action>,
    /// The die, in a game that is played with one.
    pub die: Option<DieOnTable>,
    /// What only this kind of game shows beside the board, in a game that has such things.
    pub sight: Option<OwnSight>,
    /// What is printed on the card before each player, if the card file has it.
    pub card_texts: ByColor<Option<String>>,
    /// The points, in a game that counts points.
    pub score: Option<Score>,
    /// The poker hands, in a game whose pieces form hands.
    pub poker: Option<PokerView>,
    /// The cards that have been turned over.
    pub cards: ByColor<Vec<ShownCard>>,
    /// The pieces that each player can still place, computed from the revealed cards alone.
    pub to_come: ByColor<Vec<Card>>,
    /// The pieces that the open card may be placed as, each with its ranks in words; empty once it has been placed.
    pub open_places: Vec<(Card, Sentence)>,
    /// The player, the piece of the last placement, and the word that the player has to say. `None` if the piece is the
    /// one on the card, or if the placement is final.
    pub announced: Option<(Color, Card, PieceAnnouncement)>,
    /// The chess moves in SAN, or the plays as a game without chess lists them.
    pub moves: Vec<String>,
    /// The side that made the first move in `moves`.
    pub first_mover: Color,
    /// The number of the first move in `moves`.
    pub first_number: u32,
    /// The complete FEN, once chess has begun.
    pub fen: Option<String>,
    /// How the game ended; `None` while it is running.
    pub outcome: Option<Outcome>,
    /// Each player's score over the games that count, in halves of points.
    pub half_points: BySeat<u32>,
    /// Whether the match is over.
    pub match_over: bool,
    /// Who owes whom as the match stands; `None` without chips.
    pub owed: Option<Sentence>,
    /// Who has agreed that the sealed cards may be shown; `None` unless the match is over and has sealed cards.
    pub consents: Option<ByColor<bool>>,
    /// Who can confirm the result of the game that has just ended, and has not yet.
    pub may_sign: ByColor<bool>,
    /// Whether anything has happened in this game yet.
    pub begun: bool,
    /// Whether something was done at the table, and the game is not over.
    pub in_use: bool,
    /// The clock, with the readings of both sides.
    pub clock: Clock,
    /// The reading with which the present turn began, if the clock times it.
    pub turn_began: Option<Millis>,
    /// Whether the game consists only of a clock.
    pub clock_alone: bool,
    /// Whether the game is played on a board.
    pub has_board: bool,
    /// The player whose press would end the running turn; `None` unless a connected board can show what was played.
    pub board_press: Option<Color>,
    /// How many lines the record has.
    pub lines: usize,
    /// How many inputs the record contains, not counting ticks.
    pub acts: usize,
    /// The match sheet.
    pub sheet: Vec<Sentence>,
    /// The hash of the newest line, if the match is recorded.
    pub head: Option<String>,
}

/// What was played in the present game, as a list.
struct Played {
    moves: Vec<String>,
    first_mover: Color,
    first_number: u32,
    /// The squares of the last move.
    last_move: Vec<Square>,
    /// Where the king stands that is in check.
    check: Option<Square>,
}

impl Played {
    fn of(game: &dyn Game, sight: Option<&OwnSight>) -> Self {
        let last_move = match (game.chess(), sight) {
            (Some(chess), _) => chess.last_move(),
            (None, Some(sight)) => sight.last_squares(),
            (None, None) => Vec::new(),
        };
        let in_chess = game.chess().and_then(ChessPhase::check);
        let check = in_chess.or_else(|| sight.and_then(|sight| sight.check()));
        let score = game.chess().map(ChessPhase::score);
        let start = score.as_ref().map(|score| score.start_fen.as_str()).unwrap_or_default();
        let black = start.split(' ').nth(1) == Some("b");
        let first_number = start.split(' ').nth(5).and_then(|number| number.parse().ok()).unwrap_or(1);
        if let Some(listed) = game.play_list() {
            let (moves, first_mover) = (listed.plays.to_vec(), listed.first);
            return Self { moves, first_mover, first_number, last_move, check };
        }
        let legs = score.iter().flat_map(|score| score.legs.iter());
        let moves = legs.flat_map(|leg| leg.san.iter().cloned()).collect();
        let first_mover = if black { Color::Black } else { Color::White };
        Self { moves, first_mover, first_number, last_move, check }
    }
}

/// The pieces that each player's cards may still bring.
fn possible_pieces(cards: Option<&dyn Cards>) -> ByColor<Vec<Card>> {
    ByColor::new(|color| cards.map(|cards| cards.possible_pieces(color)).unwrap_or_default())
}

impl TableView {
    /// The view of a table without a session. Values that only a session knows are empty.
    pub fn of(table: &Table, header: &Header) -> Self {
        let game = table.game();
        let (chess, cards, placement) = (game.chess(), game.cards(), game.placement());
        let (board, legal, sight) = (table.board(), table.legal(), game.own_sight());
        let played = Played::of(game, sight.as_ref());
        Self {
            agreement: Arc::new(table.agreement().clone()),
            number: table.past_games().len() + 1,
            phase: table.phase(),
            stages: game.stages(),
            seats: ByColor::new(|color| table.seat_of(color)),
            names: ByColor::new(|color| shortened(&harmless_text(table.name_of(color)))),
            board,
            physical: table.physical(),
            seen: None,
            seen_action: None,
            waits_for_board: None,
            waiting_press: None,
            stand_ins: table.stand_ins(),
            last_move: played.last_move,
            check: played.check,
            faults_to: table.audience_of_faults(),
            stakes: game.stakes(),
            stacks: table.stacks(),
            bet: game.betting().and_then(Betting::due),
            bet_clock: table.bet_clock(),
            to_act: table.to_act(),
            turn: table.turn(),
            prompts: table.prompts().into_iter().map(harmless).collect(),
            under: cards.map(under).unwrap_or_default(),
            awaited: Vec::new(),
            heaps: cards.map(beside).unwrap_or_default(),
            die: cards.and_then(Cards::die),
            sight,
            card_texts: ByColor::default(),
            score: game.score(),
            poker: PokerView::of(game, &legal),
            legal,
            cards: ByColor::new(|color| cards.map(|cards| cards.shown(color)).unwrap_or_default()),
            to_come: possible_pieces(cards),
            open_places: placement.map(Placement::open_places).unwrap_or_default(),
            announced: placement.and_then(Placement::announced),
            moves: played.moves,
            first_mover: played.first_mover,
            first_number: played.first_number,
            fen: chess.map(ChessPhase::fen),
            outcome: game.outcome(),
            half_points: table.results().half_points,
            owed: table.owed().map(Sentence::harmless),
            match_over: table.match_over(),
            consents: consents(table),
            may_sign: ByColor::new(|color| table.may_sign(color)),
            begun: table.begun(),
            in_use: table.is_in_use(),
            clock: table.clock().clone(),
            turn_began: None,
            clock_alone: game.continues_after_flag(),
            has_board: game.has_board(),
            board_press: None,
            lines: 0,
            acts: 0,
            sheet: header.agreement.sheet(),
            head: None,
        }
    }

    /// What an arbiter of many tables needs of the table as it is shown, at this moment of its match.
    pub fn status(&self, at: Instant) -> TableStatus {
        TableStatus::of_clock(&self.clock, self.bet_clock, at)
    }

    /// Whether the game has chips.
    pub fn has_chips(&self) -> bool {
        let stakes = &self.stakes;
        Color::ALL.iter().any(|color| stakes.stacks[*color].0 + stakes.contributed[*color].0 > 0)
    }

    /// The inputs with this verb that would be accepted.
    pub fn legal_of(&self, verb: Verb) -> impl Iterator<Item = &LegalInput> {
        self.legal.iter().filter(move |legal| legal.verb() == Some(verb))
    }

    /// Whether any input with this verb would be accepted.
    pub fn may(&self, verb: Verb) -> bool {
        self.legal_of(verb).next().is_some()
    }

    /// The player who may make an input with this verb. If several such inputs would be accepted, this is the player of
    /// the first.
    pub fn by(&self, verb: Verb) -> Option<Color> {
        self.legal_of(verb).next().and_then(LegalInput::by)
    }

    /// Whether exactly this action would be accepted.
    pub fn accepts(&self, action: &Action) -> bool {
        self.legal.iter().any(|legal| legal.action() == Some(action))
    }

    /// Who could claim a draw in the present position.
    pub fn draw_claimant(&self) -> Option<Color> {
        self.legal.iter().find_map(|legal| match legal.action()? {
            Action::Play(PlayAction::ClaimDraw { by, uci: None }) => Some(*by),
            _ => None,
        })
    }

    /// Whether the next game can begin.
    pub fn can_start_next(&self) -> bool {
        self.legal.contains(&LegalInput::Next)
    }

    /// The player whose press of the clock would have an effect. Either this player has moved, or the press would
    /// start the opponent's clock.
    pub fn presser(&self) -> Option<Color> {
        let press = self.legal.iter().find(|legal| matches!(legal, LegalInput::Press(_)));
        self.board_press.or(press.and_then(LegalInput::by))
    }

    /// Whether the match is an event, at which claims and faults are shown to the arbiter alone.
    pub fn is_event(&self) -> bool {
        self.agreement.terms.voice == Voice::Event
    }

    /// Whose turn it is on the clock, whether or not the clock is running.
    pub fn mover(&self) -> Option<Color> {
        match self.turn {
            Turn::Timed { by, .. } => Some(by),
            Turn::Untimed => None,
        }
    }

    /// The first prompt for the players.
    pub fn prompt(&self) -> Option<&Sentence> {
        self.prompts.iter().find(|prompt| prompt.to == Audience::Players).map(|prompt| &prompt.text)
    }
}

/// The cards that lie under squares.
fn under(cards: &dyn Cards) -> Vec<(Square, String)> {
    let lies = |heap: Heap| match heap.place {
        HeapPlace::Under(at) => Some((at, heap.up.concat())),
        _ => None,
    };
    cards.heaps().into_iter().filter_map(lies).collect()
}

/// The heaps that do not lie under squares.
fn beside(cards: &dyn Cards) -> Vec<Heap> {
    cards.heaps().into_iter().filter(|heap| !matches!(heap.place, HeapPlace::Under(_))).collect()
}

/// The greatest length of a name on the screens, in characters.
const NAME: usize = 28;

/// Shortens a long name for the screens; the record keeps the whole name.
pub(crate) fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}

/// Makes the free text in a prompt (names, reasons) safe to show.
fn harmless(prompt: Prompt) -> Prompt {
    Prompt { text: prompt.text.harmless(), ..prompt }
}

/// Who has agreed to show the sealed cards; `None` unless the match is over and has sealed cards.
fn consents(table: &Table) -> Option<ByColor<bool>> {
    let sealed = || GameCards::of_games(table).iter().any(GameCards::any_known);
    let agreed = |color: Color| table.consented(table.seat_of(color));
    let asked = table.match_over() && sealed();
    asked.then(|| ByColor { white: agreed(Color::White), black: agreed(Color::Black) })
}
