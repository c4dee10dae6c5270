//! The start screen. Here users carry on a match or agree on a new match, with the terms on the left and the match
//! sheet on the right.

mod form;
mod terms;

use egui::{Button, RichText, ScrollArea, Ui, vec2};
use tabiya_app::desk::{NewMatch, Position, Wish, turns_cards_over, upright};
use tabiya_app::presets;
use tabiya_app::snapshot::Coin;
use tabiya_app::store::evening::Unfinished;
use tabiya_app::store::settings::OwnPreset;
use tabiya_engine::rules::{GAMES, fen_of};
use tabiya_types::{Seat, Sentence, harmless};

pub(super) use self::form::Form;
use super::cx::Cx;
use super::readers::deck_ui;
use super::widgets::{button, columns, date, field_below, heading, hint, main_button, panel};

/// What the start screen remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct StartState {
    form: Option<Form>,
    /// The name for saving the terms as a preset.
    name: String,
    /// The path for saving the match sheet.
    path: String,
    /// The last coin toss that was applied to the form.
    coin: Option<Coin>,
}

/// Draws the start screen.
pub(super) fn start_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut StartState) {
    let form = state.form.get_or_insert_with(|| Form::of_settings(cx.settings));
    if cx.snapshot.coin != state.coin {
        state.coin = cx.snapshot.coin;
        form.white = state.coin.map_or(form.white, |coin| coin.seat);
    }
    let sheet = (ui.available_width() * 0.34).clamp(280.0, 460.0) / ui.available_width();
    let (name, path) = (&mut state.name, &mut state.path);
    columns(
        ui,
        1.0 - sheet,
        &mut (cx, form),
        |ui, (cx, form)| {
            ScrollArea::vertical().id_salt("start").auto_shrink(false).show(ui, |ui| {
                unfinished_ui(ui, cx, form.deck.as_deref());
                panel(cx.theme).show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    game_ui(ui, cx, form);
                    players_ui(ui, cx, form);
                    if turns_cards_over(&form.game) {
                        deck_ui(ui, cx, &mut form.deck);
                    }
                    ui.separator();
                    terms::terms_ui(ui, cx, form);
                    own_preset_ui(ui, cx, form, name);
                });
            });
        },
        |ui, (cx, form)| sheet_ui(ui, cx, form, path),
    );
}

fn unfinished_ui(ui: &mut Ui, cx: &mut Cx<'_>, deck: Option<&str>) {
    let unfinished: Vec<Unfinished> = cx.snapshot.evening.unfinished.iter().take(3).cloned().collect();
    if unfinished.is_empty() {
        return;
    }
    panel(cx.theme).show(ui, |ui| {
        ui.set_width(ui.available_width());
        heading(ui, &cx.t("carry-on"));
        for left in unfinished {
            ui.horizontal_wrapped(|ui| {
                let facts = [
                    ("a", left.players.a.clone().into()),
                    ("b", left.players.b.clone().into()),
                    ("game", cx.words.word("game", &left.game).into()),
                    ("number", left.number.into()),
                    ("begun", left.begun.as_deref().map(date).unwrap_or_default().into()),
                ];
                let text = cx.words.with("carry-on-match", &facts);
                if main_button(ui, cx.theme, &text, true).clicked() {
                    let deck = deck.map(str::to_owned);
                    cx.wish(Wish::CarryOn {
                        path: left.path.clone(),
                        id: left.id,
                        deck: deck.filter(|_| turns_cards_over(&left.game)),
                        pgn: None,
                    });
                }
            });
        }
    });
    ui.add_space(8.0);
}

fn game_ui(ui: &mut Ui, cx: &mut Cx<'_>, form: &mut Form) {
    heading(ui, &cx.t("new-match"));
    ui.horizontal_wrapped(|ui| {
        for game in GAMES.iter().map(|kind| kind.name()) {
            let text = RichText::new(cx.words.word("game", game)).font(cx.bold(16.0));
            let chosen = form.game == game;
            if ui.add(Button::selectable(chosen, text).min_size(vec2(110.0, 40.0))).clicked() && !chosen {
                form.change_game(game, cx.settings);
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        for name in presets::names(&form.game) {
            let chosen = form.preset_in_force() == Some(name);
            let text = cx.words.word("preset", name);
            if ui.add(Button::selectable(chosen, text).min_size(vec2(0.0, 32.0))).clicked() {
                form.take_preset(name);
            }
        }
        let own: Vec<OwnPreset> =
            cx.settings.presets.iter().filter(|own| own.game == form.game).cloned().collect();
        for own in own {
            if ui
                .add(
                    Button::selectable(form.own.as_deref() == Some(&own.name), &own.name)
                        .min_size(vec2(0.0, 32.0)),
                )
                .clicked()
            {
                form.take(&own);
            }
        }
    });
    let explained = match (form.preset_in_force(), &form.own) {
        (Some(name), _) => cx.words.word("preset-line", name),
        (None, Some(name)) => cx.words.with("preset-line-own", &[("name", name.clone().into())]),
        (None, None) => cx.t("preset-line-none"),
    };
    hint(ui, &explained);
}

fn players_ui(ui: &mut Ui, cx: &mut Cx<'_>, form: &mut Form) {
    ui.horizontal_wrapped(|ui| {
        for (seat, label) in [(Seat::A, "player-a"), (Seat::B, "player-b")] {
            ui.vertical(|ui| {
                field_below(ui, &cx.t(label), &mut form.players[seat], 170.0);
                // A pasted text may contain line breaks, but a name must be one line.
                form.players[seat].retain(|sign| !sign.is_control());
                known_names_ui(ui, cx, seat, &mut form.players[seat]);
            });
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.label(cx.t("white-first"));
        for seat in Seat::ALL {
            let text = cx.words.with("white-is", &[("name", shown_name(form, seat).into())]);
            ui.radio_value(&mut form.white, seat, text);
        }
        if button(ui, &cx.t("toss"), true).clicked() {
            cx.wish(Wish::Toss);
        }
        // The result of the toss is shown only until a user chooses the other player for White.
        if let Some(seat) = cx.snapshot.coin.map(|coin| coin.seat).filter(|seat| *seat == form.white) {
            let text = cx.words.with("coin-says", &[("name", shown_name(form, seat).into())]);
            ui.label(RichText::new(text).font(cx.bold(15.0)).color(cx.theme.accent));
        }
    });
}

/// A player's name as the screen shows it. If no name is typed, the letter of the seat (`A` or `B`).
fn shown_name(form: &Form, seat: Seat) -> String {
    let written = harmless(form.players[seat].trim());
    if written.is_empty() { seat.word().to_owned() } else { written }
}

/// Draws a menu with the names of players of earlier matches. A chosen name is filled in for this seat.
fn known_names_ui(ui: &mut Ui, cx: &Cx<'_>, seat: Seat, name: &mut String) {
    if cx.settings.names.is_empty() {
        return;
    }
    let text = cx.words.with("known-names", &[("seat", seat.word().into())]);
    ui.menu_button(RichText::new(text).small(), |ui| {
        for known in cx.settings.names.iter().take(12) {
            if ui.button(known).clicked() {
                name.clone_from(known);
                ui.close();
            }
        }
    });
}

fn own_preset_ui(ui: &mut Ui, cx: &mut Cx<'_>, form: &mut Form, name: &mut String) {
    ui.separator();
    ui.horizontal_wrapped(|ui| {
        field_below(ui, &cx.t("preset-name"), name, 170.0);
        let given = name.trim().to_owned();
        if button(ui, &cx.t("keep-preset"), !given.is_empty()).clicked() {
            let own = OwnPreset { name: given.clone(), game: form.game.clone(), terms: form.terms() };
            cx.set(|settings| {
                settings.presets.retain(|known| known.name != given || known.game != own.game);
                settings.presets.push(own);
            });
            (form.own, form.preset) = (Some(name.trim().to_owned()), None);
            name.clear();
        }
        if let Some(own) = form.own.clone()
            && button(ui, &cx.words.with("forget-preset", &[("name", own.clone().into())]), true).clicked()
        {
            let game = form.game.clone();
            cx.set(|settings| settings.presets.retain(|known| known.name != own || known.game != game));
            form.own = None;
        }
    });
}

/// Draws the match sheet as the players would sign it, and the button that begins the match.
fn sheet_ui(ui: &mut Ui, cx: &mut Cx<'_>, form: &mut Form, path: &mut String) {
    let new: NewMatch = form.new_match();
    let sheet = as_it_stands(cx, &new).sheet();
    let height = ui.available_height();
    ScrollArea::vertical().id_salt("sheet").auto_shrink(false).show(ui, |ui| {
        panel(cx.theme).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.set_min_height(height - 28.0);
            let begin = cx.t("begin");
            if main_button(ui, cx.theme, &begin, sheet.is_ok()).clicked() {
                cx.wish(Wish::Begin(Box::new(new.clone())));
            }
            heading(ui, &cx.t("match-sheet"));
            match &sheet {
                Ok(lines) => {
                    for line in lines {
                        ui.label(cx.say(line));
                    }
                    ui.add_space(10.0);
                    sheet_files_ui(ui, cx, lines, path);
                }
                Err(sentence) => {
                    ui.label(cx.t("terms-wrong"));
                    // If a time control has a fault, show the sentence that quotes the text from the form, as the user
                    // typed it. The other sentence quotes the text that a record would contain.
                    let sentence =
                        form.time_fault().map_or_else(|| sentence.clone(), |fault| fault.to_string());
                    ui.label(RichText::new(sentence).color(cx.theme.bad));
                }
            }
        });
    });
}

/// Draws the buttons that copy, print and save the match sheet.
fn sheet_files_ui(ui: &mut Ui, cx: &mut Cx<'_>, lines: &[Sentence], path: &mut String) {
    ui.horizontal_wrapped(|ui| {
        if button(ui, &cx.t("copy"), true).clicked() {
            ui.ctx().copy_text(sheet_text(cx, lines));
        }
        if button(ui, &cx.t("print"), true).clicked() {
            cx.wish(Wish::Print(sheet_text(cx, lines)));
        }
    });
    field_below(ui, &cx.t("sheet-path"), path, (ui.available_width() - 20.0).min(240.0));
    if button(ui, &cx.t("save"), !path.trim().is_empty()).clicked() {
        cx.wish(Wish::SaveText(sheet_text(cx, lines), path.trim().into()));
    }
}

/// The new match. If the match is to begin from the position on the board, this contains the position that the board
/// shows now.
fn as_it_stands(cx: &Cx<'_>, new: &NewMatch) -> NewMatch {
    let position = match (&new.position, &cx.snapshot.board.seen) {
        (Position::AsItStands(to_move), Some(seen)) => Position::Fen(fen_of(&upright(seen), *to_move)),
        (position, _) => position.clone(),
    };
    NewMatch { position, ..new.clone() }
}

/// The match sheet as text for printing or saving.
fn sheet_text(cx: &Cx<'_>, lines: &[Sentence]) -> String {
    lines.iter().map(|line| cx.say(line) + "\n").collect()
}
