//! The capability of a kind of game whose term `deal` says which cards lie under the squares of the board.

use tabiya_types::Square;

/// The deals that a kind of game knows and reads.
pub trait SquareDeals: Sync {
    /// The names of the known deals, the usual one first.
    fn names(&self) -> Vec<&'static str>;
    /// The cards of a deal as the record spells them, each with its square, from a1 to h8. The deal is a name, or the list
    /// of its cards with commas between them; `None` for any other text.
    fn cards(&self, deal: &str) -> Option<Vec<(Square, String)>>;
    /// The squares of the cards in the order in which a list names them; all of White's half.
    fn order(&self) -> Vec<Square>;
    /// The list of a deal in random order. `below` gives a random number below its argument, which is at most 256. `Err`
    /// is what `below` says if it has none.
    fn random(&self, below: &mut dyn FnMut(usize) -> Result<usize, String>) -> Result<Vec<String>, String>;
}
