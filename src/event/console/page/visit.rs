//! What an arbiter does with his telephone: looks, takes alerts, gives orders. What is grave is asked once more, as at the desk; the
//! order is the console's, with the arbiter's name.
//!
//! Source: `docs/hall.md`, §5 (`take`), §6.

use tabiya_app::hall::{AlertKey, HallAct, HallAlert, OtherRuling, take_back};
use tabiya_text::Words;
use tabiya_types::{Color, Sentence, say};

use super::answer::sign_out;
use super::sessions::{PhoneRights, PhoneSession};
use super::{PhonePage, views};
use crate::console::ordering::WantedOrder;
use crate::console::shared::Shared;
use crate::pages::answer::{PageAnswer, PageBody, go, page};
use crate::pages::forms::old_page;
use crate::pages::request::PageAsk;

/// The longest reason of a ruling, in characters.
pub(super) const LONGEST_REASON: usize = 200;
/// The longest correction of a clock, in seconds.
const LONGEST_GAIN: i32 = 600;

/// An arbiter's telephone that asks something.
#[derive(Clone)]
pub(super) struct PhoneVisit<'a> {
    pub(super) shared: &'a Shared,
    pub(super) page: &'a PhonePage,
    pub(super) words: &'a Words,
    pub(super) cookie: &'a str,
    pub(super) name: String,
    pub(super) rights: PhoneRights,
    /// The console's own time, in ms.
    pub(super) now: u64,
}

/// Where a telephone goes that has signed out.
pub(super) fn signed_out() -> &'static str {
    "/sign-in"
}

impl PhoneVisit<'_> {
    pub(super) fn answer(&self, ask: &PageAsk) -> PageAnswer {
        let parts: Vec<&str> = ask.path.trim_matches('/').split('/').collect();
        let number = |text: &str| text.parse::<u16>().ok().filter(|table| self.rights.has_table(*table));
        let shown = match (ask.posts, parts.as_slice()) {
            (false, [""]) => Some(views::queue(self)),
            (false, ["sign-in"]) => return go("/"),
            (false, ["tables"]) => Some(views::tables(self)),
            (false, ["me"]) => Some(views::me(self)),
            (false, ["ask"]) => return views::question(self).map_or_else(|| go("/"), page),
            (false, ["table", table]) => number(table).and_then(|table| views::table(self, table)),
            (false, ["table", table, "time"]) => number(table).and_then(|table| views::time(self, table)),
            (false, ["table", table, "result"]) => number(table).and_then(|table| views::result(self, table)),
            (false, ["table", table, "undo"]) => {
                number(table).and_then(|table| views::take_back(self, table))
            }
            (false, ["table", table, "other"]) => number(table).and_then(|table| views::rulings(self, table)),
            (false, ["table", table, "other", ruling]) => number(table)
                .zip(OtherRuling::from_word(ruling))
                .and_then(|(table, ruling)| views::other(self, table, ruling)),
            (true, ["sign-out"]) => return sign_out(self),
            (true, ["alert"]) => return self.alert(ask),
            (true, ["ask"]) => return self.answered(ask),
            (true, ["table", table, "order"]) => match number(table) {
                Some(table) => return self.ordered(table, ask),
                None => None,
            },
            _ => None,
        };
        shown.map_or_else(|| PageBody::Refused(404).into(), page)
    }

    /// Does this with the session, if it is still open.
    pub(super) fn session<T>(&self, act: impl FnOnce(&mut PhoneSession) -> T) -> Option<T> {
        self.page.phones().session(self.cookie, self.now).ok().map(act)
    }

    /// What the next page says once.
    fn tell(&self, says: Sentence, failed: bool) {
        self.session(|session| session.notice = Some((says.harmless(), failed)));
    }

    /// Whether a form that is sent is new. A double tap, or a page of yesterday, does nothing.
    fn takes_form(&self, ask: &PageAsk) -> bool {
        let number = ask.field("form").parse().unwrap_or(0);
        let is_new = self.session(|session| session.take_form(number)).unwrap_or(false);
        if !is_new {
            self.tell(old_page(), true);
        }
        is_new
    }

    // ---- alerts ----

    /// What was chosen about an alert: only what is offered now, about an alert that is open now.
    fn alert(&self, ask: &PageAsk) -> PageAnswer {
        let table = ask.field("table").parse::<u16>().ok();
        let key = AlertKey { table, id: ask.field("alert").to_owned() };
        let back = go("/");
        if !self.takes_form(ask) {
            return back;
        }
        let chosen = self.open_alert(&key).and_then(|alert| {
            let mut rulings = alert.rulings.into_iter();
            rulings.find(|ruling| act_word(&ruling.does, self.words) == ask.field("what"))
        });
        let Some(ruling) = chosen else {
            self.tell(say!("phone-alert-over", "this is decided or over; nothing was ordered"), true);
            return back;
        };
        match (ruling.does, table) {
            (HallAct::Order(line), Some(table)) => return self.order(table, &self.words.said(&line), "/"),
            (HallAct::Order(_), None) => {}
            (HallAct::Take | HallAct::Close, _) if !self.rights.may_take(table) => self.not_yours(),
            (HallAct::Take, _) => drop(self.shared.take(&key, &self.name)),
            (HallAct::Close, _) => drop(self.shared.close(&key, &self.name)),
        }
        back
    }

    fn open_alert(&self, key: &AlertKey) -> Option<HallAlert> {
        let hall = self.shared.hall();
        let queued = hall.queue(self.now).into_iter().find(|alert| alert.key() == *key)?;
        Some(hall.alert_shown(&queued))
    }

    fn not_yours(&self) {
        self.tell(say!("phone-not-yours", "the chief has not given you the right to do this"), true);
    }

    // ---- orders ----

    /// What was filled in at a table's own forms.
    fn ordered(&self, table: u16, ask: &PageAsk) -> PageAnswer {
        let here = format!("/table/{table}");
        if !self.takes_form(ask) {
            return go(&here);
        }
        let typed = |name: &str| {
            let text: String = ask.field(name).trim().chars().take(LONGEST_REASON).collect();
            tabiya_types::harmless(&text)
        };
        // A reason of one's own counts more than a usual one.
        let reason =
            Some(typed("reason")).filter(|reason| !reason.is_empty()).unwrap_or_else(|| typed("why"));
        let other = OtherRuling::from_word(ask.field("ruling"));
        let what = ask.field("what");
        if reason.is_empty()
            && (matches!(what, "time" | "result" | "undo")
                || (what == "other" && other.is_some_and(OtherRuling::needs_reason)))
        {
            self.tell(say!("phone-no-reason", "without a reason nothing is ordered"), true);
            let ruling = other
                .filter(|_| what == "other")
                .map_or_else(String::new, |other| format!("/{}", other.word()));
            return go(&format!("{here}/{what}{ruling}"));
        }
        let words = match what {
            "pause" | "resume" => Some(what.to_owned()),
            "undo" => take_back(&reason),
            "time" => time_words(ask.field("side"), ask.field("gain"), &reason),
            "result" => result_words(ask.field("ends"), &reason),
            "other" => other.and_then(|other| other.order(&typed("value"), &reason)),
            _ => None,
        };
        match words {
            Some(words) => self.order(table, &words, &here),
            None => PageBody::Refused(400).into(),
        }
    }

    /// Orders this at a table, or asks first.
    fn order(&self, table: u16, words: &str, back: &str) -> PageAnswer {
        let wanted = self.shared.hall().wanted(table, words, self.now);
        match wanted {
            Err(fault) => self.tell(fault.in_words(), true),
            Ok(wanted) if !wanted.lines.iter().all(|line| self.rights.may_order(table, line)) => {
                self.not_yours();
            }
            Ok(wanted) => match wanted.question.clone() {
                Some(question) => {
                    let question = question.harmless();
                    self.session(|session| session.ask(table, wanted, question, self.now));
                    return go("/ask");
                }
                None => self.give(table, wanted),
            },
        }
        go(back)
    }

    fn give(&self, table: u16, wanted: WantedOrder) {
        if let Err(fault) = self.shared.give(table, wanted, (&self.name, true)) {
            self.tell(fault.in_words(), true);
        }
    }

    /// The answer to the question.
    fn answered(&self, ask: &PageAsk) -> PageAnswer {
        if !self.takes_form(ask) {
            return go("/");
        }
        let form = ask.field("form").parse().unwrap_or(0);
        let asked = self.session(|session| session.answer(form, self.now)).flatten();
        let Some(asked) = asked else {
            self.tell(
                say!("phone-asked-long-ago", "the question was too long ago; nothing was ordered"),
                true,
            );
            return go("/");
        };
        if ask.field("answer") == "yes" {
            let wanted = self.shared.hall().answered_now(asked.table, asked.wanted);
            self.give(asked.table, wanted);
        }
        go(&format!("/table/{}", asked.table))
    }
}

/// What a button of an alert sends.
pub(super) fn act_word(act: &HallAct, words: &Words) -> String {
    match act {
        HallAct::Order(line) => format!("order {}", words.said(line)),
        HallAct::Take => "take".to_owned(),
        HallAct::Close => "close".to_owned(),
    }
}

fn time_words(side: &str, gain: &str, reason: &str) -> Option<String> {
    let side = Color::from_word(side)?;
    let gain: i32 = gain.parse().ok().filter(|gain: &i32| *gain != 0 && gain.abs() <= LONGEST_GAIN)?;
    Some(format!("rule clock {} {gain:+} {reason}", side.word()))
}

fn result_words(ends: &str, reason: &str) -> Option<String> {
    match ends {
        "draw" => Some(format!("rule draw {reason}")),
        side => Some(format!("rule winner {} {reason}", Color::from_word(side)?.word())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_become_the_table_s_own_words() {
        assert_eq!(
            time_words("black", "60", "Laws 7.5.5"),
            Some("rule clock black +60 Laws 7.5.5".to_owned())
        );
        assert_eq!(time_words("white", "-60", "x"), Some("rule clock white -60 x".to_owned()));
        for (side, gain) in [("red", "60"), ("white", "0"), ("white", "601"), ("white", "x"), ("", "")] {
            assert_eq!(time_words(side, gain, "x"), None, "{side} {gain}");
        }
        assert_eq!(result_words("white", "late"), Some("rule winner white late".to_owned()));
        assert_eq!(result_words("draw", "late"), Some("rule draw late".to_owned()));
        assert_eq!(result_words("A", "late"), None);
    }
}
