//! The console in the terminal: what happens in the hall is printed, and typed lines are carried out.

use std::io::BufRead as _;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use tabiya_app::hall::{BoardStage, NotReady, RoundBoard, RoundWish, default_seconds};
use tabiya_event::console::{
    Console, ConsoleNews, MatchSeen, MatchToBegin, TableSeen, WantedOrder, header_to_begin,
};
use tabiya_event::joining::{JoinAs, JoinPlace};
use tabiya_types::{Color, Millis, harmless, marked};
use tokio::sync::mpsc::UnboundedReceiver;

use super::super::output::{ExitFailure, print_line};
use super::phones;
use super::prepare::{must_be_name, range, role_of};
use crate::cli::surroundings::date;

/// What people can type.
const HELP: &str = "\
joins                  who waits to be admitted
admit DIGITS TABLE     admit the computer that shows these digits, as this table
admit DIGITS NAME ROLE [TABLES]
                       admit it as a console: admit 222557 desk-2 deputy; admit 222557 left sector 1-20
revoke TABLE           take a table's computer out of the event
tables                 all tables
alerts                 what has to be looked after, the most urgent first
take TABLE             look after a table's most urgent alert
done TABLE             close what this console itself has noticed of a table
TABLE WORDS            an order in the table's own words: 17 pause; 17 rule clock black +60 Laws 7.5.5
begin TABLE GAME TIME WHITE BLACK
                       begin a match: begin 17 chess 90+30 Ann Bo
start TIME [default MINUTES]
                       begin the matches of the round at all tables that are ready: start 90+30; start 90+30 default 30
boards                 the boards of the round: players, results, what is missing
phone NAME [TABLES]    a code for an arbiter's telephone: phone Rossi; phone Rossi 1-20; phone Rossi results
phone off NAME         sign an arbiter's telephones out
phones                 the telephones' page, and who is signed in
quit                   end this console; the tables go on";

enum Heard {
    Line(String),
    News(Box<ConsoleNews>),
    End,
    TimeIsUp,
}

/// Prints what happens and carries out what is typed, until people end it.
pub(super) fn run(
    console: &Console,
    mut news: UnboundedReceiver<ConsoleNews>,
    arbiter: &str,
    seconds: Option<Duration>,
) -> Result<(), ExitFailure> {
    let (heard, inbox) = channel();
    let told = heard.clone();
    std::thread::spawn(move || {
        while let Some(news) = news.blocking_recv() {
            if told.send(Heard::News(Box::new(news))).is_err() {
                return;
            }
        }
    });
    let ends = heard.clone();
    if let Some(seconds) = seconds {
        std::thread::spawn(move || {
            std::thread::park_timeout(seconds);
            let _ = ends.send(Heard::TimeIsUp);
        });
    }
    std::thread::spawn(move || read_lines(&heard));
    let mut desk = TypedDesk { console, arbiter, asked: None };
    while let Ok(heard) = inbox.recv() {
        match heard {
            Heard::News(news) => {
                print_line(&news.in_words().to_string())?;
                if let ConsoleNews::Joins(_, _, joins) = *news {
                    print_line(how_to_admit(joins))?;
                }
            }
            Heard::Line(line) => {
                if !desk.typed(line.trim())? {
                    return Ok(());
                }
            }
            // Nobody types any more: the console goes on until it is stopped.
            Heard::End => {}
            Heard::TimeIsUp => return Ok(()),
        }
    }
    Ok(())
}

/// What is typed to admit a computer that joins so.
fn how_to_admit(joins: JoinAs) -> &'static str {
    match joins {
        JoinAs::Table => "`admit DIGITS TABLE` admits it",
        JoinAs::Console => {
            "`admit DIGITS NAME ROLE` admits it, with the name that it gets and chief, deputy, sector or results"
        }
    }
}

fn read_lines(heard: &Sender<Heard>) {
    // Bytes that are no UTF-8 make a line that is not understood; they do not make the console deaf.
    for line in std::io::stdin().lock().split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
        if heard.send(Heard::Line(line)).is_err() {
            return;
        }
    }
    let _ = heard.send(Heard::End);
}

/// The desk of an arbiter who types.
struct TypedDesk<'a> {
    console: &'a Console,
    arbiter: &'a str,
    /// An order that waits for a yes.
    asked: Option<(u16, WantedOrder)>,
}

impl TypedDesk<'_> {
    /// Carries out a typed line. Returns whether the console goes on.
    fn typed(&mut self, line: &str) -> Result<bool, ExitFailure> {
        if let Some((table, wanted)) = self.asked.take() {
            if matches!(line.to_lowercase().as_str(), "y" | "yes") {
                let wanted = self.console.hall().answered_now(table, wanted);
                self.give(table, wanted)?;
                return Ok(true);
            }
            print_line("nothing was ordered")?;
            if matches!(line.to_lowercase().as_str(), "" | "n" | "no") {
                return Ok(true);
            }
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["quit" | "exit"] => return Ok(false),
            ["help" | "?"] => print_line(HELP)?,
            ["joins"] => self.joins()?,
            ["tables"] => self.tables()?,
            ["alerts"] => self.alerts()?,
            ["admit", digits, table] => self.admit(digits, table)?,
            ["admit", digits, name, role] => self.admit_console(digits, (name, role), None)?,
            ["admit", digits, name, role, tables] => {
                self.admit_console(digits, (name, role), Some(tables))?;
            }
            ["revoke", table] => self.revoke(table)?,
            ["take", table] => self.take(table)?,
            ["done", table] => self.done(table)?,
            ["phone" | "phones", ..] if phones::typed(&self.console.phone_desk(), &words, self.arbiter)? => {}
            ["start", time @ ..] if !time.is_empty() => self.start(time)?,
            ["boards"] => self.boards()?,
            ["begin", table, game, time, white, black] => self.begin(table, (game, time), (white, black))?,
            [first, ..] if first.parse::<u16>().is_ok() => {
                let rest = line.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim());
                self.order(first, rest)?;
            }
            [first, ..] => {
                let first = harmless(first);
                print_line(&format!("`{first}` is not understood; `help` shows what can be typed"))?;
            }
        }
        Ok(true)
    }

    fn table(word: &str) -> Result<Option<u16>, ExitFailure> {
        let number = word.parse::<u16>().ok().filter(|number| (1..=9_999).contains(number));
        if number.is_none() {
            let word = harmless(word);
            print_line(&format!("`{word}` is no table; tables have numbers from 1 to 9999"))?;
        }
        Ok(number)
    }

    fn joins(&self) -> Result<(), ExitFailure> {
        let waiting = self.console.waiting();
        if waiting.is_empty() {
            return print_line("nobody waits to be admitted");
        }
        for one in &waiting {
            let agreed =
                if one.agreed { "its people have said yes" } else { "its people have not said yes yet" };
            let joins = match one.joins {
                JoinAs::Table => "joins as a table",
                JoinAs::Console => "joins as a console",
            };
            print_line(&format!("{} ({}) {joins}: {agreed}", marked(&one.name), one.from))?;
        }
        for joins in [JoinAs::Table, JoinAs::Console] {
            if waiting.iter().any(|one| one.joins == joins) {
                print_line(how_to_admit(joins))?;
            }
        }
        print_line("the digits are those that the computer itself shows")
    }

    fn admit(&self, digits: &str, table: &str) -> Result<(), ExitFailure> {
        let Some(table) = Self::table(table)? else { return Ok(()) };
        if self.console.hall().tables.get(&table).is_some_and(tabiya_event::console::TableSeen::is_here) {
            return print_line(&format!(
                "table {table} has a computer that is here; choose another number, or `revoke {table}` first"
            ));
        }
        self.admit_as(digits, &JoinPlace::Table(table), &format!("table {table}"))
    }

    fn admit_console(
        &self,
        digits: &str,
        (name, word): (&str, &str),
        tables: Option<&str>,
    ) -> Result<(), ExitFailure> {
        let read = || {
            let role = role_of(word)?;
            let tables = tables.map_or(Ok((1, 9_999)), range)?;
            Ok::<_, ExitFailure>(JoinPlace::Console { name: must_be_name(name)?.to_owned(), role, tables })
        };
        match read() {
            Ok(place) => self.admit_as(digits, &place, &format!("the console {}", harmless(name))),
            Err(failure) => print_line(&failure.sentence),
        }
    }

    fn admit_as(&self, digits: &str, place: &JoinPlace, who: &str) -> Result<(), ExitFailure> {
        match self.console.admit(digits, place) {
            Ok(true) => print_line(&format!("the digits fit: {who} joins once its people say yes")),
            Ok(false) => print_line(
                "these digits do not fit anybody who waits so; `joins` shows who waits. Read them again from the computer that joins, and let it join anew if they differ",
            ),
            Err(fault) => print_line(&fault.to_string()),
        }
    }

    fn revoke(&self, table: &str) -> Result<(), ExitFailure> {
        let Some(table) = Self::table(table)? else { return Ok(()) };
        match self.console.revoke(table) {
            Ok(true) => print_line(&format!("table {table} has no computer any more")),
            Ok(false) => print_line(&format!("there is no table {table} in this event; `tables` shows them")),
            Err(fault) => print_line(&fault.to_string()),
        }
    }

    fn tables(&self) -> Result<(), ExitFailure> {
        let now = self.console.now();
        let hall = self.console.hall();
        let numbers: std::collections::BTreeSet<u16> =
            hall.roster.tables.keys().copied().chain(hall.tables.keys().copied()).collect();
        let lines: Vec<String> =
            numbers.into_iter().map(|number| row(number, hall.tables.get(&number), now)).collect();
        drop(hall);
        if lines.is_empty() {
            return print_line("no table has joined yet");
        }
        lines.iter().try_for_each(|line| print_line(line))
    }

    fn alerts(&self) -> Result<(), ExitFailure> {
        let queue = self.console.hall().queue(self.console.now());
        if queue.is_empty() {
            return print_line("nothing has to be looked after");
        }
        queue.iter().try_for_each(|alert| print_line(&alert.in_words().to_string()))
    }

    fn take(&self, table: &str) -> Result<(), ExitFailure> {
        let Some(table) = Self::table(table)? else { return Ok(()) };
        match self.console.take(table, self.arbiter) {
            Some(alert) => {
                print_line(&format!("{} looks after: {}", harmless(self.arbiter), alert.in_words()))
            }
            None => print_line(&format!("nothing at table {table} waits to be looked after")),
        }
    }

    fn done(&self, table: &str) -> Result<(), ExitFailure> {
        let Some(table) = Self::table(table)? else { return Ok(()) };
        let closed = self.console.close_all(table, self.arbiter);
        print_line(&format!("{closed} of this console's own alerts of table {table} are closed"))
    }

    fn order(&mut self, table: &str, words: &str) -> Result<(), ExitFailure> {
        let Some(table) = Self::table(table)? else { return Ok(()) };
        let now = self.console.now();
        let wanted = self.console.hall().wanted(table, words, now);
        match wanted {
            Err(fault) => print_line(&harmless(&fault.to_string())),
            Ok(wanted) => match &wanted.question {
                Some(question) => {
                    print_line(&format!("table {table}: {} [y/N]", harmless(&question.to_string())))?;
                    self.asked = Some((table, wanted));
                    Ok(())
                }
                None => self.give(table, wanted),
            },
        }
    }

    fn give(&self, table: u16, wanted: WantedOrder) -> Result<(), ExitFailure> {
        match self.console.give(table, wanted, self.arbiter) {
            Ok(()) => Ok(()),
            Err(fault) => print_line(&fault.to_string()),
        }
    }

    /// Begins the round. Without a default time it is zero (Laws of Chess, 6.7.1).
    fn start(&self, words: &[&str]) -> Result<(), ExitFailure> {
        let (time, minutes) = match words {
            [time @ .., "default", minutes] => (time, *minutes),
            time => (time, "0"),
        };
        let Some(default_s) = minutes.parse::<u32>().ok().and_then(default_seconds) else {
            return print_line("the default time is a number of minutes, 0 to 999: start 90+30 default 30");
        };
        self.console.round(RoundWish::Start(time.join(" "), default_s), self.arbiter);
        print_line("the round begins at all tables that are ready; `boards` shows them")
    }

    fn boards(&self) -> Result<(), ExitFailure> {
        let known = self.console.rounds();
        if let Some(fault) = &known.fault {
            print_line(&harmless(&fault.to_string()))?;
        }
        let Some(book) = known.book else {
            return print_line("this event has no plan of rounds; `tabiya event new` makes one that has");
        };
        let view = book.view(&self.console.hall());
        print_line(&format!("round {} of {}", view.round, view.planned))?;
        view.boards.iter().try_for_each(|board| print_line(&board_row(board)))
    }

    fn begin(
        &mut self,
        table: &str,
        (game, time): (&str, &str),
        (white, black): (&str, &str),
    ) -> Result<(), ExitFailure> {
        let Some(table) = Self::table(table)? else { return Ok(()) };
        let of = MatchToBegin { game, time, white, black, tags: &[] };
        match date().and_then(|date| header_to_begin(of, &date, |_| {})) {
            Err(why) => print_line(&harmless(&why)),
            Ok(header) => {
                let words = format!("begin {game} {time} {white} {black}");
                self.give(
                    table,
                    WantedOrder { lines: vec![header], words, question: None, ago: None, bound: None },
                )
            }
        }
    }
}

/// A board of the round in one line.
fn board_row(board: &RoundBoard) -> String {
    let [white, black] = Color::ALL.map(|color| board.players[color].name.as_str());
    let state = match &board.stage {
        BoardStage::Waits(None) => "ready".to_owned(),
        BoardStage::Waits(Some(NotReady::NoTable)) => "no such table".to_owned(),
        BoardStage::Waits(Some(NotReady::NotHere)) => "the table has no link".to_owned(),
        BoardStage::Waits(Some(NotReady::Busy)) => "another match is played there".to_owned(),
        BoardStage::Plays => "plays".to_owned(),
        BoardStage::Ended(at_table, signed) if signed.white && signed.black => {
            format!("{}, confirmed by both", at_table.shown())
        }
        BoardStage::Ended(at_table, _) => format!("{}, not confirmed by both", at_table.shown()),
        BoardStage::Counts(counts) => counts.shown(),
    };
    format!("{}: {white} – {black}, {state}", board.board)
}

/// A table in one line.
fn row(number: u16, table: Option<&TableSeen>, now: u64) -> String {
    let Some(table) = table else { return format!("{number}: never heard of") };
    let state = if table.is_here() { "here" } else { "gone" };
    let Some((_, of_match)) = table.newest() else { return format!("{number}: {state}, no match") };
    let clock = table
        .state
        .as_ref()
        .and_then(|(state, _)| state.on.as_ref()?.2)
        .map_or(String::new(), |clock| format!(", {} – {}", Millis(clock.white), Millis(clock.black)));
    let mover = table.time_of_mover(now).map_or(String::new(), |left| format!(" ({} left)", Millis(left)));
    format!("{number}: {state}, {}{clock}{mover}", match_in_words(of_match))
}

fn match_in_words(of_match: &MatchSeen) -> String {
    let Some(replay) = of_match.replay() else { return "a match of a newer program".to_owned() };
    let table = replay.table();
    let [white, black] = Color::ALL.map(|color| marked(table.name_of(color)));
    format!("{white} – {black}, {}", harmless(&table.prompt().to_string()))
}
