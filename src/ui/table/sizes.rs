//! The sizes that the controls of the table share, for a rem of 16 points.

/// The heights of buttons: of the table's actions, of smaller ones, of the input line.
pub(super) const TALL: f32 = 56.0;
pub(super) const LOW: f32 = 36.0;
/// The height of the row of quieter actions.
pub(super) const FOOT: f32 = 40.0;
/// The gap between controls.
pub(super) const GAP: f32 = 8.0;
