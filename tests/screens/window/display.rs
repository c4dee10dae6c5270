//! A private display: an X server that draws into memory, a window manager, and the pixels of windows.
//!
//! Tests look at the pixels to find out where to click, and save screenshots for people. They read from the record what
//! happened.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tabiya_store::settings::{Appearance, BoardColors};
use tabiya_window::theme::Theme;

use crate::wait::{found_within, wait_for};

/// A child process. Dropping this ends the process.
pub(crate) struct Guarded(pub(crate) Child);

impl Guarded {
    /// Asks the process to end (`TERM`), and returns whether it does so within two seconds.
    fn ends_when_asked(&mut self) -> bool {
        let asked = Command::new("kill").arg(self.0.id().to_string()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
            && found_within(Duration::from_secs(2), || self.0.try_wait().ok().flatten()).is_some()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // The process is asked to end before it is killed, because an X server that is asked to end removes its lock
        // file and its socket.
        if !matches!(self.0.try_wait(), Ok(Some(_))) && !self.ends_when_asked() {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}

/// An X server without a screen, with a window manager. Rust drops the fields in their order here, so the window
/// manager ends before the X server.
pub(crate) struct Display {
    name: String,
    _manager: Guarded,
    _server: Guarded,
}

impl Display {
    pub(crate) fn start() -> Self {
        let mut server = Command::new("Xvfb")
            // Without `-noreset` the server would reset when a tool disconnects, and break other connections.
            .args(["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map(Guarded)
            .expect("Xvfb starts: tests/run installs it");
        let mut number = String::new();
        BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let name = format!(":{}", number.trim());
        let manager = Command::new("openbox")
            .args(["--sm-disable", "--config-file", "/dev/null"])
            .env("DISPLAY", &name)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(Guarded)
            .expect("openbox starts: tests/run installs it");
        let display = Self { name, _manager: manager, _server: server };
        // The window manager sets this property of the root window once it can give focus.
        wait_for("a window manager", || {
            display.run("xprop", &["-root", "_NET_SUPPORTING_WM_CHECK"]).filter(|text| text.contains('#'))
        });
        display
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Runs a tool on this display, and returns what it prints. `None` if it fails.
    fn run(&self, tool: &str, arguments: &[&str]) -> Option<String> {
        self.bytes(tool, arguments).map(|out| String::from_utf8_lossy(&out).into_owned())
    }

    fn bytes(&self, tool: &str, arguments: &[&str]) -> Option<Vec<u8>> {
        let done = Command::new(tool).args(arguments).env("DISPLAY", &self.name).output();
        let done = done.unwrap_or_else(|error| panic!("{tool}: {error}; tests/run installs it"));
        done.status.success().then_some(done.stdout)
    }

    /// Controls the mouse, the keyboard or windows with `xdotool`, and returns what it prints.
    #[track_caller]
    pub(crate) fn xdotool(&self, arguments: &[&str]) -> String {
        self.run("xdotool", arguments).unwrap_or_else(|| panic!("xdotool {arguments:?} failed"))
    }

    /// Waits until the program's window is visible and has the keyboard. Returns its id.
    pub(crate) fn window(&self) -> String {
        let id = wait_for("the window", || {
            let found = self.run("xdotool", &["search", "--onlyvisible", "--name", "^Tabiya$"])?;
            found.lines().last().map(str::to_owned)
        });
        wait_for("the keyboard", || {
            let active = self.run("xdotool", &["getactivewindow"])?;
            if active.trim() == id {
                return Some(());
            }
            self.run("xdotool", &["windowactivate", &id]);
            None
        });
        id
    }

    /// Waits until another window of the program is visible. Returns its id.
    pub(crate) fn window_named(&self, name: &str) -> String {
        wait_for(name, || {
            let found = self.run("xdotool", &["search", "--onlyvisible", "--name", name])?;
            found.lines().last().map(str::to_owned)
        })
    }

    /// Saves a screenshot of a window.
    pub(crate) fn keep(&self, window: &str, path: &Path) {
        assert!(self.try_keep(window, path), "the screenshot failed");
    }

    /// Saves a screenshot of a window that may be gone. Returns whether it was saved.
    pub(crate) fn try_keep(&self, window: &str, path: &Path) -> bool {
        self.bytes("import", &["-window", window, path.to_str().unwrap()]).is_some()
    }

    /// The pixels of a window. `None` if they cannot be read.
    pub(crate) fn look(&self, window: &str) -> Option<Picture> {
        let shape = self.run("xdotool", &["getwindowgeometry", "--shell", window])?;
        let number = |name: &str| {
            shape.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')?.parse::<usize>().ok())
        };
        let (width, height) = (number("WIDTH")?, number("HEIGHT")?);
        let bytes = self.bytes("import", &["-window", window, "-depth", "8", "rgb:-"])?;
        (bytes.len() == width * height * 3).then_some(Picture { width, height, bytes })
    }
}

/// The folder for screenshots: `TABIYA_SCREENSHOTS`, or a folder in the target folder.
pub(crate) fn pictures() -> PathBuf {
    let named = std::env::var_os("TABIYA_SCREENSHOTS").filter(|path| !path.is_empty());
    let folder =
        named.map_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("../screenshots"), PathBuf::from);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The pixels of a window.
#[derive(PartialEq, Eq)]
pub(crate) struct Picture {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

/// A part of a picture, in pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Area {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Area {
    pub(crate) fn center(&self) -> (usize, usize) {
        (self.left + self.width / 2, self.top + self.height / 2)
    }

    /// A point in the upper right corner of a square. Neither a piece nor a letter covers this point.
    pub(crate) fn corner(&self) -> (usize, usize) {
        (self.left + self.width - 3, self.top + 3)
    }

    /// The area of a square of this board, with White below.
    pub(crate) fn square(&self, square: &str) -> Self {
        let [file, rank] = square.as_bytes() else { panic!("{square} is not a square") };
        let (file, rank) = (usize::from(file - b'a'), usize::from(b'8' - rank));
        let (width, height) = (self.width / 8, self.height / 8);
        // The last squares of a board whose side is no multiple of 8 would otherwise be off by some pixels.
        let (left, top) = (self.left + file * self.width / 8, self.top + rank * self.height / 8);
        Self { left, top, width, height }
    }
}

type Rgb = [u8; 3];

fn rgb(color: egui::Color32) -> Rgb {
    [color.r(), color.g(), color.b()]
}

impl Picture {
    fn at(&self, x: usize, y: usize) -> &[u8] {
        let from = (y * self.width + x) * 3;
        &self.bytes[from..from + 3]
    }

    /// The colour of a pixel.
    pub(crate) fn color(&self, (x, y): (usize, usize)) -> Vec<u8> {
        self.at(x, y).to_vec()
    }

    /// The area of the board; `None` if there is no board. A row or column of pixels belongs to the board if it has
    /// many pixels in the squares' colours: more than half of the window's height.
    pub(crate) fn board(&self) -> Option<Area> {
        let squares = Theme::of(Appearance::Dark).squares(BoardColors::Brown);
        let squares =
            [squares, squares.map(Theme::dimmed)].concat().into_iter().map(rgb).collect::<Vec<Rgb>>();
        let is = |x: usize, y: usize| squares.iter().any(|square| square == self.at(x, y));
        let half = self.height / 2;
        let row = |y: usize| (0..self.width).filter(|x| is(*x, y)).count() > half;
        let column = |x: usize| (0..self.height).filter(|y| is(x, *y)).count() > half;
        let (top, bottom) = ((0..self.height).find(|y| row(*y))?, (0..self.height).rfind(|y| row(*y))?);
        let (left, right) = ((0..self.width).find(|x| column(*x))?, (0..self.width).rfind(|x| column(*x))?);
        Some(Area { left, top, width: right + 1 - left, height: bottom + 1 - top })
    }

    /// The areas in the accent colour, which are the main buttons and other accented controls, from left to right.
    pub(crate) fn accents(&self) -> Vec<Area> {
        let accent = rgb(Theme::of(Appearance::Dark).gold);
        let mut seen = vec![false; self.width * self.height];
        let mut found = Vec::new();
        for y in 0..self.height {
            for x in 0..self.width {
                if !seen[y * self.width + x] && self.at(x, y) == accent {
                    let area = self.spread(x, y, accent, &mut seen);
                    if area.width > 40 && area.height > 20 {
                        found.push(area);
                    }
                }
            }
        }
        found.sort_by_key(|area| (area.left, area.top));
        found
    }

    /// The area of all pixels in this colour that are connected with the given pixel.
    fn spread(&self, x: usize, y: usize, color: Rgb, seen: &mut [bool]) -> Area {
        let (mut left, mut right, mut top, mut bottom) = (x, x, y, y);
        let mut open = vec![(x, y)];
        seen[y * self.width + x] = true;
        while let Some((x, y)) = open.pop() {
            (left, right, top, bottom) = (left.min(x), right.max(x), top.min(y), bottom.max(y));
            let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            for (x, y) in beside {
                if x < self.width && y < self.height && !seen[y * self.width + x] && self.at(x, y) == color {
                    seen[y * self.width + x] = true;
                    open.push((x, y));
                }
            }
        }
        Area { left, top, width: right + 1 - left, height: bottom + 1 - top }
    }

    /// Whether a text field has the keyboard: its cursor blinks in a colour that nothing else has.
    pub(crate) fn has_cursor(&self) -> bool {
        let cursor = rgb(egui::Visuals::dark().text_cursor.stroke.color);
        self.bytes.chunks_exact(3).any(|pixel| pixel == cursor)
    }

    /// Whether the row above the screens contains text in the colour of errors.
    pub(crate) fn warns_above(&self) -> bool {
        let bad = rgb(Theme::of(Appearance::Dark).bad);
        (0..self.width).flat_map(|x| (0..40).map(move |y| (x, y))).any(|(x, y)| self.at(x, y) == bad)
    }
}
