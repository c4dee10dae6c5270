//! The cards of a PokerDrez table: the row and what may be laid from hand and row, the die, exchanges, and the deal.
//!
//! The screen shows what everybody knows: never a hidden face, and no used card before the result.

use std::hash::Hash;

use egui::{Align2, CornerRadius, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, Vec2};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::pokerdrez::{DrezAction, DrezCard, DrezOffer, SwapWith};
use tabiya_engine::rules::{Action, CardPlace, CardSource, Heap, HeapPlace, Offer, OwnAction, RaiseRange};
use tabiya_engine::table::LegalInput;
use tabiya_types::{ByColor, Card, Color, Fact, Square, one_letter, say};

use super::betting::stake_ui;
use super::state::TableState;
use crate::board::Touch;
use crate::cx::Cx;
use crate::kit::write;
use crate::theme::{PAPER, PAPER_EDGE, PRINT_JOKER, PRINT_WEAK, bold_font};
use crate::widgets::{because, button, hint, name};

/// The size of a card in points, before the size of the words.
const CARD: Vec2 = Vec2::new(33.0, 45.0);
/// The number of open cards of a deal, and of shown cards.
const ROW: usize = 5;
const HAND: usize = 2;

/// The cards that the user has picked for a deal, or to be shown, and the exchange whose card he picks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PickedCards {
    cards: Vec<DrezCard>,
    /// The exchange of a neutral card for one that all see.
    exchange: Option<(CardPlace, SwapWith)>,
    /// The number of inputs in the record when the picking began. When it changes, the picking begins anew.
    acts: usize,
}

impl PickedCards {
    fn follow(&mut self, acts: usize) {
        if self.acts != acts {
            *self = Self { acts, ..Self::default() };
        }
    }
}

/// Whether the table has cards of this kind, so that [`cards_ui`] has something to draw.
pub(super) fn has_cards(view: &TableView) -> bool {
    let row = view.heaps.iter().any(|heap| heap.place == HeapPlace::Middle);
    row && (view.outcome.is_none() || view.heaps.iter().any(|heap| !heap.up.is_empty()))
}

fn actions(view: &TableView) -> impl Iterator<Item = &DrezAction> {
    view.legal.iter().filter_map(|legal| match legal.action()? {
        Action::Own(own) => own.of::<DrezAction>(),
        _ => None,
    })
}

fn offers(view: &TableView) -> impl Iterator<Item = &DrezOffer> {
    view.legal.iter().filter_map(|legal| match legal {
        LegalInput::Game(Offer::Own(own)) => own.of::<DrezOffer>(),
        _ => None,
    })
}

fn enter(cx: &mut Cx<'_>, action: DrezAction) {
    cx.enter(Action::Own(OwnAction::new(action)));
}

/// Draws the cards and what may be done with them.
pub(super) fn cards_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    if view.outcome.is_some() {
        used_ui(ui, cx, view);
        return;
    }
    state.picked.follow(view.acts);
    let pawns = pawns_ui(ui, cx, view);
    if deal_ui(ui, cx, view, state) || pawns {
        return;
    }
    awaited_ui(ui, cx, view);
    exchanged_ui(ui, cx, view, state);
    row_ui(ui, cx, view);
    hand_ui(ui, cx, view);
    facts_ui(ui, cx, view);
    ui.horizontal_wrapped(|ui| {
        die_ui(ui, cx, view);
        exchange_ui(ui, cx, view, state);
    });
    raise_ui(ui, cx, view, state);
    show_ui(ui, cx, view, state);
}

/// A piece was moved before its card: draws the cards that move it.
fn awaited_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let cards = view.awaited.iter().filter_map(|action| match action {
        Action::Own(own) => own.of::<DrezAction>().cloned(),
        _ => None,
    });
    let cards: Vec<DrezAction> = cards.collect();
    if cards.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(cx.t("moved-first")).color(cx.theme.text));
        for action in cards {
            let DrezAction::Reveal { card, from, .. } = action else { continue };
            let id = if from == CardPlace::Common { "lay-open" } else { "lay-own" };
            let text = cx.words.with(id, &[("card", cx.face(card).into())]);
            if button(ui, &text, true).clicked() {
                enter(cx, action);
            }
        }
    });
}

/// Takes the clicked pawn off the board, if that is offered. Returns whether it was.
pub(super) fn touched(cx: &mut Cx<'_>, view: &TableView, touch: Touch) -> bool {
    let Touch::Click(square) = touch else { return false };
    let removal = removal(view, square);
    let offered = removal.is_some();
    if let Some(removal) = removal {
        cx.enter(removal);
    }
    offered
}

/// The offer to take one of these pawns off, for a click on the board.
fn removal(view: &TableView, square: Square) -> Option<Action> {
    offers(view).find_map(|offer| match offer {
        DrezOffer::Remove { by, at } if at.contains(&square) => {
            Some(Action::Own(OwnAction::new(DrezAction::Remove { by: *by, at: Some(square) })))
        }
        _ => None,
    })
}

/// Draws the choice of a pawn before the deal. Returns whether there is one.
fn pawns_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) -> bool {
    let keep = actions(view).find(|action| matches!(action, DrezAction::Remove { at: None, .. })).cloned();
    let Some(keep) = keep else { return false };
    if button(ui, &cx.t("keep-pawns"), true).clicked() {
        enter(cx, keep);
    }
    hint(ui, &cx.t("remove-hint"));
    true
}

/// Draws the deal: the open cards are picked one by one. Returns whether a deal is due.
fn deal_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) -> bool {
    if !offers(view).any(|offer| matches!(offer, DrezOffer::Deal)) {
        return false;
    }
    let enough = state.picked.cards.len() == ROW;
    let off = cx.why_off(&[(enough, "off-row")]);
    if because(button(ui, &cx.t("deal-these"), enough), off.as_ref()).clicked() && enough {
        let common = Some(state.picked.cards.clone());
        enter(cx, DrezAction::Deal { common, own: ByColor::default() });
    }
    pick_ui(ui, cx, state, "pick-row", ROW);
    true
}

/// Draws a row of all cards from which up to `most` are picked; a click on a full list begins it anew.
fn pick_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut TableState, text: &str, most: usize) {
    let picked: Vec<String> = state.picked.cards.iter().map(|card| cx.face(*card)).collect();
    let picked = if picked.is_empty() { cx.t("picked-none") } else { picked.join(", ") };
    ui.label(RichText::new(cx.words.with(text, &[("cards", picked.into())])).color(cx.theme.text));
    ui.horizontal_wrapped(|ui| {
        for card in DrezCard::ALL {
            if card_ui(ui, cx, (text.to_owned(), card), Some(card), true, &cx.face(card)) {
                if state.picked.cards.len() >= most {
                    state.picked.cards.clear();
                }
                state.picked.cards.push(card);
            }
        }
    });
}

/// Draws the row. A card that may be laid is a button.
fn row_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let Some(row) = view.heaps.iter().find(|heap| heap.place == HeapPlace::Middle) else { return };
    let cards: Vec<DrezCard> = faces(row);
    let mut laid = None;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(cx.t("row-of-cards")).color(cx.theme.muted));
        for (nth, card) in cards.into_iter().enumerate() {
            let lay = lay_of(view, CardPlace::Common, card);
            let text = cx.words.with("lay-open", &[("card", cx.face(card).into())]);
            if card_ui(ui, cx, ("row", nth), Some(card), lay.is_some(), &text) {
                laid = lay;
            }
        }
        if let Some((color, card)) = lying(view) {
            let facts = [("color", cx.words.color(color).into()), ("card", cx.face(card).into())];
            ui.label(RichText::new(cx.words.with("card-laid", &facts)).font(cx.bold(14.0)));
        }
    });
    if let Some(lay) = laid {
        enter(cx, lay);
    }
}

/// Draws the cards that the player can lay from his hand, or put into the row.
fn hand_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let mut chosen = None;
    let own: Vec<DrezAction> = actions(view)
        .filter(|action| {
            matches!(action, DrezAction::Return { .. } | DrezAction::Reveal { from: CardPlace::Own, .. })
        })
        .cloned()
        .collect();
    let Some((DrezAction::Return { by, .. } | DrezAction::Reveal { by, .. }, _)) = own.split_first() else {
        return;
    };
    let color = cx.words.color(*by);
    ui.horizontal_wrapped(|ui| {
        let text = cx.words.with("hand-of-cards", &[("color", color.into())]);
        ui.label(RichText::new(text).color(cx.theme.muted));
        for action in own {
            let (DrezAction::Return { card, .. } | DrezAction::Reveal { card, .. }) = action else {
                continue;
            };
            let id = if matches!(action, DrezAction::Return { .. }) { "put-into-row" } else { "lay-own" };
            let text = cx.words.with(id, &[("card", cx.face(card).into())]);
            if card_ui(ui, cx, (id, card), Some(card), true, &text) {
                chosen = Some(action);
            }
        }
    });
    if let Some(action) = chosen {
        enter(cx, action);
    }
}

/// Draws how many cards lie where, and who has the die.
fn facts_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    let heap = |place: HeapPlace| view.heaps.iter().find(|heap| heap.place == place);
    let hand = |color: Color| {
        let Some(heap) = heap(HeapPlace::Hand(color)) else { return String::new() };
        let known = faces(heap).into_iter().map(|card| cx.face(card));
        known.chain((0..heap.down).map(|_| "?".to_owned())).collect::<Vec<_>>().join(" ")
    };
    let stock = heap(HeapPlace::Stock).map_or(0, |heap| heap.down);
    let facts =
        [("stock", stock.into()), ("white", hand(Color::White).into()), ("black", hand(Color::Black).into())];
    let mut text = cx.words.with("cards-left", &facts);
    if let Some(die) = view.die {
        let die = match die.thrown {
            Some(pips) => cx.words.with("die-shows", &[("pips", u32::from(pips).into())]),
            None => cx.words.with("die-of", &[("color", cx.words.color(die.owner).into())]),
        };
        text = format!("{text} · {die}");
    }
    ui.label(RichText::new(text).color(cx.theme.muted));
}

/// Draws the die: the number that was thrown, or a throw by the screen.
fn die_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let roll = offers(view).find_map(|offer| match offer {
        DrezOffer::Roll { by } => Some(*by),
        _ => None,
    });
    let Some(by) = roll else { return };
    for pips in 1..=6_u8 {
        let response = ui.button(pips.to_string());
        let text = cx.words.with("throw-was", &[("pips", u32::from(pips).into())]);
        name(&response, Role::Button, true, &text);
        if response.clicked() {
            enter(cx, DrezAction::Roll { by, pips });
        }
    }
    if button(ui, &cx.t("throw-the-die"), true).clicked() {
        cx.wish(Wish::Throw(by));
    }
}

/// Draws the exchanges of a neutral card. One whose card all see asks for that card next.
fn exchange_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let swaps: Vec<(Color, CardPlace, SwapWith, bool)> = offers(view)
        .filter_map(|offer| match offer {
            DrezOffer::Swap { by, from, with, cards } => Some((*by, *from, *with, cards.is_empty())),
            _ => None,
        })
        .collect();
    if swaps.is_empty() {
        return;
    }
    ui.menu_button(cx.t("exchange"), |ui| {
        for (by, from, with, hidden) in swaps {
            let other = match with {
                SwapWith::Stock => cx.t("exchange-stock"),
                SwapWith::Common => cx.t("exchange-open"),
                SwapWith::Opponent => {
                    cx.words.with("exchange-opponent", &[("color", cx.words.color(by.other()).into())])
                }
            };
            if ui.button(exchange_words(cx, from, other)).clicked() {
                if hidden {
                    enter(cx, DrezAction::Swap { by, from, with, card: None });
                } else {
                    state.picked.exchange = Some((from, with));
                }
                ui.close();
            }
        }
    });
}

/// Draws the cards that may come for a neutral one, after an exchange was chosen whose card all see.
fn exchanged_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let chosen = offers(view).find_map(|offer| match offer {
        DrezOffer::Swap { by, from, with, cards } if state.picked.exchange == Some((*from, *with)) => {
            Some((*by, *from, *with, cards.clone()))
        }
        _ => None,
    });
    let Some((by, from, with, cards)) = chosen else { return };
    let mut came = None;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(cx.t("exchange-which")).color(cx.theme.text));
        for card in cards {
            let facts = [("card", cx.face(card).into()), ("with", with.word().into())];
            let text = exchange_words(cx, from, cx.words.with("exchange-card", &facts));
            if card_ui(ui, cx, ("exchange", card), Some(card), true, &text) {
                came = Some(card);
            }
        }
        if button(ui, &cx.t("card-back"), true).clicked() {
            state.picked.exchange = None;
        }
    });
    if came.is_some() {
        enter(cx, DrezAction::Swap { by, from, with, card: came });
    }
}

/// Which neutral card goes, and for what.
fn exchange_words(cx: &Cx<'_>, from: CardPlace, other: String) -> String {
    cx.words.with("exchange-of", &[("from", from.word().into()), ("card", other.into())])
}

/// Draws a raise of the stake, where nobody has to bet.
fn raise_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    if view.bet.is_some() {
        return;
    }
    let raise = view.legal.iter().find_map(|legal| match legal {
        LegalInput::Game(Offer::Raise { by, least, most }) => {
            Some((*by, RaiseRange { least: *least, most: *most }))
        }
        _ => None,
    });
    if let Some(raise) = raise {
        ui.horizontal_wrapped(|ui| stake_ui(ui, cx, view, raise, state));
    }
}

fn show_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let show = offers(view).find_map(|offer| match offer {
        DrezOffer::Show { by } => Some(*by),
        _ => None,
    });
    let Some(by) = show else { return };
    pick_ui(ui, cx, state, "show-both", HAND);
    if let [one, other] = state.picked.cards.as_slice() {
        let face = cx.t("show-these");
        if button(ui, &face, true).clicked() {
            enter(cx, DrezAction::Show { by, cards: [*one, *other] });
        }
    }
}

/// After the result: the used cards.
fn used_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    let Some(used) = view.heaps.iter().find(|heap| heap.place == HeapPlace::Used) else { return };
    let cards = Fact::list(faces(used));
    ui.label(RichText::new(cx.say(&say!("cards-were-used", "used: {cards}", cards))).color(cx.theme.muted));
}

/// The card that lies for this turn, and whose it is.
fn lying(view: &TableView) -> Option<(Color, DrezCard)> {
    Color::ALL.into_iter().find_map(|color| {
        let heap = view.heaps.iter().find(|heap| heap.place == HeapPlace::Before(color))?;
        Some((color, *faces(heap).first()?))
    })
}

fn lay_of(view: &TableView, place: CardPlace, wanted: DrezCard) -> Option<DrezAction> {
    let fits = |action: &&DrezAction| matches!(action, DrezAction::Reveal { card, from, .. } if *card == wanted && *from == place);
    let DrezAction::Reveal { by, card, from, .. } = actions(view).find(fits)? else { return None };
    let source = CardSource { read: Some(false), copy: None };
    Some(DrezAction::Reveal { by: *by, card: *card, from: *from, source })
}

fn faces(heap: &Heap) -> Vec<DrezCard> {
    heap.up.iter().filter_map(|face| one_letter(face).and_then(DrezCard::from_letter)).collect()
}

/// Draws a card. Returns whether it was clicked.
fn card_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    id: impl Hash + std::fmt::Debug,
    card: Option<DrezCard>,
    enabled: bool,
    text: &str,
) -> bool {
    let size = Vec2::new(cx.sizes.px(CARD.x), cx.sizes.px(CARD.y));
    let (_, rect) = ui.allocate_space(size);
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, ui.scope_id().with(id), sense);
    name(&response, if enabled { Role::Button } else { Role::Label }, enabled, text);
    let painter = ui.painter();
    match card.map(|card| (card, card.role().and_then(Card::from_role))) {
        Some((card, Some(face))) => {
            let letter = card.role().map(|role| cx.words.letter(role)).unwrap_or_default();
            cx.art.card(painter, rect, face, Color::Black, &letter);
        }
        other => plain_card(ui, rect, other.map_or('?', |(card, _)| card.letter())),
    }
    if enabled {
        let width = if response.hovered() { 3.0 } else { 2.0 };
        let edge = Stroke::new(width, cx.theme.gold);
        painter.rect_stroke(rect, CornerRadius::same(5), edge, StrokeKind::Inside);
    }
    response.clicked() && enabled
}

/// Draws the joker or the neutral card: a sheet with its letter.
fn plain_card(ui: &Ui, rect: Rect, letter: char) {
    let painter = ui.painter();
    let edge = Stroke::new(1.0, PAPER_EDGE);
    painter.rect(rect, CornerRadius::same(5), PAPER, edge, StrokeKind::Inside);
    let ink = if letter == 'J' { PRINT_JOKER } else { PRINT_WEAK };
    let font = (bold_font(rect.height() * 0.5), ink);
    write(painter, rect.center(), Align2::CENTER_CENTER, &letter.to_string(), font, rect.width());
}
