//! The evening's results: each player's games and chips, who owes whom, the matches with their games; and the tray with
//! the matches of the last evenings.

use std::collections::BTreeMap;

use egui::{Grid, Rect, RichText, ScrollArea, Ui, UiBuilder, pos2};
use tabiya_app::desk::Wish;
use tabiya_app::owing::{ChipWorth, debts};
use tabiya_store::evening::{MatchView, PlayerScore};
use tabiya_types::Seat;

use super::{RecordState, SMALL};
use crate::choosing::open_record_ui;
use crate::cx::Cx;
use crate::widgets::{button, date, field, heading, hint, name, panel, signed};

/// The share of the page that the results take; the tray has the rest.
const RESULTS: f32 = 0.6;

/// Draws the page of the evening. If no match is on the screen and none of this evening was asked for, says so.
pub(super) fn evening_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut RecordState, shown: bool) {
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    if area.width() / cx.sizes.rem < SMALL {
        ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
            ScrollArea::vertical().id_salt("evening").auto_shrink(false).show(ui, |ui| {
                results_ui(ui, cx, state, shown);
                heading(ui, &cx.t("recent-records"));
                if open_record_ui(ui, cx, &mut state.opened) | tray_ui(ui, cx) {
                    state.evening = false;
                }
            });
        });
        return;
    }
    let cut = area.left() + area.width() * RESULTS;
    let gap = cx.sizes.px(8.0);
    let left = Rect::from_min_max(area.min, pos2(cut - gap, area.bottom()));
    let right = Rect::from_min_max(pos2(cut + gap, area.top()), area.max);
    ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
        let scroll = ScrollArea::vertical().id_salt("evening").auto_shrink(false);
        scroll.show(ui, |ui| results_ui(ui, cx, state, shown));
    });
    ui.scope_builder(UiBuilder::new().max_rect(right), |ui| {
        heading(ui, &cx.t("recent-records"));
        if open_record_ui(ui, cx, &mut state.opened) {
            state.evening = false;
        }
        ScrollArea::vertical().id_salt("tray").auto_shrink(false).show(ui, |ui| {
            if tray_ui(ui, cx) {
                state.evening = false;
            }
        });
    });
}

fn results_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut RecordState, shown: bool) {
    let evening = cx.snapshot.evening.clone();
    if !shown && !state.evening {
        ui.label(RichText::new(cx.t("no-match")).font(cx.plain(18.0)));
    }
    for trouble in &evening.trouble {
        ui.label(RichText::new(trouble).color(cx.theme.bad));
    }
    if evening.matches.is_empty() {
        hint(ui, &cx.t("no-matches-yet"));
        return;
    }
    heading(ui, &cx.t("players"));
    let scores = evening.scores();
    scores_ui(ui, cx, &scores);
    let payments = debts(&scores);
    if !payments.is_empty() {
        ui.horizontal(|ui| field(ui, &cx.t("chip-worth"), &mut state.chip, cx.sizes.px(80.0)));
    }
    let worth = ChipWorth::parse(state.chip.trim());
    if worth.is_none() && !state.chip.trim().is_empty() {
        hint(ui, &cx.t("chip-worth-form"));
    }
    for payment in payments {
        ui.label(cx.say(&payment.sentence(worth.map(|worth| worth.of(payment.chips)))));
    }
    heading(ui, &cx.t("matches"));
    for played in &evening.matches {
        panel(cx.theme).show(ui, |ui| {
            ui.set_width(ui.available_width());
            if match_line_ui(ui, cx, played) {
                cx.wish(Wish::LookAt { path: evening.path.clone(), id: played.id });
                state.evening = false;
            }
            games_ui(ui, cx, played);
        });
    }
    let path = cx.path(&evening.path);
    hint(ui, &cx.words.with("evening-file", &[("path", path.into())]));
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
        let response = ui.add(row);
        name(&response, egui::Role::Button, true, &format!("{}: {title}, {line}", cx.t("open-match")));
        if response.clicked() {
            cx.wish(Wish::LookAt { path: kept.path.clone(), id: kept.id });
            opened = true;
        }
    }
    opened
}
/// Draws the players' results, a line for each player.
fn scores_ui(ui: &mut Ui, cx: &Cx<'_>, scores: &BTreeMap<&str, PlayerScore>) {
    panel(cx.theme).show(ui, |ui| {
        Grid::new("scores").striped(true).spacing([28.0, 6.0]).show(ui, |ui| {
            for name in ["player", "won", "draws", "lost", "chips-won"] {
                ui.label(RichText::new(cx.t(name)).strong());
            }
            ui.end_row();
            for (player, score) in scores {
                ui.label(*player);
                ui.label(score.won.to_string());
                ui.label(score.drawn.to_string());
                ui.label(score.lost.to_string());
                ui.label(signed(score.chips));
                ui.end_row();
            }
        });
    });
}

/// Draws a match as one line with a button to look at it. Returns whether the button was clicked.
fn match_line_ui(ui: &mut Ui, cx: &Cx<'_>, played: &MatchView) -> bool {
    let facts = [
        ("a", played.players.a.clone().into()),
        ("b", played.players.b.clone().into()),
        ("game", cx.words.word("game", &played.game).into()),
        ("begun", date(cx.words, played.begun.as_deref()).into()),
    ];
    let line = cx.words.with("match-line", &facts);
    let row = ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(&line).font(cx.bold(15.0)));
        let response = button(ui, &cx.t("look-at-it"), true);
        name(&response, egui::Role::Button, true, &format!("{}: {line}", cx.t("look-at-it")));
        response.clicked()
    });
    row.inner
}

/// Draws the games of a match, a line for each game.
fn games_ui(ui: &mut Ui, cx: &Cx<'_>, played: &MatchView) {
    let of = |seat: Seat| played.players[seat].clone();
    Grid::new(("games", played.id)).striped(true).spacing([22.0, 4.0]).show(ui, |ui| {
        for (game, number) in played.games.iter().zip(1..) {
            ui.label(number.to_string());
            ui.label(cx.words.with("white-was", &[("name", of(game.white).into())]));
            ui.label(match game.outcome {
                None => cx.t("in-progress"),
                Some(outcome) => cx.decision(outcome, |color| of(Seat::playing(color, game.white))),
            });
            let reason = game.outcome.map(|outcome| cx.reason(outcome.reason));
            ui.label(reason.unwrap_or_default());
            let chips = played.brought.a + played.brought.b > 0;
            ui.label(if chips { format!("{} : {}", game.stacks.a, game.stacks.b) } else { String::new() });
            ui.end_row();
        }
    });
}
