//! `tabiya desktop`: adds the program to the desktop's menu, with its icon, or removes it; and the process that talks to
//! the desktop for the window.

use std::path::{Path, PathBuf};
use std::process::Command as Program;

use tabiya_store::disk::write_whole;

use super::output::{ExitFailure, print_line, unusable};

/// The program's id in the desktop's menu, in reverse domain notation.
const ID: &str = "org.tabiya.Tabiya";
const ENTRY: &str = include_str!("../ui/assets/desktop/org.tabiya.Tabiya.desktop");
const METAINFO: &str = include_str!("../ui/assets/desktop/org.tabiya.Tabiya.metainfo.xml");
const ICON: &str = include_str!("../ui/assets/tabiya.svg");

/// Arguments of `tabiya desktop`.
#[derive(Debug, clap::Args)]
pub(super) struct DesktopArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Add Tabiya to this user's menu, with its icon.
    Install {
        /// Install into this folder instead of the user's own; for packagers: /usr/share.
        #[arg(long, value_name = "FOLDER")]
        share: Option<PathBuf>,
        /// The command that the menu starts; by default this program's path.
        #[arg(long, value_name = "COMMAND")]
        exec: Option<String>,
    },
    /// Remove Tabiya from the menu.
    Remove {
        /// The folder that was named with `install --share`.
        #[arg(long, value_name = "FOLDER")]
        share: Option<PathBuf>,
    },
    /// Talk to the desktop for a window. The window starts this itself.
    #[command(hide = true)]
    Serve,
}

pub(super) fn run(arguments: DesktopArguments) -> Result<(), ExitFailure> {
    match arguments.command {
        Command::Install { share, exec } => install(&folder(share)?, exec),
        Command::Remove { share } => remove(&folder(share)?),
        Command::Serve => serve(),
    }
}

/// The command that starts the process for the desktop; `None` if the path of this program is not known.
pub(super) fn command() -> Option<Program> {
    let mut program = Program::new(std::env::current_exe().ok()?);
    program.args(["desktop", "serve"]);
    Some(program)
}

fn serve() -> Result<(), ExitFailure> {
    crate::platform::may_be_looked_at();
    tabiya_window::desktop::serve(std::io::stdin().lock(), std::io::stdout()).map_err(unusable)
}

fn folder(share: Option<PathBuf>) -> Result<PathBuf, ExitFailure> {
    share.or_else(|| directories::BaseDirs::new().map(|dirs| dirs.data_dir().to_owned())).ok_or_else(|| {
        ExitFailure::unusable("there is no home folder; name a folder with --share, for example /usr/share")
    })
}

/// Returns the three files to install: each one's path below the folder, and its text.
fn files(exec: &str) -> [(String, String); 3] {
    let entry = ENTRY.replace("\nExec=tabiya\n", &format!("\nExec={exec}\n"));
    [
        (format!("applications/{ID}.desktop"), entry),
        (format!("metainfo/{ID}.metainfo.xml"), METAINFO.to_owned()),
        (format!("icons/hicolor/scalable/apps/{ID}.svg"), ICON.to_owned()),
    ]
}

fn install(share: &Path, exec: Option<String>) -> Result<(), ExitFailure> {
    let exec = match exec {
        Some(exec) => exec,
        None => quoted(&std::env::current_exe().map_err(|error| {
            ExitFailure::unusable(format!(
                "the path of this program is not known: {error}; name the program with --exec"
            ))
        })?),
    };
    crate::platform::let_all_read();
    for (name, text) in files(&exec) {
        let path = share.join(name);
        let written =
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| write_whole(&path, &text));
        written.map_err(|error| {
            ExitFailure::unusable(format!("{}: cannot be written: {error}", tabiya_types::shown(&path)))
        })?;
        print_line(&format!("written: {}", tabiya_types::shown(&path)))?;
    }
    Ok(())
}

fn remove(share: &Path) -> Result<(), ExitFailure> {
    for (name, _) in files("tabiya") {
        let path = share.join(name);
        match std::fs::remove_file(&path) {
            Ok(()) => print_line(&format!("removed: {}", tabiya_types::shown(&path)))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(ExitFailure::unusable(format!(
                    "{}: cannot be removed: {error}",
                    tabiya_types::shown(&path)
                )));
            }
        }
    }
    Ok(())
}

/// Quotes a path for the `Exec` key (Desktop Entry Specification): doubles percent signs, and adds double quotes if
/// needed.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy().replace('%', "%%");
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+%".contains(letter);
    if text.chars().all(plain) {
        return text;
    }
    // Escapes twice: once for the command line, once for the string values of the desktop file.
    let escaped: String = text
        .chars()
        .map(|letter| match letter {
            '\\' => r"\\\\".to_owned(),
            '"' | '`' | '$' => format!(r"\\{letter}"),
            _ => letter.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_spaces_is_quoted_and_a_plain_one_is_not() {
        assert_eq!(quoted(Path::new("/usr/bin/tabiya")), "/usr/bin/tabiya");
        assert_eq!(quoted(Path::new("/home/a b/tabiya")), "\"/home/a b/tabiya\"");
        assert_eq!(quoted(Path::new("/a$b/t%a")), r#""/a\\$b/t%%a""#);
        assert_eq!(quoted(Path::new(r"/a\b")), r#""/a\\\\b""#);
    }

    #[test]
    fn what_is_installed_is_removed_again() {
        let folder = tempfile::tempdir().expect("a folder");
        install(folder.path(), Some("tabiya".to_owned())).expect("written");
        let entry = folder.path().join("applications/org.tabiya.Tabiya.desktop");
        assert!(std::fs::read_to_string(&entry).is_ok_and(|text| text.contains("Exec=tabiya\n")));
        remove(folder.path()).expect("removed");
        assert!(!entry.exists());
    }
}
