//! Ids of events.

use std::fmt;

/// A UUID as a number, with the order of its text in lower case.
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
        // Halves, since a shift of 128 bits takes many wasm instructions.
        let (mut high, mut low) = (0_u64, 0_u64);
        for (at, byte) in bytes.iter().enumerate() {
            if matches!(at, 8 | 13 | 18 | 23) {
                if *byte != b'-' {
                    return None;
                }
                continue;
            }
            let digit = match byte {
                b'0'..=b'9' => byte - b'0',
                b'a'..=b'f' => byte - b'a' + 10,
                b'A'..=b'F' => byte - b'A' + 10,
                _ => return None,
            };
            let half = if at < 18 { &mut high } else { &mut low };
            *half = *half << 4 | u64::from(digit);
        }
        Some(Self(u128::from(high) << 64 | u128::from(low)))
    }

    /// Appends its text in lower case. A trace of a million events writes two million of them.
    pub(crate) fn push_to(self, out: &mut String) {
        let mut text = *b"00000000-0000-0000-0000-000000000000";
        // Halves, since a shift of 128 bits takes many wasm instructions.
        let (high, low) = ((self.0 >> 64) as u64, self.0 as u64);
        let mut left = 32_u32;
        for place in &mut text {
            if *place == b'-' {
                continue;
            }
            left -= 1;
            let half = if left >= 16 { high } else { low };
            let digit = (half >> (left % 16 * 4) & 0xf) as u8;
            *place = if digit < 10 { b'0' + digit } else { b'a' - 10 + digit };
        }
        out.push_str(std::str::from_utf8(&text).unwrap_or_default());
    }

    /// Whether it is marked as version 4, which is made of random bits.
    #[must_use]
    pub fn is_random(self) -> bool {
        self.0 >> 76 & 0xf == 4 && self.0 >> 62 & 3 == 2
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(36);
        self.push_to(&mut text);
        f.write_str(&text)
    }
}
