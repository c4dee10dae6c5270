//! The list of words that `help` shows.

use tabiya_engine::rules::{Fields, GameKind, Group, Verb};
use tabiya_types::{Sentence, say};

/// What a line of the list is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HelpTopic {
    /// Every game.
    All,
    /// Games with this kind of action.
    Shared(Verb),
    /// Games with a line of their own that begins with this word of the record.
    Own(&'static str),
}

/// Whether a kind of game has an own line with this word.
pub(super) fn knows(kind: &dyn GameKind, word: &str) -> bool {
    !matches!(kind.read_own(word, &mut Fields::new("the line", Group::new())), Ok(None))
}

/// The list of words of this kind of game, one line each; `None` lists those of all games.
pub fn help(kind: Option<&dyn GameKind>) -> Vec<Sentence> {
    let fits = |topic: HelpTopic| match (kind, topic) {
        (None, _) | (_, HelpTopic::All) => true,
        (Some(kind), HelpTopic::Shared(verb)) => kind.verbs().contains(&verb),
        (Some(kind), HelpTopic::Own(word)) => knows(kind, word),
    };
    lines().into_iter().filter(|line| fits(topic(line.id()))).collect()
}

/// What the line with this id is about.
fn topic(id: &str) -> HelpTopic {
    match id {
        "help-bets" | "help-chip-rulings" | "help-count" => HelpTopic::Shared(Verb::Bet),
        "help-cards" | "help-readers" => HelpTopic::Shared(Verb::Reveal),
        "help-place" | "help-stands" => HelpTopic::Shared(Verb::Place),
        "help-correct" => HelpTopic::Shared(Verb::Correct),
        "help-fouled" => HelpTopic::Shared(Verb::Fouled),
        "help-moves" | "help-resign" | "help-draws" => HelpTopic::Shared(Verb::Resign),
        "help-choose" => HelpTopic::Own("choose"),
        "help-laid" | "help-die" | "help-card-rulings" => HelpTopic::Own("return"),
        "help-joker" => HelpTopic::Own("confirm"),
        _ => HelpTopic::All,
    }
}

/// All lines, in their order.
fn lines() -> Vec<Sentence> {
    [of_play(), of_rulings()].concat()
}

/// The words of play, of the clock and of answers.
fn of_play() -> Vec<Sentence> {
    vec![
        say!(
            "help-bets",
            "deal, fold, check, call, raise 8 (to 8 in all), raise by 4, pot, half pot, all in: the bets"
        ),
        say!("help-cards", "P: a card was turned over (Q R B N P, or its name)"),
        say!(
            "help-place",
            "R a1 promoted: its piece was placed, and what was said (R a1 as Q: a queen stands in)"
        ),
        say!("help-moves", "e2e4, Nf3, 0-0, e8=Q: a chess move"),
        say!("help-press", "Enter on an empty line, press white: the clock's button"),
        say!(
            "help-draws",
            "draw, accept, decline, claim, claim Nb8, claim flag; draw black: whose word it is"
        ),
        say!(
            "help-finish",
            "claim normal means, claim no effort, claim increment: with less than two minutes, without increments"
        ),
        say!("help-resign", "resign Bo: give up"),
        say!("help-pause", "pause, resume; at events pause REASON"),
        say!(
            "help-undo",
            "undo, undo 3, redo: take back the last action or several, restore; undo ruling; at events with a reason"
        ),
        say!("help-answers", "yes, no, 1, 2: answer a question"),
        say!("help-next", "next, next becket, next becket off, next deal royal-flush: the next game"),
        say!("help-choose", "choose a8 d8 e8 h8 d7: the pieces of my poker hand"),
        say!(
            "help-laid",
            "lay P, own P, row N: a card for my move (J Q R B N P X); return Q: the card put back; deal P P N X R"
        ),
        say!(
            "help-die",
            "roll 4: the die; swap own stock, swap own row N, swap row stock Q, swap own opponent; show P N: nothing moves; remove a2, keep: a pawn off"
        ),
        say!(
            "help-joker",
            "card VY 25 EFFECT, card ?, play c8f5 d6=B as N=P, confirm, reject, check, check mate: the cards of Chess Joker"
        ),
        say!(
            "help-clock-side",
            "clock-side: the clock stands the other way round; clock-side left, right, guess: where White's lever is"
        ),
    ]
}

/// The words about what went wrong, rulings, and the end.
fn of_rulings() -> Vec<Sentence> {
    vec![
        say!("help-stands", "stands Q as R: my next queen will be represented by a rook"),
        say!("help-correct", "correct a1 R, correct a1 P on b2: a false piece becomes the right one"),
        say!("help-fouled", "fouled REASON: the deck or the deal is wrong"),
        say!(
            "help-readers",
            "misdeal, unread: cards dealt over a reader; code white WORD, consent white, open REASON: sealed cards"
        ),
        say!(
            "help-clock-rulings",
            "rule clock white 90 REASON (+60, -60, 1:30), rule moves white 12 REASON, rule periods white 3 REASON"
        ),
        say!(
            "help-chip-rulings",
            "rule stacks Ann 120 Bo 80 REASON, rule pot Ann 4 Bo 4 REASON (added before the reason: chips came or went)"
        ),
        say!("help-count", "count Ann 94 Bo 106: hold your chips against the stacks"),
        say!(
            "help-rulings",
            "rule winner Ann REASON, rule draw REASON, rule fen FEN REASON, rule to-act white REASON"
        ),
        say!(
            "help-result-rulings",
            "rule points Ann 0 Bo 1/2 REASON, rule forfeit Ann REASON (or both), rule void REASON, rule on REASON, rule time 90+30 REASON, rule illegal white 0 REASON"
        ),
        say!("help-sign", "sign white: the result is right"),
        say!("help-card-rulings", "rule row P P N X R REASON, rule stock 12 REASON, rule die white REASON"),
        say!(
            "help-adjourn",
            "adjourn Sunday 10:00; sealed: the move is in the envelope; sealed Nf3: the envelope is opened"
        ),
        say!("help-end", "end REASON: end the match early"),
        say!(
            "help-show",
            "show, legal, sheet, results, read: the table, what is accepted now, the terms, the results, read the board again"
        ),
        say!(
            "help-report",
            "report: something is wrong; one file for a report, with the match and the board's bytes"
        ),
        say!("help-quit", "help, quit"),
    ]
}
