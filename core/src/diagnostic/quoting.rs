//! Texts quoted to replace others.

use serde_json::Value;

use crate::text::Span;

/// `text` as a replacement of the scalar at `span`, with quotes of the same kind.
pub(crate) fn scalar(source: &str, span: Span, text: &str) -> String {
    match span.slice(source).as_bytes().first() {
        Some(b'"') => quoted(text),
        Some(b'\'') => format!("'{}'", text.replace('\'', "''")),
        _ => plain(text),
    }
}

/// `text` without quotes if every reader reads it as text.
pub(crate) fn plain(text: &str) -> String {
    let is_word = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    let means_else = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    if is_word && !means_else.contains(&&*text.to_ascii_lowercase()) { text.to_owned() } else { quoted(text) }
}

/// `text` in quotes with the same meaning in YAML and JSON.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scalar_keeps_its_quotes() {
        let put = |source: &str| scalar(source, Span::new(0, source.len()), "it's");
        assert_eq!(put("\"x\""), "\"it's\"");
        assert_eq!(put("'x'"), "'it''s'");
        assert_eq!(put("x"), "\"it's\"");
        assert_eq!(plain("msg_001"), "msg_001");
        assert_eq!(plain("no"), "\"no\"");
    }
}
