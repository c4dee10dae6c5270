#![expect(clippy::indexing_slicing, reason = "a test may stop at the first surprise")]

use super::super::signing::TableKeyFile;
use super::*;

fn key() -> TableKey {
    TableKeyFile::new().and_then(|file| file.key()).expect("a key")
}

fn head(nth: u8) -> Head {
    Head::from_bytes([nth; 32])
}

fn names(all: &[&str]) -> Arc<BTreeSet<String>> {
    Arc::new(all.iter().map(|&name| name.to_owned()).collect())
}

/// A match with this many lines; the hash after line n is made of bytes n.
fn record(lines: u8) -> Compared {
    let heads = (0..=lines).map(head).collect();
    let (uid, last_t) = (Some("m".to_owned()), u64::from(lines) * 1_000);
    Compared { uid, names: names(&["m", "n"]), heads, last_t, moment: Some(61_000) }
}

fn point(seq: u8) -> Point {
    Point { uid: "m".to_owned(), begins: head(0), seq: seq.into(), head: head(seq) }
}

/// A file in which a table has signed lines 0, 3 and 7, and the moments 3 s and 61 s.
fn signed(folder: &Path) -> (PathBuf, PublicKey) {
    let record = folder.join("e.tabiya");
    let mut signer = Signer::new(key());
    for (seq, t) in [(0, 0), (3, 3_000), (7, 61_000), (7, 61_000)] {
        signer.sign(&record, &point(seq), t).expect("signed");
    }
    (record, signer.key.public())
}

#[test]
fn a_record_is_whole_changed_or_shortened_and_the_signer_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, by) = signed(folder.path());
    assert_eq!(std::fs::read_to_string(file_of(&file)).expect("heads").lines().count(), 5);
    let heads = Heads::beside(&file).expect("read");
    let found = heads.check(&record(9), Some(by)).expect("whole");
    assert_eq!(found.iter().map(|one| (one.key, one.seq)).collect::<Vec<_>>(), [(by, 7)]);
    assert_eq!(heads.newest(&record(7)).expect("the end is signed").seq, 7);
    assert_eq!(heads.newest(&record(9)), None);
    assert!(matches!(heads.check(&record(6), None), Err(Contradiction::Shortened { line: 8, there: 7, .. })));
    let mut changed = record(9);
    changed.heads[3] = head(99);
    assert!(matches!(heads.check(&changed, None), Err(Contradiction::Changed { line: 4, .. })));
    let other = key().public();
    assert!(matches!(heads.check(&record(9), Some(other)), Err(Contradiction::Unsigned { file: None, .. })));
    let mut another_match = record(2);
    another_match.heads[0] = head(50);
    let changed = heads.check(&another_match, None);
    assert!(matches!(changed, Err(Contradiction::Changed { line: 1, .. })), "its header was changed");
    another_match.uid = Some("other".to_owned());
    let renamed = Compared { uid: Some("zz".to_owned()), names: names(&["zz", "n"]), ..record(9) };
    assert!(
        matches!(heads.check(&renamed, None), Err(Contradiction::Changed { line: 1, .. })),
        "its name was changed"
    );
    let twin = Compared { uid: Some("n".to_owned()), names: names(&["m", "n"]), ..record(9) };
    assert_eq!(heads.check(&twin, None), Ok(Vec::new()), "another match of the file has the same header");
    assert_eq!(heads.check(&another_match, None), Ok(Vec::new()), "heads of another match say nothing");
    let none = Heads::beside(&folder.path().join("none.tabiya")).expect("no file is no error");
    assert!(matches!(none.check(&record(9), Some(by)), Err(Contradiction::Unsigned { file: Some(_), .. })));
}

#[test]
fn two_matches_that_began_within_one_second_are_no_renamed_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, by) = signed(folder.path());
    let twin = Point { uid: "twin".to_owned(), ..point(2) };
    let twin_head = Point { head: head(77), ..twin.clone() };
    let mut signer = Signer::new(key());
    signer.sign(&file, &twin, 900_000).expect("signed");
    let stranger = signer.key.public();
    let heads = Heads::beside(&file).expect("read");
    assert!(heads.check(&record(9), None).is_err(), "{stranger} signed this match only under another name");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("e.tabiya");
    let mut signer = Signer::new(key());
    let by_one = signer.key.public();
    assert_ne!(by, by_one);
    for (point, t) in [(&point(0), 0), (&twin_head, 900_000), (&point(7), 61_000)] {
        signer.sign(&file, point, t).expect("signed");
    }
    let heads = Heads::beside(&file).expect("read");
    let found =
        heads.check(&record(9), Some(by_one)).expect("the other match's heads and moments say nothing");
    assert_eq!(found.iter().map(|one| one.seq).collect::<Vec<_>>(), [7]);
}

#[test]
fn a_saved_moment_lies_between_the_signed_one_and_the_next_signature() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, _) = signed(folder.path());
    let heads = Heads::beside(&file).expect("read");
    for (moment, fits) in [(0, false), (60_999, false), (61_000, true), (123_000, true), (123_001, false)] {
        let moved = Compared { moment: Some(moment), ..record(9) };
        assert_eq!(heads.check(&moved, None).is_ok(), fits, "{moment}");
    }
}

#[test]
fn every_changed_bit_of_a_file_of_heads_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, _) = signed(folder.path());
    let (path, whole) = (file_of(&file), std::fs::read(file_of(&file)).expect("heads"));
    for bit in 0..whole.len() * 8 {
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, &changed).expect("written");
        let heads = Heads::beside(&file).expect("read");
        assert!(heads.check(&record(9), None).is_err(), "bit {} of byte {}", bit % 8, bit / 8);
    }
}

#[test]
fn a_torn_last_line_is_passed_over_and_the_next_signature_removes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, by) = signed(folder.path());
    let (path, whole) = (file_of(&file), std::fs::read(file_of(&file)).expect("heads"));
    let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').expect("lines") + 1;
    for end in last..whole.len() - 1 {
        std::fs::write(&path, &whole[..end]).expect("written");
        let heads = Heads::beside(&file).expect("read");
        let found = heads.check(&record(9), Some(by)).expect("what is there is whole");
        assert_eq!(found[0].seq, 7, "cut at {end}");
    }
    Signer::new(key()).sign(&file, &point(9), 62_000).expect("signed");
    let heads = Heads::beside(&file).expect("read");
    let later = Compared { moment: Some(62_000), ..record(9) };
    assert_eq!(heads.check(&later, None).expect("no torn line is left").len(), 2);
}

#[cfg(unix)]
#[test]
fn heads_that_are_a_device_a_pipe_or_too_long_are_an_error_and_hold_nothing_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("evening.tabiya");
    let path = file_of(&file);
    let said = || Signer::new(key()).sign(&file, &point(1), 0).expect_err("not signed").to_string();
    for device in ["/dev/zero", "/dev/null"] {
        std::os::unix::fs::symlink(device, &path).expect("a link");
        assert_eq!(said(), "this is not an ordinary file");
        std::fs::remove_file(&path).expect("removed");
    }
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    assert_eq!(said(), "this is not an ordinary file");
    std::fs::remove_file(&path).expect("removed");
    std::fs::File::create(&path).and_then(|file| file.set_len(LONGEST)).expect("a long file");
    assert!(said().contains("move it to another folder"));
}

#[cfg(unix)]
#[test]
fn a_record_behind_a_link_has_the_heads_of_the_file_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, by) = signed(folder.path());
    std::fs::write(&file, "a record").expect("written");
    std::fs::create_dir(folder.path().join("desk")).expect("a folder");
    let link = folder.path().join("desk/link.tabiya");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    let heads = Heads::beside(&link).expect("read");
    assert_eq!(heads.check(&record(9), Some(by)).expect("signed").len(), 1);
}

#[test]
fn heads_that_another_program_passed_on_with_carriage_returns_are_the_same_heads() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, by) = signed(folder.path());
    let text = std::fs::read_to_string(file_of(&file)).expect("heads").replace('\n', "\r\n");
    std::fs::write(file_of(&file), text).expect("written");
    let found = Heads::beside(&file).expect("read").check(&record(9), Some(by));
    assert_eq!(found.expect("whole")[0].seq, 7);
}

#[test]
fn nuls_and_torn_sectors_at_the_end_are_a_torn_end_and_a_changed_byte_before_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, by) = signed(folder.path());
    let (path, whole) = (file_of(&file), std::fs::read(file_of(&file)).expect("heads"));
    let starts: Vec<usize> =
        whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    let (last, end) = (starts[3], whole.len());
    let torn = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut left = whole.clone();
        change(&mut left);
        left
    };
    let ends = [
        ("NULs after the last line", torn(&|left| left.extend([0; 600])), 7),
        ("NULs and a line feed", torn(&|left| left.extend(b"\0\0\0\0\n")), 7),
        ("half a line, then NULs", torn(&|left| left[last + 90..].fill(0)), 7),
        ("a lost sector, then the end of the line", torn(&|left| left[last..last + 300].fill(0)), 7),
        ("both lines that were written together", torn(&|left| left[starts[2] + 40..last + 100].fill(0)), 3),
        ("the first of both, the second is whole", torn(&|left| left[starts[2]..last - 50].fill(0)), 3),
        ("only NULs are left of both", torn(&|left| left[starts[2]..end].fill(0)), 3),
    ];
    for (what, left, seq) in ends {
        std::fs::write(&path, &left).expect("written");
        let found = Heads::beside(&file).expect("read").check(&record(9), Some(by));
        assert_eq!(found.expect(what)[0].seq, seq, "{what}");
        Signer::new(key()).sign(&file, &point(9), 62_000).expect(what);
        let later = Compared { moment: Some(62_000), ..record(9) };
        let found = Heads::beside(&file).expect("read").check(&later, None);
        assert_eq!(found.expect(what).len(), 2, "{what}");
        let merged = merged(String::from_utf8(left).expect("text"), "");
        assert!(!merged.contains('\0'), "{what}: a copy of the heads goes on, too");
    }
    for at in [40, starts[0] + 100, starts[1] - 10] {
        std::fs::write(&path, torn(&|left| left[at] = 0)).expect("written");
        assert!(Heads::beside(&file).expect("read").check(&record(9), None).is_err(), "byte {at}");
    }
}

#[test]
fn dates_that_go_back_and_matches_that_are_gone_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("e.tabiya");
    let key = key();
    let line = |uid: &str, seq: u8, at: &str| {
        let point = Point { uid: uid.to_owned(), ..point(seq) };
        let message = Value::Object(message(&point, Signed::Head, at)).to_string();
        let signature = key.sign(&message);
        HeadLine { point, what: Signed::Head, at: at.to_owned(), key: key.public(), signature }.to_text()
    };
    let (early, late) = ("1970-01-01T00:00:09Z", "2026-11-29T20:00:00Z");
    // The last line of a match that is looked at again is signed again, later: that is no step back.
    let dated = [line("m", 0, early), line("m", 2, late), line("m", 2, early), line("m", 4, late)].concat();
    std::fs::write(file_of(&file), &dated).expect("written");
    assert_eq!(Heads::beside(&file).expect("read").dates_back(&record(9), None), None);
    std::fs::write(file_of(&file), dated + &line("m", 7, early)).expect("written");
    let heads = Heads::beside(&file).expect("read");
    let back = heads.dates_back(&record(9), None).expect("1970 comes after 2026");
    assert_eq!((back.first.0, back.then), (3, (8, early.to_owned())));
    assert!(heads.check(&record(9), None).is_ok(), "that proves no change");

    std::fs::write(file_of(&file), line("m", 3, late) + &line("gone", 5, late)).expect("written");
    let heads = Heads::beside(&file).expect("read");
    let (here, elsewhere) = (names(&["m", "n"]), names(&["x"]));
    let gone = heads.removed(&here, None);
    assert!(matches!(&gone, Err(Contradiction::Removed { uid, line: 6, .. }) if uid == "gone"), "{gone:?}");
    assert_eq!(heads.removed(&names(&["m", "gone"]), None), Ok(()));
    assert_eq!(heads.removed(&elsewhere, None), Ok(()), "these are the heads of another record");
    assert_eq!(heads.removed(&here, Some(self::key().public())), Ok(()), "that key has signed nothing");
}

#[test]
fn the_code_of_a_sheet_belongs_to_one_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, _) = signed(folder.path());
    let signed = Heads::beside(&file).expect("read").newest(&record(7)).expect("signed");
    let read = HeadSignature::from_code(&signed.code()).expect("a code");
    assert_eq!(is_of(&read, &record(7), "m"), Ok(()));
    assert_eq!(is_of(&read, &record(9), "m"), Ok(()));
    assert_eq!(is_of(&read, &record(7), "n"), Err(Contradiction::OtherCode));
    assert!(matches!(is_of(&read, &record(5), "m"), Err(Contradiction::Shortened { .. })));
    let forged = HeadSignature { at: "2026-01-01T00:00:00Z".to_owned(), ..read };
    assert_eq!(is_of(&forged, &record(7), "m"), Err(Contradiction::OtherCode));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(32))]

    /// A whole file with any byte changed, and any text.
    #[test]
    fn any_bytes_keep_the_law_of_heads(at in 0_usize..3_000, byte in proptest::prelude::any::<u8>(), text in ".{0,300}") {
        thread_local! { static WHOLE: Vec<u8> = {
            let folder = tempfile::tempdir().expect("a folder");
            let (record, _) = signed(folder.path());
            std::fs::read(file_of(&record)).expect("heads")
        } }
        WHOLE.with(|whole| {
            heads_law(whole);
            let mut changed = whole.clone();
            let at = at % changed.len();
            changed[at] = byte;
            heads_law(&changed);
        });
        heads_law(text.as_bytes());
    }
}
