//! The bar above the screens: at the table a menu, the game, the track of its stages and the board's state; on the other
//! pages the pages.

use egui::{Align2, FontId, Popup, Rect, Role, Sense, Ui, pos2, vec2};
use tabiya_app::alerts::Alert;
use tabiya_app::desk::{CardWish, Wish};
use tabiya_app::snapshot::TableView;
use tabiya_app::view::event_in_words;
use tabiya_engine::rules::Stages;
use tabiya_engine::table::{Author, Common};

use super::board_state::board_state_ui;
use super::chrome::{Chrome, fill_screen};
use super::cx::Cx;
use super::keys::Command;
use super::kit::button::{ButtonFace, Kind, button_at};
use super::kit::group::TabGroup;
use super::kit::icon::Icon;
use super::kit::panel::{Mood, pill, track};
use super::kit::write;
use super::landmarks::Landmark;
use super::page::Page;
use super::theme::bold_font;
use super::widgets::{button, label, name};

/// The height of what stands in the bar, and the side of an icon's button.
pub(super) const BAR: f32 = 36.0;
const ICON: f32 = 44.0;
/// A bar that is narrower than this, in rem, shows no words beside its icons.
const NARROW: f32 = 66.0;

/// Draws the bar.
pub(super) fn bar_ui(ui: &mut Ui, cx: &mut Cx<'_>, chrome: &mut Chrome<'_>) {
    let size = vec2(ui.available_width(), cx.sizes.px(BAR));
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let rect = back_ui(ui, cx, chrome, rect);
    let table = cx.snapshot.table.clone();
    match table.as_deref().filter(|_| *chrome.page == Page::Table) {
        Some(view) => table_bar(ui, cx, chrome, view, rect),
        None => page_bar(ui, cx, chrome, rect),
    }
}

/// Draws the way back to all tables, if this is one of several, and returns the rest of the bar.
fn back_ui(ui: &mut Ui, cx: &Cx<'_>, chrome: &mut Chrome<'_>, bar: Rect) -> Rect {
    let Some(among) = chrome.among else { return bar };
    let place = bar.with_max_x(bar.left() + cx.sizes.px(74.0));
    let text = among.number.to_string();
    let said = cx.t("hall-all-tables");
    let face =
        ButtonFace::new(Kind::Plain, &text).icon(Icon::Left).said(said).key(cx.key(Command::No)).strong();
    among.back |= button_at(ui, cx, place, "all-tables", &face).clicked();
    bar.with_min_x(place.right() + cx.sizes.px(10.0))
}

fn table_bar(ui: &mut Ui, cx: &mut Cx<'_>, chrome: &mut Chrome<'_>, view: &TableView, rect: Rect) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let narrow = rect.width() / sizes.rem < NARROW;
    let mut left = rect.left();
    let mut at_left = |width: f32| {
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
        left += width + px(8.0);
        place
    };
    let text = cx.t("menu");
    let face =
        ButtonFace::new(Kind::Bare, if narrow { "" } else { &text }).icon(Icon::Menu).said(text.clone());
    let place = at_left(if narrow { px(ICON) } else { px(104.0) });
    let response = button_at(ui, cx, place, "menu", &face);
    Landmark::Bar.mark(&cx.ctx, response.id);
    Popup::menu(&response).width(px(300.0)).show(|ui| menu_ui(ui, cx, chrome));
    if !narrow {
        let game = cx.words.word("game", view.agreement.game);
        let at = pos2(left, rect.center().y);
        let font = (bold_font(sizes.rem), cx.theme.text);
        let end = write(ui.painter(), at, Align2::LEFT_CENTER, &game, font, px(160.0)).right();
        let number = if cx.snapshot.demonstration {
            cx.t("demonstration")
        } else {
            cx.words.with("game-number", &[("number", view.number.into())])
        };
        let at = pos2(end + px(8.0), rect.center().y);
        let font = (FontId::proportional(sizes.rem), cx.theme.muted);
        left = write(ui.painter(), at, Align2::LEFT_CENTER, &number, font, px(130.0)).right() + px(12.0);
    }
    let right = controls(ui, cx, chrome, rect, narrow);
    let middle = Rect::from_min_max(pos2(left, rect.top()), pos2(right - px(12.0), rect.bottom()));
    stages_ui(ui, cx, view, middle);
}

/// Draws the controls at the right end of the bar, and returns where they begin.
fn controls(ui: &mut Ui, cx: &mut Cx<'_>, chrome: &mut Chrome<'_>, rect: Rect, narrow: bool) -> f32 {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let mut right = rect.right();
    let mut at_right = |width: f32| {
        let place = Rect::from_min_size(pos2(right - width, rect.top()), vec2(width, rect.height()));
        right -= width + px(4.0);
        place
    };
    let playing = cx.snapshot.table.is_some();
    if playing {
        let text = cx.t("arbiter");
        let place = at_right(if narrow { px(ICON) } else { px(132.0) });
        let open = *chrome.drawer;
        // A sign on the button of the closed drawer means that something waits for the arbiter.
        let waits = !open && cx.snapshot.alerts.iter().any(Alert::calls_arbiter);
        let said = if waits { format!("{text} *") } else { text.clone() };
        let kind = if open { Kind::Choice(true) } else { Kind::Bare };
        let face = ButtonFace::new(kind, if narrow { "" } else { &text }).icon(Icon::Scales).said(said);
        let face = face.key(if narrow { String::new() } else { cx.key(Command::Arbiter) });
        if button_at(ui, cx, place, "arbiter", &face).clicked() {
            *chrome.drawer = !open;
        }
        if waits {
            ui.painter().circle_filled(
                place.right_top() + vec2(-px(7.0), px(7.0)),
                px(5.0),
                cx.theme.bad_fill,
            );
        }
    }
    let said = cx.words.word("command", Command::FullScreen.word());
    let face = ButtonFace::new(Kind::Bare, "").icon(Icon::Full).said(said).key(cx.key(Command::FullScreen));
    if button_at(ui, cx, at_right(px(ICON)), "full-screen", &face).clicked() {
        fill_screen(&cx.ctx);
    }
    if playing {
        let face = ButtonFace::new(Kind::Bare, "")
            .icon(Icon::Face)
            .said(cx.t("clock-face"))
            .key(cx.key(Command::Face));
        if button_at(ui, cx, at_right(px(ICON)), "face", &face).clicked() {
            *chrome.face = !*chrome.face;
        }
    }
    let board = board_state_ui(ui, cx, pos2(right - px(4.0), rect.center().y), narrow);
    event_ui(ui, cx, board, narrow)
}

/// Draws who of an event is told, left of the board's state, and returns where it begins.
fn event_ui(ui: &Ui, cx: &Cx<'_>, board: Rect, narrow: bool) -> f32 {
    let Some(state) = &cx.snapshot.devices.record.event else { return board.left() };
    let said = cx.say(&event_in_words(state));
    let mood = if state.consoles.is_empty() { Mood::Wrong } else { Mood::Well };
    let behind = if state.behind > 0 { format!(" −{}", state.behind) } else { String::new() };
    let text = if narrow {
        format!("{}{behind}", state.table)
    } else {
        format!("{} {}{behind}", state.event, state.table)
    };
    let right = pos2(board.left() - cx.sizes.px(8.0), board.center().y);
    let icon = if mood == Mood::Wrong { Icon::Warning } else { Icon::Share };
    let rect = pill(ui.painter(), cx, right, icon, &shortened(&text), mood);
    let response = ui.interact(rect, ui.scope_id().with("event"), Sense::hover());
    name(&response, Role::Label, true, &said);
    response.on_hover_text(said);
    rect.left()
}

/// A text for a pill: at most twenty-two signs.
fn shortened(text: &str) -> String {
    const MOST: usize = 22;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}

/// Draws the track of the stages. Dealing and betting are one stage here, counted by streets.
fn stages_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, area: Rect) {
    let Some(Stages { names, now }) = view.stages else { return };
    let (mut words, mut chosen, mut streets) = (Vec::new(), 0, 0_u32);
    for (nth, stage) in names.iter().enumerate() {
        if stage.starts_with("deal-") {
            continue;
        }
        if *stage == "bet" {
            streets += 1;
            words.push(cx.words.with("stage-bets", &[("number", streets.into())]));
        } else {
            words.push(cx.words.word("stage", stage));
        }
        // The deal before a street's bets belongs to it.
        if nth <= now || (nth == now + 1 && names.get(now).is_some_and(|name| name.starts_with("deal-"))) {
            chosen = words.len() - 1;
        }
    }
    track(ui.painter(), cx, area, &words, chosen);
    let response = ui.interact(area, ui.scope_id().with("stages"), Sense::hover());
    let stage = names.get(now).map(|stage| cx.words.word("stage", stage)).unwrap_or_default();
    name(&response, Role::Label, true, &cx.words.with("stage-now", &[("stage", stage.into())]));
}

fn menu_ui(ui: &mut Ui, cx: &mut Cx<'_>, chrome: &mut Chrome<'_>) {
    ui.spacing_mut().item_spacing.y = 4.0;
    for (page, text) in Page::ALL {
        if page != Page::Table && button(ui, &cx.t(text), true).clicked() {
            turn_to(cx, chrome, page);
            ui.close();
        }
    }
    if cx.chooser && button(ui, &(cx.t("open-record") + &cx.hint(Command::Open)), true).clicked() {
        cx.open_record();
        ui.close();
    }
    ui.separator();
    let text = cx.t("second-window") + &cx.hint(Command::Public);
    if button(ui, &text, true).clicked() {
        *chrome.public = !*chrome.public;
        ui.close();
    }
    let text = cx.words.word("command", Command::Turn.word()) + &cx.hint(Command::Turn);
    if button(ui, &text, true).clicked() {
        cx.set(|settings| settings.black_below = !settings.black_below);
        ui.close();
    }
    if button(ui, &cx.t("something-is-wrong"), true).clicked() {
        // The page comes over whatever page is shown, the two-sided clock too.
        (*chrome.fault, *chrome.face) = (true, false);
        ui.close();
    }
    ui.separator();
    leave_ui(ui, cx, chrome);
}

/// Draws what leaves the match, and what becomes of the match and of the debts.
fn leave_ui(ui: &mut Ui, cx: &mut Cx<'_>, chrome: &mut Chrome<'_>) {
    let view = cx.snapshot.table.as_deref();
    let alone = view.is_some_and(|view| view.clock_alone);
    // At events the arbiter ends a match, in the drawer. Otherwise the players are asked who gets what.
    if view.is_some_and(|view| !view.match_over && !view.is_event() && !view.clock_alone) {
        if button(ui, &cx.t("end-the-match"), true).clicked() {
            let reason = cx.t("ended-by-players");
            cx.enter(Common::EndMatch { by: Author::Arbiter, reason });
            turn_to(cx, chrome, Page::Table);
            ui.close();
        }
        super::widgets::hint(ui, &cx.t("end-line"));
    }
    if button(ui, &cx.t(if alone { "leave-clock" } else { "leave-table" }), true).clicked() {
        cx.wish(Wish::Leave);
        ui.close();
    }
    super::widgets::hint(ui, &cx.t("leave-line"));
    if let Some(owed) = view.and_then(|view| view.owed.as_ref()) {
        super::widgets::hint(ui, &cx.say(owed));
    }
}

fn turn_to(cx: &mut Cx<'_>, chrome: &mut Chrome<'_>, page: Page) {
    chrome.turn_to(page);
    if page == Page::Decks {
        // Another program may have changed the decks.
        cx.cards(CardWish::Look);
    }
}

/// Draws the pages as tabs; the present page has an ivory line below it.
fn page_bar(ui: &mut Ui, cx: &mut Cx<'_>, chrome: &mut Chrome<'_>, rect: Rect) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let playing = cx.snapshot.table.is_some();
    let words: Vec<(Page, String)> = Page::ALL
        .into_iter()
        .map(|(page, id)| (page, cx.t(if page == Page::Table && !playing { "page-play" } else { id })))
        .collect();
    let width = |ui: &Ui, text: &str, font: FontId| {
        ui.painter().layout_no_wrap(text.to_owned(), font, cx.theme.text).size().x
    };
    let narrow = rect.width() / sizes.rem < NARROW * 1.2;
    let controls_room = px(match (playing, narrow) {
        (true, false) => 390.0,
        (true, true) => 300.0,
        (false, _) => 230.0,
    });
    let program = px(18.0) + width(ui, "Tabiya", bold_font(sizes.lead()));
    let room = rect.width() - program - controls_room;
    let whole: f32 = words.iter().map(|(_, text)| width(ui, text, FontId::proportional(sizes.rem))).sum();
    #[expect(clippy::cast_precision_loss, reason = "six pages")]
    let pad = ((room - whole) / words.len() as f32).min(px(28.0));
    if pad < px(4.0) {
        pages_menu(ui, cx, chrome, rect, narrow);
        return;
    }
    let at = pos2(rect.left() + px(4.0), rect.center().y);
    let font = (bold_font(sizes.lead()), cx.theme.text);
    write(ui.painter(), at, Align2::LEFT_CENTER, "Tabiya", font, program);
    let mut x = rect.left() + program;
    label(ui, Rect::from_min_max(rect.min, pos2(x, rect.bottom())), "program", "Tabiya");
    let mut group = TabGroup::new(ui, "pages", words.iter().position(|(page, _)| *chrome.page == *page));
    for (page, text) in words {
        let wide = width(ui, &text, FontId::proportional(sizes.rem)) + pad;
        let place = Rect::from_min_size(pos2(x, rect.top()), vec2(wide, rect.height()));
        x += wide;
        let chosen = *chrome.page == page;
        let face = ButtonFace::new(Kind::Bare, &text);
        let face = ButtonFace { strong: false, ..face }.stops(group.stops());
        if group.add(button_at(ui, cx, place, ("page", text.as_str()), &face)).clicked() {
            turn_to(cx, chrome, page);
        }
        if chosen {
            let line = Rect::from_min_max(
                pos2(place.left() + pad / 2.0, place.bottom() - 1.0),
                pos2(place.right() - pad / 2.0, place.bottom() + 2.0),
            );
            ui.painter().rect_filled(line, 2.0, cx.theme.ivory);
        }
    }
    group.end(ui);
    controls(ui, cx, chrome, rect, narrow);
}

/// Draws the pages as a menu beside the name of the present page: their words have no room side by side.
fn pages_menu(ui: &mut Ui, cx: &mut Cx<'_>, chrome: &mut Chrome<'_>, rect: Rect, narrow: bool) {
    let px = cx.sizes.px(ICON);
    let place = Rect::from_min_size(rect.min, vec2(px, rect.height()));
    let face = ButtonFace::new(Kind::Bare, "").icon(Icon::Menu).said(cx.t("menu"));
    let response = button_at(ui, cx, place, "menu", &face);
    let table = cx.t(if cx.snapshot.table.is_some() { "page-table" } else { "page-play" });
    Popup::menu(&response).width(cx.sizes.px(300.0)).show(|ui| {
        if button(ui, &table, true).clicked() {
            turn_to(cx, chrome, Page::Table);
            ui.close();
        }
        menu_ui(ui, cx, chrome);
    });
    let right = controls(ui, cx, chrome, rect, narrow);
    let here = Page::ALL.into_iter().find(|(page, _)| *page == *chrome.page);
    let text = match here {
        Some((Page::Table, _)) => table,
        Some((_, id)) => cx.t(id),
        None => String::new(),
    };
    let at = pos2(place.right() + cx.sizes.px(8.0), rect.center().y);
    let font = (bold_font(cx.sizes.rem), cx.theme.text);
    write(ui.painter(), at, Align2::LEFT_CENTER, &text, font, right - at.x);
}
