//! Both players at a moment of the match, what was played there, and the buttons that lead to other moments.

use egui::{Align2, CornerRadius, FontId, Rect, Role, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_types::{Color, Millis};

use super::facts::{self, Jump};
use super::{Moment, go, opens, sheet};
use crate::art;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::score::figurine;
use crate::kit::{cut_bottom, cut_top, rows, split, write};
use crate::table::seat::{draw_colour_edge, points_text};
use crate::table::seat_cards::cards_ui;
use crate::theme::{PANEL_RADIUS, bold_font};
use crate::widgets::{label, name_with};

/// The height of a player's panel, with chips and without.
const PLAYER: f32 = 121.0;
const PLAYER_WITHOUT: f32 = 64.0;
/// The heights of the buttons.
const STEPS: f32 = 44.0;
const OTHER: f32 = 36.0;

/// Draws the players, and between them what was played.
pub(super) fn moment_ui(ui: &mut Ui, cx: &mut Cx<'_>, moment: &Moment<'_>, mut area: Rect) {
    let sizes = cx.sizes;
    let view = moment.view;
    let player = if view.has_chips() { PLAYER } else { PLAYER_WITHOUT };
    let player = sizes.px(player).min(area.height() * 0.3);
    let (far, near) = (cx.below().other(), cx.below());
    let place = cut_top(&mut area, player, sizes.px(10.0));
    player_ui(ui, cx, view, far, place);
    let place = cut_bottom(&mut area, player, sizes.px(10.0));
    player_ui(ui, cx, view, near, place);
    let buttons = sizes.px(STEPS + 8.0 + OTHER);
    let room = (area.height() - buttons - sizes.px(8.0)).max(0.0);
    let words = cut_top(&mut area, room, sizes.px(8.0));
    words_ui(ui, cx, moment, words);
    let row = cut_top(&mut area, sizes.px(STEPS), sizes.px(8.0));
    steps_ui(ui, cx, moment, row);
    let mut row = cut_top(&mut area, sizes.px(OTHER), sizes.px(8.0));
    if moment.live {
        copy_ui(ui, cx, view, row, true);
    } else {
        let copy = row.with_max_x(row.left() + sizes.px(STEPS));
        row.min.x = copy.right() + sizes.px(8.0);
        copy_ui(ui, cx, view, copy, false);
        back_ui(ui, cx, moment, row);
    }
}

/// Draws one player: name, time, cards and chips.
fn player_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, rect: Rect) {
    let sizes = cx.sizes;
    let line = Stroke::new(1.0, cx.theme.line);
    ui.painter().rect(rect, CornerRadius::same(PANEL_RADIUS), cx.theme.panel, line, StrokeKind::Inside);
    draw_colour_edge(ui.painter(), cx.theme, rect, color);
    let mut inner = Rect::from_min_max(
        rect.min + vec2(sizes.px(20.0), sizes.px(8.0)),
        rect.max - vec2(sizes.px(16.0), sizes.px(10.0)),
    );
    let chips = view.has_chips();
    let row = if chips { inner.height() * 0.44 } else { inner.height() };
    let row = cut_top(&mut inner, row, sizes.px(6.0));
    let left = cx.reading(view.clock.reading(color, cx.at), view.clock.counts_up(color, cx.at));
    let size = sizes.title().min(row.height() * 0.8);
    let time = write(
        ui.painter(),
        row.right_center(),
        Align2::RIGHT_CENTER,
        &left,
        (bold_font(size), cx.theme.text),
        row.width() * 0.5,
    );
    let radius = sizes.px(11.0);
    art::color_disc(ui.painter(), pos2(row.left() + radius, row.center().y), radius, color, cx.theme);
    let at = pos2(row.left() + radius * 2.0 + sizes.px(9.0), row.center().y);
    let room = time.left() - at.x - sizes.px(8.0);
    let font = (bold_font(sizes.lead()), cx.theme.text);
    let name_end = write(ui.painter(), at, Align2::LEFT_CENTER, &view.names[color], font, room).right();
    let points = points_text(view, color).unwrap_or_default();
    let room = time.left() - name_end - sizes.px(20.0);
    if !points.is_empty() && room > sizes.px(60.0) {
        let ink = (FontId::proportional(sizes.rem), cx.theme.muted);
        let at = pos2(name_end + sizes.px(12.0), at.y);
        write(ui.painter(), at, Align2::LEFT_CENTER, &points, ink, room);
    }
    let stack = view.stakes.stacks[color].0;
    if chips {
        let text = stack.to_string();
        let font = (bold_font(sizes.rem), cx.theme.text);
        let number =
            write(ui.painter(), inner.right_center(), Align2::RIGHT_CENTER, &text, font, sizes.px(70.0));
        let step = (inner.height() * 0.72 + 4.0).min((number.left() - inner.left() - sizes.px(36.0)) / 5.0);
        let cards = Rect::from_min_size(inner.min, vec2(step * 5.0, inner.height()));
        cards_ui(ui, cx, view, color, cards, step);
        let room = number.left() - cards.right() - sizes.px(12.0);
        let height = sizes.px(18.0);
        let width = art::chips_width(stack, height, room.max(0.0));
        let at = pos2(number.left() - sizes.px(6.0) - width, inner.center().y - height / 2.0);
        art::chips(ui.painter(), at, height, stack, width);
    }
    let response = ui.interact(rect, ui.scope_id().with(("player", color)), Sense::hover());
    name_with(&response, Role::Label, || {
        let stack = if chips { format!("   {stack}") } else { String::new() };
        let points = if points.is_empty() { String::new() } else { format!("   {points}") };
        format!("{} {}   {left}{stack}{points}", cx.words.color(color), view.names[color])
    });
}

/// Writes what was played at the moment, how long it took, the pot, and what a clock beside the board showed.
fn words_ui(ui: &Ui, cx: &Cx<'_>, moment: &Moment<'_>, area: Rect) {
    let sizes = cx.sizes;
    let view = moment.view;
    let moves = facts::moves(moment.game);
    let newest = moves.iter().rfind(|cell| cell.line <= moment.at);
    let line = moment.line();
    // A press or a report that follows a move belongs to it.
    let told = line.into_iter().chain(back_from(moment)).find(|line| super::may_be_read(line, cx));
    let cell = newest.filter(|cell| told.is_none_or(|told| told.line <= cell.line));
    let mut small = cx.words.with(
        "game-at",
        &[("number", view.number.into()), ("phase", cx.words.word("phase", view.phase.word()).into())],
    );
    if let Some(spent) = cell.and_then(|cell| cell.spent) {
        let thought = cx.words.with("thought", &[("time", spent.to_string().into())]);
        small = format!("{small} · {thought}");
    }
    let mut lines: Vec<(String, FontId, egui::Color32)> = Vec::new();
    let plain = |size: f32| FontId::proportional(size);
    let mut rest = area;
    let head = cut_top(&mut rest, sizes.small() * 1.5, sizes.px(4.0));
    let ink = (plain(sizes.small()), cx.theme.muted);
    write(ui.painter(), head.left_center(), Align2::LEFT_CENTER, &small, ink, head.width());
    label(ui, head, "moment", &small);
    if let Some(cell) = cell.filter(|_| rest.height() >= sizes.title() * 1.2) {
        let row = cut_top(&mut rest, sizes.title() * 1.35, sizes.px(4.0));
        let dots = if cell.by == Color::White { "." } else { " …" };
        let number = format!("{}{dots}", cell.number);
        let font = bold_font(sizes.title() * 1.1);
        let ink = (font.clone(), cx.theme.text);
        let end = write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &number, ink, row.width());
        let at = pos2(end.right() + sizes.px(10.0), row.center().y);
        figurine(ui, cx, at, &cell.san, (font, cx.theme.text), row.right() - at.x);
    } else if let Some(told) = told {
        let told: Vec<String> =
            told.told.iter().filter(|told| opens(told.to, cx)).map(|told| cx.say(&told.text)).collect();
        lines.push((told.join("; "), bold_font(sizes.lead()), cx.theme.text));
    }
    if view.has_chips() && view.outcome.is_none() {
        let pot = cx.words.with("pot-is", &[("count", view.stakes.pot().0.into())]);
        lines.push((pot, plain(sizes.rem), cx.theme.text));
    }
    let read = moment.game.iter().rfind(|line| line.line <= moment.at && line.device.is_some());
    if let Some((line, words)) = read.and_then(|line| Some((line, sheet::clock_words(cx, line)?))) {
        lines.push((format!("{}  {words}", Millis(line.at.millis())), plain(sizes.small()), cx.theme.muted));
    }
    lines_ui(ui, cx, lines, rest);
}

/// Writes these lines below one another, as far as they have room.
fn lines_ui(ui: &Ui, cx: &Cx<'_>, lines: Vec<(String, FontId, egui::Color32)>, mut rest: Rect) {
    let sizes = cx.sizes;
    for (nth, (text, font, ink)) in lines.into_iter().enumerate() {
        let mut galley = rows(ui.painter(), &text, (font, ink), rest.width(), 3);
        // A long sentence is written smaller; the sheet has it whole.
        if galley.size().y > rest.height() || galley.elided {
            let small = FontId::proportional(sizes.small());
            galley = rows(ui.painter(), &text, (small, ink), rest.width(), 4);
        }
        if galley.size().y > rest.height() {
            continue;
        }
        let place = cut_top(&mut rest, galley.size().y, sizes.px(4.0));
        ui.painter().galley(place.min, galley, ink);
        label(ui, place, &format!("moment-{nth}"), &text);
    }
}

/// The lines before the shown one, the newest first.
fn back_from<'a>(moment: &Moment<'a>) -> impl Iterator<Item = &'a tabiya_engine::record::NarratedLine> {
    let before = moment.lines.get(..moment.at.saturating_sub(1)).unwrap_or_default();
    before.iter().rev().map(|line| &**line)
}

/// Draws the buttons that lead to the beginning, one line back, one line on and to the end.
pub(super) fn steps_ui(ui: &mut Ui, cx: &mut Cx<'_>, moment: &Moment<'_>, row: Rect) {
    let steps = [
        (Jump::First, Icon::First, "to-beginning"),
        (Jump::Back, Icon::Left, "one-back"),
        (Jump::On, Icon::Right, "one-on"),
        (Jump::Last, Icon::Last, "to-end"),
    ];
    for ((step, icon, id), place) in steps.into_iter().zip(split(row, &[1.0; 4], cx.sizes.px(8.0))) {
        let leads = facts::step(moment.lines, moment.at, step, |line| super::may_be_read(line, cx)).is_some();
        let end = if matches!(step, Jump::First | Jump::Back) { "off-beginning" } else { "off-end" };
        let face =
            ButtonFace::new(Kind::Plain, "").icon(icon).said(cx.t(id)).off(cx.why_off(&[(leads, end)]));
        if button_at(ui, cx, place, id, &face).clicked() {
            go(cx, moment, step);
        }
    }
}

/// Draws the button that copies the position, with its words if there is room for them.
fn copy_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, row: Rect, words: bool) {
    let text = cx.t("copy-position");
    let face = ButtonFace::new(Kind::Plain, if words { &text } else { "" });
    let face =
        face.icon(Icon::Copy).said(text.clone()).off(cx.why_off(&[(view.fen.is_some(), "off-position")]));
    if button_at(ui, cx, row, "copy-position", &face).clicked()
        && let Some(fen) = &view.fen
    {
        ui.ctx().copy_text(fen.clone());
    }
}

/// Draws the buttons that lead back to the match that is played, or close the match that is looked at.
pub(super) fn back_ui(ui: &mut Ui, cx: &mut Cx<'_>, moment: &Moment<'_>, row: Rect) {
    let other = cx.snapshot.shows_other_match;
    let end = moment.at >= moment.lines.len();
    let mut buttons = Vec::new();
    if !(other && end) {
        buttons.push((Wish::LookBack(None), "back-to-now"));
    }
    if other {
        buttons.push((Wish::StopViewing, "put-away"));
    }
    let places = split(row, &vec![1.0; buttons.len()], cx.sizes.px(8.0));
    for ((wish, id), place) in buttons.into_iter().zip(places) {
        let text = cx.t(id);
        if button_at(ui, cx, place, id, &ButtonFace::new(Kind::Plain, &text)).clicked() {
            cx.wish(wish);
        }
    }
}
