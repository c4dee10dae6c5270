//! The actions that only Chess Joker has: `draw`, `play`, `confirm`, `reject` and `check`; and what of them is legal.
//!
//! Source: `docs/record-chess-joker.md`, "Lines" and "Results".

use tabiya_types::{Color, Fact, Role, Sentence, one_letter, say};

use super::card::{Code, JokerCard, elo};
use super::effect::Masquerade;
use super::step::CardStep;
use crate::rules::action::{ActionData, OwnAction};
use crate::rules::datum::Group;
use crate::rules::fields::{Fields, FormError};
use crate::rules::offer::OfferData;

/// The most steps that a play may list.
const MOST_STEPS: usize = 40;

/// An action that only Chess Joker has.
#[derive(Clone, PartialEq, Debug)]
pub enum JokerAction {
    /// The top card lies face-up before a player.
    Draw(DrawCard),
    /// A player uses the card before him.
    Play(PlayCard),
    /// A yes or a no to what waits for it.
    Answer {
        /// Who answers; `None` is the arbiter.
        by: Option<Color>,
        /// Whether the answer is yes.
        yes: bool,
    },
    /// The player to act is said to be in check by a card without a written effect.
    Check(ClaimedCheck),
}

/// The line `draw`.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawCard {
    /// Who draws.
    pub by: Color,
    /// What is known of the card.
    pub card: JokerCard,
    /// `true` if a reader read the card, `false` if a person typed it; `None` if that is not known.
    pub read: Option<bool>,
}

/// The line `play`.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayCard {
    /// Who plays.
    pub by: Color,
    /// What is done, in order; at most 40 steps.
    pub steps: Vec<CardStep>,
    /// Which bold kinds of piece are replaced.
    pub mask: Masquerade,
    /// The code, where the draw did not tell it.
    pub card: Option<Code>,
    /// The Elo points, where the draw did not tell them.
    pub elo: Option<u32>,
}

/// The line `check`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimedCheck {
    /// Who says it; `None` is the arbiter.
    pub by: Option<Color>,
    /// Whether it is said to be mate; `None` where the line leaves it out, which says no.
    pub mate: Option<bool>,
}

impl ClaimedCheck {
    /// Whether mate is claimed.
    pub fn is_mate(&self) -> bool {
        self.mate == Some(true)
    }
}

impl JokerAction {
    /// Reads the fields of a line with this word; `None` if it is no action of this game.
    pub(super) fn read(word: &str, fields: &mut Fields) -> Result<Option<Self>, FormError> {
        Ok(Some(match word {
            "draw" => Self::Draw(DrawCard {
                by: fields.by_player()?,
                card: JokerCard::read(fields)?,
                read: fields.parsed("how", "`read` or `typed`", |word| match word {
                    "read" => Some(true),
                    "typed" => Some(false),
                    _ => None,
                })?,
            }),
            "play" => Self::Play(PlayCard::read(fields)?),
            "confirm" => Self::Answer { by: fields.by_anyone()?, yes: true },
            "reject" => Self::Answer { by: fields.by_anyone()?, yes: false },
            "check" => Self::Check(ClaimedCheck { by: fields.by_anyone()?, mate: fields.flag("mate")? }),
            _ => return Ok(None),
        }))
    }
}

impl PlayCard {
    fn read(fields: &mut Fields) -> Result<Self, FormError> {
        const WANTED: &str = "a list of at most 40 steps such as `c8f5`, `+Nb3`, `-d5`, `d6=B` or `a1<>h8`";
        let by = fields.by_player()?;
        let steps = fields.list("steps", WANTED, |text| text.parse::<CardStep>().ok())?;
        let steps = steps.ok_or_else(|| fields.missing("steps"))?;
        if steps.len() > MOST_STEPS {
            return Err(fields.wrong("steps", WANTED));
        }
        let mask = match fields.take("as") {
            None => Masquerade::NONE,
            Some(value) => read_mask(Fields::of_value("`as`", value)?)?,
        };
        let card = fields.parsed("card", "two capital letters", |text| text.parse().ok())?;
        Ok(Self { by, steps, mask, card, elo: elo(fields)? })
    }
}

fn read_mask(mut fields: Fields) -> Result<Masquerade, FormError> {
    const WANTED: &str = "another one of P N B R Q K";
    let mut mask = Masquerade::NONE;
    for role in Role::ALL {
        let name = role.letter().to_string();
        let other = |text: &str| one_letter(text).and_then(Role::from_letter).filter(|by| *by != role);
        if let Some(by) = fields.parsed(&name, WANTED, other)? {
            mask = mask.with(role, by);
        }
    }
    fields.finish()?;
    if mask.is_none() { Err(FormError::new("`as` names no piece")) } else { Ok(mask) }
}

/// The replacements of a masquerade as the field `as` lists them.
fn written_mask(mask: Masquerade) -> Group {
    mask.replaced().map(|(role, by)| (role.letter().to_string(), by.letter().into())).collect()
}

impl ActionData for JokerAction {
    fn word(&self) -> &'static str {
        match self {
            Self::Draw(_) => "draw",
            Self::Play(_) => "play",
            Self::Answer { yes: true, .. } => "confirm",
            Self::Answer { yes: false, .. } => "reject",
            Self::Check(_) => "check",
        }
    }

    fn by(&self) -> Option<Color> {
        match self {
            Self::Draw(draw) => Some(draw.by),
            Self::Play(play) => Some(play.by),
            Self::Answer { by, .. } | Self::Check(ClaimedCheck { by, .. }) => *by,
        }
    }

    fn fields(&self) -> Group {
        match self {
            Self::Draw(DrawCard { card, read, .. }) => {
                let fields = card.write(Group::new());
                match read {
                    None => fields,
                    Some(read) => fields.with("how", if *read { "read" } else { "typed" }),
                }
            }
            Self::Play(play) => {
                let steps: Vec<String> = play.steps.iter().map(CardStep::to_string).collect();
                let mut fields = Group::new().with("steps", steps);
                if !play.mask.is_none() {
                    fields.set("as", written_mask(play.mask));
                }
                if let Some(code) = play.card {
                    fields.set("card", code.to_string());
                }
                if let Some(elo) = play.elo {
                    fields.set("elo", elo);
                }
                fields
            }
            Self::Answer { by, .. } => arbiter(*by),
            Self::Check(ClaimedCheck { by, mate }) => match mate {
                None => arbiter(*by),
                Some(mate) => arbiter(*by).with("mate", *mate),
            },
        }
    }

    fn takes_turn(&self) -> bool {
        matches!(self, Self::Draw(_) | Self::Play(_))
    }

    fn waits_while_paused(&self) -> bool {
        self.takes_turn()
    }

    fn changes_board(&self) -> bool {
        matches!(self, Self::Play(_))
    }

    fn follows_move(&self) -> bool {
        matches!(self, Self::Draw(_))
    }

    fn describe(&self) -> Sentence {
        match self {
            Self::Draw(DrawCard { by, card, .. }) => tell_draw(*by, card),
            Self::Play(play) => tell_play(play),
            Self::Answer { by: Some(by), yes: true } => say!("tell-confirm", "{by} agrees", by = *by),
            Self::Answer { by: Some(by), yes: false } => say!("tell-reject", "{by} does not agree", by = *by),
            Self::Answer { by: None, yes: true } => say!("tell-arbiter-confirms", "the arbiter confirms it"),
            Self::Answer { by: None, yes: false } => say!("tell-arbiter-rejects", "the arbiter rejects it"),
            Self::Check(check) => tell_check(*check),
        }
    }
}

/// The field `by` of a line that is the arbiter's; a player's is written by the caller.
fn arbiter(by: Option<Color>) -> Group {
    if by.is_none() { Group::new().with("by", "arbiter") } else { Group::new() }
}

fn tell_draw(by: Color, card: &JokerCard) -> Sentence {
    match (card.code, card.elo) {
        (None, _) => say!("tell-draw-unknown", "{by} draws a card", by),
        (Some(code), None) => say!("tell-draw", "{by} draws {code}", by, code = code.to_string()),
        (Some(code), Some(elo)) => {
            say!("tell-draw-elo", "{by} draws {code} ({elo} Elo)", by, code = code.to_string(), elo)
        }
    }
}

fn tell_play(PlayCard { by, steps, mask, .. }: &PlayCard) -> Sentence {
    let by = *by;
    let steps = Fact::Name(steps.iter().map(CardStep::to_string).collect::<Vec<_>>().join(" "));
    match mask.to_string() {
        masks if masks.is_empty() => say!("tell-play", "{by} plays the card: {steps}", by, steps),
        masks => say!("tell-play-masked", "{by} plays the card as {masks}: {steps}", by, masks, steps),
    }
}

fn tell_check(check: ClaimedCheck) -> Sentence {
    match (check.by, check.is_mate()) {
        (Some(by), false) => say!("tell-claim-check", "{by} says that the card gives check", by),
        (Some(by), true) => say!("tell-claim-mate", "{by} says that the card gives mate", by),
        (None, false) => say!("tell-arbiter-check", "the arbiter says that the card gives check"),
        (None, true) => say!("tell-arbiter-mate", "the arbiter says that the card gives mate"),
    }
}

/// What a player may do now with a card, besides the actions that stand by themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JokerOffer {
    /// A card may be drawn.
    Draw(Color),
    /// The written card before a player has uses.
    Uses {
        /// Whose card it is.
        by: Color,
        /// With which replacements; none if the card is used as printed.
        mask: Masquerade,
        /// A use for each first step that a use can have, in the order of these steps as texts.
        uses: Vec<Vec<CardStep>>,
    },
    /// The card before this player is not written: he may say what it does.
    Unwritten(Color),
}

impl OfferData for JokerOffer {
    fn word(&self) -> &'static str {
        match self {
            Self::Draw(_) => "draw",
            Self::Uses { .. } | Self::Unwritten(_) => "play",
        }
    }

    fn by(&self) -> Option<Color> {
        match self {
            Self::Draw(by) | Self::Unwritten(by) | Self::Uses { by, .. } => Some(*by),
        }
    }

    fn fields(&self) -> Group {
        match self {
            Self::Draw(_) | Self::Unwritten(_) => Group::new(),
            Self::Uses { mask, uses, .. } => {
                let first: Vec<String> =
                    uses.iter().filter_map(|steps| Some(steps.first()?.to_string())).collect();
                let fields = Group::new().with("first", first);
                if mask.is_none() { fields } else { fields.with("as", written_mask(*mask)) }
            }
        }
    }

    fn takes_turn(&self) -> bool {
        true
    }

    fn waits_while_paused(&self) -> bool {
        true
    }

    fn samples(&self) -> Vec<OwnAction> {
        let Self::Uses { by, mask, uses } = self else { return Vec::new() };
        let play = |steps: &Vec<CardStep>| PlayCard {
            by: *by,
            steps: steps.clone(),
            mask: *mask,
            card: None,
            elo: None,
        };
        uses.iter().map(|steps| OwnAction::new(JokerAction::Play(play(steps)))).collect()
    }
}
