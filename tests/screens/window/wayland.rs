//! The program under Wayland: a compositor that draws into memory, and keys from a virtual keyboard.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tabiya_store::settings::Settings;
use tempfile::TempDir;

use super::display::Guarded;
use super::program::signal;
use crate::child::{name, printed};
use crate::wait::{found_within, wait_for};

/// The user without rights, as whom the compositor runs if the tests run as root: it refuses to run as root.
const NOBODY: u32 = 65_534;

/// A compositor, and folders for its socket and for the program. The compositor ends before the folders go.
struct Compositor {
    _server: Guarded,
    socket: String,
    folder: TempDir,
}

impl Compositor {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        std::fs::create_dir(&run).unwrap();
        let config = folder.path().join("sway.conf");
        std::fs::write(&config, "output HEADLESS-1 mode 1280x800\nxwayland disable\n").unwrap();
        let root = nix::unistd::geteuid().is_root();
        if root {
            for path in [folder.path(), &run, &config] {
                std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
            }
        }
        let nobody = NOBODY.to_string();
        let as_nobody = ["setpriv", "--reuid", &nobody, "--regid", &nobody, "--clear-groups"];
        let under: &[&str] = if root { &as_nobody } else { &[] };
        let all = [under, &["sway", "-c", name(&config)]].concat();
        let server = Command::new(all[0])
            .args(&all[1..])
            .env("XDG_RUNTIME_DIR", &run)
            .env("HOME", folder.path())
            .envs([
                ("WLR_BACKENDS", "headless"),
                ("WLR_LIBINPUT_NO_DEVICES", "1"),
                ("WLR_RENDERER", "pixman"),
            ])
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(Guarded)
            .expect("sway starts: tests/run installs it");
        let mut compositor = Self { _server: server, socket: String::new(), folder };
        compositor.socket = wait_for("a compositor", || {
            compositor.find(|name| name.starts_with("wayland-") && !name.contains('.'))
        });
        compositor
    }

    fn run_folder(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    /// The first file in the folder of sockets whose name is the wanted one.
    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<String> {
        let files = std::fs::read_dir(self.run_folder()).ok()?;
        files.filter_map(|file| file.ok()?.file_name().into_string().ok()).find(|name| wanted(name))
    }

    /// A command that finds this compositor, and no other display.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env("XDG_RUNTIME_DIR", self.run_folder())
            .env("WAYLAND_DISPLAY", &self.socket)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .stdin(Stdio::null());
        command
    }

    /// Starts the program, and waits until its window is visible.
    fn open(&self, arguments: &[&str]) -> Guarded {
        let config = self.folder.path().join("config");
        Settings { sounds: false, ..Settings::default() }.save(&config.join("settings.json")).unwrap();
        std::fs::create_dir_all(self.data()).unwrap();
        let program = self
            .command(env!("CARGO_BIN_EXE_tabiya"))
            .args(arguments)
            .env("TABIYA_DATA", self.data())
            .env("TABIYA_CONFIG", config)
            .env("LC_ALL", "C")
            .spawn()
            .map(Guarded)
            .expect("the program starts");
        wait_for("a window", || self.window().filter(|window| window["visible"] == true));
        program
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// What the compositor knows of the program's window.
    fn window(&self) -> Option<Value> {
        fn find(node: &Value) -> Option<&Value> {
            if node["app_id"] == "org.tabiya.Tabiya" {
                return Some(node);
            }
            node["nodes"].as_array()?.iter().find_map(find)
        }
        let socket = self.run_folder().join(self.find(|name| name.starts_with("sway-ipc"))?);
        let asked = self.command("swaymsg").args(["-t", "get_tree"]).env("SWAYSOCK", socket).output();
        let tree: Value = serde_json::from_slice(&asked.ok()?.stdout).ok()?;
        find(&tree).cloned()
    }

    /// Presses keys. The keyboard comes and goes with them, so the first of them may be lost.
    fn press(&self, keys: &[&str]) {
        let pressed = self.command("wtype").args(keys).status();
        assert!(pressed.expect("tests/run installs wtype").success(), "wtype {keys:?}");
    }

    fn moves(&self) -> Option<usize> {
        let mut files = std::fs::read_dir(self.data()).ok()?.filter_map(|file| Some(file.ok()?.path()));
        let record = files.find(|path| path.extension().is_some_and(|ending| ending == "tabiya"))?;
        let text = printed(&["export", name(Path::new(&record)), "--format", "jsonl"], 0);
        Some(text.lines().skip(1).count())
    }
}

#[test]
fn a_move_is_played_under_wayland() {
    let compositor = Compositor::start();
    let mut program = compositor.open(&["play", "--game", "chess", "--time", "300", "--players", "Ann,Bo"]);
    let wait = ["-s", "400"];
    let typed = [&["-s", "800", "t"], &wait[..], &["e2e4"], &wait, &["-k", "Return"], &wait];
    let pressed = [&["-k", "Escape"][..], &wait, &["-k", "space"], &wait];
    wait_for("a move and a press", || {
        compositor.press(&typed.concat());
        compositor.press(&[&["-s", "800"], &pressed.concat()[..]].concat());
        found_within(Duration::from_secs(5), || compositor.moves().filter(|lines| *lines >= 2))
    });
    signal("TERM", program.0.id());
    assert_eq!(wait_for("the end", || program.0.try_wait().unwrap()).code(), Some(0));
    let kept = Settings::peek(&compositor.folder.path().join("config/settings.json")).window;
    let kept = kept.expect("the size is remembered");
    assert_eq!(kept.at, None, "Wayland tells no window where it stands");
}

#[test]
fn a_kiosk_fills_the_screen_under_wayland() {
    let compositor = Compositor::start();
    let mut program = compositor.open(&["--kiosk"]);
    let full = |window: &Value| window["fullscreen_mode"] == 1 && window["rect"]["width"] == 1280;
    wait_for("a full screen", || compositor.window().filter(full));
    signal("TERM", program.0.id());
    assert_eq!(wait_for("the end", || program.0.try_wait().unwrap()).code(), Some(0));
}
