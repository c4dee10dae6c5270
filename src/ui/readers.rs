//! Card readers: which are there, whose each is, and the deck that the table is played with.

use egui::{Checkbox, RichText, Role as Kind, Ui};
use tabiya_app::cards_view::{ReaderView, WorkStep, WorkView};
use tabiya_app::desk::{CardWish, turns_cards_over};
use tabiya_app::session::Owner;
use tabiya_app::snapshot::TableView;
use tabiya_types::{Seat, harmless};

use super::cx::Cx;
use super::widgets::{button, heading, hint, name, panel};

/// Draws the readers' part of a screen.
pub(super) fn readers_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let cards = cx.snapshot.cards.clone();
    heading(ui, &cx.t("readers"));
    let table = cx.snapshot.table.clone().filter(|view| turns_cards_over(view.agreement.game));
    let mut deck = cards.in_play.clone();
    if table.is_some() && deck_ui(ui, cx, &mut deck) {
        cx.cards(CardWish::Play(deck));
    }
    let mut deals = cards.deals;
    let deals_box = Checkbox::new(&mut deals, cx.t("readers-deals"));
    // A street of which some cards were read and others not would be none.
    if cards.in_play.is_some() && ui.add_enabled(!cards.deals, deals_box).changed() {
        cx.cards(CardWish::ReadDeals);
    }
    // A table with a deck and a deck that is made need them, whoever looks.
    let at_work = |work: &WorkView| !matches!(work.step, WorkStep::Over(_));
    let free = cards.in_play.is_none() && !cards.work.as_ref().is_some_and(at_work);
    let mut on = cards.listening;
    let on_box = Checkbox::new(&mut on, cx.t("readers-on"));
    if ui.add_enabled(free, on_box).changed() {
        cx.cards(CardWish::Listen(on));
    }
    state_ui(ui, cx);
    let several = cards.readers.len() > 1;
    for reader in &cards.readers {
        reader_ui(ui, cx, reader, table.as_deref().filter(|_| several));
    }
}

/// How the readers stand, in one sentence, unless all is well.
pub(super) fn state_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let cards = &cx.snapshot.cards;
    if !cards.listening {
        return;
    }
    match &cards.trouble {
        Some(trouble) => drop(ui.label(RichText::new(trouble).color(cx.theme.bad))),
        None if !cards.ready => hint(ui, &cx.t("readers-looking")),
        None if cards.readers.is_empty() => {
            ui.label(RichText::new(cx.t("readers-none")).color(cx.theme.accent));
        }
        None => {}
    }
}

/// The decks to choose from, and none. Whether another one was chosen.
pub(super) fn deck_ui(ui: &mut Ui, cx: &Cx<'_>, chosen: &mut Option<String>) -> bool {
    let decks = &cx.snapshot.cards.decks;
    let mut names: Vec<String> = decks.iter().map(|deck| deck.name.clone()).collect();
    // One that is gone or damaged can be seen to be chosen, and left.
    names.extend(chosen.clone().filter(|name| !names.contains(name)));
    if names.is_empty() {
        return false;
    }
    let before = chosen.clone();
    ui.horizontal_wrapped(|ui| {
        ui.label(cx.t("deck"));
        ui.radio_value(chosen, None, cx.t("deck-none"));
        for name in names {
            let text = harmless(&name);
            ui.radio_value(chosen, Some(name), text);
        }
    });
    *chosen != before
}

/// One reader, and at a table with several of them whose it shall be.
fn reader_ui(ui: &mut Ui, cx: &mut Cx<'_>, reader: &ReaderView, table: Option<&TableView>) {
    let called = harmless(&reader.name);
    panel(cx.theme).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(&called).font(cx.bold(14.0)));
        if let Some(trouble) = &reader.trouble {
            ui.label(RichText::new(trouble).color(cx.theme.bad));
        }
        if let Some(owner) = reader.owner {
            hint(ui, &owned(cx, owner));
        }
        let Some((view, owner)) = table.zip(reader.owner) else { return };
        ui.horizontal_wrapped(|ui| {
            for seat in Seat::ALL {
                let player = name_of(view, seat);
                let text = cx.words.with("reader-give", &[("name", player.into())]);
                let response = button(ui, &text, owner != Owner::Seat(seat));
                name(&response, Kind::Button, owner != Owner::Seat(seat), &format!("{text}: {called}"));
                if response.clicked() {
                    cx.cards(CardWish::Give(reader.name.clone(), Some(seat)));
                }
            }
            let text = cx.t("reader-forget");
            let taken = matches!(owner, Owner::Seat(_) | Owner::Dealer);
            let response = button(ui, &text, taken);
            name(&response, Kind::Button, taken, &format!("{text}: {called}"));
            if response.clicked() {
                cx.cards(CardWish::Give(reader.name.clone(), None));
            }
        });
    });
}

fn owned(cx: &Cx<'_>, owner: Owner) -> String {
    match (owner, &cx.snapshot.table) {
        (Owner::Seat(seat), Some(view)) => {
            cx.words.with("reader-owned", &[("name", name_of(view, seat).into())])
        }
        (Owner::Both, _) => cx.t("reader-shared"),
        (Owner::Dealer, _) => cx.t("reader-dealers"),
        (Owner::Nobody | Owner::Seat(_), _) => cx.t("reader-nobodys"),
    }
}

/// Who sits there.
fn name_of(view: &TableView, seat: Seat) -> String {
    let colors = tabiya_types::Color::ALL.into_iter();
    colors.filter(|color| view.seats[*color] == seat).map(|color| view.names[color].clone()).collect()
}
