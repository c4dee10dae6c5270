//! What is asked once before it is entered, because it cannot be taken lightly (`docs/rules.md`, "Asked once").
//!
//! Whether to ask is a property of the inputs and the table, so every front asks the same. Moves, answers to offers and
//! claims are never asked about. At events the arbiter's words are not asked about twice.

use tabiya_types::{Board, ByColor, Color, Fact, Instant, Millis, Seat, Sentence, say};

use super::agreement::Voice;
use super::effect::Effect;
use super::input::{Author, Common, Input, RuledResult, Ruling, Stamp};
use super::log::{actions_in_words, bet_in_words, in_words, ruled};
use super::value::Table;
use super::voice::Audience;
use crate::rules::{Action, Actor, Bet, BetDue, Chips, Correct, PlayAction};

/// A question before something is entered.
#[derive(Clone, PartialEq, Debug)]
pub struct QuestionBefore {
    /// Who is asked.
    pub to: Audience,
    /// The question.
    pub text: Sentence,
    /// The answers, each with what it enters. A question with one answer is answered with yes or no.
    pub answers: Vec<(Sentence, Vec<Input>)>,
}

/// One of the last actions of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastAction {
    /// What it is made of, in words.
    pub words: Vec<Sentence>,
    /// When it began.
    pub at: Instant,
    /// The physical board after the action was taken back, with all that came after it.
    pub board: Board,
    /// The times left then; `None` without a time control.
    pub clocks: ByColor<Option<Millis>>,
    /// Who is to act then.
    pub to_act: Actor,
}

impl QuestionBefore {
    /// A question to the players that is answered with yes or no.
    pub fn yes_or_no(text: Sentence, inputs: Vec<Input>) -> Self {
        Self { to: Audience::Players, text, answers: vec![(say!("answer-yes", "yes"), inputs)] }
    }
}

/// The question before these inputs; `None` if they are entered at once.
pub fn question_before(table: &Table, inputs: &[Input]) -> Option<QuestionBefore> {
    let event = table.terms().voice == Voice::Event;
    if let [Input::Common(Common::EndMatch { by, reason })] = inputs
        && let Some(question) = settlement(table, *by, reason)
    {
        return Some(question);
    }
    let by_arbiter = inputs.iter().all(is_arbiters);
    if event && by_arbiter {
        return None;
    }
    let text = match inputs {
        [input] => grave(table, input).filter(|_| would_accept(table, input))?,
        [Input::Common(Common::Undo { .. }), ..] => return undo_of_several(table, inputs),
        _ => inputs.iter().find_map(|input| grave(table, input))?,
    };
    Some(QuestionBefore::yes_or_no(text, inputs.to_vec()))
}

/// The question before this input, even if it could be entered at once.
pub fn question_about(table: &Table, input: Input) -> QuestionBefore {
    question_before(table, std::slice::from_ref(&input)).unwrap_or_else(|| {
        let fallen = table.clock().flag().filter(|_| matches!(input, Input::Common(Common::ClaimFlag(_))));
        let text = if let Some(fallen) = fallen {
            let name = table.name_of(fallen).to_owned();
            say!("ask-flag", "{name}'s flag has fallen: does it count?", name)
        } else {
            let what = in_words(std::slice::from_ref(&input), table);
            say!("ask-sure", "{what}?", what = Fact::all(what))
        };
        QuestionBefore::yes_or_no(text, vec![input])
    })
}

fn grave(table: &Table, input: &Input) -> Option<Sentence> {
    match input {
        Input::Game(Action::Play(PlayAction::Resign(by))) if would_accept(table, input) => {
            let (by, name) = (*by, table.name_of(*by).to_owned());
            Some(say!("ask-resign", "does {name} ({by}) resign?", name, by))
        }
        Input::Game(Action::Bet { by, bet }) => grave_bet(table, *by, *bet),
        Input::Game(Action::Fouled { reason, .. }) => {
            let reason = reason.clone();
            Some(say!(
                "ask-fouled",
                "the deal is fouled ({reason}), and everybody takes his bets back: do both players agree?",
                reason
            ))
        }
        Input::Game(Action::Correct(correct)) => second_incident(table, correct),
        Input::Common(Common::Rule(ruling)) => grave_ruling(table, ruling),
        Input::Common(Common::EndMatch { .. }) => Some(say!("ask-end", "does the match end here?")),
        Input::Game(_) | Input::Common(_) => None,
    }
}

/// Whether an input would be accepted now; one that is refused is not asked about.
fn would_accept(table: &Table, input: &Input) -> bool {
    table.refusal(input, table.read_to()).is_none()
}

fn grave_bet(table: &Table, by: Color, bet: Bet) -> Option<Sentence> {
    let due = table.game().betting()?.due().filter(|due| due.by == by)?;
    let whole = due.put[by] + table.game().stakes().stacks[by];
    let raises = |due: &BetDue| due.raise.is_some() && whole > due.put.white.max(due.put.black);
    match bet {
        Bet::Fold if due.call == Chips::ZERO => {
            Some(say!("ask-fold", "there is nothing to call, and a check is free: does {by} fold?", by))
        }
        Bet::AllIn if raises(&due) => Some(whole_stack(table, by, bet)),
        Bet::Raise(to) if to == whole && raises(&due) => Some(whole_stack(table, by, bet)),
        Bet::Fold | Bet::Check | Bet::Call | Bet::Raise(_) | Bet::AllIn => None,
    }
}

fn whole_stack(table: &Table, by: Color, bet: Bet) -> Sentence {
    let what = bet_in_words(by, bet, table.game());
    say!("ask-all-in", "the whole stack: {what}?", what)
}

/// The question before a correction that loses the game, because its player placed a false piece before.
fn second_incident(table: &Table, correct: &Correct) -> Option<Sentence> {
    let offender = table.board()[correct.at]?.color;
    let incidents = table.game().placement()?.incidents();
    let second = incidents.iter().any(|(_, by)| *by == offender);
    second.then(|| {
        say!(
            "ask-second-false-piece",
            "this is the second false piece of {offender}, who loses the game by it: enter the correction?",
            offender
        )
    })
}

/// The question before a ruling that decides the game or moves chips.
fn grave_ruling(table: &Table, ruling: &Ruling) -> Option<Sentence> {
    let Some(result) = ruling.result else {
        let moves_chips =
            Seat::ALL.iter().any(|seat| ruling.stacks[*seat].or(ruling.contributed[*seat]).is_some());
        return (moves_chips && would_accept(table, &ruling.clone().into())).then(|| {
            let what = Fact::list(ruled(ruling, &table.agreement().players));
            say!("ask-ruled-chips", "after this ruling {what}; do both players agree?", what)
        });
    };
    let players = &table.agreement().players;
    Some(match result {
        RuledResult::Winner(Some(seat)) => {
            let name = players[seat].clone();
            say!("ask-ruled-winner", "the arbiter rules that {name} wins the game?", name)
        }
        RuledResult::Winner(None) => say!("ask-ruled-draw", "the arbiter rules that the game is drawn?"),
        RuledResult::Points(_) | RuledResult::Forfeit(_) | RuledResult::Void | RuledResult::GoesOn => {
            let what = result.in_words(players);
            say!("ask-ruled-result", "the arbiter rules: {what}; is that right?", what)
        }
    })
}

/// The same inputs without the undos that would find nothing to take back; at least one input stays.
pub fn undos_that_count<'a>(table: &Table, inputs: &'a [Input]) -> &'a [Input] {
    if !matches!(inputs, [Input::Common(Common::Undo { .. }), _, ..]) {
        return inputs;
    }
    let mut then = table.clone();
    let at = table.read_to();
    let count = inputs.iter().take_while(|undo| then.apply(undo, Stamp::new(at, 0)).is_ok()).count();
    &inputs[..count.max(1)]
}

/// The question before several actions are taken back: which ones.
fn undo_of_several(table: &Table, undos: &[Input]) -> Option<QuestionBefore> {
    question_before_undo(table, undos).filter(|_| undos.len() > 1)
}

/// The question before these actions are taken back: which ones. `None` if nothing can be taken back.
pub fn question_before_undo(table: &Table, undos: &[Input]) -> Option<QuestionBefore> {
    let (mut then, mut taken) = (table.clone(), Vec::new());
    let at = table.read_to();
    for undo in undos {
        let Ok(effects) = then.apply(undo, Stamp::new(at, 0)) else { break };
        let newest = effects
            .into_iter()
            .find_map(|effect| if let Effect::TakenBack(taken) = effect { Some(taken) } else { None });
        taken.push(newest.unwrap_or_default());
    }
    let count = taken.len();
    let what = Fact::list(actions_in_words(taken.iter().rev().map(Vec::as_slice), &then));
    let text = match count {
        0 => return None,
        1 => say!("ask-undo-one", "this is taken back: {what}?", what),
        _ => say!("ask-undo", "{count} actions are taken back: {what}?", count, what),
    };
    Some(QuestionBefore::yes_or_no(text, undos.get(..count)?.to_vec()))
}

/// The last actions of the game, the newest first, at most `most` of them: what taking back once, twice and so on
/// takes back. A move and its press are one action.
pub fn last_actions(table: &Table, most: usize) -> Vec<LastAction> {
    let (mut then, mut found) = (table.clone(), Vec::new());
    for _ in 0..most {
        let at = then.last_action_at().unwrap_or_default();
        let Ok(effects) = then.apply(&Common::TAKE_BACK.into(), Stamp::new(table.read_to(), 0)) else {
            break;
        };
        let taken = effects
            .into_iter()
            .find_map(|effect| if let Effect::TakenBack(taken) = effect { Some(taken) } else { None });
        let taken = taken.unwrap_or_default();
        let mut words = in_words(&taken, &then);
        if words.is_empty() {
            words.extend(taken.iter().filter_map(pressed));
        }
        let words = words.into_iter().map(Sentence::harmless).collect();
        let clocks = ByColor::new(|color| then.reading(color, table.read_to()));
        found.push(LastAction { words, at, board: then.physical(), clocks, to_act: then.to_act() });
    }
    found
}

/// The question how an unfinished game is settled before the match ends: who gets the pot. Nobody can save a lost
/// pot by leaving, because without an answer the match goes on.
fn settlement(table: &Table, by: Author, reason: &str) -> Option<QuestionBefore> {
    if !table.game_runs() || table.game().presses_alone() {
        return None;
    }
    let settled = |result: RuledResult| {
        let ruling = Ruling::on_result(reason, result);
        vec![ruling.into(), Common::EndMatch { by, reason: reason.to_owned() }.into()]
    };
    let stakes = table.game().stakes();
    let mut matched = stakes;
    matched.return_uncalled();
    let pot = matched.pot();
    let back = stakes.pot().saturating_sub(pot);
    let open = match (table.game().betting().is_none(), back) {
        (true, _) => say!("ask-settle", "the game is not over: how does it end"),
        (false, Chips::ZERO) => {
            say!("ask-settle-pot", "the game is not over: who gets the pot of {pot}", pot)
        }
        (false, back) => say!(
            "ask-settle-uncalled",
            "the game is not over: {back} uncalled chips go back; who gets the pot of {pot}",
            back,
            pot
        ),
    };
    let drawn = match table.game().betting() {
        Some(_) => say!("settle-own", "each takes his own back: the game is drawn"),
        None => say!("settle-drawn", "the game is drawn"),
    };
    // If a colour wins drawn games, a draw gives nobody his own back, and who wins is said by name.
    let mut answers = Vec::new();
    if table.terms().draw_wins.is_none() {
        answers.push((drawn, settled(RuledResult::Winner(None))));
    }
    for seat in Seat::ALL {
        let name = table.agreement().players[seat].clone();
        let wins = settled(RuledResult::Winner(Some(seat)));
        answers.push((say!("settle-to", "{name} wins the game", name), wins));
    }
    let void = match table.game().betting() {
        Some(_) => say!("settle-void", "the game counts nothing: each takes his own back"),
        None => say!("settle-no-result", "the game counts nothing"),
    };
    answers.push((void, settled(RuledResult::Void)));
    // At events the arbiter decides; at a casual table both players do.
    let (to, text) = if table.terms().voice == Voice::Event && by == Author::Arbiter {
        (Audience::Arbiter, say!("ask-settle-arbiter", "{open}?", open))
    } else {
        (Audience::Players, say!("ask-settle-players", "{open}, if both players agree?", open))
    };
    Some(QuestionBefore { to, text, answers })
}

/// A press in words. The log has none for it, but where only the clock is used a press is an action.
fn pressed(input: &Input) -> Option<Sentence> {
    match input {
        Input::Common(Common::Press(by)) => {
            Some(say!("press-taken-back", "{by} presses the clock", by = *by))
        }
        Input::Common(_) | Input::Game(_) => None,
    }
}

/// Whether an input is a word of the arbiter.
fn is_arbiters(input: &Input) -> bool {
    match input {
        Input::Game(Action::Correct(Correct { by: None, .. }) | Action::Fouled { by: None, .. }) => true,
        Input::Game(_) => false,
        Input::Common(common) => match common {
            Common::Rule(_) => true,
            Common::EndMatch { by, .. } | Common::Pause(by) | Common::Resume(by) | Common::ClaimFlag(by) => {
                *by == Author::Arbiter
            }
            Common::Undo { by, .. } => *by == Some(Author::Arbiter),
            Common::Press(_)
            | Common::Redo { .. }
            | Common::Tick
            | Common::Next(_)
            | Common::Stands { .. }
            | Common::ClockReads(_)
            | Common::Consent(_)
            | Common::Signs(_) => false,
        },
    }
}
