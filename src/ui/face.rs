//! The two-sided clock, for a screen that lies between two players: the far half is drawn upside down. A player presses
//! with a tap or a click on one half of the screen, or with any key in one half of the keyboard.

use std::f32::consts::PI;

use egui::epaint::TextShape;
use egui::{
    Align2, Color32, CornerRadius, FontId, Painter, PointerButton, Pos2, Rect, RichText, Role as Kind, Sense,
    Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::{Asked, TableView};
use tabiya_engine::rules::Group;
use tabiya_engine::table::{Audience, Common};
use tabiya_types::Color;

use super::art;
use super::cx::Cx;
use super::keys::Command;
use super::presses::{Presser, presses};
use super::table::middle::answers_ui;
use super::table::pause;
use super::table::seat::ClockLook;
use super::theme::bold_font;
use super::widgets::{button, lay_out_line, name};

/// The height of the row of buttons between the halves.
const ROW: f32 = 40.0;

/// Draws the clock into the remaining area.
pub(super) fn face_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let half = (area.height() - ROW) / 2.0;
    let near_side = cx.below();
    let far = Rect::from_min_size(area.min, vec2(area.width(), half));
    let near = Rect::from_min_size(pos2(area.left(), area.bottom() - half), vec2(area.width(), half));
    let top = ui.layer_id();
    let half_at = |pos: Pos2| {
        // A press on something in front of the clock, such as a menu, is not a press of the clock.
        let free = ui.ctx().layer_id_at(pos).is_none_or(|layer| layer == top);
        let halves = [(far, Presser::Far), (near, Presser::Near)];
        halves.into_iter().find(|(half, _)| free && half.contains(pos)).map(|(_, presser)| presser)
    };
    let events = ui.input(|input| input.events.clone());
    for presser in presses(&events, cx.focus, cx.keys, half_at) {
        press(cx, presser);
    }
    half_ui(ui, cx, view, near_side.other(), far, true);
    half_ui(ui, cx, view, near_side, near, false);
    let row = Rect::from_min_max(pos2(area.left(), far.bottom()), pos2(area.right(), near.top()));
    ui.scope_builder(egui::UiBuilder::new().max_rect(row.shrink2(vec2(8.0, 3.0))), |ui| {
        ui.horizontal_centered(|ui| {
            // While something is asked, the row holds the question and its answers.
            let mine = |asked: &Asked| asked.to == Audience::Players;
            if let Some(asked) = cx.snapshot.question.clone().filter(mine) {
                ui.label(RichText::new(cx.say(&asked.text)).font(cx.bold(15.0)));
                answers_ui(ui, cx, asked.answers.as_deref());
                return;
            }
            let text = cx.t(if view.clock.paused() { "resume" } else { "pause" }) + &cx.hint(Command::Pause);
            if button(ui, &text, true).clicked() {
                pause(cx, view);
            }
            let text = cx.t("swap-sides");
            if button(ui, &text, true).clicked() {
                cx.set(|settings| settings.black_below = !settings.black_below);
            }
            if view.clock_alone && view.can_start_next() {
                let text = cx.t("once-more") + &cx.hint(Command::Next);
                if button(ui, &text, true).clicked() {
                    cx.enter(Common::Next(Group::new()));
                }
            }
            if view.clock_alone {
                if button(ui, &cx.t("another-clock"), true).clicked() {
                    cx.wish(Wish::Leave);
                }
            } else {
                let text = cx.t("back-to-table") + &cx.hint(Command::Face);
                if button(ui, &text, true).clicked() {
                    cx.close_face = true;
                }
            }
            ui.label(cx.words.word("game", view.agreement.game));
            if let Some(prompt) = view.prompt().filter(|_| view.outcome.is_none()) {
                ui.label(cx.say(prompt));
            }
        });
    });
    super::table::clock_keys(cx, view);
}

fn half_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, color: Color, rect: Rect, turned: bool) {
    let look = ClockLook::of(cx, view, color);
    let response = ui.interact(rect, ui.scope_id().with(("half", color)), Sense::click());
    draw_half(ui.painter(), cx, view, color, rect, look, turned);
    let words = cx
        .words
        .with("half", &[("name", view.names[color].clone().into()), ("clock", look.words(cx, color).into())]);
    name(&response, Kind::Button, true, &words);
    // A mouse or a finger presses the clock as soon as it goes down, and was handled then. So a click counts here only
    // if it comes from the keyboard or a screen reader.
    if response.clicked() && !response.clicked_by(PointerButton::Primary) {
        cx.wish(Wish::Press(Some(color)));
    }
}

/// Adds the wish to press the clock. As on any clock, a press by the side whose clock is not running has no effect.
pub(super) fn press(cx: &mut Cx<'_>, presser: Presser) {
    let near = cx.below();
    cx.wish(Wish::Press(match presser {
        Presser::Far => Some(near.other()),
        Presser::Near => Some(near),
        Presser::Running => None,
    }));
}

fn draw_half(
    painter: &Painter,
    cx: &Cx<'_>,
    view: &TableView,
    color: Color,
    rect: Rect,
    look: ClockLook,
    turned: bool,
) {
    let theme = cx.theme;
    let (fill, ink) = match look {
        ClockLook { fallen: true, .. } => (theme.bad, theme.on_bad),
        ClockLook { running: true, .. } => (theme.accent, theme.on_accent),
        ClockLook { .. } => (theme.panel, theme.text),
    };
    let edge = if look.warned > 0 { Stroke::new(8.0, theme.bad) } else { Stroke::new(1.0, theme.line) };
    painter.rect(rect, CornerRadius::same(10), fill, edge, StrokeKind::Inside);
    let text = look.digits(cx);
    #[expect(clippy::cast_precision_loss, reason = "a clock has a few digits")]
    let size = (rect.height() * 0.66).min(rect.width() * 0.86 / (text.len() as f32 * 0.62));
    write(painter, rect, vec2(0.0, 0.04), &text, bold_font(size), ink, turned);
    let who = format!("{}  ·  {}", view.names[color], cx.words.color(color));
    write(
        painter,
        rect,
        vec2(0.0, -0.40),
        &who,
        FontId::proportional((rect.height() * 0.09).clamp(14.0, 34.0)),
        ink,
        turned,
    );
    // With the terms of an event, the clock must not show the players how many moves were made.
    let moves = cx.words.with("moves-made", &[("count", view.clock.moves(color).into())]);
    let known =
        [Some(moves).filter(|_| !view.is_event()), Some(look.signs(cx)).filter(|signs| !signs.is_empty())];
    let below: Vec<String> = known.into_iter().flatten().collect();
    let font = FontId::proportional((rect.height() * 0.075).clamp(12.0, 26.0));
    write(painter, rect, vec2(0.0, 0.42), &below.join("  ·  "), font, ink, turned);
    // Draws the same mark to the left and to the right of the digits.
    let mark_side = rect.height() * 0.16;
    for x in [-0.44_f32, 0.44] {
        let at = rect.center() + vec2(x * rect.width(), 0.0);
        let mark = Rect::from_center_size(at, Vec2::splat(mark_side));
        match look {
            ClockLook { fallen: true, .. } => art::flag_mark(painter, mark, ink),
            ClockLook { running: true, .. } => art::running_mark(painter, mark, ink),
            ClockLook { paused: true, .. } => art::paused_mark(painter, mark, ink),
            ClockLook { .. } => {}
        }
    }
}

/// Writes a centred line into one half of the clock. `off` shifts the text to the right and downwards, as the player at
/// this half sees it. Its unit is the half's size.
fn write(painter: &Painter, rect: Rect, off: Vec2, text: &str, font: FontId, ink: Color32, turned: bool) {
    let galley = lay_out_line(painter, text, font, ink, rect.width() * 0.94);
    let sign = if turned { -1.0 } else { 1.0 };
    let at = rect.center() + sign * off * rect.size();
    let corner = Align2::CENTER_CENTER.anchor_size(at, galley.size()).min;
    let mut shape = TextShape::new(corner, galley, ink);
    if turned {
        shape = shape.with_angle_and_anchor(PI, Align2::CENTER_CENTER);
    }
    painter.add(shape);
}
