//! The menu of exports: what can be written, where it goes, and where the last file went.

use egui::{Align2, FontId, Popup, PopupCloseBehavior, Response, RichText, Sense, Ui, pos2, vec2};
use tabiya_app::desk::{Format, Wish};
use tabiya_app::snapshot::RecordView;

use crate::cx::Cx;
use crate::file_use::FileUse;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::write;
use crate::theme::bold_font;
use crate::widgets::{button, field_below};

/// The width of the menu and the height of one of its rows.
const MENU: f32 = 380.0;
const ROW: f32 = 52.0;

/// What the menu remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct ExportState {
    /// A default file name, and the file name that the user typed in its place; `None` if the user has typed none.
    path: Option<(String, String)>,
}

/// What can be exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Export {
    Match(Format),
    Results,
    Print,
}

/// The rows of the menu: the export, its icon, the names on the screen and for screen readers, and the words below.
const ROWS: [(Export, Icon, [&str; 3]); 6] = [
    (Export::Match(Format::Pgn), Icon::Menu, ["export-pgn", "write-pgn", "export-pgn-line"]),
    (Export::Match(Format::Sheet), Icon::Sheet, ["export-sheet", "write-sheet", "export-sheet-line"]),
    (Export::Match(Format::Story), Icon::Person, ["export-story", "write-story", "export-story-line"]),
    (Export::Match(Format::JsonLines), Icon::Copy, ["export-record", "write-jsonl", "export-record-line"]),
    (Export::Results, Icon::Share, ["export-csv", "write-csv", "export-csv-line"]),
    (Export::Print, Icon::Sheet, ["export-print", "print-sheet", "export-print-line"]),
];

/// Opens the menu below its button. `shown` says whether a match is on the screen.
pub(super) fn menu_ui(response: &Response, cx: &mut Cx<'_>, shown: bool, state: &mut ExportState) {
    let menu = Popup::menu(response).width(cx.sizes.px(MENU));
    menu.close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_max_width(cx.sizes.px(MENU));
        let usual = usual_name(cx, shown);
        let mut path = match &state.path {
            Some((for_this, path)) if *for_this == usual => path.clone(),
            _ => usual.clone(),
        };
        let typed = state.path.as_ref().is_some_and(|(_, typed)| *typed == path);
        for (export, icon, names) in ROWS {
            row_ui(ui, cx, export, icon, names, (path.trim(), typed, shown));
        }
        // The desktop's dialog asks where; the field is for a desktop without one.
        ui.separator();
        if field_below(ui, &cx.t("file-name"), &mut path, cx.sizes.px(MENU - 20.0)).changed() {
            state.path = Some((usual, path));
        }
        where_ui(ui, cx);
    });
}

fn row_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    export: Export,
    icon: Icon,
    [title, said, line]: [&str; 3],
    (path, typed, shown): (&str, bool, bool),
) {
    let has_board = cx.snapshot.record.as_deref().is_some_and(|record| record.game != "clock");
    let can = match export {
        // A game that consists only of a clock has no moves, so it has no PGN.
        Export::Match(Format::Pgn) => shown && has_board && !path.is_empty(),
        Export::Match(_) => shown && !path.is_empty(),
        Export::Results => !path.is_empty(),
        Export::Print => shown,
    };
    let sizes = cx.sizes;
    let (place, _) = ui.allocate_exact_size(vec2(ui.available_width(), sizes.px(ROW)), Sense::hover());
    let face = ButtonFace::new(Kind::Bare, "").said(cx.t(said)).enabled(can);
    let clicked = button_at(ui, cx, place, said, &face).clicked();
    let ink = if can { cx.theme.text } else { cx.theme.muted };
    let side = sizes.px(22.0);
    let mark =
        egui::Rect::from_center_size(pos2(place.left() + sizes.px(24.0), place.center().y), vec2(side, side));
    icon.draw(ui.painter(), mark, ink);
    let at = pos2(mark.right() + sizes.px(14.0), place.center().y);
    let room = place.right() - at.x - sizes.px(8.0);
    let (title, line) = (cx.t(title), cx.t(line));
    let up = vec2(0.0, sizes.px(10.0));
    write(ui.painter(), at - up, Align2::LEFT_CENTER, &title, (bold_font(sizes.rem), ink), room);
    let small = FontId::proportional(sizes.small());
    write(ui.painter(), at + up, Align2::LEFT_CENTER, &line, (small, cx.theme.muted), room);
    if clicked {
        match export {
            Export::Match(format) => cx.with_file(FileUse::Export(format), path, typed),
            Export::Results => cx.with_file(FileUse::Results, path, typed),
            Export::Print => cx.wish(Wish::PrintMatch),
        }
    }
}

/// Writes where files go, and where the last one went or why it did not.
fn where_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    ui.separator();
    let folder = cx.path(&cx.snapshot.exports);
    let words = cx.words.with("goes-to", &[("folder", folder.into())]);
    ui.label(RichText::new(words).small().color(cx.theme.muted));
    let Some(notice) = cx.snapshot.notices.last().cloned() else { return };
    let ink = if notice.failed { cx.theme.bad } else { cx.theme.good };
    if notice.failed || notice.file.is_some() {
        ui.label(RichText::new(cx.say(&notice.text)).color(ink));
    }
    if let Some(file) = notice.file
        && button(ui, &cx.t("open-folder"), true).clicked()
    {
        cx.wish(Wish::OpenFolder(file));
    }
}

/// The default file name: the date and the players, or the evening's file.
fn usual_name(cx: &Cx<'_>, shown: bool) -> String {
    let record = cx.snapshot.record.as_deref().filter(|_| shown);
    let stem = cx.snapshot.evening.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    record.map_or(stem, name_of)
}

fn name_of(record: &RecordView) -> String {
    let plain = |name: &str| -> String {
        name.chars().filter(|sign| sign.is_alphanumeric() || *sign == ' ').take(24).collect()
    };
    let day: String = record.begun.iter().flat_map(|begun| begun.chars()).take(10).collect();
    let players = format!("{}-{}", plain(&record.players.a), plain(&record.players.b));
    format!("{day} {players}").trim().to_owned()
}
