//! How two transcripts differ.

use serde_json::{Value, json};
use transcript_core::diff::DiffStyle;
use transcript_core::view::{difference, difference_options, difference_text};

use super::asked::{Asked, diagnostics, with};

/// Takes `ignore`, `literalIds` and `color`. When one of the two cannot be read, the answer has `ok: false`, the
/// names of those that cannot in `unreadable`, and their diagnostics.
pub(super) fn run(asked: &mut Asked<'_>) -> Result<Value, String> {
    let options = difference_options(&asked.map(&[("ignore", "ignore"), ("literalIds", "literalIds")]))?;
    let style = if asked.flag("color") { DiffStyle::Ansi } else { DiffStyle::Plain };
    let (left, right) = (asked.document(), asked.other());
    let names = ((asked.file.as_str(), &left), (asked.other_file.as_str(), &right));
    let (Some(found), Some(text)) =
        (difference(&left, &right, &options), difference_text(names.0, names.1, &options, style))
    else {
        let (mut told, mut unreadable) = (Vec::new(), Vec::new());
        for (name, document) in &[names.0, names.1] {
            if let (false, Value::Array(found)) = (document.is_whole(), diagnostics(name, document)) {
                told.extend(found);
                unreadable.push(*name);
            }
        }
        return Ok(
            json!({ "ok": false, "unreadable": unreadable, "equal": false, "rendered": "", "diagnostics": told }),
        );
    };
    Ok(with(&found, [("ok", json!(true)), ("unreadable", json!([])), ("rendered", text.into())]))
}
