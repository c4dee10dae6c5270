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
