//! The strip below the board: the pot after each street of the game, and the time of each move, White's upwards and
//! Black's downwards. A click on a move's time shows the table at that moment.

use egui::{Align2, Color32, CornerRadius, FontId, Rect, Role, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use tabiya_types::{Color, Millis};

use super::facts::{self, TurnTime};
use super::{Moment, look};
use crate::art;
use crate::cx::Cx;
use crate::kit::{panel, write};
use crate::theme::{BUTTON_RADIUS, bold_font};
use crate::widgets::{label, name};

/// The room for one street's pot.
const POT: f32 = 60.0;
/// The widest column of a move.
const COLUMN: f32 = 28.0;

/// Draws the strip.
pub(super) fn strip_ui(ui: &mut Ui, cx: &mut Cx<'_>, moment: &Moment<'_>, area: Rect) {
    let sizes = cx.sizes;
    panel::ground(ui.painter(), cx.theme, area);
    let mut inner = area.shrink(sizes.px(6.0));
    let pots = facts::pots(moment.game);
    if !pots.is_empty() {
        #[expect(clippy::cast_precision_loss, reason = "a few streets")]
        let width = sizes.px(POT) * pots.len() as f32 + sizes.px(8.0);
        let felt = Rect::from_min_size(inner.min, vec2(width, inner.height()));
        pots_ui(ui, cx, &pots, felt);
        inner.min.x = felt.right() + sizes.px(14.0);
    }
    let moves = facts::moves(moment.game);
    times_ui(ui, cx, moment, &facts::times(moment.game, &moves), inner);
}

/// Draws the pot after each street.
fn pots_ui(ui: &Ui, cx: &Cx<'_>, pots: &[u32], felt: Rect) {
    let sizes = cx.sizes;
    let round = CornerRadius::same(BUTTON_RADIUS);
    let edge = Stroke::new(1.0, cx.theme.felt_line);
    ui.painter().rect(felt, round, cx.theme.felt, edge, StrokeKind::Inside);
    for (pot, nth) in pots.iter().zip(1_u32..) {
        #[expect(clippy::cast_precision_loss, reason = "a few streets")]
        let x = felt.left() + sizes.px(4.0) + sizes.px(POT) * (nth as f32 - 0.5);
        let place = Rect::from_center_size(pos2(x, felt.center().y), vec2(sizes.px(POT), felt.height()));
        let at = |share: f32| pos2(x, felt.top() + felt.height() * share);
        let (figure, small) = (bold_font(sizes.lead()), FontId::proportional(sizes.small()));
        let ink = cx.theme.on_felt;
        write(ui.painter(), at(0.24), Align2::CENTER_CENTER, &pot.to_string(), (figure, ink), place.width());
        let height = sizes.px(17.0);
        let width = art::chips_width(*pot, height, place.width() - sizes.px(8.0));
        art::chips(ui.painter(), at(0.53) - vec2(width / 2.0, height / 2.0), height, *pot, width);
        let street = cx.words.with("street", &[("number", nth.into())]);
        write(ui.painter(), at(0.83), Align2::CENTER_CENTER, &street, (small, ink), place.width());
        let facts = [("street", street.into()), ("count", (*pot).into())];
        label(ui, place, &format!("pot-{nth}"), &cx.words.with("pot-after", &facts));
    }
}

/// Draws the times.
fn times_ui(ui: &mut Ui, cx: &mut Cx<'_>, moment: &Moment<'_>, times: &[TurnTime], area: Rect) {
    let sizes = cx.sizes;
    let small = FontId::proportional(sizes.small());
    let title = cx.t("time-over-moves");
    let at = area.right_top() + vec2(-sizes.px(4.0), sizes.px(9.0));
    let ink = (small.clone(), cx.theme.muted);
    write(ui.painter(), at, Align2::RIGHT_CENTER, &title, ink.clone(), area.width() * 0.5);
    label(ui, area, "times", &title);
    let Some(longest) = times.iter().map(|time| time.spent.0).max() else { return };
    let foot = sizes.px(18.0);
    let bars =
        Rect::from_min_max(area.min + vec2(0.0, sizes.px(4.0)), pos2(area.right(), area.bottom() - foot));
    let wide =
        |text: &str| ui.painter().layout_no_wrap(text.to_owned(), small.clone(), Color32::WHITE).size().x;
    let names = Color::ALL.map(|color| wide(&moment.view.names[color])).into_iter().fold(0.0, f32::max);
    let names = names.min(area.width() * 0.14);
    let middle = bars.center().y;
    for (color, y) in [(Color::White, middle - sizes.px(13.0)), (Color::Black, middle + sizes.px(13.0))] {
        let name = &moment.view.names[color];
        write(ui.painter(), pos2(area.left(), y), Align2::LEFT_CENTER, name, ink.clone(), names);
    }
    let left = area.left() + names + sizes.px(12.0);
    ui.painter().hline(left..=area.right(), middle, Stroke::new(1.0, cx.theme.edge));
    let (first, last) = times
        .iter()
        .fold((u32::MAX, 0), |(first, last), time| (first.min(time.number), last.max(time.number)));
    #[expect(clippy::cast_precision_loss, reason = "places on the screen")]
    let column = ((area.right() - left) / (last - first + 1) as f32).min(sizes.px(COLUMN));
    #[expect(clippy::cast_precision_loss, reason = "places on the screen")]
    let x = |number: u32| left + column * ((number - first) as f32 + 0.5);
    let chosen = times.iter().rfind(|time| time.line <= moment.at).copied();
    for time in times {
        let whole = Rect::from_center_size(pos2(x(time.number), middle), vec2(column, bars.height()));
        bar_ui(ui, cx, *time, whole, (longest, chosen == Some(*time)));
    }
    for number in (first..=last).filter(|number| number.is_multiple_of(5)) {
        let at = pos2(x(number), area.bottom() - foot / 2.0);
        write(ui.painter(), at, Align2::CENTER_CENTER, &number.to_string(), ink.clone(), sizes.px(60.0));
    }
}

/// Draws the time of one turn into the half of its column.
fn bar_ui(ui: &mut Ui, cx: &mut Cx<'_>, time: TurnTime, column: Rect, (longest, chosen): (u64, bool)) {
    let middle = column.center().y;
    let up = time.by == Color::White;
    let half = if up { column.with_max_y(middle) } else { column.with_min_y(middle) };
    #[expect(clippy::cast_precision_loss, reason = "a height on the screen")]
    let share = (time.spent.0 as f32 / longest.max(1) as f32).max(0.04);
    let height = half.height() * share;
    let inset = (column.width() * 0.16).min(cx.sizes.px(4.0));
    let bar = if up { half.with_min_y(middle - height) } else { half.with_max_y(middle + height) };
    let bar = bar.shrink2(vec2(inset, 0.0));
    let (fill, edge) =
        if up { (cx.theme.ivory, Stroke::NONE) } else { (cx.theme.hover, Stroke::new(1.0, cx.theme.edge)) };
    ui.painter().rect(bar, CornerRadius::same(2), fill, edge, StrokeKind::Inside);
    if chosen {
        let edge = Stroke::new(2.0, cx.theme.ivory);
        ui.painter().rect_stroke(
            half.expand2(vec2(0.0, 2.0)),
            CornerRadius::same(4),
            edge,
            StrokeKind::Middle,
        );
    }
    let response = ui.interact(half, ui.scope_id().with(("time", time.line)), Sense::CLICK);
    let facts = [
        ("number", time.number.into()),
        ("color", cx.words.color(time.by).into()),
        ("time", Millis(time.spent.0).to_string().into()),
    ];
    let said = cx.words.with("time-of-move", &facts);
    name(&response, Role::Button, true, &said);
    if response.on_hover_text(said).clicked() {
        look(cx, time.line);
    }
}
