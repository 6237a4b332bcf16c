//! The Hermes form: calls are `<tool_call>` tags in the text of an answer, results are `<tool_response>` tags.

use serde_json::{Map, Value};

use super::calls;

/// The calls in the text of an answer, and the text without them. `None` if it has no tag, or one that cannot be read.
pub(super) fn answer(text: &str) -> Option<(Vec<Value>, String)> {
    let (tags, around) = split(text, "<tool_call>", "</tool_call>")?;
    let read = |tag: &str| calls(&tag.into()).filter(|calls| !calls.is_empty());
    let calls: Option<Vec<Vec<Value>>> = tags.into_iter().map(read).collect();
    Some((calls?.concat(), around))
}

/// Whether an answer with calls has text after the first of them, so that its order is lost.
pub(super) fn has_text_after_call(text: &str) -> bool {
    let from_call = text.find("<tool_call>").and_then(|at| text.get(at..));
    from_call.and_then(answer).is_some_and(|(_, around)| !around.is_empty())
}

/// Whether the text of an answer has a call that cannot be read.
pub(super) fn has_unreadable_call(text: &str) -> bool {
    text.contains("<tool_call>") && answer(text).is_none()
}

/// A result in a tag.
pub(super) struct TaggedResult {
    pub name: Option<Value>,
    pub content: Value,
    /// The other keys of its wrapper.
    pub others: Map<String, Value>,
}

/// The results in the text of a tool. `None` if it has no tag, or text outside of the tags.
pub(super) fn results(text: &str) -> Option<Vec<TaggedResult>> {
    let (tags, around) = split(text, "<tool_response>", "</tool_response>")?;
    around.is_empty().then(|| tags.into_iter().map(result).collect())
}

/// A wrapper with a `name` and a `content` is removed.
fn result(tag: &str) -> TaggedResult {
    if let Ok(Value::Object(mut others)) = crate::text::json_value(tag)
        && others.get("name").is_some_and(Value::is_string)
        && others.get("content").is_some_and(|content| !content.is_null())
    {
        let name = others.shift_remove("name");
        let content = others.shift_remove("content").unwrap_or_default();
        return TaggedResult { name, content, others };
    }
    TaggedResult { name: None, content: tag.into(), others: Map::new() }
}

/// The contents of the tags, and the text around them. `None` if there is no tag, or one without an end.
fn split<'t>(text: &'t str, open: &str, close: &str) -> Option<(Vec<&'t str>, String)> {
    let (mut tags, mut around, mut rest) = (Vec::new(), String::new(), text);
    while let Some((before, after)) = rest.split_once(open) {
        let (tag, after) = after.split_once(close)?;
        tags.push(tag.trim());
        around.push_str(before);
        rest = after;
    }
    around.push_str(rest);
    (!tags.is_empty()).then(|| (tags, around.trim().to_owned()))
}
