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
    lines().filter(|(topic, _)| fits(*topic)).map(|(_, line)| line).collect()
}

/// All lines, each with what it is about.
fn lines() -> impl Iterator<Item = (HelpTopic, Sentence)> {
    [playing(), answering(), standing(), ruling(), ending()].into_iter().flatten()
}

/// The lines about what players do in a turn.
fn playing() -> Vec<(HelpTopic, Sentence)> {
    vec![
        (
            HelpTopic::Shared(Verb::Bet),
            say!(
                "help-bets",
                "deal, fold, check, call, raise 8 (to 8 in all), raise by 4, pot, half pot, all in: the bets"
            ),
        ),
        (
            HelpTopic::Shared(Verb::Reveal),
            say!("help-cards", "P: a card was turned over (Q R B N P, or its name)"),
        ),
        (
            HelpTopic::Shared(Verb::Place),
            say!(
                "help-place",
                "R a1 promoted: its piece was placed, and what was said (R a1 as Q: a queen stands in)"
            ),
        ),
        (HelpTopic::Shared(Verb::Resign), say!("help-moves", "e2e4, Nf3, 0-0, e8=Q: a chess move")),
        (HelpTopic::All, say!("help-press", "Enter on an empty line, press white: the clock's button")),
        (
            HelpTopic::Shared(Verb::Resign),
            say!(
                "help-draws",
                "draw, accept, decline, claim, claim Nb8, claim flag; draw black: whose word it is"
            ),
        ),
        (
            HelpTopic::All,
            say!(
                "help-finish",
                "claim normal means, claim no effort, claim increment: with less than two minutes, without increments"
            ),
        ),
        (HelpTopic::Shared(Verb::Resign), say!("help-resign", "resign Bo: give up")),
    ]
}

/// The lines about pauses, undo, answers, and the games with lines of their own.
fn answering() -> Vec<(HelpTopic, Sentence)> {
    vec![
        (HelpTopic::All, say!("help-pause", "pause, resume; at events pause REASON")),
        (
            HelpTopic::All,
            say!(
                "help-undo",
                "undo, undo 3, redo: take back the last action or several, restore; undo ruling; at events with a reason"
            ),
        ),
        (HelpTopic::All, say!("help-answers", "yes, no, 1, 2: answer a question")),
        (
            HelpTopic::All,
            say!("help-next", "next, next becket, next becket off, next deal royal-flush: the next game"),
        ),
        (HelpTopic::Own("choose"), say!("help-choose", "choose a8 d8 e8 h8 d7: the pieces of my poker hand")),
        (
            HelpTopic::Own("return"),
            say!(
                "help-laid",
                "lay P, own P, row N: a card for my move (J Q R B N P X); return Q: the card put back; deal P P N X R"
            ),
        ),
        (
            HelpTopic::Own("return"),
            say!(
                "help-die",
                "roll 4: the die; swap own stock, swap own row N, swap row stock Q, swap own opponent; show P N: nothing moves; remove a2, keep: a pawn off"
            ),
        ),
        (
            HelpTopic::Own("confirm"),
            say!(
                "help-joker",
                "card VY 25 EFFECT, card ?, play c8f5 d6=B as N=P, confirm, reject, check, check mate: the cards of Chess Joker"
            ),
        ),
    ]
}

/// The lines about stand-ins, false pieces and cards on readers.
fn standing() -> Vec<(HelpTopic, Sentence)> {
    vec![
        (
            HelpTopic::All,
            say!(
                "help-clock-side",
                "clock-side: the clock stands the other way round; clock-side left, right, guess: where White's lever is"
            ),
        ),
        (
            HelpTopic::All,
            say!(
                "help-keypads",
                "keypads: telephones as the players' own keys; keypads code, keypads remove white; keypads on REASON: the arbiter admits them"
            ),
        ),
        (
            HelpTopic::Shared(Verb::Place),
            say!("help-stands", "stands Q as R: my next queen will be represented by a rook"),
        ),
        (
            HelpTopic::Shared(Verb::Correct),
            say!("help-correct", "correct a1 R, correct a1 P on b2: a false piece becomes the right one"),
        ),
        (
            HelpTopic::Shared(Verb::Fouled),
            say!("help-fouled", "fouled REASON: the deck or the deal is wrong"),
        ),
        (
            HelpTopic::Shared(Verb::Reveal),
            say!(
                "help-readers",
                "misdeal, unread: cards dealt over a reader; code white WORD, consent white, open REASON: sealed cards"
            ),
        ),
    ]
}

/// The lines about rulings.
fn ruling() -> Vec<(HelpTopic, Sentence)> {
    vec![
        (
            HelpTopic::All,
            say!(
                "help-clock-rulings",
                "rule clock white 90 REASON (+60, -60, 1:30), rule moves white 12 REASON, rule periods white 3 REASON"
            ),
        ),
        (
            HelpTopic::Shared(Verb::Bet),
            say!(
                "help-chip-rulings",
                "rule stacks Ann 120 Bo 80 REASON, rule pot Ann 4 Bo 4 REASON (added before the reason: chips came or went)"
            ),
        ),
        (
            HelpTopic::Shared(Verb::Bet),
            say!("help-count", "count Ann 94 Bo 106: hold your chips against the stacks"),
        ),
        (
            HelpTopic::All,
            say!(
                "help-rulings",
                "rule winner Ann REASON, rule draw REASON, rule fen FEN REASON, rule to-act white REASON"
            ),
        ),
        (
            HelpTopic::All,
            say!(
                "help-result-rulings",
                "rule points Ann 0 Bo 1/2 REASON, rule forfeit Ann REASON (or both), rule void REASON, rule on REASON, rule time 90+30 REASON, rule illegal white 0 REASON"
            ),
        ),
        (HelpTopic::All, say!("help-sign", "sign white: the result is right")),
        (
            HelpTopic::Own("return"),
            say!(
                "help-card-rulings",
                "rule row P P N X R REASON, rule stock 12 REASON, rule die white REASON"
            ),
        ),
    ]
}

/// The lines about the end, and the program.
fn ending() -> Vec<(HelpTopic, Sentence)> {
    vec![
        (
            HelpTopic::All,
            say!(
                "help-adjourn",
                "adjourn Sunday 10:00; sealed: the move is in the envelope; sealed Nf3: the envelope is opened"
            ),
        ),
        (HelpTopic::All, say!("help-end", "end REASON: end the match early")),
        (
            HelpTopic::All,
            say!(
                "help-show",
                "show, legal, sheet, results, read: the table, what is accepted now, the terms, the results, read the board again"
            ),
        ),
        (
            HelpTopic::All,
            say!(
                "help-report",
                "report: something is wrong; one file for a report, with the match and the board's bytes"
            ),
        ),
        (HelpTopic::All, say!("help-quit", "help, quit")),
    ]
}
