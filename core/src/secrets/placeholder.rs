//! Values in the place of a secret that are none.

/// Words that no real secret holds but by a rare chance.
const WORDS: [&str; 12] = [
    "example",
    "placeholder",
    "redacted",
    "your",
    "xxxx",
    "dummy",
    "changeme",
    "change-me",
    "change_me",
    "insert",
    "replace",
    "sample",
];

/// Whether `value` is plainly no secret: a mark in brackets, a variable, a word such as `YOUR_KEY`, one
/// character over and over, or letters and digits in their order.
///
/// ```
/// use transcript_core::secrets::is_placeholder;
/// assert!(is_placeholder("<secret-1>") && is_placeholder("xxxxxxxxxxxx") && is_placeholder("abcdefgh12345678"));
/// assert!(!is_placeholder("q7Zr2mKd91xT"));
/// ```
#[must_use]
pub fn is_placeholder(value: &str) -> bool {
    if value.is_empty()
        || value.starts_with(['<', '$', '%', '*'])
        || value.starts_with("{{")
        || value.contains("...")
        || value.contains('…')
    {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    WORDS.iter().any(|word| lower.contains(word)) || is_monotonous(lower.as_bytes())
}

/// Whether `value` is a mark or a variable from its first character to its last: `<...>`, `${X}`, `$X`,
/// `%X%`, `%s`, `{{ x }}`, `***`. A password may begin like one.
pub(super) fn is_mark(value: &str) -> bool {
    let between = |head: &str, tail: &str| value.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(super::is_word);
    let is_constant = |name: &str| {
        is_name(name)
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && !name.bytes().any(|byte| byte.is_ascii_lowercase())
    };
    value.is_empty()
        || matches!(value, "%s" | "%d")
        || value.chars().all(|c| c == '*' || c == '\u{2022}')
        || between("<", ">").is_some_and(|inner| !inner.contains(['<', '>']))
        || between("${", "}").is_some_and(|inner| !inner.contains(['{', '}']))
        || between("{{", "}}").is_some()
        || between("%", "%").is_some_and(is_name)
        || value.strip_prefix('$').is_some_and(is_constant)
}

/// Whether few characters repeat, or most follow their neighbour in the alphabet.
fn is_monotonous(bytes: &[u8]) -> bool {
    let steps = bytes.iter().zip(bytes.iter().skip(1));
    let even = steps.filter(|(a, b)| b.wrapping_sub(**a) <= 1).count();
    let mut seen = [false; 128];
    for byte in bytes {
        if let Some(mark) = seen.get_mut(usize::from(byte & 127)) {
            *mark = true;
        }
    }
    let distinct = seen.iter().filter(|mark| **mark).count();
    (bytes.len() >= 6 && even * 10 > bytes.len() * 6) || (bytes.len() >= 12 && distinct < 5)
}

/// Whether `value` looks random: at least `least` characters, letters and digits among them.
pub(super) fn is_random(value: &str, least: usize) -> bool {
    value.len() >= least
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && !is_placeholder(value)
}
