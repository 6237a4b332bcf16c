//! What lets a caller in at a service, which no transcript has.

use serde_json::{Map, Value};

use crate::text::secrets::{Search, is_placeholder};

/// The last words of names whose values let one in.
const WORDS: [&str; 12] = [
    "authorization",
    "apikey",
    "key",
    "auth",
    "token",
    "secret",
    "password",
    "passwd",
    "credential",
    "sig",
    "signature",
    "session",
];
/// What stands for a secret.
const BLANK: &str = "[redacted]";
/// A shorter value is no secret, and may stand anywhere.
const SHORTEST: usize = 8;

/// Whether what is named so lets one in.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let last = name.rsplit(['-', '_', '.']).next().unwrap_or_default();
    let last = last.strip_suffix('s').unwrap_or(last);
    name != "idempotency-key" && (WORDS.contains(&last) || name.ends_with("apikey"))
}

/// The values that let one in, the longest first, since one may hold another.
pub(super) fn of<'h>(headers: impl Iterator<Item = &'h (String, String)>, url: &str) -> Vec<String> {
    let mut found: Vec<&str> = Vec::new();
    for (name, value) in headers {
        match name.as_str() {
            "cookie" | "set-cookie" => found.extend(
                value
                    .split([';', ','])
                    .filter_map(|pair| Some(pair.split_once('=')?.1.trim().trim_matches('"')))
                    .filter(|value| looks_random(value)),
            ),
            name if is_secret(name) => {
                found.push(value);
                found.extend(value.split_once(' ').map(|(_, rest)| rest.trim()));
            }
            _ => {}
        }
    }
    found.extend(query(url).filter(|(name, _)| is_secret(name)).map(|(_, value)| value));
    let is_one = |value: &&str| value.len() >= SHORTEST && !is_placeholder(value) && !is_word(value);
    let mut found: Vec<String> = found.into_iter().filter(is_one).map(str::to_owned).collect();
    crate::text::sort_by_key(&mut found, |value| (usize::MAX - value.len(), value.clone()));
    found.dedup();
    found
}

/// Whether a value is of letters alone, such as `REDACTED` or `**REDACTED**`.
fn is_word(value: &str) -> bool {
    let value = value.strip_prefix("Bearer ").unwrap_or(value);
    value.chars().all(|letter| {
        letter.is_alphabetic() || matches!(letter, '*' | '<' | '>' | '_' | '-' | ' ' | '[' | ']')
    })
}

/// What a cookie says is a setting as often as not: only what looks as no word does is a secret.
fn looks_random(value: &str) -> bool {
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    value.len() >= 24 || value.len() >= 12 && has_digit && has_letter
}

fn query(url: &str) -> impl Iterator<Item = (&str, &str)> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query.split('#').next().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='))
}

/// An address without what lets one in.
pub(super) fn address(url: &str) -> String {
    let mut out = url.to_owned();
    if let Some((scheme, rest)) = url.split_once("://") {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if let Some((_, host)) = host.rsplit_once('@') {
            let behind = rest.find(['/', '?', '#']).and_then(|at| rest.get(at..)).unwrap_or_default();
            out = format!("{scheme}://{host}{behind}");
        }
    }
    let Some((path, _)) = out.split_once('?') else { return out };
    let kept = query(&out).map(|(name, value)| match is_secret(name) {
        true => format!("{name}={BLANK}"),
        false => format!("{name}={value}"),
    });
    format!("{path}?{}", kept.collect::<Vec<_>>().join("&"))
}

/// The same data without secrets that are known.
pub(super) fn blanked(value: Value, secrets: &[String]) -> Value {
    if secrets.is_empty() {
        return value;
    }
    let text = |text: String| {
        secrets.iter().fold(text, |text, secret| match text.contains(secret.as_str()) {
            true => text.replace(secret.as_str(), BLANK),
            false => text,
        })
    };
    match value {
        Value::String(said) => text(said).into(),
        Value::Array(items) => items.into_iter().map(|item| blanked(item, secrets)).collect(),
        Value::Object(entries) => {
            entries.into_iter().map(|(key, item)| (text(key), blanked(item, secrets))).collect()
        }
        other => other,
    }
}

/// The same data without what looks as a secret: of an interaction with a service that is no model nothing is known.
pub(super) fn searched(value: Value, search: &Search) -> Value {
    let cut = |text: String, found: Vec<crate::text::secrets::Secret>| {
        let mut out = text;
        for secret in found.iter().rev() {
            if out.is_char_boundary(secret.start) && out.is_char_boundary(secret.end) {
                out.replace_range(secret.start..secret.end, BLANK);
            }
        }
        out
    };
    match value {
        Value::String(text) => {
            let found = search.find(&text);
            cut(text, found).into()
        }
        Value::Array(items) => items.into_iter().map(|item| searched(item, search)).collect(),
        Value::Object(entries) => {
            let of = |(key, item): (String, Value)| match item {
                Value::String(text) => {
                    let found = search.find_in_value(&key, &text);
                    let text = cut(text, found);
                    (key, Value::String(text))
                }
                other => (key, searched(other, search)),
            };
            Value::Object(entries.into_iter().map(of).collect::<Map<String, Value>>())
        }
        other => other,
    }
}

/// The same data without headers.
pub(super) fn without_headers(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(without_headers).collect(),
        Value::Object(entries) => {
            let kept = entries.into_iter().filter(|(key, _)| !is_headers(key));
            Value::Object(kept.map(|(key, value)| (key, without_headers(value))).collect())
        }
        other => other,
    }
}

/// Whether a key is one under which headers stand.
fn is_headers(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    key.ends_with("headers") || key == "cookies"
}

/// A piece of a cassette that could not be read, without its headers: which of them let one in cannot be told there.
pub(super) fn unheaded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // How far to the right the headers that are left out begin.
    let mut inside: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start_matches([' ', '-']);
        let indent = line.len() - rest.len();
        if let Some(of) = inside {
            let is_in =
                indent > of || rest.trim().is_empty() || (indent == of && line.trim_start().starts_with('-'));
            if is_in {
                continue;
            }
            inside = None;
        }
        let name = rest.split(':').next().unwrap_or_default().trim_matches(['"', ' ']).to_ascii_lowercase();
        if is_headers(&name) {
            inside = Some(indent);
            continue;
        }
        out.push_str(line);
    }
    match out.to_ascii_lowercase().contains("headers\"") {
        true => "[left out, since it has headers]".to_owned(),
        false => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_one_in_is_found_by_its_name() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let headers = [
            header("authorization", "Bearer sk-q7Zr2mKd91xT"),
            header("x-api-key", "short"),
            header("openai-organization", "acme-corporation-1"),
            header("cookie", "theme=dark-mode-on; sid=a1b2c3d4e5f6g7"),
            header("x-goog-api-key", "**REDACTED**"),
        ];
        let found = of(headers.iter(), "https://x.test/v1?key=AIzaSyA-123&alt=sse");
        assert_eq!(found, ["Bearer sk-q7Zr2mKd91xT", "sk-q7Zr2mKd91xT", "a1b2c3d4e5f6g7", "AIzaSyA-123"]);
        let address = address("https://user:pass@x.test/v1?key=AIzaSyA-123&alt=sse");
        assert_eq!(address, "https://x.test/v1?key=[redacted]&alt=sse");
        assert_eq!(super::address("https://x.test/a@b"), "https://x.test/a@b");
    }
}
