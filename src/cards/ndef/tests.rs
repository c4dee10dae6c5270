//! Tests with the example in `docs/cards.md`, other TLV blocks before the record, half-written cards, and any bytes.

use proptest::prelude::*;

use super::super::laws;
use super::super::tag::{Uid, from_hex};
use super::*;

const ID_DIGITS: &str = "00112233445566778899AABBCCDDEEFF";
const AREA: &str = "0327D4131174616269 79612E6578616D706C653A63617264 01 00112233445566778899AABBCCDDEEFF FE";
const SIGNATURE_DIGITS: &str = "044B5DD13517D15365035D0BFC4511F291C3888004D4B2BF264FBD56EFBB286E
    0FA9B22559E9D895D162542F9CE3CE97A975B7A90AF157585BE22FDED20BFB04";

fn bytes(hex: &str) -> Vec<u8> {
    from_hex(&hex.replace([' ', '\n'], "")).expect("digits")
}

fn id() -> CardId {
    CardId::parse(ID_DIGITS).expect("an id")
}

fn signed() -> Record {
    Record { id: id(), signature: bytes(SIGNATURE_DIGITS).try_into().ok() }
}

#[test]
fn an_unsigned_card_is_the_reference_s_42_bytes() {
    let area = Record::new(id()).area();
    assert_eq!(area, bytes(AREA));
    assert_eq!(area.len(), 42);
    assert_eq!(scan(&area), Scan::Is(TagContent::Ours(Record::new(id()))));
}

#[test]
fn a_signed_card_is_read_too_and_its_signature_is_the_reference_s() {
    assert_eq!(signed().area().len(), 106);
    assert_eq!(scan(&signed().area()), Scan::Is(TagContent::Ours(signed())));
    let uid = Uid::parse("04A1B2C3D48001").expect("a number");
    let message = signed_message(&uid, &id());
    let wanted = "7461626979612063617264207631 00 04A1B2C3D48001 00112233445566778899AABBCCDDEEFF";
    assert_eq!(message, bytes(wanted));
    assert_eq!(message.len(), 38);
    let pair = ed25519_compact::KeyPair::from_seed(ed25519_compact::Seed::new([7; 32]));
    let public = "EA4A6C63E29C520ABEF5507B132EC5F9954776AEBEBE7B92421EEA691446D22C";
    assert_eq!(pair.pk.as_ref(), bytes(public));
    assert_eq!(pair.sk.sign(&message, None).as_ref(), bytes(SIGNATURE_DIGITS));
    let again = ed25519_compact::Signature::from_slice(&bytes(SIGNATURE_DIGITS)).expect("64 bytes");
    assert!(pair.pk.verify(&message, &again).is_ok());
    let mut other = message;
    other[20] ^= 1;
    assert!(pair.pk.verify(&other, &again).is_err());
}

#[test]
fn empty_tags_and_new_ones_hold_nothing() {
    for empty in ["03 00 FE", "03 00 FE 00", "01 03 A0 0C 34 03 00 FE", "FE", "00 00 FE", "03 03 D0 00 00 FE"]
    {
        assert_eq!(scan(&bytes(empty)), Scan::Is(TagContent::Empty), "{empty}");
    }
    assert_eq!(scan(&[0; LONGEST_AREA]), Scan::Is(TagContent::Empty));
}

#[test]
fn what_stands_before_the_message_is_passed_over() {
    for before in
        ["00", "01 03 A0 0C 34", "02 03 A0 10 44", "FD 02 AA BB", "FD FF 00 03 01 02 03", "00 00 FD 00"]
    {
        let area = [bytes(before), bytes(AREA)].concat();
        assert_eq!(scan(&area), Scan::Is(TagContent::Ours(Record::new(id()))), "{before}");
    }
}

#[test]
fn a_length_of_three_bytes_says_the_same() {
    let mut area = bytes(AREA);
    area.splice(1..2, [0xFF, 0x00, 0x27]);
    assert_eq!(scan(&area), Scan::Is(TagContent::Ours(Record::new(id()))));
}

#[test]
fn a_type_is_compared_without_case() {
    let mut area = bytes(AREA);
    area.iter_mut().skip(5).take(TYPE.len()).for_each(u8::make_ascii_uppercase);
    assert_eq!(scan(&area), Scan::Is(TagContent::Ours(Record::new(id()))));
}

#[test]
fn other_records_are_not_ours() {
    let change = |at: usize, to: u8| {
        let mut area = bytes(AREA);
        area[at] = to;
        area
    };
    let text = bytes("03 08 D1 01 04 54 02 65 6E 61 FE");
    for (what, area) in [
        ("a text", text),
        ("a later version", change(24, 2)),
        ("another type", change(10, b'x')),
        ("a record in parts", change(2, 0xF4)),
        ("a payload shorter than it says", change(4, 0x12)),
        ("an unknown block", change(0, 0x04)),
    ] {
        assert_eq!(scan(&area), Scan::Is(TagContent::Other), "{what}");
    }
    assert_eq!(scan(&bytes("03 FF 01 40")), Scan::Is(TagContent::Other), "too long to be ours");
}

#[test]
fn no_more_is_asked_for_than_it_takes_to_know() {
    let area = bytes(AREA);
    for len in 0..41 {
        assert_eq!(scan(&area[..len]), Scan::More, "{len}");
    }
    assert_eq!(scan(&area[..41]), Scan::Is(TagContent::Ours(Record::new(id()))));
    // A reader gets 48 bytes with three READ commands, which is more than the record. The bytes after the record are
    // ignored.
    let long = [&area[..], &[0xAA; 6]].concat();
    assert_eq!(scan(&long[..48]), Scan::Is(TagContent::Ours(Record::new(id()))));
}

#[test]
fn a_card_lifted_while_it_is_written_reads_as_empty() {
    for (old, new) in [
        (vec![], Record::new(id())),
        (Record::new(CardId([9; ID])).area(), Record::new(id())),
        (signed().area(), Record::new(id())),
        (Record::new(id()).area(), signed()),
    ] {
        let writes = new.writes();
        for done in 1..writes.len() {
            let mut tag = [&old[..], &vec![0; LONGEST_AREA - old.len()]].concat();
            for (page, bytes) in &writes[..done] {
                tag[usize::from(page - FIRST_PAGE) * PAGE..][..PAGE].copy_from_slice(bytes);
            }
            assert_eq!(scan(&tag), Scan::Is(TagContent::Empty), "after {done} of {} pages", writes.len());
        }
        let mut tag = vec![0xAA; LONGEST_AREA];
        for (page, bytes) in &writes {
            tag[usize::from(page - FIRST_PAGE) * PAGE..][..PAGE].copy_from_slice(bytes);
        }
        assert_eq!(scan(&tag), Scan::Is(TagContent::Ours(new)));
    }
}

#[test]
fn the_pages_of_the_reference_are_written_from_the_second_on_and_the_first_last() {
    let writes = Record::new(id()).writes();
    assert_eq!(writes.first(), Some(&(4, [0x03, 0x00, 0xFE, 0x00])));
    assert_eq!(writes.get(1), Some(&(5, [0x11, 0x74, 0x61, 0x62])));
    assert_eq!(writes.last(), Some(&(4, [0x03, 0x27, 0xD4, 0x13])));
    assert_eq!(writes.len(), 12);
    assert_eq!(writes.iter().map(|(page, _)| *page).max(), Some(14));
}

proptest! {
    #[test]
    fn any_bytes_hold_the_law(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        laws::area_law(&bytes);
    }

    #[test]
    fn bytes_that_are_nearly_ours_hold_the_law(
        id in any::<[u8; ID]>(), at in 0_usize..60, to in any::<u8>(), before in prop::collection::vec(0_u8..4, 0..6),
    ) {
        let mut area = [before, Record::new(CardId(id)).area()].concat();
        if let Some(byte) = area.get_mut(at) {
            *byte = to;
        }
        laws::area_law(&area);
    }
}
