//! Sounds and speech for a table: compares each snapshot with the one before, and plays or speaks what is new.

use tabiya_app::alerts::{Alert, AlertKind, Cause};
use tabiya_app::snapshot::{Snapshot, TableView};
use tabiya_app::view::reading_with_tenths;
use tabiya_engine::table::Audience;
use tabiya_text::Words;
use tabiya_types::{Board, ByColor, Color, Instant, Sentence};

use super::aloud::{Aloud, Sound};
use super::board::square_words;
use super::cx::tenths_below;

/// What can be heard of cards, chips and alerts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Seen {
    /// The number of cards that lie open before the players.
    cards: usize,
    pot: u32,
    /// The newest alert that waits for the arbiter, if his drawer is open. While it is closed, a bell would tell the players.
    alert: Option<u64>,
}

impl Seen {
    fn of(snapshot: &Snapshot, view: &TableView, drawer: bool) -> Self {
        let rings = |alert: &Alert| {
            let Cause { kind, to, proposal, .. } = &alert.cause;
            *to == Audience::Arbiter && (*kind == AlertKind::Question || proposal.is_some())
        };
        Self {
            cards: Color::ALL.iter().map(|color| view.cards[*color].len()).sum(),
            pot: view.stakes.pot().0,
            alert: snapshot
                .alerts
                .iter()
                .filter(|alert| drawer && rings(alert))
                .map(|alert| alert.number)
                .max(),
        }
    }

    /// What is new since `before`.
    fn sounds(self, before: Self) -> impl Iterator<Item = Sound> {
        let new = [
            (self.alert > before.alert, Sound::Bell),
            (self.cards > before.cards, Sound::Card),
            (self.pot > before.pot, Sound::Chips),
        ];
        new.into_iter().filter(|(heard, _)| *heard).map(|(_, sound)| sound)
    }
}

/// The state of the table at the last snapshot, and what has been spoken.
#[derive(Clone, Debug, Default)]
pub(super) struct Listener {
    turn: Option<Color>,
    flag: Option<Color>,
    over: bool,
    refused: Option<Sentence>,
    prompt: Option<Sentence>,
    /// How many lines of the record have already been spoken or passed over.
    spoken: usize,
    /// The pieces that the board reported last.
    seen: Option<Board>,
    warned: ByColor<usize>,
    /// The state of each side's time control: the stage, whether overtime has begun, and the periods left.
    stages: ByColor<Option<(usize, bool, Option<u32>)>>,
    begun: bool,
    last: Seen,
}

impl Listener {
    /// Plays and speaks what is new at this moment of the match. `drawer`: the arbiter's drawer is open.
    pub(super) fn follow(
        &mut self,
        snapshot: &Snapshot,
        (at, drawer): (Instant, bool),
        words: &Words,
        aloud: &Aloud,
    ) {
        let Some(view) = &snapshot.table else {
            *self = Self::default();
            return;
        };
        let settings = &snapshot.settings;
        let first = !std::mem::replace(&mut self.begun, true);
        let turn = view.clock.turn();
        let pressed = self.turn != turn && self.turn.is_some() && turn.is_some();
        // At an event (term `voice`) only the arbiter is told that a flag has fallen, so nothing is played or spoken.
        let flag = view.clock.flag().filter(|_| !view.is_event());
        let refused = snapshot.refused.as_ref().filter(|refused| refused.to == Audience::Players);
        let refused = refused.map(|refused| refused.text.clone());
        let seen = Seen::of(snapshot, view, drawer);
        let last = std::mem::replace(&mut self.last, seen);
        if !first {
            seen.sounds(last).for_each(|sound| aloud.play(sound, settings));
            if flag.is_some() && self.flag != flag {
                aloud.play(Sound::Flag, settings);
            } else if view.outcome.is_some() && !self.over {
                aloud.play(Sound::Over, settings);
            } else if let Some(by) = self.turn.filter(|_| pressed) {
                aloud.play(Sound::Press(by), settings);
            }
            if let Some(text) = refused.as_ref().filter(|text| self.refused.as_ref() != Some(*text)) {
                aloud.play(Sound::Refused, settings);
                aloud.speak(&words.sentence(text), settings);
            }
            self.speak_lines(snapshot, words, aloud);
            self.speak_lifts(snapshot, words, aloud);
            if let Some(prompt) = view.prompt().filter(|prompt| self.prompt.as_ref() != Some(*prompt)) {
                aloud.speak(&words.sentence(prompt), settings);
            }
        }
        for color in Color::ALL {
            let quiet = first || view.clock.turn() != Some(color);
            let warned = self.pass_warnings(snapshot, view, color, at);
            if let Some(left) = warned.filter(|_| !quiet) {
                let facts = [("color", words.color(color).into()), ("left", left.into())];
                aloud.play(Sound::Warning, settings);
                aloud.speak(&words.with("clock-running", &facts), settings);
            }
            let stage = view.clock.standing(color, at).map(|then| (then.stage, then.overtime, then.periods));
            if self.stages[color] != stage && !first {
                aloud.play(Sound::Stage, settings);
            }
            self.stages[color] = stage;
        }
        (self.turn, self.flag, self.over, self.refused) = (turn, flag, view.outcome.is_some(), refused);
        self.prompt = view.prompt().cloned();
        self.spoken = snapshot.moments.len();
        self.seen = snapshot.board.seen;
    }

    /// Speaks the new lines of the record.
    fn speak_lines(&self, snapshot: &Snapshot, words: &Words, aloud: &Aloud) {
        let new = snapshot.moments.iter().skip(self.spoken).flat_map(|line| &line.told);
        for entry in new.filter(|entry| entry.to == Audience::Players) {
            aloud.speak(&words.sentence(&entry.aloud), &snapshot.settings);
        }
    }

    /// Counts how many warning times a side's clock has reached. If the count has grown, returns the clock's reading as
    /// the screens show it.
    fn pass_warnings(
        &mut self,
        snapshot: &Snapshot,
        view: &TableView,
        of: Color,
        at: Instant,
    ) -> Option<String> {
        let settings = &snapshot.settings;
        // A clock that counts up never runs out, so it has no warnings.
        let left = view.clock.reading(of, at).filter(|_| !view.clock.counts_up(of, at));
        let reached = |seconds: &&u32| left.is_some_and(|left| left.0 <= u64::from(**seconds) * 1000);
        let passed = settings.warnings.iter().filter(reached).count();
        let before = std::mem::replace(&mut self.warned[of], passed);
        (passed > before).then(|| reading_with_tenths(left, tenths_below(settings)))
    }

    /// Speaks which piece was lifted off the board, for people who cannot see it.
    fn speak_lifts(&self, snapshot: &Snapshot, words: &Words, aloud: &Aloud) {
        let (Some(before), Some(now)) = (&self.seen, &snapshot.board.seen) else { return };
        for square in before.differences(now).filter(|square| now[*square].is_none()) {
            let what = square_words(words, square, before[square]);
            aloud.speak(&words.with("lifted", &[("what", what.into())]), &snapshot.settings);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_chips_and_alerts_are_heard_once_when_they_come() {
        let none = Seen::default();
        let sounds = |now: Seen, before: Seen| now.sounds(before).collect::<Vec<_>>();
        let all = Seen { cards: 1, pot: 3, alert: Some(1) };
        assert_eq!(sounds(all, none), [Sound::Bell, Sound::Card, Sound::Chips]);
        assert_eq!(sounds(all, all), [], "nothing is new");
        assert_eq!(sounds(none, all), [], "what goes is not heard");
        assert_eq!(sounds(Seen { pot: 9, ..all }, all), [Sound::Chips]);
        assert_eq!(sounds(Seen { alert: Some(2), ..all }, all), [Sound::Bell], "one more alert");
    }
}
