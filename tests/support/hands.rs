//! Plays a random game with simulated human hands on a sensing board, and lets a watch infer the actions.
#![allow(clippy::print_stdout, reason = "`TABIYA_TRACE` prints a game move by move")]

use super::deal::{deal, pick};
use super::{drez_hands, joker_hands};
use tabiya_boards::human::{Dice, HumanHands, Physical, Profile, ReportMode as SensorTells, Sensor, Task};
use tabiya_engine::record::{Body, Header, Line, Replay};
use tabiya_engine::rules::{Action, Candidate, GAMES, Place, Reveal, Violation};
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Input, Probe, Question};
use tabiya_types::{Board, Card, Color, Instant, Millis, Observation};

/// Which game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Game {
    Chess,
    Choker,
    PokerChess,
    PokerDrez,
    ChessJoker,
}

/// How a random game is played.
#[derive(Clone, Debug)]
pub struct Setting {
    pub game: Game,
    pub profile: Profile,
    /// Whether a settled action ends the turn without a press (`press: auto`).
    pub auto: bool,
    /// The form in which the board reports changes.
    pub tells: Tells,
}

/// The form in which a board reports changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tells {
    /// Each changed square.
    Squares,
    /// The whole board with its pieces, like the `sees` lines of a record.
    Lines,
    /// The occupied squares of the whole board.
    Occupancy,
}

impl Setting {
    /// The setting for this seed. A board that recognises pieces reports whole boards for even seeds and squares for
    /// odd seeds, unless `TABIYA_TELLS` (`lines` or `squares`) chooses one form for all seeds.
    pub fn told_as(&self, seed: u64) -> Self {
        let tells = match std::env::var("TABIYA_TELLS").as_deref() {
            _ if self.tells == Tells::Occupancy => Tells::Occupancy,
            Ok("lines") => Tells::Lines,
            Ok("squares") => Tells::Squares,
            _ if seed.is_multiple_of(2) => Tells::Lines,
            _ => Tells::Squares,
        };
        Self { tells, ..self.clone() }
    }
}

/// The actions that were played, and those that the watch understood.
#[derive(Debug)]
pub struct Played {
    pub truth: Vec<String>,
    pub understood: Vec<String>,
    pub questions: u64,
    pub trouble: Option<String>,
    /// The complete record that the watch wrote.
    pub record: Vec<String>,
    pub header: String,
}

/// The most actions of one game.
const LONGEST: usize = 120;
/// How long it takes to draw a card or to put one back.
const CARD: Millis = Millis(1_200);

struct Evening {
    watch: Watch,
    sensor: Sensor,
    record: Vec<String>,
    truth: Vec<String>,
    /// For each action: the lines that are typed before it, such as the card that is turned over or laid.
    before: Vec<Vec<String>>,
    /// For each action: the lines that are typed after it, such as the card that is put back or drawn.
    behind: Vec<Vec<String>>,
    /// How many actions are finished, including their presses.
    done: usize,
    auto: bool,
    questions: u64,
    /// How often people have typed all that the table lacked.
    corrections: u64,
    /// The number of actions played when the last question came.
    asked_about: Option<usize>,
    now: Instant,
    tells: Tells,
    /// The board as reported so far.
    reported: Board,
    /// Whether the table showed a result after the last action, although the game goes on.
    wrong_result: bool,
}

impl Evening {
    fn keep(&mut self) {
        for explanation in self.watch.take_explanations() {
            for reading in &explanation.readings {
                println!("    {reading}");
            }
        }
        for entry in self.watch.take_lines() {
            if trace() {
                println!("  {}", Line::from(entry.clone()));
            }
            self.record.push(Line::from(entry).to_string());
        }
    }

    fn hear(&mut self, reported: Vec<(Instant, Observation)>) {
        for (at, observation) in reported {
            let at = at.max(self.now);
            self.pass(at);
            if trace() {
                println!("{} {observation:?}", at.millis());
            }
            let observation = self.as_reported(observation);
            self.watch.observe(&observation, at);
            self.keep();
        }
    }

    /// Lets time pass until `at`, and answers each question that comes up.
    fn pass(&mut self, at: Instant) {
        while let Some(due) = self.watch.deadline().filter(|due| *due <= at) {
            self.watch.time(due.max(self.now));
            self.answer(due.max(self.now));
        }
        self.now = self.now.max(at);
    }

    fn as_reported(&mut self, observation: Observation) -> Observation {
        match observation {
            Observation::Square(square, piece) => self.reported[square] = piece,
            Observation::Whole(board) => self.reported = board,
            Observation::Occupied(_) | Observation::Press(_) => return observation,
        }
        match self.tells {
            Tells::Squares => observation,
            Tells::Lines => Observation::Whole(self.reported),
            Tells::Occupancy => Observation::Occupied(self.reported.occupied()),
        }
    }

    /// Answers an open question: chooses the explanation that is right, or types what was played.
    fn answer(&mut self, at: Instant) {
        self.keep();
        let Some(Question::Which(offered)) = self.watch.question() else { return };
        if trace() {
            println!("{} asked: {}", at.millis(), self.watch.question().expect("just seen"));
        }
        let offered = offered.clone();
        self.count_question();
        let known = understood(&self.record);
        let goes_on = |actions: &Vec<Action>| {
            let board_changes = actions.iter().filter(|action| action.changes_board()).map(action_text);
            let all: Vec<String> = known.iter().cloned().chain(board_changes).collect();
            all.len() > known.len() && self.truth.starts_with(&all)
        };
        let right = offered.iter().position(goes_on);
        if right.is_none_or(|nth| !self.watch.choose(nth + 1, at)) {
            self.correct(at);
        }
        self.keep();
    }

    /// Counts a question. Several questions about one action count once.
    fn count_question(&mut self) {
        if self.asked_about != Some(self.truth.len()) {
            self.questions += 1;
        }
        self.asked_about = Some(self.truth.len());
    }

    /// Corrects the table if it shows a result although the game goes on. The correction comes only if this wrong
    /// result is still shown after one more action: by then people would notice it.
    fn notice_result(&mut self, truth: &Probe) {
        let wrong = self.watch.table().game().outcome().is_some() && truth.outcome().is_none();
        if wrong && self.wrong_result {
            if trace() {
                println!("{} asked: the game goes on", self.now.millis());
            }
            self.questions += 1;
            self.correct(self.now);
        }
        self.wrong_result = wrong;
    }

    /// Drops waiting presses, undoes what was understood wrongly, and types the other actions up to the last finished one.
    fn correct(&mut self, at: Instant) {
        self.corrections += 1;
        while self.watch.press_waits() {
            self.enter(r#""do":"undo""#, at).expect("a press is dropped");
        }
        loop {
            let done = understood(&self.record);
            if done.len() <= self.done && self.truth.starts_with(&done) {
                break;
            }
            self.enter(r#""do":"undo""#, at).expect("an action is undone");
        }
        let known = understood(&self.record).len();
        let turn = self.watch.table().mover();
        let unfinished =
            |last: &usize| !self.behind[*last].is_empty() && turn == Some(mover_of(&self.truth[*last]));
        if let Some(last) = known.checked_sub(1).filter(unfinished) {
            // The last action that is right lacks what was said after it, or its press.
            let mut missing = self.behind[last].clone();
            if !self.auto {
                missing.push(press_of(&self.truth[last]));
            }
            self.enter_again(&missing, at);
        }
        for nth in known..self.done {
            let action = self.truth[nth].clone();
            self.enter_again(&self.before[nth].clone(), at);
            let mut taken = self.enter(&action, at);
            if taken.is_err() && !self.before[nth].is_empty() {
                // The card of a later action lies there.
                drop(self.enter(r#""do":"undo""#, at));
                self.enter_again(&self.before[nth].clone(), at);
                taken = self.enter(&action, at);
            }
            // While the earlier actions were entered, the table may already have inferred this action from the board.
            let known = taken.is_err() && understood(&self.record).len() > nth;
            assert!(known || taken.is_ok(), "{action}: {taken:?}");
            self.enter_again(&self.behind[nth].clone(), at);
            if !self.auto && !known {
                self.enter(&press_of(&action), at).expect("a press is taken");
            }
        }
        let next = self.before.get(self.done).cloned().unwrap_or_default();
        self.enter_again(&next, at);
    }

    /// Enters lines that may have been entered before. Such a line is refused.
    fn enter_again(&mut self, lines: &[String], at: Instant) {
        for line in lines {
            if let (Err(violation), true) = (self.enter(line, at), trace()) {
                println!("{line} was entered before: {violation}");
            }
        }
    }

    fn enter(&mut self, input: &str, at: Instant) -> Result<(), Violation> {
        let line =
            Line::parse(&format!("{{\"t\":{},{input}}}", at.millis()), &self.header()).expect("a line");
        let Body::Acted(input) = line.body else { panic!("the line is not an input") };
        let taken = self.watch.enter(&input, at);
        self.keep();
        taken
    }

    fn header(&self) -> Header {
        Header::parse(self.record.first().expect("a header"), GAMES).expect("a header")
    }

    /// Types a line. Returns whether it was taken. A line is refused if the table has misunderstood the game; people
    /// notice that, and type all that the table lacks. Whoever has done so just before types this line only once.
    fn type_in(&mut self, input: &str, at: Instant) -> bool {
        let corrections = self.corrections;
        let reported = self.sensor.run(at);
        self.hear(reported);
        self.pass(at);
        if self.corrections > corrections {
            return true;
        }
        let taken = self.enter(input, self.now);
        if let Err(violation) = &taken {
            if trace() {
                println!("{} asked: {input} was refused: {violation}", at.millis());
            }
            self.count_question();
            self.correct(self.now);
        }
        taken.is_ok()
    }

    /// Types what is said after the last action. If it is refused, the table has misunderstood that action, and people
    /// type the action, too.
    fn type_behind(&mut self, said: &Action, at: Instant) {
        self.done = self.truth.len();
        self.type_in(&action_text(said), at);
    }
}

/// Who does this action.
fn mover_of(action: &str) -> Color {
    if action.contains("white") { Color::White } else { Color::Black }
}

/// The press that ends the turn of this action.
fn press_of(action: &str) -> String {
    format!(r#""do":"press","by":"{}""#, mover_of(action).word())
}

fn trace() -> bool {
    std::env::var("TABIYA_TRACE").is_ok()
}

pub(crate) fn action_text(input: &tabiya_engine::rules::Action) -> String {
    let line = Line::new(Instant::ZERO, None, Body::Acted(Input::Game(input.clone())));
    let text = line.to_string();
    text.trim_start_matches("{\"t\":0,").strip_suffix('}').unwrap_or(&text).to_owned()
}

/// The actions in a record that change the board, without those that an undo took back.
fn understood(record: &[String]) -> Vec<String> {
    let mut replay = Replay::begin(&record[0], GAMES).expect("a header");
    for (line, number) in record[1..].iter().zip(2..) {
        // A refused line is reported when the whole record is replayed.
        drop(replay.feed(number, line));
    }
    let games = replay.table().actions_by_game();
    let actions = games.last().into_iter().flatten().map(|(_, action)| action);
    actions
        .filter(|action| action.takes_turn() && action.changes_board())
        .map(|action| action_text(action))
        .collect()
}

/// Plays one random game.
pub fn play(setting: &Setting, seed: u64) -> Played {
    let press = if setting.auto { "auto" } else { "clock" };
    let (game, own) = match setting.game {
        Game::Chess => ("chess", String::new()),
        Game::Choker => ("choker", "\"stacks\":{\"A\":100,\"B\":100},\"small_blind\":1,".to_owned()),
        // With so high a limit no lead ends the game early.
        Game::PokerChess => ("poker-chess", "\"deal\":\"royal-flush\",\"wipeout\":1000,".to_owned()),
        Game::PokerDrez => ("pokerdrez", String::new()),
        Game::ChessJoker => ("chess-joker", String::new()),
    };
    let header = format!(
        "{{\"tabiya\":1,\"game\":\"{game}\",\"players\":{{\"A\":\"Ann\",\"B\":\"Bo\"}},\"white\":\"A\",\"terms\":{{{own}\"press\":\"{press}\"}}}}"
    );
    let mut watch = Watch::new(Header::parse(&header, GAMES).expect("a header").agreement);
    if trace() {
        watch.explain();
    }
    let board = watch.table().physical();
    let sensor = Sensor::new(&setting.profile, SensorTells::Squares, board, seed ^ 0xb0a4);
    let mut evening = Evening {
        watch,
        sensor,
        record: vec![header.clone()],
        truth: Vec::new(),
        before: Vec::new(),
        behind: Vec::new(),
        done: 0,
        auto: setting.auto,
        questions: 0,
        corrections: 0,
        asked_about: None,
        now: Instant::from_millis(0),
        tells: setting.tells,
        reported: board,
        wrong_result: false,
    };
    let mut dice = Dice::new(seed);
    let first = evening.as_reported(Observation::Whole(board));
    evening.watch.observe(&first, Instant::ZERO);
    let hands = deal(&mut dice);
    let mut at = Instant::from_millis(1000);
    match setting.game {
        Game::Choker => bet(&mut evening, &mut at),
        Game::PokerDrez => {
            evening.type_in(&drez_hands::deal(&mut dice), at);
        }
        Game::Chess | Game::PokerChess | Game::ChessJoker => {}
    }
    let truth = evening.watch.table().probe();
    act(setting, seed, &mut evening, truth, hands, &mut dice, at);
    let reported = evening.sensor.finish();
    evening.hear(reported);
    if setting.tells == Tells::Occupancy {
        // If the board senses only occupancy, the watch asks some questions after a delay. Let this delay pass.
        evening.pass(evening.now + Millis(4_000));
    }
    let end = evening.now;
    let mut waits = evening.watch.finish(end);
    evening.keep();
    // People see that the board is not what the table shows.
    let differs = evening.watch.seen().is_some_and(|seen| seen != evening.watch.table().physical());
    if !waits.is_empty() || differs {
        // Everything that still waits at the end counts as one question.
        if trace() {
            println!("asked: {waits:?} at the end");
        }
        evening.questions += 1;
        let later = end + Millis(1_000);
        evening.correct(later);
        waits = evening.watch.finish(later);
        evening.keep();
    }
    let done = understood(&evening.record);
    let trouble = waits.first().map(|wait| wait.violation.to_string()).or_else(|| replays(&evening.record));
    Played {
        truth: evening.truth,
        understood: done,
        questions: evening.questions,
        trouble,
        record: evening.record,
        header,
    }
}

/// Replays a record. Returns the first refusal, or `None` if each line is accepted.
fn replays(record: &[String]) -> Option<String> {
    let mut replay = Replay::begin(&record[0], GAMES).expect("a header");
    record[1..]
        .iter()
        .zip(2..)
        .find_map(|(line, number)| replay.feed(number, line).err().map(|stop| stop.to_string()))
}

fn bet(evening: &mut Evening, at: &mut Instant) {
    for line in [
        r#""do":"deal""#,
        r#""do":"bet","by":"white","action":"call""#,
        r#""do":"bet","by":"black","action":"check""#,
        r#""do":"deal""#,
        r#""do":"bet","by":"black","action":"check""#,
        r#""do":"bet","by":"white","action":"check""#,
        r#""do":"deal""#,
        r#""do":"bet","by":"white","action":"check""#,
        r#""do":"bet","by":"black","action":"check""#,
    ] {
        *at = *at + Millis(500);
        evening.type_in(line, *at);
    }
}

/// Chooses an action that changes the board, and returns it with the others. `wanted`: the piece that is placed. `None` if
/// there is none: in Chess Joker nobody can know whether a card that is not written helps.
fn choose(truth: &Probe, wanted: Option<Card>, dice: &mut Dice) -> Option<(Candidate, Vec<Candidate>)> {
    let mut candidates = truth.candidates();
    if let Some(piece) = wanted {
        candidates.retain(|candidate| {
            matches!(candidate.action, Action::Place(Place { piece: placed, .. }) if placed == piece)
        });
    }
    if candidates.is_empty() {
        return None;
    }
    let nth = pick(dice, candidates.len());
    let chosen = candidates.swap_remove(nth);
    // A use of a card and a move with the same board are the use.
    let uses = truth.candidates_for(&chosen.after).into_iter().chain(candidates.iter().cloned());
    let same_use = |other: &Candidate| matches!(other.action, Action::Own(_)) && other.after == chosen.after;
    let same = uses.into_iter().find(same_use);
    Some((same.unwrap_or(chosen), candidates))
}

fn act(
    setting: &Setting,
    seed: u64,
    evening: &mut Evening,
    mut truth: Probe,
    mut hands: [Vec<(Card, Card)>; 2],
    dice: &mut Dice,
    mut at: Instant,
) {
    let mut hand = HumanHands::new(&setting.profile, seed);
    let mut position = truth.physical();
    while evening.truth.len() < LONGEST {
        let Some(by) = truth.mover() else { return };
        let mut wanted = None;
        let mine = &mut hands[usize::from(by == Color::Black)];
        let mut said = Vec::new();
        match setting.game {
            Game::Choker if !mine.is_empty() => {
                let nth = pick(dice, mine.len());
                let (card, piece) = mine.swap_remove(nth);
                said.push(Action::Reveal(Reveal { by, card, read: None, copy: None }));
                wanted = Some(piece);
            }
            Game::PokerDrez => said = drez_hands::before(&truth, by, dice),
            Game::Chess | Game::Choker | Game::PokerChess | Game::ChessJoker => {}
        }
        for action in &said {
            truth = truth.after(action).expect("what is said is legal");
        }
        let said: Vec<String> = said.iter().map(action_text).collect();
        evening.before.push(said.clone());
        // After a line that was refused, the correction ends with all of these lines.
        let _ = said.iter().all(|line| evening.type_in(line, at));
        if truth.outcome().is_some() {
            return;
        }
        let Some((chosen, candidates)) = choose(&truth, wanted, dice) else { return };
        evening.truth.push(action_text(&chosen.action));
        if trace() {
            println!("-- {} {}", evening.truth.len() - 1, action_text(&chosen.action));
        }
        truth = truth.after(&chosen.action).expect("a candidate is legal");
        let mut behind = Vec::new();
        if truth.outcome().is_none() {
            behind = match setting.game {
                Game::PokerDrez => drez_hands::behind(&truth, by, dice),
                Game::ChessJoker => joker_hands::behind(&truth, by, dice),
                Game::Chess | Game::Choker | Game::PokerChess => Vec::new(),
            };
        }
        for action in &behind {
            truth = truth.after(action).expect("what is said is legal");
        }
        truth.end_turn();
        evening.behind.push(behind.iter().map(action_text).collect());
        if trace() {
            println!("-- before {:?}, behind {:?}", evening.before.last(), evening.behind.last());
        }
        let slip =
            candidates.first().map(|other| other.after).filter(|board| board.distance(&chosen.after) <= 2);
        let mut task = Task::new(position, chosen.after, by, at);
        task.press = !setting.auto;
        task.thinking = Millis(300 + dice.below(2500));
        task.slip = slip;
        // A card comes between two placements, so only moves are answered before their press.
        let cards_left = hands.iter().any(|hand| !hand.is_empty()) && setting.game == Game::Choker;
        task.replied = truth.mover().is_some() && evening.truth.len() < LONGEST && !cards_left;
        let performance = hand.perform(&task);
        // The card comes after the move and before the press. It takes a moment, by which the press is later.
        let (mut unsaid, mut late) = (behind.iter(), Millis(0));
        for (when, what) in performance.events {
            // A press by mistake comes while the player still thinks.
            if matches!(what, Physical::Press(_)) && performance.pressed == Some(when) {
                for action in unsaid.by_ref() {
                    late = CARD;
                    evening.type_behind(action, when + CARD);
                }
            }
            let reported = evening.sensor.feed(when + late, what);
            evening.hear(reported);
        }
        for action in unsaid {
            late = CARD;
            evening.type_behind(action, evening.now.max(performance.ends) + CARD);
        }
        evening.done = evening.truth.len();
        position = chosen.after;
        evening.notice_result(&truth);
        at = (performance.ends + late).max(evening.now);
        // After a forgotten press, turning the next card over takes longer than one scan of the board.
        if !setting.auto && performance.pressed.is_none() && setting.game == Game::Choker {
            at = at + Millis(300);
        }
        // Without presses an action settles only after a moment without changes.
        if setting.auto {
            at = at + Millis(800);
            // If the board senses only occupancy, and two pieces were swapped in one movement, the watch asks which
            // capture was made. The people wait for that question and answer it before their next action.
            if setting.tells == Tells::Occupancy {
                at = at + Millis(2_000);
            }
        }
    }
}
