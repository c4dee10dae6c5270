//! What the record's page derives from the lines of a record: score sheets, pots by street, the time of each turn, and
//! the lines to which the arrow keys lead.

use std::sync::Arc;

use tabiya_engine::record::NarratedLine;
use tabiya_engine::rules::Phase;
use tabiya_types::{BySeat, Color, Millis, Seat};

/// One move of a score sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    /// The number of the move.
    pub(super) number: u32,
    /// Who made it.
    pub(super) by: Color,
    /// The move in SAN.
    pub(super) san: String,
    /// The line of the record with the move.
    pub(super) line: usize,
    /// The clock time of its turn; `None` while the turn goes on.
    pub(super) spent: Option<Millis>,
}

/// The lines of one game.
pub(super) fn of_game(lines: &[Arc<NarratedLine>], game: usize) -> &[Arc<NarratedLine>] {
    let begin = lines.partition_point(|line| line.game < game);
    let end = lines.partition_point(|line| line.game <= game);
    lines.get(begin..end).unwrap_or_default()
}

/// The moves of a game, in order. A move that was taken back is gone.
pub(super) fn moves(game: &[Arc<NarratedLine>]) -> Vec<Cell> {
    let mut moves: Vec<Cell> = Vec::new();
    for line in game {
        moves.truncate(line.plies.saturating_sub(line.moves.len()));
        moves.extend(line.moves.iter().map(|made| Cell {
            number: made.number,
            by: made.by,
            san: made.san.clone(),
            line: line.line,
            spent: None,
        }));
        if let Some((by, spent)) = line.spent
            && let Some(last) = moves.last_mut().filter(|last| last.by == by)
        {
            last.spent.get_or_insert(spent);
        }
    }
    moves
}

/// The moves as rows of a sheet: White's move on the left, Black's on the right.
pub(super) fn rows(moves: &[Cell]) -> Vec<[Option<&Cell>; 2]> {
    let mut rows: Vec<[Option<&Cell>; 2]> = Vec::new();
    for cell in moves {
        let last = rows.last_mut().and_then(|row| match row {
            [Some(white), black @ None] if cell.by == Color::Black && white.number == cell.number => {
                Some(black)
            }
            _ => None,
        });
        match last {
            Some(black) => *black = Some(cell),
            None if cell.by == Color::White => rows.push([Some(cell), None]),
            None => rows.push([None, Some(cell)]),
        }
    }
    rows
}

/// The clock time of one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TurnTime {
    /// The number that people know the turn by: of the move, or of the side's turn.
    pub(super) number: u32,
    /// Whose turn it was.
    pub(super) by: Color,
    /// The time.
    pub(super) spent: Millis,
    /// The line to which a click leads.
    pub(super) line: usize,
}

/// The times of a game: of its moves, or of its turns while there are no moves.
pub(super) fn times(game: &[Arc<NarratedLine>], moves: &[Cell]) -> Vec<TurnTime> {
    if !moves.is_empty() {
        let time = |cell: &Cell| {
            let spent = cell.spent?;
            Some(TurnTime { number: cell.number, by: cell.by, spent, line: cell.line })
        };
        return moves.iter().filter_map(time).collect();
    }
    let mut turns = [0, 0];
    let turn = |line: &Arc<NarratedLine>| {
        let (by, spent) = line.spent?;
        let number = &mut turns[usize::from(by == Color::Black)];
        *number += 1;
        Some(TurnTime { number: *number, by, spent, line: line.line })
    };
    game.iter().filter_map(turn).collect()
}

/// The pot at the end of each street of a game. Chips that were taken back are in no pot, and a street that was taken
/// back is gone.
pub(super) fn pots(game: &[Arc<NarratedLine>]) -> Vec<u32> {
    let mut pots: Vec<u32> = Vec::new();
    let mut betting = false;
    for line in game {
        let bets = line.phase == Phase::Bet;
        let over = matches!(line.phase, Phase::Over | Phase::MatchOver);
        if line.streets > 0 && !over {
            pots.truncate(line.streets);
        }
        let begins = if line.streets > 0 { pots.len() < line.streets } else { !betting };
        match pots.last_mut() {
            _ if bets && begins => pots.push(line.pot.0),
            Some(last) if bets => *last = line.pot.0,
            // After the last bet the pot may have been won already.
            Some(last) if betting && line.pot.0 >= *last => *last = line.pot.0,
            // A raise that stands alone was taken back with the round that it opened.
            Some(_) if betting && !over && line.streets == 0 => drop(pots.pop()),
            Some(_) | None => {}
        }
        betting = bets;
    }
    pots
}

/// Each player's chips before the first game and after each game that is over.
pub(super) fn stacks(brought: BySeat<u32>, ended: impl Iterator<Item = BySeat<u32>>) -> Vec<BySeat<u32>> {
    std::iter::once(brought).chain(ended).collect()
}

/// The points of both players, White's first: `825–400`.
pub(super) fn score(white: Seat, points: BySeat<u32>) -> String {
    format!("{}–{}", points[white], points[white.other()])
}

/// A player's chips at one moment as a share of all chips, from 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "a height on the screen")]
pub(super) fn share(stacks: BySeat<u32>, seat: Seat) -> f32 {
    stacks[seat] as f32 / (stacks.a + stacks.b).max(1) as f32
}

/// Where a key leads from a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Jump {
    /// To the beginning of the game: of the first one, before anything was done.
    First,
    Back,
    On,
    /// To the end of the game.
    Last,
}

/// The line to which a step leads; `None` if there is none. The lines between are those whose
/// effect is seen and that people can read, as `told` says.
pub(super) fn step(
    lines: &[Arc<NarratedLine>],
    at: usize,
    step: Jump,
    told: impl Fn(&NarratedLine) -> bool,
) -> Option<usize> {
    let told = |line: &&Arc<NarratedLine>| line.seen && told(line);
    let game = lines.get(at.saturating_sub(1)).or(lines.last())?.game;
    let begin = lines.iter().find(told).map(|line| line.line.saturating_sub(1));
    let mut stops = begin.into_iter().chain(lines.iter().filter(told).map(|line| line.line));
    let first_game = lines.first().is_some_and(|line| line.game == game);
    let led = match step {
        Jump::First if first_game => begin,
        Jump::First => of_game(lines, game).iter().find(told).map(|line| line.line),
        Jump::Back => stops.take_while(|line| *line < at).last(),
        Jump::On => stops.find(|line| *line > at),
        Jump::Last => of_game(lines, game).last().map(|line| line.line),
    };
    led.filter(|line| *line != at)
}

#[cfg(test)]
mod tests {
    use tabiya_engine::record::SheetMove;
    use tabiya_engine::rules::Chips;
    use tabiya_types::{ByColor, Instant};

    use super::*;

    /// The lines as a record shares them.
    fn shared<const COUNT: usize>(lines: [NarratedLine; COUNT]) -> [Arc<NarratedLine>; COUNT] {
        lines.map(Arc::new)
    }

    fn line(number: usize, game: usize) -> NarratedLine {
        NarratedLine {
            line: number,
            at: Instant::ZERO,
            told: Vec::new(),
            seen: true,
            game,
            spent: None,
            stacks: BySeat::default(),
            running: true,
            pot: Chips::ZERO,
            phase: Phase::Chess,
            streets: 0,
            plies: 0,
            moves: Vec::new(),
            clocks: ByColor::default(),
            device: None,
        }
    }

    fn made(number: usize, plies: usize, (nth, by, san): (u32, Color, &str)) -> NarratedLine {
        let moves = vec![SheetMove { number: nth, by, san: san.to_owned() }];
        NarratedLine { plies, moves, ..line(number, 1) }
    }

    #[test]
    fn a_sheet_forgets_what_was_taken_back_and_has_the_time_of_each_turn() {
        let (white, black) = (Color::White, Color::Black);
        let lines = shared([
            made(1, 1, (1, white, "e4")),
            NarratedLine { plies: 1, spent: Some((white, Millis(3_000))), ..line(2, 1) },
            made(3, 2, (1, black, "e5")),
            NarratedLine { plies: 1, ..line(4, 1) },
            made(5, 2, (1, black, "c5")),
            NarratedLine { plies: 2, spent: Some((black, Millis(9_000))), ..line(6, 1) },
        ]);
        let moves = moves(&lines);
        let told: Vec<_> = moves.iter().map(|cell| (cell.san.as_str(), cell.line, cell.spent)).collect();
        assert_eq!(told, [("e4", 1, Some(Millis(3_000))), ("c5", 5, Some(Millis(9_000)))]);
        assert_eq!(rows(&moves).len(), 1);
        assert_eq!(times(&lines, &moves).iter().map(|time| time.spent.0).sum::<u64>(), 12_000);
    }

    #[test]
    fn a_sheet_that_begins_with_black_leaves_white_s_place_empty() {
        let lines = shared([made(1, 1, (7, Color::Black, "Kd7")), made(2, 2, (8, Color::White, "c4"))]);
        let moves = moves(&lines);
        let rows = rows(&moves);
        assert!(matches!(rows[..], [[None, Some(_)], [Some(_), None]]), "{rows:?}");
    }

    #[test]
    fn the_pot_of_a_street_is_what_it_ended_with() {
        let street = |number: usize, phase: Phase, pot: u32| NarratedLine {
            phase,
            pot: Chips(pot),
            ..line(number, 1)
        };
        let game = shared([
            street(1, Phase::Bet, 3),
            street(2, Phase::Bet, 8),
            street(3, Phase::Deal, 12),
            street(4, Phase::Bet, 12),
            street(5, Phase::Bet, 20),
            street(6, Phase::Over, 0),
        ]);
        assert_eq!(pots(&game), [12, 20]);
    }

    #[test]
    fn a_raise_that_was_taken_back_is_in_no_pot() {
        let street = |streets: usize, phase: Phase, pot: u32| {
            Arc::new(NarratedLine { phase, streets, pot: Chips(pot), ..line(1, 1) })
        };
        let bet = |streets: usize, pot: u32| street(streets, Phase::Bet, pot);
        let raised_and_taken_back = [bet(1, 3), bet(1, 12), bet(1, 3), bet(1, 4)];
        assert_eq!(pots(&raised_and_taken_back), [4]);
        let next = [bet(1, 4), street(1, Phase::Deal, 8), bet(2, 8), bet(2, 20)];
        assert_eq!(pots(&next), [8, 20]);
        let back = [&next[..], &[street(1, Phase::Deal, 8), bet(2, 8)]].concat();
        assert_eq!(pots(&back), [8, 8], "a street that was taken back and dealt again is one street");
        let back = [&next[..], &[bet(1, 4)]].concat();
        assert_eq!(pots(&back), [4]);
        assert_eq!(pots(&[&next[..], &[street(2, Phase::Over, 0)]].concat()), [8, 20]);
        let stake = [street(0, Phase::Chess, 4), bet(0, 6), street(0, Phase::Chess, 4), bet(0, 10)];
        assert_eq!(pots(&stake), [10]);
    }

    #[test]
    fn the_arrows_lead_from_told_line_to_told_line_and_stop_at_the_ends() {
        let lines: Vec<Arc<NarratedLine>> =
            (1..=6).map(|number| Arc::new(line(number, usize::from(number > 3) + 1))).collect();
        let told = |line: &NarratedLine| line.line != 2;
        let to = |at, way| step(&lines, at, way, told);
        assert_eq!((to(3, Jump::Back), to(1, Jump::On)), (Some(1), Some(3)));
        assert_eq!((to(1, Jump::Back), to(0, Jump::On)), (Some(0), Some(1)), "before the first line");
        assert_eq!((to(0, Jump::Back), to(6, Jump::On)), (None, None));
        assert_eq!((to(3, Jump::First), to(0, Jump::First)), (Some(0), None));
        assert_eq!((to(5, Jump::First), to(2, Jump::Last)), (Some(4), Some(3)));
        assert_eq!(step(&[], 0, Jump::Last, told), None);
    }

    #[test]
    fn the_arrows_pass_over_lines_that_change_nothing_on_the_screen() {
        let paused = |number: usize| NarratedLine { seen: false, ..line(number, 1) };
        let lines = shared([line(1, 1), paused(2), paused(3), line(4, 1)]);
        let to = |at, way| step(&lines, at, way, |_| true);
        assert_eq!((to(1, Jump::On), to(4, Jump::Back), to(2, Jump::On)), (Some(4), Some(1), Some(4)));
    }
}
