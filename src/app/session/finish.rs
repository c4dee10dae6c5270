//! Claims of a player who has less than two minutes in a game without increments: the clocks stop, and the arbiter hears what he
//! can decide.
//!
//! Source: Laws of Chess 2023, Guidelines III: for standard and rapid games without increment, if it was announced (III.2); an
//! increment of five seconds, which is an offer of a draw (III.4); no win by normal means (III.5), with a draw (III.5.1), a
//! postponed decision (III.5.2) or a rejected claim (III.5.3).

use tabiya_engine::clock::{Bonus, Stage};
use tabiya_engine::record::{Body, Line};
use tabiya_engine::rules::{Phase, PlayAction, Turn};
use tabiya_engine::table::{Author, Common, FinishClaim, Input, Ruling, Table};
use tabiya_types::{Color, Instant, Millis, Sentence, say};

use super::arbiter::{Pace, pace};
use super::course::MatchCourse;
use super::fault::InputFault;
use super::proposing::{ArbiterDecision, Infringement, Proposal, ProposedRuling};

/// A claim is possible with less than this.
const TWO_MINUTES: Millis = Millis(120_000);
/// The minutes that the opponent gains, unless the game is drawn.
const GAINED: u32 = 2;

/// Enters this player's claim: it is recorded, the clocks stop, and the arbiter hears what he can decide.
pub(super) fn claim_finish(
    course: &mut MatchCourse,
    by: Color,
    claim: FinishClaim,
    at: Instant,
) -> Result<(), InputFault> {
    let at = at.max(course.last_t());
    if let Some(refused) = refusal(course.table(), by, at) {
        return Err(InputFault::Guideline(refused));
    }
    if claim == FinishClaim::Increment {
        course.accept(&PlayAction::OfferDraw(by).into(), at)?;
    }
    course.accept(&Ruling::because(claim.reason(by)).into(), at)?;
    course.accept(&Common::Pause(Author::Player(by)).into(), at)?;
    propose(course, by, claim, at);
    Ok(())
}

/// In a match that is carried on: proposes again what the arbiter has not decided about a claim. The clocks stand since then.
pub(super) fn propose_again(course: &mut MatchCourse) {
    if let Some((by, claim)) = open_claim(course.lines()) {
        propose(course, by, claim, course.last_t());
    }
}

/// The claim after which only the clocks were stopped, or reasons were written.
fn open_claim(lines: &[Line]) -> Option<(Color, FinishClaim)> {
    for line in lines.iter().rev() {
        match &line.body {
            Body::Acted(Input::Common(Common::Rule(ruling))) => {
                let claim = FinishClaim::ALL.into_iter().find_map(|claim| {
                    let by = Color::ALL.into_iter().find(|by| claim.reason(*by) == ruling.reason)?;
                    Some((by, claim))
                });
                if claim.is_some() || **ruling != Ruling::because(&ruling.reason) {
                    return claim;
                }
            }
            Body::Evidence(_) | Body::Acted(Input::Common(Common::Pause(_) | Common::Tick)) => {}
            Body::Acted(_) => return None,
        }
    }
    None
}

/// Tells the arbiter what he can decide on this claim.
fn propose(course: &mut MatchCourse, by: Color, claim: FinishClaim, at: Instant) {
    let choices = choices(course.table(), by, claim);
    let (name, left) = (course.table().name_of(by).to_owned(), course.table().reading(by, at));
    let left = left.unwrap_or_default().to_string();
    let mut lines = vec![say!(
        "finish-claimed",
        "{name} has {left} left, and the clocks stand; if these guidelines were announced (III.2), the arbiter decides, and then play goes on with `resume`:",
        name,
        left
    )];
    lines.extend(choices.iter().map(|choice| {
        let (line, ProposedRuling { told, articles, .. }) = (choice.line(), choice.clone());
        say!("finish-choice", "{told} ({articles}): `{line}`", told, articles, line)
    }));
    course.illegal.propose(Proposal { by, of: Infringement::FinishClaimed, choices });
    for line in lines {
        course.speech.say_restricted(course.ledger.table(), line);
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
    if pace(table, by) == Pace::Blitz {
        return Some(say!("finish-blitz", "this cannot be claimed in blitz (guideline III.2)"));
    }
    let left = table.reading(by, at).unwrap_or_default();
    if left == Millis(0) {
        return Some(say!(
            "finish-too-late",
            "the flag of {by} has fallen: this can be claimed only before it (guidelines III.4, III.5)",
            by
        ));
    }
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
fn choices(table: &Table, by: Color, claim: FinishClaim) -> Vec<ProposedRuling> {
    match claim {
        FinishClaim::Increment => on_increment(table, by),
        FinishClaim::NormalMeans => on_draw(table, by, say!("reason-normal-means", "no win by normal means")),
        FinishClaim::NoEffort => {
            on_draw(table, by, say!("reason-no-effort", "no effort to win by normal means"))
        }
    }
}

/// What the arbiter can decide when this player asks for an increment.
fn on_increment(table: &Table, by: Color) -> Vec<ProposedRuling> {
    let (other, name) = (by.other(), table.name_of(by.other()).to_owned());
    let accept =
        say!("proposed-accept", "{name} accepts the draw, which is offered with it", name = name.clone());
    let mut choices = vec![ProposedRuling::new(accept, "III.4", ArbiterDecision::AcceptDraw(other))];
    let controls = &table.terms().setting(table.white()).controls;
    // A ruling sets one control for both.
    let increment = format!("{}+5", controls[by]).parse().ok().filter(|_| controls.white == controls.black);
    if let Some(increment) = increment {
        let told = say!(
            "proposed-increment",
            "both have five more seconds for each move, and {name} gains 2 min",
            name
        );
        let reason = say!("reason-increment", "increment after a claim");
        let decision = ArbiterDecision::Increment(increment, other, GAINED, reason);
        choices.push(ProposedRuling::new(told, "III.4", decision));
    }
    let none = say!("proposed-no-increment", "no increment");
    choices.push(ProposedRuling::new(none, "III.4", ArbiterDecision::Resume));
    choices
}

/// What the arbiter can decide when this player claims a draw; `reason` is the reason of a draw.
fn on_draw(table: &Table, by: Color, reason: Sentence) -> Vec<ProposedRuling> {
    let (other, name) = (by.other(), || table.name_of(by.other()).to_owned());
    let gains = |reason| ArbiterDecision::Gain(other, GAINED, reason);
    let drawn = say!("proposed-finish-draw", "the game is drawn");
    let postponed = say!(
        "proposed-postponed",
        "the decision is postponed, {name} gains 2 min, and a draw can be ruled later, after a flag too",
        name = name()
    );
    let rejected = say!("proposed-rejected", "the claim is rejected, and {name} gains 2 min", name = name());
    vec![
        ProposedRuling::new(drawn, "III.5.1", ArbiterDecision::Draw(reason)),
        ProposedRuling::new(postponed, "III.5.2", gains(say!("reason-postponed", "decision postponed"))),
        ProposedRuling::new(rejected, "III.5.3", gains(say!("reason-rejected", "claim rejected"))),
    ]
}
