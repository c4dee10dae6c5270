//! The page of the evening: standings and chips to the left, the matches to the right; and the tray with the matches of
//! the last evenings, which the button *Records* opens.

use egui::{
    Align2, CornerRadius, FontId, Rect, RichText, ScrollArea, Sense, StrokeKind, Ui, UiBuilder, pos2, vec2,
};
use tabiya_app::desk::Wish;
use tabiya_engine::table::points_in_words;
use tabiya_store::evening::{EveningView, MatchView};
use tabiya_types::{BySeat, Seat};

use super::standings::{chart_ui, standings_ui};
use super::{RecordState, SMALL};
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::panel::ground;
use crate::kit::{cut_bottom, write};
use crate::page::Page;
use crate::theme::{BUTTON_RADIUS, GRID, bold_font};
use crate::widgets::{capital, date, day, filled, hint, label, main_button, name};

/// The share of the page that standings and chips take.
const LEFT: f32 = 0.32;
/// The height of a match's row, and of its buttons, in points.
const ROW: f32 = 62.0;
const BUTTON: f32 = 40.0;
/// A row that is narrower than this, in rem, has its buttons below its words.
const TIGHT: f32 = 38.0;

/// Draws the page of the evening. If no match is on the screen and none of this evening was asked for, says so.
pub(super) fn evening_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut RecordState, shown: bool) {
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let evening = cx.snapshot.evening.clone();
    if evening.matches.is_empty() {
        ui.scope_builder(UiBuilder::new().max_rect(area), |ui| empty_ui(ui, cx, &evening, state, shown));
        return;
    }
    let gap = cx.sizes.px(5.0 * GRID);
    if area.width() / cx.sizes.rem < SMALL {
        ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
            ScrollArea::vertical().id_salt("evening").auto_shrink(false).show(ui, |ui| {
                standings_ui(ui, cx, &evening, state);
                matches_ui(ui, cx, &evening, state);
                chart_ui(ui, cx, &evening, 0.0);
            });
        });
        return;
    }
    let cut = area.left() + (area.width() * LEFT).max(cx.sizes.px(300.0));
    let left = area.with_max_x(cut);
    ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
        let room = left.height();
        ScrollArea::vertical().id_salt("evening").auto_shrink(false).show(ui, |ui| {
            let begun = ui.cursor().top();
            ui.spacing_mut().item_spacing.y = cx.sizes.px(3.0 * GRID);
            ui.scope(|ui| standings_ui(ui, cx, &evening, state));
            let rest = room - (ui.cursor().top() - begun);
            chart_ui(ui, cx, &evening, rest);
        });
    });
    let mut right = area.with_min_x(cut + gap);
    ground(ui.painter(), cx.theme, right);
    right = right.shrink(cx.sizes.px(4.0 * GRID));
    let foot = cut_bottom(&mut right, cx.sizes.px(BUTTON), cx.sizes.px(2.0 * GRID));
    ui.scope_builder(UiBuilder::new().max_rect(right), |ui| {
        ScrollArea::vertical().id_salt("matches").auto_shrink(false).show(ui, |ui| {
            rows_ui(ui, cx, &evening, state);
        });
    });
    foot_ui(ui, cx, &evening, foot);
}

/// The evening in a line: its day, its matches and its players. Nothing before the first match.
pub(super) fn line(cx: &Cx<'_>) -> String {
    let evening = &cx.snapshot.evening;
    let Some(first) = evening.matches.first() else { return String::new() };
    let facts = [("count", evening.matches.len().into()), ("players", evening.scores().len().into())];
    let facts = cx.words.with("evening-facts", &facts);
    format!("{} · {facts}", day(cx.words, first.begun.as_deref()))
}

/// An evening without a match: what can be done now.
fn empty_ui(ui: &mut Ui, cx: &mut Cx<'_>, evening: &EveningView, state: &mut RecordState, shown: bool) {
    trouble_ui(ui, cx, evening);
    crate::widgets::card_ui(ui, cx.theme, |ui| {
        ui.set_width(ui.available_width());
        let none = if !shown && !state.evening { "no-match" } else { "no-matches-yet" };
        ui.label(RichText::new(cx.t(none)).font(bold_font(cx.sizes.lead())));
        hint(ui, &cx.t("evening-empty"));
        ui.add_space(cx.sizes.px(2.0 * GRID));
        if main_button(ui, cx.theme, &cx.t("page-play"), true).clicked() {
            cx.page = Some(Page::Table);
        }
    });
}

fn trouble_ui(ui: &mut Ui, cx: &Cx<'_>, evening: &EveningView) {
    for trouble in &evening.trouble {
        ui.label(RichText::new(trouble).color(cx.theme.bad));
    }
}

/// Draws the card of the matches in a column that scrolls.
fn matches_ui(ui: &mut Ui, cx: &mut Cx<'_>, evening: &EveningView, state: &mut RecordState) {
    let theme = cx.theme;
    crate::widgets::card_ui(ui, theme, |ui| {
        ui.set_width(ui.available_width());
        rows_ui(ui, cx, evening, state);
        let (foot, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), cx.sizes.px(BUTTON)), Sense::hover());
        foot_ui(ui, cx, evening, foot);
    });
}

/// Draws the matches, the newest first.
fn rows_ui(ui: &mut Ui, cx: &mut Cx<'_>, evening: &EveningView, state: &mut RecordState) {
    ui.label(RichText::new(cx.t("matches")).heading());
    trouble_ui(ui, cx, evening);
    ui.spacing_mut().item_spacing.y = cx.sizes.px(2.0 * GRID);
    for played in evening.matches.iter().rev() {
        if match_ui(ui, cx, evening, played) {
            state.evening = false;
        }
    }
}

/// Says where the evening is kept, with the way there.
fn foot_ui(ui: &mut Ui, cx: &mut Cx<'_>, evening: &EveningView, mut row: Rect) {
    let text = cx.t("open-folder");
    let font = FontId::proportional(cx.sizes.rem);
    let wide = ui.painter().layout_no_wrap(text.clone(), font, cx.theme.text).size().x + cx.sizes.px(32.0);
    let place = row.with_min_x(row.right() - wide);
    row.max.x = place.left() - cx.sizes.px(2.0 * GRID);
    if button_at(ui, cx, place, "open-folder", &ButtonFace::new(Kind::Bare, &text)).clicked() {
        cx.wish(Wish::OpenFolder(evening.path.clone()));
    }
    let kept = cx.words.with("evening-file", &[("path", cx.path(&evening.path).into())]);
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &kept, font, row.width());
    label(ui, row, "evening-file", &kept);
}

/// What a match came to: who won, or the points of several games; and why.
fn result_of(cx: &Cx<'_>, played: &MatchView) -> [String; 2] {
    let of = |seat: Seat| played.players[seat].clone();
    let mut reasons: Vec<String> = Vec::new();
    for outcome in played.games.iter().filter_map(|game| game.outcome) {
        let reason = cx.reason(outcome.reason);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let reasons = reasons.join(" · ");
    let ended: Vec<_> = played.games.iter().filter(|game| game.outcome.is_some()).collect();
    let result = match ended.as_slice() {
        [] => return [capital(&cx.t("in-progress")), String::new()],
        [game] if played.games.len() == 1 => {
            game.outcome.map(|outcome| cx.decision(outcome, |color| of(Seat::playing(color, game.white))))
        }
        ended => {
            let half = |seat: Seat| ended.iter().map(|game| u32::from(game.half_points()[seat])).sum();
            let points = |seat: Seat| points_in_words(half(seat));
            let BySeat { a, b } = BySeat::new(points);
            Some(format!("{} {a} – {b} {}", of(Seat::A), of(Seat::B)))
        }
    };
    let reasons = if played.over { reasons } else { format!("{reasons} · {}", cx.t("in-progress")) };
    [result.unwrap_or_default(), reasons]
}

/// Draws a match as a row with its buttons. Returns whether it is to be looked at.
fn match_ui(ui: &mut Ui, cx: &mut Cx<'_>, evening: &EveningView, played: &MatchView) -> bool {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let tight = ui.available_width() / sizes.rem < TIGHT;
    let height = px(ROW) + if tight { px(BUTTON) } else { 0.0 };
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let line = egui::Stroke::new(1.0, cx.theme.line);
    let radius = CornerRadius::same(BUTTON_RADIUS);
    ui.painter().rect(row, radius, cx.theme.raised, line, StrokeKind::Inside);
    let mut inner = row.shrink2(vec2(px(4.0 * GRID), 0.0));
    let mut buttons = if tight { cut_bottom(&mut inner, px(BUTTON), 0.0) } else { inner };
    let mut looked = false;
    let unfinished = cx.snapshot.evening.clone();
    let left = unfinished.unfinished.iter().find(|left| left.path == evening.path && left.id == played.id);
    let line = words_of(cx, played);
    let names = [Some("look-at-it"), left.filter(|_| cx.snapshot.table.is_none()).map(|_| "carry-on")];
    for id in names.into_iter().flatten() {
        let text = cx.t(id);
        let font = FontId::proportional(sizes.rem);
        let wide = ui.painter().layout_no_wrap(text.clone(), font, cx.theme.text).size().x + px(24.0);
        let place = Rect::from_center_size(
            pos2(buttons.right() - wide / 2.0 + px(2.0 * GRID), buttons.center().y),
            vec2(wide, px(BUTTON - 4.0)),
        );
        buttons.max.x = place.left() - px(2.0 * GRID);
        let face = ButtonFace::new(Kind::Bare, &text).said(format!("{text}: {line}"));
        if button_at(ui, cx, place, (id, played.id), &face).clicked() {
            if let Some(left) = left.filter(|_| id == "carry-on") {
                crate::start::carry_on(cx, left, cx.settings.deck.as_deref());
            } else {
                cx.wish(Wish::LookAt { path: evening.path.clone(), id: played.id });
                looked = true;
            }
        }
    }
    if !tight {
        inner.max.x = buttons.max.x;
    }
    facts_ui(ui, cx, played, inner);
    looked
}

/// A match in one line: game, players, and when it began.
fn words_of(cx: &Cx<'_>, played: &MatchView) -> String {
    let facts = [
        ("a", played.players.a.clone().into()),
        ("b", played.players.b.clone().into()),
        ("game", cx.words.word("game", &played.game).into()),
        ("begun", date(cx.words, played.begun.as_deref()).into()),
    ];
    cx.words.with("match-line", &facts)
}

/// Writes when a match began, what was played by whom, how it went, and the chips at its end.
fn facts_ui(ui: &Ui, cx: &Cx<'_>, played: &MatchView, mut row: Rect) {
    let sizes = cx.sizes;
    let (bold, small) = (bold_font(sizes.rem), FontId::proportional(sizes.small()));
    let (ink, weak) = (cx.theme.text, cx.theme.muted);
    let painter = ui.painter();
    if played.brought.a + played.brought.b > 0 {
        let chips = format!("{} : {}", played.stacks.a, played.stacks.b);
        let font = (bold_font(sizes.lead()), ink);
        let at = write(painter, row.right_center(), Align2::RIGHT_CENTER, &chips, font, row.width());
        label(ui, at, &format!("chips {}", played.id), &chips);
        row.max.x = at.left() - sizes.px(3.0 * GRID);
    }
    let time = played.begun.as_deref().and_then(|begun| begun.get(11..16)).unwrap_or_default();
    let font = (FontId::proportional(sizes.rem), weak);
    write(painter, row.left_center(), Align2::LEFT_CENTER, time, font, row.width());
    row.min.x += sizes.px(62.0);
    let up = vec2(0.0, sizes.px(11.0));
    let two = |place: Rect, texts: [&str; 2]| {
        let [first, second] = texts;
        write(
            painter,
            place.left_center() - up,
            Align2::LEFT_CENTER,
            first,
            (bold.clone(), ink),
            place.width(),
        );
        let font = (small.clone(), weak);
        write(painter, place.left_center() + up, Align2::LEFT_CENTER, second, font, place.width());
    };
    let game = cx.words.word("game", &played.game);
    let players = format!("{} – {}", played.players.a, played.players.b);
    let first = row.with_max_x(row.left() + row.width() * 0.38 - sizes.px(2.0 * GRID));
    two(first, [&game, &players]);
    let [result, why] = result_of(cx, played);
    two(row.with_min_x(row.left() + row.width() * 0.38), [&result, &why]);
    let said = format!("{}. {result}, {why}", words_of(cx, played));
    label(ui, row, &format!("match {}", played.id), &said);
}

/// Draws the matches of the newest files, the newest first. Returns whether one of them was opened.
pub(super) fn tray_ui(ui: &mut Ui, cx: &mut Cx<'_>) -> bool {
    let evening = cx.snapshot.evening.clone();
    if evening.recent.is_empty() {
        hint(ui, &cx.t("no-records-yet"));
    }
    let mut opened = false;
    for kept in &evening.recent {
        let begun = date(cx.words, kept.begun.as_deref());
        let state = if kept.over { String::new() } else { format!(", {}", cx.t("in-progress")) };
        let title = format!("{} – {}", kept.players.a, kept.players.b);
        let games = cx.words.with("games-count", &[("count", kept.games.into())]);
        let line = format!("{}, {begun}, {games}{state}", cx.words.word("game", &kept.game));
        let words = RichText::new(format!("{title}\n{line}"));
        let width = ui.available_width();
        let row = egui::Button::new(words).min_size(egui::vec2(width, cx.sizes.px(52.0))).wrap();
        let response = filled(ui, true, row);
        name(&response, egui::Role::Button, true, &format!("{}: {title}, {line}", cx.t("open-match")));
        if response.clicked() {
            cx.wish(Wish::LookAt { path: kept.path.clone(), id: kept.id });
            opened = true;
        }
    }
    opened
}
