//! The two-sided clock. On a screen that lies between two players the far half is drawn upside down; on one that stands
//! beside the board both halves stand side by side. A player presses with a tap or a click on one half of the screen, or
//! with any key in one half of the keyboard.

use std::f32::consts::PI;

use egui::epaint::TextShape;
use egui::{
    Align2, Color32, CornerRadius, Event, FontId, Key, Painter, PointerButton, Pos2, Rect, RichText,
    Role as Kind, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::{Asked, TableView};
use tabiya_engine::rules::Group;
use tabiya_engine::table::{Audience, Common, control_in_words};
use tabiya_store::settings::FaceHalves;
use tabiya_types::Color;

use super::chrome::fill_screen;
use super::cx::Cx;
use super::focus::Focus;
use super::keys::Command;
use super::kit::button::{ButtonFace, Kind as ButtonKind, button_at};
use super::kit::icon::Icon;
use super::kit::plate::State;
use super::kit::write;
use super::presses::{Presser, presses};
use super::table::acts::{self, clock_keys, pause};
use super::table::clock_look::{ClockLook, moves_of_stage, periods_of};
use super::table::questions::answers_ui;
use super::theme::{PANEL_RADIUS, bold_font};
use super::widgets::{label, lay_out_line, name};

/// The height of the strip between the halves, at a rem of 16 points.
const STRIP: f32 = 58.0;
/// The most free seconds or periods that are drawn as signs of their own; more are only told in words.
const PIPS: u64 = 10;

/// Draws the clock into the remaining area.
pub(super) fn face_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let strip = cx.sizes.px(STRIP).min(area.height() * 0.2);
    let beside = cx.settings.face == FaceHalves::Beside;
    let near_side = cx.below();
    let Places { far, near, row } = if beside { beside_each_other(area, strip) } else { facing(area, strip) };
    let top = ui.layer_id();
    let half_at = |pos: Pos2| {
        // A press on something in front of the clock, such as a menu, is not a press of the clock.
        let free = ui.ctx().layer_id_at(pos).is_none_or(|layer| layer == top);
        let halves = [(far, Presser::Far), (near, Presser::Near)];
        halves.into_iter().find(|(half, _)| free && half.contains(pos)).map(|(_, presser)| presser)
    };
    let events = ui.input(|input| input.events.clone());
    for presser in presses(&events, cx.focus, cx.keys, half_at) {
        press(cx, view, presser);
    }
    if cx.focus != Focus::Field {
        // The space bar has pressed the clock, so it does not activate the control that has the focus as well.
        ui.input_mut(|input| input.events.retain(|event| !is_space(event)));
    }
    half_ui(ui, cx, view, near_side.other(), far, !beside);
    half_ui(ui, cx, view, near_side, near, false);
    strip_ui(ui, cx, view, row.shrink2(vec2(0.0, cx.sizes.px(6.0).min(row.height() * 0.12))));
    clock_keys(cx, view);
}

/// Where the parts of the clock face lie.
struct Places {
    /// The half of the player on the far side of the screen, or on its left.
    far: Rect,
    near: Rect,
    /// The strip with the buttons.
    row: Rect,
}

/// The players sit on opposite sides of the screen; the strip lies between them.
fn facing(area: Rect, strip: f32) -> Places {
    let half = (area.height() - strip) / 2.0;
    let (far, rest) = area.split_top_bottom_at_y(area.top() + half);
    let (row, near) = rest.split_top_bottom_at_y(area.bottom() - half);
    Places { far, near, row }
}

/// The screen stands beside the board, as a clock does; the strip lies below.
fn beside_each_other(area: Rect, strip: f32) -> Places {
    let (halves, row) = area.split_top_bottom_at_y(area.bottom() - strip);
    let (far, near) = halves.split_left_right_at_fraction(0.5);
    let gap = strip * 0.07;
    Places { far: far.with_max_x(far.right() - gap), near: near.with_min_x(near.left() + gap), row }
}

/// Draws the strip between the halves: stop, what is played, and the controls; while something is asked, the question.
fn strip_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, row: Rect) {
    let mine = |asked: &Asked| asked.to == Audience::Players;
    if let Some(asked) = cx.snapshot.question.clone().filter(mine) {
        ui.scope_builder(egui::UiBuilder::new().max_rect(row), |ui| {
            ui.horizontal_centered(|ui| {
                ui.label(RichText::new(cx.say(&asked.text)).font(cx.bold(16.0)));
                answers_ui(ui, cx, asked.answers.as_deref());
            });
        });
        return;
    }
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let mut middle = row;
    let paused = view.clock.paused();
    let text = cx.t(if paused { "resume" } else { "pause" });
    let stop = Rect::from_min_size(row.min, vec2(px(260.0).min(row.width() * 0.3), row.height()));
    middle.min.x = stop.right() + px(12.0);
    let (kind, icon) = if paused { (ButtonKind::Gold, Icon::Play) } else { (ButtonKind::Plain, Icon::Pause) };
    let face = ButtonFace::new(kind, &text).icon(icon).key(cx.key(Command::Pause)).strong();
    if button_at(ui, cx, stop, "stop", &face).clicked() {
        pause(cx, view);
    }
    let narrow = row.width() / sizes.rem < 66.0;
    onward_ui(ui, cx, view, if narrow { px(112.0) } else { px(136.0) }, &mut middle);
    screen_ui(ui, cx, view, &mut middle);
    let text = strip_text(cx, view);
    if middle.width() > px(60.0) {
        let font = (FontId::proportional(sizes.small()), cx.theme.muted);
        write(ui.painter(), middle.center(), Align2::CENTER_CENTER, &text, font, middle.width());
        label(ui, middle, "face-prompt", &text);
    }
}

/// Cuts a place of this width off the right end of what is left of the strip.
fn cut_right(cx: &Cx<'_>, rest: &mut Rect, width: f32) -> Rect {
    let place = Rect::from_min_max(pos2(rest.right() - width, rest.top()), rest.max);
    rest.max.x = place.left() - cx.sizes.px(8.0);
    place
}

/// Draws where the strip leads: back to the table, to another clock, or to the next game of the clock alone.
fn onward_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, wide: f32, rest: &mut Rect) {
    let place = cut_right(cx, rest, wide);
    if view.clock_alone {
        let text = cx.t("another-clock");
        let face = ButtonFace::new(ButtonKind::Plain, &text);
        if button_at(ui, cx, place, "another-clock", &face).clicked() {
            cx.wish(Wish::Leave);
        }
    } else {
        let text = cx.t("back-to-table");
        let face = ButtonFace::new(ButtonKind::Plain, &text).icon(Icon::Board).key(cx.key(Command::Face));
        if button_at(ui, cx, place, "back-to-table", &face).clicked() {
            cx.close_face = true;
        }
    }
    if view.clock_alone && view.can_start_next() {
        let place = cut_right(cx, rest, wide);
        let text = cx.t("once-more");
        let face = ButtonFace::new(ButtonKind::Gold, &text).key(cx.key(Command::Next));
        if button_at(ui, cx, place, "once-more", &face).clicked() {
            cx.enter(Common::Next(Group::new()));
        }
    }
}

/// Draws how the clock stands on the screen: whether it fills it, its sides and its halves; and the way to the arbiter.
fn screen_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, rest: &mut Rect) {
    let side = cx.sizes.px(50.0);
    let said = cx.words.word("command", Command::FullScreen.word());
    let face =
        ButtonFace::new(ButtonKind::Plain, "").icon(Icon::Full).said(said).key(cx.key(Command::FullScreen));
    let place = cut_right(cx, rest, side);
    if button_at(ui, cx, place, "face-full", &face).clicked() {
        fill_screen(&cx.ctx);
    }
    let text = cx.t("swap-sides");
    let face = ButtonFace::new(ButtonKind::Plain, "").icon(Icon::Swap).said(text);
    let place = cut_right(cx, rest, side);
    if button_at(ui, cx, place, "swap-sides", &face).clicked() {
        cx.set(|settings| settings.black_below = !settings.black_below);
    }
    let (text, other) = match cx.settings.face {
        FaceHalves::Facing => (cx.t("face-beside"), FaceHalves::Beside),
        FaceHalves::Beside => (cx.t("face-facing"), FaceHalves::Facing),
    };
    let face = ButtonFace::new(ButtonKind::Plain, "").icon(Icon::Face).said(text);
    let place = cut_right(cx, rest, side);
    if button_at(ui, cx, place, "face-halves", &face).clicked() {
        cx.set(|settings| settings.face = other);
    }
    if !view.clock_alone {
        let face = ButtonFace::new(ButtonKind::Plain, "")
            .icon(Icon::Scales)
            .said(cx.t("arbiter"))
            .key(cx.key(Command::Arbiter));
        let place = cut_right(cx, rest, side);
        if button_at(ui, cx, place, "face-arbiter", &face).clicked() {
            cx.open_drawer = true;
        }
    }
}

/// What the strip says: what the clocks do while they run, else what is to be done, else what is played.
fn strip_text(cx: &Cx<'_>, view: &TableView) -> String {
    let controls = view.agreement.terms.setting(view.seats.white).controls;
    let runs = view.clock.turn().is_some() && !view.clock.paused();
    if runs && view.outcome.is_none() && controls.white == controls.black {
        return cx.say(&control_in_words(&controls.white));
    }
    let prompt = view.prompt().filter(|_| view.outcome.is_none()).map(|prompt| cx.say(prompt));
    prompt.unwrap_or_else(|| cx.words.word("game", view.agreement.game))
}

/// The moves that a player has made; if his first stage has a number of moves, of how many.
fn moves_made(cx: &Cx<'_>, view: &TableView, color: Color) -> String {
    let count = view.clock.moves(color);
    match moves_of_stage(view, color) {
        Some(all) => cx.words.with("move-of", &[("count", count.into()), ("all", all.into())]),
        None => cx.words.with("moves-made", &[("count", count.into())]),
    }
}

fn is_space(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Space, .. }) || matches!(event, Event::Text(text) if text == " ")
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
        acts::press(cx, view, Some(color));
    }
}

/// Adds the wish to press the clock. As on any clock, a press by the side whose clock is not running has no effect.
pub(super) fn press(cx: &mut Cx<'_>, view: &TableView, presser: Presser) {
    let near = cx.below();
    let by = match presser {
        Presser::Far => Some(near.other()),
        Presser::Near => Some(near),
        Presser::Running => None,
    };
    acts::press(cx, view, by);
}

/// One half of the clock as its player sees it. A turned half is drawn upside down.
struct Half<'a> {
    painter: &'a Painter,
    rect: Rect,
    turned: bool,
    ink: Color32,
}

impl Half<'_> {
    /// Where a point lies on the screen.
    fn at(&self, point: Pos2) -> Pos2 {
        if self.turned { (self.rect.center().to_vec2() * 2.0 - point.to_vec2()).to_pos2() } else { point }
    }

    fn area(&self, area: Rect) -> Rect {
        Rect::from_two_pos(self.at(area.min), self.at(area.max))
    }

    /// Writes one line whose middle, left or right end is at `at`, and returns its width.
    fn write(&self, at: Pos2, anchor: Align2, text: &str, font: FontId, room: f32) -> f32 {
        let galley = lay_out_line(self.painter, text, font, self.ink, room);
        let place = anchor.anchor_size(at, galley.size());
        self.galley(place.center(), galley.clone(), galley.size() / 2.0);
        galley.size().x
    }

    /// Draws laid-out text whose point `from_corner` lies at `at`.
    fn galley(&self, at: Pos2, galley: std::sync::Arc<egui::Galley>, from_corner: Vec2) {
        let at = self.at(at);
        let angle = if self.turned { PI } else { 0.0 };
        // egui turns a text about its upper left corner.
        let corner = if self.turned { at + from_corner } else { at - from_corner };
        self.painter.add(TextShape::new(corner, galley, self.ink).with_angle(angle));
    }

    fn mark(&self, state: State, place: Rect) {
        let place = self.area(place);
        match state {
            State::Runs | State::Last => {
                let (back, tip) =
                    if self.turned { (place.right(), place.left()) } else { (place.left(), place.right()) };
                let points =
                    vec![pos2(back, place.top()), pos2(tip, place.center().y), pos2(back, place.bottom())];
                self.painter.add(Shape::convex_polygon(points, self.ink, Stroke::NONE));
            }
            State::Stopped => Icon::Pause.draw(self.painter, place, self.ink),
            State::Fallen => Icon::Flag.draw(self.painter, place, self.ink),
            State::Stands | State::Lit => {}
        }
    }

    /// Draws signs in a row that ends at `right`: full ones for what is left, empty ones for what is gone. Returns where the
    /// row begins.
    fn pips(&self, right: Pos2, (left_over, all): (u64, u64), size: Vec2, round: u8) -> f32 {
        let gap = size.y * 0.32;
        for nth in 0..all {
            #[expect(clippy::cast_precision_loss, reason = "at most ten signs")]
            let left = right.x - size.x - (size.x + gap) * (all - 1 - nth) as f32;
            let pip = self.area(Rect::from_min_size(pos2(left, right.y - size.y / 2.0), size));
            let stroke = Stroke::new(2.0, self.ink);
            let fill = if nth < left_over { self.ink } else { Color32::TRANSPARENT };
            self.painter.rect(pip, CornerRadius::same(round), fill, stroke, StrokeKind::Inside);
        }
        #[expect(clippy::cast_precision_loss, reason = "at most ten signs")]
        let whole = (size.x + gap) * all as f32;
        right.x - whole
    }
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
    let plate = look.plate(cx).passing(cx, ("face", color));
    let (fill, ink) = plate.colors(theme, theme.panel);
    let edge = if look.warned > 0 { Stroke::new(8.0, theme.bad) } else { Stroke::new(1.0, theme.line) };
    painter.rect(rect, CornerRadius::same(PANEL_RADIUS), fill, edge, StrokeKind::Inside);
    if plate.state == State::Last {
        super::kit::plate::stripes(painter, rect.shrink(6.0), theme);
    }
    let half = Half { painter, rect, turned, ink };
    let pad = (rect.width() * 0.026).clamp(12.0, 44.0);
    let inner = rect.shrink2(vec2(pad, (rect.height() * 0.055).max(4.0)));
    let head = (rect.height() * 0.16).clamp(18.0, 84.0);
    let base = (rect.height() * 0.09).clamp(13.0, 46.0);
    draw_head(&half, cx, (view, color), (&look, plate.state), (inner, head));
    draw_foot(&half, cx, (view, color), look.share, (inner, base, pad));
    let digits = Rect::from_min_max(
        pos2(inner.left(), inner.top() + head * 0.86),
        pos2(inner.right(), inner.bottom() - base),
    );
    let galley = super::kit::plate::lay_out(painter, digits, &plate.text, ink);
    let middle = galley.mesh_bounds.center().to_vec2();
    half.galley(digits.center(), galley, middle);
}

/// Draws the row above the digits, `head` high: mark, disc and name stand at the left, the free seconds or periods and the signs
/// at the right.
fn draw_head(
    half: &Half<'_>,
    cx: &Cx<'_>,
    (view, color): (&TableView, Color),
    (look, state): (&ClockLook, State),
    (inner, head): (Rect, f32),
) {
    let name_size = head * 0.62;
    let y = inner.top() + head / 2.0;
    let mut x = inner.left();
    if !matches!(state, State::Stands | State::Lit) {
        half.mark(state, Rect::from_center_size(pos2(x + head * 0.3, y), Vec2::splat(head * 0.6)));
        x += head * 0.85;
    }
    let disc = half.at(pos2(x + name_size * 0.5, y));
    super::art::color_disc(half.painter, disc, name_size * 0.46, color, cx.theme);
    x += name_size * 1.3;
    let who = &view.names[color];
    let room = inner.width() * 0.5 - (x - inner.left());
    half.write(pos2(x, y), Align2::LEFT_CENTER, who, bold_font(name_size), room);
    let mut right = inner.right();
    if let Some(progress) = look.standing {
        let pip = vec2(head * 0.78, head * 0.34);
        let free = progress.delay.0.div_ceil(1000);
        let all = look.delay.0.div_ceil(1000);
        if all > 0 && all <= PIPS && look.running {
            right = half.pips(pos2(right, y), (free.min(all), all), pip, 3);
        }
        let all = periods_of(view, color);
        if let Some(periods) = progress.periods.map(u64::from)
            && all.max(periods) <= PIPS
        {
            right = half.pips(pos2(right, y), (periods, all.max(periods)), Vec2::splat(head * 0.34), 40);
        }
    }
    let signs = look.signs(cx);
    if !signs.is_empty() {
        let words = FontId::proportional(name_size * 0.72);
        half.write(pos2(right - 4.0, y), Align2::RIGHT_CENTER, &signs, words, inner.width() * 0.42);
    }
}

/// Draws the row below the digits, `base` high: the share of the time that is left, and the moves made.
fn draw_foot(
    half: &Half<'_>,
    cx: &Cx<'_>,
    (view, color): (&TableView, Color),
    share: Option<f32>,
    (inner, base, pad): (Rect, f32, f32),
) {
    // With the terms of an event, the clock must not show the players how many moves were made.
    let y = inner.bottom() - base / 2.0;
    let mut end = inner.right();
    if !view.is_event() {
        let moves = moves_made(cx, view, color);
        let words = FontId::proportional(base * 0.78);
        end -= half.write(pos2(end, y), Align2::RIGHT_CENTER, &moves, words, inner.width() * 0.4) + pad * 0.5;
    }
    if let Some(share) = share {
        let thick = (base * 0.18).clamp(4.0, 10.0);
        let whole = Rect::from_min_max(pos2(inner.left(), y - thick / 2.0), pos2(end, y + thick / 2.0));
        let remaining = Rect::from_min_size(whole.min, vec2(whole.width() * share, thick));
        half.painter.rect_filled(half.area(whole), 2.0, super::widgets::translucent(half.ink, 60));
        half.painter.rect_filled(half.area(remaining), 2.0, super::widgets::translucent(half.ink, 215));
    }
}
