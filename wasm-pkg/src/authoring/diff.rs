//! How two transcripts differ.

use serde_json::{Value, json};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::diff::DiffStyle;
use transcript_core::document::Document;
use transcript_core::view::{difference, difference_options, difference_text};

use super::input::{OperationInput, data, diagnostics, with};

/// Takes `ignore`, `literalIds` and `color`. When one of the two cannot be read, the answer has `ok: false`, the
/// names of those that cannot in `unreadable`, and their diagnostics.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let options = difference_options(&input.map(&[("ignore", "ignore"), ("literalIds", "literalIds")]))?;
    let style = if input.flag("color") { DiffStyle::Ansi } else { DiffStyle::Plain };
    let (left, right) = (input.document(), input.other());
    let names = ((input.file.as_str(), &left), (input.other_file.as_str(), &right));
    let (Some(found), Some(text)) =
        (difference(&left, &right, &options), difference_text(names.0, names.1, &options, style))
    else {
        return Ok(unreadable(&[names.0, names.1]));
    };
    Ok(with(&found, [("ok", json!(true)), ("unreadable", json!([])), ("rendered", text.into())]))
}

/// What two texts share and what not, whatever they are: lines when one has several, else words. The answer is a list of
/// `{kind, text}` with `same`, `removed` or `added`, and null when one of the two is no text.
pub(super) fn parts(input: &OperationInput<'_>) -> Value {
    match (input.text(), input.other_text()) {
        (Ok(left), Some(right)) => data(&transcript_core::diff::parts(left, right)),
        _ => Value::Null,
    }
}

/// The answer about documents that cannot all be read whole, with their names.
pub(super) fn unreadable(documents: &[(&str, &Document)]) -> Value {
    let (mut all_diagnostics, mut unreadable) = (Vec::new(), Vec::new());
    for (name, document) in documents {
        if let (false, Value::Array(found)) = (document.is_whole(), diagnostics(name, document)) {
            all_diagnostics.extend(found);
            unreadable.push(*name);
        }
    }
    json!({ "ok": false, "unreadable": unreadable, "equal": false, "rendered": "", "diagnostics": all_diagnostics })
}

#[cfg(test)]
mod tests {
    use super::super::author;

    #[test]
    fn any_two_texts_are_laid_over_each_other() {
        let parts = |left: &str, right: &str| author("parts", left.as_bytes(), right.as_bytes(), "").unwrap();
        assert_eq!(
            parts("messages:\n  - 'oops\n", "messages: []\n"),
            r#"[{"kind":"removed","text":"messages:\n  - 'oops\n"},{"kind":"added","text":"messages: []\n"}]"#
        );
        assert_eq!(parts("", ""), "[]");
        assert_eq!(author("parts", b"\xff", b"a", "").unwrap(), "null");
    }
}
