//! A square that a telephone reads, for a terminal.

use qrcodegen::{QrCode, QrCodeEcc};

/// This text as a QR code of half blocks: a table's digits, for a signed-in telephone, or the address of a page. It holds nothing else.
pub(super) fn qr(text: &str) -> String {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else { return String::new() };
    let size = code.size();
    let dark = |x: i32, y: i32| code.get_module(x, y);
    let mut lines = Vec::new();
    for y in (-2..size + 2).step_by(2) {
        let line: String = (-2..size + 2)
            .map(|x| match (dark(x, y), dark(x, y + 1)) {
                // Dark on light: a terminal is usually dark, so light is drawn.
                (false, false) => '█',
                (false, true) => '▀',
                (true, false) => '▄',
                (true, true) => ' ',
            })
            .collect();
        lines.push(line);
    }
    lines.join("\n")
}
