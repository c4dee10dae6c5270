//! The start screen. Here users carry on a match or agree on a new one: on the left the game, the players, the time and
//! the terms, on the right what follows from them and the button that begins the match.

mod card_file;
mod duration;
mod form;
mod plain;
mod players;
mod several;
mod sheet;
mod stages;
mod summary;
mod terms;
pub(crate) mod tiles;
mod times;

use egui::{Align2, Color32, FontId, Popup, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};
use tabiya_app::desk::{Wish, packs_of};
use tabiya_app::snapshot::{Coin, DrawnPosition, Shuffled};
use tabiya_engine::rules::presets;
use tabiya_store::evening::Unfinished;
use tabiya_store::settings::OwnPreset;
use tabiya_types::{Seat, harmless};

pub(super) use self::card_file::card_file_line;
pub(super) use self::form::Form;
pub use self::several::SeveralAsk;
use self::sheet::{SheetState, side_ui, strip_ui};
use self::times::TimeDraft;
use super::cx::Cx;
use super::keys::Command;
use super::kit::button::{ButtonFace, Kind, button_at};
use super::kit::group::TabGroup;
use super::kit::icon::Icon;
use super::kit::panel::ground;
use super::kit::{cut_bottom, cut_top, rows, split, write};
use super::readers::deck_ui;
use super::theme::{GRID, bold_font};
use super::widgets::{button, date, field_below, heading, hint, label};

/// A window that is narrower than this, in rem, has one column.
const NARROW: f32 = 60.0;
/// The shares of the two columns.
const COLUMNS: [f32; 2] = [788.0, 432.0];
/// How many presets stand in their row; the others are in the panel of rules.
const PRESETS: usize = 5;

/// What the start screen remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct StartState {
    form: Option<Form>,
    /// The name for saving the terms as a preset.
    name: String,
    /// What covers the left column, if anything.
    cover: Option<Cover>,
    sheet: SheetState,
    /// The last coin toss that was applied to the form.
    coin: Option<Coin>,
    /// The last random deal that was filled into the form.
    shuffled: Option<Shuffled>,
    /// The last start position that was drawn and filled into the form, and whether another one was asked for.
    drawn: Option<DrawnPosition>,
    asked_position: bool,
}

/// A panel over the left column.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Cover {
    /// Another time control.
    Time(TimeDraft),
    /// The other rules.
    Rules,
    /// Several boards on this computer; the name of a file that is typed.
    Several(String),
}

/// Draws the start screen.
pub(super) fn start_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut StartState) {
    let form = state.form.get_or_insert_with(|| Form::of_settings(cx.settings));
    if cx.snapshot.coin != state.coin {
        state.coin = cx.snapshot.coin;
        form.white = state.coin.map_or(form.white, |coin| coin.seat);
    }
    if cx.snapshot.shuffled != state.shuffled {
        state.shuffled.clone_from(&cx.snapshot.shuffled);
        if let Some(shuffled) = &state.shuffled {
            form.deal = shuffled.cards.join(" ");
        }
    }
    position_drawn(cx, form, &mut state.drawn, &mut state.asked_position);
    let mut area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let narrow = area.width() / cx.sizes.rem < NARROW;
    let left = if narrow {
        let strip = cut_bottom(&mut area, cx.sizes.px(58.0), cx.sizes.px(8.0));
        strip_ui(ui, cx, strip, form, &mut state.sheet, state.cover.is_some());
        area
    } else {
        let [left, right] = split(area, &COLUMNS, cx.sizes.px(20.0)).try_into().unwrap_or([area; 2]);
        side_ui(ui, cx, right, form, &mut state.sheet, state.cover.is_some());
        left
    };
    let closed = match &mut state.cover {
        None => {
            left_ui(ui, cx, left, form, &mut state.cover, narrow);
            false
        }
        Some(Cover::Time(draft)) => times::custom_ui(ui, cx, left, form, draft),
        Some(Cover::Rules) => rules_ui(ui, cx, left, form, &mut state.name),
        Some(Cover::Several(path)) => several::several_ui(ui, cx, left, path),
    };
    if closed {
        state.cover = None;
    }
}

/// Fills the start position that was drawn into the form, and asks for one where Chess960 has none yet.
fn position_drawn(cx: &mut Cx<'_>, form: &mut Form, last: &mut Option<DrawnPosition>, asked: &mut bool) {
    if cx.snapshot.drawn != *last {
        *last = cx.snapshot.drawn;
        form.number = last.map(|drawn| drawn.number.into());
        *asked = false;
    }
    if form.draws_position() && form.number.is_none() && !*asked {
        *asked = true;
        cx.wish(Wish::DrawPosition);
    }
}

/// Draws the left column. At usual sizes nothing of it scrolls: the tiles of the games take what is left.
fn left_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    area: Rect,
    form: &mut Form,
    cover: &mut Option<Cover>,
    narrow: bool,
) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let gap = px(if narrow { 8.0 } else { 14.0 });
    let carry = px(44.0) + gap;
    let presets = presets_height(form);
    let heights = [players::height(narrow), times::HEIGHT, presets, 44.0];
    let decks = if asks_for_a_deck(cx, form) { px(40.0) + gap } else { 0.0 };
    let fixed: f32 = heights.iter().map(|height| px(*height) + gap).sum::<f32>() + carry + decks;
    let tiles = tiles::height(cx, area.height() - fixed);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(area));
    inner.shrink_clip_rect(area.expand(4.0));
    ScrollArea::vertical().id_salt("start").auto_shrink(false).show(&mut inner, |ui| {
        let whole = vec2(ui.available_width(), (fixed + tiles).max(area.height().floor() - 1.0));
        let (mut rest, _) = ui.allocate_exact_size(whole, Sense::hover());
        let row = cut_top(&mut rest, px(44.0), gap);
        if offered(cx).next().is_none() {
            demonstration_ui(ui, cx, row);
        } else {
            unfinished_ui(ui, cx, row, form.deck.as_deref());
        }
        let place = cut_top(&mut rest, tiles, gap);
        tiles::tiles_ui(ui, cx, place, form);
        let mut part = |height: f32| cut_top(&mut rest, px(height), gap);
        players::players_ui(ui, cx, part(players::height(narrow)), form, narrow);
        times::times_ui(ui, cx, part(times::HEIGHT), form, cover);
        presets_ui(ui, cx, part(presets), form);
        if decks > 0.0 {
            let row = part(40.0);
            ui.scope_builder(UiBuilder::new().max_rect(row), |ui| {
                deck_ui(ui, cx, packs_of(&form.game), &mut form.deck)
            });
        }
        more_ui(ui, cx, part(44.0), form, cover);
    });
}

/// Whether there are decks with chips for the game.
fn asks_for_a_deck(cx: &Cx<'_>, form: &Form) -> bool {
    let packs = packs_of(&form.game);
    let fits = cx.snapshot.cards.decks.iter().any(|deck| packs.contains(&deck.pack));
    fits || fitting_deck(cx, &form.game, form.deck.as_deref()).is_some()
}

/// This deck if the game can be played with it. A deck that is missing or damaged is kept: beginning the match says so.
fn fitting_deck(cx: &Cx<'_>, game: &str, deck: Option<&str>) -> Option<String> {
    let (packs, decks) = (packs_of(game), &cx.snapshot.cards.decks);
    let other = |name: &str| decks.iter().any(|deck| deck.name == name && !packs.contains(&deck.pack));
    deck.filter(|name| !packs.is_empty() && !other(name)).map(str::to_owned)
}

/// Writes the title of a part.
fn label_line(ui: &Ui, cx: &Cx<'_>, place: Rect, id: &str, text: &str) {
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    write(ui.painter(), place.left_center(), Align2::LEFT_CENTER, text, font, place.width());
    label(ui, place, id, text);
}

/// Writes a sentence in at most two rows.
fn paragraph(ui: &Ui, cx: &Cx<'_>, place: Rect, id: &str, text: &str, ink: Color32) {
    let usual = rows(ui.painter(), text, (FontId::proportional(cx.sizes.rem), ink), place.width(), 2);
    let words = if usual.rows.len() > 1 {
        rows(ui.painter(), text, (FontId::proportional(cx.sizes.small()), ink), place.width(), 2)
    } else {
        usual
    };
    ui.painter().galley(place.min, words, ink);
    label(ui, place, id, text);
}

/// The matches that can be carried on and that nobody has put aside. Those stay in the list of records.
fn offered<'a>(cx: &'a Cx<'_>) -> impl Iterator<Item = &'a Unfinished> {
    let aside = |left: &&Unfinished| cx.settings.put_aside.contains(&(left.path.clone(), left.id));
    cx.snapshot.evening.unfinished.iter().filter(move |left| !aside(left))
}

/// Offers the newest match that can be carried on; the others are behind one button.
fn unfinished_ui(ui: &mut Ui, cx: &mut Cx<'_>, row: Rect, deck: Option<&str>) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let all: Vec<Unfinished> = offered(cx).cloned().collect();
    let Some(newest) = all.first() else { return };
    ground(ui.painter(), cx.theme, row);
    let mut line = row.shrink2(vec2(px(12.0), px(4.0)));
    let mut at_right = |width: f32| {
        let place = line.with_min_x(line.right() - px(width));
        line.max.x = place.left() - px(8.0);
        place
    };
    let aside = at_right(36.0);
    let more = (all.len() > 1).then(|| at_right(110.0));
    let go = at_right(104.0);
    let (names, about) = words_of(cx, newest);
    let said = format!("{names}: {about}");
    // The Tab key meets first what people mostly want, and the cross last.
    let text = cx.t("carry-on");
    let face = ButtonFace::new(Kind::Plain, &text).said(format!("{said} – {text}"));
    if button_at(ui, cx, go, "carry-on", &face).clicked() {
        carry_on(cx, newest, deck);
    }
    if let Some(more) = more {
        others_ui(ui, cx, more, &all, deck);
    }
    let face = ButtonFace::new(Kind::Bare, "").icon(Icon::Cross).said(cx.t("put-aside"));
    if button_at(ui, cx, aside, "put-aside", &face).clicked() {
        let place = (newest.path.clone(), newest.id);
        cx.set(move |settings| settings.put_aside(place));
    }
    let side = px(18.0);
    let mark = Rect::from_min_size(pos2(line.left(), line.center().y - side / 2.0), vec2(side, side));
    Icon::Clock.draw(ui.painter(), mark, cx.theme.text);
    let at = pos2(mark.right() + px(10.0), line.center().y);
    let font = (bold_font(cx.sizes.rem), cx.theme.text);
    let end = write(ui.painter(), at, Align2::LEFT_CENTER, &names, font, line.right() - at.x).right();
    let at = pos2(end + px(8.0), line.center().y);
    let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
    write(ui.painter(), at, Align2::LEFT_CENTER, &about, font, line.right() - at.x);
}

/// The button that opens the list of the other matches.
fn others_ui(ui: &mut Ui, cx: &mut Cx<'_>, more: Rect, all: &[Unfinished], deck: Option<&str>) {
    let text = cx.words.with("more-matches", &[("count", (all.len() - 1).into())]);
    let face = ButtonFace::new(Kind::Bare, &text).icon(Icon::Down);
    let response = button_at(ui, cx, more, "more", &face);
    Popup::menu(&response).show(|ui| {
        ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
            for left in all.iter().skip(1) {
                let (names, about) = words_of(cx, left);
                if ui.button(format!("{names}: {about}")).clicked() {
                    carry_on(cx, left, deck);
                    ui.close();
                }
            }
        });
    });
}

/// Offers a game that plays itself, to those who have no match to carry on.
fn demonstration_ui(ui: &mut Ui, cx: &mut Cx<'_>, row: Rect) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    ground(ui.painter(), cx.theme, row);
    let mut line = row.shrink2(vec2(px(12.0), px(4.0)));
    let go = Rect::from_min_max(pos2(line.right() - px(170.0), line.top()), line.max);
    line.max.x = go.left() - px(8.0);
    let text = cx.t("watch-demonstration");
    let face = ButtonFace::new(Kind::Plain, &text).icon(Icon::Play);
    if button_at(ui, cx, go, "demonstration", &face).clicked() {
        cx.wish(Wish::Demonstrate);
    }
    let about = cx.t("demonstration-line");
    let font = (FontId::proportional(sizes.rem), cx.theme.muted);
    write(ui.painter(), line.left_center(), Align2::LEFT_CENTER, &about, font, line.width());
    label(ui, line, "demonstration-line", &about);
}

/// The players of a match that can be carried on, and what it is.
fn words_of(cx: &Cx<'_>, left: &Unfinished) -> (String, String) {
    let names = format!("{} – {}", left.players.a, left.players.b);
    let facts = [
        ("game", cx.words.word("game", &left.game).into()),
        ("number", left.number.into()),
        ("begun", date(cx.words, left.begun.as_deref()).into()),
    ];
    (names, cx.words.with("carry-on-match", &facts))
}

/// Carries on a match; its cards are turned over from this deck, if the game is played with it.
pub(super) fn carry_on(cx: &mut Cx<'_>, left: &Unfinished, deck: Option<&str>) {
    let deck = fitting_deck(cx, &left.game, deck);
    cx.wish(Wish::CarryOn { path: left.path.clone(), id: left.id, deck, pgn: None });
}

/// A preset: one of the program's, or one that the user saved.
enum Preset<'a> {
    Usual(&'static str),
    Own(&'a OwnPreset),
}

/// The height of the row of presets; none without presets.
fn presets_height(form: &Form) -> f32 {
    if presets::names(&form.game).next().is_some() || form.own.is_some() { 24.0 + 44.0 } else { 0.0 }
}

/// Draws the presets of the game as a row of chips.
fn presets_ui(ui: &mut Ui, cx: &Cx<'_>, mut area: Rect, form: &mut Form) {
    let own: Vec<OwnPreset> =
        cx.settings.presets.iter().filter(|own| own.game == form.game).cloned().collect();
    let known = presets::names(&form.game).map(|name| (cx.words.word("preset", name), Preset::Usual(name)));
    let mut all: Vec<(String, Preset<'_>)> =
        known.chain(own.iter().map(|own| (own.name.clone(), Preset::Own(own)))).collect();
    all.truncate(PRESETS);
    if all.is_empty() {
        return;
    }
    let title = cut_top(&mut area, cx.sizes.px(20.0), cx.sizes.px(4.0));
    let explained = match (form.preset_in_force(), &form.own) {
        (Some(name), _) => cx.words.word("preset-line", name),
        (None, Some(name)) => cx.words.with("preset-line-own", &[("name", name.clone().into())]),
        (None, None) => cx.t("preset-line-none"),
    };
    label_line(ui, cx, title, "preset-line", &explained);
    let is_chosen = |form: &Form, preset: &Preset<'_>| match preset {
        Preset::Usual(name) => form.preset_in_force() == Some(*name),
        Preset::Own(own) => form.own.as_deref() == Some(&own.name),
    };
    let mut group = TabGroup::new(ui, "presets", all.iter().position(|(_, preset)| is_chosen(form, preset)));
    for (place, (text, preset)) in split(area, &vec![1.0; all.len()], GRID * 2.0).into_iter().zip(&all) {
        let face = ButtonFace::new(Kind::Choice(is_chosen(form, preset)), text).stops(group.stops());
        if group.add(button_at(ui, cx, place, ("preset", text.as_str()), &face)).clicked() {
            match preset {
                Preset::Usual(name) => form.take_preset(name),
                Preset::Own(own) => form.take(own),
            }
        }
    }
    group.end(ui);
}

/// Draws the row that opens the other rules, with what differs from the game's usual rules.
fn more_ui(ui: &mut Ui, cx: &Cx<'_>, mut place: Rect, form: &Form, cover: &mut Option<Cover>) {
    if cx.several {
        let own = place.with_min_x(place.right() - place.width() * 0.36);
        place.max.x = own.left() - cx.sizes.px(8.0);
        let text = cx.t("several-boards-asks");
        let face = ButtonFace::new(Kind::Plain, &text).icon(Icon::Board);
        if button_at(ui, cx, own, "several-boards", &face).clicked() {
            *cover = Some(Cover::Several(String::new()));
        }
    }
    let changed = form.changed_rules();
    let under = if changed == 0 {
        cx.t("rules-usual")
    } else {
        cx.words.with("rules-changed", &[("count", changed.into())])
    };
    let text = cx.t("more-rules");
    let face = ButtonFace::new(Kind::Plain, &text).icon(Icon::Right).under(&under).said(text.clone());
    if button_at(ui, cx, place, "more-rules", &face).clicked() {
        *cover = Some(Cover::Rules);
    }
}

/// Draws the panel of rules. Returns whether it is closed.
fn rules_ui(ui: &mut Ui, cx: &mut Cx<'_>, area: Rect, form: &mut Form, name: &mut String) -> bool {
    ground(ui.painter(), cx.theme, area);
    let mut rest = area.shrink(cx.sizes.px(18.0));
    let foot = cut_bottom(&mut rest, cx.sizes.px(44.0), cx.sizes.px(12.0));
    let mut inner = ui.new_child(UiBuilder::new().max_rect(rest));
    inner.shrink_clip_rect(rest.expand(4.0));
    ScrollArea::vertical().id_salt("rules").auto_shrink(false).show(&mut inner, |ui| {
        heading(ui, &cx.words.with("rules-of", &[("game", cx.words.word("game", &form.game).into())]));
        terms::terms_ui(ui, cx, form);
        own_preset_ui(ui, cx, form, name);
    });
    let done = Rect::from_min_max(pos2(foot.right() - foot.width() * 0.3, foot.top()), foot.max);
    let text = cx.t("rules-done");
    let face = ButtonFace::new(Kind::Gold, &text).key("Esc".to_owned());
    button_at(ui, cx, done, "rules-done", &face).clicked() || cx.takes(Command::No)
}

/// A player's name as the screen shows it. If no name is typed, the letter of the seat (`A` or `B`).
fn shown_name(form: &Form, seat: Seat) -> String {
    let written = harmless(form.players[seat].trim());
    if written.is_empty() { seat.word().to_owned() } else { written }
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
    let own: Vec<OwnPreset> =
        cx.settings.presets.iter().filter(|own| own.game == form.game).cloned().collect();
    if !own.is_empty() {
        hint(ui, &cx.t("own-presets"));
        ui.horizontal_wrapped(|ui| {
            for own in own {
                let chosen = form.own.as_deref() == Some(&own.name);
                if ui.selectable_label(chosen, RichText::new(&own.name)).clicked() {
                    form.take(&own);
                }
            }
        });
    }
}
