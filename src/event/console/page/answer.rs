//! What is answered to which address. Without a session there is the sign-in and nothing else.
//!
//! Source: `docs/hall.md`, §6.

use tabiya_engine::record::chain::hex;
use tabiya_text::Words;
use tabiya_types::harmless;

use super::board::{BOARD, picture};
use super::sessions::{NoSession, SignIn};
use super::visit::{PhoneVisit, signed_out};
use super::{COOKIE, PhonePage, views};
use crate::boot::chance;
use crate::console::acts::Act;
use crate::console::shared::Shared;
use crate::pages::answer::{LIVE, PageAnswer, PageBody, SIGN, in_words};
use crate::pages::request::{PageAsk, cookie_for};

const STYLE: &str = concat!(include_str!("../../pages/base.css"), include_str!("page.css"));

/// Answers. Waits for the disk where something is done.
pub(super) fn answer(shared: &Shared, ask: &PageAsk) -> PageAnswer {
    let Some(page) = shared.page() else { return PageBody::Refused(404).into() };
    if let Some(fixed) = fixed(ask) {
        return fixed.into();
    }
    in_words(ask.language, |words| with_words(shared, page, ask, words))
}

/// What is the same for everybody, and tells nothing of the event.
fn fixed(ask: &PageAsk) -> Option<PageBody> {
    if ask.posts {
        return None;
    }
    match ask.path.as_str() {
        "/page.css" => Some(PageBody::Fixed("text/css; charset=utf-8", STYLE)),
        "/live.js" => Some(PageBody::Fixed("text/javascript; charset=utf-8", LIVE)),
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
            PageAnswer {
                body: PageBody::Go("/".to_owned()),
                cookie: Some(cookie_for(COOKIE, Some(&session))),
            }
        }
    }
}

/// The telephone signs out.
pub(super) fn sign_out(visit: &PhoneVisit<'_>) -> PageAnswer {
    visit.page.phones().sign_out(visit.cookie);
    let act = Act::new("phone", harmless(&visit.name)).with("signed", "out");
    visit.shared.note_act(act);
    PageAnswer { body: PageBody::Go(signed_out().to_owned()), cookie: Some(cookie_for(COOKIE, None)) }
}
