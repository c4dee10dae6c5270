//! The causes of alerts at a desk's table: flags, claims, questions, proposed rulings, refusals, a board that differs, a record
//! that cannot be written.

use tabiya_engine::rules::Articles;
use tabiya_engine::table::{Audience, Correction, Matter};
use tabiya_types::{Instant, say};

use super::table::TableSide;
use crate::alerts::{Alert, AlertKind, Cause};
use crate::session::{Infringement, Proposal, Session};
use crate::snapshot::{Asked, TableView};

impl TableSide {
    /// The alerts that are open now. Looking at them is what brings their list up to date.
    pub(super) fn alerts(
        &self,
        view: Option<&TableView>,
        differs: Option<&Correction>,
        keypad: Option<Asked>,
        now: Instant,
    ) -> Vec<Alert> {
        let mut book = self.alerts.borrow_mut();
        let causes = view.map(|view| self.causes(view, differs, keypad)).unwrap_or_default();
        book.follow(causes, now);
        book.open().to_vec()
    }

    /// What people have to look after now. `keypad` is the question about a telephone, if that is the open one.
    fn causes(&self, view: &TableView, differs: Option<&Correction>, keypad: Option<Asked>) -> Vec<Cause> {
        let Some(sitting) = &self.sitting else { return Vec::new() };
        let session = &sitting.session;
        let mut causes: Vec<Cause> =
            session.proposals().map(|proposal| proposed(session, proposal)).collect();
        for prompt in &view.prompts {
            let (Some(kind), Some(matter)) = (AlertKind::of_prompt(prompt), prompt.matter) else { continue };
            let by = match matter {
                Matter::Flag(by) => Some(by),
                Matter::Claimable => None,
            };
            let cause = Cause::new(kind, prompt.to, by, prompt.text.clone());
            causes.push(cause.under(Some(matter.articles().numbers())));
        }
        if let Some(refused) = self.talk.refused() {
            let cause = Cause::new(AlertKind::Refused, refused.to, None, refused.text.clone());
            let cause = cause.under(refused.articles.map(Articles::numbers));
            causes.push(Cause { count: self.talk.refused_times(), ..cause });
        }
        if let Some(differs) = differs {
            let to = session.table().audience_of_faults();
            let cause = Cause::new(AlertKind::Piece, to, None, differs.text.clone());
            let cause = cause.under(Some(differs.articles.numbers()));
            causes.push(Cause { gives_reason: differs.gives_reason, ..cause });
        }
        if let Some(asked) = sitting.asked().or(keypad) {
            causes.push(Cause::new(AlertKind::Question, asked.to, None, asked.text));
        }
        if session.record_fails() {
            let says = say!("alert-record", "the record cannot be written");
            causes.push(Cause::new(AlertKind::Record, Audience::Players, None, says));
        }
        causes
    }
}

/// What the Laws propose, as the cause of an alert.
fn proposed(session: &Session, proposal: &Proposal) -> Cause {
    let Proposal { by, of, choices } = proposal;
    let count = if let Infringement::IllegalMove(count) = of { *count } else { 1 };
    let articles = choices.first().map(|choice| choice.articles.clone());
    let (to, says) = (Audience::Arbiter, of.in_words(*by, session.table()));
    let cause = Cause::new(AlertKind::of(*of), to, Some(*by), says).under(articles);
    Cause { proposal: Some(proposal.clone()), count, ..cause }
}
