//! What is legal in a game of PokerDrez, what its players have to do, and what its results say.
//!
//! Source: `docs/record-pokerdrez.md`, "Results".

use tabiya_types::{ByColor, Color, Fact, Sentence, Square, say};

use super::cards::{DrezCards, MovedWith, moves_something, unpressed};
use super::letter::DrezCard;
use super::lines::{DrezAction, SwapWith};
use super::offers::DrezOffer;
use super::pawns::DrezPawns;
use super::state::PokerDrezState;
use crate::rules::action::{Action, OwnAction};
use crate::rules::bet::Bet;
use crate::rules::betting::RaiseRange;
use crate::rules::capability::{CardPlace, CardSource, Cards, DieOnTable, Heap, HeapPlace};
use crate::rules::datum::Group;
use crate::rules::game::Game;
use crate::rules::offer::{Offer, OwnOffer};
use crate::rules::play::Play;
use crate::rules::play_action::PlayAction;
use crate::rules::turn::{Candidate, Phase};
use crate::rules::violation::game_over;

fn own(action: DrezAction) -> Offer {
    Offer::Do(Action::Own(OwnAction::new(action)))
}

fn several(offer: DrezOffer) -> Offer {
    Offer::Own(OwnOffer::new(offer))
}

impl PokerDrezState {
    // ---- the board ----

    /// The legal actions that change the board: before the deal the pawns that may be taken off, later the moves that
    /// the laid card or the throw allows.
    pub(super) fn what_moves(&self) -> Vec<Candidate> {
        match (&self.play, self.outcome) {
            (_, Some(_)) => Vec::new(),
            (None, None) => self.pawns.removals(),
            (Some(_), None) if self.answerer().is_some() => Vec::new(),
            (Some(play), None) => {
                let mut candidates = play.candidates();
                candidates.retain(|next| self.allows(play, &next.action));
                candidates
            }
        }
    }

    /// Whether an action of chess needs no card, or the card that lies or the throw allows its move.
    fn allows(&self, play: &Play, action: &Action) -> bool {
        match action {
            Action::Play(PlayAction::Move { uci, .. } | PlayAction::ClaimDraw { uci: Some(uci), .. }) => {
                !self.cards.count() || self.cards.allows(play, *uci)
            }
            _ => true,
        }
    }

    // ---- what is legal ----

    pub(super) fn what_is_offered(&self) -> Vec<Offer> {
        match (&self.play, self.phase()) {
            (_, Phase::Over) => Vec::new(),
            (None, _) => self.pawns.offered(),
            (Some(_), Phase::Bet) => self.offered_in_betting(),
            (Some(play), _) => self.offered_in_chess(play),
        }
    }

    fn offered_in_betting(&self) -> Vec<Offer> {
        let Some(by) = self.answerer() else { return Vec::new() };
        let bet = |bet| Offer::Do(Action::Bet { by, bet });
        let mut offers = vec![bet(Bet::Call), bet(Bet::Fold)];
        offers.extend(self.raise_offer());
        offers.push(Offer::Do(Action::Play(PlayAction::Resign(by))));
        offers
    }

    fn raise_offer(&self) -> Option<Offer> {
        self.may_raise().map(|(by, RaiseRange { least, most })| Offer::Raise { by, least, most })
    }

    fn offered_in_chess(&self, play: &Play) -> Vec<Offer> {
        let mut offers = self.owing().map(|by| self.cards.returns(by)).unwrap_or_default();
        if !unpressed(play) {
            offers.extend(self.cards.offered(play));
        }
        let allowed = |offer: &Offer| match offer {
            Offer::Do(action) => self.allows(play, action),
            Offer::Raise { .. } | Offer::Place { .. } | Offer::Own(_) => true,
        };
        offers.extend(play.offers().into_iter().filter(allowed));
        offers.extend(self.raise_offer());
        offers
    }

    // ---- what to do ----

    pub(super) fn what_to_do(&self) -> Sentence {
        let Some(play) = self.play.as_ref().filter(|_| self.outcome.is_none()) else {
            return match (self.outcome, self.pawns.chooser()) {
                (Some(_), _) => game_over(),
                (None, Some(by)) => {
                    say!("take-a-pawn-off", "{by}: take one of your pawns off the board, or keep all", by)
                }
                (None, None) => self.what_to_deal(),
            };
        };
        if let Some(by) = self.answerer() {
            let call = self.stake.to_call(by);
            return match self.may_raise() {
                Some((_, RaiseRange { most, .. })) => {
                    say!(
                        "answer-raise",
                        "{by}: call {call}, raise to at most {most}, or fold",
                        by,
                        call,
                        most
                    )
                }
                None => say!("answer-last-raise", "{by}: call {call}, or fold", by, call),
            };
        }
        if let Some(by) = self.owing() {
            return say!("lay-into-row", "{by}: lay one of your three cards into the row", by);
        }
        if unpressed(play) || !self.cards.count() {
            return play.prompt();
        }
        play.beside_offer(self.cards.what_to_lay(play.to_move()))
    }

    fn what_to_deal(&self) -> Sentence {
        let dealer: Fact = if self.terms.arbiter_deals {
            say!("dealing-arbiter", "Arbiter").into()
        } else {
            Color::Black.into()
        };
        say!("deal-row", "{dealer}: deal two cards to each player and lay five open", dealer)
    }

    // ---- results ----

    pub(super) fn report(&self) -> Group {
        let colors = |text: &dyn Fn(Color) -> crate::rules::datum::Datum| {
            Group::new().with("white", text(Color::White)).with("black", text(Color::Black))
        };
        let pawn = |color: Color| self.pawns.taken_off(color).map(|at| at.to_string()).into();
        let moved_with: Vec<String> = self.moved_with.oldest_first().map(|with| with.text()).collect();
        Group::new()
            .with("pawns", colors(&pawn))
            .with("common", self.cards.pool.row.text())
            .with("used", self.cards.pool.used.text())
            .with("own", colors(&|color| self.cards.pool.own[color].text().into()))
            .with("stock", self.cards.pool.stock)
            .with("die", self.cards.die.word())
            .with("cards", moved_with)
            .with("raised_by", self.stake.raised_by().map(|color| self.start.seat_of(color).word()))
    }
}

impl MovedWith {
    /// The word of the results.
    fn text(self) -> String {
        match self {
            Self::Card(card, from) => format!("{}:{}", from.word(), card.letter()),
            Self::Die(pips) => format!("die:{pips}"),
            Self::Nothing => "none".to_owned(),
        }
    }
}

impl DrezPawns {
    /// The pawns that may be taken off now, each with the board after it.
    fn removals(self) -> Vec<Candidate> {
        let (board, Some(by)) = (self.board(), self.chooser()) else { return Vec::new() };
        let removal = |at: Square| {
            let mut after = board;
            after[at] = None;
            let remove = DrezAction::Remove { by, at: Some(at) };
            Candidate { action: Action::Own(OwnAction::new(remove)), after }
        };
        self.removable(by).into_iter().map(removal).collect()
    }

    /// What is legal before the deal.
    fn offered(self) -> Vec<Offer> {
        let mut offers = Vec::new();
        if let Some(by) = self.chooser() {
            offers.push(several(DrezOffer::Remove { by, at: self.removable(by) }));
            offers.push(own(DrezAction::Remove { by, at: None }));
        }
        offers.push(several(DrezOffer::Deal));
        offers
    }
}

impl Cards for PokerDrezState {
    fn die(&self) -> Option<DieOnTable> {
        self.cards_count().then(|| self.cards.die_on_table())
    }

    fn heaps(&self) -> Vec<Heap> {
        let mover = self.play.as_ref().and_then(|play| play.turn().mover()).unwrap_or(Color::White);
        self.cards.heaps(mover, self.outcome.is_some())
    }
}

impl DrezCards {
    // ---- what is legal ----

    /// What the player to move may do with cards and die before his move; nothing once a card lies.
    fn offered(&self, play: &Play) -> Vec<Offer> {
        if !self.count() || self.turn.laid.is_some() {
            return Vec::new();
        }
        let by = play.to_move();
        let mut offers = self.cards_to_lay(play, by);
        offers.extend((self.die == by).then(|| several(DrezOffer::Roll { by })));
        offers.extend(self.swaps(by));
        offers.extend(self.can_show(play, by).then(|| several(DrezOffer::Show { by })));
        offers
    }

    /// The cards that this player, who owes one, may lay into the row.
    fn returns(&self, by: Color) -> Vec<Offer> {
        let possible = DrezCard::ALL.into_iter().filter(|card| self.pool.possible(by, *card));
        possible.map(|card| own(DrezAction::Return { by, card, source: CardSource::default() })).collect()
    }

    fn cards_to_lay(&self, play: &Play, by: Color) -> Vec<Offer> {
        let kinds = play.moving_kinds();
        let mut offers = Vec::new();
        for from in CardPlace::ALL {
            for card in DrezCard::ALL {
                let there = match from {
                    CardPlace::Own => self.pool.possible(by, card),
                    CardPlace::Common => self.pool.row.has(card),
                };
                if there && moves_something(play, &kinds, card) {
                    offers.push(own(DrezAction::Reveal { by, card, from, source: CardSource::default() }));
                }
            }
        }
        offers
    }

    fn swaps(&self, by: Color) -> Vec<Offer> {
        let mut offers = Vec::new();
        for from in CardPlace::ALL.into_iter().filter(|from| self.has_neutral(by, *from)) {
            for with in SwapWith::ALL {
                let seen = from == CardPlace::Common || with == SwapWith::Common;
                if from == CardPlace::Common && with == SwapWith::Common {
                    continue;
                }
                let can_come = |card: &DrezCard| self.can_come(by, from, with, *card).is_ok();
                let cards: Vec<DrezCard> =
                    DrezCard::ALL.into_iter().filter(|card| seen && can_come(card)).collect();
                if !seen || !cards.is_empty() {
                    offers.push(several(DrezOffer::Swap { by, from, with, cards }));
                }
            }
        }
        offers
    }

    // ---- what is seen ----

    fn what_to_lay(&self, by: Color) -> Sentence {
        match (self.turn.laid, self.turn.rolled) {
            (Some((card, _)), _) => say!("move-with-card", "{by}: make a move with the {card}", by, card),
            (None, Some((card, _))) => {
                say!("move-with-throw", "{by}: make a move with the throw ({card}), or lay a card", by, card)
            }
            (None, None) if self.die == by => say!("lay-or-throw", "{by}: lay a card, or throw the die", by),
            (None, None) => say!("lay-a-card", "{by}: lay a card", by),
        }
    }

    fn die_on_table(&self) -> DieOnTable {
        DieOnTable { owner: self.die, thrown: self.turn.rolled.map(|(_, pips)| pips) }
    }

    /// The heaps on the table; the card of this turn lies before `mover`. Once the game is over, the used cards are seen.
    fn heaps(&self, mover: Color, over: bool) -> Vec<Heap> {
        let up = |cards: super::letter::DrezCounts| cards.cards().map(String::from).collect();
        let hand = |color: Color| {
            let own = self.pool.own[color];
            Heap { place: HeapPlace::Hand(color), up: up(own.known), down: own.unknown }
        };
        // Remembering the used cards is part of the game, so they are hidden until the result. Only the card of this
        // turn lies face up before its player.
        let laid = self.turn.laid.filter(|_| !over);
        let (used, hidden) = if over {
            (up(self.pool.used), 0)
        } else {
            (Vec::new(), self.pool.used.total() - u32::from(laid.is_some()))
        };
        let before = |(card, _): (DrezCard, CardPlace)| Heap {
            place: HeapPlace::Before(mover),
            up: vec![card.into()],
            down: 0,
        };
        let hands: ByColor<Heap> = ByColor::new(hand);
        let mut heaps = vec![
            hands.white,
            hands.black,
            Heap { place: HeapPlace::Middle, up: up(self.pool.row), down: 0 },
            Heap { place: HeapPlace::Stock, up: Vec::new(), down: self.pool.stock },
            Heap { place: HeapPlace::Used, up: used, down: hidden },
        ];
        heaps.extend(laid.map(before));
        heaps
    }
}
