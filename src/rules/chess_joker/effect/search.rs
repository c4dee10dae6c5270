//! Which uses of an effect leave a board that was seen.
//!
//! A step changes few squares. So a walk turns back as soon as more squares still differ from the board than the steps
//! left can change, and finds a use of two steps in some hundred tries.
//!
//! Source: `docs/record-chess-joker.md`, "A board's picture".

use std::ops::ControlFlow;

use tabiya_types::{Color, Role};

use super::super::men::Men;
use super::super::step::CardStep;
use super::CardEffect;
use super::effort::Effort;
use super::mask::Masquerade;
use super::uses::{UseRun, Uses, Visit};

/// A use that leaves the board that was seen.
#[derive(Clone, Debug)]
pub(in super::super) struct FoundUse {
    pub(in super::super) mask: Masquerade,
    pub(in super::super) steps: Vec<CardStep>,
    pub(in super::super) run: UseRun,
}

impl FoundUse {
    /// Whether another use leaves the game in the same state: the board is the same already.
    fn is_as(&self, other: &Self) -> bool {
        let value = |found: &Self| (found.run.unmoved, found.run.opened, found.mask.is_none());
        value(self) == value(other)
    }

    /// Of two uses that leave the same, the one that is written: with fewer steps, or the first as texts.
    fn order(&self) -> (usize, Vec<String>, Masquerade) {
        (self.steps.len(), self.steps.iter().map(CardStep::to_string).collect(), self.mask)
    }
}

struct Search {
    target: Men,
    mask: Masquerade,
    found: Vec<FoundUse>,
}

impl Visit for Search {
    fn goes_on(&mut self, run: &UseRun, _: &[CardStep], reach: usize) -> bool {
        still_different(&run.men, &self.target).count_ones() as usize <= reach
    }

    fn found(&mut self, run: &UseRun, trail: &[CardStep]) -> ControlFlow<()> {
        if run.men == self.target {
            let new = FoundUse { mask: self.mask, steps: trail.to_vec(), run: *run };
            match self.found.iter_mut().find(|known| known.is_as(&new)) {
                Some(known) if new.order() < known.order() => *known = new,
                Some(_) => {}
                None => self.found.push(new),
            }
        }
        ControlFlow::Continue(())
    }
}

/// The squares that differ, but for pawns that only have to promote.
fn still_different(men: &Men, target: &Men) -> u64 {
    let promoting = |color: Color| {
        let officers = target.of_color(color) & !target.of_role(Role::Pawn) & !target.of_role(Role::King);
        men.pawns_at_the_end() & men.of_color(color) & officers
    };
    men.differences(target) & !promoting(Color::White) & !promoting(Color::Black)
}

impl CardEffect {
    /// The uses that leave exactly these men, one for each state of the game that they leave. A use that is no
    /// masquerade comes before all that are.
    /// `None` if the search had to end before it had tried everything.
    pub(in super::super) fn leading_to(
        &self,
        you: Color,
        run: &UseRun,
        target: &Men,
    ) -> Option<Vec<FoundUse>> {
        let mut search = Search { target: *target, mask: Masquerade::NONE, found: Vec::new() };
        let effort = Effort::new();
        let _ = Uses::new(self, you, Masquerade::NONE, &effort).walk(run, &mut search);
        if search.found.is_empty() {
            Masquerade::any(self.maskable(&run.men, you), &mut |mask| {
                search.mask = mask;
                let _ = Uses::new(self, you, mask, &effort).walk(run, &mut search);
                false
            });
        }
        (!effort.is_spent()).then_some(search.found)
    }
}
