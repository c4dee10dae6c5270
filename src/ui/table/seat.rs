//! A seat: the player's name, chips or points, cards, and the plate with what counts now.

use egui::{
    Align2, CornerRadius, FontId, Painter, Rect, Role as Kind, Sense, Stroke, StrokeKind, Ui, pos2, vec2,
};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Actor, Decision, Goal, Phase, Score};
use tabiya_engine::table::points_in_words;
use tabiya_types::Color;

use super::clock_look::{ClockLook, moves_of_stage};
use super::joker::words::card_words;
use super::seat_cards::{HAND, SeatCard, cards_of, draw_cards, whole_width};
use crate::art;
use crate::cx::Cx;
use crate::kit::plate::{self, Plate, State};
use crate::kit::{cut_bottom, dashed, fitting, write};
use crate::theme::{BLACK_SIDE, PANEL_RADIUS, PAPER, Theme, bold_font};
use crate::widgets::{capital, label, name, name_with};

/// A seat that is lower than this, at a rem of 16 points, has its plate beside the name.
const LOW_SEAT: f32 = 140.0;
/// The share of a seat's width that the plate takes beside cards that overlap, and beside others.
const PLATE: f32 = 0.589;
const SLIM_PLATE: f32 = 0.54;

/// Draws one player's seat. In a small window the cards stand beside the name, and the plate takes the whole width.
pub(super) fn seat_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, color: Color, rect: Rect, small: bool) {
    let theme = cx.theme;
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let acts = is_to_act(view, color);
    let edge = theme.lamp_edge(cx.gold(("lamp", color), acts));
    let painter = ui.painter().clone();
    painter.rect(rect, CornerRadius::same(PANEL_RADIUS), theme.panel, edge, StrokeKind::Inside);
    draw_colour_edge(&painter, theme, rect, color);
    let inner = Rect::from_min_max(rect.min + vec2(px(20.0), px(7.0)), rect.max - vec2(px(14.0), px(11.0)));
    let row = Rect::from_min_size(inner.min, vec2(inner.width(), px(36.0).min(inner.height() * 0.4)));
    let below = Rect::from_min_max(pos2(inner.left(), row.bottom() + px(3.0)), inner.max);
    let cards = cards_of(cx, view, color);
    if small || cards.is_empty() {
        let mut name_row = row;
        name_row.max.x -= right_of_name(ui, cx, view, color, (row, true));
        if !cards.is_empty() {
            let step = cards.iter().map(|card| card.width(row.height())).fold(0.0, f32::max) + 2.0;
            let step = step.min(name_row.width() * 0.66 / HAND_SHARE);
            let width = whole_width(&cards, row.height(), step);
            let at = pos2(name_row.right() - width, row.top());
            draw_cards(ui, cx, color, &cards, (Rect::from_min_size(at, vec2(width, row.height())), step));
            name_row.max.x = at.x - px(6.0);
        }
        person(ui, cx, view, color, name_row, rect);
        plate_ui(ui, cx, view, color, below);
        return;
    }
    let overlap = view.poker.is_none() && cards.len() > 1;
    // A whole hand of overlapping cards has its place beside the plate in every seat.
    let low = rect.height() < px(LOW_SEAT) && !(overlap && cards.len() >= HAND);
    let share = if overlap && !low { PLATE } else { SLIM_PLATE };
    let left_end = rect.right() - px(14.0) - rect.width() * share;
    let top = if low { inner.top() + px(4.0) } else { below.top() };
    let plate = Rect::from_min_max(pos2(left_end, top), below.max);
    let mut name_row = row;
    if low {
        name_row.max.x = plate.left() - px(8.0);
    }
    name_row.max.x -= right_of_name(ui, cx, view, color, (name_row, false));
    person(ui, cx, view, color, name_row, rect);
    plate_ui(ui, cx, view, color, plate);
    let left = Rect::from_min_max(below.min, pos2(plate.left() - px(10.0), below.bottom()));
    lies_ui(ui, cx, view, color, &cards, (left, overlap));
}

/// The room for the cards of a small seat is shared by so many.
const HAND_SHARE: f32 = 5.0;

/// Draws what lies at a seat beside the plate: the cards, and below or beside them what they are.
fn lies_ui(
    ui: &Ui,
    cx: &Cx<'_>,
    view: &TableView,
    color: Color,
    cards: &[SeatCard],
    (mut left, overlap): (Rect, bool),
) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let told = foot_text(cx, view, color);
    if !told.is_empty() && left.height() > px(70.0) {
        let at = left.left_bottom() - vec2(0.0, px(1.0));
        // Long names of hands stand in smaller letters.
        let size = fitting(ui.painter(), &told, &FontId::proportional, sizes.small(), left.width());
        let font = (FontId::proportional(size), cx.theme.muted);
        let area = write(ui.painter(), at, Align2::LEFT_BOTTOM, &told, font, left.width() + 1.0);
        label(ui, area, &format!("below-cards-{}", color.word()), &told);
    }
    if let [card] = cards
        && left.height() > px(100.0)
    {
        // One card has its words beside it, and below both the points.
        let line = cut_bottom(&mut left, px(22.0), px(4.0));
        points_line(ui, cx, view, color, line);
        let height = px(92.0).min(left.height());
        let place = Rect::from_min_size(left.min, vec2(card.width(height), height));
        draw_cards(ui, cx, color, cards, (place, 0.0));
        card_words(ui, cx, view, color, left.with_min_x(place.right() + px(10.0)));
        return;
    }
    let wide = cards.iter().map(|card| card.width(1.0)).fold(0.0, f32::max);
    #[expect(clippy::cast_precision_loss, reason = "a handful of cards")]
    let steps = cards.len().saturating_sub(1) as f32;
    // Cards that are all read at once stand beside each other; others overlap.
    let (step, height) = if overlap {
        let step = 0.78;
        (
            step,
            (left.height() * 0.48)
                .max(left.height().min(px(50.0)))
                .min(left.width() / (1.0 + steps * step) / wide),
        )
    } else {
        let step = 1.09;
        (step, px(56.0).min(left.height()).min(left.width() / (1.0 + steps * step) / wide))
    };
    let step = height * wide * step;
    // Beside words below them the cards stand at the top.
    let top = if overlap && told.is_empty() { left.center().y - height / 2.0 } else { left.top() };
    let place = Rect::from_min_size(pos2(left.left(), top), vec2(left.width(), height));
    draw_cards(ui, cx, color, cards, (place, step));
}

/// Draws what stands at the right end of the name's row, and returns its width with a gap: chips, points, or which move of how
/// many is made. A small seat has no room for drawn chips.
fn right_of_name(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, (row, small): (Rect, bool)) -> f32 {
    let gap = cx.sizes.px(8.0);
    if view.has_chips() && small {
        let room = cx.sizes.px(58.0);
        if !shows_stack(view) {
            let text = view.stakes.stacks[color].0.to_string();
            let font = (bold_font(cx.sizes.lead()), cx.theme.text);
            write(ui.painter(), row.right_center(), Align2::RIGHT_CENTER, &text, font, room);
        }
        return room;
    }
    if view.has_chips() {
        return chips_ui(ui, cx, view, color, row) + gap;
    }
    let told = points_ui(ui, cx, view, color, row).or_else(|| moves_ui(ui, cx, view, color, row));
    told.map_or(0.0, |left| row.right() - left + gap)
}

/// A player's points and those that win, `25 / 800`, in a game that points alone can win.
pub(crate) fn points_text(view: &TableView, color: Color) -> Option<String> {
    let Score { points, wins: Some(Goal::Total(goal)) } = view.score? else { return None };
    Some(format!("{} / {goal}", points[color]))
}

/// The same in words, for screen readers.
pub(crate) fn points_words(cx: &Cx<'_>, view: &TableView, color: Color) -> String {
    let Some(Score { points, wins: Some(Goal::Total(goal)) }) = view.score else { return String::new() };
    let facts =
        [("color", cx.words.color(color).into()), ("points", points[color].into()), ("goal", goal.into())];
    cx.words.with("points-said", &facts)
}

/// Writes a player's points at the right end of the name's row, if there are any. Returns where the text begins.
fn points_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, row: Rect) -> Option<f32> {
    let (text, said) = match (points_text(view, color), &view.poker) {
        (Some(text), _) => (text, points_words(cx, view, color)),
        (None, Some(poker)) => {
            let count = poker.points[color];
            let facts = [("name", cx.who(color).into()), ("count", count.into())];
            (count.to_string(), cx.words.with("hands-won-by", &facts))
        }
        (None, None) => return None,
    };
    let font = (bold_font(cx.sizes.lead()), cx.theme.text);
    let area = write(ui.painter(), row.right_center(), Align2::RIGHT_CENTER, &text, font, row.width() * 0.5);
    label(ui, area, &format!("points-{}", color.word()), &said);
    Some(area.left())
}

/// Draws a player's points as a line on the way to those that win.
fn points_line(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, row: Rect) {
    let Some(Score { points, wins: Some(Goal::Total(goal)) }) = view.score else { return };
    let height = cx.sizes.px(6.0);
    let whole = Rect::from_min_max(pos2(row.left(), row.bottom() - height), row.max);
    #[expect(clippy::cast_precision_loss, reason = "a share of a line's width")]
    let share = (points[color] as f32 / goal.max(1) as f32).min(1.0);
    let round = CornerRadius::same(3);
    ui.painter().rect_filled(whole, round, cx.theme.hover);
    let done = Rect::from_min_size(whole.min, vec2(whole.width() * share, height));
    ui.painter().rect_filled(done, round, cx.theme.ivory);
}

/// Writes which move of how many a player makes, at the right end of the name's row, if his stage has a number of moves.
/// Returns where the text begins. At events nobody is told how many moves were made.
fn moves_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, row: Rect) -> Option<f32> {
    let all = moves_of_stage(view, color).filter(|_| !view.is_event() && view.outcome.is_none())?;
    let text = cx.words.with("move-of", &[("count", view.clock.moves(color).into()), ("all", all.into())]);
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    let area = write(ui.painter(), row.right_center(), Align2::RIGHT_CENTER, &text, font, row.width() * 0.5);
    label(ui, area, &format!("moves-{}", color.word()), &text);
    Some(area.left())
}

/// Draws a strip in the player's colour along the left edge of a seat, inside its round corners.
pub(crate) fn draw_colour_edge(painter: &Painter, theme: &Theme, rect: Rect, color: Color) {
    let strip = Rect::from_min_size(rect.min, vec2(7.0, rect.height()));
    let fill = if color == Color::White { PAPER } else { BLACK_SIDE };
    let painter = painter.with_clip_rect(strip.intersect(painter.clip_rect()));
    painter.rect_filled(rect.shrink(1.5), CornerRadius::same(PANEL_RADIUS - 1), fill);
    painter.line_segment([strip.right_top(), strip.right_bottom()], Stroke::new(2.0, theme.edge));
}

/// Whether the plate shows the stack: while cards are dealt and bets are made, chips are what counts.
pub(crate) fn shows_stack(view: &TableView) -> bool {
    view.has_chips() && view.outcome.is_none() && matches!(view.phase, Phase::Deal | Phase::Bet)
}

/// Draws a player's chips at the right end of the name's row, and returns their width.
fn chips_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, row: Rect) -> f32 {
    let painter = ui.painter();
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let stack = view.stakes.stacks[color].0;
    let (text, font, ink) = if shows_stack(view) {
        (cx.t("chips-word"), FontId::proportional(cx.sizes.small()), cx.theme.muted)
    } else {
        (stack.to_string(), bold_font(cx.sizes.lead()), cx.theme.text)
    };
    let words = write(painter, row.right_center(), Align2::RIGHT_CENTER, &text, (font, ink), px(90.0));
    let height = px(21.0);
    let width = art::chips_width(stack, height, px(100.0));
    art::chips(
        painter,
        pos2(words.left() - px(8.0) - width, row.center().y - height / 2.0),
        height,
        stack,
        width,
    );
    row.right() - words.left() + px(8.0) + width
}

/// What stands below the cards: what the hand is, the waiting clock while chips count, otherwise the pieces that can still come.
fn foot_text(cx: &Cx<'_>, view: &TableView, color: Color) -> String {
    if let Some(poker) = &view.poker {
        return capital(&super::hands::name_of(cx, &poker.now.hands[color]));
    }
    if shows_stack(view) {
        let look = ClockLook::of(cx, view, color);
        return match look.left {
            Some(_) => cx.words.with("clock-waits", &[("left", look.digits(cx).into())]),
            None => String::new(),
        };
    }
    // With all five cards shown, nothing can come any more.
    if view.to_come[color].is_empty() || view.cards[color].len() >= HAND || view.outcome.is_some() {
        return String::new();
    }
    let letters: Vec<String> = view.to_come[color].iter().map(|card| cx.words.letter(card.role())).collect();
    cx.words.with("can-come", &[("pieces", letters.join(" ").into())])
}

/// Whether the lamp stands over this player: between a move and the press the mover still has the turn.
pub(crate) fn is_to_act(view: &TableView, color: Color) -> bool {
    view.outcome.is_none() && view.mover().map_or(view.to_act, Actor::Player) == Actor::Player(color)
}

fn person(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, row: Rect, seat: Rect) {
    let theme = cx.theme;
    let painter = ui.painter();
    let size = cx.sizes.name().min(row.height() * 0.72);
    let radius = size * 0.52;
    let center = pos2(row.left() + radius, row.center().y);
    art::color_disc(painter, center, radius, color, theme);
    let who = view.names[color].clone();
    let at = pos2(center.x + radius + cx.sizes.px(10.0), row.center().y);
    let words =
        write(painter, at, Align2::LEFT_CENTER, &who, (bold_font(size), theme.text), row.right() - at.x);
    let open = super::acts::waits_for_press(view) && view.mover() == Some(color);
    let room = row.right() - words.right() - cx.sizes.px(12.0);
    // At events nobody is told what the board does not explain.
    let waits = !view.is_event() && view.waiting_press.is_some_and(|(by, _)| by == color);
    if (open || waits) && room > cx.sizes.px(110.0) {
        let text = cx.t(if waits { "press-waits" } else { "not-pressed-yet" });
        let font = FontId::proportional(cx.sizes.small());
        let width =
            painter.layout_no_wrap(text.clone(), font.clone(), theme.text).size().x + cx.sizes.px(20.0);
        if width < room {
            let left = words.right() + cx.sizes.px(10.0);
            let pill = Rect::from_center_size(
                pos2(left + width / 2.0, row.center().y),
                vec2(width, cx.sizes.px(24.0)),
            );
            dashed(painter, pill, Stroke::new(1.5, theme.gold_edge), 5.0);
            write(painter, pill.center(), Align2::CENTER_CENTER, &text, (font, theme.text), width);
        }
    }
    let stack = view.stakes.stacks[color].0;
    let facts = cx.words.with(
        "seat-name",
        &[("color", cx.words.color(color).into()), ("name", who.into()), ("chips", stack.into())],
    );
    let acts = is_to_act(view, color);
    let response = ui.interact(seat, ui.scope_id().with(("seat", color)), Sense::hover());
    name_with(&response, Kind::Label, || {
        let acts = if acts { format!(", {}", cx.t("to-act")) } else { String::new() };
        let coming: Vec<String> = view.to_come[color].iter().map(|card| cx.words.card(*card)).collect();
        let coming = if coming.is_empty() {
            String::new()
        } else {
            format!(", {}", cx.words.with("can-come", &[("pieces", coming.join(", ").into())]))
        };
        format!("{facts}{acts}{coming}")
    });
}

/// Draws the plate with what counts now: the clock, the stack while bets are made, or the result. A click on it presses
/// the clock.
fn plate_ui(ui: &Ui, cx: &mut Cx<'_>, view: &TableView, color: Color, rect: Rect) {
    let look = ClockLook::of(cx, view, color);
    plate::draw(ui.painter(), cx, rect, &plate_of(cx, view, color, look).passing(cx, ("plate", color)));
    let response = ui.interact(rect, ui.scope_id().with(("clock", color)), Sense::click());
    name(&response, Kind::Button, true, &look.words(cx, color));
    if response.clicked() && view.presser() == Some(color) {
        super::acts::press(cx, view, Some(color));
    }
}

pub(crate) fn plate_of(cx: &Cx<'_>, view: &TableView, color: Color, look: ClockLook) -> Plate {
    let lit = if is_to_act(view, color) { State::Lit } else { State::Stands };
    if shows_stack(view) {
        return Plate { text: view.stakes.stacks[color].0.to_string(), state: lit, ..Plate::default() };
    }
    if let Some(outcome) = view.outcome {
        let text = if view.has_chips() {
            super::result::signed_net(view, color)
        } else {
            match outcome.decision() {
                Decision::NoResult => "–".to_owned(),
                Decision::Won(_) | Decision::Drawn | Decision::Points(_) => {
                    points_in_words(outcome.half_points()[color].into())
                }
            }
        };
        let won = outcome.winner == Some(color);
        let state = if look.fallen {
            State::Fallen
        } else if won {
            State::Lit
        } else {
            State::Stands
        };
        return Plate { text, state, ..Plate::default() };
    }
    Plate {
        state: if look.state() == State::Stands && !view.clock.timed(color) { lit } else { look.state() },
        ..look.plate(cx)
    }
}
