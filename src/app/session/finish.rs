//! Claims of a player who has less than two minutes in a game without increments: the clocks stop, and the arbiter hears what he
//! can decide.
//!
//! Source: Laws of Chess 2023, Guidelines III: for standard and rapid games without increment, if it was announced (III.2); an
//! increment of five seconds, which is an offer of a draw (III.4); no win by normal means (III.5), with a draw (III.5.1), a
//! postponed decision (III.5.2) or a rejected claim (III.5.3).

use tabiya_engine::clock::{Bonus, Stage};
use tabiya_engine::rules::{Phase, PlayAction, Turn};
use tabiya_engine::table::{Author, Common, FinishClaim, Input, Ruling, Table};
use tabiya_types::{Color, Instant, Millis, Sentence, say};

use super::arbiter::{Infringement, ProposedLine, draw_line, gain};
use super::{InputFault, Proposal, Session};

/// A claim is possible with less than this.
const TWO_MINUTES: Millis = Millis(120_000);
/// A player with no more than this for sixty moves plays blitz (Laws of Chess, B.1).
const BLITZ: Millis = Millis(600_000);
/// The minutes that the opponent gains, unless the game is drawn.
const GAINED: u32 = 2;

impl Session {
    /// Enters this player's claim: it is recorded, the clocks stop, and the arbiter hears what he can decide.
    pub fn claim_finish(&mut self, by: Color, claim: FinishClaim, at: Instant) -> Result<(), InputFault> {
        let at = at.max(self.last_t());
        if let Some(refused) = refusal(self.table(), by, at) {
            return Err(InputFault::Guideline(refused));
        }
        if claim == FinishClaim::Increment {
            self.accept(&PlayAction::OfferDraw(by).into(), at)?;
        }
        self.accept(&Ruling::because(claim.reason(by)).into(), at)?;
        self.accept(&Input::Common(Common::Pause(Author::Player(by))), at)?;
        let proposal = proposal(self.table(), by, claim);
        let (name, left) = (self.table().name_of(by).to_owned(), self.table().reading(by, at));
        let left = left.unwrap_or_default().to_string();
        let first = ProposedLine {
            told: proposal.told.clone(),
            articles: proposal.articles.clone(),
            line: proposal.line.clone(),
        };
        let mut lines = vec![say!(
            "finish-claimed",
            "{name} has {left} left, and the clocks stand; if these guidelines were announced (III.2), the arbiter decides, and then play goes on with `resume`:",
            name,
            left
        )];
        lines.extend([first].iter().chain(&proposal.besides).map(|choice| {
            say!(
                "finish-choice",
                "{told} ({articles}): `{line}`",
                told = choice.told.clone(),
                articles = choice.articles.clone(),
                line = choice.line.clone()
            )
        }));
        self.illegal.propose(proposal);
        for line in lines {
            self.speech.say_restricted(self.ledger.table(), line);
        }
        Ok(())
    }
}

/// Why this player cannot claim now.
fn refusal(table: &Table, by: Color, at: Instant) -> Option<Sentence> {
    let to_move = matches!(table.turn(), Turn::Timed { by: mover, acted: false, .. } if mover == by);
    if table.phase() != Phase::Chess || !to_move || table.clock().paused() {
        return Some(say!(
            "finish-not-his-move",
            "{by} can claim this while he has to move and his clock runs (guidelines III.4, III.5)",
            by
        ));
    }
    let setting = table.terms().setting(table.white());
    let control = &setting.controls[by];
    let bare = matches!(control.stages().last(), Some(Stage::Time { moves: None, bonus: Bonus::None, .. }));
    let last = table.clock().standing(by, at).is_some_and(|stands| stands.stage == stands.stages);
    if !bare || !last {
        return Some(say!(
            "finish-increment",
            "this can be claimed in the last period of a game without increments (guideline III.2)"
        ));
    }
    if control.for_sixty_moves().is_some_and(|whole| whole <= BLITZ) {
        return Some(say!("finish-blitz", "this cannot be claimed in blitz (guideline III.2)"));
    }
    let left = table.reading(by, at).unwrap_or_default();
    (left >= TWO_MINUTES).then(|| {
        say!(
            "finish-too-early",
            "{by} has {left}: this can be claimed with less than two minutes (guidelines III.4, III.5)",
            by,
            left = left.to_string()
        )
    })
}

/// What the arbiter can decide on this claim.
fn proposal(table: &Table, by: Color, claim: FinishClaim) -> Proposal {
    let other = by.other();
    let name = || table.name_of(other).to_owned();
    let choice = |told: Sentence, articles: &'static str, line: Sentence| ProposedLine {
        told: told.harmless(),
        articles: articles.to_owned(),
        line,
    };
    let choices = match claim {
        FinishClaim::Increment => {
            let control = table.terms().setting(table.white()).controls[by].to_string();
            let (color, reason) =
                (other.word().to_owned(), say!("reason-increment", "increment after a claim"));
            [
                choice(
                    say!(
                        "proposed-accept",
                        "{name} accepts the draw, which is offered with it",
                        name = name()
                    ),
                    "III.4",
                    say!("line-accept", "accept"),
                ),
                choice(
                    say!(
                        "proposed-increment",
                        "both have five more seconds for each move, and {name} gains 2 min",
                        name = name()
                    ),
                    "III.4",
                    say!(
                        "line-increment",
                        "rule time {control}+5 clock {color} +120 {reason}",
                        control,
                        color,
                        reason
                    ),
                ),
                choice(say!("proposed-no-increment", "no increment"), "III.4", say!("line-resume", "resume")),
            ]
        }
        FinishClaim::NormalMeans => [
            choice(
                say!("proposed-finish-draw", "the game is drawn"),
                "III.5.1",
                draw_line(say!("reason-normal-means", "no win by normal means")),
            ),
            choice(
                say!(
                    "proposed-postponed",
                    "the decision is postponed, {name} gains 2 min, and a draw can be ruled later, after a flag too",
                    name = name()
                ),
                "III.5.2",
                gain(other, GAINED, say!("reason-postponed", "decision postponed")),
            ),
            choice(
                say!("proposed-rejected", "the claim is rejected, and {name} gains 2 min", name = name()),
                "III.5.3",
                gain(other, GAINED, say!("reason-rejected", "claim rejected")),
            ),
        ],
    };
    let [ProposedLine { told, articles, line }, besides @ ..] = choices;
    Proposal { by, of: Infringement::FinishClaimed, told, articles, line, besides: besides.to_vec() }
}
