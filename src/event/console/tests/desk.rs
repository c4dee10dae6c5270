//! What the event's folder lacks is told, and what people do at a console stands in the event's own journal.

use tabiya_store::journal::{NewEntry, Store as _};

use super::*;

// ---- the folder ----

impl Hall {
    fn event_file(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("event").join(name)
    }

    /// The acts of this kind in the event's journal, which is read while the console runs.
    fn acts(&self, verb: &str) -> Vec<Value> {
        let reader =
            tabiya_store::journal::Journal::open_read(&self.event_file("event.tabiya")).expect("a journal");
        let info = reader.matches().expect("acts").remove(0);
        let lines = reader.entries(info.id).expect("a disk").into_iter();
        let lines = lines.map(|entry| serde_json::from_str::<Value>(&entry.line).expect("JSON"));
        lines.filter(|line| line["do"] == verb).collect()
    }

    /// Makes a table's record go on in two ways.
    fn fork(&mut self, number: u16) -> Pretended {
        let table = self.table(number);
        let mut link = self.link(&table);
        self.say(&mut link, &table.hello("0011223344556677", &json!([])));
        self.hear(&mut link, "welcome");
        for (seq, one) in table.record(false).iter().enumerate() {
            self.say(&mut link, &line(seq, one));
        }
        while self.hear(&mut link, "kept")["seq"] != 2 {}
        self.say(&mut link, &line(2, &table.record(true)[2]));
        self.hear(&mut link, "kept");
        table
    }

    /// What of the folder people are told to be missing, at the next start.
    fn notices_at_start(&mut self) -> Vec<FolderNotice> {
        self.console = None;
        self.start();
        let mut notices = Vec::new();
        while let Ok(news) = self.news.as_mut().expect("it runs").try_recv() {
            if let ConsoleNews::Notice(notice) = news {
                notices.push(notice);
            }
        }
        notices
    }
}

#[test]
fn a_fork_is_an_act_of_the_event_so_that_its_file_is_missed_when_somebody_removes_it() {
    let mut hall = Hall::open();
    hall.fork(17);
    assert_eq!(hall.notices_at_start(), [], "all is there");
    let forks = hall.acts("fork");
    assert_eq!(forks.len(), 1, "{forks:?}");
    assert_eq!(
        (&forks[0]["file"], &forks[0]["table"], &forks[0]["match"]),
        (&json!(1), &json!(17), &json!("r1"))
    );
    hall.console = None;
    for file in ["fork-1.tabiya", "fork-1.heads"] {
        let _ = std::fs::remove_file(hall.event_file(file));
    }
    assert_eq!(hall.notices_at_start(), [FolderNotice::NoFork(1)]);
    let of =
        EventFolder::find(Some(&hall.folder.path().join("event")), hall.folder.path(), "").expect("named");
    hall.console = None;
    assert_eq!(of.forks_ever().expect("acts"), [1].into());
}

#[test]
fn a_fork_that_a_kill_left_without_its_act_is_noted_at_the_next_start() {
    let mut hall = Hall::open();
    hall.fork(17);
    hall.console = None;
    // An event's journal of before the fork.
    for file in ["event.tabiya", "event.heads"] {
        let _ = std::fs::remove_file(hall.event_file(file));
    }
    assert_eq!(hall.notices_at_start(), [FolderNotice::NoActs]);
    hall.console = None;
    assert_eq!(hall.acts("fork").len(), 1);
    assert_eq!(hall.acts("missing")[0]["name"], "event.tabiya");
}

#[test]
fn copies_that_are_not_there_any_more_are_told_and_noted() {
    let mut hall = Hall::open();
    assert_eq!(hall.notices_at_start(), [], "a new event misses nothing");
    hall.console = None;
    std::fs::remove_file(hall.event_file("hall.tabiya")).expect("it is there");
    assert_eq!(hall.notices_at_start(), [FolderNotice::NoCopies]);
    assert_eq!(hall.acts("missing")[0]["name"], "hall.tabiya");
    assert_eq!(hall.notices_at_start(), [], "it is told once");
}

#[test]
fn acts_that_were_cut_at_their_end_are_told() {
    let mut hall = Hall::open();
    hall.console = None;
    let kept = std::fs::read(hall.event_file("event.tabiya")).expect("a disk");
    let mut event = hall.event();
    let (today, unix_ms) = date();
    event.note(&Act::new("order", "Rossi").with("words", "pause"), unix_ms, &today).expect("a disk");
    drop(event);
    assert_eq!(hall.acts("order").len(), 1);
    std::fs::write(hall.event_file("event.tabiya"), kept).expect("a disk");
    let doubt = |notices: Vec<FolderNotice>| match notices.as_slice() {
        [FolderNotice::Acts(why)] => why.clone(),
        other => panic!("the end is missing: {other:?}"),
    };
    let why = doubt(hall.notices_at_start());
    assert!(why.contains("was shortened"), "{why}");
    // Without the signed heads, this computer's own note tells.
    hall.console = None;
    std::fs::remove_file(hall.event_file("event.heads")).expect("it is there");
    let why = doubt(hall.notices_at_start());
    assert!(why.contains("lacks line"), "{why}");
}

#[test]
fn a_damaged_list_of_prepared_files_says_what_to_do() {
    let mut hall = Hall::open();
    hall.console = None;
    std::fs::write(hall.event_file("tokens.json"), "{\"tabiya-tokens\":1,").expect("a disk");
    let keys = Keyring::in_folder(&hall.folder.path().join("keys"));
    let folder =
        EventFolder::find(Some(&hall.folder.path().join("event")), hall.folder.path(), "").expect("named");
    let (today, unix_ms) = date();
    let fault = OpenEvent::open(&folder, &keys, &EventDates { date: &today, unix_ms }).expect_err("damaged");
    let said = fault.to_string();
    assert!(said.contains("tokens.json: the list of prepared files is damaged"), "{said}");
    assert!(said.contains("`tabiya event tables` writes new ones"), "{said}");
    assert_eq!(said.matches("damaged").count(), 1, "{said}");
}

// ---- the desk ----

#[test]
fn who_looks_after_an_alert_and_who_closes_it_stands_in_the_event_s_journal() {
    let mut hall = Hall::open();
    let table = hall.table(17);
    let mut link = hall.link(&table);
    hall.say(&mut link, &table.hello("0011223344556677", &json!([])));
    hall.hear(&mut link, "welcome");
    hall.say(
        &mut link,
        &json!({
            "m": "state", "n": 1, "up": 1, "match": null, "t": null, "clock": null,
            "board": {"link": "none", "battery": null}, "reader": null, "record": "ok",
            "alerts": [{
                "id": "0011223344556677-1", "rank": 3, "kind": "board", "by": null, "since": 1, "count": 1,
                "say": {"id": "x", "en": "silent"}, "taken": null,
            }],
        }),
    );
    until(|| !hall.console().hall().queue(0).is_empty());
    assert_eq!(hall.console().take(17, "Rossi").map(|alert| alert.kind).as_deref(), Some("board"));
    assert_eq!(hall.hear(&mut link, "take")["arbiter"], "Rossi");
    // Another computer speaks as table 17: the console's own alert.
    let mut twice = hall.link(&table);
    hall.say(&mut twice, &table.hello("8899aabbccddeeff", &json!([])));
    assert_eq!(hall.end(&mut twice), 4409);
    assert_eq!(hall.console().close_all(17, "Bianchi"), 1);
    assert_eq!(hall.console().close_all(17, "Bianchi"), 0, "it is closed");
    hall.console = None;
    let acts: Vec<(Value, Value, Value)> = hall
        .acts("take")
        .into_iter()
        .map(|act| (act["who"].clone(), act["kind"].clone(), act["done"].clone()))
        .collect();
    assert_eq!(
        acts,
        [("Rossi".into(), "board".into(), Value::Null), ("Bianchi".into(), "twice".into(), true.into())]
    );
}

#[test]
fn a_body_that_is_announced_as_too_long_is_refused_before_it_comes() {
    let hall = Hall::open();
    let asked = Instant::now();
    let head = format!("POST {PATH} HTTP/1.1\r\nhost: console\r\ncontent-length: 1000000000\r\n\r\n");
    assert_eq!(hall.answer(head.as_bytes()), "HTTP/1.1 413 Payload Too Large");
    assert!(asked.elapsed() < Duration::from_secs(5), "not only once its time is over");
}

#[test]
fn lines_as_deep_as_the_contract_allows_are_kept_and_folded() {
    let mut hall = Hall::open();
    let table = hall.table(17);
    let mut link = hall.link(&table);
    hall.say(&mut link, &table.hello("0011223344556677", &json!([])));
    hall.hear(&mut link, "welcome");
    let mut record = table.record(false);
    // With the message and the line around it, this is 64 deep.
    let mut deep = json!(1);
    for _ in 0..62 {
        deep = json!([deep]);
    }
    let line_of = json!({"t": 901, "do": "press", "by": "white", "x-deep": deep});
    let hash = record[2].1.then(&line_of);
    record.push((line_of, hash));
    for (seq, one) in record.iter().enumerate() {
        hall.say(&mut link, &line(seq, one));
    }
    while hall.hear(&mut link, "kept")["seq"] != 3 {}
    let seen = hall.console().hall();
    assert!(!seen.tables[&17].matches["r1"].newer, "it is understood, too");
}

#[test]
fn a_match_that_has_not_begun_while_most_others_have_is_noted_once() {
    let mut hall = Hall::open();
    let tables = [hall.table(1), hall.table(2), hall.table(3)];
    let mut links = Vec::new();
    for table in &tables {
        let mut link = hall.link(table);
        hall.say(&mut link, &table.hello("0011223344556677", &json!([])));
        hall.hear(&mut link, "welcome");
        let waits = table.seat.table == 3;
        let mut record = table.record(false);
        record[0].0["id"] = format!("r1-{}", table.seat.table).into();
        let uid = record[0].0["id"].clone();
        let mut before: Option<Head> = None;
        for (seq, (value, _)) in record.iter().enumerate().take(if waits { 1 } else { 3 }) {
            let hash = before.map_or_else(|| Head::of_header(value), |before| before.then(value));
            before = Some(hash);
            let mut message = line(seq, &(value.clone(), hash));
            message["match"] = uid.clone();
            hall.say(&mut link, &message);
        }
        let state = json!({
            "m": "state", "n": 1, "up": 1, "match": uid, "t": 1_000, "clock": null,
            "board": {"link": "none", "battery": null}, "reader": null, "record": "ok", "alerts": [],
        });
        hall.say(&mut link, &state);
        links.push(link);
    }
    until(|| {
        let console = hall.console().hall();
        let begun = |number: u16| {
            console
                .tables
                .get(&number)
                .and_then(|table| table.on()?.1.replay())
                .map(|replay| replay.table().begun())
        };
        [1, 2, 3].map(begun) == [Some(true), Some(true), Some(false)]
    });
    let now = hall.console().now();
    let noted = |at: u64| {
        let mut console = hall.console().hall();
        console.time(now + at);
        let open = console.alerts.open().iter().filter(|alert| alert.kind == ConsoleAlertKind::NotStarted);
        open.map(|alert| alert.table).collect::<Vec<_>>()
    };
    assert_eq!(noted(1_000), []);
    assert_eq!(noted(100_000), [], "three minutes are not over");
    assert_eq!(noted(182_000), [Some(3)]);
    assert!(hall.console().close_all(3, "Rossi") > 0);
    assert_eq!(noted(183_000), [], "it is not told again");
}

#[test]
fn a_second_console_joins_with_digits_keeps_the_lists_and_is_one_of_the_event() {
    let mut hall = Hall::open();
    let table = hall.table(17);
    let second = tempfile::tempdir().expect("a folder");
    let keys = Keyring::in_folder(&second.path().join("keys"));
    let key = Arc::new(keys.table_key().expect("a key"));
    let own = key.public().to_string();
    let address = hall.address();
    let joining =
        hall.runtime.block_on(Joining::begin(&address, key, (JoinAs::Console, "laptop"))).expect("it begins");
    let waits = hall.console().waiting();
    assert!(waits.iter().any(|one| one.name == "laptop" && one.joins == JoinAs::Console), "{waits:?}");
    let told = hall.told_until(|told| told.iter().any(|news| matches!(news, ConsoleNews::Joins(..))));
    assert!(
        told.contains(&ConsoleNews::Joins("laptop".to_owned(), "127.0.0.1".to_owned(), JoinAs::Console)),
        "{told:?}"
    );
    assert!(
        !hall.console().admit(&joining.digits, &JoinPlace::Table(18)).expect("the authority"),
        "it is no table"
    );
    let place = JoinPlace::Console {
        name: "desk-2".to_owned(),
        role: crate::lists::StaffRole::Sector,
        tables: (1, 20),
    };
    assert!(hall.console().admit(&joining.digits, &place).expect("the authority"));
    let seat =
        hall.runtime.block_on(joining.ask_as_console(&has_signed)).expect("an answer").expect("a seat");
    assert_eq!((seat.console.as_str(), seat.name.as_str()), ("desk-2", "Club open"));
    let folder = EventFolder::find(Some(&second.path().join("event")), second.path(), "").expect("named");
    let (today, unix_ms) = date();
    let now = EventDates { date: &today, unix_ms };
    join_event(&folder, &seat, (&keys, &now)).expect("its lists");
    let again = join_event(&folder, &seat, (&keys, &now)).expect_err("it is there");
    assert!(matches!(again, FolderFault::Taken(_)), "{again}");
    let event = OpenEvent::open(&folder, &keys, &now).expect("an event");
    assert_eq!(event.notices(), []);
    assert!(event.authority.is_none() && event.roster.has_key(&table.key.public().to_string()));
    let listed = event.staff.console(&own).expect("it is a console");
    assert_eq!((listed.name.as_str(), listed.tables), ("desk-2", (1, 20)));
    let settings = ConsoleSettings {
        bind: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
        announces: false,
        phones: None,
        date,
    };
    let (other, _news) = super::start(event, &settings).expect("it runs");
    assert!(!other.may_admit());
    // The table is told of it, and finds it in the list before it dials it.
    assert!(hall.console().hall().staff.console(&own).is_some());
    let admitted = || hall.acts("admit").into_iter().find(|act| act["console"] == "desk-2");
    assert!(admitted().is_some_and(|act| act["role"] == "sector"));
}

#[test]
fn a_further_copy_for_which_there_is_no_room_is_asked_for_again_and_not_lost() {
    let mut hall = Hall::open();
    let table = hall.table(17);
    let mut link = hall.link(&table);
    hall.say(&mut link, &table.hello("0011223344556677", &json!([])));
    hall.hear(&mut link, "welcome");
    let (record, other) = (table.record(false), table.record(true));
    for (seq, one) in record.iter().enumerate() {
        hall.say(&mut link, &line(seq, one));
    }
    while hall.hear(&mut link, "kept")["seq"] != 2 {}
    let comes = |hall: &Hall| {
        let (parted, hash) = other[2].clone();
        let sent = crate::wire::SentLine { uid: "r1".to_owned(), seq: 2, line: parted, hash };
        let mut console = hall.console().hall();
        let taken = console.line(17, sent, 100, 0).is_ok();
        (taken, console.tables[&17].matches["r1"].reached().map(|end| end.head))
    };
    let works =
        std::mem::replace(&mut hall.console().hall().keeper, super::super::keeper::CopyKeeper::refusing());
    assert_eq!(comes(&hall), (false, Some(record[2].1)), "the link ends, and nothing else has changed");
    assert!(!hall.has_alert(ConsoleAlertKind::Fork));
    hall.console().hall().keeper = works;
    assert_eq!(comes(&hall), (true, Some(other[2].1)));
    hall.console = None;
    let path = hall.event_file("fork-1.tabiya");
    let kept = || -> Option<Vec<_>> {
        let copy = tabiya_store::journal::Journal::open_read(&path).ok()?;
        Some(copy.matches().ok()?.into_iter().map(|info| (info.entries, info.head)).collect())
    };
    // Copies are kept on a thread of their own, which ends after the console.
    until(|| kept() == Some(vec![(2, other[2].1)]));
}

#[test]
fn a_signed_head_that_could_not_be_kept_is_kept_when_it_comes_again() {
    let mut hall = Hall::open();
    let table = hall.table(17);
    let mut link = hall.link(&table);
    hall.say(&mut link, &table.hello("0011223344556677", &json!([])));
    hall.hear(&mut link, "welcome");
    let record = table.record(false);
    for (seq, one) in record.iter().enumerate() {
        hall.say(&mut link, &line(seq, one));
    }
    while hall.hear(&mut link, "kept")["seq"] != 2 {}
    let own = hall.folder.path().join("own.tabiya");
    let keys = Keyring::in_folder(&hall.folder.path().join("table-17"));
    let signer = tabiya_store::heads::Signer::new(keys.table_key().expect("a key"));
    let mut journal = tabiya_store::journal::Journal::create(&own).expect("a journal").with_signer(signer);
    let id = journal.begin_match(&record[0].0.to_string()).expect("a header");
    for (line, _) in &record[1..] {
        let t = line["t"].as_u64().expect("a moment");
        journal.append(id, &[NewEntry { t, line: line.to_string() }]).expect("a disk");
    }
    journal.sign(id).expect("a disk");
    let key = table.key.public();
    let (text, _) = tabiya_store::heads::newest_lines(&own, key).remove(0);
    let comes = |hall: &Hall| hall.console().hall().head(17, text.clone(), &key.to_string(), 0).is_ok();
    let works =
        std::mem::replace(&mut hall.console().hall().keeper, super::super::keeper::CopyKeeper::refusing());
    assert!(!comes(&hall), "too much waits");
    hall.console().hall().keeper = works;
    assert!(comes(&hall));
    let kept = || tabiya_store::heads::newest_lines(&hall.event_file("hall.tabiya"), key);
    until(|| kept().len() == 1);
    assert!(!hall.has_alert(ConsoleAlertKind::Head));
}

#[test]
fn who_gives_orders_does_not_wait_for_a_slow_disk() {
    let mut hall = Hall::open();
    let shared = Arc::clone(&hall.console().shared);
    // Whoever writes the event's folder holds the event.
    let busy = shared.event();
    hall.console().note(Act::new("order", "Rossi").with("words", "pause"));
    assert!(hall.console().may_admit() && hall.console().waiting().is_empty());
    assert!(!hall.console().admit("000000", &JoinPlace::Table(17)).expect("the authority"));
    drop(busy);
    drop(shared);
    hall.console = None;
    assert_eq!(hall.acts("order").len(), 1, "it is written before the console ends");
}
