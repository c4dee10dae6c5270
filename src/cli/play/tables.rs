//! `tabiya play --tables`: several tables in one program, each with its own board, record and clock.
//!
//! The file is read in `tables/file.rs`. Each of its tables is then what `tabiya play` with the same options is.

mod file;

use std::path::Path;

use tabiya_boards::address::{BoardAddress, BoardPort, LiveAddress};
use tabiya_store::disk::read_bounded;
use tabiya_terminal::{NumberedTable, run_several};

use self::file::{FileFault, FileText, TableRow};
use super::terms::{header, terms};
use super::{PlayArguments, cannot_run, check, event, made_ready, tell_parting};
use crate::cli::output::ExitFailure;

/// The longest file that is read, in bytes.
const LONGEST: u64 = 64 << 10;

/// Runs the tables of this file.
pub(super) fn run(arguments: &PlayArguments, path: &Path) -> Result<(), ExitFailure> {
    #[cfg(feature = "window")]
    if arguments.kiosk {
        return Err(ExitFailure::unusable(
            "--kiosk: it fills the screen with one table; with --tables leave it out",
        ));
    }
    if let Some(option) = said_beside(arguments) {
        return Err(ExitFailure::unusable(format!(
            "--{option}: with --tables the tables stand in the file; write {option} there, before the first [[table]] if it holds for all"
        )));
    }
    let all = tables_of(arguments, path)?;
    #[cfg(feature = "window")]
    if super::window::wanted(arguments) {
        return super::window::open_several(&title(path), &all);
    }
    let (mut tables, mut ends) = (Vec::new(), Vec::new());
    for table in all {
        let (number, words) = (table.number.unwrap_or_default(), table.language.words());
        let ready = (|| {
            let joined = event::join(&table)?;
            made_ready(&table, joined)?
                .ok_or_else(|| ExitFailure::unusable("nobody can play here"))?
                .seated(&table)
        })();
        let (table_loop, desk, told) = ready.map_err(|failure| of_table(&table, failure))?;
        tables.push(NumberedTable { number, table: table_loop, desk, words });
        ends.push((table, told));
    }
    let ended = run_several(tables).map_err(cannot_run)?;
    let mut failed = None;
    for (ended, (table, _told)) in ended.into_iter().zip(&ends) {
        let told = match ended {
            Ok(Some(parting)) => tell_parting(&parting, table),
            Ok(None) => Ok(()),
            Err(error) => Err(cannot_run(error)),
        };
        failed = failed.or(told.err().map(|failure| of_table(table, failure)));
    }
    failed.map_or(Ok(()), Err)
}

/// The name and the tables of a file that people choose in a window: there nobody can be asked for the digits of an event.
#[cfg(feature = "window")]
pub(super) fn asked(path: &Path) -> Result<(String, Vec<PlayArguments>), ExitFailure> {
    let tables = tables_of(&PlayArguments::usual(), path)?;
    #[cfg(feature = "event")]
    if tables.iter().any(|table| table.event.is_some()) {
        return Err(ExitFailure::unusable(
            "these tables belong to an event; start them with `tabiya play --tables FILE`, where each is admitted",
        ));
    }
    Ok((title(path), tables))
}

/// The name of a file's tables.
#[cfg(feature = "window")]
fn title(path: &Path) -> String {
    tabiya_types::harmless(&path.file_stem().unwrap_or_default().to_string_lossy())
}

/// The failure of one table among several.
pub(super) fn of_table(table: &PlayArguments, failure: ExitFailure) -> ExitFailure {
    let ExitFailure { status, sentence } = failure;
    let number = table.number.unwrap_or_default();
    ExitFailure { status, sentence: format!("table {number}: {sentence}") }
}

/// The first option that was given beside `--tables` and says what one table is.
fn said_beside(arguments: &PlayArguments) -> Option<String> {
    if let Some(option) = arguments.given_term(|_| true) {
        return Some(option.trim_start_matches('-').to_owned());
    }
    let given = [
        ("board", arguments.board.is_some()),
        ("box", arguments.beside.is_some()),
        ("record", arguments.record.is_some()),
        ("copy", arguments.copy.is_some()),
        ("carry-on", arguments.carry_on),
        ("new", arguments.new),
        ("pgn", arguments.pgn.is_some()),
        ("deck", arguments.deck.is_some()),
        ("read-deals", arguments.read_deals),
        ("capture", arguments.capture.is_some()),
        ("profile", arguments.profile.is_some()),
        ("seed", arguments.seed.is_some()),
        ("plies", arguments.plies.is_some()),
        ("clock-side", arguments.clock_side.is_some()),
        ("cards", arguments.own_terms.cards().is_some()),
        #[cfg(feature = "event")]
        ("table-file", arguments.table_file.is_some()),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option.to_owned())
}

/// Reads the tables of a file and checks them as far as no board and no record is needed for that. `Err` names file, line and column.
fn tables_of(arguments: &PlayArguments, path: &Path) -> Result<Vec<PlayArguments>, ExitFailure> {
    let name = tabiya_types::shown(path);
    let failed =
        |error: std::io::Error| ExitFailure::unusable(format!("{name}: this file cannot be read: {error}"));
    let bytes = read_bounded(path, LONGEST).map_err(failed)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        ExitFailure::unusable(format!("{name}: this is no text in UTF-8; write the tables in TOML"))
    })?;
    let folder = std::path::absolute(path).map_err(failed)?;
    let folder = folder.parent().unwrap_or(Path::new("."));
    checked(arguments, FileText(&text), folder)
        .map_err(|fault| ExitFailure::unusable(format!("{name}, {fault}")))
}

/// Reads the tables of a text. Paths in it are those of `folder`.
fn checked(
    arguments: &PlayArguments,
    text: FileText<'_>,
    folder: &Path,
) -> Result<Vec<PlayArguments>, FileFault> {
    let mut program = Vec::new();
    if arguments.headless {
        program.push(("headless", "--headless".to_owned()));
    }
    #[cfg(feature = "event")]
    if let Some(address) = &arguments.event {
        let equals = if address.is_empty() { "" } else { "=" };
        program.push(("event", format!("--event{equals}{address}")));
    }
    let mut rows = file::read(text, folder, &program)?;
    for (nth, row) in rows.iter_mut().enumerate() {
        row.arguments.number = Some(nth + 1);
        row.arguments.language = arguments.language.clone();
    }
    for (nth, row) in rows.iter().enumerate() {
        check_alone(text, row)?;
        for (before, other) in rows.iter().take(nth).enumerate() {
            check_apart(text, row, (before + 1, other))?;
        }
    }
    Ok(rows.into_iter().map(|row| row.arguments).collect())
}

/// Checks one table by itself.
fn check_alone(text: FileText<'_>, row: &TableRow) -> Result<(), FileFault> {
    let table = &row.arguments;
    let board = |what: &str| text.of_field(row, "board", what);
    match &table.board {
        Some(BoardAddress::Only) => {
            return Err(board(
                "board: `auto` takes the only board nearby, and here are several; name each, for example dgt:/dev/ttyACM0, dgt:auto or dgt:auto#1025",
            ));
        }
        Some(BoardAddress::Sim(_) | BoardAddress::Capture(_)) => {
            return Err(board(
                "board: simulated players and captures play in a time of their own; name a board, for example dgt:/dev/ttyACM0, or start `tabiya sim dgt --link /tmp/board` and write dgt:/tmp/board",
            ));
        }
        Some(BoardAddress::Live(_)) | None => {}
    }
    if table.record.is_none() {
        return Err(text.of_field(
            row,
            "",
            "this table has no record; write record = \"table 1.tabiya\", a file of its own for each table",
        ));
    }
    let whole = || {
        check(table)?;
        header(table, &terms(table)?).map(drop)
    };
    whole().map_err(|failure| text.of_row(row, &failure.sentence))
}

/// Checks that two tables have no file and no device in common.
fn check_apart(
    text: FileText<'_>,
    row: &TableRow,
    (number, other): (usize, &TableRow),
) -> Result<(), FileFault> {
    let (one, two) = (&row.arguments, &other.arguments);
    for (name, this, that) in [
        ("record", &one.record, &two.record),
        ("pgn", &one.pgn, &two.pgn),
        ("capture", &one.capture, &two.capture),
    ] {
        if let (Some(this), Some(that)) = (this, that)
            && is_same_file(this, that)
        {
            let what =
                format!("{name}: table {number} has this file already; name another one for each table");
            return Err(text.of_field(row, name, what));
        }
    }
    let devices = |table: &'_ PlayArguments| [("board", table.board.clone()), ("box", table.beside.clone())];
    for (name, this) in devices(one) {
        for (_, that) in devices(two) {
            if let (Some(BoardAddress::Live(this)), Some(BoardAddress::Live(that))) = (&this, &that)
                && is_same_device(this, that)
            {
                let what = format!("{name}: table {number} has {that} already; a board serves one table");
                return Err(text.of_field(row, name, what));
            }
        }
    }
    Ok(())
}

/// Whether two names are those of one file, which need not exist yet.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        folder.map_or_else(|| path.to_owned(), |folder| folder.join(path.file_name().unwrap_or_default()))
    };
    real(one) == real(other)
}

/// Whether two addresses cannot both have a board of their own.
fn is_same_device(one: &LiveAddress, other: &LiveAddress) -> bool {
    if one.place != other.place {
        return false;
    }
    match (&one.unit, &other.unit) {
        (Some(this), Some(that)) => {
            let sharing = one.maker.transports().shared;
            sharing.map_or_else(|| this == that, |sharing| (sharing.same)(this, that))
        }
        // Each search takes a board that no other table has.
        _ if matches!(one.place, BoardPort::Auto | BoardPort::Ble(None)) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, FromArgMatches as _};

    use super::*;

    fn arguments(words: &[&str]) -> PlayArguments {
        let command = PlayArguments::augment_args(clap::Command::new("play"));
        let matches = command.get_matches_from(["play"].iter().chain(words));
        PlayArguments::from_arg_matches(&matches).expect("they fit")
    }

    fn told(text: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let read = checked(&arguments(&["--headless"]), FileText(text), folder.path());
        match read {
            Ok(tables) => format!("{} tables", tables.len()),
            Err(fault) => fault.to_string().replace(&tabiya_types::shown(folder.path()), "FOLDER"),
        }
    }

    /// A table with these further lines.
    fn table(record: &str, lines: &str) -> String {
        format!("[[table]]\nrecord = \"{record}\"\n{lines}\n")
    }

    /// Wrong files, each with what is wrong with it.
    fn wrong_files() -> Vec<(&'static str, String)> {
        let nine: String = (1..=9).map(|nth| table(&format!("{nth}.tabiya"), "")).collect();
        vec![
            ("nothing", String::new()),
            ("no TOML", "[[table]\nrecord = \"a\"".to_owned()),
            ("a table in single brackets", "[table]\nrecord = \"a.tabiya\"".to_owned()),
            ("too many", nine),
            ("an unknown field", table("a.tabiya", "bord = \"dgt:/dev/ttyACM0\"")),
            ("a field with an underscore", table("a.tabiya", "draw_wins = \"black\"")),
            ("an unknown field for all", format!("colour = \"red\"\n{}", table("a.tabiya", ""))),
            ("what holds for the program", table("a.tabiya", "headless = true")),
            ("what no table has", table("a.tabiya", "kiosk = true")),
            ("a wrong type", table("a.tabiya", "time = 3.5")),
            ("a text for a switch", table("a.tabiya", "new = \"yes\"")),
            ("a switch for a text", table("a.tabiya", "players = true")),
            ("no board's address", table("a.tabiya", "board = \"dgtt:/dev/ttyACM0\"")),
            ("the only board", table("a.tabiya", "board = \"auto\"")),
            ("a simulated evening", table("a.tabiya", "board = \"sim\"")),
            ("no record", "[[table]]\nboard = \"dgt:/dev/ttyACM0\"".to_owned()),
            ("no such folder", table("no/such/a.tabiya", "")),
            ("an unknown game", table("a.tabiya", "game = \"checkers\"")),
            ("an unknown clock", table("a.tabiya", "clock = \"sundial\"")),
            ("an unknown time", table("a.tabiya", "time = \"soon\"")),
            ("a term of another game", table("a.tabiya", "game = \"chess\"\nblind = 2")),
            ("one player", table("a.tabiya", "players = \"Ann\"")),
            ("what does not go together", table("a.tabiya", "new = true\ncarry-on = true")),
            ("one record for two", [table("a.tabiya", ""), table("./a.tabiya", "")].concat()),
            (
                "one board for two",
                [
                    table("a.tabiya", "board = \"dgt:/dev/ttyACM0\""),
                    table("b.tabiya", "board = \"/dev/ttyACM0\""),
                ]
                .concat(),
            ),
            (
                "one unit for two",
                [
                    table("a.tabiya", "board = \"dgtbus:COM3#1025\""),
                    table("b.tabiya", "board = \"dgtbus:COM3#01025\""),
                ]
                .concat(),
            ),
            (
                "one number for two",
                [
                    table("a.tabiya", "board = \"dgt:auto#1025\""),
                    table("b.tabiya", "board = \"dgt:auto#1025\""),
                ]
                .concat(),
            ),
        ]
    }

    #[test]
    fn a_wrong_file_is_refused_with_line_and_column() {
        let all: Vec<String> =
            wrong_files().iter().map(|(what, text)| format!("{what}\n    {}", told(text))).collect();
        insta::assert_snapshot!(all.join("\n"), @r#"
        nothing
            line 1, column 1: no table is in this file; write `[[table]]`, and below it board = "dgt:/dev/ttyACM0" and record = "table 1.tabiya"
        no TOML
            line 1, column 9: this is not TOML: unclosed array table, expected `]`
        a table in single brackets
            line 1, column 2: write `[[table]]` in two pairs of brackets, once for each table
        too many
            line 25, column 1: this is table 9 of the file; one computer serves 8 at most
        an unknown field
            line 3, column 1: `bord` is no option of a table; its options are those of `tabiya play`, such as board, record, players and time
        a field with an underscore
            line 3, column 1: `draw_wins` is written `draw-wins`
        an unknown field for all
            line 1, column 1: `colour` is no option of a table; its options are those of `tabiya play`, such as board, record, players and time
        what holds for the program
            line 3, column 1: `headless` holds for the whole program; leave it out here, and write --headless behind the command
        what no table has
            line 3, column 1: `kiosk` is no option of a table; its options are those of `tabiya play`, such as board, record, players and time
        a wrong type
            line 3, column 8: `time` is a text in quotes or a whole number, not a float
        a text for a switch
            line 3, column 7: `new` is true or false, without quotes
        a switch for a text
            line 3, column 11: `players` is a text in quotes or a whole number, not a boolean
        no board's address
            line 3, column 9: board: `dgtt:/dev/ttyACM0` is not a board's address; write `auto`, a port such as dgt:/dev/ttyACM0 or COM3, dgt:tcp:HOST:PORT, `sim`, or capture:FILE
        the only board
            line 3, column 9: board: `auto` takes the only board nearby, and here are several; name each, for example dgt:/dev/ttyACM0, dgt:auto or dgt:auto#1025
        a simulated evening
            line 3, column 9: board: simulated players and captures play in a time of their own; name a board, for example dgt:/dev/ttyACM0, or start `tabiya sim dgt --link /tmp/board` and write dgt:/tmp/board
        no record
            line 1, column 1: this table has no record; write record = "table 1.tabiya", a file of its own for each table
        no such folder
            line 2, column 10: FOLDER/no/such/a.tabiya: the folder of this file does not exist; check the name
        an unknown game
            line 3, column 8: the game `checkers` is unknown; known games: choker, chess, poker-chess, pokerdrez, chess-joker, clock
        an unknown clock
            line 3, column 9: `clock` of `terms` must be `tabiya` or `device`, not `sundial`
        an unknown time
            line 3, column 8: `time`: `soon` is not a time control: at character 1, expected a number
        a term of another game
            line 4, column 9: blind: chess has no such term; leave it out, or choose another game with game
        one player
            line 3, column 11: `players Ann`: give two names, as in `players Ann,Bo`
        what does not go together
            line 1, column 1: the argument 'carry-on' cannot be used with 'new'
        one record for two
            line 5, column 10: record: table 1 has this file already; name another one for each table
        one board for two
            line 6, column 9: board: table 1 has dgt:/dev/ttyACM0 already; a board serves one table
        one unit for two
            line 6, column 9: board: table 1 has dgtbus:COM3#1025 already; a board serves one table
        one number for two
            line 6, column 9: board: table 1 has dgt:auto#1025 already; a board serves one table
        "#);
    }

    #[test]
    fn what_stands_before_the_tables_holds_for_all_and_a_table_may_have_its_own() {
        let text = "game = \"chess\"\ntime = \"5+3\"\n[[table]]\nrecord = \"a.tabiya\"\nplayers = [\"Ann\", \"Bo\"]\n\
            [[table]]\nrecord = \"b.tabiya\"\ntime = \"3+2\"\nnew = true\n";
        let folder = tempfile::tempdir().expect("a folder");
        let tables = checked(&arguments(&[]), FileText(text), folder.path()).expect("it fits");
        let [one, two] = tables.as_slice() else { panic!("{tables:?}") };
        assert_eq!((one.time.as_deref(), two.time.as_deref()), (Some("5+3"), Some("3+2")));
        assert_eq!((one.game(), two.game(), one.players.as_deref()), ("chess", "chess", Some("Ann,Bo")));
        assert_eq!((one.number, two.number, one.new, two.new), (Some(1), Some(2), false, true));
        assert_eq!(one.record, Some(folder.path().join("a.tabiya")), "beside the file");
        assert!(one.carries() && !two.carries(), "who asks for a new match gets one");
    }

    #[test]
    fn several_boards_of_a_wire_and_several_searches_are_no_clash() {
        for boards in
            [["dgtbus:COM3#1025", "dgtbus:COM3#1026"], ["dgt:auto", "dgt:auto"], ["dgt:COM3", "dgt:COM4"]]
        {
            let lines = |nth: usize| format!("board = \"{}\"", boards[nth]);
            let text = [table("a.tabiya", &lines(0)), table("b.tabiya", &lines(1))].concat();
            assert_eq!(told(&text), "2 tables", "{boards:?}");
        }
    }

    /// An option that says what one table is stands in the file, so beside the file it is refused.
    #[test]
    fn no_option_beside_the_file_is_ignored() {
        let beside = |words: &[&str]| said_beside(&arguments(words));
        assert_eq!(beside(&["--tables", "t.toml", "--headless"]), None);
        assert_eq!(beside(&["--time", "5+3"]).as_deref(), Some("time"));
        for words in
            [["--board", "dgt:COM3"], ["--record", "a.tabiya"], ["--players", "Ann,Bo"], ["--seed", "2"]]
        {
            assert_eq!(beside(&words).as_deref(), words[0].strip_prefix("--"), "{words:?}");
        }
    }
}
