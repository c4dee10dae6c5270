//! Games of bullet by a second generator: a model of hands and of a board that has nothing in common with
//! `tabiya_boards::human`, so that the tracker is not only tried with what was counted. Nobody answers a question. A game is
//! whole if every move is in the record at its end, whatever was asked on the way; it is misread if another move is.
//!
//! How a turn goes: the hand lifts the piece 10 to 250 ms after the turn began, carries it for 40 to 300 ms, sometimes over
//! the squares between, and presses 20 to 200 ms later. The board reports each change 0 to 60 ms late. Of the pieces that are
//! captured where they have just arrived, it misses the arrival of about one in twelve; of pawns none, because then a capture in
//! passing leaves the same board, and nothing says any more which piece a promoted one was. One turn in eight begins when the hand
//! before it is done, whether it has pressed or not.

#![expect(clippy::print_stdout, reason = "the slow run is read by people")]

use tabiya_engine::record::Header;
use tabiya_engine::rules::{Action, Candidate, GAMES};
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Input, Probe};
use tabiya_types::{Board, Color, Instant, Observation, Piece, Role, Square};

use crate::support::hands::action_text;
use crate::support::random::Chance;
use crate::tries::{seed, tries};

/// How many games the ordinary run plays, unless `TABIYA_BULLET` says another number.
const GAMES_PLAYED: u64 = 12;
/// The first seed, unless `TABIYA_SEED` says another one. The seeds of the slow run, from here on, were named before any of them was
/// played.
const FIRST_SEED: u64 = 7_000_001;
/// The most plies of a game.
const PLIES: usize = 90;

/// What happens at the board, and when it is reported, in ms.
#[derive(Clone, Copy)]
enum Event {
    Shows(Square, Option<Piece>),
    Press(Color),
}

struct Bullet {
    chance: Chance,
    /// The events with the moments at which they are reported.
    events: Vec<(u64, Event)>,
    /// When the hand of the last player was done, and when he pressed.
    done: u64,
    pressed: u64,
    /// When each square was reported last.
    reported: [u64; 64],
}

impl Bullet {
    fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.chance.below(most - least + 1)
    }

    fn one_in(&mut self, number: u64) -> bool {
        self.chance.below(number) == 0
    }

    /// Reports a change of a square, after the earlier changes of the same square. Returns at which place of the list.
    fn shows(&mut self, at: u64, square: Square, piece: Option<Piece>) -> usize {
        let late = self.between(0, 60);
        let at = (at + late).max(self.reported[square.index()] + 1);
        self.reported[square.index()] = at;
        self.events.push((at, Event::Shows(square, piece)));
        self.events.len() - 1
    }

    /// Carries out one action, and presses. Returns the arrivals, with their squares.
    fn turn(&mut self, before: &Board, after: &Board, by: Color) -> Vec<(Square, usize)> {
        let early = self.one_in(8);
        let begins = if early { self.done + 20 } else { self.pressed };
        let mut now = begins + self.between(10, 250);
        let changed: Vec<Square> = before.differences(after).collect();
        let own = |board: &Board, square: &Square| board[*square].is_some_and(|piece| piece.color == by);
        // What is captured goes first, half of the time; otherwise it is swept aside by its captor.
        for square in changed.iter().filter(|square| before[**square].is_some() && !own(before, square)) {
            let passing = after[*square].is_none();
            if passing || self.one_in(2) {
                self.shows(now, *square, None);
                now += self.between(20, 90);
            }
        }
        let lifted: Vec<Square> = changed.iter().copied().filter(|square| own(before, square)).collect();
        let mut arrivals = Vec::new();
        // A castled king's rook is lifted after the king has arrived.
        let is_king = |square: &Square| after[*square].is_some_and(|piece| piece.role == Role::King);
        let mut to: Vec<Square> = changed.iter().copied().filter(|square| own(after, square)).collect();
        to.sort_by_key(|square| !is_king(square));
        for to in &to {
            let from = lifted.iter().find(|from| before[**from] == after[*to]).or_else(|| lifted.first());
            if let Some(from) = from {
                self.shows(now, *from, None);
                now += self.between(40, 300);
                if let Some(over) = self.over(before, *from, *to) {
                    self.shows(now - 30, over, before[*from]);
                    self.shows(now, over, None);
                }
            }
            arrivals.push((*to, self.shows(now, *to, after[*to])));
            now += self.between(10, 60);
        }
        self.done = now;
        self.pressed = now + self.between(20, 200);
        self.events.push((self.pressed, Event::Press(by)));
        arrivals
    }

    /// The free square in the middle of the way, over which the piece slides one time in three.
    fn over(&mut self, before: &Board, from: Square, to: Square) -> Option<Square> {
        let [(f, r), (g, s)] = [from, to].map(|square| (square.index() % 8, square.index() / 8));
        let straight = f == g || r == s || f.abs_diff(g) == r.abs_diff(s);
        let over = Square::from_index(r.midpoint(s) * 8 + f.midpoint(g))?;
        let free = before[over].is_none() && ![from, to].contains(&over);
        (straight && (f + g) % 2 == 0 && (r + s) % 2 == 0 && free && self.one_in(3)).then_some(over)
    }
}

/// The next action: a capture where the last piece went, if there is one, half of the time.
fn choose(truth: &Probe, last: &[Square], chance: &mut Chance) -> Option<Candidate> {
    let mut all = truth.candidates();
    let before = truth.physical();
    let takes = |next: &Candidate| {
        last.iter().any(|square| next.after[*square] != before[*square] && next.after[*square].is_some())
    };
    if chance.below(2) == 0 && all.iter().any(takes) {
        all.retain(takes);
    }
    let nth = usize::try_from(chance.below(all.len() as u64)).ok()?;
    all.into_iter().nth(nth)
}

/// The game's actions, and what the board reports of them.
fn game(seed: u64) -> (Vec<Action>, Vec<(u64, Event)>) {
    let mut hands = Bullet {
        chance: Chance::new(seed),
        events: Vec::new(),
        done: 900,
        pressed: 1_000,
        reported: [0; 64],
    };
    let (mut truth, mut played) = (watch().table().probe(), Vec::new());
    let mut last: Vec<(Square, usize)> = Vec::new();
    let (mut missed, mut by_pawn) = (Vec::new(), false);
    while played.len() < PLIES {
        let Some(by) = truth.mover() else { break };
        let squares: Vec<Square> = last.iter().map(|(square, _)| *square).collect();
        let Some(next) = choose(&truth, &squares, &mut hands.chance) else { break };
        let before = truth.physical();
        // The board may miss an arrival if the square is used again at once.
        for (square, event) in &last {
            if next.after[*square] != before[*square] && !by_pawn && hands.one_in(12) {
                missed.push(*event);
            }
        }
        let pawn = Piece { color: by, role: Role::Pawn };
        by_pawn = before.differences(&next.after).any(|square| before[square] == Some(pawn));
        last = hands.turn(&before, &next.after, by);
        let Some(after) = truth.after_turn(&next.action) else { break };
        truth = after;
        played.push(next.action);
    }
    let mut nth = 0..;
    hands.events.retain(|_| !missed.contains(&nth.next().unwrap_or_default()));
    hands.events.sort_by_key(|(at, _)| *at);
    (played, hands.events)
}

fn watch() -> Watch {
    let header =
        r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"60"}}"#;
    Watch::new(Header::parse(header, GAMES).expect("a header").agreement)
}

/// What the table understood, and how often it asked. `whole` boards are reported instead of squares.
fn understood(events: &[(u64, Event)], whole: bool) -> (Vec<Action>, u64) {
    let mut watch = watch();
    let (mut board, mut questions, mut asked) = (watch.table().physical(), 0, false);
    watch.observe(&Observation::Whole(board), Instant::ZERO);
    let mut pass = |watch: &mut Watch, until: Instant| {
        while let Some(due) = watch.deadline().filter(|due| *due <= until) {
            watch.time(due);
            let asks = watch.question().is_some();
            questions += u64::from(asks && !asked);
            asked = asks;
        }
    };
    for (at, event) in events {
        let at = Instant::from_millis(*at);
        pass(&mut watch, at);
        let observation = match *event {
            Event::Press(by) => Observation::Press(by),
            // The board has never seen what it missed, so it does not report that it is gone.
            Event::Shows(square, piece) if board[square] == piece => continue,
            Event::Shows(square, piece) => {
                board[square] = piece;
                if whole { Observation::Whole(board) } else { Observation::Square(square, piece) }
            }
        };
        watch.observe(&observation, at);
    }
    // Nobody moves any more, until people must be asked about what still waits.
    let end = Instant::from_millis(events.last().map_or(0, |(at, _)| *at) + 20_000);
    pass(&mut watch, end);
    watch.finish(end);
    let inputs = watch.table().counted_inputs();
    let actions = inputs.filter_map(|(_, input)| match input {
        Input::Game(action) => Some(action.clone()),
        Input::Common(_) => None,
    });
    (actions.collect(), questions)
}

/// How much of a game the table has understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Grasp {
    Whole,
    /// It stopped at this action, and asked.
    Stops(usize),
    Misread(usize),
}

fn grasp(played: &[Action], known: &[Action]) -> Grasp {
    match played.iter().zip(known).take_while(|(one, other)| one == other).count() {
        at if at < known.len() => Grasp::Misread(at),
        at if at < played.len() => Grasp::Stops(at),
        _ => Grasp::Whole,
    }
}

#[test]
fn bullet_of_other_hands_is_not_misread_and_most_of_it_is_whole() {
    let (first, games) = (seed(FIRST_SEED), tries("TABIYA_BULLET", GAMES_PLAYED));
    let (mut stopped, mut misread, mut whole, mut asked, mut plies) = (Vec::new(), Vec::new(), 0, 0, 0);
    for seed in first..first + games {
        let (played, events) = game(seed);
        let (known, questions) = understood(&events, seed % 2 == 0);
        (asked, plies) = (asked + questions, plies + played.len());
        match grasp(&played, &known) {
            Grasp::Whole => whole += 1,
            Grasp::Stops(at) => stopped.push((seed, at, questions)),
            Grasp::Misread(at) => misread.push((seed, at, played.get(at).map(action_text))),
        }
    }
    println!("{whole} of {games} games are whole ({plies} plies, {asked} questions); stopped: {stopped:?}");
    assert_eq!(misread, [], "seed, action, what was played");
    assert!(
        stopped.iter().all(|(_, _, questions)| *questions > 0),
        "a game stopped without a question: {stopped:?}"
    );
    assert!(whole * 20 >= games * 19, "{whole} of {games} games are whole");
}
