//! What the prompt at the head of the table's middle says.

use tabiya_app::alerts::{AlertKind, Cause};
use tabiya_app::snapshot::{Asked, TableView};
use tabiya_engine::rules::{BetDue, Chips, Phase};
use tabiya_engine::table::Audience;

use super::acts::{is_open, waits_for_press};
use super::calm::is_held;
use super::course::now_in_words;
use super::promotion::Promotion;
use super::questions::clocks_after;
use super::state::TableState;
use super::{hands, repair, result, touch};
use crate::cx::Cx;
use crate::fixes::Repair;
use crate::keys::Command;

/// What the prompt says.
pub(super) struct Said {
    pub(super) title: String,
    /// A second, weaker line.
    pub(super) under: String,
    /// A refusal or fault, which takes the second line's place.
    pub(super) wrong: Option<String>,
    /// Whether it asks something.
    pub(super) asks: bool,
    /// What is told by ear besides.
    pub(super) heard: Option<String>,
}

impl Said {
    /// Whether it has no second line.
    pub(super) fn is_short(&self) -> bool {
        self.under.is_empty() && self.wrong.is_none()
    }

    /// What is said of a result.
    pub(super) fn result(title: String, under: String) -> Self {
        Self { title, under, wrong: None, asks: false, heard: None }
    }
}

/// What is said at the head: a question, what is wrong, or what comes next.
pub(super) fn said(cx: &Cx<'_>, view: &TableView, state: &TableState, fixes: &[Repair]) -> Said {
    let asked = players_question(cx);
    let refused = cx.snapshot.refused.iter().filter(|refused| refused.to == Audience::Players);
    // The list of what to put right says the same, unless the rules have a reason of their own.
    let listed = |cause: &Cause| !fixes.is_empty() && !cause.gives_reason;
    let trouble = cx.snapshot.alert(AlertKind::Piece).map(|alert| &alert.cause);
    let trouble =
        trouble.filter(|cause| !view.is_event() && !listed(cause) && !cx.holds).map(|cause| &cause.says);
    let wrong: Vec<String> =
        refused.map(|refused| &refused.text).chain(trouble).map(|text| cx.say(text)).collect();
    let wrong = (!wrong.is_empty()).then(|| wrong.join(" "));
    let prompt = view.prompt().map(|prompt| cx.say(prompt)).unwrap_or_default();
    let bet_clock = view.bet_clock.map(|clock| cx.say(&clock.sentence(cx.at))).unwrap_or_default();
    let seen = view.seen_action.as_ref().filter(|_| !view.is_event());
    let seen = seen.map(|seen| cx.words.with("seen-not-pressed", &[("what", cx.say(&seen.text).into())]));
    if let Some(asked) = asked {
        return said_of_question(cx, view, state, &asked, wrong);
    }
    if view.outcome.is_some() {
        return result::said(cx, view);
    }
    if view.clock.paused() {
        let mover = view.mover().map(|by| view.names[by].clone());
        let word = if is_open(view) { "is-to-press" } else { "is-to-move" };
        let under = mover.map(|name| cx.words.with(word, &[("name", name.into())])).unwrap_or_default();
        return Said { title: cx.t("paused"), under, wrong, asks: false, heard: None };
    }
    if !fixes.is_empty() {
        let under = repair::press_counts(cx, view).unwrap_or(prompt);
        return Said { title: cx.t("put-right"), under, wrong, asks: false, heard: None };
    }
    if waits_for_press(view)
        && let Some(by) = view.mover()
    {
        let title = cx.words.with("press-now", &[("name", view.names[by].clone().into())]);
        let last = view.moves.last().filter(|_| view.phase == Phase::Chess);
        let under = match (seen, last) {
            (Some(seen), _) => seen,
            (None, Some(san)) => cx.words.with("stands-not-pressed", &[("what", cx.words.san(san).into())]),
            (None, None) => cx.t("not-pressed-yet"),
        };
        return Said { title, under, wrong, asks: false, heard: None };
    }
    if let Some((title, under, heard)) = chosen_now(cx, view, state) {
        return Said { title, under, wrong, asks: false, heard: heard.then_some(prompt) };
    }
    let under = seen.unwrap_or(bet_clock);
    let hands = view.poker.as_ref().filter(|_| under.is_empty()).map(|poker| now_in_words(cx, poker));
    let title = chosen_place(cx, view, state).unwrap_or(prompt);
    Said { title, under: hands.unwrap_or(under), wrong, asks: false, heard: None }
}

/// What is said while a player chooses on the board the pieces of a hand, or a pawn's new piece: the title, the line below it, and
/// whether the table's prompt is told by ear besides, as it names the squares that are lit.
fn chosen_now(cx: &Cx<'_>, view: &TableView, state: &TableState) -> Option<(String, String, bool)> {
    let chooser = view.poker.as_ref().and_then(|poker| poker.choices.as_ref()?.by());
    if let (Some(missing), Some(by)) = (hands::missing(view, state), chooser) {
        let title = cx.words.with("name-hand", &[("name", cx.who(by).into())]);
        return Some((title, cx.words.with("hand-missing", &[("count", missing.into())]), true));
    }
    let played = Promotion::written(view, state.promotion?);
    let by = view.mover().map(|by| view.names[by].clone()).unwrap_or_default();
    let facts = [("name", by.into()), ("move", cx.words.san(&played).into())];
    Some((cx.words.with("promoting", &facts), cx.t("promotion-hint"), false))
}

/// What is said at the head while this is asked; `wrong` is what is wrong besides.
fn said_of_question(
    cx: &Cx<'_>,
    view: &TableView,
    state: &TableState,
    asked: &Asked,
    wrong: Option<String>,
) -> Said {
    let question = cx.say(&asked.text);
    // While an action is armed, its controls stay, and the question is the reason why nothing happened yet.
    if let Some(what) = state.armed.what() {
        let facts = [("what", cx.words.word("armed", what.word()).into()), ("key", cx.key(what).into())];
        let title = cx.words.with("armed-again", &facts);
        // Who folds knows that he folds; what that costs is worth a second thought.
        let costs = |bet: &BetDue| what == Command::Fold && bet.call > Chips::ZERO;
        let loses = view.bet.filter(costs).map(|bet| {
            let name = view.names[bet.by.other()].clone();
            let facts = [("name", name.into()), ("pot", view.stakes.pot().0.into())];
            cx.words.with("fold-loses", &facts)
        });
        let wrong = loses.or(Some(question));
        return Said { title, under: String::new(), wrong, asks: true, heard: None };
    }
    // The answer to what was played settles the press that waits.
    let counts = asked.answers.as_ref().and_then(|_| repair::press_counts(cx, view));
    match state.take_back {
        Some(count) => {
            // The rows name what goes; the question says it to those who hear it.
            let under = clocks_after(cx, view, count).unwrap_or_else(|| question.clone());
            let title = cx.t("take-back-how-far");
            Said { title, under, wrong, asks: true, heard: Some(question) }
        }
        None => Said { title: question, under: counts.unwrap_or_default(), wrong, asks: true, heard: None },
    }
}

/// What to place and where, for the piece that is chosen among those that the open card can become.
fn chosen_place(cx: &Cx<'_>, view: &TableView, state: &TableState) -> Option<String> {
    let by = view.mover()?;
    // Before the clock starts, the table says who has to press for that.
    if view.clock.turn().is_none() && view.clock.timed(by) {
        return None;
    }
    let piece = touch::piece(view, state)?;
    let (_, what) = view.open_places.iter().find(|(open, _)| *open == piece)?;
    let name = view.names[by].clone();
    Some(cx.words.with("place-it", &[("name", name.into()), ("what", cx.say(what).into())]))
}

/// The open question to the players.
pub(super) fn players_question(cx: &Cx<'_>) -> Option<Asked> {
    cx.snapshot.question.clone().filter(|asked| asked.to == Audience::Players && !is_held(cx, asked))
}
