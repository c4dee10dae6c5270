//! What a live table makes of a board's picture (`docs/record-chess-joker.md`, "A board's picture, when a card is
//! played").

use serde_json::json;
use tabiya_engine::record::{Header, Line, Replay};
use tabiya_engine::rules::{GAMES, Violation};
use tabiya_engine::sense::{Watch, WrittenLine};
use tabiya_engine::table::{Body, Question};
use tabiya_types::Instant;

/// What players hear about a card that comes before its move.
const WAITS: &str = "what Black said waits until the board shows Black's move";

const BEFORE: &str = "4k3/pppp4/8/8/8/8/PPPP4/4K3";

/// A live table at which both players have cards.
struct Live {
    text: String,
    header: Header,
    watch: Watch,
    written: Vec<WrittenLine>,
}

impl Live {
    fn new(confirm: &str, black: &serde_json::Value) -> Self {
        Self::at(&format!("{BEFORE} b - - 0 1"), confirm, black)
    }

    fn at(fen: &str, confirm: &str, black: &serde_json::Value) -> Self {
        let text = json!({
            "tabiya": 1, "game": "chess-joker", "players": {"A": "Ann", "B": "Bo"}, "white": "A",
            "terms": {"time": "600", "confirm": confirm, "fen": fen}
        })
        .to_string();
        let header = Header::parse(&text, GAMES).unwrap();
        let mut watch = Watch::new(header.agreement.clone());
        watch.expect_board();
        let mut live = Self { text, header, watch, written: Vec::new() };
        let set = json!({"cards": {"black": black}});
        live.line(0, &json!({"do": "rule", "by": "arbiter", "reason": "set up", "set": set}).to_string());
        live.sees(50, fen.split(' ').next().unwrap());
        live.line(100, r#"{"do":"press","by":"white"}"#);
        live
    }

    fn line(&mut self, t: u64, line: &str) {
        self.enter(t, line).unwrap_or_else(|why| panic!("{line}: {why:?}"));
    }

    fn enter(&mut self, t: u64, line: &str) -> Result<(), Violation> {
        let line = line.replacen('{', &format!("{{\"t\":{t},"), 1);
        let Body::Acted(input) = Line::parse(&line, &self.header).unwrap().body else { panic!("{line}") };
        let entered = self.watch.enter(&input, Instant::from_millis(t));
        self.take();
        entered
    }

    fn sees(&mut self, t: u64, board: &str) {
        self.watch.sees(&board.parse().unwrap(), Instant::from_millis(t));
        self.take();
    }

    fn wait(&mut self, until: u64) {
        self.watch.time(Instant::from_millis(until));
        self.take();
    }

    fn take(&mut self) {
        self.written.extend(self.watch.take_lines());
    }

    fn asked(&self) -> String {
        self.watch.question().map(Question::to_string).unwrap_or_default()
    }

    /// The lines that changed the game, in short form. Together they replay to the same table.
    fn told(&self) -> String {
        let lines = self.written.iter().filter(|line| matches!(line.body, Body::Acted(_)));
        let lines: Vec<serde_json::Value> =
            lines.map(|line| Line::from(line.clone()).to_string().parse().unwrap()).collect();
        let mut replay = Replay::begin(&self.text, GAMES).unwrap();
        for (line, number) in lines.iter().zip(2..) {
            replay.feed(number, &line.to_string()).unwrap_or_else(|stop| panic!("{line}: {stop:?}"));
        }
        assert_eq!(replay.table().board(), self.watch.table().board());
        let word = |line: &serde_json::Value| {
            let when = line.get("when").map_or_else(String::new, |when| format!("@{when}"));
            let what =
                line.get("uci").or(line.get("steps")).or(line.get("card")).cloned().unwrap_or_default();
            format!("{} {what}{when}", line["do"].as_str().unwrap()).replace('"', "").replace(" null", "")
        };
        lines.iter().skip(2).map(word).collect::<Vec<_>>().join(", ")
    }
}

const LEAPT: &str = "4k3/1ppp4/8/8/p7/8/PPPP4/4K3";

#[test]
fn an_unwritten_card_is_proposed_from_the_board_and_confirmed() {
    let mut live = Live::new("other", &json!({"card": "AB", "elo": 50}));
    live.sees(5_000, LEAPT);
    live.line(6_000, r#"{"do":"press","by":"black"}"#);
    live.wait(7_000);
    assert_eq!(
        live.asked(),
        "the board does not show for certain what was played; was it this: Black plays the card: a7a4"
    );
    assert!(live.watch.choose(1, Instant::from_millis(8_000)));
    live.take();
    assert_eq!(live.told(), "play [a7a4]@6000");
    live.line(9_000, r#"{"do":"confirm","by":"white"}"#);
    assert_eq!(live.told(), "play [a7a4]@6000, confirm");
    live.line(10_000, r#"{"do":"draw","by":"black","card":"AC"}"#);
    live.wait(20_000);
    assert_eq!(live.told(), "play [a7a4]@6000, confirm, draw AC@6000, press@6000");
    assert_eq!(live.asked(), "");
}

#[test]
fn a_proposal_that_is_rejected_leaves_the_turn_open() {
    let mut live = Live::new("other", &json!({"card": "AB", "elo": 50}));
    live.sees(5_000, LEAPT);
    live.line(6_000, r#"{"do":"press","by":"black"}"#);
    live.wait(7_000);
    assert!(live.watch.choose(1, Instant::from_millis(8_000)));
    live.line(9_000, r#"{"do":"reject","by":"white"}"#);
    // The pawn goes back, and one square forward.
    live.sees(12_000, "4k3/1ppp4/p7/8/8/8/PPPP4/4K3");
    live.line(13_000, r#"{"do":"press","by":"black"}"#);
    live.line(14_000, r#"{"do":"draw","by":"black","card":"AC"}"#);
    live.wait(30_000);
    assert!(live.told().contains("reject, move a7a6"), "{}", live.told());
    assert!(live.told().ends_with("draw AC@13000, press@13000"), "{}", live.told());
}

#[test]
fn a_card_with_unknown_points_is_not_proposed() {
    let mut live = Live::new("other", &json!({"card": "AB"}));
    live.sees(5_000, LEAPT);
    live.line(6_000, r#"{"do":"press","by":"black"}"#);
    live.wait(60_000);
    // Nothing can be offered, and the board itself says what is wrong with it.
    assert_eq!(live.asked(), "");
}

#[test]
fn a_legal_move_is_no_proposal() {
    let mut live = Live::new("other", &json!({"card": "AB", "elo": 50}));
    live.sees(5_000, "4k3/1ppp4/p7/8/8/8/PPPP4/4K3");
    live.line(6_000, r#"{"do":"press","by":"black"}"#);
    live.wait(7_000);
    assert_eq!(live.asked(), "");
    live.line(9_000, r#"{"do":"draw","by":"black","card":"AC"}"#);
    assert_eq!(live.told(), "move a7a6, draw AC@6000, press@6000");
}

#[test]
fn a_card_that_is_drawn_before_the_board_shows_the_move_waits_for_the_move() {
    let mut live = Live::new("none", &json!({"card": "AB", "elo": 50}));
    let draw = r#"{"do":"draw","by":"black","card":"AC"}"#;
    let refused = live.enter(4_000, draw).expect_err("nothing was moved").sentence().to_string();
    assert!(refused.contains("no card to draw now"), "{refused}");
    live.sees(5_000, "4k3/1ppp4/8/8/8/8/PPPP4/4K3");
    live.line(5_500, draw);
    let remarks: Vec<String> =
        live.watch.take_remarks().iter().map(|remark| remark.says.to_string()).collect();
    assert_eq!((remarks, live.told()), (vec![WAITS.to_owned()], String::new()));
    // It is put back, and drawn again.
    live.line(5_520, r#"{"do":"undo"}"#);
    assert_eq!(live.told(), "");
    live.line(5_540, draw);
    live.sees(5_600, "4k3/1ppp4/p7/8/8/8/PPPP4/4K3");
    live.line(6_000, r#"{"do":"press","by":"black"}"#);
    live.wait(7_000);
    assert_eq!((live.told().as_str(), live.asked().as_str()), ("move a7a6@5600, draw AC@5600, press", ""));
}

/// A live table on which Black has lifted a pawn, and has drawn a card before the board shows where it stands.
fn drawn_early() -> Live {
    let mut live = Live::new("none", &json!({"card": "AB", "elo": 50}));
    live.sees(5_000, "4k3/1ppp4/8/8/8/8/PPPP4/4K3");
    live.line(5_500, r#"{"do":"draw","by":"black","card":"AC"}"#);
    live
}

#[test]
fn a_card_that_was_drawn_says_that_the_move_before_it_is_complete() {
    let mut live = drawn_early();
    live.sees(5_600, "4k3/1ppp4/p7/8/8/8/PPPP4/4K3");
    live.wait(7_000);
    assert_eq!(live.told(), "move a7a6@5600, draw AC@5600");
    // Black has forgotten to press.
    live.sees(8_000, "4k3/1ppp4/p7/8/8/P7/1PPP4/4K3");
    live.line(9_000, r#"{"do":"draw","by":"white","card":"AD"}"#);
    live.line(9_100, r#"{"do":"press","by":"white"}"#);
    live.wait(12_000);
    assert_eq!(live.told(), "move a7a6@5600, draw AC@5600, move a2a3@8000, draw AD, press");
    assert_eq!(live.asked(), "");
}

#[test]
fn cards_that_wait_belong_to_their_moves_where_a_press_is_forgotten() {
    let mut live = drawn_early();
    live.sees(5_600, "4k3/1ppp4/p7/8/8/8/PPPP4/4K3");
    // Black has not pressed, and White answers before the board has come to rest.
    live.sees(5_900, "4k3/1ppp4/p7/8/8/P7/1PPP4/4K3");
    live.line(6_000, r#"{"do":"draw","by":"white","card":"AD"}"#);
    live.line(6_100, r#"{"do":"press","by":"white"}"#);
    live.wait(9_000);
    let told = "move a7a6@6100, draw AC@6100, press@6100, move a2a3@6100, draw AD@6100, press@6100";
    assert_eq!((live.told().as_str(), live.asked().as_str()), (told, ""));
}

#[test]
fn a_card_that_no_move_makes_legal_is_refused_at_once() {
    let draw = r#"{"do":"draw","by":"black","card":"AD"}"#;
    // Black has drawn already, and White has lifted a pawn.
    let mut live = drawn_early();
    live.sees(5_600, "4k3/1ppp4/p7/8/8/8/PPPP4/4K3");
    live.wait(7_000);
    live.sees(8_000, "4k3/1ppp4/p7/8/8/8/1PPP4/4K3");
    live.enter(8_500, draw).expect_err("Black has drawn his card");
    // The clocks are stopped.
    let mut live = Live::new("none", &json!({"card": "AB", "elo": 50}));
    live.sees(5_000, "4k3/1ppp4/8/8/8/8/PPPP4/4K3");
    live.line(5_100, r#"{"do":"pause","by":"white"}"#);
    live.enter(5_500, draw).expect_err("the game is paused");
}

#[test]
fn a_card_that_was_drawn_before_the_answer_to_an_unwritten_card_waits_for_the_answer() {
    let mut live = Live::new("other", &json!({"card": "AB", "elo": 50}));
    live.sees(5_000, "4k3/1ppp4/8/8/8/8/PPPP4/4K3");
    live.line(5_100, r#"{"do":"draw","by":"black","card":"AC"}"#);
    live.sees(5_200, LEAPT);
    live.line(6_000, r#"{"do":"press","by":"black"}"#);
    live.wait(7_000);
    assert!(live.watch.choose(1, Instant::from_millis(8_000)));
    live.line(9_000, r#"{"do":"confirm","by":"white"}"#);
    live.wait(20_000);
    assert_eq!(live.told(), "play [a7a4]@6000, confirm, draw AC@6000, press@6000");
}

#[test]
fn a_press_that_waits_for_a_yes_ends_the_first_turn_when_it_is_given() {
    // White draws no card in the first turn of a game.
    let mut live = Live::new("other", &json!(null));
    live.line(150, r#"{"do":"rule","by":"arbiter","reason":"set up","set":{"to_act":"white","cards":{"white":{"card":"AB","elo":50}}}}"#);
    live.sees(5_000, "4k3/pppp4/8/P7/8/8/1PPP4/4K3");
    live.line(6_000, r#"{"do":"press","by":"white"}"#);
    live.wait(7_000);
    assert!(live.watch.choose(1, Instant::from_millis(8_000)));
    live.line(9_000, r#"{"do":"confirm","by":"black"}"#);
    live.wait(20_000);
    assert_eq!(live.told(), "rule, play [a2a5]@6000, confirm, press@6000");
}

#[test]
fn a_press_by_the_player_who_waits_is_not_that_of_the_player_who_plays() {
    let mut live = Live::new("none", &json!({"card": "AB", "elo": 50}));
    live.sees(5_000, LEAPT);
    live.line(5_500, r#"{"do":"press","by":"white"}"#);
    live.line(6_000, r#"{"do":"press","by":"black"}"#);
    live.line(9_000, r#"{"do":"play","by":"black","steps":["a7a4"]}"#);
    live.line(9_500, r#"{"do":"draw","by":"black","card":"AC"}"#);
    live.wait(30_000);
    assert_eq!(live.told(), "play [a7a4]@6000, draw AC@6000, press@6000");
}

#[test]
fn of_two_uses_that_leave_the_same_board_in_different_states_the_players_choose() {
    // The rook of h8 alone leaves castling as it was; both rooks do not.
    let card = json!({"card": "AB", "elo": 50, "effect": "warp rook or warp rook then warp another rook"});
    let mut live = Live::at("r3k2r/8/8/8/8/8/8/4K3 b q - 0 1", "other", &card);
    live.sees(5_000, "r3k3/8/8/8/r7/8/8/4K3");
    live.line(6_000, r#"{"do":"press","by":"black"}"#);
    live.wait(7_000);
    assert_eq!(live.told(), "");
    assert!(live.asked().contains("more than one explanation"), "{}", live.asked());
    assert!(live.watch.choose(1, Instant::from_millis(8_000)));
    live.take();
    assert!(live.told().starts_with("play ["), "{}", live.told());
    assert!(!live.watch.choose(1, Instant::from_millis(8_500)));
}

/// A spare rook stands for the bishop that a pawn becomes by a card, and goes on standing for it when a card moves it.
#[test]
fn a_stand_in_is_understood_where_a_card_promotes_and_moves_it() {
    let effect = "move pawn to rank 6 then promote it to bishop or warp bishop to empty center";
    let card = json!({"card": "AB", "elo": 50, "effect": effect});
    let mut live = Live::at("4k3/pppp4/8/8/1p6/8/P1PP4/4K3 b - - 0 1", "none", &card);
    live.line(1_000, r#"{"do":"stands","by":"black","piece":"B","as":"R"}"#);
    live.sees(5_000, "4k3/pppp4/8/8/8/1r6/P1PP4/4K3");
    live.line(6_000, r#"{"do":"press","by":"black"}"#);
    live.wait(7_000);
    assert_eq!((live.asked().as_str(), live.told().as_str()), ("", "stands, play [b4b3,b3=B]"));
    live.line(8_000, r#"{"do":"draw","by":"black","card":"AC"}"#);
    let set = json!({"cards": {"black": {"card": "AD", "elo": 50, "effect": effect}}});
    live.line(8_500, &json!({"do": "rule", "by": "arbiter", "reason": "again", "set": set}).to_string());
    live.sees(9_000, "4k3/pppp4/8/8/8/1r6/P1PP4/5K2");
    live.line(10_000, r#"{"do":"press","by":"white"}"#);
    live.line(11_000, r#"{"do":"draw","by":"white","card":"AE"}"#);
    live.sees(12_000, "4k3/pppp4/8/3r4/8/8/P1PP4/5K2");
    live.line(13_000, r#"{"do":"press","by":"black"}"#);
    live.wait(14_000);
    assert_eq!(live.asked(), "");
    assert!(live.told().ends_with("play [b3d5]"), "{}", live.told());
    assert_eq!(live.watch.table().board().to_string(), "4k3/pppp4/8/3b4/8/8/P1PP4/5K2");
}

/// An unwritten card that promotes is proposed with the piece that was named, and as the board shows it.
#[test]
fn a_proposal_counts_a_declared_stand_in_first() {
    let mut live =
        Live::at("4k3/pppp4/8/8/1p6/8/P1PP4/4K3 b - - 0 1", "other", &json!({"card": "AB", "elo": 50}));
    live.line(1_000, r#"{"do":"stands","by":"black","piece":"B","as":"R"}"#);
    live.sees(5_000, "4k3/pppp4/8/8/8/1r6/P1PP4/4K3");
    live.line(6_000, r#"{"do":"press","by":"black"}"#);
    live.wait(7_000);
    let offered = live.watch.question().map(Question::offered).unwrap_or_default();
    let offered: Vec<String> = offered.iter().map(ToString::to_string).collect();
    assert_eq!(offered, ["Black plays the card: -b4 +bb3", "Black plays the card: -b4 +rb3"]);
}
