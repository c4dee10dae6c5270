//! How well an explanation fits the pictures that the board has shown.
//!
//! An explanation claims that each of its positions was on the board when a player pressed. A picture is the content of
//! all squares that the board showed for a while. So the picture at the press, or a picture soon after the press, must
//! show the position at least nearly: an update of a square may be late or lost, or a piece may be in the air. The
//! result is a weight; a smaller weight is better. Positions are compared with pictures in the order of time. So an
//! explanation gets a greater (worse) weight if its positions were shown in another order than it claims.

use tabiya_types::Instant;

use super::cost::{LATE, ReachedPosition, ShownPath, UNLIKELY};
use super::sight::Picture;

/// How badly an explanation fits the pictures. A smaller weight is better. The fields are compared in their
/// order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Weight {
    /// The cost of everything except forgotten presses, measured in squares: the sum of the distance, the cost of the
    /// disorder, the costs of single positions, and the cost of the explanation as a whole.
    pub(super) picture_cost: usize,
    /// The sum, over all pictures that lasted for some time, of the number of squares on which a picture
    /// differs from the position nearest to it.
    between: usize,
    /// The number of actions that the board showed only after the next action, or never.
    pub(super) disorder: usize,
    /// The sum, over all positions, of the number of squares on which a position differs from the picture
    /// nearest to it.
    pub(super) distance: usize,
    /// One number for each position, beginning with the last position: how many pictures are newer than the picture
    /// that shows this position best.
    age: Vec<usize>,
}

/// The upper limit for the distance between a position and a picture, in squares. A picture that is no evidence for a
/// position gets this distance.
const FAR: usize = 16;

/// Computes the weight of an explanation from all its positions except the last one, which is the board that
/// is shown now.
pub(super) fn weigh(path: ShownPath<'_>) -> Weight {
    let (positions, pictures) = (path.positions, path.pictures);
    let Some((_, between)) = positions.split_last() else { return Weight::default() };
    // `least[n][k]` is the smallest possible sum of the distances of the first n positions, if each of them is
    // compared only with pictures before picture k.
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

/// The age of the picture that shows a position best: the number of pictures that are newer. There is one age
/// for each position; the last position comes first.
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

/// The distance between a position and a picture: the number of squares on which they differ, at most
/// [`FAR`]. The distance is [`FAR`] in two cases: the picture ended before the press for the position, or the
/// picture began more than [`LATE`] after the next press.
fn distance(position: &ReachedPosition, picture: &Picture, next_press: Option<Instant>) -> usize {
    let early = position.pressed.is_some_and(|pressed| picture.ended_before(pressed));
    let late = next_press.is_some_and(|next| picture.from > next + LATE);
    if early || late { FAR } else { position.board.distance(&picture.board).min(FAR) }
}
