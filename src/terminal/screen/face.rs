//! The screen of a clock-only game in a terminal: two halves with large digits. Each half of the keyboard presses one
//! half of the screen.

use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Paragraph};
use tabiya_app::snapshot::TableView;
use tabiya_app::view;
use tabiya_engine::clock::ControlProgress;
use tabiya_types::{Color, Instant, harmless};
use tui_big_text::{BigText, PixelSize};

/// The line below the clocks that explains the keys.
pub(super) const HINT: &str = "left half of the keyboard: White; right half, digits, signs and Enter: Black; \
     space: the side whose clock runs; Ctrl-P pauses; `:` opens the input line";

/// The letters on the left half of Latin and Cyrillic keyboards. A list of letters is needed because a terminal reports
/// a key's letter, not its position. `y` and `z` are in neither list because their positions differ between keyboards.
const LEFT: &str = "qwertasdfgxcvйцукефывапячсми";

/// The letters on the right half of the keyboard, and all digits and signs that a number pad has. No digit or sign is
/// on the left half, because the whole number pad must belong to one player.
const RIGHT: &str = "uiophjklbnmñçöäüßнгшщзхъролджэтьбю0123456789+-*/.,=[];'";

/// The side whose half of the keyboard has this key; `None` for keys in neither half.
pub(super) fn side_of(key: char) -> Option<Color> {
    let key = key.to_lowercase().next()?;
    if LEFT.contains(key) { Some(Color::White) } else { RIGHT.contains(key).then_some(Color::Black) }
}

/// Draws both clocks with their readings at `at`, a moment of the match.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, view: &TableView, at: Instant) {
    let halves = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas::<2>(area);
    for (color, half) in Color::ALL.into_iter().zip(halves) {
        draw_half(frame, half, view, color, at);
    }
}

fn draw_half(frame: &mut Frame<'_>, area: Rect, table: &TableView, color: Color, now: Instant) {
    let clock = &table.clock;
    let runs = clock.turn() == Some(color);
    let state = match (clock.has_fallen(color), runs, clock.paused()) {
        (true, ..) if clock.flag() == Some(color) => " flag ",
        (true, ..) => " flag, second ",
        (false, true, true) => " paused ",
        (false, true, false) => " > runs < ",
        (false, false, _) => "",
    };
    let name = format!(" {color}: {} ", harmless(&table.agreement.players[table.seats[color]]));
    let border = if runs { BorderType::Double } else { BorderType::Plain };
    let block = Block::bordered().border_type(border).title(name).title(Line::from(state).right_aligned());
    let inner = block.inner(area);
    let style =
        if runs && !clock.paused() { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
    frame.render_widget(block, area);
    let digits = view::reading_of(clock, color, now);
    let wide = u16::try_from(digits.chars().count()).unwrap_or(u16::MAX);
    let size = if inner.width >= wide.saturating_mul(8) && inner.height >= 10 {
        PixelSize::Full
    } else {
        PixelSize::Quadrant
    };
    let height = if size == PixelSize::Full { 8 } else { 4 };
    let [_, middle, below, _] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(height),
        Constraint::Length(1),
        Constraint::Fill(1),
    ])
    .areas(inner);
    let text = BigText::builder()
        .pixel_size(size)
        .alignment(Alignment::Center)
        .style(style)
        .lines(vec![Line::from(digits)])
        .build();
    frame.render_widget(text, middle);
    let mut facts = vec![format!("moves {}", clock.moves(color))];
    facts.extend(clock.standing(color, now).and_then(stage));
    frame.render_widget(Paragraph::new(facts.join(", ")).alignment(Alignment::Center), below);
}

/// The state of a side's time control in words (stage, periods, moves left, delay); `None` if there is nothing to say.
fn stage(standing: ControlProgress) -> Option<String> {
    let ControlProgress { stage, stages, overtime, periods, block, counts_up, delay } = standing;
    let mut words = Vec::new();
    if stages > 1 {
        words.push(format!("stage {stage} of {stages}"));
    }
    if let Some(periods) = periods.filter(|_| overtime) {
        words.push(format!("periods left {periods}"));
    }
    if let Some(moves) = block {
        words.push(format!("moves left in this block {moves}"));
    }
    if counts_up {
        words.push("counts up".to_owned());
    }
    if delay.0 > 0 {
        words.push(format!("delay {}", delay.0.div_ceil(1000)));
    }
    (!words.is_empty()).then(|| words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_half_of_the_keyboard_has_its_side() {
        for key in "qaxTGVйИ".chars() {
            assert_eq!(side_of(key), Some(Color::White), "{key}");
        }
        for key in "pmLHBñнЮ-[;,./'".chars() {
            assert_eq!(side_of(key), Some(Color::Black), "{key}");
        }
        for key in "0123456789+-*/.,".chars() {
            assert_eq!(side_of(key), Some(Color::Black), "a number pad is wholly one player's: {key}");
        }
    }

    #[test]
    fn a_key_that_lies_in_no_half_for_certain_presses_nothing() {
        for key in "yzYZ :\u{1b}日αé!".chars() {
            assert_eq!(side_of(key), None, "{key:?}");
        }
        assert!(LEFT.chars().all(|key| !RIGHT.contains(key)));
    }
}
