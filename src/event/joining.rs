//! Joining an event, on the console's side: who waits, what each step answers, and when both people have agreed. A value: time,
//! chance and addresses come in.
//!
//! A joining binds two keys by six digits. Each side commits to its random number before it sees the other's, so whoever
//! stands between has one guess in a million, and few guesses.
//!
//! Source: `docs/hall.md`, §2.

use core::net::IpAddr;
use std::collections::BTreeMap;

use serde_json::{Value, json};
use tabiya_engine::record::chain::{hex, unhex};

use crate::digits::{console_commit, digits, joiner_commit};
use crate::lists::StaffRole;
use crate::wire::{MessageFields, WireFault, person};

/// How long a joining holds its place, however it ends, in ms.
pub const HOLDS: u64 = 120_000;
/// The most joinings that hold a place.
pub const MOST: usize = 16;
/// The most of them from one address.
pub const MOST_FROM_ONE: usize = 2;

/// What a computer joins as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinAs {
    /// A table.
    Table,
    /// A further console.
    Console,
}

impl JoinAs {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Console => "console",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        [Self::Table, Self::Console].into_iter().find(|joins| joins.word() == word)
    }
}

/// What an arbiter makes of a computer that joins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JoinPlace {
    /// This table.
    Table(u16),
    /// A console.
    Console {
        /// Its name in the list of consoles.
        name: String,
        /// What it may do.
        role: StaffRole,
        /// Its first and its last table.
        tables: (u16, u16),
    },
}

/// A computer that both people have admitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdmittedComputer {
    /// What it is from now on.
    pub place: JoinPlace,
    /// The key that is admitted, 64 hexadecimal digits.
    pub key: String,
    /// What the computer calls itself.
    pub name: String,
}

/// What a step comes to.
#[derive(Clone, PartialEq, Debug)]
pub struct JoinStep {
    /// The answer; or a computer to be seated, the answer to which is noted with [`Joinings::seated`].
    pub answer: Result<StepAnswer, Box<AdmittedComputer>>,
    /// Who waits to be admitted since this step.
    pub new: Option<Waiting>,
}

/// The answer to a step: a status of HTTP, and an object if there is one.
#[derive(Clone, PartialEq, Debug)]
pub struct StepAnswer {
    /// The status: 200, 202, 400, 403, 410 or 429.
    pub status: u16,
    /// The object.
    pub body: Option<Value>,
}

impl StepAnswer {
    fn only(status: u16) -> Self {
        Self { status, body: None }
    }
}

/// Who waits, for the arbiter. The digits are not here: they come from the joining computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// The name of the joining, by which it can be refused.
    pub join: String,
    /// How long its digits still hold, in ms.
    pub left: u64,
    /// What the computer calls itself.
    pub name: String,
    /// What it joins as.
    pub joins: JoinAs,
    /// Its address.
    pub from: IpAddr,
    /// Whether its own people have agreed.
    pub agreed: bool,
}

/// One computer that joins.
#[derive(Clone, Debug)]
struct Joining {
    began: u64,
    from: IpAddr,
    joins: JoinAs,
    commit: [u8; 32],
    nonce: [u8; 32],
    stage: JoinStage,
}

/// Whether the arbiter has admitted a computer.
#[derive(Clone, PartialEq, Debug)]
enum Admission {
    /// Not yet.
    Awaited,
    /// As this table, or as a console.
    As(JoinPlace),
    /// It is just being seated.
    Seating(JoinPlace),
    /// The computer was answered so, and is answered so again.
    Answered(StepAnswer),
}

/// How far a joining has come.
#[derive(Clone, Debug)]
enum JoinStage {
    /// Both have committed.
    Committed,
    /// The digits are known to who holds both numbers.
    Bound { key: [u8; 32], name: String, digits: String, agreed: bool, admission: Admission },
    /// It is over: it was refused.
    Over,
}

/// All joinings of a console.
#[derive(Clone, Debug)]
pub struct Joinings {
    event: String,
    authority: [u8; 32],
    waiting: BTreeMap<String, Joining>,
}

impl Joinings {
    /// For the event of this authority.
    pub fn new(event: String, authority: [u8; 32]) -> Self {
        Self { event, authority, waiting: BTreeMap::new() }
    }

    /// Answers a step at `now`, in ms of any clock that does not go back. `chance` is the new joining's name and the console's
    /// number, of which step 1 alone takes any. `certificate` is the authority's, in base64. A computer that both people have
    /// admitted is seated by whoever asks, who waits for the disk, and notes the answer.
    pub fn step(
        &mut self,
        body: &Value,
        (from, now): (IpAddr, u64),
        chance: ([u8; 16], [u8; 32]),
        certificate: &str,
    ) -> JoinStep {
        self.waiting.retain(|_, joining| now.saturating_sub(joining.began) < HOLDS);
        let mut new = None;
        let answered =
            MessageFields::of("body", body.clone()).and_then(|mut fields| match fields.whole("step", 3)? {
                1 => self.begin(fields, (from, now), chance, certificate).map(Ok),
                2 => {
                    let (answer, waits) = self.bind(fields, now)?;
                    new = waits;
                    Ok(Ok(answer))
                }
                3 => self.ask(fields),
                _ => Err(WireFault::new("step", "is none of 1, 2, 3")),
            });
        JoinStep { answer: answered.unwrap_or_else(|_| Ok(StepAnswer::only(400))), new }
    }

    fn begin(
        &mut self,
        mut fields: MessageFields,
        (from, now): (IpAddr, u64),
        (name, nonce): ([u8; 16], [u8; 32]),
        certificate: &str,
    ) -> Result<StepAnswer, WireFault> {
        let commit = bytes(&fields.hex("commit", 32)?)?;
        let joins = JoinAs::from_word(&fields.text("as", 16)?)
            .ok_or_else(|| WireFault::new("as", "is neither `table` nor `console`"))?;
        let from_there = self.waiting.values().filter(|joining| joining.from == from).count();
        if self.waiting.len() >= MOST || from_there >= MOST_FROM_ONE {
            return Ok(StepAnswer::only(429));
        }
        let answer = json!({
            "join": hex(&name), "event": self.event, "authority": certificate,
            "commit": hex(&console_commit(&nonce)),
        });
        let joining = Joining { began: now, from, joins, commit, nonce, stage: JoinStage::Committed };
        self.waiting.insert(hex(&name), joining);
        Ok(StepAnswer { status: 200, body: Some(answer) })
    }

    fn bind(
        &mut self,
        mut fields: MessageFields,
        now: u64,
    ) -> Result<(StepAnswer, Option<Waiting>), WireFault> {
        let join = fields.hex("join", 16)?;
        let (key, nonce) = (bytes(&fields.hex("key", 32)?)?, bytes(&fields.hex("nonce", 32)?)?);
        let name = person("name", fields.take("name")?)?;
        let authority = self.authority;
        let committed = |joining: &&mut Joining| matches!(joining.stage, JoinStage::Committed);
        let Some(joining) = self.waiting.get_mut(&join).filter(committed) else {
            return Ok((StepAnswer::only(410), None));
        };
        if joiner_commit(&key, &nonce) != joining.commit {
            joining.stage = JoinStage::Over;
            return Ok((StepAnswer::only(403), None));
        }
        let digits = digits(&authority, &key, &nonce, &joining.nonce);
        joining.stage = JoinStage::Bound { key, name, digits, agreed: false, admission: Admission::Awaited };
        let answer = StepAnswer { status: 202, body: Some(json!({ "nonce": hex(&joining.nonce) })) };
        Ok((answer, joining.waits(&join, now)))
    }

    fn ask(
        &mut self,
        mut fields: MessageFields,
    ) -> Result<Result<StepAnswer, Box<AdmittedComputer>>, WireFault> {
        let join = fields.hex("join", 16)?;
        let Some(joining) = self.waiting.get_mut(&join) else { return Ok(Ok(StepAnswer::only(410))) };
        Ok(match &mut joining.stage {
            JoinStage::Committed => Ok(StepAnswer::only(400)),
            JoinStage::Over => Ok(StepAnswer::only(403)),
            JoinStage::Bound { key, name, agreed, admission, .. } => {
                *agreed = true;
                match admission {
                    Admission::Awaited | Admission::Seating(_) => {
                        Ok(StepAnswer { status: 202, body: Some(json!({})) })
                    }
                    Admission::Answered(answer) => Ok(answer.clone()),
                    Admission::As(place) => {
                        let place = place.clone();
                        *admission = Admission::Seating(place.clone());
                        Err(Box::new(AdmittedComputer { place, key: hex(key), name: name.clone() }))
                    }
                }
            }
        })
    }

    /// Notes the answer that the computer of this joining got, which was to be seated.
    pub fn seated(&mut self, body: &Value, answer: &StepAnswer) {
        let join = body.get("join").and_then(Value::as_str).unwrap_or_default();
        let Some(JoinStage::Bound { admission, .. }) =
            self.waiting.get_mut(join).map(|joining| &mut joining.stage)
        else {
            return;
        };
        if let Admission::Seating(place) = admission {
            // An answer that failed is tried again.
            let place = place.clone();
            *admission =
                if answer.status == 200 { Admission::Answered(answer.clone()) } else { Admission::As(place) };
        }
    }

    /// The arbiter types the digits that a joining computer shows, and what it is to be. Returns whether they fit: digits with
    /// which nobody or two wait admit nobody, and neither do those of a computer that joins as something else.
    pub fn admit(&mut self, typed: &str, place: &JoinPlace, now: u64) -> bool {
        self.waiting.retain(|_, joining| now.saturating_sub(joining.began) < HOLDS);
        let fits_kind = |joins| match place {
            JoinPlace::Table(_) => joins == JoinAs::Table,
            JoinPlace::Console { .. } => joins == JoinAs::Console,
        };
        let waits = |joining: &Joining| matches!(&joining.stage, JoinStage::Bound { digits, admission: Admission::Awaited, .. } if digits == typed);
        let mut found: Vec<_> =
            self.waiting.values_mut().filter(|joining| waits(joining) && fits_kind(joining.joins)).collect();
        let [joining] = found.as_mut_slice() else { return false };
        if let JoinStage::Bound { admission, .. } = &mut joining.stage {
            *admission = Admission::As(place.clone());
        }
        true
    }

    /// The arbiter refuses who waits with this joining. Returns whether somebody waited: who was admitted is not refused any more.
    pub fn refuse(&mut self, join: &str) -> bool {
        let waits =
            |stage: &JoinStage| matches!(stage, JoinStage::Bound { admission: Admission::Awaited, .. });
        let found = self.waiting.get_mut(join).filter(|joining| waits(&joining.stage));
        found.map(|joining| joining.stage = JoinStage::Over).is_some()
    }

    /// Who waits to be admitted at this moment.
    pub fn waiting(&self, now: u64) -> Vec<Waiting> {
        self.waiting.iter().filter_map(|(join, joining)| joining.waits(join, now)).collect()
    }
}

impl Joining {
    /// Who it is, as long as its digits hold and the arbiter has not admitted it.
    fn waits(&self, join: &str, now: u64) -> Option<Waiting> {
        let left = HOLDS.saturating_sub(now.saturating_sub(self.began));
        match &self.stage {
            JoinStage::Bound { name, agreed, admission: Admission::Awaited, .. } if left > 0 => {
                Some(Waiting {
                    join: join.to_owned(),
                    left,
                    name: name.clone(),
                    joins: self.joins,
                    from: self.from,
                    agreed: *agreed,
                })
            }
            _ => None,
        }
    }
}

fn bytes(digits: &str) -> Result<[u8; 32], WireFault> {
    let bytes = unhex(digits).and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| WireFault::new("body", "has something else than 64 hexadecimal digits"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::event_of;

    const HOME: IpAddr = IpAddr::V4(core::net::Ipv4Addr::LOCALHOST);
    const KEY: [u8; 32] = [7; 32];
    const NONCE: [u8; 32] = [4; 32];

    fn joinings() -> Joinings {
        Joinings::new(event_of(&[1; 32]), [1; 32])
    }

    fn step(joinings: &mut Joinings, body: &Value, from: IpAddr, now: u64, nth: u8) -> StepAnswer {
        let chance = ([nth; 16], [5; 32]);
        match joinings.step(body, (from, now), chance, "certificate").answer {
            Ok(answer) => answer,
            Err(admitted) => {
                let JoinPlace::Table(table) = admitted.place else { panic!("a table joins") };
                let body_of = json!({ "table": table, "key": admitted.key, "name": admitted.name });
                let answer = StepAnswer { status: 200, body: Some(body_of) };
                joinings.seated(body, &answer);
                answer
            }
        }
    }

    fn first(commit: &[u8; 32]) -> Value {
        json!({"step": 1, "commit": hex(commit), "as": "table"})
    }

    fn second(nth: u8, key: &[u8; 32]) -> Value {
        json!({"step": 2, "join": hex(&[nth; 16]), "key": hex(key), "nonce": hex(&NONCE), "name": "board 17"})
    }

    fn third(nth: u8) -> Value {
        json!({"step": 3, "join": hex(&[nth; 16])})
    }

    fn bound(joinings: &mut Joinings, nth: u8) -> String {
        let begun = step(joinings, &first(&joiner_commit(&KEY, &NONCE)), HOME, 0, nth);
        assert_eq!(begun.status, 200);
        let told = step(joinings, &second(nth, &KEY), HOME, 0, nth);
        assert_eq!(told, StepAnswer { status: 202, body: Some(json!({ "nonce": hex(&[5; 32]) })) });
        digits(&[1; 32], &KEY, &NONCE, &[5; 32])
    }

    #[test]
    fn a_computer_is_a_table_once_both_people_have_agreed() {
        let mut joinings = joinings();
        let digits = bound(&mut joinings, 1);
        assert_eq!(step(&mut joinings, &third(1), HOME, 1_000, 1).status, 202, "the arbiter has not typed");
        assert!(joinings.waiting(1_000)[0].agreed);
        let wrong = if digits == "000000" { "000001" } else { "000000" };
        let console =
            JoinPlace::Console { name: "desk-2".to_owned(), role: StaffRole::Deputy, tables: (1, 9_999) };
        assert!(!joinings.admit(wrong, &JoinPlace::Table(17), 2_000));
        assert!(!joinings.admit(&digits, &console, 2_000), "it joins as a table");
        assert!(joinings.admit(&digits, &JoinPlace::Table(17), 2_000));
        assert_eq!(joinings.waiting(2_000), []);
        let admitted = json!({"table": 17, "key": hex(&KEY), "name": "board 17"});
        assert_eq!(step(&mut joinings, &third(1), HOME, 3_000, 1).body, Some(admitted.clone()));
        assert!(!joinings.admit(&digits, &JoinPlace::Table(18), 3_000), "it is table 17 already");
        assert_eq!(
            step(&mut joinings, &third(1), HOME, 4_000, 1).body,
            Some(admitted),
            "the answer was lost"
        );
    }

    #[test]
    fn a_number_that_does_not_fit_its_commitment_ends_the_joining() {
        let mut joinings = joinings();
        step(&mut joinings, &first(&joiner_commit(&KEY, &NONCE)), HOME, 0, 1);
        assert_eq!(step(&mut joinings, &second(1, &[8; 32]), HOME, 0, 1).status, 403);
        assert_eq!(step(&mut joinings, &second(1, &KEY), HOME, 0, 1).status, 410, "there is no second guess");
        assert_eq!(step(&mut joinings, &third(1), HOME, 0, 1).status, 403);
    }

    #[test]
    fn who_is_refused_is_told_so_and_whose_time_is_over_waits_no_more() {
        let mut joinings = joinings();
        let digits = bound(&mut joinings, 1);
        let waiting = joinings.waiting(30_000);
        assert_eq!(waiting[0].left, HOLDS - 30_000);
        assert!(joinings.refuse(&waiting[0].join) && !joinings.refuse(&waiting[0].join));
        assert_eq!(step(&mut joinings, &third(1), HOME, 31_000, 1).status, 403);
        assert!(!joinings.admit(&digits, &JoinPlace::Table(17), 31_000));
        bound(&mut joinings, 2);
        assert_eq!(joinings.waiting(HOLDS), []);
    }

    #[test]
    fn digits_with_which_two_wait_admit_nobody() {
        let mut joinings = joinings();
        let digits = bound(&mut joinings, 1);
        assert_eq!(bound(&mut joinings, 2), digits);
        assert!(!joinings.admit(&digits, &JoinPlace::Table(17), 0));
    }

    #[test]
    fn a_second_computer_of_the_same_name_and_address_is_told_of_too() {
        let mut joinings = joinings();
        let mut told = Vec::new();
        for nth in [1, 2] {
            let body = first(&joiner_commit(&KEY, &NONCE));
            assert_eq!(joinings.step(&body, (HOME, 0), ([nth; 16], [5; 32]), "c").new, None);
            told.push(joinings.step(&second(nth, &KEY), (HOME, 0), ([9; 16], [5; 32]), "c").new);
        }
        let waits = |one: &Option<Waiting>| one.as_ref().is_some_and(|one| one.name == "board 17");
        assert!(told.iter().all(waits), "{told:?}");
    }

    #[test]
    fn who_asks_again_while_he_is_seated_is_seated_once_and_a_seat_that_failed_is_tried_again() {
        let mut joinings = joinings();
        let digits = bound(&mut joinings, 1);
        assert!(joinings.admit(&digits, &JoinPlace::Table(17), 0));
        let ask = |joinings: &mut Joinings| {
            joinings.step(&third(1), (HOME, 0), ([9; 16], [5; 32]), "certificate").answer
        };
        assert!(ask(&mut joinings).is_err(), "it is to be seated");
        assert_eq!(ask(&mut joinings).expect("not twice").status, 202);
        joinings.seated(&third(1), &StepAnswer { status: 503, body: None });
        assert!(ask(&mut joinings).is_err(), "the disk had failed");
    }

    #[test]
    fn few_wait_at_once_and_fewer_from_one_address() {
        let mut joinings = joinings();
        let from = |nth: u8| IpAddr::from([10, 0, 0, nth]);
        let begin = first(&[0; 32]);
        assert_eq!(step(&mut joinings, &begin, from(0), 0, 0).status, 200);
        assert_eq!(step(&mut joinings, &begin, from(0), 0, 100).status, 200);
        assert_eq!(step(&mut joinings, &begin, from(0), 0, 101).status, 429, "a third from one address");
        for nth in 1..15 {
            assert_eq!(step(&mut joinings, &begin, from(nth), 1, nth).status, 200, "{nth}");
        }
        assert_eq!(step(&mut joinings, &begin, from(20), 1, 20).status, 429, "the seventeenth");
        assert_eq!(step(&mut joinings, &begin, from(20), HOLDS, 20).status, 200, "the first two are over");
    }

    #[test]
    fn what_is_no_step_is_a_bad_request_and_an_unknown_joining_is_over() {
        let mut joinings = joinings();
        for body in
            [json!([]), json!({}), json!({"step": 4}), json!({"step": 1, "commit": "x", "as": "table"})]
        {
            assert_eq!(step(&mut joinings, &body, HOME, 0, 1).status, 400, "{body}");
        }
        assert_eq!(step(&mut joinings, &third(9), HOME, 0, 1).status, 410);
    }
}
