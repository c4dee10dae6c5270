//! Glicko-2: a rating with its deviation and volatility, after a period of games.
//!
//! Source: Mark Glickman, "Example of the Glicko-2 system", 22 March 2022 (first 2013), steps 1 to 8.

/// From the rating's scale to that of the computation.
const SCALE: f64 = 173.7178;
/// The rating from which a new player begins.
const BEGIN: f64 = 1500.0;
/// How exactly the new volatility is found.
const EXACT: f64 = 0.000_001;
/// The most steps in which it is looked for: the search halves its range.
const MOST_STEPS: usize = 200;

/// How fast the volatility may change, if nobody says: the value of the paper's example.
pub const TAU: f64 = 0.5;

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Glicko {
    /// The rating.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
    /// How much it changes.
    pub volatility: f64,
}

impl Default for Glicko {
    fn default() -> Self {
        Self { rating: BEGIN, deviation: 350.0, volatility: 0.06 }
    }
}

/// A game: the opponent as he was when the period began, and the score from 0 to 1.
pub type RatedGame = (Glicko, f64);

impl Glicko {
    /// The rating after a period with these games; `tau` says how fast the volatility may change (0.3 to 1.2).
    #[must_use]
    pub fn after(self, games: &[RatedGame], tau: f64) -> Self {
        let (mu, phi) = ((self.rating - BEGIN) / SCALE, self.deviation / SCALE);
        if games.is_empty() {
            // Step 6 alone: without games only the deviation grows.
            let deviation = (phi * phi + self.volatility * self.volatility).sqrt() * SCALE;
            return Self { deviation, ..self };
        }
        let (mut information, mut gain) = (0.0, 0.0);
        for (other, score) in games {
            let (their_mu, their_phi) = ((other.rating - BEGIN) / SCALE, other.deviation / SCALE);
            let weight = 1.0 / (1.0 + 3.0 * their_phi * their_phi / std::f64::consts::PI.powi(2)).sqrt();
            let expected = 1.0 / (1.0 + (-weight * (mu - their_mu)).exp());
            information += weight * weight * expected * (1.0 - expected);
            gain += weight * (score - expected);
        }
        let variance = 1.0 / information;
        let volatility = new_volatility(self.volatility, (phi, variance, variance * gain), tau);
        let before = phi * phi + volatility * volatility;
        let new_phi = 1.0 / (1.0 / before + 1.0 / variance).sqrt();
        let new_mu = mu + new_phi * new_phi * gain;
        Self { rating: new_mu * SCALE + BEGIN, deviation: new_phi * SCALE, volatility }
    }
}

/// Step 5: the zero of the paper's function, by the Illinois method.
fn new_volatility(old: f64, (phi, variance, delta): (f64, f64, f64), tau: f64) -> f64 {
    let begin = (old * old).ln();
    let f = |x: f64| {
        let grown = phi * phi + variance + x.exp();
        x.exp() * (delta * delta - grown) / (2.0 * grown * grown) - (x - begin) / (tau * tau)
    };
    let mut low = begin;
    let mut high = if delta * delta > phi * phi + variance {
        (delta * delta - phi * phi - variance).ln()
    } else {
        let below = (1..MOST_STEPS).map(|step| begin - step_width(step) * tau).find(|x| f(*x) >= 0.0);
        below.unwrap_or(begin)
    };
    let (mut at_low, mut at_high) = (f(low), f(high));
    for _ in 0..MOST_STEPS {
        if (high - low).abs() <= EXACT {
            break;
        }
        let middle = low + (low - high) * at_low / (at_high - at_low);
        let at_middle = f(middle);
        if at_middle * at_high <= 0.0 {
            (low, at_low) = (high, at_high);
        } else {
            at_low /= 2.0;
        }
        (high, at_high) = (middle, at_middle);
    }
    (low / 2.0).exp()
}

#[expect(clippy::cast_precision_loss, reason = "at most 200 steps")]
fn step_width(step: usize) -> f64 {
    step as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_example_comes_out() {
        let player = Glicko { rating: 1500.0, deviation: 200.0, volatility: 0.06 };
        let other = |rating, deviation| Glicko { rating, deviation, volatility: 0.06 };
        let games = [(other(1400.0, 30.0), 1.0), (other(1550.0, 100.0), 0.0), (other(1700.0, 300.0), 0.0)];
        let after = player.after(&games, 0.5);
        assert!((after.rating - 1464.05).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.059_996).abs() < 0.000_001, "{after:?}");
        let rested = player.after(&[], 0.5);
        assert!(rested.deviation > 200.0 && (rested.rating - 1500.0).abs() < f64::EPSILON);
    }
}
