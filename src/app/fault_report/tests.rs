//! Tests of the report: what it says of devices, and that each reader finds its part.

use tabiya_boards::capture::{CaptureHeader, Chunk, Direction};
use tabiya_boards::makers::{CATALOG, USUAL};
use tabiya_types::Instant;

use super::*;

fn capture() -> Capture {
    let chunk = |at, bytes: &[u8]| Chunk {
        at: Instant::from_millis(at),
        direction: Direction::FromDevice,
        channel: None,
        bytes: bytes.to_vec(),
    };
    let header = CaptureHeader { capture: "dgt".to_owned(), device: Some("/home/ann/board".to_owned()) };
    let serial = [b"\x91\x00\x08".as_slice(), b"24958"].concat();
    Capture { header: Some(header), chunks: vec![chunk(0, &serial), chunk(90_000, &[0x8E, 0, 5, 0x24, 1])] }
}

#[test]
fn a_reader_is_told_by_its_model_and_not_by_its_number() {
    for (name, model) in [
        ("ACS ACR122U PICC Interface 00 00", "ACS ACR122U PICC Interface"),
        (
            "SCM Microsystems Inc. SCR 3310 [CCID Interface] (53311516214455) 00 00",
            "SCM Microsystems Inc. SCR",
        ),
        ("HID OMNIKEY 5422 (OKCM0071104210551) 01", "HID OMNIKEY"),
        ("Reader RX0071104210", "Reader"),
        ("Open (bracket", "Open"),
        ("", ""),
    ] {
        assert_eq!(reader_model(name), model, "{name}");
    }
}

#[test]
fn a_board_is_told_by_maker_and_kind_and_not_by_its_port() {
    let address = |text: &str| text.parse::<LiveAddress>().expect("an address");
    let boards = [
        ReportedBoard::connected(&address("dgt:tcp:club-laptop:4001")),
        ReportedBoard::found(&address("dgt:/dev/serial/by-id/usb-DGT_24958")),
        ReportedBoard::found(&address("pegasus:ble:DGT_PEGASUS_45678")),
        ReportedBoard::simulated(USUAL),
    ];
    let report = FaultReport { boards: boards.to_vec(), ..FaultReport::new(&["window"]) };
    let text = report.text();
    assert!(!["club", "24958", "45678", "/dev"].iter().any(|told| text.contains(told)), "{text}");
    assert!(text.contains(r#"{"makers":["DGT"],"link":"tcp","connected":true}"#), "{text}");
    assert!(text.contains(r#"{"makers":["DGT Pegasus"],"link":"bluetooth","connected":false}"#), "{text}");
}

#[test]
fn each_reader_finds_its_part_and_the_first_line_is_no_record() {
    let report = FaultReport { record: Some("{\"tabiya\":1}\n".to_owned()), ..FaultReport::new(&[]) };
    let report = report.with_bytes(Some(capture()));
    let text = report.text();
    let record = ReportPart::Record.find(text.as_bytes()).expect("a record");
    assert_eq!((record.before, record.bytes), (2, b"{\"tabiya\":1}\n".as_slice()));
    let read = Capture::parse(text.as_bytes(), "report").expect("a capture");
    assert_eq!(read.chunks.len(), 2);
    assert!(!text.contains("3234393538") && !text.contains("ann"), "{text}");
}

#[test]
fn what_is_in_a_report_is_said_in_sentences() {
    let report = FaultReport { record: Some("a\nb\n".to_owned()), ..FaultReport::new(&["window", "pcsc"]) };
    let report = report.with_bytes(Some(capture()));
    let told: Vec<String> = report.summary().iter().map(ToString::to_string).collect();
    let told = told.join("\n");
    assert!(told.contains("with window, pcsc"), "{told}");
    assert!(told.contains("the record of the match (2 lines)"), "{told}");
    assert!(told.contains("in the last 1:30"), "{told}");
    let none = FaultReport::new(&[]).summary();
    let ids: Vec<&str> = none.iter().map(Sentence::id).collect();
    assert_eq!(
        ids,
        [
            "report-program",
            "report-no-boards",
            "report-no-readers",
            "report-no-record",
            "report-no-bytes",
            "report-never"
        ]
    );
}

#[test]
fn every_makers_board_can_be_reported() {
    for &maker in CATALOG {
        assert!(ReportedBoard::simulated(maker).in_words().contains(maker.name()));
    }
}
