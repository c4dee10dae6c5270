//! What the stages of a time control mean together: the readings of a text, in the record's notation.
//!
//! Several readings mean that people are asked. A bare number is minutes up to 180 and seconds above, unless only seconds
//! are usual.

use super::grammar::{Amount, Fault, MappedText, MoveCount, SpokenBonus, SpokenStage, SpokenTime};
use super::tokens::TimeUnit;

/// A number up to this one without a unit can mean minutes; a larger one means seconds.
pub(super) const MOST_MINUTES: u64 = 180;
/// Numbers that can be a whole game's minutes, and its seconds.
const MINUTES_OR_SECONDS: [u64; 3] = [60, 120, 180];
/// Nobody plays an hour and more with increments below this many seconds.
const LEAST_LONG_INCREMENT: u64 = 5;
/// `40/2` can be two hours for 40 moves: nobody plays so many moves in so few minutes.
const MOST_HOURS: u64 = 3;
const LEAST_MOVES_OF_HOURS: u64 = 20;
/// The moves after which a second time is usually given, where nobody says it.
const USUAL_COUNT: u64 = 40;

/// What a text can mean, the likeliest first, and whether people are asked although there is only one reading.
pub(super) struct Readings {
    pub(super) texts: Vec<MappedText>,
    pub(super) unsure: bool,
}

/// One stage of one reading.
#[derive(Clone, Debug)]
enum Piece {
    Whole(MappedText),
    Time { moves: Option<MoveCount>, base: Amount, bonus: Option<SpokenBonus>, of_game: bool },
}

/// What the stages can mean. `end`: the length of the text.
pub(super) fn readings(mut stages: Vec<SpokenStage>, end: usize) -> Result<Readings, Fault> {
    let for_all = match stages.pop_if(|last| matches!(last, SpokenStage::ForAll(_))) {
        Some(SpokenStage::ForAll(bonus)) => Some(bonus),
        _ => None,
    };
    if stages.is_empty() {
        let at = for_all.map_or(end, |bonus| bonus.at);
        return Err((at, "the time before the bonus, as in `25 + 10`"));
    }
    let lone = stages.len() == 1 && for_all.is_none();
    let turned = stages.iter().any(|stage| matches!(stage, SpokenStage::Time(time) if time.turned));
    let mut unsure = turned;
    let mut found = vec![(Vec::new(), for_all)];
    let last = stages.len() - 1;
    for (nth, stage) in stages.into_iter().enumerate() {
        // A lone reading that was only turned stays a question; a reading that has another one beside it is one, too.
        let choices = choices(stage, lone, nth > 0 && nth == last)?;
        let longer = found.into_iter().flat_map(|(before, for_all): (Vec<Piece>, Option<SpokenBonus>)| {
            choices
                .iter()
                .map(move |(pieces, all)| ([before.clone(), pieces.clone()].concat(), for_all.or(*all)))
        });
        found = longer.collect();
    }
    unsure |= found.len() > 1;
    let mut texts = Vec::new();
    for (mut pieces, for_all) in found {
        share_last_bonus(&mut pieces);
        for unit in units(&pieces, for_all) {
            texts.push(written(&pieces, *unit, for_all, end)?);
        }
    }
    Ok(Readings { texts, unsure })
}

type Choice = (Vec<Piece>, Option<SpokenBonus>);

/// What one stage can mean: its pieces, and a bonus for all stages. `ends`: it is the last of several.
fn choices(stage: SpokenStage, lone: bool, ends: bool) -> Result<Vec<Choice>, Fault> {
    let whole = |mapped| (vec![Piece::Whole(mapped)], None);
    match stage {
        SpokenStage::Whole(mapped) => Ok(vec![whole(mapped)]),
        SpokenStage::ForAll(bonus) => Err((bonus.at, "a time")),
        SpokenStage::PerMove { amount, at, is_each } => {
            let per_move = whole(MappedText::signed("=", at, amount, TimeUnit::Seconds));
            let minutes = matches!(amount.unit, Some(TimeUnit::Hours | TimeUnit::Minutes));
            let bonus = SpokenBonus::named('+', at, amount);
            Ok(if ends && !minutes {
                vec![(Vec::new(), Some(bonus)), per_move]
            } else if is_each && minutes && lone {
                let (moves, base, bonus, of_game) = (None, amount, None, false);
                vec![(vec![Piece::Time { moves, base, bonus, of_game }], None), per_move]
            } else {
                vec![per_move]
            })
        }
        SpokenStage::Time(time) => {
            let choices = choices_of_time(&time, lone)?;
            Ok(choices.into_iter().map(|pieces| (pieces, None)).collect())
        }
    }
}

fn choices_of_time(time: &SpokenTime, lone: bool) -> Result<Vec<Vec<Piece>>, Fault> {
    let piece = |moves, base, bonus| Piece::Time { moves, base, bonus, of_game: time.of_game };
    let mut choices = Vec::new();
    if let Some((base, bonus)) = time.otherwise
        && time.bonuses.is_empty()
        && (lone || time.moves.is_none())
    {
        choices.push(vec![piece(None, base, Some(bonus))]);
        if time.moves.is_none() {
            return Ok(choices);
        }
    }
    let is_plain = |bonus: &SpokenBonus| {
        bonus.sign == '+' && !bonus.named && bonus.amount.unit != Some(TimeUnit::Seconds)
    };
    let (mut stages, mut bonus) = (vec![(time.moves, time.base)], None);
    for (nth, next) in time.bonuses.iter().enumerate() {
        // `40/90+30+30`: of two bare numbers the first is the time of the rest of the game.
        let is_rest = nth == 0 && time.moves.is_some() && time.bonuses.len() == 2 && is_plain(next);
        if bonus.is_some() {
            return Err((next.at, "`,` and another stage, or the end"));
        } else if next.is_stage() || is_rest {
            stages.push((next.moves, next.amount));
        } else {
            bonus = Some(*next);
        }
    }
    let together = |stages: &[(Option<MoveCount>, Amount)]| -> Vec<Piece> {
        stages.iter().map(|(moves, base)| piece(*moves, *base, bonus)).collect()
    };
    if let [(None, _), (count, next), ..] = stages.as_slice() {
        // `90 min + 30 min/40 moves`: the moves can be those before the time is added, or those of the time.
        let count = count.unwrap_or((USUAL_COUNT, next.at));
        let mut counted = stages.clone();
        if let [first, second, ..] = counted.as_mut_slice() {
            (first.0, second.0) = (Some(count), None);
        }
        choices.push(together(&counted));
    }
    choices.push(together(&stages));
    if let ([one], true) = (time.bonuses.as_slice(), time.turned)
        && is_plain(one)
        && !one.is_stage()
    {
        choices.push(vec![piece(time.moves, time.base, None), piece(None, one.amount, None)]);
    }
    Ok(choices)
}

/// A bonus after the time for the rest of the game is for the whole game, as US Chess writes it: `40/90, SD/30 d5`. So is
/// one from move 1 on.
fn share_last_bonus(pieces: &mut [Piece]) {
    let Some(Piece::Time { bonus: Some(last), of_game, .. }) = pieces.last().cloned() else { return };
    if !of_game && !last.from_start {
        return;
    }
    let alone = pieces.iter().rev().skip(1).all(|piece| matches!(piece, Piece::Time { bonus: None, .. }));
    for piece in pieces.iter_mut().filter(|_| alone) {
        if let Piece::Time { bonus, .. } = piece {
            *bonus = Some(last);
        }
    }
}

/// The units that bare numbers of these pieces can have, the likeliest first.
fn units(pieces: &[Piece], for_all: Option<SpokenBonus>) -> &'static [TimeUnit] {
    if let ([Piece::Time { moves: None, base, bonus, of_game: false }], None) = (pieces, for_all)
        && base.unit.is_none()
    {
        return units_of(base.number, bonus.as_ref());
    }
    let hours = |piece: &Piece| {
        matches!(piece, Piece::Time { moves: Some((moves, _)), base, .. }
            if *moves >= LEAST_MOVES_OF_HOURS && (1..=MOST_HOURS).contains(&base.number) && base.unit.is_none())
    };
    if pieces.iter().any(hours) { &[TimeUnit::Hours, TimeUnit::Minutes] } else { &[TimeUnit::Minutes] }
}

/// The units in which a whole game's number without a unit is usual, the likeliest first.
fn units_of(number: u64, bonus: Option<&SpokenBonus>) -> &'static [TimeUnit] {
    let seconds =
        bonus.filter(|bonus| bonus.sign == '+').map_or(0, |bonus| bonus.amount.seconds_as(TimeUnit::Seconds));
    let is_long = (MINUTES_OR_SECONDS[0]..=MOST_MINUTES).contains(&number);
    match seconds {
        1..LEAST_LONG_INCREMENT if is_long => &[TimeUnit::Seconds],
        0 if MINUTES_OR_SECONDS.contains(&number) && bonus.is_none_or(|bonus| bonus.sign == '+') => {
            &[TimeUnit::Minutes, TimeUnit::Seconds]
        }
        _ => &[TimeUnit::Minutes],
    }
}

/// The pieces in the record's notation. A bare number is in this unit, in seconds above 180, and in minutes if it would be
/// too many hours.
fn written(
    pieces: &[Piece],
    unit: TimeUnit,
    for_all: Option<SpokenBonus>,
    end: usize,
) -> Result<MappedText, Fault> {
    let mut control = MappedText::default();
    for piece in pieces {
        let stage = match piece {
            Piece::Whole(mapped) => mapped.clone(),
            Piece::Time { moves, base, bonus, of_game } => {
                // The US Chess notation has only minutes, and hours where all times are so short.
                let minutes = *of_game && !(unit == TimeUnit::Hours && base.number <= MOST_HOURS);
                let base = Amount { unit: base.unit.or(minutes.then_some(TimeUnit::Minutes)), ..*base };
                written_time(*moves, base, bonus.or(for_all), unit)?
            }
        };
        let joint = if control.text.is_empty() { "" } else { ":" };
        control = control.with(joint, stage.from.first().copied().unwrap_or(end));
        control.text.push_str(&stage.text);
        control.from.extend(stage.from);
    }
    Ok(control)
}

fn written_time(
    moves: Option<MoveCount>,
    base: Amount,
    bonus: Option<SpokenBonus>,
    unit: TimeUnit,
) -> Result<MappedText, Fault> {
    let mut mapped = MappedText::default();
    if let Some((moves, at)) = moves {
        mapped = mapped.with(&moves.to_string(), at).with("/", base.at);
    }
    let unit = match unit {
        _ if base.number > MOST_MINUTES => TimeUnit::Seconds,
        TimeUnit::Hours if base.number > MOST_HOURS => TimeUnit::Minutes,
        unit => unit,
    };
    mapped = mapped.with(&base.seconds_as(unit).to_string(), base.at);
    if let Some(SpokenBonus { sign, at, amount, .. }) = bonus {
        if amount.unit == Some(TimeUnit::Hours) {
            return Err((amount.at, "seconds"));
        }
        mapped = mapped
            .with(&sign.to_string(), at)
            .with(&amount.seconds_as(TimeUnit::Seconds).to_string(), amount.at);
    }
    Ok(mapped)
}
