//! Values assigned to a name such as `password`: `password=...`, `"api_key": "..."`.

use super::placeholder::{is_mark, is_placeholder, is_random};
use super::{Search, Secret, SecretKind, run};

/// The names of secrets, with any prefix: `db_password` is a `password`.
pub const NAMES: [&str; 18] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "api_key",
    "access_key",
    "secret_key",
    "private_key",
    "client_secret",
    "access_token",
    "auth_token",
    "refresh_token",
    "session_token",
    "bearer_token",
    "authorization",
    "cookie",
    "set_cookie",
];

/// A name as names are compared: in lower case, without hyphens, underscores and blanks.
///
/// ```
/// use transcript_core::secrets::normalize_name;
/// assert_eq!(normalize_name("X-Api-Key"), "xapikey");
/// ```
#[must_use]
pub fn normalize_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether the normalized name may end with one of these, judged by the last letter: most names end in
/// another.
fn may_end_with<N: AsRef<str>>(name: &str, known: impl IntoIterator<Item = N>) -> bool {
    let last = name.bytes().rev().find(|byte| !matches!(byte, b'-' | b'_' | b' '));
    let last = last.map(|byte| byte.to_ascii_lowercase());
    known.into_iter().any(|known| known.as_ref().bytes().next_back().is_none_or(|byte| Some(byte) == last))
}

/// What follows a name.
pub(super) enum Assigned {
    /// No secret.
    No,
    /// A secret.
    Value { start: usize, end: usize },
    /// A value that begins with the name of a scheme.
    Scheme { start: usize },
}

/// The longest name that is examined.
const LONGEST: usize = 64;
/// The longest value in quotes.
const QUOTED: usize = 4096;
/// The longest value without: nothing but blanks ends it, so that a text of nothing but names is read this
/// often over.
const BARE: usize = 256;

/// The value behind `name`, which ends at `end`.
pub(super) fn after(text: &str, name: &str, end: usize, search: &Search) -> Assigned {
    if name.len() > LONGEST {
        return Assigned::No;
    }
    let byte = |at: usize| text.as_bytes().get(at).copied().unwrap_or(0);
    let blanks = |at: usize| run(text, at, |byte| byte == b' ');
    // In JSON text inside a string, quotes may be escaped.
    let quote_at = |at: usize| at + usize::from(byte(at) == b'\\' && matches!(byte(at + 1), b'"' | b'\''));
    let quoted_name = matches!(byte(quote_at(end)), b'"' | b'\'');
    let behind = blanks(if quoted_name { quote_at(end) + 1 } else { end });
    if !matches!(byte(behind), b'=' | b':') {
        return Assigned::No;
    }
    if !may_end_with(name, ["token"]) && !may_end_with(name, &search.names) {
        return Assigned::No;
    }
    let folded = normalize_name(name);
    let is_named = search.names.iter().any(|known| folded.ends_with(known.as_str()));
    // `token` alone often refers to a page or to a model's tokens.
    if !is_named && !folded.ends_with("token") {
        return Assigned::No;
    }
    let at = blanks(behind + 1);
    let quote = Some(byte(quote_at(at))).filter(|byte| matches!(byte, b'"' | b'\''));
    let Some(quote) = quote else {
        return bare(text, &folded, Bare { name_at: end - name.len(), sign: behind, at, is_named }, search);
    };
    let start = quote_at(at) + 1;
    let end = closing(text, start, quote, quote_at(at) > at);
    let Some(value) = text.get(start..end) else { return Assigned::No };
    if is_scheme(text, start) {
        return Assigned::Scheme { start };
    }
    let closed = byte(quote_at(end)) == quote;
    let plain = search.thorough && is_named && closed && !is_mark(value.trim());
    let looks_secret = !value.contains(' ') && is_random(value, 8) && !is_code(value);
    if plain || looks_secret { Assigned::Value { start, end } } else { Assigned::No }
}

/// The end of a text in quotes that begins at `start`. In JSON text the escapes belong to it; if its
/// quotes are escaped, so are its escapes.
fn closing(text: &str, start: usize, quote: u8, escaped: bool) -> usize {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(b'\n');
    let mut at = start;
    while at < start + QUOTED && byte(at) != b'\n' && byte(at) != quote {
        at += match (byte(at), byte(at + 1)) {
            (b'\\', b'\\') if escaped => 2 + if byte(at + 2) == b'\\' { 2 } else { 1 },
            (b'\\', next) if escaped && next == quote => break,
            (b'\\', next) if next != b'\n' => 2,
            _ => 1,
        };
    }
    text.floor_char_boundary(at)
}

/// The place of a value without quotes.
struct Bare {
    name_at: usize,
    /// The `=` or `:`.
    sign: usize,
    at: usize,
    is_named: bool,
}

/// A value without quotes.
fn bare(text: &str, folded: &str, place: Bare, search: &Search) -> Assigned {
    let Bare { name_at, sign, at: mut start, is_named } = place;
    let bytes = text.as_bytes();
    let mut end = bare_end(text, start);
    if is_scheme(text, start) {
        let word = text.get(start..end).unwrap_or("");
        if !search.thorough
            || !folded.ends_with("authorization")
            || super::scheme::after(text, word, end).is_some()
        {
            return Assigned::Scheme { start };
        }
    }
    if search.thorough && folded.ends_with("authorization") {
        // The name of a scheme is no secret.
        let next = run(text, end, |byte| byte == b' ');
        let next_end = bare_end(text, next);
        if next > end && is_scheme_name(text.get(start..end).unwrap_or("")) && next_end > next {
            (start, end) = (next, next_end);
        }
    }
    // A sentence may end after it.
    let value = text.get(start..end).unwrap_or("").trim_end_matches(['.', '?', ':']);
    if is_random(value, 8) && !is_code(value) {
        return Assigned::Value { start, end: start + value.len() };
    }
    // Before a bracket, it is a call or a variable in braces.
    let is_built = matches!(bytes.get(end), Some(b'(' | b'[' | b'{' | b'<' | b'`' | b'"' | b'\''));
    if !search.thorough || !is_named || is_built {
        return Assigned::No;
    }
    let in_map = bytes.get(sign) == Some(&b':') && is_in_map(text, name_at);
    if in_map {
        end = run(text, start, |byte| !b",{}[]\"'\n<>`".contains(&byte));
        if !matches!(bytes.get(end), Some(b',' | b'}')) {
            return Assigned::No;
        }
    }
    let value = text.get(start..end).unwrap_or("");
    let value = value.trim_end_matches(['.', '?', ':', ' ']);
    let end = start + value.len();
    let reads_elsewhere =
        ["process.env", "os.environ", "env.", "://"].iter().any(|part| value.contains(part));
    if is_mark(value) || reads_elsewhere || matches!(value, "null" | "None" | "~" | "..." | "\u{2026}") {
        return Assigned::No;
    }
    let fits = match bytes.get(sign) {
        _ if in_map => true,
        Some(b'=') => !value.starts_with('='),
        _ => is_likely_password(value, text.get(end..).unwrap_or("")),
    };
    if fits { Assigned::Value { start, end } } else { Assigned::No }
}

fn bare_end(text: &str, start: usize) -> usize {
    let mut length = 0;
    let end = run(text, start, |byte| {
        length += 1;
        length <= BARE && !byte.is_ascii_whitespace() && !b",;&(){}[]\"'<>\\|`".contains(&byte)
    });
    text.floor_char_boundary(end)
}

fn is_scheme(text: &str, start: usize) -> bool {
    let head = text.get(start..start + 6).unwrap_or("").to_ascii_lowercase();
    head == "bearer" || head == "basic "
}

fn is_scheme_name(word: &str) -> bool {
    ["bearer", "basic", "token", "digest", "apikey"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// The most bytes before a name among which the brace of its map is looked for.
const BEFORE: usize = 256;

/// Whether the name at `at` is a key in braces, as in `{user: ann, password: x}`.
fn is_in_map(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(at.saturating_sub(BEFORE)..at).unwrap_or_default();
    let mut signs = before.iter().rev();
    let last = signs.clone().find(|byte| **byte != b' ');
    matches!(last, Some(b'{' | b','))
        && signs.find(|byte| matches!(byte, b'{' | b'}' | b'\n')).is_some_and(|byte| *byte == b'{')
}

/// Words of eight letters and more that may follow in a sentence about a password.
const COMMON: [&str; 26] = [
    "required",
    "optional",
    "incorrect",
    "something",
    "anything",
    "whatever",
    "password",
    "protected",
    "accepted",
    "rejected",
    "disabled",
    "mandatory",
    "forgotten",
    "unchanged",
    "undefined",
    "generate",
    "generated",
    "encrypted",
    "characters",
    "minimum",
    "available",
    "expired",
    "redacted",
    "unknown",
    "supported",
    "remember",
];

/// Whether the text after `password:` in prose is likely a password: it has at least four characters with a digit, or
/// at least eight characters, ends its clause, and is no common word.
fn is_likely_password(value: &str, rest: &str) -> bool {
    let length = value.chars().count();
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let next = rest.trim_start_matches(['.', '?', ' ']);
    let ends = next.is_empty()
        || next.starts_with(['\n', ',', ';', '}', ')', ']', '\\', '|', '&'])
        || rest.starts_with(". ");
    let is_common = COMMON.iter().any(|word| value.eq_ignore_ascii_case(word));
    (has_digit && length >= 4) || (length >= 8 && ends && !is_common)
}

/// Whether the value is read from elsewhere by a program.
fn is_code(value: &str) -> bool {
    is_placeholder(value)
        || ["process.env", "os.environ", "env.", "://"].iter().any(|part| value.contains(part))
}

/// The secrets of a text that is the value of `key`: those of [`Search::find`] and, when the key is one
/// of the names, the whole text.
pub(super) fn find_in_value(search: &Search, key: &str, text: &str) -> Vec<Secret> {
    let mut found = search.find(text);
    if !search.kinds.contains(&SecretKind::Password) || !may_end_with(key, &search.names) {
        return found;
    }
    let folded = normalize_name(key);
    if !search.names.iter().any(|name| folded.ends_with(name.as_str())) {
        return found;
    }
    let mut value = text.trim();
    for scheme in ["bearer ", "basic ", "token "] {
        if value.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme)) {
            value = value.get(scheme.len()..).unwrap_or("").trim_start();
        }
    }
    let start = text.trim_end().len() - value.len();
    let end = start + value.len();
    let is_found = found.iter().any(|secret| (secret.start, secret.end) == (start, end));
    let fits = if search.thorough { !is_mark(value) } else { !value.contains(' ') && is_random(value, 8) };
    if fits && !is_found {
        found = vec![Secret { start, end, kind: SecretKind::Password }];
    }
    found
}
