//! Reads lines from standard input. The length of a line is limited, because the input may be a pipe without end and
//! without line breaks.

use std::io::{self, BufRead, Read as _};

/// The largest number of bytes of a line that are kept.
const LONGEST: u64 = 1 << 16;

/// Returns each line without its line ending, until the input ends. The end of a long line is cut off; invalid UTF-8 is
/// replaced.
pub fn lines(mut input: impl BufRead) -> impl Iterator<Item = String> {
    std::iter::from_fn(move || next(&mut input).ok().flatten())
}

fn next(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if !bytes.ends_with(b"\n") {
        skip_line(input)?;
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(
        text.strip_suffix('\n').map_or(&*text, |line| line.strip_suffix('\r').unwrap_or(line)).to_owned(),
    ))
}

/// Skips the input up to and including the next line break.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let some = input.fill_buf()?;
        let end = some.iter().position(|byte| *byte == b'\n');
        let count = end.map_or(some.len(), |end| end + 1);
        let done = end.is_some() || some.is_empty();
        input.consume(count);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8]) -> Vec<String> {
        lines(text).collect()
    }

    #[test]
    fn lines_come_without_their_ends() {
        assert_eq!(all(b"one\r\n\ntwo"), ["one", "", "two"]);
        assert!(all(b"").is_empty());
        assert_eq!(all(b"a\xffb\nc"), ["a\u{fffd}b", "c"]);
    }

    #[test]
    fn a_line_without_an_end_takes_no_more_room_than_a_long_one() {
        let long = usize::try_from(LONGEST).expect("small") * 3;
        let text = [vec![b'0'; long], b"\nnext".to_vec()].concat();
        let read = all(&text);
        assert_eq!(read.iter().map(|line| line.len() as u64).collect::<Vec<_>>(), [LONGEST, 4]);
        let endless = io::BufReader::new(io::repeat(0).take(LONGEST * 50));
        assert_eq!(lines(endless).map(|line| line.len() as u64).collect::<Vec<_>>(), [LONGEST]);
    }
}
