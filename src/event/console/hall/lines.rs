//! Lines and signed heads that come from a table: each is kept in a copy, passed over, or ends the link.
//!
//! Source: `docs/hall.md`, §4 (heads) and §5 (lines).

use serde_json::Value;
use tabiya_app::seating::{EVENT, TABLE};
use tabiya_engine::record::chain::Head;
use tabiya_store::heads::SignedHead;
use tabiya_types::say;

use super::{Hall, MatchSeen};
use crate::console::alerts::ConsoleAlertKind;
use crate::console::keeper::{CopyName, Wanted};
use crate::console::link::ToLink;
use crate::copies::{Coming, MatchCopies};
use crate::socket::{EndCode, LinkEnd};
use crate::wire::SentLine;

impl Hall {
    /// Whether this is the header of a match of this name, of this event and this table.
    pub(super) fn is_header(&self, number: u16, uid: &str, line: &Value) -> bool {
        line.get("tabiya").is_some_and(Value::is_number)
            && line.get("id").is_none_or(|id| id.as_str() == Some(uid))
            && line.get(EVENT).and_then(Value::as_str) == Some(&self.event)
            && line.get(TABLE).and_then(Value::as_u64) == Some(u64::from(number))
    }

    /// A line has come. `Err` ends the link.
    pub(in crate::console) fn line(
        &mut self,
        number: u16,
        sent: SentLine,
        size: u64,
        now: u64,
    ) -> Result<(), LinkEnd> {
        let SentLine { uid, seq, line, hash } = sent;
        self.must_have_room(number, &uid, (seq, size), now)?;
        let began = self.began + 1;
        let may_follow =
            (seq == 0) == self.is_header(number, &uid, &line) && !crate::table::shows_hidden(&line);
        let Some(table) = self.tables.get_mut(&number) else { return Ok(()) };
        let known = table.matches.contains_key(&uid);
        if !may_follow || (!known && seq != 0) {
            return Err(self.broken(number, &uid, seq, now));
        }
        // A match whose name another table has lies in a file of its own.
        let has_file = !known && self.is_named_elsewhere(number, &uid);
        if has_file {
            self.take_file(number, now)?;
        }
        let Some(table) = self.tables.get_mut(&number) else { return Ok(()) };
        let of_match = table
            .matches
            .entry(uid.clone())
            .or_insert_with(|| MatchSeen::new(MatchCopies::default(), None, began, 0));
        let coming = of_match.copies.receive(seq, &line, hash);
        if !matches!(coming, Coming::Known) {
            of_match.bytes += size;
        }
        if matches!(coming, Coming::Broken | Coming::TooMany) && !known {
            table.matches.remove(&uid);
            self.give_back_file(number, has_file);
        } else if !known {
            self.began = began;
        }
        self.carry_out(coming, (number, &uid), (seq, line, hash), now)
    }

    /// Does with a line what was decided of it.
    fn carry_out(
        &mut self,
        coming: Coming,
        (number, uid): (u16, &str),
        (seq, line, hash): (u64, Value, Head),
        now: u64,
    ) -> Result<(), LinkEnd> {
        match coming {
            Coming::Known => {
                self.tell_kept(number, uid);
                Ok(())
            }
            Coming::Broken => Err(self.broken(number, uid, seq, now)),
            Coming::TooMany => {
                self.flooded(number, now);
                Err(LinkEnd::new(EndCode::Wrong, "there are too many copies of this match"))
            }
            Coming::Keep(copy) => {
                let name = CopyName { table: number, uid: uid.to_owned(), number: copy };
                self.keep(Wanted::Line { copy: name, seq, line: line.clone() })?;
                self.note(number, uid, coming, hash);
                self.fold(number, uid, (seq, &line), now);
                // An order whose answer was lost with a link is on its line.
                if let Some(order) = line.get("id").and_then(Value::as_str) {
                    self.did(number, order, seq, now);
                }
                Ok(())
            }
            Coming::Follow(_) => {
                self.note(number, uid, coming, hash);
                self.fold_anew(number, uid);
                Ok(())
            }
            Coming::Fork { of, shared } => {
                self.take_file(number, now)?;
                self.fork(number, uid, (of, shared), (seq, line, hash))?;
                let says = say!(
                    "own-fork",
                    "the record of table {table} goes on in two ways after line {line}: both are kept",
                    table = number,
                    line = shared
                );
                self.raise(ConsoleAlertKind::Fork, Some(number), says, now);
                Ok(())
            }
        }
    }

    pub(super) fn fork(
        &mut self,
        number: u16,
        uid: &str,
        (of, shared): (usize, u64),
        (seq, line, hash): (u64, Value, Head),
    ) -> Result<(), LinkEnd> {
        let name = |copy| CopyName { table: number, uid: uid.to_owned(), number: copy };
        self.note(number, uid, Coming::Fork { of, shared }, hash);
        let to = self.of_match(number, uid).map_or(0, |of_match| of_match.copies.followed());
        if shared > 0 {
            self.keep(Wanted::Fork { of: name(of), shared, to: name(to) })?;
        }
        self.keep(Wanted::Line { copy: name(to), seq, line })?;
        self.fold_anew(number, uid);
        Ok(())
    }

    /// Lines of a copy are durable. The table is told if it goes on with this copy.
    pub(in crate::console) fn kept(&mut self, copy: &CopyName, seq: u64) {
        let Some(of_match) = self.of_match(copy.table, &copy.uid) else { return };
        of_match.durable.insert(copy.number, seq);
        if of_match.copies.followed() == copy.number {
            self.tell_kept(copy.table, &copy.uid);
        }
    }

    pub(super) fn tell_kept(&mut self, number: u16, uid: &str) {
        let Some(kept) = self.of_match(number, uid).and_then(|of_match| of_match.kept()) else { return };
        let link = self.tables.get(&number).and_then(|table| table.link.as_ref());
        // Without a link, the next one is told by `welcome`.
        let _ = link.map(|link| link.send.send(ToLink::Kept { uid: uid.to_owned(), seq: kept.seq }));
    }

    /// The journal refuses a line of a copy: what is not durable of it is forgotten, and the table's link ends.
    pub(in crate::console) fn not_kept(&mut self, copy: &CopyName, why: &str, now: u64) {
        let why = why.to_owned();
        let says = say!("own-line", "a line of table {table} cannot be kept: {why}", table = copy.table, why);
        // The fault is the table's line, not the disk.
        self.raise(ConsoleAlertKind::Chain, Some(copy.table), says.clone(), now);
        if let Some(of_match) = self.of_match(copy.table, &copy.uid) {
            let durable = of_match.durable.get(&copy.number).copied();
            of_match.copies.cut(copy.number, durable.map_or(0, |durable| durable + 1));
            of_match.fold = None;
        }
        if let Some(link) = self.tables.get(&copy.table).and_then(|table| table.link.as_ref()) {
            let _ = link.send.send(ToLink::End(LinkEnd::new(EndCode::Wrong, says.to_string())));
        }
    }

    pub(super) fn note(&mut self, number: u16, uid: &str, coming: Coming, hash: Head) {
        if let Some(of_match) = self.of_match(number, uid) {
            of_match.copies.note(coming, hash);
        }
    }

    pub(super) fn keep(&mut self, wanted: Wanted) -> Result<(), LinkEnd> {
        if self.keeper.keep(wanted) { Ok(()) } else { Err(LinkEnd::cut("the console's disk is too slow")) }
    }

    pub(super) fn broken(&mut self, number: u16, uid: &str, seq: u64, now: u64) -> LinkEnd {
        let uid = tabiya_types::harmless(uid);
        let says = say!(
            "own-chain",
            "line {line} of match {uid} of table {table} does not follow from the line before",
            line = seq,
            uid,
            table = number
        );
        self.raise(ConsoleAlertKind::Chain, Some(number), says.clone(), now);
        LinkEnd::new(EndCode::Wrong, says.to_string())
    }

    /// A signed head has come: it is kept beside the copy with the console's own, if it fits.
    pub(in crate::console) fn head(
        &mut self,
        number: u16,
        text: String,
        key: &str,
        now: u64,
    ) -> Result<(), LinkEnd> {
        let wrong =
            || LinkEnd::new(EndCode::Wrong, "a signed head cannot be read, or its key has not signed it");
        let head = SignedHead::read(&text).ok_or_else(wrong)?;
        let uid = head.point.uid.clone();
        let signer = head.key.to_string();
        let fits = self.of_match(number, &uid).is_some_and(|of_match| {
            of_match.copies.head_at(head.point.seq) == Some(head.point.head)
                && of_match.copies.head_at(0) == Some(head.point.begins)
        });
        let is_tables = signer == key || self.roster.knew(number, &signer);
        if !fits || !is_tables {
            let says = say!(
                "own-head",
                "a signed head of table {table} does not fit the copy of its record",
                table = number
            );
            self.raise(ConsoleAlertKind::Head, Some(number), says, now);
            return Ok(());
        }
        let own = head.signed_too(&self.key);
        let Some(of_match) = self.of_match(number, &uid) else { return Ok(()) };
        let copy = of_match.copies.followed();
        // A table that comes again says its newest head again.
        if of_match.head.is_some_and(|(kept, seq)| kept == copy && seq >= head.point.seq) {
            return Ok(());
        }
        of_match.head = Some((copy, head.point.seq));
        self.keep(Wanted::Heads {
            copy: CopyName { table: number, uid, number: copy },
            lines: vec![text, own],
        })
    }
}
