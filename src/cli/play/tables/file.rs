//! The file of `tabiya play --tables`, in TOML: a `[[table]]` for each table, and before them what holds for all.
//!
//! A field is the option of `tabiya play` of the same name, so this file knows no option by itself: each table becomes a
//! command line, which clap reads. What is wrong is told with its line and column.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::ops::Range;
use std::path::Path;

use clap::builder::ValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Args as _, Command, FromArgMatches as _};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::cli::play::PlayArguments;

/// The most tables of one file: a window shows eight tiles, and the keys 1 to 8 choose one.
pub(super) const MOST: usize = 8;
/// The table of the file that stands for a table of the hall.
const TABLE: &str = "table";
/// The options that say how the program runs, not what one of its tables is.
const OF_THE_PROGRAM: [&str; 3] = ["headless", "plain", "language"];
/// The options that no table among several has.
const OF_NO_TABLE: [&str; 2] = ["kiosk", "tables"];

/// What is wrong with a file, and where: line and column, each from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FileFault {
    line: usize,
    column: usize,
    pub(super) what: String,
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.what)
    }
}

/// A table of the file.
#[derive(Debug)]
pub(super) struct TableRow {
    pub(super) arguments: PlayArguments,
    /// Where the table stands in the file, in bytes.
    at: Range<usize>,
    /// Where the value of each option stands.
    fields: BTreeMap<String, Range<usize>>,
}

/// A text with its places.
#[derive(Clone, Copy)]
pub(super) struct FileText<'a>(pub(super) &'a str);

impl FileText<'_> {
    fn fault(self, at: &Range<usize>, what: impl Into<String>) -> FileFault {
        let before = self.0.get(..at.start).unwrap_or(self.0);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        FileFault { line, column, what: what.into() }
    }

    /// The fault of a table that the program has found with an option: at its value, if the sentence names the option of one.
    pub(super) fn of_row(self, row: &TableRow, sentence: &str) -> FileFault {
        let named = |name: &str| {
            sentence
                .split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-')
                .any(|word| word == format!("--{name}"))
        };
        // What is said of a file names the file.
        let quoted = |at: &Range<usize>| {
            let value = self.0.get(at.clone()).unwrap_or_default().trim_matches(['"', '\'']);
            value.len() > 3 && sentence.contains(value)
        };
        let field = row.fields.iter().find(|(name, _)| named(name));
        let field = field.or_else(|| row.fields.iter().find(|(_, at)| quoted(at)));
        let at = field.map_or(&row.at, |(_, at)| at);
        let mut sentence = sentence.to_owned();
        for name in row.fields.keys() {
            sentence = sentence.replace(&format!("--{name}"), name);
        }
        self.fault(at, sentence)
    }

    /// The fault that this value of a table is wrong; at the table, if it has no such value.
    pub(super) fn of_field(self, row: &TableRow, name: &str, what: impl Into<String>) -> FileFault {
        self.fault(row.fields.get(name).unwrap_or(&row.at), what)
    }
}

/// A value as the command line has it.
enum Said {
    /// The option alone.
    Alone,
    With(OsString),
    /// An option that is not given.
    Not,
}

/// Reads the tables of a file. Paths are those of `folder`. `program`: options, each with its name, for each table that has
/// not its own.
pub(super) fn read(
    text: FileText<'_>,
    folder: &Path,
    program: &[(&str, String)],
) -> Result<Vec<TableRow>, FileFault> {
    let file = DeTable::parse(text.0).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        text.fault(&at, format!("this is not TOML: {}", error.message()))
    })?;
    let whole = file.span();
    let mut shared: Vec<(&str, &Spanned<DeValue<'_>>, Range<usize>)> = Vec::new();
    let mut tables: Vec<(&DeTable<'_>, Range<usize>)> = Vec::new();
    for (name, value) in file.get_ref() {
        if name.get_ref() == TABLE {
            let all = value.get_ref().as_array().ok_or_else(|| {
                text.fault(&name.span(), "write `[[table]]` in two pairs of brackets, once for each table")
            })?;
            for table in all {
                let fields = table.get_ref().as_table().ok_or_else(|| {
                    text.fault(&table.span(), "a table is a `[[table]]` with fields such as board and record")
                })?;
                tables.push((fields, table.span()));
            }
        } else {
            shared.push((name.get_ref(), value, name.span()));
        }
    }
    if tables.is_empty() {
        return Err(text.fault(&(whole.end..whole.end), "no table is in this file; write `[[table]]`, and below it board = \"dgt:/dev/ttyACM0\" and record = \"table 1.tabiya\""));
    }
    if let Some((_, at)) = tables.get(MOST) {
        return Err(text.fault(
            at,
            format!("this is table {} of the file; one computer serves {MOST} at most", MOST + 1),
        ));
    }
    let command = PlayArguments::augment_args(Command::new("play"));
    let mut rows = Vec::new();
    for (fields, at) in tables {
        let mut all = shared.clone();
        all.retain(|(name, ..)| !fields.keys().any(|own| own.get_ref() == name));
        all.extend(fields.iter().map(|(name, value)| (name.get_ref().as_ref(), value, name.span())));
        rows.push(row(text, (&command, program, folder), &all, at)?);
    }
    Ok(rows)
}

/// Reads one table with these fields.
fn row(
    text: FileText<'_>,
    (command, program, folder): (&Command, &[(&str, String)], &Path),
    fields: &[(&str, &Spanned<DeValue<'_>>, Range<usize>)],
    at: Range<usize>,
) -> Result<TableRow, FileFault> {
    let mut words: Vec<(&str, OsString)> = Vec::new();
    let mut places = BTreeMap::new();
    for (name, value, name_at) in fields {
        let known = command.get_arguments().find(|argument| argument.get_long() == Some(name));
        let known = known.filter(|_| !OF_NO_TABLE.contains(name));
        let argument = known.ok_or_else(|| text.fault(name_at, unknown(command, name)))?;
        if OF_THE_PROGRAM.contains(name) {
            let what = format!(
                "`{name}` holds for the whole program; leave it out here, and write --{name} behind the command"
            );
            return Err(text.fault(name_at, what));
        }
        places.insert((*name).to_owned(), value.span());
        match said(argument, value.get_ref(), folder).map_err(|what| text.fault(&value.span(), what))? {
            Said::Alone => words.push((name, format!("--{name}").into())),
            Said::With(value) => {
                let mut word = OsString::from(format!("--{name}="));
                word.push(value);
                words.push((name, word));
            }
            Said::Not => {}
        }
    }
    let usual = program.iter().filter(|(name, _)| !places.contains_key(*name));
    let usual: Vec<&str> = std::iter::once("play").chain(usual.map(|(_, word)| word.as_str())).collect();
    let parsed = |words: &[(&str, OsString)]| {
        let own = words.iter().map(|(_, word)| word.as_os_str());
        let all = usual.iter().map(OsStr::new).chain(own);
        command
            .clone()
            .try_get_matches_from(all)
            .and_then(|matches| PlayArguments::from_arg_matches(&matches))
    };
    let arguments = parsed(&words).map_err(|error| {
        // A value that is wrong by itself is told at its place; what does not go together, at the table.
        let is_value = |wrong: &clap::Error| {
            matches!(wrong.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue)
        };
        let alone = words.chunks(1).find_map(|word| {
            let wrong = parsed(word).err().filter(is_value)?;
            Some((word.first()?.0, wrong))
        });
        match alone {
            Some((name, wrong)) => {
                text.fault(places.get(name).unwrap_or(&at), format!("{name}: {}", in_words(&wrong)))
            }
            None => text.fault(&at, in_words(&error)),
        }
    })?;
    Ok(TableRow { arguments, at, fields: places })
}

/// What the command line says of a value that it refuses.
fn in_words(error: &clap::Error) -> String {
    if let Some(source) = error.source() {
        return source.to_string();
    }
    let text = error.to_string();
    let words = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:"))
        .filter(|line| !line.is_empty());
    let words = words.collect::<Vec<_>>().join(" ");
    words.trim_start_matches("error: ").replace("--", "")
}

fn unknown(command: &Command, name: &str) -> String {
    let is_option = |name: &str| command.get_arguments().any(|argument| argument.get_long() == Some(name));
    let meant = name.replace('_', "-").to_lowercase();
    if meant != name && is_option(&meant) {
        return format!("`{name}` is written `{meant}`");
    }
    format!(
        "`{name}` is no option of a table; its options are those of `tabiya play`, such as board, record, players and time"
    )
}

/// A value as the option on the command line would have it. `Err` is what is wrong with it.
fn said(argument: &Arg, value: &DeValue<'_>, folder: &Path) -> Result<Said, String> {
    let name = argument.get_long().unwrap_or_default();
    let is_switch = matches!(argument.get_action(), ArgAction::SetTrue);
    let may_be_alone = argument.get_num_args().is_some_and(|range| range.min_values() == 0);
    match value {
        DeValue::Boolean(true) if is_switch || may_be_alone => Ok(Said::Alone),
        DeValue::Boolean(false) if is_switch || may_be_alone => Ok(Said::Not),
        _ if is_switch => Err(format!("`{name}` is true or false, without quotes")),
        _ => {
            let text = as_text(value).ok_or_else(|| {
                format!("`{name}` is a text in quotes or a whole number, not a {}", value.type_str())
            })?;
            let is_path = argument.get_value_parser().type_id() == ValueParser::path_buf().type_id();
            Ok(Said::With(if is_path { folder.join(text).into_os_string() } else { text.into() }))
        }
    }
}

/// A text, a whole number, or several with commas between them, as the command line has them.
fn as_text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.as_str().to_owned()),
        DeValue::Array(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(|part| as_text(part.get_ref())).collect();
            Some(parts?.join(","))
        }
        DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}
