//! A display of its own: a server that draws into memory, a window manager, and what it shows as pixels.
//!
//! Pixels say where something is to be clicked, and are kept as pictures for people; what happened is
//! read from the record.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tabiya_app::store::settings::{Appearance, BoardColors};
use tabiya_window::theme::Theme;

use crate::wait::{found_within, wait_for};

/// A process that ends with whoever started it.
pub(crate) struct Guarded(pub(crate) Child);

impl Guarded {
    /// Whether it ends within a moment of being asked to.
    fn ends_when_asked(&mut self) -> bool {
        let asked = Command::new("kill").arg(self.0.id().to_string()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
            && found_within(Duration::from_secs(2), || self.0.try_wait().ok().flatten()).is_some()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // A server that is asked takes its lock and its socket with it.
        if !matches!(self.0.try_wait(), Ok(Some(_))) && !self.ends_when_asked() {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}

/// An X server without a screen, with a window manager. Fields end in this order.
pub(crate) struct Display {
    name: String,
    _manager: Guarded,
    _server: Guarded,
}

impl Display {
    pub(crate) fn start() -> Self {
        let mut server = Command::new("Xvfb")
            // Without `-noreset` the first tool that leaves would take the others' connections along.
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
        // The manager names itself on the root window once it can give focus.
        wait_for("a window manager", || {
            display.run("xprop", &["-root", "_NET_SUPPORTING_WM_CHECK"]).filter(|text| text.contains('#'))
        });
        display
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What a tool prints on this display; nothing if it fails.
    fn run(&self, tool: &str, arguments: &[&str]) -> Option<String> {
        self.bytes(tool, arguments).map(|out| String::from_utf8_lossy(&out).into_owned())
    }

    fn bytes(&self, tool: &str, arguments: &[&str]) -> Option<Vec<u8>> {
        let done = Command::new(tool).args(arguments).env("DISPLAY", &self.name).output();
        let done = done.unwrap_or_else(|error| panic!("{tool}: {error}; tests/run installs it"));
        done.status.success().then_some(done.stdout)
    }

    /// Gives an order to mouse, keyboard or windows.
    #[track_caller]
    pub(crate) fn xdotool(&self, arguments: &[&str]) -> String {
        self.run("xdotool", arguments).unwrap_or_else(|| panic!("xdotool {arguments:?} failed"))
    }

    /// Waits for the program's window to be shown and to have the keyboard; its number.
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

    /// The number of another window of the program, once it is shown.
    pub(crate) fn window_named(&self, name: &str) -> String {
        wait_for(name, || {
            let found = self.run("xdotool", &["search", "--onlyvisible", "--name", name])?;
            found.lines().last().map(str::to_owned)
        })
    }

    /// Keeps what a window shows as a picture.
    pub(crate) fn keep(&self, window: &str, path: &Path) {
        assert!(self.try_keep(window, path), "a picture is taken");
    }

    /// The same, where the window may be gone.
    pub(crate) fn try_keep(&self, window: &str, path: &Path) -> bool {
        self.bytes("import", &["-window", window, path.to_str().unwrap()]).is_some()
    }

    /// What a window shows.
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

/// Where pictures are kept.
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

    /// The corner that neither a piece nor a letter reaches.
    pub(crate) fn corner(&self) -> (usize, usize) {
        (self.left + self.width - 3, self.top + 3)
    }

    /// A square of this board, White below.
    pub(crate) fn square(&self, square: &str) -> Self {
        let [file, rank] = square.as_bytes() else { panic!("{square} is no square") };
        let (file, rank) = (usize::from(file - b'a'), usize::from(b'8' - rank));
        let (width, height) = (self.width / 8, self.height / 8);
        Self { left: self.left + file * width, top: self.top + rank * height, width, height }
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

    /// The board: the rows and columns in which half of the window's height has the squares' colours.
    pub(crate) fn board(&self) -> Option<Area> {
        let squares = Theme::of(Appearance::Dark).squares(BoardColors::Brown).map(rgb);
        let is = |x: usize, y: usize| squares.iter().any(|square| square == self.at(x, y));
        let half = self.height / 2;
        let row = |y: usize| (0..self.width).filter(|x| is(*x, y)).count() > half;
        let column = |x: usize| (0..self.height).filter(|y| is(x, *y)).count() > half;
        let (top, bottom) = ((0..self.height).find(|y| row(*y))?, (0..self.height).rfind(|y| row(*y))?);
        let (left, right) = ((0..self.width).find(|x| column(*x))?, (0..self.width).rfind(|x| column(*x))?);
        Some(Area { left, top, width: right + 1 - left, height: bottom + 1 - top })
    }

    /// The buttons that are to be pressed first, and whatever else is filled with the accent: from the
    /// left to the right.
    pub(crate) fn accents(&self) -> Vec<Area> {
        let accent = rgb(Theme::of(Appearance::Dark).accent);
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

    /// All that hangs together with a pixel.
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

    /// Whether a field has the keyboard: its cursor blinks in a colour that nothing else has.
    pub(crate) fn has_cursor(&self) -> bool {
        let cursor = rgb(egui::Visuals::dark().text_cursor.stroke.color);
        self.bytes.chunks_exact(3).any(|pixel| pixel == cursor)
    }

    /// Whether the row above the screens has a word in the colour of what is wrong.
    pub(crate) fn warns_above(&self) -> bool {
        let bad = rgb(Theme::of(Appearance::Dark).bad);
        (0..self.width).flat_map(|x| (0..40).map(move |y| (x, y))).any(|(x, y)| self.at(x, y) == bad)
    }
}
