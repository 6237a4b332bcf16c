//! What follows `Bearer` and `Basic`.

use super::placeholder::is_random;
use super::{Secret, SecretKind, Step, run};

/// The credentials after `word`, which ends at `end`, if that is the name of a scheme.
pub(super) fn after(text: &str, word: &str, end: usize) -> Option<Step> {
    let is_bearer = word.eq_ignore_ascii_case("bearer");
    if !is_bearer && !word.eq_ignore_ascii_case("basic") {
        return None;
    }
    let start = run(text, end, |byte| byte == b' ');
    if start == end {
        return None;
    }
    let stop = run(text, start, |byte| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte));
    let token = text.get(start..stop)?.trim_end_matches('.');
    // A token of a known shape is reported with its own kind.
    let own_shape =
        super::shape::match_shape(text, start, run(text, start, super::is_word_or_hyphen)).is_some();
    let fits = if is_bearer { is_random(token, 16) } else { is_pair(token) };
    let secret = Secret { start, end: start + token.len(), kind: SecretKind::Authorization };
    (fits && !own_shape).then_some(Step::Found(secret))
}

/// Whether `token` is base64 of a name, a colon and a password.
fn is_pair(token: &str) -> bool {
    let digits = token.trim_end_matches('=');
    let (mut bits, mut count, mut colon) = (0_u32, 0, false);
    for byte in digits.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return false,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            let decoded = (bits >> count) & 0xff;
            if !(0x20..0x7f).contains(&decoded) {
                return false;
            }
            colon |= decoded == u32::from(b':');
        }
    }
    digits.len() >= 8 && colon
}
