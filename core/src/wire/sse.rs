//! The events that a server sends, as text.

use serde_json::Value;

use crate::parse::json_exactly;

/// Whether a text is such events rather than one value.
pub(crate) fn is_event_stream(text: &str) -> bool {
    let text = without_mark(text).trim_start();
    ["data:", "event:", ":", "id:", "retry:"].iter().any(|begin| text.starts_with(begin))
}

/// The data of the events in order, or of lines of JSON, and the texts of those that are no JSON. The `[DONE]` that ends a stream is
/// neither.
pub(crate) fn events(text: &str) -> (Vec<Value>, Vec<String>) {
    let (mut read, mut unrecognized) = (Vec::new(), Vec::new());
    let mut data: Vec<&str> = Vec::new();
    let mut end = |data: &mut Vec<&str>| {
        if data.is_empty() {
            return;
        }
        let text = data.join("\n");
        data.clear();
        match json_exactly(&text) {
            Some(value) => read.push(value),
            None if text.trim() == "[DONE]" => read.push(Value::from("[DONE]")),
            None => unrecognized.push(text),
        }
    };
    for line in lines(without_mark(text)) {
        match line.strip_prefix("data:") {
            Some(piece) => data.push(piece.strip_prefix(' ').unwrap_or(piece)),
            None if line.is_empty() => end(&mut data),
            // Ollama and Cohere stream lines of JSON.
            None if line.starts_with('{') => {
                data.push(line);
                end(&mut data);
            }
            None => {}
        }
    }
    end(&mut data);
    (read, unrecognized)
}

/// A text without the byte order mark at its start.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The lines, which end with `\r\n`, `\n` or `\r`.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some((line, after)) = text.find(['\r', '\n']).and_then(|end| text.split_at_checked(end)) else {
            rest = None;
            return Some(text);
        };
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..));
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_of_json_are_events() {
        let (read, unrecognized) = events("{\"a\": 1}\r\n\n{\"b\": 2}\n{\"cut");
        assert_eq!(read, [json!({"a": 1}), json!({"b": 2})]);
        assert_eq!(unrecognized, ["{\"cut"]);
    }

    #[test]
    fn events_end_with_an_empty_line() {
        let text = "\u{feff}data: 0\n\n: hi\r\nevent: a\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata:2\n\ndata: no\n\ndata: [DONE]\n\ndata: {\"cut";
        let (read, unrecognized) = events(text);
        assert_eq!(read, [json!(0), json!({"a": 1}), json!(2), json!("[DONE]")]);
        assert_eq!(unrecognized, ["no", "{\"cut"]);
        // Lines that end with only a carriage return, and a second mark, which belongs to the name of a field.
        assert_eq!(events("data: 1\r\r\ndata: 2").0, [json!(1), json!(2)]);
        assert_eq!(events("data: 1\r\n\rdata: 2\r\rdata: 3\n").0, [json!(1), json!(2), json!(3)]);
        // A space before a name is part of it.
        assert_eq!(events("\n data: 1\n\n\u{feff}data: 2\n\ndata: 3").0, [json!(3)]);
        assert!(is_event_stream("\u{feff}\n data: 1") && !is_event_stream("{}"));
    }
}
