//! Several boards on this computer: a file of tables is opened, or each board that is found gets a table.

use std::collections::BTreeSet;
use std::path::PathBuf;

use egui::{RichText, ScrollArea, Ui, UiBuilder};
use tabiya_app::desk::BoardWish;
use tabiya_app::snapshot::{BoardSearch, FoundBoard};

use crate::cx::Cx;
use crate::file_use::FileUse;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::panel::ground;
use crate::kit::{cut_bottom, split};
use crate::widgets::{button, field, heading, hint};

/// What several tables are to be opened for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeveralAsk {
    /// The tables of this file.
    File(PathBuf),
    /// A table for each of these boards, by their addresses.
    Boards(Vec<String>),
}

/// The most tables of one window.
const MOST: usize = 8;

/// Draws the panel. Returns whether it is closed.
pub(super) fn several_ui(ui: &mut Ui, cx: &mut Cx<'_>, area: egui::Rect, path: &mut String) -> bool {
    ground(ui.painter(), cx.theme, area);
    let mut rest = area.shrink(cx.sizes.px(18.0));
    let foot = cut_bottom(&mut rest, cx.sizes.px(48.0), cx.sizes.px(12.0));
    let boards = one_for_each_port(&cx.snapshot.found);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(rest));
    inner.shrink_clip_rect(rest.expand(4.0));
    ScrollArea::vertical().id_salt("several").auto_shrink(false).show(&mut inner, |ui| {
        heading(ui, &cx.t("several-boards"));
        ui.label(cx.t("several-boards-line"));
        ui.add_space(cx.sizes.px(8.0));
        if let Some(why) = cx.several_refused.clone() {
            ui.label(RichText::new(why).color(cx.theme.bad));
            ui.add_space(cx.sizes.px(8.0));
        }
        for (nth, board) in boards.iter().enumerate() {
            ui.label(RichText::new(format!("{}  {}", nth + 1, board.name)).strong());
            hint(ui, &board.address);
        }
        let searching = cx.snapshot.search == BoardSearch::Running;
        let found = match cx.snapshot.search {
            BoardSearch::Running => "searching",
            BoardSearch::Ended(_) if boards.is_empty() => "found-nothing",
            BoardSearch::Never | BoardSearch::Ended(_) => "several-found-line",
        };
        hint(ui, &cx.t(found));
        if button(ui, &cx.t("find-boards"), !searching).clicked() {
            cx.board(BoardWish::Discover);
        }
        ui.add_space(cx.sizes.px(12.0));
        ui.horizontal_wrapped(|ui| {
            if cx.chooser {
                if button(ui, &cx.t("several-open"), true).clicked() {
                    cx.with_file(FileUse::Tables, "", false);
                }
            } else {
                field(ui, &cx.t("several-file"), path, cx.sizes.px(280.0));
                let name = path.trim().to_owned();
                if button(ui, &cx.t("several-open"), !name.is_empty()).clicked() {
                    cx.ask_several = Some(SeveralAsk::File(name.into()));
                }
            }
        });
    });
    let [go, done] = split(foot, &[1.6, 1.0], cx.sizes.px(10.0)).try_into().unwrap_or([foot; 2]);
    let count = boards.len();
    let text = cx.words.with("several-for-each", &[("count", count.into())]);
    let face = ButtonFace::new(Kind::Gold, &text).off(cx.why_off(&[(count > 0, "several-none")]));
    if button_at(ui, cx, go, "several-for-each", &face).clicked() {
        let addresses = boards.into_iter().map(|board| board.address).collect();
        cx.ask_several = Some(SeveralAsk::Boards(addresses));
    }
    let text = cx.t("rules-done");
    let face = ButtonFace::new(Kind::Plain, &text).key("Esc".to_owned());
    button_at(ui, cx, done, "several-done", &face).clicked() || cx.takes(Command::No)
}

/// The likeliest board of each port: several makers use the same kind of port, and a board has one table.
fn one_for_each_port(found: &[FoundBoard]) -> Vec<FoundBoard> {
    let mut ports = BTreeSet::new();
    let port = |board: &&FoundBoard| {
        let port = board.address.split_once(':').map_or(board.address.as_str(), |(_, port)| port);
        ports.insert(port.to_owned())
    };
    found.iter().filter(|board| board.sure).filter(port).take(MOST).cloned().collect()
}

#[cfg(test)]
mod tests {
    use tabiya_app::snapshot::FoundLink;

    use super::*;

    #[test]
    fn each_port_gets_one_table_and_what_may_be_no_board_none() {
        let board = |address: &str, sure| FoundBoard {
            address: address.to_owned(),
            name: String::new(),
            link: FoundLink::Cable,
            sure,
        };
        let found = [
            board("dgt:/dev/ttyACM0", true),
            board("dgtbus:/dev/ttyACM0", true),
            board("chessnut:ble:C0:FF:EE:00:00:01", true),
            board("dgt:/dev/ttyUSB7", false),
        ];
        let each: Vec<String> = one_for_each_port(&found).into_iter().map(|board| board.address).collect();
        assert_eq!(each, ["dgt:/dev/ttyACM0", "chessnut:ble:C0:FF:EE:00:00:01"]);
    }
}
