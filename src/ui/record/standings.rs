//! The evening's standings: each player's games and chips, who owes whom, and the chips over the evening as lines.

use egui::{Align2, Color32, CornerRadius, FontId, Rect, RichText, Sense, Shape, Stroke, Ui, pos2, vec2};
use tabiya_app::owing::{ChipWorth, debts};
use tabiya_store::evening::{EveningView, PlayerScore};
use tabiya_types::Seat;

use super::RecordState;
use crate::cx::Cx;
use crate::kit::panel::ground;
use crate::kit::write;
use crate::theme::{PLATE_RADIUS, Theme, bold_font};
use crate::widgets::{card_ui, field_below, hint, label, signed};

/// The heights of a row of the table, of its head, and the least one of the chart, in points.
const ROW: f32 = 44.0;
const HEAD: f32 = 24.0;
const CHART: f32 = 170.0;

/// Whether anybody brought chips to a match of this evening.
fn has_chips(evening: &EveningView) -> bool {
    evening.matches.iter().any(|played| played.brought.a + played.brought.b > 0)
}

/// The ink of the player with this place in the list of names: of his disc in the table, and of his line.
fn ink_of(theme: &Theme, nth: usize) -> Color32 {
    [theme.ivory, theme.muted, theme.felt_line, theme.edge][nth % 4]
}

/// Draws the card with the players' results and debts.
pub(super) fn standings_ui(ui: &mut Ui, cx: &Cx<'_>, evening: &EveningView, state: &mut RecordState) {
    card_ui(ui, cx.theme, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(cx.t("standings")).heading());
        let scores = evening.scores();
        let mut ids = vec!["won", "draws", "lost"];
        ids.extend(has_chips(evening).then_some("chips-won"));
        let small = FontId::proportional(cx.sizes.small());
        let wide = |id: &str| {
            let words = ui.painter().layout_no_wrap(cx.t(id), small.clone(), cx.theme.muted);
            words.size().x.max(cx.sizes.px(34.0)) + cx.sizes.px(14.0)
        };
        let widths: Vec<f32> = ids.iter().map(|id| wide(id)).collect();
        let heads: Vec<String> = ids.iter().map(|id| cx.t(id)).collect();
        let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), cx.sizes.px(HEAD)), Sense::hover());
        for (right, text) in ends(head.right(), &widths).into_iter().zip(&heads) {
            let at = pos2(right, head.center().y);
            write(
                ui.painter(),
                at,
                Align2::RIGHT_CENTER,
                text,
                (small.clone(), cx.theme.muted),
                head.width(),
            );
        }
        for (nth, (player, score)) in scores.iter().enumerate() {
            player_ui(ui, cx, (nth, player), score, (&heads, &widths));
        }
        debts_ui(ui, cx, evening, state);
    });
}

/// The right ends of columns of these widths, the last one at `right`.
fn ends(right: f32, widths: &[f32]) -> Vec<f32> {
    let after = |nth: usize| widths.iter().skip(nth + 1).sum::<f32>();
    (0..widths.len()).map(|nth| right - after(nth)).collect()
}

/// Draws a player's row: the figures end below each other.
fn player_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (nth, player): (usize, &str),
    score: &PlayerScore,
    (heads, widths): (&[String], &[f32]),
) {
    let theme = cx.theme;
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), cx.sizes.px(ROW)), Sense::hover());
    let painter = ui.painter();
    painter.hline(row.x_range(), row.bottom(), Stroke::new(1.0, theme.line));
    let radius = cx.sizes.px(10.0);
    painter.circle_filled(pos2(row.left() + radius, row.center().y), radius, ink_of(theme, nth));
    let at = pos2(row.left() + 2.0 * radius + cx.sizes.px(10.0), row.center().y);
    let room = row.right() - widths.iter().sum::<f32>() - at.x;
    write(painter, at, Align2::LEFT_CENTER, player, (bold_font(cx.sizes.lead()), theme.text), room);
    let chips = match score.chips {
        0 => theme.text,
        1.. => theme.good,
        _ => theme.bad,
    };
    let plain = FontId::proportional(cx.sizes.lead());
    let figures = [
        (score.won.to_string(), plain.clone(), theme.text),
        (score.drawn.to_string(), plain.clone(), theme.text),
        (score.lost.to_string(), plain, theme.text),
        (signed(score.chips), bold_font(cx.sizes.lead()), chips),
    ];
    let mut said = vec![player.to_owned()];
    for (((figure, font, ink), right), head) in figures.into_iter().zip(ends(row.right(), widths)).zip(heads)
    {
        said.push(format!("{head} {figure}"));
        let at = pos2(right, row.center().y);
        write(painter, at, Align2::RIGHT_CENTER, &figure, (font, ink), row.width());
    }
    label(ui, row, &format!("standing {player}"), &said.join(", "));
}

/// Draws who owes whom, and the field for what a chip is worth. Nothing, if nobody owes anything.
fn debts_ui(ui: &mut Ui, cx: &Cx<'_>, evening: &EveningView, state: &mut RecordState) {
    let payments = debts(&evening.scores());
    if payments.is_empty() {
        return;
    }
    ui.add_space(cx.sizes.px(12.0));
    let frame = egui::Frame::new()
        .fill(cx.theme.well)
        .corner_radius(CornerRadius::same(PLATE_RADIUS))
        .inner_margin(cx.sizes.px(14.0));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let worth = ChipWorth::parse(state.chip.trim());
        for payment in payments {
            let amount = worth.map(|worth| worth.of(payment.chips));
            ui.label(RichText::new(cx.say(&payment.sentence(amount))).font(bold_font(cx.sizes.lead())));
        }
        field_below(ui, &cx.t("chip-worth"), &mut state.chip, cx.sizes.px(110.0));
        if worth.is_none() && !state.chip.trim().is_empty() {
            hint(ui, &cx.t("chip-worth-form"));
        }
    });
}

/// A player's chips over the evening: won or lost since its beginning, after each game of anybody.
fn course(evening: &EveningView, player: &str) -> Vec<i64> {
    let (mut now, mut all) = (0, vec![0]);
    for played in &evening.matches {
        let bought = |seat: Seat| played.games.iter().map(|game| game.bought[seat]).sum::<i64>();
        let seat =
            Seat::ALL.into_iter().find(|seat| played.players[*seat].to_lowercase() == player.to_lowercase());
        let mut before = seat.map(|seat| played.brought[seat] - bought(seat)).unwrap_or_default();
        for game in &played.games {
            if let Some(seat) = seat {
                let after = i64::from(game.stacks[seat].0);
                now += after - before - game.bought[seat];
                before = after;
            }
            all.push(now);
        }
    }
    all
}

/// Draws the card with a line for each player's chips, in a room of this height. Nothing without chips.
pub(super) fn chart_ui(ui: &mut Ui, cx: &Cx<'_>, evening: &EveningView, room: f32) {
    if !has_chips(evening) {
        return;
    }
    let sizes = cx.sizes;
    let height = room.max(sizes.px(CHART));
    let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    ground(ui.painter(), cx.theme, area);
    let inner = area.shrink(sizes.px(16.0));
    let title = cx.t("chips-over-evening");
    let font = (bold_font(sizes.name()), cx.theme.text);
    let head = write(ui.painter(), inner.min, Align2::LEFT_TOP, &title, font, inner.width());
    let scores = evening.scores();
    let lines: Vec<(&str, Vec<i64>)> =
        scores.keys().map(|player| (*player, course(evening, player))).collect();
    let plot = Rect::from_min_max(pos2(inner.left(), head.bottom() + sizes.px(16.0)), inner.max);
    let ends = lines_ui(ui, cx, plot.shrink2(vec2(0.0, sizes.small())), &lines);
    label(ui, area, "chips-over-evening", &format!("{title}: {}", ends.join(", ")));
}

/// Draws the lines, each with its player's name at its end. Returns the names with what they won.
#[expect(clippy::cast_precision_loss, reason = "places on the screen")]
fn lines_ui(ui: &Ui, cx: &Cx<'_>, plot: Rect, lines: &[(&str, Vec<i64>)]) -> Vec<String> {
    let (theme, small) = (cx.theme, cx.sizes.small());
    let widest = lines.iter().flat_map(|(_, line)| line).map(|chips| chips.abs()).max().unwrap_or(0).max(1);
    let ends: Vec<String> = lines
        .iter()
        .map(|(player, line)| format!("{player} {}", signed(line.last().copied().unwrap_or_default())))
        .collect();
    let painter = ui.painter();
    let wide = |text: &String| painter.layout_no_wrap(text.clone(), bold_font(small), theme.text).size().x;
    let names = ends.iter().map(wide).fold(0.0, f32::max).min(plot.width() * 0.4);
    let right = plot.right() - names - cx.sizes.px(8.0);
    painter.hline(plot.left()..=right, plot.center().y, Stroke::new(1.0, theme.line));
    let level = |chips: i64| plot.center().y - plot.height() / 2.0 * chips as f32 / widest as f32;
    // Names stand below each other in the order of their lines, a row apart at least.
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|nth| std::cmp::Reverse(lines.get(*nth).and_then(|(_, line)| line.last().copied())));
    let mut free = f32::MIN;
    for nth in order {
        let (Some((_, line)), Some(end)) = (lines.get(nth), ends.get(nth)) else { continue };
        let step = (right - plot.left()) / line.len().saturating_sub(1).max(1) as f32;
        let points: Vec<_> = (line.iter().enumerate())
            .map(|(at, chips)| pos2(plot.left() + step * at as f32, level(*chips)))
            .collect();
        let last = points.last().map_or(plot.center().y, |point| point.y);
        painter.add(Shape::line(points, Stroke::new(2.5, ink_of(theme, nth))));
        let y = last.max(free);
        free = y + small * 1.4;
        let ink = if nth == 0 { theme.text } else { theme.muted };
        let at = pos2(right + cx.sizes.px(8.0), y);
        write(painter, at, Align2::LEFT_CENTER, end, (bold_font(small), ink), names + 1.0);
    }
    ends
}

#[cfg(test)]
mod tests {
    use tabiya_engine::rules::Chips;
    use tabiya_engine::table::GameResult;
    use tabiya_store::evening::MatchView;
    use tabiya_types::BySeat;

    use super::*;

    #[test]
    fn chips_that_were_bought_are_not_won() {
        let game = |a: u32, b: u32, bought: i64| GameResult {
            white: Seat::A,
            outcome: None,
            stacks: BySeat { a: Chips(a), b: Chips(b) },
            points: None,
            bought: BySeat { a: bought, b: 0 },
            moves: 0,
        };
        let played = MatchView {
            id: 1,
            game: "choker".to_owned(),
            players: BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() },
            begun: None,
            games: vec![game(90, 110, 0), game(145, 105, 50)],
            brought: BySeat { a: 150, b: 100 },
            stacks: BySeat { a: 145, b: 105 },
            over: true,
            open: None,
        };
        let evening = EveningView { matches: vec![played], ..EveningView::default() };
        assert_eq!(course(&evening, "ann"), [0, -10, -5]);
        assert_eq!(course(&evening, "Bo"), [0, 10, 5]);
    }
}
