//! A report of a fault: `tabiya report` and the word `report` write it, `infer`, `replay` and `--board capture:` read it, and
//! nothing that identifies a person, a card, a board or a computer is in it.

use std::fs;
use std::path::{Path, PathBuf};

use tabiya_boards::capture::{Capture, CaptureHeader, Chunk, Direction};
use tabiya_boards::makers::dgt::codec::DgtMessage;
use tabiya_boards::report_parts::ReportPart;
use tabiya_engine::record::{Header, Line};
use tabiya_engine::rules::GAMES;
use tabiya_store::journal::Journal;
use tabiya_store::keeper::{JournalKeeper, Keeper};
use tabiya_store::keys::Keyring;
use tabiya_types::Instant;

use crate::child::{Table, config, name, printed, simulated, tabiya, text};

/// Writes a report of this record and this capture, and returns it.
fn reported(record: &Path, capture: &Path, out: &Path) -> String {
    printed(&["report", "--record", name(record), "--capture", name(capture), "--out", name(out)], 0);
    fs::read_to_string(out).unwrap()
}

/// A match on a simulated board, its record and its capture.
fn played(folder: &Path, more: &[&str]) -> [PathBuf; 3] {
    let [record, capture, out] = ["e.tabiya", "e.capture", "report.jsonl"].map(|file| folder.join(file));
    let base =
        ["--game", "chess", "--plies", "24", "--players", "Annegret,Bogdan", "--capture", name(&capture)];
    simulated(&record, 1, &[&base[..], more].concat());
    [record, capture, out]
}

#[test]
fn a_fault_at_a_club_is_inferred_and_played_again_from_one_file() {
    for press in ["clock", "auto"] {
        let folder = tempfile::tempdir().unwrap();
        let [record, capture, out] = played(folder.path(), &["--press", press]);
        reported(&record, &capture, &out);
        let moves = |said: &str| -> serde_json::Value {
            serde_json::from_str::<serde_json::Value>(said).unwrap()["games"][0]["moves"].clone()
        };
        let wanted = moves(&printed(&["replay", name(&record), "--json"], 0));
        assert_eq!(wanted.as_array().map(Vec::len), Some(24), "{wanted}");
        assert_eq!(moves(&printed(&["replay", name(&out), "--json"], 0)), wanted);
        assert_eq!(moves(&printed(&["infer", name(&out), "--json"], 0)), wanted, "{press}");
        let again = folder.path().join("again.tabiya");
        let board = format!("capture:{}", name(&out));
        let play = ["play", "--headless", "--game", "chess", "--time", "300+5", "--press", press];
        printed(&[&play[..], &["--board", &board, "--record", name(&again)]].concat(), 0);
        let again = moves(&printed(&["replay", name(&again), "--json"], 0));
        assert_eq!(again.as_array().map(|moves| moves.len() > 20), Some(true), "{again}");
    }
}

#[test]
fn a_report_of_each_game_is_inferred() {
    for game in ["choker", "poker-chess", "pokerdrez", "chess-joker"] {
        let folder = tempfile::tempdir().unwrap();
        let [record, out] = ["e.tabiya", "report.jsonl"].map(|file| folder.path().join(file));
        simulated(&record, 1, &["--game", game]);
        printed(&["report", "--record", name(&record), "--out", name(&out)], 0);
        let inferred = printed(&["infer", name(&out)], 0);
        assert!(inferred.contains("the match is over"), "{game}: {inferred}");
    }
}

#[test]
fn a_line_of_a_report_is_named_by_its_number_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.jsonl");
    let header =
        r#"{"tabiya":1,"game":"chess","players":{"A":"A","B":"B"},"white":"A","terms":{"time":"60"}}"#;
    let record = format!("{header}\n{{\"t\":0,\"do\":\"dance\"}}\n");
    let [before_record, before_capture] = [ReportPart::Record, ReportPart::Capture].map(ReportPart::heading);
    fs::write(&path, format!("{{\"report\":1}}\n{before_record}\n{record}{before_capture}\nno\n")).unwrap();
    let refused = tabiya(&["replay", name(&path)]);
    assert!(text(&refused.stderr).contains("report.jsonl:4:"), "{}", text(&refused.stderr));
    let board = format!("capture:{}", name(&path));
    let refused = tabiya(&["play", "--headless", "--game", "chess", "--board", &board]);
    assert!(text(&refused.stderr).contains("report.jsonl:6:"), "{}", text(&refused.stderr));
    fs::write(&path, "{\"report\":1}\n").unwrap();
    let refused = text(&tabiya(&["infer", name(&path)]).stderr);
    assert!(refused.contains("this report has no record of a match"), "{refused}");
    let refused = text(&tabiya(&["play", "--headless", "--board", &board]).stderr);
    assert!(refused.contains("this report has no bytes of a board"), "{refused}");
}

const HEADER: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Annegret","B":"Bogdan"},"white":"A","start":"2026-10-03T19:30:00+02:00","tags":{"Site":"Kellerklub"},"terms":{"stacks":{"A":100,"B":100},"small_blind":1}}"#;

/// A record with sealed cards, as a table at an event leaves it: with a deal that was read, codes and reasons. Returns the
/// lines as they stand in the journal.
fn sealed(record: &Path, keys: &Keyring) -> Vec<String> {
    let mut header = Header::parse(HEADER, GAMES).unwrap();
    let journal = Journal::create(record).unwrap();
    let mut keeper = Box::new(JournalKeeper::begin(journal, &mut header, keys.clone()).unwrap());
    for line in [
        r#"{"t":0,"do":"deal","cards":{"white":["Q","R"],"black":["B","N"]}}"#,
        r#"{"t":9,"do":"rule","by":"arbiter","reason":"the code of Annegret","set":{},"x-code-A":"c0dec0dec0de","x-code-salt-A":"5a175a17"}"#,
        r#"{"t":4000,"do":"undo","by":"arbiter","what":"ruling","reason":"Bogdan was loud","id":"kellerklub-1"}"#,
        r#"{"t":5000,"do":"bet","by":"white","action":"fold"}"#,
    ] {
        keeper.append(&mut [Line::parse(line, &header).unwrap()]).unwrap();
    }
    keeper.close().unwrap();
    let reader = Journal::open_read(record).unwrap();
    let info = reader.matches().unwrap().pop().unwrap();
    let lines = reader.lines(info.id).unwrap().into_iter().map(|(_, line)| line);
    std::iter::once(info.header.clone()).chain(lines).collect()
}

/// The bytes of a board that tells its numbers.
fn numbered(path: &Path) {
    let chunk = |at, message: DgtMessage| Chunk {
        at: Instant::from_millis(at),
        direction: Direction::FromDevice,
        channel: None,
        bytes: message.to_bytes(),
    };
    let header = CaptureHeader { capture: "dgt".to_owned(), device: Some("/home/annegret/dgt".to_owned()) };
    let numbers = [DgtMessage::Serial("24958".to_owned()), DgtMessage::LongSerial("3000448278".to_owned())];
    let chunks = (1..).zip(numbers).map(|(at, message)| chunk(at, message)).collect();
    fs::write(path, Capture { header: Some(header), chunks }.to_text()).unwrap();
}

/// All texts of at least sixteen hexadecimal digits: hashes, seals, salts, boxes, keys, signatures.
fn secrets(lines: &[String]) -> Vec<&str> {
    let words = lines.iter().flat_map(|line| line.split(|sign: char| !sign.is_ascii_alphanumeric()));
    words.filter(|word| word.len() >= 16 && word.bytes().all(|digit| digit.is_ascii_hexdigit())).collect()
}

#[test]
fn no_name_code_key_seal_hidden_card_or_number_is_in_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("annegret");
    fs::create_dir(&home).unwrap();
    let [record, capture, out] = ["e.tabiya", "e.capture", "report.jsonl"].map(|file| home.join(file));
    let keys = Keyring::in_folder(&config().join("keys"));
    let lines = sealed(&record, &keys);
    numbered(&capture);
    let report = reported(&record, &capture, &out);
    let secrets = secrets(&lines);
    assert!(secrets.len() >= 4, "the journal has seals and a box: {lines:?}");
    let hidden = ["x-", "\"Q\"", "\"R\"", "\"B\",", "\"N\"", "c0de", "5a17"].map(str::to_owned);
    let people =
        ["Annegret", "annegret", "Bogdan", "Kellerklub", "kellerklub", "loud", "2026"].map(str::to_owned);
    let host = fs::read_to_string("/etc/hostname").unwrap_or_default().trim().to_owned();
    let host = (host.len() > 3).then_some(host);
    let user = std::env::var("HOME").ok().filter(|home| home.len() > 2);
    let numbers = ["24958", "3000448278"].map(|number| tabiya_boards::capture::to_hex(number.as_bytes()));
    let place = folder.path().display().to_string();
    let all = secrets.iter().map(|word| (*word).to_owned()).chain(hidden).chain(people);
    for told in all.chain(host).chain(user).chain(numbers).chain([place]) {
        assert!(!report.contains(&told), "{told}\n{report}");
    }
    assert!(
        report.contains(r#"{"t":0,"do":"deal","cards":{"white":["?","?"],"black":["?","?"]}}"#),
        "{report}"
    );
    assert!(
        report.contains(r#""reason":"…""#) && report.contains(r#""players":{"A":"A","B":"B"}"#),
        "{report}"
    );
    printed(&["replay", name(&out)], 0);
}

#[test]
fn only_an_earlier_report_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report.jsonl");
    let said = printed(&["report", "--out", name(&out)], 0);
    assert!(said.contains("no record of a match") && said.contains("nothing was sent"), "{said}");
    assert!(fs::read_to_string(&out).unwrap().starts_with("{\"report\":1,"));
    printed(&["report", "--out", name(&out)], 0);
    fs::write(&out, "my own notes").unwrap();
    let refused = tabiya(&["report", "--out", name(&out)]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("no earlier report"), "{}", text(&refused.stderr));
    assert_eq!(fs::read_to_string(&out).unwrap(), "my own notes");
}

#[test]
fn people_at_a_terminal_type_report() {
    let folder = tempfile::tempdir().unwrap();
    // The folder of exports is where `XDG_DOCUMENTS_DIR` says, or that of the records.
    let home = format!("HOME={}", folder.path().display());
    let data = format!("TABIYA_DATA={}", folder.path().join("data").display());
    let play = ["play", "--plain", "--game", "chess", "--time", "300", "--players", "Annegret,Bogdan"];
    let mut table = Table::under(&["env", &home, &data], &play);
    table.enter_and_hear("e2e4", "plays e2e4");
    let said = table.enter_and_hear("report", "the report is in");
    let path = said.split("the report is in ").nth(1).and_then(|rest| rest.strip_suffix(", with:")).unwrap();
    table.hear("nothing was sent");
    let report = fs::read_to_string(path).unwrap();
    assert!(report.contains(r#""uci":"e2e4""#) && !report.contains("Annegret"), "{report}");
    assert!(ReportPart::Capture.find(report.as_bytes()).is_none());
    drop(table.quit());
}
