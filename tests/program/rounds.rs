//! Rounds on the command line, as an organiser uses them: an event from its first player to its standings.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::child::{Table, program_of, text, typed_into};

/// A folder of an organiser with an event in it.
struct Club {
    folder: tempfile::TempDir,
}

impl Club {
    fn new(plan: &[&str]) -> Self {
        let club = Self { folder: tempfile::tempdir().expect("a folder") };
        let made = club.json(&[&["new", &club.event(), "--json"], plan].concat());
        assert_eq!(made["event"].as_str().map(str::len), Some(16), "{made}");
        club
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn event(&self) -> String {
        self.path("club").display().to_string()
    }

    /// Runs a word of `tabiya event`. Returns status, standard output and standard error.
    fn run(&self, words: &[&str]) -> (Option<i32>, String, String) {
        let data = format!("TABIYA_DATA={}", self.path("data").display());
        let config = format!("TABIYA_CONFIG={}", self.path("config").display());
        let words = [&["event"], words].concat();
        let done = typed_into(&mut program_of(&["env", &data, &config], &words), "");
        (done.status.code(), text(&done.stdout), text(&done.stderr))
    }

    fn json(&self, words: &[&str]) -> Value {
        let (status, out, err) = self.run(words);
        assert_eq!(status, Some(0), "{words:?}\n{out}\n{err}");
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{words:?}: {error}: {out}"))
    }

    /// The same about this club's event.
    fn of_event(&self, words: &[&str]) -> Value {
        self.json(&[words, &["--event", &self.event(), "--json"]].concat())
    }

    fn refused(&self, words: &[&str]) -> (Option<i32>, String) {
        let (status, _, err) = self.run(&[words, &["--event", &self.event()]].concat());
        (status, err)
    }

    fn write(&self, name: &str, content: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a file");
        path.display().to_string()
    }
}

#[test]
fn four_friends_play_a_round_robin() {
    let club = Club::new(&["--system", "round-robin", "--rounds", "3", "--tiebreaks", "SB,DE"]);
    for name in ["Ann", "Bo", "Cy", "Dee"] {
        club.of_event(&["add", name, "--rating", "1800"]);
    }
    let pairs = club.of_event(&["pair"]);
    assert_eq!(pairs, json!({"round": 1, "pairs": [[1, 4], [2, 3]], "bye": null, "engine": "berger"}));
    for round in 1..=3 {
        club.of_event(&["pair", "--accept"]);
        let round = round.to_string();
        club.of_event(&["result", &round, "1", "1-0", "--by", "Rossi"]);
        club.of_event(&["result", &round, "2", "1/2"]);
    }
    let table = club.of_event(&["standings"]);
    let rows: Vec<_> = table["standings"].as_array().expect("rows").iter().collect();
    let points = |name: &str| rows.iter().find(|row| row["name"] == name).map(|row| row["points"].clone());
    assert_eq!(table["round"], 3);
    assert_eq!((points("Ann"), points("Bo")), (Some(json!(2)), Some(json!(2))), "{table}");
    let (status, out, _) = club.run(&["export", "--trf16", "--event", &club.event()]);
    assert_eq!((status, out.lines().filter(|line| line.starts_with("001")).count()), (Some(0), 4));
}

#[test]
fn an_act_that_is_sent_twice_counts_once() {
    let club = Club::new(&["--system", "round-robin", "--rounds", "1"]);
    club.of_event(&["add", "Ann"]);
    club.of_event(&["add", "Bo"]);
    club.of_event(&["pair", "--accept"]);
    let first = club.of_event(&["result", "1", "1", "0-1", "--id", "a7"]);
    let again = club.of_event(&["result", "1", "1", "1-0", "--id", "a7"]);
    assert_eq!((&first, &again), (&json!({"did": "a7"}), &json!({"did": "a7"})));
    assert_eq!(club.of_event(&["standings"])["standings"][0]["name"], "Bo");
}

#[test]
fn what_cannot_be_is_refused_in_a_sentence_and_changes_nothing() {
    let club = Club::new(&["--system", "swiss", "--rounds", "2"]);
    for name in ["Ann", "Bo", "Cy"] {
        club.of_event(&["add", name]);
    }
    let before = club.of_event(&["standings"]);
    let cases: [(&[&str], i32, &str); 5] = [
        (&["result", "1", "1", "1-0"], 1, "round 1 has no board 1; `tabiya event pair` shows the boards\n"),
        (
            &["result", "1", "1", "2-0"],
            2,
            "2-0: this is no result; use 1-0, 0-1, 1/2, +--, --+, ---, w, d or l\n",
        ),
        (&["bye", "9", "1", "H"], 1, "there is no player 9; `tabiya event standings` lists the players\n"),
        (
            &["pair", "--hand", "1-1"],
            1,
            "2 players have no opponent, the first of them 2; pair them, or give them byes\n",
        ),
        (
            &["pair", "--engine", "/no/such/engine"],
            2,
            "/no/such/engine: this engine cannot be started: No such file or directory (os error 2); install it, or pair with --hand\n",
        ),
    ];
    for (words, status, sentence) in cases {
        let (ended, said) = club.refused(words);
        assert_eq!((ended, said.as_str()), (Some(status), sentence), "{words:?}");
    }
    assert_eq!(club.of_event(&["standings"]), before);
}

/// An engine in its place: it pairs neighbours, and tells a version as bbpPairings does.
#[test]
fn an_engine_pairs_a_round_and_its_version_is_told() {
    let club = Club::new(&["--system", "swiss", "--rounds", "2"]);
    for name in ["Ann", "Bo", "Cy"] {
        club.of_event(&["add", name]);
    }
    let script = "#!/bin/sh\ncase $1 in\n-r) echo 'bbpPairings v6.0.0' ;;\n--dutch) grep -q '^001    3' \"$2\" && printf '2\\n2 1\\n3 0\\n' >\"$4\" ;;\nesac\n";
    let engine = club.write("bbpPairings", script.as_bytes());
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let paired = club.of_event(&["pair", "--engine", &engine, "--accept"]);
    assert_eq!(paired, json!({"round": 1, "pairs": [[2, 1]], "bye": 3, "engine": "bbpPairings 6.0.0"}));
    club.of_event(&["result", "1", "1", "+--"]);
    let table = club.of_event(&["standings"]);
    assert_eq!(table["standings"][0]["points"], 1);
    assert_eq!(table["standings"][2]["name"], "Ann", "{table}");
}

#[test]
fn a_file_goes_through_an_event_and_keeps_its_bytes() {
    let player = |number: u32, name: &str, rating: u32, round: &str| {
        let points = if number == 1 { "1.0" } else { "0.0" };
        format!("001 {number:>4}      {name:<33} {rating} CZE{:25}{points} {number:>4}  {round}\r\n", "")
    };
    let head = "\u{FEFF}012 Club\r\n042 2026/05/01\r\n### our own remark\r\n142 2\r\n";
    let players =
        player(1, "\u{0158}eho\u{0159}, Jan", 1900, "   2 w 1") + &player(2, "Bo", 1800, "   1 b 0");
    let file = format!("{head}{players}810 a national record\r\n");
    let club = Club::new(&["--system", "swiss", "--rounds", "2"]);
    let path = club.write("club.trf", file.as_bytes());
    let checked = club.json(&["import", &path, "--check", "--json"]);
    assert_eq!(
        checked,
        json!({
            "format": "trf26", "players": 2, "teams": 0, "rounds": 1, "planned": 2, "encoding": "utf-8",
            "ends": "crlf", "faults": [], "kept": ["810"],
        })
    );
    club.of_event(&["import", &path]);
    let out = club.path("out.trf").display().to_string();
    let (status, _, err) = club.run(&["export", "--trf26", "--event", &club.event(), "-o", &out]);
    assert_eq!(status, Some(0), "{err}");
    assert_eq!(std::fs::read(&out).expect("a file"), file.as_bytes());
    let (status, said) = club.refused(&["import", &path]);
    let sentence = "this event has players already; a file is read into a new event, so that nothing played is overwritten\n";
    assert_eq!((status, said.as_str()), (Some(1), sentence));
    let wrong = club.write("wrong.trf", file.replace("1 b 0", "3 b 0").as_bytes());
    let (status, out, err) = club.run(&["import", &wrong, "--check"]);
    assert_eq!(status, Some(1), "{out}");
    assert!(err.contains("round 1: 2 meets 3, who is not in the list"), "{err}");
}

#[test]
fn a_cup_tells_its_level_and_its_prizes() {
    let plan = ["--system", "knock-out", "--rounds", "2", "--game", "choker", "--stack", "100"];
    let money =
        ["--levels", "600/1/2,break/300,600/2/4", "--money", "200", "--fee", "10", "--shares", "70,30"];
    let club = Club::new(&[&plan[..], &money].concat());
    for name in ["Ann", "Bo", "Cy", "Dee"] {
        club.of_event(&["add", name]);
    }
    club.of_event(&["pair", "--accept"]);
    club.of_event(&["result", "1", "1", "1-0", "--chips", "130:70"]);
    club.of_event(&["result", "1", "2", "0-1", "--chips", "0:200"]);
    let last = club.of_event(&["pair", "--accept"]);
    assert_eq!(last["pairs"], json!([[1, 3]]));
    club.of_event(&["result", "2", "1", "0-1", "--chips", "90:110"]);
    let level = club.of_event(&["blinds", "--at", "700"]);
    assert_eq!(level, json!({"level": 1, "small": 1, "big": 2, "left": 200, "break": true}));
    let prizes = club.of_event(&["prizes"]);
    assert_eq!((&prizes["pool"], &prizes["places"]), (&json!(180), &json!([126, 54])));
    assert_eq!(prizes["prizes"][0], json!({"id": 3, "name": "Cy", "prize": 126}), "{prizes}");
}

#[test]
fn pairs_are_changed_by_hand_between_an_explicit_begin_and_end() {
    let club = Club::new(&["--system", "round-robin", "--rounds", "3"]);
    let list = club.write("list.csv", b"name;rating\nAnn;1900\nBo;1800\nCy;1700\nDee;1600\n");
    club.of_event(&["import", &list]);
    club.of_event(&["pair", "--accept"]);
    club.of_event(&["result", "1", "1", "1-0"]);
    club.of_event(&["result", "1", "2", "1-0"]);
    let begun = club.of_event(&["pair", "--begin-by-hand", "--hand", "1-4,3-2"]);
    let met = ["1 and 4 have met in round 1", "3 and 2 have met in round 1"];
    assert_eq!(
        (&begun["open"], &begun["differs"], &begun["warnings"]),
        (&json!(true), &json!(2), &json!(met))
    );
    let (status, said) = club.refused(&["pair", "--end-by-hand"]);
    let sentence = "1 and 4 have met in round 1; keep it with a --reason, or change the pairs\n";
    assert_eq!((status, said.as_str()), (Some(1), sentence));
    club.of_event(&["pair", "--hand", "4-3,1-2"]);
    let shown = club.of_event(&["pair"]);
    assert_eq!(
        (&shown["open"], &shown["differs"], &shown["pairs"]),
        (&json!(true), &json!(0), &json!([[4, 3], [1, 2]]))
    );
    club.of_event(&["pair", "--end-by-hand"]);
    let (status, said) = club.refused(&["pair", "--end-by-hand"]);
    assert_eq!(
        (status, said.as_str()),
        (Some(1), "no pairs are open; `tabiya event pair --begin-by-hand` opens them\n")
    );
}

#[test]
fn rounds_chips_and_names_beyond_all_bounds_are_refused_at_once() {
    let plan = ["--system", "swiss", "--rounds", "2", "--game", "choker", "--stack", "4294967295"];
    let club = Club::new(&plan);
    club.of_event(&["add", "Ann"]);
    club.of_event(&["add", "Bo"]);
    club.of_event(&["pair", "--hand", "1-2", "--accept"]);
    let before = club.of_event(&["standings"]);
    let none = |round: &str| format!("round {round} is none of this event; it has rounds 1 to 2\n");
    let unnamed = |name: &str| {
        format!("\"{name}\" is no name on one line; write the player's name without line breaks\n")
    };
    let chips = "4000000000 and 294967295 chips do not add up to 8589934590\n".to_owned();
    let cases: [(&[&str], String); 8] = [
        (&["bye", "1", "99999999", "H"], none("99999999")),
        (&["bye", "1", "0", "H"], none("0")),
        (&["add", "Cy", "--from", "99999999"], none("99999998")),
        (&["withdraw", "1", "--from", "18446744073709551615"], none("18446744073709551615")),
        (&["withdraw", "1", "--from", "0"], none("0")),
        (&["add", "Cy\n001    9      Dee"], unnamed("Cy\\n001    9      Dee")),
        (&["add", " "], unnamed(" ")),
        (&["result", "1", "1", "1-0", "--chips", "4000000000:294967295"], chips),
    ];
    for (words, sentence) in cases {
        assert_eq!(club.refused(words), (Some(1), sentence), "{words:?}");
    }
    assert_eq!(club.of_event(&["standings"]), before);
    let player =
        "001    1      A                                 2000                             0.0    1\n";
    let long = club.write("long.trf", format!("012 Long\n142 99999999999\n{player}").as_bytes());
    let club = Club::new(&["--system", "swiss", "--rounds", "2"]);
    let sentence = "the file plans 99999999999 rounds, and an event has at most 99; correct the file first\n";
    assert_eq!(club.refused(&["import", &long]), (Some(1), sentence.to_owned()));
}

#[test]
fn pairs_of_another_program_are_taken_for_the_next_round() {
    let club = Club::new(&["--system", "swiss", "--rounds", "2"]);
    let list = club.write("list.csv", b"name\nAnn\nBo\nCy\nDee\nEva\n");
    club.of_event(&["import", &list]);
    let pairs = club.write("pairs.csv", b"round;board;white;black\n1;2;2;5\n1;1;4;1\n1;3;3;\n");
    let checked = club.json(&["import", &pairs, "--check", "--json"]);
    assert_eq!((&checked["format"], &checked["players"]), (&json!("pairings"), &json!(5)), "{checked}");
    club.of_event(&["import", &pairs]);
    club.of_event(&["result", "1", "1", "1-0"]);
    club.of_event(&["result", "1", "2", "0-1"]);
    let table = club.of_event(&["standings"]);
    let points = |name: &str| {
        let rows = table["standings"].as_array().expect("rows");
        rows.iter().find(|row| row["name"] == name).map(|row| row["points"].clone())
    };
    assert_eq!(["Dee", "Eva", "Cy", "Ann"].map(points), [1, 1, 1, 0].map(|points| Some(json!(points))));
    let (status, said) = club.refused(&["import", &pairs]);
    assert_eq!((status, said.as_str()), (Some(1), "round 1 cannot be paired: the next one is round 2\n"));
}

/// A list is entered whole or not at all, also by the console that has the event open.
#[test]
fn a_list_with_a_number_that_is_taken_enters_nobody() {
    let club = Club::new(&["--system", "swiss", "--rounds", "2"]);
    club.of_event(&["add", "Ann"]);
    let list = club.write("list.csv", b"no;name\n2;Bo\n1;Cy\n");
    let (status, said) = club.refused(&["import", &list]);
    assert_ne!(status, Some(0), "{said}");
    assert_eq!(club.of_event(&["standings"])["standings"].as_array().map(Vec::len), Some(1));
}

/// The journal has one writer: while a console runs, commands hand their acts over to it.
#[test]
fn a_result_is_entered_beside_the_running_console() {
    let club = Club::new(&["--system", "round-robin", "--rounds", "1"]);
    let data = format!("TABIYA_DATA={}", club.path("data").display());
    let config = format!("TABIYA_CONFIG={}", club.path("config").display());
    let event = club.event();
    let words = ["event", "--headless", "--hidden", "--bind", "127.0.0.1", "--port", "0", "--event", &event];
    let mut console = Table::under(&["env", &data, &config], &words);
    console.hear("listening on");
    let list = club.write("list.csv", b"name\nAnn\nBo\n");
    club.of_event(&["import", &list]);
    club.of_event(&["pair", "--accept"]);
    assert_eq!(club.of_event(&["result", "1", "1", "1-0", "--id", "r1"]), json!({"did": "r1"}));
    let (status, said) = club.refused(&["result", "1", "2", "1-0"]);
    let sentence = "round 1 has no board 2; `tabiya event pair` shows the boards\n";
    assert_eq!((status, said.as_str()), (Some(1), sentence));
    assert_eq!(club.of_event(&["standings"])["standings"][0]["points"], 1);
    let (status, ..) = console.quit();
    assert!(status.success());
    assert!(!Path::new(&event).join("console.sock").exists());
}

/// What other programs compare: a table of FIDE's, a bracket.
#[test]
fn tables_of_pairs_need_no_event() {
    let club = Club { folder: tempfile::tempdir().expect("a folder") };
    let four = club.json(&["pairs", "berger", "4", "--json"]);
    assert_eq!(four["rounds"][1], json!({"round": 2, "pairs": [[4, 3], [1, 2]], "bye": null}));
    let six = club.json(&["pairs", "knock-out", "6", "--json"]);
    assert_eq!(six["rounds"][0]["matches"], json!([[1, null], [4, 5], [2, null], [3, 6]]));
    let (status, _, err) = club.run(&["pairs", "berger", "1"]);
    assert_eq!((status, err.as_str()), (Some(2), "1: pairs need 2 to 1024 players\n"));
    assert!(!Path::new(&club.event()).exists());
}

/// Plays a match by typed words into a record, and returns what was printed.
fn played(club: &Club, record: &str, (game, names): (&str, &str), words: &str) -> String {
    let data = format!("TABIYA_DATA={}", club.path("data").display());
    let config = format!("TABIYA_CONFIG={}", club.path("config").display());
    let arguments = [
        "play",
        "--headless",
        "--plain",
        "--game",
        game,
        "--time",
        "5+0",
        "--players",
        names,
        "--record",
        record,
    ];
    let done = typed_into(&mut program_of(&["env", &data, &config], &arguments), words);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    text(&done.stdout)
}

#[test]
fn a_club_s_season_is_counted_over_its_evenings() {
    let club = Club::new(&["--system", "round-robin", "--rounds", "1"]);
    let folder = club.path("evenings");
    std::fs::create_dir_all(&folder).expect("a folder");
    let record = |name: &str| folder.join(name).display().to_string();
    played(&club, &record("1.tabiya"), ("chess", "Ann,Bo"), "press black\ne2e4\n\nresign black\nyes\n");
    played(&club, &record("2.tabiya"), ("chess", "Cy,ann"), "press black\ne2e4\n\nresign white\nyes\n");
    played(&club, &record("2.tabiya"), ("choker", "Ann,Bo"), "deal\nraise 6\nfold\nend late\nyes\n");
    let data = format!("TABIYA_DATA={}", club.path("data").display());
    let season = |arguments: &[&str]| {
        let arguments = [&["season"], arguments].concat();
        let done = typed_into(&mut program_of(&["env", &data], &arguments), "");
        (done.status.code(), text(&done.stdout), text(&done.stderr))
    };
    let (status, out, err) = season(&[&folder.display().to_string(), "--json", "--method", "fide"]);
    assert_eq!(status, Some(0), "{err}");
    let all: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&all["evenings"], &all["games"], &all["method"]), (&json!(2), &json!(3), &json!("fide")));
    assert_eq!(
        all["standings"][0],
        json!({"rank": 1, "name": "Ann", "points": 3, "won": 3, "drawn": 0, "lost": 0, "chips": 2})
    );
    let pair =
        json!({"players": ["Ann", "Bo"], "points": [2, 0], "won": [2, 0], "drawn": 0, "chips": [2, -2]});
    assert_eq!(all["pairs"][0], pair);
    // 1490 against 1510 in the second evening: 0.47 are expected, so 20 × -0.47.
    assert_eq!(all["ratings"]["Bo"]["rating"], json!(1480.6));
    let (status, _, err) = season(&[&club.path("nowhere").display().to_string()]);
    assert_eq!(status, Some(2), "{err}");
    assert!(err.contains("cannot be read"), "{err}");
    let (status, _, err) = season(&[&folder.display().to_string(), "--method", "elo"]);
    assert_eq!((status, err.contains("use glicko2, fide or logistic")), (Some(2), true), "{err}");
}

#[test]
fn a_rating_by_glicko_is_told_with_its_deviation() {
    let club = Club::new(&["--system", "round-robin", "--rounds", "1"]);
    for (name, rating) in [("Ann", "1500"), ("Bo", "1500")] {
        club.of_event(&["add", name, "--rating", rating]);
    }
    club.of_event(&["pair", "--accept"]);
    club.of_event(&["result", "1", "1", "1-0"]);
    let all = club.of_event(&["ratings", "--method", "glicko2"]);
    assert_eq!(all["1"]["rating"], json!(1662));
    assert_eq!(all["2"]["rating"], json!(1338));
    assert_eq!(all["1"]["deviation"], json!(290.32));
}

#[test]
fn games_of_which_only_the_result_is_known_are_exported_without_moves() {
    let club = Club::new(&["--system", "round-robin", "--rounds", "1", "--name", "Club open"]);
    for name in ["Ann Example", "Bo"] {
        club.of_event(&["add", name]);
    }
    club.of_event(&["pair", "--accept"]);
    club.of_event(&["result", "1", "1", "+--"]);
    let (status, out, err) = club.run(&["export", "--pgn", "--event", &club.event()]);
    assert_eq!(status, Some(0), "{err}");
    for line in [
        r#"[Event "Club open"]"#,
        r#"[Round "1"]"#,
        r#"[White "Ann Example"]"#,
        r#"[Result "1-0"]"#,
        r#"[Termination "forfeit"]"#,
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
    assert!(out.ends_with("\n1-0\n"), "{out}");
}

#[test]
fn a_player_s_birth_date_is_forgotten_and_the_event_still_verifies() {
    let club = Club::new(&["--system", "swiss", "--rounds", "5"]);
    let player = |number: u32, name: &str, id: &str, birth: &str| {
        format!("001 {number:>4} m    {name:<33} 2210 GER {id:>11} {birth}  0.0 {number:>4}")
    };
    let line = player(1, "Example, Ann", "1234567", "1990/05/17");
    let other = player(2, "Example, Bo", "7654321", "1980/01/02");
    let file = club.write("club.trf", format!("012 Club open\n042 2026/11/01\n{line}\n{other}\n").as_bytes());
    let (status, _, err) = club.run(&["import", &file, "--event", &club.event()]);
    assert_eq!(status, Some(0), "{err}");
    club.of_event(&["forget", "1", "--reason", "asked for it", "--by", "Rossi"]);
    let kept = std::fs::read_to_string(club.path("club").join("tournament.trf")).expect("the file");
    assert!(!kept.contains("1990/05/17") && !kept.contains("1234567"), "{kept}");
    assert!(kept.contains("Example, Ann") && kept.contains("2210 GER") && kept.contains(&other), "{kept}");
    let verified = |expected: i32| {
        let data = format!("TABIYA_DATA={}", club.path("data").display());
        let words = ["verify", "--event", &club.event()];
        let done = typed_into(&mut program_of(&["env", &data], &words), "");
        assert_eq!(done.status.code(), Some(expected), "{}{}", text(&done.stdout), text(&done.stderr));
        text(&done.stdout)
    };
    verified(0);
    let (status, err) = club.refused(&["forget", "9"]);
    assert_eq!((status, err.contains("there is no player 9")), (Some(2), true), "{err}");
    let (status, out, err) = club.run(&["export", "--audit", "--event", &club.event()]);
    assert_eq!(status, Some(0), "{err}");
    assert!(out.starts_with("when,who,what,facts,why,line"), "{out}");
    assert!(out.lines().any(|row| row.contains("Rossi,forget,") && row.contains("asked for it")), "{out}");
    // A file that somebody exchanged is found out.
    std::fs::write(club.path("club").join("tournament.trf"), kept.replace("2210", "2410")).expect("written");
    assert!(verified(1).contains("tournament.trf"), "it is named");
}

#[test]
fn a_round_s_sheets_are_printed_in_every_language_and_no_name_is_markup() {
    let club = Club::new(&["--system", "round-robin", "--rounds", "3", "--name", "Club <open>"]);
    for name in ["Ann Example", "Bo <b>Bold", "Cy", "Di"] {
        club.of_event(&["add", name, "--rating", "1800"]);
    }
    club.of_event(&["pair", "--accept"]);
    club.of_event(&["result", "1", "1", "1-0"]);
    let sheet = |words: &[&str]| {
        let (status, out, err) = club.run(&[&["print"], words, &["--event", &club.event()]].concat());
        assert_eq!(status, Some(0), "{err}");
        out
    };
    for kind in ["pairs", "names", "standings", "crosstable", "cards", "slips"] {
        let page = sheet(&[kind]);
        assert!(page.starts_with("<!doctype html>") && page.contains("Ann Example"), "{kind}: {page}");
        assert!(!page.contains("<b>Bold") && !page.contains("<open>"), "{kind}: {page}");
    }
    assert!(sheet(&["standings"]).contains("FIDE C.07, 2026"), "the edition stands on the sheet");
    assert!(sheet(&["pairs"]).contains("1 : 0"), "a known result stands beside its pair");
    assert!(sheet(&["slips", "--language", "de"]).contains("Unterschrift"));
    let (status, err) = club.refused(&["print", "posters"]);
    assert_eq!((status, err.contains("use one of pairs, names")), (Some(2), true), "{err}");
}
