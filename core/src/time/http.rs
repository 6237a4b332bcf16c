//! The date of an HTTP message.

/// A date of HTTP headers, converted to RFC 3339.
pub(crate) fn http_to_rfc3339(text: &str) -> Option<String> {
    let rest = text.trim().split_once(", ")?.1.strip_suffix(" GMT")?;
    let mut words = rest.split(' ').filter(|word| !word.is_empty());
    let (day, month, year, time) = (words.next()?, words.next()?, words.next()?, words.next()?);
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = time.len() == 8 && time.split(':').count() == 3 && time.split(':').all(is_number);
    (is_number(day) && is_number(year) && year.len() == 4 && day.len() <= 2 && is_time)
        .then(|| format!("{year}-{month:02}-{day:0>2}T{time}Z"))
}

#[cfg(test)]
mod tests {
    use super::http_to_rfc3339;

    #[test]
    fn the_example_of_the_standard() {
        // RFC 9110, section 5.6.7.
        assert_eq!(http_to_rfc3339("Sun, 06 Nov 1994 08:49:37 GMT").as_deref(), Some("1994-11-06T08:49:37Z"));
        for other in ["", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994", "2026-01-01T00:00:00Z"] {
            assert_eq!(http_to_rfc3339(other), None, "{other}");
        }
    }
}
