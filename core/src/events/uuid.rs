//! Ids of events.

use std::fmt;

/// A UUID as a number, whose order is that of its text in lower case.
///
/// ```
/// use transcript_core::events::Uuid;
/// let id = Uuid::new("1C2442F9-298C-43A5-B0CC-EC313571810A").unwrap();
/// assert_eq!(id.to_string(), "1c2442f9-298c-43a5-b0cc-ec313571810a");
/// assert!(id.is_random() && Uuid::new("not-a-uuid").is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Uuid(pub u128);

impl Uuid {
    /// Reads five groups of hexadecimal digits, in any case, with dashes between them.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() != 36 {
            return None;
        }
        let mut number = 0;
        for (at, byte) in bytes.iter().enumerate() {
            if matches!(at, 8 | 13 | 18 | 23) {
                if *byte != b'-' {
                    return None;
                }
                continue;
            }
            number = number << 4 | u128::from(char::from(*byte).to_digit(16)?);
        }
        Some(Self(number))
    }

    /// Whether it is marked as version 4, which is made of random bits.
    #[must_use]
    pub fn is_random(self) -> bool {
        self.0 >> 76 & 0xf == 4 && self.0 >> 62 & 3 == 2
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Digit by digit: a trace of a million events writes three million of them.
        let mut text = String::with_capacity(36);
        for at in 0..32_u32 {
            if matches!(at, 8 | 12 | 16 | 20) {
                text.push('-');
            }
            let digit = u32::try_from(self.0 >> ((31 - at) * 4) & 0xf).unwrap_or(0);
            text.push(char::from_digit(digit, 16).unwrap_or('0'));
        }
        f.write_str(&text)
    }
}
