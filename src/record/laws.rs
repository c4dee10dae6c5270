//! Properties that must hold for any input bytes. Ordinary tests and the fuzz targets call the same functions.
//! Each function panics with the differing values if a property is violated.
//!
//! Source: `docs/record.md`, "What a line may be", and rules 1 and 2 of "How lines act".
#![expect(clippy::missing_panics_doc, reason = "panicking is what a law is for")]

use serde_json::Value;
use tabiya_types::{Color, Instant, Millis, Observation, Piece, Role, Square};

use super::card_file::{CardFile, CardFileForm};
use super::header::Header;
use super::json;
use super::replay::{Replay, Stop};
use super::text::{Body, Line};
use crate::rules::GAMES;
use crate::rules::chess_joker::CardEffect;
use crate::sense::Watch;
use crate::table::{Common, Input};

/// If the first line of the bytes is not a valid header, one of these headers is used, so that the other lines can be
/// checked anyway.
const STAND_INS: [&str; 6] = [
    r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":100,"B":80},"small_blind":1,"time":"120"}}"#,
    r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"180+2"}}"#,
    r#"{"tabiya":1,"game":"poker-chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"180+2","wipeout":3,"choice":"player"}}"#,
    r#"{"tabiya":1,"game":"pokerdrez","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"180+2","stacks":{"A":30,"B":20},"bets":{"least":1,"most":9}}}"#,
    r#"{"tabiya":1,"game":"chess-joker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"180+2","deck":9,"confirm":"none"}}"#,
    r#"{"tabiya":1,"game":"clock","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"40/60+1:30"}}"#,
];

/// Checks a record. Every line stays the same when it is written and parsed again, and a replay of the written
/// lines gives the same results. A refused line changes no more than a `tick` line, which only lets time pass. No
/// chips appear or disappear. Lines that cannot be parsed are skipped.
pub fn record_law(bytes: &[u8]) {
    let mut texts = bytes
        .split(|byte| *byte == b'\n')
        .filter_map(|line| std::str::from_utf8(line).ok())
        .filter(|line| !line.trim().is_empty())
        .peekable();
    let header = match texts.peek().map(|first| Header::parse(first, GAMES)) {
        Some(Ok(header)) => {
            texts.next();
            header
        }
        Some(Err(_)) | None => stand_in(bytes.len()),
    };
    let again = Header::parse(&header.line(), GAMES).expect("a header is written and read again");
    let mut folds = Folds::new(header, again);
    for (text, number) in texts.zip(2..) {
        folds.take(number, text);
    }
    folds.compare();
}

/// Checks an effect of a card: a text that can be read is the same effect when its words are read again, and an error
/// points into the text.
pub fn effect_law(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<CardEffect>() {
        Ok(effect) => {
            let again: CardEffect = effect.words().parse().expect("its own words can be read");
            assert_eq!(again.words(), effect.words(), "{text}");
            for role in Role::ALL {
                assert_eq!(again.is_bold(role), effect.is_bold(role), "{text}");
            }
        }
        Err(error) => assert!(text.get(error.at.clone()).is_some(), "{error} points outside of {text}"),
    }
}

/// Checks a file of cards in each of its forms: whatever the bytes, it is read or refused in a sentence. Each card that
/// is kept has a code of its own, and its effect reads again.
pub fn card_file_law(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for form in [CardFileForm::Toml, CardFileForm::Json, CardFileForm::Csv] {
        match CardFile::read(form, &text) {
            Ok(file) => {
                for (nth, owned) in file.cards.iter().enumerate() {
                    let code = owned.card.code.expect("a card of a file has a code");
                    let first = file.cards.iter().position(|other| other.card.code == Some(code));
                    assert_eq!(first, Some(nth), "{code} was kept twice");
                    if let Some(effect) = &owned.card.effect {
                        effect_law(effect.words().as_bytes());
                    }
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn stand_in(nth: usize) -> Header {
    let text = STAND_INS.get(nth % STAND_INS.len()).expect("a remainder is below the length");
    Header::parse(text, GAMES).expect("these headers are whole")
}

/// Three replays of one record. All three must give the same results; only the violations may be missing from the
/// third.
struct Folds {
    /// The replay of the lines as they were read.
    read: Replay,
    /// The replay of the lines after writing and parsing them again.
    written: Replay,
    /// The replay with a `tick` line in place of each refused line.
    ticked: Replay,
    /// The number of chips at the beginning.
    chips: u64,
    /// Whether a ruling has added chips.
    added: bool,
}

impl Folds {
    fn new(header: Header, again: Header) -> Self {
        let read = Replay::new(header.clone());
        let chips = chips(&read);
        Self { read, written: Replay::new(again), ticked: Replay::new(header), chips, added: false }
    }

    fn take(&mut self, number: u32, text: &str) {
        let Ok(line) = Line::parse(text, self.read.header()) else { return };
        let again = Line::parse(&line.to_string(), self.read.header());
        assert_eq!(again.as_ref(), Ok(&line), "written and read again");
        let taken = self.read.take(number, &line);
        assert_eq!(self.written.take(number, &again.unwrap_or_else(|_| line.clone())), taken);
        match &taken {
            Ok(_) => drop(self.ticked.take(number, &line)),
            Err(Stop::Refused(_)) => {
                let tick = Line { body: Body::Acted(Input::Common(Common::Tick)), ..line.clone() };
                drop(self.ticked.take(number, &tick));
            }
            // The `t` of this line is smaller than the `t` of a line before it. So this line did not even let time
            // pass, and the third replay gets no `tick` line in its place.
            Err(Stop::Unusable(_)) => {}
        }
        if let Body::Acted(Input::Common(Common::Rule(ruling))) = &line.body {
            self.added |= ruling.chips_added;
        }
        if !self.added {
            assert_eq!(chips(&self.read), self.chips, "chips after line {number}: {text}");
        }
    }

    fn compare(&self) {
        let (read, written) = (self.read.report(), self.written.report());
        assert_eq!(read, written, "the results of what was written again");
        assert_eq!(
            without_violations(read),
            without_violations(self.ticked.report()),
            "the results without the refused lines"
        );
    }
}

/// All chips at the table: stacks and pot.
fn chips(replay: &Replay) -> u64 {
    let stakes = replay.table().game().stakes();
    let stacks = u64::from(stakes.stacks.white.0) + u64::from(stakes.stacks.black.0);
    stacks + u64::from(stakes.pot().0)
}

fn without_violations(mut report: Value) -> Value {
    if let Value::Object(map) = &mut report {
        map.shift_remove("violations");
    }
    report
}

/// Checks the JSON parser. If it accepts a text, `serde_json` reads the same value, and this value stays the same
/// when it is written and parsed again. If only `serde_json` accepts a text, the text has a duplicate key or is
/// nested too deep.
pub fn json_law(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let plain: Result<Value, _> = serde_json::from_str(text);
    match (json::parse(text), plain) {
        (Ok(strict), Ok(plain)) => {
            assert_eq!(strict, plain, "both readers read the same");
            assert_eq!(json::parse(&strict.to_string()), Ok(strict), "written and read again");
        }
        (Ok(strict), Err(error)) => panic!("only the strict reader takes {strict}: {error}"),
        (Err(error), Ok(_)) => {
            let known = error.what.contains("occurs twice") || error.what.contains("nested more than");
            assert!(known, "only the plain reader takes {text}: {error}");
            assert!(error.column <= text.len().max(1), "{error} of {} bytes", text.len());
        }
        (Err(error), Err(_)) => {
            assert!((1..=text.len().max(1)).contains(&error.column), "{error} of {} bytes", text.len());
        }
    }
}

/// Checks the watch of a board that reports whatever these bytes say, three for each report: what happens, and on which
/// square or by which possible action. Nothing panics, time gets on, and a replay of the written lines gives the same
/// position.
pub fn watch_law(bytes: &[u8]) {
    const MOST_REPORTS: usize = 300;
    const WAITS: [u64; 8] = [0, 5, 40, 120, 400, 1_000, 3_000, 9_000];
    let mut replay = Replay::new(stand_in(bytes.len()));
    let mut watch = Watch::new(replay.header().agreement.clone());
    let mut now = Instant::ZERO;
    watch.observe(&Observation::Whole(watch.table().physical()), now);
    let (mut lines, mut number) = (Vec::new(), 1);
    let (reports, _) = bytes.as_chunks::<3>();
    for [what, which, how] in reports.iter().take(MOST_REPORTS) {
        now = now + Millis(WAITS[usize::from(what >> 5)]);
        watch.time(now);
        assert!(watch.deadline().is_none_or(|due| due > now), "what is due at {now:?} is done");
        match what & 7 {
            0..=2 => {
                let candidates = watch.table().probe().candidates();
                let nth = usize::from(*which).checked_rem(candidates.len());
                if let Some(candidate) = nth.and_then(|nth| candidates.get(nth)) {
                    watch.observe(&Observation::Whole(candidate.after), now);
                }
            }
            3 => watch.observe(&Observation::Press(Color::White), now),
            4 => watch.observe(&Observation::Press(Color::Black), now),
            5 => watch.observe(&Observation::Whole(watch.table().physical()), now),
            6 => watch.observe(&Observation::Occupied(watch.table().physical().occupied()), now),
            _ => {
                let square = Square::from_index(usize::from(which % 64)).expect("below 64");
                let color = if how & 8 == 0 { Color::White } else { Color::Black };
                let role = Role::ALL.get(usize::from(how & 7)).copied();
                let piece = role.map(|role| Piece { color, role });
                watch.observe(&Observation::Square(square, piece), now);
            }
        }
        lines.extend(watch.take_lines());
    }
    drop(watch.finish(now));
    lines.extend(watch.take_lines());
    for line in lines {
        number += 1;
        let line = Line::from(line);
        assert!(replay.take(number, &line).is_ok(), "{line} is written and refused");
    }
    assert_eq!(replay.table().physical(), watch.table().physical(), "the position after a replay");
}
