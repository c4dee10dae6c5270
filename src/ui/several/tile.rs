//! A table as a tile: both players with their clocks, the board, and beside it the number, the stage and what is the matter. Gold is
//! in the chosen tile alone; in the others an edge shows who is to act.

use egui::{Align2, CornerRadius, FontId, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};
use tabiya_app::snapshot::{BoardFact, LinkState, TableView};
use tabiya_engine::rules::{Phase, Stages};
use tabiya_types::Color;

use super::{Standing, TileNow};
use crate::art::color_disc;
use crate::board::{BoardLook, Dim, small_board};
use crate::cx::Cx;
use crate::kit::group::TabGroup;
use crate::kit::icon::Icon;
use crate::kit::panel::round;
use crate::kit::plate::{State, lay_out};
use crate::kit::{dashed, rows, write};
use crate::table::clock_look::ClockLook;
use crate::table::seat::is_to_act;
use crate::theme::{PANEL_RADIUS, PLATE_RADIUS, bold_font};
use crate::widgets::name_with;

/// The height of a player's line, the width of a clock, and the least width beside the board, at a rem of 16 points.
const LINE: f32 = 36.0;
const CLOCK: f32 = 86.0;
const SIDE: f32 = 75.0;

/// Draws a tile, and returns whether it was clicked.
pub(super) fn tile_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    table: &TileNow,
    (number, place, chosen): (usize, Rect, bool),
    group: &mut TabGroup,
) -> bool {
    let standing = Standing::of(table);
    // The Tab key stops at one tile; the arrow keys lead to the others.
    let sense = if group.stops() { Sense::click() } else { Sense::CLICK };
    let response = group.add(ui.interact(place, ui.scope_id().with(("tile", number)), sense));
    name_with(&response, Role::Button, || in_words(cx, table, number));
    ground(ui, cx, place, standing, chosen || response.hovered(), chosen);
    let px = |points: f32| cx.sizes.px(points);
    let inner = place.shrink2(vec2(px(11.0), px(8.0)));
    let line = px(LINE).min(inner.height() * 0.18);
    let top = inner.with_max_y(inner.top() + line);
    let bottom = inner.with_min_y(inner.bottom() - line);
    let middle = Rect::from_min_max(
        pos2(inner.left(), top.bottom() + px(8.0)),
        pos2(inner.right(), bottom.top() - px(8.0)),
    );
    let side = middle.height().min(middle.width() - px(SIDE)).max(px(24.0));
    // A tile that is wide for its board has both in its middle.
    let left = middle.left() + (middle.width() - side - px(SIDE) - px(40.0)).max(0.0) / 2.0;
    let board = Rect::from_min_size(pos2(left, middle.center().y - side / 2.0), Vec2::splat(side));
    let beside =
        Rect::from_min_max(pos2(board.right() + px(9.0), board.top()), pos2(inner.right(), board.bottom()));
    if let Some(view) = table.snapshot.table.as_deref() {
        let below = cx.below();
        for (color, row) in [(below.other(), top), (below, bottom)] {
            player(ui, cx, view, color, row, chosen);
        }
        middle_ui(ui, cx, view, standing, (board, chosen));
    } else {
        empty(ui, cx, board, &cx.t(if table.alive { "hall-no-match" } else { "several-broken" }), "");
    }
    beside_ui(ui, cx, table, standing, number, beside);
    response.clicked()
}

/// Draws the ground and the edge of a tile.
fn ground(ui: &Ui, cx: &Cx<'_>, place: Rect, standing: Standing, raised: bool, chosen: bool) {
    let theme = cx.theme;
    let trouble = matches!(standing, Standing::Differs | Standing::Lost | Standing::Broken);
    let fill = match standing {
        Standing::Differs | Standing::Broken => theme.bad_wash,
        _ if raised => theme.raised,
        Standing::Done | Standing::Empty => theme.well,
        Standing::Lost | Standing::Asks | Standing::Stopped | Standing::Plays => theme.panel,
    };
    let edge = match (chosen, trouble, standing) {
        (true, ..) => Stroke::new(3.0, theme.ivory),
        (false, true, _) => Stroke::new(2.0, theme.bad),
        (false, false, Standing::Stopped) => Stroke::NONE,
        (false, false, _) => Stroke::new(1.0, theme.line),
    };
    ui.painter().rect(place, CornerRadius::same(PANEL_RADIUS), fill, edge, StrokeKind::Inside);
    if standing == Standing::Stopped && !chosen {
        dashed(ui.painter(), place.shrink(1.0), Stroke::new(1.5, theme.edge), 5.0);
    }
}

/// Draws a player's line: colour, name, stack, clock.
fn player(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, row: Rect, chosen: bool) {
    let (theme, painter) = (cx.theme, ui.painter());
    let px = |points: f32| cx.sizes.px(points);
    let radius = (row.height() * 0.33).min(px(12.0));
    let disc = pos2(row.left() + radius, row.center().y);
    color_disc(painter, disc, radius, color, theme);
    let look = ClockLook::of(cx, view, color);
    let mut right = row.right();
    if look.left.is_some() && view.outcome.is_none() {
        let width = px(CLOCK).min(row.width() * 0.36);
        clock(ui, cx, view, (color, &look), row.with_min_x(row.right() - width), chosen);
        right -= width + px(8.0);
    }
    if view.has_chips() {
        let text = view.stakes.stacks[color].0.to_string();
        let font = (FontId::proportional(cx.sizes.small()), theme.muted);
        right = write(painter, pos2(right, row.center().y), Align2::RIGHT_CENTER, &text, font, px(50.0))
            .left()
            - px(6.0);
    }
    let at = pos2(disc.x + radius + px(8.0), row.center().y);
    let font = (bold_font(cx.sizes.rem.min(row.height() * 0.6)), theme.text);
    write(painter, at, Align2::LEFT_CENTER, &view.names[color], font, right - at.x);
}

/// Draws a clock: gold in the chosen tile, and with an edge in the others, for who is to act.
fn clock(
    ui: &Ui,
    cx: &Cx<'_>,
    view: &TableView,
    (color, look): (Color, &ClockLook),
    place: Rect,
    chosen: bool,
) {
    let theme = cx.theme;
    let acts = is_to_act(view, color) && !view.clock.paused();
    let (fill, ink, edge) = match look.state() {
        State::Last | State::Fallen => (theme.bad_fill, theme.on_bad, Stroke::new(2.0, theme.bad)),
        _ if acts && chosen => (theme.gold, theme.on_gold, Stroke::new(1.0, theme.gold_edge)),
        _ if acts => (theme.well, theme.text, Stroke::new(2.0, theme.ivory)),
        _ => (theme.well, theme.muted, Stroke::new(1.0, theme.line)),
    };
    ui.painter().rect(place, CornerRadius::same(PLATE_RADIUS), fill, edge, StrokeKind::Inside);
    let galley = lay_out(ui.painter(), place.shrink2(vec2(4.0, 2.0)), &look.digits(cx), ink);
    ui.painter().galley(place.center() - galley.mesh_bounds.center().to_vec2(), galley, ink);
}

/// Draws the board, or the result of what is over.
fn middle_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, standing: Standing, (place, chosen): (Rect, bool)) {
    if let Some(outcome) = view.outcome.filter(|_| standing == Standing::Done) {
        empty(ui, cx, place, &cx.score(outcome), &cx.winner(view, outcome));
        return;
    }
    if !view.has_board {
        empty(ui, cx, place, &cx.words.word("game", view.agreement.game), "");
        return;
    }
    let mut look = BoardLook::of_view(view, cx.below());
    // A move that is not pressed is marked in gold.
    look.open = chosen && crate::table::acts::is_open(view);
    if view.has_chips() && matches!(view.phase, Phase::Deal | Phase::Bet) {
        look.dim = Dim::All;
    }
    small_board(ui, cx, place, &look);
}

/// Draws words in place of a board.
fn empty(ui: &Ui, cx: &Cx<'_>, place: Rect, title: &str, under: &str) {
    let (theme, painter) = (cx.theme, ui.painter());
    let edge = Stroke::new(1.0, theme.line);
    painter.rect(place, CornerRadius::same(PLATE_RADIUS), theme.well, edge, StrokeKind::Inside);
    let up = if under.is_empty() { 0.0 } else { cx.sizes.px(10.0) };
    let font = (bold_font(cx.sizes.title().min(place.width() * 0.16)), theme.text);
    let room = place.width() - cx.sizes.px(12.0);
    write(painter, place.center() - vec2(0.0, up), Align2::CENTER_CENTER, title, font, room);
    let font = (FontId::proportional(cx.sizes.rem), theme.text);
    let at = place.center() + vec2(0.0, cx.sizes.px(18.0));
    write(painter, at, Align2::CENTER_CENTER, under, font, room);
}

/// Draws what stands beside the board: the number, the stage, the pot; and at the bottom what is the matter, and the board.
fn beside_ui(ui: &Ui, cx: &Cx<'_>, table: &TileNow, standing: Standing, number: usize, area: Rect) {
    let (theme, painter) = (cx.theme, ui.painter());
    let px = |points: f32| cx.sizes.px(points);
    let font = (bold_font(cx.sizes.title()), theme.text);
    let head = write(
        painter,
        area.left_top() - vec2(0.0, px(4.0)),
        Align2::LEFT_TOP,
        &number.to_string(),
        font,
        area.width(),
    );
    let small = |ink| (FontId::proportional(cx.sizes.small()), ink);
    let mut y = head.bottom() + px(2.0);
    if let Some(view) = table.snapshot.table.as_deref() {
        let at = pos2(area.left(), y);
        y = write(painter, at, Align2::LEFT_TOP, &stage(cx, view), small(theme.text), area.width()).bottom()
            + px(6.0);
        if view.has_chips() && view.outcome.is_none() {
            pot(ui, cx, pos2(area.left(), y), view.stakes.pot().0);
        }
    }
    let board = write(
        painter,
        area.left_bottom(),
        Align2::LEFT_BOTTOM,
        &board_word(cx, table),
        small(theme.muted),
        area.width(),
    );
    let Some((icon, word, ink)) = sign(cx, standing) else { return };
    let words = rows(painter, &word, small(ink), area.width(), 2);
    let at = pos2(area.left(), board.top() - px(4.0) - words.size().y);
    let mark = Rect::from_min_size(at - vec2(0.0, px(20.0)), Vec2::splat(px(17.0)));
    if mark.top() > y + px(20.0) {
        icon.draw(painter, mark, ink);
        painter.galley(at, words, ink);
    } else {
        icon.draw(painter, mark.translate(vec2(0.0, px(20.0) + at.y - mark.bottom())), ink);
    }
}

/// Draws the pot as a pill of felt.
fn pot(ui: &Ui, cx: &Cx<'_>, at: egui::Pos2, amount: u32) {
    let (theme, size) = (cx.theme, cx.sizes.small());
    let (text, font) = (amount.to_string(), bold_font(size));
    let width = ui.painter().layout_no_wrap(text.clone(), font.clone(), theme.on_felt).size().x + size * 1.3;
    let pill = Rect::from_min_size(at, vec2(width, size * 1.35));
    let edge = Stroke::new(1.0, theme.felt_line);
    ui.painter().rect(pill, CornerRadius::same(round(size * 0.68)), theme.felt, edge, StrokeKind::Inside);
    write(ui.painter(), pill.center(), Align2::CENTER_CENTER, &text, (font, theme.on_felt), width);
}

/// The stage of a table in a word or two: `Bets 2`, `Chess`, `done`.
fn stage(cx: &Cx<'_>, view: &TableView) -> String {
    if view.outcome.is_some() || view.match_over {
        return cx.t("hall-done-word-one");
    }
    let streets =
        |Stages { names, now }: Stages| names.iter().take(now + 2).filter(|name| **name == "bet").count();
    match view.phase {
        Phase::Bet | Phase::Deal => {
            format!("{} {}", cx.t("hall-bets"), view.stages.map_or(1, streets).max(1))
        }
        Phase::Place => cx.t("hall-placing"),
        // In a game with rounds of bets, chess is a stage of it.
        Phase::Chess if view.has_chips() => cx.t("hall-chess"),
        _ => cx.words.word("game", view.agreement.game),
    }
}

/// The board of a table in a word: its maker, or that there is none.
fn board_word(cx: &Cx<'_>, table: &TileNow) -> String {
    let board = &table.snapshot.board;
    let maker =
        board.facts.iter().find(|(fact, _)| *fact == BoardFact::Maker).map(|(_, maker)| maker.clone());
    match &board.link {
        LinkState::None => cx.t("board-none"),
        LinkState::Connecting => cx.t("board-connecting"),
        LinkState::Lost(_) if !board.answered => cx.t("board-not-found"),
        LinkState::Connected if board.simulated.is_some() => cx.t("simulated-board"),
        LinkState::Lost(_) | LinkState::Connected => maker.unwrap_or_else(|| cx.t("board-connected")),
    }
}

/// The sign of what is the matter, and its word.
fn sign(cx: &Cx<'_>, standing: Standing) -> Option<(Icon, String, egui::Color32)> {
    let theme = cx.theme;
    let (icon, word, ink) = match standing {
        Standing::Broken => (Icon::Warning, "several-broken", theme.bad),
        Standing::Differs => (Icon::Warning, "board-differs", theme.bad),
        Standing::Lost => (Icon::Cable, "board-lost", theme.bad),
        Standing::Asks => (Icon::Hand, "several-asks", theme.text),
        Standing::Stopped => (Icon::Pause, "hall-stopped", theme.text),
        Standing::Done | Standing::Empty | Standing::Plays => return None,
    };
    Some((icon, cx.t(word), ink))
}

/// A table in words, for who listens.
fn in_words(cx: &Cx<'_>, table: &TileNow, number: usize) -> String {
    let mut said = vec![cx.words.with("hall-table", &[("table", number.into())])];
    match table.snapshot.table.as_deref() {
        None => said.push(cx.t("hall-no-match")),
        Some(view) => {
            said.push(stage(cx, view));
            for color in Color::ALL {
                let mut side = vec![view.names[color].clone()];
                let look = ClockLook::of(cx, view, color);
                side.extend(look.left.map(|_| look.words(cx, color)));
                if is_to_act(view, color) {
                    side.push(cx.t("hall-to-act"));
                }
                said.push(side.join(" "));
            }
            said.extend(view.outcome.map(|outcome| cx.winner(view, outcome)));
        }
    }
    said.extend(sign(cx, Standing::of(table)).map(|(_, word, _)| word));
    said.push(board_word(cx, table));
    said.join(", ")
}
