//! The page for something that is wrong: what a report of a fault contains and what it does not, the button that writes it,
//! and where it is.

use egui::{Frame, Margin, RichText, ScrollArea, Ui};
use tabiya_app::desk::Wish;
use tabiya_app::fault_report::USUAL_NAME;

use super::cx::Cx;
use super::file_use::FileUse;
use super::keys::Command;
use super::widgets::{button, heading, hint, main_button};

/// What a report contains.
const CONTENT: [&str; 4] = ["fault-program", "fault-devices", "fault-bytes", "fault-record"];
/// What no report contains.
const NEVER: [&str; 3] = ["fault-no-names", "fault-no-secrets", "fault-no-numbers"];

/// Draws the page. It closes with its button and with Escape.
pub(super) fn fault_ui(ui: &mut Ui, cx: &mut Cx<'_>, open: &mut bool) {
    if cx.takes(Command::No) {
        *open = false;
    }
    ScrollArea::vertical().id_salt("fault").auto_shrink(false).show(ui, |ui| {
        Frame::new().inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
            ui.set_max_width(cx.sizes.px(720.0));
            heading(ui, &cx.t("fault-title"));
            ui.label(cx.t("fault-purpose"));
            lines_ui(ui, cx, "fault-content", &CONTENT);
            lines_ui(ui, cx, "fault-never", &NEVER);
            ui.add_space(cx.sizes.px(8.0));
            hint(ui, &cx.t("fault-sends-nothing"));
            ui.add_space(cx.sizes.px(8.0));
            ui.horizontal_wrapped(|ui| {
                if main_button(ui, cx.theme, &cx.t("fault-write"), true).clicked() {
                    cx.with_file(FileUse::Report, USUAL_NAME, false);
                }
                if button(ui, &(cx.t("fault-close") + &cx.hint(Command::No)), true).clicked() {
                    *open = false;
                }
            });
            written_ui(ui, cx);
        });
    });
}

fn lines_ui(ui: &mut Ui, cx: &Cx<'_>, title: &str, lines: &[&str]) {
    ui.add_space(cx.sizes.px(10.0));
    ui.label(RichText::new(cx.t(title)).strong());
    for line in lines {
        ui.horizontal_wrapped(|ui| {
            ui.label("•");
            ui.label(cx.t(line));
        });
    }
}

/// Says where the last file is, or why there is none.
fn written_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let Some(notice) = cx.snapshot.notices.last().cloned() else { return };
    if !notice.failed && notice.file.is_none() {
        return;
    }
    let ink = if notice.failed { cx.theme.bad } else { cx.theme.good };
    ui.label(RichText::new(cx.say(&notice.text)).color(ink));
    if let Some(file) = notice.file
        && button(ui, &cx.t("open-folder"), true).clicked()
    {
        cx.wish(Wish::OpenFolder(file));
    }
}
