//! The form for a match's terms, and its conversion from and to the record's terms.
//!
//! Terms for which the form has no field are kept unchanged.

use tabiya_app::desk::{NewMatch, Position, turns_cards_over};
use tabiya_app::piece_sets::{USUAL_SET, counted, term};
use tabiya_engine::clock::{ParseControlError, Stage, TimeControl, parse_spoken, to_spoken};
use tabiya_engine::rules::{Datum, GAMES, GameKind, Group, chess960, presets};
use tabiya_store::settings::{OwnPreset, Settings};
use tabiya_types::{ByColor, BySeat, Color, Millis, Seat};

use super::plain::PlainTerms;

/// How bets are limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Limit {
    No,
    Pot,
    Fixed,
}

/// How the two clock times are agreed: one for both players, by player, or by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Share {
    Both,
    Seats,
    Colors,
}

/// The position from which chess begins: the usual position, a FEN, or the position on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    Usual,
    Fen,
    Board,
}

/// The form for the terms of a new match.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one box to tick")]
pub(crate) struct Form {
    pub(crate) game: String,
    pub(crate) players: BySeat<String>,
    pub(crate) white: Seat,
    pub(crate) preset: Option<String>,
    /// The name of the user's own preset that was chosen.
    pub(crate) own: Option<String>,
    pub(crate) share: Share,
    /// The time controls as typed. The second one is used only if the two sides have separate time controls.
    pub(crate) time: [String; 2],
    pub(crate) stacks: BySeat<String>,
    pub(crate) small_blind: String,
    pub(crate) limit: Limit,
    pub(crate) fixed_bet: u32,
    pub(crate) raises: u32,
    pub(crate) rising: bool,
    /// The terms of the game that are plain numbers, words or boxes to tick.
    pub(crate) plain: PlainTerms,
    pub(crate) auto_press: bool,
    pub(crate) event: bool,
    /// Whether the physical clock at the board keeps the time, instead of Tabiya's own clock.
    pub(crate) device_clock: bool,
    /// Whether the clocks show the first increment from the start.
    pub(crate) first_increment: bool,
    /// Whether the other clock keeps running after a flag has fallen.
    pub(crate) run_on: bool,
    pub(crate) games: u32,
    pub(crate) bet_seconds: u32,
    pub(crate) chess960: bool,
    /// The number of the start position of Chess960; `None` while it is being drawn.
    pub(crate) number: Option<u32>,
    pub(crate) from: Origin,
    pub(crate) fen: String,
    pub(crate) to_move: Color,
    /// Whether the numbers of pieces in the set are part of the terms.
    pub(crate) inventory: bool,
    pub(crate) sets: ByColor<[u32; 6]>,
    /// The deal of Poker Chess: a name, or a list of cards separated by spaces.
    pub(crate) deal: String,
    /// Whether a game of PokerDrez is played for chips, and the least and the highest stake.
    pub(crate) played_for_chips: bool,
    pub(crate) stakes: [u32; 2],
    /// The name of the deck of cards with chips. The deck is not one of the terms.
    pub(crate) deck: Option<String>,
    /// Terms for which the form has no field.
    rest: Group,
}

impl Form {
    /// The form with the terms of the last match or, if there was no match yet, with the default preset of the first
    /// game.
    pub(super) fn of_settings(settings: &Settings) -> Self {
        let mut form = Self::empty(GAMES.first().map_or("", |kind| kind.name()));
        match &settings.last {
            Some(last) => form.take(last),
            None => form.take_preset(presets::names(&form.game).next().unwrap_or_default()),
        }
        form.deck.clone_from(&settings.deck);
        let mut names = settings.names.iter();
        for seat in Seat::ALL {
            form.players[seat] = names.next().cloned().unwrap_or_default();
        }
        form
    }

    fn empty(game: &str) -> Self {
        Self {
            game: game.to_owned(),
            players: BySeat { a: String::new(), b: String::new() },
            white: Seat::A,
            preset: None,
            own: None,
            share: Share::Both,
            time: [String::new(), String::new()],
            stacks: BySeat { a: String::new(), b: String::new() },
            small_blind: "1".to_owned(),
            limit: Limit::No,
            fixed_bet: 2,
            raises: 3,
            rising: false,
            plain: PlainTerms::usual(game),
            auto_press: false,
            event: false,
            device_clock: false,
            first_increment: true,
            run_on: false,
            games: 0,
            bet_seconds: 0,
            chess960: false,
            number: None,
            from: Origin::Usual,
            fen: String::new(),
            to_move: Color::White,
            inventory: false,
            sets: ByColor::new(|_| USUAL_SET.map(|(_, count)| count)),
            deal: String::new(),
            played_for_chips: false,
            stakes: USUAL_STAKES,
            deck: None,
            rest: Group::new(),
        }
    }

    /// Whether the chosen game has a term with this name.
    pub(super) fn has(&self, term: &str) -> bool {
        presets::kind(&self.game).is_some_and(|kind| kind.has_term(term))
    }

    /// Takes this reading for the first time control that can mean several things.
    pub(super) fn set_unsure_time(&mut self, reading: &TimeControl) {
        let unsure =
            |time: &&mut String| parse_spoken(time).is_err_and(|error| error.readings().contains(reading));
        if let Some(time) = self.time.iter_mut().find(unsure) {
            *time = to_spoken(reading);
        }
    }

    /// What is wrong with the time controls, if anything.
    pub(super) fn time_fault(&self) -> Option<ParseControlError> {
        let used = if self.share == Share::Both { 1 } else { 2 };
        self.time
            .iter()
            .take(used)
            .filter(|time| !time.trim().is_empty())
            .find_map(|time| parse_spoken(time).err())
    }

    /// The reading with which this side's clock starts; `None` without a time for a whole stage.
    pub(super) fn starting_time(&self, seat: Seat, color: Color) -> Option<Millis> {
        let second = match self.share {
            Share::Both => false,
            Share::Seats => seat == Seat::B,
            Share::Colors => color == Color::Black,
        };
        let text = self.time.get(usize::from(second))?;
        let control = parse_spoken(text.trim()).ok()?;
        let Stage::Time { base, bonus, .. } = *control.stages().first()? else { return None };
        let increment = if self.first_increment { bonus.increment() } else { Millis::ZERO };
        Some(base + increment)
    }

    /// The time control that both sides have; `None` if they have different ones, or if it cannot be read.
    pub(super) fn control(&self) -> Option<TimeControl> {
        let text = self.time[0].trim();
        let control = if text.is_empty() { Ok(TimeControl::Untimed) } else { parse_spoken(text) };
        control.ok().filter(|_| self.share == Share::Both)
    }

    /// How many terms differ from what the game has without them, the time and the chips apart.
    pub(super) fn changed_rules(&self) -> usize {
        let usual = Self::empty(&self.game).bare_terms();
        let counted = |name: &str| !["time", "stacks", "small_blind", "deal"].contains(&name);
        self.bare_terms()
            .into_iter()
            .filter(|(name, value)| counted(name) && usual.get(name) != Some(value))
            .count()
    }

    /// Whether the game changes pieces before chess begins, so that the pieces in the set matter.
    pub(super) fn needs_sets(&self) -> bool {
        self.has("sets")
    }

    /// Whether the match is to begin from a start position of Chess960 that has to be drawn.
    pub(super) fn draws_position(&self) -> bool {
        self.has("chess960") && self.chess960 && self.from == Origin::Usual
    }

    /// The number of the start position, if the match is to begin from one of Chess960.
    fn drawn_number(&self) -> Option<u32> {
        self.number.filter(|_| self.draws_position())
    }

    pub(super) fn is_clock_alone(&self) -> bool {
        presets::kind(&self.game).is_some_and(GameKind::is_clock_only)
    }

    /// Changes to another game. The form gets the terms that were last used for that game or, if there are none, the
    /// game's default preset.
    pub(super) fn change_game(&mut self, game: &str, settings: &Settings) {
        if let Some(terms) = settings.last_of.get(game) {
            self.take(&OwnPreset { name: String::new(), game: game.to_owned(), terms: terms.clone() });
            return;
        }
        let (players, white, deck) = (self.players.clone(), self.white, self.deck.clone());
        *self = Self { players, white, deck, ..Self::empty(game) };
        let first = presets::names(game).next();
        self.take_preset(first.unwrap_or_default());
    }

    /// Fills in the terms of a preset; players, colours and the deck stay.
    pub(super) fn take_preset(&mut self, name: &str) {
        let terms = presets::terms(Some(name), &self.game).unwrap_or_default();
        self.take(&OwnPreset { name: String::new(), game: self.game.clone(), terms });
    }

    /// Fills in saved or remembered terms; players, colours and the deck stay.
    pub(super) fn take(&mut self, own: &OwnPreset) {
        let (players, white, deck) = (self.players.clone(), self.white, self.deck.clone());
        *self = Self { players, white, deck, ..Self::empty(&own.game) };
        self.own = Some(own.name.clone()).filter(|name| !name.is_empty());
        let mut terms = own.terms.clone();
        self.preset = terms.take("preset").and_then(|name| Some(name.as_text()?.to_owned()));
        self.read_time(&mut terms);
        self.read_chips(&mut terms);
        self.plain.take(&mut terms);
        let mut flag =
            |name: &str, usual: bool| terms.take(name).and_then(|value| value.as_flag()).unwrap_or(usual);
        self.chess960 = flag("chess960", false);
        self.run_on = !flag("freeze", true);
        self.first_increment = flag("first_increment", true);
        let mut is =
            |name: &str, word: &str| terms.take(name).is_some_and(|value| value.as_text() == Some(word));
        self.auto_press = is("press", "auto");
        self.event = is("voice", "event");
        self.device_clock = is("clock", "device");
        let mut count =
            |name: &str| terms.take(name).and_then(|value| u32::try_from(value.as_number()?).ok());
        self.games = count("games").unwrap_or(0);
        self.bet_seconds = count("bet_ms").unwrap_or(0) / 1000;
        let bets = terms.take("bets");
        self.played_for_chips = bets.is_some();
        if let Some(bets) = bets.as_ref().and_then(Datum::as_group) {
            let number = |name: &str| u32::try_from(bets.get(name)?.as_number()?).ok();
            self.stakes = [number("least").unwrap_or(1), number("most").unwrap_or(1)];
        }
        self.deal = match terms.take("deal") {
            Some(Datum::List(cards)) => cards.iter().filter_map(Datum::as_text).collect::<Vec<_>>().join(" "),
            Some(name) => plain(&name),
            None => String::new(),
        };
        if let Some(fen) = terms.take("fen").and_then(|fen| Some(fen.as_text()?.to_owned())) {
            (self.from, self.fen) = (Origin::Fen, fen);
        }
        self.read_sets(&mut terms);
        self.rest = terms;
    }

    fn read_time(&mut self, terms: &mut Group) {
        // The form shows a time control as people say it. A text that is not a time control stays as it is,
        // so that the user can correct it.
        let text = |value: &Datum| {
            let text = value.as_text().unwrap_or_default();
            text.parse().map_or_else(|_| text.to_owned(), |control| to_spoken(&control))
        };
        match terms.take("time") {
            Some(Datum::Group(map)) => {
                let seats = map.has("A");
                self.share = if seats { Share::Seats } else { Share::Colors };
                let [first, second] = if seats { ["A", "B"] } else { ["white", "black"] };
                self.time = [first, second].map(|name| map.get(name).map(text).unwrap_or_default());
            }
            Some(value) => self.time = [text(&value), text(&value)],
            None => {}
        }
    }

    fn read_chips(&mut self, terms: &mut Group) {
        if let Some(Datum::Group(stacks)) = terms.take("stacks") {
            for seat in Seat::ALL {
                self.stacks[seat] = stacks.get(seat.word()).map(plain).unwrap_or_default();
            }
        }
        if let Some(blind) = terms.take("small_blind") {
            self.small_blind = plain(&blind);
        }
        match terms.take("structure") {
            Some(Datum::Text(word)) if word == "pot-limit" => self.limit = Limit::Pot,
            Some(Datum::Group(map)) => {
                self.limit = Limit::Fixed;
                let number =
                    |name: &str| u32::try_from(map.get("limit")?.as_group()?.get(name)?.as_number()?).ok();
                self.fixed_bet = number("bet").unwrap_or(2);
                self.raises = number("raises").unwrap_or(3);
            }
            _ => {}
        }
        self.rising = match terms.take("blinds") {
            Some(blinds) if Some(&blinds) == rising().as_ref() => true,
            // The form has no field for other schedules of the blinds, so they are kept unchanged.
            Some(blinds) if blinds.as_text() != Some("fixed") => {
                terms.set("blinds", blinds);
                false
            }
            _ => false,
        };
    }

    /// Takes the numbers of pieces from the sets that stand on a board.
    pub(super) fn take_sets(&mut self, sets: &ByColor<String>) {
        self.inventory = true;
        self.sets = ByColor::new(|color| counted(&sets[color]));
    }

    fn read_sets(&mut self, terms: &mut Group) {
        let Some(Datum::Group(sets)) = terms.take("sets") else { return };
        self.inventory = true;
        for color in Color::ALL {
            if let Some(letters) = sets.get(color.word()).and_then(Datum::as_text) {
                self.sets[color] = counted(letters);
            }
        }
    }

    /// The terms as the record contains them. If they still equal the terms of the chosen preset, the preset's name is
    /// added.
    pub(super) fn terms(&self) -> Group {
        let mut terms = self.bare_terms();
        if let Some(preset) = self.preset_in_force() {
            terms.set("preset", preset);
        }
        terms
    }

    /// The name of the chosen preset; `None` if a term has been changed since.
    pub(super) fn preset_in_force(&self) -> Option<&str> {
        let name = self.preset.as_deref()?;
        let mut usual = presets::terms(Some(name), &self.game)?;
        usual.take("preset");
        (self.bare_terms() == usual).then_some(name)
    }

    fn bare_terms(&self) -> Group {
        let mut terms = self.rest.clone();
        terms.set("time", self.time_term());
        let (blinds, stakes) = (self.has("small_blind"), self.has("bets") && self.played_for_chips);
        if blinds {
            self.put_blinds(&mut terms);
        }
        when(&mut terms, self.has("chess960") && self.chess960, "chess960", true.into());
        if let Some(deal) = self.deal_term().filter(|_| self.has("deal")) {
            terms.set("deal", deal);
        }
        for (name, value) in self.plain.written() {
            terms.set(name, value);
        }
        let many = blinds || self.has("bets") || self.has("deal");
        when(&mut terms, many && self.games > 0, "games", self.games.into());
        if stakes {
            let [least, most] = self.stakes;
            terms.set("stacks", self.stacks_term());
            terms.set("bets", Group::new().with("least", least).with("most", most));
        }
        let bet_millis = u64::from(self.bet_seconds) * 1000;
        when(&mut terms, (blinds || stakes) && bet_millis > 0, "bet_ms", bet_millis.into());
        when(&mut terms, self.auto_press && !self.is_clock_alone(), "press", "auto".into());
        when(&mut terms, self.event, "voice", "event".into());
        when(&mut terms, self.run_on, "freeze", false.into());
        when(&mut terms, !self.first_increment, "first_increment", false.into());
        when(&mut terms, self.device_clock, "clock", "device".into());
        let letters = |color: Color| -> String {
            USUAL_SET
                .iter()
                .zip(self.sets[color])
                .flat_map(|((role, _), count)| (0..count).map(|_| role.letter()))
                .collect()
        };
        when(&mut terms, self.inventory && self.needs_sets(), "sets", term(ByColor::new(letters)));
        terms
    }

    /// The time control of both, or of each seat or colour. What is no time control stays as it was typed.
    fn time_term(&self) -> Datum {
        let [first, second] = self.time.each_ref().map(|time| match time.trim() {
            "" => "-".to_owned(),
            time => parse_spoken(time).map_or_else(|_| time.to_owned(), |control| control.to_string()),
        });
        match self.share {
            Share::Both => first.into(),
            Share::Seats => Group::new().with("A", first).with("B", second).into(),
            Share::Colors => Group::new().with("white", first).with("black", second).into(),
        }
    }

    /// The stacks of both seats.
    fn stacks_term(&self) -> Group {
        Group::new().with("A", number(&self.stacks.a)).with("B", number(&self.stacks.b))
    }

    /// Puts the stacks, the blinds and the limit of bets.
    fn put_blinds(&self, terms: &mut Group) {
        terms.set("stacks", self.stacks_term());
        terms.set("small_blind", number(&self.small_blind));
        when(terms, self.limit == Limit::Pot, "structure", "pot-limit".into());
        let fixed = Group::new().with("bet", self.fixed_bet).with("raises", self.raises);
        when(terms, self.limit == Limit::Fixed, "structure", Group::new().with("limit", fixed).into());
        when(terms, self.rising, "blinds", rising().unwrap_or(Datum::Nothing));
    }

    /// The deal that is agreed: its name, or its cards; `None` if none is typed.
    fn deal_term(&self) -> Option<Datum> {
        let cards: Vec<&str> = self.deal.split_whitespace().collect();
        match cards.as_slice() {
            [] => None,
            [name] => Some(Datum::from(*name)),
            cards => Some(cards.to_vec().into()),
        }
    }

    /// The match that begins with the form as it is filled in now.
    pub(super) fn new_match(&self) -> NewMatch {
        let numbered =
            self.drawn_number().and_then(|number| chess960::start_fen(u16::try_from(number).ok()?));
        let position = match self.from {
            Origin::Usual if numbered.is_some() => Position::Fen(numbered.unwrap_or_default()),
            Origin::Fen if self.has("fen") => Position::Fen(self.fen.clone()),
            Origin::Board if self.has("fen") => Position::AsItStands(self.to_move),
            Origin::Usual | Origin::Fen | Origin::Board => Position::Usual,
        };
        let deck = self.deck.clone().filter(|_| turns_cards_over(&self.game));
        let usual = NewMatch::usual(&self.game, self.players.clone(), self.white, self.terms());
        NewMatch { position, deck, ..usual }
    }
}

/// The least and the highest stake of a game of PokerDrez, unless others are agreed.
const USUAL_STAKES: [u32; 2] = [5, 20];

/// The blinds of the preset `tour`, which rise after every game.
fn rising() -> Option<Datum> {
    presets::terms(Some("tour"), "choker")?.take("blinds")
}

/// A typed text as a number; if it is not a number, the text itself, so that the header's parser reports the error.
fn number(text: &str) -> Datum {
    text.trim().parse::<u64>().map_or_else(|_| text.trim().into(), Datum::Number)
}

/// The text that a field shows for a number or a text.
pub(super) fn plain(value: &Datum) -> String {
    match value {
        Datum::Number(number) => number.to_string(),
        value => value.as_text().unwrap_or_default().to_owned(),
    }
}

/// Puts a term if its condition holds.
fn when(terms: &mut Group, holds: bool, name: &str, value: Datum) {
    if holds {
        terms.set(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_survives_the_form() {
        for game in GAMES.iter().map(|kind| kind.name()) {
            for name in presets::names(game) {
                let mut form = Form::empty(game);
                form.take_preset(name);
                let wanted = presets::terms(Some(name), game).expect("a preset");
                assert_eq!(form.terms(), wanted, "{game} {name}");
                assert!(form.new_match().sheet().is_ok());
            }
        }
    }

    #[test]
    fn a_preset_that_was_changed_is_no_preset_any_more() {
        let mut form = Form::empty("choker");
        form.take_preset("club");
        form.stacks.a = "300".to_owned();
        assert_eq!(form.preset_in_force(), None);
        assert!(!form.terms().has("preset"));
        form.stacks.a = "200".to_owned();
        assert_eq!(form.preset_in_force(), Some("club"));
    }

    #[test]
    fn terms_without_a_field_are_carried_along() {
        let terms: Group = serde_json::from_str(
            r#"{"stacks": {"A": 50, "B": 70}, "small_blind": 2, "time": {"A": "60", "B": "120+2"}, "settle_ms": 500,
            "first_increment": false, "blinds": {"every": 600, "levels": [1, 2]}, "becket": true, "empress": false, "press": "auto",
            "structure": {"limit": {"bet": 4, "raises": 2}}, "sets": {"white": "KQQRRBBNNPPPPPPPP", "black": "KQRRBBNNPPPPPPPP"}}"#,
        )
        .expect("terms");
        let mut form = Form::empty("choker");
        form.take(&OwnPreset { name: "ours".to_owned(), game: "choker".to_owned(), terms: terms.clone() });
        assert_eq!(form.terms(), terms);
    }

    #[test]
    fn the_terms_of_pokerdrez_survive_the_form() {
        let terms: Group = serde_json::from_str(
            r#"{"time": "300", "decks": 2, "stuck": "draw", "games": 4, "stacks": {"A": 50, "B": 40},
            "bets": {"least": 3, "most": 9}, "bet_ms": 5000}"#,
        )
        .expect("terms");
        let mut form = Form::empty("pokerdrez");
        form.take(&OwnPreset { name: String::new(), game: "pokerdrez".to_owned(), terms: terms.clone() });
        assert_eq!(form.terms(), terms);
    }

    #[test]
    fn the_terms_of_poker_chess_survive_the_form() {
        for terms in [
            r#"{"time": "300", "deal": "royal-flush", "wipeout": 3, "mate_bonus": 0, "choice": "player", "games": 4}"#,
            r#"{"time": "-", "deal": ["Ah", "2h"]}"#,
            r#"{"time": "60"}"#,
        ] {
            let terms: Group = serde_json::from_str(terms).expect("terms");
            let mut form = Form::empty("poker-chess");
            form.take(&OwnPreset {
                name: String::new(),
                game: "poker-chess".to_owned(),
                terms: terms.clone(),
            });
            assert_eq!(form.terms(), terms);
        }
    }

    #[test]
    fn the_terms_of_chess_joker_survive_the_form() {
        for terms in [r#"{"time": "300"}"#, r#"{"time": "-", "deck": 90, "simple": true, "confirm": "none"}"#]
        {
            let terms: Group = serde_json::from_str(terms).expect("terms");
            let mut form = Form::empty("chess-joker");
            form.take(&OwnPreset {
                name: String::new(),
                game: "chess-joker".to_owned(),
                terms: terms.clone(),
            });
            assert_eq!(form.terms(), terms);
        }
    }

    #[test]
    fn what_is_no_number_is_told_by_the_headers_own_sentence() {
        let mut form = Form::empty("choker");
        form.take_preset("club");
        form.small_blind = "one".to_owned();
        let error = form.new_match().sheet().expect_err("no number");
        assert!(error.contains("small_blind"), "{error}");
    }
}
