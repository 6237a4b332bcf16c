//! Numbers for people.

/// A number with a comma between thousands.
///
/// ```
/// use transcript_core::text::grouped;
/// assert_eq!(grouped(1_234_567), "1,234,567");
/// assert_eq!(grouped(999), "999");
/// ```
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
