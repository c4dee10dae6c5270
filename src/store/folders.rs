//! The folders of this user's files: one for records, decks and keys, one for settings and notes on boards.

use std::path::{Path, PathBuf};

use directories::{ProjectDirs, UserDirs};

/// The environment variable that names the folder for records; tests and portable installations set it.
const DATA: &str = "TABIYA_DATA";
/// The environment variable that names the folder for settings.
const CONFIG: &str = "TABIYA_CONFIG";

/// The name of the settings' file in the folder for settings.
pub const SETTINGS: &str = "settings.json";
/// The name of the file with notes on boards, beside it.
pub const BOARD_NOTES: &str = "boards.json";

/// There is no home folder, and the environment variable that could name another folder is not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no home folder for Tabiya's files; set the environment variable {0} to a folder")]
pub struct NoFolder(&'static str);

/// The folder for records, decks and keys.
pub fn data() -> Result<PathBuf, NoFolder> {
    folder(DATA, ProjectDirs::data_dir)
}

/// The folder for settings and notes on boards.
pub fn config() -> Result<PathBuf, NoFolder> {
    folder(CONFIG, ProjectDirs::config_dir)
}

/// The folder for exported files: `Tabiya` in the user's documents. `None` if there is no such folder, or if the records
/// have a folder of their own; exports then go beside the records.
pub fn documents() -> Option<PathBuf> {
    if std::env::var_os(DATA).is_some_and(|path| !path.is_empty()) {
        return None;
    }
    UserDirs::new()?.document_dir().map(|folder| folder.join("Tabiya"))
}

/// The folder that the environment variable `name` contains; if the variable is not set, this user's usual folder.
fn folder(name: &'static str, usual: fn(&ProjectDirs) -> &Path) -> Result<PathBuf, NoFolder> {
    let own = std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let dirs = || ProjectDirs::from("", "", "tabiya").map(|dirs| usual(&dirs).to_owned());
    own.or_else(dirs).ok_or(NoFolder(name))
}
