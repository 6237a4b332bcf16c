//! Timestamps of RFC 3339, read far enough to be checked and compared.

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Instant {
    /// Seconds since the first day of the year 0, in universal time.
    seconds: i64,
    /// Billionths of a second beyond them.
    nanoseconds: u32,
}

/// The result of reading a text as a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParsedTimestamp {
    /// A moment.
    Moment(Instant),
    /// A date and a time without an offset, so that the moment is not known.
    Local(Instant),
    /// Only a date.
    Date,
    /// No timestamp.
    No,
}

impl ParsedTimestamp {
    /// The moment, in universal time where no offset is known.
    pub(crate) fn instant(self) -> Option<Instant> {
        match self {
            Self::Moment(instant) | Self::Local(instant) => Some(instant),
            Self::Date | Self::No => None,
        }
    }
}

/// Reads a timestamp: section 5.6 of RFC 3339, with a space or small letters allowed as in its notes, and
/// the two shortened forms that people write.
pub(crate) fn read(text: &str) -> ParsedTimestamp {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| digits(bytes.get(from..to)?);
    let is = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
    let date = || {
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        (is(4, b'-') && is(7, b'-') && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day))
            .then(|| days_before(year, month) + day)
    };
    let Some(days) = date() else { return ParsedTimestamp::No };
    if bytes.len() == 10 {
        return ParsedTimestamp::Date;
    }
    let time = || {
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        let separated = matches!(bytes.get(10), Some(b'T' | b't' | b' ')) && is(13, b':') && is(16, b':');
        // The sixtieth second is a leap second.
        (separated && hour < 24 && minute < 60 && second <= 60).then_some(hour * 3600 + minute * 60 + second)
    };
    let Some(seconds) = time() else { return ParsedTimestamp::No };
    let mut at = 19;
    let mut nanoseconds = 0;
    if is(at, b'.') {
        let fraction = bytes.get(20..).unwrap_or_default();
        let count = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return ParsedTimestamp::No;
        }
        let kept = fraction.get(..count.min(9)).and_then(digits).unwrap_or_default();
        nanoseconds = u32::try_from(kept).unwrap_or_default();
        for _ in count..9 {
            nanoseconds = nanoseconds.saturating_mul(10);
        }
        at = 20 + count;
    }
    let moment = |offset: i64| Instant { seconds: days * 86_400 + seconds - offset, nanoseconds };
    match bytes.get(at..) {
        Some([]) => ParsedTimestamp::Local(moment(0)),
        Some([b'Z' | b'z']) => ParsedTimestamp::Moment(moment(0)),
        Some([sign @ (b'+' | b'-'), hours @ .., b':', tens, ones]) if hours.len() == 2 => {
            match (digits(hours), digits(&[*tens, *ones])) {
                (Some(hours), Some(minutes)) if hours < 24 && minutes < 60 => {
                    let offset = hours * 3600 + minutes * 60;
                    ParsedTimestamp::Moment(moment(if *sign == b'-' { -offset } else { offset }))
                }
                _ => ParsedTimestamp::No,
            }
        }
        _ => ParsedTimestamp::No,
    }
}

/// The nanoseconds from the beginning of 1970 to a timestamp, in universal time where it has no offset; negative before
/// 1970. Beyond the years 1678 and 2262, the nearest number there is.
///
/// ```
/// use transcript_core::time::epoch_nanoseconds;
/// assert_eq!(epoch_nanoseconds("1970-01-01T01:00:00.5+01:00"), Some(500_000_000));
/// assert_eq!(epoch_nanoseconds("yesterday"), None);
/// ```
#[must_use]
pub fn epoch_nanoseconds(text: &str) -> Option<i64> {
    read(text).instant().map(Instant::epoch_nanoseconds)
}

impl Instant {
    fn epoch_nanoseconds(self) -> i64 {
        // An instant counts the first day of a month as one, not as zero.
        let seconds = self.seconds - (FIRST_DAY + 1) * 86_400;
        seconds.saturating_mul(1_000_000_000).saturating_add(i64::from(self.nanoseconds))
    }
}

/// The days before the beginning of 1970.
const FIRST_DAY: i64 = 719_528;

/// The moment that many seconds after the beginning of 1970, in RFC 3339 with this fraction of a second, such
/// as `.5`; `None` beyond the year 9999.
pub(crate) fn from_epoch(seconds: i64, fraction: &str) -> Option<String> {
    let (day, rest) = (seconds.div_euclid(86_400) + FIRST_DAY, seconds.rem_euclid(86_400));
    if !(0..3_652_425).contains(&day) {
        return None;
    }
    // No year has more than 366 days, so that this is the year or a few before it.
    let mut year = day / 366;
    while days_before(year + 1, 1) <= day {
        year += 1;
    }
    let month = (1..=12).rev().find(|month| days_before(year, *month) <= day).unwrap_or(1);
    let in_month = day - days_before(year, month) + 1;
    let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
    Some(format!("{year:04}-{month:02}-{in_month:02}T{hours:02}:{minutes:02}:{seconds:02}{fraction}Z"))
}

fn digits(bytes: &[u8]) -> Option<i64> {
    bytes.iter().try_fold(0_i64, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0')))
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days from the first of January of the year 0 to the first of the month.
fn days_before(year: i64, month: i64) -> i64 {
    let leaps = if year == 0 { 0 } else { (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1 };
    year * 365 + leaps + (1..month).map(|month| days_in(year, month)).sum::<i64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Instant {
        match read(text) {
            ParsedTimestamp::Moment(instant) => instant,
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn moments_compare_across_offsets_and_days() {
        assert_eq!(moment("2025-01-13T10:30:00Z"), moment("2025-01-13T12:30:00.000+02:00"));
        assert_eq!(moment("2024-03-01T00:30:00+01:00"), moment("2024-02-29 23:30:00z"));
        assert_eq!(moment("2000-01-01T00:00:00Z").seconds - moment("1999-12-31T23:59:59Z").seconds, 1);
        assert_eq!(
            moment("2001-01-01T00:00:00Z").seconds - moment("2000-01-01T00:00:00Z").seconds,
            366 * 86_400
        );
        assert_eq!(
            moment("1970-01-01T00:00:00Z").seconds - moment("0000-01-01T00:00:00Z").seconds,
            719_528 * 86_400
        );
        assert!(moment("2025-01-13T10:30:00.9Z") > moment("2025-01-13T10:30:00.1234567891Z"));
    }

    #[test]
    fn seconds_since_1970_are_moments() {
        for (seconds, fraction, text) in [
            (0, "", "1970-01-01T00:00:00Z"),
            (1_736_764_205, "", "2025-01-13T10:30:05Z"),
            (1_768_359_600, ".000", "2026-01-14T03:00:00.000Z"),
            (951_782_399, ".999", "2000-02-28T23:59:59.999Z"),
            (951_782_400, "", "2000-02-29T00:00:00Z"),
            (-1, ".999", "1969-12-31T23:59:59.999Z"),
            (253_402_300_799, "", "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(from_epoch(seconds, fraction).as_deref(), Some(text));
            assert!(matches!(read(text), ParsedTimestamp::Moment(_)));
        }
        assert_eq!(from_epoch(253_402_300_800, ""), None);
        assert_eq!(from_epoch(i64::MIN, ""), None);
    }

    #[test]
    fn other_texts_are_no_moments() {
        assert_eq!(read("2025-01-13"), ParsedTimestamp::Date);
        assert!(matches!(read("2025-01-13T10:30:00"), ParsedTimestamp::Local(_)));
        for text in [
            "",
            "soon",
            "2025-13-01T00:00:00Z",
            "2025-02-29",
            "2025-01-13T24:00:00Z",
            "2025-01-13T10:30Z",
            "2025-01-13T10:30:00+2",
            "2025-01-13T10:30:00+25:00",
            "2025-01-13T10:30:00.Z",
            "13.01.2025 10:30:00",
            "2025-01-13T10:30:00 Z",
            "2025-1-3T10:30:00Z",
            "２０２５-01-13",
        ] {
            assert_eq!(read(text), ParsedTimestamp::No, "{text}");
        }
    }
}
