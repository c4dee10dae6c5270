//! Simulated boards, for trying things out without a board: one button for each maker, and the board itself, whose
//! pieces people move as on a real one. It sends its bytes through a port of the system.

use egui::{CornerRadius, Sense, Stroke, StrokeKind, Ui, Vec2};
use tabiya_app::desk::{BoardWish, MakerChoice, SimulatedMove, makers};
use tabiya_app::snapshot::SimulatedView;
use tabiya_types::{Board, Color, Piece, Role, Square};

use super::DevicesState;
use crate::board::{BoardLook, Touch, board_ui};
use crate::cx::Cx;
use crate::widgets::{button, heading, hint, main_button, name};

/// Draws the makers whose boards can be simulated.
pub(super) fn choose_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState) {
    heading(ui, &cx.t("no-board-at-hand"));
    hint(ui, &cx.t("simulate-one"));
    let can: Vec<MakerChoice> = makers().into_iter().filter(|maker| maker.simulated).collect();
    ui.horizontal_wrapped(|ui| {
        for maker in can {
            let response = button(ui, maker.name, true);
            let said = cx.words.with("simulate-maker", &[("maker", maker.name.into())]);
            name(&response, egui::Role::Button, true, &said);
            if response.clicked() {
                state.pulled = false;
                cx.board(BoardWish::Connect(format!("sim:{}", maker.prefix)));
            }
        }
    });
}

/// Draws the simulated board.
pub(super) fn simulator_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    state: &mut DevicesState,
    simulated: &SimulatedView,
    side: f32,
) {
    let lit: Vec<Square> = simulated.lit.iter().collect();
    let (simulated, lever) = (&simulated.board, simulated.lever);
    heading(ui, &cx.t("simulated-board"));
    hint(ui, &cx.t("simulated-line"));
    let wanted = cx.snapshot.table.as_ref().map(|view| view.physical);
    if let Some(physical) = wanted.filter(|physical| physical != simulated)
        && main_button(ui, cx.theme, &cx.t("set-as-table"), true).clicked()
    {
        cx.board(BoardWish::Move(SimulatedMove::Set(physical)));
    }
    let look = BoardLook { live: true, lights: &lit, ..BoardLook::plain(simulated, cx.below()) };
    if let Some(touch) = board_ui(ui, cx, side, &look, &mut state.board)
        && let Some(what) = simulated_move(state, simulated, touch)
    {
        cx.board(BoardWish::Move(what));
    }
    ui.horizontal_wrapped(|ui| {
        for color in Color::ALL.into_iter().filter(|_| lever) {
            let text = cx.words.with("press", &[("color", cx.who(color).into())]);
            if button(ui, &text, true).clicked() {
                cx.board(BoardWish::Move(SimulatedMove::Press(color)));
            }
        }
        let text = cx.t(if state.pulled { "plug-in" } else { "pull-plug" });
        if button(ui, &text, true).clicked() {
            state.pulled = !state.pulled;
            let what = if state.pulled { SimulatedMove::Unplug } else { SimulatedMove::Plug };
            cx.board(BoardWish::Move(what));
        }
    });
    if !lever {
        hint(ui, &cx.t("no-lever"));
    }
    box_ui(ui, cx, state);
}

/// Draws the pieces that can be put on the simulated board.
fn box_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut DevicesState) {
    let side = cx.sizes.px(34.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = Piece { color, role };
                let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::click());
                let chosen = state.box_piece == Some(piece);
                let edge =
                    if chosen { Stroke::new(3.0, cx.theme.ivory) } else { Stroke::new(1.0, cx.theme.line) };
                let [light, _] = cx.theme.squares(cx.settings.board_colors);
                ui.painter().rect(rect, CornerRadius::same(4), light, edge, StrokeKind::Inside);
                cx.art.piece(ui.painter(), rect.shrink(2.0), piece, egui::Color32::WHITE);
                let what = cx.words.with("put-piece", &[("piece", cx.words.piece(piece).into())]);
                name(&response, egui::Role::Button, true, &what);
                if response.clicked() {
                    state.box_piece = if chosen { None } else { Some(piece) };
                }
            }
        }
    });
    hint(ui, &cx.t("box-line"));
}

fn simulated_move(state: &mut DevicesState, board: &Board, touch: Touch) -> Option<SimulatedMove> {
    match touch {
        Touch::Drag(from, to) => Some(SimulatedMove::Carry(from, to)),
        Touch::Click(square) => match (state.box_piece, state.board.chosen.take()) {
            (Some(piece), _) if board[square] == Some(piece) => Some(SimulatedMove::Take(square)),
            (Some(piece), _) => Some(SimulatedMove::Put(square, piece)),
            (None, Some(from)) if from != square => Some(SimulatedMove::Carry(from, square)),
            (None, Some(_)) => None,
            (None, None) => {
                state.board.chosen = board[square].map(|_| square);
                None
            }
        },
    }
}
