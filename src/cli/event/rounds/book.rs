//! The acts of an event's rounds: players, pairs, results, byes. Each is checked, written into the event's journal, and answered with
//! its id.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tabiya_event::console::{
    ActedBy, EventDates, EventFolder, HandedAct, OpenEvent, PairedRound, PairingFault, RoundsFault,
    differing, pair_round,
};
use tabiya_event::rounds::book::RoundBook;
use tabiya_event::rounds::book::act::{BoardResult, Bye, EventSystem, Money, Plan, RoundAct};
use tabiya_event::rounds::csv::pairings::ListedRound;
use tabiya_event::rounds::csv::{ListedPlayer, PlayerList};
use tabiya_event::rounds::levels;
use tabiya_event::rounds::prizes::PrizeRules;
use tabiya_event::rounds::standings::code::TieBreak;
use tabiya_event::rounds::trf::player::{MOST_ROUNDS, NewPlayer};
use tabiya_store::keys::Keyring;

use super::super::super::output::{ExitFailure, print_line, unusable};
use super::super::{failed, find, open, today};
use super::print_json;

/// Where and by whom something is done.
#[derive(Debug, Args)]
struct Acting {
    /// The event's folder. Without it: the one event of this user.
    #[arg(long, value_name = "FOLDER")]
    event: Option<PathBuf>,
    /// Who does it; this console's name if not said.
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Why.
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
    /// The act's id: a second act with the same id changes nothing.
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// The status of a fault: what the book refuses is wrong (1), what cannot be read is unusable (2).
fn refused(fault: RoundsFault) -> ExitFailure {
    match fault {
        RoundsFault::Refused(fault) => ExitFailure::refused(fault.to_string()),
        RoundsFault::Answered(sentence) => ExitFailure::refused(sentence),
        fault @ RoundsFault::NothingPersonal => ExitFailure::refused(fault.to_string()),
        other => unusable(other),
    }
}

impl Acting {
    /// Carries an act out, and prints its id.
    fn carry_out(&self, act: &RoundAct) -> Result<(), ExitFailure> {
        let id = self.write(act)?;
        if self.json { print_json(&json!({"did": id})) } else { print_line(&format!("done: {}", act.word())) }
    }

    /// Carries an act out, and returns its id.
    fn write(&self, act: &RoundAct) -> Result<String, ExitFailure> {
        let who = self.by.as_deref().unwrap_or_default();
        write(
            self.event.as_ref(),
            HandedAct::Acts(std::slice::from_ref(act)),
            (who, &self.reason, self.id.clone()),
        )
    }

    fn book(&self) -> Result<RoundBook, ExitFailure> {
        find(self.event.as_ref())?.rounds().map_err(refused)
    }
}

/// Writes what is done into the event's journal: by the console that has the event open, or else by this command. Returns the act's id.
fn write(
    named: Option<&PathBuf>,
    what: HandedAct<'_>,
    (by, why, id): (&str, &str, Option<String>),
) -> Result<String, ExitFailure> {
    let folder = find(named)?;
    let (date, unix_ms) = today();
    let id = id.unwrap_or_else(|| format!("{unix_ms:x}-{}", std::process::id()));
    let who = if by.is_empty() { folder.console().map_err(failed)? } else { by.to_owned() };
    let by = ActedBy { who: &who, why, id: &id };
    if folder.hand(what, by).map_err(refused)?.is_none() {
        let mut event: OpenEvent = open(named, None)?;
        match what {
            HandedAct::Acts(acts) => event.acts(acts, by, (unix_ms, &date)).map_err(refused)?,
            HandedAct::File(bytes) => event.import(bytes, by, (unix_ms, &date)).map_err(refused).map(drop)?,
            HandedAct::Forget(player) => event.forget(player, by, (unix_ms, &date)).map_err(refused)?,
        }
    }
    Ok(id)
}

/// Reads a file into the event.
pub(super) fn import(named: Option<&PathBuf>, bytes: &[u8], by: &str) -> Result<(), ExitFailure> {
    write(named, HandedAct::File(bytes), (by, "", None)).map(drop)
}

/// Enters the players of a list, from the next round on. Who has no number gets the next free one.
pub(super) fn add_all(named: Option<&PathBuf>, list: &PlayerList, by: &str) -> Result<(), ExitFailure> {
    let book = find(named)?.rounds().map_err(refused)?;
    let mut taken: BTreeSet<u32> = book.players().iter().map(|player| player.number).collect();
    taken.extend(list.players.iter().filter_map(|player| player.number));
    let mut free = (1..=u32::MAX).filter(|number| !taken.contains(number));
    let entered = list.players.iter().map(|player| {
        let number = player.number.or_else(|| free.next()).unwrap_or(u32::MAX);
        let ListedPlayer { name, rating, federation, .. } = player.clone();
        let player = NewPlayer { number, name, rating, federation };
        RoundAct::Add { player, from: book.paired() + 1 }
    });
    let entered: Vec<RoundAct> = entered.collect();
    write(named, HandedAct::Acts(&entered), (by, "", None)).map(drop)
}

/// Takes the pairs of a list for the next round.
pub(super) fn pair_listed(named: Option<&PathBuf>, list: &ListedRound, by: &str) -> Result<(), ExitFailure> {
    let act = RoundAct::Pair { round: list.round, pairs: list.pairs.clone(), bye: list.bye };
    write(named, HandedAct::Acts(&[act]), (by, "", None)).map(drop)
}

/// Arguments of `tabiya event new`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct NewArguments {
    /// The folder that is made.
    folder: PathBuf,
    /// What the event is called.
    #[arg(long, value_name = "NAME", default_value = "Event")]
    name: String,
    /// What this console is called.
    #[arg(long, value_name = "NAME", default_value = "desk-1")]
    console: String,
    /// The system: swiss, round-robin, knock-out.
    #[arg(long, value_name = "SYSTEM")]
    system: String,
    /// How many rounds.
    #[arg(long, value_name = "NUMBER")]
    rounds: usize,
    /// The game.
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,
    /// The chips with which a player begins a match.
    #[arg(long, value_name = "CHIPS")]
    stack: Option<u32>,
    /// The tie-breaks by FIDE's codes.
    #[arg(long, value_name = "LIST", default_value = "BH/C1,BH,SB,DE")]
    tiebreaks: String,
    /// The levels of the blinds, the same for all tables: seconds, small and big blind of each, and breaks.
    #[arg(long, value_name = "600/1/2,break/300,600/2/4")]
    levels: Option<String>,
    /// How much money was paid in.
    #[arg(long, value_name = "AMOUNT", requires = "shares")]
    money: Option<u64>,
    /// The organiser's part of it, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    fee: u64,
    /// The share of each place, in percent.
    #[arg(long, value_name = "50,30,20", value_delimiter = ',')]
    shares: Vec<u64>,
    /// The least part of money that is paid.
    #[arg(long, value_name = "AMOUNT", default_value_t = 1)]
    unit: u64,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Makes an event with a plan of rounds.
pub(super) fn new(arguments: &NewArguments) -> Result<(), ExitFailure> {
    let system = EventSystem::read(&arguments.system).ok_or_else(|| {
        ExitFailure::unusable(format!(
            "--system {}: there is no such system; use swiss, round-robin or knock-out",
            arguments.system
        ))
    })?;
    if !(1..=MOST_ROUNDS).contains(&arguments.rounds) {
        return Err(ExitFailure::unusable(format!("--rounds {}: use 1 to {MOST_ROUNDS}", arguments.rounds)));
    }
    let tiebreaks = TieBreak::list(&arguments.tiebreaks).map_err(ExitFailure::unusable)?;
    let levels = arguments.levels.as_deref().map_or(Some(Vec::new()), levels::read).ok_or_else(|| {
        ExitFailure::unusable(
            "--levels: write seconds, small and big blind of each level: 600/1/2,break/300,600/2/4",
        )
    })?;
    let shares: u64 = arguments.shares.iter().fold(0, |sum, share| sum.saturating_add(*share));
    if arguments.fee > 100 || shares > 100 || arguments.unit == 0 {
        return Err(ExitFailure::unusable(
            "--fee and the sum of --shares are at most 100 percent, --unit at least 1",
        ));
    }
    let (date, unix_ms) = today();
    let folder = EventFolder::find(Some(&arguments.folder), &arguments.folder, "").map_err(failed)?;
    if folder.has_event() {
        let shown = tabiya_types::shown(&arguments.folder);
        return Err(ExitFailure::unusable(format!(
            "{shown}: there is an event already; name another folder"
        )));
    }
    let (keys, now) = (Keyring::usual(), EventDates { date: &date, unix_ms });
    let called = (arguments.name.as_str(), arguments.console.as_str());
    let mut event = OpenEvent::make(&folder, called, &keys, &now).map_err(failed)?;
    let plan = Plan {
        system,
        rounds: arguments.rounds,
        game: arguments.game.clone(),
        stack: arguments.stack,
        tiebreaks,
        levels,
        money: arguments.money.map(|paid| Money {
            paid,
            rules: PrizeRules { fee: arguments.fee, shares: arguments.shares.clone(), unit: arguments.unit },
        }),
    };
    let who = event.console.clone();
    event.plan(&plan, ActedBy { who: &who, why: "", id: "" }, (unix_ms, &date)).map_err(refused)?;
    if arguments.json {
        return print_json(&json!({"event": event.event}));
    }
    print_line(&format!("a new event was made in {}", tabiya_types::shown(&arguments.folder)))
}

/// Arguments of `tabiya event add`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct AddArguments {
    /// The player's name.
    name: String,
    /// The rating.
    #[arg(long, value_name = "NUMBER")]
    rating: Option<u32>,
    /// The federation: three letters.
    #[arg(long, value_name = "CODE", default_value = "")]
    fed: String,
    /// The number; the next free one if not said.
    #[arg(long, value_name = "NUMBER")]
    number: Option<u32>,
    /// The first round that the player plays; the next one if not said.
    #[arg(long, value_name = "ROUND")]
    from: Option<usize>,
    #[command(flatten)]
    acting: Acting,
}

/// Enters a player.
pub(super) fn add(arguments: &AddArguments) -> Result<(), ExitFailure> {
    let book = arguments.acting.book()?;
    let last = book.players().iter().map(|player| player.number).max().unwrap_or(0);
    let player = NewPlayer {
        number: arguments.number.unwrap_or(last + 1),
        name: arguments.name.clone(),
        rating: arguments.rating,
        federation: arguments.fed.clone(),
    };
    let from = arguments.from.unwrap_or(book.paired() + 1);
    arguments.acting.carry_out(&RoundAct::Add { player, from })
}

/// Arguments of `tabiya event result`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct ResultArguments {
    /// The round.
    round: usize,
    /// The board.
    board: usize,
    /// The result: 1-0, 0-1, 1/2, +-- (forfeit), --+, ---, or w, d, l (not rated).
    #[arg(allow_hyphen_values = true)]
    result: String,
    /// White's and Black's chips at the end.
    #[arg(long, value_name = "WHITE:BLACK")]
    chips: Option<String>,
    #[command(flatten)]
    acting: Acting,
}

/// Enters a result.
pub(super) fn result(arguments: &ResultArguments) -> Result<(), ExitFailure> {
    let text = &arguments.result;
    let result = BoardResult::read(text).ok_or_else(|| {
        ExitFailure::unusable(format!(
            "{text}: this is no result; use 1-0, 0-1, 1/2, +--, --+, ---, w, d or l"
        ))
    })?;
    let chips = arguments.chips.as_ref().map(|chips| {
        let pair =
            chips.split_once(':').and_then(|(white, black)| Some((white.parse().ok()?, black.parse().ok()?)));
        pair.ok_or_else(|| {
            ExitFailure::unusable(format!("--chips {chips}: write White's and Black's chips: 130:70"))
        })
    });
    let (round, board) = (arguments.round, arguments.board);
    arguments.acting.carry_out(&RoundAct::Result { round, board, result, chips: chips.transpose()? })
}

/// Arguments of `tabiya event bye`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct ByeArguments {
    /// The player's number.
    player: u32,
    /// The round.
    round: usize,
    /// U, H, F or Z.
    bye: String,
    #[command(flatten)]
    acting: Acting,
}

/// Gives a bye.
pub(super) fn bye(arguments: &ByeArguments) -> Result<(), ExitFailure> {
    let bye = Bye::read(&arguments.bye).ok_or_else(|| {
        ExitFailure::unusable(format!("{}: this is no bye; use U, H, F or Z", arguments.bye))
    })?;
    arguments.acting.carry_out(&RoundAct::Bye { player: arguments.player, round: arguments.round, bye })
}

/// Arguments of `tabiya event withdraw`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct WithdrawArguments {
    /// The player's number.
    player: u32,
    /// The first round without the player.
    #[arg(long, value_name = "ROUND")]
    from: usize,
    #[command(flatten)]
    acting: Acting,
}

/// Takes a player out.
pub(super) fn withdraw(arguments: &WithdrawArguments) -> Result<(), ExitFailure> {
    arguments.acting.carry_out(&RoundAct::Withdraw { player: arguments.player, from: arguments.from })
}

/// Arguments of `tabiya event replace`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct ReplaceArguments {
    /// The board.
    board: usize,
    /// Who leaves.
    old: u32,
    /// Who comes.
    new: u32,
    #[command(flatten)]
    acting: Acting,
}

/// Replaces a player at a board.
pub(super) fn replace(arguments: &ReplaceArguments) -> Result<(), ExitFailure> {
    let ReplaceArguments { board, old, new, acting } = arguments;
    acting.carry_out(&RoundAct::Replace { board: *board, old: *old, new: *new })
}

/// Arguments of `tabiya event move`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct MoveArguments {
    /// The table.
    table: u16,
    /// The board.
    board: usize,
    #[command(flatten)]
    acting: Acting,
}

/// Moves a board to another table.
pub(super) fn move_board(arguments: &MoveArguments) -> Result<(), ExitFailure> {
    arguments.acting.carry_out(&RoundAct::Move { board: arguments.board, table: arguments.table })
}

/// Arguments of `tabiya event forget`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct ForgetArguments {
    /// The player's number.
    player: u32,
    #[command(flatten)]
    acting: Acting,
}

/// Takes a player's personal data out of the event.
pub(super) fn forget(arguments: &ForgetArguments) -> Result<(), ExitFailure> {
    let acting = &arguments.acting;
    let who = acting.by.as_deref().unwrap_or_default();
    let what = HandedAct::Forget(arguments.player);
    let id = write(acting.event.as_ref(), what, (who, &acting.reason, acting.id.clone()))?;
    if acting.json { print_json(&json!({"did": id})) } else { print_line("done: forget") }
}

/// Arguments of `tabiya event pair`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct PairArguments {
    /// Who pairs: bbpPairings or another engine with its command line, berger, or knock-out; without it what the event's system needs.
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// Pairs by hand: 4-1,2-7.
    #[arg(long, value_name = "PAIRS", conflicts_with = "engine")]
    hand: Option<String>,
    /// Open the pairs for changes by hand; nothing is published until the end.
    #[arg(long, conflicts_with = "accept")]
    begin_by_hand: bool,
    /// Keep the pairs that are open. Where an arbiter would avoid them, with a reason.
    #[arg(long, conflicts_with_all = ["accept", "begin_by_hand"])]
    end_by_hand: bool,
    /// Keep the pairs.
    #[arg(long)]
    accept: bool,
    #[command(flatten)]
    acting: Acting,
}

/// Pairs the next round.
pub(super) fn pair(arguments: &PairArguments) -> Result<(), ExitFailure> {
    let book = arguments.acting.book()?;
    let round = book.paired() + 1;
    let paired = match book.draft().filter(|_| arguments.hand.is_none()) {
        Some(draft) => PairedRound { pairs: draft.pairs.clone(), bye: draft.bye, engine: "hand".to_owned() },
        None if arguments.end_by_hand => {
            return Err(ExitFailure::refused(
                "no pairs are open; `tabiya event pair --begin-by-hand` opens them",
            ));
        }
        None => {
            pair_round(&book, arguments.engine.as_deref(), arguments.hand.as_deref()).map_err(unpaired)?
        }
    };
    let act = RoundAct::Pair { round, pairs: paired.pairs.clone(), bye: paired.bye };
    book.clone().apply(&act).map_err(|fault| ExitFailure::refused(fault.to_string()))?;
    let by_hand = paired.engine == "hand";
    let warnings = if by_hand { book.warnings(&paired.pairs, paired.bye) } else { Vec::new() };
    let keeps = arguments.accept || arguments.end_by_hand;
    let opens = !keeps && (arguments.begin_by_hand || (book.draft().is_some() && arguments.hand.is_some()));
    if let Some(warning) = warnings.first().filter(|_| keeps && arguments.acting.reason.is_empty()) {
        return Err(ExitFailure::refused(format!("{warning}; keep it with a --reason, or change the pairs")));
    }
    let open = opens || (book.draft().is_some() && !keeps);
    show_pairs(&book, &paired, (open, &warnings), arguments.acting.json)?;
    if keeps {
        arguments.acting.write(&act)?;
    } else if opens {
        let (pairs, bye) = (paired.pairs.clone(), paired.bye);
        arguments.acting.write(&RoundAct::ByHand { round, pairs, bye })?;
    }
    Ok(())
}

fn unpaired(fault: PairingFault) -> ExitFailure {
    match fault {
        PairingFault::Refused(why) => ExitFailure::refused(why),
        PairingFault::Unusable(why) => ExitFailure::unusable(why),
    }
}

/// Prints the pairs of a round; `open`: they may still change.
fn show_pairs(
    book: &RoundBook,
    paired: &PairedRound,
    (open, warnings): (bool, &[String]),
    as_json: bool,
) -> Result<(), ExitFailure> {
    if as_json {
        let mut document = json!({
            "round": book.paired() + 1, "pairs": paired.pairs, "bye": paired.bye, "engine": paired.engine,
        });
        if let Some(members) = document.as_object_mut().filter(|_| paired.engine == "hand") {
            members.insert("open".to_owned(), open.into());
            members.insert("differs".to_owned(), differing(book, paired).into());
            members.insert("warnings".to_owned(), warnings.into());
        }
        return print_json(&document);
    }
    let name = |number: &u32| {
        let player = book.players().iter().find(|player| player.number == *number);
        player.map(|player| player.name.clone()).unwrap_or_default()
    };
    for (board, (white, black)) in (1..).zip(&paired.pairs) {
        let (one, other) = (name(white), name(black));
        print_line(&tabiya_types::harmless(&format!("{board:>3}  {white} {one} - {black} {other}")))?;
    }
    if let Some(bye) = paired.bye {
        print_line(&format!("bye  {bye}"))?;
    }
    warnings.iter().try_for_each(|warning| print_line(&format!("note: {warning}")))
}
