//! Matches that run by themselves in simulated time: the replay of a capture file, and an evening of simulated players.

use tabiya_app::robots::{MatchSimulation, SimulatedMatch};
use tabiya_app::view::addressed;
use tabiya_app::{Announcement, Session};
use tabiya_boards::capture::Capture;
use tabiya_boards::human::Profile;
use tabiya_boards::maker::Maker;
use tabiya_text::Words;
use tabiya_types::Instant;

use super::{FileCapture, PlayArguments, USUAL_SEED};
use crate::cli::output::{ExitFailure, print_line};

/// Plays a capture file as fast as the machine allows. The session sees the recorded times.
pub(super) fn from_capture(
    mut session: Session,
    capture: &Capture,
    words: &Words,
) -> Result<Session, ExitFailure> {
    let mut end = Instant::ZERO;
    for (at, event) in capture.play() {
        session.pass(at);
        session.board(&event, at);
        end = at;
        say(&mut session, words)?;
    }
    let last = capture.chunks.last().map_or(end, |chunk| chunk.at);
    session.pass(last);
    for violation in session.finish(last) {
        print_line(&words.said(&violation.sentence()))?;
    }
    say(&mut session, words)?;
    Ok(session)
}

/// Plays an evening of simulated players on a simulated board of this maker.
pub(super) fn simulated(
    arguments: &PlayArguments,
    maker: Maker,
    session: Session,
    profile: &Profile,
    capture: Option<FileCapture>,
) -> Result<Session, ExitFailure> {
    let (seed, plies) = (arguments.seed.unwrap_or(USUAL_SEED), arguments.plies);
    let setup = SimulatedMatch { maker, unplug_at: Vec::new(), profile: *profile, seed, plies };
    let (mut failed, words) = (None, arguments.language.words());
    let unknown = || ExitFailure::unusable(format!("no board of {} can be simulated", maker.name()));
    let session = MatchSimulation::new(session, &setup, capture)
        .ok_or_else(unknown)?
        .run(&mut |announcement| {
            failed = failed.take().or_else(|| print_line(&spoken(announcement, &words)).err());
        })
        .map_err(|fault| ExitFailure::refused(fault.sentence().to_string()))?;
    failed.map_or(Ok(session), Err)
}

fn say(session: &mut Session, words: &Words) -> Result<(), ExitFailure> {
    for announcement in session.take_said() {
        print_line(&spoken(&announcement, words))?;
    }
    Ok(())
}

fn spoken(announcement: &Announcement, words: &Words) -> String {
    addressed(announcement.to, &words.said(&announcement.text), words)
}
