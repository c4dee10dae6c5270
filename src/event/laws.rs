//! Laws: what must hold for any bytes that come over a hall's network. Ordinary tests and the fuzz targets call the functions in
//! this module. If a law is broken, the function panics, and its message contains the values.
#![expect(clippy::missing_panics_doc, reason = "a law reports a violation by panicking")]

use futures_util::FutureExt as _;
use tokio::io::{AsyncRead, AsyncReadExt as _, join, sink};
use tokio_tungstenite::tungstenite::protocol::Role;

use crate::fragments::FragmentCount;
use crate::join::TableFile;
use crate::lists::{Roster, Staff};
use crate::rounds::csv;
use crate::rounds::standings::code::TieBreak;
use crate::rounds::standings::{Edition, standings};
use crate::rounds::trf::TrfFile;
use crate::socket::{HallSocket, LinkEnd};
use crate::wire::{FromConsole, FromTable, LAST_TABLE, LONGEST};

/// Reads the bytes as a message from either side. A message that is known is the same after it was written and read again.
pub fn message_law(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(Some(message)) = FromTable::read(text) {
        assert_eq!(FromTable::read(&message.to_text()), Ok(Some(message)), "{text}");
    }
    if let Ok(Some(message)) = FromConsole::read(text) {
        assert_eq!(FromConsole::read(&message.to_text()), Ok(Some(message)), "{text}");
    }
}

/// Reads the bytes as a list of consoles, as a list of tables and as a table's prepared file. Whatever signature they have
/// counts as right here, so that the members behind it are read, too. A list is kept as it was signed, and counts nowhere if its
/// signature is wrong.
pub fn list_law(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(file) = TableFile::read(text) {
        assert!((1..=LAST_TABLE).contains(&u64::from(file.table)) && file.event.len() == 16, "{text}");
    }
    let Ok(list) = serde_json::from_str::<serde_json::Value>(text) else { return };
    let event = list.get("event").and_then(serde_json::Value::as_str).unwrap_or_default();
    let (all, none) = (|_: &str, _: &str, _: &str| true, |_: &str, _: &str, _: &str| false);
    assert!(Staff::read(&list, event, "", &none).is_err(), "a list counts without a signature: {text}");
    assert!(Roster::read(&list, event, "", &none).is_err(), "a list counts without a signature: {text}");
    if let Ok(staff) = Staff::read(&list, event, "", &all) {
        assert_eq!(staff.signed(), &list);
        assert!(staff.consoles.iter().all(|one| staff.console(&one.key).is_some()), "{text}");
    }
    if let Ok(roster) = Roster::read(&list, event, "", &all) {
        assert_eq!(roster.signed(), &list);
        assert!(roster.tables.iter().all(|(table, key)| roster.knew(*table, key)), "{text}");
    }
}

/// Reads the bytes behind the first as what a WebSocket brings, at a console and at a table. No text is longer than a message
/// may be, every link ends, and it makes no difference in which two parts the bytes come (the first byte says where they are
/// parted), neither to what is heard nor to where there are too many fragments.
pub fn socket_law(bytes: &[u8]) {
    frames_law(bytes);
    let Some((at, first, second)) = parted(bytes) else { return };
    let bytes = bytes.get(1..).unwrap_or_default();
    for role in [Role::Server, Role::Client] {
        let whole = heard(bytes, role);
        assert_eq!(heard(first.chain(second), role), whole, "parted at {at}: {bytes:02X?}");
        assert!(whole.0.iter().all(|text| text.len() <= LONGEST), "too long: {bytes:02X?}");
    }
}

/// Reads the bytes behind the first as the frames of a WebSocket, and as the answer that opens it with frames behind it: it makes no
/// difference in which two parts they come to where there are too many fragments.
pub fn frames_law(bytes: &[u8]) {
    let Some((at, first, second)) = parted(bytes) else { return };
    let bytes = bytes.get(1..).unwrap_or_default();
    for new in [FragmentCount::of_frames, FragmentCount::of_answer] {
        let (mut whole, mut parted) = (new(), new());
        let found = parted.push(first).and_then(|()| parted.push(second).map_err(|place| at + place));
        assert_eq!(found, whole.push(bytes), "parted at {at}: {bytes:02X?}");
    }
}

/// The bytes behind the first in two parts: the first says where they are parted. `None` without a byte.
fn parted(bytes: &[u8]) -> Option<(usize, &[u8], &[u8])> {
    let (at, bytes) = bytes.split_first()?;
    let at = (bytes.len() * usize::from(*at)).div_ceil(256).min(bytes.len());
    let (first, second) = bytes.split_at(at);
    Some((at, first, second))
}

/// The texts that come, and how the link ends.
fn heard(bytes: impl AsyncRead + Unpin, role: Role) -> (Vec<String>, LinkEnd) {
    let all = async {
        let stream = join(bytes, sink());
        let mut socket = HallSocket::over(stream, role).await;
        let mut texts = Vec::new();
        loop {
            match socket.hear().await {
                Ok(text) => texts.push(text.as_str().to_owned()),
                Err(end) => return (texts, end),
            }
        }
    };
    // Memory never lets anybody wait.
    all.now_or_never().expect("bytes in memory are read at once")
}

/// Reads the bytes as a tournament report file and as a list of players. A file that is read is written as it was; its crosstable has
/// standings in which nobody is missing.
pub fn tournament_law(bytes: &[u8]) {
    let _ = csv::read(bytes);
    let Ok(file) = TrfFile::read(bytes) else { return };
    assert_eq!(file.to_bytes().as_deref(), Ok(bytes), "a file is written as it was read");
    let _ = file.faults();
    let table = file.crosstable();
    let codes = TieBreak::list("BH/C1,BH/M2,FB,AOB,SB/C1,PS,KS,TPR,PTP,APRO,STD,DE").expect("codes");
    for edition in [Edition::E2024, Edition::E2026] {
        let order = standings(&table, &codes, edition);
        assert_eq!(order.len(), table.players.len(), "everybody has a rank");
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// A frame as a table sends it: masked with zeros.
    fn frame(first: u8, body: &[u8]) -> Vec<u8> {
        let len = u16::try_from(body.len()).expect("a short body").to_be_bytes();
        [&[first, 0x80 | 0x7E], len.as_slice(), &[0; 4], body].concat()
    }

    proptest! {
        #[test]
        fn any_bytes_over_a_socket_end_it_or_are_texts(bytes in vec(any::<u8>(), 0..200)) {
            socket_law(&bytes);
        }

        #[test]
        fn frames_in_any_order_are_heard_the_same_however_they_are_parted(
            at in any::<u8>(),
            frames in vec((prop_oneof![Just(0x81_u8), Just(0x01), Just(0x00), Just(0x80), Just(0x89), Just(0x82), any::<u8>()],
                vec(any::<u8>(), 0..40)), 0..8),
        ) {
            let sent: Vec<u8> = frames.iter().flat_map(|(first, body)| frame(*first, body)).collect();
            socket_law(&[&[at], sent.as_slice()].concat());
        }

        #[test]
        fn any_list_is_read_or_refused(n in any::<i64>(), table in ".{0,6}", key in "[0-9a-f]{62,66}", name in ".{0,70}") {
            let sig = "0".repeat(128);
            let staff = serde_json::json!({"m": "staff", "event": "0123456789abcdef", "n": n,
                "consoles": [{"name": name, "key": key, "role": "arbiter", "tables": [1, n]}], "sig": sig});
            list_law(staff.to_string().as_bytes());
            let roster = serde_json::json!({"m": "roster", "event": "0123456789abcdef", "n": n,
                "tables": {table.clone(): key.clone()}, "was": {table: [key]}, "sig": sig});
            list_law(roster.to_string().as_bytes());
        }
    }

    /// The next number of a seeded row (xorshift*).
    fn next(seed: &mut u64) -> usize {
        *seed ^= *seed >> 12;
        *seed ^= *seed << 25;
        *seed ^= *seed >> 27;
        usize::try_from(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).expect("31 bits")
    }

    /// Changes a message in one of the ways in which messages go wrong: a byte, a number, a piece that is missing, doubled, or from
    /// another message.
    fn change(message: &mut Vec<u8>, all: &[&str], seed: &mut u64) {
        const PIECES: [&str; 12] = [
            "null",
            "-1",
            "1e999",
            "9007199254740993",
            "[]",
            "{}",
            "\"\"",
            "true",
            "\\u0000",
            ",",
            "\"m\":\"line\",",
            "\u{FEFF}",
        ];
        let len = message.len().max(1);
        let (from, span) = (next(seed) % len, next(seed) % 24);
        let to = (from + span).min(message.len());
        match next(seed) % 6 {
            0 => {
                if let Some(byte) = message.get_mut(from) {
                    *byte ^= 1 << (next(seed) % 8);
                }
            }
            1 => drop(message.drain(from.min(to)..to)),
            2 => {
                let piece = message.get(from..to).unwrap_or_default().to_vec();
                message.splice(from.min(to)..from.min(to), piece);
            }
            3 => {
                let other = all.get(next(seed) % all.len()).map_or(&[][..], |other| other.as_bytes());
                let at = next(seed) % other.len().max(1);
                let piece = other.get(at..(at + span).min(other.len())).unwrap_or_default().to_vec();
                message.splice(from.min(to)..to, piece);
            }
            4 => {
                let piece = PIECES.get(next(seed) % PIECES.len()).copied().unwrap_or_default();
                message.splice(from.min(to)..to, piece.bytes());
            }
            _ => {
                if let Some(digit) = message.iter_mut().skip(from).find(|byte| byte.is_ascii_digit()) {
                    *digit = b'0' + u8::try_from(next(seed) % 10).expect("a digit");
                }
            }
        }
    }

    /// So many changed messages of the contract, by so many seeds. Returns how many were understood by one of the sides.
    fn fuzzed_messages(count: usize, first_seed: u64) -> usize {
        let page = include_str!("../../docs/hall.md");
        let all: Vec<&str> = page.lines().map(str::trim).filter(|line| line.starts_with("{\"m\":")).collect();
        assert!(all.len() > 8, "the contract has examples");
        let (mut seed, mut understood) = (first_seed | 1, 0);
        let mut message = Vec::new();
        for _ in 0..count {
            let base = all.get(next(&mut seed) % all.len()).copied().unwrap_or_default();
            message.clear();
            message.extend_from_slice(base.as_bytes());
            for _ in 0..=next(&mut seed) % 3 {
                change(&mut message, &all, &mut seed);
            }
            message_law(&message);
            let is_read = std::str::from_utf8(&message).is_ok_and(|text| {
                FromTable::read(text).is_ok_and(|read| read.is_some())
                    || FromConsole::read(text).is_ok_and(|read| read.is_some())
            });
            understood += usize::from(is_read);
        }
        understood
    }

    /// So many frames with any heads and lengths, a few in each input, by this seed. Returns how many inputs had too many fragments.
    fn fuzzed_frames(count: usize, first_seed: u64) -> usize {
        const FIRST: [u8; 8] = [0x81, 0x01, 0x00, 0x00, 0x00, 0x80, 0x89, 0x88];
        let (mut seed, mut frames, mut ended) = (first_seed | 1, 0, 0);
        let mut bytes = Vec::new();
        while frames < count {
            bytes.clear();
            bytes.push(u8::try_from(next(&mut seed) % 256).expect("a byte"));
            // Now and then more fragments than one message may have: not one of them is the last.
            let some = if next(&mut seed).is_multiple_of(64) { 72 } else { 1 + next(&mut seed) % 6 };
            for _ in 0..some {
                let chance = next(&mut seed);
                let any = u8::try_from(chance % 256).expect("a byte");
                let heads = if some > 64 { &FIRST[1..5] } else { &FIRST[..] };
                let any_head = some <= 64 && chance.is_multiple_of(9);
                bytes.push(if any_head { any } else { heads[(chance >> 8) % heads.len()] });
                let masked = if chance & (1 << 12) == 0 { 0x80 } else { 0 };
                match (chance >> 13) % 16 {
                    0 => bytes.extend_from_slice(&[masked | 0x7E, 0, any % 9]),
                    1 => bytes.extend_from_slice(&[masked | 0x7F, 0, 0, 0, 0, 0, 0, any % 2, any % 9]),
                    _ => bytes.push(masked | (any % 9)),
                }
                let body = if masked == 0 { 0 } else { 4 } + usize::from(any % 9);
                bytes.resize(bytes.len() + body, any);
                frames += 1;
            }
            frames_law(&bytes);
            let found = FragmentCount::of_frames().push(bytes.get(1..).unwrap_or_default());
            ended += usize::from(found.is_err());
        }
        ended
    }

    #[test]
    fn frames_with_any_heads_are_counted_the_same_however_they_are_parted() {
        let ended = fuzzed_frames(50_000, 3);
        assert!((10..5_000).contains(&ended), "{ended} inputs ended by too many fragments");
    }

    /// 10⁹ frames by all processors; `TABIYA_FUZZED` chooses another number.
    #[test]
    #[ignore = "minutes: part of `tests/run fuzz`"]
    fn a_thousand_million_frames() {
        let ended = by_all(1_000_000_000, fuzzed_frames);
        assert!(ended > 0, "fragments are counted");
    }

    /// This many by all processors, each with a seed of its own; `TABIYA_FUZZED` chooses another number.
    fn by_all(count: usize, fuzz: fn(usize, u64) -> usize) -> usize {
        let chosen = std::env::var("TABIYA_FUZZED").ok().and_then(|text| text.parse().ok());
        let count: usize = chosen.unwrap_or(count);
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        std::thread::scope(|scope| {
            let one = |nth: usize| scope.spawn(move || fuzz(count.div_ceil(threads), 11 + 2 * nth as u64));
            let all: Vec<_> = (0..threads).map(one).collect();
            all.into_iter().map(|thread| thread.join().expect("no law is broken")).sum()
        })
    }

    #[test]
    fn changed_messages_are_refused_or_are_the_same_when_written_again() {
        let understood = fuzzed_messages(20_000, 7);
        assert!((1_000..20_000).contains(&understood), "{understood} of 20,000 were understood");
    }

    /// 10⁸ by all processors; `TABIYA_FUZZED` chooses another number.
    #[test]
    #[ignore = "minutes: part of `tests/run fuzz`"]
    fn a_hundred_million_changed_messages() {
        let understood = by_all(100_000_000, fuzzed_messages);
        assert!(understood > 0, "some are still messages");
    }

    #[test]
    fn a_message_in_sixty_five_fragments_ends_the_link_after_the_one_before_it() {
        let of = |fragments: usize| {
            let middle = (2..fragments).flat_map(|_| frame(0x00, b" "));
            frame(0x01, b"{").into_iter().chain(middle).chain(frame(0x80, b"}")).collect::<Vec<u8>>()
        };
        let (texts, end) = heard([of(64), of(65), of(2)].concat().as_slice(), Role::Server);
        assert_eq!(texts, [format!("{{{}}}", " ".repeat(62))]);
        assert_eq!(end.code, Some(crate::socket::EndCode::Policy), "{end}");
    }

    #[test]
    fn a_text_in_three_fragments_with_a_ping_between_is_one_message() {
        let sent = [frame(0x01, b"{\"m\":"), frame(0x89, b"?"), frame(0x00, b"\"he"), frame(0x80, b"re\"}")]
            .concat();
        let (texts, end) = heard(sent.as_slice(), Role::Server);
        assert_eq!(texts, [r#"{"m":"here"}"#]);
        assert_eq!(end, LinkEnd::cut("the link was cut"));
    }
}
