//! Labelled games from captures of a board's bytes whose moves are known from a PGN.
//!
//! The tracker reads each capture. If it reads the moves of the PGN, the times of their presses are known, too. If it
//! reads something else, the capture teaches nothing, and the program says where it went wrong.

use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::shakmaty::{CastlingMode, Chess, Position};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use tabiya_boards::BoardEvent;
use tabiya_boards::capture::{Capture, Direction};
use tabiya_boards::driver::Connection;
use tabiya_boards::link::Carrier;
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::USUAL;
use tabiya_boards::notes::Notes;
use tabiya_engine::record::Header;
use tabiya_engine::rules::{GAMES, PlayAction};
use tabiya_engine::sense::Watch;
use tabiya_engine::sense::counting::{LabelledGame, LabelledTurn};
use tabiya_engine::table::{Body, Common, Input};
use tabiya_types::{Instant, Millis, Observation};

/// The games of these captures. Each capture must contain the first game of the PGN.
pub(crate) fn labelled(pgn: &Path, captures: &[String]) -> Result<Vec<LabelledGame>, String> {
    let text = std::fs::read(pgn).map_err(|error| format!("{}: {error}", pgn.display()))?;
    let moves = Reader::new(text.as_slice())
        .read_game(&mut Moves)
        .map_err(|error| format!("{}: {error}", pgn.display()))?
        .ok_or_else(|| format!("{}: there is no game in it", pgn.display()))??;
    captures.iter().map(|capture| label(Path::new(capture), &moves)).collect()
}

/// The moves of a game, in UCI notation.
struct Moves;

impl Visitor for Moves {
    type Tags = ();
    type Movetext = (Chess, Vec<String>);
    type Output = Result<Vec<String>, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], _: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            return ControlFlow::Break(Err("a game from a set-up position cannot be counted".to_owned()));
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((Chess::default(), Vec::new()))
    }

    fn san(&mut self, (position, moves): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(position) {
            Ok(legal) => {
                moves.push(legal.to_uci(CastlingMode::Standard).to_string());
                position.play_unchecked(legal);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(format!("move {} ({san}): {error}", moves.len() + 1))),
        }
    }

    fn end_game(&mut self, (_, moves): Self::Movetext) -> Self::Output {
        Ok(moves)
    }
}

/// What the board of a capture reported.
fn reports(capture: &Path) -> Result<Vec<(Instant, Observation)>, String> {
    let read = Capture::read(capture).map_err(|error| error.to_string())?;
    let prefix = read.header.as_ref().map(|header| header.capture.clone());
    let maker = match prefix {
        None => USUAL,
        Some(prefix) => Maker::from_prefix(&prefix)
            .ok_or_else(|| format!("{}: `{prefix}` is no kind of board", capture.display()))?,
    };
    let connection = Connection {
        brand: maker.brand(),
        carrier: Carrier::Stream,
        unit: None,
        notes: &Notes::NONE,
        passive: true,
    };
    let mut driver = (maker.entry().driver)(&connection, Instant::ZERO);
    let mut reports = Vec::new();
    for chunk in read.chunks.iter().filter(|chunk| chunk.direction == Direction::FromDevice) {
        driver.on_bytes(&chunk.bytes, chunk.at);
        while let Some(event) = driver.next_event() {
            if let BoardEvent::Observed(observation) = event {
                reports.push((chunk.at, observation));
            }
        }
    }
    Ok(reports)
}

fn label(capture: &Path, moves: &[String]) -> Result<LabelledGame, String> {
    let reports = reports(capture)?;
    let auto = !reports.iter().any(|(_, report)| matches!(report, Observation::Press(_)));
    let press = if auto { "auto" } else { "clock" };
    let header = format!(
        r#"{{"tabiya":1,"game":"chess","players":{{"A":"A","B":"B"}},"white":"A","terms":{{"press":"{press}"}}}}"#
    );
    let header = Header::parse(&header, GAMES).map_err(|error| error.to_string())?;
    let mut watch = Watch::new(header.agreement);
    watch.expect_board();
    let mut position = watch.table().probe();
    for (at, report) in &reports {
        watch.observe(report, *at);
    }
    let end = reports.last().map_or(Instant::ZERO, |(at, _)| *at + Millis(10_000));
    watch.finish(end);
    let mut understood: Vec<(String, Instant, bool)> = Vec::new();
    for line in watch.take_lines() {
        let at = line.when.unwrap_or(line.t);
        match &line.body {
            Body::Acted(Input::Common(Common::Undo { .. })) => drop(understood.pop()),
            Body::Acted(Input::Common(Common::Press(_))) => {
                understood.last_mut().into_iter().for_each(|last| last.2 = last.1 == at);
            }
            Body::Acted(Input::Game(tabiya_engine::rules::Action::Play(PlayAction::Move {
                uci, ..
            }))) => {
                understood.push((uci.to_string(), at, false));
            }
            _ => {}
        }
    }
    let mut turns: Vec<LabelledTurn> = Vec::new();
    for (nth, played) in moves.iter().enumerate() {
        let read = understood.get(nth).filter(|(uci, ..)| uci == played);
        let Some((_, at, pressed)) = read else {
            let read = understood.get(nth).map_or("nothing", |(uci, ..)| uci);
            let what = format!("half-move {} was {played}, but the tracker reads {read}", nth + 1);
            return Err(format!("{}: {what}", capture.display()));
        };
        let candidates = position.candidates();
        let is_played = |action: &tabiya_engine::rules::Action| matches!(action, tabiya_engine::rules::Action::Play(PlayAction::Move { uci, .. }) if uci.to_string() == *played);
        let chosen = candidates.iter().find(|one| is_played(&one.action));
        let chosen = chosen.ok_or_else(|| format!("half-move {}: {played} is not legal", nth + 1))?;
        turns.push(LabelledTurn {
            before: position.physical(),
            after: chosen.after,
            by: position.mover().ok_or("the game is over before its last move")?,
            begins: turns.last().and_then(|last: &LabelledTurn| last.pressed).unwrap_or(Instant::ZERO),
            pressed: pressed.then_some(*at),
            possible: candidates.iter().map(|one| one.after).collect(),
        });
        position = position.after_turn(&chosen.action).ok_or("the move is refused")?;
    }
    Ok(LabelledGame { reports, turns, auto })
}
