//! The second window, for spectators, for a projector or as a public clock. It shows board, clocks, cards and pot, the
//! last move and who thinks, but nothing that only the arbiter may see, and it has nothing to press. Its sizes follow
//! its own window alone.

use egui::{
    Align2, CornerRadius, FontId, Rect, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, pos2, vec2,
};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Actor, Phase, Stages};
use tabiya_types::{Color, Millis};

use super::art;
use super::board::{BoardLook, BoardState, Dim, board_ui};
use super::cx::Cx;
use super::kit::plate;
use super::kit::score::figurine;
use super::kit::{cut_bottom, cut_top, fitting, write};
use super::table::clock_look::ClockLook;
use super::table::seat::{draw_colour_edge, is_to_act, plate_of, points_text, points_words, shows_stack};
use super::table::seat_cards::cards_ui;
use super::theme::{PANEL_RADIUS, Sizes, bold_font};
use super::widgets::{label, name};

/// The measures of the drawings, for a window of 1280 × 800.
const DRAWN: Vec2 = vec2(1280.0, 800.0);
const HEADER: f32 = 40.0;
const SEAT: f32 = 196.0;
const POT: f32 = 76.0;
const LAST_MOVE: f32 = 54.0;
const GAP: f32 = 14.0;

/// The sizes in a window of this size: words grow with it, whatever the settings say.
pub(super) fn sizes(window: Vec2) -> Sizes {
    let scale = (window.x / DRAWN.x).min(window.y / DRAWN.y).max(0.3);
    Sizes { rem: (32.0 * scale).round() / 2.0 }
}

/// Draws the spectators' view into the remaining area.
pub(super) fn public_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    let mut area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let sizes = cx.sizes;
    let gap = sizes.px(GAP);
    if view.clock_alone {
        let half = vec2(area.width() / 2.0 - gap / 2.0, area.height());
        for (color, x) in [(Color::White, area.left()), (Color::Black, area.right() - half.x)] {
            seat_ui(ui, cx, view, color, Rect::from_min_size(pos2(x, area.top()), half));
        }
        return;
    }
    let header = cut_top(&mut area, sizes.px(HEADER), sizes.px(8.0));
    header_ui(ui, cx, view, header);
    let side = area.height().min(area.width() * 0.58);
    let board = Rect::from_min_size(area.min, Vec2::splat(side));
    ui.scope_builder(UiBuilder::new().max_rect(board), |ui| {
        let betting = view.has_chips() && matches!(view.phase, Phase::Deal | Phase::Bet);
        let dim = if betting { Dim::All } else { Dim::Nothing };
        let look = BoardLook { dim, ..BoardLook::of_view(view, cx.below()) };
        board_ui(ui, cx, side, &look, &mut BoardState::default());
    });
    let mut right = Rect::from_min_max(pos2(board.right() + gap, area.top()), area.max);
    let seat = sizes.px(SEAT).min(right.height() * 0.3);
    let far = cut_top(&mut right, seat, gap);
    seat_ui(ui, cx, view, cx.below().other(), far);
    let near = cut_bottom(&mut right, seat, gap);
    seat_ui(ui, cx, view, cx.below(), near);
    if view.has_chips() {
        let pot = cut_top(&mut right, sizes.px(POT), sizes.px(8.0));
        pot_ui(ui, cx, view, pot);
    }
    middle_ui(ui, cx, view, right);
}

/// Writes the game and its number, and what the match is played for.
fn header_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, row: Rect) {
    let sizes = cx.sizes;
    let game = cx.words.word("game", view.agreement.game);
    let number = cx.words.with("game-number", &[("number", view.number.into())]);
    let font = (bold_font(sizes.name()), cx.theme.text);
    write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &game, font, row.width() * 0.5);
    let font = (FontId::proportional(sizes.name()), cx.theme.muted);
    write(ui.painter(), row.right_center(), Align2::RIGHT_CENTER, &number, font, row.width() * 0.4);
    label(ui, row, "public-header", &format!("{game}, {number}"));
}

/// Draws one player: name, chips, cards and the plate with what counts now.
fn seat_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, color: Color, rect: Rect) {
    let (theme, sizes) = (cx.theme, cx.sizes);
    let acts = is_to_act(view, color);
    let edge = theme.lamp_edge(cx.gold(("lamp", color), acts));
    ui.painter().rect(rect, CornerRadius::same(PANEL_RADIUS), theme.panel, edge, StrokeKind::Inside);
    draw_colour_edge(ui.painter(), theme, rect, color);
    let mut inner = Rect::from_min_max(
        rect.min + vec2(sizes.px(22.0), sizes.px(10.0)),
        rect.max - vec2(sizes.px(16.0), sizes.px(14.0)),
    );
    let row = cut_top(&mut inner, sizes.px(50.0).min(rect.height() * 0.3), sizes.px(6.0));
    name_ui(ui, cx, view, color, row);
    let mut plate = inner;
    if view.has_chips() {
        plate.min.x = inner.right() - inner.width() * 0.55;
        let card = (inner.height() * 0.66).min((plate.left() - inner.left() - sizes.px(12.0)) / 3.0);
        let step = card * 0.54;
        let at = pos2(inner.left(), inner.bottom() - card);
        let cards = Rect::from_min_size(at, vec2(step * 4.0 + card * 0.72, card));
        cards_ui(ui, cx, view, color, cards, step);
    }
    let look = ClockLook::of(cx, view, color);
    plate::draw(ui.painter(), cx, plate, &plate_of(cx, view, color, look).passing(cx, ("plate", color)));
    let response = ui.interact(rect, ui.scope_id().with(("public", color)), Sense::hover());
    name(&response, Role::Label, true, &format!("{}: {}", view.names[color], look.words(cx, color)));
}

fn name_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, row: Rect) {
    let sizes = cx.sizes;
    let radius = row.height() * 0.28;
    let center = pos2(row.left() + radius, row.center().y);
    art::color_disc(ui.painter(), center, radius, color, cx.theme);
    let mut right = row.right();
    if view.has_chips() {
        let stack = view.stakes.stacks[color].0;
        let font = (bold_font(sizes.title()), cx.theme.text);
        let at = row.right_center();
        // While bets are made the plate shows the stack.
        let text = if shows_stack(view) { String::new() } else { stack.to_string() };
        let number = write(ui.painter(), at, Align2::RIGHT_CENTER, &text, font, row.width() * 0.3);
        let height = sizes.px(26.0);
        let width = art::chips_width(stack, height, row.width() * 0.26);
        let at = pos2(number.left() - sizes.px(12.0) - width, row.center().y - height / 2.0);
        art::chips(ui.painter(), at, height, stack, width);
        right = at.x - sizes.px(10.0);
    }
    if let Some(points) = points_text(view, color) {
        let font = (bold_font(sizes.title()), cx.theme.text);
        let place = row.right_center();
        let number = write(ui.painter(), place, Align2::RIGHT_CENTER, &points, font, row.width() * 0.4);
        label(ui, number, &format!("public-points-{}", color.word()), &points_words(cx, view, color));
        right = number.left() - sizes.px(10.0);
    }
    let at = pos2(center.x + radius + sizes.px(12.0), row.center().y);
    let who = &view.names[color];
    let size = fitting(ui.painter(), who, &bold_font, sizes.px(31.0), right - at.x).max(sizes.rem);
    write(ui.painter(), at, Align2::LEFT_CENTER, who, (bold_font(size), cx.theme.text), right - at.x);
}

/// Draws the pot on its felt.
fn pot_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, rect: Rect) {
    let (theme, sizes) = (cx.theme, cx.sizes);
    let pot = view.stakes.pot().0;
    let edge = Stroke::new(2.0, theme.felt_line);
    ui.painter().rect(rect, CornerRadius::same(PANEL_RADIUS), theme.felt, edge, StrokeKind::Inside);
    let at = pos2(rect.left() + sizes.px(24.0), rect.center().y);
    let font = (FontId::proportional(sizes.px(26.0)), theme.on_felt);
    let word = write(ui.painter(), at, Align2::LEFT_CENTER, &cx.t("pot-word"), font, rect.width() * 0.3);
    let at = pos2(word.right() + sizes.px(18.0), rect.center().y);
    let font = (bold_font(rect.height() * 0.74), theme.on_felt);
    let number = write(ui.painter(), at, Align2::LEFT_CENTER, &pot.to_string(), font, rect.width() * 0.4);
    let height = rect.height() * 0.5;
    let room = rect.right() - number.right() - sizes.px(48.0);
    let width = art::chips_width(pot, height, room.max(0.0));
    let at = pos2(rect.right() - sizes.px(24.0) - width, rect.center().y - height / 2.0);
    art::chips(ui.painter(), at, height, pot, width);
    let said = cx.words.with("pot-is", &[("count", pot.into())]);
    label(ui, rect, "public-pot", &said);
}

/// Writes what happened last, who thinks and for how long, and the last moves.
fn middle_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, mut area: Rect) {
    let sizes = cx.sizes;
    let row = cut_top(&mut area, sizes.px(LAST_MOVE) * 1.35, 0.0);
    let mut told = vec![headline_ui(ui, cx, view, row)];
    let line = thinks(cx, view);
    if !line.is_empty() {
        let row = cut_top(&mut area, sizes.px(34.0), sizes.px(8.0));
        let font = |size: f32| FontId::proportional(size);
        let size = fitting(ui.painter(), &line, &font, sizes.px(26.0), row.width());
        let ink = (font(size), cx.theme.muted);
        write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &line, ink, row.width());
        told.push(line);
    }
    label(ui, row, "public-middle", &told.join(", "));
    moves_ui(ui, cx, view, area);
}

/// Writes the result, the last move, or the stage of the game as large as the room allows. Returns what is written.
fn headline_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, row: Rect) -> String {
    let sizes = cx.sizes;
    let font = |size: f32| bold_font(size);
    let plain = |text: String| {
        let size = fitting(ui.painter(), &text, &font, sizes.px(LAST_MOVE), row.width());
        let ink = (font(size), cx.theme.text);
        write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &text, ink, row.width());
        text
    };
    if let Some(outcome) = view.outcome {
        return plain(cx.winner(view, outcome));
    }
    let Some((number, by, san)) = last_move(view) else {
        return stage(cx, view).map_or_else(String::new, plain);
    };
    let number = if by == Color::White { format!("{number}.") } else { format!("{number} …") };
    let ink = (font(sizes.px(LAST_MOVE)), cx.theme.text);
    let end = write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &number, ink.clone(), row.width());
    let at = pos2(end.right() + sizes.px(18.0), row.center().y);
    figurine(ui, cx, at, san, ink, row.right() - at.x);
    cx.words.san(san)
}

/// The stage of the game in words; betting rounds are counted.
fn stage(cx: &Cx<'_>, view: &TableView) -> Option<String> {
    let Stages { names, now } = view.stages?;
    let stage = *names.get(now)?;
    if stage != "bet" {
        return Some(cx.words.word("stage", stage));
    }
    let streets = names.iter().take(now + 1).filter(|name| **name == "bet").count();
    Some(cx.words.with("stage-bets", &[("number", streets.into())]))
}

/// The number, the player and the notation of the last move.
fn last_move(view: &TableView) -> Option<(u32, Color, &String)> {
    let san = view.moves.last()?;
    let offset = usize::from(view.first_mover == Color::Black);
    let ply = view.moves.len() - 1 + offset;
    let by = if ply.is_multiple_of(2) { Color::White } else { Color::Black };
    Some((view.first_number + u32::try_from(ply / 2).unwrap_or(0), by, san))
}

/// Who thinks and for how long, or how the game ended.
fn thinks(cx: &Cx<'_>, view: &TableView) -> String {
    if let Some(outcome) = view.outcome {
        return cx.reason(outcome.reason);
    }
    let Some(turn) = view.clock.turn() else {
        return match view.to_act {
            Actor::Player(color) => {
                cx.words.with("is-to-move", &[("name", view.names[color].clone().into())])
            }
            Actor::Dealer | Actor::Nobody => String::new(),
        };
    };
    let who = view.names[turn].clone();
    if view.clock.paused() || cx.snapshot.time.stopped_at.is_some() {
        return cx.t("paused");
    }
    let spent = view.turn_began.zip(view.clock.reading(turn, cx.at));
    let spent = spent.map(|(began, left)| Millis(began.0.abs_diff(left.0) / 1000 * 1000));
    match spent {
        Some(spent) => {
            let facts = [("name", who.into()), ("time", spent.to_string().into())];
            cx.words.with("thinks-so-far", &facts)
        }
        None => cx.words.with("thinks", &[("name", who.into())]),
    }
}

/// Writes as many of the last moves as have room, in two columns.
fn moves_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, area: Rect) {
    let sizes = cx.sizes;
    let line = sizes.px(33.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few lines")]
    let room = (area.height() / line).floor().max(0.0) as usize;
    let mut cells: Vec<Option<&String>> = Vec::new();
    if view.first_mover == Color::Black {
        cells.push(None);
    }
    cells.extend(view.moves.iter().map(Some));
    let rows: Vec<_> = cells.chunks(2).zip(view.first_number..).collect();
    let shown = rows.get(rows.len().saturating_sub(room)..).unwrap_or_default();
    let mut y = area.top() + line / 2.0;
    let numbers = sizes.px(46.0);
    let half = (area.width() - numbers) / 2.0;
    for (pair, number) in shown {
        let font = (FontId::proportional(sizes.px(24.0)), cx.theme.muted);
        let at = pos2(area.left() + numbers - sizes.px(10.0), y);
        write(ui.painter(), at, Align2::RIGHT_CENTER, &number.to_string(), font, numbers);
        for (san, left) in pair.iter().zip([0.0, half]) {
            let Some(san) = san else { continue };
            let font = (FontId::proportional(sizes.px(24.0)), cx.theme.text);
            let at = pos2(area.left() + numbers + left, y);
            figurine(ui, cx, at, san, font, half - sizes.px(6.0));
        }
        y += line;
    }
}
