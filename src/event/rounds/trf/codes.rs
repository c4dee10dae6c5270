//! The codes of records: which are read, and which tell that a file is of 2026.
//!
//! Source: FIDE Handbook C.04 Annex 2 (TRF16), TRF26, JaVaFo's user manual (`XX?`).

/// The records of TRF16.
const TRF16: [&str; 15] =
    ["001", "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132", "013"];
/// The records that TRF26 added.
const TRF26: [&str; 21] = [
    "142", "152", "162", "172", "182", "192", "202", "212", "222", "240", "250", "260", "299", "300", "310",
    "320", "330", "352", "362", "801", "802",
];
/// The records of JaVaFo and bbpPairings.
const EXTENSIONS: [&str; 6] = ["XXR", "XXC", "XXS", "XXA", "XXP", "XXZ"];

/// Whether the standard says what this record means. `###` is a comment.
pub(super) fn is_read(code: &str) -> bool {
    let any = |codes: &[&str]| codes.iter().any(|known| known.eq_ignore_ascii_case(code));
    any(&TRF16) || any(&TRF26) || any(&EXTENSIONS) || code.starts_with('#')
}

/// Whether only files of TRF26 have this record.
pub(super) fn tells_trf26(code: &str) -> bool {
    TRF26.iter().any(|known| known.eq_ignore_ascii_case(code))
}
