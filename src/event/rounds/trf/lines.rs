//! The bytes of a tournament report file as lines: encoding and line ends are kept, so that the same lines give the same bytes.

use super::TrfFault;

/// How letters are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// ISO 8859-1: what is no UTF-8 is read as this.
    Latin1,
}

impl Encoding {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Latin1 => "latin-1",
        }
    }
}

/// How a line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// Line feed.
    Lf,
    /// Carriage return and line feed.
    CrLf,
    /// Carriage return alone.
    Cr,
    /// The file ends there.
    None,
}

impl LineEnd {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Lf | Self::None => "lf",
            Self::CrLf => "crlf",
            Self::Cr => "cr",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
            Self::None => "",
        }
    }
}

/// A line: its text without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextLine {
    /// The text. The first line may begin with a byte order mark.
    pub text: String,
    /// The end.
    pub end: LineEnd,
}

impl TextLine {
    /// The record's code: the first three characters, without the space of a shorter one.
    pub fn code(&self) -> &str {
        let text = self.text.strip_prefix('\u{FEFF}').unwrap_or(&self.text);
        let end = text.char_indices().nth(3).map_or(text.len(), |(at, _)| at);
        text.get(..end).unwrap_or_default().trim()
    }

    /// What stands behind the code, without the spaces around it.
    pub fn value(&self) -> &str {
        let text = self.text.strip_prefix('\u{FEFF}').unwrap_or(&self.text);
        text.char_indices().nth(3).and_then(|(at, _)| text.get(at..)).unwrap_or_default().trim()
    }
}

/// The lines of these bytes, and their encoding.
pub(in crate::rounds) fn decode(bytes: &[u8]) -> (Encoding, Vec<TextLine>) {
    let (encoding, text) = match std::str::from_utf8(bytes) {
        Ok(text) => (Encoding::Utf8, text.to_owned()),
        Err(_) => (Encoding::Latin1, bytes.iter().map(|byte| char::from(*byte)).collect()),
    };
    let mut lines = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let Some(at) = rest.find(['\r', '\n']) else {
            lines.push(TextLine { text: rest.to_owned(), end: LineEnd::None });
            break;
        };
        let (text, tail) = rest.split_at(at);
        let end = if tail.starts_with("\r\n") {
            LineEnd::CrLf
        } else if tail.starts_with('\r') {
            LineEnd::Cr
        } else {
            LineEnd::Lf
        };
        lines.push(TextLine { text: text.to_owned(), end });
        rest = tail.strip_prefix(end.text()).unwrap_or_default();
    }
    (encoding, lines)
}

/// The bytes of these lines in this encoding.
pub(super) fn encode(encoding: Encoding, lines: &[TextLine]) -> Result<Vec<u8>, TrfFault> {
    let text: String = lines.iter().flat_map(|line| [line.text.as_str(), line.end.text()]).collect();
    match encoding {
        Encoding::Utf8 => Ok(text.into_bytes()),
        Encoding::Latin1 => {
            let byte = |letter: char| {
                u8::try_from(u32::from(letter)).map_err(|_| TrfFault::Unwritable(letter.to_string()))
            };
            text.chars().map(byte).collect()
        }
    }
}
