//! What the parts of this screen share: what the game offers, and how cards, steps and masquerades are told.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{FontId, Galley, Rect, Ui};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::chess_joker::{
    CardStep, JokerAction, JokerCard, JokerOffer, JokerSight, Masquerade,
};
use tabiya_engine::rules::{Action, Offer, OwnAction};
use tabiya_engine::table::LegalInput;
use tabiya_types::Color;

use crate::cx::Cx;
use crate::theme::bold_font;

/// What the table of this game shows; `None` in other games.
pub(crate) fn sight(view: &TableView) -> Option<&JokerSight> {
    view.sight.as_ref()?.of::<JokerSight>()
}

pub(super) fn offers(view: &TableView) -> impl Iterator<Item = &JokerOffer> {
    view.legal.iter().filter_map(|legal| match legal {
        LegalInput::Game(Offer::Own(own)) => own.of::<JokerOffer>(),
        _ => None,
    })
}

pub(super) fn actions(view: &TableView) -> impl Iterator<Item = &JokerAction> {
    view.legal.iter().filter_map(|legal| match legal.action()? {
        Action::Own(own) => own.of::<JokerAction>(),
        _ => None,
    })
}

pub(super) fn enter(cx: &mut Cx<'_>, action: JokerAction) {
    cx.enter(Action::Own(OwnAction::new(action)));
}

/// A step as people read it: `c8–f5`, `+ knight b3`, `− d5`, `d6 = bishop`.
pub(super) fn step_words(cx: &Cx<'_>, step: CardStep) -> String {
    match step {
        CardStep::Goes(from, to) => format!("{from}–{to}"),
        CardStep::Adds(piece, at) => format!("+ {} {at}", cx.words.piece(piece)),
        CardStep::Takes(at) => format!("− {at}"),
        CardStep::Becomes(at, role) => format!("{at} = {}", cx.words.role(role)),
        CardStep::Swaps(one, other) => format!("{one} ↔ {other}"),
    }
}

/// The steps of a use with its masquerade.
pub(super) fn use_words(cx: &Cx<'_>, mask: Masquerade, steps: &[CardStep]) -> String {
    let steps: Vec<String> = steps.iter().map(|step| step_words(cx, *step)).collect();
    let steps = if steps.is_empty() { cx.t("card-no-step") } else { steps.join(", ") };
    if mask.is_none() { steps } else { format!("{}: {steps}", mask_words(cx, mask)) }
}

/// What a masquerade replaces: `knight as pawn`.
pub(super) fn mask_words(cx: &Cx<'_>, mask: Masquerade) -> String {
    if mask.is_none() {
        return cx.t("as-printed");
    }
    let one = |(role, by)| {
        let facts = [("piece", cx.words.role(role).into()), ("as", cx.words.role(by).into())];
        cx.words.with("plays-as", &facts)
    };
    mask.replaced().map(one).collect::<Vec<_>>().join(", ")
}

/// What stands at the head of a card: its code, its star and its points.
pub(crate) fn card_title(cx: &Cx<'_>, card: &JokerCard) -> String {
    let star = if card.star == Some(true) { " ★" } else { "" };
    let code = if card.code.is_none() { cx.t("card-hidden") } else { card.word() };
    let elo = card.elo.map_or_else(String::new, |elo| format!(" · {elo} Elo"));
    format!("{code}{star}{elo}")
}

/// The words of a card's effect without their marks; what is said of a card that is not written.
pub(in crate::table) fn effect_text(cx: &Cx<'_>, card: &JokerCard) -> String {
    card.effect.as_ref().map_or_else(|| cx.t("card-unwritten"), |effect| effect.words().replace('*', ""))
}

/// The words of a card's effect; what is printed bold is bold.
fn effect_job(cx: &Cx<'_>, card: &JokerCard, size: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    let Some(effect) = &card.effect else {
        let font = FontId::proportional(size);
        job.append(&cx.t("card-unwritten"), 0.0, TextFormat::simple(font, cx.theme.muted));
        return job;
    };
    for (nth, word) in effect.words().split(' ').enumerate() {
        let font = if word.contains('*') { bold_font(size) } else { FontId::proportional(size) };
        let gap = if nth == 0 { "" } else { " " };
        let word = format!("{gap}{}", word.replace('*', ""));
        job.append(&word, 0.0, TextFormat::simple(font, cx.theme.text));
    }
    job
}

/// Draws the words of a card's effect.
pub(crate) fn effect_words(ui: &mut Ui, cx: &Cx<'_>, card: &JokerCard) {
    ui.label(effect_job(cx, card, cx.sizes.rem));
}

/// Draws the words of the card before a player into an area, in the largest letters in which they fit.
pub(in crate::table) fn card_words(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, area: Rect) {
    let Some(sight) = sight(view) else { return };
    let lay = |size: f32| {
        let none = || {
            let format = TextFormat::simple(FontId::proportional(size), cx.theme.muted);
            LayoutJob::single_section(cx.t("no-card"), format)
        };
        let mut job = sight.cards[color].as_ref().map_or_else(none, |card| effect_job(cx, card, size));
        job.wrap = TextWrapping { max_width: area.width(), ..TextWrapping::default() };
        ui.painter().layout_job(job)
    };
    let small = cx.sizes.small();
    let sizes = [cx.sizes.rem, small, small * 0.86, small * 0.75];
    let fits = |galley: &Arc<Galley>| galley.size().y <= area.height();
    if let Some(galley) = sizes.into_iter().map(lay).find(fits) {
        ui.painter().galley(area.min, galley, cx.theme.text);
    }
}
