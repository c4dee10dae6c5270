//! A finished game: who won and why, who gets the pot, how the match stands, and what comes next.

use egui::{Align2, CornerRadius, FontId, Painter, Rect, Stroke, StrokeKind, Ui, pos2, vec2};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Action, DealtCards, Goal, Group, Score, Verb};
use tabiya_engine::table::{Common, points_in_words};
use tabiya_types::Color;

use super::said::Said;
use super::sizes::{GAP, LOW, TALL};
use crate::cx::Cx;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{cut_top, split, write};
use crate::page::Page;
use crate::theme::{BLACK_SIDE, PAPER, bold_font};
use crate::widgets::{label, signed};

/// What is said at the head: who won, why, and who gets the pot.
pub(super) fn said(cx: &Cx<'_>, view: &TableView) -> Said {
    let Some(outcome) = view.outcome else { return Said::result(String::new(), String::new()) };
    let mut parts = vec![cx.reason(outcome.reason)];
    if view.has_chips() && view.stakes.taker().is_none() {
        parts.push(cx.t("bets-back"));
    } else if view.has_chips() {
        for color in Color::ALL {
            let got = view.stakes.awarded[color].0;
            if got > 0 {
                let facts = [("name", view.names[color].clone().into()), ("count", got.into())];
                parts.push(cx.words.with("takes", &facts));
            }
        }
    }
    if let Some(Score { points, wins: Some(Goal::Total(_)) }) = view.score {
        let facts = [("white", points.white.into()), ("black", points.black.into())];
        parts.push(cx.words.with("points-ended", &facts));
    }
    if view.match_over {
        parts.push(cx.t("match-over"));
    }
    Said::result(cx.winner(view, outcome), parts.join("  ·  "))
}

/// How many chips a player has won (or lost) in this game.
pub(super) fn net(view: &TableView, color: Color) -> i64 {
    i64::from(view.stakes.awarded[color].0) - i64::from(view.stakes.contributed[color].0)
}

/// The same with its sign. Who neither won nor lost has not lost everything.
pub(super) fn signed_net(view: &TableView, color: Color) -> String {
    match net(view, color) {
        0 => "±0".to_owned(),
        chips => signed(chips),
    }
}

/// Draws how the match stands, and the buttons for what comes next.
pub(super) fn result_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, body: &mut Rect) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let gap = px(GAP);
    if view.has_chips() && body.height() > px(TALL + GAP + 52.0) {
        let bar = cut_top(body, px(16.0), px(4.0));
        let line = cut_top(body, px(24.0), gap);
        balance_ui(ui, cx, view, bar, line);
    }
    let mut buttons: Vec<(String, String, Command, Wish)> = Vec::new();
    if view.can_start_next() {
        let white = view.names.black.clone();
        let under = cx.words.with("has-white", &[("name", white.into())]);
        let next = Wish::Do(vec![Common::Next(Group::new()).into()]);
        buttons.push((cx.t("next-game"), under, Command::Next, next));
    }
    if view.match_over {
        buttons.push((cx.t("another-match"), String::new(), Command::Help, Wish::Leave));
    }
    if view.may(Verb::Deal) {
        let deal = Wish::Do(vec![Action::Deal(DealtCards::default()).into()]);
        buttons.push((cx.t("deal-again"), String::new(), Command::Deal, deal));
    }
    let consents: Vec<Color> = view
        .consents
        .map_or(Vec::new(), |consents| Color::ALL.into_iter().filter(|color| !consents[*color]).collect());
    // Beside what comes next stand the ways to read the game again and to change its result.
    let beside = body.width() >= px(400.0) && !buttons.is_empty();
    for (nth, (text, under, command, wish)) in buttons.into_iter().enumerate() {
        let row = cut_top(body, px(TALL).min(body.height()), gap);
        let kind = if nth == 0 { Kind::Gold } else { Kind::Plain };
        let key = if command == Command::Help { String::new() } else { cx.key(command) };
        let mut face = ButtonFace::new(kind, &text).under(&under).key(key);
        face.said = Some(text.clone());
        let shares: &[f32] = if beside && nth == 0 { &[2.0, 1.0, 1.0] } else { &[1.0] };
        let places = split(row, shares, gap);
        let [place, others @ ..] = places.as_slice() else { continue };
        let pressed = command == Command::Deal && cx.takes(command);
        if button_at(ui, cx, *place, ("after", command.word()), &face).clicked() || pressed {
            cx.wish(wish);
        }
        after_ui(ui, cx, others);
    }
    if view.consents.is_some() {
        consents_ui(ui, cx, view, &consents, body);
    }
    if !beside && body.height() >= px(28.0) {
        let row = cut_top(body, px(LOW).min(body.height()), gap);
        after_ui(ui, cx, &split(row, &[1.0, 1.0], gap));
    }
    if body.height() >= px(LOW) {
        let row = cut_top(body, px(LOW), gap);
        signs_ui(ui, cx, view, row);
    }
}

/// Draws a button for each player who has not confirmed the result yet (Laws of Chess, 8.7). The key confirms for the first.
fn signs_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, row: Rect) {
    let open: Vec<Color> = Color::ALL.into_iter().filter(|color| view.may_sign[*color]).collect();
    let shares: Vec<f32> = open.iter().map(|_| 1.0).collect();
    for (nth, (place, color)) in split(row, &shares, cx.sizes.px(GAP)).into_iter().zip(open).enumerate() {
        let text = cx.words.with("confirms-result", &[("name", view.names[color].clone().into())]);
        let key = if nth == 0 { cx.key(Command::Sign) } else { String::new() };
        let face = ButtonFace::new(Kind::Plain, &text).key(key);
        let pressed = nth == 0 && cx.takes(Command::Sign);
        if button_at(ui, cx, place, ("sign", color.word()), &face).clicked() || pressed {
            cx.enter(Common::Signs(color));
        }
    }
}

/// Draws the ways to read the game again and to change its result, where there is room for them.
fn after_ui(ui: &mut Ui, cx: &mut Cx<'_>, places: &[Rect]) {
    let [record, change] = places else { return };
    let (text, other) = (cx.t("page-record"), cx.t("change-result"));
    if button_at(ui, cx, *record, "to-record", &ButtonFace::new(Kind::Plain, &text).icon(Icon::Sheet))
        .clicked()
    {
        cx.page = Some(Page::Record);
    }
    let face = ButtonFace::new(Kind::Plain, &other).icon(Icon::Scales);
    cx.open_drawer |= button_at(ui, cx, *change, "to-change", &face).clicked();
}

/// Draws both stacks as one bar, and below it the names, the chips won and the score of the match.
fn balance_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, bar: Rect, line: Rect) {
    let theme = cx.theme;
    let painter = ui.painter();
    let left = cx.below();
    let of = |color: Color| view.stakes.stacks[color].0;
    stacks_ui(painter, cx, (of(left), of(left.other())), left, bar);
    let side = |color: Color| (format!("{} {}", view.names[color], of(color)), signed_net(view, color));
    let ink = |color: Color| if net(view, color) < 0 { theme.bad } else { theme.good };
    let font = bold_font(cx.sizes.rem);
    let third = line.width() / 2.4;
    let (who, won) = side(left);
    let end =
        write(painter, line.left_center(), Align2::LEFT_CENTER, &who, (font.clone(), theme.text), third)
            .right();
    write(
        painter,
        pos2(end + 6.0, line.center().y),
        Align2::LEFT_CENTER,
        &won,
        (FontId::proportional(cx.sizes.rem), ink(left)),
        third,
    );
    let (who, won) = side(left.other());
    let end = write(
        painter,
        line.right_center(),
        Align2::RIGHT_CENTER,
        &won,
        (FontId::proportional(cx.sizes.rem), ink(left.other())),
        third,
    )
    .left();
    write(painter, pos2(end - 6.0, line.center().y), Align2::RIGHT_CENTER, &who, (font, theme.text), third);
    let score = |color: Color| points_in_words(view.half_points[view.seats[color]]);
    let facts = [("left", score(left).into()), ("right", score(left.other()).into())];
    let text = cx.words.with("score-in-games", &facts);
    write(
        painter,
        line.center(),
        Align2::CENTER_CENTER,
        &text,
        (FontId::proportional(cx.sizes.small()), theme.muted),
        third,
    );
    let told = format!(
        "{}: {}, {}",
        cx.t("chips-won"),
        {
            let (who, won) = side(left);
            format!("{who} ({won})")
        },
        {
            let (who, won) = side(left.other());
            format!("{who} ({won})")
        }
    );
    label(ui, bar, "balance", &told);
    label(ui, line, "score", &text);
}

/// Draws both stacks as one bar, the one of `left` at the left.
fn stacks_ui(painter: &Painter, cx: &Cx<'_>, (mine, others): (u32, u32), left: Color, bar: Rect) {
    let theme = cx.theme;
    let all = mine + others;
    #[expect(clippy::cast_precision_loss, reason = "a share of the width")]
    let share = if all == 0 { 0.5 } else { mine as f32 / all as f32 };
    let round = CornerRadius::same(8);
    let fill = |color: Color| {
        if color == Color::White { PAPER } else { BLACK_SIDE }
    };
    painter.rect(bar, round, fill(left.other()), Stroke::new(1.0, theme.edge), StrokeKind::Inside);
    let mine = Rect::from_min_size(bar.min, vec2(bar.width() * share, bar.height()));
    painter.rect(mine, round, fill(left), Stroke::new(1.0, theme.edge), StrokeKind::Inside);
}

/// After a match with sealed cards: draws the buttons with which each player agrees that all cards may be shown.
fn consents_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, open: &[Color], body: &mut Rect) {
    let row = cut_top(body, cx.sizes.px(LOW).min(body.height()), cx.sizes.px(GAP));
    if open.is_empty() {
        let text = cx.t("cards-may-be-shown");
        let galley = crate::kit::rows(
            ui.painter(),
            &text,
            (FontId::proportional(cx.sizes.small()), cx.theme.muted),
            row.width(),
            2,
        );
        ui.painter().galley(row.min, galley, cx.theme.muted);
        label(ui, row, "shown", &text);
        return;
    }
    let shares: Vec<f32> = open.iter().map(|_| 1.0).collect();
    for (place, color) in split(row, &shares, cx.sizes.px(GAP)).into_iter().zip(open) {
        let text = cx.words.with("agree-to-show", &[("name", view.names[*color].clone().into())]);
        if button_at(ui, cx, place, ("consent", color.word()), &ButtonFace::new(Kind::Plain, &text)).clicked()
        {
            cx.enter(Common::Consent(*color));
        }
    }
}
