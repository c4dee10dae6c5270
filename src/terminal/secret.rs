//! A secret that is typed in a terminal, such as a passphrase: nothing of it is shown. From a pipe it is a line like any other.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// The longest secret, in characters: the rest is passed over.
const LONGEST: usize = 1_024;

/// What has been typed of a secret.
#[derive(Default)]
struct Typed(String);

/// Whether a secret is typed to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TypingState {
    GoesOn,
    Done,
    GivenUp,
}

impl Typed {
    fn key(&mut self, key: KeyEvent) -> TypingState {
        // Some terminals tell when a key is let go, too.
        if key.kind == KeyEventKind::Release {
            return TypingState::GoesOn;
        }
        match key.code {
            KeyCode::Enter => return TypingState::Done,
            KeyCode::Esc => return TypingState::GivenUp,
            KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return TypingState::GivenUp;
            }
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => self.0.clear(),
            KeyCode::Backspace => drop(self.0.pop()),
            KeyCode::Char(sign) if self.0.chars().count() < LONGEST => self.0.push(sign),
            _ => {}
        }
        TypingState::GoesOn
    }
}

/// Takes the terminal back from raw mode, however the question ends.
struct Raw;

impl Drop for Raw {
    fn drop(&mut self) {
        // A terminal that cannot be reset has ended.
        let _ = disable_raw_mode();
    }
}

/// Prints a question and reads the answer, which is not shown. `None` if there is none: at the end of the input, and when people
/// give up with Ctrl-C, Ctrl-D or Esc.
pub fn secret(question: &str) -> io::Result<Option<String>> {
    let mut out = io::stdout().lock();
    write!(out, "{question} ")?;
    out.flush()?;
    if !io::stdin().is_terminal() {
        let mut answer = String::new();
        let length = io::stdin().lock().read_line(&mut answer)?;
        return Ok((length > 0).then(|| answer.trim().to_owned()));
    }
    enable_raw_mode()?;
    let raw = Raw;
    let mut typed = Typed::default();
    let ended = loop {
        if let Event::Key(key) = event::read()? {
            match typed.key(key) {
                TypingState::GoesOn => {}
                ended => break ended,
            }
        }
    };
    drop(raw);
    writeln!(out)?;
    Ok((ended == TypingState::Done).then(|| typed.0.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &[(KeyCode, KeyModifiers)]) -> (String, TypingState) {
        let mut typed = Typed::default();
        let mut ended = TypingState::GoesOn;
        for (code, modifiers) in keys {
            ended = typed.key(KeyEvent::new(*code, *modifiers));
        }
        (typed.0, ended)
    }

    #[test]
    fn a_passphrase_is_typed_corrected_and_given_up() {
        let sign = |sign| (KeyCode::Char(sign), KeyModifiers::NONE);
        let control = |sign| (KeyCode::Char(sign), KeyModifiers::CONTROL);
        let (back, enter) = ((KeyCode::Backspace, KeyModifiers::NONE), (KeyCode::Enter, KeyModifiers::NONE));
        assert_eq!(
            typed(&[sign('a'), sign('b'), back, sign('ñ'), enter]),
            ("añ".to_owned(), TypingState::Done)
        );
        assert_eq!(typed(&[sign('a'), control('u'), sign('b')]), ("b".to_owned(), TypingState::GoesOn));
        assert_eq!(typed(&[sign('a'), control('c')]).1, TypingState::GivenUp);
    }

    #[test]
    fn a_key_that_is_let_go_types_nothing() {
        let mut typed = Typed::default();
        let released = KeyEvent::new_with_kind(KeyCode::Char('a'), KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(typed.key(released), TypingState::GoesOn);
        assert_eq!(typed.0, "");
    }
}
