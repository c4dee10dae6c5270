//! Bad input of every kind: it gives one clear sentence, the right exit status and no backtrace.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::child::{Table, name, printed, tabiya, text};
use crate::wait::wait_for;
use serde_json::Value;

/// A short record whose lines are all accepted.
const RECORD: &str = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"60"}}
{"t":0,"do":"press","by":"black"}
{"t":1000,"do":"move","by":"white","uci":"e2e4"}
{"t":1200,"do":"press","by":"white"}
{"t":2000,"do":"move","by":"black","uci":"e7e5"}
"#;

/// Creates the files that [`CASES`] names.
fn files(folder: &Path) {
    let put = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    put("good.jsonl", RECORD.as_bytes());
    put("empty", b"");
    put("blank", b"\n  \n\r\n");
    put("binary", &(0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect::<Vec<_>>());
    put("latin", &[RECORD.as_bytes(), b"{\"t\":3000,\"do\":\"ti\xe9ck\"}\n"].concat());
    put("cut", format!("{RECORD}{{\"t\":3000,\"do\":").as_bytes());
    put("twice", format!("{RECORD}{{\"t\":3000,\"do\":\"tick\",\"do\":\"tick\"}}\n").as_bytes());
    put("version", RECORD.replace("\"tabiya\":1", "\"tabiya\":9").as_bytes());
    put("back", format!("{RECORD}{{\"t\":10,\"do\":\"tick\"}}\n").as_bytes());
    put("word", format!("{RECORD}{{\"t\":3000,\"do\":\"frob\"}}\n").as_bytes());
    put(
        "square",
        format!("{RECORD}{{\"t\":3000,\"do\":\"move\",\"by\":\"white\",\"uci\":\"e2e9\"}}\n").as_bytes(),
    );
    put(
        "refused",
        format!("{RECORD}{{\"t\":3000,\"do\":\"move\",\"by\":\"white\",\"uci\":\"e4e5\"}}\n").as_bytes(),
    );
    put("headless", b"{\"t\":0,\"do\":\"tick\"}\n");
    put("capture", b"{\"capture\":\"dgt\"}\n{\"t\":5,\"rx\":\"8d0\"}\n");
    let journal = folder.join("good.tabiya");
    let mut table = Table::start(&["play", "--game", "chess", "--plain", "--record", name(&journal)]);
    table.enter_and_hear("e2e4", "plays");
    assert_eq!(table.quit().0.code(), Some(0));
    let mut bytes = fs::read(&journal).unwrap();
    for page in bytes.chunks_mut(4096).skip(1) {
        page[..200].fill(b'x');
    }
    put("damaged", &bytes);
    fs::copy(&journal, folder.join("newer")).unwrap();
    let newer = rusqlite::Connection::open(folder.join("newer")).unwrap();
    newer.pragma_update(None, "user_version", 7).unwrap();
    newer.close().unwrap();
    let other = rusqlite::Connection::open(folder.join("other.db")).unwrap();
    other.execute_batch("CREATE TABLE t (a)").unwrap();
    other.close().unwrap();
}

/// Arguments, exit status, and words that standard error must contain.
const CASES: &[(&str, i32, &[&str])] = &[
    // Wrong arguments.
    #[cfg(not(feature = "window"))]
    ("", 2, &["Usage: tabiya"]),
    #[cfg(feature = "window")]
    ("", 2, &["no screen can be used", "tabiya play --headless"]),
    ("frob", 2, &["'frob'", "--help"]),
    ("hand", 2, &["<CARDS>"]),
    ("hand QQRRR --frob", 2, &["'--frob'"]),
    ("hand QQQQQ", 2, &["only 4 queens"]),
    ("hand XYZ", 2, &["five cards", "QRBNP"]),
    ("hand QRBNX", 2, &["`X`"]),
    ("completions frob", 2, &["bash", "zsh", "fish"]),
    ("play --time 3y0", 2, &["`3y0`", "at character 2"]),
    (
        "play --headless --time 90/40+30+30",
        2,
        &["`--time`: `90/40+30+30` is not certain: write `40/90 min + 30 s, 30 min + 30 s`"],
    ),
    // Whoever knows the record's seconds and whoever knows clocks must not start with the other's time.
    ("play --headless --time 5", 2, &["`--time`: `5` is not certain: write `5 min` or `5 s`"]),
    ("play --headless --time 180", 2, &["`--time`: `180` is not certain: write `180 min` or `3 min`"]),
    ("play --headless --time 5/3", 2, &["write `5 min + 3 s` or `5/3 min`"]),
    ("clock 60", 2, &["`60` is not certain: write `60 min` or `1 min`"]),
    ("clock delay5", 2, &["is not certain", "25 min d 5 s"]),
    ("play --time 40/5400+30:", 2, &["at character 12"]),
    ("play --board frob", 2, &["`frob` is not a board's address", "dgt:"]),
    ("play --board dgt:", 2, &["names no port"]),
    ("play --board dgt:tcp:host", 2, &["tcp:HOST:PORT"]),
    ("play --plain --box frob", 2, &["`frob` is not a board's address"]),
    ("play --plain --box auto", 2, &["`--box auto`", "diy:"]),
    ("play --plain --box dgt:/dev/nowhere", 2, &["`--box dgt:/dev/nowhere`", "cannot be a box", "diy:PORT"]),
    ("play --plain --board auto --box diy:auto", 2, &["cannot be told apart", "name the port"]),
    ("play --plain --board auto --box diy:ble", 2, &["cannot be told apart", "name the port"]),
    ("play --board sim --box diy:/dev/nowhere", 2, &["needs a real board"]),
    ("play --plain --box diy:/dev/nowhere", 2, &["/dev/nowhere"]),
    ("play --players Ann", 2, &["--players Ann,Bo"]),
    ("play --players Ann,Bo,Cy", 2, &["--players Ann,Bo,Cy", "two names"]),
    ("play --players Ann,", 2, &["two names"]),
    ("play --white C", 2, &["A, B or coin"]),
    ("play --game frob", 2, &["`frob`", "choker, chess, poker-chess, pokerdrez, chess-joker, clock"]),
    ("play --game chess --fen frob", 2, &["`fen`"]),
    ("play --stacks x", 2, &["--stacks x", "100,80"]),
    ("play --blind 0", 2, &["`small_blind`"]),
    ("play --structure limit:2", 2, &["limit:BET:RAISES"]),
    ("play --terms {", 2, &["--terms is not JSON"]),
    ("play --terms {\"frob\":1}", 2, &["`frob`"]),
    ("play --preset frob", 2, &["club, tour"]),
    ("play --profile frob", 2, &["clean, casual"]),
    ("play --carry-on", 2, &["--record"]),
    ("play --carry-on --record missing", 2, &["missing", "carry on"]),
    ("play --carry-on --new --record good.tabiya", 2, &["--new"]),
    // Files that are missing, damaged, not writable or of the wrong kind.
    ("replay missing", 2, &["missing: there is no such file"]),
    ("replay .", 2, &["folder"]),
    ("replay empty", 2, &["empty:1:", "no header"]),
    ("replay blank", 2, &["blank:1:", "no header"]),
    ("replay binary", 2, &["binary:1:"]),
    ("replay latin", 2, &["latin:6: not UTF-8"]),
    ("replay cut --json", 2, &["cut:6: not JSON"]),
    ("replay twice --json", 2, &["twice:6:", "\"do\" occurs twice"]),
    ("replay version", 2, &["version:1:", "version 9"]),
    ("replay back", 2, &["back:6: time goes back"]),
    ("replay word --keep-going --json", 2, &["word:6:", "frob"]),
    ("replay square", 2, &["square:6:"]),
    ("replay headless", 2, &["headless:1:"]),
    ("replay refused", 1, &["refused:6:", "possible here"]),
    ("replay damaged", 2, &["damaged", "salvage"]),
    ("replay newer", 2, &["newer version of Tabiya", "update"]),
    ("replay other.db", 2, &["is not a Tabiya record"]),
    ("replay good.tabiya --match 9", 2, &["no match `9`"]),
    ("replay good.jsonl --match 1", 2, &["JSON Lines hold one match"]),
    ("replay /dev/zero", 2, &["/dev/zero: this is no file"]),
    ("infer /dev/zero", 2, &["/dev/zero: this is no file"]),
    ("export /dev/zero", 2, &["/dev/zero: this is no file"]),
    ("verify /dev/zero", 2, &["/dev/zero: this is no file"]),
    ("infer missing", 2, &["no such file"]),
    ("infer cut --json", 2, &["cut:6:"]),
    ("infer good.jsonl --out /dev/full", 2, &["/dev/full: cannot be written"]),
    ("export missing", 2, &["no such file"]),
    ("export good.tabiya --match 9", 2, &["no match `9`"]),
    ("export good.tabiya --format frob", 2, &["jsonl, pgn, sheet"]),
    ("export good.tabiya --out /dev/full", 2, &["/dev/full: cannot be written"]),
    ("export good.tabiya --out no/such/folder", 2, &["no/such/folder: cannot be written"]),
    ("export good.tabiya --format sheet --out good.tabiya", 2, &["good.tabiya", "already uses this file"]),
    ("export good.jsonl --format pgn --out ./good.tabiya", 2, &["good.tabiya", "record", "lost"]),
    ("infer good.jsonl --out ./good.jsonl", 2, &["good.jsonl", "already uses this file"]),
    ("infer good.jsonl --out good.tabiya", 2, &["record", "lost"]),
    ("play --record new --pgn ./new", 2, &["./new", "already uses this file"]),
    ("play --record good.tabiya --pgn good.tabiya", 2, &["good.tabiya", "already uses this file"]),
    ("play --record new --pgn new-wal", 2, &["new-wal", "belongs to new"]),
    ("play --record new --pgn new.lock", 2, &["new.lock", "belongs to new"]),
    ("play --record new --capture new", 2, &["new", "already uses this file"]),
    ("play --capture bytes --pgn bytes", 2, &["bytes", "already uses this file"]),
    ("play --pgn good.tabiya", 2, &["record", "lost"]),
    ("verify empty", 2, &["the record is empty"]),
    ("verify binary", 2, &["binary"]),
    ("verify headless", 2, &["headless:1:"]),
    ("verify version", 2, &["version:1:", "version 9"]),
    ("verify missing", 2, &["no such file"]),
    ("verify damaged", 2, &["damaged"]),
    ("verify newer", 2, &["newer version of Tabiya"]),
    ("verify good.tabiya --match 9", 2, &["no match `9`"]),
    ("verify good.tabiya --head 12", 2, &["is not a head hash"]),
    ("verify good.tabiya --head not-a-head", 2, &["is not a head hash"]),
    ("verify good.tabiya --head 0123456789abcdef", 1, &["good.tabiya:"]),
    ("salvage damaged", 2, &["--out"]),
    ("salvage missing --out new", 2, &["missing: there is no such file"]),
    ("salvage . --out new", 2, &["folder"]),
    ("salvage /dev/zero --out new", 2, &["this is no file"]),
    ("salvage good.jsonl --out new", 2, &["is not a Tabiya record"]),
    ("salvage binary --out new", 2, &["is not a Tabiya record"]),
    ("salvage good.tabiya --out good.jsonl", 2, &["good.jsonl already exists"]),
    ("salvage good.tabiya --out no/such/folder", 2, &["no/such/folder"]),
    ("play --record .", 2, &["folder"]),
    ("play --record /dev/zero", 2, &["/dev/zero"]),
    ("play --record binary", 2, &["is not a Tabiya record"]),
    ("play --record good.jsonl", 2, &["is not a Tabiya record"]),
    ("play --record damaged", 2, &["damaged"]),
    ("play --record newer", 2, &["newer version of Tabiya"]),
    ("play --record no/such/folder", 2, &["no/such/folder"]),
    ("play --headless --record /proc/tabiya", 2, &["/proc/tabiya"]),
    ("play --board capture:missing", 2, &["missing cannot be read"]),
    ("play --board capture:/dev/zero", 2, &["/dev/zero cannot be read", "not an ordinary file"]),
    ("play --board capture:capture", 2, &["capture:2:"]),
    ("play --board capture:good.jsonl", 2, &["good.jsonl:1:"]),
    ("play --board sim --capture /dev/full", 2, &["/dev/full", "capture"]),
    ("play --board sim --capture no/such/folder", 2, &["no/such/folder"]),
    // Ports that cannot be opened.
    (
        "play --headless --record kept.tabiya --board dgt:/dev/no-such-board",
        2,
        &["/dev/no-such-board is not there", "plug"],
    ),
    ("play --headless --board dgt:/dev/null", 2, &["not a serial port"]),
    ("play --headless --board dgt:good.jsonl", 2, &["not a serial port"]),
    ("play --headless --board dgt:tcp:127.0.0.1:1", 2, &["refuses the connection"]),
    ("play --headless --board dgt:tcp:no-such-host.invalid:4001", 2, &["not known"]),
    ("devices probe dgt:/dev/no-such-board", 2, &["is not there"]),
    ("devices probe sim", 2, &["is not the address of a device"]),
    ("devices monitor dgt:/dev/no-such-board", 2, &["is not there"]),
    ("sim dgt --link good.jsonl", 2, &["is not a symbolic link"]),
    ("sim dgt --box", 2, &["DGT", "can be simulated", "sim diy --box"]),
    ("sim dgt --tcp frob", 2, &["cannot listen on frob", ":"]),
    ("sim dgt --script /dev/zero", 2, &["/dev/zero cannot be read", "not an ordinary file"]),
    ("sim dgt --script missing", 2, &["missing cannot be read", "No such file"]),
    ("sim dgt --board frob", 2, &["`frob`", "is not a board"]),
    ("sim dgt --record cut", 2, &["cut:6:"]),
    ("sim dgt --record headless", 2, &["headless:1:"]),
];

#[test]
fn bad_input_gets_one_sentence_and_the_right_status() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let mut wrong = Vec::new();
    for (line, status, wanted) in CASES {
        let done = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(line.split_whitespace())
            .current_dir(folder.path())
            // Without these variables no window opens, even if the tests are run on a desktop.
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let (out, err) = (text(&done.stdout), text(&done.stderr));
        let json = line.contains("--json") && *status == 2 && !out.is_empty();
        let good = done.status.code() == Some(*status)
            && wanted.iter().all(|part| err.contains(part))
            && !err.contains("panicked")
            && !err.contains("backtrace")
            && err.lines().count() <= 24
            && !json;
        if !good {
            wrong.push(format!("tabiya {line}: status {:?}\n{out}{err}", done.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(!folder.path().join("kept.tabiya").exists(), "no record is begun for a board that is not there");
}

#[test]
fn results_as_json_come_with_a_refusal_and_not_with_unusable_input() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let refused = tabiya(&["replay", name(&folder.path().join("refused")), "--json"]);
    let report: Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(report["violations"].as_array().unwrap().len(), 1);
    let unusable = tabiya(&["infer", name(&folder.path().join("cut")), "--json"]);
    assert_eq!((unusable.status.code(), unusable.stdout.len()), (Some(2), 0));
}

#[test]
fn an_export_replaces_an_earlier_export_and_nothing_else_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let (good, out) = (folder.path().join("good.jsonl"), folder.path().join("out"));
    for format in ["jsonl", "pgn", "story", "sheet"] {
        let export = |more: &[&str]| {
            let words = ["export", name(&good), "--format", format, "--out", name(&out)];
            let done = Command::new(env!("CARGO_BIN_EXE_tabiya"))
                .args([&words[..], more].concat())
                .stdin(Stdio::null())
                .output()
                .unwrap();
            (done.status.code(), text(&done.stderr))
        };
        fs::write(&out, "my thesis").unwrap();
        let (status, said) = export(&[]);
        assert_eq!((status, fs::read_to_string(&out).unwrap().as_str()), (Some(2), "my thesis"));
        assert!(said.contains("`--replace`"), "{said}");
        assert_eq!(export(&["--replace"]), (Some(0), String::new()));
        // A match sheet cannot be told from another text.
        assert_eq!(export(&[]).0, Some(if format == "sheet" { 2 } else { 0 }), "{format}");
    }
}

#[test]
fn a_salvaged_record_that_lacks_a_line_is_exported_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let lacks = folder.path().join("lacks.jsonl");
    let lines: Vec<&str> = RECORD.lines().collect();
    fs::write(&lacks, [lines[0], lines[1], lines[3], lines[4], ""].join("\n")).unwrap();
    for format in ["jsonl", "pgn", "sheet", "story"] {
        let words = ["export", name(&lacks), "--format", format];
        let stopped = tabiya(&words);
        assert_eq!((stopped.status.code(), stopped.stdout.len()), (Some(1), 0));
        let done = tabiya(&[&words[..], &["--keep-going"]].concat());
        assert_eq!(done.status.code(), Some(1));
        let said = text(&done.stderr);
        assert!(said.contains("lacks.jsonl:3:") && said.contains("lacks.jsonl:4:"), "{said}");
        assert!(text(&done.stdout).contains("Ann") || format == "sheet", "{format}");
        assert!(!done.stdout.is_empty());
    }
}

#[test]
fn a_line_feed_in_a_path_fakes_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e\nrecord: other.tabiya, 9 lines after the header, head 0000");
    let mut table = Table::start(&["play", "--game", "chess", "--plain", "--record", name(&record)]);
    table.enter_and_hear("e2e4", "plays");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{errors}");
    let ends = heard.iter().filter(|line| line.starts_with("record: "));
    assert!(
        ends.clone().count() == 1 && ends.clone().all(|line| line.contains("e record: other")),
        "{heard:?}"
    );
    for words in [["replay", "missing\nok"], ["verify", "missing\nok"], ["export", "missing\nok"]] {
        let said = text(&tabiya(&words).stderr);
        assert!(said.contains("missing ok") && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn invisible_characters_of_a_name_come_into_no_export() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hidden.jsonl");
    let hidden = "A\u{200b}n\u{200e}n\u{e0041}";
    fs::write(&path, RECORD.replace("Ann", hidden)).unwrap();
    for format in ["pgn", "sheet", "story"] {
        let out = printed(&["export", name(&path), "--format", format], 0);
        assert!(!out.contains(['\u{200b}', '\u{200e}', '\u{e0041}']), "{format}: {out}");
        assert!(out.contains("Ann"), "{format}: {out}");
    }
    let lines = printed(&["export", name(&path)], 0);
    let header: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert!(header["players"]["A"] == hidden && lines.is_char_boundary(0), "the data is kept");
    assert!(!lines.contains(['\u{200b}', '\u{200e}', '\u{e0041}']), "in escapes");
}

#[test]
fn settings_that_cannot_be_read_are_told_once_by_a_table_in_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("settings.json");
    fs::write(&settings, r#"{"language": "de", "copy": 7}"#).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["play", "--headless", "--plain", "--game", "chess"])
        .env("TABIYA_CONFIG", folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = text(&done.stderr);
    assert_eq!(said.matches("the folder of copies cannot be read").count(), 1, "{said}");
    assert!(settings.exists(), "a table in the terminal does not write it");
    // Neither an endless file nor a pipe holds a table up.
    fs::remove_file(&settings).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &settings).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["play", "--headless", "--plain", "--game", "chess"])
        .env("TABIYA_CONFIG", folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(text(&done.stderr).contains("not an ordinary file"));
}

#[test]
fn a_file_in_a_folder_that_is_not_there_says_so() {
    for (option, file) in [("--record", "/nowhere/evening.tabiya"), ("--pgn", "/nowhere/evening.pgn")] {
        let done = tabiya(&["play", "--plain", "--game", "chess", option, file]);
        assert_eq!(done.status.code(), Some(2));
        let said = String::from_utf8(done.stderr).unwrap();
        let wanted = format!("{file}: the folder of this file does not exist; check the name");
        assert!(said.contains(&wanted), "{said}");
    }
}

#[test]
fn a_refusal_names_what_would_be_accepted() {
    for (arguments, wanted) in [
        ("--board sim --profile brisk", "choose clean, casual, clumsy, beginner, blitz, bullet or hostile"),
        ("--game pokerdrez --decks 3", "must be 1 or 2"),
        ("--game pokerdrez --decks 0", "must be 1 or 2"),
        ("--games 0", "must be a whole number from 1 to 1000000"),
        ("--stacks 0", "must be a whole number from 1 to 1000000000"),
    ] {
        let words: Vec<&str> = ["play", "--headless"].into_iter().chain(arguments.split(' ')).collect();
        let done = tabiya(&words);
        let said = text(&done.stderr);
        assert!(done.status.code() == Some(2) && said.contains(wanted), "{arguments}: {said}");
    }
}

#[test]
fn simulated_players_that_are_to_stop_early_agree_once_each_has_moved() {
    let done =
        tabiya(&["play", "--headless", "--board", "sim", "--games", "1", "--plies", "0", "--seed", "4"]);
    let said = String::from_utf8(done.stdout).unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(said.contains("accepts the draw") || said.contains("folds"), "{said}");
}

#[test]
fn a_file_in_use_by_another_table_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("evening.tabiya");
    let mut table = Table::start(&["play", "--game", "chess", "--plain", "--record", name(&record)]);
    table.enter_and_hear("e2e4", "plays");
    let second = tabiya(&["play", "--game", "chess", "--plain", "--record", name(&record)]);
    let err = text(&second.stderr);
    assert_eq!(second.status.code(), Some(2), "{err}");
    assert!(err.contains("is being written by another program"), "{err}");
    // Reading the file is allowed meanwhile.
    printed(&["replay", name(&record)], 0);
    table.enter_and_hear("press white", "> Black");
    assert_eq!(table.quit().0.code(), Some(0));
}

#[test]
fn a_port_that_is_busy_or_no_board_is_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("board");
    let mut host = Table::start(&["sim", "dgt", "--link", name(&link)]);
    host.hear("the board is at");
    let address = format!("dgt:{}", name(&link));
    let mut table = Table::start(&["play", "--game", "chess", "--plain", "--board", &address]);
    table.hear("connected");
    let second = tabiya(&["play", "--game", "chess", "--plain", "--board", &address]);
    let err = text(&second.stderr);
    assert_eq!(second.status.code(), Some(2), "{err}");
    assert!(err.contains("is in use by another program"), "{err}");
    assert_eq!(table.quit().0.code(), Some(0));
    assert_eq!(host.quit().0.code(), Some(0));
    // A server that listens and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("dgt:tcp:{}", silent.local_addr().unwrap());
    let deaf = tabiya(&["play", "--game", "chess", "--plain", "--board", &address]);
    let err = text(&deaf.stderr);
    assert_eq!(deaf.status.code(), Some(2), "{err}");
    assert!(err.contains("answers as a DGT board"), "{err}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure_and_a_full_disk_is() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let good = folder.path().join("good.tabiya");
    for arguments in [
        vec!["completions", "bash"],
        vec!["export", name(&good)],
        vec!["--help"],
        vec!["play", "--board", "sim", "--seed", "3", "--preset", "tour", "--games", "1"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let done = child.wait_with_output().unwrap();
        let err = text(&done.stderr);
        assert!(!first.is_empty() && !err.contains("panicked"), "{arguments:?}: {err}");
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {err}");
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let done = Command::new(env!("CARGO_BIN_EXE_tabiya")).args(&arguments).stdout(full).output().unwrap();
        let err = text(&done.stderr);
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
        if arguments != ["--help"] {
            assert_eq!(done.status.code(), Some(2), "{arguments:?}: {err}");
            assert!(err.contains("cannot be written"), "{arguments:?}: {err}");
        }
    }
}

#[test]
fn a_live_pgn_that_cannot_be_written_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    let pgn = disk.join("live.pgn");
    fs::create_dir(&disk).unwrap();
    let mut table = Table::start(&["play", "--game", "chess", "--plain", "--pgn", name(&pgn)]);
    table.hear("make a move");
    // The disk is taken out. A folder that is not there at the start is refused before the match.
    fs::rename(&disk, folder.path().join("away")).unwrap();
    table.enter_and_hear("e2e4", "live.pgn cannot be written");
    table.enter_and_hear("press white", "> Black");
    table.enter_and_hear("e7e5", "Black plays");
    let (status, heard, _) = table.quit();
    assert_eq!(status.code(), Some(0));
    assert_eq!(heard.iter().filter(|line| line.contains("cannot be written")).count(), 1, "{heard:?}");
}

#[test]
fn a_live_pgn_is_always_whole() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("live.pgn");
    let mut table =
        Table::start(&["play", "--game", "chess", "--plain", "--press", "auto", "--pgn", name(&pgn)]);
    for (uci, told, in_pgn) in [("e2e4", "White plays", "1. e4"), ("e7e5", "Black plays", "e5")] {
        table.enter_and_hear(uci, told);
        // It is written within a second, also if nothing else happens.
        let text = || fs::read_to_string(&pgn).unwrap_or_default();
        wait_for("the move in the PGN", || text().contains(in_pgn).then_some(()));
        assert!(text().trim_end().ends_with('*'), "{}", text());
    }
    table.enter_and_hear("resign", "does A (White) resign?");
    table.enter_and_hear("yes", "White resigns");
    assert!(fs::read_to_string(&pgn).unwrap().trim_end().ends_with("0-1"), "a result is there at once");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "there must be no other file");
    assert_eq!(table.quit().0.code(), Some(0));
}

#[test]
fn what_can_be_read_of_a_damaged_record_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, damaged) = (folder.path().join("whole.tabiya"), folder.path().join("damaged.tabiya"));
    let arguments = ["play", "--board", "sim", "--games", "2", "--plies", "60", "--record", name(&whole)];
    let played = printed(&arguments, 0);
    let head = played.rsplit(' ').next().unwrap().trim();

    // From an undamaged record, `salvage` saves all lines, and the head stays the same.
    let saved = folder.path().join("saved.tabiya");
    let told = printed(&["salvage", name(&whole), "--out", name(&saved)], 0);
    assert!(told.contains("1 match with") && told.contains("no line is missing"), "{told}");
    printed(&["verify", name(&saved), "--head", head], 0);

    // Overwrite a page of lines in the middle of the file, as a failing disk does.
    let mut bytes = fs::read(&whole).unwrap();
    let pages = bytes.len() / 4096;
    let lines = |page: &[u8]| page[0] == 0x0d && page.windows(6).any(|text| text == b"\"do\":\"");
    let middle = (pages / 2..pages).find(|nth| lines(&bytes[nth * 4096..][..4096])).unwrap();
    bytes[middle * 4096..][..4096].fill(0xa5);
    fs::write(&damaged, &bytes).unwrap();
    let refused = tabiya(&["replay", name(&damaged)]);
    assert!(refused.status.code() == Some(2) && text(&refused.stderr).contains("`tabiya salvage`"));

    let rest = folder.path().join("rest.tabiya");
    let done = tabiya(&["salvage", name(&damaged), "--out", name(&rest)]);
    let (out, err) = (text(&done.stdout), text(&done.stderr));
    assert_eq!(done.status.code(), Some(1), "{out}{err}");
    assert!(out.contains("1 match with") && err.contains("lost, the first after line"), "{out}{err}");
    assert_eq!(fs::read(&damaged).unwrap(), bytes, "the damaged file must stay unchanged");
    let count = |record: &Path| printed(&["export", name(record)], 0).lines().count();
    let kept = tabiya(&["replay", name(&rest), "--keep-going", "--json"]);
    let report: Value = serde_json::from_slice(&kept.stdout).unwrap();
    assert!(count(&saved) > 100 && report["games"][0]["moves"].as_array().is_some(), "{report}");
    printed(&["verify", name(&rest)], 0);
}

#[test]
fn what_infer_writes_out_shows_no_card_that_nobody_has_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let record = file("sealed.tabiya");
    let mut table = Table::start(&["play", "--plain", "--record", name(&record)]);
    table.hear("deal");
    assert_eq!(table.quit().0.code(), Some(0));
    // The journal contains, in sealed form, the faces that a card reader has reported.
    let keys = tabiya_store::keys::Keyring::in_folder(&file("keys"));
    let mut journal = tabiya_store::journal::Journal::open(&record).unwrap().with_keys(keys);
    let id = journal.matches().unwrap()[0].id;
    let line = r#"{"t":1000,"do":"deal","cards":{"white":["Q","R"],"black":["B","?"]}}"#.to_owned();
    journal.append(id, &[tabiya_store::journal::NewEntry { t: 1000, line }]).unwrap();
    journal.close().unwrap();

    let (out, export) = (file("out.jsonl"), file("export.jsonl"));
    printed(&["infer", name(&record), "--out", name(&out)], 0);
    printed(&["export", name(&record), "--out", name(&export)], 0);
    let written = fs::read_to_string(&out).unwrap();
    assert!(written.contains(r#""cards":{"white":["?","?"],"black":["?","?"]}"#), "{written}");
    assert_eq!(written, fs::read_to_string(&export).unwrap(), "both must be the public form");
    printed(&["verify", name(&out)], 0);
}

#[test]
fn every_command_teaches_with_an_example() {
    let commands = [
        "hand",
        "replay",
        "infer",
        "export",
        "hands",
        "verify",
        "salvage",
        "devices",
        "sim",
        "play",
        "desktop",
        "completions",
    ];
    for command in commands {
        let help = printed(&[command, "--help"], 0);
        assert!(help.contains("Example") && help.contains(&format!("tabiya {command}")), "{help}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell], 0);
        assert!(script.contains("tabiya") && script.contains("carry-on"), "{shell}");
    }
}

#[test]
fn a_typed_line_that_is_no_word_gets_a_sentence() {
    let mut table = Table::start(&["play", "--plain", "--players", "Ann,Bo"]);
    table.hear("deal");
    for (line, wanted) in [
        ("frob", "`frob` is not understood"),
        ("raise", "raise to how much?"),
        ("raise x", "not a number of chips"),
        ("undo 0", "undo how many?"),
        ("rule", "rule what?"),
        ("rule clock white x now", "not a number of seconds"),
        ("fouled", "needs a reason"),
        ("yes", "no open question"),
        ("no", "no open question"),
        ("read", "no board is connected"),
        ("help", "raise by 4"),
    ] {
        table.enter_and_hear(line, wanted);
    }
    assert_eq!(table.quit().0.code(), Some(0));
}

/// Runs `tabiya devices note` with this settings folder. Returns the exit status and all output.
fn note(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["devices", "note"])
        .args(words)
        .env("TABIYA_CONFIG", folder)
        .output()
        .expect("the program starts");
    (done.status.code(), text(&done.stderr) + &text(&done.stdout))
}

#[test]
fn what_is_kept_of_a_board_has_to_look_like_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases: [(&[&str], i32, &str); 6] = [
        (
            &["pegasus", "developer-key", "01 23 45 67 09 1B"],
            0,
            "saved for DGT Pegasus boards: developer-key",
        ),
        (&["pegasus", "developer-key", "zz"], 2, "that is not a valid developer-key; write six bytes in hex"),
        (
            &["pegasus", "foo", "bar"],
            2,
            "`foo` is not a value that DGT Pegasus boards need; write developer-key",
        ),
        (&["certabo", "calibration", "hello"], 2, "that is not a valid calibration"),
        (&["certabo", "calibration", ""], 0, "saved"),
        (&["dgt", "a", "b"], 2, "need no values"),
    ];
    for (words, status, says) in cases {
        let (code, said) = note(folder.path(), words);
        assert!(code == Some(status) && said.contains(says), "{words:?}: {code:?} {said}");
    }
    // A damaged file is named in the error, and stays unchanged.
    fs::write(folder.path().join("boards.json"), r#"{"certabo": {"calib"#).expect("written");
    let (code, said) = note(folder.path(), &["certabo", "calibration", ""]);
    assert!(code == Some(2) && said.contains("boards.json cannot be read"), "{said}");
    assert_eq!(
        fs::read_to_string(folder.path().join("boards.json")).expect("it is there"),
        r#"{"certabo": {"calib"#
    );
}

#[test]
fn a_time_is_understood_as_people_write_it() {
    for (said, told) in [
        ("G/25;d5", "1500d5 is 25:00"),
        ("90 plus 30", "5400+30 is"),
        ("5+3", "300+3 is"),
        ("300", "300 is 5:00"),
        ("300+5", "300+5 is"),
        ("180+2", "180+2 is"),
        ("5400+30", "5400+30 is"),
    ] {
        let (status, heard, errors) =
            Table::start(&["play", "--game", "chess", "--headless", "--plain", "--time", said]).quit();
        assert!(
            status.success() && heard.iter().any(|line| line.contains(told)),
            "{said}: {heard:?} {errors}"
        );
    }
}

#[test]
fn a_head_is_compared_as_it_stands_on_paper() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    crate::child::simulated(&record, 1, &[]);
    let verified = printed(&["verify", name(&record)], 0);
    let head = verified.split("head ").nth(1).unwrap();
    let groups: Vec<&str> = (0..4).map(|group| &head[4 * group..4 * group + 4]).collect();
    printed(&["verify", name(&record), "--head", &groups.join(" ")], 0);
    printed(&["verify", name(&record), "--head", &groups[..2].join("\u{a0}")], 0);
    printed(&["verify", name(&record), "--head", "0123 4567 89ab cdef"], 1);
}
