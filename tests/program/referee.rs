//! A referee's eleven points in the terminal.

use crate::exam::Situation;

#[path = "../support/referee_points.rs"]
mod points;

/// Plays these lines with these arguments, and asserts that these texts are printed in this order.
#[track_caller]
fn plays(arguments: &str, typed: &str, printed: &[&str]) -> String {
    let typed = typed.split(';').map(str::trim).collect();
    let situation = Situation::of(arguments, typed);
    let output = situation.play();
    let mut rest = output.as_str();
    for wanted in printed {
        let Some((_, after)) = rest.split_once(wanted) else {
            panic!("not printed, or not in this order: {wanted}\n{output}");
        };
        rest = after;
    }
    output
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
