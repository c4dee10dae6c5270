//! A referee's eleven points in the terminal.

use std::collections::BTreeSet;
use std::process::Command;

use tabiya_text::{Language, Words};
use tabiya_types::Role;

use crate::exam::Situation;

#[path = "../support/referee_points.rs"]
mod points;

/// Plays these lines with these arguments, and asserts that these texts are printed in this order. Plays them in German
/// and in Spanish too, and asserts that these say the same, line by line.
#[track_caller]
fn plays(arguments: &str, typed: &str, printed: &[&str]) -> String {
    let typed: Vec<&str> = typed.split(';').map(str::trim).collect();
    let output = Situation::of(arguments, typed.clone()).play();
    let mut rest = output.as_str();
    for wanted in printed {
        let Some((_, after)) = rest.split_once(wanted) else {
            panic!("not printed, or not in this order: {wanted}\n{output}");
        };
        rest = after;
    }
    for language in [Language::German, Language::Spanish] {
        let words = Words::of(language);
        let typed: Vec<String> = typed.iter().map(|line| in_letters_of(&words, line)).collect();
        let arguments = format!("{arguments} --language {}", language.tag());
        let told = Situation::of(&arguments, typed.iter().map(String::as_str).collect()).play();
        says_the_same(&output, &told);
    }
    output
}

/// A typed line with the piece letters of a language.
fn in_letters_of(words: &Words, line: &str) -> String {
    let in_letters = |word: &str| match word.split_at_checked(1) {
        Some((letter, rest)) if rest.is_empty() || rest.contains(|digit: char| digit.is_ascii_digit()) => {
            let letter = letter.chars().next().and_then(Role::from_letter);
            letter.map_or(word.to_owned(), |role| words.letter(role) + rest)
        }
        _ => word.to_owned(),
    };
    // A FEN has English letters in every language, and a seat's letter is no piece.
    if line.starts_with("rule ") {
        return line.to_owned();
    }
    line.split(' ').map(in_letters).collect::<Vec<_>>().join(" ")
}

/// Asserts that both outputs have the same lines with the same numbers and squares, and that no line with a sentence is
/// the same in both.
#[track_caller]
fn says_the_same(english: &str, told: &str) {
    let both = format!("{english}\n---\n{told}");
    assert_eq!(english.lines().count(), told.lines().count(), "{both}");
    for (line, other) in english.lines().zip(told.lines()) {
        assert_eq!(numbers(line), numbers(other), "{line}\n{other}\n{both}");
        let is_sentence =
            line.split(' ').any(|word| word.len() > 4 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        assert!(!is_sentence || line != other, "not translated: {line}\n{both}");
    }
}

/// The numbers and squares in a line, sorted. Clock times are left out, because the clocks run.
fn numbers(line: &str) -> Vec<&str> {
    let is_clock_time = |part: &&str| part.contains(':');
    let parts = line.split(|letter: char| !letter.is_alphanumeric() && letter != ':');
    let parts = parts.map(|part| part.trim_matches(':').trim_start_matches(char::is_uppercase));
    let mut numbers: Vec<&str> = parts
        .filter(|part| !is_clock_time(part) && part.contains(|letter: char| letter.is_ascii_digit()))
        .collect();
    numbers.sort_unstable();
    numbers
}

// What only the terminal prints.

#[test]
fn point_1_without_an_answer_the_pot_stays() {
    plays(
        "play",
        "deal; raise 50; end he leaves; no; show",
        &["nothing is changed", "pot 52   Ann 150   Bo 198"],
    );
}

#[test]
fn point_2_at_an_event_without_a_clock_there_is_no_clock_to_rule_on() {
    plays(
        "play --game chess --voice event",
        "e4; rule clock white 60 a slip; undo ruling wrong side",
        &["no clock"],
    );
}

#[test]
fn point_9_after_no_the_placement_goes_on() {
    let script = "deal; call; check; deal; check; check; deal; check; check; Q; Pd2; ; R; Ra8; ; correct d2 Q; N; Pc2; ; N; Nb8; ; correct c2 N; no; show";
    plays("play", script, &["second false piece of White", "nothing is changed", "placement"]);
}

#[test]
fn more_undos_than_actions_are_as_many_as_there_are() {
    let output = plays("play --game chess", "e4; undo 100", &["taken back: 1. e4"]);
    assert!(!output.contains("nothing to undo"), "{output}");
}

#[test]
fn a_reason_that_speaks_of_a_draw_offer_stays_as_it_is() {
    plays(
        "play",
        "deal; fouled Bo offers a drawn Card; yes; results",
        &["the deal is fouled: offers a drawn Card"],
    );
}

#[test]
fn names_of_two_words_stand_in_every_ruling() {
    let typed = [
        "rule clock Ann Lee 90 a slip",
        "rule moves Ann Lee 12 wrong",
        "rule to-act bo slip",
        "rule clock Ann Lee +5 Bo 70 two",
    ];
    let situation = Situation::of("play --game chess --time 60s --players Ann Lee,Bo", typed.to_vec());
    let output = situation.play();
    for told in ["White's clock: 1:30", "White's moves made: 12", "Black is to act", "Black's clock: 1:10"] {
        assert!(output.contains(told), "{told}: {output}");
    }
}

const TO_PLACEMENT: &str = "deal; call; check; deal; check; check; deal; check; check";

#[test]
fn a_typing_slip_and_a_look_keep_the_question_open() {
    let asked = "a check is free: does Black fold?";
    plays(
        "play",
        "deal; call; fold; yse; show; sheet; yes",
        &[asked, "`yse` is not understood", asked, "Black folds"],
    );
    let typed = "deal; call; fold; yse; show; legal; results; help; yes".split("; ").collect();
    let output = Situation::of("play", typed).play();
    assert!(output.contains("Black folds"), "{output}");
    assert!(!output.contains("the question is dropped"), "{output}");
}

#[test]
fn a_card_and_its_piece_are_typed_on_one_line() {
    plays(
        "play",
        &format!("{TO_PLACEMENT}; Q e4; Q d1; ; Ra8"),
        &["not on e4", "White turns a queen over", "White places a queen on d1", "Black places a rook on a8"],
    );
}

#[test]
fn a_knight_that_nobody_has_goes_nowhere() {
    plays(
        "play --game chess --fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "Nf6; claim Nb8; e4",
        &["no knight of White can go to f6", "no knight of White can go to b8", "1. e4"],
    );
}

#[test]
fn a_first_bet_is_called_a_bet_where_it_is_refused_too() {
    plays(
        "play",
        "deal; call; check; deal; bet; bet 1; bet 4; raise 5",
        &[
            "bet how much?",
            "a bet of 1 is too small: the minimum is 2",
            "bets 4",
            "a raise to 5 is too small",
        ],
    );
}

#[test]
fn no_king_stands_for_a_queen() {
    plays(
        "play",
        &format!("{TO_PLACEMENT}; stands Q as K; stands Q as R"),
        &["`K`: a king stands for no other piece", "is represented by a rook"],
    );
    // The guide's own example has English letters, whatever the language; Spanish R is the king.
    let typed = format!("{TO_PLACEMENT}; stands Q as R; stands D as R");
    let told = Situation::of("play --language es", typed.split("; ").collect()).play();
    assert!(told.contains("sirve otra: torre"), "{told}");
    assert!(told.contains("`R`: un rey no representa a otra pieza"), "{told}");
}

#[test]
fn a_refused_letter_is_quoted_as_it_was_typed() {
    for (language, typed) in [("de", "T"), ("es", "T"), ("es", "paso ya")] {
        let told = Situation::of(&format!("play --language {language}"), vec![typed]).play();
        assert!(told.contains(&format!("`{typed}`")), "{told}");
    }
}

#[test]
fn german_and_spanish_clubs_bet_in_their_own_words() {
    let evenings = [
        (
            "de",
            "geben; mitgehen; schieben; geben; schieben; setzen 4; erhöhen auf 8; mitgehen",
            ["geht mit", "setzt 4", "erhöht auf 8"],
        ),
        (
            "es",
            "repartir; voy; paso; repartir; paso; apuesto 4; subo a 8; voy",
            ["igualan", "apuestan 4", "suben a 8"],
        ),
    ];
    for (language, typed, wanted) in evenings {
        let told = Situation::of(&format!("play --language {language}"), typed.split("; ").collect()).play();
        for wanted in wanted {
            assert!(told.contains(wanted), "{wanted}: {told}");
        }
        // The English words work beside them.
        let told =
            Situation::of(&format!("play --language {language}"), vec!["deal", "call", "check"]).play();
        assert!(told.contains(wanted[0]), "{told}");
    }
}

#[test]
fn a_clock_alone_has_no_draw_and_says_so_in_the_word_that_was_typed() {
    plays(
        "play --game clock --time 300",
        "draw; resign",
        &["`draw` is not possible", "`resign` is not possible"],
    );
}

#[test]
fn point_16_a_draw_after_a_raise_says_who_takes_the_stakes() {
    let script = "deal P P N X R; raise 12; call; own P; e4; ; row N; Nf6; return Q; ; draw; accept; results";
    let output = plays("play --game pokerdrez --bets 5-20 --stacks 100", script, &["Ann 88", "Bo 112"]);
    assert!(output.contains("Bo takes the pot of 24") && !output.contains("bets back"), "{output}");
}

#[test]
fn point_17_a_wrong_claim_has_a_price_and_an_illegal_move_may_be_none() {
    plays(
        "play --game chess --time 5400+30 --voice event",
        "claim Nf3; Nf4; no; Nf4; rule illegal white 0 the clerk mistyped; Nf4",
        &["+120 wrong claim", "1", "1", "1"],
    );
}

#[test]
fn point_27_a_position_of_chess960_is_set_up_before_the_first_move() {
    let output = plays(
        "play --game chess --chess960 734",
        "e4; ; show; sheet",
        &[
            "set up: R K N Q N B B R (Chess960, position 734)",
            "1  R K N Q N B B R",
            "set up: R K N Q N B B R (Chess960, position 734); White: make a move",
            "Black: make a move",
            "set up: R K N Q N B B R (Chess960, position 734)",
        ],
    );
    assert_eq!(output.matches("; White: make a move").count(), 1, "{output}");
    // Without a number it is drawn: by the same seed the same position, and by chance another one.
    let drawn = |arguments: &str| {
        let output = Situation::of(arguments, vec!["legal"]).play();
        output.lines().find(|line| line.starts_with("set up: ")).expect("a position").to_owned()
    };
    let seeded = drawn("play --game chess --chess960 --seed 3");
    assert_eq!(seeded, drawn("play --game chess --chess960 --seed 3"));
    assert_eq!(seeded, "set up: Q B N R B N K R (Chess960, position 104)");
    let by_chance: BTreeSet<String> = (0..4).map(|_| drawn("play --game chess --chess960")).collect();
    assert!(by_chance.len() > 1, "{by_chance:?}");
}

#[test]
fn point_27_the_exports_have_the_position_of_chess960() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    let arguments = format!("play --game chess --chess960 734 --record {}", record.to_str().unwrap());
    Situation::of(&arguments, vec!["e4", ""]).play();
    let export = |format: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        let output = command.args(["export", "--format", format]).arg(&record).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (pgn, header) = (export("pgn"), export("jsonl"));
    for tag in [
        r#"[Variant "Chess960"]"#,
        r#"[SetUp "1"]"#,
        r#"[FEN "rknqnbbr/pppppppp/8/8/8/8/PPPPPPPP/RKNQNBBR w KQkq - 0 1"]"#,
    ] {
        assert!(pgn.contains(tag), "{pgn}");
    }
    let terms =
        r#""terms":{"chess960":true,"fen":"rknqnbbr/pppppppp/8/8/8/8/PPPPPPPP/RKNQNBBR w KQkq - 0 1"}"#;
    assert!(header.contains(terms), "{header}");
    for format in ["story", "sheet"] {
        let told = export(format);
        assert!(told.contains("set up: R K N Q N B B R (Chess960, position 734)"), "{told}");
    }
}

#[test]
fn point_28_a_move_is_sealed_and_the_opponents_clock_runs_after_it() {
    let output = plays(
        "play --game chess --voice event --time 5400",
        "press black; e4; ; e5; ; draw black; adjourn 2026-10-04 10:00; show; sealed; resume; sealed Nf3; show",
        &[
            "the game is adjourned, White seals a move; resumed: 2026-10-04 10:00",
            "Ann (White) seals his move (guideline I.1)",
            // His own time runs while he seals.
            ">White 1:30:00    Black 1:30:00",
            "the arbiter rules: White has sealed move 2; resumed: 2026-10-04 10:00",
            "on the envelope (guideline I.2): Ann (White) against Bo (Black)",
            "position before the sealed move: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "Ann (White) has sealed move 2",
            "time used: White 0:0",
            "the clocks show: White 1:30:00, Black 1:30:00",
            "Black's draw offer is open",
            "play is resumed: 2026-10-04 10:00",
            "when Bo is present, open the envelope (guideline I.7)",
            "resumed by arbiter",
            "White plays g1f3",
            " White 1:30:00   >Black 1:30:00",
        ],
    );
    assert_eq!(output.matches("resumed by arbiter").count(), 1, "{output}");
}

#[test]
fn point_28_a_press_seals_the_move_and_a_draw_may_be_agreed_while_the_game_is_adjourned() {
    plays(
        "play --game chess --time 5400",
        "e4; ; e5; ; draw black; adjourn; press white; accept",
        &["White has sealed move 2", "date, time and place to resume: ____", "drawn (by agreement)"],
    );
    plays(
        "play --game chess --time 5400",
        "sealed; sealed e4; e4; adjourn; ; adjourn; sealed; resign white; yes",
        &[
            "nobody is sealing a move: `adjourn` first",
            "no sealed move waits to be opened",
            "a game is adjourned while a player has to move",
            "Bo (Black) seals his move",
            "Black has sealed move 1",
            "Bo (Black) wins by resignation",
        ],
    );
}

#[test]
fn point_28_a_sealed_move_that_is_illegal_or_not_clear_loses() {
    plays(
        "play --game chess --voice event --time 5400",
        "e4; ; e5; ; d3; ; d6; ; Nf3; ; Nf6; ; adjourn; sealed; sealed Nd2; sealed Ke3; rule winner B sealed move",
        &[
            "has sealed move 4",
            "the sealed move Nd2 is illegal or can mean several moves: White loses",
            "(guideline I.8): `rule winner B sealed move`",
            "the sealed move Ke3 is illegal or can mean several moves: White loses",
            "Bo (Black) wins by",
        ],
    );
}

#[test]
fn point_29_no_win_by_normal_means_is_claimed_with_less_than_two_minutes() {
    plays(
        "play --game chess --voice event --time 1800",
        "press black; e4; ; e5; ; rule clock white 90 a test; claim no effort; rule draw no effort to win by normal means",
        &[
            "White claims that the opponent makes no effort to win by normal means (guideline III.5)",
            "paused by white",
            "Ann has 1:30 left, and the clocks stand; if these guidelines were announced (III.2)",
            "the game is drawn (III.5.1): `rule draw no effort to win by normal means`",
            "(III.5.2): `rule clock black +120 decision postponed`",
            "the claim is rejected, and Bo gains 2 min (III.5.3): `rule clock black +120 claim rejected`",
            "drawn",
        ],
    );
    plays(
        "play --game chess --voice event --time 1800",
        "press black; e4; ; rule clock black 90 a test; claim normal means; rule clock white +120 claim rejected; resume; show",
        &[
            "(III.5.3): `rule clock white +120 claim rejected`",
            "resumed by arbiter",
            " White 32:00   >Black 1:30",
        ],
    );
}

#[test]
fn point_29_an_increment_is_asked_for_with_an_offer_of_a_draw() {
    plays(
        "play --game chess --voice event --time 1800",
        "press black; e4; ; e5; ; rule clock white 90 a test; claim increment; \
         rule time 1800+5 clock black +120 increment after a claim; resume; d4; ; show",
        &[
            "White offers a draw",
            "White asks for an increment (guideline III.4)",
            "Bo accepts the draw, which is offered with it (III.4): `accept`",
            "and Bo gains 2 min (III.4): `rule time 1800+5 clock black +120 increment after a claim`",
            "no increment (III.4): `resume`",
            " White 1:35   >Black 32:00",
        ],
    );
    plays(
        "play --game chess --time 1800",
        "e4; ; e5; ; rule clock white 90 a test; claim increment; accept",
        &["White offers a draw", "Black accepts the draw", "drawn (by agreement)"],
    );
}

#[test]
fn point_29_the_guideline_is_for_the_end_of_games_without_increments() {
    let claimed = |time: &str, told: &str| {
        let arguments = format!("play --game chess --time {time}");
        plays(&arguments, "e4; ; e5; ; claim increment; claim normal means", &[told, told]);
    };
    claimed("1800", "White has 30:00: this can be claimed with less than two minutes");
    claimed("300", "this cannot be claimed in blitz (guideline III.2)");
    claimed("1800+5", "in the last period of a game without increments (guideline III.2)");
    claimed("40/5400:1800", "in the last period of a game without increments (guideline III.2)");
    plays(
        "play --game chess --time 1800",
        "e4; ; e5; ; rule clock black 90 a test; black claims normal means",
        &["Black can claim this while he has to move and his clock runs"],
    );
}

#[test]
fn a_deal_is_fouled_while_a_move_is_sealed_and_no_press_of_the_next_one_seals() {
    let output = plays(
        "play --voice event --time 300",
        &format!(
            "{TO_PLACEMENT}; Q; Q d1; ; R; R a8; ; N; N g1; ; N; N b8; ; B; B f1; ; N; N g8; ; R; R h1; ; R; R h8; ; P; Q d2 palace; ; P; P f7; ; \
             adjourn Sunday; fouled a card too many; yes; {TO_PLACEMENT}; Q; Q d1; press white; show"
        ),
        &["Ann (White) seals his move", "a card too many", "White places a queen on d1"],
    );
    assert!(!output.contains("envelope (guideline I.2)"), "{output}");
}

/// A wall of pawns; White has a bishop besides, which can never break it.
const WALL: &str = "k7/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/6BK w - - 0 1";

#[test]
fn point_30_a_flag_before_a_wall_is_asked_about() {
    let arguments = format!("play --game chess --fen {WALL} --time 300");
    plays(
        &arguments,
        "press black; Kg2; ; rule clock black 1 a test; ~1300; rule draw no mate was possible; yes",
        &[
            "Ann (White) wins on time",
            "Black's flag has fallen, but no pawn can move now and nothing can be captured now: the arbiter decides whether Ann could still mate by any legal moves; if not, the game is drawn (Laws 5.2.2, 6.9): `rule draw no mate was possible`",
            "drawn",
        ],
    );
    // White has no doubt where a rook could mate, and where pawns move.
    for clear in ["k7/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/6RK w - - 0 1", "k7/8/8/8/8/8/P7/6BK w - - 0 1"] {
        let arguments = format!("play --game chess --fen {clear} --time 300");
        let output = plays(
            &arguments,
            "press black; Kg2; ; rule clock black 1 a test; ~1300; results",
            &["Ann (White) wins on time"],
        );
        assert!(!output.contains("no pawn can move"), "{output}");
    }
}

#[test]
fn the_words_of_a_reason_are_no_ruling() {
    let output =
        plays("play --game chess", "rule winner A on appeal; yes; results", &["on appeal", "Ann 1, Bo 0"]);
    assert!(output.contains("Ann wins"), "{output}");
    let given = "rule clock white +120 draw offers disturb me; show";
    plays("play --game chess --time 300", given, &["draw offers disturb me", "White 7:00"]);
}

#[test]
fn after_a_result_what_comes_next_is_said_once_and_no_next_game_when_the_match_is_over() {
    let next = "begin the next game with `next`";
    let output = plays("play --game chess", "e4; e5; rule draw agreed; yes", &["drawn (by", next]);
    assert_eq!(
        output.matches(&format!("drawn by ruling; {next}")).count(),
        2,
        "once, and when the program ends: {output}"
    );
    let output = plays("play --game chess", "e4; e5; end they leave; 1", &["the match is over"]);
    assert!(!output.contains(next), "{output}");
    assert_eq!(output.matches("the match is over").count(), 2, "once, and when the program ends: {output}");
}

#[test]
fn a_game_that_counts_nothing_when_the_match_ends_is_not_begun_again() {
    let output =
        plays("play --game chess", "e4; e5; end they leave; 4", &["counts nothing", "the match is over"]);
    assert!(!output.contains("begun again") && !output.contains("begin again"), "{output}");
}

#[test]
fn a_corrected_count_of_illegal_moves_is_answered_with_the_new_count() {
    plays(
        "play --game chess --voice event",
        "rule illegal black 1 not seen",
        &["the arbiter rules: not seen", "arbiter: illegal moves of Black in this game: 1"],
    );
}

#[test]
fn the_letter_of_a_knight_is_no_no() {
    for (language, letter, yes, resigns) in
        [("es", "C", "sí", "abandonan"), ("de", "S", "ja", "gibt auf"), ("de", "s", "ja", "gibt auf")]
    {
        let typed = vec!["e4", "resign", letter, yes];
        let told = Situation::of(&format!("play --game chess --language {language}"), typed).play();
        assert!(told.contains(&format!("`{letter}`")), "{told}");
        assert_eq!(told.lines().filter(|line| line.contains("`no`")).count(), 2, "asked again: {told}");
        assert!(told.contains(resigns), "{told}");
    }
    plays("play --game chess", "e4; resign; n; show", &["nothing is changed"]);
}

#[test]
fn verify_names_who_confirmed_a_result() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    let path = record.to_str().unwrap();
    let typed = "e4; e5; rule draw agreed; yes; sign white; sign black".split("; ").collect();
    Situation::of(&format!("play --game chess --record {path}"), typed).play();
    let told = crate::child::printed(&["verify", path], 0);
    assert!(told.contains("e.tabiya: game 1: confirmed by Ann, Bo"), "{told}");
    let export = folder.path().join("e.jsonl");
    let lines = crate::child::printed(&["export", path, "--format", "jsonl"], 0);
    std::fs::write(&export, lines).unwrap();
    let told = crate::child::printed(&["verify", export.to_str().unwrap()], 0);
    assert!(told.contains("e.jsonl: game 1: confirmed by Ann, Bo"), "{told}");
}

#[test]
fn what_is_taken_back_is_counted_as_it_is_listed() {
    plays(
        "play",
        &format!("{TO_PLACEMENT}; Q d1; ; R a8; ; undo 2; no"),
        &["2 actions are taken back: White turns a queen over and White places a queen on d1, Black turns"],
    );
    // Without a press the answer ends the turn before it.
    plays("play --game chess", "e4; e5; Nf3; undo 2; no", &["2 actions are taken back: 1… e5, 2. Nf3?"]);
}

#[test]
fn who_declares_a_deal_fouled_is_named() {
    plays("play", "deal; fouled Bo saw a card; yes", &["the deal is fouled: saw a card (declared by Black)"]);
}

#[test]
fn a_rook_for_a_queen_is_told_how_it_stands_for_her() {
    let output = plays("play", &format!("{TO_PLACEMENT}; Q; R a1"), &["cannot be placed as a rook"]);
    assert!(output.contains("if the rook stands for a queen, say so first: `stands Q as R`"), "{output}");
}

#[test]
fn help_lists_the_words_of_the_game_at_the_table() {
    let of = |game: &str| Situation::of(&format!("play --game {game}"), vec!["help"]).play();
    for (game, has, has_not) in [
        ("chess", vec!["e2e4", "rule points", "sign white"], vec!["fold", "lay P", "choose a8", "card VY"]),
        ("choker", vec!["fold", "fouled REASON", "R a1"], vec!["lay P", "choose a8", "card VY"]),
        ("pokerdrez", vec!["lay P", "roll 4"], vec!["choose a8", "card VY", "R a1"]),
        ("poker-chess", vec!["choose a8"], vec!["fold", "card VY"]),
        ("chess-joker", vec!["card VY"], vec!["fold", "choose a8"]),
        ("clock", vec!["press white"], vec!["e2e4", "fold"]),
    ] {
        let listed = of(game);
        for (words, listed_here) in [(has, true), (has_not, false)] {
            for word in words {
                assert_eq!(listed.contains(word), listed_here, "{game}: {word}: {listed}");
            }
        }
    }
    let german = Situation::of("play --game pokerdrez --language de", vec!["help"]).play();
    assert!(german.contains("J D T L S B X") && !german.contains("lay P"), "{german}");
}
