//! The console in a window.

use std::path::PathBuf;

use tabiya_app::hall::link;
use tabiya_event::console::{Console, ConsoleDesk, ConsoleNews};
use tabiya_window::{AskForFrame, HallOpening};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::cli::output::ExitFailure;
use crate::cli::surroundings::settings;

/// Shows the console in a window until it is closed, and returns the console. `kept` is the file that keeps how the desk was.
pub(super) fn run(
    console: Console,
    news: UnboundedReceiver<ConsoleNews>,
    arbiter: &str,
    kept: Option<PathBuf>,
) -> Result<Console, ExitFailure> {
    super::phones::listen_beside(console.phone_desk(), arbiter.to_owned());
    let desk = ConsoleDesk::new(console, arbiter);
    let (tell, ended) = std::sync::mpsc::channel();
    let begin = move |repaint: AskForFrame| {
        let (shown, end) = link(repaint);
        let run = move || {
            // Nobody waits for the console if the window could not be opened.
            let _ = tell.send(desk.run(&end, news));
        };
        std::thread::Builder::new().name("desk".to_owned()).spawn(run)?;
        Ok(shown)
    };
    let desktop = crate::cli::desktop::command();
    let opening = HallOpening { settings: settings(), begin: Box::new(begin), desktop, kept };
    tabiya_window::open_hall(opening).map_err(ExitFailure::unusable)?;
    ended.recv().map_err(|_| ExitFailure::unusable("the desk of the console has ended unexpectedly; start `tabiya event` again, the tables have gone on"))
}
