//! How well a way of understanding fits the pictures that the board has shown.
//!
//! Every position on the way must have stood at its press; the board showed it then, or soon after, or
//! nearly: a square may be late, lost or in the air. Pictures are taken in their order, so that a way
//! that was shown backwards weighs more than the right one.

use tabiya_types::Instant;

use super::cost::{LATE, ReachedPosition, ShownPath, UNLIKELY};
use super::sight::Picture;

/// Less is better; compared in the order of the fields.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Weight {
    /// All that is odd, in squares: the distance, the disorder, and what the way as a whole has against it.
    pub(super) odd: usize,
    /// How far the pictures between them are from all of them.
    between: usize,
    /// How many actions came to be seen only after the action that followed them, or never.
    pub(super) disorder: usize,
    /// How many squares of the pictures nearest to the positions differ.
    pub(super) distance: usize,
    /// How many newer pictures there are, for each position, the last one first.
    age: Vec<usize>,
}

/// Further than this no picture tells anything.
const FAR: usize = 16;

/// Weighs the positions of a way but for the last one, which is what is seen.
pub(super) fn weigh(told: ShownPath<'_>) -> Weight {
    let (way, pictures) = (told.way, told.pictures);
    let Some((_, between)) = way.split_last() else { return Weight::default() };
    // least[n][k]: the least distance of the first n positions, the last of them at a picture before k.
    let mut least: Vec<Vec<usize>> = vec![vec![0; pictures.len() + 1]];
    let mut distances = Vec::new();
    let mut odd = 0;
    for (nth, stood) in between.iter().enumerate() {
        let next_press = way.iter().skip(nth + 1).find_map(|later| later.pressed);
        let row: Vec<usize> = pictures.iter().map(|picture| distance(stood, picture, next_press)).collect();
        let nearest = row.iter().min().copied().unwrap_or(FAR);
        let near = pictures.iter().zip(&row).filter(|(_, distance)| **distance == nearest);
        odd += near.map(|(picture, _)| told.at(nth, picture)).min().unwrap_or(0);
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
    let disorder = told.disorder();
    odd += distance + UNLIKELY * disorder + told.as_a_whole();
    let between = if distance > 0 { told.unexplained() } else { 0 };
    Weight { odd, between, disorder, distance, age: ages(&least, &distances, pictures.len()) }
}

/// For each position, the last one first, how many pictures are newer than the one that shows it best.
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

fn distance(stood: &ReachedPosition, picture: &Picture, next_press: Option<Instant>) -> usize {
    let early = stood.pressed.is_some_and(|pressed| picture.ended_before(pressed));
    let late = next_press.is_some_and(|next| picture.from > next + LATE);
    if early || late { FAR } else { stood.board.distance(&picture.board).min(FAR) }
}
