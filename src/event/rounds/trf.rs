//! Tournament report files (TRF06, TRF16, TRF26 and JaVaFo's extensions). A file is kept as its lines, so that what is not understood
//! survives: what it says is read from the lines, and a change is made in the columns of a line.
//!
//! Source: FIDE Handbook C.04 Annex 2 (TRF16) and TRF26, in force since 1 September 2025.

pub mod codes;
pub mod header;
pub mod lines;
pub mod player;

use std::collections::BTreeMap;

use self::codes::{is_read, tells_trf26};
use self::header::{TrfHeader, read_header};
use self::lines::{Encoding, LineEnd, TextLine, decode, encode};
use self::player::{FIRST_ROUND, NewPlayer, PlayerLine, RoundColumns, first_round};
use super::crosstable::{Crosstable, Entrant, PlayerRound, RoundResult};
use super::points::Points;

/// The most bytes of a file that is read: 9,999 players with 99 rounds have 11 MB.
pub const LONGEST: usize = 16 << 20;

/// Why a file is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrfFault {
    /// It is too long.
    #[error("the file is longer than 16 MB; split it")]
    Long,
    /// It has no players.
    #[error("the file has no line of a player (001); choose a tournament report file")]
    NoPlayers,
    /// A column of a player's line cannot be read.
    #[error("line {line}, column {column}: {what}{}; correct this line", player_words(*.player))]
    Column {
        /// The line, from 1 on.
        line: usize,
        /// The column, from 1 on, as the standard counts them.
        column: usize,
        /// The player of this line, if it is known.
        player: Option<u32>,
        /// What is wrong.
        what: String,
    },
    /// Two players have the same number.
    #[error("line {line}: player {number} is in the file twice; give one of them another number")]
    Twice {
        /// The second line.
        line: usize,
        /// The number.
        number: u32,
    },
    /// A name cannot be written in the file's encoding.
    #[error("{0:?} cannot be written in Latin-1, the encoding of this file; save the file as UTF-8 first")]
    Unwritable(String),
    /// A change needs more room than its column has.
    #[error("{what} does not fit into its {width} columns in this file")]
    Wide {
        /// What is to be written.
        what: String,
        /// The width.
        width: usize,
    },
    /// A new player's name or federation is no text on one line.
    #[error("{0:?} is no name on one line; write the player's name without line breaks")]
    Unnamed(String),
    /// There is no such player.
    #[error("there is no player {0} in this file")]
    Nobody(u32),
}

fn player_words(player: Option<u32>) -> String {
    player.map(|number| format!(" (player {number})")).unwrap_or_default()
}

/// A tournament report file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrfFile {
    encoding: Encoding,
    lines: Vec<TextLine>,
    players: Vec<PlayerLine>,
    header: TrfHeader,
    /// The first column of the first round.
    begin: usize,
}

impl TrfFile {
    /// A new tournament without players: its name, its first day (`YYYY-MM-DD`), its rounds.
    pub fn begin(name: &str, begins: &str, rounds: usize) -> Self {
        let line = |text: String| TextLine { text, end: LineEnd::Lf };
        // A line break in the name would begin a record of its own.
        let name = name.replace(char::is_control, " ");
        let day = begins.replace('-', "/");
        let lines =
            vec![line(format!("012 {name}")), line(format!("042 {day}")), line(format!("142 {rounds}"))];
        let header = read_header(&lines);
        Self { encoding: Encoding::Utf8, lines, players: Vec::new(), header, begin: FIRST_ROUND }
    }

    /// Adds a player as the last one.
    pub fn add(&mut self, player: &NewPlayer) -> Result<(), TrfFault> {
        if self.players.iter().any(|known| known.number == player.number) {
            return Err(TrfFault::Twice { line: self.lines.len() + 1, number: player.number });
        }
        // A line break would begin a record of its own.
        if player.name.trim().is_empty() || player.name.contains(char::is_control) {
            return Err(TrfFault::Unnamed(player.name.clone()));
        }
        if player.federation.contains(char::is_control) {
            return Err(TrfFault::Unnamed(player.federation.clone()));
        }
        let end =
            self.lines.iter().map(|line| line.end).find(|end| *end != LineEnd::None).unwrap_or(LineEnd::Lf);
        let place = self.players.iter().map(|player| player.line + 1).max().unwrap_or(self.lines.len());
        // What stands last may have no line end yet.
        if let Some(before) = place.checked_sub(1).and_then(|before| self.lines.get_mut(before)) {
            before.end = if before.end == LineEnd::None { end } else { before.end };
        }
        let text = player::new_line(player)?;
        self.players.push(PlayerLine::read(place, &text, self.begin)?);
        self.lines.insert(place, TextLine { text, end });
        Ok(())
    }

    /// Reads a file's bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, TrfFault> {
        if bytes.len() > LONGEST {
            return Err(TrfFault::Long);
        }
        let (encoding, lines) = decode(bytes);
        let of_players = lines.iter().filter(|line| line.code() == "001").map(|line| line.text.as_str());
        let begin = first_round(&of_players.collect::<Vec<_>>());
        let mut players: Vec<PlayerLine> = Vec::new();
        let mut seen = BTreeMap::new();
        for (nth, line) in lines.iter().enumerate().filter(|(_, line)| line.code() == "001") {
            let player = PlayerLine::read(nth, &line.text, begin)?;
            if seen.insert(player.number, nth).is_some() {
                return Err(TrfFault::Twice { line: nth + 1, number: player.number });
            }
            players.push(player);
        }
        if players.is_empty() {
            return Err(TrfFault::NoPlayers);
        }
        let header = read_header(&lines);
        Ok(Self { encoding, lines, players, header, begin })
    }

    /// The file's bytes. Without a change they are those that were read.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TrfFault> {
        encode(self.encoding, &self.lines)
    }

    /// The edition: `trf26` if the file has a record that is new there, else `trf16`.
    pub fn format(&self) -> &'static str {
        if self.lines.iter().any(|line| tells_trf26(line.code())) { "trf26" } else { "trf16" }
    }

    /// How letters are written.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// How lines end: `lf`, `crlf`, `cr`, or `mixed`.
    pub fn ends(&self) -> &'static str {
        let mut ends = self.lines.iter().map(|line| line.end).filter(|end| *end != LineEnd::None);
        let Some(first) = ends.next() else { return LineEnd::Lf.word() };
        if ends.all(|end| end == first) { first.word() } else { "mixed" }
    }

    /// What the records before the players say.
    pub fn header(&self) -> &TrfHeader {
        &self.header
    }

    /// The lines of the players, in the file's order.
    pub fn players(&self) -> &[PlayerLine] {
        &self.players
    }

    /// The codes of the records that are carried along unread, each once.
    pub fn kept(&self) -> Vec<String> {
        let mut kept: Vec<String> = Vec::new();
        for line in &self.lines {
            let code = line.code();
            if !code.is_empty() && !is_read(code) && !kept.iter().any(|known| known == code) {
                kept.push(code.to_owned());
            }
        }
        kept
    }

    /// The file without the records that only TRF26 has.
    #[must_use]
    pub fn without_newer(mut self) -> Self {
        // The players' lines keep their order, but not their places.
        let kept: Vec<TextLine> = self.lines.into_iter().filter(|line| !tells_trf26(line.code())).collect();
        let mut places = (0..).zip(&kept).filter(|(_, line)| line.code() == "001").map(|(place, _)| place);
        for player in &mut self.players {
            player.line = places.next().unwrap_or(player.line);
        }
        Self { lines: kept, ..self }
    }

    /// The last round that was paired: in which anybody has an opponent, or the bye of a pairing. Byes that players asked for may
    /// stand there for later rounds.
    pub fn rounds(&self) -> usize {
        let paired = |columns: &RoundColumns| {
            columns.opponent.is_some() || columns.result == Some(RoundResult::PairingBye)
        };
        let last = |player: &PlayerLine| player.rounds.iter().rposition(paired).map_or(0, |nth| nth + 1);
        self.players.iter().map(last).max().unwrap_or(0)
    }

    /// The players, their rounds and what results are worth.
    pub fn crosstable(&self) -> Crosstable {
        let mut order: Vec<&PlayerLine> = self.players.iter().collect();
        order.sort_by_key(|player| player.number);
        let places: BTreeMap<u32, usize> =
            order.iter().enumerate().map(|(place, player)| (player.number, place)).collect();
        let rounds = self.rounds();
        let players: Vec<Entrant> = order.iter().map(|player| self.entrant(player, &places)).collect();
        let planned = self.header.planned.unwrap_or(0).max(rounds);
        let system = self.header.system(players.len(), planned);
        Crosstable { players, rounds, planned, scoring: self.header.scoring, system }
    }

    fn entrant(&self, player: &PlayerLine, places: &BTreeMap<u32, usize>) -> Entrant {
        let adjustments =
            self.header.abnormal.iter().filter(|abnormal| abnormal.players.contains(&player.number));
        let rounds = (1..).zip(&player.rounds);
        Entrant {
            number: player.number,
            name: player.name.clone(),
            rating: player.rating,
            adjustment: adjustments.map(|abnormal| abnormal.points).sum(),
            rounds: rounds
                .take(self.rounds())
                .map(|(number, columns)| self.round(player.number, number, columns, places))
                .collect(),
        }
    }

    /// What the columns of a round say. A bye of record 240 stands where they are blank.
    fn round(
        &self,
        player: u32,
        number: usize,
        columns: &RoundColumns,
        places: &BTreeMap<u32, usize>,
    ) -> PlayerRound {
        let opponent = columns.opponent.and_then(|other| places.get(&other)).copied();
        let announced =
            self.header.byes.iter().find(|bye| bye.round == number && bye.players.contains(&player));
        let result = match (columns.result, announced) {
            (Some(result), _) => result,
            (None, _) if opponent.is_some() => RoundResult::Open,
            (None, Some(bye)) => bye.result,
            (None, None) => RoundResult::ZeroBye,
        };
        PlayerRound {
            opponent,
            color: columns.color.filter(|_| opponent.is_some()),
            result,
            rated: columns.rated,
        }
    }

    /// What contradicts itself: opponents who are not in the file, pairs that only one of the two has.
    pub fn faults(&self) -> Vec<String> {
        let known: std::collections::BTreeSet<u32> =
            self.players.iter().map(|player| player.number).collect();
        let mut faults = Vec::new();
        for player in &self.players {
            for (round, columns) in (1..).zip(&player.rounds) {
                if let Some(other) = columns.opponent.filter(|other| !known.contains(other)) {
                    faults.push(format!(
                        "round {round}: {} meets {other}, who is not in the list",
                        player.number
                    ));
                }
            }
        }
        faults.extend(self.crosstable().faults());
        faults
    }

    /// Writes a player's round, from 1 on: opponent (`None` for a bye), colour and result. The other columns stay as they are.
    pub fn set_round(&mut self, number: u32, round: usize, columns: RoundColumns) -> Result<(), TrfFault> {
        let begin = self.begin;
        self.edit(number, |text| columns.write(text, (begin, round)))
    }

    /// Writes a player's points and rank. The other columns stay as they are.
    pub fn set_standing(&mut self, number: u32, points: Points, rank: u32) -> Result<(), TrfFault> {
        self.edit(number, |text| player::write_standing(text, points, rank))
    }

    /// Blanks a player's sex, birth date and FIDE id. The other columns stay as they are.
    pub fn forget(&mut self, number: u32) -> Result<(), TrfFault> {
        self.edit(number, |text| Ok(player::without_personal(text)))
    }

    fn edit(
        &mut self,
        number: u32,
        change: impl FnOnce(&str) -> Result<String, TrfFault>,
    ) -> Result<(), TrfFault> {
        let player = self.players.iter_mut().find(|player| player.number == number);
        let player = player.ok_or(TrfFault::Nobody(number))?;
        let Some(line) = self.lines.get_mut(player.line) else { return Err(TrfFault::Nobody(number)) };
        let text = change(&line.text)?;
        *player = PlayerLine::read(player.line, &text, self.begin)?;
        line.text = text;
        Ok(())
    }
}
