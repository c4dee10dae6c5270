//! The second process: takes requests from its standard input, and reports on its standard output.
//!
//! The thread that reads requests waits for nothing else. So the process ends as soon as its input does.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::time::Duration;

use rfd::FileDialog;

use super::platform::SessionBus;
use super::{DesktopReport, DesktopRequest, FileAsk, Purpose};

/// How long this process stays after the window has gone, at most.
const PATIENCE: Duration = Duration::from_secs(1);

/// Serves the window until `input` ends. Requests that cannot be read are passed over. `Err` if no thread can be
/// started.
pub fn serve(input: impl BufRead, mut output: impl Write + Send + 'static) -> std::io::Result<()> {
    let (reports, told) = channel::<DesktopReport>();
    let (requests, waiting) = channel::<DesktopRequest>();
    let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
    thread("reports").spawn(move || {
        while let Ok(report) = told.recv() {
            let Ok(line) = serde_json::to_string(&report) else { continue };
            // If the window has ended, the input has ended as well.
            let _ = writeln!(output, "{line}").and_then(|()| output.flush());
        }
    })?;
    let answers = reports.clone();
    let (ended, end) = channel::<()>();
    thread("bus").spawn(move || {
        let Some(mut bus) = SessionBus::open(&reports) else { return };
        while let Ok(request) = waiting.recv() {
            bus.carry_out(request);
        }
        bus.end();
        drop(ended);
    })?;
    for line in input.lines() {
        match serde_json::from_str(&line?) {
            Ok(DesktopRequest::Choose(number, ask)) => {
                let answers = answers.clone();
                thread("dialog").spawn(move || {
                    // If nobody listens any more, the window has ended.
                    let _ = answers.send(DesktopReport::Chosen(number, choose(ask)));
                })?;
            }
            // Without a session bus nobody takes requests.
            Ok(request) => drop(requests.send(request)),
            Err(_) => {}
        }
    }
    // The window has gone. What would stay is taken away, if the bus still answers.
    drop(requests);
    let _ = end.recv_timeout(PATIENCE);
    Ok(())
}

/// Shows the desktop's dialog, and waits for its answer.
fn choose(ask: FileAsk) -> Option<PathBuf> {
    let mut dialog = FileDialog::new().set_title(ask.title);
    for (kind, endings) in &ask.kinds {
        dialog = dialog.add_filter(kind, endings);
    }
    if let Some(folder) = ask.folder {
        dialog = dialog.set_directory(folder);
    }
    match ask.purpose {
        Purpose::Save => dialog.set_file_name(ask.name).save_file(),
        Purpose::Open => dialog.pick_file(),
    }
}
