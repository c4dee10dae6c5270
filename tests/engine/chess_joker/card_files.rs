//! Files of cards: TOML, JSON and CSV, what is wrong with them, and what becomes of a faulty card.

use tabiya_engine::record::card_file::{CardFile, CardFileForm, OwnedCard};
use tabiya_engine::rules::chess_joker::JokerCard;

const PRINTED: &str = include_str!("../../../fixtures/chess-joker/cards/printed.toml");
const INVENTED: &str = include_str!("../../../fixtures/chess-joker/cards/invented.json");

fn read(form: CardFileForm, text: &str) -> CardFile {
    CardFile::read(form, text).unwrap()
}

fn faults(file: &CardFile) -> Vec<String> {
    file.faults.iter().map(|fault| format!("{} {}", fault.number, fault.what)).collect()
}

#[test]
fn the_example_files_have_no_faults() {
    let printed = read(CardFileForm::Toml, PRINTED);
    assert_eq!((printed.cards.len(), faults(&printed)), (6, Vec::new()));
    let nx = printed.card("NX".parse().unwrap()).unwrap();
    assert_eq!(nx.card.effect.as_ref().unwrap().words(), "warp king to by no empty");
    assert_eq!((nx.card.elo, nx.card.star, nx.featured.as_deref()), (Some(150), Some(false), Some("K")));
    assert!(nx.text.is_some());
    let invented = read(CardFileForm::Json, INVENTED);
    assert_eq!((invented.cards.len(), faults(&invented)), (40, Vec::new()));
    assert!(invented.cards.iter().all(|owned| owned.card.effect.is_some()));
}

#[test]
fn the_three_forms_say_the_same() {
    let toml = "[[card]]\ncode = 'VY'\nelo = 25\nstar = true\neffect = 'warp *knight to beside enemy pawn'\nmine = 3";
    let json = r#"{"cards":[{"code":"VY","elo":25,"star":true,"effect":"warp *knight to beside enemy pawn","mine":3}]}"#;
    let csv = "code;elo;star;effect;mine\nVY;25;true;warp *knight to beside enemy pawn;3\n";
    let commas = "code,elo,effect,star\r\nVY,25,\"warp *knight to beside enemy pawn\",true\r\n";
    let files = [
        read(CardFileForm::Toml, toml),
        read(CardFileForm::Json, json),
        read(CardFileForm::Csv, csv),
        read(CardFileForm::Csv, commas),
    ];
    for file in &files {
        assert_eq!(faults(file), Vec::<String>::new());
        assert_eq!(file.cards, files[0].cards);
    }
    assert_eq!(CardFileForm::of_ending("CSV"), Some(CardFileForm::Csv));
    assert_eq!(CardFileForm::of_ending("txt"), None);
}

#[test]
fn what_is_wrong_is_told_card_by_card() {
    let json = r#"{"cards":[{"code":"vy","elo":25},{"code":"VY"},{"code":"VX","elo":1001},{"code":"VW","elo":25,"star":"yes"},
        {"code":"VV","elo":25,"effect":"warp knite"},{"code":"VV","elo":25},{"code":"VU","elo":25,"featured":"X"},{"code":"VT","elo":0}]}"#;
    let file = read(CardFileForm::Json, json);
    let wanted = [
        "1 `code` must be two capital letters",
        "2 `elo` must be a whole number from 0 to 1000",
        "3 `elo` must be a whole number from 0 to 1000",
        "4 `star` must be true or false",
        "5 `effect` cannot be read: `knite`: the name of a piece has to stand here",
        "6 this code stands in the file twice; the first card counts",
        "7 `featured` must be letters of K Q R B N P",
    ];
    assert_eq!(faults(&file), wanted);
    assert_eq!(file.faults[4].effect, Some(("warp knite".to_owned(), 5..10)));
    let codes: Vec<String> = file.cards.iter().map(|owned| owned.card.word()).collect();
    assert_eq!(codes, ["VV", "VU", "VT"]);
    assert!(file.cards[0].card.effect.is_none(), "a card whose effect cannot be read is unwritten");
}

#[test]
fn a_file_of_another_form_is_refused_in_one_sentence() {
    for (form, text) in [
        (CardFileForm::Toml, "[[card]"),
        (CardFileForm::Toml, "card = 3"),
        (CardFileForm::Toml, "card = [3]"),
        (CardFileForm::Json, "[]"),
        (CardFileForm::Json, r#"{"cards":[3]}"#),
        (CardFileForm::Json, r#"{"cards":[],"cards":[]}"#),
        (CardFileForm::Csv, ""),
        (CardFileForm::Csv, "elo,star\n3,true"),
        (CardFileForm::Csv, "code,elo\nVY"),
    ] {
        let error = CardFile::read(form, text).unwrap_err();
        let error = error.to_string();
        assert!(!error.contains('\n') && !error.ends_with('.'), "{error}");
    }
    assert_eq!(read(CardFileForm::Toml, ""), CardFile::default());
}

/// A card as it is typed in the form.
fn typed(code: &str, elo: u32, effect: &str, text: Option<&str>) -> OwnedCard {
    let effect = (!effect.is_empty()).then(|| std::sync::Arc::new(effect.parse().unwrap()));
    let card = JokerCard { code: Some(code.parse().unwrap()), elo: Some(elo), star: Some(false), effect };
    OwnedCard { card, featured: None, text: text.map(str::to_owned) }
}

#[test]
fn a_card_is_added_to_a_file_and_nothing_else_changes() {
    let text = CardFile::with_card("", &typed("ZA", 50, "warp *knight to empty center", None)).unwrap();
    assert_eq!(
        text,
        "[[card]]\ncode = \"ZA\"\nstar = false\nelo = 50\neffect = \"warp *knight to empty center\"\n"
    );
    let more = CardFile::with_card(PRINTED, &typed("ZB", 75, "", Some("\"so\"\n\u{7f} said"))).unwrap();
    assert!(more.starts_with(PRINTED), "{more}");
    let file = read(CardFileForm::Toml, &more);
    assert_eq!((file.cards.len(), faults(&file)), (7, Vec::new()));
    assert_eq!(file.card("ZB".parse().unwrap()).unwrap().text.as_deref(), Some("\"so\"\n\u{7f} said"));
}

#[test]
fn a_card_that_is_written_again_takes_the_place_of_the_old_one() {
    let text = "# ours\n[[card]] # first\nmine = 3\ncode = 'ZA'\nelo = 50 # so far\neffect = 'warp rook'\ntext = '''\nlong\n'''\n\n[[card]]\ncode = 'ZB'\nelo = 25\n";
    let written = CardFile::with_card(text, &typed("ZA", 60, "move rook", None)).unwrap();
    assert!(written.starts_with("# ours\n[[card]] # first\nmine = 3\ncode = \"ZA\"\n"), "{written}");
    assert!(written.contains("# so far") && !written.contains("long"), "{written}");
    let file = read(CardFileForm::Toml, &written);
    let codes: Vec<String> = file.cards.iter().map(|owned| owned.card.word()).collect();
    assert_eq!((codes, faults(&file)), (vec!["ZA".to_owned(), "ZB".to_owned()], Vec::new()));
    assert_eq!(file.cards[0].card.elo, Some(60));
}

#[test]
fn a_card_that_cannot_be_put_into_a_file_is_refused() {
    let card = typed("ZA", 50, "", None);
    for text in ["card = 3", "[[card", "card = [{code = 'ZB', elo = 1}]"] {
        assert!(CardFile::with_card(text, &card).is_err(), "{text}");
    }
    let nameless = OwnedCard { card: JokerCard::default(), featured: None, text: None };
    assert!(CardFile::with_card("", &nameless).is_err());
}
