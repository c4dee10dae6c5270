//! The chips of a match, counted a second way: from the lines of its record and from who won each game, as two people would do it
//! with pencil and paper. It knows nothing of the program's own sums.
//!
//! Source: `docs/rules.md` 0, 7, 20, 21, rulings 3 and 5; `docs/rules-pokerdrez.md` 25–29; `docs/record.md`, `rule`.

use serde_json::Value;

/// The two seats, as the record writes them.
const SEATS: [&str; 2] = ["A", "B"];

/// A decision of the arbiter that the report does not tell from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ruled {
    /// The game is drawn.
    Drawn,
    /// The game counts nothing.
    Cancelled,
}

/// How a line has ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Decided {
    winner: Option<usize>,
    /// Whether the chess was drawn.
    is_draw: bool,
}

/// What two people would write down: index 0 is seat A.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ledger {
    /// The chips beside the pot.
    pub(crate) stacks: [i64; 2],
    /// What each has put into the pot of the running game, and of that on this street.
    pub(crate) pot: [i64; 2],
    street: [i64; 2],
    /// What each has brought to the match.
    pub(crate) brought: [i64; 2],
    /// Which seat has White.
    white: usize,
    /// How many streets of the running game were dealt, and how many games are over and how many of those counted.
    streets: usize,
    games: usize,
    counted: usize,
    /// Who raised last in PokerDrez.
    raiser: Option<usize>,
    /// How the arbiter decided each game, and the running one, if the report does not say it.
    ruled: Vec<Option<Ruled>>,
    ruling: Option<Ruled>,
    /// Whether the lines do not say how the chips were when a ruling changed them.
    pub(crate) unsure: bool,
    /// The first ruling by which chips came from nowhere.
    pub(crate) wrong: Option<String>,
    /// Whether nothing was done in the last game.
    pub(crate) untouched: bool,
    /// What each had after each game.
    pub(crate) after: Vec<[i64; 2]>,
    /// Whether a line has ended the running game, and how, if the line says it.
    ended: bool,
    decided: Option<Decided>,
    /// What was won in the running game, and to whom it was given.
    won: i64,
    closed_pot: [i64; 2],
    /// The chips beside the pot when the running game ended, and what each had brought by then.
    before_end: ([i64; 2], [i64; 2]),
    given: Option<(Option<usize>, i64)>,
}

impl Ledger {
    /// Counts a match. `lines` are the lines of its record, the header first; `games` are the games of `replay --json`, of which
    /// only the outcomes are read.
    pub(crate) fn of(lines: &[Value], games: &[Value]) -> Self {
        let header = &lines[0];
        let stacks = SEATS.map(|seat| number(&header["terms"]["stacks"][seat]));
        let white = index(header["white"].as_str().expect("who has White"));
        let mut ledger = Self { stacks, brought: stacks, white, ..Self::default() };
        let lines = in_effect(&lines[1..]);
        let acting = |line: &&&Value| {
            !["end-match", "pause", "resume", "signs", "tick"].iter().any(|word| line["do"] == *word)
        };
        ledger.untouched = lines.iter().rev().find(acting).is_none_or(|line| line["do"] == "next");
        for (nth, line) in lines.iter().enumerate() {
            ledger.follow(header, line, &lines[nth + 1..], games);
        }
        if !games.get(ledger.games).is_none_or(|game| game["outcome"].is_null()) {
            ledger.settle_at_last(header, games);
        }
        ledger.ruled.push(ledger.ruling);
        ledger.after.push(ledger.has());
        ledger
    }

    /// Whether the game with this index counts nothing because the arbiter cancelled it. The report does not say so.
    pub(crate) fn is_cancelled(&self, game: usize) -> bool {
        self.ruled.get(game) == Some(&Some(Ruled::Cancelled))
    }

    /// Whether the arbiter declared the game with this index drawn.
    pub(crate) fn is_ruled_draw(&self, game: usize) -> bool {
        self.ruled.get(game) == Some(&Some(Ruled::Drawn))
    }

    /// What each has won, less what he has lost.
    pub(crate) fn net(&self) -> [i64; 2] {
        let has = self.has();
        [has[0] - self.brought[0], has[1] - self.brought[1]]
    }

    /// Follows a line of the record. `later` are the lines after it.
    fn follow(&mut self, header: &Value, line: &Value, later: &[&Value], games: &[Value]) {
        let by = match line["by"].as_str() {
            Some("white") => Some(self.white),
            Some("black") => Some(1 - self.white),
            _ => None,
        };
        match line["do"].as_str().expect("a word") {
            "deal" => {
                if self.ended || self.streets == 3 || (self.streets == 1 && header["game"] == "pokerdrez") {
                    self.next(header, games);
                }
                self.deal(header);
            }
            "bet" => self.bet(header, by.expect("a player"), line),
            // After a game that was cancelled, the first move begins the next one.
            "move" if self.ended => self.next(header, games),
            "next" => self.next(header, games),
            "rule" => self.rule(header, line, later, games),
            "resign" => self.end(Some(Decided { winner: by.map(|by| 1 - by), is_draw: false })),
            "accept-draw" | "claim-draw" => {
                let winner = self.winner_of_draws(header);
                self.end(Some(Decided { winner, is_draw: winner.is_none() }));
            }
            "fouled" => self.end(Some(Decided { winner: None, is_draw: false })),
            "claim-flag" => self.end(None),
            _ => {}
        }
    }

    /// Who wins a drawn game, if that was agreed.
    fn winner_of_draws(&self, header: &Value) -> Option<usize> {
        let color = header["terms"]["draw_wins"].as_str()?;
        Some(if color == "white" { self.white } else { 1 - self.white })
    }

    /// Ends the running game, in this way if the line says it.
    fn end(&mut self, decided: Option<Decided>) {
        (self.ended, self.decided) = (true, decided);
    }

    fn deal(&mut self, header: &Value) {
        self.streets += 1;
        self.street = [0, 0];
        if self.streets > 1 {
            return;
        }
        let terms = &header["terms"];
        if header["game"] == "pokerdrez" {
            let least = number(&terms["bets"]["least"]);
            let stake = least.min(self.stacks[0]).min(self.stacks[1]);
            self.put(0, stake);
            self.put(1, stake);
            return;
        }
        let levels = terms["blinds"]["levels"].as_array();
        let level = levels.map_or(1, |levels| number(&levels[self.counted.min(levels.len() - 1)]));
        let small = number(&terms["small_blind"]) * level;
        self.put(self.white, small);
        self.put(1 - self.white, 2 * small);
        self.return_unmatched();
    }

    /// Gives back what an opponent who is all-in cannot match any more.
    fn return_unmatched(&mut self) {
        for seat in 0..2 {
            let more = self.pot[1 - seat] - self.pot[seat];
            if self.stacks[seat] == 0 && more > 0 {
                self.stacks[1 - seat] += more;
                self.pot[1 - seat] -= more;
                self.street[1 - seat] -= more;
            }
        }
    }

    /// Puts up to this many chips more into the pot.
    fn put(&mut self, seat: usize, chips: i64) {
        let chips = chips.clamp(0, self.stacks[seat]);
        self.stacks[seat] -= chips;
        self.pot[seat] += chips;
        self.street[seat] += chips;
    }

    fn bet(&mut self, header: &Value, by: usize, line: &Value) {
        let (own, other) = (self.street[by], self.street[1 - by]);
        let to = match line["action"].as_str().expect("a bet") {
            "call" => other,
            "raise" => number(&line["to"]),
            "all-in" => own + self.stacks[by],
            _ => own,
        };
        self.put(by, to - own);
        self.return_unmatched();
        if line["action"] == "fold" {
            self.end(Some(Decided { winner: Some(1 - by), is_draw: false }));
        }
        if header["game"] == "pokerdrez" && line["action"] == "raise" {
            self.raiser = Some(by);
        }
    }

    /// Gives the pot away: the winner gets as many of the loser's chips as he has put in himself, and everything else goes back.
    /// A result that is changed later changes hands only what was won.
    fn settle(&mut self, header: &Value, outcome: &Decided) {
        if let Some((taker, won)) = self.given.take() {
            self.hand_over(taker.map(|taker| 1 - taker), won);
        } else {
            (self.won, self.closed_pot) = (self.pot[0].min(self.pot[1]), self.pot);
            self.before_end = (self.stacks, self.brought);
            for seat in 0..2 {
                self.stacks[seat] += self.pot[seat];
            }
            self.pot = [0, 0];
        }
        let taker = match (outcome.winner, self.raiser) {
            (None, Some(raiser)) if header["game"] == "pokerdrez" && outcome.is_draw => Some(1 - raiser),
            (winner, _) => winner,
        };
        let given = self.hand_over(taker, self.won);
        self.given = Some((taker, given));
    }

    /// The game goes on as before its end: the chips stand as they stood then, whatever was ruled about them since. What was
    /// bought meanwhile stays.
    fn open_again(&mut self) {
        if self.given.take().is_none() {
            return;
        }
        self.pot = self.closed_pot;
        let (stacks, brought) = self.before_end;
        for seat in 0..2 {
            self.stacks[seat] = stacks[seat] + self.brought[seat] - brought[seat];
        }
    }

    /// Hands chips over, as many as there are: what a ruling has taken away nobody wins. Returns how many.
    fn hand_over(&mut self, taker: Option<usize>, chips: i64) -> i64 {
        let Some(taker) = taker else { return 0 };
        let chips = chips.min(self.stacks[1 - taker]);
        self.stacks[taker] += chips;
        self.stacks[1 - taker] -= chips;
        chips
    }

    /// Settles the running game by its last result, which the report has.
    fn settle_at_last(&mut self, header: &Value, games: &[Value]) {
        let outcome = &games[self.games]["outcome"];
        let word = outcome["reason"].as_str().unwrap_or_default();
        let is_draw = outcome["winner"].is_null() && !["fouled-deck", "ruling"].contains(&word);
        self.settle(header, &Decided { winner: outcome["winner"].as_str().map(index), is_draw });
    }

    /// Goes on to the next game of the match. The colours swap unless the game counted nothing.
    fn next(&mut self, header: &Value, games: &[Value]) {
        self.settle_at_last(header, games);
        self.ruled.push(self.ruling);
        self.after.push(self.has());
        // Which seat has White is a fact of the record's games; whether it is right, the tests of the rules ask.
        self.games += 1;
        let Some(white) = games.get(self.games).and_then(|game| game["white"].as_str()) else {
            self.wrong = Some(format!("the report has only {} games", games.len()));
            self.games -= 1;
            return;
        };
        self.counted += usize::from(index(white) != self.white);
        self.white = index(white);
        (self.streets, self.raiser, self.ended, self.given, self.decided, self.ruling) =
            (0, None, false, None, None, None);
    }

    fn rule(&mut self, header: &Value, line: &Value, later: &[&Value], games: &[Value]) {
        let set = &line["set"];
        if decides(line) {
            self.ruling = match set.get("winner") {
                Some(Value::Null) => Some(Ruled::Drawn),
                _ if set["game"] == "void" => Some(Ruled::Cancelled),
                _ => None,
            };
            let winner = match (set["winner"].as_str(), set["forfeit"].as_str()) {
                (Some(winner), _) => Some(index(winner)),
                (None, Some(absent @ ("A" | "B"))) => Some(1 - index(absent)),
                (None, None) if set.get("winner").is_some() => self.winner_of_draws(header),
                (None, _) => None,
            };
            self.end(Some(Decided { winner, is_draw: false }));
        }
        if set["game"] == "on" {
            (self.ended, self.decided, self.ruling) = (false, None, None);
            self.open_again();
        }
        let sets_chips = set["stacks"].is_object() || set["contributed"].is_object();
        if !sets_chips && self.given.is_none() {
            return;
        }
        match (self.decided, nothing_is_played(later, &games[self.games])) {
            (Some(decided), _) => self.settle(header, &decided),
            (None, true) => self.settle_at_last(header, games),
            // The game ended on the board or on time, and its result was changed after the chips.
            (None, false) => self.unsure |= self.ended,
        }
        if !sets_chips {
            return;
        }
        let before = self.all();
        for (seat, name) in SEATS.into_iter().enumerate() {
            let was = self.stacks[seat] + self.pot[seat];
            if let Some(chips) = set["stacks"][name].as_i64() {
                self.stacks[seat] = chips;
            }
            if let Some(chips) = set["contributed"][name].as_i64() {
                self.street[seat] += chips - self.pot[seat];
                self.pot[seat] = chips;
            }
            if set["chips"] == "added" {
                self.brought[seat] += self.stacks[seat] + self.pot[seat] - was;
            }
        }
        if set["chips"] != "added" && self.all() != before {
            self.wrong.get_or_insert_with(|| {
                format!("{before} chips become {}: {line}", self.stacks.iter().chain(&self.pot).sum::<i64>())
            });
        }
    }

    /// All chips of the match.
    pub(crate) fn all(&self) -> i64 {
        self.stacks.iter().sum::<i64>() + self.pot.iter().sum::<i64>()
    }

    /// The chips of each player, those in an open pot counted for who put them in.
    pub(crate) fn has(&self) -> [i64; 2] {
        [self.stacks[0] + self.pot[0], self.stacks[1] + self.pot[1]]
    }
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or(0)
}

fn index(seat: &str) -> usize {
    usize::from(seat == "B")
}

/// Whether this line is a ruling on the game's result.
fn decides(line: &Value) -> bool {
    let set = &line["set"];
    let names = ["winner", "points", "forfeit"];
    set["game"] == "void" || names.iter().any(|name| set.get(*name).is_some())
}

/// Whether a game that ended on the board or on time is over before these lines: nothing is played any more until the next one
/// begins.
fn nothing_is_played(later: &[&Value], game: &Value) -> bool {
    let word = |line: &Value| line["do"].as_str().unwrap_or_default().to_owned();
    let mut rest = later.iter().take_while(|line| word(line) != "next");
    let acts = [
        "deal",
        "bet",
        "reveal",
        "place",
        "move",
        "resign",
        "accept-draw",
        "claim-draw",
        "claim-flag",
        "fouled",
    ];
    // In a game that ended on time a tick is the fall of the flag.
    let on_time = game["outcome"]["reason"].as_str().is_some_and(|reason| reason.starts_with("timeout"));
    !game["outcome"].is_null()
        && !rest.any(|line| {
            (on_time && word(line) == "tick")
                || acts.contains(&word(line).as_str())
                || decides(line)
                || line["set"]["game"] == "on"
        })
}

/// The lines that are in effect: without those that were taken back.
fn in_effect(lines: &[Value]) -> Vec<&Value> {
    let (mut kept, mut undone): (Vec<&Value>, Vec<Vec<&Value>>) = (Vec::new(), Vec::new());
    for line in lines {
        match line["do"].as_str().expect("a word") {
            "undo" => {
                undone.push(kept.clone());
                take_back(&mut kept, line["what"] == "ruling");
            }
            "redo" => kept = undone.pop().expect("something was taken back"),
            _ => kept.push(line),
        }
    }
    kept
}

/// Takes back the last action of the game, or the last ruling.
fn take_back(kept: &mut Vec<&Value>, ruling: bool) {
    let word = |line: &Value| line["do"].as_str().unwrap_or_default().to_owned();
    let is_meant = |line: &Value| match word(line).as_str() {
        "rule" | "correct" => ruling,
        "pause" | "resume" | "tick" | "stands" | "signs" | "consent" | "sees" | "button" | "offer-draw"
        | "decline-draw" => false,
        _ => !ruling,
    };
    let Some(mut last) = kept.iter().rposition(|line| is_meant(line)) else { return };
    // A press belongs to the action before it: to a move, to a card and its piece, or to a deal after which it starts the clock.
    while word(kept[last]) == "press" {
        let Some(before) = kept[..last].iter().rposition(|line| is_meant(line)) else { break };
        last = before;
        if !["move", "place"].contains(&word(kept[last]).as_str()) {
            continue;
        }
        if let Some(card) = kept[..last].iter().rposition(|line| is_meant(line))
            && word(kept[card]) == "reveal"
        {
            last = card;
        }
    }
    kept.truncate(last);
}
