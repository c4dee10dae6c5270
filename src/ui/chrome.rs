//! The parts of the shell that the row above the screens shows and changes, and the keys that work on every page.

use egui::{Context, ViewportCommand};
use tabiya_app::desk::Wish;

use super::choosing::dropped;
use super::cx::Cx;
use super::keys::Command;
use super::page::Page;
use super::shell::Among;

/// Fills the screen with the window, or stops doing so.
pub(super) fn fill_screen(ctx: &Context) {
    let full = ctx.input(|input| input.viewport().fullscreen.unwrap_or(false));
    ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!full));
}

/// The parts of the shell that the row above the screens shows and changes.
pub(super) struct Chrome<'a> {
    pub(super) page: &'a mut Page,
    pub(super) face: &'a mut bool,
    pub(super) drawer: &'a mut bool,
    pub(super) public: &'a mut bool,
    /// Whether the form for a card covers the page.
    pub(super) card_form: &'a mut bool,
    /// Whether the page for something that is wrong covers the page.
    pub(super) fault: &'a mut bool,
    pub(super) left: &'a mut Option<(Page, bool)>,
    pub(super) escapes: bool,
    /// This table among several.
    pub(super) among: &'a mut Option<Among>,
}

impl Chrome<'_> {
    pub(super) fn keys(&mut self, cx: &mut Cx<'_>) {
        let playing = cx.snapshot.table.is_some();
        if cx.takes(Command::Face) && playing {
            *self.face = !*self.face;
        }
        if cx.takes(Command::Arbiter) && playing {
            *self.drawer = !*self.drawer;
        }
        if cx.takes(Command::Public) && playing {
            *self.public = !*self.public;
        }
        if cx.takes(Command::Help) {
            self.turn_to(Page::Settings);
        }
        if cx.takes(Command::FullScreen) {
            fill_screen(&cx.ctx);
        }
        if cx.takes(Command::Open) && cx.chooser {
            cx.open_record();
        }
        if *self.face && cx.takes(Command::No) {
            *self.face = false;
        } else if *self.page == Page::Settings && !self.escapes && cx.takes(Command::No) {
            (*self.page, *self.face) = self.left.take().unwrap_or_default();
        } else if *self.drawer && !self.escapes && cx.snapshot.question.is_none() && cx.takes(Command::No) {
            *self.drawer = false;
        }
    }

    /// Takes the files that were chosen in a dialog, or dropped on the window. Returns whether a record is among them; its
    /// page is shown.
    pub(super) fn take_files(&mut self, cx: &mut Cx<'_>, answered: Vec<Wish>) -> bool {
        let dropped = dropped(&cx.ctx).map(Wish::OpenRecord);
        let mut record = false;
        for wish in answered.into_iter().chain(dropped) {
            record |= matches!(wish, Wish::OpenRecord(_));
            cx.wish(wish);
        }
        if record {
            self.turn_to(Page::Record);
        }
        record
    }

    /// Shows a page. If the page is the settings, remembers what was shown before: the settings can be opened over a
    /// running clock, and Escape must lead back to it.
    pub(super) fn turn_to(&mut self, page: Page) {
        let from = (*self.page, *self.face);
        if page == Page::Settings && from != (page, false) {
            *self.left = Some(from);
        }
        (*self.page, *self.face) = (page, false);
        (*self.card_form, *self.fault) = (false, false);
    }
}
