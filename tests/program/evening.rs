//! An evening of ten matches that is played by typed words alone: its story is a snapshot that people read, and its
//! totals are computed a second, simpler way.

use tabiya_app::desk::{Desk, Environment, Format, NewMatch, Wish};
use tabiya_engine::rules::Group;
use tabiya_types::{BySeat, Instant, Seat};

use crate::totals::Totals;

/// The words up to the placement of the first piece, without a raise.
const TO_PLACEMENT: &str = "deal; call; check; deal; check; check; deal; check; check";
/// Ten placements by which White gets two queens on d1 and d2.
const PLACED: &str = "Q; Qd1; ; R; Ra8; ; N; Ng1; ; N; Nb8; ; B; Bf1; ; N; Ng8; ; R; Rh1; ; R; Rh8; ; P; Qd2 palace; ; P; Pf7; ";
const MATE: &str = "e4; ; e5; ; Qd8";

/// The matches: the game, its terms, and what is typed. An empty word is the Enter key.
fn matches() -> Vec<(&'static str, Group, String)> {
    let chips = |chips: u32| Group::new().with("A", chips).with("B", chips);
    let choker = || Group::new().with("stacks", chips(100)).with("small_blind", 1_u32).with("time", "300");
    let rising = Group::new().with("every", "game").with("levels", vec![1_u32, 2, 3]);
    let short = || choker().with("games", 1_u32);
    vec![
        ("choker", short(), format!("{TO_PLACEMENT}; {PLACED}; {MATE}")),
        (
            "choker",
            choker().with("blinds", rising).with("games", 3_u32),
            "deal; fold; next; deal; raise 12; fold; next; deal; call; raise by 6; fold".to_owned(),
        ),
        (
            "choker",
            choker().with("stacks", Group::new().with("A", 30_u32).with("B", 100_u32)).with("games", 1_u32),
            format!("deal; raise 6; raise 50; call; deal; deal; {PLACED}; resign Ann; yes"),
        ),
        (
            "choker",
            choker().with("games", 2_u32),
            "deal; fold; next becket; sheet; deal; raise 6; call; deal; bet 4; fold".to_owned(),
        ),
        ("choker", short(), "deal; raise 6; fouled Bo a card lies face up; yes; deal; fold".to_owned()),
        (
            "choker",
            short(),
            format!(
                "{TO_PLACEMENT}; Q; Qd1 as R; ; R; Ra8; ; N; Pc2; ; N; Nb8; ; correct c2 N; B; Bf1; ; resign Bo; yes"
            ),
        ),
        (
            "choker",
            short(),
            format!(
                "{TO_PLACEMENT}; {PLACED}; e4; ; pause; undo; resume; e4; ; rule clock white +60 the clock was set wrongly; undo ruling; e5; ; undo 2; yes; redo; redo; rule stacks Ann 90 added a chip fell down; yes; resign Bo; yes"
            ),
        ),
        (
            "chess",
            Group::new().with("time", "300+3"),
            "e4; ; c5; draw; ; accept; next; d4; ; f5; ; resign Ann; yes; end time to go; yes".to_owned(),
        ),
        (
            "chess",
            Group::new().with("time", "60").with("draw_wins", "black").with("games", 1_u32),
            "Nf3; ; Nf6; ; Ng1; ; Ng8; ; Nf3; ; Nf6; ; Ng1; ; Ng8; ".to_owned(),
        ),
        ("choker", choker(), "deal; raise 50; end Bo has to catch a train; 2".to_owned()),
    ]
}

/// What a desk needs from the system, without the system.
pub(crate) fn environment(folder: &tempfile::TempDir) -> Environment {
    Environment {
        date: Box::new(|| Ok("2026-10-03T19:30:00+02:00".to_owned())),
        coin: Box::new(|| Ok(Seat::A)),
        chance: Box::new(|bytes| {
            bytes.fill(7);
            Ok(())
        }),
        evenings: folder.path().join("evenings"),
        settings: folder.path().join("settings.json"),
        documents: None,
        home: None,
        locale: "en".to_owned(),
        features: &[],
    }
}

#[test]
fn an_evening_of_ten_matches_reads_as_a_story() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = Desk::new(environment(&folder), None);
    desk.look();
    let (mut story, mut now) = (String::new(), 0);
    let mut net = BySeat { a: 0_i64, b: 0 };
    let mut points = BySeat { a: 0_u32, b: 0 };
    for (game, terms, script) in matches() {
        let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
        desk.wish(
            Wish::Begin(Box::new(NewMatch::usual(game, players, Seat::A, terms.clone()))),
            Instant::from_millis(now),
        );
        for word in script.split(';').map(str::trim) {
            now += 1_000;
            desk.time(Instant::from_millis(now));
            desk.wish(Wish::Typed(word.to_owned()), Instant::from_millis(now));
            let refused = desk.snapshot(Instant::from_millis(now)).refused;
            assert_eq!(refused, None, "`{word}` in: {script}");
        }
        let table = desk.snapshot(Instant::from_millis(now)).table.expect("a match is played");
        assert!(table.match_over, "{script}");
        let path = folder.path().join(format!("story-{now}.txt"));
        desk.wish(Wish::Export(Format::Story, path.clone()), Instant::from_millis(now));
        story.push_str(&std::fs::read_to_string(path).unwrap());
        story.push('\n');
    }
    desk.wish(Wish::Leave, Instant::from_millis(now));
    let evening = desk.snapshot(Instant::from_millis(now)).evening;
    let scores = evening.scores();
    // The totals, a second way: a ledger of each record. Who bought chips or gave some away has not won or lost them.
    for number in 1..=evening.matches.len() {
        let totals = Totals::read(&evening.path, &number.to_string());
        totals.check().unwrap();
        let [won_a, won_b] = totals.ledger.net();
        net = BySeat { a: net.a + won_a, b: net.b + won_b };
    }
    assert_eq!((scores["Ann"].chips, scores["Bo"].chips), (net.a, net.b));
    assert_eq!(net.a + net.b, 0);
    // The results, a second way: the lines of the story that tell them.
    for line in story.lines().filter(|line| line.contains("  game ") && !line.contains("has White")) {
        points.a += u32::from(line.contains(": Ann (")) + u32::from(line.contains("Ann wins, as agreed"));
        points.b += u32::from(line.contains(": Bo (")) + u32::from(line.contains("Bo wins, as agreed"));
    }
    assert_eq!((scores["Ann"].won, scores["Bo"].won), (points.a, points.b));
    insta::assert_snapshot!(story);
}
