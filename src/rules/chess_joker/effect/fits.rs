//! Which pieces and which squares an effect means, on one board.
//!
//! Source: `docs/effects-chess-joker.md`, "Meaning".

use tabiya_types::{Color, Piece, Role};

use super::super::lines_of_board::{beside, bit, each, file_of, neighbours, rank_of};
use super::super::men::{Men, file, nearer_and_further, rank};
use super::mask::Masquerade;
use super::tree::{Ask, Count, Kinds, PieceChoice, PieceHead, Relation, Thing, Trait, What, Whose};

const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;
const CENTER: u64 = 0x0000_0018_1800_0000;
const EDGE: u64 = 0xff81_8181_8181_81ff;
const QUEENSIDE: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// The board that is asked, and what `another`, `it` and `its` mean on it.
#[derive(Clone, Copy)]
pub(super) struct AskedBoard<'a> {
    pub(super) men: &'a Men,
    /// The player of the card.
    pub(super) you: Color,
    pub(super) mask: &'a Masquerade,
    /// The pieces that `another` leaves out.
    pub(super) used: u64,
    /// The piece that the step before took; empty if it stands no more.
    pub(super) it: u64,
    /// The kind that the step names, for `another` alone.
    pub(super) named: Option<Kinds>,
    /// Where the piece stood before the step.
    pub(super) from: Option<usize>,
}

impl AskedBoard<'_> {
    /// The squares of the pieces that fit.
    pub(super) fn pieces(&self, choice: &PieceChoice) -> u64 {
        let all = match choice.head {
            PieceHead::It => self.it,
            PieceHead::Another => self.kind(self.named.unwrap_or_default(), Whose::You) & !self.used,
            PieceHead::Named { another, owner, kind } => {
                self.kind(kind, owner) & if another { !self.used } else { u64::MAX }
            }
        };
        choice.asks.iter().fold(all, |left, ask| if left == 0 { 0 } else { self.those(left, ask) })
    }

    /// The squares, of these, that fit a place on this board. `empty` is asked of `as_it_is`, the empty squares before
    /// the goal was cleared.
    pub(super) fn goals(&self, among: u64, place: &[Ask], as_it_is: u64) -> u64 {
        place.iter().fold(among, |left, ask| match ask.what {
            _ if left == 0 => 0,
            What::Empty => left & if ask.not { !as_it_is } else { as_it_is },
            _ => self.those(left, ask),
        })
    }

    fn kind(&self, kind: Kinds, owner: Whose) -> u64 {
        let of = match owner {
            Whose::You => self.men.of_color(self.you),
            Whose::Enemy => self.men.of_color(self.you.other()),
            Whose::Any => self.men.occupied(),
        };
        self.men.of_roles(self.mask.applied(kind)) & of & kind.file.map_or(u64::MAX, file)
    }

    /// The squares, of these, that fit what is asked.
    fn those(&self, among: u64, ask: &Ask) -> u64 {
        let fitting = match &ask.what {
            What::Empty => self.men.empty(),
            What::At(square) => bit(square.index()),
            What::Trait(of) => self.having(among, *of),
            What::Relation(relation, thing) => self.related(among, *relation, thing),
            What::InItsFile => self.from.map_or(0, file_of),
            What::InItsRank => self.from.map_or(0, rank_of),
        };
        if ask.not { among & !fitting } else { among & fitting }
    }

    fn having(&self, among: u64, of: Trait) -> u64 {
        let men = self.men;
        match of {
            Trait::Light => LIGHT,
            Trait::Dark => !LIGHT,
            Trait::Center => CENTER,
            Trait::Edge => EDGE,
            Trait::Kingside => !QUEENSIDE,
            Trait::Queenside => QUEENSIDE,
            Trait::Rank(number) => rank(self.you, number),
            Trait::File(number) => file(number),
            Trait::Doubled => chosen(among, |square| men.doubled(square)),
            Trait::Pinned => chosen(among, |square| men.pinned(square)),
            Trait::Immobile => chosen(among, |square| men.immobile(square)),
            Trait::Threatened => chosen(among, |square| men.threatening(square) != 0),
        }
    }

    fn related(&self, among: u64, relation: Relation, thing: &Thing) -> u64 {
        let things = match &thing.of {
            None => self.men.empty(),
            Some(choice) => self.pieces(choice),
        };
        chosen(among, |square| {
            let count = (things & self.reached(relation, square)).count_ones();
            match thing.count {
                Count::None => count == 0,
                Count::AtLeast(least) => count >= u32::from(least),
            }
        })
    }

    /// The squares of the things to which a square is related.
    fn reached(&self, relation: Relation, square: usize) -> u64 {
        match relation {
            Relation::By => neighbours(square),
            Relation::Beside => beside(square),
            Relation::InFrontOf => nearer_and_further(self.you, square).0,
            Relation::Behind => nearer_and_further(self.you, square).1,
            Relation::InRankOf => rank_of(square) & !bit(square),
            Relation::InFileOf => file_of(square) & !bit(square),
            Relation::ThreatenedBy => self.men.threatening(square),
            Relation::Threatening => self.men.threatened_from(square),
        }
    }
}

fn chosen(among: u64, is_chosen: impl Fn(usize) -> bool) -> u64 {
    each(among).filter(|square| is_chosen(*square)).fold(0, |all, square| all | bit(square))
}

/// The kinds, as bits, that a piece may be added as, or become: never a king.
pub(super) fn but_king(roles: u8) -> u8 {
    roles & !(1 << Role::King as u8)
}

/// The piece on a square that is known to hold one.
pub(super) fn standing(men: &Men, square: usize) -> Piece {
    men.at(square).expect("a set of pieces holds their squares")
}
