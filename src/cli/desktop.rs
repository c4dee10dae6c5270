//! `tabiya desktop`: puts the program into the desktop's menu, with its icon, and takes it out again.

use std::path::{Path, PathBuf};

use tabiya_app::store::files::write_whole;

use super::{ExitFailure, tell};

/// The program's name among desktop programs.
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
    /// Put Tabiya into this user's menu, with its icon.
    Install {
        /// Another folder than the user's own, for packagers: /usr/share.
        #[arg(long, value_name = "FOLDER")]
        share: Option<PathBuf>,
        /// What the menu starts; without it this very program.
        #[arg(long, value_name = "COMMAND")]
        exec: Option<String>,
    },
    /// Take it out again.
    Remove {
        /// The folder that was given to `install`.
        #[arg(long, value_name = "FOLDER")]
        share: Option<PathBuf>,
    },
}

pub(super) fn run(arguments: DesktopArguments) -> Result<(), ExitFailure> {
    match arguments.command {
        Command::Install { share, exec } => install(&folder(share)?, exec),
        Command::Remove { share } => remove(&folder(share)?),
    }
}

fn folder(share: Option<PathBuf>) -> Result<PathBuf, ExitFailure> {
    share.or_else(|| directories::BaseDirs::new().map(|dirs| dirs.data_dir().to_owned())).ok_or_else(|| {
        ExitFailure::unusable("there is no home folder; name one with --share, for example /usr/share")
    })
}

/// The three files, each with its place below the folder.
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
                "this program's own place is not known: {error}; name it with --exec"
            ))
        })?),
    };
    for (name, text) in files(&exec) {
        let path = share.join(name);
        let written =
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| write_whole(&path, &text));
        written.map_err(|error| {
            ExitFailure::unusable(format!("{}: cannot be written: {error}", path.display()))
        })?;
        tell(&format!("written: {}", path.display()))?;
    }
    Ok(())
}

fn remove(share: &Path) -> Result<(), ExitFailure> {
    for (name, _) in files("tabiya") {
        let path = share.join(name);
        match std::fs::remove_file(&path) {
            Ok(()) => tell(&format!("removed: {}", path.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(ExitFailure::unusable(format!("{}: cannot be removed: {error}", path.display())));
            }
        }
    }
    Ok(())
}

/// A path as the Desktop Entry Specification quotes it: in double quotes where it has to be, a percent
/// sign doubled.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy().replace('%', "%%");
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+%".contains(letter);
    if text.chars().all(plain) {
        return text;
    }
    // The file's own escapes come on top of those of the command line.
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
