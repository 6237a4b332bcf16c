//! Keys and tokens with a typical prefix.

use super::placeholder::is_random;
use super::{Secret, SecretKind, Step, is_word, is_word_or_hyphen, run};

/// A prefix, and how many characters of which kind follow it.
struct Shape {
    prefix: &'static str,
    kind: SecretKind,
    least: usize,
    most: usize,
    fits: fn(u8) -> bool,
}

const fn shape(
    prefix: &'static str,
    kind: SecretKind,
    least: usize,
    most: usize,
    fits: fn(u8) -> bool,
) -> Shape {
    Shape { prefix, kind, least, most, fits }
}

fn is_capital_or_digit(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

/// A longer prefix comes first.
static SHAPES: [Shape; 26] = [
    shape("sk-ant-", SecretKind::AnthropicKey, 20, 400, is_word_or_hyphen),
    shape("sk-", SecretKind::OpenAiKey, 20, 400, is_word_or_hyphen),
    shape("ghp_", SecretKind::GitHubToken, 30, 255, is_word),
    shape("gho_", SecretKind::GitHubToken, 30, 255, is_word),
    shape("ghs_", SecretKind::GitHubToken, 30, 255, is_word),
    shape("ghu_", SecretKind::GitHubToken, 30, 255, is_word),
    shape("ghr_", SecretKind::GitHubToken, 30, 255, is_word),
    shape("github_pat_", SecretKind::GitHubToken, 22, 255, is_word),
    shape("glpat-", SecretKind::GitLabToken, 20, 255, is_word_or_hyphen),
    shape("AKIA", SecretKind::AwsKey, 16, 16, is_capital_or_digit),
    shape("ASIA", SecretKind::AwsKey, 16, 16, is_capital_or_digit),
    shape("AIza", SecretKind::GoogleKey, 35, 35, is_word_or_hyphen),
    shape("xoxa-", SecretKind::SlackToken, 10, 255, is_word_or_hyphen),
    shape("xoxb-", SecretKind::SlackToken, 10, 255, is_word_or_hyphen),
    shape("xoxe-", SecretKind::SlackToken, 10, 255, is_word_or_hyphen),
    shape("xoxo-", SecretKind::SlackToken, 10, 255, is_word_or_hyphen),
    shape("xoxp-", SecretKind::SlackToken, 10, 255, is_word_or_hyphen),
    shape("xoxr-", SecretKind::SlackToken, 10, 255, is_word_or_hyphen),
    shape("xoxs-", SecretKind::SlackToken, 10, 255, is_word_or_hyphen),
    shape("sk_live_", SecretKind::StripeKey, 16, 255, is_word),
    shape("rk_live_", SecretKind::StripeKey, 16, 255, is_word),
    shape("npm_", SecretKind::NpmToken, 36, 36, is_word),
    shape("hf_", SecretKind::HuggingFaceToken, 30, 60, is_word),
    shape("gsk_", SecretKind::OpenAiKey, 40, 80, is_word),
    shape("xai-", SecretKind::OpenAiKey, 40, 120, is_word_or_hyphen),
    shape("pplx-", SecretKind::OpenAiKey, 40, 80, is_word_or_hyphen),
];

/// The least length of all of these.
const SHORTEST: usize = 15;

/// The kind of the word from `start` to `end`, if its prefix is in the table or that of a JSON Web
/// Token.
pub(super) fn match_shape(text: &str, start: usize, end: usize) -> Option<Step> {
    let word = text.get(start..end)?;
    if word.starts_with("eyJ") {
        return json_web_token(text, start, end);
    }
    if word.len() < SHORTEST {
        return None;
    }
    let first = word.as_bytes().first();
    let mut begins = SHAPES.iter().filter(|shape| shape.prefix.as_bytes().first() == first);
    let shape = begins.find(|shape| word.starts_with(shape.prefix))?;
    let body_start = start + shape.prefix.len();
    let body_end = run(text, body_start, shape.fits);
    let body = text.get(body_start..body_end)?;
    // A full stop at the end of `AKIA...` is no letter, but a longer word is something else.
    let whole = text.as_bytes().get(body_end).is_none_or(|byte| !is_word(*byte));
    let fits = whole && (shape.least..=shape.most).contains(&body.len()) && is_random(body, shape.least);
    fits.then_some(Step::Found(Secret { start, end: body_end, kind: shape.kind }))
}

/// Three parts in the alphabet of base64url with full stops between, the first a JSON object.
fn json_web_token(text: &str, start: usize, end: usize) -> Option<Step> {
    let part = |at: usize| {
        let rest = text.as_bytes().get(at) == Some(&b'.');
        let end = run(text, at + 1, is_word_or_hyphen);
        (rest && end > at + 1).then_some(end)
    };
    let payload = part(end)?;
    let signature = part(payload)?;
    let token = text.get(start..signature)?;
    // A long token holds one word or another by chance, so that no word makes it a placeholder.
    (token.len() >= 40).then_some(Step::Found(Secret { start, end: signature, kind: SecretKind::Jwt }))
}

/// The maximum length of a private key in bytes.
const LONGEST_KEY: usize = 16 << 10;
const END: &[u8] = b"-----END ";

/// A block in PEM with `PRIVATE KEY` in its first line, up to its last line, or to the end of a truncated
/// text.
pub(super) fn private_key(text: &str, at: usize) -> Step {
    const BEGIN: &str = "-----BEGIN ";
    let dashes = run(text, at, |byte| byte == b'-');
    let begin = dashes.saturating_sub(5).max(at);
    let Some(rest) = text.get(begin..).filter(|rest| rest.starts_with(BEGIN)) else {
        return Step::On(dashes);
    };
    let label_end = run(text, begin + BEGIN.len(), |byte| {
        byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' '
    });
    let label = text.get(begin + BEGIN.len()..label_end).unwrap_or("");
    if !label.ends_with("PRIVATE KEY") {
        return Step::On(label_end);
    }
    let is_label = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' ';
    let is_dash = |byte: u8| byte == b'-';
    let body = run(text, label_end, is_dash);
    // A longer key is none; without the bound, texts of nothing but first lines would be slow.
    let bytes = text.as_bytes().get(body..).unwrap_or_default();
    let bytes = bytes.get(..LONGEST_KEY).unwrap_or(bytes);
    let end = match bytes.windows(END.len()).position(|part| part == END) {
        Some(end) => run(text, run(text, body + end + END.len(), is_label), is_dash),
        None if bytes.len() < LONGEST_KEY => begin + rest.trim_end().len(),
        None => return Step::On(body),
    };
    let content = text.get(body..end).unwrap_or("");
    if content.contains("...") || content.trim().len() < 40 {
        return Step::On(body);
    }
    Step::Found(Secret { start: begin, end, kind: SecretKind::PrivateKey })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_shape_is_shorter_than_the_shortest() {
        let shortest = SHAPES.iter().map(|shape| shape.prefix.len() + shape.least).min();
        assert_eq!(shortest, Some(SHORTEST));
    }
}
