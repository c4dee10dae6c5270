//! The sheets of the rounds: the plan, the players, the next pairing, the start, and the result of a board with its reason.

use egui::{Key, TextEdit, Ui};
use tabiya_app::hall::{BoardStage, HallView, RoundWish, RoundsView, default_seconds};
use tabiya_engine::rules::GAMES;
use tabiya_types::{ByColor, Color};

use super::super::state::{DeskState, KeptDesk};
use super::Sheet;
use crate::cx::Cx;
use crate::widgets::{button, choice, choice_below, field_below, heading, hint, main_button};

/// The time control that is proposed first.
const USUAL_TIME: &str = "90+30";
/// The most rounds of an event.
const MOST_ROUNDS: usize = 99;

/// What a plan of rounds needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::hall) struct PlanForm {
    system: &'static str,
    rounds: String,
    game: &'static str,
}

/// What the start of a round needs, as it is typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::hall) struct StartForm {
    time: String,
    /// Empty: zero, as in the Laws of Chess (6.7.1).
    default_minutes: String,
}

impl StartForm {
    /// The default time in seconds; `None` if what was typed is none.
    fn default_s(&self) -> Option<u32> {
        match self.default_minutes.trim() {
            "" => Some(0),
            minutes => minutes.parse().ok().and_then(default_seconds),
        }
    }
}

/// What a result of a board needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::hall) struct BoardResultForm {
    board: usize,
    word: Option<&'static str>,
    /// White's and Black's chips, in an event that counts them.
    chips: Option<ByColor<String>>,
    /// Whether a result counts already, so that a reason is needed.
    changes: bool,
    reason: String,
}

impl Sheet {
    /// The plan of the rounds.
    pub(in crate::hall) fn plan() -> Self {
        let game = GAMES.first().map_or("", |game| game.name());
        Self::Plan(PlanForm { system: "swiss", rounds: "5".to_owned(), game })
    }

    /// A list of players.
    pub(in crate::hall) fn players() -> Self {
        Self::Players(String::new())
    }

    /// The start of the round, with the time control and the default time of the last one.
    pub(in crate::hall) fn start(last: &KeptDesk) -> Self {
        let time = if last.time.is_empty() { USUAL_TIME } else { &last.time };
        Self::Start(StartForm { time: time.to_owned(), default_minutes: last.default_minutes.clone() })
    }

    /// The result of a board.
    pub(in crate::hall) fn board_result(
        rounds: &RoundsView,
        board: usize,
        word: Option<&'static str>,
    ) -> Self {
        let stage = rounds.board(board).map(|board| &board.stage);
        let chips = rounds.chips.then(|| {
            let known = stage.and_then(BoardStage::score).and_then(|score| score.chips);
            let text = |color: Color| known.map(|chips| chips[color].to_string()).unwrap_or_default();
            ByColor::new(text)
        });
        let changes = matches!(stage, Some(BoardStage::Counts(_)));
        Self::BoardResult(BoardResultForm { board, word, chips, changes, reason: String::new() })
    }
}

/// Draws the plan. Returns whether it stays.
pub(super) fn plan_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut DeskState, form: &mut PlanForm) -> bool {
    heading(ui, &cx.t("round-plan"));
    let systems = ["swiss", "round-robin", "knock-out"];
    choice(ui, &mut form.system, &systems.map(|system| (system, cx.words.word("round-system", system))));
    hint(ui, &cx.words.word("round-system-says", form.system));
    field_below(ui, &cx.t("round-how-many"), &mut form.rounds, 80.0);
    let games: Vec<_> = GAMES.iter().map(|game| (game.name(), cx.words.word("game", game.name()))).collect();
    choice_below(ui, &mut form.game, &games);
    let rounds = form.rounds.trim().parse().ok().filter(|rounds| (1..=MOST_ROUNDS).contains(rounds));
    if rounds.is_none() {
        hint(ui, &cx.t("round-how-many-wrong"));
    }
    let done = main_button(ui, cx.theme, &cx.t("round-plan-do"), rounds.is_some()).clicked();
    if let Some(rounds) = rounds.filter(|_| done) {
        state.round(RoundWish::Plan(form.system.to_owned(), rounds, form.game.to_owned()));
        state.sheet_next = Some(Sheet::players());
        return false;
    }
    !button(ui, &cx.t("hall-back"), true).clicked()
}

/// Draws the field for names. Returns whether it stays.
pub(super) fn players_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut DeskState, text: &mut String) -> bool {
    heading(ui, &cx.t("round-players"));
    hint(ui, &cx.t("round-players-hint"));
    let named = ui.label(cx.t("round-players-field"));
    let field = TextEdit::multiline(text).desired_width(ui.available_width() - 20.0).desired_rows(10);
    let response = ui.add(field).labelled_by(named.id);
    if text.is_empty() && !ui.ctx().text_edit_focused() {
        response.request_focus();
    }
    let count = text.lines().filter(|line| !line.trim().is_empty()).count();
    let words = cx.words.with("round-players-do", &[("count", count.into())]);
    if main_button(ui, cx.theme, &words, count > 0).clicked() {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        state.round(RoundWish::Players(lines.join("\n")));
        return false;
    }
    !button(ui, &cx.t("hall-back"), true).clicked()
}

/// Draws the question before a round is paired. Returns whether it stays.
pub(super) fn pair_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState) -> bool {
    let Some(rounds) = view.rounds.as_deref() else { return false };
    let facts = [("round", (rounds.round + 1).into()), ("rounds", rounds.planned.into())];
    let words = cx.words.with("round-pair", &facts);
    heading(ui, &words);
    ui.label(cx.words.word("round-pairs-by", rounds.system));
    let entered = ui.input(|input| input.key_pressed(Key::Enter));
    if main_button(ui, cx.theme, &words, true).clicked() || entered {
        state.round(RoundWish::Pair);
        return false;
    }
    !button(ui, &cx.t("hall-back"), true).clicked()
}

/// Draws the start of the round. Returns whether it stays.
pub(super) fn start_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    view: &HallView,
    state: &mut DeskState,
    form: &mut StartForm,
) -> bool {
    let Some(rounds) = view.rounds.as_deref() else { return false };
    let words = cx.words.with("round-start", &[("count", rounds.ready().into())]);
    heading(ui, &words);
    let field = field_below(ui, &cx.t("round-time"), &mut form.time, ui.available_width() - 20.0);
    hint(ui, &cx.t("round-time-hint"));
    field_below(ui, &cx.t("round-default"), &mut form.default_minutes, 80.0);
    let default_s = form.default_s();
    hint(ui, &cx.t(if default_s.is_some() { "round-default-hint" } else { "round-default-wrong" }));
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let entered = entered || (!field.has_focus() && ui.input(|input| input.key_pressed(Key::Enter)));
    let ready = !form.time.trim().is_empty() && rounds.ready() > 0 && default_s.is_some();
    let done = main_button(ui, cx.theme, &words, ready).clicked() || (entered && ready);
    if let Some(default_s) = default_s.filter(|_| done) {
        form.time.trim().clone_into(&mut state.kept.time);
        form.default_minutes.trim().clone_into(&mut state.kept.default_minutes);
        state.round(RoundWish::Start(state.kept.time.clone(), default_s));
        return false;
    }
    !button(ui, &cx.t("hall-back"), true).clicked()
}

/// Draws the result of a board. Returns whether it stays.
pub(super) fn board_result_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    view: &HallView,
    state: &mut DeskState,
    form: &mut BoardResultForm,
) -> bool {
    let board = view.rounds.as_deref().and_then(|rounds| rounds.board(form.board));
    let Some(board) = board else { return false };
    heading(ui, &cx.words.with("round-result-of", &[("board", form.board.into())]));
    let name = |color: Color| board.players[color].name.clone();
    let wins = |color: Color| cx.words.with("wins", &[("name", name(color).into())]);
    let away = |color: Color| cx.words.with("round-away", &[("name", name(color).into())]);
    let options = [
        (Some("1-0"), format!("{}  [W]", wins(Color::White))),
        (Some("1/2"), format!("{}  [D]", crate::widgets::capital(&cx.t("drawn")))),
        (Some("0-1"), format!("{}  [B]", wins(Color::Black))),
        (Some("+--"), away(Color::Black)),
        (Some("--+"), away(Color::White)),
        (Some("---"), cx.t("round-both-away")),
    ];
    choice_below(ui, &mut form.word, &options);
    let played = matches!(form.word, Some("1-0" | "1/2" | "0-1"));
    if let Some(chips) = form.chips.as_mut().filter(|_| played) {
        for color in Color::ALL {
            let words = cx.words.with("round-chips-of", &[("name", name(color).into())]);
            field_below(ui, &words, &mut chips[color], 120.0);
        }
    }
    if form.changes {
        field_below(ui, &cx.t("hall-reason"), &mut form.reason, ui.available_width() - 20.0);
    }
    let chips = form.chips.as_ref().filter(|_| played).map(|chips| {
        let number = |color: Color| chips[color].trim().parse::<u32>().ok();
        Some(ByColor { white: number(Color::White)?, black: number(Color::Black)? })
    });
    let missing = if form.word.is_none() {
        Some("hall-side-missing")
    } else if chips == Some(None) {
        Some("round-chips-missing")
    } else if form.changes && form.reason.trim().is_empty() {
        Some("hall-reason-missing")
    } else {
        None
    };
    if let Some(missing) = missing {
        hint(ui, &cx.t(missing));
    }
    let entered = ui.input(|input| input.key_pressed(Key::Enter));
    let done = main_button(ui, cx.theme, &cx.t("round-result-do"), missing.is_none()).clicked() || entered;
    if let Some(word) = form.word.filter(|_| done && missing.is_none()) {
        let reason = form.reason.trim().to_owned();
        state.round(RoundWish::Result(form.board, word.to_owned(), chips.flatten(), reason));
        return false;
    }
    !button(ui, &cx.t("hall-back"), true).clicked()
}

impl BoardResultForm {
    /// Chooses a result by its key.
    pub(super) fn choose(&mut self, winner: Option<Color>) {
        self.word = Some(match winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2",
        });
    }
}
