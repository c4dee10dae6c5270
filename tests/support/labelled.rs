//! Labelled games by simulated hands: what a board reported, and what was played.

use crate::deal::{deal, pick};
use tabiya_boards::human::{Dice, HumanHands, Profile, ReportMode, Sensor, Task};
use tabiya_engine::record::{Body, Header, Line};
use tabiya_engine::rules::{Action, GAMES, Place};
use tabiya_engine::sense::counting::{LabelledGame, LabelledTurn};
use tabiya_engine::table::{Input, Probe, Stamp, Table};
use tabiya_types::{Board, Card, Color, Instant, Millis, Observation};

/// The most actions of one game.
const LONGEST: usize = 120;

/// The same game on a board that only feels, if `felt`.
pub(crate) fn shown(game: &LabelledGame, felt: bool) -> LabelledGame {
    if !felt {
        return game.clone();
    }
    let mut board = Board::EMPTY;
    let reports = game.reports.iter().map(|(at, report)| {
        match *report {
            Observation::Square(square, piece) => board[square] = piece,
            Observation::Whole(whole) => board = whole,
            Observation::Occupied(_) | Observation::Press(_) => return (*at, *report),
        }
        (*at, Observation::Occupied(board.occupied()))
    });
    LabelledGame { reports: reports.collect(), ..game.clone() }
}

/// What is played: random actions, as the rules allow them.
struct Script {
    header: Header,
    position: Probe,
    hands: [Vec<(Card, Card)>; 2],
}

impl Script {
    fn new(choker: bool, dice: &mut Dice) -> Self {
        let (game, own) =
            if choker { ("choker", r#""stacks":{"A":100,"B":100},"small_blind":1,"#) } else { ("chess", "") };
        let header = format!(
            r#"{{"tabiya":1,"game":"{game}","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{{own}"press":"clock"}}}}"#
        );
        let header = Header::parse(&header, GAMES).expect("a header");
        let mut table = Table::new(header.agreement.clone());
        let bets = [
            "deal",
            "bet white call",
            "bet black check",
            "deal",
            "bet black check",
            "bet white check",
            "deal",
            "bet white check",
            "bet black check",
        ];
        for (bet, line) in bets.iter().zip(2..).filter(|_| choker) {
            let words: Vec<&str> = bet.split(' ').collect();
            let text = match words.as_slice() {
                [verb, by, action] => format!(r#""do":"{verb}","by":"{by}","action":"{action}""#),
                _ => r#""do":"deal""#.to_owned(),
            };
            table.apply(&input(&text, &header), Stamp::new(Instant::ZERO, line)).expect("a legal bet");
        }
        let hands = if choker { deal(dice) } else { Default::default() };
        Self { header, position: table.probe(), hands }
    }

    /// The next action: the player, the board after it, and the boards after all possible actions.
    fn next(&mut self, dice: &mut Dice) -> Option<(Color, Board, Vec<Board>)> {
        let by = self.position.mover()?;
        let mine = &mut self.hands[usize::from(by == Color::Black)];
        let mut wanted = None;
        if !mine.is_empty() {
            let (card, piece) = mine.swap_remove(pick(dice, mine.len()));
            let text = format!(r#""do":"reveal","by":"{}","card":"{}""#, by.word(), card.letter());
            let Input::Game(reveal) = input(&text, &self.header) else { return None };
            self.position = self.position.after(&reveal)?;
            wanted = Some(piece);
        }
        let mut candidates = self.position.candidates();
        let possible = candidates.iter().map(|candidate| candidate.after).collect();
        if let Some(wanted) = wanted {
            candidates
                .retain(|one| matches!(one.action, Action::Place(Place { piece, .. }) if piece == wanted));
        }
        let chosen = candidates.swap_remove(pick(dice, candidates.len()));
        self.position = self.position.after_turn(&chosen.action)?;
        Some((by, chosen.after, possible))
    }
}

fn input(fields: &str, header: &Header) -> Input {
    match Line::parse(&format!("{{\"t\":0,{fields}}}"), header).expect("a line").body {
        Body::Acted(input) => input,
        Body::Evidence(_) => panic!("{fields} is no input"),
    }
}

/// A game by simulated hands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simulated<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) choker: bool,
    /// Whether nobody presses.
    pub(crate) auto: bool,
    pub(crate) mode: ReportMode,
    pub(crate) seed: u64,
}

/// Plays the game.
pub(crate) fn simulated(setting: &Simulated) -> LabelledGame {
    let Simulated { profile, choker, auto, mode, seed } = *setting;
    let mut dice = Dice::new(seed);
    let mut script = Script::new(choker, &mut dice);
    let mut board = script.position.physical();
    let mut sensor = Sensor::new(profile, mode, board, seed ^ 0xb0a4);
    let mut hands = HumanHands::new(profile, seed);
    let mut game =
        LabelledGame { reports: vec![(Instant::ZERO, Observation::Whole(board))], turns: Vec::new(), auto };
    let mut at = Instant::from_millis(1_000);
    let mut next = script.next(&mut dice);
    while let Some((by, after, possible)) = next.take() {
        let other = possible.iter().copied().find(|other| *other != after && other.distance(&after) <= 2);
        let mut task = Task::new(board, after, by, at);
        (task.press, task.thinking, task.slip) = (!auto, Millis(300 + dice.below(2_500)), other);
        if game.turns.len() + 1 < LONGEST {
            next = script.next(&mut dice);
        }
        task.replied = next.is_some() && script.hands.iter().all(Vec::is_empty);
        let done = hands.perform(&task);
        for (when, what) in done.events {
            game.reports.extend(sensor.feed(when, what));
        }
        game.turns.push(LabelledTurn {
            before: board,
            after,
            by,
            begins: at,
            pressed: done.pressed,
            possible,
        });
        board = after;
        // Without a press, an action settles before the next one begins, and a card is turned over first.
        let pause = if auto {
            800
        } else if done.pressed.is_none() && choker {
            300
        } else {
            0
        };
        at = done.ends + Millis(pause);
    }
    game.reports.extend(sensor.finish());
    game
}
