//! The terms of a Choker match, and what each game of the match starts with.
//!
//! Source: `docs/rules.md`, printed rules 0 and B7 and rulings 3, 5–7 and 10; `docs/record.md`, "Terms".

use std::sync::Arc;

use tabiya_types::{ByColor, Color, Fact, Pack, Sentence, say};

use super::state::ChokerState;
use crate::rules::betting::Structure;
use crate::rules::cards::HandRules;
use crate::rules::chips::{Chips, MOST_CHIPS, STACKS, stacks_line};
use crate::rules::datum::{Datum, Group};
use crate::rules::fields::{Fields, FormError};
use crate::rules::game::Game;
use crate::rules::kind::{Agreed, Start};
use crate::rules::said::TermReader;
use crate::rules::sheet_line::{SheetLine, SheetTopic};
use crate::rules::term::{OneWord, TermKind, TermSpec, TermWord, YesNo};

const SMALL_BLIND: TermSpec = TermSpec::new("small_blind", TermKind::Chips).option(
    "blind",
    "BLIND",
    "White's small blind; Black's is twice that",
);

const STRUCTURE: TermSpec = TermSpec::new("structure", TermKind::Limit).option(
    "structure",
    "STRUCTURE",
    "no-limit, pot-limit, or limit:BET:RAISES",
);

const SETS: TermSpec = TermSpec::new("sets", TermKind::Sets).option(
    "set",
    "PIECES",
    "The chess pieces at hand for each player, such as Q1R2B2N2P8, or the word board: then those on the connected board \
     are counted. The match sheet says what the set lacks",
);

const BLINDS: TermSpec = TermSpec::new("blinds", TermKind::Blinds);

const EMPRESS: TermSpec<YesNo> = TermSpec::new("empress", YesNo { usual: true, line: None }).option(
    "no-empress",
    "",
    "Do not use the rule Empress: three of a kind and a pair then make no queen",
);

const BECKET: TermSpec<YesNo> = TermSpec::new("becket", YesNo { usual: false, line: None }).option(
    "becket",
    "",
    "Use the optional rule Becket: RRPPP becomes R R B P P",
);

const CASTLING: TermSpec<YesNo> = TermSpec::new(
    "castling",
    YesNo {
        usual: true,
        line: Some(|castling| {
            say!(
                "sheet-castling",
                "castling with a king and a rook placed at home: {castling}",
                castling = on_or_off(castling)
            )
        }),
    },
)
.option("no-castling", "", "No castling, not even for pieces placed on their usual squares");

const DEALER: TermSpec<OneWord> = TermSpec::new(
    "dealer",
    OneWord(&[
        TermWord { word: "black", line: Some(|| say!("sheet-dealer-black", "dealer: Black")) },
        TermWord { word: "arbiter", line: Some(|| say!("sheet-dealer-arbiter", "dealer: the arbiter")) },
    ]),
)
.unasked();

/// The terms of Choker.
pub(super) const TERMS: &[TermSpec] = &[
    STACKS,
    SMALL_BLIND,
    STRUCTURE,
    SETS,
    BLINDS,
    EMPRESS.spec(),
    BECKET.spec(),
    CASTLING.spec(),
    DEALER.spec(),
];

/// When the blinds rise to the next level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rise {
    /// The blinds rise after every game that counts.
    EveryGame,
    /// The blinds rise each time this many seconds have passed since the start of the record, but only between games.
    EverySeconds(u64),
}

/// How the blinds change during the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blinds {
    /// The blinds stay at the first level.
    Fixed,
    /// The blinds rise from level to level; after the last level they stay.
    Rising {
        /// When the blinds rise.
        every: Rise,
        /// The levels as multiples of the first small blind; at least one level.
        levels: Vec<u32>,
    },
}

/// The terms of a Choker match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChokerTerms {
    /// The chips that seats A and B start with.
    pub stacks: [Chips; 2],
    /// White's blind at the first level; Black's blind is twice as much.
    pub small_blind: Chips,
    /// The betting structure.
    pub structure: Structure,
    /// How the blinds change during the match.
    pub blinds: Blinds,
    /// The agreed rules for hands. Palace always applies; Empress and Becket as agreed.
    pub hands: HandRules,
    /// Whether a king and a rook that were placed on their home squares may castle.
    pub castling: bool,
    /// Whether the arbiter deals the cards instead of Black.
    pub arbiter_deals: bool,
    sheet: Vec<SheetLine>,
}

impl ChokerTerms {
    pub(super) fn read(terms: &mut Fields) -> Result<Self, FormError> {
        let mut said = TermReader::new(terms);
        let terms = said.fields();
        let mut stacks = match terms.take(STACKS.name) {
            Some(stacks) => Fields::of_value("`stacks`", stacks)?,
            None => return Err(terms.missing(STACKS.name)),
        };
        let of_seats = [chips(&mut stacks, "A")?, chips(&mut stacks, "B")?];
        stacks.finish()?;
        Ok(Self {
            stacks: of_seats,
            small_blind: chips(terms, SMALL_BLIND.name)?,
            structure: structure(terms)?,
            blinds: blinds(terms)?,
            hands: HandRules { empress: said.flag(&EMPRESS)?, becket: said.flag(&BECKET)? },
            castling: said.flag(&CASTLING)?,
            arbiter_deals: said.word(&DEALER)? == "arbiter",
            sheet: said.sheet(),
        })
    }

    /// The small blind (White) and the big blind (Black) of a game.
    pub(super) fn blinds_of(&self, games_before: u32, seconds: u64) -> ByColor<Chips> {
        let level = match &self.blinds {
            Blinds::Fixed => 1,
            Blinds::Rising { every, levels } => {
                let passed = match every {
                    Rise::EveryGame => u64::from(games_before),
                    Rise::EverySeconds(span) => seconds / span,
                };
                let nth = usize::try_from(passed).unwrap_or(usize::MAX).min(levels.len() - 1);
                levels[nth]
            }
        };
        let small = self.small_blind.times(level);
        ByColor { white: small, black: small.times(2) }
    }
}

/// The terms that every Choker match must state, with usual values: `stack` chips for each player and a small blind of
/// 1.
pub(super) fn usual(stack: u32) -> Group {
    Group::new().with("stacks", Group::new().with("A", stack).with("B", stack)).with("small_blind", 1_u32)
}

/// Takes a required field that contains a number of chips, at least 1.
fn chips(fields: &mut Fields, name: &str) -> Result<Chips, FormError> {
    let number = fields.number_from(name, 1, MOST_CHIPS.into())?.ok_or_else(|| fields.missing(name))?;
    Ok(Chips(u32::try_from(number).expect("bounded by MOST_CHIPS")))
}

fn structure(terms: &mut Fields) -> Result<Structure, FormError> {
    const WANTED: &str = "\"no-limit\", \"pot-limit\" or {\"limit\":{\"bet\":2,\"raises\":3}}";
    match terms.take(STRUCTURE.name) {
        None => Ok(Structure::NoLimit),
        Some(Datum::Text(word)) => match word.as_str() {
            "no-limit" => Ok(Structure::NoLimit),
            "pot-limit" => Ok(Structure::PotLimit),
            _ => Err(terms.wrong(STRUCTURE.name, WANTED)),
        },
        Some(Datum::Group(map)) => {
            let mut outer = Fields::new("`structure`", map);
            let Some(limit) = outer.take("limit") else { return Err(terms.wrong(STRUCTURE.name, WANTED)) };
            outer.finish()?;
            let mut limit = Fields::of_value("`limit`", limit)?;
            let bet = chips(&mut limit, "bet")?;
            let raises = limit.number("raises", 1000)?.ok_or_else(|| limit.missing("raises"))?;
            limit.finish()?;
            Ok(Structure::Limit { bet, raises: u32::try_from(raises).expect("at most 1000") })
        }
        Some(_) => Err(terms.wrong(STRUCTURE.name, WANTED)),
    }
}

fn blinds(terms: &mut Fields) -> Result<Blinds, FormError> {
    const WANTED: &str = "\"fixed\" or {\"every\":\"game\",\"levels\":[1,2,…]}; `every` may also be seconds";
    match terms.take(BLINDS.name) {
        None => Ok(Blinds::Fixed),
        Some(Datum::Text(word)) if word == "fixed" => Ok(Blinds::Fixed),
        Some(Datum::Group(map)) => {
            let mut fields = Fields::new("`blinds`", map);
            let every = match fields.take("every") {
                Some(Datum::Text(word)) if word == "game" => Rise::EveryGame,
                Some(Datum::Number(seconds)) if seconds > 0 => Rise::EverySeconds(seconds),
                Some(_) => return Err(fields.wrong("every", "\"game\" or whole seconds")),
                None => return Err(fields.missing("every")),
            };
            let levels = match fields.take("levels") {
                Some(Datum::List(levels)) => levels
                    .iter()
                    .map(|level| level.as_number().filter(|l| *l > 0).and_then(|l| u32::try_from(l).ok()))
                    .collect::<Option<Vec<_>>>()
                    .filter(|levels| !levels.is_empty())
                    .ok_or_else(|| fields.wrong("levels", "whole numbers of at least 1"))?,
                Some(_) => return Err(fields.wrong("levels", "a list of whole numbers")),
                None => return Err(fields.missing("levels")),
            };
            fields.finish()?;
            Ok(Blinds::Rising { every, levels })
        }
        Some(_) => Err(terms.wrong(BLINDS.name, WANTED)),
    }
}

impl Agreed for ChokerTerms {
    fn changed(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        let mut changed = self.clone();
        if let Some(becket) = terms.flag(BECKET.name)? {
            changed.hands.becket = becket;
        }
        Ok(Arc::new(changed))
    }

    fn pack(&self) -> Option<Pack> {
        Some(Pack::Choker)
    }

    fn stacks(&self) -> [Chips; 2] {
        self.stacks
    }

    /// Advice for players whose chess set has few pieces: the Becket rule if the set has fewer than three rooks, and a
    /// stand-in if it has fewer than two queens (ruling 7 in `docs/rules.md`).
    fn inventory_advice(&self, color: Color, set: &str) -> Vec<Sentence> {
        let count = |letter| set.chars().filter(|c| *c == letter).count();
        let mut advice = Vec::new();
        let rooks = count('R');
        if rooks < 3 && !self.hands.becket {
            advice.push(if self.hands.empress {
                say!(
                    "few-rooks-empress",
                    "rooks in {color}'s set: {rooks}; no hand needs a third rook; with Becket, the hand \
                     RRPPP makes a bishop instead of a queen",
                    color,
                    rooks
                )
            } else {
                say!(
                    "few-rooks",
                    "rooks in {color}'s set: {rooks}; the hand RRPPP needs a third rook, unless Becket is \
                     agreed",
                    color,
                    rooks
                )
            });
        }
        if count('Q') < 2 {
            advice.push(say!(
                "few-queens",
                "{color}'s set has at most one queen: a second queen (about one hand in twenty) needs a \
                 stand-in, for example an upside-down rook",
                color
            ));
        }
        advice
    }

    fn begin(&self, start: Start) -> Box<dyn Game> {
        Box::new(ChokerState::new(Arc::new(self.clone()), start))
    }

    fn sheet(&self) -> Vec<SheetLine> {
        let small = self.small_blind;
        let stakes = |says| SheetLine::new(SheetTopic::Stakes, says);
        let mut sheet = vec![
            stacks_line(self.stacks),
            stakes(say!(
                "sheet-blinds",
                "blinds: {small} and {big}, {rise}",
                small,
                big = small.times(2),
                rise = self.blinds.sentence()
            )),
            stakes(say!(
                "sheet-betting",
                "betting: {structure}",
                structure = structure_words(self.structure, &self.blinds)
            )),
            say!(
                "sheet-hands",
                "hands: Palace on, Empress {empress}, Becket {becket}",
                empress = on_or_off(self.hands.empress),
                becket = on_or_off(self.hands.becket)
            )
            .into(),
        ];
        sheet.extend(self.sheet.iter().cloned());
        sheet
    }
}

impl Blinds {
    fn sentence(&self) -> Sentence {
        match self {
            Self::Fixed => say!("blinds-fixed", "fixed"),
            Self::Rising { every, levels } => {
                let when = match every {
                    Rise::EveryGame => say!("blinds-every-game", "after every game"),
                    Rise::EverySeconds(span) => {
                        say!("blinds-every-seconds", "every {span} s, but only between games", span = *span)
                    }
                };
                let levels = Fact::list(levels.iter().copied());
                say!("blinds-rising", "rising {when}, times {levels}", when, levels)
            }
        }
    }
}

fn structure_words(structure: Structure, blinds: &Blinds) -> Sentence {
    match structure {
        Structure::NoLimit => say!("structure-no-limit", "no limit"),
        Structure::PotLimit => say!("structure-pot-limit", "pot limit"),
        Structure::Limit { bet, raises } if *blinds != Blinds::Fixed => {
            say!(
                "structure-limit-rising",
                "limit: bets and raises of {bet} at first, rising with the blinds, at most {raises} raises a street",
                bet,
                raises
            )
        }
        Structure::Limit { bet, raises } => {
            say!(
                "structure-limit",
                "limit: bets and raises of {bet}, at most {raises} raises a street",
                bet,
                raises
            )
        }
    }
}

fn on_or_off(flag: bool) -> Sentence {
    if flag { say!("is-on", "on") } else { say!("is-off", "off") }
}
