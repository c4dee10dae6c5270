//! Draws the card readers that are plugged in, who uses each reader, and which deck the table uses.

use egui::{Checkbox, RichText, Role as Kind, Ui};
use tabiya_app::desk::CardWish;
use tabiya_app::snapshot::TableView;
use tabiya_app::view::{Owner, ReaderView, WorkStep, WorkView};
use tabiya_types::{Pack, Seat, harmless};

use super::cx::Cx;
use super::widgets::{button, heading, hint, name, panel};

/// Draws the part of a screen that shows the card readers.
pub(super) fn readers_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let cards = cx.snapshot.cards.clone();
    heading(ui, &cx.t("readers"));
    let table = cx.snapshot.table.clone();
    let pack = table.as_ref().and_then(|view| view.agreement.agreed.pack());
    let table = table.filter(|_| pack.is_some());
    let mut deck = cards.in_play.clone();
    if table.is_some() && deck_ui(ui, cx, pack.as_slice(), &mut deck) {
        cx.cards(CardWish::Play(deck));
    }
    let mut deals = cards.deals;
    let deals_box = Checkbox::new(&mut deals, cx.t("readers-deals"));
    // The reading of dealt cards can be switched on, but not off again: of each street, either all cards must be read
    // or none.
    if cards.in_play.is_some() && ui.add_enabled(!cards.deals, deals_box).changed() {
        cx.cards(CardWish::ReadDeals);
    }
    // The readers stay on while the table has a deck or a deck is being made.
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

/// Shows the state of the readers in one sentence, unless all is well.
pub(super) fn state_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let cards = &cx.snapshot.cards;
    if !cards.listening {
        return;
    }
    match &cards.trouble {
        Some(trouble) => drop(ui.label(RichText::new(trouble).color(cx.theme.bad))),
        None if !cards.ready => hint(ui, &cx.t("readers-looking")),
        None if cards.readers.is_empty() => {
            ui.label(RichText::new(cx.t("readers-none")).color(cx.theme.gold_ink));
        }
        None => {}
    }
}

/// Draws the decks of these kinds to choose from, and "none". Returns whether the choice was changed.
pub(super) fn deck_ui(ui: &mut Ui, cx: &Cx<'_>, packs: &[Pack], chosen: &mut Option<String>) -> bool {
    let fitting = cx.snapshot.cards.decks.iter().filter(|deck| packs.contains(&deck.pack));
    let mut names: Vec<String> = fitting.map(|deck| deck.name.clone()).collect();
    // A chosen deck that is missing or damaged is listed too, so that another one can be chosen.
    let known = |name: &String| cx.snapshot.cards.decks.iter().any(|deck| deck.name == *name);
    names.extend(chosen.clone().filter(|name| !known(name)));
    if names.is_empty() {
        return false;
    }
    let before = chosen.clone();
    ui.horizontal_wrapped(|ui| {
        ui.label(cx.t("deck-in-use"));
        ui.radio_value(chosen, None, cx.t("deck-none"));
        for name in names {
            let text = harmless(&name);
            ui.radio_value(chosen, Some(name), text);
        }
    });
    *chosen != before
}

/// Draws one reader. `table` is given if several readers are plugged in. Buttons then let people choose who uses this
/// reader.
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

/// The name of the player in a seat.
fn name_of(view: &TableView, seat: Seat) -> String {
    let colors = tabiya_types::Color::ALL.into_iter();
    colors.filter(|color| view.seats[*color] == seat).map(|color| view.names[color].clone()).collect()
}
