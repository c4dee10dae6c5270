//! Several tables in one window: a tile for each, a line that says what the chosen one waits for, and the whole screen of a table
//! when it is opened. Each table has its own shell and its own desk; this draws their snapshots and returns what was asked of which.

mod bar;
mod footer;
mod keys;
mod tile;
mod window;

use std::path::PathBuf;
use std::sync::Arc;

use egui::{CentralPanel, Frame, Rect, Ui, UiBuilder, Vec2, vec2};
use tabiya_app::alerts::AlertKind;
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::{LinkState, Snapshot, TableView};
use tabiya_engine::table::Audience;
use tabiya_store::settings::Settings;
use tabiya_text::Words;
use tabiya_types::Instant;

pub(super) use self::window::SeveralWindow;
pub use self::window::{SeveralOpening, TableOpening};
use super::cx::Cx;
use super::desktop::FileAsk;
use super::keys::Command;
use super::kit::group::TabGroup;
use super::kit::{cut_bottom, cut_top};
use super::shell::Shell;
use super::theme::Theme;

/// The height of the line below the tiles, of the bar, and the gap between tiles, at a rem of 16 points.
const FOOTER: f32 = 72.0;
const BAR: f32 = 48.0;
const GAP: f32 = 9.0;

/// What a table shows at one moment.
#[derive(Clone, Debug)]
pub struct TileNow {
    /// Its newest snapshot.
    pub snapshot: Arc<Snapshot>,
    /// The present moment of its program's time.
    pub now: Instant,
    /// Whether its desk still runs.
    pub alive: bool,
}

/// What is the matter with a table, the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// Its desk has ended by a fault of the program.
    Broken,
    /// The board does not show what the table expects.
    Differs,
    /// The board is gone.
    Lost,
    /// Something is asked.
    Asks,
    /// The clocks are stopped.
    Stopped,
    /// A game or the match is over.
    Done,
    /// There is no match.
    Empty,
    Plays,
}

impl Standing {
    fn of(table: &TileNow) -> Self {
        let snapshot = &table.snapshot;
        let Some(view) = snapshot.table.as_deref() else {
            return if table.alive { Self::Empty } else { Self::Broken };
        };
        let asks = snapshot.question.as_ref().is_some_and(|asked| asked.to == Audience::Players);
        let lost = matches!(snapshot.board.link, LinkState::Lost(_));
        match () {
            () if !table.alive => Self::Broken,
            () if view.outcome.is_some() || view.match_over => Self::Done,
            () if is_wrong(snapshot, view) => Self::Differs,
            () if lost => Self::Lost,
            () if asks => Self::Asks,
            () if view.clock.paused() => Self::Stopped,
            () => Self::Plays,
        }
    }
}

/// Whether the board differs in a way that players may see: at an event that is for the arbiter alone.
fn is_wrong(snapshot: &Snapshot, view: &TableView) -> bool {
    snapshot.alert(AlertKind::Piece).is_some() && !view.is_event()
}

/// Several tables, and what the window remembers between frames.
#[derive(Debug)]
pub struct SeveralShell {
    /// What the tiles are drawn with: words, keys and look. It shows no table itself.
    frame: Shell,
    shells: Vec<Shell>,
    /// The name of the whole, such as that of the file.
    title: String,
    chosen: usize,
    /// Whether the chosen table's own screen is shown.
    open: bool,
    /// Whether people were asked whether to close the window.
    asks_to_close: bool,
    /// Whether they have said yes.
    closes: bool,
}

impl SeveralShell {
    /// A silent window of so many tables, at least one.
    pub fn new(title: &str, count: usize) -> Self {
        Self::of((0..count.max(1)).map(|_| Shell::default()).collect(), title)
    }

    fn of(shells: Vec<Shell>, title: &str) -> Self {
        let shells: Vec<Shell> =
            shells.into_iter().enumerate().map(|(nth, shell)| shell.among_others(nth + 1)).collect();
        Self {
            frame: Shell::default(),
            shells,
            title: title.to_owned(),
            chosen: 0,
            open: false,
            asks_to_close: false,
            closes: false,
        }
    }

    /// Tells whether the system asks for reduced motion; `None` if it does not say.
    pub fn still_by_system(&mut self, still: Option<bool>) {
        self.each(|shell| shell.system_still = still);
    }

    /// The chosen table, from 0, and whether its own screen is shown.
    pub fn chosen(&self) -> (usize, bool) {
        (self.chosen, self.open)
    }

    /// Asks whether to close the window, if games are running. Returns whether it may be closed at once.
    pub fn may_close(&mut self, tables: &[TileNow]) -> bool {
        let runs = tables.iter().any(|table| table.alive && is_in_use(table));
        (self.open, self.asks_to_close) = (self.open && !runs, runs);
        !runs
    }

    /// Whether people have said that the window closes.
    pub fn closes(&self) -> bool {
        self.closes
    }

    /// Plays and speaks what is new at the chosen table: several at once could not be told apart. Call it for every snapshot.
    fn listen(&mut self, tables: &[TileNow]) {
        if let Some((shell, table)) = self.shells.get_mut(self.chosen).zip(tables.get(self.chosen)) {
            shell.listen(&table.snapshot, table.now);
        }
    }

    /// Does this with the shell of each table, and with that of the tiles.
    fn each(&mut self, change: impl Fn(&mut Shell)) {
        self.shells.iter_mut().chain([&mut self.frame]).for_each(change);
    }

    fn look_of_the_system(&mut self, dark: Option<bool>) {
        self.each(|shell| shell.system_dark = dark);
    }

    /// Takes the questions to the desktop's dialog for files: the table, the number of its question, the question.
    fn take_questions(&mut self) -> Vec<(usize, u64, FileAsk)> {
        let of = |(table, shell): (usize, &mut Shell)| {
            shell.take_questions().into_iter().map(move |(number, ask)| (table, number, ask))
        };
        self.shells.iter_mut().enumerate().flat_map(of).collect()
    }

    /// Takes the dialog's answer to this table's question with this number.
    fn chosen_file(&mut self, table: usize, number: u64, path: Option<PathBuf>) {
        if let Some(shell) = self.shells.get_mut(table) {
            shell.chosen(number, path);
        }
    }

    fn words(&self) -> &Words {
        self.frame.words()
    }

    fn theme(&self, settings: &Settings) -> Theme {
        self.frame.theme(settings)
    }

    fn choose(&mut self, nth: usize) {
        if nth < self.shells.len() && nth != self.chosen {
            self.chosen = nth;
            self.shells.iter_mut().for_each(Shell::forget_heard);
        }
    }

    /// Draws one frame. Returns what was asked of which table, by its place from 0.
    pub fn ui(&mut self, ui: &mut Ui, tables: &[TileNow]) -> Vec<(usize, Wish)> {
        let Some(table) = tables.get(self.chosen) else { return Vec::new() };
        if let Some(shell) = self.shells.get_mut(self.chosen).filter(|_| self.open) {
            shell.broken = !table.alive;
            let wishes = shell.ui(ui, &table.snapshot, table.now);
            self.open = !shell.take_back_to_all();
            if !self.open {
                ui.ctx().request_repaint();
            }
            return wishes.into_iter().map(|wish| (self.chosen, wish)).collect();
        }
        self.tiles_ui(ui, tables)
    }

    fn tiles_ui(&mut self, ui: &mut Ui, tables: &[TileNow]) -> Vec<(usize, Wish)> {
        let Some(table) = tables.get(self.chosen) else { return Vec::new() };
        self.frame.follow(ui, &table.snapshot.settings);
        let theme = self.theme(&table.snapshot.settings);
        let columns = columns(tables.len());
        let numbers = keys::take(ui.ctx(), columns);
        let pressed = self.frame.table_commands(ui);
        let mut asked = Asked::default();
        let mut wishes = Vec::new();
        {
            let frame = &self.frame;
            let context = |table: &'_ TileNow| (table.snapshot.clone(), table.now);
            let (snapshot, now) = context(table);
            let mut cx = Cx::new(ui.ctx(), frame.parts(), &theme, &snapshot, now);
            cx.pressed = pressed;
            if cx.takes(Command::FullScreen) {
                super::chrome::fill_screen(&cx.ctx);
            }
            CentralPanel::default().frame(Frame::new().fill(theme.ground)).show(ui, |ui| {
                let sizes = cx.sizes;
                let px = move |points: f32| sizes.px(points);
                let mut area = ui.available_rect_before_wrap();
                ui.advance_cursor_after_rect(area);
                let bar = cut_top(&mut area, px(BAR), 0.0).shrink2(vec2(px(12.0), px(6.0)));
                let mut area = area.shrink(px(12.0));
                let foot = cut_bottom(&mut area, px(FOOTER), px(GAP));
                // The Tab key goes through the line below, the tiles, the bar.
                inside(ui, foot, |ui| {
                    let place = (self.chosen + 1, foot);
                    if self.asks_to_close {
                        footer::close_ui(ui, &mut cx, tables, foot, &mut asked);
                    } else {
                        footer::footer_ui(ui, &mut cx, table, place, &mut asked);
                    }
                });
                wishes = std::mem::take(&mut cx.wishes);
                inside(ui, area, |ui| {
                    let mut group = TabGroup::new(ui, "several", Some(self.chosen));
                    for (nth, table) in tables.iter().enumerate() {
                        let place = place(area, px(GAP), (columns, tables.len().div_ceil(columns)), nth);
                        let cx = Cx::new(ui.ctx(), frame.parts(), &theme, &table.snapshot, table.now);
                        let chosen = nth == self.chosen;
                        let clicked = tile::tile_ui(ui, &cx, table, (nth + 1, place, chosen), &mut group);
                        if clicked {
                            asked.choose = Some(nth);
                            asked.open |= chosen;
                        }
                    }
                    group.end(ui);
                });
                inside(ui, bar, |ui| bar::bar_ui(ui, &cx, (&self.title, tables), bar));
            });
            super::shell::focus_ring(ui.ctx(), &theme);
        }
        for table in tables {
            self.frame.ask_for_frames(ui, &table.snapshot, table.snapshot.time.of(table.now));
        }
        let at = self.chosen;
        self.follow_keys(&numbers, tables.len(), &mut asked);
        self.follow(&asked);
        wishes.into_iter().map(|wish| (at, wish)).collect()
    }

    fn follow_keys(&mut self, pressed: &[keys::TileKey], count: usize, asked: &mut Asked) {
        for key in pressed {
            match *key {
                keys::TileKey::Number(nth) if nth < count => asked.choose = Some(nth),
                keys::TileKey::Number(_) => {}
                keys::TileKey::Step(step) => {
                    asked.choose = self.chosen.checked_add_signed(step).filter(|nth| *nth < count);
                }
                keys::TileKey::Enter if self.asks_to_close => asked.close = Some(true),
                keys::TileKey::Enter => asked.open = true,
                keys::TileKey::Escape => asked.close = self.asks_to_close.then_some(false),
            }
        }
    }

    /// Does what was asked of the window itself.
    fn follow(&mut self, asked: &Asked) {
        if let Some(nth) = asked.choose {
            self.choose(nth);
        }
        if let Some(closes) = asked.close {
            (self.asks_to_close, self.closes) = (false, closes);
        }
        self.open |= asked.open;
        if let Some(shell) = self.shells.get_mut(self.chosen).filter(|_| asked.take_back) {
            self.open = true;
            shell.press(Command::Undo);
        }
    }
}

/// What was asked of the window in a frame.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    choose: Option<usize>,
    /// To open the chosen table.
    open: bool,
    /// To open it and to ask what is taken back.
    take_back: bool,
    /// The answer whether to close the window.
    close: Option<bool>,
}

fn inside(ui: &mut Ui, area: Rect, draw: impl FnOnce(&mut Ui)) {
    ui.scope_builder(UiBuilder::new().max_rect(area), draw);
}

/// Whether something would be interrupted if the window closed.
fn is_in_use(table: &TileNow) -> bool {
    table.snapshot.table.as_deref().is_some_and(|view| view.in_use)
}

/// How many tiles stand beside each other: two rows at most.
fn columns(count: usize) -> usize {
    if count <= 2 { count.max(1) } else { count.div_ceil(2) }
}

/// The place of a tile.
#[expect(clippy::cast_precision_loss, reason = "at most eight")]
fn place(area: Rect, gap: f32, (columns, rows): (usize, usize), nth: usize) -> Rect {
    let whole = vec2(columns as f32, rows as f32);
    let size = (area.size() + Vec2::splat(gap)) / whole - Vec2::splat(gap);
    let at = vec2((nth % columns) as f32, (nth / columns) as f32) * (size + Vec2::splat(gap));
    Rect::from_min_size(area.min + at, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_tiles_stand_in_two_rows_of_four_and_fewer_are_larger() {
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 8].map(columns), [1, 2, 2, 2, 3, 3, 4, 4]);
        let area = Rect::from_min_size(egui::pos2(12.0, 60.0), vec2(1256.0, 643.0));
        let last = place(area, 9.0, (4, 2), 7);
        assert_eq!(last.max, area.max, "they fill the area");
        assert!((last.width() - 307.25).abs() < 0.01 && (last.height() - 317.0).abs() < 0.01, "{last:?}");
    }
}
