//! JSON as `json.dumps(value, sort_keys=True)` of Python writes it.

use super::Exact;
use super::style::{Style, short_escape};
use super::tree::points;
use crate::text::float::PYTHON;

/// The value as Python writes it, keys sorted by code points, all but ASCII escaped: the text that hashes of
/// `AgentLoom` are taken of.
///
/// Numbers keep what Python keeps of them: whole ones their digits, others what `repr` makes of the nearest double.
///
/// ```
/// use transcript_core::encoding::exact::{python_json, read};
/// let value = read(r#"{"é": [1e-5, 12345678901234567890123, -0], "a": null}"#).unwrap();
/// assert_eq!(python_json(&value), r#"{"a": null, "\u00e9": [1e-05, 12345678901234567890123, 0]}"#);
/// ```
#[must_use]
pub fn python_json(value: &Exact) -> String {
    STYLE.write(value)
}

const STYLE: Style =
    Style { comma: ", ", colon: ": ", order: <[u8]>::cmp, number: push_number, text: push_text };

fn push_number(number: &str, out: &mut String) {
    if !number.contains(['.', 'e', 'E']) || number == "Infinity" {
        out.push_str(if number == "-0" { "0" } else { number });
        return;
    }
    let float: f64 = number.parse().unwrap_or(f64::NAN);
    match float {
        f64::INFINITY => out.push_str("Infinity"),
        f64::NEG_INFINITY => out.push_str("-Infinity"),
        float if float.is_nan() => out.push_str(number),
        float => out.push_str(&PYTHON.text(float)),
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
            (0x20..=0x7e, Some(plain)) => out.push(plain),
            (0x1_0000.., _) => {
                let rest = point - 0x1_0000;
                escape(0xd800 + (rest >> 10), out);
                escape(0xdc00 + (rest & 0x3ff), out);
            }
            _ => escape(point, out),
        }
    }
    out.push('"');
}

fn escape(unit: u32, out: &mut String) {
    out.push_str(&format!("\\u{unit:04x}"));
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::python_json;

    /// What CPython 3.11 prints for `json.dumps(json.loads(text), sort_keys=True)`.
    #[test]
    fn the_corners_are_those_of_python() {
        for (text, python) in [
            ("0", "0"),
            ("0.0", "0.0"),
            ("-0", "0"),
            ("-0.0", "-0.0"),
            ("1E2", "100.0"),
            ("1e-05", "1e-05"),
            ("0.0001", "0.0001"),
            ("1e15", "1000000000000000.0"),
            ("1e16", "1e+16"),
            ("1e400", "Infinity"),
            ("-1e400", "-Infinity"),
            ("NaN", "NaN"),
            ("-Infinity", "-Infinity"),
            ("9007199254740993", "9007199254740993"),
            ("9007199254740993.0", "9007199254740992.0"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("5e-324", "5e-324"),
            ("1231573153121601.25", "1231573153121601.2"),
            ("86991125246116.125", "86991125246116.12"),
            (r#""\u007f/\u2028é😀\ud800""#, r#""\u007f/\u2028\u00e9\ud83d\ude00\ud800""#),
            ("\"\\b\\f\\u0001\"", "\"\\b\\f\\u0001\""),
            (r#"{"\ue000": 1, "😀": 2, "\ud800": 3}"#, r#"{"\ud800": 3, "\ue000": 1, "\ud83d\ude00": 2}"#),
            ("[ ]", "[]"),
            ("{ }", "{}"),
        ] {
            assert_eq!(python_json(&read(text).unwrap()), python, "{text}");
        }
    }
}
