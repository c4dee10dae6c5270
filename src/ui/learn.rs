//! The rules in short, and every hand with what it becomes.

use eframe::egui::{Grid, RichText, ScrollArea, Ui, Vec2};

use super::cx::Cx;
use super::theme::bold_font;
use super::widgets::{columns, field, heading, panel};
use crate::rules::{Color, Hand, HandName, HandRules};

/// How many paragraphs the rules in short have.
const PARAGRAPHS: usize = 9;

/// What the screen remembers between frames.
#[derive(Clone, Debug)]
pub(super) struct LearnState {
    search: String,
    rules: HandRules,
    hands: Vec<Hand>,
}

impl Default for LearnState {
    fn default() -> Self {
        Self { search: String::new(), rules: HandRules { empress: true, becket: false }, hands: Hand::all() }
    }
}

/// Draws the screen.
pub(super) fn learn_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut LearnState) {
    columns(ui, 0.36, state, |ui, _| rules_ui(ui, cx), |ui, state| hands_ui(ui, cx, state));
}

fn rules_ui(ui: &mut Ui, cx: &Cx<'_>) {
    heading(ui, &cx.t("rules-in-short"));
    ScrollArea::vertical().id_salt("rules").auto_shrink(false).show(ui, |ui| {
        for number in 1..=PARAGRAPHS {
            ui.label(cx.t(&format!("rules-{number}")));
            ui.add_space(6.0);
        }
    });
}

fn hands_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut LearnState) {
    heading(ui, &cx.t("all-hands"));
    ui.horizontal_wrapped(|ui| {
        field(ui, &cx.t("search-hands"), &mut state.search, 150.0);
        ui.checkbox(&mut state.rules.empress, cx.t("empress"));
        ui.checkbox(&mut state.rules.becket, cx.t("becket"));
    });
    let found: Vec<Hand> = state.hands.iter().copied().filter(|hand| matches(cx, *hand, state)).collect();
    ui.label(cx.words.with("hands-found", &[("count", found.len().into())]));
    let row = 62.0;
    ScrollArea::vertical().id_salt("hands").auto_shrink(false).show_rows(ui, row, found.len(), |ui, rows| {
        for hand in found.iter().take(rows.end).skip(rows.start) {
            hand_ui(ui, cx, *hand, state.rules);
        }
    });
}

/// By the cards' letters in any order, or by the rule's name.
fn matches(cx: &Cx<'_>, hand: Hand, state: &LearnState) -> bool {
    let search = state.search.trim().to_uppercase();
    if search.is_empty() {
        return true;
    }
    let name = cx.words.word("hand", hand.name(state.rules).word()).to_uppercase();
    let letters: String = hand.counts().cards().map(|card| cx.words.letter(card.role())).collect();
    let all_there = {
        let mut rest = letters;
        search.chars().filter(|letter| !letter.is_whitespace()).all(|letter| match rest.find(letter) {
            Some(at) => {
                rest.remove(at);
                true
            }
            None => false,
        })
    };
    all_there || name.contains(&search)
}

fn hand_ui(ui: &mut Ui, cx: &Cx<'_>, hand: Hand, rules: HandRules) {
    panel(cx.theme).inner_margin(eframe::egui::Margin::symmetric(10, 4)).show(ui, |ui| {
        Grid::new(("hand", hand.to_string())).min_col_width(150.0).show(ui, |ui| {
            let row = |ui: &mut Ui, changed: bool| {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 4.0;
                    for (card, piece) in hand.pairs(rules) {
                        let shown = if changed { piece } else { card };
                        let (rect, _) = ui.allocate_exact_size(Vec2::new(30.0, 42.0), eframe::egui::Sense::hover());
                        let letter = cx.words.letter(shown.role());
                        cx.art.card(ui.painter(), rect, shown, Color::White, &letter);
                        if changed && card != piece {
                            let ring = eframe::egui::Stroke::new(2.5, cx.theme.accent);
                            ui.painter().rect_stroke(rect, 5.0, ring, eframe::egui::StrokeKind::Outside);
                        }
                    }
                });
            };
            row(ui, false);
            row(ui, true);
            let name = hand.name(rules);
            let pieces: String = hand.pieces(rules).cards().map(|card| cx.words.letter(card.role())).collect();
            let cards: String = hand.counts().cards().map(|card| cx.words.letter(card.role())).collect();
            ui.vertical(|ui| {
                ui.label(RichText::new(format!("{cards} = {pieces}")).font(bold_font(14.0)));
                let why = if name == HandName::Plain && cards == pieces { "hand-unchanged".to_owned() } else { format!("hand-{}", name.word()) };
                ui.label(cx.t(&why));
            });
            ui.end_row();
        });
    });
}
