//! What prepares and mends an event: files with tokens, the list of consoles, a table's record from the copies, the authority under a
//! passphrase.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tabiya_event::console::hand_over as write_over;
use tabiya_event::dial::is_address;
use tabiya_event::lists::StaffRole;
use tabiya_store::keys::Keyring;
use tabiya_store::signing::PublicKey;

use super::super::output::{ExitFailure, print_line, unusable};
use super::{failed, find, open, today};

/// Arguments of `tabiya event tables`.
#[derive(Debug, Args)]
pub(super) struct TablesArguments {
    /// The first and the last table: 1-200, or one number.
    range: String,
    /// The folder into which the files are written.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The address of the console, if tables cannot find it in the network; may be given several times.
    #[arg(long, value_name = "ADDRESS")]
    console: Vec<String>,
    /// The event's folder.
    #[arg(long, value_name = "FOLDER")]
    event: Option<PathBuf>,
}

/// Writes a file with a token for each of these tables.
pub(super) fn tables(arguments: &TablesArguments) -> Result<(), ExitFailure> {
    let (first, last) = range(&arguments.range)?;
    if let Some(address) = arguments.console.iter().find(|address| !is_address(address)) {
        let address = tabiya_types::harmless(address);
        return Err(ExitFailure::unusable(format!(
            "--console {address}: this is no address; write one as the console prints it: 192.168.1.5 or 192.168.1.5:44064"
        )));
    }
    let mut event = open(arguments.event.as_ref(), None)?;
    std::fs::create_dir_all(&arguments.out).map_err(|error| {
        let out = tabiya_types::shown(&arguments.out);
        ExitFailure::unusable(format!(
            "{out}: this folder cannot be made ({error}); name another one with --out"
        ))
    })?;
    let mut files = Vec::new();
    for table in first..=last {
        let token = event.give_token(table).map_err(failed)?;
        let file = json!({
            "tabiya-table": 1, "event": event.event, "name": event.name, "authority": event.certificate_text(),
            "table": table, "token": token, "staff": event.staff.signed(), "consoles": arguments.console,
        });
        files.push((arguments.out.join(format!("table-{table}.json")), file));
    }
    // A token counts before a file with it is given away.
    event.keep_tokens().map_err(failed)?;
    for (path, file) in &files {
        tabiya_store::disk::replace_private(path, file.to_string() + "\n").map_err(|error| {
            ExitFailure::unusable(format!(
                "{}: this file cannot be written ({error}); see whether the folder is yours and has room",
                tabiya_types::shown(path)
            ))
        })?;
    }
    print_line(&format!(
        "{} files in {}: a table joins with `tabiya play --event --table-file FILE`, and each file serves one computer",
        files.len(),
        tabiya_types::shown(&arguments.out)
    ))
}

pub(super) fn range(text: &str) -> Result<(u16, u16), ExitFailure> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u16>().ok().filter(|number| (1..=9_999).contains(number));
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err(ExitFailure::unusable(format!(
            "`{text}`: write the first and the last table, from 1 to 9999: 1-200"
        ))),
    }
}

/// The role of this word.
pub(super) fn role_of(word: &str) -> Result<StaffRole, ExitFailure> {
    StaffRole::from_word(word).ok_or_else(|| {
        let word = tabiya_types::harmless(word);
        ExitFailure::unusable(format!("`{word}` is no role; write chief, deputy, sector or results"))
    })
}

/// A name of a person or a console, if it is one.
pub(super) fn must_be_name(name: &str) -> Result<&str, ExitFailure> {
    if (1..=60).contains(&name.chars().count()) {
        return Ok(name);
    }
    Err(ExitFailure::unusable("a name has 1 to 60 characters; write another one"))
}

/// Arguments of `tabiya event staff`.
#[derive(Debug, Args)]
pub(super) struct StaffArguments {
    /// Add a console, or change it: its name, its key (`tabiya key` prints it there), its role (chief, deputy, sector, results)
    /// and its tables (1-20), all if not said.
    #[arg(long, num_args = 3..=4, value_names = ["NAME", "KEY", "ROLE", "TABLES"])]
    add: Option<Vec<String>>,
    /// Take a console out.
    #[arg(long, value_name = "NAME", conflicts_with = "add")]
    remove: Option<String>,
    /// The event's folder.
    #[arg(long, value_name = "FOLDER")]
    event: Option<PathBuf>,
}

/// Shows or changes the consoles of an event.
pub(super) fn staff(arguments: &StaffArguments) -> Result<(), ExitFailure> {
    let mut event = open(arguments.event.as_ref(), None)?;
    let (_, unix_ms) = today();
    if let Some(add) = &arguments.add {
        let [name, key, role, rest @ ..] = add.as_slice() else {
            return Err(ExitFailure::unusable("--add: write name, key and role: --add desk-2 KEY deputy"));
        };
        let tables = rest.first().map_or(Ok((1, 9_999)), |tables| range(tables))?;
        let key = PublicKey::from_digits(key).ok_or_else(|| {
            ExitFailure::unusable(format!("`{key}` is no key; `tabiya key` prints it at the console"))
        })?;
        let (role, name) = (role_of(role)?, must_be_name(name)?);
        event.set_console(name, Some((&key.to_string(), role.word(), tables)), unix_ms).map_err(failed)?;
    }
    if let Some(name) = &arguments.remove {
        if !event.staff.consoles.iter().any(|console| console.name == *name) {
            return Err(ExitFailure::unusable(format!(
                "there is no console `{name}` in this event; `tabiya event staff` shows them"
            )));
        }
        event.set_console(name, None, unix_ms).map_err(failed)?;
    }
    for console in &event.staff.consoles {
        let role = console.role.map_or("of a newer program", StaffRole::word);
        let (from, to) = console.tables;
        print_line(&format!(
            "{}: {role}, tables {from} to {to}, key {}",
            tabiya_types::harmless(&console.name),
            console.key
        ))?;
    }
    Ok(())
}

/// Arguments of `tabiya event hand-over`.
#[derive(Debug, Args)]
pub(super) struct HandOverArguments {
    /// The table.
    table: u16,
    /// The folder into which the record is written, such as that of a stick.
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
    /// The event's folder.
    #[arg(long, value_name = "FOLDER")]
    event: Option<PathBuf>,
}

/// Writes the record of a table from the copies.
pub(super) fn hand_over(arguments: &HandOverArguments) -> Result<(), ExitFailure> {
    // Only copies are read, so the console may run.
    let folder = find(arguments.event.as_ref())?;
    let written = write_over(folder.path(), arguments.table, &arguments.to).map_err(unusable)?;
    print_line(&format!(
        "{}: {} lines; carry the match on at the other computer with `tabiya play --event --record {} --carry-on`; it signs the record once the arbiter has typed `vouch REASON` there",
        tabiya_types::shown(&written.path),
        written.lines,
        tabiya_types::shown(&written.path),
    ))
}

/// Arguments of `tabiya event authority`.
#[derive(Debug, Args)]
pub(super) struct AuthorityArguments {
    /// Save the authority's key in this file, under a passphrase that is asked for.
    #[arg(long, value_name = "FILE", required_unless_present = "restore")]
    save: Option<PathBuf>,
    /// Restore it from this file.
    #[arg(long, value_name = "FILE", conflicts_with = "save")]
    restore: Option<PathBuf>,
    /// The event's folder.
    #[arg(long, value_name = "FOLDER")]
    event: Option<PathBuf>,
}

/// Saves or restores the authority of an event.
pub(super) fn authority(arguments: &AuthorityArguments) -> Result<(), ExitFailure> {
    let keys = Keyring::usual();
    let ask = |what: &str| -> Result<String, ExitFailure> {
        let given = tabiya_terminal::secret(what).map_err(ExitFailure::unusable)?;
        let given = given.filter(|given| given.chars().count() >= 12);
        given.ok_or_else(|| ExitFailure::unusable("a passphrase has 12 characters or more; nothing was done"))
    };
    if let Some(file) = &arguments.save {
        let (event, event_name) = find(arguments.event.as_ref())?.about().map_err(failed)?;
        let passphrase = ask("a passphrase for the authority, at least 12 characters:")?;
        keys.save_authority(&event, &passphrase, file).map_err(unusable)?;
        return print_line(&format!(
            "the authority of {} is in {}; keep it apart from this computer, and the passphrase elsewhere",
            tabiya_types::harmless(&event_name),
            tabiya_types::shown(file)
        ));
    }
    let Some(file) = &arguments.restore else { return Ok(()) };
    let passphrase = ask("the passphrase of the authority:")?;
    let wanted = arguments.event.as_ref().map(|_| find(arguments.event.as_ref())?.about().map_err(failed));
    let wanted = wanted.transpose()?.map(|(event, _)| event);
    let event = keys
        .restore_authority(file, (&passphrase, wanted.as_deref()), |key| {
            tabiya_event::digits::event_of(&key.to_bytes())
        })
        .map_err(unusable)?;
    print_line(&format!(
        "this computer keeps the authority of event {event} now; the other one must not be used any more"
    ))
}
