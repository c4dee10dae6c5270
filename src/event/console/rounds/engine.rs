//! Who pairs a round: an engine as a command, a Berger table, a bracket, or the arbiter.
//!
//! Source: bbpPairings' command line, which JaVaFo's is, too: `ENGINE --dutch IN.trf -p OUT`.

use std::process::{Command, Stdio};

use crate::rounds::book::act::EventSystem;
use crate::rounds::book::{PairDraft, RoundBook};
use crate::rounds::pairs::{berger, bracket_seeds};
use crate::rounds::standings::{Edition, standings};

/// Why a round is not paired.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PairingFault {
    /// It cannot be paired so.
    #[error("{0}")]
    Refused(String),
    /// What was given, or the engine, cannot be used.
    #[error("{0}")]
    Unusable(String),
}

/// The engine of a Swiss event whose arbiter names none.
const USUAL: &str = "bbpPairings";

/// A paired round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairedRound {
    /// White's and Black's numbers, in the order of the boards.
    pub pairs: Vec<(u32, u32)>,
    /// Who has no opponent.
    pub bye: Option<u32>,
    /// Who paired, with the version.
    pub engine: String,
}

/// The pairs of the next round.
pub fn pair(book: &RoundBook, engine: Option<&str>, hand: Option<&str>) -> Result<PairedRound, PairingFault> {
    if let Some(hand) = hand {
        return by_hand(book, hand);
    }
    match (engine, book.plan().system) {
        (Some("berger"), _) | (None, EventSystem::RoundRobin) => by_berger(book),
        (Some("knock-out"), _) | (None, EventSystem::KnockOut) => by_bracket(book),
        (Some(command), _) => by_engine(book, command),
        (None, EventSystem::Swiss) => by_engine(book, USUAL),
    }
}

fn refused(why: impl Into<String>) -> PairingFault {
    PairingFault::Refused(why.into())
}

fn unusable(why: impl Into<String>) -> PairingFault {
    PairingFault::Unusable(why.into())
}

fn by_hand(book: &RoundBook, text: &str) -> Result<PairedRound, PairingFault> {
    let pair = |pair: &str| {
        let (white, black) = pair.trim().split_once('-')?;
        Some((white.trim().parse().ok()?, black.trim().parse().ok()?))
    };
    let pairs: Option<Vec<(u32, u32)>> = text.split(',').map(pair).collect();
    let pairs = pairs.ok_or_else(|| {
        unusable(format!("--hand {text}: write White's and Black's numbers for each board: 4-1,2-7"))
    })?;
    let paired = |number: u32| pairs.iter().any(|(white, black)| *white == number || *black == number);
    let next = book.paired();
    let present = book
        .players()
        .iter()
        .filter(|player| player.rounds.get(next).is_none_or(|columns| columns.result.is_none()));
    let rest: Vec<u32> = present.map(|player| player.number).filter(|number| !paired(*number)).collect();
    match rest.as_slice() {
        [] => Ok(PairedRound { pairs, bye: None, engine: "hand".to_owned() }),
        [one] => Ok(PairedRound { pairs, bye: Some(*one), engine: "hand".to_owned() }),
        [first, ..] => Err(refused(format!(
            "{} players have no opponent, the first of them {first}; pair them, or give them byes",
            rest.len()
        ))),
    }
}

/// How many pairs differ from those of whoever pairs this event otherwise; `None` if that is nobody here.
pub fn differing(book: &RoundBook, paired: &PairedRound) -> Option<usize> {
    let usual = pair(book, None, None).ok()?;
    Some(paired.pairs.iter().filter(|pair| !usual.pairs.contains(pair)).count())
}

fn by_berger(book: &RoundBook) -> Result<PairedRound, PairingFault> {
    let numbers: Vec<u32> = book.players().iter().map(|player| player.number).collect();
    let rounds = berger(numbers.len(), true);
    let round = rounds.get(book.paired()).ok_or_else(|| {
        refused(format!("{} players have met twice after {} rounds", numbers.len(), rounds.len()))
    })?;
    let number =
        |place: usize| place.checked_sub(1).and_then(|place| numbers.get(place)).copied().unwrap_or(0);
    let pairs = round.pairs.iter().map(|(white, black)| (number(*white), number(*black))).collect();
    Ok(PairedRound { pairs, bye: round.bye.map(number), engine: "berger".to_owned() })
}

/// The next round of a bracket: the first by seeds, each later one by who won beside whom.
fn by_bracket(book: &RoundBook) -> Result<PairedRound, PairingFault> {
    let engine = "knock-out".to_owned();
    let round = book.paired();
    let numbers: Vec<u32> = book.players().iter().map(|player| player.number).collect();
    let places = numbers.len().next_power_of_two();
    let seed = |seed: usize| seed.checked_sub(1).and_then(|place| numbers.get(place)).copied();
    // Who is still in, in the order of the bracket.
    let mut alive: Vec<Option<u32>> = bracket_seeds(places).into_iter().map(seed).collect();
    for played in 1..=round {
        let next = alive.chunks(2).map(|pair| winner(book, played, pair)).collect::<Result<_, _>>()?;
        alive = next;
    }
    if alive.len() < 2 {
        return Err(refused("the final has been played: nobody is left to be paired"));
    }
    let pairs = alive.chunks(2).filter_map(|pair| match pair {
        [Some(one), Some(other)] => Some((*one, *other)),
        _ => None,
    });
    Ok(PairedRound { pairs: pairs.collect(), bye: None, engine })
}

/// Who goes on from a match of a bracket.
fn winner(book: &RoundBook, round: usize, pair: &[Option<u32>]) -> Result<Option<u32>, PairingFault> {
    let (Some(Some(one)), Some(Some(other))) = (pair.first(), pair.get(1)) else {
        return Ok(pair.iter().copied().flatten().next());
    };
    let points = |number: u32| {
        let table = book.crosstable();
        let player = table.players.iter().find(|player| player.number == number).cloned();
        player.map(|player| table.scoring.of(player.round(round).result)).unwrap_or_default()
    };
    let board = book.boards(round).iter().find(|board| [board.white, board.black].contains(one));
    let chips = |number: u32| {
        let board = board.and_then(|board| board.chips.map(|chips| (board.white, chips)));
        board.map_or(0, |(white, chips)| if white == number { chips.0 } else { chips.1 })
    };
    match (points(*one), chips(*one)).cmp(&(points(*other), chips(*other))) {
        std::cmp::Ordering::Greater => Ok(Some(*one)),
        std::cmp::Ordering::Less => Ok(Some(*other)),
        std::cmp::Ordering::Equal => Err(refused(format!(
            "round {round}: the match of {one} and {other} is level; play one more game, and enter who goes on"
        ))),
    }
}

/// Asks an engine. It gets the tournament as a file, with 1, ½, 0 for results.
fn by_engine(book: &RoundBook, command: &str) -> Result<PairedRound, PairingFault> {
    let failed = |why: String| unusable(format!("{command}: {why}"));
    let folder = tempfile::tempdir().map_err(|error| failed(format!("no folder for its files: {error}")))?;
    let (input, output) = (folder.path().join("in.trf"), folder.path().join("out.txt"));
    let file = book.file().map_err(|fault| failed(fault.to_string()))?;
    let bytes = file.to_bytes().map_err(|fault| failed(fault.to_string()))?;
    std::fs::write(&input, bytes).map_err(|error| failed(error.to_string()))?;
    let ran = Command::new(command)
        .arg("--dutch")
        .arg(&input)
        .arg("-p")
        .arg(&output)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            failed(format!("this engine cannot be started: {error}; install it, or pair with --hand"))
        })?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        let first = said.lines().next().unwrap_or("it says nothing").to_owned();
        return Err(refused(format!(
            "{command} cannot pair round {}: {}",
            book.paired() + 1,
            tabiya_types::harmless(&first)
        )));
    }
    let text =
        std::fs::read_to_string(&output).map_err(|error| failed(format!("it wrote no pairs: {error}")))?;
    let PairDraft { pairs, bye } =
        read_pairs(&text).ok_or_else(|| failed("its pairs cannot be read".to_owned()))?;
    Ok(PairedRound { pairs: in_order(book, pairs), bye, engine: version(command) })
}

/// An engine's answer: the number of pairs, then White and Black in a line each; 0 is nobody.
fn read_pairs(text: &str) -> Option<PairDraft> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let count: usize = lines.next()?.parse().ok()?;
    let mut pairs = Vec::new();
    let mut bye = None;
    for line in lines.by_ref().take(count) {
        let (white, black) = line.split_once(char::is_whitespace)?;
        match (white.parse().ok()?, black.trim().parse().ok()?) {
            (player, 0) | (0, player) => bye = Some(player),
            pair => pairs.push(pair),
        }
    }
    (pairs.len() + usize::from(bye.is_some()) == count).then_some(PairDraft { pairs, bye })
}

/// Boards in the order of their stronger player, then of the weaker one, by the standings so far.
fn in_order(book: &RoundBook, mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let table = book.crosstable();
    let order = standings(&table, &[], Edition::default());
    let place = |number: u32| {
        let of = |player: usize| table.players.get(player).is_some_and(|player| player.number == number);
        order.iter().position(|standing| of(standing.player)).unwrap_or(usize::MAX)
    };
    pairs.sort_by_key(|(white, black)| {
        let (one, other) = (place(*white), place(*black));
        (one.min(other), one.max(other))
    });
    pairs
}

/// The engine's name and version. Engines before bbpPairings 6 pair by the rules of 2017.
fn version(command: &str) -> String {
    let name = std::path::Path::new(command).file_stem().and_then(|name| name.to_str()).unwrap_or(command);
    let asked = Command::new(command).arg("-r").stdin(Stdio::null()).output();
    let said = asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let is_version = |word: &&str| {
        let digits = word.trim_start_matches('v');
        digits.contains('.') && digits.split('.').all(|part| part.parse::<u32>().is_ok())
    };
    let found =
        said.split(|letter: char| letter.is_whitespace() || letter == '"').find(|word| is_version(word));
    match found.map(|word| word.trim_start_matches('v')) {
        Some(version) => {
            let major: u32 = version.split('.').next().and_then(|part| part.parse().ok()).unwrap_or(0);
            let old = name == USUAL && major < 6;
            format!("{name} {version}{}", if old { " (rules of 2017)" } else { "" })
        }
        None if name.to_lowercase().contains("javafo") => format!("{name} (rules of 2017)"),
        None => format!("{name} (version unknown)"),
    }
}
