//! Documents of JSON that lack a line, or their end: the rest of the run is read.

use serde_json::Value;
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::diagnostic_lines;
use crate::samples::samples;

fn import(name: &str, text: &str) -> ImportView {
    import_log(&[LogFile { path: name, text }], &ImportOptions::default()).unwrap()
}

/// The number of turns and of messages before them.
fn size(view: &ImportView) -> usize {
    let length =
        |pointer: &str| view.transcript.pointer(pointer).and_then(Value::as_array).map_or(0, Vec::len);
    length("/execution") + length("/initial_state/message_store")
}

/// The samples that are one document with one run, as programs write them for people to read.
fn documents() -> Vec<(String, String, usize)> {
    let one = |(name, text): (String, String)| {
        let value: Value = serde_json::from_str(&text).ok()?;
        let text = serde_json::to_string_pretty(&value).ok()? + "\n";
        let size = size(&import(&name, &text));
        (size > 2).then_some((name, text, size))
    };
    samples().into_iter().filter_map(one).collect()
}

/// The lines of a text without the one at a place.
fn without(text: &str, place: usize) -> String {
    let lines = text.split_inclusive('\n').enumerate();
    lines.filter(|(at, _)| *at != place).map(|(_, line)| line).collect()
}

#[test]
fn a_missing_line_costs_no_more_than_two_turns() {
    let all = documents();
    assert!(all.len() >= 30, "{}", all.len());
    for (name, text, whole) in all {
        let count = text.lines().count();
        let places: Vec<usize> = (1..count).step_by(count.div_ceil(60)).collect();
        let is_costly = |place: &&usize| size(&import(&name, &without(&text, **place))) + 2 < whole;
        let costly: Vec<&usize> = places.iter().filter(is_costly).collect();
        // A line that names the format, or that opens the list of the run, is needed.
        assert!(costly.len() * 6 <= places.len(), "{name}: {costly:?} of {}", places.len());
    }
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

#[test]
fn missing_lines_are_reported_where_they_are_missing() {
    let text = r#"{
  "model": "gpt-4o",
  "messages": [
    {
      "role": "user",
      "content": "Is it raining?"
    },
    {
      "role": "assistant",
      "content": "No."
    }
  ]
}
"#;
    let found = |place: usize| {
        let view = import("chat.json", &without(text, place - 1));
        (size(&view), diagnostic_lines(&view))
    };
    let (whole, _) = found(99);
    assert_eq!(found(7), (whole, vec!["T901 7: a bracket is missing before this line".to_owned()]));
    assert_eq!(found(8), (whole, vec!["T901 8: a bracket is missing before this line".to_owned()]));
}
