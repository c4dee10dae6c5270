//! What has the keyboard focus: a text field, another control, or the board.

use egui::{Context, Id, Memory};

/// The id under which the board has the keyboard focus. One id is enough, because only one board at a time takes input.
pub(super) fn board_focus_id() -> Id {
    Id::unique("board")
}

/// What had the keyboard focus at the beginning of a frame. Later in the frame it may be too late to ask: when Enter is
/// pressed, a text field loses the focus within that frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Focus {
    /// Neither a text field nor a control had the focus. The board does not count as a control.
    Nothing,
    /// A text field had the focus.
    Field,
    /// A button or another control had the focus. Controls take Enter; the space bar is the clock's key.
    Control,
}

impl Focus {
    /// The focus at this moment. Call it before anything is drawn.
    pub(super) fn of(ctx: &Context) -> Self {
        let focused = ctx.memory(Memory::focused);
        if ctx.text_edit_focused() {
            Self::Field
        } else if focused.is_some() && focused != Some(board_focus_id()) {
            Self::Control
        } else {
            Self::Nothing
        }
    }
}
