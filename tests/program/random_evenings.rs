//! Random evenings, played by typed words alone: several matches of several people, with bought chips, counts, rulings, takebacks,
//! and matches that are left. Every account of an evening must say the same, and the winnings and the debts must add up to zero.
//!
//! `TABIYA_EVENINGS` says how many are played, `TABIYA_SEED` with which seed they begin.

use std::collections::BTreeMap;
use std::path::Path;

use tabiya_app::desk::{Desk, Format, NewMatch, Wish};
use tabiya_app::owing::debts;
use tabiya_app::snapshot::{Snapshot, TableView};
use tabiya_engine::rules::{Action, Actor, Group, Offer, Phase, PlayAction};
use tabiya_engine::table::LegalInput;
use tabiya_types::{BySeat, Instant, Seat};

use crate::evening::environment;
use crate::evening_accounts::{Accounts, Told};
use crate::tries::{report, seed, tries};

/// How many evenings the ordinary run plays.
const EVENINGS: u64 = 8;
const SEED: u64 = 1;
/// After so many words a match is ended.
const LONGEST: u64 = 160;
/// After so many moves people give a game up, draw it or have it ruled.
const MOVES: usize = 8;

/// A small random number generator (splitmix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % end
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[usize::try_from(self.below(from.len() as u64)).expect("an index")]
    }
}

/// The game and the terms of a random match.
fn terms(chance: &mut Chance) -> (&'static str, Group) {
    let game = *chance.pick(&["choker", "choker", "choker", "choker", "chess", "pokerdrez"]);
    let mut terms = Group::new();
    if chance.one_in(2) {
        terms = terms.with("time", *chance.pick(&["300", "180+2"]));
    }
    if chance.one_in(3) {
        terms = terms.with("draw_wins", *chance.pick(&["black", "white"]));
    }
    let games = u32::try_from(1 + chance.below(4)).expect("few");
    if game == "chess" || chance.one_in(2) {
        terms = terms.with("games", games);
    }
    if game == "chess" {
        return (game, terms);
    }
    let mut chips = || u32::try_from(12 + chance.below(90)).expect("few");
    terms = terms.with("stacks", Group::new().with("A", chips()).with("B", chips()));
    if game == "pokerdrez" {
        return (game, terms.with("bets", Group::new().with("least", 2_u32).with("most", 9_u32)));
    }
    terms = terms.with("small_blind", u32::try_from(1 + chance.below(3)).expect("few"));
    if chance.one_in(3) {
        terms = terms.with("blinds", Group::new().with("every", "game").with("levels", vec![1_u32, 2, 3]));
    }
    (game, terms)
}

/// What is typed next.
fn word(chance: &mut Chance, table: &TableView) -> String {
    if table.outcome.is_some() {
        return between_games(chance, table);
    }
    if table.begun && chance.one_in(25) {
        return interruption(chance, table);
    }
    if table.bet.is_some() {
        return bet(chance, table);
    }
    match (table.phase, table.to_act) {
        _ if table.agreement.game == "pokerdrez" && !table.begun => "deal P P N X R".to_owned(),
        (_, Actor::Dealer) => "deal".to_owned(),
        (Phase::Place, _) => placement(chance, table),
        _ if table.agreement.game == "pokerdrez" => laid(chance, table),
        _ => chess(chance, table),
    }
}

fn bet(chance: &mut Chance, table: &TableView) -> String {
    let raise = table.legal.iter().find_map(|legal| match legal {
        LegalInput::Game(Offer::Raise { least, most, .. }) => Some((u64::from(least.0), u64::from(most.0))),
        _ => None,
    });
    match (chance.below(12), raise) {
        (0, _) => "fold".to_owned(),
        (1, Some(_)) => "all in".to_owned(),
        (2 | 3, Some((least, most))) => format!("raise {}", least + chance.below((most - least).min(12) + 1)),
        (4, Some((least, _))) => format!("raise {least}"),
        _ => "call".to_owned(),
    }
}

/// A card, its piece, or the press after it.
fn placement(chance: &mut Chance, table: &TableView) -> String {
    let mut words = Vec::new();
    for legal in &table.legal {
        match legal {
            LegalInput::Game(Offer::Do(Action::Reveal(reveal))) => {
                words.push(reveal.card.letter().to_string());
            }
            LegalInput::Game(Offer::Place { piece, at, .. }) if table.announced.is_none() => {
                words.push(format!("{}{}", piece.letter(), chance.pick(at)));
            }
            _ => {}
        }
    }
    let placed = table.legal.iter().any(|legal| matches!(legal, LegalInput::Press(_)));
    if placed || words.is_empty() { String::new() } else { chance.pick(&words).clone() }
}

fn chess(chance: &mut Chance, table: &TableView) -> String {
    if table.moves.len() >= MOVES && !chance.one_in(6) {
        return ending(chance);
    }
    let moves: Vec<String> = table
        .legal
        .iter()
        .filter_map(|legal| match legal.action() {
            Some(Action::Play(PlayAction::Move { uci, .. })) => Some(uci.to_string()),
            _ => None,
        })
        .collect();
    if moves.is_empty() { String::new() } else { chance.pick(&moves).clone() }
}

/// A few turns of PokerDrez as two people play them, and then an end.
fn laid(chance: &mut Chance, table: &TableView) -> String {
    let turns = ["own P", "e4", "", "own P", "e5", "", "own P", "d4", ""];
    if chance.one_in(9) {
        return format!("raise {}", 3 + chance.below(7));
    }
    match table.moves.len() {
        0..3 if !chance.one_in(8) => (*chance.pick(&turns)).to_owned(),
        _ => ending(chance),
    }
}

/// How people end a game.
fn ending(chance: &mut Chance) -> String {
    let words = [
        "resign",
        "resign white",
        "resign black",
        "draw",
        "accept",
        "accept",
        "",
        "",
        "rule winner A he had to go",
        "rule winner B he had to go",
        "rule draw no progress",
        "rule points A 0 B 0 both analysed",
        "rule points A 0 B 1/2 he analysed",
        "rule forfeit A he left",
        "rule forfeit both nobody came back",
        "rule void the clock was broken",
        "claim",
    ];
    (*chance.pick(&words)).to_owned()
}

fn between_games(chance: &mut Chance, table: &TableView) -> String {
    let chips = table.agreement.agreed.stacks().iter().any(|chips| chips.0 > 0);
    match chance.below(20) {
        0 | 1 if chips => about_chips(chance, table),
        2 => (*chance.pick(&["undo", "undo", "redo", "undo ruling", "rule on it was a mistake"])).to_owned(),
        3 => (*chance.pick(&["sign white", "sign black", "results"])).to_owned(),
        4 => (*chance.pick(&["rule winner A a dispute", "rule draw a dispute", "rule void a dispute"]))
            .to_owned(),
        5 => "end closing time".to_owned(),
        _ => "next".to_owned(),
    }
}

/// What may come between in a running game.
fn interruption(chance: &mut Chance, table: &TableView) -> String {
    let chips = table.agreement.agreed.stacks().iter().any(|chips| chips.0 > 0);
    match chance.below(9) {
        0..3 if chips => about_chips(chance, table),
        3 => "fouled a torn card".to_owned(),
        4 => "end he has to catch a train".to_owned(),
        5 | 6 => "undo".to_owned(),
        7 => "redo".to_owned(),
        _ => ending(chance),
    }
}

/// Counts, bought chips, chips that change hands, and a pot that is put right.
fn about_chips(chance: &mut Chance, table: &TableView) -> String {
    let BySeat { a, b } = table.stacks;
    let (a, b) = (u64::from(a.0), u64::from(b.0));
    let moved = chance.below(4).min(a);
    let put = table.stakes.contributed[Seat::A.color(table.seats.white)].0;
    match chance.below(7) {
        0 => format!("count A {a} B {b}"),
        1 => format!("count A {} B {b}", a + chance.below(3)),
        2 => format!("rule stacks A {} added A buys chips", a + 20),
        3 => format!("rule stacks B {} added B buys chips", b + 1 + chance.below(30)),
        4 => format!("rule stacks B {} added B gives chips back", b - chance.below(5).min(b)),
        5 => format!("rule stacks A {} B {} a slip", a - moved, b + moved),
        _ if table.outcome.is_none() && table.bet.is_some() => {
            let less = chance.below(3).min(a);
            format!("rule pot A {} stacks A {} the blind was too small", u64::from(put) + less, a - less)
        }
        _ => "rule stacks A 999 from nowhere".to_owned(),
    }
}

/// Answers the open question, mostly with yes or with one of the numbers.
fn answer(chance: &mut Chance, answers: Option<usize>) -> String {
    match answers {
        _ if chance.one_in(12) => "no".to_owned(),
        None => "yes".to_owned(),
        Some(count) => (1 + chance.below(count as u64)).to_string(),
    }
}

/// An evening that is being played.
struct Evening<'a> {
    desk: Desk,
    folder: &'a Path,
    now: u64,
    chance: Chance,
}

impl Evening<'_> {
    fn at(&self) -> Instant {
        Instant::from_millis(self.now)
    }

    fn snapshot(&mut self) -> Snapshot {
        let at = self.at();
        self.desk.snapshot(at)
    }

    fn wish(&mut self, wish: Wish) {
        self.now += 400 + self.chance.below(3_000);
        let at = self.at();
        self.desk.time(at);
        self.desk.wish(wish, at);
    }

    /// Plays a match between two of the people, and returns the accounts of it that its table gives.
    fn play(&mut self, number: usize) -> Told {
        let people = ["Ann", "Bo", "Cy", "Di"];
        let first = usize::try_from(self.chance.below(4)).expect("few");
        let second = (first + 1 + usize::try_from(self.chance.below(3)).expect("few")) % 4;
        let players = BySeat { a: people[first].to_owned(), b: people[second].to_owned() };
        let (game, terms) = terms(&mut self.chance);
        let white = *self.chance.pick(&Seat::ALL);
        self.wish(Wish::Begin(Box::new(NewMatch::usual(game, players, white, terms))));
        let leaves_it = self.chance.one_in(12);
        for step in 0..LONGEST + 20 {
            let snapshot = self.snapshot();
            let table = snapshot.table.expect("a match is played");
            if table.match_over || (leaves_it && step > 40) {
                break;
            }
            let typed = match &snapshot.question {
                Some(asked) => answer(&mut self.chance, asked.answers.as_ref().map(Vec::len)),
                None if step >= LONGEST => "end closing time".to_owned(),
                None => word(&mut self.chance, &table),
            };
            if self.chance.one_in(400) {
                // Somebody thinks until his time is over.
                self.now += 400_000;
            }
            self.wish(Wish::Typed(typed));
        }
        let at = self.at();
        let mut text = |format: Format| {
            let path = self.folder.join(format!("{number}-{format:?}.{}", format.ending()));
            self.desk.wish(Wish::Export(format, path.clone()), at);
            std::fs::read_to_string(&path).expect("it was exported")
        };
        let told = Told { pgn: text(Format::Pgn), story: text(Format::Story), sheet: text(Format::Sheet) };
        self.wish(Wish::Leave);
        if self.snapshot().question.is_some() {
            self.wish(Wish::Yes);
        }
        told
    }
}

/// Plays an evening, and compares its accounts. Returns how many matches and games it had. `Err` says what differs.
fn evening(seed: u64) -> Result<(usize, usize), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = Desk::new(environment(&folder), None);
    desk.look();
    let mut evening = Evening { desk, folder: folder.path(), now: 0, chance: Chance(seed) };
    let matches = usize::try_from(1 + evening.chance.below(4)).expect("few");
    let told: Vec<Told> = (0..matches).map(|number| evening.play(number)).collect();
    let view = evening.snapshot().evening;
    drop(evening);
    let accounts = Accounts::read(&view.path, &told);
    if accounts.are_unsure() {
        return Ok((0, 0));
    }
    accounts.agree(&view.csv())?;
    let scores = view.scores();
    let chips: BTreeMap<&str, i64> = scores.iter().map(|(name, score)| (*name, score.chips)).collect();
    accounts.settle(&chips, &debts(&scores))?;
    Ok((matches, accounts.games()))
}

#[test]
fn in_random_evenings_all_accounts_agree_and_the_debts_add_up_to_zero() {
    let (first, evenings) = (seed(SEED), tries("TABIYA_EVENINGS", EVENINGS));
    let (mut matches, mut games, mut unsure, mut wrong) = (0, 0, 0, Vec::new());
    for seed in first..first + evenings {
        match evening(seed) {
            Ok((0, _)) => unsure += 1,
            Ok((played, of_games)) => (matches, games) = (matches + played, games + of_games),
            Err(how) => wrong.push(format!("seed {seed}: {how}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {evenings}:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(unsure <= 1 + evenings / 20, "{unsure} of {evenings} evenings say too little");
    report(&format!(
        "{evenings} random evenings from seed {first}: {matches} matches, {games} games, {unsure} left out | all accounts agree"
    ));
}
