//! A die from above: the pips that lie on top, or none of them yet.

use egui::{CornerRadius, Painter, Rect, Stroke, StrokeKind, vec2};

use crate::theme::{PAPER, PAPER_EDGE, PRINT, PRINT_WEAK};
use crate::widgets::translucent;

/// What a die shows while it is still to be thrown, in a weak ink.
const UNTHROWN: u8 = 5;

/// The places of the pips as shares of the die's side, from its middle; and the numbers that have them.
const PIPS: [((f32, f32), &[u8]); 7] = [
    ((0.0, 0.0), &[1, 3, 5]),
    ((-1.0, -1.0), &[2, 3, 4, 5, 6]),
    ((1.0, 1.0), &[2, 3, 4, 5, 6]),
    ((1.0, -1.0), &[4, 5, 6]),
    ((-1.0, 1.0), &[4, 5, 6]),
    ((-1.0, 0.0), &[6]),
    ((1.0, 0.0), &[6]),
];

/// Draws a die with this number on top, 1 to 6; `None` while it is still to be thrown.
pub(crate) fn draw(painter: &Painter, rect: Rect, thrown: Option<u8>) {
    let side = rect.width().min(rect.height());
    let die = Rect::from_center_size(rect.center(), vec2(side, side));
    let round = CornerRadius::same(super::panel::round(side * 0.16));
    painter.rect(die, round, PAPER, Stroke::new(1.0, PAPER_EDGE), StrokeKind::Inside);
    let ink = if thrown.is_some() { PRINT } else { translucent(PRINT_WEAK, 110) };
    let number = thrown.unwrap_or(UNTHROWN);
    for ((x, y), _) in PIPS.iter().filter(|(_, numbers)| numbers.contains(&number)) {
        painter.circle_filled(die.center() + vec2(*x, *y) * side * 0.26, side * 0.085, ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_of_a_die_has_as_many_pips_as_its_number() {
        for number in 1..=6_u8 {
            let pips = PIPS.iter().filter(|(_, numbers)| numbers.contains(&number)).count();
            assert_eq!(pips, usize::from(number));
        }
    }
}
