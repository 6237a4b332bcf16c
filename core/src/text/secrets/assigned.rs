//! Values that a name such as `password` is given: `password=...`, `"api_key": "..."`.

use super::placeholder::{is_mark, is_placeholder, is_random};
use super::{Search, Secret, SecretKind, run};

/// The names whose values are secrets, whatever stands before them: `db_password` is a `password`.
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
/// use transcript_core::text::secrets::names;
/// assert_eq!(names("X-Api-Key"), "xapikey");
/// ```
#[must_use]
pub fn names(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).map(|c| c.to_ascii_lowercase()).collect()
}

/// What stands behind a name.
pub(super) enum Assigned {
    /// No secret.
    No,
    /// A secret.
    Value { start: usize, end: usize },
    /// A value that begins with the name of a scheme.
    Scheme { start: usize },
}

/// The longest name that is looked at.
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
    let folded = names(name);
    let is_named = search.names.iter().any(|known| folded.ends_with(known.as_str()));
    // `token` alone is often a page or a word of a model.
    if !is_named && !folded.ends_with("token") {
        return Assigned::No;
    }
    let at = blanks(behind + 1);
    let quote = Some(byte(quote_at(at))).filter(|byte| matches!(byte, b'"' | b'\''));
    let start = if quote.is_some() { quote_at(at) + 1 } else { at };
    let mut length = 0;
    let end = run(text, start, |byte| {
        length += 1;
        length <= if quote.is_some() { QUOTED } else { BARE }
            && match quote {
                Some(quote) => byte != quote && byte != b'\\' && byte != b'\n',
                None => !byte.is_ascii_whitespace() && !b",;&(){}[]\"'<>\\|`".contains(&byte),
            }
    });
    let Some(value) = text.get(start..end) else { return Assigned::No };
    let lower = value.get(..7).unwrap_or(value).to_ascii_lowercase();
    if lower.starts_with("bearer") || lower.starts_with("basic ") {
        return Assigned::Scheme { start };
    }
    let closed = quote.is_none_or(|quote| byte(quote_at(end)) == quote);
    let plain = search.thorough && is_named && quote.is_some() && closed && !is_mark(value.trim());
    let telling = !value.contains(' ') && is_random(value, 8) && !is_code(value);
    if plain || telling { Assigned::Value { start, end } } else { Assigned::No }
}

/// Whether the value is read from elsewhere by a program.
fn is_code(value: &str) -> bool {
    is_placeholder(value)
        || ["process.env", "os.environ", "env.", "://"].iter().any(|part| value.contains(part))
}

/// The secrets of a text that stands as the value of `key`: those of [`Search::find`] and, when the key
/// is one of the names, the whole text.
pub(super) fn of_key(search: &Search, key: &str, text: &str) -> Vec<Secret> {
    let mut found = search.find(text);
    let folded = names(key);
    if !search.kinds.contains(&SecretKind::Password)
        || !search.names.iter().any(|name| folded.ends_with(name.as_str()))
    {
        return found;
    }
    let mut value = text.trim();
    for scheme in ["bearer ", "basic "] {
        if value.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme)) {
            value = value.get(scheme.len()..).unwrap_or("").trim_start();
        }
    }
    let start = text.trim_end().len() - value.len();
    let end = start + value.len();
    let is_told = found.iter().any(|secret| (secret.start, secret.end) == (start, end));
    let fits = if search.thorough { !is_mark(value) } else { !value.contains(' ') && is_random(value, 8) };
    if fits && !is_told {
        found = vec![Secret { start, end, kind: SecretKind::Password }];
    }
    found
}
