//! Tests of the desk in simulated time: matches are begun, left and carried on; boards are connected and lost.

mod cards;
mod keypads;

use std::cell::Cell;
use std::sync::Arc;

use tabiya_boards::link::LinkError;
use tabiya_boards::makers::dgt;
use tabiya_boards::{BoardEvent, BoardInfo};
use tabiya_engine::record::chain::Head;
use tabiya_engine::record::{Header, Line};
use tabiya_engine::rules::chess_joker::JokerSight;
use tabiya_engine::rules::{GAMES, Group, chess960};
use tabiya_text::Language;
use tabiya_types::{Board, BySeat, Color, Millis, Observation, Seat};

use super::*;
use crate::snapshot::LinkState;
use tabiya_store::follow::FollowerState;
use tabiya_store::journal::JournalError;
use tabiya_store::keeper::Keeper;
use tabiya_store::settings::Settings;

/// A random source that returns the numbers 1, 2, 3 … as bytes, so that no two card ids are equal.
fn counting() -> RandomSource {
    let drawn = Cell::new(0_u64);
    Box::new(move |bytes| {
        drawn.set(drawn.get() + 1);
        let number = drawn.get().to_le_bytes();
        bytes.iter_mut().zip(number.into_iter().cycle()).for_each(|(byte, drawn)| *byte = drawn);
        Ok(())
    })
}

fn surroundings(folder: &tempfile::TempDir) -> Environment {
    Environment {
        date: Box::new(|| Ok("2026-10-03T19:30:00+02:00".to_owned())),
        coin: Box::new(|| Ok(Seat::B)),
        chance: counting(),
        evenings: folder.path().join("evenings"),
        settings: folder.path().join("settings.json"),
        documents: None,
        home: None,
        locale: "en_GB.UTF-8".to_owned(),
        features: &[],
    }
}

fn desk(folder: &tempfile::TempDir) -> Desk {
    let mut desk = Desk::new(surroundings(folder), None);
    desk.look();
    desk
}

fn chess(time: &str) -> Wish {
    let terms = Group::new().with("time", time);
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    Wish::Begin(Box::new(NewMatch::usual("chess", players, Seat::A, terms)))
}

fn at(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

fn typed(desk: &mut Desk, now: u64, line: &str) {
    desk.wish(Wish::Typed(line.to_owned()), at(now));
}

#[test]
fn a_match_begins_at_zero_whenever_the_program_began() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(chess("300"), at(60_000));
    typed(&mut desk, 61_000, "e2e4");
    let snapshot = desk.snapshot(at(61_500));
    assert_eq!(snapshot.time.of(at(61_500)), at(1_500));
    assert_eq!(snapshot.moments.first().map(|moment| moment.at), Some(at(1_000)));
}

#[test]
fn a_match_begins_at_the_date_that_was_named_and_keeps_its_pgn() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("evening.pgn");
    let mut desk = desk(&folder);
    let Wish::Begin(mut new) = chess("300") else { panic!("a match") };
    (new.start, new.pgn) = (Some("2025-12-24T18:00:00+01:00".to_owned()), Some(pgn.clone()));
    desk.wish(Wish::Begin(new), at(0));
    typed(&mut desk, 1_000, "e2e4");
    let kept = std::fs::read_to_string(&pgn).expect("a PGN");
    assert!(kept.contains("2025.12.24") && kept.contains("1. e4"), "{kept}");
    desk.end(at(2_000));
    // After the match is carried on, the PGN is kept in the same file.
    let mut desk = Desk::new(surroundings(&folder), None);
    desk.look();
    let left = desk.snapshot(at(0)).evening.unfinished.first().cloned().expect("offered");
    assert_eq!(left.begun.as_deref(), Some("2025-12-24T18:00:00+01:00"));
    desk.wish(Wish::CarryOn { path: left.path, id: left.id, deck: None, pgn: Some(pgn.clone()) }, at(0));
    for (nth, line) in (1..).zip(["resume", "press white", "e7e5"]) {
        typed(&mut desk, 100 * nth, line);
    }
    desk.end(at(2_000));
    let kept = std::fs::read_to_string(&pgn).expect("a PGN");
    assert!(kept.contains(" e5"), "{kept}");
}

#[test]
fn a_match_that_only_the_arbiter_has_touched_is_offered_and_asks_before_it_is_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = desk(&folder);
    first.wish(chess("300"), at(0));
    typed(&mut first, 1_000, "rule clock white +60 clock fault");
    first.wish(Wish::Close, at(2_000));
    assert!(first.snapshot(at(2_000)).question.is_some(), "a question before closing");
    first.end(at(3_000));
    let second = desk(&folder);
    let left = second.snapshot(at(0)).evening.unfinished.first().cloned();
    assert_eq!(left.map(|left| left.game), Some("chess".to_owned()));
}

#[test]
fn a_match_that_was_left_is_offered_and_goes_on_where_the_clocks_stood() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = desk(&folder);
    first.wish(chess("300"), at(0));
    typed(&mut first, 1_000, "press black");
    typed(&mut first, 2_000, "e2e4");
    typed(&mut first, 11_000, "press white");
    first.time(at(15_000));
    first.end(at(15_500));
    let mut second = desk(&folder);
    let left = second.snapshot(at(0)).evening.unfinished.first().cloned().expect("offered");
    assert_eq!((&*left.players.a, &*left.game), ("Ann", "chess"));
    second.wish(Wish::CarryOn { path: left.path, id: left.id, deck: None, pgn: None }, at(500));
    let snapshot = second.snapshot(at(500));
    let view = snapshot.table.expect("carried on");
    assert!(view.clock.paused());
    let now = snapshot.time.of(at(500));
    assert_eq!(view.clock.reading(Color::White, now), Some(Millis(290_000)));
    assert_eq!(view.clock.reading(Color::Black, now), Some(Millis(295_500)), "to the very moment");
}

#[test]
fn a_match_that_cannot_be_begun_is_told_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(chess("soon"), at(0));
    let snapshot = desk.snapshot(at(0));
    assert!(snapshot.table.is_none());
    let told = snapshot.notices.last().expect("told");
    assert!(told.failed && told.text.to_string().contains("time"), "{}", told.text);
    assert!(!folder.path().join("evenings").exists());
}

#[test]
fn a_refused_line_names_its_squares_until_something_is_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(chess("300"), at(0));
    typed(&mut desk, 100, "e2e5");
    assert!(desk.snapshot(at(100)).refused.is_some());
    typed(&mut desk, 200, "e2e4");
    assert!(desk.snapshot(at(200)).refused.is_none());
}

#[test]
fn a_board_that_is_lost_shows_and_the_match_goes_on_by_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.board(&BoardEvent::Identified(BoardInfo::new(dgt::MAKER.brand())), at(0));
    let start: Board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().expect("a board");
    desk.board(&BoardEvent::Observed(Observation::Whole(start)), at(10));
    assert_eq!(desk.snapshot(at(10)).board.link, LinkState::Connected);
    desk.wish(chess("300"), at(20));
    let gone = LinkError::Missing { port: "/dev/board".to_owned() };
    desk.board(&BoardEvent::Lost(gone), at(500));
    assert!(matches!(desk.snapshot(at(500)).board.link, LinkState::Lost(_)));
    typed(&mut desk, 1_000, "e2e4");
    assert_eq!(desk.snapshot(at(1_000)).table.map(|view| view.moves.clone()), Some(vec!["e4".to_owned()]));
}

#[test]
fn chess_begins_from_what_stands_on_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    let Wish::Begin(mut new) = chess("300") else { panic!("a match") };
    new.position = Position::AsItStands(Color::Black);
    desk.wish(Wish::Begin(new.clone()), at(0));
    assert!(desk.snapshot(at(0)).table.is_none(), "without a board there is nothing to begin from");
    desk.board(&BoardEvent::Identified(BoardInfo::new(dgt::MAKER.brand())), at(10));
    let seen: Board = "4k2r/8/8/8/8/8/8/R3K3".parse().expect("a board");
    desk.board(&BoardEvent::Observed(Observation::Whole(seen)), at(20));
    desk.wish(Wish::Begin(new), at(30));
    let view = desk.snapshot(at(30)).table.expect("begun");
    assert_eq!(view.fen.as_deref(), Some("4k2r/8/8/8/8/8/8/R3K3 b Qk - 0 1"));
}

#[test]
fn looking_back_shows_the_table_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(chess("300"), at(0));
    for (nth, uci) in ["e2e4", "e7e5", "g1f3"].into_iter().enumerate() {
        typed(&mut desk, 1_000 * (u64::try_from(nth).expect("small") + 1), uci);
    }
    desk.wish(Wish::LookBack(Some(1)), at(4_000));
    let snapshot = desk.snapshot(at(4_000));
    assert_eq!(snapshot.past.map(|past| past.table.moves.clone()), Some(vec!["e4".to_owned()]));
    assert_eq!(snapshot.table.map(|view| view.moves.len()), Some(3), "play goes on meanwhile");
    desk.wish(Wish::LookBack(None), at(4_100));
    assert!(desk.snapshot(at(4_100)).past.is_none());
}

#[test]
fn a_record_is_never_written_over_by_an_export() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(chess("300"), at(0));
    typed(&mut desk, 1_000, "e2e4");
    let record = folder.path().join("evenings/2026-10-03.tabiya");
    desk.wish(Wish::Export(Format::Pgn, record.clone()), at(2_000));
    assert!(desk.snapshot(at(2_000)).notices.last().is_some_and(|notice| notice.failed));
    let pgn = folder.path().join("game.pgn");
    desk.wish(Wish::Export(Format::Pgn, pgn.clone()), at(2_100));
    assert!(std::fs::read_to_string(pgn).is_ok_and(|text| text.contains("1. e4")));
    desk.end(at(3_000));
    assert!(tabiya_store::journal::Journal::open_read(&record).is_ok_and(|reader| reader.matches().is_ok()));
}

#[test]
fn the_evenings_results_are_kept_by_name_and_written_as_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    for winner in ["white", "black", "black"] {
        desk.wish(chess("300"), at(0));
        typed(&mut desk, 100, "e2e4");
        typed(&mut desk, 200, &format!("resign {}", if winner == "white" { "black" } else { "white" }));
        typed(&mut desk, 200, "yes");
    }
    desk.wish(Wish::Leave, at(300));
    let evening = desk.snapshot(at(300)).evening;
    let scores = evening.scores();
    assert_eq!((scores["Ann"].won, scores["Ann"].lost, scores["Bo"].won), (1, 2, 2));
    let csv = evening.csv();
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.contains("1,2026-10-03T19:30:00+02:00,chess,1,Ann,Bo,Ann,resignation,1,0,0"), "{csv}");
}

#[test]
fn a_name_that_a_spreadsheet_would_reckon_stays_a_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    let Wish::Begin(mut new) = chess("300") else { panic!("a match") };
    new.players.a = "=1+1".to_owned();
    desk.wish(Wish::Begin(new), at(0));
    typed(&mut desk, 100, "e2e4");
    typed(&mut desk, 200, "resign white");
    typed(&mut desk, 200, "yes");
    desk.wish(Wish::Leave, at(300));
    let csv = desk.snapshot(at(300)).evening.csv();
    assert!(csv.contains("'=1+1") && !csv.contains(",=1+1"), "{csv}");
}

#[test]
fn the_screens_speak_the_systems_language_until_somebody_chooses() {
    let folder = tempfile::tempdir().expect("a folder");
    let german = || Environment { locale: "de_AT.UTF-8".to_owned(), ..surroundings(&folder) };
    let mut desk = Desk::new(german(), None);
    let shown = desk.snapshot(at(0)).settings;
    assert_eq!(shown.language, Language::German);
    let chosen = Settings { language: Language::Spanish, ..(*shown).clone() };
    desk.wish(Wish::Change(Box::new((*shown).clone()), Box::new(chosen)), at(0));
    assert_eq!(Desk::new(german(), None).snapshot(at(0)).settings.language, Language::Spanish);
}

#[test]
fn a_match_that_begins_over_an_unfinished_one_unseen_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = desk(&folder);
    first.wish(chess("300"), at(0));
    typed(&mut first, 1_000, "press black");
    first.time(at(15_000));
    // Simulates a crash: the desk is dropped before anybody leaves the match.
    drop(first);
    let mut second = desk(&folder);
    second.wish(chess("300"), at(0));
    let told = |desk: &Desk| desk.snapshot(at(0)).notices.last().map(|notice| notice.text.to_string());
    assert!(
        told(&second).is_some_and(|told| told.contains("(Ann – Bo) is unfinished")),
        "{:?}",
        told(&second)
    );
    // When people begin another match now, they have already seen the first screen, which lists the unfinished matches.
    // So there is still only one notice.
    second.wish(Wish::Leave, at(2_000));
    second.wish(chess("300"), at(3_000));
    assert_eq!(second.snapshot(at(3_000)).notices.len(), 1);
}

#[test]
fn a_gain_is_reckoned_from_the_reading_at_the_moment_of_the_ruling() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(chess("300"), at(0));
    typed(&mut desk, 1_000, "press black");
    let reason = "two minutes for an illegal move".to_owned();
    desk.wish(Wish::Gain { by: Color::White, gain: 120_000, reason }, at(4_321));
    let view = desk.snapshot(at(4_321)).table.expect("a match is played");
    let left = view.clock.reading(Color::White, at(4_321));
    assert_eq!(left, Some(Millis(300_000 - 3_321 + 120_000)));
}

#[test]
fn a_refusal_goes_when_time_changes_the_table() {
    let header = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":100,"B":100},"small_blind":1,"bet_ms":20000}}"#;
    let session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
    let folder = tempfile::tempdir().expect("a folder");
    let seated = SingleTable::unrecorded(session);
    let mut desk = Desk::for_table(surroundings(&folder), seated);
    typed(&mut desk, 1_000, "deal");
    typed(&mut desk, 2_000, "raise 3");
    assert!(desk.snapshot(at(2_000)).refused.is_some());
    desk.time(at(10_000));
    assert!(desk.snapshot(at(10_000)).refused.is_some(), "nothing has changed");
    desk.time(at(21_000));
    assert!(desk.snapshot(at(21_000)).refused.is_none(), "White has folded by time");
}

/// A record that takes its first lines and no others.
#[derive(Debug)]
struct FullAfter(usize);

impl Keeper for FullAfter {
    fn append(&mut self, lines: &mut [Line]) -> Result<(), JournalError> {
        let full = JournalError::Full { path: "evening.tabiya".into() };
        self.0 = self.0.checked_sub(lines.len()).ok_or(full)?;
        Ok(())
    }

    fn moment(&mut self, _: Instant) -> Result<(), JournalError> {
        Ok(())
    }

    fn uid(&self) -> &'static str {
        "a match"
    }

    fn head(&self) -> Option<Head> {
        None
    }

    fn head_at(&self, _: u64) -> Result<Option<Head>, JournalError> {
        Ok(None)
    }

    fn moved(&self) -> Option<&Path> {
        None
    }

    fn sign(&mut self) -> Option<tabiya_engine::record::proof::HeadSignature> {
        None
    }

    fn followers(&self) -> Vec<FollowerState> {
        Vec::new()
    }

    fn lock(
        &mut self,
        _: Seat,
        _: tabiya_store::match_key_file::KeyShare,
    ) -> Result<(), tabiya_store::journal::vault::KeyError> {
        Ok(())
    }

    fn give_share(&mut self, _: Seat, _: tabiya_store::match_key_file::KeyShare) {}

    fn release(&mut self) -> Result<bool, tabiya_store::journal::vault::KeyError> {
        Ok(true)
    }

    fn is_doubted(&self) -> bool {
        false
    }

    fn vouch(&mut self) -> Result<(), JournalError> {
        Ok(())
    }

    fn unsigned(&self) -> Option<&str> {
        None
    }

    fn rescue(&mut self, _: &str, _: &[Line]) -> Result<std::path::PathBuf, JournalError> {
        Err(JournalError::Closed)
    }

    fn close(self: Box<Self>) -> Result<(), JournalError> {
        Ok(())
    }
}

#[test]
fn who_leaves_while_the_disk_is_full_is_told_that_the_pause_is_lost() {
    for (room, whole) in [(2, false), (3, true)] {
        let header =
            r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"60"}}"#;
        let header = Header::parse(header, GAMES).expect("a header");
        let session = Session::new(header, Some(Box::new(FullAfter(room))), None);
        let folder = tempfile::tempdir().expect("a folder");
        let seated = SingleTable::unrecorded(session);
        let mut desk = Desk::for_table(surroundings(&folder), seated);
        typed(&mut desk, 1_000, "press black");
        typed(&mut desk, 2_000, "e4");
        assert_eq!(desk.end(at(3_000)).expect("a match").closed.is_ok(), whole);
    }
}

fn poker_chess(terms: Group) -> Wish {
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    Wish::Begin(Box::new(NewMatch::usual("poker-chess", players, Seat::A, terms)))
}

#[test]
fn a_random_deal_is_drawn_and_a_match_is_played_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(Wish::Shuffle, at(0));
    let first = desk.snapshot(at(0)).shuffled.clone().expect("drawn");
    desk.wish(Wish::Shuffle, at(0));
    let second = desk.snapshot(at(0)).shuffled.clone().expect("drawn");
    assert_eq!((first.draw, second.draw, second.cards.len()), (1, 2, 26));
    desk.wish(poker_chess(Group::new().with("deal", second.cards.clone())), at(0));
    let table = desk.snapshot(at(0)).table.clone().expect("begun");
    assert_eq!(table.under.len(), 52);
    assert_eq!(
        table.under.first().map(|(square, card)| (square.to_string(), card)),
        Some(("a1".to_owned(), &second.cards[0]))
    );
}

#[test]
fn a_start_position_of_chess960_is_drawn_for_each_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(Wish::DrawPosition, at(0));
    let first = desk.snapshot(at(0)).drawn.expect("drawn");
    let fen = chess960::start_fen(first.number).expect("below 960");
    let terms = Group::new().with("chess960", true).with("fen", fen);
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    desk.wish(Wish::Begin(Box::new(NewMatch::usual("chess", players, Seat::A, terms))), at(0));
    let snapshot = desk.snapshot(at(0));
    let prompt = snapshot.table.as_ref().and_then(|view| view.prompt()).expect("a prompt").to_string();
    let wanted = format!("set up: {} (Chess960, ", chess960::letters(first.number).expect("below 960"));
    assert!(prompt.starts_with(&wanted) && prompt.ends_with("; White: make a move"), "{prompt}");
    assert_eq!(snapshot.drawn.map(|drawn| drawn.draw), Some(2));
}

#[test]
fn hands_are_chosen_and_deals_changed_by_typed_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(poker_chess(Group::new().with("choice", "player")), at(0));
    let poker = |desk: &mut Desk| {
        desk.snapshot(at(9_000)).table.clone().expect("a table").poker.clone().expect("hands")
    };
    typed(&mut desk, 1_000, "a3");
    typed(&mut desk, 2_000, "a6");
    assert_eq!(poker(&mut desk).choices.and_then(|choices| choices.by()), Some(Color::Black));
    // Another set is refused, and nothing but squares can be chosen.
    typed(&mut desk, 3_000, "choose a8 d8");
    assert!(desk.snapshot(at(3_000)).refused.is_some());
    typed(&mut desk, 3_500, "choose the best");
    typed(&mut desk, 4_000, "choose A8, d8 e8,h8 d7");
    assert_eq!(poker(&mut desk).choices.and_then(|choices| choices.by()), Some(Color::White));
    typed(&mut desk, 5_000, "Ann chooses a1 d1 e1 h1 b2");
    let hands = poker(&mut desk);
    assert_eq!((hands.choices, hands.points.black, hands.decided.len()), (None, 1, 1));
    typed(&mut desk, 6_000, "resign white");
    typed(&mut desk, 6_100, "yes");
    typed(&mut desk, 7_000, "next deal nobody");
    typed(&mut desk, 7_500, "next deal royal-flush");
    let table = desk.snapshot(at(9_000)).table.clone().expect("a table");
    assert_eq!((table.number, table.under.first().map(|(_, card)| card.as_str())), (2, Some("Jd")));
}

/// What two snapshots show of cards and hands is the very same value, if nothing happened between them.
#[test]
fn what_takes_long_is_computed_once_for_each_state_of_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(poker_chess(Group::new()), at(0));
    desk.wish(Wish::Learn(Seat::A, true), at(0));
    desk.wish(Wish::Learn(Seat::B, true), at(0));
    let moves = |desk: &mut Desk, ms: u64| {
        desk.snapshot(at(ms)).table.clone().expect("a table").poker.clone().expect("hands").moves
    };
    let first = moves(&mut desk, 100);
    assert_eq!(first.len(), 20);
    assert!(Arc::ptr_eq(&first, &moves(&mut desk, 200)));
    typed(&mut desk, 1_000, "e4");
    let second = moves(&mut desk, 1_100);
    assert!(!Arc::ptr_eq(&first, &second) && Arc::ptr_eq(&second, &moves(&mut desk, 1_200)));
    typed(&mut desk, 2_000, "undo");
    typed(&mut desk, 2_100, "yes");
    assert_eq!(*moves(&mut desk, 2_200), *first);
}

#[test]
fn a_card_is_searched_once_for_each_state_of_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    desk.wish(Wish::Begin(Box::new(NewMatch::usual("chess-joker", players, Seat::A, Group::new()))), at(0));
    let sight = |desk: &mut Desk, ms: u64| {
        let table = desk.snapshot(at(ms)).table.clone().expect("a table");
        let sight = table.sight.as_ref().and_then(|sight| sight.of::<JokerSight>()).expect("cards");
        std::ptr::from_ref(sight)
    };
    let first = sight(&mut desk, 100);
    assert_eq!(first, sight(&mut desk, 200));
    // The old value is kept while the new one is made, so that no address is used twice.
    let _kept = desk.snapshot(at(300)).table.clone();
    typed(&mut desk, 1_000, "e4");
    assert_ne!(first, sight(&mut desk, 1_100));
}

#[test]
fn the_last_line_that_acts_and_its_hash_can_be_asked_of_the_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(chess("300"), at(0));
    let asked = |desk: &Desk| {
        let session = &desk.table.sitting.as_ref().expect("a match").session;
        let place = session.last_act();
        (
            place,
            session.lines().len() as u64,
            session.head_at(place).expect("it can be read").expect("a hash").to_string(),
            session.head(),
        )
    };
    // An arbiter rules before the first move, too: what he has seen is the header.
    let (place, lines, ..) = asked(&desk);
    assert_eq!((place, lines), (0, 0));
    typed(&mut desk, 1_000, "e2e4");
    let (place, lines, hash, head) = asked(&desk);
    assert_eq!((place, Some(&hash)), (lines, head.as_ref()), "a move acts");
    desk.board(&BoardEvent::Observed(Observation::Whole(Board::EMPTY)), at(2_000));
    desk.time(at(60_000));
    let (same, lines, again, head) = asked(&desk);
    assert!(same == place && same < lines, "what the board shows does not act: {same} of {lines}");
    assert!(again == hash && head != Some(hash));
}

/// An order of a match with this header, and what it came to.
struct Ordered(Option<Header>, Arc<std::sync::Mutex<Option<OrderAnswer>>>);

impl TableOrder for Ordered {
    fn judge(&mut self, _: &OrderSight<'_>) -> Option<OrderedAct> {
        Some(OrderedAct::Begin(Box::new(self.0.take()?), Millis::ZERO))
    }

    fn answer(self: Box<Self>, answer: OrderAnswer) {
        *self.1.lock().expect("nobody panics") = Some(answer);
    }
}

#[test]
fn a_match_stays_on_the_table_when_the_next_one_that_was_ordered_cannot_begin() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("table.tabiya");
    let header = |id: &str| {
        let line = format!(
            r#"{{"tabiya":1,"game":"chess","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"time":"60"}},"id":"{id}"}}"#
        );
        Header::parse(&line, GAMES).expect("a header")
    };
    let keys = tabiya_store::keys::Keyring::in_folder(&folder.path().join("keys"));
    let kept = Keeping { keys, copy: None, event: None, pgn: None, cards: None };
    let Seated { session, .. } = book::begin_in(&record, &header("m1"), &kept).expect("it begins");
    let next = Some(kept);
    let seated =
        SingleTable { session, at: Instant::ZERO, record: Some(record), deck: None, read_deals: false, next };
    let mut desk = Desk::for_table(surroundings(&folder), seated);
    for (nth, line) in (1..).zip(["press black", "e4"]) {
        typed(&mut desk, 1_000 * nth, line);
    }
    let on = |desk: &Desk| desk.hall_report(at(9_000)).on.map(|on| on.uid);
    let moves = |desk: &Desk| desk.snapshot(at(9_000)).table.map(|view| view.moves.clone());
    let answer = Arc::default();
    let order = |desk: &mut Desk, id: &str| {
        desk.order(Box::new(Ordered(Some(header(id)), Arc::clone(&answer))), at(9_000));
        answer.lock().expect("nobody panics").take().expect("an answer").is_ok()
    };
    // The record has a match of this name.
    assert!(!order(&mut desk, "m1"));
    assert_eq!(on(&desk).as_deref(), Some("m1"));
    assert_eq!(moves(&desk), Some(vec!["e4".to_owned()]), "it is shown as it was");
    // It goes on, and its lines are kept.
    typed(&mut desk, 9_000, "undo");
    typed(&mut desk, 9_100, "y");
    assert_eq!(moves(&desk), Some(Vec::new()), "{:?}", desk.snapshot(at(9_100)).notices);
    assert!(order(&mut desk, "m2"));
    assert_eq!(on(&desk).as_deref(), Some("m2"));
}

#[test]
fn consoles_hear_of_a_lost_board_an_empty_battery_and_a_player_who_stops_the_clocks() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    let told = |desk: &Desk, now: u64| {
        let alerts = desk.hall_report(at(now)).alerts;
        alerts.into_iter().map(|alert| (alert.number, alert.cause.kind.word())).collect::<Vec<_>>()
    };
    desk.board(&BoardEvent::Identified(BoardInfo::new(dgt::MAKER.brand())), at(0));
    let start: Board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().expect("a board");
    desk.board(&BoardEvent::Observed(Observation::Whole(start)), at(10));
    desk.wish(chess("300"), at(20));
    assert_eq!(told(&desk, 30), []);
    let first = 1 << 32;
    for percent in [15, 14, 9] {
        desk.board(&BoardEvent::Battery { percent, charging: false, low: false }, at(40));
    }
    assert_eq!(told(&desk, 50), [(first + 1, "battery")]);
    let gone = LinkError::Missing { port: "/dev/board".to_owned() };
    desk.board(&BoardEvent::Lost(gone), at(500));
    assert!(told(&desk, 510).contains(&(first + 2, "board")));
    typed(&mut desk, 600, "press black");
    typed(&mut desk, 700, "white pause");
    assert_eq!(told(&desk, 800).first(), Some(&(first + 3, "call")), "{:?}", told(&desk, 800));
    assert!(desk.snapshot(at(800)).alerts.is_empty(), "people at the table see it without an alert");
    desk.order(Box::new(Looked(first + 2)), at(900));
    let taken = desk.hall_report(at(900)).alerts.into_iter().find(|alert| alert.number == first + 2);
    assert_eq!(taken.and_then(|alert| alert.taken).as_deref(), Some("Rossi"));
    typed(&mut desk, 1_000, "resume");
    assert!(told(&desk, 1_100).iter().all(|(_, kind)| *kind != "call"));
}

/// The alerts that consoles hear of: each one's number, kind and side.
fn told_to_consoles(desk: &Desk, now: u64) -> Vec<(u64, &'static str, Option<Color>)> {
    let alerts = desk.hall_report(at(now)).alerts;
    alerts.into_iter().map(|alert| (alert.number, alert.cause.kind.word(), alert.cause.by)).collect()
}

#[test]
fn a_result_that_nobody_confirms_is_told_to_consoles_after_three_minutes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(chess("300"), at(20));
    for (now, line) in [(1_000, "press black"), (2_000, "e4"), (3_000, "black resign"), (3_100, "y")] {
        typed(&mut desk, now, line);
    }
    let kinds = |desk: &Desk, now: u64| -> Vec<&str> {
        told_to_consoles(desk, now).into_iter().map(|(_, kind, _)| kind).collect()
    };
    assert_eq!(kinds(&desk, 4_000), Vec::<&str>::new());
    assert!(desk.deadline().is_some_and(|due| due <= at(184_000)), "{:?}", desk.deadline());
    assert_eq!(kinds(&desk, 183_000), Vec::<&str>::new());
    assert_eq!(kinds(&desk, 184_000), ["unsigned"]);
    typed(&mut desk, 185_000, "sign white");
    assert_eq!(kinds(&desk, 185_100), ["unsigned"], "the other one has not");
    typed(&mut desk, 186_000, "sign black");
    assert_eq!(kinds(&desk, 186_100), Vec::<&str>::new());
}

#[test]
fn consoles_hear_of_a_claim_once_for_each_side_and_not_at_each_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    let terms = Group::new().with("time", "300").with("voice", "event");
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    desk.wish(Wish::Begin(Box::new(NewMatch::usual("chess", players, Seat::A, terms))), at(20));
    typed(&mut desk, 500, "press black");
    let mut now = 1_000;
    let mut seen = std::collections::BTreeSet::new();
    let mut open = Vec::new();
    // The third time that a position stands, and each move after it, a draw can be claimed.
    for line in ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle().take(13) {
        typed(&mut desk, now, line);
        open = told_to_consoles(&desk, now + 10);
        seen.extend(open.clone());
        now += 1_000;
    }
    let of =
        |color: Color| open.iter().filter(|(_, kind, by)| *kind == "claimable" && *by == Some(color)).count();
    assert_eq!((open.len(), of(Color::White), of(Color::Black)), (2, 1, 1), "{open:?}");
    assert_eq!(seen.len(), 2, "two alerts in all: {seen:?}");
    // What never stood before cannot be claimed any more, by either side.
    for (line, left) in [("e5", 1), ("e4", 0)] {
        typed(&mut desk, now, line);
        let open = told_to_consoles(&desk, now + 10);
        assert_eq!(open.len(), left, "{line}: {open:?}");
        now += 1_000;
    }
}

#[test]
fn consoles_hear_of_a_clock_that_went_silent_and_of_a_fouled_deal_until_it_is_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    let terms = tabiya_engine::rules::presets::terms(None, "choker").expect("choker has terms");
    desk.wish(Wish::Begin(Box::new(NewMatch::usual("choker", players, Seat::A, terms))), at(20));
    let kinds = |desk: &Desk, now: u64| -> Vec<&str> {
        told_to_consoles(desk, now).into_iter().map(|(_, kind, _)| kind).collect()
    };
    for (now, line) in [(1_000, "deal"), (2_000, "fouled a card too many"), (2_100, "y")] {
        typed(&mut desk, now, line);
    }
    assert!(kinds(&desk, 2_200).contains(&"deal"), "{:?}", desk.snapshot(at(2_200)).notices);
    typed(&mut desk, 3_000, "deal");
    assert!(!kinds(&desk, 3_100).contains(&"deal"));
    desk.board(&BoardEvent::Identified(BoardInfo::new(dgt::MAKER.brand())), at(4_000));
    desk.board(&BoardEvent::ClockGone, at(4_100));
    assert!(kinds(&desk, 4_200).contains(&"clock"));
}

/// Somebody at a console looks after this alert.
struct Looked(u64);

impl TableOrder for Looked {
    fn judge(&mut self, _: &OrderSight<'_>) -> Option<OrderedAct> {
        Some(OrderedAct::Look { alert: self.0, by: Some("Rossi".to_owned()), done: false })
    }

    fn answer(self: Box<Self>, _: OrderAnswer) {}
}
