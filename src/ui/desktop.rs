//! The desktop around the window: keeps the computer awake while a clock runs, lets people choose files, and
//! notifies the arbiter.
//!
//! A second process of this program (`tabiya desktop serve`) talks to the session's message bus, because the window's
//! process hides its memory from the other programs of the user, and desktop portals refuse a process that they cannot
//! look at. The second process holds no secret. Each request and each report is a line of JSON. If the window's process
//! ends, however it ends, the second process ends as well, and the bus forgets whatever it asked for.

mod alerts;
mod platform;
mod serve;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};

use serde::{Deserialize, Serialize};
use tabiya_app::snapshot::{Snapshot, TableView};
use tabiya_text::Words;

use self::alerts::{AlertChange, Notified};
pub use self::serve::serve;

/// How many requests may wait until the second process takes them.
const QUEUE: usize = 32;

/// What the window asks of the desktop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DesktopRequest {
    /// Keep the computer awake for this reason; with `None` it may sleep.
    Awake(Option<String>),
    /// Show a notification with this number and this text.
    Alert(u64, String),
    /// Take the notification with this number away.
    Withdraw(u64),
    /// Ask people for a file, with this number of the question.
    Choose(u64, FileAsk),
}

/// What the desktop reports.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum DesktopReport {
    /// Whether the desktop's look is dark; `None` if the desktop does not say.
    Dark(Option<bool>),
    /// Whether the desktop asks for reduced motion.
    Still(bool),
    /// Whether the desktop has a dialog for files.
    Chooser(bool),
    /// Which file people chose for the question with this number; `None` if they chose none.
    Chosen(u64, Option<PathBuf>),
}

/// What a file is chosen for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// To write it. The dialog asks before an existing file is replaced.
    Save,
    /// To read it.
    Open,
}

/// A question to the desktop's dialog for files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileAsk {
    /// What the file is for.
    pub purpose: Purpose,
    /// The title of the dialog.
    pub title: String,
    /// The name that is suggested; may be empty.
    pub name: String,
    /// The folder that is shown first; `None` leaves it to the desktop.
    pub folder: Option<PathBuf>,
    /// The kinds of files: the name of each kind, and the endings of its files.
    pub kinds: Vec<(String, Vec<String>)>,
}

/// The connection to the second process. Dropping it ends that process.
#[derive(Debug, Default)]
pub(super) struct DesktopLink {
    requests: Option<SyncSender<DesktopRequest>>,
    reports: Option<Receiver<DesktopReport>>,
    awake: bool,
    notified: Notified,
}

impl DesktopLink {
    /// Starts the second process, on a thread of its own: the window does not wait for it. Without it (it cannot be
    /// started) the window does without the desktop. `changed` is called after each report, on another thread.
    pub(super) fn start(command: Command, changed: impl Fn() + Send + 'static) -> Self {
        let (requests, waiting) = sync_channel(QUEUE);
        let (told, reports) = channel();
        let begun = thread("desktop-requests", move || {
            if let Some((child, input, output)) = begin(command)
                && thread("desktop-reports", move || hear(output, told, &changed, child))
            {
                pass_on(&waiting, input);
            }
        });
        if begun {
            Self { requests: Some(requests), reports: Some(reports), ..Self::default() }
        } else {
            Self::default()
        }
    }

    /// Keeps the computer awake exactly while a clock of this snapshot runs, and notifies the arbiter of what waits for
    /// nobody else while the window is not in front. Never blocks.
    pub(super) fn follow(&mut self, snapshot: &Snapshot, in_front: bool, words: &Words) {
        for change in self.notified.follow(&snapshot.alerts, in_front) {
            // A notification that cannot be sent is missed by nobody: the window shows the alert as well.
            self.send(match change {
                AlertChange::Show(number) => DesktopRequest::Alert(number, alert_words(snapshot, words)),
                AlertChange::Withdraw(number) => DesktopRequest::Withdraw(number),
            });
        }
        self.keep_awake(snapshot.table.as_deref().is_some_and(clock_runs), words);
    }

    /// The same for several tables of this computer: it stays awake while a clock of any of them runs.
    pub(super) fn follow_all(&mut self, tables: &[&Snapshot], in_front: bool, words: &Words) {
        let mut waiting = Vec::new();
        for (nth, snapshot) in (1_u64..).zip(tables) {
            let calls = snapshot.alerts.iter().filter(|alert| alert.calls_arbiter());
            let text = words.with("hall-table-waits", &[("table", nth.into())]);
            // A table's numbers stay below this, so that they are different at each.
            waiting.extend(calls.map(|alert| (nth << 32 | alert.number, text.clone())));
        }
        self.notify(&waiting, in_front);
        let runs = tables.iter().any(|snapshot| snapshot.table.as_deref().is_some_and(clock_runs));
        self.keep_awake(runs, words);
    }

    fn keep_awake(&mut self, runs: bool, words: &Words) {
        if runs != self.awake && self.send(DesktopRequest::Awake(runs.then(|| words.t("clock-runs")))) {
            self.awake = runs;
        }
    }

    /// Notifies the arbiter of many tables of what waits, each with its number and its words, while the window is not in front. The
    /// words name tables, and nothing that only the arbiter may know. Never blocks.
    pub(super) fn notify(&mut self, waiting: &[(u64, String)], in_front: bool) {
        let numbers: Vec<u64> = waiting.iter().map(|(number, _)| *number).collect();
        for change in self.notified.follow_numbers(&numbers, in_front) {
            let words = |number: u64| waiting.iter().find(|(known, _)| *known == number);
            let request = match change {
                AlertChange::Show(number) => {
                    words(number).map(|(_, words)| DesktopRequest::Alert(number, words.clone()))
                }
                AlertChange::Withdraw(number) => Some(DesktopRequest::Withdraw(number)),
            };
            // A notification that cannot be sent is missed by nobody: the window shows the alert as well.
            request.map(|request| self.send(request));
        }
    }

    /// Asks people for a file; the answer is a report. Never blocks.
    pub(super) fn choose(&self, number: u64, ask: FileAsk) -> bool {
        self.send(DesktopRequest::Choose(number, ask))
    }

    /// Takes the reports that have come. Without the second process no dialog for files answers any more.
    pub(super) fn take_reports(&mut self) -> Vec<DesktopReport> {
        let mut taken = Vec::new();
        while let Some(reports) = &self.reports {
            match reports.try_recv() {
                Ok(report) => taken.push(report),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    taken.push(DesktopReport::Chooser(false));
                    self.reports = None;
                }
            }
        }
        taken
    }

    /// Sends a request, and returns whether it was sent.
    fn send(&self, request: DesktopRequest) -> bool {
        self.requests.as_ref().is_some_and(|requests| requests.try_send(request).is_ok())
    }
}

/// Starts a thread with this name, and returns whether it was started.
fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> bool {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).is_ok()
}

/// Starts the second process, with a pipe in each direction.
fn begin(mut command: Command) -> Option<(Child, ChildStdin, ChildStdout)> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    // Ctrl-C in a terminal is for the window's process, which may still ask something.
    platform::own_group(&mut command);
    let mut child = command.spawn().ok()?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    pipes.map(|(input, output)| (child, input, output))
}

/// The text of a notification.
fn alert_words(snapshot: &Snapshot, words: &Words) -> String {
    let names = snapshot.table.as_deref().map(|view| &view.names);
    let facts = names.map_or_else(Vec::new, |names| {
        vec![("white", names.white.clone().into()), ("black", names.black.clone().into())]
    });
    words.with("arbiter-waits", &facts)
}

/// Whether the clock of this table runs: nobody may have to touch the computer for as long as it does.
fn clock_runs(view: &TableView) -> bool {
    let due = view.clock.turn().is_some() || view.bet_clock.is_some();
    due && !view.clock.paused() && view.outcome.is_none() && !view.match_over
}

/// Writes requests to the second process, until the window's end or the second process's.
fn pass_on(waiting: &Receiver<DesktopRequest>, mut to: ChildStdin) {
    while let Ok(request) = waiting.recv() {
        let Ok(line) = serde_json::to_string(&request) else { continue };
        if writeln!(to, "{line}").is_err() {
            return;
        }
    }
}

/// Reads the reports of the second process until it ends.
fn hear(from: ChildStdout, told: Sender<DesktopReport>, changed: &impl Fn(), mut child: Child) {
    for line in BufReader::new(from).lines().map_while(Result::ok) {
        let Ok(report) = serde_json::from_str(&line) else { continue };
        if told.send(report).is_err() {
            break;
        }
        changed();
    }
    // The status tells nothing: the process ends when the window does.
    drop((told, child.wait()));
    changed();
}
