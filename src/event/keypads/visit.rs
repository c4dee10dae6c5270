//! What a telephone asks and sends: the code, whose keypad it is, its keys. Whatever it sends is a form of a page that it was shown, once.

use std::sync::Arc;

use tabiya_app::keypads::{
    KeypadAct, KeypadAnswer, KeypadKey, KeypadOf, KeypadReport, KeypadVisitor, TurnMark, VisitorStage,
};
use tabiya_app::words::in_record;
use tabiya_engine::record::chain::hex;
use tabiya_text::Words;
use tabiya_types::{Card, Color, Millis, Sentence, say};

use super::sessions::{PadQuestion, PadSession};
use super::{COOKIE, KeypadSite, views};
use crate::boot::chance;
use crate::pages::answer::{LIVE, PageAnswer, PageBody, SIGN, go, in_words, page};
use crate::pages::forms::old_page;
use crate::pages::request::{PageAsk, cookie_for};

const STYLE: &str = concat!(include_str!("../pages/base.css"), include_str!("keypad.css"));
const SCRIPT: &str = include_str!("keypad.js");
/// The longest line that is said, in characters.
const LONGEST_LINE: usize = 80;
/// The longest name of a device that is read, in characters.
const LONGEST_NAME: usize = 60;

/// How long something is said.
const NOTICE: Millis = Millis(8_000);

/// A telephone that has typed the code.
pub(super) struct PadVisit<'a> {
    pub(super) site: &'a KeypadSite,
    pub(super) words: &'a Words,
    pub(super) cookie: &'a str,
    pub(super) visitor: KeypadVisitor,
    pub(super) report: Arc<KeypadReport>,
}

/// Answers. Waits for the table where something is done.
pub(super) fn answer(site: &KeypadSite, ask: &PageAsk) -> PageAnswer {
    if !ask.posts {
        let fixed = match ask.path.as_str() {
            "/page.css" => Some(PageBody::Fixed("text/css; charset=utf-8", STYLE)),
            "/live.js" => Some(PageBody::Fixed("text/javascript; charset=utf-8", LIVE)),
            "/keypad.js" => Some(PageBody::Fixed("text/javascript; charset=utf-8", SCRIPT)),
            "/tabiya.svg" => Some(PageBody::Fixed("image/svg+xml", SIGN)),
            _ => None,
        };
        if let Some(fixed) = fixed {
            return fixed.into();
        }
    }
    in_words(ask.language, |words| with_words(site, ask, words))
}

fn with_words(site: &KeypadSite, ask: &PageAsk, words: &Words) -> PageAnswer {
    if ask.posts && ask.path == "/code" {
        return code(site, ask, words);
    }
    let cookie = ask.cookie.as_deref().unwrap_or_default();
    let report = site.link.report();
    let ticket = site.sessions().get(cookie).map(|session| session.ticket);
    match ticket.and_then(|ticket| report.visitor(ticket)).cloned() {
        Some(visitor) => PadVisit { site, words, cookie, visitor, report }.answer(ask),
        None if ask.posts || ask.path != "/" => go("/"),
        None => page(views::code(site, words, &report, None)),
    }
}

/// Somebody types the code.
fn code(site: &KeypadSite, ask: &PageAsk, words: &Words) -> PageAnswer {
    let digits: String = ask.field("code").chars().filter(char::is_ascii_digit).take(5).collect();
    let Ok(bytes) = chance::<32>() else { return PageBody::Refused(503).into() };
    let act = KeypadAct::Code { digits, from: ask.from.clone() };
    let said = match site.link.act(act) {
        Some(KeypadAnswer::Ticket(ticket)) => {
            let cookie = hex(&bytes);
            site.sessions().begin(&cookie, ticket);
            let cookie = Some(cookie_for(COOKIE, Some(&cookie)));
            return PageAnswer { body: PageBody::Go("/".to_owned()), cookie };
        }
        Some(KeypadAnswer::WrongCode(left)) => words.with("pad-wrong", &[("count", u32::from(left).into())]),
        Some(KeypadAnswer::Waits(left)) => {
            words.with("pad-waits", &[("seconds", left.0.div_ceil(1_000).into())])
        }
        Some(_) => words.t("pad-off"),
        None => return PageBody::Refused(503).into(),
    };
    page(views::code(site, words, &site.link.report(), Some(said)))
}

/// Which face of a keypad is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PadFace {
    /// The clock on its side, the bets upright.
    Turned,
    Bets,
    Clock,
}

impl PadFace {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Turned => "turned",
            Self::Bets => "bets",
            Self::Clock => "clock",
        }
    }
}

impl PadVisit<'_> {
    fn answer(&self, ask: &PageAsk) -> PageAnswer {
        if ask.posts {
            return self.posted(ask);
        }
        if ask.after == Some(self.report.version) {
            return PageBody::Same.into();
        }
        let face = match ask.path.as_str() {
            "/" => Some(PadFace::Turned),
            "/bets" => Some(PadFace::Bets),
            "/clock" => Some(PadFace::Clock),
            _ => None,
        };
        match (self.visitor.stage, face) {
            (VisitorStage::Is(_), Some(face)) => page(views::pad(self, face)),
            (VisitorStage::Is(_), None) if ask.path == "/ask" => {
                views::question(self).map_or_else(|| go("/"), page)
            }
            (VisitorStage::Is(_), None) => PageBody::Refused(404).into(),
            (_, None | Some(PadFace::Bets | PadFace::Clock)) => go("/"),
            (VisitorStage::Typed, _) => page(views::whose(self)),
            (VisitorStage::Asks(of), _) => page(views::waiting(self, of)),
            (VisitorStage::Ended(why), _) => page(views::ended(self, why)),
        }
    }

    /// Does this with the session, if it is still open.
    pub(super) fn session<T>(&self, act: impl FnOnce(&mut PadSession) -> T) -> Option<T> {
        self.site.sessions().get(self.cookie).map(act)
    }

    /// What the pages say for a while. More than one page may be on its way to the browser, and only one of them is shown.
    fn tell(&self, says: Sentence, failed: bool) {
        let now = self.site.link.timeline.now();
        self.session(|session| session.notice = Some((says, failed, now)));
    }

    /// What is said now, and whether something went wrong.
    pub(super) fn notice(&self) -> Option<(Sentence, bool)> {
        let now = self.site.link.timeline.now();
        let (says, failed, since) = self.session(|session| session.notice.clone()).flatten()?;
        (now.since(since) < NOTICE).then_some((says, failed))
    }

    fn posted(&self, ask: &PageAsk) -> PageAnswer {
        if ask.path == "/leave" {
            self.site.link.act(KeypadAct::Leave(self.visitor.ticket));
            self.site.sessions().end(self.cookie);
            return PageAnswer { body: PageBody::Go("/".to_owned()), cookie: Some(cookie_for(COOKIE, None)) };
        }
        // A double tap, or a page of yesterday, does nothing.
        let number = ask.field("form").parse().unwrap_or(0);
        let is_new = self.session(|session| {
            session.notice = None;
            session.forms.take(number)
        });
        let is_new = is_new.unwrap_or(false);
        let back = back_of(ask);
        if !is_new {
            self.tell(old_page(), true);
            return go(back);
        }
        match ask.path.as_str() {
            "/whose" => self.whose(ask),
            "/do" => self.key(ask, back),
            "/say" => self.say(ask, back),
            "/ask" => self.answered(ask, back),
            _ => PageBody::Refused(404).into(),
        }
    }

    /// It says whose keypad it is to be.
    fn whose(&self, ask: &PageAsk) -> PageAnswer {
        let Some(of) = KeypadOf::from_word(ask.field("of")) else { return go("/") };
        let name: String = ask.field("name").trim().chars().take(LONGEST_NAME).collect();
        if name.is_empty() {
            self.tell(say!("keypad-needs-name", "say what the table shall call this telephone"), true);
            return go("/");
        }
        let act = KeypadAct::Ask { ticket: self.visitor.ticket, of, name };
        match self.site.link.act(act) {
            Some(KeypadAnswer::Done) => {}
            Some(_) => self.tell(say!("keypad-no-match", "the table does not take keypads now"), true),
            None => return PageBody::Refused(503).into(),
        }
        go("/")
    }

    /// It uses a key.
    fn key(&self, ask: &PageAsk, back: &str) -> PageAnswer {
        let shown = TurnMark {
            acts: ask.field("acts").parse().unwrap_or(usize::MAX),
            press: ask.field("press").parse().unwrap_or(usize::MAX),
        };
        let what = ask.field("what");
        if what == "fold" {
            self.session(|session| session.question = Some(PadQuestion::Fold(shown)));
            return go("/ask");
        }
        let Some(key) = key_of(what, ask.field("to")) else { return PageBody::Refused(400).into() };
        self.act(KeypadAct::Press { ticket: self.visitor.ticket, key, shown }, back)
    }

    fn say(&self, ask: &PageAsk, back: &str) -> PageAnswer {
        let line: String = ask.field("line").trim().chars().take(LONGEST_LINE).collect();
        if line.is_empty() {
            return go(back);
        }
        let line = in_record(&line, self.words);
        self.act(KeypadAct::Say { ticket: self.visitor.ticket, line }, back)
    }

    /// The answer to what it was asked.
    fn answered(&self, ask: &PageAsk, back: &str) -> PageAnswer {
        let question = self.session(|session| session.question.take()).flatten();
        let ticket = self.visitor.ticket;
        match question.filter(|_| ask.field("answer") == "yes") {
            Some(PadQuestion::Fold(shown)) => {
                self.act(KeypadAct::Press { ticket, key: KeypadKey::Fold, shown }, back)
            }
            Some(PadQuestion::Table(_)) => self.act(KeypadAct::Yes(ticket), back),
            None => go(back),
        }
    }

    /// Lets the table do this, and says what came of it.
    fn act(&self, act: KeypadAct, back: &str) -> PageAnswer {
        match self.site.link.act(act) {
            Some(KeypadAnswer::Done) => {}
            Some(KeypadAnswer::Sent) => {
                self.tell(say!("keypad-sent", "sent; it counts once the board shows what was played"), false);
            }
            Some(KeypadAnswer::Asks(text)) => {
                self.session(|session| session.question = Some(PadQuestion::Table(text)));
                return go("/ask");
            }
            Some(KeypadAnswer::Refused(why)) => self.tell(why, true),
            Some(KeypadAnswer::RefusedQuietly) => {
                self.tell(say!("keypad-refused", "the table has not taken this"), true);
            }
            Some(KeypadAnswer::Late) => {
                self.tell(say!("keypad-late", "not done: the table has gone on"), true);
            }
            Some(
                KeypadAnswer::NoKeypad
                | KeypadAnswer::Ticket(_)
                | KeypadAnswer::WrongCode(_)
                | KeypadAnswer::Waits(_),
            ) => return go("/"),
            None => return PageBody::Refused(503).into(),
        }
        go(back)
    }
}

/// The face to which a form leads back.
fn back_of(ask: &PageAsk) -> &'static str {
    match ask.field("face") {
        "bets" => "/bets",
        "clock" => "/clock",
        _ => "/",
    }
}

/// The key that a button names. `to` is the amount of a raise.
fn key_of(what: &str, to: &str) -> Option<KeypadKey> {
    Some(match what {
        "fold-sure" => KeypadKey::Fold,
        "call" => KeypadKey::Call,
        "raise" => KeypadKey::Raise(to.parse().ok()?),
        "all-in" => KeypadKey::AllIn,
        "stop" => KeypadKey::Stop,
        "arbiter" => KeypadKey::CallArbiter,
        "go-on" => KeypadKey::GoOn,
        "draw" => KeypadKey::OfferDraw,
        "accept" => KeypadKey::AcceptDraw,
        "decline" => KeypadKey::DeclineDraw,
        "sign" => KeypadKey::Sign,
        _ => {
            let (verb, of) = what.split_once(' ')?;
            match verb {
                "press" => KeypadKey::Press(Color::from_word(of)?),
                "reveal" => KeypadKey::Reveal(Card::ALL.into_iter().find(|card| card_word(*card) == of)?),
                _ => return None,
            }
        }
    })
}

/// The word for a card in a form.
pub(super) fn card_word(card: Card) -> String {
    card.role().word().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_buttons_send_are_keys_and_nothing_else_is() {
        assert_eq!(key_of("raise", "36"), Some(KeypadKey::Raise(36)));
        assert_eq!(key_of("press black", ""), Some(KeypadKey::Press(Color::Black)));
        for card in Card::ALL {
            let what = format!("reveal {}", card_word(card));
            assert_eq!(key_of(&what, ""), Some(KeypadKey::Reveal(card)), "{what}");
        }
        for (what, to) in
            [("raise", "-1"), ("raise", ""), ("press", ""), ("press red", ""), ("rule", ""), ("fold", "")]
        {
            assert_eq!(key_of(what, to), None, "{what} {to}");
        }
    }
}
