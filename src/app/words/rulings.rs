//! Words for rulings: every field of the record's `rule` has a word, and every ruling ends with its reason.

use tabiya_engine::clock::{MOST_MOVES, MOST_PERIODS, parse_spoken};
use tabiya_engine::rules::{MOST_CHIPS, Play};
use tabiya_engine::table::{Audience, Input, QuestionBefore, RuledResult, Ruling, Table, TimeTerm};
use tabiya_types::{ByColor, BySeat, Color, Fact, LAST_MOMENT, Millis, Seat, Sentence, Square, say};

use super::typed::{Meant, Typed, TypedOrder, one};
use super::who::{WordOwner, player, seat};

/// Parses `rule ...`. If a name in it can mean either player, asks which.
pub(super) fn read(typed: &Typed<'_>) -> Meant {
    if typed.lower.first() != Some(&"rule") {
        return Ok(None);
    }
    let meant = |word: &str| player(&[word], typed.table);
    if let ["rule", "illegal", who @ ..] = typed.lower {
        let (side, rest) = color_of(who, typed.table)?;
        let [count, left @ ..] = rest else { return Err(wanted()) };
        let count: u32 = count.parse().map_err(|_| not_a_number(count))?;
        let reason = typed.reason(typed.words.len() - left.len()).map_err(|_| missing_reason(typed))?;
        return Ok(Some(TypedOrder::IllegalMoves(side, count, reason)));
    }
    let unclear = typed.lower.iter().find_map(|word| match meant(word) {
        WordOwner::Either(question) => Some((*word, question)),
        WordOwner::Is(_) | WordOwner::Unnamed => None,
    });
    let Some((name, question)) = unclear else { return ruling(typed) };
    let if_name_is = |by: Color| {
        let letter = |by: Color| typed.table.seat_of(by).word();
        let mut lower = typed.lower.to_vec();
        for word in lower.iter_mut().filter(|word| matches!(meant(word), WordOwner::Either(_))) {
            *word = letter(if *word == name { by } else { by.other() });
        }
        match ruling(&Typed { lower: &lower, ..*typed })? {
            Some(TypedOrder::Do(inputs)) => Ok(inputs),
            _ => Err(wanted()),
        }
    };
    let readings = ByColor { white: if_name_is(Color::White)?, black: if_name_is(Color::Black)? };
    if readings.white == readings.black {
        return Ok(Some(TypedOrder::Do(readings.white)));
    }
    Ok(Some(question.ask(|by| readings[by].clone())))
}

/// What a ruling may set besides its first setting. Other words, such as `on appeal`, begin the reason.
const BESIDES: [&str; 7] = ["clock", "periods", "moves", "stacks", "stack", "chips", "pot"];

/// Parses `rule ...`, in which every name means one player. Times and chips may be said one after the other: `rule pot A 4 B 4 stacks
/// A 196 B 196 REASON`.
fn ruling(typed: &Typed<'_>) -> Meant {
    let ["rule", rest @ ..] = typed.lower else { return Ok(None) };
    let mut ruled = Ruling::default();
    let mut left = part(typed, rest, &mut ruled)?;
    // Words that say nothing more to set are the reason.
    let mut more = ruled.clone();
    while left.first().is_some_and(|word| BESIDES.contains(word))
        && let Ok(further) = part(typed, left, &mut more)
    {
        (ruled, left) = (more.clone(), further);
    }
    let from = typed.words.len() - left.len();
    let usual = ruled.fen.is_some() && left.is_empty();
    let reason = if usual {
        "position set".to_owned()
    } else {
        typed.reason(from).map_err(|_| missing_reason(typed))?
    };
    Ok(Some(one(Ruling { reason, ..ruled })))
}

/// Parses one thing that a ruling sets. Returns the words after it.
fn part<'a, 'b>(
    typed: &Typed<'_>,
    words: &'a [&'b str],
    ruled: &mut Ruling,
) -> Result<&'a [&'b str], Sentence> {
    match words {
        ["clock", sides @ ..] => clocks(typed, sides, ruled),
        [what @ ("periods" | "moves"), who @ ..] => {
            let (side, rest) = color_of(who, typed.table)?;
            let [count, left @ ..] = rest else { return Err(wanted()) };
            let count: u32 = count.parse().map_err(|_| not_a_number(count))?;
            let (counts, most) = match *what {
                "periods" => (&mut ruled.periods, MOST_PERIODS),
                _ => (&mut ruled.moves, MOST_MOVES),
            };
            bounded(side, what, count.into(), most)?;
            counts[side] = Some(count);
            Ok(left)
        }
        ["stacks" | "stack" | "chips", seats @ ..] => chips(typed, seats, ruled, |ruled| &mut ruled.stacks),
        ["pot", seats @ ..] => chips(typed, seats, ruled, |ruled| &mut ruled.contributed),
        ["winner", who @ ..] => {
            let (winner, left) = seat(who, typed.table).ok_or_else(|| {
                say!(
                    "rule-winner-who",
                    "who wins? a name, `white`, `black`, `A` or `B`: `rule winner A REASON`"
                )
            })?;
            ruled.result = Some(RuledResult::Winner(Some(winner)));
            Ok(left)
        }
        [what @ ("draw" | "void" | "on" | "points" | "forfeit"), rest @ ..] => {
            let (result, left) = result(typed, what, rest)?;
            ruled.result = Some(result);
            Ok(left)
        }
        ["time", control @ ..] => time(typed, control, ruled),
        ["to-act" | "turn", who @ ..] => {
            let (side, left) = color_of(who, typed.table)?;
            ruled.to_act = Some(side);
            Ok(left)
        }
        ["fen", fen @ ..] => position(typed, fen, ruled),
        words => {
            let (own, left) = super::laid::ruling(typed.table, words)?.ok_or_else(wanted)?;
            ruled.own = Some(own);
            Ok(left)
        }
    }
}

/// Parses what a ruling makes of the game: `draw`, `void`, `on`, `points A 0 B 1/2`, `forfeit A`, `forfeit both`. Returns the
/// words after that.
fn result<'a, 'b>(
    typed: &Typed<'_>,
    what: &str,
    rest: &'a [&'b str],
) -> Result<(RuledResult, &'a [&'b str]), Sentence> {
    Ok(match what {
        "draw" => (RuledResult::Winner(None), rest),
        "void" => (RuledResult::Void, rest),
        "on" => (RuledResult::GoesOn, rest),
        "points" => points(typed, rest)?,
        _ => match rest {
            ["both", left @ ..] => (RuledResult::Forfeit(None), left),
            who => {
                let (absent, left) = seat(who, typed.table).ok_or_else(|| {
                    say!(
                        "rule-forfeit-who",
                        "who did not play? a name, `white`, `black`, `A`, `B` or `both`: `rule forfeit A REASON`"
                    )
                })?;
                (RuledResult::Forfeit(Some(absent)), left)
            }
        },
    })
}

/// Parses `Ann 0 Bo 1/2`.
fn points<'a, 'b>(typed: &Typed<'_>, words: &'a [&'b str]) -> Result<(RuledResult, &'a [&'b str]), Sentence> {
    let wanted = || {
        say!(
            "rule-points-what",
            "which points? 0, 1/2 or 1 for each player, and no win or draw: `rule points A 0 B 1/2 REASON`"
        )
    };
    let (mut half_points, mut rest) = (BySeat::<Option<u8>>::default(), words);
    while half_points.a.is_none() || half_points.b.is_none() {
        let Some((seat, [count, left @ ..])) = seat(rest, typed.table) else { return Err(wanted()) };
        half_points[seat] = Some(match *count {
            "0" => 0,
            "1/2" | "½" | "0.5" | "0,5" => 1,
            "1" => 2,
            _ => return Err(wanted()),
        });
        rest = left;
    }
    let half_points = BySeat { a: half_points.a.unwrap_or_default(), b: half_points.b.unwrap_or_default() };
    let result = RuledResult::of_half_points(half_points).ok_or_else(wanted)?;
    Ok((result, rest))
}

/// Parses `90+30`: the shortest beginning of the words that is the same time control as the longest one, because the reason may
/// begin with words that people say of times. Returns the words after it.
fn time<'a, 'b>(
    typed: &Typed<'_>,
    words: &'a [&'b str],
    ruled: &mut Ruling,
) -> Result<&'a [&'b str], Sentence> {
    let from = typed.words.len() - words.len();
    let said = |count: usize| typed.words.get(from..from + count).unwrap_or_default().join(" ");
    let read = |count: usize| Some((count, parse_spoken(&said(count)).ok()?));
    let whole = (1..=words.len()).rev().find_map(read);
    let shortest =
        whole.and_then(|(most, whole)| (1..=most).filter_map(read).find(|(_, control)| *control == whole));
    let Some((count, control)) = shortest else {
        return Err(say!(
            "rule-time-what",
            "which time control? for example `rule time 90+30 REASON`, or `rule time 5400+30 REASON` in seconds"
        ));
    };
    ruled.time = Some(TimeTerm::Both(control));
    Ok(&words[count..])
}

/// Parses `count Ann 94 Bo 106`: what the players count is held against the stacks.
pub(super) fn count(typed: &Typed<'_>) -> Meant {
    let ["count", seats @ ..] = typed.lower else { return Ok(None) };
    let mut counted = Ruling::default();
    let left = chips(typed, seats, &mut counted, |ruled| &mut ruled.stacks).map_err(|_| count_what())?;
    if !left.is_empty() {
        return Err(count_what());
    }
    Ok(Some(match question_about_chips(typed.table, counted.stacks) {
        Some(question) => TypedOrder::Ask(question),
        None => TypedOrder::Say(vec![chips_are_right()]),
    }))
}

/// The question that counted chips raise, held against the stacks; `None` if they are right. A difference is settled by a
/// ruling.
pub fn question_about_chips(table: &Table, counted: BySeat<Option<u32>>) -> Option<QuestionBefore> {
    let stacks = table.stacks();
    let wrong: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|seat| counted[*seat].is_some_and(|chips| chips != stacks[*seat].0))
        .collect();
    if wrong.is_empty() {
        return None;
    }
    let differ = wrong.into_iter().map(|seat| {
        let (name, chips) = (table.agreement().players[seat].clone(), counted[seat].unwrap_or_default());
        say!("count-differs", "{name} has {chips} instead of {stack}", name, chips, stack = stacks[seat])
    });
    let text = say!(
        "ask-count",
        "the chips differ: {differ}; what counts, if both players agree?",
        differ = Fact::list(differ)
    );
    let ruling = Ruling { stacks: counted, chips_added: true, ..Ruling::because("chips counted") };
    let answers = vec![
        (say!("count-lies", "the chips as they lie: a ruling sets the stacks"), vec![Input::from(ruling)]),
        (say!("count-again", "the stacks as recorded: count again, or move chips"), Vec::new()),
    ];
    Some(QuestionBefore { to: Audience::Players, text, answers })
}

/// What is said if the counted chips are right.
pub fn chips_are_right() -> Sentence {
    say!("count-right", "the chips are right")
}

fn count_what() -> Sentence {
    say!("count-what", "count your chips: for example `count A 94 B 106`")
}

fn wanted() -> Sentence {
    say!(
        "rule-what",
        "rule what? `rule clock white 90 REASON` (or +60, -60), `rule stacks A 120 B 80 REASON`, `rule pot A 4 B 4 REASON`, `rule winner A REASON`, `rule draw REASON`, `rule points A 0 B 1/2 REASON`, `rule forfeit A REASON`, `rule void REASON`, `rule on REASON`, `rule time 90+30 REASON`, `rule fen FEN REASON`, `rule to-act white REASON`, `rule moves white 12 REASON`, `rule periods white 3 REASON`, `rule illegal white 0 REASON`"
    )
}

fn missing_reason(typed: &Typed<'_>) -> Sentence {
    let typed = typed.words.join(" ");
    say!("rule-needs-reason", "`{typed}` needs a reason after it: it is recorded", typed)
}

fn not_a_number(word: &str) -> Sentence {
    say!("not-a-number", "`{word}` is not a number", word = word.to_owned())
}

/// The colour that the first of these words name: as a colour, or by its player's name or seat. Returns the words after
/// them.
pub(super) fn color_of<'a, 'b>(
    words: &'a [&'b str],
    table: &Table,
) -> Result<(Color, &'a [&'b str]), Sentence> {
    let Some((seat, rest)) = seat(words, table) else {
        let word = words.first().copied().unwrap_or_default().to_owned();
        return Err(say!("not-a-color", "`{word}` is neither a colour nor a player", word));
    };
    Ok((seat.color(table.white()), rest))
}

/// Parses `white 90`, `white +60 black -60`, `white 1:30`. Returns the words after them.
fn clocks<'a, 'b>(
    typed: &Typed<'_>,
    words: &'a [&'b str],
    ruled: &mut Ruling,
) -> Result<&'a [&'b str], Sentence> {
    let mut rest = words;
    while let Ok((side, [time, more @ ..])) = color_of(rest, typed.table)
        && (rest.len() == words.len() || is_amount(time))
    {
        let reading = typed.table.reading(side, typed.now).map_or(0, |left| left.0);
        let left = new_reading(time, reading)?;
        ruled.clock_ms[side] = Some(bounded(side, "milliseconds", left, LAST_MOMENT)?);
        rest = more;
    }
    if rest.len() == words.len() { Err(wanted()) } else { Ok(rest) }
}

/// Parses `Ann 120 Bo 80`, with `added` after it if chips came to the table or left it. Returns the words after that.
fn chips<'a, 'b>(
    typed: &Typed<'_>,
    words: &'a [&'b str],
    ruled: &mut Ruling,
    of: impl Fn(&mut Ruling) -> &mut BySeat<Option<u32>>,
) -> Result<&'a [&'b str], Sentence> {
    let mut rest = words;
    while let Some((seat, [count, more @ ..])) = seat(rest, typed.table)
        && (rest.len() == words.len() || is_amount(count))
    {
        let count = count
            .parse::<u32>()
            .ok()
            .filter(|count| *count <= MOST_CHIPS)
            .ok_or_else(|| not_a_number(count))?;
        of(ruled)[seat] = Some(count);
        rest = more;
    }
    if rest.len() == words.len() {
        return Err(wanted());
    }
    if let ["added", more @ ..] = rest {
        ruled.chips_added = true;
        rest = more;
    }
    Ok(rest)
}

/// Whether a word can be a time or a number of chips. After the first one, any other word begins the reason, even if a
/// player is called so: `a late start`.
fn is_amount(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '+' | '-'))
}

/// Parses a FEN of up to six fields. Returns the words after it.
fn position<'a, 'b>(
    typed: &Typed<'_>,
    words: &'a [&'b str],
    ruled: &mut Ruling,
) -> Result<&'a [&'b str], Sentence> {
    let from = typed.words.len() - words.len();
    let written = |count: usize| typed.words.get(from..from + count).unwrap_or_default().join(" ");
    let longest =
        (1..=words.len().min(6)).rev().find(|count| Play::from_fen(&written(*count), true, false).is_ok());
    let Some(count) = longest else {
        // The words after it are the reason, which is not at fault.
        let fen = written(fields_of_fen(words));
        return Err(say!("not-a-fen", "`{fen}` is no position as a FEN", fen));
    };
    ruled.fen = Some(written(count));
    Ok(&words[count..])
}

/// How many of these words can be fields of a FEN by their form; the first one is meant as one in any case.
fn fields_of_fen(words: &[&str]) -> usize {
    let of = |word: &str, letters: &str| word.chars().all(|letter| letters.contains(letter));
    let fits = |nth: usize, word: &str| match nth {
        0 => true,
        1 => word == "w" || word == "b",
        2 => word == "-" || word.len() <= 4 && of(word, "kqabcdefgh"),
        3 => word == "-" || word.parse::<Square>().is_ok(),
        4 | 5 => of(word, "0123456789"),
        _ => false,
    };
    words.iter().enumerate().take_while(|(nth, word)| fits(*nth, &word.to_lowercase())).count()
}

/// Checks that a number is within the range that a record allows.
fn bounded(side: Color, what: &str, number: u64, most: u64) -> Result<u64, Sentence> {
    if number <= most {
        return Ok(number);
    }
    let what = what.to_owned();
    Err(say!("out-of-range", "{side}: {what} must be a whole number from 0 to {most}", side, what, most))
}

/// Parses a clock reading of at most one day: seconds (`90`), minutes and seconds (`1:30`), or hours too (`1:30:00`).
pub fn clock_reading(text: &str) -> Option<Millis> {
    let number =
        |part: &str| part.parse::<u64>().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()));
    let parts: Vec<u64> = text.trim().split(':').map(number).collect::<Option<_>>()?;
    let seconds = match parts.as_slice() {
        [seconds] => *seconds,
        [minutes, seconds] if *seconds < 60 => minutes.checked_mul(60)?.checked_add(*seconds)?,
        [hours, minutes, seconds] if *minutes < 60 && *seconds < 60 => {
            hours.checked_mul(3600)?.checked_add(minutes * 60 + seconds)?
        }
        _ => return None,
    };
    (seconds <= 86_400).then(|| Millis(seconds * 1000))
}

/// Parses a time: `90` and `1:30` set a clock, `+60` and `-60` change the reading `left`. Returns the new reading in ms.
fn new_reading(time: &str, left: u64) -> Result<u64, Sentence> {
    let (sign, digits) = match time.strip_prefix(['+', '-']) {
        Some(digits) => time.split_at(time.len() - digits.len()),
        None => ("", time),
    };
    let time = clock_reading(digits).ok_or_else(|| {
        say!(
            "not-a-time",
            "`{text}` is not a number of seconds, nor a clock's reading such as `1:30`; at most 24 hours can be set",
            text = digits.to_owned()
        )
    })?;
    Ok(match sign {
        "+" => left.saturating_add(time.0),
        "-" => left.saturating_sub(time.0),
        _ => time.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_no_part_of_a_fen_that_is_refused() {
        for (typed, count) in [
            ("8/8 w - - 0 1 the clock fell", 6),
            ("8/8 b kq e3 the clock fell", 4),
            ("8/8 w on appeal", 2),
            ("8/8 because", 1),
            ("nonsense", 1),
        ] {
            assert_eq!(fields_of_fen(&typed.split(' ').collect::<Vec<_>>()), count, "{typed}");
        }
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        let cases = [
            ("90", Some(90_000)),
            ("1:30", Some(90_000)),
            ("1:30:00", Some(5_400_000)),
            (" 0:05 ", Some(5_000)),
            ("1:75", None),
            ("", None),
            ("-5", None),
            ("86401", None),
            ("99999999999999999999", None),
            ("18446744073709551615:00", None),
        ];
        for (text, wanted) in cases {
            assert_eq!(clock_reading(text), wanted.map(Millis), "{text}");
        }
    }
}
