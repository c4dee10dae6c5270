//! The Rust files of a folder, for the tests that read sources.

use std::fs;
use std::path::{Path, PathBuf};

/// Adds the Rust files below this folder, except those that a build has made.
pub(crate) fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
