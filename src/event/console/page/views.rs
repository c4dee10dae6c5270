//! The pages: templates that are filled in. Everything in them is escaped by the template crate.
//!
//! Source: `docs/event.md`, "Telephones"; look: the window's own colours.

use askama::Template;
use tabiya_app::hall::{OtherRuling, ReasonedOrder};
use tabiya_text::Words;
use tabiya_types::harmless;

use super::PhonePage;
use super::sessions::PhoneRights;
use super::shown::{AlertCard, BoardShown, TableShown, capital};
use super::visit::{LONGEST_REASON, PhoneVisit};
use crate::console::shared::Shared;
use crate::pages::answer::written;

/// What all pages have.
struct Frame<'a> {
    words: &'a Words,
    event: String,
    under: String,
    /// Whether the page follows the hall.
    live: bool,
    /// Which of the three pages it belongs to.
    tab: &'static str,
    /// Who is signed in.
    name: Option<String>,
    alerts: usize,
    notices: Vec<(String, bool)>,
    /// The number of its forms.
    form: u64,
}

impl<'a> Frame<'a> {
    /// The frame of a page for nobody yet.
    fn new(shared: &Shared, words: &'a Words) -> Self {
        let event = harmless(&shared.hall().name);
        Self {
            words,
            event,
            under: String::new(),
            live: false,
            tab: "",
            name: None,
            alerts: 0,
            notices: Vec::new(),
            form: 0,
        }
    }

    /// The frame of an arbiter's page.
    fn of(visit: &PhoneVisit<'a>, tab: &'static str, live: bool) -> Self {
        let words = visit.words;
        let waits = visit.queue().iter().filter(|card| card.taken.is_none()).count();
        Self {
            under: rights(words, visit.rights),
            live,
            tab,
            name: Some(harmless(&visit.name)),
            alerts: waits,
            notices: visit.notices(),
            form: visit.session(super::PhoneSession::new_form).unwrap_or(0),
            ..Self::new(visit.shared, words)
        }
    }

    fn lang(&self) -> &'static str {
        self.words.language.tag()
    }

    fn t(&self, id: &str) -> String {
        self.words.t(id)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the templates pass what they have by reference")]
    fn count(&self, id: &str, count: &usize) -> String {
        self.words.with(id, &[("count", (*count).into())])
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the templates pass what they have by reference")]
    fn table(&self, id: &str, table: &u16) -> String {
        self.words.with(id, &[("table", u32::from(*table).into())])
    }

    fn named(&self, id: &str, name: &str) -> String {
        self.words.with(id, &[("name", name.to_owned().into())])
    }

    fn is_at(&self, tab: &str) -> bool {
        self.tab == tab
    }
}

/// What an arbiter may do, in words.
fn rights(words: &Words, rights: PhoneRights) -> String {
    match rights {
        PhoneRights::ALL => words.t("phone-all-tables"),
        PhoneRights::Results => words.t("phone-results"),
        PhoneRights::Tables(first, last) => words.with(
            "phone-some-tables",
            &[("first", u32::from(first).into()), ("last", u32::from(last).into())],
        ),
    }
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage<'a> {
    f: Frame<'a>,
    words: &'a [&'static str],
    fingerprint: String,
    said: Option<String>,
}

/// The page at which an arbiter signs in. It tells nothing but the event's name.
pub(super) fn sign_in(shared: &Shared, page: &PhonePage, words: &Words, said: Option<String>) -> String {
    let f = Frame::new(shared, words);
    written(&SignInPage { f, words: &page.place.words, fingerprint: page.place.fingerprint_shown(), said })
}

#[derive(Template)]
#[template(path = "queue.html")]
struct QueuePage<'a> {
    f: Frame<'a>,
    cards: Vec<AlertCard>,
    /// Which card is open: the first that nobody looks after.
    open: usize,
}

/// The queue.
pub(super) fn queue(visit: &PhoneVisit<'_>) -> String {
    let cards = visit.queue();
    let open = cards.iter().position(|card| card.taken.is_none()).unwrap_or(usize::MAX);
    written(&QueuePage { f: Frame::of(visit, "queue", true), cards, open })
}

#[derive(Template)]
#[template(path = "tables.html")]
struct TablesPage<'a> {
    f: Frame<'a>,
    tables: Vec<TableShown>,
}

/// All tables.
pub(super) fn tables(visit: &PhoneVisit<'_>) -> String {
    written(&TablesPage { f: Frame::of(visit, "tables", true), tables: visit.tables() })
}

#[derive(Template)]
#[template(path = "table.html")]
struct TablePage<'a> {
    f: Frame<'a>,
    table: TableShown,
    board: Option<BoardShown>,
    card: Option<AlertCard>,
    /// Whether more than results can be ruled.
    all: bool,
}

/// One table.
pub(super) fn table(visit: &PhoneVisit<'_>, number: u16) -> Option<String> {
    let (table, board) = visit.one(number)?;
    let card = visit.queue().into_iter().find(|card| card.table == Some(number));
    let all = visit.rights != PhoneRights::Results;
    Some(written(&TablePage { f: Frame::of(visit, "tables", true), table, board, card, all }))
}

/// A form at a table that needs a reason.
#[derive(Template)]
#[template(path = "order.html")]
struct OrderPage<'a> {
    f: Frame<'a>,
    table: TableShown,
    what: &'static str,
    head: String,
    /// What is chosen first: its name, and the values with their words.
    choices: Vec<Choice>,
    /// What is typed before the reason: its name for people.
    value: Option<String>,
    /// The word of the ruling that was chosen on the page before.
    ruling: &'static str,
    /// The usual reasons, of which one is enough.
    usual: Vec<String>,
    /// Whether a reason is needed.
    reasoned: bool,
    longest: usize,
}

/// Something that is chosen.
struct Choice {
    name: &'static str,
    says: String,
    options: Vec<(&'static str, String)>,
}

fn order(
    visit: &PhoneVisit<'_>,
    number: u16,
    (of, what, id): (ReasonedOrder, &'static str, &str),
    choices: impl FnOnce(&TableShown) -> Vec<Choice>,
) -> Option<String> {
    let (table, _) = visit.one(number)?;
    let head = visit.words.with(id, &[("table", u32::from(number).into())]);
    let choices = choices(&table);
    let ruling = match of {
        ReasonedOrder::Other(ruling) => Some(ruling),
        ReasonedOrder::Time | ReasonedOrder::Result | ReasonedOrder::TakeBack => None,
    };
    Some(written(&OrderPage {
        f: Frame::of(visit, "tables", false),
        table,
        what,
        head,
        choices,
        value: ruling.and_then(OtherRuling::asks).map(|id| visit.words.t(id)),
        ruling: ruling.map_or("", OtherRuling::word),
        usual: of.usual().iter().map(|id| visit.words.t(id)).collect(),
        reasoned: ruling.is_none_or(OtherRuling::needs_reason),
        longest: LONGEST_REASON,
    }))
}

/// The name of a player with the colour, White first.
fn players(table: &TableShown) -> Vec<(&'static str, String)> {
    let named = |side: &super::shown::SideShown| {
        (if side.black { "black" } else { "white" }, format!("{} ({})", side.name, side.color))
    };
    table.sides.iter().rev().map(named).collect()
}

/// The form of a correction of a clock.
pub(super) fn time(visit: &PhoneVisit<'_>, number: u16) -> Option<String> {
    order(visit, number, (ReasonedOrder::Time, "time", "phone-time-of"), |table| {
        let gains = [("60", "+1 min"), ("120", "+2 min"), ("-60", "−1 min")];
        let gains = gains.map(|(value, says)| (value, says.to_owned())).to_vec();
        vec![
            Choice { name: "side", says: visit.words.t("phone-whose"), options: players(table) },
            Choice { name: "gain", says: visit.words.t("phone-how-much"), options: gains },
        ]
    })
}

/// The form of a result.
pub(super) fn result(visit: &PhoneVisit<'_>, number: u16) -> Option<String> {
    order(visit, number, (ReasonedOrder::Result, "result", "hall-result-of"), |table| {
        let wins = |(value, name): (&'static str, String)| {
            (value, visit.words.with("wins", &[("name", name.into())]))
        };
        let mut ends: Vec<_> = players(table).into_iter().map(wins).collect();
        ends.push(("draw", capital(&visit.words.t("drawn"))));
        vec![Choice { name: "ends", says: visit.words.t("phone-how-ended"), options: ends }]
    })
}

/// The form with which the last action is taken back.
pub(super) fn take_back(visit: &PhoneVisit<'_>, number: u16) -> Option<String> {
    order(visit, number, (ReasonedOrder::TakeBack, "undo", "hall-take-back-at"), |_| Vec::new())
}

/// The form of another ruling.
pub(super) fn other(visit: &PhoneVisit<'_>, number: u16, ruling: OtherRuling) -> Option<String> {
    order(visit, number, (ReasonedOrder::Other(ruling), "other", ruling.label()), |_| Vec::new())
}

#[derive(Template)]
#[template(path = "rulings.html")]
struct RulingsPage<'a> {
    f: Frame<'a>,
    table: TableShown,
    /// The other rulings: the word of each, and its name for people.
    rulings: Vec<(&'static str, String)>,
}

/// The other rulings, to choose one.
pub(super) fn rulings(visit: &PhoneVisit<'_>, number: u16) -> Option<String> {
    let (table, _) = visit.one(number)?;
    let named = |ruling: OtherRuling| (ruling.word(), visit.words.t(ruling.label()));
    let rulings = OtherRuling::ALL.into_iter().map(named).collect();
    Some(written(&RulingsPage { f: Frame::of(visit, "tables", false), table, rulings }))
}

#[derive(Template)]
#[template(path = "ask.html")]
struct AskPage<'a> {
    f: Frame<'a>,
    table: u16,
    text: String,
}

/// The question before something grave; `None` if none waits.
pub(super) fn question(visit: &PhoneVisit<'_>) -> Option<String> {
    let asked =
        visit.session(|session| session.question(visit.now).map(|asked| (asked.table, asked.text.clone())));
    let (table, text) = asked.flatten()?;
    let text = capital(&visit.words.sentence(&text));
    Some(written(&AskPage { f: Frame::of(visit, "tables", false), table, text }))
}

#[derive(Template)]
#[template(path = "me.html")]
struct MePage<'a> {
    f: Frame<'a>,
    name: String,
    words: &'a [&'static str],
    hours: usize,
}

/// Who is signed in, and the way out.
pub(super) fn me(visit: &PhoneVisit<'_>) -> String {
    let until = visit.session(|session| session.until).unwrap_or(visit.now);
    let hours = until.saturating_sub(visit.now).div_ceil(60 * 60 * 1_000);
    let hours = usize::try_from(hours).unwrap_or(0);
    let (name, words) = (harmless(&visit.name), visit.page.place.words.as_slice());
    written(&MePage { f: Frame::of(visit, "me", false), name, words, hours })
}
