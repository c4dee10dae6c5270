//! The table in a terminal: board, clocks, pot and prompt above, what was said below, and a typed
//! line with completion of what is legal.

mod face;

use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};
use tui_input::Input;
use tui_input::backend::crossterm::EventHandler as _;

use super::session::Session;
use super::{view, words};
use crate::clock::{Instant, Millis};

/// How many lines of what was said are kept.
const LOG: usize = 500;
/// How often running clocks are drawn again.
pub(super) const REFRESH: Duration = Duration::from_millis(200);

/// A key that comes again sooner than this is held down: keyboards repeat after a quarter of a second at
/// the soonest, and slower ones after two thirds.
const HELD: Millis = Millis(700);

/// How far one key looks back.
const PAGE: usize = 5;
/// The board with its frame: columns and rows.
const BOARD: (u16, u16) = (22, 11);

/// What a key came to.
pub(super) enum Pressed {
    Nothing,
    Line(String),
    Leave,
}

/// The terminal while the table has it.
pub(super) struct Screen {
    terminal: DefaultTerminal,
    input: Input,
    /// What Tab offers, and which of it comes next.
    offers: Option<(Vec<String>, usize)>,
    log: Vec<String>,
    /// How many lines back in the log people look.
    back: usize,
    /// Whether somebody types although letters press the clock.
    typing: bool,
    /// When the key that presses for whoever may press came last.
    common_press: Option<Instant>,
}

impl Screen {
    pub(super) fn open() -> std::io::Result<Self> {
        let terminal = ratatui::try_init()?;
        Ok(Self {
            terminal,
            input: Input::default(),
            offers: None,
            log: Vec::new(),
            back: 0,
            typing: false,
            common_press: None,
        })
    }

    pub(super) fn log(&mut self, text: &str) {
        self.log.extend(text.lines().map(str::to_owned));
        let over = self.log.len().saturating_sub(LOG);
        self.log.drain(..over);
    }

    pub(super) fn draw(&mut self, session: &Session, now: Instant) -> std::io::Result<()> {
        if session.table().game().plays_on_after_flag() {
            return self.draw_clock(session, now);
        }
        let (board, words) = (view::board(session), view::words(session, now));
        let (log, input, back) = (&self.log, &self.input, &mut self.back);
        self.terminal.draw(|frame| {
            let area = frame.area();
            // Where there is no room for a board, what comes next is worth more.
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
            // The clocks stay on top; of the rest the newest is worth most.
            frame.render_widget(paragraph(words).block(Block::bordered()), right);
            let room = usize::from(middle.height.saturating_sub(2));
            let said = wrapped(log, usize::from(middle.width.saturating_sub(2)));
            let first = said.len().saturating_sub(room);
            *back = (*back).min(first);
            let said: Vec<String> = said.into_iter().skip(first - *back).take(room).collect();
            frame.render_widget(
                paragraph(said).block(Block::bordered().title("said (Page Up looks back)")),
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
        })?;
        Ok(())
    }

    /// The clock alone: large digits, and one line below.
    fn draw_clock(&mut self, session: &Session, now: Instant) -> std::io::Result<()> {
        let said = if self.typing {
            format!(":{}", self.input.value())
        } else {
            self.log.last().cloned().unwrap_or_default()
        };
        self.terminal.draw(|frame| {
            let [clocks, said_at, hint] =
                Layout::vertical([Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1)])
                    .areas(frame.area());
            face::draw(frame, clocks, session, now);
            frame.render_widget(Paragraph::new(said), said_at);
            frame.render_widget(
                Paragraph::new(face::HINT).style(Style::new().add_modifier(Modifier::DIM)),
                hint,
            );
        })?;
        Ok(())
    }

    /// What a key means where letters press the clock; nothing if it is a key like any other.
    fn clock_key(&mut self, key: KeyEvent, at: Instant, session: &Session) -> Option<Pressed> {
        if self.typing || !session.table().game().plays_on_after_flag() {
            return None;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('p') if control => {
                let word = if session.table().clock().paused() { "resume" } else { "pause" };
                Some(Pressed::Line(word.to_owned()))
            }
            KeyCode::Char(':') => {
                self.typing = true;
                Some(Pressed::Nothing)
            }
            // An empty line is a press of whoever may press. A key that is held down comes again and again,
            // and terminals do not say so: what comes at once after the last is no press.
            KeyCode::Char(' ') | KeyCode::Enter => {
                let held = self.common_press.replace(at).is_some_and(|last| at.since(last) < HELD);
                Some(if held { Pressed::Nothing } else { Pressed::Line(String::new()) })
            }
            // Held down, a side's own key does nothing: its clock stands by then.
            KeyCode::Char(letter) if !control => {
                let side = face::side_of(letter)?;
                Some(Pressed::Line(format!("press {}", side.word())))
            }
            _ => None,
        }
    }

    pub(super) fn key(&mut self, event: &Event, at: Instant, session: &Session) -> Pressed {
        let Event::Key(key) = event else { return Pressed::Nothing };
        if key.kind == KeyEventKind::Release {
            return Pressed::Nothing;
        }
        if let Some(pressed) = self.clock_key(*key, at, session) {
            return pressed;
        }
        match key.code {
            KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => Pressed::Leave,
            KeyCode::Esc if self.typing => {
                self.typing = false;
                self.input.reset();
                Pressed::Nothing
            }
            KeyCode::Enter => {
                (self.offers, self.back, self.typing) = (None, 0, false);
                Pressed::Line(self.input.value_and_reset())
            }
            KeyCode::Tab => {
                self.complete(session);
                Pressed::Nothing
            }
            KeyCode::PageUp => {
                self.back += PAGE;
                Pressed::Nothing
            }
            KeyCode::PageDown => {
                self.back = self.back.saturating_sub(PAGE);
                Pressed::Nothing
            }
            _ => {
                self.offers = None;
                self.input.handle_event(event);
                Pressed::Nothing
            }
        }
    }

    /// Tab again and again walks through what is legal and begins like what was typed.
    fn complete(&mut self, session: &Session) {
        let (offers, next) = match self.offers.take() {
            Some(offers) => offers,
            None => (words::completions(self.input.value(), session), 0),
        };
        if let Some(offer) = offers.get(next) {
            self.input = Input::new(offer.clone());
            let next = (next + 1) % offers.len();
            self.offers = Some((offers, next));
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

fn paragraph(lines: Vec<String>) -> Paragraph<'static> {
    Paragraph::new(lines.into_iter().map(Line::from).collect::<Vec<_>>())
}

/// Breaks lines between words so that each is at most so wide.
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
    use super::*;

    #[test]
    fn long_lines_break_between_words() {
        let lines = ["White: call 1, raise to 4 or more, or fold".to_owned(), String::new()];
        assert_eq!(wrapped(&lines, 20), ["White: call 1, raise", "to 4 or more, or", "fold", ""]);
    }
}
