//! The games of a match as a row, each with its result, and each player's chips after every game as two lines.

use egui::{Align2, Color32, FontId, Rect, Role, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};
use tabiya_app::snapshot::RecordView;
use tabiya_engine::rules::Actor;
use tabiya_engine::table::GameResult;
use tabiya_types::{BySeat, Color, Seat};

use super::facts::{self, of_game};
use super::{Moment, look};
use crate::art;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::spark::spark_line;
use crate::kit::write;
use crate::theme::bold_font;
use crate::widgets::name;

/// A row that is narrower than this, in rem, has no room for the lines of the chips.
const WITH_LINES: f32 = 72.0;
/// The width of the part with the lines.
const LINES: f32 = 380.0;

/// Draws the row.
pub(super) fn games_ui(ui: &mut Ui, cx: &mut Cx<'_>, moment: &Moment<'_>, mut row: Rect) {
    let Some(record) = cx.snapshot.record.clone() else { return };
    let sizes = cx.sizes;
    let chips = record.brought.a + record.brought.b > 0;
    if chips && row.width() / sizes.rem >= WITH_LINES {
        let lines = Rect::from_min_max(pos2(row.right() - sizes.px(LINES), row.top()), row.max);
        chips_ui(ui, cx, &record, lines);
        row.max.x = lines.left() - sizes.px(16.0);
    }
    ui.scope_builder(UiBuilder::new().max_rect(row), |ui| {
        let scroll = ScrollArea::horizontal().id_salt("games").auto_shrink(false);
        scroll.scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysHidden).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = sizes.px(8.0);
                for (nth, game) in record.results.games.iter().enumerate() {
                    game_ui(ui, cx, moment, &record, (nth, game), row.height());
                }
            });
        });
    });
}

/// What a game's button says: its number, who won how much, and why.
struct GameWords {
    number: String,
    result: String,
    why: String,
}

impl GameWords {
    fn of(cx: &Cx<'_>, record: &RecordView, nth: usize, game: &GameResult) -> Self {
        let number = cx.words.with("game-number", &[("number", (nth + 1).into())]);
        let Some(outcome) = game.outcome else {
            let now = cx.snapshot.table.as_deref().filter(|_| !cx.snapshot.shows_other_match);
            let why = match now.map(|view| (view.to_act, view)) {
                Some((Actor::Player(color), view)) => {
                    cx.words.with("is-to-move", &[("name", view.names[color].clone().into())])
                }
                _ => cx.t("in-progress"),
            };
            return Self { number, result: cx.t("playing"), why };
        };
        let before = match nth.checked_sub(1).and_then(|before| record.results.games.get(before)) {
            Some(before) => before.stacks.a.0,
            None => record.brought.a,
        };
        let gain = i64::from(game.stacks.a.0) - i64::from(before) - game.bought.a;
        let result = match game.winner() {
            Some(winner) if gain != 0 => format!("+{} {}", gain.abs(), record.players[winner]),
            Some(_) | None => {
                cx.decision(outcome, |color| record.players[Seat::playing(color, game.white)].clone())
            }
        };
        let result = match game.points {
            Some(points) => format!("{result} {}", facts::score(game.white, points)),
            None => result,
        };
        let reason = cx.reason(outcome.reason);
        let moves = game.moves.div_ceil(2);
        let why = if moves > 0 {
            cx.words.with("reason-at-move", &[("reason", reason.into()), ("move", moves.into())])
        } else {
            reason
        };
        Self { number, result, why }
    }
}

fn game_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    moment: &Moment<'_>,
    record: &RecordView,
    (nth, game): (usize, &GameResult),
    height: f32,
) {
    let words = GameWords::of(cx, record, nth, game);
    let sizes = cx.sizes;
    let (plain, bold) = (FontId::proportional(sizes.rem), bold_font(sizes.rem));
    let small = FontId::proportional(sizes.small());
    let wide = |text: &str, font: &FontId| {
        ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x
    };
    let first = wide(&words.number, &plain) + sizes.px(8.0) + wide(&words.result, &bold);
    let width = first.max(wide(&words.why, &small)) + sizes.px(30.0);
    let (place, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    let chosen = moment.view.number == nth + 1;
    let said = format!("{}: {}, {}", words.number, words.result, words.why);
    let face = ButtonFace::new(Kind::Choice(chosen), "").said(said);
    let response = button_at(ui, cx, place, ("game", nth), &face);
    if chosen {
        response.scroll_to_me(None);
    }
    if response.clicked()
        && let Some(last) = of_game(moment.lines, nth + 1).last()
    {
        look(cx, last.line);
    }
    let at = place.min + vec2(sizes.px(13.0), sizes.px(17.0));
    let end =
        write(ui.painter(), at, Align2::LEFT_CENTER, &words.number, (plain, cx.theme.text), width).right();
    let ink = if game.outcome.is_none() { cx.theme.gold_ink } else { cx.theme.text };
    write(
        ui.painter(),
        pos2(end + sizes.px(8.0), at.y),
        Align2::LEFT_CENTER,
        &words.result,
        (bold, ink),
        width,
    );
    let at = pos2(at.x, place.bottom() - sizes.px(14.0));
    write(ui.painter(), at, Align2::LEFT_CENTER, &words.why, (small, cx.theme.muted), width);
}

/// Draws each player's chips as a number and as a line over the games.
fn chips_ui(ui: &Ui, cx: &Cx<'_>, record: &RecordView, area: Rect) {
    let sizes = cx.sizes;
    let ended = record.results.games.iter().filter(|game| game.outcome.is_some());
    let ended = ended.map(|game| BySeat { a: game.stacks.a.0, b: game.stacks.b.0 });
    let stacks = facts::stacks(record.brought, ended);
    let now = record.results.stacks;
    let font = FontId::proportional(sizes.small());
    let wide =
        |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x;
    let names = Seat::ALL.map(|seat| wide(&record.players[seat])).into_iter().fold(0.0, f32::max);
    let names = names.min(area.width() * 0.4);
    let white = record.results.games.last().map_or(Seat::A, |game| game.white);
    for (seat, y) in [(Seat::A, 0.26), (Seat::B, 0.74)] {
        let y = area.top() + area.height() * y;
        let color = if seat == white { Color::White } else { Color::Black };
        let radius = sizes.px(9.0);
        art::color_disc(ui.painter(), pos2(area.left() + radius, y), radius, color, cx.theme);
        let at = pos2(area.left() + radius * 2.0 + sizes.px(8.0), y);
        let words = (font.clone(), cx.theme.muted);
        write(ui.painter(), at, Align2::LEFT_CENTER, &record.players[seat], words, names);
        let at = pos2(at.x + names + sizes.px(10.0), y);
        let text = now[seat].0.to_string();
        write(
            ui.painter(),
            at,
            Align2::LEFT_CENTER,
            &text,
            (bold_font(sizes.rem), cx.theme.text),
            sizes.px(60.0),
        );
    }
    let left = area.left() + sizes.px(18.0 + 8.0 + 10.0 + 58.0) + names;
    let plot = Rect::from_min_max(
        pos2(left, area.top() + sizes.px(6.0)),
        area.max - vec2(sizes.px(8.0), sizes.px(6.0)),
    );
    for (seat, dashed) in [(Seat::B, true), (Seat::A, false)] {
        let shares: Vec<f32> = stacks.iter().map(|stacks| facts::share(*stacks, seat)).collect();
        spark_line(ui.painter(), cx, plot, &shares, dashed);
    }
    let response = ui.interact(area, ui.scope_id().with("chips-over-games"), Sense::hover());
    let told: Vec<String> = Seat::ALL
        .map(|seat| {
            let chips: Vec<String> = stacks.iter().map(|stacks| stacks[seat].to_string()).collect();
            format!("{} {}", record.players[seat], chips.join(", "))
        })
        .into();
    name(&response, Role::Label, true, &format!("{}: {}", cx.t("stacks-over-games"), told.join("; ")));
}
