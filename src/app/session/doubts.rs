//! Doubts about a record that is carried on: whether it is the one that the table wrote. Until the arbiter vouches for it, nothing
//! of it is signed. The doubts themselves: `tabiya_store::trust`.

use tabiya_engine::record::proof::SIGNED_FROM;
use tabiya_engine::table::{Audience, Ruling};
use tabiya_types::{Instant, Sentence, say};

use super::cards;
use super::course::MatchCourse;
use super::fault::InputFault;
use tabiya_store::journal::vault::KeyError;
use tabiya_store::trust::Doubt;

/// Announces what is doubtful about a record that is carried on: why dealt cards stay sealed, and why it is perhaps not the
/// one that the table wrote. Does nothing for `None`. The match sheet says what was `opened`, too.
pub(super) fn tell_doubts(
    course: &mut MatchCourse,
    (closed, doubt): (Option<&KeyError>, Option<&Doubt>),
    opened: Vec<Sentence>,
    remarks: Vec<Sentence>,
) {
    cards::tell_closed(closed, &mut course.speech);
    if let Some(why) = doubt {
        let why = why.to_string();
        course.speech.alert(
            Audience::Arbiter,
            say!(
                "record-doubtful",
                "the record {why}; the match is carried on, but nothing of it is signed: check it with `tabiya verify`, then say why it is the right one with `vouch` and a reason",
                why
            ),
        );
    }
    for remark in opened.iter().cloned().chain(remarks) {
        course.speech.alert(Audience::Arbiter, remark);
    }
    course.ledger.tell_on_sheet(opened);
    course.ledger.sign();
}

/// Records the arbiter's ruling that this record, whose earlier lines are in doubt, is the right one. From its line on the
/// table signs the record again.
pub(super) fn vouch(course: &mut MatchCourse, reason: &str, at: Instant) {
    if !course.ledger.is_doubted() {
        let nothing =
            say!("vouch-nothing", "nothing in this record is in doubt, so nobody has to vouch for it");
        course.speech.say_to(Audience::Arbiter, nothing);
        return;
    }
    let told = match rule_to_vouch(course, reason, at.max(course.last_t())) {
        Ok(()) => match course.ledger.vouch() {
            Ok(from) => say!("vouched", "the record is signed again, from line {from} on", from),
            Err(error) => InputFault::NotWritten(error).sentence(),
        },
        Err(fault) => fault.sentence(),
    };
    course.news.follow_signing(&course.ledger);
    course.speech.say_to(Audience::Arbiter, told);
}

/// Enters the ruling that vouches. It names its own line, so what was due before it is written first.
fn rule_to_vouch(course: &mut MatchCourse, reason: &str, at: Instant) -> Result<(), InputFault> {
    course.reach(at)?;
    let number = course.ledger.next_number();
    course.rule_with(Ruling::because(reason), (SIGNED_FROM, number.into()), at)
}
