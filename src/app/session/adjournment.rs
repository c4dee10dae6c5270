//! Adjourns a game, and resumes it with the sealed move.
//!
//! Source: Laws of Chess 2023, Guidelines I: the player to move seals on his own time (I.1), what stands on the envelope (I.2), a
//! draw is agreed or somebody resigns in the meantime (I.6), the envelope is opened when the player who must reply is present
//! (I.7), a sealed move that is illegal or not clear loses (I.8), the sealed move is made on the board and the clock of the
//! player who must reply is started (I.9).
//!
//! The record has no line for it: a ruling in additional fields says who is to seal and who has sealed, and a pause stops the
//! clocks. After a restart the fields are read again.

use tabiya_engine::record::{Body, Header, Line, Replay};
use tabiya_engine::rules::{Action, Context, Phase, PlayAction, Turn, Uci, Verb};
use tabiya_engine::table::{
    Author, Common, Input, LegalInput, PressMode, Ruling, Table, resumed, sealed_reason,
};
use tabiya_types::{ByColor, Color, Fact, Instant, Millis, Sentence, say};

use super::arbiter::{Infringement, win_line};
use super::{InputFault, Proposal, Session};

/// The field of a ruling that says who is to seal a move.
const SEALS: &str = "x-adjourned";
/// The field of a ruling that says who has sealed a move.
const SEALED: &str = "x-sealed-move";

/// How far an adjournment has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum AdjournmentStage {
    /// The game is not adjourned.
    #[default]
    None,
    /// This player seals a move, while his clock runs.
    Sealing(Color),
    /// This player's move is in the envelope.
    Sealed(Color),
}

/// The adjournment of a game.
#[derive(Debug, Default)]
pub(super) struct Adjournment {
    stage: AdjournmentStage,
    /// When and where the game is resumed, as people said it; empty if nobody did.
    resumes: String,
    /// Whether the envelope is being opened.
    opening: bool,
}

impl Adjournment {
    /// Whether this player's press of the clock means that he has sealed his move.
    pub(super) fn is_sealed_by_press(&self, by: Color) -> bool {
        self.stage == AdjournmentStage::Sealing(by)
    }

    /// Follows a line of the record.
    pub(super) fn follow(&mut self, line: &Line) {
        let Body::Acted(input) = &line.body else { return };
        let named = |field: &str| Color::from_word(line.extension(field)?.as_text()?);
        match input {
            Input::Common(Common::Rule(ruling)) => {
                if let Some(by) = named(SEALS) {
                    self.stage = AdjournmentStage::Sealing(by);
                    resumed(&ruling.reason).clone_into(&mut self.resumes);
                } else if let Some(by) = named(SEALED) {
                    self.stage = AdjournmentStage::Sealed(by);
                }
            }
            Input::Common(Common::Next(_) | Common::Undo { .. } | Common::EndMatch { .. })
            | Input::Game(Action::Play(PlayAction::Move { .. })) => self.stage = AdjournmentStage::None,
            Input::Common(_) | Input::Game(_) => {}
        }
    }

    /// Reads the lines of a record that is carried on.
    pub(super) fn restore(&mut self, lines: &[Line]) {
        self.stage = AdjournmentStage::None;
        for line in lines {
            self.follow(line);
        }
    }

    /// Why this input is refused: play is not resumed before the envelope is opened.
    pub(super) fn refusal(&self, input: &Input, table: &Table) -> Option<Sentence> {
        let AdjournmentStage::Sealed(by) = self.stage else { return None };
        let resumes = matches!(input, Input::Common(Common::Resume(_)));
        if !resumes || self.opening || table.game().outcome().is_some() {
            return None;
        }
        let name = table.name_of(by.other()).to_owned();
        Some(say!(
            "envelope-first",
            "the game is adjourned: set up the position before the sealed move; when {name} is present, open the envelope (guideline I.7) and enter the move with `sealed MOVE`, for example `sealed Nf3`: it is made on the board, and {name}'s clock is started (I.9); if he comes late, the time since the agreed moment is his: `rule clock {color} -60 late` takes a minute of it",
            name,
            color = by.other().word().to_owned()
        ))
    }
}

impl Session {
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
        let AdjournmentStage::Sealing(by) = self.adjournment.stage else {
            return Err(InputFault::Guideline(say!(
                "adjourn-first",
                "nobody is sealing a move: `adjourn` first, with the date, time and place to resume after it"
            )));
        };
        let fen = self.table().game().chess().map(tabiya_engine::rules::ChessPhase::fen).unwrap_or_default();
        // The last field of a FEN is the number of the next move.
        let number = fen.split(' ').next_back().and_then(|number| number.parse::<u64>().ok()).unwrap_or(1);
        let resumes = self.adjournment.resumes.clone();
        let reason = sealed_reason(by, Some(number), &resumes);
        // Both at the same moment: from the press on no time runs.
        let at = at.max(self.last_t());
        self.rule_with(Ruling::because(reason), (SEALED, by.word().into()), at)?;
        self.accept(&Input::Common(Common::Pause(Author::Arbiter)), at)?;
        for line in self.envelope(by, number, at) {
            self.speech.say(line);
        }
        Ok(())
    }

    /// What stands on the envelope (guideline I.2).
    fn envelope(&self, by: Color, number: u64, at: Instant) -> Vec<Sentence> {
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
        lines.push(match self.adjournment.resumes.as_str() {
            "" => say!("envelope-when", "date, time and place to resume: ______________"),
            when => say!("envelope-resumes", "play is resumed: {when}", when = when.to_owned()),
        });
        lines
    }

    /// Opens the envelope: the sealed move is made on the board, and the clock of the player who must reply is started. `moves` are
    /// the moves that the written text can mean.
    pub fn open_envelope(&mut self, text: &str, moves: &[Uci], at: Instant) -> Result<(), InputFault> {
        let AdjournmentStage::Sealed(by) = self.adjournment.stage else {
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
            let proposal = self.propose_loss_of_sealer(by);
            return Err(InputFault::Guideline(say!(
                "sealed-unclear",
                "the sealed move {text} is illegal or can mean several moves: {by} loses, unless the arbiter finds what was meant (guideline I.8): `{proposal}`",
                text,
                by,
                proposal
            )));
        };
        let mut inputs = vec![Input::Common(Common::Resume(Author::Arbiter)), Input::Game(sealed.clone())];
        if self.table().terms().press == PressMode::Clock {
            inputs.push(Input::Common(Common::Press(by)));
        }
        let at = at.max(self.last_t());
        self.adjournment.opening = true;
        let entered = inputs.iter().try_for_each(|input| self.accept(input, at));
        self.adjournment.opening = false;
        entered
    }

    /// Proposes that who has sealed an illegal move loses. Returns the line that does it.
    fn propose_loss_of_sealer(&mut self, by: Color) -> Sentence {
        let (winner, name) = (self.table().seat_of(by.other()), self.table().name_of(by).to_owned());
        let reason = say!("reason-sealed-move", "sealed move");
        let line = win_line(winner, reason);
        let told = say!("proposed-sealed-loss", "{name} loses by his sealed move", name).harmless();
        let (of, articles) = (Infringement::SealedMove, "I.8");
        self.illegal.propose(Proposal {
            by,
            of,
            told,
            articles: articles.to_owned(),
            line: line.clone(),
            besides: Vec::new(),
        });
        line
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
