//! The context that every screen gets: words, colours, the snapshot, the moment, and the list of wishes.

use std::fmt::Debug;
use std::hash::Hash;
use std::path::Path;

use egui::{Context, FontId};
use tabiya_app::Announcement;
use tabiya_app::desk::{BoardWish, CardWish, Wish};
use tabiya_app::snapshot::{Snapshot, TableView};
use tabiya_app::view::reading_with_tenths;
use tabiya_engine::rules::{Decision, Outcome, Reason};
use tabiya_engine::table::{Input, points_in_words};
use tabiya_store::settings::Settings;
use tabiya_text::Words;
use tabiya_types::{ByColor, CardFace, Color, Fact, Instant, Millis, Sentence, say};

use super::aloud::Sound;
use super::art::Art;
use super::file_use::FileUse;
use super::focus::Focus;
use super::keys::{Command, KeyBindings, KeyName};
use super::motion::Motion;
use super::page::Page;
use super::start::SeveralAsk;
use super::theme::{CARD_TURNS, GOLD_PASSES, Sizes, Theme, bold_font, rem};

/// The clock reading below which tenths of a second are shown.
pub(super) fn tenths_below(settings: &Settings) -> Millis {
    Millis::from_secs(settings.tenths_below.into())
}

/// What a screen may use while it draws one frame.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that is open, there or asked for")]
pub(super) struct Cx<'a> {
    pub(super) ctx: Context,
    pub(super) words: &'a Words,
    pub(super) theme: &'a Theme,
    /// The sizes of words in this window.
    pub(super) sizes: Sizes,
    pub(super) art: &'a Art,
    pub(super) snapshot: &'a Snapshot,
    pub(super) settings: &'a Settings,
    pub(super) keys: &'a KeyBindings,
    pub(super) motion: &'a Motion,
    /// The present moment in the program's own time.
    pub(super) now: Instant,
    /// The present moment of the match.
    pub(super) at: Instant,
    /// Whether the arbiter's drawer is open.
    pub(super) drawer: bool,
    /// Whether the pointer moves over the table's controls, so that nothing takes their place by itself.
    pub(super) holds: bool,
    /// What had the keyboard focus when the frame began.
    pub(super) focus: Focus,
    /// The commands whose keys were pressed in this frame.
    pub(super) pressed: Vec<Command>,
    pub(super) wishes: Vec<Wish>,
    /// The sound that the user wants to hear.
    pub(super) heard: Option<Sound>,
    /// Whether no program of the system could play the last sound.
    pub(super) mute: bool,
    /// Whether the desktop has a dialog for files.
    pub(super) chooser: bool,
    /// Whether the window can open several tables, and why it did not when that was asked last.
    pub(super) several: bool,
    pub(super) several_refused: Option<String>,
    /// The several tables that the user wants to open.
    pub(super) ask_several: Option<SeveralAsk>,
    /// Whether the system asks for reduced motion; `None` if it does not say.
    pub(super) still_by_system: Option<bool>,
    /// The files that the user wants to choose, each with the name that is suggested.
    pub(super) questions: Vec<(FileUse, String)>,
    /// The code of the card of Chess Joker that the user wants to write; empty for any card.
    pub(super) write_card: Option<String>,
    /// Whether the user has asked to close the two-sided clock.
    pub(super) close_face: bool,
    /// Whether the user has asked to close the arbiter's drawer.
    pub(super) close_drawer: bool,
    /// Whether to open the arbiter's drawer, because the user has asked for something that only the arbiter may do.
    pub(super) open_drawer: bool,
    /// The page that the user wants to see.
    pub(super) page: Option<Page>,
}

impl<'a> Cx<'a> {
    /// The context at the beginning of a frame: no keys pressed, no wishes.
    pub(super) fn new(
        ctx: &Context,
        (words, art, keys, motion): (&'a Words, &'a Art, &'a KeyBindings, &'a Motion),
        theme: &'a Theme,
        snapshot: &'a Snapshot,
        now: Instant,
    ) -> Self {
        Self {
            ctx: ctx.clone(),
            words,
            theme,
            sizes: Sizes { rem: rem(ctx.content_rect().size(), snapshot.settings.text_percent) },
            art,
            snapshot,
            settings: &snapshot.settings,
            keys,
            motion,
            now,
            at: snapshot.time.of(now),
            drawer: false,
            holds: false,
            focus: Focus::of(ctx),
            pressed: Vec::new(),
            wishes: Vec::new(),
            heard: None,
            mute: false,
            chooser: false,
            several: false,
            several_refused: None,
            ask_several: None,
            still_by_system: None,
            questions: Vec::new(),
            write_card: None,
            close_face: false,
            close_drawer: false,
            open_drawer: false,
            page: None,
        }
    }
}

impl Cx<'_> {
    pub(super) fn t(&self, id: &str) -> String {
        self.words.t(id)
    }

    /// Why a button is off: the text of the first condition that does not hold; `None` if all hold.
    pub(super) fn why_off(&self, conditions: &[(bool, &str)]) -> Option<String> {
        conditions.iter().find(|(holds, _)| !holds).map(|(_, id)| self.t(id))
    }

    /// How a game ended, in the user's language.
    pub(super) fn reason(&self, reason: Reason) -> String {
        self.words.sentence(&reason.ending_sentence())
    }

    /// Formats a clock's reading with tenths as in the settings; a clock that counts up shows no tenths.
    pub(super) fn reading(&self, left: Option<Millis>, counts_up: bool) -> String {
        let tenths = if counts_up { Millis::ZERO } else { tenths_below(self.settings) };
        reading_with_tenths(left, tenths)
    }

    /// The bold font at this size, which was drawn for a rem of 16 points.
    pub(super) fn bold(&self, size: f32) -> FontId {
        bold_font(self.sizes.px(size))
    }

    /// The plain font at this size, which was drawn for a rem of 16 points.
    pub(super) fn plain(&self, size: f32) -> FontId {
        FontId::proportional(self.sizes.px(size))
    }

    /// The factor of the text size in the settings; 1 is the usual size.
    pub(super) fn scale(&self) -> f32 {
        f32::from(self.settings.text_percent) / 100.0
    }

    /// One short line for the outcome of a game: who won, that it was drawn, or that it has no result.
    pub(super) fn winner(&self, view: &TableView, outcome: Outcome) -> String {
        self.decision(outcome, |color| view.names[color].clone())
    }

    /// The same, where `name` gives the players' names.
    pub(super) fn decision(&self, outcome: Outcome, name: impl Fn(Color) -> String) -> String {
        match outcome.decision() {
            Decision::Won(winner) => self.words.with("wins", &[("name", name(winner).into())]),
            Decision::Drawn => self.t("drawn"),
            Decision::Points(_) => self.score(outcome),
            Decision::NoResult => self.t("no-result"),
        }
    }

    /// The points of an ended game, White's first: `1–0`.
    pub(super) fn score(&self, outcome: Outcome) -> String {
        if outcome.decision() == Decision::NoResult {
            return self.t("no-result");
        }
        let ByColor { white, black } = outcome.half_points().map(|half| points_in_words(half.into()));
        format!("{white}–{black}")
    }

    /// The name of what a card shows.
    pub(super) fn face(&self, face: impl Into<CardFace>) -> String {
        self.say(&say!("card-named", "{card}", card = face.into()))
    }

    /// Translates a sentence of the table into the user's language.
    /// At a table the player whom it addresses is called by name.
    pub(super) fn say(&self, sentence: &Sentence) -> String {
        self.words.sentence(&sentence.clone().addressed(&|color| self.who(color)))
    }

    /// What the answer to a yes-or-no question does, as its button says it: *Leave*, not *Yes*.
    pub(super) fn answer(&self, question: &Sentence, yes: bool) -> String {
        let by = question.facts().iter().find_map(|(fact, value)| match value {
            Fact::Color(color) if *fact == "by" => Some(*color),
            _ => None,
        });
        if let ("ask-resign", true, Some(color)) = (question.id(), yes, by) {
            return self.words.with("resign", &[("color", self.who(color).into())]);
        }
        let [does, does_not] = match question.id() {
            "ask-leave" | "ask-leave-chips" | "ask-leave-clock" => ["answer-leave", "answer-stay"],
            "ask-close" | "ask-close-clock" => ["answer-close", "answer-stay"],
            "ask-resign" => ["yes", "answer-play-on"],
            "ask-end" => ["answer-end", "answer-play-on"],
            "ask-fold" => ["answer-fold", "answer-keep-cards"],
            "ask-all-in" => ["answer-all-in", "answer-less"],
            "ask-drawn" => ["answer-drawn", "answer-play-on"],
            "ask-new-game" => ["answer-new-game", "answer-not-yet"],
            _ => ["yes", "no"],
        };
        self.t(if yes { does } else { does_not })
    }

    /// An announcement as the log of a table shows it.
    pub(super) fn announced(&self, said: &Announcement) -> String {
        self.say(said.beside_moves.as_ref().unwrap_or(&said.text))
    }

    /// The name of the player with this colour; away from a table the colour.
    pub(super) fn who(&self, color: Color) -> String {
        match &self.snapshot.table {
            Some(view) => view.names[color].clone(),
            None => self.words.color(color),
        }
    }

    /// The same for what one action is made of, in one line.
    pub(super) fn say_all(&self, action: &[Sentence]) -> String {
        action.iter().map(|words| self.say(words)).collect::<Vec<_>>().join(", ")
    }

    /// How much of the lamp's gold is on something, 0 to 1: gold passes from what was to be done to what is.
    pub(super) fn gold(&self, key: impl Hash + Debug, lit: bool) -> f32 {
        self.motion.toward(key, if lit { 1.0 } else { 0.0 }, GOLD_PASSES, self.now)
    }

    /// How far the card of this number in a player's row is turned over, 0 to 1: from its back to its face.
    pub(super) fn turned(&self, color: Color, nth: usize, shown: bool) -> f32 {
        self.motion.appears(("card", color, nth), shown, CARD_TURNS, self.now)
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

    /// Adds the wish to enter an input at the table.
    pub(super) fn enter(&mut self, input: impl Into<Input>) {
        self.wish(Wish::Do(vec![input.into()]));
    }

    /// Whether a command's key was pressed in this frame. Removes the key press, so that the key has only one effect.
    pub(super) fn takes(&mut self, command: Command) -> bool {
        let found = self.pressed.iter().position(|pressed| *pressed == command);
        found.map(|at| self.pressed.remove(at)).is_some()
    }

    /// Does what this command's key does.
    pub(super) fn press(&mut self, command: Command) {
        self.pressed.push(command);
    }

    /// The key of a command as a button shows it, in brackets.
    pub(super) fn hint(&self, command: Command) -> String {
        let key = self.key(command);
        if key.is_empty() || self.key_sleeps(&key) { String::new() } else { format!("  [{key}]") }
    }

    /// Whether a key, by its name, does nothing now because it goes into the field in which people type. Function keys
    /// and the one that stops the clocks work there too, and Enter ends the field.
    pub(super) fn key_sleeps(&self, key: &str) -> bool {
        let function = key.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok());
        let stops = key.contains('+') && key == self.key(Command::Pause);
        self.focus == Focus::Field && !function && !stops && !key.ends_with(&self.t("key-enter"))
    }

    /// The key of a command as a button shows it; empty if it has none.
    pub(super) fn key(&self, command: Command) -> String {
        self.keys.of(command).map(|key| self.key_name(key)).unwrap_or_default()
    }

    /// The name of a key in the user's language, as it stands on keyboards.
    pub(super) fn key_name(&self, key: KeyName) -> String {
        let written = key.to_string();
        let mut parts: Vec<&str> = written.split('+').collect();
        let last = parts.pop().unwrap_or_default();
        let named = |id: &str| self.t(&format!("key-{id}"));
        let mut pressed: Vec<String> = parts.iter().map(|held| named(&held.to_ascii_lowercase())).collect();
        // The other keys are letters, digits and signs, and F1 to F35.
        pressed.push(match last {
            "Space" | "Escape" | "Enter" | "Tab" | "Backspace" | "Delete" | "Insert" | "Home" | "End"
            | "PageUp" | "PageDown" | "Up" | "Down" | "Left" | "Right" => named(&last.to_ascii_lowercase()),
            _ => last.to_owned(),
        });
        pressed.join("+")
    }

    /// A path as people write it: `~` stands for the home folder.
    pub(super) fn path(&self, path: &Path) -> String {
        match self.snapshot.home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(rest) => tabiya_types::shown(&Path::new("~").join(rest)),
            None => tabiya_types::shown(path),
        }
    }

    /// The side that is shown at the bottom.
    pub(super) fn below(&self) -> Color {
        if self.settings.black_below { Color::Black } else { Color::White }
    }

    /// Adds the wish to change the settings.
    pub(super) fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        let mut settings = self.settings.clone();
        change(&mut settings);
        self.wish(Wish::Change(Box::new(self.settings.clone()), Box::new(settings)));
    }
}
