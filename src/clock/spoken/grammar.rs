//! The grammar of a time control as people write it: from tokens to stages.
//!
//! What the stages mean together, and in which unit a bare number is, `meaning.rs` says.

use super::tokens::{TimeUnit, Token};

/// Numbers of moves that people count. In `90/40` they tell which of the two numbers is the time.
const USUAL_MOVES: [u64; 9] = [15, 16, 20, 30, 36, 40, 45, 50, 60];
/// A bonus from this many seconds on whose unit is minutes is no bonus but the time of the next stage: `90 min + 30 min`.
const LEAST_STAGE: u64 = 120;

/// Where the text stops making sense, and what was expected there.
pub(super) type Fault = (usize, &'static str);

/// A number with a unit, if one is written, at this index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    pub(super) number: u64,
    pub(super) unit: Option<TimeUnit>,
    pub(super) at: usize,
}

impl Amount {
    pub(super) fn seconds_as(self, unit: TimeUnit) -> u64 {
        // What does not fit exceeds every limit that is checked later.
        self.number.saturating_mul(self.unit.unwrap_or(unit).seconds())
    }

    fn is_seconds(self) -> bool {
        self.unit == Some(TimeUnit::Seconds)
    }
}

/// A number of moves, and its index.
pub(super) type MoveCount = (u64, usize);

/// A sign and what follows it: a bonus, or the time of a next stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpokenBonus {
    pub(super) sign: char,
    pub(super) at: usize,
    pub(super) amount: Amount,
    /// Whether it says of itself that it is a bonus: `30 s per move`, `30 s increment`.
    pub(super) named: bool,
    /// Whether it says that it is given from the first move on, so in all stages.
    pub(super) from_start: bool,
    /// The moves that are counted in it, if it is a stage.
    pub(super) moves: Option<MoveCount>,
}

impl SpokenBonus {
    /// A bonus that says of itself that it is one.
    pub(super) fn named(sign: char, at: usize, amount: Amount) -> Self {
        Self { sign, at, amount, named: true, from_start: false, moves: None }
    }

    /// Whether it is the time of a next stage, which is added after a number of moves.
    pub(super) fn is_stage(&self) -> bool {
        let long = !self.amount.is_seconds()
            && self.amount.unit.is_some()
            && self.amount.seconds_as(TimeUnit::Seconds) >= LEAST_STAGE;
        self.sign == '+' && !self.named && (self.moves.is_some() || long)
    }
}

/// A time with what was said about it.
#[derive(Clone, Debug)]
pub(super) struct SpokenTime {
    pub(super) moves: Option<MoveCount>,
    pub(super) base: Amount,
    pub(super) bonuses: Vec<SpokenBonus>,
    /// Whether it is for all moves that are left, as `SD/60` says.
    pub(super) of_game: bool,
    /// What the numbers around a `/` are if none counts moves: minutes and their increment.
    pub(super) otherwise: Option<(Amount, SpokenBonus)>,
    /// Whether the moves stand after their time, without a word that says so.
    pub(super) turned: bool,
}

/// A stage as it was read.
#[derive(Clone, Debug)]
pub(super) enum SpokenStage {
    /// Overtime, or a method that stands alone, already in the record's notation.
    Whole(MappedText),
    Time(SpokenTime),
    /// `30 s per move`; after another stage it can be meant as an increment. `5 min each` can be meant as a player's time.
    PerMove {
        amount: Amount,
        at: usize,
        is_each: bool,
    },
    /// A bonus for all stages before it that have none.
    ForAll(SpokenBonus),
}

/// A text in the record's notation. For each of its characters, `from` has the index of the character in the person's
/// text from which it was made.
#[derive(Clone, Debug, Default)]
pub(super) struct MappedText {
    pub(super) text: String,
    pub(super) from: Vec<usize>,
}

impl MappedText {
    pub(super) fn with(mut self, text: &str, at: usize) -> Self {
        self.text.push_str(text);
        self.from.extend(text.chars().map(|_| at));
        self
    }

    /// A sign with an amount after it, such as `=30`.
    pub(super) fn signed(sign: &str, at: usize, amount: Amount, unit: TimeUnit) -> Self {
        Self::default().with(sign, at).with(&amount.seconds_as(unit).to_string(), amount.at)
    }
}

/// Whose a time is that has a `per` after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Per {
    Move,
    Player,
    Each,
}

pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [(usize, Token<'a>)],
    pub(super) end: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<Token<'_>> {
        self.tokens.first().map(|(_, token)| *token)
    }

    fn second(&self) -> Option<Token<'_>> {
        self.tokens.get(1).map(|(_, token)| *token)
    }

    fn at(&self) -> usize {
        self.tokens.first().map_or(self.end, |(at, _)| *at)
    }

    fn skip(&mut self, tokens: usize) {
        self.tokens = self.tokens.get(tokens..).unwrap_or_default();
    }

    /// Removes the next token if it is this one.
    fn eat(&mut self, wanted: Token) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.skip(1);
        }
        there
    }

    fn number(&mut self) -> Option<MoveCount> {
        let [(at, Token::Number(digits)), ..] = self.tokens else { return None };
        let number = (digits.parse().unwrap_or(u64::MAX), *at);
        self.skip(1);
        Some(number)
    }

    fn unit(&mut self) -> Option<TimeUnit> {
        let Some(Token::Unit(unit)) = self.peek() else { return None };
        self.skip(1);
        Some(unit)
    }

    /// The stages of the whole text.
    pub(super) fn stages(&mut self) -> Result<Vec<SpokenStage>, Fault> {
        let mut stages = vec![self.stage(true)?];
        loop {
            if self.periods_follow() {
                self.skip(1);
            } else if self.tokens.is_empty() {
                return Ok(stages);
            } else if !self.game_follows() && !self.eat(Token::Then) && !self.eat(Token::Semicolon) {
                return Err((self.at(), "`+`, `d` or `b` and seconds, `,` and another stage, or the end"));
            }
            stages.push(self.stage(false)?);
        }
    }

    fn stage(&mut self, first: bool) -> Result<SpokenStage, Fault> {
        let begun = self.at();
        if self.eat(Token::CountUp) {
            return Ok(SpokenStage::Whole(MappedText::default().with("^", begun)));
        }
        if self.eat(Token::Hourglass) {
            let written = self.tokens.first().is_some_and(|(at, _)| *at == begun + 1);
            let unit = if written { TimeUnit::Seconds } else { TimeUnit::Minutes };
            return Ok(SpokenStage::Whole(MappedText::signed("*", begun, self.amount()?, unit)));
        }
        if self.eat(Token::Equals) {
            return Ok(SpokenStage::Whole(MappedText::signed("=", begun, self.amount()?, TimeUnit::Seconds)));
        }
        if self.eat(Token::Per) {
            let is_each = !self.eat(Token::Move);
            return Ok(SpokenStage::PerMove { amount: self.amount()?, at: begun, is_each });
        }
        if self.eat(Token::Canadian) {
            return self.canadian(begun);
        }
        if let Some(bonus) = self.bonus(false)? {
            return self.after_bonus(bonus, first);
        }
        let of_game = self.eat(Token::Game);
        if of_game
            && !self.eat(Token::Slash)
            && !matches!(self.peek(), Some(Token::Number(_) | Token::Time(_)))
        {
            return Err((self.at(), "`/` and minutes, as in `G/60`"));
        }
        self.time(begun, of_game)
    }

    fn canadian(&mut self, begun: usize) -> Result<SpokenStage, Fault> {
        let (moves, at) = self.number().ok_or((self.at(), "a number of moves"))?;
        if !self.eat(Token::Slash) {
            return Err((self.at(), "`/` and the time for these moves"));
        }
        let block = self.amount()?;
        let mapped = MappedText::default().with("c", begun).with(&moves.to_string(), at).with("/", block.at);
        let seconds = block.seconds_as(TimeUnit::Seconds).to_string();
        Ok(SpokenStage::Whole(mapped.with(&seconds, block.at)))
    }

    /// A part that begins with a sign: at the end of the text a bonus for all stages, else perhaps a stage, as in
    /// `40/90, plus 30 min, plus 30 s`.
    fn after_bonus(&mut self, bonus: SpokenBonus, first: bool) -> Result<SpokenStage, Fault> {
        let ends = self.tokens.is_empty();
        if !first && bonus.sign == '+' && !bonus.named && (!ends || bonus.is_stage()) {
            let (moves, base) = (bonus.moves, bonus.amount);
            let bonuses = self.bonuses()?;
            let (of_game, otherwise, turned) = (false, None, false);
            return Ok(SpokenStage::Time(SpokenTime { moves, base, bonuses, of_game, otherwise, turned }));
        }
        if ends && (!first || bonus.sign == '+') {
            Ok(SpokenStage::ForAll(bonus))
        } else {
            Err((bonus.at, "the time before the bonus, as in `25 delay 5`"))
        }
    }

    /// A stage that begins with a number.
    fn time(&mut self, begun: usize, of_game: bool) -> Result<SpokenStage, Fault> {
        let base = self.amount()?;
        if self.eat(Token::Times) {
            let period = self.amount()?;
            let mapped = MappedText::default().with(&base.number.to_string(), base.at).with("x", period.at);
            let seconds = period.seconds_as(TimeUnit::Seconds).to_string();
            return Ok(SpokenStage::Whole(mapped.with(&seconds, period.at)));
        }
        if self.eat(Token::Hourglass) {
            return Ok(SpokenStage::Whole(MappedText::signed("*", begun, base, TimeUnit::Minutes)));
        }
        match self.per(base) {
            Some(per @ (Per::Move | Per::Each)) => {
                if self.eat_from_move_one()? {
                    let (at, amount) = (begun, base);
                    return Ok(SpokenStage::ForAll(SpokenBonus {
                        from_start: true,
                        ..SpokenBonus::named('+', at, amount)
                    }));
                }
                return Ok(SpokenStage::PerMove { amount: base, at: begun, is_each: per == Per::Each });
            }
            Some(Per::Player) | None => {}
        }
        if let Some(sign) = self.name_after() {
            self.per(base);
            self.eat_from_move_one()?;
            let (at, amount) = (begun, base);
            return Ok(SpokenStage::ForAll(SpokenBonus::named(sign, at, amount)));
        }
        let mut time =
            SpokenTime { moves: None, base, bonuses: Vec::new(), of_game, otherwise: None, turned: false };
        if !of_game {
            self.count_moves(&mut time)?;
        }
        self.eat_rest_of_game();
        time.bonuses = self.bonuses()?;
        Ok(SpokenStage::Time(time))
    }

    /// Reads the moves of a stage: `40 moves in 90 min`, `40/90`, `90 min/40 moves`.
    fn count_moves(&mut self, time: &mut SpokenTime) -> Result<(), Fault> {
        let first = time.base;
        let written = self.peek() == Some(Token::Move)
            && matches!(self.second(), Some(Token::Slash | Token::Number(_)));
        if first.unit.is_none() && (self.eat(Token::Moves) || (written && self.eat(Token::Move))) {
            self.eat(Token::Slash);
            (time.moves, time.base) = (Some((first.number, first.at)), self.amount()?);
            return Ok(());
        }
        time.moves = self.count();
        if time.moves.is_some() || self.peek() != Some(Token::Slash) || self.bonus_follows_slash() {
            return Ok(());
        }
        let at = self.at();
        self.skip(1);
        let second = self.amount()?;
        let named = self.per(second) == Some(Per::Move);
        let increment = SpokenBonus { sign: '+', at, amount: second, named, from_start: false, moves: None };
        let short = second.is_seconds() && second.number <= 60;
        if named || (short && (first.unit.is_none() || !first.is_seconds())) {
            (time.bonuses, time.otherwise) = (Vec::new(), Some((first, increment)));
            return Ok(());
        }
        let usual = |amount: Amount| amount.unit.is_none() && USUAL_MOVES.contains(&amount.number);
        time.turned = first.unit.is_some() || (!usual(first) && usual(second));
        let (count, base) = if time.turned { (second, first) } else { (first, second) };
        (time.moves, time.base) = (Some((count.number, count.at)), base);
        time.otherwise = may_be_increment(first, second).then_some((first, increment));
        Ok(())
    }

    /// A time: one number, or several whose units become smaller, as in `1 h 30 min` and `1h30`.
    fn amount(&mut self) -> Result<Amount, Fault> {
        let at = self.at();
        if let Some(Token::Time(seconds)) = self.peek() {
            self.skip(1);
            return Ok(Amount { number: seconds, unit: Some(TimeUnit::Seconds), at });
        }
        let (number, _) = self.number().ok_or((at, "a number"))?;
        let mut amount = Amount { number, unit: self.unit(), at };
        let mut last = amount.unit;
        while let (Some(larger), Some(Token::Number(digits))) = (last, self.peek()) {
            // `15 min 10 s per move` and `90 min 40 moves` go on with something else.
            if self.bonus_without_sign() || self.second() == Some(Token::Moves) {
                break;
            }
            let (begun, single) = (self.at(), digits.len() == 1);
            let Some((more, _)) = self.number() else { break };
            let written = self.unit();
            if single && written.is_none() {
                return Err((begun, "`+` before an increment, or a unit after the number"));
            }
            let unit = written.or(larger.smaller());
            let Some(unit) = unit.filter(|unit| unit.seconds() < larger.seconds()) else {
                return Err((begun, "a smaller unit than before"));
            };
            let seconds = amount.seconds_as(larger).saturating_add(more.saturating_mul(unit.seconds()));
            (amount.number, amount.unit, last) = (seconds, Some(TimeUnit::Seconds), Some(unit));
        }
        Ok(amount)
    }

    /// All bonuses that follow.
    fn bonuses(&mut self) -> Result<Vec<SpokenBonus>, Fault> {
        let mut bonuses = Vec::new();
        while !self.periods_follow()
            && let Some(bonus) = self.bonus(true)?
        {
            bonuses.push(bonus);
        }
        Ok(bonuses)
    }

    /// A sign or a name, and the time after it. After a time, `10 s per move` needs no sign.
    fn bonus(&mut self, after_time: bool) -> Result<Option<SpokenBonus>, Fault> {
        let at = self.at();
        let semicolon = self.peek() == Some(Token::Semicolon);
        let parts = semicolon
            && (matches!(self.second(), Some(Token::Game))
                || matches!(self.tokens.get(2), Some((_, Token::Slash | Token::Moves))));
        if parts {
            return Ok(None);
        }
        if semicolon || self.bonus_follows_slash() {
            self.skip(1);
        }
        let (mut sign, mut named) = (None, false);
        while let Some(Token::Sign(next) | Token::Named(next)) = self.peek() {
            named |= matches!(self.peek(), Some(Token::Named(_)));
            sign = sign.filter(|_| next == '+').or(Some(next));
            self.skip(1);
        }
        let without_sign = semicolon || (after_time && self.bonus_without_sign());
        let Some(mut sign) = sign.or(without_sign.then_some('+')) else { return Ok(None) };
        self.eat(Token::Slash);
        let amount = self.amount()?;
        let (mut moves, mut from_start) = (None, false);
        loop {
            if self.per(amount).is_some() {
                named = true;
            } else if self.eat_from_move_one()? {
                (named, from_start) = (true, true);
            } else if let Some(other) = self.name_after() {
                (sign, named) = (if other == '+' { sign } else { other }, true);
            } else if let Some(count) = self.count().filter(|_| moves.is_none()) {
                moves = Some(count);
            } else {
                break;
            }
        }
        self.eat_rest_of_game();
        Ok(Some(SpokenBonus { sign, at, amount, named, from_start, moves }))
    }

    // ---- what follows ----

    /// `per move`, `/move`, `per player`, `each`; after seconds also `a move`.
    fn per(&mut self, amount: Amount) -> Option<Per> {
        let (per, length) = match (self.peek()?, self.second()) {
            (Token::Per | Token::Slash, Some(Token::Move)) => (Per::Move, 2),
            (Token::Per | Token::Slash, Some(Token::Player)) => (Per::Player, 2),
            (Token::Per, _) => (Per::Each, 1),
            (Token::Move, _) if amount.is_seconds() => (Per::Move, 1),
            (Token::Player, _) => (Per::Player, 1),
            _ => return None,
        };
        self.skip(length);
        Some(per)
    }

    /// A number of moves after a time: `/40 moves`, or `for 40 moves`. Moves without a number are all that are left.
    fn count(&mut self) -> Option<MoveCount> {
        let slash = usize::from(self.peek() == Some(Token::Slash));
        let [(_, Token::Number(_)), (_, Token::Moves), ..] = self.tokens.get(slash..)? else { return None };
        self.skip(slash);
        let count = self.number();
        self.skip(1);
        count
    }

    fn eat_rest_of_game(&mut self) {
        self.eat(Token::Moves);
        if self.peek() == Some(Token::Game) && !self.game_follows() {
            self.skip(1);
        }
    }

    /// The name of a bonus after its seconds: `5 s delay`. A name that a number follows belongs to that number.
    fn name_after(&mut self) -> Option<char> {
        let Some(Token::Named(sign)) = self.peek() else { return None };
        if matches!(self.second(), Some(Token::Number(_) | Token::Slash | Token::Named(_) | Token::Sign(_))) {
            return None;
        }
        self.skip(1);
        Some(sign)
    }

    /// Reads `from move 1`. No control gives its bonus from a later move on.
    fn eat_from_move_one(&mut self) -> Result<bool, Fault> {
        if !self.eat(Token::From) {
            return Ok(false);
        }
        while self.eat(Token::From) || self.eat(Token::Move) {}
        if let Some((number, at)) = self.number()
            && number != 1
        {
            return Err((at, "1, since a bonus is given from the first move on"));
        }
        self.eat(Token::Move);
        Ok(true)
    }

    /// Whether a `/` and then the sign or the name of a bonus follow, as in `G/60/d5`.
    fn bonus_follows_slash(&self) -> bool {
        self.peek() == Some(Token::Slash) && matches!(self.second(), Some(Token::Sign(_) | Token::Named(_)))
    }

    /// Whether seconds follow that say of themselves that they are a bonus: `10 s per move`, `5 s delay`.
    fn bonus_without_sign(&self) -> bool {
        let [(_, Token::Number(_)), rest @ ..] = self.tokens else { return false };
        let rest = match rest {
            [(_, Token::Unit(_)), rest @ ..] => rest,
            rest => rest,
        };
        match rest {
            [(_, Token::Per | Token::Slash), (_, Token::Move), ..] => true,
            [(_, Token::Move), after @ ..] => !matches!(after, [(_, Token::Slash | Token::Number(_)), ..]),
            [(_, Token::Named(_)), after @ ..] => !matches!(
                after,
                [(_, Token::Number(_) | Token::Slash | Token::Named(_) | Token::Sign(_)), ..]
            ),
            _ => false,
        }
    }

    /// Whether periods follow, as in `10 min + 5 x 30 s`: they are a stage, and no bonus.
    fn periods_follow(&self) -> bool {
        matches!(self.tokens, [(_, Token::Sign('+')), (_, Token::Number(_)), (_, Token::Times), ..])
    }

    /// Whether the time for the rest of the game follows, as in `SD/60`.
    fn game_follows(&self) -> bool {
        self.peek() == Some(Token::Game)
            && matches!(self.second(), Some(Token::Slash | Token::Number(_) | Token::Time(_)))
    }
}

/// Whether `first/second` can be minutes and their increment in seconds, as people write `5/3` and `15/10`. Who begins with
/// 40 counts moves, unless the time would be very short.
fn may_be_increment(first: Amount, second: Amount) -> bool {
    let long = matches!(second.number, 45 | 60) && first.number >= 45;
    let usual = (1..=30).contains(&second.number) || long;
    let counts_moves = first.unit.is_none() && first.number == 40 && second.number >= 30;
    !first.is_seconds() && second.unit.is_none() && usual && !counts_moves
}
