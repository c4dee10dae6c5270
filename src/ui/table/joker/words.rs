//! What the parts of this screen share: what the game offers, and how cards, steps and masquerades are told.

use egui::text::{LayoutJob, TextFormat};
use egui::{FontId, RichText, Ui};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::chess_joker::{
    CardStep, JokerAction, JokerCard, JokerOffer, JokerSight, Masquerade,
};
use tabiya_engine::rules::{Action, Offer, OwnAction};
use tabiya_engine::table::LegalInput;

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

/// Draws the words of a card's effect; what is printed bold is bold.
pub(crate) fn effect_words(ui: &mut Ui, cx: &Cx<'_>, card: &JokerCard) {
    let Some(effect) = &card.effect else {
        ui.label(RichText::new(cx.t("card-unwritten")).color(cx.theme.muted));
        return;
    };
    let mut job = LayoutJob::default();
    for (nth, word) in effect.words().split(' ').enumerate() {
        let plain = FontId::proportional(cx.sizes.rem);
        let font = if word.contains('*') { bold_font(cx.sizes.rem) } else { plain };
        let gap = if nth == 0 { "" } else { " " };
        let word = format!("{gap}{}", word.replace('*', ""));
        job.append(&word, 0.0, TextFormat::simple(font, cx.theme.text));
    }
    ui.label(job);
}
