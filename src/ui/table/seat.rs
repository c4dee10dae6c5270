//! A seat: the player's name, chips, five cards, and the plate with what counts now.

use egui::{Align2, CornerRadius, Painter, Rect, Role as Kind, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::clock::{ControlProgress, Stage, TimeControl};
use tabiya_engine::rules::{Actor, Decision, Goal, Phase, Score, ShownCard, Stages};
use tabiya_engine::table::points_in_words;
use tabiya_types::{Color, Millis};

use crate::art::{self, Art};
use crate::cx::{Cx, tenths_below};
use crate::kit::plate::{self, Plate, State};
use crate::kit::{dashed, write};
use crate::theme::{BLACK_SIDE, PANEL_RADIUS, PAPER, Theme, bold_font};
use crate::widgets::{label, name, name_with};

/// A card's width divided by its height.
const CARD_SHAPE: f32 = 0.72;
/// How many cards a hand has.
const HAND: usize = 5;

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
    let has_cards = view.has_chips();
    if small || !has_cards {
        let high = row.height();
        let width = (high * CARD_SHAPE + 2.0) * 5.0;
        let mut name_row = row;
        if has_cards {
            let stack = px(58.0);
            let cards = Rect::from_min_size(pos2(row.right() - stack - width, row.top()), vec2(width, high));
            cards_ui(ui, cx, view, color, cards, high * CARD_SHAPE + 2.0);
            let text = view.stakes.stacks[color].0.to_string();
            let font = (bold_font(cx.sizes.lead()), theme.text);
            if !shows_stack(view) {
                write(&painter, row.right_center(), Align2::RIGHT_CENTER, &text, font, stack);
            }
            name_row.max.x = cards.left() - px(6.0);
        }
        let told = points_ui(ui, cx, view, color, name_row);
        if let Some(left) = told.or_else(|| moves_ui(ui, cx, view, color, name_row)) {
            name_row.max.x = left - px(8.0);
        }
        person(ui, cx, view, color, name_row, rect);
        plate_ui(ui, cx, view, color, below);
        return;
    }
    let mut name_row = row;
    name_row.max.x = row.right() - chips_ui(ui, cx, view, color, row) - px(8.0);
    person(ui, cx, view, color, name_row, rect);
    // Plate and cards share the room below the name.
    let plate =
        Rect::from_min_max(pos2(rect.right() - px(14.0) - rect.width() * 0.589, below.top()), below.max);
    let left = Rect::from_min_max(below.min, pos2(plate.left() - px(10.0), below.bottom()));
    plate_ui(ui, cx, view, color, plate);
    let card = (left.height() * 0.48).min(left.width() / (1.0 + 4.0 * 0.78) / CARD_SHAPE);
    let step = card * CARD_SHAPE * 0.78;
    let below_cards = foot_text(cx, view, color);
    let whole = step * 4.0 + card * CARD_SHAPE;
    let top = if below_cards.is_empty() { left.center().y - card / 2.0 } else { left.top() };
    let cards = Rect::from_min_size(pos2(left.left(), top), vec2(whole, card));
    cards_ui(ui, cx, view, color, cards, step);
    if !below_cards.is_empty() {
        let at = left.left_bottom() - vec2(0.0, px(1.0));
        let font = (egui::FontId::proportional(cx.sizes.small()), theme.muted);
        let area = write(&painter, at, Align2::LEFT_BOTTOM, &below_cards, font, left.width());
        let response = ui.interact(area, ui.scope_id().with(("below_cards", color)), Sense::hover());
        name(&response, Kind::Label, true, &below_cards);
    }
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
    let text = points_text(view, color)?;
    let font = (bold_font(cx.sizes.lead()), cx.theme.text);
    let area = write(ui.painter(), row.right_center(), Align2::RIGHT_CENTER, &text, font, row.width() * 0.5);
    label(ui, area, &format!("points-{}", color.word()), &points_words(cx, view, color));
    Some(area.left())
}

/// Writes which move of how many a player makes, at the right end of the name's row, if his stage has a number of moves.
/// Returns where the text begins. At events nobody is told how many moves were made.
fn moves_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, row: Rect) -> Option<f32> {
    let all = moves_of_stage(view, color).filter(|_| !view.is_event() && view.outcome.is_none())?;
    let text = cx.words.with("move-of", &[("count", view.clock.moves(color).into()), ("all", all.into())]);
    let font = (egui::FontId::proportional(cx.sizes.small()), cx.theme.muted);
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
        (cx.t("chips-word"), egui::FontId::proportional(cx.sizes.small()), cx.theme.muted)
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

/// What stands below the cards: the waiting clock while chips count, otherwise the pieces that can still come.
fn foot_text(cx: &Cx<'_>, view: &TableView, color: Color) -> String {
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
    let open = super::acts::is_open(view) && view.mover() == Some(color);
    let room = row.right() - words.right() - cx.sizes.px(12.0);
    // At events nobody is told what the board does not explain.
    let waits = !view.is_event() && view.waiting_press.is_some_and(|(by, _)| by == color);
    if (open || waits) && room > cx.sizes.px(110.0) {
        let text = cx.t(if waits { "press-waits" } else { "not-pressed-yet" });
        let font = egui::FontId::proportional(cx.sizes.small());
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

/// How a clock is to be drawn.
#[expect(clippy::struct_excessive_bools, reason = "each is one sign on a clock")]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ClockLook {
    pub(crate) left: Option<Millis>,
    pub(crate) running: bool,
    pub(crate) paused: bool,
    pub(crate) fallen: bool,
    /// Whether its last seconds have begun, in which tenths are shown.
    pub(crate) last: bool,
    /// The share of the stage's time that is left; `None` without a time for the whole stage.
    pub(crate) share: Option<f32>,
    /// The free time of each turn under the first stage's delay; zero without one.
    pub(crate) delay: Millis,
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
            last: !up && left.is_some_and(|left| left <= tenths_below(cx.settings) && left.0 > 0),
            delay: delay(view, color),
            share: left.and_then(|left| share(view, color, left)).filter(|_| !up),
            warned: cx.settings.warnings.iter().filter(passed).filter(|_| !up).count(),
            first: flags_shown
                && Color::ALL.iter().all(|side| view.clock.has_fallen(*side))
                && view.clock.flag() == Some(color),
            standing,
        }
    }

    /// The state of the clock's plate.
    pub(crate) fn state(&self) -> State {
        match self {
            Self { fallen: true, .. } => State::Fallen,
            Self { running: true, last: true, .. } => State::Last,
            Self { running: true, .. } => State::Runs,
            Self { paused: true, .. } => State::Stopped,
            Self { .. } => State::Stands,
        }
    }

    /// The clock's plate.
    pub(crate) fn plate(&self, cx: &Cx<'_>) -> Plate {
        Plate {
            text: self.digits(cx),
            state: self.state(),
            share: self.share,
            signs: self.signs(cx),
            warned: self.warned > 0,
            gold: None,
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

/// Draws the plate with what counts now: the clock, the stack while bets are made, or the result. A click on it presses
/// the clock.
fn plate_ui(ui: &Ui, cx: &mut Cx<'_>, view: &TableView, color: Color, rect: Rect) {
    let look = ClockLook::of(cx, view, color);
    plate::draw(ui.painter(), cx, rect, &plate_of(cx, view, color, look).passing(cx, ("plate", color)));
    let response = ui.interact(rect, ui.scope_id().with(("clock", color)), Sense::click());
    name(&response, Kind::Button, true, &look.words(cx, color));
    if response.clicked() && view.presser() == Some(color) {
        cx.wish(Wish::Press(Some(color)));
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

/// Draws a player's five cards, each `step` points to the right of the one before: open ones, backs for those that were
/// dealt, and empty places.
pub(crate) fn cards_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, rect: Rect, step: f32) {
    let theme = cx.theme;
    let size = vec2(rect.height() * CARD_SHAPE, rect.height());
    let shown = &view.cards[color];
    let dealt = dealt(view);
    for nth in 0..HAND {
        #[expect(clippy::cast_precision_loss, reason = "five cards")]
        let at = pos2(rect.left() + step * nth as f32, rect.top());
        let place = Rect::from_min_size(at, size);
        let response = ui.interact(place, ui.scope_id().with(("card", color, nth)), Sense::hover());
        let turned = cx.turned(color, nth, shown.get(nth).is_some());
        match shown.get(nth) {
            Some(card) => {
                shown_card(ui.painter(), cx, (place, turned), color, *card);
                name(&response, Kind::Label, true, &card_name(cx, color, *card));
            }
            None if nth < dealt => Art::card_back(ui.painter(), place),
            None => dashed(ui.painter(), place.shrink(1.0), Stroke::new(1.0, theme.edge), 3.0),
        }
    }
}

/// How many cards each player has been dealt, as the stages of the game tell.
fn dealt(view: &TableView) -> usize {
    let Some(Stages { names, now }) = view.stages else { return 0 };
    let dealt = |stage: &&str| stage.strip_prefix("deal-").and_then(|count| count.parse::<usize>().ok());
    names.iter().take(now).filter_map(dealt).sum()
}

fn control(view: &TableView, color: Color) -> TimeControl {
    view.agreement.terms.setting(view.seats.white).controls[color].clone()
}

/// How many byo-yomi periods a side has at the beginning; 0 without byo-yomi.
pub(crate) fn periods_of(view: &TableView, color: Color) -> u64 {
    match control(view, color).stages().last() {
        Some(Stage::Byoyomi { periods, .. }) => u64::from(*periods),
        _ => 0,
    }
}

/// The number of moves at which the stage that a side plays now ends, counted from the first move; `None` if it has none.
pub(crate) fn moves_of_stage(view: &TableView, color: Color) -> Option<u32> {
    let made = view.clock.moves(color);
    let control = control(view, color);
    let mut ends = 0;
    for stage in control.stages() {
        let Stage::Time { moves: Some(moves), .. } = stage else { return None };
        ends += moves;
        if made < ends {
            return Some(ends);
        }
    }
    None
}

/// The free time of each turn under the first stage's delay.
fn delay(view: &TableView, color: Color) -> Millis {
    match control(view, color).stages().first() {
        Some(Stage::Time { bonus, .. }) => bonus.delay(),
        _ => Millis::ZERO,
    }
}

/// The share of its first stage's time that a side has left.
fn share(view: &TableView, color: Color, left: Millis) -> Option<f32> {
    let control = control(view, color);
    let first = control.stages().first()?;
    let Stage::Time { base, .. } = first else { return None };
    #[expect(clippy::cast_precision_loss, reason = "a share of a line's width")]
    let share = left.0 as f32 / base.0.max(1) as f32;
    Some(share.min(1.0))
}

/// Draws an open card, or one that is just being turned over to this share.
fn shown_card(painter: &Painter, cx: &Cx<'_>, (rect, turned): (Rect, f32), color: Color, card: ShownCard) {
    let letter = cx.words.letter(card.card.role());
    cx.art.turning_card(painter, (rect, turned), card.card, color, &letter);
    if turned < 1.0 {
        return;
    }
    if let Some(piece) = card.piece.filter(|piece| *piece != card.card) {
        // A badge over the corner shows the piece that the card became.
        let badge = Rect::from_min_size(rect.center(), rect.size() * 0.5);
        painter.rect(
            badge,
            CornerRadius::same(4),
            cx.theme.gold_ink,
            Stroke::new(1.0, cx.theme.on_gold),
            StrokeKind::Inside,
        );
        painter.text(
            badge.center(),
            Align2::CENTER_CENTER,
            cx.words.letter(piece.role()),
            bold_font(badge.height() * 0.7),
            cx.theme.on_gold,
        );
    }
    if card.piece.is_none() {
        painter.rect_stroke(
            rect,
            CornerRadius::same(6),
            Stroke::new(2.5, cx.theme.gold_edge),
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
