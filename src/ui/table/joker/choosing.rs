//! The use of a written card, chosen step by step: on the board, or from the list of the steps that can come next.

use egui::{RichText, Ui};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::chess_joker::{
    CardStep, CardUses, JokerAction, JokerCard, JokerOffer, JokerSight, Masquerade, PlayCard, StepsAfter,
};
use tabiya_types::{Board, Color, Square};

use super::words::{enter, mask_words, offers, step_words, use_words};
use crate::board::{CardMark, StepMeaning, Touch, square_words};
use crate::cx::Cx;
use crate::widgets::{button, hint, main_button};

/// What a player's card could do first.
#[derive(Clone, Debug)]
pub(in crate::table) struct CouldDo {
    pub(super) by: Color,
    pub(super) marks: Vec<CardMark>,
    /// Whether not all uses were tried.
    pub(super) cut_short: bool,
}

/// A use that is being chosen.
#[derive(Clone, Debug)]
pub(in crate::table) struct UseChoice {
    uses: CardUses,
    mask: Masquerade,
    steps: Vec<CardStep>,
    after: StepsAfter,
}

impl UseChoice {
    /// Begins with this masquerade; `None` if it has no use.
    fn new(uses: &CardUses, mask: Masquerade) -> Option<Self> {
        let after = uses.after(mask, &[])?;
        let mut choice = Self { uses: uses.clone(), mask, steps: Vec::new(), after };
        choice.go_on();
        Some(choice)
    }

    /// Adds a step, and those after it that have no alternative.
    fn push(&mut self, step: CardStep) {
        let steps: Vec<CardStep> = self.steps.iter().copied().chain([step]).collect();
        if let Some(after) = self.uses.after(self.mask, &steps) {
            (self.steps, self.after) = (steps, after);
            self.go_on();
        }
    }

    fn go_on(&mut self) {
        if let ([step], false) = (self.after.next.as_slice(), self.after.whole) {
            self.push(*step);
        }
    }

    /// Takes the last step that had an alternative back. Returns whether there was one.
    fn take_back(&mut self) -> bool {
        while self.steps.pop().is_some() {
            let Some(after) = self.uses.after(self.mask, &self.steps) else { return false };
            if after.next.len() > 1 || after.whole {
                self.after = after;
                return true;
            }
        }
        false
    }

    pub(super) fn board(&self) -> Board {
        self.after.board
    }

    /// The squares where a click goes on: goals of the chosen piece, else pieces and places.
    pub(super) fn lights(&self, chosen: Option<Square>) -> Vec<Square> {
        let square = |step: &CardStep| match (*step, chosen) {
            (CardStep::Goes(from, to), Some(chosen)) => (from == chosen).then_some(to),
            (CardStep::Goes(at, _) | CardStep::Adds(_, at) | CardStep::Becomes(at, _), None) => Some(at),
            _ => None,
        };
        let mut squares: Vec<Square> = self.after.next.iter().filter_map(square).collect();
        squares.sort();
        squares.dedup();
        squares
    }

    /// The steps that can come next; with a chosen piece those of it alone.
    fn next(&self, chosen: Option<Square>) -> Vec<CardStep> {
        let from_there = |step: &&CardStep| {
            chosen.is_none_or(|chosen| matches!(step, CardStep::Goes(from, _) if *from == chosen))
        };
        self.after.next.iter().filter(from_there).copied().collect()
    }

    pub(super) fn marks(&self, chosen: Option<Square>) -> Vec<CardMark> {
        let mut marks = CardMark::all(self.next(chosen), StepMeaning::Could);
        marks.extend(CardMark::all(self.steps.iter().copied(), StepMeaning::Chosen));
        marks
    }

    /// Takes a click or drag on the board.
    pub(super) fn touched(&mut self, touch: Touch, chosen: &mut Option<Square>) {
        let next = &self.after.next;
        let step = match (touch, chosen.take()) {
            (Touch::Drag(from, to), _) => Some(CardStep::Goes(from, to)),
            (Touch::Click(to), Some(from)) if from != to => Some(CardStep::Goes(from, to)),
            (Touch::Click(_), Some(_)) => None,
            (Touch::Click(at), None) => {
                let here = |step: &&CardStep| match step {
                    CardStep::Adds(_, on) | CardStep::Becomes(on, _) => *on == at,
                    CardStep::Goes(..) | CardStep::Takes(_) | CardStep::Swaps(..) => false,
                };
                let mut here = next.iter().filter(here);
                match (here.next(), here.next()) {
                    (Some(only), None) => Some(*only),
                    // Several pieces could come here: the list has a button for each.
                    (Some(_), Some(_)) => None,
                    (None, _) => {
                        let starts = |step: &CardStep| matches!(step, CardStep::Goes(from, _) if *from == at);
                        *chosen = Some(at).filter(|_| next.iter().any(starts));
                        None
                    }
                }
            }
        };
        if let Some(step) = step.filter(|step| next.contains(step)) {
            self.push(step);
        }
    }
}

/// The beginning of a choice, with the first masquerade that has a use.
pub(super) fn begun(view: &TableView, sight: &JokerSight, by: Color) -> Option<UseChoice> {
    let uses = sight.uses[by].as_ref()?;
    masks(view).next().and_then(|(_, mask)| UseChoice::new(uses, mask))
}

/// Whose written card may be used now.
pub(super) fn owner(view: &TableView) -> Option<Color> {
    masks(view).next().map(|(by, _)| by)
}

/// The masquerades with which the card may be used now; as printed comes first.
fn masks(view: &TableView) -> impl Iterator<Item = (Color, Masquerade)> {
    offers(view).filter_map(|offer| match offer {
        JokerOffer::Uses { by, mask, .. } => Some((*by, *mask)),
        JokerOffer::Draw(_) | JokerOffer::Unwritten(_) => None,
    })
}

/// What this player's card could do first, as printed and masqueraded.
pub(super) fn could(sight: &JokerSight, by: Color) -> CouldDo {
    let Some(first) = sight.uses[by].as_ref().map(CardUses::first_steps) else {
        return CouldDo { by, marks: Vec::new(), cut_short: false };
    };
    let marks = CardMark::all(first.steps(), StepMeaning::Could);
    CouldDo { by, marks, cut_short: first.cut_short }
}

/// What is chosen from a list now: first one of several pieces that could go, or any other step; once a piece is chosen, or if only
/// one could go, its steps.
fn first_pieces(next: &[CardStep], chosen: Option<Square>) -> (Vec<Square>, Vec<CardStep>) {
    let goes = |step: &CardStep| match step {
        CardStep::Goes(from, _) => Some(*from),
        CardStep::Adds(..) | CardStep::Takes(_) | CardStep::Becomes(..) | CardStep::Swaps(..) => None,
    };
    let mut pieces: Vec<Square> = next.iter().filter_map(goes).collect();
    pieces.sort();
    pieces.dedup();
    if chosen.is_some() || pieces.len() < 2 {
        return (Vec::new(), next.to_vec());
    }
    (pieces, next.iter().filter(|step| goes(step).is_none()).copied().collect())
}

/// Draws the choice of a masquerade, if there is one. Returns the choice that begins with another one.
fn masks_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    view: &TableView,
    (uses, now): (&CardUses, Masquerade),
) -> Option<UseChoice> {
    let all: Vec<Masquerade> = masks(view).map(|(_, mask)| mask).collect();
    let mut other = None;
    if all.len() > 1 {
        ui.horizontal_wrapped(|ui| {
            for mask in all {
                let text = mask_words(cx, mask);
                if ui.selectable_label(now == mask, text).clicked() {
                    other = UseChoice::new(uses, mask);
                }
            }
        });
    }
    other
}

/// Draws the list of what can come next: pieces, one of which is then chosen, or steps, of which the board shows the one under the
/// pointer or the keyboard focus. Returns the step that was clicked.
fn list_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    using: &UseChoice,
    (next, chosen, pointed): (&[CardStep], &mut Option<Square>, &mut Option<CardStep>),
) -> Option<CardStep> {
    let (pieces, steps) = first_pieces(next, *chosen);
    let (mut clicked, mut under) = (None, None);
    ui.horizontal_wrapped(|ui| {
        for at in pieces {
            let text = square_words(cx.words, at, using.after.board[at]);
            if button(ui, &text, true).clicked() {
                *chosen = Some(at);
            }
        }
        for step in steps {
            let response = button(ui, &step_words(cx, step), true);
            if response.hovered() || response.has_focus() {
                under = Some(step);
            }
            if response.clicked() {
                clicked = Some(step);
            }
        }
    });
    if *pointed != under {
        *pointed = under;
        cx.ctx.request_repaint();
    }
    clicked
}

/// Draws the use that is being chosen: its steps, those that can come next, and the button that plays the card.
pub(super) fn choose_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    (view, sight): (&TableView, &JokerSight),
    by: Color,
    (choice, chosen, pointed): (&mut Option<UseChoice>, &mut Option<Square>, &mut Option<CardStep>),
) {
    let Some(uses) = &sight.uses[by] else { return };
    let code = sight.cards[by].as_ref().map(JokerCard::word).unwrap_or_default();
    let Some(using) = choice else { return };
    let other = masks_ui(ui, cx, view, (uses, using.mask));
    let (mut play, mut leave) = (false, false);
    ui.horizontal_wrapped(|ui| {
        if using.after.whole {
            let what = use_words(cx, using.mask, &using.steps);
            let text = cx.words.with("play-use", &[("code", code.into()), ("what", what.into())]);
            play = main_button(ui, cx.theme, &text, true).clicked();
        } else if !using.steps.is_empty() {
            ui.label(RichText::new(use_words(cx, using.mask, &using.steps)).font(cx.bold(15.0)));
        }
        if button(ui, &cx.t("card-back"), true).clicked() {
            leave = !using.take_back();
            *chosen = None;
        }
    });
    let next = using.next(*chosen);
    if !next.is_empty() {
        hint(ui, &cx.t("card-next-step"));
    }
    if using.after.cut_short {
        hint(ui, &cx.t("card-uses-cut-short"));
    }
    let next_step = list_ui(ui, cx, using, (&next, chosen, pointed));
    if let Some(step) = next_step {
        using.push(step);
        *chosen = None;
    }
    if play {
        let (steps, mask) = (using.steps.clone(), using.mask);
        enter(cx, JokerAction::Play(PlayCard { by, steps, mask, card: None, elo: None }));
    }
    if leave {
        (*choice, *chosen) = (None, None);
    } else if other.is_some() {
        (*choice, *chosen) = (other, None);
    }
}
