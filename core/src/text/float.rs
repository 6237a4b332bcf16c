//! Floats, in the fewest digits that read back as the same number.

use std::ops::Range;

use serde_json::Number;

/// How a language prints a float.
pub(crate) struct Notation {
    /// The powers of ten of a first digit without an exponent.
    plain: Range<i32>,
    /// The suffix of a whole number without an exponent.
    whole: &'static str,
    /// The minimum number of digits of an exponent.
    exponent: usize,
}

/// `repr` of Python.
pub(crate) const PYTHON: Notation = Notation { plain: -4..16, whole: ".0", exponent: 2 };

/// `Number.prototype.toString` of ECMAScript, except that `-0` keeps its sign.
pub(crate) const ECMASCRIPT: Notation = Notation { plain: -6..21, whole: "", exponent: 1 };

/// Digits without an exponent, at any size.
pub(crate) const DECIMAL: Notation = Notation { plain: i32::MIN..i32::MAX, whole: "", exponent: 1 };

impl Notation {
    /// The text of a number.
    pub(crate) fn number(&self, number: &Number) -> String {
        match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) => self.text(float),
            None => number.to_string(),
        }
    }

    /// The text of a finite float.
    pub(crate) fn text(&self, float: f64) -> String {
        let (digits, power) = shortest(float);
        let sign = if float.is_sign_negative() { "-" } else { "" };
        if !self.plain.contains(&power) {
            let (first, rest) = digits.split_at_checked(1).unwrap_or((&digits, ""));
            let point = if rest.is_empty() { "" } else { "." };
            let direction = if power < 0 { '-' } else { '+' };
            let width = self.exponent;
            return format!("{sign}{first}{point}{rest}e{direction}{:0width$}", power.unsigned_abs());
        }
        let Ok(power) = usize::try_from(power) else {
            let zeros = "0".repeat(power.unsigned_abs().saturating_sub(1) as usize);
            return format!("{sign}0.{zeros}{digits}");
        };
        match digits.split_at_checked(power + 1) {
            Some((whole, fraction)) if !fraction.is_empty() => format!("{sign}{whole}.{fraction}"),
            _ => format!("{sign}{digits:0<width$}{}", self.whole, width = power + 1),
        }
    }
}

/// The fewest digits that read back as the number, and the power of ten of the first. Of several, the one
/// nearest to the number; of two equally near, the even one. The standard library takes the upper of the two,
/// `serde_json` the even one.
fn shortest(float: f64) -> (String, i32) {
    let text = Number::from_f64(float.abs()).map(|number| number.to_string()).unwrap_or_default();
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    let zeros = all.len() - digits.len();
    let [point, zeros] = [whole.len(), zeros].map(|count| i32::try_from(count).unwrap_or_default());
    match digits.trim_end_matches('0') {
        "" => ("0".to_owned(), 0),
        digits => (digits.to_owned(), exponent.parse().unwrap_or(0) + point - zeros - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed by CPython 3.11 and Node 20. `tests/interop` compares many more with both.
    #[test]
    fn each_language_has_its_notation() {
        for (float, python, ecmascript) in [
            (0.0, "0.0", "0"),
            (-1.5, "-1.5", "-1.5"),
            (100.0, "100.0", "100"),
            (0.0001, "0.0001", "0.0001"),
            (0.000_012_5, "1.25e-05", "0.0000125"),
            (1e-7, "1e-07", "1e-7"),
            (1e15, "1000000000000000.0", "1000000000000000"),
            (1e16, "1e+16", "10000000000000000"),
            (1.25e20, "1.25e+20", "125000000000000000000"),
            (1e21, "1e+21", "1e+21"),
            (5e-324, "5e-324", "5e-324"),
            (f64::MAX, "1.7976931348623157e+308", "1.7976931348623157e+308"),
        ] {
            assert_eq!(
                (PYTHON.text(float), ECMASCRIPT.text(float)),
                (python.to_owned(), ecmascript.to_owned())
            );
        }
        assert_eq!(PYTHON.text(-0.0), "-0.0");
        assert_eq!(DECIMAL.text(1.5e22), "15000000000000000000000");
        assert_eq!(DECIMAL.text(1.5e-7), "0.00000015");
    }

    #[test]
    fn a_float_half_way_between_two_texts_has_the_even_one() {
        for (float, text) in [
            (4_926_292_612_486_405.0 / 4.0, "1231573153121601.2"),
            (4_926_292_612_486_407.0 / 4.0, "1231573153121601.8"),
            (695_929_001_968_929.0 / 8.0, "86991125246116.12"),
            (695_929_001_968_931.0 / 8.0, "86991125246116.38"),
        ] {
            for notation in [PYTHON, ECMASCRIPT, DECIMAL] {
                assert_eq!(notation.text(float), text);
            }
        }
    }
}
