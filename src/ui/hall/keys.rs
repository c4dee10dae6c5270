//! The keys of the desk. A key that rules acts only on the alert that has been selected long enough. While people type, only the key
//! that stops the chosen table and F11 are keys here; Escape leaves the field, which takes it by itself.

use egui::{Event, Key, Modifiers};
use tabiya_app::hall::{HallAlert, HallView, HallWish};
use tabiya_types::Color;

use super::round::round_key;
use super::sheets::{RuledEnd, Sheet};
use super::standings::standings_key;
use super::state::{DeskPage, DeskState};
use crate::chrome::fill_screen;
use crate::cx::Cx;
use crate::focus::Focus;

/// Does what the pressed keys do.
pub(super) fn keys(cx: &Cx<'_>, view: &HallView, state: &mut DeskState) {
    for (key, modifiers) in pressed(cx, state) {
        if modifiers.command && key == Key::P {
            stop_or_resume(view, state);
        } else if key == Key::F11 {
            fill_screen(&cx.ctx);
        } else if state.sheet.is_some() || view.question.is_some() {
            sheet_key(view, state, key);
        } else if !page_key(cx, view, state, key, modifiers.command) {
            desk_key(cx, view, state, key);
        }
    }
}

/// Takes the keys that were pressed out of the events, so that they have no other effect.
fn pressed(cx: &Cx<'_>, state: &DeskState) -> Vec<(Key, Modifiers)> {
    let typing = cx.focus == Focus::Field;
    let on_control = cx.focus == Focus::Control;
    let covered = state.sheet.is_some();
    let mut found = Vec::new();
    cx.ctx.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Key { key, pressed: true, repeat: false, modifiers, .. } = event else { return true };
            let stops = modifiers.command && *key == Key::P;
            // A control that has the focus takes Enter, the space bar and the arrows.
            let arrow = matches!(key, Key::ArrowUp | Key::ArrowDown | Key::ArrowLeft | Key::ArrowRight);
            let its_own = (arrow || matches!(key, Key::Enter | Key::Space)) && on_control;
            let plain = !modifiers.command && !modifiers.alt;
            let moves_focus = *key == Key::Tab || *key == Key::Space;
            let pairs =
                modifiers.command && matches!(key, Key::R | Key::Enter) && state.kept.page == DeskPage::Round;
            let ours = stops || pairs || (*key == Key::F11) || (plain && !typing && !its_own && !moves_focus);
            if ours {
                found.push((*key, *modifiers));
            }
            !ours || (covered && *key == Key::Enter)
        });
        if !found.is_empty() {
            // A letter also arrives as text, which a field that gets the focus now must not take.
            input.events.retain(|event| !matches!(event, Event::Text(_)));
        }
    });
    found
}

/// Stops the chosen table, or lets it go on.
fn stop_or_resume(view: &HallView, state: &mut DeskState) {
    if let Some(row) = state.kept.chosen.and_then(|table| view.row(table)) {
        let stopped = row.is_stopped();
        state.order(row.table, if stopped { "resume" } else { "pause" });
    }
}

/// A key while something covers the desk.
fn sheet_key(view: &HallView, state: &mut DeskState, key: Key) {
    if let Some(question) = &view.question {
        match key {
            Key::Y => state.wishes.push(HallWish::Answer(question.number, true)),
            Key::N | Key::Escape => state.wishes.push(HallWish::Answer(question.number, false)),
            _ => {}
        }
        return;
    }
    match (key, &mut state.sheet) {
        (Key::Escape, _) => state.sheet = None,
        (Key::W, Some(sheet)) => sheet.side(Some(Color::White)),
        (Key::B, Some(sheet)) => sheet.side(Some(Color::Black)),
        (Key::D, Some(sheet)) => sheet.side(None),
        (key, Some(sheet)) => {
            if let Some(number) = digit(key) {
                sheet.ruling(number.wrapping_sub(1));
            }
        }
        (_, None) => {}
    }
}

/// A key that has its own meaning on another page than the desk, and the keys that lead from page to page. Returns whether it is one.
fn page_key(cx: &Cx<'_>, view: &HallView, state: &mut DeskState, key: Key, command: bool) -> bool {
    let on_desk = state.kept.page == DeskPage::Desk;
    match key {
        Key::F2 => state.kept.page = DeskPage::Desk,
        Key::F3 => state.kept.page = DeskPage::Round,
        Key::F4 => state.kept.page = DeskPage::Standings,
        // What cannot wait is reached from anywhere.
        Key::A if !on_desk => {
            state.kept.page = DeskPage::Desk;
            desk_key(cx, view, state, key);
        }
        Key::J | Key::Questionmark => return false,
        _ if on_desk => return false,
        _ if state.kept.page == DeskPage::Round => round_key(view, state, key, command),
        _ => standings_key(view, state, key),
    }
    true
}

fn desk_key(cx: &Cx<'_>, view: &HallView, state: &mut DeskState, key: Key) {
    if number_key(view, state, key) {
        return;
    }
    let chosen = state.kept.chosen.filter(|table| view.row(*table).is_some());
    match (key, chosen) {
        (Key::A, _) => {
            (state.open, state.tables_shown) = (false, false);
            state.select_next(view);
        }
        (Key::ArrowDown, _) => state.select_by(view, 1),
        (Key::ArrowUp, _) => state.select_by(view, -1),
        (Key::Enter, _) => enter(cx, view, state),
        (Key::Num2 | Key::Num3 | Key::Num4, _) => rule(cx, view, state, digit(key).unwrap_or(1) - 1),
        (Key::T, _) => take(view, state),
        (Key::N, _) => state.number = Some(String::new()),
        (Key::Slash, _) => {
            (state.to_search, state.tables_shown, state.open) = (true, true, false);
        }
        (Key::J, _) => state.sheet = Some(Sheet::joining()),
        (Key::Y, _) => state.turn_mine(),
        (Key::F, _) if view.phones.is_some() => state.sheet = Some(Sheet::phone()),
        (Key::Questionmark, _) => state.sheet = Some(Sheet::Keys),
        (Key::O, Some(_)) => state.open = !state.open,
        (Key::Plus | Key::Equals, Some(table)) => state.sheet = Some(Sheet::time(table, true)),
        (Key::Minus, Some(table)) => state.sheet = Some(Sheet::time(table, false)),
        (Key::W, Some(table)) => state.sheet = Some(Sheet::result(table, Some(RuledEnd::Won(Color::White)))),
        (Key::B, Some(table)) => state.sheet = Some(Sheet::result(table, Some(RuledEnd::Won(Color::Black)))),
        (Key::D, Some(table)) => state.sheet = Some(Sheet::result(table, Some(RuledEnd::Drawn))),
        (Key::U, Some(table)) => state.sheet = Some(Sheet::take_back(table)),
        (Key::R, Some(table)) => state.sheet = Some(Sheet::other(table)),
        (Key::Escape, _) if state.open => state.open = false,
        (Key::Escape, _) => state.let_go(),
        _ => {}
    }
}

/// A key while the number of a table is typed. Returns whether it was one.
fn number_key(view: &HallView, state: &mut DeskState, key: Key) -> bool {
    let Some(typed) = &mut state.number else { return false };
    match key {
        Key::Escape => state.number = None,
        Key::Backspace => {
            typed.pop();
        }
        Key::Enter => {
            let table = typed.parse().ok().filter(|table| view.row(*table).is_some());
            state.number = None;
            if table.is_some() {
                state.choose(table);
            }
        }
        key => match digit(key).filter(|_| typed.len() < 4) {
            Some(digit) => typed.push_str(&digit.to_string()),
            None => return false,
        },
    }
    true
}

fn digit(key: Key) -> Option<usize> {
    const DIGITS: [Key; 10] = [
        Key::Num0,
        Key::Num1,
        Key::Num2,
        Key::Num3,
        Key::Num4,
        Key::Num5,
        Key::Num6,
        Key::Num7,
        Key::Num8,
        Key::Num9,
    ];
    DIGITS.iter().position(|known| *known == key)
}

/// The selected alert, if it has been selected long enough to be ruled on.
fn ready<'a>(view: &'a HallView, state: &DeskState) -> Option<&'a HallAlert> {
    state.selected(view).filter(|_| state.is_steady(view.now))
}

/// Does the proposed ruling, or opens the chosen table if no alert is selected.
fn enter(cx: &Cx<'_>, view: &HallView, state: &mut DeskState) {
    if state.selected(view).is_some() {
        rule(cx, view, state, 0);
    } else if state.kept.chosen.is_some() {
        state.open = true;
    }
}

fn rule(cx: &Cx<'_>, view: &HallView, state: &mut DeskState, nth: usize) {
    if let Some(alert) = ready(view, state)
        && let Some(ruling) = alert.rulings.get(nth)
    {
        state.rule(alert, ruling, (cx.words, view.now));
    }
}

fn take(view: &HallView, state: &mut DeskState) {
    if let Some(alert) = ready(view, state).filter(|alert| alert.taken.is_none()) {
        state.wishes.push(HallWish::Take(alert.key.clone()));
    }
}
