//! The program in its window: tests send it keys and mouse events, and read its record.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use serde_json::{Value, json};
use tabiya_store::journal::Journal;
use tabiya_store::settings::Settings;
use tempfile::TempDir;

use super::display::{Area, Display, Guarded, Picture, pictures};
use crate::child::{name, printed};
use crate::wait::wait_for;

/// A display, and a folder for settings and data. Both stay when the program ends.
pub(crate) struct Place {
    pub(crate) display: Display,
    pub(crate) folder: TempDir,
    /// The address of the session's message bus; with `None` the session has none.
    pub(crate) bus: Option<String>,
    /// Where the program finds other programs, if not as usual.
    pub(crate) path: Option<String>,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let names = vec!["Ann".to_owned(), "Bo".to_owned()];
        let settings = Settings { names, sounds: false, ..Settings::default() };
        settings.save(&folder.path().join("config/settings.json")).unwrap();
        std::fs::create_dir(folder.path().join("data")).unwrap();
        Self { display: Display::start(), folder, bus: None, path: None }
    }

    /// Starts the program and waits for its window.
    pub(crate) fn open(&self, arguments: &[&str]) -> Window<'_> {
        let program = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(arguments)
            .env("DISPLAY", self.display.name())
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .envs(self.bus.iter().map(|address| ("DBUS_SESSION_BUS_ADDRESS", address)))
            .envs(self.path.iter().map(|path| ("PATH", path)))
            .env("XDG_RUNTIME_DIR", self.folder.path())
            .env("TABIYA_DATA", self.folder.path().join("data"))
            .env("TABIYA_CONFIG", self.folder.path().join("config"))
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .spawn()
            .map(Guarded)
            .expect("the program starts");
        Window { id: self.display.window(), place: self, program }
    }

    /// Waits for the evening's file, and returns its path.
    pub(crate) fn file(&self) -> PathBuf {
        wait_for("the evening's file", || {
            let files = std::fs::read_dir(self.folder.path().join("data")).unwrap();
            let mut paths = files.map(|file| file.unwrap().path());
            paths.find(|path| path.extension().is_some_and(|ending| ending == "tabiya"))
        })
    }

    /// The path of another file that the program will write.
    pub(crate) fn file_beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The lines of the last match so far. The program may be writing meanwhile.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let read = |path: &Path| {
            let journal = Journal::open_read(path).ok()?;
            let last = journal.matches().ok()?.pop()?;
            journal.lines(last.id).ok()
        };
        let lines = read(&self.file()).unwrap_or_default();
        lines.into_iter().map(|(_, text)| serde_json::from_str(&text).unwrap()).collect()
    }

    /// The lines of the last match, except evidence. Each line is returned without its times and its hash.
    pub(crate) fn done(&self) -> Vec<Value> {
        self.lines().into_iter().filter(|line| !is_evidence(line)).map(timeless).collect()
    }

    /// The report of the last match, from `tabiya replay --json`.
    pub(crate) fn report(&self) -> Value {
        let status = 0;
        serde_json::from_str(&printed(&["replay", name(&self.file()), "--json"], status)).unwrap()
    }

    /// Asserts that the record is undamaged, and that its export contains the same lines as the journal. Evidence,
    /// times and hashes are not compared.
    pub(crate) fn verify(&self) {
        let file = self.file();
        printed(&["verify", name(&file)], 0);
        let text = printed(&["export", name(&file), "--format", "jsonl"], 0);
        let exported: Vec<Value> =
            text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
        let exported: Vec<Value> =
            exported.into_iter().filter(|line| !is_evidence(line)).map(timeless).collect();
        assert_eq!(exported, self.done());
    }
}

fn is_evidence(line: &Value) -> bool {
    ["sees", "button"].iter().any(|word| line["do"] == *word)
}

/// A line without its times and its hash.
fn timeless(mut line: Value) -> Value {
    let fields = line.as_object_mut().unwrap();
    for name in ["t", "when", "x-hash"] {
        fields.shift_remove(name);
    }
    line
}

/// The program while it runs.
pub(crate) struct Window<'a> {
    pub(crate) place: &'a Place,
    program: Guarded,
    id: String,
}

impl Window<'_> {
    pub(crate) fn process(&self) -> u32 {
        self.program.0.id()
    }

    /// Where the window's content stands on the screen, and how large it is, in pixels: x, y, width, height.
    pub(crate) fn geometry(&self) -> [i32; 4] {
        let shape = self.place.display.xdotool(&["getwindowgeometry", "--shell", &self.id]);
        ["X=", "Y=", "WIDTH=", "HEIGHT="].map(|name| {
            let line = shape.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.parse().unwrap()
        })
    }

    /// Moves and resizes the window, as people do with the mouse.
    pub(crate) fn place_at(&self, at: [i32; 2], size: [i32; 2]) {
        let [x, y, width, height] = [at[0], at[1], size[0], size[1]].map(|number| number.to_string());
        self.place.display.xdotool(&["windowsize", "--sync", &self.id, &width, &height]);
        self.place.display.xdotool(&["windowmove", "--sync", &self.id, &x, &y]);
    }

    // ---- mouse and keyboard ----

    pub(crate) fn key(&self, key: &str) {
        self.place.display.xdotool(&["key", "--clearmodifiers", key]);
    }

    pub(crate) fn click(&self, (x, y): (usize, usize)) {
        let (x, y) = (x.to_string(), y.to_string());
        self.place.display.xdotool(&["mousemove", "--window", &self.id, &x, &y, "click", "1"]);
    }

    /// Gives the table's input line the keyboard.
    pub(crate) fn begin_typing(&self) {
        self.key("t");
        self.look("the cursor", |picture| picture.has_cursor().then_some(()));
    }

    /// Types into the table's input line, and presses Enter. First waits until the input line has the keyboard.
    pub(crate) fn line(&self, text: &str) {
        self.look("the cursor", |picture| picture.has_cursor().then_some(()));
        self.place.display.xdotool(&["type", "--delay", "20", text]);
        self.key("Return");
    }

    /// Clicks a square of the board, with White below.
    pub(crate) fn square(&self, square: &str) {
        self.click(self.look("the board", Picture::board).square(square).center());
    }

    /// Clicks a piece, waits until its square is marked, and clicks where it goes.
    pub(crate) fn carry(&self, from: &str, to: &str) {
        let board = self.look("the board", Picture::board);
        let corner = board.square(from).corner();
        let before = self.look("the board", |picture| Some(picture.color(corner)));
        self.click(board.square(from).center());
        self.look("a chosen piece", |picture| (picture.color(corner) != before).then_some(()));
        self.click(board.square(to).center());
    }

    /// Clicks a control in the accent colour. `choose` gets all areas that have this colour, and returns the area to
    /// click.
    pub(crate) fn accent(&self, what: &str, choose: impl Fn(&[Area]) -> Option<Area>) {
        let area = self.look(what, |picture| choose(&picture.accents()));
        self.click(area.center());
    }

    /// Minimises the window, as people do who want to see only the spectators' window.
    pub(crate) fn minimise(&self) {
        self.place.display.xdotool(&["windowminimize", "--sync", &self.id]);
    }

    /// Brings the minimised window back.
    pub(crate) fn bring_back(&self) {
        self.place.display.xdotool(&["windowactivate", "--sync", &self.id]);
        self.place.display.window();
    }

    // ---- pixels and the record ----

    /// Takes the window's pixels again and again until `find` returns a value.
    pub(crate) fn look<T>(&self, what: &str, find: impl Fn(&Picture) -> Option<T>) -> T {
        wait_for(what, || find(&self.place.display.look(&self.id)?))
    }

    /// Saves a screenshot for people, once two successive looks at the window show the same.
    pub(crate) fn keep(&self, name: &str) {
        let mut before = None;
        wait_for("a window that no longer changes", || {
            let now = self.place.display.look(&self.id);
            let rests = now.is_some() && now == before;
            before = now;
            rests.then_some(())
        });
        self.place.display.keep(&self.id, &pictures().join(format!("{name}.png")));
    }

    /// Waits until the record has `count` actions, and returns the last of them.
    #[track_caller]
    pub(crate) fn done(&self, count: usize) -> Value {
        wait_for(&format!("{count} lines; there are {:#?}", self.place.done()), || {
            let done = self.place.done();
            assert!(done.len() <= count, "more than {count} lines: {done:#?}");
            (done.len() == count).then(|| done.last().cloned().unwrap_or(json!(null)))
        })
    }

    /// The settings as the program has saved them.
    pub(crate) fn settings(&self) -> Settings {
        Settings::peek(&self.place.folder.path().join("config/settings.json"))
    }

    // ---- the program's end ----

    /// Closes the window with Alt+F4, and waits for the program's end. In a running game the program asks first; asking
    /// once more is the answer.
    pub(crate) fn close(mut self) -> ExitStatus {
        wait_for("the program's end", || {
            self.key("alt+F4");
            self.program.0.try_wait().unwrap()
        })
    }

    /// Whether the program has not ended yet.
    pub(crate) fn runs(&mut self) -> bool {
        self.program.0.try_wait().unwrap().is_none()
    }

    /// Waits for the program's end.
    pub(crate) fn end(&mut self) -> ExitStatus {
        wait_for("the program's end", || self.program.0.try_wait().unwrap())
    }

    /// Kills the program (`kill -9`).
    pub(crate) fn kill(mut self) {
        self.program.0.kill().unwrap();
        self.program.0.wait().unwrap();
    }
}

impl Drop for Window<'_> {
    #[expect(clippy::print_stderr, reason = "a test that fails shows what the record holds")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            let data = std::fs::read_dir(self.place.folder.path().join("data"));
            let lines =
                if data.is_ok_and(|files| files.count() > 0) { self.place.lines() } else { Vec::new() };
            for line in lines {
                eprintln!("{line}");
            }
            let test = std::thread::current().name().unwrap_or_default().replace("::", "-");
            self.place.display.try_keep(&self.id, &pictures().join(format!("failed-{test}.png")));
        }
    }
}

/// Sends a signal to a process.
pub(crate) fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([format!("-{name}"), process.to_string()]).status().unwrap();
    assert!(sent.success(), "kill -{name} {process}");
}
