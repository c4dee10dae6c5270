//! Time controls in plain words, for the match sheet and for forms in which a person chooses one.

use tabiya_types::{Millis, Sentence, say};

use crate::clock::{Bonus, Stage, TimeControl};

/// A time control in plain words, stage by stage.
pub fn control_in_words(control: &TimeControl) -> Sentence {
    let mut stages = control.stages().iter().map(stage).rev();
    let Some(last) = stages.next() else { return say!("pace-none", "no clock") };
    stages.fold(last, |then, stage| say!("pace-then", "{stage}, then {then}", stage, then))
}

fn stage(stage: &Stage) -> Sentence {
    let text = |span: Millis| span.to_string();
    let seconds = |span: Millis| span.0 / 1000;
    match *stage {
        Stage::Time { moves, base, bonus } => {
            let time = match moves {
                Some(1) => say!("pace-one-move", "{time} for 1 move", time = text(base)),
                Some(moves) => say!("pace-moves", "{time} for {moves} moves", time = text(base), moves),
                None => say!("pace-time", "{time}", time = text(base)),
            };
            match bonus {
                Bonus::None => time,
                Bonus::Increment(more) => {
                    say!("pace-increment", "{time} and {more} s for each move", time, more = seconds(more))
                }
                Bonus::Delay(free) => {
                    say!(
                        "pace-delay",
                        "{time}, with the first {free} s of each move not counted",
                        time,
                        free = seconds(free)
                    )
                }
                Bonus::Bronstein(back) => say!(
                    "pace-bronstein",
                    "{time}, with up to {back} s of each move given back",
                    time,
                    back = seconds(back)
                ),
            }
        }
        Stage::Byoyomi { periods, period } => {
            let period = seconds(period);
            say!("pace-byoyomi", "byo-yomi: {periods} × {period} s", periods, period)
        }
        Stage::Canadian { moves, block } => {
            say!(
                "pace-canadian",
                "blocks of {block}, moves in each block: {moves}",
                block = text(block),
                moves
            )
        }
        Stage::PerMove(span) => say!("pace-per-move", "{span} s for each move", span = seconds(span)),
        Stage::Hourglass(base) => {
            say!(
                "pace-hourglass",
                "hourglass: {base}, and each side gains what the other uses",
                base = text(base)
            )
        }
        Stage::CountUp => say!("pace-count-up", "the used time is counted up, without a limit"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_is_told_stage_by_stage() {
        let cases = [
            ("-", "no clock"),
            ("300", "5:00"),
            ("300+3", "5:00 and 3 s for each move"),
            (
                "40/5400+30:1800+30",
                "1:30:00 for 40 moves and 30 s for each move, then 30:00 and 30 s for each move",
            ),
            ("1/120+1", "2:00 for 1 move and 1 s for each move"),
            ("5400:900:300d5", "1:30:00, then 15:00, then 5:00, with the first 5 s of each move not counted"),
            ("300b5", "5:00, with up to 5 s of each move given back"),
            ("600:5x30", "10:00, then byo-yomi: 5 × 30 s"),
            ("600:c15/300", "10:00, then blocks of 5:00, moves in each block: 15"),
            ("=30", "30 s for each move"),
            ("*60", "hourglass: 1:00, and each side gains what the other uses"),
            ("1500:^", "25:00, then the used time is counted up, without a limit"),
        ];
        for (text, words) in cases {
            let control = text.parse().expect("a control");
            assert_eq!(control_in_words(&control).to_string(), words, "{text}");
        }
    }
}
