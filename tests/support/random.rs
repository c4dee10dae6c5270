//! Random sessions: mostly legal lines, now and then an undo, a ruling, a pause, or nonsense.
//!
//! A seed gives the same session on every machine. Lines that the rules refuse stay in the session, because their
//! moments advance the clock too.

#[path = "drez.rs"]
pub mod drez;

use serde_json::{Value, json};
use tabiya_engine::record::actions::legal_line;
use tabiya_engine::record::{Replay, Stop};
use tabiya_engine::rules::chess_joker::JokerOffer;
use tabiya_engine::rules::{Action, Bet, GAMES, Offer};
use tabiya_engine::table::LegalInput;

/// A small random number generator (splitmix64), only for tests.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    pub fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let nth = usize::try_from(self.below(from.len() as u64)).expect("an index");
        &from[nth]
    }
}

/// What a random session may contain besides legal lines.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Undo and redo.
    pub undo: bool,
    /// Pauses, fouled deals, and rulings that keep the number of chips.
    pub arbiter: bool,
    /// Lines that the rules will often refuse.
    pub nonsense: bool,
}

impl Style {
    pub const ALL: Self = Self { undo: true, arbiter: true, nonsense: true };
    pub const PLAIN: Self = Self { undo: false, arbiter: false, nonsense: false };
}

/// A random header. `game` is `choker`, `chess`, `poker-chess`, `pokerdrez` or `chess-joker`.
pub fn header(chance: &mut Chance, game: &str) -> String {
    let times = ["-", "60", "180+2", "3/60+1:30", "20:10+1", "5/30+2:3/20:15+5"];
    let mut terms = json!({
        "time": chance.pick(&times),
        "first_increment": chance.one_in(2),
        "voice": if chance.one_in(4) { "event" } else { "casual" },
        "press": if chance.one_in(4) { "auto" } else { "clock" },
        "freeze": !chance.one_in(4),
    });
    if game == "choker" {
        let structures = [json!("no-limit"), json!("pot-limit"), json!({"limit": {"bet": 2, "raises": 3}})];
        let blind = 1 + chance.below(3);
        terms["stacks"] = json!({"A": 1 + chance.below(60), "B": 1 + chance.below(60)});
        terms["small_blind"] = blind.into();
        terms["structure"] = chance.pick(&structures).clone();
        terms["empress"] = chance.one_in(2).into();
        terms["becket"] = chance.one_in(2).into();
        if chance.one_in(3) {
            terms["blinds"] = json!({"every": "game", "levels": [1, 2, 3]});
        }
        if chance.one_in(3) {
            terms["bet_ms"] = 4000.into();
        }
    }
    if game == "poker-chess" {
        terms["deal"] = deal(chance);
        let limit = 1 + chance.below(6);
        terms["wipeout"] = limit.into();
        terms["mate_bonus"] = chance.below(5).into();
        terms["choice"] = (*chance.pick(&["best", "best", "player"])).into();
    }
    if game == "pokerdrez" {
        drez::terms(chance, &mut terms);
    }
    if game == "chess-joker" {
        joker_terms(chance, &mut terms);
    }
    let seat = chance.pick(&["A", "B"]);
    json!({"tabiya": 1, "game": game, "players": {"A": "Ann", "B": "Bo"}, "white": seat, "terms": terms})
        .to_string()
}

/// Positions from which games of Chess Joker begin: few pieces, open kings, castling, pawns on their first rank.
const JOKER_POSITIONS: [&str; 8] = [
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -",
    "4k3/pp4pp/8/2n2q2/8/3B4/PP3PPP/4K2R w K -",
    "4k3/8/8/8/8/8/8/R2QK3 b Q -",
    "1p2k1n1/p1p5/8/1b6/5q2/2N5/P5PP/1P2K1RP w - -",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "6k1/P4ppp/8/2r5/5B2/8/p4PPP/6K1 w - -",
    "q3k3/8/2n5/8/8/7K/1P3N2/3BNBB1 b - - 3 40",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -",
];

fn joker_terms(chance: &mut Chance, terms: &mut Value) {
    if chance.one_in(2) {
        terms["deck"] = (1 + chance.below(40)).into();
    }
    if chance.one_in(4) {
        terms["simple"] = true.into();
    }
    if chance.one_in(3) {
        terms["confirm"] = (*chance.pick(&["none", "other"])).into();
    }
    if !chance.one_in(3) {
        terms["fen"] = (*chance.pick(&JOKER_POSITIONS)).into();
    }
}

/// The fields of a random card: one of the invented ones, one without an effect, or one that is not known.
fn joker_card(chance: &mut Chance) -> Value {
    let all: Value =
        serde_json::from_str(include_str!("../../fixtures/chess-joker/cards/invented.json")).expect("JSON");
    match chance.below(8) {
        0 => json!({"card": "?"}),
        1 => json!({"card": *chance.pick(&["QA", "QB", "QC", "QD"])}),
        2 => {
            json!({"card": *chance.pick(&["QE", "QF", "QG"]), "elo": 25 * chance.below(7), "star": chance.one_in(2)})
        }
        _ => {
            let card = chance.pick(all["cards"].as_array().expect("a list")).clone();
            let mut fields = json!({"card": card["code"], "elo": card["elo"]});
            if card["star"] == true {
                fields["star"] = true.into();
            }
            fields["effect"] = card["effect"].clone();
            fields
        }
    }
}

/// A line for one of the offers that only Chess Joker has.
fn joker_line(chance: &mut Chance, offer: &JokerOffer) -> Value {
    match offer {
        JokerOffer::Draw(by) => {
            let mut line = json!({"do": "draw", "by": by.word()});
            let card = joker_card(chance);
            line.as_object_mut().expect("an object").extend(card.as_object().expect("an object").clone());
            line
        }
        JokerOffer::Uses { by, uses, .. } => {
            let steps: Vec<String> = chance.pick(uses).iter().map(ToString::to_string).collect();
            json!({"do": "play", "by": by.word(), "steps": steps})
        }
        JokerOffer::Unwritten(by) => {
            let squares = ["a3", "b4", "c5", "d6", "e2", "e4", "f7", "g1", "h5"];
            let (from, to) = (chance.pick(&squares), chance.pick(&squares));
            let step = match chance.below(6) {
                0 => Vec::new(),
                1 => vec![format!("-{from}")],
                2 => vec![format!("+{}{from}", chance.pick(&["N", "b", "R"]))],
                3 => vec![format!("{from}=Q")],
                _ if from == to => Vec::new(),
                4 => vec![format!("{from}<>{to}")],
                _ => vec![format!("{from}{to}")],
            };
            json!({"do": "play", "by": by.word(), "steps": step})
        }
    }
}

/// A random deal of Poker Chess: a name, or a list of 26 or 52 cards.
fn deal(chance: &mut Chance) -> Value {
    let names = ["corner-aces", "rande-schande", "twisted-corner-aces", "royal-flush"];
    let mut half = |suits: &str| -> Vec<String> {
        let cards =
            suits.chars().flat_map(|suit| "23456789TJQKA".chars().map(move |rank| format!("{rank}{suit}")));
        let mut cards: Vec<String> = cards.collect();
        for last in (1..cards.len()).rev() {
            cards.swap(last, usize::try_from(chance.below(last as u64 + 1)).expect("small"));
        }
        cards
    };
    let (mut red, black) = (half("hd"), half("sc"));
    match chance.below(4) {
        0 => red.into(),
        1 => {
            red.extend(black);
            red.into()
        }
        _ => (*chance.pick(&names)).into(),
    }
}

/// All sets of squares that a legal `choose` allows, each in alphabetical order.
pub fn sets_of(choose: &Value) -> Vec<Vec<String>> {
    let texts = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list");
        list.iter().map(|square| square.as_str().expect("a square").to_owned()).collect()
    };
    let mut sets = vec![texts(&choose["all"])];
    for group in choose["some"].as_array().expect("a list") {
        let count = usize::try_from(group["count"].as_u64().expect("a number")).expect("small");
        let mut next = Vec::new();
        for set in &sets {
            for chosen in subsets(&texts(&group["of"]), count) {
                next.push(set.iter().cloned().chain(chosen).collect::<Vec<String>>());
            }
        }
        sets = next;
    }
    for set in &mut sets {
        set.sort();
    }
    sets
}

/// All ways to take `count` of these.
pub fn subsets(of: &[String], count: usize) -> Vec<Vec<String>> {
    let Some((first, rest)) = of.split_first() else {
        return if count == 0 { vec![Vec::new()] } else { Vec::new() };
    };
    let mut all = subsets(rest, count);
    if count > 0 {
        for mut set in subsets(rest, count - 1) {
            set.push(first.clone());
            all.push(set);
        }
    }
    all
}

/// A random session: its header with `steps` lines, and the replay after these lines.
pub fn session(seed: u64, steps: usize, game: &str, style: Style) -> (Vec<String>, Replay) {
    let mut chance = Chance::new(seed);
    let header = header(&mut chance, game);
    let mut replay = Replay::begin(&header, GAMES).expect("a header of ours");
    let mut lines = vec![header];
    let mut t = 0;
    for _ in 0..steps {
        t += [0, 1, 300, 700, 1500, 5000][usize::try_from(chance.below(6)).expect("small")];
        if chance.one_in(60) {
            t += 40_000;
        }
        let line = next_line(&mut chance, &replay, style);
        let mut whole = json!({"t": t});
        whole.as_object_mut().expect("an object").extend(line.as_object().expect("an object").clone());
        let text = whole.to_string();
        let number = u32::try_from(lines.len()).expect("few lines") + 1;
        match replay.feed(number, &text) {
            Ok(()) | Err(Stop::Refused(_)) => lines.push(text),
            Err(Stop::Unusable(error)) => panic!("seed {seed}: the form is wrong: {error}: {text}"),
        }
    }
    (lines, replay)
}

fn next_line(chance: &mut Chance, replay: &Replay, style: Style) -> Value {
    if style.undo && chance.one_in(12) {
        return json!({"do": chance.pick(&["undo", "undo", "redo"])});
    }
    let drez = replay.header().kind.name() == "pokerdrez";
    if style.nonsense && chance.one_in(12) {
        return if drez && chance.one_in(2) { drez::nonsense(chance) } else { nonsense(chance) };
    }
    if drez && style.arbiter && chance.one_in(20) {
        return drez::ruling(chance);
    }
    if style.arbiter && chance.one_in(14) {
        return interruption(chance, replay);
    }
    let legal = replay.table().legal();
    if legal.is_empty() {
        return json!({"do": "tick"});
    }
    // If resignations, draws and folds were as likely as other lines, all games would end early.
    let calm: Vec<&LegalInput> = legal
        .iter()
        .filter(|legal| {
            !["resign", "offer-draw", "accept-draw", "claim-draw", "claim-flag"].contains(&legal.word())
        })
        .filter(|legal| !matches!(legal.action(), Some(Action::Bet { bet: Bet::Fold, .. })))
        .collect();
    let press = calm.iter().find(|legal| matches!(legal, LegalInput::Press(_)));
    let pick = if calm.is_empty() || chance.one_in(25) {
        chance.pick(&legal).clone()
    } else if let Some(press) = press
        && chance.one_in(2)
    {
        (*press).clone()
    } else {
        (*chance.pick(&calm)).clone()
    };
    if drez { drez::concrete(chance, replay, &pick) } else { concrete(chance, &pick) }
}

/// A random line made from one of the legal inputs. If the input allows a range of amounts or a list of squares, the
/// line contains one of them, chosen at random.
pub fn concrete(chance: &mut Chance, legal: &LegalInput) -> Value {
    let mut line = legal_line(legal);
    if let LegalInput::Game(Offer::Own(own)) = legal
        && let Some(offer) = own.of::<JokerOffer>()
    {
        let mut play = joker_line(chance, offer);
        if !line["as"].is_null() {
            play["as"] = line["as"].clone();
        }
        return play;
    }
    if line["do"] == "choose" {
        let squares = chance.pick(&sets_of(&line)).clone();
        return json!({"do": "choose", "by": line["by"], "squares": squares});
    }
    for (name, value) in line.as_object_mut().expect("an object") {
        *value = match &*value {
            Value::Array(range) if name == "to" => {
                let end = |nth: usize| range[nth].as_u64().expect("a number");
                let (least, most) = (end(0), end(1));
                let any = least + chance.below(most - least + 1);
                (*chance.pick(&[least, any, any, most])).into()
            }
            Value::Array(list) => chance.pick(list).clone(),
            other => other.clone(),
        };
    }
    line
}

fn nonsense(chance: &mut Chance) -> Value {
    let by = chance.pick(&["white", "black"]);
    let square = || "a1 b2 e1 e2 d4 e5 d7 h8 c2 g7".split(' ').collect::<Vec<_>>();
    match chance.below(10) {
        0 => json!({"do": "press", "by": by}),
        1 => json!({"do": "tick"}),
        2 => json!({"do": "pause", "by": by}),
        3 => json!({"do": "resume", "by": by}),
        4 => json!({"do": "move", "by": by, "uci": chance.pick(&["e2e4", "e7e5", "e1g1", "a2a1q", "d1h5"])}),
        5 => json!({"do": "offer-draw", "by": by}),
        6 => json!({"do": "claim-draw", "by": by}),
        7 => json!({"do": "next"}),
        8 => json!({"do": "claim-flag", "by": by}),
        _ => json!({"do": "sees", "board": format!("{}/8/8/8/8/8/8/8", chance.pick(&square()).len() * 4)}),
    }
}

fn interruption(chance: &mut Chance, replay: &Replay) -> Value {
    let by = chance.pick(&["white", "black", "arbiter"]);
    if replay.header().kind.name() == "chess-joker" && chance.one_in(2) {
        return joker_ruling(chance);
    }
    let stacks = replay.table().stacks();
    let choker = matches!(replay.header().kind.name(), "choker" | "pokerdrez");
    let set = match chance.below(if choker { 5 } else { 3 }) {
        0 => json!({"clock_ms": {"white": chance.below(60_000)}}),
        1 => json!({"winner": chance.pick(&[json!("A"), json!("B"), Value::Null])}),
        2 => json!({"to_act": chance.pick(&["white", "black"])}),
        3 if stacks.a.0 > 1 => json!({"stacks": {"A": stacks.a.0 - 1, "B": stacks.b.0 + 1}}),
        _ => {
            return if choker {
                json!({"do": "fouled", "by": by, "reason": "?"})
            } else {
                json!({"do": "tick"})
            };
        }
    };
    match chance.below(4) {
        0 => json!({"do": "pause", "by": by}),
        1 => json!({"do": "resume", "by": by}),
        _ => json!({"do": "rule", "by": "arbiter", "reason": "?", "set": set}),
    }
}

fn joker_ruling(chance: &mut Chance) -> Value {
    let set = match chance.below(6) {
        0 => json!({"score": {"A": chance.below(800)}}),
        1 => json!({"deck": chance.below(9)}),
        2 => json!({"fen": chance.pick(&JOKER_POSITIONS)}),
        3 => json!({"cards": {"white": Value::Null}}),
        4 => json!({"cards": {"white": joker_card(chance), "black": joker_card(chance)}}),
        _ => json!({"to_act": chance.pick(&["white", "black"]), "cards": {"black": joker_card(chance)}}),
    };
    json!({"do": "rule", "by": "arbiter", "reason": "?", "set": set})
}
