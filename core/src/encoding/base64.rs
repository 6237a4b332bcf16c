//! Base64 without padding, so that both spellings are equal.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as base64 with the standard digits of RFC 4648 and without padding.
///
/// ```
/// assert_eq!(transcript_core::encoding::base64::encode(b"Hi"), "SGk");
/// ```
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..=chunk.len() {
            let index = (bits >> (18 - 6 * digit)) & 63;
            out.push(DIGITS.get(index as usize).copied().map_or('A', char::from));
        }
    }
    out
}

/// Base64 as [`encode`] writes it: no padding, no blanks, the standard digits.
pub(crate) fn clean(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_ascii_whitespace() && *c != '=');
    kept.map(|c| match c {
        '-' => '+',
        '_' => '/',
        c => c,
    })
    .collect()
}

/// Decodes base64 in both alphabets, with blanks and with or without padding.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' | b' ' | b'\t' | b'\r' | b'\n' => continue,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count & 0xff) as u8);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 4648, section 10, without their padding.
    #[test]
    fn the_examples_of_the_standard() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
        }
        assert_eq!(encode(&[0xfb, 0xff]), clean("-_8=\n"));
    }

    #[test]
    fn base64_is_read_with_and_without_padding() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8", "fo"), ("Zm9v\nYmFy", "foobar")] {
            assert_eq!(decode(text).unwrap(), bytes.as_bytes());
        }
        assert_eq!(decode("-_8=").unwrap(), [0xfb, 0xff]);
        assert!(decode("a!").is_none());
    }
}
