//! Counts illegal moves, and suggests to the arbiter what the Laws of Chess propose for them, for wrong claims of a draw and for
//! players who do not come.
//!
//! Source: Laws of Chess 2023, Art. 7.5 (which moves are illegal), 7.5.5 (first illegal move: two minutes for the
//! opponent; second one: the game is lost), 9.5.3 (wrong claim: two minutes, and the intended move is played), A.3 (rapid:
//! one minute, whether A.4 or A.5 applies), B.3 (blitz: the same, unless one arbiter supervises each game, B.2: two minutes),
//! 6.7.1 (default time). A refused move is not a line of the
//! record. Instead, the next line that is written carries a mark of the illegal move in a separate field. After a
//! restart, the marks are counted again.

use tabiya_engine::record::infringements::{
    ILLEGAL, ILLEGAL_WITHDRAWN, PENALTY, illegal_counts, marked, unanswered,
};
use tabiya_engine::record::{Body, Line};
use tabiya_engine::rules::{Action, ChessPhase, Chips, Group, Phase, PlayAction, Reason, Uci, Violation};
use tabiya_engine::table::{Common, Evidence, Input, RuledResult, Table, Voice};
use tabiya_types::{ByColor, Color, Fact, Instant, Millis, Sentence, Square, say};

use super::proposing::{ArbiterDecision, Infringement, Proposal, Proposals, ProposedRuling};

/// A player with less time than this for sixty moves plays rapid or blitz (A.1).
const STANDARD: Millis = Millis(3_600_000);
/// A player with no more time than this for sixty moves plays blitz (B.1).
const BLITZ: Millis = Millis(600_000);

/// The illegal moves of the current game, as the Laws count them.
#[derive(Debug, Default)]
pub(super) struct Illegal {
    counts: ByColor<u32>,
    /// The sides of the illegal moves that were counted, but are not marked on a written line yet; and of those that were
    /// withdrawn.
    unmarked: Vec<Color>,
    withdrawn: Vec<Color>,
    /// What is proposed, and not decided yet.
    proposals: Proposals,
    /// Who claimed a draw wrongly with an intended move, and must play it.
    bound: Option<(Color, Uci)>,
    /// Whether the arbiter was told that the default time is over.
    told_default: bool,
}

impl Illegal {
    /// What is proposed until the arbiter rules or lets it be, the most urgent first.
    pub(super) fn proposals(&self) -> &[Proposal] {
        self.proposals.open()
    }

    /// Drops this proposal: the arbiter lets it be. An illegal move that he does not confirm does not count. Returns whether it was
    /// open.
    pub(super) fn drop_proposal(&mut self, by: Color, of: Infringement) -> bool {
        let dropped = self.proposals.close(by, of);
        if dropped && matches!(of, Infringement::IllegalMove(_)) {
            self.set_count(by, self.counts[by].saturating_sub(1));
        }
        dropped
    }

    /// Corrects the number of this side's illegal moves in the current game. The next line that is written says so. It also names
    /// an illegal move that is withdrawn before it was written: after a restart its press is not to be judged again.
    fn set_count(&mut self, by: Color, count: u32) {
        while self.counts[by] > count {
            self.counts[by] -= 1;
            self.withdrawn.push(by);
        }
        while self.counts[by] < count {
            self.counts[by] += 1;
            self.unmarked.push(by);
        }
    }

    /// The arbiter rules how many illegal moves this side has made in the current game. So nothing is proposed for them any more.
    pub(super) fn correct(&mut self, by: Color, count: u32) {
        self.set_count(by, count);
        self.proposals.retain(|open| open.by != by || !matches!(open.of, Infringement::IllegalMove(_)));
    }

    /// Proposes again what no ruling has answered in the record of a match that is carried on. `pawn`: where the press that waits has
    /// left a pawn on the last rank. Returns the sentences for the arbiter.
    pub(super) fn propose_again(
        &mut self,
        lines: &[Line],
        pawn: Option<Square>,
        table: &Table,
    ) -> Vec<Sentence> {
        let open = unanswered(lines);
        let counts = self.counts;
        let open = Color::ALL.into_iter().filter(|by| open[*by] && counts[*by] > 0);
        open.map(|by| self.propose_for_illegal(by, counts[by], pawn, table)).collect()
    }

    /// Proposes this to the arbiter, beside what is proposed already.
    pub(super) fn propose(&mut self, proposal: Proposal) {
        self.proposals.propose(proposal);
    }

    /// A game has ended because a flag fell. Returns what the arbiter is told if perhaps nobody could have mated any more: whether
    /// any series of legal moves mates, he decides (Laws of Chess, 5.2.2 and 6.9).
    pub(super) fn doubtful_flag(&mut self, table: &Table) -> Option<Sentence> {
        let outcome = table.game().outcome().filter(|outcome| outcome.reason == Reason::Timeout)?;
        let winner = outcome.winner?;
        table.game().chess().filter(|chess| chess.may_be_dead(winner))?;
        let (by, name) = (winner.other(), table.name_of(winner).to_owned());
        let choice = for_doubtful_flag(by, table);
        let line = choice.line();
        self.proposals.propose(Proposal { by, of: Infringement::DoubtfulFlag, choices: vec![choice] });
        let asked = say!(
            "flag-doubtful",
            "{by}'s flag has fallen, but no pawn can move now and nothing can be captured now: the arbiter decides whether {name} could still mate by any legal moves; if not, the game is drawn (Laws 5.2.2, 6.9): `{line}`",
            by,
            name,
            line
        );
        Some(if table.game().stakes().pot() == Chips::ZERO && table.game().betting().is_none() {
            asked
        } else {
            say!("flag-doubtful-chips", "{asked}; a draw gives the chips back", asked)
        })
    }

    /// Proposes what the Laws say of this wrong claim. Returns a sentence for the arbiter; `None` in casual play.
    pub(super) fn wrong_claim(&mut self, by: Color, uci: Option<Uci>, table: &Table) -> Option<Sentence> {
        if table.terms().voice != Voice::Event {
            return None;
        }
        let san = uci.and_then(|uci| table.game().chess()?.in_san(uci)).map(|(_, san)| Fact::San(san));
        self.bound = uci.map(|uci| (by, uci));
        let choice = for_wrong_claim(by, san, table);
        let (line, ProposedRuling { told, articles, .. }) = (choice.line(), choice.clone());
        self.proposals.propose(Proposal { by, of: Infringement::WrongClaim, choices: vec![choice] });
        Some(say!(
            "wrong-claim",
            "{by}'s claim is wrong: {told} (Laws {articles}): `{line}`",
            by,
            told,
            articles,
            line
        ))
    }

    /// When the arbiter is to be told that the default time is over; `None` if he was told, or if nothing is agreed. Where it is zero
    /// nobody is told: the arbiter who starts the round looks who sits there, and a table cannot know it before anybody has acted.
    pub(super) fn default_due(&self, table: &Table) -> Option<Instant> {
        let first = table.past_games().is_empty() && table.game().outcome().is_none();
        let due = table.terms().default_time.filter(|due| first && !self.told_default && due.0 > 0)?;
        absent(table).map(|_| Instant::ZERO + due)
    }

    /// At the end of the default time, tells the arbiter who has not moved yet (Laws of Chess, 6.7.1). It is no loss by itself.
    pub(super) fn default_over(&mut self, table: &Table, now: Instant) -> Option<Sentence> {
        self.default_due(table).filter(|due| *due <= now)?;
        self.told_default = true;
        let (by, sure) = absent(table)?;
        let name = table.name_of(by).to_owned();
        if !sure {
            return Some(say!(
                "default-time-nobody",
                "the default time is over, and nobody has begun: who has not come loses (Laws 6.7.1): `rule forfeit A absent`, `rule forfeit B absent` or `rule forfeit both absent`"
            ));
        }
        let choice = for_absence(by, table);
        let line = choice.line();
        self.proposals.propose(Proposal { by, of: Infringement::Absence, choices: vec![choice] });
        Some(say!(
            "default-time-over",
            "the default time is over, and {name} has not moved: who has not come loses (Laws 6.7.1): `{line}`",
            name,
            line
        ))
    }

    /// Closes what this line settles. A ruling settles what it is about, and everything if it ends the game; the next game, too.
    /// Play that goes on, or an undo, settles a claim and a sealed move. What else happens leaves the proposals open. `met`: the
    /// table that the line meets, at its moment; `after`: the table after it.
    fn settle(&mut self, input: &Input, met: (&Table, Instant), after: &Table) {
        let goes_on = match input {
            Input::Game(action) => action.takes_turn(),
            Input::Common(Common::Rule(ruling)) => {
                for (by, of) in self.proposals.answered(ruling, met) {
                    self.proposals.close(by, of);
                }
                if ruling.result.is_some_and(|result| result != RuledResult::GoesOn) {
                    self.proposals.clear();
                }
                false
            }
            Input::Common(Common::Next(_) | Common::EndMatch { .. }) => {
                self.proposals.clear();
                false
            }
            Input::Common(common) => matches!(common, Common::Resume(_) | Common::Undo { .. }),
        };
        let over = after.game().outcome().is_some();
        self.proposals.retain(|open| match open.of {
            Infringement::FinishClaimed | Infringement::SealedMove => !goes_on,
            Infringement::DoubtfulFlag => over,
            Infringement::IllegalMove(_) | Infringement::WrongClaim | Infringement::Absence => true,
        });
    }

    /// Follows a line, which met the table `before`. Returns what the arbiter is told of a player who does not play the move with
    /// which he claimed a draw.
    pub(super) fn follow(&mut self, line: &Line, before: &Table, after: &Table) -> Option<Sentence> {
        let Body::Acted(input) = &line.body else { return None };
        self.settle(input, (before, line.moment()), after);
        if let Input::Game(Action::Play(PlayAction::Move { by, uci, .. })) = input {
            let (_, claimed) = self.bound.take_if(|(bound, _)| bound == by)?;
            let (by, claimed) = (*by, claimed.to_string());
            return (*uci.to_string() != claimed).then(|| {
                say!(
                    "claimed-another-move",
                    "{by} claimed a draw with {claimed} and must play it (Laws 9.5.3): take the move back with `undo`",
                    by,
                    claimed
                )
            });
        }
        let Input::Common(common) = input else { return None };
        if matches!(common, Common::Next(_) | Common::Undo { .. }) {
            self.bound = None;
        }
        None
    }

    /// Counts an illegal move by this side. `pawn` is where it has left a pawn on the last rank. Returns a sentence for the
    /// arbiter that names the penalty under the Laws. `None` in casual play and outside the chess phase, where illegal moves
    /// are not counted.
    pub(super) fn count(&mut self, by: Color, pawn: Option<Square>, table: &Table) -> Option<Sentence> {
        if table.terms().voice != Voice::Event || table.phase() != Phase::Chess {
            return None;
        }
        self.counts[by] += 1;
        self.unmarked.push(by);
        Some(self.propose_for_illegal(by, self.counts[by], pawn, table))
    }

    /// Proposes the penalty for this side's illegal move with this number. Returns a sentence for the arbiter that names it.
    fn propose_for_illegal(
        &mut self,
        by: Color,
        count: u32,
        pawn: Option<Square>,
        table: &Table,
    ) -> Sentence {
        let other = by.other();
        let choice = for_illegal_move(by, count, pawn, table);
        let (line, articles) = (choice.line(), choice.articles.clone());
        self.proposals.propose(Proposal { by, of: Infringement::IllegalMove(count), choices: vec![choice] });
        let minutes = minutes(table, by);
        if let (1, Some(at)) = (count, pawn) {
            say!(
                "first-illegal-promotion",
                "{by}'s illegal move number 1 of this game, if you confirm it: the pawn on {at} becomes a queen, and \
                 {other} gains {minutes} min (Laws {articles}): `{line}`",
                by,
                at,
                other,
                minutes,
                articles,
                line
            )
        } else if count == 1 {
            say!(
                "first-illegal-move",
                "{by}'s illegal move number 1 of this game, if you confirm it: restore the position, and \
                 {other} gains {minutes} min (Laws {articles}): `{line}`",
                by,
                other,
                minutes,
                articles,
                line
            )
        } else {
            say!(
                "next-illegal-move",
                "{by}'s illegal move number {count} of this game, if you confirm it: {by} loses, or the game is \
                 drawn if {other} cannot mate (Laws 7.5.5): `{line}`",
                by,
                count,
                other,
                line
            )
        }
    }

    /// Marks the rulings among these lines that answer an illegal move, whatever language their reason is in. They meet this table.
    pub(super) fn mark_penalty(&self, lines: &mut [Line], before: &Table) {
        for line in lines.iter_mut() {
            let Body::Acted(Input::Common(Common::Rule(ruling))) = &line.body else { continue };
            let answered = self.proposals.answered(ruling, (before, line.moment()));
            let illegal = answered.into_iter().find(|(_, of)| matches!(of, Infringement::IllegalMove(_)));
            if let Some((by, _)) = illegal {
                line.set_extension(PENALTY, by.word());
            }
        }
    }

    /// What the next line carries: each illegal move that is on no line yet, and each that was withdrawn since.
    pub(super) fn own(&self) -> Group {
        let marks = [(ILLEGAL, &self.unmarked), (ILLEGAL_WITHDRAWN, &self.withdrawn)];
        let words = |sides: &[Color]| sides.iter().map(|by| by.word()).collect::<Vec<&str>>();
        let marks = marks.into_iter().filter(|(_, sides)| !sides.is_empty());
        marks.fold(Group::new(), |own, (name, sides)| own.with(name, words(sides)))
    }

    /// Called once the line with the marks is durable: from now on no illegal move is waiting to be marked.
    pub(super) fn marked(&mut self) {
        self.unmarked.clear();
        self.withdrawn.clear();
    }

    /// Starts a new count, because another game begins.
    pub(super) fn next_game(&mut self) {
        self.counts = ByColor::default();
    }

    /// How many of the presses that wait for an explanation were counted as illegal moves already, by whose they are: they are not
    /// counted again. `unsettled`: the lines since presses were settled last. The mark of an illegal move stands on a later line than
    /// its press, whichever comes next.
    pub(super) fn presses_counted(&self, unsettled: &[Line]) -> ByColor<usize> {
        let (mut counted, mut pressed) = (ByColor::<usize>::default(), ByColor::<bool>::default());
        for line in unsettled {
            for by in marked(line, ILLEGAL) {
                counted[by] += usize::from(pressed[by]);
            }
            if let Body::Evidence(Evidence::Button(by)) = line.body {
                pressed[by] = true;
            }
        }
        self.unmarked.iter().for_each(|by| counted[*by] += usize::from(pressed[*by]));
        counted
    }

    /// Restores the number of illegal moves in the current game. It is the number of `x-illegal` marks on these lines of
    /// the record, less those that were withdrawn, plus the marks that are not written yet.
    pub(super) fn count_again(&mut self, lines: &[Line]) {
        let mut counts = illegal_counts(lines);
        self.unmarked.iter().for_each(|by| counts[*by] += 1);
        self.withdrawn.iter().for_each(|by| counts[*by] = counts[*by].saturating_sub(1));
        self.counts = counts;
    }
}

/// Who has not made his first move yet, and whether it is sure that only he has not come: the other one has started his clock.
/// `None` once both have moved.
fn absent(table: &Table) -> Option<(Color, bool)> {
    match (table.clock().turn(), table.game().chess().map(|chess| chess.moves().len())) {
        (None, _) if table.begun() => None,
        (None, _) => Some((Color::White, false)),
        (Some(by), Some(0 | 1)) => Some((by, true)),
        (Some(_), _) => None,
    }
}

/// After a move at an event: what the arbiter is told if the next player can claim a draw. It is his to claim.
pub(super) fn claimable(body: &Body, after: &Table) -> Option<Sentence> {
    let Body::Acted(Input::Game(Action::Play(PlayAction::Move { by, .. }))) = body else { return None };
    let game = after.game();
    let open = game.outcome().is_none() && game.chess().is_some_and(ChessPhase::claimable);
    (open && after.terms().voice == Voice::Event).then(|| {
        let by = by.other();
        say!(
            "draw-claimable-by",
            "{by} can claim a draw: the position has occurred three times, or fifty moves were made without a capture or a pawn move (Laws 9.2, 9.3)",
            by
        )
    })
}

/// The player and the intended move of a claim of a draw that was refused because it is wrong.
pub(super) fn wrong_claim(input: &Input, violation: &Violation) -> Option<(Color, Option<Uci>)> {
    match input {
        Input::Game(Action::Play(PlayAction::ClaimDraw { by, uci })) if violation.rule == "claim-fails" => {
            Some((*by, *uci))
        }
        Input::Game(_) | Input::Common(_) => None,
    }
}

/// What the Laws propose if perhaps nobody could mate when this side's flag fell.
pub(super) fn for_doubtful_flag(by: Color, table: &Table) -> ProposedRuling {
    let name = table.name_of(by.other()).to_owned();
    let reason = say!("reason-no-mate", "no mate was possible");
    let told = say!("proposed-no-mate", "a draw, if {name} could not mate by any legal moves", name);
    ProposedRuling::new(told, "5.2.2, 6.9", ArbiterDecision::Draw(reason))
}

/// What they propose for this side's wrong claim of a draw, with the move that it intended, if it did.
pub(super) fn for_wrong_claim(by: Color, san: Option<Fact>, table: &Table) -> ProposedRuling {
    let (other, minutes) = (by.other(), minutes(table, by));
    let name = table.name_of(other).to_owned();
    let decision = ArbiterDecision::Gain(other, minutes, say!("reason-wrong-claim", "wrong claim"));
    let told = match san {
        Some(san) => say!(
            "proposed-claim-bound",
            "{name} gains {minutes} min, and {by} must play {san}",
            name,
            minutes,
            by,
            san
        ),
        None => say!("proposed-claim", "{name} gains {minutes} min", name, minutes),
    };
    ProposedRuling::new(told, articles("9.5.3", by, table), decision)
}

/// What they propose if this side has not come when the default time is over.
pub(super) fn for_absence(by: Color, table: &Table) -> ProposedRuling {
    let name = table.name_of(by).to_owned();
    let reason = say!("reason-absent", "absent");
    let told = say!("proposed-forfeit", "{name} loses, if he has not come", name);
    ProposedRuling::new(told, "6.7.1", ArbiterDecision::Forfeit(table.seat_of(by), reason))
}

/// What the Laws propose for this side's illegal move with this number.
pub(super) fn for_illegal_move(
    by: Color,
    number: u32,
    pawn: Option<Square>,
    table: &Table,
) -> ProposedRuling {
    let other = by.other();
    let name = table.name_of(other).to_owned();
    if number == 1 {
        let minutes = minutes(table, by);
        let decision = ArbiterDecision::Gain(other, minutes, say!("reason-illegal-move", "illegal move"));
        let told = match pawn {
            Some(at) => say!(
                "proposed-queen",
                "the pawn on {at} becomes a queen, and {name} gains {minutes} min",
                at,
                name,
                minutes
            ),
            None => {
                say!("proposed-gain", "{name} gains {minutes} min, and {by} moves again", name, minutes, by)
            }
        };
        let articles = articles(if pawn.is_some() { "7.5.2, 7.5.5" } else { "7.5.5" }, by, table);
        return ProposedRuling::new(told, articles, decision);
    }
    loss(by, "7.5.5", say!("reason-second-illegal-move", "second illegal move"), table)
}

/// This player loses, or the game is drawn if his opponent cannot mate.
pub(super) fn loss(by: Color, articles: &str, reason: Sentence, table: &Table) -> ProposedRuling {
    let name = table.name_of(by.other()).to_owned();
    let (decision, told) = match table.game().flag_outcome(by).winner {
        Some(_) => (
            ArbiterDecision::Win(table.seat_of(by.other()), reason),
            say!("proposed-loss", "{by} loses, because {name} could mate", by, name),
        ),
        None => {
            (ArbiterDecision::Draw(reason), say!("proposed-draw", "a draw, because {name} cannot mate", name))
        }
    };
    ProposedRuling::new(told, articles, decision)
}

/// How fast a side plays, by its time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pace {
    Standard,
    Rapid,
    Blitz,
}

/// How fast this side plays.
pub(super) fn pace(table: &Table, side: Color) -> Pace {
    let setting = table.terms().setting(table.white());
    match setting.controls[side].for_sixty_moves() {
        Some(whole) if whole <= BLITZ => Pace::Blitz,
        Some(whole) if whole < STANDARD => Pace::Rapid,
        Some(_) | None => Pace::Standard,
    }
}

/// How many minutes the opponent gains after a first illegal move or a wrong claim.
fn minutes(table: &Table, by: Color) -> u32 {
    match pace(table, by) {
        Pace::Standard => 2,
        Pace::Rapid | Pace::Blitz => 1,
    }
}

/// These articles, with those that make two minutes one at this side's pace.
fn articles(of_standard: &str, by: Color, table: &Table) -> String {
    match pace(table, by) {
        Pace::Standard => of_standard.to_owned(),
        Pace::Rapid => format!("{of_standard}, A.3"),
        Pace::Blitz => format!("{of_standard}, A.3, B.3"),
    }
}

/// The side that made an illegal move with this refused input; `None` if the Laws do not count the input as an illegal
/// move.
pub(super) fn illegal_by(input: &Input, violation: &Violation) -> Option<Color> {
    let by = match input {
        Input::Game(action) if action.takes_turn() => action.by(),
        Input::Common(Common::Press(by)) => Some(*by),
        Input::Game(_) | Input::Common(_) => None,
    };
    by.filter(|_| violation.illegal_move)
}
