//! The table on a full terminal screen: board, clocks, pot and prompt above, a log of announcements below, and an input
//! line that completes legal words.

mod face;

use std::io::Stdout;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};
use tabiya_app::alerts::AlertKind;
use tabiya_app::desk::{Front, Latest, News, Wish};
use tabiya_app::snapshot::{Snapshot, TableView};
use tabiya_app::view::addressed;
use tabiya_app::words;
use tabiya_engine::table::{Author, Common};
use tabiya_text::Words;
use tabiya_types::{Color, Instant, Millis, Sentence, harmless, harmless_lines, say};
use tui_input::Input;
use tui_input::backend::crossterm::EventHandler as _;

use super::lines::{self, board, lines};
use super::{QueueTokensTaken, Typing, alerts};

/// How many lines of the log are kept.
const LOG: usize = 500;
/// The interval at which running clocks are redrawn.
const REFRESH: Duration = Duration::from_millis(200);

/// If the same key arrives again within this time, it counts as held down. Keyboards begin to repeat a held key after a
/// quarter to two thirds of a second.
const HELD: Millis = Millis(700);

/// How many lines Page Up and Page Down scroll.
const PAGE: usize = 5;
/// The least height of the clocks, in rows, while an answer is shown below them: a frame, the digits and a line of
/// facts.
const LEAST_CLOCK: u16 = 8;
/// The size of the board with its frame: columns and rows.
const BOARD: (u16, u16) = (22, 11);

/// The terminal while the table uses it.
pub(super) struct Screen<B: Backend = CrosstermBackend<Stdout>> {
    terminal: Terminal<B>,
    /// The tokens of the queued inputs, one for each input. Taking out a token frees a place in the queue.
    taken: Option<QueueTokensTaken>,
    words: Words,
    /// The newest snapshot.
    snapshot: Arc<Snapshot>,
    input: Input,
    /// The completions that Tab offers, and the index of the completion that the next Tab shows.
    offers: Option<(Vec<String>, usize)>,
    log: Vec<String>,
    /// How many lines the log (or the answer, in a clock-only game) is scrolled.
    back: usize,
    /// Whether the input line is open. Used only in a clock-only game, where letters press the clock unless the input
    /// line is open.
    typing: bool,
    /// The time of the last press of the space bar, which presses the clock for whichever side is running.
    common_press: Option<Instant>,
    /// The answer to the last typed line: everything that was logged after that line. `None` after the user has closed
    /// the answer. Used only in a clock-only game.
    answer: Option<Vec<String>>,
    /// Restores the terminal when it is dropped.
    _restore: Option<Restore>,
}

struct Restore;

impl Drop for Restore {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

impl Screen {
    pub(super) fn open(taken: QueueTokensTaken, words: Words) -> std::io::Result<Self> {
        let terminal = ratatui::try_init()?;
        Ok(Self { taken: Some(taken), _restore: Some(Restore), ..Self::over(terminal, words) })
    }
}

impl<B: Backend<Error: Send + Sync + 'static>> Screen<B> {
    fn over(terminal: Terminal<B>, words: Words) -> Self {
        Self {
            terminal,
            taken: None,
            words,
            snapshot: Arc::default(),
            input: Input::default(),
            offers: None,
            log: Vec::new(),
            back: 0,
            typing: false,
            common_press: None,
            answer: None,
            _restore: None,
        }
    }

    fn log(&mut self, text: &str) {
        if let Some(answer) = &mut self.answer {
            answer.extend(text.lines().map(str::to_owned));
        }
        self.log.extend(text.lines().map(str::to_owned));
        let over = self.log.len().saturating_sub(LOG);
        self.log.drain(..over);
    }

    fn redraw(&mut self, now: Instant) -> std::io::Result<()> {
        let snapshot = self.snapshot.clone();
        let Some(view) = &snapshot.table else { return Ok(()) };
        let at = snapshot.time.of(now);
        if view.clock_alone {
            return self.draw_clock(view, at);
        }
        let (board, words) = (board(view), lines::live_facts(&snapshot, &self.words, at));
        let (log, input, back) = (&self.log, &self.input, &mut self.back);
        let drawn = self.terminal.draw(|frame| {
            let area = frame.area();
            // A small screen does not show the board, because the prompts matter more.
            let tall = area.height >= BOARD.1 + 5 && area.width >= BOARD.0 + 30;
            let width = usize::from(area.width.saturating_sub(if tall { BOARD.0 } else { 0 } + 2));
            let words = wrapped(&words, width);
            let needed = u16::try_from(words.len()).unwrap_or(u16::MAX).saturating_add(2);
            let height = if tall { needed.max(BOARD.1) } else { needed };
            let height = height.min(area.height.saturating_sub(3));
            let [top, middle, bottom] =
                Layout::vertical([Constraint::Length(height), Constraint::Min(0), Constraint::Length(3)])
                    .areas(area);
            let [left, right] =
                Layout::horizontal([Constraint::Length(if tall { BOARD.0 } else { 0 }), Constraint::Min(0)])
                    .areas(top);
            if tall {
                frame.render_widget(paragraph(board).block(Block::bordered().title("Tabiya")), left);
            }
            // Lines that do not fit are cut off at the bottom. So the clocks are in the first lines.
            frame.render_widget(paragraph(words).block(Block::bordered()), right);
            let room = usize::from(middle.height.saturating_sub(2));
            let said = wrapped(log, usize::from(middle.width.saturating_sub(2)));
            let first = said.len().saturating_sub(room);
            *back = (*back).min(first);
            let said: Vec<String> = said.into_iter().skip(first - *back).take(room).collect();
            frame.render_widget(
                paragraph(said).block(Block::bordered().title("log (Page Up scrolls back)")),
                middle,
            );
            let title = "type what happens; Tab completes, `help` lists the words, Ctrl-C leaves";
            let inside = usize::from(bottom.width.saturating_sub(3));
            let scroll = input.visual_scroll(inside);
            frame.render_widget(
                Paragraph::new(input.value())
                    .scroll((0, u16::try_from(scroll).unwrap_or(0)))
                    .style(Style::new().add_modifier(Modifier::BOLD))
                    .block(Block::bordered().title(title)),
                bottom,
            );
            let column = u16::try_from(input.visual_cursor().saturating_sub(scroll)).unwrap_or(0);
            frame.set_cursor_position((
                bottom.x.saturating_add(column).saturating_add(1),
                bottom.y.saturating_add(1),
            ));
        });
        drawn.map(drop).map_err(std::io::Error::other)
    }

    /// Draws a clock-only game: large digits, one line below them, and the answer to a typed line.
    fn draw_clock(&mut self, view: &TableView, at: Instant) -> std::io::Result<()> {
        let said = if self.typing {
            format!(":{}", self.input.value())
        } else {
            self.log.last().cloned().unwrap_or_default()
        };
        // The line below the clocks says a refusal already.
        let open = alerts::lines(&self.snapshot, &self.words, |kind| kind != AlertKind::Refused);
        let (answer, back) = (&self.answer, &mut self.back);
        let drawn = self.terminal.draw(|frame| {
            let area = frame.area();
            let hint = wrapped(&[face::HINT.to_owned()], usize::from(area.width));
            let answer =
                answer.as_deref().map(|answer| wrapped(answer, usize::from(area.width.saturating_sub(2))));
            // An answer of one line needs no box: the line below the clocks shows it.
            let answer = answer.filter(|answer| answer.len() > 1).unwrap_or_default();
            let below = area.height.saturating_sub(LEAST_CLOCK + 2);
            let answered = if answer.is_empty() { 0 } else { rows(answer.len() + 2).min(below) };
            let open = wrapped(&open, usize::from(area.width));
            let [clocks, alerts, answered, said_at, hint_at] = Layout::vertical([
                Constraint::Fill(1),
                Constraint::Length(rows(open.len()).min(below - answered)),
                Constraint::Length(answered),
                Constraint::Length(1),
                Constraint::Length(rows(hint.len())),
            ])
            .areas(area);
            face::draw(frame, clocks, view, at);
            frame.render_widget(paragraph(open), alerts);
            if !answer.is_empty() {
                let room = usize::from(answered.height.saturating_sub(2));
                // An answer is shown from its beginning; `back` counts the lines scrolled down.
                *back = (*back).min(answer.len().saturating_sub(room));
                let shown: Vec<String> = answer.into_iter().skip(*back).take(room).collect();
                let title = "Page Down scrolls, Escape closes";
                frame.render_widget(paragraph(shown).block(Block::bordered().title(title)), answered);
            }
            frame.render_widget(Paragraph::new(said), said_at);
            frame.render_widget(paragraph(hint).style(Style::new().add_modifier(Modifier::DIM)), hint_at);
        });
        drawn.map(drop).map_err(std::io::Error::other)
    }

    /// Handles a key in a clock-only game while the input line is closed, so that letters press the clock.
    fn clock_key(&mut self, key: KeyEvent, at: Instant) -> Option<Wish> {
        match key.code {
            KeyCode::Char(':') => (self.typing, self.answer) = (true, None),
            // Terminals do not mark the repeats of a held key, so a space soon after the last space is not a
            // press.
            KeyCode::Char(' ') => {
                let held = self.common_press.replace(at).is_some_and(|last| at.since(last) < HELD);
                return (!held).then_some(Wish::Press(None));
            }
            // A key of one side may repeat while it is held down. Only its first press has an effect, because that
            // press stops the side's clock.
            KeyCode::Char(letter) => return face::side_of(letter).map(|side| Wish::Press(Some(side))),
            KeyCode::Enter => return Some(Wish::Press(Some(Color::Black))),
            KeyCode::Esc => self.answer = None,
            KeyCode::PageDown => self.back += PAGE,
            KeyCode::PageUp => self.back = self.back.saturating_sub(PAGE),
            // Other keys must not type into the hidden input line.
            _ => {}
        }
        None
    }

    /// Handles a key. Returns what the user asks for with this key, if anything.
    fn key(&mut self, event: &Event, at: Instant) -> Option<Wish> {
        let Event::Key(key) = event else { return None };
        if key.kind == KeyEventKind::Release {
            return None;
        }
        if matches!(key.code, KeyCode::Char('c' | 'd')) && key.modifiers.contains(KeyModifiers::CONTROL) {
            return Some(Wish::Leave);
        }
        if let KeyCode::F(number) = key.code {
            return self.decide(number);
        }
        if key.code == KeyCode::Char('p') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.stop();
        }
        if !self.typing && self.snapshot.table.as_ref().is_some_and(|view| view.clock_alone) {
            return self.clock_key(*key, at);
        }
        match key.code {
            KeyCode::Esc if self.typing => {
                self.typing = false;
                self.input.reset();
            }
            KeyCode::Enter => {
                self.answer = self.typing.then(Vec::new);
                (self.offers, self.back, self.typing) = (None, 0, false);
                return Some(words::typed_wish(self.input.value_and_reset(), &self.words));
            }
            KeyCode::Tab => self.complete(),
            KeyCode::PageUp => self.back += PAGE,
            KeyCode::PageDown => self.back = self.back.saturating_sub(PAGE),
            _ => {
                self.offers = None;
                self.input.handle_event(event);
            }
        }
        None
    }

    /// Decides with this function key, or says why it decides nothing.
    fn decide(&mut self, key: u8) -> Option<Wish> {
        let decision = alerts::decision(&self.snapshot, key);
        if decision.is_none() && alerts::decides(key) {
            let told = if alerts::is_open(&self.snapshot) {
                say!("key-no-choice", "what is proposed has no choice with this key")
            } else {
                say!("key-no-proposal", "nothing is proposed now, so this key decides nothing")
            };
            self.tell(&told);
        }
        decision
    }

    /// Stops the clocks, or lets them go on, at once: at events, too, where a reason may follow as a typed line.
    fn stop(&mut self) -> Option<Wish> {
        let Some(view) = &self.snapshot.table else {
            self.tell(&say!("key-no-clocks", "no match is played, so there are no clocks to stop"));
            return None;
        };
        let (by, stops) = (author(view), !view.clock.paused());
        let input = if stops { Common::Pause(by) } else { Common::Resume(by) };
        if stops && view.is_event() {
            self.tell(&say!("key-reason", "a reason may follow: `pause REASON`"));
        }
        Some(Wish::Do(vec![input.into()]))
    }

    /// Writes a sentence into the log.
    fn tell(&mut self, told: &Sentence) {
        let text = self.words.said(told);
        self.log(&harmless(&text));
    }

    /// In a clock-only game: writes the table as text into the log, since the screen shows only large digits.
    fn show_again(&mut self, at: Instant) {
        let snapshot = self.snapshot.clone();
        if snapshot.table.as_ref().is_some_and(|view| view.clock_alone) {
            self.log(&lines(&snapshot, &self.words, at).join("\n"));
        }
    }

    /// Completes the typed word. Each further Tab offers the next legal word with the same beginning.
    fn complete(&mut self) {
        let Some(view) = &self.snapshot.table else { return };
        let offered = || words::completions(self.input.value(), &view.legal, view.clock.paused());
        let (offers, next) = self.offers.take().unwrap_or_else(|| (offered(), 0));
        if let Some(offer) = offers.get(next) {
            self.input = Input::new(offer.clone());
            let next = (next + 1) % offers.len();
            self.offers = Some((offers, next));
        }
    }
}

impl<B: Backend<Error: Send + Sync + 'static>> Front for Screen<B> {
    type Input = Typing;

    fn understand(&mut self, input: Typing, at: Instant) -> Option<Wish> {
        if let Some(taken) = &self.taken {
            // Frees this input's place in the queue.
            let _ = taken.try_recv();
        }
        match input {
            Typing::Line(line) => Some(words::typed_wish(line, &self.words)),
            Typing::Key(event) => self.key(&event, at),
        }
    }

    fn show(&mut self, latest: &Latest<'_>, news: Vec<News>, _: Instant) -> std::io::Result<ControlFlow<()>> {
        self.snapshot = latest.snapshot();
        for news in news {
            match news {
                News::Said(said) | News::Refused(said) => {
                    let text = self.words.said(&said.text);
                    self.log(&harmless_lines(&addressed(said.to, &text, &self.words)));
                }
                News::Answer(lines) => {
                    for answer in lines {
                        let text = self.words.said(&answer);
                        self.log(&harmless(&text));
                    }
                }
                News::Failed(text) => self.log(&harmless(&self.words.said(&text))),
                // This needs no line in the log, because the screen always shows the next prompt.
                News::Next(_) => {}
                News::Show(at) => self.show_again(at),
            }
        }
        Ok(if latest.closing { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn draw(&mut self, now: Instant) -> std::io::Result<()> {
        self.redraw(now)
    }

    fn refresh(&self) -> Option<Duration> {
        Some(REFRESH)
    }
}

/// Who stops the clocks with a key, or lets them go on: the player whose turn it is, at events the arbiter.
fn author(view: &TableView) -> Author {
    view.mover().filter(|_| !view.is_event()).map_or(Author::Arbiter, Author::Player)
}

fn rows(lines: usize) -> u16 {
    u16::try_from(lines).unwrap_or(u16::MAX)
}

fn paragraph(lines: Vec<String>) -> Paragraph<'static> {
    Paragraph::new(lines.into_iter().map(Line::from).collect::<Vec<_>>())
}

/// Breaks lines between words so that they are at most `width` characters wide.
fn wrapped(lines: &[String], width: usize) -> Vec<String> {
    let mut out = Vec::new();
    for line in lines {
        if line.chars().count() <= width {
            out.push(line.clone());
            continue;
        }
        let mut now = String::new();
        for word in line.split(' ') {
            if !now.is_empty() && now.chars().count() + 1 + word.chars().count() > width {
                out.push(std::mem::take(&mut now));
            }
            if !now.is_empty() {
                now.push(' ');
            }
            now.push_str(word);
        }
        out.push(now);
    }
    out
}

#[cfg(test)]
mod tests {
    use ratatui::backend::TestBackend;
    use tabiya_app::Session;
    use tabiya_app::alerts::{Alert, Cause};
    use tabiya_engine::record::Header;
    use tabiya_engine::rules::GAMES;
    use tabiya_engine::table::{Audience, flag_fallen};
    use tabiya_text::Language;

    use super::*;

    /// A clock-only game on a screen with this many columns and 24 rows.
    fn clock(columns: u16, terms: &str) -> (Screen<TestBackend>, Session) {
        let header = format!(
            r#"{{"tabiya":1,"game":"clock","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{terms}}}"#
        );
        let session = Session::new(Header::parse(&header, GAMES).expect("a header"), None, None);
        let mut screen = Screen::over(
            Terminal::new(TestBackend::new(columns, 24)).expect("a terminal"),
            Words::of(Language::English),
        );
        screen.snapshot = Arc::new(Snapshot::of_session(&session, Instant::ZERO));
        (screen, session)
    }

    fn press(screen: &mut Screen<TestBackend>, code: KeyCode) -> Option<Wish> {
        screen.key(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), Instant::ZERO)
    }

    const CONTROL_P: KeyEvent = KeyEvent::new(KeyCode::Char('p'), KeyModifiers::CONTROL);

    fn drawn(screen: &mut Screen<TestBackend>) -> String {
        screen.redraw(Instant::ZERO).expect("memory takes all");
        screen.terminal.backend().to_string()
    }

    #[test]
    fn a_key_that_presses_nothing_types_nothing_unseen() {
        let (mut screen, _) = clock(80, "{}");
        for code in ['y', 'z', '!', 'α'].map(KeyCode::Char).into_iter().chain([KeyCode::Tab, KeyCode::Left])
        {
            assert!(press(&mut screen, code).is_none(), "{code:?}");
        }
        assert_eq!(screen.input.value(), "");
        let enter = press(&mut screen, KeyCode::Enter);
        assert!(enter == Some(Wish::Press(Some(Color::Black))), "Enter is one of the right half's keys");
    }

    #[test]
    fn a_long_answer_is_read_from_its_beginning_and_closed() {
        let (mut screen, _) = clock(80, "{}");
        for code in [':', 'h'].map(KeyCode::Char) {
            press(&mut screen, code);
        }
        assert!(press(&mut screen, KeyCode::Enter) == Some(Wish::Typed("h".to_owned())));
        let help: Vec<String> = words::help(None).iter().map(ToString::to_string).collect();
        screen.log(&help.join("\n"));
        let (first, last) = (help.first().expect("lines"), "help, quit");
        let shown = drawn(&mut screen);
        assert!(shown.contains(first.get(..20).expect("long")), "{shown}");
        for _ in 0..10 {
            press(&mut screen, KeyCode::PageDown);
        }
        let shown = drawn(&mut screen);
        assert!(shown.contains(last) && !shown.contains(first.get(..20).expect("long")), "{shown}");
        press(&mut screen, KeyCode::Esc);
        assert!(!drawn(&mut screen).contains("Escape closes"));
    }

    #[test]
    fn the_line_on_keys_is_whole_however_narrow_the_terminal_is() {
        for columns in [50, 80, 100, 160] {
            let (mut screen, _) = clock(columns, "{}");
            let shown = drawn(&mut screen).replace(['"', '\n'], " ");
            let words: Vec<&str> = shown.split_whitespace().collect();
            assert!(words.join(" ").contains(face::HINT), "{columns}: {shown}");
        }
    }

    #[test]
    fn a_key_stops_the_clocks_and_lets_them_go_on_without_typing() {
        let (mut screen, mut session) = clock(80, r#"{"time":"300"}"#);
        for typed in ["pause", "resume"] {
            let read = words::read(typed, session.table(), None, None, Instant::ZERO);
            let Ok(words::TypedOrder::Do(inputs)) = read else { panic!("{typed} is an input") };
            let wish = screen.key(&Event::Key(CONTROL_P), Instant::ZERO);
            assert!(wish == Some(Wish::Do(inputs.clone())), "as `{typed}` does: {inputs:?}");
            for input in inputs {
                session.enter(&input, Instant::ZERO).expect("it is accepted");
            }
            screen.snapshot = Arc::new(Snapshot::of_session(&session, Instant::ZERO));
        }
    }

    #[test]
    fn an_open_alert_stands_on_the_screen_of_a_clock_and_a_refusal_is_said_once() {
        let (mut screen, session) = clock(80, "{}");
        let alert = |number, kind| {
            let cause = Cause::new(kind, Audience::Players, None, flag_fallen(Color::White));
            Alert { number, since: Instant::ZERO, cause, taken: None }
        };
        let alerts = Arc::new(vec![alert(1, AlertKind::Flag), alert(2, AlertKind::Refused)]);
        screen.snapshot = Arc::new(Snapshot { alerts, ..Snapshot::of_session(&session, Instant::ZERO) });
        let (shown, says) = (drawn(&mut screen), flag_fallen(Color::White).to_string());
        assert_eq!(shown.matches(&format!("! {says}")).count(), 1, "{shown}");
    }

    #[test]
    fn at_events_a_key_stops_the_clocks_at_once_too_even_while_somebody_types() {
        let (mut screen, session) = clock(80, r#"{"time":"300","voice":"event"}"#);
        let stops = Wish::Do(vec![Common::Pause(Author::Arbiter).into()]);
        assert!(screen.key(&Event::Key(CONTROL_P), Instant::ZERO) == Some(stops.clone()));
        press(&mut screen, KeyCode::Char(':'));
        assert!(screen.typing && screen.key(&Event::Key(CONTROL_P), Instant::ZERO) == Some(stops));
        assert_eq!(screen.input.value(), "");
        let read = |text: &str| words::read(text, session.table(), None, None, Instant::ZERO);
        assert!(read("pause").is_err(), "a typed pause needs its reason");
        assert!(read("undo").is_err());
        assert!(matches!(read("pause a phone rang"), Ok(words::TypedOrder::Do(lines)) if lines.len() == 2));
    }

    #[test]
    fn a_key_that_does_nothing_says_so() {
        let (mut screen, _) = clock(80, "{}");
        for (key, told) in [(2, true), (9, true), (1, false), (10, false)] {
            screen.log.clear();
            assert!(press(&mut screen, KeyCode::F(key)).is_none());
            assert_eq!(screen.log.iter().any(|line| line.contains("nothing is proposed")), told, "F{key}");
        }
        screen.snapshot = Arc::default();
        assert!(screen.key(&Event::Key(CONTROL_P), Instant::ZERO).is_none());
        assert!(screen.log.iter().any(|line| line.contains("no match is played")));
    }

    #[test]
    fn long_lines_break_between_words() {
        let lines = ["White: call 1, raise to 4 or more, or fold".to_owned(), String::new()];
        assert_eq!(wrapped(&lines, 20), ["White: call 1, raise", "to 4 or more, or", "fold", ""]);
    }
}
