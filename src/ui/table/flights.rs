//! Chips on their way: from a seat to the pot when they are put in, and from the pot to the seat that gets it. Only the
//! picture travels; the figures say at once what is so.

use egui::{Painter, Pos2, Rect, pos2};
use tabiya_app::snapshot::TableView;
use tabiya_types::{ByColor, Color, Instant};

use crate::art;
use crate::cx::Cx;
use crate::motion::{eased, share};
use crate::theme::{CHIPS_TRAVEL, MOTION_FRAME};

/// The height of travelling chips, for a rem of 16 points.
const HEIGHT: f32 = 26.0;

/// Chips on their way.
#[derive(Clone, Copy, Debug)]
struct Flight {
    of: Color,
    /// Whether they go to the pot, and not from it.
    to_pot: bool,
    amount: u32,
    since: Instant,
}

/// The chips on their way, and where the pot was drawn last.
#[derive(Clone, Debug, Default)]
pub(super) struct Flights {
    all: Vec<Flight>,
    pot: Option<Pos2>,
}

impl Flights {
    /// The pot is drawn here.
    pub(super) fn pot_at(&mut self, place: Rect) {
        self.pot = Some(place.center());
    }

    /// Lets chips travel that have changed their place since the last frame, and draws those that are on their way. Call it
    /// once in a frame, when the pot has been drawn.
    pub(super) fn follow(&mut self, painter: &Painter, cx: &Cx<'_>, view: &TableView, seats: &ByColor<Rect>) {
        if !view.has_chips() {
            return;
        }
        for of in Color::ALL {
            let put_in = view.stakes.contributed[of].0;
            let awarded = view.stakes.awarded[of].0;
            let now = [(true, put_in), (false, awarded)];
            for (to_pot, amount) in now {
                let key = ("chips", view.number, of, to_pot);
                let more = cx.motion.before(key, amount).and_then(|before| amount.checked_sub(before));
                let more = more.filter(|more| *more > 0);
                self.all.extend(more.map(|amount| Flight { of, to_pot, amount, since: cx.now }));
            }
        }
        if cx.motion.is_still() {
            self.all.clear();
        }
        self.all.retain(|flight| cx.now.since(flight.since) < CHIPS_TRAVEL);
        let Some(pot) = self.pot.filter(|_| !self.all.is_empty()) else { return };
        cx.motion.keep_moving(MOTION_FRAME);
        for flight in &self.all {
            let seat = seat_chips(cx, seats[flight.of]);
            let (from, to) = if flight.to_pot { (seat, pot) } else { (pot, seat) };
            let at = from + (to - from) * eased(share(cx.now.since(flight.since), CHIPS_TRAVEL));
            let height = cx.sizes.px(HEIGHT);
            let width = art::chips_width(flight.amount, height, height * 4.0);
            art::chips(painter, pos2(at.x - width / 2.0, at.y - height / 2.0), height, flight.amount, width);
        }
    }
}

/// Where a seat has its chips.
fn seat_chips(cx: &Cx<'_>, seat: Rect) -> Pos2 {
    let inset = cx.sizes.px(26.0);
    pos2(seat.right() - 3.0 * inset, seat.top() + inset.min(seat.height() / 2.0))
}
