//! Addresses: e-mail, passwords in URLs, phone numbers, IPv4.

use super::placeholder::{is_mark, is_placeholder};
use super::{Secret, SecretKind, Step, is_word, run};

/// The maximum length of the part before `@`, by RFC 5321.
const LOCAL: usize = 64;
/// The maximum length of a user and password in a URL.
const CREDENTIALS: usize = 512;

/// The e-mail address around the `@` at `at`, with a first part that begins at `free` or later.
pub(super) fn email(text: &str, at: usize, free: usize) -> Step {
    let before = text.get(free..at).unwrap_or("").chars().rev();
    let length: usize = before.take(LOCAL).take_while(|c| is_local(*c)).map(char::len_utf8).sum();
    let mut start = at - length;
    let local = text.get(start..at).unwrap_or("");
    start += local.len() - local.trim_start_matches(['.', '-', '+', '%']).len();
    // In JSON text inside a string, `\n` may precede the address.
    let escape = start > 0 && text.as_bytes().get(start - 1) == Some(&b'\\');
    if escape && local.starts_with(['n', 't', 'r']) {
        start += 1;
    }
    let local = text.get(start..at).unwrap_or("");
    let rest = text.get(at + 1..).unwrap_or("");
    let length = rest.find(|c: char| !c.is_alphanumeric() && c != '.' && c != '-').unwrap_or(rest.len());
    let end = at + 1 + length;
    let domain = text.get(at + 1..end).unwrap_or("").trim_end_matches(['.', '-']);
    let is_remote = local == "git" && text.as_bytes().get(end) == Some(&b':');
    if local.is_empty() || local.ends_with('.') || is_remote || !is_domain(domain) || is_placeholder(local) {
        return Step::On(at + 1);
    }
    Step::Found(Secret { start, end: at + 1 + domain.len(), kind: SecretKind::Email })
}

/// Letters of any script belong to it, by RFC 6531.
fn is_local(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '%' | '+' | '-')
}

/// Whether a domain can receive mail: it has a dot and no reserved name (RFC 2606), and no file extension.
fn is_domain(domain: &str) -> bool {
    let lower = domain.to_ascii_lowercase();
    let Some((name, top)) = lower.rsplit_once('.') else { return false };
    let second = name.rsplit('.').next().unwrap_or("");
    let reserved = matches!(top, "example" | "test" | "invalid" | "localhost" | "local")
        || (second == "example" && matches!(top, "com" | "org" | "net"));
    let file = matches!(top, "png" | "jpg" | "jpeg" | "gif" | "svg" | "webp" | "js" | "css" | "py" | "json");
    top.len() >= 2
        && top.chars().all(char::is_alphabetic)
        && lower.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
        && !reserved
        && !file
}

/// The password of a URL with its `://` at `at`.
pub(super) fn password(text: &str, at: usize, thorough: bool) -> Step {
    let is_url = text.get(at..).is_some_and(|rest| rest.starts_with("://"));
    let after_scheme = at > 0 && text.as_bytes().get(at - 1).is_some_and(u8::is_ascii_alphanumeric);
    if !is_url || !after_scheme {
        return Step::On(at + 1);
    }
    let start = at + 3;
    let mut length = 0;
    let stop = run(text, start, |byte| {
        length += 1;
        length <= CREDENTIALS && !byte.is_ascii_whitespace() && !b"\"'<>\\`".contains(&byte)
    });
    let whole = text.as_bytes().get(start..stop).unwrap_or_default();
    // Another URL may follow without a blank.
    let whole =
        whole.windows(3).position(|part| part == b"://").and_then(|next| whole.get(..next)).unwrap_or(whole);
    let Some(colon) =
        whole.iter().position(|byte| b":/@?#".contains(byte)).filter(|at| whole.get(*at) == Some(&b':'))
    else {
        return Step::On(start);
    };
    // A password may contain `@` and `/`: it ends at the last `@`, before a query if possible.
    let before_query = whole.split(|byte| *byte == b'?').next().unwrap_or_default();
    let last = |part: &[u8]| part.iter().rposition(|byte| *byte == b'@');
    let Some(end) = last(before_query).or_else(|| last(whole)).filter(|end| *end > colon) else {
        return Step::On(start);
    };
    let password = text.get(start + colon + 1..start + end).unwrap_or("");
    let digits = password.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_port = digits.len() < password.len() && digits.starts_with(['/', '?', '#']);
    let is_plain =
        !thorough && (matches!(password, "password" | "pass" | "pwd" | "secret") || is_placeholder(password));
    if is_port || is_mark(password) || is_plain {
        return Step::On(start);
    }
    Step::Found(Secret { start: start + colon + 1, end: start + end, kind: SecretKind::UrlPassword })
}

/// A phone number with its country code, or an IPv4 address, from `at` on.
pub(super) fn figures(text: &str, at: usize, wanted: impl Fn(SecretKind) -> bool) -> Step {
    let bytes = text.as_bytes();
    let inside = at > 0 && bytes.get(at - 1).is_some_and(|byte| is_word(*byte) || *byte == b'.');
    let is_phone = bytes.get(at) == Some(&b'+');
    let end = if is_phone {
        let mut length = 0;
        run(text, at + 1, |byte| {
            length += 1;
            length <= 24 && (byte.is_ascii_digit() || b" -()./".contains(&byte))
        })
    } else {
        run(text, at, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
    };
    let part = text.get(at..end).unwrap_or("").trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let kind = if is_phone { SecretKind::Phone } else { SecretKind::IpAddress };
    let fits = if is_phone {
        (8..=15).contains(&digits) && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    } else {
        is_public_ip(part)
    };
    if inside || !fits || !wanted(kind) {
        // A word that begins with a digit may be the name of a value, or contain a key.
        return Step::On(if is_phone { at + 1 } else { run(text, at, is_word).max(at + 1) });
    }
    Step::Found(Secret { start: at, end: at + part.len(), kind })
}

fn is_public_ip(text: &str) -> bool {
    let parts: Vec<Option<u8>> = text.split('.').map(|part| part.parse().ok()).collect();
    match parts.as_slice() {
        &[Some(a), Some(b), Some(c), Some(_)] => {
            let private = matches!((a, b), (0 | 10 | 127, _) | (172, 16..=31) | (192, 168) | (169, 254));
            let documentation = matches!((a, b, c), (192, 0, 2) | (198, 51, 100) | (203, 0, 113));
            a < 224 && !private && !documentation
        }
        _ => false,
    }
}
