//! What a browser asks of the page, read within bounds: whose page it means, from where, in which language, which fields it sends.
//! Pure.
//!
//! Source: `docs/hall.md`, §6 (`Host`, `Origin`, the cookie); forms (WHATWG URL, `application/x-www-form-urlencoded`);
//! languages (RFC 9110, 12.5.4).

use tabiya_text::Language;

/// How the name of a cookie begins. A browser takes such a one over TLS alone, from this host alone (RFC 6265bis, 4.1.3.2).
pub(crate) const OWN: &str = "__Host-";
/// The most fields of a form.
const MOST_FIELDS: usize = 16;
/// The most languages that are looked at.
const MOST_LANGUAGES: usize = 16;

/// What a browser asks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PageAsk {
    /// Whether it changes something.
    pub(crate) posts: bool,
    pub(crate) path: String,
    /// What its cookie has.
    pub(crate) cookie: Option<String>,
    pub(crate) language: Language,
    /// The change of which the page knows that asks, if it waits for another.
    pub(crate) after: Option<u64>,
    /// The address in the network from which it comes.
    pub(crate) from: String,
    pub(crate) form: Vec<(String, String)>,
}

impl PageAsk {
    /// A field of the form; empty without it.
    pub(crate) fn field(&self, name: &str) -> &str {
        self.form.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str())
    }
}

/// Whether a host of a request, with its port, is this one: of these names and addresses, at this port. A page of another name
/// that leads here by a trick with names gets nothing.
pub(crate) fn is_own_host(host: &str, port: u16, is_named: impl Fn(&str) -> bool) -> bool {
    let (name, at) = match host.rsplit_once(':') {
        Some((name, at)) if !at.is_empty() && !at.contains(']') => (name, at.parse::<u16>().ok()),
        // A browser leaves the port of HTTPS out.
        _ => (host, Some(443)),
    };
    at == Some(port) && is_named(name.trim_start_matches('[').trim_end_matches(']'))
}

/// The change after which a page wants to be told, in the query of its address.
pub(crate) fn after_of(query: &str) -> Option<u64> {
    query.split('&').find_map(|part| part.strip_prefix("after="))?.parse().ok()
}

/// Whether a change comes from a page of this host.
pub(crate) fn is_own_origin(origin: Option<&str>, host: &str) -> bool {
    origin
        .and_then(|origin| origin.strip_prefix("https://"))
        .is_some_and(|from| from.eq_ignore_ascii_case(host))
}

/// The session in the cookies of a request, under this name.
pub(crate) fn session_of(name: &str, cookies: &str) -> Option<String> {
    let mut pairs = cookies.split(';').filter_map(|pair| pair.trim().split_once('='));
    let value = pairs.find(|(known, _)| *known == name)?.1;
    let is_ours = value.len() == 64 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_ours.then(|| value.to_owned())
}

/// What is set for a session; for nobody, it is taken away.
pub(crate) fn cookie_for(name: &str, session: Option<&str>) -> String {
    debug_assert!(name.starts_with(OWN), "a browser would send it elsewhere, too");
    let (value, age) = session.map_or(("", 0), |session| (session, 12 * 60 * 60));
    format!("{name}={value}; Path=/; Max-Age={age}; Secure; HttpOnly; SameSite=Strict")
}

/// The language that the browser likes best of those that we have.
pub(crate) fn language_of(accepted: &str) -> Language {
    let mut best: Option<(u32, Language)> = None;
    for part in accepted.split(',').take(MOST_LANGUAGES) {
        let (tag, weight) = part.split_once(';').unwrap_or((part, ""));
        let weight = match weight.trim().strip_prefix("q=") {
            Some(weight) => weight.trim().parse::<f32>().unwrap_or(0.0).clamp(0.0, 1.0),
            None => 1.0,
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1,000")]
        let weight = (weight * 1_000.0) as u32;
        let tag = tag.trim().to_lowercase();
        let first = tag.split('-').next().unwrap_or_default();
        let known = Language::ALL.into_iter().find(|language| language.tag() == first);
        if let Some(language) = known.filter(|_| weight > 0 && best.is_none_or(|(most, _)| weight > most)) {
            best = Some((weight, language));
        }
    }
    best.map(|(_, language)| language).unwrap_or_default()
}

/// The fields of a form; `None` if it is damaged.
pub(crate) fn fields(body: &[u8]) -> Option<Vec<(String, String)>> {
    let text = std::str::from_utf8(body).ok()?;
    let mut found = Vec::new();
    for pair in text.split('&').filter(|pair| !pair.is_empty()) {
        if found.len() >= MOST_FIELDS {
            return None;
        }
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        found.push((decoded(name)?, decoded(value)?));
    }
    Some(found)
}

/// A name or a value of a form: `+` is a space, `%41` a byte.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                bytes.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
                rest = after;
            }
            (b'%', _) => return None,
            (byte, _) => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_s_own_host_and_origin_count() {
        let named = |name: &str| ["192.168.1.5", "::1", "localhost"].contains(&name);
        for own in ["192.168.1.5:44065", "[::1]:44065", "localhost:44065"] {
            assert!(is_own_host(own, 44065, named), "{own}");
        }
        for other in ["192.168.1.5", "192.168.1.5:44064", "evil.example:44065", "", ":44065", "localhost:"] {
            assert!(!is_own_host(other, 44065, named), "{other}");
        }
        assert!(is_own_host("localhost", 443, named), "the port of HTTPS is left out");
        assert!(is_own_origin(Some("https://localhost:44065"), "localhost:44065"));
        for other in
            [None, Some("null"), Some("http://localhost:44065"), Some("https://localhost:44065.example")]
        {
            assert!(!is_own_origin(other, "localhost:44065"), "{other:?}");
        }
    }

    #[test]
    fn the_cookie_is_the_host_s_own_and_strict() {
        const COOKIE: &str = "__Host-tabiya";
        let session = "0123456789abcdef".repeat(4);
        let set = cookie_for(COOKIE, Some(&session));
        for part in
            ["__Host-tabiya=0123", "; Path=/", "; Secure", "; HttpOnly", "; SameSite=Strict", "Max-Age=43200"]
        {
            assert!(set.contains(part), "{set}: {part}");
        }
        assert!(!set.contains("Domain"));
        assert_eq!(session_of(COOKIE, &format!("a=b; {COOKIE}={session}")), Some(session.clone()));
        assert_eq!(session_of(COOKIE, &format!("tabiya={session}")), None);
        assert_eq!(session_of(COOKIE, &format!("{COOKIE}=short")), None);
    }

    #[test]
    fn a_page_says_of_which_change_it_knows() {
        assert_eq!(after_of("after=12"), Some(12));
        assert_eq!(after_of("face=clock&after=0"), Some(0));
        for other in ["", "after=", "after=-1", "before=3", "after=99999999999999999999"] {
            assert_eq!(after_of(other), None, "{other}");
        }
    }

    #[test]
    fn the_language_is_the_one_that_is_liked_best() {
        let cases = [
            ("de-AT,de;q=0.9,en;q=0.8", Language::German),
            ("fr,es;q=0.5,de;q=0.7", Language::German),
            ("es-MX", Language::Spanish),
            ("fr", Language::English),
            ("de;q=0, es", Language::Spanish),
            ("", Language::English),
            ("den", Language::English),
            ("de;q=x", Language::English),
        ];
        for (accepted, language) in cases {
            assert_eq!(language_of(accepted), language, "{accepted}");
        }
    }

    #[test]
    fn forms_are_read_or_refused() {
        let read = fields("a=1&reason=Laws+7.5.5%2C+%C3%A4&b".as_bytes()).expect("a form");
        let wanted = [("a", "1"), ("reason", "Laws 7.5.5, ä"), ("b", "")];
        assert_eq!(read, wanted.map(|(name, value)| (name.to_owned(), value.to_owned())));
        for damaged in ["a=%", "a=%4", "a=%zz", "a=%ff"] {
            assert_eq!(fields(damaged.as_bytes()), None, "{damaged}");
        }
        assert_eq!(fields("a=1&".repeat(17).as_bytes()), None, "too many");
    }
}
