//! Each player's own agreement that sealed cards are shown. One person at the keyboard cannot agree for both: a player
//! lays down a card that was dealt to him, or types the code that he chose before the first cards were dealt. Who typed
//! wrong codes has to wait. The arbiter opens sealed cards by a ruling. The codes themselves: `tabiya_store::codes`.

use tabiya_engine::record::secrets::{OPENS, may_be_open, sealed_games};
use tabiya_engine::table::{Audience, Common, Entry, Ruling};
use tabiya_types::{BySeat, Color, Instant, Millis, Seat, Sentence, say};

use super::course::MatchCourse;
use super::dealing;
use super::fault::InputFault;
use tabiya_store::codes::{self, TypedCode};
use tabiya_store::match_key_file::KeyShare;

/// How many wrong codes a player may type before he has to wait.
const MOST_WRONG: u32 = 3;
/// How long he waits then before each further try.
const WAIT: Millis = Millis(30_000);

/// The wrong codes that were typed for each player. After some of them each further try has to wait.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WrongCodes(BySeat<(u32, Option<Instant>)>);

impl WrongCodes {
    /// How long this player still has to wait at `now`; `None` if he may try.
    pub(super) fn wait(&self, by: Seat, now: Instant) -> Option<Millis> {
        let (count, last) = self.0[by];
        let until = last.filter(|_| count >= MOST_WRONG)? + WAIT;
        (until > now).then(|| until.since(now))
    }

    /// Counts a wrong code.
    pub(super) fn count(&mut self, by: Seat, now: Instant) {
        let (count, last) = &mut self.0[by];
        (*count, *last) = (*count + 1, Some(now));
    }

    /// Enters the consent of the player of this colour, who types the code that he has chosen.
    pub(super) fn consent(
        &mut self,
        course: &mut MatchCourse,
        by: Color,
        code: &str,
        at: Instant,
    ) -> Result<(), InputFault> {
        let seat = course.table().seat_of(by);
        if let Some(wait) = self.wait(seat, at) {
            return Err(InputFault::NoConsent(say!(
                "code-waits",
                "too many wrong codes were typed for {by}: the next one can be typed in {wait}",
                by,
                wait = wait.to_string()
            )));
        }
        match codes::check(seat, code, course.replay().header(), course.lines()) {
            TypedCode::Right(share) => course.ledger.give_share(seat, share),
            TypedCode::RightOld => {}
            TypedCode::Wrong => {
                self.count(seat, at);
                return Err(InputFault::NoConsent(say!(
                    "code-wrong",
                    "this is not the code that {by} has chosen",
                    by
                )));
            }
        }
        if course.table().consented(seat) {
            if may_be_open(course.replay().table()) {
                course.release_cards();
            }
            return Ok(());
        }
        course.accept(&Common::Consent(by).into(), at)
    }
}

/// What people are told before the first cards are dealt sealed.
pub(super) fn code_hint() -> Sentence {
    say!(
        "code-hint",
        "the dealt cards are sealed; whoever wants to agree later without a card types `code white` or `code black` and a word before the first deal; with `lock` after it, nobody sees them without the word"
    )
}

/// Records the code with which the player of this colour can agree later that sealed cards are shown. The player
/// chooses it once in a match, before the first cards are dealt.
pub(super) fn choose_code(
    course: &mut MatchCourse,
    by: Color,
    code: &str,
    at: Instant,
) -> Result<(), InputFault> {
    record_code(course, by, code, at).map(|_| ())
}

/// The same, and locks the key to the sealed cards with the code: after a restart nobody opens them without it, not even the
/// arbiter.
pub(super) fn lock_with_code(
    course: &mut MatchCourse,
    by: Color,
    code: &str,
    at: Instant,
) -> Result<(), InputFault> {
    let share = record_code(course, by, code, at)?;
    if let Err(error) = course.ledger.lock(course.table().seat_of(by), share) {
        let error = error.to_string();
        course.speech.say(say!(
            "code-locks-nothing",
            "the code counts for {by}'s consent, but it does not lock the cards: {error}",
            by,
            error
        ));
    }
    Ok(())
}

/// Records the code that the player of this colour has chosen, and returns his share of the key.
fn record_code(course: &mut MatchCourse, by: Color, code: &str, at: Instant) -> Result<KeyShare, InputFault> {
    let seat = course.table().seat_of(by);
    let dealt = dealing::was_ever_dealt(course.lines());
    let refused = if dealt {
        Some(say!("code-late", "a code is chosen before the first cards of a match are dealt"))
    } else if codes::has_code(seat, course.lines()) {
        Some(say!("code-chosen", "{by} has chosen a code already", by))
    } else if !(codes::SHORTEST..=codes::LONGEST).contains(&code.chars().count()) {
        let (least, most) = (codes::SHORTEST, codes::LONGEST);
        Some(say!("code-length", "a code has {least} to {most} characters", least, most))
    } else {
        None
    };
    if let Some(refused) = refused {
        return Err(InputFault::NoConsent(refused));
    }
    let chosen = codes::choose(seat, code).map_err(InputFault::NoConsent)?;
    let ruling = Ruling::because(format!("{by} has chosen a code"));
    course.accept(&Entry::with_own(ruling, chosen.members), at)?;
    Ok(chosen.share)
}

/// If cards of this match are or will be sealed, a consent needs a sign that it is the player's own: `Err` says which. A deal that
/// was taken back counts too, because its cards would be shown as well.
pub(super) fn check_consent(course: &mut MatchCourse, by: Color) -> Result<(), InputFault> {
    let seat = course.table().seat_of(by);
    let has_code = codes::has_code(seat, course.lines());
    let sealed = course.cards.reads_deals() || has_code || dealing::has_hidden_cards(course.lines());
    if course.table().consented(seat) || !sealed {
        return Ok(());
    }
    let (word, lays) = (by.word().to_owned(), course.cards.await_own_card(by, course.ledger.table()));
    Err(InputFault::NoConsent(match (lays, has_code) {
        (true, true) => say!(
            "consent-card-or-code",
            "{by} shows that he agrees: lay a card that was dealt to {by} in the last game on a reader now, or type `consent {word}` and the code after it",
            by,
            word
        ),
        (true, false) => say!(
            "consent-card",
            "{by} shows that he agrees: lay a card that was dealt to {by} in the last game on a reader now",
            by
        ),
        (false, true) => say!(
            "consent-code",
            "{by} shows that he agrees: type `consent {word}` and the code after it that {by} has chosen",
            by,
            word
        ),
        (false, false) => say!(
            "consent-not-now",
            "{by} has chosen no code, so he agrees with one of his cards: after the match, over a reader, in the program that saw them dealt; the arbiter can open the cards with `open` and a reason",
            by
        ),
    }))
}

/// Records a ruling by which the arbiter opens the sealed cards of a game, to view them himself. The cards can
/// then be read with the record's file and its key. Without a number, the ruling opens the last game whose dealt
/// cards are in the record.
pub(super) fn open_sealed(course: &mut MatchCourse, game: Option<u64>, reason: &str, at: Instant) {
    let sealed = sealed_games(course.table(), course.lines());
    let game = game.or(sealed.last().copied()).filter(|game| sealed.contains(game));
    let Some(game) = game else {
        let nothing = say!("open-nothing", "the record has no sealed cards that match this request");
        course.speech.say_restricted(course.ledger.table(), nothing);
        return;
    };
    match course.rule_with(Ruling::because(reason), (OPENS, game.into()), at) {
        Ok(()) => release_for_arbiter(course, game),
        Err(fault) => course.speech.say_to(course.audience_of(&fault), fault.sentence()),
    }
}

/// Unlocks the key to the sealed cards for the arbiter, who has ruled so, and says how he sees them.
fn release_for_arbiter(course: &mut MatchCourse, game: u64) {
    if !course.release_cards() {
        return;
    }
    let told = say!(
        "cards-opened",
        "the arbiter may view the sealed cards of game {game}: run `tabiya hands` with the record's file on a screen that no player can see",
        game
    );
    course.speech.say_to(Audience::Arbiter, told);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_wrong_codes_make_the_next_one_wait() {
        let (mut wrong, at) = (WrongCodes::default(), Instant::from_millis);
        for nth in 0..3 {
            assert_eq!(wrong.wait(Seat::A, at(nth)), None);
            wrong.count(Seat::A, at(nth));
        }
        assert_eq!(wrong.wait(Seat::A, at(2)), Some(Millis(30_000)));
        assert_eq!(wrong.wait(Seat::A, at(30_001)), Some(Millis(1)));
        assert_eq!(wrong.wait(Seat::A, at(30_002)), None);
        assert_eq!(wrong.wait(Seat::B, at(2)), None, "the other player has typed none");
        wrong.count(Seat::A, at(30_002));
        assert_eq!(wrong.wait(Seat::A, at(30_003)), Some(Millis(29_999)));
    }
}
