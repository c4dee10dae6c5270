//! The uses of an effect: every way with every choice, step by step.
//!
//! A walk tries the steps in order and hands each use to its visitor, who may also turn back half-way. In a hunt the
//! enemy king counts as an ordinary piece, and only what can capture him is tried.
//!
//! Source: `docs/effects-chess-joker.md`, "Steps" and "What follows for the game".

use std::ops::ControlFlow;

use tabiya_types::{Color, Piece, Role};

use super::super::lines_of_board::{bit, each, square, strikes};
use super::super::men::Men;
use super::super::step::CardStep;
use super::CardEffect;
use super::effort::Effort;
use super::fits::{AskedBoard, but_king, standing};
use super::mask::Masquerade;
use super::tree::{Capturing, EffectStep, Kinds, PieceChoice, StepDeed, StepTail, roles};

/// What a use has done so far.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct UseRun {
    pub(in super::super) men: Men,
    /// The squares that castling needs and that have not changed.
    pub(in super::super) unmoved: u64,
    /// The enemy pawns that may still be taken en passant.
    pub(in super::super) passed: u64,
    /// The player's pawns that went two squares in this use and still stand there.
    pub(in super::super) opened: u64,
    /// The pieces that earlier steps took.
    used: u64,
    /// The piece that the last step took; empty if it stands no more.
    it: u64,
    /// Files and ranks of the last going or warp of the step before.
    way: Option<(isize, isize)>,
}

impl UseRun {
    pub(in super::super) fn new(men: Men, unmoved: u64, passed: u64) -> Self {
        Self { men, unmoved, passed, opened: 0, used: 0, it: 0, way: None }
    }

    /// Something else stands on these squares now.
    fn changed(&mut self, squares: u64) {
        self.unmoved &= !squares;
        self.passed &= !squares;
        self.opened &= !squares;
    }

    /// Takes what stands on a square off the board.
    pub(in super::super) fn take_off(&mut self, square: usize) {
        self.changed(bit(square));
        self.men.clear(bit(square));
        self.used &= !bit(square);
        self.it &= !bit(square);
    }

    /// Moves a piece. What stood on the goal is captured.
    pub(in super::super) fn go(&mut self, from: usize, to: usize) {
        let piece = standing(&self.men, from);
        let (used, is_it) = (self.used & bit(from) != 0, self.it & bit(from) != 0);
        self.take_off(to);
        self.take_off(from);
        self.men.put(to, piece);
        self.used |= if used { bit(to) } else { 0 };
        self.it |= if is_it { bit(to) } else { 0 };
    }

    /// Puts a new piece on a square.
    pub(in super::super) fn add(&mut self, square: usize, piece: Piece) {
        self.take_off(square);
        self.men.put(square, piece);
        self.rook_made(square, piece);
    }

    /// Puts another piece of the same colour in the place of one.
    pub(in super::super) fn turn_into(&mut self, square: usize, role: Role) {
        let piece = Piece { role, ..standing(&self.men, square) };
        self.changed(bit(square));
        self.men.put(square, piece);
        self.rook_made(square, piece);
    }

    /// A rook made on a corner of its own side has not moved (rule J25a).
    fn rook_made(&mut self, square: usize, piece: Piece) {
        let corners = match piece.color {
            Color::White => bit(0) | bit(7),
            Color::Black => bit(56) | bit(63),
        };
        self.unmoved |= if piece.role == Role::Rook { bit(square) & corners } else { 0 };
    }
}

/// Who looks at the uses of a walk.
pub(in super::super) trait Visit {
    /// Whether to go on after these steps. `reach`: how many squares the steps still to come can change at most, the
    /// promotions of the end aside.
    fn goes_on(&mut self, _run: &UseRun, _trail: &[CardStep], _reach: usize) -> bool {
        true
    }
    /// A whole use. `Break` ends the walk.
    fn found(&mut self, run: &UseRun, trail: &[CardStep]) -> ControlFlow<()>;
}

/// A walk through the uses of an effect with one masquerade.
pub(in super::super) struct Uses<'a> {
    effect: &'a CardEffect,
    you: Color,
    mask: Masquerade,
    hunt: bool,
    effort: &'a Effort,
    /// The steps that the walk keeps to; `None`: it tries them all.
    along: Option<&'a [CardStep]>,
    trail: Vec<CardStep>,
}

/// What a walk does next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// It tries every step.
    Anything,
    /// It keeps to given steps, of which this is the next.
    Step(CardStep),
    /// All the given steps are done.
    Nothing,
}

/// The step that is being done, for the functions below.
#[derive(Clone, Copy)]
struct Doing<'a> {
    act: &'a EffectStep,
    /// The steps after it.
    left: &'a [EffectStep],
}

impl Doing<'_> {
    /// How many squares the steps after it can change at most.
    fn reach(self) -> usize {
        self.left.iter().map(EffectStep::reach).sum()
    }
}

/// How many squares a going changes at most: that of a pawn taking en passant.
const MOST_OF_A_GOING: usize = 3;

type Flow = ControlFlow<()>;

impl<'a> Uses<'a> {
    pub(in super::super) fn new(
        effect: &'a CardEffect,
        you: Color,
        mask: Masquerade,
        effort: &'a Effort,
    ) -> Self {
        Self { effect, you, mask, hunt: false, effort, along: None, trail: Vec::new() }
    }

    /// The same walk, but only through the uses with exactly these steps.
    pub(in super::super) fn along(self, steps: &'a [CardStep]) -> Self {
        Self { along: Some(steps), ..self }
    }

    /// The steps of a use that captures the enemy king, if he is taken for an ordinary piece.
    pub(in super::super) fn steps_to_the_king(self, run: &UseRun) -> Option<Vec<CardStep>> {
        struct Kept(Option<Vec<CardStep>>);
        impl Visit for Kept {
            fn found(&mut self, _: &UseRun, trail: &[CardStep]) -> Flow {
                self.0 = Some(trail.to_vec());
                Flow::Break(())
            }
        }
        let mut kept = Kept(None);
        let _ = Self { hunt: true, ..self }.walk(run, &mut kept);
        kept.0
    }

    /// Shows every use from this board to the visitor.
    pub(in super::super) fn walk(&mut self, run: &UseRun, visit: &mut dyn Visit) -> Flow {
        let effect = self.effect;
        effect.ways.iter().try_for_each(|way| self.steps(&way.steps, run, visit))
    }

    fn steps(&mut self, steps: &[EffectStep], run: &UseRun, visit: &mut dyn Visit) -> Flow {
        let Some((act, left)) = steps.split_first() else { return self.end(run, visit) };
        let hopeless = self.hunt && self.king_lives(run) && !steps.iter().any(EffectStep::may_capture);
        if hopeless || !self.effort.takes_a_step() {
            return Flow::Continue(());
        }
        let doing = Doing { act, left };
        match &act.deed {
            StepDeed::Warp(piece) => {
                each(self.taken(run, act, piece)).try_for_each(|from| self.warp(doing, run, from, visit))
            }
            StepDeed::Move { piece, like, twice } => each(self.taken(run, act, piece)).try_for_each(|from| {
                let goer = Goer::new(self, run, from, *like);
                if *twice {
                    self.goes_twice(doing, run, goer, visit)
                } else {
                    self.goes(doing, run, goer, from, visit)
                }
            }),
            StepDeed::Add { enemy, kind } => self.add(doing, run, *enemy, *kind, visit),
            StepDeed::Promote { piece, to } => self.promote(doing, run, piece, *to, visit),
        }
    }

    // ---- a walk along given steps ----

    fn expected(&self) -> Expected {
        match self.along {
            None => Expected::Anything,
            Some(steps) => {
                steps.get(self.trail.len()).map_or(Expected::Nothing, |step| Expected::Step(*step))
            }
        }
    }

    /// Whether the walk may do this step next.
    fn may_do(&self, step: CardStep) -> bool {
        [Expected::Anything, Expected::Step(step)].contains(&self.expected())
    }

    /// The squares whose piece the next step may take.
    fn sources(&self) -> u64 {
        match self.expected() {
            Expected::Anything => u64::MAX,
            Expected::Step(CardStep::Goes(from, _)) => bit(from.index()),
            Expected::Step(CardStep::Becomes(at, _)) => bit(at.index()),
            Expected::Step(_) | Expected::Nothing => 0,
        }
    }

    /// The squares on which the next step may put a piece.
    fn targets(&self) -> u64 {
        match self.expected() {
            Expected::Anything => u64::MAX,
            Expected::Step(CardStep::Goes(_, to)) => bit(to.index()),
            Expected::Step(CardStep::Adds(_, at)) => bit(at.index()),
            Expected::Step(_) | Expected::Nothing => 0,
        }
    }

    /// A whole use: the visitor sees it, if the walk was to come here.
    fn whole(&self, run: &UseRun, visit: &mut dyn Visit) -> Flow {
        match self.expected() {
            Expected::Anything | Expected::Nothing => visit.found(run, &self.trail),
            Expected::Step(_) => Flow::Continue(()),
        }
    }

    // ---- what every step asks ----

    /// The pieces that a step may take.
    fn taken(&self, run: &UseRun, act: &EffectStep, piece: &PieceChoice) -> u64 {
        let sources = self.sources();
        if sources == 0 { 0 } else { sources & self.board(run, &run.men, act, None).pieces(piece) }
    }

    /// The board before a step, or with a piece taken off it, or after the step.
    fn board<'b>(
        &'b self,
        run: &UseRun,
        men: &'b Men,
        act: &EffectStep,
        from: Option<usize>,
    ) -> AskedBoard<'b> {
        AskedBoard {
            men,
            you: self.you,
            mask: &self.mask,
            used: run.used,
            it: run.it & men.occupied(),
            named: act.named(),
            from,
        }
    }

    fn king_lives(&self, run: &UseRun) -> bool {
        run.men.king(self.you.other()) != 0
    }

    /// What a piece of this colour may capture: a piece that is not the player's captures nothing.
    fn prey(&self, run: &UseRun, color: Color) -> u64 {
        if color != self.you {
            return 0;
        }
        let kings = if self.hunt { 0 } else { run.men.of_role(Role::King) };
        run.men.of_color(color.other()) & !kings
    }

    /// The goals that are tried now: in a hunt the king alone, if no later step can capture him.
    fn worth_trying(&self, run: &UseRun, left: &[EffectStep]) -> u64 {
        let last_chance = self.hunt && self.king_lives(run) && !left.iter().any(EffectStep::may_capture);
        self.targets() & if last_chance { run.men.king(self.you.other()) } else { u64::MAX }
    }

    // ---- the sorts of steps ----

    fn warp(&mut self, doing: Doing<'_>, run: &UseRun, from: usize, visit: &mut dyn Visit) -> Flow {
        let color = standing(&run.men, from).color;
        let landing = (run.men.empty() | self.prey(run, color)) & self.worth_trying(run, doing.left);
        let goals = self.goals(doing.act, run, landing, Some((from, from)));
        each(goals).try_for_each(|to| {
            let mut then = *run;
            then.go(from, to);
            self.landed(doing, run, then, (from, to), visit)
        })
    }

    fn goes(
        &mut self,
        doing: Doing<'_>,
        run: &UseRun,
        goer: Goer,
        from: usize,
        visit: &mut dyn Visit,
    ) -> Flow {
        let (reached, en_passant) = goer.reached(self, run, from);
        let try_these = self.worth_trying(run, doing.left);
        let (goals, over) = (reached & try_these, en_passant & try_these);
        let mut goals = self.goals(doing.act, run, goals, Some((from, goer.stood)));
        goals |= self.en_passant_goals(doing.act, run, over, (from, goer.stood));
        each(goals).try_for_each(|to| {
            let then = goer.gone(run, from, to, en_passant & bit(to) != 0);
            self.landed(doing, run, then, (from, to), visit)
        })
    }

    fn goes_twice(&mut self, doing: Doing<'_>, run: &UseRun, goer: Goer, visit: &mut dyn Visit) -> Flow {
        let (reached, en_passant) = goer.reached(self, run, goer.stood);
        let free = if doing.act.tail.capture == Capturing::Never { run.men.empty() } else { u64::MAX };
        let over = if doing.act.tail.capture == Capturing::Never { 0 } else { en_passant };
        each((reached & free | over) & self.targets()).try_for_each(|between| {
            let mut then = goer.gone(run, goer.stood, between, over & bit(between) != 0);
            then.way = Some(step_of(goer.stood, between));
            self.trail.push(goes(goer.stood, between));
            let flow = if visit.goes_on(&then, &self.trail, MOST_OF_A_GOING + doing.reach()) {
                self.goes(doing, &then, goer, between, visit)
            } else {
                Flow::Continue(())
            };
            self.trail.pop();
            flow
        })
    }

    fn add(
        &mut self,
        doing: Doing<'_>,
        run: &UseRun,
        enemy: bool,
        kind: Kinds,
        visit: &mut dyn Visit,
    ) -> Flow {
        let color = if enemy { self.you.other() } else { self.you };
        let landing = (run.men.empty() | self.prey(run, color)) & self.worth_trying(run, doing.left);
        let goals = self.goals(doing.act, run, landing, None);
        for role in roles(but_king(self.mask.applied(kind))) {
            let piece = Piece { color, role };
            each(goals).try_for_each(|at| {
                let mut then = *run;
                then.add(at, piece);
                then.way = None;
                self.done(doing, then, at, CardStep::Adds(piece, square(at)), visit)
            })?;
        }
        Flow::Continue(())
    }

    fn promote(
        &mut self,
        doing: Doing<'_>,
        run: &UseRun,
        piece: &PieceChoice,
        to: Option<Kinds>,
        visit: &mut dyn Visit,
    ) -> Flow {
        let becomes = but_king(to.map_or(OFFICERS, |kind| self.mask.applied(kind)));
        each(self.taken(run, doing.act, piece) & !run.men.of_role(Role::King)).try_for_each(|at| {
            roles(becomes).try_for_each(|role| {
                let mut then = *run;
                then.turn_into(at, role);
                then.way = None;
                self.done(doing, then, at, CardStep::Becomes(square(at), role), visit)
            })
        })
    }

    // ---- landing ----

    /// The goals, of these, that fit what the step says about its place and about capturing. `taken`: the square that
    /// the piece leaves now, and the one where it stood before the step; `None` for a piece that is added.
    fn goals(&self, act: &EffectStep, run: &UseRun, landing: u64, taken: Option<(usize, usize)>) -> u64 {
        let StepTail { place, capture, .. } = &act.tail;
        let left = taken.map_or(0, |(from, _)| bit(from));
        let landing = landing & !left;
        let empty = run.men.empty();
        let prey = match capture {
            Capturing::Free | Capturing::Any => landing & !empty,
            Capturing::Never => 0,
            Capturing::Of(choice) => landing & !empty & self.before(act, run, left).pieces(choice),
        };
        let free = match capture {
            Capturing::Free | Capturing::Never => landing & empty,
            Capturing::Any | Capturing::Of(_) => 0,
        };
        if place.is_empty() {
            return free | prey;
        }
        let stood = taken.map(|(_, stood)| stood);
        let men = run.men.without(left);
        let as_it_is = men.empty();
        let fitting = |men: &Men, among: u64| {
            let board = AskedBoard { used: run.used | left, ..self.board(run, men, act, stood) };
            board.goals(among, place, as_it_is)
        };
        let onto_free = if free == 0 { 0 } else { fitting(&men, free) };
        each(prey).fold(onto_free, |all, at| all | fitting(&men.without(bit(at)), bit(at)))
    }

    /// The squares passed over, of these, onto which a pawn may take en passant.
    fn en_passant_goals(
        &self,
        act: &EffectStep,
        run: &UseRun,
        over: u64,
        (from, stood): (usize, usize),
    ) -> u64 {
        if over == 0 {
            return 0;
        }
        let StepTail { place, capture, .. } = &act.tail;
        let captures = match capture {
            Capturing::Free | Capturing::Any => over,
            Capturing::Never => 0,
            Capturing::Of(choice) => {
                let fitting = self.before(act, run, bit(from)).pieces(choice);
                each(over)
                    .filter(|to| fitting & bit(beside_of(from, *to)) != 0)
                    .fold(0, |all, to| all | bit(to))
            }
        };
        let men = run.men.without(bit(from));
        let board = AskedBoard { used: run.used | bit(from), ..self.board(run, &men, act, Some(stood)) };
        board.goals(captures, place, men.empty())
    }

    /// The board before a going, for what is captured: `another` leaves out the piece that goes.
    fn before<'b>(&'b self, act: &EffectStep, run: &'b UseRun, taken: u64) -> AskedBoard<'b> {
        AskedBoard { used: run.used | taken, ..self.board(run, &run.men, act, None) }
    }

    /// A piece has gone or warped: its way is checked, then what it threatens.
    fn landed(
        &mut self,
        doing: Doing<'_>,
        before: &UseRun,
        mut then: UseRun,
        went: (usize, usize),
        visit: &mut dyn Visit,
    ) -> Flow {
        let way = step_of(went.0, went.1);
        if doing.act.tail.same_way && before.way != Some(way) {
            return Flow::Continue(());
        }
        then.way = Some(way);
        self.done(doing, then, went.1, goes(went.0, went.1), visit)
    }

    /// A step is done, but for what the piece must threaten. The next step follows.
    fn done(
        &mut self,
        doing: Doing<'_>,
        mut then: UseRun,
        at: usize,
        step: CardStep,
        visit: &mut dyn Visit,
    ) -> Flow {
        if !self.may_do(step) {
            return Flow::Continue(());
        }
        if let Some(choice) = &doing.act.tail.threaten {
            let board =
                AskedBoard { used: then.used | bit(at), ..self.board(&then, &then.men, doing.act, None) };
            if then.men.threatened_from(at) & board.pieces(choice) == 0 {
                return Flow::Continue(());
            }
        }
        then.used |= bit(at);
        then.it = bit(at);
        self.trail.push(step);
        let flow = if visit.goes_on(&then, &self.trail, doing.reach()) {
            self.steps(doing.left, &then, visit)
        } else {
            Flow::Continue(())
        };
        self.trail.pop();
        flow
    }

    /// After the last step: the pawns on their eighth rank promote, from a1 to h8.
    fn end(&mut self, run: &UseRun, visit: &mut dyn Visit) -> Flow {
        if !self.effort.takes_a_step() || self.hunt && self.king_lives(run) {
            return Flow::Continue(());
        }
        let promotes = if self.hunt { 0 } else { run.men.pawns_at_the_end() };
        let Some(at) = each(promotes).next() else { return self.whole(run, visit) };
        roles(OFFICERS).try_for_each(|role| {
            let step = CardStep::Becomes(square(at), role);
            if !self.may_do(step) {
                return Flow::Continue(());
            }
            let mut then = *run;
            then.turn_into(at, role);
            self.trail.push(step);
            let flow = if visit.goes_on(&then, &self.trail, 0) {
                self.end(&then, visit)
            } else {
                Flow::Continue(())
            };
            self.trail.pop();
            flow
        })
    }
}

/// Knight, bishop, rook and queen, as bits.
const OFFICERS: u8 = 0b1_1110;

/// A piece that a step moves.
#[derive(Clone, Copy)]
struct Goer {
    /// Where it stood before the step.
    stood: usize,
    color: Color,
    /// Whether it is the player's.
    own: bool,
    /// As what it goes, as bits.
    kinds: u8,
    /// Whether it goes as a pawn of its own accord, which may take en passant and be taken so.
    pawn: bool,
}

impl Goer {
    fn new(uses: &Uses<'_>, run: &UseRun, stood: usize, like: Option<Kinds>) -> Self {
        let Piece { color, role } = standing(&run.men, stood);
        let kinds = like.map_or(1 << role as u8, |kind| uses.mask.applied(kind));
        Self { stood, color, own: color == uses.you, kinds, pawn: like.is_none() && role == Role::Pawn }
    }

    /// Where it can go from a square, and the squares passed over onto which it can take en passant.
    fn reached(self, uses: &Uses<'_>, run: &UseRun, from: usize) -> (u64, u64) {
        let prey = uses.prey(run, self.color);
        let reached =
            roles(self.kinds).fold(0, |all, role| all | run.men.goings(from, role, self.color, prey));
        let takes = self.pawn && self.own;
        (reached, if takes { en_passant(&run.men, run.passed, from, self.color) } else { 0 })
    }

    fn gone(self, run: &UseRun, from: usize, to: usize, en_passant: bool) -> UseRun {
        let mut then = *run;
        then.go(from, to);
        if en_passant {
            then.take_off(beside_of(from, to));
        }
        // A pawn never goes two ranks but by a double step.
        if self.pawn && self.own && from.abs_diff(to) == 16 {
            then.opened |= bit(to);
        }
        then
    }
}

/// The squares passed over onto which a pawn may take en passant: a pawn that passed stands beside it.
pub(in super::super) fn en_passant(men: &Men, passed: u64, from: usize, color: Color) -> u64 {
    let neighbours = super::super::lines_of_board::beside(from) & passed & men.of_color(color.other());
    let ahead = match color {
        Color::White => neighbours << 8,
        Color::Black => neighbours >> 8,
    };
    ahead & men.empty() & strikes(Role::Pawn, color, from, 0)
}

/// The square beside `from` in the file of `to`.
pub(in super::super) fn beside_of(from: usize, to: usize) -> usize {
    from / 8 * 8 + to % 8
}

fn step_of(from: usize, to: usize) -> (isize, isize) {
    let away = |from: usize, to: usize| to.cast_signed() - from.cast_signed();
    (away(from % 8, to % 8), away(from / 8, to / 8))
}

fn goes(from: usize, to: usize) -> CardStep {
    CardStep::Goes(square(from), square(to))
}
