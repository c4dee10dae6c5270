//! The story of a table as a referee writes it down: what an input changed, in the words of the game.
//!
//! The story is derived from the table before an input and the table after it, so it never disagrees with either. The
//! running table, `replay` and the exports use it. Each line has its audience; no line says more than a player or the
//! arbiter could see.

use std::collections::BTreeSet;

use tabiya_types::{ByColor, BySeat, Color, Fact, Instant, Millis, Seat, Sentence, say};

use super::agreement::{TimeTerm, Voice};
use super::effect::Effect;
use super::input::{Author, Common, Input, Ruling, Stamp};
use super::value::Table;
use super::voice::{Audience, flag_fallen, match_result};
use crate::rules::{
    Action, Bet, Betting, Cards, Chips, Context, DealtCards, Decision, Game, Outcome, PlayAction, Stakes,
    Turn, TurnHands,
};

/// One event of a match in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogLine {
    /// The moment of the event.
    pub at: Instant,
    /// Who may read about it while the match is running.
    pub to: Audience,
    /// What happened, as a log has it: a move in notation, with its number.
    pub text: Sentence,
    /// The same as it is told at the table: a move with its player and its squares.
    pub aloud: Sentence,
    /// The same as it is told on a screen that shows the moves beside it: a move in notation. At events it has no number,
    /// because the players count their moves themselves (FIDE 11.12.4, 8.5.3).
    pub beside: Sentence,
    kind: EntryKind,
}

/// How an entry joins the entry before it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum EntryKind {
    /// What a player did in a turn. The press that ends the turn joins it.
    Turn(Color),
    /// A press with the reading of the presser's clock after it.
    Press(Color, String),
    /// A remark on the entry before.
    Note,
    Other,
}

impl LogLine {
    /// An entry that everybody may read.
    pub(crate) fn new(at: Instant, text: Sentence) -> Self {
        let text = text.harmless();
        let (aloud, beside) = (text.clone(), text.clone());
        Self { at, to: Audience::Players, text, aloud, beside, kind: EntryKind::Other }
    }

    /// Whether the entry only says that a clock was pressed.
    pub fn is_press(&self) -> bool {
        matches!(self.kind, EntryKind::Press(..))
    }
}

/// The events of one input: `before` and `after` are the tables before and after it, `at` is its moment.
pub fn log_of(before: &Table, input: &Input, at: Instant, effects: &[Effect], after: &Table) -> Vec<LogLine> {
    let mut log = Log { entries: Vec::new(), at };
    let before = log.pass(before, at);
    log.input(&before, input, effects, after);
    log.entries
}

/// How the game that is in progress begins: who has White, the blinds, who gets the first card, the stacks.
pub fn opening(table: &Table, at: Instant) -> Sentence {
    let number = table.past_games().len() + 1;
    let white = table.name_of(Color::White).to_owned();
    let start = say!("log-game", "game {number}: {white} has White", number, white);
    let Some(betting) = table.game().betting() else {
        let happened = table.game().happened().iter().filter(|_| !table.begun());
        let told = std::iter::once(start).chain(happened.cloned()).chain(table.game().set_up());
        return one_after_another(told.collect());
    };
    let seconds = at.millis() / 1000;
    let blinds = betting.blinds(seconds);
    let mut parts = vec![start];
    // What rises by time is said at the deal: until then it may rise.
    if blinds.black > Chips::ZERO && !rises_by_time(betting) {
        parts.push(blinds_in_words(blinds, last_blinds(table)));
    }
    let order = table.game().cards().map(Cards::deal_order).unwrap_or_default();
    if let Some(first) = order.first() {
        parts.push(say!("log-first-card", "first card to {name}", name = table.name_of(*first).to_owned()));
    }
    parts.push(stacks(table));
    one_after_another(parts)
}

/// Whether the blinds of a game that is not dealt yet depend on the moment of its deal.
fn rises_by_time(betting: &dyn Betting) -> bool {
    betting.blinds(0) != betting.blinds(u64::MAX)
}

/// The blinds that the game before the present one posted.
fn last_blinds(table: &Table) -> Option<ByColor<Chips>> {
    let past = table.past_games().iter().next_back()?;
    Some(past.game.betting()?.blinds(0))
}

/// The blinds of a game, and whether they are higher than those of the game before.
fn blinds_in_words(
    ByColor { white: small, black: big }: ByColor<Chips>,
    last: Option<ByColor<Chips>>,
) -> Sentence {
    if last.is_some_and(|last| last.black < big) {
        say!("log-blinds-rose", "blinds {small} and {big} (they rose)", small, big)
    } else {
        say!("log-blinds", "blinds {small} and {big}", small, big)
    }
}

/// What a deal says of the blinds that it has just posted: those that rise by time, and those that are others than in the
/// fouled deal which it repeats.
fn blinds_at_the_deal(before: &Table, after: &Table) -> Option<Sentence> {
    let posted = after.game().betting()?.blinds(0);
    let of_before = before.game().betting()?;
    if before.game().outcome().is_some() {
        let last = of_before.blinds(0);
        return (last != posted).then(|| blinds_in_words(posted, Some(last)));
    }
    rises_by_time(of_before).then(|| blinds_in_words(posted, last_blinds(after)))
}

/// The entries as a list for people: a press joins the action whose turn it ends.
pub fn joined(entries: impl IntoIterator<Item = LogLine>) -> Vec<LogLine> {
    let mut list: Vec<LogLine> = Vec::new();
    for entry in entries {
        let acted = list.iter_mut().rev().find(|line| line.kind != EntryKind::Note);
        if let (EntryKind::Press(presser, clock), Some(last)) = (&entry.kind, acted)
            && last.kind == EntryKind::Turn(*presser)
        {
            let pressed = |what: &Sentence| {
                let (what, clock) = (what.clone(), clock.clone());
                say!("log-pressed-too", "{what}, pressed at {clock}", what, clock)
            };
            for text in [&mut last.text, &mut last.aloud, &mut last.beside] {
                *text = pressed(text);
            }
            last.kind = EntryKind::Other;
        } else {
            list.push(entry);
        }
    }
    list
}

/// Inputs in words, the oldest first. `before` is the table before the first of them.
pub(super) fn in_words(inputs: &[Input], before: &Table) -> Vec<Sentence> {
    each_in_words(std::iter::once(inputs), before).into_iter().flatten().collect()
}

/// Actions in words, the oldest first; what belongs to one action is one sentence. `before` is the table before the first.
pub(super) fn actions_in_words<'a>(
    actions: impl Iterator<Item = &'a [Input]>,
    before: &Table,
) -> Vec<Sentence> {
    let join = |one: Sentence, other: Sentence| say!("log-and", "{one} and {other}", one, other);
    each_in_words(actions, before).into_iter().filter_map(|words| words.into_iter().reduce(join)).collect()
}

fn each_in_words<'a>(groups: impl Iterator<Item = &'a [Input]>, before: &Table) -> Vec<Vec<Sentence>> {
    let mut game = before.game().boxed();
    let mut in_words = |input: &Input| {
        if let Input::Game(action) = input
            && action.takes_turn()
            && matches!(game.turn(), Turn::Timed { by, acted: true, .. } if action.by() == Some(by.other()))
        {
            // The answer counted as the press that was forgotten.
            game.end_turn();
        }
        let words = describe(input, &*game, before);
        if let Input::Game(action) = input {
            // The inputs were legal here once. If a ruling in between has changed that, only the words differ.
            let _ = game.apply(action, Context::default());
        } else if matches!(input, Input::Common(Common::Press(_))) {
            game.end_turn();
        }
        words
    };
    groups.map(|inputs| inputs.iter().filter_map(&mut in_words).collect()).collect()
}

/// What an undo took back: `taken` are the inputs, and `after` is the table after the undo.
fn taken_back(taken: &[Input], reason: Option<&str>, after: &Table, at: Instant) -> Sentence {
    let what = in_words(taken, after);
    let told = match (what.is_empty(), reason) {
        (true, None) => say!("tell-undo", "taken back"),
        (true, Some(reason)) => say!("tell-undo-because", "taken back: {reason}", reason = reason.to_owned()),
        (false, None) => say!("tell-undo-what", "taken back: {what}", what = Fact::all(what)),
        (false, Some(reason)) => {
            let (what, reason) = (Fact::all(what), reason.to_owned());
            say!("tell-undo-what-because", "taken back: {what} ({reason})", what, reason)
        }
    };
    match after.mover().and_then(|by| Some((by, after.reading(by, at)?))) {
        Some((by, left)) => {
            say!("log-with-clock", "{told}; {by} {clock}", told, by, clock = left.to_string())
        }
        None => told,
    }
}

/// What a redo restored: the inputs that count again.
fn restored(before: &Table, after: &Table) -> Sentence {
    let counted: BTreeSet<u32> = before.counted_inputs().map(|(line, _)| line).collect();
    let again: Vec<Input> = after
        .counted_inputs()
        .filter(|(line, _)| !counted.contains(line))
        .map(|(_, input)| input.clone())
        .collect();
    match in_words(&again, before) {
        none if none.is_empty() => say!("tell-redo", "restored"),
        what => say!("tell-redo-what", "restored: {what}", what = Fact::all(what)),
    }
}

/// The events so far, and the moment of the input.
struct Log {
    entries: Vec<LogLine>,
    at: Instant,
}

impl Log {
    fn add(&mut self, to: Audience, text: Sentence) {
        self.push(to, text, EntryKind::Other);
    }

    fn push(&mut self, to: Audience, text: Sentence, kind: EntryKind) {
        self.entries.push(LogLine { to, kind, ..LogLine::new(self.at, text) });
    }

    /// Adds what time alone does until `at`: bets whose time runs out, flags that fall. Returns the table then.
    fn pass(&mut self, before: &Table, at: Instant) -> Table {
        let mut table = before.clone();
        while let Some(due) = table.deadline().filter(|due| *due <= at) {
            self.at = due;
            let was = table.clone();
            let Ok(effects) = table.apply(&Input::Common(Common::Tick), Stamp::new(due, 0)) else { break };
            if let Some(by) = was.game().bettor_on_time()
                && let Some(bet) = was.game().betting().and_then(Betting::default_action)
                && (table.game().bettor_on_time() != Some(by) || table.game().outcome().is_some())
            {
                let what = describe(&Input::Game(bet), was.game(), &was);
                if let Some(what) = what {
                    self.add(
                        Audience::Players,
                        say!("log-out-of-time", "{by}'s time to bet is up: {what}", by, what),
                    );
                }
            }
            self.flags(&effects, &table);
            self.result(&was, &table);
            if table.deadline() == Some(due) {
                break;
            }
        }
        self.at = at;
        table
    }

    fn flags(&mut self, effects: &[Effect], table: &Table) {
        for effect in effects {
            if let Effect::FlagFell(side) = effect {
                self.add(table.audience_of_faults(), flag_fallen(*side));
            }
        }
    }

    fn input(&mut self, before: &Table, input: &Input, effects: &[Effect], after: &Table) {
        let to = after.audience_of(input);
        match input {
            Input::Common(Common::Tick) => return,
            Input::Common(Common::Press(by)) => self.pressed(*by, effects, after),
            Input::Common(Common::Undo { reason, .. }) => {
                let taken = effects.iter().find_map(|effect| {
                    if let Effect::TakenBack(taken) = effect { Some(taken.as_slice()) } else { None }
                });
                self.add(to, taken_back(taken.unwrap_or_default(), reason.as_deref(), after, self.at));
                return;
            }
            Input::Common(Common::Redo { .. }) => {
                self.add(to, restored(before, after));
                return;
            }
            Input::Common(Common::Next(_)) => self.next(before, after),
            Input::Game(Action::Deal(_)) => self.dealt(before, after),
            Input::Game(Action::Bet { by, bet }) => {
                self.add(to, made_bet(*by, *bet, before.game(), after.game()));
            }
            Input::Game(Action::Play(PlayAction::Resign(by))) => {
                let resigns = Action::Play(PlayAction::Resign(*by)).describe();
                let mut parts = vec![resigns];
                parts.extend(goes_back(by.other(), before.game(), after.game()));
                self.add(to, one_after_another(parts));
            }
            Input::Game(_) | Input::Common(_) => {
                let kind = match input {
                    Input::Game(action) if action.takes_turn() => action.by().map(EntryKind::Turn),
                    Input::Game(_) | Input::Common(_) => None,
                };
                if let Some(text) = describe(input, before.game(), before) {
                    self.push(to, text, kind.unwrap_or(EntryKind::Other));
                    self.tell_play(input, before.game(), after.terms().voice);
                }
            }
        }
        self.remarks(effects, after);
        if before.clock().flag().is_none() {
            self.flags(effects, after);
        }
        self.happened(before, after);
        self.hands(before, after);
        self.result(before, after);
    }

    /// Adds what the rules remark on an input: notes, and the price of a false piece.
    fn remarks(&mut self, effects: &[Effect], after: &Table) {
        for effect in effects {
            match effect {
                Effect::Note(note) => {
                    let note = say!("told-note", "note: {note}", note = note.clone());
                    self.push(after.audience_of_faults(), note, EntryKind::Note);
                }
                Effect::Incident(color) => {
                    let (by, other) = (*color, color.other());
                    let gain = after.terms().penalty;
                    let timed = after.clock().timed(other) && gain > Millis::ZERO;
                    let told = if timed {
                        let gain = gain.to_string();
                        say!(
                            "false-piece",
                            "{by} placed a false piece: {gain} is added to {other}'s clock",
                            by,
                            other,
                            gain
                        )
                    } else {
                        say!("false-piece-untimed", "{by} placed a false piece", by)
                    };
                    self.add(after.audience_of_faults(), told);
                }
                Effect::TurnEnded(_)
                | Effect::FlagFell(_)
                | Effect::GameOver(_)
                | Effect::MatchOver
                | Effect::SetBack
                | Effect::TakenBack(_)
                | Effect::ActedAgain(_) => {}
            }
        }
    }

    /// Adds what the rules did by themselves. What happened in a game before its first input stands in its opening.
    fn happened(&mut self, before: &Table, after: &Table) {
        if before.past_games().len() != after.past_games().len() {
            return;
        }
        for told in after.game().happened().iter().skip(before.game().happened().len()) {
            self.push(Audience::Players, told.clone(), EntryKind::Note);
        }
    }

    /// Adds the poker hands that were just decided, and how the chess ended in a game that hands decide.
    fn hands(&mut self, before: &Table, after: &Table) {
        let (Some(was), Some(hands)) = (before.game().poker_hands(), after.game().poker_hands()) else {
            return;
        };
        if before.past_games().len() != after.past_games().len() {
            return;
        }
        let points = after.game().score().map(|score| score.points).unwrap_or_default();
        if let Some(last) = hands.last().filter(|_| hands.count() > was.count()) {
            self.push(Audience::Players, hands_in_words(&last, points), EntryKind::Note);
        }
        if let Some(reason) = hands.ended_by().filter(|_| was.ended_by().is_none()) {
            let reason = reason.ending_sentence();
            let (white, black) = (points.white, points.black);
            let told = say!(
                "log-chess-ended",
                "the chess ends ({reason}); White {white}, Black {black}",
                reason,
                white,
                black
            );
            self.push(Audience::Players, told, EntryKind::Note);
        }
    }

    /// Tells a play that was added last: in the log with its number, at the table with its player and its squares.
    fn tell_play(&mut self, input: &Input, before: &dyn Game, voice: Voice) {
        let (Input::Game(action), Some(last)) = (input, self.entries.last_mut()) else { return };
        let Some(entry) = before.sheet_entry(action) else { return };
        let (what, notation) = (action.describe(), entry.sentence());
        last.text = notation.clone();
        last.aloud = match (action, voice) {
            (Action::Play(_), Voice::Casual) => say!("log-aloud", "{what} ({notation})", what, notation),
            _ => what,
        };
    }

    fn pressed(&mut self, by: Color, effects: &[Effect], after: &Table) {
        let ended = effects.contains(&Effect::TurnEnded(by));
        if let Some(left) = after.reading(by, self.at).filter(|_| ended) {
            let clock = left.to_string();
            let text = say!("log-pressed", "{by} pressed at {clock}", by, clock = clock.clone());
            self.push(Audience::Players, text, EntryKind::Press(by, clock));
        }
    }

    fn next(&mut self, before: &Table, after: &Table) {
        self.add(Audience::Players, opening(after, self.at));
        let agreed_before = before.agreement().agreed.sheet();
        for line in after.agreement().agreed.sheet() {
            if !agreed_before.contains(&line) {
                self.add(
                    Audience::Players,
                    say!("log-now-agreed", "from this game on: {line}", line = line.says),
                );
            }
        }
    }

    fn dealt(&mut self, before: &Table, after: &Table) {
        let Some(cards) = before.game().cards() else { return };
        let order: Vec<Color> = cards.deal_order().to_vec();
        let mut parts = vec![match order.first() {
            Some(first) => {
                let (first, then) = (*first, first.other());
                say!("log-dealt", "the cards are dealt, first to {first}, then to {then}", first, then)
            }
            None => Action::Deal(DealtCards::default()).describe(),
        }];
        parts.extend(blinds_at_the_deal(before, after));
        let (was, is) = (before.game().stakes(), after.game().stakes());
        let fresh = before.game().outcome().is_some();
        for by in Color::ALL {
            let old = if fresh { Chips::ZERO } else { was.contributed[by] };
            let posts = is.contributed[by].saturating_sub(old);
            if posts > Chips::ZERO && is.stacks[by] == Chips::ZERO {
                parts.push(say!("log-posts-all-in", "{by} posts {posts} and is all-in", by, posts));
            } else if posts > Chips::ZERO {
                parts.push(say!("log-posts", "{by} posts {posts}", by, posts));
            }
        }
        parts.push(pot(&is));
        if after.game().betting().is_some_and(|betting| betting.due().is_none()) {
            parts.push(say!("log-no-betting", "no betting"));
        }
        self.add(Audience::Players, one_after_another(parts));
    }

    /// Adds the result, if the game or the match has just ended.
    fn result(&mut self, before: &Table, after: &Table) {
        let same_game = before.past_games().len() == after.past_games().len();
        let outcome = after.game().outcome();
        if same_game
            && outcome != before.game().outcome()
            && let Some(outcome) = outcome
        {
            self.add(Audience::Players, result_of(after, outcome));
        }
        if after.match_over() && !before.match_over() {
            self.add(Audience::Players, match_result(after));
        }
    }
}

/// The result of the game in progress: `game 2: Ann (White) wins by checkmate; Ann takes the pot of 50; Ann 150, Bo 50`.
fn result_of(table: &Table, outcome: Outcome) -> Sentence {
    let number = table.past_games().len() + 1;
    let reason = outcome.reason.ending_sentence();
    let result = match outcome.decision() {
        Decision::Won(by) => {
            let name = table.name_of(by).to_owned();
            if outcome.reason.is_draw() {
                say!(
                    "log-drawn-won",
                    "game {number}: drawn ({reason}); {name} wins, as agreed",
                    number,
                    reason,
                    name
                )
            } else {
                say!("log-won", "game {number}: {name} ({by}) wins {reason}", number, name, by, reason)
            }
        }
        Decision::Drawn => say!("log-drawn", "game {number}: drawn ({reason})", number, reason),
        Decision::Points(half_points) => {
            let points = table.points_by_name(half_points);
            say!("log-points", "game {number}: {points} ({reason})", number, points, reason)
        }
        Decision::NoResult => say!("log-void", "game {number}: no result ({reason})", number, reason),
    };
    if table.game().betting().is_none() {
        return result;
    }
    let stakes = table.game().stakes();
    let chips = match stakes.taker() {
        Some(by) => {
            let (name, pot) = (table.name_of(by).to_owned(), stakes.awarded[by]);
            say!("log-takes-pot", "{name} takes the pot of {pot}", name, pot)
        }
        None => say!("log-bets-back", "everybody takes his bets back"),
    };
    one_after_another(vec![result, chips, stacks(table)])
}

/// The hands of a turn, with the score after it.
pub(super) fn hands_in_words(turn: &TurnHands, points: ByColor<u32>) -> Sentence {
    let (white, black, number) = (turn.hands.white.sentence(), turn.hands.black.sentence(), turn.turn);
    match turn.winner {
        Some(by) => {
            let (ahead, behind) = (points.white, points.black);
            say!(
                "log-hand-won",
                "hand {number}: White {white}, Black {black}; {by} wins it (White {ahead}, Black {behind})",
                number,
                white,
                black,
                by,
                ahead,
                behind
            )
        }
        None => say!(
            "log-hand-even",
            "hand {number}: White {white}, Black {black}; nobody wins it",
            number,
            white,
            black
        ),
    }
}

fn pot(stakes: &Stakes) -> Sentence {
    say!("log-pot", "pot {pot}", pot = stakes.pot())
}

fn stacks(table: &Table) -> Sentence {
    let BySeat { a, b } = table.agreement().players.clone();
    let stacks = table.stacks();
    say!("log-stacks", "{a} {stack_a}, {b} {stack_b}", a, stack_a = stacks.a, b, stack_b = stacks.b)
}

fn one_after_another(parts: Vec<Sentence>) -> Sentence {
    let join = |one: Sentence, other: Sentence| say!("log-then", "{one}; {other}", one, other);
    parts.into_iter().reduce(join).unwrap_or_else(|| say!("log-nothing", "nothing happened"))
}

/// A bet with what it cost, what went back to the opponent, and the pot: `White calls 3 and is all-in; 22 come back to
/// Black; pot 50`.
fn made_bet(by: Color, bet: Bet, before: &dyn Game, after: &dyn Game) -> Sentence {
    let mut parts = vec![bet_in_words(by, bet, before)];
    parts.extend(goes_back(by.other(), before, after));
    if after.outcome().is_none() {
        parts.push(pot(&after.stakes()));
    }
    one_after_another(parts)
}

/// The chips that go back to a player because nobody called them.
fn goes_back(other: Color, before: &dyn Game, after: &dyn Game) -> Option<Sentence> {
    let back = before.stakes().contributed[other].saturating_sub(after.stakes().contributed[other]);
    match back {
        Chips::ZERO => None,
        Chips(1) => Some(say!("log-one-back", "1 comes back to {other}", other)),
        back => Some(say!("log-back", "{back} come back to {other}", back, other)),
    }
}

/// A bet as it acts on this game: an opening bet is a bet, a call with nothing to call is a check.
pub(super) fn bet_in_words(by: Color, bet: Bet, before: &dyn Game) -> Sentence {
    let Some(due) = before.betting().and_then(Betting::due) else {
        return Action::Bet { by, bet }.describe();
    };
    let stack = before.stakes().stacks[by];
    let highest = due.put.white.max(due.put.black);
    let whole = due.put[by] + stack;
    let raise_to = match bet {
        Bet::Fold | Bet::Check | Bet::Call => None,
        Bet::Raise(to) => Some(to),
        Bet::AllIn => Some(whole),
    }
    // Against an all-in, or with a stack that is no more than the call, going all-in is a call.
    .filter(|to| due.raise.is_some() && *to > highest);
    match (bet, raise_to) {
        (Bet::Fold, _) => Action::Bet { by, bet }.describe(),
        (_, None) if due.call == Chips::ZERO => Action::Bet { by, bet: Bet::Check }.describe(),
        (_, None) if due.call == stack => {
            say!("log-call-all-in", "{by} calls {call} and is all-in", by, call = due.call)
        }
        (_, None) => say!("log-call", "{by} calls {call}", by, call = due.call),
        (_, Some(to)) => match (highest == Chips::ZERO, to == whole) {
            (true, false) => say!("log-bet", "{by} bets {to}", by, to),
            (true, true) => say!("log-bet-all-in", "{by} bets {to} and is all-in", by, to),
            (false, false) => Action::Bet { by, bet: Bet::Raise(to) }.describe(),
            (false, true) => say!("log-raise-all-in", "{by} raises to {to} and is all-in", by, to),
        },
    }
}

/// The sentence that describes an input before it acts on `game`; `None` for presses, ticks and clock readings, which
/// the clocks show anyway.
fn describe(input: &Input, game: &dyn Game, table: &Table) -> Option<Sentence> {
    Some(match input {
        Input::Game(Action::Bet { by, bet }) => bet_in_words(*by, *bet, game),
        Input::Game(action) => match (game.sheet_entry(action), action, table.terms().voice) {
            (Some(entry), _, Voice::Casual) => entry.sentence(),
            (Some(entry), Action::Play(_), Voice::Event) => {
                say!("log-move", "{by} plays {san}", by = entry.by, san = entry.played)
            }
            (_, Action::Own(own), _) => game.own_words(own).unwrap_or_else(|| own.describe()),
            _ => action.describe(),
        },
        Input::Common(common) => return describe_common(common, table),
    })
}

fn describe_common(common: &Common, table: &Table) -> Option<Sentence> {
    // Without an arbiter nobody is named: whoever reached the button stopped the clocks for both.
    let alone = table.terms().voice == Voice::Casual;
    let players = &table.agreement().players;
    Some(match common {
        Common::Press(_)
        | Common::Tick
        | Common::ClockReads(_)
        | Common::Undo { .. }
        | Common::Redo { .. } => return None,
        Common::Pause(Author::Arbiter) if alone => say!("tell-paused", "paused"),
        Common::Resume(Author::Arbiter) if alone => say!("tell-resumed", "resumed"),
        Common::Pause(by) => say!("tell-pause", "paused by {by}", by = by.sentence()),
        Common::Resume(by) => say!("tell-resume", "resumed by {by}", by = by.sentence()),
        Common::Rule(ruling) => describe_ruling(ruling, players),
        Common::Next(_) => say!("tell-next", "next game: colours swap"),
        Common::EndMatch { reason, .. } if reason.is_empty() => say!("tell-match-ends", "the match ends"),
        Common::EndMatch { reason, .. } => {
            say!("tell-end-match", "the match ends: {reason}", reason = reason.clone())
        }
        Common::ClaimFlag(by) => say!("tell-claim-flag", "flag claimed by {by}", by = by.sentence()),
        Common::Stands { by, piece, shown_by } => {
            let (by, piece, shown_by) = (*by, *piece, *shown_by);
            say!("tell-stands", "{by}'s next {piece} is represented by a {shown_by}", by, piece, shown_by)
        }
        Common::Signs(by) => {
            let name = table.name_of(*by).to_owned();
            say!("tell-signs", "{name} confirms the result", name)
        }
        Common::Consent(by) => say!("tell-consent", "{by} agrees that the cards may be shown", by = *by),
    })
}

/// What the arbiter ruled, and why.
pub fn describe_ruling(ruling: &Ruling, players: &BySeat<String>) -> Sentence {
    let what = ruled(ruling, players);
    let own = super::adjourned::told(&ruling.reason).or_else(|| super::finish::told(&ruling.reason));
    let reason = own.map_or_else(|| Fact::Name(ruling.reason.clone()), Fact::from);
    // Where the reason is not for those who are told, it is empty.
    match (what.is_empty(), ruling.reason.is_empty()) {
        (true, false) => say!("tell-rule", "the arbiter rules: {reason}", reason),
        (false, false) => {
            let what = Fact::list(what);
            say!("tell-rule-what", "the arbiter rules: {reason} ({what})", reason, what)
        }
        (true, true) => say!("tell-ruled", "the arbiter has ruled"),
        (false, true) => say!("tell-ruled-what", "the arbiter rules: {what}", what = Fact::list(what)),
    }
}

/// One sentence for each value that a ruling sets, such as a clock reading, a stack or the position.
pub(super) fn ruled(ruling: &Ruling, players: &BySeat<String>) -> Vec<Sentence> {
    let mut what = Vec::new();
    for by in Color::ALL {
        if let Some(left) = ruling.clock_ms[by] {
            what.push(say!("ruled-clock", "{by}'s clock: {left}", by, left = Millis(left).to_string()));
        }
        if let Some(periods) = ruling.periods[by] {
            what.push(say!("ruled-periods", "{by}'s periods left: {periods}", by, periods));
        }
        if let Some(moves) = ruling.moves[by] {
            what.push(say!("ruled-moves", "{by}'s moves made: {moves}", by, moves));
        }
    }
    for seat in Seat::ALL {
        if let Some(chips) = ruling.stacks[seat] {
            what.push(say!(
                "ruled-stack",
                "{name} has a stack of {chips}",
                name = players[seat].clone(),
                chips
            ));
        }
        if let Some(chips) = ruling.contributed[seat] {
            what.push(say!(
                "ruled-pot",
                "{name} has put {chips} into the pot",
                name = players[seat].clone(),
                chips
            ));
        }
    }
    if let Some(own) = &ruling.own {
        what.extend(own.describe(players));
    }
    if let Some(fen) = &ruling.fen {
        what.push(say!("ruled-position", "the position is {fen}", fen = fen.clone()));
    }
    if let Some(by) = ruling.to_act {
        what.push(say!("ruled-turn", "{by} is to act", by));
    }
    what.extend(ruling.time.as_ref().map(TimeTerm::sentence));
    what.extend(ruling.result.map(|result| result.in_words(players)));
    what
}
