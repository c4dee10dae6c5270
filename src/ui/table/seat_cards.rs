//! The cards at a player's seat: those that were turned over or dealt, those that the pieces form a hand of, those that the
//! player holds, or the one that lies before the player.

use egui::{Align2, CornerRadius, Painter, Rect, Role, Sense, Stroke, StrokeKind, Ui, pos2};
use tabiya_app::snapshot::{PokerView, TableView};
use tabiya_engine::rules::{FormedHand, ShownCard, Stages};
use tabiya_types::{Card, Color};

use super::own_cards;
use crate::board::card_text;
use crate::cx::Cx;
use crate::kit::card::{self, CardEdge, CardSide};
use crate::theme::bold_font;
use crate::widgets::name;

/// How many cards a hand has.
pub(super) const HAND: usize = 5;

/// A card at a seat.
pub(super) struct SeatCard {
    side: CardSide,
    edge: CardEdge,
    /// How far it is turned over, 0 to 1.
    turned: f32,
    /// The piece that it became, if that is not the one on it.
    became: Option<Card>,
    /// What it is called; `None` for one that nobody has to know of.
    said: Option<String>,
}

impl SeatCard {
    /// Its width at this height.
    pub(super) fn width(&self, height: f32) -> f32 {
        self.side.of_height(height).x
    }

    /// A card that lies open or face-down for good.
    pub(super) fn of(side: CardSide, said: Option<String>) -> Self {
        Self { side, edge: CardEdge::Paper, turned: 1.0, became: None, said }
    }
}

/// The cards at a seat, from left to right; empty in a game without cards.
pub(super) fn cards_of(cx: &Cx<'_>, view: &TableView, color: Color) -> Vec<SeatCard> {
    if let Some(poker) = &view.poker {
        return formed(cx, view, poker, color);
    }
    if let Some(cards) = own_cards::seat(cx, view, color) {
        return cards;
    }
    if view.has_chips() { dealt_cards(cx, view, color) } else { Vec::new() }
}

/// The cards under the pieces that form a player's hand, those that count most first; a card that is missing is an empty place.
fn formed(cx: &Cx<'_>, view: &TableView, poker: &PokerView, color: Color) -> Vec<SeatCard> {
    let mut cards = in_order(view, &poker.now.hands[color]).into_iter();
    (0..HAND)
        .map(|_| match cards.next() {
            Some(card) => {
                let said = cx
                    .words
                    .with("hand-has", &[("name", cx.who(color).into()), ("card", card_text(&card).into())]);
                SeatCard::of(CardSide::Playing(card), Some(said))
            }
            None => SeatCard::of(CardSide::Empty, None),
        })
        .collect()
}

/// The cards of a hand in the order in which hands are compared.
fn in_order(view: &TableView, hand: &FormedHand) -> Vec<String> {
    let under = view.under.iter().filter(|(square, _)| hand.squares.contains(square));
    let mut left: Vec<&String> = under.map(|(_, card)| card).collect();
    let of_rank = |rank: char| {
        let at = left.iter().position(|card| card.starts_with(rank))?;
        Some(left.remove(at).clone())
    };
    hand.cards.chars().filter_map(of_rank).collect()
}

/// The cards that a player has turned over, backs for those that were dealt besides, and empty places.
fn dealt_cards(cx: &Cx<'_>, view: &TableView, color: Color) -> Vec<SeatCard> {
    let shown = &view.cards[color];
    let dealt = dealt(view);
    (0..HAND)
        .map(|nth| {
            let turned = cx.turned(color, nth, shown.get(nth).is_some());
            match shown.get(nth) {
                Some(card) => SeatCard {
                    side: CardSide::Piece(card.card, color),
                    edge: if card.piece.is_none() { CardEdge::Now } else { CardEdge::Paper },
                    turned,
                    became: card.piece.filter(|piece| *piece != card.card),
                    said: Some(card_name(cx, color, *card)),
                },
                None if nth < dealt => SeatCard::of(CardSide::Back, None),
                None => SeatCard::of(CardSide::Empty, None),
            }
        })
        .collect()
}

/// Draws a player's cards, each `step` points to the right of the one before.
pub(crate) fn cards_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, rect: Rect, step: f32) {
    draw_cards(ui, cx, color, &cards_of(cx, view, color), (rect, step));
}

/// Draws these cards of a player from the left end of an area on, each `step` points to the right of the one before.
pub(super) fn draw_cards(ui: &Ui, cx: &Cx<'_>, color: Color, cards: &[SeatCard], (rect, step): (Rect, f32)) {
    for (nth, seat_card) in cards.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a handful of cards")]
        let at = pos2(rect.left() + step * nth as f32, rect.top());
        let place = Rect::from_min_size(at, seat_card.side.of_height(rect.height()));
        card::draw_turning(ui.painter(), cx, (place, seat_card.turned), &seat_card.side);
        if seat_card.turned >= 1.0 {
            if let Some(piece) = seat_card.became {
                badge(ui.painter(), cx, place, piece);
            }
            card::draw_edge(ui.painter(), cx, place, seat_card.edge);
        }
        if let Some(said) = &seat_card.said {
            let response = ui.interact(place, ui.scope_id().with(("card", color, nth)), Sense::hover());
            name(&response, Role::Label, true, said);
            response.on_hover_text(said);
        }
    }
}

/// The width of these cards at this height, each `step` points to the right of the one before.
pub(super) fn whole_width(cards: &[SeatCard], height: f32, step: f32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a handful of cards")]
    let steps = cards.len().saturating_sub(1) as f32;
    cards.last().map_or(0.0, |last| steps * step + last.width(height))
}

/// How many cards each player has been dealt, as the stages of the game tell.
fn dealt(view: &TableView) -> usize {
    let Some(Stages { names, now }) = view.stages else { return 0 };
    let dealt = |stage: &&str| stage.strip_prefix("deal-").and_then(|count| count.parse::<usize>().ok());
    names.iter().take(now).filter_map(dealt).sum()
}

/// A badge over the corner of a card shows the piece that it became.
fn badge(painter: &Painter, cx: &Cx<'_>, card: Rect, piece: Card) {
    let badge = Rect::from_min_size(card.center(), card.size() * 0.5);
    let edge = Stroke::new(1.0, cx.theme.on_gold);
    painter.rect(badge, CornerRadius::same(4), cx.theme.gold_ink, edge, StrokeKind::Inside);
    let font = bold_font(badge.height() * 0.7);
    let letter = cx.words.letter(piece.role());
    painter.text(badge.center(), Align2::CENTER_CENTER, letter, font, cx.theme.on_gold);
}

fn card_name(cx: &Cx<'_>, color: Color, card: ShownCard) -> String {
    let face = cx.words.card(card.card);
    let color = cx.words.color(color);
    match (card.piece, card.at) {
        (Some(piece), Some(at)) => cx.words.with(
            "card-placed",
            &[
                ("color", color.into()),
                ("card", face.into()),
                ("piece", cx.words.card(piece).into()),
                ("square", at.to_string().into()),
            ],
        ),
        _ => cx.words.with("card-open", &[("color", color.into()), ("card", face.into())]),
    }
}
