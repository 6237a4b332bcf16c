//! Points in time in texts.

/// The text with every point in time in ISO 8601 (`2025-11-20T10:00:00.123Z`, or a date and a time with a
/// blank between them) replaced by `<time>`.
pub(crate) fn mask_timestamps(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, here) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let length = match instant(here.as_bytes()) {
            Some(length) => {
                out.push_str("<time>");
                length
            }
            None => {
                let digits = here.bytes().take_while(u8::is_ascii_digit).count();
                out.push_str(here.get(..digits).unwrap_or(""));
                digits
            }
        };
        rest = here.get(length..).unwrap_or("");
    }
    out.push_str(rest);
    out
}

/// The length of the point in time at the beginning, if there is one: to the minute at least.
fn instant(text: &[u8]) -> Option<usize> {
    let at = shape(text, 0, b"dddd-dd-dd")?;
    let (month, day) = (pair(text, 5)?, pair(text, 8)?);
    let at = match text.get(at) {
        Some(b'T' | b't' | b' ') => shape(text, at + 1, b"dd:dd")?,
        _ => return None,
    };
    let (hour, minute) = (pair(text, 11)?, pair(text, 14)?);
    // No calendar and no clock has others, so that these digits mean something else.
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 24 || minute > 59 {
        return None;
    }
    let mut at = shape(text, at, b":dd").unwrap_or(at);
    if let Some(b'.' | b',') = text.get(at)
        && let digits @ 1.. = digits(text, at + 1)
    {
        at += 1 + digits;
    }
    let zone = match text.get(at) {
        Some(b'Z' | b'z') => Some(at + 1),
        Some(b'+' | b'-') => shape(text, at + 1, b"dd:dd").or_else(|| shape(text, at + 1, b"dddd")),
        _ => None,
    };
    let end = zone.unwrap_or(at);
    // A longer number is something else.
    (!text.get(end).is_some_and(u8::is_ascii_digit)).then_some(end)
}

/// The number that two digits at `from` write.
fn pair(text: &[u8], from: usize) -> Option<u8> {
    let [tens, ones] = text.get(from..)?.first_chunk::<2>()?;
    tens.checked_sub(b'0')?.checked_mul(10)?.checked_add(ones.checked_sub(b'0')?)
}

fn digits(text: &[u8], from: usize) -> usize {
    text.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Where the text at `from` ends that has this shape, `d` standing for a digit.
fn shape(text: &[u8], from: usize, shape: &[u8]) -> Option<usize> {
    let found = text.get(from..from + shape.len())?;
    let fits = |(found, wanted): (&u8, &u8)| match wanted {
        b'd' => found.is_ascii_digit(),
        other => found == other,
    };
    found.iter().zip(shape).all(fits).then_some(from + shape.len())
}

#[cfg(test)]
mod tests {
    use super::mask_timestamps;

    #[test]
    fn points_in_time_are_distinguished_from_other_numbers() {
        for (text, expected) in [
            ("at 2025-11-20T10:00:00Z.", "at <time>."),
            ("2025-11-20 10:00 and 2025-11-20T10:00:00.123+02:00", "<time> and <time>"),
            ("2025-11-20", "2025-11-20"),
            ("call 12345-67-89T", "call 12345-67-89T"),
            ("9999-99-99T99:99", "9999-99-99T99:99"),
            ("2025-13-01 10:00", "2025-13-01 10:00"),
            ("2025-12-31 10:60", "2025-12-31 10:60"),
            ("2025-12-31T24:00", "<time>"),
            ("ü2025-11-20T10:00:00,5Zü", "ü<time>ü"),
            ("12025-11-20T10:00", "12025-11-20T10:00"),
        ] {
            assert_eq!(mask_timestamps(text), expected, "{text}");
        }
    }
}
