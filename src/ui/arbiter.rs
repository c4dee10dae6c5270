//! The arbiter's drawer: alerts for the arbiter alone, and all rulings. A reason may be given with each; without one the record
//! names the act itself.

mod rulings;

use std::sync::Arc;

use egui::{Rect, RichText, ScrollArea, Ui, UiBuilder, pos2};
use tabiya_app::alerts::{AlertKind, Cause};
use tabiya_app::desk::Wish;
use tabiya_app::session::Proposal;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Phase, PlayAction};
use tabiya_engine::table::{Audience, Author, Common, LegalInput, Ruling};
use tabiya_types::{ByColor, BySeat, Card, Color};

use super::cx::Cx;
use super::keys::Command;
use super::kit::button::{ButtonFace, Kind, button_at};
use super::kit::icon::Icon;
use super::kit::panel::{card, ground};
use super::kit::tabs::{TABS, tabs_ui};
use super::kit::{cut_bottom, cut_top, split};
use super::table::acts::pause;
use super::table::questions::answers_ui;
use super::theme::GRID;
use super::widgets::{button, capital, field_below, read_aloud};

/// How many of the newest alerts are shown.
const ALERTS: usize = 30;
/// The share of the drawer for what waits for the arbiter.
const ALERTS_SHARE: f32 = 0.28;
/// The height of the reason, and the least height of a page of rulings, for a rem of 16 points.
const REASON: f32 = 102.0;
const LEAST_PAGE: f32 = 110.0;

/// A drawer with less room than this below its first row, at a rem of 16 points, scrolls as a whole.
const LOW: f32 = 360.0;

/// What the drawer remembers between frames.
#[derive(Clone, Debug)]
pub(super) struct ArbiterState {
    reason: String,
    time: ByColor<String>,
    /// For each side, two numbers that a ruling is to set: the moves made, and the byo-yomi periods left. `None` for a
    /// number that does not change.
    counters: ByColor<[Option<u32>; 2]>,
    /// The changed chips, and the number of inputs in the record when the user began to change them.
    chips: Option<(ChipsDraft, usize)>,
    /// The page of rulings that is shown.
    page: Tab,
    /// How many of the last actions are chosen to be taken back.
    undos: usize,
    /// Whether a row was clicked, so that the board shows what would go back.
    picked: bool,
    false_at: String,
    right_piece: Card,
    right_on: String,
    fen: String,
    /// How many inputs the record had when the user last sent a ruling. Once the record has more inputs, the text
    /// fields are emptied.
    given: Option<usize>,
    /// Whether the clocks stood in the last frame.
    stopped: bool,
    /// Whether a ruling with the present reason is in the record.
    recorded: bool,
}

impl Default for ArbiterState {
    fn default() -> Self {
        Self {
            reason: String::new(),
            time: ByColor::default(),
            counters: ByColor::default(),
            chips: None,
            page: Tab::TakeBack,
            undos: 1,
            picked: false,
            false_at: String::new(),
            right_piece: Card::Queen,
            right_on: String::new(),
            fen: String::new(),
            given: None,
            stopped: false,
            recorded: false,
        }
    }
}

/// The chips as a ruling would set them: each seat's stack, and each seat's chips in the pot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ChipsDraft {
    stacks: BySeat<u32>,
    put_in: BySeat<u32>,
    /// Whether the sum of all chips may change.
    added: bool,
}

/// The pages of rulings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tab {
    TakeBack,
    Clocks,
    Chips,
    Cards,
    Position,
    Result,
}

impl Tab {
    /// The pages that this match has, each with its word among the texts of the screens.
    fn of(view: &TableView) -> Vec<(Self, &'static str)> {
        let timed = Color::ALL.iter().any(|color| view.clock.timed(*color));
        let all = [
            (Self::TakeBack, "rule-take-back", true),
            (Self::Clocks, "rule-clocks", timed),
            (Self::Chips, "rule-chips", view.has_chips()),
            (Self::Cards, "rule-cards", view.stages.is_some()),
            (Self::Position, "rule-position", true),
            (Self::Result, "rule-result", true),
        ];
        all.into_iter().filter(|(.., has)| *has).map(|(tab, word, _)| (tab, word)).collect()
    }
}

/// Draws the drawer into the column between the seats: the button that stops the clocks, what waits for the arbiter, the
/// reason, and the rulings, a page for each kind.
pub(super) fn arbiter_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut ArbiterState,
    area: Rect,
) {
    state.follow(view);
    ground(ui.painter(), cx.theme, area);
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let mut rest = area.shrink(px(10.0));
    let row = cut_top(&mut rest, px(46.0), px(8.0));
    let close = Rect::from_min_max(pos2(row.right() - px(88.0), row.top()), row.max);
    let stop = Rect::from_min_max(row.min, pos2(close.left() - px(8.0), row.bottom()));
    stop_ui(ui, cx, view, state, stop);
    let face = ButtonFace::new(Kind::Plain, "")
        .icon(Icon::Cross)
        .said(cx.t("close-drawer"))
        .key(cx.key(Command::Arbiter));
    cx.close_drawer |= button_at(ui, cx, close, "close-drawer", &face).clicked();
    if rest.height() < px(LOW) {
        // In little room everything scrolls, and what was said comes last.
        scrolling(ui, rest, "arbiter", |ui| {
            alerts_ui(ui, cx, view);
            tabs_part(ui, cx, view, state, None);
            page_ui(ui, cx, view, state);
            reason_ui(ui, cx, state);
            said_ui(ui, cx);
        });
        return;
    }
    // What waits for the arbiter has a place of its own, so that nothing below moves when it comes and goes.
    let high = alerts_height(cx, rest);
    let alerts = cut_top(&mut rest, high, px(6.0));
    scrolling(ui, alerts, "alerts", |ui| {
        alerts_ui(ui, cx, view);
        said_ui(ui, cx);
    });
    tabs_part(ui, cx, view, state, Some(&mut rest));
    // The reason comes last: it may be left out.
    let place = cut_bottom(&mut rest, px(REASON), px(6.0));
    scrolling(ui, place, "reason-place", |ui| reason_ui(ui, cx, state));
    scrolling(ui, rest, "arbiter", |ui| page_ui(ui, cx, view, state));
}

/// Draws the page of rulings that is chosen.
fn page_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState) {
    match state.page {
        Tab::TakeBack => rulings::undo_ui(ui, cx, view, state),
        Tab::Clocks => rulings::clocks_ui(ui, cx, view, state),
        Tab::Chips => rulings::chips_ui(ui, cx, view, state),
        Tab::Cards => rulings::cards_ui(ui, cx, view, state),
        Tab::Position => rulings::position_ui(ui, cx, view, state),
        Tab::Result => rulings::results_ui(ui, cx, view, state),
    }
}

/// The height of what waits for the arbiter, in a drawer with this much room.
fn alerts_height(cx: &Cx<'_>, room: Rect) -> f32 {
    let others = cx.sizes.px(REASON + 44.0 + LEAST_PAGE);
    (room.height() * ALERTS_SHARE).min(room.height() - others).max(cx.sizes.px(40.0))
}

/// Draws into a place, in which the content scrolls if it is too high.
fn scrolling(ui: &mut Ui, place: Rect, id: &str, content: impl FnOnce(&mut Ui)) {
    let mut inner = ui.new_child(UiBuilder::new().max_rect(place));
    inner.shrink_clip_rect(place.expand(2.0));
    ScrollArea::vertical().id_salt(id).auto_shrink(false).show(&mut inner, content);
}

/// Draws the button that stops the clocks, or lets them go on. The clocks can be stopped at any time. The reason may
/// follow; it goes into the record before they go on.
fn stop_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &ArbiterState, place: Rect) {
    let paused = view.clock.paused();
    let text = cx.t(if paused { "resume" } else { "pause" });
    // A proposed ruling comes first; then it has the gold.
    let gold = paused && !cx.snapshot.alerts.iter().any(|alert| alert.cause.proposal.is_some());
    let kind = if gold { Kind::Gold } else { Kind::Plain };
    let icon = if paused { Icon::Play } else { Icon::Pause };
    let face = ButtonFace::new(kind, &text).strong().icon(icon).key(cx.key(Command::Pause));
    if !button_at(ui, cx, place, "arbiter-stop", &face).clicked() {
        return;
    }
    if paused && state.has_reason() && !state.recorded {
        cx.enter(Ruling::because(state.reason.trim()));
    }
    pause(cx, view);
}

/// Draws the tabs: words in a row, or where they have no room for that, buttons in two rows.
/// `rest` is the place from whose top they are cut, if they do not scroll.
fn tabs_part(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, state: &mut ArbiterState, rest: Option<&mut Rect>) {
    let tabs: Vec<(Tab, String)> = Tab::of(view).into_iter().map(|(tab, word)| (tab, cx.t(word))).collect();
    if !tabs.iter().any(|(tab, _)| *tab == state.page) {
        state.page = Tab::TakeBack;
    }
    let before = state.page;
    let wide = rest.as_ref().map_or(ui.available_width(), |rest| rest.width()) / cx.sizes.rem >= 28.0;
    let rows = if tabs.len() > 3 { 2.0 } else { 1.0 };
    let high = cx.sizes.px(if wide { TABS + 10.0 } else { 40.0 * rows });
    let mut place = match rest {
        Some(rest) => cut_top(rest, high, 0.0),
        None => ui.allocate_exact_size(egui::vec2(ui.available_width(), high), egui::Sense::hover()).0,
    };
    if wide {
        let row = cut_top(&mut place, cx.sizes.px(TABS + 4.0), 0.0);
        state.page = tabs_ui(ui, cx, row, &tabs, state.page);
    } else {
        buttons_ui(ui, cx, &tabs, state, &mut place);
    }
    if state.page != before {
        // The board has been drawn, and may show something else for the new page.
        cx.ctx.request_repaint();
    }
}

fn buttons_ui(ui: &mut Ui, cx: &Cx<'_>, tabs: &[(Tab, String)], state: &mut ArbiterState, rest: &mut Rect) {
    for few in tabs.chunks(3) {
        let row = cut_top(rest, cx.sizes.px(36.0), cx.sizes.px(4.0));
        #[expect(clippy::cast_precision_loss, reason = "a word of a few letters")]
        let shares: Vec<f32> = few.iter().map(|(_, word)| word.chars().count().max(6) as f32).collect();
        for (place, (tab, word)) in split(row, &shares, GRID).into_iter().zip(few) {
            let face = ButtonFace::new(Kind::Choice(state.page == *tab), word);
            if button_at(ui, cx, place, word, &face).clicked() {
                state.page = *tab;
            }
        }
    }
}

/// Gives or takes time by the buttons of a seat, in ms. The clock does not wait while the arbiter writes: without a reason
/// the record says that the arbiter did it.
pub(super) fn gain(cx: &mut Cx<'_>, view: &TableView, state: &mut ArbiterState, by: Color, gain: i64) {
    let reason = state.take_reason(view, &cx.t("time-by-arbiter"));
    cx.wish(Wish::Gain { by, gain, reason });
}

/// Draws what waits for the arbiter. The drawer stands in the place of what the
/// players are told and asked, so their questions are here too.
fn alerts_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    proposals_ui(ui, cx);
    for alert in cx.snapshot.alerts.clone().iter() {
        alert_ui(ui, cx, view, &alert.cause);
    }
    if let Some(asked) = cx.snapshot.question.clone() {
        card(cx.theme.raised, cx.theme.bad).show(ui, |ui| {
            ui.set_width(ui.available_width());
            read_aloud(&ui.label(RichText::new(cx.say(&asked.text)).font(cx.bold(16.0))), true);
            ui.horizontal_wrapped(|ui| answers_ui(ui, cx, asked.answers.as_deref()));
        });
    }
    claims_ui(ui, cx, view);
}

/// Draws what was said, the newest first.
fn said_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let said = cx.snapshot.announcements.iter().rev().take(ALERTS);
    let said: Vec<String> = said.map(|said| cx.announced(said)).collect();
    if said.is_empty() {
        return;
    }
    ui.label(RichText::new(cx.t("alerts")).color(cx.theme.muted).small());
    for text in said {
        ui.label(text);
    }
}

/// Draws an alert. A proposed ruling and a question have places of their own; what the players are told stands beside the board,
/// but for a refusal, which may be the arbiter's own.
fn alert_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, cause: &Cause) {
    let here = cause.to == Audience::Arbiter || cause.kind == AlertKind::Refused;
    if !here || cause.proposal.is_some() || cause.kind == AlertKind::Question {
        return;
    }
    let wrong = matches!(cause.kind, AlertKind::Refused | AlertKind::Piece);
    let (fill, ink) =
        if wrong { (cx.theme.bad_wash, cx.theme.bad) } else { (cx.theme.raised, cx.theme.gold_ink) };
    card(fill, ink).show(ui, |ui| {
        ui.set_width(ui.available_width());
        read_aloud(&ui.label(RichText::new(cx.say(&cause.says)).color(ink)), true);
        if let Some(articles) = cause.articles.clone().filter(|_| view.phase == Phase::Chess) {
            let articles = cx.words.with("of-the-laws", &[("articles", articles.into())]);
            ui.label(RichText::new(articles).color(cx.theme.muted).small());
        }
    });
}

/// Draws what the Laws propose, the most urgent first.
fn proposals_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let alerts = Arc::clone(&cx.snapshot.alerts);
    let open = alerts.iter().filter_map(|alert| Some((&alert.cause, alert.cause.proposal.as_ref()?)));
    for (nth, (cause, proposal)) in open.enumerate() {
        ui.push_id(("proposal", nth), |ui| proposal_ui(ui, cx, (cause, proposal), nth == 0));
    }
}

/// Draws one proposal: what happened as its alert says it, the ruling, gold if it is the `first`, its articles, and the line that does
/// the same when it is typed.
fn proposal_ui(ui: &mut Ui, cx: &mut Cx<'_>, (cause, proposal): (&Cause, &Proposal), first: bool) {
    let [proposed, besides @ ..] = proposal.choices.as_slice() else { return };
    let kind = if first { Kind::Gold } else { Kind::Plain };
    let (by, of) = (proposal.by, proposal.of);
    card(cx.theme.raised, cx.theme.bad).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let heading = capital(&cx.say(&cause.says));
        read_aloud(&ui.label(RichText::new(heading).font(cx.bold(16.0))), true);
        let size = egui::vec2(ui.available_width(), cx.sizes.px(40.0));
        let (row, _) = ui.allocate_exact_size(size, egui::Sense::hover());
        let (told, leave) = (cx.say(&proposed.told), cx.t("no-ruling"));
        if let [rule, none] = split(row, &[3.0, 1.0], GRID * 2.0)[..] {
            if button_at(ui, cx, rule, "proposed", &ButtonFace::new(kind, &told)).clicked() {
                cx.wish(Wish::Decide { by, of, choice: 0 });
            }
            if button_at(ui, cx, none, "no-ruling", &ButtonFace::new(Kind::Plain, &leave)).clicked() {
                cx.wish(Wish::DropProposal { by, of });
            }
        }
        for (choice, other) in (1..).zip(besides) {
            let (place, _) = ui.allocate_exact_size(size, egui::Sense::hover());
            let told = format!("{} ({})", cx.say(&other.told), other.articles);
            if button_at(ui, cx, place, ("proposed", choice), &ButtonFace::new(Kind::Plain, &told)).clicked()
            {
                cx.wish(Wish::Decide { by, of, choice });
            }
        }
        let typed = cx.words.with("typed-as", &[("line", cx.words.said(&proposed.line()).into())]);
        let articles = cx.words.with("of-the-laws", &[("articles", proposed.articles.clone().into())]);
        ui.label(RichText::new(format!("{articles} · {typed}")).color(cx.theme.muted).small());
    });
}

/// Draws the buttons for claims at events. Under the Laws of Chess only a player may make a claim; the arbiter enters
/// it here.
fn claims_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    if !view.is_event() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        if let Some(color) = view.draw_claimant() {
            let text = cx.words.with("claim-draw", &[("color", cx.who(color).into())]);
            if button(ui, &text, true).clicked() {
                cx.enter(PlayAction::ClaimDraw { by: color, uci: None });
            }
        }
        for color in
            Color::ALL.into_iter().filter(|color| view.legal.contains(&LegalInput::ClaimFlag(*color)))
        {
            let text = cx.words.with("claim-flag", &[("color", cx.who(color).into())]);
            if button(ui, &text, true).clicked() {
                cx.enter(Common::ClaimFlag(Author::Player(color)));
            }
        }
    });
}

fn reason_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut ArbiterState) {
    let field = field_below(ui, &cx.t("reason"), &mut state.reason, ui.available_width() - 20.0);
    if field.on_hover_text(cx.t("reason-first")).changed() {
        state.recorded = false;
    }
    ui.add_space(cx.sizes.px(4.0));
    let chips = ["reason-illegal", "reason-phone", "reason-clock", "reason-agreed"].map(|id| cx.t(id));
    let in_row = if ui.available_width() / cx.sizes.rem < 28.0 { 2 } else { 4 };
    for few in chips.chunks(in_row) {
        let size = egui::vec2(ui.available_width() - 12.0, cx.sizes.px(30.0));
        let (row, _) = ui.allocate_exact_size(size, egui::Sense::hover());
        #[expect(clippy::cast_precision_loss, reason = "a word of a few letters")]
        let shares: Vec<f32> = few.iter().map(|text| text.chars().count().max(7) as f32).collect();
        for (place, text) in split(row, &shares, GRID).into_iter().zip(few) {
            let face = ButtonFace::new(Kind::Choice(state.reason == *text), text);
            if button_at(ui, cx, place, text, &face).clicked() {
                state.reason.clone_from(text);
                state.recorded = false;
            }
        }
    }
}

impl ArbiterState {
    /// The drawer closes. A reason that was typed for no ruling is no reason for the next one.
    pub(super) fn close(&mut self) {
        self.reason.clear();
        (self.recorded, self.picked) = (false, false);
    }

    /// How many of the last actions are chosen to be taken back, while that page is shown.
    pub(super) fn takes_back(&self) -> Option<usize> {
        (self.page == Tab::TakeBack && (self.picked || self.has_reason())).then_some(self.undos)
    }

    /// Turns to the page that sets the clocks.
    pub(super) fn turn_to_clocks(&mut self) {
        self.page = Tab::Clocks;
    }

    /// Whether a reason was given.
    fn has_reason(&self) -> bool {
        !self.reason.trim().is_empty()
    }

    /// Returns the reason for a ruling that is sent now: the typed one, or else the name of the act. The text field keeps the
    /// reason until the ruling is in the record.
    fn take_reason(&mut self, view: &TableView, act: &str) -> String {
        self.given = Some(view.acts);
        if self.has_reason() { self.reason.trim() } else { act }.to_owned()
    }

    /// The same for what needs no reason in the record.
    fn take_typed_reason(&mut self, view: &TableView) -> Option<String> {
        self.given = Some(view.acts);
        self.has_reason().then(|| self.reason.trim().to_owned())
    }

    fn rule(&mut self, cx: &mut Cx<'_>, view: &TableView, set: Ruling, act: &str) {
        cx.enter(Ruling { reason: self.take_reason(view, act), ..set });
    }

    /// Empties the text fields once the ruling is in the record. If the ruling is refused, the fields keep their text,
    /// so that it can be corrected. While the clocks stand, the reason stays for the arbiter's next ruling.
    fn follow(&mut self, view: &TableView) {
        let stopped = view.clock.paused();
        if std::mem::replace(&mut self.stopped, stopped) && !stopped {
            self.reason.clear();
            self.recorded = false;
        }
        if self.given.is_some_and(|acts| view.acts > acts) {
            self.given = None;
            self.recorded = true;
            if !stopped {
                self.reason.clear();
                self.recorded = false;
            }
            self.fen.clear();
            self.time = ByColor::default();
            self.counters = ByColor::default();
        }
    }
}
