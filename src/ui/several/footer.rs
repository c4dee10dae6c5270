//! The line below the tiles: what the chosen table waits for, and what its keys do. It has the one gold button.

use egui::{Align2, CornerRadius, FontId, Rect, Stroke, StrokeKind, Ui, pos2, vec2};
use tabiya_app::alerts::AlertKind;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::Phase;

use super::{Asked, Standing, TileNow, is_in_use};
use crate::cx::Cx;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::write;
use crate::table::acts::{self, is_open, pause};
use crate::theme::{PANEL_RADIUS, bold_font};
use crate::widgets::{capital, live_label};

/// Draws the line of a table, and does what its keys ask for.
pub(super) fn footer_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    table: &TileNow,
    (number, area): (usize, Rect),
    asked: &mut Asked,
) {
    ground(ui, cx, area);
    let px = cx.sizes;
    let px = move |points: f32| px.px(points);
    let view = table.snapshot.table.clone();
    let standing = Standing::of(table);
    let presses = view.as_deref().and_then(TableView::presser).is_some();
    let stops = view.as_deref().is_some_and(|view| view.outcome.is_none() && !view.match_over);
    let paused = view.as_deref().is_some_and(|view| view.clock.paused());
    let gold = gold(standing, presses);
    let mut right = area.right() - px(10.0);
    let mut button = |ui: &mut Ui, cx: &Cx<'_>, width: f32, (id, face): (&str, ButtonFace<'_>)| {
        let place = Rect::from_min_max(
            pos2(right - px(width), area.top() + px(9.0)),
            pos2(right, area.bottom() - px(9.0)),
        );
        right = place.left() - px(10.0);
        button_at(ui, cx, place, id, &face).clicked()
    };
    let kind = |what: Gold| if gold == what { Kind::Gold } else { Kind::Plain };
    let text = cx.t("open-match");
    let face = ButtonFace::new(kind(Gold::Open), &text).key(cx.t("key-enter"));
    asked.open |= button(ui, cx, 130.0, ("open", face));
    let text = cx.t("take-back-asks");
    let face = ButtonFace::new(Kind::Plain, &text).key(cx.key(Command::Undo)).enabled(stops);
    asked.take_back |= button(ui, cx, 183.0, ("take-back", face)) || stops && cx.takes(Command::Undo);
    let text = cx.t(if paused { "resume" } else { "several-stop" });
    let icon = if paused { Icon::Play } else { Icon::Pause };
    let face = ButtonFace::new(kind(Gold::GoOn), &text).icon(icon).key(cx.key(Command::Pause)).enabled(stops);
    let stop = button(ui, cx, 152.0, ("stop", face)) || cx.takes(Command::Pause);
    if let Some(view) = view.as_deref().filter(|_| stop && stops) {
        pause(cx, view);
    }
    let text = cx.t("several-press");
    let face = ButtonFace::new(kind(Gold::Press), &text).key(cx.key(Command::Press)).enabled(presses);
    let press = button(ui, cx, 176.0, ("press", face)) || cx.takes(Command::Press);
    if let Some(view) = view.as_deref().filter(|_| press) {
        acts::press(cx, view, None);
    }
    let at = area.left_center() + vec2(px(17.0), 0.0);
    let font = (bold_font(cx.sizes.title()), cx.theme.text);
    let head = write(ui.painter(), at, Align2::LEFT_CENTER, &number.to_string(), font, px(60.0));
    let words =
        Rect::from_min_max(pos2(head.right() + px(14.0), area.top()), pos2(right - px(6.0), area.bottom()));
    words_ui(ui, cx, said(cx, table, standing), words);
}

/// Draws the question whether to close the window.
pub(super) fn close_ui(ui: &mut Ui, cx: &mut Cx<'_>, tables: &[TileNow], area: Rect, asked: &mut Asked) {
    ground(ui, cx, area);
    let px = cx.sizes;
    let px = move |points: f32| px.px(points);
    let inner = area.shrink(px(9.0));
    let no = inner.with_min_x(inner.right() - px(150.0));
    let yes = inner.with_max_x(no.left() - px(10.0)).with_min_x(no.left() - px(220.0));
    let text = cx.t("several-close");
    let face = ButtonFace::new(Kind::Gold, &text).key(cx.t("key-enter"));
    if button_at(ui, cx, yes, "close", &face).clicked() {
        asked.close = Some(true);
    }
    let text = cx.t("several-stay");
    let face = ButtonFace::new(Kind::Plain, &text).key(cx.t("key-escape"));
    if button_at(ui, cx, no, "stay", &face).clicked() {
        asked.close = Some(false);
    }
    let count = tables.iter().filter(|table| is_in_use(table)).count();
    let title = cx.words.with("several-close-asks", &[("count", count.into())]);
    let words = inner.with_max_x(yes.left() - px(8.0)).with_min_x(inner.left() + px(8.0));
    words_ui(ui, cx, (title, cx.t("several-kept")), words);
}

fn ground(ui: &Ui, cx: &Cx<'_>, area: Rect) {
    let edge = Stroke::new(1.0, cx.theme.edge);
    ui.painter().rect(area, CornerRadius::same(PANEL_RADIUS), cx.theme.panel, edge, StrokeKind::Inside);
}

/// Writes two lines.
fn words_ui(ui: &Ui, cx: &Cx<'_>, (title, under): (String, String), area: Rect) {
    let y = if under.is_empty() { area.center().y } else { area.center().y - cx.sizes.px(11.0) };
    let title = capital(&title);
    let font = (bold_font(cx.sizes.lead()), cx.theme.text);
    write(ui.painter(), pos2(area.left(), y), Align2::LEFT_CENTER, &title, font, area.width());
    let at = pos2(area.left(), area.center().y + cx.sizes.px(13.0));
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    write(ui.painter(), at, Align2::LEFT_CENTER, &under, font, area.width());
    live_label(ui, area, "several-said", &format!("{title}. {under}"), false);
}

/// Which button is to be used now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gold {
    Press,
    GoOn,
    Open,
}

fn gold(standing: Standing, presses: bool) -> Gold {
    match standing {
        Standing::Stopped => Gold::GoOn,
        Standing::Plays | Standing::Lost if presses => Gold::Press,
        Standing::Plays
        | Standing::Lost
        | Standing::Broken
        | Standing::Differs
        | Standing::Asks
        | Standing::Done
        | Standing::Empty => Gold::Open,
    }
}

/// What the table waits for, and what is said besides.
fn said(cx: &Cx<'_>, table: &TileNow, standing: Standing) -> (String, String) {
    let snapshot = &table.snapshot;
    let Some(view) = snapshot.table.as_deref() else {
        return (cx.t(if table.alive { "hall-no-match" } else { "broken" }), String::new());
    };
    let prompt = view.prompt().map(|prompt| cx.say(prompt)).unwrap_or_default();
    let trouble = || snapshot.board.trouble.as_ref().map(|trouble| cx.say(trouble)).unwrap_or_default();
    match standing {
        Standing::Broken => (cx.t("broken"), String::new()),
        Standing::Differs => {
            let cause = snapshot.alert(AlertKind::Piece).map(|alert| cx.say(&alert.cause.says));
            (cx.t("put-right"), capital(&cause.unwrap_or(prompt)))
        }
        Standing::Asks => {
            (snapshot.question.as_ref().map(|asked| cx.say(&asked.text)).unwrap_or_default(), prompt)
        }
        Standing::Stopped => {
            let mover = view.mover().map(|by| view.names[by].clone());
            let word = if is_open(view) { "is-to-press" } else { "is-to-move" };
            let under = mover.map(|name| cx.words.with(word, &[("name", name.into())]));
            (cx.t("paused"), under.unwrap_or_default())
        }
        Standing::Done => {
            let title = view.outcome.map(|outcome| cx.winner(view, outcome));
            (title.unwrap_or_else(|| prompt.clone()), prompt)
        }
        Standing::Lost | Standing::Plays | Standing::Empty => {
            let title = view
                .mover()
                .filter(|_| is_open(view))
                .map(|by| cx.words.with("press-now", &[("name", view.names[by].clone().into())]));
            let stands = view.moves.last().filter(|_| title.is_some() && view.phase == Phase::Chess);
            let stands =
                stands.map(|san| cx.words.with("stands-not-pressed", &[("what", cx.words.san(san).into())]));
            // A move stays as it is written.
            let under =
                if standing == Standing::Lost { capital(&trouble()) } else { stands.unwrap_or_default() };
            (title.unwrap_or(prompt), under)
        }
    }
}
