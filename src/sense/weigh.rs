//! How well an explanation fits the pictures that the board has shown.
//!
//! Every position of an explanation was on the board at its press, so a picture of that moment, or of soon
//! after, must show it or nearly show it: an update of a square may be late or lost, or a piece may be in the
//! air. Positions are compared with pictures in order, so an explanation whose positions were shown in the
//! wrong order gets a greater weight than the right one.

use tabiya_types::Instant;

use super::cost::{LATE, ReachedPosition, ShownPath, UNLIKELY};
use super::sight::Picture;

/// How badly an explanation fits the pictures. Less is better; the fields are compared in their order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Weight {
    /// The cost in squares, without forgotten presses: the distance, the disorder, and what is unlikely about
    /// single positions and about the explanation as a whole.
    pub(super) picture_cost: usize,
    /// On how many squares the pictures that lasted differ from the position nearest to them.
    between: usize,
    /// How many actions the board showed only after the next action, or never.
    pub(super) disorder: usize,
    /// On how many squares the positions differ from the pictures nearest to them.
    pub(super) distance: usize,
    /// For each position, the last one first: how many pictures are newer than the one that shows it best.
    age: Vec<usize>,
}

/// The distance in squares from which on a picture is no evidence for a position.
const FAR: usize = 16;

/// Weighs all positions of an explanation except the last one, which is the board that is shown now.
pub(super) fn weigh(path: ShownPath<'_>) -> Weight {
    let (positions, pictures) = (path.positions, path.pictures);
    let Some((_, between)) = positions.split_last() else { return Weight::default() };
    // least[n][k]: the least distance of the first n positions if the last of them is shown before picture k.
    let mut least: Vec<Vec<usize>> = vec![vec![0; pictures.len() + 1]];
    let mut distances = Vec::new();
    let mut cost = 0;
    for (nth, position) in between.iter().enumerate() {
        let next_press = positions.iter().skip(nth + 1).find_map(|later| later.pressed);
        let row: Vec<usize> =
            pictures.iter().map(|picture| distance(position, picture, next_press)).collect();
        let nearest = row.iter().min().copied().unwrap_or(FAR);
        let near = pictures.iter().zip(&row).filter(|(_, distance)| **distance == nearest);
        cost += near.map(|(picture, _)| path.position_cost(nth, picture)).min().unwrap_or(0);
        let before = least.last().cloned().unwrap_or_default();
        let mut best = FAR * (nth + 1);
        let mut sums = vec![best];
        for (own, so_far) in row.iter().zip(before.iter().skip(1)) {
            best = best.min(own + so_far);
            sums.push(best);
        }
        least.push(sums);
        distances.push(row);
    }
    let distance = least.last().and_then(|sums| sums.last()).copied().unwrap_or(0);
    let disorder = path.disorder();
    cost += distance + UNLIKELY * disorder + path.overall_cost();
    let between = if distance > 0 { path.unexplained() } else { 0 };
    Weight { picture_cost: cost, between, disorder, distance, age: ages(&least, &distances, pictures.len()) }
}

/// For each position, the last one first: how many pictures are newer than the one that shows it best.
fn ages(least: &[Vec<usize>], distances: &[Vec<usize>], count: usize) -> Vec<usize> {
    let mut ages = Vec::new();
    let mut end = count;
    for (nth, row) in distances.iter().enumerate().rev() {
        let sum = |rows: usize, at: usize| least.get(rows).and_then(|row| row.get(at)).copied().unwrap_or(0);
        let wanted = sum(nth + 1, end);
        let shown = (0..end)
            .rev()
            .find(|at| row.get(*at).is_some_and(|own| own + sum(nth, at + 1) == wanted))
            .map_or(0, |at| at + 1);
        ages.push(count - shown);
        end = shown;
    }
    ages
}

/// On how many squares a picture differs from a position: at most [`FAR`], and [`FAR`] if the picture ended
/// before the press of that position or came too late after the next press.
fn distance(position: &ReachedPosition, picture: &Picture, next_press: Option<Instant>) -> usize {
    let early = position.pressed.is_some_and(|pressed| picture.ended_before(pressed));
    let late = next_press.is_some_and(|next| picture.from > next + LATE);
    if early || late { FAR } else { position.board.distance(&picture.board).min(FAR) }
}
