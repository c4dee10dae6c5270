//! An open question to the players: its answers, and the last actions while it is asked what is to be taken back.

use egui::{Align2, FontId, Key, Rect, Ui, pos2};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::{Asked, TableView};
use tabiya_engine::rules::Actor;
use tabiya_types::{Color, Millis, Sentence};

use super::sizes::{GAP, TALL};
use super::state::TableState;
use crate::cx::Cx;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{cut_bottom, cut_top, split};
use crate::widgets::button;

/// Draws the open question's answers.
pub(super) fn question_body(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    state: &mut TableState,
    asked: &Asked,
    body: &mut Rect,
) {
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
        answers.push((cx.answer(&asked.text, true), Kind::Gold, cx.key(Command::Yes), Wish::Yes));
    }
    let no = if state.take_back.is_some() { cx.t("leave-it") } else { cx.answer(&asked.text, false) };
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
    if let Some(place) = places.get(1) {
        take_press_back_ui(ui, cx, *place);
    }
}

/// Draws the button that takes back the press that waits. The key that presses the clock does the same.
pub(super) fn take_press_back_ui(ui: &mut Ui, cx: &mut Cx<'_>, place: Rect) {
    let text = cx.t("take-press-back");
    let back = ButtonFace::new(Kind::Plain, &text).icon(Icon::Undo).key(cx.key(Command::Press));
    if button_at(ui, cx, place, "take-press-back", &back).clicked() {
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

/// The keys of the first numbers, which choose amounts while nothing is asked.
const PRESETS: [Command; 4] = [Command::Least, Command::HalfPot, Command::Pot, Command::AllIn];

/// Whether the key of a numbered answer was pressed, while nothing has the keyboard focus.
fn number_pressed(ui: &Ui, cx: &mut Cx<'_>, number: usize) -> bool {
    let free = ui.memory(|memory| memory.focused().is_none());
    let key = Key::from_name(&number.to_string()).filter(|_| free);
    let pressed = key.is_some_and(|key| ui.input(|input| input.key_pressed(key)));
    pressed || PRESETS.get(number - 1).is_some_and(|command| cx.takes(*command))
}

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
