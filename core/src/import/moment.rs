//! The times of a log: RFC 3339, or numbers since 1970.

use serde_json::Value;

use crate::validate::instant::{Instant, Read, of_epoch, read};

/// A time as a transcript has it.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub text: String,
    pub instant: Instant,
}

/// The moment that a value of a log tells; numbers are seconds, milliseconds, microseconds or nanoseconds, by their
/// size.
pub(super) fn moment(value: &Value) -> Option<Moment> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => of_epoch(milliseconds(number.as_i64()?))?,
        _ => return None,
    };
    match read(&text) {
        Read::Moment(instant) | Read::Local(instant) => Some(Moment { text, instant }),
        Read::Date | Read::No => None,
    }
}

/// Each unit is a thousand times as fine as the one before it; in seconds, a time before the year 5138 is below the
/// first bound.
fn milliseconds(number: i64) -> i64 {
    match number.unsigned_abs() {
        0..100_000_000_000 => number.saturating_mul(1000),
        100_000_000_000..100_000_000_000_000 => number,
        100_000_000_000_000..100_000_000_000_000_000 => number / 1000,
        _ => number / 1_000_000,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_moments_by_their_size() {
        for time in [json!(1_768_359_600), json!(1_768_359_600_000_u64), json!(1_768_359_600_000_000_000_u64)]
        {
            assert_eq!(moment(&time).unwrap().text, "2026-01-14T03:00:00.000Z");
        }
        assert_eq!(moment(&json!("2026-01-14T03:00:00Z")).unwrap().text, "2026-01-14T03:00:00Z");
        for no_time in [json!("soon"), json!(null), json!(1.5), json!("2026-01-14"), json!(u64::MAX)] {
            assert!(moment(&no_time).is_none(), "{no_time}");
        }
    }
}
