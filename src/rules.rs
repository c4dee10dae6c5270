//! Pure rules, one module per game. No time, no IO, no chance.

mod board;

pub use board::{Board, ByColor, BySeat, Color, NoBoard, NoSquare, Piece, Role, Seat, Square};
