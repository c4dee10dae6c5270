//! How a table comes to a console and goes: who it is, whose place it takes, from where on it sends.
//!
//! Source: `docs/hall.md`, §3 (two programs of one table) and §5 (`have`).

use tabiya_engine::record::replica::Reached;
use tabiya_types::say;
use tokio::sync::mpsc::UnboundedSender;

use super::{ConsoleNews, Hall, LinkHandle, SILENT};
use crate::console::alerts::ConsoleAlertKind;
use crate::console::keeper::{CopyName, Wanted};
use crate::console::link::ToLink;
use crate::socket::{EndCode, LinkEnd};
use crate::wire::{Have, MatchNote, TableHello, Welcome};

impl Hall {
    /// A table with this key says `hello`. Returns its welcome and the number of its link; `Err` is how the link ends.
    pub(in crate::console) fn meet(
        &mut self,
        hello: TableHello,
        (key, send): (&str, UnboundedSender<ToLink>),
        now: u64,
    ) -> Result<(Welcome, u64), LinkEnd> {
        let number = hello.table;
        if hello.event != self.event {
            return Err(LinkEnd::new(EndCode::Stranger, "this is another event"));
        }
        if self.roster.tables.get(&number).map(String::as_str) != Some(key) {
            let says = say!(
                "own-stranger",
                "a computer that is not table {table}'s speaks as table {table}",
                table = number
            );
            self.raise(ConsoleAlertKind::Stranger, Some(number), says, now);
            return Err(LinkEnd::new(
                EndCode::Stranger,
                format!("this key is not the key of table {number}"),
            ));
        }
        self.links += 1;
        let link = LinkHandle { number: self.links, key: key.to_owned(), send };
        let table = self.tables.entry(number).or_default();
        if let Some(before) = &table.link {
            if table.boot == hello.boot {
                let end = LinkEnd::new(EndCode::Replaced, "a later link of this table has taken its place");
                let _ = before.send.send(ToLink::End(end));
            } else if now.saturating_sub(table.heard) < SILENT {
                let says = say!("own-twice", "two programs speak as table {table}", table = number);
                self.raise(ConsoleAlertKind::Twice, Some(number), says, now);
                return Err(LinkEnd::new(EndCode::Twice, "another program speaks as this table"));
            } else {
                let end = LinkEnd::new(
                    EndCode::Twice,
                    "another program speaks as this table, or it was started anew",
                );
                let _ = before.send.send(ToLink::End(end));
            }
        }
        let is_new_boot = table.boot != hello.boot;
        (table.boot, table.program, table.heard) = (hello.boot, tabiya_types::marked(&hello.program), now);
        if is_new_boot {
            table.state = None;
        }
        let link_number = link.number;
        table.link = Some(link);
        let mut have = Vec::new();
        for note in hello.matches {
            have.extend(self.meet_match(number, &note, now));
        }
        for kind in [ConsoleAlertKind::Silent, ConsoleAlertKind::Twice] {
            self.alerts.close(kind, Some(number));
        }
        let program = self.tables.get(&number).map(|table| table.program.clone()).unwrap_or_default();
        self.tell_of(number, ConsoleNews::Here(number, program), now);
        let staff = self.staff.signed().clone();
        Ok((Welcome { console: self.console.clone(), table: number, have, staff }, link_number))
    }

    /// Which copy of this match the table goes on with.
    pub(super) fn meet_match(&mut self, number: u16, note: &MatchNote, now: u64) -> Option<Have> {
        let of_match = self.tables.get_mut(&number)?.matches.get_mut(&note.uid)?;
        let end = Reached { seq: note.seq, head: note.head };
        let before = of_match.copies.followed();
        let reached = of_match.copies.meet(note.begins, end)?;
        let (other, shorter) = (of_match.copies.followed() != before, of_match.copies.is_shorter(end));
        if other {
            self.fold_anew(number, &note.uid);
        }
        if shorter {
            let lost = reached.seq - end.seq;
            let says = say!(
                "own-shorter",
                "table {table} has lost {lost} lines that the copy has",
                table = number,
                lost
            );
            self.raise(ConsoleAlertKind::Shorter, Some(number), says, now);
        }
        // What is not durable yet is sent again.
        let reached = self.of_match(number, &note.uid)?.kept()?;
        Some(Have { uid: note.uid.clone(), reached })
    }

    /// Whether this link is the table's present one. Whatever it says is heard.
    pub(in crate::console) fn is_present(&mut self, number: u16, link: u64, now: u64) -> bool {
        let Some(table) = self.tables.get_mut(&number) else { return false };
        let present = table.link.as_ref().is_some_and(|present| present.number == link);
        if present {
            table.heard = now;
        }
        present
    }

    /// A link has ended.
    pub(in crate::console) fn left(&mut self, number: u16, link: u64, end: &LinkEnd, now: u64) {
        let Some(table) = self.tables.get_mut(&number) else { return };
        if table.link.as_ref().is_some_and(|present| present.number == link) {
            table.link = None;
            self.keep_moment(number);
            let news = ConsoleNews::Gone(number, tabiya_types::marked(&end.to_string()));
            self.tell_of(number, news, now);
        }
    }

    /// Keeps how far the match on a table has come by its clock, so that another computer can carry it on there.
    pub(super) fn keep_moment(&mut self, number: u16) {
        let Some(table) = self.tables.get_mut(&number) else { return };
        let Some((state, _)) = &table.state else { return };
        let Some((uid, t, _)) = state.on.clone() else { return };
        let Some(of_match) = table.matches.get(&uid) else { return };
        let copy = CopyName { table: number, uid, number: of_match.copies.followed() };
        // A moment that is not kept costs a player seconds, no line.
        let _ = self.keeper.keep(Wanted::Moment { copy, t });
    }
}
