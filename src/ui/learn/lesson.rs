//! The first match of Choker, step by step, at the table's own screens: what happens next stands above the table, and
//! Enter, the button or a click on the table does it.

use egui::{FontId, Key, Rect, Role, Sense, Ui, UiBuilder};
use tabiya_app::lesson::Lesson;
use tabiya_app::snapshot::Snapshot;

use crate::arbiter::ArbiterState;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::{cut_bottom, cut_top, panel, rows, split};
use crate::table::state::TableState;
use crate::table::table_ui;
use crate::widgets::{label, name};

/// The height of what is explained, and of its buttons, for a rem of 16 points.
const HEAD: f32 = 128.0;
const BUTTONS: f32 = 44.0;

/// The lesson on the screen.
#[derive(Debug)]
pub(super) struct LessonPage {
    lesson: Lesson,
    /// The table after the steps so far.
    snapshot: Snapshot,
    table: TableState,
    arbiter: ArbiterState,
}

impl LessonPage {
    pub(super) fn begin() -> Self {
        let lesson = Lesson::after(0);
        let snapshot = shown(&lesson);
        Self { lesson, snapshot, table: TableState::default(), arbiter: ArbiterState::default() }
    }

    fn go_on(&mut self) {
        self.lesson.go_on();
        self.snapshot = shown(&self.lesson);
    }
}

/// The table of the lesson as the screens show it.
fn shown(lesson: &Lesson) -> Snapshot {
    Snapshot::of_session(lesson.session(), lesson.session().last_t())
}

/// Draws the lesson. Returns `false` when it is left.
pub(super) fn lesson_ui(ui: &mut Ui, cx: &Cx<'_>, page: &mut LessonPage) -> bool {
    let mut area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let high = cx.sizes.px(HEAD).min(area.height() * 0.3);
    let head = cut_top(&mut area, high, cx.sizes.px(12.0));
    let (goes_on, left) = head_ui(ui, cx, &page.lesson, head);
    table_part(ui, cx, page, area);
    // Nothing at the table is pressed here: a click anywhere goes on.
    let table = ui.interact(area, ui.scope_id().with("lesson"), Sense::click());
    name(&table, Role::Button, true, &cx.t("lesson-next"));
    if goes_on || table.clicked() {
        page.go_on();
    }
    !left
}

/// Draws the table of the lesson. What people would do there is done by the steps alone.
fn table_part(ui: &mut Ui, cx: &Cx<'_>, page: &mut LessonPage, area: Rect) {
    let LessonPage { lesson, snapshot, table, arbiter } = page;
    snapshot.settings = cx.snapshot.settings.clone();
    let parts = (cx.words, cx.art, cx.keys, cx.motion);
    let at = lesson.session().last_t();
    let mut inner = Cx { at, ..Cx::new(&cx.ctx, parts, cx.theme, snapshot, cx.now) };
    let Some(view) = snapshot.table.as_deref() else { return };
    ui.scope_builder(UiBuilder::new().max_rect(area).id_salt("lesson-table"), |ui| {
        table_ui(ui, &mut inner, view, table, arbiter);
    });
}

/// Draws what is explained, and the buttons. Returns whether the lesson goes on, and whether it is left.
fn head_ui(ui: &mut Ui, cx: &Cx<'_>, lesson: &Lesson, head: Rect) -> (bool, bool) {
    let px = |points: f32| cx.sizes.px(points);
    panel::ground(ui.painter(), cx.theme, head);
    let mut inner = head.shrink(px(12.0));
    let high = px(BUTTONS).min(inner.height() * 0.45);
    let buttons = cut_bottom(&mut inner, high, px(8.0));
    let text: Vec<String> = if lesson.over() {
        vec![cx.t("lesson-over")]
    } else {
        lesson.prompt().iter().map(|line| cx.say(line)).collect()
    };
    let text = text.join(" ");
    let font = FontId::proportional(cx.sizes.rem);
    let galley = rows(ui.painter(), &text, (font, cx.theme.text), inner.width(), 3);
    ui.painter().galley(inner.min, galley, cx.theme.text);
    label(ui, inner, "lesson-says", &text);
    let places = split(buttons, &[3.0, 1.0], px(8.0));
    let mut clicked = [false, false];
    let over = lesson.over();
    let faces = [
        (cx.t(if over { "lesson-end" } else { "lesson-next" }), Kind::Gold, cx.t("key-enter")),
        (cx.t("lesson-leave"), Kind::Plain, String::new()),
    ];
    for (nth, (place, (text, kind, key))) in places.into_iter().zip(faces).enumerate() {
        let face = ButtonFace::new(kind, &text).key(key);
        clicked[nth] = button_at(ui, cx, place, ("lesson", nth), &face).clicked();
    }
    let free = ui.memory(|memory| memory.focused().is_none());
    let next = clicked[0] || free && ui.input(|input| input.key_pressed(Key::Enter));
    (next && !over, clicked[1] || next && over)
}
