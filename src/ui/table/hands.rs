//! Poker hands at the table: the score, both hands as they stand, the hands of the turns, and picking one's own.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Grid, PopupCloseBehavior, Pos2, Rect, RichText, ScrollArea, Sense, Shape, Stroke, Ui, Vec2, pos2, vec2,
};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::{PokerView, TableView};
use tabiya_engine::rules::{Action, PieceSets};
use tabiya_types::{Color, Square};

use super::state::TableState;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::widgets::name;

/// The height of the list of decided hands.
const LOG: f32 = 84.0;
/// The size of the plot of the lead.
const PLOT: Vec2 = vec2(440.0, 48.0);
/// The height of the list of moves.
const MOVES: f32 = 320.0;

/// Draws the score and the hands, and a button for the hand that the user has picked.
pub(super) fn hands_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let Some(poker) = &view.poker else { return };
    score_ui(ui, cx, poker);
    // While a hand is named, its button needs the room.
    if poker.choices.is_none() {
        study_ui(ui, cx, view, poker);
    }
    if view.outcome.is_none() {
        Grid::new("hands").num_columns(2).spacing([10.0, 2.0]).show(ui, |ui| {
            for color in Color::ALL {
                ui.label(RichText::new(cx.words.color(color)).color(cx.theme.muted));
                let text = RichText::new(cx.say(&poker.now.hands[color].sentence()));
                let leads = poker.now.winner == Some(color);
                ui.label(if leads { text.font(cx.bold(14.0)) } else { text });
                ui.end_row();
            }
        });
    }
    if poker.choices.is_none() {
        state.hand.clear();
    }
    log_ui(ui, cx, poker);
}

/// Draws a button that opens the course of the hands, and what the legal moves do to them if both players agree.
fn study_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, poker: &PokerView) {
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    MenuButton::new(cx.t("study-hands")).config(stays).ui(ui, |ui| {
        ui.set_width(cx.sizes.px(PLOT.x));
        plot_ui(ui, cx, poker);
        learn_ui(ui, cx, view, poker);
    });
}

/// Draws the lead after each turn as a line: above the middle White leads, below it Black.
fn plot_ui(ui: &mut Ui, cx: &Cx<'_>, poker: &PokerView) {
    let leads = leads(poker);
    let Some(most) = leads.iter().map(|lead| lead.unsigned_abs()).max().filter(|_| leads.len() > 1) else {
        return;
    };
    let size = vec2(ui.available_width().min(cx.sizes.px(PLOT.x)), cx.sizes.px(PLOT.y));
    let (place, response) = ui.allocate_exact_size(size, Sense::hover());
    let told = leads.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let text = cx.words.with("lead-plot", &[("leads", told.into())]);
    name(&response, egui::Role::Image, true, &text);
    response.on_hover_text(text);
    #[expect(clippy::cast_precision_loss, reason = "a game has some hundred turns, and a lead is smaller")]
    let at = |(nth, lead): (usize, &i32)| {
        let (part, height) = (nth as f32 / (leads.len() - 1) as f32, *lead as f32 / most.max(1) as f32);
        pos2(place.left() + part * place.width(), place.center().y - height * place.height() / 2.0)
    };
    let points: Vec<Pos2> = leads.iter().enumerate().map(at).collect();
    let painter = ui.painter();
    painter.hline(place.x_range(), place.center().y, Stroke::new(1.0, cx.theme.edge));
    painter.add(Shape::line(points, Stroke::new(2.0, cx.theme.text)));
}

/// White's lead before the first hand and after each one.
fn leads(poker: &PokerView) -> Vec<i32> {
    let won = poker.decided.iter().map(|turn| match turn.winner {
        Some(Color::White) => 1,
        Some(Color::Black) => -1,
        None => 0,
    });
    let sums = won.scan(0, |lead, won| {
        *lead += won;
        Some(*lead)
    });
    std::iter::once(0).chain(sums).collect()
}

/// Draws for each player whether he wants to see what the moves do to the hands, and the list if both want it.
fn learn_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, poker: &PokerView) {
    let Some(learners) = poker.learners else { return };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(cx.t("learn-moves")).color(cx.theme.muted));
        for color in Color::ALL {
            let seat = view.seats[color];
            let mut on = learners[seat];
            if ui
                .checkbox(
                    &mut on,
                    cx.words.with("learn-agrees", &[("name", view.names[color].clone().into())]),
                )
                .changed()
            {
                cx.wish(Wish::Learn(seat, on));
            }
        }
    });
    if poker.moves.is_empty() {
        return;
    }
    ScrollArea::vertical()
        .id_salt("moves")
        .max_height(cx.sizes.px(MOVES))
        .min_scrolled_height(cx.sizes.px(MOVES) / 2.0)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for (san, after) in poker.moves.iter() {
                let won = after.winner.map_or_else(|| "=".to_owned(), |by| cx.words.color(by));
                let facts = [
                    ("move", cx.words.san(san).into()),
                    ("white", cx.say(&after.hands.white.sentence()).into()),
                    ("black", cx.say(&after.hands.black.sentence()).into()),
                    ("won", won.into()),
                ];
                ui.label(RichText::new(cx.words.with("move-line", &facts)).color(cx.theme.muted));
            }
        });
}

fn score_ui(ui: &mut Ui, cx: &Cx<'_>, poker: &PokerView) {
    let (white, black) = (poker.points.white.into(), poker.points.black.into());
    let mut text = cx.words.with("hands-score", &[("white", white), ("black", black)]);
    if let Some(lead) = poker.lead {
        text = format!("{text} {}", cx.words.with("hands-lead", &[("lead", lead.into())]));
    }
    ui.label(RichText::new(text).font(cx.bold(16.5)).color(cx.theme.text));
}

/// Draws the button that names the picked pieces as the player's hand, if a hand is to be named.
pub(super) fn choose_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, row: Rect) {
    let Some(choices) = view.poker.as_ref().and_then(|poker| poker.choices.as_ref()) else { return };
    let (Some(sets), Some(by)) = (choices.piece_sets(), choices.by()) else { return };
    let squares: Vec<Square> = sets.all.iter().chain(state.hand.iter().copied()).collect();
    let enough = sets
        .some
        .iter()
        .all(|(count, of)| state.hand.iter().filter(|square| of.has(**square)).count() == *count);
    let text = cx.words.with("choose-hand", &[("color", cx.who(by).into())]);
    let face = ButtonFace::new(Kind::Gold, &text).off(cx.why_off(&[(enough, "off-hand")]));
    if button_at(ui, cx, row, "choose-hand", &face).clicked()
        && enough
        && let Some(chosen) = choices.with_pieces(squares)
    {
        cx.enter(Action::Own(chosen));
        state.hand.clear();
    }
}

/// Draws the hands of the turns so far, the newest at the top.
fn log_ui(ui: &mut Ui, cx: &Cx<'_>, poker: &PokerView) {
    if poker.decided.is_empty() {
        return;
    }
    ScrollArea::vertical().id_salt("hand-log").max_height(LOG).auto_shrink([false, true]).show(ui, |ui| {
        for turn in poker.decided.iter().rev() {
            let won = turn.winner.map_or_else(|| "=".to_owned(), |by| cx.words.color(by));
            let facts = [
                ("number", turn.turn.into()),
                ("white", cx.say(&turn.hands.white.sentence()).into()),
                ("black", cx.say(&turn.hands.black.sentence()).into()),
                ("won", won.into()),
            ];
            ui.label(RichText::new(cx.words.with("hand-line", &facts)).color(cx.theme.muted));
        }
    });
}

/// The squares of the hand that is being picked; `None` if nobody picks a hand now.
pub(super) fn picked(view: &TableView, state: &TableState) -> Option<Vec<Square>> {
    let sets = view.poker.as_ref()?.choices.as_ref()?.piece_sets()?;
    Some(sets.all.iter().chain(state.hand.iter().copied()).collect())
}

/// Adds a piece to the hand that is being picked, or takes it out again. If the hand already has enough pieces of this
/// group, the one picked first goes.
pub(super) fn pick(sets: &PieceSets, state: &mut TableState, square: Square) {
    if let Some(nth) = state.hand.iter().position(|picked| *picked == square) {
        state.hand.remove(nth);
        return;
    }
    let Some((count, of)) = sets.some.iter().find(|(_, of)| of.has(square)) else { return };
    if state.hand.iter().filter(|picked| of.has(**picked)).count() >= *count
        && let Some(first) = state.hand.iter().position(|picked| of.has(*picked))
    {
        state.hand.remove(first);
    }
    state.hand.push(square);
}
