//! What a page is answered with, and what is the same on all of them.

use std::cell::OnceCell;

use tabiya_text::{Language, Words};

/// The script that keeps a page as things are.
pub(crate) const LIVE: &str = include_str!("live.js");
/// The sign of the program.
pub(crate) const SIGN: &str = include_str!("../../ui/assets/tabiya.svg");

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PageAnswer {
    pub(crate) body: PageBody,
    /// What is set as a cookie.
    pub(crate) cookie: Option<String>,
}

/// What an answer has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PageBody {
    /// A page of this moment.
    Page(String),
    /// What never changes: its kind, and its text.
    Fixed(&'static str, &'static str),
    /// A picture whose address says all.
    Picture(String),
    /// Somewhere else is what is wanted now.
    Go(String),
    /// Nothing has changed since the page that asks.
    Same,
    /// Nothing, with this status.
    Refused(u16),
}

impl From<PageBody> for PageAnswer {
    fn from(body: PageBody) -> Self {
        Self { body, cookie: None }
    }
}

/// A page of this moment.
pub(crate) fn page(html: String) -> PageAnswer {
    PageBody::Page(html).into()
}

/// Another address.
pub(crate) fn go(to: &str) -> PageAnswer {
    PageBody::Go(to.to_owned()).into()
}

/// A page as text. A template of ours cannot fail; an empty page would be seen at once.
pub(crate) fn written(template: &impl askama::Template) -> String {
    template.render().unwrap_or_default()
}

thread_local! {
    /// The words of each language, read once on each thread that answers.
    static WORDS: [OnceCell<Words>; Language::ALL.len()] = const { [OnceCell::new(), OnceCell::new(), OnceCell::new()] };
}

/// Answers in the words of a language.
pub(crate) fn in_words(language: Language, answer: impl FnOnce(&Words) -> PageAnswer) -> PageAnswer {
    let place = Language::ALL.into_iter().position(|known| known == language).unwrap_or(0);
    WORDS.with(|all| match all.get(place) {
        Some(cell) => answer(cell.get_or_init(|| Words::of(language))),
        None => PageBody::Refused(404).into(),
    })
}
