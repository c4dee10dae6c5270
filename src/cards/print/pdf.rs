//! Sheets as one PDF (ISO 32000-1), one page each.

use pdf_writer::{Content, Finish as _, Pdf, Rect, Ref};

use super::{Paint, PrintSheet, Stroke};

/// How many points (PDF's unit, 1/72 inch) a millimetre has.
const POINTS: f32 = 72.0 / 25.4;

/// The bytes of a PDF with these sheets as its pages.
pub fn pdf(sheets: &[PrintSheet]) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let (catalog, tree) = (Ref::new(1), Ref::new(2));
    let count = i32::try_from(sheets.len()).unwrap_or(i32::MAX);
    let page = |nth: i32| Ref::new(3 + 2 * nth);
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).kids((0..count).map(page)).count(count);
    for (nth, sheet) in (0..count).zip(sheets) {
        let drawn = Ref::new(4 + 2 * nth);
        let (width, height) = (sheet.size.0 * POINTS, sheet.size.1 * POINTS);
        let mut entry = pdf.page(page(nth));
        entry.media_box(Rect::new(0.0, 0.0, width, height)).parent(tree).contents(drawn);
        entry.resources().finish();
        entry.finish();
        pdf.stream(drawn, &content(sheet, height).finish());
    }
    pdf.finish()
}

fn content(sheet: &PrintSheet, height: f32) -> Content {
    let mut content = Content::new();
    content.set_line_width(0.4);
    content.set_stroke_gray(0.6);
    // PDF measures upwards from the bottom left corner.
    let at = |x: f32, y: f32| (x * POINTS, height - y * POINTS);
    for shape in &sheet.shapes {
        for stroke in &shape.path {
            match *stroke {
                Stroke::Move(x, y) => {
                    let (x, y) = at(x, y);
                    content.move_to(x, y);
                }
                Stroke::Line(x, y) => {
                    let (x, y) = at(x, y);
                    content.line_to(x, y);
                }
                Stroke::Curve([x1, y1, x2, y2, x, y]) => {
                    let ((x1, y1), (x2, y2), (x, y)) = (at(x1, y1), at(x2, y2), at(x, y));
                    content.cubic_to(x1, y1, x2, y2, x, y);
                }
                Stroke::Close => {
                    content.close_path();
                }
            }
        }
        match shape.paint {
            Paint::Black => {
                content.set_fill_gray(0.0);
                content.fill_nonzero();
            }
            Paint::White => {
                content.set_fill_gray(1.0);
                content.fill_nonzero();
            }
            Paint::Line => {
                content.stroke();
            }
        }
    }
    content
}
