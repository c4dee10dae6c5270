//! Measures a hall of 1,000 tables with two lines a second each, as `docs/hall.md` describes it: from a line that is durable at its
//! table to the same line durable at the console, over the real wire. All tables are in this process, each with a desk and a journal of
//! its own; the console is another process, as `tabiya event` runs it. On the way, in the same run: what the disk and the carrier
//! (WebSocket over TLS, without record and copies) do alone, the console's processor and memory, orders, a table that falls
//! silent, and a console that is killed and comes back.
//!
//! Goals: 99 of 100 lines within 10 ms, the console under 30 % of a processor and 200 MB; 99 of 100 orders within 50 ms; silence told
//! within 3.5 s; all tables current within 5 s of a restart.
//!
//! `TABIYA_BENCH_TABLES` chooses another number of tables, `TABIYA_BENCH_SECONDS` how long lines are written.
//! `TABIYA_BENCH_TABLES_FOLDER` puts the tables' records elsewhere, such as into memory.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]

mod support;

fn main() {
    if let Some(folder) = std::env::var_os(parts::CONSOLE_OF) {
        parts::console(folder.as_ref());
    } else {
        parts::hall();
    }
}

mod parts {
    use std::collections::VecDeque;
    use std::fs::File;
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::SocketAddr;
    use std::path::{Path, PathBuf};
    use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::{self, Receiver, Sender};
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::{Duration, Instant as RealInstant, SystemTime, UNIX_EPOCH};

    use futures_util::{SinkExt as _, StreamExt as _};
    use serde_json::json;
    use tabiya_app::desk::Wish;
    use tabiya_engine::record::Header;
    use tabiya_engine::rules::{GAMES, presets};
    use tabiya_event::certs::console_name;
    use tabiya_event::console::{
        Console, ConsoleNews, ConsoleSettings, EventDates, EventFolder, OpenEvent, start,
    };
    use tabiya_event::dial::connect;
    use tabiya_event::simulate::{HallPlan, join_prepared, prepare};
    use tabiya_event::socket::PROTOCOL;
    use tabiya_event::stepped::{self, SteppedTable};
    use tabiya_event::table::{TableHub, TableSeat};
    use tabiya_event::tls;
    use tabiya_store::keys::Keyring;
    use tabiya_store::signing::TableKey;
    use tabiya_types::{BySeat, Instant, Seat, Timeline};
    use tokio_tungstenite::client_async;
    use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
    use tokio_tungstenite::tungstenite::{Bytes, Message};

    use super::support::{Sample, folder_on_disk, head, row, thorough};

    /// Names the folder of the event for the process that is the console.
    pub(super) const CONSOLE_OF: &str = "TABIYA_BENCH_CONSOLE";
    /// The pause between two lines of a table.
    const PAUSE: Duration = Duration::from_millis(500);
    /// How often it is asked whether a line has come to the console: what is measured is at most this much too long.
    const ASK: Duration = Duration::from_micros(200);
    /// How many tables get no lines but those of orders.
    const ORDERED: usize = 20;
    /// How many links measure the carrier, and the pause between two pings on one.
    const PINGED: usize = 20;
    const PING: Duration = Duration::from_millis(200);
    /// How many tables fall silent at the end.
    const SILENCED: usize = 3;
    /// How many threads move the tables' desks.
    const MOVERS: usize = 4;

    fn of_env(name: &str, usual: usize) -> usize {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
    }

    fn date() -> (String, u64) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a date after 1970");
        ("2026-12-01T12:00:00Z".to_owned(), u64::try_from(since.as_millis()).expect("a date before 2100"))
    }

    fn open(folder: &Path) -> OpenEvent {
        let (today, unix_ms) = date();
        let now = EventDates { date: &today, unix_ms };
        let keys = Keyring::in_folder(&folder.join("keys"));
        let event = EventFolder::find(Some(&folder.join("event")), folder, "").expect("it is named");
        if event.has_event() {
            OpenEvent::open(&event, &keys, &now).expect("it was made")
        } else {
            OpenEvent::make(&event, ("Bench", "desk-1"), &keys, &now).expect("a new event")
        }
    }

    // ---- the console's process ----

    /// Runs a console. It answers each line that it is told with one line, until nobody tells it more.
    #[expect(clippy::print_stdout, reason = "this process talks to the one that measures")]
    pub(super) fn console(folder: &Path) {
        let settings = ConsoleSettings {
            bind: std::env::var("TABIYA_BENCH_BIND")
                .ok()
                .and_then(|text| text.parse().ok())
                .expect("an address"),
            announces: false,
            phones: None,
            date,
        };
        let (console, mut news) = start(open(folder), &settings).expect("a port");
        println!("{}", console.listens);
        for line in std::io::stdin().lines().map_while(Result::ok) {
            let mut words = line.split_whitespace();
            let answer = match words.next() {
                Some("here") => {
                    console.hall().tables.values().filter(|table| table.is_here()).count().to_string()
                }
                Some("load") => load(),
                Some("lines") => kept_lines(&console).to_string(),
                Some("order") => order(&console, &mut news, words.next().and_then(|word| word.parse().ok())),
                Some("silent") => {
                    silent(&console, &mut news, words.next().and_then(|word| word.parse().ok()))
                }
                _ => "unknown".to_owned(),
            };
            println!("{answer}");
        }
    }

    /// How many lines the copies have.
    fn kept_lines(console: &Console) -> u64 {
        let hall = console.hall();
        let matches = hall.tables.values().flat_map(|table| table.matches.values());
        matches.filter_map(|of_match| Some(of_match.reached()?.seq)).sum()
    }

    /// The processor's time so far of all threads but the one that measures here, in ms, and the resident memory, in kB.
    fn load() -> String {
        let own = Path::new("/proc/self/task").join(std::process::id().to_string()).join("stat");
        let time = ticks(Path::new("/proc/self/stat")).saturating_sub(ticks(&own));
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0").trim();
        format!("{} {}", 10 * time, resident.trim_end_matches(" kB"))
    }

    /// The processor's time of a process or a thread so far, in hundredths of a second.
    fn ticks(stat: &Path) -> u64 {
        let text = std::fs::read_to_string(stat).unwrap_or_default();
        // After the name in brackets: user and system time are the 12th and 13th.
        let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
        fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
    }

    type News = tokio::sync::mpsc::UnboundedReceiver<ConsoleNews>;

    /// Waits for news, but not for ever.
    fn next(news: &mut News, until: RealInstant) -> Option<ConsoleNews> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async { tokio::time::timeout_at(until.into(), news.recv()).await.ok().flatten() })
    }

    /// Orders `pause` and `resume` in turns. Answers the microseconds until it is done, or why it is not.
    fn order(console: &Console, news: &mut News, table: Option<u16>) -> String {
        let Some(table) = table else { return "no table".to_owned() };
        while news.try_recv().is_ok() {}
        let began = RealInstant::now();
        let given = {
            let mut hall = console.hall();
            let runs = hall.tables.get(&table).and_then(|seen| {
                let (_, _, clock) = seen.state.as_ref()?.0.on.as_ref()?;
                clock.as_ref()?.runs
            });
            let word = if runs.is_some() { "pause" } else { "resume" };
            let now = console.now();
            hall.wanted(table, word, now).and_then(|wanted| hall.give(table, wanted, "Bench", now))
        };
        if let Err(fault) = given {
            return fault.to_string();
        }
        let until = began + Duration::from_secs(10);
        while let Some(one) = next(news, until) {
            match one {
                ConsoleNews::Did(of, ..) if of == table => return began.elapsed().as_micros().to_string(),
                ConsoleNews::Refused(of, _, why) if of == table => return why.english,
                _ => {}
            }
        }
        "no answer".to_owned()
    }

    /// Waits for the alert that this table is silent. Answers how many ms after its last word it came.
    fn silent(console: &Console, news: &mut News, table: Option<u16>) -> String {
        let until = RealInstant::now() + Duration::from_secs(20);
        while let Some(one) = next(news, until) {
            if let ConsoleNews::Alert(alert) = one
                && alert.kind == "silent"
                && alert.table == table
            {
                let heard = table.and_then(|table| Some(console.hall().tables.get(&table)?.heard));
                return console.now().saturating_sub(heard.unwrap_or(0)).to_string();
            }
        }
        "no alert".to_owned()
    }

    /// The process of the console, as it is told and answers.
    struct ConsoleProcess {
        child: Child,
        to: ChildStdin,
        from: BufReader<ChildStdout>,
        listens: SocketAddr,
    }

    impl ConsoleProcess {
        fn start(folder: &Path, bind: &str) -> Self {
            let mut child = Command::new(std::env::current_exe().expect("this program"))
                .env(CONSOLE_OF, folder)
                .env("TABIYA_BENCH_BIND", bind)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("a process");
            let to = child.stdin.take().expect("a pipe");
            let mut from = BufReader::new(child.stdout.take().expect("a pipe"));
            let mut line = String::new();
            from.read_line(&mut line).expect("it says where it listens");
            let listens = line.trim().parse().expect("an address");
            Self { child, to, from, listens }
        }

        fn tell(&mut self, words: &str) -> String {
            writeln!(self.to, "{words}").expect("it hears");
            let mut line = String::new();
            self.from.read_line(&mut line).expect("it answers");
            line.trim().to_owned()
        }

        /// The processor's time so far, and the memory in MB.
        fn load(&mut self) -> (Duration, f64) {
            let answer = self.tell("load");
            let (time, memory) = answer.split_once(' ').expect("two numbers");
            let kilobytes: f64 = memory.trim().parse().expect("a number");
            (Duration::from_millis(time.parse().expect("a number")), kilobytes / 1024.0)
        }
    }

    impl Drop for ConsoleProcess {
        fn drop(&mut self) {
            // A process that is gone already has ended as it should.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    // ---- the tables' process ----

    /// The time of a table: the computer's own since its start.
    #[derive(Clone)]
    struct TableTime(RealInstant);

    impl Timeline for TableTime {
        fn now(&self) -> Instant {
            Instant::from_millis(u64::try_from(self.0.elapsed().as_millis()).expect("a short run"))
        }
    }

    struct Table {
        stepped: SteppedTable,
        time: TableTime,
        runs: bool,
        due: RealInstant,
    }

    fn header(number: u16) -> Header {
        let mut terms = presets::terms(None, "chess").expect("chess has terms");
        terms.set("time", "5400+30");
        let players = BySeat { a: format!("Player {}", 2 * number - 1), b: format!("Player {}", 2 * number) };
        let id = format!("r1-{number}");
        let header = Header::compose("chess", &players, Seat::A, &terms, None, Some(&id));
        Header::from_value(header, GAMES).expect("a header of chess")
    }

    fn sit(number: u16, seat: &TableSeat, folder: &Path) -> Table {
        let time = TableTime(RealInstant::now());
        let stepped = stepped::sit(
            &folder.join(format!("table-{number}")),
            seat.clone(),
            &header(number),
            Box::new(time.clone()),
        );
        let mut stepped = stepped.expect("a match");
        stepped.desk.wish(Wish::Typed("e4".to_owned()), Instant::ZERO);
        Table { stepped, time, runs: true, due: RealInstant::now() }
    }

    /// How many syncs of 4 KiB this disk does in a second, one after the other.
    fn syncs(folder: &Path) -> usize {
        let mut file = File::create(folder.join("syncs")).expect("a disk");
        let until = RealInstant::now() + Duration::from_secs(if thorough() { 3 } else { 0 });
        let mut count = 0;
        while RealInstant::now() < until {
            file.write_all(&[0; 4096]).expect("a disk");
            file.sync_data().expect("a disk");
            count += 1;
        }
        count / 3
    }

    /// A line that is durable at its table: since when, and whose.
    type Written = (RealInstant, Arc<TableHub>);

    /// Moves these tables until it is to stop: each writes a line every half second, and does what is ordered.
    fn move_tables(tables: &mut [Table], stop: &AtomicBool, writes: bool, written: &Sender<Written>) {
        while !stop.load(Ordering::Relaxed) {
            for table in &mut *tables {
                let now = table.time.now();
                let SteppedTable { desk, links, .. } = &mut table.stepped;
                links.take_orders(desk);
                if writes && table.due <= RealInstant::now() {
                    table.due += PAUSE;
                    table.runs = !table.runs;
                    let word = if table.runs { "resume" } else { "pause" };
                    desk.wish(Wish::Typed(word.to_owned()), now);
                    // Whoever counts may be gone already.
                    let _ = written.send((RealInstant::now(), Arc::clone(links.hub())));
                }
                links.tell(desk, now);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Asks of each line that was written whether it is durable at the console.
    fn watch_lines(written: &Receiver<Written>, stop: &AtomicBool) -> (Sample, usize) {
        let (mut sample, mut open): (Sample, VecDeque<Written>) = (Sample::default(), VecDeque::new());
        loop {
            open.extend(written.try_iter());
            open.retain(|(since, hub)| {
                let told = hub.is_told();
                if told {
                    sample.add(since.elapsed());
                }
                !told
            });
            if stop.load(Ordering::Relaxed)
                && (open.is_empty() || open.iter().all(|(since, _)| since.elapsed() > Duration::from_secs(5)))
            {
                return (sample, open.len());
            }
            thread::sleep(ASK);
        }
    }

    /// Waits until every table is linked and has told everything. Returns how long that took.
    fn all_current(hubs: &[Arc<TableHub>]) -> Duration {
        let began = RealInstant::now();
        let current = |hub: &Arc<TableHub>| {
            let state = hub.state();
            !state.consoles.is_empty() && state.behind == 0
        };
        while !hubs.iter().all(current) {
            assert!(began.elapsed() < Duration::from_mins(2), "all tables come to the console");
            thread::sleep(Duration::from_millis(2));
        }
        began.elapsed()
    }

    #[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
    pub(super) fn hall() {
        let count = of_env("TABIYA_BENCH_TABLES", if thorough() { 1_000 } else { 3 });
        let seconds =
            Duration::from_secs(of_env("TABIYA_BENCH_SECONDS", if thorough() { 30 } else { 1 }) as u64);
        let folder = folder_on_disk();
        let tables_in = std::env::var_os("TABIYA_BENCH_TABLES_FOLDER").map(PathBuf::from);
        let tables_in = tables_in.map_or_else(
            || folder.path().join("tables"),
            |named| named.join(format!("tabiya-hall-{}", std::process::id())),
        );
        println!("{} syncs of 4 KiB a second, one after the other", syncs(folder.path()));
        let tables_and_pings = u16::try_from(count + PINGED).expect("at most 9,999");
        let plan = HallPlan { tables: tables_and_pings, seed: 1, speed: 1, drill: None };
        let files = prepare(&mut open(folder.path()), &plan, "").expect("tokens");
        let mut console = ConsoleProcess::start(folder.path(), "127.0.0.1:0");
        println!("{:.1} MB: a console without tables", console.load().1);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let joining = RealInstant::now();
        let mut tables: Vec<Table> = Vec::new();
        for (number, file) in (1..).zip(files.iter().take(count)) {
            let at = tables_in.join(format!("table-{number}"));
            let seat = join_prepared(number, file, (console.listens, &at));
            let mut seat = runtime.block_on(seat).expect("a seat");
            seat.consoles = vec![console.listens.to_string()];
            tables.push(sit(number, &seat, &tables_in));
        }
        println!(
            "{:.1} s: {count} tables join one after the other, and begin their matches",
            joining.elapsed().as_secs_f64()
        );
        for table in &mut tables {
            table.stepped.links.dial(runtime.handle());
        }
        let hubs: Vec<Arc<TableHub>> =
            tables.iter().map(|table| Arc::clone(table.stepped.links.hub())).collect();
        println!("{:.2} s: all {count} tables are linked and current", all_current(&hubs).as_secs_f64());
        let pings = Pings::begin(&runtime, (count, &files), (console.listens, &tables_in));
        lines(&mut console, &mut tables, seconds);
        head("the carrier alone, on links of its own in the same time");
        row("ping to pong", &pings.end(), "WebSocket over TLS");
        silence(&mut console, &mut tables);
        let hubs = hubs.get(SILENCED..).unwrap_or_default();
        restart(console, hubs, folder.path());
        drop(tables);
        // What lies in memory is not to stay there.
        let _ = std::fs::remove_dir_all(&tables_in);
    }

    /// Two lines a second at each table, and orders at some: the latencies, and the console's load.
    #[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
    fn lines(console: &mut ConsoleProcess, tables: &mut [Table], seconds: Duration) {
        let count = tables.len();
        let (told, written) = mpsc::channel();
        let (stop, counted) = (AtomicBool::new(false), Mutex::new((Sample::default(), 0)));
        let mut ordered = Sample::default();
        let mut refused = Vec::new();
        let idle = measure(console, seconds / 3, &mut |_| {});
        println!(
            "{:.1} % of a processor, {:.1} MB: the console, with {count} tables that say once a second how they stand",
            idle.0, idle.1
        );
        let before: u64 = console.tell("lines").parse().unwrap_or(0);
        let (begin, apart) = (RealInstant::now(), PAUSE / u32::try_from(count).expect("few"));
        for (nth, table) in (0_u32..).zip(&mut *tables) {
            table.due = begin + apart * nth;
        }
        let lined = count.saturating_sub(ORDERED.min(count / 3));
        let (writing, ordering) = tables.split_at_mut(lined);
        let busy = thread::scope(|scope| {
            let (stop, counted) = (&stop, &counted);
            for part in writing.chunks_mut(lined.div_ceil(MOVERS).max(1)) {
                let told = told.clone();
                scope.spawn(move || move_tables(part, stop, true, &told));
            }
            let told_too = told.clone();
            scope.spawn(move || move_tables(ordering, stop, false, &told_too));
            scope.spawn(move || *counted.lock().expect("it counts") = watch_lines(&written, stop));
            let mut nth = 0;
            let busy = measure(console, seconds, &mut |console| {
                let number = lined + 1 + nth % (count - lined);
                nth += 1;
                let answer = console.tell(&format!("order {number}"));
                match answer.parse() {
                    Ok(micros) => ordered.add(Duration::from_micros(micros)),
                    Err(_) => refused.push(answer),
                }
                thread::sleep(Duration::from_millis(100));
            });
            stop.store(true, Ordering::Relaxed);
            busy
        });
        let (sample, lost) = counted.into_inner().expect("it counts");
        head(&format!("{lined} tables, two lines a second each"));
        row("durable at the table to durable at the console", &sample, format!("{lost} not told"));
        row(
            "order given to its answer at the console",
            &ordered,
            format!("{} refused {}", refused.len(), refused.first().map_or("", String::as_str)),
        );
        println!("{:.1} % of a processor, {:.1} MB: the console meanwhile", busy.0, busy.1);
        let kept = console.tell("lines").parse().unwrap_or(0) - before;
        println!("{kept} lines were kept meanwhile, {} of them written as measured", sample.len());
    }

    /// The share of a processor that the console uses in this time, in percent, and its memory at the end, in MB.
    fn measure(
        console: &mut ConsoleProcess,
        span: Duration,
        meanwhile: &mut dyn FnMut(&mut ConsoleProcess),
    ) -> (f64, f64) {
        let (before, _) = console.load();
        let began = RealInstant::now();
        while began.elapsed() < span {
            meanwhile(console);
            thread::sleep(Duration::from_millis(5));
        }
        let took = began.elapsed();
        let (after, memory) = console.load();
        (after.saturating_sub(before).as_secs_f64() / took.as_secs_f64() * 100.0, memory)
    }

    /// Links that send nothing but pings, which the library itself answers.
    struct Pings {
        stop: Arc<AtomicBool>,
        links: Vec<tokio::task::JoinHandle<Sample>>,
        runtime: tokio::runtime::Handle,
    }

    impl Pings {
        fn begin(
            runtime: &tokio::runtime::Runtime,
            (count, files): (usize, &[String]),
            (console, folder): (SocketAddr, &Path),
        ) -> Self {
            let stop: Arc<AtomicBool> = Arc::default();
            let numbered = (1_u16..).zip(files).skip(count);
            let links = numbered.map(|(number, file)| {
                let at = folder.join(format!("table-{number}"));
                let seat = runtime.block_on(join_prepared(number, file, (console, &at))).expect("a seat");
                let key = Arc::new(Keyring::beside_records(&at).table_key().expect("a key"));
                runtime.spawn(ping(seat, key, console, Arc::clone(&stop)))
            });
            let links = links.collect();
            Self { stop, links, runtime: runtime.handle().clone() }
        }

        fn end(self) -> Sample {
            self.stop.store(true, Ordering::Relaxed);
            let mut all = Sample::default();
            for link in self.links {
                all.append(self.runtime.block_on(link).expect("the link stands"));
            }
            all
        }
    }

    async fn ping(seat: TableSeat, key: Arc<TableKey>, console: SocketAddr, stop: Arc<AtomicBool>) -> Sample {
        let name = console_name(&seat.event);
        let config = tls::to_console(&seat.authority, &seat.identity(key)).expect("TLS");
        let (stream, _) = connect(&console.to_string(), Arc::new(config), &name).await.expect("it listens");
        let mut request = format!("wss://{name}/v1/table").into_client_request().expect("a request");
        request.headers_mut().insert("Sec-WebSocket-Protocol", PROTOCOL.parse().expect("a word"));
        let (mut link, _) = client_async(request, stream).await.expect("an upgrade");
        let hello = json!({
            "m": "hello", "event": seat.event, "table": seat.table, "boot": format!("{:016x}", seat.table),
            "up": 1, "program": "ping", "matches": [],
        });
        link.send(Message::text(hello.to_string())).await.expect("it hears");
        let mut sample = Sample::default();
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(PING).await;
            // A message that the console does not know keeps the link open.
            link.send(Message::text(json!({"m": "ping"}).to_string())).await.expect("it hears");
            let began = RealInstant::now();
            link.send(Message::Ping(Bytes::from_static(b"ping"))).await.expect("it hears");
            while !matches!(link.next().await, Some(Ok(Message::Pong(_)))) {}
            sample.add(began.elapsed());
        }
        sample
    }

    /// A table falls silent: its program stands still, its link stays open.
    #[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
    fn silence(console: &mut ConsoleProcess, tables: &mut [Table]) {
        let mut sample = Vec::new();
        for nth in 0..SILENCED.min(tables.len()) {
            let still = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
            let still = still.expect("a runtime");
            let table = tables.get_mut(nth).expect("it is there");
            table.stepped.links.dial(still.handle());
            all_current(&[Arc::clone(table.stepped.links.hub())]);
            thread::sleep(Duration::from_secs(2));
            still.spawn(async { thread::sleep(Duration::from_secs(5)) });
            sample.push(console.tell(&format!("silent {}", nth + 1)));
            still.shutdown_timeout(Duration::from_secs(10));
        }
        println!("{} ms after its last word a table is told to be silent", sample.join(", "));
    }

    /// The console is killed and comes back at the same address.
    #[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
    fn restart(console: ConsoleProcess, hubs: &[Arc<TableHub>], folder: &Path) {
        let bind = console.listens.to_string();
        drop(console);
        thread::sleep(Duration::from_secs(5));
        let began = RealInstant::now();
        let mut console = ConsoleProcess::start(folder, &bind);
        println!(
            "{:.2} s: a console that was killed reads its copies and listens",
            began.elapsed().as_secs_f64()
        );
        all_current(hubs);
        println!("{:.2} s: all tables are current again", began.elapsed().as_secs_f64());
        println!("{:.1} MB: the console then; {} tables are linked", console.load().1, console.tell("here"));
    }
}
