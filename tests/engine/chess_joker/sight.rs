//! What the table shows beside the board: the cards, what they can do step by step, and how a check is given.

use serde_json::json;
use tabiya_engine::record::card_file::{CardFile, CardFileForm};
use tabiya_engine::rules::SightData as _;
use tabiya_engine::rules::chess_joker::{CardStep, CardUses, JokerSight, Masquerade};
use tabiya_types::{Board, Color};

use super::{at, cards, line, play, usual};
use crate::support::Run;

const INVENTED: &str = include_str!("../../../fixtures/chess-joker/cards/invented.json");
/// A middle game in which most cards can do something.
const MIDDLE: &str = "r3k2r/pp1n1ppp/2p1pn2/q2p4/1b1P4/2N1PN2/PPQ2PPP/R1B1K2R w KQkq - 0 9";

fn sight(run: &Run) -> JokerSight {
    run.replay.table().game().own_sight().unwrap().of::<JokerSight>().unwrap().clone()
}

fn texts(steps: &[CardStep]) -> Vec<String> {
    steps.iter().map(CardStep::to_string).collect()
}

/// Follows the last of the steps that can come next until a whole use is found.
fn followed(uses: &CardUses, mask: Masquerade, first: CardStep) -> Vec<CardStep> {
    let mut steps = vec![first];
    loop {
        let after = uses.after(mask, &steps).unwrap();
        match after.next.last() {
            Some(next) if !after.whole => steps.push(*next),
            _ => return steps,
        }
    }
}

#[test]
fn every_offered_step_leads_to_a_use_that_the_game_accepts() {
    let file = CardFile::read(CardFileForm::Json, INVENTED).unwrap();
    let mut played = 0;
    for owned in &file.cards {
        let effect = owned.card.effect.as_ref().unwrap().words().to_owned();
        let mut run = at(MIDDLE);
        cards(&mut run, &format!("AB 50 {effect}"), "-");
        let uses = sight(&run).uses.white.unwrap();
        for (mask, samples) in uses.first_steps().uses {
            let begun = uses.after(mask, &[]).unwrap();
            let first: Vec<CardStep> = samples.iter().map(|steps| steps[0]).collect();
            assert_eq!(texts(&begun.next), texts(&first), "{effect}");
            let steps = followed(&uses, mask, *first.last().unwrap());
            let mut fields = json!({"do": "play", "by": "white", "steps": texts(&steps)});
            for (role, by) in mask.replaced() {
                fields["as"][role.letter().to_string()] = by.letter().to_string().into();
            }
            let mut tried = at(MIDDLE);
            cards(&mut tried, &format!("AB 50 {effect}"), "-");
            assert_eq!(line(&mut tried, fields), "", "{effect}: {:?}", texts(&steps));
            assert_eq!(tried.replay.table().board(), uses.after(mask, &steps).unwrap().board, "{effect}");
            played += 1;
        }
    }
    assert!(played > 20, "only {played} uses were played");
}

#[test]
fn what_no_use_begins_with_has_nothing_after_it() {
    let effect = "warp *knight to beside enemy pawn".parse().unwrap();
    let board: Board = "1n2k3/p6p/8/8/8/8/P4KP1/7R".parse().unwrap();
    let uses = CardUses::on_board(std::sync::Arc::new(effect), &board, Color::Black);
    let step = |text: &str| text.parse::<CardStep>().unwrap();
    assert!(uses.after(Masquerade::NONE, &[step("b8b7")]).is_none());
    let after = uses.after(Masquerade::NONE, &[step("b8b2")]).unwrap();
    assert!(after.whole && after.next.is_empty());
    assert_eq!(after.board.to_string(), "4k3/p6p/8/8/8/8/Pn3KP1/7R");
    assert_eq!(uses.by(), Color::Black);
}

#[test]
fn a_check_by_a_card_shows_the_use_that_captures_the_king() {
    let mut run = at("1n2k3/p6p/8/8/8/8/P4KP1/7R b - -");
    assert!(sight(&run).check.is_none());
    play(&mut run, "black a7a6; black draw VY 25 warp *knight to beside enemy pawn; black press");
    let seen = sight(&run);
    let check = seen.check.clone().unwrap();
    assert_eq!((check.of, check.king.to_string(), check.pieces.len()), (Color::White, "f2".to_owned(), 0));
    assert_eq!(texts(&check.card.unwrap().1), ["b8f2"]);
    assert_eq!(seen.check().map(|square| square.to_string()).as_deref(), Some("f2"));
    assert_eq!(seen.last_squares().len(), 2);
    play(&mut run, "white f2f3");
    assert!(sight(&run).check.is_none());
}

#[test]
fn a_check_by_pieces_names_them_and_a_claimed_one_has_none() {
    let run = at("4k3/8/8/8/8/8/PPP5/K6r w - -");
    let check = sight(&run).check.unwrap();
    assert_eq!(check.pieces.iter().map(ToString::to_string).collect::<Vec<_>>(), ["h1"]);
    assert!(check.card.is_none() && !check.claimed);
    let mut run = usual();
    play(&mut run, "white e2e4; white press; black e7e5; black draw QX; black press");
    play(&mut run, "black check");
    assert!(sight(&run).check.is_none(), "it waits for White's yes");
    play(&mut run, "white confirm");
    let check = sight(&run).check.unwrap();
    assert!(check.claimed && check.pieces.is_empty() && check.card.is_none());
}

#[test]
fn what_waits_for_a_yes_and_a_last_stand_are_shown() {
    let mut run = at("4k3/pppp4/8/8/8/8/8/4K2R w - -");
    assert_eq!((sight(&run).last_stand.white, sight(&run).last_stand.black), (true, false));
    play(&mut run, "white h1h2; black a7a6; black draw QX 75; white e1e2; white draw QY 50; black b7b6");
    play(&mut run, "black draw QZ 25; white play h2h5 -d7");
    let declared = sight(&run).declared.unwrap();
    assert_eq!(texts(&declared.steps), ["h2h5", "-d7"]);
    play(&mut run, "black reject");
    assert!(sight(&run).declared.is_none());
}

#[test]
fn a_step_changes_a_board_as_far_as_it_can() {
    let board: Board = "4k3/8/8/8/8/8/PPP5/K6r".parse().unwrap();
    let after = |text: &str| text.parse::<CardStep>().unwrap().on(&board).to_string();
    assert_eq!(after("a2a5"), "4k3/8/8/P7/8/8/1PP5/K6r");
    assert_eq!(after("h8a5"), board.to_string());
    assert_eq!(after("+Nb3"), "4k3/8/8/8/8/1N6/PPP5/K6r");
    assert_eq!(after("-h1"), "4k3/8/8/8/8/8/PPP5/K7");
    assert_eq!(after("a2=Q"), "4k3/8/8/8/8/8/QPP5/K6r");
    assert_eq!(after("d4=Q"), board.to_string());
    assert_eq!(after("a1<>h1"), "4k3/8/8/8/8/8/PPP5/r6K");
}

/// A card with more uses than a frame has time for: the screen is told, and the game itself still knows.
#[test]
fn what_the_screen_searches_is_cut_short_and_said_so() {
    let mut run = at("2n4k/4n3/1n6/7n/n7/6n1/3n4/K4n2 w - - 0 1");
    let many = "move piece like *queen/*rook then move another piece like *queen/*rook then warp king capturing pawn";
    cards(&mut run, "-", &format!("AB 50 {many}"));
    let seen = sight(&run);
    assert!(seen.check.is_none() && seen.check_cut_short);
    assert!(run.replay.table().game().outcome().is_none());
    let uses = seen.uses.black.unwrap();
    assert_eq!((uses.first_steps().uses.len(), uses.first_steps().cut_short), (0, true));
    cards(&mut run, "-", "AB 50 warp pawn to empty");
    let seen = sight(&run);
    assert!(!seen.check_cut_short && !seen.uses.black.unwrap().first_steps().cut_short);
}
