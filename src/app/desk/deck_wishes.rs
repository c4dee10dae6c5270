//! Carries out what people ask about card readers and decks (`cards.rs` knows them, `work.rs` works on a deck).

use std::path::{Path, PathBuf};

use tabiya_cards::{ReaderName, print};
use tabiya_types::{Instant, Pack, Sentence};

use super::draft::check_deck;
use super::files::{Files, with_ending};
use super::house::House;
use super::table::TableSide;
use super::wish::{CardWish, Paper};

fn sheets_file(pack: Pack, paper: Paper) -> String {
    let paper = match paper {
        Paper::A4 => "a4",
        Paper::Letter => "letter",
    };
    format!("cards-{}-{paper}.pdf", pack.word())
}

/// Carries out a request about readers or decks.
pub(super) fn carry_out(wish: CardWish, house: &mut House, table: &mut TableSide, now: Instant) {
    let done = match wish {
        CardWish::Look => Ok(None),
        CardWish::Listen(on) => {
            table.cards.looked_at = on;
            return;
        }
        CardWish::Play(name) => play_with(name.as_deref(), house, table, now).map(|()| None),
        CardWish::ReadDeals => table.read_deals().map(|()| None),
        CardWish::Give(reader, to) => {
            let reader = ReaderName::from(reader.as_str());
            return table.at_table(|sitting, _| sitting.session.give_reader(&reader, to));
        }
        CardWish::Enrol { name, pack, adopt, asked } => {
            table.cards.enrol(&name, pack, adopt, asked, &house.environment).map(|()| None)
        }
        CardWish::Face(card) => {
            table.cards.name_face(card, &house.environment);
            return;
        }
        CardWish::Undo => {
            table.cards.undo_card(&house.environment);
            return;
        }
        CardWish::Keep => {
            table.cards.keep_enrolled(&house.environment);
            Ok(None)
        }
        CardWish::Audit(name) => table.cards.audit(&name).map(|()| None),
        CardWish::Replace { name, card, copy } => table.cards.replace_card(&name, card, copy).map(|()| None),
        CardWish::Finish => {
            table.cards.finish_audit();
            Ok(None)
        }
        CardWish::Stop => {
            table.cards.work = None;
            Ok(None)
        }
        CardWish::Remove(name) => remove(&name, house, table, now).map(Some),
        CardWish::Export(name, path) => {
            place_for(&path, &house.files).and_then(|path| table.cards.export(&name, &path)).map(Some)
        }
        CardWish::Print(pack, paper) => return print_sheets(pack, paper, house, table, now),
        CardWish::Import(path) => {
            house.files.place(&path).and_then(|path| table.cards.import(&path)).map(Some)
        }
    };
    table.cards.list();
    if let Some(told) = done.transpose() {
        table.talk.notice(now, told);
    }
}

/// The full path for a deck's new file, in a folder that exists.
fn place_for(path: &Path, files: &Files) -> Result<PathBuf, String> {
    let path = files.place(&with_ending(path, "json"))?;
    files.make_folder(&path).map_err(|error| format!("{}: {error}", tabiya_types::shown(&path)))?;
    Ok(path)
}

/// Writes the cards of this kind of deck to a PDF.
fn print_sheets(pack: Pack, paper: Paper, house: &mut House, table: &mut TableSide, now: Instant) {
    let pdf = print::pdf(&print::sheets(pack, paper));
    let written = house.write(Path::new(&sheets_file(pack, paper)), &pdf, table.record());
    table.talk.notice_file(now, written);
}

/// Uses this deck in the match being played from now on; without a name, stops using a deck.
fn play_with(
    name: Option<&str>,
    house: &mut House,
    table: &mut TableSide,
    now: Instant,
) -> Result<(), String> {
    let deck = table.cards.called(name)?;
    let Some(sitting) = &mut table.sitting else { return Ok(()) };
    match deck {
        Some(deck) => {
            check_deck(&deck, sitting.session.table().agreement())?;
            sitting.session.use_deck(deck);
            table.introduce_readers(now);
        }
        None => sitting.session.put_deck_away(),
    }
    house.remember_deck(name, table, now);
    Ok(())
}

/// Deletes this deck; the next match does not suggest it any more.
fn remove(name: &str, house: &mut House, table: &mut TableSide, now: Instant) -> Result<Sentence, String> {
    let in_play = table.session().and_then(|session| session.deck());
    let removed = table.cards.remove(name, in_play)?;
    if house.preferences.now().deck.as_deref() == Some(name) {
        house.remember_deck(None, table, now);
    }
    Ok(removed)
}
