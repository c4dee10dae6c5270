//! The screen for devices: the connected board, its raw bytes, a test of its squares, and a simulated board for trying
//! things out. `readers.rs` draws the card readers.

use egui::{Align2, ComboBox, CornerRadius, Grid, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2};
use tabiya_app::desk::{BoardWish, MakerChoice, SimulatedMove, makers};
use tabiya_app::snapshot::{BoardFact, LinkState, RawLine, SimulatedView};
use tabiya_types::{Board, Color, Millis, Piece, Role, Square};

use super::board::{BoardLook, BoardState, Geometry, Touch, board_ui};
use super::cx::Cx;
use super::theme::bold_font;
use super::widgets::{button, columns, field_below, heading, hint, main_button, name, panel, translucent};

/// What the screen remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct DevicesState {
    address: Option<String>,
    capture: String,
    board: BoardState,
    /// The address prefix of the maker whose board the user has chosen to simulate.
    simulated: Option<&'static str>,
    /// The piece that a click puts on the simulated board.
    box_piece: Option<Piece>,
    pulled: bool,
}

/// Draws the screen.
pub(super) fn devices_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState) {
    columns(
        ui,
        0.46,
        &mut (cx, state),
        |ui, (cx, state)| {
            ScrollArea::vertical().id_salt("devices").auto_shrink(false).show(ui, |ui| {
                connection_ui(ui, cx, state);
                facts_ui(ui, cx);
                super::readers::readers_ui(ui, cx);
                monitor_ui(ui, cx, state);
            });
        },
        |ui, (cx, state)| boards_ui(ui, cx, state),
    );
}

fn connection_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState) {
    heading(ui, &cx.t("board"));
    let address =
        state.address.get_or_insert_with(|| cx.settings.board.clone().unwrap_or_else(|| "auto".to_owned()));
    ui.horizontal_wrapped(|ui| {
        field_below(ui, &cx.t("address"), address, 220.0);
        ui.vertical(|ui| {
            ui.add_space(14.0);
            if main_button(ui, cx.theme, &cx.t("connect"), !address.trim().is_empty()).clicked() {
                let address = address.trim().to_owned();
                cx.set(|settings| settings.board = Some(address.clone()));
                cx.board(BoardWish::Connect(address));
            }
        });
    });
    let makers = makers();
    let words = makers.iter().map(|maker| maker.prefix).collect::<Vec<_>>().join(", ");
    hint(ui, &cx.words.with("address-line", &[("makers", words.into())]));
    ui.horizontal_wrapped(|ui| {
        if button(ui, &cx.t("find-boards"), true).clicked() {
            cx.board(BoardWish::Discover);
        }
        let there = cx.snapshot.board.link != LinkState::None;
        if button(ui, &cx.t("disconnect"), there).clicked() {
            cx.board(BoardWish::Disconnect);
        }
        if button(ui, &cx.t("read-board"), there).clicked() {
            cx.board(BoardWish::Read);
        }
    });
    ui.horizontal_wrapped(|ui| {
        let can: Vec<MakerChoice> = makers.into_iter().filter(|maker| maker.simulated).collect();
        let Some(chosen) = can.iter().find(|maker| Some(maker.prefix) == state.simulated).or(can.first())
        else {
            return;
        };
        let mut prefix = chosen.prefix;
        ComboBox::from_label(cx.t("fact-maker")).selected_text(chosen.name).show_ui(ui, |ui| {
            for maker in &can {
                ui.selectable_value(&mut prefix, maker.prefix, maker.name);
            }
        });
        state.simulated = Some(prefix);
        if button(ui, &cx.t("simulator"), true).clicked() {
            state.pulled = false;
            cx.board(BoardWish::Connect(format!("sim:{prefix}")));
        }
    });
    let found = cx.snapshot.found.clone();
    for board in found.iter() {
        ui.horizontal_wrapped(|ui| {
            let text = cx.words.with("connect-to", &[("what", board.text.clone().into())]);
            if button(ui, &text, true).clicked() {
                cx.board(BoardWish::Connect(board.address.clone()));
            }
        });
    }
}

fn facts_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let board = &cx.snapshot.board;
    panel(cx.theme).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let (state, color) = match &board.link {
            LinkState::None => (cx.t("board-none"), cx.theme.muted),
            LinkState::Connecting => (cx.t("board-connecting"), cx.theme.accent),
            LinkState::Connected => (cx.t("board-connected"), cx.theme.good),
            LinkState::Lost(why) => {
                (cx.words.with("lost-because", &[("why", why.clone().into())]), cx.theme.bad)
            }
        };
        ui.label(RichText::new(state).font(cx.bold(16.0)).color(color));
        Grid::new("facts").spacing([24.0, 4.0]).show(ui, |ui| {
            let mut fact = |name: &str, value: &str| {
                ui.label(RichText::new(cx.t(name)).color(cx.theme.muted));
                ui.label(value);
                ui.end_row();
            };
            if let Some(address) = &board.address {
                fact("fact-address", address);
            }
            for (what, value) in &board.facts {
                let name = match what {
                    BoardFact::Maker => "fact-maker",
                    BoardFact::Version => "fact-version",
                    BoardFact::Serial => "fact-serial",
                    BoardFact::Clock => "fact-clock",
                };
                fact(name, value);
            }
            if let Some((percent, charging)) = board.battery {
                let charging = if charging { cx.t("charging") } else { String::new() };
                fact("fact-battery", &format!("{percent} % {charging}"));
            }
        });
    });
}

fn monitor_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState) {
    heading(ui, &cx.t("monitor"));
    let mut on = cx.snapshot.board.bytes.is_some();
    if ui.checkbox(&mut on, cx.t("monitor-on")).changed() {
        cx.board(BoardWish::Watch(on));
    }
    ui.horizontal_wrapped(|ui| {
        field_below(ui, &cx.t("capture-file"), &mut state.capture, 220.0);
        ui.vertical(|ui| {
            ui.add_space(14.0);
            if let Some(path) = cx.snapshot.board.capture.clone() {
                let text = cx.words.with("stop-capture", &[("path", path.into())]);
                if button(ui, &text, true).clicked() {
                    cx.board(BoardWish::Capture(None));
                }
            } else if button(ui, &cx.t("start-capture"), !state.capture.trim().is_empty()).clicked() {
                cx.board(BoardWish::Capture(Some(state.capture.trim().into())));
            }
        });
    });
    if let Some(bytes) = cx.snapshot.board.bytes.clone() {
        ScrollArea::vertical()
            .id_salt("bytes")
            .max_height(180.0)
            .auto_shrink(false)
            .stick_to_bottom(true)
            .show(ui, |ui| {
                for RawLine { at, from_board, hex } in bytes.iter() {
                    let arrow = if *from_board { "<" } else { ">" };
                    let time = Millis(at.millis());
                    ui.label(RichText::new(format!("{time} {arrow} {hex}")).monospace());
                }
            });
    }
}

fn boards_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState) {
    let board = cx.snapshot.board.clone();
    match board.simulated {
        Some(simulated) => simulator_ui(ui, cx, state, &simulated),
        None => test_ui(ui, cx, board.seen.as_ref()),
    }
}

/// Draws the simulated board. The user drags its pieces, and the board sends its bytes through a port of the system,
/// like a real board.
fn simulator_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState, simulated: &SimulatedView) {
    let lit: Vec<Square> = simulated.lit.iter().collect();
    let simulated = &simulated.board;
    heading(ui, &cx.t("simulated-board"));
    hint(ui, &cx.t("simulated-line"));
    let side = (ui.available_height() - 150.0).min(ui.available_width());
    let look = BoardLook { live: true, lights: &lit, ..BoardLook::plain(simulated, cx.below()) };
    if let Some(touch) = board_ui(ui, cx, side, &look, &mut state.board)
        && let Some(what) = simulated_move(state, simulated, touch)
    {
        cx.board(BoardWish::Move(what));
    }
    ui.horizontal_wrapped(|ui| {
        for color in Color::ALL {
            let text = cx.words.with("press", &[("color", cx.words.color(color).into())]);
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
        if let Some(view) = &cx.snapshot.table {
            let physical = view.physical;
            if button(ui, &cx.t("set-as-table"), true).clicked() {
                cx.board(BoardWish::Move(SimulatedMove::Set(physical)));
            }
        }
    });
    box_ui(ui, cx, state);
}

/// Draws the pieces that can be put on the simulated board.
fn box_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut DevicesState) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = Piece { color, role };
                let (rect, response) = ui.allocate_exact_size(Vec2::splat(34.0), Sense::click());
                let chosen = state.box_piece == Some(piece);
                let edge =
                    if chosen { Stroke::new(3.0, cx.theme.accent) } else { Stroke::new(1.0, cx.theme.line) };
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

/// Draws the pieces that the board reports, and how often each square has changed.
fn test_ui(ui: &mut Ui, cx: &mut Cx<'_>, seen: Option<&Board>) {
    heading(ui, &cx.t("sensor-test"));
    hint(ui, &cx.t("sensor-line"));
    let mut on = cx.snapshot.board.changes.is_some();
    if ui.checkbox(&mut on, cx.t("sensor-on")).changed() {
        cx.board(BoardWish::Test(on));
    }
    let empty = Board::EMPTY;
    let board = seen.unwrap_or(&empty);
    let side = ui.available_height().min(ui.available_width()) - 8.0;
    let look = BoardLook::plain(board, cx.below());
    let corner = ui.cursor().min;
    board_ui(ui, cx, side, &look, &mut BoardState::default());
    if let Some(changes) = cx.snapshot.board.changes.clone() {
        heat_ui(ui, cx, Geometry::new(ui, corner, side, cx.below()), &changes);
    }
}

/// Draws the number of changes on every square that changed. More changes give a stronger background.
fn heat_ui(ui: &Ui, cx: &Cx<'_>, geometry: Geometry, changes: &[u32; 64]) {
    for (square, count) in Square::all().zip(changes).filter(|(_, count)| **count > 0) {
        let place = geometry.square(square);
        let strength = u8::try_from((60 + count * 14).min(220)).unwrap_or(220);
        ui.painter().rect_filled(
            place,
            CornerRadius::ZERO,
            translucent(egui::Color32::from_rgb(200, 30, 20), strength),
        );
        ui.painter().text(
            place.center(),
            Align2::CENTER_CENTER,
            count,
            bold_font(place.width() * 0.34),
            egui::Color32::WHITE,
        );
        let response = ui.interact(place, ui.scope_id().with(("heat", square.index())), Sense::hover());
        let facts = [("square", square.to_string().into()), ("count", (*count).into())];
        name(&response, egui::Role::Label, true, &cx.words.with("changed-times", &facts));
    }
}
