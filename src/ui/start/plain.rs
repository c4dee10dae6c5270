//! The plain terms of a game in the form: what they say, and their fields, as the game declares them (`rules/term.rs`).
//!
//! The names of the texts follow from those of the terms: `mate-bonus` for the term `mate_bonus`, `choice-best` for one of
//! its words or numbers, and `empress-line` for what stands beside a box.

use egui::Ui;
use tabiya_engine::rules::{Datum, Group, TermKind, TermSpec, UsualNumber, WholeNumber, presets};

use super::form::plain;
use super::terms::number_ui;
use crate::cx::Cx;
use crate::kit::button::{choices, toggle};

/// What the plain terms of a game say.
#[derive(Clone, Debug)]
pub(crate) struct PlainTerms {
    specs: Vec<&'static TermSpec>,
    /// What differs from the usual values, and numbers that are not left to the game.
    said: Group,
}

impl PlainTerms {
    /// The terms of the game with this name, with their usual values.
    pub(super) fn usual(game: &str) -> Self {
        let specs = presets::kind(game).map_or(&[][..], |kind| kind.terms());
        let specs = specs.iter().filter(|spec| spec.in_form && spec.kind.is_plain()).collect();
        Self { specs, said: Group::new() }
    }

    /// Takes the values of these terms out of a header's terms. A value of another form counts as usual.
    pub(super) fn take(&mut self, terms: &mut Group) {
        for spec in self.specs.clone() {
            let Some(value) = terms.take(spec.name) else { continue };
            let fits = match spec.kind {
                TermKind::YesNo(_) => value.as_flag().is_some(),
                TermKind::Number(_) => value.as_number().is_some_and(|number| u32::try_from(number).is_ok()),
                kind => kind.choices().contains(&value),
            };
            if fits {
                self.set(spec, value);
            }
        }
    }

    /// The values that a header has to name, in the order of the terms.
    pub(super) fn written(&self) -> impl Iterator<Item = (&'static str, Datum)> {
        self.specs.iter().filter_map(|spec| Some((spec.name, self.said.get(spec.name)?.clone())))
    }

    /// Whether this rule is used.
    pub(super) fn is_on(&self, name: &str) -> bool {
        self.specs.iter().any(|spec| spec.name == name && self.value(spec) == Some(true.into()))
    }

    /// Uses this rule, if the game has it.
    pub(super) fn turn_on(&mut self, name: &str) {
        if let Some(spec) = self.specs.iter().copied().find(|spec| spec.name == name) {
            self.set(spec, true.into());
        }
    }

    /// What is said, or else the usual value; `None` for a number that is left to the game.
    fn value(&self, spec: &TermSpec) -> Option<Datum> {
        self.said.get(spec.name).cloned().or_else(|| spec.kind.usual())
    }

    fn number(&self, spec: &TermSpec) -> Option<u32> {
        u32::try_from(self.value(spec)?.as_number()?).ok()
    }

    fn set(&mut self, spec: &TermSpec, value: Datum) {
        if spec.kind.usual().as_ref() == Some(&value) {
            self.said.take(spec.name);
        } else {
            self.said.set(spec.name, value);
        }
    }
}

/// Draws the fields: first the boxes, then the numbers with those of `more` behind them, then the choices.
pub(super) fn plain_terms_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    terms: &mut PlainTerms,
    more: Option<impl FnOnce(&mut Ui)>,
) {
    let of = |wanted: fn(&TermKind) -> bool| -> Vec<_> {
        terms.specs.iter().copied().filter(|spec| wanted(&spec.kind)).collect()
    };
    let boxes = of(|kind| matches!(kind, TermKind::YesNo(_)));
    let numbers = of(|kind| matches!(kind, TermKind::Number(_)));
    if !boxes.is_empty() {
        ui.horizontal_wrapped(|ui| {
            for spec in boxes {
                box_ui(ui, cx, terms, spec);
            }
        });
    }
    if !numbers.is_empty() || more.is_some() {
        ui.horizontal_wrapped(|ui| {
            for spec in numbers {
                if let TermKind::Number(number) = spec.kind {
                    whole_number_ui(ui, cx, terms, spec, number);
                }
            }
            if let Some(more) = more {
                more(ui);
            }
        });
    }
    for spec in terms.specs.clone() {
        choice_ui(ui, cx, terms, spec);
    }
}

/// The name of a term's text.
fn text_of(spec: &TermSpec) -> String {
    spec.name.replace('_', "-")
}

fn box_ui(ui: &mut Ui, cx: &Cx<'_>, terms: &mut PlainTerms, spec: &TermSpec) {
    let text = text_of(spec);
    let mut on = terms.value(spec) == Some(true.into());
    let response = toggle(ui, cx, &mut on, &cx.t(&text));
    if response.clicked() {
        terms.set(spec, on.into());
    }
    if let Some(line) = cx.words.find(&format!("{text}-line")) {
        response.on_hover_text(line);
    }
}

/// Draws the field for a number. A number that follows from the other terms is 0 until it is said, or has a box if it may
/// be 0.
fn whole_number_ui(ui: &mut Ui, cx: &Cx<'_>, terms: &mut PlainTerms, spec: &TermSpec, of: WholeNumber) {
    let text = text_of(spec);
    let WholeNumber { least, most, usual, .. } = of;
    let follows = matches!(usual, UsualNumber::Follows(_));
    let mut said = terms.number(spec);
    if follows && least == 0 {
        let mut agreed = said.is_some();
        if toggle(ui, cx, &mut agreed, &cx.t(&format!("{text}-agreed"))).clicked() {
            said = agreed.then(|| usual.among(&terms.said));
        }
        if let Some(number) = &mut said {
            number_ui(ui, &cx.t(&text), number, least, most);
        }
    } else {
        let mut number = said.unwrap_or_default();
        number_ui(ui, &cx.t(&text), &mut number, if follows { 0 } else { least }, most);
        said = Some(number).filter(|number| !follows || *number > 0);
    }
    match said {
        Some(number) => terms.set(spec, number.into()),
        None => drop(terms.said.take(spec.name)),
    }
}

/// Draws the choice between the words or numbers of a term; nothing for a term of another kind.
fn choice_ui(ui: &mut Ui, cx: &Cx<'_>, terms: &mut PlainTerms, spec: &TermSpec) {
    let values = spec.kind.choices();
    if values.is_empty() {
        return;
    }
    let text = |value: &Datum| cx.t(&format!("{}-{}", text_of(spec), plain(value)));
    let options: Vec<(usize, String)> = values.iter().map(text).enumerate().collect();
    let said = terms.value(spec);
    let mut chosen = values.iter().position(|value| Some(value) == said.as_ref()).unwrap_or_default();
    if choices(ui, cx, &mut chosen, &options)
        && let Some(value) = values.get(chosen)
    {
        terms.set(spec, value.clone());
    }
}

#[cfg(test)]
mod tests {
    use tabiya_engine::rules::GAMES;
    use tabiya_text::{Language, Words};

    use super::*;

    #[test]
    fn every_plain_term_has_its_texts() {
        for language in Language::ALL {
            let words = Words::of(language);
            for spec in GAMES.iter().flat_map(|game| PlainTerms::usual(game.name()).specs) {
                let text = text_of(spec);
                let ends: Vec<String> = match spec.kind {
                    TermKind::Number(WholeNumber { least: 0, usual: UsualNumber::Follows(_), .. }) => {
                        vec![text.clone(), format!("{text}-agreed")]
                    }
                    kind if kind.choices().is_empty() => vec![text],
                    kind => kind.choices().iter().map(|value| format!("{text}-{}", plain(value))).collect(),
                };
                for id in ends {
                    assert!(words.find(&id).is_some(), "{language:?}: {id}");
                }
            }
        }
    }
}
