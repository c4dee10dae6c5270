//! The middle of the table: stages, pot, prompt, controls and log.

use egui::{
    Align2, CornerRadius, FontId, Frame, Key, Margin, Rect, RichText, Role as Kind, ScrollArea, Sense,
    Stroke, StrokeKind, Ui, pos2, vec2,
};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_app::words::in_record;
use tabiya_engine::rules::{Action, DealtCards, Stages, Verb};
use tabiya_engine::table::Audience;
use tabiya_types::{Color, Sentence};

use super::{TableState, betting, cards, chess, result};
use crate::art;
use crate::cx::Cx;
use crate::keys::Command;
use crate::theme::bold_font;
use crate::widgets::{button, main_button, name, panel};

/// The largest factor by which the text-size setting enlarges text that is already large at the usual setting.
const LARGE: f32 = 1.3;
/// How many announcements are shown.
const SAID: usize = 40;

/// Draws the middle into the remaining area.
pub(super) fn middle_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let rect = ui.available_rect_before_wrap();
    ui.painter().rect(
        rect,
        CornerRadius::same(8),
        cx.theme.panel,
        Stroke::new(1.0, cx.theme.line),
        StrokeKind::Inside,
    );
    let inner = rect.shrink2(vec2(12.0, 10.0));
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(inner));
    let ui = &mut ui;
    ui.set_clip_rect(rect);
    let line = ui.spacing().interact_size.y + 8.0;
    let room = (ui.available_height() - line).max(60.0);
    ScrollArea::vertical().id_salt("middle").max_height(room).auto_shrink(false).show(ui, |ui| {
        stages_ui(ui, cx, view);
        if view.has_chips() {
            pot_ui(ui, cx, view);
        }
        prompt_ui(ui, cx, view);
        said_wrong_ui(ui, cx, view);
        question_ui(ui, cx);
        announcement_ui(ui, cx, view);
        controls_ui(ui, cx, view, state);
        let below = ui.available_height() - 4.0;
        if below > 44.0 {
            log_ui(ui, cx, view, below);
        }
    });
    typed_ui(ui, cx, state);
}

/// Draws the stages of a game; the current stage has a frame, a filled background and bold text.
fn stages_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    let Some(Stages { names: stages, now }) = view.stages else { return };
    let scale = cx.scale().min(LARGE);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0 * scale), Sense::hover());
    let words: Vec<String> = stages.iter().map(|stage| cx.words.word("stage", stage)).collect();
    // Each field is as wide as its word. If all words together are too wide, all of them are drawn smaller,
    // so that no word is cut.
    let size = 12.5 * scale;
    let wide =
        |text: &String| ui.painter().layout_no_wrap(text.clone(), bold_font(size), cx.theme.text).size().x;
    let widths: Vec<f32> = words.iter().map(wide).collect();
    #[expect(clippy::cast_precision_loss, reason = "a handful of stages")]
    let gaps = 12.0 * words.len() as f32;
    let all: f32 = widths.iter().sum();
    let fit = ((rect.width() - gaps) / all).min(1.0);
    let spare = ((rect.width() - gaps - all * fit) / (all * fit)).max(0.0);
    let mut left = rect.left();
    for (nth, (text, width)) in words.into_iter().zip(widths).enumerate() {
        let width = width * fit * (1.0 + spare) + 12.0;
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
        let place = place.shrink2(vec2(1.5, 0.0));
        left += width;
        let theme = cx.theme;
        let (fill, ink, edge) = match nth.cmp(&now) {
            std::cmp::Ordering::Less => (theme.raised, theme.muted, theme.line),
            std::cmp::Ordering::Equal => (theme.accent, theme.on_accent, theme.text),
            std::cmp::Ordering::Greater => (theme.panel, theme.muted, theme.line),
        };
        ui.painter().rect(place, CornerRadius::same(4), fill, Stroke::new(1.0, edge), StrokeKind::Inside);
        let size = size * fit;
        let font = if nth == now { bold_font(size) } else { FontId::proportional(size) };
        ui.painter().text(place.center(), Align2::CENTER_CENTER, text, font, ink);
    }
    let stage = stages.get(now).map(|stage| cx.words.word("stage", stage)).unwrap_or_default();
    name(&response, Kind::Label, true, &cx.words.with("stage-now", &[("stage", stage.into())]));
}

fn pot_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    let pot = view.stakes.pot().0;
    let scale = cx.scale().min(LARGE);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), 38.0 * scale.max(1.0)), Sense::hover());
    let painter = ui.painter();
    let text = cx.words.with("pot-is", &[("count", pot.into())]);
    let at = pos2(rect.left(), rect.center().y);
    let words = painter.text(at, Align2::LEFT_CENTER, &text, bold_font(22.0 * scale), cx.theme.text);
    let mut end = rect.right();
    if let Some(bet) = view.bet {
        let each = |color: Color| {
            cx.words.with(
                "put-in",
                &[("color", cx.words.color(color).into()), ("count", bet.put[color].0.into())],
            )
        };
        let text = format!("{}   {}", each(Color::White), each(Color::Black));
        let galley = painter.layout_no_wrap(text, cx.plain(13.0), cx.theme.muted);
        // If there is no room beside the pot, the text gets its own row.
        if words.right() + 12.0 + galley.size().x < rect.right() {
            end = rect.right() - galley.size().x;
            let at = pos2(end, rect.center().y - galley.size().y / 2.0);
            painter.galley(at, galley, cx.theme.muted);
        } else {
            ui.label(RichText::new(galley.text().to_owned()).color(cx.theme.muted));
        }
    }
    let painter = ui.painter();
    let row = pos2(words.right() + 12.0, rect.top() + 4.0);
    if end - row.x > 34.0 {
        art::chips(painter, row, 30.0 * scale.max(1.0), pot, end - row.x - 8.0);
    }
    name(&response, Kind::Label, true, &text);
}

/// Draws the prompt, or the word "paused" while the clocks are paused. After a game no prompt is drawn; the panel with
/// the result (the result card) replaces it.
fn prompt_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    if let Some(prompt) = view.prompt().filter(|_| view.outcome.is_none() && !view.clock.paused()) {
        ui.label(RichText::new(cx.say(prompt)).font(cx.bold(16.5)).color(cx.theme.text));
        if let Some(clock) = view.bet_clock {
            ui.label(cx.say(&clock.sentence(cx.at)));
        }
    }
    if view.clock.paused() {
        ui.label(RichText::new(cx.t("paused")).font(cx.bold(16.5)).color(cx.theme.accent));
    }
}

/// Draws the last refusal, and what is wrong with the board.
fn said_wrong_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    let refused = cx.snapshot.refused.iter().filter(|refused| refused.to == Audience::Players);
    let trouble = cx.snapshot.trouble.iter().filter(|_| !view.is_event());
    for text in refused.map(|refused| &refused.text).chain(trouble) {
        Frame::new()
            .stroke(Stroke::new(1.5, cx.theme.bad))
            .corner_radius(CornerRadius::same(6))
            .inner_margin(Margin::symmetric(8, 4))
            .show(ui, |ui| ui.label(RichText::new(cx.say(text)).color(cx.theme.bad)));
    }
}

/// Draws the open question to the players, with its answers.
pub(crate) fn question_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let Some(asked) = cx.snapshot.question.clone().filter(|asked| asked.to == Audience::Players) else {
        return;
    };
    panel(cx.theme).show(ui, |ui| {
        ui.label(RichText::new(cx.say(&asked.text)).font(cx.bold(15.0)));
        ui.horizontal_wrapped(|ui| answers_ui(ui, cx, asked.answers.as_deref()));
    });
}

/// Draws the answers to an open question as buttons: the numbered ones, or yes.
pub(crate) fn answers_ui(ui: &mut Ui, cx: &mut Cx<'_>, answers: Option<&[Sentence]>) {
    if let Some(answers) = answers {
        // The number on a button is also its key on the keyboard, unless a control has the keyboard focus.
        let typing = ui.memory(|memory| memory.focused().is_some());
        for (number, answer) in (1_usize..).zip(answers) {
            let answer = cx.say(answer);
            let text = cx.words.with("way", &[("number", number.into()), ("way", answer.into())]);
            let key = Key::from_name(&number.to_string()).filter(|_| !typing);
            let pressed = key.is_some_and(|key| ui.input(|input| input.key_pressed(key)));
            if button(ui, &text, true).clicked() || pressed {
                cx.wish(Wish::Explanation(number));
            }
        }
    } else {
        let yes = cx.t("yes") + &cx.hint(Command::Yes);
        if button(ui, &yes, true).clicked() {
            cx.wish(Wish::Yes);
        }
    }
    let no = cx.t("no") + &cx.hint(Command::No);
    if button(ui, &no, true).clicked() {
        cx.wish(Wish::No);
    }
}

/// Draws the word that a player must say with a placement, such as "Promoted", in large letters until the next input.
fn announcement_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    let Some((_, piece, word)) = view.announced else { return };
    let word = cx.words.word("announce", word.word());
    let text = cx.words.with("announced", &[("word", word.into()), ("piece", cx.words.card(piece).into())]);
    Frame::new()
        .fill(cx.theme.accent)
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::symmetric(12, 4))
        .show(ui, |ui| ui.label(RichText::new(text).font(cx.bold(30.0)).color(cx.theme.on_accent)));
}

fn controls_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    if view.outcome.is_some() {
        result::result_ui(ui, cx, view);
        return;
    }
    if view.clock.paused() {
        let text = cx.t("resume") + &cx.hint(Command::Pause);
        if main_button(ui, cx.theme, &text, true).clicked() {
            super::pause(cx, view);
        }
        return;
    }
    if view.may(Verb::Deal) {
        let text = cx.t("deal") + &cx.hint(Command::Deal);
        if main_button(ui, cx.theme, &text, true).clicked() || cx.takes(Command::Deal) {
            cx.enter(Action::Deal(DealtCards::default()));
        }
    }
    if view.may(Verb::Bet) {
        betting::betting_ui(ui, cx, view, &mut state.raise);
    }
    if view.may(Verb::Reveal) || view.may(Verb::Place) {
        cards::cards_ui(ui, cx, view, state);
    }
    if let Some((from, to)) = state.promotion {
        cards::promotion_ui(ui, cx, view, state, from, to);
    }
    ui.horizontal_wrapped(|ui| {
        press_ui(ui, cx, view);
        chess::offers_ui(ui, cx, view);
    });
}

fn press_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let Some(by) = view.presser() else { return };
    let text = cx.words.with("press", &[("color", cx.words.color(by).into())]) + &cx.hint(Command::Press);
    if main_button(ui, cx.theme, &text, true).clicked() {
        cx.wish(Wish::Press(Some(by)));
    }
}

/// Draws the list of moves, if there are any, and the announcements.
fn log_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, height: f32) {
    let width = ui.available_width();
    let said = if view.moves.is_empty() { width } else { width * 0.52 };
    let column = |salt: &str, width: f32| {
        let area =
            ScrollArea::vertical().id_salt(salt.to_owned()).max_height(height).min_scrolled_height(height);
        area.max_width(width).auto_shrink(false).stick_to_bottom(true)
    };
    ui.horizontal_top(|ui| {
        if !view.moves.is_empty() {
            column("moves", width - said - 12.0).show(ui, |ui| chess::moves_ui(ui, cx, view));
        }
        column("said", said).show(ui, |ui| {
            let all = &cx.snapshot.announcements;
            let newest = all.len().saturating_sub(SAID);
            ui.vertical(|ui| {
                for said in all.iter().skip(newest).filter(|said| said.to == Audience::Players) {
                    ui.label(RichText::new(cx.say(&said.text)).color(cx.theme.muted));
                }
            });
        });
    });
}

/// Draws an input line for moves, placements and everything else that users can type in the terminal.
fn typed_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut TableState) {
    ui.with_layout(egui::Layout::bottom_up(egui::Align::Min), |ui| {
        ui.horizontal(|ui| {
            let label = cx.t("type-a-line") + &cx.hint(Command::Type);
            let label = ui.label(RichText::new(label).color(cx.theme.muted));
            let edit = egui::TextEdit::singleline(&mut state.typed)
                .desired_width(f32::INFINITY)
                .margin(Margin::symmetric(8, 5));
            let response = ui.add(edit).labelled_by(label.id);
            if std::mem::take(&mut state.focus_typed) {
                response.request_focus();
            }
            let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            // An empty line presses the clock, as in the terminal.
            if entered {
                let typed = in_record(&std::mem::take(&mut state.typed), cx.words);
                cx.wish(Wish::Typed(typed));
                state.focus_typed = true;
            }
        });
    });
}
