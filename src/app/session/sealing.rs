//! Adjourns a game, and resumes it with the sealed move.
//!
//! Source: Laws of Chess 2023, Guidelines I: the player to move seals on his own time (I.1), what stands on the envelope (I.2), a
//! sealed move that is illegal or not clear loses (I.8), the sealed move is made on the board and the clock of the player who
//! must reply is started (I.9). How far an adjournment has come: `adjournment.rs`.

use tabiya_engine::record::{Body, Header, Line, Replay};
use tabiya_engine::rules::{Action, Context, Phase, PlayAction, Turn, Uci, Verb};
use tabiya_engine::table::{Author, Common, Entry, Input, LegalInput, PressMode, Ruling, sealed_reason};
use tabiya_types::{ByColor, Color, Fact, Instant, Millis, Sentence, say};

use super::adjournment::{Adjournment, SEALED, SEALS, shown_not_sealed};
use super::arbiter::loss;
use super::course::MatchCourse;
use super::fault::InputFault;
use super::proposing::{Infringement, Proposal};

/// Adjourns the game: the player to move is to seal a move. `resumes` says when and where play is resumed, in the words of
/// people; it may be empty.
pub(super) fn adjourn(course: &mut MatchCourse, resumes: &str, at: Instant) -> Result<(), InputFault> {
    let table = course.table();
    let by = match (table.phase(), table.turn()) {
        (Phase::Chess, Turn::Timed { by, acted: false, .. }) if !table.clock().paused() => by,
        _ => {
            return Err(InputFault::Guideline(say!(
                "adjourn-not-now",
                "a game is adjourned while a player has to move and no clock is paused"
            )));
        }
    };
    let name = table.name_of(by).to_owned();
    let ruling = Ruling::because(sealed_reason(by, None, resumes));
    course.rule_with(ruling, (SEALS, by.word().into()), at)?;
    course.speech.say(say!(
        "seals-now",
        "{name} ({by}) seals his move (guideline I.1): he writes it down, puts both score sheets into the envelope, and only then stops the clock, with `sealed` or a press; his time runs until then",
        name,
        by
    ));
    Ok(())
}

/// The player to move has sealed his move: the clocks stop, and the table says what stands on the envelope.
pub(super) fn seal(course: &mut MatchCourse, at: Instant) -> Result<(), InputFault> {
    let at = at.max(course.last_t());
    course.reach(at)?;
    let Some(Adjournment::Sealing { by, resumes }) = course.adjournment() else {
        return Err(InputFault::Guideline(say!(
            "adjourn-first",
            "nobody is sealing a move: `adjourn` first, with the date, time and place to resume after it"
        )));
    };
    if course.table().clock().has_fallen(by) {
        return Err(InputFault::Guideline(say!(
            "sealed-too-late",
            "the time of {by} was over before he had sealed his move",
            by
        )));
    }
    let fen = course.table().game().chess().map(tabiya_engine::rules::ChessPhase::fen).unwrap_or_default();
    // The last field of a FEN is the number of the next move.
    let number = fen.split(' ').next_back().and_then(|number| number.parse::<u64>().ok()).unwrap_or(1);
    let reason = sealed_reason(by, Some(number), &resumes);
    if let Some(seen) = course.sight().seen_action() {
        course.speech.say_restricted(course.ledger.table(), shown_not_sealed(seen.text));
    }
    // Both at the same moment: from the press on no time runs.
    course.rule_with(Ruling::because(reason), (SEALED, by.word().into()), at)?;
    if !course.table().clock().paused() {
        course.accept(&Common::Pause(Author::Arbiter).into(), at)?;
    }
    for line in envelope(course, by, number, &resumes, at) {
        course.speech.say(line);
    }
    Ok(())
}

/// What stands on the envelope (guideline I.2).
fn envelope(course: &MatchCourse, by: Color, number: u64, resumes: &str, at: Instant) -> Vec<Sentence> {
    let table = course.table();
    let name = |color: Color| table.name_of(color).to_owned();
    let used = time_used(course.replay().header(), course.lines(), at);
    let mut lines = vec![
        say!(
            "envelope-players",
            "on the envelope (guideline I.2): {white} (White) against {black} (Black)",
            white = name(Color::White),
            black = name(Color::Black)
        ),
        say!("envelope-sealed", "{name} ({by}) has sealed move {number}", name = name(by), by, number),
        say!(
            "envelope-used",
            "time used: White {white}, Black {black}",
            white = used.white.to_string(),
            black = used.black.to_string()
        ),
    ];
    if let Some(chess) = table.game().chess() {
        lines.insert(
            1,
            say!("envelope-position", "position before the sealed move: {fen}", fen = chess.fen()),
        );
    }
    let reading = |color| table.reading(color, at).map(|left| left.to_string());
    if let (Some(white), Some(black)) = (reading(Color::White), reading(Color::Black)) {
        lines.push(say!("envelope-clocks", "the clocks show: White {white}, Black {black}", white, black));
    }
    let accepts = table.legal().into_iter().find(|legal| legal.verb() == Some(Verb::AcceptDraw));
    if let Some(by) = accepts.as_ref().and_then(LegalInput::by).map(Color::other) {
        lines.push(say!("envelope-offer", "{by}'s draw offer is open", by));
    }
    lines.push(match resumes {
        "" => say!("envelope-when", "date, time and place to resume: ______________"),
        when => say!("envelope-resumes", "play is resumed: {when}", when = when.to_owned()),
    });
    lines
}

/// Opens the envelope: the sealed move is made on the board, and the clock of the player who must reply is started. `moves` are
/// the moves that the written text can mean.
pub(super) fn open_envelope(
    course: &mut MatchCourse,
    text: &str,
    moves: &[Uci],
    at: Instant,
) -> Result<(), InputFault> {
    let Some(Adjournment::Sealed(by)) = course.adjournment() else {
        return Err(InputFault::Guideline(say!("no-envelope", "no sealed move waits to be opened")));
    };
    let action = |uci: &Uci| Action::Play(PlayAction::Move { by, uci: *uci, stands: None });
    let legal: Vec<Action> = moves
        .iter()
        .map(action)
        .filter(|action| course.table().game().boxed().apply(action, Context::default()).is_ok())
        .collect();
    let [sealed] = legal.as_slice() else {
        let text = Fact::San(text.to_owned());
        // Guideline I.8 excepts Articles 5, 6.9 and 9.6: nobody wins who cannot mate.
        let choice = loss(by, "I.8", say!("reason-sealed-move", "sealed move"), course.table());
        let (told, proposal) = (choice.told.clone(), choice.line());
        course.illegal.propose(Proposal { by, of: Infringement::SealedMove, choices: vec![choice] });
        return Err(InputFault::Guideline(say!(
            "sealed-unclear",
            "the sealed move {text} is illegal or can mean several moves: {told}, unless the arbiter finds what was meant (guideline I.8): `{proposal}`",
            text,
            told,
            proposal
        )));
    };
    let mut entries: Vec<Entry> = vec![sealed.clone().into()];
    if course.table().clock().paused() {
        entries.insert(0, Common::Resume(Author::Arbiter).into());
    }
    if course.table().terms().press == PressMode::Clock {
        entries.push(Common::Press(by).into());
    }
    let at = at.max(course.last_t());
    entries.iter().try_for_each(|entry| course.act(entry, at))
}

/// The time that each player has used in the present game, in the order of the record's lines.
fn time_used(header: &Header, lines: &[Line], until: Instant) -> ByColor<Millis> {
    let (mut replay, mut used, mut from) =
        (Replay::new(header.clone()), ByColor::<Millis>::default(), Instant::ZERO);
    let add = |used: &mut ByColor<Millis>, replay: &Replay, from: Instant, now: Instant| {
        let table = replay.table();
        if let Some(turn) = table.clock().turn().filter(|_| table.time_runs()) {
            used[turn] = used[turn] + now.since(from);
        }
    };
    for (number, line) in (1..).zip(lines) {
        let now = line.moment().max(from);
        add(&mut used, &replay, from, now);
        from = now;
        if matches!(line.body, Body::Acted(Input::Common(Common::Next(_)))) {
            used = ByColor::default();
        }
        // A line of the record was accepted once, so it is again.
        drop(replay.take(number, line));
    }
    add(&mut used, &replay, from, until);
    used
}
