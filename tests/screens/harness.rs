//! Runs the screens of a window, with a desk of their own. Their time advances only when a test says so.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use egui::{self, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use tabiya_app::desk::Wish;
use tabiya_app::desk::{Desk, DeskOrder, Environment, RandomSource};
use tabiya_app::snapshot::TableView;
use tabiya_boards::makers::dgt;
use tabiya_boards::{BoardEvent, BoardInfo};
use tabiya_cards::{CardEvent, CardTap, TagContent, Uid};
use tabiya_store::settings::Settings;
use tabiya_types::{Board, Instant, Millis, Observation, Seat};
use tabiya_window::Shell;
use tempfile::TempDir;

/// The state behind the screens.
pub(crate) struct Behind {
    pub(crate) shell: Shell,
    pub(crate) desk: Desk,
    pub(crate) now: Instant,
}

/// The screens, and a folder that exists as long as they do.
pub(crate) struct Screens {
    pub(crate) harness: Harness<'static, Behind>,
    pub(crate) folder: TempDir,
    /// What was written on simulated cards.
    written: BTreeMap<Uid, TagContent>,
}

/// A source of "random" bytes that counts, so that no two cards get the same id.
fn counting() -> RandomSource {
    let drawn = Cell::new(0_u64);
    Box::new(move |bytes| {
        drawn.set(drawn.get() + 1);
        let number = drawn.get().to_le_bytes();
        bytes.iter_mut().zip(number.into_iter().cycle()).for_each(|(byte, drawn)| *byte = drawn);
        Ok(())
    })
}

pub(crate) fn surroundings(folder: &TempDir) -> Environment {
    Environment {
        date: Box::new(|| Ok("2026-10-03T19:30:00+02:00".to_owned())),
        coin: Box::new(|| Ok(Seat::B)),
        chance: counting(),
        evenings: folder.path().to_owned(),
        settings: folder.path().join("settings.json"),
        documents: None,
        home: Some(folder.path().to_owned()),
        locale: "en_GB.UTF-8".to_owned(),
        features: &[],
    }
}

impl Screens {
    pub(crate) fn open(size: [f32; 2]) -> Self {
        Self::with(size, &Settings { names: vec!["Ann".to_owned(), "Bo".to_owned()], ..Settings::default() })
    }

    pub(crate) fn with(size: [f32; 2], settings: &Settings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        settings.save(&folder.path().join("settings.json")).unwrap();
        Self::over(size, folder)
    }

    /// Starts the program in the folder of an earlier run.
    pub(crate) fn over(size: [f32; 2], folder: TempDir) -> Self {
        let mut desk = Desk::new(surroundings(&folder), None);
        desk.look();
        let behind = Behind { shell: Shell::default(), desk, now: Instant::ZERO };
        let mut harness = Harness::builder().with_size(egui::Vec2::from(size)).build_ui_state(frame, behind);
        harness.run();
        Self { harness, folder, written: BTreeMap::new() }
    }

    /// Closes the window; the folder stays.
    pub(crate) fn close(self) -> TempDir {
        let mut behind = self.harness.into_state();
        behind.desk.end(behind.now);
        self.folder
    }

    /// Feeds an event of the card readers. If the desk asks for a card to be written, this writes it at once.
    pub(crate) fn cards(&mut self, event: &CardEvent) {
        let state = self.harness.state_mut();
        state.desk.cards(event, state.now);
        for order in state.desk.take_orders() {
            if let DeskOrder::WriteCard(reader, uid, record) = order {
                let content = TagContent::Ours(record);
                self.written.insert(uid, content);
                state.desk.cards(&CardEvent::Written(CardTap { reader, uid, content }), state.now);
            }
        }
        self.harness.run();
    }

    /// A board is connected, and this stands on it.
    pub(crate) fn board_shows(&mut self, board: Board) {
        let state = self.harness.state_mut();
        let now = state.now;
        state.desk.board(&BoardEvent::Identified(BoardInfo::new(dgt::MAKER.brand())), now);
        state.desk.board(&BoardEvent::Observed(Observation::Whole(board)), now);
        self.harness.run();
    }

    /// A reader of this name is plugged in.
    pub(crate) fn plug_in(&mut self, reader: &str) {
        self.cards(&CardEvent::Connected(reader.into()));
        self.cards(&CardEvent::Ready);
    }

    /// The card with this chip is laid on that reader.
    pub(crate) fn tap(&mut self, reader: &str, chip: u8) {
        let uid = Uid::new(&[4, 0, 0, chip]).unwrap();
        let content = self.written.get(&uid).copied().unwrap_or(TagContent::Empty);
        self.cards(&CardEvent::Tapped(CardTap { reader: reader.into(), uid, content }));
    }

    pub(crate) fn wait(&mut self, millis: u64) {
        let state = self.harness.state_mut();
        let until = state.now + Millis(millis);
        while let Some(due) = state.desk.deadline().filter(|due| *due <= until) {
            state.now = state.now.max(due);
            state.desk.time(state.now);
        }
        state.now = until;
        state.desk.time(until);
        self.harness.run();
    }

    pub(crate) fn click(&mut self, label: &str) {
        self.find(label).click();
        self.harness.run();
        self.wait(50);
    }

    /// The control with this label. In the control's name, a keyboard key or the marks of a square may follow the
    /// label.
    fn find<'a>(&'a self, label: &'a str) -> egui_kittest::Node<'a> {
        // A key follows the label in brackets, a square's marks follow it after a comma.
        let (bracket, marked) = (format!("{label}  ["), format!("{label}, "));
        let named = |node: &egui_kittest::Node<'_>| {
            node.accesskit_node()
                .label()
                .is_some_and(|name| name == label || name.starts_with(&bracket) || name.starts_with(&marked))
        };
        let found = self.harness.query_all_by_label_contains(label).find(named);
        found.unwrap_or_else(|| panic!("no control is called `{label}`; there are: {:?}", self.labels()))
    }

    pub(crate) fn shows(&self, text: &str) -> bool {
        self.harness.query_all_by_label_contains(text).next().is_some()
    }

    pub(crate) fn labels(&self) -> Vec<String> {
        let text = |node: egui_kittest::Node<'_>| node.accesskit_node().label().or_else(|| node.value());
        self.harness.query_all_by_label_contains("").filter_map(text).collect()
    }

    pub(crate) fn key(&mut self, key: Key) {
        self.harness.key_press(key);
        self.harness.run();
        self.wait(50);
    }

    pub(crate) fn ctrl(&mut self, key: Key) {
        self.harness.key_press_modifiers(Modifiers::COMMAND, key);
        self.harness.run();
        self.wait(50);
    }

    /// Feeds all events within one frame.
    pub(crate) fn frame(&mut self, events: Vec<egui::Event>) {
        self.harness.input_mut().events.extend(events);
        self.harness.step();
        self.wait(50);
    }

    /// Clicks as a screen reader does, without a pointer.
    pub(crate) fn click_by_name(&mut self, label: &str) {
        self.find(label).click_accesskit();
        self.harness.run();
        self.wait(50);
    }

    /// The middle of a control.
    pub(crate) fn middle_of(&self, label: &str) -> egui::Pos2 {
        self.find(label).rect().center()
    }

    /// Clicks the rightmost of several controls of that name.
    pub(crate) fn click_last(&mut self, label: &str) {
        let nodes = self.harness.query_all_by_label_contains(label);
        let rightmost = nodes.max_by(|one, other| one.rect().right().total_cmp(&other.rect().right()));
        rightmost.unwrap().click();
        self.harness.run();
        self.wait(50);
    }

    /// From now on, shows each further window of the program separately. A test can put events into the returned list;
    /// they are typed into these windows.
    pub(crate) fn in_a_second_window(&mut self) -> Rc<RefCell<Vec<egui::Event>>> {
        let typed = Rc::new(RefCell::new(Vec::new()));
        let events = typed.clone();
        self.harness.ctx.set_embed_viewports(false);
        egui::Context::set_immediate_viewport_renderer(move |ctx, mut viewport| {
            let input = egui::RawInput {
                viewport_id: viewport.ids.this,
                viewports: [(viewport.ids.this, egui::ViewportInfo::default())].into_iter().collect(),
                events: events.take(),
                ..egui::RawInput::default()
            };
            let mut output = ctx.run_ui(input, |ui| (viewport.viewport_ui_cb)(ui));
            output.textures_delta.clear();
        });
        typed
    }

    /// Feeds all events to the second window within one frame.
    pub(crate) fn type_there(&mut self, typed: &RefCell<Vec<egui::Event>>, events: Vec<egui::Event>) {
        typed.replace(events);
        self.harness.run();
        self.wait(50);
    }

    /// Replaces the text in the field of that name.
    pub(crate) fn fill(&mut self, label: &str, text: &str) {
        self.find(label).focus();
        self.harness.run();
        self.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        self.harness.run();
        self.find(label).type_text(text);
        self.harness.run();
    }

    /// Writes a time control on the first screen.
    pub(crate) fn set_time(&mut self, time: &str) {
        self.click("Custom …");
        self.fill("Time for each", time);
        self.click("Use this time");
    }

    /// Changes a rule on the first screen.
    pub(crate) fn rule(&mut self, label: &str) {
        self.click("More rules");
        self.scroll_to(label);
        self.click(label);
        self.click("Done");
    }

    pub(crate) fn focus(&mut self, label: &str) {
        self.find(label).focus();
        self.harness.run();
    }

    /// Scrolls until a control is visible.
    pub(crate) fn scroll_to(&mut self, label: &str) {
        self.find(label).scroll_to_me();
        self.harness.run();
    }

    /// The text in the field of that name.
    pub(crate) fn value(&self, label: &str) -> String {
        self.find(label).value().unwrap_or_default()
    }

    /// Where the sliders stand.
    pub(crate) fn sliders(&self) -> Vec<egui::Rect> {
        self.harness.get_all_by_role(egui::accesskit::Role::Slider).map(|slider| slider.rect()).collect()
    }

    /// Drags from the middle of one control to the middle of another.
    pub(crate) fn drag(&mut self, from: &str, to: &str) {
        let (from, to) = (self.find(from).rect().center(), self.find(to).rect().center());
        self.harness.drag_at(from);
        self.harness.run();
        self.harness.hover_at(from + (to - from) * 0.5);
        self.harness.run();
        self.harness.drop_at(to);
        self.harness.run();
        self.wait(50);
    }

    /// The time after which the screens ask for another frame. `None` if they ask for none.
    pub(crate) fn next_frame(&self) -> Option<std::time::Duration> {
        let output = self.harness.output().viewport_output.values().next()?;
        Some(output.repaint_delay).filter(|delay| *delay < std::time::Duration::from_hours(1))
    }

    /// The number of rings that are drawn in the focus colour.
    pub(crate) fn rings(&self) -> usize {
        let focus = tabiya_window::theme::Theme::of(tabiya_store::settings::Appearance::Dark).focus;
        let ring = |shape: &&egui::epaint::ClippedShape| matches!(&shape.shape, egui::Shape::Rect(rect) if rect.stroke.color == focus && rect.stroke.width > 2.0);
        self.harness.output().shapes.iter().filter(ring).count()
    }

    /// What is wrong with the words on the screen: words that are cut off, that stand outside their place, or that stand
    /// over other words. Empty if everything can be read.
    pub(crate) fn faults(&self) -> Vec<String> {
        faults_in(&self.harness)
    }

    /// The name and the place of what has the keyboard focus.
    pub(crate) fn focused(&self) -> Option<(String, egui::Rect)> {
        let mut nodes = self.harness.query_all_by_label_contains("");
        let focus = nodes.find(|node| node.accesskit_node().is_focused())?;
        Some((focus.accesskit_node().label()?, focus.rect()))
    }

    /// Whether exactly this is written somewhere, so that it can be read whole.
    pub(crate) fn is_written(&self, text: &str) -> bool {
        let mut texts = Vec::new();
        for clipped in &self.harness.output().shapes {
            texts_in(&clipped.shape, clipped.clip_rect, &mut texts);
        }
        let whole = |written: &Written| written.clip.expand(1.0).contains_rect(written.ink);
        // In the log a time stands before the words.
        texts.iter().any(|written| written.text.ends_with(text) && whole(written))
    }

    /// The height of the digits of this text, in points; B612 draws them 0.76 of the font's size.
    pub(crate) fn digits(&self, text: &str) -> f32 {
        let mut texts = Vec::new();
        for clipped in &self.harness.output().shapes {
            texts_in(&clipped.shape, clipped.clip_rect, &mut texts);
        }
        texts
            .iter()
            .filter(|written| written.text == text)
            .map(|written| written.size * 0.76)
            .fold(0.0, f32::max)
    }

    /// The names of the buttons that are off and do not say why.
    pub(crate) fn unexplained(&self) -> Vec<String> {
        let unexplained = |node: &egui_kittest::Node<'_>| {
            let node = node.accesskit_node();
            let button = node.role() == egui::accesskit::Role::Button && node.is_disabled();
            button && node.description().is_none_or(|why| why.is_empty())
        };
        let nodes = self.harness.query_all_by_label_contains("");
        nodes.filter(unexplained).filter_map(|node| node.accesskit_node().label()).collect()
    }

    /// The names of all buttons.
    pub(crate) fn pressables(&self) -> Vec<String> {
        let button =
            |node: &egui_kittest::Node<'_>| node.accesskit_node().role() == egui::accesskit::Role::Button;
        let nodes = self.harness.query_all_by_label_contains("");
        nodes.filter(button).filter_map(|node| node.accesskit_node().label()).collect()
    }

    /// Opens the line for words, if it is not open.
    pub(crate) fn open_line(&mut self) {
        if !self.shows("Type a move or a word") {
            self.harness.key_press(Key::T);
            self.harness.run();
        }
    }

    /// Types a line at the table and enters it.
    pub(crate) fn line(&mut self, text: &str) {
        self.open_line();
        self.fill("Type a move or a word", text);
        self.harness.key_press(Key::Enter);
        self.harness.run();
        self.wait(50);
    }

    /// Begins a match of Choker with the club's preset, in any language of the screens, and deals.
    #[cfg(feature = "snapshots")]
    pub(crate) fn begin_anyhow(&mut self) {
        self.begin(None);
        self.key(Key::D);
    }

    /// Begins a match of Choker with the club's preset and this deck, in any language of the screens.
    #[cfg(feature = "snapshots")]
    pub(crate) fn begin_with(&mut self, deck: &str) {
        self.begin(Some(deck));
    }

    #[cfg(feature = "snapshots")]
    fn begin(&mut self, deck: Option<&str>) {
        let terms = tabiya_engine::rules::presets::terms(Some("club"), "choker").unwrap();
        let players = tabiya_types::BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
        let usual = tabiya_app::desk::NewMatch::usual("choker", players, Seat::A, terms);
        let new = tabiya_app::desk::NewMatch { deck: deck.map(str::to_owned), ..usual };
        self.wish(Wish::Begin(Box::new(new)));
    }

    #[cfg(feature = "snapshots")]
    pub(crate) fn cards_wish(&mut self, wish: tabiya_app::desk::CardWish) {
        self.wish(Wish::Cards(wish));
    }

    pub(crate) fn wish(&mut self, wish: Wish) {
        let state = self.harness.state_mut();
        state.desk.wish(wish, state.now);
        self.harness.run();
    }

    /// The moment of the match.
    pub(crate) fn at(&self) -> Instant {
        let state = self.harness.state();
        state.desk.snapshot(state.now).time.of(state.now)
    }

    pub(crate) fn table(&self) -> TableView {
        let state = self.harness.state();
        let snapshot = state.desk.snapshot(state.now);
        (*snapshot.table.expect("a match is played")).clone()
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings::load(&self.folder.path().join("settings.json")).0
    }
}

fn frame(ui: &mut egui::Ui, behind: &mut Behind) {
    let snapshot = behind.desk.snapshot(behind.now);
    behind.shell.listen(&snapshot, behind.now);
    let wishes = behind.shell.ui(ui, &snapshot, behind.now);
    let some = !wishes.is_empty();
    for wish in wishes {
        behind.desk.wish(wish, behind.now);
    }
    if some {
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(1));
    }
}

/// A text on the screen.
struct Written {
    /// A text that was cut off ends with an ellipsis.
    text: String,
    /// The area of its ink.
    ink: egui::Rect,
    /// The area in which it is shown.
    clip: egui::Rect,
    /// The least size of its letters, in points.
    size: f32,
    rows: usize,
}

/// Collects the texts of a shape.
fn texts_in(shape: &egui::Shape, clip: egui::Rect, found: &mut Vec<Written>) {
    match shape {
        egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts_in(shape, clip, found)),
        egui::Shape::Text(text) => {
            // One half of the clock face stands on its head.
            let ink = text.visual_bounding_rect();
            let mut words = text.galley.text().trim().to_owned();
            if text.galley.elided {
                words.push_str("(…)");
            }
            let sizes = text.galley.job.sections.iter().map(|section| section.format.font_id.size);
            if ink.intersect(clip).is_positive() && !words.is_empty() {
                found.push(Written {
                    text: words,
                    ink,
                    clip,
                    size: sizes.fold(f32::INFINITY, f32::min),
                    rows: text.galley.rows.len(),
                });
            }
        }
        _ => {}
    }
}

/// What is wrong with the words on a screen.
pub(crate) fn faults_in(harness: &Harness<'_, Behind>) -> Vec<String> {
    let mut texts = Vec::new();
    for clipped in &harness.output().shapes {
        texts_in(&clipped.shape, clipped.clip_rect, &mut texts);
    }
    let mut faults = Vec::new();
    let window = harness.ctx.content_rect();
    for (nth, Written { text, ink, clip, size, rows }) in texts.iter().enumerate() {
        if text.ends_with("(…)") {
            faults.push(format!("cut off: {text}"));
        }
        if ink.left() < clip.left() - 1.0 || ink.right() > clip.right() + 1.0 {
            faults.push(format!("outside its place: {text} at {ink:?} in {clip:?}"));
        }
        // A list that scrolls may cut a row; a strip of one row must not.
        #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
        let row = ink.height() / *rows as f32;
        let some = row * 0.15;
        let cut = ink.top() < clip.top() - some || ink.bottom() > clip.bottom() + some;
        if (cut && clip.height() < row * 2.0) || !window.expand(6.0).contains_rect(ink.intersect(*clip)) {
            faults.push(format!("cut from above or below: {text} at {ink:?} in {clip:?}"));
        }
        // Letters in pictures, such as those in the corners of cards, are no words.
        let word = text.chars().filter(|letter| letter.is_alphabetic()).count() >= 3;
        if word && *size < LEAST_LETTERS {
            faults.push(format!("too small: {text} in {size} points"));
        }
        for Written { text: other, ink: over, clip: other_clip, .. } in
            texts.get(nth + 1..).unwrap_or_default()
        {
            let both = ink.intersect(*clip).intersect(over.intersect(*other_clip));
            if both.width() > 2.0 && both.height() > 2.0 {
                faults.push(format!("over each other: {text} and {other} at {both:?}"));
            }
        }
    }
    let nodes = harness.query_all_by_label_contains("");
    for node in nodes.filter(|node| node.accesskit_node().role() == egui::accesskit::Role::Button) {
        let place = node.rect();
        if place.is_positive() && (place.height() < LEAST_BUTTON || place.width() < LEAST_BUTTON) {
            faults.push(format!("too small a button: {:?} at {place:?}", node.accesskit_node().label()));
        }
    }
    faults
}

/// The least size of letters and of buttons, in points.
const LEAST_LETTERS: f32 = 10.0;
const LEAST_BUTTON: f32 = 22.0;
