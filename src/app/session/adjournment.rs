//! Adjourns a game, and resumes it with the sealed move.
//!
//! Source: Laws of Chess 2023, Guidelines I: the player to move seals on his own time (I.1), what stands on the envelope (I.2), a
//! draw is agreed or somebody resigns in the meantime (I.6), the envelope is opened when the player who must reply is present
//! (I.7), a sealed move that is illegal or not clear loses (I.8), the sealed move is made on the board and the clock of the
//! player who must reply is started (I.9).
//!
//! The record has no line for it: a ruling in additional fields says who is to seal and who has sealed, and a pause stops the
//! clocks. How far an adjournment has come follows from the inputs that count.

use tabiya_engine::record::{Body, Header, Line, Replay};
use tabiya_engine::rules::{Action, Context, Phase, PlayAction, Turn, Uci, Verb};
use tabiya_engine::table::{
    Author, Common, Entry, Input, LegalInput, PressMode, RuledResult, Ruling, Table, resumed, sealed_reason,
};
use tabiya_types::{ByColor, Color, Fact, Instant, Millis, Sentence, say};

use super::arbiter::loss;
use super::proposing::{Infringement, Proposal};
use super::{InputFault, Session};

/// The field of a ruling that says who is to seal a move.
const SEALS: &str = "x-adjourned";
/// The field of a ruling that says who has sealed a move.
const SEALED: &str = "x-sealed-move";

/// How far the adjournment of a game has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Adjournment {
    /// This player seals a move, while his clock runs.
    Sealing {
        by: Color,
        /// When and where the game is resumed, as people said it; empty if nobody did.
        resumes: String,
    },
    /// This player's move is in the envelope.
    Sealed(Color),
}

impl Adjournment {
    /// The adjournment of the game at this table, which `lines` have led to; `None` if it is not adjourned. It follows from the
    /// inputs that count: what is taken back never was, and a result, a move or a deal ends it.
    pub(super) fn of(table: &Table, lines: &[Line]) -> Option<Self> {
        if table.game().outcome().is_some() {
            return None;
        }
        // Mostly the newest input says it, so this costs nothing in a long match.
        for (number, input) in table.newest_inputs() {
            match input {
                Input::Common(Common::Rule(ruling)) => {
                    let stage = Self::ruled(number, &ruling.reason, lines);
                    if stage.is_some() || ruling.result == Some(RuledResult::Void) {
                        return stage;
                    }
                }
                Input::Common(Common::Next(_) | Common::EndMatch { .. }) => return None,
                Input::Game(action) if begins_or_moves(action) => return None,
                Input::Common(_) | Input::Game(_) => {}
            }
        }
        None
    }

    /// What the ruling in the record's line with this number, from 1, makes of an adjournment; `None` if it is about another thing.
    fn ruled(number: u32, reason: &str, lines: &[Line]) -> Option<Self> {
        // The header is line 1.
        let line = lines.get(usize::try_from(number).ok()?.checked_sub(2)?)?;
        let named = |field: &str| Color::from_word(line.extension(field)?.as_text()?);
        let seals = |by| Self::Sealing { by, resumes: resumed(reason).to_owned() };
        named(SEALS).map(seals).or_else(|| named(SEALED).map(Self::Sealed))
    }

    /// Who seals a move now; `None` if nobody does.
    pub(super) fn sealing(&self) -> Option<Color> {
        match self {
            Self::Sealing { by, .. } => Some(*by),
            Self::Sealed(_) => None,
        }
    }

    /// Why this input is refused: a move is sealed and not made, and play is not resumed before the envelope is opened.
    fn refusal(&self, input: &Input, table: &Table) -> Option<Sentence> {
        match (self, input) {
            (Self::Sealing { by, .. }, Input::Game(action)) if action.takes_turn() => Some(say!(
                "seals-not-moves",
                "{by} is to seal his move, so it is not made on the board: he writes it down and stops the clock, with `sealed` or a press (guideline I.1)",
                by = *by
            )),
            (Self::Sealed(by), Input::Common(Common::Resume(_))) => {
                let name = table.name_of(by.other()).to_owned();
                Some(say!(
                    "envelope-first",
                    "the game is adjourned: set up the position before the sealed move; when {name} is present, open the envelope (guideline I.7) and enter the move with `sealed MOVE`, for example `sealed Nf3`: it is made on the board, and {name}'s clock is started (I.9); if he comes late, the time since the agreed moment is charged to him: `rule clock {color} -60 late` takes a minute of it",
                    name,
                    color = by.other().word().to_owned()
                ))
            }
            (Self::Sealing { .. } | Self::Sealed(_), _) => None,
        }
    }
}

/// Whether an action makes a move or begins a deal.
fn begins_or_moves(action: &Action) -> bool {
    match action {
        Action::Deal(_) => true,
        Action::Own(own) => own.takes_turn() || own.begins_deal(),
        Action::Bet { .. }
        | Action::Reveal(_)
        | Action::Place(_)
        | Action::Correct(_)
        | Action::Fouled { .. }
        | Action::Play(_) => action.takes_turn(),
    }
}

/// What the arbiter is told when this line is a move by this player, who was to seal one.
pub(super) fn moved_instead(by: Color, line: &Line) -> Option<Sentence> {
    let Body::Acted(Input::Game(action @ Action::Play(PlayAction::Move { by: mover, .. }))) = &line.body
    else {
        return None;
    };
    (*mover == by).then(|| shown_not_sealed(action.describe()))
}

/// What the arbiter is told of a move that is shown on the board, although it was to be sealed.
fn shown_not_sealed(made: Sentence) -> Sentence {
    say!(
        "moved-not-sealed",
        "{made} on the board, but was to seal a move: he must seal this very move (guideline I.1); take it back, with `undo` if it was entered",
        made
    )
}

impl Session {
    /// How far the adjournment of the present game has come.
    fn adjournment(&self) -> Option<Adjournment> {
        Adjournment::of(self.table(), self.lines())
    }

    /// Why the adjournment does not allow this input; `None` if it does.
    pub(super) fn refused_by_adjournment(&self, input: &Input) -> Option<Sentence> {
        self.adjournment()?.refusal(input, self.table())
    }

    /// Whether this press of the clock says that the player has sealed his move.
    pub(super) fn is_sealed_by(&self, input: &Input) -> bool {
        matches!(input, Input::Common(Common::Press(by))
            if self.adjournment().is_some_and(|stage| stage.sealing() == Some(*by)))
    }

    /// Adjourns the game: the player to move is to seal a move. `resumes` says when and where play is resumed, in the words of
    /// people; it may be empty.
    pub fn adjourn(&mut self, resumes: &str, at: Instant) -> Result<(), InputFault> {
        let table = self.table();
        let by = match (table.phase(), table.turn()) {
            (Phase::Chess, Turn::Timed { by, acted: false, .. }) if !table.clock().paused() => by,
            _ => {
                return Err(InputFault::Guideline(say!(
                    "adjourn-not-now",
                    "a game is adjourned while a player has to move and no clock is paused"
                )));
            }
        };
        let name = table.name_of(by).to_owned();
        let ruling = Ruling::because(sealed_reason(by, None, resumes));
        self.rule_with(ruling, (SEALS, by.word().into()), at)?;
        self.speech.say(say!(
            "seals-now",
            "{name} ({by}) seals his move (guideline I.1): he writes it down, puts both score sheets into the envelope, and only then stops the clock, with `sealed` or a press; his time runs until then",
            name,
            by
        ));
        Ok(())
    }

    /// The player to move has sealed his move: the clocks stop, and the table says what stands on the envelope.
    pub fn seal(&mut self, at: Instant) -> Result<(), InputFault> {
        let at = at.max(self.last_t());
        self.reach(at)?;
        let Some(Adjournment::Sealing { by, resumes }) = self.adjournment() else {
            return Err(InputFault::Guideline(say!(
                "adjourn-first",
                "nobody is sealing a move: `adjourn` first, with the date, time and place to resume after it"
            )));
        };
        if self.table().clock().has_fallen(by) {
            return Err(InputFault::Guideline(say!(
                "sealed-too-late",
                "the time of {by} was over before he had sealed his move",
                by
            )));
        }
        let fen = self.table().game().chess().map(tabiya_engine::rules::ChessPhase::fen).unwrap_or_default();
        // The last field of a FEN is the number of the next move.
        let number = fen.split(' ').next_back().and_then(|number| number.parse::<u64>().ok()).unwrap_or(1);
        let reason = sealed_reason(by, Some(number), &resumes);
        if let Some(seen) = self.seen_action() {
            self.speech.say_restricted(self.ledger.table(), shown_not_sealed(seen.text));
        }
        // Both at the same moment: from the press on no time runs.
        self.rule_with(Ruling::because(reason), (SEALED, by.word().into()), at)?;
        if !self.table().clock().paused() {
            self.accept(&Common::Pause(Author::Arbiter).into(), at)?;
        }
        for line in self.envelope(by, number, &resumes, at) {
            self.speech.say(line);
        }
        Ok(())
    }

    /// What stands on the envelope (guideline I.2).
    fn envelope(&self, by: Color, number: u64, resumes: &str, at: Instant) -> Vec<Sentence> {
        let table = self.table();
        let name = |color: Color| table.name_of(color).to_owned();
        let used = time_used(self.replay().header(), self.lines(), at);
        let mut lines = vec![
            say!(
                "envelope-players",
                "on the envelope (guideline I.2): {white} (White) against {black} (Black)",
                white = name(Color::White),
                black = name(Color::Black)
            ),
            say!("envelope-sealed", "{name} ({by}) has sealed move {number}", name = name(by), by, number),
            say!(
                "envelope-used",
                "time used: White {white}, Black {black}",
                white = used.white.to_string(),
                black = used.black.to_string()
            ),
        ];
        if let Some(chess) = table.game().chess() {
            lines.insert(
                1,
                say!("envelope-position", "position before the sealed move: {fen}", fen = chess.fen()),
            );
        }
        let reading = |color| table.reading(color, at).map(|left| left.to_string());
        if let (Some(white), Some(black)) = (reading(Color::White), reading(Color::Black)) {
            lines.push(say!(
                "envelope-clocks",
                "the clocks show: White {white}, Black {black}",
                white,
                black
            ));
        }
        let accepts = table.legal().into_iter().find(|legal| legal.verb() == Some(Verb::AcceptDraw));
        if let Some(by) = accepts.as_ref().and_then(LegalInput::by).map(Color::other) {
            lines.push(say!("envelope-offer", "{by}'s draw offer is open", by));
        }
        lines.push(match resumes {
            "" => say!("envelope-when", "date, time and place to resume: ______________"),
            when => say!("envelope-resumes", "play is resumed: {when}", when = when.to_owned()),
        });
        lines
    }

    /// Opens the envelope: the sealed move is made on the board, and the clock of the player who must reply is started. `moves` are
    /// the moves that the written text can mean.
    pub fn open_envelope(&mut self, text: &str, moves: &[Uci], at: Instant) -> Result<(), InputFault> {
        let Some(Adjournment::Sealed(by)) = self.adjournment() else {
            return Err(InputFault::Guideline(say!("no-envelope", "no sealed move waits to be opened")));
        };
        let action = |uci: &Uci| Action::Play(PlayAction::Move { by, uci: *uci, stands: None });
        let legal: Vec<Action> = moves
            .iter()
            .map(action)
            .filter(|action| self.table().game().boxed().apply(action, Context::default()).is_ok())
            .collect();
        let [sealed] = legal.as_slice() else {
            let text = Fact::San(text.to_owned());
            // Guideline I.8 excepts Articles 5, 6.9 and 9.6: nobody wins who cannot mate.
            let choice = loss(by, "I.8", say!("reason-sealed-move", "sealed move"), self.table());
            let (told, proposal) = (choice.told.clone(), choice.line());
            self.illegal.propose(Proposal { by, of: Infringement::SealedMove, choices: vec![choice] });
            return Err(InputFault::Guideline(say!(
                "sealed-unclear",
                "the sealed move {text} is illegal or can mean several moves: {told}, unless the arbiter finds what was meant (guideline I.8): `{proposal}`",
                text,
                told,
                proposal
            )));
        };
        let mut entries: Vec<Entry> = vec![sealed.clone().into()];
        if self.table().clock().paused() {
            entries.insert(0, Common::Resume(Author::Arbiter).into());
        }
        if self.table().terms().press == PressMode::Clock {
            entries.push(Common::Press(by).into());
        }
        let at = at.max(self.last_t());
        entries.iter().try_for_each(|entry| self.act(entry, at))
    }
}

/// The time that each player has used in the present game, in the order of the record's lines.
fn time_used(header: &Header, lines: &[Line], until: Instant) -> ByColor<Millis> {
    let (mut replay, mut used, mut from) =
        (Replay::new(header.clone()), ByColor::<Millis>::default(), Instant::ZERO);
    let add = |used: &mut ByColor<Millis>, replay: &Replay, from: Instant, now: Instant| {
        let table = replay.table();
        if let Some(turn) = table.clock().turn().filter(|_| table.time_runs()) {
            used[turn] = used[turn] + now.since(from);
        }
    };
    for (number, line) in (1..).zip(lines) {
        let now = line.moment().max(from);
        add(&mut used, &replay, from, now);
        from = now;
        if matches!(line.body, Body::Acted(Input::Common(Common::Next(_)))) {
            used = ByColor::default();
        }
        // A line of the record was accepted once, so it is again.
        drop(replay.take(number, line));
    }
    add(&mut used, &replay, from, until);
    used
}
