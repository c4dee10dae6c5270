//! Completion, and what was meant by a word that is not understood: from what is legal now.

use tabiya_engine::rules::{Action, Offer, PlayAction};
use tabiya_engine::table::{LegalInput, Table, Voice};
use tabiya_types::{Sentence, say};

/// How alike two words must be for one to be suggested for the other, from 0 to 1 (Jaro and Winkler). At 0.8 one wrong
/// or missing letter in a word of five is suggested, and two different words are not.
const ALIKE: f64 = 0.8;

/// The sentence for a line that is not understood, with the legal word that is most like it.
pub fn not_understood(text: &str, table: &Table) -> Sentence {
    let (typed, prompt) = (text.to_owned(), table.prompt());
    let lower = text.to_lowercase();
    // At events nobody is prompted to a claim, a flag or a move: only the words that every table has are suggested.
    let legal = if table.terms().voice == Voice::Event { Vec::new() } else { table.legal() };
    let words = completions("", &legal, table.clock().paused());
    let like = |word: &String| strsim::jaro_winkler(&word.to_lowercase(), &lower);
    let nearest = words
        .into_iter()
        .filter(|word| like(word) >= ALIKE)
        .max_by(|one, other| like(one).total_cmp(&like(other)));
    match nearest {
        Some(word) => say!(
            "not-understood-meant",
            "`{typed}` is not understood; did you mean `{word}`? {prompt}. `help` lists the words",
            typed,
            word,
            prompt
        ),
        None => say!(
            "not-understood",
            "`{typed}` is not understood; {prompt}. `help` lists the words",
            typed,
            prompt
        ),
    }
}

/// The completions of `begun`: the words that can be typed now and begin with it. `paused`: whether the clocks are
/// paused.
pub fn completions(begun: &str, legal: &[LegalInput], paused: bool) -> Vec<String> {
    let mut words: Vec<String> = legal.iter().flat_map(typed_as).collect();
    let stop = if paused { "resume" } else { "pause" };
    words.extend(
        ["undo", "redo", stop, "show", "legal", "sheet", "results", "report", "help", "quit"]
            .map(str::to_owned),
    );
    let begun = begun.to_lowercase();
    words.retain(|word| word.to_lowercase().starts_with(&begun));
    words.sort();
    words.dedup();
    words
}

/// The texts that a user can type for this legal input, such as one text for each square on which a piece may be
/// placed.
fn typed_as(legal: &LegalInput) -> Vec<String> {
    match legal {
        LegalInput::Game(Offer::Raise { least, .. }) => vec![format!("raise {least}")],
        LegalInput::Game(Offer::Place { piece, at, .. }) => {
            at.iter().map(|at| format!("{} {at}", piece.letter())).collect()
        }
        LegalInput::Game(Offer::Do(action)) => vec![match action {
            Action::Bet { bet, .. } => bet.word().to_owned(),
            Action::Reveal(reveal) => reveal.card.letter().to_string(),
            Action::Play(PlayAction::Move { uci, .. }) => uci.to_string(),
            Action::Play(PlayAction::OfferDraw(_)) => "draw".to_owned(),
            Action::Play(PlayAction::AcceptDraw(_)) => "accept".to_owned(),
            Action::Play(PlayAction::DeclineDraw(_)) => "decline".to_owned(),
            Action::Play(PlayAction::ClaimDraw { .. }) => "claim".to_owned(),
            Action::Deal(_)
            | Action::Place(_)
            | Action::Correct(_)
            | Action::Fouled { .. }
            | Action::Play(PlayAction::Resign(_))
            | Action::Own(_) => action.word().to_owned(),
        }],
        LegalInput::ClaimFlag(_) => vec!["claim flag".to_owned()],
        LegalInput::Game(Offer::Own(_)) | LegalInput::Press(_) | LegalInput::Next => {
            vec![legal.word().to_owned()]
        }
    }
}
