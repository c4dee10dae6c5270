//! A seat: the player's name, chips, clock, and five cards.

use egui::{
    Align2, CornerRadius, Painter, Rect, Role as Kind, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use tabiya_app::snapshot::TableView;
use tabiya_engine::clock::ControlProgress;
use tabiya_engine::rules::{Actor, ShownCard};
use tabiya_types::{Color, Millis};

use crate::art::{self, Art};
use crate::cx::Cx;
use crate::theme::bold_font;
use crate::widgets::{name, name_with, one_line};

/// The height below which a seat is drawn in one row.
const COMPACT: f32 = 100.0;
/// A card's width divided by its height.
const CARD_SHAPE: f32 = 0.72;
/// How many cards a hand has.
const HAND: usize = 5;

/// Draws one player's seat into the remaining area.
pub(super) fn seat_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, color: Color) {
    let rect = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(rect);
    let theme = cx.theme;
    let acts = view.to_act == Actor::Player(color);
    let edge = if acts { Stroke::new(2.5, theme.accent) } else { Stroke::new(1.0, theme.line) };
    ui.painter().rect(rect, CornerRadius::same(8), theme.panel, edge, StrokeKind::Inside);
    let inner = rect.shrink(10.0);
    // The lower part is for the cards, if the game has cards.
    let compact = rect.height() < COMPACT;
    let upper = if view.has_chips() && !compact { inner.height() * 0.50 } else { inner.height() };
    let share = if compact { 0.32 } else { 0.42 };
    let clock_width = (inner.width() * share).clamp(120.0, upper * 3.6);
    let clock = Rect::from_min_size(pos2(inner.right() - clock_width, inner.top()), vec2(clock_width, upper));
    clock_ui(ui, cx, view, color, clock);
    let left = Rect::from_min_max(inner.min, pos2(clock.left() - 10.0, clock.bottom()));
    if view.has_chips() && compact {
        let high = inner.height() * 0.66;
        let size = vec2((high * CARD_SHAPE + 6.0) * 5.0, high);
        let cards = Rect::from_min_size(pos2(left.right() - size.x, left.center().y - high / 2.0), size);
        person(ui, cx, view, color, Rect::from_min_max(left.min, pos2(cards.left() - 6.0, left.bottom())));
        cards_ui(ui, cx, view, color, cards);
        return;
    }
    person(ui, cx, view, color, left);
    if view.has_chips() {
        let cards = Rect::from_min_max(pos2(inner.left(), clock.bottom() + 6.0), inner.max);
        cards_ui(ui, cx, view, color, cards);
    }
}

fn person(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, rect: Rect) {
    let theme = cx.theme;
    let painter = ui.painter().with_clip_rect(rect.expand(2.0));
    let line = rect.height() / 2.0;
    let size = (line * 0.72).clamp(15.0, 30.0 * cx.scale().max(1.0));
    let dot =
        Rect::from_center_size(pos2(rect.left() + size * 0.5, rect.top() + line * 0.5), Vec2::splat(size));
    art::color_mark(&painter, dot, color, theme);
    let who = view.names[color].clone();
    let at = pos2(dot.right() + 8.0, dot.center().y);
    let room = rect.right() - size - at.x;
    one_line(&painter, at, Align2::LEFT_CENTER, &who, bold_font(size), theme.text, room);
    let stack = view.stakes.stacks[color].0;
    if view.has_chips() {
        let text = cx.words.with("chips", &[("count", stack.into())]);
        let at = pos2(rect.left(), rect.top() + line * 1.5);
        let words = painter.text(at, Align2::LEFT_CENTER, &text, bold_font(size * 0.82), theme.text);
        let height = (line * 0.86).min(30.0);
        let row = pos2(words.right() + 10.0, at.y - height / 2.0);
        art::chips(&painter, row, height, stack, rect.right() - row.x);
    }
    let facts = cx.words.with(
        "seat-name",
        &[("color", cx.words.color(color).into()), ("name", who.into()), ("chips", stack.into())],
    );
    let acts = view.to_act == Actor::Player(color);
    if acts {
        // A mark beside the name shows who has to act, since the frame alone would show it only by its
        // colour.
        let mark = Rect::from_center_size(pos2(rect.right() - 8.0, dot.center().y), Vec2::splat(size * 0.6));
        art::running_mark(ui.painter(), mark, theme.accent);
    }
    let response = ui.interact(rect, ui.scope_id().with(("seat", color)), Sense::hover());
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

/// How a clock is to be drawn.
#[expect(clippy::struct_excessive_bools, reason = "each is one sign on a clock")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClockLook {
    pub(crate) left: Option<Millis>,
    pub(crate) running: bool,
    pub(crate) paused: bool,
    pub(crate) fallen: bool,
    /// How many of the warning times in the settings the clock has reached: its time left is equal or less.
    pub(crate) warned: usize,
    /// Whether both flags are down and the flag of this side fell first.
    pub(crate) first: bool,
    /// The state of the side's time control.
    pub(crate) standing: Option<ControlProgress>,
}

impl ClockLook {
    /// The look of a side's clock at this moment.
    pub(crate) fn of(cx: &Cx<'_>, view: &TableView, color: Color) -> Self {
        let left = view.clock.reading(color, cx.at);
        let standing = view.clock.standing(color, cx.at);
        // A clock that counts up never runs out, so it has no warnings.
        let up = standing.is_some_and(|standing| standing.counts_up);
        let passed = |seconds: &&u32| left.is_some_and(|left| left.0 <= u64::from(**seconds) * 1000);
        let its_turn = view.clock.turn() == Some(color);
        // The clocks also stop while the record cannot be written. At an event only the arbiter may see a
        // fallen flag before it is claimed.
        let stopped = view.clock.paused() || cx.snapshot.time.stopped_at.is_some();
        let flags_shown = !view.is_event() || view.outcome.is_some();
        Self {
            left,
            running: its_turn && !stopped,
            paused: its_turn && stopped,
            fallen: flags_shown && view.clock.has_fallen(color),
            warned: cx.settings.warnings.iter().filter(passed).filter(|_| !up).count(),
            first: flags_shown
                && Color::ALL.iter().all(|side| view.clock.has_fallen(*side))
                && view.clock.flag() == Some(color),
            standing,
        }
    }

    /// The reading in digits.
    pub(crate) fn digits(&self, cx: &Cx<'_>) -> String {
        cx.reading(self.left, self.standing.is_some_and(|standing| standing.counts_up))
    }

    /// The state of the clock in words, for screen readers.
    pub(crate) fn words(&self, cx: &Cx<'_>, color: Color) -> String {
        let state = match self {
            Self { fallen: true, .. } => "clock-fallen",
            Self { running: true, .. } => "clock-running",
            Self { paused: true, .. } => "clock-paused",
            Self { .. } => "clock-standing",
        };
        let (color, left) = (cx.words.color(color), self.digits(cx));
        let clock = cx.words.with(state, &[("color", color.into()), ("left", left.into())]);
        let signs = self.signs(cx);
        if signs.is_empty() { clock } else { format!("{clock}, {signs}") }
    }

    /// The facts that are shown below the digits, if any: that this flag fell first, the stage, the byo-yomi periods,
    /// the moves left in a block, that the clock counts up, the delay left.
    pub(crate) fn signs(&self, cx: &Cx<'_>) -> String {
        let mut signs = Vec::new();
        if self.first {
            signs.push(cx.t("flag-first"));
        }
        if let Some(ControlProgress { stage, stages, overtime, periods, block, counts_up, delay }) =
            self.standing
        {
            if stages > 1 {
                signs.push(
                    cx.words.with("clock-stage", &[("stage", stage.into()), ("stages", stages.into())]),
                );
            }
            if let Some(periods) = periods.filter(|_| overtime) {
                signs.push(cx.words.with("clock-periods", &[("periods", periods.into())]));
            }
            if let Some(moves) = block {
                signs.push(cx.words.with("clock-block", &[("moves", moves.into())]));
            }
            if counts_up {
                signs.push(cx.t("clock-up"));
            }
            if delay.0 > 0 {
                signs.push(cx.words.with("clock-free", &[("seconds", delay.0.div_ceil(1000).into())]));
            }
        }
        signs.join(", ")
    }
}

fn clock_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, rect: Rect) {
    let look = ClockLook::of(cx, view, color);
    draw_clock(ui.painter(), cx, rect, look);
    let response = ui.interact(rect, ui.scope_id().with(("clock", color)), Sense::hover());
    name(&response, Kind::Label, true, &look.words(cx, color));
}

/// Draws a clock. A running clock is filled and has a triangle, a paused clock has two bars, and a clock whose flag has
/// fallen has a flag.
pub(crate) fn draw_clock(painter: &Painter, cx: &Cx<'_>, rect: Rect, look: ClockLook) {
    let theme = cx.theme;
    let (fill, ink) = match look {
        ClockLook { fallen: true, .. } => (theme.bad, theme.on_bad),
        ClockLook { running: true, .. } => (theme.accent, theme.on_accent),
        ClockLook { .. } => (theme.raised, theme.text),
    };
    let edge = if look.warned > 0 { Stroke::new(3.0, theme.bad) } else { Stroke::new(1.0, theme.line) };
    painter.rect(rect, CornerRadius::same(8), fill, edge, StrokeKind::Inside);
    let text = look.digits(cx);
    let warn = if look.warned > 0 && !look.fallen { "!" } else { "" };
    // In a wide area the mark is drawn to the left of the digits, in a tall area above them.
    let high = rect.height() > rect.width() * 0.45;
    let mark_side = if high { rect.width() * 0.14 } else { rect.height() * 0.30 };
    let mark = if high {
        pos2(rect.center().x, rect.top() + rect.height() * 0.20)
    } else {
        pos2(rect.left() + rect.height() * 0.36, rect.center().y)
    };
    let mark = Rect::from_center_size(mark, Vec2::splat(mark_side));
    match look {
        ClockLook { fallen: true, .. } => art::flag_mark(painter, mark, ink),
        ClockLook { running: true, .. } => art::running_mark(painter, mark, ink),
        ClockLook { paused: true, .. } => art::paused_mark(painter, mark, ink),
        ClockLook { .. } => {}
    }
    let room = if high { rect.width() * 0.96 } else { rect.right() - mark.right() - rect.height() * 0.3 };
    #[expect(clippy::cast_precision_loss, reason = "a clock has a few digits")]
    let size = (rect.height() * if high { 0.5 } else { 0.72 }).min(room / (text.len() as f32 * 0.66));
    let digits = if high {
        let at = pos2(rect.center().x, rect.top() + rect.height() * 0.58);
        painter.text(at, Align2::CENTER_CENTER, &text, bold_font(size), ink)
    } else {
        let at = pos2(rect.right() - rect.height() * 0.18, rect.center().y);
        painter.text(at, Align2::RIGHT_CENTER, &text, bold_font(size), ink)
    };
    let (warn_at, anchor) = if high {
        (pos2(mark.right() + mark_side * 0.5, mark.center().y), Align2::LEFT_CENTER)
    } else {
        (pos2(digits.left() - 4.0, rect.center().y), Align2::RIGHT_CENTER)
    };
    painter.text(warn_at, anchor, warn, bold_font(if high { mark_side } else { size }), ink);
    let signs = look.signs(cx);
    if !signs.is_empty() {
        let font = bold_font((rect.height() * 0.16).clamp(9.0, 40.0));
        let at = pos2(rect.center().x, rect.bottom() - 2.0);
        one_line(painter, at, Align2::CENTER_BOTTOM, &signs, font, ink, rect.width() - 8.0);
    }
}

fn cards_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, rect: Rect) {
    let theme = cx.theme;
    let height = rect.height().min(110.0);
    let size = vec2(height * CARD_SHAPE, height);
    let shown = &view.cards[color];
    for nth in 0..HAND {
        #[expect(clippy::cast_precision_loss, reason = "five cards")]
        let at = pos2(rect.left() + (size.x + 6.0) * nth as f32, rect.top());
        let place = Rect::from_min_size(at, size);
        let response = ui.interact(place, ui.scope_id().with(("card", color, nth)), Sense::hover());
        match shown.get(nth) {
            Some(card) => {
                shown_card(ui.painter(), cx, place, color, *card);
                name(&response, Kind::Label, true, &card_name(cx, color, *card));
            }
            None => Art::card_back(ui.painter(), place, theme),
        }
    }
    let after = rect.left() + (size.x + 6.0) * 5.0 + 6.0;
    let room = Rect::from_min_max(pos2(after, rect.top()), rect.max);
    if room.width() > 60.0 && !view.to_come[color].is_empty() {
        let letters: Vec<String> =
            view.to_come[color].iter().map(|card| cx.words.letter(card.role())).collect();
        let text = cx.words.with("can-come", &[("pieces", letters.join(" ").into())]);
        let galley = ui.painter().layout(text, cx.plain(13.0), theme.muted, room.width());
        ui.painter().with_clip_rect(room).galley(room.min, galley, theme.muted);
    }
}

fn shown_card(painter: &Painter, cx: &Cx<'_>, rect: Rect, color: Color, card: ShownCard) {
    let letter = cx.words.letter(card.card.role());
    cx.art.card(painter, rect, card.card, color, &letter);
    if let Some(piece) = card.piece.filter(|piece| *piece != card.card) {
        // A badge over the corner shows the piece that the card became.
        let badge = Rect::from_min_size(rect.center(), rect.size() * 0.5);
        painter.rect(
            badge,
            CornerRadius::same(4),
            cx.theme.accent,
            Stroke::new(1.0, cx.theme.on_accent),
            StrokeKind::Inside,
        );
        painter.text(
            badge.center(),
            Align2::CENTER_CENTER,
            cx.words.letter(piece.role()),
            bold_font(badge.height() * 0.7),
            cx.theme.on_accent,
        );
    }
    if card.piece.is_none() {
        painter.rect_stroke(
            rect,
            CornerRadius::same(6),
            Stroke::new(2.5, cx.theme.accent),
            StrokeKind::Outside,
        );
    }
}

fn card_name(cx: &Cx<'_>, color: Color, card: ShownCard) -> String {
    let face = cx.words.card(card.card);
    let color = cx.words.color(color);
    match (card.piece, card.at) {
        (Some(piece), Some(at)) => cx.words.with(
            "card-placed",
            &[
                ("color", color.into()),
                ("card", face.into()),
                ("piece", cx.words.card(piece).into()),
                ("square", at.to_string().into()),
            ],
        ),
        _ => cx.words.with("card-open", &[("color", color.into()), ("card", face.into())]),
    }
}
