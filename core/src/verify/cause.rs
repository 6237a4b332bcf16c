//! The probable cause of a difference between two values that should be equal.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::text::sort_by;
use crate::time::mask_timestamps;

/// The minimum length of a word that may be a random id.
const ID: usize = 8;

/// Ten years in milliseconds, the maximum difference of two numbers that are points in time.
const YEARS: f64 = 3.2e11;

/// The probable cause of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// It is a point in time.
    Timestamp,
    /// It is or contains an id that is new each time.
    RandomId,
    /// It is a number that is drawn by chance.
    RandomNumber,
    /// It has the same data in another order, such as that of a map's keys.
    Order,
}

impl Cause {
    /// The probable cause of a difference, if it looks like a known one.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::verify::Cause;
    /// let cause = |one, other| Cause::from_values(&one, &other);
    /// assert_eq!(cause(json!("at 2026-01-01T10:00:00Z"), json!("at 2027-02-01T11:30:00Z")), Some(Cause::Timestamp));
    /// assert_eq!(cause(json!("job 9f86d081-a"), json!("job 3b1e22c7-a")), Some(Cause::RandomId));
    /// assert_eq!(cause(json!("temp, wind"), json!("wind, temp")), Some(Cause::Order));
    /// assert_eq!(cause(json!(0.25), json!(0.75)), Some(Cause::RandomNumber));
    /// assert_eq!(cause(json!("sunny"), json!("rainy")), None);
    /// ```
    #[must_use]
    pub fn from_values(one: &Value, other: &Value) -> Option<Self> {
        match (one, other) {
            (Value::String(one), Value::String(other)) => from_texts(one, other),
            (Value::Array(one), Value::Array(other)) => {
                let sorted = |list: &[Value]| {
                    let mut list: Vec<String> = list.iter().map(Value::to_string).collect();
                    sort_by(&mut list, String::cmp);
                    list
                };
                (sorted(one) == sorted(other)).then_some(Cause::Order)
            }
            (Value::Number(one), Value::Number(other)) => from_numbers(one.as_f64()?, other.as_f64()?),
            _ => None,
        }
    }
}

fn from_texts(one: &str, other: &str) -> Option<Cause> {
    let words = |text: &str| {
        let split = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut words: Vec<String> = split.map(str::to_owned).collect();
        sort_by(&mut words, String::cmp);
        words
    };
    if mask_timestamps(one) == mask_timestamps(other) {
        return Some(Cause::Timestamp);
    }
    if words(one) == words(other) {
        return Some(Cause::Order);
    }
    (without_ids(one) == without_ids(other)).then_some(Cause::RandomId)
}

/// The text with a mark for each word that is long and has digits, as ids have.
fn without_ids(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let name = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        if name.len() >= ID && name.bytes().any(|byte| byte.is_ascii_digit()) {
            out.push_str("<id>");
            out.push_str(word.get(name.len()..).unwrap_or_default());
        } else {
            out.push_str(word);
        }
    }
    out
}

fn from_numbers(one: f64, other: f64) -> Option<Cause> {
    // Seconds, or milliseconds, since 1970: later than 2001, and not far from each other.
    let is_time = |unit: f64| {
        let moments = (1e12 / unit)..(4.2e12 / unit);
        moments.contains(&one) && moments.contains(&other) && (one - other).abs() < YEARS / unit
    };
    if is_time(1.0) || is_time(1000.0) {
        return Some(Cause::Timestamp);
    }
    (one.fract() != 0.0 && other.fract() != 0.0).then_some(Cause::RandomNumber)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_times_or_drawn_by_chance() {
        let cause = |one: Value, other: Value| Cause::from_values(&one, &other);
        assert_eq!(cause(json!(1_760_000_000_000_u64), json!(1_760_000_123_000_u64)), Some(Cause::Timestamp));
        assert_eq!(cause(json!(1_760_000_000), json!(1_791_536_000)), Some(Cause::Timestamp));
        assert_eq!(cause(json!(72), json!(75)), None);
    }

    #[test]
    fn lists_of_the_same_are_in_another_order() {
        let cause = |one: Value, other: Value| Cause::from_values(&one, &other);
        assert_eq!(cause(json!(["a", 1]), json!([1, "a"])), Some(Cause::Order));
        assert_eq!(cause(json!(["a"]), json!(["b"])), None);
        assert_eq!(cause(json!("a"), json!(["a"])), None);
    }
}
