//! The left column of the round: what is done next, results that are not confirmed, what is not ready, who is not paired.

use egui::{Align2, FontId, Rect, ScrollArea, Stroke, Ui, UiBuilder, vec2};
use tabiya_app::hall::{BoardScore, BoardStage, HallView, NotReady, RoundBoard, RoundsView};
use tabiya_types::Color;

use super::{NextStep, do_step, fault_ui, next_step, record, to_settle};
use crate::cx::Cx;
use crate::hall::sheets::Sheet;
use crate::hall::state::DeskState;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::{cut_bottom, cut_top, panel, rows, split, write};
use crate::theme::bold_font;
use crate::widgets::label;

/// Draws the column.
pub(super) fn settle_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (view, rounds): (&HallView, &RoundsView),
    state: &mut DeskState,
    mut area: Rect,
) {
    let px = |points: f32| cx.sizes.px(points);
    let head = cut_top(&mut area, px(38.0), px(4.0));
    let count = to_settle(rounds).count();
    let text = cx.words.with("round-to-settle", &[("count", count.into())]);
    let font = (bold_font(cx.sizes.name() * 0.9), cx.theme.text);
    write(ui.painter(), head.left_center(), Align2::LEFT_CENTER, &text, font, head.width());
    label(ui, head, "round-to-settle", &text);
    let step = next_step(rounds);
    if let Some(step) = step {
        step_ui(ui, cx, rounds, state, step, &mut area);
    }
    if step != Some(NextStep::Pair) && rounds.round < rounds.planned && rounds.players >= 2 {
        off_pair_ui(ui, cx, rounds, cut_bottom(&mut area, px(52.0), px(10.0)));
    }
    if rounds.round == 0 {
        let place = cut_top(&mut area, px(44.0), px(8.0));
        let words = cx.t("round-players");
        if step != Some(NextStep::Players)
            && button_at(ui, cx, place, "round-players", &ButtonFace::new(Kind::Plain, &words)).clicked()
        {
            state.sheet = Some(Sheet::players());
        }
    }
    unpaired_ui(ui, cx, rounds, &mut area);
    if view.round_fault.is_some() {
        let place = cut_bottom(&mut area, px(72.0), px(8.0));
        fault_ui(ui, cx, view, place);
    }
    rest_ui(ui, cx, rounds, state, area);
}

/// Draws the card of what is done next, with the golden button.
fn step_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    rounds: &RoundsView,
    state: &mut DeskState,
    step: NextStep,
    area: &mut Rect,
) {
    let px = |points: f32| cx.sizes.px(points);
    let (says, does) = match step {
        NextStep::Players => (cx.t("round-players-says"), cx.t("round-players")),
        NextStep::Pair => {
            let round = [("round", (rounds.round + 1).into()), ("rounds", rounds.planned.into())];
            (cx.words.with("round-pair-says", &round), cx.words.with("round-pair", &round))
        }
        NextStep::Start => {
            let count = [("count", rounds.ready().into())];
            (cx.words.with("round-start-says", &count), cx.words.with("round-start", &count))
        }
        NextStep::Record(number) => {
            let Some(board) = rounds.board(number) else { return };
            let score = board.stage.score().map(BoardScore::shown).unwrap_or_default();
            let says = [("board", number.into()), ("names", waiting(board).into())];
            (
                cx.words.with("round-unconfirmed", &says),
                cx.words.with("round-record", &[("score", score.into())]),
            )
        }
    };
    let font = (FontId::proportional(cx.sizes.rem), cx.theme.text);
    let galley = rows(ui.painter(), &says, font, area.width() - px(36.0), 4);
    let others = if matches!(step, NextStep::Record(_)) { 44.0 } else { 0.0 };
    let card = cut_top(area, galley.size().y + px(92.0 + others), px(10.0));
    panel::ground(ui.painter(), cx.theme, card);
    ui.painter().rect_stroke(card, 12.0, Stroke::new(2.0, cx.theme.ivory), egui::StrokeKind::Inside);
    let mut inner = card.shrink2(vec2(px(18.0), px(14.0)));
    let words = cut_top(&mut inner, galley.size().y, px(12.0));
    ui.painter().galley(words.min, galley, cx.theme.text);
    label(ui, words, "round-step", &says);
    let gold = cut_top(&mut inner, px(48.0), px(8.0));
    let face = ButtonFace::new(Kind::Gold, &does).key(cx.t("key-enter"));
    if button_at(ui, cx, gold, "round-step-does", &face).clicked() {
        do_step(rounds, state, step);
    }
    if let NextStep::Record(number) = step {
        let other = cx.t("round-other-result");
        let place = cut_top(&mut inner, px(36.0), 0.0);
        if button_at(ui, cx, place, "round-other", &ButtonFace::new(Kind::Plain, &other)).clicked() {
            state.sheet = Some(Sheet::board_result(rounds, number, None));
        }
    }
}

/// Who has not confirmed yet.
fn waiting(board: &RoundBoard) -> String {
    let BoardStage::Ended(_, signed) = &board.stage else { return String::new() };
    let open = Color::ALL.into_iter().filter(|color| !signed[*color]);
    let names: Vec<String> = open.map(|color| board.players[color].name.clone()).collect();
    names.join(", ")
}

/// Draws what the next pairing waits for: the button is off, and says so.
fn off_pair_ui(ui: &mut Ui, cx: &Cx<'_>, rounds: &RoundsView, place: Rect) {
    let round = [("round", (rounds.round + 1).into()), ("rounds", rounds.planned.into())];
    let words = cx.words.with("round-pair", &round);
    let why = cx.words.with("round-missing", &[("count", rounds.missing().into())]);
    let key = format!("{}+R", cx.t("key-ctrl"));
    let face = ButtonFace::new(Kind::Plain, &words).under(&why).key(key).off(Some(why.clone()));
    button_at(ui, cx, place, "round-pair-off", &face);
}

/// Draws the other results that are not confirmed, and the boards that cannot be started.
fn rest_ui(ui: &mut Ui, cx: &Cx<'_>, rounds: &RoundsView, state: &mut DeskState, area: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let first = next_step(rounds);
    let others: Vec<&RoundBoard> = to_settle(rounds)
        .filter(|board| first != Some(NextStep::Record(board.board)))
        .chain(rounds.boards.iter().filter(|board| matches!(board.stage, BoardStage::Waits(Some(_)))))
        .collect();
    ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
        ScrollArea::vertical().id_salt("round-rest").auto_shrink(false).show(ui, |ui| {
            for board in others {
                let (card, _) =
                    ui.allocate_exact_size(vec2(ui.available_width(), px(76.0)), egui::Sense::hover());
                panel::ground(ui.painter(), cx.theme, card);
                let mut inner = card.shrink2(vec2(px(14.0), px(8.0)));
                let says = card_words(cx, board);
                let line = cut_top(&mut inner, px(24.0), px(4.0));
                let font = (FontId::proportional(cx.sizes.rem), cx.theme.text);
                write(ui.painter(), line.left_center(), Align2::LEFT_CENTER, &says, font, line.width());
                label(ui, line, &format!("round-card-{}", board.board), &says);
                let places = split(cut_top(&mut inner, px(32.0), 0.0), &[1.0, 1.0], px(6.0));
                card_buttons_ui(ui, cx, (rounds, board), state, &places);
                ui.add_space(px(8.0));
            }
        });
    });
}

fn card_buttons_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (rounds, board): (&RoundsView, &RoundBoard),
    state: &mut DeskState,
    places: &[Rect],
) {
    let number = board.board;
    let [one, other] = places else { return };
    if let BoardStage::Ended(score, _) = &board.stage {
        let words = cx.words.with("round-record", &[("score", score.shown().into())]);
        if button_at(ui, cx, *one, ("round-record", number), &ButtonFace::new(Kind::Plain, &words)).clicked()
        {
            record(rounds, state, number);
        }
    } else {
        let words = cx.t("round-choose");
        if button_at(ui, cx, *one, ("round-look", number), &ButtonFace::new(Kind::Plain, &words)).clicked() {
            state.board = Some(number);
        }
    }
    let words = cx.t("round-other-result");
    if button_at(ui, cx, *other, ("round-result", number), &ButtonFace::new(Kind::Plain, &words)).clicked() {
        state.sheet = Some(Sheet::board_result(rounds, number, None));
    }
}

fn card_words(cx: &Cx<'_>, board: &RoundBoard) -> String {
    if let BoardStage::Waits(Some(why)) = board.stage {
        return format!("{}  {}", board.board, cx.t(not_ready(why)));
    }
    let says = [("board", board.board.into()), ("names", waiting(board).into())];
    cx.words.with("round-unconfirmed-short", &says)
}

/// The id of why a board cannot be started.
pub(super) fn not_ready(why: NotReady) -> &'static str {
    match why {
        NotReady::NoTable => "round-no-table",
        NotReady::NotHere => "round-not-here",
        NotReady::Busy => "round-busy",
    }
}

/// Draws who is not paired in this round.
fn unpaired_ui(ui: &Ui, cx: &Cx<'_>, rounds: &RoundsView, area: &mut Rect) {
    const MOST: usize = 6;
    if rounds.unpaired.is_empty() {
        return;
    }
    let px = |points: f32| cx.sizes.px(points);
    let shown = rounds.unpaired.len().min(MOST);
    #[expect(clippy::cast_precision_loss, reason = "at most six lines")]
    let height = px(44.0) + shown as f32 * cx.sizes.small() * 1.5;
    let card = cut_bottom(area, height, px(10.0));
    panel::ground(ui.painter(), cx.theme, card);
    let mut inner = card.shrink2(vec2(px(14.0), px(10.0)));
    let text = cx.words.with("round-unpaired", &[("count", rounds.unpaired.len().into())]);
    let head = cut_top(&mut inner, px(22.0), px(4.0));
    let font = (bold_font(cx.sizes.rem), cx.theme.text);
    write(ui.painter(), head.left_center(), Align2::LEFT_CENTER, &text, font, head.width());
    let mut said = vec![text];
    for one in rounds.unpaired.iter().take(MOST) {
        let line = cut_top(&mut inner, cx.sizes.small() * 1.5, 0.0);
        let small = FontId::proportional(cx.sizes.small());
        let why = cx.t(one.why());
        let half = line.width() * 0.55;
        write(
            ui.painter(),
            line.left_center(),
            Align2::LEFT_CENTER,
            &one.name,
            (small.clone(), cx.theme.text),
            half,
        );
        let at = line.left_center() + vec2(half + px(6.0), 0.0);
        write(ui.painter(), at, Align2::LEFT_CENTER, &why, (small, cx.theme.muted), line.width() * 0.42);
        said.push(format!("{} {why}", one.name));
    }
    label(ui, card, "round-unpaired", &said.join(", "));
}
