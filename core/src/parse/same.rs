//! When two pieces of data are the same: `1` and `1.0` are, and the order of keys does not count. A number
//! equals the text of a number that 64 bits cannot hold, if it is the nearest one: some readers keep the
//! text, others the number.

use serde_json::{Number, Value};

use super::exact::is_nearest;

/// Whether two values are the same data.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (Value::String(text), Value::Number(number)) | (Value::Number(number), Value::String(text)) => {
            is_nearest(number, text)
        }
        _ => a == b,
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a == b && a.abs() < 9_007_199_254_740_992.0)
}

/// The path to the first difference of two values, such as `.city[2]`; `None` when they are the same.
pub(crate) fn difference(a: &Value, b: &Value) -> Option<String> {
    match (a, b) {
        (Value::Object(left), Value::Object(right)) => {
            let lost = right.keys().find(|key| !left.contains_key(*key));
            let entries = left.iter();
            let mut found = entries.filter_map(|(key, a)| {
                let rest = right.get(key).map_or(Some(String::new()), |b| difference(a, b))?;
                Some(format!(".{key}{rest}"))
            });
            found.next().or_else(|| lost.map(|key| format!(".{key}")))
        }
        (Value::Array(left), Value::Array(right)) => {
            let mut pairs = left.iter().zip(right).enumerate();
            let found = pairs.find_map(|(at, (a, b))| Some(format!("[{at}]{}", difference(a, b)?)));
            let shorter = left.len().min(right.len());
            found.or_else(|| (left.len() != right.len()).then(|| format!("[{shorter}]")))
        }
        _ => (!same(a, b)).then(String::new),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let way = |a, b| difference(&a, &b);
        assert_eq!(way(json!({"a": 1, "b": 2}), json!({"b": 2.0, "a": 1})), None);
        assert_eq!(way(json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 3}]})).unwrap(), ".a[1].b");
        assert_eq!(way(json!({}), json!({"c": 3})).unwrap(), ".c");
        assert_eq!(way(json!([1]), json!([1, 2])).unwrap(), "[1]");
        assert_eq!(way(json!("1"), json!(1)).unwrap(), "");
        assert!(same(&json!("12345678901234567890123"), &json!(12_345_678_901_234_567_890_123_f64)));
        assert!(!same(&json!("12345678901234567890123"), &json!(12_345_678_901_234_999_999_999_f64)));
        assert!(same(&json!({"a": "0.1234567890123456789"}), &json!({"a": 0.123_456_789_012_345_68})));
        assert!(same(&json!("1e-400"), &json!(0.0)));
        assert!(!same(&json!("0.5"), &json!(0.5)) && !same(&json!("0"), &json!(0.0)));
        assert!(!same(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992.0)));
    }
}
