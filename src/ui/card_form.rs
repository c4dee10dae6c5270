//! The form in which a card of Chess Joker is typed from the real deck: its code, its points, and what it does in the
//! cards' own words. What cannot be read is marked in the text, and the card's uses are drawn on the board as one types.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{FontId, Margin, RichText, ScrollArea, Stroke, TextBuffer, TextEdit, Ui};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::record::card_file::OwnedCard;
use tabiya_engine::rules::chess_joker::{CardEffect, CardUses, Code, EffectError, FirstSteps, JokerCard};
use tabiya_types::{Board, Color};

use super::board::{BoardLook, BoardState, CardMark, StepMeaning, board_ui};
use super::cx::Cx;
use super::keys::Command;
use super::table::joker::words::{card_title, effect_words, sight};
use super::widgets::{button, columns, field_below, heading, hint, main_button, name};

/// The most arrows that are drawn.
const MOST_ARROWS: usize = 60;

/// What the form remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct CardFormState {
    pub(super) open: bool,
    code: String,
    elo: String,
    star: bool,
    effect: String,
    text: String,
    /// Who plays the card on the drawn board; `None` is White.
    by: Option<Color>,
    /// Whether the first field gets the keyboard in the next frame.
    focus: bool,
    seen: Option<Seen>,
}

/// What was found about the effect, for this text, this board and this player.
#[derive(Clone, Debug)]
struct Seen {
    of: (String, Board, Color),
    effect: Result<Arc<CardEffect>, EffectError>,
    marks: Vec<CardMark>,
    /// How many first steps the uses have, as printed and masqueraded.
    count: usize,
    /// Whether not all uses were tried.
    cut_short: bool,
}

impl CardFormState {
    /// Opens the form for the card with this code; empty for any card.
    pub(super) fn open(&mut self, code: &str) {
        *self = Self { open: true, focus: true, code: code.to_owned(), ..Self::default() };
    }

    fn take(&mut self, owned: &OwnedCard) {
        let OwnedCard { card, text, .. } = owned;
        self.code = card.word();
        self.elo = card.elo.map(|elo| elo.to_string()).unwrap_or_default();
        self.star = card.star == Some(true);
        self.effect = card.effect.as_ref().map(|effect| effect.text().to_owned()).unwrap_or_default();
        self.text = text.clone().unwrap_or_default();
    }

    /// The card as it is typed; `None` while something of it cannot be used.
    fn card(&self) -> Option<OwnedCard> {
        let code: Code = self.code.trim().to_uppercase().parse().ok()?;
        let elo: u32 =
            self.elo.trim().parse().ok().filter(|elo| *elo <= tabiya_engine::rules::chess_joker::MOST_ELO)?;
        let effect = match (self.effect.trim(), &self.seen) {
            ("", _) => None,
            (_, Some(Seen { effect: Ok(effect), .. })) => Some(effect.clone()),
            (_, Some(Seen { effect: Err(_), .. }) | None) => return None,
        };
        let card = JokerCard { code: Some(code), elo: Some(elo), star: Some(self.star), effect };
        let text = Some(self.text.trim().to_owned()).filter(|text| !text.is_empty());
        Some(OwnedCard { card, featured: None, text })
    }

    fn look(&mut self, board: &Board, by: Color) {
        let of = (self.effect.clone(), *board, by);
        if self.seen.as_ref().is_some_and(|seen| seen.of == of) {
            return;
        }
        let effect = self.effect.parse::<CardEffect>().map(Arc::new);
        let written = effect.as_ref().ok().cloned();
        let first = written.map(|effect| CardUses::on_board(effect, board, by).first_steps());
        let steps = first.as_ref().map(FirstSteps::steps).unwrap_or_default();
        let cut_short = first.is_some_and(|first| first.cut_short);
        let count = steps.len();
        let marks = if count > MOST_ARROWS { Vec::new() } else { CardMark::all(steps, StepMeaning::Could) };
        self.seen = Some(Seen { of, effect, marks, count, cut_short });
    }
}

/// Draws the form in the place of the page.
pub(super) fn card_form_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: Option<&TableView>,
    state: &mut CardFormState,
) {
    if cx.takes(Command::No) {
        state.open = false;
    }
    let view = view.filter(|view| sight(view).is_some());
    let board = view.map_or_else(usual_board, |view| view.board);
    let by = state.by.unwrap_or(Color::White);
    state.look(&board, by);
    let mut both = (cx, state);
    columns(
        ui,
        0.5,
        &mut both,
        |ui, (cx, state)| {
            ScrollArea::vertical().id_salt("card-form").auto_shrink(false).show(ui, |ui| {
                fields_ui(ui, cx, state);
                file_ui(ui, cx, state);
            });
        },
        |ui, (cx, state)| preview_ui(ui, cx, state, &board),
    );
}

/// The board at the beginning of a game.
fn usual_board() -> Board {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap_or(Board::EMPTY)
}

fn fields_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut CardFormState) {
    heading(ui, &cx.t("card-form"));
    ui.horizontal_wrapped(|ui| {
        let code = field_below(ui, &cx.t("card-code"), &mut state.code, cx.sizes.px(56.0));
        if std::mem::take(&mut state.focus) {
            code.request_focus();
        }
        field_below(ui, &cx.t("card-elo"), &mut state.elo, cx.sizes.px(64.0));
        ui.vertical(|ui| {
            ui.add_space(cx.sizes.rem);
            ui.checkbox(&mut state.star, cx.t("card-star"));
        });
    });
    effect_ui(ui, cx, state);
    let width = ui.available_width() - cx.sizes.px(24.0);
    field_below(ui, &cx.t("card-text"), &mut state.text, width);
    ui.add_space(cx.sizes.px(6.0));
    ui.horizontal_wrapped(|ui| {
        let card = state.card();
        let save = main_button(ui, cx.theme, &cx.t("card-save"), card.is_some());
        if save.clicked()
            && let Some(card) = card
        {
            cx.wish(Wish::KeepCard(Box::new(card)));
            state.open("");
        }
        if button(ui, &(cx.t("card-close") + &cx.hint(Command::No)), true).clicked() {
            state.open = false;
        }
    });
}

/// Draws the field of the effect. The words that cannot be read are underlined, and below it stands what is wrong.
fn effect_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut CardFormState) {
    let wrong = state.seen.as_ref().and_then(|seen| seen.effect.as_ref().err()).cloned();
    let wrong = wrong.filter(|_| !state.effect.trim().is_empty());
    let (rem, text, bad) = (cx.sizes.rem, cx.theme.text, cx.theme.bad);
    let at = wrong.as_ref().map(|wrong| wrong.at.clone());
    let mut layouter = |ui: &Ui, typed: &dyn TextBuffer, width: f32| {
        let plain = TextFormat::simple(FontId::proportional(rem), text);
        let marked = TextFormat { color: bad, underline: Stroke::new(2.0, bad), ..plain.clone() };
        let typed = typed.as_str();
        let mut job = LayoutJob::default();
        let at = at.clone().filter(|at| typed.get(at.clone()).is_some()).unwrap_or(0..0);
        for (part, format) in
            [(&typed[..at.start], &plain), (&typed[at.start..at.end], &marked), (&typed[at.end..], &plain)]
        {
            job.append(part, 0.0, format.clone());
        }
        job.wrap.max_width = width;
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let label = ui.label(RichText::new(cx.t("card-effect")).small().color(ui.visuals().weak_text_color()));
    let edit = TextEdit::multiline(&mut state.effect)
        .desired_rows(2)
        .desired_width(ui.available_width() - cx.sizes.px(24.0))
        .margin(Margin::symmetric(8, 6))
        .layouter(&mut layouter);
    ui.add(edit).labelled_by(label.id);
    // An effect is one line; Enter is a space.
    if state.effect.contains('\n') {
        state.effect = state.effect.replace('\n', " ");
    }
    match wrong {
        Some(wrong) => {
            ui.label(RichText::new(cx.say(&wrong.what)).color(cx.theme.bad));
        }
        None => hint(ui, &cx.t("card-effect-hint")),
    }
}

/// Draws the cards of the file; a click takes one into the form.
fn file_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut CardFormState) {
    let cards = cx.snapshot.own_cards.clone();
    ui.add_space(cx.sizes.px(8.0));
    ui.separator();
    crate::start::card_file_line(ui, cx);
    for owned in &cards.file.cards {
        ui.add_space(cx.sizes.px(4.0));
        if ui.button(card_title(cx, &owned.card)).clicked() {
            state.take(owned);
        }
        effect_words(ui, cx, &owned.card);
    }
}

/// Draws the board with the card's first steps.
fn preview_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut CardFormState, board: &Board) {
    ui.horizontal_wrapped(|ui| {
        let by = state.by.unwrap_or(Color::White);
        for color in Color::ALL {
            let text = cx.words.with("card-played-by", &[("color", cx.words.color(color).into())]);
            if ui.radio(by == color, text).clicked() {
                state.by = Some(color);
            }
        }
    });
    let (marks, found) = match &state.seen {
        Some(Seen { effect: Ok(_), marks, count, .. }) => {
            let text = match count {
                0 => cx.t("card-no-use"),
                count => cx.words.with("card-uses-here", &[("count", (*count).into())]),
            };
            (marks.clone(), text)
        }
        Some(Seen { effect: Err(_), .. }) | None => (Vec::new(), String::new()),
    };
    let line = ui.label(RichText::new(&found).color(cx.theme.muted));
    name(&line, egui::Role::Label, true, &found);
    if state.seen.as_ref().is_some_and(|seen| seen.cut_short) {
        hint(ui, &cx.t("card-uses-cut-short"));
    }
    let side = ui.available_width().min(ui.available_height());
    let look = BoardLook { card_marks: &marks, ..BoardLook::plain(board, cx.below()) };
    board_ui(ui, cx, side, &look, &mut BoardState::default());
}
