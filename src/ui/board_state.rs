//! The state of the board in the bar, and the menu of what can be done about it without leaving the table.

use egui::{Popup, Pos2, Rect, Role, Sense, Ui, vec2};
use tabiya_app::alerts::AlertKind;
use tabiya_app::desk::{BoardWish, SimulatedMove};
use tabiya_app::snapshot::{BoardFact, FoundBoard, LinkState};
use tabiya_types::Color;

use super::cx::Cx;
use super::kit::icon::Icon;
use super::kit::panel::{Mood, pill};
use super::page::Page;
use super::theme::GRID;
use super::widgets::{button, name};

/// The width of the menu, for a rem of 16 points.
const MENU: f32 = 280.0;
/// The address of the simulated board that is offered: the maker's that most clubs have.
pub(super) const SIMULATED: &str = "sim:dgt";

/// Draws the state of the board's connection in a few words. A click opens the menu of what can be done about it.
pub(super) fn board_state_ui(ui: &mut Ui, cx: &mut Cx<'_>, right: Pos2, narrow: bool) -> Rect {
    let board = &cx.snapshot.board;
    // At an event a difference can tell players of a wrong move, so only the arbiter's drawer shows it.
    let view = cx.snapshot.table.as_ref();
    let event = view.is_some_and(|view| view.is_event());
    let runs = view.is_some_and(|view| view.outcome.is_none());
    let differs = cx.snapshot.alert(AlertKind::Piece).is_some() || runs && cx.snapshot.differs.is_some();
    let differs = differs && (!event || cx.drawer);
    let (word, mood) = match &board.link {
        LinkState::None => ("board-none", Mood::Usual),
        LinkState::Connecting => ("board-connecting", Mood::Usual),
        LinkState::Connected if differs => ("board-differs", Mood::Wrong),
        LinkState::Connected => ("board-connected", Mood::Well),
        LinkState::Lost(_) if board.answered => ("board-lost", Mood::Wrong),
        LinkState::Lost(_) => ("board-not-found", Mood::Wrong),
    };
    let word = cx.t(word);
    let maker =
        board.facts.iter().find(|(fact, _)| *fact == BoardFact::Maker).map(|(_, maker)| maker.clone());
    let charge = board.battery.map(|(percent, _)| format!(" {percent} %")).unwrap_or_default();
    let connected = board.link == LinkState::Connected;
    let text = match maker.filter(|_| connected) {
        _ if connected && differs => word.clone(),
        Some(_) if board.simulated.is_some() => cx.t("simulated-board"),
        Some(maker) => format!("{maker}{charge}"),
        None if connected => format!("{word}{charge}"),
        None => word.clone(),
    };
    let text = if narrow && text.chars().count() > 14 {
        text.chars().take(13).chain(['…']).collect()
    } else {
        text
    };
    let icon = if mood == Mood::Wrong { Icon::Warning } else { Icon::Board };
    let rect = pill(ui.painter(), cx, right, icon, &text, mood);
    let response =
        ui.interact(rect.expand2(vec2(0.0, 8.0)), ui.scope_id().with("board-state"), Sense::click());
    name(&response, Role::Button, true, &word);
    let response = match &board.trouble {
        Some(trouble) => response.on_hover_text(cx.say(trouble)),
        None => response,
    };
    Popup::menu(&response).width(cx.sizes.px(MENU)).show(|ui| board_menu_ui(ui, cx));
    rect
}

/// Draws what can be done about the board: connect, read again, let go, or simulate one.
fn board_menu_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    ui.spacing_mut().item_spacing.y = GRID;
    let board = &cx.snapshot.board;
    let mut wishes: Vec<(String, BoardWish)> = Vec::new();
    if board.link == LinkState::None {
        let found = cx.snapshot.found.iter();
        let connect = |found: &FoundBoard| {
            (format!("{}: {}", cx.t("connect"), found.name), BoardWish::Connect(found.address.clone()))
        };
        wishes.extend(found.map(connect));
        wishes.push((cx.t("find-boards"), BoardWish::Discover));
        wishes.push((cx.t("try-simulated"), BoardWish::Connect(SIMULATED.to_owned())));
    } else {
        if let Some(simulated) = &board.simulated {
            let wanted = cx.snapshot.table.as_ref().map(|view| view.physical);
            let wanted = wanted.filter(|physical| *physical != simulated.board);
            let set = wanted.map(|physical| BoardWish::Move(SimulatedMove::Set(physical)));
            wishes.extend(set.map(|set| (cx.t("set-as-table"), set)));
            for color in Color::ALL.into_iter().filter(|_| simulated.lever) {
                let text = cx.words.with("press", &[("color", cx.who(color).into())]);
                wishes.push((text, BoardWish::Move(SimulatedMove::Press(color))));
            }
        } else if board.link == LinkState::Connected {
            wishes.push((cx.t("read-board"), BoardWish::Read));
        }
        wishes.push((cx.t("disconnect"), BoardWish::Disconnect));
    }
    for (text, wish) in wishes {
        if button(ui, &text, true).clicked() {
            cx.board(wish);
            ui.close();
        }
    }
    ui.separator();
    if button(ui, &cx.t("devices-and-test"), true).clicked() {
        cx.page = Some(Page::Devices);
        ui.close();
    }
}
