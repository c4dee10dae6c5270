//! An arbiter's round: twelve simulated tables over real links, ten incidents, and the keys that the organisers' guide names for each,
//! pressed at the desk's own window. What the guide says is what is done here: its table is read, and every key in it is pressed.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant as RealInstant};

use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use tabiya_app::hall::{HallAlert, HallRow, HallView, RowLink};
use tabiya_event::console::{
    ConsoleDesk, ConsoleNews, ConsoleSettings, EventDates, EventFolder, OpenEvent, start,
};
use tabiya_event::simulate::{DrillIncident, DrillPlan, HallPlan, SimulatedHall, begin, prepare};
use tabiya_store::keys::Keyring;
use tabiya_store::settings::Settings;
use tabiya_types::Color;
use tabiya_window::HallShell;
use tempfile::TempDir;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::wait::let_pass;

/// The most keys beside typing for one incident.
const MOST_KEYS: usize = 6;
/// How long the arbiter waits for anything.
const PATIENCE: Duration = Duration::from_mins(1);
/// How long something stands still before a person acts on it.
const READ: Duration = Duration::from_millis(900);

/// What a person does: a key, or words that are typed.
#[derive(Clone, PartialEq, Debug)]
enum Step {
    Key(String),
    Typed(String),
}

/// The ways of the organisers' guide, one for each incident of a drill in its order: keys in backticks, typed words in quotation marks.
fn ways() -> Vec<(String, Vec<Step>)> {
    let guide = include_str!("../../docs/organisers-guide.md");
    let table = guide.split_once("| what happens | what you do |").expect("the table of incidents").1;
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [what, way] = cells.as_slice() else { panic!("{row}") };
        ((*what).to_owned(), steps(way))
    })
    .collect()
}

fn steps(way: &str) -> Vec<Step> {
    let mut found = Vec::new();
    let mut rest = way;
    while let Some(at) = rest.find(['`', '“']) {
        let ends = if rest[at..].starts_with('`') { '`' } else { '”' };
        let after = &rest[at + rest[at..].chars().next().unwrap().len_utf8()..];
        let (inside, left) = after.split_once(ends).expect("what is opened is closed");
        found.push(if ends == '`' { Step::Key(inside.to_owned()) } else { Step::Typed(inside.to_owned()) });
        rest = left;
    }
    found
}

/// What is behind the window: the console's desk, which carries out what is wished.
struct Behind {
    shell: HallShell,
    desk: ConsoleDesk,
    news: UnboundedReceiver<ConsoleNews>,
    view: HallView,
}

/// An arbiter at the desk.
struct Arbiter {
    window: Harness<'static, Behind>,
    _hall: SimulatedHall,
    _folder: TempDir,
}

fn date() -> (String, u64) {
    ("2026-11-30T19:00:00Z".to_owned(), 1_800_000_000_000)
}

impl Arbiter {
    /// Opens a desk with so many simulated tables and a drill.
    fn at(tables: u16) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (today, unix_ms) = date();
        let now = EventDates { date: &today, unix_ms };
        let place = EventFolder::find(Some(&folder.path().join("event")), folder.path(), "").unwrap();
        let keys = Keyring::in_folder(&folder.path().join("keys"));
        let mut event = OpenEvent::make(&place, ("Club open", "desk-1"), &keys, &now).unwrap();
        let drill = Some(DrillPlan { every: Duration::from_secs(4) });
        let plan = HallPlan { tables, seed: 2, speed: 2, drill };
        let files = prepare(&mut event, &plan, "").unwrap();
        let bind = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        let settings = ConsoleSettings { bind, announces: false, phones: None, date };
        let (console, news) = start(event, &settings).unwrap();
        let listens = console.listens;
        let hall = begin(&plan, &files, (listens, &folder.path().join("tables"))).unwrap();
        let behind = Behind {
            shell: HallShell::with(Settings::default()),
            desk: ConsoleDesk::new(console, "Rossi"),
            news,
            view: HallView::default(),
        };
        let draw = |ui: &mut egui::Ui, behind: &mut Behind| {
            for wish in behind.shell.ui(ui, &behind.view) {
                behind.desk.wish(wish);
            }
        };
        let size = egui::vec2(1280.0, 800.0);
        let window = Harness::builder().with_size(size).build_ui_state(draw, behind);
        Self { window, _hall: hall, _folder: folder }
    }

    /// Looks at the hall as it is now, and draws it.
    fn look(&mut self) {
        let behind = self.window.state_mut();
        while let Ok(news) = behind.news.try_recv() {
            behind.desk.hear(&news);
        }
        behind.view = behind.desk.view();
        self.window.step();
    }

    fn view(&self) -> &HallView {
        &self.window.state().view
    }

    /// Looks until this is so.
    fn until(&mut self, what: &str, holds: impl Fn(&HallView) -> bool) {
        let began = RealInstant::now();
        loop {
            self.look();
            if holds(self.view()) {
                return;
            }
            let view = self.view();
            assert!(began.elapsed() < PATIENCE, "{what}:\n{}", in_short(view));
            let_pass(Duration::from_millis(15));
        }
    }

    /// Reads for a while.
    fn read(&mut self) {
        let began = RealInstant::now();
        self.until("time passes", |_| began.elapsed() > READ);
    }

    fn chosen(&self) -> Option<u16> {
        self.view().chosen.as_ref().map(|chosen| chosen.table)
    }

    /// The title of the selected alert: the first one of the chosen table that nobody looks after.
    fn selected(&self) -> String {
        let table = self.chosen();
        let first = self.view().queue.iter().find(|alert| alert.key.table == table && nobodys(alert));
        first.map(|alert| alert.title.to_string()).unwrap_or_default()
    }

    fn row(&self, table: u16) -> &HallRow {
        self.view().row(table).unwrap()
    }

    fn press(&mut self, name: &str) {
        match name {
            "Ctrl+P" => {
                let table = self.chosen().unwrap();
                self.until("the table is here, and its clocks stand", |view| {
                    view.row(table).is_some_and(|row| {
                        row.link == RowLink::Here && row.clock.is_some() && row.is_stopped()
                    })
                });
                self.window.key_press_modifiers(Modifiers::COMMAND, Key::P);
            }
            "Enter" | "2" => {
                self.read();
                self.window.key_press(Key::from_name(name).unwrap());
            }
            "Y" => {
                self.until("it is asked", |view| view.question.is_some());
                self.window.key_press(Key::Y);
            }
            name => self.window.key_press(Key::from_name(name).expect(name)),
        }
        self.look();
        self.look();
    }

    fn types(&mut self, text: &str) {
        self.look();
        for letter in text.chars() {
            if let Some(key) = Key::from_name(&letter.to_string()).filter(|_| letter.is_ascii_digit()) {
                self.window.key_press(key);
            }
            self.window.event(Event::Text(letter.to_string()));
            self.look();
        }
    }

    /// Goes the way of the guide from its second key on: the first one has chosen the table.
    fn goes(&mut self, way: &[Step]) {
        for step in way {
            match step {
                Step::Key(name) => self.press(name),
                Step::Typed(text) => self.types(text),
            }
        }
    }
}

/// What the desk shows, in short: for who reads why a way leads nowhere.
fn in_short(view: &HallView) -> String {
    let queue = view
        .queue
        .iter()
        .map(|alert| format!("{:?} {} ({}), taken by {:?}", alert.key, alert.title, alert.says, alert.taken));
    let told = view.told.iter().map(|told| told.says.to_string());
    let rows = view.rows.iter().map(|row| {
        let playing = row.playing.as_ref();
        let stage =
            playing.map(|playing| (playing.phase, playing.stopped, playing.result.map(|of| of.winner)));
        format!("table {}: {:?} {stage:?} {:?}", row.table, row.link, row.clock)
    });
    let asked = view.question.iter().map(|asked| asked.text.to_string());
    queue.chain(told).chain(rows).chain(asked).collect::<Vec<_>>().join("\n")
}

/// Whether what happened at a table is settled.
fn is_settled(incident: DrillIncident, view: &HallView) -> bool {
    let table = incident.table();
    let Some(row) = view.row(table) else { return false };
    let alert = view.queue.iter().find(|alert| alert.key.table == Some(table));
    let told = |words: &str| {
        view.told
            .iter()
            .any(|told| !told.failed && told.table == Some(table) && told.says.to_string().contains(words))
    };
    let winner = row.playing.as_ref().and_then(|playing| playing.result).and_then(|result| result.winner);
    let goes_on = row.link == RowLink::Here && row.runs() && !row.is_stopped();
    match incident {
        DrillIncident::IllegalMove => told("rule clock") && told("is done"),
        DrillIncident::Flag => !row.runs() && winner.is_some(),
        DrillIncident::Claim => told("wrong claim") && goes_on,
        DrillIncident::Call => told("resume") && goes_on,
        DrillIncident::SilentBoard => alert.is_none_or(|alert| alert.taken.as_deref() == Some("Rossi")),
        // That the deal has to be repeated is the players' affair now.
        DrillIncident::FouledDeal => {
            let calls = |alert: &HallAlert| alert.title.to_string().contains("calls you");
            told("fouled") && told("resume") && !alert.is_some_and(calls)
        }
        DrillIncident::WrongControl => told("rule time 5+3") && goes_on,
        DrillIncident::LeftTable | DrillIncident::WrongResult => !row.runs() && winner == Some(Color::White),
        DrillIncident::PowerCut => told("resume") && goes_on,
    }
}

/// Whether an incident is what this alert tells of: simulated hands have slips of their own.
fn raises(incident: DrillIncident, alert: &str) -> bool {
    let title = match incident {
        DrillIncident::IllegalMove => "illegal move",
        DrillIncident::Flag => "flag",
        DrillIncident::Claim => "claims",
        DrillIncident::Call
        | DrillIncident::FouledDeal
        | DrillIncident::WrongControl
        | DrillIncident::LeftTable => "calls you",
        DrillIncident::SilentBoard | DrillIncident::PowerCut => "silent",
        DrillIncident::WrongResult => return false,
    };
    alert.contains(title)
}

fn nobodys(alert: &HallAlert) -> bool {
    alert.taken.is_none()
}

#[test]
#[expect(clippy::print_stdout, reason = "the longest way is listed")]
fn a_round_of_ten_incidents_takes_at_most_six_keys_each() {
    let ways = ways();
    assert_eq!(ways.len(), DrillIncident::ALL.len(), "a way for each incident: {ways:?}");
    let mut ways: BTreeMap<u16, (DrillIncident, Vec<Step>)> = DrillIncident::ALL
        .into_iter()
        .zip(ways)
        .map(|(incident, (_, way))| (incident.table(), (incident, way)))
        .collect();
    let keys = |way: &[Step]| way.iter().filter(|step| matches!(step, Step::Key(_))).count();
    let longest = ways.values().max_by_key(|(_, way)| keys(way)).unwrap().clone();
    println!("the longest way: {:?}, {} keys: {:?}", longest.0, keys(&longest.1), longest.1);
    assert!(keys(&longest.1) <= MOST_KEYS, "{longest:?}");

    let mut arbiter = Arbiter::at(12);
    arbiter.until("all tables play", |view| {
        view.rows.len() == 12 && view.rows.iter().all(|row| row.link == RowLink::Here)
    });
    while !ways.is_empty() {
        // What has no alert is told by people: the arbiter chooses its table by its number.
        let by_people = |view: &HallView, ways: &BTreeMap<u16, (DrillIncident, Vec<Step>)>| {
            ways.values()
                .find(|(incident, way)| {
                    let ended = view.row(incident.table()).is_some_and(|row| {
                        row.playing.as_ref().is_some_and(tabiya_app::hall::RowMatch::is_done)
                    });
                    way.first() == Some(&Step::Key("N".to_owned())) && ended
                })
                .map(|(incident, _)| incident.table())
        };
        let known = ways.clone();
        arbiter.until("something happens", |view| {
            view.queue.iter().any(nobodys) || by_people(view, &known).is_some()
        });
        let told = by_people(arbiter.view(), &ways);
        if let Some(table) = told {
            arbiter.press("Escape");
            let (incident, way) = ways.remove(&table).unwrap();
            arbiter.goes(&way);
            arbiter.until(&format!("{incident:?}"), |view| is_settled(incident, view));
            continue;
        }
        arbiter.press("A");
        let table = arbiter.chosen();
        let alert = arbiter.selected();
        let known =
            table.filter(|table| ways.get(table).is_some_and(|(incident, _)| raises(*incident, &alert)));
        let Some((incident, way)) = known.and_then(|table| ways.remove(&table)) else {
            // A slip of simulated hands: somebody looks after it.
            arbiter.read();
            arbiter.press("T");
            arbiter.read();
            continue;
        };
        assert_eq!(way.first(), Some(&Step::Key("A".to_owned())), "{incident:?}");
        arbiter.goes(&way[1..]);
        arbiter.until(&format!("{incident:?}"), |view| is_settled(incident, view));
    }
    assert_eq!(arbiter.row(11).table, 11);
}
