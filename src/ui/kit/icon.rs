//! Icons: lines and circles on a grid of 24, with strokes of 2.

use egui::{Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2};

/// An icon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Icon {
    Menu,
    Board,
    Clock,
    Face,
    Full,
    Scales,
    Pause,
    Play,
    Undo,
    Swap,
    Coin,
    Flag,
    Warning,
    Cross,
    Check,
    Plus,
    Minus,
    Sheet,
    Person,
    Bell,
    Hand,
    Down,
    Right,
    Left,
    First,
    Last,
    Share,
    Cable,
    Bluetooth,
    Copy,
    Phone,
}

/// A stroke of an icon, on a grid of 24.
enum Part {
    Line(&'static [(f32, f32)]),
    Circle(f32, f32, f32),
    Dot(f32, f32, f32),
    Frame(f32, f32, f32, f32, u8),
}

use Part::{Circle, Dot, Frame, Line};

impl Icon {
    /// All icons, for the gallery.
    pub(crate) const ALL: [Self; 31] = [
        Self::Menu,
        Self::Board,
        Self::Clock,
        Self::Face,
        Self::Full,
        Self::Scales,
        Self::Pause,
        Self::Play,
        Self::Undo,
        Self::Swap,
        Self::Coin,
        Self::Flag,
        Self::Warning,
        Self::Cross,
        Self::Check,
        Self::Plus,
        Self::Minus,
        Self::Sheet,
        Self::Person,
        Self::Bell,
        Self::Hand,
        Self::Down,
        Self::Right,
        Self::Left,
        Self::First,
        Self::Last,
        Self::Share,
        Self::Cable,
        Self::Bluetooth,
        Self::Copy,
        Self::Phone,
    ];

    fn parts(self) -> &'static [Part] {
        match self {
            Self::Menu => MENU,
            Self::Board => BOARD,
            Self::Clock => CLOCK,
            Self::Face => FACE,
            Self::Full => FULL,
            Self::Scales => SCALES,
            Self::Pause => PAUSE,
            Self::Play => PLAY,
            Self::Undo => UNDO,
            Self::Swap => SWAP,
            Self::Coin => COIN,
            Self::Flag => FLAG,
            Self::Warning => WARNING,
            Self::Cross => CROSS,
            Self::Check => CHECK,
            Self::Plus => PLUS,
            Self::Minus => MINUS,
            Self::Sheet => SHEET,
            Self::Person => PERSON,
            Self::Bell => BELL,
            Self::Hand => HAND,
            Self::Down => DOWN,
            Self::Right => RIGHT,
            Self::Left => LEFT,
            Self::First => FIRST,
            Self::Last => LAST,
            Self::Share => SHARE,
            Self::Cable => CABLE,
            Self::Bluetooth => BLUETOOTH,
            Self::Copy => COPY,
            Self::Phone => PHONE,
        }
    }

    /// Draws the icon into a square.
    pub(crate) fn draw(self, painter: &Painter, rect: Rect, ink: Color32) {
        let scale = rect.width() / 24.0;
        let at = |(x, y): (f32, f32)| -> Pos2 { pos2(rect.left() + x * scale, rect.top() + y * scale) };
        let stroke = Stroke::new((2.0 * scale).max(1.2), ink);
        for part in self.parts() {
            match part {
                Line(points) => {
                    let points: Vec<Pos2> = points.iter().map(|point| at(*point)).collect();
                    // Round ends and corners.
                    for point in &points {
                        painter.circle_filled(*point, stroke.width / 2.0, ink);
                    }
                    painter.add(Shape::line(points, stroke));
                }
                Circle(x, y, radius) => {
                    painter.circle_stroke(at((*x, *y)), radius * scale, stroke);
                }
                Dot(x, y, radius) => {
                    painter.circle_filled(at((*x, *y)), radius * scale, ink);
                }
                Frame(left, top, right, bottom, round) => {
                    let frame = Rect::from_min_max(at((*left, *top)), at((*right, *bottom)));
                    painter.rect_stroke(
                        frame,
                        CornerRadius::same(super::panel::round(f32::from(*round) * scale)),
                        stroke,
                        StrokeKind::Middle,
                    );
                }
            }
        }
    }
}

const MENU: &[Part] = &[
    Line(&[(4.0, 6.0), (20.0, 6.0)]),
    Line(&[(4.0, 12.0), (20.0, 12.0)]),
    Line(&[(4.0, 18.0), (20.0, 18.0)]),
];
const BOARD: &[Part] =
    &[Frame(4.0, 4.0, 20.0, 20.0, 3), Line(&[(12.0, 4.0), (12.0, 20.0)]), Line(&[(4.0, 12.0), (20.0, 12.0)])];
const CLOCK: &[Part] = &[
    Circle(12.0, 13.0, 8.0),
    Line(&[(12.0, 9.0), (12.0, 13.0), (15.0, 15.0)]),
    Line(&[(10.0, 2.5), (14.0, 2.5)]),
];
const FACE: &[Part] = &[
    Frame(2.5, 6.0, 21.5, 18.0, 3),
    Line(&[(12.0, 6.0), (12.0, 18.0)]),
    Line(&[(5.5, 12.0), (8.5, 12.0)]),
    Line(&[(15.5, 12.0), (18.5, 12.0)]),
];
const FULL: &[Part] = &[
    Line(&[(4.0, 9.0), (4.0, 4.0), (9.0, 4.0)]),
    Line(&[(15.0, 4.0), (20.0, 4.0), (20.0, 9.0)]),
    Line(&[(20.0, 15.0), (20.0, 20.0), (15.0, 20.0)]),
    Line(&[(9.0, 20.0), (4.0, 20.0), (4.0, 15.0)]),
];
const SCALES: &[Part] = &[
    Line(&[(12.0, 4.0), (12.0, 20.0)]),
    Line(&[(8.0, 20.0), (16.0, 20.0)]),
    Line(&[(4.0, 7.0), (20.0, 7.0)]),
    Line(&[(2.0, 14.0), (5.0, 7.0), (8.0, 14.0), (2.0, 14.0)]),
    Line(&[(16.0, 14.0), (19.0, 7.0), (22.0, 14.0), (16.0, 14.0)]),
];
const PAUSE: &[Part] = &[Line(&[(9.0, 5.0), (9.0, 19.0)]), Line(&[(15.0, 5.0), (15.0, 19.0)])];
const PLAY: &[Part] = &[Line(&[(8.0, 5.0), (18.0, 12.0), (8.0, 19.0), (8.0, 5.0)])];
const UNDO: &[Part] = &[
    Line(&[(8.0, 5.0), (4.0, 9.0), (8.0, 13.0)]),
    Line(&[(4.0, 9.0), (15.0, 9.0), (19.0, 11.0), (20.0, 14.5), (18.0, 18.0), (14.0, 19.0)]),
];
const SWAP: &[Part] = &[
    Line(&[(8.0, 20.0), (8.0, 4.0)]),
    Line(&[(4.0, 8.0), (8.0, 4.0), (12.0, 8.0)]),
    Line(&[(16.0, 4.0), (16.0, 20.0)]),
    Line(&[(12.0, 16.0), (16.0, 20.0), (20.0, 16.0)]),
];
const COIN: &[Part] = &[Circle(12.0, 12.0, 8.0), Circle(12.0, 12.0, 4.0)];
const FLAG: &[Part] = &[
    Line(&[(6.0, 3.0), (6.0, 21.0)]),
    Line(&[(6.0, 4.0), (18.0, 5.0), (14.0, 9.0), (18.0, 13.0), (6.0, 12.0)]),
];
const WARNING: &[Part] = &[
    Line(&[(12.0, 3.5), (22.0, 20.0), (2.0, 20.0), (12.0, 3.5)]),
    Line(&[(12.0, 9.5), (12.0, 14.0)]),
    Dot(12.0, 17.0, 1.2),
];
const CROSS: &[Part] = &[Line(&[(6.0, 6.0), (18.0, 18.0)]), Line(&[(18.0, 6.0), (6.0, 18.0)])];
const CHECK: &[Part] = &[Line(&[(5.0, 12.5), (10.0, 17.5), (19.5, 7.0)])];
const PLUS: &[Part] = &[Line(&[(12.0, 5.0), (12.0, 19.0)]), Line(&[(5.0, 12.0), (19.0, 12.0)])];
const MINUS: &[Part] = &[Line(&[(5.0, 12.0), (19.0, 12.0)])];
const SHEET: &[Part] =
    &[Frame(6.0, 3.5, 18.0, 20.5, 2), Line(&[(9.0, 8.0), (15.0, 8.0)]), Line(&[(9.0, 12.0), (15.0, 12.0)])];
const PERSON: &[Part] =
    &[Circle(12.0, 8.0, 4.0), Line(&[(4.5, 20.0), (6.5, 16.5), (12.0, 15.0), (17.5, 16.5), (19.5, 20.0)])];
const BELL: &[Part] = &[
    Line(&[(5.0, 17.0), (6.5, 15.0), (6.5, 10.0), (8.5, 6.0), (12.0, 5.0), (15.5, 6.0), (17.5, 10.0)]),
    Line(&[(17.5, 10.0), (17.5, 15.0), (19.0, 17.0), (5.0, 17.0)]),
    Line(&[(10.5, 20.0), (13.5, 20.0)]),
];
const HAND: &[Part] = &[
    Line(&[(7.0, 13.0), (7.0, 7.0)]),
    Line(&[(10.3, 11.0), (10.3, 4.5)]),
    Line(&[(13.6, 11.0), (13.6, 4.5)]),
    Line(&[(17.0, 12.0), (17.0, 7.0)]),
    Line(&[(7.0, 13.0), (4.0, 12.0), (9.0, 20.0), (15.0, 20.0), (17.0, 17.0), (17.0, 12.0)]),
];
const DOWN: &[Part] = &[Line(&[(6.0, 9.0), (12.0, 15.0), (18.0, 9.0)])];
const RIGHT: &[Part] = &[Line(&[(9.0, 6.0), (15.0, 12.0), (9.0, 18.0)])];
const LEFT: &[Part] = &[Line(&[(15.0, 6.0), (9.0, 12.0), (15.0, 18.0)])];
const FIRST: &[Part] = &[Line(&[(6.0, 5.0), (6.0, 19.0)]), Line(&[(18.0, 5.0), (10.0, 12.0), (18.0, 19.0)])];
const LAST: &[Part] = &[Line(&[(18.0, 5.0), (18.0, 19.0)]), Line(&[(6.0, 5.0), (14.0, 12.0), (6.0, 19.0)])];
const SHARE: &[Part] = &[
    Line(&[(12.0, 15.0), (12.0, 4.0)]),
    Line(&[(8.0, 8.0), (12.0, 4.0), (16.0, 8.0)]),
    Line(&[(4.0, 13.0), (4.0, 20.0), (20.0, 20.0), (20.0, 13.0)]),
];
const CABLE: &[Part] = &[
    Line(&[(12.0, 20.0), (12.0, 4.0)]),
    Line(&[(9.5, 6.5), (12.0, 3.5), (14.5, 6.5)]),
    Line(&[(12.0, 16.0), (7.0, 13.0), (7.0, 10.0)]),
    Line(&[(12.0, 14.0), (17.0, 11.0), (17.0, 8.5)]),
    Circle(12.0, 20.0, 1.2),
];
const BLUETOOTH: &[Part] =
    &[Line(&[(7.0, 8.0), (17.0, 16.0), (12.0, 20.5), (12.0, 3.5), (17.0, 8.0), (7.0, 16.0)])];
const COPY: &[Part] = &[
    Frame(8.0, 8.0, 20.0, 20.0, 2),
    Line(&[(5.0, 15.0), (4.0, 14.0), (4.0, 4.0), (15.0, 4.0), (16.0, 5.0)]),
];
const PHONE: &[Part] = &[Frame(7.0, 2.5, 17.0, 21.5, 3), Line(&[(10.5, 18.0), (13.5, 18.0)])];
