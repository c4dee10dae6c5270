//! What stands below the controls: while chess is played the score sheet, the log and what else has a tab beside them; before that
//! the log.

use egui::{FontId, Rect, RichText, ScrollArea, Ui, UiBuilder, pos2};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::Phase;
use tabiya_engine::table::Audience;

use super::acts::is_open;
use super::state::TableState;
use super::{course, simulated, study};
use crate::cx::Cx;
use crate::kit::tabs::{TABS, tabs_ui};
use crate::kit::{cut_top, score, split};
use crate::record::times_of_moves;
use crate::widgets::label;

/// How many announcements are shown.
const SAID: usize = 40;
/// How many of them are told by ear where only the newest has room.
const NEWEST: usize = 8;
/// From this width on, the log stands beside the sheet.
const WIDE: f32 = 560.0;
/// The height of a row of the sheet, at a rem of 16 points.
const ROW: f32 = 29.0;

/// What stands below the controls while chess is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum SheetTab {
    /// The score sheet.
    #[default]
    Moves,
    /// The poker hands of the turns.
    Hands,
    /// The announcements.
    Log,
    /// What a simulated board can do.
    Simulated,
}

/// Whether the table is at its moves, so that the score sheet has its place.
pub(super) fn is_at_moves(view: &TableView) -> bool {
    !view.moves.is_empty() || view.phase == Phase::Chess
}

/// Draws the sheet with its tabs, or the log where no moves are made yet.
pub(super) fn sheet_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, area: Rect) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    if area.height() < px(14.0) || area.width() < px(80.0) {
        tell_by_ear(ui, cx, area);
        return;
    }
    let (tabs_height, row) = (px(TABS), px(ROW));
    if !is_at_moves(view) {
        log_ui(ui, cx, area);
    } else if area.height() >= tabs_height + row {
        tabbed_ui(ui, cx, view, state, area);
    } else if area.height() >= row * 0.9 && !view.moves.is_empty() {
        tell_by_ear(ui, cx, area);
        moves_ui(ui, cx, view, area);
    } else {
        newest_said(ui, cx, area);
    }
}

/// Draws the tabs and what belongs to the chosen one. A wide area has the log beside them.
fn tabbed_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, mut area: Rect) {
    let wide = area.width() > cx.sizes.px(WIDE);
    if wide {
        let places = split(area, &[1.6, 1.0], cx.sizes.px(16.0));
        if let [left, right] = places[..] {
            area = left;
            said_ui(ui, cx, right);
        }
    }
    let mut tabs = vec![(SheetTab::Moves, cx.t("tab-moves"))];
    if view.poker.is_some() {
        tabs.push((SheetTab::Hands, cx.t("tab-hands")));
    }
    if !wide {
        tabs.push((SheetTab::Log, cx.t("tab-log")));
    }
    if cx.snapshot.board.simulated.is_some() {
        tabs.push((SheetTab::Simulated, cx.t("simulated-board")));
    }
    let now = if tabs.iter().any(|(tab, _)| *tab == state.tab) { state.tab } else { SheetTab::Moves };
    let mut row = cut_top(&mut area, cx.sizes.px(TABS), cx.sizes.px(6.0));
    study::study_ui(ui, cx, view, &mut row);
    state.tab = tabs_ui(ui, cx, row, &tabs, now);
    if now != SheetTab::Log {
        tell_by_ear(ui, cx, area);
    }
    match now {
        SheetTab::Moves => moves_ui(ui, cx, view, area),
        SheetTab::Hands => course::course_ui(ui, cx, view, area),
        SheetTab::Log => said_ui(ui, cx, area),
        SheetTab::Simulated => simulated::simulated_ui(ui, cx, state, area),
    }
}

/// Draws the announcements, or in little room the newest one.
fn log_ui(ui: &mut Ui, cx: &Cx<'_>, area: Rect) {
    if area.height() < cx.sizes.px(64.0) {
        newest_said(ui, cx, area.with_min_y(area.bottom() - cx.sizes.px(20.0)));
    } else {
        said_ui(ui, cx, area);
    }
}

/// Draws the score sheet, each move with the time that it took.
fn moves_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, area: Rect) {
    let spent = times_of_moves(cx, view);
    score::sheet_ui(ui, cx, area, (view, &spent), is_open(view));
}

/// Draws the announcements to the players, the newest below.
pub(super) fn said_ui(ui: &mut Ui, cx: &Cx<'_>, place: Rect) {
    let mut inner = ui.new_child(UiBuilder::new().max_rect(place));
    inner.shrink_clip_rect(place);
    let list = ScrollArea::vertical().id_salt("said").auto_shrink(false).stick_to_bottom(true);
    let list = list.min_scrolled_height(0.0);
    list.show(&mut inner, |ui| {
        let all = &cx.snapshot.announcements;
        let newest = all.len().saturating_sub(SAID);
        ui.vertical(|ui| {
            for said in all.iter().skip(newest).filter(|said| said.to == Audience::Players) {
                ui.label(RichText::new(cx.announced(said)).size(cx.sizes.small()).color(cx.theme.muted));
            }
        });
    });
}

/// Names the newest announcements to the players for who reads the screen by ear. Returns the newest.
fn tell_by_ear(ui: &Ui, cx: &Cx<'_>, place: Rect) -> Option<String> {
    let said = cx.snapshot.announcements.iter().filter(|said| said.to == Audience::Players);
    let said: Vec<String> = said.rev().take(NEWEST).map(|said| cx.announced(said)).collect();
    for (nth, text) in said.iter().enumerate().rev() {
        label(ui, place, &format!("said-{nth}"), text);
    }
    said.into_iter().next()
}

/// Draws the newest announcement to the players in one row: as much of its end as fits, in whole parts.
fn newest_said(ui: &Ui, cx: &Cx<'_>, place: Rect) {
    let Some(text) = tell_by_ear(ui, cx, place) else { return };
    let (font, ink) = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    let ends = std::iter::once(text.as_str()).chain(text.match_indices("; ").map(|(at, _)| &text[at + 2..]));
    let lay = |end: &str| ui.painter().layout_no_wrap(end.to_owned(), font.clone(), ink);
    if let Some(galley) = ends.map(lay).find(|galley| galley.size().x <= place.width()) {
        let at = pos2(place.left(), place.center().y - galley.size().y / 2.0);
        ui.painter().galley(at, galley, ink);
    }
}
