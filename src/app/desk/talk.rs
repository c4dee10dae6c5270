//! The texts that a desk shows to people: announcements about the match, refusals of inputs, and notices about
//! everything else.

use std::path::PathBuf;
use std::sync::Arc;

use tabiya_engine::table::Audience;
use tabiya_types::{Instant, Sentence, say};

use super::front::News;
use crate::session::Announcement;
use crate::snapshot::{LongAnswer, Notice, Refused};

/// The number of announcements that are kept for the screens.
const SAID: usize = 200;
/// The number of notices that are kept for the screens.
const NOTICES: usize = 20;

/// The announcements, notices and refusals that screens still show.
#[derive(Debug, Default)]
pub(super) struct Talk {
    said: Arc<Vec<Announcement>>,
    notices: Arc<Vec<Notice>>,
    refused: Option<Arc<Refused>>,
    /// The text of the last refusal, and how often in a row it was the last one.
    repeated: (Option<Sentence>, u32),
    /// The last answer of several lines, until another line is typed.
    answer: Option<Arc<LongAnswer>>,
    /// How many such answers there were.
    answered: u64,
    /// News that front ends that print lines have not taken yet.
    news: Vec<News>,
    /// The total number of announcements so far.
    heard: u64,
}

impl Talk {
    pub(super) fn said(&self) -> Arc<Vec<Announcement>> {
        self.said.clone()
    }

    pub(super) fn notices(&self) -> Arc<Vec<Notice>> {
        self.notices.clone()
    }

    pub(super) fn refused(&self) -> Option<Arc<Refused>> {
        self.refused.clone()
    }

    /// How often in a row the last refusal was the same.
    pub(super) fn refused_times(&self) -> u32 {
        self.repeated.1
    }

    pub(super) fn long_answer(&self) -> Option<Arc<LongAnswer>> {
        self.answer.clone()
    }

    /// Drops the last answer of several lines, because another line was typed.
    pub(super) fn drop_answer(&mut self) {
        self.answer = None;
    }

    pub(super) fn heard(&self) -> u64 {
        self.heard
    }

    pub(super) fn take_news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// Drops the announcements and the refusal of the last match, because another match begins.
    pub(super) fn begin_anew(&mut self) {
        (self.said, self.refused, self.answer) = (Arc::default(), None, None);
    }

    /// Adds new announcements about the match.
    pub(super) fn hear(&mut self, new: Vec<Announcement>) {
        self.heard += u64::try_from(new.len()).unwrap_or(1);
        if new.is_empty() {
            return;
        }
        self.news.extend(new.iter().cloned().map(News::Said));
        self.keep(new);
    }

    /// Adds announcements for the screens. If there are too many, drops the oldest announcements.
    fn keep(&mut self, new: impl IntoIterator<Item = Announcement>) {
        let said = Arc::make_mut(&mut self.said);
        said.extend(new);
        let over = said.len().saturating_sub(SAID);
        said.drain(..over);
    }

    /// Answers a typed line. The answer is shown among the announcements, and if it has several lines also by itself.
    pub(super) fn answer(&mut self, lines: Vec<Sentence>) {
        if lines.len() > 1 {
            self.answered += 1;
            let lines = lines.iter().map(|line| line.clone().harmless()).collect();
            self.answer = Some(Arc::new(LongAnswer { number: self.answered, lines }));
        }
        self.keep(lines.iter().map(|line| Announcement::new(Audience::Players, line.clone().harmless())));
        self.print(News::Answer(lines));
    }

    /// Adds an item of news, which is shown only by front ends that print lines.
    pub(super) fn print(&mut self, news: News) {
        self.news.push(news);
    }

    /// Says what comes next, for front ends that print lines: once, if it was just announced, as after a result. The end of a
    /// match was announced with its moment.
    pub(super) fn print_next(&mut self, prompt: Sentence) {
        self.news.retain(|news| !matches!(news, News::Said(said) if said.text == prompt));
        let words = prompt.to_string();
        let said = |news: &News| matches!(news, News::Said(said) if said.text.to_string().ends_with(&words));
        if !self.news.iter().any(said) {
            self.print(News::Next(prompt));
        }
    }

    pub(super) fn refuse(&mut self, refused: Refused) {
        self.news.push(News::Refused(Announcement::new(refused.to, refused.text.clone())));
        let again = self.repeated.0.as_ref() == Some(&refused.text);
        self.repeated =
            (Some(refused.text.clone()), if again { self.repeated.1.saturating_add(1) } else { 1 });
        self.refused = Some(Arc::new(refused));
    }

    /// Drops the last refusal, because another input was accepted.
    pub(super) fn accept(&mut self) {
        self.refused = None;
    }

    /// Adds a notice that something was done, or with `Err` that something failed.
    pub(super) fn notice(&mut self, at: Instant, text: Result<Sentence, String>) {
        match text {
            Ok(text) => self.push_notice(Notice { at, failed: false, text, file: None, carry_on: None }),
            Err(text) => self.fail(at, plain(text)),
        }
    }

    /// Adds a notice that something failed.
    pub(super) fn fail(&mut self, at: Instant, text: Sentence) {
        self.news.push(News::Failed(text.clone()));
        self.push_notice(Notice { at, failed: true, text, file: None, carry_on: None });
    }

    /// Adds a notice that this file was written, or why it was not.
    pub(super) fn notice_file(&mut self, at: Instant, written: Result<PathBuf, String>) {
        match written {
            Ok(path) => {
                let text = say!("written", "written: {path}", path = tabiya_types::shown(&path));
                self.push_notice(Notice { at, failed: false, text, file: Some(path), carry_on: None });
            }
            Err(sentence) => self.notice(at, Err(sentence)),
        }
    }

    pub(super) fn push_notice(&mut self, notice: Notice) {
        let notices = Arc::make_mut(&mut self.notices);
        notices.push(Notice { text: notice.text.harmless(), ..notice });
        let over = notices.len().saturating_sub(NOTICES);
        notices.drain(..over);
    }
}

/// Makes a sentence that is not translated, such as the text of a file error, a connection error, or an error in a
/// typed line.
pub(crate) fn plain(line: String) -> Sentence {
    say!("plain-line", "{line}", line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_on_the_side_is_told_to_fronts_that_print_lines_too() {
        let mut talk = Talk::default();
        talk.notice(Instant::ZERO, Err("the raw bytes are no longer saved: no space left".to_owned()));
        let [News::Failed(text)] = &talk.take_news()[..] else { panic!("one piece of news") };
        assert_eq!(text.to_string(), "the raw bytes are no longer saved: no space left");
        talk.notice(Instant::ZERO, Ok(plain("printed".to_owned())));
        assert_eq!(talk.take_news(), [], "a screen shows what was done");
    }

    #[test]
    fn answers_are_kept_no_longer_than_what_was_said() {
        let mut talk = Talk::default();
        for nth in 0..SAID {
            talk.answer(vec![plain(nth.to_string()), plain("and more".to_owned())]);
        }
        assert_eq!(talk.said().len(), SAID);
    }
}
