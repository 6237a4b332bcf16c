//! Documents of JSON that lack their end: what precedes it is read.

use serde_json::Value;
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::samples::samples;

pub(crate) fn import(name: &str, text: &str) -> ImportView {
    import_log(&[LogFile { path: name, text }], &ImportOptions::default()).unwrap()
}

/// The number of turns and of messages before them.
pub(crate) fn size(view: &ImportView) -> usize {
    let length =
        |pointer: &str| view.transcript.pointer(pointer).and_then(Value::as_array).map_or(0, Vec::len);
    length("/execution") + length("/initial_state/message_store")
}

/// The samples that are one document with one run, as programs write them for people to read.
pub(crate) fn documents() -> Vec<(String, String, usize)> {
    let one = |(name, text): (String, String)| {
        let value: Value = serde_json::from_str(&text).ok()?;
        let text = serde_json::to_string_pretty(&value).ok()? + "\n";
        let size = size(&import(&name, &text));
        (size > 2).then_some((name, text, size))
    };
    samples().into_iter().filter_map(one).collect()
}

#[test]
fn a_document_that_is_cut_is_read_up_to_there() {
    // Those of chats have tests of their own.
    for (name, text, whole) in documents().into_iter().filter(|(name, ..)| !name.starts_with("chats/")) {
        for part in [60, 75, 90] {
            let view = import(&name, &text[..text.floor_char_boundary(text.len() * part / 100)]);
            assert_eq!(view.problem, None, "{name} at {part} %");
        }
        // Without the last bracket.
        let size = size(&import(&name, &text[..text.len() - 3]));
        assert!(size + 2 >= whole, "{name}: {size} of {whole}");
    }
}
