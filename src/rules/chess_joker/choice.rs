//! The uses of a written card as they are chosen: step by step, on a board or from a list.
//!
//! Source: `docs/effects-chess-joker.md`, "Meaning"; `docs/record-chess-joker.md`, "How lines act", 4.

use std::ops::ControlFlow;
use std::sync::Arc;

use tabiya_types::{Board, Color};

use super::effect::{CardEffect, Effort, Masquerade, UseRun, Uses, Visit};
use super::men::Men;
use super::plays::{Plays, SampleUses};
use super::position::{Danger, JokerPosition};
use super::step::CardStep;

/// The uses of one player's written card in one position, as if it were his turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardUses {
    pub(super) position: JokerPosition,
    pub(super) by: Color,
    pub(super) own: Arc<CardEffect>,
    pub(super) enemy: Option<Arc<CardEffect>>,
}

/// What can follow some steps of a use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepsAfter {
    /// The board after these steps.
    pub board: Board,
    /// The steps that can come next, in the order of their texts.
    pub next: Vec<CardStep>,
    /// Whether these steps are a whole use, after which the player is not in check.
    pub whole: bool,
    /// Whether the card has so many uses that not all of them were tried: more may follow.
    pub cut_short: bool,
}

/// What a card could do first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstSteps {
    /// A whole use for each first step that a use can have, as printed and for each masquerade that has a use.
    pub uses: Vec<SampleUses>,
    /// Whether the card has so many uses that not all of them were tried.
    pub cut_short: bool,
}

impl FirstSteps {
    /// Each first step once.
    pub fn steps(&self) -> Vec<CardStep> {
        let mut steps = Vec::new();
        for step in self.uses.iter().flat_map(|(_, uses)| uses).filter_map(|steps| steps.first()) {
            if !steps.contains(step) {
                steps.push(*step);
            }
        }
        steps
    }
}

impl CardUses {
    /// The uses of an effect on this board, without what castling and en passant need to know and without a card of
    /// the opponent. A board without one king each has no use.
    pub fn on_board(own: Arc<CardEffect>, board: &Board, by: Color) -> Self {
        let position = JokerPosition { men: Men::of(board), unmoved: 0, passed: 0 };
        Self { position, by, own, enemy: None }
    }

    /// Whose card it is.
    pub fn by(&self) -> Color {
        self.by
    }

    /// What the card could do first, as far as it can be told while a frame is drawn.
    pub fn first_steps(&self) -> FirstSteps {
        let effort = Effort::for_the_screen();
        let uses = self.plays(&effort).sample_uses();
        FirstSteps { uses, cut_short: effort.is_spent() }
    }

    /// What can follow these steps with this masquerade, as far as it can be told while a frame is drawn; `None` if no
    /// use begins with them.
    pub fn after(&self, mask: Masquerade, steps: &[CardStep]) -> Option<StepsAfter> {
        let (run, effort) = (self.position.run(), Effort::for_the_screen());
        let plays = self.plays(&effort);
        let mut seen = Following { plays, steps, men: None, next: Vec::new(), whole: false };
        if steps.is_empty() {
            seen.men = Some(run.men);
        }
        let _ = Uses::new(&self.own, self.by, mask, &effort).walk(&run, &mut seen);
        let Following { men, mut next, whole, .. } = seen;
        let cut_short = effort.is_spent();
        if next.is_empty() && !whole && !cut_short {
            return None;
        }
        next.sort_by_cached_key(CardStep::to_string);
        Some(StepsAfter { board: men?.board(), next, whole, cut_short })
    }

    fn plays<'a>(&'a self, effort: &'a Effort) -> Plays<'a> {
        let danger = Danger { enemy: self.enemy.as_deref(), effort };
        Plays { position: &self.position, by: self.by, own: Some(&self.own), danger }
    }
}

/// Collects what can follow some steps.
struct Following<'a> {
    plays: Plays<'a>,
    steps: &'a [CardStep],
    /// The men after these steps.
    men: Option<Men>,
    next: Vec<CardStep>,
    whole: bool,
}

impl Following<'_> {
    fn knows(&self, trail: &[CardStep]) -> bool {
        trail.get(self.steps.len()).is_some_and(|step| self.next.contains(step))
    }
}

impl Visit for Following<'_> {
    fn goes_on(&mut self, run: &UseRun, trail: &[CardStep], _: usize) -> bool {
        if trail.len() > self.steps.len() {
            return !self.knows(trail);
        }
        if trail == self.steps {
            self.men = Some(run.men);
        }
        self.steps.starts_with(trail)
    }

    fn found(&mut self, run: &UseRun, trail: &[CardStep]) -> ControlFlow<()> {
        if !trail.starts_with(self.steps) || self.knows(trail) || !self.plays.is_safe(run) {
            return ControlFlow::Continue(());
        }
        match trail.get(self.steps.len()) {
            Some(step) => self.next.push(*step),
            None => self.whole = true,
        }
        ControlFlow::Continue(())
    }
}
