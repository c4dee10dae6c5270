//! Points: exact decimal numbers with up to four decimals, which is what the product of two scores with two decimals needs.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// How many parts a point has.
const PARTS: i64 = 10_000;
/// The most that is read, in points. Sums and products of a whole event stay far below the range of the number.
const MOST: i64 = 10_000;

/// Points, or a sum or product of them, in ten-thousandths of a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Hash)]
pub struct Points(i64);

impl Points {
    /// None.
    pub const ZERO: Self = Self(0);
    /// Half a point.
    pub const HALF: Self = Self(PARTS / 2);
    /// A point.
    pub const ONE: Self = Self(PARTS);

    /// So many whole points.
    pub const fn whole(count: i64) -> Self {
        Self(count * PARTS)
    }

    /// Reads a number with up to two decimals, such as `10`, `1.5` or `1,5`; `None` if it is none, or greater than 10,000.
    pub fn read(text: &str) -> Option<Self> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, decimals) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let empty = whole.is_empty() && decimals.is_empty();
        if empty || decimals.len() > 2 || !is_number(whole) || !is_number(decimals) {
            return None;
        }
        let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        let hundredths: i64 = format!("{decimals:0<2}").parse().ok()?;
        let parts = (whole <= MOST).then(|| whole * PARTS + hundredths * (PARTS / 100))?;
        Some(Self(if negative { -parts } else { parts }))
    }

    /// This many times.
    #[must_use]
    pub fn times(self, count: usize) -> Self {
        Self(self.0.saturating_mul(i64::try_from(count).unwrap_or(i64::MAX)))
    }

    /// This percentage of it, cut to ten-thousandths of a point.
    #[must_use]
    pub fn percent(self, percent: i64) -> Self {
        Self(self.0.saturating_mul(percent) / 100)
    }

    /// The average of a sum over so many, rounded half up to hundredths; `None` over none.
    pub fn average(self, count: usize) -> Option<Self> {
        let count = i64::try_from(count).ok().filter(|count| *count > 0)?;
        let unit = PARTS / 100;
        // Half up, in whole numbers: floor(2 a / (b u) + 1) / 2, where u is the unit.
        Some(Self((2 * self.0 + count * unit).div_euclid(2 * count * unit) * unit))
    }

    /// The next whole number, half up.
    #[must_use]
    pub fn rounded(self) -> Self {
        Self((self.0 + PARTS / 2).div_euclid(PARTS) * PARTS)
    }

    /// The number as JSON writes it: without zeros at its end.
    pub fn json(self) -> serde_json::Value {
        if self.0 % PARTS == 0 {
            return serde_json::Value::from(self.0 / PARTS);
        }
        self.to_string().parse::<f64>().map_or(serde_json::Value::Null, serde_json::Value::from)
    }

    /// The number with one decimal, as files of tournaments write scores; `None` if it needs more.
    pub fn one_decimal(self) -> Option<String> {
        (self.0 % (PARTS / 10) == 0).then(|| {
            let tenths = self.0 / (PARTS / 10);
            let sign = if tenths < 0 { "-" } else { "" };
            format!("{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10)
        })
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let parts = self.0.unsigned_abs();
        let (whole, rest) = (parts / PARTS.unsigned_abs(), parts % PARTS.unsigned_abs());
        if rest == 0 {
            return write!(f, "{sign}{whole}");
        }
        let decimals = format!("{rest:04}");
        write!(f, "{sign}{whole}.{}", decimals.trim_end_matches('0'))
    }
}

impl Add for Points {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Points {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Points {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

/// The product of two numbers with two decimals each is exact.
impl Mul for Points {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = i128::from(self.0) * i128::from(other.0) / i128::from(PARTS);
        Self(i64::try_from(product).unwrap_or(i64::MAX))
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Points {
        Points::read(text).expect("a number")
    }

    #[test]
    fn numbers_are_read_and_written() {
        for (text, shown) in [("4", "4"), ("1.5", "1.5"), ("0,5", "0.5"), (".25", "0.25"), ("-2.50", "-2.5")]
        {
            assert_eq!(points(text).to_string(), shown);
        }
        for wrong in ["", ".", "1.555", "a", "1.5.5", "99999", "+1", "--1"] {
            assert_eq!(Points::read(wrong), None, "{wrong}");
        }
        assert_eq!(points("9.5").one_decimal().as_deref(), Some("9.5"));
        assert_eq!(points("0.25").one_decimal(), None);
    }

    #[test]
    fn products_are_exact_and_averages_are_rounded_half_up() {
        assert_eq!((points("0.5") * points("2.5")).to_string(), "1.25");
        assert_eq!(points("10").average(3).map(|average| average.to_string()).as_deref(), Some("3.33"));
        assert_eq!(points("0.25").average(2).map(|average| average.to_string()).as_deref(), Some("0.13"));
        assert_eq!(points("1").average(0), None);
    }
}
