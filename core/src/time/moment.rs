//! The times of a log: RFC 3339, or numbers since 1970.

use serde_json::Value;

use super::instant::{Instant, from_epoch, read};
use crate::text::float::DECIMAL;

/// A time in the form of a transcript.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub text: String,
    pub instant: Instant,
}

/// The moment in a value of a log; numbers, also as texts, are seconds, milliseconds, microseconds or
/// nanoseconds, by their size, and may have fractions.
pub(crate) fn moment(value: &Value) -> Option<Moment> {
    let text = match value {
        Value::String(text) if is_number(text.trim()) => from_number(text.trim())?,
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => from_number(&DECIMAL.number(number))?,
        _ => return None,
    };
    let instant = read(&text).instant()?;
    Some(Moment { text, instant })
}

/// Whether a text is a number that is large enough for a time; fewer digits are rather a year or a day.
fn is_number(text: &str) -> bool {
    let whole = text.split('.').next().unwrap_or(text);
    whole.len() >= 9 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// The moment of a number. Each unit is a thousand times as fine as the one before it; in seconds, a time before the
/// year 5138 is below the first bound.
fn from_number(number: &str) -> Option<String> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole: i64 = whole.parse().ok()?;
    let digits = match whole.unsigned_abs() {
        0..100_000_000_000 => 9,
        100_000_000_000..100_000_000_000_000 => 6,
        100_000_000_000_000..100_000_000_000_000_000 => 3,
        _ => 0,
    };
    let sign = if number.starts_with('-') { -1 } else { 1 };
    let mut fine = 0_i128;
    for place in 0..digits {
        let digit = fraction.as_bytes().get(place).map_or(0, |byte| i128::from(byte.wrapping_sub(b'0')));
        fine = fine * 10 + digit.min(9);
    }
    let scale = (0..digits).fold(1_i128, |scale, _| scale * 10);
    let nanoseconds = i128::from(whole) * scale + sign * fine;
    let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000)).ok()?;
    let rest = nanoseconds.rem_euclid(1_000_000_000);
    let fraction = match rest % 1_000_000 {
        0 => format!(".{:03}", rest / 1_000_000),
        _ => format!(".{rest:09}"),
    };
    from_epoch(seconds, &fraction)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_moments_by_their_size() {
        for time in [
            json!(1_768_359_600),
            json!(1_768_359_600_000_u64),
            json!(1_768_359_600_000_000_000_u64),
            json!(1_768_359_600.0),
            json!("1768359600"),
            json!("1768359600000"),
            json!(" 1768359600.0 "),
        ] {
            assert_eq!(moment(&time).unwrap().text, "2026-01-14T03:00:00.000Z", "{time}");
        }
        assert_eq!(moment(&json!("2026-01-14T03:00:00Z")).unwrap().text, "2026-01-14T03:00:00Z");
        for no_time in [json!("soon"), json!(null), json!("2026-01-14"), json!("20260114"), json!(u64::MAX)] {
            assert!(moment(&no_time).is_none(), "{no_time}");
        }
    }

    #[test]
    fn fractions_keep_their_digits() {
        for (time, text) in [
            (json!(1_768_359_600.5), "2026-01-14T03:00:00.500Z"),
            (json!("1768359600.123456789"), "2026-01-14T03:00:00.123456789Z"),
            (json!("1768359600123.25"), "2026-01-14T03:00:00.123250000Z"),
            (json!(1_768_359_600_000_000_001_u64), "2026-01-14T03:00:00.000000001Z"),
            (json!(1_768_359_600_000_100_u64), "2026-01-14T03:00:00.000100000Z"),
            (json!(1.5), "1970-01-01T00:00:01.500Z"),
            (json!(-1.5), "1969-12-31T23:59:58.500Z"),
        ] {
            assert_eq!(moment(&time).unwrap().text, text, "{time}");
        }
        let instant = |time| moment(&time).unwrap().instant;
        assert!(instant(json!("1768359600.1")) < instant(json!(1_768_359_600_200_u64)));
    }
}
