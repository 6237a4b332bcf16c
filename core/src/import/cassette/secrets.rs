//! Credentials, which no transcript has.

use serde_json::Value;

use super::super::secrets::{BLANK, looks_secret};

/// The last words of the names of credentials.
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
/// Whether this is the name of a credential.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let last = name.rsplit(['-', '_', '.']).next().unwrap_or_default();
    let last = last.strip_suffix('s').unwrap_or(last);
    name != "idempotency-key" && (WORDS.contains(&last) || name.ends_with("apikey"))
}

/// The credentials, the longest first, since one may contain another.
pub(super) fn collect_secrets<'h>(
    headers: impl Iterator<Item = &'h (String, String)>,
    url: &str,
) -> Vec<String> {
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
    let mut found: Vec<String> =
        found.into_iter().filter(|value| looks_secret(value)).map(str::to_owned).collect();
    crate::text::sort_by_key(&mut found, |value| (usize::MAX - value.len(), value.clone()));
    found.dedup();
    found
}

/// The value of a cookie is often a setting: only one that does not look like a word is a secret.
pub(super) fn looks_random(value: &str) -> bool {
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    value.len() >= 24 || value.len() >= 12 && has_digit && has_letter
}

fn query(url: &str) -> impl Iterator<Item = (&str, &str)> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query.split('#').next().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='))
}

/// An address without credentials.
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

/// Whether a key holds headers.
fn is_headers(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    key.ends_with("headers") || key == "cookies"
}

/// The segments of an address's path that look random, such as the token of a webhook; the name of a model only looks so.
pub(super) fn segments(url: &str) -> Vec<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let all: Vec<&str> = path.split('/').collect();
    let found = all.windows(2).filter_map(|pair| match pair {
        [before, segment] if !matches!(*before, "model" | "models") && is_drawn(segment) => {
            Some((*segment).to_owned())
        }
        _ => None,
    });
    found.collect()
}

/// Whether a segment of a path has a run of twelve letters and digits, or is long and mixed.
fn is_drawn(segment: &str) -> bool {
    let has = |text: &str, is: fn(&u8) -> bool| text.as_bytes().iter().any(is);
    let is_mixed = |text: &str| has(text, u8::is_ascii_digit) && has(text, u8::is_ascii_alphabetic);
    let has_cases = has(segment, u8::is_ascii_uppercase) && has(segment, u8::is_ascii_lowercase);
    let mut words = segment.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| word.len() >= 12 && is_mixed(word))
        || segment.len() >= 20 && has_cases && !segment.contains("%20")
        || segment.len() >= 32 && is_mixed(segment)
}

/// An unreadable piece of a cassette, without its headers: it is not known which of them are secrets.
pub(super) fn unheaded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // The indentation of the headers that are left out.
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
        let found = collect_secrets(headers.iter(), "https://x.test/v1?key=AIzaSyA-123&alt=sse");
        assert_eq!(found, ["Bearer sk-q7Zr2mKd91xT", "sk-q7Zr2mKd91xT", "a1b2c3d4e5f6g7", "AIzaSyA-123"]);
        let address = address("https://user:pass@x.test/v1?key=AIzaSyA-123&alt=sse");
        assert_eq!(address, "https://x.test/v1?key=[redacted]&alt=sse");
        assert_eq!(super::address("https://x.test/a@b"), "https://x.test/a@b");
    }

    #[test]
    fn what_looks_drawn_by_lot_in_a_path_is_found() {
        let hook =
            "https://hooks.slack.com/services/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?x=q7Zt4mXw9Lr2Vb8";
        assert_eq!(segments(hook), ["q7Zt4mXw9Lr2Vb8NcK1yHsPd"]);
        assert_eq!(
            segments("https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/send"),
            ["bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"]
        );
        assert_eq!(segments("https://x.test/v1beta2/models/gpt-4o-2024-08-06/orders/1234567890123"), [""; 0]);
        assert_eq!(segments("https://q7zt4mxw9lr2vb8.test"), [""; 0]);
        for address in [
            "https://x.test/v1/projects/p/locations/l/publishers/anthropic/models/claude-3-5-sonnet-v2@20241022:rawPredict",
            "https://x.test/model/anthropic.claude-3-5-sonnet-20241022-v2:0/invoke",
        ] {
            assert_eq!(segments(address), [""; 0], "{address}");
        }
    }
}
