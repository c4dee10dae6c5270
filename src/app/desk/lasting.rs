//! Causes of alerts for an event's consoles that depend on what was before: a result that waits too long to be confirmed, and a claim
//! that is open for one side also while the other one thinks.

use tabiya_engine::rules::Actor;
use tabiya_engine::table::{Audience, Table};
use tabiya_types::{ByColor, Color, Instant, say};

use crate::alerts::{AlertKind, Cause};

/// After how long both players should have confirmed a result, in ms (the contract of a hall, `unsigned`).
const CONFIRMS: u64 = 180_000;

/// What was before at a table, as far as its consoles are told of it.
#[derive(Debug, Default)]
pub(super) struct LastingCauses {
    /// How many games were before the one that was looked at last.
    game: usize,
    /// Since when the result of the game waits.
    result: Option<Instant>,
    /// When a result will have waited for too long.
    due: Option<Instant>,
    /// Whether each side could claim a draw when it was its turn last.
    claims: ByColor<bool>,
}

impl LastingCauses {
    /// When there will be another cause although nothing happens.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Whether this moment has come. It comes once.
    pub(super) fn is_due(&mut self, now: Instant) -> bool {
        self.due.take_if(|due| *due <= now).is_some()
    }

    /// The causes at this table now. `claimable` is whether whoever has to act can claim a draw.
    pub(super) fn causes(&mut self, table: &Table, claimable: bool, now: Instant) -> Vec<Cause> {
        let game = table.past_games().len();
        if self.game != game {
            *self = Self { game, ..Self::default() };
        }
        let mut causes: Vec<Cause> = self.unsigned(table, now).into_iter().collect();
        if table.game().outcome().is_some() {
            self.claims = ByColor::default();
        } else if let Actor::Player(color) = table.to_act() {
            self.claims[color] = claimable;
        }
        causes.extend(Color::ALL.into_iter().filter(|color| self.claims[*color]).map(|color| {
            let name = table.name_of(color).to_owned();
            let says = say!("alert-claimable", "{name} can claim a draw", name);
            Cause::new(AlertKind::Claimable, Audience::Arbiter, Some(color), says)
        }));
        causes
    }

    fn unsigned(&mut self, table: &Table, now: Instant) -> Option<Cause> {
        let waits = table.game().counts() && Color::ALL.into_iter().any(|by| table.may_sign(by));
        if !waits {
            (self.result, self.due) = (None, None);
            return None;
        }
        let since = *self.result.get_or_insert(now);
        let due = Instant::from_millis(since.millis() + CONFIRMS);
        if now < due {
            self.due = Some(due);
            return None;
        }
        let says = say!("alert-unsigned", "both players have not confirmed the result for 3 min");
        Some(Cause::new(AlertKind::Unsigned, Audience::Arbiter, None, says))
    }
}
