//! The cards of all games: a face with a piece, a sign, a suit or a code, a back, and the place where a card would lie. A
//! card that may be used now has a gold edge.

use std::fmt::Debug;
use std::hash::Hash;

use egui::{Align2, CornerRadius, FontId, Painter, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, vec2};
use tabiya_types::{Card, Color};

use super::{dashed, fitting, write};
use crate::art::{self, Art};
use crate::cx::Cx;
use crate::theme::{PAPER, PAPER_EDGE, PRINT, PRINT_JOKER, PRINT_RED, PRINT_WEAK, bold_font};
use crate::widgets::name;

/// What is seen of a card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CardSide {
    /// A piece of this colour.
    Piece(Card, Color),
    /// The joker, which stands for every piece.
    Joker,
    /// The card that moves no piece but the king.
    Neutral,
    /// A card of a deck of 52, as the record writes it: `Th`.
    Playing(String),
    /// A card that is known by its code, perhaps with a star and points.
    Coded(String, bool, Option<u32>),
    /// The back.
    Back,
    /// No card lies here.
    Empty,
}

/// The edge of a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CardEdge {
    /// That of the paper.
    Paper,
    /// That of the paper, of one of several cards that can be chosen.
    Choice,
    /// It may be used now.
    Now,
    /// It is chosen, or lies for this turn.
    Chosen,
}

impl CardSide {
    /// A card's width divided by its height.
    pub(crate) fn shape(&self) -> f32 {
        match self {
            Self::Playing(_) => 0.643,
            Self::Coded(..) => 0.696,
            Self::Piece(..) | Self::Joker | Self::Neutral | Self::Back | Self::Empty => 0.72,
        }
    }

    /// The card's size for this height.
    pub(crate) fn of_height(&self, height: f32) -> Vec2 {
        vec2(height * self.shape(), height)
    }
}

/// Draws a card.
pub(crate) fn draw(painter: &Painter, cx: &Cx<'_>, rect: Rect, side: &CardSide) {
    let corner = |letter: &str, ink| {
        let font = (bold_font((rect.width() * 0.30).max(9.0)), ink);
        let at = rect.left_top() + vec2(rect.width() * 0.10, rect.width() * 0.05);
        write(painter, at, Align2::LEFT_TOP, letter, font, rect.width() * 0.85);
    };
    let low = rect.center() + vec2(0.0, rect.height() * 0.16);
    match side {
        CardSide::Piece(card, of) => {
            cx.art.card(painter, rect, *card, *of, &cx.words.letter(card.role()));
        }
        CardSide::Joker => {
            sheet(painter, rect);
            corner("J", PRINT_JOKER);
            let font = (FontId::proportional(rect.width() * 0.62), PRINT_JOKER);
            write(painter, low, Align2::CENTER_CENTER, "★", font, rect.width());
        }
        CardSide::Neutral => {
            sheet(painter, rect);
            corner("X", PRINT_WEAK);
            let arm = rect.width() * 0.20;
            let stroke = Stroke::new(rect.width() * 0.07, PRINT_WEAK);
            painter.circle_stroke(low, rect.width() * 0.28, stroke);
            painter.line_segment([low - vec2(arm, -arm), low + vec2(arm, -arm)], stroke);
        }
        CardSide::Playing(card) => {
            sheet(painter, rect);
            let (rank, suit) = card.split_at(card.len().saturating_sub(1));
            let ink = suit_ink(suit);
            let font = (bold_font(rect.width() * 0.40), ink);
            let at = rect.left_top() + vec2(rect.width() * 0.10, rect.width() * 0.04);
            write(painter, at, Align2::LEFT_TOP, rank_text(rank), font, rect.width() * 0.85);
            let sign = vec2(rect.width() * 0.52, rect.width() * 0.52);
            let at = rect.center() + vec2(rect.width() * 0.08, rect.height() * 0.20);
            art::suit(painter, Rect::from_center_size(at, sign), suit, ink);
        }
        CardSide::Coded(code, star, points) => coded(painter, rect, (code, *star, *points)),
        CardSide::Back => Art::card_back(painter, rect),
        CardSide::Empty => dashed(painter, rect.shrink(1.0), Stroke::new(1.0, cx.theme.edge), 3.0),
    }
}

/// Draws a card that is turned over to this share, 0 to 1.
pub(crate) fn draw_turning(painter: &Painter, cx: &Cx<'_>, (rect, turned): (Rect, f32), side: &CardSide) {
    match side {
        CardSide::Piece(card, of) if turned < 1.0 => {
            cx.art.turning_card(painter, (rect, turned), *card, *of, &cx.words.letter(card.role()));
        }
        _ => draw(painter, cx, rect, side),
    }
}

/// Draws the edge of a card.
pub(crate) fn draw_edge(painter: &Painter, cx: &Cx<'_>, rect: Rect, edge: CardEdge) {
    let color = match edge {
        CardEdge::Paper | CardEdge::Choice => return,
        CardEdge::Now => cx.theme.gold_edge,
        CardEdge::Chosen => cx.theme.ivory,
    };
    let width = (rect.width() * 0.05).clamp(2.0, 3.5);
    let stroke = Stroke::new(width, color);
    painter.rect_stroke(rect, round(rect), stroke, StrokeKind::Outside);
}

/// Draws a card of this name. It can be clicked if its edge says that it may be used or chosen. Returns whether it was clicked.
pub(crate) fn card_at(
    ui: &Ui,
    cx: &Cx<'_>,
    rect: Rect,
    id: impl Hash + Debug,
    (side, edge, text): (&CardSide, CardEdge, &str),
) -> bool {
    let usable = matches!(edge, CardEdge::Now | CardEdge::Choice);
    let sense = if usable { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, ui.scope_id().with(id), sense);
    let lifted = usable && response.hovered();
    let place = if lifted { rect.translate(vec2(0.0, -cx.sizes.px(3.0))) } else { rect };
    draw(ui.painter(), cx, place, side);
    draw_edge(ui.painter(), cx, place, edge);
    if response.has_focus() {
        super::panel::ring(ui.painter(), cx.theme, place);
    }
    name(&response, if usable { Role::Button } else { Role::Label }, true, text);
    let clicked = response.clicked();
    response.on_hover_text(text);
    usable && clicked
}

/// The ink of a suit, given by the record's letter.
pub(crate) fn suit_ink(suit: &str) -> egui::Color32 {
    if matches!(suit, "h" | "d") { PRINT_RED } else { PRINT }
}

/// A rank as cards have it: `10` for the record's `T`.
pub(crate) fn rank_text(rank: &str) -> &str {
    if rank == "T" { "10" } else { rank }
}

fn round(rect: Rect) -> CornerRadius {
    CornerRadius::same(super::panel::round(rect.width() * 0.12))
}

fn sheet(painter: &Painter, rect: Rect) {
    painter.rect(rect, round(rect), PAPER, Stroke::new(1.0, PAPER_EDGE), StrokeKind::Inside);
}

/// Draws a card with its code, and below it a star and points if it has them.
fn coded(painter: &Painter, rect: Rect, (code, star, points): (&str, bool, Option<u32>)) {
    sheet(painter, rect);
    let room = rect.width() * 0.84;
    let size = fitting(painter, code, &bold_font, rect.height() * 0.34, room);
    let has_foot = star || points.is_some();
    let at = rect.center() - vec2(0.0, if has_foot { rect.height() * 0.14 } else { 0.0 });
    write(painter, at, Align2::CENTER_CENTER, code, (bold_font(size), PRINT), rect.width());
    let mark = |text: &str, down: f32, ink| {
        let size = fitting(painter, text, &bold_font, rect.height() * 0.17, room);
        let at = rect.center() + vec2(0.0, rect.height() * down);
        write(painter, at, Align2::CENTER_CENTER, text, (bold_font(size), ink), rect.width());
    };
    match (star, points) {
        (true, None) => mark("★", 0.24, PRINT_JOKER),
        (star, Some(points)) => {
            mark(&points.to_string(), 0.34, PRINT);
            if star {
                mark("★", 0.14, PRINT_JOKER);
            }
        }
        (false, None) => {}
    }
}
