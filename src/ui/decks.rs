//! Decks of cards with chips: the screen that lists, makes, checks, repairs, exports and imports them.

use egui::{Button, Grid, ProgressBar, RichText, Role as Kind, ScrollArea, Ui, vec2};
use tabiya_app::desk::{CardWish, Paper};
use tabiya_app::view::{DeckAudit, DeckView, WorkStep, WorkView};
use tabiya_types::{CardFace, Pack, harmless};

use super::cx::Cx;
use super::keys::{Command, FACES};
use super::kit::button::choices;
use super::readers::state_ui;
use super::widgets::{
    because, button, card_ui, choice_below, columns, field_below, grave_button, heading, hint, main_button,
    name as name_of, panel,
};

/// What the screen remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct DecksState {
    /// The chosen deck. The screen shows buttons for this deck.
    chosen: Option<String>,
    name: String,
    pack: Pack,
    adopt: bool,
    asked: bool,
    /// The path to export the chosen deck to.
    path: String,
    /// The path to import a deck from.
    import: String,
    /// The action that waits for confirmation.
    asks: Option<Grave>,
}

/// An action that asks for confirmation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Grave {
    /// Delete the chosen deck.
    Remove,
    /// Leave an unfinished deck.
    Leave,
}

/// Draws the screen.
pub(super) fn decks_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DecksState) {
    let cards = cx.snapshot.cards.clone();
    columns(
        ui,
        0.46,
        &mut (cx, state),
        |ui, (cx, state)| {
            ScrollArea::vertical().id_salt("decks").auto_shrink(false).show(ui, |ui| {
                let idle = cards.work.as_ref().is_none_or(|work| matches!(work.step, WorkStep::Over(_)));
                list_ui(ui, cx, state, idle);
                import_ui(ui, cx, state);
                new_ui(ui, cx, state, idle);
            });
        },
        |ui, (cx, state)| {
            ScrollArea::vertical().id_salt("work").auto_shrink(false).show(ui, |ui| match &cards.work {
                Some(work) => work_ui(ui, cx, work, state),
                None => about_ui(ui, cx),
            });
        },
    );
}

// ---- the decks ----

fn list_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DecksState, idle: bool) {
    let cards = cx.snapshot.cards.clone();
    heading(ui, &cx.t("page-decks"));
    if cards.decks.is_empty() {
        hint(ui, &cx.t("decks-none"));
    }
    for deck in &cards.decks {
        let open = state.chosen.as_ref() == Some(&deck.name);
        let text = RichText::new(harmless(&deck.name)).font(cx.bold(15.0));
        ui.horizontal_wrapped(|ui| {
            if ui.add(Button::selectable(open, text).min_size(vec2(80.0, 34.0))).clicked() {
                state.chosen = if open { None } else { Some(deck.name.clone()) };
                state.asks = None;
            }
            hint(ui, &kind_of(cx, deck));
        });
        // The actions are offered only while no deck is being made, checked or repaired.
        if open && idle {
            deck_ui(ui, cx, state, deck);
        }
    }
    for (name, count) in &cards.drafts {
        ui.horizontal_wrapped(|ui| {
            let facts = [("name", harmless(name).into()), ("count", count.0.into()), ("all", count.1.into())];
            ui.label(cx.words.with("deck-begun", &facts));
            let response = button(ui, &cx.t("deck-go-on"), idle);
            let text = cx.words.with("deck-go-on-with", &[("name", harmless(name).into())]);
            name_of(&response, Kind::Button, idle, &text);
            if response.clicked() {
                cx.cards(CardWish::Enrol {
                    name: name.clone(),
                    pack: Pack::default(),
                    adopt: false,
                    asked: false,
                });
            }
        });
    }
    for wrong in &cards.wrong {
        ui.label(RichText::new(harmless(wrong)).color(cx.theme.bad));
    }
    ui.add_space(8.0);
}

fn kind_of(cx: &Cx<'_>, deck: &DeckView) -> String {
    let kind = match deck.adopted {
        0 => "deck-written",
        adopted if adopted == deck.pack.size() => "deck-adopted",
        _ => "deck-mixed",
    };
    let facts = [("pack", pack_name(cx, deck.pack).into()), ("made", harmless(&deck.made).into())];
    cx.words.with(kind, &facts)
}

/// The name of a kind of deck, with the number of its cards.
fn pack_name(cx: &Cx<'_>, pack: Pack) -> String {
    cx.words.with(&format!("pack-{}", pack.word()), &[("count", pack.size().into())])
}

/// Draws the actions for the chosen deck.
fn deck_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DecksState, deck: &DeckView) {
    let name = &deck.name;
    panel(cx.theme).show(ui, |ui| {
        ui.set_width(ui.available_width());
        if main_button(ui, cx.theme, &cx.t("deck-audit"), true).clicked() {
            cx.cards(CardWish::Audit(name.to_owned()));
        }
        hint(ui, &cx.t("deck-replace"));
        ui.horizontal_wrapped(|ui| {
            for card in deck.pack.faces() {
                let response = button(ui, &cx.face(card), true);
                let text = cx.words.with("deck-replace-one", &[("card", cx.face(card).into())]);
                name_of(&response, Kind::Button, true, &text);
                if response.clicked() {
                    cx.cards(CardWish::Replace { name: name.to_owned(), card, copy: None });
                }
            }
        });
        field_below(ui, &cx.t("deck-path"), &mut state.path, 220.0);
        ui.horizontal_wrapped(|ui| {
            let path = state.path.trim();
            if button(ui, &cx.t("deck-export"), !path.is_empty()).clicked() {
                cx.cards(CardWish::Export(name.to_owned(), path.into()));
            }
            if asked(ui, cx, state, Grave::Remove, true) {
                cx.cards(CardWish::Remove(name.to_owned()));
            }
        });
    });
}

/// Draws the three steps to a new deck: its name and kind, its cards, its chips.
fn new_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DecksState, idle: bool) {
    heading(ui, &cx.t("deck-new"));
    let (theme, gap) = (cx.theme, cx.sizes.px(10.0));
    card_ui(ui, theme, |ui| {
        ui.set_width(ui.available_width());
        step_ui(ui, cx, "deck-step-1");
        field_below(ui, &cx.t("deck-name"), &mut state.name, cx.sizes.px(220.0));
        let packs: Vec<(Pack, String)> =
            Pack::ALL.into_iter().map(|pack| (pack, pack_name(cx, pack))).collect();
        choices(ui, cx, &mut state.pack, &packs);
        ui.add_space(gap);
        step_ui(ui, cx, "deck-step-2");
        print_ui(ui, cx, state.pack);
        ui.add_space(gap);
        step_ui(ui, cx, "deck-step-3");
        let chips = [(false, cx.t("deck-write")), (true, cx.t("deck-adopt"))];
        choice_below(ui, &mut state.adopt, &chips);
        ui.checkbox(&mut state.asked, cx.t("deck-asked"));
        ui.add_space(gap);
        let given = state.name.trim();
        let why_off = cx.why_off(&[(idle, "deck-busy"), (!given.is_empty(), "deck-nameless")]);
        let response = main_button(ui, cx.theme, &cx.t("deck-begin"), why_off.is_none());
        if because(response, why_off.as_ref()).clicked() {
            cx.cards(CardWish::Enrol {
                name: given.to_owned(),
                pack: state.pack,
                adopt: state.adopt,
                asked: state.asked,
            });
        }
        if let Some(why) = why_off {
            hint(ui, &why);
        }
    });
    ui.add_space(gap);
}

/// Writes what a step is for, in bold words that begin with its number.
fn step_ui(ui: &mut Ui, cx: &Cx<'_>, id: &str) {
    ui.label(RichText::new(cx.t(id)).font(cx.bold(16.0)));
}

/// Draws the buttons that write the cards of this kind of deck to a file for the printer.
fn print_ui(ui: &mut Ui, cx: &mut Cx<'_>, pack: Pack) {
    hint(ui, &cx.t("deck-print"));
    ui.horizontal_wrapped(|ui| {
        for (paper, name) in [(Paper::A4, "A4"), (Paper::Letter, "Letter")] {
            let response = button(ui, name, true);
            let facts = [("pack", pack_name(cx, pack).into()), ("paper", name.into())];
            name_of(&response, Kind::Button, true, &cx.words.with("deck-print-for", &facts));
            if response.clicked() {
                cx.cards(CardWish::Print(pack, paper));
            }
        }
    });
}

fn import_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DecksState) {
    heading(ui, &cx.t("deck-take"));
    ui.horizontal_wrapped(|ui| {
        field_below(ui, &cx.t("deck-file"), &mut state.import, 220.0);
        ui.vertical(|ui| {
            ui.add_space(14.0);
            let path = state.import.trim();
            if button(ui, &cx.t("deck-import"), !path.is_empty()).clicked() {
                cx.cards(CardWish::Import(path.into()));
            }
        });
    });
}

/// Explains what cards with chips are good for. Shown while no deck is being made, checked or repaired.
fn about_ui(ui: &mut Ui, cx: &Cx<'_>) {
    panel(cx.theme).show(ui, |ui| {
        ui.set_width(ui.available_width());
        heading(ui, &cx.t("decks-about"));
        for line in ["decks-about-1", "decks-about-2", "decks-about-3", "decks-about-4"] {
            ui.label(cx.t(line));
            ui.add_space(6.0);
        }
    });
}

// ---- a deck that is worked on ----

fn work_ui(ui: &mut Ui, cx: &mut Cx<'_>, work: &WorkView, state: &mut DecksState) {
    panel(cx.theme).show(ui, |ui| {
        ui.set_width(ui.available_width());
        heading(ui, &harmless(&work.deck));
        if let WorkStep::Over(verdict) = &work.step {
            verdict_ui(ui, cx, work, verdict);
            return;
        }
        ui.label(
            RichText::new(wanted(cx, &work.step, work.progress.1))
                .font(cx.bold(20.0))
                .color(cx.theme.gold_ink),
        );
        let (done, all) = work.progress;
        if all > 1 {
            ui.label(cx.words.with("deck-progress", &[("done", done.into()), ("all", all.into())]));
            #[expect(clippy::cast_precision_loss, reason = "at most 112")]
            let part = done as f32 / all as f32;
            ui.add(ProgressBar::new(part).desired_height(8.0));
        }
        if let Some(told) = &work.problem {
            ui.label(RichText::new(cx.say(told)).color(cx.theme.bad));
        }
        state_ui(ui, cx);
        faces_ui(ui, cx, work);
        audit_ui(ui, cx, work);
        leave_ui(ui, cx, work, state);
        to_come_ui(ui, cx, work);
    });
}

fn wanted(cx: &Cx<'_>, step: &WorkStep, all: usize) -> String {
    let with = |id: &str, card: CardFace| cx.words.with(id, &[("card", cx.face(card).into())]);
    match step {
        WorkStep::Tap(None) => cx.t("step-tap"),
        WorkStep::Tap(Some(card)) => with("step-tap-card", *card),
        WorkStep::Write => cx.t("step-write"),
        WorkStep::Face => cx.t("step-face"),
        WorkStep::Keep => cx.words.with("step-keep", &[("count", all.into())]),
        WorkStep::Check => cx.t("step-check"),
        WorkStep::Audit => cx.t("step-audit"),
        WorkStep::Others(card) => with("step-others", *card),
        WorkStep::New => cx.t("step-new"),
        WorkStep::Over(_) => String::new(),
    }
}

/// Draws the buttons that enter the face of the card on the reader, and the button that takes back the last card.
fn faces_ui(ui: &mut Ui, cx: &mut Cx<'_>, work: &WorkView) {
    let making = matches!(work.step, WorkStep::Tap(_) | WorkStep::Write | WorkStep::Face | WorkStep::Keep);
    if !making {
        return;
    }
    let asks = work.step == WorkStep::Face;
    ui.horizontal_wrapped(|ui| {
        for card in work.pack.faces() {
            let command = FACES.into_iter().find(|(face, _)| card.piece() == Some(*face));
            let command = command.map(|(_, command)| command);
            let text = cx.face(card) + &command.map(|command| cx.hint(command)).unwrap_or_default();
            let there = work.missing.iter().any(|(missing, _)| *missing == card);
            let key = command.is_some_and(|command| cx.takes(command));
            if button(ui, &text, asks && there).clicked() || (key && asks) {
                cx.cards(CardWish::Face(card));
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        let some = work.progress.0 > 0 || matches!(work.step, WorkStep::Face | WorkStep::Write);
        let text = cx.t("deck-undo") + &cx.hint(Command::Undo);
        if button(ui, &text, some).clicked() || (cx.takes(Command::Undo) && some) {
            cx.cards(CardWish::Undo);
        }
        if work.step == WorkStep::Keep && main_button(ui, cx.theme, &cx.t("deck-keep"), true).clicked() {
            cx.cards(CardWish::Keep);
        }
    });
    if let Some(last) = work.last {
        ui.label(cx.words.with("deck-last", &[("card", cx.face(last).into())]));
    }
}

fn audit_ui(ui: &mut Ui, cx: &mut Cx<'_>, work: &WorkView) {
    if !matches!(work.step, WorkStep::Check | WorkStep::Audit) {
        return;
    }
    let (seen, all) = work.progress;
    let line = if seen == all { "audit-all" } else { "audit-line" };
    hint(ui, &cx.words.with(line, &[("count", all.into())]));
    if main_button(ui, cx.theme, &cx.t("deck-finish"), true).clicked() {
        cx.cards(CardWish::Finish);
    }
}

/// Draws the button that leaves the work on a deck. For an unfinished deck the button asks for confirmation.
fn leave_ui(ui: &mut Ui, cx: &mut Cx<'_>, work: &WorkView, state: &mut DecksState) {
    let lost = !work.missing.is_empty() && work.progress.0 > 0 || work.step == WorkStep::Keep;
    // If the deck has been finished in the meantime, the question is dropped, so that it is not asked about
    // the next deck.
    state.asks.take_if(|asks| !lost && *asks == Grave::Leave);
    ui.horizontal_wrapped(|ui| {
        if asked(ui, cx, state, Grave::Leave, lost) {
            cx.cards(CardWish::Stop);
        }
    });
}

/// Draws a button for the action `what`. If `grave`, the button asks for confirmation. Returns whether to carry out the
/// action now.
fn asked(ui: &mut Ui, cx: &Cx<'_>, state: &mut DecksState, what: Grave, grave: bool) -> bool {
    let (text, sure) = match what {
        Grave::Remove => ("deck-remove", "deck-remove-sure"),
        Grave::Leave => ("deck-leave", "deck-leave-sure"),
    };
    if !(grave && state.asks == Some(what)) {
        let clicked = if grave {
            grave_button(ui, cx.theme, &cx.t(text), true).clicked()
        } else {
            button(ui, &cx.t(text), true).clicked()
        };
        if clicked {
            state.asks = grave.then_some(what);
        }
        return clicked && !grave;
    }
    ui.label(cx.t(sure));
    let yes = grave_button(ui, cx.theme, &cx.t("yes"), true).clicked();
    if yes || button(ui, &cx.t("no"), true).clicked() {
        state.asks = None;
    }
    yes
}

/// Lists how many cards of each face are still missing.
fn to_come_ui(ui: &mut Ui, cx: &Cx<'_>, work: &WorkView) {
    if work.missing.is_empty() {
        return;
    }
    ui.add_space(6.0);
    hint(ui, &cx.t("deck-to-come"));
    Grid::new("to-come").spacing([24.0, 4.0]).show(ui, |ui| {
        for (card, count) in &work.missing {
            ui.label(cx.face(*card));
            ui.label(count.to_string());
            ui.end_row();
        }
    });
}

/// Draws the result of checking a deck, and what to do about missing and wrong cards.
fn verdict_ui(ui: &mut Ui, cx: &mut Cx<'_>, work: &WorkView, verdict: &DeckAudit) {
    if verdict.is_complete() {
        let whole = RichText::new(cx.t("verdict-whole")).font(cx.bold(20.0)).color(cx.theme.good);
        ui.label(whole);
    }
    if verdict.wrong > 0 {
        let text = cx.words.with("verdict-wrong", &[("count", verdict.wrong.into())]);
        ui.label(RichText::new(text).color(cx.theme.bad));
    }
    if !verdict.missing.is_empty() {
        ui.label(RichText::new(cx.t("verdict-missing")).color(cx.theme.bad));
        ui.horizontal_wrapped(|ui| {
            for (card, copy) in &verdict.missing {
                let facts = [("card", cx.face(*card).into()), ("copy", (*copy).into())];
                if button(ui, &cx.words.with("replace-missing", &facts), true).clicked() {
                    let (name, card, copy) = (work.deck.clone(), *card, Some(*copy));
                    cx.cards(CardWish::Replace { name, card, copy });
                }
            }
        });
    }
    if main_button(ui, cx.theme, &cx.t("deck-close"), true).clicked() {
        cx.cards(CardWish::Stop);
    }
}
