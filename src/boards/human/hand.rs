//! Simulated hands: turn the boards before and after an action into the physical events of that action.
//!
//! This module knows no chess rules. The difference of the two boards alone shows whether a piece moved, captured,
//! castled, promoted or was placed; any other difference is corrected piece by piece. [`super::Sensor`] decides what
//! the board's coils see of the events.

use tabiya_types::{Board, Color, Instant, Millis, Piece, Role, Square};

use super::dice::{Dice, PerMille, Span};
use super::profile::Profile;

/// A physical event at the board. The board may fail to detect it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Physical {
    /// The square now has this piece, or is empty.
    Set(Square, Option<Piece>),
    /// The side of this colour presses the clock.
    Press(Color),
    /// The square's contact opens and closes this many times. The piece stays.
    Flicker(Square, u8),
    /// The board is unplugged for this long.
    Unplug(Millis),
    /// The board scans no square for this long. The clock works.
    Blind(Millis),
}

impl Physical {
    /// Applies the event to `board`. A press or a fault moves no piece.
    pub fn apply(self, board: &mut Board) {
        match self {
            Self::Set(square, what) => board[square] = what,
            Self::Press(_) | Self::Flicker(..) | Self::Unplug(_) | Self::Blind(_) => {}
        }
    }
}

/// One action for simulated hands to carry out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// The physical board before the action.
    pub before: Board,
    /// The physical board after the action.
    pub after: Board,
    /// The side that acts.
    pub by: Color,
    /// Whether the side that acts presses the clock after the action. If it does not press, the hand pauses for at most
    /// [`Profile::auto_stop`] at points where the unfinished action looks finished.
    pub press: bool,
    /// The time at which the turn began.
    pub start: Instant,
    /// The time from `start` to the first touch.
    pub thinking: Millis,
    /// The board after an unintended but legal action of the same side. It is used only if the hand makes a mistake and
    /// corrects it after the press: the hand first makes the board equal to `slip`, then presses, and then makes the
    /// board equal to `after`. With `None`, the mistake is that the hand puts the piece down one square short of its
    /// destination.
    pub slip: Option<Board>,
    /// Whether the opponent's task follows. The reply may then begin before the press of this task. In that case the
    /// press is among the events of the next task.
    pub replied: bool,
}

impl Task {
    /// Creates a task with a press. The first touch is two seconds after the start of the turn.
    pub fn new(before: Board, after: Board, by: Color, start: Instant) -> Self {
        Self { before, after, by, press: true, start, thinking: Millis(2_000), slip: None, replied: false }
    }
}

/// The result of one task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Performance {
    /// All physical events, in order of time. After the last event, the board equals the task's `after`.
    pub events: Vec<(Instant, Physical)>,
    /// The time of the press that ends the action; `None` if the side does not press, or forgot to press.
    pub pressed: Option<Instant>,
    /// The time of the player's last movement: the press, or a correction of a piece after it. The opponent's turn
    /// begins at this time, even if the player forgot to press.
    pub ends: Instant,
}

/// The hands of two people at one board. They carry out one task at a time, and remember whether the last press was
/// forgotten.
#[derive(Clone, Debug)]
pub struct HumanHands {
    profile: Profile,
    dice: Dice,
    free_at: Instant,
    forgot: bool,
    begun: bool,
    /// The press of the last task, if the reply begins before it.
    late_press: Option<(Instant, Physical)>,
    /// Whether the board has shown nothing of the last action at its press.
    unseen: bool,
}

/// The shortest thinking time for which a fault of the board or a mistaken press is simulated. If the fault or the
/// mistaken press lasts longer than the thinking time, the player begins the action later.
const TIME_TO_FIDGET: Millis = Millis(1_500);

/// How long a turn has run when a fault of the board or a mistaken press comes. By then every board has reported the
/// opponent's move (250 ms for one pass over the squares; 150 ms more if a dump had to repair a lost report), and after
/// that a tracker has settled this move (350 ms).
const FIDGET_AFTER: Span = Span::new(900, 1_200);

impl HumanHands {
    /// Creates hands with this profile. `seed` alone determines their random decisions.
    pub fn new(profile: &Profile, seed: u64) -> Self {
        Self {
            profile: *profile,
            dice: Dice::new(seed),
            free_at: Instant::ZERO,
            forgot: false,
            begun: false,
            late_press: None,
            unseen: false,
        }
    }

    /// Carries out `task`. The turn begins at the task's `start`, or later if the previous task is not done by then.
    pub fn perform(&mut self, task: &Task) -> Performance {
        let turn = task.start.max(self.free_at);
        let mut motion = Motion {
            board: task.before,
            now: turn,
            events: Vec::new(),
            dice: &mut self.dice,
            profile: &self.profile,
            stop: if task.press { u64::MAX } else { self.profile.auto_stop },
        };
        let bullet = motion.dice.chance(self.profile.bullet);
        let thinking = if bullet { motion.dice.span(self.profile.bullet_after) } else { task.thinking };
        let settled = task.press && self.begun && !self.forgot;
        motion.fidget(task, thinking, settled);
        motion.now = motion.now.max(turn + thinking);

        let slip = motion.slip(task).filter(|_| task.press && !self.forgot);
        let forget = task.press && !self.forgot && slip.is_none() && motion.dice.chance(self.profile.forget);
        let darkness = motion.darkness(task.press && !forget && slip.is_none() && !self.unseen);
        let first = motion.events.len();
        motion.take_back(task);
        motion.carry_out(&slip.unwrap_or(task.after), task.by);
        if darkness == Darkness::UntilRest {
            motion.wait(self.profile.late_picture_after);
            motion.darken(first, motion.now);
        }
        let touched = motion.now;
        let pressed = (task.press && !forget).then(|| motion.press(task.by, self.forgot));
        if let Some(pressed) = pressed.filter(|_| darkness == Darkness::UntilPress) {
            motion.darken(first, pressed + Millis(AFTER_PRESS));
        }
        let early = task.replied && slip.is_none() && motion.early(pressed);
        if let Some(slip) = slip {
            motion.wait(self.profile.correct_after);
            // If the hand put only one piece on a wrong square, it moves this piece on to the right square. If the
            // wrong action changed more, the hand takes it back first.
            if slip.distance(&task.after) > 2 {
                motion.put_right(&task.before);
                motion.wait(self.profile.carry);
            }
            motion.put_right(&task.after);
        }

        let (mut events, mut ends) = (motion.events, motion.now);
        let late = if early { events.pop() } else { None };
        if late.is_some() {
            ends = touched.max(Instant::from_millis(
                ends.millis().saturating_sub(self.dice.span(self.profile.early_reply_by).0),
            ));
        }
        if let Some(press) = std::mem::replace(&mut self.late_press, late) {
            let at = events.partition_point(|(at, _)| *at < press.0);
            events.insert(at, press);
        }
        self.unseen = darkness == Darkness::UntilPress;
        self.forgot = forget;
        self.begun = true;
        self.free_at = ends;
        Performance { events, pressed, ends }
    }
}

/// How long the board shows nothing of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Darkness {
    None,
    UntilRest,
    UntilPress,
}

/// How long after the press an unseen action is shown, in ms. The reply begins later.
const AFTER_PRESS: u64 = 5;

/// The kind of action that leads from one board to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    /// A piece moves to another square, captures a piece that stands there, and may promote.
    Move { from: Square, to: Square, becomes: Piece },
    /// A piece moves to another square, and the enemy piece on `beside` disappears.
    EnPassant { from: Square, to: Square, beside: Square },
    /// King and rook of one colour move.
    Castle { king: (Square, Square), rook: (Square, Square) },
    /// A piece appears.
    Place { at: Square, piece: Piece },
    /// Any other difference, or no difference.
    Other,
}

impl Change {
    fn between(before: &Board, after: &Board) -> Self {
        let (mut gone, mut came, mut replaced) = (Vec::new(), Vec::new(), Vec::new());
        for square in before.differences(after) {
            match (before[square], after[square]) {
                (Some(piece), None) => gone.push((square, piece)),
                (None, Some(piece)) => came.push((square, piece)),
                (Some(_), Some(piece)) => replaced.push((square, piece)),
                (None, None) => {}
            }
        }
        match (gone.as_slice(), came.as_slice(), replaced.as_slice()) {
            ([], [(at, piece)], []) => Self::Place { at: *at, piece: *piece },
            ([(from, was)], [(to, is)], []) | ([(from, was)], [], [(to, is)]) if was.color == is.color => {
                Self::Move { from: *from, to: *to, becomes: *is }
            }
            ([a, b], [(to, is)], []) if a.1.color != b.1.color => {
                let (mover, taken) = if a.1 == *is { (a, b) } else { (b, a) };
                if mover.1 == *is {
                    Self::EnPassant { from: mover.0, to: *to, beside: taken.0 }
                } else {
                    Self::Other
                }
            }
            ([a, b], [c, d], []) => Self::castling([*a, *b], [*c, *d]).unwrap_or(Self::Other),
            _ => Self::Other,
        }
    }

    fn castling(left: [(Square, Piece); 2], came: [(Square, Piece); 2]) -> Option<Self> {
        let path = |role: Role| {
            let (from, piece) = left.into_iter().find(|(_, piece)| piece.role == role)?;
            let (to, _) = came.into_iter().find(|(_, other)| *other == piece)?;
            Some((from, to))
        };
        Some(Self::Castle { king: path(Role::King)?, rook: path(Role::Rook)? })
    }
}

/// The squares that a king can reach in one step.
fn nearby(square: Square) -> Vec<Square> {
    let steps = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
    steps.into_iter().filter_map(|(files, ranks)| square.offset(files, ranks)).collect()
}

/// An action in progress.
struct Motion<'a> {
    board: Board,
    now: Instant,
    events: Vec<(Instant, Physical)>,
    dice: &'a mut Dice,
    profile: &'a Profile,
    /// The longest pause, in ms, at a point where the action may look finished.
    stop: u64,
}

impl Motion<'_> {
    fn emit(&mut self, what: Physical) {
        self.events.push((self.now, what));
    }

    fn set(&mut self, square: Square, what: Option<Piece>) {
        if self.board[square] != what {
            self.board[square] = what;
            self.emit(Physical::Set(square, what));
        }
    }

    fn lift(&mut self, square: Square) -> Option<Piece> {
        let piece = self.board[square];
        self.set(square, None);
        piece
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.set(square, Some(piece));
    }

    fn wait(&mut self, span: Span) {
        self.now = self.now + self.dice.span(span);
    }

    /// Waits at a point where the unfinished action may look finished, at most for the time in the field `stop`.
    fn stop(&mut self, span: Span) {
        self.wait(span.capped(self.stop));
    }

    /// Waits while a piece is in the air.
    fn carry(&mut self) {
        let quick = self.dice.chance(self.profile.quick);
        self.wait(if quick { self.profile.quick_carry } else { self.profile.carry });
    }

    /// Decides how long the board shows nothing of an action. Without `may`, it shows everything.
    fn darkness(&mut self, may: bool) -> Darkness {
        let [late, unseen] = [self.profile.late_picture, self.profile.unseen];
        // A profile without these faults draws no random numbers for them.
        match may {
            true if late > PerMille::NEVER && self.dice.chance(late) => Darkness::UntilRest,
            true if unseen > PerMille::NEVER && self.dice.chance(unseen) => Darkness::UntilPress,
            _ => Darkness::None,
        }
    }

    /// Makes the board blind from the event with the number `first` until `until`.
    fn darken(&mut self, first: usize, until: Instant) {
        if let Some((at, _)) = self.events.get(first).copied() {
            self.events.insert(first, (at, Physical::Blind(until.since(at))));
        }
    }

    /// Whether the reply begins before this press.
    fn early(&mut self, pressed: Option<Instant>) -> bool {
        let early = self.profile.early_reply;
        pressed.is_some() && early > PerMille::NEVER && self.dice.chance(early)
    }

    /// Makes another move first, and takes it back.
    fn take_back(&mut self, task: &Task) {
        let Some(other) = task.slip.filter(|_| task.press && self.profile.take_back > PerMille::NEVER) else {
            return;
        };
        if self.dice.chance(self.profile.take_back) {
            self.put_right(&other);
            self.wait(self.profile.take_back_for);
            self.put_right(&task.before);
            self.wait(self.profile.carry);
        }
    }

    fn empty(&self, squares: Vec<Square>) -> Vec<Square> {
        squares.into_iter().filter(|square| self.board[*square].is_none()).collect()
    }

    /// Adds a fault or a mistaken press while the player thinks. The disturbance is over before the move begins.
    fn fidget(&mut self, task: &Task, thinking: Millis, settled: bool) {
        if thinking < TIME_TO_FIDGET {
            return;
        }
        if self.dice.chance(self.profile.unplug) {
            // The board's plug also powers the clock, so a press without power would be lost. No press may be lost, so
            // the plug is put back in before the move begins.
            let out = self.dice.span(self.profile.unplug_for);
            self.wait(FIDGET_AFTER);
            self.emit(Physical::Unplug(out));
            self.now = self.now + out;
            self.wait(FIDGET_AFTER);
        } else if self.dice.chance(self.profile.flicker) {
            let standing: Vec<Square> = self.board.pieces().map(|(square, _)| square).collect();
            if let Some(square) = self.dice.pick(&standing) {
                self.wait(FIDGET_AFTER);
                let times = 1 + self.dice.below(3);
                self.emit(Physical::Flicker(square, u8::try_from(times).unwrap_or(1)));
                self.now = self.now + Millis(times * FLICKER_MOST);
            }
        } else if settled && self.dice.chance(self.profile.mistaken_press) {
            self.wait(FIDGET_AFTER);
            self.emit(Physical::Press(task.by));
            self.wait(self.profile.pressed_back_after);
            self.emit(Physical::Press(task.by.other()));
            self.wait(FIDGET_AFTER);
        }
    }

    /// Returns the wrong board to make first if this action will be corrected after the press, otherwise `None`.
    fn slip(&mut self, task: &Task) -> Option<Board> {
        if !self.dice.chance(self.profile.correct) {
            return None;
        }
        task.slip.or_else(|| match Change::between(&task.before, &task.after) {
            Change::Move { from, to, .. } if task.before[to].is_none() => {
                let short = *self.path(from, to).last()?;
                let mut slip = task.before;
                slip[short] = slip[from];
                slip[from] = None;
                Some(slip)
            }
            Change::Move { .. }
            | Change::EnPassant { .. }
            | Change::Castle { .. }
            | Change::Place { .. }
            | Change::Other => None,
        })
    }

    /// Presses the clock after the action. If the opponent forgot the last press, the opponent's clock still runs: this
    /// press then comes sooner after the action, so that the opponent's clock does not look abandoned.
    fn press(&mut self, by: Color, forgotten: bool) -> Instant {
        if self.dice.chance(self.profile.overtake) {
            self.wait(self.profile.overtake_after);
        } else if forgotten {
            self.wait(self.profile.press_after.capped(200));
        } else {
            self.wait(self.profile.press_after);
        }
        self.emit(Physical::Press(by));
        self.now
    }

    /// Carries out the action that turns the current board into `after`. Meanwhile, pieces may be adjusted, knocked
    /// over or set down on wrong squares, as often as the profile says.
    fn carry_out(&mut self, after: &Board, by: Color) {
        let before = self.board;
        self.adjust(after, by);
        let elbow = self.dice.chance(self.profile.knock);
        let early = self.dice.chance(PerMille(500));
        if elbow && early {
            self.knock(after);
        }
        match Change::between(&before, after) {
            Change::Move { from, to, becomes } => self.move_piece(from, to, becomes),
            Change::EnPassant { from, to, beside } => self.en_passant(from, to, beside),
            Change::Castle { king, rook } => self.castle(king, rook),
            Change::Place { at, piece } => self.place(at, piece),
            Change::Other => {}
        }
        if elbow && !early {
            self.knock(after);
        }
        self.put_right(after);
    }

    /// Lifts one of the mover's own pieces that will not move, and puts it back (j'adoube).
    fn adjust(&mut self, after: &Board, by: Color) {
        if !self.dice.chance(self.profile.adjust) {
            return;
        }
        let own: Vec<Square> =
            self.bystanders(after).filter(|square| self.owner(*square) == Some(by)).collect();
        if let Some(square) = self.dice.pick(&own)
            && let Some(piece) = self.lift(square)
        {
            self.wait(self.profile.adjust_for);
            self.put(square, piece);
            self.wait(self.profile.carry);
        }
    }

    fn owner(&self, square: Square) -> Option<Color> {
        self.board[square].map(|piece| piece.color)
    }

    /// The squares of all pieces that do not take part in the action: `after` has the same piece there.
    fn bystanders<'b>(&'b self, after: &'b Board) -> impl Iterator<Item = Square> + 'b {
        Square::all().filter(|square| self.board[*square].is_some() && self.board[*square] == after[*square])
    }

    /// Knocks over two neighbouring pieces and puts them back.
    fn knock(&mut self, after: &Board) {
        let standing: Vec<Square> = self.bystanders(after).collect();
        let Some(first) = self.dice.pick(&standing) else { return };
        let near: Vec<Square> =
            nearby(first).into_iter().filter(|square| standing.contains(square)).collect();
        let Some(second) = self.dice.pick(&near) else { return };
        let fallen = [first, second].map(|square| (square, self.lift(square)));
        for (square, piece) in fallen {
            let Some(piece) = piece else { continue };
            self.wait(self.profile.knock_for);
            let wrong: Vec<Square> = nearby(square)
                .into_iter()
                .filter(|s| self.board[*s].is_none() && after[*s].is_none())
                .collect();
            if self.dice.chance(self.profile.knock_wrong)
                && let Some(wrong) = self.dice.pick(&wrong)
            {
                self.put(wrong, piece);
                self.wait(self.profile.knock_for);
                self.lift(wrong);
                self.wait(self.profile.quick_carry);
            }
            self.put(square, piece);
        }
    }

    /// The squares between `from` and `to`, if the piece can be pushed over them. Empty if the piece does not go along
    /// a line, or if one of the squares is occupied.
    fn path(&self, from: Square, to: Square) -> Vec<Square> {
        let pushed = match self.board[from].map(|piece| piece.role) {
            Some(Role::Pawn | Role::Bishop | Role::Rook | Role::Queen) => from.between(to).collect(),
            Some(Role::Knight | Role::King) | None => Vec::new(),
        };
        if pushed.iter().all(|square| self.board[*square].is_none()) { pushed } else { Vec::new() }
    }

    /// Lifts the piece from `from` and brings it near `to`, through the air or pushed over the squares between, but
    /// does not put it on `to`. Returns the piece, which the hand still holds; `None` if `from` is empty.
    fn bring(&mut self, from: Square, to: Square) -> Option<Piece> {
        let path = self.path(from, to);
        let slide = !path.is_empty() && self.dice.chance(self.profile.slide);
        let piece = self.lift(from)?;
        if slide {
            for square in path {
                self.put(square, piece);
                let hesitate = self.dice.chance(self.profile.hesitate);
                self.stop(if hesitate { self.profile.hesitate_for } else { self.profile.slide_step });
                self.lift(square);
            }
        } else {
            self.carry();
        }
        if self.dice.chance(self.profile.rethink) {
            self.rethink(&[from, to], piece);
        }
        Some(piece)
    }

    /// Sets the held piece down near one of these squares, and lifts it again.
    fn rethink(&mut self, near: &[Square], piece: Piece) {
        let squares = near.iter().flat_map(|square| nearby(*square)).filter(|s| !near.contains(s)).collect();
        let squares = self.empty(squares);
        if let Some(square) = self.dice.pick(&squares) {
            self.put(square, piece);
            self.stop(self.profile.rethink_for);
            self.lift(square);
            self.carry();
        }
    }

    /// With the probability `brush` of the profile, sets the captured piece for a moment on up to two free squares on
    /// its way to the edge of the board.
    fn brush(&mut self, at: Square, taken: Piece) {
        if !self.dice.chance(self.profile.brush) {
            return;
        }
        let files = if at.file() < 4 { -1 } else { 1 };
        let mut over = at.offset(files, 0);
        for _ in 0..=self.dice.below(2) {
            let Some(square) = over.filter(|square| self.board[*square].is_none()) else { return };
            self.put(square, taken);
            self.wait(self.profile.brush_for);
            self.lift(square);
            over = square.offset(files, 0);
        }
    }

    fn move_piece(&mut self, from: Square, to: Square, becomes: Piece) {
        match self.board[to] {
            None => {
                if let Some(piece) = self.bring(from, to) {
                    self.arrive(to, piece, becomes);
                }
            }
            Some(taken) => self.take(from, to, taken, becomes),
        }
    }

    /// Places the piece on `to`. If a pawn promotes, `becomes` is the piece that finally stands there.
    fn arrive(&mut self, to: Square, piece: Piece, becomes: Piece) {
        if piece != becomes && self.dice.chance(self.profile.pawn_stands) {
            self.put(to, piece);
            self.wait(self.profile.pawn_stands_for);
            self.lift(to);
            self.wait(self.profile.carry);
        }
        self.put(to, becomes);
    }

    fn take(&mut self, from: Square, to: Square, taken: Piece, becomes: Piece) {
        if self.dice.chance(self.profile.put_back) {
            self.lift(to);
            self.wait(self.profile.carry);
            self.put(to, taken);
            self.wait(self.profile.carry);
        }
        let first = PerMille(u16::try_from(self.dice.below(1000)).unwrap_or(0));
        let victim_first = self.profile.victim_first;
        if first < victim_first {
            self.lift(to);
            self.brush(to, taken);
            self.wait(self.profile.carry);
            if let Some(piece) = self.bring(from, to) {
                self.arrive(to, piece, becomes);
            }
        } else if first.0 < victim_first.0.saturating_add(self.profile.attacker_first.0) {
            if let Some(piece) = self.bring(from, to) {
                self.lift(to);
                self.brush(to, taken);
                self.wait(self.profile.carry);
                self.arrive(to, piece, becomes);
            }
        } else if let Some(piece) = self.bring(from, to) {
            let apart = self.dice.span(self.profile.swap);
            if apart > Millis::ZERO {
                self.lift(to);
                self.now = self.now + apart;
            }
            self.arrive(to, piece, becomes);
            self.brush(to, taken);
        }
    }

    fn en_passant(&mut self, from: Square, to: Square, beside: Square) {
        let first = self.dice.chance(self.profile.en_passant_first);
        if first {
            self.remove(beside);
            self.wait(self.profile.carry);
        }
        if let Some(piece) = self.bring(from, to) {
            self.put(to, piece);
        }
        if !first {
            self.wait(self.profile.en_passant_late);
            self.remove(beside);
        }
    }

    /// Takes a piece off the board.
    fn remove(&mut self, square: Square) {
        if let Some(taken) = self.lift(square) {
            self.brush(square, taken);
        }
    }

    fn castle(&mut self, king: (Square, Square), rook: (Square, Square)) {
        let together = self.dice.chance(self.profile.both_in_air);
        let rook_first = self.dice.chance(self.profile.rook_first);
        let (first, second) = if rook_first { (rook, king) } else { (king, rook) };
        let leader = self.lift(first.0);
        let follower = if together {
            self.wait(self.profile.quick_carry);
            self.lift(second.0)
        } else {
            None
        };
        self.carry();
        if let Some(piece) = leader {
            self.put(first.1, piece);
        }
        if together {
            self.wait(self.profile.quick_carry);
        } else {
            self.stop(self.profile.castle_gap);
        }
        let follower = follower.or_else(|| {
            let piece = self.lift(second.0);
            self.carry();
            piece
        });
        if let Some(piece) = follower {
            self.put(second.1, piece);
        }
    }

    /// Places a new piece on `at`. Before that, the hand may push the piece over the square next to `at` on its owner's
    /// side, or set it down on another square.
    fn place(&mut self, at: Square, piece: Piece) {
        if self.dice.chance(self.profile.slide) {
            let back = match piece.color {
                Color::White => -1,
                Color::Black => 1,
            };
            if let Some(over) = at.offset(0, back).filter(|square| self.board[*square].is_none()) {
                self.put(over, piece);
                self.stop(self.profile.slide_step);
                self.lift(over);
            }
        }
        if self.dice.chance(self.profile.rethink) {
            self.rethink(&[at], piece);
        }
        self.put(at, piece);
    }

    /// Makes the board equal to `after`, piece by piece: first the pieces that can go straight to their squares, then
    /// the removals, then the additions.
    fn put_right(&mut self, after: &Board) {
        while let Some((from, to)) = self.straight(after) {
            let piece = self.lift(from);
            self.carry();
            self.set(to, piece);
            if self.board != *after {
                self.wait(self.profile.carry);
            }
        }
        for wanted in [false, true] {
            let wrong: Vec<Square> = self.board.differences(after).collect();
            for square in wrong {
                let what = after[square].filter(|_| wanted);
                if wanted || self.board[square].is_some() {
                    self.carry();
                    self.set(square, what);
                }
            }
        }
    }

    /// The square of a misplaced piece and the free square where it belongs; `None` if there is no such pair.
    fn straight(&self, after: &Board) -> Option<(Square, Square)> {
        self.board.differences(after).find_map(|from| {
            let piece = self.board[from]?;
            let to = self
                .board
                .differences(after)
                .find(|to| after[*to] == Some(piece) && self.board[*to].is_none())?;
            Some((from, to))
        })
    }
}

/// The longest duration of one flicker (the contact opens and closes once), in ms. The board sees the opening in one
/// pass over its squares and the closing in the next pass. Each pass takes at most 250 ms.
const FLICKER_MOST: u64 = 500;

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        fen.parse().expect("a board")
    }

    fn change(before: &str, after: &str) -> Change {
        Change::between(&board(before), &board(after))
    }

    #[test]
    fn two_boards_tell_what_kind_of_action_lies_between() {
        let square = |text: &str| text.parse::<Square>().expect("a square");
        assert!(matches!(
            change("8/8/8/8/8/8/4P3/8", "8/8/8/8/4P3/8/8/8"),
            Change::Move { from, to, .. } if from == square("e2") && to == square("e4")
        ));
        assert!(matches!(
            change("8/8/8/3p4/8/8/8/3R4", "8/8/8/3R4/8/8/8/8"),
            Change::Move { to, .. } if to == square("d5")
        ));
        assert!(matches!(
            change("8/8/8/3pP3/8/8/8/8", "8/8/3P4/8/8/8/8/8"),
            Change::EnPassant { beside, .. } if beside == square("d5")
        ));
        assert!(matches!(change("8/8/8/8/8/8/8/4K2R", "8/8/8/8/8/8/8/5RK1"), Change::Castle { .. }));
        assert!(matches!(change("8/P7/8/8/8/8/8/8", "Q7/8/8/8/8/8/8/8"), Change::Move { .. }));
        assert!(matches!(change("8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/R7"), Change::Place { .. }));
        assert_eq!(change("8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8"), Change::Other);
    }
}
