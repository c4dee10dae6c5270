//! The middle of the table: prompt, controls, score sheet and log. The prompt stands above the controls, or in a small
//! window under the board; a refusal, a question or a reason takes its place and moves nothing.

use std::sync::Arc;

use egui::{
    Align2, FontId, Galley, Key, Margin, Painter, Rect, RichText, Role, ScrollArea, Sense, Ui, UiBuilder,
    pos2, vec2,
};
use tabiya_app::alerts::{AlertKind, Cause};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::{Asked, TableView};
use tabiya_app::words::typed_wish;
use tabiya_engine::rules::{Action, Actor, BetDue, Chips, DealtCards, Phase, Verb};
use tabiya_engine::table::Audience;
use tabiya_types::{Color, Millis, Sentence};

use super::acts::{go_on, is_open, pause, take_back};
use super::said::Said;
use super::sizes::{GAP, LOW, TALL};
use super::state::TableState;
use super::{answer, betting, cards, chess, hands, own_cards, repair, result, touch};
use crate::cx::Cx;
use crate::fixes::Repair;
use crate::focus::Focus;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{cut_bottom, cut_top, panel, rows, score, split};
use crate::landmarks::Landmark;
use crate::record::times_of_moves;
use crate::theme::bold_font;
use crate::widgets::{button, capital, label, live_label, name};

/// How many announcements are shown.
const SAID: usize = 40;
/// How many of them are told by ear where only the newest has room.
const NEWEST: usize = 5;
/// From this width on, the log stands beside the bets.
const BESIDE: f32 = 640.0;
/// What the middle is drawn into, and what is wrong on the board.
pub(super) struct Parts<'a> {
    pub(super) middle: Rect,
    pub(super) below_board: Option<Rect>,
    /// The place of the quieter actions, if they stand under the board.
    pub(super) quiet: Option<Rect>,
    pub(super) fixes: &'a [Repair],
}

/// Draws the middle.
pub(super) fn middle_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    parts: &Parts<'_>,
) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    panel::ground(ui.painter(), cx.theme, parts.middle);
    let small = parts.below_board.is_some();
    let mut body = parts.middle.shrink(if small { px(9.0) } else { px(16.0) });
    let head = match parts.below_board {
        Some(below) => below,
        // A result is told in large words.
        None if view.outcome.is_some() => cut_top(&mut body, px(94.0), px(4.0)),
        None => cut_top(&mut body, px(74.0), px(10.0)),
    };
    let said = said(cx, view, state, parts);
    if let Some(pot) = head_ui(ui, cx, view, head, &said) {
        state.flights.pot_at(pot);
    }
    if body.height() < px(24.0) {
        return;
    }
    let typed = typed_place(cx, &mut body, state, small);
    if answer::open(cx, state).is_some() && players_question(cx).is_none() && parts.fixes.is_empty() {
        answer::answer_ui(ui, cx, state, body);
    } else {
        body_ui(ui, cx, view, state, parts, body);
    }
    if let Some(place) = typed {
        typed_ui(ui, cx, view, state, place);
    }
}

/// With large words the quieter actions stand under the board, if the prompt leaves room there.
pub(super) fn quiet_place(cx: &Cx<'_>, below_board: &mut Rect) -> Option<Rect> {
    let height = cx.sizes.px(LOW);
    (below_board.height() > height * 3.0).then(|| cut_bottom(below_board, height, cx.sizes.px(GAP)))
}

/// The place of the input line. In a small window it appears only while it is used.
fn typed_place(cx: &Cx<'_>, body: &mut Rect, state: &TableState, small: bool) -> Option<Rect> {
    let used = state.focus_typed || !state.typed.is_empty() || cx.focus == Focus::Field;
    let height = cx.sizes.px(LOW);
    (!small || used || body.height() > height * 6.0).then(|| cut_bottom(body, height, cx.sizes.px(GAP)))
}

/// What is said at the head: a question, what is wrong, or what comes next.
fn said(cx: &Cx<'_>, view: &TableView, state: &TableState, parts: &Parts<'_>) -> Said {
    let asked = players_question(cx);
    let refused = cx.snapshot.refused.iter().filter(|refused| refused.to == Audience::Players);
    // The list of what to put right says the same, unless the rules have a reason of their own.
    let listed = |cause: &Cause| !parts.fixes.is_empty() && !cause.gives_reason;
    let trouble = cx.snapshot.alert(AlertKind::Piece).map(|alert| &alert.cause);
    let trouble = trouble.filter(|cause| !view.is_event() && !listed(cause)).map(|cause| &cause.says);
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
    if !parts.fixes.is_empty() {
        return Said { title: cx.t("put-right"), under: prompt, wrong, asks: false, heard: None };
    }
    if is_open(view)
        && let Some(by) = view.mover()
    {
        let title = cx.words.with("press-now", &[("name", view.names[by].clone().into())]);
        let under = match view.moves.last().filter(|_| view.phase == Phase::Chess) {
            Some(san) => cx.words.with("stands-not-pressed", &[("what", cx.words.san(san).into())]),
            None => cx.t("not-pressed-yet"),
        };
        return Said { title, under, wrong, asks: false, heard: None };
    }
    let under = seen.unwrap_or(bet_clock);
    let title = chosen_place(cx, view, state).unwrap_or(prompt);
    Said { title, under, wrong, asks: false, heard: None }
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
fn players_question(cx: &Cx<'_>) -> Option<Asked> {
    cx.snapshot.question.clone().filter(|asked| asked.to == Audience::Players)
}

/// Lays out text in the largest of some sizes in which it fits into an area, from `largest` down.
fn fit(ui: &Ui, cx: &Cx<'_>, text: &str, largest: f32, room: egui::Vec2) -> Arc<Galley> {
    let (sizes, ink) = (cx.sizes, cx.theme.text);
    // The table's sentences begin in lower case, because they also stand inside others.
    let text = &capital(text);
    let try_sizes =
        [largest, sizes.title(), sizes.name(), sizes.lead(), sizes.rem, sizes.small(), sizes.small() * 0.85];
    let lay = |size: f32| rows(ui.painter(), text, (bold_font(size), ink), room.x, 6);
    let fits = |galley: &Arc<Galley>| galley.size().y <= room.y && !galley.elided;
    try_sizes.iter().map(|size| lay(*size)).find(fits).unwrap_or_else(|| lay(sizes.small() * 0.85))
}

/// Draws the head. Returns where the pot is, if it is here.
fn head_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, head: Rect, said: &Said) -> Option<Rect> {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let painter = ui.painter().with_clip_rect(head.expand(4.0));
    let mut under = head;
    let has_line = said.wrong.is_some() || !said.under.is_empty();
    let title_room = if has_line { (head.height() - px(30.0)).max(px(20.0)) } else { head.height() };
    // Where there is room, the pot stands below the first line of the prompt.
    let low = has_line || head.height() > px(66.0);
    let pot_place = pot_ui(ui, &painter, cx, view, (head, low));
    let pot_left = pot_place.map_or(head.right(), |pot| pot.left() - px(8.0));
    let width = if pot_place.is_some() && !low { pot_left - head.left() } else { head.width() };
    let reason = said
        .wrong
        .as_ref()
        .map(|wrong| panel::lay_out_reason(&painter, cx, pot_left - head.left(), &capital(wrong)));
    // A reason of several rows stands in the place of the prompt, so that it covers no control.
    if reason.as_ref().is_some_and(|reason| reason.rows.len() > 1) {
        live_label(ui, head, "title", &said.title, false);
    } else {
        let largest = if view.outcome.is_some() { sizes.figure() } else { sizes.title() };
        let mut galley = fit(ui, cx, &said.title, largest, vec2(width, title_room));
        let covers = |galley: &Galley, pot: Rect| {
            Rect::from_min_size(head.min, galley.size()).intersects(pot.expand(px(4.0)))
        };
        if let Some(pot) = pot_place.filter(|pot| covers(&galley, *pot)) {
            // The prompt stands above the pot or beside it, in the larger letters.
            let above = fit(ui, cx, &said.title, largest, vec2(width, pot.top() - px(4.0) - head.top()));
            let beside = fit(ui, cx, &said.title, largest, vec2(pot_left - head.left(), title_room));
            let letters = |galley: &Galley| galley.rows.first().map_or(0.0, |row| row.height());
            galley = if letters(&above) >= letters(&beside) { above } else { beside };
        }
        let place = Rect::from_min_size(head.min, galley.size());
        painter.galley(place.min, galley, cx.theme.text);
        live_label(ui, place, "title", &said.title, said.asks);
        under.min.y = place.bottom() + px(4.0);
    }
    if let Some(heard) = &said.heard {
        live_label(ui, head, "heard", heard, true);
    }
    let line = Rect::from_min_max(under.min, pos2(pot_left, head.bottom().max(under.top() + px(24.0))));
    line_ui(ui, &painter, cx, said, (line, reason));
    pot_place
}

/// Draws the pot at the right end of the head, unless it lies on the board, as during the betting. Returns its place.
fn pot_ui(
    ui: &Ui,
    painter: &Painter,
    cx: &Cx<'_>,
    view: &TableView,
    (head, low): (Rect, bool),
) -> Option<Rect> {
    let px = |points: f32| cx.sizes.px(points);
    if !view.has_chips() || matches!(view.phase, Phase::Deal | Phase::Bet | Phase::Over | Phase::MatchOver) {
        return None;
    }
    let pot = view.stakes.pot().0;
    let right = if low {
        let below_board = head.height() > px(110.0);
        let bottom = if below_board { head.top() + px(110.0) } else { head.bottom() };
        pos2(head.right(), bottom - px(15.0))
    } else {
        head.right_center()
    };
    let rect = panel::pot_pill(painter, cx, right, &cx.t("pot-word"), pot);
    let response = ui.interact(rect, ui.scope_id().with("pot"), Sense::hover());
    name(&response, Role::Label, true, &cx.words.with("pot-is", &[("count", pot.into())]));
    Some(rect)
}

/// Draws the second line of the head: the reason of a refusal or a fault, or else what is said besides.
fn line_ui(
    ui: &Ui,
    painter: &Painter,
    cx: &Cx<'_>,
    said: &Said,
    (line, reason): (Rect, Option<Arc<Galley>>),
) {
    if let (Some(wrong), Some(reason)) = (&said.wrong, reason) {
        let height = panel::reason(painter, cx, line, reason);
        live_label(ui, Rect::from_min_size(line.min, vec2(line.width(), height)), "wrong", wrong, true);
    } else if !said.under.is_empty() {
        let lay = |size: f32| {
            let words = (FontId::proportional(size), cx.theme.muted);
            rows(painter, &capital(&said.under), words, line.width(), 2)
        };
        // Two rows of usual words would stand on what comes below.
        let usual = lay(cx.sizes.rem);
        let galley = if usual.rows.len() > 1 { lay(cx.sizes.small()) } else { usual };
        painter.galley(line.min, galley, cx.theme.muted);
        // A clock that is told here changes every second: that is not read aloud.
        label(ui, line, "under", &said.under);
    }
}

/// Draws the controls, and below them the score sheet and the log. The newest line of the log always has its place.
fn body_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    parts: &Parts<'_>,
    mut body: Rect,
) {
    // Beside the bets a wide window has room for the log.
    if view.bet.is_some() && body.width() > cx.sizes.px(BESIDE) {
        let log = body.with_min_x(body.right() - body.width() * 0.26);
        body.max.x = log.left() - cx.sizes.px(16.0);
        said_ui(ui, cx, log);
        controls_ui(ui, cx, view, state, parts, &mut body);
        return;
    }
    let whole = body;
    let line = cx.sizes.px(20.0);
    // While the clocks are stopped, their controls need the room, and the log has nothing new.
    if body.height() > line * 6.0 && !view.clock.paused() {
        cut_bottom(&mut body, line, cx.sizes.px(4.0));
    }
    let bottom = body.bottom();
    if view.poker.is_some() {
        let height = body.height();
        let hands = cut_top(&mut body, height - controls_height(cx, view, height), 0.0);
        hands_part(ui, cx, view, state, hands);
    }
    if own_cards::are_there(view) && players_question(cx).is_none() {
        let height = body.height();
        // A bet and a promotion need the room; then the row alone is seen.
        let controls = view.bet.is_some() || state.promotion.is_some();
        let least = cx.sizes.px(TALL).min(height);
        // A raise of the stake stands among the cards.
        let below =
            if view.has_chips() { cx.sizes.px(TALL + GAP) } else { controls_height(cx, view, height) };
        let part = if controls { least } else { height - below.min(height * 0.5) };
        let part = cut_top(&mut body, part, 0.0);
        cards_part(ui, cx, view, state, part);
    }
    controls_ui(ui, cx, view, state, parts, &mut body);
    // A row of the score sheet has its place above the newest line of the log.
    if !view.moves.is_empty() && (line * 1.5..line * 2.0).contains(&body.height()) {
        moves_ui(ui, cx, view, body);
    }
    // Nothing stands below the rest of the room, unless the row of quieter actions was cut off there.
    let free_below = body.bottom() >= bottom;
    let log = match (body.height() >= line * 2.0, free_below) {
        (true, true) => whole.with_min_y(body.top()),
        (true, false) => body,
        (false, _) => whole.with_min_y((whole.bottom() - line).max(bottom)),
    };
    log_ui(ui, cx, view, log);
}

/// The height that the controls keep beside poker hands: the press, and the quieter actions if there are any.
fn controls_height(cx: &Cx<'_>, view: &TableView, height: f32) -> f32 {
    let quiet = if chess::has_actions(view) && view.presser().is_some() { LOW + GAP } else { 0.0 };
    cx.sizes.px(TALL + GAP + quiet).min(height * 0.5)
}

/// Draws poker hands into an area, in which they scroll if they are too long.
fn hands_part(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, place: Rect) {
    let mut part = ui.new_child(UiBuilder::new().max_rect(place));
    part.set_clip_rect(place);
    ScrollArea::vertical().id_salt("hands").auto_shrink(false).show(&mut part, |ui| {
        hands::hands_ui(ui, cx, view, state);
    });
}

/// Draws the cards of a game whose moves use cards into an area, in which they scroll if there are too many.
fn cards_part(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, place: Rect) {
    let mut part = ui.new_child(UiBuilder::new().max_rect(place));
    part.set_clip_rect(place);
    ScrollArea::vertical().id_salt("laid").auto_shrink(false).show(&mut part, |ui| {
        own_cards::cards_ui(ui, cx, view, state);
    });
}

fn controls_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    parts: &Parts<'_>,
    body: &mut Rect,
) {
    if let Some(asked) = players_question(cx).filter(|_| !state.armed.any()) {
        question_body(ui, cx, state, &asked, body);
        return;
    }
    if view.outcome.is_some() {
        result::result_ui(ui, cx, view, body);
        return;
    }
    if view.clock.paused() {
        paused_body(ui, cx, view, state, body);
        return;
    }
    announcement_ui(ui, cx, view, body);
    if !parts.fixes.is_empty() {
        repair::repair_ui(ui, cx, state, (parts.fixes, view), *body);
        body.min.y = body.bottom();
        return;
    }
    if view.may(Verb::Deal) {
        let row = cut_top(body, cx.sizes.px(TALL), cx.sizes.px(GAP));
        let text = cx.t("deal");
        let face = ButtonFace::new(Kind::Gold, &text).key(cx.key(Command::Deal));
        if button_at(ui, cx, row, "deal", &face).clicked() || cx.takes(Command::Deal) {
            cx.enter(Action::Deal(DealtCards::default()));
        }
    }
    if view.poker.as_ref().is_some_and(|poker| poker.choices.is_some()) {
        let row = cut_top(body, cx.sizes.px(TALL).min(body.height()), cx.sizes.px(GAP));
        hands::choose_ui(ui, cx, view, state, row);
    }
    if view.may(Verb::Bet) {
        betting::betting_ui(ui, cx, view, state, body);
    }
    // The row of quieter actions keeps its place at the bottom.
    let has_room = parts.quiet.is_some() || body.height() >= cx.sizes.px(LOW) * 0.8;
    if chess::has_actions(view) && has_room {
        let row = parts.quiet.unwrap_or_else(|| cut_bottom(body, cx.sizes.px(LOW), cx.sizes.px(GAP)));
        chess::actions_ui(ui, cx, view, state, row);
    }
    if view.may(Verb::Reveal) || view.may(Verb::Place) {
        cards::cards_ui(ui, cx, view, state, body);
    }
    if let Some((from, to)) = state.promotion {
        cards::promotion_ui(ui, cx, view, state, (from, to), body);
    }
    press_ui(ui, cx, view, body);
    chess::answer_ui(ui, cx, view, body);
}

/// Draws the open question's answers.
fn question_body(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut TableState, asked: &Asked, body: &mut Rect) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let gap = px(GAP);
    if let Some(offered) = &asked.answers {
        which_body(ui, cx, state, offered, body);
        return;
    }
    let mut answers: Vec<(String, Kind, String, Wish)> = Vec::new();
    if state.take_back.is_some() {
        answers.push((cx.t("take-it-back"), Kind::Gold, cx.t("key-enter"), Wish::Yes));
    } else {
        answers.push((cx.t("yes"), Kind::Gold, cx.key(Command::Yes), Wish::Yes));
    }
    let no = if state.take_back.is_some() { cx.t("leave-it") } else { cx.t("no") };
    answers.push((no, Kind::Plain, cx.key(Command::No), Wish::No));
    let tall = px(TALL).min(body.height());
    let row = if state.take_back.is_some() {
        let row = cut_bottom(body, tall, gap);
        take_back_rows(ui, cx, state, body);
        row
    } else {
        cut_top(body, tall, gap)
    };
    for ((place, (text, kind, key, wish)), nth) in
        split(row, &[1.6, 1.0], gap).into_iter().zip(answers).zip(0..)
    {
        if button_at(ui, cx, place, ("answer", nth), &ButtonFace::new(kind, &text).key(key).strong())
            .clicked()
        {
            cx.wish(wish);
        }
    }
}

/// Draws the numbered answers, and below them the way on: no, or where a press waits, to type what was played, or to take the
/// press back.
fn which_body(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut TableState, offered: &[Sentence], body: &mut Rect) {
    #[expect(clippy::cast_precision_loss, reason = "a handful of answers")]
    let rows = (offered.len() + 1) as f32;
    let height = |gap: f32| (body.height() + gap) / rows - gap;
    // Many answers stand close together, so that each of them can be read.
    let usual = cx.sizes.px(GAP);
    let gap = if height(usual) < cx.sizes.px(24.0) { cx.sizes.px(2.0) } else { usual };
    let each = height(gap).clamp(cx.sizes.px(18.0), cx.sizes.px(44.0));
    for (number, answer) in (1_usize..).zip(offered) {
        let text = cx.words.with("way", &[("number", number.into()), ("way", cx.say(answer).into())]);
        let row = cut_top(body, each, gap);
        let clicked =
            button_at(ui, cx, row, ("answer", number), &ButtonFace::new(Kind::Plain, &text)).clicked();
        if number_pressed(ui, cx, number) || clicked {
            cx.wish(Wish::Explanation(number));
        }
    }
    let waits = cx.snapshot.table.as_ref().is_some_and(|view| view.waiting_press.is_some());
    let places = split(cut_top(body, each, gap), if waits { &[1.2, 1.0] } else { &[1.0] }, gap);
    let text = cx.t(if waits { "something-else" } else { "no" });
    let other = ButtonFace::new(Kind::Plain, &text).key(cx.key(Command::No));
    if places.first().is_some_and(|place| button_at(ui, cx, *place, "answer-no", &other).clicked()) {
        cx.wish(Wish::No);
        state.focus_typed |= waits;
    }
    let text = cx.t("take-press-back");
    let back = ButtonFace::new(Kind::Plain, &text).icon(Icon::Undo);
    if places.get(1).is_some_and(|place| button_at(ui, cx, *place, "take-press-back", &back).clicked()) {
        cx.wish(Wish::TakeBack(1));
    }
}

/// Who is to act once so many of the last actions are taken back, and what the clocks show then.
pub(crate) fn clocks_after(cx: &Cx<'_>, view: &TableView, count: usize) -> Option<String> {
    let actions = cx.snapshot.last_actions.as_deref()?;
    let then = actions.get(count.checked_sub(1)?)?;
    let Actor::Player(by) = then.to_act else { return None };
    let left = |color: Color| then.clocks[color].map(|left| cx.reading(Some(left), false));
    let facts = [
        ("name", view.names[by].clone().into()),
        ("left", left(by)?.into()),
        ("other", view.names[by.other()].clone().into()),
        ("rest", left(by.other())?.into()),
    ];
    Some(cx.words.with("clocks-after", &facts))
}

/// Draws the last actions, the newest first, with those that go in one frame. A click on a row reaches as far as it.
fn take_back_rows(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut TableState, body: &mut Rect) {
    let actions = cx.snapshot.last_actions.clone().unwrap_or_default();
    let (line, gap) = (cx.sizes.px(30.0), cx.sizes.px(2.0));
    let count = state.take_back.unwrap_or(0);
    let mut frame: Option<Rect> = None;
    for (nth, action) in actions.iter().enumerate() {
        if body.height() < line {
            break;
        }
        let row = cut_top(body, line, gap);
        let text = cx.say_all(&action.words);
        let face = ButtonFace::new(Kind::Bare, &text);
        let goes = nth < count;
        let began = Millis(action.at.millis()).to_string();
        if goes {
            ui.painter().rect_filled(row, 0.0, cx.theme.hover);
            frame = Some(frame.map_or(row, |frame| frame.union(row)));
        }
        let face = if nth == count { face.key(cx.key(Command::Undo)) } else { face };
        if button_at(ui, cx, row, ("take-back-to", nth), &face).clicked() {
            state.take_back = Some(nth + 1);
            cx.wish(Wish::TakeBack(nth + 1));
        }
        let at = pos2(row.left() + cx.sizes.px(10.0), row.center().y);
        let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
        crate::kit::write(ui.painter(), at, Align2::LEFT_CENTER, &began, font, row.width() * 0.2);
    }
    if let Some(frame) = frame {
        let edge = egui::Stroke::new(2.0, cx.theme.ivory);
        ui.painter().rect_stroke(frame, egui::CornerRadius::same(8), edge, egui::StrokeKind::Inside);
    }
}

/// Whether the key of a numbered answer was pressed, while nothing has the keyboard focus.
fn number_pressed(ui: &Ui, cx: &mut Cx<'_>, number: usize) -> bool {
    let free = ui.memory(|memory| memory.focused().is_none());
    let key = Key::from_name(&number.to_string()).filter(|_| free);
    let pressed = key.is_some_and(|key| ui.input(|input| input.key_pressed(key)));
    pressed || PRESETS.get(number - 1).is_some_and(|command| cx.takes(*command))
}

/// The keys of the first numbers, which choose amounts while nothing is asked.
const PRESETS: [Command; 4] = [Command::Least, Command::HalfPot, Command::Pot, Command::AllIn];

/// Draws the answers to an open question as buttons in a flow: the numbered ones, or yes.
pub(crate) fn answers_ui(ui: &mut Ui, cx: &mut Cx<'_>, answers: Option<&[Sentence]>) {
    if let Some(answers) = answers {
        for (number, answer) in (1_usize..).zip(answers) {
            let answer = cx.say(answer);
            let text = cx.words.with("way", &[("number", number.into()), ("way", answer.into())]);
            if button(ui, &text, true).clicked() || number_pressed(ui, cx, number) {
                cx.wish(Wish::Explanation(number));
            }
        }
    } else {
        let yes = cx.t("yes") + &cx.hint(Command::Yes);
        if button(ui, &yes, true).clicked() {
            cx.wish(Wish::Yes);
        }
    }
    let no = cx.t("no") + &cx.hint(Command::No);
    if button(ui, &no, true).clicked() {
        cx.wish(Wish::No);
    }
}

/// Draws the word that a player must say with a placement, such as "Promoted", in large letters until the next input.
fn announcement_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, body: &mut Rect) {
    let Some((_, piece, word)) = view.announced else { return };
    let word = cx.words.word("announce", word.word());
    let text = cx.words.with("announced", &[("word", word.into()), ("piece", cx.words.card(piece).into())]);
    let row = cut_top(body, cx.sizes.px(48.0).min(body.height()), cx.sizes.px(GAP));
    let edge = egui::Stroke::new(2.0, cx.theme.ivory);
    ui.painter().rect(row, egui::CornerRadius::same(8), cx.theme.hover, edge, egui::StrokeKind::Inside);
    let font = (bold_font(cx.sizes.title()), cx.theme.text);
    crate::kit::write(ui.painter(), row.center(), Align2::CENTER_CENTER, &text, font, row.width() - 16.0);
    label(ui, row, "announced", &text);
}

/// While the clocks are stopped: *Go on*, and why they were stopped, which may be left out.
fn paused_body(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, body: &mut Rect) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let gap = px(GAP);
    let row = cut_top(body, px(48.0).min(body.height()), gap);
    let text = cx.t("resume");
    let face = ButtonFace::new(Kind::Gold, &text).key(cx.key(Command::Pause));
    if button_at(ui, cx, row, "go-on", &face).clicked() {
        go_on(cx, view, state);
    }
    if body.height() < px(44.0) {
        return;
    }
    if body.height() > px(80.0) {
        let why = cut_top(body, px(22.0), px(4.0));
        let text = cx.t("why-stopped");
        let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
        crate::kit::write(ui.painter(), why.left_center(), Align2::LEFT_CENTER, &text, font, why.width());
        label(ui, why, "why", &text);
    }
    let row = cut_top(body, px(38.0).min(body.height()), gap);
    if state.other_reason {
        other_reason_ui(ui, cx, state, row);
        return;
    }
    let places = reason_places(cx, row, body);
    for (place, id) in places.iter().zip(["reason-illegal", "reason-phone", "reason-clock"]) {
        let text = cx.t(id);
        let chosen = state.reason == text;
        if button_at(ui, cx, *place, id, &ButtonFace::new(Kind::Choice(chosen), &text)).clicked() {
            state.reason = if chosen { String::new() } else { text };
        }
    }
    if let Some(place) = places.last() {
        let text = cx.t("reason-other");
        if button_at(ui, cx, *place, "reason-other", &ButtonFace::new(Kind::Choice(false), &text)).clicked() {
            state.reason.clear();
            state.other_reason = true;
        }
    }
    if body.height() >= px(28.0) && !view.is_event() {
        while_stopped_ui(ui, cx, view, state, cut_top(body, px(LOW), gap));
    }
}

/// Draws the field for another reason, and the way back to the usual ones.
fn other_reason_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut TableState, row: Rect) {
    let places = split(row, &[4.0, 1.0], cx.sizes.px(GAP));
    if let [field, back] = places[..] {
        ui.scope_builder(UiBuilder::new().max_rect(field), |ui| {
            let named = ui.interact(field, ui.scope_id().with("reason"), Sense::hover());
            name(&named, Role::Label, true, &cx.t("reason"));
            let edit = egui::TextEdit::singleline(&mut state.reason).hint_text(cx.t("reason"));
            ui.add_sized(field.size(), edit).labelled_by(named.id);
        });
        let face = ButtonFace::new(Kind::Plain, "").icon(Icon::Cross).said(cx.t("leave-it"));
        if button_at(ui, cx, back, "no-reason", &face).clicked() {
            state.reason.clear();
            state.other_reason = false;
        }
    }
}

/// Draws what else can be done while the clocks are stopped: take back, and set the clocks.
fn while_stopped_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, row: Rect) {
    let text = cx.t("take-back-asks");
    let face = ButtonFace::new(Kind::Plain, &text).key(cx.key(Command::Undo)).icon(Icon::Undo);
    let places = split(row, &[1.0, 1.0], cx.sizes.px(GAP));
    if let Some(place) = places.first()
        && button_at(ui, cx, *place, "take-back-paused", &face).clicked()
    {
        take_back(cx, view, state);
    }
    let text = cx.t("set-the-clocks");
    let face = ButtonFace::new(Kind::Plain, &text).icon(Icon::Clock);
    if let Some(place) = places.get(1)
        && button_at(ui, cx, *place, "set-the-clocks", &face).clicked()
    {
        state.wants_clocks = true;
    }
}

/// The places of the four reasons: one row, or two where the row is narrow.
fn reason_places(cx: &Cx<'_>, row: Rect, body: &mut Rect) -> Vec<Rect> {
    let gap = cx.sizes.px(GAP);
    if row.width() > cx.sizes.px(400.0) {
        return split(row, &[1.35, 0.9, 1.15, 0.9], gap);
    }
    let second = cut_top(body, row.height().min(body.height()), gap);
    [row, second].into_iter().flat_map(|row| split(row, &[1.3, 1.0], gap)).collect()
}

/// Draws the button that presses the clock, in gold once the player has acted.
fn press_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, body: &mut Rect) {
    let Some(by) = view.presser() else { return };
    let open = is_open(view) || view.seen_action.is_some();
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let height = if open { px(TALL) } else { px(LOW) };
    let row = cut_top(body, height.min(body.height()), px(GAP));
    let text = cx.words.with("press", &[("color", cx.who(by).into())]);
    // While something else is the thing to do now, the press is no gold button.
    let now = open || !(view.may(Verb::Reveal) || view.may(Verb::Place) || view.may(Verb::Move));
    let kind = if now { Kind::Gold } else { Kind::Plain };
    let face = ButtonFace::new(kind, &text).key(cx.key(Command::Press));
    if button_at(ui, cx, row, "press", &face).clicked() {
        cx.wish(Wish::Press(Some(by)));
    }
}

/// Draws the score sheet, if there are moves, and the announcements, if there is room.
fn log_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, area: Rect) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    if area.height() < px(14.0) || area.width() < px(80.0) {
        tell_by_ear(ui, cx, area);
        return;
    }
    // In little room only the newest line of the log is shown.
    let little = area.height() < px(64.0);
    let area = if little { area.with_min_y(area.bottom() - px(20.0)) } else { area };
    let wide = area.width() > px(560.0);
    let places = match (view.moves.is_empty() || little, wide) {
        (true, _) => vec![None, Some(area)],
        (false, true) => split(area, &[1.6, 1.0], px(16.0)).into_iter().map(Some).collect(),
        (false, false) => split(area, &[1.15, 1.0], px(12.0)).into_iter().map(Some).collect(),
    };
    if let Some(Some(place)) = places.first() {
        moves_ui(ui, cx, view, *place);
    }
    if let Some(Some(place)) = places.get(1)
        && little
    {
        newest_said(ui, cx, *place);
    } else if let Some(Some(place)) = places.get(1) {
        said_ui(ui, cx, *place);
    }
}

/// Draws the score sheet, each move with the time that it took.
fn moves_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, area: Rect) {
    let spent = times_of_moves(cx, view);
    score::sheet_ui(ui, cx, area, (view, &spent), is_open(view));
}

/// Draws the announcements to the players, the newest below.
fn said_ui(ui: &mut Ui, cx: &Cx<'_>, place: Rect) {
    let mut inner = ui.new_child(UiBuilder::new().max_rect(place));
    inner.shrink_clip_rect(place);
    let list = ScrollArea::vertical().id_salt("said").auto_shrink(false).stick_to_bottom(true);
    let list = list.min_scrolled_height(0.0);
    list.show(&mut inner, |ui| {
        let all = &cx.snapshot.announcements;
        let newest = all.len().saturating_sub(SAID);
        ui.vertical(|ui| {
            for said in all.iter().skip(newest).filter(|said| said.to == Audience::Players) {
                ui.label(RichText::new(cx.announced(said)).size(cx.sizes.small()).color(cx.theme.muted));
            }
        });
    });
}

/// Names the newest announcements to the players for who reads the screen by ear. Returns the newest.
fn tell_by_ear(ui: &Ui, cx: &Cx<'_>, place: Rect) -> Option<String> {
    let said = cx.snapshot.announcements.iter().filter(|said| said.to == Audience::Players);
    let said: Vec<String> = said.rev().take(NEWEST).map(|said| cx.announced(said)).collect();
    for (nth, text) in said.iter().enumerate().rev() {
        label(ui, place, &format!("said-{nth}"), text);
    }
    said.into_iter().next()
}

/// Draws the newest announcement to the players in one row: as much of its end as fits, in whole parts.
fn newest_said(ui: &Ui, cx: &Cx<'_>, place: Rect) {
    let Some(text) = tell_by_ear(ui, cx, place) else { return };
    let (font, ink) = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    let ends = std::iter::once(text.as_str()).chain(text.match_indices("; ").map(|(at, _)| &text[at + 2..]));
    let lay = |end: &str| ui.painter().layout_no_wrap(end.to_owned(), font.clone(), ink);
    if let Some(galley) = ends.map(lay).find(|galley| galley.size().x <= place.width()) {
        let at = pos2(place.left(), place.center().y - galley.size().y / 2.0);
        ui.painter().galley(at, galley, ink);
    }
}

/// Draws an input line for moves, placements and everything else that users can type in the terminal; beside it the
/// buttons that take back and stop the clocks.
fn typed_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, place: Rect) {
    let side = place.height();
    let gap = cx.sizes.px(GAP);
    let mut field = place;
    for (id, word, icon, command) in [
        ("stop", "pause", Icon::Pause, Command::Pause),
        ("take-back", "take-back-asks", Icon::Undo, Command::Undo),
    ] {
        let rect = Rect::from_min_max(pos2(field.right() - side, field.top()), field.max);
        field.max.x = rect.left() - gap;
        let off = if command == Command::Pause {
            cx.why_off(&[(view.outcome.is_none(), "off-over"), (!view.clock.paused(), "off-stopped")])
        } else {
            cx.why_off(&[(!view.is_event(), "off-event"), (view.begun, "off-not-begun")])
        };
        let face = ButtonFace::new(Kind::Plain, "").icon(icon).said(cx.t(word)).key(cx.key(command)).off(off);
        if button_at(ui, cx, rect, id, &face).clicked() {
            match command {
                Command::Pause => pause(cx, view),
                _ => take_back(cx, view, state),
            }
        }
    }
    let hint = cx.t("type-a-line");
    let said = match cx.key(Command::Type) {
        none if none.is_empty() => hint.clone(),
        key => format!("{hint}  [{key}]"),
    };
    ui.scope_builder(UiBuilder::new().max_rect(field), |ui| {
        let edit = egui::TextEdit::singleline(&mut state.typed)
            .desired_width(f32::INFINITY)
            .align(egui::Align2::LEFT_CENTER)
            .hint_text(RichText::new(&hint).color(cx.theme.muted))
            .margin(Margin::symmetric(10, 4));
        let named = ui.interact(field, ui.scope_id().with("type-a-line"), Sense::hover());
        name(&named, Role::Label, true, &said);
        let response = ui.add_sized(field.size(), edit).labelled_by(named.id);
        Landmark::Middle.mark(&cx.ctx, response.id);
        if state.typed.is_empty() && !response.has_focus() {
            let key = cx.key(Command::Type);
            let at = pos2(field.right() - cx.sizes.px(18.0) - cx.sizes.small(), field.center().y);
            crate::kit::button::key_cap(ui.painter(), cx, at, &key, cx.theme.muted);
        }
        if std::mem::take(&mut state.focus_typed) {
            response.request_focus();
        }
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        // An empty line presses the clock, as in the terminal.
        if entered {
            cx.wish(typed_wish(std::mem::take(&mut state.typed), cx.words));
            state.focus_typed = true;
        }
    });
}
