//! What the log and the match sheet say of a match: what rises, who is all-in, what the arbiter gave for illegal moves, and who
//! confirmed a result.

use tabiya_engine::record::{MatchLog, Replay, sheet};
use tabiya_engine::rules::GAMES;

use crate::support::{Run, begin, feed, play};

/// The log of a match, one line for each event.
fn log(run: &Run) -> Vec<String> {
    let mut replay = Replay::begin(&run.header, GAMES).unwrap();
    let mut log = MatchLog::new(replay.table());
    for (number, line) in (2..).zip(&run.lines) {
        replay.feed_before(number, line, &mut log).unwrap_or_else(|stop| panic!("{line}: {stop}"));
    }
    log.into_entries().iter().map(|entry| entry.text.to_string()).collect()
}

fn sheet_of(run: &Run) -> Vec<String> {
    sheet::lines(&run.replay, None).iter().map(ToString::to_string).collect()
}

#[track_caller]
fn says(lines: &[String], wanted: &str) {
    assert!(lines.iter().any(|line| line.contains(wanted)), "{wanted}: {lines:#?}");
}

#[test]
fn blinds_that_rise_by_time_are_said_at_the_deal_that_posts_them() {
    let terms = r#"blinds {"every":60,"levels":[1,2,3]}"#;
    let run = play(terms, "0:10 deal; 0:11 white fold; 0:12 next; 1:05 deal");
    let told = log(&run);
    assert!(!told.iter().any(|line| line.contains("has White") && line.contains("blinds")), "{told:#?}");
    says(&told, "then to Black; blinds 1 and 2; White posts 1");
    says(&told, "then to Black; blinds 2 and 4 (they rose); White posts 2; Black posts 4");
    // A fouled deal that is repeated later may post more.
    let told = log(&play(terms, "0:10 deal; 0:11 arbiter fouled; 1:05 deal; 1:06 arbiter fouled; 1:07 deal"));
    says(&told, "blinds 2 and 4 (they rose)");
    assert_eq!(told.iter().filter(|line| line.contains("they rose")).count(), 1, "{told:#?}");
}

#[test]
fn blinds_that_rise_after_every_game_are_said_with_the_game() {
    let run = play(r#"blinds {"every":"game","levels":[1,2]}"#, "deal; white fold; next; deal");
    let told = log(&run);
    says(&told, "game 2: Bo has White; blinds 2 and 4 (they rose)");
    assert_eq!(told.iter().filter(|line| line.contains("blinds 2 and 4")).count(), 1, "{told:#?}");
}

#[test]
fn the_sheet_says_which_blinds_and_fixed_bets_were_in_force_in_each_game() {
    let terms = r#"structure {"limit":{"bet":2,"raises":3}}, blinds {"every":"game","levels":[1,2]}"#;
    let lines = sheet_of(&play(terms, "deal; white fold; next; deal; white fold"));
    says(&lines, "limit: bets and raises of 2 at first, rising with the blinds, at most 3 raises a street");
    says(&lines, "in this game: blinds 1 and 2, bets and raises of 2");
    says(&lines, "in this game: blinds 2 and 4, bets and raises of 4");
    let fixed = sheet_of(&play("", "deal; white fold"));
    assert!(!fixed.iter().any(|line| line.contains("in this game")), "{fixed:#?}");
}

#[test]
fn a_blind_that_takes_the_whole_stack_is_an_all_in() {
    says(&log(&play("A 100, B 1", "deal")), "White posts 1; Black posts 1 and is all-in; pot 2");
}

#[test]
fn a_last_raise_is_named_by_its_total() {
    let run = play("A 20, B 11", "deal; white raise 8");
    let prompt = run.replay.table().prompt().to_string();
    assert!(prompt.contains("go all-in, to 11 in all"), "{prompt}");
}

#[test]
fn the_sheet_of_pokerdrez_has_the_stacks() {
    let header = r#"{"tabiya":1,"game":"pokerdrez","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":30,"B":20},"bets":{"least":1,"most":9}}}"#;
    says(&sheet_of(&begin(header)), "stacks: A 30, B 20");
}

#[test]
fn the_sheet_has_each_illegal_move_with_what_the_arbiter_gave() {
    let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"5400","voice":"event","press":"auto"}}"#;
    let mut run = begin(header);
    for line in [
        r#"{"t":1,"do":"tick","x-illegal":["white"]}"#,
        r#"{"t":2,"do":"rule","by":"arbiter","reason":"illegal move","set":{"clock_ms":{"black":5520000}}}"#,
        // A clerk's slip, and one that the arbiter let be.
        r#"{"t":3,"do":"tick","x-illegal":["black"]}"#,
        r#"{"t":4,"do":"tick","x-illegal-withdrawn":["black"]}"#,
        r#"{"t":5,"do":"move","by":"white","uci":"e2e4"}"#,
        r#"{"t":6,"do":"tick","x-illegal":["white"]}"#,
        // White's own clock is put right, which is no penalty.
        r#"{"t":6,"do":"rule","by":"arbiter","reason":"a wrong clock","set":{"clock_ms":{"white":5300000}}}"#,
        r#"{"t":7,"do":"rule","by":"arbiter","reason":"second illegal move","set":{"winner":"B"}}"#,
    ] {
        assert!(feed(&mut run, line.to_owned()), "{line}: {:?}", run.messages());
    }
    let lines = sheet_of(&run);
    says(&lines, "illegal move number 1 of White: the arbiter rules: illegal move (Black's clock: 1:32:00)");
    says(&lines, "illegal move number 2 of White: the arbiter rules: second illegal move (Bo wins)");
    assert!(!lines.iter().any(|line| line.contains("of Black")), "{lines:#?}");
    assert_eq!(lines.iter().filter(|line| line.contains("the arbiter rules")).count(), 3, "{lines:#?}");
    // A ruling that is taken back is no penalty.
    assert!(feed(&mut run, r#"{"t":8,"do":"undo","by":"arbiter","what":"ruling"}"#.to_owned()));
    assert!(sheet_of(&run).contains(&"illegal move number 2 of White".to_owned()), "{:#?}", sheet_of(&run));
}

#[test]
fn a_ruling_for_another_reason_is_no_penalty_of_an_illegal_move() {
    let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"5400","voice":"event","press":"auto"}}"#;
    let mut run = begin(header);
    for line in [
        r#"{"t":0,"do":"move","by":"white","uci":"e2e4"}"#,
        r#"{"t":0,"do":"move","by":"black","uci":"e7e5"}"#,
        r#"{"t":1,"do":"tick","x-illegal":["white"]}"#,
        r#"{"t":2,"do":"rule","by":"arbiter","reason":"Bo was disturbed","set":{"clock_ms":{"black":5520000}}}"#,
        r#"{"t":3,"do":"rule","by":"arbiter","reason":"illegal move","set":{"clock_ms":{"black":5400000}}}"#,
    ] {
        assert!(feed(&mut run, line.to_owned()), "{line}: {:?}", run.messages());
    }
    assert!(sheet_of(&run).contains(&"illegal move number 1 of White".to_owned()), "{:#?}", sheet_of(&run));
    let answer = r#"{"t":4,"do":"rule","by":"arbiter","reason":"regelwidriger Zug","x-penalty":"white","set":{"clock_ms":{"black":5520000}}}"#;
    assert!(feed(&mut run, answer.to_owned()), "{:?}", run.messages());
    says(&sheet_of(&run), "illegal move number 1 of White: the arbiter rules: regelwidriger Zug");
}

#[test]
fn chips_are_ruled_on_signed_and_the_ruling_is_taken_back_with_the_signature() {
    let mut run = play(
        "A 100, B 100",
        "deal; white call; black check; deal; black check; white check; deal; white check; black check; black resign",
    );
    for line in [
        r#"{"t":900000,"do":"rule","by":"arbiter","reason":"a miscount","set":{"stacks":{"A":101,"B":99}}}"#,
        r#"{"t":900001,"do":"signs","by":"white"}"#,
        r#"{"t":900002,"do":"undo","by":"arbiter","what":"ruling"}"#,
    ] {
        assert!(feed(&mut run, line.to_owned()), "{line}: {:?}", run.messages());
    }
    assert!(!run.replay.table().signed(tabiya_types::Seat::A), "nobody has signed these chips");
}
