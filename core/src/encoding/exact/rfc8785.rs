//! JSON in the canonical form of RFC 8785.

use std::cmp::Ordering;

use super::Exact;
use super::style::{Style, short_escape};
use super::tree::points;
use crate::text::float::ECMASCRIPT;

/// The largest number up to which every whole number is a distinct double.
const SAFE: i64 = (1 << 53) - 1;

/// The value in the canonical form of RFC 8785: no white space, keys sorted by UTF-16 units, numbers as JavaScript
/// prints them.
///
/// A number that is no double is written as a text of its digits, according to appendix D of the RFC: two
/// different numbers never look the same.
///
/// ```
/// use transcript_core::encoding::exact::{canonical_json, read};
/// let value = read(r#"{"b": 1e21, "a": [1.0, 12345678901234567890]}"#).unwrap();
/// assert_eq!(canonical_json(&value), r#"{"a":[1,"12345678901234567890"],"b":1e+21}"#);
/// ```
#[must_use]
pub fn canonical_json(value: &Exact) -> String {
    STYLE.write(value)
}

const STYLE: Style = Style { comma: ",", colon: ":", order: by_units, number: push_number, text: push_text };

/// The order of UTF-16 units: characters beyond the basic plane sort before U+E000.
fn by_units(one: &[u8], other: &[u8]) -> Ordering {
    let unit = |point: u32| match point {
        0x1_0000.. => (0xd800 + ((point - 0x1_0000) >> 10), point),
        _ => (point, 0),
    };
    points(one).map(unit).cmp(points(other).map(unit))
}

fn push_number(number: &str, out: &mut String) {
    if let Ok(whole) = number.parse::<i64>()
        && (-SAFE..=SAFE).contains(&whole)
    {
        out.push_str(&whole.to_string());
        return;
    }
    let is_whole = !number.contains(['.', 'e', 'E']);
    match number.parse::<f64>() {
        Ok(0.0) if !is_whole => out.push('0'),
        Ok(float) if float.is_finite() && !is_whole => out.push_str(&ECMASCRIPT.text(float)),
        _ => push_text(number.as_bytes(), out),
    }
}

fn push_text(text: &[u8], out: &mut String) {
    out.push('"');
    for point in points(text) {
        if let Some(escape) = short_escape(point) {
            out.push_str(escape);
            continue;
        }
        match (point, char::from_u32(point)) {
            (0x20.., Some(plain)) => out.push(plain),
            _ => out.push_str(&format!("\\u{point:04x}")),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::canonical_json;

    /// The numbers are from appendix B of the RFC and from V8, the keys from its section 3.2.3.
    #[test]
    fn the_examples_of_the_rfc() {
        for (text, canonical) in [
            ("-0.0", "0"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("9007199254740992.0", "9007199254740992"),
            ("295147905179352830000.0", "295147905179352830000"),
            ("1e21", "1e+21"),
            ("9.999999999999997e22", "9.999999999999997e+22"),
            ("0.000001", "0.000001"),
            ("9.999999999999997e-7", "9.999999999999997e-7"),
            ("333333333.33333329", "333333333.3333333"),
            ("4.50", "4.5"),
            ("2e-3", "0.002"),
            ("1e-27", "1e-27"),
            ("1231573153121601.25", "1231573153121601.2"),
            ("86991125246116.125", "86991125246116.12"),
            (
                "{\"\u{20ac}\": 1, \"\\r\": 2, \"\u{fb33}\": 3, \"1\": 4, \"\u{1f600}\": 5, \"\u{80}\": 6, \"\u{f6}\": 7}",
                "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}",
            ),
            (
                "\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\"",
                "\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"",
            ),
        ] {
            assert_eq!(canonical_json(&read(text).unwrap()), canonical, "{text}");
        }
    }
}
