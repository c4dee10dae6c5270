//! The window without a frame around its screens, for a projector or a clock: it fills the screen, has no bar, and only
//! one key that nobody presses by accident ends it.

use egui::{Align2, Event, Id, Key, LayerId, Order, Rect, Ui, vec2};
use tabiya_app::desk::Wish;
use tabiya_types::{Instant, Millis};

use super::cx::Cx;
use super::keys::Command;
use super::kit::rows;
use super::theme::{BUTTON_RADIUS, bold_font};
use super::widgets::label;

/// The key that ends the program.
const KEY: &str = "Ctrl+Shift+Q";
/// How long the line about this key is shown.
const TOLD: Millis = Millis(8_000);
/// The commands that would leave the table, the clock or the full screen.
const LEFT_OUT: [Command; 3] = [Command::FullScreen, Command::Help, Command::Open];

/// Whether this window is one, and since when it has told how to leave.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kiosk {
    pub(super) on: bool,
    told: Instant,
}

impl Kiosk {
    /// Tells how to leave.
    pub(super) fn tell(&mut self, now: Instant) {
        self.told = now;
    }

    /// Takes the keys: the key that ends the program asks for that, and what would lead elsewhere only tells the key.
    pub(super) fn keys(&mut self, cx: &mut Cx<'_>) {
        if !self.on {
            return;
        }
        for command in LEFT_OUT {
            if cx.takes(command) {
                self.tell(cx.now);
            }
        }
        let ends = cx.ctx.input(|input| {
            input.events.iter().any(|event| {
                matches!(event, Event::Key { key: Key::Q, pressed: true, repeat: false, modifiers, .. }
                    if modifiers.command && modifiers.shift)
            })
        });
        if ends {
            cx.wish(Wish::Close);
        }
    }

    /// Draws the line about the key over the lower edge of the window, for a few seconds. It moves nothing.
    pub(super) fn ui(self, ui: &Ui, cx: &Cx<'_>) {
        let left = TOLD.saturating_sub(cx.now.since(self.told));
        if !self.on || left == Millis::ZERO {
            return;
        }
        let text = cx.words.with("kiosk-line", &[("key", KEY.into())]);
        let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("kiosk")));
        let area = ui.ctx().content_rect();
        let px = |points: f32| cx.sizes.px(points);
        let font = (bold_font(cx.sizes.rem), cx.theme.text);
        let line = rows(&painter, &text, font, area.width() - px(64.0), 2);
        let size = line.size() + vec2(px(32.0), px(20.0));
        let middle = area.center_bottom() - vec2(0.0, px(16.0));
        let place: Rect = Align2::CENTER_BOTTOM.anchor_size(middle, size);
        painter.rect_filled(place, BUTTON_RADIUS, cx.theme.raised);
        painter.galley(place.min + vec2(px(16.0), px(10.0)), line, cx.theme.text);
        label(ui, place, "kiosk", &text);
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(left.0));
    }
}
