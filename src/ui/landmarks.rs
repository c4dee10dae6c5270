//! The parts of the table between which one key jumps: the board, the middle and the bar.

use egui::{Context, Id};

use super::focus::board_focus_id;

/// A part of the table, besides the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Landmark {
    /// What is to be done now, or else the line for words.
    Middle,
    /// The menu.
    Bar,
}

impl Landmark {
    fn place(self) -> Id {
        Id::unique(("landmark", self as u8))
    }

    /// The control of this part that gets the focus, as it was drawn in this frame or the last one.
    fn control(self, ctx: &Context) -> Option<Id> {
        let (frame, id) = ctx.data(|data| data.get_temp::<(u64, Id)>(self.place()))?;
        (ctx.cumulative_frame_nr() <= frame + 1).then_some(id)
    }

    /// Makes a control the one that gets the focus. The first one of a frame stays.
    pub(super) fn mark(self, ctx: &Context, id: Id) {
        let frame = ctx.cumulative_frame_nr();
        let known = ctx.data(|data| data.get_temp::<(u64, Id)>(self.place()));
        if known.is_none_or(|(then, _)| then != frame) {
            ctx.data_mut(|data| data.insert_temp(self.place(), (frame, id)));
        }
    }
}

/// Moves the focus to the next part: from the board to the middle, from the middle to the bar, from elsewhere to the board.
pub(super) fn jump(ctx: &Context) {
    let focused = ctx.memory(egui::Memory::focused);
    let [middle, bar] = [Landmark::Middle, Landmark::Bar].map(|landmark| landmark.control(ctx));
    let next = match focused {
        None => Some(board_focus_id()),
        Some(at) if at == board_focus_id() => middle.or(bar),
        at if at == bar => Some(board_focus_id()),
        Some(_) => bar.or(Some(board_focus_id())),
    };
    if let Some(next) = next {
        ctx.memory_mut(|memory| memory.request_focus(next));
    }
}
