//! The cards of a PokerDrez table: the row on its felt with the stock, what may be laid from hand and row, the die, exchanges,
//! and the deal.
//!
//! The screen shows what everybody knows: never a hidden face, and no used card before the result.

mod deal;
mod exchange;
mod row;
mod strip;

use egui::{Rect, RichText, Sense, Ui, vec2};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::pokerdrez::{DrezAction, DrezCard, DrezOffer, SwapWith};
use tabiya_engine::rules::{Action, CardPlace, CardSource, Heap, HeapPlace, Offer, OwnAction, RaiseRange};
use tabiya_engine::table::LegalInput;
use tabiya_types::{Card, Color, Fact, Square, one_letter, say};

pub(super) use self::exchange::menu_ui;
use super::betting::stake_ui;
use super::seat_cards::SeatCard;
use super::state::TableState;
use crate::board::Touch;
use crate::cx::Cx;
use crate::kit::card::CardSide;

/// The number of open cards of a deal, and of shown cards.
const ROW: usize = 5;
const HAND: usize = 2;
/// The room between felt and cards, and between cards, at a rem of 16 points.
const PAD: f32 = 16.0;
const BETWEEN: f32 = 10.0;

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

/// The cards that could be laid for the piece that was moved before its card.
fn awaited(view: &TableView) -> impl Iterator<Item = &DrezAction> {
    view.awaited.iter().filter_map(|action| match action {
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

/// Whether the player has still to put a card into the row, before the clock may be pressed.
pub(super) fn owes(view: &TableView) -> bool {
    actions(view).any(|action| matches!(action, DrezAction::Return { .. }))
}

/// The cards in a player's hand: those that everybody has seen, and backs.
pub(super) fn seat_cards(cx: &Cx<'_>, view: &TableView, color: Color) -> Vec<SeatCard> {
    let Some(held) = view.heaps.iter().find(|heap| heap.place == HeapPlace::Hand(color)) else {
        return Vec::new();
    };
    let who = cx.who(color);
    let known = faces(held).into_iter().map(|card| {
        let said = cx.words.with("holds", &[("name", who.clone().into()), ("card", cx.face(card).into())]);
        SeatCard::of(drez_side(card, color), Some(said))
    });
    let hidden = cx.words.with("holds-hidden", &[("name", who.clone().into()), ("count", held.down.into())]);
    // The backs have one name together.
    let backs = (0..held.down).map(|nth| SeatCard::of(CardSide::Back, (nth == 0).then(|| hidden.clone())));
    known.chain(backs).collect()
}

/// The side of a card of the deck of pieces, with pieces of this colour.
fn drez_side(card: DrezCard, of: Color) -> CardSide {
    match (card, card.role().and_then(Card::from_role)) {
        (_, Some(piece)) => CardSide::Piece(piece, of),
        (DrezCard::Joker, None) => CardSide::Joker,
        (_, None) => CardSide::Neutral,
    }
}

/// The text of the button for exchanges, if there are any.
pub(super) fn exchanges(view: &TableView) -> Option<&'static str> {
    offers(view).any(|offer| matches!(offer, DrezOffer::Swap { .. })).then_some("exchange")
}

/// Draws the cards and what may be done with them.
pub(super) fn cards_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    if view.outcome.is_some() {
        used_ui(ui, cx, view);
        return;
    }
    state.picked.follow(view.acts);
    ui.spacing_mut().item_spacing.y = cx.sizes.px(8.0);
    if deal::pawns_ui(ui, cx, view) {
        // The cards wait: an empty row and the whole stock.
        row::row_ui(ui, cx, view);
        return;
    }
    if deal::deal_ui(ui, cx, view, state) {
        return;
    }
    if awaited(view).next().is_some() {
        ui.label(RichText::new(cx.t("moved-first")).color(cx.theme.text));
    }
    exchange::came_ui(ui, cx, view, state);
    row::row_ui(ui, cx, view);
    strip::strip_ui(ui, cx, view);
    raise_ui(ui, cx, view, state);
    deal::show_ui(ui, cx, view, state);
}

/// The width of a card among cards that share this room with the stock: beside the controls of a raise it is smaller.
fn card_width(cx: &Cx<'_>, view: &TableView, room: f32) -> f32 {
    let most = cx.sizes.px(if raise(view).is_some() { 44.0 } else { 64.0 });
    #[expect(clippy::cast_precision_loss, reason = "five cards and the stock")]
    let many = ROW as f32 + 1.0;
    ((room - 2.0 * cx.sizes.px(PAD)) / many - cx.sizes.px(BETWEEN)).min(most)
}

/// A place of this height over the whole width.
fn place(ui: &mut Ui, height: f32) -> Rect {
    ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover()).0
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

/// Who may raise the stake now, and how far, where nobody has to bet.
fn raise(view: &TableView) -> Option<(Color, RaiseRange)> {
    view.legal.iter().filter(|_| view.bet.is_none()).find_map(|legal| match legal {
        LegalInput::Game(Offer::Raise { by, least, most }) => {
            Some((*by, RaiseRange { least: *least, most: *most }))
        }
        _ => None,
    })
}

/// Draws a raise of the stake.
fn raise_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    if let Some(raise) = raise(view) {
        ui.horizontal_wrapped(|ui| stake_ui(ui, cx, view, raise, state));
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

/// The action that lays this card from there, if it may be laid now: before the move, or after the piece was moved first.
fn lay_of(view: &TableView, place: CardPlace, wanted: DrezCard) -> Option<DrezAction> {
    let fits = |action: &&DrezAction| matches!(action, DrezAction::Reveal { card, from, .. } if *card == wanted && *from == place);
    let DrezAction::Reveal { by, card, from, .. } = actions(view).chain(awaited(view)).find(fits)? else {
        return None;
    };
    let source = CardSource { read: Some(false), copy: None };
    Some(DrezAction::Reveal { by: *by, card: *card, from: *from, source })
}

fn faces(heap: &Heap) -> Vec<DrezCard> {
    heap.up.iter().filter_map(|face| one_letter(face).and_then(DrezCard::from_letter)).collect()
}
