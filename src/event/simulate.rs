//! A whole event in one process over the real wire: simulated boards and people at many tables, each with a journal of its own, a
//! console, and what goes wrong in a hall. A demonstration, a trainer for arbiters, and a load.
//!
//! The same seed gives the same players and the same incidents; when a message arrives is the network's.
#![expect(clippy::disallowed_methods, reason = "a simulated hall plays in the computer's own time")]

use std::io::Sink;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant as RealInstant};

use tabiya_app::desk::Wish;
use tabiya_app::robots::{MatchSimulation, SimulatedMatch};
use tabiya_boards::human::{Dice, Profile};
use tabiya_boards::makers::CATALOG;
use tabiya_engine::record::{Header, Replay};
use tabiya_engine::rules::{GAMES, GameKind, presets};
use tabiya_engine::table::{Author, Common, Input};
use tabiya_store::keys::Keyring;
use tabiya_types::{BySeat, Color, Instant, Millis, Seat, Timeline};
use tokio::runtime::Handle;

use crate::console::{FolderFault, OpenEvent};
use crate::join::{JoinFault, TableFile};
use crate::stepped::{self, SteppedLinks, SteppedTable};
use crate::table::{TableSeat, has_signed};

mod drill;

pub use drill::{DrillIncident, DrillPlan};

/// How often the simulated people act.
const STEP: Duration = Duration::from_millis(20);
/// The longest time that passes in the hall between two looks at a table. Where the computer is too slow for the speed that people
/// want, the hall plays more slowly; it would hear no order while it made up for lost time.
const LONGEST_STEP: Duration = Duration::from_millis(60);
/// The time between two incidents at one table, at least and at most, in ms of its own time.
const CALM: (u64, u64) = (40_000, 240_000);
/// How long a lost table is away, and one without power, in ms.
const AWAY: (u64, u64) = (3_500, 9_000);
/// After how many moves simulated players agree to a draw.
const PLIES: usize = 90;

/// What a simulated hall is like.
#[derive(Clone, Debug)]
pub struct HallPlan {
    /// How many tables.
    pub tables: u16,
    /// The seed of players and incidents.
    pub seed: u64,
    /// How many times as fast as real people they play.
    pub speed: u32,
    /// The incidents that happen one after the other; `None`: at random.
    pub drill: Option<DrillPlan>,
}

/// Why a simulated hall cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SimulationFault {
    /// The event cannot be made.
    #[error(transparent)]
    Folder(#[from] FolderFault),
    /// A table cannot join.
    #[error(transparent)]
    Join(#[from] JoinFault),
    /// A table cannot begin its match.
    #[error("simulated table {0} cannot begin its match ({1}); choose another --seed")]
    Match(u16, String),
    /// The system lacks something.
    #[error("a simulated hall cannot run here ({0}); try fewer tables")]
    System(#[from] std::io::Error),
}

/// The time in a simulated hall, in ms: it goes on by steps, all of its tables together.
type HallClock = Arc<AtomicU64>;

/// The time at a simulated table: that of its hall since the table was switched on.
#[derive(Clone, Debug)]
struct TableTime {
    hall: HallClock,
    since: u64,
}

impl TableTime {
    fn begin_anew(&mut self) {
        self.since = self.hall.load(Ordering::Relaxed);
    }
}

impl Timeline for TableTime {
    fn now(&self) -> Instant {
        Instant::from_millis(self.hall.load(Ordering::Relaxed).saturating_sub(self.since))
    }
}

/// What goes wrong at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Incident {
    /// A player stops the clocks and calls the arbiter.
    Call,
    /// A player claims a draw, rightly or not.
    Claim,
    /// Somebody enters what the rules refuse.
    Refused,
    /// The cards are dealt anew.
    Fouled,
    /// The network is gone for a while.
    Lost,
    /// The power is gone for a while.
    PowerCut,
    /// A player resigns, and takes it back: he has touched the wrong button.
    WrongResult,
}

impl Incident {
    const ALL: [Self; 7] =
        [Self::Call, Self::Claim, Self::Refused, Self::Fouled, Self::Lost, Self::PowerCut, Self::WrongResult];
}

/// A table on which simulated people play.
struct SimulatedTable {
    number: u16,
    folder: PathBuf,
    seat: TableSeat,
    setup: SimulatedMatch,
    header: Header,
    time: TableTime,
    playing: Option<MatchSimulation<Sink>>,
    links: Option<SteppedLinks>,
    dice: Dice,
    next_incident: Instant,
    /// When the table is switched on or reaches its consoles again, in the hall's real time.
    back_at: Option<RealInstant>,
    over: bool,
    /// What happens at it in a drill, and when in the hall's time.
    drilled: Option<(DrillIncident, u64)>,
    /// Whether its hall has a drill, so that nothing else happens.
    in_drill: bool,
    /// Whether its people wait for the arbiter.
    waits: bool,
}

/// A simulated hall. Its tables play as long as it lives.
#[derive(Debug)]
pub struct SimulatedHall {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    runtime: Option<tokio::runtime::Runtime>,
    /// How many matches have ended.
    pub ended: Arc<AtomicUsize>,
    /// The incidents of a drill as they happen, for who tells people of them.
    pub incidents: Option<Receiver<DrillIncident>>,
}

impl Drop for SimulatedHall {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Prepares tokens for the tables of a plan, before the console runs. Each is the content of a prepared file.
pub fn prepare(event: &mut OpenEvent, plan: &HallPlan, console: &str) -> Result<Vec<String>, FolderFault> {
    let mut files = Vec::new();
    for table in 1..=plan.tables {
        let token = event.give_token(table)?;
        let file = serde_json::json!({
            "tabiya-table": 1, "event": event.event, "authority": event.certificate_text(),
            "table": table, "token": token, "staff": event.staff.signed(), "consoles": [console],
        });
        files.push(file.to_string());
    }
    event.keep_tokens()?;
    Ok(files)
}

/// Lets simulated people play at these tables, which join the console at this address with their prepared files. `folder` is where
/// their records are.
pub fn begin(
    plan: &HallPlan,
    files: &[String],
    (console, folder): (SocketAddr, &Path),
) -> Result<SimulatedHall, SimulationFault> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let time = HallClock::default();
    let (tell, incidents) = channel();
    let mut tables = Vec::new();
    for (number, file) in (1..).zip(files) {
        let folder = folder.join(format!("table-{number}"));
        let seat = runtime.block_on(join_prepared(number, file, (console, &folder)))?;
        tables.push(SimulatedTable::new(plan, (number, seat), folder, &time)?);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let ended: Arc<AtomicUsize> = Arc::default();
    let (stopping, counted, handle) = (Arc::clone(&stop), Arc::clone(&ended), runtime.handle().clone());
    let speed = plan.speed;
    let thread = std::thread::Builder::new().name("players".to_owned()).spawn(move || {
        for table in &mut tables {
            table.switch_on(&handle);
        }
        let mut last = RealInstant::now();
        while !stopping.load(Ordering::Relaxed) {
            let passed = last.elapsed().min(LONGEST_STEP) * speed;
            last = RealInstant::now();
            time.fetch_add(u64::try_from(passed.as_millis()).unwrap_or(0), Ordering::Relaxed);
            let before = tables.iter().filter(|table| table.over).count();
            for table in &mut tables {
                if let Some(incident) = table.step(&handle) {
                    // Perhaps nobody listens.
                    let _ = tell.send(incident);
                }
            }
            let after = tables.iter().filter(|table| table.over).count();
            counted.fetch_add(after - before, Ordering::Relaxed);
            std::thread::park_timeout(STEP);
        }
        // Records are closed before the links end.
        tables.iter_mut().for_each(SimulatedTable::leave);
    })?;
    Ok(SimulatedHall {
        stop,
        thread: Some(thread),
        runtime: Some(runtime),
        ended,
        incidents: Some(incidents),
    })
}

/// Joins the console at this address with the content of a prepared file. The table's key is in this folder.
pub async fn join_prepared(
    number: u16,
    file: &str,
    (console, folder): (SocketAddr, &Path),
) -> Result<TableSeat, SimulationFault> {
    std::fs::create_dir_all(folder)?;
    let key = Keyring::beside_records(folder).table_key().map_err(|error| failed(number, &error))?;
    Ok(TableFile::read(file)?.take(&console.to_string(), &key, &has_signed).await?)
}

fn failed(number: u16, error: &dyn std::fmt::Display) -> SimulationFault {
    SimulationFault::Match(number, error.to_string())
}

/// The times of the tables, one after the other along the hall: at some a flag falls before long.
const TIMES: [&str; 4] = ["300+2", "300+5", "60", "300+3"];

/// The header of a simulated match with this time: each of these games that is played on a board has its turn along the tables.
fn header(number: u16, seed: u64, (games, time): (&[&dyn GameKind], &str)) -> Result<Header, String> {
    let nth = usize::from(number - 1);
    let players = BySeat { a: format!("Player {}", 2 * number - 1), b: format!("Player {}", 2 * number) };
    let id = format!("s{seed}-{number}");
    let with_board = |kind: &&dyn GameKind| {
        let mut terms = presets::terms(None, kind.name()).unwrap_or_default();
        terms.set("time", time);
        terms.set("voice", "event");
        let header = Header::compose(kind.name(), &players, Seat::A, &terms, None, Some(&id));
        let header = Header::from_value(header, GAMES).ok()?;
        Replay::new(header.clone()).table().game().has_board().then_some(header)
    };
    let headers: Vec<Header> = games.iter().filter_map(with_board).collect();
    let count = headers.len().max(1);
    headers.into_iter().nth(nth % count).ok_or_else(|| "no game can be simulated".to_owned())
}

impl SimulatedTable {
    fn new(
        plan: &HallPlan,
        (number, seat): (u16, TableSeat),
        folder: PathBuf,
        clock: &HallClock,
    ) -> Result<Self, SimulationFault> {
        let seed = plan.seed.wrapping_mul(10_007).wrapping_add(u64::from(number));
        let maker = CATALOG.first().copied().ok_or_else(|| failed(number, &"no board can be simulated"))?;
        let profile = Profile::from_name("casual").ok_or_else(|| failed(number, &"there are no hands"))?;
        let mut dice = Dice::new(seed);
        let drilled = plan.drill.as_ref().map(|drill| drill.at(number));
        let usual = || TIMES.get(usize::from(number - 1) % TIMES.len()).copied().unwrap_or("300").to_owned();
        // In a drill the incident says what is played, and with how much time.
        let (games, time) = match drilled {
            Some(drilled) => {
                let game = drill::game(drilled.map(|(incident, _)| incident));
                (game.into_iter().collect(), drill::time(drilled))
            }
            None => (GAMES.to_vec(), usual()),
        };
        let unplugged = dice.below(4) == 0;
        let unplug_at = match drilled {
            Some(Some((DrillIncident::SilentBoard, at))) => {
                vec![(Instant::from_millis(at), drill::UNPLUGGED)]
            }
            None if unplugged => vec![(Instant::from_millis(90_000), Millis(20_000))],
            Some(_) | None => Vec::new(),
        };
        let next_incident = Instant::from_millis(CALM.0 / 4 + dice.below(CALM.1));
        Ok(Self {
            number,
            folder,
            seat,
            setup: SimulatedMatch { maker, unplug_at, profile, seed, plies: Some(PLIES) },
            header: header(number, plan.seed, (&games, &time)).map_err(|error| failed(number, &error))?,
            time: TableTime { hall: Arc::clone(clock), since: 0 },
            playing: None,
            links: None,
            dice,
            next_incident,
            back_at: None,
            over: false,
            drilled: drilled.flatten(),
            in_drill: drilled.is_some(),
            waits: false,
        })
    }

    /// Begins the match, or carries it on, and tells the consoles.
    fn switch_on(&mut self, runtime: &Handle) {
        self.time.begin_anew();
        let time = Box::new(self.time.clone());
        let Ok(SteppedTable { mut desk, mut links, at }) =
            stepped::sit(&self.folder, self.seat.clone(), &self.header, time)
        else {
            return;
        };
        // Whoever carries a match on starts the clocks again; in a drill the arbiter does.
        if at > Instant::ZERO && !self.in_drill {
            desk.wish(Wish::Typed("resume".to_owned()), Instant::ZERO);
        }
        self.playing = MatchSimulation::at_desk(desk, &self.setup, None);
        links.dial(runtime);
        self.links = Some(links);
    }

    /// Ends the links and closes the record.
    fn leave(&mut self) {
        if let Some(playing) = self.playing.take() {
            drop(playing.into_desk().end(self.time.now()));
        }
        self.links = None;
    }

    /// Lets time pass at the table. Returns the incident of a drill that happens now.
    fn step(&mut self, runtime: &Handle) -> Option<DrillIncident> {
        if self.back_at.is_some_and(|back| back <= RealInstant::now()) {
            self.back_at = None;
            match &mut self.links {
                None => self.switch_on(runtime),
                Some(links) => links.dial(runtime),
            }
        }
        let now = self.time.now();
        let (Some(playing), Some(links)) = (&mut self.playing, &mut self.links) else { return None };
        links.take_orders(playing.desk());
        // A simulated player who cannot go on, because the arbiter has ruled otherwise, waits for him.
        // In a drill nobody touches the board before the arbiter has come.
        let stands = playing.desk().session().is_some_and(|session| session.table().clock().paused());
        let held = self.waits || (self.in_drill && stands);
        if held {
            playing.wait_until(now);
        } else {
            self.over |= !playing.play_until(now).unwrap_or(true);
        }
        let desk = playing.desk();
        desk.time(now);
        links.tell(desk, now);
        if self.in_drill {
            return self.drill(now);
        }
        if now >= self.next_incident && !self.over && self.back_at.is_none() {
            self.happen(now);
        }
        None
    }

    fn happen(&mut self, now: Instant) {
        let wait = CALM.0 + self.dice.below(CALM.1 - CALM.0);
        self.next_incident = now + Millis(wait);
        let away = Duration::from_millis(AWAY.0 + self.dice.below(AWAY.1 - AWAY.0));
        let by = self.dice.pick(&["white", "black"]).unwrap_or("white");
        let what = self.dice.pick(&Incident::ALL).unwrap_or(Incident::Call);
        let typed: Vec<String> = match what {
            Incident::Call => {
                self.call(if by == "white" { Color::White } else { Color::Black }, now);
                return;
            }
            Incident::Claim => vec![format!("claim {by}")],
            Incident::Refused => vec!["a1a8".to_owned()],
            Incident::Fouled => vec!["fouled".to_owned()],
            Incident::WrongResult => {
                vec![
                    format!("resign {by}"),
                    "yes".to_owned(),
                    "undo the wrong button".to_owned(),
                    "yes".to_owned(),
                ]
            }
            Incident::Lost => {
                if let Some(links) = &mut self.links {
                    links.cut();
                }
                self.back_at = Some(RealInstant::now() + away);
                return;
            }
            Incident::PowerCut => return self.cut_power(away),
        };
        let Some(playing) = &mut self.playing else { return };
        // Whom nobody has helped in the meantime goes on by himself.
        let report = playing.desk().hall_report(now);
        if report.on.is_some_and(|on| on.status(now).clock.is_some_and(|clock| clock.runs.is_none())) {
            playing.desk().wish(Wish::Typed("resume".to_owned()), now);
        }
        self.type_in(typed, now);
    }

    /// Somebody types these lines at the table.
    fn type_in(&mut self, lines: impl IntoIterator<Item = String>, now: Instant) {
        let Some(playing) = &mut self.playing else { return };
        for line in lines {
            playing.desk().wish(Wish::Typed(line), now);
        }
    }

    /// The power is gone for so long. Nothing is closed: what is not durable is lost, as with a pulled plug.
    fn cut_power(&mut self, away: Duration) {
        (self.playing, self.links) = (None, None);
        self.back_at = Some(RealInstant::now() + away);
    }

    /// A player stops the clocks and calls the arbiter.
    fn call(&mut self, by: Color, now: Instant) {
        let Some(playing) = &mut self.playing else { return };
        // What cannot be stopped now needs nobody.
        let _ = playing.desk().enter(Input::from(Common::Pause(Author::Player(by))).into(), now);
    }
}

impl std::fmt::Debug for SimulatedTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SimulatedTable").field("number", &self.number).finish_non_exhaustive()
    }
}
