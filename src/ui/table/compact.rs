//! A seat beside the arbiter's drawer: the name, the clock, and buttons that give and take time.

use egui::{Align2, CornerRadius, Rect, Role as Kind, Sense, StrokeKind, Ui, pos2};
use tabiya_app::snapshot::TableView;
use tabiya_types::Color;

use super::clock_look::ClockLook;
use super::seat::{draw_colour_edge, is_to_act};
use crate::art;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind as ButtonKind, button_at};
use crate::kit::{plate, split, write};
use crate::theme::{GRID, PANEL_RADIUS, bold_font};
use crate::widgets::name;

/// What the buttons give, in seconds. A narrow seat has no room for the first.
const GAINS: [i64; 3] = [-60, 10, 60];

/// Draws the seat. Returns the time in ms that the arbiter gives (or takes, if it is negative).
pub(super) fn seat_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, color: Color, rect: Rect) -> Option<i64> {
    let (theme, sizes) = (cx.theme, cx.sizes);
    let px = move |points: f32| sizes.px(points);
    let acts = is_to_act(view, color);
    let edge = theme.lamp_edge(cx.gold(("lamp", color), acts));
    ui.painter().rect(rect, CornerRadius::same(PANEL_RADIUS), theme.panel, edge, StrokeKind::Inside);
    draw_colour_edge(ui.painter(), theme, rect, color);
    let look = ClockLook::of(cx, view, color);
    let timed = look.left.is_some();
    let wide = rect.width() * 0.285;
    let clock = Rect::from_min_max(
        pos2(rect.right() - wide - px(8.0), rect.top() + px(8.0)),
        rect.max - egui::vec2(px(8.0), px(8.0)),
    );
    if timed {
        plate::draw(ui.painter(), cx, clock, &look.plate(cx).passing(cx, ("clock", color)));
        let response = ui.interact(clock, ui.scope_id().with(("clock", color)), Sense::hover());
        name(&response, Kind::Label, true, &look.words(cx, color));
    }
    let small = rect.width() / sizes.rem < 28.0;
    let gains = GAINS.get(usize::from(small)..).unwrap_or(&GAINS);
    #[expect(clippy::cast_precision_loss, reason = "three buttons")]
    let room = if timed { px(66.0) * gains.len() as f32 } else { 0.0 };
    let buttons = Rect::from_min_max(
        pos2(clock.left() - px(10.0) - room, rect.center().y - px(19.0)),
        pos2(clock.left() - px(10.0), rect.center().y + px(19.0)),
    );
    let mut given = None;
    if timed {
        for (place, seconds) in
            split(buttons, &vec![1.0; gains.len()], GRID).into_iter().zip(gains.iter().copied())
        {
            let sign = if seconds < 0 { "−" } else { "+" };
            let text = match seconds.abs() {
                whole if whole % 60 == 0 => format!("{sign}{} min", whole / 60),
                some => format!("{sign}{some} s"),
            };
            let side = cx.words.color(color);
            let face = ButtonFace::new(ButtonKind::Plain, &text).said(format!("{side} {text}"));
            if button_at(ui, cx, place, ("gain", color, seconds), &face).clicked() {
                given = Some(seconds * 1_000);
            }
        }
    }
    let radius = px(12.0);
    let disc = pos2(rect.left() + px(20.0) + radius, rect.center().y);
    art::color_disc(ui.painter(), disc, radius, color, theme);
    let at = pos2(disc.x + radius + px(10.0), rect.center().y);
    let font = (bold_font(sizes.name().min(rect.height() * 0.36)), theme.text);
    let end = if timed { buttons.left() } else { rect.right() };
    write(ui.painter(), at, Align2::LEFT_CENTER, &view.names[color], font, end - at.x - px(6.0));
    given
}
