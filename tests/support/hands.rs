//! Plays a random game with simulated human hands on a sensing board, and lets a watch infer the actions.
#![allow(clippy::print_stdout, reason = "`TABIYA_TRACE` prints a game move by move")]

use super::deal::{deal, pick};
use tabiya_boards::human::{Dice, HumanHands, Profile, ReportMode as SensorTells, Sensor, Task};
use tabiya_engine::record::{Body, Header, Line, Replay};
use tabiya_engine::rules::{Action, GAMES, Place, Violation};
use tabiya_engine::sense::{Question, Watch};
use tabiya_engine::table::{Common, Input, Probe};
use tabiya_types::{Board, Card, Color, Instant, Millis, Observation};

/// Which game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Game {
    Chess,
    Choker,
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

struct Evening {
    watch: Watch,
    sensor: Sensor,
    record: Vec<String>,
    truth: Vec<String>,
    /// For each action: the card turned over before it, if any.
    reveals: Vec<Option<String>>,
    /// How many actions are finished, including their presses.
    done: usize,
    auto: bool,
    questions: u64,
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

    /// Answers an open question by typing what was played: drops waiting presses, undoes what was understood wrongly,
    /// and types the other actions up to the last finished one.
    fn answer(&mut self, at: Instant) {
        self.keep();
        if !matches!(self.watch.question(), Some(Question::Which(_))) {
            return;
        }
        if trace() {
            println!("{} asked: {}", at.millis(), self.watch.question().expect("just seen"));
        }
        self.count_question();
        self.correct(at);
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

    fn correct(&mut self, at: Instant) {
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
        for nth in understood(&self.record).len()..self.done {
            let action = self.truth[nth].clone();
            if let Some(reveal) =
                self.reveals[nth].clone().filter(|reveal| self.enter(reveal, at).is_err() && trace())
            {
                println!("{reveal} was entered before");
            }
            let taken = self.enter(&action, at);
            // While the earlier actions were entered, the table may already have inferred this action from the board.
            let known = taken.is_err() && understood(&self.record).len() > nth;
            assert!(known || taken.is_ok(), "{action}: {taken:?}");
            if !self.auto && !known {
                let by = if action.contains("white") { "white" } else { "black" };
                self.enter(&format!(r#""do":"press","by":"{by}""#), at).expect("a press is taken");
            }
        }
        if let Some(reveal) = self.reveals.get(self.done).cloned().flatten() {
            // The reveal is refused if it was entered before.
            drop(self.enter(&reveal, at));
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

    fn type_in(&mut self, input: &str, at: Instant) {
        let reported = self.sensor.run(at);
        self.hear(reported);
        self.pass(at);
        if self.enter(input, self.now).is_err() {
            // The input is refused because the table has misunderstood the game. People notice the mistake at this
            // refusal.
            if trace() {
                println!("{} asked: {input} was refused", at.millis());
            }
            self.count_question();
            self.correct(self.now);
        }
    }
}

fn trace() -> bool {
    std::env::var("TABIYA_TRACE").is_ok()
}

fn action_text(input: &tabiya_engine::rules::Action) -> String {
    let line = Line::new(Instant::ZERO, None, Body::Acted(Input::Game(input.clone())));
    let text = line.to_string();
    text.trim_start_matches("{\"t\":0,").trim_end_matches('}').to_owned()
}

/// The actions in a record that take a turn, without those that an undo took back. In a finished turn, an undo takes
/// back the whole turn. In an unfinished turn, an undo takes back only the last line.
fn understood(record: &[String]) -> Vec<String> {
    struct Part {
        text: String,
        opens: bool,
        ended: bool,
    }
    let header = Header::parse(&record[0], GAMES).expect("a header");
    let auto = record[0].contains("\"auto\"");
    let mut parts: Vec<Part> = Vec::new();
    for text in &record[1..] {
        if text.contains("\"sees\"") {
            continue;
        }
        let line = Line::parse(text, &header).expect("a line");
        let Body::Acted(input) = &line.body else { continue };
        match input {
            Input::Game(action) if action.takes_turn() => {
                let opens = matches!(action, Action::Reveal(_));
                if let Some(last) = parts.last_mut().filter(|last| !last.opens) {
                    last.ended = true;
                }
                parts.push(Part { text: action_text(action), opens, ended: auto && !opens });
            }
            Input::Common(Common::Press(by)) => {
                if let Some(last) = parts.last_mut().filter(|last| !last.opens) {
                    last.ended |= last.text.contains(&format!("\"by\":\"{}\"", by.word()));
                }
            }
            Input::Common(Common::Undo { .. }) => {
                let whole = parts.pop().is_some_and(|part| part.ended);
                if whole && parts.last().is_some_and(|part| part.opens) {
                    parts.pop();
                }
            }
            Input::Common(_) | Input::Game(_) => {}
        }
    }
    parts.into_iter().filter(|part| !part.opens).map(|part| part.text).collect()
}

/// Plays one random game.
pub fn play(setting: &Setting, seed: u64) -> Played {
    let press = if setting.auto { "auto" } else { "clock" };
    let (game, own) = match setting.game {
        Game::Chess => ("chess", String::new()),
        Game::Choker => ("choker", "\"stacks\":{\"A\":100,\"B\":100},\"small_blind\":1,".to_owned()),
    };
    let header = format!(
        "{{\"tabiya\":1,\"game\":\"{game}\",\"players\":{{\"A\":\"Ann\",\"B\":\"Bo\"}},\"white\":\"A\",\"terms\":{{{own}\"press\":\"{press}\"}}}}"
    );
    let watch = Watch::new(Header::parse(&header, GAMES).expect("a header").agreement);
    let board = watch.table().physical();
    let sensor = Sensor::new(&setting.profile, SensorTells::Squares, board, seed ^ 0xb0a4);
    let mut evening = Evening {
        watch,
        sensor,
        record: vec![header.clone()],
        truth: Vec::new(),
        reveals: Vec::new(),
        done: 0,
        auto: setting.auto,
        questions: 0,
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
    if setting.game == Game::Choker {
        bet(&mut evening, &mut at);
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
    if !waits.is_empty() {
        // If presses still wait at the end, count them together as one question.
        if trace() {
            println!("asked: {} at the end", waits[0].violation);
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
        let (mut wanted, mut shown) = (None, None);
        let mine = &mut hands[usize::from(by == Color::Black)];
        if !mine.is_empty() && setting.game == Game::Choker {
            let nth = pick(dice, mine.len());
            let (card, piece) = mine.swap_remove(nth);
            let reveal = format!(r#""do":"reveal","by":"{}","card":"{}""#, by.word(), card.letter());
            evening.reveals.push(Some(reveal.clone()));
            evening.type_in(&reveal, at);
            shown = Some(());
            let header = evening.header();
            let line = Line::parse(&format!("{{\"t\":0,{reveal}}}"), &header).expect("a line");
            let Body::Acted(Input::Game(action)) = line.body else { panic!("a reveal") };
            truth = truth.after(&action).expect("the card can be shown");
            wanted = Some(piece);
        }
        if shown.is_none() {
            evening.reveals.push(None);
        }
        let mut candidates = truth.candidates();
        if let Some(piece) = wanted {
            candidates.retain(|candidate| {
                matches!(candidate.action, Action::Place(Place { piece: placed, .. }) if placed == piece)
            });
        }
        let nth = pick(dice, candidates.len());
        let chosen = candidates.swap_remove(nth);
        evening.truth.push(action_text(&chosen.action));
        if trace() {
            println!("-- {} {}", evening.truth.len() - 1, action_text(&chosen.action));
        }
        truth = truth.after_turn(&chosen.action).expect("a candidate is legal");
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
        for (when, what) in performance.events {
            let reported = evening.sensor.feed(when, what);
            evening.hear(reported);
        }
        evening.done = evening.truth.len();
        position = chosen.after;
        evening.notice_result(&truth);
        at = performance.ends.max(evening.now);
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
