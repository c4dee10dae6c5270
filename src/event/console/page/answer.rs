//! What is answered to which address. Without a session there is the sign-in and nothing else.
//!
//! Source: `docs/hall.md`, §6.

use std::cell::OnceCell;

use super::board::{BOARD, picture};
use super::request::{PageAsk, cookie_for};
use super::sessions::{NoSession, SignIn};
use super::visit::{PhoneVisit, signed_out};
use super::{PhonePage, views};
use crate::boot::chance;
use crate::console::acts::Act;
use crate::console::shared::Shared;
use tabiya_engine::record::chain::hex;
use tabiya_text::{Language, Words};
use tabiya_types::harmless;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("live.js");
const SIGN: &str = include_str!("../../../ui/assets/tabiya.svg");

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PageAnswer {
    pub(super) body: PageBody,
    /// What is set as a cookie.
    pub(super) cookie: Option<String>,
}

/// What an answer has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PageBody {
    /// A page of this moment.
    Page(String),
    /// What never changes: its kind, and its text.
    Fixed(&'static str, &'static str),
    /// A picture whose address says all.
    Picture(String),
    /// Somewhere else is what is wanted now.
    Go(String),
    /// Nothing, with this status.
    Refused(u16),
}

impl From<PageBody> for PageAnswer {
    fn from(body: PageBody) -> Self {
        Self { body, cookie: None }
    }
}

thread_local! {
    /// The words of each language, read once on each thread that answers.
    static WORDS: [OnceCell<Words>; Language::ALL.len()] = const { [OnceCell::new(), OnceCell::new(), OnceCell::new()] };
}

/// Answers. Waits for the disk where something is done.
pub(super) fn answer(shared: &Shared, ask: &PageAsk) -> PageAnswer {
    let Some(page) = shared.page() else { return PageBody::Refused(404).into() };
    if let Some(fixed) = fixed(ask) {
        return fixed.into();
    }
    let place = Language::ALL.into_iter().position(|language| language == ask.language).unwrap_or(0);
    WORDS.with(|all| match all.get(place) {
        Some(cell) => with_words(shared, page, ask, cell.get_or_init(|| Words::of(ask.language))),
        None => PageBody::Refused(404).into(),
    })
}

/// What is the same for everybody, and tells nothing of the event.
fn fixed(ask: &PageAsk) -> Option<PageBody> {
    if ask.posts {
        return None;
    }
    match ask.path.as_str() {
        "/page.css" => Some(PageBody::Fixed("text/css; charset=utf-8", STYLE)),
        "/live.js" => Some(PageBody::Fixed("text/javascript; charset=utf-8", SCRIPT)),
        "/tabiya.svg" => Some(PageBody::Fixed("image/svg+xml", SIGN)),
        path if path.starts_with(BOARD) => {
            Some(picture(path).map_or(PageBody::Refused(404), PageBody::Picture))
        }
        _ => None,
    }
}

fn with_words(shared: &Shared, page: &PhonePage, ask: &PageAsk, words: &Words) -> PageAnswer {
    if ask.posts && ask.path == "/sign-in" {
        return sign_in(shared, page, ask, words);
    }
    let cookie = ask.cookie.as_deref().unwrap_or_default();
    let now = shared.now();
    let who = page.phones().session(cookie, now).map(|session| (session.name.clone(), session.rights));
    match who {
        Ok((name, rights)) => PhoneVisit { shared, page, words, cookie, name, rights, now }.answer(ask),
        Err(why) if ask.posts || !matches!(ask.path.as_str(), "/" | "/sign-in") => {
            // The way back says why; what was sent is not done.
            let _ = why;
            PageBody::Go("/sign-in".to_owned()).into()
        }
        Err(why) => {
            let said = match why {
                NoSession::Unknown => None,
                NoSession::Over => Some(words.t("phone-over")),
                NoSession::Ended => Some(words.t("phone-ended")),
            };
            PageBody::Page(views::sign_in(shared, page, words, said)).into()
        }
    }
}

fn sign_in(shared: &Shared, page: &PhonePage, ask: &PageAsk, words: &Words) -> PageAnswer {
    let digits: String = ask.field("code").chars().filter(char::is_ascii_digit).take(9).collect();
    let Ok(bytes) = chance::<32>() else { return PageBody::Refused(503).into() };
    let session = hex(&bytes);
    let signed_in = page.phones().sign_in(&digits, &session, shared.now());
    match signed_in {
        SignIn::Wrong(left) => {
            let said = words.with("phone-wrong", &[("count", u32::from(left).into())]);
            PageBody::Page(views::sign_in(shared, page, words, Some(said))).into()
        }
        SignIn::In(name, rights) => {
            let act = Act::new("phone", name).with("signed", "in").with("rights", rights.to_string());
            shared.note_act(act);
            PageAnswer { body: PageBody::Go("/".to_owned()), cookie: Some(cookie_for(Some(&session))) }
        }
    }
}

/// The telephone signs out.
pub(super) fn sign_out(visit: &PhoneVisit<'_>) -> PageAnswer {
    visit.page.phones().sign_out(visit.cookie);
    let act = Act::new("phone", harmless(&visit.name)).with("signed", "out");
    visit.shared.note_act(act);
    PageAnswer { body: PageBody::Go(signed_out().to_owned()), cookie: Some(cookie_for(None)) }
}
