//! The terms of a match but its time: chips, hands, how turns end, who may see claims and faults, and the set of
//! pieces.

use egui::{CollapsingHeader, DragValue, Grid, RichText, Ui};
use tabiya_app::deals;
use tabiya_app::desk::Wish;
use tabiya_app::piece_sets::{USUAL_SET, standing};
use tabiya_engine::rules::{SquareDeals, chess960};
use tabiya_types::Color;

use super::form::{Form, Limit, Origin};
use super::plain::plain_terms_ui;
use crate::cx::Cx;
use crate::kit::button::{choices, toggle};
use crate::widgets::{button, field_below, hint};

/// Draws the fields for the terms that the chosen game has.
pub(super) fn terms_ui(ui: &mut Ui, cx: &mut Cx<'_>, form: &mut Form) {
    if form.has("small_blind") {
        chips_ui(ui, cx, form);
    }
    if form.has("fen") {
        position_ui(ui, cx, form);
    }
    if form.has("deal") {
        deal_ui(ui, cx, form);
    }
    let (counted, text) = (form.has("deal"), cx.t("games"));
    let games = counted.then_some(&mut form.games);
    let games = games.map(|games| move |ui: &mut Ui| number_ui(ui, &text, games, 0, 999));
    plain_terms_ui(ui, cx, &mut form.plain, games);
    if form.has("bets") {
        stakes_ui(ui, cx, form);
    }
    if form.has("cards") {
        super::card_file::card_file_ui(ui, cx);
    }
    manners_ui(ui, cx, form);
    if form.needs_sets() {
        inventory_ui(ui, cx, form);
    }
}

fn chips_ui(ui: &mut Ui, cx: &mut Cx<'_>, form: &mut Form) {
    ui.horizontal_wrapped(|ui| {
        field_below(ui, &cx.t("stack-a"), &mut form.stacks.a, 64.0);
        field_below(ui, &cx.t("stack-b"), &mut form.stacks.b, 64.0);
        field_below(ui, &cx.t("small-blind"), &mut form.small_blind, 64.0);
        ui.vertical(|ui| {
            ui.add_space(16.0);
            toggle(ui, cx, &mut form.rising, &cx.t("rising"));
        });
    });
    ui.horizontal_wrapped(|ui| {
        let options = [
            (Limit::No, cx.t("limit-no")),
            (Limit::Pot, cx.t("limit-pot")),
            (Limit::Fixed, cx.t("limit-fixed")),
        ];
        choices(ui, cx, &mut form.limit, &options);
        if form.limit == Limit::Fixed {
            number_ui(ui, &cx.t("fixed-bet"), &mut form.fixed_bet, 1, 100_000);
            number_ui(ui, &cx.t("raises"), &mut form.raises, 1, 99);
        }
    });
}

fn position_ui(ui: &mut Ui, cx: &mut Cx<'_>, form: &mut Form) {
    let drawn = form.draws_position();
    ui.horizontal_wrapped(|ui| {
        let options = [
            (Origin::Usual, cx.t("from-usual")),
            (Origin::Fen, cx.t("from-fen")),
            (Origin::Board, cx.t("from-board")),
        ];
        choices(ui, cx, &mut form.from, &options);
        if form.has("chess960") {
            toggle(ui, cx, &mut form.chess960, &cx.t("chess960"));
        }
        if let Some(number) = form.number.as_mut().filter(|_| drawn) {
            number_ui(ui, &cx.t("chess960-number"), number, 0, u32::from(chess960::POSITIONS) - 1);
            if button(ui, &cx.t("draw-position"), true).clicked() {
                cx.wish(Wish::DrawPosition);
            }
        }
    });
    match form.from {
        Origin::Usual => {}
        Origin::Fen => {
            field_below(ui, &cx.t("fen"), &mut form.fen, 420.0);
        }
        Origin::Board => {
            ui.horizontal_wrapped(|ui| {
                ui.label(cx.t("to-move"));
                let options = Color::ALL.map(|color| (color, cx.words.color(color)));
                choices(ui, cx, &mut form.to_move, &options);
            });
            if cx.snapshot.board.seen.is_none() {
                hint(ui, &cx.t("no-board-yet"));
            }
        }
    }
}

/// Draws the fields for the cards under the board.
fn deal_ui(ui: &mut Ui, cx: &mut Cx<'_>, form: &mut Form) {
    ui.horizontal_wrapped(|ui| {
        field_below(ui, &cx.t("deal-cards"), &mut form.deal, 300.0);
        ui.vertical(|ui| {
            ui.add_space(16.0);
            ui.menu_button(cx.t("named-deals"), |ui| {
                for name in deals::under_squares().map(SquareDeals::names).unwrap_or_default() {
                    if ui.button(name).clicked() {
                        name.clone_into(&mut form.deal);
                        ui.close();
                    }
                }
            });
        });
        ui.vertical(|ui| {
            ui.add_space(16.0);
            if button(ui, &cx.t("random-deal"), true).clicked() {
                cx.wish(Wish::Shuffle);
            }
        });
    });
}

/// Draws the fields for what a game is played for.
fn stakes_ui(ui: &mut Ui, cx: &mut Cx<'_>, form: &mut Form) {
    if toggle(ui, cx, &mut form.played_for_chips, &cx.t("for-chips")).clicked() {
        for stack in [&mut form.stacks.a, &mut form.stacks.b] {
            if stack.is_empty() {
                "100".clone_into(stack);
            }
        }
    }
    if form.played_for_chips {
        ui.horizontal_wrapped(|ui| {
            field_below(ui, &cx.t("stack-a"), &mut form.stacks.a, 64.0);
            field_below(ui, &cx.t("stack-b"), &mut form.stacks.b, 64.0);
        });
        ui.horizontal_wrapped(|ui| {
            let [least, most] = &mut form.stakes;
            number_ui(ui, &cx.t("least-stake"), least, 1, 100_000);
            number_ui(ui, &cx.t("highest-stake"), most, *least, 100_000);
        });
    }
}

fn manners_ui(ui: &mut Ui, cx: &mut Cx<'_>, form: &mut Form) {
    if !form.is_clock_alone() {
        let options = [(false, cx.t("press-clock")), (true, cx.t("press-auto"))];
        choices(ui, cx, &mut form.auto_press, &options);
    }
    let options = [(false, cx.t("voice-casual")), (true, cx.t("voice-event"))];
    choices(ui, cx, &mut form.event, &options);
    ui.horizontal_wrapped(|ui| {
        toggle(ui, cx, &mut form.first_increment, &cx.t("first-increment"));
        toggle(ui, cx, &mut form.run_on, &cx.t("run-on"));
        toggle(ui, cx, &mut form.device_clock, &cx.t("device-clock"));
    });
    if form.has("stacks") {
        ui.horizontal_wrapped(|ui| {
            number_ui(ui, &cx.t("games"), &mut form.games, 0, 999);
            number_ui(ui, &cx.t("bet-seconds"), &mut form.bet_seconds, 0, 3600);
        });
    }
}

fn inventory_ui(ui: &mut Ui, cx: &mut Cx<'_>, form: &mut Form) {
    CollapsingHeader::new(cx.t("inventory")).default_open(form.inventory).show(ui, |ui| {
        toggle(ui, cx, &mut form.inventory, &cx.t("inventory-on"));
        if cx.snapshot.board.seen.is_some() {
            match standing(cx.snapshot.board.seen.as_ref()) {
                Ok(sets) => {
                    if button(ui, &cx.t("count-board"), true).clicked() {
                        form.take_sets(&sets);
                    }
                }
                Err(why) => hint(ui, &cx.say(&why)),
            }
        }
        ui.add_enabled_ui(form.inventory, |ui| {
            Grid::new("inventory").show(ui, |ui| {
                for color in Color::ALL {
                    ui.label(cx.words.color(color));
                    for (count, (role, _)) in form.sets[color].iter_mut().zip(USUAL_SET) {
                        let facts =
                            [("color", cx.words.color(color).into()), ("piece", cx.words.role(role).into())];
                        stepper_ui(ui, cx, &cx.words.with("set-of", &facts), &cx.words.letter(role), count);
                    }
                    ui.end_row();
                }
            });
        });
    });
    let advice = if form.inventory { form.new_match().advice() } else { Vec::new() };
    for line in advice {
        ui.label(RichText::new(cx.say(&line)).color(cx.theme.gold_ink));
    }
    let rooks = form.sets.iter().any(|(_, set)| set.get(2).is_some_and(|rooks| *rooks < 3));
    if form.inventory
        && rooks
        && !form.plain.is_on("becket")
        && button(ui, &cx.t("agree-becket"), true).clicked()
    {
        form.plain.turn_on("becket");
    }
}

/// Draws a counter with two buttons, such as `- R 2 +`.
fn stepper_ui(ui: &mut Ui, cx: &Cx<'_>, name: &str, letter: &str, count: &mut u32) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let step = |ui: &mut Ui, sign: &str, text: String| {
            let response = ui.small_button(sign);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &text));
            response.clicked()
        };
        if step(ui, "-", cx.words.with("one-less", &[("what", name.to_owned().into())])) {
            *count = count.saturating_sub(1);
        }
        ui.label(RichText::new(format!("{letter} {count}")).strong());
        if step(ui, "+", cx.words.with("one-more", &[("what", name.to_owned().into())])) {
            *count = (*count + 1).min(16);
        }
    });
}

/// Draws a field for a whole number, with its name to the left.
pub(super) fn number_ui(ui: &mut Ui, name: &str, value: &mut u32, least: u32, most: u32) {
    ui.horizontal(|ui| {
        let label = ui.label(name);
        ui.add(DragValue::new(value).range(least..=most)).labelled_by(label.id);
    });
}
