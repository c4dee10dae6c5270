//! Why a line of Chess Joker is refused, and what to do instead.

use tabiya_types::{Color, Role, Sentence, Square, say};

use super::super::card::{Code, JokerCard};
use super::super::lines::PlayCard;
use super::super::plays::Impossible;
use super::super::step::CardStep;
use crate::rules::uci::Uci;
use crate::rules::violation::{Violation, press_the_clock};

pub(super) fn something_waits(next: Sentence) -> Violation {
    Violation::new("confirm-first", say!("confirm-first", "what was said waits for an answer first"), next)
}

pub(super) fn card_first(by: Color, next: Sentence) -> Violation {
    let what = say!("draw-first", "{by} has played and has to draw a card", by);
    Violation::new("draw-first", what, next)
}

pub(super) fn turn_not_complete(by: Color, next: Sentence) -> Violation {
    let what = say!("turn-not-complete", "the turn of {by} is not complete, so a press cannot end it", by);
    Violation::new("turn-not-complete", what, next)
}

pub(super) fn moved_already(by: Color) -> Violation {
    let what = say!("played-already", "{by} has completed the turn already", by);
    Violation::new("moved-already", what, press_the_clock(by))
}

pub(super) fn not_your_turn(turn: Color) -> Violation {
    let what = say!("turn-of-the-other", "it is the turn of {turn}", turn);
    Violation::new("not-your-turn", what, say!("turn-of-the-other-next", "wait for the other turn to end"))
}

pub(super) fn illegal_move(by: Color, uci: Uci) -> Violation {
    let text = uci.to_string();
    let what = say!("illegal-move-here", "{by} cannot play {text} in this position", by, text);
    let next = say!("illegal-move-here-next", "play a legal move, or the card");
    Violation::new("illegal-move", what, next).at([uci.from, uci.to]).as_illegal_move()
}

pub(super) fn nothing_stands_in(uci: Uci) -> Violation {
    let text = uci.to_string();
    let what = say!("nothing-stands-in-here", "{text} promotes no pawn, so no piece stands in", text);
    Violation::new("nothing-stands-in", what, say!("nothing-stands-in-here-next", "leave the stand-in out"))
}

pub(super) fn no_offer(by: Color) -> Violation {
    let what = say!("no-offer-of", "{by} has offered no draw", by);
    Violation::new("no-offer", what, say!("no-offer-of-next", "offer one"))
}

pub(super) fn nothing_to_claim() -> Violation {
    let what = say!("nothing-to-claim", "in this game no draw can be claimed");
    Violation::new("claim-fails", what, say!("nothing-to-claim-next", "offer a draw"))
}

pub(super) fn no_draw_now(by: Color, next: Sentence) -> Violation {
    let what = say!("no-draw-now", "{by} has no card to draw now", by);
    Violation::new("no-draw-now", what, next)
}

pub(super) fn starred(card: &JokerCard) -> Violation {
    let what = say!("starred-card", "{code} has a star, and starred cards are left out", code = card.word());
    Violation::new("starred-card", what, say!("starred-card-next", "put it away and draw another"))
}

pub(super) fn told_already(code: Code) -> Violation {
    let what = say!("told-already", "{code} was in this game already", code = code.to_string());
    Violation::new("told-already", what, say!("told-already-next", "read the code again"))
}

pub(super) fn no_card(by: Color, next: Sentence) -> Violation {
    Violation::new("no-card", say!("no-card-before", "{by} has no card", by), next)
}

pub(super) fn another_card(by: Color, known: Code) -> Violation {
    let known = known.to_string();
    let what = say!("another-card", "the card before {by} is {known}", by, known);
    Violation::new("another-card", what, say!("another-card-next", "name this card, or none"))
}

pub(super) fn points_missing() -> Violation {
    let what = say!("points-missing", "the Elo points of the card are not known");
    Violation::new("points-missing", what, say!("points-missing-next", "say how many Elo points it has"))
}

pub(super) fn points_not_needed() -> Violation {
    let what = say!("points-not-needed", "the Elo points are known, or do not count for a masquerade");
    Violation::new("points-not-needed", what, say!("points-not-needed-next", "leave the points out"))
}

pub(super) fn has_that_piece(by: Color, piece: Role) -> Violation {
    let what = say!("has-that-piece", "{by} has a {piece}, so no other piece can take its part", by, piece);
    Violation::new("no-masquerade", what, say!("has-that-piece-next", "play the card as printed"))
}

pub(super) fn not_bold(piece: Role) -> Violation {
    let what = say!("not-bold", "the card prints no {piece} in bold", piece);
    Violation::new("no-masquerade", what, say!("not-bold-next", "replace a bold piece"))
}

pub(super) fn not_the_card(play: &PlayCard) -> Violation {
    let what = say!("not-the-card", "this is no use of the card, or leaves {by} in check", by = play.by);
    let next = say!("not-the-card-next", "use the whole card, or play a move");
    Violation::new("not-the-card", what, next).at(squares(&play.steps)).as_illegal_move()
}

fn squares(steps: &[CardStep]) -> Vec<Square> {
    let mut squares: Vec<Square> = steps.iter().flat_map(|step| step.squares()).collect();
    squares.sort();
    squares.dedup();
    squares
}

pub(super) fn cannot_be_done(by: Color, impossible: Impossible) -> Violation {
    match impossible {
        Impossible::Step(step) => {
            let text = step.to_string();
            let what = say!("step-impossible", "{text} cannot be done on this board", text);
            let next = say!("step-impossible-next", "say again what the card does, step by step");
            Violation::new("not-the-card", what, next).at(step.squares()).as_illegal_move()
        }
        Impossible::Pawn(at) => {
            let what = say!("pawn-at-the-end", "a pawn would be left on {at}, its last square", at);
            let next = say!("pawn-at-the-end-next", "say what it becomes");
            Violation::new("not-the-card", what, next).at([at]).as_illegal_move()
        }
        Impossible::Check => {
            let what = say!("left-in-check", "{by} would be in check", by);
            let next = say!("left-in-check-next", "play something that leaves no check");
            Violation::new("not-the-card", what, next).as_illegal_move()
        }
    }
}

pub(super) fn nothing_waits(next: Sentence) -> Violation {
    Violation::new("nothing-waits", say!("nothing-waits", "nothing waits for an answer"), next)
}

pub(super) fn not_your_answer(answers: Color) -> Violation {
    let what = say!("not-your-answer", "{answers} has to answer", answers);
    Violation::new("not-your-answer", what, say!("not-your-answer-next", "wait for the answer"))
}

pub(super) fn not_to_claim(mate: bool, next: Sentence) -> Violation {
    let what = if mate {
        say!("no-mate-to-claim", "a mate can be claimed only where a card is not written")
    } else {
        say!("no-check-to-claim", "a check can be claimed only from a card whose effect is not written")
    };
    Violation::new("nothing-to-claim", what, next)
}

pub(super) fn king_could_be_taken(color: Color) -> Violation {
    let what = say!("king-could-be-taken", "if it were the turn of {color}, a king could be captured", color);
    let next = say!("king-could-be-taken-next", "set another position, or give the turn to the other player");
    Violation::new("bad-position", what, next)
}
