//! Base64 without padding, so that both habits compare as the same.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as base64 with the standard digits of RFC 4648 and without padding.
///
/// ```
/// assert_eq!(transcript_core::text::base64(b"Hi"), "SGk");
/// ```
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
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

/// Base64 as [`base64`] writes it: no padding, no blanks, the standard digits.
pub(crate) fn clean_base64(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_ascii_whitespace() && *c != '=');
    kept.map(|c| match c {
        '-' => '+',
        '_' => '/',
        c => c,
    })
    .collect()
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
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff]), clean_base64("-_8=\n"));
    }
}
