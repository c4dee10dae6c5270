//! The pages: templates that are filled in. Everything in them is escaped by the template crate.
//!
//! Source: `docs/keypads.md`; look: the window's own colours.

use askama::Template;
use tabiya_app::keypads::{KeypadEnd, KeypadOf, KeypadReport, keypad_in_words};
use tabiya_text::Words;
use tabiya_types::{Color, Seat};

use super::KeypadSite;
use super::sessions::PadQuestion;
use super::shown::{DueShown, PadShown, other_acts, shown};
use super::visit::{PadFace, PadVisit};
use crate::pages::answer::written;

/// What all pages have.
struct Frame<'a> {
    words: &'a Words,
    /// Whether the page follows the table.
    live: bool,
    /// The change of the table that it shows.
    after: u64,
    notices: Vec<(String, bool)>,
    /// The number of its forms.
    form: u64,
}

impl<'a> Frame<'a> {
    /// The frame of a page for nobody yet.
    fn new(words: &'a Words) -> Self {
        Self { words, live: false, after: 0, notices: Vec::new(), form: 0 }
    }

    /// The frame of a telephone's page.
    fn of(visit: &PadVisit<'a>, live: bool) -> Self {
        let notice = visit.notice();
        let said = |(says, failed)| (capital(&visit.words.sentence(&says)), failed);
        Self {
            words: visit.words,
            live,
            after: visit.report.version,
            notices: notice.into_iter().map(said).collect(),
            form: visit.session(|session| session.forms.next()).unwrap_or(0),
        }
    }

    fn lang(&self) -> &'static str {
        self.words.language.tag()
    }

    fn t(&self, id: &str) -> String {
        self.words.t(id)
    }
}

/// A text with a capital letter at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[derive(Template)]
#[template(path = "pad_code.html")]
struct CodePage<'a> {
    f: Frame<'a>,
    place: String,
    words: &'a [&'static str],
    fingerprint: String,
    said: Option<String>,
    off: bool,
}

/// The page at which the code is typed. It tells nothing of the match.
pub(super) fn code(site: &KeypadSite, words: &Words, report: &KeypadReport, said: Option<String>) -> String {
    let table = |table: u16| words.with("hall-table", &[("table", u32::from(table).into())]);
    written(&CodePage {
        f: Frame::new(words),
        place: report.number.map(table).unwrap_or_default(),
        words: &site.place.words,
        fingerprint: site.place.fingerprint_shown(),
        said,
        off: report.waits_for_arbiter,
    })
}

/// Whose keypad a telephone can be.
struct WhoseChoice {
    word: &'static str,
    name: String,
    /// `white`, `black`, or empty for the clock of both.
    side: &'static str,
    /// The telephone that is this keypad now.
    taken: String,
}

#[derive(Template)]
#[template(path = "pad_whose.html")]
struct WhosePage<'a> {
    f: Frame<'a>,
    choices: Vec<WhoseChoice>,
}

/// The page at which a telephone says whose keypad it is to be.
pub(super) fn whose(visit: &PadVisit<'_>) -> String {
    let report = &visit.report;
    let taken = |of: KeypadOf| {
        let pad = report.visitors.iter().find(|visitor| visitor.is() == Some(of));
        pad.map_or_else(String::new, |pad| {
            visit.words.with("pad-taken", &[("name", pad.name.clone().into())])
        })
    };
    let mut choices = Vec::new();
    if let Some(view) = report.table.as_deref() {
        choices.extend(Color::ALL.map(|color| {
            let of = KeypadOf::Player(view.seats[color]);
            let name = view.names[color].clone();
            WhoseChoice { word: of.word(), name, side: color.word(), taken: taken(of) }
        }));
        let name = visit.words.t("pad-both");
        choices.push(WhoseChoice {
            word: KeypadOf::Clock.word(),
            name,
            side: "",
            taken: taken(KeypadOf::Clock),
        });
    }
    written(&WhosePage { f: Frame::of(visit, choices.is_empty()), choices })
}

#[derive(Template)]
#[template(path = "pad_waiting.html")]
struct WaitingPage<'a> {
    f: Frame<'a>,
    title: String,
    says: String,
    /// Whether it still waits for the table's answer.
    waits: bool,
}

/// What a keypad is, in words.
fn what(visit: &PadVisit<'_>, of: KeypadOf) -> String {
    let name_of = |seat: Seat| {
        let view = visit.report.table.as_deref();
        let color = |view: &&tabiya_app::view::TableView| {
            if view.seats.white == seat { Color::White } else { Color::Black }
        };
        view.map_or_else(String::new, |view| view.names[color(&view)].clone())
    };
    visit.words.sentence(&keypad_in_words(of, name_of))
}

/// The page of a telephone about which the table is asked.
pub(super) fn waiting(visit: &PadVisit<'_>, of: KeypadOf) -> String {
    written(&WaitingPage {
        f: Frame::of(visit, true),
        title: visit.words.t("pad-asking"),
        says: visit.words.with(
            "pad-asking-says",
            &[("name", visit.visitor.name.clone().into()), ("what", what(visit, of).into())],
        ),
        waits: true,
    })
}

/// The page of a telephone that is no keypad any more.
pub(super) fn ended(visit: &PadVisit<'_>, why: KeypadEnd) -> String {
    let id = match why {
        KeypadEnd::Refused => "pad-refused",
        KeypadEnd::Removed => "pad-removed",
        KeypadEnd::Replaced => "pad-replaced",
        KeypadEnd::OtherMatch => "pad-other-match",
        KeypadEnd::NotAdmitted => "pad-off",
    };
    written(&WaitingPage {
        f: Frame::of(visit, false),
        title: visit.words.t("pad-ended"),
        says: visit.words.t(id),
        waits: false,
    })
}

#[derive(Template)]
#[template(path = "pad.html")]
struct PadPage<'a> {
    f: Frame<'a>,
    p: PadShown,
    face: &'static str,
    acts: usize,
    press: usize,
    /// What is said where nothing is due.
    waits: String,
}

/// A keypad.
pub(super) fn pad(visit: &PadVisit<'_>, face: PadFace) -> String {
    let now = visit.site.link.timeline.now();
    let (words, mark) = (visit.words, visit.report.mark);
    let of = visit.visitor.is().unwrap_or(KeypadOf::Clock);
    let Some(p) = shown(&visit.report, of, words, now) else {
        return ended(visit, KeypadEnd::OtherMatch);
    };
    let own = Color::from_word(p.side);
    let other = visit.report.table.as_deref().and_then(|view| other_acts(view, own));
    let waits = match other {
        _ if p.paused && p.event => words.t("pad-called"),
        _ if p.paused => words.t("pad-paused"),
        Some(name) => words.with("pad-to-act", &[("name", name.into())]),
        None => capital(&p.prompt),
    };
    written(&PadPage {
        f: Frame::of(visit, true),
        p,
        face: face.word(),
        acts: mark.acts,
        press: mark.press,
        waits,
    })
}

#[derive(Template)]
#[template(path = "pad_ask.html")]
struct AskPage<'a> {
    f: Frame<'a>,
    text: String,
}

/// The question before something grave; `None` if none waits.
pub(super) fn question(visit: &PadVisit<'_>) -> Option<String> {
    let question = visit.session(|session| session.question.clone()).flatten()?;
    let text = match question {
        PadQuestion::Fold(_) => visit.words.t("pad-fold-sure"),
        PadQuestion::Table(text) => capital(&visit.words.sentence(&text)),
    };
    Some(written(&AskPage { f: Frame::of(visit, false), text }))
}
