//! Which colour sits at which side of the physical clock.
//!
//! A clock reports its left and its right side, seen from its front. Which colour presses which of them depends on where
//! the clock stands, so it is the table's to know: people say it, or the table guesses it. The guess compares the presses
//! with the board. Whoever presses while the position of the start stands lets White's time run, so he is Black; later the
//! player who has moved presses. If the board is turned between two games, its clock is turned with it.
//!
//! This is the only place where sides become colours: for presses, for the times of a clock, and for its display. What
//! follows from a guess is done by `session/levers.rs`.

use tabiya_boards::Side;
use tabiya_engine::clock::ClockSide;
use tabiya_engine::record::Line;
use tabiya_engine::rules::{Action, Datum, Group, Turn};
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Common, Input, Probe, Table};
use tabiya_types::{Board, Color, Instant, Sentence, say};

/// The member of a record's line that says on which side of the clock White sits, written when this is not what the board
/// suggests. A match that is carried on reads it.
const MARK: &str = "x-clock-side";

/// The colour that sits at this side of the clock.
pub(super) fn color_at(seat: ClockSide, side: Side) -> Color {
    if side == Side::Left { seat.left() } else { seat.left().other() }
}

/// The side of the clock at which this colour sits.
pub(super) fn side_of(seat: ClockSide, color: Color) -> Side {
    if seat.left() == color { Side::Left } else { Side::Right }
}

/// Where the clock stands if this colour sits at this side of it.
fn with(color: Color, side: Side) -> ClockSide {
    ClockSide::with_left(if side == Side::Left { color } else { color.other() })
}

/// Where the clock stands if nobody says anything: as in the recordings of real games, it is turned with the board.
fn usual(turned: bool) -> ClockSide {
    if turned { ClockSide::WhiteRight } else { ClockSide::WhiteLeft }
}

/// Where White's lever is, in words.
pub(super) fn clock_side_sentence(seat: ClockSide) -> Sentence {
    match seat {
        ClockSide::WhiteLeft => say!("clock-side-left", "White's lever is on the left of the clock"),
        ClockSide::WhiteRight => say!("clock-side-right", "White's lever is on the right of the clock"),
    }
}

/// The side of the clock that a board's driver means with this colour: drivers call the left side White's.
pub(super) fn reported_side(color: Color) -> Side {
    if color == Color::White { Side::Left } else { Side::Right }
}

/// A press of the physical clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LeverPress {
    pub(super) side: Side,
    pub(super) at: Instant,
}

/// A press that has contradicted the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct DoubtedPress {
    pub(super) press: LeverPress,
    /// What the board showed.
    stands: Stands,
    /// How many inputs counted before it.
    pub(super) count: usize,
}

/// What the board shows when somebody presses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stands {
    /// The position in which the game's first turn begins. Nobody has acted in it.
    Start,
    /// A position that is known already. The press before has ended the turn that led to it.
    Settled,
    /// An action of the player to move.
    Acted,
    /// An action of the player to move, and then one of the other player.
    Answered,
}

/// Who would press now, as the board shows it, and what it shows. `None` if the board shows nothing that anybody may have
/// played, or no board is there to show it.
pub(super) fn expected_press(watch: &Watch) -> Option<(Color, Stands)> {
    let table = watch.table();
    let Turn::Timed { by, acted, .. } = table.turn() else { return None };
    if table.game().presses_alone() {
        let starts = table.clock().turn().is_none();
        return Some(if starts { (by.other(), Stands::Start) } else { (by, Stands::Acted) });
    }
    let Some(seen) = watch.seen().filter(|_| table.game().has_board()) else {
        return acted.then_some((by, Stands::Acted));
    };
    if is_in_hand(&seen, &table.physical()) {
        return Some(if acted {
            (by, Stands::Acted)
        } else if is_at_start(table) {
            (by.other(), Stands::Start)
        } else {
            (by.other(), Stands::Settled)
        });
    }
    let mut probe = table.probe();
    if acted {
        probe.end_turn();
    }
    match (actions_to(&probe, &seen).len(), acted) {
        (1, true) | (2, false) => Some((by.other(), Stands::Answered)),
        (1, false) => Some((by, Stands::Acted)),
        _ => None,
    }
}

/// The action or the two actions of successive turns that the board shows and the table does not know yet.
pub(super) fn standing_actions(watch: &Watch) -> Vec<Action> {
    watch.seen().map(|seen| actions_to(&watch.table().probe(), &seen)).unwrap_or_default()
}

/// The action or the two actions of successive turns that lead to this board; empty if there are none.
fn actions_to(probe: &Probe, seen: &Board) -> Vec<Action> {
    let leads = |probe: &Probe| probe.candidates().into_iter().find(|next| next.after == *seen);
    if let Some(one) = leads(probe) {
        return vec![one.action];
    }
    let first = probe.candidates();
    if first.len() > MOST_TRIED {
        return Vec::new();
    }
    let both = first.into_iter().find_map(|next| {
        let then = leads(&probe.after_turn(&next.action)?)?;
        Some(vec![next.action, then.action])
    });
    both.unwrap_or_default()
}

/// The most actions after which the answers are looked at. A position of chess has at most 218.
const MOST_TRIED: usize = 250;

/// Whether the board is as it should be, but for pieces that somebody holds.
fn is_in_hand(seen: &Board, expected: &Board) -> bool {
    let known = seen.pieces().all(|(square, piece)| expected[square] == Some(piece));
    let held = expected.pieces().count() - seen.pieces().count().min(expected.pieces().count());
    known && held <= 2
}

/// Whether no turn of this game has had an action yet.
fn is_at_start(table: &Table) -> bool {
    let inputs: Vec<&Input> = table.counted_inputs().map(|(_, input)| input).collect();
    let last = inputs.into_iter().rev().find(|input| match input {
        Input::Game(_) => true,
        Input::Common(common) => matches!(common, Common::Next(_)),
    });
    !matches!(last, Some(Input::Game(action)) if action.takes_turn())
}

/// What is known about where the clock stands.
#[derive(Clone, Copy, Debug)]
struct Known {
    side: ClockSide,
    /// Whether the board was turned then; `None` until the first press.
    turned: Option<bool>,
}

/// What a press says about where the clock stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Weighed {
    /// It says nothing, or that the clock stands as it is thought to stand.
    Fits,
    /// It contradicts the board as shown now. The board may still change.
    Waits,
    /// It contradicts the board, but that is not enough to say that the clock stands the other way round.
    Doubted,
    /// The clock stands the other way round. The board shows this.
    Exchanged(Stands),
}

/// Where the clock stands, and what supports and contradicts it.
#[derive(Debug, Default)]
pub(super) struct ClockSeats {
    known: Option<Known>,
    /// Whether people have said where the clock stands. Then nothing is guessed.
    told: bool,
    /// The sides of the clock whose presses have fitted in this game.
    fitted: Vec<Side>,
    /// The presses that have contradicted the board since one has fitted, at most one for each side.
    doubted: Vec<DoubtedPress>,
    /// Whether a lever was pressed while the position of the start stood.
    began: bool,
    /// A press that has started a game, until the board cannot show late that it ended a move.
    start: Option<LeverPress>,
    /// Whether people were told that what they have said contradicts the board.
    hinted: bool,
    /// What the last mark in the record says.
    marked: Option<ClockSide>,
}

impl ClockSeats {
    /// Where the clock stands, on a board that is turned or not.
    pub(super) fn now(&self, turned: bool) -> ClockSide {
        match self.known {
            None => usual(turned),
            Some(Known { side, turned: Some(then) }) if then != turned => side.other(),
            Some(Known { side, .. }) => side,
        }
    }

    /// Whether the presses of both sides have fitted.
    fn is_firm(&self) -> bool {
        self.fitted.len() == 2
    }

    /// Whether a press has contradicted the board, so that nobody may be blamed for it.
    pub(super) fn in_doubt(&self) -> bool {
        !self.doubted.is_empty()
    }

    /// The presses that have contradicted the board.
    pub(super) fn doubted(&self) -> Vec<DoubtedPress> {
        self.doubted.clone()
    }

    /// Notes what people have said; `None`: the table guesses again.
    pub(super) fn tell(&mut self, side: Option<ClockSide>) {
        (self.told, self.hinted) = (side.is_some(), false);
        self.next_game();
        if let Some(side) = side {
            self.known = Some(Known { side, turned: None });
        }
    }

    /// From now on the clock stands the other way round.
    pub(super) fn exchange(&mut self, turned: bool) {
        self.known = Some(Known { side: self.now(turned).other(), turned: Some(turned) });
        (self.fitted, self.doubted, self.start) = Default::default();
        self.began = true;
    }

    /// Another game begins, in which the players may sit elsewhere.
    pub(super) fn next_game(&mut self) {
        (self.fitted, self.doubted, self.start, self.began) = Default::default();
    }

    /// Whether people said where the clock stands, and both sides of it have contradicted that. True once.
    pub(super) fn contradicts_people(&mut self) -> bool {
        self.told && self.both_doubted() && !std::mem::replace(&mut self.hinted, true)
    }

    /// Whether the presses of both sides contradict the board. In fast play an opponent answers before the press, and a
    /// clock may be read late; but nobody can press while the other player's move stands that is not pressed yet.
    fn both_doubted(&self) -> bool {
        self.doubted.len() == 2 && self.doubted.iter().any(|doubted| doubted.stands == Stands::Acted)
    }

    /// Weighs a press against the board. `rested`: the board has had the time to show what came before the press.
    pub(super) fn weigh(&mut self, press: LeverPress, watch: &Watch, rested: bool) -> Weighed {
        self.start = None;
        let turned = watch.turned();
        if let Some(known) = &mut self.known {
            known.turned.get_or_insert(turned);
        }
        let Some((by, stands)) = expected_press(watch) else { return Weighed::Fits };
        if with(by, press.side) == self.now(turned) {
            self.fits(press, stands);
            return Weighed::Fits;
        }
        let open = !self.told && !self.is_firm();
        let runs = watch.table().clock().turn().is_some();
        let nothing_played = stands == Stands::Settled || stands == Stands::Start && runs && !self.began;
        if nothing_played && (!open || stands == Stands::Start) {
            // A player who presses without a move. This says nothing about the clock.
            return Weighed::Fits;
        }
        if open && !rested {
            return Weighed::Waits;
        }
        self.doubt(press, stands, watch);
        let certain = match stands {
            Stands::Start => !std::mem::replace(&mut self.began, true),
            Stands::Acted => runs,
            Stands::Settled | Stands::Answered => false,
        };
        if !self.told && (open && certain || self.both_doubted()) {
            return Weighed::Exchanged(stands);
        }
        Weighed::Doubted
    }

    fn fits(&mut self, press: LeverPress, stands: Stands) {
        self.doubted.clear();
        if stands == Stands::Start {
            (self.start, self.began) = (Some(press), true);
        } else if stands != Stands::Settled && !self.fitted.contains(&press.side) {
            self.fitted.push(press.side);
        }
    }

    fn doubt(&mut self, press: LeverPress, stands: Stands, watch: &Watch) {
        self.doubted.retain(|doubted| doubted.press.side != press.side);
        self.doubted.push(DoubtedPress { press, stands, count: watch.table().count() });
    }

    /// The press that has started a game, if the board may still show late that it ended a move.
    pub(super) fn start(&self) -> Option<LeverPress> {
        self.start
    }

    /// Looks at the press that has started the game once more: the board has had the time to show a move before it.
    pub(super) fn look_at_start(&mut self, watch: &Watch) {
        let Some(press) = self.start.take() else { return };
        let moved = matches!(expected_press(watch), Some((by, Stands::Acted))
            if with(by, press.side) != self.now(watch.turned()));
        if moved {
            self.doubt(press, Stands::Acted, watch);
            // The press has acted already, as the start of the game.
            self.doubted.iter_mut().for_each(|doubted| doubted.count = doubted.count.saturating_sub(1));
        }
    }

    // ---- the record ----

    /// What the next line carries: how the clock stands, if the record says otherwise.
    pub(super) fn own(&self, turned: bool) -> Group {
        let now = self.now(turned);
        let mark = (self.recorded(turned) != now).then(|| Group::new().with(MARK, now.word()));
        mark.unwrap_or_default()
    }

    /// The marked line is durable.
    pub(super) fn marked(&mut self, turned: bool) {
        let now = self.now(turned);
        if self.recorded(turned) != now {
            self.marked = Some(now);
        }
    }

    fn recorded(&self, turned: bool) -> ClockSide {
        self.marked.unwrap_or(usual(turned))
    }

    /// Restores where the clock stands from the lines of a record that is carried on.
    pub(super) fn restore(&mut self, lines: &[Line]) {
        let word = lines.iter().rev().find_map(|line| line.extension(MARK));
        self.marked = word.as_ref().and_then(Datum::as_text).and_then(ClockSide::from_word);
        self.known = self.marked.map(|side| Known { side, turned: None });
    }
}

/// What is said about a press that perhaps is another player's.
pub(super) fn unsure() -> Sentence {
    say!(
        "clock-side-unsure",
        "a press does not fit the board: if the clock stands the other way round, `clock-side` exchanges its sides"
    )
}
