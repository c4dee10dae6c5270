//! The parts of a report of a fault (`tabiya report`). One file holds a record and a capture, and the reader of each finds
//! its part here.
//!
//! The first line of a report begins with `{"report":`. A line of its own stands before each part: `{"part":"record"}` or
//! `{"part":"capture"}`. `docs/exports.md` specifies the file. What is inside a part is left to its reader.

/// The beginning of the first line of a report.
pub const REPORT_START: &str = "{\"report\":";
/// The bytes with which some editors begin a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A part of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportPart {
    /// The record of the match.
    Record,
    /// The board's raw bytes.
    Capture,
}

/// The lines of one part of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartLines<'a> {
    /// The number of lines before the part, so that messages can name a line by its number in the file.
    pub before: usize,
    /// The bytes of the part.
    pub bytes: &'a [u8],
}

/// Whether these bytes are a report.
pub fn is_report(file: &[u8]) -> bool {
    file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file).starts_with(REPORT_START.as_bytes())
}

impl ReportPart {
    /// The line before this part.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Record => "{\"part\":\"record\"}",
            Self::Capture => "{\"part\":\"capture\"}",
        }
    }

    /// This part of a file. A file that is no report is the part as a whole; `None` if a report does not have the part.
    pub fn find(self, file: &[u8]) -> Option<PartLines<'_>> {
        if !is_report(file) {
            return Some(PartLines { before: 0, bytes: file });
        }
        let (mut rest, mut before) = (file, 0);
        loop {
            let (line, after) = first_line(rest)?;
            (rest, before) = (after, before + 1);
            if is_heading(line, self) {
                return Some(PartLines { before, bytes: until_other_part(rest) });
            }
        }
    }
}

/// The beginning of these bytes, up to the line before another part.
fn until_other_part(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let Some((line, after)) = first_line(rest) {
        if [ReportPart::Record, ReportPart::Capture].iter().any(|part| is_heading(line, *part)) {
            return bytes.get(..bytes.len() - rest.len()).unwrap_or(bytes);
        }
        rest = after;
    }
    bytes
}

fn is_heading(line: &[u8], part: ReportPart) -> bool {
    line.trim_ascii() == part.heading().as_bytes()
}

/// The first line, and what comes after it; `None` at the end.
fn first_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if bytes.is_empty() {
        return None;
    }
    let end = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    bytes.split_at_checked(end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const REPORT: &[u8] = b"{\"report\":1}\n{\"part\":\"record\"}\na\nb\n{\"part\":\"capture\"}\r\nc\n";

    #[test]
    fn each_reader_finds_its_part_of_a_report_and_the_numbers_of_its_lines() {
        let record = PartLines { before: 2, bytes: b"a\nb\n" };
        assert_eq!(ReportPart::Record.find(REPORT), Some(record));
        assert_eq!(ReportPart::Capture.find(REPORT), Some(PartLines { before: 5, bytes: b"c\n" }));
    }

    #[test]
    fn a_file_that_is_no_report_is_read_as_a_whole() {
        let file = b"{\"tabiya\":1}\n{\"part\":\"record\"}\n";
        assert_eq!(ReportPart::Record.find(file), Some(PartLines { before: 0, bytes: file }));
    }

    #[test]
    fn a_report_without_a_board_has_no_capture() {
        assert_eq!(ReportPart::Capture.find(b"{\"report\":1}\n{\"part\":\"record\"}\na"), None);
    }

    proptest! {
        #[test]
        fn a_part_is_a_piece_of_the_file(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let file = [REPORT, &bytes].concat();
            for part in [ReportPart::Record, ReportPart::Capture] {
                let found = part.find(&file).expect("it is there");
                let lines = file.split_inclusive(|byte| *byte == b'\n').take(found.before);
                let start: usize = lines.map(<[u8]>::len).sum();
                prop_assert!(file.get(start..).is_some_and(|rest| rest.starts_with(found.bytes)));
            }
        }
    }
}
