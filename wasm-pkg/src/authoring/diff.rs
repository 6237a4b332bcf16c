//! How two transcripts differ.

use serde_json::{Value, json};
use transcript_core::diff::DiffStyle;
use transcript_core::view::{difference, difference_options, difference_text};

use super::asked::{Asked, with};

/// Takes `ignore`, `literalIds` and `color`. When one of the two cannot be read, the answer has `ok: false` and
/// the diagnostics of both.
pub(super) fn run(asked: &mut Asked<'_>) -> Result<Value, String> {
    let options = difference_options(&asked.map(&[("ignore", "ignore"), ("literalIds", "literalIds")]))?;
    let style = if asked.flag("color") { DiffStyle::Ansi } else { DiffStyle::Plain };
    let (left, right) = (asked.document(), asked.other());
    let names = ((asked.file.as_str(), &left), (asked.other_file.as_str(), &right));
    let (Some(found), Some(text)) =
        (difference(&left, &right, &options), difference_text(names.0, names.1, &options, style))
    else {
        let unreadable: Vec<&str> = [names.0, names.1]
            .iter()
            .filter(|(_, document)| !document.is_readable())
            .map(|(name, _)| *name)
            .collect();
        return Ok(json!({ "ok": false, "equal": false, "unreadable": unreadable, "rendered": "" }));
    };
    Ok(with(&found, [("ok", json!(true)), ("rendered", text.into())]))
}
