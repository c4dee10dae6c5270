//! The screen for the record: the match line by line, any moment of it, plots and exports; and the evening's results.

use std::collections::BTreeMap;

use egui::{Button, Color32, Grid, RichText, ScrollArea, Slider, Stroke, Ui, vec2};
use egui_plot::{Bar, BarChart, Line, Plot, PlotPoints, Points};
use tabiya_app::desk::{Format, NarratedLine, Wish};
use tabiya_app::owing::{ChipWorth, debts};
use tabiya_app::snapshot::TableView;
use tabiya_app::store::evening::{MatchView, PlayerScore};
use tabiya_engine::table::Audience;
use tabiya_types::{BySeat, Color, Millis, Seat};

use super::board::{BoardLook, BoardState, board_ui};
use super::cx::Cx;
use super::widgets::{button, columns, date, field, field_below, heading, hint, main_button, name, panel};

/// What the screen remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordState {
    /// A default file name, and the file name that the user typed in its place; `None` if the user has typed none.
    path: Option<(String, String)>,
    /// Whether the screen shows the evening's results instead of the match.
    evening: bool,
    /// What a chip is worth, as typed; empty if nothing was agreed.
    chip: String,
}

/// Draws the screen. `shown` is the table at the moment that the user looks at.
pub(super) fn record_ui(ui: &mut Ui, cx: &mut Cx<'_>, shown: Option<&TableView>, state: &mut RecordState) {
    ui.horizontal(|ui| {
        for (evening, text) in [(false, "this-match"), (true, "this-evening")] {
            let chosen = state.evening == evening;
            if ui.add(Button::selectable(chosen, cx.t(text)).min_size(vec2(0.0, 32.0))).clicked() {
                state.evening = evening;
            }
        }
    });
    match shown {
        _ if state.evening => evening_ui(ui, cx, state),
        Some(view) => match_ui(ui, cx, view, state),
        None => hint(ui, &cx.t("no-match")),
    }
}

fn match_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut RecordState) {
    columns(
        ui,
        0.36,
        cx,
        |ui, cx| timeline_ui(ui, cx),
        |ui, cx| {
            moment_ui(ui, cx, view, ui.available_height() * 0.48);
            export_ui(ui, cx, view, state);
            plots_ui(ui, cx, view);
        },
    );
}

/// Draws the lines of the record that have a text for people. The line that the user looks at is marked.
fn timeline_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let moments = cx.snapshot.moments.clone();
    let readable: Vec<&NarratedLine> =
        moments.iter().filter(|moment| moment.told.iter().any(|told| may_be_read(told.to, cx))).collect();
    let at = cx.snapshot.past.as_ref().map(|past| past.line);
    let at_end = at == Some(moments.len());
    if at.is_some() && !(cx.snapshot.shows_other_match && at_end) {
        let back = main_button(ui, cx.theme, &cx.t("back-to-now"), true);
        if back.clicked() {
            cx.wish(Wish::LookBack(None));
        }
    } else {
        hint(ui, &cx.t("look-back-line"));
    }
    if cx.snapshot.shows_other_match && button(ui, &cx.t("put-away"), true).clicked() {
        cx.wish(Wish::StopViewing);
    }
    let row = ui.text_style_height(&egui::TextStyle::Body) + 8.0;
    ScrollArea::vertical().id_salt("timeline").auto_shrink(false).stick_to_bottom(at.is_none()).show_rows(
        ui,
        row,
        readable.len(),
        |ui, rows| {
            for moment in readable.iter().take(rows.end).skip(rows.start) {
                let told: Vec<String> = moment
                    .told
                    .iter()
                    .filter(|told| may_be_read(told.to, cx))
                    .map(|told| cx.say(&told.text))
                    .collect();
                let words = format!("{}  {}", Millis(moment.at.millis()), told.join("; "));
                let button = Button::selectable(at == Some(moment.line), words)
                    .min_size(vec2(ui.available_width(), row - 4.0));
                if ui.add(button).clicked() {
                    cx.wish(Wish::LookBack(Some(moment.line)));
                }
            }
        },
    );
}

/// Whether a line of the story may be shown here.
fn may_be_read(to: Audience, cx: &Cx<'_>) -> bool {
    to.open_to_players(cx.snapshot.moments_over)
}

/// Draws the table at the moment that the user looks at.
fn moment_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, height: f32) {
    let lines = cx.snapshot.moments.len();
    let shown = cx.snapshot.past.as_ref().map_or(lines, |past| past.line);
    let mut line = shown;
    ui.horizontal(|ui| {
        let label = ui.label(cx.t("line"));
        ui.spacing_mut().slider_width = (ui.available_width() - 120.0).max(80.0);
        ui.add(Slider::new(&mut line, 0..=lines)).labelled_by(label.id);
    });
    if line != shown {
        cx.wish(Wish::LookBack(Some(line).filter(|line| *line != lines)));
    }
    ui.horizontal_top(|ui| {
        if view.has_board {
            let look = BoardLook { stand_ins: &view.stand_ins, ..BoardLook::of_view(view, cx.below()) };
            let side = (height - 40.0).min(ui.available_width() * 0.6);
            board_ui(ui, cx, side, &look, &mut BoardState::default());
        }
        ui.vertical(|ui| {
            let facts =
                [("number", view.number.into()), ("phase", cx.words.word("phase", view.phase.word()).into())];
            ui.label(RichText::new(cx.words.with("game-at", &facts)).font(cx.bold(16.0)));
            for color in Color::ALL {
                let left = cx.reading(view.clock.reading(color, cx.at), view.clock.counts_up(color, cx.at));
                let chips = if view.has_chips() {
                    format!("   {}", view.stakes.stacks[color])
                } else {
                    String::new()
                };
                let (side, player) = (cx.words.color(color), &view.names[color]);
                ui.label(format!("{side} {player}   {left}{chips}"));
            }
            if view.has_chips() {
                ui.label(cx.words.with("pot-is", &[("count", view.stakes.pot().0.into())]));
            }
            if let Some(prompt) = view.prompt() {
                ui.label(RichText::new(cx.say(prompt)).color(cx.theme.muted));
            }
            if let Some(fen) = &view.fen
                && button(ui, &cx.t("copy-fen"), true).clicked()
            {
                ui.ctx().copy_text(fen.clone());
            }
        });
    });
}

/// The default file name for an export: the game and the players.
fn usual_name(view: &TableView) -> String {
    let plain =
        |name: &str| -> String { name.chars().filter(|sign| sign.is_alphanumeric()).take(20).collect() };
    let players = &view.agreement.players;
    format!("{}-{}-{}", view.agreement.game, plain(&players.a), plain(&players.b))
}

/// Draws the field for a file name, which contains the default name until the user types another. Returns the name.
fn file_ui(ui: &mut Ui, cx: &Cx<'_>, usual: String, state: &mut RecordState) -> String {
    let written = state.path.as_ref().filter(|(what, _)| *what == usual);
    let mut path = written.map_or_else(|| usual.clone(), |(_, path)| path.clone());
    if field_below(ui, &cx.t("file-name"), &mut path, 300.0).changed() {
        state.path = Some((usual, path.clone()));
    }
    path.trim().to_owned()
}

fn export_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut RecordState) {
    ui.horizontal_wrapped(|ui| {
        let path = file_ui(ui, cx, usual_name(view), state);
        for (format, text) in [
            (Format::Pgn, "write-pgn"),
            (Format::JsonLines, "write-jsonl"),
            (Format::Sheet, "write-sheet"),
            (Format::Story, "write-story"),
        ] {
            // A game that consists only of a clock has no moves, so it has no PGN.
            let can = !path.is_empty() && (format != Format::Pgn || view.has_board);
            if button(ui, &cx.t(text), can).clicked() {
                cx.wish(Wish::Export(format, path.clone().into()));
            }
        }
    });
    if let Some(head) = &view.head {
        hint(ui, &cx.words.with("head", &[("head", head.chars().take(16).collect::<String>().into())]));
    }
}

fn plots_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    let height = (ui.available_height() - 24.0).max(90.0);
    let stacks = view.has_chips();
    let width = if stacks { ui.available_width() / 2.0 - 12.0 } else { ui.available_width() };
    ui.horizontal_top(|ui| {
        if stacks {
            ui.vertical(|ui| stacks_plot(ui, cx, view, width, height));
        }
        ui.vertical(|ui| times_plot(ui, cx, width, height));
    });
}

/// Draws the legend above a plot: its title, and a coloured square and a name for each of two colours.
fn legend(ui: &mut Ui, title: &str, names: [(&str, Color32); 2]) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(title).strong());
        for (name, color) in names {
            let (mark, _) = ui.allocate_exact_size(vec2(10.0, 10.0), egui::Sense::hover());
            ui.painter().rect_filled(mark, 2.0, color);
            ui.label(name);
        }
    });
}

fn stacks_plot(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, width: f32, height: f32) {
    let moments = &cx.snapshot.moments;
    let players = &view.agreement.players;
    let colors = [(Seat::A, cx.theme.accent), (Seat::B, cx.theme.focus)];
    legend(ui, &cx.t("stacks-over-games"), colors.map(|(seat, color)| (&*players[seat], color)));
    let [a, b] = view.agreement.agreed.stacks();
    let brought = BySeat { a: a.0, b: b.0 };
    let plot = plot("stacks", width, height);
    let plot = plot.include_x(0.0).include_x(2.0).include_y(0.0).include_y(f64::from(a.0 + b.0));
    plot.show(ui, |plot| {
        for (seat, color) in colors {
            let points: Vec<[f64; 2]> = stacks(moments, seat, brought[seat])
                .into_iter()
                .map(|(game, chips)| [f64::from(game), f64::from(chips)])
                .collect();
            let style = if seat == Seat::A {
                egui_plot::LineStyle::Solid
            } else {
                egui_plot::LineStyle::dashed_dense()
            };
            plot.points(Points::new(seat.word(), points.clone()).radius(4.0).color(color));
            let points = PlotPoints::from(points);
            plot.line(Line::new(seat.word(), points).stroke(Stroke::new(2.5, color)).style(style));
        }
    });
}

fn times_plot(ui: &mut Ui, cx: &Cx<'_>, width: f32, height: f32) {
    let colors = [(Color::White, Color32::from_gray(225)), (Color::Black, Color32::from_gray(110))];
    let names = colors.map(|(side, color)| (cx.words.color(side), color));
    legend(ui, &cx.t("time-over-moves"), names.each_ref().map(|(name, color)| (&**name, *color)));
    plot("times", width, height).show(ui, |plot| {
        for (side, color) in colors {
            #[expect(clippy::cast_precision_loss, reason = "seconds on a plot")]
            let height = |millis: Millis| signed(side) * millis.0 as f64 / 1000.0;
            let bars: Vec<Bar> = used(&cx.snapshot.moments, side)
                .into_iter()
                .zip(1_u32..)
                .map(|(millis, nth)| Bar::new(f64::from(nth), height(millis)).width(0.8))
                .collect();
            plot.bar_chart(BarChart::new(cx.words.color(side), bars).color(color));
        }
    });
}

/// The sign of a side's bars in the plot: White's bars point up (positive), Black's bars point down (negative).
fn signed(side: Color) -> f64 {
    if side == Color::White { 1.0 } else { -1.0 }
}

fn plot(name: &str, width: f32, height: f32) -> Plot<'_> {
    Plot::new(name.to_owned())
        .width(width)
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .show_x(false)
}

/// A player's chips before the first game (number 0) and after each finished game, as pairs of the game's number and
/// the chips.
fn stacks(moments: &[NarratedLine], seat: Seat, brought: u32) -> Vec<(u32, u32)> {
    let mut last: Vec<(u32, u32)> = vec![(0, brought)];
    for moment in moments.iter().filter(|moment| !moment.running) {
        let game = u32::try_from(moment.game).unwrap_or(u32::MAX);
        let chips = moment.stacks[seat].0;
        match last.last_mut().filter(|(known, _)| *known == game) {
            Some(known) => known.1 = chips,
            None => last.push((game, chips)),
        }
    }
    last
}

/// The clock time that each of a side's turns used in the newest game.
fn used(lines: &[NarratedLine], side: Color) -> Vec<Millis> {
    let Some(game) = lines.last().map(|line| line.game) else { return Vec::new() };
    let of_game = lines.iter().filter(|line| line.game == game);
    of_game.filter_map(|line| line.spent).filter(|(by, _)| *by == side).map(|(_, spent)| spent).collect()
}

fn evening_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut RecordState) {
    let evening = cx.snapshot.evening.clone();
    hint(ui, &cx.words.with("evening-file", &[("path", evening.path.display().to_string().into())]));
    let usual = evening.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    ui.horizontal_wrapped(|ui| {
        let path = file_ui(ui, cx, usual, state);
        if button(ui, &cx.t("write-csv"), !path.is_empty()).clicked() {
            cx.wish(Wish::Results(path.into()));
        }
    });
    for trouble in &evening.trouble {
        ui.label(RichText::new(trouble).color(cx.theme.bad));
    }
    ScrollArea::vertical().id_salt("evening").auto_shrink(false).show(ui, |ui| {
        heading(ui, &cx.t("players"));
        let scores = evening.scores();
        scores_ui(ui, cx, &scores);
        let payments = debts(&scores);
        if !payments.is_empty() {
            field(ui, &cx.t("chip-worth"), &mut state.chip, 80.0);
        }
        let worth = ChipWorth::parse(state.chip.trim());
        if worth.is_none() && !state.chip.trim().is_empty() {
            hint(ui, &cx.t("chip-worth-form"));
        }
        for payment in payments {
            ui.label(cx.say(&payment.sentence(worth.map(|worth| worth.of(payment.chips)))));
        }
        heading(ui, &cx.t("matches"));
        for played in &evening.matches {
            panel(cx.theme).show(ui, |ui| {
                ui.set_width(ui.available_width());
                if match_line_ui(ui, cx, played) {
                    cx.wish(Wish::LookAt { path: evening.path.clone(), id: played.id });
                    state.evening = false;
                }
                games_ui(ui, cx, played);
            });
        }
    });
}

/// Draws the players' results, a line for each player.
fn scores_ui(ui: &mut Ui, cx: &Cx<'_>, scores: &BTreeMap<&str, PlayerScore>) {
    panel(cx.theme).show(ui, |ui| {
        Grid::new("scores").striped(true).spacing([28.0, 6.0]).show(ui, |ui| {
            for name in ["player", "won", "draws", "lost", "chips-won"] {
                ui.label(RichText::new(cx.t(name)).strong());
            }
            ui.end_row();
            for (player, score) in scores {
                ui.label(*player);
                ui.label(score.won.to_string());
                ui.label(score.drawn.to_string());
                ui.label(score.lost.to_string());
                ui.label(format!("{:+}", score.chips));
                ui.end_row();
            }
        });
    });
}

/// Draws a match as one line with a button to look at it. Returns whether the button was clicked.
fn match_line_ui(ui: &mut Ui, cx: &Cx<'_>, played: &MatchView) -> bool {
    let facts = [
        ("a", played.players.a.clone().into()),
        ("b", played.players.b.clone().into()),
        ("game", cx.words.word("game", &played.game).into()),
        ("begun", played.begun.as_deref().map(date).unwrap_or_default().into()),
    ];
    let line = cx.words.with("match-line", &facts);
    let row = ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(&line).font(cx.bold(15.0)));
        let response = button(ui, &cx.t("look-at-it"), true);
        name(&response, egui::Role::Button, true, &format!("{}: {line}", cx.t("look-at-it")));
        response.clicked()
    });
    row.inner
}

/// Draws the games of a match, a line for each game.
fn games_ui(ui: &mut Ui, cx: &Cx<'_>, played: &MatchView) {
    let of = |seat: Seat| played.players[seat].clone();
    Grid::new(("games", played.id)).striped(true).spacing([22.0, 4.0]).show(ui, |ui| {
        for (game, number) in played.games.iter().zip(1..) {
            ui.label(number.to_string());
            ui.label(cx.words.with("white-was", &[("name", of(game.white).into())]));
            ui.label(match (game.reason, game.winner) {
                (None, _) => cx.t("in-progress"),
                (Some(_), Some(winner)) => cx.words.with("wins", &[("name", of(winner).into())]),
                (Some(_), None) if game.counts => cx.t("drawn"),
                (Some(_), None) => cx.t("no-result"),
            });
            let reason = game.reason.map(|reason| cx.reason(reason));
            ui.label(reason.unwrap_or_default());
            ui.label(format!("{} : {}", game.stacks.a, game.stacks.b));
            ui.end_row();
        }
    });
}
