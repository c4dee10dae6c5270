//! The table in a terminal: board, clocks, pot and prompt above, what was said below, and a typed
//! line with completion of what is legal.

use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph, Wrap};
use tui_input::Input;
use tui_input::backend::crossterm::EventHandler as _;

use super::session::Session;
use super::{view, words};
use crate::clock::Instant;

/// How many lines of what was said are kept.
const LOG: usize = 500;
/// How often running clocks are drawn again.
const REFRESH: Duration = Duration::from_millis(200);

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
}

impl Screen {
    pub(super) fn open() -> std::io::Result<Self> {
        let terminal = ratatui::try_init()?;
        Ok(Self { terminal, input: Input::default(), offers: None, log: Vec::new() })
    }

    pub(super) fn refresh(&self) -> Duration {
        REFRESH
    }

    pub(super) fn log(&mut self, text: &str) {
        self.log.extend(text.lines().map(str::to_owned));
        let over = self.log.len().saturating_sub(LOG);
        self.log.drain(..over);
    }

    pub(super) fn draw(&mut self, session: &Session, now: Instant) -> std::io::Result<()> {
        let table = view::lines(session, now);
        let height = u16::try_from(table.len()).unwrap_or(u16::MAX).saturating_add(2);
        let (log, input) = (&self.log, &self.input);
        self.terminal.draw(|frame| {
            let [top, middle, bottom] =
                Layout::vertical([Constraint::Length(height), Constraint::Min(3), Constraint::Length(3)])
                    .areas(frame.area());
            let lines: Vec<Line> = table.into_iter().map(Line::from).collect();
            frame.render_widget(Paragraph::new(lines).block(Block::bordered().title("Tabiya")), top);
            let room = usize::from(middle.height.saturating_sub(2));
            let shown: Vec<Line> = log
                .iter()
                .skip(log.len().saturating_sub(room))
                .map(|line| Line::from(line.as_str()))
                .collect();
            frame.render_widget(
                Paragraph::new(shown).wrap(Wrap { trim: false }).block(Block::bordered().title("said")),
                middle,
            );
            let title = "type what happens; Tab completes, `help` lists the words, Ctrl-C leaves";
            frame.render_widget(
                Paragraph::new(input.value())
                    .style(Style::new().add_modifier(Modifier::BOLD))
                    .block(Block::bordered().title(title)),
                bottom,
            );
            let column = u16::try_from(input.visual_cursor()).unwrap_or(0);
            frame.set_cursor_position((bottom.x.saturating_add(column).saturating_add(1), bottom.y + 1));
        })?;
        Ok(())
    }

    pub(super) fn key(&mut self, event: &Event, session: &Session) -> Pressed {
        let Event::Key(key) = event else { return Pressed::Nothing };
        if key.kind == KeyEventKind::Release {
            return Pressed::Nothing;
        }
        match key.code {
            KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => Pressed::Leave,
            KeyCode::Enter => {
                self.offers = None;
                Pressed::Line(self.input.value_and_reset())
            }
            KeyCode::Tab => {
                self.complete(session);
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
