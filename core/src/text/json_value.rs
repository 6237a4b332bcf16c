//! JSON as data, with each float the nearest to its digits.

use serde_json::{Number, Value};

/// Significant digits up to which `serde_json` reads a float exactly.
const EXACT_DIGITS: usize = 15;

/// Reads JSON. `serde_json` alone reads one in ten floats of 16 or 17 digits as a neighbouring double; its
/// feature against that adds 60 kB to the package, and this pass does not.
///
/// # Errors
/// Those of `serde_json`.
///
/// ```
/// use transcript_core::text::json_value;
/// assert_eq!(json_value("0.9533936139649337").unwrap().to_string(), "0.9533936139649337");
/// assert!(json_value("{").is_err());
/// ```
pub fn json_value(text: &str) -> Result<Value, serde_json::Error> {
    json_value_with(text, &|digits| digits.parse().ok())
}

/// As [`json_value`], where `read_float` returns the double that is nearest to the digits. The page has JavaScript read them,
/// since the tables of Rust's reader are 12 kB.
///
/// # Errors
/// Those of `serde_json`.
///
/// ```
/// use transcript_core::text::json_value_with;
/// let value = json_value_with("[0.9533936139649337]", &|digits| digits.parse().ok());
/// assert_eq!(value.unwrap().to_string(), "[0.9533936139649337]");
/// ```
pub fn json_value_with(
    text: &str,
    read_float: &dyn Fn(&str) -> Option<f64>,
) -> Result<Value, serde_json::Error> {
    let mut value = serde_json::from_str(text)?;
    let (floats, count) = long_floats(text, read_float);
    // A duplicate key has lost one value: the numbers cannot be matched then.
    if !floats.is_empty() && count_numbers(&value) == count {
        let mut floats = floats.into_iter().peekable();
        let mut at = 0;
        for_each_number(&mut value, &mut |number| {
            if let Some((_, float)) = floats.next_if(|(place, _)| *place == at)
                && let Some(exact) = Number::from_f64(float)
            {
                *number = exact;
            }
            at += 1;
        });
    }
    Ok(value)
}

/// The floats of a JSON text with more digits than are read exactly, each with its index among all numbers;
/// and the count of all numbers.
fn long_floats(text: &str, read_float: &dyn Fn(&str) -> Option<f64>) -> (Vec<(usize, f64)>, usize) {
    let (mut floats, mut count) = (Vec::new(), 0);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at + 1),
            b'-' | b'0'..=b'9' => {
                let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                let length = bytes.iter().skip(at).take_while(|byte| is_part(byte)).count();
                let number = text.get(at..at + length).unwrap_or_default();
                let is_float = number.contains(['.', 'e', 'E']) || length > 19;
                let is_large = number.contains(['e', 'E']) || length > EXACT_DIGITS;
                if is_float
                    && is_large
                    && let Some(float) = read_float(number)
                {
                    floats.push((count, float));
                }
                count += 1;
                at += length;
            }
            _ => at += 1,
        }
    }
    (floats, count)
}

/// Behind the quote that ends a string.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

fn count_numbers(value: &Value) -> usize {
    match value {
        Value::Number(_) => 1,
        Value::Array(items) => items.iter().map(count_numbers).sum(),
        Value::Object(entries) => entries.values().map(count_numbers).sum(),
        _ => 0,
    }
}

fn for_each_number(value: &mut Value, visit: &mut dyn FnMut(&mut Number)) {
    match value {
        Value::Number(number) if number.is_f64() => visit(number),
        // A whole number is exact, but counts.
        Value::Number(number) => visit(&mut number.clone()),
        Value::Array(items) => items.iter_mut().for_each(|item| for_each_number(item, visit)),
        Value::Object(entries) => entries.values_mut().for_each(|item| for_each_number(item, visit)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_keep_their_digits_wherever_they_stand() {
        for text in [
            "0.9533936139649337",
            "[1,\"0.1 \\\" 2\",0.9533936139649337,208794500671169.78]",
            "{\"a\":{\"b\":[0.9533936139649337,-0.9533936139649337]},\"c\":1,\"d\":2.2250738585072014e-308}",
            "[12345678901234567,18446744073709551615,1.5]",
        ] {
            assert_eq!(json_value(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_read_as_ever() {
        let value = json_value("{\"a\": 0.9533936139649337, \"a\": 2}").unwrap();
        assert_eq!(value.to_string(), "{\"a\":2}");
    }
}
