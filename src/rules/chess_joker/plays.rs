//! The legal plays of a player: the standard moves, and the uses of his written card.
//!
//! Source: `docs/record-chess-joker.md`, "The game as a value" (a legal play) and "How lines act", 3 to 5.

use std::ops::ControlFlow;

use tabiya_types::{Color, Piece, Square};

use super::effect::{CardEffect, FoundUse, Masquerade, UseRun, Uses, Visit};
use super::lines_of_board::bit;
use super::men::Men;
use super::position::{Danger, JokerPosition};
use super::step::CardStep;
use crate::rules::uci::Uci;

/// The plays of one player in a position.
#[derive(Clone, Copy)]
pub(super) struct Plays<'a> {
    pub(super) position: &'a JokerPosition,
    pub(super) by: Color,
    /// The written effect of his card.
    pub(super) own: Option<&'a CardEffect>,
    /// What the opponent's card may do to his king.
    pub(super) danger: Danger<'a>,
}

/// Uses with one masquerade: one for each first step that a use can have, in the order of these steps as texts.
pub(super) type SampleUses = (Masquerade, Vec<Vec<CardStep>>);

impl Plays<'_> {
    /// The standard moves, each with the position after it.
    pub(super) fn moves(self) -> Vec<(Uci, JokerPosition)> {
        let mut moves = Vec::new();
        self.position.any_move(self.by, self.danger, None, &mut |uci, after| {
            moves.push((uci, *after));
            false
        });
        moves
    }

    /// The position after a standard move; `None` if it is not legal.
    pub(super) fn moved(self, uci: Uci) -> Option<JokerPosition> {
        self.position.moved(self.by, uci, self.danger)
    }

    /// Whether he has a legal play at all. It counts as one that nobody can tell in time.
    pub(super) fn any(self) -> bool {
        self.position.any_move(self.by, self.danger, None, &mut |_, _| true)
            || self.own.is_some_and(|effect| {
                let (maskable, by) = (effect.maskable(&self.position.men, self.by), self.by);
                let mut has_use = |mask| {
                    let mut first = FirstUse { plays: self, found: None };
                    Uses::new(effect, by, mask, self.danger.effort)
                        .walk(&self.position.run(), &mut first)
                        .is_break()
                };
                has_use(Masquerade::NONE) || Masquerade::any(maskable, &mut has_use)
            })
            || self.danger.effort.is_spent()
    }

    /// The position after this use of his written card; `None` if it is none after which he is not in check.
    pub(super) fn used(self, mask: Masquerade, steps: &[CardStep]) -> Option<JokerPosition> {
        let mut first = FirstUse { plays: self, found: None };
        let mut uses = Uses::new(self.own?, self.by, mask, self.danger.effort).along(steps);
        let _ = uses.walk(&self.position.run(), &mut first);
        first.found
    }

    /// Uses of his written card after which he is not in check, as printed and for each masquerade: one for each first
    /// step. A masquerade without a use is left out.
    pub(super) fn sample_uses(self) -> Vec<SampleUses> {
        let Some(effect) = self.own else { return Vec::new() };
        let mut all = Vec::new();
        let mut add = |mask| {
            let mut visit = Samples { plays: self, uses: Vec::new() };
            let _ =
                Uses::new(effect, self.by, mask, self.danger.effort).walk(&self.position.run(), &mut visit);
            if !visit.uses.is_empty() {
                visit.uses.sort_by_cached_key(|steps| steps.first().map(CardStep::to_string));
                all.push((mask, visit.uses));
            }
            false
        };
        add(Masquerade::NONE);
        Masquerade::any(effect.maskable(&self.position.men, self.by), &mut add);
        all
    }

    /// The uses of his written card that leave this board and no check, one for each state of the game that they leave.
    /// `None` if it had to end the search before it had tried everything.
    pub(super) fn leading_to(self, target: &Men) -> Option<Vec<FoundUse>> {
        let Some(effect) = self.own else { return Some(Vec::new()) };
        let found = effect.leading_to(self.by, &self.position.run(), target)?;
        Some(found.into_iter().filter(|found| self.is_safe(&found.run)).collect())
    }

    /// Whether the player is not in check after a use.
    pub(super) fn is_safe(self, run: &UseRun) -> bool {
        !JokerPosition::after(run).in_check(self.by, self.danger)
    }
}

/// Looks for the first legal use.
struct FirstUse<'a> {
    plays: Plays<'a>,
    found: Option<JokerPosition>,
}

impl Visit for FirstUse<'_> {
    fn found(&mut self, run: &UseRun, _: &[CardStep]) -> ControlFlow<()> {
        if !self.plays.is_safe(run) {
            return ControlFlow::Continue(());
        }
        self.found = Some(JokerPosition::after(run));
        ControlFlow::Break(())
    }
}

/// Collects a legal use for each first step.
struct Samples<'a> {
    plays: Plays<'a>,
    uses: Vec<Vec<CardStep>>,
}

impl Samples<'_> {
    fn begins_like_none(&self, trail: &[CardStep]) -> bool {
        !self.uses.iter().any(|known| known.first() == trail.first())
    }
}

impl Visit for Samples<'_> {
    fn goes_on(&mut self, _: &UseRun, trail: &[CardStep], _: usize) -> bool {
        self.begins_like_none(trail)
    }

    fn found(&mut self, run: &UseRun, trail: &[CardStep]) -> ControlFlow<()> {
        // A search that had to end early has not found out whether a use is safe.
        if self.begins_like_none(trail) && self.plays.is_safe(run) && !self.plays.danger.effort.is_spent() {
            self.uses.push(trail.to_vec());
        }
        ControlFlow::Continue(())
    }
}

/// Why the steps of an unwritten card cannot be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Impossible {
    /// A step names squares where it cannot be done.
    Step(CardStep),
    /// A pawn is left on its own eighth rank.
    Pawn(Square),
    /// The player would be in check.
    Check,
}

/// The position after the steps that a player declares for a card without a written effect. Nothing is open to be
/// taken en passant afterwards.
pub(super) fn declared(
    position: &JokerPosition,
    by: Color,
    danger: Danger<'_>,
    steps: &[CardStep],
) -> Result<JokerPosition, Impossible> {
    let mut run = position.run();
    for step in steps {
        do_step(&mut run, *step).ok_or(Impossible::Step(*step))?;
    }
    let pawn = Square::all().find(|square| run.men.pawns_at_the_end() & bit(square.index()) != 0);
    if let Some(pawn) = pawn {
        return Err(Impossible::Pawn(pawn));
    }
    let after = JokerPosition { passed: 0, ..JokerPosition::after(&run) };
    if after.in_check(by, danger) { Err(Impossible::Check) } else { Ok(after) }
}

/// Does one declared step; `None` if it cannot be done.
fn do_step(run: &mut UseRun, step: CardStep) -> Option<()> {
    let no_king =
        |run: &UseRun, square: Square| run.men.of_role(tabiya_types::Role::King) & bit(square.index()) == 0;
    match step {
        CardStep::Goes(from, to) => {
            run.men.at(from.index())?;
            no_king(run, to).then(|| run.go(from.index(), to.index()))
        }
        CardStep::Adds(piece, at) => no_king(run, at).then(|| run.add(at.index(), piece)),
        CardStep::Takes(at) => {
            run.men.at(at.index())?;
            no_king(run, at).then(|| run.take_off(at.index()))
        }
        CardStep::Becomes(at, role) => {
            run.men.at(at.index())?;
            no_king(run, at).then(|| run.turn_into(at.index(), role))
        }
        CardStep::Swaps(one, other) => {
            let pieces: [Piece; 2] = [run.men.at(one.index())?, run.men.at(other.index())?];
            run.take_off(one.index());
            run.take_off(other.index());
            run.men.put(one.index(), pieces[1]);
            run.men.put(other.index(), pieces[0]);
            Some(())
        }
    }
}
