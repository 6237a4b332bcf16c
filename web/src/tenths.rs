//! Numbers as text without the formatting of floats.

use std::fmt;

/// A number with one digit after the point, or none where that digit is 0. The standard library's formatting of floats would
/// be 5 kB of the compressed page.
#[derive(Clone, Copy)]
pub(crate) struct Tenths(pub(crate) f64);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        let sign = if tenths < 0 { "-" } else { "" };
        let (whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
        match rest {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{rest}"),
        }
    }
}

/// A point of a path in SVG.
pub(crate) fn point(x: f64, y: f64) -> String {
    format!("{} {}", Tenths(x), Tenths(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_digit_after_the_point_is_enough() {
        let texts = [0.0, -0.04, 3.0, 12.34, -0.26, -7.95, 1e6].map(|number| Tenths(number).to_string());
        assert_eq!(texts, ["0", "0", "3", "12.3", "-0.3", "-8", "1000000"]);
    }
}
