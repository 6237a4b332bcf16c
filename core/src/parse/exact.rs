//! Decimal numbers, and the handling of those that 64 bits cannot hold exactly.

use serde_json::Number;

use super::node::Data;
use super::scalar::is_decimal;
use super::{Limits, Parsed, parse_with};

/// What becomes of a number that 64 bits cannot hold exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// The nearest number.
    Nearest,
    /// Its text: a number recorded by another program must not change.
    Exact,
}

impl Numbers {
    /// The data of a text that is a decimal number by the grammar of JSON or YAML and, if that is not exact, the reason.
    pub(super) fn read(self, text: &str) -> (Data, Option<&'static str>) {
        let whole = text.parse::<i64>().map(Number::from).or_else(|_| text.parse::<u64>().map(Number::from));
        if let Ok(whole) = whole {
            return (Data::Number(whole), None);
        }
        let is_whole = !text.contains(['.', 'e', 'E']);
        let loss = match (text.parse().ok().and_then(Number::from_f64), self) {
            (None, _) => "is too large for a number and is kept as a string",
            (Some(nearest), Self::Nearest) => {
                let loss = is_whole.then_some("does not fit in 64 bits and loses its last digits");
                return (Data::Number(nearest), loss);
            }
            (Some(_), Self::Exact) if is_whole => "does not fit in 64 bits and is kept as a string",
            (Some(nearest), Self::Exact) if decimal(text) == decimal(&nearest.to_string()) => {
                return (Data::Number(nearest), None);
            }
            (Some(nearest), Self::Exact) if nearest.as_f64() == Some(0.0) => {
                "is too small for a number and is kept as a string"
            }
            _ => "has more digits than 64 bits can hold and is kept as a string",
        };
        (Data::Str(text.into()), Some(loss))
    }
}

/// The sign, the digits from the first to the last non-zero one, and the power of ten of the last: two texts
/// are the same number if these are equal. A text without a result here has an exponent past that of any
/// double.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole.trim_start_matches(['-', '+']), fraction].concat();
    let digits = all.trim_end_matches('0');
    let power = (all.len() - digits.len()) as i64 - fraction.len() as i64;
    let digits = digits.trim_start_matches('0');
    let exponent = if digits.is_empty() { -power } else { exponent.parse::<i32>().ok()?.into() };
    Some((text.starts_with('-'), digits.to_owned(), exponent + power))
}

/// Whether a number is the nearest one to a text that 64 bits cannot hold exactly.
pub(crate) fn is_nearest(number: &Number, text: &str) -> bool {
    let reads = |numbers: Numbers| is_decimal(text).then(|| numbers.read(text).0);
    number.is_f64()
        && matches!(reads(Numbers::Nearest), Some(Data::Number(nearest)) if nearest == *number)
        && matches!(reads(Numbers::Exact), Some(Data::Str(_)))
}

/// Reads a text as [`parse`](super::parse) does, however large it is, with each number of it to the last digit.
pub(crate) fn parse_exactly(text: &str) -> Parsed {
    parse_with(text, &Limits { bytes: usize::MAX, ..Limits::default() }, Numbers::Exact)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::parse::{json_exactly, json_text, json_tree};

    #[test]
    fn numbers_beyond_64_bits_are_kept_to_the_last_digit() {
        let text = r#"{"a": [12345678901234567890123, 18446744073709551615, -9223372036854775809], "b": 1e400, "c": 1.5}"#;
        let value = json!({
            "a": ["12345678901234567890123", 18_446_744_073_709_551_615_u64, "-9223372036854775809"],
            "b": "1e400", "c": 1.5,
        });
        assert_eq!(json_exactly(text).unwrap(), value);
        let parsed = json_tree(text);
        assert_eq!(parsed.root.unwrap().to_value(), value);
        let messages: Vec<&str> = parsed.diagnostics.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "`12345678901234567890123` does not fit in 64 bits and is kept as a string",
                "`-9223372036854775809` does not fit in 64 bits and is kept as a string",
                "`1e400` is too large for a number and is kept as a string",
            ]
        );
        let yaml = parse_exactly("a: &a 12345678901234567890123\nb: [-12345678901234567890123, 7, *a]\n");
        let value = json!({
            "a": "12345678901234567890123",
            "b": ["-12345678901234567890123", 7, "12345678901234567890123"],
        });
        assert_eq!(yaml.root.unwrap().to_value(), value);
        assert_eq!(yaml.diagnostics.len(), 2);
        for found in yaml.diagnostics {
            assert!(found.message.ends_with(" does not fit in 64 bits and is kept as a string"));
            assert!(found.help.is_none() && found.fixes.is_empty());
        }
    }

    #[test]
    fn a_fraction_stays_a_number_if_its_shortest_form_is_equal() {
        let same = [
            "0.10",
            "1.50",
            "1e3",
            "1E+3",
            "-0.0",
            "0.0",
            "0e99999999999",
            "100e-2",
            "0.30000000000000004",
            "5e-324",
            "2.2250738585072014e-308",
            "1.7976931348623157e308",
            "179769313486231570e291",
            "100000000000000000000.0",
            "123456789012345.67",
            "0.000000000000000000000000000000123",
        ];
        for text in same {
            let (data, loss) = Numbers::Exact.read(text);
            assert_eq!(data, Data::Number(Number::from_f64(text.parse().unwrap()).unwrap()), "{text}");
            assert_eq!(loss, None, "{text}");
        }
        let digits = "has more digits than 64 bits can hold and is kept as a string";
        let small = "is too small for a number and is kept as a string";
        let large = "is too large for a number and is kept as a string";
        for (text, loss) in [
            ("12345678901234567.75", digits),
            ("100000000000000000000.5", digits),
            ("0.1234567890123456789", digits),
            ("-0.1234567890123456789", digits),
            ("9007199254740993.0", digits),
            ("12345678901234567890123e-3", digits),
            ("4e-324", digits),
            ("1e-400", small),
            ("-1e-99999999999", small),
            ("1e999", large),
            ("-1.5e99999999999", large),
        ] {
            assert_eq!(Numbers::Exact.read(text), (Data::Str(text.into()), Some(loss)), "{text}");
            let json = format!("[{text}]");
            assert_eq!(json_exactly(&json), Some(json!([text])));
            assert_eq!(parse_exactly(&format!("- {text}")).root.unwrap().to_value(), json!([text]));
            // A hand-written number is read as every JSON reader reads it.
            assert_eq!(json_text(&json).unwrap()[0].is_number(), loss != large, "{text}");
        }
    }
}
