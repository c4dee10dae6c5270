//! A simulated board as a driver sees it: scanned coils and a faulty link.
//!
//! [`Coils`] scan the squares. [`Sensor`] adds the faults of the link and the dumps that a driver requests.
//!
//! This module reads no clock: the caller gives the time of each event, and each observation is returned with its time.

use tabiya_types::{Board, Instant, Millis, Observation, Square};

use super::coils::Coils;
use super::dice::Dice;
use super::hand::Physical;
use super::profile::Profile;

/// The time without a reported change after which a driver requests a dump (a report of all squares), as picochess does
/// over USB.
const QUIET: Millis = Millis(250);

/// How a board reports its changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportMode {
    /// Square by square, with a dump after 250 ms without changes, as from a DGT board and its driver.
    Squares,
    /// The whole board after each change, as in a record's `sees` lines.
    Boards,
}

/// A simulated board that reports the physical events on it.
#[derive(Clone, Debug)]
pub struct Sensor {
    profile: Profile,
    dice: Dice,
    tells: ReportMode,
    coils: Coils,
    /// The moment up to which all observations that were due have been returned.
    now: Instant,
    dump_at: Option<Instant>,
    cure_at: Option<Instant>,
    plugged_at: Option<Instant>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Plug,
    Look(Square),
    Cure,
    Dump,
}

impl Sensor {
    /// Creates a sensor for a board with these pieces. `seed` determines how long one scan of all squares takes, when
    /// the scans begin, and the faults of the profile.
    pub fn new(profile: &Profile, tells: ReportMode, board: Board, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let coils = Coils::new(board, profile.scan, &mut dice);
        Self {
            profile: *profile,
            dice,
            tells,
            coils,
            now: Instant::ZERO,
            dump_at: None,
            cure_at: None,
            plugged_at: None,
        }
    }

    /// The board as a dump reports it: each square as it was when it was last scanned.
    pub fn seen(&self) -> &Board {
        self.coils.seen()
    }

    /// Takes in a physical event at the time `at`. Returns the observations that have become due since the last call.
    /// If the event is a press, its observation is the last of them. If `at` is earlier than the time of the last call,
    /// that time is used instead.
    pub fn feed(&mut self, at: Instant, what: Physical) -> Vec<(Instant, Observation)> {
        let at = at.max(self.now);
        let mut reports = Vec::new();
        while let Some((due, what)) = self.next().filter(|(due, _)| *due < at) {
            self.tell(due, what, &mut reports);
        }
        self.now = at;
        match what {
            Physical::Set(square, what) => self.coils.set(at, square, what),
            Physical::Press(side) => reports.push((at, Observation::Press(side))),
            Physical::Flicker(square, times) => self.coils.flicker(at, square, times),
            // In both cases the board then reports all its squares at once.
            Physical::Unplug(out) | Physical::Blind(out) => {
                self.plugged_at = Some(at + out);
                (self.dump_at, self.cure_at) = (None, None);
            }
        }
        reports
    }

    /// Lets time pass up to and including `until` without a physical event. Returns the observations that become due.
    pub fn run(&mut self, until: Instant) -> Vec<(Instant, Observation)> {
        let mut reports = Vec::new();
        while let Some((due, what)) = self.next().filter(|(due, _)| *due <= until) {
            self.tell(due, what, &mut reports);
        }
        self.now = self.now.max(until);
        reports
    }

    /// Returns all remaining observations.
    pub fn finish(&mut self) -> Vec<(Instant, Observation)> {
        let mut reports = Vec::new();
        while let Some((due, what)) = self.next() {
            self.tell(due, what, &mut reports);
        }
        reports
    }

    /// The time at which the next observation is due if no physical event comes before it; `None` if none is due.
    pub fn deadline(&self) -> Option<Instant> {
        self.next().map(|(due, _)| due)
    }

    fn next(&self) -> Option<(Instant, Due)> {
        if let Some(plugged) = self.plugged_at {
            return Some((plugged, Due::Plug));
        }
        let look = self.coils.next().map(|(at, square)| (at, Due::Look(square)));
        let cure = self.cure_at.map(|at| (at, Due::Cure));
        let dump = self.dump_at.map(|at| (at, Due::Dump));
        [look, cure, dump].into_iter().flatten().min()
    }

    fn tell(&mut self, at: Instant, due: Due, reports: &mut Vec<(Instant, Observation)>) {
        self.now = self.now.max(at);
        match due {
            Due::Plug => {
                self.plugged_at = None;
                self.coils.wake(at);
                reports.push((at, Observation::Whole(*self.coils.seen())));
            }
            Due::Look(square) => self.notice(at, square, reports),
            Due::Cure | Due::Dump => {
                (self.cure_at, self.dump_at) = (None, None);
                reports.push((at, Observation::Whole(*self.coils.seen())));
            }
        }
    }

    fn notice(&mut self, at: Instant, square: Square, reports: &mut Vec<(Instant, Observation)>) {
        let Some(what) = self.coils.look(at, square) else { return };
        if self.dice.chance(self.profile.drop) {
            let cured = at + self.dice.span(self.profile.cure_after);
            // The report of this change is lost, so the driver does not know of the change and requests no dump. The
            // dump at `cure_at` repairs the loss.
            self.cure_at = Some(self.cure_at.map_or(cured, |earlier| earlier.max(cured)));
            self.dump_at = None;
            return;
        }
        let observation = match self.tells {
            ReportMode::Squares => Observation::Square(square, what),
            ReportMode::Boards => Observation::Whole(*self.coils.seen()),
        };
        reports.push((at, observation));
        if self.dice.chance(self.profile.duplicate) {
            reports.push((at, observation));
        }
        if self.tells == ReportMode::Squares && self.cure_at.is_none() {
            self.dump_at = Some(at + QUIET);
        }
    }
}

#[cfg(test)]
mod tests {
    use tabiya_types::{Color, Piece, Role};

    use super::*;

    const PAWN: Piece = Piece { color: Color::White, role: Role::Pawn };

    fn square(text: &str) -> Square {
        text.parse().expect("a square")
    }

    fn sensor(profile: &Profile, fen: &str, seed: u64) -> Sensor {
        Sensor::new(profile, ReportMode::Squares, fen.parse().expect("a board"), seed)
    }

    fn quick_move(seed: u64) -> Vec<Observation> {
        let mut sensor = sensor(&Profile::CLEAN, "8/8/8/8/8/8/4P3/8", seed);
        let mut reports = sensor.feed(Instant::from_millis(1_000), Physical::Set(square("e2"), None));
        reports.extend(sensor.feed(Instant::from_millis(1_020), Physical::Set(square("e4"), Some(PAWN))));
        reports.extend(sensor.finish());
        reports.into_iter().map(|(_, observation)| observation).collect()
    }

    #[test]
    fn a_snatched_piece_is_sometimes_told_put_before_lifted() {
        let lift = Observation::Square(square("e2"), None);
        let put = Observation::Square(square("e4"), Some(PAWN));
        let reports: Vec<_> = (0..50).map(quick_move).collect();
        assert!(reports.iter().any(|reports| reports.starts_with(&[lift, put])));
        assert!(reports.iter().any(|reports| reports.starts_with(&[put, lift])));
    }

    #[test]
    fn every_change_is_told_within_one_pass() {
        for seed in 0..50 {
            let mut sensor = sensor(&Profile::CLEAN, "8/8/8/8/8/8/4P3/8", seed);
            let at = Instant::from_millis(1_000 + seed * 7);
            let mut reports = sensor.feed(at, Physical::Set(square("e2"), None));
            reports.extend(sensor.finish());
            assert!(reports.first().is_some_and(|(reports, _)| reports.since(at) <= Millis(250)));
        }
    }

    #[test]
    fn a_dump_follows_when_the_board_is_quiet() {
        let reports = quick_move(3);
        let after = "8/8/8/8/4P3/8/8/8".parse().expect("a board");
        assert_eq!(reports.last(), Some(&Observation::Whole(after)));
        assert_eq!(reports.len(), 3);
    }

    #[test]
    fn a_flicker_comes_and_goes_and_ends_as_it_stands() {
        let mut sensor = sensor(&Profile::CLEAN, "8/8/8/8/8/8/4P3/8", 5);
        let mut reports = sensor.feed(Instant::from_millis(500), Physical::Flicker(square("e2"), 2));
        reports.extend(sensor.finish());
        let toggles: Vec<_> = reports
            .iter()
            .filter_map(|(_, observation)| match observation {
                Observation::Square(_, what) => Some(what.is_some()),
                Observation::Whole(_) | Observation::Occupied(_) | Observation::Press(_) => None,
            })
            .collect();
        assert_eq!(toggles, [false, true, false, true]);
        assert!(
            matches!(reports.last(), Some((_, Observation::Whole(board))) if board[square("e2")].is_some())
        );
    }

    #[test]
    fn a_lost_update_is_cured_by_a_dump() {
        let deaf = Profile { drop: super::super::PerMille::ALWAYS, ..Profile::HOSTILE };
        let mut sensor = sensor(&deaf, "8/8/8/8/8/8/4P3/8", 5);
        let mut reports = sensor.feed(Instant::from_millis(500), Physical::Set(square("e2"), None));
        reports.extend(sensor.finish());
        assert_eq!(reports.len(), 1);
        assert!(matches!(reports.last(), Some((_, Observation::Whole(board))) if *board == Board::EMPTY));
    }

    #[test]
    fn a_plug_that_comes_back_tells_the_whole_board() {
        let mut sensor = sensor(&Profile::CLEAN, "8/8/8/8/8/8/4P3/8", 5);
        let mut reports = sensor.feed(Instant::from_millis(500), Physical::Unplug(Millis(900)));
        reports.extend(sensor.feed(Instant::from_millis(700), Physical::Set(square("e2"), None)));
        reports.extend(sensor.finish());
        assert_eq!(reports, [(Instant::from_millis(1_400), Observation::Whole(Board::EMPTY))]);
    }
}
