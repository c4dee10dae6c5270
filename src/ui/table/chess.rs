//! The chess phase: draw offers and their answers, claims, taking back and resignation.

use egui::{Popup, Rect, Ui, vec2};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Action, PlayAction, Verb};
use tabiya_engine::table::LegalInput;
use tabiya_types::Color;

use super::sizes::GAP;
use super::state::TableState;
use crate::cx::Cx;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{cut_top, split};
use crate::widgets::grave_button;

/// A button that is narrower than this, at a rem of 16 points, has few words and no icon.
const NARROW: f32 = 112.0;
/// One that is narrower than this has a sign only.
const TINY: f32 = 64.0;

/// Draws an open draw offer as a card with its answers.
pub(super) fn answer_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, body: &mut Rect) {
    let accepts = view.by(Verb::AcceptDraw);
    let declines = view.by(Verb::DeclineDraw);
    if accepts.is_none() && declines.is_none() {
        return;
    }
    let row = cut_top(body, cx.sizes.px(44.0).min(body.height()), cx.sizes.px(GAP));
    let places = split(row, &[1.0, 1.0], cx.sizes.px(GAP));
    if let (Some(color), Some(place)) = (accepts, places.first()) {
        let text = cx.words.with("accept-draw", &[("color", cx.who(color).into())]);
        let face = ButtonFace::new(Kind::Plain, &text).key(cx.key(Command::Yes)).strong();
        if button_at(ui, cx, *place, "accept-draw", &face).clicked() || cx.takes(Command::Yes) {
            cx.enter(PlayAction::AcceptDraw(color));
        }
    }
    if let (Some(color), Some(place)) = (declines, places.get(1)) {
        let text = cx.words.with("decline-draw", &[("color", cx.who(color).into())]);
        if button_at(ui, cx, *place, "decline-draw", &ButtonFace::new(Kind::Plain, &text)).clicked() {
            cx.enter(PlayAction::DeclineDraw(color));
        }
    }
}

/// Who may resign now. During the betting a player folds instead.
fn resigners(view: &TableView) -> Vec<Color> {
    if view.may(Verb::Bet) {
        Vec::new()
    } else {
        view.legal_of(Verb::Resign).filter_map(LegalInput::by).collect()
    }
}

/// Who may offer a draw: the player whose turn it is, if possible.
fn offerer(view: &TableView) -> Option<Color> {
    let color = view.by(Verb::OfferDraw).filter(|_| view.by(Verb::DeclineDraw).is_none())?;
    let mover = view.mover().filter(|mover| view.accepts(&Action::Play(PlayAction::OfferDraw(*mover))));
    Some(mover.unwrap_or(color))
}

/// Who can claim a draw, if this screen may say so. At events, players must notice without help that a draw can be
/// claimed; the button is in the arbiter's drawer.
fn claimant(view: &TableView) -> Option<Color> {
    view.draw_claimant().filter(|_| !view.is_event())
}

/// How the quieter actions of chess share their row: offer a draw, claim one, resign.
pub(super) fn shares(view: &TableView) -> Vec<f32> {
    let parts =
        [(offerer(view).is_some(), 1.4), (claimant(view).is_some(), 1.5), (!resigners(view).is_empty(), 1.0)];
    parts.into_iter().filter(|(is_there, _)| *is_there).map(|(_, share)| share).collect()
}

/// Draws the quieter actions of chess into these places, one for each of [`shares`].
pub(super) fn actions_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    places: Vec<Rect>,
) {
    let (offers, claims, resigns) = (offerer(view), claimant(view), resigners(view));
    let mut places = places.into_iter();
    let (tiny, narrow) = (cx.sizes.px(TINY), cx.sizes.px(NARROW));
    if let (Some(color), Some(place)) = (offers, offers.and_then(|_| places.next())) {
        let armed = state.armed.left(cx, Command::Draw);
        let again = state.armed.is_armed(cx, Command::Draw);
        let who = [("color", cx.who(color).into())];
        let said = cx.words.with(if again { "offer-draw-again" } else { "offer-draw" }, &who);
        let text = match place.width() {
            _ if again => said.clone(),
            width if width < tiny => "½".to_owned(),
            width if width < narrow => cx.t("offer-draw-short"),
            _ => cx.t("offer-draw-asks"),
        };
        let face = ButtonFace::new(Kind::Plain, &text).said(said).key(cx.key(Command::Draw)).armed(armed);
        let button = button_at(ui, cx, place, "offer-draw", &face);
        if let Some(used) = state.armed.used(cx, Command::Draw, &button) {
            let offer = PlayAction::OfferDraw(color);
            state.armed.act(cx, Command::Draw, used, Wish::DoIfSure(offer.into()));
        }
    }
    if let (Some(color), Some(place)) = (claims, claims.and_then(|_| places.next())) {
        let text = cx.words.with("claim-draw", &[("color", cx.who(color).into())]);
        if button_at(ui, cx, place, "claim-draw", &ButtonFace::new(Kind::Plain, &text)).clicked() {
            cx.enter(PlayAction::ClaimDraw { by: color, uci: None });
        }
    }
    if let Some(place) = places.next() {
        let text = cx.t("give-up");
        let alone = place.width() < tiny;
        let face = ButtonFace::new(Kind::GraveAsks, if alone { "" } else { &text }).said(text.clone());
        let face = if place.width() < narrow && !alone { face } else { face.icon(Icon::Flag) };
        let response = button_at(ui, cx, place, "resign", &face);
        Popup::menu(&response).show(|ui| {
            ui.set_min_size(vec2(place.width(), 0.0));
            for color in resigns {
                let text = cx.words.with("resign", &[("color", cx.who(color).into())]);
                if grave_button(ui, cx.theme, &text, true).clicked() {
                    cx.enter(PlayAction::Resign(color));
                    ui.close();
                }
            }
        });
    }
}
