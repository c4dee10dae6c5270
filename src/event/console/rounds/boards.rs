//! The rounds as a console shows them: the book of the event beside what stands at the tables. Pure: the book and the hall come in.

use std::collections::BTreeMap;
use std::sync::Arc;

use tabiya_app::hall::{
    BoardScore, BoardStage, Contender, NotReady, PlaceRow, RoundBoard, RoundPlayed, RoundsView, Unpaired,
};
use tabiya_engine::record::Replay;
use tabiya_engine::table::Table;
use tabiya_text::Words;
use tabiya_types::{ByColor, BySeat, Color, Seat, harmless};

use crate::console::hall::{Hall, TableSeen};
use crate::rounds::book::act::Bye;
use crate::rounds::book::{PairedBoard, RoundBook};
use crate::rounds::chips;
use crate::rounds::crosstable::{Crosstable, PlayerRound, RoundResult};
use crate::rounds::points::Points;
use crate::rounds::standings::code::{TieBreak, TieBreakKind};
use crate::rounds::standings::{Edition, standings};

/// The tags by which a match says which board of which round it is.
pub(super) const ROUND_TAG: &str = "Round";
pub(super) const BOARD_TAG: &str = "Board";

/// A result that both players have confirmed: round and board, score, table and match.
type ConfirmedResult = ((usize, usize), BoardScore, (u16, String));

/// A book, and what follows from it alone.
#[derive(Debug)]
pub struct KnownBook {
    pub(super) book: RoundBook,
    pub(super) standings: Arc<Vec<PlaceRow>>,
    pub(super) unpaired: Arc<Vec<Unpaired>>,
    pub(super) tiebreaks: Vec<String>,
    edition: &'static str,
    /// Each player's name and points before the present round, by number.
    before: BTreeMap<u32, (String, String)>,
}

impl KnownBook {
    /// What follows from this book.
    pub(super) fn of(book: RoundBook) -> Self {
        let table = book.crosstable();
        let begins = book.begins();
        let edition = Edition::on(begins.as_deref());
        let codes = shown_codes(&book.plan().tiebreaks);
        let before = table.after(book.paired().saturating_sub(1));
        let points = before
            .players
            .iter()
            .map(|player| (player.number, (harmless(&player.name), written(before.points(player)))));
        Self {
            standings: Arc::new(if book.plan().stack.is_some() {
                by_chips(&book, &table)
            } else {
                by_points(&book, &table, &codes, edition)
            }),
            unpaired: Arc::new(unpaired(&book, &table)),
            tiebreaks: if book.plan().stack.is_some() {
                Vec::new()
            } else {
                codes.iter().map(ToString::to_string).collect()
            },
            edition: edition.word(),
            before: points.collect(),
            book,
        }
    }

    /// The rounds as they stand, with what this hall knows of their tables.
    pub fn view(&self, hall: &Hall) -> RoundsView {
        let (book, round) = (&self.book, self.book.paired());
        let boards = (1..).zip(book.boards(round)).map(|(number, board)| {
            let table = book.table(number);
            RoundBoard {
                board: number,
                table,
                players: ByColor { white: self.contender(board.white), black: self.contender(board.black) },
                stage: self.stage((round, number), board, table.and_then(|table| hall.tables.get(&table))),
            }
        });
        RoundsView {
            system: book.plan().system.word(),
            game: book.plan().game.clone(),
            chips: book.plan().stack.is_some(),
            planned: book.plan().rounds,
            players: book.players().len(),
            round,
            boards: boards.collect(),
            unpaired: Arc::clone(&self.unpaired),
            standings: Arc::clone(&self.standings),
            tiebreaks: self.tiebreaks.clone(),
            edition: self.edition,
        }
    }

    /// The player with this number, with the points before the present round.
    pub(super) fn contender(&self, number: u32) -> Contender {
        let (name, points) = self.before.get(&number).cloned().unwrap_or_default();
        Contender { number, name, points }
    }

    /// The result of a board as it is written; a colon without one.
    pub(super) fn score(&self, board: &PairedBoard, round: usize) -> String {
        let result = self.book.result_of(board.white, round).and_then(|result| counted(board, result));
        result.map_or_else(|| ":".to_owned(), |score| score.shown())
    }

    /// After which round the places are, how many results are missing, and by which regulations they are ordered.
    pub(super) fn note(&self, words: &Words) -> String {
        let round = self.book.paired();
        let boards = self.book.boards(round).iter();
        let missing = boards.filter(|board| self.book.result_of(board.white, round).is_none()).count();
        let facts = [
            ("round", round.into()),
            ("rounds", self.book.plan().rounds.into()),
            ("missing", missing.into()),
        ];
        let after = words.with("standings-after", &facts);
        let edition = if self.book.plan().stack.is_some() {
            words.t("standings-chips")
        } else {
            words.with("standings-edition", &[("edition", self.edition.into())])
        };
        format!("{after} · {edition}")
    }

    /// The results that both players have confirmed at their tables and that do not count yet: round and board, score, table and match.
    pub(super) fn confirmed(&self, hall: &Hall) -> Vec<ConfirmedResult> {
        let view = self.view(hall);
        let of_board = |board: RoundBoard| {
            let BoardStage::Ended(score, signed) = board.stage else { return None };
            let place = (view.round, board.board);
            let table = board.table.filter(|_| signed.white && signed.black)?;
            let (uid, _) = match_of(hall.tables.get(&table)?, place)?;
            Some((place, score, (table, uid.to_owned())))
        };
        view.boards.into_iter().filter_map(of_board).collect()
    }

    fn stage(
        &self,
        (round, number): (usize, usize),
        board: &PairedBoard,
        seen: Option<&TableSeen>,
    ) -> BoardStage {
        let result = self.book.result_of(board.white, round);
        if let Some(score) = result.and_then(|result| counted(board, result)) {
            return BoardStage::Counts(score);
        }
        let Some(seen) = seen else { return BoardStage::Waits(Some(NotReady::NoTable)) };
        if let Some((_, replay)) = match_of(seen, (round, number)) {
            return match ended(replay.table(), self.book.plan().stack.is_some()) {
                Some((score, confirmed)) => BoardStage::Ended(score, confirmed),
                None => BoardStage::Plays,
            };
        }
        let busy = seen.on().and_then(|(_, of)| of.replay()).is_some_and(|replay| is_played(replay.table()));
        // A table is here once it has told how it stands.
        BoardStage::Waits(match (seen.is_here() && seen.state.is_some(), busy) {
            (false, _) => Some(NotReady::NotHere),
            (true, true) => Some(NotReady::Busy),
            (true, false) => None,
        })
    }
}

/// Whether a match is not over, in which something was played.
fn is_played(table: &Table) -> bool {
    let untouched = !table.begun() && table.past_games().is_empty();
    !table.match_over() && !untouched
}

/// Whether a match can begin at a table at once: the last one is over.
pub(super) fn is_free(seen: &TableSeen) -> bool {
    match seen.on() {
        Some((_, of)) => of.replay().is_some_and(|replay| replay.table().match_over()),
        None => seen.state.as_ref().is_some_and(|(state, _)| state.on.is_none()),
    }
}

/// The match of this board at a table, with its unique name: the newest whose header says so.
fn match_of(seen: &TableSeen, (round, board): (usize, usize)) -> Option<(&str, &Replay)> {
    let says = |replay: &Replay, tag: &str, number: usize| {
        replay.header().tags.iter().any(|(name, value)| name == tag && *value == number.to_string())
    };
    let of_board = seen.matches.iter().filter_map(|(uid, of)| Some((uid.as_str(), of, of.replay()?)));
    let newest = of_board
        .filter(|(_, _, replay)| says(replay, ROUND_TAG, round) && says(replay, BOARD_TAG, board))
        .max_by_key(|(_, of, _)| of.began);
    newest.map(|(uid, _, replay)| (uid, replay))
}

/// The score of a match that is over, by the colours of its first game, and who has confirmed it; `None` before.
fn ended(table: &Table, in_chips: bool) -> Option<(BoardScore, ByColor<bool>)> {
    if !table.match_over() && (in_chips || table.game().outcome().is_none()) {
        return None;
    }
    // White of the first game sits in seat A: so the match was begun.
    let confirmed = ByColor { white: table.signed(Seat::A), black: table.signed(Seat::B) };
    if in_chips {
        let stacks = table.stacks();
        let chips = ByColor { white: stacks.a.0, black: stacks.b.0 };
        return Some((score(chips.white.cmp(&chips.black), Some(chips)), confirmed));
    }
    let mut won = BySeat { a: 0_u32, b: 0 };
    let past = table.past_games().iter().filter_map(|past| Some((past.white, past.game.outcome()?)));
    let now = table.game().outcome().map(|outcome| (table.white(), outcome));
    for (white, outcome) in past.chain(now) {
        if let Some(color) = outcome.winner {
            won[if color == Color::White { white } else { white.other() }] += 1;
        }
    }
    Some((score(won.a.cmp(&won.b), None), confirmed))
}

fn score(white: std::cmp::Ordering, chips: Option<ByColor<u32>>) -> BoardScore {
    let (word, winner) = match white {
        std::cmp::Ordering::Greater => ("1-0", Some(Color::White)),
        std::cmp::Ordering::Equal => ("1/2", None),
        std::cmp::Ordering::Less => ("0-1", Some(Color::Black)),
    };
    BoardScore { word, chips, winner }
}

/// The result that the book has of a board.
fn counted(board: &PairedBoard, white: RoundResult) -> Option<BoardScore> {
    let (word, winner) = match white {
        RoundResult::Won => ("1-0", Some(Color::White)),
        RoundResult::Drawn => ("1/2", None),
        RoundResult::Lost => ("0-1", Some(Color::Black)),
        RoundResult::WonByForfeit => ("+--", Some(Color::White)),
        RoundResult::LostByForfeit if board.forfeits_both => ("---", None),
        RoundResult::LostByForfeit => ("--+", Some(Color::Black)),
        _ => return None,
    };
    let chips = board.chips.map(|(white, black)| ByColor { white, black });
    Some(BoardScore { word, chips, winner })
}

/// The players who have no board in the last round.
fn unpaired(book: &RoundBook, table: &Crosstable) -> Vec<Unpaired> {
    let round = book.paired();
    if round == 0 {
        return Vec::new();
    }
    let away = table.players.iter().filter_map(|player| {
        let bye = match player.round(round).result {
            RoundResult::PairingBye => Bye::Pairing,
            RoundResult::HalfBye => Bye::Half,
            RoundResult::FullBye => Bye::Full,
            RoundResult::ZeroBye => Bye::Zero,
            _ => return None,
        };
        let bye = bye.letter().chars().next()?;
        Some(Unpaired { name: harmless(&player.name), bye })
    });
    away.collect()
}

/// The tie-breaks that have a column.
fn shown_codes(all: &[TieBreak]) -> Vec<TieBreak> {
    all.iter().filter(|code| code.kind != TieBreakKind::Pts).cloned().collect()
}

fn by_points(book: &RoundBook, table: &Crosstable, codes: &[TieBreak], edition: Edition) -> Vec<PlaceRow> {
    let now = standings(table, &book.plan().tiebreaks, edition);
    let has_results = (1..=table.rounds)
        .rev()
        .find(|round| table.players.iter().any(|player| player.round(*round).met().is_some()));
    let before = has_results.filter(|round| *round > 1).map(|round| {
        standings(&table.after(round - 1), &book.plan().tiebreaks, edition)
            .into_iter()
            .map(|standing| (standing.player, standing.rank))
            .collect::<BTreeMap<usize, usize>>()
    });
    let skip = usize::from(book.plan().tiebreaks.first().is_some_and(|code| code.kind == TieBreakKind::Pts));
    let rows = now.iter().filter_map(|standing| {
        let player = table.players.get(standing.player)?;
        let was = before.as_ref().and_then(|before| before.get(&standing.player).copied());
        let values = standing.values.iter().skip(skip).take(codes.len());
        Some(PlaceRow {
            rank: standing.rank,
            shared: now.iter().filter(|other| other.rank == standing.rank).count() > 1,
            moved: was.and_then(|was| Some(i32::try_from(was).ok()? - i32::try_from(standing.rank).ok()?)),
            number: player.number,
            name: harmless(&player.name),
            rating: player.rating,
            points: written(standing.points),
            values: values.map(|value| value.map(written).unwrap_or_default()).collect(),
            course: (1..=table.rounds).map(|round| played(table, &player.round(round))).collect(),
        })
    });
    rows.collect()
}

fn by_chips(book: &RoundBook, table: &Crosstable) -> Vec<PlaceRow> {
    let all = chips::standings(book);
    let rows = all.iter().filter_map(|standing| {
        let player = table.players.iter().find(|player| player.number == standing.number)?;
        Some(PlaceRow {
            rank: standing.rank,
            shared: all.iter().filter(|other| other.rank == standing.rank).count() > 1,
            moved: None,
            number: player.number,
            name: harmless(&player.name),
            rating: player.rating,
            points: standing.points.to_string(),
            values: vec![format!("{:+}", standing.chips)],
            course: (1..=table.rounds).map(|round| played(table, &player.round(round))).collect(),
        })
    });
    rows.collect()
}

fn played(table: &Crosstable, round: &PlayerRound) -> RoundPlayed {
    let opponent = round.opponent.and_then(|place| table.players.get(place)).map(|player| player.number);
    let sign = match round.result {
        RoundResult::Won | RoundResult::FullBye | RoundResult::PairingBye => "1",
        RoundResult::Drawn | RoundResult::HalfBye => "½",
        RoundResult::Lost => "0",
        RoundResult::WonByForfeit => "+",
        RoundResult::LostByForfeit => "–",
        RoundResult::ZeroBye => "",
        RoundResult::Open => "*",
    };
    RoundPlayed { opponent, color: round.color, sign }
}

/// Points as people write them: with ¼, ½ and ¾.
fn written(points: Points) -> String {
    let text = points.to_string();
    let Some((whole, rest)) = text.split_once('.') else { return text };
    let sign = match rest {
        "25" => "¼",
        "5" => "½",
        "75" => "¾",
        _ => return text,
    };
    if whole == "0" { sign.to_owned() } else { format!("{whole}{sign}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_with_fractions() {
        let of = |text: &str| written(Points::read(text).expect("points"));
        assert_eq!([of("0.5"), of("3.5"), of("4"), of("10.25"), of("2.33")], ["½", "3½", "4", "10¼", "2.33"]);
    }
}
