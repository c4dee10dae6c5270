//! Where this user's files lie: records, settings, what is known of boards.

use std::path::{Path, PathBuf};

use directories::ProjectDirs;

/// The folder for records instead of the system's own; tests and portable installations set it.
const DATA: &str = "TABIYA_DATA";
/// The folder for settings, likewise.
const CONFIG: &str = "TABIYA_CONFIG";

/// There is no place for files.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no home folder to keep files in; name one in {0}")]
pub struct NoFolder(&'static str);

/// The folder for records.
pub fn data() -> Result<PathBuf, NoFolder> {
    folder(DATA, ProjectDirs::data_dir)
}

/// The folder for settings.
pub fn config() -> Result<PathBuf, NoFolder> {
    folder(CONFIG, ProjectDirs::config_dir)
}

/// A folder of this user's, where it is not named otherwise.
fn folder(name: &'static str, usual: fn(&ProjectDirs) -> &Path) -> Result<PathBuf, NoFolder> {
    let own = std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let dirs = || ProjectDirs::from("", "", "tabiya").map(|dirs| usual(&dirs).to_owned());
    own.or_else(dirs).ok_or(NoFolder(name))
}
