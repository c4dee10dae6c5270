//! Copies of tables over networks that lose, repeat and cut: they become equal to what their tables wrote, and a table that begins
//! again from an older state is kept beside.

use proptest::prelude::*;
use serde_json::{Value, json};
use tabiya_boards::human::Dice;
use tabiya_engine::record::chain::Head;
use tabiya_engine::record::replica::{Feed, Reached};

use super::*;

type Record = Vec<(Value, Head)>;

fn write(record: &mut Record, branch: u64) {
    let line = json!({ "t": record.len(), "branch": branch });
    let head = match record.last() {
        None => Head::of_header(&line),
        Some((_, before)) => before.then(&line),
    };
    record.push((line, head));
}

fn last(record: &Record) -> Reached {
    Reached { seq: record.len() as u64 - 1, head: record.last().expect("a header").1 }
}

/// What a console keeps: lines as they came, in each of its copies.
#[derive(Default)]
struct Console {
    copies: MatchCopies,
    lines: Vec<Vec<Value>>,
}

impl Console {
    fn hear(&mut self, seq: u64, (line, hash): &(Value, Head)) -> Coming {
        let coming = self.copies.receive(seq, line, *hash);
        match coming {
            Coming::Keep(number) => {
                self.lines.resize(self.lines.len().max(number + 1), Vec::new());
                self.lines[number].push(line.clone());
            }
            Coming::Fork { of, shared } => {
                let shared = usize::try_from(shared).expect("few lines");
                let mut copy = self.lines[of][..shared].to_vec();
                copy.push(line.clone());
                self.lines.push(copy);
            }
            Coming::Known | Coming::Follow(_) | Coming::Broken | Coming::TooMany => {}
        }
        self.copies.note(coming, *hash);
        coming
    }
}

/// What happens to a link while lines are sent.
#[derive(Clone, Copy, Debug)]
enum Weather {
    /// So many lines get through.
    Lines(usize),
    /// The link is cut with so many lines on the way, and made again.
    Cut(usize),
    /// The table writes so many lines.
    Writes(usize),
    /// The table starts again with its last lines lost, and goes on in another way.
    Loses(usize),
}

fn weather() -> impl Strategy<Value = Weather> {
    prop_oneof![
        (0_usize..6).prop_map(Weather::Lines),
        (0_usize..6).prop_map(Weather::Cut),
        (0_usize..6).prop_map(Weather::Writes),
        (1_usize..4).prop_map(Weather::Loses),
    ]
}

fn connect(console: &mut Console, record: &Record) -> Feed {
    let have = console.copies.meet(record[0].1, last(record));
    let head_at =
        |seq: u64| Ok::<_, ()>(usize::try_from(seq).ok().and_then(|at| record.get(at)).map(|line| line.1));
    Feed::begin(have, last(record).seq, head_at).expect("it can be read")
}

fn send(console: &mut Console, record: &Record, feed: &mut Feed, most: usize) {
    for _ in 0..most {
        let Some(line) = usize::try_from(feed.next()).ok().and_then(|at| record.get(at)) else { break };
        let coming = console.hear(feed.next(), line);
        assert!(!matches!(coming, Coming::Broken), "a table's own lines follow");
        feed.sent(1);
    }
}

/// Lets a table live through this weather, and looks whether its console has what it should.
fn live(days: impl IntoIterator<Item = Weather>) {
    let mut record = Record::new();
    write(&mut record, 0);
    let mut console = Console::default();
    let mut feed = connect(&mut console, &record);
    let (mut branch, mut kept): (u64, Vec<Vec<Value>>) = (0, Vec::new());
    for day in days {
        match day {
            Weather::Lines(most) => send(&mut console, &record, &mut feed, most),
            Weather::Cut(most) => {
                // What was on the way is lost; the console says what it has.
                send(&mut console, &record, &mut feed, most);
                feed = connect(&mut console, &record);
            }
            Weather::Writes(lines) => (0..lines).for_each(|_| write(&mut record, branch)),
            Weather::Loses(lines) if branch < 12 => {
                let left = record.len().saturating_sub(lines).max(1);
                record.truncate(left);
                branch += 1;
                feed = connect(&mut console, &record);
                write(&mut record, branch);
            }
            Weather::Loses(_) => {}
        }
        // No line that was kept is ever gone or other.
        for (before, now) in kept.iter().zip(&console.lines) {
            assert!(now.starts_with(before));
        }
        kept.clone_from(&console.lines);
    }
    feed = connect(&mut console, &record);
    send(&mut console, &record, &mut feed, usize::MAX);
    let followed = &console.lines[console.copies.followed()];
    let lines: Vec<Value> = record.iter().map(|(line, _)| line.clone()).collect();
    assert!(followed.starts_with(&lines), "{followed:?} is not {lines:?}");
    // Nothing came twice: a copy is one of the table's ways from the header on, each place once.
    for copy in &console.lines {
        assert!(copy.iter().enumerate().all(|(place, line)| line["t"] == place), "{copy:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_network_does_the_copy_becomes_the_record_and_nothing_is_lost(
        days in proptest::collection::vec(weather(), 1..40),
    ) {
        live(days);
    }
}

/// Lives through the networks of these seeds.
fn live_through(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut dice = Dice::new(seed);
        let days = 1 + dice.below(40);
        let few = |dice: &mut Dice| usize::try_from(dice.below(6)).expect("few");
        let day = |_| match dice.below(4) {
            0 => Weather::Lines(few(&mut dice)),
            1 => Weather::Cut(few(&mut dice)),
            2 => Weather::Writes(few(&mut dice)),
            _ => Weather::Loses(1 + few(&mut dice) / 2),
        };
        let days: Vec<Weather> = (0..days).map(day).collect();
        let lived = std::panic::catch_unwind(|| live(days.iter().copied()));
        assert!(lived.is_ok(), "network {seed}: {days:?}");
    }
}

#[test]
fn seeded_networks_lose_repeat_and_cut_and_every_copy_becomes_its_record() {
    live_through(0..1_000);
}

#[test]
#[ignore = "takes minutes: `tests/run event` runs it"]
fn a_hundred_thousand_seeded_networks_change_no_copy() {
    live_through(0..100_000);
}

#[test]
fn a_table_that_lost_lines_is_told_and_its_copy_stays_whole() {
    let mut record = Record::new();
    (0..6).for_each(|_| write(&mut record, 0));
    let mut console = Console::default();
    let mut feed = connect(&mut console, &record);
    send(&mut console, &record, &mut feed, 6);
    record.truncate(4);
    assert!(console.copies.is_shorter(last(&record)));
    let feed = connect(&mut console, &record);
    assert_eq!(feed.next(), 4, "the table sends what it writes from now on");
    assert_eq!(console.lines[0].len(), 6);
}

#[test]
fn lines_of_nowhere_are_kept_nowhere() {
    let mut record = Record::new();
    (0..4).for_each(|_| write(&mut record, 0));
    let mut console = Console::default();
    assert_eq!(console.hear(1, &record[1]), Coming::Broken, "a gap before the header");
    console.hear(0, &record[0]);
    assert_eq!(console.hear(2, &record[2]), Coming::Broken, "a gap");
    let forged = (json!({"t": 1, "forged": true}), record[1].1);
    assert_eq!(console.hear(1, &forged), Coming::Broken, "a hash that is not the line's");
    assert_eq!(console.lines, vec![vec![record[0].0.clone()]]);
}
