//! What every screen is given: words, colours, the snapshot, the moment, and where wishes go.

use egui::{Context, FontId, Memory};
use tabiya_app::desk::{BoardWish, CardWish, Wish};
use tabiya_app::snapshot::{Snapshot, TableView};
use tabiya_app::store::settings::Settings;
use tabiya_app::view::reading_with_tenths;
use tabiya_engine::rules::{Outcome, Reason};
use tabiya_engine::table::Input;
use tabiya_text::Words;
use tabiya_types::{Color, Instant, Millis, Sentence};

use super::art::Art;
use super::keys::{Command, KeyBindings};
use super::theme::{Theme, bold_font};

/// Below what a clock shows tenths.
pub(super) fn tenths_below(settings: &Settings) -> Millis {
    Millis::from_secs(settings.tenths_below.into())
}

/// What had the keyboard when a frame began. A field that Enter ends gives it up within that frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Focus {
    /// Nothing that takes keys.
    Nothing,
    /// A field that is typed in.
    Field,
    /// A button or the like: it takes Enter and the space bar.
    Control,
}

impl Focus {
    /// To be asked before anything is drawn.
    pub(super) fn of(ctx: &Context) -> Self {
        let focused = ctx.memory(Memory::focused);
        if ctx.text_edit_focused() {
            Self::Field
        } else if focused.is_some() && focused != Some(super::board::focus_id()) {
            Self::Control
        } else {
            Self::Nothing
        }
    }
}

/// What a screen may use while it draws one frame.
pub(super) struct Cx<'a> {
    pub(super) words: &'a Words,
    pub(super) theme: &'a Theme,
    pub(super) art: &'a Art,
    pub(super) snapshot: &'a Snapshot,
    pub(super) settings: &'a Settings,
    pub(super) keys: &'a KeyBindings,
    /// The program's own time.
    pub(super) now: Instant,
    /// The match's time.
    pub(super) at: Instant,
    /// Whether the arbiter's drawer is open.
    pub(super) drawer: bool,
    /// What had the keyboard when the frame began.
    pub(super) focus: Focus,
    /// The commands whose keys were pressed in this frame.
    pub(super) pressed: Vec<Command>,
    pub(super) wishes: Vec<Wish>,
    /// The two-sided clock is to be closed.
    pub(super) close_face: bool,
    /// The arbiter's drawer is to be opened, for something that is his alone.
    pub(super) open_drawer: bool,
}

impl<'a> Cx<'a> {
    /// What a frame begins with: nothing pressed, nothing wished for.
    pub(super) fn new(
        ctx: &Context,
        (words, art, keys): (&'a Words, &'a Art, &'a KeyBindings),
        theme: &'a Theme,
        snapshot: &'a Snapshot,
        now: Instant,
    ) -> Self {
        Self {
            words,
            theme,
            art,
            snapshot,
            settings: &snapshot.settings,
            keys,
            now,
            at: snapshot.time.of(now),
            drawer: false,
            focus: Focus::of(ctx),
            pressed: Vec::new(),
            wishes: Vec::new(),
            close_face: false,
            open_drawer: false,
        }
    }
}

impl Cx<'_> {
    pub(super) fn t(&self, id: &str) -> String {
        self.words.t(id)
    }

    /// How a game ended.
    pub(super) fn reason(&self, reason: Reason) -> String {
        self.words.sentence(&reason.ending_sentence())
    }

    /// A clock's reading as people want to see it; time that is counted up has no tenths.
    pub(super) fn reading(&self, left: Option<Millis>, counts_up: bool) -> String {
        let tenths = if counts_up { Millis::ZERO } else { tenths_below(self.settings) };
        reading_with_tenths(left, tenths)
    }

    /// Words of that size in the heavy face, as large as people have set words to be.
    pub(super) fn bold(&self, size: f32) -> FontId {
        bold_font(self.scaled(size))
    }

    /// The same in the plain face.
    pub(super) fn plain(&self, size: f32) -> FontId {
        FontId::proportional(self.scaled(size))
    }

    fn scaled(&self, size: f32) -> f32 {
        size * self.scale()
    }

    /// How much larger than usual people want words to be.
    pub(super) fn scale(&self) -> f32 {
        f32::from(self.settings.text_percent) / 100.0
    }

    /// Who has won a game that ended so, in one short line.
    pub(super) fn winner(&self, view: &TableView, outcome: Outcome) -> String {
        match outcome.winner {
            Some(winner) => self.words.with("wins", &[("name", view.names[winner].clone().into())]),
            None if view.counts => self.t("drawn"),
            None => self.t("no-result"),
        }
    }

    /// What the table says, in this language.
    pub(super) fn say(&self, sentence: &Sentence) -> String {
        self.words.sentence(sentence)
    }

    pub(super) fn wish(&mut self, wish: Wish) {
        self.wishes.push(wish);
    }

    pub(super) fn board(&mut self, wish: BoardWish) {
        self.wish(Wish::Board(wish));
    }

    pub(super) fn cards(&mut self, wish: CardWish) {
        self.wish(Wish::Cards(wish));
    }

    /// An input for the table.
    pub(super) fn enter(&mut self, input: impl Into<Input>) {
        self.wish(Wish::Do(vec![input.into()]));
    }

    /// Whether a command's key was pressed; it is answered once.
    pub(super) fn takes(&mut self, command: Command) -> bool {
        let found = self.pressed.iter().position(|pressed| *pressed == command);
        found.map(|at| self.pressed.remove(at)).is_some()
    }

    /// The key of a command as it stands on a button, in brackets.
    pub(super) fn hint(&self, command: Command) -> String {
        self.keys.of(command).map_or_else(String::new, |key| format!("  [{key}]"))
    }

    /// The side that is shown below.
    pub(super) fn below(&self) -> Color {
        if self.settings.black_below { Color::Black } else { Color::White }
    }

    /// Changes a setting.
    pub(super) fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        let mut settings = self.settings.clone();
        change(&mut settings);
        self.wish(Wish::Change(Box::new(self.settings.clone()), Box::new(settings)));
    }
}
