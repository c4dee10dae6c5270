//! The arbiters' telephones: the options of their page, and what the chief types about them.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use tabiya_event::console::page::{PAGE_PORT, PageSettings, PhoneDesk, PhonePage, PhoneRights};
use tabiya_types::harmless;

use crate::cli::output::{ExitFailure, print_line};
use crate::cli::qr::qr;

/// The longest name of an arbiter, in characters.
const LONGEST_NAME: usize = 60;

/// Whether telephones are let in, and how.
#[derive(Debug, Args)]
pub(super) struct PhoneArguments {
    /// Let arbiters use telephones: a page over HTTPS shows queue and tables, and takes orders. `phone NAME` gives a code.
    #[arg(long)]
    phones: bool,
    /// The port of the telephones' page.
    #[arg(long, value_name = "PORT", default_value_t = PAGE_PORT, requires = "phones")]
    page_port: u16,
    /// The organiser's own certificate for the page, with its chain and its key (PEM); without it the computer makes one.
    #[arg(long, value_name = "FILE", requires = "phones")]
    page_cert: Option<PathBuf>,
}

impl PhoneArguments {
    /// How the page runs at this address; `None` without telephones.
    pub(super) fn settings(&self, bind: IpAddr) -> Option<PageSettings> {
        let bind = SocketAddr::new(bind, self.page_port);
        self.phones.then(|| PageSettings { bind, certificate: self.page_cert.clone() })
    }
}

/// Tells where the page is, and its six words.
pub(super) fn tell(desk: &PhoneDesk) -> Result<(), ExitFailure> {
    let Some(page) = desk.page() else { return Ok(()) };
    for address in &page.place.addresses {
        print_line(&format!("telephones reach it at {address}"))?;
    }
    print_line(&format!("six words of its certificate: {}", page.place.words.join(" ")))?;
    print_line("`phone NAME` gives an arbiter a code")
}

/// Carries out what the chief types about telephones. Returns whether it was about them.
pub(super) fn typed(desk: &PhoneDesk, words: &[&str], chief: &str) -> Result<bool, ExitFailure> {
    match words {
        ["phones"] => list(desk)?,
        ["phone", "off", name @ ..] => end(desk, &name.join(" "), chief)?,
        ["phone", words @ ..] => give(desk, words, chief)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Beside a window the terminal takes the words about telephones, and no others: the desk has no field for them.
#[cfg(feature = "window")]
pub(super) fn listen_beside(desk: PhoneDesk, chief: String) {
    use std::io::BufRead as _;
    if desk.page().is_none() {
        return;
    }
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            let words: Vec<&str> = line.split_whitespace().collect();
            let carried_out = match typed(&desk, &words, &chief) {
                Ok(false) if !words.is_empty() => print_line(
                    "beside a window only `phone NAME`, `phone off NAME` and `phones` are typed here",
                ),
                Ok(_) => Ok(()),
                Err(failure) => Err(failure),
            };
            if carried_out.is_err() {
                return;
            }
        }
    });
}

/// `phone NAME`, `phone NAME 1-20`, `phone NAME results`.
fn give(desk: &PhoneDesk, words: &[&str], chief: &str) -> Result<(), ExitFailure> {
    let Some(page) = desk.page() else { return off() };
    let (name, rights) = match words {
        [name @ .., last] if !name.is_empty() => match PhoneRights::from_words(last) {
            Some(rights) => (name.join(" "), rights),
            None => (words.join(" "), PhoneRights::ALL),
        },
        _ => (words.join(" "), PhoneRights::ALL),
    };
    let name = harmless(&name);
    if !(1..=LONGEST_NAME).contains(&name.chars().count()) || PhoneRights::from_words(&name).is_some() {
        return print_line(
            "a code is for an arbiter by name: `phone Rossi`, `phone Rossi 1-20`, `phone Rossi results`",
        );
    }
    match desk.give_code(&name, rights, chief) {
        Ok(Some(code)) => show(page, &name, &code),
        Ok(None) => print_line("the system provides no random numbers; restart the computer"),
        Err(fault) => print_line(&fault.to_string()),
    }
}

fn show(page: &PhonePage, name: &str, code: &str) -> Result<(), ExitFailure> {
    let (first, second) = code.split_at(code.len() / 2);
    if let Some(address) = page.place.addresses.first() {
        print_line(qr(address).trim_end_matches('\n'))?;
    }
    for address in &page.place.addresses {
        print_line(address)?;
    }
    print_line(&format!("code for {name}: {first} {second} (once, for 5 minutes)"))?;
    print_line(&format!("the telephone must show these words: {}", page.place.words.join(" ")))?;
    print_line(&format!("fingerprint (SHA-256): {}", page.place.fingerprint))
}

/// `phones`: who is signed in.
fn list(desk: &PhoneDesk) -> Result<(), ExitFailure> {
    if desk.page().is_none() {
        return off();
    }
    tell(desk)?;
    let signed_in = desk.signed_in();
    if signed_in.is_empty() {
        return print_line("no telephone is signed in");
    }
    for (name, rights) in signed_in {
        let rights = match rights {
            PhoneRights::ALL => "all tables".to_owned(),
            PhoneRights::Results => "results".to_owned(),
            PhoneRights::Tables(..) => format!("tables {rights}"),
        };
        print_line(&format!("{}: {rights}", harmless(&name)))?;
    }
    print_line("`phone off NAME` signs out")
}

/// `phone off NAME`.
fn end(desk: &PhoneDesk, name: &str, chief: &str) -> Result<(), ExitFailure> {
    let name = harmless(name);
    match desk.end(&name, chief) {
        Ok(0) => print_line(&format!("{name} has no telephone here and no code")),
        Ok(_) => print_line(&format!("{name} is signed out")),
        Err(fault) => print_line(&fault.to_string()),
    }
}

fn off() -> Result<(), ExitFailure> {
    print_line("telephones are off; `tabiya event --phones` lets them in")
}
