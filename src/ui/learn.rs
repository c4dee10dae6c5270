//! The screen for learning: the rules of each game in short, and for Choker every hand with the pieces that it becomes.

mod lesson;

use egui::{Align2, Rect, Role as Kind, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2, pos2};
use tabiya_engine::rules::{Hand, HandName, HandRules};
use tabiya_types::{Color, Counts};

use self::lesson::{LessonPage, lesson_ui};
use super::cx::Cx;
use super::kit::button::choices;
use super::start::tiles::picture_of;
use super::widgets::{columns, field, heading, main_button, name};

/// The games that have rules in short, and how many paragraphs these have. Chess and a clock need none here.
const TAUGHT: [(&str, usize); 4] =
    [(WITH_HANDS, 9), ("poker-chess", 7), ("pokerdrez", 7), ("chess-joker", 8)];
/// The game whose hands are listed.
const WITH_HANDS: &str = "choker";
/// The largest side of a game's picture, at a rem of 16 points.
const PICTURE: f32 = 320.0;
/// The size of a card, and the width of the ten cards of one row, at a rem of 16 points.
const CARD: Vec2 = Vec2::new(32.0, 45.0);
const CARDS: f32 = 2.0 * 18.0 + 10.0 * (CARD.x + 4.0);
/// The least width of the text beside the cards.
const WORDS: f32 = 250.0;

/// What the screen remembers between frames.
#[derive(Debug)]
pub(super) struct LearnState {
    /// The first match, step by step, while it is played.
    lesson: Option<LessonPage>,
    search: String,
    rules: HandRules,
    hands: Vec<Hand>,
    /// The game that was chosen while this one was at the table; `None` for the one at the table.
    game: Option<(usize, Option<&'static str>)>,
}

impl Default for LearnState {
    fn default() -> Self {
        let rules = HandRules { empress: true, becket: false };
        Self { lesson: None, search: String::new(), rules, hands: Hand::all(), game: None }
    }
}

/// Draws the screen.
pub(super) fn learn_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut LearnState) {
    if let Some(page) = &mut state.lesson {
        if !lesson_ui(ui, cx, page) {
            state.lesson = None;
        }
        return;
    }
    let at_the_table = cx.snapshot.table.as_deref().map(|view| view.agreement.game);
    let played = TAUGHT.iter().position(|(game, _)| Some(*game) == at_the_table);
    let of_now = state.game.filter(|(_, then)| *then == at_the_table).map(|(nth, _)| nth);
    let mut chosen = of_now.or(played).unwrap_or(0);
    let names =
        std::array::from_fn::<_, { TAUGHT.len() }, _>(|nth| (nth, cx.words.word("game", TAUGHT[nth].0)));
    if choices(ui, cx, &mut chosen, &names) {
        state.game = Some((chosen, at_the_table));
    }
    ui.add_space(6.0);
    let (game, paragraphs) = TAUGHT[chosen];
    if game == WITH_HANDS && main_button(ui, cx.theme, &cx.t("lesson-begin"), true).clicked() {
        state.lesson = Some(LessonPage::begin());
    }
    let rules = |ui: &mut Ui| rules_ui(ui, cx, game, paragraphs);
    if game == WITH_HANDS {
        columns(ui, 0.36, state, |ui, _| rules(ui), |ui, state| hands_ui(ui, cx, state));
    } else {
        columns(ui, 0.62, state, |ui, _| rules(ui), |ui, _| picture_ui(ui, cx, game));
    }
}

fn rules_ui(ui: &mut Ui, cx: &Cx<'_>, game: &str, paragraphs: usize) {
    heading(ui, &cx.t("rules-in-short"));
    ScrollArea::vertical().id_salt(("rules", game)).auto_shrink(false).show(ui, |ui| {
        for number in 1..=paragraphs {
            ui.label(cx.t(&format!("{game}-rules-{number}")));
            ui.add_space(6.0);
        }
    });
}

/// Draws the picture of a game, and in one line what it is.
fn picture_ui(ui: &mut Ui, cx: &Cx<'_>, game: &str) {
    let side = ui.available_width().min(ui.available_height() * 0.6).min(cx.sizes.px(PICTURE));
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    picture_of(ui.painter(), cx, game, rect);
    ui.add_space(6.0);
    ui.label(cx.words.word("game-line", game));
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
    // If there is no room for the text beside the cards, the text is drawn below them.
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let below = ui.available_width() - px(CARDS) - 30.0 < px(WORDS);
    let words = px(if below { 78.0 } else { 56.0 });
    let row = if below { px(CARD.y) + words + 20.0 } else { words.max(px(CARD.y)) + 20.0 };
    ScrollArea::vertical().id_salt("hands").auto_shrink(false).show_rows(ui, row, found.len(), |ui, rows| {
        for hand in found.iter().take(rows.end).skip(rows.start) {
            hand_ui(ui, cx, *hand, state.rules, row, below);
        }
    });
}

/// Whether a hand matches the search: by the letters of its cards in any order, or by the name of its rule.
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

/// Draws one hand: its cards, the pieces that they become, and the rule.
fn hand_ui(ui: &mut Ui, cx: &Cx<'_>, hand: Hand, rules: HandRules, row: f32, below: bool) {
    let (rect, response) = ui.allocate_exact_size(Vec2::new(ui.available_width(), row), Sense::hover());
    let theme = cx.theme;
    ui.painter().rect(rect, 8.0, theme.panel, Stroke::new(1.0, theme.line), StrokeKind::Inside);
    let card = CARD * cx.sizes.px(1.0);
    let mut at = rect.min + Vec2::new(10.0, 10.0);
    for changed in [false, true] {
        for (face, piece) in hand.pairs(rules) {
            let shown = if changed { piece } else { face };
            let place = Rect::from_min_size(at, card);
            cx.art.card(ui.painter(), place, shown, Color::White, &cx.words.letter(shown.role()));
            if changed && face != piece {
                ui.painter().rect_stroke(place, 5.0, Stroke::new(2.5, theme.gold_edge), StrokeKind::Outside);
            }
            at.x += card.x + 4.0;
        }
        at.x += cx.sizes.px(18.0);
    }
    let letters = |of: Counts| -> String { of.cards().map(|card| cx.words.letter(card.role())).collect() };
    let (cards, pieces) = (letters(hand.counts()), letters(hand.pieces(rules)));
    let rule = hand.name(rules);
    let unchanged = rule == HandName::Plain && cards == pieces;
    let why = if unchanged { cx.t("hand-unchanged") } else { cx.words.word("hand", rule.word()) };
    let title = format!("{cards} = {pieces}");
    if below {
        at = rect.min + Vec2::new(10.0, 10.0 + card.y + 6.0);
    }
    let room = rect.right() - at.x - 10.0;
    let painter = ui.painter().with_clip_rect(rect.shrink(2.0));
    let title_at = painter.text(at, Align2::LEFT_TOP, &title, cx.bold(14.0), theme.text);
    let galley = painter.layout(why.clone(), cx.plain(12.5), theme.muted, room);
    painter.galley(pos2(at.x, title_at.bottom() + 2.0), galley, theme.muted);
    name(&response, Kind::Label, true, &format!("{title}. {why}"));
}
