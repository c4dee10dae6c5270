//! Taking back the last action of the game, or the last ruling, whatever else has happened since (`docs/record.md`, "How
//! lines act", rule 16).

use tabiya_types::{Instant, Seat, say};

use super::course::{Course, nothing_to_undo};
use super::effect::Effect;
use super::given::TimeGiven;
use super::history::{History, HistoryInput, is_confirmation};
use super::input::{Common, Input, Ruling, Stamp, UndoWhat};
use super::state::MatchState;
use crate::rules::{Action, PlayAction, Violation};

/// What is taken back.
struct Cut {
    /// The history up to and including the first input that is taken back.
    first: History,
    /// The inputs that are taken back, the newest first.
    taken: Vec<Input>,
    /// The inputs after it that do not belong to it, the newest first, each as the history that ends with it.
    later: Vec<History>,
}

/// An input after what is taken back, with the table on which it acted.
struct Later {
    did: HistoryInput,
    /// The seat that has White.
    white: Seat,
    given: Option<TimeGiven>,
}

/// Takes back the last action, or the last ruling. Some of the inputs after it act again.
pub(super) fn take_back(course: &mut Course, what: UndoWhat, now: Instant) -> Result<Vec<Effect>, Violation> {
    let Cut { first, mut taken, later } = cut(course, what)?;
    taken.reverse();
    let Some(did) = first.last_input() else { return Err(nothing_to_undo()) };
    let as_of = did.stamp.at;
    let before = first.before_last();
    let begins_a_game = match &did.input {
        Input::Common(Common::Next(_)) => true,
        Input::Game(Action::Deal(_)) => {
            let then = course.state_of(&before);
            !then.begun || then.game.outcome().is_some()
        }
        Input::Game(Action::Own(own)) => own.begins_deal(),
        Input::Common(_) | Input::Game(_) => false,
    };
    let acts = |input: &Input| match input {
        Input::Common(Common::Consent(_)) => true,
        Input::Common(_) | Input::Game(_) => !begins_a_game && acts_again(input, what),
    };
    let later = later.iter().rev().filter(|history| history.last_input().is_some_and(|did| acts(&did.input)));
    let later: Vec<Later> = later.filter_map(|history| as_it_acted(course, history)).collect();
    let mut signed = course.history().inputs_after(before.count());
    signed.retain(|did| is_confirmation(&did.input));
    let confirmed = course.confirmable();
    course.cut_back(before, as_of, now);
    let again = later.iter().filter_map(|later| act_again(course, later, now).map(Effect::ActedAgain));
    let effects = [Effect::SetBack, Effect::TakenBack(taken)].into_iter().chain(again).collect();
    course.confirm_again(&signed, &confirmed, now);
    Ok(effects)
}

/// When the last action that can be taken back began.
pub(super) fn last_action_at(course: &Course) -> Option<Instant> {
    let cut = cut(course, UndoWhat::Game).ok()?;
    cut.first.last_input().map(|did| did.stamp.at)
}

/// Finds the last action or ruling. On `Err` there is none, or something came after it that stands in the way.
fn cut(course: &Course, what: UndoWhat) -> Result<Cut, Violation> {
    let (mut later, mut taken) = (Vec::new(), Vec::new());
    // The first input of the turn that is taken back, once its press was found.
    let mut turn: Option<History> = None;
    let mut next = course.history().up_to_newest_input();
    while let Some(history) = next {
        let Some(did) = history.last_input() else { break };
        let (action, ruling) = (is_action(course, did), is_ruling(&did.input));
        if what == UndoWhat::Ruling {
            if ruling {
                taken.push(did.input.clone());
                return Ok(Cut { first: history, taken, later });
            } else if action {
                let ruled = history.inputs().any(|did| is_ruling(&did.input));
                return Err(if ruled { in_the_way(what) } else { no_ruling() });
            }
            later.push(history.clone());
        } else if ruling {
            let clock_alone =
                matches!(&did.input, Input::Common(Common::Rule(ruling)) if sets_times_alone(ruling));
            if !clock_alone {
                return Err(in_the_way(what));
            }
            later.push(history.clone());
        } else if action {
            turn = turn.or_else(|| did.turn_from.clone());
            taken.push(did.input.clone());
            if turn.as_ref().is_none_or(|first| first.count() >= history.count()) {
                return Ok(Cut { first: history, taken, later });
            }
        } else {
            later.push(history.clone());
        }
        next = history.before_last().up_to_newest_input();
    }
    Err(if what == UndoWhat::Ruling { no_ruling() } else { nothing_to_undo() })
}

/// Whether an input is an action of the game, or ended a turn.
fn is_action(course: &Course, did: &HistoryInput) -> bool {
    match &did.input {
        Input::Game(Action::Correct(_)) => false,
        Input::Game(Action::Play(PlayAction::OfferDraw(_) | PlayAction::DeclineDraw(_))) => false,
        Input::Game(_) => true,
        Input::Common(Common::Press(_)) => did.turn_from.is_some() || course.state().game.presses_alone(),
        Input::Common(common) => {
            matches!(common, Common::ClaimFlag(_) | Common::Next(_) | Common::EndMatch { .. })
        }
    }
}

/// The last input of this history, with the table on which it acted.
fn as_it_acted(course: &Course, history: &History) -> Option<Later> {
    let did = history.last_input()?.clone();
    let before = course.state_of(&history.before_last());
    let given = match &did.input {
        Input::Common(Common::Rule(ruling)) => did.given.as_deref().copied().or_else(|| {
            let mut then = MatchState::clone(&before);
            then.advance(did.stamp.at);
            Some(TimeGiven::by(ruling, &then.clock, did.stamp.at))
        }),
        Input::Common(_) | Input::Game(_) => None,
    };
    Some(Later { did, white: before.white, given })
}

/// Lets an input act again at `now`. Returns what acted; `None` if what was restored refuses it.
fn act_again(course: &mut Course, later: &Later, now: Instant) -> Option<Input> {
    let input = match (&later.did.input, &later.given) {
        (Input::Common(Common::Rule(ruling)), Some(given)) => {
            Input::Common(Common::Rule(Box::new(given.again(ruling, &course.state().clock, now))))
        }
        (Input::Common(Common::Consent(by)), _) => {
            Input::Common(Common::Consent(course.state().color_of(Seat::playing(*by, later.white))))
        }
        (input, _) => input.clone(),
    };
    let stamp = Stamp::new(now, later.did.stamp.line);
    course.act_again(&input, stamp, later.given).then_some(input)
}

/// Whether an input after what is taken back acts again.
fn acts_again(input: &Input, what: UndoWhat) -> bool {
    match input {
        Input::Common(Common::Press(_)) => what == UndoWhat::Ruling,
        Input::Game(Action::Play(PlayAction::OfferDraw(_) | PlayAction::DeclineDraw(_))) => {
            what == UndoWhat::Ruling
        }
        Input::Game(_) => false,
        Input::Common(common) => matches!(
            common,
            Common::Pause(_)
                | Common::Resume(_)
                | Common::Stands { .. }
                | Common::Rule(_)
                | Common::ClockReads(_)
        ),
    }
}

fn is_ruling(input: &Input) -> bool {
    matches!(input, Input::Common(Common::Rule(_)) | Input::Game(Action::Correct(_)))
}

/// Whether a ruling sets nothing but times and periods.
fn sets_times_alone(ruling: &Ruling) -> bool {
    let Ruling { reason, clock_ms, periods, .. } = ruling.clone();
    Ruling { reason, clock_ms, periods, ..Ruling::default() } == *ruling
}

fn no_ruling() -> Violation {
    let what = say!("no-ruling", "no ruling was made that could be taken back");
    Violation::new("nothing-to-undo", what, say!("no-ruling-next", "play on"))
}

fn in_the_way(what: UndoWhat) -> Violation {
    if what == UndoWhat::Ruling {
        let what = say!("action-since", "an action was made after the last ruling");
        let next = say!("action-since-next", "take the action back first");
        return Violation::new("action-since", what, next);
    }
    let what = say!("ruling-since", "a ruling or a correction came after the last action");
    Violation::new("ruling-since", what, say!("ruling-since-next", "take the ruling back first"))
}
