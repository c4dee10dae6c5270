//! A sheet as SVG (W3C SVG 1.1), in millimetres.

use std::fmt::Write as _;

use super::{Paint, PrintSheet, Stroke};

/// The text of one sheet.
pub fn svg(sheet: &PrintSheet) -> String {
    let (width, height) = sheet.size;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" viewBox=\"0 0 {width} {height}\">\n"
    );
    for shape in &sheet.shapes {
        let paint = match shape.paint {
            Paint::Black => "fill=\"#000\"",
            Paint::White => "fill=\"#fff\"",
            Paint::Line => "fill=\"none\" stroke=\"#999\" stroke-width=\"0.15\"",
        };
        let mut path = String::new();
        for stroke in &shape.path {
            let _ = match stroke {
                Stroke::Move(x, y) => write!(path, "M{x:.2} {y:.2}"),
                Stroke::Line(x, y) => write!(path, "L{x:.2} {y:.2}"),
                Stroke::Curve(points) => {
                    let points: Vec<String> = points.iter().map(|number| format!("{number:.2}")).collect();
                    write!(path, "C{}", points.join(" "))
                }
                Stroke::Close => write!(path, "Z"),
            };
        }
        let _ = writeln!(text, "<path {paint} d=\"{path}\"/>");
    }
    text + "</svg>\n"
}
