//! Where the window stands on the screens: as it was left, but never off them.

use egui::{Context, Pos2, Rect, Vec2, pos2, vec2};
use tabiya_store::settings::WindowPlace;
use tabiya_types::{Instant, Millis};

/// How much of the window's upper edge must be on a screen, so that it can be moved with the mouse.
const SEEN: Vec2 = vec2(120.0, 32.0);
/// What the frame of a window may add to its content.
const FRAME: Vec2 = vec2(16.0, 48.0);
/// How long the window stays where it is before that is remembered.
const RESTS: Millis = Millis(1_500);

/// The place of a window on these screens: the place itself if it can be seen there, else one on the first screen.
/// Sizes are limited to the largest screen. If no screen is known, the place is left to the system.
pub(super) fn on_screens(place: WindowPlace, screens: &[Rect]) -> WindowPlace {
    let Some(first) = screens.first() else { return WindowPlace { at: None, ..place } };
    let largest = screens.iter().map(Rect::size).fold(Vec2::ZERO, Vec2::max);
    let size = Vec2::from(place.size).min(largest);
    let edge = |at: Pos2| Rect::from_min_size(at, vec2(size.x, SEEN.y));
    let seen = |at: Pos2| {
        screens.iter().any(|screen| {
            let part = screen.intersect(edge(at));
            part.width() >= SEEN.x.min(size.x) && part.height() >= SEEN.y
        })
    };
    let near = |at: Pos2| {
        let last = (first.max - size - FRAME).max(first.min);
        pos2(at.x.clamp(first.min.x, last.x), at.y.clamp(first.min.y, last.y))
    };
    let at = place.at.map(Pos2::from).map(|at| if seen(at) { at } else { near(at) });
    WindowPlace { at: at.map(Into::into), size: size.into(), ..place }
}

/// Notices where the window comes to rest.
#[derive(Debug, Default)]
pub(super) struct PlaceKeeper {
    last: Option<(WindowPlace, Instant)>,
}

impl PlaceKeeper {
    /// Where the window stands now; `None` while it is minimised or fills the screen. A maximised window keeps the place
    /// that it had before.
    pub(super) fn look(ctx: &Context, known: Option<WindowPlace>) -> Option<WindowPlace> {
        ctx.input(|input| {
            let info = input.viewport();
            if info.minimized == Some(true) || info.fullscreen == Some(true) {
                return None;
            }
            let size = info.inner_rect.map_or_else(|| input.content_rect().size(), |inner| inner.size());
            let now = WindowPlace {
                at: info.outer_rect.map(|outer| outer.min.round().into()),
                size: size.round().into(),
                maximised: false,
            };
            match known {
                Some(known) if info.maximized == Some(true) => Some(WindowPlace { maximised: true, ..known }),
                None if info.maximized == Some(true) => None,
                Some(_) | None => Some(now),
            }
        })
    }

    /// The place that is to be remembered now, if the window has come to rest elsewhere than `known`.
    pub(super) fn follow(
        &mut self,
        ctx: &Context,
        known: Option<WindowPlace>,
        now: Instant,
    ) -> Option<WindowPlace> {
        let place = Self::look(ctx, known).filter(|place| Some(*place) != known)?;
        match self.last {
            Some((last, since)) if last == place => {
                let left = RESTS.saturating_sub(now.since(since));
                if left == Millis::ZERO {
                    return Some(place);
                }
                ctx.request_repaint_after(std::time::Duration::from_millis(left.0));
            }
            _ => {
                self.last = Some((place, now));
                ctx.request_repaint_after(std::time::Duration::from_millis(RESTS.0));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(x: f32, y: f32, size: [f32; 2]) -> WindowPlace {
        WindowPlace { at: Some([x, y]), size, maximised: false }
    }

    fn screen(x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect::from_min_size(pos2(x, y), vec2(width, height))
    }

    #[test]
    fn a_window_stays_where_it_was_if_it_can_be_seen_there() {
        let two = [screen(0.0, 0.0, 1280.0, 800.0), screen(1280.0, 0.0, 1920.0, 1080.0)];
        for (x, y) in [(10.0, 20.0), (1500.0, 300.0), (900.0, 100.0)] {
            let kept = place(x, y, [800.0, 600.0]);
            assert_eq!(on_screens(kept, &two), kept);
        }
    }

    #[test]
    fn a_window_whose_screen_is_gone_moves_to_the_one_that_is_there() {
        let one = [screen(0.0, 0.0, 1280.0, 800.0)];
        for (x, y) in [(1500.0, 300.0), (-2000.0, 50.0), (100.0, 5000.0), (100.0, -500.0)] {
            let moved = on_screens(place(x, y, [800.0, 600.0]), &one);
            let at = moved.at.map(Pos2::from).expect("a place");
            assert!(one[0].contains_rect(Rect::from_min_size(at, vec2(800.0, 600.0))), "{x}, {y}: {at:?}");
        }
        let large = on_screens(place(0.0, 0.0, [5000.0, 600.0]), &one);
        assert_eq!(large, place(0.0, 0.0, [1280.0, 600.0]));
    }

    #[test]
    fn without_a_known_screen_the_system_places_the_window() {
        assert_eq!(on_screens(place(9000.0, 0.0, [800.0, 600.0]), &[]).at, None);
        let unplaced = WindowPlace { at: None, size: [900.0, 700.0], maximised: true };
        assert_eq!(on_screens(unplaced, &[screen(0.0, 0.0, 1280.0, 800.0)]), unplaced);
    }
}
