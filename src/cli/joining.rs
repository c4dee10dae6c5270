//! A computer joins an event with six digits, as a table or as a console: they stand here alone, the arbiter types them, and the person
//! here says yes.

use std::sync::Arc;

use tabiya_event::discover;
use tabiya_event::join::Joining;
use tabiya_event::joining::JoinAs;
use tabiya_event::lists::Check;
use tabiya_store::signing::{PublicKey, TableKey};

use super::asking::prompted;
use super::output::{ExitFailure, print_line, unusable};
use super::qr::qr;

fn has_signed(key: &str, text: &str, signature: &str) -> bool {
    PublicKey::from_digits(key).is_some_and(|key| key.has_signed(text, signature))
}

/// The check of signatures.
pub(super) const CHECK: &Check = &has_signed;

/// Nobody was found.
pub(super) fn nobody() -> ExitFailure {
    ExitFailure::unusable(
        "no console of an event was found in this network; name its address, which `tabiya event` shows there: 192.168.1.5",
    )
}

/// The address of the one event in the network; with several, people choose.
async fn found() -> Result<String, ExitFailure> {
    print_line("looking for an event in this network (3 s)")?;
    let Some(found) = discover::watch_all() else { return Err(nobody()) };
    tokio::time::sleep(discover::LISTEN).await;
    let mut consoles = found.consoles();
    consoles.retain(|console| !console.addresses.is_empty());
    consoles.sort_by(|one, other| one.event.cmp(&other.event));
    consoles.dedup_by(|one, other| one.event == other.event);
    let first = |console: &discover::FoundConsole| console.addresses.first().cloned().unwrap_or_default();
    match consoles.as_slice() {
        [] => Err(nobody()),
        [one] => Ok(first(one)),
        several => {
            for (nth, console) in several.iter().enumerate() {
                print_line(&tabiya_types::harmless(&format!(
                    "{}: {} ({})",
                    nth + 1,
                    console.name,
                    first(console)
                )))?;
            }
            loop {
                let Some(answer) = prompted("Which event? >")? else { return Err(nobody()) };
                let chosen =
                    answer.parse::<usize>().ok().and_then(|number| several.get(number.checked_sub(1)?));
                if let Some(chosen) = chosen {
                    return Ok(first(chosen));
                }
            }
        }
    }
}

/// Begins to join the event at this address, or the one in the network, and waits until the person here has said yes.
pub(super) async fn begin(
    address: Option<&str>,
    key: &Arc<TableKey>,
    joins: JoinAs,
) -> Result<Joining, ExitFailure> {
    let address = match address {
        Some(address) => address.to_owned(),
        None => found().await?,
    };
    let name = computer_name();
    let joining = Joining::begin(&address, Arc::clone(key), (joins, &name)).await.map_err(unusable)?;
    print_line(&format!("tell the arbiter these digits: {}", joining.digits))?;
    print_line(&qr(&joining.digits))?;
    loop {
        let question = format!(
            "Does the arbiter have {} before him, and shall this computer join? Type Y:",
            joining.digits
        );
        match prompted(&question)? {
            Some(answer) if matches!(answer.as_str(), "Y" | "y" | "yes") => break,
            Some(answer) if matches!(answer.to_lowercase().as_str(), "n" | "no") => {
                return Err(ExitFailure::refused("this computer has not joined"));
            }
            Some(_) => {}
            None => return Err(ExitFailure::refused("nobody has said yes, so this computer has not joined")),
        }
    }
    print_line("waiting for the arbiter")?;
    Ok(joining)
}

/// What this computer is called.
fn computer_name() -> String {
    let name = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let name = name.trim().chars().take(60).collect::<String>();
    if name.is_empty() {
        std::env::var("COMPUTERNAME").unwrap_or_else(|_| "computer".to_owned())
    } else {
        name
    }
}
