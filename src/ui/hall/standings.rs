//! The page of the standings: places with their tie-breaks, or the crosstable, and at the right what a place is made of. The edition of
//! the regulations stands in the head.
//!
//! Source: `docs/rounds.md`, "Standings".

use egui::{Align2, Color32, FontId, Key, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use tabiya_app::hall::{HallView, PlaceRow, RoundsView};

use super::state::{DeskState, PlacesAs};
use super::{DETAIL, GAP, WITH_DETAIL, inside};
use crate::art::color_disc;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::group::TabGroup;
use crate::kit::{cut_top, panel, rows, triangle, write};
use crate::theme::bold_font;
use crate::widgets::{label, name_with};

/// The heights of the head and of a row, at a rem of 16 points.
const HEAD: f32 = 32.0;
const ROW: f32 = 27.0;
/// The widths of columns, at a rem of 16 points.
const PLACE: f32 = 42.0;
const MOVED: f32 = 36.0;
const NUMBER: f32 = 40.0;
const RATING: f32 = 56.0;
const POINTS: f32 = 60.0;
const VALUE: f32 = 68.0;
const CELL: f32 = 86.0;
const DISC: f32 = 18.0;
/// Which cell of a row says how the player has moved.
const MOVED_CELL: usize = 1;

/// Draws the page.
pub(super) fn standings_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, area: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let Some(rounds) = view.rounds.as_deref().filter(|rounds| !rounds.standings.is_empty()) else {
        panel::ground(ui.painter(), cx.theme, area);
        let text = cx.t("standings-empty");
        let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
        let place = area.shrink(px(20.0));
        let galley = rows(ui.painter(), &text, font, place.width(), 4);
        ui.painter().galley(place.min, galley, cx.theme.muted);
        label(ui, place, "standings-empty", &text);
        return;
    };
    let wide = cx.ctx.content_rect().width() / cx.sizes.rem;
    let mut left = area;
    let right = (wide >= WITH_DETAIL).then(|| {
        let column = left.with_min_x(left.right() - px(DETAIL));
        left.max.x = column.left() - px(GAP);
        column
    });
    inside(ui, left, |ui| list_ui(ui, cx, rounds, state, left));
    if let Some(right) = right {
        inside(ui, right, |ui| why_ui(ui, cx, rounds, state, right));
    }
}

fn list_ui(ui: &mut Ui, cx: &Cx<'_>, rounds: &RoundsView, state: &mut DeskState, mut area: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let head = cut_top(&mut area, px(36.0), px(10.0));
    head_ui(ui, cx, rounds, state, head);
    panel::ground(ui.painter(), cx.theme, area);
    let mut area = area.shrink2(vec2(1.0, 2.0));
    let crosstable = state.kept.table == PlacesAs::Crosstable;
    let columns = cut_top(&mut area, px(HEAD), 0.0);
    // Beside the bar that scrolls, if there are more places than rows.
    let bar = ui.spacing().scroll.allocated_width();
    let columns = columns.with_max_x(columns.right() - bar);
    columns_ui(ui, cx, rounds, crosstable, columns.shrink2(vec2(px(10.0), 0.0)));
    ui.scope_builder(egui::UiBuilder::new().max_rect(area), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let height = px(ROW);
        let (all, width) = (&rounds.standings, columns.width());
        ScrollArea::vertical().id_salt("standings").auto_shrink(false).show_rows(
            ui,
            height,
            all.len(),
            |ui, seen| {
                let shown = all.get(seen).unwrap_or_default();
                let chosen = shown.iter().position(|row| state.player == Some(row.number));
                let mut group = TabGroup::new(ui, "places", chosen);
                for row in shown {
                    let (place, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
                    let sense = if group.stops() { Sense::click() } else { Sense::CLICK };
                    let id = ui.scope_id().with(("place", row.number));
                    let response = group.add(ui.interact(place, id, sense));
                    name_with(&response, Role::Button, || in_words(cx, rounds, row));
                    if response.clicked() {
                        state.player = Some(row.number);
                    }
                    let is_chosen = state.player == Some(row.number);
                    ground_ui(ui, cx, (rounds, row), state, (place, is_chosen, response.hovered()));
                    row_ui(ui, cx, (rounds, row), crosstable, place.shrink2(vec2(px(10.0), 0.0)));
                }
                group.end(ui);
            },
        );
    });
}

fn head_ui(ui: &mut Ui, cx: &Cx<'_>, rounds: &RoundsView, state: &mut DeskState, row: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let mut x = row.left();
    for (shown_as, id) in [(PlacesAs::List, "page-standings"), (PlacesAs::Crosstable, "standings-crosstable")]
    {
        let text = cx.t(id);
        let width =
            ui.painter().layout_no_wrap(text.clone(), bold_font(cx.sizes.rem), cx.theme.text).size().x;
        let place = Rect::from_min_size(pos2(x, row.top()), vec2(width + px(28.0), row.height()));
        let face = ButtonFace::new(Kind::Choice(state.kept.table == shown_as), &text);
        if button_at(ui, cx, place, id, &face).clicked() {
            state.kept.table = shown_as;
        }
        x = place.right() + px(6.0);
    }
    let facts = [
        ("round", rounds.round.into()),
        ("rounds", rounds.planned.into()),
        ("missing", rounds.missing().into()),
    ];
    let after = cx.words.with("standings-after", &facts);
    let edition = if rounds.chips {
        cx.t("standings-chips")
    } else {
        cx.words.with("standings-edition", &[("edition", rounds.edition.into())])
    };
    let text = format!("{after} · {edition}");
    let font = (bold_font(cx.sizes.rem), cx.theme.ivory);
    write(ui.painter(), row.right_center(), Align2::RIGHT_CENTER, &text, font, row.right() - x - px(8.0));
    label(ui, row.with_min_x(x), "standings-head", &text);
}

/// A cell of a row: its place, how it is set, its words, whether they are bold.
type StandingCell = (Rect, Align2, String, bool);

/// The place of the disc with the player's colour, in the cell of a round.
fn disc_at(cx: &Cx<'_>, cell: Rect) -> egui::Pos2 {
    pos2(cell.left() + cx.sizes.px(6.0), cell.center().y)
}

/// The cells of a row with these texts: place, movement, number, name, federation, rating, points, values; or the rounds.
fn cells(cx: &Cx<'_>, rounds: &RoundsView, crosstable: bool, row: Rect, texts: &Texts) -> Vec<StandingCell> {
    let px = |points: f32| cx.sizes.px(points);
    let mut found = Vec::new();
    let (mut left, mut right) = (row.left(), row.right());
    let mut at_left = |width: f32| {
        let place = Rect::from_min_max(pos2(left, row.top()), pos2(left + px(width), row.bottom()));
        left = place.right();
        place
    };
    found.push((at_left(PLACE), Align2::RIGHT_CENTER, texts.place.clone(), true));
    found.push((at_left(MOVED), Align2::LEFT_CENTER, texts.moved.clone(), false));
    found.push((at_left(NUMBER), Align2::RIGHT_CENTER, texts.number.clone(), false));
    let mut at_right = |width: f32| {
        let place = Rect::from_min_max(pos2(right - px(width), row.top()), pos2(right, row.bottom()));
        right = place.left();
        place
    };
    let values: &[String] = if crosstable { &[] } else { &texts.values };
    for value in values.iter().rev() {
        found.push((at_right(VALUE), Align2::RIGHT_CENTER, value.clone(), false));
    }
    found.push((at_right(POINTS), Align2::RIGHT_CENTER, texts.points.clone(), true));
    if crosstable {
        for cell in texts.rounds.iter().take(rounds.round).rev() {
            let place = at_right(CELL);
            // Behind the disc with the player's colour.
            let place = place.with_min_x(place.left() + px(DISC));
            found.push((place, Align2::LEFT_CENTER, cell.clone(), false));
        }
    } else {
        found.push((at_right(RATING), Align2::RIGHT_CENTER, texts.rating.clone(), false));
    }
    let name = Rect::from_min_max(pos2(left + px(8.0), row.top()), pos2(right - px(6.0), row.bottom()));
    found.push((name, Align2::LEFT_CENTER, texts.name.clone(), true));
    found
}

/// The words of a row.
#[derive(Default)]
struct Texts {
    place: String,
    moved: String,
    number: String,
    name: String,
    rating: String,
    points: String,
    values: Vec<String>,
    rounds: Vec<String>,
}

fn columns_ui(ui: &Ui, cx: &Cx<'_>, rounds: &RoundsView, crosstable: bool, row: Rect) {
    let chips = vec![cx.t("standings-column-chips")];
    let texts = Texts {
        place: cx.t("standings-column-place"),
        number: cx.t("standings-column-number"),
        name: cx.t("standings-column-name"),
        rating: cx.t("standings-column-rating"),
        points: cx.t("standings-column-points"),
        values: if rounds.chips { chips } else { rounds.tiebreaks.clone() },
        rounds: (1..=rounds.round).map(|round| round.to_string()).collect(),
        ..Texts::default()
    };
    for (place, anchor, text, _) in cells(cx, rounds, crosstable, row, &texts) {
        let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
        write(ui.painter(), anchor.pos_in_rect(&place), anchor, &text, font, place.width());
    }
    ui.painter().line_segment([row.left_bottom(), row.right_bottom()], Stroke::new(1.0, cx.theme.line));
}

fn texts_of(row: &PlaceRow) -> Texts {
    let moved = match row.moved {
        Some(0) => "  –".to_owned(),
        Some(places) => places.unsigned_abs().to_string(),
        None => String::new(),
    };
    let round = |played: &tabiya_app::hall::RoundPlayed| match (played.opponent, played.sign) {
        (Some(opponent), sign) => format!("{opponent}  {sign}"),
        (None, "") => "–".to_owned(),
        (None, sign) => format!("({sign})"),
    };
    Texts {
        place: format!("{}{}", row.rank, if row.shared { "=" } else { "" }),
        moved,
        number: row.number.to_string(),
        name: row.name.clone(),
        rating: row.rating.map(|rating| rating.to_string()).unwrap_or_default(),
        points: row.points.clone(),
        values: row
            .values
            .iter()
            .map(|value| if value.is_empty() { "–".to_owned() } else { value.clone() })
            .collect(),
        rounds: row.course.iter().map(round).collect(),
    }
}

/// Draws what lies below a row: the chosen one has an edge, its opponents are lit in the crosstable.
fn ground_ui(
    ui: &Ui,
    cx: &Cx<'_>,
    (rounds, row): (&RoundsView, &PlaceRow),
    state: &DeskState,
    (place, chosen, hovered): (Rect, bool, bool),
) {
    let met = state.kept.table == PlacesAs::Crosstable
        && state.player.is_some_and(|player| row.course.iter().any(|round| round.opponent == Some(player)));
    let painter = ui.painter();
    if chosen || hovered || met {
        painter.rect_filled(place, 0.0, cx.theme.raised);
    }
    if chosen {
        painter.rect_stroke(place, 4.0, Stroke::new(2.0, cx.theme.ivory), StrokeKind::Inside);
    }
    let last = rounds.standings.last().map(|last| last.number) == Some(row.number);
    if !last {
        painter.line_segment([place.left_bottom(), place.right_bottom()], Stroke::new(1.0, cx.theme.line));
    }
}

fn row_ui(ui: &Ui, cx: &Cx<'_>, (rounds, row): (&RoundsView, &PlaceRow), crosstable: bool, place: Rect) {
    let theme = cx.theme;
    let moved = row.moved.filter(|moved| *moved != 0);
    for (nth, (at, anchor, text, bold)) in
        cells(cx, rounds, crosstable, place, &texts_of(row)).into_iter().enumerate()
    {
        // Movement is shape and number: who has gone up points up.
        if let Some(moved) = moved.filter(|_| nth == MOVED_CELL) {
            let (way, ink) = if moved > 0 { (-1.0, theme.good) } else { (1.0, theme.bad) };
            let side = cx.sizes.px(4.0);
            let tip = pos2(at.left() + side * 2.5, at.center().y);
            triangle(ui.painter(), tip, vec2(0.0, way * side), ink);
            let font = (FontId::proportional(cx.sizes.small()), ink);
            write(ui.painter(), tip + vec2(side * 2.0, 0.0), anchor, &text, font, at.width());
            continue;
        }
        let font = if bold { bold_font(cx.sizes.rem) } else { FontId::proportional(cx.sizes.rem * 0.96) };
        let ink = if bold { theme.text } else { theme.muted };
        write(ui.painter(), anchor.pos_in_rect(&at), anchor, &text, (font, ink), at.width());
    }
    if crosstable {
        discs_ui(ui, cx, (rounds, row), place);
    }
}

/// Draws the player's colour beside each round.
fn discs_ui(ui: &Ui, cx: &Cx<'_>, (rounds, row): (&RoundsView, &PlaceRow), place: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let mut right = place.right() - px(POINTS);
    for played in row.course.iter().take(rounds.round).rev() {
        let cell = Rect::from_min_max(pos2(right - px(CELL), place.top()), pos2(right, place.bottom()));
        if let Some(color) = played.color {
            color_disc(ui.painter(), disc_at(cx, cell), px(5.0), color, cx.theme);
        }
        right = cell.left();
    }
}

/// Draws what a place is made of: each round with its opponent, and the values of the tie-breaks.
fn why_ui(ui: &Ui, cx: &Cx<'_>, rounds: &RoundsView, state: &DeskState, area: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    panel::ground(ui.painter(), cx.theme, area);
    let mut area = area.shrink2(vec2(px(16.0), px(14.0)));
    let Some(row) = state.player.and_then(|player| rounds.standings.iter().find(|row| row.number == player))
    else {
        let text = cx.t("standings-choose");
        let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
        let galley = rows(ui.painter(), &text, font, area.width(), 4);
        ui.painter().galley(area.min, galley, cx.theme.muted);
        label(ui, area, "standings-choose", &text);
        return;
    };
    let head = cut_top(&mut area, px(44.0), px(10.0));
    let figure = (bold_font(cx.sizes.title()), cx.theme.text);
    let end = write(
        ui.painter(),
        head.left_center(),
        Align2::LEFT_CENTER,
        &row.rank.to_string(),
        figure,
        head.width(),
    );
    let x = end.right() + px(12.0);
    let name = (bold_font(cx.sizes.rem), cx.theme.text);
    let at = pos2(x, head.center().y - cx.sizes.rem * 0.6);
    write(ui.painter(), at, Align2::LEFT_CENTER, &row.name, name, head.right() - x);
    let facts = [("number", row.number.into()), ("points", row.points.clone().into())];
    let under = cx.words.with("standings-of", &facts);
    let small = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    let at = pos2(x, head.center().y + cx.sizes.rem * 0.6);
    write(ui.painter(), at, Align2::LEFT_CENTER, &under, small, head.right() - x);
    label(ui, head, "standings-chosen", &format!("{}, {under}", in_words(cx, rounds, row)));
    course_ui(ui, cx, (rounds, row), &mut area);
    area.min.y += px(10.0);
    for (code, value) in rounds.tiebreaks.iter().zip(&row.values) {
        let line = cut_top(&mut area, px(24.0), 0.0);
        let plain = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
        write(ui.painter(), line.left_center(), Align2::LEFT_CENTER, code, plain, line.width() * 0.6);
        let bold = (bold_font(cx.sizes.rem), cx.theme.text);
        let value = if value.is_empty() { "–" } else { value };
        write(ui.painter(), line.right_center(), Align2::RIGHT_CENTER, value, bold, line.width() * 0.4);
    }
}

fn course_ui(ui: &Ui, cx: &Cx<'_>, (rounds, row): (&RoundsView, &PlaceRow), area: &mut Rect) {
    let px = |points: f32| cx.sizes.px(points);
    for (number, played) in (1..).zip(&row.course) {
        let line = cut_top(area, px(26.0), 0.0);
        let of = |color: Color32| (FontId::proportional(cx.sizes.small()), color);
        let round: usize = number;
        write(
            ui.painter(),
            line.left_center(),
            Align2::LEFT_CENTER,
            &round.to_string(),
            of(cx.theme.muted),
            px(24.0),
        );
        let radius = px(6.0);
        if let Some(color) = played.color {
            color_disc(ui.painter(), pos2(line.left() + px(32.0), line.center().y), radius, color, cx.theme);
        }
        let other =
            played.opponent.and_then(|number| rounds.standings.iter().find(|row| row.number == number));
        let text = match other {
            Some(other) => format!("{}  ({})", other.name, other.points),
            None => cx.t("standings-no-game"),
        };
        let at = pos2(line.left() + px(46.0), line.center().y);
        write(ui.painter(), at, Align2::LEFT_CENTER, &text, of(cx.theme.text), line.width() - px(76.0));
        let bold = (bold_font(cx.sizes.rem), cx.theme.text);
        write(ui.painter(), line.right_center(), Align2::RIGHT_CENTER, played.sign, bold, px(28.0));
    }
}

/// A place in words, for who listens.
fn in_words(cx: &Cx<'_>, rounds: &RoundsView, row: &PlaceRow) -> String {
    let mut said = vec![
        cx.words.with("standings-place", &[("place", row.rank.into())]),
        row.name.clone(),
        cx.words.with("round-points", &[("points", row.points.clone().into())]),
    ];
    said.extend(rounds.tiebreaks.iter().zip(&row.values).map(|(code, value)| format!("{code} {value}")));
    if state_is_open(row) {
        said.push(cx.t("standings-open"));
    }
    said.join(", ")
}

/// Whether the player's last game has no result yet.
fn state_is_open(row: &PlaceRow) -> bool {
    row.course.last().is_some_and(|round| round.sign == "*")
}

/// A key on this page.
pub(super) fn standings_key(view: &HallView, state: &mut DeskState, key: Key) {
    let Some(rounds) = view.rounds.as_deref() else { return };
    let all = &rounds.standings;
    let now = state.player.and_then(|player| all.iter().position(|row| row.number == player));
    let to = |place: usize| all.get(place.min(all.len().saturating_sub(1))).map(|row| row.number);
    match key {
        Key::ArrowDown => state.player = to(now.map_or(0, |now| now + 1)),
        Key::ArrowUp => state.player = to(now.map_or(0, |now| now.saturating_sub(1))),
        Key::Num1 => state.kept.table = PlacesAs::List,
        Key::Num2 => state.kept.table = PlacesAs::Crosstable,
        Key::Escape => state.player = None,
        _ => {}
    }
}
