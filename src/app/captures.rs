//! Opens the file into which a table writes the bytes of its devices.

use std::fs;
use std::path::Path;

use tabiya_boards::capture::{CaptureHeader, CaptureWriter};

/// Opens a capture file; new bytes are appended. The error is a sentence.
pub fn capture_file(path: &Path, header: &CaptureHeader) -> Result<CaptureWriter<fs::File>, String> {
    let cannot = |why: &dyn std::fmt::Display| {
        format!("{}: the capture file cannot be written{why}", tabiya_types::shown(path))
    };
    // The content of an existing file is read first. Reading a device might never end, so a device is refused.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(cannot(&" here: choose an ordinary file"));
    }
    CaptureWriter::append(path, header).map_err(|error| cannot(&format_args!(": {error}")))
}
