//! Acts that commands hand to the running console over a socket in the event's folder: an event's journal has one writer.
//!
//! A command writes a line of JSON, `{"acts":[{…}],"who":…,"why":…,"id":…}` or `{"file":base64,…}`, and reads a line: `{"did":id}`, or
//! `{"refused":sentence}`. The socket is its owner's alone.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use tabiya_engine::record::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

use super::folder::{EventFolder, FolderFault};
use super::platform::{CommandSocket, CommandStream, ask};
use super::rounds::{ActedBy, RoundsFault};
use super::shared::Shared;
use crate::rounds::book::act::RoundAct;
use crate::rounds::trf::LONGEST;

/// The longest line that is read, in bytes: a whole file in base64.
const LONGEST_LINE: u64 = (LONGEST as u64) / 3 * 4 + (64 << 10);
/// How long a command may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is handed over.
#[derive(Clone, Copy, Debug)]
pub enum HandedAct<'a> {
    /// Acts of the rounds: all of them are carried out, or none.
    Acts(&'a [RoundAct]),
    /// A tournament report file.
    File(&'a [u8]),
    /// A player whose personal data are taken out.
    Forget(u32),
}

impl EventFolder {
    /// Hands this to the console that has the event open. `None` if none runs here: then the command writes it itself.
    pub fn hand(&self, what: HandedAct<'_>, by: ActedBy<'_>) -> Result<Option<()>, RoundsFault> {
        let mut line = Map::new();
        match what {
            HandedAct::Acts(acts) => {
                let facts = acts.iter().map(|act| {
                    let mut facts = act.facts();
                    facts.insert("do".to_owned(), act.word().into());
                    Value::Object(facts)
                });
                line.insert("acts".to_owned(), facts.collect());
            }
            HandedAct::File(bytes) => {
                line.insert("file".to_owned(), STANDARD.encode(bytes).into());
            }
            HandedAct::Forget(player) => {
                line.insert("forget".to_owned(), player.into());
            }
        }
        for (name, text) in [("who", by.who), ("why", by.why), ("id", by.id)] {
            line.insert(name.to_owned(), text.into());
        }
        let io = |error| FolderFault::Io(tabiya_types::shown(self.path()), error);
        let Some(answer) = ask(self.path(), &Value::Object(line).to_string()).map_err(io)? else {
            return Ok(None);
        };
        let answer = json::parse(answer.trim()).unwrap_or_default();
        match answer.get("refused").and_then(Value::as_str) {
            None if answer.get("did").is_some() => Ok(Some(())),
            Some(sentence) => Err(RoundsFault::Answered(sentence.to_owned())),
            None => Err(RoundsFault::Answered("the console has not answered; try again".to_owned())),
        }
    }
}

/// Takes what commands hand over, one after the other.
pub(super) async fn serve(shared: Arc<Shared>, socket: Option<CommandSocket>) {
    let Some(socket) = socket else { return std::future::pending().await };
    loop {
        match socket.accept().await {
            Ok(stream) => take(&shared, stream).await,
            // Too many open files, for a moment.
            Err(_) => tokio::time::sleep(PATIENCE).await,
        }
    }
}

async fn take(shared: &Arc<Shared>, stream: CommandStream) {
    let (read, mut write) = tokio::io::split(stream);
    let mut line = String::new();
    let mut read = BufReader::new(read.take(LONGEST_LINE));
    if !matches!(tokio::time::timeout(PATIENCE, read.read_line(&mut line)).await, Ok(Ok(_))) {
        return;
    }
    let doing = Arc::clone(shared);
    let answer = tokio::task::spawn_blocking(move || answer(&doing, &line)).await;
    let Ok(answer) = answer else { return };
    let _ = write.write_all(format!("{answer}\n").as_bytes()).await;
}

/// Carries out what the line wants, and says what came of it.
fn answer(shared: &Shared, line: &str) -> Value {
    let refused = |sentence: &str| json!({"refused": sentence});
    let Ok(line) = json::parse(line.trim()) else { return refused("what was handed over is no JSON") };
    let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default();
    let by = ActedBy { who: text("who"), why: text("why"), id: text("id") };
    let (date, unix_ms) = shared.date();
    let mut event = shared.event();
    let acts =
        |line: &Value| line.get("acts")?.as_array()?.iter().map(RoundAct::read).collect::<Option<Vec<_>>>();
    let done = if let Some(acts) = acts(&line) {
        event.acts(&acts, by, (unix_ms, &date))
    } else if let Some(player) =
        line.get("forget").and_then(Value::as_u64).and_then(|player| u32::try_from(player).ok())
    {
        event.forget(player, by, (unix_ms, &date))
    } else if let Ok(bytes) = STANDARD.decode(text("file"))
        && !bytes.is_empty()
    {
        event.import(&bytes, by, (unix_ms, &date)).map(drop)
    } else {
        return refused("this console does not know this act; update it");
    };
    match done {
        Ok(()) => json!({"did": by.id}),
        Err(fault) => refused(&fault.to_string()),
    }
}

/// The socket of this event's folder.
pub(super) fn open(folder: &Path) -> std::io::Result<CommandSocket> {
    CommandSocket::open(folder)
}
